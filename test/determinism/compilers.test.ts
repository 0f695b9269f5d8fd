// The baseline and the optimising compiler of V8 compute the same bits: golden scenes and random worlds under each of
// them. They differ where WebAssembly leaves something open, as it does the sign and payload of NaN. Which of them
// compiled a function depends on the time that has passed: a difference would be one between two runs of one program.
// SOAK=1 runs the scenes to their end.
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import golden from './golden.json';
import { firstDifference } from './hashes';
import { goldenScenes } from './scenes';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SOAK = process.env['SOAK'] === '1';
const STEPS = SOAK ? 1000 : 100;
const WORLDS = SOAK ? 1000 : 10;
const COMPILERS = { baseline: '--liftoff-only', optimising: '--no-liftoff' };

async function bundled(): Promise<string> {
  const dir = join(root, '.cache/compilers');
  mkdirSync(dir, { recursive: true });
  const alias = Object.fromEntries(
    ['/cooking', '/geometry', '/replay', ''].map((part) => [
      `ricochet${part}`,
      join(root, `src${part}/index.ts`),
    ]),
  );
  const input = join(root, 'test/determinism/compilersChild.ts');
  const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent', resolve: { alias } });
  await bundle.write({ dir, format: 'esm', entryFileNames: 'child.mjs' });
  return join(dir, 'child.mjs');
}

test(`golden scenes for ${STEPS} steps and ${WORLDS} random worlds: the same hashes under both compilers`, {
  timeout: 3600_000,
}, async () => {
  const child = await bundled();
  const [baseline, optimising] = (await Promise.all(
    Object.values(COMPILERS).map(async (flag) => {
      const args = [flag, child, String(STEPS), String(WORLDS)];
      const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 28 });
      return JSON.parse(stdout) as Record<string, string[]>;
    }),
  )) as [Record<string, string[]>, Record<string, string[]>];
  expect(Object.keys(baseline)).toHaveLength(goldenScenes.length + WORLDS);
  for (const [name, hashes] of Object.entries(baseline))
    expect(firstDifference(hashes, optimising[name]!), `${name}: difference`).toBe(0);
  for (const { id } of goldenScenes)
    expect(
      firstDifference(baseline[id]!, (golden as Record<string, string[]>)[id]!.slice(0, STEPS / 10)),
      id,
    ).toBe(0);
});
