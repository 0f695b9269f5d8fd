// Keeps every manifold true. In: pairs whose fat AABBs overlap, bodies where they are now. Out:
// separations of manifolds that are recycled (their bodies barely moved since the narrow phase last
// ran: an idea of Box3D, Catto 2025), new manifolds where they moved, candidates for touching.

import { wakeBody } from '../islands/wake';
import { lengthSquared } from '../math/vector';
import { reallocate } from '../memory/allocator';
import {
  BODY_DYNAMIC,
  COLOR_COUNT,
  LIST_SOLVED,
  PAIR_CHILD,
  PAIR_CONCAVE,
  PAIR_HIDDEN,
  PAIR_SENSOR,
  PAIR_STALE,
  PAIR_STRUCK,
  PAIR_TOUCHING,
  SHAPE_PLANE,
  SPECIAL_IMPACT,
} from '../memory/constants';
import { ManifoldResult, Pair } from '../memory/records';
import {
  blockAt,
  blockHandle,
  bodyAt,
  colorAt,
  grownCapacity,
  metaAt,
  pairAt,
  reachOf,
  scratch,
  setWord,
  shapeAt,
  waitingAt,
  wordAt,
  world,
} from '../memory/tables';
import { collideAlong } from '../narrowphase/convexContact';
import { collideShapes } from '../narrowphase/dispatch';
import { shapeGap } from '../narrowphase/distance';
import { addLane, pairOfLane, refreshBlockSummary } from '../solver/lanes';
import { collideConcaves, concaveDistance, findClusters, updateChildren } from './concave';
import { RESULT_ADDRESS, writeManifold } from './manifold';
import { leaveWaiting, startSensing, startTouchingConcave, stopTouching } from './pairs';
import { recycleBlock } from './recycle';
import { seamNormal, seamNormalOfLane } from './seams';
import { sortPairs } from './sort';
import { keepTrue, lookAhead, passesBy } from './speculate';
import { endContact } from './touches';

/** @inline */
function narrowPhase(pair: Pair, maxSeparation: f32, dt: f32): ManifoldResult {
  const result = changetype<ManifoldResult>(RESULT_ADDRESS);
  collideShapes(shapeAt(pair.shapeA), shapeAt(pair.shapeB), maxSeparation, pair.cache, result);
  pair.cache = result.cache;
  keepTrue(pair, result, dt);
  return result;
}

/** Manifolds with a lane, then pairs that wait for a touch. Pairs that part are listed in scratch and returned as a count. */
export function collide(dt: f32): void {
  const g = world();
  let recycled = 0;
  let collided = 0;
  let ended = 0;
  const endedList = scratch((<usize>g.contactCount + <usize>g.sensorCount) << 2);
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    for (let i = 0; i < color.count; i++) {
      const block = blockHandle(c, i);
      const stale = recycleBlock(block);
      if (stale == 0) {
        recycled += 4;
        calmDown(block);
        continue;
      }
      for (let lane = 0; lane < 4; lane++) {
        if (((stale >> lane) & 1) == 0) {
          recycled++;
          continue;
        }
        const index = pairOfLane(block, lane);
        if (index < 0) continue;
        const pair = pairAt(index);
        collided++;
        if (pair.flags & PAIR_CHILD) {
          pairAt(pair.owner).flags |= PAIR_STALE;
          continue;
        }
        const ahead = lookAhead(pair, dt);
        const result = narrowPhase(pair, ahead, dt);
        if (result.count > 0 && !passesBy(pair, result, dt) && !hidden(pair, result, ahead))
          writeManifold(pair);
        else store<i32>(endedList + (usize(ended++) << 2), index);
      }
    }
  }
  ended = collideConcaves(dt, endedList, ended);
  for (let i = 0; i < g.sensorCount; i++) {
    const index = wordAt(g.sensors, i);
    const pair = pairAt(index);
    const travel = bodyAt(pair.bodyA).travel + bodyAt(pair.bodyB).travel;
    if (pair.travel == travel) continue;
    pair.travel = travel;
    if (sensorGap(pair, dt) > 0) store<i32>(endedList + (usize(ended++) << 2), index);
  }
  const struck = collideWaiting(dt);
  for (let i = 0; i < ended; i++) stopTouching(load<i32>(endedList + ((<usize>i) << 2)));
  // The order of those that wait is nobody's business.
  const passed = g.candidates + ((<u32>(g.candidateCapacity - struck)) << 2);
  sortPairs(passed, struck);
  for (let i = 0; i < struck; i++) endContact(pairAt(wordAt(passed, i)));
  g.recycledCount = recycled;
  g.collidedCount = collided;
}

/** Whether the manifold is one of a seam, and the two do not touch otherwise. Then they are looked at again once something has moved. */
function hidden(pair: Pair, result: ManifoldResult, ahead: f32): bool {
  return isHiddenBy(pair, result, seamNormal(pair, result), ahead);
}

/** `normal`: that of the contact that hides this one, or 0. Where the two face one another along it, they touch so. */
function isHiddenBy(pair: Pair, result: ManifoldResult, normal: v128, ahead: f32): bool {
  if (lengthSquared(normal) == 0) return false;
  pair.cache = 0; // what would be tried first is the face or edge of the seam
  result.count = 0;
  result.separation0 = 0;
  const a = shapeAt(pair.shapeA);
  const b = shapeAt(pair.shapeB);
  if (max(a.type, b.type) < SHAPE_PLANE) collideAlong(a, b, normal, ahead, result);
  return result.count == 0;
}

/** m, stands for a distance of which no bound is known. */
const NO_TOUCH: f32 = 1e-9;

/** A lower bound of the distance; above 0 exactly where the shapes do not touch. */
function sensorGap(pair: Pair, dt: f32): f32 {
  if ((pair.flags & PAIR_CONCAVE) == 0) return shapeGap(shapeAt(pair.shapeA), shapeAt(pair.shapeB));
  if (findClusters(pair, dt) > 0) return 0;
  return max<f32>(changetype<ManifoldResult>(RESULT_ADDRESS).separation0, NO_TOUCH);
}

/** Manifolds that are recycled have stopped moving fast. */
function calmDown(index: i32): void {
  const block = blockAt(index);
  if (!(block.special & SPECIAL_IMPACT)) return;
  const meta = metaAt(index);
  if (!v128.any_true(meta.fast)) return;
  meta.fast = i32x4.splat(0);
  refreshBlockSummary(index);
}

/** Returns how many that the last step struck do not touch after all: they are at the end of the room for candidates. */
function collideWaiting(dt: f32): i32 {
  const g = world();
  if (g.candidateCapacity < g.waitingCount) {
    const capacity = grownCapacity(g.candidateCapacity, g.waitingCount);
    g.candidates = reallocate(g.candidates, (<usize>g.candidateCapacity) << 2, (<usize>capacity) << 2);
    g.candidateCapacity = capacity;
  }
  let count = 0;
  let struck = 0;
  const breaking = <f64>g.contactBreakingThreshold;
  for (let i = 0; i < g.waitingCount; i++) {
    // Two bodies that were some gap apart and have moved less than that since cannot touch: first with
    // a bound that needs one number of each body, since most pairs get no further.
    const waiting = waitingAt(i);
    if (waiting.limit > reachOf(waiting.bodyA) + reachOf(waiting.bodyB) + breaking) continue;
    const index = waiting.pair;
    const pair = pairAt(index);
    const travel = bodyAt(pair.bodyA).travel + bodyAt(pair.bodyB).travel;
    const concave = (pair.flags & PAIR_CONCAVE) != 0;
    const distance = concave ? concaveDistance(pair, dt) : lookAhead(pair, dt);
    if (waiting.limit > travel + <f64>distance) continue;
    let touching = 1;
    let gap: f32;
    if (pair.flags & PAIR_SENSOR) {
      gap = sensorGap(pair, dt);
      if (gap > 0) touching = 0;
    } else {
      const result = changetype<ManifoldResult>(RESULT_ADDRESS);
      touching = concave ? findClusters(pair, dt) : narrowPhase(pair, distance, dt).count;
      if (touching > 0 && !concave && (passesBy(pair, result, dt) || hidden(pair, result, distance)))
        touching = 0;
      gap = result.separation0;
    }
    if (touching > 0) {
      setWord(g.candidates, count++, index);
      continue;
    }
    waiting.limit = limitAfter(travel, gap);
    if (pair.flags & PAIR_STRUCK) {
      pair.flags &= ~PAIR_STRUCK;
      struck++;
      setWord(g.candidates, g.candidateCapacity - struck, index);
    }
  }
  g.candidateCount = count;
  return struck;
}

/** 1/m. Limits are whole numbers of this part of a metre: a snapshot has them in one or two bytes. */
export const LIMIT_UNITS: f64 = 4096;
/** m; what is farther away is looked at again when this much is travelled. */
const FARTHEST: f32 = 65536;

/** Rounded down, which is on the safe side. */
function limitAfter(travel: f64, gap: f32): f64 {
  return floor<f64>((travel + <f64>min<f32>(gap, FARTHEST)) * LIMIT_UNITS) / LIMIT_UNITS;
}

/** Gives new contacts a place, in the order of their shapes, and wakes what they touch. */
export function updateTouching(dt: f32): void {
  const g = world();
  sortPairs(g.candidates, g.candidateCount);
  for (let i = 0; i < g.candidateCount; i++) {
    const index = wordAt(g.candidates, i);
    const pair = pairAt(index);
    if (pair.flags & PAIR_SENSOR) {
      startSensing(index);
      continue;
    }
    const bodyA = pair.bodyA;
    const bodyB = pair.bodyB;
    if (pair.flags & PAIR_CONCAVE) {
      startTouchingConcave(index);
      const clusters = findClusters(pair, dt);
      if (clusters == 0) {
        stopTouching(index); // seams of what has begun to touch before it
        continue;
      }
      updateChildren(index, clusters); // pairs may move
    } else {
      leaveWaiting(index);
      pair.flags |= PAIR_TOUCHING;
      addLane(index);
      narrowPhase(pair, lookAhead(pair, dt), dt);
      writeManifold(pair);
    }
    wakeBody(bodyA);
    wakeBody(bodyB);
  }
  dropSeams(dt);
}

/** Only now that all new contacts are known it is certain which of them, and of those beside them, are seams. */
function dropSeams(dt: f32): void {
  const g = world();
  let found = false;
  for (let i = 0; i < g.candidateCount; i++) {
    const pair = pairAt(wordAt(g.candidates, i));
    if (pair.flags & PAIR_SENSOR) continue;
    if (markSeams(pair.bodyA, dt)) found = true;
    if (markSeams(pair.bodyB, dt)) found = true;
  }
  const count = g.candidateCount;
  g.candidateCount = 0;
  for (let i = 0; i < count; i++) {
    const index = wordAt(g.candidates, i);
    const pair = pairAt(index);
    if (found && !(pair.flags & PAIR_SENSOR)) {
      unmarkSeams(pair.bodyA);
      unmarkSeams(pair.bodyB);
    }
    if (pair.flags & PAIR_TOUCHING) setWord(g.candidates, g.candidateCount++, index);
  }
}

/** Contacts of the body at seams get the normal of what hides them, or are marked. */
function markSeams(body: i32, dt: f32): bool {
  if (bodyAt(body).type != BODY_DYNAMIC || bodyAt(body).constraintCount < 2) return false;
  let found = false;
  let link = bodyAt(body).firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    link = link & 1 ? pair.nextB : pair.nextA;
    if (pair.list != LIST_SOLVED || pair.flags & PAIR_HIDDEN) continue;
    const normal = seamNormalOfLane(pair);
    if (lengthSquared(normal) == 0) continue;
    if (isHiddenBy(pair, changetype<ManifoldResult>(RESULT_ADDRESS), normal, lookAhead(pair, dt))) {
      pair.flags |= PAIR_HIDDEN;
      found = true;
    } else {
      writeManifold(pair);
    }
  }
  return found;
}

function unmarkSeams(body: i32): void {
  let link = bodyAt(body).firstPair;
  while (link >= 0) {
    const index = link >> 1;
    const pair = pairAt(index);
    link = link & 1 ? pair.nextB : pair.nextA;
    if (!(pair.flags & PAIR_HIDDEN)) continue;
    pair.flags &= ~PAIR_HIDDEN;
    pair.cache = 0;
    stopTouching(index);
  }
}
