// npm run mutate [-- words…]: multiplies and divides each f32 and f64 constant of the core by four, removes each rule of
// rules.mjs, and names those that no test notices. Words choose mutants whose name has one of them. Most are noticed within
// 40 steps of the golden scenes, where each is alone. The others run in groups: what a group's run does not notice needs no
// run of its own, and a group that is noticed is halved. They meet the golden scenes for 160 steps, the tests of their
// folder, then the golden scenes for 1,000 steps. --golden leaves out the tests, --quick the last, --list only lists.
// Results are kept in test/out/mutate/results.json; --continue leaves out what was noticed there, and runs that said nothing.
import { fork, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleGolden } from '../golden-bundle.mjs';
import { buildMutants, FOLDER } from './build.mjs';
import { findMutants } from './numbers.mjs';
import { testsOf } from './tests.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const HERE = join(root, 'scripts/mutate');
/** ms. A scene takes seconds: whoever is silent for this long never ends, and that is noticed. */
const LONGEST_SCENE = 400_000;
const LONGEST_TESTS = 900_000;
/** Mutants that act together, where few are noticed. */
const GROUP = 12;

const args = process.argv.slice(2);
const words = args.filter((arg) => !arg.startsWith('--'));
const flag = (name) => args.includes(`--${name}`);
const results = join(FOLDER, 'results.json');
const known = flag('continue') && existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : {};

const all = findMutants();
const chosen = [...all.entries()].filter(
  ([, { id, users, name }]) =>
    !known[id]?.noticed &&
    (words.length === 0 ||
      words.some((word) =>
        [id, ...users.map((file) => `${file}:${name}`)].some((each) => each.includes(word)),
      )),
);
if (flag('list')) {
  for (const [, { id, value, rule }] of chosen) console.log(rule ? id : `${id} = ${value}`);
  process.exit(0);
}

await buildMutants(all);
await bundleGolden(FOLDER, [
  {
    name: 'mutants',
    resolveId: (source) => {
      const [, name] = /\/(core|inspector|actors)-wasm$/.exec(source) ?? [];
      return name ? join(FOLDER, `${name}-wasm.js`) : null;
    },
  },
]);

let runner;
const start = () =>
  new Promise((resolve) => {
    runner = fork(join(HERE, 'golden.mjs'), { cwd: root, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    runner.once('message', resolve);
  });

/** What the golden scenes say about mutants, [number, factor] each, in so many steps: '' if nothing. */
function golden(mutants, most) {
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
    runner.send({ mutants, most, file: all[mutants[0]?.[0]]?.users[0] });
  });
}

/** The first test of a file or folder that fails with mutants: '' if none. */
function tests(mutants, path) {
  return new Promise((resolve) => {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/mutate/vitest.config.ts'];
    const child = spawn(process.execPath, [...vitest, '--bail=1', '--reporter=tap-flat', path], {
      cwd: root,
      env: { ...process.env, RICOCHET_MUTANTS: mutants.map((each) => each.join(':')).join(',') },
    });
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

/** Tests that passed without mutants. */
const sound = new Set();

/** As tests(). What fails without a mutant, too, is an error. */
async function soundTests(mutants, path) {
  const by = await tests(mutants, path);
  if (by && !sound.has(path)) {
    const told = await tests([], path);
    if (told) throw new Error(`without a mutant: ${told}`);
    sound.add(path);
  }
  return by;
}

await start();
const told = await golden([], 160);
if (told) throw new Error(`without a mutant: ${told}`);

const resultOf = (number) => (known[all[number].id] ??= { noticed: false, by: '', passed: [] });
const open = (numbers) => numbers.filter((number) => !resultOf(number).noticed);

/** Gives mutants to `ask`, a group at a time, and notes which are noticed. `stage` names the runs. */
async function sift(numbers, factor, stage, ask) {
  const acting = numbers.map((number) => [number, all[number].rule ? 0 : factor]);
  const by = numbers.length > 0 ? await ask(acting) : '';
  if (by && numbers.length > 1) {
    const half = numbers.length >> 1;
    for (const part of [numbers.slice(0, half), numbers.slice(half)]) await sift(part, factor, stage, ask);
    return;
  }
  for (const number of numbers) {
    const result = resultOf(number);
    if (by) Object.assign(result, { noticed: true, by: all[number].rule ? by : `× ${factor}: ${by}` });
    else result.passed.push(`${stage} × ${factor}`);
    console.log(`${all[number].id}: ${by ? result.by : `not by ${stage} × ${factor}`}`);
  }
  writeFileSync(results, JSON.stringify(known, null, 1));
}

/** All groups of a stage with each factor. Rules have only one. */
async function runStage(groups, stage, ask, factors = [4, 0.25]) {
  for (const factor of factors)
    for (const group of groups) {
      const left = open(group).filter(
        (number) =>
          !resultOf(number).passed.includes(`${stage} × ${factor}`) && (factor === 4 || !all[number].rule),
      );
      await sift(left, factor, stage, ask);
    }
}

/** Numbers in groups of at most so many; those of one file are neighbours. */
const inGroups = (numbers, most) =>
  Array.from({ length: Math.ceil(numbers.length / most) }, (_, i) => numbers.slice(i * most, (i + 1) * most));

const numbers = chosen.map(([number]) => number);
await runStage(inGroups(numbers, 1), '40 steps', (mutants) => golden(mutants, 40), [4]);
await runStage(inGroups(open(numbers), GROUP), '160 steps', (mutants) => golden(mutants, 160));
if (!flag('golden')) {
  const lists = new Map();
  for (const number of open(numbers)) {
    const paths = [...new Set(all[number].tests ?? all[number].users.flatMap(testsOf))].join(' ');
    lists.set(paths, [...(lists.get(paths) ?? []), number]);
  }
  for (const [paths, group] of lists)
    for (const path of paths.split(' '))
      await runStage(inGroups(group, GROUP), path, (mutants) => soundTests(mutants, path));
}
if (!flag('quick'))
  await runStage(inGroups(open(numbers), GROUP), '1,000 steps', (mutants) => golden(mutants, 1000));
runner.kill();

const unnoticed = open(numbers).map((number) => all[number].id);
console.log(`${unnoticed.length} of ${chosen.length} are noticed by no test${unnoticed.length ? ':' : ''}`);
for (const id of unnoticed) console.log(`  ${id}`);
process.exitCode = unnoticed.length > 0 ? 1 : 0;
