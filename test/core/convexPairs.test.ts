// Random pairs of all convex shapes against oracles in f64, sizes up to a thousand times each other. SOAK=1: a million pairs (in pieces
// with SOAK_PART=k/n). A quarter of the hulls, cones and triangles have a margin. What is checked: support/convexCheck.ts.
// fast-check makes the cases; those that ever failed are kept in convexPairs.failed.json and run first.
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { random, scale, type Vec3 } from '../physics/support/vector';
import { Convex64, overlapAlong } from '../reference/convex64';
import { checkPair, newTotals } from './support/convexCheck';
import {
  createNarrowphase,
  type Kind,
  type Narrowphase,
  type Placed,
  randomShape,
  rounded,
  sizeOf,
  unitVector,
} from './support/narrowphase';

const KINDS: Kind[] = ['sphere', 'capsule', 'box', 'hull', 'cylinder', 'cone', 'triangle', 'multisphere'];
const PAIRS = KINDS.flatMap((a, i) => KINDS.slice(i).map((b) => [a, b] as [Kind, Kind]));
const SOAK = process.env['SOAK'] === '1';
const [PART, PARTS] = (process.env['SOAK_PART'] ?? '1/1').split('/').map(Number) as [number, number];
const RUNS = SOAK ? Math.ceil(1e6 / PAIRS.length / PARTS) : Number(process.env['PAIRS_RUNS'] ?? 60);
const SEED = 20261121 + PART;
/** Cases that failed once, by pair of kinds: a seed, the exponent of the ratio of sizes, the place. */
type Case = [number, number, number];
const FAILED = new URL('./convexPairs.failed.json', import.meta.url);
const failed: Record<string, Case[]> = existsSync(FAILED) ? JSON.parse(readFileSync(FAILED, 'utf8')) : {};

let core: Narrowphase;
beforeAll(async () => {
  core = await createNarrowphase();
});

const totals = { ...newTotals(), seconds: 0 };
/** Lists what fails instead of stopping at the first: to find out where the narrow phase is weak. */
const REPORT = process.env['PAIRS_REPORT'] !== undefined;
const report = new Map<string, { count: number; worst: number; example: Case }>();
afterAll(() => {
  if (REPORT)
    console.log(
      [...report]
        .map(([name, { count, worst, example }]) => `#${name}: ${count}, ${worst}, ${example}`)
        .join('\n'),
    );
  console.log(JSON.stringify(totals));
});

function makePair([kindA, kindB]: [Kind, Kind], [seed, exponent, place]: Case): [Placed, Placed] {
  const next = random(seed);
  const ratio = 10 ** exponent;
  const a = randomShape(kindA, Math.min(1, 1 / ratio), next, next() < 0.2 ? 64 : 24);
  const b = randomShape(kindB, Math.min(1, ratio), next, next() < 0.2 ? 64 : 24);
  for (const shape of [a, b])
    if (['hull', 'cone', 'triangle'].includes(shape.kind) && next() < 0.25)
      shape.margin = 0.2 * sizeOf(shape) * next();
  a.position = scale(unitVector(next), 2 * next());
  b.position = a.position;
  const n = unitVector(next);
  // The least way along n that parts the two, times: deep inside, near touching, or apart.
  const reach = overlapAlong(new Convex64(rounded(a)), new Convex64(rounded(b)), ...n);
  const share = place < 0.3 ? 2 * place : place < 0.8 ? 0.9 + 0.4 * (place - 0.3) : 1.1 + 20 * (place - 0.8);
  b.position = a.position.map((c, k) => c + n[k]! * reach * share) as Vec3;
  return [rounded(a), rounded(b)];
}

describe.each(PAIRS)('%s and %s', (kindA, kindB) => {
  test(
    `${RUNS} random pairs agree with the oracle (seed ${SEED})`,
    () => {
      const start = performance.now();
      fc.assert(
        fc.property(
          fc.noShrink(fc.integer({ min: 1, max: 0x7fffffff })),
          fc.noShrink(fc.double({ min: -3, max: 3, noNaN: true })),
          fc.noShrink(fc.double({ min: 0, max: 1, noNaN: true })),
          (...given) => {
            const [a, b] = makePair([kindA, kindB], given);
            if (!REPORT) return checkPair(core, a, b, totals);
            try {
              checkPair(core, a, b, totals);
            } catch (error) {
              const name = `${kindA} ${kindB}: ${(error as Error).message.split(' is wrong')[0]}`;
              const size = Number(/by (\S+)/.exec((error as Error).message)?.[1]);
              const old = report.get(name) ?? { count: 0, worst: 0, example: given };
              report.set(
                name,
                size > old.worst
                  ? { count: old.count + 1, worst: size, example: given }
                  : { ...old, count: old.count + 1 },
              );
            }
          },
        ),
        { numRuns: RUNS, seed: SEED, examples: failed[`${kindA} ${kindB}`] ?? [] },
      );
      totals.seconds += (performance.now() - start) / 1000;
    },
    SOAK ? 3_600_000 : 300_000,
  );
});

test("Bullet's own collision test: 1440 pairs of spheres over a grid, and 160 with one centre", () => {
  // test/collision/main.cpp: four radii and ten places on a line for each of the two; the distance in closed form.
  let cases = 0;
  const sphere = (radius: number, z: number): Placed => ({
    kind: 'sphere',
    params: [radius],
    position: [0, 0, z],
    rotation: [0, 0, 0, 1],
  });
  for (let i = 0; i < 1600; i++) {
    const [rA, zA, rB, zB] = [1 + (i % 4), (i >> 2) % 10, 1 + (Math.floor(i / 40) % 4), Math.floor(i / 160)];
    const [a, b] = [sphere(rA, zA), sphere(rB, zB)];
    const { value, normal, pointA, pointB } = core.distance(a, b);
    expect(Math.abs(value - (Math.abs(zA - zB) - rA - rB))).toBeLessThan(1e-5);
    for (let c = 0; c < 3; c++)
      expect(Math.abs(pointB[c]! - normal[c]! * value - pointA[c]!)).toBeLessThan(1e-5);
    expect(Math.abs(Math.hypot(...normal) - 1)).toBeLessThan(1e-6);
    expect(Math.abs(core.collide(a, b, 100).deepest - value)).toBeLessThan(1e-5);
    if (zA !== zB) cases++;
  }
  expect(cases).toBe(1440);
});
