// What a character takes and refuses; its shape, its place, its state.
import { CharacterController, type CharacterOptions } from 'ricochet/character';
import { expect, test } from 'vitest';
import { type PhysicsError, World } from '../../src/index';
import { caught } from '../support/caught';
import { box, CAPSULE, character, DT, STANDING, walk } from './support';

test('what is wrong is named, and nothing has been made', () => {
  const world = new World();
  const crate = world.createBody({ position: [9, 9, 9], shape: CAPSULE });
  const count = () => [...world.bodies()].length;
  const wrong: [object, string, string][] = [
    [{ offset: -1 }, 'offset', 'invalid-argument'],
    [{ offset: Number.NaN }, 'offset', 'invalid-argument'],
    [{ maxSlope: 2 }, 'maxSlope', 'invalid-argument'],
    [{ slideSlope: 0.3 }, 'slideSlope', 'invalid-argument'],
    [{ up: [0, 0, 0] }, 'up', 'invalid-argument'],
    [{ up: [0, 1] }, 'up', 'invalid-argument'],
    [{ up: [0, Number.NaN, 1] }, 'up.y', 'invalid-argument'],
    [{ stepOnDynamic: 1 }, 'stepOnDynamic', 'invalid-argument'],
    [{ filter: 7 }, 'filter', 'invalid-argument'],
    [{ group: 0.5 }, 'group', 'invalid-argument'],
    [{ steps: 1 }, 'steps', 'unknown-option'],
    [{ shape: { type: 'plane' } }, 'shape.type', 'invalid-argument'],
    [{ position: [0, Number.POSITIVE_INFINITY, 0] }, 'position.y', 'invalid-argument'],
    [{ body: crate }, 'body', 'invalid-argument'],
    [{ body: 77 }, 'body', 'stale-id'],
  ];
  for (const [options, argument, code] of wrong) {
    const error = caught(
      () => new CharacterController(world, { shape: CAPSULE, ...options } as CharacterOptions),
    ) as PhysicsError;
    expect([error.name, error.code, error.argument], JSON.stringify(options)).toEqual([
      'PhysicsError',
      code,
      argument,
    ]);
    expect(count()).toBe(1);
  }
  const who = character(world);
  for (const call of [
    () => who.update([0, Number.NaN, 0], DT),
    () => who.update([0, 0, 0], 0),
    () => who.update(undefined as never, DT),
    () => who.jump(-1),
    () => who.teleport([1, 2] as never),
    () => who.setOptions({ gravity: -1 }),
    () => who.restore({} as never),
    () => who.restore(null as never),
  ]) {
    const before = JSON.stringify(who.save());
    expect((caught(call) as PhysicsError).name).toBe('PhysicsError');
    expect(JSON.stringify(who.save())).toBe(before);
  }
  who.remove();
  expect((caught(() => who.update([0, 0, 0], DT)) as PhysicsError).code).toBe('stale-id');
});

test('crouches under a beam, and cannot rise there', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  box(world, [3, 1.6, 0], [1, 0.3, 3]);
  // Frames whose origin is at the feet, so that a shape changes upwards.
  const tall = { ...CAPSULE, position: [0, 0.9, 0] } as const;
  const low = { type: 'capsule', radius: 0.3, halfHeight: 0.2, position: [0, 0.5, 0] } as const;
  const who = character(world, { shape: tall, position: [0, 0.02, 0] });
  walk(world, who, [2, 0, 0], 2);
  expect(who.getPosition()[0]).toBeCloseTo(2 - 0.32, 2);
  expect(who.setShape(low)).toBe(true);
  walk(world, who, [2, 0, 0], 0.6);
  expect(who.getPosition()[0]).toBeGreaterThan(2.5);
  expect(who.setShape(tall)).toBe(false);
  walk(world, who, [2, 0, 0], 1);
  expect(who.getPosition()[0]).toBeGreaterThan(4.5);
  expect(who.setShape(tall)).toBe(true);
  expect(who.body.shapes).toHaveLength(1);
  expect(who.getPosition()[1]).toBeCloseTo(0.02, 4);
});

test('without gravity it flies; up may point anywhere; a box and a hull walk, too', () => {
  const flight = new World();
  box(flight, [0, 3, 0], [2, 0.5, 2]);
  const bird = character(flight, { gravity: 0 });
  walk(flight, bird, [1, 2, 0], 1);
  expect(bird.getPosition()[1]).toBeCloseTo(2.5 - STANDING, 3);
  expect(bird.getPosition()[0]).toBeCloseTo(1, 3);

  const world = new World({ gravity: [0, 0, -9.81] });
  world.createBody({ type: 'static', shape: { type: 'box', halfExtents: [20, 20, 0.5] } });
  box(world, [3, 0, 0.6], [1, 5, 0.2]);
  const shapes: CharacterOptions['shape'][] = [
    { type: 'box', halfExtents: [0.3, 0.3, 0.9] },
    { type: 'hull', points: [-0.3, -0.3, -0.9, 0.3, -0.3, -0.9, 0, 0.4, -0.9, 0, 0, 0.9] },
  ];
  for (const [i, shape] of shapes.entries()) {
    const who = character(world, { shape, up: [0, 0, 1], position: [0, 3 * i, 1.42] });
    walk(world, who, [2, 0, 0], 1.5);
    expect(who.getPosition()[0]).toBeGreaterThan(2.95);
    expect(who.getPosition()[2]).toBeCloseTo(0.8 + 0.92, 2);
    expect(who.isGrounded).toBe(true);
  }
});

test('dynamic bodies are steps only where they may be', () => {
  for (const stepOnDynamic of [true, false]) {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    world.createBody({ position: [2, 0.1, 0], mass: 500, shape: { type: 'box', halfExtents: [1, 0.1, 1] } });
    const who = character(world, { stepOnDynamic });
    let highest = 0;
    walk(world, who, [2, 0, 0], 1, () => void (highest = Math.max(highest, who.getPosition()[1])));
    expect(highest > STANDING + 0.15).toBe(stepOnDynamic);
  }
});

test('a drawn place lies between the last two', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const who = character(world);
  world.setInternalTickCallback((dt) => who.update([3, 0, 0], dt));
  for (let i = 0; i < 30; i++) {
    world.stepSimulation(0.011, 4);
    if (i > 3) expect(who.getInterpolatedPosition()[0]).toBeCloseTo(3 * (0.011 * (i + 1) - DT), 4);
  }
  who.teleport([5, 3, 5]);
  expect(who.getInterpolatedPosition()).toEqual([5, 3, 5]);
  expect(who.isGrounded).toBe(false);
});
