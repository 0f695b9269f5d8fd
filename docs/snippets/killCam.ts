import { World } from 'ricochet';
import { Player, Recorder } from 'ricochet/replay';

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane' } });
const crate = world.createBody({
  mass: 10,
  position: [0, 4, 0],
  shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
});

// While it runs: every call that changes the world goes into the file.
const recorder = new Recorder(world, { notes: { title: 'Round 3' } });
for (let i = 0; i < 180; i++) {
  if (i === 100) crate.applyCentralImpulse([40, 20, 0]);
  world.step(1 / 60);
}
const file = await recorder.finish(); // bytes: a file, an upload, the end of a link

// Later: the player has a world of its own. Draw that.
const player = await Player.open(file);
player.seek(95);
player.play();
let shown = 0;
while (player.frame < player.recording.frames) {
  player.advance(1 / 240); // a quarter of real time, at 60 pictures per second
  shown++;
}
console.log(`${file.length} bytes, ${shown} pictures`, player.verify().divergence === null);
