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
  writeTypes(join(folder, 'types'));
  const monaco = join(root, 'site/node_modules/monaco-editor/min/vs');
  if (!existsSync(monaco)) throw new Error('monaco-editor has no min/vs');
  // Other languages' workers are of no use here.
  cpSync(monaco, join(folder, 'monaco/vs'), {
    recursive: true,
    filter: (path) => !/assets\/(css|html|json)\.worker|nls\.messages\.[a-z-]+\.js/.test(path),
  });
}
