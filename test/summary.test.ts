// The summary of `npm test` says what failed and how, without the log above it. In: a run of Vitest over tests that
// fail in every way there is. Out: what the reporter left, and the lines of the summary.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { describeFailures, lastLines } from '../scripts/failures.mjs';
import { root } from './sources';

test('every way to fail is named, counted and explained', () => {
  const folder = join(root, 'test/out/summary');
  const report = join(folder, 'report.json');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'test'), { recursive: true });
  writeFileSync(
    join(folder, 'test/a.test.ts'),
    `import { beforeAll, describe, expect, test } from 'vitest';
describe('with a browser', () => {
  beforeAll(() => { throw new Error('no browser'); });
  test('is not reached', () => {});
});
test('is wrong', () => expect({ a: 1 }).toEqual({ a: 2 }));
test('takes for ever', () => new Promise(() => {}), 50);
test('is right', () => {});
test.skip('is not wanted', () => {});`,
  );
  writeFileSync(join(folder, 'test/b.test.ts'), "throw new Error('no such file');");
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};');
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder];
  const { status } = spawnSync(
    process.execPath,
    [...args, `--reporter=${join(root, 'scripts/failures.mjs')}`],
    { env: { ...process.env, RICOCHET_REPORT: report }, encoding: 'utf8' },
  );
  expect(status).toBe(1);
  const { failures, ...counts } = JSON.parse(readFileSync(report, 'utf8'));
  expect(counts).toEqual({ passed: 1, failed: 4, skipped: 2 });
  expect(describeFailures(failures)).toEqual([
    '     ✗ test/a.test.ts › with a browser (before or after its tests)',
    '         Error: no browser',
    '         at test/a.test.ts:3',
    '     ✗ test/a.test.ts › is wrong',
    '         AssertionError: expected { a: 1 } to deeply equal { a: 2 }',
    '         at test/a.test.ts:6',
    '     ✗ test/a.test.ts › takes for ever',
    '         Error: Test timed out in 50ms.',
    expect.stringContaining('long-running test'),
    '         at test/a.test.ts:7',
    '     ✗ test/b.test.ts (could not be loaded)',
    '         Error: no such file',
    '         at test/b.test.ts:1',
  ]);
});

test('without a report the end of the output is at hand', () => {
  expect(lastLines('one\n\n\u001b[1mtwo\u001b[22m\nthree\n', 2)).toEqual(['two', 'three']);
});

test('a hundred failures do not bury the summary', () => {
  const many = Array.from({ length: 100 }, (_, i) => ({ name: `test ${i}`, lines: ['why'] }));
  const lines = describeFailures(many);
  expect(lines).toHaveLength(41);
  expect(lines.at(-1)).toContain('80 more');
});
