// Direct solver for the locked directions of joints, in lanes. In: batches, frames and anchors of joints. Out: impulses
// that satisfy all locked directions of a structure together, at any mass ratio. If the joints were solved one after
// the other, a chain with a hundred times its weight at the end would stretch by centimetres, because each pass
// transmits information only to neighbours.
//
//   A λ = −(J v + bias),   A = J M⁻¹ Jᵀ,   A = L D Lᵀ
//
// The error that remains after a sweep (f32 rounding, frames of an earlier substep, rotating arms) is measured with the
// resulting velocities, and the sweep is repeated while it is above LOCK_TOLERANCE. Arms and locked directions rotate with
// their bodies in each substep. Factors are reused as long as no body can have rotated by more than SMALL_TURN since.
import { neg, scale, splat, zero } from '../../math/vector';
import { BatchBody, BodyVelocity, JointBatch } from '../../memory/records';
import { BATCH_BODY_SIZE, batchBodyAt, batchJointAt, batchRowAt, workAt, world } from '../../memory/tables';
import {
  FACTORS_TURN,
  LOCK_FAR,
  LOCK_FINE,
  LOCK_ROUGH,
  LOCK_SHARE,
  LOCK_SLOW,
  LOCK_STRUCK,
  LOCK_TOLERANCE,
  LOOP_KEEP,
  SLOW_SWING,
} from '../../tolerances';
import { context } from '../context';
import { factor, substitute } from './batchFactor';
import { gatherVelocities, largest, SCRATCH, scatterVelocities, slotIn, velocityIn } from './batchLanes';
import { fastest, foreseeTurns, forgetTurns, spinning } from './batchMotion';
import { applyValues, bookValues, cautious, giveWay, residual } from './batchRows';
import { respondDrives } from './driveResponses';
import { solveDrives, takeBackDrives, unstartDrives, warmStartDrives } from './driveSolve';
import { keepAcross, pullsAnew, startAcross } from './geometricStiffness';
import { sweepPoints } from './points';

const BIASED_SWEEPS = 3;

const RELAX_SWEEPS = 2;

/** Applies the impulses of the last substep. */
export function warmStartBatch(u: JointBatch): void {
  if (u.points) return sweepPoints(u, true, false);
  const values = <usize>world().batchData + <usize>u.values;
  const share: f32 = u.redundant ? LOOP_KEEP : 1;
  gatherVelocities(u);
  if (u.acting && pullsAnew(u, false)) {
    factor(u, false);
    if (u.driveRoom > 0) respondDrives(u);
    gatherVelocities(u);
  }
  if (u.acting) startAcross(u);
  // If bodies rotate by more than half a radian per substep, the old impulses have wrong directions.
  const step = context();
  const h = step.h;
  const before = spinning(u);
  const keeps = f32x4.lt(scale(before, h * h), splat(0.25));
  for (let r = 0; r < u.rowCount; r++) {
    const row = batchRowAt(u, r);
    row.impulse = v128.and(scale(row.impulse, share), keeps);
    v128.store(values + ((<usize>r) << 4), row.impulse);
  }
  if (u.driveCount > 0) warmStartDrives(u, keeps);
  applyValues(u);
  if (u.direct) {
    // Impulses of an impact, or from another partner, pose or mass, are no force that goes on; the direct solver does not
    // need them.
    const turn = FACTORS_TURN * step.inverseH;
    const repeated = f32x4.gt(spinning(u), f32x4.add(scale(before, 4), splat(turn * turn)));
    if (v128.any_true(repeated)) takeBack(u, repeated);
  }
  scatterVelocities(u);
}

/** Undoes warm starting in the lanes of the mask and clears its impulses. */
function takeBack(u: JointBatch, lanes: v128): void {
  let at = <usize>world().batchData + <usize>u.values;
  for (let r = 0; r < u.rowCount; r++, at += 16)
    v128.store(at, neg(v128.and(batchRowAt(u, r).impulse, lanes)));
  bookValues(u);
  if (u.driveCount > 0) unstartDrives(u, lanes);
  applyValues(u);
}

/**
 * Solves impulses for the end of the substep (with bias), or for velocities consistent with the current frames.
 * Contacts come after drives, so that no limit pushes a limb into the ground, and before the last sweep over the locks.
 */
export function sweepBatch(u: JointBatch, withBias: bool, withDrives: bool): void {
  if (u.points) return sweepPoints(u, false, withBias);
  const driven = withDrives && u.driveCount > 0;
  const stiffens = withBias && u.across != 0;
  gatherVelocities(u);
  if (stiffens) keepImpulses(u);
  let moved = sweep(u, withBias, driven);
  if (stiffens && moved && pullsAnew(u, true)) {
    // A jerk. The substep is solved again from its start, with the stiffness that the jerk brings.
    const acted = u.acting;
    factor(u, true);
    returnImpulses(u, i32x4.splat(-1));
    for (let lane = 0; lane < 4; lane++) if (driven) takeBackDrives(u, lane, withBias);
    if (u.driveRoom > 0) respondDrives(u);
    if (acted) gatherVelocities(u);
    else keepAcross(u);
    moved = sweep(u, withBias, driven);
  }
  if (moved) scatterVelocities(u);
}

/** Returns whether it moved anything. */
function sweep(u: JointBatch, withBias: bool, driven: bool): bool {
  const step = context();
  const w = workAt(slotIn(changetype<usize>(batchJointAt(u, 0)), 0));
  const direct = u.direct != 0;
  const rate: f32 = withBias ? (direct ? LOCK_SHARE * step.inverseH : w.biasRate) : 0;
  // The positions of the anchors depend on the rotation of the arms, and this on the impulses. Without a second sweep
  // the largest gap of a swinging chain with a hundred times a link's mass at its end is eight times as large. Among
  // several passes over contacts and joints the early ones need not be exact.
  const last = step.lastPass != 0;
  let most = direct && last ? (withBias ? BIASED_SWEEPS : RELAX_SWEEPS) : 1;
  const tolerance: f32 = driven ? LOCK_FINE : last ? LOCK_TOLERANCE : <f32>10 * LOCK_TOLERANCE;
  let moved = false;
  let before: f32 = 0;
  let first = zero();
  let earlier = zero(); // errors before the last sweep
  let straight = zero(); // mask of lanes whose anchors are taken to move along straight lines
  let swinging = zero();
  let rates = splat(rate);
  const torn = withBias && direct && u.redundant;
  if (torn) keepImpulses(u);
  for (let k = 0; k < most; k++) {
    const onArcs = withBias && last && fastest(u) * step.h > SLOW_SWING;
    if (onArcs) foreseeTurns(u);
    else if (withBias && k == 0) forgetTurns(u);
    swinging = onArcs ? v128.not(straight) : zero();
    let left = residual(u, rates, swinging);
    if (onArcs && k > 0 && !u.redundant) {
      // Arcs follow from the speeds before a sweep. Where it changes them so much that errors grow, more sweeps would
      // diverge: light limbs between heavy ones gained a millionfold energy in a step.
      const growing = f32x4.gt(left, f32x4.pmax(earlier, splat(LOCK_ROUGH)));
      if (v128.any_true(growing)) {
        straight = v128.or(straight, growing);
        swinging = v128.not(straight);
        left = residual(u, rates, swinging);
      }
    }
    earlier = left;
    if (k == 0) {
      // For example a bridge after a hard impact.
      if (torn && largest(left) > LOCK_FAR) {
        rates = cautious(u, rate);
        left = residual(u, rates, swinging);
      }
      first = left;
    }
    const worst = largest(left);
    const open = !direct || worst >= tolerance;
    if (!open && (!driven || k > 0)) break; // drives have been solved with these velocities
    if (open) {
      // Old factors make almost no progress: the structure is too stiff for them.
      if (k > 0 && (worst > LOCK_SLOW * before || (driven && worst > LOCK_ROUGH))) {
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
    // Solve drives with all locks satisfied; the locks respond in the next round.
    if (!driven || (k > 0 && k == most - 1)) continue;
    const given = solveDrives(u, withBias, k == 0);
    if (given > 0) {
      moved = true;
      if (withBias && given < LOCK_STRUCK) break; // the locks have another sweep after contacts
      before = given;
    } else if (!open) break;
  }
  if (torn && moved) {
    const left = residual(u, rates, swinging);
    const lanes = f32x4.gt(left, scale(f32x4.pmax(first, splat(LOCK_FAR)), LOCK_SLOW));
    if (v128.any_true(lanes)) giveUp(u, lanes, withBias, driven);
  }
  return moved;
}

/** Recomputes the responses of drives within a sweep; velocities are kept in their records meanwhile. */
function respondAnew(u: JointBatch): void {
  scatterVelocities(u);
  respondDrives(u);
  gatherVelocities(u);
}

function keepImpulses(u: JointBatch): void {
  let to = <usize>world().batchData + <usize>u.values + ((<usize>u.rowCount) << 4);
  for (let r = 0; r < u.rowCount; r++, to += 16) v128.store(to, batchRowAt(u, r).impulse);
}

/** Gives the rows of some lanes the impulses that keepImpulses has kept. */
function returnImpulses(u: JointBatch, lanes: v128): void {
  let at = <usize>world().batchData + <usize>u.values + ((<usize>u.rowCount) << 4);
  for (let r = 0; r < u.rowCount; r++, at += 16) {
    const row = batchRowAt(u, r);
    row.impulse = v128.bitselect(v128.load(at), row.impulse, lanes);
  }
}

/**
 * For two joints that want one body in two places. No impulse can satisfy both; divided by the softening, impulses
 * would grow by 1e5 N·s per substep, and be released by the first joint that is removed or changed. In these lanes
 * position errors are left, and only velocities are solved.
 */
function giveUp(u: JointBatch, lanes: v128, withBias: bool, driven: bool): void {
  returnImpulses(u, lanes);
  // Restore the old velocities by copying: impulses would divide rounding errors by the softening, too.
  const mask = SCRATCH;
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
  residual(u, zero(), zero());
  let at = <usize>world().batchData + <usize>u.values;
  for (let r = 0; r < u.rowCount; r++, at += 16) v128.store(at, v128.and(v128.load(at), lanes));
  substitute(u);
  bookValues(u);
  applyValues(u);
}
