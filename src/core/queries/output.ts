// The output buffer of queries: world().queryOutput, which grows as needed, so that no result is lost.
import { sortKeys, sortSpare } from '../broadphase/sort';
import { reallocate } from '../memory/allocator';
import { grownCapacity, scratch, world } from '../memory/tables';

/** Makes room for `words`; the words written so far are kept. */
export function reserveOutput(words: i32): void {
  const g = world();
  if (words <= g.queryCapacity) return;
  const capacity = grownCapacity(g.queryCapacity, words);
  g.queryOutput = reallocate(g.queryOutput, (<usize>g.queryCapacity) << 2, (<usize>capacity) << 2);
  g.queryCapacity = capacity;
}

/**
 * Sorts records of `size` bytes by their third word, an f32, then by their first, a slot; the order of equal ones is
 * kept. Two stable passes, since both values do not fit a key beside the index.
 */
export function sortOutput(count: i32, size: usize): void {
  if (count < 2) return;
  const bytes = <usize>count * size;
  const records = scratch(bytes + 2 * ((<usize>count) << 3) + sortSpare(count));
  const bySlot = records + bytes;
  const byValue = bySlot + ((<usize>count) << 3);
  const spare = byValue + ((<usize>count) << 3);
  const output = <usize>world().queryOutput;
  memory.copy(records, output, bytes);
  for (let i = 0; i < count; i++)
    store<u64>(bySlot + ((<usize>i) << 3), ((<u64>load<u32>(records + <usize>i * size)) << 32) | <u64>i);
  sortKeys(bySlot, spare, count);
  for (let i = 0; i < count; i++) {
    const record = records + <usize>load<u32>(bySlot + ((<usize>i) << 3)) * size;
    // The bits of an f32 in the order of its values, which can be negative.
    const bits = load<u32>(record, 8);
    const ordered = bits ^ (<u32>(<i32>bits >> 31) | 0x80000000);
    store<u64>(byValue + ((<usize>i) << 3), ((<u64>ordered) << 32) | <u64>i);
  }
  sortKeys(byValue, spare, count);
  for (let i = 0; i < count; i++) {
    const rank = <usize>load<u32>(byValue + ((<usize>i) << 3));
    const record = records + <usize>load<u32>(bySlot + (rank << 3)) * size;
    memory.copy(output + <usize>i * size, record, size);
  }
}
