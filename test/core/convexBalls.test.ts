// Multi-spheres deep in each other and in boxes, capsules, spheres and triangles, against the exact depth of hulls of balls: few and
// large balls, unequal ones, balls inside others, all of one size, in a row, in a plane. SOAK=1: fifty thousand pairs.
import { beforeAll, expect, test } from 'vitest';
import { random, rotate, scale, type Vec3 } from '../physics/support/vector';
import { type Balls, leastOverlapOfBalls } from '../reference/balls64';
import { checkPair, newTotals } from './support/convexCheck';
import {
  createNarrowphase,
  type Kind,
  type Narrowphase,
  type Placed,
  randomRotation,
  randomShape,
  rounded,
  sizeOf,
  unitVector,
} from './support/narrowphase';

const SOAK = process.env['SOAK'] === '1';
const RUNS = SOAK ? 50_000 : 1_500;
const SEED = Number(process.env['BALLS_SEED'] ?? 11);
const TOLERANCE = 1e-4;

let core: Narrowphase;
beforeAll(async () => {
  core = await createNarrowphase();
});

/** A heap of up to six balls of a kind. */
function heap(next: () => number): Placed {
  const kind = Math.floor(6 * next());
  const count = kind === 0 ? 2 + Math.floor(2 * next()) : 2 + Math.floor(5 * next());
  const one = 0.1 + 0.4 * next();
  const flat: Vec3 = kind === 4 ? [1, 0, 0] : kind === 5 ? [1, 0, 1] : [1, 1, 1];
  const points: number[] = [];
  for (let i = 0; i < count; i++) {
    const c = scale(unitVector(next), 0.6 * next());
    const r = kind === 3 ? one : kind === 1 ? 0.5 * 10 ** (-2 * next()) : 0.2 + 0.4 * next();
    if (kind === 2 && i > 0) {
      // Inside the first, about touching it from inside.
      const inner = points[3]! * (0.2 + 0.7 * next());
      const out = (points[3]! - inner) * (0.9 + 0.15 * next());
      points.push(...unitVector(next).map((e, k) => points[k]! + e * out), inner);
    } else points.push(...c.map((e, k) => e * flat[k]!), r);
  }
  return { kind: 'multisphere', params: [], points, position: [0, 0, 0], rotation: randomRotation(next) };
}

/** In the world, in f64. */
function ballsOf({ kind, params, points, position, rotation }: Placed): Balls {
  const [x, y, z] = params as Vec3;
  const local: Balls =
    kind === 'sphere'
      ? [[0, 0, 0, x]]
      : kind === 'capsule'
        ? [-1, 1].map((s) => [0, s * y, 0, x])
        : kind === 'box'
          ? [-x, x].flatMap((i) => [-y, y].flatMap((j) => [-z, z].map((k) => [i, j, k, 0])))
          : Array.from({ length: points!.length / 4 }, (_, i) => points!.slice(4 * i, 4 * i + 4));
  const size = Math.hypot(...rotation);
  const q = rotation.map((c) => c / size) as typeof rotation;
  return local.map(([i, j, k, r]) => [...rotate(q, [i!, j!, k!]).map((c, e) => c + position[e]!), r!]);
}

const OTHERS: Kind[] = ['multisphere', 'multisphere', 'box', 'capsule', 'sphere', 'triangle'];

test(`${RUNS} heaps of balls in each other are as deep as they are (seed ${SEED})`, () => {
  const totals = newTotals();
  const wrong: string[] = [];
  let worst = 0;
  for (let i = 0; i < RUNS; i++) {
    const next = random(SEED * 1_000_003 + i);
    const kind = OTHERS[i % OTHERS.length]!;
    const a = rounded(heap(next));
    const b = rounded({
      ...(kind === 'multisphere' ? heap(next) : randomShape(kind, 0.8, next)),
      position: scale(unitVector(next), next() < 0.3 ? 0 : 0.7 * next()),
    });
    const truth = leastOverlapOfBalls(ballsOf(a), ballsOf(b));
    if (truth <= 0) continue;
    const error = Math.abs(core.distance(a, b).value + truth) / Math.max(sizeOf(a), sizeOf(b));
    worst = Math.max(worst, error);
    if (!(error <= TOLERANCE)) wrong.push(`pair ${i}, with a ${kind}: wrong by ${error} of the size`);
    if (i % 10 === 0 || error > TOLERANCE)
      try {
        checkPair(core, a, b, totals);
      } catch (fault) {
        wrong.push(`pair ${i}, with a ${kind}: ${(fault as Error).message}`);
      }
  }
  if (SOAK) console.log(JSON.stringify({ ...totals, worst }));
  expect(wrong.slice(0, 10).join('\n'), `${wrong.length} wrong`).toBe('');
});
