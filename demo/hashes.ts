// In: the id of a scene. Out: its state hash every ten steps. The same function runs in Node, in a
// page and in a worker; the lists must be equal.
import { World } from 'ricochet';
import { courtyard } from './courtyard';
import { findScene, unknownScene } from './scenes';
import { steering } from './steering';

export const HASH_INTERVAL = 10;

export function sceneHashes(id: string, steps: number): string[] {
  const steered = [steering, courtyard].find((scene) => scene.id === id);
  const scene = steered ?? findScene(id);
  if (scene === undefined) throw new Error(unknownScene(id));
  const world = new World(scene.world);
  scene.build(world);
  const hashes: string[] = [];
  for (let step = 1; step <= steps; step++) {
    steered?.beforeStep(world, step);
    world.step(1 / 60);
    if (step % HASH_INTERVAL === 0) hashes.push(String(world.stateHash()));
  }
  return hashes;
}
