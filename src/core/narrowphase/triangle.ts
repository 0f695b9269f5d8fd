// Contact of a convex shape with one triangle of a mesh or heightfield, in the frame of the convex shape. In: the
// shape, the triangle. Out: points appended to the list of concave.ts; a lower bound of the distance if there are none.
// The triangle's own plane comes first: points of the shape over the triangle (in the Voronoi region of its face) touch
// it along its normal. If there are none, a face of the shape, or the closest points (GJK, EPA), give the direction in
// which an edge or a corner of the triangle touches. This counts only if no part of the surrounding surface rises above
// it; otherwise floors would have bumps at each seam.

import { addScaled, cross, dot, lengthSquared, neg, scale, sub, vec3, x, y, z, zero } from '../math/vector';
import { SHAPE_BOX, SHAPE_CAPSULE, SHAPE_HULL, SHAPE_SPHERE, SHAPE_TRIANGLE } from '../memory/constants';
import { HullGeometry, PointGeometry, Shape } from '../memory/records';
import { hullNormal } from '../shapes/hull';
import { boxHalfExtents } from '../shapes/shape';
import { clipFeatures, clippedAt } from './clip';
import { addSurfacePoint, isRidge } from './concave';
import { convexSize, coreRadius, FEATURE_HEADER, Feature, findFeature, support } from './convex';
import { coreDepth } from './epa';
import { coreDistance, nearest, setFrame, witnessB } from './gjk';
import { unit } from './lanes';
import { epaDirection } from './polytope';
import { activeEdges, cornerAt, neighbourOf, Surface, triangleRises } from './surface';

/**
 * Share of the size. The triangle's plane is preferred to a face of the shape whose separation is larger by no more
 * than this.
 */
const PREFERENCE: f32 = 0.01;
/** Share of the size. Up to this depth the plane of a face is used without testing other directions. */
const SHALLOW: f32 = 0.1;
/** Cosine of 5.7°. If a face of the shape is this close to the direction, it touches with its whole area. */
const FACING: f32 = 0.995;
/** Share of the size. Corners of the triangle whose extents along the direction differ by less touch together. */
const LEVEL: f32 = 1e-5;

/**
 * Share of the size. The shape's centre may be this far behind a triangle's plane although the shape lies on the front.
 */
const SHEET: f32 = 0.5;
/** The same for one-sided surfaces, whose backs do not collide anyway. */
const THIN: f32 = 0.05;
/** Cosine of 60°. */
const SAME_SIDE: f32 = 0.5;

/** Normals of surface fronts on which the shape lay at the last call. */
const FRONTS: usize = memory.data(16 * 8, 16);
const FRONT_COUNT: usize = memory.data(4, 4);
export function forgetFronts(): void {
  store<i32>(FRONT_COUNT, 0);
}
export function addFront(n: v128): void {
  const count = load<i32>(FRONT_COUNT);
  v128.store(FRONTS + ((<usize>count) << 4), n);
  store<i32>(FRONT_COUNT, count + 1);
}

/** Whether it lay on a front with about this normal. Fronts of floors do not count for ceilings. */
function layOnFront(n: v128): bool {
  for (let i = 0; i < load<i32>(FRONT_COUNT); i++)
    if (dot(n, v128.load(FRONTS + ((<usize>i) << 4))) > SAME_SIDE) return true;
  return false;
}

const CORNERS: usize = memory.data(48, 16);
const FEATURE_CONVEX: usize = memory.data(48 + 32 * 72, 16);
const FEATURE_TRIANGLE: usize = memory.data(48 + 32 * 4, 16);
const POINTS_SHAPE: usize = memory.data(offsetof<Shape>(), 16);
const POINTS: usize = memory.data(offsetof<PointGeometry>() + 48, 16);

// Ids of features: those of the shape alone persist while it slides over the triangles.
const OF_SHAPE: u32 = 0x10000000;
const OF_BOTH: u32 = 0x20000000;
const OF_TRIANGLE: u32 = 0x40000000;
const NEAREST: u32 = 0x50000000;

/** @inline */
function corner(i: i32): v128 {
  return v128.load(CORNERS + ((<usize>i) << 4));
}
/** @inline */
function after(i: i32): i32 {
  return i == 2 ? 0 : i + 1;
}

/** @inline */
function loadCorners(s: Surface, t: i32): void {
  v128.store(CORNERS, cornerAt(s, t, 0));
  v128.store(CORNERS, cornerAt(s, t, 1), 16);
  v128.store(CORNERS, cornerAt(s, t, 2), 32);
}

/**
 * Adds the contact points with triangle `t`; returns a lower bound of the distance. `anyway`: add one along its normal
 * if the two overlap and no other triangle gives it.
 */
export function collideTriangle(a: Shape, s: Surface, t: i32, maxSeparation: f32, anyway: bool): f32 {
  loadCorners(s, t);
  const v0 = corner(0);
  const normal = cross(sub(corner(1), v0), sub(corner(2), v0));
  const l2 = lengthSquared(normal);
  if (!(l2 > <f32>1e-30)) return maxSeparation;
  // Towards the shape's origin, on either side.
  let n = scale(normal, s.mirror / sqrt<f32>(l2));
  let height = -dot(n, v0);
  let side = height;
  // On a hilltop the centre of a thin shape is behind the slopes around it: it stays on their fronts, too.
  if (side < 0 && side > -(s.oneSided ? THIN : SHEET) * convexSize(a) && layOnFront(n)) side = 0;
  if (side < 0) {
    if (s.oneSided) return 0; // it may get in front later
    n = neg(n);
    height = -height;
  }
  if (a.type == SHAPE_SPHERE) return sphereTriangle(a.param0, s, t, n, height, maxSeparation);
  if (!anyway) return coreTriangle(a, s, t, n, height, maxSeparation);
  return nearestPoints(a, s, t, n, height, support(a, neg(n)), convexSize(a), maxSeparation, true);
}

/** The core of a sphere is a point: uses the closest point of the triangle (Ericson, 5.1.5). */
function sphereTriangle(radius: f32, s: Surface, t: i32, n: v128, height: f32, maxSeparation: f32): f32 {
  if (height - radius > maxSeparation) return height - radius;
  const where = nearestOnTriangle(corner(0), corner(1), corner(2));
  if (where == INSIDE) {
    addSurfacePoint(scale(n, <f32>-0.5 * (height + radius)), height - radius, neg(n), OF_SHAPE, t, true);
    return height - radius;
  }
  const p = v128.load(NEAREST_POINT);
  const distance = sqrt<f32>(lengthSquared(p));
  const separation = distance - radius;
  if (separation > maxSeparation || !(distance > <f32>1e-6 * radius)) return separation;
  const d = scale(p, <f32>-1 / distance);
  const edges = where < 3 ? 1 << where : 0;
  if (isRidge(s, t, edges, where - 3, p, d, radius))
    addSurfacePoint(scale(d, <f32>-0.5 * (distance + radius)), separation, neg(d), OF_SHAPE, t, false);
  return separation;
}

const NEAREST_POINT: usize = memory.data(16, 16);
export const INSIDE: i32 = 6;

/** The point of a triangle closest to the origin, left in NEAREST_POINT. Returns 0–2 edge, 3–5 corner, or INSIDE. */
export function nearestOnTriangle(a: v128, b: v128, c: v128): i32 {
  const ab = sub(b, a);
  const ac = sub(c, a);
  const d1 = -dot(ab, a);
  const d2 = -dot(ac, a);
  if (d1 <= 0 && d2 <= 0) return nearestAt(a, 3);
  const d3 = -dot(ab, b);
  const d4 = -dot(ac, b);
  if (d3 >= 0 && d4 <= d3) return nearestAt(b, 4);
  const d5 = -dot(ab, c);
  const d6 = -dot(ac, c);
  if (d6 >= 0 && d5 <= d6) return nearestAt(c, 5);
  const n = cross(ab, ac);
  // Signed areas, seen along the normal, of the triangles formed by each edge and the origin.
  const wC = dot(n, cross(a, b));
  const wA = dot(n, cross(b, c));
  const wB = dot(n, cross(c, a));
  if (wC <= 0 && d1 >= 0 && d3 <= 0) return nearestAt(addScaled(a, ab, d1 / (d1 - d3)), 0);
  if (wB <= 0 && d2 >= 0 && d6 <= 0) return nearestAt(addScaled(a, ac, d2 / (d2 - d6)), 2);
  if (wA <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return nearestAt(addScaled(b, sub(c, b), (d4 - d3) / (d4 - d3 + (d5 - d6))), 1);
  const l2 = lengthSquared(n);
  return nearestAt(scale(n, dot(n, a) / l2), INSIDE);
}

/** @inline */
function nearestAt(p: v128, where: i32): i32 {
  v128.store(NEAREST_POINT, p);
  return where;
}
/** @inline */
export function nearestPoint(): v128 {
  return v128.load(NEAREST_POINT);
}

/** Result of farthestFace: the face of the shape above which the triangle's lowest corner is highest. */
const FACE: usize = memory.data(4, 4);

function farthestFace(a: Shape): f32 {
  let best: f32 = -1e30;
  if (a.type == SHAPE_BOX) {
    const half = boxHalfExtents(a);
    const lo = f32x4.pmin(f32x4.pmin(corner(0), corner(1)), corner(2));
    const hi = f32x4.pmax(f32x4.pmax(corner(0), corner(1)), corner(2));
    const above = sub(lo, half);
    const below = sub(neg(hi), half);
    best = x(above);
    let face = 0;
    if (x(below) > best) {
      best = x(below);
      face = 1;
    }
    if (y(above) > best) {
      best = y(above);
      face = 2;
    }
    if (y(below) > best) {
      best = y(below);
      face = 3;
    }
    if (z(above) > best) {
      best = z(above);
      face = 4;
    }
    if (z(below) > best) {
      best = z(below);
      face = 5;
    }
    store<i32>(FACE, face);
  } else if (a.type == SHAPE_HULL) {
    best = hullFarthestFace(changetype<HullGeometry>(<usize>a.geometry));
  }
  return best;
}

/** Four planes of the hull at once. */
function hullFarthestFace(hull: HullGeometry): f32 {
  const v0 = corner(0);
  const v1 = corner(1);
  const v2 = corner(2);
  const x0 = f32x4.splat(x(v0));
  const y0 = f32x4.splat(y(v0));
  const z0 = f32x4.splat(z(v0));
  const x1 = f32x4.splat(x(v1));
  const y1 = f32x4.splat(y(v1));
  const z1 = f32x4.splat(z(v1));
  const x2 = f32x4.splat(x(v2));
  const y2 = f32x4.splat(y(v2));
  const z2 = f32x4.splat(z(v2));
  let at = changetype<usize>(hull) + offsetof<HullGeometry>() + <usize>((hull.vertexCount + 3) >> 2) * 48;
  const end = at + <usize>((hull.faceCount + 3) >> 2) * 64;
  let best = f32x4.splat(-1e30);
  let bestIndex = i32x4.splat(0);
  let index = i32x4(0, 1, 2, 3);
  for (; at < end; at += 64) {
    const nx = v128.load(at);
    const ny = v128.load(at, 16);
    const nz = v128.load(at, 32);
    const s0 = f32x4.add(f32x4.add(f32x4.mul(nx, x0), f32x4.mul(ny, y0)), f32x4.mul(nz, z0));
    const s1 = f32x4.add(f32x4.add(f32x4.mul(nx, x1), f32x4.mul(ny, y1)), f32x4.mul(nz, z1));
    const s2 = f32x4.add(f32x4.add(f32x4.mul(nx, x2), f32x4.mul(ny, y2)), f32x4.mul(nz, z2));
    const height = f32x4.sub(f32x4.pmin(f32x4.pmin(s0, s1), s2), v128.load(at, 48));
    const better = f32x4.gt(height, best);
    best = v128.bitselect(height, best, better);
    bestIndex = v128.bitselect(index, bestIndex, better);
    index = i32x4.add(index, i32x4.splat(4));
  }
  let value = f32x4.extract_lane(best, 0);
  let face = i32x4.extract_lane(bestIndex, 0);
  if (f32x4.extract_lane(best, 1) > value) {
    value = f32x4.extract_lane(best, 1);
    face = i32x4.extract_lane(bestIndex, 1);
  }
  if (f32x4.extract_lane(best, 2) > value) {
    value = f32x4.extract_lane(best, 2);
    face = i32x4.extract_lane(bestIndex, 2);
  }
  if (f32x4.extract_lane(best, 3) > value) {
    value = f32x4.extract_lane(best, 3);
    face = i32x4.extract_lane(bestIndex, 3);
  }
  store<i32>(FACE, min(face, hull.faceCount - 1));
  return value;
}

/** Any shape whose core is more than a point. */
function coreTriangle(a: Shape, s: Surface, t: i32, n: v128, height: f32, maxSeparation: f32): f32 {
  const radius = coreRadius(a);
  const lowest = support(a, neg(n));
  const alongPlane = dot(n, lowest) + height - radius;
  if (alongPlane > maxSeparation) return alongPlane;
  const alongFace = farthestFace(a) - radius;
  if (alongFace > maxSeparation) return alongFace;
  const size = convexSize(a);
  const best = max(alongPlane, alongFace);
  const shallow = best > -SHALLOW * size;
  const ofPlane = alongPlane >= alongFace - PREFERENCE * size;
  if (shallow && ofPlane) {
    if (planePoints(a, s, t, n, height, lowest, maxSeparation) == ENOUGH) return alongPlane;
  } else if (shallow) {
    const m = outwards(a, load<i32>(FACE));
    if (ridgeAlong(s, t, neg(m), size)) {
      if (facePoints(a, t, m, load<i32>(FACE), maxSeparation) <= alongFace + LEVEL * size) return alongFace;
    } else if (planePoints(a, s, t, n, height, lowest, maxSeparation) == ENOUGH) {
      return alongPlane;
    }
  }
  // Seen from the back, valleys are ridges.
  const front = dot(n, cross(sub(corner(1), corner(0)), sub(corner(2), corner(0)))) * s.mirror > 0;
  if (front && shallow && activeEdges(s, t) == 0) return best;
  return nearestPoints(a, s, t, n, height, lowest, size, maxSeparation, false);
}

/** @inline */
function outwards(a: Shape, face: i32): v128 {
  return a.type == SHAPE_BOX
    ? unit(face >> 1, face & 1 ? -1 : 1)
    : hullNormal(changetype<HullGeometry>(<usize>a.geometry), face);
}

/** The triangle as a polygon, counter-clockwise about `towards`. */
function triangleFeature(towards: v128, normal: v128): Feature {
  const f = changetype<Feature>(FEATURE_TRIANGLE);
  const turned = dot(towards, cross(sub(corner(1), corner(0)), sub(corner(2), corner(0)))) < 0;
  f.count = 3;
  f.face = 0;
  f.normal = normal;
  for (let i = 0; i < 3; i++) {
    const at = FEATURE_TRIANGLE + FEATURE_HEADER + ((<usize>i) << 5);
    const k = turned ? 2 - i : i;
    v128.store(at, corner(k));
    store<i32>(at, k, 16);
    store<i32>(at, i, 20);
  }
  return f;
}

// Results of planePoints.
const NOTHING: i32 = 0;
const ENOUGH: i32 = 1; // no other part of the triangle can be closer
const CUT_AT_RIDGE: i32 = 2; // the lowest point is not above the triangle: something else may be closer

/** Adds the points of the shape's feature that are above the triangle, along the triangle's normal. */
function planePoints(
  a: Shape,
  s: Surface,
  t: i32,
  n: v128,
  height: f32,
  lowest: v128,
  maxSeparation: f32,
): i32 {
  const radius = coreRadius(a);
  const f = changetype<Feature>(FEATURE_CONVEX);
  findFeature(a, neg(n), -1, f);
  const triangle = triangleFeature(n, n);
  const count = clipFeatures(triangle, f, n, maxSeparation + radius, 0);
  let least: f32 = 1e30;
  let deepest: u32 = 0;
  for (let i = 0; i < count; i++) {
    const at = clippedAt(i);
    const separation = load<f32>(at, 24) - radius;
    const tag = load<u32>(at, 16);
    const p = f32x4.replace_lane(v128.load(at), 3, 0);
    if (separation < least) {
      least = separation;
      deepest = tag;
    }
    // A corner of the shape has the same id on each triangle.
    const feature =
      tag < 0x100 ? OF_SHAPE | ((<u32>(f.face & 255)) << 8) | tag : OF_BOTH ^ ((<u32>t) << 9) ^ tag;
    addSurfacePoint(addScaled(p, n, -(radius + <f32>0.5 * separation)), separation, neg(n), feature, t, true);
  }
  const level = LEVEL * convexSize(a);
  const alongPlane = dot(n, lowest) + height - radius;
  if (alongPlane >= least - level) return ENOUGH;
  // The polygon of a rim misses its deepest point; a face of a hull may miss it, too.
  if (isAboveTriangle(lowest, n)) {
    const middle = addScaled(lowest, n, <f32>-0.5 * alongPlane);
    addSurfacePoint(middle, alongPlane, neg(n), OF_SHAPE | 0xffff, t, true);
    return ENOUGH;
  }
  if (count == 0) return NOTHING;
  if (deepest < 0x100) return CUT_AT_RIDGE;
  // Sides are numbered as in triangleFeature.
  const side = <i32>((deepest - 0x100) >> 7);
  const turned = load<i32>(FEATURE_TRIANGLE + FEATURE_HEADER, 16) == 2;
  const edge = turned ? (side == 2 ? 2 : 1 - side) : side;
  const next = neighbourOf(s, t, edge);
  return next < 0 || triangleRises(s, next, corner(edge), neg(n), convexSize(a)) ? CUT_AT_RIDGE : ENOUGH;
}

function isAboveTriangle(p: v128, n: v128): bool {
  let sides = 0;
  for (let i = 0; i < 3; i++) {
    const v = corner(i);
    if (dot(n, cross(sub(corner(after(i)), v), sub(p, v))) >= 0) sides++;
  }
  return sides == 3 || sides == 0;
}

/** Bit per corner of the triangle with the largest extent along d. */
function touchingCorners(d: v128, size: f32): i32 {
  const h0 = dot(d, corner(0));
  const h1 = dot(d, corner(1));
  const h2 = dot(d, corner(2));
  const least = max(h0, max(h1, h2)) - LEVEL * size;
  return (h0 >= least ? 1 : 0) | (h1 >= least ? 2 : 0) | (h2 >= least ? 4 : 0);
}

/** Whether the farthest feature of the triangle along d may touch along d. */
function ridgeAlong(s: Surface, t: i32, d: v128, size: f32): bool {
  const touching = touchingCorners(d, size);
  if (touching == 7) return true;
  const first = touching & 1 ? 0 : touching & 2 ? 1 : 2;
  const isEdge = (touching & (touching - 1)) != 0;
  const edge = touching == 3 ? 0 : touching == 6 ? 1 : 2;
  return isRidge(s, t, isEdge ? 1 << edge : 0, isEdge ? -1 : first, corner(first), d, size);
}

/** Whether triangle t may touch a shape along the outward direction d: not if its neighbours rise higher. */
export function mayTouchAlong(s: Surface, t: i32, d: v128, size: f32): bool {
  loadCorners(s, t);
  return ridgeAlong(s, t, d, size);
}

/**
 * Adds the points of the triangle below a face of the shape, along the face's normal m. Returns the least separation.
 */
function facePoints(a: Shape, t: i32, m: v128, face: i32, maxSeparation: f32): f32 {
  const f = changetype<Feature>(FEATURE_CONVEX);
  findFeature(a, m, face, f);
  const count = clipFeatures(f, triangleFeature(neg(m), neg(m)), m, maxSeparation, 0);
  let least: f32 = 1e30;
  for (let i = 0; i < count; i++) {
    const at = clippedAt(i);
    const separation = load<f32>(at, 24);
    const tag = load<u32>(at, 16);
    const p = f32x4.replace_lane(v128.load(at), 3, 0);
    const feature = (tag < 0x100 ? OF_TRIANGLE : OF_BOTH) ^ ((<u32>t) << 9) ^ tag;
    addSurfacePoint(addScaled(p, m, <f32>-0.5 * separation), separation, m, feature, t, false);
    least = min(least, separation);
  }
  return least;
}

/** Adds the closest points of shape and triangle, or the point of least depth. */
function nearestPoints(
  a: Shape,
  s: Surface,
  t: i32,
  n: v128,
  height: f32,
  lowest: v128,
  size: f32,
  maxSeparation: f32,
  anyway: bool,
): f32 {
  const radius = coreRadius(a);
  const b = triangleShape();
  setFrame(f32x4(0, 0, 0, 1), zero());
  const bound = <f64>(size + sqrt<f32>(lengthSquared(corner(0))));
  const distance = coreDistance(a, b, neg(n), bound, <f64>(maxSeparation + radius));
  let separation = <f32>distance - radius;
  if (separation > maxSeparation) return separation;
  let d: v128; // from the triangle to the shape
  if (distance > 0) {
    const inverse = 1 / distance;
    d = vec3(<f32>(nearest(0) * inverse), <f32>(nearest(1) * inverse), <f32>(nearest(2) * inverse));
  } else {
    separation = <f32>-coreDepth(a, b, bound) - radius;
    d = neg(epaDirection());
  }
  d = scale(d, <f32>1 / sqrt<f32>(lengthSquared(d)));
  const p = witnessB();
  const feature = NEAREST ^ ((<u32>t) << 9);
  // The shape leaves on the side of its centre, even if the other side is nearer: otherwise it would sink through.
  const through = dot(d, n) < 0 && (distance <= 0 || (s.oneSided != 0 && separation < -SHALLOW * size));
  const ridge = ridgeAlong(s, t, d, size);
  if (through || anyway || !ridge) {
    if (through || distance <= 0)
      if (planePoints(a, s, t, n, height, lowest, maxSeparation) == ENOUGH) return separation;
    if (through || (anyway && ridge && separation < 0))
      addSurfacePoint(addScaled(p, n, <f32>0.5 * separation), separation, neg(n), feature, t, true);
    return separation;
  }
  // A face of the shape on the edge touches it along its length.
  const f = changetype<Feature>(FEATURE_CONVEX);
  const m = neg(d);
  if (radius == 0) {
    findFeature(a, m, -1, f);
    if (f.count > 2 && f.facing > FACING) {
      const least = facePoints(a, t, f.normal, f.face, maxSeparation);
      if (least <= separation + LEVEL * size) return separation;
    }
  } else if (a.type == SHAPE_CAPSULE && capsuleAlongEdge(a, t, d, size, maxSeparation)) {
    return separation;
  }
  addSurfacePoint(addScaled(p, d, <f32>0.5 * separation), separation, m, feature, t, false);
  return separation;
}

/** For a capsule along an edge: both ends of their overlap. */
function capsuleAlongEdge(a: Shape, t: i32, d: v128, size: f32, maxSeparation: f32): bool {
  const touching = touchingCorners(d, size);
  if (touching != 3 && touching != 6 && touching != 5) return false;
  const i = touching == 6 ? 1 : touching == 3 ? 0 : 2;
  const p = corner(i);
  const e = sub(corner(after(i)), p);
  const rise = y(e);
  const l2 = lengthSquared(e);
  if (rise * rise < FACING * FACING * l2) return false;
  let added = false;
  for (let end = 0; end < 2; end++) {
    const along = ((end == 0 ? -a.param1 : a.param1) - y(p)) / rise;
    const onEdge = addScaled(p, e, max<f32>(0, min<f32>(1, along)));
    const onAxis = vec3(0, max(-a.param1, min(a.param1, y(onEdge))), 0);
    const separation = dot(d, sub(onAxis, onEdge)) - a.param0;
    if (separation > maxSeparation) continue;
    const feature = OF_BOTH ^ ((<u32>t) << 9) ^ <u32>(0x80 | end);
    addSurfacePoint(addScaled(onEdge, d, <f32>0.5 * separation), separation, neg(d), feature, t, false);
    added = true;
  }
  return added;
}

/** The triangle as a shape for GJK and EPA. */
function triangleShape(): Shape {
  const b = changetype<Shape>(POINTS_SHAPE);
  const points = changetype<PointGeometry>(POINTS);
  b.type = SHAPE_TRIANGLE;
  b.geometry = <u32>POINTS;
  points.count = 3;
  points.least = 0;
  for (let i = 0; i < 3; i++) v128.store(POINTS + offsetof<PointGeometry>() + ((<usize>i) << 4), corner(i));
  return b;
}
