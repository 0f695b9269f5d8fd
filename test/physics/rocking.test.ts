// What rocks on something round swings no farther than it was let go, and limbs of ragdolls come to rest. Sizes, offsets
// and poses are drawn at random, 30 times.
import { ragdoll } from '../../bench/scenes/joints';
import { type RigidBody, World } from '../../src/index';
import type { ShapeOptions } from '../../src/types';
import { row } from './support/measure';
import { randomTurn } from './support/shots';
import { random, type Vec3 } from './support/vector';
import { createFloor, createWorld, DT, isAsleep, rotation, run } from './support/world';

const SEEDS = 30;
type Round = 'sphere' | 'capsule' | 'cylinder';

/** Largest swing over 20 s of a round body with a lead weight below its middle, as a ratio to the one that it began with. */
function swing(type: Round, seed: number): number {
  const next = random(seed);
  const radius = 0.05 + next();
  const offset = radius * (0.2 + 0.6 * next());
  const tilt = 0.2 + 1.2 * next();
  const world = createWorld();
  createFloor(world);
  const size =
    type === 'sphere' ? { type, radius } : { type, radius, halfHeight: radius, axis: 'z' as const };
  const weight: ShapeOptions = {
    type: 'sphere',
    radius: radius / 10,
    position: [0, -offset, 0],
    density: 1e5,
  };
  const body = world.createBody({
    position: [0, radius, 0],
    rotation: [0, 0, Math.sin(tilt / 2), Math.cos(tilt / 2)],
    shape: [{ ...size, friction: 2, density: 10 } as ShapeOptions, weight],
  });
  let most = 0;
  run(world, 20, () => {
    const q = rotation(body);
    most = Math.max(most, 2 * Math.atan2(Math.abs(q[2]), Math.abs(q[3])));
  });
  return most / tilt;
}

for (const type of ['sphere', 'capsule', 'cylinder'] as const)
  row(`an unbalanced ${type} swings no farther than it was let go`, (m) => {
    let most = 0;
    for (let seed = 1; seed <= SEEDS; seed++) most = Math.max(most, swing(type, seed));
    m.atMost('largest swing to the first one', most, 1.01);
  });

row(
  'ragdolls fall asleep within 15 s',
  (m) => {
    let asleep = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const next = random(seed);
      const world = new World();
      createFloor(world, 0.5);
      const bodies: RigidBody[] = [];
      const place: Vec3 = [0, 2 + 2 * next(), 0];
      ragdoll(
        {
          createBody(options) {
            const shape = { ...(options.shape as ShapeOptions), friction: 1 };
            return bodies.push(world.createBody({ ...options, shape } as never)) - 1;
          },
          createJoint({ type, bodyA, bodyB, anchor, axis, limits }) {
            const link = { bodyA: bodies[bodyA], bodyB: bodies[bodyB], anchor };
            const angle = limits && { low: limits[0], high: limits[1] };
            if (type === 'ball') world.createJoint({ ...link, type: 'point' });
            else world.createJoint({ ...link, type: 'hinge', axis, angle: angle ?? {} });
          },
        },
        place,
        randomTurn(next),
      );
      for (let i = 0; i < 15 / DT && !bodies.every(isAsleep); i++) world.step(DT);
      if (bodies.every(isAsleep)) asleep++;
    }
    m.atLeast('asleep of 30', asleep, SEEDS);
  },
  { seconds: 300 },
);
