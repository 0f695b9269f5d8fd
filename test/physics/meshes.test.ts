// Meshes and heightfields as ground: no bump at any seam, real ridges hold, corners hold in three directions,
// and a pile on a bumpy terrain comes to rest with nothing lost.
import { describe, expect, test } from 'vitest';
import {
  heightfield,
  mesh,
  multiSphere,
  type RigidBody,
  type ShapeOptions,
  type SphereOptions,
  World,
  type WorldOptions,
} from '../../src';
import { row } from './support/measure';
import { length } from './support/vector';
import { createWorld, DT, isAsleep, position, run, velocity } from './support/world';

/** A grid of n × m cells between two corners in the plane, at heights of the caller's. */
function grid(
  [x0, z0, x1, z1]: [number, number, number, number],
  [n, m]: [number, number],
  height: (x: number, z: number) => number = () => 0,
) {
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= m; j++)
    for (let i = 0; i <= n; i++) {
      const x = x0 + ((x1 - x0) * i) / n;
      const z = z0 + ((z1 - z0) * j) / m;
      vertices.push(x, height(x, z), z);
    }
  for (let j = 0; j < m; j++)
    for (let i = 0; i < n; i++) {
      const a = j * (n + 1) + i;
      indices.push(a, a + n + 1, a + 1, a + 1, a + n + 1, a + n + 2);
    }
  return { vertices, indices };
}

const field = (cells: number, spacing: number, x = 0) =>
  heightfield({
    rows: cells + 1,
    columns: cells + 1,
    heights: new Float32Array((cells + 1) ** 2),
    spacing,
    position: [x, 0, 0],
  });

const GROUNDS: Record<string, () => ShapeOptions[]> = {
  'triangles of 1 m': () => [mesh(grid([-20, -20, 20, 20], [40, 40]))],
  'triangles of 20 cm': () => [mesh(grid([-14, -14, 14, 14], [140, 140]))],
  'triangles that share no corners': () => {
    const { vertices, indices } = grid([-12, -12, 12, 12], [16, 16]);
    return [0, 1].map((half) =>
      mesh({
        vertices,
        indices: indices.filter((_, i) => (Math.floor(i / 3) + Math.floor(i / 96)) % 2 === half),
      }),
    );
  },
  'a heightfield': () => [field(40, 1)],
  'two meshes side by side': () => [
    mesh(grid([-20, -20, 0.5, 20], [19, 31])),
    mesh(grid([0.5, -20, 20, 20], [23, 17])),
  ],
  'a mesh beside a heightfield': () => [mesh(grid([-20, -20, 0, 20], [7, 13])), field(40, 1, 20)],
};

const SLIDERS: Record<string, { shape: ShapeOptions; low: number }> = {
  box: { shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, low: 0.5 },
  sphere: { shape: { type: 'sphere', radius: 0.5 }, low: 0.5 },
  capsule: { shape: { type: 'capsule', radius: 0.3, halfHeight: 0.5, axis: 'x' }, low: 0.3 },
  cylinder: { shape: { type: 'cylinder', radius: 0.5, halfHeight: 0.5 }, low: 0.5 },
  hull: {
    shape: {
      type: 'hull',
      points: [0, 1, 2, 3, 4, 5, 6].flatMap((i) => {
        const [c, s] = [Math.cos((i * 2 * Math.PI) / 7), Math.sin((i * 2 * Math.PI) / 7)];
        return [
          [0.5 * c, -0.4, 0.5 * s],
          [0.3 * c, 0.4, 0.3 * s],
        ];
      }),
    },
    low: Number.NaN, // from its own geometry: see below
  },
  cone: { shape: { type: 'cone', radius: 0.5, halfHeight: 0.4 }, low: 0.4 },
  'row of three balls': {
    shape: multiSphere([-0.4, 0, 0.4].map((x) => ({ radius: 0.3, position: [x, 0, 0] }))),
    low: 0.3,
  },
  'tetrahedron of four balls': {
    shape: multiSphere([
      ...[0, 1, 2].map((i): SphereOptions => {
        const angle = (2 * Math.PI * i) / 3;
        return { radius: 0.3, position: [0.4 * Math.cos(angle), 0, 0.4 * Math.sin(angle)] };
      }),
      { radius: 0.3, position: [0, 0.4 * Math.SQRT2, 0] },
    ]),
    low: 0.3,
  },
};

/** Slides for 4 s at 3 m/s from −3 along eight headings; the worst of each measure. */
function slide(ground: () => ShapeOptions[], { shape, low }: { shape: ShapeOptions; low: number }) {
  const worst = { x: 0, bump: 0, speed: 0 };
  const rest = Number.isNaN(low) ? 0.4 : low;
  for (let heading = 0; heading < 8; heading++) {
    const angle = (heading * Math.PI) / 4 + (heading > 3 ? 0.1 : 0);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const world = createWorld();
    for (const part of ground())
      world.createBody({ type: 'static', shape: { ...part, friction: 0 } as ShapeOptions });
    // Off the grid's lines by different parts of a cell.
    const [x0, z0] = [-3 * c + 0.013, -3 * s + 0.007];
    const body = world.createBody({
      mass: 1,
      shape: { ...shape, friction: 0 } as ShapeOptions,
      position: [x0, rest, z0],
      linearVelocity: [3 * c, 0, 3 * s],
    });
    run(world, 4, () => {
      const [, y] = position(body);
      const [vx, , vz] = velocity(body);
      worst.bump = Math.max(worst.bump, Math.abs(y - rest));
      worst.speed = Math.max(worst.speed, Math.hypot(vx - 3 * c, vz - 3 * s));
    });
    const [x, , z] = position(body);
    worst.x = Math.max(worst.x, Math.abs((x - x0) * c + (z - z0) * s - 12));
  }
  return worst;
}

for (const [name, ground] of Object.entries(GROUNDS))
  for (const [kind, slider] of Object.entries(SLIDERS))
    row(`no bumps: a ${kind} slides 4 s at 3 m/s over ${name}, 8 headings`, (m) => {
      const { x, bump, speed } = slide(ground, slider);
      m.atMost('|x − 9|', x, 1e-3, 'm');
      m.atMost('bump', bump, 1e-4, 'm');
      m.atMost('Δv', speed, 1e-3, 'm/s');
    });

for (const kind of ['sphere', 'box'])
  row(`no bumps: a ${kind} slides through a bowl of triangles`, (m) => {
    // Facets of 20 cm across a gutter of 5 m radius, along which nothing bends: neighbours differ by about 2.3°.
    const facet = 2 * Math.asin(0.1 / 5);
    const bowl = grid([-3, -3, 3, 3], [30, 12], (x) => 5 - Math.sqrt(25 - x * x));
    const world = createWorld();
    world.createBody({ type: 'static', shape: { ...mesh(bowl), friction: 0 } });
    const size = 0.25;
    const shape: ShapeOptions =
      kind === 'sphere'
        ? { type: 'sphere', radius: size, friction: 0 }
        : { type: 'box', halfExtents: [size, size, size], friction: 0 };
    const body = world.createBody({
      mass: 1,
      shape,
      position: [0, size + (kind === 'box' ? 0.01 : 0), -2.2],
      linearVelocity: [1.5, 0, 0.4],
    });
    let [jump, bump, across] = [0, 0, 0];
    let before = velocity(body);
    run(world, 4, () => {
      const v = velocity(body);
      const [x, y] = position(body);
      // Down the slope gravity adds g·Δt at most; a facet turns the way by its angle.
      jump = Math.max(jump, length([v[0] - before[0], v[1] - before[1], v[2] - before[2]]));
      before = v;
      across = Math.max(across, Math.abs(v[2] - 0.4));
      bump = Math.max(bump, Math.abs(Math.hypot(x, 5 - y) - (5 - size)));
    });
    m.atMost('jump of the velocity', jump, 1.5 * facet + 9.81 * DT, 'm/s');
    m.atMost('across the bend: Δv', across, 1e-3, 'm/s');
    // Facets lie between the arc and their rise in the middle; a box stands on its edges.
    if (kind === 'sphere') m.atMost('from the arc', bump, 5 * (1 - Math.sqrt(1 - 0.02 ** 2)) + 1e-4, 'm');
  });

row('a curb of 45° stops what slides into it', (m) => {
  for (const [kind, { shape, low }] of Object.entries(SLIDERS)) {
    const world = createWorld();
    // A step up of 1 m at x = 4, its riser at 45°.
    const curb = grid([-20, -20, 20, 20], [80, 10], (x) => Math.min(1, Math.max(0, x - 4)));
    world.createBody({ type: 'static', shape: { ...mesh(curb), friction: 0 } });
    const body = world.createBody({
      mass: 1,
      shape: { ...shape, friction: 0 } as ShapeOptions,
      position: [0, Number.isNaN(low) ? 0.4 : low, 0.11],
      linearVelocity: [3, 0, 0],
    });
    let farthest = 0;
    run(world, 3, () => {
      farthest = Math.max(farthest, position(body)[0]);
    });
    // v²/2g = 0.46 m: nothing without friction climbs a metre.
    m.atMost(`${kind}: farthest`, farthest, 4.6, 'm');
    m.atMost(`${kind}: speed at the end`, velocity(body)[0], 0.5, 'm/s');
  }
});

/** Hills of two wavelengths in a bowl, so that nothing rolls away for good. */
const hills = (x: number, z: number) =>
  0.6 * Math.sin(x * 0.9) * Math.cos(z * 0.7) + 0.15 * Math.sin(2.3 * x + 1.9 * z) + 0.02 * (x * x + z * z);

function pile(world: World, ground: ShapeOptions, count = 120): RigidBody[] {
  world.createBody({ type: 'static', shape: ground });
  let seed = 77;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const between = (a: number, b: number) => a + (b - a) * random();
  return Array.from({ length: count }, (_, i) => {
    const size = between(0.2, 0.4);
    const points = Array.from({ length: 16 }, () => {
      const p = [between(-1, 1), between(-1, 1), between(-1, 1)];
      const scale = size / Math.max(0.2, Math.hypot(...p));
      return p.map((v) => v * scale);
    });
    const shapes: ShapeOptions[] = [
      { type: 'box', halfExtents: [size, between(0.2, 0.4), between(0.2, 0.4)] },
      { type: 'hull', points },
      { type: 'capsule', radius: 0.7 * size, halfHeight: 0.6 * size, rollingFriction: 0.02 },
      { type: 'sphere', radius: size, rollingFriction: 0.02 },
      { type: 'cylinder', radius: size, halfHeight: 0.8 * size, rollingFriction: 0.02 },
      { type: 'cone', radius: size, halfHeight: size, rollingFriction: 0.02 },
      multiSphere([{ radius: 0.6 * size }, { radius: 0.5 * size, position: [size, 0, 0] }], {
        rollingFriction: 0.02,
      }),
    ];
    return world.createBody({
      shape: shapes[i % shapes.length]!,
      position: [((i % 8) - 3.5) * 0.9, 2.5 + Math.floor(i / 64), ((Math.floor(i / 8) % 8) - 3.5) * 0.9],
    });
  });
}

const TERRAINS: Record<string, () => ShapeOptions> = {
  mesh: () => mesh({ ...grid([-10, -10, 10, 10], [50, 50], hills), friction: 1 }),
  heightfield: () => {
    const heights = Array.from({ length: 51 * 51 }, (_, i) =>
      hills(((i % 51) - 25) * 0.4, (Math.floor(i / 51) - 25) * 0.4),
    );
    return heightfield({ rows: 51, columns: 51, heights, spacing: 0.4, friction: 1 });
  },
};

for (const [name, terrain] of Object.entries(TERRAINS))
  row(`a pile of every shape on a ${name} of hills: nothing lost, all asleep`, (m) => {
    const world = new World();
    const bodies = pile(world, terrain());
    let steps = 0;
    while (steps < 60 * 60 && !bodies.every(isAsleep)) {
      world.step(DT);
      steps++;
    }
    const lost = bodies.filter((body) => {
      const [x, y, z] = position(body);
      return !(y > hills(x, z) - 0.05);
    });
    m.equal('lost', lost.length, 0);
    m.equal('awake after a minute', bodies.filter((body) => !isAsleep(body)).length, 0);
    m.note('asleep after', steps * DT, 's');
  });

row('a box in a corner of three walls rests against all three', (m) => {
  const world = createWorld({ gravity: [-3, -9.81, -3] });
  const corner = mesh({
    vertices: [0, 0, 0, 6, 0, 0, 0, 6, 0, 0, 0, 6, 6, 6, 0, 6, 0, 6, 0, 6, 6],
    indices: [0, 3, 5, 0, 5, 1, 0, 1, 4, 0, 4, 2, 0, 2, 6, 0, 6, 3],
  });
  world.createBody({ type: 'static', shape: { ...corner, friction: 0 } });
  const body = world.createBody({
    shape: { type: 'box', halfExtents: [0.5, 0.4, 0.3], friction: 0 },
    position: [1.2, 1, 1.1],
  });
  run(world, 5);
  const [x, y, z] = position(body);
  m.near('x', x, 0.5, 2e-3, 'm');
  m.near('y', y, 0.4, 2e-3, 'm');
  m.near('z', z, 0.3, 2e-3, 'm');
  m.atMost('speed', length(velocity(body)), 1e-3, 'm/s');
  const [contact] = body.getContacts();
  // One contact of the two shapes, with the points of three manifolds.
  m.equal('contacts', body.getContacts().length, 1);
  m.atLeast('points', contact?.points.length ?? 0, 9);
});

/** A table of triangles, closed and two-sided: 10 m × 2 m × 10 m, its top at y = 0. */
function table(): ShapeOptions {
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? 5 : -5, i & 2 ? 0 : -2, i & 4 ? 5 : -5]);
  const faces = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return mesh({ vertices, indices: faces.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]) });
}

// Sunk by a hair, it hit the table's side from within and came to rest or bounced back.
row('what slides over the rim of a table of triangles leaves it as it leaves one that is a box', (m) => {
  const shapes: Record<string, ShapeOptions> = {
    crate: { type: 'box', halfExtents: [0.2, 0.2, 0.2] },
    plate: { type: 'box', halfExtents: [0.4, 0.03, 0.4] },
    coin: { type: 'cylinder', radius: 0.2, halfHeight: 0.02 },
    cylinder: { type: 'cylinder', radius: 0.2, halfHeight: 0.2 },
    cone: { type: 'cone', radius: 0.2, halfHeight: 0.2 },
  };
  const tables: [ShapeOptions, number][] = [
    [table(), 0],
    [{ type: 'box', halfExtents: [5, 1, 5] }, -1],
  ];
  for (const [name, shape] of Object.entries(shapes))
    for (const friction of [0, 0.3])
      for (const speed of [1, 3, 12]) {
        const height = name === 'coin' ? 0.02 : name === 'plate' ? 0.03 : 0.2;
        const [onTriangles, onBox] = tables.map(([top, y]) => {
          const world = createWorld();
          world.createBody({ type: 'static', position: [0, y, 0], shape: { ...top, friction: 1 } });
          const body = world.createBody({
            mass: 1,
            position: [4.3 - 0.3 * speed, height, 0],
            linearVelocity: [speed, 0, 0],
            shape: { ...shape, friction },
          });
          for (let i = 0; i < 60; i++) world.step(DT);
          return velocity(body);
        });
        const off = Math.hypot(...onTriangles!.map((c, i) => c - onBox![i]!));
        m.atMost(`${name}, friction ${friction}, ${speed} m/s`, off / speed, 0.05, 'of the speed');
      }
});

describe('a pair with a surface', () => {
  const floor = (): ShapeOptions => mesh(grid([-5, -5, 5, 5], [10, 10]));
  const drop = (options: WorldOptions = {}, shape = floor()) => {
    const world = new World(options);
    const seen: string[] = [];
    for (const type of ['contactBegin', 'contactStay', 'contactEnd'] as const)
      world.on(type, () => seen.push(type));
    const step = (count = 1) => {
      seen.length = 0;
      for (let i = 0; i < count; i++) world.step(DT);
      return seen;
    };
    const ground = world.createBody({ type: 'static', shape });
    const box = world.createBody({
      shape: { type: 'box', halfExtents: [1.3, 0.3, 1.3] },
      position: [0.2, 0.5, 0.1],
    });
    return { world, ground, box, step };
  };

  test('begins once, stays with all points, ends once', () => {
    const { box, step } = drop();
    const seen = [...step(60)];
    expect(seen.filter((type) => type === 'contactBegin')).toHaveLength(1);
    expect(seen.filter((type) => type === 'contactEnd')).toHaveLength(0);
    expect(step()).toEqual(['contactStay']);
    box.setPosition([0, 20, 0]);
    expect(step()).toEqual(['contactEnd']);
  });

  test('ends when the surface goes, and wakes what lay on it', () => {
    const { world, ground, box, step } = drop();
    run(world, 6);
    expect(isAsleep(box)).toBe(true);
    world.removeBody(ground);
    expect(step()).toContain('contactEnd');
    run(world, 0.5);
    expect(position(box)[1]).toBeLessThan(-0.5);
  });

  test('sleeps, wakes and rests as before', () => {
    const { world, box, step } = drop();
    run(world, 6);
    expect(isAsleep(box)).toBe(true);
    const before = position(box);
    box.applyImpulse([0, 1e-6, 0]);
    run(world, 0.5);
    expect(isAsleep(box)).toBe(false);
    expect(length(position(box).map((v, i) => v - before[i]!) as [number, number, number])).toBeLessThan(
      1e-4,
    );
    expect(step()).toEqual(['contactStay']);
  });

  test('hears of a new material at once', () => {
    const { world, ground, box } = drop({ sleeping: false });
    run(world, 0.5);
    box.setLinearVelocity([3, 0, 0]);
    ground.setMaterial({ friction: 0 });
    run(world, 0.5);
    expect(velocity(box)[0]).toBeCloseTo(3, 3);
  });

  test('as a sensor: in once, out once, and not before it touches', () => {
    const world = new World({ gravity: [0, 0, 0] });
    world.createBody({ type: 'static', shape: floor() });
    const ball = world.createBody({
      shape: { type: 'sphere', radius: 0.5, sensor: true },
      position: [0.2, 2, 0.3],
      linearVelocity: [0, -2, 0],
    });
    const heights: [string, number][] = [];
    for (const type of ['contactBegin', 'contactEnd'] as const)
      world.on(type, () => heights.push([type, position(ball)[1]]));
    run(world, 2);
    expect(heights.map(([type]) => type)).toEqual(['contactBegin', 'contactEnd']);
    expect(Math.abs(heights[0]![1] - 0.5)).toBeLessThan(0.07);
    expect(Math.abs(heights[1]![1] + 0.5)).toBeLessThan(0.07);
  });

  test('of one side lets through from behind', () => {
    const world = new World();
    world.createBody({ type: 'static', shape: mesh({ ...grid([-5, -5, 5, 5], [3, 3]), oneSided: true }) });
    const up = world.createBody({
      shape: { type: 'box', halfExtents: [0.2, 0.2, 0.2] },
      position: [0, -1, 0],
      linearVelocity: [0, 8, 0],
    });
    run(world, 0.4);
    expect(position(up)[1]).toBeGreaterThan(0.5);
    run(world, 3);
    expect(position(up)[1]).toBeCloseTo(0.2, 2);
  });

  test('of one side lets through from behind at any speed and angle: balls keep their velocity', () => {
    const surface = mesh({ ...grid([-8, -8, 8, 8], [16, 16]), oneSided: true });
    let worst = 0;
    for (const speed of [5, 20, 50, 100])
      for (let i = 0; i < 40; i++) {
        const world = new World({ gravity: [0, 0, 0] });
        world.createBody({ type: 'static', shape: surface });
        const from = -1 - (i / 40) * speed * DT; // a step ends with the ball anywhere in the surface
        const ball = world.createBody({
          shape: { type: 'sphere', radius: 0.3 },
          position: [0.1, from, 0.3],
          linearVelocity: [speed, speed, 0],
        });
        for (let k = 0; k < Math.max(10, 180 / speed); k++) world.step(DT);
        const [vx, vy, vz] = velocity(ball);
        worst = Math.max(worst, Math.hypot(vx - speed, vy - speed, vz) / speed);
        world.dispose();
      }
    expect(worst).toBeLessThan(1e-4);
  });

  test('that moves carries what lies on it', () => {
    const world = new World();
    const lift = world.createBody({ type: 'kinematic', shape: { ...floor(), friction: 1 } });
    const box = world.createBody({
      shape: { type: 'box', halfExtents: [0.4, 0.4, 0.4], friction: 1 },
      position: [1, 0.4, 1],
    });
    run(world, 0.3);
    let t = 0;
    for (let i = 0; i < 120; i++) {
      t += DT;
      lift.setKinematicTarget([0.5 * t, 0.5 * t, 0], [0, 0, 0, 1]);
      world.step(DT);
    }
    const [x, y, z] = position(box);
    expect(x).toBeCloseTo(1 + 0.5 * t, 1);
    expect(y).toBeCloseTo(0.4 + 0.5 * t, 2);
    expect(z).toBeCloseTo(1, 2);
  });

  test('never lets a fast body through', () => {
    const world = new World();
    world.createBody({ type: 'static', shape: mesh(grid([-30, -30, 30, 30], [60, 60])) });
    const balls = Array.from({ length: 20 }, (_, i) =>
      world.createBody({
        shape: i % 2 === 0 ? { type: 'sphere', radius: 0.2 } : { type: 'box', halfExtents: [0.2, 0.2, 0.2] },
        position: [i - 10, 8, 0.3],
        linearVelocity: [7, -60 - 10 * i, 3],
      }),
    );
    run(world, 2);
    for (const ball of balls) expect(position(ball)[1]).toBeGreaterThan(0);
  });

  test('goes on the same after a snapshot in full motion', () => {
    const make = () => {
      const world = new World();
      const bodies = pile(world, TERRAINS['mesh']!(), 42);
      return { world, bodies };
    };
    const { world } = make();
    run(world, 1);
    const bytes = world.snapshot();
    run(world, 1.5);
    const truth = world.stateHash();
    const other = make().world;
    run(other, 0.3);
    other.restore(bytes);
    run(other, 1.5);
    expect(other.stateHash()).toEqual(truth);
    world.restore(bytes);
    run(world, 1.5);
    expect(world.stateHash()).toEqual(truth);
  });
});
