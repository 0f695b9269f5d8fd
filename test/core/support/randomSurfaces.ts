// Random surfaces and shapes near them, and what is true of one triangle, in f64. In: a seeded generator. Out: the
// shape as the API takes it, and all its triangles in the user's order, as the core sees them: rounded to f32.
import { heightfield, mesh, type ShapeOptions } from '../../../src';
import { centeredSpheres } from '../../../src/cooking/points';
import { closestPointOnTriangle, closestSegmentTriangle } from '../../../src/geometry/index';
import { add, cross, dot, length, scale, sub, type Vec3 } from '../../physics/support/vector';
import { Convex64 } from '../../reference/convex64';
import type { Convex } from '../../reference/support';
import { type Kind, type Placed, randomShape, rounded } from './narrowphase';

export type Triangle = [Vec3, Vec3, Vec3];

export function normalOf([a, b, c]: Triangle): Vec3 {
  const n = cross(sub(b, a), sub(c, a));
  return scale(n, 1 / length(n));
}

/** The point of a triangle nearest to p. */
export function onTriangle(p: Vec3, t: Triangle): Vec3 {
  const out: Vec3 = [0, 0, 0];
  closestPointOnTriangle(p, ...t, out);
  return out;
}

export function segmentDistance(a: Vec3, b: Vec3, t: Triangle): number {
  return Math.sqrt(closestSegmentTriangle(a, b, ...t).distanceSquared);
}

export function triangleSolid(t: Triangle): Convex {
  const n = normalOf(t);
  const edges = t.map((v, i) => sub(t[(i + 1) % 3]!, v));
  return {
    reach: (d) => Math.max(...t.map((v) => dot(v, d))),
    outside: (p) => length(sub(p, onTriangle(p, t))),
    normals: [n, ...edges.map((e) => cross(e, n))],
    edges,
    round: false,
  };
}

export interface Surface {
  shape: ShapeOptions;
  triangles: Triangle[];
}

export const between = (next: () => number, low: number, high: number) => low + (high - low) * next();

/** A patch of hills, cliffs and ridges, its corners moved about; or one triangle; or a scaled, mirrored one. */
export function randomMesh(next: () => number, oneSided = false): Surface {
  const n = 1 + Math.floor(4 * next());
  const cell = between(next, 0.2, 1);
  const steep = between(next, 0, 1.2) * cell;
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= n; j++)
    for (let i = 0; i <= n; i++)
      vertices.push(
        (i - n / 2 + 0.3 * next()) * cell,
        (2 * next() - 1) * steep,
        (j - n / 2 + 0.3 * next()) * cell,
      );
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      const a = j * (n + 1) + i;
      indices.push(a, a + n + 1, a + 1, a + 1, a + n + 1, a + n + 2);
    }
  const scaling: Vec3 = [next() < 0.3 ? -1.25 : 1, between(next, 0.5, 1.5), next() < 0.3 ? -1 : 1].map(
    Math.fround,
  ) as Vec3;
  const corner = (i: number) => [0, 1, 2].map((k) => Math.fround(vertices[3 * i + k]!) * scaling[k]!) as Vec3;
  const triangles = Array.from(
    { length: indices.length / 3 },
    (_, t) => [0, 1, 2].map((k) => corner(indices[3 * t + k]!)) as Triangle,
  );
  return { shape: { ...mesh({ vertices, indices, oneSided }), scale: scaling }, triangles };
}

const UPS = ['x', 'y', 'z'] as const;

export function randomField(next: () => number): Surface {
  const rows = 2 + Math.floor(4 * next());
  const columns = 2 + Math.floor(4 * next());
  const spacing: [number, number] = [Math.fround(between(next, 0.2, 1)), Math.fround(between(next, 0.2, 1))];
  const heights = Float32Array.from({ length: rows * columns }, () => 0.4 * next());
  const flipped = Array.from({ length: (rows - 1) * (columns - 1) }, () => next() < 0.5);
  const holes = flipped.map(() => next() < 0.15);
  const upAxis = UPS[Math.floor(3 * next())]!;
  const point = (r: number, c: number): Vec3 => {
    const x = (c - (columns - 1) / 2) * spacing[0];
    const z = (r - (rows - 1) / 2) * spacing[1];
    const h = heights[r * columns + c]!;
    return upAxis === 'x' ? [h, x, z] : upAxis === 'y' ? [x, h, z] : [x, z, h];
  };
  const triangles: Triangle[] = [];
  const nothing: Triangle = [
    [1e6, 0, 0],
    [1e6, 1, 0],
    [1e6, 0, 1],
  ];
  for (let r = 0; r < rows - 1; r++)
    for (let c = 0; c < columns - 1; c++) {
      const [a, b, d, e] = [point(r, c), point(r, c + 1), point(r + 1, c), point(r + 1, c + 1)];
      const cell = r * (columns - 1) + c;
      if (holes[cell]) triangles.push(nothing, nothing);
      else if (flipped[cell]) triangles.push([a, d, e], [a, e, b]);
      else triangles.push([a, d, b], [b, d, e]);
    }
  return { shape: heightfield({ rows, columns, heights, spacing, upAxis, flipped, holes }), triangles };
}

/** A shape whose surface is about `gap` from a random triangle. */
export function near(
  kind: Kind,
  { triangles }: Surface,
  next: () => number,
  reachOut: number,
  mostCorners = 24,
  deep = 0.1, // of its reach: how far into the surface it may be
): Placed {
  const placed = randomShape(kind, 0.6, next, mostCorners);
  if (placed.points !== undefined) {
    // The origin in the middle, where shapes of the API have it.
    const balls = Array.from({ length: placed.points.length / 4 }, (_, i) => ({
      position: placed.points!.slice(4 * i, 4 * i + 3),
      radius: placed.points![4 * i + 3],
    }));
    placed.points = centeredSpheres(balls, 'balls').points;
  }
  const real = triangles.filter((t) => t[0][0] < 1e5);
  const t = real[Math.floor(next() * real.length)];
  if (t === undefined) return rounded(placed);
  let [u, v] = [next(), next()];
  if (u + v > 1) [u, v] = [1 - u, 1 - v];
  const on = add(add(scale(t[0], 1 - u - v), scale(t[1], u)), scale(t[2], v));
  const n = scale(normalOf(t), next() < 0.5 ? 1 : -1);
  const reach = new Convex64({ ...placed, position: [0, 0, 0] }).reach(-n[0], -n[1], -n[2]);
  const gap = between(next, -deep * reach, reachOut);
  placed.position = add(on, scale(n, reach + gap));
  return rounded(placed);
}

/** −1 where the front of a surface is the clockwise side of the triangles above. */
export function mirrorOf(shape: ShapeOptions): number {
  if (shape.type === 'mesh') {
    const [x, y, z] = (shape.scale ?? [1, 1, 1]) as Vec3;
    return Math.sign(x * y * z);
  }
  // The upper side: of a field along x or z the corners above go the other way round.
  return (shape as { geometry: { words: Int32Array } }).geometry.words[3] === 1 ? 1 : -1;
}
