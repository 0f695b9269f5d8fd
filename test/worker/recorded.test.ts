// A recording made in the worker is the recording of the same calls on a World, byte for byte, over every transport.
import { World } from 'ricochet';
import { Player, Recorder, readRecording } from 'ricochet/replay';
import type { Physics } from 'ricochet/worker';
import { describe, expect, test } from 'vitest';
import { Course, continueCourse, runRemoteCourse } from '../determinism/course';
import { goldenScenes } from '../determinism/scenes';
import { startPhysics, TRANSPORTS } from './support';

const STEPS = 120;
const OPTIONS = { keyframeEvery: 50, notes: { title: 'both' } };
const NAMES = ['queries', 'churn', 'joints', 'surfaces', 'bullet3'];
const scenes = goldenScenes.filter(({ id }) => NAMES.includes(id));

/** Said by a word: a diff of files helps nobody. */
const equal = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i]);

describe.each(scenes.map((scene) => [scene.id, scene] as const))('%s', (_, scene) => {
  const here = (async () => {
    const world = new World(scene.world);
    const recorder = new Recorder(world, OPTIONS);
    continueCourse(new Course(world, scene), 0, STEPS);
    return recorder.finish();
  })();

  test.each(TRANSPORTS)('%s', async (transport) => {
    const physics = await startPhysics({ ...scene.world, transport });
    await physics.record(OPTIONS);
    const { hashes } = await runRemoteCourse(physics, scene, STEPS);
    const file = await physics.stopRecording();
    expect(equal(file, await here)).toBe(true);
    const player = await Player.open(file);
    expect(player.verify().divergence).toBeNull();
    expect(player.world.stateHash()).toBe(hashes.at(-1));
  });
});

test('every kind of question is recorded as a World records it', async () => {
  const ask = async (target: World | Physics) => {
    const { rayTest } = target;
    expect(typeof rayTest).toBe('function');
    const world = target as World; // answers are awaited
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const box = world.createBody({
      mass: 1,
      position: [0, 0.4, 0],
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
    });
    const ball = world.createBody({ mass: 1, position: [3, 0.4, 0], shape: { type: 'sphere', radius: 0.5 } });
    const placed = {
      shape: { type: 'hull' as const, points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
      position: [0, 0.5, 0],
    };
    await world.step(1 as never);
    await world.rayTest([0, 5, 0], [0, -5, 0]);
    await world.rayTest([0, 5, 0], { x: 0, y: -5, z: 0 }, { mode: 'all', skip: ball });
    await world.rayTestBatch([0, 5, 0, 0, -5, 0.1, 3, 3, 3, 0, 0, 0], { mask: -1 });
    await world.convexSweepTest(box, [3, 0, 0], { skip: box });
    await world.overlapTest([-1, -1, -1], [1, 1, 1]);
    await world.overlapShapeTest(placed);
    await world.pointTest([0, 0.4, 0]);
    await world.nearestTest(placed, { maxDistance: 9 });
    await world.closestPoints(box, ball);
    await world.contactTest(box);
    await world.contactPairTest(box, ball, { maxDistance: 5 });
    await world.getContacts();
    await world.getContacts(box);
    await world.step(1 as never);
  };
  const world = new World();
  const { step } = world;
  world.step = () => step.call(world, 1 / 60);
  const recorder = new Recorder(world);
  await ask(world);
  const here = await recorder.finish();
  const physics = await startPhysics();
  await physics.record();
  await ask(physics);
  const file = await physics.stopRecording();
  expect(equal(file, here)).toBe(true);
  const player = await Player.open(file);
  expect(player.verify()).toMatchObject({ queries: 13, divergence: null });
});

test('what cannot be recorded is an error, and the world goes on', async () => {
  const physics = await startPhysics();
  await expect(physics.record({ hashEvery: 0 })).rejects.toMatchObject({
    code: 'invalid-argument',
    argument: 'hashEvery',
  });
  await expect(physics.record({ colour: 1 } as never)).rejects.toMatchObject({ code: 'unknown-option' });
  await expect(physics.stopRecording()).rejects.toMatchObject({ code: 'invalid-argument' }); // there is none
  await physics.record({ queries: false });
  await expect(physics.record()).rejects.toMatchObject({ code: 'invalid-argument' });
  await physics.rayTest([0, 1, 0], [0, -1, 0]);
  await physics.step(3);
  const { frames } = await readRecording(await physics.stopRecording());
  expect(frames).toBe(3);
});
