// Rays against single shapes, and the bounds of shapes. The oracle of a ray is the distance function of
// the shape, which is convex along the ray: its least value says whether there is a hit, bisection
// where. Closed cases first.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  add,
  axisAngle,
  degreesBetween,
  dot,
  length,
  random,
  rotate,
  scale,
  sub,
  type Vec3,
} from '../physics/support/vector';
import { corners, pointDistance } from '../reference/separation';
import {
  createNarrowphase,
  identity,
  type Kind,
  type Narrowphase,
  type Placed,
  randomRotation,
  randomShape,
  rounded,
  sizeOf,
  solid,
  unitVector,
} from './support/narrowphase';

const SEED = 5;
let core: Narrowphase;
beforeAll(async () => {
  core = await createNarrowphase();
});

const place = (kind: Kind, params: number[], position: Vec3 = [0, 0, 0]): Placed =>
  rounded({ kind, params, position, rotation: identity });

describe('closed cases', () => {
  const sphere = place('sphere', [1]);
  const box = place('box', [1, 2, 3]);
  const capsule = place('capsule', [1, 2]);
  const plane = place('plane', []);
  const cases: [string, Placed, Vec3, Vec3, number | null, Vec3?][] = [
    ['sphere, through the centre', sphere, [-5, 0, 0], [10, 0, 0], 0.4, [-1, 0, 0]],
    ['sphere, tangent counts as one hit', sphere, [-5, 1, 0], [10, 0, 0], 0.5, [0, 1, 0]],
    ['sphere, just past', sphere, [-5, 1.0001, 0], [10, 0, 0], null],
    ['sphere, centre behind the origin, origin outside', sphere, [2, 0, 0], [10, 0, 0], null],
    ['sphere, origin inside', sphere, [0.5, 0, 0], [0, 10, 0], 0, [0, -1, 0]],
    ['sphere, origin on the surface, inwards', sphere, [1, 0, 0], [-1, 0, 0], 0, [1, 0, 0]],
    ['sphere, ends short', sphere, [-5, 0, 0], [3.9, 0, 0], null],
    ['sphere, ends on the surface', sphere, [-5, 0, 0], [4, 0, 0], 1, [-1, 0, 0]],
    ['sphere, no length, outside', sphere, [2, 0, 0], [0, 0, 0], null],
    ['sphere, a million metres away', sphere, [1e6, 0.5, 0], [-2e6, 0, 0], (1e6 - Math.sqrt(0.75)) / 2e6],
    ['box, first face', box, [-5, 1, 1], [10, 0, 0], 0.4, [-1, 0, 0]],
    ['box, along a face counts', box, [-5, 2, 0], [10, 0, 0], 0.4, [-1, 0, 0]],
    ['box, past a face', box, [-5, 2.0001, 0], [10, 0, 0], null],
    ['box, through a corner only', box, [0, 3, 3], [2, -2, 0], 0.5],
    ['box, exit before entry', box, [-3, 0, 0], [4, 4.1, 0], null],
    ['box, origin inside', box, [0, 0, 0], [1, 0, 0], 0, [-1, 0, 0]],
    ['box, behind', box, [2, 0, 0], [1, 0, 0], null],
    ['box, no length, outside', box, [2, 0, 0], [0, 0, 0], null],
    ['capsule, side', capsule, [-5, 1, 0], [10, 0, 0], 0.4, [-1, 0, 0]],
    ['capsule, tangent to the side', capsule, [-5, 1, 1], [10, 0, 0], 0.5, [0, 0, 1]],
    ['capsule, end on', capsule, [0, 5, 0], [0, -10, 0], 0.2, [0, 1, 0]],
    ['capsule, lower end on', capsule, [0, -5, 0], [0, 10, 0], 0.2, [0, -1, 0]],
    ['capsule, tip, tangent', capsule, [-5, 3, 0], [10, 0, 0], 0.5, [0, 1, 0]],
    ['capsule, beside the cap inside the cylinder', capsule, [-5, 2.9, 0.9], [10, 0, 0], null],
    ['capsule, origin inside', capsule, [0, 2.5, 0], [0, 0, 2], 0, [0, 0, -1]],
    ['capsule, away', capsule, [0, 3.5, 0], [0, 1, 0], null],
    ['plane, from above', plane, [0, 3, 0], [1, -6, 0], 0.5, [0, 1, 0]],
    ['plane, parallel', plane, [0, 3, 0], [1, 0, 0], null],
    ['plane, from below', plane, [0, -1, 0], [0, 2, 0], 0, [0, -1, 0]],
  ];
  test.each(cases)('%s', (_name, shape, from, delta, fraction, normal) => {
    const hit = core.ray(shape, from, delta);
    if (fraction === null) {
      expect(hit).toBeNull();
      return;
    }
    expect(hit).not.toBeNull();
    expect(hit!.fraction).toBeCloseTo(fraction, 6);
    if (normal) expect(length(sub(hit!.normal, normal))).toBeLessThan(1e-6);
    else expect(Math.abs(length(hit!.normal) - 1)).toBeLessThan(1e-6);
  });

  test('maxFraction shortens the ray', () => {
    expect(core.ray(sphere, [-5, 0, 0], [10, 0, 0], 0.39)).toBeNull();
    expect(core.ray(sphere, [-5, 0, 0], [10, 0, 0], 0.4)?.fraction).toBeCloseTo(0.4, 6);
  });
});

test.each(['sphere', 'capsule', 'box', 'plane'] as Kind[])('3000 random rays at a %s (seed 5)', (kind) => {
  const next = random(SEED);
  let worst = 0;
  let hits = 0;
  for (let i = 0; i < 3000; i++) {
    const shape = rounded({ ...randomShape(kind, 1, next), position: scale(unitVector(next), 3 * next()) });
    const body = solid(shape);
    const size = sizeOf(shape) || 1;
    const far = 10 ** (4 * next());
    const aim = add(shape.position, scale(unitVector(next), size * 1.2 * next()));
    const from = add(aim, scale(unitVector(next), size * far)).map(Math.fround) as Vec3;
    const delta = scale(sub(aim, from), 2).map(Math.fround) as Vec3;
    const at = (t: number) => pointDistance(add(from, scale(delta, t)), body);
    if (at(0) === 0) {
      expect(core.ray(shape, from, delta)?.fraction).toBe(0);
      continue;
    }
    let [low, high] = [0, 1];
    for (let k = 0; k < 90; k++) {
      const [t1, t2] = [low + (high - low) / 3, high - (high - low) / 3];
      const [d1, d2] = [at(t1), at(t2)];
      if (d1 <= d2) high = t2;
      else low = t1;
      if (d1 === 0) high = t1;
    }
    const hit = core.ray(shape, from, delta);
    const gap = at(high);
    // Too close to tangent to say.
    if (gap > 0 && gap < 1e-7 * size) continue;
    if (gap > 0) {
      expect(hit).toBeNull();
      continue;
    }
    let outside = 0;
    for (let k = 0; k < 60; k++) {
      const middle = (outside + high) / 2;
      if (at(middle) > 0) outside = middle;
      else high = middle;
    }
    if (!hit) {
      // A graze shorter than f64 rounding at that distance.
      expect(at(high + 1e-9)).toBeGreaterThan(0);
      continue;
    }
    hits++;
    worst = Math.max(worst, Math.abs(hit.fraction - high));
    expect(Math.abs(length(hit.normal) - 1)).toBeLessThan(1e-6);
    expect(dot(hit.normal, delta)).toBeLessThanOrEqual(1e-6 * length(delta));
  }
  expect(hits).toBeGreaterThan(600);
  expect(worst).toBeLessThan(1e-6);
});

describe('bounds', () => {
  test.each(['sphere', 'capsule', 'box'] as Kind[])('of a random %s touch its extremes (seed 5)', (kind) => {
    const next = random(SEED);
    for (let i = 0; i < 2000; i++) {
      const shape = rounded({ ...randomShape(kind, 1, next), position: scale(unitVector(next), 3) });
      const { min, max } = core.aabb(shape);
      const body = solid(shape);
      const points =
        body.kind === 'box'
          ? corners(body)
          : body.kind === 'rounded'
            ? [0, 1, 2].flatMap((axis) => {
                const r: Vec3 = [0, 0, 0];
                r[axis] = body.radius;
                return [body.from, body.to].flatMap((end) => [add(end, r), sub(end, r)]);
              })
            : [];
      for (let axis = 0; axis < 3; axis++) {
        const values = points.map((p) => p[axis]!);
        expect(Math.abs(min[axis]! - Math.min(...values))).toBeLessThan(2e-6);
        expect(Math.abs(max[axis]! - Math.max(...values))).toBeLessThan(2e-6);
      }
    }
  });

  test('a plane is bounded on its outer side where its normal is an axis', () => {
    const normals: [Vec3, number, 'min' | 'max'][] = [
      [[0, 1, 0], 1, 'max'],
      [[0, -1, 0], 1, 'min'],
      [[0, 0, 1], 2, 'max'],
      [[-1, 0, 0], 0, 'min'],
    ];
    for (const [normal, axis, side] of normals) {
      const turn =
        normal[1] === 1
          ? identity
          : normal[1] === -1
            ? axisAngle([1, 0, 0], Math.PI)
            : axisAngle([normal[2], 0, -normal[0]], Math.PI / 2);
      expect(degreesBetween(rotate(turn, [0, 1, 0]), normal)).toBeLessThan(1e-6);
      const bounds = core.aabb(rounded({ kind: 'plane', params: [], position: [3, 4, 5], rotation: turn }));
      expect(Math.abs(bounds[side][axis]! - [3, 4, 5][axis]!)).toBeLessThan(0.05);
      for (const s of ['min', 'max'] as const)
        for (let k = 0; k < 3; k++)
          if (s !== side || k !== axis) expect(Math.abs(bounds[s][k]!)).toBeGreaterThan(1e29);
    }
  });

  test('that bound is above the plane up to 100 km from its origin', () => {
    const tilt = 5e-7;
    const turn: [number, number, number, number] = [0, 0, Math.sin(tilt / 2), Math.cos(tilt / 2)];
    const bounds = core.aabb(rounded({ kind: 'plane', params: [], position: [0, 0, 0], rotation: turn }));
    expect(bounds.max[1]! / (tilt * 1e5)).toBeCloseTo(1, 2);
  });

  test('a tilted plane is unbounded', () => {
    const next = random(SEED);
    const bounds = core.aabb(
      rounded({ kind: 'plane', params: [], position: [0, 0, 0], rotation: randomRotation(next) }),
    );
    for (const v of [...bounds.min, ...bounds.max]) expect(Math.abs(v)).toBeGreaterThan(1e29);
  });
});
