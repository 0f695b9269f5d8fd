// The impact of two shapes on the rest of their paths. In: a shape of a CCD body, and one that its path may meet. Out: the
// entry's next impact if this one is earlier, or a sensor that is passed. A part of a box, or a triangle of a surface, is
// swept in place of the whole.
import { ccdBodyAt, needsCcd, sweeps } from '../bodies/fast';
import { shouldCollide, userAllows } from '../broadphase/filter';
import { pairSetFind } from '../broadphase/pairSet';
import { letsThrough } from '../contacts/oneWay';
import {
  add,
  addScaled,
  cross,
  dot,
  length,
  lengthSquared,
  neg,
  rotate,
  rotateInverse,
  scale,
  splat,
  sub,
  x,
  y,
  z,
} from '../math/vector';
import {
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  BODY_NO_RESPONSE,
  CCD_CARRIED,
  CCD_CORE,
  CCD_HELD,
  CCD_HIT,
  CCD_IN_THE_WAY,
  CCD_LIMIT,
  CCD_SENSES,
  DISABLE_SIMULATION,
  IMPACT_LIMIT,
  IMPACT_OVERLAP,
  IMPACT_TOUCHING,
  LIST_CONCAVE,
  LIST_SOLVED,
  PAIR_STRUCK,
  PAIR_TOUCHING,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_HULL,
  SHAPE_NO_RESPONSE,
  SHAPE_ONE_WAY,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  SHAPE_TRIANGLE,
} from '../memory/constants';
import { get3 } from '../memory/laneVectors';
import { Body, CcdBody, ContactBlock, Impact, Motion, Pair, PointGeometry, Shape } from '../memory/records';
import { blockAt, bodyAt, pairAt, shapeAt, velocityAt, world } from '../memory/tables';
import { Corners, MovingShapes } from '../memory/values';
import { INSIDE, nearestOnTriangle, nearestPoint } from '../narrowphase/closestOnTriangle';

import { DISTANCE_BYTES, shapeDistance } from '../narrowphase/distance';
import { component, largest, unit } from '../narrowphase/lanes';
import { cornerAt, gathered, gatherTriangles, materialOf, Surface, setSurface } from '../narrowphase/surface';
import { coefficientCount } from '../shapes/coefficients';
import { boxHalfExtents, convexSize } from '../shapes/shape';
import { context } from '../solver/context';
import { isJointed } from '../solver/joints/links';
import {
  CCD_CORE_SHARE,
  CLEAR,
  IMPACT_DISTANCE,
  INFINITE,
  MOST_SINK,
  MOST_SINK_ABSOLUTE,
  MOST_TILT,
  ROUNDING,
  TOUCHING_APPROACH,
} from '../tolerances';
import { contactOffsetOf } from './contactOffset';
import { angularAt, bodyMotion, linearAt, shapeMotion } from './path';
import { Goal, staysApart, timeOfImpact } from './timeOfImpact';

/** Pieces of a path over a mesh or heightfield, each of so many sizes of the shape. They only save time. */
const MOST_PIECES: i32 = 256;
const PATH_PIECE: i32 = 6;

const OWN: usize = memory.data(offsetof<Motion>(), 16); // of the body
const OTHER: usize = memory.data(offsetof<Motion>(), 16);
const OWN_SHAPE: usize = memory.data(offsetof<Motion>(), 16);
const OTHER_SHAPE: usize = memory.data(offsetof<Motion>(), 16);
const IMPACT: usize = memory.data(64, 16);
const BALL: usize = memory.data(offsetof<Shape>(), 16);
const TRIANGLE: usize = memory.data(offsetof<Shape>(), 16);
const POINTS: usize = memory.data(offsetof<PointGeometry>() + 48, 16);
const HERE_A: usize = memory.data(offsetof<Shape>(), 16);
const HERE_B: usize = memory.data(offsetof<Shape>(), 16);
const HERE_T: usize = memory.data(offsetof<Shape>(), 16);
const DISTANCE: usize = memory.data(DISTANCE_BYTES, 16);
const SURFACE: usize = memory.data(offsetof<Surface>(), 16);

export const MARKED: i32 = -1;

// Purpose of a visit of a path.
export const MEET: i32 = 0;
export const SENSE: i32 = 1;
export const MARK: i32 = 2;

export const MOST_SENSED: i32 = 64;

/** Pairs of shape slots, A < B, in ascending order. */
const SENSED: usize = memory.data(8 * 64, 8);
export const SENSED_COUNT: usize = memory.data(4, 4);

export function sensedPair(i: i32): u64 {
  return load<u64>(SENSED + ((<usize>i) << 3));
}

/** A shape of a CCD body, and why its path is visited. @value */
export class Visit {
  e: CcdBody;
  b: Body;
  s: Shape;
  task: i32;
  until: f32;
}

/** Whether the two can collide: filters, joints, the user's filter. */
function mayMeet(s: Shape, o: Shape): bool {
  if (!shouldCollide(s, o)) return false;
  if (!world().pairFilterEnabled) return true;
  const a = min(s.slot, o.slot);
  const b = max(s.slot, o.slot);
  return pairSetFind(a, b) >= 0 || userAllows(a, b);
}

/** Whether the two touch up to fraction `until` of the rest of their motions. */
function touches(s: Shape, o: Shape, until: f32): bool {
  return (
    timeOfImpact(
      new MovingShapes(s, o, changetype<Motion>(OWN_SHAPE), changetype<Motion>(OTHER_SHAPE)),
      new Goal(1, 0),
      changetype<Impact>(IMPACT),
    ) <= until
  );
}

function passes(s: Shape, o: Shape): bool {
  return letsThrough(s, changetype<Motion>(OWN_SHAPE), o, changetype<Motion>(OTHER_SHAPE));
}

export function meet(v: Visit, o: Shape): void {
  const e = v.e;
  const b = v.b;
  const s = v.s;
  const other = bodyAt(o.body);
  const senses =
    ((s.flags | o.flags) & SHAPE_NO_RESPONSE) != 0 || ((b.flags | other.flags) & BODY_NO_RESPONSE) != 0;
  if (v.task == MARK) {
    if (senses) {
      if (!(e.flags & CCD_SENSES) && mayMeet(s, o)) e.flags |= CCD_SENSES;
      return;
    }
    if (other.type != BODY_DYNAMIC || other.activation == DISABLE_SIMULATION || other.ccdIndex != 0) return;
    if (!needsCcd(other, b, context().dt) || !mayMeet(s, o)) return;
    other.ccdIndex = MARKED;
    store<i32>(SENSED_COUNT, 1);
    return;
  }
  const sensors = v.task == SENSE;
  if (senses) {
    if (!sensors) {
      if (!(e.flags & CCD_SENSES) && mayMeet(s, o)) e.flags |= CCD_SENSES;
      return;
    }
  } else if (sensors || !sweepsNow(e, b, other)) {
    return;
  }
  if (e.flags & CCD_CARRIED && carries(other) && !senses) return; // the walls of a drum move as one
  if (!mayMeet(s, o)) return;
  // Both motions start at the later of their starts.
  const otherEntry = other.ccdIndex != 0 ? ccdBodyAt(other.ccdIndex - 1) : changetype<CcdBody>(0);
  const start = other.ccdIndex != 0 ? max(e.time, otherEntry.time) : e.time;
  if (start >= 1) return;
  const own = changetype<Motion>(OWN);
  const others = changetype<Motion>(OTHER);
  bodyMotion(b, start, own);
  bodyMotion(other, start, others);
  shapeMotion(s, b, own, changetype<Motion>(OWN_SHAPE));
  shapeMotion(o, other, others, changetype<Motion>(OTHER_SHAPE));
  if (!sensors && (s.flags | o.flags) & SHAPE_ONE_WAY && passes(s, o)) return;
  const rest = <f32>1 - start;
  const c = meeting();
  const met = new Met(e, b, other, s);
  c.asBullet = 0;
  c.sensing = 0;
  if (senses) {
    const until = (v.until - start) / rest;
    if (until < 0) return;
    if (o.type > SHAPE_PLANE) {
      c.sensing = 1;
      if (meetSurface(met, o, until)) noteSensed(s, o);
    } else if (touches(s, o, until)) noteSensed(s, o);
    return;
  }

  const index = pairSetFind(min(s.slot, o.slot), max(s.slot, o.slot));
  const list = index >= 0 ? pairAt(index).list : 0;
  c.triangle = 0;
  c.held = list == LIST_SOLVED || list == LIST_CONCAVE ? 1 : 0;
  c.asBullet = !world().continuous && b.ccdSweptSphereRadius > 0 ? 1 : 0;
  // Only the solver knows where joints let a body go: of jointed bodies only the inner sphere is swept.
  c.jointed = isJointed(b) || isJointed(other) ? 1 : 0;
  c.ballOnly = c.jointed | c.asBullet;
  c.start = start;
  c.found = INFINITE;
  if (list == LIST_SOLVED && staysOn(pairAt(index), s)) return;
  if (o.type == SHAPE_BOX && staysOff(s, o)) return;
  if (e.flags & CCD_HELD) {
    e.flags &= ~CCD_HELD;
    e.contactOffset = contactOffsetOf(b, e.delta);
  }
  const motion = changetype<Motion>(OWN_SHAPE);
  motion.position = add(motion.position, e.contactOffset);
  if (o.type > SHAPE_PLANE) {
    meetSurface(met, o, 1);
    return;
  }
  const whole = o.type != SHAPE_BOX || moves(others);
  if (whole || cutOut(s, o)) meetConvex(met, whole ? o : changetype<Shape>(HERE_B), o.slot, 1);
}

/**
 * Whether the plane of the contact that the solver holds separates the two all the way, except for their penetration: a
 * body that slides or rolls along a face, or was stopped by it, has not passed it.
 */
function staysOn(pair: Pair, s: Shape): bool {
  const own = pair.shapeA == s.slot;
  const o = shapeAt(own ? pair.shapeB : pair.shapeA);
  if (max(s.type, o.type) >= SHAPE_PLANE) return false;
  const block = changetype<usize>(blockAt(pair.index >> 2)) + ((<usize>(pair.index & 3)) << 2);
  const n = get3(block + offsetof<ContactBlock>('normalX'));
  return staysApart(
    new MovingShapes(s, o, changetype<Motion>(OWN_SHAPE), changetype<Motion>(OTHER_SHAPE)),
    own ? n : neg(n),
    0,
    MOST_SINK_ABSOLUTE,
  );
}

/** Whether the shape stays in front of the face of a box in front of which its centre starts. */
function staysOff(s: Shape, o: Shape): bool {
  const own = changetype<Motion>(OWN_SHAPE);
  const theirs = changetype<Motion>(OTHER_SHAPE);
  const from = rotateInverse(theirs.rotation, sub(own.position, theirs.position));
  const outside = sub(f32x4.abs(from), boxHalfExtents(o));
  const axis = largest(outside);
  if (component(outside, axis) <= 0) return false;
  const face = unit(axis, component(from, axis) < 0 ? 1 : -1);
  return staysApart(
    new MovingShapes(s, o, changetype<Motion>(OWN_SHAPE), changetype<Motion>(OTHER_SHAPE)),
    rotate(theirs.rotation, face),
    CLEAR,
    -INFINITE,
  );
}

/** @inline */
function moves(m: Motion): bool {
  return lengthSquared(m.delta) + lengthSquared(m.turn) > 0;
}

/** Cuts out the part of a stationary box that the path can reach, with its motion. False if there is none. */
function cutOut(s: Shape, o: Shape): bool {
  const own = changetype<Motion>(OWN_SHAPE);
  const theirs = changetype<Motion>(OTHER_SHAPE);
  const turning = min<f32>(<f32>2, length(own.turn)) * length(own.arm);
  const from = rotateInverse(theirs.rotation, sub(own.position, theirs.position));
  const to = add(from, rotateInverse(theirs.rotation, own.delta));
  const part = cutBox(o, from, to, convexSize(s) + turning);
  if (part == 0) return false;
  theirs.position = add(theirs.position, rotate(theirs.rotation, v128.load(MIDDLE)));
  return true;
}

const MIDDLE: usize = memory.data(16, 16);

/**
 * The part of a box within `reach` of the box from `from` to `to`, in the box's frame, as a separate box with its
 * centre in MIDDLE. Distances are more exact for smaller shapes, and floors are large. The part contains the closest
 * points of the box to everything in that range. 0 if there is none.
 */
function cutBox(o: Shape, from: v128, to: v128, reach: f32): usize {
  const room = splat(reach + <f32>0.01);
  const half = boxHalfExtents(o);
  const lo = f32x4.pmax(sub(f32x4.pmin(from, to), room), neg(half));
  const hi = f32x4.pmin(add(f32x4.pmax(from, to), room), half);
  const size = scale(sub(hi, lo), 0.5);
  if (x(size) <= 0 || y(size) <= 0 || z(size) <= 0) return 0;
  const part = changetype<Shape>(HERE_B);
  memory.copy(HERE_B, changetype<usize>(o), offsetof<Shape>());
  part.param0 = x(size);
  part.param1 = y(size);
  part.param2 = z(size);
  v128.store(MIDDLE, scale(add(lo, hi), 0.5));
  return HERE_B;
}

/** The part of the shape that s has hit: a triangle, the near part of a box, or the whole shape. */
export function struckPart(s: Shape, o: Shape, triangle: i32): Shape {
  if (o.type > SHAPE_PLANE) return placedTriangle(o, triangle);
  if (o.type != SHAPE_BOX) return o;
  const p = rotateInverse(o.rotation, sub(s.position, o.position));
  const part = cutBox(o, p, p, convexSize(s));
  if (part == 0) return o;
  const b = changetype<Shape>(part);
  b.position = add(o.position, rotate(o.rotation, v128.load(MIDDLE)));
  return b;
}

/** Material of a triangle if materials have their own coefficients, otherwise −1. */
export function struckMaterial(o: Shape, triangle: i32): i32 {
  if (coefficientCount(o) == 0) return -1;
  const view = changetype<Surface>(SURFACE);
  setSurface(view, o, o.position, o.rotation);
  return materialOf(view, triangle);
}

/** Data of the current pair. @unmanaged */
class Meeting {
  start: f32; // fraction of the step at which both motions start
  held: i32; // the solver has a contact of the pair
  asBullet: i32; // only a sphere of the given radius is swept
  ballOnly: i32;
  sensing: i32; // only whether they touch is of interest
  jointed: i32; // joints move the body in other ways than its velocity says
  triangle: i32; // of the mesh or heightfield against which it is swept
  /**
   * Fraction of the rest of the motions at which the same surface is hit, and a few roundings more. Its later triangles are
   * swept no further. Impacts with other shapes must not shorten a sweep: the last digits of a time depend on where the sweep
   * ends, and the order in which shapes are visited on how the trees have grown, which no snapshot or recording tells.
   */
  found: f32;
}

const MEETING: usize = memory.data(offsetof<Meeting>(), 4);

/** @inline */
function meeting(): Meeting {
  return changetype<Meeting>(MEETING);
}

/** A CCD body, the one that it may hit, and its shape s. @value */
class Met {
  e: CcdBody;
  b: Body;
  other: Body;
  s: Shape;
}

/** Sweeps shape s against a convex shape or plane, which stands for shape `slot`. True if it is hit before `until`. */
function meetConvex(met: Met, t: Shape, slot: i32, until: f32): bool {
  const e = met.e;
  const c = meeting();
  const most = min(until, c.found);
  const b = met.b;
  const other = met.other;
  const s = met.s;
  const impact = changetype<Impact>(IMPACT);
  let flags = 0;
  let at: f32 = 2;
  if (!c.ballOnly) {
    at = timeOfImpact(
      new MovingShapes(s, t, changetype<Motion>(OWN_SHAPE), changetype<Motion>(OTHER_SHAPE)),
      new Goal(most, IMPACT_DISTANCE),
      impact,
    );
    if (at > 1 && holdsCore(b, s)) return false;
    if (at == 0) {
      const collides = impact.state == IMPACT_TOUCHING && !c.held && approaches(e, other, c.start, impact);
      if (!collides) {
        at = sweepClear(b, s, t, most);
        // A body in contact sinks and slides a little: only a return with some speed is a collision.
        if (at <= 1 && c.held && !approaches(e, other, c.start + at * (<f32>1 - c.start), impact)) at = 2;
      }
    }
    if (at <= 1 && impact.state == IMPACT_LIMIT) flags = CCD_LIMIT;
  }
  if (at > 1 || (at == 0 && flags)) {
    // Against a shape that is touched all the way only the inner sphere is swept.
    const ball = changetype<Shape>(BALL);
    ball.type = SHAPE_SPHERE;
    ball.param0 = c.asBullet ? b.ccdSweptSphereRadius : CCD_CORE_SHARE * b.innerRadius;
    const motion = shapeAt(b.firstShape).next == 0 || c.asBullet ? OWN : OWN_SHAPE;
    at = timeOfImpact(
      new MovingShapes(ball, t, changetype<Motion>(motion), changetype<Motion>(OTHER_SHAPE)),
      new Goal(most, 0),
      impact,
    );
    if (at > 1 || impact.state == IMPACT_OVERLAP) return false;
    if (at == 0 && !approaches(e, other, c.start, impact) && !(c.jointed && goesIn(motion, impact)))
      return false;
    flags = CCD_CORE;
  }
  c.found = min(c.found, at + ROUNDING);
  const time = c.start + at * (<f32>1 - c.start);
  if (time > e.next) return true;
  if (time == e.next && (s.slot > e.shape || (s.slot == e.shape && slot >= e.other))) return true;
  e.next = time;
  e.shape = s.slot;
  e.other = slot;
  e.triangle = c.triangle;
  e.normal = impact.normal;
  e.point = impact.point;
  e.flags = (e.flags & ~(CCD_CORE | CCD_LIMIT)) | flags;
  return true;
}

/** Whether the inner sphere is part of the shape, and so hits nothing from which the shape stays away. */
function holdsCore(b: Body, s: Shape): bool {
  if (s.type == SHAPE_HULL) return true;
  if (s.type > SHAPE_CAPSULE && s.type != SHAPE_BOX) return false;
  // With several shapes it is at the origin of each.
  return shapeAt(b.firstShape).next != 0 || lengthSquared(sub(s.localPosition, b.centerOfMass)) == 0;
}

/** Whether the rest of the path goes through the shape that the inner sphere touches at the start. */
function goesIn(motion: usize, impact: Impact): bool {
  const own = changetype<Motion>(motion);
  const theirs = changetype<Motion>(OTHER_SHAPE);
  const way = add(own.delta, cross(own.turn, own.arm));
  const given = add(theirs.delta, cross(theirs.turn, sub(impact.point, sub(theirs.position, theirs.arm))));
  return dot(sub(way, given), impact.normal) > IMPACT_DISTANCE;
}

/**
 * The shapes already touch and do not collide. Sweeps again from a position just clear of contact, to find whether
 * another part of the body comes into contact later. Returns 2 if the penetration is too deep for that.
 */
function sweepClear(b: Body, s: Shape, t: Shape, most: f32): f32 {
  const impact = changetype<Impact>(IMPACT);
  const motion = changetype<Motion>(OWN_SHAPE);
  let n = impact.normal;
  let gap = impact.separation;
  if (impact.state == IMPACT_OVERLAP) {
    memory.copy(HERE_A, changetype<usize>(s), offsetof<Shape>());
    memory.copy(HERE_T, changetype<usize>(t), offsetof<Shape>());
    const a = changetype<Shape>(HERE_A);
    const o = changetype<Shape>(HERE_T);
    a.position = motion.position;
    a.rotation = motion.rotation;
    o.position = changetype<Motion>(OTHER_SHAPE).position;
    o.rotation = changetype<Motion>(OTHER_SHAPE).rotation;
    gap = shapeDistance(a, o, IMPACT_DISTANCE, DISTANCE);
    n = v128.load(DISTANCE);
  }
  if (gap < -(MOST_SINK * b.innerRadius + MOST_SINK_ABSOLUTE)) return 2;
  const here = motion.position;
  motion.position = addScaled(here, n, gap - <f32>2 * IMPACT_DISTANCE);
  const at = timeOfImpact(
    new MovingShapes(s, t, changetype<Motion>(OWN_SHAPE), changetype<Motion>(OTHER_SHAPE)),
    new Goal(most, IMPACT_DISTANCE),
    impact,
  );
  motion.position = here;
  return at == 0 ? 2 : at;
}

/**
 * Sweeps against a mesh or heightfield: the path is split into pieces of a few sizes of the shape, in the order of
 * time, so that a long path reaches the triangles in the right order. True if one of them is hit before `last`.
 */
function meetSurface(met: Met, o: Shape, last: f32): bool {
  const s = met.s;
  const motion = changetype<Motion>(OWN_SHAPE);
  const theirs = changetype<Motion>(OTHER_SHAPE);
  const view = changetype<Surface>(SURFACE);
  // The surface at its pose at the start. If it moves, the box of a piece is enlarged by its motion.
  memory.copy(HERE_B, changetype<usize>(o), offsetof<Shape>());
  const here = changetype<Shape>(HERE_B);
  here.position = theirs.position;
  here.rotation = theirs.rotation;
  setSurface(view, here, theirs.position, theirs.rotation);
  const size = convexSize(s);
  const path = length(motion.delta);
  const away = length(sub(motion.position, theirs.position)) + size + path + length(motion.arm);
  const surfaceMoves = length(theirs.delta) + length(theirs.turn) * (away + <f32>2 * length(theirs.arm));
  const bulge = min<f32>(<f32>2, length(motion.turn)) * length(motion.arm);
  const reach = splat(size + o.margin + <f32>2 * IMPACT_DISTANCE + bulge + surfaceMoves);
  const pieces = max<i32>(1, min<i32>(MOST_PIECES, <i32>(path / (<f32>PATH_PIECE * size))));
  const from = rotateInverse(theirs.rotation, sub(motion.position, theirs.position));
  const way = rotateInverse(theirs.rotation, motion.delta);
  const share = <f32>1 / <f32>pieces;
  for (let k = 0; k < pieces; k++) {
    const p = addScaled(from, way, <f32>k * share);
    const q = addScaled(from, way, <f32>(k + 1) * share);
    const until = k == pieces - 1 ? last : min(last, <f32>(k + 1) * share);
    const end = gatherTriangles(view, sub(f32x4.pmin(p, q), reach), add(f32x4.pmax(p, q), reach), 0);
    let hit = false;
    for (let i = 0; i < end; i++) if (meetTriangle(met, o, gathered(i), until)) hit = true;
    if (hit) return true;
  }
  return false;
}

function meetTriangle(met: Met, o: Shape, triangle: i32, until: f32): bool {
  const view = changetype<Surface>(SURFACE);
  const v0 = cornerAt(view, triangle, 0);
  const v1 = cornerAt(view, triangle, 1);
  const v2 = cornerAt(view, triangle, 2);
  const theirs = changetype<Motion>(OTHER_SHAPE);
  if (view.oneSided) {
    // A shape that comes from behind passes.
    const motion = changetype<Motion>(OWN_SHAPE);
    const front = scale(cross(sub(v1, v0), sub(v2, v0)), view.mirror);
    const p = rotateInverse(theirs.rotation, sub(motion.position, theirs.position));
    if (dot(front, sub(p, v0)) < 0) return false;
  }
  const corners = new Corners(v0, v1, v2);
  const t = setTriangle(corners, o.margin);
  if (staysOffTriangle(met.s, t, corners)) return false;
  meeting().triangle = triangle;
  if (meeting().sensing) return touches(met.s, t, until);
  return meetConvex(met, t, o.slot, until);
}

/**
 * Whether one of two directions proves that the shape stays off the triangle, whose corners are in the frame of its
 * surface: the direction to the point closest to the middle of the path, and the normal of its plane. This holds for
 * most triangles near a path.
 */
function staysOffTriangle(s: Shape, t: Shape, corners: Corners): bool {
  if (meeting().asBullet) return false; // its radius differs from that of the shape
  const motion = changetype<Motion>(OWN_SHAPE);
  const theirs = changetype<Motion>(OTHER_SHAPE);
  const p = rotateInverse(theirs.rotation, sub(motion.position, theirs.position));
  const normal = cross(sub(corners.b, corners.a), sub(corners.c, corners.a));
  if (!(lengthSquared(normal) > 0)) return false;
  const half = rotateInverse(theirs.rotation, scale(sub(motion.delta, theirs.delta), 0.5));
  const middle = add(p, half);
  const where = nearestOnTriangle(sub(corners.a, middle), sub(corners.b, middle), sub(corners.c, middle));
  if (where != INSIDE && staysOffAlong(s, t, nearestPoint(), -INFINITE)) return true;
  // What came through a one-sided surface from behind, and leaves its front, passes the edges of the triangles beside it: if
  // it hits an edge from the front, it approaches the front of the neighbour.
  const sink: f32 = changetype<Surface>(SURFACE).oneSided ? 0 : -INFINITE;
  return staysOffAlong(s, t, dot(normal, sub(p, corners.a)) < 0 ? normal : neg(normal), sink);
}

/** Whether the given direction, of any length, proves it, or that the shape sinks in by no more than `sink`. */
function staysOffAlong(s: Shape, t: Shape, direction: v128, sink: f32): bool {
  const l2 = lengthSquared(direction);
  if (!(l2 > 0)) return false;
  const n = rotate(changetype<Motion>(OTHER_SHAPE).rotation, scale(direction, <f32>1 / sqrt<f32>(l2)));
  const least = CLEAR + ROUNDING * (convexSize(s) + convexSize(t));
  return staysApart(
    new MovingShapes(s, t, changetype<Motion>(OWN_SHAPE), changetype<Motion>(OTHER_SHAPE)),
    n,
    least,
    sink,
  );
}

/** A triangle as a separate convex shape, in the frame of its surface. */
function setTriangle(corners: Corners, margin: f32): Shape {
  const points = changetype<PointGeometry>(POINTS);
  points.count = 3;
  points.least = 0;
  points.radius = sqrt<f32>(
    max(lengthSquared(corners.a), max(lengthSquared(corners.b), lengthSquared(corners.c))),
  );
  v128.store(POINTS + offsetof<PointGeometry>(), f32x4.replace_lane(corners.a, 3, 0));
  v128.store(POINTS + offsetof<PointGeometry>() + 16, f32x4.replace_lane(corners.b, 3, 0));
  v128.store(POINTS + offsetof<PointGeometry>() + 32, f32x4.replace_lane(corners.c, 3, 0));
  const t = changetype<Shape>(TRIANGLE);
  t.type = SHAPE_TRIANGLE;
  t.geometry = <u32>POINTS;
  t.margin = margin;
  return t;
}

/** Triangle `triangle` of the surface o, at the current pose of o. */
function placedTriangle(o: Shape, triangle: i32): Shape {
  const view = changetype<Surface>(SURFACE);
  setSurface(view, o, o.position, o.rotation);
  const corners = new Corners(
    cornerAt(view, triangle, 0),
    cornerAt(view, triangle, 1),
    cornerAt(view, triangle, 2),
  );
  const t = setTriangle(corners, o.margin);
  t.position = o.position;
  t.rotation = o.rotation;
  return t;
}

/** Whether the body moves, and takes along what it has hit too often. */
export function carries(b: Body): bool {
  if (b.type != BODY_KINEMATIC) return false;
  const v = velocityAt(b.slot);
  const turning = lengthSquared(v.deltaRotation);
  return lengthSquared(v.deltaPosition) + turning > 0 && turning < MOST_TILT * MOST_TILT;
}

/** A body that is swept only because a kinematic body can hit it is swept against that alone, until it was hit. */
function sweepsNow(e: CcdBody, b: Body, other: Body): bool {
  if (b.type != BODY_DYNAMIC) return false; // dynamic bodies in its way are swept instead
  if ((e.flags & (CCD_IN_THE_WAY | CCD_HIT)) == CCD_IN_THE_WAY)
    return other.type == BODY_KINEMATIC && other.ccdIndex != 0 && needsCcd(b, other, context().dt);
  if (!sweeps(b, other)) return false;
  // Bodies that move together with a kinematic body cannot pass it unless an impact changes their path.
  return other.type != BODY_KINEMATIC || (e.flags & CCD_HIT) != 0 || needsCcd(b, other, context().dt);
}

/** Whether the bodies approach at the contact point faster than resting bodies do. */
function approaches(e: CcdBody, other: Body, time: f32, impact: Impact): bool {
  const b = bodyAt(e.slot);
  const vA = velocityOf(b, time, impact.point);
  const vB = velocityOf(other, time, impact.point);
  return dot(sub(vA, vB), impact.normal) > TOUCHING_APPROACH;
}

const PLACE: usize = memory.data(offsetof<Motion>(), 16);

function velocityOf(b: Body, time: f32, point: v128): v128 {
  const m = changetype<Motion>(PLACE);
  bodyMotion(b, time, m);
  return add(linearAt(b, time), cross(angularAt(b), sub(point, m.position)));
}

function noteSensed(s: Shape, o: Shape): void {
  const a = min(s.slot, o.slot);
  const b = max(s.slot, o.slot);
  const index = pairSetFind(a, b);
  if (index >= 0 && pairAt(index).flags & (PAIR_TOUCHING | PAIR_STRUCK)) return;
  const key = ((<u64>a) << 32) | <u64>b;
  let n = load<i32>(SENSED_COUNT);
  // The lowest stay, in whatever order the trees are visited. The caller repeats the search for the rest.
  if (n == MOST_SENSED && sensedPair(--n) <= key) return;
  let i = n;
  while (i > 0 && sensedPair(i - 1) > key) {
    store<u64>(SENSED + ((<usize>i) << 3), sensedPair(i - 1));
    i--;
  }
  store<u64>(SENSED + ((<usize>i) << 3), key);
  store<i32>(SENSED_COUNT, n + 1);
}
