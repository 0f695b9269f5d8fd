import { World } from 'ricochet';

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane' } });
const boxes = Array.from({ length: 20 }, (_, i) =>
  world.createBody({
    mass: 10,
    position: [0, 0.5 + i, 0],
    shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5], friction: 0.6 },
  }),
);
world.advance(600);
const top = boxes.at(-1)!.getPosition();
console.log(
  'top at',
  top[1],
  'asleep',
  boxes.every((box) => box.isSleeping()),
);
