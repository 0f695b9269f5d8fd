// The code section of a WebAssembly module: bodies of its functions, and the operands of their instructions.
// Encodings: WebAssembly Core Specification 2.0, chapter 5.

export const CODE = 10;

/** Streams into which scripts/streams.mjs takes code apart; the same numbers as in src/core/unpack.ts. */
export const STREAM = {
  code: 0,
  local: 1,
  offset: 2,
  function: 3,
  float: 4,
  vector: 5,
  declaration: 6,
  other: 7,
};

/** Reads numbers of variable length (LEB128), from `at` on. What belongs to a stream is said for those who extend it. */
export class Reader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Signed ones are skipped rightly, too. */
  number(_stream = STREAM.code) {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  skipNumbers(count, stream = STREAM.code) {
    for (let i = 0; i < count; i++) this.number(stream);
  }

  skipBytes(count, _stream = STREAM.code) {
    this.at += count;
  }
}

/** Where the sections are: kind, first byte of what they hold, and the end. */
export function sectionsOf(wasm) {
  const reader = new Reader(wasm, 8);
  const sections = [];
  while (reader.at < wasm.length) {
    const kind = wasm[reader.at++];
    const size = reader.number();
    sections.push({ kind, begin: reader.at, end: reader.at + size });
    reader.at += size;
  }
  return sections;
}

/** The code of each function of a module, in its order. */
export function bodiesOf(wasm) {
  const section = sectionsOf(wasm).find(({ kind }) => kind === CODE);
  const reader = new Reader(wasm, section.begin);
  return Array.from({ length: reader.number() }, () => {
    const size = reader.number();
    reader.at += size;
    return wasm.subarray(reader.at - size, reader.at);
  });
}

/** Passes what follows the opcode of an instruction that names no local variable. */
export function skipOperands(reader, opcode) {
  if (opcode >= 0x02 && opcode <= 0x04)
    reader.skipNumbers(1); // block, loop, if
  else if (opcode === 0x0c || opcode === 0x0d)
    reader.skipNumbers(1); // br, br_if
  else if (opcode === 0x0e)
    reader.skipNumbers(reader.number() + 1); // br_table
  else if (opcode === 0x10)
    reader.skipNumbers(1, STREAM.function); // call
  else if (opcode === 0x11)
    reader.skipNumbers(2, STREAM.function); // call_indirect
  else if (opcode === 0x1c)
    reader.skipBytes(reader.number()); // select with types
  else if (opcode >= 0x23 && opcode <= 0x26)
    reader.skipNumbers(1); // globals and tables
  else if (opcode >= 0x28 && opcode <= 0x3e)
    skipAccess(reader); // loads and stores
  else if (opcode >= 0x3f && opcode <= 0x42)
    reader.skipNumbers(1); // memory.size, memory.grow, i32.const, i64.const
  else if (opcode === 0x43)
    reader.skipBytes(4, STREAM.float); // f32.const
  else if (opcode === 0x44)
    reader.skipBytes(8, STREAM.float); // f64.const
  else if (opcode === 0xfc) skipBulkOperands(reader);
  else if (opcode === 0xfd) skipVectorOperands(reader);
  else if (opcode === 0xfe) skipAtomicOperands(reader);
}

/** Alignment and offset. */
function skipAccess(reader) {
  reader.skipNumbers(1);
  reader.skipNumbers(1, STREAM.offset);
}

function skipBulkOperands(reader) {
  const operation = reader.number();
  if (operation >= 8) reader.skipNumbers(operation === 9 || operation === 11 || operation === 13 ? 1 : 2);
}

function skipVectorOperands(reader) {
  const operation = reader.number();
  const isLane = operation >= 84 && operation <= 91;
  if (operation <= 11 || isLane || operation === 92 || operation === 93) skipAccess(reader); // loads and stores
  if (isLane || (operation >= 21 && operation <= 34))
    reader.skipBytes(1); // the lane
  else if (operation === 12 || operation === 13) reader.skipBytes(16, STREAM.vector); // v128.const, i8x16.shuffle
}

function skipAtomicOperands(reader) {
  if (reader.number() === 3)
    reader.skipBytes(1); // atomic.fence
  else skipAccess(reader);
}
