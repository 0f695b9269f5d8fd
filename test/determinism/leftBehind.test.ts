// Nothing is left behind in memory: what was in a slot before, or in a step before, does not show in what comes after.
// Each test is a case that random worlds (state.test.ts) found.
import { describe, expect, test } from 'vitest';
import { World } from '../../src';

const DT = 1 / 60;
const BALL = { type: 'sphere', radius: 0.5 } as const;

/** Hashes of the next steps. */
function hashes(world: World, count: number): string[] {
  return Array.from({ length: count }, () => {
    world.step(DT);
    return world.stateHash();
  });
}

describe('the slot of a joint that moved along its axes is used again', () => {
  const freeWays = { x: { low: -9, high: 9 }, y: { low: -9, high: 9 }, z: { low: -9, high: 9 } };
  for (const type of [
    'generic',
    'universal',
    'hinge2',
    'fixed',
    'slider',
    'hinge',
    'coneTwist',
    'distance',
  ] as const)
    test(`by a ${type} joint: a copy goes on with the same hashes`, () => {
      const world = new World();
      const a = world.createBody({ type: 'static', position: [0, 5, 0], shape: BALL });
      const b = world.createBody({ mass: 1, position: [1, 5, 0], shape: BALL });
      const first = world.createJoint({
        type: 'generic',
        bodyA: a,
        bodyB: b,
        anchor: [0, 5, 0],
        ...freeWays,
      });
      for (let i = 0; i < 20; i++) world.step(DT);
      first.remove();
      const place =
        type === 'distance'
          ? { distance: { low: 0, high: 1 } }
          : { anchor: b.getPosition(), axis: [0, 1, 0] as const };
      world.createJoint({ type, bodyA: a, bodyB: b, ...place } as never);
      const copy = World.restore(world.snapshot());
      expect(copy.stateHash()).toBe(world.stateHash());
      expect(hashes(copy, 30)).toEqual(hashes(world, 30));
    });
});

test('shapes made after a restore have the margin of the profile that the snapshot is of', () => {
  const hull = { mass: 1, shape: { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] } } as const;
  for (const profile of ['bullet3', 'bullet282', 'native'] as const) {
    const world = new World({ profile });
    const copies = [World.restore(world.snapshot()), new World({ profile: 'bullet3' })];
    copies[1]!.restore(world.snapshot());
    const slot = world.save();
    world.createBody(hull);
    const truth = hashes(world, 3);
    for (const copy of copies) {
      copy.createBody(hull);
      expect(hashes(copy, 3)).toEqual(truth);
    }
    world.restore(slot);
    world.createBody(hull);
    expect(hashes(world, 3)).toEqual(truth);
  }
});
