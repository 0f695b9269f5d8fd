// Updates every manifold. In: pairs whose fat AABBs overlap, current poses. Out: new separations of manifolds whose
// bodies barely moved since the narrow phase last ran (Box3D's contact recycling, Catto 2025), new manifolds of the
// others, and the list of pairs that may have begun to touch.

import { isInArea, wakeBody } from '../islands/wake';
import {
  COLOR_COUNT,
  PAIR_CHILD,
  PAIR_CONCAVE,
  PAIR_SENSOR,
  PAIR_STALE,
  PAIR_STRUCK,
  PAIR_TOUCHING,
  SPECIAL_IMPACT,
} from '../memory/constants';
import { ManifoldResult, Pair } from '../memory/records';
import {
  blockAt,
  blockHandle,
  bodyAt,
  colorAt,
  metaAt,
  pairAt,
  scratch,
  setWord,
  shapeAt,
  waitingAt,
  wordAt,
  world,
} from '../memory/tables';
import { Reach, Shapes } from '../memory/values';
import { collideShapes } from '../narrowphase/dispatch';
import { shapeGap } from '../narrowphase/distance';
import { context } from '../solver/context';
import { addLane, pairOfLane, refreshBlockSummary } from '../solver/lanes';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { collideConcaves, concaveDistance, findClusters, updateChildren } from './concave';
import { RESULT_ADDRESS, writeLane, writeManifold } from './manifold';
import { noteSeam } from './noteSeams';
import { isLetThrough } from './oneWay';
import {
  boxesOverlap,
  destroyPair,
  leaveWaiting,
  reserveCandidates,
  restTested,
  startSensing,
  startTouchingConcave,
  stopTouching,
} from './pairs';
import { recycleBlock } from './recycle';
import { dropSeams } from './seams';
import { sortPairs } from './sort';
import { Approach, approachOf, hasFast, keepTrue, nearest, passesBy } from './speculate';
import { endContact } from './touches';
import { gapOfSpheres, isBeyond, leastBeyond, noteGap } from './waiting';

/** @inline */
function narrowPhase(pair: Pair, approach: Approach, dt: f32): ManifoldResult {
  const result = changetype<ManifoldResult>(RESULT_ADDRESS);
  const shapes = new Shapes(shapeAt(pair.shapeA), shapeAt(pair.shapeB));
  const reach = new Reach(approach.most, approach.still, approach.turning, approach.way);
  collideShapes(shapes, reach, pair.cache, result);
  pair.cache = result.cache;
  keepTrue(pair, approach, result, dt);
  return result;
}

/** Updates manifolds with a lane, then waiting pairs. Lists separated pairs in scratch; returns their number. */
export function collide(dt: f32): void {
  const g = world();
  let recycled = 0;
  let collided = 0;
  let ended = 0;
  const endedList = scratch((<usize>g.contactCount + <usize>g.sensorCount) << 2);
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    const shared = THREADED && forks(color.count, SHARED_BLOCKS);
    const found = shared ? outcomes(color.count) : 0;
    if (shared) fork(collideSome, c, 0, color.count);
    for (let i = 0; i < color.count; i++) {
      const block = blockHandle(c, i);
      const outcome = shared ? load<i32>(found + ((<usize>i) << 2)) : collideBlock(block, dt);
      recycled += popcnt(outcome & RECYCLED);
      collided += popcnt(outcome & COLLIDED);
      for (let lanes = outcome & SEPARATED; lanes != 0; lanes &= lanes - 1)
        store<i32>(endedList + (usize(ended++) << 2), pairOfLane(block, ctz(lanes)));
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
  for (let i = 0; i < ended; i++) {
    const index = load<i32>(endedList + ((<usize>i) << 2));
    if (boxesOverlap(pairAt(index).shapeA, pairAt(index).shapeB)) stopTouching(index);
    else destroyPair(index);
  }
  // The waiting list has no defined order, so sort the pairs before their events.
  const passed = g.candidates + ((<u32>(g.candidateCapacity - struck)) << 2);
  sortPairs(passed, struck);
  for (let i = 0; i < struck; i++) endContact(pairAt(wordAt(passed, i)));
  g.recycledCount = recycled;
  g.collidedCount = collided;
}

/** Blocks of a colour from which on it is shared between threads. */
const SHARED_BLOCKS = 8;

// Outcome of a block, a bit for each lane.
const SEPARATED = 15;
const COLLIDED = 15 << 4; // its manifold was computed
const RECYCLED = 15 << 8; // or is that of the last step

/** Updates the manifolds of a block. It writes only what belongs to its lanes: threads share the blocks of a colour. */
function collideBlock(block: i32, dt: f32): i32 {
  const stale = recycleBlock(block);
  let outcome = (~stale & 15) << 8;
  if (stale == 0) {
    calmDown(block);
    return outcome;
  }
  const seen = lookAtLanes(block, stale);
  let written = false;
  for (let lanes = stale; lanes != 0; lanes &= lanes - 1) {
    const lane = ctz(lanes);
    const index = pairOfLane(block, lane);
    if (index < 0) continue;
    const pair = pairAt(index);
    outcome |= 16 << lane;
    if (pair.flags & PAIR_CHILD) {
      markStale(pairAt(pair.owner));
      continue;
    }
    if ((seen >> lane) & 1) {
      outcome |= 1 << lane;
      continue;
    }
    const approach = approachOf(pair, ((seen >> lane) & 16) != 0);
    const result = narrowPhase(pair, approach, dt);
    if (result.count > 0 && !passesBy(pair, approach, result, dt)) {
      writeLane(pair);
      noteSeam(pair);
      written = true;
    } else {
      outcome |= 1 << lane;
    }
  }
  if (written) refreshBlockSummary(block);
  return outcome;
}

/**
 * Of those lanes: bits of the ones whose boxes no longer overlap, and from bit 4 on of those with a fast body. Pairs, boxes and
 * bodies lie all over the memory: in a short loop, without the narrow phase between them, the processor fetches several at a time.
 */
function lookAtLanes(block: i32, lanes: i32): i32 {
  let found = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const lane = ctz(lanes);
    const index = pairOfLane(block, lane);
    if (index < 0) continue;
    const pair = pairAt(index);
    const parted = boxesOverlap(pair.shapeA, pair.shapeB) ? 0 : 1;
    found |= (parted | (hasFast(pair) ? 16 : 0)) << lane;
  }
  return found;
}

/** A part of a colour, in the threaded core. */
function collideSome(from: i32, to: i32, c: i32, _: i32): void {
  const dt = context().dt;
  const found = outcomes(0);
  for (let i = from; i < to; i++) store<i32>(found + ((<usize>i) << 2), collideBlock(blockHandle(c, i), dt));
}

/** Several threads may mark the same pair. */
function markStale(owner: Pair): void {
  if (THREADED) atomic.or<i32>(changetype<usize>(owner) + offsetof<Pair>('flags'), PAIR_STALE);
  else owner.flags |= PAIR_STALE;
}

/** A lower bound of the distance; above 0 exactly if the shapes do not touch. */
function sensorGap(pair: Pair, dt: f32): f32 {
  if ((pair.flags & PAIR_CONCAVE) == 0) return shapeGap(shapeAt(pair.shapeA), shapeAt(pair.shapeB));
  if (findClusters(pair, dt) > 0) return 0;
  return max<f32>(changetype<ManifoldResult>(RESULT_ADDRESS).separation0, f32.MIN_NORMAL_VALUE);
}

/** Manifolds that are recycled no longer move fast. */
function calmDown(index: i32): void {
  const block = blockAt(index);
  if (!(block.special & SPECIAL_IMPACT)) return;
  const meta = metaAt(index);
  if (!v128.any_true(meta.fast)) return;
  meta.fast = i32x4.splat(0);
  refreshBlockSummary(index);
}

/**
 * Returns how many pairs with a CCD impact in the last step do not touch after all. They are listed at the end of the
 * capacity for candidates.
 */
function collideWaiting(dt: f32): i32 {
  const g = world();
  reserveCandidates();
  g.candidateCount = 0;
  const count = g.waitingCount;
  let struck = 0;
  if (THREADED && forks(count, SHARED_WAITING)) {
    const found = outcomes(count);
    fork(testSome, 0, 0, count);
    for (let i = 0; i < count; i++) {
      let outcome = load<i32>(found + ((<usize>i) << 2));
      if (outcome == ALONE)
        outcome = testClose((i << 1) | (hasFast(pairAt(waitingAt(i).pair)) ? 1 : 0), dt, false);
      struck += listOutcome(i, outcome, struck);
    }
    return struck;
  }
  for (let from = 0; from < count; from += TOGETHER) {
    const close = findClose(from, min(from + TOGETHER, count));
    for (let k = 0; k < close; k++) {
      const entry = load<i32>(CLOSE + ((<usize>k) << 2));
      struck += listOutcome(entry >> 1, testClose(entry, dt, false), struck);
    }
  }
  return struck;
}

/** Lists the pair by the outcome of its test, after so many others that missed; returns 1 if it missed, too. */
function listOutcome(i: i32, outcome: i32, struck: i32): i32 {
  const g = world();
  if (outcome == TOUCHES) setWord(g.candidates, g.candidateCount++, waitingAt(i).pair);
  if (outcome != MISSED) return 0;
  setWord(g.candidates, g.candidateCapacity - struck - 1, waitingAt(i).pair);
  return 1;
}

/** Waiting pairs from which on they are shared between threads. */
const SHARED_WAITING = 96;

// What a test of a waiting pair finds.
const APART = 0;
const TOUCHES = 1;
const MISSED = 2; // it had a CCD impact in the last step and does not touch
const ALONE = 3; // it needs tables that threads do not share

/** A part of collideWaiting, in the threaded core. */
function testSome(from: i32, to: i32, _: i32, __: i32): void {
  const dt = context().dt;
  const found = outcomes(0);
  for (let start = from; start < to; start += TOGETHER) {
    const end = min(start + TOGETHER, to);
    memory.fill(found + ((<usize>start) << 2), 0, (<usize>(end - start)) << 2);
    const close = findClose(start, end);
    for (let k = 0; k < close; k++) {
      const entry = load<i32>(CLOSE + ((<usize>k) << 2));
      store<i32>(found + ((<usize>(entry >> 1)) << 2), testClose(entry, dt, true));
    }
  }
}

/** Waiting pairs that are examined side by side, for the same reason as lanes are: see lookAtLanes. */
const TOGETHER = 32;
/** Rows of those that may come into contact in this step, shifted left by one bit; 1: with a fast body. */
const CLOSE: usize = memory.data(4 * TOGETHER, 16);
const LEAST: usize = memory.data(4 * TOGETHER, 16);

/** Lists the waiting pairs, of at most TOGETHER, that need the narrow phase, or had a CCD impact; returns their number. */
function findClose(from: i32, to: i32): i32 {
  const threshold = world().contactBreakingThreshold;
  let near = 0;
  for (let i = from; i < to; i++) {
    const waiting = waitingAt(i);
    const least = leastBeyond(waiting, threshold);
    store<i32>(CLOSE + ((<usize>near) << 2), i);
    store<f32>(LEAST + ((<usize>near) << 2), least);
    near += isBeyond(waiting, least) ? 0 : 1;
  }
  let close = 0;
  for (let k = 0; k < near; k++) {
    const i = load<i32>(CLOSE + ((<usize>k) << 2));
    const waiting = waitingAt(i);
    const between = gapOfSpheres(waiting);
    const pair = pairAt(waiting.pair);
    const apart = between > load<f32>(LEAST + ((<usize>k) << 2));
    if (apart) noteGap(waiting, between);
    store<i32>(CLOSE + ((<usize>close) << 2), (i << 1) | (hasFast(pair) ? 1 : 0));
    close += apart && !(pair.flags & PAIR_STRUCK) ? 0 : 1;
  }
  return close;
}

/** Tests a pair that findClose has listed; `entry`: its row and whether a body is fast. */
function testClose(entry: i32, dt: f32, shared: bool): i32 {
  const waiting = waitingAt(entry >> 1);
  const pair = pairAt(waiting.pair);
  if (
    pair.flags & PAIR_STRUCK &&
    gapOfSpheres(waiting) > leastBeyond(waiting, world().contactBreakingThreshold)
  )
    return missed(pair);
  const concave = (pair.flags & PAIR_CONCAVE) != 0;
  if (THREADED && shared && pair.flags & (PAIR_CONCAVE | PAIR_SENSOR)) return ALONE;
  const approach = approachOf(pair, (entry & 1) != 0);
  const distance = concave ? concaveDistance(pair, dt) : nearest(approach);
  if (isBeyond(waiting, distance)) return APART;
  let touching = 1;
  let gap: f32;
  if (pair.flags & PAIR_SENSOR) {
    gap = sensorGap(pair, dt);
    if (gap > 0) touching = 0;
  } else {
    const result = changetype<ManifoldResult>(RESULT_ADDRESS);
    touching = concave ? findClusters(pair, dt) : narrowPhase(pair, approach, dt).count;
    if (touching > 0 && !concave && passesBy(pair, approach, result, dt)) touching = 0;
    gap = result.separation0;
    if (touching > 0 && !concave && isLetThrough(pair, dt)) {
      touching = 0;
      gap = 0; // tested again in every step
    }
  }
  if (touching > 0) return TOUCHES;
  noteGap(waiting, gap);
  return missed(pair);
}

/** The outcome for a pair that does not touch. @inline */
function missed(pair: Pair): i32 {
  if (!(pair.flags & PAIR_STRUCK)) return APART;
  pair.flags &= ~PAIR_STRUCK;
  return MISSED;
}

/** What is awake goes on resting: contacts of a pile come and go. */
function wakeTouched(slot: i32): void {
  if (bodyAt(slot).awakeIndex < 0) wakeBody(slot);
}

/** Assigns lanes to new contacts, in the order of their shapes, and wakes the touched bodies. */
export function updateTouching(dt: f32): void {
  const g = world();
  sortPairs(g.candidates, g.candidateCount);
  for (let i = 0; i < g.candidateCount; i++) {
    const index = wordAt(g.candidates, i);
    const pair = pairAt(index);
    // Here and not at the end of the step: dropSeams may end the touch again, and the pair then have another impact.
    pair.flags &= ~PAIR_STRUCK;
    if (pair.flags & PAIR_SENSOR) {
      startSensing(index);
      if (!isInArea(pair)) continue;
      wakeTouched(pair.bodyA);
      wakeTouched(pair.bodyB);
      continue;
    }
    const bodyA = pair.bodyA;
    const bodyB = pair.bodyB;
    if (pair.flags & PAIR_CONCAVE) {
      startTouchingConcave(index);
      updateChildren(index, findClusters(pair, dt)); // creating children can move the pair table
    } else {
      leaveWaiting(index);
      pair.flags |= PAIR_TOUCHING;
      addLane(index);
      narrowPhase(pair, approachOf(pair, hasFast(pair)), dt);
      writeManifold(pair);
      noteSeam(pair);
    }
    wakeTouched(bodyA);
    wakeTouched(bodyB);
  }
  restTested();
  dropSeams(dt);
}
