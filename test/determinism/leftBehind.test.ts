// Nothing is left behind in memory: what was in a slot before, or in a step before, does not show in what comes after.
// Each test is a case that random worlds (state.test.ts) found.
import { describe, expect, test } from 'vitest';
import { type ActivationState, type BodyOptions, World } from '../../src';
import { notNumbers } from '../support/numbers';
import { randomStep, randomWorld } from '../support/randomWorlds';

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

describe('what an impulse cannot turn or move', () => {
  // Softness, infinite moments, and impulses that leave the range of f32, as random worlds had them.
  for (const seed of [7, 8, 45, 51, 58, 119, 145])
    test(`no table holds anything but numbers, random world ${seed}`, () => {
      const world = randomWorld(seed);
      for (let step = 1; step <= 210; step++) {
        randomStep(world, seed, step);
        expect(notNumbers(world), `step ${step}`).toEqual([]);
      }
    });

  test('a kinematic body stays where it is, whatever hangs on it', () => {
    for (const type of ['universal', 'motor', 'fixed', 'hinge', 'generic'] as const)
      for (const factor of [
        [0, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
      ])
        for (const softness of [{}, { hertz: 20, dampingRatio: 0.5 }, { erp: 0.5, cfm: 0.01 }]) {
          const world = new World();
          const bodyA = world.createBody({ type: 'kinematic', position: [0, 5, 0], shape: BALL });
          const shape = { type: 'capsule', radius: 0.05, halfHeight: 0.4 } as const;
          const bodyB = world.createBody({ position: [1, 5, 0.3], angularFactor: factor, shape });
          bodyB.setAngularVelocity([10, 20, -9]);
          world.createJoint({ type, bodyA, bodyB, anchor: [0, 5, 0], axis: [0.6, 0.8, 0], ...softness });
          for (let i = 0; i < 120; i++) world.step(DT);
          expect(bodyA.getPosition()).toEqual([0, 5, 0]);
          expect(bodyA.getLinearVelocity()).toEqual([0, 0, 0]);
          expect(notNumbers(world)).toEqual([]);
        }
  });
});

describe('a body that is out of the simulation', () => {
  const slab = (activationState: ActivationState, position: [number, number, number]): BodyOptions => ({
    mass: 5,
    position,
    activationState,
    shape: { type: 'box', halfExtents: [2, 0.05, 1] },
  });

  test('is hit by a swept one: a copy has the same hash', () => {
    const world = new World();
    world.createBody(slab('disableSimulation', [0, 2, 0]));
    world.createBody({
      mass: 1,
      position: [1, 8, 0.5],
      linearVelocity: [0, -200, 0],
      shape: { type: 'sphere', radius: 0.1 },
    });
    for (let i = 0; i < 20; i++) {
      world.step(DT);
      const copy = World.restore(world.snapshot());
      expect(copy.stateHash()).toBe(world.stateHash());
    }
  });

  test('is struck through a light one: nothing of the step stays with it', () => {
    const world = new World();
    // It keeps the velocity that it had.
    world.createBody({ ...slab('disableSimulation', [0, 0.95, 0]), angularVelocity: [0, 0, 3] });
    world.createBody({
      mass: 0.1,
      position: [0, 1.1, 0],
      shape: { type: 'box', halfExtents: [0.5, 0.1, 0.5] },
    });
    world.createBody({ mass: 300, position: [0, 1.9, 0], linearVelocity: [0, -20, 0], shape: BALL });
    for (let i = 1; i <= 60; i++) {
      world.step(DT);
      expect(world.findFault(), `step ${i}`).toBe(0);
    }
  });

  test('links nobody: two towers that stand on two such bodies are two islands, and asking changes nothing', () => {
    const build = () => {
      const world = new World({ sleeping: true, deactivationTime: 1 });
      for (const x of [-5, 5]) {
        world.createBody(slab('disableSimulation', [x, 0, 0]));
        for (let i = 0; i < 3; i++)
          world.createBody({
            mass: 1,
            position: [x, 0.55 + 1.001 * i, 0],
            shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
          });
      }
      return world;
    };
    const [asked, silent] = [build(), build()];
    for (let i = 0; i < 200; i++) {
      asked.step(DT);
      silent.step(DT);
      if (i === 20) expect(asked.findIslands()).toBe(2);
      asked.findIslands();
      asked.debugLines({ islands: true } as never);
      expect(asked.stateHash(), `step ${i}`).toBe(silent.stateHash());
    }
    expect(asked.awakeCount).toBe(0);
  });
});

test('a twist that begins to have a meaning within a step has no row in it: a copy goes on with the same hashes', () => {
  for (let k = 0; k < 20; k++) {
    const world = new World({ gravity: [0, 0, 0], substeps: 5 });
    const at = world.createBody({ type: 'static', shape: BALL });
    const shape = { type: 'box', halfExtents: [0.4, 0.1, 0.2] } as const;
    const rod = world.createBody({ mass: 1, position: [1, 0, 0], shape });
    const limits = { twist: { low: 0.1, high: 1.6 }, swingY: 0.3, swingZ: 0.4 };
    world.createJoint({
      type: 'coneTwist',
      bodyA: at,
      bodyB: rod,
      anchor: [0, 0, 0],
      axis: [1, 0, 0],
      ...limits,
    });
    world.step(DT);
    rod.setTransform([-1, 0, 0], [0, 1, 0, 0]); // it points back
    rod.setAngularVelocity([5, 10 * k, 10]);
    const copy = World.restore(world.snapshot());
    expect(hashes(copy, 3), `${10 * k} rad/s`).toEqual(hashes(world, 3));
  }
});
