// What belongs to a frame of the page while the clock runs. Forces act over the steps of their frame, whatever is asked
// between. At 15, 30, 60 and 144 frames a second, on every transport.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Physics } from '../../worker/client';
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

describe.each(CASES)('%s, clock %s, %i frames a second', (transport, clock, rate) => {
  test('a force of every frame pushes as long as time passes, whatever is asked', async () => {
    const physics = await startNearby({ transport, clock, gravity: [0, 0, 0], velocities: true });
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
});
