// A wheel that moves down its suspension until it touches something. In: the wheel at the top of its travel, the way.
// Out: how far it comes, and where it touches, in Landing.
//
// Meshes, heightfields and planes are solved in closed form, exactly, so that no iteration is needed. The axle of a wheel
// is at right angles to its suspension. A cylinder therefore meets a triangle exactly if its disc, seen along the axle,
// meets the part of the triangle between its two sides. That part is a convex polygon of up to five corners. The height
// at which a disc of radius R rests on a point (f, u) of the polygon is u + √(R² − f²). It is concave, so that the
// highest one lies on an edge: where the edge is a tangent of the disc, or at its end. Everything else (boxes, hulls, …)
// is swept by the core.

import { cos, sin } from '../math/elementary';
import {
  abs3,
  add,
  addScaled,
  cross,
  dot,
  mulQuat,
  neg,
  normalizeOr,
  rotate,
  scale,
  splat,
  sub,
  vec3,
  x,
  y,
  z,
} from '../math/vector';
import { ASK_NO_SENSORS, SHAPE_PLANE, WHEEL_CYLINDER } from '../memory/constants';
import { Shape, ShapeQuery, Wheel } from '../memory/records';
import { shapeAt, wordAt, world } from '../memory/tables';
import { Corners, Filter, Point } from '../memory/values';
import {
  cornerAt,
  gathered,
  gatherTriangles,
  materialOf,
  SURFACE_SIZE,
  Surface,
  setSurface,
} from '../narrowphase/surface';
import { coefficientsOf } from '../shapes/coefficients';
import { shapeAxisY } from '../shapes/shape';
import { ROUNDING } from '../tolerances';
import { PARALLEL_TO_RIM, STEEPEST, TREAD } from './tolerances';
import { chassisWork, WheelWork } from './work';

/** @external core overlapAabb */
declare function overlapAabb(min: Point, max: Point, filter: Filter): i32;

/** Where a wheel rests. @unmanaged */
export class Landing {
  normal: v128; // unit, out of the ground
  point: v128; // m, world
  height: f32; // m, of the wheel's centre above the start, at most 0
  shape: i32; // slot; 0: nothing was met
  friction: f32; // of the ground
}

/**
 * Tags of points: the number of the triangle's edge on which a corner of the polygon lies; CORNER minus the number of a
 * corner of the triangle, and CORNER for any point on its edges; FACE inside of the triangle, on a side of the wheel.
 */
const CORNER: f32 = -1;
const FACE: f32 = 3;

const LANDING: usize = memory.data(offsetof<Landing>(), 16);
const VIEW: usize = memory.data(<i32>SURFACE_SIZE, 16);
/** Corners of the polygon: along the axle, up, forwards, tag; and of the polygon that is cut. */
const POLYGON: usize = memory.data(16 * 8, 16);
const CUT: usize = memory.data(16 * 8, 16);
const TRIANGLE: usize = memory.data(16 * 3, 16);
/** Where the disc is highest on the polygon: the point with its tag, the corners of its edge. */
const TOP: usize = memory.data(48, 16);

/** @inline */
export function landing(): Landing {
  return changetype<Landing>(LANDING);
}
/** @inline */
function at(list: usize, i: i32): v128 {
  return v128.load(list + ((<usize>i) << 4));
}
/** @inline */
function tagOf(p: v128): f32 {
  return f32x4.extract_lane(p, 3);
}

/** m. The way of a wheel's centre: straight down from a place. @value */
export class Drop {
  from: v128;
  length: f32;
}

/** A query with the filter of a wheel, and with room for a list of `room` shapes. @value */
export class Found {
  query: ShapeQuery;
  room: i32;
}

/**
 * Moves a wheel down.
 * Shapes that are neither planes nor surfaces are written to that list; returns their number, or −1 if they are more.
 */
export function landWheel(w: Wheel, k: WheelWork, drop: Drop, list: Found): i32 {
  const from = drop.from;
  const length = drop.length;
  const query = list.query;
  const room = list.room;
  const c = chassisWork();
  const l = landing();
  l.shape = 0;
  l.height = -length;
  const half = <f32>0.5 * w.width;
  const across = w.cast == WHEEL_CYLINDER ? half : w.radius;
  const box = f32x4.add(
    boxOf(k.side, half, w.radius, w.cast == WHEEL_CYLINDER),
    scale(abs3(c.up), <f32>0.5 * length),
  );
  const middle = addScaled(from, c.up, <f32>-0.5 * length);
  const lo = sub(middle, box);
  const hi = add(middle, box);
  const count = overlapAabb(
    new Point(x(lo), y(lo), z(lo)),
    new Point(x(hi), y(hi), z(hi)),
    new Filter(query.group, query.mask, query.skip, ASK_NO_SENSORS),
  );
  const q = wheelRotation(w);
  let others = 0;
  for (let i = 0; i < count; i++) {
    const s = shapeAt(wordAt(world().queryOutput, i));
    if (s.type == SHAPE_PLANE) landOnPlane(w, k, from, s);
    else if (s.type > SHAPE_PLANE && s.margin == 0) landOnSurface(w, drop, new Cross(q, across), s);
    else if (others == room) return -1;
    else store<i32>(changetype<usize>(query) + offsetof<ShapeQuery>() + ((<usize>++others) << 2), s.slot);
  }
  return others;
}

/** Half the size of the wheel's box. */
function boxOf(axle: v128, half: f32, radius: f32, isCylinder: bool): v128 {
  if (!isCylinder) return vec3(radius, radius, radius);
  const square = f32x4.sub(splat(1), f32x4.mul(axle, axle));
  const round = f32x4.sqrt(f32x4.pmax(splat(0), square));
  return add(scale(abs3(axle), half), scale(round, radius));
}

/** Turns x to the axle, y up and z forwards. */
function wheelRotation(w: Wheel): v128 {
  const q = chassisWork().rotation;
  if (w.steerAngle == 0) return q;
  const angle = <f64>0.5 * <f64>w.steerAngle;
  return mulQuat(q, f32x4(0, <f32>sin(angle), 0, <f32>cos(angle)));
}

/** Where a wheel rests: height of its centre above the start, and the contact. @value */
class Resting {
  height: f32;
  normal: v128;
  point: v128;
}

/** Takes a place if it is higher than what was found, or as high and of a shape with a lower slot. */
function take(place: Resting, s: Shape, friction: f32): void {
  const l = landing();
  l.height = place.height;
  l.normal = place.normal;
  l.point = place.point;
  l.shape = s.slot;
  l.friction = friction;
}

/** @inline */
function isHigher(height: f32): bool {
  const l = landing();
  return height > l.height || (l.shape == 0 && height == l.height);
}

function landOnPlane(w: Wheel, k: WheelWork, from: v128, s: Shape): void {
  const up = shapeAxisY(s);
  const lean = dot(up, chassisWork().up);
  if (lean < STEEPEST) return;
  const along = dot(up, k.side);
  let reach = w.radius;
  let lowest = scale(up, -w.radius);
  if (w.cast == WHEEL_CYLINDER) {
    const half = <f32>0.5 * w.width;
    const side = along > 0 ? -half : half;
    const down = normalizeOr(addScaled(up, k.side, -along), chassisWork().up);
    lowest = addScaled(scale(k.side, side), down, -w.radius);
    reach = -dot(lowest, up);
  }
  const gap = dot(up, sub(from, s.position)) - reach - s.margin;
  const height = min<f32>(0, -gap / lean);
  if (!isHigher(height)) return;
  const point = addScaled(add(from, lowest), chassisWork().up, height);
  take(new Resting(height, up, point), s, s.friction);
}

/** Rotation of a wheel, and half of its width, m. @value */
class Cross {
  rotation: v128;
  across: f32;
}

/** A mesh or heightfield, seen from the wheel. */
function landOnSurface(w: Wheel, drop: Drop, wheel: Cross, s: Shape): void {
  const from = drop.from;
  const length = drop.length;
  const q = wheel.rotation;
  const across = wheel.across;
  const view = changetype<Surface>(VIEW);
  setSurface(view, s, from, q);
  // The box of the way, in the surface's frame.
  const upwards = vec3(y(view.axisX), y(view.axisY), y(view.axisZ));
  const sideways = vec3(x(view.axisX), x(view.axisY), x(view.axisZ));
  const forwards = vec3(z(view.axisX), z(view.axisY), z(view.axisZ));
  const size = add(
    scale(abs3(upwards), w.radius + <f32>0.5 * length),
    add(scale(abs3(sideways), across), scale(abs3(forwards), w.radius)),
  );
  const middle = addScaled(view.origin, upwards, <f32>-0.5 * length);
  const end = gatherTriangles(view, sub(middle, size), add(middle, size), 0);
  for (let i = 0; i < end; i++) {
    const t = gathered(i);
    const a = cornerAt(view, t, 0);
    const b = cornerAt(view, t, 1);
    const c = cornerAt(view, t, 2);
    const hi = f32x4.pmax(f32x4.pmax(a, b), c);
    const lo = f32x4.pmin(f32x4.pmin(a, b), c);
    if (y(hi) + w.radius < landing().height || y(lo) > w.radius) continue;
    if (x(hi) < -across || x(lo) > across || z(hi) < -w.radius || z(lo) > w.radius) continue;
    const front = scale(cross(sub(b, a), sub(c, a)), view.mirror);
    if (view.oneSided != 0 && dot(front, a) > 0) continue;
    const normal = normalizeOr(front, vec3(0, 1, 0));
    const corners = new Corners(a, b, c);
    const found =
      w.cast == WHEEL_CYLINDER ? landDisc(corners, normal, w) : landBall(corners, normal, w.radius);
    if (!found) continue;
    const own = coefficientsOf(s, materialOf(view, t));
    const friction = own == 0 || load<f32>(own) < 0 ? s.friction : load<f32>(own);
    const l = landing();
    take(new Resting(l.height, rotate(q, l.normal), add(from, rotate(q, l.point))), s, friction);
  }
}

// --- a disc on a triangle, in the wheel's frame: x along the axle, y up, z forwards ---

/** Address of its corners, and their number. @value */
class Polygon {
  corners: usize;
  count: i32;
}

/** Keeps the part of the polygon where sign · x ≤ half. Returns the number of its corners. */
function cut(polygon: Polygon, to: usize, sign: f32, half: f32): i32 {
  const from = polygon.corners;
  const count = polygon.count;
  let kept = 0;
  let p = at(from, count - 1);
  let inP = sign * x(p) - half;
  for (let i = 0; i < count; i++) {
    const r = at(from, i);
    const inR = sign * x(r) - half;
    if (inP > 0 != inR > 0 && inP != 0 && inR != 0) {
      const share = inP / (inP - inR);
      const crossing = f32x4.add(p, f32x4.mul(f32x4.sub(r, p), splat(share)));
      const corner = f32x4.replace_lane(f32x4.replace_lane(crossing, 0, sign * half), 3, edgeOf(p, r));
      v128.store(to + ((<usize>kept) << 4), corner);
      kept++;
    }
    if (inR <= 0) {
      v128.store(to + ((<usize>kept) << 4), r);
      kept++;
    }
    p = r;
    inP = inR;
  }
  return kept;
}

/** Tag of a point between p and r: the triangle's edge on which both lie. */
function edgeOf(p: v128, r: v128): f32 {
  const a = tagOf(p);
  const b = tagOf(r);
  if (a >= 0) return a;
  if (b >= 0) return b;
  const i = <i32>(CORNER - a);
  return <i32>(CORNER - b) == (i + 1) % 3 ? <f32>i : <f32>((i + 2) % 3);
}

/** Whether the disc rests on the triangle higher than so far; where is in Landing. */
function landDisc(corners: Corners, normal: v128, w: Wheel): bool {
  const half = <f32>0.5 * w.width;
  v128.store(TRIANGLE, f32x4.replace_lane(corners.a, 3, CORNER));
  v128.store(TRIANGLE, f32x4.replace_lane(corners.b, 3, CORNER - 1), 16);
  v128.store(TRIANGLE, f32x4.replace_lane(corners.c, 3, CORNER - 2), 32);
  const some = cut(new Polygon(TRIANGLE, 3), CUT, 1, half);
  if (some == 0) return false;
  const count = cut(new Polygon(CUT, some), POLYGON, -1, half);
  if (count == 0) return false;
  let height = highest(count, w.radius, 1);
  if (!isHigher(height)) return false;
  const l = landing();
  const up = y(normal) < 0 ? neg(normal) : normal;
  const top = v128.load(TOP);
  let out: v128;
  if (height > 0) {
    // It rests above the start: either it overlaps the triangle there, or that lies above all of it.
    if (-highest(count, w.radius, -1) > 0) return false;
    if (y(up) < STEEPEST || (y(normal) < 0 && y(top) > 0)) return false;
    if (!isHigher(0)) return false;
    height = 0;
    out = up;
  } else {
    out = discNormal(top, up, w.radius);
    if (y(out) < STEEPEST) return false;
  }
  l.height = height;
  l.normal = out;
  l.point = f32x4.replace_lane(top, 3, 0);
  return true;
}

/** The greatest height of a disc of this radius on the polygon; `way` −1: minus the least one under it. */
function highest(count: i32, radius: f32, way: f32): f32 {
  let best: f32 = f32.NEGATIVE_INFINITY;
  let p = at(POLYGON, count - 1);
  for (let i = 0; i < count; i++) {
    const r = at(POLYGON, i);
    best = max<f32>(best, onEdge(new Edge(p, r), radius, way, best));
    p = r;
  }
  return best;
}

/** @value */
class Edge {
  p: v128;
  r: v128;
}

/** The same on one edge. What is higher than `best` is kept in TOP. */
function onEdge(edge: Edge, radius: f32, way: f32, best: f32): f32 {
  const p = edge.p;
  const r = edge.r;
  const reach = TREAD * radius;
  const df = z(r) - z(p);
  const from = max<f32>(min<f32>(z(p), z(r)), -reach);
  const to = min<f32>(max<f32>(z(p), z(r)), reach);
  if (from > to) return best;
  const uP = way * y(p);
  const uR = way * y(r);
  let share: f32;
  if (abs<f32>(df) < ROUNDING * radius) share = uP >= uR ? 0 : 1;
  else {
    // Where the edge is a tangent of the disc.
    const slope = (uR - uP) / df;
    const place = (radius * slope) / sqrt<f32>(<f32>1 + slope * slope);
    share = max<f32>(0, min<f32>(1, (max<f32>(from, min<f32>(to, place)) - z(p)) / df));
  }
  const f = max<f32>(from, min<f32>(to, z(p) + share * df));
  const height = uP + share * (uR - uP) + sqrt<f32>(max<f32>(0, radius * radius - f * f));
  if (!(height > best)) return best;
  const point = f32x4.add(p, f32x4.mul(f32x4.sub(r, p), splat(share)));
  v128.store(
    TOP,
    f32x4.replace_lane(point, 3, share == 0 ? tagOf(p) : share == 1 ? tagOf(r) : edgeTag(p, r)),
  );
  return height;
}

/** Tag of a place between two corners of the polygon. */
function edgeTag(p: v128, r: v128): f32 {
  return tagOf(p) >= 0 && tagOf(r) >= 0 && x(p) == x(r) ? FACE : CORNER;
}

/** Normal of the contact of the disc at a point: of the tread at edges and corners, else of the face. */
function discNormal(top: v128, face: v128, radius: f32): v128 {
  const tag = tagOf(top);
  if (tag == FACE) return face;
  const f = z(top);
  const tread = scale(vec3(0, sqrt<f32>(max<f32>(0, radius * radius - f * f)), -f), <f32>1 / radius);
  if (tag < 0) return tread;
  // The rim meets an edge of the triangle: at right angles to both.
  const i = <i32>tag;
  const edge = normalizeOr(
    f32x4.replace_lane(f32x4.sub(at(TRIANGLE, (i + 1) % 3), at(TRIANGLE, i)), 3, 0),
    vec3(1, 0, 0),
  );
  const n = cross(edge, vec3(0, z(tread), -y(tread)));
  if (dot(n, n) < PARALLEL_TO_RIM * PARALLEL_TO_RIM) return face;
  const unit = normalizeOr(n, face);
  return y(unit) < 0 ? neg(unit) : unit;
}

// --- a ball on a triangle ---

/** Whether the ball rests on the triangle higher than so far; where is in Landing. */
function landBall(corners: Corners, normal: v128, radius: f32): bool {
  const up = y(normal) < 0 ? neg(normal) : normal;
  const height = ballHeight(corners, up, radius);
  if (!isHigher(height)) return false;
  const l = landing();
  const point = f32x4.replace_lane(v128.load(TOP), 3, 0);
  let out = normalizeOr(sub(vec3(0, height, 0), point), up);
  if (height > 0) {
    // As for a disc.
    const under = f32x4(1, -1, 1, 1);
    if (
      -ballHeight(
        new Corners(f32x4.mul(corners.a, under), f32x4.mul(corners.b, under), f32x4.mul(corners.c, under)),
        neg(f32x4.mul(up, under)),
        radius,
      ) > 0
    )
      return false;
    if (y(normal) < 0 && y(point) > 0) return false;
    if (!isHigher(0)) return false;
    out = up;
  }
  if (y(out) < STEEPEST) return false;
  l.height = min<f32>(height, 0);
  l.normal = out;
  l.point = point;
  return true;
}

/** The greatest height of the centre of a ball on a triangle; −∞ for none. TOP is where it touches. */
function ballHeight(corners: Corners, up: v128, radius: f32): f32 {
  const a = corners.a;
  const b = corners.b;
  const c = corners.c;
  if (y(up) >= STEEPEST) {
    // Its centre is a radius above the plane.
    const height = (radius + dot(up, a)) / y(up);
    const foot = addScaled(vec3(0, height, 0), up, -radius);
    if (isWithin(foot, corners, up)) {
      v128.store(TOP, foot);
      return height;
    }
  }
  const best = ballOnEdge(b, c, radius, ballOnEdge(a, b, radius, f32.NEGATIVE_INFINITY));
  return ballOnEdge(c, a, radius, best);
}

/** The same on an edge: as a disc of the radius that the ball has above its line. What is higher than `best` is kept. */
function ballOnEdge(p: v128, r: v128, radius: f32, best: f32): f32 {
  const d = sub(r, p);
  const run = sqrt<f32>(x(d) * x(d) + z(d) * z(d));
  let share: f32 = y(d) > 0 ? 1 : 0;
  if (run > ROUNDING * radius) {
    const nearest = -(x(p) * x(d) + z(p) * z(d)) / run; // along the line from p
    const aside = (x(p) * z(d) - z(p) * x(d)) / run;
    const disc = radius * radius - aside * aside;
    if (!(disc > 0)) return best;
    const slope = y(d) / run;
    const place = nearest + (sqrt<f32>(disc) * slope) / sqrt<f32>(<f32>1 + slope * slope);
    share = max<f32>(0, min<f32>(1, place / run));
  }
  const point = addScaled(p, d, share);
  const square = radius * radius - x(point) * x(point) - z(point) * z(point);
  if (!(square >= 0)) return best;
  const height = y(point) + sqrt<f32>(square);
  if (!(height > best)) return best;
  v128.store(TOP, point);
  return height;
}

/** Whether a point of a triangle's plane lies in it. */
function isWithin(p: v128, corners: Corners, normal: v128): bool {
  const a = corners.a;
  const b = corners.b;
  const c = corners.c;
  const ab = dot(cross(sub(b, a), sub(p, a)), normal);
  const bc = dot(cross(sub(c, b), sub(p, b)), normal);
  const ca = dot(cross(sub(a, c), sub(p, c)), normal);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}
