import { warmUp } from 'ricochet/warmup';
import { createPhysics } from 'ricochet/worker';

const physics = await createPhysics({ transport: 'page' }); // in a game: without this option
const loading = Promise.resolve(); // models, sounds
const [steps] = await Promise.all([warmUp(physics), loading]);
console.log(`${steps} steps, ${physics.bodyCount} bodies`);

physics.createBody({ type: 'static', shape: { type: 'plane' } });
physics.start();
