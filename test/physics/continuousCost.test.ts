// What continuous collision costs. Where nothing is fast: two worlds with the same settled pile of 1,000, one of them
// with continuous collision, stepped in turns in one process. A busy machine only adds time, to either of them: what is
// compared is the low end of many steps, and more of them are made until the figure holds or it is clear that it does not.
// Where most things are small and fly at some m/s: debris of a wall that bursts.
import { expect } from 'vitest';
import { pileMixed } from '../../demo/scenes/pile-mixed';
import { World } from '../../src';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import { random } from './support/vector';
import { DT } from './support/world';

const test = ordinaryCoreOnly('it measures time');

const MOST = 1.03;
/** Steps of each world before the first look, and between looks. */
const BLOCK = 60;
const BLOCKS = 20;
/** Of the steps, from the fastest: above it is what others did to them. */
const SHARE = 0.2;

const lowEnd = (times: number[]) => [...times].sort((a, b) => a - b)[Math.floor(SHARE * times.length)]!;

function settledPile(): Uint8Array {
  const world = new World({ ...pileMixed.world, sleeping: false });
  pileMixed.build(world);
  for (let step = 0; step < 420; step++) world.step(DT);
  return world.snapshot();
}

test('continuous collision with nothing fast in a pile of 1,000: at most 3 % of the step', {
  timeout: 300_000,
}, () => {
  const pile = settledPile();
  const cases = {
    'on, against off': (_: World) => {},
    'a motion threshold on every body, against off': (on: World) => {
      for (const body of on.bodies()) if (body.type === 'dynamic') body.setCcd(0.1, 0);
    },
  };
  for (const [name, prepare] of Object.entries(cases)) {
    const [off, on] = [new World(), new World()];
    for (const world of [off, on]) world.restore(pile);
    off.updateSettings({ continuous: false });
    on.updateSettings({ continuous: true });
    prepare(on);
    for (let step = 0; step < 30; step++) for (const world of [off, on]) world.step(DT);
    const times: [number[], number[]] = [[], []];
    let ratio = Number.POSITIVE_INFINITY;
    let swept = 0;
    for (let block = 0; block < BLOCKS && !(ratio <= MOST); block++) {
      for (let step = 0; step < BLOCK; step++) {
        // First one, then the other goes first.
        for (const i of step % 2 === 0 ? [0, 1] : [1, 0]) {
          const world = i === 0 ? off : on;
          const start = process.hrtime.bigint();
          world.step(DT);
          times[i]!.push(Number(process.hrtime.bigint() - start) / 1e6);
          swept += world.getProfile().swept;
        }
      }
      ratio = lowEnd(times[1]) / lowEnd(times[0]);
    }
    const [without, with_] = [lowEnd(times[0]), lowEnd(times[1])];
    console.log(
      `${name}: ${with_.toFixed(3)} ms, ${without.toFixed(3)} ms without, ratio ${ratio.toFixed(3)} (${times[0].length} steps)`,
    );
    expect(swept, 'nothing is fast').toBe(0);
    expect(ratio, name).toBeLessThanOrEqual(MOST);
    for (const world of [off, on]) world.dispose();
  }
});

type Scene = (world: World) => () => void;

/** 800 boxes of 10 to 20 cm that fly apart over a floor with some plates on it. */
const debris: Scene = (world) => {
  const r = random(2);
  world.createBody({
    type: 'static',
    position: [0, -0.5, 0],
    shape: { type: 'box', halfExtents: [60, 0.5, 60] },
  });
  for (let i = 0; i < 12; i++)
    world.createBody({
      type: 'static',
      position: [12 * Math.cos(i), 1, 12 * Math.sin(i)],
      shape: { type: 'box', halfExtents: [1, 1, 0.1] },
    });
  for (let i = 0; i < 800; i++) {
    const [x, y, z] = [
      ((i % 10) - 4.5) / 4,
      1 + Math.floor(i / 100) / 4,
      ((Math.floor(i / 10) % 10) - 4.5) / 4,
    ];
    const part = () => 0.05 + 0.05 * r();
    world.createBody({
      mass: 1,
      position: [x, y, z],
      linearVelocity: [8 * x * (0.5 + r()), 3.2 * y * r(), 8 * z * (0.5 + r())],
      angularVelocity: [20 * r() - 10, 20 * r() - 10, 20 * r() - 10],
      shape: { type: 'box', halfExtents: [part(), part(), part()] },
    });
  }
  return () => world.step(DT);
};

/** 400 boxes and balls of 20 cm in a box of 6 m that turns about a horizontal axis at `speed` rad/s. */
const drum =
  (speed: number): Scene =>
  (world) => {
    const r = random(400);
    const side = (axis: number, sign: number) => {
      const position = [0, 0, 0];
      const halfExtents = [3.5, 3.5, 3.5];
      position[axis] = 3.25 * sign;
      halfExtents[axis] = 0.25;
      return { type: 'box' as const, position, halfExtents } as never;
    };
    const walls = [0, 1, 2].flatMap((axis) => [side(axis, -1), side(axis, 1)]);
    const body = world.createBody({ type: 'kinematic', shape: walls });
    for (let i = 0; i < 400; i++) {
      const turn = [r() - 0.5, r() - 0.5, r() - 0.5, r() - 0.5];
      const size = Math.hypot(...turn);
      world.createBody({
        position: [
          ((i % 8) - 3.5) / 2 + 0.2 * (r() - 0.5),
          (Math.floor(i / 64) - 3) / 2,
          ((Math.floor(i / 8) % 8) - 3.5) / 2 + 0.2 * (r() - 0.5),
        ],
        rotation: turn.map((q) => q / size) as [number, number, number, number],
        shape:
          i % 2 === 0
            ? { type: 'box', halfExtents: [0.1, 0.1, 0.1], density: 1000 }
            : { type: 'sphere', radius: 0.1, density: 1000 },
      });
    }
    let steps = 0;
    return () => {
      const half = (++steps * DT * speed) / 2;
      body.setKinematicTarget([0, 0, 0], [0, 0, Math.sin(half), Math.cos(half)]);
      world.step(DT);
    };
  };

const MOST_IN_MOTION = 1.25;

test.each([
  ['800 pieces of debris', debris, 240, 100],
  ['400 pieces in a drum', drum(1), 360, 40],
  ['400 pieces in a faster drum', drum(1.6), 360, 100],
] as [string, Scene, number, number][])(
  '%s: at most 1.25 times the cost without sweeping',
  {
    timeout: 300_000,
  },
  (name, scene, steps, fast) => {
    // Runs are alike bit for bit, so that of each step the least time of several runs counts: others only add to it.
    const times: [number[], number[]] = [[], []];
    const sum = (all: number[]) => all.reduce((total, time) => total + time, 0);
    let ratio = Number.POSITIVE_INFINITY;
    const figures: string[] = [];
    for (let round = 0; round < 8 && !(ratio <= MOST_IN_MOTION); round++) {
      const worlds = [false, true].map((continuous) => new World({ sleeping: false, continuous }));
      const step = worlds.map(scene);
      let swept = 0;
      for (let i = 0; i < steps; i++) {
        for (const k of (i + round) % 2 === 0 ? [0, 1] : [1, 0]) {
          const start = process.hrtime.bigint();
          step[k]!();
          const time = Number(process.hrtime.bigint() - start) / 1e6;
          times[k]![i] = Math.min(time, times[k]![i] ?? time);
        }
        swept += worlds[1]!.getProfile().swept;
      }
      for (const world of worlds) world.dispose();
      expect(swept / steps, 'swept per step').toBeGreaterThan(fast);
      if (round < 2) continue;
      ratio = sum(times[1]) / sum(times[0]);
      figures.push(ratio.toFixed(3));
    }
    console.log(
      `${name}: ${(sum(times[1]) / steps).toFixed(2)} ms, ${(sum(times[0]) / steps).toFixed(2)} without, ratios ${figures.join(' ')}`,
    );
    expect(ratio, name).toBeLessThanOrEqual(MOST_IN_MOTION);
  },
);
