// Ends a step for each awake body. In: motion since the start of the step. Out: poses, world inertia, poses of shapes,
// published poses, how far bodies have moved.

import { startRest } from '../islands/rest';
import { cos, sin } from '../math/elementary';
import {
  add,
  addScaled,
  dot,
  length,
  lengthSquared,
  mulQuat,
  normalizeQuat,
  rotate,
  scale,
  splat,
  sub,
  vec3,
  w,
  x,
  y,
  z,
  zero,
} from '../math/vector';
import {
  BODY_DYNAMIC,
  BODY_FAST,
  BODY_ISOTROPIC,
  BODY_LOST,
  BODY_MOVED,
  BODY_TELEPORTED,
  BODY_TURNED,
} from '../memory/constants';
import { Body, BodyVelocity, Shape, World } from '../memory/records';
import { bodyAt, poseAt, setMotion, shapeAt, velocityAt, wordAt, world } from '../memory/tables';
import { context } from '../solver/context';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { LOST_SQUARED } from '../tolerances';
import { noteCcdBody } from './fast';
import { updateWorldInertia } from './massProperties';
import { followRattling } from './rattling';

/** Bodies from which on a pass over them is shared between threads. */
const SHARED_BODIES = 256;

// What finalizeBody finds out.
const MOVED = 1;
const CCD = 2;

export function finalizeBodies(): void {
  const g = world();
  const count = g.awakeCount;
  g.ccdCount = 0;
  if (!(THREADED && forks(count, SHARED_BODIES))) return finalizeSome(0, count, 0, 0);
  const found = outcomes(count);
  fork(finalizeSome, 1, 0, count);
  for (let i = 0; i < count; i++)
    if (load<i32>(found + ((<usize>i) << 2)) & CCD) followBody(wordAt(g.awake, i), CCD);
}

/** Ends the step of some awake bodies. Of those that several threads find, CCD bodies are left: they are listed in order. */
function finalizeSome(from: i32, to: i32, shared: i32, _: i32): void {
  const g = world();
  const step = context();
  const found = THREADED && shared ? outcomes(0) : 0;
  // Motion counts as smooth if its speed changed by no more than by gravity in a step.
  const smooth = <f32>1.1 * step.dt * max<f32>(length(g.gravity), 1);
  for (let i = from; i < to; i++) {
    const slot = wordAt(g.awake, i);
    const outcome = finalizeBody(bodyAt(slot), velocityAt(slot), step.h, smooth);
    if (THREADED && shared) {
      store<i32>(found + ((<usize>i) << 2), outcome);
      if (outcome & CCD) continue;
    }
    if (outcome) followBody(slot, outcome);
  }
}

/** @inline */
function finalizeBody(b: Body, v: BodyVelocity, h: f32, smooth: f32): i32 {
  const g = world();
  if (b.type != BODY_DYNAMIC) {
    if (finalizeKinematic(b, v)) return moved(b, v);
    setMotion(b.slot, zero(), 0);
    return 0;
  }
  // Joints satisfy their anchors at the end of each substep: a correction afterwards would separate them.
  if (g.parabolicFlight && b.firstJoint == 0) followParabola(b, v, h, smooth);
  b.position = add(b.position, v.deltaPosition);
  if (b.flags & BODY_TURNED) b.flags &= ~BODY_TURNED;
  else b.rotation = turn(b.rotation, v.deltaRotation);
  followRattling(b, v);
  if (!isSane(b, v)) stop(b, v);
  if (!(b.flags & BODY_ISOTROPIC)) updateWorldInertia(b);
  if (!g.sleepingEnabled) startRest(b); // done here while the body is in the cache: islands/activation.ts
  return moved(b, v);
}

/** False for NaN, too. @inline @wide */
export function isSane(b: Body, v: BodyVelocity): bool {
  const place = b.position * splat(<f32>0.01);
  const q = b.rotation;
  const p = v.deltaPosition;
  const r = v.deltaRotation;
  const sum = v.linear * v.linear + v.angular * v.angular + place * place + p * p + r * r + q * q;
  return v128.all_true<i32>(f32x4.le(sum, splat(LOST_SQUARED)));
}

/** The last safeguard (lost bodies): puts the body at rest at its pose at the start of the step. */
export function stop(b: Body, v: BodyVelocity): void {
  const pose = poseAt(b.slot);
  b.rotation = f32x4(pose.qx, pose.qy, pose.qz, pose.qw);
  b.position = add(vec3(pose.px, pose.py, pose.pz), rotate(b.rotation, b.centerOfMass));
  stopMotion(v);
  b.rotationRest = zero();
  b.angularRest = zero();
  b.flags |= BODY_LOST;
  if (THREADED) atomic.add<i32>(changetype<usize>(world()) + offsetof<World>('lostCount'), 1);
  else world().lostCount++;
}

function stopMotion(v: BodyVelocity): void {
  v.linear = zero();
  v.angular = zero();
  // What threw it may be beyond the bounds of a valid state.
  v.forceLinear = zero();
  v.forceAngular = zero();
  v.deltaPosition = zero();
  v.deltaRotation = zero();
}

/** @wide */
function areNumbers(v: BodyVelocity): bool {
  const sum = v.linear + v.angular + v.deltaPosition + v.deltaRotation;
  return v128.all_true<i32>(f32x4.lt(f32x4.abs(sum), splat(f32.MAX_VALUE)));
}

/**
 * Substeps move a body with the velocity at their end. For smooth motion this is first order: the position error is h/2
 * times the change of velocity. It is corrected here, so that flight is a parabola and a slide has the right length.
 * Motion with impacts is not changed.
 */
function followParabola(b: Body, v: BodyVelocity, h: f32, smooth: f32): void {
  const half = <f32>0.5 * h;
  const dv = sub(v.startLinear, v.linear);
  const dw = sub(v.startAngular, v.angular);
  if (b.constraintCount > 0) {
    if (lengthSquared(dv) > smooth * smooth) return;
    const turning = b.boundingRadius * b.boundingRadius * lengthSquared(dw);
    if (turning > smooth * smooth) return;
  }
  v.deltaPosition = addScaled(v.deltaPosition, dv, half);
  if (!(b.flags & BODY_TURNED)) v.deltaRotation = addScaled(v.deltaRotation, dw, half);
}

/** q rotated by the rotation vector r; exact for any angle. */
export function turn(q: v128, r: v128): v128 {
  const angle2 = dot(r, r);
  if (angle2 == 0) return q;
  let s: f32; // sin(θ/2)/θ
  let c: f32; // cos(θ/2)
  if (angle2 < <f32>0.01) {
    s = <f32>0.5 - angle2 * (<f32>1.0 / 48 - angle2 * <f32>(1.0 / 3840.0));
    c = <f32>1 - angle2 * (<f32>0.125 - angle2 * <f32>(1.0 / 384.0));
  } else {
    const angle = sqrt<f32>(angle2);
    s = <f32>(sin(<f64>angle * 0.5) / <f64>angle);
    c = <f32>cos(<f64>angle * 0.5);
  }
  return normalizeQuat(mulQuat(f32x4.replace_lane(scale(r, s), 3, c), q));
}

/** Returns whether it moved. */
function finalizeKinematic(b: Body, v: BodyVelocity): bool {
  if (!areNumbers(v)) stopMotion(v);
  if (b.flags & BODY_MOVED) {
    b.rotation = b.targetRotation;
    b.position = add(b.targetPosition, rotate(b.targetRotation, b.centerOfMass));
    b.flags = (b.flags & ~BODY_MOVED) | BODY_TURNED; // it stands still from the next step on
  } else if (b.flags & BODY_TURNED) {
    b.flags &= ~BODY_TURNED;
    v.linear = zero();
    v.angular = zero();
    return false;
  } else {
    if (lengthSquared(v.linear) + lengthSquared(v.angular) == 0) return false;
    b.position = add(b.position, v.deltaPosition);
    b.rotation = turn(b.rotation, v.deltaRotation);
  }
  return true;
}

/** Updates the bounds of its motion. */
function moved(b: Body, v: BodyVelocity): i32 {
  b.flags &= ~BODY_TELEPORTED; // readers saw it with the pose that was set
  const turning = length(v.deltaRotation) * b.boundingRadius;
  setMotion(b.slot, v.deltaPosition, turning);
  const motion = length(v.deltaPosition) + turning;
  b.slack -= motion;
  b.travel += <f64>motion;
  return motion > b.fastMotion || b.flags & BODY_FAST ? CCD : MOVED;
}

/** Updates all data that depend on the body's pose. */
function followBody(slot: i32, outcome: i32): void {
  const b = bodyAt(slot);
  if (outcome & CCD) noteCcdBody(b, velocityAt(slot));
  placeShapes(b);
  publishPose(b);
}

/** World poses of the body's shapes. */
export function placeShapes(b: Body): void {
  const origin = originOf(b);
  let slot = b.firstShape;
  while (slot != 0) {
    const s = shapeAt(slot);
    placeShape(s, b, origin);
    slot = s.next;
  }
}

/** @inline */
export function originOf(b: Body): v128 {
  return sub(b.position, rotate(b.rotation, b.centerOfMass));
}

/** @inline */
export function placeShape(s: Shape, b: Body, origin: v128): void {
  s.position = add(origin, rotate(b.rotation, s.localPosition));
  s.rotation = mulQuat(b.rotation, s.localRotation);
}

/** Publishes the pose of the body's origin for outside readers. */
export function publishPose(b: Body): void {
  const pose = poseAt(b.slot);
  const origin = originOf(b);
  pose.px = x(origin);
  pose.py = y(origin);
  pose.pz = z(origin);
  pose.qx = x(b.rotation);
  pose.qy = y(b.rotation);
  pose.qz = z(b.rotation);
  pose.qw = w(b.rotation);
  pose.flags = (b.awakeIndex >= 0 ? 1 : 0) | (b.flags & BODY_TELEPORTED ? 2 : 0);
}
