// Impulses of batches and of their joints. In: the impulses of the last step. Out: warm-started rows; at the end of the
// step impulses and totals at the joints, for the next step, for reading forces and for breaking.
import { add, addScaled, splat, vec3, zero } from '../../math/vector';
import { BatchRow, Joint, JointAxis, JointBatch, JointWork } from '../../memory/records';
import {
  axisAt,
  BATCH_ROW_SIZE,
  batchJointAt,
  batchRowAt,
  jointAt,
  rowAt,
  workAt,
} from '../../memory/tables';
import { AXES, jointPlaces, numbers, SCRATCH, slotIn, spread, TURNS, workPlaces } from './batchLanes';
import { forgetDrives } from './driveSolve';

/** Loads the impulses of the last step from the joints. */
export function startBatch(u: JointBatch): void {
  for (let i = 0; i < u.jointCount; i++) {
    const wide = batchJointAt(u, i);
    const record = changetype<usize>(wide);
    let first = wide.firstRow;
    if (wide.locks & 1) {
      const x = SCRATCH;
      spread(x, jointPlaces(record), offsetof<Joint>('pointImpulse'));
      for (let k: usize = 0; k < 3; k++) {
        const row = batchRowAt(u, first++);
        row.impulse = v128.load(x + (k << 4));
        row.total = zero();
      }
    }
    for (let lane: usize = 0; lane < 4; lane++) {
      const slot = slotIn(record, lane);
      if (slot == 0) continue;
      const j = jointAt(slot);
      for (let r = first; r < wide.firstRow + wide.lockCount; r++) {
        const row = batchRowAt(u, r);
        const from = impulseOf(j, row.kind);
        const at = changetype<usize>(row) + (lane << 2);
        store<f32>(at, load<f32>(from), offsetof<BatchRow>('impulse'));
        store<f32>(at, 0, offsetof<BatchRow>('total'));
        store<f32>(from, 0); // from now on it sums the impulses of motors and limits at the anchors
      }
      if (wide.locks & 1) j.pointImpulse = zero();
    }
  }
}

/** Address of a joint's stored impulse for a kind of row other than anchors. */
function impulseOf(j: Joint, kind: i32): usize {
  if (kind < AXES)
    return changetype<usize>(j) + offsetof<Joint>('angularImpulse') + ((<usize>(kind - TURNS)) << 2);
  return changetype<usize>(axisAt(j, kind - AXES)) + offsetof<JointAxis>('lowImpulse');
}

/** At the end of a step: writes impulses and totals back to the joints. */
export function finishBatch(u: JointBatch): void {
  for (let i = 0; i < u.jointCount; i++) {
    const wide = batchJointAt(u, i);
    for (let lane: usize = 0; lane < 4; lane++) {
      const slot = slotIn(changetype<usize>(wide), lane);
      if (slot == 0) continue;
      const j = jointAt(slot);
      const w = workAt(slot);
      let r = wide.firstRow;
      if (wide.locks & 1) {
        const at = changetype<usize>(batchRowAt(u, r)) + (lane << 2);
        const impulse = add(pointIn(at, offsetof<BatchRow>('impulse')), j.pointImpulse);
        j.pointImpulse = v128.and(impulse, f32x4.lt(f32x4.abs(impulse), splat(1e30)));
        j.linearTotal = add(j.linearTotal, pointIn(at, offsetof<BatchRow>('total')));
        r += TURNS;
      }
      for (; r < wide.firstRow + wide.lockCount; r++) {
        const row = batchRowAt(u, r);
        const at = changetype<usize>(row) + (lane << 2);
        const to = impulseOf(j, row.kind);
        const impulse = load<f32>(at, offsetof<BatchRow>('impulse')) + load<f32>(to);
        store<f32>(to, abs<f32>(impulse) < <f32>1e30 ? impulse : 0);
        bookTotal(j, w, row.kind, load<f32>(at, offsetof<BatchRow>('total')));
      }
    }
  }
}

/** A field of three rows, in one lane. @inline */
function pointIn(at: usize, field: usize): v128 {
  return vec3(
    load<f32>(at + field),
    load<f32>(at + BATCH_ROW_SIZE + field),
    load<f32>(at + 2 * BATCH_ROW_SIZE + field),
  );
}

function bookTotal(j: Joint, w: JointWork, kind: i32, total: f32): void {
  if (kind < AXES) {
    const lock = v128.load(
      changetype<usize>(w) + offsetof<JointWork>('lock0') + ((<usize>(kind - TURNS)) << 4),
    );
    j.angularTotal = addScaled(j.angularTotal, lock, total);
  } else {
    const row = rowAt(w, kind - AXES);
    axisAt(j, kind - AXES).total += total;
    j.linearTotal = addScaled(j.linearTotal, row.normal, total);
    if (kind - AXES > 2) j.angularTotal = addScaled(j.angularTotal, row.armB, total);
  }
}

export function sumBatch(u: JointBatch): void {
  for (let r = 0; r < u.rowCount; r++) {
    const row = batchRowAt(u, r);
    row.total = add(row.total, row.impulse);
  }
}

/** Clears impulses in lanes with a joint whose limit rebounded in this substep. */
export function forgetBatchImpacts(u: JointBatch): void {
  let lanes = zero();
  for (let i = 0; i < u.jointCount; i++) {
    const works = workPlaces(changetype<usize>(batchJointAt(u, i)));
    lanes = v128.or(lanes, numbers(works, offsetof<JointWork>('bounced')));
  }
  if (!v128.any_true(lanes)) return;
  const kept = i32x4.eq(lanes, zero());
  for (let r = 0; r < u.rowCount; r++) {
    const row = batchRowAt(u, r);
    row.impulse = v128.and(row.impulse, kept);
  }
  forgetDrives(u, v128.not(kept));
}
