// The harbour's crane, without a renderer: a driver who sees what it does takes a crate from the quay and puts it into the barge.
import { expect, test } from 'vitest';
import type { Crane } from '../../demo/crane';
import { BARGE, buildHarbour, CRATE, type Harbour } from '../../demo/harbourScene';
import { World, type WorldBody } from '../../src';

const DT = 1 / 60;

interface Site {
  world: World;
  harbour: Harbour;
  run(seconds: number, each?: () => void): void;
}

function build(): Site {
  const world = new World();
  const harbour = buildHarbour(world, () => {});
  const run = (seconds: number, each = () => {}) => {
    for (let i = 0; i < 60 * seconds; i++) {
      each();
      world.step(DT);
    }
  };
  return { world, harbour, run };
}

const limit = (value: number) => Math.max(-1, Math.min(1, value));

/** Drives so that the trolley comes over a place, and the hook to a height. */
function aim(crane: Crane, [x, z]: readonly [number, number], height: number): void {
  const [jx, , jz] = crane.jib.getPosition();
  const [tx, , tz] = crane.trolley.getPosition();
  const turn = Math.atan2(jz - z, x - jx) - Math.atan2(jz - tz, tx - jx);
  const out = Math.hypot(x - jx, z - jz) - Math.hypot(tx - jx, tz - jz);
  const [, y] = crane.hook.getPosition();
  crane.drive({ slew: limit(4 * turn), trolley: limit(2 * out), hoist: limit(3 * (height - y)) }, DT);
}

/** The crane takes this crate. */
function fetchCrate({ harbour, run }: Site, crate: WorldBody): void {
  const { crane } = harbour;
  const over = (above: number) => () => {
    const [x, y, z] = crate.getPosition();
    aim(crane, [x, z], y + above);
  };
  run(14, over(3));
  run(4, over(CRATE + 0.5));
  expect(crane.grab(harbour.crates, CRATE)).toBe(true);
  expect(crane.load).toBe(crate);
}

test('the crane loads a crate from the quay into the barge', () => {
  const site = build();
  const { world, harbour, run } = site;
  const { crane, barge, crates } = harbour;
  const crate = crates.at(-1)!;
  fetchCrate(site, crate);
  const [x, z] = [barge.getPosition()[0], barge.getPosition()[2]];
  let [gap, off] = [0, 0];
  const ends = new Float32Array(12);
  run(16, () => {
    const start = crane.trolley.getPosition();
    aim(crane, [x, z], 4);
    crane.writeRopes(ends);
    const rope = Math.hypot(ends[0]! - ends[3]!, ends[1]! - ends[4]!, ends[2]! - ends[5]!);
    gap = Math.max(gap, rope - crane.length);
    off = Math.max(off, Math.abs(start[1] - crane.jib.getPosition()[1] + 0.32));
  });
  // The hoist shortens the rope by 23 mm a step, and the rope follows in that step.
  expect(gap).toBeLessThan(0.05);
  expect(off, 'the trolley keeps to its track').toBeLessThan(0.01);
  run(6, () => aim(crane, [x, z], 1.9));
  crane.release();
  run(4, () => aim(crane, [x, z], 4));
  const [u, v, w] = crate.getPosition();
  const [bx, by, bz] = barge.getPosition();
  expect(Math.abs(u - bx)).toBeLessThan(BARGE[0]);
  expect(Math.abs(w - bz)).toBeLessThan(BARGE[2]);
  expect(v - by).toBeCloseTo(BARGE[1] + CRATE, 1);
  expect(crane.load).toBe(null);
  expect(world.findFault()).toBe(0);
});

test('the crane takes nothing that is out of reach, and only one crate at a time', () => {
  const site = build();
  const { harbour, run } = site;
  run(1);
  expect(harbour.crane.grab(harbour.crates, CRATE)).toBe(false);
  fetchCrate(site, harbour.crates[4]!);
  expect(harbour.crane.grab(harbour.crates, CRATE)).toBe(false);
});

test('driven against all its ends, the crane stays whole, and stops when nobody drives', () => {
  const { world, harbour, run } = build();
  const { crane } = harbour;
  for (const way of [1, -1]) {
    run(8, () => crane.drive({ slew: way, trolley: way, hoist: -way }, DT));
    const [jx, , jz] = crane.jib.getPosition();
    const [tx, , tz] = crane.trolley.getPosition();
    expect(Math.hypot(tx - jx, tz - jz)).toBeCloseTo(way > 0 ? 11 : 2.8, 1);
    expect(crane.length).toBeCloseTo(way > 0 ? 7.6 : 0.8, 3);
    expect(Math.hypot(...crane.jib.getAngularVelocity())).toBeCloseTo(0.3, 2);
  }
  run(30, () => crane.drive({ slew: 0, trolley: 0, hoist: 0 }, DT));
  expect(Math.hypot(...crane.jib.getAngularVelocity())).toBeLessThan(0.002);
  expect(Math.hypot(...crane.hook.getLinearVelocity())).toBeLessThan(0.3);
  expect(world.findFault()).toBe(0);
});
