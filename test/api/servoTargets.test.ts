// setServoTargets: three targets in one command, the same as three calls of setServo.
import { expect, test } from 'vitest';
import { type Joint, PhysicsError, World } from '../../src/index';
import { startPhysics, TRANSPORTS } from '../worker/support';

const servo = (target: number) => ({ target, maxVelocity: 8, maxForce: 50 });
const TARGETS = [0.4, -0.3, 0.7] as const;

function arm(world: { createBody: World['createBody'] }) {
  const shape = { type: 'capsule', radius: 0.1, halfHeight: 0.3 } as const;
  return world.createBody({ mass: 2, position: [0, 2, 0], shape });
}

const generic = (bodyB: unknown) =>
  ({
    type: 'generic',
    bodyB: bodyB as never,
    anchor: [0, 2.4, 0],
    angleX: { low: -1, high: 1, servo: servo(0) },
    angleY: { servo: servo(0) },
    angleZ: { servo: servo(0) },
  }) as const;

test('three targets in one command do what three servos do, bit for bit, and stay when a limit changes', () => {
  const hashes = [0, 1].map((way) => {
    const world = new World();
    const joint: Joint = world.createJoint(generic(arm(world)));
    for (let i = 0; i < 30; i++) world.step(1 / 60); // rests, and has to wake
    if (way === 0) joint.setServoTargets(TARGETS);
    else
      (['angleX', 'angleY', 'angleZ'] as const).forEach((name, k) => {
        joint.setServo(name, servo(TARGETS[k]!));
      });
    joint.setLimits('angleX', -1.2, 1.2);
    for (let i = 0; i < 60; i++) world.step(1 / 60);
    expect(joint.getPosition('angleX')).toBeCloseTo(TARGETS[0], 2);
    expect(joint.getPosition('angleY')).toBeCloseTo(TARGETS[1], 2);
    expect(joint.getPosition('angleZ')).toBeCloseTo(TARGETS[2], 2);
    return world.stateHash();
  });
  expect(hashes[0]).toBe(hashes[1]);
});

test.each(TRANSPORTS)('through a worker, with later changes on the page: %s', async (transport) => {
  const world = new World();
  const there = world.createJoint(generic(arm(world)));
  const physics = await startPhysics({ transport, clock: 'manual' });
  const here = physics.createJoint(generic(arm(physics as never)) as never);
  for (const joint of [there, here]) {
    joint.setServoTargets(TARGETS);
    joint.setLimits('angleX', -1.2, 1.2);
  }
  for (let i = 0; i < 40; i++) world.step(1 / 60);
  await physics.step(40);
  expect(await physics.stateHash()).toBe(world.stateHash());
});

test('what is no angle is refused, and nothing changes', () => {
  const world = new World();
  const joint = world.createJoint(generic(arm(world)));
  const before = world.stateHash();
  for (const bad of [undefined, [1, 2], [0, Number.NaN, 0], [0, 0, Infinity], 'abc'])
    expect(() => joint.setServoTargets(bad as never)).toThrow(PhysicsError);
  expect(world.stateHash()).toBe(before);
  joint.remove();
  expect(() => joint.setServoTargets([0, 0, 0])).toThrow(PhysicsError);
});
