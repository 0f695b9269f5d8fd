// Compiles one AssemblyScript entry (a test's or a benchmark's) with the flags of the core.
// In: path of the entry, relative to the repository. Out: the bytes of the module, which imports
// env.memory like the core does.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export async function compileCoreEntry(entryPath) {
  let wasm;
  const { error, stderr } = await asc.main(
    [
      entryPath,
      '--outFile', 'entry.wasm',
      '-O3', '--enable', 'simd', '--runtime', 'stub', '--importMemory', '--noAssert',
      '--memoryBase', '8192', '--initialMemory', '16',
      '--transform', './scripts/wide-transform.mjs',
    ],
    {
      baseDir: root,
      writeFile: (_name, contents) => {
        wasm = contents;
      },
    },
  );
  if (error) throw new Error(`asc ${entryPath}: ${error.message}\n${stderr.toString()}`);
  return wasm;
}
