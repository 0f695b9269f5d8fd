// Joints that gape at the end of a step. In: the ends of the step's paths; bodies marked BODY_HIT are not where the
// solver's joints left them. Out: bodies moved so that anchors meet again. A foot that is stopped in the last moment would
// otherwise leave its leg by the way that it did not go.
//
// Displacements satisfy the joints as velocities do: A λ = −error with the factors of direct.ts, in which the bodies that
// were hit have an infinite mass. What moves is swept on its way, so that no joint pulls a body through a wall.
import { addCcdBody, ccdBodyAt } from '../bodies/fast';
import { placeShapes, publishPose, turn } from '../bodies/finalize';
import { updateWorldInertia } from '../bodies/massProperties';
import {
  add,
  length,
  lengthSquared,
  mul,
  rotate,
  scale,
  splat,
  sub,
  vec3,
  x,
  y,
  z,
  zero,
} from '../math/vector';
import { BODY_DYNAMIC, BODY_HIT, BODY_ISOTROPIC } from '../memory/constants';
import { BatchBody, BatchJoint, BatchRow, Body, JointBatch } from '../memory/records';
import {
  BATCH_ROW_SIZE,
  batchArmsAt,
  batchAt,
  batchBodyAt,
  batchJointAt,
  batchRowAt,
  bodyAt,
  jointAt,
  moveOn,
  velocityAt,
  workAt,
  world,
} from '../memory/tables';
import { factor, substitute } from '../solver/joints/batchFactor';
import { slotIn, TURNS } from '../solver/joints/batchLanes';
import { applyValues, residual, speed } from '../solver/joints/batchRows';
import { referAcross } from '../solver/joints/geometricStiffness';
import { IMPACT_DISTANCE, LATE, MOST_ARM_TURN } from '../tolerances';
import { findImpact } from './sweep';

/** Rounds of linear solves: arms rotate. */
const ROUNDS = 3;

const LANES: usize = memory.data(16, 16);

/** `count`: number of CCD bodies; their entries hold displacement and rotation by impacts in `delta` and `turn`. */
export function closeJoints(count: i32): void {
  const g = world();
  for (let i = 0; i < g.batchCount; i++) {
    const u = batchAt(i);
    if (u.direct == 0) continue;
    const lanes = hitLanes(u);
    if (v128.any_true(lanes)) closeBatch(u, lanes, count);
  }
}

/** Lanes with a body that was hit. */
function hitLanes(u: JointBatch): v128 {
  v128.store(LANES, zero());
  for (let i = 0; i < u.bodyCount; i++)
    for (let lane: usize = 0; lane < 4; lane++)
      if (bodyAt(slotIn(changetype<usize>(batchBodyAt(u, i)), lane)).flags & BODY_HIT)
        store<i32>(LANES + (lane << 2), -1);
  return v128.load(LANES);
}

function closeBatch(u: JointBatch, lanes: v128, count: i32): void {
  restBodies(u);
  holdHit(count);
  setHitMotion(u, count);
  turnErrors(u);
  const left = moveTogether(u, lanes);
  releaseHit(count);
  if (u.redundant || !v128.any_true(left)) return;
  // Neighbours that were both hit have parted: now they give way, too.
  for (let i = 0; i < u.bodyCount; i++)
    for (let lane: usize = 0; lane < 4; lane++)
      bodyAt(slotIn(changetype<usize>(batchBodyAt(u, i)), lane)).flags &= ~BODY_HIT;
  moveTogether(u, left);
}

/** Moves bodies in lanes with gaps until their anchors meet; returns the lanes whose anchors do not. */
function moveTogether(u: JointBatch, lanes: v128): v128 {
  for (let round = 0; round < ROUNDS; round++) {
    const gap = takePoses(u);
    if (!v128.any_true(v128.and(f32x4.gt(gap, splat(<f32>0.1 * IMPACT_DISTANCE)), lanes))) return zero();
    if (round == 0) factor(u, false);
    restBodies(u);
    residual(u, splat(1), zero());
    const values = <usize>world().batchData + <usize>u.values;
    for (let r = 0; r < u.rowCount; r++) {
      const at = values + ((<usize>r) << 4);
      v128.store(at, v128.and(v128.load(at), lanes));
    }
    substitute(u);
    applyValues(u);
    const share = shareOfTurn(u);
    for (let i = 0; i < u.bodyCount; i++)
      for (let lane: usize = 0; lane < 4; lane++) moveMember(batchBodyAt(u, i), lane, share);
    turnErrors(u);
  }
  return v128.and(f32x4.gt(takePoses(u), splat(IMPACT_DISTANCE)), lanes);
}

/** The lanes' velocities serve as displacements. */
function restBodies(u: JointBatch): void {
  for (let i = 0; i < u.bodyCount; i++)
    memory.fill(changetype<usize>(batchBodyAt(u, i)) + offsetof<BatchBody>('vX'), 0, 96);
  if (u.across) referAcross(u);
}

/** Gives bodies that were hit an infinite mass; the entries keep the masses meanwhile. */
function holdHit(count: i32): void {
  for (let i = 0; i < count; i++) {
    const e = ccdBodyAt(i);
    const b = bodyAt(e.slot);
    if (!(b.flags & BODY_HIT)) continue;
    e.linear = b.invMass;
    e.angular = b.invInertiaA;
    e.acceleration = b.invInertiaB;
    b.invMass = zero();
    b.invInertiaA = zero();
    b.invInertiaB = zero();
  }
}

function releaseHit(count: i32): void {
  for (let i = 0; i < count; i++) {
    const e = ccdBodyAt(i);
    const b = bodyAt(e.slot);
    if (!(b.flags & BODY_HIT)) continue;
    b.invMass = e.linear;
    b.invInertiaA = e.angular;
    b.invInertiaB = e.acceleration;
  }
}

function setHitMotion(u: JointBatch, count: i32): void {
  for (let i = 0; i < count; i++) {
    const e = ccdBodyAt(i);
    if (!(bodyAt(e.slot).flags & BODY_HIT)) continue;
    for (let k = 0; k < u.bodyCount; k++)
      for (let lane: usize = 0; lane < 4; lane++) {
        const record = changetype<usize>(batchBodyAt(u, k));
        if (slotIn(record, lane) != e.slot) continue;
        put(record + offsetof<BatchBody>('vX'), lane, e.delta);
        put(record + offsetof<BatchBody>('wX'), lane, e.turn);
      }
  }
}

/** Writes a vector into a lane. */
function put(at: usize, lane: usize, v: v128): void {
  store<f32>(at + (lane << 2), x(v));
  store<f32>(at + (lane << 2), y(v), 16);
  store<f32>(at + (lane << 2), z(v), 32);
}

function vectorIn(at: usize, lane: usize): v128 {
  const from = at + (lane << 2);
  return vec3(load<f32>(from), load<f32>(from, 16), load<f32>(from, 32));
}

/** Adds the displacements to the errors of locked angles and axes. */
function turnErrors(u: JointBatch): void {
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    const first = j.firstRow + (j.locks & 1 ? TURNS : 0);
    for (let r = first; r < j.firstRow + j.lockCount; r++) {
      const row = batchRowAt(u, r);
      row.error = add(
        row.error,
        speed(batchArmsAt(u, r), row.kind, batchBodyAt(u, j.a), batchBodyAt(u, j.b)),
      );
    }
  }
}

/** Arms and gaps of anchors at the bodies' current poses; returns the largest gap of each lane. */
function takePoses(u: JointBatch): v128 {
  let most = zero();
  for (let i = 0; i < u.jointCount; i++) {
    const j = batchJointAt(u, i);
    if (!(j.locks & 1)) continue;
    for (let lane: usize = 0; lane < 4; lane++) takePose(u, j, lane);
    for (let k = 0; k < TURNS; k++) most = f32x4.pmax(most, f32x4.abs(batchRowAt(u, j.firstRow + k).error));
  }
  return most;
}

function takePose(u: JointBatch, wide: BatchJoint, lane: usize): void {
  const slot = slotIn(changetype<usize>(wide), lane);
  if (slot == 0) return;
  const j = jointAt(slot);
  const w = workAt(slot);
  const a = bodyAt(j.bodyA);
  const b = bodyAt(j.bodyB);
  const rA = rotate(a.rotation, w.anchorA);
  const rB = rotate(b.rotation, w.anchorB);
  const gap = sub(add(b.position, rB), add(a.position, rA));
  put(changetype<usize>(wide) + offsetof<BatchJoint>('rAX'), lane, rA);
  put(changetype<usize>(wide) + offsetof<BatchJoint>('rBX'), lane, rB);
  const error = changetype<usize>(batchRowAt(u, wide.firstRow)) + (lane << 2);
  store<f32>(error, x(gap), offsetof<BatchRow>('error'));
  store<f32>(error + BATCH_ROW_SIZE, y(gap), offsetof<BatchRow>('error'));
  store<f32>(error + 2 * BATCH_ROW_SIZE, z(gap), offsetof<BatchRow>('error'));
}

/** Share of each lane's displacements that rotates no body so far that arms are no longer straight. */
function shareOfTurn(u: JointBatch): v128 {
  const mostTurn = <f32>0.5 * MOST_ARM_TURN;
  let most = splat(mostTurn * mostTurn);
  for (let i = 0; i < u.bodyCount; i++) {
    const b = batchBodyAt(u, i);
    most = f32x4.pmax(most, add(mul(b.wX, b.wX), add(mul(b.wY, b.wY), mul(b.wZ, b.wZ))));
  }
  return f32x4.div(splat(mostTurn), f32x4.sqrt(most));
}

/** Moves one body; its lane keeps what it could go. */
function moveMember(m: BatchBody, lane: usize, shares: v128): void {
  const record = changetype<usize>(m);
  const b = bodyAt(slotIn(record, lane));
  v128.store(LANES, shares);
  const share = load<f32>(LANES + (lane << 2));
  const way = scale(vectorIn(record + offsetof<BatchBody>('vX'), lane), share);
  const turning = scale(vectorIn(record + offsetof<BatchBody>('wX'), lane), share);
  let done: f32 = 0;
  const size2 = lengthSquared(way) + lengthSquared(turning);
  if (b.slot != 0 && b.type == BODY_DYNAMIC && !(b.flags & BODY_HIT) && size2 > 0 && size2 < 1e6)
    done = moveSwept(b, way, turning);
  put(record + offsetof<BatchBody>('vX'), lane, scale(way, done));
  put(record + offsetof<BatchBody>('wX'), lane, scale(turning, done));
}

/** Moves the body along its way as far as nothing is in it; returns the share of the way. */
function moveSwept(b: Body, way: v128, turning: v128): f32 {
  const g = world();
  const motion = length(way) + length(turning) * b.boundingRadius;
  let done: f32 = 1;
  if (motion > <f32>0.5 * IMPACT_DISTANCE) {
    const e = addCcdBody(b);
    e.position = b.position;
    e.rotation = b.rotation;
    e.delta = way;
    e.turn = turning;
    e.linear = velocityAt(b.slot).linear;
    e.angular = velocityAt(b.slot).angular;
    e.time = LATE;
    findImpact(e);
    if (e.next <= 1) done = max<f32>(0, (e.next - LATE) / (<f32>1 - LATE));
    b.ccdIndex = 0;
    g.ccdCount--;
    if (!(done > 0)) return 0;
  }
  b.position = add(b.position, scale(way, done));
  b.rotation = turn(b.rotation, scale(turning, done));
  if (!(b.flags & BODY_ISOTROPIC)) updateWorldInertia(b);
  b.travel += <f64>motion;
  moveOn(b.slot, scale(way, done), length(turning) * b.boundingRadius);
  b.slack = -1;
  placeShapes(b);
  publishPose(b);
  return done;
}
