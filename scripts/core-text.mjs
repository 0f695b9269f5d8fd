// A module as text for src/wasm/core-module.ts: characters that no charset, minifier or string changes, six bits each. Its code is
// taken apart (streams.mjs) and packed (pack.mjs); src/core/unpack.ts makes the module of it again.
import { pack } from './pack.mjs';
import { streamsOf } from './streams.mjs';

/** From '0' on; the two that strings would have to escape come behind the others. */
const characterOf = (digit) => String.fromCharCode(48 + (digit === 44 ? 64 : digit === 48 ? 65 : digit));

/** A number of the head: four digits. */
const headDigits = (number) => [18, 12, 6, 0].map((shift) => (number >> shift) & 63);

/**
 * A head of numbers of four digits each: how many bytes come before the first function; how many functions; the length of each stream.
 * Then the packed streams.
 */
export function textOf(bytes) {
  const { prefix, functions, streams } = streamsOf(bytes);
  const head = [prefix, functions, ...streams.map(({ length }) => length)];
  return [...head.flatMap(headDigits), ...pack(streams)].map(characterOf).join('');
}

/** The bytes of a text, as src/wasm/core-module.ts makes them. `unpacker`: src/core/unpack.ts, compiled. */
export function bytesOf(text, unpacker) {
  const { memory, unpack, end } = new WebAssembly.Instance(new WebAssembly.Module(unpacker)).exports;
  const start = memory.buffer.byteLength;
  memory.grow((text.length >> 16) + 1);
  new Uint8Array(memory.buffer).set(Buffer.from(text), start);
  const at = unpack(start + text.length + 1);
  return new Uint8Array(memory.buffer).slice(at, end.value);
}
