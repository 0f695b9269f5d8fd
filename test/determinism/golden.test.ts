// The golden scenes: the same hashes as on every other machine, whatever else happened to the world.
import { World } from 'ricochet';
import { Player, Recorder } from 'ricochet/replay';
import { expect, test } from 'vitest';
import { Course, continueCourse, EVERY, runCourse, STEPS } from './course';
import golden from './golden.json';
import { firstDifference } from './hashes';
import { goldenScenes } from './scenes';

const recorded = (id: string) => (golden as Record<string, string[]>)[id] ?? [];

test('at least twelve, each with a name of its own', () => {
  expect(new Set(goldenScenes.map(({ id }) => id)).size).toBe(goldenScenes.length);
  expect(goldenScenes.length).toBeGreaterThanOrEqual(12);
});

for (const scene of goldenScenes)
  test(`${scene.id}: golden hashes; again from a snapshot of step 500, and recorded`, async () => {
    const { hashes, events } = runCourse(new World(scene.world), scene);
    expect(hashes).toHaveLength(STEPS / EVERY);
    expect(new Set(hashes).size, 'hashes that change').toBeGreaterThan(60);
    expect(Number.parseInt(events, 10), 'events').toBeGreaterThan(50);
    // `node scripts/update-golden.mjs` rewrites the file on purpose.
    expect(firstDifference(recorded(scene.id), hashes), 'first step that differs from golden.json').toBe(0);

    // Without listeners, recorded, and back to the middle once.
    const world = new World(scene.world);
    const course = new Course(world, scene);
    const recorder = new Recorder(world, { keyframeEvery: 400 });
    const again = continueCourse(course, 0, 500);
    const snapshot = world.snapshot();
    continueCourse(course, 500, 560);
    world.restore(snapshot);
    again.push(...continueCourse(course, 500, STEPS));
    expect(firstDifference(hashes, again), 'first step that differs after going back').toBe(0);
    // The sign of what is no number is another on every machine.
    for (const body of world.bodies()) expect(body.getLinearVelocity().every(Number.isFinite)).toBe(true);

    const player = await Player.open(await recorder.finish());
    expect(player.verify({ goOn: true })).toMatchObject({ hashes: STEPS + 61, divergence: null });
    // A recording ends with a step: what systems do after it (they take back their forces) is not in it.
    if (scene.systems === undefined) expect(player.world.stateHash()).toBe(hashes.at(-1));
  });

test('two worlds stepped in turns do not disturb each other', () => {
  const pairs = [
    ['shapes', 'joints'],
    ['churn', 'queries'],
  ];
  for (const names of pairs) {
    const scenes = names.map((name) => goldenScenes.find(({ id }) => id === name)!);
    const courses = scenes.map((scene) => new Course(new World(scene.world), scene));
    const mixed = courses.map((): string[] => []);
    for (let step = 0; step < 300; step += EVERY)
      for (const [i, course] of courses.entries())
        mixed[i]!.push(...continueCourse(course, step, step + EVERY));
    for (const [i, name] of names.entries())
      expect(firstDifference(recorded(name).slice(0, 30), mixed[i]!)).toBe(0);
  }
});
