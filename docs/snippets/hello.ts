import { World } from 'ricochet';

const world = new World({ gravity: [0, -9.81, 0] });
world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
const crate = world.createBody({
  mass: 1,
  position: [0, 5, 0],
  shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
});

for (let i = 0; i < 120; i++) world.step(1 / 60);
console.log(crate.getPosition(), world.stateHash());
