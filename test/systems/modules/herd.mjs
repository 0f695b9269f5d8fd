// A step system for tests: it pushes, turns, aims, asks and explodes by a rule of its own, with random numbers in its
// state, and tells what it has seen.
export default function herd({ world, options, post }) {
  let seed = options?.seed ?? 1;
  let calm = 0;
  const seen = new Float32Array(4);
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 4294967296;
  };
  return {
    beforeStep(same, dt) {
      if (same !== world) throw new Error('another world');
      if (calm > 0) {
        calm--;
        return;
      }
      for (const body of world.bodies()) {
        if (body.type === 'kinematic') {
          const [x, y, z] = body.getPosition();
          body.setKinematicTarget([x + 0.3 * dt, y, z]);
        }
        if (body.type !== 'dynamic') continue;
        const [x, y, z] = body.getPosition();
        const choice = random();
        if (choice < 0.3) body.applyCentralForce([body.mass * (random() - 0.5) * 40, body.mass * 6, -x]);
        else if (choice < 0.4) body.applyImpulse([0, 0.1 * body.mass, 0], [0.1, 0, 0]);
        else if (choice < 0.5) body.applyTorque([random(), 0, 0]);
        else if (choice < 0.55) {
          const hit = world.rayTest([x, y, z], [x, y - 5, z], { skip: body });
          if (hit !== null) body.setLinearVelocity([0, 2 * hit.fraction, 0]);
        }
      }
      if (random() < 0.02) world.explode([0, 0, 0], 5, 3);
    },
    afterStep(_, dt) {
      seen[0] += dt;
      seen[1] += world.getContacts().length;
      seen[2] = world.stepCount;
      if (world.stepCount % 10 === 0) post({ step: world.stepCount, seen: [...seen] });
    },
    message(data) {
      if (data === 'fail') throw new RangeError('as told');
      if (data?.calm !== undefined) calm = data.calm;
      else post({ heard: data, step: world.stepCount });
    },
    save: () => ({ seed, calm, seen }),
    restore(state) {
      ({ seed, calm } = state);
      seen.set(state.seen);
    },
    dispose() {
      if (options?.tells) post('gone');
    },
  };
}
