// The clock in the worker: real time, pause, slow motion, forces that act for a frame of the page.
import { expect, test } from 'vitest';
import { sleep, startPhysics } from './support';

const CRATE = { mass: 1, position: [0, 5, 0], shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } } as const;

test('runs in real time, stands still while paused, and still steps by hand', async () => {
  const physics = await startPhysics();
  const body = physics.createBody({ ...CRATE, position: [0, 1000, 0] });
  await sleep(50);
  expect(physics.stats.steps).toBe(0);
  await physics.start();
  const began = performance.now();
  await sleep(700);
  physics.update();
  const expected = (performance.now() - began) * 0.06 - physics.stats.droppedMs * 0.06;
  expect(Math.abs(physics.stats.steps - expected)).toBeLessThan(6);
  expect(physics.stats.realTimeFactor).toBeGreaterThan(0.5);
  expect(body.getPosition()[1]).toBeLessThan(999);
  await physics.pause();
  await sleep(40);
  const { steps } = physics.stats;
  await sleep(100);
  expect(physics.stats.steps).toBe(steps);
  await physics.step(3);
  expect(physics.stats.steps).toBe(steps + 3);
  await physics.resume();
  await sleep(100);
  physics.update();
  expect(physics.stats.steps).toBeGreaterThan(steps + 3);
  // The pause was no time that was due.
  expect(physics.stats.droppedMs).toBeLessThan(60);
});

test('poses move evenly between frames while the clock runs', async () => {
  const physics = await startPhysics({ gravity: [0, 0, 0], fixedTimeStep: 1 / 20 });
  const body = physics.createBody({ ...CRATE, position: [0, 0, 0], linearVelocity: [10, 0, 0] });
  await physics.start();
  await sleep(300);
  const samples: [time: number, x: number][] = [];
  for (let i = 0; i < 60; i++) {
    await sleep(5);
    const now = performance.now();
    physics.update(now);
    samples.push([now, body.getPosition()[0]]);
  }
  let moved = 0;
  for (let i = 1; i < samples.length; i++) {
    const step = samples[i]![1] - samples[i - 1]![1];
    expect(step).toBeGreaterThanOrEqual(-0.05);
    if (step > 0) moved++;
  }
  // 20 steps per second would move 6 of 60 samples if nothing were interpolated.
  expect(moved).toBeGreaterThan(30);
  const [[t0, x0], [t1, x1]] = [samples[0]!, samples[samples.length - 1]!];
  expect((x1 - x0) / ((t1 - t0) / 1000)).toBeGreaterThan(7);
  expect((x1 - x0) / ((t1 - t0) / 1000)).toBeLessThan(13);
});

test('slow motion makes as many steps less', async () => {
  const physics = await startPhysics({ timeScale: 0.25 });
  physics.createBody(CRATE);
  await physics.start();
  await sleep(500);
  physics.update();
  expect(physics.stats.steps).toBeGreaterThan(3);
  expect(physics.stats.steps).toBeLessThan(12);
  physics.timeScale = 4;
  const { steps } = physics.stats;
  await sleep(500);
  physics.update();
  expect(physics.stats.steps - steps).toBeGreaterThan(60);
});

test('a force applied in every frame of the page gives its full acceleration, at any frame rate', async () => {
  for (const frameMs of [7, 40]) {
    const physics = await startPhysics({ gravity: [0, 0, 0] });
    const body = physics.createBody({ ...CRATE, position: [0, 0, 0] });
    body.applyForce([10, 0, 0]);
    await physics.start();
    const began = performance.now();
    while (performance.now() - began < 500) {
      body.applyForce([10, 0, 0]);
      physics.update();
      await sleep(frameMs);
    }
    await physics.pause();
    await physics.step(1); // without the force: the frame is over
    const before = body.getPosition()[0];
    await physics.step(1);
    const velocity = (body.getPosition()[0] - before) * 60;
    const time = physics.stats.steps / 60;
    expect(velocity / time).toBeGreaterThan(8.5);
    expect(velocity / time).toBeLessThan(10.5);
  }
});

test('a force of a page that is not heard of any more ends after eight steps', async () => {
  const physics = await startPhysics({ gravity: [0, 0, 0] });
  const body = physics.createBody({ ...CRATE, position: [0, 0, 0] });
  body.applyForce([60, 0, 0]);
  await physics.start();
  await sleep(500);
  await physics.pause();
  const before = body.getPosition()[0];
  await physics.step(1);
  expect((body.getPosition()[0] - before) * 60).toBeCloseTo(8, 3);
});
