// Shape queries against meshes and heightfields in closed form: distances, sweeps, overlaps and contacts with a flat
// floor of triangles, its holes, its seams and its two sides. In: small worlds. Out: hits with triangles.
import { describe, expect, test } from 'vitest';
import { heightfield, mesh, type ShapeOptions, World } from '../../src';

const BALL: ShapeOptions = { type: 'sphere', radius: 0.5 };
const SHAPES: [ShapeOptions, number][] = [
  [BALL, 0.5],
  [{ type: 'box', halfExtents: [0.5, 0.4, 0.3] }, 0.4],
  [{ type: 'capsule', radius: 0.3, halfHeight: 0.4 }, 0.7],
  [{ type: 'cylinder', radius: 0.3, halfHeight: 0.4 }, 0.4],
  [{ type: 'cone', radius: 0.3, halfHeight: 0.4 }, 0.4],
  [{ type: 'hull', points: [1, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 2, 0, 0, -0.5, 0] }, 0.5],
];

/** Cells of 1 m about the origin at y = 0. */
function grid(n: number) {
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) vertices.push(i - n / 2, 0, j - n / 2);
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      const a = j * (n + 1) + i;
      indices.push(a, a + n + 1, a + 1, a + 1, a + n + 1, a + n + 2);
    }
  return { vertices, indices };
}
const flat = (n: number, oneSided = false) => mesh({ ...grid(n), oneSided });
const field = (n: number, holes?: boolean[]) =>
  heightfield({
    rows: n + 1,
    columns: n + 1,
    heights: new Float32Array((n + 1) ** 2),
    spacing: [1, 1],
    ...(holes && { holes }),
  });

function floorOf(shape: ShapeOptions) {
  const world = new World();
  const floor = world.createBody({ type: 'static', shape });
  return { world, floor };
}

describe.each([
  ['a mesh', () => flat(8)],
  ['a heightfield', () => field(8)],
] as const)('%s', (_, make) => {
  test('is as far below every convex shape as its lowest point says, and met after that way', () => {
    const { world, floor } = floorOf(make());
    for (const [shape, low] of SHAPES) {
      const target = { shape, position: [0.3, 2, -0.4] };
      const near = world.nearestTest(target)!;
      expect(near.body).toBe(floor);
      expect(near.distance).toBeCloseTo(2 - low, 5);
      expect(near.normal[1]).toBeCloseTo(-1, 5);
      expect(near.pointB[1]).toBeCloseTo(0, 5);
      expect(near.pointA[1]).toBeCloseTo(2 - low, 5);
      // The triangle under the nearest point: twice the cell, the second half beyond the diagonal.
      const [x, , z] = near.pointB;
      const cell = 8 * Math.floor(z + 4) + Math.floor(x + 4);
      if (shape.type !== 'box' && shape.type !== 'cylinder' && shape.type !== 'cone')
        expect(near.triangle >> 1).toBe(cell);
      expect(world.nearestTest(target, { maxDistance: 1.9 - low })).toBeNull();
      const hit = world.convexSweepTest(target, [0, -4, 0])!;
      expect(4 * hit.fraction).toBeCloseTo(2 - low, 4);
      expect(hit.normal[1]).toBeCloseTo(1, 5);
      expect(hit.point[1]).toBeCloseTo(0, 4);
      expect(hit.triangle).toBeGreaterThanOrEqual(0);
      expect(world.convexSweepTest(target, [0, -1.9 + low, 0])).toBeNull();
      expect(world.convexSweepTest(target, [0, 4, 0])).toBeNull();
      expect(world.overlapShapeTest(target)).toEqual([]);
      expect(world.contactTest(target, { maxDistance: 1.9 - low })).toEqual([]);
      const contacts = world.contactTest(target, { maxDistance: 2.1 - low });
      expect(contacts).toHaveLength(1);
      expect(contacts[0]!.normal[1]).toBeCloseTo(-1, 5);
      for (const point of contacts[0]!.points) {
        expect(point.separation).toBeGreaterThan(2 - low - 1e-4);
        expect(point.triangle).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test('is overlapped by what reaches into it, to the depth that it reaches', () => {
    const { world, floor } = floorOf(make());
    for (const [shape, low] of SHAPES) {
      const target = { shape, position: [0.3, low - 0.05, -0.4] };
      expect(world.overlapShapeTest(target).map(({ body }) => body)).toEqual([floor]);
      const near = world.nearestTest(target)!;
      expect(near.distance).toBeCloseTo(-0.05, 4);
      expect(near.normal[1]).toBeCloseTo(-1, 4);
      expect(world.convexSweepTest(target, [1, 0, 0])!.fraction).toBe(0);
      const contact = world.contactTest(target)[0]!;
      expect(Math.min(...contact.points.map(({ separation }) => separation))).toBeCloseTo(-0.05, 4);
    }
  });

  test('does not stop what is swept along it: its seams are no edges', () => {
    const { world } = floorOf(make());
    for (const [shape, low] of SHAPES)
      for (let k = 0; k < 16; k++) {
        const [c, s] = [Math.cos((k * Math.PI) / 8), Math.sin((k * Math.PI) / 8)];
        for (const height of [0, 1e-7, 1e-6]) {
          const target = { shape, position: [-2 * c, low + height, -2 * s] };
          const hit = world.convexSweepTest(target, [4 * c, 0, 4 * s]);
          expect(hit && [shape.type, k, height, hit.fraction, hit.normal, hit.triangle]).toBeNull();
        }
      }
  });

  test('is known from both sides by bodies, pieces and pairs', () => {
    const { world, floor } = floorOf(make());
    const ball = world.createBody({ shape: BALL, position: [0.3, 1, 0.2] });
    const up = world.closestPoints(floor, ball)!;
    expect(up.distance).toBeCloseTo(0.5, 6);
    expect(up.normal[1]).toBeCloseTo(1, 6);
    expect(up.pointA[1]).toBeCloseTo(0, 6);
    const down = world.closestPoints(ball, floor)!;
    expect(down.normal[1]).toBeCloseTo(-1, 6);
    expect(down.pointB).toEqual(up.pointA);
    // The floor rises: it meets the ball after 0.5 m, where the ball is.
    const hit = world.convexSweepTest(floor, [0, 2, 0])!;
    expect(hit.body).toBe(ball);
    expect(hit.fraction).toBeCloseTo(0.25, 5);
    expect(hit.normal[1]).toBeCloseTo(-1, 5);
    expect(hit.point[1]).toBeCloseTo(0.5, 4);
    const pair = world.contactPairTest(floor, ball, { maxDistance: 1 });
    expect(pair[0]!.normal[1]).toBeCloseTo(1, 6);
    expect(pair[0]!.points[0]!.separation).toBeCloseTo(0.5, 6);
    expect(world.nearestTest(floor)!.body).toBe(ball);
    // Surfaces have no distance among themselves.
    const other = world.createBody({ type: 'static', shape: make(), position: [0, 1, 0] });
    expect(world.closestPoints(floor, other)).toBeNull();
    expect(world.contactPairTest(floor, other)).toEqual([]);
  });
});

test('one-sided meshes are there for what is in front', () => {
  const { world } = floorOf(flat(4, true));
  for (const [shape] of SHAPES) {
    const below = { shape, position: [0.3, -0.6, 0.1] };
    expect(world.nearestTest(below)?.triangle).toBeUndefined();
    expect(world.overlapShapeTest(below)).toEqual([]);
    expect(world.contactTest(below)).toEqual([]);
    expect(world.convexSweepTest(below, [0, 3, 0])).toBeNull();
    const above = { shape, position: [0.3, 0.05, 0.1] };
    const near = world.nearestTest(above)!;
    expect(near.normal[1]).toBeLessThan(0);
    expect(world.overlapShapeTest(above)).toHaveLength(1);
    expect(world.convexSweepTest({ shape, position: [0.3, 3, 0.1] }, [0, -4, 0])!.normal[1]).toBeCloseTo(
      1,
      5,
    );
  }
  // Deep below the middle, but with its origin in front: out at the front.
  const box: ShapeOptions = { type: 'box', halfExtents: [0.2, 1, 0.2] };
  const near = world.nearestTest({ shape: box, position: [0.3, 0.1, 0.2] })!;
  expect(near.distance).toBeLessThan(0);
  expect(near.normal[1]).toBeCloseTo(-1, 5);
  expect(near.distance).toBeCloseTo(-0.9, 5);
});

test('a field has no ground in its holes', () => {
  const holes = Array.from({ length: 64 }, (_, cell) => cell === 8 * 4 + 4);
  const { world } = floorOf(field(8, holes));
  // The hole is x and z from 0 to 1: its rim is 0.5 from the axis of the ball, which just fits.
  const small: ShapeOptions = { type: 'sphere', radius: 0.4 };
  expect(world.nearestTest({ shape: small, position: [0.5, 0, 0.5] })!.distance).toBeCloseTo(0.1, 6);
  expect(world.convexSweepTest({ shape: small, position: [0.5, 2, 0.5] }, [0, -4, 0])).toBeNull();
  expect(world.overlapShapeTest({ shape: small, position: [0.5, 0, 0.5] })).toEqual([]);
  const large: ShapeOptions = { type: 'sphere', radius: 0.6 };
  // It meets the middles of the rim's edges where its surface is 0.5 from the axis.
  const hit = world.convexSweepTest({ shape: large, position: [0.5, 2, 0.5] }, [0, -4, 0])!;
  expect(4 * hit.fraction).toBeCloseTo(2 - Math.sqrt(0.6 ** 2 - 0.5 ** 2), 4);
});

test('a scaled, mirrored and turned mesh is where its triangles are', () => {
  const world = new World();
  const wedge = mesh({
    vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0],
    indices: [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2],
  });
  const h = Math.SQRT1_2;
  world.createBody({
    type: 'static',
    shape: { ...wedge, scale: [-2, 3, 1] },
    position: [5, 0, 0],
    rotation: [0, h, 0, h], // x → −z, z → x
  });
  const ball = (x: number, y: number, z: number) =>
    world.nearestTest({ shape: { type: 'sphere', radius: 0.25 }, position: [x, y, z] })!;
  // The corner (1, 0, 0) is at (−2, 0, 0) scaled, at (0, 0, 2) turned.
  expect(ball(5, 0, 4).distance).toBeCloseTo(1.75, 5);
  expect(ball(5, 4, 0).distance).toBeCloseTo(0.75, 5);
  expect(ball(8, 0, 0).distance).toBeCloseTo(1.75, 5);
  expect(ball(5, 0, 4).pointB.map((c) => Math.round(1e5 * c) / 1e5 + 0)).toEqual([5, 0, 2]);
});

test('points lie on a surface or not: it has no inside', () => {
  const { world } = floorOf(flat(4));
  expect(world.pointTest([0.3, 0, 0.2])).toHaveLength(1);
  expect(world.pointTest([0.3, -0.1, 0.2])).toEqual([]);
});

test('a large field is searched from the near end', () => {
  const n = 300;
  const heights = Float32Array.from({ length: (n + 1) ** 2 }, (_, i) => ((i * 7919) % 97) / 97);
  const { world } = floorOf(heightfield({ rows: n + 1, columns: n + 1, heights, spacing: [1, 1] }));
  const target = { shape: BALL, position: [120.3, 1.6, -77.2] };
  const near = world.nearestTest(target)!;
  expect(near.distance).toBeLessThan(1.1);
  const slow = world.nearestTest({ shape: BALL, position: [400, 1.6, -77.2] })!;
  // The corner of the rim that is nearest.
  expect(slow.pointB[0]).toBeCloseTo(150, 4);
  const hit = world.convexSweepTest({ shape: BALL, position: [-140, 0.9, 0.5] }, [280, 0, 0]);
  expect(hit!.fraction).toBeLessThan(0.1);
});

test('a step is heard in the material of the triangle under the ball, asked for when it touches', () => {
  const n = 4;
  const { vertices, indices } = grid(n);
  const wooden = (t: number) => ([0, 1, 2].every((k) => vertices[3 * indices[3 * t + k]!]! <= 0) ? 1 : 0);
  const materials = Array.from({ length: indices.length / 3 }, (_, t) => wooden(t));
  const { world, floor } = floorOf(mesh({ vertices, indices, materials }));
  const ball = world.createBody({
    mass: 1,
    shape: BALL,
    position: [-1.3, 0.5, 0.2],
    linearVelocity: [2, 0, 0],
    angularVelocity: [0, 0, -4],
  });
  const heard: number[] = [];
  world.on('contactStay', () => {
    const { triangle } = world.contactPairTest(ball, floor)[0]!.points[0]!;
    const [x] = ball.getPosition();
    expect(materials[triangle], `at x = ${x}`).toBe(Math.abs(x) < 1e-3 ? materials[triangle] : x < 0 ? 1 : 0);
    if (heard.at(-1) !== materials[triangle]) heard.push(materials[triangle]!);
  });
  for (let i = 0; i < 80; i++) world.step(1 / 60);
  expect(ball.getPosition()[0]).toBeGreaterThan(1);
  expect(heard).toEqual([1, 0]);
});
