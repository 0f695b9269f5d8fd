// Fresh projects of the main bundlers and hosts run the first examples of the README, as they are written, from the
// packed package. In: scripts/fresh, and the bundlers among this repository's own packages. Out: that the crate has
// fallen, that nothing was complained of, and that all say the same. Every bundler and host: npm run test:fresh.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { findChromium } from '../scripts/find-chromium.mjs';
// @ts-expect-error: plain JavaScript without declarations
import { NotInstalled, pack, runProject, sharedBrowser } from '../scripts/fresh/run.mjs';
import { root } from './sources';

const built = existsSync(join(root, 'dist/index.js'));
const cache = join(root, 'test/out/fresh');
const browser = sharedBrowser();
/** The first one's words. */
const expected = {};
const ALWAYS = { comlink: 'comlink', three: 'three', '@types/three': '@types/three' };
let tarball: string;

describe.runIf(built)('the examples of the README in a fresh project', () => {
  beforeAll(() => {
    tarball = pack(cache);
  });
  afterAll(() => browser.close());

  /** With packages of this repository; null: what npm installs, once. */
  async function fresh(context: TestContext, name: string, packages: Record<string, string> | null) {
    const linked = packages && { ...ALWAYS, ...packages };
    const folder = linked ? cache : join(root, 'node_modules/.cache/fresh');
    const options = { tarball, cache: folder, browser: browser.get, expected, linked, short: true };
    const run: Promise<string[]> = runProject(name, options);
    return run.catch((error) => {
      if (!(error instanceof NotInstalled) || process.env['CI']) throw error;
      console.warn(`NOT TESTED, ${name}: ${error.message}`);
      return context.skip(error.message);
    });
  }

  test('Node', async (context) => {
    expect(await fresh(context, 'this node', {})).toEqual(['run']);
  });

  // Every entry of the package: strict, all declarations checked.
  test('the oldest TypeScript', async (context) => {
    expect(await fresh(context, 'typescript 5.4', null)).toEqual(['tsconfig.bundler.json']);
  });

  const pages: [string, Record<string, string> | null, string[]][] = [
    ['plain modules', {}, ['page']],
    // Its development server is one of those that keep dependencies in a cache of their own.
    ['vite 7', null, ['dev', 'build']],
    ['vite 8', { vite: 'vite', typescript: 'typescript' }, ['dev', 'build']],
    ['esbuild, one script', null, ['dev', 'build']],
  ];
  test.skipIf(findChromium() === '').for(pages)('%s', async ([name, packages, done], context) => {
    expect(await fresh(context, name, packages)).toEqual(done);
  });
});
