// DEFLATE (RFC 1951), the decoder. In: what zlib's deflateRaw wrote, whole and undamaged (it comes from our own
// build). Out: the bytes. Synchronous, which DecompressionStream is not. Codes are looked up in tables of 2^15
// entries, and the loop over symbols keeps its state in local variables: with closures it took four times as long.

const MAX_BITS = 15;
const MASK = (1 << MAX_BITS) - 1;
/** Order in which the lengths of the code-length code are sent. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const END_OF_BLOCK = 256;
const LITERALS = 288;
const DISTANCES = 32;

/**
 * Table from the next 15 bits (first bit lowest) to symbol << 4 | length of its code. It begins with one bit and
 * doubles: what the shorter codes say is the same whatever bit comes next.
 */
function decodingTable(lengths: Uint8Array): Uint16Array {
  const table = new Uint16Array(MASK + 1);
  let code = 0;
  for (let length = 1; length <= MAX_BITS; length++) {
    table.copyWithin(1 << (length - 1), 0, 1 << (length - 1));
    code <<= 1;
    for (let symbol = lengths.indexOf(length); symbol >= 0; symbol = lengths.indexOf(length, symbol + 1)) {
      let reversed = 0;
      for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
      table[reversed] = (symbol << 4) | length;
      code++;
    }
  }
  return table;
}

/** Bits of a source, the lowest first. */
class BitReader {
  at = 0;
  held = 0;
  count = 0;

  constructor(readonly source: Uint8Array) {}

  bits(n: number): number {
    // Past the end: undefined, which is 0 here.
    for (; this.count < n; this.count += 8) this.held |= this.source[this.at++]! << this.count;
    const value = this.held & ((1 << n) - 1);
    this.held >>>= n;
    this.count -= n;
    return value;
  }

  symbol(table: Uint16Array): number {
    for (; this.count < MAX_BITS; this.count += 8) this.held |= this.source[this.at++]! << this.count;
    const entry = table[this.held & MASK]!;
    this.held >>>= entry & 15;
    this.count -= entry & 15;
    return entry >> 4;
  }
}

/** Lengths of the codes of a block: literals, then distances from place LITERALS on. */
function codeLengths(reader: BitReader, isFixed: boolean): Uint8Array {
  const lengths = new Uint8Array(LITERALS + DISTANCES);
  if (isFixed) return lengths.fill(8).fill(9, 144, 256).fill(7, 256, 280).fill(5, LITERALS);
  const literals = reader.bits(5) + 257;
  const all = literals + reader.bits(5) + 1;
  const coded = new Uint8Array(19);
  for (let i = 0, used = reader.bits(4) + 4; i < used; i++) coded[LENGTH_ORDER[i]!] = reader.bits(3);
  const table = decodingTable(coded);
  const sent = new Uint8Array(all);
  for (let i = 0; i < all; ) {
    const symbol = reader.symbol(table);
    if (symbol < 16) sent[i++] = symbol;
    else {
      const value = symbol === 16 ? sent[i - 1]! : 0;
      const times = symbol === 18 ? reader.bits(7) + 11 : reader.bits(symbol - 14) + 3;
      sent.fill(value, i, i + times);
      i += times;
    }
  }
  lengths.set(sent.subarray(0, literals));
  lengths.set(sent.subarray(literals), LITERALS);
  return lengths;
}

/** Up to the end of the block; returns the end of what came out. */
function inflateBlock(reader: BitReader, lengths: Uint8Array, out: Uint8Array, from: number): number {
  const literalTable = decodingTable(lengths.subarray(0, LITERALS));
  const distanceTable = decodingTable(lengths.subarray(LITERALS));
  const { source } = reader;
  let { at, held, count } = reader;
  let end = from;
  for (;;) {
    for (; count < MAX_BITS; count += 8) held |= source[at++]! << count;
    let entry = literalTable[held & MASK]!;
    held >>>= entry & 15;
    count -= entry & 15;
    let symbol = entry >> 4;
    if (symbol < END_OF_BLOCK) {
      out[end++] = symbol;
      continue;
    }
    if (symbol === END_OF_BLOCK) break;
    // Lengths and distances come in groups of 4 and 2 codes, each group with one more bit than the one before.
    symbol -= END_OF_BLOCK + 1;
    let length = symbol;
    if (symbol === 28) length = 255;
    else if (symbol >= 8) {
      const extra = (symbol >> 2) - 1;
      for (; count < extra; count += 8) held |= source[at++]! << count;
      length = ((4 | (symbol & 3)) << extra) + (held & ((1 << extra) - 1));
      held >>>= extra;
      count -= extra;
    }
    for (; count < MAX_BITS; count += 8) held |= source[at++]! << count;
    entry = distanceTable[held & MASK]!;
    held >>>= entry & 15;
    count -= entry & 15;
    symbol = entry >> 4;
    let distance = symbol;
    if (symbol >= 4) {
      const extra = (symbol >> 1) - 1;
      for (; count < extra; count += 8) held |= source[at++]! << count;
      distance = ((2 | (symbol & 1)) << extra) + (held & ((1 << extra) - 1));
      held >>>= extra;
      count -= extra;
    }
    for (length += 3; length > 0; length--, end++) out[end] = out[end - distance - 1]!;
  }
  reader.at = at;
  reader.held = held;
  reader.count = count;
  return end;
}

/** @param size  bytes that come out */
export function inflate(source: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  const reader = new BitReader(source);
  let end = 0;
  for (let isLast = false; !isLast; ) {
    isLast = reader.bits(1) === 1;
    const kind = reader.bits(2);
    if (kind === 0) {
      reader.bits(reader.count & 7);
      const length = reader.bits(16);
      reader.bits(16); // its complement
      for (const stop = end + length; end < stop; end++) out[end] = reader.bits(8);
    } else end = inflateBlock(reader, codeLengths(reader, kind === 1), out, end);
  }
  return out;
}
