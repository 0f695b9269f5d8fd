// Every shape type on every other: it rests, slides and rolls at the height that geometry says. Two tables: upright
// motion only, in which any two shapes balance, round ones too; and free bodies on everything that has a flat top.
import { describe, expect, test } from 'vitest';
import {
  type BodyOptions,
  compound,
  heightfield,
  mesh,
  multiSphere,
  type RigidBody,
  type ShapeOptions,
  tetrahedron,
  triangle,
  World,
} from '../../src';

const DT = 1 / 60;
/** m. What the issue asks of the native profile. */
const NEAR = 2e-3;

interface Sample {
  shape: ShapeOptions | ShapeOptions[];
  /** m from the body's origin to its highest and lowest point, both above and below the origin itself. */
  top: number;
  bottom: number;
}

const ring = (count: number, radius: number, y: number): [number, number, number][] =>
  Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.25)) / count;
    return [radius * Math.cos(angle), y, radius * Math.sin(angle)];
  });
const [a, b, c] = ring(3, 0.7, -0.2) as [
  [number, number, number],
  [number, number, number],
  [number, number, number],
];

/** `size` scales what is to be a ground. */
const convex = (size: number): Record<string, Sample> => {
  const s = (list: number[]) => list.map((v) => size * v);
  return {
    sphere: { shape: { type: 'sphere', radius: 0.4 * size }, top: 0.4 * size, bottom: 0.4 * size },
    capsule: {
      shape: { type: 'capsule', radius: 0.25 * size, halfHeight: 0.3 * size },
      top: 0.55 * size,
      bottom: 0.55 * size,
    },
    box: { shape: { type: 'box', halfExtents: s([0.4, 0.3, 0.35]) }, top: 0.3 * size, bottom: 0.3 * size },
    hull: {
      shape: { type: 'hull', points: [...ring(7, 0.5, -0.3), ...ring(7, 0.35, 0.25)].map(s) },
      top: 0.25 * size,
      bottom: 0.3 * size,
    },
    cylinder: {
      shape: { type: 'cylinder', radius: 0.4 * size, halfHeight: 0.3 * size },
      top: 0.3 * size,
      bottom: 0.3 * size,
    },
    cone: {
      shape: { type: 'cone', radius: 0.4 * size, halfHeight: 0.4 * size },
      top: 0.4 * size,
      bottom: 0.4 * size,
    },
    tetrahedron: {
      shape: tetrahedron(s(a), s(b), s(c), s([0, 0.5, 0])),
      top: 0.5 * size,
      bottom: 0.2 * size,
    },
    triangle: {
      shape: triangle(...(ring(3, 0.6, 0).map(s) as [number[], number[], number[]])),
      top: 0,
      bottom: 0,
    },
    multiSphere: {
      shape: multiSphere(ring(4, 0.4, 0).map((p) => ({ radius: 0.25 * size, position: s(p) }))),
      top: 0.25 * size,
      bottom: 0.25 * size,
    },
    compound: {
      shape: compound([
        { shape: { type: 'box', halfExtents: s([0.5, 0.1, 0.5]) }, position: s([0, 0.3, 0]) },
        { shape: { type: 'box', halfExtents: s([0.3, 0.2, 0.3]) } },
      ]),
      top: 0.4 * size,
      bottom: 0.2 * size,
    },
  };
};

/** Squares of 1 m over [−3, 3]² at y = 0, counter-clockwise from above. */
const FLAT = (() => {
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let x = -3; x <= 3; x++) for (let z = -3; z <= 3; z++) vertices.push(x, 0, z);
  for (let x = 0; x < 6; x++)
    for (let z = 0; z < 6; z++) {
      const i = 7 * x + z;
      indices.push(i, i + 1, i + 7, i + 1, i + 8, i + 7);
    }
  return { vertices, indices };
})();
const SLAB = (() => {
  const corners = Array.from({ length: 8 }, (_, i) => [
    i & 1 ? 3 : -3,
    i & 2 ? 0.5 : -0.5,
    i & 4 ? 3 : -3,
  ]).flat();
  const sides = [
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7,
    5,
  ];
  return { vertices: corners, indices: sides };
})();

const FIELD = { rows: 7, columns: 7, heights: Array<number>(49).fill(0), spacing: 1 };

const SURFACES: Record<string, Sample> = {
  plane: { shape: { type: 'plane' }, top: 0, bottom: 0 },
  mesh: { shape: mesh(FLAT), top: 0, bottom: 0 },
  'one-sided mesh': { shape: mesh({ ...FLAT, oneSided: true }), top: 0, bottom: 0 },
  'closed mesh': { shape: mesh(SLAB), top: 0.5, bottom: 0.5 },
  'mirrored mesh': { shape: mesh({ ...FLAT, oneSided: true, scale: [1.5, 1, -1.5] }), top: 0, bottom: 0 },
  heightfield: { shape: heightfield(FIELD), top: 0, bottom: 0 },
  'heightfield along z': {
    shape: heightfield({ ...FIELD, upAxis: 'z', rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] }),
    top: 0,
    bottom: 0,
  },
};

const UPPER = convex(1);
const LOWER: Record<string, Sample> = { ...convex(1), ...SURFACES };

/** Where a body rests whose ground has its origin at y = 0. */
const heightOn = (lower: Sample, upper: Sample) => lower.top + upper.bottom;

/** Everything of `uppers` on a ground of its own, 20 m apart. */
function lineUp(
  ground: Sample,
  uppers: Record<string, Sample>,
  options: (upper: Sample, at: number) => BodyOptions,
  world = new World({ sleeping: false }),
): { world: World; placed: { name: string; body: RigidBody; height: number }[] } {
  const placed = Object.entries(uppers).map(([name, upper], i) => {
    world.createBody({
      type: 'static',
      position: [0, 0, 20 * i],
      shape: ground.shape,
      group: 1 << (i + 2),
      mask: -1,
    });
    const height = heightOn(ground, upper);
    const body = world.createBody({ mass: 1, shape: upper.shape, ...options(upper, height) });
    const [x, y] = body.getPosition();
    body.setPosition([x, y, body.getPosition()[2] + 20 * i]);
    body.setFilter(1, 1 << (i + 2)); // planes have no end
    return { name, body, height };
  });
  return { world, placed };
}

const off = (placed: { name: string; body: RigidBody; height: number }[]) =>
  placed.map(({ name, body, height }) => [name, body.getPosition()[1] - height] as const);
const worst = (list: (readonly [string, number])[], limit: number) =>
  list
    .filter(([, error]) => !(Math.abs(error) <= limit))
    .map(([name, error]) => `${name}: ${(1e3 * error).toFixed(2)} mm`);

describe('upright, any two shapes rest on each other', () => {
  test.each(Object.keys(LOWER))('on a %s', (name) => {
    const { world, placed } = lineUp(LOWER[name]!, UPPER, (_, height) => ({
      position: [0, height + 0.05, 0],
      linearFactor: [0, 1, 0],
      angularFactor: [0, 0, 0],
    }));
    for (let i = 0; i < 150; i++) world.step(DT);
    expect(worst(off(placed), NEAR)).toEqual([]);
  });
});

describe('margins', () => {
  /** Around hulls, cones, tetrahedra, triangles in the Bullet profiles, as Bullet has it: 4 cm each. */
  const around = (name: string) => (['hull', 'cone', 'tetrahedron', 'triangle'].includes(name) ? 0.04 : 0);

  test.each(
    (['bullet3', 'bullet282'] as const).flatMap((profile) =>
      Object.keys(LOWER).map((name) => [profile, name] as const),
    ),
  )('%s: upright on a %s at its height and the margins of both', (profile, name) => {
    const margin = Object.fromEntries(
      Object.keys(UPPER).map((upper) => [upper, around(upper) + around(name)]),
    );
    const { world, placed } = lineUp(
      LOWER[name]!,
      UPPER,
      (_, height) => ({ position: [0, height + 0.13, 0], linearFactor: [0, 1, 0], angularFactor: [0, 0, 0] }),
      new World({ sleeping: false, profile }),
    );
    for (let i = 0; i < 150; i++) world.step(DT);
    expect(
      worst(
        off(placed).map(([upper, error]) => [upper, error - margin[upper]!] as const),
        NEAR,
      ),
    ).toEqual([]);
  });

  test('of the caller’s choice: a mesh, a heightfield, a hull; and of a box it is a part', () => {
    const hull = { ...UPPER['hull']!, shape: { ...(UPPER['hull']!.shape as ShapeOptions), margin: 0.1 } };
    const box = { ...UPPER['box']!, shape: { ...(UPPER['box']!.shape as ShapeOptions), margin: 0.1 } };
    for (const [ground, skin] of [
      [{ ...SURFACES['plane']! }, 0],
      [{ ...SURFACES['mesh']!, shape: mesh({ ...FLAT, margin: 0.03 }) }, 0.03],
      [{ ...SURFACES['heightfield']!, shape: heightfield({ ...FIELD, margin: 0.02 }) }, 0.02],
      [
        { ...UPPER['cone']!, shape: { type: 'cone', radius: 0.4, halfHeight: 0.4, margin: 0.05 } as const },
        0.05,
      ],
    ] as const) {
      const { world, placed } = lineUp(
        ground as Sample,
        { hull, box, sphere: UPPER['sphere']! },
        (_, height) => ({
          position: [0, height + 0.2, 0],
          linearFactor: [0, 1, 0],
          angularFactor: [0, 0, 0],
        }),
      );
      for (let i = 0; i < 150; i++) world.step(DT);
      const gaps = off(placed).map(
        ([name, error]) => [name, error - skin - (name === 'hull' ? 0.1 : 0)] as const,
      );
      expect(worst(gaps, NEAR)).toEqual([]);
      const copy = World.restore(world.snapshot());
      expect(copy.replica.shapeRecords.map((shape) => shape?.margin)).toEqual(
        world.replica.shapeRecords.map((shape) => shape?.margin),
      );
    }
  });
});

/** Grounds with a flat top of some metres. */
const WIDE = convex(12);
const FLAT_GROUNDS: Record<string, Sample> = {
  ...SURFACES,
  box: WIDE['box']!,
  hull: WIDE['hull']!,
  cylinder: WIDE['cylinder']!,
  'cone upside down': {
    shape: { type: 'cone', radius: 4, halfHeight: 2, rotation: [1, 0, 0, 0] },
    top: 2,
    bottom: 2,
  },
  'tetrahedron upside down': {
    shape: tetrahedron([-6, 0, -4], [6, 0, -4], [0, 0, 8], [0, -4, 0]),
    top: 0,
    bottom: 4,
  },
  triangle: { shape: triangle([-6, 0, -4], [6, 0, -4], [0, 0, 8]), top: 0, bottom: 0 },
  multiSphere: WIDE['multiSphere']!,
  compound: WIDE['compound']!,
};
/** Those that stand by themselves. */
const STANDING = Object.fromEntries(
  Object.entries(UPPER).filter(([name]) => !['sphere', 'capsule'].includes(name)),
);

describe('free, on everything that is flat', () => {
  test.each(Object.keys(FLAT_GROUNDS))('%s: what stands rests where it was put down', (name) => {
    const { world, placed } = lineUp(FLAT_GROUNDS[name]!, STANDING, (_, height) => ({
      position: [0.1, height + 0.02, 0.15],
    }));
    for (let i = 0; i < 240; i++) world.step(DT);
    expect(worst(off(placed), NEAR)).toEqual([]);
    const moved = placed.map(({ name, body }, i) => {
      const [x, , z] = body.getPosition();
      return [name, Math.hypot(x - 0.1, z - 0.15 - 20 * i)] as const;
    });
    expect(worst(moved, 5e-3)).toEqual([]);
  });

  test.each(Object.keys(FLAT_GROUNDS))('%s: what stands slides to a stop by v²/2μg at its height', (name) => {
    const speed = 2;
    const friction = 0.25; // 0.5 × 0.5
    const { world, placed } = lineUp(FLAT_GROUNDS[name]!, STANDING, (_, height) => ({
      // A hair above: a sheet in the very plane of another would be on neither side of it.
      position: [-0.6, height + 1e-4, 0.1],
      linearVelocity: [speed, 0, 0],
    }));
    let highest: (readonly [string, number])[] = [];
    for (let i = 0; i < 100; i++) {
      world.step(DT);
      highest = highest.concat(off(placed).filter(([, error]) => !(Math.abs(error) <= NEAR)));
    }
    expect(worst(highest, NEAR)).toEqual([]);
    const distance = (speed * speed) / (2 * friction * 9.81);
    const short = placed.map(({ name, body }) => [name, body.getPosition()[0] + 0.6 - distance] as const);
    expect(worst(short, 0.03 * distance)).toEqual([]);
  });

  const ROLLING: Record<string, Sample> = {
    sphere: UPPER['sphere']!,
    'lying capsule': {
      shape: { type: 'capsule', radius: 0.25, halfHeight: 0.3, axis: 'z' },
      top: 0.25,
      bottom: 0.25,
    },
    'lying cylinder': {
      shape: { type: 'cylinder', radius: 0.3, halfHeight: 0.3, axis: 'z' },
      top: 0.3,
      bottom: 0.3,
    },
    'lying multi-sphere': {
      shape: multiSphere([-0.3, 0, 0.3].map((z) => ({ radius: 0.3, position: [0, 0, z] }))),
      top: 0.3,
      bottom: 0.3,
    },
    'compound wheel': {
      shape: compound(
        [-0.3, 0.3].map((z) => ({ shape: { type: 'sphere', radius: 0.3 }, position: [0, 0, z] })),
      ),
      top: 0.3,
      bottom: 0.3,
    },
  };
  test.each(Object.keys(FLAT_GROUNDS))('%s: what is round rolls on at its height and speed', (name) => {
    const speed = 1.5;
    const { world, placed } = lineUp(FLAT_GROUNDS[name]!, ROLLING, (upper, height) => ({
      position: [-1, height, 0.1],
      linearVelocity: [speed, 0, 0],
      angularVelocity: [0, 0, -speed / upper.bottom],
    }));
    let off_: (readonly [string, number])[] = [];
    for (let i = 0; i < 80; i++) {
      world.step(DT);
      off_ = off_.concat(off(placed).filter(([, error]) => !(Math.abs(error) <= NEAR)));
    }
    expect(worst(off_, NEAR)).toEqual([]);
    const slow = placed.map(({ name, body }) => [name, body.getLinearVelocity()[0] - speed] as const);
    expect(worst(slow, 0.02 * speed)).toEqual([]);
  });
});
