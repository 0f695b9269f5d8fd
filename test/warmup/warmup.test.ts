// An engine that was warmed up differs in nothing but time. In: worlds in process, in the page and in workers. Out: hashes, ids
// and settings as in a world that was not; the time of the first steps, in fresh processes.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PhysicsWorld } from '../../src';
import { World } from '../../src';
import { useThreads } from '../../src/threads';
import { warmUp } from '../../src/warmup';
import { root } from '../sources';
import { startPhysics } from '../worker/support';

const MILLISECONDS = 120;

/** A small scene; returns the ids and the hash after half a second. */
async function play(world: PhysicsWorld) {
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const bodies = Array.from({ length: 6 }, (_, i) =>
    world.createBody({
      mass: 1,
      position: [0.1 * i, 1 + i, 0],
      shape: i % 2 ? { type: 'sphere', radius: 0.3 } : { type: 'box', halfExtents: [0.3, 0.2, 0.3] },
    }),
  );
  const joint = world.createJoint({
    type: 'point',
    bodyA: bodies[0]!,
    bodyB: bodies[1]!,
    anchor: [0, 1.5, 0],
  });
  const ids = [...bodies.flatMap(({ id, shapes }) => [id, ...shapes]), joint.id];
  await world.advance(30);
  return { ids, hash: await world.stateHash(), settings: world.settings, gravity: world.getGravity() };
}

const OPTIONS = { gravity: [0, -3, 0], substeps: 3 } as const;
const MAKERS: Record<string, () => PhysicsWorld | Promise<PhysicsWorld>> = {
  'in process': () => new World(OPTIONS),
  'in the page': () => startPhysics({ ...OPTIONS, clock: 'manual', transport: 'page' }),
  'in a worker, messages': () => startPhysics({ ...OPTIONS, clock: 'manual', transport: 'messages' }),
  'in a worker, shared memory': () => startPhysics({ ...OPTIONS, clock: 'manual', transport: 'shared' }),
};

describe.each(Object.entries(MAKERS))('a world %s', (_, make) => {
  test('is as before after it was warmed up, and goes on as any other', async () => {
    const world = await make();
    const before = await world.stateHash();
    expect(await warmUp(world, { milliseconds: MILLISECONDS })).toBeGreaterThan(0);
    expect(await world.stateHash()).toBe(before);
    expect([world.bodyCount, world.shapeCount, world.jointCount]).toEqual([0, 0, 0]);
    const cold = await make();
    expect(await play(world)).toEqual(await play(cold));
    await expect(warmUp(world)).rejects.toMatchObject({ code: 'invalid-argument', argument: 'world' });
    world.dispose();
    cold.dispose();
  });

  test('can end early, and says what is wrong with options', async () => {
    const world = await make();
    const before = await world.stateHash();
    const controller = new AbortController();
    const long = warmUp(world, { milliseconds: 10_000, signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    const start = performance.now();
    await long;
    expect(performance.now() - start).toBeLessThan(5000);
    expect(await world.stateHash()).toBe(before);
    expect(await warmUp(world, { milliseconds: 0 })).toBe(0);
    expect(await warmUp(world, { signal: controller.signal })).toBe(0);
    for (const [options, argument] of [
      [{ milliseconds: -1 }, 'milliseconds'],
      [{ milliseconds: Number.NaN }, 'milliseconds'],
      [{ milliseconds: 1e6 }, 'milliseconds'],
      [{ signal: {} }, 'signal'],
      [{ seconds: 1 }, 'seconds'],
      [null, 'options'],
    ] as const)
      await expect(warmUp(world, options as never)).rejects.toMatchObject({ name: 'PhysicsError', argument });
    world.dispose();
    await expect(warmUp(world)).rejects.toMatchObject({ code: 'disposed' });
  });
});

test('a world with threads is warmed up with them, and goes on as one without', async () => {
  useThreads();
  const world = new World({ ...OPTIONS, threads: 2 });
  const before = world.stateHash();
  expect(await warmUp(world, { milliseconds: MILLISECONDS })).toBeGreaterThan(0);
  expect(world.stateHash()).toBe(before);
  const plain = new World(OPTIONS);
  expect(await play(world)).toEqual(await play(plain));
  world.dispose();
  plain.dispose();
});

test('bodies that somebody makes meanwhile are an error, not lost in silence', async () => {
  for (const make of Object.values(MAKERS)) {
    const world = await make();
    const before = await world.stateHash();
    const long = warmUp(world, { milliseconds: 1000 });
    while (world.bodyCount === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const body = world.createBody({ mass: 1, shape: { type: 'sphere', radius: 1 } });
    await expect(warmUp(world)).rejects.toMatchObject({ code: 'invalid-argument', argument: 'world' });
    await expect(long).rejects.toMatchObject({ code: 'busy' });
    expect(await world.stateHash()).toBe(before);
    expect(() => body.setLinearVelocity([1, 0, 0])).toThrow(expect.objectContaining({ code: 'stale-id' }));
    world.dispose();
  }
});

test('bodies that somebody makes before it has begun are kept', async () => {
  for (const make of Object.values(MAKERS)) {
    const world = await make();
    const long = warmUp(world, { milliseconds: 1000 }); // waits for the state
    const body = world.createBody({ mass: 1, shape: { type: 'sphere', radius: 1 } });
    await expect(long).rejects.toMatchObject({ code: 'busy' });
    expect([world.bodyCount, body.shapes.length]).toEqual([1, 1]);
    world.dispose();
  }
});

test('a world with listeners, events and a step system that was warmed up goes on as one that was not', async () => {
  const make = async (warm: boolean) => {
    const world = new World({ ...OPTIONS, events: true });
    const module = join(root, 'test/systems/modules/herd.mjs');
    const source = `data:text/javascript,${encodeURIComponent(readFileSync(module, 'utf8'))}`;
    await world.addSystem(source, { name: 'herd', options: { seed: 8 } });
    if (warm) await warmUp(world, { milliseconds: MILLISECONDS });
    const contacts: number[] = [];
    world.on('contactBegin', ({ bodyA, bodyB }) => contacts.push(bodyA.id, bodyB.id));
    return { ...(await play(world)), contacts };
  };
  expect(await make(true)).toEqual(await make(false));
});

test('a world that is disposed meanwhile ends it with an error, and nothing is left running', async () => {
  const world = new World();
  const long = warmUp(world, { milliseconds: 10_000 });
  setTimeout(() => world.dispose(), 50);
  await expect(long).rejects.toMatchObject({ code: 'disposed' });
});

// The package that scripts/build.mjs made: in CI it is built before the tests.
test.runIf(existsSync(join(root, 'dist/warmup.js')))(
  'the first 100 steps take less time',
  () => {
    const firstSteps = (milliseconds: number): [longest: number, sum: number] => {
      const script = join(root, 'test/warmup/firstSteps.mjs');
      const { stdout, stderr } = spawnSync(process.execPath, [script, String(milliseconds)], {
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      return JSON.parse(stdout);
    };
    // The best of three: other programs may run.
    const best = (milliseconds: number) => {
      const runs = [1, 2, 3].map(() => firstSteps(milliseconds));
      return [0, 1].map((i) => Math.min(...runs.map((run) => run[i]!)));
    };
    const [cold, warm] = [best(0), best(500)];
    const show = (times: number[]) => times.map((time) => time.toFixed(1)).join(' ms, sum ');
    console.log(`longest of 100 first steps: ${show(cold)} ms; warmed up ${show(warm)} ms`);
    expect(warm[1]).toBeLessThan(0.8 * cold[1]!);
  },
  60_000,
);
