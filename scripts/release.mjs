// One command for a release: npm run release -- --dry-run looks at everything and publishes nothing. In: a clean checkout
// whose tests have passed. Out: what the package has in it; without --dry-run, the package published and the commit tagged.
// Provenance: where continuous integration publishes, the registry is told which commit and which run made the package.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dry = process.argv.includes('--dry-run');
const folder = join(root, '.cache/release');
const { name, version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const run = (command, args, stdio = 'inherit') =>
  execFileSync(command, args, { cwd: root, stdio, encoding: 'utf8' });
function check(title, right, hint) {
  console.log(`${right ? 'ok  ' : 'FAIL'} ${title}`);
  if (!right) throw new Error(hint);
}

/** Entries that are scripts or bytes: nobody imports names of them. */
const SCRIPTS = [
  'ammo.global.js',
  'physics.worker.js',
  'physics.tools.js',
  'physics.systems.js',
  'cooking.worker.js',
  'core.wasm',
];

try {
  const clean = run('git', ['status', '--porcelain'], 'pipe').trim() === '';
  check('nothing is left to commit', clean || dry, 'commit or remove what git status names');
  const [, told] = /^## (\S+)/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  check(`CHANGELOG.md begins with ${version}`, told === version, `it begins with ${told}`);
  if (!existsSync(join(root, 'site/node_modules'))) run('npm', ['ci', '--prefix', 'site']);
  run(process.execPath, ['scripts/build.mjs']);

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], 'pipe');
  const [report] = Object.values(JSON.parse(packed));
  const { filename, size, unpackedSize, files } = report;
  console.log(
    `\n${filename}: ${files.length} files, ${(size / 1024).toFixed(0)} KB packed, ${(unpackedSize / 1024).toFixed(0)} KB unpacked`,
  );
  const stray = files.filter(
    ({ path }) => !/^(dist|docs)\/|^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(path),
  );
  check(
    'nothing else is in it than dist, docs, licence, readme, changelog',
    stray.length === 0,
    stray.map(({ path }) => path).join(', '),
  );
  const bin = join(root, 'site/node_modules/.bin');
  run(join(bin, 'publint'), ['--strict', '.']);
  check('publint --strict', true);
  run(
    join(bin, 'attw'),
    [
      join(folder, filename),
      '--profile',
      'esm-only',
      '--format',
      'ascii',
      '--exclude-entrypoints',
      ...SCRIPTS,
    ],
    'pipe',
  );
  check('are the types wrong? No', true);

  console.log('\nLicences of what is installed with it:');
  for (const dependency of Object.keys(dependencies)) {
    const manifest = JSON.parse(readFileSync(join(root, 'node_modules', dependency, 'package.json'), 'utf8'));
    console.log(`  ${dependency} ${manifest.version}: ${manifest.license}`);
  }
  if (dry) {
    console.log(`\n${name} ${version} could be published. Nothing was.`);
  } else {
    const provenance = process.env.CI ? ['--provenance'] : [];
    run('npm', ['publish', join(folder, filename), '--access', 'public', ...provenance]);
    run('git', ['tag', `v${version}`]);
    console.log(
      `\n${name} ${version} is published, and tagged v${version}; git push --tags tells the others.`,
    );
  }
} catch (error) {
  console.error(`\n${error.stdout ?? ''}${error.message}`);
  process.exit(1);
}
