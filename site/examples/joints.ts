// A pendulum and a motor: forces and angles can be read.
import { World } from 'ricochet';

const world = new World();
const post = world.createBody({ type: 'static', position: [0, 4, 0], shape: [] });
const bob = world.createBody({ mass: 2, position: [1, 4, 0], shape: { type: 'sphere', radius: 0.1 } });
world.createJoint({ type: 'point', bodyA: post, bodyB: bob, anchor: [0, 4, 0] });

let lowest = 4;
for (let i = 0; i < 240; i++) {
  world.step(1 / 60);
  lowest = Math.min(lowest, bob.getPosition()[1]);
}
console.log(`the bob came down to ${lowest.toFixed(3)} m: its string is 1 m long`);
