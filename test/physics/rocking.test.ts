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

// Nothing takes the energy of a bent arm that happens to swing freely: of 3,200 ragdolls 2.3 % are awake after 15 s, so 2.8 of 120.
row(
  'of 120 ragdolls 112 fall asleep within 15 s',
  (m) => {
    let asleep = 0;
    for (let seed = 1; seed <= 120; seed++) {
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
    m.atLeast('asleep of 120', asleep, 112);
  },
  { seconds: 300 },
);

/** How high its middle comes again after a log that fell over has lain down, m: its length is 1, its radius 0.2. */
function kick(shape: ShapeOptions, hertz: number, seed: number): number {
  const next = random(seed);
  const tilt = 0.15 + 0.5 * next();
  const turn = 7 * next();
  const speed = 2 * next();
  const world = createWorld();
  createFloor(world);
  const body = world.createBody({
    position: [0, 0.3 * Math.cos(tilt) + 0.2, 0],
    rotation: [
      Math.cos(turn) * Math.sin(tilt / 2),
      0,
      Math.sin(turn) * Math.sin(tilt / 2),
      Math.cos(tilt / 2),
    ],
    linearVelocity: [speed * Math.cos(2 * turn), 0, speed * Math.sin(2 * turn)],
    mass: 2,
    shape: { ...shape, friction: 0.5 },
  });
  let most = 0;
  let lies = false;
  for (let i = 0; i < 2.5 * hertz; i++) {
    world.step(1 / hertz);
    const height = body.getPosition()[1] - 0.2;
    if (height < 0.01) lies = true;
    if (lies) most = Math.max(most, height);
  }
  return lies ? most : Number.POSITIVE_INFINITY;
}

row('a log of balls that falls over lies down as a capsule does: its other end is not kicked up', (m) => {
  const inRow = (count: number): ShapeOptions => ({
    type: 'multiSphere',
    spheres: Array.from({ length: count }, (_, i) => ({
      radius: 0.2,
      position: [0, (0.6 * i) / (count - 1) - 0.3, 0],
    })),
  });
  const logs: Record<string, ShapeOptions> = {
    capsule: { type: 'capsule', radius: 0.2, halfHeight: 0.3 },
    'two balls': inRow(2),
    'five balls': inRow(5),
    'nine balls': inRow(9),
  };
  for (const [name, log] of Object.entries(logs)) {
    for (const hertz of [60, 144]) {
      const kicks = Array.from({ length: SEEDS }, (_, seed) => kick(log, hertz, seed));
      m.atMost(`${name}, ${hertz} Hz: highest`, Math.max(...kicks), 0.05, 'm');
    }
  }
});
