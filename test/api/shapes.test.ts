// Shapes made by functions, at the public edge: what they become, what is refused and how it is named, and that
// content is stored once, travels in snapshots, and can be added to and removed from a body at run time.
import { describe, expect, test } from 'vitest';
import {
  type BodyOptions,
  compound,
  cookMesh,
  deterministic,
  heightfield,
  massPropertiesOf,
  mesh,
  multiSphere,
  type ShapeOptions,
  scaled,
  tetrahedron,
  triangle,
  World,
} from '../../src';
import { random } from '../physics/support/vector';
import { caught } from '../support/caught';

const UNIT = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
const FLOOR = { vertices: [-9, 0, -9, -9, 0, 9, 9, 0, -9, 9, 0, 9], indices: [0, 1, 2, 2, 1, 3] };
const FIELD = { rows: 3, columns: 4, heights: Array(12).fill(0), spacing: 1 };

describe('refused by name', () => {
  const body =
    (shape: unknown, rest: BodyOptions = { type: 'static' }) =>
    () =>
      new World().createBody({ ...rest, shape: shape as ShapeOptions });
  test.each<[string, () => unknown, string]>([
    ['a mesh on a dynamic body', body(mesh(FLOOR), { mass: 1 }), 'shape.type'],
    ['a heightfield on a dynamic body', body(heightfield(FIELD), { mass: 1 }), 'shape.type'],
    ['a mesh that is not cooked', body({ type: 'mesh', geometry: FLOOR }), 'shape.geometry'],
    ['a heightfield for a mesh', body({ ...heightfield(FIELD), type: 'mesh' }), 'shape.geometry'],
    ['a scale of 0', body(mesh({ ...FLOOR, scale: 0 })), 'shape.scale'],
    ['a scale with a 0', body(mesh({ ...FLOOR, scale: [1, 0, 1] })), 'shape.scale.y'],
    ['a scale that is none', body(mesh({ ...FLOOR, scale: [1, Number.NaN, 1] })), 'shape.scale.y'],
    ['an option of no mesh', () => mesh({ ...FLOOR, halfExtents: 1 } as never), 'halfExtents'],
    ['no balls', body(multiSphere([])), 'shape.spheres.length'],
    ['too many balls', body(multiSphere(Array(33).fill({ radius: 1 }))), 'shape.spheres.length'],
    ['a ball without a radius', body(multiSphere([{ radius: 1 }, {} as never])), 'shape.spheres[1].radius'],
    [
      'a ball nowhere',
      body(multiSphere([{ radius: 1, position: [0, Number.NaN, 0] }])),
      'shape.spheres[0].position.y',
    ],
    ['a triangle in a line', body(triangle([0, 0, 0], [1, 1, 1], [2, 2, 2])), 'shape.points'],
    [
      'two points for a triangle',
      body({ type: 'triangle', points: [0, 0, 0, 1, 1, 1] }),
      'shape.points.length',
    ],
    ['a flat tetrahedron', body(tetrahedron([0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0])), 'shape.points[2]'],
    [
      'five points for a tetrahedron',
      body({ type: 'tetrahedron', points: Array(15).fill(0) }),
      'shape.points.length',
    ],
    ['an empty compound', () => compound([]), 'children.length'],
    ['a child without a shape', () => compound([{ position: [0, 0, 0] } as never]), 'children[0].shape'],
    ['an empty compound in a compound', () => compound([{ shape: [] }]), 'children[0].shape.length'],
    ['no scale', () => scaled({ type: 'sphere', radius: 1 }, undefined as never), 'scale'],
    ['scaling by 0', () => scaled({ type: 'sphere', radius: 1 }, [1, 1, 0]), 'scale.z'],
    ['a stretched sphere', () => scaled({ type: 'sphere', radius: 1 }, [1, 2, 1]), 'scale'],
    [
      'a cylinder stretched across',
      () => scaled({ type: 'cylinder', radius: 1, halfHeight: 1 }, [1, 1, 2]),
      'scale',
    ],
    [
      'a field of the wrong size',
      () => heightfield({ ...FIELD, heights: Array(11).fill(0) }),
      'heights.length',
    ],
    ['a field of one row', () => heightfield({ ...FIELD, rows: 1 }), 'rows'],
    [
      'a height that is none',
      () => heightfield({ ...FIELD, heights: [...Array(7).fill(0), Number.NaN, 0, 0, 0, 0] }),
      'heights[7] (row 1, column 3)',
    ],
    ['too few holes', () => heightfield({ ...FIELD, holes: [true] }), 'holes.length'],
    ['a hole of 2', () => heightfield({ ...FIELD, holes: [0, 0, 2, 0, 0, 0] }), 'holes[2]'],
    ['a material of 64', () => heightfield({ ...FIELD, materials: [0, 0, 0, 0, 0, 64] }), 'materials[5]'],
    ['no spacing', () => heightfield({ ...FIELD, spacing: 0 }), 'spacing[0]'],
    ['an axis of no name', () => heightfield({ ...FIELD, upAxis: 'w' as never }), 'upAxis'],
    ['a field too large', () => heightfield({ ...FIELD, rows: 5000, columns: 5000 }), 'heights'],
  ])('%s', (_, run, argument) => {
    const error = caught(run);
    expect(error.argument).toBe(argument);
    expect(error.code).toMatch(/invalid-argument|unknown-option|limit-exceeded/);
  });

  test('a dynamic mesh says what to do instead', () => {
    expect(caught(body(mesh(FLOOR), { mass: 1 })).message).toMatch(/kinematic, or of convex pieces/);
    const world = new World();
    const still = world.createBody({ type: 'kinematic', shape: mesh(FLOOR) });
    expect(caught(() => still.setType('dynamic', { mass: 1 })).argument).toBe('shape.type');
    expect(still.type).toBe('kinematic');
  });
});

test('instances of a mesh share one content, each with a scale of its own; snapshots hold it', () => {
  const world = new World();
  const geometry = cookMesh(FLOOR);
  const bodies = [1, [2, -1, 0.5] as const, 3].map((scale) =>
    world.createBody({ type: 'static', shape: mesh({ geometry, scale, friction: 0.3 }) }),
  );
  const { geometries } = world.replica;
  expect([...geometries.slots()].map((slot) => geometries.users(slot))).toEqual([3]);
  const info = bodies[1]!.getShape(bodies[1]!.shapes[0]!);
  expect(info).toMatchObject({ type: 'mesh', params: [2, -1, 0.5, 0], geometry });
  expect(info.material.friction).toBeCloseTo(0.3, 6);
  world.step(1 / 60);
  const copy = World.restore(world.snapshot());
  for (const each of [world, copy]) each.step(1 / 60);
  expect(copy.stateHash()).toBe(world.stateHash());
  for (const { id } of bodies) copy.removeBody(id);
  expect([...copy.replica.geometries.slots()]).toEqual([]);
});

describe('mass properties', () => {
  test('a multi-sphere weighs what it encloses: one ball, and two as a capsule', () => {
    const ball = massPropertiesOf(multiSphere([{ radius: 0.5, position: [3, 0, 0] }]), 1);
    expect(Math.abs(ball.volume / ((4 / 3) * Math.PI * 0.125) - 1)).toBeLessThan(5e-5);
    expect(ball.centerOfMass[0]).toBeCloseTo(3, 5);
    for (const moment of ball.inertia)
      expect(Math.abs(moment / (0.4 * 0.25 * ball.mass) - 1)).toBeLessThan(5e-5);
    const pair = massPropertiesOf(
      multiSphere([0.8, -0.8].map((y) => ({ radius: 0.3, position: [0, y, 0] }))),
    );
    const capsule = massPropertiesOf({ type: 'capsule', radius: 0.3, halfHeight: 0.8 });
    expect(Math.abs(pair.mass / capsule.mass - 1)).toBeLessThan(5e-5);
    for (let k = 0; k < 3; k++)
      expect(Math.abs(pair.inertia[k]! / capsule.inertia[k]! - 1)).toBeLessThan(1e-4);
  });

  test('eight balls are a box with round edges, two unequal ones a tapered capsule: closed forms', () => {
    const [x, y, z, r] = [1, 0.7, 0.5, 0.2];
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({
      position: [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z],
      radius: r,
    }));
    // Steiner: box, slabs on its faces, quarters of cylinders along its edges, a ball at its corners.
    const rounded =
      8 * x * y * z +
      8 * r * (x * y + y * z + z * x) +
      2 * Math.PI * r * r * (x + y + z) +
      (4 / 3) * Math.PI * r ** 3;
    expect(Math.abs(massPropertiesOf(multiSphere(corners)).volume / rounded - 1)).toBeLessThan(5e-5);

    const [big, small, apart] = [0.5, 0.2, 1.3];
    const sine = (big - small) / apart; // of half the cone's angle
    const cosine = Math.sqrt(1 - sine * sine);
    const [a, b] = [big * cosine, small * cosine];
    const cone = ((Math.PI * (apart - sine * (big - small))) / 3) * (a * a + a * b + b * b);
    const cap = (radius: number, height: number) => (Math.PI * height * height * (3 * radius - height)) / 3;
    const closed = cone + cap(big, big * (1 + sine)) + cap(small, small * (1 - sine));
    const taper = multiSphere([{ radius: big }, { radius: small, position: [0, apart, 0] }]);
    expect(Math.abs(massPropertiesOf(taper).volume / closed - 1)).toBeLessThan(5e-5);
  });

  test('heaps of balls weigh the same however they are turned: within twice the documented bound, 1e-4', () => {
    const next = random(20261121);
    let worst = 0;
    for (let heap = 0; heap < 25; heap++) {
      const balls = Array.from({ length: 2 + Math.floor(30 * next()) }, () => ({
        position: [2 * next() - 1, 2 * next() - 1, 2 * next() - 1],
        radius: 0.02 + 0.5 * next(),
      }));
      const volumes: number[] = [];
      for (let turn = 0; turn < 3; turn++) {
        const q = [next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5];
        const length = Math.hypot(...q);
        const unit = q.map((c) => c / length);
        const turned = balls.map(({ position, radius }) => ({
          position: deterministic.rotate(unit, position as [number, number, number]),
          radius,
        }));
        volumes.push(massPropertiesOf(multiSphere(turned)).volume);
      }
      worst = Math.max(worst, Math.max(...volumes) / Math.min(...volumes) - 1);
    }
    console.log(`volumes of turned heaps of balls differ by ${worst.toExponential(1)} at most`);
    expect(worst).toBeLessThan(1e-4);
  });

  test('a tetrahedron is a sixth of its box, its centre at a quarter', () => {
    const { volume, centerOfMass } = massPropertiesOf(
      tetrahedron([0, 0, 0], [2, 0, 0], [0, 3, 0], [0, 0, 4]),
    );
    expect(volume).toBeCloseTo(4, 5);
    [0.5, 0.75, 1].forEach((c, k) => {
      expect(centerOfMass[k]).toBeCloseTo(c, 5);
    });
  });

  test('a triangle turns as a thin sheet does', () => {
    // Half of a square of side 1: moments of a right isosceles sheet about its centroid are m/18, m/18, m/9.
    const { inertia, mass } = massPropertiesOf(triangle([0, 0, 0], [0, 0, 1], [1, 0, 0]));
    expect(mass).toBeCloseTo(0.5, 6); // 1 mm of water
    expect([...inertia].sort((a, b) => a - b).map((i) => i / mass)).toEqual([
      expect.closeTo(1 / 36, 6),
      expect.closeTo(1 / 12, 6),
      expect.closeTo(1 / 9, 6),
    ]);
  });

  test('of a compound they add up, wherever its parts are', () => {
    const half = compound([
      { shape: { type: 'box', halfExtents: [0.5, 1, 1] }, position: [-0.5, 0, 0] },
      {
        shape: { type: 'box', halfExtents: [1, 0.5, 1] },
        position: [0.5, 0, 0],
        rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
      },
    ]);
    const whole = massPropertiesOf({ type: 'box', halfExtents: [1, 1, 1] });
    const parts = massPropertiesOf(half);
    expect(parts.mass).toBeCloseTo(whole.mass, 3);
    for (let k = 0; k < 3; k++) expect(parts.inertia[k]! / whole.inertia[k]!).toBeCloseTo(1, 5);
    const nested = compound([
      { shape: compound([{ shape: half, position: [0, 2, 0] }]), position: [1, 0, 0] },
    ]);
    expect(massPropertiesOf(nested).centerOfMass.map((c) => Math.round(1e5 * c) / 1e5)).toEqual([1, 2, 0]);
  });
});

describe('scaled', () => {
  const q = [0.1, 0.5, -0.3, 0.8062257748298549]; // some rotation
  const SHAPES: [string, ShapeOptions, number | [number, number, number]][] = [
    ['sphere', { type: 'sphere', radius: 0.4, position: [1, 2, 3] }, 2],
    ['capsule', { type: 'capsule', radius: 0.3, halfHeight: 0.5, rotation: q }, 1.5],
    ['cylinder along its axis', { type: 'cylinder', radius: 0.3, halfHeight: 0.5, axis: 'x' }, [3, 2, 2]],
    ['cone', { type: 'cone', radius: 0.3, halfHeight: 0.5, position: [0, 1, 0] }, [2, 0.5, 2]],
    [
      'box',
      { type: 'box', halfExtents: [1, 2, 3], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] },
      [1, -2, 3],
    ],
    ['turned box', { type: 'box', halfExtents: [1, 2, 3], rotation: q, position: [1, 0, 0] }, [1, 2, 3]],
    [
      'hull',
      { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 2], rotation: q },
      [-1, 2, 3],
    ],
    ['tetrahedron', tetrahedron([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]), 0.5],
    ['multi-sphere', multiSphere([{ radius: 1 }, { radius: 0.5, position: [1, 0, 0] }], { rotation: q }), -2],
  ];
  test.each(SHAPES)('%s: volume and centre grow as they should', (_, shape, scale) => {
    const factors = typeof scale === 'number' ? [scale, scale, scale] : scale;
    const before = massPropertiesOf(shape);
    const after = massPropertiesOf(scaled(shape, scale));
    const grown = Math.abs(factors[0]! * factors[1]! * factors[2]!);
    expect(after.volume / (before.volume * grown)).toBeCloseTo(1, 3);
    before.centerOfMass.forEach((c, k) => {
      expect(after.centerOfMass[k]).toBeCloseTo(c * factors[k]!, 3);
    });
  });

  test('a mesh shares its content; a compound keeps its form', () => {
    const floor = mesh({ ...FLOOR, scale: [1, 1, 2], position: [0, 1, 0] });
    expect(scaled(floor, [2, -3, 1])).toMatchObject({
      geometry: floor.geometry,
      scale: [2, -3, 2],
      position: [0, -3, 0],
    });
    const parts = compound([
      { shape: { type: 'sphere', radius: 1 }, position: [1, 0, 0] },
      { type: 'sphere', radius: 2 },
    ]);
    expect(scaled(parts, 2)).toMatchObject([{ radius: 2, position: [2, 0, 0] }, { radius: 4 }]);
  });
});

test('children of a compound come and go at run time', () => {
  const world = new World({ gravity: [0, 0, 0] });
  const body = world.createBody({ shape: compound([{ type: 'sphere', radius: 0.5 }]) });
  const added = compound([
    { shape: { type: 'sphere', radius: 0.5 }, position: [4, 0, 0] },
    { shape: multiSphere([{ radius: 0.5 }]), position: [-4, 0, 0] },
  ]).map((shape) => body.addShape(shape));
  const hit = () => world.rayTest([4, 5, 0], [4, -5, 0]) !== null;
  expect(hit()).toBe(true);
  const light = body.mass;
  body.updateMassProps();
  expect(body.mass / light).toBeCloseTo(3, 2);
  body.removeShape(added[0]!);
  expect(hit()).toBe(false);
  body.updateMassProps();
  expect(body.getLocalCenterOfMass()[0]).toBeCloseTo(-2, 2);
});

test('16,000 shapes in one body are added as fast as in many bodies', () => {
  const time = (bodies: number) => {
    const world = new World();
    const boxes = Array.from({ length: bodies }, () => world.createBody({ type: 'static', shape: UNIT }));
    const start = performance.now();
    for (let i = 0; i < 16_000; i++)
      boxes[Math.floor((i * bodies) / 16_000)]!.addShape({
        ...UNIT,
        position: [2 * (i % 128), 0, 2 * Math.floor(i / 128)],
      });
    world.rayTest([0, 9, 0], [0, 10, 0]); // the core applies the commands
    return performance.now() - start;
  };
  time(400); // warm
  expect(time(1)).toBeLessThan(5 * time(400)); // it was 40 times as long
});

test('shapes that are added alternately to two bodies make the same world as others', () => {
  const make = (order: number[]) => {
    const world = new World();
    const bodies = [0, 9].map((x) =>
      world.createBody({ type: 'kinematic', position: [x, 0, 0], shape: UNIT, ccdMotionThreshold: 1 }),
    );
    const next = [1, 1];
    for (const which of order) {
      const i = next[which]!++;
      const thin = { type: 'box', halfExtents: [1, 1, 0.5 / i], sensor: i === 2 } as const;
      bodies[which]!.addShape({ ...thin, position: [0, i, 0] });
    }
    const thrown = [0, 9].map((x) =>
      world.createBody({
        type: 'dynamic',
        position: [x, 1, 5],
        linearVelocity: [0, 0, -40],
        shape: UNIT,
        mass: 1,
      }),
    );
    world.advance(30);
    return [...bodies, ...thrown].map((body) => [body.getPosition(), body.getRotation()]);
  };
  expect(make([0, 1, 0, 1, 0, 1])).toEqual(make([0, 0, 0, 1, 1, 1]));
});
