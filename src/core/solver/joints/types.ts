// What types of joints do: the one file that the core asks about a type. In: a joint and its data of the step. Out: which
// directions it locks, its rows, how these are solved, warm started and summed, the values that users read. Each type
// makes its rows in a file of its own; a type whose rows are not those of rows.ts also solves them there.

import { add, addScaled, scale, zero } from '../../math/vector';
import {
  AXIS_MOTOR,
  AXIS_SERVO,
  AXIS_SPRING,
  AXIS_STOP,
  JOINT_AXIS_COUNT,
  JOINT_CONE_TWIST,
  JOINT_DISTANCE,
  JOINT_FIXED,
  JOINT_GEAR,
  JOINT_GENERIC,
  JOINT_HINGE,
  JOINT_HINGE2,
  JOINT_MOTOR,
  JOINT_MOUSE,
  JOINT_POINT,
  JOINT_SLIDER,
  JOINT_UNIVERSAL,
} from '../../memory/constants';
import { Joint, JointWork } from '../../memory/records';
import { axisAt, jointAt, rowAt, velocityAt, workAt } from '../../memory/tables';
import { ERP_LEAK } from '../../tolerances';
import { CONE, keepsNormal, refreshConeTwist } from './coneTwist';
import { refreshDistance } from './distance';
import { refreshFixed } from './fixed';
import { refreshGear } from './gear';
import { refreshGeneric } from './generic';
import { refreshHinge } from './hinge';
import { refreshPoint } from './point';
import {
  ALL_ANGLES,
  AxisRow,
  carriesTwist,
  forgetBounce,
  freeAxis,
  isFixedAtZero,
  isLocked,
  keptOf,
  lockImpulse,
  lockTwist,
  NO_ANGLE,
  pushPoint,
  pushTurn,
  rowVelocity,
  Solving,
  solveAxis,
  solveCone,
  solvePoint,
  solveSliderLock,
  solveTurn,
  warmStartAxis,
} from './rows';
import { refreshSlider } from './slider';
import { refreshUniversal } from './universal';

/** First bit of axes among JointWork.locks. */
const AXIS_BIT = 6;

/** Whether the type has six axes, each free, limited or locked. @inline */
function isGeneric(type: i32): bool {
  return type == JOINT_GENERIC || type == JOINT_UNIVERSAL || type == JOINT_HINGE2;
}

/**
 * The directions that a joint always locks, as bits: 0 to 2 anchors, 3 to 5 angles, from 6 on axes. They are solved
 * together with those of the joints around it (direct.ts).
 */
export function locksOf(j: Joint): i32 {
  if (j.hertz != 0) return 0;
  const t = j.type;
  let bits = 0;
  if (t == JOINT_POINT || t == JOINT_HINGE || t == JOINT_FIXED || t == JOINT_CONE_TWIST) bits = 7;
  if (t == JOINT_SLIDER) bits |= 6 << AXIS_BIT;
  if (t == JOINT_SLIDER || t == JOINT_DISTANCE) bits |= lockBits(j, 0, 1);
  if (isGeneric(t)) bits |= isFixedAtZero(j, 0) ? 7 : lockBits(j, 0, 3);
  const free = freeAngle(j);
  if (free == NO_ANGLE) return bits | (7 << 3);
  if (free != ALL_ANGLES) return bits | (3 << 3) | lockBits(j, 3 + free, 4 + free);
  if (t == JOINT_CONE_TWIST || t == JOINT_GEAR) bits |= lockBits(j, 3, 4);
  if (isGeneric(t)) bits |= lockBits(j, 3, 6);
  return bits;
}

/**
 * The angle that a joint leaves to two bodies, as axis x, y or z of its frame; NO_ANGLE; or ALL_ANGLES, also for joints that lock single
 * Euler angles: these turn with a rotor, and lose its energy at any length of the substep.
 */
export function freeAngle(j: Joint): i32 {
  const type = j.type;
  if (type == JOINT_FIXED) return NO_ANGLE;
  if (type == JOINT_HINGE || type == JOINT_SLIDER) return 0;
  // The rows of a universal joint are its angles, also if all are locked.
  return isGeneric(type) && type != JOINT_UNIVERSAL ? freeAxis(j, 3) : ALL_ANGLES;
}

/** Whether all that the joint has to solve are its axes, if it locks nothing. */
export function hasFreeAxes(j: Joint): bool {
  return j.hertz == 0 && (j.type == JOINT_DISTANCE || isGeneric(j.type));
}

/**
 * N·s/m: with what a rope, rod or spring between two anchors pulled in the last substep, by its length; 0 of other joints.
 * `push`: impulse of what it locks.
 */
export function pullPerLength(slot: i32, push: f32): f32 {
  const j = jointAt(slot);
  const w = workAt(slot);
  if (slot == 0 || j.type != JOINT_DISTANCE || w.idle) return 0; // no joint in this lane, or no row
  const axis = axisAt(j, 0);
  const pull = axis.highImpulse - axis.lowImpulse - axis.motorImpulse - axis.springImpulse - push;
  const length = rowAt(w, 0).value;
  return pull > 0 && length > 0 ? pull / length : 0;
}

function lockBits(j: Joint, from: i32, to: i32): i32 {
  let bits = 0;
  for (let k = from; k < to; k++)
    if (isLocked(axisAt(j, k)) && !(axisAt(j, k).flags & AXIS_STOP)) bits |= 1 << (AXIS_BIT + k);
  return bits;
}

const DRIVEN = AXIS_MOTOR | AXIS_SERVO | AXIS_SPRING;

/** Whether only its locks may act: these are solved in lanes, and the joint needs no row of its own. */
export function mayIdle(j: Joint, w: JointWork): bool {
  if (!w.batched) return false;
  const t = j.type;
  if (t == JOINT_POINT || t == JOINT_FIXED) return true;
  if ((t != JOINT_HINGE && t != JOINT_CONE_TWIST) || w.locks >> 6 != 0) return false;
  return !((axisAt(j, 3).flags | axisAt(j, 4).flags | axisAt(j, 5).flags) & DRIVEN);
}

/** Whether an idle joint has no frames that a user reads. @inline */
export function hasAnchorsOnly(type: i32): bool {
  return type == JOINT_POINT;
}

/**
 * Whether the open axes of a joint are angles whose directions are still those of the step's start, but for the rotation of A.
 * `turned`: rad, the rotation of B relative to A since then.
 */
export function keepsDirections(j: Joint, turned: v128): bool {
  return j.type == JOINT_HINGE || (j.type == JOINT_CONE_TWIST && keepsNormal(j, turned));
}

/**
 * Rotation of its bodies, as a share of its gap, up to which an angular limit stays out of reach. The twist in a wide open
 * cone changes faster than its bodies rotate, and so does the angle of the ellipse. @inline
 */
export function slackOf(type: i32, axis: i32): f32 {
  return axis == 3 && type == JOINT_HINGE ? <f32>1 : <f32>0.5;
}

/** Whether the axis stands for both swings of a cone, which have one limit. @inline */
export function isConeAxis(type: i32, axis: i32): bool {
  return type == JOINT_CONE_TWIST && axis == CONE;
}

/** The values, locks and rows of the joint for the poses in `w`. `first`: of the step. */
export function makeRows(j: Joint, w: JointWork, first: bool): void {
  const type = j.type;
  if (type == JOINT_HINGE) refreshHinge(j, w, first);
  else if (type == JOINT_CONE_TWIST) refreshConeTwist(j, w, first);
  else if (type == JOINT_FIXED || type == JOINT_MOTOR) refreshFixed(w);
  else if (type == JOINT_DISTANCE) refreshDistance(j, w);
  else if (type == JOINT_SLIDER) refreshSlider(j, w, first);
  else if (type == JOINT_UNIVERSAL) refreshUniversal(j, w, first);
  else if (isGeneric(type)) refreshGeneric(j, w, first, freeAngle(j));
  else if (type == JOINT_GEAR) refreshGear(j, w, first);
  else refreshPoint(w);
  for (let k = 0, locks = w.locks >> 6; locks != 0; k++, locks >>= 1)
    if (locks & 1) rowAt(w, k).error = rowAt(w, k).value - (isAcross(type, k) ? 0 : axisAt(j, k).low);
}

/** Whether the axis of a slider cannot be set by the user: locked at 0 whatever its record says. @inline */
function isAcross(type: i32, axis: i32): bool {
  return type == JOINT_SLIDER && (axis == 1 || axis == 2);
}

/** Warm starts what is not solved in batches: `rows`, bits of axes, then the locks. */
export function warmStartRows(s: Solving, rows: i32): void {
  const j = s.j;
  const w = s.w;
  for (let k = 0; k < JOINT_AXIS_COUNT; k++) {
    if ((rows >> k) & 1) warmStartAxis(s, new AxisRow(axisAt(j, k), rowAt(w, k)));
  }
  if (j.hertz < 0) {
    const kept = keptOf(ERP_LEAK * w.biasRate);
    j.pointImpulse = scale(j.pointImpulse, kept);
    j.angularImpulse = scale(j.angularImpulse, kept);
  }
  if (w.angularLocks && !w.batched) pushTurn(w, s.a, s.b, lockImpulse(w, j.angularImpulse));
  if (w.linearLocks == 3) pushPoint(w, s.a, s.b, j.pointImpulse);
}

/** One pass over what is not solved in batches: `rows`, bits of axes, then the locks. */
export function solveRows(s: Solving, rows: i32, withBias: bool): void {
  const j = s.j;
  const w = s.w;
  const slider = j.type == JOINT_SLIDER;
  const cone = j.type == JOINT_CONE_TWIST;
  for (let k = 0; k < JOINT_AXIS_COUNT; k++) {
    if (!((rows >> k) & 1)) continue;
    const at = new AxisRow(axisAt(j, k), rowAt(w, k));
    if (slider && (k == 1 || k == 2)) solveSliderLock(s, at, withBias);
    else if (cone && k == CONE) solveCone(s, at, withBias);
    else solveAxis(s, at, withBias);
  }
  if (!w.batched && (withBias || !w.soft)) {
    if (w.angularLocks) solveTurn(s, withBias);
    if (w.linearLocks == 3) solvePoint(s, withBias);
  }
}

/** At the end of a substep: adds the impulses of rows and locks to the totals of the step. */
export function sumRows(j: Joint, w: JointWork, rows: i32): void {
  if (w.linearLocks == 3) j.linearTotal = add(j.linearTotal, j.pointImpulse);
  if (w.angularLocks && !w.batched) j.angularTotal = add(j.angularTotal, lockImpulse(w, j.angularImpulse));
  for (let k = 0; k < JOINT_AXIS_COUNT; k++) {
    if (!((rows >> k) & 1)) continue;
    const axis = axisAt(j, k);
    const row = rowAt(w, k);
    const impulse = axis.lowImpulse - axis.highImpulse + axis.motorImpulse + axis.springImpulse;
    axis.total += impulse;
    if (axis.flags & AXIS_STOP && forgetBounce(axis, row)) w.bounced = 1;
    if (k < 3) {
      j.linearTotal = addScaled(j.linearTotal, row.normal, impulse);
      if (carriesTwist(w)) j.angularTotal = addScaled(j.angularTotal, lockTwist(w, row), impulse);
    } else j.angularTotal = addScaled(j.angularTotal, row.armB, impulse);
    if (axis.flags & (AXIS_SPRING | AXIS_STOP))
      row.previousVelocity = rowVelocity(row, velocityAt(w.solverBodyA), velocityAt(w.solverBodyB));
  }
}

/** Impulses of the locks of an impact must not warm start: alone, they would be another impact. */
export function forgetLocks(j: Joint): void {
  j.pointImpulse = zero();
  j.angularImpulse = zero();
}

/** Whether users read values of its axes. @inline */
export function hasValues(type: i32): bool {
  return type != JOINT_POINT && type != JOINT_FIXED && type != JOINT_MOTOR && type != JOINT_MOUSE;
}

/** Writes the positions along the axes that users read. */
export function writeValues(j: Joint, w: JointWork): void {
  const last = j.type == JOINT_CONE_TWIST ? CONE : hasValues(j.type) ? JOINT_AXIS_COUNT : 0;
  for (let k = 0; k < last; k++) axisAt(j, k).value = axisValue(j.type, w, k);
}

/** Value of an axis; 0 for axes that the type does not have. */
function axisValue(type: i32, w: JointWork, axis: i32): f32 {
  const has =
    isGeneric(type) ||
    (axis == 0 && (type == JOINT_SLIDER || type == JOINT_DISTANCE)) ||
    (axis == 3 &&
      (type == JOINT_HINGE || type == JOINT_SLIDER || type == JOINT_CONE_TWIST || type == JOINT_GEAR));
  return has ? rowAt(w, axis).value : 0;
}
