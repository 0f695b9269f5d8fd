// Vehicles and characters after a restore: what handles are told counts from the state that was restored, whatever they
// were told before it. Else two peers, of which one guessed wrong and went back, would come apart.
import { expect, test } from 'vitest';
import { World, WorldSlot } from '../../src';
import { createCharacter } from '../../src/character';
import { Player, Recorder } from '../../src/replay';
import { createVehicle, type Vehicle, type VehicleOptions } from '../../src/vehicle';
import { changeActors, slotsOf } from '../support/randomActors';
import { Chance } from '../support/randomWorlds';

const DT = 1 / 60;
const WHEELS: VehicleOptions['wheels'] = [1, -1].flatMap((z) =>
  [1, -1].map((x) => ({ position: [0.8 * x, -0.3, 1.3 * z] as [number, number, number] })),
);

async function carWorld(changes: Partial<VehicleOptions> = {}): Promise<{ world: World; car: Vehicle }> {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const chassis = world.createBody({
    mass: 1000,
    position: [0, 0.7, 0],
    shape: { type: 'box', halfExtents: [0.8, 0.25, 1.8] },
  });
  return { world, car: await createVehicle(world, { chassis, wheels: WHEELS, ...changes }) };
}

test('a car that is told again what it was told before a restore drives', async () => {
  const { world, car } = await carWorld();
  world.advance(10);
  const slot = world.save(new WorldSlot());
  car.setInput({ throttle: 1 });
  world.advance(60);
  const hash = world.stateHash();
  world.restore(slot);
  car.setInput({ throttle: 1 });
  world.advance(60);
  expect(world.stateHash()).toBe(hash);
  expect(car.speed).toBeGreaterThan(1);
});

test('what an input leaves out is that of the state, not of what was undone', async () => {
  const { world, car } = await carWorld();
  const walker = await createCharacter(world, {
    shape: { type: 'capsule', radius: 0.3, halfHeight: 0.5 },
    crouchShape: { type: 'sphere', radius: 0.3, position: [0, -0.5, 0] },
    position: [5, 0.9, 0],
  });
  car.setInput({ throttle: 0.5 });
  walker.setInput({ move: [1, 0, 0] });
  world.advance(10);
  const slot = world.save(new WorldSlot());
  const course = () => {
    car.setInput({ steer: 0.3 });
    walker.setInput({ turn: 1 });
    world.advance(30);
    return world.stateHash();
  };
  const hash = course();
  world.restore(slot);
  car.setInput({ throttle: -1, brake: 1, handbrake: 1, gear: 0 });
  walker.setInput({ move: [0, 0, -3], crouch: true, mode: 'fly', local: true });
  world.advance(5);
  world.restore(slot);
  expect(course()).toBe(hash);
});

test('the hash covers the rows of actors, and nothing behind the last one', async () => {
  const { world, car } = await carWorld({ wheels: WHEELS.slice(0, 3) });
  const other = await carWorld();
  world.advance(20);
  const copy = World.restore(world.snapshot());
  // A world in which a fourth wheel was.
  other.world.advance(20);
  other.world.restore(world.snapshot());
  expect(car.isRemoved).toBe(false);
  expect(copy.stateHash()).toBe(world.stateHash());
  expect(other.world.stateHash()).toBe(world.stateHash());
});

test('the largest vehicle that options allow leaves a valid state, and its recording replays', async () => {
  const extremes: Partial<VehicleOptions>[] = [
    { suspension: { frequency: 1000, bumpDamping: 1e9, antiRoll: 1e9 } },
    { engine: { torque: 1e15, inertia: 1e-9 }, tyre: { friction: 1e6, relaxation: 1e-3, peakSlip: 0.001 } },
    { wheels: WHEELS.map((wheel) => ({ ...wheel, radius: 1e7 })) },
    { wheels: WHEELS.map((wheel) => ({ ...wheel, radius: 1e-5, mass: 1e-9 })), gearbox: { final: 1e4 } },
    { drag: 1e9, downforce: 1e9, steering: { halfSpeed: 1e-9 } },
  ];
  for (const [i, changes] of extremes.entries())
    for (const mass of [1e-9, 1000, 1e15]) {
      const world = new World();
      world.createBody({ type: 'static', shape: { type: 'plane' } });
      const recorder = new Recorder(world, { compress: false, keyframeEvery: 0 });
      const chassis = world.createBody({
        mass,
        position: [0, 0.7, 0],
        shape: { type: 'box', halfExtents: [0.8, 0.25, 1.8] },
      });
      const car = await createVehicle(world, { chassis, wheels: WHEELS, ...changes });
      car.setInput({ throttle: 1, steer: 1 });
      for (let k = 0; k < 20; k++) {
        world.step(DT);
        expect(world.findFault(), `number ${i}, ${mass} kg, step ${k}`).toBe(0);
      }
      const player = await Player.open(await recorder.finish());
      expect(player.verify({ goOn: true }).divergence).toBeNull();
    }
});

test('random actors are found in the tables', () => {
  const world = new World();
  for (let i = 0; i < 40; i++) changeActors(new Chance(i), world);
  expect(slotsOf(world, 'vehicles').length).toBeGreaterThan(0);
  expect(slotsOf(world, 'characters').length).toBeGreaterThan(0);
  expect(world.findFault()).toBe(0);
});
