import { World } from 'ricochet';

const world = new World({ events: ['jointBroken', 'jointRemoved'] });
const box = { type: 'box', halfExtents: [0.5, 0.05, 0.3] } as const;

// A door: it turns about an upright axis, 0 … 110°, and a servo opens it.
const door = world.createBody({ mass: 20, position: [0.5, 0, 0], shape: box });
const hinge = world.createJoint({
  type: 'hinge',
  bodyB: door,
  anchor: [0, 0, 0],
  axis: [0, 1, 0],
  angle: { low: 0, high: 1.92, servo: { target: 1.5, maxVelocity: 2, maxForce: 200 } },
});

// A wheel and its suspension.
const car = world.createBody({ mass: 800, position: [0, 2, 5], shape: box });
const wheel = world.createBody({ mass: 15, position: [0, 1.6, 5], shape: { type: 'sphere', radius: 0.3 } });
const axle = world.createJoint({
  type: 'hinge2',
  bodyA: car,
  bodyB: wheel,
  anchor: [0, 1.6, 5],
  axis: [0, 1, 0], // along which it springs, about which it steers
  axis2: [0, 0, 1], // about which it spins
  position: { low: -0.2, high: 0.2, spring: { hertz: 1.5, dampingRatio: 0.4 } },
  spin: { motor: { velocity: 10, maxForce: 300 } },
});

// A hook that breaks under more than 500 N.
const load = world.createBody({ mass: 60, position: [9, 0, 0], shape: box });
world.createJoint({ type: 'point', bodyB: load, anchor: [9, 0, 0], breakingImpulse: 500 / 60 });

for (let i = 0; i < 120; i++) {
  world.step(1 / 60);
  for (const event of world.events('jointBroken')) console.log('broke at', event.impulse * 60, 'N');
}
console.log(hinge.getPosition('angle'), hinge.getLimitState('angle'));
console.log(axle.getPosition('position'), axle.getAxisImpulse('spin') * 60);
