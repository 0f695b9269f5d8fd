// How a snapshot writes a row of four words: the difference from a predicted value, each in 0 to 4 bytes, after one
// byte with the lengths (group varint; J. Dean, WSDM 2009; by byte shuffles: Lemire, Kurz, Rupp, "Stream VByte", 2018).
// A correct prediction takes two bits. A codec has four of the five lengths: 0, 2, 3, 4 for floats that are close to
// their prediction, 0, 1, 2, 4 for small numbers and for predictions with rounding errors. In: rows and predictions.
// Out: bytes, and the same rows again. Exact for any prediction.

const UNPACK: usize = 4096;
const LENGTHS: usize = 8192;
/** Bytes of the tables of a codec: 256 × 16 to pack, as many to unpack, 256 lengths. */
export const CODEC_BYTES: usize = LENGTHS + 256;

/** Fills the tables at `t` for lengths of 0, `short`, `middle` and 4 bytes. */
export function makeCodec(t: usize, short: i32, middle: i32): void {
  memory.fill(t, 0xff, CODEC_BYTES); // a shuffle of 0xff gives 0
  for (let c: usize = 0; c < 256; c++) {
    let from: usize = 0;
    for (let word: usize = 0; word < 4; word++) {
      // The lower bits of the four codes, then the upper ones.
      const bits = <i32>(c >> word);
      const bytes = bits & 1 ? (bits & 16 ? 4 : short) : bits & 16 ? middle : 0;
      for (let i: usize = 0; i < <usize>bytes; i++, from++) {
        store<u8>(t + (c << 4) + from, <u8>(4 * word + i));
        store<u8>(t + UNPACK + (c << 4) + 4 * word + i, <u8>from);
      }
    }
    store<u8>(t + LENGTHS + c, <u8>from);
  }
}

/** Writes a row to `to` with the lengths 0, 2, 3, 4; returns the end. Up to 17 bytes are overwritten. */
export function putWide(t: usize, to: usize, row: v128, guess: v128): usize {
  const v = zigzag(row, guess);
  return pack(t, to, new Lengths(v, i32x4.shr_u(v, 16), i32x4.shr_u(v, 24)));
}

/** The same with the lengths 0, 1, 2, 4. */
export function putFine(t: usize, to: usize, row: v128, guess: v128): usize {
  const v = zigzag(row, guess);
  return pack(t, to, new Lengths(v, i32x4.shr_u(v, 8), i32x4.shr_u(v, 16)));
}

/** Zigzag encoding: small differences of either sign get leading zeros. @inline */
function zigzag(row: v128, guess: v128): v128 {
  const d = i32x4.sub(row, guess);
  return v128.xor(i32x4.shl(d, 1), i32x4.shr_s(d, 31));
}

/** Values, and their parts that do not fit into the first and the second length. @value */
class Lengths {
  values: v128;
  beyond: v128;
  far: v128;
}

/** @inline */
function pack(t: usize, to: usize, v: Lengths): usize {
  const none = i32x4.splat(0);
  const e0 = i32x4.bitmask(i32x4.eq(v.values, none));
  const e1 = i32x4.bitmask(i32x4.eq(v.beyond, none));
  const e2 = i32x4.bitmask(i32x4.eq(v.far, none));
  const control = e0 ^ e1 ^ e2 ^ (e1 << 4) ^ 255;
  store<u8>(to, <u8>control);
  v128.store(to, i8x16.swizzle(v.values, v128.load(t + ((<usize>control) << 4))), 1);
  return to + 1 + <usize>load<u8>(t + LENGTHS + <usize>control);
}

/** End of the row at `from`. @inline */
export function rowEnd(t: usize, from: usize): usize {
  return from + 1 + <usize>load<u8>(t + LENGTHS + <usize>load<u8>(from));
}

/** Decodes the row at `from`. */
export function getRow(t: usize, from: usize, guess: v128): v128 {
  const control = <usize>load<u8>(from);
  const v = i8x16.swizzle(v128.load(from, 1), v128.load(t + UNPACK + (control << 4)));
  const d = v128.xor(i32x4.shr_u(v, 1), i32x4.neg(v128.and(v, i32x4.splat(1))));
  return i32x4.add(d, guess);
}
