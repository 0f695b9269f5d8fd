// Vehicles and characters of random worlds. In: a world, random numbers. Out: actors made, changed, driven and removed.
// Which there are is read from the core's tables: whoever holds a copy of a world finds the same ones.
import type { BodyOptions, RigidBody, ShapeOptions, World } from '../../src';
import { MAX_SLOT } from '../../src/base/ids';
import { characterIn } from '../../src/character/character';
import {
  CHECKED,
  type CharacterInput,
  type CharacterSetup,
  checked,
  inputWords,
  setupWords,
} from '../../src/character/setup';
import { encodeVehicle, vehicleOptions, type WheelOptions } from '../../src/vehicle/options';
import {
  removeCharacter,
  removeVehicle,
  setCharacter,
  setCharacterInput,
  setVehicle,
  setVehicleInput,
  setWheel,
} from '../../src/wasm/actor-commands';
import { Character, Vehicle } from '../../src/wasm/core-layout';
import type { Chance } from './randomWorlds';

/** Slots of the bodies that have an actor. */
export function slotsOf(world: World, kind: 'vehicles' | 'characters'): number[] {
  const { instance } = world;
  world.query(() => 0); // commands that wait are made first
  instance.refresh();
  const [count, size] =
    kind === 'vehicles'
      ? [instance.get('vehicleCount'), Vehicle.SIZE]
      : [instance.get('characterCount'), Character.SIZE];
  const first = instance.get(kind) >>> 2;
  return Array.from({ length: count }, (_, i) => instance.words[first + (i * size) / 4]!);
}

function vehicleSettings(chance: Chance): Record<string, unknown> {
  return {
    ...(chance.once(3) && { kind: chance.of(['tracked', 'motorcycle']) }),
    ...(chance.once(5) && { forward: [0.6, 0, 0.8] }),
    drive: chance.of(['front', 'rear', 'all']),
    ...(chance.once(3) && { differential: chance.of(['locked', 300]) }),
    ...(chance.once(3) && { centreDifferential: chance.of(['locked', 1000]) }),
    ...(chance.once(4) && { downforce: 3 }),
    ...(chance.once(3) && { antilock: false }),
    ...(chance.once(3) && { traction: false }),
    ...(chance.once(3) && {
      gearbox: { automatic: false, ratios: [3, 1.5], shiftTime: chance.of([0, 0.3]) },
    }),
    ...(chance.once(4) && { steering: { rate: 0, ackermann: chance.of([0, 0.5]), halfSpeed: 0 } }),
    ...(chance.once(4) && { suspension: { frequency: chance.of([0.5, 12]), bump: 0.05, antiRoll: 2 } }),
    ...(chance.once(4) && { tyre: { friction: chance.of([0, 3]), shape: 1.1, loadSensitivity: 0.3 } }),
  };
}

function wheels(chance: Chance, width: number, length: number): WheelOptions[] {
  const radius = chance.of([0.2, 0.35, 0.35, 0.6]);
  const own = (): Partial<WheelOptions> => ({
    radius,
    cast: chance.of(['ray', 'sphere', 'cylinder', 'cylinder']),
    ...(chance.once(9) && { mask: 1 }),
    ...(chance.once(6) && { steered: chance.of([-0.5, 0.3]) }),
  });
  const at = (x: number, z: number): WheelOptions => ({ position: [x * width, -0.2, z * length], ...own() });
  const list = [at(1, 1), at(-1, 1), at(1, -1), at(-1, -1)];
  if (chance.once(4)) list.push(at(1, 0), at(-1, 0));
  return chance.once(4) ? list.slice(0, chance.of([1, 2, 3])) : list;
}

/** Makes the vehicle of a dynamic body, or another of the one that it has. */
function giveVehicle(chance: Chance, world: World, body: RigidBody, list: WheelOptions[]): void {
  const given = vehicleOptions({ chassis: body, wheels: list, ...vehicleSettings(chance) });
  const words = encodeVehicle(given, {
    slot: body.id & MAX_SLOT,
    mass: body.mass,
    centerOfMass: body.getLocalCenterOfMass(),
    group: body.group,
    mask: body.mask,
    gravity: 9.81,
  });
  const link = world.actorLink();
  link.write(setVehicle, words.vehicle);
  for (const wheel of words.wheels) link.write(setWheel, wheel);
}

function makeCar(chance: Chance, world: World): void {
  const width = chance.of([0.5, 0.8]);
  const length = chance.of([0.7, 1.4]);
  const chassis: BodyOptions = {
    mass: chance.of([5, 300, 1200]),
    position: [chance.between(-2, 2), chance.between(0.7, 3), chance.between(-2, 2)],
    ...(chance.once(4) && { rotation: chance.rotation() }),
    ...(chance.once(4) && { centerOfMass: [0, -0.2, 0.1] }),
    shape: { type: 'box', halfExtents: [width, 0.2, length] },
  };
  giveVehicle(chance, world, world.createBody(chassis), wheels(chance, width, length));
}

function characterSettings(chance: Chance): Partial<CharacterSetup> {
  return {
    ...(chance.once(4) && { up: chance.vector(1) }),
    ...(chance.once(4) && { offset: chance.of([0.005, 0.1]) }),
    ...(chance.once(4) && { stepHeight: chance.of([0, 0.6]) }),
    ...(chance.once(4) && { maxSlope: chance.of([0.3, 1.2]), slideSlope: 1.3 }),
    ...(chance.once(3) && { gravity: chance.of(['world', 0, 30] as const) }),
    ...(chance.once(4) && { airJumps: 2 }),
    ...(chance.once(3) && { mass: chance.of([0, 500]) }),
    ...(chance.once(3) && { pushForce: chance.of([0, 1e4]) }),
    ...(chance.once(4) && { yields: false }),
    ...(chance.once(4) && { stepOnDynamic: chance.once(2) }),
    ...(chance.once(5) && { ladders: 2 }),
    ...(chance.once(4) && { buoyancy: 0.5 }),
    ...(chance.once(8) && { mask: 1 }),
  };
}

const FIGURES: readonly ShapeOptions[] = [
  { type: 'capsule', radius: 0.3, halfHeight: 0.5 },
  { type: 'sphere', radius: 0.4 },
  { type: 'box', halfExtents: [0.3, 0.7, 0.3] },
  { type: 'cylinder', radius: 0.3, halfHeight: 0.6 },
];

function makeCharacter(chance: Chance, world: World): void {
  characterIn(world, world.actorLink(), {
    ...characterSettings(chance),
    shape: chance.once(3) ? [chance.of(FIGURES), chance.of(FIGURES)] : chance.of(FIGURES),
    ...(chance.once(2) && { crouchShape: { type: 'sphere', radius: 0.3, position: [0, -0.4, 0] } }),
    position: [chance.between(-2, 2), chance.between(0.5, 3), chance.between(-2, 2)],
  });
}

/** Makes, changes or removes an actor. */
export function changeActors(chance: Chance, world: World): void {
  const bodies = [...world.bodies()];
  const handle = (slot: number) => bodies.find(({ id }) => (id & MAX_SLOT) === slot)!;
  const cars = slotsOf(world, 'vehicles');
  const figures = slotsOf(world, 'characters');
  switch (chance.below(10)) {
    case 0:
    case 1:
      if (cars.length < 3) makeCar(chance, world);
      return;
    case 2: {
      const dynamic = bodies.filter(({ type }) => type === 'dynamic');
      if (dynamic.length > 0) giveVehicle(chance, world, chance.of(dynamic), wheels(chance, 0.4, 0.5));
      return;
    }
    case 3:
    case 4:
      if (figures.length < 4) makeCharacter(chance, world);
      return;
    case 5: {
      const kinematic = bodies.filter(({ type }) => type === 'kinematic');
      if (kinematic.length === 0) return;
      characterIn(world, world.actorLink(), { ...characterSettings(chance), body: chance.of(kinematic) });
      return;
    }
    case 6:
      if (cars.length > 0 && chance.once(2)) world.actorLink().write(removeVehicle, [chance.of(cars)]);
      else if (figures.length > 0) world.actorLink().write(removeCharacter, [chance.of(figures)]);
      return;
    case 7: {
      if (cars.length === 0) return;
      const body = handle(chance.of(cars));
      const what = chance.below(16);
      if (what < 4) body.remove();
      else if (what < 7) body.setType(chance.of(['kinematic', 'static']));
      else giveVehicle(chance, world, body, wheels(chance, 0.6, 0.9));
      return;
    }
    case 8: {
      if (figures.length === 0) return;
      const body = handle(chance.of(figures));
      const what = chance.below(15);
      if (what < 3) body.remove();
      else if (what < 5) body.setType('static');
      else if (what < 7 && body.shapes.length > 1) body.removeShape(chance.of(body.shapes));
      else
        world
          .actorLink()
          .write(
            setCharacter,
            setupWords(body.id & MAX_SLOT, checked(CHECKED, characterSettings(chance), false), 1),
          );
      return;
    }
    default:
      if (figures.length > 0)
        handle(chance.of(figures)).setTransform(
          [chance.between(-2, 2), chance.between(0, 4), chance.between(-2, 2)],
          chance.rotation(),
        );
  }
}

function characterInput(chance: Chance): CharacterInput {
  return {
    ...(!chance.once(4) && { move: chance.vector(chance.of([2, 6, 60])) }),
    ...(chance.once(2) && { local: chance.once(3) }),
    ...(chance.once(2) && { turn: chance.of([0, 0, 1, -8]) }),
    ...(chance.once(2) && { jump: chance.once(2) }),
    ...(chance.once(9) && { launch: chance.vector(8) }),
    ...(chance.once(2) && { crouch: chance.once(2) }),
    ...(chance.once(2) && { mode: chance.of(['walk', 'walk', 'walk', 'swim', 'fly'] as const) }),
  };
}

/** What those who drive and walk want from now on. */
export function driveActors(chance: Chance, world: World): void {
  for (const slot of slotsOf(world, 'vehicles'))
    if (chance.once(12))
      world
        .actorLink()
        .write(setVehicleInput, [
          slot,
          chance.between(-1, 1),
          chance.of([0, 0, 0.5, 1]),
          chance.between(-1, 1),
          chance.of([0, 0, 0, 1]),
          chance.of([-2, -2, -1, 0, 1, 2, 8]),
          chance.of([31, 31, 3, 20, 0]),
        ]);
  for (const slot of slotsOf(world, 'characters'))
    if (chance.once(10)) world.actorLink().write(setCharacterInput, inputWords(slot, characterInput(chance)));
}
