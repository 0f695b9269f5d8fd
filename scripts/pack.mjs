// Packs bytes for src/core/unpack.ts: copies of what came before, and an adaptive binary range coder, with contexts as in LZMA
// (I. Pavlov, LZMA specification), a fifth less than DEFLATE makes of a WebAssembly module. In: streams of bytes. Out: text of 64
// characters, of which gzip makes three quarters. The sequence of steps is the cheapest by prices that the pass before measured.

import { STREAM } from './wasm-code.mjs';

const STATES = 12;
/** A probability of 12 bits, that of a 0; how often it was used, up to 15 times, makes it slower. */
const ONE = 1 << 12;
const MOST_COUNTED = 15;
/** The range stays between these: small integers in the decoder, and one digit of six bits at a time. */
const TOP = 1 << 30;
const BOTTOM = 1 << 24;
const DIGITS = 64;

const SHORTEST = 2;
const LONGEST = 273;
/** Earlier places with the same three bytes that are compared: of 250 a core's text is 0.4 % longer, of 4,000 0.1 % shorter. */
const CHAIN = 1000;
/** Passes over all bytes, a second each for a core: of 4 its text is 0.6 % longer. */
const PASSES = 8;
/** Prices are whole, in 64ths of a bit, so that every machine finds the same sequence. */
const PRICE_OF_BIT = 64;

/** Where the contexts of each decision begin; as in src/core/unpack.ts. */
const IS_COPY = 0;
const IS_REPEAT = IS_COPY + STATES;
const IS_OLDER = IS_REPEAT + STATES;
const IS_LONG = IS_OLDER + STATES;
const IS_THIRD = IS_LONG + STATES;
const IS_FOURTH = IS_THIRD + STATES;
const LENGTH = IS_FOURTH + STATES;
const LENGTH_SIZE = 2 + 8 + 8 + 256;
const REPEATED_LENGTH = LENGTH + LENGTH_SIZE;
const LOGARITHM = REPEATED_LENGTH + LENGTH_SIZE;
const MIDDLE = LOGARITHM + 4 * 64;
const LOWEST = MIDDLE + 128;
const LITERAL = LOWEST + 16;
const LITERAL_SIZE = 0x300;
const STREAMS = Object.keys(STREAM).length;
const CONTEXTS = LITERAL + 4 * STREAMS * LITERAL_SIZE;

/** Kinds of steps. */
const A_LITERAL = 0;
const A_COPY = 1;
/** One byte from the last distance. */
const A_BYTE = 2;
/** A copy from one of the last four distances. */
const A_REPEAT = 3;

const AFTER = [
  (state) => (state < 4 ? 0 : state < 10 ? state - 3 : state - 6),
  (state) => (state < 7 ? 7 : 10),
  (state) => (state < 7 ? 9 : 11),
  (state) => (state < 7 ? 8 : 11),
];

/** Twice the logarithm of a distance, rounded down. */
function logarithmOf(distance) {
  if (distance < 4) return distance;
  const high = 31 - Math.clz32(distance);
  return (high << 1) | ((distance >>> (high - 1)) & 1);
}

/** The last four distances after a step; those of copies are one less than how far back they begin. */
function distancesAfter([a, b, c, d], kind, operand) {
  if (kind === A_COPY) return [operand, a, b, c];
  if (kind !== A_REPEAT || operand === 0) return [a, b, c, d];
  return operand === 1 ? [b, a, c, d] : operand === 2 ? [c, a, b, d] : [d, a, b, c];
}

/** Says every decision of a step to `out.bit(context, value)` and `out.direct(value, count)`, whether it is written or only priced. */
class Steps {
  /** `literals`: the first context of each byte. */
  constructor(bytes, literals, out) {
    this.bytes = bytes;
    this.literals = literals;
    this.out = out;
  }

  tree(base, value, bits) {
    for (let i = bits - 1; i >= 0; i--)
      this.out.bit(base + ((1 << (bits - 1 - i)) | (value >> (i + 1))), (value >> i) & 1);
  }

  reverseTree(base, value, bits) {
    let node = 1;
    for (let i = 0; i < bits; i++) {
      const one = (value >> i) & 1;
      this.out.bit(base + node, one);
      node = (node << 1) | one;
    }
  }

  length(base, value) {
    const n = value - SHORTEST;
    this.out.bit(base, n < 8 ? 0 : 1);
    if (n < 8) {
      this.tree(base + 1, n, 3);
      return;
    }
    this.out.bit(base + 1, n < 16 ? 0 : 1);
    if (n < 16) this.tree(base + 9, n - 8, 3);
    else this.tree(base + 17, n - 16, 8);
  }

  literal(at, state, distance) {
    this.out.bit(IS_COPY + state, 0);
    const base = this.literals[at];
    const value = this.bytes[at] | 256;
    const matched = this.bytes[at - distance - 1] | 256;
    let isMatched = state >= 7;
    for (let i = 7; i >= 0; i--) {
      const expected = (matched >> i) & 1;
      const one = (value >> i) & 1;
      this.out.bit(base + (isMatched ? (1 + expected) << 8 : 0) + (value >> (i + 1)), one);
      if (one !== expected) isMatched = false;
    }
  }

  copy(state, distance, count) {
    this.out.bit(IS_COPY + state, 1);
    this.out.bit(IS_REPEAT + state, 0);
    this.length(LENGTH, count);
    const logarithm = logarithmOf(distance);
    this.tree(LOGARITHM + 64 * Math.min(count - SHORTEST, 3), logarithm, 6);
    if (logarithm < 4) return;
    const bits = (logarithm >> 1) - 1;
    const first = (2 | (logarithm & 1)) << bits;
    if (logarithm < 14) {
      this.reverseTree(MIDDLE + first - logarithm, distance - first, bits);
      return;
    }
    this.out.direct((distance - first) >>> 4, bits - 4);
    this.reverseTree(LOWEST, distance & 15, 4);
  }

  byte(state) {
    this.out.bit(IS_COPY + state, 1);
    this.out.bit(IS_REPEAT + state, 1);
    this.out.bit(IS_OLDER + state, 0);
    this.out.bit(IS_LONG + state, 0);
  }

  repeat(state, index, count) {
    this.out.bit(IS_COPY + state, 1);
    this.out.bit(IS_REPEAT + state, 1);
    this.out.bit(IS_OLDER + state, index === 0 ? 0 : 1);
    if (index === 0) this.out.bit(IS_LONG + state, 1);
    else {
      this.out.bit(IS_THIRD + state, index === 1 ? 0 : 1);
      if (index > 1) this.out.bit(IS_FOURTH + state, index === 2 ? 0 : 1);
    }
    this.length(REPEATED_LENGTH, count);
  }
}

/** How many bytes from `a` and from `b` on are equal, `most` at most. */
function equalBytes(bytes, [a, b], most) {
  let n = 0;
  while (n < most && bytes[a + n] === bytes[b + n]) n++;
  return n;
}

/** For each place its copies, longer and longer, each with the smallest distance. */
function findCopies(bytes) {
  const { length } = bytes;
  const heads = new Map();
  const before = new Int32Array(length).fill(-1);
  const pairs = new Int32Array(1 << 16).fill(-1);
  return Array.from({ length }, (_, at) => {
    const found = [];
    if (at + SHORTEST > length) return found;
    const most = Math.min(LONGEST, length - at);
    const pair = bytes[at] | (bytes[at + 1] << 8);
    if (pairs[pair] >= 0) found.push([SHORTEST, at - pairs[pair] - 1]);
    pairs[pair] = at;
    if (most < 3) return found;
    const key = pair | (bytes[at + 2] << 16);
    let other = heads.get(key) ?? -1;
    before[at] = other;
    heads.set(key, at);
    let best = SHORTEST;
    for (let tries = CHAIN; other >= 0 && tries > 0 && best < most; tries--, other = before[other]) {
      if (bytes[other + best] !== bytes[at + best]) continue;
      const n = equalBytes(bytes, [other, at], most);
      if (n <= best) continue;
      found.push([n, at - other - 1]);
      best = n;
    }
    return found;
  });
}

/** What each step costs. */
class Prices {
  /** `prices`: of each context, of a 0 and a 1. */
  constructor(bytes, literals, prices) {
    this.sum = 0;
    this.steps = new Steps(bytes, literals, {
      bit: (context, value) => {
        this.sum += prices[2 * context + value];
      },
      direct: (_, count) => {
        this.sum += PRICE_OF_BIT * count;
      },
    });
    // Lengths cost the same wherever they are.
    const lengths = (base) =>
      Array.from({ length: LONGEST + 1 }, (_, n) =>
        n < SHORTEST ? 0 : this.of((steps) => steps.length(base, n)),
      );
    this.lengths = lengths(LENGTH);
    this.repeatedLengths = lengths(REPEATED_LENGTH);
  }

  of(say) {
    this.sum = 0;
    say(this.steps);
    return this.sum;
  }
}

/** The cheapest way through the bytes: steps as [kind, count, distance or index]. */
function parse(bytes, copies, price) {
  const { length } = bytes;
  const cost = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY);
  const state = new Uint8Array(length + 1);
  const distances = new Array(length + 1);
  const steps = new Array(length + 1);
  cost[0] = 0;
  distances[0] = [0, 0, 0, 0];
  const take = (at, total, step) => {
    const [kind, count, operand] = step;
    const to = at + count;
    cost[to] = total;
    state[to] = AFTER[kind](state[at]);
    distances[to] = distancesAfter(distances[at], kind, operand);
    steps[to] = step;
  };
  for (let at = 0; at < length; at++) {
    const [now, recent] = [state[at], distances[at]];
    const most = Math.min(LONGEST, length - at);
    const totalOf = (say) => cost[at] + price.of(say);
    const literal = totalOf((s) => s.literal(at, now, recent[0]));
    if (literal < cost[at + 1]) take(at, literal, [A_LITERAL, 1, 0]);
    for (let index = 0; index < 4; index++) {
      const distance = recent[index];
      if (distance >= at) continue;
      const n = equalBytes(bytes, [at - distance - 1, at], most);
      if (index === 0 && n > 0) {
        const byte = totalOf((s) => s.byte(now));
        if (byte < cost[at + 1]) take(at, byte, [A_BYTE, 1, 0]);
      }
      if (n < SHORTEST) continue;
      const first = totalOf((s) => s.repeat(now, index, SHORTEST)) - price.repeatedLengths[SHORTEST];
      for (let k = SHORTEST; k <= n; k++) {
        const total = first + price.repeatedLengths[k];
        if (total < cost[at + k]) take(at, total, [A_REPEAT, k, index]);
      }
    }
    let k = SHORTEST;
    for (const [n, distance] of copies[at]) {
      const firsts = [0, 1, 2, 3].map(
        (i) => totalOf((s) => s.copy(now, distance, SHORTEST + i)) - price.lengths[SHORTEST + i],
      );
      for (; k <= n; k++) {
        const total = firsts[Math.min(k - SHORTEST, 3)] + price.lengths[k];
        if (total < cost[at + k]) take(at, total, [A_COPY, k, distance]);
      }
    }
  }
  const found = [];
  for (let at = length; at > 0; at -= found.at(-1)[1]) found.push(steps[at]);
  return found.reverse();
}

/** Writes bits as digits of six bits: a range coder whose carry waits for the digits that it may change. */
class RangeCoder {
  digits = [];
  low = 0;
  range = TOP - 1;
  held = -1;
  pending = 0; // digits of 63 behind the held one, which a carry would turn

  /** `share` of `whole`: the part of the range that is a 0. */
  bit(value, share, whole) {
    const bound = Math.floor(this.range / whole) * share;
    if (value === 0) this.range = bound;
    else {
      this.low += bound;
      this.range -= bound;
    }
    this.normalize();
  }

  /** Bits that are 0 as often as 1. */
  direct(value, count) {
    for (let i = count - 1; i >= 0; i--) {
      this.range >>>= 1;
      if ((value >>> i) & 1) this.low += this.range;
      this.normalize();
    }
  }

  normalize() {
    while (this.range < BOTTOM) {
      this.range *= DIGITS;
      this.shift();
    }
  }

  shift() {
    const carry = this.low >= TOP ? 1 : 0;
    const digit = Math.floor(this.low / BOTTOM) % DIGITS;
    if (carry === 1 || digit !== DIGITS - 1) {
      if (this.held >= 0) this.digits.push((this.held + carry) % DIGITS);
      for (; this.pending > 0; this.pending--) this.digits.push((DIGITS - 1 + carry) % DIGITS);
      this.held = digit;
    } else this.pending++;
    this.low = (this.low % BOTTOM) * DIGITS;
  }

  end() {
    for (let i = 0; i < 6; i++) this.shift();
    return this.digits;
  }
}

/** The digits of such steps, and how often each context saw a 0 and a 1. */
function encode(bytes, literals, found) {
  const probabilities = new Uint16Array(CONTEXTS).fill(ONE / 2);
  const used = new Uint8Array(CONTEXTS);
  const counts = new Float64Array(2 * CONTEXTS);
  const coder = new RangeCoder();
  const steps = new Steps(bytes, literals, {
    bit: (context, value) => {
      const p = probabilities[context];
      counts[2 * context + value]++;
      coder.bit(value, p, ONE);
      const shift = 32 - Math.clz32(used[context] + 1);
      probabilities[context] = value === 0 ? p + ((ONE - p) >> shift) : p - (p >> shift);
      used[context] = Math.min(used[context] + 1, MOST_COUNTED);
    },
    direct: (value, count) => coder.direct(value, count),
  });
  let distances = [0, 0, 0, 0];
  let state = 0;
  let at = 0;
  for (const [kind, count, operand] of found) {
    if (kind === A_LITERAL) steps.literal(at, state, distances[0]);
    else if (kind === A_COPY) steps.copy(state, operand, count);
    else if (kind === A_BYTE) steps.byte(state);
    else steps.repeat(state, operand, count);
    state = AFTER[kind](state);
    distances = distancesAfter(distances, kind, operand);
    at += count;
  }
  return { digits: coder.end(), counts };
}

/** The first context of each byte: by its stream and the upper two bits of the byte before. */
function literalContexts(streams, bytes) {
  const contexts = new Uint32Array(bytes.length);
  let at = 0;
  for (const [stream, { length }] of streams.entries())
    for (const end = at + length; at < end; at++)
      contexts[at] = LITERAL + LITERAL_SIZE * (4 * stream + (at > 0 ? bytes[at - 1] >> 6 : 0));
  return contexts;
}

/** The digits, from 0 to 63, of all streams. */
export function pack(streams) {
  const bytes = Uint8Array.from(Buffer.concat(streams));
  const literals = literalContexts(streams, bytes);
  const copies = findCopies(bytes);
  let prices = new Float64Array(2 * CONTEXTS).fill(PRICE_OF_BIT);
  let best;
  for (let pass = 0; pass < PASSES; pass++) {
    const steps = parse(bytes, copies, new Prices(bytes, literals, prices));
    const { digits, counts } = encode(bytes, literals, steps);
    if (best === undefined || digits.length < best.length) best = digits;
    prices = counts.map((count, i) =>
      Math.round(-PRICE_OF_BIT * Math.log2((count + 0.4) / (count + counts[i ^ 1] + 0.8))),
    );
  }
  return best;
}
