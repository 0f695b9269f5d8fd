// What the tests of the toolkit have in common: random vectors with many coincidences, the conditions that a nearest
// point meets, a march along a ray.
import fc from 'fast-check';
import { expect } from 'vitest';
import { createRayHit, type Ray, type RayHit } from '../../src/geometry/index';
import { add, cross, dot, length, random, scale, sub, type Vec3 } from '../physics/support/vector';

export { add, cross, dot, length, scale, sub, type Vec3 };

export const SOAK = process.env['SOAK'] === '1';
export const SEED = Number(process.env['GEOMETRY_SEED'] ?? 20240925);
const RUNS = SOAK ? 20_000 : 120;

/** Runs a property; fast-check shrinks what fails and prints its seed. `effort` is the part of the usual runs. */
export function forAll<T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  property: (...values: T) => void,
  effort = 1,
): void {
  const holds = (...values: T) => {
    property(...values);
  };
  fc.assert(fc.property(...arbitraries, holds), { seed: SEED, numRuns: Math.ceil(RUNS * effort) });
}

/** Half of them on a grid of 1 m: equal, collinear, coplanar, touching. */
const coordinate = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: -4_000_000, max: 4_000_000 }).map((i) => i / 1e6),
);
export const vector: fc.Arbitrary<Vec3> = fc.tuple(coordinate, coordinate, coordinate);
export const size: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 1, max: 3_000_000 }).map((i) => i / 1e6),
);
export const unitVector: fc.Arbitrary<Vec3> = vector.map((v) => {
  const l = length(v);
  return l > 1e-3 ? scale(v, 1 / l) : [0, 0, 1];
});
export type Quat = [number, number, number, number];
export const rotation: fc.Arbitrary<Quat> = fc.oneof(
  fc.constant<Quat>([0, 0, 0, 1]),
  fc.tuple(unitVector, fc.integer({ min: -3_141_592, max: 3_141_592 })).map(([axis, i]): Quat => {
    const s = Math.sin(i / 2e6);
    return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(i / 2e6)];
  }),
);
export const sphere = fc.tuple(vector, size).map(([center, radius]) => ({ center, radius }));
export const box = fc.tuple(vector, vector).map(([a, b]) => ({
  min: a.map((c, k) => Math.min(c, b[k]!)) as Vec3,
  max: a.map((c, k) => Math.max(c, b[k]!)) as Vec3,
}));
export const obb = fc
  .tuple(vector, fc.tuple(size, size, size), rotation)
  .map(([center, halfExtents, q]) => ({ center, halfExtents, rotation: q }));
export const ray: fc.Arbitrary<Ray> = fc
  .tuple(vector, vector, fc.constantFrom<[number, number]>([0, 1], [0, 20], [-20, 20], [-1, 0.5]))
  .map(([origin, direction, [min, max]]) => ({ origin, direction, min, max }));
/** x, y, z of 1 to 40 points. */
export const cloud: fc.Arbitrary<number[]> = fc
  .array(vector, { minLength: 1, maxLength: 40 })
  .map((list) => list.flat());

export const at = (points: ArrayLike<number>, i: number): Vec3 => [
  points[3 * i]!,
  points[3 * i + 1]!,
  points[3 * i + 2]!,
];
export const vectorsOf = (points: ArrayLike<number>): Vec3[] =>
  Array.from({ length: points.length / 3 }, (_, i) => at(points, i));
export const asVec = (v: ArrayLike<number>): Vec3 => [v[0]!, v[1]!, v[2]!];
export const distance = (a: ArrayLike<number>, b: ArrayLike<number>) => length(sub(asVec(a), asVec(b)));

export const cornersOf = (b: { min: ArrayLike<number>; max: ArrayLike<number> }): Vec3[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [0, 1, 2].map((k) => ((i >> k) & 1 ? b.max : b.min)[k]!) as Vec3);
/** v turned by q, by its matrix. */
export function turned(q: ArrayLike<number>, v: Vec3): Vec3 {
  const u: Vec3 = [q[0]!, q[1]!, q[2]!];
  const t = scale(cross(u, v), 2);
  return add(add(v, scale(t, q[3]!)), cross(u, t));
}
export const obbCorners = (b: {
  center: ArrayLike<number>;
  halfExtents: ArrayLike<number>;
  rotation: ArrayLike<number>;
}): Vec3[] =>
  cornersOf({ min: asVec(b.halfExtents).map((c) => -c), max: b.halfExtents }).map((c) =>
    add(asVec(b.center), turned(b.rotation, c)),
  );

const directions: Vec3[] = (() => {
  const next = random(7);
  return Array.from({ length: 60 }, () => {
    const v: Vec3 = [next() - 0.5, next() - 0.5, next() - 0.5];
    return scale(v, 1 / length(v));
  });
})();
const TOLERANCE = 1e-9;

/** expect(value ≤ limit), for loops: a call of expect takes longer than what is tested. */
export function atMost(value: number, limit: number): void {
  if (!(value <= limit)) expect(value).toBeLessThanOrEqual(limit);
}

/** In the convex hull of the corners, as far as 60 directions and those between corners tell. */
export function expectWithin(p: Vec3, corners: readonly Vec3[], tolerance = TOLERANCE): void {
  for (const d of directions) atMost(dot(d, p), Math.max(...corners.map((c) => dot(d, c))) + tolerance);
}

/**
 * c is the point of the hull of the corners nearest to p: it is in it, and no corner lies farther toward p (the
 * Karush–Kuhn–Tucker conditions of the least distance over a convex set).
 */
export function expectNearest(
  p: Vec3,
  nearest: ArrayLike<number>,
  corners: readonly Vec3[],
  tolerance = TOLERANCE,
): void {
  const c = asVec(nearest);
  expectWithin(c, corners, tolerance);
  const away = sub(p, c);
  for (const corner of corners) atMost(dot(away, sub(corner, c)), tolerance * 10);
}

/** pointA and pointB are the nearest points of the hulls of two lists of corners. */
export function expectNearestPair(
  pair: { pointA: ArrayLike<number>; pointB: ArrayLike<number>; distanceSquared: number },
  a: readonly Vec3[],
  b: readonly Vec3[],
  tolerance = 1e-8,
): void {
  expect(Math.abs(pair.distanceSquared - distance(pair.pointA, pair.pointB) ** 2)).toBeLessThan(tolerance);
  expectNearest(asVec(pair.pointB), pair.pointA, a, tolerance);
  expectNearest(asVec(pair.pointA), pair.pointB, b, tolerance);
}

/** How far a point is outside a solid, in m or in any measure that is ≤ 0 in it and only there. */
export type Outside = (p: Vec3) => number;

/** A hit agrees with 200 points along the ray: none before it, none behind its exit, all between are inside. */
export function expectMarch(r: Ray, hits: boolean, hit: RayHit, outside: Outside, slack = 1e-7): void {
  const STEPS = 200;
  const scaleOf = Math.max(1e-3, length(asVec(r.direction)));
  for (let i = 0; i <= STEPS; i++) {
    const t = r.min + ((r.max - r.min) * i) / STEPS;
    const p = add(asVec(r.origin), scale(asVec(r.direction), t));
    const depth = outside(p);
    if (depth < -slack) {
      if (!hits) expect(hits).toBe(true);
      atMost(hit.t - slack / scaleOf, t);
      atMost(t, hit.exit + slack / scaleOf);
    } else if (hits && t >= hit.t && t <= hit.exit) atMost(depth, slack);
  }
  if (!hits) return;
  expect(hit.t).toBeGreaterThanOrEqual(r.min);
  expect(hit.exit).toBeLessThanOrEqual(r.max);
  expect(hit.t).toBeLessThanOrEqual(hit.exit);
  expect(outside(asVec(hit.point))).toBeLessThanOrEqual(slack);
  expect(distance(hit.point, add(asVec(r.origin), scale(asVec(r.direction), hit.t)))).toBeLessThan(1e-9);
  const n = asVec(hit.normal);
  if (hit.inside) expect(n.map(Math.abs)).toEqual([0, 0, 0]);
  else if (length(n) > 0) {
    expect(length(n)).toBeCloseTo(1, 9);
    expect(dot(n, asVec(r.direction))).toBeLessThanOrEqual(1e-6 * scaleOf + 1e-9);
  }
}

export const hit = createRayHit;
