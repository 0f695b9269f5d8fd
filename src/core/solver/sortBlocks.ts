// Sorts the contact blocks of a colour for the cache. In: colours whose lanes changed. Out: the same manifolds, sorted
// by their bodies, so that neighbours in memory are neighbours in the world. A body occurs once in a colour, so the
// order within a colour does not affect results. Each step examines one colour, and sorts it only if a quarter of it
// changed, so a settled world is not sorted.
import { sortKeys, sortSpare } from '../broadphase/sort';
import { BODY_DYNAMIC, OVERFLOW_COLOR } from '../memory/constants';
import { ContactBlock } from '../memory/records';
import {
  BLOCK_SIZE,
  blockHandle,
  blockOf,
  bodyAt,
  colorAt,
  META_SIZE,
  pairAt,
  scratch,
  world,
} from '../memory/tables';
import { fork, forks } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { copyLaneFrom, laneWord, pairOfLane, refreshBlockSummary, SavedLane } from './lanes';

/** Fewer blocks fit into the cache in any order. */
const FEW = 64;

export function sortContactBlocks(): void {
  const c = world().stepCount % OVERFLOW_COLOR;
  const color = colorAt(c);
  if (color.count >= FEW && color.changes << 2 >= color.lanes) sortColor(c);
}

function sortColor(c: i32): void {
  const color = colorAt(c);
  color.changes = 0;
  const lanes = color.lanes;
  const blockBytes = <usize>color.count * BLOCK_SIZE;
  const metaBytes = <usize>color.count * META_SIZE;
  const keyBytes = (<usize>lanes) << 3;
  const keys = scratch(keyBytes + blockBytes + metaBytes + sortSpare(lanes));
  const blocks = keys + keyBytes;
  const meta = blocks + blockBytes;
  for (let i = 0; i < lanes; i++) {
    const key = firstDynamic(blockOf(color, i >> 2), i & 3);
    store<u64>(keys + ((<usize>i) << 3), ((<u64>key) << 32) | <u64>i);
  }
  sortKeys(keys, meta + metaBytes, lanes);
  memory.copy(blocks, <usize>color.blocks, blockBytes);
  memory.copy(meta, <usize>color.meta, metaBytes);
  if (THREADED && forks(color.count, FEW)) fork(placeLanes, c, <i32>keys, color.count);
  else placeLanes(0, color.count, c, <i32>keys);
}

/** Fills blocks of a colour from the copies behind the keys. */
function placeLanes(from: i32, to: i32, c: i32, at: i32): void {
  const color = colorAt(c);
  const keys = <usize>at;
  const blocks = keys + ((<usize>color.lanes) << 3);
  const meta = blocks + <usize>color.count * BLOCK_SIZE;
  for (let k = from; k < to; k++) {
    const handle = blockHandle(c, k);
    const end = min((k + 1) << 2, color.lanes);
    for (let i = k << 2; i < end; i++) {
      copyLaneFrom(new SavedLane(blocks, meta, <i32>load<u32>(keys + ((<usize>i) << 3))), color, i);
      pairAt(pairOfLane(handle, i & 3)).index = (handle << 2) + (i & 3);
    }
    refreshBlockSummary(handle);
  }
}

/** The lower slot of the dynamic bodies of a lane. Bodies created together tend to be close together. */
function firstDynamic(block: ContactBlock, lane: i32): i32 {
  const a = laneWord(changetype<usize>(block) + offsetof<ContactBlock>('bodyA'), lane);
  const b = laneWord(changetype<usize>(block) + offsetof<ContactBlock>('bodyB'), lane);
  if (bodyAt(a).type != BODY_DYNAMIC) return b;
  if (bodyAt(b).type != BODY_DYNAMIC) return a;
  return min(a, b);
}
