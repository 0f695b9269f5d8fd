// The port of cannon.ts: the same things, in the same order.
import { World } from 'ricochet';

const world = new World({ gravity: [0, -9.81, 0] }); // sleeping is on

// Materials belong to shapes; two of them are multiplied unless `frictionCombine` says otherwise.
const wood = { friction: Math.SQRT1_2, restitution: 1 } as const; // 0.5 together
const rubber = { friction: Math.SQRT1_2, restitution: 0.7 } as const;
const dead = { friction: Math.SQRT1_2, restitution: 0 } as const; // wood on wood does not bounce

// The ground: planes look along their normal.
world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0], ...wood } });

// A see-saw: a plank on a hinge, which holds to the world.
const plank = world.createBody({
  mass: 10,
  position: [0, 1, 0],
  shape: { type: 'box', halfExtents: [2, 0.05, 0.4], ...dead },
});
world.createJoint({ type: 'hinge', bodyB: plank, anchor: [0, 1, 0], axis: [0, 0, 1] });
const load = world.createBody({
  mass: 5,
  position: [1.5, 1.36, 0],
  shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3], ...dead },
});

// A ball that bounces; hits are heard.
const ball = world.createBody({
  mass: 1,
  position: [6, 3, 0],
  shape: { type: 'sphere', radius: 0.3, ...rubber },
});
let hits = 0;
world.on('contactBegin', ({ points }) => (hits += points.length > 0 ? 1 : 0), { body: ball });

// A sensor: only tells who is inside.
const zone = world.createBody({
  type: 'static',
  position: [6, 1, 0],
  shape: { type: 'box', halfExtents: [1, 1, 1], sensor: true },
});
let entered = false;
world.on(
  'contactBegin',
  ({ bodyA, bodyB }) => {
    if (bodyA === ball || bodyB === ball) entered = true;
  },
  { body: zone },
);

// A push, once.
const sled = world.createBody({
  mass: 4,
  position: [0, 0.2, 5],
  shape: { type: 'box', halfExtents: [0.4, 0.2, 0.4], ...dead },
});
sled.applyImpulse([16, 0, 0]);

let bounce = 0; // how high, after the first hit
for (let i = 0; i < 240; i++) {
  world.step(1 / 60);
  if (hits > 0 && ball.getLinearVelocity()[1] > 0) bounce = Math.max(bounce, ball.getPosition()[1]);
}

const hit = world.rayTest([-20, 0.2, 5], [20, 0.2, 5]);

export const outcome = {
  tilt: load.getPosition()[1] < 0.8,
  bounce,
  entered,
  slid: sled.getPosition()[0],
  seesSled: hit?.body === sled,
};
console.log(outcome);
