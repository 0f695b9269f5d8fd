// Things at rest: whether they share a point agrees with distances, with points one by one, and with exact cases in which
// they just touch. With the mistakes of printed versions, each by its name.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  aabbHalfSpaceOverlap,
  aabbPlaneOverlap,
  aabbTriangleOverlap,
  type Cone,
  circlesOverlap,
  closestPointOnPolygon,
  closestPointOnTetrahedron,
  closestTriangleTriangle,
  coneHalfSpaceOverlap,
  conePlaneOverlap,
  convexCornersOverlap,
  createPlane,
  createRay,
  intersectThreePlanes,
  intersectTwoPlanes,
  obbHalfSpaceOverlap,
  obbPlaneOverlap,
  obbsOverlap,
  planarBoxesOverlap,
  planeFromPoints,
  pointInConvexPolygon,
  pointInPlanarTriangle,
  pointInPolygon,
  pointInPolyhedron,
  pointInTetrahedron,
  pointOnRay,
  pointOverTriangle,
  rectangleOfSegment,
  segmentsCross,
  separatedAlong,
  signedArea,
  sphereAabbOverlap,
  sphereHalfSpaceOverlap,
  sphereInHalfSpace,
  sphereObbOverlap,
  spherePlaneOverlap,
  spherePolygonOverlap,
  sphereTriangleOverlap,
  squaredDistanceToAabb,
  squaredDistanceToObb,
  squaredDistanceToTriangle,
  trianglesOverlap,
  turnedRectanglesOverlap,
} from '../../src/geometry/index';
import {
  add,
  asVec,
  box,
  cornersOf,
  cross,
  distance,
  dot,
  forAll,
  length,
  obb,
  obbCorners,
  SEED,
  scale,
  size,
  sphere,
  sub,
  turned,
  unitVector,
  type Vec3,
  vector,
} from './support';

const plane = fc.tuple(unitVector, size).map(([normal, offset]) => ({ normal, offset }));

describe(`against planes, seed ${SEED}`, () => {
  /** Least and greatest height of corners above a plane, against what the tests say; what nearly touches may be either. */
  const expectHeights = (heights: number[], surface: boolean, halfSpace: boolean) => {
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    if (Math.abs(low) > 1e-9) expect(halfSpace).toBe(low < 0);
    if (Math.abs(low) > 1e-9 && Math.abs(high) > 1e-9) expect(surface).toBe(low < 0 && high > 0);
  };

  test('boxes: their corners are on both sides, or below', () => {
    forAll([box, obb, plane], (b, o, p) => {
      const height = (c: Vec3) => dot(p.normal, c) - p.offset;
      expectHeights(cornersOf(b).map(height), aabbPlaneOverlap(b, p), aabbHalfSpaceOverlap(b, p));
      expectHeights(obbCorners(o).map(height), obbPlaneOverlap(o, p), obbHalfSpaceOverlap(o, p));
    });
    const ground = { normal: [0, 1, 0], offset: 1 };
    expect(aabbPlaneOverlap({ min: [0, 1, 0], max: [1, 2, 1] }, ground)).toBe(true); // stands on it
    expect(aabbHalfSpaceOverlap({ min: [0, 1, 0], max: [1, 2, 1] }, ground)).toBe(true);
    expect(aabbPlaneOverlap({ min: [0, -1, 0], max: [1, 1, 1] }, ground)).toBe(true); // hangs from it
  });

  test('balls and cones', () => {
    forAll([sphere, plane, unitVector, size, size, vector], (ball, p, axis, height, radius, apex) => {
      const above = dot(p.normal, ball.center) - p.offset;
      expect(spherePlaneOverlap(ball, p)).toBe(Math.abs(above) <= ball.radius);
      expect(sphereHalfSpaceOverlap(ball, p)).toBe(above <= ball.radius);
      expect(sphereInHalfSpace(ball, p)).toBe(above <= -ball.radius);
      // The rim, point by point.
      const cone: Cone = { apex, axis, height, radius };
      const side = Math.abs(axis[0]) < 0.5 ? cross(axis, [1, 0, 0]) : cross(axis, [0, 1, 0]);
      const u = scale(side, 1 / length(side));
      const v = cross(axis, u);
      const rim = Array.from({ length: 720 }, (_, i) => {
        const turn = (i * Math.PI) / 360;
        return add(
          add(apex, scale(axis, height)),
          add(scale(u, radius * Math.cos(turn)), scale(v, radius * Math.sin(turn))),
        );
      });
      const heights = [apex, ...rim].map((c) => dot(p.normal, c) - p.offset);
      const [low, high] = [Math.min(...heights), Math.max(...heights)];
      if (Math.abs(low) > 1e-3) expect(coneHalfSpaceOverlap(cone, p)).toBe(low < 0);
      if (Math.abs(low) > 1e-3 && Math.abs(high) > 1e-3)
        expect(conePlaneOverlap(cone, p)).toBe(low < 0 && high > 0);
    });
  });

  test('two planes meet in a line, three in a point', () => {
    forAll([plane, plane, plane], (a, b, c) => {
      const line = createRay();
      const steep = length(cross(a.normal, b.normal));
      const meet = intersectTwoPlanes(a, b, line);
      if (steep < 1e-12) expect(meet).toBe(false);
      if (steep > 1e-3) {
        expect(meet).toBe(true);
        for (const t of [-2, 0, 3])
          for (const p of [a, b]) expect(dot(p.normal, asVec(pointOnRay(line, t)))).toBeCloseTo(p.offset, 6);
        expect(dot(asVec(line.origin), asVec(line.direction))).toBeCloseTo(0, 6);
      }
      const point = [0, 0, 0];
      const determinant = Math.abs(dot(a.normal, cross(b.normal, c.normal)));
      const single = intersectThreePlanes(a, b, c, point);
      if (determinant < 1e-12) expect(single).toBe(false);
      if (determinant > 1e-3) {
        expect(single).toBe(true);
        for (const p of [a, b, c]) expect(dot(p.normal, asVec(point))).toBeCloseTo(p.offset, 6);
      }
    });
    const out = createPlane();
    expect(planeFromPoints([0, 2, 0], [0, 2, 1], [1, 2, 0], out)).toBe(true);
    expect(out).toEqual({ normal: [0, 1, 0], offset: 2 });
    expect(planeFromPoints([0, 0, 0], [1, 1, 1], [2, 2, 2], out)).toBe(false);
  });
});

describe(`balls, boxes, triangles, seed ${SEED}`, () => {
  test('balls: the distance is at most the radius', () => {
    forAll([sphere, box, obb, vector, vector, vector], (ball, b, o, p, q, r) => {
      const squared = ball.radius ** 2;
      expect(sphereAabbOverlap(ball, b)).toBe(squaredDistanceToAabb(ball.center, b) <= squared);
      expect(sphereObbOverlap(ball, o)).toBe(squaredDistanceToObb(ball.center, o) <= squared);
      expect(sphereTriangleOverlap(ball, p, q, r)).toBe(
        squaredDistanceToTriangle(ball.center, p, q, r) <= squared,
      );
      // A triangle is a polygon.
      const away = distance(closestPointOnPolygon(ball.center, [...p, ...q, ...r]), ball.center);
      expect(away ** 2).toBeCloseTo(squaredDistanceToTriangle(ball.center, p, q, r), 7);
    });
    expect(sphereAabbOverlap({ center: [3, 0.5, 0.5], radius: 2 }, { min: [0, 0, 0], max: [1, 1, 1] })).toBe(
      true,
    );
    expect(sphereAabbOverlap({ center: [3, 0.5, 0.5], radius: -1 }, { min: [0, 0, 0], max: [4, 1, 1] })).toBe(
      false,
    );
  });

  test('a ball in the notch of an L is not near it', () => {
    const l = [0, 0, 0, 4, 0, 0, 4, 1, 0, 1, 1, 0, 1, 4, 0, 0, 4, 0];
    expect(spherePolygonOverlap({ center: [3, 3, 0.1], radius: 1.9 }, l)).toBe(false);
    expect(spherePolygonOverlap({ center: [3, 3, 0], radius: 2 }, l)).toBe(true);
    expect(spherePolygonOverlap({ center: [0.5, 0.5, 3], radius: 3 }, l)).toBe(true);
    expect(spherePolygonOverlap({ center: [0.5, 0.5, 3], radius: 2.999 }, l)).toBe(false);
    expect(spherePolygonOverlap({ center: [5, 0, 0], radius: 1 }, [0, 0, 0, 4, 0, 0])).toBe(true); // a segment
  });

  test('a box and a triangle: the triangle comes as near to the middle as its cut with the box says', () => {
    // Clipped to the six planes of the box, what is left of the triangle.
    const clip = (polygon: Vec3[], axis: number, sign: number, limit: number): Vec3[] =>
      polygon.flatMap((p, i) => {
        const q = polygon[(i + 1) % polygon.length]!;
        const [hp, hq] = [sign * p[axis]! - limit, sign * q[axis]! - limit];
        const kept: Vec3[] = hp <= 0 ? [p] : [];
        if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0)) {
          const t = hp / (hp - hq);
          const cut = add(p, scale(sub(q, p), t));
          cut[axis] = sign * limit;
          kept.push(cut);
        }
        return kept;
      });
    forAll(
      [box, vector, vector, vector],
      (b, p, q, r) => {
        const cut = (by: number) => {
          let polygon: Vec3[] = [p, q, r];
          for (let k = 0; k < 3; k++) {
            polygon = clip(polygon, k, 1, b.max[k]! + by);
            polygon = clip(polygon, k, -1, -(b.min[k]! - by));
          }
          return polygon.length > 0;
        };
        const overlap = aabbTriangleOverlap(b, p, q, r);
        if (overlap !== cut(0)) expect(cut(1e-9)).not.toBe(cut(-1e-9)); // just touches
      },
      3,
    );
    const cube = { min: [0, 0, 0], max: [1, 1, 1] };
    expect(aabbTriangleOverlap(cube, [1, 1, 1], [2, 1, 1], [1, 2, 1])).toBe(true); // at a corner
    expect(aabbTriangleOverlap(cube, [-9, -9, 1], [9, -9, 1], [0, 9, 1])).toBe(true); // in a face
    expect(aabbTriangleOverlap(cube, [0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [0.5, 0.5, 0.5])).toBe(true); // a point
    // The edge that only a product of edges parts: past the cube's edge, on a slant.
    expect(aabbTriangleOverlap(cube, [2.1, -0.1, 0.5], [-0.1, 2.2, 0.5], [2.2, 2.2, 0.6])).toBe(false);
  });

  test('two triangles overlap where their distance is 0, in one plane, too', () => {
    forAll(
      [vector, vector, vector, vector, vector, vector],
      (a0, a1, a2, b0, b1, b2) => {
        const apart = Math.sqrt(closestTriangleTriangle(a0, a1, a2, b0, b1, b2).distanceSquared);
        const overlap = trianglesOverlap(a0, a1, a2, b0, b1, b2);
        if (apart > 1e-9) expect(overlap).toBe(false);
        expect(trianglesOverlap(b0, b1, b2, a0, a1, a2) || apart < 1e-9 || !overlap).toBe(true);
        if (apart === 0 && !overlap) {
          // They just touch: drawn together by a hair they overlap.
          const middle = scale(add(add(a0, a1), a2), 1 / 3);
          const grown = [a0, a1, a2].map((p) => add(p, scale(sub(p, middle), 1e-6))) as [Vec3, Vec3, Vec3];
          const other = scale(add(add(b0, b1), b2), 1 / 3);
          const grownB = [b0, b1, b2].map((p) => add(p, scale(sub(p, other), 1e-6))) as [Vec3, Vec3, Vec3];
          const near = closestTriangleTriangle(...grown, ...grownB).distanceSquared;
          expect(near).toBeLessThan(1e-9);
        }
      },
      2,
    );
    const flat = fc
      .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
      .map(([x, y]): Vec3 => [x, y, 0]);
    forAll(
      [flat, flat, flat, flat, flat, flat],
      (a0, a1, a2, b0, b1, b2) => {
        const apart = closestTriangleTriangle(a0, a1, a2, b0, b1, b2).distanceSquared;
        expect(trianglesOverlap(a0, a1, a2, b0, b1, b2)).toBe(apart < 1e-18);
      },
      2,
    );
    expect(trianglesOverlap([0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [2, 0, 0], [1, 0, 1])).toBe(true); // a corner
  });
});

describe(`separating axes, seed ${SEED}`, () => {
  const solid = (b: { center: Vec3; halfExtents: number[]; rotation: number[] }) => {
    const axes = [0, 1, 2].flatMap((k) =>
      turned(b.rotation, [0, 1, 2].map((j) => (j === k ? 1 : 0)) as Vec3),
    );
    return { corners: obbCorners(b as never).flat(), normals: axes, edges: axes };
  };

  test('boxes as corners: what the 15 axes of boxes say', () => {
    forAll([obb, obb], (a, b) => {
      if (convexCornersOverlap(solid(a), solid(b)) === obbsOverlap(a, b)) return;
      const grown = { ...a, halfExtents: a.halfExtents.map((h) => h + 1e-9) };
      const shrunk = { ...a, halfExtents: a.halfExtents.map((h) => Math.max(0, h - 1e-9)) };
      expect(
        obbsOverlap(grown, b) &&
          (!obbsOverlap(shrunk, b) || Math.min(...a.halfExtents, ...b.halfExtents) === 0),
      ).toBe(true);
    });
  });

  test('rectangle theorem: if a side separates, they do not intersect', () => {
    const a = rectangleOfSegment([-1, 0], [1, 0], 1);
    const apart = { center: [3, 0], axis: [Math.SQRT1_2, Math.SQRT1_2], halfExtents: [1, 1] };
    expect(separatedAlong([-1, 0, 0, 1, 0, 0], [3 - Math.SQRT2, 0, 0, 3 + Math.SQRT2, 0, 0], [1, 0, 0])).toBe(
      true,
    );
    expect(turnedRectanglesOverlap(a, apart)).toBe(false);
    expect(turnedRectanglesOverlap(a, { ...apart, center: [2, 0] })).toBe(true);
    expect(separatedAlong([0, 0, 0, 1, 0, 0], [1, 0, 0], [1, 0, 0])).toBe(false); // touching
  });
});

describe(`in the plane, seed ${SEED}`, () => {
  const whole = fc.integer({ min: -4, max: 4 });
  const point = fc.tuple(whole, whole);

  test('circles, boxes', () => {
    expect(circlesOverlap({ center: [0, 0], radius: 2 }, { center: [3, 4], radius: 3 })).toBe(true);
    expect(circlesOverlap({ center: [0, 0], radius: 2 }, { center: [3, 4], radius: 2.99 })).toBe(false);
    expect(planarBoxesOverlap({ min: [0, 0], max: [1, 1] }, { min: [1, 1], max: [2, 2] })).toBe(true);
    expect(planarBoxesOverlap({ min: [0, 0], max: [1, 1] }, { min: [0, 1.1], max: [2, 2] })).toBe(false);
  });

  test('collinear endpoints: segments that touch share a point, in one line, too', () => {
    expect(segmentsCross([0, 0], [1, 0], [1, 0], [2, 0])).toBe(true);
    expect(segmentsCross([0, 0], [1, 0], [1.001, 0], [2, 0])).toBe(false);
    expect(segmentsCross([0, 0], [4, 0], [1, 0], [2, 0])).toBe(true);
    expect(segmentsCross([0, 0], [4, 4], [2, 2], [9, 1])).toBe(true); // an end on the other
    expect(segmentsCross([1, 1], [1, 1], [0, 0], [2, 2])).toBe(true); // a point
    const out = [0, 0];
    expect(segmentsCross([0, 0], [4, 4], [0, 4], [4, 0], out)).toBe(true);
    expect(out).toEqual([2, 2]);
  });

  test('segments: by signs, as thin rectangles, and by whole numbers', () => {
    forAll(
      [point, point, point, point],
      (a0, a1, b0, b1) => {
        const cross2 = (o: number[], p: number[], q: number[]) =>
          (p[0]! - o[0]!) * (q[1]! - o[1]!) - (p[1]! - o[1]!) * (q[0]! - o[0]!);
        // Exact in whole numbers: the corners of each are on both sides of the other, or bounds overlap in one line.
        const straddle = (p: number[], q: number[], r: number[], s: number[]) =>
          cross2(p, q, r) * cross2(p, q, s) <= 0;
        const bounds = [0, 1].every(
          (k) =>
            Math.max(Math.min(a0[k]!, a1[k]!), Math.min(b0[k]!, b1[k]!)) <=
            Math.min(Math.max(a0[k]!, a1[k]!), Math.max(b0[k]!, b1[k]!)),
        );
        const truth = bounds && straddle(a0, a1, b0, b1) && straddle(b0, b1, a0, a1);
        expect(segmentsCross(a0, a1, b0, b1)).toBe(truth);
        const thin = turnedRectanglesOverlap(rectangleOfSegment(a0, a1), rectangleOfSegment(b0, b1));
        if (thin !== truth) {
          // Only by rounding, where they just touch.
          const wide = (h: number) =>
            turnedRectanglesOverlap(rectangleOfSegment(a0, a1, h), rectangleOfSegment(b0, b1, h));
          expect([truth, wide(1e-12)]).toEqual([true, true]);
        }
        expect(Math.sign(signedArea(a0, a1, b0)) === Math.sign(cross2(a0, a1, b0))).toBe(true);
      },
      5,
    );
  });

  test('points in polygons: corners and edges belong to them; convex ones in log n steps say the same', () => {
    const l = [0, 0, 4, 0, 4, 1, 1, 1, 1, 4, 0, 4];
    expect(pointInPolygon([0.5, 3], l)).toBe(true);
    expect(pointInPolygon([2, 2], l)).toBe(false);
    for (const p of [
      [0, 0],
      [4, 0.5],
      [1, 1],
      [1, 3],
      [0, 2],
      [2, 0],
    ])
      expect(pointInPolygon(p, l)).toBe(true);
    for (const p of [
      [-1, 0],
      [5, 1],
      [-1, 4],
      [4.5, 0],
      [2, 4],
    ])
      expect(pointInPolygon(p, l)).toBe(false);
    const octagon = [2, 0, 4, 0, 6, 2, 6, 4, 4, 6, 2, 6, 0, 4, 0, 2];
    const near = fc.tuple(fc.integer({ min: -2, max: 14 }), fc.integer({ min: -2, max: 14 }));
    forAll(
      [near],
      ([x, y]) => {
        const p = [x / 2, y / 2];
        const [px, py] = p as [number, number];
        const truth =
          px >= 0 && px <= 6 && py >= 0 && py <= 6 && px + py >= 2 && px + py <= 10 && Math.abs(px - py) <= 4;
        expect(pointInPolygon(p, octagon)).toBe(truth);
        expect(pointInConvexPolygon(p, octagon)).toBe(truth);
        const clockwise = octagon.flatMap((_, i) =>
          i % 2 === 0 ? [octagon[14 - i]!, octagon[15 - i]!] : [],
        );
        expect(pointInPolygon(p, clockwise)).toBe(truth);
      },
      3,
    );
    expect(pointInPlanarTriangle([1, 1], [0, 0], [2, 0], [0, 2])).toBe(true);
    expect(pointInPlanarTriangle([1, 1.01], [0, 2], [2, 0], [0, 0])).toBe(false);
    expect(pointInPlanarTriangle([3, 0], [0, 0], [2, 0], [1, 0])).toBe(false); // in one line, beyond
    expect(pointInPlanarTriangle([2, 0], [0, 0], [2, 0], [1, 0])).toBe(true);
  });
});

describe(`points in solids, seed ${SEED}`, () => {
  test('tetrahedra: where the nearest point is the point itself', () => {
    forAll(
      [vector, vector, vector, vector, vector],
      (p, a, b, c, d) => {
        const away = distance(p, closestPointOnTetrahedron(p, a, b, c, d));
        const inside = pointInTetrahedron(p, a, b, c, d);
        if (away > 1e-9) expect(inside).toBe(false);
        if (away === 0 && !inside) {
          const out = Math.min(
            ...[
              [a, b, c],
              [a, c, d],
              [a, d, b],
              [b, c, d],
            ].map(([x, y, z]) => squaredDistanceToTriangle(p, x!, y!, z!)),
          );
          expect(out).toBeLessThan(1e-18); // on its surface, but for rounding
        }
      },
      2,
    );
    expect(pointInTetrahedron([0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1])).toBe(true);
    expect(pointInTetrahedron([5, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0])).toBe(false); // flat, beside
  });

  test('polyhedra, and over triangles', () => {
    const planes = [1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 1, 0, 0, -1, 1];
    expect(pointInPolyhedron([1, -1, 0.5], planes)).toBe(true);
    expect(pointInPolyhedron([1.001, 0, 0], planes)).toBe(false);
    expect(pointOverTriangle([0.25, 0.25, 9], [0, 0, 0], [1, 0, 0], [0, 1, 0])).toBe(true);
    expect(pointOverTriangle([0.5, 0.5, -9], [0, 0, 0], [1, 0, 0], [0, 1, 0])).toBe(true);
    expect(pointOverTriangle([0.6, 0.5, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0])).toBe(false);
  });
});
