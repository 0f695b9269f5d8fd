// The overlap oracle against cases that are solved by hand, and against its own symmetries.

import { expect, test } from 'vitest';
import type { ShapeOptions } from '../../src/types';
import { add, axisAngle, multiply, type Quat, random, rotate, type Vec3 } from '../physics/support/vector';
import { penetration, solidOf } from './penetration';

const UPRIGHT: Quat = [0, 0, 0, 1];
const at = (shape: ShapeOptions, position: Vec3, rotation = UPRIGHT) =>
  solidOf({ shape, position, rotation });
const ball: ShapeOptions = { type: 'sphere', radius: 0.5 };
const box: ShapeOptions = { type: 'box', halfExtents: [0.5, 1, 0.25] };
const capsule: ShapeOptions = { type: 'capsule', radius: 0.25, halfHeight: 1 };
const floor: ShapeOptions = { type: 'plane' };
const eighth = axisAngle([0, 0, 1], Math.PI / 4);

test('spheres: sum of radii less distance', () => {
  expect(penetration(at(ball, [0, 0, 0]), at(ball, [0.6, 0, 0.8]))).toBeCloseTo(0, 12);
  expect(penetration(at(ball, [0, 0, 0]), at(ball, [0, 0.7, 0]))).toBeCloseTo(0.3, 12);
  expect(penetration(at(ball, [0, 0, 0]), at(ball, [0, 0, 0]))).toBeCloseTo(1, 12);
});

test('boxes: along a face, and corner first', () => {
  expect(penetration(at(box, [0, 0, 0]), at(box, [0.9, 0, 0]))).toBeCloseTo(0.1, 12);
  expect(penetration(at(box, [0, 0, 0]), at(box, [0.9, 1.95, 0.1]))).toBeCloseTo(0.05, 12);
  const cube: ShapeOptions = { type: 'box', halfExtents: [0.5, 0.5, 0.5] };
  // A cube on its edge reaches √½ down; its edge sinks 0.1 into the cube below.
  const y = 0.5 + Math.SQRT1_2 - 0.1;
  expect(penetration(at(cube, [0, 0, 0]), at(cube, [0, y, 0], eighth))).toBeCloseTo(0.1, 12);
});

test('crossed box edges: the axis is the cross product of the edges', () => {
  // Two cubes stood on edges that cross at right angles: each reaches √½, the gap is −0.02.
  const cube: ShapeOptions = { type: 'box', halfExtents: [0.5, 0.5, 0.5] };
  const lower = at(cube, [0, 0, 0], axisAngle([1, 0, 0], Math.PI / 4));
  const upper = at(cube, [0, 2 * Math.SQRT1_2 - 0.02, 0], eighth);
  expect(penetration(lower, upper)).toBeCloseTo(0.02, 12);
});

test('capsules: parallel, crossed, end to end, and a point inside a box', () => {
  expect(penetration(at(capsule, [0, 0, 0]), at(capsule, [0.4, 0.3, 0]))).toBeCloseTo(0.1, 12);
  const lying = axisAngle([1, 0, 0], Math.PI / 2);
  expect(penetration(at(capsule, [0, 0, 0]), at(capsule, [0.45, 0, 0], lying))).toBeCloseTo(0.05, 12);
  expect(penetration(at(capsule, [0, 0, 0]), at(capsule, [0, 2.4, 0]))).toBeCloseTo(0.1, 12);
  // Lower cap 0.05 into the top of the box, from outside; then its segment's end 0.1 inside.
  expect(penetration(at(box, [0, 0, 0]), at(capsule, [0, 2.2, 0]))).toBeCloseTo(0.05, 9);
  expect(penetration(at(box, [0, 0, 0]), at(capsule, [0, 1.9, 0]))).toBeCloseTo(0.35, 9);
  expect(penetration(at(ball, [0.9, 0, 0]), at(box, [0, 0, 0]))).toBeCloseTo(0.1, 9);
});

test('the floor: lowest point of each shape', () => {
  expect(penetration(at(floor, [0, 0, 0]), at(ball, [3, 0.4, 0]))).toBeCloseTo(0.1, 12);
  expect(penetration(at(floor, [0, 0, 0]), at(capsule, [3, 1.2, 0]))).toBeCloseTo(0.05, 12);
  const y = 1.5 * Math.SQRT1_2 - 0.01; // half extents .5 and 1 at 45°
  expect(penetration(at(box, [0, y, 0], eighth), at(floor, [0, 0, 0]))).toBeCloseTo(0.01, 12);
});

test('depth does not depend on order or on a common motion (seed 7)', () => {
  const next = random(7);
  const shapes = [ball, box, capsule];
  const place = (): [Vec3, Quat] => {
    const q: Quat = [next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5];
    const size = Math.hypot(...q);
    return [[next(), next(), next()], q.map((c) => c / size) as Quat];
  };
  for (let i = 0; i < 2000; i++) {
    const [a, b] = [shapes[Math.floor(next() * 3)], shapes[Math.floor(next() * 3)]];
    const [[p, q], [r, s], [t, u]] = [place(), place(), place()];
    const depth = penetration(at(a, p, q), at(b, r, s));
    expect(penetration(at(b, r, s), at(a, p, q))).toBeCloseTo(depth, 8);
    const moved = (v: Vec3) => add(rotate(u, v), t);
    const both = penetration(at(a, moved(p), multiply(u, q)), at(b, moved(r), multiply(u, s)));
    // Where nothing overlaps only the sign is promised for boxes.
    if (depth > 0) expect(both).toBeCloseTo(depth, 8);
    else expect(both).toBeLessThanOrEqual(1e-8);
  }
});

test('moving one shape by the depth separates the pair: no smaller depth is possible (seed 8)', () => {
  // Probe 200 directions: along none of them does a shift shorter than the depth separate.
  const next = random(8);
  for (let i = 0; i < 50; i++) {
    const q = axisAngle([0.6, 0, 0.8], next() * 3);
    const [a, b] = [
      at(box, [0, 0, 0]),
      solidOf({ shape: capsule, position: [next(), next(), next()], rotation: q }),
    ];
    const depth = penetration(a, b);
    if (depth <= 1e-6 || b.kind !== 'rounded') continue;
    for (let k = 0; k < 200; k++) {
      const d: Vec3 = [next() - 0.5, next() - 0.5, next() - 0.5];
      const shift = d.map((c) => (c / Math.hypot(...d)) * depth * 0.999) as Vec3;
      const shifted = { ...b, from: add(b.from, shift), to: add(b.to, shift) };
      expect(penetration(a, shifted)).toBeGreaterThan(0);
    }
  }
});
