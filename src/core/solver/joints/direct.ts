// Direct solver for the locked directions of joints, in lanes. In: batches, frames and anchors of joints. Out: impulses
// that satisfy all locked directions of a connected component together, whatever the masses. Solved one after the
// other, a chain with a hundred times its weight at the end would stretch by centimetres, because each pass passes
// information only to neighbours.
//
//   A λ = −(J v + bias),   A = J M⁻¹ Jᵀ,   A = L D Lᵀ
//
// The error that remains after a sweep (rounding in f32, frames of an earlier substep, rotating arms) is measured with
// the resulting velocities, and swept again while it is more than TOLERANCE. Arms and locked directions rotate with
// their bodies in every substep. Factors are kept as long as no body can have rotated by more than SMALL_TURN since.
import { neg, scale, splat, zero } from '../../math/vector';
import { BatchBody, BodyVelocity, JointBatch } from '../../memory/records';
import { BATCH_BODY_SIZE, batchBodyAt, batchJointAt, batchRowAt, workAt, world } from '../../memory/tables';
import { context } from '../context';
import { factor, substitute } from './batchFactor';
import { gatherVelocities, largest, SCRATCH, scatterVelocities, slotIn, velocityIn } from './batchLanes';
import { fastest, foreseeTurns, forgetTurns, spinning } from './batchMotion';
import { applyValues, bookValues, cautious, giveWay, residual } from './batchRows';
import { respondDrives, solveDrives, takeBackDrives, unstartDrives, warmStartDrives } from './driveSolve';
import { sweepPoints } from './points';

/** Share of such impulses that a substep starts from: what no motion asks for dies away. */
const LOOP_KEEP: f32 = 0.95;

/** m/s and rad/s of a lock that are left alone: a third of a micrometre per substep. */
const TOLERANCE: f32 = 1e-3;
/** The same in passes that others follow: 136 ragdolls with five passes are within 0.03 mm for 6 % less time. */
const LOOSE: f32 = 1e-2;

/** ... with drives: eight locks in a row of metres move what hangs at their end by ten times as much. */
const FINE: f32 = 3e-4;

/** Share of the error that a substep removes. */
const SHARE: f32 = 0.5;

/** A sweep that leaves more than this share of what it found calls for new factors. */
const SLOW: f32 = 0.1;

/** m/s and rad/s that drives may leave to locks: what hits a limit with a thousand times a link's mass needs factors of now. */
const ROUGH: f32 = 0.05;

/** ... and that calls for another round before contacts act. */
const STRUCK: f32 = 1;

const BIASED_SWEEPS = 3;

const RELAX_SWEEPS = 2;

/** rad of a substep: slower, a turning arm of a metre moves its end 2 µm off its tangent. */
const SLOW_SWING: f32 = 0.002;

/** m/s and rad/s: faster, what the last impulses make of a body is not started from. */
const FASTEST_START: f32 = 1000;

/** m/s and rad/s that a lock may lack before it is looked whether errors are too large to take away at once. */
const FAR: f32 = 1;
/** m/s and rad/s that locks of a loop may lack after their sweeps before they are said to contradict each other. */
const TORN: f32 = 0.1;

/** Applies the impulses of the last substep. */
export function warmStartBatch(u: JointBatch): void {
  if (u.points) return sweepPoints(u, true, false);
  const values = <usize>world().batchData + <usize>u.values;
  const share: f32 = u.redundant ? LOOP_KEEP : 1;
  gatherVelocities(u);
  // Where bodies turn by more than half a radian in the substep, the impulses of the last one point anywhere.
  const h = context().h;
  const keeps = f32x4.lt(scale(spinning(u), h * h), splat(0.25));
  for (let r = 0; r < u.rowCount; r++) {
    const row = batchRowAt(u, r);
    row.impulse = v128.and(scale(row.impulse, share), keeps);
    v128.store(values + ((<usize>r) << 4), row.impulse);
  }
  if (u.driveCount > 0) warmStartDrives(u, keeps);
  applyValues(u);
  if (u.direct) {
    // Impulses of a partner, pose or mass that is another now: what is solved at once can do without.
    const stale = f32x4.gt(fastestAxis(u), splat(FASTEST_START));
    if (v128.any_true(stale)) takeBack(u, stale);
  }
  scatterVelocities(u);
}

/** Largest component of any velocity, lane by lane. */
function fastestAxis(u: JointBatch): v128 {
  let most = zero();
  for (let i = 0; i < u.bodyCount; i++) {
    const at = changetype<usize>(batchBodyAt(u, i)) + offsetof<BatchBody>('vX');
    for (let k: usize = 0; k < 96; k += 16) most = f32x4.max(most, f32x4.abs(v128.load(at + k)));
  }
  return most;
}

/** In the lanes of the mask, what warm starting did is undone, and its impulses forgotten. */
function takeBack(u: JointBatch, lanes: v128): void {
  let at = <usize>world().batchData + <usize>u.values;
  for (let r = 0; r < u.rowCount; r++, at += 16)
    v128.store(at, neg(v128.and(batchRowAt(u, r).impulse, lanes)));
  bookValues(u);
  if (u.driveCount > 0) unstartDrives(u, lanes);
  applyValues(u);
}

/**
 * Impulses for the end of the substep (with bias), or for velocities that fit the frames of now. Contacts come after
 * drives, so that no limit pushes a limb into the ground, and before the last sweep over the locks.
 */
export function sweepBatch(u: JointBatch, withBias: bool, withDrives: bool): void {
  if (u.points) return sweepPoints(u, false, withBias);
  const step = context();
  const w = workAt(slotIn(changetype<usize>(batchJointAt(u, 0)), 0));
  const direct = u.direct != 0;
  const rate: f32 = withBias ? (direct ? SHARE * step.inverseH : w.biasRate) : 0;
  // Where the anchors will be depends on how the arms turn, and that on the impulses: without a second
  // sweep the worst gap of a swinging chain with a hundred times a link's mass at its end is eight times
  // what it is with one.
  // Of several passes over contacts and joints the early ones need not be exact.
  const last = !withBias || step.lastPass != 0;
  const driven = withDrives && u.driveCount > 0;
  let most = direct && last ? (withBias ? BIASED_SWEEPS : RELAX_SWEEPS) : 1;
  const tolerance: f32 = driven ? FINE : last ? TOLERANCE : LOOSE;
  gatherVelocities(u);
  let moved = false;
  let swinging = false;
  let before: f32 = 0;
  let first = zero();
  let rates = splat(rate);
  const torn = withBias && direct && u.redundant;
  if (torn) keepImpulses(u);
  for (let k = 0; k < most; k++) {
    swinging = withBias && last && fastest(u) * step.h > SLOW_SWING;
    if (swinging) foreseeTurns(u);
    else if (withBias && k == 0) forgetTurns(u);
    let left = residual(u, rates, swinging);
    if (k == 0) {
      // As of a bridge that was hit hard.
      if (torn && largest(left) > FAR) {
        rates = cautious(u, rate);
        left = residual(u, rates, swinging);
      }
      first = left;
    }
    const worst = largest(left);
    const open = !direct || worst >= tolerance;
    if (!open && (!driven || k > 0)) break; // drives have been solved with these velocities
    if (open) {
      // Factors of an earlier substep that gain next to nothing: what hangs here is too stiff for them.
      if (k > 0 && (worst > SLOW * before || (driven && worst > ROUGH))) {
        if (u.aged) {
          factor(u, false);
          if (u.driveCount > 0) respondAnew(u);
          residual(u, rates, swinging);
          if (driven) most = max(most, k + 2); // once with drives, once without
        } else if (k > 1 && !driven && !(worst < before)) break;
      }
      before = worst;
      substitute(u);
      if (withBias && !direct) giveWay(u, w.massScale, w.impulseScale);
      bookValues(u);
      applyValues(u);
      moved = true;
    }
    // What holds with all locks kept; they answer in the next round.
    if (!driven || (k > 0 && k == most - 1)) continue;
    const given = solveDrives(u, withBias, k == 0);
    if (given > 0) {
      moved = true;
      if (withBias && given < STRUCK) break; // the locks have another sweep to come, after contacts
      before = given;
    } else if (!open) break;
  }
  if (torn && moved) {
    const left = residual(u, rates, swinging);
    const lanes = v128.and(f32x4.gt(left, scale(first, SLOW)), f32x4.gt(left, splat(TORN)));
    if (v128.any_true(lanes)) giveUp(u, lanes, withBias, driven);
  }
  if (moved) scatterVelocities(u);
}

/** Within a sweep: velocities wait in their records meanwhile. */
function respondAnew(u: JointBatch): void {
  scatterVelocities(u);
  respondDrives(u);
  gatherVelocities(u);
}

function keepImpulses(u: JointBatch): void {
  let to = <usize>world().batchData + <usize>u.values + ((<usize>u.rowCount) << 4);
  for (let r = 0; r < u.rowCount; r++, to += 16) v128.store(to, batchRowAt(u, r).impulse);
}

/**
 * Two joints that want a body in two places: no impulse brings it there, and those that tried, divided by the
 * softening, would grow by 1e5 N·s in each substep, for the first that is removed or changed to set free. In these
 * lanes the errors are left as they are, and only velocities solved.
 */
function giveUp(u: JointBatch, lanes: v128, withBias: bool, driven: bool): void {
  let at = <usize>world().batchData + <usize>u.values + ((<usize>u.rowCount) << 4);
  for (let r = 0; r < u.rowCount; r++, at += 16) {
    const row = batchRowAt(u, r);
    row.impulse = v128.bitselect(v128.load(at), row.impulse, lanes);
  }
  // Velocities as they were before: not by impulses, whose rounding would be divided by the softening, too.
  const mask = changetype<usize>(context()) + SCRATCH;
  v128.store(mask, lanes);
  for (let lane = 0; lane < 4; lane++)
    if (driven && load<i32>(mask + ((<usize>lane) << 2)) != 0) takeBackDrives(u, lane, withBias);
  const size = <usize>u.bodyCount * BATCH_BODY_SIZE;
  const bodies = changetype<usize>(batchBodyAt(u, 0));
  for (let body = bodies; body < bodies + size; body += BATCH_BODY_SIZE) {
    for (let lane: usize = 0; lane < 4; lane++) {
      const to = body + (lane << 2);
      if (load<i32>(mask + (lane << 2)) == 0) continue;
      const from = velocityIn(body, lane);
      for (let k: usize = 0; k < 3; k++) {
        store<f32>(to + (k << 4), load<f32>(from + (k << 2)), offsetof<BatchBody>('vX'));
        const angular = load<f32>(from + (k << 2), offsetof<BodyVelocity>('angular'));
        store<f32>(to + (k << 4), angular, offsetof<BatchBody>('wX'));
      }
    }
  }
  residual(u, zero(), false);
  at = <usize>world().batchData + <usize>u.values;
  for (let r = 0; r < u.rowCount; r++, at += 16) v128.store(at, v128.and(v128.load(at), lanes));
  substitute(u);
  bookValues(u);
  applyValues(u);
}
