// Contact of a convex shape with a mesh or heightfield. In: both shapes, the speculative distance and the motion of
// this step. Out: clusters of contact points, each with one normal, which become manifolds of up to four points; or a
// lower bound of the distance. A contact at an edge or corner, whose normal is not that of a triangle, counts only if
// the surrounding surface falls away on all sides. This test uses Voronoi regions of the surrounding triangles instead
// of edge flags, so it works in the same way for seams inside a mesh, between meshes and between heightfields.

import {
  add,
  addScaled,
  conjugate,
  dot,
  identityQuat,
  lengthSquared,
  mulQuat,
  neg,
  normalizeOr,
  rotate,
  rotateInverse,
  scale,
  splat,
  sub,
  w,
  zero,
} from '../math/vector';
import { PAIR_CONCAVE, SHAPE_BARE_TO_BALLS, SHAPE_CAPSULE, SHAPE_SPHERE } from '../memory/constants';
import { ManifoldResult, Shape } from '../memory/records';
import { bodyAt, pairAt, shapeAt, world } from '../memory/tables';
import { shapeAabbMax, shapeAabbMin } from '../shapes/aabb';
import { coefficientCount } from '../shapes/coefficients';
import { addChoice, chooseFour, clippedAt, MOST_CHOICES, shortTag } from './clip';
import { convexSize } from './convex';
import { addPoint } from './manifold';
import {
  aroundCorner,
  BORDER,
  beyondEdge,
  cornerAt,
  gathered,
  gatherTriangles,
  materialOf,
  RISES,
  Surface,
  setSurface,
  triangleRises,
  userTriangle,
  worldNormal,
} from './surface';
import { collideTriangle, nearestOnTriangle, nearestPoint } from './triangle';

/** Most manifolds of one pair. */
const MOST_CLUSTERS: i32 = 8;
/** Cosine of 3°. Points of a shape with corners share a manifold if their normals differ by less. */
export const TOGETHER: f32 = 0.9986;
/** Cosine of 0.8°. The same for round shapes, which respond to each change of slope. */
const TOGETHER_ROUND: f32 = 0.9999;
/** Cosine of 0.25°. Normals that differ by less count as equal. */
const ALIKE: f32 = 0.99999;
/** Share of the size. Points that are farther away than the deepest one by this weigh half in the normal. */
const NEARBY: f32 = 2e-3;
/** Squared share of the size. Points that are closer than this are one. */
const SAME: f32 = 1e-6;
/** Share of the size. Surfaces whose borders are closer than this count as joined. */
const SEAM: f32 = 0.003;

/** Bit of the cache, above the points that were kept: the front of the surface was touched. */
export const OF_FRONT: i32 = 1 << 20;
/** Bit of the cache: the normal is that of a triangle. */
export const OF_PLANE: i32 = 1 << 21;

/** A contact point in the frame of the convex shape, midway between the surfaces. @unmanaged */
class SurfacePoint {
  position: v128; // lane 3: separation
  normal: v128; // from the convex shape to the surface
  feature: u32;
  triangle: i32;
  ofPlane: i32; // 1: the normal is that of the triangle
  cluster: i32; // number, -1 none
}
const POINT_SIZE: usize = offsetof<SurfacePoint>();
const MOST_POINTS: i32 = MOST_CHOICES - 16;
const POINTS: usize = memory.data(48 * 160, 16);
const SEEDS: usize = memory.data(4 * 8, 4);
const SURFACE: usize = memory.data(112, 16);
const OTHER: usize = memory.data(112, 16);
const LOCAL: usize = memory.data(offsetof<Shape>(), 16);

/** Data of the current call. @unmanaged */
class Call {
  position: v128; // of the convex shape
  rotation: v128;
  points: i32;
  clusters: i32;
  body: i32; // of the convex shape
  end: i32; // of the gathered triangles
  same: f32; // m²
  seam: f32; // m
  together: f32;
  skin: f32; // m, margin of the surface
  nearby: f32; // m
  mixed: i32; // 1: materials have coefficients of their own
}
const CALL: usize = memory.data(96, 16);
/** u32: the surface, in a second pass over triangles that excluded each other's contacts; otherwise 0. */
const ANYWAY: usize = memory.data<u32>([0], 4);

/** @inline */
function call(): Call {
  return changetype<Call>(CALL);
}
/** @inline */
function pointAt(i: i32): SurfacePoint {
  return changetype<SurfacePoint>(POINTS + <usize>i * POINT_SIZE);
}
/** @inline */
function separationOf(p: SurfacePoint): f32 {
  return w(p.position);
}

/** For queries, which have no body: tests for ridges then ignore other contacts of the body. */
export function askForNobody(): void {
  call().body = 0;
}

/** Triangle, in the user's order, of the i-th point of the last writeCluster. */
export function writtenTriangle(i: i32): i32 {
  return userTriangle(changetype<Surface>(SURFACE), pointAt(load<i32>(clippedAt(i), 20)).triangle);
}

/** Region to examine, and the tolerances. @unmanaged */
export class Look {
  ahead: v128; // displacement of the convex shape relative to the surface in this step, world
  turn: v128; // rotation vector of the convex shape relative to the surface in this step, world
  mostTilt: f32; // rad; contact planes that the rotation tilts farther count only ...
  sunk: f32; // m; ... at points with at least this penetration
  margin: f32; // m, added to the box around the swept shape
  maxSeparation: f32; // m, of a contact point
  near: f32; // m; if there are points nearer than this, only those are kept
  together: f32; // cosine; points of a shape with corners share a manifold if their normals differ by less
}

/**
 * Finds the clusters of contacts; returns their number. separation0 of the result is the least gap, or a bound of it.
 */
export function collideConcave(a: Shape, b: Shape, look: Look, out: ManifoldResult): i32 {
  const c = call();
  const s = changetype<Surface>(SURFACE);
  const size = convexSize(a);
  c.position = a.position;
  c.rotation = a.rotation;
  c.points = 0;
  c.clusters = 0;
  c.body = a.body;
  c.same = SAME * size * size;
  c.seam = SEAM * size;
  c.together = a.type <= SHAPE_CAPSULE ? TOGETHER_ROUND : look.together;
  // In Bullet only a ball's radius acts, whatever the margin of the mesh (btSphereTriangleCollisionAlgorithm.cpp).
  const bare =
    a.type == SHAPE_SPHERE && (world().contactErpMode != 0 || (b.flags & SHAPE_BARE_TO_BALLS) != 0);
  c.skin = bare ? 0 : b.margin;
  c.nearby = NEARBY * size;
  c.mixed = coefficientCount(b) > 0 ? 1 : 0;
  setSurface(s, b, a.position, a.rotation);

  // Bounds in the surface's frame of the region through which the convex shape moves in this step.
  const local = changetype<Shape>(LOCAL);
  memory.copy(LOCAL, changetype<usize>(a), offsetof<Shape>());
  local.position = s.origin;
  local.rotation = mulQuat(conjugate(b.rotation), a.rotation);
  const motion = rotateInverse(b.rotation, look.ahead);
  const lo = add(sub(shapeAabbMin(local), splat(look.margin + b.margin)), f32x4.min(motion, zero()));
  const hi = add(add(shapeAabbMax(local), splat(look.margin + b.margin)), f32x4.max(motion, zero()));
  c.end = gatherTriangles(s, lo, hi, 0);

  let gap = visit(a, s, c.skin, look.near, look.margin);
  if (c.points == 0 && gap <= look.maxSeparation && look.near < look.maxSeparation)
    gap = visit(a, s, c.skin, look.maxSeparation, look.margin);
  // In a deep valley each triangle may leave the contact to another one, and none would act. Then take them all.
  if (gap < (c.points == 0 ? 0 : -c.nearby) && !anyTouches()) {
    store<u32>(ANYWAY, <u32>changetype<usize>(b));
    visit(a, s, c.skin, 0, look.margin);
    store<u32>(ANYWAY, 0);
  }
  if (c.points > 0) keepTrue(look);
  if (c.points > 0) cluster();
  out.separation0 = gap;
  return c.clusters;
}

/** Removes points whose contact plane tilts too far in this step, unless they penetrate. */
function keepTrue(look: Look): void {
  const c = call();
  const most = look.mostTilt * look.mostTilt;
  if (lengthSquared(look.turn) <= most) return;
  const turn = rotateInverse(c.rotation, look.turn);
  let to = 0;
  for (let i = 0; i < c.points; i++) {
    const p = pointAt(i);
    const tilt = addScaled(turn, p.normal, -dot(turn, p.normal));
    if (lengthSquared(tilt) <= most || separationOf(p) <= -look.sunk) copyPoint(to++, i);
  }
  c.points = to;
}

/** Whether there is a point with penetration. */
function anyTouches(): bool {
  for (let i = 0; i < call().points; i++) if (separationOf(pointAt(i)) < 0) return true;
  return false;
}

/** Finds the points within maxSeparation of all gathered triangles; returns a bound of the distance. */
function visit(a: Shape, s: Surface, skin: f32, maxSeparation: f32, margin: f32): f32 {
  const c = call();
  let gap = margin;
  for (let i = 0; i < c.end; i++) {
    gap = min(gap, collideTriangle(a, s, gathered(i), maxSeparation + skin, load<u32>(ANYWAY) != 0) - skin);
    if (c.points >= MOST_POINTS - 8) compact();
  }
  return gap;
}

/** @inline */
function copyPoint(to: i32, from: i32): void {
  if (to != from) memory.copy(changetype<usize>(pointAt(to)), changetype<usize>(pointAt(from)), POINT_SIZE);
}

/** Adds a contact point with triangle t. Of two points at one place the deeper one is kept. */
export function addSurfacePoint(
  p: v128,
  separation: f32,
  n: v128,
  feature: u32,
  t: i32,
  ofPlane: bool,
): void {
  const c = call();
  if (c.skin != 0) {
    p = sub(p, scale(n, <f32>0.5 * c.skin));
    separation -= c.skin;
  }
  for (let i = 0; i < c.points; i++) {
    const other = pointAt(i);
    const d = sub(f32x4.replace_lane(other.position, 3, 0), p);
    if (lengthSquared(d) > c.same || dot(other.normal, n) < TOGETHER) continue;
    if (separationOf(other) <= separation) return;
    setPoint(other, p, separation, n, feature, t, ofPlane);
    return;
  }
  setPoint(pointAt(c.points++), p, separation, n, feature, t, ofPlane);
}

function setPoint(
  to: SurfacePoint,
  p: v128,
  separation: f32,
  n: v128,
  feature: u32,
  t: i32,
  ofPlane: bool,
): void {
  to.position = f32x4.replace_lane(p, 3, separation);
  to.normal = n;
  to.feature = feature;
  to.triangle = t;
  to.ofPlane = ofPlane ? 1 : 0;
}

// --- seams and ridges ---

/**
 * Whether the surface may be touched along d at the point p: nothing around it rises above the plane through p.
 * `edges`: bit per edge of triangle t that contains p; 0: p is its corner `corner`.
 */
export function isRidge(s: Surface, t: i32, edges: i32, corner: i32, p: v128, d: v128, size: f32): bool {
  const around =
    edges != 0 ? beyondEdge(s, t, ctz(edges), p, d, size) : aroundCorner(s, t, corner, p, d, size);
  return around == BORDER ? !seamRises(p, d, size) : around != RISES || load<u32>(ANYWAY) != 0;
}

/** Whether another surface that reaches the point p without being joined to it rises above the plane through p. */
function seamRises(p: v128, d: v128, size: f32): bool {
  const c = call();
  if (c.body == 0) return false;
  const at = add(c.position, rotate(c.rotation, p));
  const up = rotate(c.rotation, d);
  const other = changetype<Surface>(OTHER);
  let link = bodyAt(c.body).firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    const side = link & 1;
    link = side ? pair.nextB : pair.nextA;
    if (!(pair.flags & PAIR_CONCAVE)) continue;
    const shape = shapeAt(side ? pair.shapeA : pair.shapeB);
    if (<u32>changetype<usize>(shape) == load<u32>(ANYWAY)) continue;
    setSurface(other, shape, at, identityQuat());
    const end = gatherTriangles(
      other,
      sub(other.origin, splat(c.seam)),
      add(other.origin, splat(c.seam)),
      c.end,
    );
    for (let i = c.end; i < end; i++) {
      const t = gathered(i);
      nearestOnTriangle(cornerAt(other, t, 0), cornerAt(other, t, 1), cornerAt(other, t, 2));
      const nearest = nearestPoint();
      if (lengthSquared(nearest) > c.seam * c.seam) continue;
      if (triangleRises(other, t, nearest, up, size)) return true;
    }
  }
  return false;
}

// --- clusters ---

/** Groups the points repeatedly: the deepest remaining point and all with about its normal. */
function cluster(): void {
  const c = call();
  for (let i = 0; i < c.points; i++) pointAt(i).cluster = -1;
  c.clusters = 0;
  while (c.clusters < MOST_CLUSTERS) {
    let seed = -1;
    for (let i = 0; i < c.points; i++)
      if (pointAt(i).cluster < 0 && (seed < 0 || separationOf(pointAt(i)) < separationOf(pointAt(seed))))
        seed = i;
    if (seed < 0) return;
    store<i32>(SEEDS + ((<usize>c.clusters) << 2), seed);
    const n = pointAt(seed).normal;
    pointAt(seed).cluster = c.clusters;
    for (let i = 0; i < c.points; i++)
      if (pointAt(i).cluster < 0 && dot(pointAt(i).normal, n) >= c.together && isAlike(i, seed))
        pointAt(i).cluster = c.clusters;
    c.clusters++;
  }
  // The remaining points join the cluster with the closest normal.
  for (let i = 0; i < c.points; i++) {
    const p = pointAt(i);
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
  return !call().mixed || triangleMaterial(pointAt(i).triangle) == triangleMaterial(pointAt(j).triangle);
}

/** @inline */
function triangleMaterial(t: i32): i32 {
  return materialOf(changetype<Surface>(SURFACE), t);
}

/** @inline */
function seedOf(k: i32): SurfacePoint {
  return pointAt(load<i32>(SEEDS + ((<usize>k) << 2)));
}

/** Chooses four points of cluster k: see clippedAt. The label is the number of the point. */
function choose(k: i32, kept: i32): i32 {
  const c = call();
  let count = 0;
  for (let i = 0; i < c.points; i++) {
    const p = pointAt(i);
    if (p.cluster != k) continue;
    addChoice(count++, f32x4.replace_lane(p.position, 3, 0), separationOf(p), <i32>tagOf(p), i);
  }
  return chooseFour(count, seedOf(k).normal, kept);
}

/** @inline */
function tagOf(p: SurfacePoint): u32 {
  return (p.feature ^ (p.feature >> 13) ^ (p.feature >> 26)) & 0x7fff;
}

/** If the table is full, keeps four points of each cluster. */
function compact(): void {
  const c = call();
  cluster();
  for (let k = 0; k < c.clusters; k++) {
    const count = choose(k, 0);
    for (let i = 0; i < count; i++) pointAt(load<i32>(clippedAt(i), 20)).cluster = MOST_CLUSTERS;
  }
  let to = 0;
  for (let i = 0; i < c.points; i++) {
    if (pointAt(i).cluster == MOST_CLUSTERS) copyPoint(to++, i);
  }
  c.points = to;
}

/** World normal of cluster k, from the convex shape to the surface. */
export function clusterNormal(k: i32): v128 {
  const seed = seedOf(k);
  const c = call();
  // Different normals are averaged with larger weights for nearer points: between two slopes the normal is vertical.
  let sum = zero();
  let least: f32 = 1;
  for (let i = 0; i < c.points; i++) {
    const p = pointAt(i);
    if (p.cluster != k) continue;
    least = min(least, dot(p.normal, seed.normal));
    const apart = max<f32>(0, separationOf(p) - separationOf(seed));
    sum = addScaled(sum, p.normal, c.nearby / (c.nearby + apart));
  }
  if (least < ALIKE) return rotate(c.rotation, normalizeOr(sum, seed.normal));
  const n = rotate(c.rotation, seed.normal);
  if (!seed.ofPlane) return n;
  // Use the surface's exact normal, without the rounding from the change of frames.
  const exact = worldNormal(changetype<Surface>(SURFACE), seed.triangle);
  return dot(exact, n) < 0 ? neg(exact) : exact;
}

/** World position of the deepest point of the surface in cluster k; n points out of the surface. */
export function clusterPoint(k: i32, n: v128): v128 {
  const c = call();
  const p = seedOf(k);
  const middle = add(c.position, rotate(c.rotation, f32x4.replace_lane(p.position, 3, 0)));
  return addScaled(middle, n, <f32>-0.5 * separationOf(p));
}

/** Extent of the triangles of cluster k along the unit vector m, world. */
export function clusterTop(k: i32, m: v128): f32 {
  const c = call();
  const s = changetype<Surface>(SURFACE);
  const d = rotateInverse(c.rotation, m);
  let most: f32 = -Infinity;
  for (let i = 0; i < c.points; i++) {
    const p = pointAt(i);
    if (p.cluster != k) continue;
    for (let corner = 0; corner < 3; corner++) most = max(most, dot(cornerAt(s, p.triangle, corner), d));
  }
  return most + c.skin + dot(c.position, m);
}

/** Removes cluster k; the last cluster gets its number. */
export function dropCluster(k: i32): void {
  const c = call();
  const last = --c.clusters;
  for (let i = 0; i < c.points; i++) {
    const p = pointAt(i);
    if (p.cluster == k) p.cluster = -1;
    else if (p.cluster == last) p.cluster = k;
  }
  store<i32>(SEEDS + (usize(k) << 2), load<i32>(SEEDS + (usize(last) << 2)));
}

/** Material of cluster k if materials have their own coefficients, otherwise −1. */
export function clusterMaterial(k: i32): i32 {
  return call().mixed ? triangleMaterial(seedOf(k).triangle) : -1;
}

/** Writes the manifold of cluster k, with its normal from clusterNormal. `kept`: cache of the last manifold. */
export function writeCluster(k: i32, kept: i32, out: ManifoldResult): void {
  const c = call();
  const count = choose(k, kept & (OF_FRONT - 1));
  out.count = 0;
  out.normal = clusterNormal(k);
  const facing = dot(worldNormal(changetype<Surface>(SURFACE), seedOf(k).triangle), out.normal);
  let keep = facing < 0 ? OF_FRONT : 0;
  if (abs(facing) > ALIKE) keep |= OF_PLANE;
  for (let i = 0; i < count; i++) {
    const p = pointAt(load<i32>(clippedAt(i), 20));
    const position = add(c.position, rotate(c.rotation, f32x4.replace_lane(p.position, 3, 0)));
    addPoint(out, position, separationOf(p), p.feature);
    keep |= shortTag(<i32>tagOf(p)) << (5 * i);
  }
  out.cache = keep;
}
