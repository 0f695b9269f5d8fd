// Takes the place of scripts/compile-core-entry.mjs where tests run with mutants: all of them are compiled in, and
// factors.mjs says which ones act.
import { CORE_FEATURES, CORE_MEMORY, compileScript } from '../asc.mjs';
import { cached } from '../core-cache.mjs';
import { findMutants, schema } from './numbers.mjs';

export function compileCoreEntry(entry, stubs = {}) {
  const replaced = { ...schema(findMutants()), ...stubs };
  return cached(entry, [replaced], async () => {
    const options = ['-O3', ...CORE_FEATURES, ...CORE_MEMORY];
    const { wasm } = await compileScript(entry, options, { replaced });
    return wasm;
  });
}
