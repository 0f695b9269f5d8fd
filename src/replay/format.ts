// The layout of a recording, byte for byte as in docs/recording.md. A file is a preamble of 16 bytes and a body of
// chunks, compressed as a whole (deflate) if the flag says so. Words are 32 bits, little-endian. No imports: the
// worker's recorder needs only this, and nothing of the public API.

/** 'RICO' */
export const MAGIC = 0x4f434952;
/** Files of another major version are refused; of a higher minor version read as far as chunks are known. */
export const MAJOR = 1;
export const MINOR = 0;
export const PREAMBLE_BYTES = 16;
/** Flag in the preamble: the body is deflated (RFC 1951). */
export const DEFLATED = 1;
/** Extension of files. */
export const EXTENSION = '.ricochet';

/** A chunk: kind | number << 8, words of content, content, CRC-32 of all that. */
export const CHUNK_HEADER = 2;
export const CHUNK_END = 1;

/** Kinds of chunks. */
export const CHUNK = {
  /** Engine, settings, notes of the user: JSON in UTF-8, zeros to the next word. First of all chunks. */
  head: 1,
  /** Cooked geometry: shape type, then the content. Numbered from 0 in the order of the file. */
  geometry: 2,
  /** The state at a frame: see Recorder.state. The first is where the recording begins. */
  state: 3,
  /** Commands and marks of some frames. */
  stream: 4,
  /** Frames, chunks before this one, words of all streams; last of all chunks. */
  last: 5,
} as const;
export const CHUNK_KINDS = 5;

/** Words of a state before its sections: frame, 1 for a jump, core, replica, geometry entries, times (4). */
export const STATE_HEADER = 9;
/** Of an entry: slot, number of the geometry chunk. */
export const STATE_ENTRY = 2;

/** Marks in a stream, beside commands, whose codes are below 128: code | words << 8, then the rest. */
export const MARK = {
  /** State hash (low, high word) and digest (six words) after a step. */
  hash: 200,
  /** A query: JSON in UTF-8 of [method, arguments, result]. */
  query: 201,
  /** Answers of the pair filter in the next step: their number, then bits. */
  filter: 202,
  /** ADD_GEOMETRY with its content by number: number, then the command's own fields. */
  geometry: 203,
} as const;
export const HASH_WORDS = 9;

const TABLE = (() => {
  const table = new Int32Array(256);
  for (let i = 0; i < 256; i++) {
    let c = i;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    table[i] = c;
  }
  return table;
})();

/** CRC-32 of words (ISO 3309, as in gzip), continued from `crc`. */
export function crc32(words: Int32Array, from = 0, end = words.length, crc = 0): number {
  let c = ~crc;
  for (let i = from; i < end; i++) {
    const word = words[i] as number;
    for (let shift = 0; shift < 32; shift += 8)
      c = (TABLE[(c ^ (word >>> shift)) & 255] as number) ^ (c >>> 8);
  }
  return ~c;
}

/** Pieces one after another. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** What `world.engine` says of itself. */
export interface EngineName {
  version: string;
  /** Hash of the compiled core. */
  core: string;
  layout: number;
}

/** Content of the head chunk. */
export interface RecordingHead {
  /** Name and version of the engine that recorded. */
  engine: EngineName;
  /** Settings of the world at the start. */
  settings: Record<string, unknown>;
  /** m/s², at the start. */
  gravity: readonly number[];
  /** Steps between two hashes. */
  hashEvery: number;
  /** Steps between two states; 0: the first only. */
  keyframeEvery: number;
  /** What the user wanted to keep with it. */
  notes: Record<string, unknown>;
}

/** Text as words, padded with zeros. */
export function textWords(text: string): Int32Array {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array((bytes.length + 3) & ~3);
  padded.set(bytes);
  return new Int32Array(padded.buffer);
}

/** JSON in words that textWords wrote; undefined when it is none. */
export function wordsJson(words: Int32Array): unknown {
  try {
    const bytes = new Uint8Array(words.buffer, words.byteOffset, 4 * words.length);
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === 0) end--;
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end)));
  } catch {
    return undefined;
  }
}
