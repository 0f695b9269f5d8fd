// The pair table: one record for two shapes whose fat AABBs overlap. In: the sorted list of new pairs
// of the broad phase, shapes that moved. Out: pairs in the waiting list (or asleep), pairs that parted
// removed. Each body heads a doubly linked list of its pairs.
import { pairSetInsert, pairSetRemove } from '../broadphase/pairSet';
import { recordEnd } from '../events/record';
import {
  BODY_DYNAMIC,
  BODY_NO_RESPONSE,
  COMBINE_AVERAGE,
  COMBINE_GEOMETRIC_MEAN,
  COMBINE_MAXIMUM,
  COMBINE_MINIMUM,
  LIST_NONE,
  LIST_SENSOR,
  LIST_SOLVED,
  LIST_WAITING,
  PAIR_ASLEEP,
  PAIR_PARKED,
  PAIR_SENSOR,
  PAIR_TOUCHING,
  SHAPE_NO_RESPONSE,
} from '../memory/constants';
import { Body, Pair, Shape } from '../memory/records';
import {
  bodyAt,
  grownCapacity,
  PAIR_SIZE,
  pairAt,
  reallocate,
  setWord,
  shapeAt,
  wordAt,
  world,
} from '../memory/tables';
import { freeParked, park, removeLane, unpark } from '../solver/lanes';

// @ts-ignore: decorator
@inline export function isAwake(body: Body): bool {
  return body.awakeIndex >= 0 && body.type == BODY_DYNAMIC;
}

/** Turns the broad phase's new pairs into records. */
export function createNewPairs(): void {
  const g = world();
  const count = g.newPairCount;
  for (let i = 0; i < count; i++) createPair(wordAt(g.newPairs, 2 * i), wordAt(g.newPairs, 2 * i + 1));
  g.newPairCount = 0;
}

function createPair(shapeA: i32, shapeB: i32): void {
  const g = world();
  let index = g.pairFree;
  if (index >= 0) {
    g.pairFree = pairAt(index).index;
  } else {
    if (g.pairEnd == g.pairCapacity) {
      const capacity = grownCapacity(g.pairCapacity, g.pairEnd + 1);
      g.pairs = reallocate(g.pairs, <usize>g.pairCapacity * PAIR_SIZE, <usize>capacity * PAIR_SIZE);
      g.pairCapacity = capacity;
    }
    index = g.pairEnd++;
  }
  g.pairCount++;
  const a = shapeAt(shapeA);
  const b = shapeAt(shapeB);
  const pair = pairAt(index);
  memory.fill(changetype<usize>(pair), 0, PAIR_SIZE);
  pair.shapeA = shapeA;
  pair.shapeB = shapeB;
  pair.bodyA = a.body;
  pair.bodyB = b.body;
  pair.index = -1;
  pair.gap = -1;
  updatePairMaterial(pair);
  const bodyA = bodyAt(a.body);
  const bodyB = bodyAt(b.body);
  if ((a.flags | b.flags) & SHAPE_NO_RESPONSE || (bodyA.flags | bodyB.flags) & BODY_NO_RESPONSE) {
    pair.flags |= PAIR_SENSOR;
  }
  link(index, pair, bodyA, 0);
  link(index, pair, bodyB, 1);
  pairSetInsert(shapeA, shapeB, index);
  if (isAwake(bodyA) || isAwake(bodyB)) enlist(index);
  else pair.flags |= PAIR_ASLEEP;
}

/** Friction, restitution and friends of the two surfaces, combined as the settings say. */
export function updatePairMaterial(pair: Pair): void {
  const g = world();
  const a = shapeAt(pair.shapeA);
  const b = shapeAt(pair.shapeB);
  pair.friction = combine(g.frictionCombine, a.friction, b.friction);
  pair.restitution = combine(g.restitutionCombine, a.restitution, b.restitution);
  // Bullet 3: μr = rollA·μB + rollB·μA (btManifoldResult.cpp:31), the same for spinning.
  pair.rollingFriction = min<f32>(10, a.rollingFriction * b.friction + b.rollingFriction * a.friction);
  pair.spinningFriction = min<f32>(10, a.spinningFriction * b.friction + b.spinningFriction * a.friction);
}

function combine(rule: i32, a: f32, b: f32): f32 {
  if (rule == COMBINE_AVERAGE) return <f32>0.5 * (a + b);
  if (rule == COMBINE_MINIMUM) return min<f32>(a, b);
  if (rule == COMBINE_MAXIMUM) return max<f32>(a, b);
  if (rule == COMBINE_GEOMETRIC_MEAN) return sqrt<f32>(a * b);
  return a * b;
}

// --- lists of awake pairs ---

/** Puts an awake pair where its state belongs. */
function enlist(index: i32): void {
  const g = world();
  const pair = pairAt(index);
  pair.flags &= ~PAIR_ASLEEP;
  if (pair.flags & PAIR_PARKED) {
    unpark(index);
    return;
  }
  if (pair.flags & PAIR_SENSOR && pair.flags & PAIR_TOUCHING) {
    if (g.sensorCount == g.sensorCapacity) {
      const capacity = grownCapacity(g.sensorCapacity, g.sensorCount + 1);
      g.sensors = reallocate(g.sensors, (<usize>g.sensorCapacity) << 2, (<usize>capacity) << 2);
      g.sensorCapacity = capacity;
    }
    pair.list = LIST_SENSOR;
    pair.index = g.sensorCount;
    setWord(g.sensors, g.sensorCount++, index);
    return;
  }
  if (g.waitingCount == g.waitingCapacity) {
    const capacity = grownCapacity(g.waitingCapacity, g.waitingCount + 1);
    g.waiting = reallocate(g.waiting, (<usize>g.waitingCapacity) << 2, (<usize>capacity) << 2);
    g.waitingCapacity = capacity;
  }
  pair.list = LIST_WAITING;
  pair.index = g.waitingCount;
  setWord(g.waiting, g.waitingCount++, index);
}

/** Takes the pair out of the list it is in; a lane is given up. */
function delist(index: i32): void {
  const g = world();
  const pair = pairAt(index);
  if (pair.list == LIST_WAITING) {
    const last = wordAt(g.waiting, --g.waitingCount);
    setWord(g.waiting, pair.index, last);
    pairAt(last).index = pair.index;
  } else if (pair.list == LIST_SENSOR) {
    const last = wordAt(g.sensors, --g.sensorCount);
    setWord(g.sensors, pair.index, last);
    pairAt(last).index = pair.index;
  } else if (pair.list == LIST_SOLVED) {
    removeLane(index);
  }
  pair.list = LIST_NONE;
  pair.index = -1;
}

/** The pair stops touching: back to waiting. */
export function stopTouching(index: i32): void {
  const pair = pairAt(index);
  recordEnd(pair);
  delist(index);
  pair.flags &= ~PAIR_TOUCHING;
  enlist(index);
}

/** Moves a touching sensor pair to the list of sensors. */
export function startSensing(index: i32): void {
  delist(index);
  pairAt(index).flags |= PAIR_TOUCHING;
  enlist(index);
}

/** Leaves the waiting list; the caller gives the pair a lane. */
export function leaveWaiting(index: i32): void {
  delist(index);
}

/** Both bodies are at rest now: nothing of the pair is processed until one wakes. */
export function putToSleep(index: i32): void {
  const pair = pairAt(index);
  if (pair.flags & PAIR_ASLEEP) return;
  if (pair.list == LIST_SOLVED) park(index);
  else delist(index);
  pair.flags |= PAIR_ASLEEP;
}

export function wakePair(index: i32): void {
  if (pairAt(index).flags & PAIR_ASLEEP) enlist(index);
}

// --- removal ---

export function destroyPair(index: i32): void {
  const g = world();
  const pair = pairAt(index);
  if (pair.flags & PAIR_TOUCHING) recordEnd(pair);
  if (pair.flags & PAIR_PARKED) freeParked(index, pair.index);
  else delist(index);
  unlink(pair, 0);
  unlink(pair, 1);
  pairSetRemove(pair.shapeA, pair.shapeB);
  memory.fill(changetype<usize>(pair), 0, PAIR_SIZE);
  pair.shapeA = -1;
  pair.list = LIST_NONE;
  pair.index = g.pairFree;
  g.pairFree = index;
  g.pairCount--;
}

// @ts-ignore: decorator
@inline function overlap(a: Shape, b: Shape): bool {
  return v128.all_true<i32>(v128.and(f32x4.le(a.aabbMin, b.aabbMax), f32x4.le(b.aabbMin, a.aabbMax)));
}

/** Pairs of shapes whose fat AABB changed and that no longer overlap go. */
export function destroyPartedPairs(): void {
  const g = world();
  for (let i = 0; i < g.movedCount; i++) {
    const slot = wordAt(g.moved, i);
    const shape = shapeAt(slot);
    let at = bodyAt(shape.body).firstPair;
    while (at >= 0) {
      const index = at >> 1;
      const pair = pairAt(index);
      at = at & 1 ? pair.nextB : pair.nextA;
      if (pair.shapeA != slot && pair.shapeB != slot) continue;
      if (!overlap(shapeAt(pair.shapeA), shapeAt(pair.shapeB))) destroyPair(index);
    }
  }
}

// --- the list of pairs of a body; a link is pair << 1 | side ---

function link(index: i32, pair: Pair, body: Body, side: i32): void {
  const head = body.firstPair;
  const self = (index << 1) | side;
  setNext(pair, side, head);
  setPrevious(pair, side, -1);
  if (head >= 0) setPrevious(pairAt(head >> 1), head & 1, self);
  body.firstPair = self;
}

function unlink(pair: Pair, side: i32): void {
  const next = side ? pair.nextB : pair.nextA;
  const previous = side ? pair.prevB : pair.prevA;
  if (next >= 0) setPrevious(pairAt(next >> 1), next & 1, previous);
  if (previous >= 0) setNext(pairAt(previous >> 1), previous & 1, next);
  else bodyAt(side ? pair.bodyB : pair.bodyA).firstPair = next;
}

// @ts-ignore: decorator
@inline function setNext(pair: Pair, side: i32, value: i32): void {
  if (side) pair.nextB = value;
  else pair.nextA = value;
}
// @ts-ignore: decorator
@inline function setPrevious(pair: Pair, side: i32, value: i32): void {
  if (side) pair.prevB = value;
  else pair.prevA = value;
}
