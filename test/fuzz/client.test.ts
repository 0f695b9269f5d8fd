// Random calls of the whole surface of the worker's client, beside a model, on every transport that Node has. Most worlds
// have their worker in this thread, some in one of its own. See CONTRIBUTING.md, "Random calls".
import { readFileSync } from 'node:fs';
import { type PhysicsError, World } from 'ricochet';
import type { Physics } from 'ricochet/worker';
import { expect, test } from 'vitest';
import { notNumbers } from '../support/numbers';
import { Chance, randomOptions } from '../support/randomWorlds';
import { startPhysics, TRANSPORTS } from '../worker/support';
import { neighbour } from '../worker/virtualTime';
import { CLIENT_SURFACE } from './clientCalls';
import { fuzz, replay, type Subject, show } from './fuzz';
import type { Game } from './game';
import { difference, readModel } from './model';

const CALLS = Number(process.env['FUZZ_CALLS'] ?? (process.env['SOAK'] === '1' ? 100_000 : 5_000));
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const REPLAY = process.env['FUZZ_REPLAY'];
/** One world in so many has a thread. */
const THREADS = 12;
/** One world in so many has a clock that runs. */
const CLOCKS = 5;

/** A snapshot is a world that is sound, and the same as the page's. */
async function end(game: Game): Promise<string | undefined> {
  const physics = game.world as Physics;
  await physics.pause();
  const copy = World.restore(await physics.snapshot());
  try {
    if (copy.stateHash() !== (await physics.stateHash())) return 'copy: another hash';
    const differs = difference(readModel(copy), readModel(physics));
    if (differs !== undefined) return `copy: ${differs}`;
    const fault = copy.findFault();
    if (fault !== 0) return `state: findFault says ${fault}`;
    const strange = notNumbers(copy);
    return strange.length > 0 ? `NaN: in ${strange.slice(0, 4)}` : undefined;
  } finally {
    copy.dispose();
  }
}

async function subject(): Promise<Subject> {
  const other = await startPhysics({
    workerFactory: () => neighbour() as never,
    transport: 'page',
    clock: 'manual',
  });
  const body = other.createBody({ shape: { type: 'sphere', radius: 1 } });
  const foreign = { body, joint: other.createJoint({ type: 'point', bodyB: body }) };
  return {
    name: 'Physics',
    surface: CLIENT_SURFACE,
    isAsync: true,
    open: async (seed) => {
      const chance = new Chance(seed, -9);
      const clocked = seed % CLOCKS === 0;
      const world = await startPhysics({
        ...randomOptions(seed),
        ...(seed % THREADS === 0 ? {} : { workerFactory: () => neighbour() as never }),
        transport: TRANSPORTS[seed % TRANSPORTS.length]!,
        clock: clocked ? chance.of(['automatic', 'frames'] as const) : 'manual',
        events: chance.once(2),
      });
      const reported: PhysicsError[] = [];
      world.onError((error) => void (error.name === 'PhysicsError' && reported.push(error)));
      return {
        world,
        foreign,
        reported,
        isHashed: (i) => !clocked && i % 5 === 0,
        lasting: /./,
      };
    },
    end,
    close: (world) => world.dispose(),
  };
}

test.runIf(REPLAY !== undefined)('calls of a file', async () => {
  expect(await replay(await subject(), SEED, readFileSync(REPLAY!, 'utf8').split('\n'))).toBeUndefined();
});

test.skipIf(REPLAY !== undefined)(
  `${CALLS} calls from seed ${SEED}`,
  { timeout: 24 * 3600_000 },
  async () => {
    const report = await fuzz(await subject(), { calls: CALLS, seed: SEED });
    console.log(
      `${report.calls} calls, ${report.failures.length} failures`,
      Object.fromEntries(report.codes),
    );
    expect(report.failures.map(show).join('\n\n')).toBe('');
  },
);
