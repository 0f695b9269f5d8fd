// A module of its own, 2 KB, that makes another module of its text. In: what scripts/core-text.mjs wrote. Out: the bytes that were put
// in. First a decoder: copies of what came before, and an adaptive binary range coder, with contexts as in LZMA (I. Pavlov, LZMA
// specification). It yields several streams: opcodes, local variables, offsets and so on, each for itself. Then these are put together
// again, instruction by instruction. WebAssembly, since JavaScript starts in an interpreter. A text that was damaged gives other
// bytes, or runs out of the memory, which traps: every step writes.

/** A probability of 12 bits, that of a 0, and in the lowest four how often it was used, 15 at most. Memory of zeros stands for one half. */
const PROBABILITY_BITS: u32 = 12;
const COUNT_BITS: u32 = 4;
const MOST_COUNTED: u32 = 15;
const FRESH: u32 = 0x8000;
/** The range stays above the lower limit: digits of six bits follow as soon as it is below. */
const TOP: u32 = 1 << 30;
const BOTTOM: u32 = 1 << 24;
const DIGIT_BITS: u32 = 6;
const SHORTEST: u32 = 2;

/** Streams. Opcodes, and operands that have no stream of their own: */
const CODE: u32 = 0;
const LOCAL: u32 = 1;
const OFFSET: u32 = 2;
const FUNCTION: u32 = 3;
/** Constants of f32 and f64; of v128, and shuffles. */
const FLOAT: u32 = 4;
const VECTOR: u32 = 5;
/** Numbers and types of local variables. */
const DECLARATION: u32 = 6;
/** What is not the code of a function. */
const OTHER: u32 = 7;
const STREAMS: u32 = 8;

/** Where the contexts of each decision begin: of the kind of a step by the steps before (12 states). */
const STATES: u32 = 12;
const IS_COPY: u32 = 0;
const IS_REPEAT: u32 = IS_COPY + STATES;
const IS_OLDER: u32 = IS_REPEAT + STATES;
const IS_LONG: u32 = IS_OLDER + STATES;
const IS_THIRD: u32 = IS_LONG + STATES;
const IS_FOURTH: u32 = IS_THIRD + STATES;
/** Of a length: two choices, then trees of 3, 3 and 8 bits. */
const LENGTH: u32 = IS_FOURTH + STATES;
const LENGTH_SIZE: u32 = 2 + 8 + 8 + 256;
const REPEATED_LENGTH: u32 = LENGTH + LENGTH_SIZE;
/** Of a distance: its logarithm in halves by the length; the bits below, of middle ones; of far ones the lowest four. */
const LOGARITHM: u32 = REPEATED_LENGTH + LENGTH_SIZE;
const MIDDLE: u32 = LOGARITHM + 4 * 64;
const LOWEST: u32 = MIDDLE + 128;
/** By the stream and the upper two bits of the byte before: a tree of 8 bits, and two more for a byte that follows a copy. */
const LITERAL: u32 = LOWEST + 16;
const LITERAL_SIZE: u32 = 0x300;

/** Addresses: of probabilities of 16 bits; of where each stream goes on; of the text. */
const CURSORS: u32 = 2 * (LITERAL + 4 * STREAMS * LITERAL_SIZE);
const TEXT: u32 = 1 << 16;
const PAGE_BITS: u32 = 16;

let range: u32 = 0;
let code: u32 = 0;
/** Of the next digit. */
let next: u32 = TEXT;
/** Behind the last byte that was written. */
export let end: u32 = 0;

/** Digits are characters from '0' on; the two that a string would have to escape come behind the others. */
function digit(): u32 {
  const value = <u32>load<u8>(next++) - 48;
  return value < 64 ? value : value === 64 ? 44 : 48;
}

/** A number of the head: four digits. */
function headNumber(): u32 {
  let value: u32 = 0;
  for (let i = 0; i < 4; i++) value = (value << DIGIT_BITS) | digit();
  return value;
}

function normalize(): void {
  while (range < BOTTOM) {
    range <<= DIGIT_BITS;
    code = (code << DIGIT_BITS) | digit();
  }
}

/** A probability moves by half of the difference at first, by 1/32 after 15 times. */
function bit(context: u32): u32 {
  const at = 2 * context;
  const entry = <u32>load<u16>(at) ^ FRESH;
  const count = entry & MOST_COUNTED;
  const shift = 32 - clz(count + 1);
  let p = entry >> COUNT_BITS;
  const bound = (range >> PROBABILITY_BITS) * p;
  const value = u32(code >= bound);
  // Without a branch, which processors would often foresee wrongly: a tenth of the time.
  code -= select<u32>(bound, 0, value);
  range = select<u32>(range - bound, bound, value);
  p = select<u32>(p - (p >> shift), p + (((1 << PROBABILITY_BITS) - p) >> shift), value);
  store<u16>(at, ((p << COUNT_BITS) | min(count + 1, MOST_COUNTED)) ^ FRESH);
  normalize();
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
  if (!bit(base)) return SHORTEST + tree(base + 1, 3);
  if (!bit(base + 1)) return SHORTEST + 8 + tree(base + 9, 3);
  return SHORTEST + 16 + tree(base + 17, 8);
}

/** Of a copy; 0 is the byte before. */
function distance(count: u32): u32 {
  const halves = tree(LOGARITHM + 64 * min(count - SHORTEST, 3), 6);
  if (halves < 4) return halves;
  let bits = (halves >> 1) - 1;
  let value = 2 | (halves & 1);
  if (halves < 14) return (value << bits) + reverseTree(MIDDLE + (value << bits) - halves, bits);
  for (; bits > 4; bits--) {
    range >>= 1;
    const one = u32(code >= range);
    if (one) code -= range;
    value = (value << 1) | one;
    normalize();
  }
  return (value << 4) + reverseTree(LOWEST, 4);
}

/** `matched`: after a copy, the byte with which it would go on; otherwise 0, and no bit of it is looked at. */
function literal(base: u32, isAfterCopy: bool, matched: u32): u32 {
  let node: u32 = 1;
  while (node < 256) {
    matched <<= 1;
    const expected = (matched >> 8) & 1;
    const one = bit(isAfterCopy ? base + ((1 + expected) << 8) + node : base + node);
    if (one !== expected) isAfterCopy = false;
    node = (node << 1) | one;
  }
  return node;
}

/** All streams, from `at` on. */
function decode(at: u32): void {
  let rep0: u32 = 0;
  let rep1: u32 = 0;
  let rep2: u32 = 0;
  let rep3: u32 = 0;
  let state: u32 = 0;
  for (let stream: u32 = 0; stream < STREAMS; ) {
    if (at >= load<u32>(CURSORS + 4 + 4 * stream)) {
      stream++;
      continue;
    }
    if (!bit(IS_COPY + state)) {
      const base = LITERAL + LITERAL_SIZE * (4 * stream + (load<u8>(at - 1) >> 6));
      store<u8>(at, literal(base, state >= 7, load<u8>(at - rep0 - 1)));
      at++;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let count: u32 = 1;
    if (!bit(IS_REPEAT + state)) {
      rep3 = rep2;
      rep2 = rep1;
      rep1 = rep0;
      count = length(LENGTH);
      rep0 = distance(count);
      state = state < 7 ? 7 : 10;
    } else {
      let isLong = true;
      if (bit(IS_OLDER + state)) {
        let chosen = rep1;
        if (bit(IS_THIRD + state)) {
          chosen = rep2;
          if (bit(IS_FOURTH + state)) {
            chosen = rep3;
            rep3 = rep2;
          }
          rep2 = rep1;
        }
        rep1 = rep0;
        rep0 = chosen;
      } else isLong = bit(IS_LONG + state) !== 0;
      if (isLong) count = length(REPEATED_LENGTH);
      state = (state < 7 ? 8 : 11) + u32(!isLong && state < 7);
    }
    for (; count > 0; count--, at++) store<u8>(at, load<u8>(at - rep0 - 1));
  }
}

/** Moves a byte from a stream to the module. */
function byte(stream: u32): u32 {
  const cursor = CURSORS + 4 * stream;
  const from = load<u32>(cursor);
  const value = <u32>load<u8>(from);
  store<u32>(cursor, from + 1);
  store<u8>(end++, value);
  return value;
}

function bytes(stream: u32, count: u32): void {
  for (; count > 0; count--) byte(stream);
}

/** A number of variable length (LEB128). */
function number(stream: u32): u32 {
  let value: u32 = 0;
  let shift: u32 = 0;
  let last: u32;
  do {
    last = byte(stream);
    value |= (last & 127) << shift;
    shift += 7;
  } while (last > 127);
  return value;
}

function numbers(stream: u32, count: u32): void {
  for (; count > 0; count--) number(stream);
}

/** Alignment and offset of a load or store. */
function access(): void {
  number(CODE);
  number(OFFSET);
}

function within(value: u32, first: u32, last: u32): bool {
  return value >= first && value <= last;
}

function vectorOperands(): void {
  const operation = number(CODE);
  const isLane = within(operation, 84, 91);
  if (operation < 12 || isLane || within(operation, 92, 93)) access();
  if (isLane || within(operation, 21, 34)) byte(CODE);
  else if (within(operation, 12, 13)) bytes(VECTOR, 16); // v128.const, i8x16.shuffle
}

function bulkOperands(): void {
  const operation = number(CODE);
  if (operation > 7) numbers(CODE, operation === 9 || operation === 11 || operation === 13 ? 1 : 2);
}

function atomicOperands(): void {
  if (number(CODE) !== 3) access();
  else byte(CODE); // atomic.fence
}

/** An instruction with its operands, as scripts/streams.mjs took it apart; returns by how much the nesting of blocks changes. */
function instruction(): i32 {
  const opcode = byte(CODE);
  if (opcode === 0x0b) return -1; // end
  if (within(opcode, 0x02, 0x04)) {
    number(CODE); // block, loop, if
    return 1;
  }
  if (within(opcode, 0x20, 0x22)) number(LOCAL);
  else if (within(opcode, 0x28, 0x3e)) access();
  else if (within(opcode, 0x10, 0x11))
    numbers(FUNCTION, opcode - 0x0f); // call, call_indirect
  else if (within(opcode, 0x0c, 0x0d) || within(opcode, 0x23, 0x26) || within(opcode, 0x3f, 0x42))
    number(CODE); // branches, globals and tables, sizes of memory, constants of integers
  else if (within(opcode, 0x43, 0x44)) bytes(FLOAT, (opcode - 0x42) << 2);
  else if (opcode === 0x0e)
    numbers(CODE, number(CODE) + 1); // br_table
  else if (opcode === 0x1c)
    bytes(CODE, number(CODE)); // select with types
  else if (opcode === 0xfc) bulkOperands();
  else if (opcode === 0xfd) vectorOperands();
  else if (opcode === 0xfe) atomicOperands();
  return 0;
}

/** The code of a function, and its size before it. */
function functionCode(): void {
  const start = end;
  end += 5; // the longest size
  for (let runs = number(DECLARATION); runs > 0; runs--) {
    number(DECLARATION);
    byte(DECLARATION);
  }
  for (let depth: i32 = 1; depth > 0; ) depth += instruction();
  let size = end - start - 5;
  let at = start;
  for (; size > 127; size >>= 7) store<u8>(at++, size | 128);
  store<u8>(at++, size);
  size = end - start - 5;
  memory.copy(at, start + 5, size);
  end = at + size;
}

/** @param streams  where the text ends, and streams may begin. Returns where the bytes begin; they end at `end`. */
export function unpack(streams: u32): u32 {
  const prefix = headNumber();
  const functions = headNumber();
  let at = streams;
  for (let i: u32 = 0; i < STREAMS; i++) {
    store<u32>(CURSORS + 4 * i, at);
    at += headNumber();
  }
  store<u32>(CURSORS + 4 * STREAMS, at);
  // Sizes of functions come to the streams, two bytes for most.
  memory.grow(((at + (at - streams) + 8 * functions) >> PAGE_BITS) + 1 - memory.size());
  range = TOP - 1;
  code = 0;
  for (let i = 0; i < 5; i++) code = (code << DIGIT_BITS) | digit();
  decode(streams);
  end = at;
  bytes(OTHER, prefix);
  for (let i: u32 = 0; i < functions; i++) functionCode();
  bytes(OTHER, at - load<u32>(CURSORS + 4 * OTHER));
  return at;
}
