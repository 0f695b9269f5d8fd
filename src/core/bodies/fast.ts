// Bodies that move too far in a step for discrete contacts (CCD bodies). In: sizes, thresholds, the motion of a step.
// Out: Body.innerRadius and fastMotion, and the table of CCD bodies with the start of their paths.

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
import { Body, BodyVelocity, CcdBody, World } from '../memory/records';
import { growTable, shapeAt, velocityAt, world } from '../memory/tables';
import { innerRadius } from '../shapes/aabb';

const NEVER: f32 = 1e30;
const PI: f32 = 3.14159265;
const CCD_BODY_SIZE: usize = offsetof<CcdBody>();
/** Of the inner radius: a body that moves less than this per step cannot get past a wall however thin. */
const SAFE_SHARE: f32 = 0.5;
/** m per step; what moves less is held by contacts that look ahead, however thin it is: sheets have no inside. */
const SLOW: f32 = 0.005;

/** @inline */
export function ccdBodyAt(index: i32): CcdBody {
  return changetype<CcdBody>(<usize>world().ccdBodies + <usize>index * CCD_BODY_SIZE);
}

/** Whether the body is to be swept against dynamic ones, too: Bullet's motion threshold is set. @inline */
export function sweepsAll(b: Body): bool {
  return b.ccdMotionThreshold > 0;
}

/** Whether the motion of a is swept against b. @inline */
export function sweeps(a: Body, b: Body): bool {
  if (a.type != BODY_DYNAMIC) return b.type == BODY_DYNAMIC;
  return b.type != BODY_DYNAMIC || sweepsAll(a) || sweepsAll(b);
}

/**
 * Bound on the way of a dynamic body against the material of a kinematic one, in a step in which both move and turn by so
 * much: what is carried, or turns with a drum, does not move against it however fast both are.
 */
function wayAgainst(b: Body, delta: v128, turn: v128, k: Body, kDelta: v128, kTurn: v128): f32 {
  const r = sub(b.position, k.position);
  const carried = add(kDelta, cross(kTurn, r));
  // The carried point moves on an arc.
  const bend = <f32>0.5 * lengthSquared(kTurn) * (length(r) + b.boundingRadius);
  return length(sub(delta, carried)) + length(sub(turn, kTurn)) * b.boundingRadius + bend;
}

/** Way of a dynamic body against a kinematic one in a step beyond which the two are swept. @inline */
function mostAgainst(b: Body, k: Body): f32 {
  return world().continuous ? b.fastMotion : min(b.fastMotion, k.fastMotion);
}

/** Whether a dynamic and a kinematic body are to be swept against each other, as they are about to move. */
export function willNeedCcd(b: Body, k: Body, dt: f32): bool {
  const v = velocityAt(b.slot);
  const u = velocityAt(k.slot);
  const delta = scale(v.linear, dt);
  const turn = scale(v.angular, dt);
  return wayAgainst(b, delta, turn, k, scale(u.linear, dt), scale(u.angular, dt)) > mostAgainst(b, k);
}

/** Of willNeedCcd's limit: the sweep itself decides by poses at the end of the step, and is not to be asked less often. */
const ROUNDED: f32 = 0.9;

/** The same of a step that is over: as they were about to move, and as they did. Velocities of `b` are those of its start. */
export function needsCcd(b: Body, k: Body, dt: f32): bool {
  const v = velocityAt(b.slot);
  const u = velocityAt(k.slot);
  const most = ROUNDED * mostAgainst(b, k);
  const start = scale(v.startLinear, dt);
  const startTurn = scale(v.startAngular, dt);
  return (
    wayAgainst(b, v.deltaPosition, v.deltaRotation, k, u.deltaPosition, u.deltaRotation) > most ||
    wayAgainst(b, start, startTurn, k, u.deltaPosition, u.deltaRotation) > most
  );
}

/** After shapes, thresholds or settings have changed. */
export function updateFastMotion(b: Body): void {
  let inner: f32 = NEVER;
  let slot = b.firstShape;
  const single = slot != 0 && shapeAt(slot).next == 0;
  while (slot != 0) {
    const s = shapeAt(slot);
    if (s.type < SHAPE_PLANE && !(s.flags & SHAPE_NO_RESPONSE)) {
      // Of a body's only shape about the centre of mass, if that is a hull's.
      const c = single ? rotateInverse(s.localRotation, sub(b.centerOfMass, s.localPosition)) : zero();
      inner = min(inner, innerRadius(s, c));
    }
    slot = s.next;
  }
  b.innerRadius = inner == NEVER ? 0 : inner;
  const threshold = sweepsAll(b) ? b.ccdMotionThreshold : NEVER;
  b.fastMotion =
    b.type == BODY_STATIC || inner == NEVER
      ? NEVER
      : world().continuous
        ? min(threshold, max(SLOW, SAFE_SHARE * inner))
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

/** The turn from one rotation to another that is nearest to a rotation vector of any length. */
function turnBetween(from: v128, to: v128, near: v128): v128 {
  let d = mulQuat(to, conjugate(from));
  if (w(d) < 0) d = neg(d);
  const r = rotationVector(d);
  const angle = length(r);
  const about = length(near);
  if (about <= PI || angle < <f32>1e-6) return about > PI ? near : r;
  // More than half a turn: add the whole turns that the quaternion has lost.
  const along = dot(near, r) / angle;
  const turns = nearest<f32>((along - angle) / (<f32>2 * PI));
  return scale(r, <f32>1 + (turns * <f32>2 * PI) / angle);
}

/** Lists the body with the path from where its shapes still are to its new pose. */
export function noteCcdBody(b: Body, v: BodyVelocity): void {
  const s = shapeAt(b.firstShape);
  const from = mulQuat(s.rotation, conjugate(s.localRotation));
  const e = addCcdBody(b);
  e.position = sub(b.position, v.deltaPosition);
  e.rotation = from;
  e.delta = v.deltaPosition;
  e.turn = turnBetween(from, b.rotation, v.deltaRotation);
}

/** A new entry for the body, otherwise cleared. */
export function addCcdBody(b: Body): CcdBody {
  const g = world();
  growTable(offsetof<World>('ccdBodies'), g.ccdCount + 1, CCD_BODY_SIZE);
  const e = ccdBodyAt(g.ccdCount++);
  memory.fill(changetype<usize>(e), 0, CCD_BODY_SIZE);
  e.slot = b.slot;
  e.next = 2;
  b.ccdIndex = g.ccdCount;
  return e;
}
