// Sorts the contact blocks of a colour for the cache. In: colours whose lanes changed. Out: the same manifolds, sorted
// by their bodies, so that neighbours in memory are neighbours in the world. A body occurs once in a colour, so the
// order within a colour does not affect results. Each step examines one colour, and sorts it only if a quarter of it
// changed, so a settled world is not sorted.
import { sortKeys, sortSpare } from '../broadphase/sort';
import { BODY_DYNAMIC, OVERFLOW_COLOR } from '../memory/constants';
import { Pair } from '../memory/records';
import {
  BLOCK_SIZE,
  blockHandle,
  bodyAt,
  colorAt,
  META_SIZE,
  pairAt,
  scratch,
  world,
} from '../memory/tables';
import { ORDERLY } from '../threads/control';
import { THREADED } from '../threads/mode';
import { copyLaneFrom, pairOfLane, refreshBlockSummary } from './lanes';

/** Fewer blocks fit into the cache in any order. */
const FEW = 64;

/** For the threaded core: whether less than a quarter of all lanes has changed since their colours were sorted. */
function noteOrder(): void {
  let changes = 0;
  let lanes = 0;
  for (let c = 0; c < OVERFLOW_COLOR; c++) {
    changes += colorAt(c).changes;
    lanes += colorAt(c).lanes;
  }
  store<i32>(ORDERLY, changes << 2 < lanes ? 1 : 0);
}

export function sortContactBlocks(): void {
  if (THREADED) noteOrder();
  const c = world().stepCount % OVERFLOW_COLOR;
  const color = colorAt(c);
  if (color.count < FEW || color.changes << 2 < color.lanes) return;
  color.changes = 0;
  const lanes = color.lanes;
  const blockBytes = <usize>color.count * BLOCK_SIZE;
  const metaBytes = <usize>color.count * META_SIZE;
  const blocks = scratch(blockBytes + metaBytes + ((<usize>lanes) << 3) + sortSpare(lanes));
  const meta = blocks + blockBytes;
  const keys = meta + metaBytes;
  for (let i = 0; i < lanes; i++) {
    const index = pairOfLane(blockHandle(c, i >> 2), i & 3);
    store<u64>(keys + ((<usize>i) << 3), ((<u64>firstDynamic(pairAt(index))) << 32) | <u64>i);
  }
  sortKeys(keys, keys + ((<usize>lanes) << 3), lanes);
  memory.copy(blocks, <usize>color.blocks, blockBytes);
  memory.copy(meta, <usize>color.meta, metaBytes);
  for (let i = 0; i < lanes; i++) {
    const from = <i32>load<u32>(keys + ((<usize>i) << 3));
    copyLaneFrom(blocks, meta, from, color, i);
    pairAt(pairOfLane(blockHandle(c, i >> 2), i & 3)).index = (blockHandle(c, i >> 2) << 2) + (i & 3);
  }
  for (let i = 0; i < color.count; i++) refreshBlockSummary(blockHandle(c, i));
}

/** The lower slot of the dynamic bodies of the contact. Bodies created together tend to be close together. */
function firstDynamic(pair: Pair): i32 {
  if (bodyAt(pair.bodyA).type != BODY_DYNAMIC) return pair.bodyB;
  if (bodyAt(pair.bodyB).type != BODY_DYNAMIC) return pair.bodyA;
  return min(pair.bodyA, pair.bodyB);
}
