// Actors as such: they are commands and rows of tables, so that states, streams and workers have them without more.
import { expect, test } from 'vitest';
import { World } from '../../src';
import { MAX_SLOT } from '../../src/base/ids';
import type { ActorLink } from '../../src/replica/actorLink';
import {
  removeVehicle,
  SetVehicle,
  SetWheel,
  setVehicle,
  setVehicleInput,
  setWheel,
} from '../../src/wasm/actor-commands';
import { startPhysics, TRANSPORTS } from '../worker/support';

function makeVehicle(link: ActorLink, slot: number, wheels: number): void {
  const vehicle = new Float64Array(SetVehicle.traction + 1);
  vehicle[0] = slot;
  vehicle[SetVehicle.frame + 3] = 1;
  link.write(setVehicle, vehicle);
  for (let i = 0; i < wheels; i++) {
    const wheel = new Float64Array(SetWheel.nominalLoad + 1).fill(1);
    wheel[0] = slot;
    wheel[SetWheel.wheel] = i;
    link.write(setWheel, wheel);
  }
}

function makeWorld(): { world: World; slots: number[] } {
  const world = new World();
  const slots: number[] = [];
  for (let i = 0; i < 5; i++)
    slots.push(
      world.createBody({ position: [3 * i, 5, 0], shape: { type: 'box', halfExtents: [1, 0.5, 2] } }).id &
        MAX_SLOT,
    );
  for (const i of [3, 0, 4, 1]) makeVehicle(world.actorLink(), slots[i]!, 2 + i);
  return { world, slots };
}

const published = (world: World) => {
  const { to } = world.actorLink().view();
  return [...to.words.subarray(to.at, to.end)];
};

test('rows are in hashes, snapshots and slots, whatever their order of creation', () => {
  const { world, slots } = makeWorld();
  expect(world.findFault()).toBe(0);
  const before = world.stateHash();
  const bytes = world.snapshot();
  const words = published(world);
  expect(words.length).toBeGreaterThan(100);
  world.actorLink().write(setVehicleInput, [slots[0]!, 0.5, 0, 0, 0, -2, 31]);
  expect(world.stateHash()).not.toBe(before);
  const other = World.restore(bytes);
  expect(other.stateHash()).toBe(before);
  expect(other.findFault()).toBe(0);
  expect(published(other)).toEqual(words);
  expect(other.snapshot()).toEqual(bytes);
  const slot = world.save();
  world.advance(10);
  const after = world.stateHash();
  world.restore(slot);
  world.advance(10);
  expect(world.stateHash()).toBe(after);
});

test('a vehicle goes with its command or with its body', () => {
  const { world, slots } = makeWorld();
  const empty = new World();
  for (const i of [0, 1, 2, 3, 4])
    empty.createBody({ position: [3 * i, 5, 0], shape: { type: 'box', halfExtents: [1, 0.5, 2] } });
  for (const i of [1, 3, 4, 0]) world.actorLink().write(removeVehicle, [slots[i]!]);
  world.actorLink().write(removeVehicle, [slots[2]!]); // has none
  expect(world.stateHash()).toBe(empty.stateHash());
  const again = makeWorld();
  for (const body of [...again.world.bodies()]) {
    again.world.removeBody(body);
    expect(again.world.findFault()).toBe(0);
  }
  expect(published(again.world)).toEqual([]);
});

test('a worker has the same, on every transport, and its frames carry what is published', async () => {
  for (const transport of TRANSPORTS) {
    const physics = await startPhysics({ transport, clock: 'manual' });
    const { world, slots } = makeWorld();
    for (let i = 0; i < 5; i++)
      physics.createBody({ position: [3 * i, 5, 0], shape: { type: 'box', halfExtents: [1, 0.5, 2] } });
    const link = await physics.actorLink();
    for (const i of [3, 0, 4, 1]) makeVehicle(link, slots[i]!, 2 + i);
    await physics.step(3);
    world.advance(3);
    expect(await physics.stateHash(), transport).toBe(world.stateHash());
    const { to } = link.view();
    expect([...to.words.subarray(to.at, to.end)], transport).toEqual(published(world));
    const other = await startPhysics({ transport, clock: 'manual' });
    await other.restore(world.snapshot());
    await other.step(3);
    world.advance(3);
    expect(await other.stateHash(), transport).toBe(world.stateHash());
    physics.dispose();
    other.dispose();
  }
});

test('streams replay, and forged commands are refused', () => {
  const { world, slots } = makeWorld();
  const copy = new World();
  for (let i = 0; i < 5; i++)
    copy.createBody({ position: [3 * i, 5, 0], shape: { type: 'box', halfExtents: [1, 0.5, 2] } });
  for (const head of [setVehicleInput.head]) {
    expect(() => copy.applyCommands(Int32Array.of(head, 17, 0, 0, 0, 0, 0, 0))).toThrow(/no body in slot 17/);
    expect(() => copy.applyCommands(Int32Array.of(head, slots[0]!, 0, 0, 0, 0, 9, 16))).toThrow(/gear/);
  }
  copy.applyCommands(Int32Array.of(setVehicleInput.head, slots[0]!, 0, 0, 0, 0, 0, 31)); // it has no vehicle: nothing
  copy.advance(1);
  world.advance(1);
  expect(copy.stateHash()).not.toBe(world.stateHash());
});
