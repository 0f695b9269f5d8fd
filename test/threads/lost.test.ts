// Helpers that stop in the middle of a step. SOAK=1 stops them in 100 steps.
import { World } from 'ricochet';
import { expect } from 'vitest';
import { Course, continueCourse } from '../determinism/course';
import { goldenScenes } from '../determinism/scenes';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import { EAGER, staffed, testWith } from './support';

const test = ordinaryCoreOnly('threads have a core of their own');

const soak = process.env['SOAK'] === '1';
const scene = goldenScenes.find(({ id }) => id === 'churn')!;

test('a helper that stops half way through a chunk: the step is made again, to the same hash', async () => {
  const kills = soak ? 100 : 4;
  const plain = new World(scene.world);
  const other = new Course(plain, scene);
  let world: World | undefined;
  let course!: Course;
  let steps = 0;
  let lost = 0;
  for (let kill = 0; kill < kills; kill++) {
    if (world === undefined || world.threads.lost === 2) {
      // After some losses a world goes on alone.
      world?.dispose();
      testWith({ mode: EAGER, patience: 50 });
      world = new World({ ...scene.world, threads: 3 });
      course = new Course(world, scene);
      continueCourse(course, 0, steps);
      lost = 0;
    }
    await staffed(world, 3);
    for (let k = 1 + (kill % 7); k > 0; k--) {
      course.step(++steps);
      other.step(steps);
    }
    world.instance.core.testThreads?.({ mode: EAGER | 1, patience: 50, stopAt: 1 + ((kill * 37) % 100) });
    for (let tries = 0; world.threads.lost === lost && tries < 60; tries++) {
      course.step(++steps);
      other.step(steps);
    }
    expect(world.stateHash(), `after stop ${kill}, step ${steps}`).toBe(plain.stateHash());
    expect(world.threads.lost).toBe(lost + 1);
    lost = world.threads.lost;
    world.instance.core.testThreads?.({ mode: EAGER, patience: 50 });
  }
  world?.dispose();
});

test('a helper that is ended between steps is missed by nobody', async () => {
  testWith({ mode: EAGER });
  const plain = new World(scene.world);
  const world = await staffed(new World({ ...scene.world, threads: 3 }), 3);
  const [a, b] = [new Course(plain, scene), new Course(world, scene)];
  for (let step = 1; step <= 40; step++) {
    if (step === 20) world.instance.core.endThreads?.();
    a.step(step);
    b.step(step);
  }
  expect(world.stateHash()).toBe(plain.stateHash());
  expect(world.threads.lost).toBe(0);
});
