// Storage of manifolds. In: pairs that touch. Out: for each a lane of a four-wide contact block, in a graph colour in
// which neither of its bodies occurs twice. A pair keeps its lane as long as it touches (persistent graph colouring:
// Fratarcangeli et al.; solver colours as in Box3D). The solver works on these blocks in place, so there is no second
// manifold table to gather from or store to.

import { separateLanes } from '../contacts/recycle';
import { reallocate } from '../memory/allocator';
import {
  BODY_DYNAMIC,
  DYNAMIC_COLOR_COUNT,
  LIST_NONE,
  LIST_SOLVED,
  OVERFLOW_COLOR,
  PAIR_BEGUN,
  PAIR_CHILD,
  PAIR_PARKED,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_MULTISPHERE,
  SHAPE_SPHERE,
  SPECIAL_IMPACT,
  SPECIAL_KINEMATIC,
  SPECIAL_ROLLING,
} from '../memory/constants';
import { BlockMeta, Body, Color, ContactBlock, Pair, World } from '../memory/records';
import {
  BLOCK_SIZE,
  blockAt,
  blockHandle,
  blockOf,
  bodyAt,
  colorAt,
  grownCapacity,
  growTable,
  META_SIZE,
  metaAt,
  metaOf,
  pairAt,
  setWord,
  shapeAt,
  world,
} from '../memory/tables';

const FIRST_LANE_WORD: usize = offsetof<ContactBlock>('bodyA');
const FIRST_META_WORD: usize = offsetof<BlockMeta>('pair');
const LANE_WORDS: usize = (BLOCK_SIZE - FIRST_LANE_WORD + META_SIZE - FIRST_META_WORD) >> 4;
/** First capacity of a colour, in blocks. */
const FIRST_BLOCKS = 4;
/** Bytes of a parked manifold: the words of one lane, then a free-list link. */
export const PARKED_SIZE: usize = ((LANE_WORDS + 1) * 4 + 15) & ~15;
export const PARKED_LINK: usize = LANE_WORDS * 4;
/** Offset of the pair, which is the first lane word of BlockMeta. */
export const PARKED_PAIR: usize = (BLOCK_SIZE - FIRST_LANE_WORD) >> 2;

// --- the blocks of a colour: contiguous, in the order in which the solver reads them ---

function pushBlock(color: Color): i32 {
  if (color.count == color.capacity) {
    const old = color.capacity;
    const capacity = old == 0 ? FIRST_BLOCKS : grownCapacity(old, old + 1);
    color.blocks = reallocate(color.blocks, <usize>old * BLOCK_SIZE, <usize>capacity * BLOCK_SIZE);
    color.meta = reallocate(color.meta, <usize>old * META_SIZE, <usize>capacity * META_SIZE);
    color.capacity = capacity;
  }
  const i = color.count++;
  memory.fill(changetype<usize>(blockOf(color, i)), 0, BLOCK_SIZE);
  const meta = metaOf(color, i);
  memory.fill(changetype<usize>(meta), 0, META_SIZE);
  meta.pair = i32x4.splat(-1);
  return i;
}

// --- lanes ---

/** @inline */
function dynamicBody(b: Body): bool {
  return b.type == BODY_DYNAMIC;
}

/**
 * The lowest colour that is free in both bodies. Contacts with a body that does not move take the highest free colour.
 */
function chooseColor(a: Body, b: Body): i32 {
  if (dynamicBody(a) && dynamicBody(b)) {
    const free = ~(a.colorMask | b.colorMask);
    const c = ctz<i32>(free);
    return c < DYNAMIC_COLOR_COUNT ? c : OVERFLOW_COLOR;
  }
  const mask = dynamicBody(a) ? a.colorMask : b.colorMask;
  const free = ~mask & 0x7ffffffe;
  return free == 0 ? OVERFLOW_COLOR : 31 - clz<i32>(free);
}

/** Gives the pair a cleared lane. contacts/manifold.ts writes the manifold. */
export function addLane(pairIndex: i32): void {
  const g = world();
  const pair = pairAt(pairIndex);
  const a = bodyAt(pair.bodyA);
  const b = bodyAt(pair.bodyB);
  const c = chooseColor(a, b);
  const color = colorAt(c);
  let lane = 0;
  if (c == OVERFLOW_COLOR) {
    pushBlock(color); // the overflow has one lane per block, because bodies may occur twice in it
    color.lanes = color.count << 2;
  } else {
    lane = color.lanes & 3;
    if (lane == 0) pushBlock(color);
    color.lanes++;
  }
  color.changes++;
  const block = color.count - 1;
  if (dynamicBody(a)) join(a, c);
  if (dynamicBody(b)) join(b, c);
  pair.list = LIST_SOLVED;
  pair.index = (blockHandle(c, block) << 2) + lane;
  pair.color = c;
  g.contactCount++;
  const meta = metaOf(color, block);
  setLaneWord(changetype<usize>(meta) + FIRST_META_WORD, lane, pairIndex);
  setPairWords(changetype<usize>(meta), lane, pair);
  meta.used |= 1 << lane;
}

/** Stores what a lane copies from its pair. */
export function setPairWords(meta: usize, lane: i32, pair: Pair): void {
  setLaneWord(meta + offsetof<BlockMeta>('begun'), lane, begunMask(pair));
  const curved =
    (isCurved(shapeAt(pair.shapeA).type) ? 1 : 0) | (isCurved(shapeAt(pair.shapeB).type) ? 2 : 0);
  setLaneWord(meta + offsetof<BlockMeta>('curved'), lane, curved);
}

function isCurved(type: i32): bool {
  return (
    type == SHAPE_SPHERE ||
    type == SHAPE_CAPSULE ||
    type == SHAPE_CYLINDER ||
    type == SHAPE_CONE ||
    type == SHAPE_MULTISPHERE
  );
}

/** BlockMeta.begun for the lane of a pair: all bits set if the pair, or its owner, has begun to touch. */
function begunMask(pair: Pair): i32 {
  const owner = pair.flags & PAIR_CHILD ? pairAt(pair.owner) : pair;
  return owner.flags & PAIR_BEGUN ? -1 : 0;
}

function join(body: Body, color: i32): void {
  body.constraintCount++;
  if (color != OVERFLOW_COLOR) body.colorMask |= 1 << color;
}

function leave(body: Body, color: i32): void {
  body.constraintCount--;
  if (color != OVERFLOW_COLOR) body.colorMask &= ~(1 << color);
}

/** Removes the lane and fills the gap with the colour's last lane. */
export function removeLane(pairIndex: i32): void {
  const g = world();
  const pair = pairAt(pairIndex);
  const c = pair.color;
  const color = colorAt(c);
  const block = pair.index >> 2;
  const lane = pair.index & 3;
  const a = bodyAt(pair.bodyA);
  const b = bodyAt(pair.bodyB);
  if (dynamicBody(a)) leave(a, c);
  if (dynamicBody(b)) leave(b, c);
  const last = blockHandle(c, color.count - 1);
  const lastLane = c == OVERFLOW_COLOR ? 0 : (color.lanes - 1) & 3;
  if (last != block || lastLane != lane) {
    copyLane(last, lastLane, block, lane);
    pairAt(laneWord(changetype<usize>(metaAt(block)) + FIRST_META_WORD, lane)).index = (block << 2) + lane;
    refreshBlockSummary(block);
    color.changes++;
  }
  if (c == OVERFLOW_COLOR) {
    color.lanes = --color.count << 2;
  } else {
    color.lanes--;
    if (lastLane == 0) {
      color.count--;
    } else {
      clearLane(last, lastLane);
      refreshBlockSummary(last);
    }
  }
  pair.list = LIST_NONE;
  pair.index = -1;
  g.contactCount--;
}

/** Combines the values of all lanes into the head of a block in which nothing is new. */
export function blockSummary(meta: BlockMeta): v128 {
  const n = meta.pointCount;
  let most = max(i32x4.extract_lane(n, 0), i32x4.extract_lane(n, 1));
  most = max(most, max(i32x4.extract_lane(n, 2), i32x4.extract_lane(n, 3)));
  let special = 0;
  if (v128.any_true(v128.or(meta.fast, f32x4.gt(meta.restitution, f32x4.splat(0)))))
    special |= SPECIAL_IMPACT;
  if (v128.any_true(f32x4.gt(f32x4.pmax(meta.rollingFriction, meta.spinningFriction), f32x4.splat(0))))
    special |= SPECIAL_ROLLING;
  if (v128.any_true(meta.kinematic)) special |= SPECIAL_KINEMATIC;
  return i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(0), 0, most), 1, special);
}

export function refreshBlockSummary(index: i32): void {
  const block = blockAt(index);
  const summary = blockSummary(metaAt(index));
  block.maxPoints = i32x4.extract_lane(summary, 0);
  block.special = i32x4.extract_lane(summary, 1);
}

/** @inline */
export function laneWord(field: usize, lane: i32): i32 {
  return load<i32>(field + ((<usize>lane) << 2));
}
/** @inline */
export function setLaneWord(field: usize, lane: i32, value: i32): void {
  store<i32>(field + ((<usize>lane) << 2), value);
}

function copyLane(fromBlock: i32, fromLane: i32, toBlock: i32, toLane: i32): void {
  copyWords(
    changetype<usize>(blockAt(fromBlock)) + ((<usize>fromLane) << 2),
    changetype<usize>(metaAt(fromBlock)) + ((<usize>fromLane) << 2),
    changetype<usize>(blockAt(toBlock)) + ((<usize>toLane) << 2),
    changetype<usize>(metaAt(toBlock)) + ((<usize>toLane) << 2),
  );
}

/** First of the words that prepare.ts computes in each step, and the words behind them; likewise of a second row of words. */
const PREPARED: usize = offsetof<ContactBlock>('invMassAX');
const AFTER_PREPARED: usize = offsetof<ContactBlock>('friction');
const MASSES: usize = offsetof<ContactBlock>('tangentMass11');
const AFTER_MASSES: usize = offsetof<ContactBlock>('frictionImpulse1');

/** A lane of blocks that are not in a colour. @value */
export class SavedLane {
  blocks: usize;
  meta: usize;
  lane: i32;
}

/** Copies a saved lane to lane `to` of a colour, before the step prepares its contacts. */
export function copyLaneFrom(from: SavedLane, color: Color, to: i32): void {
  const fromLane = (<usize>(from.lane & 3)) << 2;
  const toLane = (<usize>(to & 3)) << 2;
  const fromBlock = from.blocks + <usize>(from.lane >> 2) * BLOCK_SIZE + fromLane;
  const toBlock = changetype<usize>(blockOf(color, to >> 2)) + toLane;
  copyColumn(fromBlock, toBlock, FIRST_LANE_WORD, PREPARED);
  copyColumn(fromBlock, toBlock, AFTER_PREPARED, MASSES);
  copyColumn(fromBlock, toBlock, AFTER_MASSES, BLOCK_SIZE);
  const fromMeta = from.meta + <usize>(from.lane >> 2) * META_SIZE + fromLane;
  const toMeta = changetype<usize>(metaOf(color, to >> 2)) + toLane;
  copyColumn(fromMeta, toMeta, FIRST_META_WORD, META_SIZE);
}

function copyWords(fromBlock: usize, fromMeta: usize, toBlock: usize, toMeta: usize): void {
  copyColumn(fromBlock, toBlock, FIRST_LANE_WORD, BLOCK_SIZE);
  copyColumn(fromMeta, toMeta, FIRST_META_WORD, META_SIZE);
}

/** Copies the words of a lane between two offsets. */
function copyColumn(from: usize, to: usize, begin: usize, end: usize): void {
  for (let o = begin; o < end; o += 16) store<i32>(to + o, load<i32>(from + o));
}

function clearLane(block: i32, lane: i32): void {
  const at = changetype<usize>(blockAt(block)) + ((<usize>lane) << 2);
  for (let o = FIRST_LANE_WORD; o < BLOCK_SIZE; o += 16) store<i32>(at + o, 0);
  const meta = metaAt(block);
  const atMeta = changetype<usize>(meta) + ((<usize>lane) << 2);
  for (let o = FIRST_META_WORD; o < META_SIZE; o += 16) store<i32>(atMeta + o, 0);
  setLaneWord(changetype<usize>(meta) + FIRST_META_WORD, lane, -1);
  meta.used &= ~(1 << lane);
}

// --- parking: manifolds of sleeping pairs leave the blocks and come back unchanged ---

/** @inline */
export function parkedAt(index: i32): usize {
  return <usize>world().parked + <usize>index * PARKED_SIZE;
}

export function park(pairIndex: i32): void {
  const g = world();
  let index = g.parkedFree;
  if (index >= 0) {
    g.parkedFree = load<i32>(parkedAt(index) + PARKED_LINK);
  } else {
    if (g.parkedEnd == g.parkedCapacity) {
      const capacity = grownCapacity(g.parkedCapacity, g.parkedEnd + 1);
      g.parked = reallocate(g.parked, <usize>g.parkedCapacity * PARKED_SIZE, <usize>capacity * PARKED_SIZE);
      g.parkedCapacity = capacity;
    }
    index = g.parkedEnd++;
  }
  const pair = pairAt(pairIndex);
  const block = pair.index >> 2;
  storeLane(
    parkedAt(index),
    changetype<usize>(blockAt(block)),
    changetype<usize>(metaAt(block)),
    pair.index & 3,
  );
  removeLane(pairIndex);
  pair.flags |= PAIR_PARKED;
  pair.index = index;
}

export function unpark(pairIndex: i32): void {
  const pair = pairAt(pairIndex);
  const parked = pair.index;
  addLane(pairIndex);
  const block = pair.index >> 2;
  loadLane(
    parkedAt(parked),
    changetype<usize>(blockAt(block)),
    changetype<usize>(metaAt(block)),
    pair.index & 3,
  );
  setPairWords(changetype<usize>(metaAt(block)), pair.index & 3, pair);
  writeMaterial(pair); // it may have changed since
  // A pair that wakes in the middle of a step is solved without collision detection, so its separations must be
  // current.
  const own = i32x4.eq(i32x4(0, 1, 2, 3), i32x4.splat(pair.index & 3));
  separateLanes(block, own, v128.not(own));
  freeParked(pairIndex, parked);
}

/** Gives the lane of a pair in LIST_SOLVED the coefficients of the pair. */
export function writeMaterial(pair: Pair): void {
  const handle = pair.index >> 2;
  const lane = (<usize>(pair.index & 3)) << 2;
  store<f32>(changetype<usize>(blockAt(handle)) + lane, pair.friction, offsetof<ContactBlock>('friction'));
  const meta = changetype<usize>(metaAt(handle)) + lane;
  store<f32>(meta, pair.restitution, offsetof<BlockMeta>('restitution'));
  store<f32>(meta, pair.rollingFriction, offsetof<BlockMeta>('rollingFriction'));
  store<f32>(meta, pair.spinningFriction, offsetof<BlockMeta>('spinningFriction'));
  refreshBlockSummary(handle);
}

/** Copies the words of a lane into a parked manifold. */
export function storeLane(to: usize, block: usize, meta: usize, lane: i32): void {
  const at = (<usize>lane) << 2;
  for (let o = FIRST_LANE_WORD; o < BLOCK_SIZE; o += 16, to += 4) store<i32>(to, load<i32>(block + at + o));
  for (let o = FIRST_META_WORD; o < META_SIZE; o += 16, to += 4) store<i32>(to, load<i32>(meta + at + o));
}

export function loadLane(from: usize, block: usize, meta: usize, lane: i32): void {
  const at = (<usize>lane) << 2;
  for (let o = FIRST_LANE_WORD; o < BLOCK_SIZE; o += 16, from += 4)
    store<i32>(block + at + o, load<i32>(from));
  for (let o = FIRST_META_WORD; o < META_SIZE; o += 16, from += 4) store<i32>(meta + at + o, load<i32>(from));
}

/** Frees a parked manifold. */
export function freeParked(pairIndex: i32, parked: i32): void {
  const g = world();
  pairAt(pairIndex).flags &= ~PAIR_PARKED;
  store<i32>(parkedAt(parked) + PARKED_LINK, g.parkedFree);
  g.parkedFree = parked;
}

/** The pair of a lane, -1 if the lane is free. @inline */
export function pairOfLane(block: i32, lane: i32): i32 {
  return laneWord(changetype<usize>(metaAt(block)) + FIRST_META_WORD, lane);
}

/** Appends to World.newBlocks. Other stages use that table too, when no new contacts are pending. */
export function pushHandle(handle: i32): void {
  const g = world();
  growTable(offsetof<World>('newBlocks'), g.newBlockCount + 1, 4);
  setWord(g.newBlocks, g.newBlockCount++, handle);
}
