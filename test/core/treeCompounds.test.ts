// A body with many shapes gives all of them new boxes before the first of them moves in the tree, and with several threads all
// bodies do. The tree must contain each of them all the same.
import { expect, test } from 'vitest';
import { World } from '../../src';
import { Chance } from '../support/randomWorlds';

test('trees contain the shapes of compounds that tumble', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const chance = new Chance(seed, 5);
    const world = new World({ gravity: [0, 0, 0] });
    for (let i = 0; i < 12; i++)
      world.createBody({
        mass: 1,
        position: chance.vector(6),
        rotation: chance.rotation(),
        linearVelocity: chance.vector(20),
        angularVelocity: chance.vector(20),
        shape: Array.from({ length: 12 }, () => ({
          type: 'sphere' as const,
          radius: chance.of([0.05, 0.3]),
          position: chance.vector(3),
          sensor: true,
        })),
      });
    for (let step = 1; step <= 60; step++) {
      world.step(1 / 60);
      expect(world.findFault(), `world ${seed}, step ${step}`).toBe(0);
    }
    world.dispose();
  }
});
