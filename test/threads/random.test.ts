// Random worlds on several threads and on one, step by step. THREAD_WORLDS=300 is the long run.

import { World } from 'ricochet';
import { expect } from 'vitest';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import { Chance, crowdedWorld, randomOptions, randomStep, randomWorld } from '../support/randomWorlds';
import { EAGER, POISONED, testWith, worldOn } from './support';

const test = ordinaryCoreOnly('threads have a core of their own');
const WORLDS = Number(process.env['THREAD_WORLDS'] ?? 3);
const FIRST_SEED = Number(process.env['THREAD_SEED'] ?? 1);
const STEPS = 60;

const MAKERS = [
  ['random', FIRST_SEED, randomWorld],
  ['crowded', 8300 + FIRST_SEED, crowdedWorld],
] as const;

test.for(MAKERS)(
  `${WORLDS} %s worlds from seed %d: equal hashes after each step, and after going back`,
  async ([, from, make]) => {
    testWith({ mode: EAGER });
    let forks = 0;
    for (let seed = from; seed < from + WORLDS; seed++) {
      const plain = make(seed, new World(randomOptions(seed)));
      const threads = 2 + (seed % 3);
      const world = make(seed, await worldOn(threads, randomOptions(seed)));
      const snapshot = { at: 0, bytes: world.snapshot() };
      for (let step = 1; step <= STEPS; step++) {
        for (const each of [plain, world]) randomStep(each, seed, step);
        expect(world.stateHash(), `seed ${seed}, ${threads} threads, step ${step}`).toBe(plain.stateHash());
        if (step === 30) Object.assign(snapshot, { at: step, bytes: world.snapshot() });
      }
      world.restore(snapshot.bytes);
      for (let step = snapshot.at + 1; step <= STEPS; step++) randomStep(world, seed, step);
      expect(world.stateHash(), `seed ${seed}, ${threads} threads, again`).toBe(plain.stateHash());
      forks += world.threads.forks;
      expect(world.threads.lost).toBe(0);
      world.dispose();
    }
    expect(forks).toBeGreaterThan(0);
  },
);

/** Four bodies of a crowd get nearly the speeds beyond which they are lost. */
function explode(world: World, seed: number, step: number): void {
  const chance = new Chance(seed, 900 + step);
  const bodies = [...world.bodies()].filter(({ type }) => type === 'dynamic');
  for (let i = 0; i < 4; i++) {
    const body = chance.of(bodies);
    body.setLinearVelocity(chance.vector(9e4));
    body.setAngularVelocity(chance.vector(9e4));
  }
}

test.each([19828, 19841])('crowd %i, with speeds at which bodies are lost: equal hashes', async (seed) => {
  testWith({ mode: POISONED });
  const plain = crowdedWorld(seed, new World(randomOptions(seed)));
  const world = crowdedWorld(seed, await worldOn(3, randomOptions(seed)));
  for (let step = 1; step <= 8; step++) {
    for (const each of [plain, world]) {
      explode(each, seed, step);
      randomStep(each, seed, step);
    }
    expect(world.stateHash(), `step ${step}`).toBe(plain.stateHash());
  }
  world.dispose();
});
