// The golden scenes in a thread of Node and behind a client in this one: the hashes of golden.json and the events of
// a world in process, over every transport. SOAK=1 runs them to the end.
import { World } from 'ricochet';
import { describe, expect, test } from 'vitest';
import { EVERY, runCourse, runRemoteCourse } from '../determinism/course';
import golden from '../determinism/golden.json';
import { firstDifference } from '../determinism/hashes';
import { goldenScenes } from '../determinism/scenes';
import { startPhysics, TRANSPORTS } from './support';

const STEPS = process.env['SOAK'] ? 1000 : 150;

describe.each(goldenScenes.map((scene) => [scene.id, scene] as const))('%s', (id, scene) => {
  const recorded = (golden as Record<string, string[]>)[id]!.slice(0, STEPS / EVERY);
  const { events: expected } = runCourse(new World(scene.world), scene, STEPS);

  test.each(TRANSPORTS)('%s', async (transport) => {
    const physics = await startPhysics({ ...scene.world, transport });
    const { hashes, events } = await runRemoteCourse(physics, scene, STEPS);
    expect(firstDifference(recorded, hashes), 'first step that differs').toBe(0);
    expect(events).toBe(expected);
  });
});
