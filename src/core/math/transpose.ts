// Transposes four records of (x, y, z, w) to four-wide x, y, z, w and back, by named shuffles: zipLow and zipHigh
// interleave two records, lowHalves and highHalves join two such pairs.
//   x = lowHalves(zipLow(r0, r1), zipLow(r2, r3))      y = highHalves(the same)
//   z = lowHalves(zipHigh(r0, r1), zipHigh(r2, r3))    w = highHalves(the same)
// The inverse is the same with rows and columns exchanged.

/** @inline */
export function zipLow(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 4, 1, 5);
}
/** @inline */
export function zipHigh(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 6, 3, 7);
}
/** @inline */
export function lowHalves(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 1, 4, 5);
}
/** @inline */
export function highHalves(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 3, 6, 7);
}
