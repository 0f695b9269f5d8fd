import { World } from 'ricochet';
import { useThreads } from 'ricochet/threads';

export function make() {
  useThreads(); // once, in Node or in a worker of yours
  const world = new World({ threads: 'auto' });
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  world.createBody({ position: [0, 1, 0], shape: { type: 'sphere', radius: 0.5 } });
  world.step(1 / 60);

  const { count, reason } = world.threads;
  if (reason !== '') console.log(`${count} threads: ${reason}`);
  return world;
}
