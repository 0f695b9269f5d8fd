// Contact of a convex shape with one triangle of a mesh or heightfield, in the frame of the convex shape. In: the
// shape, the triangle. Out: points appended to the list of surfacePoints.ts; a lower bound of the distance if there are none.
// The triangle's own plane comes first: points of the shape over the triangle (in the Voronoi region of its face) touch
// it along its normal. If there are none, a face of the shape, or the closest points (GJK, EPA), give the direction in
// which an edge or a corner of the triangle touches. This counts only if no part of the surrounding surface rises above
// it; otherwise floors would have bumps at each seam.

import { addScaled, cross, dot, lengthSquared, neg, scale, sub, vec3, x, y, z, zero } from '../math/vector';
import { SHAPE_BOX, SHAPE_CAPSULE, SHAPE_HULL, SHAPE_SPHERE, SHAPE_TRIANGLE } from '../memory/constants';
import { HullGeometry, PointGeometry, Shape } from '../memory/records';
import { hullNormal } from '../shapes/hull';
import { FACING, LEVEL_CORNERS, PLANE_BEFORE_FACE, SHALLOW } from '../tolerances';
import { clipFeatures, clippedAt, Facing } from './clip';
import { INSIDE, nearestOnTriangle, nearestPoint } from './closestOnTriangle';
import { coreRadius, FEATURE_HEADER, Feature, findFeature, support } from './convex';
import { Cores, startQuery } from './convexPair';
import { coreDepth } from './epa';
import { Facet, facetCorner, isCounterClockwise, reachAlong, windingNormal } from './facet';
import { coreDistance } from './gjk';
import { greatestOf, laneWhere, unit } from './lanes';
import { epaDirection } from './polytope';
import { isRidge, mayTouchAlong, touchingCorners } from './ridges';
import { activeEdges, neighbourOf, tangentPlane, triangleRises } from './surface';
import { addPlanePoint, addRidgePoint, surfaceContact } from './surfacePoints';

const FEATURE_CONVEX: usize = memory.data(48 + 32 * 72, 16);
const FEATURE_TRIANGLE: usize = memory.data(48 + 32 * 4, 16);
const POINTS_SHAPE: usize = memory.data(offsetof<Shape>(), 16);
const POINTS: usize = memory.data(offsetof<PointGeometry>() + 48, 16);

// Ids of features: those of the shape alone persist while it slides over the triangles.
const OF_SHAPE: u32 = 0x10000000;
const OF_BOTH: u32 = 0x20000000;
const OF_TRIANGLE: u32 = 0x40000000;
const NEAREST: u32 = 0x50000000;

/**
 * Adds the contact points with a triangle that openTriangles left; returns a lower bound of the distance. In the second pass
 * over triangles that excluded each other's contacts: one along its normal, if the two overlap and no other triangle gives it.
 */
export function collideTriangle(a: Shape, t: Facet): f32 {
  return a.type == SHAPE_SPHERE ? sphereTriangle(a.param0, t) : coreTriangle(a, t);
}

/** The core of a sphere is a point: uses the closest point of the triangle. */
function sphereTriangle(radius: f32, t: Facet): f32 {
  if (t.feature == INSIDE) {
    const separationOfPlane = t.height - radius;
    noteApproach(separationOfPlane, dot(t.normal, t.way));
    addPlanePoint(t, scale(t.normal, <f32>-0.5 * (t.height + radius)), separationOfPlane, OF_SHAPE);
    return separationOfPlane;
  }
  const p = t.nearest;
  const distance = sqrt<f32>(lengthSquared(p));
  const separation = distance - radius;
  const d = scale(p, <f32>-1 / distance);
  noteApproach(separation, dot(d, t.way));
  if (isRidge(t, t.feature, p, d))
    addRidgePoint(t, apart(scale(d, <f32>-0.5 * (distance + radius)), separation), neg(d), OF_SHAPE);
  return separation;
}

/** A ball cannot meet a triangle before it has crossed the tangent plane there; `along`: m, its motion away from there. */
function noteApproach(separation: f32, along: f32): void {
  const c = surfaceContact();
  if (along > -c.least) return;
  c.gap = min(c.gap, separation);
  c.soon = min(c.soon, separation / -along);
}

/** A position with a separation in lane 3. @inline */
function apart(p: v128, separation: f32): v128 {
  return f32x4.replace_lane(p, 3, separation);
}

/** Finds the face of the shape above which the triangle's lowest corner is highest; returns this height. @inline */
function farthestFace(a: Shape, t: Facet): f32 {
  if (a.type == SHAPE_HULL) return hullFarthestFace(changetype<HullGeometry>(<usize>a.geometry), t);
  return a.type == SHAPE_BOX ? t.above : -1e30;
}

/** Four planes of the hull at once. */
function hullFarthestFace(hull: HullGeometry, t: Facet): f32 {
  const v0 = t.v0;
  const v1 = t.v1;
  const v2 = t.v2;
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
  const height = greatestOf(best);
  t.face = min(laneWhere(bestIndex, best, height), hull.faceCount - 1);
  return height;
}

/** Any shape whose core is more than a point. */
function coreTriangle(a: Shape, t: Facet): f32 {
  const radius = coreRadius(a);
  t.lowest = support(a, neg(t.normal));
  const alongPlane = dot(t.normal, t.lowest) + t.height - radius;
  if (alongPlane > reachAlong(t, t.normal)) return alongPlane;
  const alongFace = farthestFace(a, t) - radius;
  if (alongFace > t.turning && alongFace > reachAlong(t, neg(outwards(a, t.face)))) return alongFace;
  if (surfaceContact().anyway) return nearestPoints(a, t);
  const best = max(alongPlane, alongFace);
  const front = dot(t.normal, windingNormal(t)) * t.surface.mirror > 0;
  const shallow = best > -SHALLOW * t.size;
  const ofPlane = alongPlane >= alongFace - PLANE_BEFORE_FACE * t.size;
  if (shallow && ofPlane) {
    if (planePoints(a, t) == ENOUGH) return alongPlane;
  } else if (shallow) {
    const m = outwards(a, t.face);
    if (mayTouchAlong(t, neg(m))) {
      if (facePoints(a, t, m, t.face) <= alongFace + LEVEL_CORNERS * t.size) return alongFace;
    } else if (planePoints(a, t) == ENOUGH) {
      return alongPlane;
    }
  }
  // Seen from the back, valleys are ridges.
  if (front && shallow && activeEdges(t.surface, t.index) == 0) return best;
  return nearestPoints(a, t);
}

/** @inline */
function outwards(a: Shape, face: i32): v128 {
  return a.type == SHAPE_BOX
    ? unit(face >> 1, face & 1 ? -1 : 1)
    : hullNormal(changetype<HullGeometry>(<usize>a.geometry), face);
}

/** The triangle as a polygon with a normal, counter-clockwise about it. */
function triangleFeature(t: Facet, normal: v128): Feature {
  const f = changetype<Feature>(FEATURE_TRIANGLE);
  const turned = !isCounterClockwise(t, normal);
  f.count = 3;
  f.face = 0;
  f.normal = normal;
  for (let i = 0; i < 3; i++) {
    const at = FEATURE_TRIANGLE + FEATURE_HEADER + ((<usize>i) << 5);
    const k = turned ? 2 - i : i;
    v128.store(at, facetCorner(t, k));
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
function planePoints(a: Shape, t: Facet): i32 {
  const radius = coreRadius(a);
  const n = t.normal;
  const f = changetype<Feature>(FEATURE_CONVEX);
  findFeature(a, neg(n), -1, f);
  const count = clipFeatures(new Facing(triangleFeature(t, n), f), n, t.maxSeparation + radius, 0);
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
      tag < 0x100 ? OF_SHAPE | ((<u32>(f.face & 255)) << 8) | tag : OF_BOTH ^ ((<u32>t.index) << 9) ^ tag;
    addPlanePoint(t, addScaled(p, n, -(radius + <f32>0.5 * separation)), separation, feature);
  }
  const alongPlane = dot(n, t.lowest) + t.height - radius;
  if (alongPlane >= least - LEVEL_CORNERS * t.size) return ENOUGH;
  // The polygon of a rim misses its deepest point; a face of a hull may miss it, too.
  if (isAboveTriangle(t, t.lowest)) {
    addPlanePoint(t, addScaled(t.lowest, n, <f32>-0.5 * alongPlane), alongPlane, OF_SHAPE | 0xffff);
    return ENOUGH;
  }
  if (count == 0) return NOTHING;
  if (deepest < 0x100) return CUT_AT_RIDGE;
  // Sides are numbered as in triangleFeature.
  const side = <i32>((deepest - 0x100) >> 7);
  const turned = load<i32>(FEATURE_TRIANGLE + FEATURE_HEADER, 16) == 2;
  const edge = turned ? (side == 2 ? 2 : 1 - side) : side;
  const next = neighbourOf(t.surface, t.index, edge);
  const plane = tangentPlane(facetCorner(t, edge), neg(n), t.size);
  return next < 0 || triangleRises(t.surface, next, plane) ? CUT_AT_RIDGE : ENOUGH;
}

/** Whether the point p lies above or below the triangle, not beside it. */
function isAboveTriangle(t: Facet, p: v128): bool {
  let sides = 0;
  for (let i = 0; i < 3; i++) {
    const v = facetCorner(t, i);
    if (dot(t.normal, cross(sub(facetCorner(t, i == 2 ? 0 : i + 1), v), sub(p, v))) >= 0) sides++;
  }
  return sides == 3 || sides == 0;
}

/**
 * Adds the points of the triangle below a face of the shape, along the face's normal m. Returns the least separation.
 */
function facePoints(a: Shape, t: Facet, m: v128, face: i32): f32 {
  const f = changetype<Feature>(FEATURE_CONVEX);
  findFeature(a, m, face, f);
  const count = clipFeatures(new Facing(f, triangleFeature(t, neg(m))), m, t.maxSeparation, 0);
  let least: f32 = 1e30;
  for (let i = 0; i < count; i++) {
    const at = clippedAt(i);
    const separation = load<f32>(at, 24);
    const tag = load<u32>(at, 16);
    const p = f32x4.replace_lane(v128.load(at), 3, 0);
    const feature = (tag < 0x100 ? OF_TRIANGLE : OF_BOTH) ^ ((<u32>t.index) << 9) ^ tag;
    addRidgePoint(t, apart(addScaled(p, m, <f32>-0.5 * separation), separation), m, feature);
    least = min(least, separation);
  }
  return least;
}

/** Adds the closest points of shape and triangle, or the point of least depth. */
function nearestPoints(a: Shape, t: Facet): f32 {
  const radius = coreRadius(a);
  const n = t.normal;
  const anyway = surfaceContact().anyway != 0;
  const b = triangleShape(t);
  const query = startQuery(f32x4(0, 0, 0, 1), zero());
  const cores = new Cores(query, a, b, <f64>(t.size + sqrt<f32>(lengthSquared(t.v0))));
  query.wayX = -(<f64>x(t.way));
  query.wayY = -(<f64>y(t.way));
  query.wayZ = -(<f64>z(t.way));
  // Along the normal it was not beyond reach; beside the triangle, the way to it is more likely to show that it is.
  const above = nearestOnTriangle(t.v0, t.v1, t.v2) == INSIDE || !(lengthSquared(nearestPoint()) > 0);
  const guess = above ? neg(n) : nearestPoint();
  query.still = <f64>(t.still + radius);
  query.near = <f64>t.near;
  const distance = coreDistance(cores, guess, <f64>(t.turning + radius));
  let separation = <f32>distance - radius;
  if (query.separate != 0 || separation > t.maxSeparation) return separation;
  let d: v128; // from the triangle to the shape
  if (distance > 0) {
    const inverse = 1 / distance;
    d = vec3(
      <f32>(query.nearestX * inverse),
      <f32>(query.nearestY * inverse),
      <f32>(query.nearestZ * inverse),
    );
  } else {
    separation = <f32>-coreDepth(cores) - radius;
    d = neg(epaDirection());
  }
  d = scale(d, <f32>1 / sqrt<f32>(lengthSquared(d)));
  const p = query.witnessB;
  const feature = NEAREST ^ ((<u32>t.index) << 9);
  // The shape leaves on the side of its centre, even if the other side is nearer: otherwise it would sink through.
  const deep = t.surface.oneSided != 0 && separation < -SHALLOW * t.size;
  const through = dot(d, n) < 0 && (distance <= 0 || deep);
  const ridge = mayTouchAlong(t, d);
  if (through || anyway || !ridge) {
    if ((through || distance <= 0) && planePoints(a, t) == ENOUGH) return separation;
    if (through || (anyway && ridge && separation < 0))
      addPlanePoint(t, addScaled(p, n, <f32>0.5 * separation), separation, feature);
    return separation;
  }
  // A face of the shape on the edge touches it along its length.
  const m = neg(d);
  if (radius == 0) {
    const f = changetype<Feature>(FEATURE_CONVEX);
    findFeature(a, m, -1, f);
    if (f.count > 2 && f.facing > FACING) {
      const least = facePoints(a, t, f.normal, f.face);
      if (least <= separation + LEVEL_CORNERS * t.size) return separation;
    }
  } else if (a.type == SHAPE_CAPSULE && capsuleAlongEdge(a, t, d)) {
    return separation;
  }
  addRidgePoint(t, apart(addScaled(p, d, <f32>0.5 * separation), separation), m, feature);
  return separation;
}

/** For a capsule along an edge that touches along d: both ends of their overlap. */
function capsuleAlongEdge(a: Shape, t: Facet, d: v128): bool {
  const touching = touchingCorners(t, d);
  if (touching != 3 && touching != 6 && touching != 5) return false;
  const i = touching == 6 ? 1 : touching == 3 ? 0 : 2;
  const p = facetCorner(t, i);
  const e = sub(facetCorner(t, i == 2 ? 0 : i + 1), p);
  const rise = y(e);
  const l2 = lengthSquared(e);
  if (rise * rise < FACING * FACING * l2) return false;
  let added = false;
  for (let end = 0; end < 2; end++) {
    const along = ((end == 0 ? -a.param1 : a.param1) - y(p)) / rise;
    const onEdge = addScaled(p, e, max<f32>(0, min<f32>(1, along)));
    const onAxis = vec3(0, max(-a.param1, min(a.param1, y(onEdge))), 0);
    const separation = dot(d, sub(onAxis, onEdge)) - a.param0;
    if (separation > t.maxSeparation) continue;
    const feature = OF_BOTH ^ ((<u32>t.index) << 9) ^ <u32>(0x80 | end);
    addRidgePoint(t, apart(addScaled(onEdge, d, <f32>0.5 * separation), separation), neg(d), feature);
    added = true;
  }
  return added;
}

/** The triangle as a shape for GJK and EPA. */
function triangleShape(t: Facet): Shape {
  const b = changetype<Shape>(POINTS_SHAPE);
  const points = changetype<PointGeometry>(POINTS);
  b.type = SHAPE_TRIANGLE;
  b.geometry = <u32>POINTS;
  points.count = 3;
  points.least = 0;
  for (let i = 0; i < 3; i++)
    v128.store(POINTS + offsetof<PointGeometry>() + ((<usize>i) << 4), facetCorner(t, i));
  return b;
}
