import { World } from 'ricochet';

const world = new World({ profiling: true });
world.createBody({ type: 'static', shape: { type: 'plane' } });
for (let i = 0; i < 200; i++)
  world.createBody({
    position: [1.1 * (i % 10), 0.5 + Math.floor(i / 10), 0],
    shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
  });
world.advance(30);

const profile = world.getProfile();
console.log(`${profile.awakeBodies} awake, ${profile.contacts} contacts, ${profile.recycled} reused`);
const { step, collide, solve } = profile;
console.log(`${step.toFixed(2)} ms, of it ${collide.toFixed(2)} collide, ${solve.toFixed(2)} solve`);
