import { World } from 'ricochet';

const world = new World({ events: ['jointBroken'] });

// A bridge of 300 kg on a hinge: 0 is level, and a servo lifts it.
const bridge = world.createBody({
  mass: 300,
  position: [2, 0, 0],
  shape: { type: 'box', halfExtents: [2, 0.1, 1] },
});
const hinge = world.createJoint({
  type: 'hinge',
  bodyB: bridge,
  anchor: [0, 0, 0],
  axis: [0, 0, 1],
  angle: { low: 0, high: 1.4, servo: { target: 0, maxVelocity: 0.8, maxForce: 12_000 } },
});

// A lamp on a rope of 1.5 m, which breaks under more than 200 N.
const lamp = world.createBody({ mass: 3, position: [6, 2, 0], shape: { type: 'sphere', radius: 0.2 } });
const rope = world.createJoint({
  type: 'distance',
  bodyB: lamp,
  frameA: { position: [6, 3.5, 0] },
  distance: { low: 0, high: 1.5 },
  breakingImpulse: 200 / 60, // N times the length of a step
});

world.advance(60);
hinge.setServo('angle', { target: 1.2, maxVelocity: 0.8, maxForce: 12_000 });
world.advance(180);
console.log(
  'bridge at',
  hinge.getPosition('angle'),
  'rad; the rope holds',
  rope.getAppliedImpulse()[1] * 60,
  'N',
);

lamp.applyCentralImpulse([0, -9, 0]); // 3 m/s downwards
world.advance(2);
for (const { impulse } of world.events('jointBroken')) console.log('broke at', impulse * 60, 'N');
