// Golden scenes and random worlds on the sanitizer core: nothing strays, and hashes are those of the ordinary one.
import { expect, test } from 'vitest';
import { World } from '../../src';
import { Course, continueCourse, EVERY } from '../determinism/course';
import golden from '../determinism/golden.json';
import { firstDifference } from '../determinism/hashes';
import { goldenScenes } from '../determinism/scenes';
import { FIRST_ACTED, FIRST_TRAITED, randomOptions, randomStep, randomWorld } from '../support/randomWorlds';

const recorded = (id: string) => (golden as Record<string, string[]>)[id] ?? [];
/** In `npm test`; `npm run test:sanitize` runs test/determinism/golden.test.ts as well, which has all of each. */
const STEPS = 60;
const WORLDS = 4;

for (const scene of goldenScenes)
  test(`${scene.id}: ${STEPS} steps, a snapshot and back`, () => {
    const world = new World(scene.world);
    const course = new Course(world, scene);
    const hashes = continueCourse(course, 0, STEPS / 2);
    const copy = new World(scene.world);
    copy.restore(world.snapshot());
    expect(copy.stateHash()).toBe(world.stateHash());
    hashes.push(...continueCourse(course, STEPS / 2, STEPS));
    expect(firstDifference(recorded(scene.id).slice(0, STEPS / EVERY), hashes)).toBe(0);
  });

const SEEDS = [1, FIRST_TRAITED, FIRST_ACTED].flatMap((first) =>
  Array.from({ length: WORLDS }, (_, i) => first + i),
);

for (const seed of SEEDS)
  test(`random world ${seed}: 40 steps, restored into a world that held another`, () => {
    const world = randomWorld(seed, new World(randomOptions(seed)));
    for (let step = 1; step <= 20; step++) randomStep(world, seed, step);
    const used = randomWorld(seed + 100, new World(randomOptions(seed + 100)));
    for (let step = 1; step <= 5; step++) randomStep(used, seed + 100, step);
    used.restore(world.snapshot());
    for (let step = 21; step <= 40; step++) {
      randomStep(world, seed, step);
      randomStep(used, seed, step);
      expect(used.stateHash()).toBe(world.stateHash());
    }
  });

test('a forged word of a snapshot leads no read beyond the snapshot', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const [a, b] = [0, 1.2].map((x) =>
    world.createBody({
      mass: 1,
      position: [x, 0.5, 0],
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
    }),
  );
  world.createJoint({ type: 'generic', bodyA: a!, bodyB: b! });
  for (let i = 0; i < 5; i++) world.step(1 / 60);
  const parts = world.snapshotParts();
  const copy = new World();
  for (let at = 4; at < parts.core.length; at++)
    for (const word of [0x601b0dfe, -1]) {
      const core = parts.core.slice();
      core[at] = word;
      try {
        copy.restoreParts({ ...parts, core });
      } catch (error) {
        expect(error).toMatchObject({
          code: expect.stringMatching(/^(damaged|incompatible)-snapshot$|^out-of-memory$/),
        });
      }
    }
});
