// The code section of a WebAssembly module: bodies of its functions, and the local variables that their instructions name.
// Encodings: WebAssembly Core Specification 2.0, chapter 5.

const TYPES = 1;
const FUNCTIONS = 3;
const CODE = 10;

/** Reads numbers of variable length (LEB128), from `at` on. */
class Reader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Signed ones are skipped rightly, too. */
  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  skipNumbers(count) {
    for (let i = 0; i < count; i++) this.number();
  }

  skipBytes(count) {
    this.at += count;
  }
}

function numberBytes(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

/** Where the sections are: kind, first byte of what they hold, and the end. */
function sectionsOf(wasm) {
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

/** The same module with other code. */
export function withBodies(wasm, bodies) {
  const code = [Buffer.from(numberBytes(bodies.length))];
  for (const body of bodies) code.push(Buffer.from(numberBytes(body.length)), body);
  const section = Buffer.concat(code);
  const parts = [wasm.subarray(0, 8)];
  for (const { kind, begin, end } of sectionsOf(wasm)) {
    const content = kind === CODE ? section : wasm.subarray(begin, end);
    parts.push(Buffer.from([kind, ...numberBytes(content.length)]), content);
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** How many parameters each function has. */
function parameterCounts(wasm) {
  const at = (wanted) => sectionsOf(wasm).find(({ kind }) => kind === wanted).begin;
  const types = new Reader(wasm, at(TYPES));
  const counts = Array.from({ length: types.number() }, () => {
    types.at++; // 0x60, a function
    const count = types.number();
    types.skipBytes(count); // one byte each: no reference to a type
    types.skipBytes(types.number());
    return count;
  });
  const functions = new Reader(wasm, at(FUNCTIONS));
  return Array.from({ length: functions.number() }, () => counts[functions.number()]);
}

/** Passes what follows the opcode of an instruction that names no local variable. */
function skipOperands(reader, opcode) {
  if (opcode >= 0x02 && opcode <= 0x04)
    reader.skipNumbers(1); // block, loop, if
  else if (opcode === 0x0c || opcode === 0x0d || opcode === 0x10)
    reader.skipNumbers(1); // br, br_if, call
  else if (opcode === 0x0e)
    reader.skipNumbers(reader.number() + 1); // br_table
  else if (opcode === 0x11)
    reader.skipNumbers(2); // call_indirect
  else if (opcode === 0x1c)
    reader.skipBytes(reader.number()); // select with types
  else if (opcode >= 0x23 && opcode <= 0x26)
    reader.skipNumbers(1); // globals and tables
  else if (opcode >= 0x28 && opcode <= 0x3e)
    reader.skipNumbers(2); // loads and stores
  else if (opcode >= 0x3f && opcode <= 0x42)
    reader.skipNumbers(1); // memory.size, memory.grow, i32.const, i64.const
  else if (opcode === 0x43)
    reader.at += 4; // f32.const
  else if (opcode === 0x44)
    reader.at += 8; // f64.const
  else if (opcode === 0xfc) skipBulkOperands(reader);
  else if (opcode === 0xfd) skipVectorOperands(reader);
}

function skipBulkOperands(reader) {
  const operation = reader.number();
  if (operation >= 8) reader.skipNumbers(operation === 9 || operation === 11 || operation === 13 ? 1 : 2);
}

function skipVectorOperands(reader) {
  const operation = reader.number();
  const isLane = operation >= 84 && operation <= 91;
  if (operation <= 11 || isLane || operation === 92 || operation === 93) reader.skipNumbers(2); // loads and stores
  if (isLane || (operation >= 21 && operation <= 34))
    reader.at++; // the lane
  else if (operation === 12 || operation === 13) reader.at += 16; // v128.const, i8x16.shuffle
}

/**
 * Functions with their local variables taken out: `parameters`, how many; `types` of the variables; `parts`, in turn bytes and the
 * index of a parameter or variable.
 */
export function functionsOf(wasm) {
  const counts = parameterCounts(wasm);
  return bodiesOf(wasm).map((body, i) => {
    const reader = new Reader(body, 0);
    const types = [];
    for (let runs = reader.number(); runs > 0; runs--) {
      const length = reader.number();
      types.push(...new Array(length).fill(body[reader.at++]));
    }
    const parts = [];
    let from = reader.at;
    while (reader.at < body.length) {
      const opcode = body[reader.at++];
      if (opcode < 0x20 || opcode > 0x22) {
        skipOperands(reader, opcode);
        continue;
      }
      parts.push(body.subarray(from, reader.at), reader.number());
      from = reader.at;
    }
    if (reader.at !== body.length)
      throw new Error(`code: function ${i} has an instruction that is not known`);
    return { parameters: counts[i], types, parts: [...parts, body.subarray(from)] };
  });
}

/** The code of such a function whose variable `v` has `places[v]` among the variables. */
export function bodyWith({ parameters, types, parts }, places) {
  const runs = [];
  const typeAt = [];
  for (const [v, place] of places.entries()) typeAt[place] = types[v];
  for (const type of typeAt) {
    if (runs.at(-1)?.type === type) runs.at(-1).length++;
    else runs.push({ type, length: 1 });
  }
  const bytes = numberBytes(runs.length);
  for (const { type, length } of runs) bytes.push(...numberBytes(length), type);
  for (const part of parts) {
    if (typeof part !== 'number') for (const byte of part) bytes.push(byte);
    else bytes.push(...numberBytes(part < parameters ? part : parameters + places[part - parameters]));
  }
  return Uint8Array.from(bytes);
}

/**
 * The same module whose loads and stores of vectors promise no alignment. Engines ignore the promise; like it, most offsets are 0, and
 * gzip finds the same bytes more often: 0.6 KB less.
 */
export function withoutVectorAlignment(wasm) {
  const bodies = bodiesOf(wasm).map((body) => {
    const code = Uint8Array.from(body);
    const reader = new Reader(code, 0);
    for (let runs = reader.number(); runs > 0; runs--) reader.skipNumbers(2);
    while (reader.at < code.length) {
      const opcode = code[reader.at++];
      if (opcode === 0xfd && (code[reader.at] === 0 || code[reader.at] === 11)) code[reader.at + 1] = 0; // v128.load, v128.store
      if (opcode >= 0x20 && opcode <= 0x22)
        reader.skipNumbers(1); // local.get, local.set, local.tee
      else skipOperands(reader, opcode);
    }
    return code;
  });
  return withBodies(wasm, bodies);
}
