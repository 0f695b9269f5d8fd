// Quickhull (Barber, Dobkin, Huhdanpaa 1996) on a grid where the sign of an orientation is exact, always with the
// farthest of all points. In: points on the grid. Out: triangles that form a valid hull for any input.
import type { Vec3 } from '../base/math';

export interface Triangle {
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

export class Quickhull {
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

  /** `refuse` makes the error for a cloud without volume, of its point farthest from the line or plane. */
  build(flat: number, refuse: (point: number, requirement: string) => Error): Triangle[] {
    this.firstTetrahedron(flat, refuse);
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
  private firstTetrahedron(flat: number, refuse: (point: number, requirement: string) => Error): void {
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
    if (farthest < flat) throw refuse(c < 0 ? b : c, 'must not lie on one line');
    const nLength = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    let d = -1;
    farthest = 0;
    let side = 0;
    for (const i of list) {
      const q = at(i);
      const above = (n[0] * (q[0] - pa[0]) + n[1] * (q[1] - pa[1]) + n[2] * (q[2] - pa[2])) / nLength;
      if (Math.abs(above) > farthest) [farthest, d, side] = [Math.abs(above), i, above];
    }
    if (farthest < flat) throw refuse(d < 0 ? c : d, 'must not lie in one plane');
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

/** The first of each set of equal points. */
export function unique(grid: Float64Array): number[] {
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
