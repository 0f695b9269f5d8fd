// Convex decomposition: hulls of known solids against their volumes, hulls that hold what the solid holds, bodies of them,
// what is asked of the options, and the same hulls everywhere.
import {
  cookMesh,
  type Decomposition,
  decompose,
  exportHulls,
  importHulls,
  massPropertiesOf,
  PhysicsError,
  readHull,
  World,
} from 'ricochet';
import { describe, expect, test } from 'vitest';
import { readMeshFile } from '../../src/cooking/meshFile';
import { random } from '../physics/support/vector';
import { bowl, box, corner, moved, type Solid, stairs, torus } from './support/solids';

const volumeOf = ({ hulls }: Decomposition) =>
  hulls.reduce((sum, geometry) => sum + massPropertiesOf({ type: 'hull', geometry }).volume, 0);
const shapesOf = ({ hulls }: Decomposition) => hulls.map((geometry) => ({ type: 'hull' as const, geometry }));

describe('volumes', () => {
  test('a box is one hull, exactly', () => {
    const made = decompose(box(2, 1, 3));
    expect(made.hulls.length).toBe(1);
    expect(volumeOf(made)).toBeCloseTo(6, 5);
    expect(readHull(made.hulls[0]!).faces.length).toBe(6);
    expect(made.report).toMatchObject({ depth: 0, excess: 0, closed: true });
  });

  test.each([
    ['an L of 3 m³', corner, 3, 2, 0.02],
    ['stairs of 12 m³', stairs, 12, 3, 0.02],
    ['a torus', torus(1, 0.3), 2 * Math.PI ** 2 * 0.09, 8, 0.08],
  ] as const)('%s', (_, solid, volume, least, error) => {
    const made = decompose({ ...solid, maxVertices: 64 });
    console.log(`${_}: ${made.hulls.length} hulls, ${volumeOf(made).toFixed(3)} m³ of ${volume.toFixed(3)}`);
    expect(made.hulls.length).toBeGreaterThanOrEqual(least);
    expect(made.hulls.length).toBeLessThanOrEqual(3 * least);
    expect(Math.abs(volumeOf(made) / volume - 1)).toBeLessThan(error);
  });

  test('far from the origin, and of any size, the same hulls', () => {
    const near = decompose(corner);
    for (const [by, scale] of [
      [[512, -256, 128], 1],
      [[0, 0, 0], 1024],
      [[0, 0, 0], 1 / 1024],
    ] as const) {
      const other = decompose(moved(corner, by, scale));
      expect(other.hulls.length).toBe(near.hulls.length);
      expect(volumeOf(other) / scale ** 3).toBeCloseTo(volumeOf(near), 3);
    }
  });
});

describe('surfaces that are not closed', () => {
  test('a sheet of two triangles is a plate', () => {
    const made = decompose({ vertices: [0, 0, 0, 2, 0, 0, 2, 0, 1, 0, 0, 1], indices: [0, 1, 2, 0, 2, 3] });
    expect(made.hulls.length).toBe(1);
    expect(made.report.closed).toBe(false);
    expect(volumeOf(made)).toBeLessThan(0.02);
  });

  test('a tilted triangle, and a box without a lid, keep their shape', () => {
    expect(decompose({ vertices: [0, 0, 0, 1, 0.3, 0.2, 0.1, 1, 0.7] }).hulls.length).toBe(1);
    const { vertices, indices } = box(2, 1, 3);
    const open = decompose({ vertices, indices: indices.subarray(0, indices.length - 6) });
    expect(open.hulls.length).toBeGreaterThanOrEqual(4);
    expect(volumeOf(open)).toBeLessThan(1.5);
  });

  test('triangles at random, open and across each other, give hulls or a typed error, always soon', () => {
    const next = random(20261122);
    for (let run = 0; run < 12; run++) {
      const flat = run % 3;
      const count = 1 + Math.floor(next() * 20);
      const vertices = Float32Array.from({ length: 9 * count }, (_, i) =>
        i % 3 < flat ? 0.5 : next() - 0.5,
      );
      try {
        const { hulls } = decompose({ vertices, resolution: 24, maxHulls: 8 });
        expect(hulls.length).toBeGreaterThan(0);
        expect(hulls.length).toBeLessThanOrEqual(8);
      } catch (error) {
        expect(error).toBeInstanceOf(PhysicsError);
      }
    }
  });
});

describe('options', () => {
  test('the most hulls, the most vertices', () => {
    const made = decompose({
      ...torus(1, 0.3),
      maxHulls: 5,
      maxVertices: 10,
      concavity: 0.001,
      resolution: 40,
    });
    expect(made.hulls.length).toBe(5);
    for (const hull of made.hulls) expect(readHull(hull).vertices.length / 3).toBeLessThanOrEqual(10);
    expect(decompose({ ...torus(1, 0.3), maxHulls: 1 }).hulls.length).toBe(1);
  });

  test('a larger concavity gives fewer hulls', () => {
    const counts = [0.02, 0.1, 0.5].map(
      (concavity) => decompose({ ...torus(1, 0.3), concavity }).hulls.length,
    );
    expect(counts[0]).toBeGreaterThan(counts[1]!);
    expect(counts[1]).toBeGreaterThan(counts[2]!);
    expect(counts[2]).toBe(1);
  });

  test.each([
    [{ vertices: [0, 0, 0] }, 'vertices'],
    [{ ...corner, concavity: 2 }, 'concavity'],
    [{ ...corner, maxHulls: 0 }, 'maxHulls'],
    [{ ...corner, maxVertices: 3 }, 'maxVertices'],
    [{ ...corner, resolution: 1000 }, 'resolution'],
    [{ ...corner, hulls: 3 }, 'hulls'],
    [{ vertices: [1, 1, 1, 1, 1, 1, 1, 1, 1] }, 'vertices'],
    [{ vertices: [0, 0, 0, 1, 0, 0, 0, Number.NaN, 0] }, 'vertices[2].y'],
  ])('%j is refused by name', (options, argument) => {
    expect(() => decompose(options as never)).toThrow(
      expect.objectContaining({ name: 'PhysicsError', argument }),
    );
  });

  test('progress grows to the end', () => {
    const shares: number[] = [];
    decompose(torus(1, 0.3), (share) => shares.push(share));
    expect(shares.length).toBeGreaterThan(20);
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
  });
});

test('the same bytes each time, which importHulls reads, and no other bytes', () => {
  const bytes = exportHulls(decompose(bowl(1, 0.1)).hulls);
  expect(exportHulls(decompose(bowl(1, 0.1)).hulls)).toEqual(bytes);
  expect(exportHulls(importHulls(bytes))).toEqual(bytes);
  const next = random(7);
  for (let run = 0; run < 200; run++) {
    const spoiled = bytes.slice(0, run % 4 === 0 ? Math.floor(next() * bytes.length) : bytes.length);
    if (run % 4 !== 0) spoiled[Math.floor(next() * spoiled.length)]! ^= 1 + Math.floor(next() * 255);
    expect(() => importHulls(spoiled)).toThrow(expect.objectContaining({ code: 'damaged-geometry' }));
  }
});

describe('bodies', () => {
  test('the hulls of a bowl hold a ball inside', () => {
    const world = new World();
    const made = decompose(bowl(1, 0.08));
    world.createBody({ type: 'static', shape: shapesOf(made) });
    const balls = [0, 1, 2].map((i) =>
      world.createBody({
        position: [0.5 - 0.3 * i, 0.4 + 0.4 * i, 0.1 * i],
        shape: { type: 'sphere', radius: 0.15 },
      }),
    );
    for (let i = 0; i < 600; i++) world.step(1 / 60);
    for (const ball of balls) {
      const [x, y, z] = ball.getPosition();
      expect(Math.hypot(x!, z!)).toBeLessThan(0.6);
      expect(y!).toBeGreaterThan(-0.85);
      expect(y!).toBeLessThan(-0.2);
    }
  });

  test('a mesh with `dynamic` falls as its hulls, stands as a mesh, and is refused without', () => {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const geometry = cookMesh(stairs);
    const shape = (dynamic?: 'decompose' | 'hull' | 'error') =>
      ({ type: 'mesh', geometry, position: [-1.5, 0, -1], ...(dynamic ? { dynamic } : {}) }) as const;
    const parts = world.createBody({ position: [0, 1, 0], shape: shape('decompose'), mass: 10 });
    const whole = world.createBody({ position: [9, 1, 0], shape: shape('hull'), mass: 10 });
    expect(parts.shapes.length).toBeGreaterThan(2);
    expect(whole.shapes.length).toBe(1);
    expect(
      world.createBody({ type: 'static', position: [50, 0, 0], shape: shape('decompose') }).shapes.length,
    ).toBe(1);
    for (const dynamic of [undefined, 'error'] as const)
      expect(() => world.createBody({ shape: shape(dynamic) })).toThrow(
        /must not be a mesh on a dynamic body/,
      );
    expect(() => world.createBody({ shape: shape('maybe' as never) })).toThrow(/dynamic/);
    expect(() => parts.addShape(shape('decompose'))).toThrow(/one by one/);
    parts.addShape(shape('hull'));
    for (let i = 0; i < 240; i++) world.step(1 / 60);
    for (const body of [parts, whole]) expect(Math.abs(body.getPosition()[1]!)).toBeLessThan(0.01);
    const made = decompose(stairs);
    const again = world.createBody({ shape: { type: 'mesh', geometry, dynamic: made } });
    expect(again.shapes.length).toBe(made.hulls.length);
    expect(() => world.createBody({ shape: { type: 'mesh', geometry, scale: 2, dynamic: made } })).toThrow(
      /scale/,
    );
  });

  const PILE = Number(process.env['PILE_BODIES'] ?? (process.env['SOAK'] === '1' ? 200 : 24));
  test(`a pile of ${PILE} decomposed bodies settles without sinking in`, () => {
    const world = new World({ sleeping: false }); // what sleeps tells of no contacts
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    for (const [x, z, a, b] of [
      [-4, 0, 0.5, 4],
      [4, 0, 0.5, 4],
      [0, -4, 4, 0.5],
      [0, 4, 4, 0.5],
    ] as const)
      world.createBody({
        type: 'static',
        position: [x, 8, z],
        shape: { type: 'box', halfExtents: [a, 8, b] },
      });
    const kinds = [
      moved(torus(0.45, 0.15, 16, 8), [0, 0, 0]),
      moved(corner, [-0.3, -0.3, -0.2], 0.4),
      bowl(0.6, 0.12, 16, 4),
    ].map((solid: Solid) => decompose({ ...solid, maxHulls: 10, resolution: 40 }));
    const bodies = Array.from({ length: PILE }, (_, i) =>
      world.createBody({
        position: [((i % 5) - 2) * 1.25, 1 + 0.4 * Math.floor(i / 5), ((Math.floor(i / 5) % 5) - 2) * 1.2],
        shape: shapesOf(kinds[i % 3]!),
      }),
    );
    for (let i = 0; i < 480; i++) world.step(1 / 60);
    let deepest = 0;
    const points = world.getContacts().flatMap((contact) => contact.points);
    expect(points.length).toBeGreaterThan(3 * PILE);
    for (const { separation } of points) deepest = Math.min(deepest, separation);
    const speeds = bodies.map((body) => Math.hypot(...body.getLinearVelocity()));
    console.log(
      `deepest ${(-1000 * deepest).toFixed(1)} mm, fastest ${(1000 * Math.max(...speeds)).toFixed(1)} mm/s`,
    );
    expect(deepest).toBeGreaterThan(-0.02);
    expect(Math.max(...speeds)).toBeLessThan(0.3);
    for (const body of bodies) expect(body.getPosition()[1]!).toBeGreaterThan(0.1);
  });
});

describe('files of triangles', () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const OBJ = 'o x\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1/1 2//2 3 -1\n';
  const TEXT_STL =
    'solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid x\n';
  const binaryStl = () => {
    const binary = new DataView(new ArrayBuffer(134));
    binary.setUint32(80, 1, true);
    binary.setFloat32(84 + 12 + 12, 1, true);
    binary.setFloat32(84 + 12 + 28, 1, true);
    return binary.buffer;
  };
  test('OBJ, polygons and negative numbers included', () => {
    const { vertices, indices } = readMeshFile(bytesOf(OBJ));
    expect(vertices.length).toBe(12);
    expect([...indices]).toEqual([0, 1, 2, 0, 2, 3]);
  });
  test('STL, as text and binary', () => {
    expect(readMeshFile(bytesOf(TEXT_STL))).toEqual(readMeshFile(binaryStl()));
  });
  test.each([
    ['v 0 0\nf 1 1 1', 'line 1'],
    ['v 0 0 0\nf 1 1 2', 'line 2'],
    ['v 0 0 0\nf 1 0 1', 'line 2'],
    ['v 0 0 0\nf 1 1', 'line 2'],
    ['v 0 0 1e99\nf 1 1 1', 'line 1'],
    ['hello', 'the end'],
    ['solid x\nvertex 1 2 3', 'the end'],
    ['solid x\nvertex 1 2 y', 'line 2'],
  ])('%j names the place', (text, place) => {
    expect(() => readMeshFile(bytesOf(text))).toThrow(new RegExp(`^${place}`));
    expect(() => readMeshFile(bytesOf(text))).toThrow(expect.objectContaining({ code: 'damaged-file' }));
  });
  const RUNS = Number(process.env['MUTATIONS'] ?? (process.env['SOAK'] === '1' ? 10_000 : 300));
  test.each([
    ['OBJ', bytesOf(OBJ)],
    ['STL as text', bytesOf(TEXT_STL)],
    ['binary STL', new Uint8Array(binaryStl())],
  ] as const)(`${RUNS} spoiled files of %s give triangles or a typed error`, (_, file) => {
    const next = random(11);
    let refused = 0;
    for (let run = 0; run < RUNS; run++) {
      const bytes = file.slice();
      for (let k = 0; k < 3; k++) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
      try {
        readMeshFile(bytes.slice(0, run % 2 ? bytes.length : Math.floor(next() * bytes.length)));
      } catch (error) {
        refused++;
        expect(error).toMatchObject({ code: 'damaged-file' });
      }
    }
    console.log(`${_}: ${refused} of ${RUNS} refused`);
  });
});

const LARGE = process.env['SOAK'] === '1' || process.env['LARGE_MESH'] === '1';
if (!LARGE) console.log('skipped: 100,000 triangles, which take seconds (LARGE_MESH=1)');
test.runIf(LARGE)('100,000 triangles are decomposed in at most 10 s of CPU time', () => {
  const solid = torus(1, 0.3, 320, 160);
  const before = process.cpuUsage().user;
  const { hulls } = decompose(solid);
  const seconds = (process.cpuUsage().user - before) / 1e6;
  console.log(
    `${solid.indices.length / 3} triangles: ${hulls.length} hulls in ${seconds.toFixed(1)} s; target 10 s`,
  );
  expect(seconds).toBeLessThan(10);
});
