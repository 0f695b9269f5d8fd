// Bodies that move too far in a step for discrete contacts (CCD bodies). In: sizes, thresholds, the motion of a step.
// Out: Body.innerRadius and fastMotion, and the table of CCD bodies with the start of their paths.

import { PI } from '../math/constants';
import {
  add,
  conjugate,
  cross,
  dot,
  length,
  lengthSquared,
  mulQuat,
  neg,
  rotateInverse,
  scale,
  sub,
  w,
  zero,
} from '../math/vector';
import { BODY_DYNAMIC, BODY_STATIC, SHAPE_NO_RESPONSE, SHAPE_PLANE } from '../memory/constants';
import { Body, BodyVelocity, CcdBody, Shape, World } from '../memory/records';
import { growTable, shapeAt, velocityAt, world } from '../memory/tables';
import { innerRadius } from '../shapes/aabb';
import { CCD_ROUNDED, CCD_SAFE_SHARE, CCD_SLOW, INFINITE } from '../tolerances';

const CCD_BODY_SIZE: usize = offsetof<CcdBody>();

/** @inline */
export function ccdBodyAt(index: i32): CcdBody {
  return changetype<CcdBody>(<usize>world().ccdBodies + <usize>index * CCD_BODY_SIZE);
}

/** Whether the body is also swept against dynamic bodies: Bullet's motion threshold is set. @inline */
export function sweepsAll(b: Body): bool {
  return b.ccdMotionThreshold > 0;
}

/** Whether the motion of a is swept against b. @inline */
export function sweeps(a: Body, b: Body): bool {
  if (a.type != BODY_DYNAMIC) return b.type == BODY_DYNAMIC;
  return b.type != BODY_DYNAMIC || sweepsAll(a) || sweepsAll(b);
}

/** A body with its displacement and rotation in a step. @value */
class Carried {
  body: Body;
  delta: v128;
  turn: v128;
}

/**
 * m. Bound on the motion of a dynamic body relative to the material of a kinematic one, in a step with the given
 * displacements and rotations. A body that is carried, or rotates with a drum, has no relative motion, however fast
 * both are.
 */
function wayAgainst(dynamic: Carried, k: Carried): f32 {
  const b = dynamic.body;
  const r = sub(b.position, k.body.position);
  const carried = add(k.delta, cross(k.turn, r));
  // The carried point moves on an arc.
  const bend = <f32>0.5 * lengthSquared(k.turn) * (length(r) + b.boundingRadius);
  return length(sub(dynamic.delta, carried)) + length(sub(dynamic.turn, k.turn)) * b.boundingRadius + bend;
}

/** m. Relative motion in a step above which a dynamic and a kinematic body are swept. @inline */
function mostAgainst(b: Body, k: Body): f32 {
  return world().continuous ? b.fastMotion : min(b.fastMotion, k.fastMotion);
}

/** Whether a dynamic and a kinematic body must be swept against each other, by their expected motion. */
export function willNeedCcd(b: Body, k: Body, dt: f32): bool {
  const v = velocityAt(b.slot);
  const u = velocityAt(k.slot);
  const delta = scale(v.linear, dt);
  const turn = scale(v.angular, dt);
  return (
    wayAgainst(new Carried(b, delta, turn), new Carried(k, scale(u.linear, dt), scale(u.angular, dt))) >
    mostAgainst(b, k)
  );
}

/** The same after the motion: by the expected and by the actual motion. Velocities of `b` are those at its start. */
export function needsCcd(b: Body, k: Body, dt: f32): bool {
  const v = velocityAt(b.slot);
  const u = velocityAt(k.slot);
  const most = CCD_ROUNDED * mostAgainst(b, k);
  const carrier = new Carried(k, u.deltaPosition, u.deltaRotation);
  const start = scale(v.startLinear, dt);
  const startTurn = scale(v.startAngular, dt);
  return (
    wayAgainst(new Carried(b, v.deltaPosition, v.deltaRotation), carrier) > most ||
    wayAgainst(new Carried(b, start, startTurn), carrier) > most
  );
}

/** Whether a shape at the end of its body's list matters to these: not if others follow a solid one, and it is no thinner. */
export function changesFastMotion(b: Body, s: Shape): bool {
  const first = shapeAt(b.firstShape);
  if (first.next == s.slot || first.next == 0 || first.type >= SHAPE_PLANE || first.flags & SHAPE_NO_RESPONSE)
    return true;
  return s.type < SHAPE_PLANE && innerRadius(s, zero()) < b.innerRadius;
}

/** Runs after changes of shapes, thresholds or settings. */
export function updateFastMotion(b: Body): void {
  let inner: f32 = INFINITE;
  let sensing: f32 = INFINITE;
  let slot = b.firstShape;
  const single = slot != 0 && shapeAt(slot).next == 0;
  while (slot != 0) {
    const s = shapeAt(slot);
    if (s.type < SHAPE_PLANE) {
      // For a body with one shape, if it is a hull, about the centre of mass.
      const c = single ? rotateInverse(s.localRotation, sub(b.centerOfMass, s.localPosition)) : zero();
      const radius = innerRadius(s, c);
      if (s.flags & SHAPE_NO_RESPONSE) sensing = min(sensing, radius);
      else inner = min(inner, radius);
    }
    slot = s.next;
  }
  // A body of sensors alone is swept for what it flies through.
  if (inner == INFINITE) inner = sensing;
  b.innerRadius = inner == INFINITE ? 0 : inner;
  const threshold = sweepsAll(b) ? b.ccdMotionThreshold : INFINITE;
  b.fastMotion =
    b.type == BODY_STATIC || inner == INFINITE
      ? INFINITE
      : world().continuous
        ? min(threshold, max(CCD_SLOW, CCD_SAFE_SHARE * inner))
        : threshold;
}

/** The rotation vector of a unit quaternion with w ≥ 0: 2·asin|u|·û, by halving and series. */
export function rotationVector(q: v128): v128 {
  // Halve the angle until the series 2·asin(u) = 2u(1 + u²/6 + 3u⁴/40 + 15u⁶/336) is exact in f32.
  let halvings = 0;
  let u = f32x4.replace_lane(q, 3, 0);
  let c = w(q);
  while (dot(u, u) > <f32>0.01 && halvings < 6) {
    // Half of the rotation: c' = √((1 + c)/2), u' = u/(2c').
    c = sqrt<f32>((<f32>1 + c) * <f32>0.5);
    u = scale(u, <f32>0.5 / c);
    halvings++;
  }
  const s = dot(u, u);
  const factor = <f32>2 * (<f32>1 + s * (<f32>0.16666667 + s * (<f32>0.075 + s * <f32>0.044642857)));
  return scale(u, factor * <f32>(1 << halvings));
}

/** The rotation vector from one rotation to another that is closest to the vector `near`, of any length. */
function turnBetween(from: v128, to: v128, near: v128): v128 {
  let d = mulQuat(to, conjugate(from));
  if (w(d) < 0) d = neg(d);
  const r = rotationVector(d);
  const angle = length(r);
  const about = length(near);
  if (about <= PI || angle < <f32>1e-6) return about > PI ? near : r;
  // More than half a turn: add the full turns that the quaternion does not show.
  const along = dot(near, r) / angle;
  const turns = nearest<f32>((along - angle) / (<f32>2 * PI));
  return scale(r, <f32>1 + (turns * <f32>2 * PI) / angle);
}

/** Lists the body with the path from the old pose of its shapes to its new pose. */
export function noteCcdBody(b: Body, v: BodyVelocity): void {
  const s = shapeAt(b.firstShape);
  const from = mulQuat(s.rotation, conjugate(s.localRotation));
  const e = addCcdBody(b);
  e.position = sub(b.position, v.deltaPosition);
  e.rotation = from;
  e.delta = v.deltaPosition;
  e.turn = turnBetween(from, b.rotation, v.deltaRotation);
}

/** Adds a cleared entry for the body. */
export function addCcdBody(b: Body): CcdBody {
  const g = world();
  growTable(offsetof<World>('ccdBodies'), g.ccdCount + 1, CCD_BODY_SIZE);
  const e = ccdBodyAt(g.ccdCount++);
  memory.fill(changetype<usize>(e), 0, CCD_BODY_SIZE);
  e.slot = b.slot;
  e.plannedPosition = b.position;
  e.plannedRotation = b.rotation;
  e.next = 2;
  b.ccdIndex = g.ccdCount;
  return e;
}
