// Lines, rays and segments against solids: hits agree with points along the ray, one by one; touching counts; an
// origin inside hits. With the mistakes of printed versions, each by its name.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createRayHit,
  createTriangleHit,
  pointOnRay,
  rayAabb,
  rayCapsule,
  rayCylinder,
  rayHitsSphere,
  rayObb,
  rayPlane,
  rayPolyhedron,
  rayQuadrilateral,
  raySphere,
  rayTriangle,
  reciprocalOf,
  segmentHitsAabb,
  setLine,
  setRay,
  setSegment,
  setUnitSegment,
  squaredDistanceToObb,
} from '../../src/geometry/index';
import {
  add,
  asVec,
  box,
  cross,
  distance,
  dot,
  expectMarch,
  forAll,
  length,
  obb,
  ray,
  SEED,
  scale,
  size,
  sphere,
  sub,
  type Vec3,
  vector,
} from './support';

const hit = createRayHit();

describe('rays, lines, segments', () => {
  test('segment to ray: the direction is (b − a) / |b − a|, not times it', () => {
    const r = setUnitSegment([1, 1, 1], [4, 5, 1]);
    expect(r).toEqual({ origin: [1, 1, 1], direction: [0.6, 0.8, 0], min: 0, max: 5 });
    expect(distance(pointOnRay(r, r.max), [4, 5, 1])).toBeLessThan(1e-12);
    expect(setUnitSegment([1, 1, 1], [1, 1, 1])).toMatchObject({ direction: [0, 0, 0], max: 0 });
  });

  test('a line, a ray and a segment are parts of the same', () => {
    const ball = { center: [-4, 0, 0], radius: 1 };
    expect(raySphere(setLine([0, 0, 0], [2, 0, 0]), ball, hit)).toBe(true);
    expect([hit.t, hit.exit]).toEqual([-2.5, -1.5]);
    expect(raySphere(setRay([0, 0, 0], [2, 0, 0]), ball)).toBe(false);
    expect(raySphere(setSegment([0, 0, 0], [-2, 0, 0]), ball)).toBe(false);
    expect(raySphere(setSegment([0, 0, 0], [-3, 0, 0]), ball, hit)).toBe(true); // ends on it
    expect([hit.t, hit.exit]).toEqual([1, 1]);
    expect(raySphere(setSegment([0, 0, 0], [-4, 0, 0]), ball, hit)).toBe(true); // ends in it
    expect([hit.t, hit.exit]).toEqual([0.75, 1]);
  });
});

describe(`against solids, seed ${SEED}`, () => {
  test('balls: as points along the ray say, and the test alone says the same', () => {
    forAll([ray, sphere], (r, ball) => {
      const hits = raySphere(r, ball, hit);
      expectMarch(r, hits, hit, (p) => distance(p, ball.center) - ball.radius);
      const nearest = rayHitsSphere(r, ball);
      if (hits === nearest) return;
      // Only where it grazes.
      const beside = (by: number) => rayHitsSphere(r, { ...ball, radius: ball.radius + by });
      expect([beside(1e-9), beside(-1e-9)]).toEqual([true, false]);
    });
  });

  test('a tangent is one hit with both parameters equal', () => {
    expect(raySphere(setRay([-5, 1, 0], [2, 0, 0]), { center: [0, 0, 0], radius: 1 }, hit)).toBe(true);
    expect(hit).toMatchObject({ t: 2.5, exit: 2.5, inside: false, point: [0, 1, 0], normal: [0, 1, 0] });
    expect(raySphere(setRay([-5, 1.0000001, 0], [2, 0, 0]), { center: [0, 0, 0], radius: 1 })).toBe(false);
  });

  test('geometric ray–sphere: with the centre behind the origin an origin inside still hits', () => {
    const ball = { center: [0, 0, 0], radius: 2 };
    expect(raySphere(setRay([1, 0, 0], [1, 0, 0]), ball, hit)).toBe(true);
    expect(hit).toMatchObject({ t: 0, exit: 1, inside: true, point: [1, 0, 0] });
    expect(raySphere(setRay([3, 0, 0], [1, 0, 0]), ball)).toBe(false);
    // On the surface and off: it touches where it begins. The roots are rounded to either side of 0.
    const on = { center: [0, -2, -3], radius: 3 };
    expect(raySphere(setRay([-1, 0, -1], [-0.730067, -3.584956, 3.220576]), on, hit)).toBe(true);
    expect(hit.t).toBe(0);
  });

  test('its hit points: origin + direction · t, not direction · t', () => {
    raySphere(setRay([10, 5, 0], [0, -1, 0]), { center: [10, 0, 0], radius: 1 }, hit);
    expect(hit.point).toEqual([10, 1, 0]);
  });

  test('a ray without direction is its origin', () => {
    const still = setRay([0.5, 0, 0], [0, 0, 0]);
    expect([raySphere(still, { center: [0, 0, 0], radius: 1 }, hit), hit.t, hit.inside]).toEqual([
      true,
      0,
      true,
    ]);
    expect(raySphere(still, { center: [0, 5, 0], radius: 1 })).toBe(false);
    expect(rayAabb(still, { min: [0, 0, 0], max: [1, 1, 1] })).toBe(true);
    expect(rayAabb(still, { min: [0, 1, 0], max: [1, 2, 1] })).toBe(false);
  });

  test('far balls keep their digits: 100 km away, a tenth of a millimetre beside the edge', () => {
    const far = setRay([-1e5, 0.9999, 0], [1, 0, 0]);
    expect(raySphere(far, { center: [0, 0, 0], radius: 1 }, hit)).toBe(true);
    expect(Math.abs(hit.t - (1e5 - Math.sqrt(1 - 0.9999 ** 2)))).toBeLessThan(1e-9);
    expect(raySphere(setRay([-1e5, 1.0001, 0], [1, 0, 0]), { center: [0, 0, 0], radius: 1 })).toBe(false);
  });

  test('boxes: as points along the ray say, by slabs, with a reciprocal, by separating axes', () => {
    forAll([ray, box], (r, b) => {
      const hits = rayAabb(r, b, hit);
      const outside = (p: Vec3) => Math.max(...p.map((c, k) => Math.max(b.min[k]! - c, c - b.max[k]!)));
      expectMarch(r, hits, hit, outside);
      expect(rayAabb(r, b, createRayHit(), reciprocalOf(r))).toBe(hits);
      if (segmentHitsAabb(r, b) !== hits) {
        // Only where it grazes.
        const grown = (by: number) => ({ min: b.min.map((c) => c - by), max: b.max.map((c) => c + by) });
        expect(segmentHitsAabb(r, grown(1e-9))).toBe(true);
        expect(rayAabb(r, grown(1e-9))).toBe(true);
      }
    });
  });

  test('ray–AABB slab: the exit is the smallest of the far values, not the largest', () => {
    const b = { min: [0, 0, 0], max: [1, 1, 1] };
    expect(rayAabb(setRay([-1, 0.5, 0.5], [1, 0.1, 0]), b, hit)).toBe(true);
    expect([hit.t, hit.exit]).toEqual([1, 2]); // with the largest: 5
    expect(asVec(hit.normal).map(Math.abs)).toEqual([1, 0, 0]);
    // It leaves y before it comes to x: with the largest it would hit.
    expect(rayAabb(setRay([-1, 0.5, 0.5], [1, 1, 0]), b)).toBe(false);
  });

  test('along a face, an edge, through a corner: touching counts', () => {
    const b = { min: [0, 0, 0], max: [1, 1, 1] };
    expect(rayAabb(setRay([-1, 1, 0.5], [1, 0, 0]), b, hit)).toBe(true);
    expect([hit.t, hit.exit]).toEqual([1, 2]);
    expect(rayAabb(setRay([-1, 1, 1], [1, 0, 0]), b)).toBe(true);
    expect(rayAabb(setRay([-1, 0, 0.5], [1, 1, 0]), b, hit)).toBe(true);
    expect([hit.t, hit.exit]).toEqual([1, 1]);
    expect(rayAabb(setRay([-1, 0.001, 0.5], [1, 1, 0]), b)).toBe(false);
    expect(rayAabb(setRay([-1, 2, 0.5], [1, -1, 0]), b, hit)).toBe(true);
    expect([hit.t, hit.exit]).toEqual([1, 2]);
    expect(rayAabb(setRay([-1, 0, 0.5], [1, 1, 0]), { min: [0, 1, 0], max: [1, 2, 1] }, hit)).toBe(true);
    expect(segmentHitsAabb(setSegment([-1, 1, 1], [0, 1, 1]), b)).toBe(true);
  });

  test('oriented boxes', () => {
    forAll([ray, obb], (r, b) => {
      const hits = rayObb(r, b, hit);
      expectMarch(r, hits, hit, (p) => {
        const away = squaredDistanceToObb(p, b);
        if (away > 1e-18) return Math.sqrt(away);
        // Inside: how deep, by the same distance to a box that is smaller by a little.
        const core = { ...b, halfExtents: b.halfExtents.map((h) => Math.max(0, h - 1e-6)) };
        return squaredDistanceToObb(p, core) === 0 && Math.min(...b.halfExtents) > 1e-6 ? -1e-6 : 0;
      });
    });
  });

  test('planes, from both sides and within', () => {
    const plane = { normal: [0, 1, 0], offset: 2 };
    expect(rayPlane(setRay([1, 5, 1], [0, -1, 0]), plane, hit)).toBe(true);
    expect(hit).toMatchObject({ t: 3, point: [1, 2, 1], normal: [0, 1, 0] });
    expect(rayPlane(setRay([1, -1, 1], [0, 2, 0]), plane, hit)).toBe(true);
    expect(hit.t).toBe(1.5);
    expect(hit.normal[1]).toBe(-1);
    expect(rayPlane(setRay([1, 5, 1], [0, 1, 0]), plane)).toBe(false);
    expect(rayPlane(setRay([1, 5, 1], [1, 0, 0]), plane)).toBe(false);
    expect([rayPlane(setRay([1, 2, 1], [1, 0, 0]), plane, hit), hit.t]).toEqual([true, 0]);
    expect(rayPlane(setSegment([0, 5, 0], [0, 2, 0]), plane)).toBe(true); // its end touches
  });

  test('cylinders with flat ends, and capsules', () => {
    forAll([ray, vector, vector, size], (r, a, b, radius) => {
      const axis = sub(b, a);
      const height = length(axis);
      const toSegment = (p: Vec3) => {
        const s = height > 0 ? Math.max(0, Math.min(1, dot(sub(p, a), axis) / (height * height))) : 0;
        return distance(p, add(a, scale(axis, s)));
      };
      expectMarch(r, rayCapsule(r, { a, b, radius }, hit), hit, (p) => toSegment(p) - radius, 1e-6);
      if (height < 1e-2) return;
      const outside = (p: Vec3) => {
        const along = dot(sub(p, a), axis) / height;
        const across = length(cross(sub(p, a), axis)) / height;
        return Math.max(across - radius, -along, along - height);
      };
      expectMarch(r, rayCylinder(r, a, b, radius, hit), hit, outside, 1e-6);
    });
    const [a, b] = [
      [0, 0, 0],
      [0, 2, 0],
    ];
    expect(rayCylinder(setRay([0.5, 5, 0], [0, -1, 0]), a!, b!, 1, hit)).toBe(true);
    expect([hit.t, hit.exit, hit.normal[1]]).toEqual([3, 5, 1]);
    expect(rayCylinder(setRay([1, 5, 0], [0, -1, 0]), a!, b!, 1)).toBe(true); // along its side
    expect(rayCylinder(setRay([0, 5, 0], [0, -1, 0]), a!, a!, 1)).toBe(false);
    expect([rayCapsule(setRay([0, 5, 0], [0, -1, 0]), { a: a!, b: a!, radius: 1 }, hit), hit.t]).toEqual([
      true,
      4,
    ]);
  });

  test('convex polyhedra: a box of six planes is the box', () => {
    forAll([ray, box], (r, b) => {
      const planes = [0, 1, 2].flatMap((k) => {
        const n = [0, 0, 0];
        n[k] = 1;
        return [...n, b.max[k]!, ...n.map((c) => -c), -b.min[k]!];
      });
      const other = createRayHit();
      const hits = rayPolyhedron(r, planes, hit);
      expect(hits).toBe(rayAabb(r, b, other));
      if (hits) {
        expect(hit.t).toBeCloseTo(other.t, 9);
        expect(hit.exit).toBeCloseTo(other.exit, 9);
      }
    });
  });
});

describe(`against triangles, seed ${SEED}`, () => {
  const found = createTriangleHit();

  test('points of a triangle are hit from anywhere, with their barycentric coordinates', () => {
    const share = fc.integer({ min: 0, max: 100 });
    forAll([vector, vector, vector, vector, share, share], (a, b, c, origin, i, j) => {
      const [v, w] = i + j > 100 ? [(100 - i) / 100, (100 - j) / 100] : [i / 100, j / 100];
      const u = 1 - v - w;
      const target = add(add(scale(a, u), scale(b, v)), scale(c, w));
      const n = cross(sub(b, a), sub(c, a));
      const slope = dot(n, sub(target, origin));
      if (Math.abs(slope) < 1e-2) return; // along its plane
      const inner = Math.min(u, v, w) > 1e-9; // rounding may push a point of an edge out
      const r = setRay(origin, sub(target, origin));
      const hits = rayTriangle(r, a, b, c, false, found);
      if (inner) expect(hits).toBe(true);
      if (!hits) return;
      expect(found.t).toBeCloseTo(1, 6);
      expect(distance(found.point, target)).toBeLessThan(1e-6);
      expect([found.u, found.v, found.w].map((x) => x.toFixed(5).replace('-', ''))).toEqual(
        [u, v, w].map((x) => x.toFixed(5).replace('-', '')),
      );
      expect(found.front).toBe(slope < 0);
      expect(dot(asVec(found.normal), r.direction as Vec3)).toBeLessThan(0);
      if (inner) expect(rayTriangle(r, a, b, c, true)).toBe(slope < 0);
      expect(rayTriangle(setSegment(origin, add(origin, scale(sub(target, origin), 0.99))), a, b, c)).toBe(
        false,
      );
    });
  });

  test('what passes beside misses', () => {
    const share = fc.integer({ min: -300, max: 400 });
    forAll([vector, vector, vector, vector, share, share], (a, b, c, origin, i, j) => {
      const [v, w] = [i / 100, j / 100];
      const u = 1 - v - w;
      if (Math.min(u, v, w) > -1e-3) return;
      const target = add(add(scale(a, u), scale(b, v)), scale(c, w));
      const n = cross(sub(b, a), sub(c, a));
      if (Math.abs(dot(n, sub(target, origin))) < 1e-2) return;
      expect(rayTriangle(setLine(origin, target), a, b, c)).toBe(false);
    });
  });

  test('no ray slips through the edge of two triangles', () => {
    const share = fc.integer({ min: 0, max: 1_000_000 });
    forAll([vector, vector, vector, vector, vector, share], (a, b, c, d, origin, i) => {
      // c and d on different sides of the edge as the ray sees it.
      const target = add(scale(a, 1 - i / 1e6), scale(b, i / 1e6));
      const side = (p: Vec3) => dot(cross(sub(a, origin), sub(b, origin)), sub(p, origin));
      if (!(side(c) * side(d) < -1e-3)) return;
      const r = setRay(origin, sub(target, origin));
      if (i < 1000 || i > 999_000) return;
      expect(rayTriangle(r, a, b, c) || rayTriangle(r, b, a, d)).toBe(true);
    });
  });

  test('edges, corners, planes, triangles without area', () => {
    const [a, b, c]: Vec3[] = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ];
    for (const [x, y] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [0.5, 0.5],
      [0.5, 0],
    ])
      expect(rayTriangle(setRay([x!, y!, 1], [0, 0, -1]), a!, b!, c!, true)).toBe(true);
    expect(rayTriangle(setRay([0.2, 0.2, -1], [0, 0, 1]), a!, b!, c!, true)).toBe(false); // its back
    expect(rayTriangle(setRay([-1, 0.2, 0], [1, 0, 0]), a!, b!, c!)).toBe(false); // in its plane
    expect(rayTriangle(setRay([0.5, 0, 1], [0, 0, -1]), a!, b!, [0.7, 0, 0])).toBe(false);
  });

  test('a quadrilateral is hit on both sides of its diagonal, and on it', () => {
    const corners: [Vec3, Vec3, Vec3, Vec3] = [
      [0, 0, 0],
      [2, 0, 0],
      [2, 2, 0],
      [0, 2, 0],
    ];
    for (const [x, y, hits] of [
      [1.5, 0.5, true],
      [0.5, 1.5, true],
      [1, 1, true],
      [2, 2, true],
      [2.01, 1, false],
    ] as const)
      expect(rayQuadrilateral(setRay([x, y, 1], [0, 0, -1]), ...corners, true, found)).toBe(hits);
  });
});
