// Runs in child processes, see compilers.test.ts. Prints the hashes of golden scenes and of random worlds as JSON.
import { World } from '../../src/index';
import { randomStep, randomWorld } from '../support/randomWorlds';
import { Course, continueCourse } from './course';
import { goldenScenes } from './scenes';

const [steps, worlds] = process.argv.slice(2).map(Number) as [number, number];
const hashes: Record<string, string[]> = {};
for (const scene of goldenScenes)
  hashes[scene.id] = continueCourse(new Course(new World(scene.world), scene), 0, steps);
for (let seed = 1; seed <= worlds; seed++) {
  const world = randomWorld(seed);
  const list: string[] = [];
  for (let step = 1; step <= 100; step++) {
    randomStep(world, seed, step);
    list.push(world.stateHash());
  }
  hashes[`random ${seed}`] = list;
}
console.log(JSON.stringify(hashes));
