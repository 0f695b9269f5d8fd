// How far a set of hulls is from a solid. In: triangles of both. Out: excess and missing volume as shares of the solid's, by points and
// their winding numbers; the Hausdorff distance as a share of the longest side, by samples of both surfaces. Slow, and in f64.
import { random } from '../../physics/support/vector';

type Point = readonly [number, number, number];
type Triangle = readonly [Point, Point, Point];

export interface Surface {
  readonly vertices: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

const POINTS = 60_000;
/** Of points times triangles. */
const MOST_WORK = 3e7;
const SAMPLES = { solid: 1500, hulls: 2500 };
/** Beyond the bounds of the solid, as a share of its longest side. */
const AROUND = 0.03;

const sub = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export function trianglesOf({ vertices, indices }: Surface): Triangle[] {
  const at = (i: number): Point => [vertices[3 * i]!, vertices[3 * i + 1]!, vertices[3 * i + 2]!];
  return Array.from({ length: indices.length / 3 }, (_, t) => [
    at(indices[3 * t]!),
    at(indices[3 * t + 1]!),
    at(indices[3 * t + 2]!),
  ]);
}

/** Generalized winding number (Jacobson et al. 2013), by solid angles (van Oosterom and Strackee 1983). */
function winding(triangles: readonly Triangle[], p: Point): number {
  let sum = 0;
  for (const [A, B, C] of triangles) {
    const [a, b, c] = [sub(A, p), sub(B, p), sub(C, p)];
    const [la, lb, lc] = [Math.hypot(...a), Math.hypot(...b), Math.hypot(...c)];
    const below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    sum += 2 * Math.atan2(dot(a, cross(b, c)), below);
  }
  return sum / (4 * Math.PI);
}

/** Squared distance; regions after Ericson, Real-Time Collision Detection, 5.1.5. */
function distance2(p: Point, [a, b, c]: Triangle): number {
  const [ab, ac] = [sub(b, a), sub(c, a)];
  const to = (u: number, v: number) => {
    const d: Point = [0, 1, 2].map((k) => p[k]! - a[k]! - u * ab[k]! - v * ac[k]!) as unknown as Point;
    return dot(d, d);
  };
  const [ap, bp, cp] = [sub(p, a), sub(p, b), sub(p, c)];
  const [d1, d2, d3] = [dot(ab, ap), dot(ac, ap), dot(ab, bp)];
  const [d4, d5, d6] = [dot(ac, bp), dot(ab, cp), dot(ac, cp)];
  if (d1 <= 0 && d2 <= 0) return to(0, 0);
  if (d3 >= 0 && d4 <= d3) return to(1, 0);
  if (d6 >= 0 && d5 <= d6) return to(0, 1);
  const [va, vb, vc] = [d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2];
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return to(d1 / (d1 - d3), 0);
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return to(0, d2 / (d2 - d6));
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    const w = (d4 - d3) / (d4 - d3 + d5 - d6);
    return to(1 - w, w);
  }
  return to(vb / (va + vb + vc), vc / (va + vb + vc));
}

/** Points of a surface, as many on each part as its area says. */
function sampler(triangles: readonly Triangle[], chance: () => number): () => Point {
  let sum = 0;
  const sums = triangles.map(([a, b, c]) => (sum += Math.hypot(...cross(sub(b, a), sub(c, a))) / 2));
  return () => {
    const wanted = chance() * sum;
    const [a, b, c] =
      triangles[
        Math.max(
          0,
          sums.findIndex((part) => part >= wanted),
        )
      ]!;
    let [u, v] = [chance(), chance()];
    if (u + v > 1) [u, v] = [1 - u, 1 - v];
    return [0, 1, 2].map((k) => a[k]! + u * (b[k]! - a[k]!) + v * (c[k]! - a[k]!)) as unknown as Point;
  };
}

/** Whether a point is in the hull of its triangles, or within `more` of it. */
function insideOf(triangles: readonly Triangle[]): (p: Point, more?: number) => boolean {
  const points = triangles.flat();
  const center = [0, 1, 2].map(
    (k) => points.reduce((sum, p) => sum + p[k]!, 0) / points.length,
  ) as unknown as Point;
  const planes = triangles.flatMap(([a, b, c]) => {
    const normal = cross(sub(b, a), sub(c, a));
    const length = Math.hypot(...normal);
    if (length === 0) return [];
    const sign = dot(normal, sub(center, a)) > 0 ? -1 / length : 1 / length;
    const n = normal.map((part) => part * sign) as unknown as Point;
    return [{ n, offset: dot(n, a) }];
  });
  return (p, more = 0) => planes.every(({ n, offset }) => dot(n, p) <= offset + more);
}

export interface HullErrors {
  /** Excess and missing volume, as a share of the solid's. */
  readonly volume: number;
  /** Hausdorff distance, as a share of the longest side. */
  readonly distance: number;
  /** Of each point whether it is in the one and not in the other. Equal solids and seeds have equal points. */
  readonly wrong: readonly boolean[];
  /** How many points are in the solid. */
  readonly inside: number;
}

/** One standard error of the difference of two volume errors by the same points (McNemar 1947). */
export function volumeNoise(a: HullErrors, b: HullErrors): number {
  return Math.sqrt(a.wrong.filter((wrong, i) => wrong !== b.wrong[i]).length) / a.inside;
}

export function hullErrors(solid: Surface, hulls: readonly Surface[], seed = 777): HullErrors {
  const chance = random(seed);
  const triangles = trianglesOf(solid);
  const points = triangles.flat();
  const low = [0, 1, 2].map((k) => points.reduce((least, p) => Math.min(least, p[k]!), Infinity));
  const size = [0, 1, 2].map((k) => points.reduce((most, p) => Math.max(most, p[k]!), -Infinity) - low[k]!);
  const longest = Math.max(...size);
  const parts = hulls.map((hull) => {
    const own = trianglesOf(hull);
    return { own, has: insideOf(own) };
  });
  let inside = 0;
  const wrong: boolean[] = [];
  for (let i = Math.min(POINTS, Math.ceil(MOST_WORK / triangles.length)); i > 0; i--) {
    const p = [0, 1, 2].map(
      (k) => low[k]! - AROUND * longest + chance() * (size[k]! + 2 * AROUND * longest),
    ) as unknown as Point;
    const isIn = Math.abs(winding(triangles, p)) > 0.5;
    if (isIn) inside++;
    wrong.push(isIn !== parts.some(({ has }) => has(p)));
  }
  const nearest = (p: Point, list: readonly Triangle[]) =>
    Math.sqrt(list.reduce((least, triangle) => Math.min(least, distance2(p, triangle)), Infinity));
  const faces = parts.flatMap(({ own }) => own);
  let most = 0;
  const ofSolid = sampler(triangles, chance);
  for (let i = 0; i < SAMPLES.solid; i++) {
    const p = ofSolid();
    if (!parts.some(({ has }) => has(p, 1e-9 * longest))) most = Math.max(most, nearest(p, faces));
  }
  const ofHulls = sampler(faces, chance);
  for (let i = 0; i < SAMPLES.hulls; i++) {
    const p = ofHulls();
    // Faces within another hull are not on the surface of the union.
    if (parts.some(({ has }) => has(p, -1e-6 * longest))) continue;
    const far = nearest(p, triangles);
    if (far > most && Math.abs(winding(triangles, p)) < 0.5) most = far;
  }
  const volume = wrong.filter(Boolean).length / inside;
  return { volume, distance: most / longest, wrong, inside };
}
