// Bytes as text for src/wasm/core-module.ts: printable ASCII, which every charset and minifier leaves alone. Shuffles and constants
// of 16 bytes are one symbol, a tenth of the bytes of a core. Pairs of bytes that often follow each other, such as the opcodes of SIMD,
// are one symbol, and pairs of symbols again (byte pair encoding: P. Gage, "A New Algorithm for Data Compression", 1994).
// The most frequent symbols are one character each, the others two.

/** Instructions of 16 bytes that become symbols, and pairs: 1.2 KB less after gzip than no instructions and 110 pairs. */
const PHRASES = 32;
const MERGES = 80;
/** Symbols that fit into two characters, and numbers of the head into three hexadecimal digits. */
const MOST_SYMBOLS = 256 + PHRASES + MERGES;
/** Bytes of v128.const and i8x16.shuffle: 0xfd, 0x0c or 0x0d, 16 bytes. */
const PHRASE = 18;

/** Characters in the order of their codes, without those that strings and templates give a meaning. */
const CHARACTERS = Array.from({ length: 127 - 35 }, (_, i) => String.fromCharCode(35 + i)).filter(
  (character) => !"$'\\`".includes(character),
);

/** What may be v128.const or i8x16.shuffle at a place, as a key of 18 letters, or undefined. */
function phraseAt(bytes, at) {
  if (bytes[at] !== 0xfd || (bytes[at + 1] !== 0x0c && bytes[at + 1] !== 0x0d)) return undefined;
  return at + PHRASE > bytes.length ? undefined : String.fromCharCode(...bytes.subarray(at, at + PHRASE));
}

/** Replaces the most frequent instructions of 16 bytes by symbols; returns them and what is left. */
function phrased(bytes) {
  const counts = new Map();
  for (let i = 0; i < bytes.length; i++) {
    const key = phraseAt(bytes, i);
    if (key === undefined) continue;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    i += PHRASE - 1;
  }
  const phrases = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)).slice(0, PHRASES);
  return { phrases, symbols: withPhrases(bytes, phrases) };
}

/** Puts symbols where instructions of 16 bytes are. */
function withPhrases(bytes, phrases) {
  const symbols = [];
  for (let i = 0; i < bytes.length; i++) {
    const phrase = phrases.indexOf(phraseAt(bytes, i));
    symbols.push(phrase < 0 ? bytes[i] : 256 + phrase);
    if (phrase >= 0) i += PHRASE - 1;
  }
  return symbols;
}

/** Puts symbol `next` where a pair is. */
function joined(symbols, pair, next) {
  let length = 0;
  for (let i = 0; i < symbols.length; i++) {
    const isPair = symbols[i] === pair[0] && symbols[i + 1] === pair[1];
    symbols[length++] = isPair ? next : symbols[i];
    if (isPair) i++;
  }
  return symbols.slice(0, length);
}

/** Replaces the most frequent pair of symbols by a new one, again and again; returns the pairs and what is left. */
function merged(before, first) {
  let symbols = Uint16Array.from(before);
  const pairs = [];
  for (let next = first; next < first + MERGES; next++) {
    const counts = new Uint32Array(MOST_SYMBOLS * MOST_SYMBOLS);
    for (let i = 1; i < symbols.length; i++) counts[symbols[i - 1] * MOST_SYMBOLS + symbols[i]]++;
    const most = counts.indexOf(counts.reduce((a, b) => Math.max(a, b), 0));
    const pair = [Math.floor(most / MOST_SYMBOLS), most % MOST_SYMBOLS];
    pairs.push(pair);
    symbols = joined(symbols, pair, next);
  }
  return { pairs, symbols };
}

const digits = (number) => number.toString(16).padStart(3, '0');

/** The symbols of a module, and the characters of each. */
function alphabetOf(bytes) {
  const { phrases, symbols: before } = phrased(bytes);
  const { pairs, symbols } = merged(before, 256 + phrases.length);
  const counts = new Array(256 + phrases.length + MERGES).fill(0);
  for (const symbol of symbols) counts[symbol]++;
  const single = CHARACTERS.length - Math.ceil((counts.length - CHARACTERS.length) / (CHARACTERS.length - 1));
  const numbers = [...counts.keys()];
  const frequent = numbers.toSorted((a, b) => counts[b] - counts[a] || a - b).slice(0, single);
  const words = new Array(counts.length);
  for (const [rank, symbol] of frequent.entries()) words[symbol] = CHARACTERS[rank];
  for (const [rank, symbol] of numbers.filter((number) => words[number] === undefined).entries())
    words[symbol] =
      CHARACTERS[single + Math.floor(rank / CHARACTERS.length)] + CHARACTERS[rank % CHARACTERS.length];
  return { phrases, pairs, frequent, words, symbols };
}

/** A function that writes a part of the module, such as the code of a function, as the whole module's text has it. */
export function writerOf(bytes) {
  const { phrases, pairs, words } = alphabetOf(bytes);
  return (part) => {
    let symbols = withPhrases(part, phrases);
    for (const [i, pair] of pairs.entries()) symbols = joined(symbols, pair, 256 + phrases.length + i);
    return symbols.map((symbol) => words[symbol]).join('');
  };
}

/**
 * A head of three hexadecimal digits each: the number of bytes, in two parts; of phrases; their bytes; of pairs; the pairs; the
 * symbols of one character by frequency. Then all symbols, those of two characters in the order of their numbers.
 */
export function textOf(bytes) {
  const { phrases, pairs, frequent, words, symbols } = alphabetOf(bytes);
  const texts = phrases.flatMap((key) => Array.from(key, (letter) => letter.charCodeAt(0)));
  const sizes = [bytes.length >> 12, bytes.length & 4095];
  const head = [...sizes, phrases.length, ...texts, pairs.length, ...pairs.flat(), ...frequent];
  return head.map(digits).join('') + Array.from(symbols, (symbol) => words[symbol]).join('');
}
