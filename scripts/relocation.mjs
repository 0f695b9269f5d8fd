// Static memory at another address, without compiling again. In: one module compiled twice, with its static memory 16 bytes
// apart. Out: where in its bytes addresses of static memory are. All of them are LEB128 numbers of three bytes, so that
// adding to them moves no other byte (src/threads/relocate.ts does it). A helper thread runs such a moved copy: what
// functions keep in static memory while they work is then its own.
import { MEMORY_MAP } from './memory-map.mjs';

/** Where static memory lies in the two modules that are compared. */
export const BASES = [MEMORY_MAP.THREADED_STATIC, MEMORY_MAP.THREADED_STATIC + 16];
/** Signed LEB128 numbers of three bytes end here. */
export const MOST_ADDRESS = 1 << 20;

/** Number of three bytes at `at`, -1 if it has another length. */
function lebAt(bytes, at) {
  const [a, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (a < 128 || b < 128 || c >= 128) return -1;
  return (a & 127) | ((b & 127) << 7) | (c << 14);
}

/** Positions of the addresses, ascending. Throws if the modules differ in anything else. */
export function placesOf(first, second) {
  if (first.length !== second.length) throw new Error('relocation: the modules differ in length');
  const places = [];
  const by = BASES[1] - BASES[0];
  for (let at = 0; at < first.length; at++) {
    if (first[at] === second[at]) continue;
    // The lowest seven bits of a number change by 16, so the first byte that differs is its first one.
    const address = lebAt(first, at);
    if (address < BASES[0] || address + by >= MOST_ADDRESS || lebAt(second, at) !== address + by)
      throw new Error(`relocation: byte ${at} differs, and is not the address of static memory`);
    places.push(at);
    at += 2;
  }
  return places;
}

/** End of static memory: the highest address, which is that of the heap. */
export function lastAddress(bytes, places) {
  return places.reduce((most, at) => Math.max(most, lebAt(bytes, at)), 0);
}

/** Differences of ascending numbers, seven bits in a byte, the lowest first. */
export function packPlaces(places) {
  const bytes = [];
  let before = 0;
  for (const at of places) {
    let rest = at - before;
    before = at;
    for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}
