// Bytes as text for src/wasm/core-module.ts: printable ASCII, which every charset and minifier leaves alone. The 86 most
// frequent bytes are one character each, the others two, so that gzip still sees whole bytes: of a core of 283 KB it makes
// 111 KB (107 of the bytes themselves, 121 of hexadecimal digits, 142 of base64).

/** Characters in the order of their codes, without those that strings and templates give a meaning. */
const CHARACTERS = Array.from({ length: 127 - 35 }, (_, i) => String.fromCharCode(35 + i)).filter(
  (character) => !"$'\\`".includes(character),
);
/** The last two characters begin a pair. */
const SINGLE = CHARACTERS.length - 2;

/** The 256 byte values by frequency, two hexadecimal digits each; then the bytes. */
export function textOf(bytes) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte]++;
  const ranked = counts.map((_, byte) => byte).sort((a, b) => counts[b] - counts[a] || a - b);
  const words = new Array(256);
  for (const [rank, byte] of ranked.entries()) {
    const beyond = rank - SINGLE;
    words[byte] =
      beyond < 0
        ? CHARACTERS[rank]
        : CHARACTERS[SINGLE + Math.floor(beyond / CHARACTERS.length)] +
          CHARACTERS[beyond % CHARACTERS.length];
  }
  let text = Buffer.from(ranked).toString('hex');
  for (const byte of bytes) text += words[byte];
  return text;
}
