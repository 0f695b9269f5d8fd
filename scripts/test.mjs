// The whole test run: a Chromium first, then types, lint, build, the tests in Node, the built page,
// the tests in the browser. Sections that fail do not hide later ones, except that nothing
// runs against a package that could not be built. Ends with one plain line: N passed, N failed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium, HOW_TO_FIX } from './find-chromium.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const results = [];
let passed = 0;
let failed = 0;
let skipped = 0;

function section(title) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(0, 90 - title.length))}`);
}

function node(args, env = {}) {
  const done = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  return done.status === 0;
}

/** A step that counts as one check. */
function check(title, args) {
  section(title);
  const ok = node(args);
  if (ok) passed++;
  else failed++;
  results.push(`${ok ? 'ok  ' : 'FAIL'} ${title}`);
  return ok;
}

/** One project of Vitest; its tests are counted one by one. */
function tests(title, project, env) {
  section(title);
  const file = join(root, `test/out/${project}.json`);
  rmSync(file, { force: true });
  const ok = node(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      `--project=${project}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    env,
  );
  let counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
  try {
    counts = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.error(`${title}: Vitest left no report`);
  }
  passed += counts.numPassedTests;
  // A suite that could not even be loaded has no test to fail, but must not pass unseen.
  failed += Math.max(counts.numFailedTests, ok ? 0 : 1);
  skipped += counts.numPendingTests + counts.numTodoTests;
  results.push(`${ok ? 'ok  ' : 'FAIL'} ${title}: ${counts.numPassedTests} tests`);
}

mkdirSync(join(root, 'test/out'), { recursive: true });

section('Chromium');
const chromium = ensureChromium();
if (chromium) {
  console.log(chromium);
} else {
  console.error(`\n${HOW_TO_FIX}\n`);
  if (process.env.CI) {
    console.log('0 passed, 1 failed');
    process.exit(1);
  }
}

const built = check('build', ['scripts/build.mjs']);
check('types', ['node_modules/typescript/bin/tsc', '--noEmit']);
check('lint and format', ['node_modules/@biomejs/biome/bin/biome', 'check']);
if (built) {
  tests('tests in Node', 'node', { CHROME_PATH: chromium });
  if (!chromium) {
    skipped++;
    section('tests in the browser');
    results.push('skip tests in the browser: no Chromium on this machine');
    console.log('Skipped: no Chromium on this machine (see above how to get one).');
  } else if (check('demo page', ['node_modules/vite/bin/vite.js', 'build', '--logLevel=warn'])) {
    tests('tests in the browser', 'browser', { CHROME_PATH: chromium });
  }
}

// So that the benchmark cannot rot: two scenes, ours and one peer; it never fails on timing.
check('benchmark, short form', ['bench/run.mjs', '--short']);

section('summary');
console.log(results.join('\n'));
console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exit(failed ? 1 : 0);
