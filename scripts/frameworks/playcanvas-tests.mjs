// PlayCanvas's own tests of rigid bodies, joints, collision and physics worlds, on the world of ricochet/playcanvas and the
// installed engine. In: a clone of github.com/playcanvas/engine (its git directory will do). Out: what passes; with status 1
// if anything fails that is not expected to.
//
//   node scripts/frameworks/playcanvas-tests.mjs path/to/engine [commit]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const out = join(root, 'test/out/playcanvas-tests');
const [, , clone, commit = 'HEAD'] = process.argv;
if (clone === undefined) {
  console.error('usage: node scripts/frameworks/playcanvas-tests.mjs path/to/engine [commit]');
  process.exit(2);
}

const FILES = [
  'test/framework/physics/null-physics-world.test.mjs',
  'test/framework/components/rigid-body/component.test.mjs',
  'test/framework/components/rigid-body/system.test.mjs',
  'test/framework/components/joint/component.test.mjs',
  'test/framework/components/collision/component.test.mjs',
];

/** What is about a world without physics, by the title of the test, and why it cannot be so with one. */
const OF_NO_PHYSICS = JSON.parse(
  readFileSync(join(root, 'scripts/frameworks/playcanvas-expected.json'), 'utf8'),
);

/** The engine's tests start a page and a server; here a page is enough. */
const PAGE = `import { JSDOM } from 'jsdom';
export const jsdomSetup = () => {
  const { window } = new JSDOM('<!DOCTYPE html><body></body>', { url: 'http://localhost' });
  Object.assign(globalThis, { window, document: window.document });
  for (const name of ['Audio', 'Image', 'KeyboardEvent', 'MouseEvent', 'XMLHttpRequest']) globalThis[name] = window[name];
};
export const jsdomTeardown = () => {};
`;

const show = (path) =>
  execFileSync('git', ['-C', clone, 'show', `${commit}:${path}`], { encoding: 'utf8', maxBuffer: 1e8 });
const adapt = (text) =>
  text
    .replace(
      /import \{ NullPhysicsWorld \} from '[^']*';/,
      "import { RicochetPhysicsWorld as NullPhysicsWorld } from 'ricochet/playcanvas';",
    )
    .replace(/'(?:\.\.\/)+src\/([^']+)'/g, "'engine/$1'");

rmSync(join(out, 'test'), { recursive: true, force: true });
for (const path of [...FILES, 'test/app.mjs']) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), adapt(show(path)));
}
writeFileSync(join(out, 'test/jsdom.mjs'), PAGE);
if (!existsSync(join(out, 'node_modules/jsdom'))) {
  writeFileSync(join(out, 'package.json'), '{ "private": true, "type": "module" }\n');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', 'jsdom@26'], { cwd: out, stdio: 'inherit' });
}
writeFileSync(
  join(out, 'vitest.config.mjs'),
  `import { sources } from ${JSON.stringify(join(root, 'vite.config.ts'))};
const engine = ${JSON.stringify(join(root, 'node_modules/playcanvas/build/playcanvas.dbg/src'))};
const alias = Object.entries({ ...sources, engine }).map(([find, replacement]) => ({ find, replacement }));
alias.push({ find: /^playcanvas$/, replacement: engine + '/index.js' });
export default {
  root: ${JSON.stringify(out)},
  resolve: { alias },
  test: { globals: true, include: ['test/**/*.test.mjs'], testTimeout: 20000, maxWorkers: 1 },
};
`,
);
const report = join(out, 'report.json');
spawnSync(
  join(root, 'node_modules/.bin/vitest'),
  ['run', '--config', join(out, 'vitest.config.mjs'), '--reporter=json', `--outputFile=${report}`],
  { cwd: out, stdio: ['ignore', 'ignore', 'inherit'] },
);
const tests = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(
  ({ assertionResults }) => assertionResults,
);
const failed = tests.filter(({ status }) => status === 'failed');
const surprises = failed.filter(({ fullName }) => !(fullName in OF_NO_PHYSICS));
const version = JSON.parse(readFileSync(join(root, 'node_modules/playcanvas/package.json'), 'utf8')).version;
console.log(
  `PlayCanvas's own tests at ${execFileSync('git', ['-C', clone, 'rev-parse', '--short', commit], { encoding: 'utf8' }).trim()}, on engine ${version} with ricochet's world:`,
);
console.log(`${tests.filter(({ status }) => status === 'passed').length} of ${tests.length} pass`);
for (const { fullName } of failed)
  if (fullName in OF_NO_PHYSICS) console.log(`as expected, not: ${fullName} (${OF_NO_PHYSICS[fullName]})`);
for (const { fullName, failureMessages } of surprises)
  console.log(`FAILS: ${fullName}\n  ${failureMessages.join('\n').split('\n').slice(0, 4).join('\n  ')}`);
if (tests.length === 0 || surprises.length > 0) process.exit(1);
