// Questions: what is in the way, what is near, who overlaps.
import { World } from 'ricochet';

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
for (let i = 0; i < 5; i++)
  world.createBody({
    mass: 1,
    position: [2 * i, 0.5, 0],
    shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
    userIndex: i,
  });
world.step(1 / 60);

const hit = world.rayTest([-5, 0.5, 0], [20, 0.5, 0]);
console.log('a ray meets box', hit?.body.userIndex, 'at x =', hit?.point[0].toFixed(2));

const around = world.overlapShapeTest({ shape: { type: 'sphere', radius: 2.2 }, position: [4, 0.5, 0] });
console.log(
  'within 2.2 m of box 2:',
  around
    .map(({ body }) => body.userIndex)
    .sort()
    .join(', '),
);
