// Packs bytes for src/core/unpack.ts: Lempel and Ziv's copies, an adaptive binary range coder, and the contexts of
// LZMA (Pavlov, LZMA specification, public domain). In: bytes. Out: text of 64 characters; a fifth less than DEFLATE
// makes of a WebAssembly module. The parse is the cheapest by prices that the pass before measured.

const STATES = 12;
const PROBABILITY_BITS = 11;
const ONE = 1 << PROBABILITY_BITS;
const SHIFT = 5;
/** The range stays between these: small integers in the decoder, and one digit of six bits at a time. */
const TOP = 1 << 30;
const BOTTOM = 1 << 24;
const DIGITS = 64;

const SHORTEST = 2;
const LONGEST = 273;
const CHAIN = 250;
const PASSES = 4;

/** Where the contexts of each decision begin; as in src/core/unpack.ts. */
const IS_MATCH = 0;
const IS_REP = IS_MATCH + STATES;
const IS_REP_0 = IS_REP + STATES;
const IS_REP_0_LONG = IS_REP_0 + STATES;
const IS_REP_1 = IS_REP_0_LONG + STATES;
const IS_REP_2 = IS_REP_1 + STATES;
/** Of a length: two choices, then trees of 3, 3 and 8 bits. */
const LENGTH = IS_REP_2 + STATES;
const LENGTH_SIZE = 2 + 8 + 8 + 256;
const REP_LENGTH = LENGTH + LENGTH_SIZE;
const SLOT = REP_LENGTH + LENGTH_SIZE;
const SPECIAL = SLOT + 4 * 64;
const ALIGN = SPECIAL + 128;
const LITERAL = ALIGN + 16;
/** By the upper three bits of the byte before; a tree of 8 bits, and two more for a byte that follows a copy. */
const CONTEXTS = LITERAL + 8 * 0x300;

/** Where literals and copies begin, the byte before has a say as well: the mean of two, the second fast. */
const SECOND_SHIFT = 3;
const isTwofold = (context) => context < LENGTH || context >= LITERAL;
const second = (context, before) => (Math.imul(context, 0x9e3779b1) + Math.imul(before, 0x85ebca6b)) >>> 16;

const afterLiteral = (state) => (state < 4 ? 0 : state < 10 ? state - 3 : state - 6);
const afterMatch = (state) => (state < 7 ? 7 : 10);
const afterRep = (state) => (state < 7 ? 8 : 11);
const afterShortRep = (state) => (state < 7 ? 9 : 11);

function slotOf(distance) {
  if (distance < 4) return distance;
  const high = 31 - Math.clz32(distance);
  return (high << 1) | ((distance >>> (high - 1)) & 1);
}

/**
 * Says every decision of a step to `bit(context, value)` and `direct(value, count)`: one description for what is
 * coded and for what it costs.
 */
function makeCoder(bytes, bit, direct) {
  const tree = (base, value, bits) => {
    let node = 1;
    for (let i = bits - 1; i >= 0; i--) {
      const b = (value >> i) & 1;
      bit(base + node, b);
      node = (node << 1) | b;
    }
  };
  const reverseTree = (base, value, bits) => {
    let node = 1;
    for (let i = 0; i < bits; i++) {
      const b = (value >> i) & 1;
      bit(base + node, b);
      node = (node << 1) | b;
    }
  };
  const length = (base, value) => {
    const n = value - SHORTEST;
    bit(base, n < 8 ? 0 : 1);
    if (n < 8) return tree(base + 1, n, 3);
    bit(base + 1, n < 16 ? 0 : 1);
    if (n < 16) return tree(base + 9, n - 8, 3);
    tree(base + 17, n - 16, 8);
  };
  return {
    literal(at, state, rep0) {
      bit(IS_MATCH + state, 0);
      const base = LITERAL + 0x300 * ((at > 0 ? bytes[at - 1] : 0) >> 5);
      const value = bytes[at];
      let node = 1;
      let i = 7;
      if (state >= 7) {
        const matched = bytes[at - rep0 - 1];
        for (; i >= 0; i--) {
          const m = (matched >> i) & 1;
          const b = (value >> i) & 1;
          bit(base + ((1 + m) << 8) + node, b);
          node = (node << 1) | b;
          if (m !== b) {
            i--;
            break;
          }
        }
      }
      for (; i >= 0; i--) {
        const b = (value >> i) & 1;
        bit(base + node, b);
        node = (node << 1) | b;
      }
    },
    match(state, distance, count) {
      bit(IS_MATCH + state, 1);
      bit(IS_REP + state, 0);
      length(LENGTH, count);
      const slot = slotOf(distance);
      tree(SLOT + 64 * Math.min(count - SHORTEST, 3), slot, 6);
      if (slot < 4) return;
      const bits = (slot >> 1) - 1;
      const rest = distance - ((2 | (slot & 1)) << bits);
      if (slot < 14) reverseTree(SPECIAL + ((2 | (slot & 1)) << bits) - slot, rest, bits);
      else {
        direct(rest >>> 4, bits - 4);
        reverseTree(ALIGN, rest & 15, 4);
      }
    },
    shortRep(state) {
      bit(IS_MATCH + state, 1);
      bit(IS_REP + state, 1);
      bit(IS_REP_0 + state, 0);
      bit(IS_REP_0_LONG + state, 0);
    },
    rep(state, index, count) {
      bit(IS_MATCH + state, 1);
      bit(IS_REP + state, 1);
      bit(IS_REP_0 + state, index === 0 ? 0 : 1);
      if (index === 0) bit(IS_REP_0_LONG + state, 1);
      else {
        bit(IS_REP_1 + state, index === 1 ? 0 : 1);
        if (index > 1) bit(IS_REP_2 + state, index === 2 ? 0 : 1);
      }
      length(REP_LENGTH, count);
    },
  };
}

/** For each place its copies, longer and longer, each with the smallest distance. */
function findMatches(bytes) {
  const { length } = bytes;
  const heads = new Map();
  const before = new Int32Array(length).fill(-1);
  const pairs = new Int32Array(1 << 16).fill(-1);
  return Array.from({ length }, (_, at) => {
    const found = [];
    if (at + 2 > length) return found;
    const most = Math.min(LONGEST, length - at);
    const pair = bytes[at] | (bytes[at + 1] << 8);
    let best = 1;
    if (pairs[pair] >= 0) {
      found.push([2, at - pairs[pair] - 1]);
      best = 2;
    }
    pairs[pair] = at;
    if (most < 3) return found;
    const key = pair | (bytes[at + 2] << 16);
    let other = heads.get(key) ?? -1;
    before[at] = other;
    heads.set(key, at);
    for (let tries = CHAIN; other >= 0 && tries > 0 && best < most; tries--, other = before[other]) {
      if (bytes[other + best] !== bytes[at + best]) continue;
      let n = 0;
      while (n < most && bytes[other + n] === bytes[at + n]) n++;
      if (n > best) {
        found.push([n, at - other - 1]);
        best = n;
      }
    }
    return found;
  });
}

/** The cheapest way through the bytes: steps as [kind, count, distance or index]. */
function parse(bytes, matches, prices) {
  const { length } = bytes;
  let sum = 0;
  const price = makeCoder(
    bytes,
    (context, b) => {
      sum += prices[2 * context + b];
    },
    (_, count) => {
      sum += count;
    },
  );
  const costOf = (say) => {
    sum = 0;
    say();
    return sum;
  };
  // Lengths cost the same wherever they are.
  const table = (base) =>
    Float64Array.from({ length: LONGEST + 1 }, (_, n) =>
      n < SHORTEST ? 0 : costOf(() => (base === LENGTH ? price.match(0, 0, n) : price.rep(0, 0, n))),
    );
  const slotZero = [0, 1, 2, 3].map((i) => costOf(() => price.match(0, 0, SHORTEST + i)));
  const matchLengths = table(LENGTH);
  const repZero = costOf(() => price.rep(0, 0, SHORTEST));
  const repLengths = table(REP_LENGTH).map((cost) => cost - repZero);

  const cost = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY);
  const state = new Uint8Array(length + 1);
  const reps = new Int32Array(4 * (length + 1));
  const from = new Int32Array(length + 1);
  const kind = new Int8Array(length + 1);
  const operand = new Int32Array(length + 1);
  cost[0] = 0;
  const relax = (at, to, total, next, step, value) => {
    if (total >= cost[to]) return;
    cost[to] = total;
    from[to] = at;
    state[to] = next;
    kind[to] = step;
    operand[to] = value;
    const r = 4 * at;
    const t = 4 * to;
    if (step === 1) {
      reps[t] = value;
      for (let i = 0; i < 3; i++) reps[t + 1 + i] = reps[r + i];
    } else if (step === 3) {
      reps[t] = reps[r + value];
      for (let i = 1; i < 4; i++) reps[t + i] = reps[r + (i <= value ? i - 1 : i)];
    } else for (let i = 0; i < 4; i++) reps[t + i] = reps[r + i];
  };
  for (let at = 0; at < length; at++) {
    const s = state[at];
    const base = cost[at];
    const rep0 = reps[4 * at];
    relax(at, at + 1, base + costOf(() => price.literal(at, s, rep0)), afterLiteral(s), 0, 0);
    const most = Math.min(LONGEST, length - at);
    for (let index = 0; index < 4; index++) {
      const distance = reps[4 * at + index];
      if (distance >= at) continue;
      let n = 0;
      while (n < most && bytes[at + n] === bytes[at + n - distance - 1]) n++;
      if (index === 0 && n >= 1)
        relax(at, at + 1, base + costOf(() => price.shortRep(s)), afterShortRep(s), 2, 0);
      if (n < SHORTEST) continue;
      const first = base + costOf(() => price.rep(s, index, SHORTEST));
      for (let k = SHORTEST; k <= n; k++) relax(at, at + k, first + repLengths[k], afterRep(s), 3, index);
    }
    let k = SHORTEST;
    for (const [n, distance] of matches[at]) {
      const starts = [0, 1, 2, 3].map((i) => costOf(() => price.match(s, distance, SHORTEST + i)));
      for (; k <= n; k++) {
        const i = Math.min(k - SHORTEST, 3);
        const total = base + starts[i] + matchLengths[k] - slotZero[i];
        relax(at, at + k, total, afterMatch(s), 1, distance);
      }
    }
  }
  const steps = [];
  for (let at = length; at > 0; at = from[at]) steps.push([kind[at], at - from[at], operand[at]]);
  return steps.reverse();
}

/** Codes the steps; counts what each context saw. */
function encode(bytes, steps, counts) {
  const probabilities = new Uint16Array(CONTEXTS).fill(ONE / 2);
  const seconds = new Uint16Array(1 << 16).fill(ONE / 2);
  const out = [];
  let low = 0;
  let range = TOP - 1;
  let held = 0;
  let pending = 0; // highest digits behind the held one, which a carry would turn
  let begun = false;
  const shiftLow = () => {
    const carry = low >= TOP ? 1 : 0;
    const digit = Math.floor(low / BOTTOM) % DIGITS;
    if (carry === 1 || digit !== DIGITS - 1) {
      if (begun) out.push((held + carry) % DIGITS);
      for (; pending > 0; pending--) out.push((DIGITS - 1 + carry) % DIGITS);
      held = digit;
      begun = true;
    } else pending++;
    low = (low % BOTTOM) * DIGITS;
  };
  const normalize = () => {
    while (range < BOTTOM) {
      range *= DIGITS;
      shiftLow();
    }
  };
  const coder = makeCoder(
    bytes,
    (context, b) => {
      const p = probabilities[context];
      let mean = p;
      if (isTwofold(context)) {
        const other = second(context, at > 0 ? bytes[at - 1] : 0);
        const q = seconds[other];
        mean = (p + q) >>> 1;
        seconds[other] = b === 0 ? q + ((ONE - q) >> SECOND_SHIFT) : q - (q >> SECOND_SHIFT);
      }
      const bound = (range >>> PROBABILITY_BITS) * mean;
      counts[2 * context + b]++;
      if (b === 0) {
        range = bound;
        probabilities[context] = p + ((ONE - p) >> SHIFT);
      } else {
        low += bound;
        range -= bound;
        probabilities[context] = p - (p >> SHIFT);
      }
      normalize();
    },
    (value, count) => {
      for (let i = count - 1; i >= 0; i--) {
        range >>>= 1;
        if ((value >>> i) & 1) low += range;
        normalize();
      }
    },
  );
  const reps = [0, 0, 0, 0];
  let state = 0;
  let at = 0;
  for (const [kind, count, operand] of steps) {
    if (kind === 0) {
      coder.literal(at, state, reps[0]);
      state = afterLiteral(state);
    } else if (kind === 1) {
      coder.match(state, operand, count);
      reps.pop();
      reps.unshift(operand);
      state = afterMatch(state);
    } else if (kind === 2) {
      coder.shortRep(state);
      state = afterShortRep(state);
    } else {
      coder.rep(state, operand, count);
      reps.unshift(...reps.splice(operand, 1));
      state = afterRep(state);
    }
    at += count;
  }
  for (let i = 0; i < 6; i++) shiftLow();
  // From '0' on; the two that strings would have to escape come after 'o'.
  return out
    .map((digit) => String.fromCharCode(48 + (digit === 44 ? 64 : digit === 48 ? 65 : digit)))
    .join('');
}

/** @param quick  copies nothing: larger, at once */
export function pack(bytes, { quick = false } = {}) {
  if (quick) return encode(bytes, Array(bytes.length).fill([0, 1, 0]), new Float64Array(2 * CONTEXTS));
  const matches = findMatches(bytes);
  let prices = new Float64Array(2 * CONTEXTS).fill(1);
  let best;
  for (let pass = 0; pass < PASSES; pass++) {
    const counts = new Float64Array(2 * CONTEXTS);
    const packed = encode(bytes, parse(bytes, matches, prices), counts);
    if (best === undefined || packed.length < best.length) best = packed;
    prices = counts.map((count, i) => -Math.log2((count + 0.4) / (counts[i] + counts[i ^ 1] + 0.8)));
  }
  return best;
}
