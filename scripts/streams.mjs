// Takes a WebAssembly module apart: opcodes, local variables, offsets and so on, each in a stream of its own, where they
// resemble each other more than in turns: a tenth less of a packed core. src/core/unpack.ts puts them together again.
import { CODE, Reader, STREAM, sectionsOf, skipOperands } from './wasm-code.mjs';

const END = 0x0b;
const MAGIC = [0x00, 0x61, 0x73, 0x6d];

/** Moves what it reads to streams. */
class Splitter extends Reader {
  streams = Object.values(STREAM).map(() => []);

  number(stream = STREAM.code) {
    const from = this.at;
    const value = super.number();
    this.streams[stream].push(...this.bytes.subarray(from, this.at));
    return value;
  }

  skipBytes(count, stream = STREAM.code) {
    this.streams[stream].push(...this.bytes.subarray(this.at, this.at + count));
    this.at += count;
  }

  /** Without its size, which is found again. */
  functionCode() {
    const from = this.at;
    const size = Reader.prototype.number.call(this);
    if (this.at - from !== Math.max(1, Math.ceil((32 - Math.clz32(size)) / 7)))
      throw new Error('streams: the size of a function is written in more bytes than it needs');
    const end = this.at + size;
    for (let runs = this.number(STREAM.declaration); runs > 0; runs--) {
      this.number(STREAM.declaration);
      this.skipBytes(1, STREAM.declaration);
    }
    while (this.at < end) {
      const opcode = this.bytes[this.at];
      this.skipBytes(1);
      if (opcode >= 0x20 && opcode <= 0x22) this.number(STREAM.local);
      else skipOperands(this, opcode);
    }
    if (this.at !== end || this.bytes[end - 1] !== END)
      throw new Error('streams: a function has an instruction that is not known');
  }
}

/** `prefix`: how many bytes come before the first function; how many functions; the streams. Other bytes than a module's are one stream. */
export function streamsOf(bytes) {
  const splitter = new Splitter(bytes, 0);
  const isModule = MAGIC.every((byte, i) => bytes[i] === byte);
  const section = isModule ? sectionsOf(bytes).find(({ kind }) => kind === CODE) : undefined;
  let functions = 0;
  if (section !== undefined) {
    splitter.skipBytes(section.begin, STREAM.other);
    functions = splitter.number(STREAM.other);
  }
  const prefix = splitter.at;
  for (let i = 0; i < functions; i++) splitter.functionCode();
  splitter.skipBytes(bytes.length - splitter.at, STREAM.other);
  return { prefix, functions, streams: splitter.streams.map((list) => Uint8Array.from(list)) };
}
