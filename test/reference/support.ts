// Any convex solid by its support function, in f64, and the truth about two of them: how far they overlap
// along a direction, and the least such depth by search over all directions. In: placed shapes. Polytopes are
// searched exhaustively (separating axes: faces, and edges crossed with edges), curved ones by sampling the
// sphere and descending from the best samples.

import type { Placed } from '../core/support/narrowphase';
import {
  add,
  conjugate,
  cross,
  dot,
  length,
  type Quat,
  rotate,
  scale,
  sub,
  type Vec3,
} from '../physics/support/vector';

export interface Convex {
  /** The largest coordinate along d. */
  reach(d: Vec3): number;
  /** How far a point lies outside; 0 inside. An upper bound that is exact on the surface. */
  outside(p: Vec3): number;
  /** Face normals and edge directions of a polytope, the flat faces of others. */
  normals: Vec3[];
  edges: Vec3[];
  round: boolean;
}

export function convexOf({ kind, params, hull, position, rotation }: Placed): Convex {
  const size = Math.hypot(...rotation);
  const q = rotation.map((c) => c / size) as Quat;
  const local = (d: Vec3) => rotate(conjugate(q), d);
  const world = (list: Vec3[]) => list.map((v) => rotate(q, v));
  const [p0, p1, p2] = params as Vec3;
  const solid = (
    reach: (d: Vec3) => number,
    outside: (p: Vec3) => number,
    normals: Vec3[] = [],
    edges: Vec3[] = [],
    round = true,
  ): Convex => ({
    reach: (d) => dot(position, d) + reach(local(d)),
    outside: (p) => Math.max(0, outside(local(sub(p, position)))),
    normals: world(normals),
    edges: world(edges),
    round,
  });
  const axes: Vec3[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  switch (kind) {
    case 'sphere':
      return solid(
        (d) => p0 * length(d),
        (p) => length(p) - p0,
      );
    case 'capsule':
      return solid(
        (d) => p0 * length(d) + p1 * Math.abs(d[1]),
        (p) => Math.hypot(p[0], Math.max(0, Math.abs(p[1]) - p1), p[2]) - p0,
        [],
        [[0, 1, 0]],
      );
    case 'box': {
      const half = [p0, p1, p2];
      return solid(
        (d) => half.reduce((sum, h, k) => sum + h * Math.abs(d[k]!), 0),
        (p) => Math.hypot(...half.map((h, k) => Math.max(0, Math.abs(p[k]!) - h))),
        axes,
        axes,
        false,
      );
    }
    case 'hull': {
      const vertices = Array.from({ length: hull!.vertices.length / 3 }, (_, i) => [
        ...hull!.vertices.subarray(3 * i, 3 * i + 3),
      ]) as Vec3[];
      const planes = hull!.faces.map((_, i) => [...hull!.planes.subarray(4 * i, 4 * i + 4)]);
      const edges: Vec3[] = [];
      for (const face of hull!.faces)
        face.forEach((v, i) => {
          const w = face[(i + 1) % face.length]!;
          if (v < w) edges.push(sub(vertices[w]!, vertices[v]!));
        });
      return solid(
        (d) => Math.max(...vertices.map((v) => dot(v, d))),
        (p) => Math.max(...planes.map(([x, y, z, w]) => p[0] * x! + p[1] * y! + p[2] * z! - w!)),
        planes.map(([x, y, z]) => [x, y, z] as Vec3),
        edges,
        false,
      );
    }
    case 'cylinder':
      return solid(
        (d) => p0 * Math.hypot(d[0], d[2]) + p1 * Math.abs(d[1]),
        (p) => Math.hypot(Math.max(0, Math.hypot(p[0], p[2]) - p0), Math.max(0, Math.abs(p[1]) - p1)),
        [[0, 1, 0]],
      );
    case 'cone': {
      const slant = Math.hypot(p0, 2 * p1);
      return solid(
        (d) => Math.max(p1 * d[1], p0 * Math.hypot(d[0], d[2]) - p1 * d[1]),
        (p) => Math.max(-p1 - p[1], (Math.hypot(p[0], p[2]) * 2 * p1 + (p[1] - p1) * p0) / slant),
        [[0, -1, 0]],
      );
    }
    default:
      return solid(
        (d) => (d[1] > 0.9999995 ? 0 : Number.POSITIVE_INFINITY),
        (p) => p[1],
        [[0, 1, 0]],
      );
  }
}

/** How far a and b overlap along the unit direction n from a to b; negative where n parts them. */
export const overlap = (a: Convex, b: Convex, n: Vec3): number => a.reach(n) + b.reach(scale(n, -1));

/** The least overlap over all directions: the depth. */
export function leastOverlap(a: Convex, b: Convex): number {
  let least = Number.POSITIVE_INFINITY;
  const starts: { n: Vec3; depth: number }[] = [];
  const look = (v: Vec3, keep = false) => {
    const l = length(v);
    if (l < 1e-9) return;
    for (const s of [1 / l, -1 / l]) {
      const n = scale(v, s);
      const depth = overlap(a, b, n);
      if (keep) starts.push({ n, depth });
      least = Math.min(least, depth);
    }
  };
  for (const n of [...a.normals, ...b.normals]) look(n);
  for (const u of a.edges) for (const v of b.edges) look(cross(u, v));
  if (!a.round && !b.round) return least;
  const golden = Math.PI * (3 - Math.sqrt(5));
  for (let i = 0; i < 400; i++) {
    const y = 1 - (i + 0.5) / 400;
    const r = Math.sqrt(1 - y * y);
    look([r * Math.cos(golden * i), y, r * Math.sin(golden * i)], true);
  }
  starts.sort((p, q) => p.depth - q.depth);
  for (const start of starts.slice(0, 6)) {
    let { n, depth } = start;
    for (let step = 0.1; step > 1e-7; step /= 2) {
      for (let improved = true; improved; ) {
        improved = false;
        const u = cross(n, Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]);
        const e = scale(u, 1 / length(u));
        const f = cross(n, e);
        for (let k = 0; k < 8; k++) {
          const m = add(
            n,
            add(scale(e, step * Math.cos((k * Math.PI) / 4)), scale(f, step * Math.sin((k * Math.PI) / 4))),
          );
          const next = scale(m, 1 / length(m));
          const d = overlap(a, b, next);
          if (d >= depth - 1e-12) continue;
          [n, depth, improved] = [next, d, true];
          break;
        }
      }
    }
    least = Math.min(least, depth);
  }
  return least;
}
