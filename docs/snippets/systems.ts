import { type PhysicsWorld, World } from 'ricochet';
import { createPhysics } from 'ricochet/worker';
import magnet from './magnet';

const furnish = (world: PhysicsWorld) => {
  for (let i = 0; i < 5; i++)
    world.createBody({ mass: 1, position: [3 + i, 0, 0], shape: { type: 'sphere', radius: 0.3 } });
};
const options = { at: [0, 0, 0] as [number, number, number], strength: 20 };

// A worker gets the address of the module. (`transport: 'page'` is for this example only.)
const physics = await createPhysics({ transport: 'page', clock: 'manual', gravity: [0, 0, 0] });
furnish(physics);
const system = await physics.addSystem<{ strength: number }, { caught: number }>(
  new URL('./magnet.ts', import.meta.url),
  { name: 'magnet', options },
);
system.on('message', ({ caught }) => console.log('caught', caught));
system.on('error', (error) => console.error(error.message)); // it was stopped; the world goes on
await physics.step(60);
system.post({ strength: 40 }); // comes after these steps, before the next
await physics.step(60);

// The same module in a World, on a server: by the module itself.
const world = new World({ gravity: [0, 0, 0] });
furnish(world);
const same = await world.addSystem(magnet, { name: 'magnet', options });
world.advance(60);
same.post({ strength: 40 });
world.advance(60);
console.log('equal', world.stateHash() === (await physics.stateHash()));
physics.dispose();
