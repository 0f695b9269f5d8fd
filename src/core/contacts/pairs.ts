// The pair table: one record for two shapes whose fat AABBs overlap. In: the broad phase's sorted list of new pairs,
// shapes that moved. Out: new pairs in the waiting list (or asleep), separated pairs removed. Each body has a doubly
// linked list of its pairs.
import { pairSetInsert, pairSetRemove } from '../broadphase/pairSet';
import { reallocate } from '../memory/allocator';
import {
  BODY_DYNAMIC,
  BODY_NO_RESPONSE,
  COMBINE_AVERAGE,
  COMBINE_GEOMETRIC_MEAN,
  COMBINE_MAXIMUM,
  COMBINE_MINIMUM,
  LIST_CONCAVE,
  LIST_NONE,
  LIST_SENSOR,
  LIST_SOLVED,
  LIST_WAITING,
  PAIR_ASLEEP,
  PAIR_CHILD,
  PAIR_CONCAVE,
  PAIR_PARKED,
  PAIR_SENSOR,
  PAIR_TOUCHING,
  ROLLING_CROSS_FRICTION,
  ROLLING_FIRST_RULE,
  SHAPE_FRICTION_RULE_SHIFT,
  SHAPE_MESH,
  SHAPE_NO_RESPONSE,
  SHAPE_PLANE,
  SHAPE_PRIORITY_SHIFT,
  SHAPE_RESTITUTION_RULE_SHIFT,
} from '../memory/constants';
import { Body, Pair, Shape, World } from '../memory/records';
import {
  bodyAt,
  boxAt,
  grownCapacity,
  growTable,
  PAIR_SIZE,
  pairAt,
  setWord,
  shapeAt,
  WAITING_SIZE,
  waitingAt,
  wordAt,
  world,
} from '../memory/tables';
import { coefficientsOf } from '../shapes/coefficients';
import { addLane, freeParked, park, removeLane, unpark } from '../solver/lanes';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { sortPairs } from './sort';
import { endContact } from './touches';

/** @inline */
export function isAwake(body: Body): bool {
  return body.awakeIndex >= 0 && body.type == BODY_DYNAMIC;
}

/**
 * Creates records for the broad phase's new pairs. One of bodies that both rest, as of a wall that was put on what sleeps,
 * is tested once, and listed in place of the new pairs: see restTested.
 */
export function createNewPairs(): void {
  const g = world();
  const count = g.newPairCount;
  let resting = 0;
  for (let i = 0; i < count; i++) {
    const index = createPair(wordAt(g.newPairs, 2 * i), wordAt(g.newPairs, 2 * i + 1));
    if (!(pairAt(index).flags & PAIR_ASLEEP)) continue;
    enlist(index);
    setWord(g.newPairs, resting++, index);
  }
  g.newPairCount = resting;
}

/** Pairs of resting bodies that were tested and woke nobody rest from now on. */
export function restTested(): void {
  const g = world();
  for (let i = 0; i < g.newPairCount; i++) {
    const index = wordAt(g.newPairs, i);
    const pair = pairAt(index);
    if (!isAwake(bodyAt(pair.bodyA)) && !isAwake(bodyAt(pair.bodyB))) putToSleep(index);
  }
  g.newPairCount = 0;
}

/** Returns a cleared record. Other records may have moved in memory. */
function allocatePair(): i32 {
  const g = world();
  let index = g.pairFree;
  if (index >= 0) {
    g.pairFree = pairAt(index).index;
  } else {
    growTable(offsetof<World>('pairs'), g.pairEnd + 1, PAIR_SIZE);
    index = g.pairEnd++;
  }
  const pair = pairAt(index);
  clearPair(pair);
  pair.firstChild = -1;
  return index;
}

/** memory.fill is a call out of the module: it takes longer than these stores. */
function clearPair(pair: Pair): void {
  const at = changetype<usize>(pair);
  for (let o: usize = 0; o < PAIR_SIZE; o += 16) v128.store(at + o, i32x4.splat(0));
}

/** Creates a record for two shapes, A < B, that have none. Returns its index. */
export function createPair(shapeA: i32, shapeB: i32): i32 {
  const index = allocatePair();
  world().pairCount++;
  const a = shapeAt(shapeA);
  const b = shapeAt(shapeB);
  const pair = pairAt(index);
  pair.shapeA = shapeA;
  pair.shapeB = shapeB;
  pair.bodyA = a.body;
  pair.bodyB = b.body;
  pair.index = -1;
  updatePairMaterial(pair);
  const oneConvex = a.type < SHAPE_PLANE != b.type < SHAPE_PLANE;
  if (oneConvex && max(a.type, b.type) >= SHAPE_MESH) pair.flags |= PAIR_CONCAVE;
  const bodyA = bodyAt(a.body);
  const bodyB = bodyAt(b.body);
  if ((a.flags | b.flags) & SHAPE_NO_RESPONSE || (bodyA.flags | bodyB.flags) & BODY_NO_RESPONSE) {
    pair.flags |= PAIR_SENSOR;
  }
  link(index, pair, bodyA, 0);
  link(index, pair, bodyB, 1);
  pairSetInsert(shapeA, shapeB, index);
  // A sensor's pair is tested once even if both bodies sleep. After that, bodies that do not move cost nothing
  // (collide.ts).
  if (isAwake(bodyA) || isAwake(bodyB) || pair.flags & PAIR_SENSOR) enlist(index);
  else pair.flags |= PAIR_ASLEEP;
  return index;
}

/** Gives a pair the coefficients of a material of its surface, counted from 1; 0: those of the shape. */
export function setPairMaterial(pair: Pair, material: i32): void {
  if (pair.material == material) return;
  pair.material = material;
  updatePairMaterial(pair);
}

/** Combines friction, restitution and the other coefficients of the two surfaces by the combine rules. */
export function updatePairMaterial(pair: Pair): void {
  const g = world();
  const a = shapeAt(pair.shapeA);
  const b = shapeAt(pair.shapeB);
  const ofA = coefficientsOf(a, pair.material - 1);
  const ofB = coefficientsOf(b, pair.material - 1);
  const frictionA = ownOr(ofA, a.friction);
  const frictionB = ownOr(ofB, b.friction);
  pair.friction = combine(ruleOf(a, b, SHAPE_FRICTION_RULE_SHIFT, g.frictionCombine), frictionA, frictionB);
  pair.restitution = combine(
    ruleOf(a, b, SHAPE_RESTITUTION_RULE_SHIFT, g.restitutionCombine),
    ownOr(ofA + 4, a.restitution),
    ownOr(ofB + 4, b.restitution),
  );
  const rollingA = ownOr(ofA + 8, a.rollingFriction);
  const rollingB = ownOr(ofB + 8, b.rollingFriction);
  pair.rollingFriction = combineRolling(rollingA, rollingB, frictionA, frictionB);
  const spinningA = ownOr(ofA + 12, a.spinningFriction);
  const spinningB = ownOr(ofB + 12, b.spinningFriction);
  pair.spinningFriction = combineRolling(spinningA, spinningB, frictionA, frictionB);
}

/** Rank of each COMBINE_* if both shapes have a rule and equal priority; four bits each. */
const RANKS = 0x04213;

/**
 * Combine rule of two shapes: of a shape with its own rule; if both have one, that of higher priority; otherwise the
 * world's.
 */
function ruleOf(a: Shape, b: Shape, shift: i32, ofWorld: i32): i32 {
  const ownA = ((a.flags >> shift) & 7) - 1;
  const ownB = ((b.flags >> shift) & 7) - 1;
  if (min(ownA, ownB) < 0) return max(ownA, ownB) < 0 ? ofWorld : max(ownA, ownB);
  const more = (a.flags >> SHAPE_PRIORITY_SHIFT) - (b.flags >> SHAPE_PRIORITY_SHIFT);
  const rank = ((RANKS >> (ownA << 2)) & 15) - ((RANKS >> (ownB << 2)) & 15);
  return (more != 0 ? more : rank) > 0 ? ownA : ownB;
}

/** Limited to 10, as in Bullet. */
function combineRolling(a: f32, b: f32, frictionA: f32, frictionB: f32): f32 {
  const rule = world().rollingFrictionCombine;
  const rolling =
    rule == ROLLING_CROSS_FRICTION ? a * frictionB + b * frictionA : combine(rule - ROLLING_FIRST_RULE, a, b);
  return min<f32>(10, rolling);
}

/** A coefficient of the triangles' own material, or that of the shape if there is none. @inline */
function ownOr(at: usize, ofShape: f32): f32 {
  return at > 16 && load<f32>(at) >= 0 ? load<f32>(at) : ofShape;
}

function combine(rule: i32, a: f32, b: f32): f32 {
  if (rule == COMBINE_AVERAGE) return <f32>0.5 * (a + b);
  if (rule == COMBINE_MINIMUM) return min<f32>(a, b);
  if (rule == COMBINE_MAXIMUM) return max<f32>(a, b);
  if (rule == COMBINE_GEOMETRIC_MEAN) return sqrt<f32>(a * b);
  return a * b;
}

// --- lists of awake pairs ---

/** Adds an awake pair to the list for its state. */
function enlist(index: i32): void {
  const g = world();
  const pair = pairAt(index);
  pair.flags &= ~PAIR_ASLEEP;
  if (pair.flags & PAIR_PARKED) {
    unpark(index);
    return;
  }
  if (pair.flags & PAIR_SENSOR && pair.flags & PAIR_TOUCHING) {
    growTable(offsetof<World>('sensors'), g.sensorCount + 1, 4);
    pair.list = LIST_SENSOR;
    pair.index = g.sensorCount;
    setWord(g.sensors, g.sensorCount++, index);
    pair.travel = -1;
    return;
  }
  if (pair.flags & PAIR_CONCAVE && pair.flags & PAIR_TOUCHING) {
    growTable(offsetof<World>('concaves'), g.concaveCount + 1, 4);
    pair.list = LIST_CONCAVE;
    pair.index = g.concaveCount;
    setWord(g.concaves, g.concaveCount++, index);
    for (let child = pair.firstChild; child >= 0; child = pairAt(child).next)
      if (pairAt(child).flags & PAIR_PARKED) unpark(child);
    return;
  }
  growTable(offsetof<World>('waiting'), g.waitingCount + 1, WAITING_SIZE);
  pair.list = LIST_WAITING;
  pair.index = g.waitingCount;
  const waiting = waitingAt(g.waitingCount++);
  waiting.gap = 0;
  waiting.pair = index;
  waiting.bodyA = pair.bodyA;
  waiting.bodyB = pair.bodyB;
  waiting.shapeA = pair.shapeA;
  waiting.shapeB = pair.shapeB;
}

/** Removes the pair from its list; a lane is freed. */
function delist(index: i32): void {
  const g = world();
  const pair = pairAt(index);
  if (pair.list == LIST_WAITING) {
    const last = waitingAt(--g.waitingCount);
    const row = changetype<usize>(waitingAt(pair.index));
    for (let o: usize = 0; o < WAITING_SIZE; o += 8)
      store<u64>(row + o, load<u64>(changetype<usize>(last) + o));
    pairAt(last.pair).index = pair.index;
  } else if (pair.list == LIST_SENSOR) {
    const last = wordAt(g.sensors, --g.sensorCount);
    setWord(g.sensors, pair.index, last);
    pairAt(last).index = pair.index;
  } else if (pair.list == LIST_CONCAVE) {
    const last = wordAt(g.concaves, --g.concaveCount);
    setWord(g.concaves, pair.index, last);
    pairAt(last).index = pair.index;
  } else if (pair.list == LIST_SOLVED) {
    removeLane(index);
  }
  pair.list = LIST_NONE;
  pair.index = -1;
}

/** The pair stops touching and returns to the waiting list. */
export function stopTouching(index: i32): void {
  const pair = pairAt(index);
  endContact(pair);
  delist(index);
  destroyChildren(index);
  pair.flags &= ~PAIR_TOUCHING;
  enlist(index);
}

/** Moves a touching sensor pair to the list of sensors. */
export function startSensing(index: i32): void {
  delist(index);
  pairAt(index).flags |= PAIR_TOUCHING;
  enlist(index);
}

/** Moves a touching concave pair to the list of concave pairs. */
export function startTouchingConcave(index: i32): void {
  startSensing(index);
}

/** Makes room for all waiting pairs in the list of candidates. */
export function reserveCandidates(): void {
  const g = world();
  if (g.candidateCapacity >= g.waitingCount) return;
  const capacity = grownCapacity(g.candidateCapacity, g.waitingCount);
  g.candidates = reallocate(g.candidates, (<usize>g.candidateCapacity) << 2, (<usize>capacity) << 2);
  g.candidateCapacity = capacity;
}

/** Removes the pair from the waiting list; the caller gives it a lane. */
export function leaveWaiting(index: i32): void {
  delist(index);
}

/** Both bodies are at rest: the pair is not processed until one wakes. */
export function putToSleep(index: i32): void {
  const pair = pairAt(index);
  if (pair.flags & PAIR_ASLEEP) return;
  if (pair.list == LIST_SOLVED) {
    park(index);
  } else {
    delist(index);
    for (let child = pair.firstChild; child >= 0; child = pairAt(child).next) park(child);
  }
  pair.flags |= PAIR_ASLEEP;
}

export function wakePair(index: i32): void {
  if (pairAt(index).flags & PAIR_ASLEEP) enlist(index);
}

// --- removal ---

export function destroyPair(index: i32): void {
  const g = world();
  const pair = pairAt(index);
  endContact(pair);
  if (pair.flags & PAIR_PARKED) freeParked(index, pair.index);
  else delist(index);
  destroyChildren(index);
  unlink(pair, 0);
  unlink(pair, 1);
  pairSetRemove(pair.shapeA, pair.shapeB);
  freePair(index);
  g.pairCount--;
}

function freePair(index: i32): void {
  const g = world();
  const pair = pairAt(index);
  clearPair(pair);
  pair.shapeA = -1;
  pair.list = LIST_NONE;
  pair.index = g.pairFree;
  g.pairFree = index;
}

// --- children: the manifolds of a concave pair ---

/** Creates a child with a lane, as the first of its owner's list. */
export function createChild(owner: i32): i32 {
  const index = allocatePair();
  const pair = pairAt(index);
  const parent = pairAt(owner);
  pair.shapeA = parent.shapeA;
  pair.shapeB = parent.shapeB;
  pair.bodyA = parent.bodyA;
  pair.bodyB = parent.bodyB;
  pair.flags = PAIR_CHILD | PAIR_TOUCHING;
  pair.owner = owner;
  pair.next = parent.firstChild;
  parent.firstChild = index;
  updatePairMaterial(pair);
  addLane(index);
  return index;
}

export function destroyChild(owner: i32, index: i32): void {
  const parent = pairAt(owner);
  if (parent.firstChild == index) {
    parent.firstChild = pairAt(index).next;
  } else {
    let at = parent.firstChild;
    while (pairAt(at).next != index) at = pairAt(at).next;
    pairAt(at).next = pairAt(index).next;
  }
  const pair = pairAt(index);
  if (pair.flags & PAIR_PARKED) freeParked(index, pair.index);
  else removeLane(index);
  freePair(index);
}

function destroyChildren(owner: i32): void {
  while (pairAt(owner).firstChild >= 0) destroyChild(owner, pairAt(owner).firstChild);
}

/** Whether the fat boxes of two shapes overlap. @inline */
export function boxesOverlap(shapeA: i32, shapeB: i32): bool {
  const a = boxAt(shapeA);
  const b = boxAt(shapeB);
  return v128.all_true<i32>(v128.and(f32x4.le(a.min, b.max), f32x4.le(b.min, a.max)));
}

/** Moved shapes from which on the search for pairs that part is shared between threads. */
const SHARED_SHAPES = 64;
/** Waiting pairs from which on it is. */
const SHARED_WAITING = 2048;
/** Waiting pairs that are looked at in a row in the time in which the pairs of one shape are found by its links. */
const ROWS_PER_SHAPE = 128;

/**
 * Destroys pairs of shapes whose fat AABB changed and that no longer overlap. If many did, all waiting pairs are looked at:
 * they lie in a row, and the pairs of a body do not. Pairs of awake dynamic bodies that touch then part when their manifold
 * is computed again (collide.ts).
 */
export function destroyPartedPairs(): void {
  const g = world();
  const count = g.movedCount;
  if (count == 0) return;
  const inRow = count * ROWS_PER_SHAPE > g.waitingCount;
  const shared = THREADED && forks(count, SHARED_SHAPES);
  const found = shared ? outcomes(count) : 0;
  if (shared) fork(partSome, inRow ? 1 : 0, 0, count);
  let before = 0; // shapes of a body mostly follow each other
  for (let i = 0; i < count; i++) {
    if (shared && !load<i32>(found + ((<usize>i) << 2))) continue;
    const slot = shapeAt(wordAt(g.moved, i)).body;
    if (slot != before) partBody(bodyAt(slot), inRow);
    before = slot;
  }
  if (inRow) partWaiting();
}

/** Whether the pairs of the body are not found in the row of waiting pairs: some of them may rest. @inline */
function walksPairs(b: Body, inRow: bool): bool {
  return !inRow || !isAwake(b);
}

/** Where the shape on a side of a pair, given as a link, is in the list of moved shapes; -1: its box did not change. @inline */
function movedBy(link: i32): i32 {
  const pair = pairAt(link >> 1);
  return shapeAt(link & 1 ? pair.shapeB : pair.shapeA).movedIndex;
}

/** Whether the boxes of a pair, given as a link, no longer overlap because that of the shape on this side changed. @inline */
function parts(link: i32): bool {
  const pair = pairAt(link >> 1);
  return !boxesOverlap(pair.shapeA, pair.shapeB) && movedBy(link) >= 0;
}

/** Destroys the pairs of a body that part, in the order in which its shapes moved. */
function partBody(b: Body, inRow: bool): void {
  if (!walksPairs(b, inRow)) return;
  const g = world();
  let gone = 0;
  for (let at = b.firstPair; at >= 0; at = nextPair(at)) {
    if (!parts(at)) continue;
    growTable(offsetof<World>('candidates'), gone + 1, 4);
    let place = gone++;
    for (; place > 0 && movedBy(wordAt(g.candidates, place - 1)) > movedBy(at); place--)
      setWord(g.candidates, place, wordAt(g.candidates, place - 1));
    setWord(g.candidates, place, at);
  }
  for (let i = 0; i < gone; i++) destroyPair(wordAt(g.candidates, i) >> 1);
}

/** A part of destroyPartedPairs, in the threaded core: only looks. */
function partSome(from: i32, to: i32, inRow: i32, _: i32): void {
  const g = world();
  const found = outcomes(0);
  for (let i = from; i < to; i++)
    store<i32>(found + ((<usize>i) << 2), anyParts(wordAt(g.moved, i), inRow != 0) ? 1 : 0);
}

/** Whether partBody would destroy pairs of the shape's body. */
function anyParts(slot: i32, inRow: bool): bool {
  const b = bodyAt(shapeAt(slot).body);
  if (!walksPairs(b, inRow)) return false;
  for (let at = b.firstPair; at >= 0; at = nextPair(at)) if (parts(at)) return true;
  return false;
}

/** Destroys all waiting pairs that part. */
function partWaiting(): void {
  const g = world();
  const count = g.waitingCount;
  reserveCandidates();
  const shared = THREADED && forks(count, SHARED_WAITING);
  const found = shared ? outcomes(count) : 0;
  if (shared) fork(partRows, 0, 0, count);
  let gone = 0;
  for (let i = 0; i < count; i++) {
    const waiting = waitingAt(i);
    const apart = shared
      ? load<i32>(found + ((<usize>i) << 2)) != 0
      : !boxesOverlap(waiting.shapeA, waiting.shapeB);
    setWord(g.candidates, gone, waiting.pair);
    gone += apart ? 1 : 0;
  }
  // The waiting list has no defined order.
  sortPairs(g.candidates, gone);
  for (let i = 0; i < gone; i++) destroyPair(wordAt(g.candidates, i));
}

/** A part of partWaiting, in the threaded core. */
function partRows(from: i32, to: i32, _: i32, __: i32): void {
  const found = outcomes(0);
  for (let i = from; i < to; i++) {
    const waiting = waitingAt(i);
    store<i32>(found + ((<usize>i) << 2), boxesOverlap(waiting.shapeA, waiting.shapeB) ? 0 : 1);
  }
}

// --- the list of a body's pairs; a link is pair << 1 | side ---

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

/** The link behind this one, -1 none. @inline */
function nextPair(link: i32): i32 {
  const pair = pairAt(link >> 1);
  return link & 1 ? pair.nextB : pair.nextA;
}
/** @inline */
function setNext(pair: Pair, side: i32, value: i32): void {
  if (side) pair.nextB = value;
  else pair.nextA = value;
}
/** @inline */
function setPrevious(pair: Pair, side: i32, value: i32): void {
  if (side) pair.prevB = value;
  else pair.prevA = value;
}
