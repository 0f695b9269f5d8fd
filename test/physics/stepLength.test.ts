// Steps that change their length with the frame rate, and settings that change the substeps. Truth: a stack that stands does
// not notice.
import { describe, expect, test } from 'vitest';
import { World } from '../../src/index';

describe('a stack of ten boxes does not jump where steps change their length', () => {
  const stack = (settings: { substeps?: number } = {}) => {
    const world = new World(settings);
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const boxes = Array.from({ length: 10 }, (_, i) =>
      world.createBody({
        mass: 1,
        position: [0, 0.5 + i, 0],
        shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
        activationState: 'disableDeactivation',
      }),
    );
    return { world, fastest: () => Math.max(...boxes.map((box) => Math.hypot(...box.getLinearVelocity()))) };
  };

  test.each([
    ['of 13 to 20 ms', (i: number) => (0.8 + 0.4 * ((i * 0.618) % 1)) / 60, 0.005],
    ['of 1/60 s, and of 0.1 s each second', (i: number) => (i % 60 === 59 ? 0.1 : 1 / 60), 0.1],
    ['of 1/120 s, and of 0.1 s each second', (i: number) => (i % 120 === 119 ? 0.1 : 1 / 120), 0.1],
  ] as const)('%s', (_, lengthOf, limit) => {
    const { world, fastest } = stack();
    let most = 0;
    for (let i = 0; i < 2400; i++) {
      world.step(lengthOf(i));
      if (i >= 600) most = Math.max(most, fastest());
    }
    expect(most).toBeLessThan(limit);
  });

  test('of another number of substeps', () => {
    const { world, fastest } = stack({ substeps: 20 });
    for (let i = 0; i < 400; i++) world.step(1 / 60);
    world.updateSettings({ substeps: 4 });
    let most = 0;
    for (let i = 0; i < 30; i++) {
      world.step(1 / 60);
      most = Math.max(most, fastest());
    }
    expect(most).toBeLessThan(0.03);
  });

  test('a copy of the world knows how long its last step was', () => {
    const { world } = stack();
    for (let i = 0; i < 60; i++) world.step(1 / 60);
    const copy = new World();
    copy.restore(world.snapshot());
    for (const each of [world, copy]) for (let i = 0; i < 4; i++) each.step(1 / 20);
    expect(copy.stateHash()).toBe(world.stateHash());
  });
});
