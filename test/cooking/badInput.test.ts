// Everything that shapes may be made of and should not be: each is refused by name, with the vertex, triangle, row
// or child, or mended and reported. The messages are what a user reads. In: bad input. Out: no shape is silently wrong.
import { describe, expect, test } from 'vitest';
import { type BodyOptions, PhysicsError, type ShapeOptions, World } from '../../src';
import { compound, cookHull, cookMesh, heightfield, mesh, multiSphere, scaled } from '../../src/cooking';

const SQUARE = { vertices: [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1], indices: [0, 2, 1, 0, 3, 2] };
const FIELD = { rows: 3, columns: 4, heights: Array(12).fill(0), spacing: 1 };
const CORNERS = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];

const body =
  (shape: unknown, rest: BodyOptions = { type: 'static' }) =>
  () =>
    new World().createBody({ ...rest, shape: shape as ShapeOptions });
const at = (list: number[], index: number, value: number) => list.map((c, i) => (i === index ? value : c));
const far = (value: number) => [
  { radius: 1 },
  { radius: 1, position: [0, value, 0] as [number, number, number] },
];

const TABLE: [what: string, run: () => unknown, message: string | RegExp][] = [
  // Degenerate hulls.
  ['a hull of nothing', () => cookHull([]), 'points.length must be at least 4 points, got 0'],
  ['a hull without points', body({ type: 'hull' }), 'shape.points must be an array of points, got undefined'],
  [
    'a hull of three points',
    () => cookHull(CORNERS.slice(0, 9)),
    'points.length must be at least 4 points, got 3',
  ],
  [
    'a hull of half a point',
    () => cookHull([...CORNERS, 1]),
    'points.length must hold x, y, z of each point, got 13',
  ],
  ['a hull of one place', () => cookHull(Array(30).fill(2)), 'points must not all be at one point, got 0'],
  [
    'a hull in one line',
    () => cookHull([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]),
    /^points\[\d\] must not lie on one line, got \[/,
  ],
  [
    'a hull in one plane',
    () => cookHull([0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1]),
    /^points\[\d\] must not lie in one plane, got \[/,
  ],
  [
    'a hull with a point that is nowhere',
    () => cookHull(at(CORNERS, 7, Number.NaN)),
    'points[2].y must be a finite number, got NaN',
  ],
  [
    'a hull with a point without end',
    () => cookHull(at(CORNERS, 11, Infinity)),
    'points[3].z must be a finite number, got Infinity',
  ],
  [
    'a hull of too few corners',
    () => cookHull(CORNERS, { maxVertices: 3 }),
    'maxVertices must be an integer ≥ 4, got 3',
  ],
  ['an option of no hull', () => cookHull(CORNERS, { limit: 9 } as never), /^limit is no option/],
  [
    'a mesh for a hull',
    body({ type: 'hull', geometry: cookMesh(SQUARE) }),
    /^shape.geometry must come from cookHull/,
  ],
  [
    'a hull that another copy of the package cooked',
    body({ type: 'hull', geometry: new (class Geometry {})() }),
    'shape.geometry must come from cookHull of this copy of ricochet, got a Geometry',
  ],
  [
    'points beside a cooked hull',
    body({ type: 'hull', geometry: cookHull(CORNERS), points: CORNERS }),
    /^shape.points must be absent if geometry is given/,
  ],
  // Degenerate meshes.
  ['a mesh of nothing', () => mesh({ vertices: [] }), /^indices must hold a triangle, got/],
  [
    'a mesh of triangles without an area',
    () => mesh({ vertices: [0, 0, 0, 1, 0, 0, 2, 0, 0], indices: [0, 1, 2, 0, 0, 1] }),
    /^indices must hold a triangle with non-zero area \(all 2 have none\)/,
  ],
  [
    'a mesh with a vertex that is nowhere',
    () => mesh({ ...SQUARE, vertices: at(SQUARE.vertices, 10, Number.NaN) }),
    'vertices[3].y must be a finite number, got NaN',
  ],
  [
    'a mesh with a vertex far out',
    () => mesh({ ...SQUARE, vertices: at(SQUARE.vertices, 3, 1e30) }),
    'vertices[1].x must be from −1000000000 to 1000000000, got 1e+30',
  ],
  [
    'an index beyond the vertices',
    () => mesh({ ...SQUARE, indices: at(SQUARE.indices, 4, 4) }),
    'indices[4] (triangle 1) must be a vertex, an integer from 0 to 3, got 4',
  ],
  [
    'an index below 0',
    () => mesh({ ...SQUARE, indices: at(SQUARE.indices, 2, -1) }),
    'indices[2] (triangle 0) must be a vertex, an integer from 0 to 3, got -1',
  ],
  [
    'half a triangle',
    () => mesh({ ...SQUARE, indices: [0, 1, 2, 3] }),
    'indices.length must be three for each triangle, got 4',
  ],
  // Compounds and balls.
  ['an empty compound', () => compound([]), 'children.length must be > 0, got 0'],
  [
    'an empty compound in a compound',
    () => compound([{ type: 'sphere', radius: 1 }, { shape: [] }]),
    'children[1].shape.length must be > 0, got 0',
  ],
  ['no balls', body(multiSphere([])), 'shape.spheres.length must be from 1 to 32, got 0'],
  [
    'a ball nowhere',
    body(multiSphere(far(Number.NaN))),
    'shape.spheres[1].position.y must be finite, got NaN',
  ],
  // Heightfields.
  [
    'a heightfield with a height too few',
    () => heightfield({ ...FIELD, heights: Array(11).fill(0) }),
    'heights.length must be rows × columns, 12, got 11',
  ],
  ['a heightfield of one column', () => heightfield({ ...FIELD, columns: 1 }), /^columns must be from 2 to/],
  [
    'a height that is nowhere',
    () => heightfield({ ...FIELD, heights: at(FIELD.heights, 7, Number.NaN) }),
    'heights[7] (row 1, column 3) must be finite, got NaN',
  ],
  [
    'a heightfield with holes for other cells',
    () => heightfield({ ...FIELD, holes: Array(12).fill(false) }),
    'holes.length must be (rows − 1) × (columns − 1), 6, got 12',
  ],
  // Scales.
  ['a scale of 0', body(mesh({ ...SQUARE, scale: 0 })), 'shape.scale must not be 0, got 0'],
  ['a scale with a 0', body(mesh({ ...SQUARE, scale: [1, 1, 0] })), 'shape.scale.z must not be 0, got 0'],
  ['scaled by 0', () => scaled({ type: 'sphere', radius: 1 }, [1, 0, 1]), 'scale.y must not be 0, got 0'],
  // What cannot move.
  [
    'a mesh that is to move',
    body(mesh(SQUARE), { mass: 1 }),
    /^shape.type must not be a mesh on a dynamic body: make it kinematic, or of convex pieces \(compound of hulls\)/,
  ],
];

describe('refused by name', () => {
  test.each(TABLE)('%s', (_, run, message) => {
    let error: unknown;
    try {
      run();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(PhysicsError);
    const { message: text } = error as PhysicsError;
    if (typeof message === 'string') expect(text).toBe(message);
    else expect(text).toMatch(message);
  });
});

test('mended and reported: zero-area triangles, twins, vertices in one place', () => {
  const { report } = cookMesh({
    vertices: [...SQUARE.vertices, 1, 0, 1, 0.5, 0, 0],
    // 0 sound, 1 sound over a copy of vertex 2, 2 a line, 3 two corners in one place, 4 the first again
    indices: [0, 2, 1, 0, 3, 4, 0, 5, 1, 2, 4, 0, 2, 1, 0],
  });
  expect(report).toMatchObject({ triangles: 2, vertices: 4, weldedVertices: 1 });
  expect([...report!.degenerate]).toEqual([2, 3]);
  expect([...report!.duplicates]).toEqual([4]);
});
