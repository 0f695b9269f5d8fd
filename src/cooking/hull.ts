// Convex hulls from points, in f64. In: points in metres. Out: vertices, polygonal faces with planes, and
// exact mass properties. Points are rounded to a grid of 2²¹ steps, where Quickhull is exact; coplanar triangles are
// merged after that.
import { MAX_COORDINATE, MIN_SIZE } from '../base/limits';
import type { Vec3 } from '../base/math';
import { checkInteger, invalid } from '../base/validate';
import { dropMiddles, loopNormal, mergeFaces } from './hullFaces';
import { solidMoments } from './moments';
import { Quickhull, type Triangle, unique } from './quickhull';

/** A convex polyhedron with its origin at its centre of mass. */
export interface Hull {
  /** x, y, z of each vertex, rounded to f32, in metres from the centre of mass. */
  vertices: Float64Array;
  /** Vertices of each face, counter-clockwise from outside. */
  faces: number[][];
  /** Unit normal x, y, z and distance from the origin of each face; no input point lies outside. */
  planes: Float64Array;
  /** Half-edges, four numbers each: from vertex, face, next half-edge of the face, twin. */
  halfEdges: Int32Array;
  /** m³ */
  volume: number;
  /** The centre of mass in the frame of the input, rounded to f32. */
  center: Vec3;
  /** Inertia about the centre of mass per unit of mass, m²: xx, yy, zz, xy, xz, yz. */
  unitTensor: [number, number, number, number, number, number];
  /** m. Farthest vertex from the origin. */
  radius: number;
  /** m. How far the farthest input lies outside: 0 unless the vertex limit was reached. */
  simplification: number;
}

/** Options of `cookHull` besides the points. */
export interface HullOptions {
  /** Maximum number of vertices. A hull with more is simplified: the outermost points are kept. Default 64. */
  maxVertices?: number;
}

/** What the core's narrow phase takes. */
export const MAX_HULL_VERTICES = 64;
/** Steps of the grid along the longest side. Rounding to it moves a point by at most 4.2e-7 of that. */
const GRID = 2097152; // 2^21
/** A cloud thinner than this part of its longest side is flat: no solid. */
const FLAT = 1e-5;
/** Vertices this near the plane of a face, as a part of the longest side, belong to it. */
const COPLANAR = 5e-7;
/** Half a unit in the last place of an f32: points far from the origin are in no plane more exactly. */
const F32_ROUNDING = 1 / 16777216; // 2^-24

/** Of one cloud or mesh, whose content must fit into 64 MB. */
export const MOST_COORDINATES = 1 << 25;

/** Reads points given as vectors, or as one flat list of coordinates. Throws for what is no finite point. */
export function readPoints(points: unknown, argument: string): Float64Array {
  if (typeof points !== 'object' || points === null || !('length' in points))
    throw invalid(argument, 'must be an array of points', points);
  const list = points as ArrayLike<unknown>;
  const length = checkInteger(list.length, `${argument}.length`, 0, MOST_COORDINATES);
  const flat = length > 0 && typeof list[0] === 'number';
  if (flat && length % 3 !== 0)
    throw invalid(`${argument}.length`, 'must hold x, y, z of each point', length);
  const count = flat ? length / 3 : length;
  const out = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const point = list[i] as ArrayLike<unknown> & Record<string, unknown>;
    if (!flat && (typeof point !== 'object' || point === null))
      throw invalid(`${argument}[${i}]`, 'must be [x, y, z] or an object with x, y, z', point);
    const own = flat ? undefined : point.length;
    const indexed = typeof own === 'number';
    if (indexed && own !== 3)
      throw invalid(`${argument}[${i}]`, 'must be [x, y, z] or an object with x, y, z', point);
    for (let k = 0; k < 3; k++) {
      const value = flat ? list[3 * i + k] : indexed ? point[k] : point['xyz'[k]!];
      if (typeof value !== 'number' || !(Math.abs(value) <= MAX_COORDINATE))
        throw invalid(
          `${argument}[${i}].${'xyz'[k]}`,
          typeof value === 'number' && Number.isFinite(value)
            ? `must be from −${MAX_COORDINATE} to ${MAX_COORDINATE}`
            : 'must be a finite number',
          value,
        );
      out[3 * i + k] = Math.fround(value);
    }
  }
  return out;
}

/**
 * The convex hull of points: an array of vectors, or a flat list of coordinates.
 *
 * @throws PhysicsError 'invalid-argument' that names the point: not finite, fewer than four, or all of them
 *   (nearly) in one point, line or plane
 */
export function cookHull(points: unknown, options: HullOptions = {}, argument = 'points'): Hull {
  const input = readPoints(points, argument);
  const count = input.length / 3;
  if (count < 4) throw invalid(`${argument}.length`, 'must be at least 4 points', count);
  const limit = options.maxVertices ?? MAX_HULL_VERTICES;
  if (!Number.isInteger(limit) || limit < 4) throw invalid('maxVertices', 'must be an integer ≥ 4', limit);

  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < input.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, input[i]!);
    high[i % 3] = Math.max(high[i % 3]!, input[i]!);
  }
  const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const far = Math.max(...high.map(Math.abs), ...low.map(Math.abs));
  if (!(extent >= MIN_SIZE)) throw invalid(argument, 'must not all be at one point', extent);
  // A power of two: round coordinates stay exact.
  let step = 1 / GRID;
  while (step * GRID < extent) step *= 2;
  while (step * GRID >= 2 * extent) step /= 2;
  const grid = new Float64Array(input.length);
  for (let i = 0; i < input.length; i++) grid[i] = Math.round((input[i]! - low[i % 3]!) / step);

  // From here on the cloud is what the grid says: with the given coordinates slivers could be inside out.
  const cloud = grid.map((c, i) => low[i % 3]! + c * step);

  const builder = new Quickhull(grid, unique(grid), limit);
  const triangles = builder.build((FLAT * extent) / step, (i, requirement) =>
    invalid(`${argument}[${i}]`, requirement, [...input.subarray(3 * i, 3 * i + 3)]),
  );
  const merged = dropMiddles(mergeFaces(triangles, cloud, COPLANAR * extent + F32_ROUNDING * far));
  const hull = finish(merged, cloud, input, triangles, argument);
  // Slivers may make a face that has no plane, and merging may swallow the tip of a needle that is about as thin as
  // f32 at its place is coarse; the triangles are always right.
  const swallowed = lost(hull, merged, triangles, cloud);
  if (warp(hull) < 8 * COPLANAR * extent && swallowed < COPLANAR * extent + 2 * F32_ROUNDING * far)
    return hull;
  return finish(
    triangles.map((t) => t.v),
    cloud,
    input,
    triangles,
    argument,
  );
}

/** Numbers the vertices anew, moves the origin to the centre of mass, and computes what follows from the loops. */
function finish(
  loops: number[][],
  cloud: Float64Array,
  input: Float64Array,
  triangles: Triangle[],
  argument: string,
): Hull {
  const number = new Map<number, number>();
  for (const v of [...new Set(loops.flat())].sort((i, j) => i - j)) number.set(v, number.size);
  const { volume, center, unitTensor } = solidMoments(
    triangles.map((t) => t.v),
    cloud,
  );
  if (!(volume > 0)) throw invalid(argument, 'must span a volume', volume);
  const rounded = center.map(Math.fround) as Vec3;
  const vertices = new Float64Array(3 * number.size);
  let radius = 0;
  for (const [v, i] of number) {
    for (let k = 0; k < 3; k++) vertices[3 * i + k] = Math.fround(cloud[3 * v + k]! - rounded[k]!);
    radius = Math.max(
      radius,
      Math.sqrt(
        vertices[3 * i]! * vertices[3 * i]! +
          vertices[3 * i + 1]! * vertices[3 * i + 1]! +
          vertices[3 * i + 2]! * vertices[3 * i + 2]!,
      ),
    );
  }
  const faces = loops.map((loop) => loop.map((v) => number.get(v)!));
  const planes = new Float64Array(4 * faces.length);
  faces.forEach((_, i) => {
    const n = loopNormal(loops[i]!, cloud);
    let reach = -Infinity;
    for (let v = 0; v < vertices.length; v += 3)
      reach = Math.max(reach, n[0] * vertices[v]! + n[1] * vertices[v + 1]! + n[2] * vertices[v + 2]!);
    planes.set([n[0], n[1], n[2], reach], 4 * i);
  });
  let outside = 0;
  for (let v = 0; v < input.length; v += 3)
    for (let i = 0; i < planes.length; i += 4)
      outside = Math.max(
        outside,
        planes[i]! * (input[v]! - rounded[0]) +
          planes[i + 1]! * (input[v + 1]! - rounded[1]) +
          planes[i + 2]! * (input[v + 2]! - rounded[2]) -
          planes[i + 3]!,
      );
  return {
    vertices,
    faces,
    planes,
    halfEdges: halfEdgesOf(faces),
    volume,
    center: rounded,
    unitTensor,
    radius,
    simplification: outside,
  };
}

/** m. How far a corner that no face has any more lies outside. */
function lost(hull: Hull, faces: number[][], triangles: Triangle[], cloud: Float64Array): number {
  const { planes, center } = hull;
  const dropped = new Set(triangles.flatMap(({ v }) => v));
  for (const face of faces) for (const corner of face) dropped.delete(corner);
  let most = 0;
  for (const corner of dropped) {
    const [x, y, z] = [0, 1, 2].map((k) => cloud[3 * corner + k]! - center[k]!) as Vec3;
    for (let f = 0; f < planes.length; f += 4)
      most = Math.max(most, planes[f]! * x + planes[f + 1]! * y + planes[f + 2]! * z - planes[f + 3]!);
  }
  return most;
}

/** m. How far a corner lies below the plane of its face. */
function warp({ faces, planes, vertices }: Hull): number {
  let most = 0;
  faces.forEach((face, f) => {
    const [nx, ny, nz, d] = planes.subarray(4 * f, 4 * f + 4) as unknown as [number, number, number, number];
    for (const v of face)
      most = Math.max(
        most,
        d - nx * vertices[3 * v]! - ny * vertices[3 * v + 1]! - nz * vertices[3 * v + 2]!,
      );
  });
  return most;
}

function halfEdgesOf(faces: number[][]): Int32Array {
  const total = faces.reduce((sum, face) => sum + face.length, 0);
  const out = new Int32Array(4 * total);
  const byEnds = new Map<string, number>();
  let at = 0;
  faces.forEach((face, f) => {
    const first = at;
    face.forEach((from, i) => {
      const to = face[(i + 1) % face.length]!;
      const next = i + 1 === face.length ? first : at + 1;
      const twin = byEnds.get(`${to},${from}`) ?? -1;
      out.set([from, f, next, twin], 4 * at);
      if (twin >= 0) out[4 * twin + 3] = at;
      byEnds.set(`${from},${to}`, at++);
    });
  });
  return out;
}
