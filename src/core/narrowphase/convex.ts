// Any convex shape as a core with a radius: a sphere is a point, a capsule a segment; of a multi-sphere the smallest
// balls are points; all others are their own core. In: a shape, a direction in its frame. Out: the support point of the
// core (for GJK and EPA), and the face, edge or vertex that touches first, as a polygon (for clipping).

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
import { pointSupport, pointWithRadius } from '../shapes/points';
import { boxHalfExtents } from '../shapes/shape';
import { component, unit } from './lanes';

/** Corners of the polygon that stands for a disc. The deepest point of the disc itself comes on its own. */
const DISC_CORNERS: i32 = 8;
/** The ball that stands for a cylinder or cone. */
const ROUND: usize = memory.data(16, 16);
const SQRT_HALF: f32 = 0.70710678;

/** What lies around the core: the radius of a sphere or capsule, of the smallest ball of some, the margin of others. */
export function coreRadius(s: Shape): f32 {
  if (s.type <= SHAPE_CAPSULE) return s.param0;
  return s.type == SHAPE_MULTISPHERE ? s.margin + pointsOf(s).least : s.margin;
}

/** @inline */
export function pointsOf(s: Shape): PointGeometry {
  return changetype<PointGeometry>(<usize>s.geometry);
}

/** A bound on the distance of the shape's surface from its origin: the measure of tolerances. */
export function convexSize(s: Shape): f32 {
  switch (s.type) {
    case SHAPE_SPHERE:
      return s.param0;
    case SHAPE_CAPSULE:
      return s.param0 + s.param1;
    case SHAPE_BOX:
      return length(boxHalfExtents(s));
    case SHAPE_HULL:
      return changetype<HullGeometry>(<usize>s.geometry).radius + s.margin;
    case SHAPE_TRIANGLE:
    case SHAPE_MULTISPHERE:
      return pointsOf(s).radius + s.margin;
    default:
      return sqrt<f32>(s.param0 * s.param0 + s.param1 * s.param1) + s.margin;
  }
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

/** How far the shape, placed there, reaches along a unit direction, from the world's origin; a plane's surface is at its place. */
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

/** The normal of a flat face: of a hull and box by number, of a cylinder 0 top and 1 base, of a cone the base. */
export function faceNormal(s: Shape, face: i32): v128 {
  if (s.type == SHAPE_HULL) return hullNormal(changetype<HullGeometry>(<usize>s.geometry), face);
  if (s.type == SHAPE_TRIANGLE) return triangleNormal(s, face);
  if (s.type == SHAPE_BOX) return unit(face >> 1, face & 1 ? -1 : 1);
  return vec3(0, face == 0 ? 1 : -1, 0);
}

/** Flat faces of the shape; 0 for round ones. */
export function faceCount(s: Shape): i32 {
  if (s.type == SHAPE_HULL) return changetype<HullGeometry>(<usize>s.geometry).faceCount;
  return s.type == SHAPE_BOX ? 6 : s.type >= SHAPE_CYLINDER && s.type != SHAPE_MULTISPHERE ? 2 : 0;
}

/** The flat face that looks most along the unit direction d, in the shape's frame; -1 if there is none. */
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

/** Whether its side is curved and its rim sharp. */
export function isRound(s: Shape): bool {
  return s.type == SHAPE_CYLINDER || s.type == SHAPE_CONE;
}

/** Of a cylinder or cone, the ball that is about like it along a unit direction and, along its rim, beside it. */
export function osculatingBall(s: Shape, d: v128): void {
  if (!isRound(s)) return;
  const p = support(s, d);
  const radius = sqrt<f32>((x(p) * x(p) + z(p) * z(p)) * (x(d) * x(d) + z(d) * z(d)));
  v128.store(ROUND, f32x4.replace_lane(addScaled(p, d, -radius), 3, radius));
}

/** Points whose hull the core is, each perhaps with a radius; of shapes that are no such thing the ball of osculatingBall. */
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
  // Any direction into the octant; of a capsule the upper or lower half.
  return support(s, vec3(i & 2 ? 1 : -1, i & 1 ? 1 : -1, i & 4 ? 1 : -1));
}

/** Of the front (0, counter-clockwise) or the back (1). */
function triangleNormal(s: Shape, face: i32): v128 {
  const a = pointWithRadius(pointsOf(s), 0);
  const n = cross(sub(pointWithRadius(pointsOf(s), 1), a), sub(pointWithRadius(pointsOf(s), 2), a));
  const unitNormal = normalizeOr(n, vec3(0, 1, 0));
  return face == 0 ? unitNormal : neg(unitNormal);
}

/**
 * The shape's feature towards a direction: polygon corners of 32 bytes (x, y, z, –; vertex, edge number, –, –).
 * @unmanaged
 */
export class Feature {
  normal: v128; // of the polygon; of a segment or vertex: as given
  count: i32;
  face: i32; // number of the flat face, or -1
  facing: f32; // cosine between the direction and the normal; for a segment, to the plane at right angles to it
  room: i32; // corners that fit
}
export const FEATURE_HEADER: usize = offsetof<Feature>();
export const MOST_CORNERS: usize = 64;

/** @inline */
function corner(f: Feature, p: v128): void {
  const at = cornerAt(f, f.count);
  v128.store(at, f32x4.replace_lane(p, 3, 0));
  v128.store(at, i32x4(f.count, f.count, 0, 0), 16); // its number, and that of the edge that begins there
  f.count++;
}

/** Writes the feature towards the unit direction d. `face` ≥ 0 asks for that flat face. */
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

/** Of the radius: balls that reach as far along the direction but for this carry the shape together. */
const AS_FAR: f32 = 0.02;

/** Of the radius: a polygon no wider is a segment. */
const NARROW: f32 = 1e-3;

/**
 * The points of the balls that reach farthest: the corners of their hull across d, counter-clockwise about it. Balls in
 * a row give its two ends.
 */
function roundFeature(points: PointGeometry, d: v128, f: Feature): void {
  const farthest = dot(pointSupport(points, d, 0), d) - AS_FAR * points.radius;
  for (let i = 0; i < points.count; i++) {
    const at = pointWithRadius(points, i);
    if (dot(at, d) + w(at) < farthest) continue;
    const place = cornerAt(f, f.count);
    corner(f, addScaled(f32x4.replace_lane(at, 3, 0), d, w(at) - points.least));
    store<i32>(place, i, 16);
  }
  const all = f.count;
  if (all == 1) f.facing = 0;
  // What is farthest from anything is a corner, and not one that rounding could make the middle of an edge.
  swapCorners(f, 0, farthestCorner(f, 0));
  // Gift wrapping (Jarvis 1973): the next corner is the one with no other on its right, of several in a row the farthest.
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
  if (count < 3) return;
  const end = farthestCorner(f, 0);
  const long = sub(v128.load(cornerAt(f, end)), start);
  const narrow = NARROW * points.radius;
  if (area * area > narrow * narrow * dot(long, long)) return;
  swapCorners(f, 1, end);
  f.count = 2;
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

/** From another corner. */
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
