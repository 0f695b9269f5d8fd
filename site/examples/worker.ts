// A world in a worker. Ids come back at once; questions are promises.
import { createPhysics } from 'ricochet/worker';

const physics = await createPhysics();
console.log(crossOriginIsolated ? 'poses come in shared memory' : 'poses come in messages');

physics.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
const crate = physics.createBody({
  mass: 20,
  position: [0, 4, 0],
  shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
});

physics.on(
  'contactBegin',
  ({ points }) => console.log(`crash: ${points.length} points, ${points[0]?.impulse.toFixed(1)} N·s`),
  { body: crate },
);
physics.on('sleep', () => console.log('asleep'), { body: crate });

await physics.start(); // the worker keeps the time
const timer = setInterval(async () => {
  physics.update();
  console.log(`height ${crate.getPosition()[1].toFixed(3)} m`);
  if (!crate.isSleeping()) return;
  clearInterval(timer);
  const hit = await physics.rayTest([0, 9, 0], [0, -9, 0]);
  console.log('a ray from above meets the crate:', hit?.body === crate);
}, 250);
