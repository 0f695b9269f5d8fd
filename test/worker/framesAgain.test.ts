// Runs with forces and targets of frames, and questions in between, happen again alike: in the successor of a worker that
// was killed, and in a recording.
import { Player } from 'ricochet/replay';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Physics, PhysicsOptions } from '../../worker/client';
import { sleep, startMortal, TRANSPORTS } from './support';
import { frames, now, startNearby, useVirtualTime } from './virtualTime';

afterEach(() => void vi.useRealTimers());

const CLOCKS = ['automatic', 'frames'] as const;

/** A scene and what happens in each frame of it. */
function game(physics: Physics, piles = 0) {
  physics.createBody({ type: 'static', shape: { type: 'plane' } });
  const plate = physics.createBody({
    type: 'kinematic',
    position: [0, 1, 0],
    shape: { type: 'box', halfExtents: [2, 0.25, 2] },
  });
  const wheel = physics.createBody({
    type: 'kinematic',
    position: [9, 1, 0],
    shape: { type: 'box', halfExtents: [2, 0.25, 0.5] },
  });
  const crates = [0, 1, 2].map((i) =>
    physics.createBody({
      mass: 1,
      position: [i - 1, 1.5, 0],
      shape: { type: 'box', halfExtents: [0.25, 0.25, 0.25] },
    }),
  );
  for (let i = 0; i < piles; i++)
    physics.createBody({
      mass: 1,
      position: [20 + (i % 10), 0.5 + Math.floor(i / 100), Math.floor(i / 10) % 10],
      shape: { type: 'sphere', radius: 0.45 },
    });
  const made: number[] = [];
  return (k: number) => {
    const t = k / 40;
    if (k % 50 < 40) plate.setKinematicTarget([2 * Math.sin(t), 1, 0], [0, 0, 0, 1]);
    if (k % 60 === 45) plate.setTransform([0, 1.5, 0], [0, 0, 0, 1]);
    wheel.setKinematicTarget([9, 1, 0], [0, Math.sin(t / 2), 0, Math.cos(t / 2)]);
    crates[0]!.applyCentralForce([0, 0, Math.sin(3 * t)]);
    if (k % 3 === 0) void physics.rayTest([0, 9, 0], [0, -9, 0]).catch(() => {});
    crates[1]!.applyTorque([0, 1, 0]);
    if (k % 5 === 0) void physics.stateHash().catch(() => {});
    if (k % 7 === 0)
      made.push(
        physics.createBody({ mass: 1, position: [0, 4, 0], shape: { type: 'sphere', radius: 0.2 } }).id,
      );
    if (k % 11 === 0 && made.length > 1) physics.removeBody(made.shift()!);
    if (k % 13 === 0) physics.flush();
    if (k % 40 === 39) crates[2]!.applyCentralImpulse([0, 2, 0]);
  };
}

describe.each(TRANSPORTS.flatMap((transport) => CLOCKS.map((clock) => [transport, clock] as const)))(
  'a recording, %s, clock %s',
  (transport, clock) => {
    test.each([15, 30, 60, 144])('%i frames a second', async (rate) => {
      useVirtualTime();
      const physics = await startNearby({ transport, clock });
      const recorded = physics.record({ hashEvery: 10, keyframeEvery: 40 });
      await now(recorded);
      const frame = game(physics);
      await now(physics.start());
      await frames(physics, { rate, seconds: 2 }, frame);
      await now(physics.pause());
      await now(physics.step(2)); // what comes after the last step is not played
      const hash = await now(physics.stateHash());
      const file = await now(physics.stopRecording());
      vi.useRealTimers();
      const player = await Player.open(file);
      expect(player.verify().divergence).toBeNull();
      expect(player.world.stateHash()).toBe(hash);
      expect(player.world.stepCount).toBeGreaterThan(90);
    });
  },
);

async function mortal(options: PhysicsOptions) {
  const made = await startMortal(options);
  made.physics.onError(() => {});
  return made;
}

describe.each(
  (['shared', 'messages'] as const).flatMap((transport) =>
    CLOCKS.map((clock) => [transport, clock] as const),
  ),
)('a worker that is killed, %s, clock %s', (transport, clock) => {
  // With 300 bodies more there are checkpoints; without them the successor begins at the beginning.
  test.each([0, 300])('has a successor with the same hash (%i more bodies)', async (piles) => {
    const { physics, threads } = await mortal({ transport, clock, sleeping: false });
    const frame = game(physics, piles);
    await physics.start();
    for (let k = 0; k < 90; k++) {
      frame(k);
      physics.update();
      await sleep(k % 2 === 0 ? 16 : 5);
    }
    await physics.pause();
    const hash = await physics.stateHash();
    const steps = physics.stats.steps;
    const restarted = new Promise<void>((resolve) => physics.onRestart(resolve));
    void threads.at(-1)!.terminate();
    await restarted;
    expect(await physics.stateHash()).toBe(hash);
    physics.update();
    expect(physics.stats.steps).toBe(steps);
    // It goes on, with questions that are asked while there is no worker answered in their places.
    const again = new Promise<void>((resolve) => physics.onRestart(resolve));
    const lost = new Promise<void>((resolve) => physics.onError(() => resolve()));
    void threads.at(-1)!.terminate();
    await lost;
    const early = physics.stateHash();
    const save = physics.snapshot();
    const count = physics.bodyCount;
    physics.createBody({ mass: 1, shape: { type: 'sphere', radius: 1 } });
    const late = physics.stateHash();
    await again;
    expect(await early).toBe(hash);
    expect(await late).not.toBe(hash);
    await physics.restore(await save);
    expect(physics.bodyCount).toBe(count);
    expect(await physics.stateHash()).toBe(hash);
  });
});

test('a restore that is asked for while there is no worker, and one that is refused then', async () => {
  const { packSnapshot, unpackSnapshot } = await import('../../src/replica/snapshot');
  const { physics, threads } = await mortal({ clock: 'manual' });
  physics.createBody({ mass: 1, shape: { type: 'sphere', radius: 1 } });
  await physics.step(7);
  const save = await physics.snapshot();
  const hash = await physics.stateHash();
  physics.createBody({ mass: 1, shape: { type: 'sphere', radius: 1 } });
  await physics.step(5);
  const other = await physics.snapshot();
  const otherHash = await physics.stateHash();
  const bad = packSnapshot({ ...unpackSnapshot(save), replica: unpackSnapshot(other).replica });
  const kill = async () => {
    const lost = new Promise<void>((resolve) => physics.onError(() => resolve()));
    void threads.at(-1)!.terminate();
    await lost;
  };
  await kill();
  const asked = physics.stateHash();
  const restored = physics.restore(save);
  const after = physics.stateHash();
  await restored;
  expect([await asked, await after]).toEqual([otherHash, hash]);
  expect(physics.bodyCount).toBe(1);
  await kill();
  const refused = physics.restore(bad);
  const step = physics.step(3);
  await expect(refused).rejects.toMatchObject({ code: 'damaged-snapshot' });
  await expect(step).rejects.toMatchObject({ code: 'damaged-snapshot' });
  expect(physics.bodyCount).toBe(1);
  expect(await physics.stateHash()).toBe(hash);
  // And what is lost between the restore and the answer.
  const restart = new Promise<void>((resolve) => physics.onRestart(resolve));
  const cut = physics.restore(other);
  void threads.at(-1)!.terminate();
  await cut.catch(() => {});
  await restart;
  expect(physics.bodyCount).toBe(2);
  expect(await physics.stateHash()).toBe(otherHash);
});
