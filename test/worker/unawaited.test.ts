// Promises that nobody awaits: a world that is disposed of meanwhile is no error of the program.
import { createCharacter } from 'ricochet/character';
import { createVehicle } from 'ricochet/vehicle';
import { expect, test } from 'vitest';
import { World } from '../../src';
import { startPhysics, TRANSPORTS } from './support';

test.each(TRANSPORTS)('%s: steps on their way when the world is disposed of', async (transport) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.prependListener('unhandledRejection', note);
  try {
    const physics = await startPhysics({ transport, clock: 'manual' });
    void physics.step(20);
    void physics.advance(2);
    physics.dispose();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(unhandled).toEqual([]);
  } finally {
    process.removeListener('unhandledRejection', note);
  }
});

test.each(TRANSPORTS)(
  '%s: actors that a restore brings or takes, before the page has their module',
  async (transport) => {
    const source = new World();
    source.createBody({ type: 'static', shape: { type: 'plane' } });
    const chassis = source.createBody({
      mass: 1000,
      position: [0, 0.7, 0],
      shape: { type: 'box', halfExtents: [0.8, 0.25, 1.8] },
    });
    const before = source.snapshot();
    const wheels = [1, -1].flatMap((z) =>
      [1, -1].map((x) => ({ position: [0.8 * x, -0.3, 1.3 * z] as [number, number, number] })),
    );
    const car = await createVehicle(source, { chassis, wheels });
    const shape = { type: 'capsule', radius: 0.3, halfHeight: 0.5 } as const;
    const hero = await createCharacter(source, { shape, position: [4, 1, 0] });
    car.setInput({ throttle: 1 });
    hero.setInput({ move: [1, 0, 0] });
    source.advance(10);
    const bytes = source.snapshot();
    source.advance(20);

    const physics = await startPhysics({ transport, clock: 'manual' });
    await physics.restore(bytes);
    await physics.step(20);
    expect(await physics.stateHash()).toBe(source.stateHash());

    await physics.restore(before);
    const late = await createVehicle(physics, { chassis: chassis.id, wheels });
    const walker = await createCharacter(physics, { shape, position: [4, 1, 0] });
    await physics.restore(before);
    late.setInput({ throttle: 1 }); // there is no vehicle: nothing
    expect(walker.isRemoved).toBe(true);
    expect(() => walker.setInput({ jump: true })).toThrow(/was removed/);
    await physics.step(5);
    const copy = World.restore(before);
    copy.advance(5);
    expect(await physics.stateHash()).toBe(copy.stateHash());
    physics.dispose();
  },
);
