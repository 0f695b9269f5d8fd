// Faces of a hull. In: its triangles. Out: loops of vertices: coplanar triangles are joined if the result is one simple
// loop, without vertices in the middle of an edge.
import type { Vec3 } from '../base/math';
import type { Triangle } from './quickhull';

/** Newell's normal of a loop: right for any polygon, and for one that is not quite flat. */
export function loopNormal(loop: readonly number[], p: Float64Array): Vec3 {
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
export function mergeFaces(triangles: Triangle[], p: Float64Array, tolerance: number): number[][] {
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
export function dropMiddles(faces: number[][]): number[][] {
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
