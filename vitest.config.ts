// Two projects: `node` for everything that runs in Node, `browser` for the tests that drive a
// Chromium through the built page (scripts/test.mjs builds it first).

import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { sources } from './vite.config.ts';

/** The sanitizer core in place of the ordinary one: docs/sanitizer.md. */
const sanitizer: Plugin = {
  name: 'sanitizer',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!source.endsWith('/core-module')) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    if (!found?.id.endsWith('/src/wasm/core-module.ts')) return found;
    return fileURLToPath(new URL('./test/sanitize/core-module.ts', import.meta.url));
  },
};

const common = {
  // TEST_THREADS=3: every World of every test on three threads.
  setupFiles: process.env['TEST_THREADS'] ? ['./test/threads/everyWorld.ts'] : [],
  globalSetup: ['./test/setup-core.ts'],
  // Physics runs for minutes of simulated time, and machines do other things, too.
  hookTimeout: 300_000,
  testTimeout: 300_000,
};

export default defineConfig({
  resolve: { alias: sources },
  test: {
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'node',
          include: ['test/**/*.test.{ts,tsx}', 'src/**/*.test.ts', 'worker/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/out/**', 'test/sanitize/**', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        plugins: [sanitizer],
        test: {
          ...common,
          name: 'sanitize',
          globalSetup: ['./test/sanitize/setup.ts'],
          env: { RICOCHET_CORE: 'sanitizer' },
          // All of it by `npm run test:sanitize`, a part in `npm test`.
          include:
            process.env['SANITIZE'] === 'all' ? ['test/**/*.test.{ts,tsx}'] : ['test/sanitize/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/out/**', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          ...common,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          fileParallelism: false, // frame times are measured
          testTimeout: 600_000,
          expect: { poll: { timeout: 120_000 } }, // its own is a second: on a busy machine a worker takes longer to start
        },
      },
    ],
  },
});
