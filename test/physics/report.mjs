// The quality table as text: measured value, target and verdict of every row of test/physics.
//   node test/physics/report.mjs [--set substeps=8,contactHertz=60] [--fail] [--json] [word ...]
// Words choose rows by name or by file (any of them, case-insensitive); --set overrides world settings
// in every row, to tune the solver; --fail prints missed checks only. Bundles the test files with
// Vitest replaced by a collector, so that one row starts in a fraction of a second.

import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { buildCore } from '../../scripts/build-core.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string', default: '' },
    fail: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const words = positionals.map((word) => word.toLowerCase());

globalThis.ricochetTuning = Object.fromEntries(
  options.set
    .split(',')
    .filter(Boolean)
    .map((pair) => {
      const [key, value] = pair.split('=');
      return [
        key,
        value === 'true'
          ? true
          : value === 'false'
            ? false
            : Number.isNaN(Number(value))
              ? value
              : Number(value),
      ];
    }),
);

const rows = [];
globalThis.ricochetCollect = (name, run) => rows.push({ file, name, run });
const collector = `
  export const test = (name, options, run) => globalThis.ricochetCollect(name, run ?? options);
  test.skip = () => {};
  test.each = () => () => {}; // tables of plain tests are no rows
  export const it = test, beforeAll = () => {}, afterAll = () => {};
  export const describe = (name, body) => body();
  describe.each = () => () => {};
  export const expect = () => new Proxy({}, { get: () => () => {} });
`;

/** Compiles the core when one of its sources is newer than what was built last. */
async function freshCore() {
  const root = join(here, '../..');
  const time = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(root, 'src/core'), { recursive: true }).map((name) =>
    time(`src/core/${name}`),
  );
  if (Math.max(...sources) > time('dist/core.wasm')) await buildCore();
}
await freshCore();

let file = '';
const outDir = join(here, '../../.cache/report');
mkdirSync(outDir, { recursive: true });
const names = readdirSync(here).filter((name) => name.endsWith('.test.ts'));
const bundle = await rolldown({
  input: Object.fromEntries(names.map((name) => [name.replace('.test.ts', ''), join(here, name)])),
  platform: 'node',
  logLevel: 'silent',
  plugins: [
    {
      name: 'collect-rows',
      resolveId: (id) => (id === 'vitest' ? '\0collector' : null),
      load: (id) => (id === '\0collector' ? collector : null),
    },
  ],
});
await bundle.write({
  dir: outDir,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-chunk.mjs',
});
for (const name of names) {
  file = name.replace('.test.ts', '');
  await import(`${pathToFileURL(join(outDir, `${file}.mjs`))}?${process.pid}`);
}

const short = (value) =>
  !Number.isFinite(value) || (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e6))
    ? value.toExponential(3)
    : String(Number(value.toPrecision(6)));

let missed = 0;
const results = [];
for (const { file, name, run } of rows) {
  const key = `${file} ${name}`.toLowerCase();
  if (words.length > 0 && !words.some((word) => key.includes(word))) continue;
  let checks = [];
  globalThis.ricochetReport = (_, measured) => {
    checks = measured;
  };
  const start = performance.now();
  try {
    await run();
  } catch (error) {
    checks = [{ what: `threw ${error?.stack ?? error}`, value: Number.NaN, target: '', pass: false }];
  }
  const ms = performance.now() - start;
  missed += checks.filter((check) => !check.pass).length;
  results.push({ file, name, ms, checks });
  if (options.json) continue;
  const shown = options.fail ? checks.filter((check) => !check.pass) : checks;
  if (shown.length === 0) continue;
  console.log(`${name}   [${file}, ${(ms / 1000).toFixed(2)} s]`);
  for (const { what, value, target, pass } of shown)
    console.log(`  ${pass ? 'ok  ' : 'MISS'} ${what.padEnd(44)} ${short(value).padStart(12)}   ${target}`);
}
if (options.json) console.log(JSON.stringify(results, null, 1));
else console.log(`${results.length} rows, ${missed} missed`);
process.exitCode = missed > 0 ? 1 : 0;
