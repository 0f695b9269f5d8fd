// Builds the publishable package in dist/: core.wasm, declarations (types/), the entry points as ES
// modules, and beside them as self-contained files the worker and the facade for require() and script tags.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { minify as shrink } from 'terser';
import { buildCore } from './build-core.mjs';
import { constantsInPlace } from './constants-in-place.mjs';
import { privateNames } from './private-names.mjs';
import { printEntrySizes } from './sizes.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

/** Installed by the user or shipped beside the package; never bundled. */
const external = [
  /^node:/,
  'comlink',
  'three',
  'cannon-es',
  'cannon-es-debugger',
  /^three\//,
  /^react(\/|$)/,
  '@react-three/fiber',
  /^@babylonjs\/core(\/|$)/,
  'playcanvas',
];

/** Adapters see the engine under the package's own name; inside the bundle that is the source. */
const alias = {
  'ricochet/worker': join(root, 'worker/client.ts'),
  'ricochet/cooking': join(root, 'src/cooking/index.ts'),
  'ricochet/geometry': join(root, 'src/geometry/index.ts'),
  'ricochet/character': join(root, 'src/character/index.ts'),
  'ricochet/ragdoll': join(root, 'src/ragdoll/index.ts'),
  'ricochet/warmup': join(root, 'src/warmup/index.ts'),
  'ricochet/vehicle': join(root, 'src/vehicle/index.ts'),
  'ricochet/three': join(root, 'src/three/index.ts'),
  'ricochet/replay': join(root, 'src/replay/index.ts'),
  'ricochet/net': join(root, 'src/net/index.ts'),
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
  vehicle: 'src/vehicle/index.ts',
  ammo: 'src/ammo/index.ts',
  babylon: 'src/babylon/index.ts',
  playcanvas: 'src/playcanvas/index.ts',
  react: 'src/react/index.ts',
  gltf: 'src/gltf/index.ts',
  urdf: 'src/urdf/index.ts',
  ragdoll: 'src/ragdoll/index.ts',
  warmup: 'src/warmup/index.ts',
  net: 'src/net/index.ts',
  colyseus: 'src/colyseus/index.ts',
  threads: 'src/threads/index.ts',
  'bullet-file': 'src/bulletFile/index.ts',
  cli: 'src/replay/cli.ts',
};

/** One file, tools and all. */
const WHOLE = { codeSplitting: false };

/**
 * The file that knows where the others are has a name of its own: it tells by it whether it was bundled. What it shares
 * with every other file is not in it: `import.meta` stops programs that have modules made into CommonJS, as Jest with
 * Babel, and a World alone has no need of it.
 */
const APART = {
  codeSplitting: {
    groups: [
      { name: 'errors', test: /src.base.errors\.ts$/, priority: 1 },
      { name: 'scripts', test: /worker.(scripts|packaged)\.ts$/ },
    ],
  },
};

const COMMONJS = { format: 'cjs', exports: 'default', entryFileNames: '[name].cjs' };
/** A text behind that of a worker: its names must not meet those of the worker. */
const INSIDE = { ...WHOLE, format: 'iife', name: 'threads' };
const SCRIPT = { format: 'iife', exports: 'default', name: 'Ammo', entryFileNames: '[name].global.js' };

/** Workers are files beside the client's: physics.worker.ts among the sources, .js in dist. */
const workerAddress = {
  name: 'worker-address',
  transform(code, id) {
    if (!id.startsWith(join(root, 'worker'))) return null;
    const adapted = code.replace(/(physics|cooking)\.worker\.ts/g, '$1.worker.js');
    return adapted === code ? null : { code: adapted, map: null };
  },
};

/**
 * Loaded when they are asked for, and built on their own, with all that is inside: the host of a world in the page, and
 * the scripts of workers as text. Parts that they shared with the client would be loaded with the client.
 */
const ON_REQUEST = { './page': './page.js' };
const onRequest = {
  name: 'on-request',
  resolveId(source, importer) {
    if (!importer?.startsWith(join(root, 'worker'))) return null;
    const id = ON_REQUEST[source] ?? (/\.text\.js$/.test(source) ? source : null);
    return id === null ? null : { id, external: true };
  },
};

/** In place of worker/packaged.ts. The address of the tools is written in the form that bundlers recognise. */
const PACKAGED = `
export const EXTENSION = 'js';
export const toolsAddress = () =>
  import.meta.url === undefined ? '' : new URL('./physics.tools.js', import.meta.url).href;
export const scriptTexts = {
  'physics.worker': () => import('./physics.text.js'),
  'cooking.worker': () => import('./cooking.text.js'),
};`;

/** In place of worker/packagedSystems.ts. */
const PACKAGED_SYSTEMS = `
export const systemsAddress = () => new URL('./physics.systems.js', import.meta.url).href;`;

/** In place of worker/packagedThreads.ts. */
const PACKAGED_THREADS = `
export const threadsAddress = () => new URL('./physics.threads.js', import.meta.url).href;
export const threadsText = () => import('./threads.text.js');`;

const packaged = {
  name: 'packaged',
  transform(_code, id) {
    if (id === join(root, 'worker/packagedThreads.ts')) return { code: PACKAGED_THREADS, map: null };
    if (id === join(root, 'worker/packaged.ts')) return { code: PACKAGED, map: null };
    return id === join(root, 'worker/packagedSystems.ts') ? { code: PACKAGED_SYSTEMS, map: null } : null;
  },
};

/**
 * Tools are a file of their own, loaded on request. A worker gets its address from the page's side and must not follow
 * it when it is bundled: its script may be a classic one, without further chunks. In the page bundlers follow it.
 */
const toolsFrom = (code, external) => ({
  name: 'tools',
  resolveId: (source) => (external.includes(source) ? { id: source, external: true } : null),
  transform: (_code, id) => (id === join(root, 'worker/toolbox.ts') ? { code, map: null } : null),
});
/**
 * Parcel makes a script of a file that is known by its address: it has no exports, and leaves them as a global. A page that
 * started the worker itself, in a bundle of esbuild, knows no address: the file lies beside the worker's script.
 */
const toolsByAddress = toolsFrom(
  `const load = (file) => (address) => import(address || new URL('physics.' + file + '.js', location)).then(() => {
  const found = globalThis[Symbol.for('ricochet.' + file)];
  if (found === undefined) throw new Error(address + ' is not physics.' + file + '.js');
  return found;
});
export const loadTools = load('tools');
export const loadSystems = load('systems');`,
  [],
);
const toolsBeside = toolsFrom(
  `export const loadTools = () => import('./physics.tools.js');
export const loadSystems = () => import('./physics.systems.js');`,
  ['./physics.tools.js', './physics.systems.js'],
);

/**
 * The core on several threads is a file of its own, whose address the page gives. A script that is started as text has it
 * inside, behind its own; Parcel leaves it no exports.
 */
const THREADS_BY_ADDRESS = `
const inside = () => globalThis[Symbol.for('ricochet.threads')];
export const loadThreads = async (address) => {
  if (inside() === undefined) await import(address || new URL('physics.threads.js', location));
  return inside() ?? {};
};`;
const threadsByAddress = {
  name: 'threads',
  transform: (_code, id) =>
    id === join(root, 'worker/loadThreads.ts') ? { code: THREADS_BY_ADDRESS, map: null } : null,
};

const hidden = new RegExp(`^(${privateNames(root).join('|')})$`);

/** Rolldown's minifier first; what terser then still finds is 3 % of a worker. */
const shrunk = {
  name: 'shrunk',
  async renderChunk(code, _chunk, { format }) {
    const module = format === 'es';
    const { code: smaller } = await shrink(code, {
      module,
      compress: { passes: 3 },
      mangle: { properties: { regex: hidden } },
      format: { comments: /@license/ },
    });
    return { code: smaller, map: null };
  },
};

async function bundle(input, { minify = false, output: form, plugins = [], ...options } = {}) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'neutral',
    resolve: { alias, mainFields: ['module', 'main'], conditionNames: ['import', 'browser', 'default'] },
    plugins: [workerAddress, constantsInPlace(root, { minify }), ...(minify ? [shrunk] : []), ...plugins],
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
  if (parts.length !== 2) throw new Error(`${file}: no import of an address, or several`);
  writeFileSync(path, parts.join('import(/* webpackIgnore: true */ /* @vite-ignore */'));
}

/** A file's code and the core in it, as `$core`. */
function withoutCore(file) {
  const code = readFileSync(join(dist, file), 'utf8');
  const [literal] = /([`'"])[^`'"]{30000,}\1/.exec(code) ?? [];
  if (literal === undefined || code.split(literal).length !== 2)
    throw new Error(`${file}: no core, or several`);
  return { code: code.split(literal).join('$core'), core: literal.slice(1, -1) };
}

/**
 * Puts the core first: gzip looks back 32 KB, and this is more; what stands on both sides of it would share
 * nothing.
 */
function coreFirst(file) {
  const { code, core } = withoutCore(file);
  writeFileSync(join(dist, file), `const $core='${core}';${code}`);
}

/** What is loaded on request has the core in one file: a bundle without chunks has all of them inside. */
function coreApart(file) {
  const { code, core } = withoutCore(file);
  writeFileSync(join(dist, 'physics.core.js'), `export const $core='${core}';\n`);
  writeFileSync(join(dist, file), `import{$core}from'./physics.core.js';${code}`);
}

/** A worker's script as a module that has it as text, to be started as a classic script. The file itself is of no further use. */
function asText(file, hasCore) {
  const path = join(dist, file);
  const { code } = hasCore ? withoutCore(file) : { code: readFileSync(path, 'utf8') };
  // Only what a page gives the address of: step systems, the core on several threads.
  const imports = code.match(/\bimport\b(?!\.meta)/g)?.length ?? 0;
  if (imports > (hasCore ? 2 : 0)) throw new Error(`${file}: imports something`);
  writeFileSync(
    path,
    hasCore
      ? `import{$core}from'./physics.core.js';export const text="'use strict';const $core='"+$core+"';"+${JSON.stringify(code)};\n`
      : `export const text=${JSON.stringify(`'use strict';${code}`)};\n`,
  );
}

function clean() {
  for (const name of readdirSync(dist))
    if (name !== 'core.wasm') rmSync(join(dist, name), { recursive: true, force: true });
}

/**
 * Typed arrays over an ArrayBuffer, in words that TypeScript knew before they were generic (5.7): what `slice` returns
 * is `Uint8Array<ArrayBuffer>` since, and was `Uint8Array`.
 */
function plainArrays(text, path) {
  const plain = text
    .replace(/\b(\w+Array)<ArrayBufferLike>/g, '$1')
    .replace(/\b((?:Big)?(?:Int|Uint|Float)\w*Array)<ArrayBuffer>/g, "ReturnType<$1['slice']>");
  const left = /\b(?:Big)?(?:Int|Uint|Float)\w*Array<[^>]*>/.exec(plain);
  if (left !== null) throw new Error(`${path}: TypeScript before 5.7 does not know ${left[0]}`);
  return plain;
}

/** Declarations for all versions and settings: Node's own resolution asks for the extensions of relative imports. */
function adaptDeclarations() {
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
    writeFileSync(path, plainArrays(text, path));
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
  adaptDeclarations();
  writeFileSync(join(dist, 'ammo.d.cts'), REQUIRED);
  const files = [
    // Readable: the user's own bundler minifies, and finds `new Worker(new URL('…'))` as written.
    ...(await bundle(ENTRIES, { external, plugins: [onRequest, packaged], output: APART })),
    // The worker must run without an import map or a bundler: comlink and the wasm are inside.
    ...(await bundle(
      { 'physics.worker': 'worker/physics.worker.ts' },
      { minify: true, plugins: [toolsByAddress] },
    )),
    ...(await bundle({ page: 'worker/page.ts' }, { minify: true, plugins: [toolsBeside] })),
    ...(await bundle(
      { 'physics.tools': 'worker/toolsFile.ts' },
      { minify: true, plugins: [threadsByAddress] },
    )),
    ...(await bundle({ 'physics.threads': 'worker/threadsFile.ts' }, { minify: true })),
    ...(await bundle({ 'physics.systems': 'worker/systemsFile.ts' }, { minify: true })),
    ...(await bundle({ 'cooking.worker': 'worker/cooking.worker.ts' }, { minify: true })),
    ...(await bundle(
      { 'physics.text': 'worker/physics.worker.ts' },
      { minify: true, output: WHOLE, plugins: [threadsByAddress] },
    )),
    ...(await bundle({ 'threads.text': 'worker/threadsFile.ts' }, { minify: true, output: INSIDE })),
    ...(await bundle({ 'cooking.text': 'worker/cooking.worker.ts' }, { minify: true, output: WHOLE })),
    // ammo.js's own ways in: require() and a script that makes `Ammo` global. Everything is inside.
    ...(await bundle({ ammo: 'src/ammo/script.ts' }, { minify: true, output: COMMONJS })),
    ...(await bundle({ ammo: 'src/ammo/script.ts' }, { minify: true, output: SCRIPT })),
  ];
  if (!readFileSync(join(dist, 'shared-scripts.js'), 'utf8').includes('new Worker(new URL('))
    throw new Error('shared-scripts.js, as worker/scripts.ts knows itself, has no workers');
  coreFirst('physics.worker.js');
  leaveImport('physics.worker.js');
  chmodSync(join(dist, 'cli.js'), 0o755); // npx starts it here; installing does that, too
  leaveImport('physics.systems.js');
  leaveImport('physics.tools.js');
  coreApart('page.js');
  asText('physics.text.js', true);
  asText('cooking.text.js', false);
  asText('threads.text.js', false);
  for (const name of [...new Set(files), 'physics.core.js', 'core.wasm'].sort()) {
    const path = join(dist, name);
    const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`.padStart(10);
    console.log(
      `dist/${name.padEnd(24)}${kilobytes(statSync(path).size)}${kilobytes(gzipSync(readFileSync(path)).length)} gzip`,
    );
  }
  console.log('\nEntries with all that they import, as published (bundlers minify):');
  printEntrySizes();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
