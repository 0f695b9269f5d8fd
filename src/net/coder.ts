// Numbers in as few bits as they are surprising: a range coder with adaptive probabilities of single bits. In: bits and
// integers with their contexts. Out: bytes; and back, or a Malformed error.
//
// The coder is that of LZMA (Pavlov, LZMA SDK, after Martin, "Range encoding: an algorithm for removing redundancy from a
// digitised message", 1979). Integers are written as Exp-Golomb codes (Teuhola, "A compression method for clustered
// bit-vectors", 1978) whose exponents have probabilities. Both begin anew with each packet: any packet may be lost.
import { type ByteReader, type ByteWriter, Malformed } from './bytes';

/** Bits of a probability. */
const BITS = 12;
const ONE = 1 << BITS;
/** The least probability, so that nothing is impossible. */
const LEAST = 48;
/** The rate of learning slows down from 1/2 to 1/32. */
const SLOWEST = 30;
const TOP = 0x1000000;

/** Exponents of integers: below 2³¹. */
const MOST_EXPONENT = 30;
/** Probabilities of a class of integers: zero or not, the exponent in unary, the bit below the highest. */
const PER_CLASS = 1 + (MOST_EXPONENT + 1) + (MOST_EXPONENT + 1);

/** What both sides have learnt within a packet. */
class Model {
  private readonly chances: Uint16Array;
  private readonly seen: Uint8Array;

  constructor(contexts: number) {
    this.chances = new Uint16Array(contexts).fill(ONE / 2);
    this.seen = new Uint8Array(contexts);
  }

  /** Of a 0, out of `ONE`. */
  chance(context: number): number {
    return this.chances[context]!;
  }

  learn(context: number, bit: number): void {
    const seen = this.seen[context]!;
    const chance = this.chances[context]!;
    const next = chance + Math.trunc(((bit === 0 ? ONE : 0) - chance) / (seen + 2));
    this.chances[context] = Math.max(LEAST, Math.min(ONE - LEAST, next));
    if (seen < SLOWEST) this.seen[context] = seen + 1;
  }
}

/** Contexts of `classes` classes of integers and `flags` single bits. */
const contextsOf = (classes: number, flags: number) => classes * PER_CLASS + flags;

/** Writes behind what is in a packet already. */
export class RangeEncoder {
  private readonly model: Model;
  private low = 0;
  private range = 0xffffffff;
  private cache = 0;
  private pending = 0;
  private isFirst = true;

  constructor(
    private readonly out: ByteWriter,
    private readonly classes: number,
    flags: number,
  ) {
    this.model = new Model(contextsOf(classes, flags));
  }

  private shift(): void {
    if (this.low < 0xff000000 || this.low > 0xffffffff) {
      const carry = this.low > 0xffffffff ? 1 : 0;
      // The first byte would always be 0.
      if (!this.isFirst) this.out.byte((this.cache + carry) & 255);
      this.isFirst = false;
      for (; this.pending > 0; this.pending--) this.out.byte((0xff + carry) & 255);
      this.cache = Math.floor(this.low / TOP) & 255;
    } else this.pending++;
    this.low = (this.low % TOP) * 256;
  }

  private bit(context: number, bit: number): void {
    const bound = Math.floor(this.range / ONE) * this.model.chance(context);
    if (bit === 0) this.range = bound;
    else {
      this.low += bound;
      this.range -= bound;
    }
    this.model.learn(context, bit);
    this.normalise();
  }

  /** Bits of which nothing is known, the highest first. */
  private raw(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) {
      this.range = Math.floor(this.range / 2);
      if ((value >>> i) & 1) this.low += this.range;
      this.normalise();
    }
  }

  private normalise(): void {
    while (this.range < TOP) {
      this.range *= 256;
      this.shift();
    }
  }

  /** `flag`: its number. */
  flag(flag: number, bit: boolean): void {
    this.bit(this.classes * PER_CLASS + flag, bit ? 1 : 0);
  }

  /** 0 … 2^count − 1, all alike likely. */
  even(value: number, count: number): void {
    this.raw(value, count);
  }

  /** −2³⁰ … 2³⁰, of a class. */
  integer(kind: number, value: number): void {
    const from = kind * PER_CLASS;
    this.bit(from, value === 0 ? 0 : 1);
    if (value === 0) return;
    this.raw(value < 0 ? 1 : 0, 1);
    const size = Math.abs(value);
    const exponent = 31 - Math.clz32(size);
    for (let i = 0; i < exponent; i++) this.bit(from + 1 + i, 1);
    this.bit(from + 1 + exponent, 0);
    if (exponent === 0) return;
    this.bit(from + 2 + MOST_EXPONENT + exponent, (size >>> (exponent - 1)) & 1);
    this.raw(size & ((1 << (exponent - 1)) - 1), exponent - 1);
  }

  /** Writes what is left. */
  finish(): void {
    for (let i = 0; i < 5; i++) this.shift();
  }
}

/** Reads what RangeEncoder wrote. */
export class RangeDecoder {
  private readonly model: Model;
  private range = 0xffffffff;
  private code = 0;

  constructor(
    private readonly reader: ByteReader,
    private readonly classes: number,
    flags: number,
  ) {
    this.model = new Model(contextsOf(classes, flags));
    for (let i = 0; i < 4; i++) this.code = this.code * 256 + reader.byte();
  }

  private bit(context: number): number {
    const bound = Math.floor(this.range / ONE) * this.model.chance(context);
    const bit = this.code < bound ? 0 : 1;
    if (bit === 0) this.range = bound;
    else {
      this.code -= bound;
      this.range -= bound;
    }
    this.model.learn(context, bit);
    this.normalise();
    return bit;
  }

  private raw(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      this.range = Math.floor(this.range / 2);
      const bit = this.code < this.range ? 0 : 1;
      if (bit === 1) this.code -= this.range;
      value = (value << 1) | bit;
      this.normalise();
    }
    return value;
  }

  private normalise(): void {
    while (this.range < TOP) {
      this.range *= 256;
      this.code = this.code * 256 + this.reader.byte();
    }
  }

  flag(flag: number): boolean {
    return this.bit(this.classes * PER_CLASS + flag) === 1;
  }

  even(count: number): number {
    return this.raw(count);
  }

  integer(kind: number): number {
    const from = kind * PER_CLASS;
    if (this.bit(from) === 0) return 0;
    const negative = this.raw(1) === 1;
    let exponent = 0;
    while (this.bit(from + 1 + exponent) === 1)
      if (++exponent > MOST_EXPONENT) throw new Malformed('out of range');
    let size = 1;
    if (exponent > 0) {
      const high = this.bit(from + 2 + MOST_EXPONENT + exponent);
      size = 2 | high;
      for (let i = 1; i < exponent; i++) size *= 2; // exact beyond 32 bits, where a shift is not
      size += this.raw(exponent - 1);
    }
    return negative ? -size : size;
  }
}

/** Single bits of words: whether the word is 0, after one that was or was not; whether each byte is. */
const ZERO_WORD = 0;
const ZERO_BYTE = 2;
const WORD_FLAGS = 6;
/** Words of a block, at most. */
const MOST_WORDS = 1 << 20;

/** Writes words of which many are 0, and many floats with few digits: commands. */
export function writeWords(out: ByteWriter, words: Int32Array): void {
  out.varint(words.length);
  const coder = new RangeEncoder(out, 0, WORD_FLAGS);
  let before = 0;
  for (const word of words) {
    coder.flag(ZERO_WORD + before, word === 0);
    before = word === 0 ? 1 : 0;
    if (word === 0) continue;
    for (let i = 0; i < 4; i++) {
      const byte = (word >>> (8 * i)) & 255;
      coder.flag(ZERO_BYTE + i, byte === 0);
      if (byte !== 0) coder.even(byte, 8);
    }
  }
  coder.finish();
}

/** Reads what `writeWords` wrote. */
export function readWords(reader: ByteReader): Int32Array<ArrayBuffer> {
  const count = reader.varint(MOST_WORDS);
  const coder = new RangeDecoder(reader, 0, WORD_FLAGS);
  const words: number[] = [];
  let before = 0;
  while (words.length < count) {
    const isZero = coder.flag(ZERO_WORD + before);
    before = isZero ? 1 : 0;
    let word = 0;
    if (!isZero) for (let i = 0; i < 4; i++) if (!coder.flag(ZERO_BYTE + i)) word |= coder.even(8) << (8 * i);
    words.push(word);
  }
  return Int32Array.from(words);
}
