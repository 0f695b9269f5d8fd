// Compiles the core, the inspector and the actors with all mutants, and writes what takes the place of their texts.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BESIDE_CORE, CORE_FEATURES, CORE_MEMORY, compileScript } from '../asc.mjs';
import { buildCore } from '../build-core.mjs';
import { textOf } from '../core-text.mjs';
import { schema } from './numbers.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const FOLDER = join(root, 'test/out/mutate');
const OPTIONS = ['-O3', '--zeroFilledMemory', '--disableWarning', '112', ...CORE_FEATURES];
const ENTRIES = {
  core: 'src/core/index.ts',
  inspector: 'src/core/inspector.ts',
  actors: 'src/core/actors.ts',
};

export async function buildMutants(mutants) {
  process.env.SKIP_THREADS = '1';
  await buildCore(); // offsets and commands
  const replaced = schema(mutants);
  const hash = createHash('sha256').update(readFileSync(join(root, 'dist/core.wasm')));
  const key = hash.update(JSON.stringify(replaced)).digest('hex');
  mkdirSync(FOLDER, { recursive: true });
  const built = join(FOLDER, 'key');
  if (existsSync(built) && readFileSync(built, 'utf8') === key) return;
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const options = [...OPTIONS, ...(BESIDE_CORE[entry] ?? CORE_MEMORY)];
    const { wasm } = await compileScript(entry, options, { replaced });
    const text = `export const ${name.toUpperCase()}_WASM =\n  '${textOf(wasm)}';\n`;
    writeFileSync(join(FOLDER, `${name}-wasm.js`), text);
  }
  writeFileSync(built, key);
}
