// Builds the publishable package in dist/: core.wasm, declarations (types/), the entry points as ES
// modules, and beside them as self-contained files the worker and the facade for require() and script tags.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { buildCore } from './build-core.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

/** Installed by the user or shipped beside the package; never bundled. */
const external = [/^node:/, 'comlink', 'three', 'cannon-es', 'cannon-es-debugger', /^three\//];

/** Adapters see the engine under the package's own name; inside the bundle that is the source. */
const alias = {
  'ricochet/worker': join(root, 'worker/client.ts'),
  'ricochet/cooking': join(root, 'src/cooking/index.ts'),
  'ricochet/geometry': join(root, 'src/geometry/index.ts'),
  'ricochet/character': join(root, 'src/character/index.ts'),
  ricochet: join(root, 'src/index.ts'),
};

const ENTRIES = {
  index: 'src/index.ts',
  worker: 'worker/client.ts',
  cooking: 'src/cooking/index.ts',
  geometry: 'src/geometry/index.ts',
  three: 'src/three/index.ts',
  debug: 'src/debug/index.ts',
  replay: 'src/replay/index.ts',
  character: 'src/character/index.ts',
  ammo: 'src/ammo/index.ts',
  cli: 'src/replay/cli.ts',
};

const COMMONJS = { format: 'cjs', exports: 'default', entryFileNames: '[name].cjs' };
const SCRIPT = { format: 'iife', exports: 'default', name: 'Ammo', entryFileNames: '[name].global.js' };

/** The client finds its workers beside itself: physics.worker.ts among the sources, .js in dist. */
const workerAddress = {
  name: 'worker-address',
  transform(code, id) {
    if (!id.startsWith(join(root, 'worker'))) return null;
    const adapted = code.replace(/(physics|cooking)\.worker\.ts/g, '$1.worker.js');
    return adapted === code ? null : { code: adapted, map: null };
  },
};

/**
 * A world in the page itself loads a host of its own, with all that is inside: parts that it shared with the client
 * would be loaded with the client, 5 KB. The two speak as with a worker.
 */
const pageHost = {
  name: 'page-host',
  resolveId: (source, importer) =>
    source === './page' && importer?.startsWith(join(root, 'worker'))
      ? { id: './page.js', external: true }
      : null,
};

/**
 * A worker's tools are a file of their own, loaded on request. Its address comes from the page's side, in the form that
 * bundlers recognise; in the worker they must not follow it: its script may be a classic one, without further chunks.
 */
const tools = {
  name: 'tools',
  transform(_code, id) {
    if (id === join(root, 'worker/toolsAddress.ts'))
      return {
        code: "export const toolsAddress = () => new URL('./physics.tools.js', import.meta.url).href;",
        map: null,
      };
    if (id !== join(root, 'worker/toolbox.ts')) return null;
    return { code: 'export const loadTools = (address) => import(address);', map: null };
  },
};

async function bundle(input, { minify = false, output: form, ...options } = {}) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'neutral',
    resolve: { alias, mainFields: ['module', 'main'], conditionNames: ['import', 'browser', 'default'] },
    plugins: [workerAddress, tools],
    ...options,
  });
  const { output } = await build.write({
    dir: dist,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[name].js',
    minify,
    comments: minify ? { legal: true, annotation: false, jsdoc: false } : { legal: true },
    ...form,
  });
  await build.close();
  return output.map((chunk) => chunk.fileName);
}

/** Bundlers of the page's leave the import of the tools as it is: comments that a minifier removes say so. */
function leaveImport(file) {
  const path = join(dist, file);
  const parts = readFileSync(path, 'utf8').split('import(');
  if (parts.length !== 2) throw new Error(`${file}: no import of tools, or several`);
  writeFileSync(path, parts.join('import(/* webpackIgnore: true */ /* @vite-ignore */'));
}

/**
 * Puts the core first: gzip looks back 32 KB, and this is more; what stands on both sides of it would share
 * nothing.
 */
function coreFirst(file) {
  const path = join(dist, file);
  const code = readFileSync(path, 'utf8');
  const [literal] = /([`'"])[^`'"]{30000,}\1/.exec(code) ?? [];
  if (literal === undefined || code.split(literal).length !== 2)
    throw new Error(`${file}: no core, or several`);
  writeFileSync(path, `const $core=${literal};${code.split(literal).join('$core')}`);
}

function clean() {
  for (const name of readdirSync(dist))
    if (name !== 'core.wasm') rmSync(join(dist, name), { recursive: true, force: true });
}

/** Relative imports of declarations get their extension: Node's own resolution asks for it. */
function completeSpecifiers() {
  for (const entry of readdirSync(join(dist, 'types'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.d.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8').replace(
      /(\bfrom\s*|\bimport\(\s*|\bimport\s+|\bdeclare module\s+)(['"])(\.{1,2}\/[^'"]+)\2/g,
      (whole, before, quote, specifier) => {
        const bare = specifier.replace(/\.ts$/, '');
        const target = join(entry.parentPath, bare);
        if (existsSync(`${target}.d.ts`)) return `${before}${quote}${bare}.js${quote}`;
        if (existsSync(join(target, 'index.d.ts'))) return `${before}${quote}${bare}/index.js${quote}`;
        return whole;
      },
    );
    writeFileSync(path, text);
  }
}

/** What require('ricochet/ammo') gives, for TypeScript: the factory itself, whose module is the other build's. */
const REQUIRED = `declare const Ammo: typeof import('./types/src/ammo/index.js', { with: { 'resolution-mode': 'import' } }).default;
export = Ammo;
`;

export async function build() {
  const core = await buildCore();
  if (core.messages.trim()) console.error(core.messages);
  clean();
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  completeSpecifiers();
  writeFileSync(join(dist, 'ammo.d.cts'), REQUIRED);
  const files = [
    // Readable: the user's own bundler minifies, and finds `new Worker(new URL('…'))` as written.
    ...(await bundle(ENTRIES, { external, plugins: [pageHost, workerAddress, tools] })),
    // The worker must run without an import map or a bundler: comlink and the wasm are inside.
    ...(await bundle({ 'physics.worker': 'worker/physics.worker.ts' }, { minify: true })),
    ...(await bundle({ page: 'worker/page.ts' }, { minify: true })),
    ...(await bundle({ 'physics.tools': 'worker/tools.ts' }, { minify: true })),
    ...(await bundle({ 'cooking.worker': 'worker/cooking.worker.ts' }, { minify: true })),
    // ammo.js's own ways in: require() and a script that makes `Ammo` global. Everything is inside.
    ...(await bundle({ ammo: 'src/ammo/script.ts' }, { minify: true, output: COMMONJS })),
    ...(await bundle({ ammo: 'src/ammo/script.ts' }, { minify: true, output: SCRIPT })),
  ];
  for (const file of ['physics.worker.js', 'page.js']) {
    coreFirst(file);
    leaveImport(file);
  }
  for (const name of [...new Set(files), 'core.wasm'].sort()) {
    const path = join(dist, name);
    const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`.padStart(10);
    console.log(
      `dist/${name.padEnd(24)}${kilobytes(statSync(path).size)}${kilobytes(gzipSync(readFileSync(path)).length)} gzip`,
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
