// How soon the page shows what it told: an impulse moves what is drawn within 33 ms, over shared memory as soon as over
// messages, wherever the frames of the page lie between the steps of the worker.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TRANSPORTS } from './support';
import { now, pass, startNearby, useVirtualTime } from './virtualTime';

beforeEach(useVirtualTime);
afterEach(() => void vi.useRealTimers());

const PHASES = [0, 4, 8, 12, 16];
const IMPULSES = 5;

/** ms from each of some impulses to the first frame that draws it. Frames come late by up to `late` ms. */
async function delays(transport: (typeof TRANSPORTS)[number], rate: number, phase: number, late: number) {
  const physics = await startNearby({ transport, gravity: [0, 0, 0], sleeping: false });
  const balls = Array.from({ length: IMPULSES }, (_, i) =>
    physics.createBody({ mass: 1, position: [0, 3 * i, 0], shape: { type: 'sphere', radius: 0.5 } }),
  );
  await now(physics.start());
  await pass(phase);
  const began = performance.now();
  const period = 1000 / rate;
  const seen: number[] = [];
  let pushed = -1;
  for (let k = 0; seen.length < IMPULSES; k++) {
    const due = began + k * period;
    const at = due + (late * ((k * 7919) % 101)) / 101;
    if (at > performance.now()) await pass(Math.ceil(at - performance.now()));
    const ball = balls[seen.length]!;
    if (k >= rate && pushed < 0) {
      ball.applyCentralImpulse([1, 0, 0]);
      pushed = k;
    }
    physics.update(due);
    if (pushed < 0 || ball.getPosition()[0] < 1e-4) continue;
    seen.push((k - pushed) * period);
    pushed = -1;
  }
  physics.dispose();
  return seen;
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test.each([
  [15, 0],
  [30, 5],
  [60, 0],
  [60, 4],
  [144, 3],
])('at %i frames a second that are up to %i ms late', async (rate, late) => {
  const means: number[] = [];
  for (const transport of TRANSPORTS) {
    const seen: number[] = [];
    for (const phase of PHASES) seen.push(...(await delays(transport, rate, phase, late)));
    expect(Math.max(...seen), transport).toBeLessThan(Math.max(34, 1000 / rate + 1));
    means.push(mean(seen));
  }
  const [shared, messages, page] = means as [number, number, number];
  expect(shared).toBeLessThan(messages + 2);
  expect(page).toBeLessThan(messages + 2);
});
