// The joint table. In: the fields of validated commands. Out: records linked into the lists of both bodies, connected
// bodies woken, pairs of connected bodies that must not collide removed. Slot 0 of the bodies is the world, which has
// no list of joints.
import { markMoved } from '../../bodies/aabbs';
import { destroyPair } from '../../contacts/pairs';
import { recordJoint } from '../../events/record';
import { wakeBody } from '../../islands/wake';
import { add, conjugate, mulQuat, normalizeQuat, rotate, rotateInverse, sub } from '../../math/vector';
import { reallocate } from '../../memory/allocator';
import {
  BODY_DYNAMIC,
  EVENT_JOINT_REMOVED,
  ISLAND_SLEEPING,
  JOINT_AT_MIDDLE,
  JOINT_AXIS_COUNT,
  JOINT_BROKEN,
  JOINT_COLLIDE,
  JOINT_ENABLED,
  JOINT_PLACE_BY_A,
  JOINT_PLACE_BY_B,
  JOINT_PLACING,
  JOINT_TURN_BY_A,
  JOINT_TURN_BY_B,
  JOINT_USED,
  JOINT_WORLD_FRAMES,
} from '../../memory/constants';
import { Body, Joint, JointAxis } from '../../memory/records';
import {
  axisAt,
  batchAt,
  bodyAt,
  grownCapacity,
  JOINT_SIZE,
  jointAt,
  pairAt,
  shapeAt,
  WORK_SIZE,
  wordAt,
  workAt,
  world,
} from '../../memory/tables';
import { HEAVY } from '../../tolerances';
import { isWorking, nextLink } from './links';

export { isWorking, nextLink } from './links';

export function reserveJoint(slot: i32): void {
  const g = world();
  if (slot >= g.jointCapacity) {
    const capacity = grownCapacity(g.jointCapacity, slot + 1);
    const old = <usize>g.jointCapacity;
    g.joints = reallocate(g.joints, old * JOINT_SIZE, <usize>capacity * JOINT_SIZE);
    g.jointWork = reallocate(g.jointWork, old * WORK_SIZE, <usize>capacity * WORK_SIZE);
    g.activeJoints = reallocate(g.activeJoints, old << 2, (<usize>capacity) << 2);
    g.scalarJoints = reallocate(g.scalarJoints, old << 2, (<usize>capacity) << 2);
    g.idleJoints = reallocate(g.idleJoints, old << 2, (<usize>capacity) << 2);
    g.jointOrder = reallocate(g.jointOrder, old << 3, (<usize>capacity) << 3);
    g.jointCapacity = capacity;
  }
  if (slot >= g.jointEnd) g.jointEnd = slot + 1;
}

/** Links the record, filled by the command decoder, into the lists of its bodies. */
export function enterJoint(j: Joint): void {
  world().jointCount++;
  world().arranged = 0;
  placeFrames(j);
  j.flags = (j.flags & ~JOINT_PLACING) | JOINT_USED;
  if (j.bodyA != 0) link(j, bodyAt(j.bodyA), 0);
  if (j.bodyB != 0) link(j, bodyAt(j.bodyB), 1);
  if (isWorking(j)) countConstraint(j, 1);
  wakeJoint(j);
  if (!(j.flags & JOINT_COLLIDE)) partLinkedPairs(j);
}

/** Computes frames that were left out, or given in world axes (frame A), from the current poses. */
function placeFrames(j: Joint): void {
  const a = bodyAt(j.bodyA);
  const b = bodyAt(j.bodyB);
  const flags = j.flags;
  let place = j.localPositionA;
  if (flags & JOINT_AT_MIDDLE) place = j.bodyB != 0 ? b.position : a.position;
  else if (flags & JOINT_PLACE_BY_A) place = inWorld(a, j.localPositionA);
  else if (flags & JOINT_PLACE_BY_B) place = inWorld(b, j.localPositionB);
  if (flags & (JOINT_WORLD_FRAMES | JOINT_AT_MIDDLE | JOINT_PLACE_BY_B)) j.localPositionA = inBody(a, place);
  if (flags & (JOINT_WORLD_FRAMES | JOINT_AT_MIDDLE | JOINT_PLACE_BY_A)) j.localPositionB = inBody(b, place);
  let turn = j.localRotationA;
  if (flags & JOINT_TURN_BY_A) turn = mulQuat(a.rotation, j.localRotationA);
  else if (flags & JOINT_TURN_BY_B) turn = mulQuat(b.rotation, j.localRotationB);
  if (flags & (JOINT_WORLD_FRAMES | JOINT_TURN_BY_B)) j.localRotationA = turnInBody(a, turn);
  if (flags & (JOINT_WORLD_FRAMES | JOINT_TURN_BY_A)) j.localRotationB = turnInBody(b, turn);
}

/** Converts a world point to the body's frame, relative to its origin. */
function inBody(b: Body, point: v128): v128 {
  return add(rotateInverse(b.rotation, sub(point, b.position)), b.centerOfMass);
}

function inWorld(b: Body, point: v128): v128 {
  return add(b.position, rotate(b.rotation, sub(point, b.centerOfMass)));
}

function turnInBody(b: Body, turn: v128): v128 {
  return normalizeQuat(mulQuat(conjugate(b.rotation), turn));
}

function countConstraint(j: Joint, by: i32): void {
  if (j.bodyA != 0) bodyAt(j.bodyA).constraintCount += by;
  if (j.bodyB != 0) bodyAt(j.bodyB).constraintCount += by;
}

export function wakeJoint(j: Joint): void {
  wakeBody(j.bodyA); // the world never sleeps
  wakeBody(j.bodyB);
}

/** Switches a joint on or off. Switching on repairs a broken joint. */
export function enableJoint(j: Joint, enabled: bool): void {
  const was = isWorking(j);
  if (enabled) j.flags = (j.flags | JOINT_ENABLED) & ~JOINT_BROKEN;
  else j.flags &= ~JOINT_ENABLED;
  if (isWorking(j) == was) return;
  countConstraint(j, was ? -1 : 1);
  forgetImpulses(j);
  wakeJoint(j);
}

export function breakJoint(j: Joint): void {
  j.flags |= JOINT_BROKEN;
  wakeJoint(j); // both begin to rest anew
  countConstraint(j, -1);
}

/** Clears the impulses of a changed joint, whose directions are no longer correct. */
export function forgetImpulses(j: Joint): void {
  const none = i32x4.splat(0);
  j.pointImpulse = none;
  j.angularImpulse = none;
  for (let i = 0; i < JOINT_AXIS_COUNT; i++) forgetAxis(axisAt(j, i));
}

export function forgetAxis(axis: JointAxis): void {
  axis.lowImpulse = 0;
  axis.highImpulse = 0;
  axis.motorImpulse = 0;
  axis.springImpulse = 0;
}

export function setCollideConnected(j: Joint, collide: bool): void {
  if (((j.flags & JOINT_COLLIDE) != 0) == collide) return;
  wakeJoint(j);
  if (collide) {
    j.flags |= JOINT_COLLIDE;
    meetAgain(j);
  } else {
    j.flags &= ~JOINT_COLLIDE;
    partLinkedPairs(j);
  }
}

export function removeJoint(slot: i32): void {
  const j = jointAt(slot);
  wakeJoint(j);
  if (isWorking(j)) countConstraint(j, -1);
  if (j.bodyA != 0) unlink(j, 0);
  if (j.bodyB != 0) unlink(j, 1);
  if (!(j.flags & JOINT_COLLIDE)) meetAgain(j);
  memory.fill(changetype<usize>(j), 0, JOINT_SIZE);
  world().jointCount--;
  world().arranged = 0;
}

/** Removes the joints of a removed body, the oldest first. */
export function removeJointsOf(b: Body): void {
  let at = b.firstJoint; // the list begins with the youngest
  while (nextLink(at) != 0) at = nextLink(at);
  while (at != 0) {
    const j = jointAt(at >> 1);
    const younger = at & 1 ? j.prevB : j.prevA;
    recordJoint(EVENT_JOINT_REMOVED, at >> 1);
    removeJoint(at >> 1);
    at = younger;
  }
}

/** Clears the impulses of all joints of a body. */
export function forgetImpulsesOf(b: Body): void {
  for (let at = b.firstJoint; at != 0; at = nextLink(at)) forgetImpulses(jointAt(at >> 1));
}

/** Wakes sleeping bodies that are jointed to an awake body. */
export function wakeByJoints(): void {
  const g = world();
  // What is woken is appended to the list, and wakes its neighbours in turn.
  for (let i = 0; i < g.awakeCount; i++) {
    const b = bodyAt(wordAt(g.awake, i));
    if (b.type != BODY_DYNAMIC) continue;
    for (let link = b.firstJoint; link != 0; link = nextLink(link)) {
      const j = jointAt(link >> 1);
      const slot = link & 1 ? j.bodyA : j.bodyB;
      if (slot == 0 || !isWorking(j)) continue;
      const other = bodyAt(slot);
      if (other.type == BODY_DYNAMIC && other.activation == ISLAND_SLEEPING) wakeBody(slot);
    }
  }
}

/**
 * Whether the body may bear for what is joined to it: part of a structure without loops that is solved directly, or joined to a much
 * heavier body. In loops, further passes let a walker that fell over gape by 32 mm in place of 3.
 */
export function mayBear(b: Body): bool {
  for (let link = b.firstJoint; link != 0; link = nextLink(link)) {
    const j = jointAt(link >> 1);
    const w = workAt(link >> 1); // written for working joints only
    if (isWorking(j) && w.home != 0 && !batchAt((w.home - 1) >> 2).redundant) return true;
    if (bodyAt(link & 1 ? j.bodyA : j.bodyB).mass > HEAVY * b.mass) return true;
  }
  return false;
}

/** Whether a joint between the two bodies forbids them to collide. */
export function forbidden(bodyA: i32, bodyB: i32): bool {
  let at = bodyAt(bodyA).firstJoint;
  if (at == 0 || bodyAt(bodyB).firstJoint == 0) return false;
  while (at != 0) {
    const j = jointAt(at >> 1);
    if ((at & 1 ? j.bodyA : j.bodyB) == bodyB && !(j.flags & JOINT_COLLIDE)) return true;
    at = at & 1 ? j.nextB : j.nextA;
  }
  return false;
}

function partLinkedPairs(j: Joint): void {
  if (j.bodyA == 0 || j.bodyB == 0) return;
  let at = bodyAt(j.bodyA).firstPair;
  while (at >= 0) {
    const pair = pairAt(at >> 1);
    const next = at & 1 ? pair.nextB : pair.nextA;
    if ((at & 1 ? pair.bodyA : pair.bodyB) == j.bodyB) destroyPair(at >> 1);
    at = next;
  }
}

/** Searches the pairs of the two bodies again. */
function meetAgain(j: Joint): void {
  if (j.bodyA == 0 || j.bodyB == 0) return;
  markShapes(bodyAt(j.bodyA));
  markShapes(bodyAt(j.bodyB));
}

function markShapes(b: Body): void {
  let slot = b.firstShape;
  while (slot != 0) {
    const s = shapeAt(slot);
    markMoved(s);
    slot = s.next;
  }
}

// --- the list of joints of a body; a link is joint << 1 | side ---

function link(j: Joint, body: Body, side: i32): void {
  const head = body.firstJoint;
  const self = (j.slot << 1) | side;
  if (side) {
    j.nextB = head;
    j.prevB = 0;
  } else {
    j.nextA = head;
    j.prevA = 0;
  }
  if (head != 0) setPrevious(head, self);
  body.firstJoint = self;
}

function unlink(j: Joint, side: i32): void {
  const next = side ? j.nextB : j.nextA;
  const previous = side ? j.prevB : j.prevA;
  if (next != 0) setPrevious(next, previous);
  if (previous == 0) bodyAt(side ? j.bodyB : j.bodyA).firstJoint = next;
  else if (previous & 1) jointAt(previous >> 1).nextB = next;
  else jointAt(previous >> 1).nextA = next;
}

function setPrevious(at: i32, value: i32): void {
  if (at & 1) jointAt(at >> 1).prevB = value;
  else jointAt(at >> 1).prevA = value;
}
