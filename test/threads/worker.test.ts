// createPhysics with several threads, in Node: helpers inside of the worker.
import { World } from 'ricochet';
import { afterEach, expect } from 'vitest';
import { registerMakers } from '../../src/wasm/threading';
import { Course, continueCourse, runRemoteCourse } from '../determinism/course';
import golden from '../determinism/golden.json';
import { goldenScenes } from '../determinism/scenes';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import { startPhysics } from '../worker/support';

const test = ordinaryCoreOnly('threads have a core of their own');

afterEach(() => registerMakers(() => 'nothing is registered'));

/** A heap that is large enough to be shared. */
function heap(target: Pick<World, 'createBody'>, count = 400): void {
  target.createBody({ type: 'static', shape: { type: 'plane' } });
  for (let i = 0; i < count; i++)
    target.createBody({
      position: [0.4 * (i % 5), 1 + 0.5 * Math.floor(i / 25), 0.4 * (Math.floor(i / 5) % 5)],
      shape: { type: 'box', halfExtents: [0.19, 0.19, 0.19] },
    });
}

test.each(['messages', 'shared', 'page'] as const)(
  '%s: a worker with threads has the hash of one',
  async (transport) => {
    const world = new World();
    heap(world);
    for (let i = 0; i < 90; i++) world.step(1 / 60);
    const physics = await startPhysics({ transport, threads: 3 });
    heap(physics as unknown as World);
    await physics.step(30);
    for (let tries = 0; physics.stats.threads < 3 && tries < 2000; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await physics.getProfile();
      physics.update();
    }
    await physics.step(60);
    expect(await physics.stateHash()).toBe(world.stateHash());
    const { threads } = await physics.getProfile();
    expect(threads).toMatchObject({ count: 3, reason: '', lost: 0 });
    physics.dispose();
  },
);

test('a golden scene behind a client, with threads', async () => {
  const scene = goldenScenes.find(({ id }) => id === 'churn')!;
  const physics = await startPhysics({ ...scene.world, threads: 2 });
  const { hashes } = await runRemoteCourse(physics, scene, 100);
  expect(hashes).toEqual((golden as Record<string, string[]>)['churn']!.slice(0, 10));
  physics.dispose();
});

test('without what it needs a world runs on one thread, and says why', () => {
  const scene = goldenScenes.find(({ id }) => id === 'stacks')!;
  registerMakers(() => 'no shared memory');
  const world = new World({ ...scene.world, threads: 4 });
  expect(world.threads).toMatchObject({ count: 1, reason: 'no shared memory' });
  expect(world.getProfile().threads).toEqual(world.threads);
  expect(continueCourse(new Course(world, scene), 0, 50)).toEqual(
    (golden as Record<string, string[]>)['stacks']!.slice(0, 5),
  );
  for (const threads of [0, 9, 1.5, 'all', null])
    expect(() => new World({ threads: threads as number }), String(threads)).toThrow(/threads/);
  expect(new World({ threads: 1 }).threads.reason).toBe('');
});
