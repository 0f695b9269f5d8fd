// Four triangles of a mesh or heightfield at once, one per lane, in the frame of the convex shape that may touch them. In:
// numbers of triangles, the shape, how far it can reach in this step (Facet). Out: a bit per triangle that remains to be
// examined by itself (triangle.ts), and lower bounds of the distances of the others. Most triangles near a shape are
// beyond its reach, which their planes, the faces of a box or the closest point to a ball's centre show.

import { splat, zero } from '../math/vector';
import { axesW, chooseW, crossW, dotW, gatherW, perAxisW, Rows, spreadW, turnW, Vec3W } from '../math/wide';
import { SHAPE_BOX, SHAPE_SPHERE } from '../memory/constants';
import { get3 } from '../memory/laneVectors';
import { Shape } from '../memory/records';
import { boxHalfExtents } from '../shapes/shape';
import { INFINITE, SAME_SIDE, SHEET } from '../tolerances';
import { INSIDE } from './closestOnTriangle';
import { coreRadius } from './convex';
import { Facet } from './facet';
import { gathered, ownCorners, Surface } from './surface';
import { hasSide, SIDE_FRONT } from './surfacePoints';

/** @unmanaged */
export class FourTriangles {
  v0X: v128;
  v0Y: v128;
  v0Z: v128;
  v1X: v128;
  v1Y: v128;
  v1Z: v128;
  v2X: v128;
  v2Y: v128;
  v2Z: v128;
  frontX: v128; // normal of the front, with the length of twice the area
  frontY: v128;
  frontZ: v128;
  normalX: v128; // unit, of the plane, towards the shape's origin
  normalY: v128;
  normalZ: v128;
  height: v128; // m, of the shape's origin above the plane
  open: v128; // -1: still to be examined
  bound: v128; // m, lower bound of the distance of the others
  nearestX: v128; // the point closest to the origin
  nearestY: v128;
  nearestZ: v128;
  feature: v128; // i32x4: where that point lies, as nearestOnTriangle says
  above: v128; // m, height of the lowest corner above the face of a box ...
  face: v128; // i32x4: ... above which it is highest
  leaving: v128; // m, motion of the box away from the triangle along that face's normal
}
const FOUR: usize = memory.data(offsetof<FourTriangles>(), 16);
/** Corner 0 of the four in the surface's own frame, then corner 1, then corner 2. */
const OWN: usize = memory.data(16 * 12, 16);

/** @inline */
function four(): FourTriangles {
  return changetype<FourTriangles>(FOUR);
}

/**
 * Examines the gathered triangles `first` to first + 3, as far as there are as many. Returns a bit for each that the shape
 * may touch in this step; see leastBound for the others.
 */
export function openTriangles(a: Shape, t: Facet, first: i32, end: i32): i32 {
  const s = t.surface;
  const f = four();
  const last = end - 1;
  for (let i = 0; i < 4; i++) ownCorners(s, gathered(min(first + i, last)), OWN + ((<usize>i) << 4));
  findPlanes(s, f);
  const given = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(end - first));
  f.bound = v128.bitselect(splat(t.maxSeparation), splat(INFINITE), v128.andnot(given, f.open));
  f.open = v128.and(f.open, given);
  turnToShape(t, f);
  if (a.type == SHAPE_SPHERE) ballReaches(t, f, splat(a.param0));
  else if (a.type == SHAPE_BOX) boxReaches(t, f, boxHalfExtents(a), splat(coreRadius(a)));
  return i32x4.bitmask(f.open);
}

/** m. The least of the bounds of the triangles that openTriangles excluded. */
export function leastBound(): v128 {
  return four().bound;
}

/** Puts the triangle of a lane at hand. */
export function pickTriangle(a: Shape, t: Facet, index: i32, lane: i32): void {
  const at = FOUR + ((<usize>lane) << 2);
  t.v0 = get3(at + offsetof<FourTriangles>('v0X'));
  t.v1 = get3(at + offsetof<FourTriangles>('v1X'));
  t.v2 = get3(at + offsetof<FourTriangles>('v2X'));
  t.front = get3(at + offsetof<FourTriangles>('frontX'));
  t.normal = get3(at + offsetof<FourTriangles>('normalX'));
  t.height = load<f32>(at, offsetof<FourTriangles>('height'));
  t.index = index;
  if (a.type == SHAPE_SPHERE) {
    t.nearest = get3(at + offsetof<FourTriangles>('nearestX'));
    t.feature = load<i32>(at, offsetof<FourTriangles>('feature'));
  } else if (a.type == SHAPE_BOX) {
    t.above = load<f32>(at, offsetof<FourTriangles>('above'));
    t.face = load<i32>(at, offsetof<FourTriangles>('face'));
  }
}

/** @wide */
function findPlanes(s: Surface, f: FourTriangles): void {
  const axes = axesW(s.axisX, s.axisY, s.axisZ);
  const scaling = spreadW(s.scaling);
  const origin = spreadW(s.origin);
  const v0 = turnW(axes, perAxisW(gatherW(rowsAt(OWN)), scaling) - origin);
  const v1 = turnW(axes, perAxisW(gatherW(rowsAt(OWN_1)), scaling) - origin);
  const v2 = turnW(axes, perAxisW(gatherW(rowsAt(OWN_2)), scaling) - origin);
  f.v0 = v0;
  f.v1 = v1;
  f.v2 = v2;
  const winding = crossW(v1 - v0, v2 - v0);
  const l2 = dotW(winding, winding);
  const mirror = splat(s.mirror);
  const n = winding * (mirror / f32x4.sqrt(l2));
  f.front = winding * mirror;
  f.normal = n;
  f.height = -dotW(n, v0);
  f.open = f32x4.gt(l2, splat(1e-30));
}
const OWN_1: usize = OWN + 64;
const OWN_2: usize = OWN + 128;

/** @wide */
function rowsAt(at: usize): Rows {
  return new Rows(v128.load(at), v128.load(at, 16), v128.load(at, 32), v128.load(at, 48));
}

/** Turns the normals of triangles whose backs the shape sees, and closes these if the surface has none. */
function turnToShape(t: Facet, f: FourTriangles): void {
  let behind = f32x4.lt(f.height, zero());
  if (!v128.any_true(behind)) return;
  // On a hilltop the centre of a thin shape is behind the slopes around it: it stays on their fronts, too. Fronts of floors do not
  // count for ceilings.
  const sheet = v128.and(behind, f32x4.gt(f.height, splat(-SHEET * t.size)));
  let fronts = 0;
  for (let lanes = i32x4.bitmask(sheet); lanes != 0; lanes &= lanes - 1) {
    const lane = ctz(lanes);
    const n = get3(FOUR + ((<usize>lane) << 2) + offsetof<FourTriangles>('normalX'));
    if (hasSide(n, SIDE_FRONT, SAME_SIDE)) fronts |= 1 << lane;
  }
  const bits = i32x4(1, 2, 4, 8);
  behind = v128.andnot(behind, i32x4.eq(v128.and(i32x4.splat(fronts), bits), bits));
  if (t.surface.oneSided) {
    exclude(f, behind, zero()); // it may get in front later
    return;
  }
  const sign = v128.and(behind, i32x4.splat(0x80000000));
  f.normalX = v128.xor(f.normalX, sign);
  f.normalY = v128.xor(f.normalY, sign);
  f.normalZ = v128.xor(f.normalZ, sign);
  f.height = v128.xor(f.height, sign);
}

/** Excludes open triangles, with these bounds of their distances. @inline */
function exclude(f: FourTriangles, which: v128, bound: v128): void {
  const now = v128.and(which, f.open);
  f.bound = v128.bitselect(bound, f.bound, now);
  f.open = v128.andnot(f.open, now);
}

/** See reachAlong; `along`: m, motion along the normal. @wide */
function reachW(t: Facet, along: v128): v128 {
  const closing = splat(t.turning) - f32x4.pmin(zero(), along);
  const near = f32x4.pmin(splat(t.still), closing + splat(t.near));
  return f32x4.pmin(splat(t.maxSeparation), f32x4.pmax(closing, near));
}

/** Excludes triangles that a ball cannot reach. @wide */
function ballReaches(t: Facet, f: FourTriangles, radius: v128): void {
  const way = spreadW(t.way);
  const high = f.height - radius;
  exclude(f, f32x4.gt(high, reachW(t, dotW(f.normal, way))), high);
  if (!v128.any_true(f.open)) return;
  findNearest(f);
  const p = f.nearest;
  const distance = f32x4.sqrt(dotW(p, p));
  const separation = distance - radius;
  const d = p * (splat(-1) / distance);
  const within = v128.and(
    f32x4.le(separation, reachW(t, dotW(d, way))),
    f32x4.gt(distance, splat(1e-6) * radius),
  );
  exclude(f, v128.not(v128.or(within, i32x4.eq(f.feature, i32x4.splat(INSIDE)))), separation);
}

/** The points closest to the origin: see nearestOnTriangle. @wide */
function findNearest(f: FourTriangles): void {
  const a = f.v0;
  const b = f.v1;
  const c = f.v2;
  const ab = b - a;
  const ac = c - a;
  const none = zero();
  const d1 = -dotW(ab, a);
  const d2 = -dotW(ac, a);
  const d3 = -dotW(ab, b);
  const d4 = -dotW(ac, b);
  const d5 = -dotW(ab, c);
  const d6 = -dotW(ac, c);
  const n = crossW(ab, ac);
  const wC = dotW(n, crossW(a, b));
  const wA = dotW(n, crossW(b, c));
  const wB = dotW(n, crossW(c, a));
  const e1 = d4 - d3;
  const e2 = d5 - d6;
  // From the last region to the first, which wins.
  const on1 = v128.and(f32x4.le(wA, none), v128.and(f32x4.ge(e1, none), f32x4.ge(e2, none)));
  const on2 = v128.and(f32x4.le(wB, none), v128.and(f32x4.ge(d2, none), f32x4.le(d6, none)));
  const on0 = v128.and(f32x4.le(wC, none), v128.and(f32x4.ge(d1, none), f32x4.le(d3, none)));
  const atC = v128.and(f32x4.ge(d6, none), f32x4.le(d5, d6));
  const atB = v128.and(f32x4.ge(d3, none), f32x4.le(d4, d3));
  const atA = v128.and(f32x4.le(d1, none), f32x4.le(d2, none));
  let p = new Vec3W(none, none, none); // inside of the triangle its plane says all
  let feature = i32x4.splat(INSIDE);
  p = chooseW(b + (c - b) * (e1 / (e1 + e2)), p, on1);
  feature = v128.bitselect(i32x4.splat(1), feature, on1);
  p = chooseW(a + ac * (d2 / (d2 - d6)), p, on2);
  feature = v128.bitselect(i32x4.splat(2), feature, on2);
  p = chooseW(a + ab * (d1 / (d1 - d3)), p, on0);
  feature = v128.bitselect(i32x4.splat(0), feature, on0);
  p = chooseW(c, p, atC);
  feature = v128.bitselect(i32x4.splat(5), feature, atC);
  p = chooseW(b, p, atB);
  feature = v128.bitselect(i32x4.splat(4), feature, atB);
  p = chooseW(a, p, atA);
  feature = v128.bitselect(i32x4.splat(3), feature, atA);
  f.nearest = p;
  f.feature = feature;
}

/** Excludes triangles that a box cannot reach, and finds the faces above which the others are highest. @wide */
function boxReaches(t: Facet, f: FourTriangles, halfExtents: v128, radius: v128): void {
  const way = spreadW(t.way);
  const half = spreadW(halfExtents);
  const n = f.normal;
  const lowest = new Vec3W(
    v128.bitselect(half.x, -half.x, f32x4.le(n.x, zero())),
    v128.bitselect(half.y, -half.y, f32x4.le(n.y, zero())),
    v128.bitselect(half.z, -half.z, f32x4.le(n.z, zero())),
  );
  const high = dotW(n, lowest) + f.height - radius;
  exclude(f, f32x4.gt(high, reachW(t, dotW(n, way))), high);
  f.above = lowestOf(f.v0X, f.v1X, f.v2X) - half.x;
  f.leaving = -way.x;
  f.face = zero();
  aboveFaces(f, 1, -highestOf(f.v0X, f.v1X, f.v2X) - half.x, way.x);
  aboveFaces(f, 2, lowestOf(f.v0Y, f.v1Y, f.v2Y) - half.y, -way.y);
  aboveFaces(f, 3, -highestOf(f.v0Y, f.v1Y, f.v2Y) - half.y, way.y);
  aboveFaces(f, 4, lowestOf(f.v0Z, f.v1Z, f.v2Z) - half.z, -way.z);
  aboveFaces(f, 5, -highestOf(f.v0Z, f.v1Z, f.v2Z) - half.z, way.z);
  const above = f.above - radius;
  const beyond = v128.and(f32x4.gt(above, splat(t.turning)), f32x4.gt(above, reachW(t, f.leaving)));
  exclude(f, beyond, above);
}

/** Notes a face if the triangles are higher above it; `leaving`: m, motion of the box away from there. @inline */
function aboveFaces(f: FourTriangles, face: i32, above: v128, leaving: v128): void {
  const higher = f32x4.gt(above, f.above);
  f.above = v128.bitselect(above, f.above, higher);
  f.leaving = v128.bitselect(leaving, f.leaving, higher);
  f.face = v128.bitselect(i32x4.splat(face), f.face, higher);
}

/** @inline */
function lowestOf(a: v128, b: v128, c: v128): v128 {
  return f32x4.pmin(f32x4.pmin(a, b), c);
}
/** @inline */
function highestOf(a: v128, b: v128, c: v128): v128 {
  return f32x4.pmax(f32x4.pmax(a, b), c);
}
