// What comes before a measurement: the peers are installed, the core is compiled, scenes and adapters become modules for Node.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BENCH = dirname(fileURLToPath(import.meta.url));
export const ROOT = dirname(BENCH);

/** The peers are dependencies of bench/ only, so that the project's own install stays small. */
export async function install() {
  if (!existsSync(join(ROOT, 'node_modules', 'rolldown'))) fail('run `npm ci` in the project first');
  const wanted = Object.keys(JSON.parse(readFileSync(join(BENCH, 'package.json'), 'utf8')).dependencies);
  if (wanted.every((name) => existsSync(join(BENCH, 'node_modules', name, 'package.json')))) return;
  console.error('bench: installing the peers (npm ci in bench/, about 100 MB on disk) …');
  await command('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], BENCH);
}

/** Compiles the core of a checkout if its sources are newer. */
export async function compileCore(root) {
  const wasm = join(root, 'src', 'wasm', 'core-wasm.ts');
  const built = existsSync(wasm) ? statSync(wasm).mtimeMs : 0;
  if (newest(join(root, 'src', 'core')) > built) await command('node', ['scripts/build-core.mjs'], root);
}

/** Files of this folder with their scenes and adapters, and the engine of a checkout, as modules in `folder`; the peers stay outside. */
export async function bundle(root, entries, folder) {
  const { build } = await import('rolldown');
  await build({
    input: Object.fromEntries(entries.map((name) => [name, join(BENCH, `${name}.ts`)])),
    platform: 'node',
    logLevel: 'warn',
    tsconfig: false, // its paths would lead to this checkout
    resolve: {
      alias: {
        'ricochet/threads': join(root, 'src', 'threads', 'index.ts'),
        ricochet: join(root, 'src', 'index.ts'),
      },
    },
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('ricochet'),
    output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
  });
}

function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

export function command(program, args, folder) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', (error) => fail(`${program}: ${error.message}`));
    child.on('close', (code) =>
      code === 0 ? resolve() : fail(`${program} ${args.join(' ')} ended with ${code}`),
    );
  });
}

export function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(1);
}
