// Hulls, cylinders and cones at rest, sliding and rolling, on a plane and on a box: at their analytic height.
// In: one body of each kind, native profile. Out: heights within 2 mm, speeds by the laws of friction.
import { describe, expect, test } from 'vitest';
import { type BodyOptions, type ShapeOptions, World } from '../../src';
import { cookHull } from '../../src/cooking/hull';
import { convexOf, leastOverlap } from '../reference/support';
import { type Quat, random, type Vec3 } from './support/vector';

const DT = 1 / 60;
const cubePoints = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x / 2, y / 2, z / 2])));
const LYING: Quat = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
const UPSIDE_DOWN: Quat = [0, 0, 1, 0];

const SHAPES: Record<string, { shape: ShapeOptions; rotation?: Quat; height: number }> = {
  'cube as a hull': { shape: { type: 'hull', points: cubePoints }, height: 0.5 },
  'tetrahedron on its base': {
    shape: { type: 'hull', points: [0, 0.75, 0, 0.5, -0.25, 0, -0.25, -0.25, 0.43, -0.25, -0.25, -0.43] },
    height: 0.25,
  },
  'standing cylinder': { shape: { type: 'cylinder', radius: 0.4, halfHeight: 0.3 }, height: 0.3 },
  'lying cylinder': {
    shape: { type: 'cylinder', radius: 0.4, halfHeight: 0.3 },
    rotation: LYING,
    height: 0.4,
  },
  'cylinder along x': { shape: { type: 'cylinder', radius: 0.4, halfHeight: 0.3, axis: 'x' }, height: 0.4 },
  'standing cone': { shape: { type: 'cone', radius: 0.4, halfHeight: 0.3 }, height: 0.3 },
};

const GROUNDS: Record<string, BodyOptions> = {
  plane: { type: 'static', shape: { type: 'plane' } },
  box: { type: 'static', position: [0, -1, 0], shape: { type: 'box', halfExtents: [20, 1, 20] } },
  hull: {
    type: 'static',
    position: [0, -1, 0],
    shape: { type: 'hull', points: cubePoints.map(([x, y, z]) => [40 * x!, 2 * y!, 40 * z!]) },
  },
  cylinder: { type: 'static', position: [0, -1, 0], shape: { type: 'cylinder', radius: 20, halfHeight: 1 } },
};

function drop(ground: string, name: string, extra: BodyOptions = {}, friction = 0.5) {
  const world = new World({ sleeping: false });
  const base = GROUNDS[ground]!;
  world.createBody({ ...base, shape: { ...(base.shape as ShapeOptions), friction: 1 } });
  const { shape, rotation, height } = SHAPES[name]!;
  const body = world.createBody({
    position: [0, height + 0.05, 0],
    rotation: rotation ?? [0, 0, 0, 1],
    ...extra,
    shape: { ...shape, friction },
  });
  return { world, body, height };
}

describe.each(Object.keys(GROUNDS))('on a %s', (ground) => {
  test.each(Object.keys(SHAPES))('%s comes to rest at its height', (name) => {
    const { world, body, height } = drop(ground, name);
    for (let i = 0; i < 180; i++) world.step(DT);
    expect(Math.abs(body.getPosition()[1] - height)).toBeLessThan(2e-3);
    expect(Math.hypot(...body.getLinearVelocity())).toBeLessThan(2e-2);
  });

  test.each(['cube as a hull', 'standing cylinder'])('%s slides to a stop by v²/2μg', (name) => {
    const { height } = SHAPES[name]!;
    const { world, body } = drop(ground, name, { position: [-3, height, 0], linearVelocity: [4, 0, 0] }, 0.4);
    for (let i = 0; i < 180; i++) world.step(DT);
    const distance = (4 * 4) / (2 * 0.4 * 9.81);
    expect(Math.abs(body.getPosition()[0] + 3 - distance)).toBeLessThan(0.03 * distance);
    expect(Math.abs(body.getPosition()[1] - height)).toBeLessThan(2e-3);
  });

  test('a lying cylinder rolls on at its height', () => {
    const { world, body, height } = drop(ground, 'lying cylinder', {
      position: [0, 0.4, -3],
      linearVelocity: [0, 0, 2],
      angularVelocity: [5, 0, 0],
    });
    let off = 0;
    for (let i = 0; i < 120; i++) {
      world.step(DT);
      off = Math.max(off, Math.abs(body.getPosition()[1] - height));
    }
    expect(off).toBeLessThan(2e-3);
    expect(body.getPosition()[2]).toBeGreaterThan(0.9);
    expect(Math.abs(body.getLinearVelocity()[2] - 2)).toBeLessThan(0.06);
  });
});

test('hulls of equal points share one geometry, in bulk too; the last one takes it away; snapshots hold it', () => {
  const world = new World();
  world.createBody(GROUNDS['plane']!);
  const shape: ShapeOptions = { type: 'hull', points: cubePoints };
  const first = world.createBody({ position: [0, 1, 0], shape });
  const rest = world.createBodies({ shape }, { positions: [2, 1, 0, 4, 1, 0] });
  const { geometries } = world.replica;
  expect([...geometries.slots()].map((slot) => geometries.users(slot))).toEqual([3]);
  for (let i = 0; i < 90; i++) world.step(DT);
  const copy = World.restore(world.snapshot());
  for (const each of [world, copy]) for (let i = 0; i < 30; i++) each.step(DT);
  expect(copy.stateHash()).toBe(world.stateHash());
  for (const each of [world, copy]) {
    for (const body of [...rest]) each.removeBody(body);
    each.removeBody(first.id);
    expect([...each.replica.geometries.slots()]).toEqual([]);
    expect(each.rayTest([0, 5, 0], [0, -5, 0])).toMatchObject({ point: [0, 0, 0] });
  }
});

test('a cone set on its apex falls over, and lies still at the end', () => {
  const world = new World({ sleeping: false });
  world.createBody(GROUNDS['plane']!);
  const body = world.createBody({
    position: [0, 0.6, 0],
    rotation: UPSIDE_DOWN,
    angularVelocity: [0.2, 0, 0],
    angularDamping: 0.3,
    shape: { type: 'cone', radius: 0.4, halfHeight: 0.5, rollingFriction: 0.02 },
  });
  for (let i = 0; i < 900; i++) world.step(DT);
  const position = body.getPosition();
  expect(position.every(Number.isFinite)).toBe(true);
  // On its side the axis rises from the apex by the half angle; its middle is h·sin of that above the floor.
  const slant = Math.hypot(0.4, 1);
  expect(Math.abs(position[1] - (0.5 * 0.4) / slant)).toBeLessThan(0.02);
});

test('a pile of hulls, cylinders, cones, boxes and balls settles without deep overlap (seed 5)', () => {
  const next = random(5);
  const world = new World({ sleeping: false });
  world.createBody(GROUNDS['plane']!);
  for (const [x, z] of [
    [2, 0],
    [-2, 0],
    [0, 2],
    [0, -2],
  ])
    world.createBody({
      type: 'static',
      position: [x! * 1.25, 1.5, z! * 1.25],
      shape: { type: 'box', halfExtents: [x ? 0.5 : 3, 1.5, z ? 0.5 : 3] },
    });
  const placed = [];
  for (let i = 0; i < 60; i++) {
    const size = () => 0.15 + 0.15 * next();
    const points = Array.from({ length: 12 + (i % 12) }, () => {
      const v: Vec3 = [next() - 0.5, next() - 0.5, next() - 0.5];
      return v.map((c) => (c * 0.3) / Math.hypot(...v));
    });
    const kind = i % 5;
    const shape: ShapeOptions =
      kind === 0
        ? { type: 'cylinder', radius: size(), halfHeight: size() }
        : kind === 1
          ? { type: 'cone', radius: size(), halfHeight: size() }
          : kind === 2
            ? { type: 'box', halfExtents: [size(), size(), size()] }
            : kind === 3
              ? { type: 'sphere', radius: size() }
              : { type: 'hull', points };
    const body = world.createBody({
      position: [(i % 4) - 1.5, 0.5 + 0.5 * Math.floor(i / 16), (Math.floor(i / 4) % 4) - 1.5],
      rotation: [next(), next(), next(), 0.2 + next()],
      shape,
    });
    placed.push({ body, shape });
  }
  for (let i = 0; i < 480; i++) world.step(DT);
  const solids = placed.map(({ body, shape }) => {
    const info = body.getShape(body.shapes[0]!);
    const hull = shape.type === 'hull' ? cookHull(shape.points) : undefined;
    const placing = world.getBody(body.id)!;
    const rotation = [...placing.getRotation()] as Quat;
    const offset = convexOffset(rotation, [...info.position] as Vec3);
    const position = placing.getPosition().map((c, k) => c + offset[k]!) as Vec3;
    return convexOf({ kind: info.type as 'box', params: [...info.params], hull, position, rotation });
  });
  let deepest = 0;
  for (let i = 0; i < solids.length; i++)
    for (let j = i + 1; j < solids.length; j++) {
      const [p, q] = [placed[i]!.body.getPosition(), placed[j]!.body.getPosition()];
      if (Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) > 0.9) continue;
      deepest = Math.max(deepest, leastOverlap(solids[i]!, solids[j]!));
    }
  expect(deepest).toBeLessThan(0.01);
});

function convexOffset(q: Quat, v: Vec3): Vec3 {
  const [x, y, z, w] = q;
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])] as Vec3;
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}
