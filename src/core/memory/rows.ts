// How a snapshot writes a row of four words: the difference from what was expected of them, each in 0, 2, 3
// or 4 bytes, behind one byte that says how many (group varint; J. Dean, WSDM 2009; by byte shuffles:
// Lemire, Kurz, Rupp, "Stream VByte", 2018). What was guessed right takes two bits.
// In: rows and guesses. Out: bytes, and the same rows again. Exact for any guess.

/** Bytes of the shuffle tables: 256 × 16 to pack, the same to unpack, 256 lengths. */
export const ROW_TABLES: usize = 2 * 4096 + 256;
const UNPACK: usize = 4096;
const LENGTHS: usize = 8192;

/** Fills the tables at `t`. */
export function makeRowTables(t: usize): void {
  memory.fill(t, 0xff, ROW_TABLES); // a shuffle of 0xff gives 0
  for (let c: usize = 0; c < 256; c++) {
    let from: usize = 0;
    for (let word: usize = 0; word < 4; word++) {
      const code = (c >> (2 * word)) & 3;
      const bytes: usize = code == 0 ? 0 : code + 1;
      for (let i: usize = 0; i < bytes; i++, from++) {
        store<u8>(t + (c << 4) + from, <u8>(4 * word + i));
        store<u8>(t + UNPACK + (c << 4) + 4 * word + i, <u8>from);
      }
    }
    store<u8>(t + LENGTHS + c, <u8>from);
  }
}

/** Writes a row at `to`; returns the end. Up to 17 bytes are touched. */
export function putRow(t: usize, to: usize, row: v128, guess: v128): usize {
  const d = i32x4.sub(row, guess);
  // Zigzag: small differences of either sign have leading zeros.
  const v = v128.xor(i32x4.shl(d, 1), i32x4.shr_s(d, 31));
  const none = i32x4.splat(0);
  const codes = i32x4.add(
    i32x4.ne(v, none),
    i32x4.add(i32x4.ne(i32x4.shr_u(v, 16), none), i32x4.ne(i32x4.shr_u(v, 24), none)),
  );
  const parts = i32x4.mul(codes, i32x4(-1, -4, -16, -64));
  const sums = i32x4.add(parts, v128.shuffle<i32>(parts, parts, 2, 3, 0, 1));
  const control = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
  store<u8>(to, <u8>control);
  v128.store(to, i8x16.swizzle(v, v128.load(t + ((<usize>control) << 4))), 1);
  return to + 1 + <usize>load<u8>(t + LENGTHS + <usize>control);
}

/** End of the row at `from`. */
// @ts-ignore: decorator
@inline export function rowEnd(t: usize, from: usize): usize {
  return from + 1 + <usize>load<u8>(t + LENGTHS + <usize>load<u8>(from));
}

/** The row at `from`. */
export function getRow(t: usize, from: usize, guess: v128): v128 {
  const control = <usize>load<u8>(from);
  const v = i8x16.swizzle(v128.load(from, 1), v128.load(t + UNPACK + (control << 4)));
  const d = v128.xor(i32x4.shr_u(v, 1), i32x4.neg(v128.and(v, i32x4.splat(1))));
  return i32x4.add(d, guess);
}
