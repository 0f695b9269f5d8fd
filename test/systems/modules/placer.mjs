// A step system for tests: it lifts bodies that turn, and turns bodies that move, one half of a pose at a time.
export default function placer({ world }) {
  return {
    beforeStep() {
      for (const body of world.bodies()) {
        if (body.type !== 'dynamic') continue;
        const [x, y, z] = body.getPosition();
        if (world.stepCount % 7 === 0) body.setPosition([x, y + 0.05, z]);
        if (world.stepCount % 11 === 0) body.setRotation([0, 0.6, 0, 0.8]);
      }
    },
  };
}
