// Sorts 64-bit keys in ascending order, without allocation. Different keys have a total order. In: keys in memory, and
// the same amount of spare memory. Out: the keys, sorted in place.

/** Up to this number of keys the histograms of the radix sort cost more than they save. */
const INSERTION = 24;

/** Bits below `from`, a multiple of eight, do not count. */
export function sortKeys(keys: usize, spare: usize, count: i32, from: u64 = 0): void {
  if (count <= INSERTION) {
    insertionSort(keys, count);
    return;
  }
  const end = keys + ((<usize>count) << 3);
  let or: u64 = 0;
  let and: u64 = ~(<u64>0);
  for (let at = keys; at < end; at += 8) {
    or |= load<u64>(at);
    and &= load<u64>(at);
  }
  const varying = or ^ and;
  // Least significant byte first; bytes that are equal in all keys are skipped.
  let at = keys;
  let to = spare;
  for (let shift = from; shift < 64; shift += 8) {
    if (((varying >> shift) & 255) == 0) continue;
    radixPass(new Keys(at, count), to, shift, spare + ((<usize>count) << 3));
    const other = at;
    at = to;
    to = other;
  }
  if (at != keys) memory.copy(keys, at, (<usize>count) << 3);
}

/** Bytes that sortKeys needs at `spare`. @inline */
export function sortSpare(count: i32): usize {
  return ((<usize>count) << 3) + 1024;
}

/** Keys in memory. @value */
class Keys {
  from: usize;
  count: i32;
}

function radixPass(keys: Keys, to: usize, shift: u64, histogram: usize): void {
  memory.fill(histogram, 0, 1024);
  const end = keys.from + ((<usize>keys.count) << 3);
  for (let at = keys.from; at < end; at += 8) {
    const slot = histogram + ((<usize>((load<u64>(at) >> shift) & 255)) << 2);
    store<u32>(slot, load<u32>(slot) + 8);
  }
  let sum: u32 = 0;
  for (let slot = histogram; slot < histogram + 1024; slot += 4) {
    const bytes = load<u32>(slot);
    store<u32>(slot, sum);
    sum += bytes;
  }
  for (let at = keys.from; at < end; at += 8) {
    const k = load<u64>(at);
    const slot = histogram + ((<usize>((k >> shift) & 255)) << 2);
    const place = load<u32>(slot);
    store<u32>(slot, place + 8);
    store<u64>(to + place, k);
  }
}

function insertionSort(keys: usize, count: i32): void {
  for (let i = 1; i < count; i++) {
    const k = load<u64>(keys + ((<usize>i) << 3));
    let at = keys + ((<usize>i) << 3);
    while (at > keys && load<u64>(at - 8) > k) {
      store<u64>(at, load<u64>(at - 8));
      at -= 8;
    }
    store<u64>(at, k);
  }
}
