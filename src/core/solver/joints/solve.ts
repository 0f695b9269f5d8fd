// Joints in the step. In: the joint table, bodies. Out: velocities, accumulated impulses, positions along the axes,
// broken joints. prepareJoints runs once per step. Each substep runs warmStartJoints, solveJoints with bias, and after
// the motion refreshJoints and solveJoints without bias (relax). Impulses along the old directions bring the anchors to
// their place at the end of the substep; then velocities are made consistent with the new directions: SHAKE and RATTLE
// (H. C. Andersen, J. Comput. Phys. 52, 1983), which neither drift nor lose energy.
//
// Contacts are warm started per body by the velocity change that constraints caused in the last substep (integrate.ts).
// Joints warm start from their own impulses, so their velocity changes are added to the base velocity and do not count
// in the former.
//
// Connected joints are then solved together (direct.ts). If this would cost too much, and for limits, motors and
// springs outside it, joints are solved one after the other in slot order. To solve these four at a time, group
// activeJoints by type and graph colour, and store JointWork in lanes like ContactBlock.
import { turn } from '../../bodies/finalize';
import { recordJoint } from '../../events/record';
import {
  add,
  conjugate,
  cross,
  dot,
  lengthSquared,
  mul,
  mulQuat,
  rotate,
  rotateInverse,
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
import {
  AXIS_SPRING,
  AXIS_STIFFNESS,
  BODY_BEARS,
  BODY_DYNAMIC,
  BODY_TURNED,
  EVENT_JOINT_BROKEN,
  JOINT_AXIS_COUNT,
  JOINT_USED,
} from '../../memory/constants';
import { Body, BodyVelocity, Joint, JointBatch, JointWork } from '../../memory/records';
import {
  axisAt,
  batchAt,
  batchJointAt,
  bodyAt,
  jointAt,
  rowAt,
  setWord,
  velocityAt,
  wordAt,
  workAt,
  world,
} from '../../memory/tables';
import { fork, forkLong, forks } from '../../threads/fork';
import { THREADED } from '../../threads/mode';
import { LOST_SQUARED, NEAR_LIMIT } from '../../tolerances';
import { context } from '../context';
import { lists } from '../lists';
import { awakeJoints, listAwakeJoints } from './awakeJoints';
import { arrangeBatches, formOf } from './batches';
import { takeFrames } from './batchFactor';
import { finishBatch, forgetBatchImpacts, startBatch, sumBatch } from './batchImpulses';
import { advanceBatch, holdTaut } from './batchMotion';
import { sweepBatch, warmStartBatch } from './direct';
import { respondDrives } from './driveResponses';
import { collectDrives, findDrives, IS_IDLE, noteDrives, noteOf, reserveDrives } from './drives';
import { inertiaB, inverseMass, rowVelocity, Solving } from './rows';
import { softenLock } from './soft';
import { breakJoint, forgetImpulses, isWorking } from './table';
import {
  forgetLocks,
  hasAnchorsOnly,
  hasValues,
  isConeAxis,
  keepsDirections,
  locksOf,
  makeRows,
  mayIdle,
  slackOf,
  solveRows,
  sumRows,
  warmStartRows,
  writeValues,
} from './types';

export function prepareJoints(): void {
  const g = world();
  const before = g.activeJointCount;
  let changed = g.arranged == 0;
  let count = 0;
  const awake = listAwakeJoints();
  const list = awakeJoints();
  overJoints(FIND_ACTIVE, list, awake);
  for (let i = 0; i < awake; i++) {
    const found = noteOf(i);
    if (found == 0) continue;
    const slot = wordAt(list, i);
    // After a first change, the data of later entries may be those of other joints.
    if (!changed) changed = count >= before || wordAt(g.activeJoints, count) != slot || found == CHANGED;
    setWord(g.activeJoints, count++, slot);
  }
  if (count != before) changed = true;
  g.activeJointCount = count;
  g.scalarJointCount = 0;
  g.idleJointCount = 0;
  if (changed) arrangeBatches();
  g.arranged = 1;
  if (count == 0) return;
  overJoints(PREPARE, g.activeJoints, count);
  for (let i = 0; i < count; i++) {
    const slot = wordAt(g.activeJoints, i);
    const found = noteOf(i);
    if (found & IS_IDLE) setWord(g.idleJoints, g.idleJointCount++, slot);
    else if (found) setWord(g.scalarJoints, g.scalarJointCount++, slot);
  }
  reserveDrives();
  overJoints(FIND_DRIVES, g.scalarJoints, g.scalarJointCount);
  collectDrives();
  overBatches(START);
}

// Passes over joints of a list. What a joint does in them, it does to itself: it reads bodies and writes its own records, and
// a note for the loop that follows on one thread. That reads notes, not records, which may lie in the cache of another
// processor.
const FIND_ACTIVE = 0;
const PREPARE = 1;
const FIND_DRIVES = 2;
const FIND_NEAR = 3;
const FOLLOW = 4; // refresh, and find drives
const SUM_IMPULSES = 5;
const FORGET_IMPACT = 6;
const REFRESH = 7;
const MEASURE = 8;

/** Joints from which on a pass over them is shared between threads. */
const SHARED_JOINTS = 24;

function overJoints(pass: i32, list: u32, count: i32): void {
  if (THREADED && forks(count, SHARED_JOINTS)) fork(someJoints, pass, <i32>list, count);
  else someJoints(0, count, pass, <i32>list);
}

function someJoints(from: i32, to: i32, pass: i32, list: i32): void {
  const notes = world().jointOrder;
  for (let i = from; i < to; i++) {
    const slot = wordAt(<u32>list, i);
    const j = jointAt(slot);
    const w = workAt(slot);
    let note = 0;
    if (pass == FIND_ACTIVE) note = activity(j, w);
    else if (pass == PREPARE) note = prepareJoint(j, w);
    else if (pass == FIND_NEAR) note = wakeNear(j, w);
    else if (pass == SUM_IMPULSES) sumImpulses(j, w);
    else if (pass == FORGET_IMPACT) forgetImpact(j, w);
    else if (pass == MEASURE) note = measure(j, w);
    else {
      if (pass == REFRESH || (pass == FOLLOW && !follow(j, w))) refresh(j, w, false);
      if (pass != REFRESH) note = findDrives(j, w);
    }
    setWord(notes, i, note);
  }
}

const ACTIVE = 1;
const CHANGED = 2; // it is active, and its batch is no longer valid

/** Whether a joint takes part in the step, and what of it decides about batches. */
function activity(j: Joint, w: JointWork): i32 {
  if ((j.flags & JOINT_USED) == 0) return 0;
  const a = bodyAt(j.bodyA);
  const b = bodyAt(j.bodyB);
  const form = isWorking(j) ? formOf(j) : 0;
  if (form == 0) {
    w.form = 0;
    return 0;
  }
  const locks = locksOf(j);
  const solverBodyA = a.awakeIndex >= 0 && j.bodyA != 0 ? a.slot : 0;
  const solverBodyB = b.awakeIndex >= 0 && j.bodyB != 0 ? b.slot : 0;
  // What of the last step is compared was written in it: anything new, or restored, undoes the arrangement.
  const changed =
    world().arranged == 0 ||
    w.form != form ||
    w.locks != locks ||
    w.solverBodyA != solverBodyA ||
    w.solverBodyB != solverBodyB;
  w.solverBodyA = solverBodyA;
  w.solverBodyB = solverBodyB;
  w.locks = locks;
  w.form = form;
  return changed ? CHANGED : ACTIVE;
}

// Passes over all batches of joints.
const START = 0;
const WARM_START = 1;
const SOLVE = 2; // with bias, if there are drives
const RELAX = 3;
const SWEEP = 4;
const ADVANCE = 5;
const RENEW = 6;
const SUM = 7;
const FORGET = 8;
const FINISH = 9;
const BEARING = 10;

/** Batches from which on a pass over them is shared between threads. One takes as long as dozens of contacts. */
const SHARED_BATCHES = 4;

function overBatches(pass: i32): void {
  const count = world().batchCount;
  let first = 0;
  if (THREADED && count > 0) {
    if (pass == START) lists().batchesApart = countApart();
    first = lists().batchesApart;
    if (forks(first, SHARED_BATCHES)) forkLong(someBatches, pass, 0, first);
    else first = 0;
  }
  someBatches(first, count, pass, 0);
}

/** How many batches at the front threads may share: whole structures, of which no two move the same body. */
function countApart(): i32 {
  const count = world().batchCount;
  let i = 0;
  while (i < count && batchAt(i).direct != 0) i++;
  return i;
}

function someBatches(from: i32, to: i32, pass: i32, _: i32): void {
  for (let i = from; i < to; i++) {
    const u = batchAt(i);
    if (pass == START) {
      startBatch(u);
      takeFrames(u, false);
      if (u.driveRoom > 0) respondDrives(u);
    } else if (pass == WARM_START) warmStartBatch(u);
    else if (pass == SOLVE || pass == RELAX) {
      if (u.direct == 0) sweepBatch(u, pass == SOLVE, false);
      else if (pass == RELAX || u.driveCount > 0) sweepBatch(u, pass == SOLVE, true);
    } else if (pass == BEARING) {
      if (bears(u)) sweepBatch(u, false, u.direct != 0);
    } else if (pass == SWEEP) {
      if (u.direct != 0) sweepBatch(u, true, false);
    } else if (pass == ADVANCE) u.follows = advanceBatch(u) ? 1 : 0;
    else if (pass == RENEW) {
      if (u.follows) holdTaut(u);
      else renew(u);
      if (u.driveRoom > 0) respondDrives(u);
    } else if (pass == SUM) sumBatch(u);
    else if (pass == FORGET) forgetBatchImpacts(u);
    else finishBatch(u);
  }
}

/** Frames and factors for the current poses. */
function renew(u: JointBatch): void {
  for (let k = 0; k < u.jointCount; k++) {
    for (let lane: usize = 0; lane < 4; lane++) {
      const slot = load<i32>(changetype<usize>(batchJointAt(u, k)) + (lane << 2));
      if (slot != 0 && (!isScalar(workAt(slot)) || workAt(slot).idle))
        refresh(jointAt(slot), workAt(slot), false);
    }
  }
  takeFrames(u, true);
}

/** Returns a note: what the joint has to solve outside of batches (drives.ts). */
function prepareJoint(j: Joint, w: JointWork): i32 {
  const a = bodyAt(j.bodyA);
  const b = bodyAt(j.bodyB);
  w.base = sub(b.position, a.position);
  w.startA = a.rotation;
  w.startB = b.rotation;
  w.anchorA = sub(j.localPositionA, a.centerOfMass);
  w.anchorB = sub(j.localPositionB, b.centerOfMass);
  softenLock(w, j.hertz, j.dampingRatio);
  j.linearTotal = zero();
  j.angularTotal = zero();
  w.bounced = 0;
  w.idle = mayIdle(j, w) ? 1 : 0;
  w.driven = 0; // until findDrives, so that the rows get their masses
  if (!w.idle) takeMasses(j, w);
  refresh(j, w, true);
  if (hasValues(j.type)) {
    if (isScalar(w) && w.idle && isNearLimit(j, w)) wake(w, j);
    prepareAxes(j, w);
  }
  return isScalar(w) ? noteDrives(j, w) : 0;
}

/** A limit of the joint has come near: it gets its rows. */
function wake(w: JointWork, j: Joint): void {
  w.idle = 0;
  w.driven = 0;
  takeMasses(j, w);
  refresh(j, w, false);
}

function takeMasses(j: Joint, w: JointWork): void {
  const a = bodyAt(j.bodyA);
  const b = bodyAt(j.bodyB);
  w.invMassA = isMoved(a) ? a.invMass : zero();
  w.invMassB = isMoved(b) ? b.invMass : zero();
  // A spring at the anchors has the stiffness that the masses alone ask for. With that of the response at the anchors, which
  // turns with the arms, its force would have no potential: undamped joints gained energy at any length of the substep, and
  // changed angular momentum. Where substeps cannot resolve the oscillation (ωh > 1) the latter is kept: rows of limits
  // converge better.
  const softens = j.hertz > 0 && w.massScale < w.impulseScale && v128.any_true(inverseMass(w));
  w.softening = softens ? w.impulseScale : 0;
  columns(a, changetype<usize>(w) + offsetof<JointWork>('inertiaA0'));
  columns(b, changetype<usize>(w) + offsetof<JointWork>('inertiaB0'));
}

/** Whether a joint that has only limits of angles can reach one in the first substeps; sets w.slack. */
function isNearLimit(j: Joint, w: JointWork): bool {
  const rows = scalarRows(w);
  let slack: f32 = 1e9;
  for (let k = 3; k < JOINT_AXIS_COUNT; k++) {
    if (!((rows >> k) & 1)) continue;
    const axis = axisAt(j, k);
    const row = rowAt(w, k);
    const outside = isConeAxis(j.type, k) ? row.value : max<f32>(axis.low - row.value, row.value - axis.high);
    slack = min<f32>(slack, -outside * slackOf(j.type, k));
    axis.lowImpulse = 0;
    axis.highImpulse = 0;
  }
  w.slack = slack;
  return isNear(w);
}

/** Whether the rotation of two substeps can reach a limit. */
function isNear(w: JointWork): bool {
  const relative = sub(velocityAt(w.solverBodyB).angular, velocityAt(w.solverBodyA).angular);
  const reach = context().h * sqrt<f32>(lengthSquared(relative));
  const near = !(w.slack > NEAR_LIMIT + <f32>2 * reach);
  w.slack -= reach;
  return near;
}

function wakeNear(j: Joint, w: JointWork): i32 {
  const near = isNear(w);
  if (near) wake(w, j);
  return near ? 1 : 0;
}

/** Gives rows to limits that have come near. */
function wakeIdle(): void {
  const g = world();
  let count = 0;
  overJoints(FIND_NEAR, g.idleJoints, g.idleJointCount);
  for (let i = 0; i < g.idleJointCount; i++) {
    const slot = wordAt(g.idleJoints, i);
    if (noteOf(i)) setWord(g.scalarJoints, g.scalarJointCount++, slot);
    else setWord(g.idleJoints, count++, slot);
  }
  g.idleJointCount = count;
}

/** Whether the joint has something to solve outside batches: motors, springs, limits, soft locks. @inline */
function isScalar(w: JointWork): bool {
  return !w.batched || (w.rowMask & ~(w.locks >> 6)) != 0;
}

/** @inline */
function isMoved(b: Body): bool {
  return b.type == BODY_DYNAMIC && b.awakeIndex >= 0;
}

/** Writes the world inverse inertia by columns; 0 if impulses cannot move the body. */
function columns(b: Body, out: usize): void {
  if (!isMoved(b)) {
    memory.fill(out, 0, 48);
    return;
  }
  const p = b.invInertiaA;
  const q = b.invInertiaB;
  v128.store(out, vec3(x(p), y(p), z(p)));
  v128.store(out, vec3(y(p), x(q), y(q)), 16);
  v128.store(out, vec3(z(p), y(q), z(q)), 32);
}

/** Prepares springs with this step's masses, and the speeds along axes before forces act. */
function prepareAxes(j: Joint, w: JointWork): void {
  if (!w.idle) weighSprings(j, w);
  const a = velocityAt(w.solverBodyA);
  const b = velocityAt(w.solverBodyB);
  for (let i = 0; i < JOINT_AXIS_COUNT; i++) {
    const axis = axisAt(j, i);
    axis.total = 0;
    if (!((w.rowMask >> i) & 1)) continue;
    const row = rowAt(w, i);
    row.lowApproach = 0;
    row.highApproach = 0;
    if (!w.idle) row.previousVelocity = rowVelocity(row, a, b);
  }
}

/**
 * Masses to which the frequencies of springs refer: along a line the two masses alone; about an axis, or if neither body can but
 * turn, what the row has where the frames coincide. What a row has in the current pose changes with it, and a force that follows
 * has no potential: undamped springs gained energy at any length of the substep.
 */
function weighSprings(j: Joint, w: JointWork): void {
  let any = w.softening > 0;
  for (let k = 0; k < JOINT_AXIS_COUNT; k++)
    if ((axisAt(j, k).flags & (AXIS_SPRING | AXIS_STIFFNESS)) == AXIS_SPRING) any = true;
  if (!any || w.rowMask == 0) return;
  const turn = mulQuat(w.frameA, conjugate(w.frameB));
  const x = column(w, turn, vec3(1, 0, 0));
  const y = column(w, turn, vec3(0, 1, 0));
  w.inertiaB2 = column(w, turn, vec3(0, 0, 1));
  w.inertiaB0 = x;
  w.inertiaB1 = y;
  w.rB = rotate(turn, w.rB);
  w.frameB = w.frameA;
  makeRows(j, w, false);
  for (let k = 0; k < JOINT_AXIS_COUNT; k++) {
    if (!((w.rowMask >> k) & 1)) continue;
    const row = rowAt(w, k);
    const inverse = dot(mul(row.normal, row.normal), inverseMass(w));
    row.springMass = inverse > 0 ? <f32>1 / inverse : row.mass;
  }
  takeMasses(j, w);
  refresh(j, w, false);
}

/** Of B's inverse inertia, with B turned. */
function column(w: JointWork, turn: v128, e: v128): v128 {
  return rotate(turn, inertiaB(w, rotateInverse(turn, e)));
}

/** Updates frames and anchors, and the values that the joint type derives from them, for the current poses. */
function refresh(j: Joint, w: JointWork, first: bool): void {
  const a = velocityAt(w.solverBodyA);
  const b = velocityAt(w.solverBodyB);
  const qA = w.solverBodyA == 0 ? w.startA : turned(bodyAt(j.bodyA), a, w.startA);
  const qB = w.solverBodyB == 0 ? w.startB : turned(bodyAt(j.bodyB), b, w.startB);
  w.rA = rotate(qA, w.anchorA);
  w.rB = rotate(qB, w.anchorB);
  w.separation = add(add(w.base, sub(b.deltaPosition, a.deltaPosition)), sub(w.rB, w.rA));
  w.rowMask = 0;
  w.passes = 0;
  w.linearLocks = 0;
  w.angularLocks = 0;
  if (w.idle && hasAnchorsOnly(j.type)) return;
  const weighs = !w.idle && !w.driven && !first;
  if (weighs && isTurning(bodyAt(j.bodyA)))
    columns(bodyAt(j.bodyA), changetype<usize>(w) + offsetof<JointWork>('inertiaA0'));
  if (weighs && isTurning(bodyAt(j.bodyB)))
    columns(bodyAt(j.bodyB), changetype<usize>(w) + offsetof<JointWork>('inertiaB0'));
  w.frameA = mulQuat(qA, j.localRotationA);
  w.frameB = mulQuat(qB, j.localRotationB);
  w.turned = sub(b.deltaRotation, a.deltaRotation);
  makeRows(j, w, first);
}

/** Whether its world inertia changes within the step (integrate.ts). @inline */
function isTurning(b: Body): bool {
  return b.type == BODY_DYNAMIC && (b.flags & BODY_TURNED) != 0;
}

/** @inline */
function turned(b: Body, v: BodyVelocity, start: v128): v128 {
  // A spinning body with unequal moments has been rotated in each substep already.
  if (isTurning(b)) return b.rotation;
  return turn(start, v.deltaRotation);
}

/** After bodies have moved: updates axes, and the frames of rotated bodies. */
export function refreshJoints(): void {
  const g = world();
  wakeIdle();
  overBatches(ADVANCE);
  overJoints(FOLLOW, g.scalarJoints, g.scalarJointCount);
  collectDrives();
  overBatches(RENEW);
}

/**
 * Angles of a joint whose bodies turned little since its batch was factored: their values change by the rotation since the last
 * substep, and their directions turn with A, as those of the locks do. The last substep measures all anew. False if the joint must
 * be refreshed.
 */
function follow(j: Joint, w: JointWork): bool {
  if (!w.driven || context().ends || !batchAt((w.home - 1) >> 2).follows) return false;
  const a = velocityAt(w.solverBodyA);
  const now = sub(velocityAt(w.solverBodyB).deltaRotation, a.deltaRotation);
  if (!keepsDirections(j, now)) return false;
  const more = sub(now, w.turned);
  const swing = scale(a.angular, context().h);
  w.turned = now;
  for (let k = 3; k < JOINT_AXIS_COUNT; k++) {
    if (!((w.rowMask >> k) & 1)) continue;
    const row = rowAt(w, k);
    row.value += dot(row.armB, more);
    row.armA = add(row.armA, cross(swing, row.armA));
    row.armB = row.armA;
  }
  return true;
}

export function warmStartJoints(): void {
  overBatches(WARM_START);
  overScalar(WARM_START);
}

export function solveJoints(withBias: bool): void {
  const stage = withBias ? SOLVE : RELAX;
  overScalar(stage);
  overBatches(stage);
}

/**
 * One more relax pass over the batches of structures with a body that bears. Contacts follow, which need no exact joints: with one
 * sweep in place of two, cars on light wheels take 0.92 of the time and are as still.
 */
export function solveBearing(): void {
  context().lastPass = 0;
  overBatches(BEARING);
  context().lastPass = 1;
}

/** Whether a body of the batch bears. */
function bears(u: JointBatch): bool {
  for (let k = 0; k < u.jointCount; k++) {
    for (let lane: usize = 0; lane < 4; lane++) {
      const j = jointAt(load<i32>(changetype<usize>(batchJointAt(u, k)) + (lane << 2)));
      if ((bodyAt(j.bodyA).flags | bodyAt(j.bodyB).flags) & BODY_BEARS) return true;
    }
  }
  return false;
}

/** How often the biased stage goes through stiff springs, there and back. */
const STIFF_ROUNDS = 2;

/**
 * A stage of the joints that are solved one at a time. Through those with springs that substeps cannot resolve, the biased stage goes back
 * and again: after one way each knows only what came before it. Undamped nets of 225 nodes gained up to nine times their energy.
 */
function overScalar(stage: i32): void {
  if (lists().undriven == 0) return;
  const g = world();
  const count = g.scalarJointCount;
  let stiff = 0;
  for (let i = 0; i < count; i++) {
    const w = workAt(wordAt(g.scalarJoints, i));
    w.stiff = 0;
    solveScalar(i, stage);
    stiff |= w.stiff;
  }
  if (stiff == 0) return;
  for (let round = 1; round <= STIFF_ROUNDS; round++) {
    for (let i = count - 1; i >= 0; i--) solveStiff(i, stage);
    if (round < STIFF_ROUNDS) for (let i = 0; i < count; i++) solveStiff(i, stage);
  }
}

function solveStiff(place: i32, stage: i32): void {
  if (workAt(wordAt(world().scalarJoints, place)).stiff) solveScalar(place, stage);
}

/** Of the joint with this place among them. */
function solveScalar(place: i32, stage: i32): void {
  const slot = wordAt(world().scalarJoints, place);
  const j = jointAt(slot);
  const w = workAt(slot);
  if (w.driven) return;
  const a = velocityAt(w.solverBodyA);
  const b = velocityAt(w.solverBodyB);
  const linearA = a.linear;
  const angularA = a.angular;
  const linearB = b.linear;
  const angularB = b.angular;
  if (stage == WARM_START) warmStartRows(new Solving(j, w, a, b), scalarRows(w));
  else solveRows(new Solving(j, w, a, b), scalarRows(w), stage == SOLVE);
  if (!areSound(a, b)) {
    forgetImpulses(j);
    a.linear = linearA;
    a.angular = angularA;
    b.linear = linearB;
    b.angular = angularB;
    return;
  }
  addToBase(a, linearA, angularA);
  addToBase(b, linearB, angularB);
}

/** m/s, rad/s. Ten times the largest speed of a body. @inline */
function fastestSound(): f32 {
  return <f32>10 * sqrt<f32>(LOST_SQUARED);
}

/**
 * Whether a joint left its bodies with valid speeds. If not, its impulses have left the range of f32 and are undone.
 * Infinity times an inverse mass of 0 would be NaN and remain in the velocity. @inline @wide
 */
function areSound(a: BodyVelocity, b: BodyVelocity): bool {
  const sum = f32x4.abs(a.linear) + f32x4.abs(a.angular) + f32x4.abs(b.linear) + f32x4.abs(b.angular);
  return v128.all_true<i32>(f32x4.le(sum, splat(fastestSound())));
}

/** @inline */
function scalarRows(w: JointWork): i32 {
  return w.batched ? w.rowMask & ~(w.locks >> 6) : w.rowMask;
}

/** Contacts must not count the velocity change by joints in their warm start: see solve.ts. @inline @wide */
function addToBase(v: BodyVelocity, linear: v128, angular: v128): void {
  v.baseLinear = v.baseLinear + (v.linear - linear);
  v.baseAngular = v.baseAngular + (v.angular - angular);
}

/** Solves structures with the direct solver, after contacts. */
export function sweepStructures(): void {
  overBatches(SWEEP);
}

/** At the end of a substep: sums the applied impulses, and stores the speeds along springs. */
export function sumJointImpulses(): void {
  const g = world();
  lists().bounced = 0;
  overBatches(SUM);
  overJoints(SUM_IMPULSES, g.scalarJoints, g.scalarJointCount);
  if (lists().bounced) forgetImpacts();
}

function sumImpulses(j: Joint, w: JointWork): void {
  sumRows(j, w, scalarRows(w));
  if (w.bounced) lists().bounced = 1; // several threads may write this
}

/** Impulses of locks from an impact must not warm start either: alone, they would be another impact. */
function forgetImpacts(): void {
  const g = world();
  overBatches(FORGET);
  overJoints(FORGET_IMPACT, g.scalarJoints, g.scalarJointCount);
}

function forgetImpact(j: Joint, w: JointWork): void {
  if (!w.bounced) return;
  w.bounced = 0;
  forgetLocks(j);
}

/** Updates positions along the axes and finds overloaded joints, which break between steps. */
export function finishJoints(): void {
  const g = world();
  overBatches(FINISH);
  overJoints(REFRESH, g.idleJoints, g.idleJointCount);
  overJoints(MEASURE, g.activeJoints, g.activeJointCount);
  for (let i = 0; i < g.activeJointCount; i++) {
    if (!noteOf(i)) continue;
    const slot = wordAt(g.activeJoints, i);
    breakJoint(jointAt(slot));
    recordJoint(EVENT_JOINT_BROKEN, slot);
  }
}

/** Writes the positions along the axes that users read. Returns whether the joint is overloaded. */
function measure(j: Joint, w: JointWork): i32 {
  if (!isScalar(w) && hasValues(j.type)) refresh(j, w, false);
  writeValues(j, w);
  const limit = j.breakingImpulse;
  const angularLimit = j.breakingAngularImpulse;
  // No number is beyond every limit.
  const broken =
    (limit > 0 && !(lengthSquared(j.linearTotal) < limit * limit)) ||
    (angularLimit > 0 && !(lengthSquared(j.angularTotal) < angularLimit * angularLimit));
  if (!isBounded(j)) forgetTotals(j);
  return broken ? 1 : 0;
}

/** Whether the impulses of the step may be in a state. False for NaN, too. @inline @wide */
function isBounded(j: Joint): bool {
  const sum = f32x4.abs(j.linearTotal) + f32x4.abs(j.angularTotal);
  return v128.all_true<i32>(f32x4.le(sum, splat(MOST_IMPULSE)));
}

/**
 * The last safeguard of a joint, as that of a body (lost bodies): where joints and contacts ask for what excludes each other, impulses may
 * grow in every step although nothing moves. A snapshot with such numbers is refused.
 */
function forgetTotals(j: Joint): void {
  forgetImpulses(j);
  j.linearTotal = zero();
  j.angularTotal = zero();
  for (let k = 0; k < JOINT_AXIS_COUNT; k++) axisAt(j, k).total = 0;
}
