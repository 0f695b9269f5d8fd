// Begin and end of contacts. In: the impulse of each manifold in this step, and the separation of its points. Out:
// events, and PAIR_BEGUN of pairs. A manifold exists before its shapes touch, so that the solver can stop them at the
// surface. A contact begins in the first step in which one of its points has an impulse, which its event reports. It
// ends when no point has an impulse and every point is separated by more than the contact breaking threshold.
import { recordContact, recordEnd } from '../events/record';
import { splat, zero } from '../math/vector';
import {
  COLOR_COUNT,
  EVENT_CONTACT_BEGIN,
  LIST_SOLVED,
  PAIR_BEGAN,
  PAIR_BEGUN,
  PAIR_CHILD,
  PAIR_SENSOR,
} from '../memory/constants';
import { BlockMeta, ContactBlock, Pair, World } from '../memory/records';
import {
  blockAt,
  blockOf,
  bodyAt,
  colorAt,
  growTable,
  metaAt,
  metaOf,
  pairAt,
  pointAt,
  setWord,
  wordAt,
  world,
} from '../memory/tables';
import { laneWord, setLaneWord } from '../solver/lanes';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { sortPairs } from './sort';

const PAIR_WORD: usize = offsetof<BlockMeta>('pair');
const BEGUN_WORD: usize = offsetof<BlockMeta>('begun');

/** Reports begins and ends. Pairs that began are listed in World.candidates, sorted, until forgetBegins. */
export function updateContacts(): void {
  const g = world();
  let begins = 0;
  for (let i = 0; i < g.candidateCount; i++) {
    const index = wordAt(g.candidates, i);
    const pair = pairAt(index);
    // Sensors have no impulses: their contacts begin when the shapes touch.
    if (pair.flags & PAIR_SENSOR && !(pair.flags & PAIR_BEGUN)) begins = begin(index, begins);
  }
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    const shared = THREADED && forks(color.count, SHARED_BLOCKS);
    const found = shared ? outcomes(color.count) : 0;
    if (shared) fork(lookSome, c, 0, color.count);
    for (let i = 0; i < color.count; i++) {
      const meta = metaOf(color, i);
      const lanes = shared ? load<i32>(found + ((<usize>i) << 2)) : changedLanes(blockOf(color, i), meta);
      if (lanes & 15) begins = beginLanes(meta, lanes & 15, begins);
      if (lanes >> 4) endLanes(meta, lanes >> 4);
    }
  }
  sortPairs(g.candidates, begins);
  g.candidateCount = begins;
  for (let i = 0; i < begins; i++) recordContact(EVENT_CONTACT_BEGIN, pairAt(wordAt(g.candidates, i)));
}

export function forgetBegins(): void {
  const g = world();
  for (let i = 0; i < g.candidateCount; i++) pairAt(wordAt(g.candidates, i)).flags &= ~PAIR_BEGAN;
  g.candidateCount = 0;
}

/** From now on an end event is due. */
export function markBegun(pair: Pair): void {
  pair.flags |= PAIR_BEGUN;
  markLanes(pair, -1);
}

function markLanes(pair: Pair, mask: i32): void {
  for (let child = pair.firstChild; child >= 0; child = pairAt(child).next) markLane(pairAt(child), mask);
  markLane(pair, mask);
}

function markLane(pair: Pair, mask: i32): void {
  if (pair.list != LIST_SOLVED) return;
  setLaneWord(changetype<usize>(metaAt(pair.index >> 2)) + BEGUN_WORD, pair.index & 3, mask);
}

/** Ends the contact if it had begun. The caller removes or marks its lanes. */
export function endContact(pair: Pair): void {
  if (!(pair.flags & PAIR_BEGUN)) return;
  pair.flags &= ~PAIR_BEGUN;
  // They may have leant on each other. Bodies of an island that was kept awake have rested for long, and slept in the air.
  if (!(pair.flags & PAIR_SENSOR)) {
    bodyAt(pair.bodyA).sleepTime = 0;
    bodyAt(pair.bodyB).sleepTime = 0;
  }
  recordEnd(pair);
}

/** Blocks of a colour from which on it is shared between threads. */
const SHARED_BLOCKS = 64;

/** A part of updateContacts, in the threaded core. */
function lookSome(from: i32, to: i32, c: i32, _: i32): void {
  const color = colorAt(c);
  const found = outcomes(0);
  for (let i = from; i < to; i++)
    store<i32>(found + ((<usize>i) << 2), changedLanes(blockOf(color, i), metaOf(color, i)));
}

/** Lanes in which a contact may begin, a bit for each; from bit 4 on those in which it may end. @inline */
function changedLanes(block: ContactBlock, meta: BlockMeta): i32 {
  const pushed = pushedLanes(block);
  const fresh = i32x4.bitmask(v128.andnot(pushed, meta.begun));
  const idle = meta.used & ~i32x4.bitmask(pushed);
  return idle == 0 ? fresh : fresh | ((idle & i32x4.bitmask(openLanes(block, meta))) << 4);
}

/** Mask of the lanes in which a point had an impulse in this step. */
function pushedLanes(block: ContactBlock): v128 {
  let most = zero();
  for (let i = 0; i < block.maxPoints; i++) most = f32x4.pmax(most, pointAt(block, i).totalImpulse);
  return f32x4.gt(most, zero());
}

/** Mask of the lanes whose points are all separated by more than the breaking threshold. */
function openLanes(block: ContactBlock, meta: BlockMeta): v128 {
  let open = i32x4.splat(-1);
  const limit = splat(world().contactBreakingThreshold);
  for (let i = 0; i < block.maxPoints; i++) {
    const there = i32x4.gt_s(meta.pointCount, i32x4.splat(i));
    open = v128.andnot(open, v128.andnot(there, f32x4.gt(pointAt(block, i).separation, limit)));
  }
  return open;
}

/** The pair of a lane; for a child pair its owner. */
function ownerOf(meta: BlockMeta, lane: i32): i32 {
  const index = laneWord(changetype<usize>(meta) + PAIR_WORD, lane);
  const pair = pairAt(index);
  return pair.flags & PAIR_CHILD ? pair.owner : index;
}

function beginLanes(meta: BlockMeta, lanes: i32, begins: i32): i32 {
  for (; lanes != 0; lanes &= lanes - 1) {
    const index = ownerOf(meta, ctz<i32>(lanes));
    // A pair can have several lanes; the first one reports it.
    if (!(pairAt(index).flags & PAIR_BEGUN)) begins = begin(index, begins);
  }
  return begins;
}

function begin(index: i32, begins: i32): i32 {
  const g = world();
  const pair = pairAt(index);
  pair.flags |= PAIR_BEGAN;
  markBegun(pair);
  growTable(offsetof<World>('candidates'), begins + 1, 4);
  setWord(g.candidates, begins, index);
  return begins + 1;
}

function endLanes(meta: BlockMeta, lanes: i32): void {
  for (; lanes != 0; lanes &= lanes - 1) {
    const index = ownerOf(meta, ctz<i32>(lanes));
    const pair = pairAt(index);
    if (!(pair.flags & PAIR_BEGUN) || !allOpen(pair)) continue;
    endContact(pair);
    markLanes(pair, 0);
  }
}

/** Of a concave pair: whether all of its manifolds are open. */
function allOpen(pair: Pair): bool {
  for (let child = pair.firstChild; child >= 0; child = pairAt(child).next) {
    const handle = pairAt(child).index >> 2;
    const block = blockAt(handle);
    const open = v128.andnot(openLanes(block, metaAt(handle)), pushedLanes(block));
    if (!((i32x4.bitmask(open) >> (pairAt(child).index & 3)) & 1)) return false;
  }
  return true;
}
