import { World } from 'ricochet';
import { CharacterController } from 'ricochet/character';

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane' } });
world.createBody({
  type: 'static',
  position: [4, 0.15, 0],
  shape: { type: 'box', halfExtents: [1, 0.15, 2] },
});

const player = new CharacterController(world, {
  shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 },
  position: [0, 1, 0],
});

// After every step: what it wants, in m/s. It climbs the step of 30 cm that is in its way.
for (let i = 0; i < 80; i++) {
  world.step(1 / 60);
  player.update([3, 0, 0], 1 / 60);
}
console.log('on the step', player.isGrounded, player.getPosition());

// It jumps, and comes down where it stood.
if (player.isGrounded) player.jump();
let top = 0;
for (let i = 0; i < 80; i++) {
  world.step(1 / 60);
  player.update([0, 0, 0], 1 / 60);
  top = Math.max(top, player.getPosition()[1]);
}
console.log('jumped', top - player.getPosition()[1]);

// A rollback: the world's state, and the character's own.
const [snapshot, state] = [world.snapshot(), player.save()];
const run = () => {
  for (let i = 0; i < 30; i++) {
    world.step(1 / 60);
    player.update([1, 0, 2], 1 / 60);
  }
  return world.stateHash();
};
const first = run();
world.restore(snapshot);
player.restore(state);
console.log('the same again', run() === first);
