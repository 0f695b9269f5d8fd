// Responses of a batch to its drives: the matrix W of driveSolve.ts. In: arms and factors of the locked directions, the
// list of drives. Out, in World.driveData: the effect of a unit impulse of each drive on the speeds of all drives, with
// every lock satisfied, and what the locks need for it.
//
// With A = L D Lᵀ of the locks and r the speeds that the unit impulses of drives i and k cause at the locks:
//
//   W_ik = J_i M⁻¹ J_kᵀ − y_i · D⁻¹ y_k,   L y = −r
//
// so that the forward half of a substitution suffices per drive. The impulses of locks follow from D Lᵀ λ = Σ y_i Δλ_i, once
// for all drives.
//
// With bodies of a thousand times a limb's mass, locks may take nearly all of a response, and the difference has too few digits
// left. In such a batch responses are measured: a unit impulse, the locks' answer to it, the speeds of all drives.

import { add, mul, splat, sub, x, y, z, zero } from '../../math/vector';
import { BatchBody, Drive, JointBatch } from '../../memory/records';
import { batchBodyAt, batchJointAt, rowAt, workAt, world } from '../../memory/tables';
import { LOCK_TOLERANCE, ROUNDING } from '../../tolerances';
import { substituteBack, substituteForward } from './batchFactor';
import { applyValues, jointSpeeds, move } from './batchRows';
import { driveAt, firstDrive } from './drives';

// Data of a batch: i32x4 ids of its drives; f32x4 response of each to itself without locks, and its largest effect on
// locks; the matrix by rows; y of each drive.

/** @inline */
function nameAt(u: JointBatch, i: i32): usize {
  return <usize>world().driveData + <usize>u.drives + ((<usize>i) << 4);
}
/** @inline */
export function freeAt(u: JointBatch, i: i32): usize {
  return nameAt(u, u.driveRoom + i);
}
/** @inline */
export function borneAt(u: JointBatch, i: i32): usize {
  return nameAt(u, 2 * u.driveRoom + i);
}
/** @inline */
export function responseAt(u: JointBatch, i: i32, k: i32): usize {
  return nameAt(u, u.driveRoom * (3 + i) + k);
}
/**
 * What a unit impulse of drive i asks of the locks, substituted forward: y, one value per row; their impulses if
 * `measured`. @inline
 */
export function askedOfLocks(u: JointBatch, i: i32): usize {
  return nameAt(u, u.driveRoom * (3 + u.driveRoom) + i * u.rowCount);
}

// Scratch: i32x4 the next drive of each lane, as index plus one; bodies A and B of the current drive of each lane.
const NEXT: usize = memory.data(16, 16);
const BODIES_A: usize = memory.data(16, 16);
const BODIES_B: usize = memory.data(16, 16);

/** @inline */
function wordOf(array: usize, lane: i32): usize {
  return array + ((<usize>lane) << 2);
}

/**
 * Computes the responses together with the factors of the locks, or with the current factors if the set of drives
 * changed.
 */
export function respondDrives(u: JointBatch): void {
  if (u.driveCount == 0) {
    u.named = 0;
    return;
  }
  // Ropes turn without their bodies.
  if (nameDrives(u) && u.aged && !u.loose) return;
  for (let k = 0; k < u.bodyCount; k++) rest(batchBodyAt(u, k));
  v128.store(NEXT, u.firstDrive);
  for (let i = 0; i < u.driveCount; i++) {
    pushDrives(u, i);
    respondFreely(u, i);
    const first = askLocks(u, i);
    restPushed(u);
    substituteForward(u, askedOfLocks(u, i), first);
    respondLocked(u, i, first);
  }
  u.measured = spansMasses(u) ? 1 : 0;
  if (u.measured) measureResponses(u);
}

/**
 * Whether a lane has bodies of such different mass, from 1:1,000 on, that roundings of the larger responses are no longer small
 * speeds beside the smaller ones.
 */
function spansMasses(u: JointBatch): bool {
  let most = zero();
  let least = splat(Infinity);
  for (let i = 0; i < u.bodyCount; i++) {
    const inverse = batchBodyAt(u, i).invMassX;
    most = f32x4.pmax(most, inverse);
    least = f32x4.pmin(least, v128.bitselect(inverse, splat(Infinity), f32x4.gt(inverse, zero())));
  }
  return v128.any_true(f32x4.gt(mul(most, splat(ROUNDING)), mul(least, splat(LOCK_TOLERANCE))));
}

/** Measures the responses, and keeps the impulses of locks for a unit impulse of each drive in place of y. */
function measureResponses(u: JointBatch): void {
  const values = <usize>world().batchData + <usize>u.values;
  const size = (<usize>u.rowCount) << 4;
  v128.store(NEXT, u.firstDrive);
  for (let i = 0; i < u.driveCount; i++) {
    for (let k = 0; k < u.bodyCount; k++) rest(batchBodyAt(u, k));
    pushDrives(u, i);
    memory.copy(values, askedOfLocks(u, i), size);
    substituteBack(u);
    memory.copy(askedOfLocks(u, i), values, size);
    applyValues(u);
    writeSpeeds(u, i, false);
  }
}

/** Writes the ids of the drives; returns whether they are those of the last call. */
function nameDrives(u: JointBatch): bool {
  let same = u.named == u.driveCount; // if the number differs, the old ids are not valid
  v128.store(NEXT, u.firstDrive);
  for (let i = 0; i < u.driveCount; i++) {
    for (let lane = 0; lane < 4; lane++) {
      const at = load<i32>(wordOf(NEXT, lane));
      let name = 0;
      if (at) {
        const d = driveAt(at - 1);
        name = (d.joint << 5) | (d.axis << 2) | d.kind;
        store<i32>(wordOf(NEXT, lane), d.next);
      }
      const to = wordOf(nameAt(u, i), lane);
      same = same && load<i32>(to) == name;
      store<i32>(to, name);
    }
  }
  u.named = u.driveCount;
  return same;
}

/** Moves the bodies by a unit impulse of drive i of each lane. */
function pushDrives(u: JointBatch, _i: i32): void {
  for (let lane = 0; lane < 4; lane++) {
    const at = load<i32>(wordOf(NEXT, lane));
    let a = -1;
    let b = -1;
    if (at) {
      const d = driveAt(at - 1);
      a = d.bodyA;
      b = d.bodyB;
      pushDrive(u, d, lane, 1);
    }
    store<i32>(wordOf(BODIES_A, lane), a);
    store<i32>(wordOf(BODIES_B, lane), b);
  }
  for (let lane = 0; lane < 4; lane++) {
    if (load<i32>(wordOf(NEXT, lane)) == 0) continue;
    move(batchBodyAt(u, load<i32>(wordOf(BODIES_A, lane))));
    move(batchBodyAt(u, load<i32>(wordOf(BODIES_B, lane))));
  }
}

/** Writes the speeds of drives 0 to i of each lane, without locks. */
function respondFreely(u: JointBatch, i: i32): void {
  for (let k = 0; k <= i; k++) v128.store(responseAt(u, i, k), zero());
  writeSpeeds(u, i, true);
  v128.store(freeAt(u, i), v128.load(responseAt(u, i, i)));
}

/** After a unit impulse of drive i of each lane; row i up to its diagonal, or the whole column. Goes on to the next drive. */
function writeSpeeds(u: JointBatch, i: i32, upToOwn: bool): void {
  for (let lane = 0; lane < 4; lane++) {
    const current = load<i32>(wordOf(NEXT, lane));
    if (current == 0) continue;
    for (let at = firstDrive(u, lane); at != 0; ) {
      const other = driveAt(at - 1);
      const entry = upToOwn ? responseAt(u, i, other.place) : responseAt(u, other.place, i);
      store<f32>(entry + ((<usize>lane) << 2), <f32>driveSpeed(u, other, lane));
      at = upToOwn && at == current ? 0 : other.next;
    }
    store<i32>(wordOf(NEXT, lane), driveAt(current - 1).next);
  }
}

/** Writes minus the speeds at the locks; returns the first joint with any. */
function askLocks(u: JointBatch, i: i32): i32 {
  const bodiesA = v128.load(BODIES_A);
  const bodiesB = v128.load(BODIES_B);
  let first = u.jointCount;
  let borne = zero();
  const own = askedOfLocks(u, i);
  memory.fill(own, 0, (<usize>u.rowCount) << 4);
  for (let k = 0; k < u.jointCount; k++) {
    const j = batchJointAt(u, k);
    const a = i32x4.splat(j.a);
    const b = i32x4.splat(j.b);
    const onA = v128.or(i32x4.eq(a, bodiesA), i32x4.eq(a, bodiesB));
    const onB = v128.or(i32x4.eq(b, bodiesA), i32x4.eq(b, bodiesB));
    if (!v128.any_true(v128.or(onA, onB))) continue;
    borne = f32x4.pmax(borne, jointSpeeds(u, j, own + ((<usize>j.firstRow) << 4)));
    first = min(first, k);
  }
  v128.store(borneAt(u, i), borne);
  return first;
}

/** Subtracts what the locks take, and copies the row to the column. Joints before `first` take nothing. */
function respondLocked(u: JointBatch, i: i32, first: i32): void {
  if (first < u.jointCount) {
    const from = (<usize>batchJointAt(u, first).firstRow) << 4;
    const size = (<usize>u.rowCount) << 4;
    const pivots = <usize>world().batchData + <usize>u.pivots;
    const values = <usize>world().batchData + <usize>u.values;
    const own = askedOfLocks(u, i);
    for (let o = from; o < size; o += 16)
      v128.store(values + o, mul(v128.load(own + o), v128.load(pivots + o)));
    for (let k = 0; k <= i; k++) {
      const at = responseAt(u, i, k);
      const other = askedOfLocks(u, k);
      let taken = zero();
      for (let o = from; o < size; o += 16)
        taken = add(taken, mul(v128.load(values + o), v128.load(other + o)));
      v128.store(at, sub(v128.load(at), taken));
    }
  }
  for (let k = 0; k < i; k++) v128.store(responseAt(u, k, i), v128.load(responseAt(u, i, k)));
}

function rest(b: BatchBody): void {
  b.vX = zero();
  b.vY = zero();
  b.vZ = zero();
  b.wX = zero();
  b.wY = zero();
  b.wZ = zero();
}

function restPushed(u: JointBatch): void {
  for (let lane = 0; lane < 4; lane++) {
    const a = load<i32>(wordOf(BODIES_A, lane));
    if (a < 0) continue;
    rest(batchBodyAt(u, a));
    rest(batchBodyAt(u, load<i32>(wordOf(BODIES_B, lane))));
  }
}

/** Adds an impulse of a drive to the sums of its bodies. */
export function pushDrive(u: JointBatch, d: Drive, lane: i32, impulse: f32): void {
  const row = rowAt(workAt(d.joint), d.axis);
  const offset = (<usize>lane) << 2;
  const a = changetype<usize>(batchBodyAt(u, d.bodyA)) + offset;
  const b = changetype<usize>(batchBodyAt(u, d.bodyB)) + offset;
  addTo(a + offsetof<BatchBody>('lX'), row.armA, -impulse);
  addTo(b + offsetof<BatchBody>('lX'), row.armB, impulse);
  if (isAngular(d)) return;
  addTo(a + offsetof<BatchBody>('pX'), row.normal, -impulse);
  addTo(b + offsetof<BatchBody>('pX'), row.normal, impulse);
}

function addTo(at: usize, v: v128, by: f32): void {
  store<f32>(at, load<f32>(at) + by * x(v));
  store<f32>(at, load<f32>(at, 16) + by * y(v), 16);
  store<f32>(at, load<f32>(at, 32) + by * z(v), 32);
}

/** Speed of B relative to A along the row of the drive. */
export function driveSpeed(u: JointBatch, d: Drive, lane: i32): f64 {
  const row = rowAt(workAt(d.joint), d.axis);
  const offset = (<usize>lane) << 2;
  const a = changetype<usize>(batchBodyAt(u, d.bodyA)) + offset;
  const b = changetype<usize>(batchBodyAt(u, d.bodyB)) + offset;
  const linear = offsetof<BatchBody>('vX');
  const angular = offsetof<BatchBody>('wX');
  const turning = along(row.armB, b + angular) - along(row.armA, a + angular);
  return isAngular(d) ? turning : along(row.normal, b + linear) - along(row.normal, a + linear) + turning;
}

/** Whether its row has no normal. @inline */
function isAngular(d: Drive): bool {
  return d.axis >= 3;
}

function along(n: v128, at: usize): f64 {
  return (
    <f64>x(n) * <f64>load<f32>(at) + <f64>y(n) * <f64>load<f32>(at, 16) + <f64>z(n) * <f64>load<f32>(at, 32)
  );
}
