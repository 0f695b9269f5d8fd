// Random calls of the facade for ammo.js programs, callbacks included. See CONTRIBUTING.md, "Random calls".
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { load } from '../ammo/engines';
import { Chance } from '../support/randomWorlds';
import { type AmmoCall, AmmoGame } from './ammoGame';
import { classesOf } from './ammoSignatures';
import { type Failure, SHRINK_TIME, show, traced } from './fuzz';
import { shrink } from './shrink';

const CALLS = Number(process.env['FUZZ_CALLS'] ?? (process.env['SOAK'] === '1' ? 100_000 : 5_000));
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const REPLAY = process.env['FUZZ_REPLAY'];
const CALLS_PER_EPISODE = 300;
const MOST_FAILURES = 5;

test.runIf(REPLAY !== undefined)('calls of a file', async () => {
  const A = await load('ricochet');
  const game = new AmmoGame(A, classesOf(A));
  for (const line of readFileSync(REPLAY!, 'utf8').split('\n')) {
    const code = line.trim().replace(/;$/, '');
    if (code !== '' && !code.startsWith('//'))
      expect([code, game.run({ code, quality: 'acts', needs: [] })]).toEqual([code, undefined]);
  }
});

test.skipIf(REPLAY !== undefined)(
  `${CALLS} calls from seed ${SEED}`,
  { timeout: 24 * 3600_000 },
  async () => {
    const A = await load('ricochet');
    const classes = classesOf(A);
    const codes = new Map<string, number>();
    const failures: Failure[] = [];
    const again = (calls: readonly AmmoCall[]) => {
      const game = new AmmoGame(A, classes);
      try {
        for (const call of calls) {
          const message = game.run(call);
          if (message !== undefined) return message;
        }
        return undefined;
      } finally {
        game.close();
      }
    };
    let count = 0;
    for (let seed = SEED; count < CALLS && failures.length < MOST_FAILURES; seed++) {
      const game = new AmmoGame(A, classes);
      const chance = new Chance(seed, -11);
      const calls = game.beginning();
      let message: string | undefined;
      for (let i = 0; i < CALLS_PER_EPISODE && message === undefined; i++) {
        if (i >= calls.length) calls.push(game.call(chance));
        count++;
        traced(calls[i]!, i === 0 ? seed : undefined);
        message = game.run(calls[i]!);
      }
      for (const [code, n] of game.codes) codes.set(code, (codes.get(code) ?? 0) + n);
      game.close();
      if (message === undefined) continue;
      const kind = message.split(':')[0];
      const fewest = await shrink(calls, SHRINK_TIME, async (list) => again(list)?.split(':')[0] === kind);
      failures.push({
        seed,
        message: again(fewest) ?? `${message} (not again)`,
        calls: fewest.map(({ code }) => code),
      });
    }
    console.log(`${count} calls, ${failures.length} failures`, Object.fromEntries(codes));
    expect(failures.map(show).join('\n\n')).toBe('');
  },
);
