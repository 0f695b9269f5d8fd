// What joints bear and where they stand, read by the page: the numbers of the world in process, over every
// transport, from the frame after `watch` on, through a lost worker, and without garbage.

import { Worker } from 'node:worker_threads';
import { World } from 'ricochet';
import { expect, test } from 'vitest';
import { sleep, startPhysics, TRANSPORTS, workerScript } from './support';

const ARM = { mass: 2, position: [0.5, 0, 0], shape: { type: 'box', halfExtents: [0.5, 0.1, 0.1] } } as const;
const HINGE = { type: 'hinge', anchor: [0, 0, 0], axis: [0, 0, 1], angle: { low: -0.6, high: 3 } } as const;

test.each(TRANSPORTS)('a watched joint tells what the world in process tells (%s)', async (transport) => {
  const physics = await startPhysics({ transport, clock: 'manual' });
  const world = new World();
  const arm = physics.createBody(ARM);
  const twin = world.createBody(ARM);
  const joint = physics.createJoint({ ...HINGE, bodyB: arm });
  const truth = world.createJoint({ ...HINGE, bodyB: twin });
  const rope = {
    type: 'distance',
    frameA: { position: [1, 0, 0] },
    frameB: { position: [0.5, 0, 0] },
    distance: { low: 0, high: 9 },
  } as const;
  const other = physics.createJoint({ ...rope, bodyB: arm });
  world.createJoint({ ...rope, bodyB: twin });
  const both = async (n: number) => {
    await physics.step(n);
    for (let i = 0; i < n; i++) world.step(1 / 60);
  };
  await both(5);
  expect(joint.getPosition('angle')).toBe(0);
  expect(joint.getLimitState('angle')).toBe('inside');
  expect(joint.getAppliedImpulse()).toEqual([0, 0, 0]);
  joint.watch();
  const states = new Set<string>();
  for (let i = 0; i < 12; i++) {
    await both(5);
    expect(joint.getPosition('angle')).toBe(truth.getPosition('angle'));
    expect(joint.getAxisImpulse('angle')).toBe(truth.getAxisImpulse('angle'));
    expect(joint.getAppliedImpulse()).toEqual(truth.getAppliedImpulse());
    expect(joint.getAppliedAngularImpulse(new Float32Array(3))).toEqual(
      Float32Array.from(truth.getAppliedAngularImpulse()),
    );
    expect(joint.getLimitState('angle')).toBe(truth.getLimitState('angle'));
    states.add(joint.getLimitState('angle'));
  }
  expect([...states].sort()).toEqual(['inside', 'low']);
  // At rest on its limit, half the weight is at the hinge and the rest at the limit's torque: the whole is 2 kg.
  await both(240);
  expect(joint.getAppliedImpulse()[1] * 60).toBeCloseTo(2 * 9.81, 1);
  expect(other.getAppliedImpulse()).toEqual([0, 0, 0]);
  other.watch();
  await both(1);
  expect(other.getPosition('distance')).toBeGreaterThan(0.1);
  expect(joint.getPosition('angle')).toBe(truth.getPosition('angle'));
  joint.watch(false);
  await both(1);
  expect(joint.getPosition('angle')).toBe(0);
  expect(other.getPosition('distance')).toBeGreaterThan(0.1);
  expect(() => joint.getPosition('position')).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  arm.remove();
  expect(() => joint.watch()).toThrow(expect.objectContaining({ code: 'stale-id' }));
  await physics.step(1);
});

test('a joint that breaks says so; the next in its slot is another one', async () => {
  const physics = await startPhysics({ clock: 'manual' });
  const ball = physics.createBody({ mass: 10, shape: { type: 'sphere', radius: 0.5 } });
  const joint = physics.createJoint({ type: 'point', bodyB: ball, anchor: [0, 0, 0], breakingImpulse: 1 });
  joint.watch();
  expect(joint.isBroken).toBe(false);
  await physics.step(3);
  expect(joint.isBroken).toBe(true);
  joint.remove();
  const next = physics.createJoint({ type: 'point', bodyB: ball, anchor: [0, 0, 0] });
  await physics.step(2);
  expect(next.isBroken).toBe(false);
  expect(next.getAppliedImpulse()).toEqual([0, 0, 0]);
  next.watch();
  await physics.step(30);
  expect(next.getAppliedImpulse()[1] * 60).toBeCloseTo(98.1, 0);
});

test('the successor of a lost worker goes on telling', async () => {
  const script = await workerScript();
  const threads: Worker[] = [];
  const workerFactory = () => {
    threads.push(new Worker(script));
    return threads[threads.length - 1]!;
  };
  const physics = await startPhysics({ workerFactory, clock: 'manual' });
  physics.onError(() => {});
  const ball = physics.createBody({ mass: 10, shape: { type: 'sphere', radius: 0.5 } });
  const joint = physics.createJoint({ type: 'point', bodyB: ball, anchor: [0, 0, 0] });
  joint.watch();
  await physics.step(30);
  const restarted = new Promise<void>((resolve) => physics.onRestart(resolve));
  void threads[0]!.terminate();
  await restarted;
  ball.applyCentralImpulse([0, -10, 0]);
  await physics.step(1);
  while (physics.stats.steps < 31) await sleep(1);
  expect(joint.getAppliedImpulse()[1]).toBeCloseTo(98.1 / 60 + 10, 1);
});
