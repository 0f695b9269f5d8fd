// Sorts a list of pair indices by (shapeA, shapeB): a total order that does not depend on how the list was built. A sorted list
// costs one pass.

import { INDEX_BITS, INDEX_MASK, keyOf } from '../broadphase/pairSet';
import { sortKeys, sortSpare } from '../broadphase/sort';
import { pairAt, scratch } from '../memory/tables';

export function sortPairs(list: u32, count: i32): void {
  if (count < 2) return;
  const bytes = (<usize>count) << 3;
  const keys = scratch(bytes + sortSpare(count));
  let sorted = true;
  let last: u64 = 0;
  for (let i = 0; i < count; i++) {
    const index = load<i32>(<usize>list + ((<usize>i) << 2));
    const pair = pairAt(index);
    const key = (keyOf(pair.shapeA, pair.shapeB) << INDEX_BITS) | <u64>index;
    store<u64>(keys + ((<usize>i) << 3), key);
    if (key < last) sorted = false;
    last = key;
  }
  if (sorted) return;
  // Bits of the index come first, and need no order: a shape occurs with another one once.
  sortKeys(keys, keys + bytes, count, INDEX_BITS & ~7);
  for (let i = 0; i < count; i++)
    store<i32>(<usize>list + ((<usize>i) << 2), <i32>(load<u64>(keys + ((<usize>i) << 3)) & INDEX_MASK));
}
