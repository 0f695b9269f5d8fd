// A world in the page: nothing to wait for. The output is below.
import { World } from 'ricochet';

const world = new World({ gravity: [0, -9.81, 0] });
world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
const ball = world.createBody({
  mass: 1,
  position: [0, 5, 0],
  shape: { type: 'sphere', radius: 0.5, restitution: 0.8 },
});

for (let second = 0; second <= 4; second += 0.5) {
  console.log(`${second.toFixed(1)} s: height ${ball.getPosition()[1].toFixed(3)} m`);
  for (let i = 0; i < 30; i++) world.step(1 / 60);
}
console.log('state hash', world.stateHash(), '(the same on every machine)');
