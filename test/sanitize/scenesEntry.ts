// What mutations are looked for with (scripts/sanitize/mutations.mjs): the first steps of golden scenes and of random
// worlds, and every kind of question. Ends with one line of JSON: the first fault, or that there was none.
import { World } from '../../src';
import { Course, continueCourse } from '../determinism/course';
import { goldenScenes } from '../determinism/scenes';
import { FIRST_ACTED, randomOptions, randomStep, randomWorld } from '../support/randomWorlds';

const WORLDS = 12;
const STEPS = 40;
const GOLDEN_STEPS = 30;

/** Many bodies at once: tables grow, and lists are long. */
function crowd(): void {
  const world = new World({ gravity: [0, -9.81, 0] });
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  for (let i = 0; i < 400; i++)
    world.createBody({
      mass: 1,
      position: [(i % 10) * 1.01, 0.5 + Math.floor(i / 100) * 1.01, (Math.floor(i / 10) % 10) * 1.01],
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
    });
  for (let i = 0; i < 12; i++) world.step(1 / 60);
  world.findIslands();
  world.getContacts();
  world.overlapTest([-1, -1, -1], [20, 2, 20]);
  world.rayTest([-5, 0.5, 0.5], [20, 0.5, 0.5]);
  const copy = new World({ gravity: [0, -9.81, 0] });
  copy.restore(world.snapshot());
  for (const body of [...copy.bodies()].slice(100, 140)) body.remove();
  for (let i = 0; i < 6; i++) copy.step(1 / 60);
}

function run(): void {
  crowd(); // first: actors ask inside of steps, which may write
  const seeds = [1, FIRST_ACTED].flatMap((first) => Array.from({ length: WORLDS }, (_, i) => first + i));
  for (const seed of seeds) {
    const world = randomWorld(seed, new World(randomOptions(seed)));
    for (let step = 1; step <= STEPS; step++) randomStep(world, seed, step);
    const copy = new World(randomOptions(seed));
    copy.restore(world.snapshot());
    copy.step(1 / 60);
  }
  for (const scene of goldenScenes)
    continueCourse(new Course(new World(scene.world), scene), 0, GOLDEN_STEPS);
}

let answer: object = { caught: false };
try {
  run();
} catch (error) {
  const { name, message, table, function: at } = error as Error & { table?: string; function?: string };
  answer = { caught: name === 'SanitizerError', name, message, table, function: at };
}
console.log(`\n${JSON.stringify(answer)}`);
