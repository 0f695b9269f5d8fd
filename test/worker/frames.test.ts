// What belongs to a frame of the page while the clock runs. Forces act over the steps of their frame, whatever is asked
// between. At 15, 30, 60 and 144 frames a second, on every transport.

import { World } from 'ricochet';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Physics, PhysicsBody } from '../../worker/client';
import { TRANSPORTS } from './support';
import { frames, now, pass, startNearby, useVirtualTime } from './virtualTime';

const RATES = [15, 20, 30, 60, 144];
const CLOCKS = ['automatic', 'frames'] as const;
const CASES = TRANSPORTS.flatMap((transport) =>
  CLOCKS.flatMap((clock) => RATES.map((rate) => [transport, clock, rate] as const)),
);
const BALL = {
  mass: 2,
  linearDamping: 0,
  angularDamping: 0,
  shape: { type: 'sphere', radius: 0.5 },
} as const;

/** All that may be asked or told in a frame. */
const QUESTIONS: ((physics: Physics) => unknown)[] = [
  (physics) => physics.rayTest([0, 9, 0], [0, -9, 0]),
  (physics) => physics.snapshot(),
  (physics) => physics.getContacts(),
  (physics) => physics.stateHash(),
  (physics) => physics.getProfile(),
  (physics) => physics.flush(),
  (physics) => void (physics.timeScale = 1),
  (physics) => physics.setDebug(null),
  (physics) => void (physics.profiling = !physics.profiling),
  (physics) => physics.on('contactStay', () => {})(),
  (physics) => physics.rayTestBatch([0, 9, 0, 0, -9, 0]),
  (physics) => physics.queryBatch([{ type: 'point', point: [0, 0, 0] }]),
  (physics) => physics.start(),
];

beforeEach(useVirtualTime);
afterEach(() => void vi.useRealTimers());

test.each(TRANSPORTS)(
  'forces act from one frame to the next, once, whoever sends them: %s',
  async (transport) => {
    const physics = await startNearby({ transport, gravity: [0, 0, 0], sleeping: false });
    const ball = physics.createBody(BALL);
    const speed = () => ball.getLinearVelocity()[0];
    await now(physics.start());
    physics.update(performance.now());
    await pass(50);
    // Two updates of one time are one frame; flush and questions end none.
    const time = performance.now();
    ball.applyCentralForce([60, 0, 0]);
    physics.flush();
    await now(physics.stateHash());
    physics.update(time);
    physics.update(time);
    await pass(50);
    physics.update(performance.now()); // ends it
    const acted = speed();
    expect(acted).toBeGreaterThan(0.9);
    expect(acted).toBeLessThan(2.1); // 0.5 m/s a step
    await pass(100);
    physics.update(performance.now());
    expect(speed()).toBeLessThan(acted + 0.51);
    // Of a body that goes before the frame ends, and its successor in the slot.
    ball.applyCentralForce([1000, 0, 0]);
    ball.remove();
    const next = physics.createBody(BALL);
    physics.update(performance.now());
    await pass(100);
    physics.update(performance.now());
    expect(next.getLinearVelocity()).toEqual([0, 0, 0]);
    // A page that is heard of no more: eight steps. One that only flushes: from flush to flush.
    next.applyCentralForce([60, 0, 0]);
    physics.update(performance.now());
    await pass(1000);
    physics.update(performance.now());
    expect(next.getLinearVelocity()[0]).toBeCloseTo(8 * 0.5, 3);
    await pass(400);
    for (let k = 0; k < 30; k++) {
      next.applyCentralForce([-60, 0, 0]);
      physics.flush();
      await pass(16);
    }
    await now(physics.pause());
    physics.update(performance.now());
    expect(Math.abs(next.getLinearVelocity()[0] - 4 + 0.5 * 29)).toBeLessThan(1.1);
  },
);

test.each(TRANSPORTS)('a target is forgotten by what puts the body elsewhere: %s', async (transport) => {
  for (const clock of CLOCKS) {
    const physics = await startNearby({ transport, clock });
    const plate = physics.createBody({ ...BALL, mass: 0, type: 'kinematic' });
    const place = () => plate.getPosition().map((value) => Math.round(100 * value) / 100);
    await now(physics.start());
    const run = (seconds: number, frame: (k: number) => void) =>
      frames(physics, { rate: 60, seconds }, frame);
    await run(0.3, (k) => plate.setKinematicTarget([k, 0, 0], [0, 0, 0, 1]));
    plate.setTransform([0, 5, 0], [0, 0, 0, 1]);
    await run(0.3, () => {});
    expect(place()).toEqual([0, 5, 0]);
    // The last target of a frame counts; one before a teleport does not, one after it does.
    plate.setKinematicTarget([9, 9, 9], [0, 0, 0, 1]);
    plate.setTransform([1, 0, 0], [0, 0, 0, 1]);
    await run(0.3, () => {});
    expect(place()).toEqual([1, 0, 0]);
    plate.setTransform([2, 0, 0], [0, 0, 0, 1]);
    plate.setKinematicTarget([9, 9, 9], [0, 0, 0, 1]);
    plate.setKinematicTarget([2, 0, 3], [0, 0, 0, 1]);
    await run(0.3, () => {});
    expect(place()).toEqual([2, 0, 3]);
    expect(plate.getLinearVelocity()).toEqual([0, 0, 0]);
    // By hand it is there after one step.
    await now(physics.pause());
    plate.setKinematicTarget([0, 0, 0], [0, 0, 0, 1]);
    await now(physics.step());
    expect(place()).toEqual([0, 0, 0]);
    // On its way when the clock stops: the steps by hand take it on.
    await now(physics.start());
    plate.setKinematicTarget([4, 0, 0], [0, 0, 0, 1]);
    physics.update(performance.now() + 1);
    await now(physics.pause());
    await now(physics.step(4));
    physics.update();
    expect([clock, ...place()]).toEqual([clock, 4, 0, 0]);
    physics.dispose();
  }
});

describe.each(CASES)('%s, clock %s, %i frames a second', (transport, clock, rate) => {
  test('a force of every frame pushes as long as time passes, whatever is asked', async () => {
    const physics = await startNearby({ transport, clock, gravity: [0, 0, 0] }); // velocities are read without an option
    const pushed = physics.createBody(BALL);
    const turned = physics.createBody({ ...BALL, position: [0, 0, 9] });
    await now(physics.start());
    const pending: unknown[] = [];
    const ask = (at: number) => pending.push(QUESTIONS[at % QUESTIONS.length]!(physics));
    let before = { steps: 0, speed: 0, spin: 0 };
    const read = () => ({
      steps: physics.stats.steps,
      speed: pushed.getLinearVelocity()[0],
      spin: turned.getAngularVelocity()[1],
    });
    await frames(physics, { rate, seconds: 1.5 }, async (k) => {
      ask(k);
      pushed.applyCentralForce([10, 0, 0]);
      turned.applyTorque([0, 0.5, 0]);
      ask(k + 3);
      if (k % 4 === 0) await pass(3); // some time passes within the frame
      pushed.applyCentralForce([10, 0, 0]);
      turned.applyTorque([0, 0.5, 0]);
      ask(k + 5);
      ask(k + 7);
      if (physics.stats.steps >= 30 && before.steps === 0) before = read();
    });
    const after = read();
    const seconds = (after.steps - before.steps) / 60;
    expect(seconds).toBeGreaterThan(0.7);
    // 20 N on 2 kg, 1 N·m on 2/5 m r² = 0.2 kg·m²; within a step.
    expect(Math.abs(after.speed - before.speed - 10 * seconds)).toBeLessThan(10 / 60 + 1e-3);
    expect(Math.abs(after.spin - before.spin - 5 * seconds)).toBeLessThan(5 / 60 + 1e-3);
    await now(Promise.all(pending));
  });

  test('every answer is of its moment and every snapshot loads, in a game that makes and removes bodies', async () => {
    const physics = await startNearby({ transport, clock });
    await now(physics.start());
    const saves: [Promise<Uint8Array>, number][] = [];
    const rays: [Promise<{ body: { id: number } } | null>, number][] = [];
    const made: PhysicsBody[] = [];
    await frames(physics, { rate, seconds: 0.7 }, (k) => {
      const body = physics.createBody({ ...BALL, position: [3 * k, 50, 0] });
      made.push(body);
      rays.push([physics.rayTest([3 * k, 99, 0], [3 * k, 0, 0]), body.id]);
      if (k % 2 === 0) made.splice((k * 7) % made.length, 1)[0]!.remove();
      saves.push([physics.snapshot(), physics.bodyCount]);
      if (k % 3 === 0) made.pop()!.remove();
      physics.createBody({ ...BALL, position: [3 * k, -50, 0] });
    });
    const world = new World();
    for (const [save, count] of saves) {
      world.restore(await now(save));
      expect(world.bodyCount).toBe(count);
    }
    for (const [ray, id] of rays) expect((await now(ray))?.body.id).toBe(id);
    expect(saves.length).toBeGreaterThan(9);
  });
});
