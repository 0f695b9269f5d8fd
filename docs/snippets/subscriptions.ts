import { createPhysics } from 'ricochet/worker';

const physics = await createPhysics({ transport: 'page', clock: 'manual' });
physics.createBody({ type: 'static', shape: { type: 'plane' } });
const crate = physics.createBody({
  mass: 20,
  position: [0, 3, 0],
  shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
});

// One body, hard hits only.
physics.on('contactBegin', ({ points }) => console.log('crash', points.length), {
  body: crate,
  minImpulse: 50,
});

// The same as a loop; it ends with the world.
const asleep = (async () => {
  for await (const { body } of physics.events('sleep', { body: crate })) return body.id;
})();

await physics.step(300);
console.log('asleep', (await asleep) === crate.id);
physics.dispose();
