// Hashing of words: 64 bits at a time, multiplied and folded. In: a hash so far, words or ranges of words. Out: the
// continued hash.

// Odd constants with well mixed bits: 2⁶⁴/φ, and one of SplitMix64's multipliers.
export const GOLDEN: u64 = 0x9e3779b97f4a7c15;
const MIX: u64 = 0xbf58476d1ce4e5b9;

/** @inline */
export function mix(h: u64, word: u64): u64 {
  const m = (h ^ word) * MIX;
  return (m ^ (m >> 29)) + GOLDEN;
}

/** Hashes a range of a multiple of 8 bytes in four parallel chains, because one chain waits for each of its multiplications. */
export function hashRange(h: u64, from: usize, bytes: usize): u64 {
  const end = from + bytes;
  let h1 = GOLDEN;
  let h2 = MIX;
  let h3: u64 = 0;
  for (; from + 32 <= end; from += 32) {
    h = mix(h, load<u64>(from));
    h1 = mix(h1, load<u64>(from, 8));
    h2 = mix(h2, load<u64>(from, 16));
    h3 = mix(h3, load<u64>(from, 24));
  }
  for (; from + 8 <= end; from += 8) h = mix(h, load<u64>(from));
  return mix(mix(mix(h, h1), h2), h3);
}
