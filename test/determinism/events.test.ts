// Each begin of a contact has one end, and sleep and wake take turns: in random worlds (test/support/randomWorlds.ts), with
// rollbacks, across removals, changes of type, filter and shapes. EVENT_WORLDS=1000 and EVENT_SEED=n for the long run.
import { expect, test } from 'vitest';
import { type EventType, World, WorldSlot } from '../../src';
import {
  Chance,
  crowdedWorld,
  FIRST_ACTED,
  FIRST_TRAITED,
  randomOptions,
  randomStep,
  randomWorld,
} from '../support/randomWorlds';

const WORLDS = Number(process.env['EVENT_WORLDS'] ?? 12);
const FIRST_SEED = Number(process.env['EVENT_SEED'] ?? 1);
const STEPS = 150;

interface Told {
  /** Contacts that have begun, and in which step. */
  open: Map<string, number>;
  /** Bodies of which an event has told, and whether they sleep. */
  asleep: Map<number, boolean>;
}

/** Follows the events of a world, and says what does not fit. */
class Ledger {
  step = 0;
  readonly faults: string[] = [];
  told: Told = { open: new Map(), asleep: new Map() };

  constructor(private readonly world: World) {
    const contact = (type: EventType & `contact${string}`, wasOpen: boolean, isOpen: boolean) =>
      world.on(type, ({ bodyA, bodyB, shapeA, shapeB }) => {
        const ends = [`${bodyA.id}/${shapeA}`, `${bodyB.id}/${shapeB}`].sort().join(' ');
        if (this.told.open.has(ends) !== wasOpen) this.fault(`${type} of ${ends}`);
        if (isOpen) this.told.open.set(ends, this.told.open.get(ends) ?? this.step);
        else this.told.open.delete(ends);
      });
    contact('contactBegin', false, true);
    contact('contactStay', true, true);
    contact('contactEnd', true, false);
    for (const type of ['sleep', 'wake'] as const)
      world.on(type, ({ body }) => {
        if (this.told.asleep.get(body.id) === (type === 'sleep')) this.fault(`${type} of ${body.id} again`);
        this.told.asleep.set(body.id, type === 'sleep');
      });
  }

  fault(what: string): void {
    this.faults.push(`step ${this.step}: ${what}`);
  }

  /** After a step: what has begun is there, what was told to sleep sleeps. */
  check(): void {
    for (const [ends, since] of this.told.open)
      for (const end of ends.split(' ')) {
        const [body, shape] = end.split('/').map(Number);
        if (!this.world.getBody(body as never)?.shapes.includes(shape as never))
          this.fault(`${ends} began in step ${since}, and ${end} is gone`);
      }
    for (const body of this.world.bodies()) {
      const told = this.told.asleep.get(body.id);
      if (body.type !== 'dynamic' || body.getActivationState() === 'disableSimulation')
        this.told.asleep.delete(body.id);
      else if (told !== undefined && told !== body.isSleeping())
        this.fault(`${body.id} does not sleep: ${told}`);
    }
  }

  copy(): Told {
    return { open: new Map(this.told.open), asleep: new Map(this.told.asleep) };
  }
}

function follow(seed: number, make: typeof randomWorld): string[] {
  const world = make(seed, new World(randomOptions(seed)));
  const ledger = new Ledger(world);
  const chance = new Chance(seed, -77);
  const slot = new WorldSlot();
  let saved: Told | null = null;
  for (ledger.step = 1; ledger.step <= STEPS; ledger.step++) {
    const before = world.stepCount;
    randomStep(world, seed, ledger.step);
    if (world.stepCount === before) continue; // no step, so no events yet
    ledger.check();
    if (chance.once(25)) {
      world.save(slot);
      saved = ledger.copy();
    }
    if (saved !== null && chance.once(40)) {
      world.restore(slot);
      ledger.told = saved;
      saved = null;
    }
  }
  for (const body of world.bodies()) body.remove();
  world.step(1 / 60);
  if (ledger.told.open.size > 0) ledger.fault(`never ended: ${[...ledger.told.open.keys()].join(', ')}`);
  world.dispose();
  return ledger.faults;
}

test.each([
  ['random', FIRST_SEED, WORLDS, randomWorld],
  ['with areas and explosions', FIRST_TRAITED + FIRST_SEED, WORLDS, randomWorld],
  ['with vehicles and characters', FIRST_ACTED + FIRST_SEED, WORLDS, randomWorld],
  ['crowded', FIRST_ACTED + FIRST_SEED, Math.ceil(WORLDS / 4), crowdedWorld],
  ['struck while a seam hid the contact, so that it began twice', 489, 1, randomWorld],
] as const)('worlds %s from seed %i', { timeout: 24 * 3600_000 }, async (_, from, count, make) => {
  const faults: string[] = [];
  for (let seed = from; seed < from + count; seed++) {
    for (const fault of follow(seed, make)) faults.push(`seed ${seed}, ${fault}`);
    await new Promise(setImmediate); // so that worlds that are gone are collected
  }
  expect(faults).toEqual([]);
});

// Rollback netcode saves before each frame, and listeners of the frame before have changed the world by then.
test('what calls before a save caused is told after each restore of the slot, and again by a slot that is saved then', () => {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const ball = () => world.createBody({ position: [0, 0.5, 0], shape: { type: 'sphere', radius: 0.5 } });
  const gone = ball();
  const sleeper = world.createBody({ position: [5, 0.5, 0], shape: { type: 'sphere', radius: 0.5 } });
  const told: string[] = [];
  world.on('contactBegin', ({ bodyB }) => told.push(`begin ${bodyB.id}`));
  world.on('contactEnd', ({ bodyB }) => told.push(`end ${bodyB.id}`));
  world.on('sleep', ({ body }) => told.push(`sleep ${body.id}`));
  for (let i = 0; i < 5; i++) world.step(1 / 60);
  expect(told.splice(0)).toEqual([`begin ${gone.id}`, `begin ${sleeper.id}`]);
  gone.remove();
  sleeper.forceActivationState('sleeping');
  const slot = world.save();
  const frame = () => {
    world.step(1 / 60);
    return told.splice(0);
  };
  const first = frame();
  expect(first.sort()).toEqual([`end ${gone.id}`, `sleep ${sleeper.id}`]);
  expect(frame()).toEqual([]);
  world.restore(slot);
  const again = world.save();
  expect(frame().sort()).toEqual(first);
  world.restore(again);
  expect(frame().sort()).toEqual(first);
  world.restore(World.restore(world.snapshot()).snapshot()); // bytes bring nothing of it
  expect(frame()).toEqual([]);
  world.dispose();
});
