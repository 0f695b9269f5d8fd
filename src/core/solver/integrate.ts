// Integrates the motion of bodies, substep by substep. In: velocities, forces. Out: velocities, and the motion since
// the start of the step.
//
// Only the first substep warm starts by a pass over all contacts. Normals and anchors are fixed within a step, so the
// warm-starting impulses of substep k + 1 change a body's velocity by exactly as much as all constraints together
// changed it in substep k. This change is stored per body (contactLinear, contactAngular) and applied at once.
//
// Rotation: bodies with three equal moments of inertia rotate by their rotation vector once per step, other spinning
// bodies in every substep, by gyroscopic.ts in free flight and by spin.ts under constraints.

import { addEffects, takeEffects } from '../areas/areas';
import { rotationVector } from '../bodies/fast';
import { isSane, stop, turn } from '../bodies/finalize';
import { applyInverseInertia, updateWorldInertia } from '../bodies/massProperties';
import { isRattling } from '../bodies/rattling';
import { powFraction } from '../math/elementary';
import {
  add,
  addScaled,
  conjugate,
  cross,
  lengthSquared,
  mul,
  mulQuat,
  neg,
  rotate,
  scale,
  splat,
  sub,
  w,
  zero,
} from '../math/vector';
import { BODY_ACTED, BODY_DYNAMIC, BODY_MOVED, BODY_TURNED, COLOR_COUNT } from '../memory/constants';
import { Body, BodyVelocity } from '../memory/records';
import {
  batchAt,
  bodyAt,
  colorAt,
  jointAt,
  scratch,
  velocityAt,
  wordAt,
  workAt,
  world,
} from '../memory/tables';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import {
  COMMUTING,
  GYROSCOPIC_SPEED_SQUARED,
  HELD_GYROSCOPIC_SPEED_SQUARED,
  HELD_TURN_SQUARED,
  SLOW_TURN_SQUARED,
  SMOOTH,
} from '../tolerances';
import { contactsOfBytes } from './contactsOf';
import { context, StepContext } from './context';
import { tumbles, tumbling, turnFreely, turnGyroscopic } from './gyroscopic';
import { isWorking, nextLink } from './joints/links';
import { lists } from './lists';
import { followTurning } from './prepare';
import { SHARED_SPINS, spinBodies } from './spin';

/** @inline */
function xyzMask(): v128 {
  return i32x4(-1, -1, -1, 0);
}

/** Applies forces, sets kinematic velocities, and fills the two lists. */
export function beginStep(): void {
  const g = world();
  const count = g.awakeCount;
  const l = lists();
  let blocks = 0;
  for (let c = 0; c < COLOR_COUNT; c++) blocks += colorAt(c).count;
  const contactBytes = contactsOfBytes(g.bodyEnd, blocks);
  l.firstContacts = scratch(<usize>count * 16 + <usize>blocks * 12 + 16 + contactBytes);
  l.contacts = l.firstContacts + ((<usize>g.bodyEnd + 1) << 2);
  l.constrained = l.firstContacts + contactBytes;
  l.gyroscopic = l.constrained + ((<usize>count) << 2);
  l.jointed = l.gyroscopic + ((<usize>count) << 2);
  l.impacts = l.jointed + ((<usize>count) << 2);
  l.turning = l.impacts + ((<usize>blocks) << 2);
  l.repeated = l.turning + ((<usize>blocks) << 2);
  l.rattling = l.repeated + ((<usize>blocks) << 2);
  l.arranged = 0;
  l.constrainedCount = 0;
  l.gyroscopicCount = 0;
  l.jointedCount = 0;
  l.turningCount = 0;
  l.rattlingCount = 0;
  l.repeatedCount = 0;
  l.bearing = 0;
  l.persistentCount = 0;
  l.followed = 0;
  g.lostCount = 0;
  if (!(THREADED && forks(count, SHARED_BODIES))) return beginBodies(0, count, 0);
  const found = outcomes(count);
  fork(beginSome, 0, 0, count);
  for (let i = 0; i < count; i++) list(wordAt(g.awake, i), load<i32>(found + ((<usize>i) << 2)));
}

/** A part of beginStep, in the threaded core. */
function beginSome(from: i32, to: i32, _: i32, __: i32): void {
  beginBodies(from, to, outcomes(0));
}

// What beginStep finds out about a body.
const CONSTRAINED = 1;
const GYROSCOPIC = 2;
const JOINTED = 4;
const RATTLING = 8;

/** @inline */
function list(slot: i32, outcome: i32): void {
  const l = lists();
  if (!(outcome & CONSTRAINED)) return;
  store<i32>(l.constrained + (usize(l.constrainedCount++) << 2), slot);
  if (outcome & RATTLING) store<i32>(l.rattling + (usize(l.rattlingCount++) << 2), slot);
  if (outcome & GYROSCOPIC) store<i32>(l.gyroscopic + (usize(l.gyroscopicCount++) << 2), slot);
  else if (outcome & JOINTED) store<i32>(l.jointed + (usize(l.jointedCount++) << 2), slot);
}

/** Begins the step of some awake bodies, and lists them or stores a word for each at `found`. */
function beginBodies(from: i32, to: i32, found: usize): void {
  const g = world();
  const step = context();
  // Neighbours in the list usually have the same damping, and a power costs as much as a contact.
  let lastLinear: f32 = 0;
  let lastAngular: f32 = 0;
  let linearDamping: f32 = 1;
  let angularDamping: f32 = 1;
  for (let i = from; i < to; i++) {
    const slot = wordAt(g.awake, i);
    const b = bodyAt(slot);
    if (b.linearDamping != lastLinear) {
      lastLinear = b.linearDamping;
      linearDamping = powFraction(<f32>1 - lastLinear, step.h);
    }
    if (b.angularDamping != lastAngular) {
      lastAngular = b.angularDamping;
      angularDamping = powFraction(<f32>1 - lastAngular, step.h);
    }
    const outcome = beginBody(b, velocityAt(slot), step, new Damping(linearDamping, angularDamping));
    if (THREADED && found) store<i32>(found + ((<usize>i) << 2), outcome);
    else list(slot, outcome);
  }
}

/** Shares of the velocities that are left after a substep. @value */
class Damping {
  linear: f32;
  angular: f32;
}

function beginBody(b: Body, v: BodyVelocity, step: StepContext, damping: Damping): i32 {
  const g = world();
  const acted = (b.flags & BODY_ACTED) != 0;
  if (acted) takeEffects(b, v);
  v.deltaPosition = zero();
  v.deltaRotation = zero();
  if (b.type != BODY_DYNAMIC) {
    if (b.flags & BODY_MOVED) aimAtTarget(b, v, step.dt);
    // Contacts add zeros to these velocities, which makes a zero positive. Here it is positive before, because threads
    // add to the same body at the same time, and nothing that they store may differ from what is there.
    v.linear = add(v.linear, zero());
    v.angular = add(v.angular, zero());
    return 0;
  }
  // Stop the body before it touches others: it would throw them as far, at speeds that look valid at the end of the
  // step.
  if (!isSane(b, v)) stop(b, v);
  const acceleration = add(
    mul(scale(g.gravity, b.gravityScale), lockedAxes(b)),
    scale(b.force, <f32>1 / b.mass),
  );
  v.forceLinear = f32x4.replace_lane(scale(acceleration, step.h), 3, damping.linear);
  v.forceAngular = f32x4.replace_lane(scale(applyInverseInertia(b, b.torque), step.h), 3, damping.angular);
  if (acted) addEffects(b, v, step);
  v.startLinear = v.linear;
  v.startAngular = v.angular;
  v.contactLinear = zero();
  v.contactAngular = zero();
  let gyroscopic =
    lengthSquared(v.angular) >
      (b.constraintCount > 0 && b.firstJoint == 0
        ? HELD_GYROSCOPIC_SPEED_SQUARED
        : GYROSCOPIC_SPEED_SQUARED) && tumbles(b);
  if (
    gyroscopic &&
    b.constraintCount > 0 &&
    lengthSquared(v.angular) * step.dt * step.dt < SLOW_TURN_SQUARED
  ) {
    v.forceAngular = addScaled(v.forceAngular, tumbling(b, v.angular, step.dt), step.h);
    gyroscopic = false;
  }
  if (gyroscopic) {
    b.flags |= BODY_TURNED;
  } else {
    b.rotationRest = zero(); // the remainder belongs to an orientation that is now changed elsewhere
    b.angularRest = zero();
  }
  if (b.constraintCount > 0)
    return (
      CONSTRAINED |
      (gyroscopic ? GYROSCOPIC : 0) |
      (b.firstJoint != 0 ? JOINTED : 0) |
      (isRattling(b) ? RATTLING : 0)
    );
  flyFree(b, v, step, gyroscopic);
  return 0;
}

/** 1 per axis on which gravity acts. Bullet multiplies gravity by the linear factor, like every force. @inline */
function lockedAxes(b: Body): v128 {
  return b.linearFactor;
}

/** Integrates a body without constraints over all substeps at once. */
function flyFree(b: Body, v: BodyVelocity, step: StepContext, gyroscopic: bool): void {
  const substeps = step.substeps;
  const h = splat(step.h);
  const forceLinear = v128.and(v.forceLinear, xyzMask());
  const forceAngular = v128.and(v.forceAngular, xyzMask());
  const dampLinear = splat(w(v.forceLinear));
  const dampAngular = splat(w(v.forceAngular));
  let linear = v.linear;
  let angular = v.angular;
  let position = zero();
  let turned = zero();
  // Without torque and damping, nothing happens to the spin between the substeps.
  const alone = gyroscopic && !v128.any_true(forceAngular) && w(v.forceAngular) == 1;
  if (alone) {
    angular = turnFreely(b, angular, step.h, substeps);
    turned = scale(add(v.angular, angular), <f32>0.5 * step.dt);
  }
  for (let k = 0; k < substeps; k++) {
    linear = mul(add(linear, forceLinear), dampLinear);
    position = add(position, mul(linear, h));
    if (alone) continue;
    angular = mul(add(angular, forceAngular), dampAngular);
    if (gyroscopic) {
      const before = angular;
      angular = turnGyroscopic(b, angular, step.h);
      turned = add(turned, mul(add(before, angular), splat(step.h * <f32>0.5)));
    } else {
      turned = add(turned, mul(angular, h));
    }
  }
  v.linear = linear;
  v.angular = angular;
  v.deltaPosition = position;
  v.deltaRotation = turned;
}

/** Sets the velocities of kinematic bodies with a target, before other stages read them. */
export function aimKinematics(dt: f32): void {
  const g = world();
  const step = context();
  step.carriers = g.surfaceCount;
  const smooth = SMOOTH * dt;
  for (let i = 0; i < g.awakeCount; i++) {
    const slot = wordAt(g.awake, i);
    const b = bodyAt(slot);
    if (b.type == BODY_DYNAMIC) continue;
    const v = velocityAt(slot);
    v.startLinear = v.linear;
    v.startAngular = v.angular;
    if (b.flags & BODY_MOVED) aimAtTarget(b, v, dt);
    step.carriers++;
    // If a body starts or changes direction suddenly, its motion between the steps is not smooth.
    const dv = sub(v.linear, v.startLinear);
    const dw = sub(v.angular, v.startAngular);
    if (lengthSquared(dv) <= smooth * smooth && lengthSquared(dw) <= smooth * smooth) continue;
    v.startLinear = v.linear;
    v.startAngular = v.angular;
  }
}

/** Kinematic bodies reach their target exactly at the end of the step (finalize.ts). */
function aimAtTarget(b: Body, v: BodyVelocity, dt: f32): void {
  const target = add(b.targetPosition, rotate(b.targetRotation, b.centerOfMass));
  v.linear = scale(sub(target, b.position), <f32>1 / dt);
  let d = mulQuat(b.targetRotation, conjugate(b.rotation));
  if (w(d) < 0) d = neg(d);
  // Rotation vector 2·asin|u|·û, by series in |u|² for the small rotations of one step, otherwise by halving.
  v.angular = scale(rotationVector(d), <f32>1 / dt);
}

/** Bodies from which on a pass over them is shared between threads. */
const SHARED_BODIES = 512;

export function integrateVelocities(first: bool): void {
  const l = lists();
  if (THREADED && forks(l.constrainedCount, SHARED_BODIES))
    return fork(integrateSome, first ? 1 : 0, 0, l.constrainedCount);
  for (let i = 0; i < l.constrainedCount; i++)
    integrateVelocity(velocityAt(wordAt(<u32>l.constrained, i)), first);
}

/** A part of integrateVelocities, in the threaded core. */
function integrateSome(from: i32, to: i32, first: i32, _: i32): void {
  const constrained = <u32>lists().constrained;
  for (let i = from; i < to; i++) integrateVelocity(velocityAt(wordAt(constrained, i)), first != 0);
}

/** A part of integratePositions, in the threaded core. */
function moveSome(from: i32, to: i32, _: i32, __: i32): void {
  const constrained = <u32>lists().constrained;
  const h = context().h;
  for (let i = from; i < to; i++) integratePosition(velocityAt(wordAt(constrained, i)), splat(h));
}

/** @inline @wide */
function integrateVelocity(v: BodyVelocity, first: bool): void {
  const forceLinear = v.forceLinear;
  const forceAngular = v.forceAngular;
  const xyz = xyzMask();
  const dampLinear = v128.shuffle<f32>(forceLinear, forceLinear, 3, 3, 3, 3);
  const dampAngular = v128.shuffle<f32>(forceAngular, forceAngular, 3, 3, 3, 3);
  let linear = v.linear;
  let angular = v.angular;
  if (first) {
    linear = (linear + v128.and(forceLinear, xyz)) * dampLinear;
    angular = (angular + v128.and(forceAngular, xyz)) * dampAngular;
  } else {
    const contactLinear = v.contactLinear + (linear - v.baseLinear);
    const contactAngular = v.contactAngular + (angular - v.baseAngular);
    v.contactLinear = zero();
    v.contactAngular = zero();
    linear = (linear + v128.and(forceLinear, xyz)) * dampLinear;
    angular = (angular + v128.and(forceAngular, xyz)) * dampAngular;
    v.baseLinear = linear;
    v.baseAngular = angular;
    v.linear = linear + contactLinear;
    v.angular = angular + contactAngular;
    return;
  }
  v.linear = linear;
  v.angular = angular;
  v.baseLinear = linear;
  v.baseAngular = angular;
}

/**
 * Whether all of its joints are solved directly and close no loop. A bridge held at both ends that is hit at 250 m/s gained
 * energy when its planks were rotated by substeps.
 */
function hangsFree(b: Body): bool {
  for (let link = b.firstJoint; link != 0; link = nextLink(link)) {
    if (!isWorking(jointAt(link >> 1))) continue;
    const home = workAt(link >> 1).home;
    if (home == 0 || batchAt((home - 1) >> 2).redundant != 0) return false;
  }
  return true;
}

/**
 * The sum of the rotation vectors of substeps is not the rotation that they make together: a limb that an impact turns
 * about another axis than before would leave its joint. Joints solve for the end of each substep, so from the substep on
 * in which the difference begins to count, such bodies are rotated in every substep.
 */
function findTurning(): void {
  const l = lists();
  const shared = THREADED && forks(l.jointedCount, SHARED_SPINS);
  const found = shared ? outcomes(l.jointedCount) : 0;
  if (shared) fork(turnSome, 0, 0, l.jointedCount);
  let count = 0;
  for (let i = 0; i < l.jointedCount; i++) {
    const slot = wordAt(<u32>l.jointed, i);
    const turning = shared ? load<i32>(found + ((<usize>i) << 2)) : startTurning(slot);
    if (turning == LATER) store<i32>(l.jointed + (usize(count++) << 2), slot);
    else if (turning == NOW) store<i32>(l.gyroscopic + (usize(l.gyroscopicCount++) << 2), slot);
  }
  l.jointedCount = count;
}

/** A part of findTurning, in the threaded core. */
function turnSome(from: i32, to: i32, _: i32, __: i32): void {
  const found = outcomes(0);
  const jointed = <u32>lists().jointed;
  for (let i = from; i < to; i++) store<i32>(found + ((<usize>i) << 2), startTurning(wordAt(jointed, i)));
}

// When a jointed body begins to be rotated in every substep.
const LATER = 0;
const NOW = 1;
const NEVER = 2; // not in this step

function startTurning(slot: i32): i32 {
  const h = context().h;
  const v = velocityAt(slot);
  const swerve = lengthSquared(cross(v.angular, v.deltaRotation)) * h * h;
  if (swerve <= <f32>4 * COMMUTING * COMMUTING && lengthSquared(v.angular) * h * h <= HELD_TURN_SQUARED)
    return LATER;
  const b = bodyAt(slot);
  if (!hangsFree(b)) return NEVER;
  b.rotation = turn(b.rotation, v.deltaRotation);
  b.flags |= BODY_TURNED;
  if (tumbles(b)) updateWorldInertia(b);
  return NOW;
}

export function integratePositions(): void {
  const l = lists();
  const h = context().h;
  findTurning();
  if (THREADED && forks(l.constrainedCount, SHARED_BODIES)) fork(moveSome, 0, 0, l.constrainedCount);
  else
    for (let i = 0; i < l.constrainedCount; i++)
      integratePosition(velocityAt(wordAt(<u32>l.constrained, i)), splat(h));
  spinBodies();
  followTurning();
  const g = world();
  if (context().carriers == 0) return;
  for (let i = 0; i < g.awakeCount; i++) {
    const slot = wordAt(g.awake, i);
    if (bodyAt(slot).type != BODY_DYNAMIC) {
      const v = velocityAt(slot);
      v.deltaPosition = addScaled(v.deltaPosition, v.linear, h);
      v.deltaRotation = addScaled(v.deltaRotation, v.angular, h);
    }
  }
}

/** @inline @wide */
function integratePosition(v: BodyVelocity, h: v128): void {
  const linear = v.linear;
  const angular = v.angular;
  v.contactLinear = v.contactLinear + (linear - v.baseLinear);
  v.contactAngular = v.contactAngular + (angular - v.baseAngular);
  v.baseLinear = linear;
  v.baseAngular = angular;
  v.deltaPosition = v.deltaPosition + linear * h;
  v.deltaRotation = v.deltaRotation + angular * h;
}
