import { World } from 'ricochet';

const world = new World();
const goal = world.createBody({
  type: 'static',
  position: [0, 1, 0],
  shape: { type: 'box', halfExtents: [1, 0.25, 1], sensor: true },
});
const ball = world.createBody({ position: [0, 5, 0], shape: { type: 'sphere', radius: 0.2 } });
ball.userData = { name: 'ball' };

world.on('contactBegin', ({ bodyA, bodyB }) => console.log('in', (bodyA === goal ? bodyB : bodyA).userData), {
  body: goal,
});
world.on('contactEnd', () => console.log('out'), { body: goal });

for (let i = 0; i < 120; i++) {
  world.step(1 / 60);
  if (i === 56) console.log('inside now', goal.getOverlappingBodies().length);
}
