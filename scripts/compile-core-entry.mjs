// Compiles one AssemblyScript file with the flags of the core, for tests of a single part of it.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { cached } from './core-cache.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Returns the module's bytes; `entry` is a path from the root of the repository. `stubs` maps such paths to
 * source text that takes the place of the file.
 */
export function compileCoreEntry(entry, stubs = {}) {
  return cached(entry, [stubs], () => compileEntry(entry, stubs));
}

async function compileEntry(entry, stubs) {
  const files = new Map();
  const { error, stderr } = await asc.main(
    [
      entry,
      '--outFile',
      'entry.wasm',
      '-O3',
      '--enable',
      'simd',
      '--runtime',
      'stub',
      '--importMemory',
      '--noAssert',
      '--memoryBase',
      '8192',
      '--initialMemory',
      '16',
      '--transform',
      join(root, 'scripts/wide-transform.mjs'),
    ],
    {
      baseDir: root,
      readFile: (name, baseDir) => {
        if (name in stubs) return stubs[name];
        try {
          return readFileSync(join(baseDir, name), 'utf8');
        } catch {
          return null;
        }
      },
      writeFile: (name, contents) => void files.set(name, contents),
    },
  );
  if (error) throw new Error(`asc: ${error.message}\n${stderr.toString()}`);
  return files.get('entry.wasm');
}
