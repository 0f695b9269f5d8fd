// A lost worker is replaced and the world goes on as if nothing had happened: same hash, nothing told twice,
// handles and listeners still good. Killed, hung, out of memory, more than once, and while running.
import { Worker } from 'node:worker_threads';
import { type PhysicsError, World } from 'ricochet';
import { expect, test, vi } from 'vitest';
import type { Physics } from '../../worker/client';
import { bestOf } from '../bestOf';
import { sleep, startMortal, startPhysics, until, workerBundle, workerScript } from './support';

const CRATE = { mass: 1, position: [0, 5, 0], shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } } as const;

function pile(target: { createBody(options: object): unknown }, count: number): void {
  target.createBody({ type: 'static', shape: { type: 'plane' } });
  for (let i = 0; i < count; i++)
    target.createBody({
      position: [(i % 10) * 1.02, 0.5 + 1.01 * Math.floor(i / 100), (Math.floor(i / 10) % 10) * 1.02],
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
    });
}

const silent = (physics: Physics) => {
  const lost = vi.fn<(error: PhysicsError) => void>();
  physics.onError(lost);
  return lost;
};

test.each(['shared', 'messages'] as const)(
  'killed in the middle of 1,000 bodies: rejects at once, is back with the same hash (%s)',
  async (transport) => {
    const world = new World({ sleeping: false });
    pile(world, 1000);
    for (let k = 0; k < 460; k++) world.step(1 / 60);
    const { physics, threads } = await startMortal({ transport, sleeping: false });
    const lost = silent(physics);
    pile(physics, 1000);
    for (let k = 0; k < 6; k++) await physics.step(10);
    const pending = [physics.step(400), physics.stateHash(), physics.rayTest([0, 9, 0], [0, 0, 0])];
    while (physics.stats.steps < 65) {
      await sleep(1);
      physics.update();
    }
    const killed = performance.now();
    void threads[0]!.terminate();
    const rejected = await Promise.allSettled(pending);
    const rejectedAfter = performance.now() - killed;
    for (const result of rejected)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'worker-lost' } });
    // What was sent is done, in its place: nothing of the stream is lost.
    const restarted = new Promise<number>((resolve) =>
      physics.onRestart(() => resolve(performance.now() - killed)),
    );
    const restoredAfter = await restarted;
    const hash = await physics.stateHash();
    console.log(
      `${transport}: rejected after ${rejectedAfter.toFixed(1)} ms, restored after ${restoredAfter.toFixed(0)} ms`,
    );
    // How soon is measured where it counts: test/browser/robustness.test.ts.
    expect(hash).toBe(world.stateHash());
    expect(physics.stats.restarts).toBe(1);
    expect(lost).toHaveBeenCalledOnce();
  },
);

test.each(['shared', 'messages'] as const)(
  'killed while its clock runs: goes on from where the page saw it, tells nothing twice (%s)',
  async (transport) => {
    const { physics, threads } = await startMortal({ transport, events: true });
    silent(physics);
    const ground = physics.createBody({ type: 'static', shape: { type: 'plane' } });
    const ball = physics.createBody({ position: [0, 1, 0], shape: { type: 'sphere', radius: 0.5 } });
    let begins = 0;
    physics.on('contactBegin', () => void begins++, { body: ball });
    await physics.start();
    await until(() => physics.stats.steps > 36);
    expect(begins).toBe(1);
    const seen = physics.stats.steps;
    const restarted = new Promise<void>((resolve) => physics.onRestart(resolve));
    void threads[0]!.terminate();
    await restarted;
    expect(physics.isRunning).toBe(true);
    await until(() => physics.stats.steps > seen);
    expect(begins).toBe(1);
    expect(ball.getPosition()[1]).toBeCloseTo(0.5, 2);
    expect(ground.isRemoved).toBe(false);
    await physics.pause();
    const { steps } = physics.stats;
    const hash = await physics.stateHash();
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    world.createBody({ position: [0, 1, 0], shape: { type: 'sphere', radius: 0.5 } });
    for (let k = 0; k < steps; k++) world.step(1 / 60);
    expect(hash).toBe(world.stateHash());
  },
);

test('commands while there is no worker are not lost, and bodies keep their ids', async () => {
  const { physics, threads } = await startMortal();
  silent(physics);
  physics.createBody(CRATE);
  await physics.step(3);
  void threads[0]!.terminate();
  await new Promise<void>((resolve) => physics.onError(() => resolve()));
  const body = physics.createBody({ ...CRATE, position: [3, 5, 0] });
  body.setLinearVelocity([1, 0, 0]);
  const stepped = physics.step(5);
  await stepped;
  expect(await physics.stateHash()).toHaveLength(16);
  expect(body.getPosition()[0]).toBeCloseTo(3 + 5 / 60, 4);
  expect(physics.bodyCount).toBe(2);
});

test('a restored snapshot is where the successor begins', async () => {
  const { physics, threads } = await startMortal();
  silent(physics);
  physics.createBody(CRATE);
  await physics.step(20);
  const snapshot = await physics.snapshot();
  const hash = await physics.stateHash();
  await physics.step(50);
  await physics.restore(snapshot);
  const restarted = new Promise<void>((resolve) => physics.onRestart(resolve));
  void threads[0]!.terminate();
  await restarted;
  expect(await physics.stateHash()).toBe(hash);
});

test('a hung worker is given up after the timeout, and replaced', async () => {
  const hang = await workerBundle('test/worker/hangingWorker.ts');
  // The silence of the lost one is not held against a successor that takes its time to start.
  const script = await workerBundle('test/worker/slowWorker.ts');
  const run = async () => {
    let made = 0;
    const physics = await startPhysics({
      workerFactory: () => new Worker(made++ === 0 ? hang : script),
      hangTimeout: 1500, // a busy machine may keep a healthy worker waiting for half a second
    });
    const lost = silent(physics);
    physics.createBody(CRATE);
    await physics.step(1);
    const began = performance.now();
    const result = await physics.getContacts().catch((error: PhysicsError) => error);
    const after = performance.now() - began;
    expect(result).toMatchObject({ code: 'worker-lost' });
    expect(String(lost.mock.calls[0]![0].message)).toContain('hung');
    await physics.step(1);
    const world = new World();
    world.createBody(CRATE);
    world.step(1 / 60);
    world.step(1 / 60);
    expect(await physics.stateHash()).toBe(world.stateHash());
    return { after, made };
  };
  // On a very busy machine the successor may be taken for hung, too.
  const { best } = await bestOf(run, ({ after, made }) => Math.max(after / 5000, made / 2));
  expect(best.after).toBeLessThanOrEqual(5000);
  expect(best.made).toBe(2);
});

test('a worker that runs out of memory is lost with that code, and replaced', async () => {
  const script = await workerScript();
  const hungry = await workerBundle('test/worker/hangingWorker.ts');
  let made = 0;
  const physics = await startPhysics({
    workerFactory: () =>
      made++ === 0
        ? new Worker(hungry, { resourceLimits: { maxOldGenerationSizeMb: 24 }, workerData: 'eat' })
        : new Worker(script),
  });
  silent(physics);
  physics.createBody(CRATE);
  await physics.step(1);
  await expect(physics.getContacts()).rejects.toMatchObject({ code: 'out-of-memory' });
  await physics.step(1);
  expect(physics.stats.steps).toBe(2);
});

test('a successor that never answers is replaced, too', async () => {
  const script = await workerScript();
  let made = 0;
  let first!: Worker;
  const physics = await startPhysics({
    workerFactory: () => {
      made++;
      if (made === 2) return new Worker('setInterval(() => {}, 1000)', { eval: true });
      const thread = new Worker(script);
      first ??= thread;
      return thread;
    },
    startTimeout: 2000,
  });
  silent(physics);
  physics.createBody(CRATE);
  await physics.step(20);
  const hash = await physics.stateHash();
  const restarted = new Promise<void>((resolve) => physics.onRestart(resolve));
  void first.terminate();
  await restarted;
  expect(await physics.stateHash()).toBe(hash);
  expect(made).toBeGreaterThanOrEqual(3);
});

test('a worker that is lost again and again is not replaced for ever', async () => {
  const { physics, threads } = await startMortal();
  const lost = silent(physics);
  physics.createBody(CRATE);
  await physics.step(1);
  // Losses count within ten seconds: by a slower clock, as a busy machine may need longer for four.
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() / 50);
  for (let k = 0; k < 4; k++) {
    const happened = new Promise<void>((resolve) => {
      physics.onRestart(resolve);
      physics.onError((error) => physics.stats.restarts === 3 && error && resolve());
    });
    void threads[threads.length - 1]!.terminate();
    await happened;
  }
  await sleep(50);
  clock.mockRestore();
  expect(() => physics.createBody(CRATE)).toThrow(expect.objectContaining({ code: 'worker-lost' }));
  await expect(physics.stateHash()).rejects.toMatchObject({ code: 'worker-lost' });
  expect(lost).toHaveBeenCalledTimes(4);
});

test('several worlds in one worker are strangers to each other; the worker outlives them', async () => {
  const thread = new Worker(await workerScript());
  const ended = vi.fn();
  thread.on('exit', ended);
  try {
    const worlds = await Promise.all([1, 2, 3].map(() => startPhysics({ worker: thread })));
    worlds.forEach((physics, i) => void physics.createBody({ ...CRATE, position: [i, 5, 0] }));
    await Promise.all(worlds.map((physics, i) => physics.step(1 + i)));
    worlds[0]!.dispose();
    await worlds[1]!.step(1);
    expect(worlds[1]!.stats.steps).toBe(3);
    expect(worlds[2]!.stats.steps).toBe(3);
    expect(await worlds[1]!.stateHash()).not.toBe(await worlds[2]!.stateHash());
    for (const physics of worlds) physics.dispose();
    await sleep(20);
    expect(ended).not.toHaveBeenCalled();
  } finally {
    await thread.terminate();
  }
});
