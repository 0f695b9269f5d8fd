// What programs of the playground import, and their types for its editor. In: the built package, packages of the root and of
// site/. Out: a folder lib/ of the site.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './pages.mjs';

const modules = join(root, 'node_modules');
const require = createRequire(join(root, 'package.json'));

/** A module of CommonJS as one with names: browsers do not find them. */
function named(specifier) {
  const names = Object.keys(require(specifier)).filter(
    (name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default',
  );
  return `import * as all from '${specifier}';\nconst it = all.default ?? all;\nexport default it;\nexport const { ${names.join(', ')} } = it;\n`;
}

/** React and react-three-fiber share one React, as files of their own. */
async function bundleReact(folder) {
  const sources = {
    react: named('react'),
    'jsx-runtime': named('react/jsx-runtime'),
    fiber: `export * from '@react-three/fiber';`,
  };
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(Object.keys(sources).map((name) => [name, `\0${name}`])),
    platform: 'browser',
    external: ['three', /^react-native/, /^expo/],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (id.startsWith('\0') ? id : null),
        load: (id) => sources[id.slice(1)] ?? null,
      },
    ],
  });
  await build.write({
    dir: folder,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[name].js',
    minify: true,
  });
  await build.close();
}

/** What programs for Babylon.js may import, besides what ricochet/babylon needs: all of it would be 7 MB. */
const BABYLON = [
  'Engines/engine',
  'scene',
  'Cameras/arcRotateCamera',
  'Lights/directionalLight',
  'Lights/hemisphericLight',
  'Materials/standardMaterial',
  'Maths/math.color',
  'Maths/math.vector',
  'Meshes/Builders/boxBuilder',
  'Meshes/Builders/cylinderBuilder',
  'Meshes/Builders/groundBuilder',
  'Meshes/Builders/sphereBuilder',
  'Physics/joinedPhysicsEngineComponent',
  'Physics/v2/physicsEngineComponent',
  'Physics/v2/IPhysicsEnginePlugin',
  'Physics/v2/physicsAggregate',
  'Physics/v2/physicsBody',
  'Physics/v2/physicsConstraint',
  'Physics/v2/physicsShape',
];
const babylonRoot = join(modules, '@babylonjs/core');

/** The same, with what the package itself imports. */
function babylonFiles() {
  const own = readFileSync(join(root, 'dist/babylon.js'), 'utf8').matchAll(
    /"@babylonjs\/core\/([^"]+)\.js"/g,
  );
  return [...new Set([...BABYLON, ...[...own].map(([, name]) => name)])];
}

/** Files of Babylon.js by their own names; what they share lies beside them. */
async function bundleBabylon(folder) {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(babylonFiles().map((name) => [name, join(babylonRoot, `${name}.js`)])),
    platform: 'browser',
    logLevel: 'silent',
    treeshake: { moduleSideEffects: true },
  });
  await build.write({
    dir: folder,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name]-[hash].js',
    minify: true,
  });
  await build.close();
}

/** Declarations that those files name, and those that they name in turn. */
function babylonTypes() {
  const files = {};
  const waiting = babylonFiles().map((name) => join(babylonRoot, `${name}.d.ts`));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const name = `node_modules/@babylonjs/core/${relative(babylonRoot, path).replaceAll('\\', '/')}`;
    if (files[name] !== undefined || !existsSync(path)) continue;
    const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''); // without comments: half of it
    files[name] = text;
    for (const [, target] of text.matchAll(/(?:from|import)\s*\(?["'](\.[^"']+)["']/g))
      waiting.push(join(path, '..', `${target.replace(/\.js$/, '')}.d.ts`));
  }
  files['node_modules/@babylonjs/core/package.json'] = readFileSync(
    join(babylonRoot, 'package.json'),
    'utf8',
  );
  return files;
}

/** The page that programs run in, with the package's entries in its import map. */
function runPage() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = Object.entries(exports)
    .filter(([, { types }]) => types !== undefined)
    .map(([name, entry]) => [
      name.replace(/^\./, 'ricochet'),
      entry.default.replace('./dist/', './ricochet/'),
    ]);
  const page = readFileSync(join(root, 'site/playground/run.html'), 'utf8');
  const lines = entries.map((entry) => `${entry.map((text) => JSON.stringify(text)).join(': ')},`);
  return page.replace('"ricochet/": "./ricochet/",', lines.join('\n          '));
}

/** Declarations below some folders, by the path that they have in a project. */
function declarations(...folders) {
  const files = {};
  for (const [from, to] of folders)
    for (const name of readdirSync(from, { recursive: true }).map(String)) {
      if (!/(\.d\.(ts|mts|cts)|(^|\/)package\.json)$/.test(name) || /node_modules|webgpu|nodes\//i.test(name))
        continue;
      files[`${to}/${name.replaceAll('\\', '/')}`] = readFileSync(join(from, name), 'utf8');
    }
  return files;
}

function writeTypes(folder) {
  const at = (name) => `node_modules/${name}`;
  const packs = {
    ricochet: {
      [`${at('ricochet')}/package.json`]: readFileSync(join(root, 'package.json'), 'utf8'),
      ...declarations([join(root, 'dist/types'), `${at('ricochet')}/dist/types`]),
    },
    three: declarations([join(modules, '@types/three'), at('@types/three')]),
    react: declarations(
      ...['@types/react', 'csstype', '@react-three/fiber'].map((name) => [join(modules, name), at(name)]),
    ),
    babylon: babylonTypes(),
  };
  for (const [name, files] of Object.entries(packs))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(files));
}

export async function buildPlayground(folder) {
  mkdirSync(join(folder, 'types'), { recursive: true });
  cpSync(join(root, 'site/playground/run.js'), join(folder, 'run.js'));
  writeFileSync(join(folder, 'run.html'), runPage());
  cpSync(join(root, 'dist'), join(folder, 'ricochet'), {
    recursive: true,
    filter: (path) => !/types|\.cjs$|\.wasm$|\.global\.js$/.test(relative(join(root, 'dist'), path)),
  });
  cpSync(join(modules, 'comlink/dist/esm/comlink.mjs'), join(folder, 'comlink.mjs'));
  mkdirSync(join(folder, 'three'), { recursive: true });
  for (const name of ['three.module.js', 'three.core.js'])
    cpSync(join(modules, 'three/build', name), join(folder, 'three', name));
  cpSync(
    join(modules, 'three/examples/jsm/controls/OrbitControls.js'),
    join(folder, 'three/OrbitControls.js'),
  );
  await bundleReact(join(folder, 'react'));
  await bundleBabylon(join(folder, 'babylon'));
  writeTypes(join(folder, 'types'));
  const monaco = join(root, 'site/node_modules/monaco-editor/min/vs');
  if (!existsSync(monaco)) throw new Error('monaco-editor has no min/vs');
  // Other languages' workers are of no use here.
  cpSync(monaco, join(folder, 'monaco/vs'), {
    recursive: true,
    filter: (path) => !/assets\/(css|html|json)\.worker|nls\.messages\.[a-z-]+\.js/.test(path),
  });
}
