// Takes the place of scripts/compile-core-entry.mjs where tests run with a mutant: it is compiled in.
import { CORE_FEATURES, CORE_MEMORY, compileScript } from '../asc.mjs';
import { cached } from '../core-cache.mjs';
import { findMutants, single } from './numbers.mjs';

export function compileCoreEntry(entry, stubs = {}) {
  const [number, factor] = (process.env.RICOCHET_MUTANT ?? '-1:1').split(':').map(Number);
  const replaced = { ...(number < 0 ? {} : single(findMutants(), number, factor)), ...stubs };
  return cached(entry, [replaced], async () => {
    const options = ['-O3', ...CORE_FEATURES, ...CORE_MEMORY];
    const { wasm } = await compileScript(entry, options, { replaced });
    return wasm;
  });
}
