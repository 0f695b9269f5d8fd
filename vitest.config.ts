// Two projects: `node` for everything that runs in Node, `browser` for the tests that drive a
// Chromium through the built page (scripts/test.mjs builds it first).
import { defineConfig } from 'vitest/config';
import { sources } from './vite.config.ts';

const common = {
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
          include: ['test/**/*.test.ts', 'src/**/*.test.ts', 'worker/**/*.test.ts'],
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
