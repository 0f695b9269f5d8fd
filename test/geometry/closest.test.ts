// Nearest points: in the thing, and no farther than any other of its points. For convex things those two conditions
// (membership, and no corner that lies farther toward the given point) are the whole truth.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  barycentricOf,
  closestLineLine,
  closestPointOnAabb,
  closestPointOnLine,
  closestPointOnObb,
  closestPointOnPlane,
  closestPointOnPolyhedron,
  closestPointOnRectangle,
  closestPointOnSegment,
  closestPointOnTetrahedron,
  closestPointOnTriangle,
  closestRectangleRectangle,
  closestSegmentRectangle,
  closestSegmentSegment,
  closestSegmentTriangle,
  closestTriangleTriangle,
  createClosestPair,
  farthestCornerOfAabb,
  parameterOnLine,
  pointFromBarycentric,
  signedDistanceToPlane,
  squaredDistanceToAabb,
  squaredDistanceToLine,
  squaredDistanceToObb,
  squaredDistanceToPolyhedron,
  squaredDistanceToRectangle,
  squaredDistanceToSegment,
  squaredDistanceToTriangle,
} from '../../src/geometry/index';
import { random } from '../physics/support/vector';
import {
  add,
  asVec,
  atMost,
  box,
  cornersOf,
  cross,
  distance,
  dot,
  expectNearest,
  expectNearestPair,
  forAll,
  length,
  obb,
  obbCorners,
  rotation,
  SEED,
  scale,
  size,
  sub,
  turned,
  unitVector,
  type Vec3,
  vector,
} from './support';

const rectangle = fc
  .tuple(vector, fc.tuple(size, size), rotation)
  .map(([center, halfExtents, q]) => ({ center, halfExtents, rotation: q }));
const rectangleCorners = (r: { center: Vec3; halfExtents: [number, number]; rotation: number[] }): Vec3[] =>
  [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([s, t]) => add(r.center, turned(r.rotation, [s! * r.halfExtents[0], t! * r.halfExtents[1], 0])));
const squared = (a: ArrayLike<number>, b: ArrayLike<number>) => distance(a, b) ** 2;

describe(`the point nearest to a point, seed ${SEED}`, () => {
  test('on a plane, a line, a segment', () => {
    forAll([vector, unitVector, size, size], (p, n, offset, factor) => {
      const plane = { normal: n, offset };
      const onPlane = asVec(closestPointOnPlane(p, plane));
      expect(dot(n, onPlane)).toBeCloseTo(offset, 9);
      expect(length(cross(sub(p, onPlane), n))).toBeLessThan(1e-9);
      expect(distance(p, onPlane)).toBeCloseTo(Math.abs(signedDistanceToPlane(p, plane)), 9);
      const k = factor + 0.5; // a normal of any length
      const same = closestPointOnPlane(p, { normal: scale(n, k), offset: k * offset });
      expect(distance(same, onPlane)).toBeLessThan(1e-9);
    });
    forAll([vector, vector, vector], (p, a, b) => {
      expectNearest(p, closestPointOnSegment(p, a, b), [a, b]);
      expect(squaredDistanceToSegment(p, a, b)).toBeCloseTo(squared(p, closestPointOnSegment(p, a, b)), 9);
      const foot = asVec(closestPointOnLine(p, a, b));
      expect(Math.abs(dot(sub(p, foot), sub(b, a)))).toBeLessThan(1e-8);
      expect(squaredDistanceToLine(p, a, b)).toBeCloseTo(squared(p, foot), 9);
    });
  });

  test('a segment or line of one point is that point', () => {
    const a = [1, 2, 3];
    expect(closestPointOnSegment([9, 9, 9], a, a)).toEqual(a);
    expect(closestPointOnLine([9, 9, 9], a, a)).toEqual(a);
    expect(parameterOnLine([9, 9, 9], a, a)).toBe(0);
    // So short that its square is 0.
    expect(length(asVec(closestPointOnSegment([9, 9, 9], [0, 0, 0], [1e-200, 0, 0])))).toBe(0);
  });

  test('in boxes and on rectangles', () => {
    forAll([vector, box, obb, rectangle], (p, b, o, r) => {
      expectNearest(p, closestPointOnAabb(p, b), cornersOf(b));
      expect(squaredDistanceToAabb(p, b)).toBeCloseTo(squared(p, closestPointOnAabb(p, b)), 9);
      expectNearest(p, closestPointOnObb(p, o), obbCorners(o));
      expect(squaredDistanceToObb(p, o)).toBeCloseTo(squared(p, closestPointOnObb(p, o)), 8);
      expectNearest(p, closestPointOnRectangle(p, r), rectangleCorners(r));
      expect(squaredDistanceToRectangle(p, r)).toBeCloseTo(squared(p, closestPointOnRectangle(p, r)), 8);
    });
    expect(closestPointOnAabb([0.5, 0.25, 0], { min: [0, 0, 0], max: [1, 1, 1] })).toEqual([0.5, 0.25, 0]);
    expect(farthestCornerOfAabb({ min: [0, 0, 0], max: [1, 2, 3] }, [1, -1, 0])).toEqual([1, 0, 3]);
  });

  test('on triangles, those without area, too; in place', () => {
    forAll([vector, vector, vector, vector], (p, a, b, c) => {
      expectNearest(p, closestPointOnTriangle(p, a, b, c), [a, b, c]);
      expect(squaredDistanceToTriangle(p, a, b, c)).toBeCloseTo(
        squared(p, closestPointOnTriangle(p, a, b, c)),
        9,
      );
      const q: Vec3 = [...p];
      expect(closestPointOnTriangle(q, a, b, c, q)).toEqual(closestPointOnTriangle(p, a, b, c));
    });
  });

  test('no farther than 1,000 other points of the triangle', () => {
    const next = random(5);
    const [a, b, c]: Vec3[] = [
      [0, 0, 0],
      [3, 1, 0],
      [1, 2, 2],
    ];
    for (let i = 0; i < 30; i++) {
      const p: Vec3 = [6 * next() - 3, 6 * next() - 3, 6 * next() - 3];
      const least = distance(p, closestPointOnTriangle(p, a!, b!, c!));
      for (let k = 0; k < 1000; k++) {
        let [v, w] = [next(), next()];
        if (v + w > 1) [v, w] = [1 - v, 1 - w];
        const other = pointFromBarycentric([1 - v - w, v, w], a!, b!, c!);
        atMost(least - 1e-12, distance(p, other));
      }
    }
  });

  test('in tetrahedra, whichever way round, flat ones, too', () => {
    forAll([vector, vector, vector, vector, vector], (p, a, b, c, d) => {
      expectNearest(p, closestPointOnTetrahedron(p, a, b, c, d), [a, b, c, d]);
      expectNearest(p, closestPointOnTetrahedron(p, b, a, c, d), [a, b, c, d]);
    });
    expect(closestPointOnTetrahedron([0.1, 0.1, 0.1], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1])).toEqual([
      0.1, 0.1, 0.1,
    ]);
  });

  test('in a convex polyhedron: a cube as one is the box', () => {
    const cube = {
      vertices: cornersOf({ min: [-1, -1, -1], max: [1, 1, 1] }).flat(),
      planes: [1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 1, 0, 0, -1, 1],
      faces: [
        [1, 3, 7, 5],
        [0, 4, 6, 2],
        [2, 6, 7, 3],
        [0, 1, 5, 4],
        [4, 5, 7, 6],
        [0, 2, 3, 1],
      ],
    };
    forAll([vector], (p) => {
      const truth = closestPointOnAabb(p, { min: [-1, -1, -1], max: [1, 1, 1] });
      expect(distance(closestPointOnPolyhedron(p, cube), truth)).toBeLessThan(1e-9);
      expect(squaredDistanceToPolyhedron(p, cube)).toBeCloseTo(squared(p, truth), 9);
    });
  });

  test('barycentric coordinates there and back', () => {
    forAll([vector, vector, vector, vector], (p, a, b, c) => {
      const uvw = [0, 0, 0];
      if (!barycentricOf(p, a, b, c, uvw)) {
        expect(length(cross(sub(b, a), sub(c, a)))).toBe(0);
        return;
      }
      if (length(cross(sub(b, a), sub(c, a))) < 1e-2) return; // too sharp for digits to be compared
      const foot = asVec(pointFromBarycentric(uvw, a, b, c));
      const away = sub(p, foot);
      expect(Math.abs(dot(away, sub(b, a)))).toBeLessThan(1e-7);
      expect(Math.abs(dot(away, sub(c, a)))).toBeLessThan(1e-7);
      expect(uvw[0]! + uvw[1]! + uvw[2]!).toBeCloseTo(1, 9);
    });
  });
});

describe(`the nearest points of two things, seed ${SEED}`, () => {
  test('lines: what joins them is square to both', () => {
    forAll([vector, vector, vector, vector], (a0, a1, b0, b1) => {
      const pair = createClosestPair();
      const crossing = closestLineLine(a0, a1, b0, b1, pair);
      const [dA, dB] = [sub(a1, a0), sub(b1, b0)];
      const away = sub(asVec(pair.pointA), asVec(pair.pointB));
      expect(distance(pair.pointA, add(a0, scale(dA, pair.s)))).toBeLessThan(1e-6);
      if (crossing && length(cross(dA, dB)) < 1e-3 * length(dA) * length(dB)) return; // ill-conditioned
      expect(Math.abs(dot(away, dA))).toBeLessThan(1e-6);
      expect(Math.abs(dot(away, dB))).toBeLessThan(1e-6);
    });
    const pair = createClosestPair();
    expect(closestLineLine([0, 0, 0], [1, 0, 0], [0, 1, 0], [5, 1, 0], pair)).toBe(false);
    expect(pair.distanceSquared).toBe(1);
    expect(closestLineLine([0, 0, 0], [2, 0, 0], [1, 1, 4], [1, 2, 4], pair)).toBe(true);
    expect([pair.s, pair.t, pair.distanceSquared]).toEqual([0.5, -1, 16]);
  });

  test('segments, points among them, parallel ones, and A with B as B with A', () => {
    forAll(
      [vector, vector, vector, vector],
      (a0, a1, b0, b1) => {
        const pair = closestSegmentSegment(a0, a1, b0, b1);
        expectNearestPair(pair, [a0, a1], [b0, b1]);
        expect(distance(pair.pointA, add(scale(a0, 1 - pair.s), scale(a1, pair.s)))).toBeLessThan(1e-12);
        expect(distance(pair.pointB, add(scale(b0, 1 - pair.t), scale(b1, pair.t)))).toBeLessThan(1e-12);
        expect(closestSegmentSegment(b0, b1, a0, a1).distanceSquared).toBeCloseTo(pair.distanceSquared, 9);
      },
      2,
    );
    // A hair from parallel, 1,000 m long: the ends count.
    const pair = closestSegmentSegment([0, 0, 0], [1000, 0, 0], [0, 1, 0], [1000, 1 - 1e-7, 0]);
    expect(pair.distanceSquared).toBeCloseTo((1 - 1e-7) ** 2, 12);
    expect([pair.s, pair.t]).toEqual([1, 1]);
  });

  test('a segment and a triangle', () => {
    forAll([vector, vector, vector, vector, vector], (s0, s1, a, b, c) => {
      const pair = closestSegmentTriangle(s0, s1, a, b, c);
      expectNearestPair(pair, [s0, s1], [a, b, c]);
      expect(distance(pair.pointA, add(scale(s0, 1 - pair.s), scale(s1, pair.s)))).toBeLessThan(1e-12);
    });
    const through = closestSegmentTriangle([0.2, 0.2, -1], [0.2, 0.2, 3], [0, 0, 0], [1, 0, 0], [0, 1, 0]);
    expect(through).toMatchObject({ distanceSquared: 0, s: 0.25, pointA: [0.2, 0.2, 0] });
  });

  test('two triangles', () => {
    forAll(
      [vector, vector, vector, vector, vector, vector],
      (a0, a1, a2, b0, b1, b2) => {
        const pair = closestTriangleTriangle(a0, a1, a2, b0, b1, b2);
        expectNearestPair(pair, [a0, a1, a2], [b0, b1, b2]);
        expect(closestTriangleTriangle(b0, b1, b2, a0, a1, a2).distanceSquared).toBeCloseTo(
          pair.distanceSquared,
          9,
        );
      },
      2,
    );
  });

  test('a segment and a rectangle, two rectangles', () => {
    forAll([vector, vector, rectangle, rectangle], (s0, s1, r, other) => {
      expectNearestPair(closestSegmentRectangle(s0, s1, r), [s0, s1], rectangleCorners(r), 1e-7);
      expectNearestPair(
        closestRectangleRectangle(r, other),
        rectangleCorners(r),
        rectangleCorners(other),
        1e-7,
      );
    });
  });
});
