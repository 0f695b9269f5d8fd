// Compiles one AssemblyScript file with the flags of the core, for tests of a single part of it.
import { CORE_FEATURES, CORE_MEMORY, compileScript } from './asc.mjs';
import { cached } from './core-cache.mjs';

/**
 * Returns the module's bytes; `entry` is a path from the root of the repository. `stubs` maps such paths to
 * source text that takes the place of the file.
 */
export function compileCoreEntry(entry, stubs = {}) {
  return cached(entry, [stubs], async () => {
    const options = ['-O3', ...CORE_FEATURES, ...CORE_MEMORY];
    const { wasm } = await compileScript(entry, options, { replaced: stubs });
    return wasm;
  });
}
