// Vehicles in states, streams, recordings and workers: the same bits everywhere.
import { Worker } from 'node:worker_threads';
import { Player, Recorder } from 'ricochet/replay';
import { expect, test } from 'vitest';
import { type PhysicsError, World, WorldSlot } from '../../src';
import type { PhysicsWorld } from '../../src/replica/physicsWorld';
import { createVehicle, type Vehicle } from '../../src/vehicle';
import * as layout from '../../src/wasm/core-layout';
import { caught } from '../support/caught';
import { startPhysics, TRANSPORTS, workerScript } from '../worker/support';

/** Deterministic numbers from 0 to 1: mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Four different vehicles among crates, on a bumpy ground. */
async function furnish(world: PhysicsWorld): Promise<Vehicle[]> {
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  const next = random(7);
  for (let i = 0; i < 24; i++)
    world.createBody({
      type: i % 3 === 0 ? 'dynamic' : 'static',
      ...(i % 3 === 0 ? { mass: 20 } : {}),
      position: [20 * (next() - 0.5), 0.06, 30 * next()],
      shape: { type: 'box', halfExtents: [0.3 + next(), 0.06, 0.3 + next()] },
    } as never);
  const cars: Vehicle[] = [];
  const casts = ['cylinder', 'sphere', 'ray', 'cylinder'] as const;
  for (let i = 0; i < 4; i++) {
    const chassis = world.createBody({
      mass: 900 + 400 * i,
      position: [6 * i - 9, 0.8, -4],
      shape: { type: 'box', halfExtents: [0.85, 0.25, 2] },
    });
    const wheels = [1, -1].flatMap((z) =>
      [1, -1].map((x) => ({
        position: [0.8 * x, -0.3, 1.3 * z] as [number, number, number],
        cast: casts[i]!,
      })),
    );
    cars.push(
      await createVehicle(world, {
        chassis,
        wheels,
        drive: (['rear', 'front', 'all', 'all'] as const)[i]!,
        kind: i === 3 ? 'tracked' : 'car',
        differential: i === 1 ? 'locked' : i === 2 ? 200 : 'open',
        centreDifferential: i === 2 ? 'locked' : 'open',
        antilock: i !== 1,
        traction: i !== 2,
      }),
    );
  }
  return cars;
}

/** What the drivers do before step i. */
function steer(cars: readonly Vehicle[], i: number): void {
  if (i % 20 !== 0) return;
  const next = random(i + 1);
  for (const car of cars)
    car.setInput({
      throttle: next() * 1.4 - 0.4,
      steer: next() * 2 - 1,
      brake: next() < 0.2 ? 1 : 0,
      handbrake: next() < 0.1 ? 1 : 0,
    });
}

const STEPS = 240;

/** Hashes of a run in this process, every 20 steps. */
async function straight(): Promise<{ world: World; cars: Vehicle[]; hashes: string[] }> {
  const world = new World();
  const cars = await furnish(world);
  const hashes: string[] = [];
  for (let i = 0; i < STEPS; i++) {
    steer(cars, i);
    world.step(1 / 60);
    if (i % 20 === 19) hashes.push(world.stateHash());
  }
  return { world, cars, hashes };
}

test('equal hashes over every transport, and equal read-outs', async () => {
  const { cars, hashes } = await straight();
  expect(new Set(hashes).size).toBe(hashes.length);
  for (const transport of TRANSPORTS) {
    const physics = await startPhysics({ transport, clock: 'manual' });
    const theirs = await furnish(physics);
    const got: string[] = [];
    for (let i = 0; i < STEPS; i += 20) {
      steer(theirs, i);
      await physics.step(20);
      got.push(await physics.stateHash());
    }
    expect(got, transport).toEqual(hashes);
    for (const [i, car] of theirs.entries()) {
      expect([car.speed, car.rpm, car.gear]).toEqual([cars[i]!.speed, cars[i]!.rpm, cars[i]!.gear]);
      for (const [k, wheel] of car.wheels.entries()) {
        const own = cars[i]!.wheels[k]!;
        expect([wheel.load, wheel.rotation, wheel.isInContact]).toEqual([
          own.load,
          own.rotation,
          own.isInContact,
        ]);
        expect(wheel.getPosition()).toEqual(own.getPosition());
        expect(wheel.getRotation()).toEqual(own.getRotation());
      }
    }
  }
});

test('from snapshots at random steps, and recorded and replayed', async () => {
  const { hashes } = await straight();
  const world = new World();
  const recorder = new Recorder(world, { keyframeEvery: 0 });
  const cars = await furnish(world);
  const next = random(99);
  for (let i = 0; i < STEPS; i++) {
    steer(cars, i);
    if (next() < 0.05) {
      const copy = World.restore(world.snapshot());
      expect(copy.stateHash()).toBe(world.stateHash());
      expect(copy.findFault()).toBe(0);
      const inWorker = random(i)() < 0.2;
      if (inWorker) {
        const physics = await startPhysics({ transport: 'messages', clock: 'manual' });
        await physics.restore(world.snapshot());
        await physics.step(5);
        copy.advance(5);
        expect(await physics.stateHash()).toBe(copy.stateHash());
      }
    }
    world.step(1 / 60);
    if (i % 20 === 19) expect(world.stateHash()).toBe(hashes[(i - 19) / 20]);
  }
  const file = await recorder.finish();
  const player = await Player.open(file);
  expect(player.verify()).toMatchObject({ frames: STEPS, divergence: null });
});

test.each([8, 60])('rollback of %i frames on every frame', async (frames) => {
  const { hashes } = await straight();
  const world = new World();
  const cars = await furnish(world);
  const slots = Array.from({ length: frames + 1 }, () => new WorldSlot());
  const last = frames === 8 ? 120 : 80;
  for (let frame = 0; frame < last; frame++) {
    world.save(slots[frame % (frames + 1)]!);
    steer(cars, frame);
    world.step(1 / 60);
    if (frame + 1 >= frames) {
      const from = frame + 1 - frames;
      world.restore(slots[from % (frames + 1)]!);
      for (let i = from; i <= frame; i++) {
        if (i % 20 === 0) for (const car of cars) car.setInput({ throttle: 0 }); // another input, taken back at once
        steer(cars, i);
        world.step(1 / 60);
      }
    }
    if (frame % 20 === 19) expect(world.stateHash()).toBe(hashes[(frame - 19) / 20]);
  }
});

test('a lost worker is replaced with its vehicles', async () => {
  const { hashes } = await straight();
  const script = await workerScript();
  const threads: Worker[] = [];
  const physics = await startPhysics({
    transport: 'messages',
    clock: 'manual',
    workerFactory: () => {
      threads.push(new Worker(script));
      return threads.at(-1)!;
    },
  });
  const cars = await furnish(physics);
  for (let i = 0; i < STEPS; i += 20) {
    steer(cars, i);
    await physics.step(20);
    if (i === 60 || i === 160) {
      const restarted = new Promise<void>((resolve) => physics.onRestart(resolve));
      void threads.at(-1)!.terminate();
      await restarted;
    }
    expect(await physics.stateHash()).toBe(hashes[i / 20]);
  }
});

test('bad input is a typed error, and nothing happens', async () => {
  const world = new World();
  const chassis = world.createBody({ mass: 1, shape: { type: 'box', halfExtents: [1, 0.2, 2] } });
  const wall = world.createBody({ type: 'static', shape: { type: 'plane' } });
  const wheels = [{ position: [0, 0, 1] as [number, number, number] }];
  const before = world.stateHash();
  const wrong: [object, string][] = [
    [{ wheels }, 'chassis'],
    [{ chassis: 77, wheels }, 'chassis'],
    [{ chassis: wall, wheels }, 'chassis'],
    [{ chassis }, 'wheels'],
    [{ chassis, wheels: [] }, 'wheels'],
    [{ chassis, wheels: [{}] }, 'wheels[0].position'],
    [{ chassis, wheels: [null] }, 'wheels[0]'],
    [{ chassis, wheels: Array(33).fill(wheels[0]) }, 'wheels'],
    [{ chassis, wheels: [{ ...wheels[0], radius: 0 }] }, 'wheels[0].radius'],
    [{ chassis, wheels: [{ ...wheels[0], tyre: { shape: 3 } }] }, 'wheels[0].tyre.shape'],
    [{ chassis, wheels, up: [0, 0, 1] }, 'forward'],
    [{ chassis, wheels, engine: { curve: [1, 1] } }, 'engine.curve'],
    [{ chassis, wheels, gearbox: { ratios: [] } }, 'gearbox.ratios'],
    [{ chassis, wheels, differential: 'tight' }, 'differential'],
    [{ chassis, wheels, wings: 2 }, 'wings'],
  ];
  for (const [options, argument] of wrong)
    await expect(createVehicle(world, options as never), argument).rejects.toMatchObject({
      name: 'PhysicsError',
      argument,
    });
  expect(world.stateHash()).toBe(before);
  const car = await createVehicle(world, { chassis, wheels });
  const after = world.stateHash();
  for (const input of [
    { throttle: 2 },
    { steer: Number.NaN },
    { brake: -1 },
    { gear: 9 },
    { gear: 0.5 },
    { horn: 1 },
    null,
  ])
    expect(() => car.setInput(input as never)).toThrow(expect.objectContaining({ name: 'PhysicsError' }));
  expect(() => car.setOptions({ wheels: [...wheels, ...wheels] })).toThrow(/must be 1 wheels/);
  expect(world.stateHash()).toBe(after);
  car.remove();
  expect(world.stateHash()).toBe(before);
  expect(() => car.setInput({ throttle: 1 })).toThrow(expect.objectContaining({ code: 'stale-id' }));
  const again = await createVehicle(world, { chassis: chassis.id, wheels });
  world.removeBody(chassis);
  expect(again.isRemoved).toBe(true);
  again.remove();
  expect(again.speed).toBe(0);
  world.advance(1);
});

test('random vehicles, inputs and rates: no number is lost', async () => {
  const seeds = Number(process.env['VEHICLE_SEEDS'] ?? 12);
  for (let seed = 1; seed <= seeds; seed++) {
    const next = random(seed);
    const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]!;
    const world = new World({ gravity: [0, -pick([0, 1, 9.81, 30]), 0] });
    await furnish(world);
    const mass = 10 ** (6 * next() - 1);
    const size = (mass / 1000) ** (1 / 3);
    const chassis = world.createBody({
      mass,
      position: [0, 2 * size + 1, -20],
      shape: { type: 'box', halfExtents: [size, 0.3 * size, 2 * size] },
    });
    const car = await createVehicle(world, {
      chassis,
      kind: pick(['car', 'tracked']),
      drive: pick(['front', 'rear', 'all']),
      wheels: Array.from({ length: 1 + Math.floor(next() * 8) }, () => ({
        position: [3 * size * (next() - 0.5), -0.5 * size * next(), 4 * size * (next() - 0.5)] as [
          number,
          number,
          number,
        ],
        radius: size * (0.1 + next()),
        cast: pick(['ray', 'sphere', 'cylinder'] as const),
        mass: mass * 10 ** (-4 * next()),
        brake: mass * 100 * next(),
        tyre: {
          friction: 3 * next(),
          peakSlip: 0.01 + next(),
          shape: 1.1 + 0.9 * next(),
          stiffening: 5 * next() + 0.5,
          relaxation: 0.01 + next(),
        },
        suspension: {
          frequency: 0.3 + 20 * next(),
          bumpDamping: 3 * next(),
          bump: size * next(),
          droop: size * next(),
        },
      })),
      engine: { torque: mass * 10 ** (2 * next() - 1.5), inertia: mass * 10 ** (-5 * next()) },
      differential: pick(['open', 'locked', 50]),
      centreDifferential: pick(['open', 'locked', 50]),
      antilock: next() < 0.5,
      traction: next() < 0.5,
    });
    const hertz = pick([20, 30, 60, 144, 240]);
    for (let i = 0; i < 150; i++) {
      if (i % 15 === 0)
        car.setInput({
          throttle: 2 * next() - 1,
          brake: next() < 0.3 ? next() : 0,
          steer: 2 * next() - 1,
          handbrake: next() < 0.2 ? 1 : 0,
          gear: pick(['automatic', -1, 0, 1, 2]),
        });
      world.step(1 / hertz);
    }
    expect(world.findFault(), `seed ${seed}`).toBe(0);
    expect(world.getProfile().lost, `seed ${seed}`).toBe(0);
    const speed = Math.hypot(...chassis.getLinearVelocity());
    expect(speed, `seed ${seed}: ${mass} kg, ${hertz} Hz`).toBeLessThan(300);
  }
});

test('rows of the tables that snapshots keep as rows are multiples of 16 bytes', () => {
  const { Area, Body, BodyVelocity, Character, Shape, Surface, TreeNode, Vehicle, Wheel } = layout;
  const records = { Area, Body, BodyVelocity, Character, Shape, Surface, TreeNode, Vehicle, Wheel };
  for (const [name, { SIZE }] of Object.entries(records)) expect(SIZE % 16, name).toBe(0);
});

test.each(['radius', 'inertia'] as const)(
  'a wheel whose %s is smaller than commands allow is refused',
  async (field) => {
    const world = new World();
    await furnish(world);
    world.advance(10);
    const { instance } = world;
    const at = (instance.get('wheels') + layout.Wheel[field]) >>> 2;
    const kept = instance.words[at]!;
    instance.words[at] = 31; // bits of a number so small that 1 divided by it is infinite
    const forged = world.snapshot();
    instance.words[at] = kept;
    const hash = world.stateHash();
    expect((caught(() => world.restore(forged)) as PhysicsError).code).toBe('damaged-snapshot');
    expect(world.stateHash()).toBe(hash);
    world.restore(world.snapshot());
    expect(world.stateHash()).toBe(hash);
  },
);
