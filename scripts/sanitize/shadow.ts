// The shadow of a core's memory, a module of its own with a memory of its own. In: every address that the core reads or
// writes, and where its regions lie. Out: nothing, or a call of `fault`, which does not return.
//
// Two bytes stand for four of the core: bits 0 to 3 say which of them have been written, bit 4 that a row starts here,
// the rest is the number of the region, 0 for none. What is checked after AddressSanitizer (K. Serebryany et al., 2012)
// and MemorySanitizer (E. Stepanov, K. Serebryany, 2015), but for tables: a region has classes of records, and rows.

/** @external host fault */
declare function fault(kind: i32, address: u32, bytes: u32, site: i32, other: u32): void;
/** @external host denied */
declare function denied(address: u32, bytes: u32, site: i32): void;
/** @external host filled */
declare function filled(address: u32, bytes: u32, value: i32): void;
/** @external host copied */
declare function copied(to: u32, bytes: u32): void;

// Kinds of faults; runtime.mjs has the same.
const OUTSIDE = 0; // in no region
const ACROSS = 1; // from one region into the next
const UNWRITTEN = 2; // read before it was written, or after it was freed
const WRONG_CLASS = 3; // a record of one class in a table of another
const WRONG_ROW = 4; // not where a row starts
const STRAYED = 5; // computed from an address in another region

const REGIONS = 2048;
const REGION_SHIFT = 5;
const ROW_START = 16;
const WRITTEN = 15;

// Tables at the start of this module's memory.
const CLASSES: usize = 1024; // u64 per region: bit per class of records that may lie in it
const ROW_CLASS: usize = CLASSES + 8 * REGIONS; // u8: the class of its rows, 0 none
const FLAGS: usize = ROW_CLASS + REGIONS; // u8: IS_*
const SHADOW: usize = FLAGS + REGIONS;

const IS_DENIED = 1; // the running call may not write to it
const IS_WATCHED = 2; // its rows are known to be free or in use

/** Bytes of the core's memory that have a shadow. */
let limit: u32 = 0;

/** @inline */
function at(address: u32): usize {
  return SHADOW + ((<usize>address >> 2) << 1);
}
/** @inline */
function regionAt(address: u32): u32 {
  return <u32>load<u16>(at(address)) >> REGION_SHIFT;
}
/** @inline */
function flagsOf(region: u32): i32 {
  return <i32>load<u8>(FLAGS + <usize>region);
}

// --- what the host says ---

export function cover(bytes: u32): void {
  const end = at(bytes) + 64;
  const have = (<usize>memory.size()) << 16;
  if (end > have && memory.grow(<i32>((end - have + 0xffff) >>> 16)) < 0) unreachable();
  limit = bytes;
}

export function setRegion(region: u32, classes: u64, rowClass: i32, flags: i32): void {
  store<u64>(CLASSES + ((<usize>region) << 3), classes);
  store<u8>(ROW_CLASS + <usize>region, <u8>rowClass);
  store<u8>(FLAGS + <usize>region, <u8>flags);
}

export function setFlags(region: u32, flags: i32): void {
  store<u8>(FLAGS + <usize>region, <u8>flags);
}

export function regionOf(address: u32): u32 {
  return address >= limit ? 0 : regionAt(address);
}

/** Bit per byte of the word that is written. */
export function writtenOf(address: u32): u32 {
  return address >= limit ? 0 : load<u16>(at(address)) & WRITTEN;
}

/** Nothing of it is written yet. `bytes` may end inside of a word. */
export function define(address: u32, bytes: u32, region: u32): void {
  const word = <u16>(region << REGION_SHIFT);
  for (let o: u32 = 0; o < bytes; o += 4) store<u16>(at(address + o), word);
}

/** Another region takes the place of `old`, and more: what is written there stays so. */
export function extend(address: u32, bytes: u32, region: u32, old: u32): void {
  for (let o: u32 = 0; o < bytes; o += 4) {
    const word = <u32>load<u16>(at(address + o));
    const kept = word >> REGION_SHIFT == old ? word & WRITTEN : 0;
    store<u16>(at(address + o), <u16>(kept | (region << REGION_SHIFT)));
  }
}

/** Nobody's any more, but for what lies in another region by now. */
export function undefine(address: u32, bytes: u32, region: u32): void {
  for (let o: u32 = 0; o < bytes; o += 4) if (regionAt(address + o) == region) store<u16>(at(address + o), 0);
}

export function markRows(address: u32, bytes: u32, stride: u32): void {
  for (let o: u32 = 0; o < bytes; o += stride)
    store<u16>(at(address + o), load<u16>(at(address + o)) | ROW_START);
}

export function mark(address: u32, bytes: u32, written: i32): void {
  const end = address + bytes;
  if (((address | bytes) & 3) == 0) {
    for (; address < end; address += 4) {
      const word = load<u16>(at(address));
      store<u16>(at(address), <u16>(written ? word | WRITTEN : word & ~WRITTEN));
    }
    return;
  }
  for (; address < end; address++) {
    const bit = 1 << (address & 3);
    const word = <i32>load<u16>(at(address));
    store<u16>(at(address), <u16>(written ? word | bit : word & ~bit));
  }
}

/** A region has moved: its shadow as well, with another number. Regions do not overlap. */
export function move(to: u32, from: u32, bytes: u32, region: u32): void {
  for (let o: u32 = 0; o < bytes; o += 4) {
    const word = <u32>load<u16>(at(from + o)) & ((1 << REGION_SHIFT) - 1);
    store<u16>(at(to + o), <u16>(word | (region << REGION_SHIFT)));
  }
}

// --- what is slow: bytes one by one ---

function checkSpan(address: u32, bytes: u32, site: i32): u32 {
  if (address >= limit || bytes > limit - address) {
    fault(OUTSIDE, address, bytes, site, 0);
    return 0;
  }
  const region = regionAt(address);
  if (region == 0) fault(OUTSIDE, address, bytes, site, 0);
  const last = (address + bytes - 1) & ~3;
  for (let word = address & ~3; word <= last; word += 4)
    if (regionAt(word) != region) fault(ACROSS, address, bytes, site, word);
  return region;
}

function slowRead(address: u32, bytes: u32, site: i32): void {
  checkSpan(address, bytes, site);
  for (let i: u32 = 0; i < bytes; i++)
    if (!(load<u16>(at(address + i)) & (1 << ((address + i) & 3)))) {
      fault(UNWRITTEN, address, bytes, site, address + i);
      return;
    }
}

function slowWrite(address: u32, bytes: u32, site: i32): void {
  const region = checkSpan(address, bytes, site);
  if (flagsOf(region) & IS_DENIED) denied(address, bytes, site);
  mark(address, bytes, 1);
}

// --- what the core calls: each returns the address that it was given ---

export function read1(base: u32, offset: u32, site: i32): u32 {
  const address = base + offset;
  if (base >= limit || address >= limit || !(load<u16>(at(address)) & (1 << (address & 3))))
    slowRead(address, 1, site);
  return base;
}

export function read2(base: u32, offset: u32, site: i32): u32 {
  slowRead(base + offset, 2, site);
  return base;
}

export function read4(base: u32, offset: u32, site: i32): u32 {
  const address = base + offset;
  if (base >= limit || address >= limit || address & 3 || (load<u16>(at(address)) & WRITTEN) != WRITTEN)
    slowRead(address, 4, site);
  return base;
}

const WRITTEN_2: u32 = 0x000f000f;
const REGION_2: u32 = 0xffe0ffe0;
const WRITTEN_4: u64 = 0x000f000f000f000f;
const REGION_4: u64 = 0xffe0ffe0ffe0ffe0;

export function read8(base: u32, offset: u32, site: i32): u32 {
  const address = base + offset;
  if (base >= limit || address >= limit || address & 3) slowRead(address, 8, site);
  else {
    const words = load<u32>(at(address));
    if ((words & WRITTEN_2) != WRITTEN_2 || ((words ^ rotl<u32>(words, 16)) & REGION_2) != 0)
      slowRead(address, 8, site);
  }
  return base;
}

export function read16(base: u32, offset: u32, site: i32): u32 {
  const address = base + offset;
  if (base >= limit || address >= limit || address & 3) slowRead(address, 16, site);
  else {
    const words = load<u64>(at(address));
    if ((words & WRITTEN_4) != WRITTEN_4 || ((words ^ rotl<u64>(words, 16)) & REGION_4) != 0)
      slowRead(address, 16, site);
  }
  return base;
}

export function write1(base: u32, offset: u32, site: i32): u32 {
  slowWrite(base + offset, 1, site);
  return base;
}

export function write2(base: u32, offset: u32, site: i32): u32 {
  slowWrite(base + offset, 2, site);
  return base;
}

export function write4(base: u32, offset: u32, site: i32): u32 {
  const address = base + offset;
  if (base >= limit || address >= limit || address & 3) slowWrite(address, 4, site);
  else {
    const word = <u32>load<u16>(at(address));
    const region = word >> REGION_SHIFT;
    if (region == 0 || flagsOf(region) & IS_DENIED) slowWrite(address, 4, site);
    else store<u16>(at(address), <u16>(word | WRITTEN));
  }
  return base;
}

export function write8(base: u32, offset: u32, site: i32): u32 {
  const address = base + offset;
  if (base >= limit || address >= limit || address & 3) slowWrite(address, 8, site);
  else {
    const words = load<u32>(at(address));
    const region = (words & 0xffff) >> REGION_SHIFT;
    if (region == 0 || ((words ^ rotl<u32>(words, 16)) & REGION_2) != 0 || flagsOf(region) & IS_DENIED)
      slowWrite(address, 8, site);
    else store<u32>(at(address), words | WRITTEN_2);
  }
  return base;
}

export function write16(base: u32, offset: u32, site: i32): u32 {
  const address = base + offset;
  if (base >= limit || address >= limit || address & 3) slowWrite(address, 16, site);
  else {
    const words = load<u64>(at(address));
    const region = (<u32>words & 0xffff) >> REGION_SHIFT;
    if (region == 0 || ((words ^ rotl<u64>(words, 16)) & REGION_4) != 0 || flagsOf(region) & IS_DENIED)
      slowWrite(address, 16, site);
    else store<u64>(at(address), words | WRITTEN_4);
  }
  return base;
}

/** Before a field of a record: the record's class may lie there, and starts there. */
export function record(base: u32, offset: u32, cls: i32, site: i32): u32 {
  if (base >= limit || base + offset >= limit) {
    fault(OUTSIDE, base + offset, 4, site, 0);
    return base;
  }
  const word = <u32>load<u16>(at(base));
  const region = word >> REGION_SHIFT;
  if (region == 0) fault(OUTSIDE, base + offset, 4, site, 0);
  else if (!((load<u64>(CLASSES + ((<usize>region) << 3)) >> <u64>cls) & 1))
    fault(WRONG_CLASS, base, 4, site, 0);
  else if (load<u8>(ROW_CLASS + <usize>region) == <u8>cls && (!(word & ROW_START) || base & 3))
    fault(WRONG_ROW, base, 4, site, 0);
  else if (regionAt(base + offset) != region) fault(ACROSS, base, offset + 4, site, base + offset);
  return base;
}

/** An address computed from another one lies in the same region. */
export function derived(address: u32, from: u32, site: i32): u32 {
  if (from < limit) {
    const region = regionAt(from);
    if (region != 0 && (address >= limit || regionAt(address) != region))
      fault(STRAYED, address, 4, site, from);
  }
  return address;
}

export function fill(address: u32, value: i32, bytes: u32, site: i32): void {
  if (bytes == 0) return;
  const region = checkSpan(address, bytes, site);
  if (flagsOf(region) & IS_DENIED) denied(address, bytes, site);
  mark(address, bytes, 1);
  if (flagsOf(region) & IS_WATCHED) filled(address, bytes, value);
}

/** What was not written stays unwritten in the copy. */
export function copy(to: u32, from: u32, bytes: u32, site: i32): void {
  if (bytes == 0) return;
  checkSpan(from, bytes, site);
  const region = checkSpan(to, bytes, site);
  if (flagsOf(region) & IS_DENIED) denied(to, bytes, site);
  const up = to > from; // may overlap
  if (((to | from | bytes) & 3) == 0) {
    for (let k: u32 = 0; k < bytes; k += 4) {
      const o = up ? bytes - 4 - k : k;
      const word = load<u16>(at(to + o)) & ~WRITTEN;
      store<u16>(at(to + o), <u16>(word | (load<u16>(at(from + o)) & WRITTEN)));
    }
  } else {
    for (let k: u32 = 0; k < bytes; k++) {
      const o = up ? bytes - 1 - k : k;
      mark(to + o, 1, load<u16>(at(from + o)) & (1 << ((from + o) & 3)));
    }
  }
  if (flagsOf(region) & IS_WATCHED) copied(to, bytes);
}
