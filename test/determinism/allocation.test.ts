// A settled step allocates nothing on JavaScript's heap and grows no memory. Measured in a child process
// of Node with --expose-gc, because the test runner's own heap never rests.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect } from 'vitest';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const test = ordinaryCoreOnly('it measures memory, of a bundle with the ordinary core');

const here = fileURLToPath(new URL('.', import.meta.url));
const STEPS = 1000;
/** The smallest object of V8 with 8-byte words is a boxed number: map and value. */
const SMALLEST_OBJECT = 16;

interface Growth {
  /** Bytes of new objects in the quietest of several runs of 1,000 steps. */
  heap: number;
  /** The same, for a loop of 1,000 calls of an empty function: the noise of measuring. */
  floor: number;
  arrayBuffers: number;
  memory: number;
}

test(`${STEPS} steps of a settled pile allocate no object, no buffer and no memory`, {
  timeout: 180_000,
}, async () => {
  const outDir = join(here, '../../.cache/allocation');
  mkdirSync(outDir, { recursive: true });
  const bundle = await rolldown({
    input: join(here, 'allocationChild.ts'),
    platform: 'node',
    logLevel: 'silent',
  });
  await bundle.write({ dir: outDir, format: 'esm', entryFileNames: 'child.mjs' });
  // One thread: compilers in the background would allocate while we measure.
  const output = execFileSync(
    process.execPath,
    ['--expose-gc', '--single-threaded', join(outDir, 'child.mjs'), String(STEPS)],
    { encoding: 'utf8' },
  );
  const growth: Record<string, Growth> = JSON.parse(output);
  for (const [name, { heap, floor, arrayBuffers, memory }] of Object.entries(growth)) {
    // One smallest object per step would show as 16,000 bytes. Reading the heap's size costs `floor`
    // (a few hundred bytes); 2 kB above it can only be the engine's counters warming up, not a step.
    expect.soft(heap - floor, `${name}: bytes of objects`).toBeLessThan((SMALLEST_OBJECT * STEPS) / 8);
    expect.soft(arrayBuffers, `${name}: bytes of array buffers`).toBe(0);
    expect.soft(memory, `${name}: bytes of linear memory`).toBe(0);
  }
});
