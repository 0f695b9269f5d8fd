// Step systems when their worker is lost, hangs, or runs by its own clock; their states over rollbacks; what they read.

import { Worker } from 'node:worker_threads';
import { type PhysicsError, type StepSystem, World, WorldSlot } from 'ricochet';
import type { Physics } from 'ricochet/worker';
import { describe, expect, test } from 'vitest';
import { startPhysics, TRANSPORTS, until, workerScript } from '../worker/support';
// @ts-expect-error: plain JavaScript without declarations
import herd from './modules/herd.mjs';

const address = (name: string) => new URL(`./modules/${name}.mjs`, import.meta.url);
const HERD = address('herd');
const MISCHIEF = address('mischief');

function furnish(world: World | Physics): number[] {
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const ids: number[] = [];
  for (let i = 0; i < 8; i++)
    ids.push(
      world.createBody({
        mass: 0.1 + 0.7 * i,

        linearDamping: 0.1,
        position: [(i % 3) - 1.03, 1 + 0.9 * Math.floor(i / 3), 0.1 * i],
        shape:
          i % 2
            ? { type: 'sphere', radius: 0.31, friction: 0.3 }
            : { type: 'box', halfExtents: [0.31, 0.3, 0.29] },
      } as never).id,
    );
  return ids;
}

describe.each([8, 60])('rollback of %i frames on every frame', (frames) => {
  test('gives the states of a run without it', async () => {
    const straight = new World();
    furnish(straight);
    await straight.addSystem(herd, { name: 'herd', options: { seed: 21 } });
    const world = new World();
    furnish(world);
    await world.addSystem(herd, { name: 'herd', options: { seed: 21 } });
    const slots = Array.from({ length: frames + 1 }, () => new WorldSlot());
    const last = frames === 8 ? 80 : 64;
    for (let frame = 0; frame < last; frame++) {
      world.save(slots[frame % (frames + 1)]!);
      world.step(1 / 60);
      straight.step(1 / 60);
      if (frame + 1 >= frames) {
        const from = frame + 1 - frames;
        world.restore(slots[from % (frames + 1)]!);
        for (let again = from; again <= frame; again++) {
          world.save(slots[again % (frames + 1)]!);
          world.step(1 / 60);
        }
      }
      expect(world.stateHash(), `frame ${frame}`).toBe(straight.stateHash());
    }
  });
});

test.each(['shared', 'messages'] as const)('%s: a lost worker has its systems again', async (transport) => {
  const script = await workerScript();
  const workers: Worker[] = [];
  const physics = await startPhysics({
    transport,
    clock: 'manual',
    workerFactory: () => {
      workers.push(new Worker(script));
      return workers.at(-1)!;
    },
  });
  physics.onError(() => {});
  furnish(physics);
  await physics.step(3);
  const system = (await physics.addSystem(HERD, { options: { seed: 4 } })) as StepSystem;
  const said: { step: number }[] = [];
  system.on('message', (message) => said.push(message as { step: number }));
  await physics.step(12);
  system.post({ calm: 5 });
  await physics.step(10);
  const restarted = new Promise<void>((resolve) => physics.onRestart(resolve));
  await workers[0]!.terminate();
  await restarted;
  await physics.step(10);
  const world = new World();
  furnish(world);
  world.advance(3);
  const other = await world.addSystem(HERD, { options: { seed: 4 } });
  world.advance(12);
  other.post({ calm: 5 });
  world.advance(20);
  expect(await physics.stateHash()).toBe(world.stateHash());
  await until(() => said.length >= 3);
  expect(said.map(({ step }) => step)).toEqual([10, 20, 30]); // none of them twice
  expect(system.isRunning).toBe(true);
});

test.each(['shared', 'messages'] as const)(
  '%s: a system that never returns is stopped',
  async (transport) => {
    const physics = await startPhysics({ transport, clock: 'manual', hangTimeout: 1500 });
    const errors: PhysicsError[] = [];
    physics.onError((error) => errors.push(error));
    const body = furnish(physics).at(-1)!;
    const good = await physics.addSystem(HERD, { options: { seed: 4 } });
    const bad = await physics.addSystem(MISCHIEF, { options: { what: 'hang', body } });
    await physics.step(5).catch(() => {});
    await until(() => !bad.isRunning);
    expect(errors.map(({ code }) => code)).toContain('system-failed');
    expect(errors.find(({ code }) => code === 'system-failed')!.message).toContain('mischief');
    expect(good.isRunning).toBe(true);
    // The world goes on where it was, with the other one. (Steps of a rejected call may have been made, or not.)
    await physics.step(2);
    const before = physics.stats.steps;
    const world = new World();
    furnish(world);
    await world.addSystem(HERD, { options: { seed: 4 } });
    world.advance(before);
    expect(await physics.stateHash()).toBe(world.stateHash());
  },
  60_000,
);

test('what a system reads is the same in a World and over every transport', async () => {
  const ask = async (world: World | Physics) => {
    const ids = furnish(world);
    world.setGravity([0.1, -9.7, 0.3]);
    const [bodyA, bodyB] = ids.map((id) => world.getBody(id));
    world.createJoint({ type: 'hinge', bodyA, bodyB, anchor: [0.1, 1.2, 0], axis: [0, 0.6, 0.8] } as never);
    const system = await world.addSystem(address('reader'), {
      options: { at: 20, one: ids[0], two: ids[3] },
    });
    const said: unknown[] = [];
    system.on('message', (message) => said.push(message));
    system.on('error', (error) => said.push(error.message));
    await world.advance(21);
    await until(() => said.length > 0);
    return said[0];
  };
  const here = (await ask(new World())) as { bodies: object[]; hits: unknown[] };
  expect(here.bodies).toHaveLength(9);
  expect(Object.keys(here.bodies[1]!).length).toBeGreaterThan(20);
  for (const transport of TRANSPORTS)
    expect(await ask(await startPhysics({ transport, clock: 'manual' })), transport).toEqual(here);
});

test('a system runs with the clock of its worker, and posts travel while it runs', async () => {
  const physics = await startPhysics({ fixedTimeStep: 1 / 120 });
  furnish(physics);
  const system = (await physics.addSystem(HERD)) as StepSystem;
  const said: Record<string, unknown>[] = [];
  system.on('message', (message) => said.push(message as Record<string, unknown>));
  await physics.start();
  system.post('hello');
  await until(() => said.some(({ heard }) => heard === 'hello') && said.length > 3);
  await physics.pause();
  // A page's force acts on, whatever forces systems apply and take back.
  expect(system.isRunning).toBe(true);
});

test('forces of a system act in its steps alone, those of others to the bit as without it', async () => {
  const push = (name: string, on: number) => ({
    default: ({
      world,
    }: {
      world: { getBody(id: number): { applyCentralForce(force: number[]): void } };
    }) => ({
      beforeStep: () => world.getBody(on).applyCentralForce([0, name === 'up' ? 13 : 0, 0]),
    }),
  });
  const run = async (withSystem: boolean) => {
    const world = new World({ gravity: [0, 0, 0] });
    const [one, two] = [0, 5].map((x) =>
      world.createBody({ mass: 2, position: [x, 0, 0], shape: { type: 'sphere', radius: 0.5 } }),
    );
    if (withSystem) await world.addSystem(push('up', one!.id) as never, { name: 'push' });
    two!.applyForce([0.1, 0.7, 0.3], [0.2, 0.1, 0]);
    world.stepSimulation(0.1, 6, 1 / 60);
    return { one: one!.getLinearVelocity(), two: [two!.getLinearVelocity(), two!.getAngularVelocity()] };
  };
  const [without, within] = [await run(false), await run(true)];
  expect(within.two).toEqual(without.two);
  expect(within.one[1]).toBeCloseTo((13 / 2) * 0.1, 5); // F/m · t: not once more for every substep before
});
