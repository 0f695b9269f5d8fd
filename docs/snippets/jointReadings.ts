import { createPhysics } from 'ricochet/worker';

const physics = await createPhysics({ transport: 'page', clock: 'manual' });
const lamp = physics.createBody({ mass: 3, position: [0, -0.5, 0], shape: { type: 'sphere', radius: 0.1 } });
const hook = physics.createJoint({
  type: 'hinge',
  bodyB: lamp,
  anchor: [0, 0, 0],
  axis: [0, 0, 1],
  angle: {},
});

hook.watch(); // from the next frame on, frames tell about this joint
lamp.applyCentralImpulse([2, 0, 0]);
await physics.step(30);
const impulse = new Float32Array(3); // reading fills it: nothing is allocated
hook.getAppliedImpulse(impulse);
console.log(impulse[1]! / physics.fixedTimeStep, 'N', hook.getPosition('angle'), 'rad');
physics.dispose();
