// Soundness of states (src/core/state/sound.ts): what steps make is sound, and what is not is refused.
import { expect, test } from 'vitest';
import { mesh, World } from '../../src';
import { packSnapshot } from '../../src/replica/snapshot';
import { Shape, World as WorldRecord } from '../../src/wasm/core-layout';
import type { CoreInstance } from '../../src/wasm/instance';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import { FIRST_ACTED, FIRST_TRAITED, randomStep, randomWorld } from '../support/randomWorlds';
import { Course } from './course';
import { goldenScenes } from './scenes';

const testForged = ordinaryCoreOnly('it writes into rows that are free');

const DT = 1 / 60;
/** Behind four words of its own a section of the core has the world record, then both trees. */
const HEAD_AT = 4;
const fault = (world: World) => world.findFault();

for (const scene of goldenScenes)
  test(`${scene.id}: sound after every step`, () => {
    const world = new World(scene.world);
    const course = new Course(world, scene);
    for (let step = 1; step <= 260; step++) {
      course.step(step);
      expect(fault(world), `step ${step}`).toBe(0);
    }
  });

test('a ball fast enough for continuous collision hits a triangle with coefficients of its own: sound', () => {
  const world = new World();
  const plate = mesh({
    vertices: [-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9],
    indices: [0, 2, 1, 0, 3, 2],
    materials: [0, 1],
    coefficients: [{}, { friction: 0.1, restitution: 0.5 }],
  });
  world.createBody({ type: 'static', shape: plate });
  const ball = world.createBody({
    mass: 1,
    position: [-3, 4, 2],
    linearVelocity: [30, -200, 0],
    ccdMotionThreshold: 0.05,
    shape: { type: 'sphere', radius: 0.1 },
  });
  for (let i = 0; i < 30; i++) {
    world.step(DT);
    expect(fault(world)).toBe(0);
  }
  expect(ball.getPosition()[1]).toBeGreaterThan(0);
});

test('random worlds of 22 seeds: sound after every step', () => {
  for (const seed of [
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    ...[0, 1, 2, 3, 4, 5].map((i) => FIRST_TRAITED + i),
    ...[0, 1, 2, 3].map((i) => FIRST_ACTED + i),
  ]) {
    const world = randomWorld(seed);
    for (let step = 1; step <= 150; step++) {
      randomStep(world, seed, step);
      expect(fault(world), `seed ${seed}, step ${step}`).toBe(0);
    }
  }
});

test('the largest force on the lightest body leaves a state that loads', () => {
  const world = new World();
  const body = world.createBody({ mass: 1e-9, shape: { type: 'sphere', radius: 0.5 } });
  for (const force of [1e10, 1e15]) {
    body.applyForce([force, 0, 0]);
    body.applyTorque([0, force, 0]);
    world.step(1 / 60);
    expect(world.findFault()).toBe(0);
    World.restore(world.snapshot());
  }
});

test('every setting that a world takes is in a snapshot that loads', () => {
  const rules = ['multiply', 'average', 'minimum', 'maximum', 'geometricMean', 'crossFriction'];
  const values = [0, 1e-40, 1e-9, 0.5, 1, 2, 64, 179, 1000, 1e6, 1e9, true, false, ...rules];
  const { settings } = new World();
  const refused: string[] = [];
  let taken = 0;
  for (const name of Object.keys(settings) as (keyof typeof settings)[]) {
    const world = new World();
    for (const value of values) {
      try {
        world.updateSettings({ [name]: value });
      } catch {
        continue; // no value of this setting
      }
      taken++;
      try {
        const copy = World.restore(world.snapshot());
        expect(copy.settings[name]).toBe(world.settings[name]);
        copy.dispose();
      } catch (error) {
        refused.push(`${name} ${value}: ${(error as Error).message}`);
      }
    }
    world.dispose();
  }
  expect(refused).toEqual([]);
  expect(taken).toBeGreaterThan(150);
});

test('a static body that was out of the simulation stays out when it becomes dynamic', () => {
  for (const type of ['static', 'kinematic'] as const) {
    const world = new World();
    const body = world.createBody({
      type,
      position: [0, 5, 0],
      activationState: 'disableSimulation',
      shape: { type: 'sphere', radius: 1 },
    });
    body.setType('dynamic', { mass: 1 });
    for (let i = 0; i < 10; i++) world.step(DT);
    expect(body.getPosition()).toEqual([0, 5, 0]);
    expect(fault(world)).toBe(0);
    body.forceActivationState('active');
    for (let i = 0; i < 10; i++) world.step(DT);
    expect(body.getPosition()[1]).toBeLessThan(5);
  }
});

testForged('findFault is no yes-man: one word of a table is another, and it says so', () => {
  const world = randomWorld(3);
  for (let step = 1; step <= 60; step++) randomStep(world, 3, step);
  const { instance } = world;
  let seen = 0;
  let tried = 0;
  for (const table of ['bodies', 'shapes', 'joints'] as const) {
    const from = instance.table(table);
    for (let at = from; at < from + 600; at++, tried++) {
      const kept = instance.words[at]!;
      instance.words[at] = 0x7fc00123;
      if (fault(world) !== 0) seen++;
      instance.words[at] = kept;
    }
  }
  expect(fault(world)).toBe(0);
  // The others are free words of users, and what the next step makes anew.
  expect(seen / tried).toBeGreaterThan(0.7);
});

testForged('an infinite radius of a shape is a fault', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  expect(fault(world)).toBe(0);
  const { instance } = world as unknown as { instance: CoreInstance };
  instance.floats[instance.table('shapes') + ((Shape.SIZE + Shape.radius) >> 2)] = Number.POSITIVE_INFINITY;
  expect(fault(world)).toBe(319);
  world.dispose();
});

test('a tree without nodes is refused: the next step would never end', () => {
  const world = new World();
  world.createBody({ mass: 1, position: [0, 3, 0], shape: { type: 'sphere', radius: 1 } });
  for (let i = 0; i < 5; i++) world.step(DT);
  const parts = world.snapshotParts();
  const trees = HEAD_AT + WorldRecord.SIZE / 4;
  let refused = 0;
  for (let at = trees; at < trees + 32; at++)
    for (const value of [0, 1, -1, 2, 1e9]) {
      const core = parts.core.slice();
      if (core[at] === value) continue;
      core[at] = value;
      const other = new World();
      try {
        other.restore(packSnapshot({ ...parts, core }));
        for (let i = 0; i < 20; i++) other.step(DT);
        expect(fault(other), `word ${at} = ${value}`).toBe(0);
      } catch (error) {
        expect(error).toMatchObject({ code: 'damaged-snapshot' });
        refused++;
      }
    }
  expect(refused).toBeGreaterThan(60);
});

test('times that no call of stepSimulation leaves are refused', () => {
  const world = new World();
  for (let i = 0; i < 100; i++) world.stepSimulation(0.0123 * i, 3, 1 / 90);
  const parts = world.snapshotParts();
  const times: [number, number][] = [
    [Number.POSITIVE_INFINITY, DT],
    [Number.NaN, DT],
    [1e9, DT],
    [-1, DT],
    [0.5, DT],
    [0.5, 0],
    [0, Number.NaN],
    [0, -DT],
    [0, 2],
  ];
  for (const [localTime, fixedTimeStep] of times)
    expect(() => new World().restore(packSnapshot({ ...parts, localTime, fixedTimeStep }))).toThrow(
      expect.objectContaining({ code: 'damaged-snapshot', message: expect.stringMatching(/local time/) }),
    );
  const copy = World.restore(packSnapshot(parts));
  expect(copy.stepSimulation(0.0031, 3, 1 / 90)).toBe(world.stepSimulation(0.0031, 3, 1 / 90));
});

test('a word of a snapshot puts nothing into lanes that hold no contact, nor into what stands for the ground', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  world.createBody({ mass: 1, position: [0, 0.5, 0], shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } });
  for (let i = 0; i < 20; i++) world.step(DT);
  const parts = world.snapshotParts();
  const copy = new World();
  let accepted = 0;
  for (let at = 0; at < parts.core.length; at++)
    for (const word of [0x601b0dfe, -0x6f, 0x7fc00000]) {
      const core = parts.core.slice();
      core[at] = word;
      try {
        copy.restoreParts({ ...parts, core });
      } catch (error) {
        expect(error).toMatchObject({ code: 'damaged-snapshot' });
        continue;
      }
      accepted++;
      copy.step(DT);
      expect([at, word, fault(copy)]).toEqual([at, word, 0]);
    }
  expect(accepted).toBeGreaterThan(50);
});
