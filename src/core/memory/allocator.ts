// Heap regions for the tables. In: sizes. Out: zeroed regions, 64-byte aligned. Free regions form one list, sorted by
// address, and adjacent ones are merged: a table that moved leaves a hole that later tables fill. A region at the end
// of the heap, or before a hole, grows in place. The allocator uses first fit, so equal calls give equal addresses (D.
// Knuth, TAOCP 1, 2.5).
import { world } from './world';

/** Header at the start of a free region. @unmanaged */
class FreeRegion {
  bytes: u32;
  next: u32; // address, 0 at the end of the list
}

const GRANULE: usize = 64;
/** Pages of 64 KB. The memory grows by at least this much, because each growth makes the host recreate its views. */
const LEAST_GROWTH: i32 = 8;

/** @inline */
function roundUp(bytes: usize): usize {
  return (max<usize>(bytes, 1) + GRANULE - 1) & ~(GRANULE - 1);
}

/** @inline */
function region(address: usize): FreeRegion {
  return changetype<FreeRegion>(address);
}

/**
 * Address of the link to the free region that follows `address`; with 0 of the link to the first free region. @inline
 */
function linkOf(address: usize): usize {
  return address == 0 ? <usize>world().freeListAddress : address + offsetof<FreeRegion>('next');
}

/** Moves the end of the heap. Traps (memory.grow fails) only when the host is out of memory. */
function setHeapTop(end: usize): void {
  const have = (<usize>memory.size()) << 16;
  if (end > have) {
    const pages = max(<i32>((end - have + 0xffff) >>> 16), LEAST_GROWTH);
    if (memory.grow(pages) < 0 && memory.grow(<i32>((end - have + 0xffff) >>> 16)) < 0) unreachable();
  }
  world().heapTop = <u32>end;
}

/** Returns a zeroed region of at least `bytes` bytes. */
export function allocate(bytes: usize): u32 {
  const size = roundUp(bytes);
  let before: usize = 0;
  let at = <usize>load<u32>(linkOf(0));
  while (at != 0 && <usize>region(at).bytes < size) {
    before = at;
    at = <usize>region(at).next;
  }
  if (at != 0) takeFront(before, at, size);
  else {
    at = <usize>world().heapTop;
    setHeapTop(at + size);
  }
  memory.fill(at, 0, size);
  return <u32>at;
}

/** Takes the first `size` bytes of the free region `at`, which follows the free region `before`. */
function takeFront(before: usize, at: usize, size: usize): void {
  const left = <usize>region(at).bytes - size;
  let next = region(at).next;
  if (left != 0) {
    const rest = region(at + size);
    rest.bytes = <u32>left;
    rest.next = next;
    next = <u32>(at + size);
  }
  store<u32>(linkOf(before), next);
}

/** The last free region below `address`, 0 if there is none. */
function freeBefore(address: usize): usize {
  let before: usize = 0;
  let next = <usize>load<u32>(linkOf(0));
  while (next != 0 && next < address) {
    before = next;
    next = <usize>region(next).next;
  }
  return before;
}

/** Frees a region of `bytes` bytes. */
export function release(address: u32, bytes: usize): void {
  if (address == 0) return;
  let at = <usize>address;
  let size = roundUp(bytes);
  const before = freeBefore(at);
  let next = <usize>load<u32>(linkOf(before));
  if (next == at + size) {
    size += <usize>region(next).bytes;
    next = <usize>region(next).next;
  }
  if (before != 0 && before + <usize>region(before).bytes == at) {
    size += <usize>region(before).bytes;
    at = before;
  } else store<u32>(linkOf(before), <u32>at);
  region(at).bytes = <u32>size;
  region(at).next = <u32>next;
  if (next == 0 && at + size == <usize>world().heapTop) {
    store<u32>(linkOf(freeBefore(at)), 0);
    world().heapTop = <u32>at;
  }
}

/** Grows a region to `newBytes` and keeps its content. It stays in place if there is room behind it. */
export function reallocate(address: u32, oldBytes: usize, newBytes: usize): u32 {
  if (address == 0) return allocate(newBytes);
  const size = roundUp(oldBytes);
  const wanted = roundUp(newBytes);
  if (size >= wanted) return address;
  const end = <usize>address + size;
  const missing = wanted - size;
  if (end == <usize>world().heapTop) {
    setHeapTop(end + missing);
    memory.fill(end, 0, missing);
    return address;
  }
  const before = freeBefore(end);
  const hole = <usize>load<u32>(linkOf(before));
  if (hole == end && <usize>region(hole).bytes >= missing) {
    takeFront(before, hole, missing);
    memory.fill(end, 0, missing);
    return address;
  }
  const fresh = allocate(newBytes);
  memory.copy(<usize>fresh, <usize>address, oldBytes);
  release(address, oldBytes);
  return fresh;
}

/** Returns the number of free regions; writes the address and size of each to `to` unless that is 0. */
export function listFreeRegions(to: usize): usize {
  let count: usize = 0;
  for (let at = load<u32>(linkOf(0)); at != 0; at = region(<usize>at).next, count++) {
    if (to == 0) continue;
    store<u32>(to + (count << 3), at);
    store<u32>(to + (count << 3), region(<usize>at).bytes, 4);
  }
  return count;
}
