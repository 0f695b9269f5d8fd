// Poses of bodies within a step. In: CCD bodies with the unresolved part of their path, all other bodies with their
// motion over the step (they are already at its end). Out: a Motion of any of their shapes from a given fraction of the
// step to its end.
import { ccdBodyAt } from '../bodies/fast';
import { turn } from '../bodies/finalize';
import { add, addScaled, mulQuat, neg, rotate, scale, sub, zero } from '../math/vector';
import { BODY_STATIC } from '../memory/constants';
import { Body, CcdBody, Motion, Shape } from '../memory/records';
import { velocityAt } from '../memory/tables';

/** Fraction of the remaining path of a CCD body at fraction `time` of the step. @inline */
function shareOf(e: CcdBody, time: f32): f32 {
  return e.time < 1 && time > e.time ? (time - e.time) / (<f32>1 - e.time) : 0;
}

/** Pose of the body at fraction `time` and its motion from there to the end of the step; `arm` is 0. */
export function bodyMotion(b: Body, time: f32, m: Motion): void {
  m.arm = zero();
  if (b.ccdIndex != 0) {
    const e = ccdBodyAt(b.ccdIndex - 1);
    const f = shareOf(e, time);
    m.position = addScaled(e.position, e.delta, f);
    m.rotation = turn(e.rotation, scale(e.turn, f));
    m.delta = scale(e.delta, <f32>1 - f);
    m.turn = scale(e.turn, <f32>1 - f);
    return;
  }
  m.position = b.position;
  m.rotation = b.rotation;
  m.delta = zero();
  m.turn = zero();
  if (b.awakeIndex < 0 || b.type == BODY_STATIC) return;
  const v = velocityAt(b.slot);
  const left = <f32>1 - time;
  m.delta = scale(v.deltaPosition, left);
  m.turn = scale(v.deltaRotation, left);
  m.position = sub(b.position, m.delta);
  m.rotation = turn(b.rotation, neg(m.turn));
}

/** Derives the motion of a shape from that of its body. */
export function shapeMotion(s: Shape, b: Body, body: Motion, m: Motion): void {
  m.arm = rotate(body.rotation, sub(s.localPosition, b.centerOfMass));
  m.position = add(body.position, m.arm);
  m.rotation = mulQuat(body.rotation, s.localRotation);
  m.delta = body.delta;
  m.turn = body.turn;
}

/** Moves the start of the unresolved path to fraction `time`, with the velocity at that time. */
export function advanceTo(e: CcdBody, time: f32): void {
  const f = shareOf(e, time);
  if (f == 0) return;
  e.position = addScaled(e.position, e.delta, f);
  e.rotation = turn(e.rotation, scale(e.turn, f));
  e.delta = scale(e.delta, <f32>1 - f);
  e.turn = scale(e.turn, <f32>1 - f);
  e.linear = addScaled(e.linear, e.acceleration, time - e.time);
  e.time = time;
}

/** Velocity of the body's centre of mass at fraction `time`. */
export function linearAt(b: Body, time: f32): v128 {
  if (b.ccdIndex != 0) {
    const e = ccdBodyAt(b.ccdIndex - 1);
    return addScaled(e.linear, e.acceleration, time - e.time);
  }
  return b.awakeIndex < 0 ? zero() : velocityAt(b.slot).linear;
}

export function angularAt(b: Body): v128 {
  if (b.ccdIndex != 0) return ccdBodyAt(b.ccdIndex - 1).angular;
  return b.awakeIndex < 0 ? zero() : velocityAt(b.slot).angular;
}
