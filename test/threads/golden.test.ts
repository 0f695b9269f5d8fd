// One world on several threads: the bits of one thread. SOAK=1 runs the golden scenes whole, on every number of threads.
import { World } from 'ricochet';
import { Player, Recorder } from 'ricochet/replay';
import { expect } from 'vitest';
import { Course, continueCourse, EVERY, runCourse, STEPS } from '../determinism/course';
import golden from '../determinism/golden.json';
import { firstDifference } from '../determinism/hashes';
import { goldenScenes } from '../determinism/scenes';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import { EAGER, POISONED, testWith, worldOn } from './support';

const test = ordinaryCoreOnly('threads have a core of their own');

const recorded = (id: string) => (golden as Record<string, string[]>)[id] ?? [];
const THREADS = [2, 3, 4, 8];
const soak = process.env['SOAK'] === '1';
const steps = soak ? STEPS : 60;

for (const [i, scene] of goldenScenes.entries())
  for (const threads of soak ? [1, ...THREADS] : [THREADS[i % 4]!])
    test(`${scene.id}: golden hashes on ${threads} threads, each loop shared`, async () => {
      testWith({ mode: EAGER });
      const world = await worldOn(threads, scene.world);
      const { hashes, events } = runCourse(world, scene, steps);
      expect(firstDifference(recorded(scene.id).slice(0, steps / EVERY), hashes)).toBe(0);
      expect(events).toBe(runCourse(new World(scene.world), scene, steps).events);
      const { forks, lost } = world.threads;
      expect(lost).toBe(0);
      if (threads > 1) expect(forks).toBeGreaterThan(0);
      world.dispose();
    });

for (const [i, scene] of goldenScenes.entries())
  if (soak || i % 4 === 0)
    test(`${scene.id}: nothing reaches a helper by its private memory, and nothing leaves it`, async () => {
      testWith({ mode: POISONED });
      const world = await worldOn(2, scene.world);
      const { hashes } = runCourse(world, scene, soak ? 400 : 30);
      expect(firstDifference(recorded(scene.id).slice(0, hashes.length), hashes)).toBe(0);
      expect(world.threads.helped).toBeGreaterThan(0);
      world.dispose();
    });

test('recorded on three threads, replayed on one; back and forth by snapshots', async () => {
  testWith({ mode: EAGER });
  const scene = goldenScenes.find(({ id }) => id === 'churn')!;
  const world = await worldOn(3, scene.world);
  const course = new Course(world, scene);
  const recorder = new Recorder(world, { keyframeEvery: 50 });
  const hashes = continueCourse(course, 0, 60);
  const snapshot = world.snapshot();
  continueCourse(course, 60, 70);
  world.restore(snapshot);
  expect(world.stateHash()).toBe(hashes.at(-1));
  const file = await recorder.finish();
  const player = await Player.open(file);
  expect(player.verify({ goOn: true })).toMatchObject({ divergence: null });
  expect(player.world.stateHash()).toBe(hashes.at(-1));
  const other = World.restore(snapshot, scene.world);
  const same = await worldOn(2, scene.world);
  same.restore(snapshot);
  for (let i = 0; i < 30; i++) for (const each of [world, other, same]) each.step(1 / 60);
  expect(world.stateHash()).toBe(other.stateHash());
  expect(same.stateHash()).toBe(other.stateHash());
  for (const each of [world, same]) each.dispose();
});
