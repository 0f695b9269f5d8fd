// The whole test run: a Chromium first, then types, lint, build, the tests in Node, the built page,
// the tests in the browser. Sections that fail do not hide later ones, except that nothing
// runs against a package that could not be built. Ends with a summary that names every failed test and says how
// it failed, and with one plain line: N passed, N failed.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFailures, lastLines } from './failures.mjs';
import { ensureChromium, HOW_TO_FIX } from './find-chromium.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const results = [];
let passed = 0;
let failed = 0;
let skipped = 0;

function section(title) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(0, 90 - title.length))}`);
}

/** Enough of what a program printed to say how it ended. */
const KEPT = 20_000;

/** Runs a script of Node; what it prints is passed on, and the end of it kept. */
function node(args, env = {}) {
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...colours, ...env },
  });
  let output = '';
  for (const stream of ['stdout', 'stderr'])
    child[stream].on('data', (bytes) => {
      process[stream].write(bytes);
      output = (output + bytes).slice(-KEPT);
    });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ ok: false, output: `${output}\n${error.message}` }));
    child.on('close', (code, signal) => {
      if (signal !== null) output += `\nended by ${signal}`;
      resolve({ ok: code === 0, output });
    });
  });
}

function record(ok, title, failures = []) {
  const names = failures.map(({ name }) => name).slice(0, 3);
  results.push(`${ok ? 'ok  ' : 'FAIL'} ${title}${names.length > 0 ? `: ${names.join('; ')}` : ''}`);
  if (failures.length === 0) return;
  const load = loadavg()
    .map((x) => x.toFixed(1))
    .join(' ');
  results.push(...describeFailures(failures), `     (load of the machine at the end of it: ${load})`);
}

/** A step that counts as one check. */
async function check(title, args) {
  section(title);
  const { ok, output } = await node(args);
  if (ok) passed++;
  else failed++;
  record(ok, title, ok ? [] : [{ name: args.join(' '), lines: lastLines(output) }]);
  return ok;
}

/** One project of Vitest; its tests are counted one by one. */
async function tests(title, project, env) {
  section(title);
  const file = join(root, `test/out/${project}.json`);
  rmSync(file, { force: true });
  const { ok, output } = await node(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      `--project=${project}`,
      '--reporter=default',
      '--reporter=./scripts/failures.mjs',
    ],
    { ...env, RICOCHET_REPORT: file },
  );
  let report = { passed: 0, failed: 0, skipped: 0, failures: [] };
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.error(`${title}: Vitest left no report`);
  }
  const { failures } = report;
  if (!ok && failures.length === 0) failures.push({ name: 'Vitest itself', lines: lastLines(output, 25) });
  passed += report.passed;
  failed += Math.max(report.failed, ok ? 0 : 1);
  skipped += report.skipped;
  record(ok, `${title}: ${report.passed} passed, ${report.failed} failed`, failures);
}

/** What else may decide over a test in a browser. */
function machine(path) {
  const gigabytes = (bytes) => `${(bytes / 2 ** 30).toFixed(1)} GB`;
  const parts = [
    `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}`,
    `${gigabytes(freemem())} of ${gigabytes(totalmem())} free`,
    `load ${loadavg()[0].toFixed(1)}`,
    `Node ${process.version}`,
  ];
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    parts.push(`/dev/shm ${gigabytes(bavail * bsize)} free`);
  } catch {}
  try {
    parts.push(execFileSync(path, ['--version'], { encoding: 'utf8', timeout: 60_000 }).trim());
  } catch (error) {
    parts.push(`${path} --version failed: ${error.message.split('\n')[0]}`);
  }
  return parts.join(', ');
}

mkdirSync(join(root, 'test/out'), { recursive: true });

section('Chromium');
const chromium = ensureChromium();
if (chromium) {
  console.log(`${chromium}\n${machine(chromium)}`);
} else {
  console.error(`\n${HOW_TO_FIX}\n`);
  if (process.env.CI) {
    console.log('0 passed, 1 failed');
    process.exit(1);
  }
}

const built = await check('build', ['scripts/build.mjs']);
await check('types', ['node_modules/typescript/bin/tsc', '--noEmit']);
await check('types of what is in JSX', [
  'node_modules/typescript/bin/tsc',
  '--noEmit',
  '-p',
  'tsconfig.react.json',
]);
await check('lint and format', ['node_modules/@biomejs/biome/bin/biome', 'check']);
if (built) {
  await tests('tests in Node', 'node', { CHROME_PATH: chromium });
  await tests('tests on the sanitizer core', 'sanitize');
  if (!chromium) {
    skipped++;
    section('tests in the browser');
    results.push('skip tests in the browser: no Chromium on this machine');
    console.log('Skipped: no Chromium on this machine (see above how to get one).');
  } else if (await check('demo page', ['node_modules/vite/bin/vite.js', 'build', '--logLevel=warn'])) {
    await tests('tests in the browser', 'browser', { CHROME_PATH: chromium });
  }
}

// So that the benchmark cannot rot: two scenes, ours and one peer; it never fails on timing.
await check('benchmark, short form', ['bench/run.mjs', '--short']);

section('summary');
console.log(results.join('\n'));
console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exit(failed ? 1 : 0);
