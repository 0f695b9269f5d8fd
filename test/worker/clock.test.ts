// The fixed-step clock: right number of steps on average, clamp after a pause, dropped time counted.
import { describe, expect, test } from 'vitest';
import { FixedStepClock } from '../../worker/clock';

const make = (timeScale = 1) => new FixedStepClock({ dt: 1 / 60, maxSteps: 8, timeScale });

describe('fixed-step clock', () => {
  test('makes 600 steps in ten seconds, however irregular the ticks', () => {
    const clock = make();
    clock.start(1000);
    let steps = 0;
    let now = 1000;
    for (let i = 0; now < 11000; i++) {
      now = Math.min(now + ((i * 7919) % 30), 11000);
      steps += clock.due(now);
    }
    expect(steps).toBe(600);
    expect(clock.droppedMs).toBe(0);
  });

  test('does not step before it is started nor after it is stopped', () => {
    const clock = make();
    expect(clock.due(5000)).toBe(0);
    clock.start(5000);
    clock.stop();
    expect(clock.due(9000)).toBe(0);
  });

  test('makes at most 8 steps after ten minutes and reports the rest as dropped', () => {
    const clock = make();
    clock.start(0);
    expect(clock.due(600_000)).toBe(8);
    expect(clock.droppedMs).toBeCloseTo(600_000 - (8 * 1000) / 60, 6);
    expect(clock.due(600_000 + 17)).toBe(1);
  });

  test('a pause drops nothing: the time in between is not due', () => {
    const clock = make();
    clock.start(0);
    clock.stop();
    clock.start(60_000);
    expect(clock.due(60_000)).toBe(0);
    expect(clock.droppedMs).toBe(0);
  });

  test.each([0.25, 2, 4])('runs at %f times real time', (timeScale) => {
    const clock = make(timeScale);
    clock.start(0);
    let steps = 0;
    for (let now = 0; now <= 10_000; now += 10) steps += clock.due(now);
    expect(steps).toBe(600 * timeScale);
  });

  test('a new speed keeps the phase of the running step', () => {
    const clock = make();
    clock.start(0);
    expect(clock.wait(0)).toBeCloseTo(1000 / 60, 9);
    clock.setTimeScale(0.5, 500 / 60);
    expect(clock.wait(500 / 60)).toBeCloseTo(1000 / 60, 9);
  });

  test('says when the last step was due, for interpolation', () => {
    const clock = make();
    clock.start(0);
    clock.due(40);
    expect(clock.lastDue).toBeCloseTo(2000 / 60, 9);
    expect(clock.wait(40)).toBeCloseTo(10, 9);
  });
});
