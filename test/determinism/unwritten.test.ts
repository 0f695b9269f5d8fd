// Nothing is read that this step has not written: what an earlier joint left in the tables of a slot changes no bit.
// In: small scenes with joints. Out: the same hashes with poisoned scratch (test/support/poison.ts) as without.
import { expect, test } from 'vitest';
import { type JointOptions, type RigidBody, World } from '../../src';
import { poison } from '../support/poison';

const LOCKED = { low: 0, high: 0 };
/** A float that passes for a length or a force, where a NaN may be lost in a comparison: 10. */
const TEN = 0x41200000;

/** A chain of heavy and light bodies on joints with these options. */
function chain(options: Record<string, unknown>): World {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  let before: RigidBody | undefined;
  for (let i = 0; i < 6; i++) {
    const body = world.createBody({
      mass: i % 2 ? 400 : 1,
      position: [0.3 * i, 0.3 + 0.55 * i, 0],
      shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
    });
    if (before !== undefined)
      world.createJoint({
        ...options,
        bodyA: before,
        bodyB: body,
        anchor: [0.3 * i - 0.15, 0.55 * i, 0],
        axis: [1, 0, 0],
        collideConnected: true,
      } as unknown as JointOptions<RigidBody>);
    before = body;
  }
  return world;
}

/** Steps both worlds; the scratch of one is poisoned before each step. */
function compare(make: () => World): void {
  const [clean, dirty] = [make(), make()];
  for (let step = 1; step <= 60; step++) {
    poison(dirty, TEN);
    for (const world of [clean, dirty]) world.step(1 / 60);
    expect(dirty.stateHash(), `step ${step}`).toBe(clean.stateHash());
  }
}

test('universal joints with both angles locked', () => {
  compare(() => chain({ type: 'universal', angle1: LOCKED, angle2: LOCKED }));
});
