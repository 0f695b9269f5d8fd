// Where a body is lost: beyond these limits f32 is too coarse, and it is stopped (docs/step.md).
import { row } from './support/measure';
import { createWorld, DT } from './support/world';

function isLost({ speed = 0, spin = 0, far = 0 }): boolean {
  const world = createWorld();
  world.createBody({
    mass: 1,
    position: [far, 0, 0],
    linearVelocity: [0, 0, speed],
    angularVelocity: [0, 0, spin],
    shape: { type: 'sphere', radius: 0.5 },
  });
  world.step(DT);
  const { lost } = world.getProfile();
  world.dispose();
  return lost > 0;
}

row('bodies are lost beyond 100 km/s, 100,000 rad/s, or 10,000 km', (m) => {
  for (const key of ['speed', 'spin', 'far'])
    for (const share of [0.6, 0.95, 1.05, 1.9]) {
      const limit = key === 'far' ? 1e7 : 1e5;
      m.equal(`${key}, ${share} of the limit`, Number(isLost({ [key]: share * limit })), Number(share > 1));
    }
});
