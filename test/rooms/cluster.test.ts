// Rooms on a real Colyseus with a real Redis: two processes, one of which is killed. The long form is
// `npm run rooms:trial`: 20 rooms, 100 players, 60 s (ROOMS_SECONDS and others change this short one).
import { expect } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { whyNot } from '../../rooms/tools.mjs';
// @ts-expect-error: likewise
import { summary, trial } from '../../rooms/trial.mjs';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const test = ordinaryCoreOnly('its processes have the ordinary core');
const SECONDS = Number(process.env['ROOMS_SECONDS'] ?? 9);

test('two processes, bad networks, forged packets, one process killed: no desynchronisation, no room lost', async (context: {
  skip: (reason: string) => void;
}) => {
  const reason = whyNot();
  if (reason !== '') {
    console.warn(`\n*** Rooms on Colyseus and Redis are NOT tested on this machine: ${reason} ***\n`);
    context.skip(reason);
    return;
  }
  const shown = await trial({ rooms: 2, players: 4, seconds: SECONDS, kill: 0.35, crates: 8, vandals: 1 });
  const found = summary(shown);
  console.log(JSON.stringify(found));
  expect(found.joined).toBe(4);
  expect([found.desyncs, found.refused]).toEqual([0, 0]);
  expect(found.agreed).toBeGreaterThan(100);
  // Every tick, but for those at the end of the process and what was lost four times.
  expect(found.compared).toBeGreaterThan(0.95);
  // Every room of the dead process went on, with the hash of a checkpoint that it had made.
  expect(found.moved).toBeGreaterThan(0);
  expect(found.movedSame).toBe(found.moved);
  expect(found.bad.refused).toBeGreaterThan(0);
});
