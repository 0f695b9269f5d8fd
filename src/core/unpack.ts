// A module of its own, about a kilobyte: unpacks the core. In: the digits that scripts/pack.mjs made. Out: the bytes
// before. Copies, an adaptive binary range coder and the contexts of LZMA (Pavlov, LZMA specification), in digits
// of six bits. In JavaScript, which is slow until it has been compiled, the same takes five times as long.

const PROBABILITY_BITS: u32 = 11;
const ONE: u32 = 1 << 11;
const SHIFT: u32 = 5;
const TOP: u32 = 1 << 30;
const BOTTOM: u32 = 1 << 24;
const DIGIT_BITS: u32 = 6;
const SHORTEST: u32 = 2;

/** Where the contexts of each decision begin: by what came before (12 states). */
const STATES: u32 = 12;
const IS_MATCH: u32 = 0;
const IS_REP: u32 = IS_MATCH + STATES;
const IS_REP_0: u32 = IS_REP + STATES;
const IS_REP_0_LONG: u32 = IS_REP_0 + STATES;
const IS_REP_1: u32 = IS_REP_0_LONG + STATES;
const IS_REP_2: u32 = IS_REP_1 + STATES;
/** Of a length: two choices, then trees of 3, 3 and 8 bits. */
const LENGTH: u32 = IS_REP_2 + STATES;
const LENGTH_SIZE: u32 = 2 + 8 + 8 + 256;
const REP_LENGTH: u32 = LENGTH + LENGTH_SIZE;
/** Of a distance: 6 bits by the length; more, each with a context, of the middle ones; of the far ones the lowest four. */
const SLOT: u32 = REP_LENGTH + LENGTH_SIZE;
const SPECIAL: u32 = SLOT + 4 * 64;
const ALIGN: u32 = SPECIAL + 128;
/** By the upper three bits of the byte before; a tree of 8 bits, and two more for a byte that follows a copy. */
const LITERAL: u32 = ALIGN + 16;
const LITERAL_SIZE: u32 = 0x300;
const CONTEXTS: u32 = LITERAL + 8 * LITERAL_SIZE;

/** Where literals and copies begin, the byte before has a say as well: the mean of two, the second fast. */
const SECONDS: usize = 1 << 14;
const SECOND_COUNT: u32 = 1 << 16;
const SECOND_SHIFT: u32 = 3;

// Globals: nothing of this module outlives a call, and the core itself has none.
let range: u32 = 0;
let code: u32 = 0;
let next: usize = 0;
let end: usize = 0;
/** The byte before. */
let before: u32 = 0;

/** 0 past the end. */
function digit(): u32 {
  if (next >= end) return 0;
  const value = <u32>load<u8>(next++) - 48;
  return value < 64 ? value : value === 64 ? 44 : 48;
}

function normalize(): void {
  while (range < BOTTOM) {
    range <<= DIGIT_BITS;
    code = (code << DIGIT_BITS) | digit();
  }
}

/** Probabilities lie at the start of the memory. */
function bit(context: u32): u32 {
  const at: usize = 2 * context;
  const p = <u32>load<u16>(at);
  const isTwofold = context < LENGTH || context >= LITERAL;
  const other: usize = SECONDS + 2 * ((context * 0x9e3779b1 + before * 0x85ebca6b) >> 16);
  const q: u32 = load<u16>(other);
  const bound = (range >> PROBABILITY_BITS) * (isTwofold ? (p + q) >> 1 : p);
  const isOne = code >= bound;
  if (isTwofold) store<u16>(other, <u16>(isOne ? q - (q >> SECOND_SHIFT) : q + ((ONE - q) >> SECOND_SHIFT)));
  let value: u32 = 0;
  if (!isOne) {
    range = bound;
    store<u16>(at, <u16>(p + ((ONE - p) >> SHIFT)));
  } else {
    code -= bound;
    range -= bound;
    store<u16>(at, <u16>(p - (p >> SHIFT)));
    value = 1;
  }
  normalize();
  return value;
}

/** Bits without a context, the highest first. */
function direct(count: u32): u32 {
  let value: u32 = 0;
  for (; count > 0; count--) {
    range >>= 1;
    value <<= 1;
    if (code >= range) {
      code -= range;
      value |= 1;
    }
    normalize();
  }
  return value;
}

/** The highest bit first. */
function tree(base: u32, bits: u32): u32 {
  let node: u32 = 1;
  for (let i: u32 = 0; i < bits; i++) node = (node << 1) | bit(base + node);
  return node - (1 << bits);
}

/** The lowest bit first. */
function reverseTree(base: u32, bits: u32): u32 {
  let node: u32 = 1;
  let value: u32 = 0;
  for (let i: u32 = 0; i < bits; i++) {
    const one = bit(base + node);
    node = (node << 1) | one;
    value |= one << i;
  }
  return value;
}

function length(base: u32): u32 {
  if (bit(base) === 0) return SHORTEST + tree(base + 1, 3);
  if (bit(base + 1) === 0) return SHORTEST + 8 + tree(base + 9, 3);
  return SHORTEST + 16 + tree(base + 17, 8);
}

/** Of a copy; 0 is the byte before. */
function distance(length: u32): u32 {
  const slot = tree(SLOT + 64 * min(length - SHORTEST, 3), 6);
  if (slot < 4) return slot;
  const bits = (slot >> 1) - 1;
  const first = (2 | (slot & 1)) << bits;
  if (slot < 14) return first + reverseTree(SPECIAL + first - slot, bits);
  const high = direct(bits - 4) << 4;
  return first + high + reverseTree(ALIGN, 4);
}

/** `state` ≥ 7: after a copy, which would have gone on with `matched`. */
function literal(state: u32, matched: u32): u32 {
  const base = LITERAL + LITERAL_SIZE * (before >> 5);
  let node: u32 = 1;
  if (state >= 7)
    while (node < 256) {
      matched <<= 1;
      const expected = (matched >> 8) & 1;
      const one = bit(base + ((1 + expected) << 8) + node);
      node = (node << 1) | one;
      if (one !== expected) break;
    }
  while (node < 256) node = (node << 1) | bit(base + node);
  return node;
}

/** Digits from byte `text` to `out`, there `size` bytes; the memory below 144 KB is used. */
export function unpack(text: usize, out: usize, size: usize): void {
  for (let i: usize = 0; i < 2 * CONTEXTS; i += 2) store<u16>(i, <u16>(ONE / 2));
  for (let i: usize = 0; i < 2 * SECOND_COUNT; i += 2) store<u16>(SECONDS + i, <u16>(ONE / 2));
  before = 0;
  range = TOP - 1;
  code = 0;
  next = text;
  end = out;
  for (let i = 0; i < 5; i++) code = (code << DIGIT_BITS) | digit();
  let rep0: u32 = 0;
  let rep1: u32 = 0;
  let rep2: u32 = 0;
  let rep3: u32 = 0;
  let state: u32 = 0;
  const stop = out + size;
  for (let at = out; at < stop; ) {
    let count: u32 = 1;
    before = at > out ? load<u8>(at - 1) : 0;
    if (bit(IS_MATCH + state) === 0) {
      store<u8>(at, <u8>literal(state, load<u8>(at - rep0 - 1)));
      at++;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    if (bit(IS_REP + state) === 0) {
      rep3 = rep2;
      rep2 = rep1;
      rep1 = rep0;
      count = length(LENGTH);
      rep0 = distance(count);
      state = state < 7 ? 7 : 10;
    } else {
      let isShort = false;
      if (bit(IS_REP_0 + state) === 0) isShort = bit(IS_REP_0_LONG + state) === 0;
      else {
        let chosen = rep1;
        if (bit(IS_REP_1 + state) !== 0) {
          chosen = rep2;
          if (bit(IS_REP_2 + state) !== 0) {
            chosen = rep3;
            rep3 = rep2;
          }
          rep2 = rep1;
        }
        rep1 = rep0;
        rep0 = chosen;
      }
      if (!isShort) count = length(REP_LENGTH);
      state = isShort ? (state < 7 ? 9 : 11) : state < 7 ? 8 : 11;
    }
    for (; count > 0; count--, at++) store<u8>(at, load<u8>(at - rep0 - 1));
  }
}
