// Convex pieces of shapes that are not convex or have no volume, for moving bodies: contacts are between convex shapes.
// In: triangles, or points, perhaps in one plane, line or place. Out: the engine's shapes. A surface is halved, in the
// middle of its box along one axis, until no part is deeper inside its hull than a thirtieth of the whole size.
import { cookHull, readHull, type ShapeOptions } from '../index';
import type { Place, Triple } from './shapes';

/** Share of the size by which a surface may be inside the hull that replaces it. */
const DEEPEST = 1 / 30;
const MOST_PIECES = 24;
/** For a shape without volume: radius as a share of its size, and least radius, m. */
const THICKNESS = 0.005;
const THINNEST = 1e-4;
/** The engine's largest number of balls in a hull. */
const MOST_BALLS = 32;

type Polygon = readonly Triple[];

interface Piece {
  polygons: Polygon[];
  points: Triple[];
  /** m. Depth of the deepest point inside the hull; 0 without a hull. */
  depth: number;
  /** m³ */
  volume: number;
}

const sub = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export function boundsOf(points: readonly Triple[]): { low: Triple; high: Triple; size: number } {
  const low: Triple = [Infinity, Infinity, Infinity];
  const high: Triple = [-Infinity, -Infinity, -Infinity];
  for (const p of points)
    for (let i = 0; i < 3; i++) {
      low[i] = Math.min(low[i]!, p[i]!);
      high[i] = Math.max(high[i]!, p[i]!);
    }
  return { low, high, size: Math.max(0, high[0] - low[0], high[1] - low[1], high[2] - low[2]) };
}

function different(points: readonly Triple[]): Triple[] {
  return [...new Map(points.map((p) => [p.join(), p])).values()];
}

/** A hull of points; for points without volume a hull of small balls. Nothing if there are no points. */
export function hullPart(given: readonly Triple[], margin: number, at: Place): ShapeOptions[] {
  const points = given.length < 4 ? different(given) : given;
  if (points.length === 0) return [];
  if (points.length >= 4)
    try {
      return [{ type: 'hull', geometry: cookHull(points), margin, ...at }];
    } catch {
      // In one plane, line or place.
    }
  const radius = Math.max(margin, THICKNESS * boundsOf(points).size, THINNEST);
  const spheres = outermost(different(points)).map((position) => ({ position, radius }));
  return [{ type: 'multiSphere', spheres, ...at }];
}

/** If there are too many points, those that are farthest in directions of a sphere. */
function outermost(points: Triple[]): Triple[] {
  if (points.length <= MOST_BALLS) return points;
  const kept = new Set<Triple>();
  for (const x of [-1, 0, 1])
    for (const y of [-1, 0, 1])
      for (const z of [-1, 0, 1])
        kept.add(points.reduce((best, p) => (dot(p, [x, y, z]) > dot(best, [x, y, z]) ? p : best)));
  return [...kept];
}

/** The hull of a part of a surface, and how deep the surface is inside it. */
function measure(polygons: Polygon[]): Piece {
  const points = different(polygons.flat());
  const piece = { polygons, points, depth: 0, volume: 0 };
  let hull: ReturnType<typeof readHull>;
  try {
    hull = readHull(cookHull(points));
  } catch {
    return piece;
  }
  const corner = (i: number): Triple => [0, 1, 2].map((k) => hull.vertices[3 * i + k]!) as Triple;
  const { low, high } = boundsOf(points);
  const middle: Triple = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  const planes: [Triple, number][] = [];
  for (const face of hull.faces) {
    const [a, b, c] = [corner(face[0]!), corner(face[1]!), corner(face[2]!)];
    const n = cross(sub(b, a), sub(c, a));
    for (let k = 2; k < face.length; k++) {
      const area = cross(sub(corner(face[k - 1]!), a), sub(corner(face[k]!), a));
      piece.volume += dot(sub(a, middle), area) / 6;
    }
    const length = Math.sqrt(dot(n, n));
    if (length > 0) planes.push([[n[0] / length, n[1] / length, n[2] / length], dot(n, a) / length]);
  }
  const inside = (p: Triple) => planes.reduce((least, [n, c]) => Math.min(least, c - dot(n, p)), Infinity);
  for (const polygon of polygons) {
    const sum = polygon.reduce<Triple>((s, p) => [s[0] + p[0], s[1] + p[1], s[2] + p[2]], [0, 0, 0]);
    const center = sum.map((part) => part / polygon.length) as Triple;
    for (const p of [...polygon, center]) piece.depth = Math.max(piece.depth, inside(p));
  }
  return piece;
}

/** The parts of polygons on both sides of a plane across an axis. */
function cut(polygons: readonly Polygon[], axis: number, at: number): [Polygon[], Polygon[]] {
  const sides: [Polygon[], Polygon[]] = [[], []];
  for (const polygon of polygons)
    for (const [i, sign] of [-1, 1].entries()) {
      const kept: Triple[] = [];
      polygon.forEach((p, k) => {
        const q = polygon[(k + 1) % polygon.length]!;
        const [a, b] = [sign * (p[axis]! - at), sign * (q[axis]! - at)];
        if (a >= 0) kept.push(p);
        if ((a > 0 && b < 0) || (a < 0 && b > 0)) {
          const share = a / (a - b);
          kept.push(p.map((part, j) => (j === axis ? at : part + share * (q[j]! - part))) as Triple);
        }
      });
      if (kept.length >= 3) sides[i as 0 | 1].push(kept);
    }
  return sides;
}

/** The best way to halve a piece: hulls of least volume. */
function halves(piece: Piece): [Piece, Piece] | null {
  const { low, high, size } = boundsOf(piece.points);
  let best: [Piece, Piece] | null = null;
  for (let axis = 0; axis < 3; axis++) {
    if (high[axis]! - low[axis]! < size / 4) continue;
    const [one, other] = cut(piece.polygons, axis, (low[axis]! + high[axis]!) / 2);
    if (one.length === 0 || other.length === 0) continue;
    const pair: [Piece, Piece] = [measure(one), measure(other)];
    if (best === null || pair[0].volume + pair[1].volume < best[0].volume + best[1].volume) best = pair;
  }
  return best;
}

/** Groups of triangles that share corners. */
function components(vertices: readonly Triple[], indices: readonly number[]): Polygon[][] {
  const first = new Map<string, number>();
  const parent = vertices.map((p, i) => {
    const key = p.join();
    if (!first.has(key)) first.set(key, i);
    return first.get(key)!;
  });
  const root = (i: number): number => {
    let at = i;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]!]!;
    return at;
  };
  for (let i = 0; i + 2 < indices.length; i += 3)
    for (let k = 1; k < 3; k++) parent[root(indices[i + k]!)] = root(indices[i]!);
  const groups = new Map<number, Polygon[]>();
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const key = root(indices[i]!);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key)!.push([0, 1, 2].map((k) => vertices[indices[i + k]!]!));
  }
  return [...groups.values()];
}

/**
 * Corners of convex pieces that fill the volume inside the triangles; at most 24, or as many as there are separate
 * parts.
 */
export function convexPieces(vertices: readonly Triple[], indices: readonly number[]): Triple[][] {
  const pieces = components(vertices, indices).map(measure);
  const deepest = DEEPEST * boundsOf(vertices).size;
  while (pieces.length < MOST_PIECES) {
    const worst = pieces.reduce((a, b, i) => (b.depth > pieces[a]!.depth ? i : a), 0);
    const piece = pieces[worst];
    if (piece === undefined || piece.depth <= deepest) break;
    const two = halves(piece);
    if (two === null) piece.depth = 0;
    else pieces.splice(worst, 1, ...two);
  }
  return pieces.map(({ points }) => points);
}
