// Ragdolls with a world in a worker: the same hashes on every transport, after a snapshot, and in a recording.
import { World } from 'ricochet';
import { Player, Recorder } from 'ricochet/replay';
import { SkinnedRagdoll } from 'ricochet/three';
import { Quaternion } from 'three';
import { expect, test } from 'vitest';
import { startPhysics, TRANSPORTS } from '../worker/support';
import { createHuman } from './human';

const FLOOR = { type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } } as const;
const STEPS = 90;

/** Drives two ragdolls by the same numbers: one walks and is hit, one changes its mode. */
function* play(
  world: ConstructorParameters<typeof SkinnedRagdoll>[0] & { createBody(options: object): unknown },
) {
  world.createBody(FLOOR);
  const humans = [createHuman(), createHuman({ height: 1.2, unit: 0.01 })];
  humans[1]!.root.position.x = 2;
  const ragdolls = humans.map(
    ({ root }, i) => new SkinnedRagdoll(world, root, { mode: i === 0 ? 'powered' : 'animated' }),
  );
  for (let i = 0; i < STEPS; i++) {
    const s = (i % 30) / 30;
    for (const { bones, root } of humans) {
      bones['LeftArm']!.quaternion.copy(new Quaternion(0.2 * s, 0, -0.8, 1).normalize());
      root.position.z += 0.01;
    }
    if (i === 20) ragdolls[0]!.ragdoll.setStrength(0.3);
    if (i === 30) ragdolls[1]!.ragdoll.setMode('limp');
    if (i === 50) ragdolls[0]!.ragdoll.setPin(0.5);
    if (i === 70) ragdolls[1]!.ragdoll.setMode('powered');
    for (const ragdoll of ragdolls) ragdoll.drive(1 / 60);
    yield ragdolls;
    for (const ragdoll of ragdolls) ragdoll.draw();
  }
  yield ragdolls;
}

function inProcess(): string[] {
  const world = new World();
  const hashes: string[] = [];
  let i = 0;
  for (const _ of play(world as never)) {
    if (i++ === STEPS) break;
    world.step(1 / 60);
    if (i % 30 === 0) hashes.push(String(world.stateHash()));
  }
  return hashes;
}

const expected = inProcess();

test.each(TRANSPORTS)('the hashes of a World: %s; nothing is left after remove', async (transport) => {
  const physics = await startPhysics({ transport, clock: 'manual' });
  const hashes: string[] = [];
  let i = 0;
  for (const ragdolls of play(physics as never)) {
    if (i++ === STEPS) {
      expect(ragdolls[0]!.ragdoll.lying().position.every(Number.isFinite)).toBe(true);
      for (const ragdoll of ragdolls) ragdoll.remove();
      await physics.step(1);
      expect([physics.bodyCount, physics.jointCount]).toEqual([1, 0]);
      break;
    }
    await physics.step(1);
    physics.update();
    if (i % 30 === 0) hashes.push(String(await physics.stateHash()));
  }
  expect(hashes).toEqual(expected);
});

test('a world restored in the middle goes on to the same hash; a recording replays', async () => {
  const world = new World();
  const recorder = new Recorder(world);
  let i = 0;
  let saved: ReturnType<World['snapshot']> | undefined;
  for (const _ of play(world as never)) {
    if (i++ === STEPS) break;
    if (i === 45) {
      saved = world.snapshot();
      world.restore(saved);
    }
    world.step(1 / 60);
  }
  expect(String(world.stateHash())).toBe(expected.at(-1));
  const player = await Player.open(await recorder.finish());
  expect(player.verify().divergence).toBe(null);
  player.seek(STEPS);
  expect(String(player.world.stateHash())).toBe(expected.at(-1));
});
