// Random calls of the whole surface of World, RigidBody and Joint, beside a model. See CONTRIBUTING.md, "Random calls".
import { readFileSync } from 'node:fs';
import { World, type WorldOptions } from 'ricochet';
import { Player, Recorder } from 'ricochet/replay';
import { expect, test } from 'vitest';
import { notNumbers } from '../support/numbers';
import { Chance, randomOptions } from '../support/randomWorlds';
import { fuzz, replay, type Subject, show } from './fuzz';
import { difference, readModel } from './model';
import { WORLD_SURFACE } from './worldCalls';

const CALLS = Number(process.env['FUZZ_CALLS'] ?? (process.env['SOAK'] === '1' ? 800_000 : 10_000));
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

/** A handle of each kind that belongs elsewhere. */
const FOREIGN = (() => {
  const world = new World();
  const body = world.createBody({ shape: { type: 'sphere', radius: 1 } });
  return { body, joint: world.createJoint({ type: 'point', bodyB: body }) };
})();

function inspect(world: World): string | undefined {
  const fault = world.findFault();
  if (fault !== 0) return `state: findFault says ${fault}`;
  const strange = notNumbers(world);
  return strange.length > 0 ? `NaN: in ${strange.slice(0, 4)}` : undefined;
}

/** A copy is the same world; and nothing is left of a world that is emptied. */
function end(world: World): string | undefined {
  const copy = World.restore(world.snapshot());
  if (copy.stateHash() !== world.stateHash()) return 'copy: another hash';
  const differs = difference(readModel(copy), readModel(world));
  if (differs !== undefined) return `copy: ${differs}`;
  for (const each of [copy.bodies(), copy.joints()])
    for (const handle of [...each]) if (!handle.isRemoved) handle.remove();
  copy.step(1 / 60);
  const { replica } = copy;
  const left = [
    copy.bodyCount,
    copy.shapeCount,
    copy.jointCount,
    copy.pairCount,
    copy.contactCount,
    replica.jointsOf.size,
  ];
  if (left.some((count) => count !== 0))
    return `leak: ${left} bodies, shapes, joints, pairs, contacts, lists of joints`;
  const fault = inspect(copy);
  copy.dispose();
  return fault;
}

const subject: Subject = {
  name: 'World',
  surface: WORLD_SURFACE,
  open: (seed) => {
    const chance = new Chance(seed, -9);
    const options: WorldOptions = { ...randomOptions(seed), events: chance.once(2) };
    const world = new World(options);
    if (seed % RECORDED === 0)
      recorders.set(world, new Recorder(world, { compress: false, keyframeEvery: chance.of([0, 20]) }));
    const often = chance.of([1, 3, 40]);
    return { world, foreign: FOREIGN, inspect: () => inspect(world), isHashed: (i) => i % often === 0 };
  },
  end: async (game) => (await verify(game.world as World)) ?? end(game.world as World),
  close: (world) => world.dispose(),
};

/** One world in so many is recorded. */
const RECORDED = 6;
const recorders = new WeakMap<object, Recorder>();

/** What was recorded is made again as it was. */
async function verify(world: World): Promise<string | undefined> {
  const recorder = recorders.get(world);
  if (recorder === undefined) return undefined;
  try {
    const player = await Player.open(await recorder.finish());
    const { divergence } = player.verify({ goOn: true });
    player.dispose();
    return divergence === null ? undefined : `recording: ${JSON.stringify(divergence)}`;
  } catch (error) {
    return `recording: ${(error as Error).message}`;
  }
}

const REPLAY = process.env['FUZZ_REPLAY'];
test.runIf(REPLAY !== undefined)('calls of a file', async () => {
  expect(await replay(subject, SEED, readFileSync(REPLAY!, 'utf8').split('\n'))).toBeUndefined();
});

test.skipIf(REPLAY !== undefined)(
  `${CALLS} calls from seed ${SEED}`,
  { timeout: 24 * 3600_000 },
  async () => {
    const report = await fuzz(subject, { calls: CALLS, seed: SEED });
    console.log(
      `${report.calls} calls, ${report.failures.length} failures`,
      Object.fromEntries(report.codes),
    );
    expect(report.failures.map(show).join('\n\n')).toBe('');
  },
);
