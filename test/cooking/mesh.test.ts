// Cooking of triangle meshes: welding, what is left out and reported, edges, the tree against brute force,
// and bytes that were saved, also damaged ones.
import { describe, expect, test } from 'vitest';
import {
  cookHull,
  cookMesh,
  exportCooked,
  importCooked,
  massPropertiesOf,
  readMesh,
  readTriangles,
  scaled,
} from '../../src/cooking';
import type { Geometry } from '../../src/cooking/geometries';
import { meshFault } from '../../src/cooking/meshWords';
import { World } from '../../src/index';
import { bestOf } from '../bestOf';
import { random } from '../physics/support/vector';
import { caught } from '../support/caught';

const SEED = Number(process.env['MESH_SEED'] ?? 20240712);
const HEADER = 20;
const NODE = 28;

/** A grid of quads over [0, n]², heights by a function. */
function grid(n: number, height: (x: number, z: number) => number) {
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let x = 0; x <= n; x++) for (let z = 0; z <= n; z++) vertices.push(x, height(x, z), z);
  for (let x = 0; x < n; x++)
    for (let z = 0; z < n; z++) {
      const a = x * (n + 1) + z;
      indices.push(a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1);
    }
  return { vertices, indices };
}

const CUBE = {
  vertices: Array.from({ length: 8 }, (_, i) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]).flat(),
  indices: [
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7,
    5,
  ],
};

/** Flags of each edge of a cooked mesh by its ends: `x y z|x y z`. */
function edgesOf({ words }: Geometry) {
  const floats = new Float32Array(words.buffer);
  const [vertexCount, triangleCount, nodeCount] = [words[0]!, words[1]!, words[2]!];
  const vertices = HEADER + NODE * nodeCount;
  const triangles = vertices + 4 * vertexCount;
  const place = (v: number) => [0, 1, 2].map((k) => floats[vertices + 4 * v + k]).join(' ');
  const list: {
    t: number;
    from: string;
    to: string;
    front: boolean;
    border: boolean;
    back: boolean;
    neighbour: number;
  }[] = [];
  for (let t = 0; t < triangleCount; t++)
    for (let k = 0; k < 3; k++) {
      const at = triangles + 4 * t;
      const flags = words[at + 3]!;
      list.push({
        t,
        from: place(words[at + k]!),
        to: place(words[at + ((k + 1) % 3)]!),
        front: (flags & (1 << k)) !== 0,
        border: (flags & (8 << k)) !== 0,
        back: (flags & (1 << (16 + k))) !== 0,
        neighbour: words[at + 4 * triangleCount + k]!,
      });
    }
  return list;
}

describe('edges', () => {
  test('of a flat grid: borders are active, what lies inside is not', () => {
    const geometry = cookMesh(grid(4, () => 0));
    for (const { border, front, back, neighbour } of edgesOf(geometry)) {
      expect(front).toBe(border);
      expect(back).toBe(border);
      expect(neighbour < 0).toBe(border);
    }
    expect(geometry.report).toMatchObject({ borderEdges: 16, nonManifoldEdges: 0, inconsistentEdges: 0 });
  });

  /** Two triangles over the edge along z that bend by an angle in degrees; above 0 a ridge seen from above. */
  const bent = (angle: number) => {
    const s = Math.sin((angle * Math.PI) / 180);
    const c = Math.cos((angle * Math.PI) / 180);
    return cookMesh({
      vertices: [0, 0, 0, 0, 0, 1, -1, 0, 0, c, -s, 0],
      indices: [0, 2, 1, 0, 1, 3],
    });
  };
  const inner = (geometry: Geometry) => edgesOf(geometry).filter(({ border }) => !border);

  test.each([
    [45, true, false],
    [-45, false, true],
    [5.1, true, false],
    [4.9, false, false],
    [-4.9, false, false],
    [120, true, false],
    [-170, false, true],
  ])('a bend of %f degrees is a ridge in front: %s, at the back: %s', (angle, front, back) => {
    for (const edge of inner(bent(angle))) expect([edge.front, edge.back]).toEqual([front, back]);
  });

  test('of a cube: twelve ridges, six flat diagonals, closed', () => {
    const geometry = cookMesh(CUBE);
    const edges = edgesOf(geometry);
    expect(edges.filter(({ front }) => front)).toHaveLength(24);
    expect(edges.filter(({ back }) => back)).toHaveLength(0);
    expect(geometry.report?.borderEdges).toBe(0);
  });

  test('of three walls that meet: a ridge only where no other wall goes on', () => {
    // A floor of two triangles and a wall that stands on their common edge.
    const geometry = cookMesh({
      vertices: [0, 0, 0, 0, 0, 1, -1, 0, 0, 1, 0, 0, 0, 1, 0],
      indices: [0, 1, 2, 0, 3, 1, 0, 4, 1],
    });
    expect(geometry.report?.nonManifoldEdges).toBe(1);
    const shared = edgesOf(geometry).filter(({ border }) => !border);
    expect(shared).toHaveLength(3);
    // The floor goes on flat; seen from either side of the wall a floor rises from its foot.
    for (const { front, back } of shared) expect([front, back]).toEqual([false, false]);
  });

  test('one-sided, a neighbour that shows its back is none', () => {
    const turned = { vertices: [0, 0, 0, 0, 0, 1, -1, 0, 0, 1, 0, 0], indices: [0, 1, 2, 0, 1, 3] };
    const both = cookMesh(turned);
    const one = cookMesh({ ...turned, oneSided: true });
    expect([both, one].map(({ report }) => report?.inconsistentEdges)).toEqual([1, 1]);
    const edge = (geometry: Geometry) => edgesOf(geometry).filter(({ border }) => !border);
    expect(edge(both).map(({ front }) => front)).toEqual([false, false]);
    expect(edge(one).map(({ front }) => front)).toEqual([true, true]);
  });
});

describe('mending', () => {
  test('vertices within the tolerance become one; without indices every three are a triangle', () => {
    const { vertices, indices } = grid(3, () => 0);
    const soup = indices.flatMap((i, k) => [0, 1, 2].map((c) => vertices[3 * i + c]! + 1e-8 * (k % 5)));
    const { report } = cookMesh({ vertices: soup });
    expect(report).toMatchObject({ vertices: 16, triangles: 18, borderEdges: 12, weldedVertices: 54 - 16 });
    expect(cookMesh({ vertices: soup.map((c) => c + 0), weldTolerance: 0 }).report!.triangles).toBe(18);
    const coarse = cookMesh({
      vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1.01, 0, 0, 2, 0, 0, 1, 1, 0],
      weldTolerance: 0.02,
    });
    expect(coarse.report).toMatchObject({ vertices: 5, weldedVertices: 1 });
  });

  test('welding moves nothing farther than the tolerance, and keeps what is farther apart', () => {
    const next = random(SEED);
    const vertices = Array.from({ length: 2997 }, () => Math.fround(next()));
    const tolerance = 0.01;
    const geometry = cookMesh({ vertices, weldTolerance: tolerance });
    const kept = readMesh(geometry).vertices;
    const apart = (a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number) =>
      Math.hypot(a[3 * i]! - b[3 * j]!, a[3 * i + 1]! - b[3 * j + 1]!, a[3 * i + 2]! - b[3 * j + 2]!);
    for (let i = 0; i < kept.length / 3; i++)
      for (let j = 0; j < i; j++) expect(apart(kept, i, kept, j)).toBeGreaterThan(tolerance);
    const { indices, sources } = readMesh(geometry);
    for (let t = 0; t < sources.length; t++)
      for (let k = 0; k < 3; k++)
        expect(apart(kept, indices[3 * t + k]!, vertices, 3 * sources[t]! + k)).toBeLessThanOrEqual(
          tolerance,
        );
  });

  test('triangles without an area and those that are there twice are left out and named', () => {
    const { report, words } = cookMesh({
      vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0],
      indices: [0, 0, 1, 0, 1, 2, 0, 1, 3, 4, 1, 2, 2, 1, 0, 1, 3, 2],
    });
    expect([...report!.degenerate]).toEqual([0, 2]);
    expect([...report!.duplicates]).toEqual([3, 4]);
    expect(words[1]).toBe(2);
  });

  test('one-sided, a triangle turned over is not the same', () => {
    const { report } = cookMesh({
      vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1],
      indices: [0, 1, 2, 2, 1, 0],
      oneSided: true,
    });
    expect(report?.triangles).toBe(2);
  });
});

test.each([
  [{ vertices: [0, 0, 0, 1, Number.NaN, 0, 0, 0, 1] }, 'vertices[1].y'],
  [
    {
      vertices: [
        [0, 0, 0],
        [1, 0, 0],
        [0, 0, 2e9],
      ],
    },
    'vertices[2].z',
  ],
  [{ vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], indices: [0, 1, 3] }, 'indices[2]'],
  [{ vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], indices: [0, 1, 2, 0, -1, 2] }, 'indices[4]'],
  [{ vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], indices: [0, 1, 0.5] }, 'indices[2]'],
  [{ vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], indices: [0, 1] }, 'indices.length'],
  [{ vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], indices: [] }, 'indices'],
  [{ vertices: [0, 0, 0, 1, 0, 0, 2, 0, 0] }, 'indices'],
  [{ vertices: [0, 0, 0, 1, 0, 0] }, 'vertices'],
  [{ vertices: 'abc' }, 'vertices'],
  [{}, 'vertices'],
  [{ ...CUBE, weldTolerance: -1 }, 'weldTolerance'],
  [{ ...CUBE, activeEdgeAngle: 5 }, 'activeEdgeAngle'],
  [{ ...CUBE, materials: [0] }, 'materials.length'],
  [{ ...CUBE, materials: Array(12).fill(256) }, 'materials[0]'],
  [{ ...CUBE, oneSided: 1 }, 'oneSided'],
  [{ ...CUBE, colour: 1 }, 'colour'],
])('refused by name: %j', (options, argument) => {
  const error = caught(() => cookMesh(options as never));
  expect(error.argument).toBe(argument);
  expect(error.code).toMatch(/invalid-argument|unknown-option/);
});

test('an index out of range names its triangle', () => {
  const error = caught(() => cookMesh({ ...CUBE, indices: [...CUBE.indices.slice(0, 30), 1, 8, 5] }));
  expect(error.message).toBe('indices[31] (triangle 10) must be a vertex, an integer from 0 to 7, got 8');
});

describe('the tree', () => {
  const SHAPES: Record<string, (next: () => number) => { vertices: number[]; indices?: number[] }> = {
    terrain: (next) => grid(20, () => next()),
    soup: (next) => ({
      vertices: Array.from({ length: 300 }, () => [10 * next(), 10 * next(), 10 * next()])
        .flatMap(([x, y, z]) => Array.from({ length: 3 }, () => [x! + next(), y! + next(), z! + next()]))
        .flat(),
    }),
    'all in one place': (next) => ({
      vertices: Array.from({ length: 500 }, () => [
        1 + next(),
        0,
        0,
        0,
        1 + next(),
        0,
        -1,
        -1,
        next(),
      ]).flat(),
    }),
    'sizes from small to huge': (next) => ({
      vertices: Array.from({ length: 200 }, (_, i) => {
        const size = 1.1 ** i * 1e-3;
        return [size, 0, next() * size, 0, size, 0, -size, 0, size];
      }).flat(),
    }),
    one: () => ({ vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1] }),
  };

  test.each(Object.keys(SHAPES))(`%s: finds what a look at every triangle finds (seed ${SEED})`, (name) => {
    const next = random(SEED);
    const { words } = cookMesh({ ...SHAPES[name]!(next), weldTolerance: 0 });
    expect(meshFault(words)).toBe(undefined);
    const floats = new Float32Array(words.buffer);
    const [vertexCount, count, nodeCount] = [words[0]!, words[1]!, words[2]!];
    const vertices = HEADER + NODE * nodeCount;
    const triangles = vertices + 4 * vertexCount;
    const bounds = Array.from({ length: count }, (_, t) =>
      [0, 1, 2].map((k) => {
        const c = [0, 1, 2].map((i) => floats[vertices + 4 * words[triangles + 4 * t + i]! + k]!);
        return [Math.min(...c), Math.max(...c)] as const;
      }),
    );
    const owners = new Int32Array(count);
    const find = (low: number[], high: number[]) => {
      const found: number[] = [];
      const visit = (node: number) => {
        const at = HEADER + NODE * node;
        for (let lane = 0; lane < 4; lane++) {
          const child = words[at + 24 + lane]!;
          const apart = [0, 1, 2].some(
            (k) => floats[at + 4 * k + lane]! > high[k]! || floats[at + 12 + 4 * k + lane]! < low[k]!,
          );
          if (apart || child === 0) continue;
          if (child > 0) visit(child);
          else {
            const first = (-child - 1) >> 3;
            const last = first + ((-child - 1) & 7);
            for (let t = first; t <= last; t++) {
              owners[t]!++;
              if (bounds[t]!.every(([a, b], k) => a <= high[k]! && b >= low[k]!)) found.push(t);
            }
          }
        }
      };
      visit(0);
      return found;
    };
    expect(find([-1e9, -1e9, -1e9], [1e9, 1e9, 1e9])).toHaveLength(count);
    expect([...owners].every((owned) => owned === 1)).toBe(true); // in one leaf each
    for (let i = 0; i < 200; i++) {
      const low = [next() * 12 - 1, next() * 12 - 1, next() * 12 - 1];
      const high = low.map((c) => c + next() * 2);
      const wanted = bounds.flatMap((b, t) =>
        b.every(([a, c], k) => a <= high[k]! && c >= low[k]!) ? [t] : [],
      );
      expect(find(low, high)).toEqual(wanted);
    }
  });

  test('stays shallow for whatever input', () => {
    const chain = Array.from({ length: 2500 }, (_, i) => {
      const x = 2 ** (i / 100);
      return [x, 0, 0, x * 1.0001, x, 0, 0, 0, x];
    }).flat();
    expect(cookMesh({ vertices: chain, weldTolerance: 0 }).words[6]).toBeLessThanOrEqual(24);
  });
});

test('a closed mesh weighs what it encloses; an open one, or one wound both ways, says where', () => {
  const cube = massPropertiesOf(cookMesh(CUBE), 2);
  expect(cube.volume).toBeCloseTo(8, 12);
  expect(cube.mass).toBeCloseTo(16, 12);
  for (const moment of cube.inertia) expect(moment).toBeCloseTo((16 * 2) / 3, 10);
  const moved = massPropertiesOf({
    type: 'mesh',
    geometry: cookMesh(CUBE),
    scale: [1, -2, 3],
    position: [5, 0, 0],
  });
  expect(moved.volume).toBeCloseTo(48, 10);
  expect(moved.centerOfMass[0]).toBeCloseTo(5, 12);
  const open = caught(() => massPropertiesOf(cookMesh({ ...CUBE, indices: CUBE.indices.slice(3) })));
  expect(open.message).toMatch(/closed mesh: triangle \d+ has an edge without a neighbour/);
  const turned = [...CUBE.indices.slice(0, 33), 3, 5, 7];
  expect(caught(() => massPropertiesOf(cookMesh({ ...CUBE, indices: turned }))).message).toMatch(
    /reversed relative/,
  );
});

describe('saved', () => {
  test('and loaded is the same content; the same input again is the same geometry', () => {
    const options = grid(10, (x, z) => Math.fround(0.1 * x * z));
    const geometry = cookMesh(options);
    expect(cookMesh({ ...options })).toBe(geometry);
    expect(cookMesh({ ...options, oneSided: true })).not.toBe(geometry);
    const copy = importCooked(exportCooked(geometry));
    expect(copy.hash).toBe(geometry.hash);
    expect(copy.words).toEqual(geometry.words);
  });

  test('a hull comes back to its place', () => {
    const hull = cookHull([1, 2, 3, 2, 2, 3, 1, 4, 3, 1, 2, 5]);
    const copy = importCooked(exportCooked(hull));
    expect(copy.center).toEqual(hull.center);
    expect(readTriangles(copy)).toEqual(readTriangles(hull));
    const world = new World();
    const shape = { type: 'hull', geometry: copy } as const;
    const body = world.createBody({ type: 'static', position: [10, 0, 0], shape });
    expect(world.pointTest([11.2, 2.2, 3.2]).map((hit) => hit.body)).toEqual([body]);
    expect(world.pointTest([10.9, 2, 3])).toEqual([]);
    const half = scaled(shape, 0.5);
    expect(massPropertiesOf(half).volume).toBeCloseTo(massPropertiesOf(shape).volume / 8, 5);
    const bytes = exportCooked(hull);
    for (let i = 0; i < 32; i++) {
      const damaged = bytes.slice();
      damaged[i]! ^= 4;
      expect(caught(() => importCooked(damaged)).code).toBe('damaged-geometry');
    }
  });

  test('damage is refused', () => {
    const next = random(SEED);
    const bytes = exportCooked(cookMesh(grid(6, () => next())));
    for (let i = 0; i < 2000; i++) {
      const damaged = bytes.slice();
      const at = Math.floor(next() * bytes.length);
      damaged[at]! ^= 1 << Math.floor(8 * next());
      expect(caught(() => importCooked(damaged)).code).toBe('damaged-geometry');
    }
    for (let i = 0; i < 100; i++)
      expect(caught(() => importCooked(bytes.slice(0, Math.floor(next() * bytes.length)))).code).toBe(
        'damaged-geometry',
      );
    expect(caught(() => importCooked('x' as never)).code).toBe('invalid-argument');
  });

  test('content with a good checksum and bad tables is refused, too', async () => {
    const { sealContent } = await import('../../src/cooking/contentHash');
    const { words } = cookMesh(grid(6, () => 0));
    const nodeCount = words[2]!;
    const broken = (at: number, value: number) => {
      const copy = words.slice();
      copy[at] = value;
      copy[4] = copy[5] = 0;
      return meshFault(sealContent(copy));
    };
    expect(broken(HEADER + 24, 1 << 20)).toMatch(/node/);
    expect(broken(HEADER + NODE * (nodeCount - 1) + 24, -(1 << 20))).toMatch(/leaf/);
    expect(broken(HEADER + NODE * nodeCount, 0x7fc00000)).toMatch(/vertex/);
    expect(broken(words.length - 8 * words[1]!, 1 << 20)).toMatch(/triangle/);
    expect(broken(words.length - 4, -2)).toMatch(/beside/);
    expect(broken(6, 99)).toMatch(/levels/);
    expect(broken(2, nodeCount + 1)).toMatch(/words/);
  });
});

let another = 0;

// Time of the processor, as other work on the machine would count otherwise.
test('100,000 triangles cook in less than 300 ms', async () => {
  const { vertices, indices } = grid(224, (x, z) => Math.sin(0.3 * x) * Math.cos(0.2 * z));
  const run = async () => {
    const options = { vertices: Float32Array.from(vertices), indices: Uint32Array.from(indices) };
    options.vertices[1] = ++another; // not the mesh that was cooked before
    const start = process.cpuUsage();
    cookMesh(options);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  const { best } = await bestOf(run, (ms) => ms / 300);
  console.log(`100,352 triangles: ${best.toFixed(0)} ms`);
  expect(best).toBeLessThanOrEqual(300);
});

test.runIf(process.env['SOAK'])('1,000,000 triangles cook, with progress', () => {
  const { vertices, indices } = grid(708, (x, z) => Math.sin(0.3 * x) * Math.cos(0.2 * z));
  const shares: number[] = [];
  const geometry = cookMesh({ vertices, indices }, (share) => void shares.push(share));
  expect(geometry.report!.triangles).toBe(2 * 708 * 708);
  expect(shares.length).toBeGreaterThan(50);
  for (let i = 1; i < shares.length; i++) expect(shares[i]).toBeGreaterThanOrEqual(shares[i - 1]!);
});
