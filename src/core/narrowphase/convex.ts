// Represents any convex shape as a core with a radius: of a sphere the core is a point, of a capsule a segment, of a
// multi-sphere the hull of points with the smallest radius subtracted; of all others the shape itself. In: a shape, a
// direction in its frame. Out: the support point of the core (for GJK and EPA), and the face, edge or vertex that
// touches first, as a polygon (for clipping).

import { SQRT_HALF } from '../math/constants';
import {
  abs3,
  addScaled,
  cross,
  dot,
  length,
  neg,
  normalizeOr,
  rotateInverse,
  sub,
  vec3,
  w,
  x,
  y,
  z,
  zero,
} from '../math/vector';
import {
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HULL,
  SHAPE_MULTISPHERE,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  SHAPE_TRIANGLE,
} from '../memory/constants';
import { HullGeometry, PointGeometry, Shape } from '../memory/records';
import { cornerVertex, firstCorner, hullFace, hullNormal, hullSupport, hullVertex } from '../shapes/hull';
import { pointSupport, pointWithRadius, triangleSupport } from '../shapes/points';
import { boxHalfExtents } from '../shapes/shape';
import { BALLS_AS_FAR, BALLS_BACK, SAME_POINT } from '../tolerances';
import { component, unit } from './lanes';

/** Corners of the polygon that approximates a disc. The deepest point of the disc is added separately. */
const DISC_CORNERS: i32 = 8;
/** The sphere that stands for a cylinder or cone. */
const ROUND: usize = memory.data(16, 16);

/**
 * Radius around the core: of a sphere or capsule its radius, of a multi-sphere the smallest radius and the margin, of
 * others the margin.
 */
export function coreRadius(s: Shape): f32 {
  if (s.type <= SHAPE_CAPSULE) return s.param0;
  return s.type == SHAPE_MULTISPHERE ? s.margin + pointsOf(s).least : s.margin;
}

/** @inline */
export function pointsOf(s: Shape): PointGeometry {
  return changetype<PointGeometry>(<usize>s.geometry);
}

/** The point of the core farthest along d (not 0), in the shape's frame. */
export function support(s: Shape, d: v128): v128 {
  switch (s.type) {
    case SHAPE_SPHERE:
      return zero();
    case SHAPE_CAPSULE:
      return vec3(0, y(d) < 0 ? -s.param1 : s.param1, 0);
    case SHAPE_BOX: {
      const half = boxHalfExtents(s);
      return v128.bitselect(half, neg(half), f32x4.ge(d, zero()));
    }
    case SHAPE_HULL: {
      const hull = changetype<HullGeometry>(<usize>s.geometry);
      return hullVertex(hull, hullSupport(hull, d));
    }
    case SHAPE_TRIANGLE:
      return triangleSupport(pointsOf(s), d);
    case SHAPE_MULTISPHERE:
      return pointSupport(pointsOf(s), d, pointsOf(s).least);
    case SHAPE_CYLINDER:
      return onRim(s.param0, y(d) < 0 ? -s.param1 : s.param1, d);
    default: {
      const across = sqrt<f32>(x(d) * x(d) + z(d) * z(d));
      // Apex against rim.
      if (y(d) * <f32>2 * s.param1 >= across * s.param0) return vec3(0, s.param1, 0);
      return onRim(s.param0, -s.param1, d);
    }
  }
}

/**
 * Extent of the shape at the given pose along a unit direction, from the world's origin. A plane's surface is at
 * `position`.
 */
export function extentAlong(s: Shape, position: v128, rotation: v128, d: v128): f32 {
  const at = dot(position, d);
  if (s.type >= SHAPE_PLANE) return at;
  const local = rotateInverse(rotation, d);
  return at + dot(support(s, local), local) + coreRadius(s);
}

/** @inline */
function onRim(radius: f32, height: f32, d: v128): v128 {
  const across = sqrt<f32>(x(d) * x(d) + z(d) * z(d));
  if (!(across > <f32>1e-20)) return vec3(0, height, 0);
  return vec3((x(d) * radius) / across, height, (z(d) * radius) / across);
}

/** The normal of a flat face: of a hull and box by number; of a cylinder 0 top, 1 base; of a cone the base. */
export function faceNormal(s: Shape, face: i32): v128 {
  if (s.type == SHAPE_HULL) return hullNormal(changetype<HullGeometry>(<usize>s.geometry), face);
  if (s.type == SHAPE_TRIANGLE) return triangleNormal(s, face);
  if (s.type == SHAPE_BOX) return unit(face >> 1, face & 1 ? -1 : 1);
  return vec3(0, face == 0 ? 1 : -1, 0);
}

/** Number of flat faces; 0 for round shapes. */
export function faceCount(s: Shape): i32 {
  if (s.type == SHAPE_HULL) return changetype<HullGeometry>(<usize>s.geometry).faceCount;
  return s.type == SHAPE_BOX ? 6 : s.type >= SHAPE_CYLINDER && s.type != SHAPE_MULTISPHERE ? 2 : 0;
}

/** The flat face whose normal is closest to the unit direction d, in the shape's frame; -1 if there is none. */
export function flatFace(s: Shape, d: v128): i32 {
  switch (s.type) {
    case SHAPE_BOX: {
      const a = abs3(d);
      const axis = x(a) >= y(a) && x(a) >= z(a) ? 0 : y(a) >= z(a) ? 1 : 2;
      return 2 * axis + (component(d, axis) < 0 ? 1 : 0);
    }
    case SHAPE_HULL:
      return hullFace(changetype<HullGeometry>(<usize>s.geometry), d);
    case SHAPE_TRIANGLE:
      return dot(triangleNormal(s, 0), d) >= 0 ? 0 : 1;
    case SHAPE_CYLINDER:
      return y(d) > 0 ? 0 : 1;
    case SHAPE_CONE:
      return 1;
    default:
      return -1;
  }
}

/** Whether the shape has a curved side and a sharp rim (cylinder, cone). */
export function isRound(s: Shape): bool {
  return s.type == SHAPE_CYLINDER || s.type == SHAPE_CONE;
}

/** For a cylinder or cone: the sphere that approximates it along the unit direction d and along its rim. */
export function osculatingBall(s: Shape, d: v128): void {
  if (!isRound(s)) return;
  const p = support(s, d);
  const radius = sqrt<f32>((x(p) * x(p) + z(p) * z(p)) * (x(d) * x(d) + z(d) * z(d)));
  v128.store(ROUND, f32x4.replace_lane(addScaled(p, d, -radius), 3, radius));
}

/**
 * Number of points whose hull is the core, each perhaps with a radius; for cylinders and cones the sphere of
 * osculatingBall.
 */
export function ballCount(s: Shape): i32 {
  switch (s.type) {
    case SHAPE_CAPSULE:
      return 2;
    case SHAPE_BOX:
      return 8;
    case SHAPE_HULL:
      return changetype<HullGeometry>(<usize>s.geometry).vertexCount;
    case SHAPE_TRIANGLE:
    case SHAPE_MULTISPHERE:
      return pointsOf(s).count;
    default:
      return 1;
  }
}

/** x, y, z, radius. */
export function ball(s: Shape, i: i32): v128 {
  if (s.type == SHAPE_HULL) return hullVertex(changetype<HullGeometry>(<usize>s.geometry), i);
  if (isRound(s)) return v128.load(ROUND);
  if (s.type > SHAPE_BOX) {
    const p = pointWithRadius(pointsOf(s), i);
    return f32x4.replace_lane(p, 3, w(p) - pointsOf(s).least);
  }
  // The corner in an octant of directions; for a capsule the upper or lower end.
  return support(s, vec3(i & 2 ? 1 : -1, i & 1 ? 1 : -1, i & 4 ? 1 : -1));
}

/** Normal of the front (0, counter-clockwise) or the back (1). */
function triangleNormal(s: Shape, face: i32): v128 {
  const a = pointWithRadius(pointsOf(s), 0);
  const n = cross(sub(pointWithRadius(pointsOf(s), 1), a), sub(pointWithRadius(pointsOf(s), 2), a));
  const unitNormal = normalizeOr(n, vec3(0, 1, 0));
  return face == 0 ? unitNormal : neg(unitNormal);
}

/**
 * The feature of the shape in a direction: polygon corners of 32 bytes (x, y, z, –; vertex, edge number, –, –).
 * @unmanaged
 */
export class Feature {
  normal: v128; // of the polygon; for a segment or vertex: the given direction
  count: i32;
  face: i32; // number of the flat face, -1 none
  facing: f32; // cosine between the direction and the normal; for a segment, between the direction and the plane across it
  room: i32; // capacity in corners
}
export const FEATURE_HEADER: usize = offsetof<Feature>();

/** @inline */
function corner(f: Feature, p: v128): void {
  const at = cornerAt(f, f.count);
  v128.store(at, f32x4.replace_lane(p, 3, 0));
  v128.store(at, i32x4(f.count, f.count, 0, 0), 16); // vertex number, and number of the edge that starts there
  f.count++;
}

/** Writes the feature in the unit direction d. `face` ≥ 0 selects that flat face. */
export function findFeature(s: Shape, d: v128, face: i32, f: Feature): void {
  f.count = 0;
  f.face = -1;
  f.normal = d;
  f.facing = 1;
  switch (s.type) {
    case SHAPE_SPHERE:
      corner(f, zero());
      f.facing = 0;
      return;
    case SHAPE_CAPSULE:
      corner(f, vec3(0, -s.param1, 0));
      corner(f, vec3(0, s.param1, 0));
      f.facing = sqrt<f32>(max<f32>(0, <f32>1 - y(d) * y(d)));
      return;
    case SHAPE_BOX: {
      if (face < 0) face = flatFace(s, d);
      const axis = face >> 1;
      const side: f32 = face & 1 ? -1 : 1;
      const half = boxHalfExtents(s);
      const flat = f32x4.mul(half, unit(axis, side));
      const u = f32x4.mul(half, unit(axis == 2 ? 0 : axis + 1, side));
      const v = f32x4.mul(half, unit(axis == 0 ? 2 : axis - 1, 1));
      const high = f32x4.add(flat, u);
      const low = f32x4.sub(flat, u);
      corner(f, f32x4.add(high, v));
      corner(f, f32x4.add(low, v));
      corner(f, f32x4.sub(low, v));
      corner(f, f32x4.sub(high, v));
      f.face = face;
      f.normal = unit(axis, side);
      break;
    }
    case SHAPE_HULL: {
      const hull = changetype<HullGeometry>(<usize>s.geometry);
      if (face < 0) face = hullFace(hull, d);
      const from = firstCorner(hull, face);
      const to = firstCorner(hull, face + 1);
      for (let i = from; i < to; i++) {
        const vertex = cornerVertex(hull, i);
        const at = cornerAt(f, f.count);
        corner(f, hullVertex(hull, vertex));
        store<i32>(at, vertex, 16);
      }
      f.face = face;
      f.normal = hullNormal(hull, face);
      break;
    }
    case SHAPE_TRIANGLE: {
      const front = triangleNormal(s, 0);
      if (face < 0) face = dot(front, d) >= 0 ? 0 : 1;
      for (let i = 0; i < 3; i++) {
        const vertex = face == 0 ? i : 2 - i;
        const at = cornerAt(f, f.count);
        corner(f, pointWithRadius(pointsOf(s), vertex));
        store<i32>(at, vertex, 16);
      }
      f.face = face;
      f.normal = face == 0 ? front : neg(front);
      break;
    }
    case SHAPE_MULTISPHERE:
      roundFeature(pointsOf(s), d, f);
      return;
    default:
      curvedFeature(s, d, face, f);
      return;
  }
  f.facing = dot(f.normal, d);
}

function curvedFeature(s: Shape, d: v128, face: i32, f: Feature): void {
  const r = s.param0;
  const h = s.param1;
  const across = sqrt<f32>(x(d) * x(d) + z(d) * z(d));
  let sideUp: f32 = 0;
  let sideOut: f32 = 1;
  let flat = abs(y(d));
  if (s.type == SHAPE_CONE) {
    const slant = <f32>1 / sqrt<f32>(r * r + <f32>4 * h * h);
    sideUp = r * slant;
    sideOut = <f32>2 * h * slant;
    flat = -y(d);
  }
  const side = across * sideOut + y(d) * sideUp;
  if (face >= 0 || flat > side) {
    if (face < 0) face = y(d) > 0 ? 0 : 1;
    const top: f32 = face == 0 ? 1 : -1;
    for (let i = 0; i < DISC_CORNERS; i++) {
      const k = top > 0 ? DISC_CORNERS - 1 - i : i;
      const diagonal: f32 = k & 1 ? SQRT_HALF : 1;
      const c = k <= 1 || k == 7 ? diagonal : k >= 3 && k <= 5 ? -diagonal : 0;
      const n = k >= 1 && k <= 3 ? diagonal : k >= 5 ? -diagonal : 0;
      corner(f, vec3(r * c, top * h, r * n));
    }
    f.face = face;
    f.normal = vec3(0, top, 0);
    f.facing = dot(f.normal, d);
    return;
  }
  const cx = across > 0 ? (x(d) * r) / across : r;
  const cz = across > 0 ? (z(d) * r) / across : 0;
  corner(f, vec3(cx, -h, cz));
  corner(f, s.type == SHAPE_CONE ? vec3(0, h, 0) : vec3(cx, h, cz));
  f.facing = side;
}

/**
 * The centres of the balls with about the largest extent: corners of their hull across d, counter-clockwise about d. Balls in
 * a row give its two ends.
 */
function roundFeature(points: PointGeometry, d: v128, f: Feature): void {
  const lowest = pointSupport(points, d, 0);
  const farthest = dot(lowest, d);
  const level = BALLS_AS_FAR * points.radius;
  let most: f32 = 0;
  for (let i = 0; i < points.count; i++) {
    const at = pointWithRadius(points, i);
    const back = farthest - dot(at, d) - w(at);
    if (back > level && back > BALLS_BACK * aside(sub(at, lowest), d)) continue;
    most = max(most, back);
    const place = cornerAt(f, f.count);
    corner(f, addScaled(f32x4.replace_lane(at, 3, 0), d, w(at) - points.least));
    store<i32>(place, i, 16);
  }
  const all = f.count;
  if (all == 1) {
    f.facing = 0;
    return;
  }
  // Start with a point that is surely a corner, and not one that rounding could put in the middle of an edge.
  swapCorners(f, 0, farthestCorner(f, 0));
  // Gift wrapping (Jarvis 1973): the next corner has no other point on its right; among collinear points take the
  // farthest.
  let count = 1;
  let area: f32 = 0;
  const start = v128.load(cornerAt(f, 0));
  for (; count < all; count++) {
    const from = v128.load(cornerAt(f, count - 1));
    let next = 0;
    let way = sub(start, from);
    for (let i = count; i < all; i++) {
      const other = sub(v128.load(cornerAt(f, i)), from);
      const right = dot(cross(other, way), d);
      if (right < 0 || (right == 0 && dot(other, other) <= dot(way, way))) continue;
      next = i;
      way = other;
    }
    if (next == 0) break;
    area += dot(cross(sub(from, start), way), d);
    swapCorners(f, count, next);
  }
  f.count = count;
  const end = farthestCorner(f, 0);
  const long = sub(v128.load(cornerAt(f, end)), start);
  const narrow = SAME_POINT * points.radius;
  if (area * area <= narrow * narrow * dot(long, long)) {
    swapCorners(f, 1, end);
    f.count = 2;
    f.facing = aside(long, d) / length(long);
  } else if (most > level) {
    f.facing = 0; // a plane across d is not theirs: no reference for other points
  }
}

/** The length of a vector across the unit direction d. */
function aside(v: v128, d: v128): f32 {
  return length(addScaled(v, d, -dot(v, d)));
}

/** @inline */
function cornerAt(f: Feature, i: i32): usize {
  return changetype<usize>(f) + FEATURE_HEADER + ((<usize>i) << 5);
}

function swapCorners(f: Feature, i: i32, k: i32): void {
  const a = cornerAt(f, i);
  const b = cornerAt(f, k);
  const p = v128.load(a);
  const label = v128.load(a, 16);
  v128.store(a, v128.load(b));
  v128.store(a, v128.load(b, 16), 16);
  v128.store(b, p);
  v128.store(b, label, 16);
}

/** The corner farthest from another corner. */
function farthestCorner(f: Feature, from: i32): i32 {
  const start = v128.load(cornerAt(f, from));
  let farthest = from;
  let most: f32 = 0;
  for (let i = 0; i < f.count; i++) {
    const way = sub(v128.load(cornerAt(f, i)), start);
    if (dot(way, way) <= most) continue;
    most = dot(way, way);
    farthest = i;
  }
  return farthest;
}
