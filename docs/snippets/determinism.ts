import { deterministic, selfTest, World } from 'ricochet';

console.log(selfTest().ok); // true: this machine computes as all others do

const run = () => {
  const world = new World({ deterministic: true });
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  for (let i = 0; i < 12; i++) {
    const angle = (i / 12) * 2 * Math.PI;
    world.createBody({
      mass: 1,
      position: [deterministic.cos(angle), 1 + i, deterministic.sin(angle)], // not Math.cos
      shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
    });
  }
  for (let step = 0; step < 300; step++) world.step(1 / 60);
  return world.stateHash();
};
const [first, second] = [run(), run()];
console.log(first === second); // true, and the same digits on every machine
