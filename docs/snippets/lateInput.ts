import { World, type WorldSlot } from 'ricochet';

const world = new World();
world.createBody({ type: 'static', shape: { type: 'plane' } });
const ball = world.createBody({ mass: 1, position: [0, 0.5, 0], shape: { type: 'sphere', radius: 0.5 } });

const REACH = 20; // frames: an input may be this late
const slots: WorldSlot[] = [];
const kicks = new Map<number, number>(); // by frame: N·s
let frame = 0;

function advance(): void {
  slots[frame % REACH] = world.save(slots[frame % REACH]); // the state before the frame
  const kick = kicks.get(frame) ?? 0;
  if (kick !== 0) ball.applyCentralImpulse([kick, 0, 0]);
  world.step(1 / 60);
  frame++;
}

/** An input that should have been there in an earlier frame. */
function receive(at: number, kick: number): void {
  kicks.set(at, kick);
  const present = frame;
  if (at >= present) return;
  world.restore(slots[at % REACH]!);
  frame = at;
  while (frame < present) advance();
}

for (let i = 0; i < 30; i++) advance();
receive(18, 3); // twelve frames late
console.log('as if it had been kicked in frame 18:', ball.getPosition()[0]);
