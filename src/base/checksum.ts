// A 64-bit checksum over 32-bit words. Two lanes of multiply and rotate; each step of a lane maps states
// one to one, so a single changed word always changes the sum.

/** Words over which to sum, from `from` to before `end`; writes two words to `out[at]` and `out[at + 1]`. */
export function checksum(words: Int32Array, from: number, end: number, out: Int32Array, at: number): void {
  // Odd multipliers with bits all over: 2^32 divided by the golden ratio, and by √2 − 1 likewise.
  let a = 0x9e3779b1 ^ (end - from);
  let b = 0x6a09e667;
  for (let i = from; i < end; i++) {
    const word = words[i]!;
    a = Math.imul(a ^ word, 0x9e3779b1);
    a = (a << 13) | (a >>> 19);
    b = Math.imul((b << 7) | (b >>> 25), 0x6a09e667) ^ word;
  }
  out[at] = a ^ (a >>> 15);
  out[at + 1] = b ^ (b >>> 13);
}
