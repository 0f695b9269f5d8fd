// .bullet files beside Bullet itself. In: a clone of bullet3 under --from (`--fetch` clones it there; nothing of it is kept here), and
// g++. Out: Bullet's own importer, built beside the clone, and the tests of its public files with it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: { from: { type: 'string' }, fetch: { type: 'boolean', default: false } },
});
if (!options.from) {
  console.error('usage: npm run bullet-files -- --from DIRECTORY [--fetch]');
  process.exit(2);
}
const from = resolve(options.from);
const root = join(from, 'bullet3');
if (!existsSync(root)) {
  if (!options.fetch) throw new Error(`no clone of bulletphysics/bullet3 in ${from}: add --fetch`);
  mkdirSync(from, { recursive: true });
  const address = 'https://github.com/bulletphysics/bullet3.git';
  execFileSync('git', ['clone', '--depth', '1', address, root], { stdio: 'inherit' });
}
const serialize = join(root, 'Extras/Serialize');
const loader = join(serialize, 'BulletFileLoader');
const importer = join(serialize, 'BulletWorldImporter');
const sources = [
  ...['btLinearMathAll', 'btBulletCollisionAll', 'btBulletDynamicsAll'].map((name) =>
    join(root, `src/${name}.cpp`),
  ),
  ...['bChunk', 'bDNA', 'bFile', 'btBulletFile'].map((name) => join(loader, `${name}.cpp`)),
  ...['btBulletWorldImporter', 'btWorldImporter'].map((name) => join(importer, `${name}.cpp`)),
  join(here, 'import.cpp'),
];
const build = join(from, 'importer');
mkdirSync(build, { recursive: true });
const objects = sources.map((source) => {
  const object = join(build, `${basename(source, '.cpp')}.o`);
  if (!existsSync(object) || basename(source) === 'import.cpp')
    execFileSync(
      'g++',
      ['-O1', '-w', `-I${join(root, 'src')}`, `-I${loader}`, `-I${importer}`, '-c', source, '-o', object],
      { stdio: 'inherit' },
    );
  return object;
});
const program = join(build, 'import');
execFileSync('g++', [...objects, '-o', program], { stdio: 'inherit' });
execFileSync('npx', ['vitest', 'run', '--project', 'node', 'test/bulletFile/publicFiles'], {
  stdio: 'inherit',
  env: { ...process.env, BULLET3: root, BULLET_IMPORT: program },
});
