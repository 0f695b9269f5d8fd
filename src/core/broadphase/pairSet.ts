// The set of existing pairs of shapes: an open-addressing hash set with linear probing. In: shape slots A < B. Out: the
// index of their pair. The simulation only looks up and never iterates. An entry is one 64-bit word, A << 46 | B << 28
// | pair index, so a look-up reads no pair record.

import { allocate, release } from '../memory/allocator';
import { PAIR_CHILD } from '../memory/constants';
import { pairAt, world } from '../memory/tables';

const SLOT_BITS = 18;
export const INDEX_BITS = 28;
export const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;
const FIRST_CAPACITY = 256;

/** @inline */
export function keyOf(a: i32, b: i32): u64 {
  return ((<u64>a) << SLOT_BITS) | <u64>b;
}

/** Fibonacci hashing (Knuth, vol. 3, 6.4): the top bits of the product. @inline */
function homeOf(key: u64, capacity: i32): usize {
  return <usize>((key * 0x9e3779b97f4a7c15) >> <u64>(clz<u32>(<u32>capacity) + 33));
}

/** Index of the pair's entry, or of the empty place at the end of its run. @inline */
function probe(key: u64): usize {
  const g = world();
  const mask = <usize>(g.pairSetCapacity - 1);
  const set = <usize>g.pairSet;
  let i = homeOf(key, g.pairSetCapacity);
  while (true) {
    const entry = load<u64>(set + (i << 3));
    if (entry == 0 || entry >> INDEX_BITS == key) return set + (i << 3);
    i = (i + 1) & mask;
  }
}

/** Index of the pair, -1 if there is none. */
export function pairSetFind(a: i32, b: i32): i32 {
  if (world().pairSetCount == 0) return -1;
  const entry = load<u64>(probe(keyOf(a, b)));
  return entry == 0 ? -1 : <i32>(entry & INDEX_MASK);
}

/** @inline */
export function pairSetHas(a: i32, b: i32): bool {
  return world().pairSetCount != 0 && load<u64>(probe(keyOf(a, b))) != 0;
}

/** Inserts a pair that must not be in the set. */
export function pairSetInsert(a: i32, b: i32, index: i32): void {
  const g = world();
  if (2 * (g.pairSetCount + 1) > g.pairSetCapacity) grow();
  const key = keyOf(a, b);
  store<u64>(probe(key), (key << INDEX_BITS) | <u64>index);
  g.pairSetCount++;
}

/** Removes the pair, if present, and closes the gap, so that no run is interrupted. */
export function pairSetRemove(a: i32, b: i32): void {
  const g = world();
  if (g.pairSetCount == 0) return;
  const gap = probe(keyOf(a, b));
  if (load<u64>(gap) == 0) return;
  g.pairSetCount--;
  const set = <usize>g.pairSet;
  const mask = <usize>(g.pairSetCapacity - 1);
  let hole = (gap - set) >> 3;
  let i = hole;
  while (true) {
    i = (i + 1) & mask;
    const entry = load<u64>(set + (i << 3));
    if (entry == 0) break;
    // The entry can move into the gap unless its home is cyclically behind the gap.
    const home = homeOf(entry >> INDEX_BITS, g.pairSetCapacity);
    if (((i - home) & mask) >= ((i - hole) & mask)) {
      store<u64>(set + (hole << 3), entry);
      hole = i;
    }
  }
  store<u64>(set + (hole << 3), 0);
}

/** Rebuilds the set from the pair table, with its current capacity. */
export function pairSetRebuild(): void {
  const g = world();
  memory.fill(<usize>g.pairSet, 0, (<usize>g.pairSetCapacity) << 3);
  g.pairSetCount = 0;
  for (let i = 0; i < g.pairEnd; i++) {
    const pair = pairAt(i);
    if (pair.shapeA > 0 && !(pair.flags & PAIR_CHILD)) pairSetInsert(pair.shapeA, pair.shapeB, i);
  }
}

function grow(): void {
  const g = world();
  const old = <usize>g.pairSet;
  const oldCapacity = g.pairSetCapacity;
  const capacity = oldCapacity == 0 ? FIRST_CAPACITY : oldCapacity << 1;
  g.pairSet = allocate((<usize>capacity) << 3);
  g.pairSetCapacity = capacity;
  // The order of entries within a run may depend on this order; look-ups do not.
  for (let at = old; at < old + ((<usize>oldCapacity) << 3); at += 8) {
    const entry = load<u64>(at);
    if (entry != 0) store<u64>(probe(entry >> INDEX_BITS), entry);
  }
  release(<u32>old, (<usize>oldCapacity) << 3);
}
