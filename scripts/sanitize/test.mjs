// npm run test:sanitize: the tests on the sanitizer core; with --mutations, what it catches (mutations.mjs). Names of
// test files, and options of Vitest, may follow.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const args = process.argv.slice(2);
const own = args.includes('--mutations')
  ? ['scripts/sanitize/mutations.mjs', ...args.filter((arg) => arg !== '--mutations')]
  : ['node_modules/vitest/vitest.mjs', 'run', '--project=sanitize', ...args];
const { status } = spawnSync(process.execPath, own, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SANITIZE: 'all' },
});
process.exit(status ?? 1);
