// A platform that the page moves by a target per frame: the steps take it there evenly, so that its velocity reads true
// and who rides on it does not slip. At 15, 20, 30, 60 and 144 frames a second, on every transport, whoever has the clock.
import { World } from 'ricochet';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TRANSPORTS } from './support';
import { frames, now, pass, startNearby, useVirtualTime } from './virtualTime';

const RATES = [15, 20, 30, 60, 144];
const CLOCKS = ['automatic', 'frames'] as const;
const CASES = TRANSPORTS.flatMap((transport) =>
  CLOCKS.flatMap((clock) => RATES.map((rate) => [transport, clock, rate] as const)),
);
const PLATE = { type: 'kinematic', shape: { type: 'box', halfExtents: [3, 0.25, 3] } } as const;
const SPEED = 3;

beforeEach(useVirtualTime);
afterEach(() => void vi.useRealTimers());

/** Late by nothing, or by up to so many ms, without a pattern. */
const lateness = (ms: number) => (k: number) => ms * ((((k * 16807) % 2147483647) / 37) % 1);

/** m, after s: speeds up within a second, then goes on evenly. */
const wayAt = (t: number) => (t < 1 ? (SPEED * t * t) / 2 : SPEED * (t - 0.5));

const RIDER = {
  mass: 1,
  position: [0, 0.25, 0],
  shape: { type: 'box', halfExtents: [0.25, 0.25, 0.25], friction: 1 },
} as const;

/** What a rider slips while it speeds up, by stepSimulation in process: with long frames that is not nothing. */
function slipInProcess(rate: number): number {
  const world = new World();
  const plate = world.createBody({ ...PLATE, position: [0, -0.25, 0] });
  const rider = world.createBody(RIDER);
  for (let k = 1; k <= 2 * rate; k++) {
    plate.setKinematicTarget([wayAt(k / rate), -0.25, 0], [0, 0, 0, 1]);
    world.stepSimulation(1 / rate, 8);
  }
  return rider.getPosition()[0] - plate.getPosition()[0];
}

async function ride(
  transport: (typeof TRANSPORTS)[number],
  clock: 'automatic' | 'frames',
  rate: number,
  late: number,
) {
  const physics = await startNearby({ transport, clock });
  const plate = physics.createBody({ ...PLATE, position: [0, -0.25, 0] });
  const rider = physics.createBody(RIDER);
  await now(physics.start());
  const began = performance.now();
  const way = (time: number) => wayAt((time - began) / 1000);
  const speeds: number[] = [];
  const slips: number[] = [];
  const steps = { from: 0, to: 0 };
  await frames(physics, { rate, seconds: 2.5, late: lateness(late) }, (_, time) => {
    plate.setKinematicTarget([way(time), -0.25, 0], [0, 0, 0, 1]);
    if (time - began < 1500) return;
    if (steps.from === 0) steps.from = physics.stats.steps;
    steps.to = physics.stats.steps;
    speeds.push(plate.getLinearVelocity()[0]);
    slips.push(rider.getPosition()[0] - plate.getPosition()[0]);
  });
  const reached = way(performance.now()) - plate.getPosition()[0];
  await pass(400);
  physics.update(performance.now());
  return { physics, plate, rider, speeds, slips, reached, steps, way };
}

describe.each(CASES)('%s, clock %s, %i frames a second', (transport, clock, rate) => {
  test('who rides does not slip, and the velocity of the platform reads true', async () => {
    const { speeds, slips, steps, reached } = await ride(transport, clock, rate, 0);
    expect(steps.to - steps.from).toBeGreaterThan(50);
    expect(Math.max(...slips) - Math.min(...slips)).toBeLessThan(0.002);
    const least = rate > 60 ? 0 : slipInProcess(rate);
    expect(Math.abs(slips.at(-1)! - least)).toBeLessThan(0.015);
    for (const speed of speeds) expect(Math.abs(speed - SPEED)).toBeLessThan(0.01 * SPEED);
    // The target of a frame is reached by the time the next one is due; what is drawn lies two steps behind.
    expect(reached).toBeLessThan(SPEED * (1 / rate + 3.5 / 60));
  });
});

test.each(TRANSPORTS)('frames that come late by up to 8 ms do not shake it: %s', async (transport) => {
  for (const rate of RATES) {
    const { speeds, slips } = await ride(transport, 'automatic', rate, 8);
    const steady = speeds.slice(speeds.length >> 2);
    expect(Math.max(...slips) - Math.min(...slips), `${rate}`).toBeLessThan(0.05);
    const off = steady.filter((speed) => Math.abs(speed - SPEED) > 0.02 * SPEED).length;
    expect(off / steady.length, `${rate}`).toBeLessThan(0.05);
  }
});

// What a page draws is of an earlier moment. Sent along with the place, it turned a platform back in every frame.
test.each(TRANSPORTS.flatMap((transport) => CLOCKS.map((clock) => [transport, clock] as const)))(
  'a target keeps what it leaves out: %s, clock %s',
  async (transport, clock) => {
    const physics = await startNearby({ transport, clock });
    const plate = physics.createBody({ ...PLATE, position: [0, -0.25, 0] });
    await now(physics.start());
    const turn = (angle: number) => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)] as const;
    const angleOf = ([, y, , w]: readonly number[]) => 2 * Math.atan2(y!, w!);
    let angle = 0;
    await frames(physics, { rate: 60, seconds: 0.3 }, (k) => {
      angle = 0.1 * k;
      plate.setKinematicTarget([0.05 * k, -0.25, 0], turn(angle));
    });
    const drawn = [angleOf(plate.getRotation())];
    let place = 0;
    await frames(physics, { rate: 60, seconds: 0.3 }, (k) => {
      place = 1 + 0.05 * k;
      plate.setKinematicTarget([place, -0.25, 0]);
      drawn.push(angleOf(plate.getRotation()));
    });
    await pass(400);
    physics.update(performance.now());
    expect(plate.getRotation()[1]).toBeCloseTo(turn(angle)[1], 5);
    expect(plate.getPosition()[0]).toBeCloseTo(place, 4);
    for (const [i, now] of drawn.entries()) if (i > 0) expect(now).toBeGreaterThan(drawn[i - 1]! - 1e-5);
    // Of two in one frame the last one counts, and what it keeps is what was before the frame.
    plate.setKinematicTarget([0, 0, 0], turn(0.3));
    plate.setKinematicTarget([1, 0, 0]);
    physics.update(performance.now());
    await pass(400);
    physics.update(performance.now());
    expect(plate.getRotation()[1]).toBeCloseTo(turn(angle)[1], 5);
    // A rotation alone, likewise.
    let last = 0;
    await frames(physics, { rate: 60, seconds: 0.3 }, (k) => {
      last = angle + 0.05 * k;
      plate.setKinematicTarget(undefined, turn(last));
    });
    await frames(physics, { rate: 60, seconds: 0.3 }, () => {});
    expect(plate.getPosition()).toEqual([1, 0, 0]);
    expect(plate.getRotation()[1]).toBeCloseTo(turn(last)[1], 5);
    await physics.dispose();
  },
);

test('targets by parts in process, of a body whose centre of mass is not its origin', () => {
  const world = new World();
  const shape = { type: 'box', halfExtents: [1, 1, 1], position: [0.3, 0.7, -0.2] } as const;
  const body = world.createBody({
    type: 'kinematic',
    position: [1, 2, 3],
    rotation: [0.6, 0, 0, 0.8],
    shape,
  });
  const before = body.getRotation();
  body.setKinematicTarget([2, 2, 3]);
  world.step(1 / 60);
  expect(body.getRotation()).toEqual(before);
  expect(body.getPosition()).toEqual([2, 2, 3]);
  body.setKinematicTarget(undefined, [0, 0, 0.6, 0.8]);
  world.step(1 / 60);
  for (const [i, value] of [2, 2, 3].entries()) expect(body.getPosition()[i]).toBeCloseTo(value, 6);
  for (const [i, value] of [0, 0, 0.6, 0.8].entries()) expect(body.getRotation()[i]).toBeCloseTo(value, 6);
  // The later one counts, and keeps what the body has, not what was wanted.
  body.setKinematicTarget([5, 5, 5], [0, 0, 0, 1]);
  body.setKinematicTarget([4, 2, 3]);
  world.step(1 / 60);
  for (const [i, value] of [0, 0, 0.6, 0.8].entries()) expect(body.getRotation()[i]).toBeCloseTo(value, 6);
  expect(body.getPosition()).toEqual([4, 2, 3]);
  expect(() => body.setKinematicTarget(undefined)).toThrow(/position/);
});
