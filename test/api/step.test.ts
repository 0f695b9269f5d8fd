// Bullet's step semantics: counts, lost time, forces, kinematic bodies, motion-state interpolation
// (btDiscreteDynamicsWorld::stepSimulation, synchronizeSingleMotionState).
import { expect, test } from 'vitest';
import { type RigidBody, World } from '../../src';

const FIXED = 1 / 60;
const sphere = { type: 'sphere', radius: 0.5 } as const;

function createWorld(): { world: World; ball: RigidBody } {
  const world = new World({ gravity: [0, 0, 0] });
  const ball = world.createBody({ mass: 2, shape: sphere, linearVelocity: [6, 0, 0] });
  return { world, ball };
}

test('a fixed step: 1 per 1/60 s, nothing left over', () => {
  const { world, ball } = createWorld();
  expect(world.stepSimulation(FIXED)).toBe(1);
  expect(world.stepCount).toBe(1);
  expect(ball.getPosition()[0]).toBeCloseTo(0.1, 6);
});

test('time below a step is kept; the number of steps that are due is returned', () => {
  const { world } = createWorld();
  expect(world.stepSimulation(0.4 * FIXED)).toBe(0);
  expect(world.stepSimulation(0.4 * FIXED)).toBe(0);
  expect(world.stepCount).toBe(0);
  expect(world.stepSimulation(0.4 * FIXED)).toBe(1);
  expect(world.stepSimulation(2.9 * FIXED, 10)).toBe(3);
  expect(world.stepCount).toBe(4);
});

test('more steps than maxSubSteps: the time is lost, the count is not clamped', () => {
  const { world, ball } = createWorld();
  expect(world.stepSimulation(10 * FIXED, 3)).toBe(10);
  expect(world.stepCount).toBe(3);
  expect(ball.getPosition()[0]).toBeCloseTo(0.3, 6);
  expect(world.stepSimulation(FIXED, 3)).toBe(1);
});

test('maxSubSteps 0: one step of the given time, none for no time', () => {
  const { world, ball } = createWorld();
  expect(world.stepSimulation(0.05, 0)).toBe(1);
  expect(ball.getPosition()[0]).toBeCloseTo(0.3, 6);
  expect(world.stepSimulation(0, 0)).toBe(0);
  expect(world.stepSimulation(1e-8, 0)).toBe(0);
  expect(world.stepCount).toBe(1);
  expect(world.stepSimulation(0)).toBe(0);
});

test('a force acts over all substeps of one call, and is gone then', () => {
  const { world, ball } = createWorld();
  ball.setLinearVelocity([0, 0, 0]);
  ball.applyCentralForce([12, 0, 0]); // 6 m/s²
  world.stepSimulation(3 * FIXED, 10);
  expect(ball.getLinearVelocity()[0]).toBeCloseTo(6 * 3 * FIXED, 5);
  world.stepSimulation(3 * FIXED, 10);
  expect(ball.getLinearVelocity()[0]).toBeCloseTo(6 * 3 * FIXED, 5);
  // As in Bullet, also when no step was due.
  ball.applyCentralForce([12, 0, 0]);
  world.stepSimulation(0.5 * FIXED);
  world.stepSimulation(FIXED);
  expect(ball.getLinearVelocity()[0]).toBeCloseTo(6 * 3 * FIXED, 5);
  // step: one step.
  ball.applyCentralForce([12, 0, 0]);
  world.step(FIXED);
  world.step(FIXED);
  expect(ball.getLinearVelocity()[0]).toBeCloseTo(6 * 4 * FIXED, 5);
});

test('forces add up; a force off the centre is a torque, too', () => {
  const { world, ball } = createWorld();
  ball.applyForce([1, 0, 0], [0, 1, 0]);
  ball.applyTorque([0, 0, 5]);
  ball.applyForceAtPoint([0, 2, 0], [3, 0, 0]);
  expect(ball.getTotalForce()).toEqual([1, 2, 0]);
  expect(ball.getTotalTorque()).toEqual([0, 0, -1 + 5 + 6]);
  world.step(FIXED);
  expect(ball.getTotalForce()).toEqual([0, 0, 0]);
});

test('impulses change velocities at once: p / m, and r × p / I', () => {
  const { ball } = createWorld();
  ball.setLinearVelocity([0, 0, 0]);
  ball.applyImpulse([0, 4, 0], [0.5, 0, 0]);
  expect(ball.getLinearVelocity()).toEqual([0, 2, 0]);
  const inertia = 0.4 * 2 * 0.25;
  expect(ball.getAngularVelocity()[2]).toBeCloseTo(2 / inertia, 5);
  ball.applyTorqueImpulse([0, 0, -2]);
  expect(ball.getAngularVelocity()[2]).toBeCloseTo(0, 5);
  const v = ball.getVelocityAtPoint([0, 0, 1]);
  expect(v[1]).toBeCloseTo(2, 6);
});

test('interpolation: the pose lags by one step minus the time left over', () => {
  const { world, ball } = createWorld();
  world.stepSimulation(1.25 * FIXED);
  expect(ball.getPosition()[0]).toBeCloseTo(0.1, 6);
  expect(world.interpolationTime).toBeCloseTo(-0.75 * FIXED, 12);
  expect(ball.getInterpolatedPosition()[0]).toBeCloseTo(0.025, 6);
  world.stepSimulation(0.5 * FIXED);
  expect(ball.getInterpolatedPosition()[0]).toBeCloseTo(0.075, 6);
  // A variable step shows the pose itself, as does step.
  world.stepSimulation(FIXED, 0);
  expect(ball.getInterpolatedPosition()).toEqual(ball.getPosition());
  world.step(FIXED);
  expect(ball.getInterpolatedPosition()).toEqual(ball.getPosition());
});

test.each(['velocity', 'target'] as const)(
  'interpolation: a kinematic platform that moves by its %s is drawn below what rides on it, at any frame rate',
  (by) => {
    const world = new World();
    const platform = world.createBody({
      type: 'kinematic',
      shape: { type: 'box', halfExtents: [2, 0.5, 2] },
      linearVelocity: [5, 0, 0],
    });
    const rider = world.createBody({
      mass: 1,
      position: [0, 1, 0],
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
      linearVelocity: [5, 0, 0],
    });
    if (by === 'target')
      world.setInternalTickCallback(() => {
        const [x] = platform.getPosition();
        platform.setKinematicTarget([x + 5 * FIXED, 0, 0], [0, 0, 0, 1]);
      });
    let least = Infinity;
    let most = -Infinity;
    let before = -Infinity;
    for (let frame = 0; frame < 200; frame++) {
      world.stepSimulation(1 / 144);
      if (frame < 10) continue;
      const [x] = platform.getInterpolatedPosition();
      if (before > -Infinity) expect(x - before).toBeCloseTo(5 / 144, 4);
      before = x;
      const apart = rider.getInterpolatedPosition()[0] - x;
      least = Math.min(least, apart);
      most = Math.max(most, apart);
    }
    expect(most - least).toBeLessThan(1e-3);
  },
);

test('interpolation turns a body about its centre of mass', () => {
  const world = new World({ gravity: [0, 0, 0] });
  // Centre of mass at (1, 0, 0) of the body, which spins at one radian per second about z.
  const body = world.createBody({
    mass: 1,
    shape: { ...sphere, position: [1, 0, 0] },
    angularVelocity: [0, 0, 1],
  });
  world.stepSimulation(1.5 * FIXED);
  const angle = 0.5 * FIXED;
  const p = body.getInterpolatedPosition();
  expect(p[0]).toBeCloseTo(1 - Math.cos(angle), 6);
  expect(p[1]).toBeCloseTo(-Math.sin(angle), 6);
  const q = body.getInterpolatedRotation();
  expect(q[2]).toBeCloseTo(Math.sin(angle / 2), 6);
  const m = body.getInterpolatedTransform();
  expect(m[1]).toBeCloseTo(Math.sin(angle), 6);
  expect(m[12]).toBeCloseTo(p[0], 6);
});

test('a kinematic target is reached at the end of a call, over all its substeps evenly', () => {
  const world = new World({ gravity: [0, 0, 0] });
  const lift = world.createBody({ type: 'kinematic', shape: sphere });
  const seen: number[][] = [];
  lift.setKinematicTarget([0, 0.6, 0], [0, 0, Math.sin(0.3), Math.cos(0.3)]);
  expect(world.stepSimulation(3 * FIXED, 3)).toBe(3);
  const p = lift.getPosition();
  expect(p[1]).toBeCloseTo(0.6, 6);
  expect(lift.getRotation()[2]).toBeCloseTo(Math.sin(0.3), 6);
  // It stands then.
  world.stepSimulation(FIXED);
  expect(lift.getPosition()).toEqual(p);
  // What lies on it gets the speed of the difference over the call: 0.6 m in three steps.
  const box = world.createBody({ type: 'dynamic', mass: 1, position: [0, 2.1, 0], shape: sphere });
  lift.setKinematicTarget([0, 1.2, 0]);
  world.stepSimulation(3 * FIXED, 3);
  seen.push(box.getLinearVelocity());
  expect(lift.getPosition()[1]).toBeCloseTo(1.2, 6);
  expect(seen[0]![1]).toBeGreaterThan(5);
});

test('a locked axis, a gravity of its own, a damping', () => {
  const world = new World({ gravity: [0, -10, 0] });
  const options = { mass: 1, shape: sphere } as const;
  const rail = world.createBody({ ...options, linearFactor: [1, 0, 1] });
  const kite = world.createBody({ ...options, position: [5, 0, 0], gravityScale: -1 });
  const slow = world.createBody({
    ...options,
    position: [0, 0, 50],
    gravityScale: 0,
    linearVelocity: [1, 0, 0],
    linearDamping: 0.5,
  });
  for (let i = 0; i < 60; i++) world.step(FIXED);
  expect(rail.getPosition()[1]).toBe(0);
  expect(kite.getPosition()[1]).toBeCloseTo(5, 1);
  expect(slow.getLinearVelocity()[0]).toBeCloseTo(0.5, 3); // (1 − d)^t
});

test('the count of steps starts again after 2³¹ − 1, and nothing else changes', () => {
  const fall = (stepCount: number) => {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    const shape = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
    const boxes = Array.from({ length: 40 }, (_, i) =>
      world.createBody({ mass: 1, position: [1.1 * (i % 5), 0.6 + 1.1 * Math.floor(i / 5), 0], shape }),
    );
    world.stateHash(); // applies the commands
    (world as unknown as { instance: { set(field: string, value: number): void } }).instance.set(
      'stepCount',
      stepCount,
    );
    for (let i = 0; i < 64; i++) world.step(1 / 60);
    const copy = new World();
    copy.restore(world.snapshot());
    expect(copy.stateHash()).toBe(world.stateHash());
    return {
      stepCount: world.stepCount,
      poses: boxes.map((box) => [...box.getPosition(), ...box.getRotation()]),
    };
  };
  // A multiple of what recurs in steps: which boxes are refitted, which colour of contacts is sorted.
  const before = 2 ** 31 - 32;
  const reference = fall(before % (31 * 16));
  expect(fall(before)).toEqual({ ...reference, stepCount: 32 });
});
