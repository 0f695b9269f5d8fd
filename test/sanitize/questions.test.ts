// Questions do not write. On the sanitizer core a write outside of a question's outputs and scratch throws; and a world
// that is asked everything in every step has the bytes and the course of its twin that is asked nothing.
import { expect, test } from 'vitest';
import { type RigidBody, World } from '../../src';
import { randomOptions, randomStep, randomWorld } from '../support/randomWorlds';

const STEPS = 24;

/** Every method of an object that takes nothing and whose name is that of a question. */
function askMethods(target: object): number {
  let asked = 0;
  const names = new Set<string>();
  for (let at = Object.getPrototypeOf(target); at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  for (const name of names) {
    if (!/^(get|is|has)[A-Z]/.test(name)) continue;
    const method = (target as Record<string, unknown>)[name];
    if (typeof method !== 'function' || method.length > 0) continue;
    asked++;
    try {
      method.call(target);
    } catch (error) {
      // A joint that has no such axis says so.
      expect((error as Error).name, name).toBe('PhysicsError');
    }
  }
  return asked;
}

function askEverything(world: World): number {
  const ball = { shape: { type: 'sphere', radius: 0.7 }, position: [0, 1, 0] } as const;
  world.stateHash();
  world.digest();
  world.getProfile();
  world.findIslands();
  world.getContacts();
  world.readContacts();
  world.debugLines({ shapes: true, aabbs: true, contacts: true, joints: true, islands: true });
  world.rayTest([0, 9, 0], [1, -9, 1]);
  world.rayTest([-9, 1, 0], [9, 1, 0], { mode: 'all' });
  world.rayTestBatch([0, 9, 0, 0, -9, 0, -9, 1, 0, 9, 1, 0]);
  world.overlapTest([-4, -4, -4], [4, 4, 4]);
  world.overlapShapeTest(ball);
  world.pointTest([0, 0.2, 0]);
  world.nearestTest(ball);
  world.contactTest(ball);
  world.convexSweepTest(ball, [3, -2, 1]);
  world.snapshot();
  let asked = 0;
  for (const body of world.bodies()) {
    asked += askMethods(body as RigidBody);
    world.getContacts(body);
  }
  for (const joint of world.joints()) asked += askMethods(joint);
  return asked;
}

for (const seed of [1, 2, 3])
  test(`random world ${seed}, asked everything in each step, goes on as its twin`, () => {
    const asked = randomWorld(seed, new World(randomOptions(seed)));
    const silent = randomWorld(seed, new World(randomOptions(seed)));
    let answers = 0;
    for (let step = 1; step <= STEPS; step++) {
      randomStep(asked, seed, step);
      randomStep(silent, seed, step);
      answers += askEverything(asked);
      const before = asked.snapshot();
      askEverything(asked);
      expect(Buffer.compare(before, asked.snapshot())).toBe(0);
    }
    expect(answers).toBeGreaterThan(1000);
    expect(asked.stateHash()).toBe(silent.stateHash());
    expect(Buffer.compare(asked.snapshot(), silent.snapshot()), 'bytes of both').toBe(0);
  });
