// Oriented boxes, sphere-swept volumes, k-DOPs, slabs, hulls: they hold their points, are as small as is known, follow
// what turns, and overlap where a method of another kind finds a common point.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  aabbByClimbing,
  aabbFromPoints,
  aabbsOverlap,
  capsuleAlong,
  capsuleContainsPoint,
  capsuleFromPoints,
  capsuleLozengeOverlap,
  capsulesOverlap,
  capsuleVolume,
  climb,
  closestTriangleTriangle,
  convexHull,
  cornersOfObb,
  createClimber,
  createKdop,
  createSlabs,
  growSlabs,
  hullsMayOverlap,
  KDOP_AXES,
  type KdopSides,
  lozengeContainsPoint,
  lozengeFromPoints,
  lozengesOverlap,
  lozengeVolume,
  mergeObbs,
  mergeSlabs,
  minimalSphere,
  type Obb,
  obbBruteForce,
  obbContainsPoint,
  obbHullSurface,
  obbMinimalRectangle,
  obbPca,
  obbsMayOverlap,
  obbsOverlap,
  obbVolume,
  obbWithRotation,
  PhysicsError,
  raySlabs,
  refitSlabs,
  refitSlabsByClimbing,
  setRay,
  slabsContainPoint,
  slabsFromPoints,
  slabsOverlap,
  sphereCapsuleOverlap,
  sphereLozengeOverlap,
  transformCapsule,
  transformHull,
  transformLozenge,
  transformObb,
  uprightObbsOverlap,
  verticesOfSlabs,
} from '../../src/geometry/index';
import { covarianceOf, spreadAxes, surfaceCovariance } from '../../src/geometry/points';
import { random } from '../physics/support/vector';
import { caught } from '../support/caught';
import {
  add,
  asVec,
  atMost,
  box,
  cloud,
  cornersOf,
  distance,
  dot,
  expectMarch,
  forAll,
  hit,
  length,
  obb,
  obbCorners,
  ray,
  rotation,
  SEED,
  scale,
  size,
  sub,
  turned,
  type Vec3,
  vector,
  vectorsOf,
} from './support';

const HALF_TURNS: [number, number, number, number] = [0.36, 0.48, 0, 0.8];

describe('spread', () => {
  test('covariance: the xz entry is the mean of x · z', () => {
    // Along the line x = z the spread of x and z is one thing, and y has none.
    const points = [1, 0, 1, -1, 0, -1, 3, 0, 3, -3, 0, -3];
    expect(covarianceOf(points, [0, 0, 0], [0, 0, 0, 0, 0, 0])).toEqual([5, 0, 5, 0, 5, 0]);
    // xx, yy, zz, xy, xz, yz of three different products.
    const askew = [1, 2, 3, -1, -2, -3];
    expect(covarianceOf(askew, [0, 0, 0], [0, 0, 0, 0, 0, 0])).toEqual([1, 4, 9, 2, 3, 6]);
    const [x, y, z] = spreadAxes([5, 0, 5, 0, 5, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]) as number[];
    expect([Math.abs(x!), Math.abs(y!), Math.abs(z!)]).toEqual([
      expect.closeTo(Math.SQRT1_2, 12),
      expect.closeTo(0, 12),
      expect.closeTo(Math.SQRT1_2, 12),
    ]);
  });

  test('of a surface: a square of 1 m has 1/12 along each side, however it is cut, wherever it is', () => {
    const square = [5, 5, 7, 6, 5, 7, 6, 6, 7, 5, 6, 7, 5.9, 5.2, 7];
    for (const triangles of [
      [0, 1, 2, 0, 2, 3],
      [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4],
    ]) {
      const [mean, found] = [
        [0, 0, 0],
        [0, 0, 0, 0, 0, 0],
      ];
      expect(surfaceCovariance(square, triangles, mean!, found!)).toBe(true);
      [5.5, 5.5, 7].forEach((c, k) => {
        expect(mean![k]).toBeCloseTo(c, 12);
      });
      [1 / 12, 1 / 12, 0, 0, 0, 0].forEach((c, k) => {
        expect(found![k]).toBeCloseTo(c, 12);
      });
    }
    expect(surfaceCovariance([1, 1, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0, 0, 0, 0])).toBe(false);
  });
});

describe(`oriented boxes, seed ${SEED}`, () => {
  const BUILDERS: Record<string, (points: ArrayLike<number>) => Obb> = {
    pca: (points) => obbPca(points),
    'hull surface': (points) => obbHullSurface(points),
    'minimal rectangle': (points) => obbMinimalRectangle(points),
    'brute force': (points) => obbBruteForce(points, { steps: 3, refinements: 6 }),
  };

  test('every way holds every point', () => {
    forAll(
      [cloud],
      (points) => {
        for (const [name, build] of Object.entries(BUILDERS)) {
          const found = build(points);
          for (const p of vectorsOf(points)) if (!obbContainsPoint(found, p)) expect(name).toBe('about all');
          expect(
            length([found.rotation[0]!, found.rotation[1]!, found.rotation[2]!]) ** 2 +
              found.rotation[3]! ** 2,
          ).toBeCloseTo(1, 9);
        }
      },
      0.3,
    );
  });

  test('of a box that was turned and filled, three ways find the box again', () => {
    const next = random(9);
    const half: Vec3 = [3, 2, 0.5];
    const inside = Array.from({ length: 300 }, () => half.map((h) => h * (2 * next() - 1)) as Vec3);
    const points = [...cornersOf({ min: half.map((h) => -h), max: half }), ...inside].flatMap((p) =>
      add([10, -5, 2], turned(HALF_TURNS, p)),
    );
    const volume = 8 * 3 * 2 * 0.5;
    expect(obbVolume(obbMinimalRectangle(points))).toBeCloseTo(volume, 4);
    expect(obbVolume(obbBruteForce(points))).toBeCloseTo(volume, 2);
    expect(obbVolume(obbHullSurface(points))).toBeCloseTo(volume, 4);
    expect(distance(obbMinimalRectangle(points).center, [10, -5, 2])).toBeLessThan(1e-6);
    // Points in a heap at one corner pull the axes of the points, not those of the surface.
    const heap = Array.from({ length: 3000 }, () =>
      add([10, -5, 2], turned(HALF_TURNS, [2.9 - next(), 1.9 - next() ** 3, 0.3 * next()])),
    );
    const pulled = [...points, ...heap.flat()];
    expect(obbVolume(obbHullSurface(pulled))).toBeCloseTo(volume, 4);
    expect(obbVolume(obbPca(pulled))).toBeGreaterThan(volume * 1.01);
  });

  test('the rectangles come near the search, and both below the axes of spread', () => {
    const next = random(21);
    let [rectangles, search, spread] = [0, 0, 0];
    for (let i = 0; i < 12; i++) {
      const points = Array.from({ length: 90 }, (_, k) => (2 * next() - 1) * [3, 1.5, 1][k % 3]!);
      rectangles += obbVolume(obbMinimalRectangle(points));
      search += obbVolume(obbBruteForce(points, { steps: 6, refinements: 12 }));
      spread += obbVolume(obbPca(points));
    }
    expect(rectangles).toBeLessThan(search * 1.03);
    expect(rectangles).toBeLessThan(spread);
    // The least box over a regular tetrahedron is the cube that it is cut from.
    expect(obbVolume(obbBruteForce([1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1]))).toBeCloseTo(8, 3);
  });

  test('flat, straight and single clouds', () => {
    const flat = Array.from({ length: 50 }, (_, i) =>
      turned(HALF_TURNS, [i % 10, Math.floor(i / 10), 0]),
    ).flat();
    for (const [name, build] of Object.entries(BUILDERS)) {
      if (name !== 'brute force') expect(obbVolume(build(flat)), name).toBeLessThan(1e-6 * 36);
      expect(build([1, 2, 3])).toMatchObject({ center: [1, 2, 3], halfExtents: [0, 0, 0] });
    }
    expect(obbVolume(obbBruteForce(flat))).toBeLessThan(1e-3 * 36);
    const sorted = [...asVec(obbMinimalRectangle(flat).halfExtents)].sort((a, b) => b - a);
    expect(sorted[0]).toBeCloseTo(4.5, 6);
    expect(sorted[1]).toBeCloseTo(2, 6);
  });

  test('turned, merged: the corners say so', () => {
    forAll([obb, obb, vector, rotation], (a, b, position, q) => {
      const moved = transformObb(a, position, q);
      vectorsOf(cornersOfObb(moved)).forEach((corner, i) => {
        atMost(distance(corner, add(position, turned(q, obbCorners(a)[i]!))), 1e-9);
      });
      const both = mergeObbs(a, b);
      const corners = [...vectorsOf(cornersOfObb(a)), ...vectorsOf(cornersOfObb(b))];
      for (const corner of corners) expect(obbContainsPoint(both, corner)).toBe(true);
      expect(obbVolume(both)).toBeLessThanOrEqual(
        obbVolume(obbWithRotation(corners.flat(), a.rotation)) * (1 + 1e-9) + 1e-5,
      );
    });
  });

  /** The triangles of a box's faces. */
  const FACES = [
    [0, 1, 3, 2],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 3, 7, 6],
    [0, 2, 6, 4],
    [1, 3, 7, 5],
  ];
  const trianglesOf = (b: Obb): [Vec3, Vec3, Vec3][] => {
    const c = obbCorners(b);
    return FACES.flatMap(([i, j, k, l]): [Vec3, Vec3, Vec3][] => [
      [c[i!]!, c[j!]!, c[k!]!],
      [c[i!]!, c[k!]!, c[l!]!],
    ]);
  };
  /** m, 0 where they overlap: of surfaces, or one in the other. */
  const apart = (a: Obb, b: Obb): number => {
    if (obbContainsPoint(a, b.center) || obbContainsPoint(b, a.center)) return 0;
    let least = Infinity;
    for (const s of trianglesOf(a))
      for (const t of trianglesOf(b))
        least = Math.min(least, closestTriangleTriangle(...s, ...t).distanceSquared);
    return Math.sqrt(least);
  };
  const grow = (b: Obb, by: number): Obb => ({ ...b, halfExtents: asVec(b.halfExtents).map((h) => h + by) });

  test('15 axes agree with the distance of the surfaces; six axes and four never part what overlaps', () => {
    forAll(
      [obb, obb],
      (a, b) => {
        const gap = apart(a, b);
        const overlap = obbsOverlap(a, b);
        if (gap > 1e-6) expect(overlap).toBe(false);
        if (gap < 1e-12) expect(obbsOverlap(grow(a, 1e-9), b)).toBe(true);
        expect(obbsOverlap(b, a) || !obbsOverlap(grow(a, -1e-9), grow(b, -1e-9))).toBe(true);
        if (overlap) expect(obbsMayOverlap(a, b)).toBe(true);
      },
      0.5,
    );
  });

  test('box–box by face planes only: edge to edge they are apart, and six axes do not see it', () => {
    // Two cubes with an edge toward each other, crossed.
    const s = Math.SQRT1_2;
    const eighth = Math.sqrt((1 - s) / 2);
    const c = Math.sqrt((1 + s) / 2);
    const a: Obb = { center: [0, 0, 0], halfExtents: [1, 1, 1], rotation: [0, 0, eighth, c] };
    const b: Obb = { center: [2.95, 0, 0], halfExtents: [1, 1, 1], rotation: [0, eighth, 0, c] };
    expect(apart(a, b)).toBeGreaterThan(0.1);
    expect(obbsOverlap(a, b)).toBe(false);
    const near: Obb = { ...b, center: [2.8, 0, 0] };
    expect(obbsOverlap(a, near)).toBe(true);
    expect(obbsMayOverlap(a, b)).toBe(true); // of the six axes none parts them
  });

  test('OBB–OBB: the offset is projected on u0, u1, u2, each its own', () => {
    const a: Obb = { center: [0, 0, 0], halfExtents: [5, 1, 1], rotation: [0, 0, 0, 1] };
    // Apart along u1 alone: with u2 in its place it would be missed.
    expect(obbsOverlap(a, { center: [0, 2.5, 0], halfExtents: [1, 1, 5], rotation: [0, 0, 0, 1] })).toBe(
      false,
    );
    expect(obbsOverlap(a, { center: [0, 0, 2.5], halfExtents: [1, 5, 1], rotation: [0, 0, 0, 1] })).toBe(
      false,
    );
    expect(obbsOverlap(a, { center: [0, 2, 0], halfExtents: [1, 1, 5], rotation: [0, 0, 0, 1] })).toBe(true); // touch
  });

  test('upright boxes: four axes and the height say what 15 say', () => {
    const upright = fc.tuple(vector, fc.tuple(size, size, size), fc.integer({ min: -314, max: 314 })).map(
      ([center, halfExtents, i]): Obb => ({
        center,
        halfExtents,
        rotation: [0, Math.sin(i / 200), 0, Math.cos(i / 200)],
      }),
    );
    forAll([upright, upright], (a, b) => {
      if (uprightObbsOverlap(a, b) !== obbsOverlap(a, b))
        expect(obbsOverlap(grow(a, 1e-9), b)).not.toBe(obbsOverlap(grow(a, -1e-9), b));
    });
  });
});

describe(`sphere-swept volumes, seed ${SEED}`, () => {
  test('about points: they hold every one, and a capsule is no fatter than its axis asks', () => {
    forAll([cloud], (points) => {
      const capsule = capsuleFromPoints(points);
      const lozenge = lozengeFromPoints(points);
      for (const p of vectorsOf(points)) {
        if (!capsuleContainsPoint(capsule, p)) expect(p).toBe('in the capsule');
        if (!lozengeContainsPoint(lozenge, p)) expect(p).toBe('in the lozenge');
      }
      const ball = minimalSphere(points);
      expect(capsule.radius).toBeLessThanOrEqual(ball.radius * (1 + 1e-9) + 1e-9);
    });
  });

  test('of points on a capsule, the capsule; of a plate, the plate', () => {
    const next = random(4);
    const points = Array.from({ length: 4000 }, () => {
      const d: Vec3 = [next() - 0.5, next() - 0.5, next() - 0.5];
      const n = scale(d, 1 / length(d));
      return turned(HALF_TURNS, add(n, [n[0] > 0 ? 3 : -3, 0, 0]));
    });
    const { a, b, radius } = capsuleFromPoints(points.flat());
    expect(radius).toBeCloseTo(1, 1);
    expect(distance(a, b)).toBeCloseTo(6, 0);
    const along = capsuleAlong(points.flat(), turned(HALF_TURNS, [2, 0, 0]));
    expect(along.radius).toBeCloseTo(1, 3);
    expect(distance(along.a, along.b)).toBeCloseTo(6, 1);
    expect(capsuleAlong([0, 0, 0, 1, 0, 0], [0, 1, 0])).toMatchObject({
      a: [0.5, 0, 0],
      b: [0.5, 0, 0],
      radius: 0.5,
    });
    expect(caught(() => capsuleAlong([0, 0, 0], [0, 0, 0]))).toBeInstanceOf(PhysicsError);
    const plate = Array.from({ length: 2000 }, () => [8 * next(), 5 * next(), 0.5 * next()]).flat();
    const lozenge = lozengeFromPoints(plate);
    expect(lozenge.radius).toBeLessThan(0.35);
    expect(lozengeVolume(lozenge)).toBeLessThan(8.7 * 5.7 * 0.7);
    expect(capsuleVolume({ a: [0, 0, 0], b: [0, 3, 0], radius: 1 })).toBeCloseTo(Math.PI * (3 + 4 / 3), 12);
    expect(
      lozengeVolume({ center: [0, 0, 0], halfExtents: [1, 0], rotation: [0, 0, 0, 1], radius: 1 }),
    ).toBeCloseTo(capsuleVolume({ a: [-1, 0, 0], b: [1, 0, 0], radius: 1 }), 12);
  });

  test('capsule region: the squared distance is compared with r², not r', () => {
    const wide = { a: [0, 0, 0], b: [0, 4, 0], radius: 3 };
    expect(capsuleContainsPoint(wide, [2.5, 1, 0])).toBe(true); // 6.25 ≤ 9, not ≤ 3
    expect(capsuleContainsPoint(wide, [3, 1, 0])).toBe(true);
    const thin = { a: [0, 0, 0], b: [0, 4, 0], radius: 0.1 };
    expect(capsuleContainsPoint(thin, [0.3, 1, 0])).toBe(false); // 0.09 ≤ 0.1, but not ≤ 0.01
  });

  test('all pairs: the distance of what is inside them against the sum of the radii', () => {
    const ball = { center: [0, 5, 0], radius: 1 };
    const capsule = { a: [-1, 0, 0], b: [1, 0, 0], radius: 0.5 };
    const plate = {
      center: [0, 2, 0],
      halfExtents: [3, 2],
      rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      radius: 1.5,
    };
    expect([capsuleLozengeOverlap(capsule, plate), sphereLozengeOverlap(ball, plate)]).toEqual([true, false]);
    expect(sphereLozengeOverlap({ ...ball, radius: 1.5 + 1e-12 }, plate)).toBe(true);
    expect(capsuleLozengeOverlap({ ...capsule, radius: 0.499 }, plate)).toBe(false);
    expect(sphereCapsuleOverlap({ center: [2, 0, 0], radius: 0.5 }, capsule)).toBe(true);
    expect(sphereCapsuleOverlap({ center: [2.01, 0, 0], radius: 0.5 }, capsule)).toBe(false);
    expect(capsulesOverlap(capsule, { a: [0, 1, -3], b: [0, 1, 3], radius: 0.5 })).toBe(true);
    expect(capsulesOverlap(capsule, { a: [0, 1, -3], b: [0, 1, 3], radius: 0.49 })).toBe(false);
    const upright = { ...plate, center: [0, 5.5, 0], rotation: [0, 0, 0, 1], radius: 0 };
    expect(lozengesOverlap(plate, upright)).toBe(true);
    expect(lozengesOverlap(plate, { ...upright, center: [0, 5.51, 0] })).toBe(false);
  });

  test('turned, they hold what turned', () => {
    forAll([cloud, vector, rotation], (points, position, q) => {
      const capsule = transformCapsule(capsuleFromPoints(points), position, q);
      const lozenge = transformLozenge(lozengeFromPoints(points), position, q);
      capsule.radius += 1e-9;
      lozenge.radius += 1e-9;
      for (const p of vectorsOf(points)) {
        const moved = add(position, turned(q, p));
        expect(capsuleContainsPoint(capsule, moved) && lozengeContainsPoint(lozenge, moved)).toBe(true);
      }
    });
  });
});

describe(`k-DOPs and slabs, seed ${SEED}`, () => {
  const SIDES: KdopSides[] = [6, 8, 12, 14, 18, 20, 26];

  test('8-DOP build: both ends are asked at each point; the triangle (3,1), (5,4), (1,5)', () => {
    const plane = createSlabs([1, 0, 0, 0, 1, 0, 1, 1, 0, 1, -1, 0]);
    slabsFromPoints([3, 1, 0, 5, 4, 0, 1, 5, 0], plane);
    expect([...(plane.min as Float64Array)]).toEqual([1, 1, 4, -4]);
    expect([...(plane.max as Float64Array)]).toEqual([5, 5, 9, 2]);
    // With `else if` the first point would be no minimum, and one point alone would leave it infinite.
    const one = slabsFromPoints([2, 3, 4], createKdop(14));
    expect([...(one.min as Float64Array)]).toEqual([...(one.max as Float64Array)]);
  });

  test('the axes: k / 2 of them, no two parallel, those that follow each other as square as they come', () => {
    for (const sides of SIDES) {
      const axes = vectorsOf(KDOP_AXES[sides]);
      expect(axes).toHaveLength(sides / 2);
      const cosine = (a: Vec3, b: Vec3) => Math.abs(dot(a, b)) / length(a) / length(b);
      axes.forEach((a, i) => {
        for (const b of axes.slice(i + 1)) expect(cosine(a, b)).toBeLessThan(0.99);
        if (i > 0) expect(cosine(a, axes[i - 1]!)).toBeLessThan(0.58); // 1/√3, of a face and a corner
      });
    }
    expect(caught(() => createKdop(10 as KdopSides)).message).toMatch(/^sides must be one of 6, 8/);
    expect(caught(() => createSlabs([1, 0, 0, 0, 0, 0]))).toBeInstanceOf(PhysicsError);
  });

  test('they hold their points, and more sides hold less', () => {
    forAll([cloud, cloud], (points, others) => {
      for (const sides of SIDES) {
        const [a, b] = [
          slabsFromPoints(points, createKdop(sides)),
          slabsFromPoints(others, createKdop(sides)),
        ];
        for (const p of vectorsOf(points)) expect(slabsContainPoint(a, p)).toBe(true);
        const shared = vectorsOf(points).some((p) => vectorsOf(others).some((q) => distance(p, q) === 0));
        if (shared) expect(slabsOverlap(a, b)).toBe(true);
        expect(slabsOverlap(a, b)).toBe(slabsOverlap(b, a));
        const both = mergeSlabs(a, b, createKdop(sides));
        expect(both).toEqual(slabsFromPoints([...points, ...others], createKdop(sides)));
        expect(growSlabs(createKdop(sides), others as Vec3)).toEqual(
          slabsFromPoints(others.slice(0, 3), createKdop(sides)),
        );
      }
      const [six, all] = [6, 26].map((k) => slabsFromPoints(points, createKdop(k as KdopSides)));
      const [sixB, allB] = [6, 26].map((k) => slabsFromPoints(others, createKdop(k as KdopSides)));
      expect(slabsOverlap(six!, sixB!)).toBe(aabbsOverlap(aabbFromPoints(points), aabbFromPoints(others)));
      if (slabsOverlap(all!, allB!)) expect(slabsOverlap(six!, sixB!)).toBe(true);
    });
  });

  test('corners of a k-DOP: about them the same k-DOP, and refitted it holds what turned', () => {
    const solid = fc.array(vector, { minLength: 8, maxLength: 20 }).map((list) => list.flat());
    forAll(
      [solid, fc.constantFrom<KdopSides[]>(6, 8, 14, 18), vector, rotation],
      (points, sides, position, q) => {
        const slabs = slabsFromPoints(points, createKdop(sides));
        const corners = verticesOfSlabs(slabs);
        const size_ = [...(slabs.max as Float64Array)].map((m, i) => m - slabs.min[i]!);
        if (Math.min(...size_) < 0.1) return;
        const again = slabsFromPoints(corners, createKdop(sides));
        for (let i = 0; i < sides / 2; i++) {
          expect(again.min[i]).toBeCloseTo(slabs.min[i]!, 6);
          expect(again.max[i]).toBeCloseTo(slabs.max[i]!, 6);
        }
        const refitted = refitSlabs(corners, position, q, createKdop(sides));
        const exact = refitSlabs(points, position, q, createKdop(sides));
        const moved = vectorsOf(points).flatMap((p) => add(position, turned(q, p)));
        const truth = slabsFromPoints(moved, createKdop(sides));
        for (let i = 0; i < sides / 2; i++) {
          expect(exact.min[i]).toBeCloseTo(truth.min[i]!, 9);
          expect(exact.max[i]).toBeCloseTo(truth.max[i]!, 9);
          expect(refitted.min[i]!).toBeLessThan(truth.min[i]! + 1e-6);
          expect(refitted.max[i]!).toBeGreaterThan(truth.max[i]! - 1e-6);
        }
      },
      0.5,
    );
  });

  test('rays: as points along the ray say', () => {
    forAll([ray, cloud], (r, points) => {
      const slabs = slabsFromPoints(points, createKdop(14));
      const outside = (p: Vec3) =>
        Math.max(
          ...vectorsOf(slabs.axes).map(
            (a, i) => Math.max(slabs.min[i]! - dot(a, p), dot(a, p) - slabs.max[i]!) / length(a),
          ),
        );
      expectMarch(r, raySlabs(r, slabs, hit_), hit_, outside);
    });
    const diamond = slabsFromPoints([1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1], createKdop(8));
    expect(raySlabs(setRay([5, 0.25, 0.25], [-1, 0, 0]), diamond, hit_)).toBe(true);
    expect(hit_.t).toBeCloseTo(4.5, 12);
    for (const c of asVec(hit_.normal)) expect(c).toBeCloseTo(1 / Math.sqrt(3), 12);
  });
  const hit_ = hit();
});

describe(`hulls, seed ${SEED}`, () => {
  const ballOf = (count: number, seed: number): number[] => {
    const next = random(seed);
    return Array.from({ length: count }, () => {
      const v: Vec3 = [next() - 0.5, next() - 0.5, next() - 0.5];
      return scale(v, 2 / length(v));
    }).flat();
  };

  test('a walk over neighbours finds the farthest corner, from anywhere', () => {
    const hull = convexHull(ballOf(200, 1), { maxVertices: 200 });
    const climber = createClimber(hull);
    const corners = vectorsOf(hull.vertices);
    forAll([vector, fc.nat(corners.length - 1)], (direction, start) => {
      const truth = Math.max(...corners.map((c) => dot(direction, c)));
      expect(dot(direction, corners[climb(climber, direction, start)]!)).toBe(truth);
    });
  });

  test('hill climbing from the middle of a face square to the direction', () => {
    // A cube whose faces are grids of 4 × 4: inner corners have level neighbours only.
    const vertices: number[] = [];
    const faces: number[][] = [];
    for (const y of [0, 1]) {
      const base = vertices.length / 3;
      for (let i = 0; i < 25; i++) vertices.push(i % 5, 4 * y, Math.floor(i / 5));
      for (let i = 0; i < 4; i++)
        for (let j = 0; j < 4; j++) {
          const c = base + 5 * i + j;
          faces.push([c, c + 1, c + 6, c + 5]);
        }
    }
    for (let k = 0; k < 4; k++) {
      faces.push([k, k + 1, 26 + k, 25 + k], [20 + k, 21 + k, 46 + k, 45 + k]);
      faces.push([5 * k, 5 * k + 5, 5 * k + 30, 5 * k + 25], [5 * k + 4, 5 * k + 9, 5 * k + 34, 5 * k + 29]);
    }
    const climber = createClimber({ vertices, faces });
    for (let start = 0; start < 50; start++)
      for (const direction of [
        [0, 1, 0],
        [0, -1, 0],
        [1, 0, 0],
        [0, 0, -1],
      ]) {
        const truth = Math.max(...vectorsOf(vertices).map((v) => dot(direction as Vec3, v)));
        expect(dot(direction as Vec3, vectorsOf(vertices)[climb(climber, direction, start)]!)).toBe(truth);
      }
  });

  test('boxes and k-DOPs of what turns, by climbing from where it ended', () => {
    const hull = convexHull(ballOf(120, 2), { maxVertices: 120 });
    const climber = createClimber(hull);
    const starts = new Int32Array(6);
    const dopStarts = new Int32Array(26);
    forAll([vector, rotation], (position, q) => {
      const moved = vectorsOf(hull.vertices).flatMap((p) => add(position, turned(q, p)));
      const truth = aabbFromPoints(moved);
      const found = aabbByClimbing(climber, position, q, starts);
      for (let k = 0; k < 3; k++) {
        expect(found.min[k]).toBeCloseTo(truth.min[k]!, 9);
        expect(found.max[k]).toBeCloseTo(truth.max[k]!, 9);
      }
      const slabs = refitSlabsByClimbing(climber, position, q, dopStarts, createKdop(26));
      const all = refitSlabs(hull.vertices, position, q, createKdop(26));
      for (let i = 0; i < 13; i++) {
        expect(slabs.min[i]).toBeCloseTo(all.min[i]!, 9);
        expect(slabs.max[i]).toBeCloseTo(all.max[i]!, 9);
      }
    });
  });

  test('hulls: nothing lies farther outside than the margin; two that share a point may overlap', () => {
    const [a, few] = [
      convexHull(ballOf(300, 3), { maxVertices: 300 }),
      convexHull(ballOf(300, 3), { maxVertices: 20 }),
    ];
    expect(a.margin).toBeLessThan(1e-5);
    expect(few.margin).toBeGreaterThan(0.05);
    expect(few.vertices.length).toBe(60);
    expect(few.volume).toBeLessThan(a.volume);
    forAll([vector, rotation, vector, rotation], (p, q, p2, q2) => {
      const [b, c] = [transformHull(few, scale(p, 0.7), q), transformHull(few, scale(p2, 0.7), q2)];
      const gap = length(sub(scale(p, 0.7), scale(p2, 0.7)));
      const all = (place: Vec3, turn: number[]) =>
        vectorsOf(ballOf(300, 3)).map((v) => add(place, turned(turn, v)));
      // Both are balls of 2 m but for their facets.
      if (gap < 3.7) expect(hullsMayOverlap(b, c)).toBe(true);
      if (gap > 4.001) expect(hullsMayOverlap(b, c)).toBe(false);
      const moved = all(scale(p, 0.7), q);
      const reach = Math.max(...moved.map((v) => distance(v, b.sphere.center)));
      expect(reach).toBeLessThan(b.sphere.radius + 1e-9);
      expect(hullsMayOverlap(b, c)).toBe(hullsMayOverlap(c, b));
    });
  });

  test('boxes as hulls: apart where their planes say so', () => {
    forAll([box, box], (a, b) => {
      const thick = (x: { min: Vec3; max: Vec3 }) => x.max.every((c, k) => c - x.min[k]! > 0.05);
      if (!thick(a) || !thick(b)) return;
      const [hullA, hullB] = [a, b].map((x) => convexHull(cornersOf(x).flat()));
      if (aabbsOverlap(a, b)) expect(hullsMayOverlap(hullA!, hullB!)).toBe(true);
      const apart = (k: number) => Math.max(a.min[k]! - b.max[k]!, b.min[k]! - a.max[k]!);
      if (Math.max(apart(0), apart(1), apart(2)) > 1e-4) expect(hullsMayOverlap(hullA!, hullB!)).toBe(false);
    });
  });
});
