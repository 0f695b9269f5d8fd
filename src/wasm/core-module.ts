// The compiled core, once per page or worker. In: the wasm, inlined as text of printable ASCII. Out: a
// WebAssembly.Module. Synchronous, so that `new World()` is synchronous. For streaming compilation, or if a content
// security policy forbids inline wasm, pass `core.wasm` to `useCore` first.

import { PhysicsError } from '../base/errors';
import { CORE_WASM } from './core-wasm';

/** A function that returns i8x16.popcnt(i8x16.splat(0)): valid only where fixed-width SIMD is. */
const SIMD_PROBE = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // magic, version
  ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b], // type section: () → v128
  ...[0x03, 0x02, 0x01, 0x00], // function section
  ...[0x0a, 0x0a, 0x01, 0x08, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x62, 0x0b], // code
);

const NEEDED =
  'ricochet needs WebAssembly SIMD: Chrome and Edge 100, Firefox 114, Safari 16.4, Node.js 20.16, or later';

let compiled: WebAssembly.Module | undefined;

/** Whether this host can run the engine. */
export function isSupported(): boolean {
  return typeof WebAssembly === 'object' && WebAssembly.validate(SIMD_PROBE);
}

/** Throws 'unsupported-host' where the engine cannot run, and says what would do. */
function checkHost(): void {
  if (typeof WebAssembly !== 'object')
    throw new PhysicsError('unsupported-host', `this host has no WebAssembly; ${NEEDED}`);
  if (!isSupported())
    throw new PhysicsError('unsupported-host', `this host has WebAssembly without SIMD; ${NEEDED}`);
}

/**
 * The bytes of a text that scripts/core-text.mjs wrote. In its head, numbers of three hexadecimal digits: how many bytes,
 * in two parts; how many instructions of 18 bytes that are symbols; these; how many pairs of symbols; the pairs; the most
 * frequent symbols, which are one character each. Then all symbols; the others are two characters.
 */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  let at = 0;
  const number = () => Number.parseInt(text.slice(3 * at, 3 * ++at), 16);
  const bytes = new Uint8Array((number() << 12) | number());
  const symbols = Array.from({ length: 256 }, (_, byte) => [byte]);
  for (let phrases = number(); phrases > 0; phrases--) symbols.push(Array.from({ length: 18 }, number));
  for (let pairs = number(); pairs > 0; pairs--) {
    const first = symbols[number()]!;
    symbols.push([...first, ...symbols[number()]!]);
  }
  const places = new Uint8Array(127);
  let characters = 0;
  for (let code = 35; code < 127; code++)
    if (!"$'\\`".includes(String.fromCharCode(code))) places[code] = characters++;
  const single = characters - Math.ceil((symbols.length - characters) / (characters - 1));
  const frequent = Array.from({ length: single }, number);
  const ordered = [...new Set([...frequent, ...symbols.keys()])].map((symbol) => symbols[symbol]!);
  // In one array: many small ones take a third longer.
  const starts = new Uint32Array(ordered.length + 1);
  for (const [rank, sequence] of ordered.entries()) starts[rank + 1] = starts[rank]! + sequence.length;
  const all = Uint8Array.from(ordered.flat());
  let length = 0;
  for (let i = 3 * at; i < text.length; i++) {
    let rank = places[text.charCodeAt(i)]!;
    if (rank >= single) rank = single + (rank - single) * characters + places[text.charCodeAt(++i)]!;
    for (let k = starts[rank]!; k < starts[rank + 1]!; k++) bytes[length++] = all[k]!;
  }
  return bytes;
}

const inlinedCore = () => bytesOf(CORE_WASM);

/** The module; compiled at the first call, which takes some milliseconds. */
export function coreModule(): WebAssembly.Module {
  if (compiled === undefined) {
    checkHost();
    try {
      compiled = new WebAssembly.Module(inlinedCore());
    } catch (error) {
      throw new PhysicsError(
        'unsupported-host',
        `the core could not be compiled: ${(error as Error).message}`,
      );
    }
  }
  return compiled;
}

/**
 * Compiles the core without blocking, or from elsewhere, before the first world is made:
 * `await useCore(fetch('core.wasm'))`. Without an argument the inlined wasm is compiled.
 */
export async function useCore(
  source?: WebAssembly.Module | BufferSource | Response | Promise<Response>,
): Promise<void> {
  checkHost();
  const given = await source;
  if (given === undefined) compiled = await WebAssembly.compile(inlinedCore());
  else if (given instanceof WebAssembly.Module) compiled = given;
  else if (typeof Response === 'function' && given instanceof Response)
    compiled = await WebAssembly.compileStreaming(given);
  else compiled = await WebAssembly.compile(given as BufferSource);
}

/** An instance for one world. */
export const instantiate = (module: WebAssembly.Module, imports: WebAssembly.Imports): WebAssembly.Instance =>
  new WebAssembly.Instance(module, imports);
