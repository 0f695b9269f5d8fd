// Takes the place of src/wasm/core-module.ts where tests run on the sanitizer core: see vitest.config.ts.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// @ts-expect-error: plain JavaScript without declarations
import { readSanitizer } from '../../scripts/sanitize/build.mjs';
// @ts-expect-error: plain JavaScript without declarations
import { prepare, instantiate as sanitize } from '../../scripts/sanitize/runtime.mjs';

const FOLDER = join(fileURLToPath(new URL('../..', import.meta.url)), 'test/out/sanitize');

let built: { module: WebAssembly.Module } | undefined;

function core(): { module: WebAssembly.Module } {
  built ??= prepare(readSanitizer(process.env['RICOCHET_SANITIZER'] ?? FOLDER)) as {
    module: WebAssembly.Module;
  };
  return built;
}

export const isSupported = (): boolean => true;
export const coreModule = (): WebAssembly.Module => core().module;
export const useCore = async (): Promise<void> => undefined;
export const instantiate = (_: WebAssembly.Module, imports: WebAssembly.Imports): WebAssembly.Instance =>
  sanitize(core(), imports) as WebAssembly.Instance;
/** Of modules beside a core: this one has them within. */
export const bytesOf = (): never => {
  throw new Error('the sanitizer core is its own inspector, and moves its actors itself');
};
