// Things that move: the first time agrees with a fine march in which distances are looked up, the point is on both then,
// and the normal is between them. With the mistakes of printed versions, each by its name.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Aabb,
  aabbPlaneOverlap,
  aabbsOverlap,
  closestPointOnPolygon,
  createDisjointSet,
  createMovingHit,
  findSet,
  firstTimeByHalving,
  joinSets,
  movingAabbPlane,
  movingAabbs,
  movingConvexCorners,
  movingSphereAabb,
  movingSpherePlane,
  movingSpherePolygon,
  movingSpheres,
  movingSphereTriangle,
  obbsOverlap,
  PhysicsError,
  squaredDistanceToAabb,
  squaredDistanceToTriangle,
  sweptSphereContacts,
} from '../../src/geometry/index';
import { random } from '../physics/support/vector';
import { caught } from '../support/caught';
import {
  add,
  asVec,
  atMost,
  box,
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

const hit = createMovingHit();
const STILL = [0, 0, 0];

/** `apart(t)` is the gap at a time, ≤ 0 where they touch: never so before the hit, and so at it. */
function expectFirst(hits: boolean, time: number, apart: (t: number) => number, slack = 1e-7): void {
  const STEPS = 300;
  for (let i = 0; i <= STEPS; i++) {
    const t = i / STEPS;
    const gap = apart(t);
    if (hits && t < time - 1e-9) atMost(-gap, slack);
    if (!hits && gap < -slack) expect(`meet at ${t}`).toBe('no hit');
  }
  if (!hits) return;
  atMost(apart(time), slack);
  expect(time).toBeGreaterThanOrEqual(0);
  expect(time).toBeLessThanOrEqual(1);
}

describe(`when they first touch, seed ${SEED}`, () => {
  const moved = (p: ArrayLike<number>, motion: Vec3, t: number) => add(asVec(p), scale(motion, t));
  const movedBox = (b: Aabb, motion: Vec3, t: number): Aabb => ({
    min: moved(b.min, motion, t),
    max: moved(b.max, motion, t),
  });

  test('two balls', () => {
    forAll([sphere, vector, sphere, vector], (a, motionA, b, motionB) => {
      const hits = movingSpheres(a, motionA, b, motionB, hit);
      const apart = (t: number) =>
        distance(moved(a.center, motionA, t), moved(b.center, motionB, t)) - a.radius - b.radius;
      expectFirst(hits, hit.time, apart);
      if (!hits || apart(0) < 0 || length(asVec(hit.normal)) === 0) return;
      const [atA, atB] = [moved(a.center, motionA, hit.time), moved(b.center, motionB, hit.time)];
      expect(distance(hit.point, atB)).toBeCloseTo(b.radius, 6);
      expect(distance(hit.point, atA)).toBeCloseTo(a.radius, 6);
      expect(dot(asVec(hit.normal), sub(atA, atB))).toBeCloseTo(a.radius + b.radius, 6);
    });
  });

  test('swept spheres: the first touch is not the time of closest approach, nor is that asked to be within the step', () => {
    const [a, b] = [
      { center: [0, 0, 0], radius: 1 },
      { center: [10, 0, 0], radius: 1 },
    ];
    expect(movingSpheres(a, [16, 0, 0], b, STILL, hit)).toBe(true);
    expect(hit.time).toBe(0.5); // nearest at 0.625
    // Nearest after the step, at 1.25; they touch within it.
    expect(movingSpheres(a, [8, 0, 0], b, STILL, hit)).toBe(true);
    expect(hit).toMatchObject({ time: 1, point: [9, 0, 0], normal: [-1, 0, 0] });
    // Apart already at the start, and nearest before it: but they overlap.
    expect(movingSpheres({ center: [8.5, 0, 0], radius: 1 }, [-5, 0, 0], b, STILL, hit)).toBe(true);
    expect(hit.time).toBe(0);
    expect(movingSpheres({ center: [7.5, 0, 0], radius: 1 }, [-5, 0, 0], b, STILL)).toBe(false);
    // As fast as each other: they keep their distance.
    expect(movingSpheres(a, [5, 5, 5], b, [5, 5, 5])).toBe(false);
  });

  test('balls and boxes against planes', () => {
    forAll([sphere, box, vector, unitVector, size], (ball, b, motion, normal, offset) => {
      const plane = { normal, offset };
      const hits = movingSpherePlane(ball, motion, plane, hit);
      const above = (p: Vec3) => dot(normal, p) - offset;
      expectFirst(hits, hit.time, (t) => Math.abs(above(moved(ball.center, motion, t))) - ball.radius);
      if (hits) expect(above(asVec(hit.point))).toBeCloseTo(0, 9);
      const boxHits = movingAabbPlane(b, motion, plane, hit);
      const middle = scale(add(b.min, b.max), 0.5);
      const reach = [0, 1, 2].reduce(
        (sum, k) => sum + ((b.max[k]! - b.min[k]!) / 2) * Math.abs(normal[k]!),
        0,
      );
      expectFirst(boxHits, hit.time, (t) => Math.abs(above(moved(middle, motion, t))) - reach);
      if (!boxHits) return;
      expect(above(asVec(hit.point))).toBeCloseTo(0, 9);
      if (hit.time > 0) atMost(squaredDistanceToAabb(hit.point, movedBox(b, motion, hit.time)), 1e-12);
      else expect(aabbPlaneOverlap(b, plane)).toBe(true);
    });
    expect(
      movingSpherePlane({ center: [0, 5, 0], radius: 1 }, [0, -4, 0], { normal: [0, 1, 0], offset: 0 }, hit),
    ).toBe(true);
    expect(hit).toMatchObject({ time: 1, normal: [0, 1, 0], point: [0, 0, 0] });
    expect(
      movingSpherePlane({ center: [0, 5, 0], radius: 1 }, [9, 0, 0], { normal: [0, 1, 0], offset: 0 }),
    ).toBe(false);
  });

  test('a ball against a triangle, a polygon, a box', () => {
    forAll([sphere, vector, vector, vector, vector, box], (ball, motion, a, b, c, solid) => {
      const at = (t: number) => moved(ball.center, motion, t);
      const cases = [
        {
          hits: movingSphereTriangle(ball, motion, a, b, c, hit),
          time: hit.time,
          point: asVec(hit.point),
          normal: asVec(hit.normal),
          squared: (p: ArrayLike<number>) => squaredDistanceToTriangle(p, a, b, c),
        },
        {
          hits: movingSpherePolygon(ball, motion, [...a, ...b, ...c], hit),
          time: hit.time,
          point: asVec(hit.point),
          normal: asVec(hit.normal),
          squared: (p: ArrayLike<number>) => distance(p, closestPointOnPolygon(p, [...a, ...b, ...c])) ** 2,
        },
        {
          hits: movingSphereAabb(ball, motion, solid, hit),
          time: hit.time,
          point: asVec(hit.point),
          normal: asVec(hit.normal),
          squared: (p: ArrayLike<number>) => squaredDistanceToAabb(p, solid),
        },
      ];
      for (const { hits, time, point, normal, squared } of cases) {
        expectFirst(hits, time, (t) => Math.sqrt(squared(at(t))) - ball.radius, 1e-6);
        if (!hits) continue;
        atMost(squared(point), 1e-9);
        if (time === 0) continue;
        expect(distance(point, at(time))).toBeCloseTo(ball.radius, 6);
        if (ball.radius > 0.01) expect(dot(normal, sub(at(time), point))).toBeCloseTo(ball.radius, 6);
      }
    });
    // Past the notch of an L, and onto its arm.
    const l = [0, 0, 0, 4, 0, 0, 4, 1, 0, 1, 1, 0, 1, 4, 0, 0, 4, 0];
    expect(movingSpherePolygon({ center: [3, 3, 5], radius: 1 }, [0, 0, -10], l)).toBe(false);
    expect(movingSpherePolygon({ center: [3, 0.5, 5], radius: 1 }, [0, 0, -10], l, hit)).toBe(true);
    expect(hit).toMatchObject({ time: 0.4, normal: [0, 0, 1] });
  });

  test('two boxes', () => {
    forAll([box, vector, box, vector], (a, motionA, b, motionB) => {
      const hits = movingAabbs(a, motionA, b, motionB, hit);
      const apart = (t: number) => {
        const [p, q] = [movedBox(a, motionA, t), movedBox(b, motionB, t)];
        return Math.max(...[0, 1, 2].map((k) => Math.max(p.min[k]! - q.max[k]!, q.min[k]! - p.max[k]!)));
      };
      expectFirst(hits, hit.time, apart);
      if (!hits) return;
      for (const solid of [movedBox(a, motionA, hit.time), movedBox(b, motionB, hit.time)])
        atMost(squaredDistanceToAabb(hit.point, solid), 1e-12);
      if (aabbsOverlap(a, b)) expect(hit.time).toBe(0);
      else expect(dot(asVec(hit.normal), sub(motionA, motionB))).toBeLessThan(0);
    });
    const cube: Aabb = { min: [0, 0, 0], max: [1, 1, 1] };
    expect(movingAabbs(cube, [4, 0, 0], { min: [3, 0, 0], max: [4, 1, 1] }, STILL, hit)).toBe(true);
    expect(hit).toMatchObject({ time: 0.5, normal: [-1, 0, 0], point: [3, 0.5, 0.5] });
    expect(movingAabbs(cube, [4, 0, 0], { min: [3, 1, 0], max: [4, 2, 1] }, STILL)).toBe(true); // slides along it
  });

  test('turned boxes as convex corners', () => {
    const solid = (b: { center: Vec3; halfExtents: number[]; rotation: number[] }) => {
      const axes = [0, 1, 2].flatMap((k) =>
        turned(b.rotation, [0, 1, 2].map((j) => (j === k ? 1 : 0)) as Vec3),
      );
      return { corners: obbCorners(b as never).flat(), normals: axes, edges: axes };
    };
    forAll(
      [obb, vector, obb, vector],
      (a, motionA, b, motionB) => {
        const hits = movingConvexCorners(solid(a), motionA, solid(b), motionB, hit);
        const grown = (by: number, t: number) =>
          obbsOverlap(
            { ...a, center: moved(a.center, motionA, t), halfExtents: a.halfExtents.map((h) => h + by) },
            { ...b, center: moved(b.center, motionB, t) },
          );
        for (let i = 0; i <= 100; i++) {
          const t = i / 100;
          if (hits ? t < hit.time - 1e-9 : true)
            if (Math.min(...a.halfExtents) > 1e-6 && grown(-1e-7, t))
              expect(`meet at ${t}`).toBe('later, or never');
        }
        if (!hits) return;
        expect(grown(1e-7, hit.time)).toBe(true);
        if (hit.time === 0) return;
        // The point is of both, and the normal parts them.
        const inBox = (o: typeof a, motion: Vec3) => {
          const local = sub(asVec(hit.point), moved(o.center, motion, hit.time));
          const [x, y, z, w] = o.rotation as [number, number, number, number];
          const own = turned([-x, -y, -z, w], local);
          return Math.max(...own.map((c, k) => Math.abs(c) - o.halfExtents[k]!));
        };
        atMost(inBox(a, motionA), 1e-6);
        atMost(inBox(b, motionB), 1e-6);
        expect(dot(asVec(hit.normal), sub(motionA, motionB))).toBeLessThan(1e-12);
      },
      0.7,
    );
  });

  test('by halving: as near as asked, and no more questions than needed', () => {
    // A ball on a circle comes into reach of a post at a known time.
    const at = (t: number) => [Math.cos(3 * t), Math.sin(3 * t)] as const;
    let asked = 0;
    const mayTouch = (from: number, to: number) => {
      asked++;
      const middle = at((from + to) / 2);
      const reach = (3 * (to - from)) / 2; // the farthest it comes from there
      return Math.hypot(middle[0], middle[1] - 1) <= 0.1 + reach;
    };
    const truth = (Math.PI / 2 - 2 * Math.asin(0.05)) / 3;
    const time = firstTimeByHalving(mayTouch, 1e-6);
    expect(time).toBeLessThanOrEqual(truth);
    expect(time).toBeGreaterThan(truth - 1e-5);
    expect(asked).toBeLessThan(100);
    expect(firstTimeByHalving(() => false)).toBe(Infinity);
    expect(firstTimeByHalving(() => true)).toBe(0);
    expect(caught(() => firstTimeByHalving(() => true, 0))).toBeInstanceOf(PhysicsError);
  });
});

describe(`many balls at once, seed ${SEED}`, () => {
  const cloudOf = (count: number, seed: number) => {
    const next = random(seed);
    const previous = Float64Array.from({ length: 3 * count }, () => 10 * next());
    const current = previous.map((c) => c + 2 * next() - 1);
    return { previous, current, radii: Float64Array.from({ length: count }, () => 0.5 * next()) };
  };

  test('every pair, each once, as all pairs one by one say; by time', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const { previous, current, radii } = cloudOf(200, seed);
      const { contacts, groups } = sweptSphereContacts(previous, current, radii);
      const truth: string[] = [];
      const ball = (i: number) => ({ center: previous.subarray(3 * i, 3 * i + 3), radius: radii[i]! });
      const motion = (i: number) => [0, 1, 2].map((k) => current[3 * i + k]! - previous[3 * i + k]!);
      for (let i = 0; i < 200; i++)
        for (let j = i + 1; j < 200; j++)
          if (movingSpheres(ball(i), motion(i), ball(j), motion(j), hit)) truth.push(`${i} ${j} ${hit.time}`);
      expect(contacts.map(({ a, b, time }) => `${a} ${b} ${time}`).sort()).toEqual(truth.sort());
      expect(truth.length).toBeGreaterThan(10);
      for (let i = 1; i < contacts.length; i++)
        expect(contacts[i]!.time).toBeGreaterThanOrEqual(contacts[i - 1]!.time);
      for (const { a, b } of contacts) expect(groups[a]).toBe(groups[b]);
    }
  });

  test('its update order: all boxes before any pair, so the order of the balls does not matter', () => {
    const { previous, current, radii } = cloudOf(120, 9);
    const forth = sweptSphereContacts(previous, current, radii);
    const back = (list: Float64Array, width: number) =>
      Float64Array.from({ length: list.length }, (_, i) => list[list.length - width - i + 2 * (i % width)]!);
    const reversed = sweptSphereContacts(back(previous, 3), back(current, 3), back(radii, 1));
    const name = (i: number) => 119 - i;
    expect(reversed.contacts.map(({ a, b }) => `${name(b)} ${name(a)}`).sort()).toEqual(
      forth.contacts.map(({ a, b }) => `${a} ${b}`).sort(),
    );
    const together = (groups: Int32Array, i: number, j: number) => groups[i] === groups[j];
    for (let i = 0; i < 120; i++)
      for (let j = 0; j < 120; j++)
        if (together(forth.groups, i, j) !== together(reversed.groups, name(i), name(j)))
          expect([i, j]).toBe('one group');
  });

  test('a chain is one group, whatever the order', () => {
    // A touches B, B touches C, A does not touch C; D is alone.
    const place = { A: [0, 0, 0], B: [2, 0, 0], C: [4, 0, 0], D: [9, 0, 0] };
    for (const order of ['ABCD', 'ACBD', 'DCAB', 'BDCA', 'CADB']) {
      const previous = [...order].flatMap((name) => place[name as 'A']);
      const { contacts, groups } = sweptSphereContacts(previous, previous, [1, 1, 1, 1]);
      expect(contacts).toHaveLength(2);
      const group = (name: string) => groups[order.indexOf(name)];
      expect([group('A') === group('B'), group('B') === group('C'), group('C') === group('D')]).toEqual([
        true,
        true,
        false,
      ]);
      expect(group('A')).toBe(Math.min(order.indexOf('A'), order.indexOf('B'), order.indexOf('C')));
    }
    expect(sweptSphereContacts([], [], [])).toEqual({ contacts: [], groups: new Int32Array(0) });
  });

  test('lists that do not fit are refused by name', () => {
    expect(caught(() => sweptSphereContacts([0, 0, 0], [0, 0], [1])).message).toMatch(/^current\.length/);
    expect(caught(() => sweptSphereContacts([0, 0, 0], [0, 0, 0], [1, 2])).message).toMatch(
      /^radii\.length must be 1/,
    );
    expect(caught(() => sweptSphereContacts([0, 0, 0], [0, 0, 0], [-1])).message).toBe(
      'radii[0] must be ≥ 0, got -1',
    );
  });

  test('disjoint sets: the least number names a set, in any order, 100,000 in a row', () => {
    const count = 100_000;
    for (const step of [1, -1]) {
      const set = createDisjointSet(count);
      for (let i = step > 0 ? 1 : count - 1; i > 0 && i < count; i += step) joinSets(set, i, i - 1);
      for (let i = 0; i < count; i += 997) if (findSet(set, i) !== 0) expect(i).toBe('in set 0');
    }
    const pair = fc.tuple(fc.nat(29), fc.nat(29));
    forAll([fc.array(pair, { maxLength: 40 })], (pairs) => {
      const set = createDisjointSet(30);
      for (const [a, b] of pairs) joinSets(set, a, b);
      // Names spread until nothing changes.
      const name = Array.from({ length: 30 }, (_, i) => i);
      for (let round = 0; round < 30; round++)
        for (const [a, b] of pairs) name[a] = name[b] = Math.min(name[a]!, name[b]!);
      expect(name.map((_, i) => findSet(set, i))).toEqual(name);
    });
  });
});
