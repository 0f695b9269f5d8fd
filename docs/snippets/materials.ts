import { World } from 'ricochet';

// Bits of your own choice; a body is in the groups of `group` and touches those of `mask`.
const WORLD = 1;
const PLAYER = 2;
const DEBRIS = 4;

const world = new World();
world.createBody({
  type: 'static',
  group: WORLD,
  mask: -1,
  shape: { type: 'plane', friction: 0.8, restitution: 1 },
});
const ball = world.createBody({
  position: [0, 2, 0],
  group: PLAYER,
  mask: WORLD | PLAYER, // debris is no obstacle
  shape: { type: 'sphere', radius: 0.2, restitution: 0.5 },
});
const debris = world.createBody({
  position: [0, 1, 0],
  gravityScale: 0,
  group: DEBRIS,
  mask: WORLD | DEBRIS,
  shape: { type: 'box', halfExtents: [0.5, 0.1, 0.5], density: 300 },
});

let highest = 0; // after the bounce
for (let i = 0; i < 90; i++) {
  world.step(1 / 60);
  if (ball.getLinearVelocity()[1] > 0) highest = Math.max(highest, ball.getPosition()[1]);
}
console.log('bounced to', highest, 'debris at', debris.getPosition()[1]);

ball.setMaterial({ friction: 0, restitution: 0 }); // all its shapes, from the next step on
