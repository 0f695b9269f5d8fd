// The figures of docs/character.md in a worker with a clock of its own, as a page sees them that draws 30, 60 or 144 times a
// second: of the drawn poses, between the frames that the worker sends.

import type { Physics } from 'ricochet/worker';
import { expect, test } from 'vitest';
import { sleep, startPhysics } from '../worker/support';
import { hero, STANDING, sheet } from './support';

const RADIUS = 50;
/** m: rise and tread of the stairs, and their number. */
const [RISE, TREAD, COUNT] = [0.3, 0.4, 20];
const SPEED = 6;
const STEPS = 130;

async function build(physics: Physics) {
  const box = (position: [number, number, number], halfExtents: [number, number, number]) =>
    physics.createBody({ type: 'static', position, shape: { type: 'box', halfExtents } });
  physics.createBody({ type: 'static', shape: sheet(60) });
  for (let i = 0; i < COUNT; i++)
    box([2 + TREAD * i + 10, 0.5 * RISE * (i + 1), 10], [10, 0.5 * RISE * (i + 1), 2]);
  const platform = physics.createBody({
    type: 'kinematic',
    position: [-10, 0.5, -10],
    shape: { type: 'box', halfExtents: [2, 0.5, 2] },
  });
  platform.setLinearVelocity([4, 0.5, 0]);
  const at = [0, -100, 0] as const;
  physics.createBody({ type: 'static', position: at, shape: { type: 'sphere', radius: RADIUS } });
  const area = {
    attraction: { strength: 9.81, distance: RADIUS },
    gravityMode: 'replace' as const,
    priority: 1,
  };
  physics.createBody({
    type: 'static',
    position: at,
    shape: { type: 'sphere', radius: RADIUS + 5, sensor: true, area },
  });
  const flat = await hero(physics, { position: [-8, STANDING, 0.13] });
  const climber = await hero(physics, { position: [0, STANDING, 10] });
  const rider = await hero(physics, { position: [-9.5, 1 + STANDING, -10.3] });
  const round = await hero(physics, { position: [0, -100 + RADIUS + STANDING, 0], gravity: 'world' });
  flat.setInput({ move: [5, 0, 0] });
  climber.setInput({ move: [SPEED, 0, 0] });
  round.setInput({ move: [5, 0, 0], local: true });
  return { platform, flat, climber, rider, round };
}

/** Largest distance of points from the straight line that fits them best, in y; and its slope. */
function offLine(points: readonly (readonly [number, number])[]): { off: number; slope: number } {
  const mean = (k: 0 | 1) => points.reduce((sum, point) => sum + point[k], 0) / points.length;
  const [mx, my] = [mean(0), mean(1)];
  const slope =
    points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) /
    points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  return { off: Math.max(...points.map(([x, y]) => Math.abs(y - my - slope * (x - mx)))), slope };
}

test.each([
  [30, 'shared'],
  [60, 'messages'],
  [144, 'shared'],
] as const)('drawn %i times a second, over %s', async (rate, transport) => {
  const physics = await startPhysics({ transport });
  const { platform, flat, climber, rider, round } = await build(physics);
  await physics.start();
  let [bump, aside, off, height, air] = [0, 0, 0, 0, 0];
  let anchor: number[] | undefined;
  const stairs: [number, number][] = [];
  while (physics.stats.steps < STEPS) {
    await sleep(1000 / rate);
    physics.update();
    if (physics.stats.steps < 12) continue;
    const [, y, z] = flat.getPosition();
    bump = Math.max(bump, Math.abs(y - STANDING));
    aside = Math.max(aside, Math.abs(z - 0.13));
    const [x, high] = climber.getPosition();
    if (x > 2 + 6 * TREAD && x < 2 + (COUNT - 3) * TREAD) stairs.push([x, high + climber.lift]);
    const from = platform.getPosition();
    const relative = rider.getPosition().map((value, i) => value - from[i]!);
    anchor ??= relative;
    off = Math.max(off, ...relative.map((value, i) => Math.abs(value - anchor![i]!)));
    const [px, py, pz] = round.getPosition();
    height = Math.max(height, Math.abs(Math.hypot(px, py + 100, pz) - RADIUS - STANDING));
    for (const who of [flat, climber, rider, round]) air += who.onGround ? 0 : 1;
  }
  const { off: jolt, slope } = offLine(stairs);
  const mm = (metres: number) => (1000 * metres).toFixed(2);
  console.log(
    `${rate} frames a second, ${transport}: flat ${mm(bump)} mm, aside ${mm(aside)} mm, stairs ${mm(jolt)} mm,` +
      ` platform ${mm(off)} mm, planet ${mm(height)} mm, ${stairs.length} frames on the stairs`,
  );
  expect(bump).toBeLessThan(1e-4);
  expect(aside).toBeLessThan(1e-3);
  expect(slope).toBeCloseTo(RISE / TREAD, 1);
  expect(jolt).toBeLessThan(0.01);
  expect(off).toBeLessThan(1e-3);
  expect(height).toBeLessThan(2e-3);
  expect(air).toBe(0);
});
