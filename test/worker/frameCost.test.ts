// 10,000 moving bodies: what receiving and applying their poses costs the page, what a command costs, and
// that a frame makes no garbage once warm. In a child process, because the test runner's heap never rests.
import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import { workerBundle, workerScript } from './support';

const test = ordinaryCoreOnly('it measures time and memory, of a bundle with the ordinary core');

const FRAMES = 600;
const BODIES = 10_000;
/** ms of frameCostChild's job that has nothing to do with us, on a quiet machine. */
const QUIET_REFERENCE = 2.5;

test(`${FRAMES} frames of ${BODIES} moving bodies: cheap, and without garbage`, async () => {
  const child = await workerBundle('test/worker/frameCostChild.ts');
  const args = ['--expose-gc', child, await workerScript(), String(FRAMES), String(BODIES)];
  const result = JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 110_000 }),
  ) as Record<string, number>;
  const { medianMs, p95Ms, bytesPerFrame, commandMicroseconds, createMs, moving, awake, reference } =
    result as { [name: string]: number };
  // A machine that is slow all the time has larger limits: by what a job of the same kind takes beside it.
  const scale = Math.max(1, reference! / QUIET_REFERENCE);
  console.log(
    `frame of ${BODIES}: median ${medianMs!.toFixed(2)} ms, 95 % ${p95Ms!.toFixed(2)} ms, ${bytesPerFrame!.toFixed(1)} bytes; ` +
      `command ${commandMicroseconds!.toFixed(2)} µs; creation ${createMs!.toFixed(1)} ms; limits times ${scale.toFixed(2)}`,
  );
  expect(awake).toBe(BODIES);
  expect(moving).toBeGreaterThan(FRAMES / 4);
  expect(medianMs).toBeLessThan(1.5 * scale);
  expect((1000 * createMs!) / BODIES).toBeLessThan(scale); // µs
  expect(commandMicroseconds).toBeLessThan(scale);
  // Nothing per body. What is left are numbers boxed by functions that were not compiled yet; once they are, there
  // is nothing: test/browser/cost.test.ts.
  expect(bytesPerFrame).toBeLessThan(1024);
});
