// Chains of rods on ball joints that fall and whip. Nothing in them takes energy away: ideal joints, no damping, no contacts.
// The end of a chain turns at 100 rad/s when it cracks, a third of a radian per substep of the default. Steps with such
// arms get shorter substeps.
// SEED=n runs other random chains.

import type { RigidBody, World } from '../../src/index';
import { spinEnergy } from '../reference/freeSpin';
import { row } from './support/measure';
import { add, dot, random, scale, type Vec3 } from './support/vector';
import { createWorld, G, position, rotation, spin, velocity } from './support/world';

const SECONDS = 5;
const SEED = Number(process.env['SEED'] ?? 1);
const RATES = [30, 60, 144];

interface Rod {
  length: number;
  mass: number;
  /** From its joint to its other end, a unit vector. */
  along: Vec3;
  /** Of rods 0.08 of their length thick. */
  shape?: 'capsule' | 'sphere';
}

interface Chain {
  bodies: { body: RigidBody; mass: number; inertia: Vec3 }[];
  energy(): number;
  /** J: kinetic energy and height above the place where it hangs down, at the start. */
  span: number;
}

/** A chain that begins at the origin, which is fixed. */
function build(world: World, rods: Rod[]): Chain {
  const bodies: Chain['bodies'] = [];
  let end: Vec3 = [0, 0, 0];
  let previous: RigidBody | undefined;
  let lowest = 0;
  let below = 0;
  for (const { length, mass, along, shape = 'capsule' } of rods) {
    const radius = 0.04 * length;
    const across = (mass * length ** 2) / 12;
    const inertia: Vec3 =
      shape === 'sphere'
        ? [0.1 * mass * length ** 2, 0.1 * mass * length ** 2, 0.1 * mass * length ** 2]
        : [(mass * radius ** 2) / 2, across, across];
    const body = world.createBody({
      mass,
      inertia,
      position: add(end, scale(along, length / 2)),
      rotation: turnOfX(along),
      mask: 0,
      shape:
        shape === 'sphere'
          ? { type: 'sphere', radius: length / 2 }
          : { type: 'capsule', radius, halfHeight: length / 2 - radius, axis: 'x' },
    });
    world.createJoint({ type: 'point', bodyA: previous, bodyB: body, anchor: end });
    bodies.push({ body, mass, inertia });
    end = add(end, scale(along, length));
    previous = body;
    lowest -= mass * G * (below + length / 2);
    below += length;
  }
  const energy = () =>
    bodies.reduce((sum, { body, mass, inertia }) => {
      const v = velocity(body);
      return (
        sum + mass * (dot(v, v) / 2 + G * position(body)[1]) + spinEnergy(inertia, rotation(body), spin(body))
      );
    }, -lowest);
  return { bodies, energy, span: energy() };
}

/** The shortest turn from the x axis to `to`. */
function turnOfX(to: Vec3): [number, number, number, number] {
  const w = Math.sqrt(Math.max(0, (1 + to[0]) / 2));
  if (w < 1e-3) return [0, 0, 1, 0];
  return [0, -to[2] / (2 * w), to[1] / (2 * w), w];
}

interface Kept {
  least: number;
  most: number;
}

/** Energy after the time, and its largest value, as shares of that at the start. */
function fall(rods: Rod[], rate: number): Kept {
  const world = createWorld({ gravity: [0, -G, 0] });
  const chain = build(world, rods);
  const kept: Kept = { least: 1, most: 1 };
  for (let step = 0; step < SECONDS * rate; step++) {
    world.step(1 / rate);
    kept.most = Math.max(kept.most, chain.energy() / chain.span);
  }
  kept.least = chain.energy() / chain.span;
  world.dispose();
  return kept;
}

const LEVEL: Vec3 = [1, 0, 0];
const BACK: Vec3 = [-1, 0, 0];

const FORMS: [name: string, rods: (count: number) => Rod[]][] = [
  ['level', (count) => Array.from({ length: count }, () => ({ length: 0.5, mass: 1, along: LEVEL }))],
  [
    'level, of balls',
    (count) => Array.from({ length: count }, () => ({ length: 0.5, mass: 1, along: LEVEL, shape: 'sphere' })),
  ],
  [
    'folded',
    (count) =>
      Array.from({ length: count }, (_, i) => ({ length: 0.5, mass: 1, along: i % 2 ? BACK : LEVEL })),
  ],
];

for (const [name, rods] of FORMS)
  row(
    `a chain of 5 to 40 rods that starts ${name} keeps its energy`,
    (m) => {
      for (const rate of RATES)
        for (const count of [5, 10, 20, 40]) {
          const { least, most } = fall(rods(count), rate);
          m.atLeast(`of ${count} rods at ${rate} Hz: share left after ${SECONDS} s`, least, 0.9);
          m.atMost(`of ${count} rods at ${rate} Hz: largest share`, most, 1.01);
        }
    },
    { seconds: 300 },
  );

row(
  '30 chains of random rods in random directions keep their energy',
  (m) => {
    for (const rate of RATES) {
      let worst = 1;
      let largest = 1;
      for (let seed = 30 * SEED; seed < 30 * SEED + 30; seed++) {
        const next = random(seed);
        const count = 5 + Math.floor(30 * next());
        const size = 0.2 + next();
        const rods = Array.from({ length: count }, (): Rod => {
          const height = 2 * next() - 1;
          const angle = 2 * Math.PI * next();
          const flat = Math.sqrt(1 - height * height);
          return {
            length: size * (0.5 + next()),
            mass: 0.5 + 2 * next(),
            along: [flat * Math.cos(angle), height, flat * Math.sin(angle)],
          };
        });
        const { least, most } = fall(rods, rate);
        worst = Math.min(worst, least);
        largest = Math.max(largest, most);
      }
      m.atLeast(`at ${rate} Hz: least share left after ${SECONDS} s`, worst, 0.9);
      m.atMost(`at ${rate} Hz: largest share`, largest, 1.02);
    }
  },
  { seconds: 300 },
);
