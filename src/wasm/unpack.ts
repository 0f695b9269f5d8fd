// Bytes out of what scripts/pack.mjs packed. In: the unpacker (src/core/unpack.ts, a module of a kilobyte) in base64,
// and the text it reads. Out: the bytes before. As WebAssembly it runs at full speed from its first instruction.

/** Where the text begins: the unpacker has its tables below. */
const TEXT = (1 << 14) + (1 << 17);
const PAGE = 1 << 16;

/** @param size  bytes that come out */
export function unpack(unpacker: string, text: string, size: number): Uint8Array<ArrayBuffer> {
  const module = new WebAssembly.Module(Uint8Array.from(atob(unpacker), (digit) => digit.charCodeAt(0)));
  const out = TEXT + text.length;
  const memory = new WebAssembly.Memory({ initial: Math.ceil((out + size) / PAGE) });
  new TextEncoder().encodeInto(text, new Uint8Array(memory.buffer, TEXT));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  (exports['unpack'] as (text: number, out: number, size: number) => void)(TEXT, out, size);
  return new Uint8Array(memory.buffer, out, size) as Uint8Array<ArrayBuffer>;
}
