// Compiled modules by what they are made of. Compiling the core takes 17 s of processor and a test's entry some seconds;
// a build, a test run and a landing ask for the same modules several times.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, '.cache/core');
/** The last ones are kept: about 20 MB at most. */
const KEPT = 80;

/** The compiler, its transforms and its flags. */
const COMPILER = [
  'scripts/asc.mjs',
  'scripts/build-core.mjs',
  'scripts/compile-core-entry.mjs',
  'scripts/function-order.mjs',
  'scripts/memory-map.mjs',
  'scripts/relocation.mjs',
  'scripts/value-classes.mjs',
  'scripts/wide-transform.mjs',
  'scripts/wide-lanes.mjs',
  'scripts/wasm-code.mjs',
  'node_modules/assemblyscript/package.json',
].map((path) => join(root, path));

function sourcesBelow(path, accept) {
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && accept(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function keyOf(name, extra) {
  const hash = createHash('sha256').update(JSON.stringify([name, ...extra]));
  const sources = [...sourcesBelow('src/core', () => true), ...COMPILER];
  if (name !== 'core') sources.push(...sourcesBelow('test', (file) => file.endsWith('Entry.ts')));
  for (const path of sources) hash.update(`${relative(root, path)}\n`).update(readFileSync(path));
  return hash.digest('hex').slice(0, 32);
}

/** What `compile` returned for the same name, extra values and sources before, or returns now. */
export async function cached(name, extra, compile) {
  const path = join(folder, `${keyOf(name, extra)}.wasm`);
  if (existsSync(path)) return new Uint8Array(readFileSync(path));
  const wasm = await compile();
  mkdirSync(folder, { recursive: true });
  const own = `${path}.${process.pid}`; // several processes may compile the same; none reads half a module
  writeFileSync(own, wasm);
  renameSync(own, path);
  forgetOld();
  return wasm;
}

function forgetOld() {
  const time = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const paths = readdirSync(folder).map((name) => join(folder, name));
  paths.sort((a, b) => time(b) - time(a));
  for (const path of paths.slice(KEPT)) rmSync(path, { force: true });
}
