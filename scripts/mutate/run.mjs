// npm run mutate [-- words…]: multiplies and divides each f32 and f64 constant of the core by four, removes each rule of
// rules.mjs, and names those that no test notices. Words choose mutants whose name has one of them. The golden scenes are
// tried first; what they do not notice is given to the tests of its folder. --golden stops before these, --list only
// lists; --quick runs the golden scenes for 160 steps in place of 1,000. Results are kept in test/out/mutate/results.json;
// --continue leaves out what was noticed there. The whole takes hours.
import { fork, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildMutants, FOLDER } from './build.mjs';
import { findMutants } from './numbers.mjs';
import { testsOf } from './tests.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const HERE = join(root, 'scripts/mutate');
/** ms. A scene takes seconds: whoever is silent for this long never ends, and that is noticed. */
const LONGEST_SCENE = 400_000;
const LONGEST_TESTS = 900_000;

const args = process.argv.slice(2);
const words = args.filter((arg) => !arg.startsWith('--'));
const flag = (name) => args.includes(`--${name}`);
const results = join(FOLDER, 'results.json');
const known = flag('continue') && existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : {};

const all = findMutants();
const chosen = [...all.entries()].filter(
  ([, { id }]) => (words.length === 0 || words.some((word) => id.includes(word))) && !known[id]?.noticed,
);
if (flag('list')) {
  for (const [, { id, value, rule }] of chosen) console.log(rule ? id : `${id} = ${value}`);
  process.exit(0);
}

await buildMutants(all);
const bundle = await rolldown({
  input: join(root, 'test/determinism/goldenEntry.ts'),
  platform: 'node',
  logLevel: 'silent',
  plugins: [
    {
      name: 'mutants',
      resolveId: (source) => {
        const [, name] = /\/(core|inspector|actors)-wasm$/.exec(source) ?? [];
        return name ? join(FOLDER, `${name}-wasm.js`) : null;
      },
    },
  ],
  resolve: {
    alias: {
      'ricochet/cooking': join(root, 'src/cooking/index.ts'),
      'ricochet/geometry': join(root, 'src/geometry/index.ts'),
      'ricochet/replay': join(root, 'src/replay/index.ts'),
      ricochet: join(root, 'src/index.ts'),
    },
  },
});
await bundle.write({ dir: FOLDER, format: 'esm', entryFileNames: 'entry.mjs' });

let runner;
const start = () =>
  new Promise((resolve) => {
    runner = fork(join(HERE, 'golden.mjs'), { cwd: root, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    runner.once('message', resolve);
  });

/** What the golden scenes say about a mutant: '' if nothing. */
function golden(number, factor) {
  return new Promise((resolve) => {
    let timer;
    const done = (noticed) => {
      clearTimeout(timer);
      runner.removeAllListeners();
      resolve(noticed);
    };
    const hung = async () => {
      runner.removeAllListeners();
      runner.kill('SIGKILL');
      await start();
      done('does not end');
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(hung, LONGEST_SCENE);
    };
    runner.on('message', ({ noticed }) => (noticed === undefined ? wait() : done(noticed)));
    runner.on('exit', async (code, signal) => {
      await start();
      done(`ends the process: ${signal ?? code}`);
    });
    wait();
    runner.send({ number, factor, file: all[number]?.file, quick: flag('quick') });
  });
}

/** The first test of a mutant's folder that fails: '' if none. */
function tests(number, factor) {
  return new Promise((resolve) => {
    const { file, tests: own } = all[number];
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/mutate/vitest.config.ts'];
    const child = spawn(
      process.execPath,
      [...vitest, '--bail=1', '--reporter=tap-flat', ...(own ?? testsOf(file))],
      {
        cwd: root,
        env: { ...process.env, RICOCHET_MUTANT: `${number}:${factor}` },
      },
    );
    let out = '';
    child.stdout.on('data', (data) => (out += data));
    child.stderr.on('data', () => {});
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_TESTS);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve('');
      const [, failed] = /^not ok \d+ - (.*?)(?: # time.*)?$/m.exec(out) ?? [];
      resolve(failed ?? (signal ? 'does not end' : 'tests could not run'));
    });
  });
}

await start();
const told = await golden(-1, 1);
if (told) throw new Error(`without a mutant: ${told}`);
const unnoticed = [];
for (const [place, [number, { id, rule }]] of chosen.entries()) {
  const factors = rule ? [0] : [4, 0.25];
  const found = [];
  for (const factor of factors) {
    const by = await golden(number, factor);
    if (by) found.push(`${rule ? '' : `× ${factor}: `}${by}`);
    if (by) break;
  }
  if (found.length === 0 && !flag('golden'))
    for (const factor of factors) {
      const by = await tests(number, factor);
      if (by) found.push(`${rule ? '' : `× ${factor}: `}${by}`);
      if (by) break;
    }
  known[id] = { noticed: found.length > 0, by: found };
  writeFileSync(results, JSON.stringify(known, null, 1));
  console.log(`${place + 1}/${chosen.length} ${id}: ${found.length > 0 ? found.join('; ') : 'NOT NOTICED'}`);
  if (found.length === 0) unnoticed.push(id);
}
runner.kill();
console.log(`${unnoticed.length} of ${chosen.length} are noticed by no test${unnoticed.length ? ':' : ''}`);
for (const id of unnoticed) console.log(`  ${id}`);
process.exitCode = unnoticed.length > 0 ? 1 : 0;
