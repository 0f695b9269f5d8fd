// Solves the drives of a batch together. In: their force laws (drives.ts), factors of the locked directions. Out: their
// impulses.
//
//   v = v₀ + W Δλ,   W = J (M⁻¹ − M⁻¹ Lᵀ (L M⁻¹ Lᵀ)⁻¹ L M⁻¹) Jᵀ
//
// with the rows J of the drives and L of the locked directions. Each drive is on one segment of its law (see
// drives.ts). The right segments are found by pivoting: assume segments, solve, and move each drive whose solution is
// outside its segment (K. Murty, "Note on a Bard-type scheme for solving the complementarity problem", Opsearch 11,
// 1974). The first guess is the segments of the last substep. All drives move at once while this makes progress, then
// one at a time, which always terminates.

import { add, mul, splat } from '../../math/vector';
import { Drive, JointBatch } from '../../memory/records';
import { axisAt, batchRowAt, jointAt, world } from '../../memory/tables';
import { DRIVE_SOFTENING, DRIVE_TOLERANCE } from '../../tolerances';
import { substituteBack } from './batchFactor';
import { largest } from './batchLanes';
import { applyValues } from './batchRows';
import { askedOfLocks, borneAt, driveSpeed, freeAt, pushDrive, responseAt } from './driveResponses';
import {
  AT_HIGH,
  AT_LOW,
  AT_TARGET,
  BRAKING,
  bookDrive,
  countDrives,
  driveAt,
  FROZEN,
  firstDrive,
  highEnd,
  lowEnd,
  MOST_DRIVES,
  PUSHING,
  setLaw,
  startDrive,
} from './drives';
import { forgetAxis } from './table';

/** Rounds in which all drives outside their segment move at once. */
const ROUNDS = 12;
/** Rounds, per drive, in which one drive moves at a time. */
const SINGLE_ROUNDS = 4;

// Scratch: the matrix below its diagonal, then arrays of MOST_DRIVES f64: right-hand sides and changes, speeds before,
// indices.
const MATRIX: usize = memory.data(MOST_DRIVES * (MOST_DRIVES - 1) * 4, 16);
const VALUES: usize = memory.data(MOST_DRIVES * 8, 16);
const SPEEDS: usize = memory.data(MOST_DRIVES * 8, 16);
const CHANGES: usize = memory.data(MOST_DRIVES * 8, 16);
const PIVOTS: usize = memory.data(MOST_DRIVES * 8, 16);
const ACTIVE: usize = memory.data(MOST_DRIVES * 4, 16); // i32 each
const DRIVES: usize = memory.data(MOST_DRIVES * 4, 16);
const GIVEN: usize = memory.data(MOST_DRIVES * 16, 16); // v128 each: changes of all lanes
const LANES: usize = memory.data(16, 16);

/** @inline */
function work(array: usize, i: i32): usize {
  return array + ((<usize>i) << 3);
}
/** Of the row i, the column k < i. @inline */
function entry(i: i32, k: i32): usize {
  return MATRIX + ((<usize>(((i * (i - 1)) >> 1) + k)) << 3);
}
/** Response below which locks hold a drive: half of what softening adds to it, a share of that without locks. @inline */
function leastResponse(free: f64): f64 {
  return 0.5 * DRIVE_SOFTENING * free;
}
/** @inline */
function driveOf(i: i32): Drive {
  return changetype<Drive>(<usize>load<u32>(DRIVES + ((<usize>i) << 2)));
}

/** @inline */
function response(u: JointBatch, lane: usize, i: i32, k: i32): f64 {
  return <f64>load<f32>(responseAt(u, i, k) + lane);
}

/**
 * Solves impulses for all drives of the batch; `first`: first call of the phase. Returns the largest speed, m/s or
 * rad/s, that they caused at locks, which respond in the same solve; 0 if nothing changed.
 */
export function solveDrives(u: JointBatch, withBias: bool, first: bool): f32 {
  memory.fill(GIVEN, 0, (<usize>u.driveCount) << 4);
  let changed = false;
  for (let lane = 0; lane < 4; lane++) {
    const count = countDrives(u, lane);
    if (count > 0 && solveLane(u, lane, count, new Sweep(withBias, first))) changed = true;
  }
  if (!changed) return 0;
  // The locks respond in the same solve, and only to the impulses: the motion of arms under trial impulses is not real.
  let borne = splat(f32.MIN_NORMAL_VALUE);
  const values = <usize>world().batchData + <usize>u.values;
  const size = (<usize>u.rowCount) << 4;
  memory.fill(values, 0, size);
  for (let i = 0; i < u.driveCount; i++) {
    const change = v128.load(GIVEN + ((<usize>i) << 4));
    if (!v128.any_true(change)) continue;
    borne = f32x4.pmax(borne, mul(f32x4.abs(change), v128.load(borneAt(u, i))));
    const from = askedOfLocks(u, i);
    for (let at: usize = 0; at < size; at += 16)
      v128.store(values + at, add(v128.load(values + at), mul(change, v128.load(from + at))));
  }
  if (!u.measured) substituteBack(u);
  for (let lane = 0; lane < 4; lane++) {
    for (let at = firstDrive(u, lane); at != 0; ) {
      const d = driveAt(at - 1);
      at = d.next;
      const given = load<f32>(GIVEN + ((<usize>d.place) << 4) + ((<usize>lane) << 2));
      if (given != 0) pushDrive(u, d, lane, given);
    }
  }
  for (let r = 0; r < u.rowCount; r++) {
    const row = batchRowAt(u, r);
    row.impulse = add(row.impulse, v128.load(values + ((<usize>r) << 4)));
  }
  applyValues(u);
  return largest(borne);
}

/** @value */
class Sweep {
  withBias: bool;
  first: bool; // of this phase
}

function solveLane(u: JointBatch, lane: i32, count: i32, sweep: Sweep): bool {
  const withBias = sweep.withBias;
  const offset = (<usize>lane) << 2;
  let failed = false; // NaN: the locks have already failed
  for (let at = firstDrive(u, lane), i = 0; at != 0; i++) {
    const d = driveAt(at - 1);
    at = d.next;
    store<u32>(DRIVES + ((<usize>i) << 2), <u32>changetype<usize>(d));
    const v = driveSpeed(u, d, lane);
    const isNumber = abs<f64>(v) < 1e9;
    if (!isNumber) failed = true;
    store<f64>(work(SPEEDS, i), v);
    // Set the law of each drive even if the lane fails: later sweeps of the phase need it.
    if (!sweep.first) continue;
    d.speed = isNumber ? v : 0;
    setLaw(
      d,
      max<f64>(response(u, offset, i, i), leastResponse(<f64>load<f32>(freeAt(u, i) + offset))),
      withBias,
    );
  }
  if (failed) return false;
  findImpulses(u, offset, count);
  let changed = false;
  for (let i = 0; i < count; i++) {
    const change = load<f64>(work(CHANGES, i));
    const free = <f64>load<f32>(freeAt(u, i) + offset);
    if (!(abs<f64>(change) * free > 0)) continue;
    if (abs<f64>(change) * max<f64>(response(u, offset, i, i), leastResponse(free)) > DRIVE_TOLERANCE)
      changed = true;
  }
  if (!changed) return false;
  for (let i = 0; i < count; i++) {
    const d = driveOf(i);
    const before = d.impulse;
    d.impulse += load<f64>(work(CHANGES, i));
    bookDrive(d, withBias);
    store<f32>(GIVEN + ((<usize>i) << 4) + offset, <f32>(d.impulse - before));
  }
  return true;
}

/** Finds changes of the impulses of a lane such that each drive satisfies its law. */
function findImpulses(u: JointBatch, lane: usize, count: i32): void {
  const most = ROUNDS + SINGLE_ROUNDS * count;
  for (let round = 1; ; round++) {
    solveActive(u, lane, count);
    if (round > most || !moveStates(u, lane, count, round > ROUNDS)) break;
  }
  for (let i = 0; i < count; i++) {
    // If the rounds ran out, clamp each drive to its allowed impulse.
    const d = driveOf(i);
    const s = d.state;
    let impulse = d.impulse + load<f64>(work(CHANGES, i));
    if (s == AT_LOW) impulse = max<f64>(impulse, lowEnd(d));
    else if (s == AT_HIGH) impulse = min<f64>(impulse, highEnd(d));
    else if (s == AT_TARGET) impulse = max<f64>(-d.most, min<f64>(d.most, impulse));
    store<f64>(work(CHANGES, i), impulse - d.impulse);
  }
}

/** Segments with a fixed speed are solved by L D Lᵀ; drives on segments with a fixed impulse keep it. */
function solveActive(u: JointBatch, lane: usize, count: i32): void {
  let n = 0;
  for (let i = 0; i < count; i++) {
    const d = driveOf(i);
    const s = d.state;
    let change: f64 = 0;
    if (s == PUSHING) change = d.most - d.impulse;
    else if (s == BRAKING) change = -d.most - d.impulse;
    else if (s != FROZEN) {
      store<i32>(ACTIVE + ((<usize>n) << 2), i);
      n++;
    }
    store<f64>(work(CHANGES, i), change);
  }
  for (let p = 0; p < n; p++) {
    const i = load<i32>(ACTIVE + ((<usize>p) << 2));
    const d = driveOf(i);
    let goal = d.target;
    let softness = d.softness;
    let base: f64 = 0;
    if (d.state != AT_TARGET) {
      goal = d.state == AT_LOW ? d.low : d.high;
      softness = d.stopSoftness;
      if (softness > 0) base = d.state == AT_LOW ? lowEnd(d) : highEnd(d);
    }
    let right = goal - load<f64>(work(SPEEDS, i));
    if (softness > 0) right -= softness * (d.impulse - base);
    for (let k = 0; k < count; k++) {
      const change = load<f64>(work(CHANGES, k));
      if (change != 0) right -= response(u, lane, i, k) * change;
    }
    const free = <f64>load<f32>(freeAt(u, i) + lane);
    let pivot = response(u, lane, i, i) + softness + DRIVE_SOFTENING * free;
    // Row p of L D, then of L; with forward substitution.
    for (let q = 0; q < p; q++) {
      const k = load<i32>(ACTIVE + ((<usize>q) << 2));
      let sum = 0.5 * (response(u, lane, i, k) + response(u, lane, k, i));
      for (let r = 0; r < q; r++) sum -= load<f64>(entry(p, r)) * load<f64>(entry(q, r));
      store<f64>(entry(p, q), sum);
    }
    for (let q = 0; q < p; q++) {
      const scaled = load<f64>(entry(p, q));
      const l = scaled * load<f64>(work(PIVOTS, q));
      pivot -= scaled * l;
      right -= l * load<f64>(work(VALUES, q));
      store<f64>(entry(p, q), l);
    }
    store<f64>(work(PIVOTS, p), pivot > leastResponse(free) ? 1 / pivot : 0);
    store<f64>(work(VALUES, p), right);
  }
  for (let p = 0; p < n; p++)
    store<f64>(work(VALUES, p), load<f64>(work(VALUES, p)) * load<f64>(work(PIVOTS, p)));
  for (let p = n - 1; p >= 0; p--) {
    const value = load<f64>(work(VALUES, p));
    for (let q = 0; q < p; q++)
      store<f64>(work(VALUES, q), load<f64>(work(VALUES, q)) - load<f64>(entry(p, q)) * value);
    store<f64>(work(CHANGES, load<i32>(ACTIVE + ((<usize>p) << 2))), value);
  }
}

/** Moves drives that are outside their segment; with `single` only the last of them. */
function moveStates(u: JointBatch, lane: usize, count: i32, single: bool): bool {
  let moved = false;
  for (let i = count - 1; i >= 0; i--) {
    const d = driveOf(i);
    const s = d.state;
    if (s == FROZEN) continue;
    let next = s;
    const size = max<f64>(response(u, lane, i, i), leastResponse(<f64>load<f32>(freeAt(u, i) + lane)));
    const slack = DRIVE_TOLERANCE / max<f64>(size + d.softness, 1e-30);
    const impulse = d.impulse + load<f64>(work(CHANGES, i));
    if (s == AT_LOW) {
      if (impulse < lowEnd(d) - slack) next = d.target > d.low ? PUSHING : BRAKING;
    } else if (s == AT_HIGH) {
      if (impulse > highEnd(d) + slack) next = d.target < d.high ? BRAKING : PUSHING;
    } else if (s == AT_TARGET) {
      if (impulse > d.most + slack) next = PUSHING;
      else if (impulse < -d.most - slack) next = BRAKING;
    } else {
      let v = load<f64>(work(SPEEDS, i));
      for (let k = 0; k < count; k++) {
        const change = load<f64>(work(CHANGES, k));
        if (change != 0) v += response(u, lane, i, k) * change;
      }
      const spread = d.softness > 0 ? d.softness * d.most : 0;
      if (s == PUSHING) {
        if (v < d.low - DRIVE_TOLERANCE) next = AT_LOW;
        else if (d.target < d.high && v > d.target - spread + DRIVE_TOLERANCE) next = AT_TARGET;
        else if (v > d.high + DRIVE_TOLERANCE) next = AT_HIGH;
      } else {
        if (v > d.high + DRIVE_TOLERANCE) next = AT_HIGH;
        else if (d.target > d.low && v < d.target + spread - DRIVE_TOLERANCE) next = AT_TARGET;
        else if (v < d.low - DRIVE_TOLERANCE) next = AT_LOW;
      }
    }
    if (next == s) continue;
    d.state = next;
    moved = true;
    if (single) return true;
  }
  return moved;
}

/** Adds the impulses of the last substep to the sums of bodies; lanes outside `keeps` start from 0. */
export function warmStartDrives(u: JointBatch, keeps: v128): void {
  store<v128>(LANES, keeps);
  for (let lane = 0; lane < 4; lane++) {
    const kept = load<i32>(LANES + ((<usize>lane) << 2)) != 0;
    for (let at = firstDrive(u, lane); at != 0; ) {
      const d = driveAt(at - 1);
      at = d.next;
      if (!kept) forgetAxis(axisAt(jointAt(d.joint), d.axis));
      const impulse = startDrive(d);
      if (impulse != 0) pushDrive(u, d, lane, impulse);
    }
  }
}

/** Undoes this in the lanes of the mask. */
export function unstartDrives(u: JointBatch, lanes: v128): void {
  store<v128>(LANES, lanes);
  for (let lane = 0; lane < 4; lane++) {
    if (load<i32>(LANES + ((<usize>lane) << 2)) == 0) continue;
    for (let at = firstDrive(u, lane); at != 0; ) {
      const d = driveAt(at - 1);
      at = d.next;
      pushDrive(u, d, lane, -startDrive(d));
    }
  }
  forgetDrives(u, lanes);
}

/** Clears the impulses in the lanes of the mask. */
export function forgetDrives(u: JointBatch, lanes: v128): void {
  if (u.driveCount == 0) return;
  store<v128>(LANES, lanes);
  for (let lane = 0; lane < 4; lane++) {
    if (load<i32>(LANES + ((<usize>lane) << 2)) == 0) continue;
    for (let at = firstDrive(u, lane); at != 0; ) {
      const d = driveAt(at - 1);
      at = d.next;
      forgetAxis(axisAt(jointAt(d.joint), d.axis));
    }
  }
}

/** In lanes whose sweeps were given up, restores the impulses from before the phase. */
export function takeBackDrives(u: JointBatch, lane: i32, withBias: bool): void {
  for (let at = firstDrive(u, lane); at != 0; ) {
    const d = driveAt(at - 1);
    d.impulse = d.start;
    bookDrive(d, withBias);
    at = d.next;
  }
}
