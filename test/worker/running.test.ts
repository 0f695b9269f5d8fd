// The clock in the worker: real time, pause, slow motion, forces that act for a frame of the page.
import { expect, test } from 'vitest';
import { bestOf, worstOf } from '../bestOf';
import { sleep, startPhysics, until } from './support';

const CRATE = { mass: 1, position: [0, 5, 0], shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] } } as const;

test('runs in real time, stands still while paused, and still steps by hand', async () => {
  const run = async () => {
    const physics = await startPhysics();
    const body = physics.createBody({ ...CRATE, position: [0, 1000, 0] });
    await sleep(50);
    expect(physics.stats.steps).toBe(0);
    await physics.start();
    const began = performance.now();
    await sleep(700);
    physics.update();
    const { steps, droppedMs, realTimeFactor } = physics.stats;
    const off = Math.abs(steps - 0.06 * (performance.now() - began - droppedMs));
    await until(() => body.getPosition()[1] < 999);
    await physics.pause();
    await sleep(40);
    const paused = physics.stats.steps;
    await sleep(100);
    expect(physics.stats.steps).toBe(paused);
    await physics.step(3);
    expect(physics.stats.steps).toBe(paused + 3);
    const before = physics.stats.droppedMs;
    await sleep(400);
    await physics.resume();
    await until(() => physics.stats.steps > paused + 6);
    const dropped = physics.stats.droppedMs - before;
    physics.dispose();
    return { off, slow: 0.5 / realTimeFactor, dropped };
  };
  // The pause was no time that was due.
  const limits = { off: 6, slow: 1, dropped: 60 };
  const { best } = await bestOf(run, (figures) => worstOf(figures, limits));
  for (const name of ['off', 'slow', 'dropped'] as const)
    expect(best[name], name).toBeLessThanOrEqual(limits[name]);
});

test('poses move evenly between frames while the clock runs', async () => {
  const run = async () => {
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
    physics.dispose();
    const moves = samples.slice(1).map(([, x], i) => x - samples[i]![1]);
    const [[t0, x0], [t1, x1]] = [samples[0]!, samples[samples.length - 1]!];
    return {
      back: -Math.min(...moves),
      // 20 steps per second would move 6 of 60 samples if nothing were interpolated.
      still: moves.filter((move) => move <= 0).length,
      off: Math.abs((1000 * (x1 - x0)) / (t1 - t0) - 10),
    };
  };
  const limits = { back: 0.05, still: 29, off: 3 };
  const { best } = await bestOf(run, (figures) => worstOf(figures, limits));
  for (const name of ['back', 'still', 'off'] as const)
    expect(best[name], name).toBeLessThanOrEqual(limits[name]);
});

test('slow motion makes as many steps less', async () => {
  const run = async () => {
    const physics = await startPhysics({ timeScale: 0.25 });
    physics.createBody(CRATE);
    await physics.start();
    await sleep(500);
    physics.update();
    const slow = physics.stats.steps;
    physics.timeScale = 4;
    await sleep(500);
    physics.update();
    const fast = physics.stats.steps - slow;
    physics.dispose();
    return { slow, fast };
  };
  // 7.5 and 120 where nothing else runs.
  const { best } = await bestOf(run, ({ slow, fast }) => Math.max(4 / slow, slow / 11, 61 / fast));
  expect(best.slow).toBeGreaterThan(3);
  expect(best.slow).toBeLessThan(12);
  expect(best.fast).toBeGreaterThan(60);
});

test.each([7, 40])(
  'a force applied in every frame of the page, every %i ms, gives its full acceleration',
  async (frameMs) => {
    const run = async () => {
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
      physics.dispose();
      return velocity / time;
    };
    // A page that a busy machine holds up for more than eight steps pushes less.
    const { best } = await bestOf(run, (acceleration) =>
      acceleration > 8.5 ? acceleration / 10.5 : Number.POSITIVE_INFINITY,
    );
    expect(best).toBeGreaterThan(8.5);
    expect(best).toBeLessThanOrEqual(10.5);
  },
);

test('a force of a page that is not heard of any more ends after eight steps', async () => {
  const physics = await startPhysics({ gravity: [0, 0, 0] });
  const body = physics.createBody({ ...CRATE, position: [0, 0, 0] });
  body.applyForce([60, 0, 0]);
  await physics.start();
  const { steps } = physics.stats;
  // Not by `update`, which would be a word of the page.
  await sleep(500);
  while (physics.stats.steps < steps + 12) await sleep(20);
  await physics.pause();
  const before = body.getPosition()[0];
  await physics.step(1);
  expect((body.getPosition()[0] - before) * 60).toBeCloseTo(8, 3);
});
