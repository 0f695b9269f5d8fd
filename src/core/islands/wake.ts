// Waking and putting to sleep. In: bodies to wake or to put to sleep. Out: consistent awake list, trees and pair lists.
// Sleeping islands are circular lists of bodies that wake together.

import { ACTORS_SUPPORT, actors, hasActors } from '../actors/hook';
import { markMoved } from '../bodies/aabbs';
import { publishPose } from '../bodies/finalize';
import { updateInverseMass } from '../bodies/massProperties';
import { insertLeaf, removeLeaf } from '../broadphase/tree';
import { putToSleep, wakePair } from '../contacts/pairs';
import { recordSleep, recordWake } from '../events/record';
import { zero } from '../math/vector';
import {
  ACTIVE_TAG,
  BODY_DYNAMIC,
  BODY_RATTLE,
  BODY_STATIC,
  BODY_USED,
  DISABLE_SIMULATION,
  ISLAND_SLEEPING,
  PAIR_SENSOR,
  PAIR_TOUCHING,
  SHAPE_AREA,
  WANTS_DEACTIVATION,
} from '../memory/constants';
import { Body, BodyVelocity, Pair, World } from '../memory/records';
import {
  bodyAt,
  growTable,
  jointAt,
  pairAt,
  setMotion,
  setWord,
  shapeAt,
  velocityAt,
  wordAt,
  world,
} from '../memory/tables';
import { isWorking, nextLink } from '../solver/joints/links';
import { startRest } from './rest';

export const MOVING_TREE = 0;
const RESTING_TREE = 1;

/** Appends to the awake list; kinematic bodies are in it, too. */
export function enterAwakeList(b: Body): void {
  const g = world();
  if (b.awakeIndex >= 0) return;
  growTable(offsetof<World>('awake'), g.awakeCount + 1, 4);
  b.awakeIndex = g.awakeCount;
  setWord(g.awake, g.awakeCount++, b.slot);
  updateInverseMass(b);
}

export function leaveAwakeList(b: Body): void {
  const g = world();
  if (b.awakeIndex < 0) return;
  const last = wordAt(g.awake, --g.awakeCount);
  setWord(g.awake, b.awakeIndex, last);
  bodyAt(last).awakeIndex = b.awakeIndex;
  b.awakeIndex = -1;
  setMotion(b.slot, zero(), 0);
  updateInverseMass(b);
  // Awake neighbours may read these fields, and must not see the last step. A body woken late in a step stood still.
  const ofOneStep = offsetof<BodyVelocity>('deltaPosition');
  memory.fill(changetype<usize>(velocityAt(b.slot)) + ofOneStep, 0, offsetof<BodyVelocity>() - ofOneStep);
}

/** The tree to which a body's shapes belong now. */
export function treeOf(b: Body): i32 {
  return b.awakeIndex >= 0 ? MOVING_TREE : RESTING_TREE;
}

/** Moves the body's leaves to their tree. */
export function settleInTree(b: Body): void {
  const tree = treeOf(b);
  let slot = b.firstShape;
  while (slot != 0) {
    const s = shapeAt(slot);
    if (s.tree != tree) {
      if (s.tree >= 0) removeLeaf(s.tree, s.leaf);
      s.tree = tree;
      s.leaf = insertLeaf(tree, slot);
    }
    slot = s.next;
  }
}

/** Wakes a sleeping body with its whole island. One that is awake begins to rest anew: what kept it at rest may be over. */
export function wakeBody(slot: i32): void {
  const b = bodyAt(slot);
  if (b.type != BODY_DYNAMIC || b.activation == DISABLE_SIMULATION) return;
  b.sleepTime = 0;
  if (b.awakeIndex >= 0) return;
  let at = b.islandNext;
  while (at != slot && at != 0) {
    const member = bodyAt(at);
    const next = member.islandNext;
    wakeOne(member);
    at = next;
  }
  wakeOne(b);
}

function wakeOne(b: Body): void {
  b.islandNext = 0;
  b.sleepTime = 0;
  if (b.activation == ISLAND_SLEEPING || b.activation == WANTS_DEACTIVATION) b.activation = ACTIVE_TAG;
  enterAwakeList(b);
  settleInTree(b);
  let slot = b.firstShape;
  while (slot != 0) {
    const s = shapeAt(slot);
    markMoved(s);
    slot = s.next;
  }
  let link = b.firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    const next = link & 1 ? pair.nextB : pair.nextA;
    wakePair(link >> 1);
    link = next;
  }
  publishPose(b);
  recordWake(b.slot);
}

/** Removes one body from the awake bodies; its pairs with other resting bodies become inactive. */
export function restBody(b: Body): void {
  leaveAwakeList(b);
  startRest(b);
  b.flags &= ~BODY_RATTLE;
  if (b.activation != DISABLE_SIMULATION) {
    const v = velocityAt(b.slot);
    v.linear = zero();
    v.angular = zero();
  }
  settleInTree(b);
  let link = b.firstPair;
  while (link >= 0) {
    const index = link >> 1;
    const pair = pairAt(index);
    const next = link & 1 ? pair.nextB : pair.nextA;
    const other = bodyAt(pair.bodyA == b.slot ? pair.bodyB : pair.bodyA);
    if (other.type != BODY_DYNAMIC || other.awakeIndex < 0) putToSleep(index);
    link = next;
  }
  publishPose(b);
  recordSleep(b.slot);
}

/** Whether one shape is an area and the other one is in it. */
export function isInArea(pair: Pair): bool {
  if (!(pair.flags & PAIR_TOUCHING)) return false;
  return ((shapeAt(pair.shapeA).flags | shapeAt(pair.shapeB).flags) & SHAPE_AREA) != 0;
}

/**
 * Wakes all bodies that touch or nearly touch the body, or are connected to it: their support or its material may
 * change.
 */
export function wakeNeighbours(b: Body): void {
  wakeAround(b);
  if (hasActors()) actors(ACTORS_SUPPORT, b.slot, 0);
}

function wakeAround(b: Body): void {
  let link = b.firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    const next = link & 1 ? pair.nextB : pair.nextA;
    // Sensor pairs are tested again, but wake no body, unless the sensor is an area that acts on the body.
    if (pair.flags & PAIR_SENSOR) wakePair(link >> 1);
    if (!(pair.flags & PAIR_SENSOR) || isInArea(pair)) {
      wakeBody(pair.bodyA == b.slot ? pair.bodyB : pair.bodyA);
    }
    link = next;
  }
  wakeLinked(b);
}

export function wakeAll(): void {
  const g = world();
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    if (bodyAt(slot).flags & BODY_USED) wakeBody(slot);
  }
}

/**
 * Moving kinematic bodies wake all bodies whose AABBs overlap theirs (btSimulationIslandManager.cpp:317-330). So do dynamic
 * bodies with an area that have not come to rest: they share no island with those inside.
 */
export function wakeByKinematics(): void {
  const g = world();
  for (let i = 0; i < g.awakeCount; i++) {
    const b = bodyAt(wordAt(g.awake, i));
    if (b.type == BODY_STATIC) continue;
    if (b.type == BODY_DYNAMIC && (g.areaCount == 0 || b.activation == WANTS_DEACTIVATION || !hasArea(b)))
      continue;
    const v = velocityAt(b.slot);
    if (!v128.any_true(v128.or(f32x4.ne(v.linear, zero()), f32x4.ne(v.angular, zero())))) continue;
    wakeAround(b);
  }
}

function hasArea(b: Body): bool {
  let slot = b.firstShape;
  while (slot != 0 && !(shapeAt(slot).flags & SHAPE_AREA)) slot = shapeAt(slot).next;
  return slot != 0;
}

/** Puts a resting island to sleep: its slots become a circular list. */
export function putIslandToSleep(slots: usize, count: i32, island: i32): void {
  for (let i = 0; i < count; i++) {
    const b = bodyAt(load<i32>(slots + ((<usize>i) << 2)));
    b.islandNext = load<i32>(slots + ((<usize>(i + 1 == count ? 0 : i + 1)) << 2));
    b.activation = ISLAND_SLEEPING;
    setWord(world().islands, b.slot, island);
  }
  for (let i = 0; i < count; i++) {
    const b = bodyAt(load<i32>(slots + ((<usize>i) << 2)));
    restBody(b);
  }
}

/** Wakes all bodies jointed to a body. */
function wakeLinked(b: Body): void {
  let at = b.firstJoint;
  while (at != 0) {
    const next = nextLink(at);
    const j = jointAt(at >> 1);
    const other = at & 1 ? j.bodyA : j.bodyB;
    if (other != 0 && isWorking(j)) wakeBody(other);
    at = next;
  }
}
