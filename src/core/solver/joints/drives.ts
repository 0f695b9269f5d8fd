// Limits, motors, servos and springs ("drives") of joints that the direct solver handles (direct.ts). In: rows of their
// axes. Out: a list per lane of a batch, each drive with its force law: the impulse that it may give at each speed of
// its axis.
//
// If such rows are solved one after the other, with only the masses next to them, they over-relax: three servos in a
// row with a load at the end threw it. With the locked directions of the structure satisfied, the effect of unit
// impulses of the rows on the speeds of all rows is a small matrix W (driveSolve.ts), against which the laws are solved
// exactly.
//
// A law is a staircase that falls with speed. Its vertical segments hold a speed: the lower limit, the motor, the upper
// limit. Its horizontal segments hold an impulse: the motor's maximum in either direction, or none.

import { zero } from '../../math/vector';
import { reallocate } from '../../memory/allocator';
import { AXIS_MOTOR, AXIS_SERVO, AXIS_SPRING, AXIS_STOP, JOINT_AXIS_COUNT } from '../../memory/constants';
import { Drive, Joint, JointAxis, JointBatch, JointRow, JointWork, World } from '../../memory/records';
import {
  axisAt,
  batchAt,
  DRIVE_SIZE,
  grownCapacity,
  growTable,
  jointAt,
  rowAt,
  velocityAt,
  wordAt,
  workAt,
  world,
} from '../../memory/tables';
import { LIMIT_IMPACT_SPEED, MOST_LIMIT_PUSH, NEAR_DRIVEN_LIMIT } from '../../tolerances';
import { context } from '../context';
import { lists } from '../lists';
import { AxisRow, isLimited, isLocked, noteHit, roomBelow, rowVelocity } from './rows';
import { softenAxis } from './soft';
import { isConeAxis } from './types';

// Kinds, in the order in which they are listed if an axis has several.
export const DRIVE_SPRING = 0;
export const DRIVE_RANGE = 1; // limits, motor, servo
export const DRIVE_LOCK = 2; // a soft lock
export const DRIVE_CONE = 3;

// Segments of a law, in the order of increasing speed.
export const AT_LOW = 0;
export const PUSHING = 1; // the motor gives its largest impulse
export const AT_TARGET = 2;
export const BRAKING = 3; // the motor gives its largest impulse in the other direction
export const AT_HIGH = 4;
export const FROZEN = 5; // keeps its impulse in this phase

/** Most drives in one lane. Structures with more are solved in passes. */
export const MOST_DRIVES = 64;

/** @inline */
export function driveAt(index: i32): Drive {
  return changetype<Drive>(<usize>world().driveRows + <usize>index * DRIVE_SIZE);
}

/** @inline */
function laneOf(field: usize, lane: i32): usize {
  return field + ((<usize>lane) << 2);
}

/** First drive of a lane, as index plus one. */
export function firstDrive(u: JointBatch, lane: i32): i32 {
  return load<i32>(laneOf(changetype<usize>(u) + offsetof<JointBatch>('firstDrive'), lane));
}

export function countDrives(u: JointBatch, lane: i32): i32 {
  return load<i32>(laneOf(changetype<usize>(u) + offsetof<JointBatch>('driveCounts'), lane));
}

/** Axes of a joint that are not locked rows of its batch. */
function openAxes(w: JointWork): i32 {
  return w.rowMask & ~(w.locks >> 6);
}

/** What the last pass over joints noted about the one with this place in the list; in memory that arrangeBatches needs. @inline */
export function noteOf(place: i32): i32 {
  return wordAt(world().jointOrder, place);
}

// Note of a prepared joint with something to solve outside of the rows of batches: whether it is listed in
// World.idleJoints, from bit 2 on how many drives it can have, from bit 6 on JointWork.home.
const IS_SCALAR = 1;
export const IS_IDLE = 2;
const NOTE_HOME = 6;

export function noteDrives(j: Joint, w: JointWork): i32 {
  const open = openAxes(w);
  let count = popcnt<i32>(open);
  for (let k = 0; k < JOINT_AXIS_COUNT; k++) {
    const axis = axisAt(j, k);
    const set = (open >> k) & 1 ? axis.flags : 0;
    if (set & AXIS_SPRING && (set & (AXIS_MOTOR | AXIS_SERVO) || isLimited(axis))) count++;
  }
  return (w.idle ? IS_IDLE : IS_SCALAR) | (count << 2) | (w.home << NOTE_HOME);
}

/** At the start of a step, from the notes of all active joints: reserves memory for all possible drives. */
export function reserveDrives(): void {
  const g = world();
  for (let i = 0; i < g.batchCount; i++) {
    const u = batchAt(i);
    u.driveCount = 0;
    u.driveRoom = 0;
    u.looseApart = 0;
    u.driveCounts = zero();
  }
  const total = countPossible(false);
  if (total == 0) return;
  let crowded = false;
  for (let i = 0; i < g.batchCount; i++) {
    const u = batchAt(i);
    if (u.driveRoom <= MOST_DRIVES) continue;
    crowded = true;
    u.driveRoom = 0;
    u.looseApart = 1;
    u.driveCounts = zero();
  }
  if (crowded) countPossible(true);
  growTable(offsetof<World>('driveRows'), total, DRIVE_SIZE);
  let top: usize = 0;
  for (let i = 0; i < g.batchCount; i++) {
    const u = batchAt(i);
    if (u.driveRoom > MOST_DRIVES) u.driveRoom = 0;
    u.drives = <i32>top;
    // Ids, own responses, effects on locks, the matrix; then per drive impulses of locks.
    top += (<usize>(u.driveRoom * (u.driveRoom + 3 + u.rowCount))) << 4;
  }
  if (top > <usize>g.driveDataCapacity) {
    const capacity = grownCapacity(g.driveDataCapacity, <i32>top);
    g.driveData = reallocate(g.driveData, <usize>g.driveDataCapacity, <usize>capacity);
    g.driveDataCapacity = capacity;
  }
}

/**
 * Counts the drives that each lane can have, or again, without joints that lock nothing, those of batches that have too many: with
 * five springs of six axes each, an arm lost its six servos, and its links reached 100 km/s. Returns the sum.
 */
function countPossible(again: bool): i32 {
  const g = world();
  let total = 0;
  for (let i = 0; i < g.activeJointCount; i++) {
    const note = noteOf(i);
    const home = note >> NOTE_HOME;
    if (home == 0) continue;
    const u = batchAt((home - 1) >> 2);
    if (again && !(u.looseApart && workAt(wordAt(g.activeJoints, i)).locks != 0)) continue;
    const count = (note >> 2) & 15;
    const at = laneOf(changetype<usize>(u) + offsetof<JointBatch>('driveCounts'), (home - 1) & 3);
    const sum = load<i32>(at) + count;
    store<i32>(at, sum);
    u.driveRoom = max(u.driveRoom, sum);
    total += count;
  }
  return total;
}

/** Note of a joint whose drives are those of a batch. Below it, four bits for each axis, by kinds. */
const DRIVEN = 1 << (4 * JOINT_AXIS_COUNT);

/** @inline */
function mayDrive(u: JointBatch, w: JointWork): bool {
  return u.driveRoom > 0 && (w.locks != 0 || !u.looseApart);
}

/** Finds the drives of a joint for the coming substep: all except limits that are far away. */
export function findDrives(j: Joint, w: JointWork): i32 {
  w.driven = w.home != 0 && mayDrive(batchAt((w.home - 1) >> 2), w) ? 1 : 0;
  if (!w.driven) return 0;
  let note = DRIVEN;
  const open = openAxes(w);
  for (let k = 0; k < JOINT_AXIS_COUNT; k++) {
    if (!((open >> k) & 1) || rowAt(w, k).mass == 0) continue;
    const axis = axisAt(j, k);
    let kinds = 0;
    if (isConeAxis(j.type, k)) {
      if (isConeNear(w, axis, rowAt(w, k))) kinds = 1 << DRIVE_CONE;
    } else if (isLocked(axis)) kinds = 1 << DRIVE_LOCK;
    else {
      if (axis.flags & AXIS_SPRING) kinds = 1 << DRIVE_SPRING;
      if (axis.flags & (AXIS_MOTOR | AXIS_SERVO) || (isLimited(axis) && isNear(w, axis, rowAt(w, k))))
        kinds |= 1 << DRIVE_RANGE;
    }
    note |= kinds << (k << 2);
  }
  return note;
}

/** Lists the drives that are noted about the joints of World.scalarJoints, and counts the joints without. */
export function collectDrives(): void {
  const g = world();
  for (let i = 0; i < g.batchCount; i++) {
    const u = batchAt(i);
    if (u.driveRoom == 0) continue;
    u.driveCount = 0;
    u.firstDrive = zero();
    u.driveCounts = zero();
  }
  let count = 0;
  let undriven = 0;
  for (let i = 0; i < g.scalarJointCount; i++) {
    const note = noteOf(i);
    if (note == 0) undriven++;
    for (let rest = note & (DRIVEN - 1); rest != 0; rest &= rest - 1) {
      const bit = ctz<i32>(rest);
      const slot = wordAt(g.scalarJoints, i);
      addDrive(count++, slot, workAt(slot), new Driven(bit >> 2, bit & 3));
    }
  }
  lists().undriven = undriven;
}

/** @value */
class Driven {
  axis: i32;
  kind: i32; // DRIVE_*
}

/** Appends to its lane's list. Until laws are set, `start` of the first drive is the index of the last. */
function addDrive(index: i32, slot: i32, w: JointWork, what: Driven): void {
  const u = batchAt((w.home - 1) >> 2);
  const lane = (w.home - 1) & 3;
  const d = driveAt(index);
  d.joint = slot;
  d.axis = what.axis;
  d.kind = what.kind;
  d.bodyA = w.members & 0xffff;
  d.bodyB = w.members >>> 16;
  d.next = 0;
  const counts = laneOf(changetype<usize>(u) + offsetof<JointBatch>('driveCounts'), lane);
  const first = laneOf(changetype<usize>(u) + offsetof<JointBatch>('firstDrive'), lane);
  d.place = load<i32>(counts);
  store<i32>(counts, d.place + 1);
  u.driveCount = max(u.driveCount, d.place + 1);
  if (d.place == 0) store<i32>(first, index + 1);
  else driveAt(<i32>driveAt(load<i32>(first) - 1).start).next = index + 1;
  driveAt(load<i32>(first) - 1).start = <f64>index;
}

function isNear(w: JointWork, axis: JointAxis, row: JointRow): bool {
  if (axis.lowImpulse != 0 || axis.highImpulse != 0) return true;
  return min<f32>(roomBelow(w, axis, row), axis.high - row.value) < reach(w, row);
}

function isConeNear(w: JointWork, axis: JointAxis, row: JointRow): bool {
  return axis.highImpulse != 0 || -row.value < reach(w, row);
}

/** Distance that the axis can cover in two substeps, and a margin. */
function reach(w: JointWork, row: JointRow): f32 {
  return (
    NEAR_DRIVEN_LIMIT +
    <f32>2 * context().h * abs<f32>(rowVelocity(row, velocityAt(w.solverBodyA), velocityAt(w.solverBodyB)))
  );
}

/** The impulse that warm starts a substep. Springs start from 0: they are solved from the speed without them. */
export function startDrive(d: Drive): f32 {
  const axis = axisAt(jointAt(d.joint), d.axis);
  if (d.kind == DRIVE_SPRING) {
    axis.springImpulse = 0;
    return 0;
  }
  if (d.kind == DRIVE_LOCK) return axis.lowImpulse;
  if (d.kind == DRIVE_CONE) return -axis.highImpulse;
  return axis.lowImpulse - axis.highImpulse + axis.motorImpulse;
}

/**
 * Sets the law of a drive for a phase of a substep. `response`: speed of its axis per impulse with all locks satisfied.
 */
export function setLaw(d: Drive, response: f64, withBias: bool): void {
  const j = jointAt(d.joint);
  const w = workAt(d.joint);
  const axis = axisAt(j, d.axis);
  const row = rowAt(w, d.axis);
  d.low = -Infinity;
  d.high = Infinity;
  d.target = Infinity;
  d.most = 0;
  d.stopSoftness = 0;
  d.softness = 0;
  d.state = PUSHING;
  if (d.kind == DRIVE_SPRING) {
    d.impulse = <f64>axis.springImpulse;
    if (withBias) setSpring(d, axis, row, response);
    else d.state = FROZEN;
  } else if (d.kind == DRIVE_LOCK) {
    d.impulse = <f64>axis.lowImpulse;
    setLock(d, axis, row, withBias);
  } else if (d.kind == DRIVE_CONE) {
    d.impulse = -(<f64>axis.highImpulse);
    d.high = -limitSpeed(-row.value, w.biasRate, axis.highImpulse, withBias);
    if (axis.highImpulse > 0) d.state = AT_HIGH;
  } else {
    d.impulse = <f64>axis.lowImpulse - <f64>axis.highImpulse + <f64>axis.motorImpulse;
    setRange(d, w, new AxisRow(axis, row), withBias);
  }
  d.start = d.impulse;
}

/** m/s or rad/s at which a gap may close (< 0) or has to open. */
function limitSpeed(gap: f32, rate: f32, old: f32, withBias: bool): f64 {
  // Such a limit is hit in the next substep, at full speed (rows.ts).
  if (!withBias && old == 0) return -Infinity;
  if (gap > 0) return -(<f64>gap) * <f64>context().inverseH;
  return withBias ? <f64>min<f32>(-rate * gap, MOST_LIMIT_PUSH) : 0;
}

function setRange(d: Drive, w: JointWork, at: AxisRow, withBias: bool): void {
  const axis = at.axis;
  const row = at.row;
  const step = context();
  if (axis.flags & (AXIS_MOTOR | AXIS_SERVO)) {
    let target = axis.motorVelocity;
    if (axis.flags & AXIS_SERVO) {
      const most = abs<f32>(target);
      target = max<f32>(-most, min<f32>(most, (axis.servoTarget - row.value) / step.dt));
    }
    d.target = <f64>target;
    d.most = <f64>axis.maxMotorForce * <f64>step.h;
  }
  if (isLimited(axis)) {
    const below = roomBelow(w, axis, row);
    const above = axis.high - row.value;
    if (axis.flags & AXIS_STOP) {
      const softness = axis.stopCfm * step.dt * step.inverseH;
      d.stopSoftness = <f64>(softness / row.mass);
      if (softness > 0 && !withBias && (below <= 0 || above <= 0)) d.state = FROZEN;
      const rate = axis.stopErp / step.dt;
      d.low = stopSpeed(axis, new Stop(below, rate, axis.lowImpulse, row.lowApproach), withBias);
      d.high = -stopSpeed(axis, new Stop(above, rate, axis.highImpulse, row.highApproach), withBias);
    } else {
      d.low = limitSpeed(below, w.biasRate, axis.lowImpulse, withBias);
      d.high = -limitSpeed(above, w.biasRate, axis.highImpulse, withBias);
    }
  }
  if (d.state == FROZEN) return;
  if (axis.lowImpulse > 0) d.state = AT_LOW;
  else if (axis.highImpulse > 0) d.state = AT_HIGH;
  else if (d.most > 0) d.state = d.target <= d.low ? BRAKING : d.target >= d.high ? PUSHING : AT_TARGET;
}

/** @value */
class Stop {
  gap: f32;
  rate: f32; // 1/s, of removing a violation
  impulse: f32;
  approach: f32; // speed of a fast approach, negative, otherwise 0
}

/**
 * The same with Bullet's parameters and restitution: after a fast approach the axis rebounds at a share of that speed
 * (rows.ts).
 */
function stopSpeed(axis: JointAxis, stop: Stop, withBias: bool): f64 {
  if (stop.approach < 0) return <f64>(-axis.bounce * stop.approach);
  return limitSpeed(stop.gap, stop.rate, stop.impulse, withBias);
}

function setLock(d: Drive, axis: JointAxis, row: JointRow, withBias: bool): void {
  const step = context();
  const softness = axis.stopCfm * step.dt * step.inverseH;
  d.softness = <f64>(softness / row.mass);
  d.most = Infinity;
  d.state = softness > 0 && !withBias ? FROZEN : AT_TARGET;
  const asked = (axis.stopErp / step.dt) * (row.value - axis.low);
  d.target = withBias ? -(<f64>max<f32>(-MOST_LIMIT_PUSH, min<f32>(MOST_LIMIT_PUSH, asked))) : 0;
}

/** As in soft.ts, with the effective mass in the whole structure: impulse = −a v − b with the speed v at the end of the substep. */
function setSpring(d: Drive, axis: JointAxis, row: JointRow, response: f64): void {
  softenAxis(axis, row, 1 / response);
  const loss = <f64>row.springLoss;
  const stretch = row.value - axis.springTarget;
  const b = row.springPrevious * row.previousVelocity + row.springPosition * stretch;
  const a = max<f64>(<f64>row.springVelocity / loss, 1e-9 / response);
  d.softness = 1 / a;
  d.target = -(<f64>b) / (a * loss);
  d.most = axis.maxSpringForce > 0 ? <f64>axis.maxSpringForce * <f64>context().h : Infinity;
  d.state = AT_TARGET;
}

/** Distributes the drive's impulse over the axis: to its motor, to its limits. */
export function bookDrive(d: Drive, withBias: bool): void {
  const j = jointAt(d.joint);
  const axis = axisAt(j, d.axis);
  const impulse = <f32>d.impulse;
  if (d.kind == DRIVE_SPRING) axis.springImpulse = impulse;
  else if (d.kind == DRIVE_LOCK) axis.lowImpulse = impulse;
  else if (d.kind == DRIVE_CONE) {
    if (withBias && isStruck(d)) workAt(d.joint).bounced = 1;
    axis.highImpulse = -impulse;
  } else if (d.state != FROZEN) {
    const row = rowAt(workAt(d.joint), d.axis);
    let motor = d.impulse;
    if (d.state == AT_LOW) motor = lowEnd(d);
    else if (d.state == AT_HIGH) motor = highEnd(d);
    if (withBias && isStruck(d)) workAt(d.joint).bounced = 1;
    axis.motorImpulse = <f32>motor;
    axis.lowImpulse = d.state == AT_LOW ? <f32>(d.impulse - motor) : 0;
    axis.highImpulse = d.state == AT_HIGH ? <f32>(motor - d.impulse) : 0;
    if (!withBias || !(axis.bounce > 0) || !(axis.flags & AXIS_STOP)) return;
    // The limit was hit in this substep and will rebound.
    if (d.state == AT_LOW && row.lowApproach == 0 && d.start <= lowEnd(d)) noteHit(row, <f32>d.speed, true);
    if (d.state == AT_HIGH && row.highApproach == 0 && d.start >= highEnd(d))
      noteHit(row, -(<f32>d.speed), false);
  }
}

function isStruck(d: Drive): bool {
  if (d.state == AT_LOW) return d.start <= lowEnd(d) && d.speed < d.low - LIMIT_IMPACT_SPEED;
  return d.state == AT_HIGH && d.start >= highEnd(d) && d.speed > d.high + LIMIT_IMPACT_SPEED;
}

/** Smallest impulse of a drive at its lower limit: that of its motor. */
export function lowEnd(d: Drive): f64 {
  return d.target > d.low ? d.most : -d.most;
}

/** Largest impulse of a drive at its upper limit. */
export function highEnd(d: Drive): f64 {
  return d.target < d.high ? -d.most : d.most;
}
