// Building blocks of joints: rows along one axis (limit, motor, spring, lock), the lock of the anchors as one block,
// the lock of two or three angles as one block. In: the directions that the joint's type set. Out: effective masses,
// then impulses on the two bodies.

import {
  add,
  addScaled,
  cross,
  dot,
  mul,
  neg,
  scale,
  splat,
  sub,
  vec3,
  x,
  y,
  z,
  zero,
} from '../../math/vector';
import { MOST_IMPULSE } from '../../memory/bounds';
import { AXIS_MOTOR, AXIS_SERVO, AXIS_SPRING, AXIS_STOP } from '../../memory/constants';
import { BodyVelocity, Joint, JointAxis, JointRow, JointWork } from '../../memory/records';
import { axisAt, world } from '../../memory/tables';
import { Columns } from '../../memory/values';
import { ANY_DISTANCE, ERP_LEAK, MOST_LIMIT_PUSH } from '../../tolerances';
import { context } from '../context';
import { softenAxis } from './soft';

/** A column-wise 3×3 matrix times v. @inline @wide */
export function apply3(c0: v128, c1: v128, c2: v128, v: v128): v128 {
  return (
    c0 * v128.shuffle<f32>(v, v, 0, 0, 0, 0) +
    c1 * v128.shuffle<f32>(v, v, 1, 1, 1, 1) +
    c2 * v128.shuffle<f32>(v, v, 2, 2, 2, 2)
  );
}
/** @inline */
export function inertiaA(w: JointWork, v: v128): v128 {
  return apply3(w.inertiaA0, w.inertiaA1, w.inertiaA2, v);
}
/** @inline */
export function inertiaB(w: JointWork, v: v128): v128 {
  return apply3(w.inertiaB0, w.inertiaB1, w.inertiaB2, v);
}

/** Applies the impulse P to B at its anchor and −P to A at its own, and an angular impulse L. @inline */
export function pushPoint(w: JointWork, a: BodyVelocity, b: BodyVelocity, p: v128): void {
  a.linear = sub(a.linear, mul(p, w.invMassA));
  a.angular = sub(a.angular, inertiaA(w, cross(w.rA, p)));
  b.linear = add(b.linear, mul(p, w.invMassB));
  b.angular = add(b.angular, inertiaB(w, cross(w.rB, p)));
}

/** @inline */
export function pushTurn(w: JointWork, a: BodyVelocity, b: BodyVelocity, l: v128): void {
  a.angular = sub(a.angular, inertiaA(w, l));
  b.angular = add(b.angular, inertiaB(w, l));
}

// --- one axis ---

/** The axis moves B's anchor along `normal`, which rotates with A. */
export function linearRow(w: JointWork, row: JointRow, normal: v128): void {
  row.normal = normal;
  finishRow(w, row, cross(add(w.rA, w.separation), normal), cross(w.rB, normal));
}

/** The axis rotates B relative to A about `direction`. */
export function angularRow(w: JointWork, row: JointRow, direction: v128): void {
  row.normal = zero();
  finishRow(w, row, direction, direction);
}

/** An angular axis with a different direction on each body. */
export function turningRow(w: JointWork, row: JointRow, armA: v128, armB: v128): void {
  row.normal = zero();
  finishRow(w, row, armA, armB);
}

function finishRow(w: JointWork, row: JointRow, armA: v128, armB: v128): void {
  if (w.idle) return;
  row.armA = armA;
  row.armB = armB;
  if (w.driven) return; // its mass is that of the step's start
  let turnA = inertiaA(w, armA);
  let turnB = inertiaB(w, armB);
  let push = row.normal;
  let k = dot(armA, turnA) + dot(armB, turnB);
  const alone = k + dot(mul(push, push), add(w.invMassA, w.invMassB));
  if (holdsAnchors(w)) {
    // The anchors must stay together under impulses of the axis: each impulse includes the one at the anchors that
    // keeps them so. A motor then acts on the whole swinging arm, not only on its own moment of inertia.
    const apart = add(cross(turnB, w.rB), cross(turnA, w.rA));
    push = neg(apply3(w.point0, w.point1, w.point2, apart));
    turnA = add(turnA, inertiaA(w, cross(w.rA, push)));
    turnB = add(turnB, inertiaB(w, cross(w.rB, push)));
    k = dot(armA, turnA) + dot(armB, turnB);
  } else {
    if (isTwisted(w)) {
      // Nor may it rotate angles that are locked: the locks would undo part of the impulse in each pass.
      const twist = lockTwist(w, row);
      turnA = add(turnA, inertiaA(w, twist));
      turnB = add(turnB, inertiaB(w, twist));
      k = dot(armA, turnA) + dot(armB, turnB);
    }
    k += dot(mul(push, push), add(w.invMassA, w.invMassB));
  }
  row.turnA = turnA;
  row.turnB = turnB;
  row.push = push;
  row.mass = k > <f32>1e-12 * alone ? <f32>1 / k : 0;
}

/**
 * Whether impulses of its axes include that which keeps the anchors together. Not if these are soft: what a limit gave would
 * go on in their springs. @inline
 */
function holdsAnchors(w: JointWork): bool {
  return w.linearLocks == 3 && !w.soft;
}

/** Whether impulses along its linear axes include the torque that keeps its angular locks. @inline */
export function isTwisted(w: JointWork): bool {
  return w.batched && w.angularLocks != 0 && w.linearLocks != 3;
}

/** Whether the rows themselves apply that torque. For drives the locks of the batch apply it. @inline */
export function carriesTwist(w: JointWork): bool {
  return isTwisted(w) && !w.driven;
}

/** That torque on B, for a unit impulse. */
export function lockTwist(w: JointWork, row: JointRow): v128 {
  if (!isLinear(row)) return zero();
  const turn = add(inertiaA(w, row.armA), inertiaB(w, row.armB));
  const asked = vec3(dot(w.lock0, turn), dot(w.lock1, turn), w.angularLocks == 3 ? dot(w.lock2, turn) : 0);
  return neg(lockImpulse(w, apply3(w.turn0, w.turn1, w.turn2, asked)));
}

/** @inline */
function isLinear(row: JointRow): bool {
  return v128.any_true(row.normal);
}

/** 1/kg along the world axes, of both bodies without their rotation; where neither can move, that of the lightest axis. */
export function inverseMass(w: JointWork): v128 {
  const sum = add(w.invMassA, w.invMassB);
  return v128.bitselect(sum, splat(max(x(sum), max(y(sum), z(sum)))), f32x4.gt(sum, zero()));
}

/** @inline */
export function rowVelocity(row: JointRow, a: BodyVelocity, b: BodyVelocity): f32 {
  const linear = mul(row.normal, sub(b.linear, a.linear));
  return dot(add(linear, sub(mul(row.armB, b.angular), mul(row.armA, a.angular))), splat(1));
}

/** A joint, and the velocities of its bodies. @value */
export class Solving {
  j: Joint;
  w: JointWork;
  a: BodyVelocity;
  b: BodyVelocity;
}

/** An axis of a joint, and its row in this step. @value */
export class AxisRow {
  axis: JointAxis;
  row: JointRow;
}

/** Applies an impulse of the row with its part at the anchors, which is added to the anchors' impulse. @inline */
function pushRow(s: Solving, row: JointRow, impulse: f32): void {
  const w = s.w;
  const a = s.a;
  const b = s.b;
  const p = scale(row.push, impulse);
  a.linear = sub(a.linear, mul(p, w.invMassA));
  a.angular = addScaled(a.angular, row.turnA, -impulse);
  b.linear = add(b.linear, mul(p, w.invMassB));
  b.angular = addScaled(b.angular, row.turnB, impulse);
  if (holdsAnchors(w)) s.j.pointImpulse = add(s.j.pointImpulse, p);
}

/** @inline */
export function isLocked(axis: JointAxis): bool {
  return axis.low == axis.high;
}
/** @inline */
export function isLimited(axis: JointAxis): bool {
  return axis.low <= axis.high;
}
/**
 * How far an axis is above its lower limit. No distance is below 0: what passes through the other end of a rope comes out beyond it, and
 * is not to be stopped there.
 */
export function roomBelow(w: JointWork, axis: JointAxis, row: JointRow): f32 {
  return w.passes ? ANY_DISTANCE : row.value - axis.low;
}
export const NO_ANGLE: i32 = -1;
export const ALL_ANGLES: i32 = 3;

/** Of three axes the one that is not locked at 0, as 0 to 2; NO_ANGLE if all are, ALL_ANGLES if several are not. */
export function freeAxis(j: Joint, from: i32): i32 {
  let free = NO_ANGLE;
  for (let k = 0; k < 3; k++) {
    const axis = axisAt(j, from + k);
    if (axis.low != 0 || axis.high != 0 || axis.flags & AXIS_STOP) free = free == NO_ANGLE ? k : ALL_ANGLES;
  }
  return free;
}
/** Whether three axes are locked at 0 and so form the block of a point or fixed joint. */
export function isFixedAtZero(j: Joint, from: i32): bool {
  return freeAxis(j, from) == NO_ANGLE;
}

/** Whether the axis needs a row: not if it is free and has neither motor nor spring. @inline */
export function needsRow(axis: JointAxis): bool {
  return axis.low <= axis.high || (axis.flags & (AXIS_MOTOR | AXIS_SERVO | AXIS_SPRING)) != 0;
}

/** Solves motor, spring and limits of one axis. */
export function solveAxis(s: Solving, at: AxisRow, withBias: bool): void {
  const axis = at.axis;
  const row = at.row;
  const step = context();
  const mass = row.mass;
  if (mass == 0) return;
  if (isLocked(axis)) {
    lock(s, at, row.value - axis.low, withBias);
    return;
  }
  if (axis.flags & AXIS_SPRING && withBias) {
    if (softenAxis(axis, row, <f64>mass)) s.w.stiff = 1;
    const old = axis.springImpulse;
    const stretch = row.value - axis.springTarget;
    let impulse =
      old -
      (row.springLoss * old +
        row.springVelocity * rowVelocity(row, s.a, s.b) +
        row.springPrevious * row.previousVelocity +
        row.springPosition * stretch);
    if (axis.maxSpringForce > 0) {
      const most = axis.maxSpringForce * step.h;
      impulse = max<f32>(-most, min<f32>(most, impulse));
    }
    axis.springImpulse = impulse;
    pushRow(s, row, impulse - old);
  }
  if (axis.flags & (AXIS_MOTOR | AXIS_SERVO)) {
    let target = axis.motorVelocity;
    if (axis.flags & AXIS_SERVO) {
      const most = abs<f32>(target);
      target = max<f32>(-most, min<f32>(most, (axis.servoTarget - row.value) / step.dt));
    }
    const old = axis.motorImpulse;
    const most = axis.maxMotorForce * step.h;
    const impulse = max<f32>(-most, min<f32>(most, old - mass * (rowVelocity(row, s.a, s.b) - target)));
    axis.motorImpulse = impulse;
    pushRow(s, row, impulse - old);
  }
  if (isLimited(axis)) {
    if (axis.flags & AXIS_STOP) {
      axis.lowImpulse = solveStop(s, at, true, withBias);
      axis.highImpulse = solveStop(s, at, false, withBias);
      return;
    }
    axis.lowImpulse = solveLimit(s, row, new Limit(roomBelow(s.w, axis, row), axis.lowImpulse, 1), withBias);
    axis.highImpulse = solveLimit(s, row, new Limit(axis.high - row.value, axis.highImpulse, -1), withBias);
  }
}

/** @inline */
function lock(s: Solving, at: AxisRow, error: f32, withBias: bool): void {
  const w = s.w;
  const axis = at.axis;
  const row = at.row;
  if (w.soft && !withBias) return;
  const old = axis.lowImpulse;
  if (axis.flags & AXIS_STOP) {
    const softness = stopSoftness(axis);
    if (softness > 0 && !withBias) return;
    const asked = (axis.stopErp / context().dt) * error;
    const bias: f32 = withBias ? max<f32>(-MOST_LIMIT_PUSH, min<f32>(MOST_LIMIT_PUSH, asked)) : 0;
    const change = yielding(row, softness, rowVelocity(row, s.a, s.b) + bias, old);
    axis.lowImpulse = old + change;
    pushRow(s, row, change);
    return;
  }
  let impulse = -row.mass * rowVelocity(row, s.a, s.b);
  if (withBias) {
    const softness = w.impulseScale * (w.softening > 0 ? row.mass / row.springMass : 1);
    impulse =
      (w.massScale * (impulse - row.mass * w.biasRate * error) - softness * old) / (w.massScale + softness);
  }
  axis.lowImpulse = old + impulse;
  pushRow(s, row, impulse);
}

/** Solves a locked axis across a slider. */
export function solveSliderLock(s: Solving, at: AxisRow, withBias: bool): void {
  lock(s, at, at.row.value, withBias);
}

/** Solves the cone of a cone-twist: row.value is how far the axis is outside. */
export function solveCone(s: Solving, at: AxisRow, withBias: bool): void {
  const limit = new Limit(-at.row.value, at.axis.highImpulse, -1);
  at.axis.highImpulse = solveLimit(s, at.row, limit, withBias);
}

/** A gap that must not close, the impulse so far, and the direction (1, −1) in which the limit pushes. @value */
class Limit {
  gap: f32;
  impulse: f32;
  sign: f32;
}

/** Keeps the gap from closing. Returns the impulse. */
function solveLimit(s: Solving, row: JointRow, limit: Limit, withBias: bool): f32 {
  const gap = limit.gap;
  const old = limit.impulse;
  const sign = limit.sign;
  // A limit that is reached in the next substep, or at the end of this one, is hit in the next, at full speed, as a rope that becomes taut.
  if (!withBias && old == 0) return 0;
  const velocity = sign * rowVelocity(row, s.a, s.b);
  let bias: f32 = 0;
  if (gap > 0) bias = gap * context().inverseH;
  else if (withBias) bias = max<f32>(s.w.biasRate * gap, -MOST_LIMIT_PUSH);
  const impulse = max<f32>(0, old - row.mass * (velocity + bias));
  if (impulse != old) pushRow(s, row, sign * (impulse - old));
  return impulse;
}

/**
 * A limit with Bullet's parameters: a step removes the share stopErp of its violation, minus stopCfm times its impulse
 * times its effective mass, as Bullet's rows do (Δλ = rhs − cfm λ). These are impulses of a step; a substep has a part
 * of it. Under a force F the limit yields by x = cfm F dt²/(erp m). With `bounce`, a fast approach is reflected at that
 * share of its speed.
 */
function solveStop(s: Solving, at: AxisRow, low: bool, withBias: bool): f32 {
  const axis = at.axis;
  const row = at.row;
  const gap = low ? roomBelow(s.w, axis, row) : axis.high - row.value;
  const old = low ? axis.lowImpulse : axis.highImpulse;
  const sign: f32 = low ? 1 : -1;
  const velocity = sign * rowVelocity(row, s.a, s.b);
  const softness = stopSoftness(axis);
  if (softness > 0 && gap <= 0 && !withBias) return old;
  let bias: f32 = 0;
  const approach = low ? row.lowApproach : row.highApproach;
  // As in solveLimit.
  if (!withBias && old == 0 && approach == 0) return 0;
  if (approach < 0) bias = axis.bounce * approach;
  else if (gap > 0) bias = gap * context().inverseH;
  else if (withBias) bias = max<f32>((axis.stopErp / context().dt) * gap, -MOST_LIMIT_PUSH);
  const impulse = max<f32>(0, old + yielding(row, softness, velocity + bias, old));
  if (withBias && old == 0 && impulse > 0 && axis.bounce > 0) noteHit(row, velocity, low);
  if (impulse != old) pushRow(s, row, sign * (impulse - old));
  return impulse;
}

/**
 * A limit with `bounce` was hit at `velocity`, below 0. It reflects no more than the axis had at the end of the last substep: the rest
 * is a guess of warm starting, or what the neighbours in a structure are about to take back, and would come out of nothing.
 */
export function noteHit(row: JointRow, velocity: f32, low: bool): void {
  const approach = max<f32>(velocity, low ? row.previousVelocity : -row.previousVelocity);
  if (!(approach < -world().restitutionThreshold)) return;
  if (low) row.lowApproach = approach;
  else row.highApproach = approach;
}

/** Softness per substep: an impulse of a step is spread over the substeps. @inline */
function stopSoftness(axis: JointAxis): f32 {
  return axis.stopCfm * context().dt * context().inverseH;
}
function yielding(row: JointRow, softness: f32, excess: f32, old: f32): f32 {
  return -(row.mass * excess + softness * old) / (<f32>1 + softness);
}

/** At the end of a substep: impulses of impacts must not warm start. Returns whether there was one. */
export function forgetBounce(axis: JointAxis, row: JointRow): bool {
  const bounced = row.lowApproach < 0 || row.highApproach < 0;
  if (row.lowApproach < 0) axis.lowImpulse = 0;
  if (row.highApproach < 0) axis.highImpulse = 0;
  row.lowApproach = 0;
  row.highApproach = 0;
  return bounced;
}

/**
 * Share of its last impulse with which a row starts that is solved one after the other with its neighbours, and removes its error
 * x at this rate, 1/s. A pass gives only a share k of the impulse that is asked for, the less the longer the chain, and adds it
 * to the last one: force follows speed and error as in x‴ + k x″ + k x′ + k·rate·x = 0 (times in substeps), which swings up for
 * k < rate. Two bars on `fixed` joints with erp 0.2 flew apart at 200 m/s. If force also fades at this rate, no k does. Where a
 * pass gives all that is asked for, the start has no influence.
 */
export function keptOf(rate: f32): f32 {
  return max<f32>(0, <f32>1 - rate * context().h);
}

export function warmStartAxis(s: Solving, at: AxisRow): void {
  const w = s.w;
  const axis = at.axis;
  const row = at.row;
  const a = s.a;
  const b = s.b;
  axis.springImpulse = 0; // solved from the velocity without it
  const dt = context().dt;
  const isLimit = axis.low < axis.high;
  let rate = axis.flags & AXIS_STOP ? axis.stopErp / dt : w.biasRate;
  if (s.j.hertz < 0 && !isLimit && !(axis.flags & AXIS_STOP)) rate *= ERP_LEAK;
  const kept = keptOf(rate);
  axis.lowImpulse *= kept;
  axis.highImpulse *= kept;
  if (axis.flags & AXIS_SERVO) axis.motorImpulse *= keptOf(<f32>1 / dt);
  const impulse = axis.lowImpulse - axis.highImpulse + axis.motorImpulse;
  if (impulse == 0) return;
  // The row alone: the anchors warm start with their own impulse.
  const p = scale(row.normal, impulse);
  a.linear = sub(a.linear, mul(p, w.invMassA));
  b.linear = add(b.linear, mul(p, w.invMassB));
  const twisted = carriesTwist(w);
  a.angular = addScaled(a.angular, twisted ? row.turnA : inertiaA(w, row.armA), -impulse);
  b.angular = addScaled(b.angular, twisted ? row.turnB : inertiaB(w, row.armB), impulse);
}

// --- blocks ---

/**
 * Writes the inverse of a symmetric 3×3 matrix, by columns, to `out`, `out` + 16, + 32; 0 if its trace is at most
 * `nothing`.
 */
export function invertSymmetric(m: Columns, nothing: f32, out: usize): void {
  const c0 = m.c0;
  const c1 = m.c1;
  const c2 = m.c2;
  const size = x(c0) + y(c1) + z(c2);
  if (!(size > nothing)) return memory.fill(out, 0, 48);
  // Cubes would leave the range of f32: the matrix is scaled by a power of two, which is exact, to a trace from 1 to 2.
  const unit = reinterpret<f32>((254 << 23) - (reinterpret<i32>(size) & (255 << 23)));
  invert(scale(c0, unit), scale(c1, unit), scale(c2, unit), out);
  for (let o: usize = 0; o < 48; o += 16) v128.store(out + o, scale(v128.load(out + o), unit));
}

function invert(c0: v128, c1: v128, c2: v128, out: usize): void {
  const size = x(c0) + y(c1) + z(c2);
  let d0 = c0;
  let d1 = c1;
  let d2 = c2;
  let k0 = cross(d1, d2);
  let det = dot(d0, k0);
  if (!(det > <f32>1e-9 * size * size * size)) {
    // In a direction in which nothing can move: avoid a division by 0.
    const little = <f32>1e-3 * size;
    d0 = add(d0, vec3(little, 0, 0));
    d1 = add(d1, vec3(0, little, 0));
    d2 = add(d2, vec3(0, 0, little));
    k0 = cross(d1, d2);
    det = dot(d0, k0);
  }
  const inverse = det != 0 ? <f32>1 / det : <f32>0;
  v128.store(out, scale(k0, inverse));
  v128.store(out, scale(cross(d2, d0), inverse), 16);
  v128.store(out, scale(cross(d0, d1), inverse), 32);
}

/** One column of the response at the anchors: change of the separation's velocity by a unit impulse along e. */
function respond(w: JointWork, e: v128): v128 {
  const a = cross(inertiaA(w, cross(w.rA, e)), w.rA);
  const b = cross(inertiaB(w, cross(w.rB, e)), w.rB);
  const k = add(add(mul(e, add(w.invMassA, w.invMassB)), a), b);
  return w.softening > 0 ? add(scale(k, w.massScale), scale(mul(e, inverseMass(w)), w.softening)) : k;
}

/** Prepares the lock of the anchors. Rows of the same joint need the inverse of its response. */
export function preparePoint(w: JointWork, withRows: bool): void {
  w.linearLocks = 3;
  if (w.idle || w.driven || (w.batched && !withRows)) return;
  if (w.softening > 0) {
    // Both impulses act midway between the anchors, so that they change no angular momentum.
    w.rA = addScaled(w.rA, w.separation, 0.5);
    w.rB = addScaled(w.rB, w.separation, -0.5);
  }
  invertSymmetric(
    new Columns(respond(w, vec3(1, 0, 0)), respond(w, vec3(0, 1, 0)), respond(w, vec3(0, 0, 1))),
    <f32>1 / MOST_IMPULSE,
    changetype<usize>(w) + offsetof<JointWork>('point0'),
  );
}

/** Velocity of B's anchor relative to A's. @inline */
function pointVelocity(w: JointWork, a: BodyVelocity, b: BodyVelocity): v128 {
  return add(sub(b.linear, a.linear), sub(cross(b.angular, w.rB), cross(a.angular, w.rA)));
}

/** Solves the lock of the anchors. */
export function solvePoint(s: Solving, withBias: bool): void {
  const j = s.j;
  const w = s.w;
  const a = s.a;
  const b = s.b;
  let v = pointVelocity(w, a, b);
  if (withBias) v = add(v, scale(w.separation, w.biasRate));
  const old = j.pointImpulse;
  const spring = w.softening > 0;
  if (spring) v = add(scale(v, w.massScale), scale(mul(old, inverseMass(w)), w.softening));
  let impulse = correct(old, apply3(w.point0, w.point1, w.point2, v), w, withBias && !spring);
  if (w.soft) impulse = atMost(impulse, j.maxForce);
  j.pointImpulse = impulse;
  pushPoint(w, a, b, sub(impulse, old));
}

/** The old impulse minus the correction for the velocity error; soft in the biased pass. @inline */
function correct(old: v128, excess: v128, w: JointWork, withBias: bool): v128 {
  if (!withBias) return sub(old, excess);
  return sub(scale(old, <f32>1 - w.impulseScale), scale(excess, w.massScale));
}

/** Clamps an impulse to a force; 0: no limit. */
function atMost(impulse: v128, force: f32): v128 {
  if (!(force > 0)) return impulse;
  const most = force * context().h;
  const size2 = dot(impulse, impulse);
  return size2 > most * most ? scale(impulse, most / sqrt<f32>(size2)) : impulse;
}

/** Prepares two or three directions about which B must not rotate relative to A, and the angular error. */
export function prepareTurn(w: JointWork, count: i32, directions: Columns, error: v128): void {
  const d0 = directions.c0;
  const d1 = directions.c1;
  const d2 = directions.c2;
  w.angularLocks = count;
  w.lock0 = d0;
  w.lock1 = d1;
  w.lock2 = d2;
  w.turnError = error;
  // If solved in lanes, the inverse is needed only for axes that must keep the lock.
  if (w.batched && (w.linearLocks == 3 || w.driven)) return;
  const k0 = add(inertiaA(w, d0), inertiaB(w, d0));
  const k1 = add(inertiaA(w, d1), inertiaB(w, d1));
  const out = changetype<usize>(w) + offsetof<JointWork>('turn0');
  // If bodies can rotate about one axis only, the response of locks across it is only rounding: an impulse 1e14 times
  // too large would then rotate them about the third axis.
  const most =
    x(w.inertiaA0) + y(w.inertiaA1) + z(w.inertiaA2) + x(w.inertiaB0) + y(w.inertiaB1) + z(w.inertiaB2);
  const nothing = max<f32>(<f32>1 / MOST_IMPULSE, <f32>1e-6 * most);
  if (count == 3) {
    const k2 = add(inertiaA(w, d2), inertiaB(w, d2));
    invertSymmetric(
      new Columns(
        vec3(dot(k0, d0), dot(k0, d1), dot(k0, d2)),
        vec3(dot(k0, d1), dot(k1, d1), dot(k1, d2)),
        vec3(dot(k0, d2), dot(k1, d2), dot(k2, d2)),
      ),
      nothing,
      out,
    );
    return;
  }
  const k00 = dot(k0, d0);
  const k01 = dot(k0, d1);
  const k11 = dot(k1, d1);
  const last = vec3(0, 0, <f32>0.5 * (k00 + k11));
  invertSymmetric(new Columns(vec3(k00, k01, 0), vec3(k01, k11, 0), last), nothing, out);
}

export function solveTurn(s: Solving, withBias: bool): void {
  const j = s.j;
  const w = s.w;
  const a = s.a;
  const b = s.b;
  const relative = sub(b.angular, a.angular);
  let v = vec3(
    dot(w.lock0, relative),
    dot(w.lock1, relative),
    w.angularLocks == 3 ? dot(w.lock2, relative) : 0,
  );
  if (withBias) v = add(v, scale(w.turnError, w.biasRate));
  const old = j.angularImpulse;
  let impulse = correct(old, apply3(w.turn0, w.turn1, w.turn2, v), w, withBias);
  if (w.soft) impulse = atMost(impulse, j.maxTorque);
  j.angularImpulse = impulse;
  pushTurn(w, a, b, lockImpulse(w, sub(impulse, old)));
}

/** Converts components along the locked directions to world axes. @inline */
export function lockImpulse(w: JointWork, impulse: v128): v128 {
  return apply3(w.lock0, w.lock1, w.lock2, impulse);
}
