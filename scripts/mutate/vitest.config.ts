// The tests on the core with mutants: RICOCHET_MUTANT says which one acts (factors.mjs).
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { sources } from '../../vite.config.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  root: path('../..'),
  resolve: { alias: sources },
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      resolveId(source) {
        const [, name] = /\/(core|inspector|actors)-wasm$/.exec(source) ?? [];
        if (name) return path(`../../test/out/mutate/${name}-wasm.js`);
        // Tests of a part of the core compile it themselves.
        return source.endsWith('/compile-core-entry.mjs') ? path('./compile-core-entry.mjs') : null;
      },
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      ...['test/browser/**', 'test/out/**', 'test/sanitize/**', 'test/threads/**', '**/node_modules/**'],
      'test/core/inspector.test.ts', // counts imports, of which mutants are one
      ...['**/cost.test.ts', '**/*Cost.test.ts', '**/*Timing.test.ts'], // what they measure depends on what else runs
    ],
    setupFiles: [path('./factors.mjs')],
    hookTimeout: 300_000,
    testTimeout: 300_000,
    maxWorkers: 1,
  },
});
