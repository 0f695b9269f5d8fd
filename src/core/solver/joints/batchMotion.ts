// Updates batches as their bodies move. In: velocities of the substep. Out: arms, directions and errors at its end;
// before the motion, a prediction of the rotation of bodies with unequal moments.
import { add, addScaled, mul, scale, splat, sub, zero } from '../../math/vector';
import { conjugateW, productW, QuatW } from '../../math/wide';
import { BODY_DYNAMIC, BODY_TURNED } from '../../memory/constants';
import { BatchArms, BatchBody, BatchJoint, JointBatch } from '../../memory/records';
import { batchArmsAt, batchBodyAt, batchJointAt, batchRowAt, bodyAt } from '../../memory/tables';
import { FACTORS_TURN, HELD_TURN_SQUARED, SLOW_SWING } from '../../tolerances';
import { context } from '../context';
import { FreeRotation, loadFrames, loadMomenta, rotateFreely } from '../freeRotation';
import { isTop, tumbles } from '../gyroscopic';
import { topTurn, turnAsTops } from '../tops';
import { factor } from './batchFactor';
import { AXES, gatherVelocities, largest, loadInertias, SCRATCH, slotIn, turnVector } from './batchLanes';
import { speed } from './batchRows';
import { isTaut } from './geometricStiffness';
import { advancePoints } from './points';

/**
 * Bodies with unequal moments do not rotate about their current angular velocity. What their free rotation in the coming
 * substep adds to it is included in the predicted positions of their anchors.
 */
export function foreseeTurns(u: JointBatch): void {
  for (let i = 0; i < u.bodyCount; i++) {
    const b = batchBodyAt(u, i);
    forgetTurn(b);
    const lanes = freelyTurning(u, b);
    if (lanes == 0) continue;
    let tops = 0;
    for (let rest = lanes; rest != 0; rest &= rest - 1) {
      const lane = ctz<i32>(rest);
      if (isTop(bodyAt(slotIn(changetype<usize>(b), lane)))) tops |= 1 << lane;
    }
    if (tops != 0) foreseeTop(b, maskOf(tops));
    if (tops != lanes) foreseeTurn(b, maskOf(lanes ^ tops));
  }
}

/** Bit per lane: the body will be rotated freely in this substep (spin.ts). */
function freelyTurning(u: JointBatch, body: BatchBody): i32 {
  const h = context().h;
  let bits = i32x4.bitmask(f32x4.gt(scale(scale(spinOf(body), h), h), splat(HELD_TURN_SQUARED)));
  const at = changetype<usize>(body);
  for (let rest = bits; rest != 0; rest &= rest - 1) {
    const lane = ctz<i32>(rest);
    const b = bodyAt(slotIn(at, lane));
    if (b.type != BODY_DYNAMIC || (u.redundant && !(b.flags & BODY_TURNED)) || !tumbles(b))
      bits &= ~(1 << lane);
  }
  return bits;
}

function maskOf(lanes: i32): v128 {
  const each = i32x4(1, 2, 4, 8);
  return i32x4.eq(v128.and(i32x4.splat(lanes), each), each);
}

const SPIN: usize = memory.data(offsetof<FreeRotation>(), 16);

/** @inline */
function foreseen(): FreeRotation {
  return changetype<FreeRotation>(SPIN);
}

/** foreseeTurn for bodies with an axis of symmetry. @wide */
function foreseeTop(b: BatchBody, lanes: v128): void {
  turnAsTops(b.slots, b.w, splat(context().h));
  const s = topTurn();
  setTurn(b, s.d, lanes);
}

/** Sets g of some lanes to the rotation vector of the free rotation over h, minus w. @wide */
function foreseeTurn(b: BatchBody, lanes: v128): void {
  const s = foreseen();
  loadFrames(s, b.slots);
  const start = conjugateW(s.q);
  loadMomenta(s, b.w);
  rotateFreely(s, context().h);
  setTurn(b, productW(s.q, start), lanes);
}

/** Sets g of some lanes to the rotation vector of d over h, minus w. @inline @wide */
function setTurn(b: BatchBody, d: QuatW, lanes: v128): void {
  // 2 asin|u| û of the unit quaternion with the vector part u, by series.
  const h = splat(context().h);
  const u2 = d.x * d.x + d.y * d.y + d.z * d.z;
  const size2 = u2 + d.w * d.w;
  const s2 = u2 / size2;
  const series =
    splat(1) +
    s2 * (splat(0.16666667) + s2 * (splat(0.075) + s2 * (splat(0.04464286) + s2 * splat(0.03038194))));
  const rate = (series + series) / (f32x4.sqrt(size2) * h);
  b.gX = v128.bitselect(d.x * rate - b.wX, b.gX, lanes);
  b.gY = v128.bitselect(d.y * rate - b.wY, b.gY, lanes);
  b.gZ = v128.bitselect(d.z * rate - b.wZ, b.gZ, lanes);
}

/** Squared angular speeds. */
function spinOf(b: BatchBody): v128 {
  return add(add(mul(b.wX, b.wX), mul(b.wY, b.wY)), mul(b.wZ, b.wZ));
}

export function forgetTurns(u: JointBatch): void {
  for (let i = 0; i < u.bodyCount; i++) forgetTurn(batchBodyAt(u, i));
}

function forgetTurn(b: BatchBody): void {
  b.gX = zero();
  b.gY = zero();
  b.gZ = zero();
}

/** rad/s. Largest angular speed of the bodies. */
export function fastest(u: JointBatch): f32 {
  return sqrt<f32>(largest(spinning(u)));
}

/** The same for bodies whose rotation makes the factors outdated. */
function aging(u: JointBatch): f32 {
  let most = zero();
  for (let i = 0; i < u.bodyCount; i++) {
    const b = batchBodyAt(u, i);
    most = f32x4.pmax(most, v128.and(spinOf(b), b.ages));
  }
  return sqrt<f32>(largest(most));
}

/** Squared largest angular speed, per lane. */
export function spinning(u: JointBatch): v128 {
  let most = zero();
  for (let i = 0; i < u.bodyCount; i++) {
    most = f32x4.pmax(most, spinOf(batchBodyAt(u, i)));
  }
  return most;
}

/**
 * After bodies have moved: rotates arms and locked directions, and updates errors by the remaining velocity errors.
 * False if the joint types must recompute their locked directions.
 */
export function advanceBatch(u: JointBatch): bool {
  if (u.locks >= 1 << AXES) return false;
  const h = context().h;
  gatherVelocities(u);
  u.turned += (u.points ? fastest(u) : aging(u)) * h;
  if (!(u.turned < FACTORS_TURN)) return false;
  if (u.points) {
    advancePoints(u);
    return true;
  }
  for (let i = 0; i < u.jointCount; i++) advanceJoint(u, batchJointAt(u, i), h);
  u.aged = 1;
  if (u.unequal && !u.redundant) loadInertias(u);
  return true;
}

/** New factors where the rotated arms do not suffice: around a loop, impulses that do not match the factors would be divided by the
 * softening; and where ropes and chains pull hard. */
export function holdTaut(u: JointBatch): void {
  if (u.points) return;
  if ((u.unequal && u.redundant && u.turned > SLOW_SWING) || isTaut(u)) factor(u, true);
}

function advanceJoint(u: JointBatch, j: BatchJoint, h: f32): void {
  const a = batchBodyAt(u, j.a);
  const b = batchBodyAt(u, j.b);
  const rA = changetype<usize>(j) + offsetof<BatchJoint>('rAX');
  const rB = changetype<usize>(j) + offsetof<BatchJoint>('rBX');
  const before = SCRATCH;
  let r = j.firstRow;
  for (let o: usize = 0; o < 48; o += 16) v128.store(before + o, sub(v128.load(rB + o), v128.load(rA + o)));
  turnVector(a, rA);
  turnVector(b, rB);
  if (j.locks & 1) {
    // The anchors move apart by the rotation of their arms and the motion of the centres.
    for (let o: usize = 0; o < 48; o += 16, r++) {
      const row = batchRowAt(u, r);
      const arms = sub(sub(v128.load(rB + o), v128.load(rA + o)), v128.load(before + o));
      const apart = sub(
        v128.load(changetype<usize>(b) + o, offsetof<BatchBody>('vX')),
        v128.load(changetype<usize>(a) + o, offsetof<BatchBody>('vX')),
      );
      row.error = add(row.error, addScaled(arms, apart, h));
    }
  }
  for (; r < j.firstRow + j.rowCount; r++) {
    const row = batchRowAt(u, r);
    const arms = batchArmsAt(u, r);
    row.error = addScaled(row.error, speed(arms, row.kind, a, b), h);
    turnVector(a, changetype<usize>(arms) + offsetof<BatchArms>('armAX')); // carried by A
    arms.armBX = arms.armAX;
    arms.armBY = arms.armAY;
    arms.armBZ = arms.armAZ;
  }
}
