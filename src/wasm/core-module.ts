// The compiled core, once per page or worker. In: the wasm, inlined as text of printable ASCII. Out: a
// WebAssembly.Module. Synchronous, so that `new World()` is synchronous. For streaming compilation, or if a content
// security policy forbids inline wasm, pass `core.wasm` to `useCore` first.

import { PhysicsError } from '../base/errors';
import { CORE_WASM } from './core-wasm';
import { UNPACK_WASM } from './unpack-wasm';

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

/** What a text of scripts/core-text.mjs stands for. Each time with a module and a memory of its own, which are not kept: 1 MB. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const unpacker = Uint8Array.from(UNPACK_WASM.match(/../g)!, (digits) => Number.parseInt(digits, 16));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(unpacker));
  const memory = exports['memory'] as WebAssembly.Memory;
  const start = memory.buffer.byteLength; // its tables are in the first page
  memory.grow((text.length >> 16) + 1);
  const characters = new Uint8Array(memory.buffer, start);
  // The loop takes 8 ms more in a fresh Node. jsdom, in which Jest runs tests of pages, has no TextEncoder.
  if (typeof TextEncoder === 'function') new TextEncoder().encodeInto(text, characters);
  else for (let i = 0; i < text.length; i++) characters[i] = text.charCodeAt(i);
  const at = (exports['unpack'] as (streams: number) => number)(start + text.length + 1);
  return new Uint8Array(memory.buffer).slice(at, (exports['end'] as WebAssembly.Global).value);
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
