import { type PhysicsWorld, World } from 'ricochet';
import { createPhysics } from 'ricochet/worker';

// Written once, for a world in the page and for one in a worker.
async function game(world: PhysicsWorld) {
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const crate = world.createBody({
    mass: 20,
    position: [0, 3, 0],
    shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
  });
  world.on('contactBegin', () => console.log('crash'), { body: crate, minImpulse: 50 });
  await world.advance(120);
  const hit = await world.rayTest([0, 9, 0], [0, -9, 0]);
  console.log(hit?.body === crate, crate.isSleeping(), await world.stateHash());
  world.dispose();
}

await game(new World());
await game(await createPhysics({ transport: 'page', clock: 'manual' }));
