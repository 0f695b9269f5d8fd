// Golden scene of step systems: two of them move bodies by rules of their own, with states of their own, the second after
// what the first did.
import type { SystemHooks, SystemStart } from 'ricochet';
// @ts-expect-error: plain JavaScript without declarations
import herd from '../../systems/modules/herd.mjs';
import { type GoldenScene, ground, pit } from './scene';
import { drop } from './solids';

/**
 * Brings back what has left the pit, turns what touches the most, and wakes all from time to time. It uses nothing outside
 * of itself: a worker gets its text.
 */
function keeper({ options, world }: SystemStart<{ half: number }>): SystemHooks {
  let state = { brought: 0, steps: 0 };
  return {
    beforeStep(_, dt) {
      state.steps++;
      for (const body of world.bodies()) {
        if (body.type !== 'dynamic') continue;
        const [x, y, z] = body.getPosition();
        const lost = Math.abs(x) > options.half || Math.abs(z) > options.half || y > 9;
        if (lost) {
          state.brought++;
          body.setTransform([(state.brought % 5) - 2, 3, ((state.brought * 3) % 5) - 2], [0, 0, 0, 1]);
          body.setLinearVelocity([0, -60 * dt, 0]);
          body.setAngularVelocity([0, state.brought % 7, 0]);
        } else if (state.steps % 50 === 0) body.activate();
      }
    },
    afterStep() {
      const near = world.overlapTest([-1, 0, -1], [1, 1, 1]);
      if (near.length % 4 === 3)
        for (const { body } of near) if (body.type === 'dynamic') body.applyTorqueImpulse([0, 0.2, 0]);
    },
    save: () => state,
    restore(saved: typeof state) {
      state = saved;
    },
  };
}

const systems: GoldenScene = {
  id: 'systems',
  systems: [
    { module: herd, name: 'herd', options: { seed: 12 } },
    { module: keeper as never, name: 'keeper', options: { half: 4 } },
  ],
  start(target) {
    ground(target);
    pit(target, 4, 3);
    drop(target, 9, 3, 3);
    target.createBody({
      type: 'kinematic',
      position: [-3, 0.3, 0],
      shape: { type: 'box', halfExtents: [1, 0.3, 1] },
    });
    const ball = target.createBody({ position: [0, 1, 0], mass: 3, shape: { type: 'sphere', radius: 0.4 } });
    return (step) => {
      if (step % 90 === 0) ball.applyImpulse([9, 12, 0]);
      if (step % 150 === 0)
        target.createBody({ position: [0, 5, 0], mass: 2, shape: { type: 'sphere', radius: 0.3 } });
    };
  },
};

export const stepped: readonly GoldenScene[] = [systems];
