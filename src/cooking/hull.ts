// Convex hulls from points, in f64. In: points in metres. Out: vertices, polygonal faces with planes, and
// exact mass properties. Quickhull (Barber, Dobkin, Huhdanpaa 1996), always with the farthest point of all,
// on a grid of 2²¹ steps where the sign of an orientation is exact: the triangles are a valid hull whatever
// the input. Coplanar triangles are merged after that, and only where the merged face is one simple loop.
import { PhysicsError } from '../errors';
import { MAX_COORDINATE, MIN_SIZE } from '../limits';
import type { Vec3 } from '../math';
import { solidMoments } from './moments';

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

export interface HullOptions {
  /** The most vertices. A hull of more is simplified: the outermost points are kept. Default 64. */
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

interface Triangle {
  v: [number, number, number];
  /** Not unit: on the grid. */
  normal: Vec3;
  length: number;
  /** Points strictly above, the farthest, and its distance. */
  outside: number[];
  farthest: number;
  distance: number;
  alive: boolean;
}

function invalid(rule: string, argument: string, value: unknown): PhysicsError {
  return new PhysicsError('invalid-argument', rule, argument, value);
}

/** Reads points given as vectors, or as one flat list of coordinates. Throws for what is no finite point. */
export function readPoints(points: unknown, argument: string): Float64Array {
  if (typeof points !== 'object' || points === null || !('length' in points))
    throw invalid('must be an array of points', argument, points);
  const list = points as ArrayLike<unknown>;
  const flat = list.length > 0 && typeof list[0] === 'number';
  if (flat && list.length % 3 !== 0)
    throw invalid('must hold x, y, z of each point', `${argument}.length`, list.length);
  const count = flat ? list.length / 3 : list.length;
  const out = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const point = list[i] as ArrayLike<unknown> & Record<string, unknown>;
    if (!flat && (typeof point !== 'object' || point === null))
      throw invalid('must be [x, y, z] or an object with x, y, z', `${argument}[${i}]`, point);
    const indexed = !flat && typeof point.length === 'number';
    if (indexed && point.length !== 3)
      throw invalid('must be [x, y, z] or an object with x, y, z', `${argument}[${i}]`, point);
    for (let k = 0; k < 3; k++) {
      const value = flat ? list[3 * i + k] : indexed ? point[k] : point['xyz'[k]!];
      if (typeof value !== 'number' || !(Math.abs(value) <= MAX_COORDINATE))
        throw invalid(
          typeof value === 'number' && Number.isFinite(value)
            ? `must be from −${MAX_COORDINATE} to ${MAX_COORDINATE}`
            : 'must be a finite number',
          `${argument}[${i}].${'xyz'[k]}`,
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
  if (count < 4) throw invalid('must be at least 4 points', `${argument}.length`, count);
  const limit = options.maxVertices ?? MAX_HULL_VERTICES;
  if (!Number.isInteger(limit) || limit < 4) throw invalid('must be an integer ≥ 4', 'maxVertices', limit);

  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < input.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, input[i]!);
    high[i % 3] = Math.max(high[i % 3]!, input[i]!);
  }
  const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const far = Math.max(...high.map(Math.abs), ...low.map(Math.abs));
  if (!(extent >= MIN_SIZE)) throw invalid('must not be all in one place', argument, extent);
  // A power of two: round coordinates stay exact.
  let step = 1 / GRID;
  while (step * GRID < extent) step *= 2;
  while (step * GRID >= 2 * extent) step /= 2;
  const grid = new Float64Array(input.length);
  for (let i = 0; i < input.length; i++) grid[i] = Math.round((input[i]! - low[i % 3]!) / step);

  // From here on the cloud is what the grid says: with the given coordinates slivers could be inside out.
  const cloud = grid.map((c, i) => low[i % 3]! + c * step);

  const builder = new Quickhull(grid, unique(grid), limit);
  const triangles = builder.build((FLAT * extent) / step, argument);
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

/** The first of each set of equal points. */
function unique(grid: Float64Array): number[] {
  const seen = new Set<string>();
  const list: number[] = [];
  for (let i = 0; 3 * i < grid.length; i++) {
    const key = `${grid[3 * i]},${grid[3 * i + 1]},${grid[3 * i + 2]}`;
    if (seen.has(key)) continue;
    seen.add(key);
    list.push(i);
  }
  return list;
}

class Quickhull {
  private readonly triangles: Triangle[] = [];
  /** The triangle on the left of an edge, by from · count + to. */
  private readonly edges = new Map<number, Triangle>();
  private readonly degree: Int32Array;
  private vertexCount = 0;

  constructor(
    private readonly p: Float64Array,
    private readonly list: number[],
    private readonly limit: number,
  ) {
    this.degree = new Int32Array(p.length / 3);
  }

  build(flat: number, argument: string): Triangle[] {
    this.firstTetrahedron(flat, argument);
    for (;;) {
      while (this.vertexCount < this.limit) {
        let best: Triangle | undefined;
        for (const t of this.triangles)
          if (t.alive && t.outside.length > 0 && (best === undefined || t.distance > best.distance)) best = t;
        if (best === undefined) break;
        this.addPoint(best.farthest, best);
      }
      const alive = this.triangles.filter((t) => t.alive);
      // A point that no new triangle saw would be lost; none is known, but a look is cheap.
      if (this.vertexCount >= this.limit || !this.assign(alive, this.list)) return alive;
    }
  }

  /** The sign of the volume of (a, b, c, d): positive where d lies above the triangle. Exact. */
  private orient(t: Triangle, d: number): number {
    const { p } = this;
    const a = 3 * t.v[0];
    const x = p[3 * d]! - p[a]!;
    const y = p[3 * d + 1]! - p[a + 1]!;
    const z = p[3 * d + 2]! - p[a + 2]!;
    // The normal's components are exact (below 2⁵³), the three products and the sums are not.
    const [nx, ny, nz] = t.normal;
    const sum = nx * x + ny * y + nz * z;
    const size = Math.abs(nx * x) + Math.abs(ny * y) + Math.abs(nz * z);
    if (Math.abs(sum) > 1e-15 * size) return sum;
    const exact = BigInt(nx) * BigInt(x) + BigInt(ny) * BigInt(y) + BigInt(nz) * BigInt(z);
    return exact > 0n ? Number.MIN_VALUE : exact < 0n ? -Number.MIN_VALUE : 0;
  }

  private addTriangle(a: number, b: number, c: number): Triangle {
    const { p } = this;
    const [i, j, k] = [3 * a, 3 * b, 3 * c];
    const [ux, uy, uz] = [p[j]! - p[i]!, p[j + 1]! - p[i + 1]!, p[j + 2]! - p[i + 2]!];
    const [vx, vy, vz] = [p[k]! - p[i]!, p[k + 1]! - p[i + 1]!, p[k + 2]! - p[i + 2]!];
    const normal: Vec3 = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    const t: Triangle = { v: [a, b, c], normal, length, outside: [], farthest: -1, distance: 0, alive: true };
    this.triangles.push(t);
    const count = p.length / 3;
    for (let e = 0; e < 3; e++) {
      this.edges.set(t.v[e]! * count + t.v[(e + 1) % 3]!, t);
      if (this.degree[t.v[e]!]!++ === 0) this.vertexCount++;
    }
    return t;
  }

  private removeTriangle(t: Triangle): void {
    t.alive = false;
    const count = this.p.length / 3;
    for (let e = 0; e < 3; e++) {
      const key = t.v[e]! * count + t.v[(e + 1) % 3]!;
      if (this.edges.get(key) === t) this.edges.delete(key);
      if (--this.degree[t.v[e]!]! === 0) this.vertexCount--;
    }
  }

  /** Gives each point to a triangle that it lies above. True when there was such a point. */
  private assign(triangles: Triangle[], points: readonly number[]): boolean {
    let any = false;
    for (const point of points) {
      if (this.degree[point]! > 0) continue;
      let best: Triangle | undefined;
      let distance = 0;
      for (const t of triangles) {
        const above = this.orient(t, point);
        if (above <= 0 || (best !== undefined && above / t.length <= distance)) continue;
        best = t;
        distance = above / t.length;
      }
      if (best === undefined) continue;
      any = true;
      best.outside.push(point);
      if (best.farthest < 0 || distance > best.distance) {
        best.farthest = point;
        best.distance = distance;
      }
    }
    return any;
  }

  private addPoint(point: number, from: Triangle): void {
    const count = this.p.length / 3;
    const visible = new Set<Triangle>([from]);
    const horizon: [number, number][] = [];
    for (const t of visible) {
      for (let e = 0; e < 3; e++) {
        const a = t.v[e]!;
        const b = t.v[(e + 1) % 3]!;
        const neighbour = this.edges.get(b * count + a)!;
        if (visible.has(neighbour)) continue;
        if (this.orient(neighbour, point) > 0) visible.add(neighbour);
        else horizon.push([a, b]);
      }
    }
    const orphans: number[] = [];
    for (const t of visible) {
      this.removeTriangle(t);
      orphans.push(...t.outside);
    }
    // An edge between two triangles that were both found later is no horizon.
    const fresh: Triangle[] = [];
    for (const [a, b] of horizon) fresh.push(this.addTriangle(a, b, point));
    this.assign(fresh, orphans);
    if (this.triangles.length > 4096 && this.triangles.length > 8 * this.vertexCount) this.compact();
  }

  private compact(): void {
    const alive = this.triangles.filter((t) => t.alive);
    this.triangles.length = 0;
    this.triangles.push(...alive);
  }

  /** Four points that span a volume: extremes of an axis, the farthest from their line and from that plane. */
  private firstTetrahedron(flat: number, argument: string): void {
    const { p, list } = this;
    const at = (i: number): Vec3 => [p[3 * i]!, p[3 * i + 1]!, p[3 * i + 2]!];
    let [a, b] = [list[0]!, list[0]!];
    let longest = -1;
    for (let axis = 0; axis < 3; axis++) {
      let [least, most] = [list[0]!, list[0]!];
      for (const i of list) {
        if (p[3 * i + axis]! < p[3 * least + axis]!) least = i;
        if (p[3 * i + axis]! > p[3 * most + axis]!) most = i;
      }
      const size = p[3 * most + axis]! - p[3 * least + axis]!;
      if (size > longest) [longest, a, b] = [size, least, most];
    }
    const [pa, pb] = [at(a), at(b)];
    const u: Vec3 = [pb[0] - pa[0], pb[1] - pa[1], pb[2] - pa[2]];
    const uLength = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    let c = -1;
    let farthest = 0;
    let n: Vec3 = [0, 0, 0];
    for (const i of list) {
      const q = at(i);
      const w: Vec3 = [q[0] - pa[0], q[1] - pa[1], q[2] - pa[2]];
      const x: Vec3 = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
      const distance = Math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / uLength;
      if (distance > farthest) [farthest, c, n] = [distance, i, x];
    }
    if (farthest < flat)
      throw invalid('must not lie in one line', `${argument}[${c < 0 ? b : c}]`, [...at(c < 0 ? b : c)]);
    const nLength = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    let d = -1;
    farthest = 0;
    let side = 0;
    for (const i of list) {
      const q = at(i);
      const above = (n[0] * (q[0] - pa[0]) + n[1] * (q[1] - pa[1]) + n[2] * (q[2] - pa[2])) / nLength;
      if (Math.abs(above) > farthest) [farthest, d, side] = [Math.abs(above), i, above];
    }
    if (farthest < flat)
      throw invalid('must not lie in one plane', `${argument}[${d < 0 ? c : d}]`, [...at(d < 0 ? c : d)]);
    if (side > 0) [b, c] = [c, b];
    const first = [
      this.addTriangle(a, b, c),
      this.addTriangle(a, d, b),
      this.addTriangle(b, d, c),
      this.addTriangle(c, d, a),
    ];
    this.assign(first, list);
  }
}

/** Newell's normal of a loop: right for any polygon, and for one that is not quite flat. */
function loopNormal(loop: readonly number[], p: Float64Array): Vec3 {
  const n: Vec3 = [0, 0, 0];
  const o = 3 * loop[0]!;
  for (let i = 1; i + 1 < loop.length; i++) {
    const [j, k] = [3 * loop[i]!, 3 * loop[i + 1]!];
    const [ux, uy, uz] = [p[j]! - p[o]!, p[j + 1]! - p[o + 1]!, p[j + 2]! - p[o + 2]!];
    const [vx, vy, vz] = [p[k]! - p[o]!, p[k + 1]! - p[o + 1]!, p[k + 2]! - p[o + 2]!];
    n[0] += uy * vz - uz * vy;
    n[1] += uz * vx - ux * vz;
    n[2] += ux * vy - uy * vx;
  }
  const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  return length > 0 ? [n[0] / length, n[1] / length, n[2] / length] : [0, 0, 0];
}

/** Loops of the faces: triangles in one plane joined, the largest first. */
function mergeFaces(triangles: Triangle[], p: Float64Array, tolerance: number): number[][] {
  const count = p.length / 3;
  const edges = new Map<number, number>();
  triangles.forEach((t, i) => {
    for (let e = 0; e < 3; e++) edges.set(t.v[e]! * count + t.v[(e + 1) % 3]!, i);
  });
  const group = new Int32Array(triangles.length).fill(-1);
  const order = triangles
    .map((_, i) => i)
    .sort((i, j) => triangles[j]!.length - triangles[i]!.length || i - j);
  const faces: number[][] = [];
  for (const seed of order) {
    if (group[seed]! >= 0) continue;
    const number = faces.length;
    const members = [seed];
    group[seed] = number;
    const { v } = triangles[seed]!;
    const n = loopNormal(v, p);
    const within = (vertex: number) =>
      Math.abs(
        n[0] * (p[3 * vertex]! - p[3 * v[0]]!) +
          n[1] * (p[3 * vertex + 1]! - p[3 * v[0] + 1]!) +
          n[2] * (p[3 * vertex + 2]! - p[3 * v[0] + 2]!),
      ) <= tolerance;
    for (const i of members) {
      const t = triangles[i]!;
      for (let e = 0; e < 3; e++) {
        const j = edges.get(t.v[(e + 1) % 3]! * count + t.v[e]!)!;
        if (group[j]! >= 0 || !triangles[j]!.v.every(within)) continue;
        // The other side of a thin plate is as near, but looks away; a sliver may look anywhere.
        const m = triangles[j]!;
        const facing = n[0] * m.normal[0] + n[1] * m.normal[1] + n[2] * m.normal[2];
        if (facing < 0.9 * m.length && triangleHeight(m.v, p) > tolerance) continue;
        group[j] = number;
        members.push(j);
      }
    }
    const loop = boundary(members, triangles, group, edges, count);
    if (loop !== undefined) {
      faces.push(loop);
      continue;
    }
    for (const i of members) group[i] = -1;
    group[seed] = number;
    faces.push([...v]);
  }
  return faces;
}

/** Over the longest side. */
function triangleHeight(v: readonly number[], p: Float64Array): number {
  let longest = 0;
  for (let e = 0; e < 3; e++) {
    const [i, j] = [3 * v[e]!, 3 * v[(e + 1) % 3]!];
    const [x, y, z] = [p[j]! - p[i]!, p[j + 1]! - p[i + 1]!, p[j + 2]! - p[i + 2]!];
    longest = Math.max(longest, x * x + y * y + z * z);
  }
  const [i, j, k] = [3 * v[0]!, 3 * v[1]!, 3 * v[2]!];
  const [ux, uy, uz] = [p[j]! - p[i]!, p[j + 1]! - p[i + 1]!, p[j + 2]! - p[i + 2]!];
  const [vx, vy, vz] = [p[k]! - p[i]!, p[k + 1]! - p[i + 1]!, p[k + 2]! - p[i + 2]!];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  return Math.sqrt((x * x + y * y + z * z) / longest);
}

/** The one simple loop round a group of triangles, or undefined. */
function boundary(
  members: number[],
  triangles: Triangle[],
  group: Int32Array,
  edges: Map<number, number>,
  count: number,
): number[] | undefined {
  const next = new Map<number, number>();
  let first = -1;
  for (const i of members) {
    const { v } = triangles[i]!;
    for (let e = 0; e < 3; e++) {
      const [a, b] = [v[e]!, v[(e + 1) % 3]!];
      if (group[edges.get(b * count + a)!] === group[i]) continue;
      if (next.has(a)) return undefined;
      next.set(a, b);
      if (first < 0) first = a;
    }
  }
  const loop: number[] = [];
  for (let at = first; loop.length <= next.size; ) {
    loop.push(at);
    at = next.get(at)!;
    if (at === first) break;
  }
  return loop.length === next.size ? loop : undefined;
}

/** Leaves out vertices that only two faces share: they lie within an edge. */
function dropMiddles(faces: number[][]): number[][] {
  let current = faces;
  for (;;) {
    const degree = new Map<number, number>();
    for (const face of current) for (const v of face) degree.set(v, (degree.get(v) ?? 0) + 1);
    const triangleCorners = new Set(current.filter((face) => face.length === 3).flat());
    let dropped = false;
    const touched = new Set<number>(); // faces that lose a vertex in this round
    const middles = new Set<number>();
    for (const [v, d] of degree) {
      if (d > 2 || triangleCorners.has(v)) continue;
      const owners = current.flatMap((face, i) => (face.includes(v) ? [i] : []));
      if (owners.some((i) => touched.has(i))) continue;
      for (const i of owners) touched.add(i);
      middles.add(v);
      dropped = true;
    }
    if (!dropped) return current;
    current = current.map((face) => face.filter((v) => !middles.has(v)));
  }
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
  if (!(volume > 0)) throw invalid('must span a volume', argument, volume);
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
