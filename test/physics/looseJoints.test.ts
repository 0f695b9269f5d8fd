// Ropes and springs, which lock nothing, between bodies of a machine and what hangs on it. Truth: a rope does not stretch; a spring bears its
// load at the length that its law gives, whatever the rate and the masses between which it acts.
import type { RigidBody, World } from '../../src/index';
import { row } from './support/measure';
import type { Vec3 } from './support/vector';
import { createWorld, position } from './support/world';

const RATES = [30, 60, 144];

function part(world: World, mass: number, place: Vec3, halfExtents: Vec3): RigidBody {
  return world.createBody({ mass, position: place, mask: 0, shape: { type: 'box', halfExtents } });
}

row('a rope with up to 10 t on a boom of 20 kg does not stretch', (m) => {
  for (const hertz of RATES)
    for (const mass of [100, 1000, 10000]) {
      const world = createWorld();
      const boom = part(world, 20, [2, 5, 0], [2, 0.1, 0.1]);
      const bearing = { anchor: [0, 5, 0], axis: [0, 0, 1] } as const;
      world.createJoint({ type: 'hinge', bodyB: boom, ...bearing, angle: { low: -0.01, high: 0.01 } });
      const load = part(world, mass, [4, 2, 0], [0.3, 0.3, 0.3]);
      const rope = world.createJoint({
        type: 'distance',
        bodyA: boom,
        bodyB: load,
        frameA: { position: [2, 0, 0] },
        distance: { low: 0, high: 3 },
      });
      let most = 0;
      for (let i = 0; i < 5 * hertz; i++) {
        world.step(1 / hertz);
        if (i > hertz) most = Math.max(most, rope.getPosition('distance'));
      }
      m.near(`length, ${mass} kg, ${hertz} Hz`, 1000 * most, 3000, 1, 'mm');
      world.dispose();
    }
});

// Two arms of 6 and 5 kg on the chassis, an upright with the load, a spring from the chassis to the lower arm.
row('the spring of a wishbone of 6 kg bears 300 kg as its law says', (m) => {
  for (const chassis of [false, true])
    for (const hertz of RATES) {
      const world = createWorld();
      const frame = chassis ? part(world, 5000, [-1, 0.5, 0], [0.8, 0.4, 0.4]) : undefined;
      if (frame) world.createJoint({ type: 'fixed', bodyB: frame, anchor: [-1, 0.5, 0] });
      const low = part(world, 6, [0.175, 0.25, 0], [0.15, 0.02, 0.15]);
      const high = part(world, 5, [0.175, 0.5, 0], [0.15, 0.02, 0.12]);
      const upright = part(world, 300, [0.35, 0.375, 0], [0.05, 0.1, 0.05]);
      const hinge = (bodyA: RigidBody | undefined, bodyB: RigidBody, anchor: Vec3) =>
        world.createJoint({ type: 'hinge', bodyA, bodyB, anchor, axis: [0, 0, 1], angle: {} });
      hinge(frame, low, [0, 0.25, 0]);
      hinge(frame, high, [0, 0.5, 0]);
      hinge(low, upright, [0.35, 0.25, 0]);
      hinge(high, upright, [0.35, 0.5, 0]);
      const spring = world.createJoint({
        type: 'distance',
        bodyA: frame,
        bodyB: low,
        frameA: { position: frame ? [1.2, 0.25, 0] : [0.2, 0.75, 0] },
        frameB: { position: [0.05, 0, 0] },
        distance: { spring: { stiffness: 60000, damping: 4000, target: 0.45 } },
      });
      let [least, most] = [9, -9];
      for (let i = 0; i < 5 * hertz; i++) {
        world.step(1 / hertz);
        if (i < 4 * hertz) continue;
        least = Math.min(least, position(upright)[1]);
        most = Math.max(most, position(upright)[1]);
      }
      const on = chassis ? 'a chassis' : 'the world';
      const law = 60000 * (0.45 - spring.getPosition('distance'));
      m.near(`force, on ${on}, ${hertz} Hz`, spring.getAxisImpulse('distance') * hertz, law, 20, 'N');
      m.near(`height, on ${on}, ${hertz} Hz`, 1000 * least, 331.9, 1, 'mm');
      m.atMost(`shakes, on ${on}, ${hertz} Hz`, 1000 * (most - least), 0.5, 'mm');
      world.dispose();
    }
});
