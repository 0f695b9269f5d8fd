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

/** A press without gravity: a light box between the floor and a heavy one, on which a kinematic one comes down. */
function press(): { world: World; heavy: RigidBody } {
  const world = new World();
  const box = (y: number, mass: number) =>
    world.createBody({
      mass,
      gravityScale: 0,
      position: [0, y, 0],
      shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
    });
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  box(0.3, 1);
  const heavy = box(0.9, 400);
  world.createBody({
    type: 'kinematic',
    position: [0, 1.51, 0],
    linearVelocity: [0, -0.1, 0],
    shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
  });
  return { world, heavy };
}

test('a spring on an axis that is locked with the others has no row, and presses with nothing', () => {
  compare(() => {
    const { world, heavy } = press();
    const bodyB = world.createBody({
      mass: 1,
      position: [1, 0.9, 0],
      shape: { type: 'sphere', radius: 0.1 },
    });
    const y = { ...LOCKED, spring: { hertz: 20, dampingRatio: 0, target: 0.1 } };
    world.createJoint({ type: 'generic', bodyA: heavy, bodyB, anchor: [1, 0.9, 0], axis: [0, 1, 0], y });
    return world;
  });
});
