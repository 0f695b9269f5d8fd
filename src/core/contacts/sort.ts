// Sorts a list of pair indices by (shapeA, shapeB): a total order that does not depend on how the list was built.
// Bottom-up merge sort in scratch. A sorted list costs one pass.
import { pairAt, scratch } from '../memory/tables';

/** @inline */
function key(index: i32): u64 {
  const pair = pairAt(index);
  return ((<u64>pair.shapeA) << 32) | <u64>pair.shapeB;
}

export function sortPairs(list: u32, count: i32): void {
  let sorted = true;
  const at = <usize>list;
  for (let i = 1; i < count && sorted; i++) {
    sorted = key(load<i32>(at + ((<usize>(i - 1)) << 2))) < key(load<i32>(at + ((<usize>i) << 2)));
  }
  if (sorted) return;
  let from = at;
  const spare = scratch((<usize>count) << 2);
  let to = spare;
  for (let width = 1; width < count; width <<= 1) {
    for (let start = 0; start < count; start += width << 1) {
      const middle = min(start + width, count);
      const end = min(start + (width << 1), count);
      let i = start;
      let j = middle;
      for (let k = start; k < end; k++) {
        const left = i < middle ? load<i32>(from + ((<usize>i) << 2)) : -1;
        const right = j < end ? load<i32>(from + ((<usize>j) << 2)) : -1;
        if (right < 0 || (left >= 0 && key(left) < key(right))) {
          store<i32>(to + ((<usize>k) << 2), left);
          i++;
        } else {
          store<i32>(to + ((<usize>k) << 2), right);
          j++;
        }
      }
    }
    const t = from;
    from = to;
    to = t;
  }
  if (from != at) memory.copy(at, from, (<usize>count) << 2);
}
