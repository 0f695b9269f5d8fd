// Boxes and balls about points: they hold what they should, are no larger than what is known to be the least, and
// overlap where they share a point. Values by hand; the rest against formulas of another kind.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Aabb,
  aabbContainsAabb,
  aabbContainsPoint,
  aabbFromCenterBox,
  aabbFromPoints,
  aabbFromSphere,
  aabbSurfaceArea,
  aabbsOverlap,
  aabbVolume,
  centerBoxesOverlap,
  centerBoxFromAabb,
  createAabb,
  createSphere,
  growAabb,
  growSphere,
  integerBoxesOverlap,
  mergeAabbs,
  mergeSpheres,
  minimalSphere,
  PhysicsError,
  type Sphere,
  sphereContainsPoint,
  sphereEigen,
  sphereFromBox,
  sphereIterative,
  sphereRitter,
  spheresOverlap,
  transformAabb,
  transformCenterBox,
  transformSphere,
} from '../../src/geometry/index';
import { random } from '../physics/support/vector';
import { caught } from '../support/caught';
import {
  add,
  at,
  box,
  cloud,
  cornersOf,
  distance,
  forAll,
  length,
  rotation,
  SEED,
  sphere,
  turned,
  type Vec3,
  vector,
  vectorsOf,
} from './support';

describe('boxes', () => {
  test('of points: the lowest and the highest of each coordinate', () => {
    expect(aabbFromPoints([3, 1, 0, 5, 4, -2, 1, 5, 7])).toEqual({ min: [1, 1, -2], max: [5, 5, 7] });
    expect(aabbFromPoints(new Float32Array([1, 2, 3]))).toEqual({ min: [1, 2, 3], max: [1, 2, 3] });
    // Into slices of the caller's own table.
    const table = new Float64Array(12);
    const into: Aabb = { min: table.subarray(3, 6), max: table.subarray(6, 9) };
    expect(aabbFromPoints([3, 1, 0, 5, 4, -2], into)).toBe(into);
    expect([...table]).toEqual([0, 0, 0, 3, 1, -2, 5, 4, 0, 0, 0, 0]);
  });

  test('what is no list of points is refused by name', () => {
    for (const points of [[], [1, 2], [1, 2, Number.NaN], [Infinity, 0, 0], 'abc', null])
      expect(caught(() => aabbFromPoints(points as number[]))).toBeInstanceOf(PhysicsError);
    expect(caught(() => aabbFromPoints([0, 0, 0, 1, Number.NaN, 0])).message).toBe(
      'points[4] must be a finite number, got NaN',
    );
    expect(caught(() => minimalSphere([])).message).toMatch(/^points\.length must be 3 or more/);
  });

  test('swept spheres, its box test: the ends of one meet the other ends of the other, on every axis', () => {
    const a: Aabb = { min: [0, 0, 0], max: [2, 2, 2] };
    for (let k = 0; k < 3; k++) {
      const beside: Aabb = { min: [0.5, 0.5, 0.5], max: [1.5, 1.5, 1.5] };
      expect(aabbsOverlap(a, beside)).toBe(true); // held by the other: highest below highest, lowest above lowest
      beside.min[k] = 2;
      beside.max[k] = 9;
      expect([aabbsOverlap(a, beside), aabbsOverlap(beside, a)]).toEqual([true, true]); // touching
      beside.min[k] = 2.001;
      expect([aabbsOverlap(a, beside), aabbsOverlap(beside, a)]).toEqual([false, false]);
    }
  });

  test('an empty box overlaps nothing, holds nothing, is in everything, and merged with a box is that', () => {
    const empty = createAabb();
    const all: Aabb = { min: [-9, -9, -9], max: [9, 9, 9] };
    expect([aabbsOverlap(empty, all), aabbContainsPoint(empty, [0, 0, 0])]).toEqual([false, false]);
    expect([aabbContainsAabb(all, empty), aabbVolume(empty), aabbSurfaceArea(empty)]).toEqual([true, 0, 0]);
    expect(mergeAabbs(empty, all)).toEqual(all);
    expect([aabbVolume(all), aabbSurfaceArea(all)]).toEqual([5832, 1944]);
  });

  test(`three forms of the test say the same, seed ${SEED}`, () => {
    const whole = fc.integer({ min: -6, max: 6 });
    const corner = fc.tuple(whole, whole, whole);
    const extent = fc.nat(4);
    const center = fc
      .tuple(corner, fc.tuple(extent, extent, extent))
      .map(([c, halfExtents]) => ({ center: c, halfExtents }));
    forAll([center, center], (a, b) => {
      const [boxA, boxB] = [aabbFromCenterBox(a), aabbFromCenterBox(b)];
      const shared = [0, 1, 2].every(
        (k) => Math.max(boxA.min[k]!, boxB.min[k]!) <= Math.min(boxA.max[k]!, boxB.max[k]!),
      );
      expect([aabbsOverlap(boxA, boxB), centerBoxesOverlap(a, b), integerBoxesOverlap(a, b)]).toEqual([
        shared,
        shared,
        shared,
      ]);
      expect(centerBoxFromAabb(boxA)).toEqual(a);
    });
  });

  test('turned and moved: the box of its eight corners, in both forms', () => {
    forAll([box, vector, rotation], (b, position, q) => {
      const corners = cornersOf(b).map((c) => add(position, turned(q, c)));
      const truth = aabbFromPoints(corners.flat());
      const byEnds = transformAabb(b, position, q);
      const byCenter = aabbFromCenterBox(transformCenterBox(centerBoxFromAabb(b), position, q));
      for (const found of [byEnds, byCenter])
        for (let k = 0; k < 3; k++) {
          expect(found.min[k]).toBeCloseTo(truth.min[k]!, 9);
          expect(found.max[k]).toBeCloseTo(truth.max[k]!, 9);
        }
      expect(transformAabb(b, position, q, b)).toBe(b); // in place
      expect(b).toEqual(byEnds);
    });
  });

  test('grown and merged boxes hold what they were given', () => {
    forAll([cloud, box], (points, b) => {
      const grown = createAabb();
      for (const p of vectorsOf(points)) growAabb(grown, p);
      expect(grown).toEqual(aabbFromPoints(points));
      const merged = mergeAabbs(grown, b);
      expect([aabbContainsAabb(merged, b), aabbContainsAabb(merged, grown)]).toEqual([true, true]);
      expect(merged).toEqual(aabbFromPoints([...points, ...b.min, ...b.max]));
    });
    expect(aabbFromSphere({ center: [1, 2, 3], radius: 2 })).toEqual({ min: [-1, 0, 1], max: [3, 4, 5] });
  });
});

/** The least ball by trying all sets of up to four points on its surface: slow, and right for points in general. */
function leastRadius(points: readonly Vec3[]): number {
  let best = Infinity;
  const trySet = (set: Vec3[]) => {
    const ball = circumscribed(set);
    if (
      ball !== null &&
      ball.radius < best &&
      points.every((p) => distance(p, ball.center) <= ball.radius * (1 + 1e-9) + 1e-12)
    )
      best = ball.radius;
  };
  const n = points.length;
  for (let i = 0; i < n; i++) {
    trySet([points[i]!]);
    for (let j = i + 1; j < n; j++) {
      trySet([points[i]!, points[j]!]);
      for (let k = j + 1; k < n; k++) {
        trySet([points[i]!, points[j]!, points[k]!]);
        for (let l = k + 1; l < n; l++) trySet([points[i]!, points[j]!, points[k]!, points[l]!]);
      }
    }
  }
  return best;
}

/** By Gaussian elimination with pivots on c · 2 (pᵢ − p₀) = |pᵢ|² − |p₀|², and the span of the points. */
function circumscribed(set: Vec3[]): { center: Vec3; radius: number } | null {
  const o = set[0]!;
  const v = set.slice(1).map((p) => [p[0] - o[0], p[1] - o[1], p[2] - o[2]]);
  const m = v.map((a) => [
    ...v.map((b) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!),
    (a[0]! ** 2 + a[1]! ** 2 + a[2]! ** 2) / 2,
  ]);
  const n = v.length;
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c; r < n; r++) if (Math.abs(m[r]![c]!) > Math.abs(m[pivot]![c]!)) pivot = r;
    if (Math.abs(m[pivot]![c]!) < 1e-9) return null;
    [m[c], m[pivot]] = [m[pivot]!, m[c]!];
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const f = m[r]![c]! / m[c]![c]!;
      for (let k = c; k <= n; k++) m[r]![k]! -= f * m[c]![k]!;
    }
  }
  const offset: Vec3 = [0, 0, 0];
  v.forEach((a, i) => {
    for (let k = 0; k < 3; k++) offset[k]! += (a[k]! * m[i]![n]!) / m[i]![i]!;
  });
  return { center: add(o, offset), radius: length(offset) };
}

describe('balls', () => {
  const BUILDERS: Record<string, (points: ArrayLike<number>) => Sphere> = {
    box: (points) => sphereFromBox(points),
    Ritter: (points) => sphereRitter(points),
    eigen: (points) => sphereEigen(points),
    iterative: (points) => sphereIterative(points),
    minimal: (points) => minimalSphere(points),
  };

  test(`every builder holds every point, and none is smaller than the minimal one, seed ${SEED}`, () => {
    forAll([cloud], (points) => {
      const least = minimalSphere(points).radius;
      for (const [name, build] of Object.entries(BUILDERS)) {
        const ball = build(points);
        for (const p of vectorsOf(points))
          if (!sphereContainsPoint(ball, p)) expect(name).toBe('about all points');
        expect(ball.radius, name).toBeGreaterThanOrEqual(least * (1 - 1e-12));
        expect(ball.radius, name).toBeLessThanOrEqual(least * (name === 'box' ? 1.7321 : 1.5) + 1e-9);
      }
    });
  });

  test('the minimal ball is that of all sets of four', () => {
    const few = fc.array(vector, { minLength: 1, maxLength: 9 });
    forAll(
      [few],
      (points) => expect(minimalSphere(points.flat()).radius).toBeCloseTo(leastRadius(points), 8),
      0.5,
    );
  });

  test('closed forms: one point, two, equilateral triangle, tetrahedron, cube, obtuse triangle, equal points', () => {
    expect(minimalSphere([1, 2, 3])).toEqual({ center: [1, 2, 3], radius: 0 });
    expect(minimalSphere([0, 0, 0, 2, 0, 0])).toEqual({ center: [1, 0, 0], radius: 1 });
    expect(
      minimalSphere([1, 0, 0, -0.5, Math.sqrt(3) / 2, 0, -0.5, -Math.sqrt(3) / 2, 0]).radius,
    ).toBeCloseTo(1, 12);
    expect(minimalSphere([1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1]).radius).toBeCloseTo(Math.sqrt(3), 12);
    const cube = cornersOf({ min: [-1, -1, -1], max: [1, 1, 1] }).flat();
    expect(minimalSphere(cube).radius).toBeCloseTo(Math.sqrt(3), 12);
    const obtuse = minimalSphere([-5, 0, 0, 5, 0, 0, 0, 1, 0]);
    expect(obtuse.radius).toBeCloseTo(5, 12);
    expect(minimalSphere(new Float64Array(300).fill(7)).radius).toBe(0);
    // In one line and in one plane, many times over.
    const line = Float64Array.from({ length: 3000 }, (_, i) => (i % 3 === 0 ? (i / 3) % 11 : 2));
    expect(minimalSphere(line).radius).toBeCloseTo(5, 12);
    const grid = Array.from({ length: 400 }, (_, i) => [i % 20, Math.floor(i / 20), 1]).flat();
    expect(minimalSphere(grid).radius).toBeCloseTo((19 * Math.SQRT2) / 2, 9);
  });

  test('Welzl does not go as deep as there are points: 50,000 in a cube, 50,000 on a ball, 50,000 in a row', () => {
    const count = 50_000;
    const next = random(3);
    const inCube = Float64Array.from({ length: 3 * count }, () => 2 * next() - 1);
    const ball = minimalSphere(inCube);
    for (let i = 0; i < count; i++)
      if (!sphereContainsPoint(ball, at(inCube, i))) throw new Error(`${i} is outside`);
    expect(ball.radius).toBeLessThan(Math.sqrt(3));
    expect(ball.radius).toBeGreaterThan(1.65);
    const onBall = new Float64Array(3 * count);
    for (let i = 0; i < count; i++) {
      const p: Vec3 = [next() - 0.5, next() - 0.5, next() - 0.5];
      for (let k = 0; k < 3; k++) onBall[3 * i + k] = 10 * k + (4 * p[k]!) / length(p);
    }
    const round = minimalSphere(onBall);
    expect(round.radius).toBeCloseTo(4, 6);
    expect(distance(round.center, [0, 10, 20])).toBeLessThan(1e-6);
    // Already in order: every point is outside the ball of those before it.
    const row = Float64Array.from({ length: 3 * count }, (_, i) => (i % 3 === 0 ? i / 3 : 0));
    expect(minimalSphere(row)).toEqual({ center: [(count - 1) / 2, 0, 0], radius: (count - 1) / 2 });
  });

  test('the seed changes the order, not the ball', () => {
    const next = random(11);
    const points = Array.from({ length: 600 }, () => next());
    const [a, b] = [minimalSphere(points, { seed: 1 }), minimalSphere(points, { seed: 2 })];
    expect(a.radius).toBeCloseTo(b.radius, 12);
    expect(minimalSphere(points, { seed: 1 })).toEqual(a);
    expect(sphereIterative(points, { seed: 5 })).toEqual(sphereIterative(points, { seed: 5 }));
    expect(sphereIterative(points).radius).toBeLessThanOrEqual(sphereRitter(points).radius);
  });

  test('of a long row askew the eigenvector finds the length, the axes do not', () => {
    const points = Array.from({ length: 100 }, (_, i) => [i, i, i + (i % 2 === 0 ? 5 : -5)]).flat();
    expect(sphereEigen(points).radius).toBeLessThan(minimalSphere(points).radius * 1.01);
  });

  test('two balls in one: the smallest that holds both', () => {
    forAll([sphere, sphere], (a, b) => {
      const both = mergeSpheres(a, b);
      for (const ball of [a, b])
        expect(distance(both.center, ball.center) + ball.radius).toBeLessThanOrEqual(both.radius + 1e-9);
      const least = Math.max(a.radius, b.radius, (distance(a.center, b.center) + a.radius + b.radius) / 2);
      expect(both.radius).toBeCloseTo(least, 9);
      expect(spheresOverlap(a, b)).toBe(spheresOverlap(b, a));
    });
    const inPlace = { center: [0, 0, 0], radius: 1 };
    expect(mergeSpheres(inPlace, { center: [4, 0, 0], radius: 1 }, inPlace)).toEqual({
      center: [2, 0, 0],
      radius: 3,
    });
    expect(mergeSpheres(createSphere(), inPlace)).toEqual(inPlace);
  });

  test('touching balls overlap, empty ones do not, scaled ones keep the largest factor', () => {
    const a = { center: [0, 0, 0], radius: 1 };
    expect(spheresOverlap(a, { center: [0, 3, 0], radius: 2 })).toBe(true);
    expect(spheresOverlap(a, { center: [0, 3.0001, 0], radius: 2 })).toBe(false);
    expect(spheresOverlap(a, createSphere())).toBe(false);
    expect(sphereContainsPoint(a, [0, 1, 0])).toBe(true);
    expect(growSphere(createSphere(), [1, 2, 3])).toEqual({ center: [1, 2, 3], radius: 0 });
    const moved = transformSphere(
      { center: [1, 0, 0], radius: 1 },
      [0, 0, 5],
      [0, 0, Math.SQRT1_2, Math.SQRT1_2],
      [2, -3, 1],
    );
    expect(distance(moved.center, [0, 2, 5])).toBeLessThan(1e-12);
    expect(moved.radius).toBe(3);
  });
});
