// Hulls, cylinders and cones against every shape. A manifold is its own proof where shapes are apart: the
// normal parts them by the separation, and its points lie on both. Where they overlap, the normal parts them
// after the depth, and no other direction does so sooner (test/reference/support.ts).
import { beforeAll, describe, expect, test } from 'vitest';
import { cookHull } from '../../src/cooking/hull';
import { add, axisAngle, length, type Quat, random, scale, type Vec3 } from '../physics/support/vector';
import { convexOf, leastOverlap, overlap } from '../reference/support';
import {
  createNarrowphase,
  identity,
  type Kind,
  type Manifold,
  type Narrowphase,
  type Placed,
  randomShape,
  rounded,
  sizeOf,
  unitVector,
} from './support/narrowphase';

const SEED = Number(process.env['NARROWPHASE_SEED'] ?? 20240711);
const MORE = Number(process.env['NARROWPHASE_MORE'] ?? 1);
/** Of the larger shape's size. */
const TOLERANCE = 1e-4;

let core: Narrowphase;
beforeAll(async () => {
  core = await createNarrowphase();
});

const OLD: Kind[] = ['sphere', 'capsule', 'box'];
const NEW: Kind[] = ['hull', 'cylinder', 'cone'];
const PAIRS: [Kind, Kind][] = [
  ...NEW.flatMap((a) => [...OLD, 'plane' as Kind].map((b) => [a, b] as [Kind, Kind])),
  ...NEW.flatMap((a, i) => NEW.slice(i).map((b) => [a, b] as [Kind, Kind])),
];

/** A plane counts as large as its place is far. */
const sizeOfPair = (a: Placed, b: Placed) =>
  Math.max(
    sizeOf(a),
    sizeOf(b),
    b.kind === 'plane' || a.kind === 'plane' ? length(a.position) + length(b.position) : 0,
  );

/** Errors of a manifold in terms of the larger size; expects what must hold always. */
function judge(a: Placed, b: Placed, m: Manifold) {
  const [ca, cb] = [convexOf(a), convexOf(b)];
  const size = sizeOfPair(a, b);
  expect([...m.normal, ...m.points.flat(), ...m.separations].every(Number.isFinite), 'finite').toBe(true);
  expect(Math.abs(length(m.normal) - 1)).toBeLessThan(2e-6);
  expect(new Set(m.features).size).toBe(m.count);
  // For a plane the normal is that of the plane to f32.
  const n = a.kind === 'plane' ? ca.normals[0]! : b.kind === 'plane' ? scale(cb.normals[0]!, -1) : m.normal;
  const along = -overlap(ca, cb, n);
  const truth = m.deepest < 0 && a.kind !== 'plane' && b.kind !== 'plane' ? -leastOverlap(ca, cb) : along;
  const off = m.points.map((p, i) =>
    Math.max(
      ca.outside(add(p, scale(m.normal, -m.separations[i]! / 2))),
      cb.outside(add(p, scale(m.normal, m.separations[i]! / 2))),
    ),
  );
  return {
    along: Math.abs(along - m.deepest) / size,
    depth: Math.max(0, truth - m.deepest) / size,
    point: Math.max(...off) / size,
  };
}

function pairOf(kinds: [Kind, Kind], next: () => number): [Placed, Placed] {
  const ratio = 10 ** (6 * next() - 3);
  const a = randomShape(kinds[0], Math.min(1, 1 / ratio), next);
  const b = randomShape(kinds[1], Math.min(1, ratio), next);
  a.position = scale(unitVector(next), 2 * next());
  b.position = a.position;
  const n = unitVector(next);
  if (kinds[1] === 'plane') {
    const cb = convexOf(rounded(b)).normals[0]!;
    const reach =
      convexOf(rounded(a)).reach(scale(cb, -1)) +
      overlap(convexOf(rounded(b)), { ...convexOf(rounded(a)), reach: () => 0 }, cb);
    b.position = add(a.position, scale(cb, -(reach + 0) * (0.6 + 0.5 * next())));
    return [rounded(a), rounded(b)];
  }
  const reach = overlap(convexOf(rounded(a)), convexOf(rounded(b)), n);
  b.position = add(a.position, scale(n, reach * (0.6 + 0.5 * next())));
  return [rounded(a), rounded(b)];
}

describe.each(PAIRS)('%s against %s', (kindA, kindB) => {
  const cases = 150 * MORE;
  test(`${cases} random pairs agree with the oracle (seed ${SEED})`, () => {
    const next = random(SEED);
    const worst = { along: 0, depth: 0, point: 0, swap: 0 };
    let contacts = 0;
    for (let i = 0; i < cases; i++) {
      const [a, b] = pairOf([kindA, kindB], next);
      const size = sizeOfPair(a, b);
      const smaller = Math.min(sizeOf(a) || size, sizeOf(b) || size);
      const maxSeparation = Math.fround(0.2 * smaller * next());
      const m = core.collide(a, b, maxSeparation);
      const swapped = core.collide(b, a, maxSeparation);
      if (m.count === 0) {
        expect(m.gap).toBeGreaterThan(maxSeparation);
        // No overlap may be missed, and the gap is no more than the distance.
        if (kindB !== 'plane') {
          const depth = i % 8 === 0 ? leastOverlap(convexOf(a), convexOf(b)) : 0;
          expect(depth / size).toBeLessThan(TOLERANCE);
        }
        if (swapped.count > 0) expect(swapped.deepest).toBeGreaterThan(maxSeparation - TOLERANCE * size);
        continue;
      }
      contacts++;
      expect(Math.max(...m.separations)).toBeLessThanOrEqual(maxSeparation + 1e-6 * size);
      const errors = judge(a, b, m);
      for (const key of ['along', 'depth', 'point'] as const) {
        worst[key] = Math.max(worst[key], errors[key]);
        if (errors[key] > 5 * TOLERANCE)
          throw new Error(
            `case ${i}: ${key} ${errors[key]}\n${JSON.stringify([a.kind, a.params, b.kind, b.params, m])}`,
          );
      }
      if (swapped.count > 0) worst.swap = Math.max(worst.swap, Math.abs(swapped.deepest - m.deepest) / size);
      // The hint of this call must lead to the same answer.
      const again = core.collide(a, b, maxSeparation, m.cache);
      worst.swap = Math.max(worst.swap, Math.abs(again.deepest - m.deepest) / size);
    }
    if (process.env['NARROWPHASE_REPORT'])
      console.log(`${kindA}–${kindB}: ${contacts} contacts, ${JSON.stringify(worst)}`);
    expect(contacts).toBeGreaterThan(cases / 30);
    for (const [key, value] of Object.entries(worst)) expect(value, key).toBeLessThan(TOLERANCE);
  });
});

// --- the cases that break narrow phases ---

const place = (kind: Kind, params: number[], position: Vec3 = [0, 0, 0], rotation: Quat = identity): Placed =>
  rounded({ kind, params, position, rotation });
const hullAt = (points: number[][], position: Vec3 = [0, 0, 0], rotation: Quat = identity): Placed =>
  rounded({ kind: 'hull', params: [], hull: cookHull(points), position, rotation });
const corners = (x: number, y: number, z: number) =>
  [-x, x].flatMap((a) => [-y, y].flatMap((b) => [-z, z].map((c) => [a, b, c])));
const CUBE = corners(0.5, 0.5, 0.5);
const TURN = axisAngle([1, 0, 0], Math.PI / 2);
const DIAMOND = axisAngle([1, 0, 0], Math.PI / 4);

const ADVERSARIAL: [string, Placed, Placed][] = [
  ['the same cube twice', hullAt(CUBE), hullAt(CUBE)],
  ['coincident faces', hullAt(CUBE), hullAt(CUBE, [0, 1, 0])],
  ['coincident faces, half over', hullAt(CUBE), hullAt(CUBE, [0.5, 1, 0])],
  ['faces touch along an edge', hullAt(CUBE), hullAt(CUBE, [1, 1, 0])],
  ['touch in a corner', hullAt(CUBE), hullAt(CUBE, [1, 1, 1])],
  ['edges parallel within 1e-6', hullAt(CUBE), hullAt(CUBE, [0, 0.999, 0], axisAngle([0, 1, 0], 1e-6))],
  ['standing on parallel edges', hullAt(CUBE, [0, 0, 0], DIAMOND), hullAt(CUBE, [0, 1.41, 0], DIAMOND)],
  [
    'edge across an edge, touching',
    hullAt(CUBE, [0, 0, 0], DIAMOND),
    hullAt(CUBE, [0, Math.SQRT2, 0], axisAngle([0, 0, 1], Math.PI / 4)),
  ],
  ['a cube in a cube', hullAt(corners(0.1, 0.1, 0.1), [0.01, 0, 0]), hullAt(CUBE)],
  ['plate on a plate', hullAt(corners(1, 1e-3, 1)), hullAt(corners(1, 1e-3, 1), [0.2, 2e-3, 0.1])],
  ['plate through a plate', hullAt(corners(1, 1e-3, 1)), hullAt(corners(1e-3, 1, 1), [0.2, 0, 0.1])],
  ['plate in a plate', hullAt(corners(1, 1e-3, 1)), hullAt(corners(1, 1e-3, 1))],
  [
    'a needle through a cube',
    hullAt(corners(1e-3, 2, 1e-3), [0.1, 0, 0.1], axisAngle([0.6, 0, 0.8], 0.3)),
    hullAt(CUBE),
  ],
  ['a grain on a house', hullAt(corners(1e-3, 1e-3, 1e-3), [0.3, 1.001, 0.2]), hullAt(corners(1, 1, 1))],
  ['hull and box, coincident faces', hullAt(CUBE), place('box', [0.5, 0.5, 0.5], [0, 1, 0])],
  ['sphere in the centre of a hull', place('sphere', [0.2]), hullAt(CUBE)],
  ['sphere centre on a corner of a hull', place('sphere', [0.2], [0.5, 0.5, 0.5]), hullAt(CUBE)],
  ['capsule axis along an edge of a hull', place('capsule', [0.1, 0.3], [0.5, 0, 0.5]), hullAt(CUBE)],
  ['the same cylinder twice', place('cylinder', [0.5, 0.5]), place('cylinder', [0.5, 0.5])],
  ['cylinder on a cylinder', place('cylinder', [0.5, 0.5]), place('cylinder', [0.5, 0.5], [0, 1, 0])],
  ['cylinders crossing', place('cylinder', [0.5, 1]), place('cylinder', [0.5, 1], [0, 0, 0], TURN)],
  ['cylinders side by side', place('cylinder', [0.5, 1]), place('cylinder', [0.5, 1], [1, 0.3, 0])],
  ['a lying cylinder on a box', place('cylinder', [0.5, 1], [0, 1, 0], TURN), place('box', [2, 0.5, 2])],
  ['a coin on a table', place('cylinder', [0.5, 1e-3], [0, 0.501, 0]), place('box', [2, 0.5, 2])],
  [
    'sphere centre on the axis of a cylinder',
    place('sphere', [0.1], [0, 0.2, 0]),
    place('cylinder', [0.5, 0.5]),
  ],
  ['the same cone twice', place('cone', [0.5, 0.5]), place('cone', [0.5, 0.5])],
  [
    'apex of a cone on a face',
    place('cone', [0.5, 0.5], [0, 1, 0], axisAngle([1, 0, 0], Math.PI)),
    hullAt(CUBE),
  ],
  [
    'apex on apex',
    place('cone', [0.5, 0.5]),
    place('cone', [0.5, 0.5], [0, 1, 0], axisAngle([1, 0, 0], Math.PI)),
  ],
  ['sphere centre on an apex', place('sphere', [0.1], [0, 0.5, 0]), place('cone', [0.5, 0.5])],
  ['capsule on the axis of a cone', place('capsule', [0.1, 0.2]), place('cone', [0.5, 0.5])],
  ['centre of a cylinder on a plane', place('cylinder', [0.5, 0.5]), place('plane', [])],
  [
    'apex of a cone on a plane',
    place('cone', [0.5, 0.5], [0, 0.5, 0], axisAngle([1, 0, 0], Math.PI)),
    place('plane', []),
  ],
  ['cube of a hull touches a plane', hullAt(CUBE, [0, 0.5, 0]), place('plane', [])],
];

describe.each(ADVERSARIAL)('%s', (_name, first, second) => {
  test.each([
    ['as is', first, second],
    ['swapped', second, first],
  ])('%s: touches, with a unit normal and the true depth', (_order, a, b) => {
    const m = core.collide(a, b, Math.fround(0.01));
    expect(m.count).toBeGreaterThan(0);
    const errors = judge(a, b, m);
    expect(errors.along).toBeLessThan(TOLERANCE);
    expect(errors.depth).toBeLessThan(TOLERANCE);
    expect(errors.point).toBeLessThan(TOLERANCE);
  });
});

test(`any hint, even a wrong one, gives a manifold that parts the two (seed ${SEED})`, () => {
  const next = random(SEED);
  for (let i = 0; i < 300; i++) {
    const kinds = PAIRS[Math.floor(next() * PAIRS.length)]!;
    const [a, b] = pairOf(kinds, next);
    const m = core.collide(a, b, 0, Math.floor(next() * 2 ** 32) | 0);
    if (m.count === 0) continue;
    const errors = judge(a, b, { ...m, deepest: m.deepest });
    expect(errors.along).toBeLessThan(TOLERANCE);
  }
});
