// Bytes as text for src/wasm/core-module.ts: printable ASCII, which every charset and minifier leaves alone. Pairs of bytes
// that often follow each other, such as the opcodes of SIMD, are one symbol, and pairs of symbols again (byte pair
// encoding: P. Gage, "A New Algorithm for Data Compression", 1994). The most frequent symbols are one character each, the
// others two. gzip makes 115 KB of a core of 316 KB in this way, 118 of its bytes.

/** Pairs that become symbols: of 40 to 160 this many give the smallest text after gzip, 0.6 KB less than 80. */
const MERGES = 110;
/** Symbols that fit into two characters, and numbers of the head into three hexadecimal digits. */
const MOST_SYMBOLS = 256 + MERGES;

/** Characters in the order of their codes, without those that strings and templates give a meaning. */
const CHARACTERS = Array.from({ length: 127 - 35 }, (_, i) => String.fromCharCode(35 + i)).filter(
  (character) => !"$'\\`".includes(character),
);

/** Replaces the most frequent pair of symbols by a new one, again and again; returns the pairs and what is left. */
function merged(bytes) {
  let symbols = Uint16Array.from(bytes);
  const pairs = [];
  for (let next = 256; next < MOST_SYMBOLS; next++) {
    const counts = new Uint32Array(MOST_SYMBOLS * MOST_SYMBOLS);
    for (let i = 1; i < symbols.length; i++) counts[symbols[i - 1] * MOST_SYMBOLS + symbols[i]]++;
    const most = counts.indexOf(counts.reduce((a, b) => Math.max(a, b), 0));
    const pair = [Math.floor(most / MOST_SYMBOLS), most % MOST_SYMBOLS];
    pairs.push(pair);
    let length = 0;
    for (let i = 0; i < symbols.length; i++) {
      const isPair = symbols[i] === pair[0] && symbols[i + 1] === pair[1];
      symbols[length++] = isPair ? next : symbols[i];
      if (isPair) i++;
    }
    symbols = symbols.slice(0, length);
  }
  return { pairs, symbols };
}

const digits = (number) => number.toString(16).padStart(3, '0');

/**
 * A head of three hexadecimal digits each: the number of bytes, in two parts; of pairs; the pairs; all symbols by
 * frequency. Then the symbols by their rank.
 */
export function textOf(bytes) {
  const { pairs, symbols } = merged(bytes);
  const counts = new Array(MOST_SYMBOLS).fill(0);
  for (const symbol of symbols) counts[symbol]++;
  const ranked = counts.map((_, symbol) => symbol).sort((a, b) => counts[b] - counts[a] || a - b);
  const single = CHARACTERS.length - Math.ceil((MOST_SYMBOLS - CHARACTERS.length) / (CHARACTERS.length - 1));
  const words = new Array(MOST_SYMBOLS);
  for (const [rank, symbol] of ranked.entries()) {
    const beyond = rank - single;
    words[symbol] =
      beyond < 0
        ? CHARACTERS[rank]
        : CHARACTERS[single + Math.floor(beyond / CHARACTERS.length)] +
          CHARACTERS[beyond % CHARACTERS.length];
  }
  const head = [bytes.length >> 12, bytes.length & 4095, pairs.length, ...pairs.flat(), ...ranked];
  return head.map(digits).join('') + Array.from(symbols, (symbol) => words[symbol]).join('');
}
