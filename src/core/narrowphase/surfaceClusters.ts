// Clusters of the contact points of a convex shape with a surface: points with about one normal, which become one
// manifold of up to four points. In: the list of surfacePoints.ts. Out: normals, extents and manifolds in the world.

import { add, addScaled, dot, neg, normalizeOr, rotate, rotateInverse, zero } from '../math/vector';
import { ManifoldResult } from '../memory/records';
import { EQUAL_NORMALS } from '../tolerances';
import { addChoice, chooseFour, clippedAt, Label, shortTag } from './clip';
import { addPoint } from './manifold';
import { cornerAt, materialOf, userTriangle, worldNormal } from './surface';
import {
  copyPoint,
  SurfacePoint,
  separationOf,
  surfaceAtHand,
  surfaceContact,
  surfacePoint,
} from './surfacePoints';

/** Most manifolds of one pair. */
const MOST_CLUSTERS: i32 = 8;

/** Bit of the cache, above the points that were kept: the front of the surface was touched. */
export const OF_FRONT: i32 = 1 << 20;
/** Bit of the cache: the normal is that of a triangle. */
export const OF_PLANE: i32 = 1 << 21;

/** The deepest point of each cluster. */
const SEEDS: usize = memory.data(4 * 8, 4);
/** Normals of clusters that were asked for, and the cosines between them and the fronts of the seeds' triangles. */
const NORMALS: usize = memory.data(16 * 8, 16);
const FACINGS: usize = memory.data(4 * 8, 4);

/** Groups the points repeatedly: the deepest remaining point and all with about its normal. */
export function cluster(): void {
  const c = surfaceContact();
  for (let i = 0; i < c.points; i++) surfacePoint(i).cluster = -1;
  c.clusters = 0;
  c.normals = 0;
  while (c.clusters < MOST_CLUSTERS) {
    let seed = -1;
    for (let i = 0; i < c.points; i++)
      if (
        surfacePoint(i).cluster < 0 &&
        (seed < 0 || separationOf(surfacePoint(i)) < separationOf(surfacePoint(seed)))
      )
        seed = i;
    if (seed < 0) return;
    store<i32>(SEEDS + ((<usize>c.clusters) << 2), seed);
    const n = surfacePoint(seed).normal;
    surfacePoint(seed).cluster = c.clusters;
    for (let i = 0; i < c.points; i++)
      if (surfacePoint(i).cluster < 0 && dot(surfacePoint(i).normal, n) >= c.together && isAlike(i, seed))
        surfacePoint(i).cluster = c.clusters;
    c.clusters++;
  }
  // The remaining points join the cluster with the closest normal.
  for (let i = 0; i < c.points; i++) {
    const p = surfacePoint(i);
    if (p.cluster >= 0) continue;
    let best: f32 = 0.7;
    for (let k = 0; k < c.clusters; k++) {
      const along = dot(p.normal, seedOf(k).normal);
      if (along < best) continue;
      best = along;
      p.cluster = k;
    }
  }
}

/** Whether two points have the same material, if materials differ. @inline */
function isAlike(i: i32, j: i32): bool {
  return (
    !surfaceContact().mixed ||
    triangleMaterial(surfacePoint(i).triangle) == triangleMaterial(surfacePoint(j).triangle)
  );
}

/** @inline */
function triangleMaterial(t: i32): i32 {
  return materialOf(surfaceAtHand(), t);
}

/** @inline */
function seedOf(k: i32): SurfacePoint {
  return surfacePoint(load<i32>(SEEDS + ((<usize>k) << 2)));
}

/** Chooses four points of cluster k: see clippedAt. The label is the number of the point. */
function choose(k: i32, kept: i32): i32 {
  const c = surfaceContact();
  let count = 0;
  for (let i = 0; i < c.points; i++) {
    const p = surfacePoint(i);
    if (p.cluster != k) continue;
    addChoice(count++, f32x4.replace_lane(p.position, 3, 0), separationOf(p), new Label(<i32>tagOf(p), i));
  }
  return chooseFour(count, seedOf(k).normal, kept);
}

/** @inline */
function tagOf(p: SurfacePoint): u32 {
  return (p.feature ^ (p.feature >> 13) ^ (p.feature >> 26)) & 0x7fff;
}

/** If the table is full, keeps four points of each cluster. */
export function compact(): void {
  const c = surfaceContact();
  cluster();
  for (let k = 0; k < c.clusters; k++) {
    const count = choose(k, 0);
    for (let i = 0; i < count; i++) surfacePoint(load<i32>(clippedAt(i), 20)).cluster = MOST_CLUSTERS;
  }
  let to = 0;
  for (let i = 0; i < c.points; i++) {
    if (surfacePoint(i).cluster == MOST_CLUSTERS) copyPoint(to++, i);
  }
  c.points = to;
}

/** World normal of cluster k, from the convex shape to the surface. */
export function clusterNormal(k: i32): v128 {
  const c = surfaceContact();
  const at = NORMALS + ((<usize>k) << 4);
  if (((c.normals >> k) & 1) == 0) {
    c.normals |= 1 << k;
    const front = worldNormal(surfaceAtHand(), seedOf(k).triangle);
    const n = meanNormal(k, front);
    v128.store(at, n);
    store<f32>(FACINGS + ((<usize>k) << 2), dot(front, n));
  }
  return v128.load(at);
}

/** The same; `front`: world normal of the front of the seed's triangle. */
function meanNormal(k: i32, front: v128): v128 {
  const seed = seedOf(k);
  const c = surfaceContact();
  // Different normals are averaged with larger weights for nearer points: between two slopes the normal is vertical.
  let sum = zero();
  let least: f32 = 1;
  for (let i = 0; i < c.points; i++) {
    const p = surfacePoint(i);
    if (p.cluster != k) continue;
    least = min(least, dot(p.normal, seed.normal));
    const apart = max<f32>(0, separationOf(p) - separationOf(seed));
    sum = addScaled(sum, p.normal, c.nearby / (c.nearby + apart));
  }
  if (least < EQUAL_NORMALS) return rotate(c.rotation, normalizeOr(sum, seed.normal));
  const n = rotate(c.rotation, seed.normal);
  if (!seed.ofPlane) return n;
  // Use the surface's exact normal, without the rounding from the change of frames.
  return dot(front, n) < 0 ? neg(front) : front;
}

/** World position of the deepest point of the surface in cluster k; n points out of the surface. */
export function clusterPoint(k: i32, n: v128): v128 {
  const c = surfaceContact();
  const p = seedOf(k);
  const middle = add(c.position, rotate(c.rotation, f32x4.replace_lane(p.position, 3, 0)));
  return addScaled(middle, n, <f32>-0.5 * separationOf(p));
}

/** Extent of the triangles of cluster k along the unit vector m, world. */
export function clusterTop(k: i32, m: v128): f32 {
  const c = surfaceContact();
  const s = surfaceAtHand();
  const d = rotateInverse(c.rotation, m);
  let most: f32 = -Infinity;
  for (let i = 0; i < c.points; i++) {
    const p = surfacePoint(i);
    if (p.cluster != k) continue;
    for (let corner = 0; corner < 3; corner++) most = max(most, dot(cornerAt(s, p.triangle, corner), d));
  }
  return most + c.skin + dot(c.position, m);
}

/** Removes cluster k; the last cluster gets its number. */
export function dropCluster(k: i32): void {
  const c = surfaceContact();
  const last = --c.clusters;
  c.normals = 0;
  for (let i = 0; i < c.points; i++) {
    const p = surfacePoint(i);
    if (p.cluster == k) p.cluster = -1;
    else if (p.cluster == last) p.cluster = k;
  }
  store<i32>(SEEDS + (usize(k) << 2), load<i32>(SEEDS + (usize(last) << 2)));
}

/** Material of cluster k if materials have their own coefficients, otherwise −1. */
export function clusterMaterial(k: i32): i32 {
  return surfaceContact().mixed ? triangleMaterial(seedOf(k).triangle) : -1;
}

/** Writes the manifold of cluster k, with its normal from clusterNormal. `kept`: cache of the last manifold. */
export function writeCluster(k: i32, kept: i32, out: ManifoldResult): void {
  const c = surfaceContact();
  const count = choose(k, kept & (OF_FRONT - 1));
  out.count = 0;
  out.normal = clusterNormal(k);
  const facing = load<f32>(FACINGS + ((<usize>k) << 2));
  let keep = facing < 0 ? OF_FRONT : 0;
  if (abs(facing) > EQUAL_NORMALS) keep |= OF_PLANE;
  for (let i = 0; i < count; i++) {
    const p = surfacePoint(load<i32>(clippedAt(i), 20));
    const position = add(c.position, rotate(c.rotation, f32x4.replace_lane(p.position, 3, 0)));
    addPoint(out, position, separationOf(p), p.feature);
    keep |= shortTag(<i32>tagOf(p)) << (5 * i);
  }
  out.cache = keep;
}

/** Triangle, in the user's order, of the i-th point of the last writeCluster. */
export function writtenTriangle(i: i32): i32 {
  return userTriangle(surfaceAtHand(), surfacePoint(load<i32>(clippedAt(i), 20)).triangle);
}
