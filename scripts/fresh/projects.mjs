// The fresh projects, one entry each, as the current templates make them: what they install, their files, how they are
// served while developing, and how they are built.
import { json, page, pageSources, plainSources, programSources, typedSources } from './files.mjs';

/** @typedef {{ command: string[], wait: RegExp }} Served a server of the tool's own; $PORT is a free port */
/**
 * @typedef Project
 * @property {Record<string, string>} install  besides the package, comlink and three
 * @property {Record<string, string>} files
 * @property {string[]} [dev]  command of the development server; $PORT is a free port
 * @property {string[][]} [build]  commands
 * @property {string[][]} [checks]  commands that have to succeed, and no more
 * @property {string} [site]  the folder that the build makes, to be served as it is
 * @property {string[]} [start]  the server of the built project, where it has one
 * @property {string[]} [run]  a program without a page, which prints what it said and what it was answered
 */

const STRICT = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  module: 'ESNext',
  moduleResolution: 'bundler',
  strict: true,
  skipLibCheck: true, // as the templates have it
};
const TYPES = { '@types/three': '^0.187.0' };

/** create-vite's vanilla-ts. */
const vite = (version, typescript) => ({
  install: { ...TYPES, vite: `^${version}`, typescript },
  files: {
    ...pageSources(),
    'index.html': page('<script type="module" src="/src/main.ts"></script>'),
    'tsconfig.json': json({
      compilerOptions: {
        ...STRICT,
        types: ['vite/client'],
        allowImportingTsExtensions: true,
        moduleDetection: 'force',
        isolatedModules: true,
        noEmit: true,
        noUnusedLocals: true,
        noUnusedParameters: true,
      },
      include: ['src'],
    }),
  },
  dev: ['node_modules/vite/bin/vite.js', '--port', '$PORT', '--strictPort', '--host', '127.0.0.1'],
  build: [['node_modules/typescript/bin/tsc'], ['node_modules/vite/bin/vite.js', 'build']],
  site: 'dist',
});

const webpack = {
  install: {
    ...TYPES,
    webpack: '^5.0.0',
    'webpack-cli': '^6.0.0',
    'webpack-dev-server': '^5.0.0',
    'html-webpack-plugin': '^5.0.0',
    'ts-loader': '^9.0.0',
    typescript: '~5.9.0',
  },
  files: {
    ...pageSources(),
    'index.html': page(''),
    'tsconfig.json': json({ compilerOptions: STRICT, include: ['src'] }),
    'webpack.config.cjs': `const path = require('node:path');
const HtmlWebpackPlugin = require('html-webpack-plugin');

module.exports = {
  entry: './src/main.ts',
  output: { path: path.resolve(__dirname, 'dist') },
  plugins: [new HtmlWebpackPlugin({ template: 'index.html' })],
  module: { rules: [{ test: /\\.(ts|tsx)$/i, loader: 'ts-loader', exclude: ['/node_modules/'] }] },
  resolve: { extensions: ['.tsx', '.ts', '.jsx', '.js', '...'] },
};
`,
  },
  dev: ['node_modules/webpack/bin/webpack.js', 'serve', '--mode=development', '--port', '$PORT'],
  build: [['node_modules/webpack/bin/webpack.js', '--mode=production']],
  site: 'dist',
};

const ESBUILD = ['!node_modules/esbuild/bin/esbuild', 'src/main.ts', '--bundle', '--outdir=www'];

/** As its documentation starts: one script, or modules with chunks. */
const esbuild = (options, script) => ({
  install: { esbuild: '^0.28.0' },
  files: {
    ...pageSources(),
    'tsconfig.json': json({ compilerOptions: STRICT }),
    'www/index.html': page(script),
  },
  dev: [...ESBUILD, ...options, '--servedir=www', '--serve=127.0.0.1:$PORT', '--watch=forever'],
  build: [[...ESBUILD, ...options, '--minify']],
  site: 'www',
});

const rollup = {
  install: {
    ...TYPES,
    rollup: '^4.0.0',
    '@rollup/plugin-node-resolve': '^16.0.0',
    '@rollup/plugin-typescript': '^12.0.0',
    typescript: '~5.9.0',
    tslib: '^2.0.0',
  },
  files: {
    ...pageSources(),
    'www/index.html': page('<script type="module" src="/main.js"></script>'),
    'tsconfig.json': json({ compilerOptions: STRICT, include: ['src'] }),
    'rollup.config.js': `import resolve from '@rollup/plugin-node-resolve';
import typescript from '@rollup/plugin-typescript';

export default {
  input: 'src/main.ts',
  output: { dir: 'www', format: 'es' },
  plugins: [resolve({ browser: true }), typescript()],
};
`,
  },
  build: [['node_modules/rollup/dist/bin/rollup', '-c']],
  site: 'www',
};

const parcel = {
  install: { parcel: '^2.0.0' },
  manifest: { source: 'src/index.html' },
  files: {
    ...pageSources(),
    'src/index.html': page('<script type="module" src="main.ts"></script>'),
  },
  dev: ['node_modules/parcel/lib/bin.js', 'serve', '--port', '$PORT', '--no-cache'],
  build: [['node_modules/parcel/lib/bin.js', 'build', '--no-cache']],
  site: 'dist',
};

const NEXT = 'node_modules/next/dist/bin/next';

/** create-next-app's app router in TypeScript; the page loads the examples in the browser. */
const next = {
  install: {
    ...TYPES,
    next: '^16.0.0',
    react: '^19.0.0',
    'react-dom': '^19.0.0',
    '@types/node': '^20.0.0',
    '@types/react': '^19.0.0',
    '@types/react-dom': '^19.0.0',
    typescript: '^5.0.0',
  },
  files: {
    ...pageSources('game'),
    'app/layout.tsx': `export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <head>
        <link rel="icon" href="data:," />
      </head>
      <body>{children}</body>
    </html>
  );
}
`,
    'app/page.tsx': `'use client';
import { useEffect } from 'react';

export default function Home() {
  useEffect(() => {
    void import('../game/main');
  }, []);
  return <main />;
}
`,
    'tsconfig.json': json({
      compilerOptions: {
        ...STRICT,
        target: 'ES2017',
        lib: ['dom', 'dom.iterable', 'esnext'],
        allowJs: true,
        noEmit: true,
        esModuleInterop: true,
        resolveJsonModule: true,
        isolatedModules: true,
        jsx: 'react-jsx',
        incremental: true,
        plugins: [{ name: 'next' }],
      },
      include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts', '.next/dev/types/**/*.ts'],
      exclude: ['node_modules'],
    }),
    // This project lies within another one, whose lock file Turbopack takes for the mark of its root; a project of its own
    // needs no such line.
    'next.config.mjs': 'export default { turbopack: { root: import.meta.dirname } };\n',
  },
  dev: [NEXT, 'dev', '--port', '$PORT', '--hostname', '127.0.0.1'],
  build: [[NEXT, 'build']],
  start: [NEXT, 'start', '--port', '$PORT', '--hostname', '127.0.0.1'],
};

/** No bundler: the folder as it is, and an import map. */
const plain = {
  install: {},
  files: {
    ...plainSources('src'),
    'index.html': page(`<script type="importmap">
      {
        "imports": {
          "ricochet": "/node_modules/ricochet/dist/index.js",
          "ricochet/": "/node_modules/ricochet/dist/",
          "ricochet/worker": "/node_modules/ricochet/dist/worker.js",
          "ricochet/three": "/node_modules/ricochet/dist/three.js",
          "comlink": "/node_modules/comlink/dist/esm/comlink.mjs",
          "three": "/node_modules/three/build/three.module.js",
          "/src/hear": "/src/hear.js",
          "/src/hello": "/src/hello.js",
          "/src/worker": "/src/worker.js",
          "/src/stage": "/src/stage.js",
          "/src/ask": "/src/ask.js"
        }
      }
    </script>
    <script type="module" src="/src/main.js"></script>`),
  },
  site: '.',
};

const program = (install, run) => ({ install, files: programSources(), run });

/** Binaries of Node come as packages: one per kind of machine. */
const node = (version) =>
  program({ [`node-${process.platform}-${process.arch}`]: version }, [
    `!node_modules/node-${process.platform}-${process.arch}/bin/node`,
    'main.mjs',
  ]);

const RESOLUTIONS = { bundler: 'ESNext', node16: 'Node16', nodenext: 'NodeNext' };
/** What projects from before `exports` still have; the compiler gave it up after these versions. */
const OLD_RESOLUTIONS = { ...RESOLUTIONS, node10: 'ESNext' };
const resolutionsOf = (version) => (version.startsWith('~5.') ? OLD_RESOLUTIONS : RESOLUTIONS);

/** A strict program over every entry of the package; all declarations are checked, ours and those of three. */
const typescript = (version) => ({
  install: { ...TYPES, typescript: version, 'cannon-es': '^0.20.0', 'cannon-es-debugger': '^1.0.0' },
  files: {
    ...typedSources(),
    ...Object.fromEntries(
      Object.entries(resolutionsOf(version)).map(([moduleResolution, module]) => [
        `tsconfig.${moduleResolution}.json`,
        json({
          compilerOptions: {
            target: 'ES2022',
            lib: ['ES2022', 'DOM', 'DOM.Iterable'],
            types: [],
            strict: true,
            noEmit: true,
            module,
            moduleResolution,
          },
          include: ['src'],
        }),
      ]),
    ),
  },
  checks: Object.keys(resolutionsOf(version)).map((name) => [
    'node_modules/typescript/bin/tsc',
    '-p',
    `tsconfig.${name}.json`,
  ]),
});

/** @type {Record<string, Project>} */
export const projects = {
  'vite 5': vite('5', '~5.6.2'),
  'vite 6': vite('6', '~5.8.3'),
  'vite 7': vite('7', '~5.9.3'),
  'vite 8': vite('8', '~6.0.0'),
  'webpack 5': webpack,
  'esbuild, one script': esbuild([], '<script src="/main.js"></script>'),
  'esbuild, modules': esbuild(
    ['--format=esm', '--splitting'],
    '<script type="module" src="/main.js"></script>',
  ),
  'parcel 2': parcel,
  'rollup 4': rollup,
  'next 16': next,
  'plain modules': plain,
  'this node': program({}, ['main.mjs']),
  'node 20': node('^20.16.0'),
  'node 22': node('^22.0.0'),
  'node 24': node('^24.0.0'),
  bun: program({ bun: '^1.0.0' }, ['!node_modules/.bin/bun', 'main.mjs']),
  deno: program({ deno: '^2.0.0' }, ['!node_modules/.bin/deno', 'run', '-A', 'main.mjs']),
  ...Object.fromEntries(
    ['5.4', '5.5', '5.6', '5.7', '5.8', '5.9', '6.0', '7.0'].map((version) => [
      `typescript ${version}`,
      typescript(`~${version}.0`),
    ]),
  ),
};
