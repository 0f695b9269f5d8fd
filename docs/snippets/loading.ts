import { createCharacter } from 'ricochet/character';
import { createVehicle } from 'ricochet/vehicle';
import { createPhysics, type Physics } from 'ricochet/worker';

// What each body is. Numbers, because `userIndex` is part of the state.
const HERO = 1;
const CAR = 2;

const settings = { transport: 'page', clock: 'manual' } as const; // in a game: none of these
const heroOptions = { stepHeight: 0.3 };
const carOptions = {
  drive: 'all',
  wheels: [1.3, -1.3].flatMap((z) =>
    [0.8, -0.8].map((x) => ({ position: [x, -0.3, z] as [number, number, number] })),
  ),
} as const;

/** A new game. */
async function begin() {
  const physics = await createPhysics(settings);
  physics.createBody({ type: 'static', shape: { type: 'plane' } });
  const shape = { type: 'capsule', radius: 0.3, halfHeight: 0.6 } as const;
  const hero = await createCharacter(physics, { shape, position: [5, 1, 0], ...heroOptions });
  hero.body.setUserIndex(HERO);
  const chassis = physics.createBody({
    mass: 1200,
    position: [0, 0.65, 0],
    userIndex: CAR,
    shape: { type: 'box', halfExtents: [0.85, 0.25, 2] },
  });
  const car = await createVehicle(physics, { chassis, ...carOptions });
  return { physics, hero, car };
}

/** A saved game, perhaps in another page on another day. */
async function load(bytes: Uint8Array) {
  const physics: Physics = await createPhysics(settings);
  await physics.restore(bytes);
  const find = (index: number) => {
    for (const body of physics.bodies()) if (body.userIndex === index) return body;
    throw new Error(`the saved game has no body ${index}`);
  };
  // Both are in the snapshot already, with speed, gear and inputs: these calls only make their objects again.
  const hero = await createCharacter(physics, { body: find(HERO), ...heroOptions });
  const car = await createVehicle(physics, { chassis: find(CAR), ...carOptions });
  return { physics, hero, car };
}

const game = await begin();
game.hero.setInput({ move: [0, 0, 2] });
game.car.setInput({ throttle: 1 });
await game.physics.step(120);
const bytes = await game.physics.snapshot();

const loaded = await load(bytes);
await game.physics.step(120);
await loaded.physics.step(120);
console.log('the same', (await loaded.physics.stateHash()) === (await game.physics.stateHash()));
game.physics.dispose();
loaded.physics.dispose();
