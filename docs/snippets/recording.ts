import { World } from 'ricochet';
import { Player, Recorder } from 'ricochet/replay';

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane' } });
const ball = world.createBody({ mass: 1, position: [0, 3, 0], shape: { type: 'sphere', radius: 0.5 } });

const recorder = new Recorder(world, { notes: { title: 'a kick' } });
for (let i = 0; i < 120; i++) {
  if (i === 60) ball.applyImpulse([2, 1, 0]);
  world.step(1 / 60);
}
const file = await recorder.finish(); // bytes, to be kept as something.ricochet

const player = await Player.open(file);
player.seek(90); // forwards or backwards
console.log(player.world.getBody(ball.id)?.getPosition());
console.log(player.verify().divergence); // null: bit for bit the same

// Rollback within one world: a slot is used again and again.
const slot = world.save();
world.step(1 / 60);
world.restore(slot);
