// Separating axes of hulls and boxes (narrowphase/sat.ts) against the f64 oracle, which tries every normal of a face and every
// pair of edges: polyhedra as games have them and as they break such tests, in each other in every way. And in
// time: what lies still keeps its normal and its points, on a face, on an edge and deep inside. SOAK=1: forty times as many.
import { beforeAll, describe, expect, test } from 'vitest';
import { cookHull } from '../../src/cooking/hull';
import {
  add,
  axisAngle,
  dot,
  multiply,
  type Quat,
  random,
  scale,
  type Vec3,
} from '../physics/support/vector';
import { Convex64, overlapAlong } from '../reference/convex64';
import { checkPair, newTotals } from './support/convexCheck';
import {
  createNarrowphase,
  identity,
  type Narrowphase,
  type Placed,
  randomRotation,
  randomShape,
  rounded,
  unitVector,
} from './support/narrowphase';

const SEED = 20130328;
const RUNS = process.env['SOAK'] === '1' ? 2400 : 60;

let core: Narrowphase;
beforeAll(async () => {
  core = await createNarrowphase();
});

type Next = () => number;
const hull = (points: number[][]): Placed => ({
  kind: 'hull',
  params: [],
  hull: cookHull(points),
  position: [0, 0, 0],
  rotation: identity,
});
const box = (...params: number[]): Placed => ({
  kind: 'box',
  params,
  position: [0, 0, 0],
  rotation: identity,
});
const corners = (x: number, y: number, z: number) =>
  [-x, x].flatMap((a) => [-y, y].flatMap((b) => [-z, z].map((c) => [a, b, c])));
const ball = (count: number, next: Next) => Array.from({ length: count }, () => [...unitVector(next)]);
/** Two rings of corners, the second turned: sides are quadrangles, or triangles. */
const drum = (count: number, halfHeight: number, turn: number) =>
  [-1, 1].flatMap((side) =>
    Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * (i + (side > 0 ? turn : 0))) / count;
      return [Math.cos(angle), side * halfHeight, Math.sin(angle)];
    }),
  );

const KINDS: Record<string, (next: Next) => Placed> = {
  'random hull': (next) => randomShape('hull', 1, next, 64),
  'random box': (next) => randomShape('box', 1, next),
  'hull of 64 corners': (next) => hull(ball(64, next)),
  tetrahedron: (next) => {
    for (;;)
      try {
        return hull(ball(4, next));
      } catch {} // flat
  },
  prism: () => hull(drum(12, 0.7, 0)),
  antiprism: () => hull(drum(9, 0.5, 0.5)),
  'flat hull': (next) => hull(drum(8, 1e-4, next())),
  sliver: (next) => hull([...corners(1, 2e-5, 0.3), [0, 3e-5 * next(), 0]]),
  needle: (next) => hull([...corners(1e-3, 1, 1e-3), [0, 1.2, 0], [0, -1 - next(), 0]]),
  'nearly flat faces': (next) =>
    hull(corners(0.7, 0.5, 0.6).map((p) => p.map((c) => c * (1 + 3e-6 * next())))),
  'many duplicates': (next) => {
    const points = ball(10, next);
    return hull([...points, ...points.map((p) => p.map((c) => c * (1 - 1e-7))), ...points]);
  },
  cube: () => box(0.5, 0.5, 0.5),
  'cube hull': () => hull(corners(0.5, 0.5, 0.5)),
};
const TURNS: ((next: Next) => Quat)[] = [
  randomRotation,
  () => identity,
  (next) => axisAngle(unitVector(next), 1e-6 * next()),
  (next) => axisAngle([0, 1, 0], 1e-6 * next()),
  (next) => axisAngle([1, 0, 0], (Math.PI / 4) * Math.floor(8 * next()) + 1e-7 * next()),
];

describe.each(Object.keys(KINDS))('%s', (kind) => {
  test(`in every other polyhedron, ${RUNS} times (seed ${SEED})`, () => {
    const next = random(SEED + kind.length);
    const totals = newTotals();
    for (let i = 0; i < RUNS; i++) {
      const a = KINDS[kind]!(next);
      const b = Object.values(KINDS)[i % Object.keys(KINDS).length]!(next);
      const frame = i % 3 === 0 ? identity : randomRotation(next);
      a.rotation = frame;
      b.rotation = multiply(frame, TURNS[Math.floor(next() * TURNS.length)]!(next));
      // Along a face of A, along any direction, or from the same centre: touching, shallow, deep, contained.
      const share = [1, 0.999, 0.9, 0.4, 1e-3, 0][Math.floor(6 * next())]!;
      const n = next() < 0.5 ? unitVector(next) : rotateY(frame);
      const reach = overlapAlong(new Convex64(rounded(a)), new Convex64(rounded(b)), ...n);
      a.position = scale(unitVector(next), next());
      b.position = add(a.position, scale(n, share * reach));
      checkPair(core, rounded(a), rounded(b), totals);
    }
    if (process.env['NARROWPHASE_REPORT']) console.log(kind, JSON.stringify(totals));
    expect(totals.overlapping).toBeGreaterThan(RUNS / 2);
    // Boxes and hulls, overlapping, need GJK to see that, and to find points where features have none.
    expect(totals.depth).toBeLessThan(5e-5);
  });
});

/** The y axis turned. */
function rotateY([x, y, z, w]: Quat): Vec3 {
  return [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)];
}

const DIAMOND = axisAngle([1, 0, 0], Math.PI / 4);
const ACROSS = axisAngle([0, 0, 1], Math.PI / 4);
const at = (shape: Placed, position: Vec3, rotation: Quat = identity): Placed => ({
  ...shape,
  position,
  rotation,
});
const cubeHull = hull(corners(0.5, 0.5, 0.5));
const antiprism = hull(drum(9, 0.5, 0.5));
const RESTING: [string, Placed, Placed][] = [
  ['a hull on a hull, face on face', cubeHull, at(antiprism, [0.1, 0.999, 0.2])],
  ['a hull on a box, face on face', box(2, 0.5, 2), at(antiprism, [0.1, 0.999, 0.2], [0, 0.6, 0, 0.8])],
  ['faces that are the same', cubeHull, at(cubeHull, [0, 0.999, 0])],
  ['edge across edge', at(cubeHull, [0, 0, 0], DIAMOND), at(cubeHull, [0.1, Math.SQRT2 - 1e-3, 0.1], ACROSS)],
  ['edge across a box', at(box(0.5, 0.5, 0.5), [0, 0, 0], DIAMOND), at(cubeHull, [0.1, Math.SQRT2 - 1e-3, 0.1], ACROSS)],
  ['edge in edge, deep', at(cubeHull, [0, 0, 0], DIAMOND), at(cubeHull, [0.1, 1.1, 0.1], ACROSS)],
  ['two faces at right angles are as good', cubeHull, at(cubeHull, [0.7, 0.7, 0.1])],
  ['of one centre', cubeHull, at(cubeHull, [0, 0, 0])],
]; // biome-ignore format: one case a line

test.each(RESTING)('%s: the normal and the points stay while they tremble by 1e-5', (_name, a, b) => {
  const next = random(SEED);
  let cache = 0;
  let last: { normal: Vec3; features: string } | undefined;
  let turns = 0;
  let changes = 0;
  for (let i = 0; i < 300; i++) {
    const moved = rounded({
      ...b,
      position: add(b.position, scale(unitVector(next), 1e-5 * next())),
      rotation: multiply(axisAngle(unitVector(next), 1e-5 * next()), b.rotation),
    });
    const m = core.collide(rounded(a), moved, Math.fround(0.02), cache);
    cache = m.cache;
    expect(m.count).toBeGreaterThan(0);
    const features = [...m.features].sort((p, q) => p - q).join();
    if (last !== undefined && dot(last.normal, m.normal) < 0.9999) turns++;
    if (last !== undefined && last.features !== features) changes++;
    last = { normal: m.normal, features };
  }
  expect(turns).toBe(0);
  expect(changes).toBeLessThanOrEqual(3);
});

test('crossed planks as far apart as is asked for, but for rounding: none is said to be farther', () => {
  const next = random(SEED);
  for (let i = 0; i < 2000; i++) {
    const tilt = () => axisAngle(unitVector(next), 1e-6 * next());
    const a = rounded(at(box(1, 0.1, 0.2), [0, 0, 0], tilt()));
    const b = rounded(at(box(0.2, 0.1, 1), [0, 0.2 + 0.02 * next(), 0], tilt()));
    const { value } = core.distance(a, b);
    const m = core.collide(a, b, Math.fround(value));
    if (m.count === 0) expect(m.gap).toBeLessThan(value + 1e-5);
  }
});
