// The lead of a client: as long as its inputs come late, it grows; when they come in time, it shrinks again.
import { expect, test } from 'vitest';
import { ServerClock } from '../../src/net/clock';

test('while inputs come late all the time, the lead grows; when they are in time, it shrinks', () => {
  const clock = new ServerClock(60, 1.5);
  let [now, late] = [1000, 0];
  /** s: packets each 50 ms, of a round trip of 100 ms; `share` of the inputs come late. */
  const run = (seconds: number, share: number) => {
    for (const end = now + 1000 * seconds; now < end; now += 50) {
      late += share;
      clock.sample(Math.floor(((now - 50) * 60) / 1000), 100, Math.floor(late), now);
    }
    return clock.target(now) - (now * 60) / 1000;
  };
  const start = run(5, 0);
  const once = run(2, 0.025); // one of 40
  expect(once - start).toBeGreaterThan(0.5);
  expect(once - start).toBeLessThan(2.5);
  // Each packet tells of one more: no time without.
  const after = run(3, 1);
  expect(after - once).toBeGreaterThan(8);
  expect(run(20, 1) - start).toBeLessThan(16.5);
  // Another process counts anew.
  late = 0;
  expect(run(100, 0) - start).toBeLessThan(0.5);
  expect(run(1, 0.2) - start).toBeGreaterThan(0.5);
});
