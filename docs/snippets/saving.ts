import { World } from 'ricochet';

const CRATE = 7; // says what a body is, and is part of the state

const world = new World({ deterministic: true });
world.createBody({ type: 'static', shape: { type: 'plane' } });
for (let i = 0; i < 5; i++)
  world.createBody({
    position: [0.1 * i, 1 + 1.2 * i, 0],
    userIndex: CRATE,
    shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
  });
world.advance(60);

const bytes = world.snapshot(); // to a file, IndexedDB, another player

const loaded = World.restore(bytes);
for (const body of loaded.bodies()) if (body.userIndex === CRATE) body.userData = { mesh: 'a new crate' };

world.advance(240);
loaded.advance(240);
console.log('the same', loaded.stateHash() === world.stateHash(), bytes.length < 20_000);
