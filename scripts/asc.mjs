// Runs the AssemblyScript compiler in this process, with the project's transform, and keeps its files in memory.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { MEMORY_MAP } from './memory-map.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Options of a module whose static memory begins at an address; memory has 16 pages of 64 KiB at first. */
export const memoryAt = (address) => [
  '--importMemory',
  '--memoryBase',
  String(address),
  '--initialMemory',
  '16',
];
export const CORE_MEMORY = memoryAt(MEMORY_MAP.CORE_STATIC);
/** Likewise of the modules that work beside a core, by their entries. */
export const BESIDE_CORE = {
  'src/core/inspector.ts': memoryAt(MEMORY_MAP.INSPECTOR_STATIC),
  'src/core/actors.ts': memoryAt(MEMORY_MAP.ACTORS_STATIC),
};
/** Of a core whose memory threads share; the host chooses how far it can grow. Its static memory: scripts/relocation.mjs. */
export const SHARED_MEMORY = ['--sharedMemory', '--maximumMemory', '65536', '--enable', 'threads'];
/** SIMD, and no code for asserts: the core checks its arguments itself. */
export const CORE_FEATURES = ['--enable', 'simd', '--noAssert'];

const READING = 'src/core/state/mode.ts';

/**
 * Compiles one entry or several, paths from the root of the repository, to one module. `replaced` maps such paths to source text that takes
 * the place of the file; `transforms` are run after the project's own.
 * @returns the module's bytes, the text form if `--textFile out.wat` was asked for, and what the compiler said
 */
export async function compileScript(entries, options, { replaced = {}, transforms = [] } = {}) {
  const files = new Map();
  const { error, stderr } = await asc.main(
    [
      ...[entries].flat(),
      '--outFile',
      'out.wasm',
      '--runtime',
      'stub',
      '--transform',
      './scripts/wide-transform.mjs',
      ...options,
    ],
    {
      baseDir: root,
      transforms,
      readFile: (name, baseDir) => {
        if (name in replaced) return replaced[name];
        if (name === READING && [entries].flat().includes('src/core/inspector.ts'))
          return 'export const RESTORES: bool = true;\n';
        try {
          return readFileSync(join(baseDir, name), 'utf8');
        } catch {
          return null; // the compiler tries other names
        }
      },
      writeFile: (name, contents) => void files.set(name, contents),
    },
  );
  if (error) throw new Error(`asc: ${error.message}\n${stderr.toString()}`);
  return { wasm: files.get('out.wasm'), text: files.get('out.wat'), messages: stderr.toString() };
}
