// When commands arrive changes nothing: applied one by one, as where a question stands between two calls, or all together
// before the step, as in a worker, they make the same world. Trees grow another way then, so whatever depends on the order
// in which they are visited shows here. In: random worlds (test/support/randomWorlds.ts), many with fast bodies. SOAK=1, or
// ARRIVAL_WORLDS=n and ARRIVAL_SEED=n, for more of them.
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Joint, RigidBody, World } from '../../src';
import { FIRST_ACTED, FIRST_TRAITED, randomOptions, randomStep, randomWorld } from '../support/randomWorlds';

const SOAK = process.env['SOAK'] === '1';
const WORLDS = Number(process.env['ARRIVAL_WORLDS'] ?? (SOAK ? 2_000 : 50));
const FIRST_SEED = Number(process.env['ARRIVAL_SEED'] ?? 1);
const STEPS = 100;

const CHANGES = /^(create|remove|set|apply|activate|force|add|update|explode)/;

/** Worlds whose commands are applied one by one. */
const prompt = new Set<World>();

/** Calls that are under way. */
let inside = 0;

type Method = (this: RigidBody | Joint | World, ...rest: unknown[]) => unknown;

/** What undoes it. Each of the calls that change something is followed by one that applies it. */
function applyAtOnce(prototype: object): () => void {
  const found: [string, PropertyDescriptor][] = [];
  for (let from = prototype; from !== Object.prototype; from = Object.getPrototypeOf(from))
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(from)))
      if (CHANGES.test(name) && typeof property.value === 'function') found.push([name, property]);
  const own = new Set(Object.getOwnPropertyNames(prototype));
  const undo = found.map(([name]) => [name, Object.getOwnPropertyDescriptor(prototype, name)] as const);
  for (const [name, property] of found.reverse()) {
    const call = property.value as Method;
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value(this: RigidBody | Joint | World, ...rest: unknown[]): unknown {
        inside++;
        try {
          return call.apply(this, rest);
        } finally {
          inside--;
          const world = this instanceof World ? this : (this as RigidBody).world;
          if (inside === 0 && prompt.has(world)) {
            inside++; // what follows makes calls, too
            world.sync();
            inside--;
          }
        }
      },
    });
  }
  return () => {
    for (const [name, property] of undo)
      if (own.has(name)) Object.defineProperty(prototype, name, property!);
      else Reflect.deleteProperty(prototype, name);
  };
}

const undo = [World, RigidBody, Joint].map(({ prototype }) => applyAtOnce(prototype));
afterEach(() => prompt.clear());
afterAll(() => {
  for (const each of undo) each();
});

/** The first step after which the two worlds differ, 0 if none does. */
function firstDifference(seed: number): number {
  const together = randomWorld(seed);
  const [oneByOne] = [new World(randomOptions(seed))];
  prompt.add(oneByOne);
  randomWorld(seed, oneByOne);
  let step = 1;
  for (; step <= STEPS; step++) {
    randomStep(together, seed, step);
    randomStep(oneByOne, seed, step);
    if (together.stateHash() !== oneByOne.stateHash()) break;
  }
  together.dispose();
  oneByOne.dispose();
  return step > STEPS ? 0 : step;
}

describe.each([
  ['bodies and joints', FIRST_SEED],
  ['areas, belts, one-way shapes, explosions', FIRST_TRAITED + FIRST_SEED],
  ['vehicles and characters', FIRST_ACTED + FIRST_SEED],
])('%s', (_, from) => {
  test(`${WORLDS} worlds from seed ${from} do not depend on when commands arrive`, {
    timeout: 24 * 3600_000,
  }, () => {
    const differ: string[] = [];
    for (let seed = from; seed < from + WORLDS; seed++) {
      const step = firstDifference(seed);
      if (step > 0) differ.push(`world ${seed} in step ${step}`);
    }
    expect(differ).toEqual([]);
  });
});

/** What a fast ball passes in one step, in the order of its events; the trees grow in other ways if calls are applied at once. */
function passed(atOnce: boolean): string {
  const world = new World({ gravity: [0, 0, 0] });
  if (atOnce) prompt.add(world);
  const gates = Array.from({ length: 150 }, (_, i) =>
    world.createBody({
      type: 'static',
      position: [(i * 37) % 150, 0, 0],
      shape: { type: 'box', halfExtents: [0.01, 1, 1], sensor: true },
    }),
  );
  // There and back: only if calls are applied at once does the tree know of it.
  for (const [i, gate] of gates.entries())
    for (const y of [(1 + (i % 7)) * 300, 0])
      gate.setTransform([(i * 37) % 150, y, i % 3 ? y : 0], [0, 0, 0, 1]);
  world.createBody({
    mass: 1,
    position: [-1, 0, 0],
    linearVelocity: [60 * 152, 0, 0],
    ccdMotionThreshold: 0.1,
    shape: { type: 'sphere', radius: 0.1 },
  });
  const order: number[] = [];
  world.on('contactBegin', ({ bodyA, bodyB }) => order.push(Math.min(bodyA.id, bodyB.id)));
  world.step(1 / 60);
  const text = `${order.length} ${world.stateHash()} ${order}`;
  world.dispose();
  return text;
}

test('a body that passes 150 sensors in a step reports them in the same order', () => {
  const together = passed(false);
  expect(together).toMatch(/^150 /);
  expect(passed(true)).toBe(together);
});

test('calls are applied at once only in worlds of that kind', () => {
  const [a, b] = [new World(), new World()];
  prompt.add(b);
  for (const world of [a, b])
    world.createBody({ shape: { type: 'sphere', radius: 1 } }).setLinearVelocity([1, 0, 0]);
  expect([a, b].map((world) => world.replica.writer.length > 0)).toEqual([true, false]);
});
