// The demo's game: its levels stand until somebody shoots, can be won with the shots that they give, and are the same
// game for the same shots.
import { describe, expect, test } from 'vitest';
import { aimAt } from '../../demo/siege/aim';
import { MUZZLE, Siege } from '../../demo/siege/game';
import { LEVELS, type Level, type Vec3 } from '../../demo/siege/levels';
import { World } from '../../src';

const DT = 1 / 60;

function run(siege: Siege, seconds: number): void {
  for (let i = 0; i < 60 * seconds && siege.outcome === 'playing'; i++) {
    (siege.world as World).step(DT);
    siege.pass(DT);
  }
}

/** Shoots at what stands: at idols, or `low` m under them, from the left or from the right. */
function play(level: Level, low: number, order: 1 | -1): Siege {
  const siege = new Siege(new World(), level);
  run(siege, 1);
  while (siege.next !== undefined && siege.outcome === 'playing') {
    const places = siege.standing.map(({ body }) => Array.from(body.getPosition()) as Vec3);
    const powder = [...level.pieces].find(({ material }) => material === 'powder');
    const [x, y, z] = places.sort((a, b) => order * (a[0] - b[0]) || b[1] - a[1])[0] ?? [0, 2, 0];
    siege.shoot(low < 0 && siege.fired === 0 && powder ? powder.position : [x, y - Math.max(0, low), z]);
    run(siege, 6.5);
  }
  run(siege, 7);
  return siege;
}

describe('siege', () => {
  test.each(LEVELS)('$title stands for twenty seconds', (level) => {
    const siege = new Siege(new World(), level);
    const bodies = [...siege.world.bodies()];
    const before = bodies.map((body) => Array.from(body.getPosition()));
    for (let i = 0; i < 1200; i++) (siege.world as World).step(DT);
    const moved = bodies.map((body, i) => {
      const [x, y, z] = body.getPosition();
      return Math.hypot(x - before[i]![0]!, y - before[i]![1]!, z - before[i]![2]!);
    });
    expect(Math.max(...moved), String(moved.map((m) => m.toFixed(2)))).toBeLessThan(0.1);
    siege.pass(1);
    expect(siege.outcome).toBe('playing');
    expect(siege.standing.length).toBe(siege.idols.length);
  });

  test.each(LEVELS)('$title can be won', (level) => {
    const tried = [-1, 0, 0.4].flatMap((low) => ([1, -1] as const).map((order) => play(level, low, order)));
    console.log(level.title, tried.map(({ outcome, stars }) => (outcome === 'won' ? stars : '-')).join(' '));
    expect(tried.some(({ outcome }) => outcome === 'won')).toBe(true);
  });

  test('the same shots give the same game', () => {
    const hashes = [0, 1].map(() => (play(LEVELS[4]!, -1, 1).world as World).stateHash());
    expect(hashes[0]).toBe(hashes[1]);
  });

  test('a level that is cleared leaves nothing', () => {
    const world = new World();
    for (const level of LEVELS) {
      const siege = new Siege(world, level);
      siege.shoot([0, 3, 0]);
      run(siege, 2);
      siege.clear();
      world.step(DT);
      expect(world.bodyCount).toBe(0);
    }
  });

  test('a shot passes through the point that it is aimed at', () => {
    for (const point of [
      [0, 3, 0],
      [4, 0.5, -2],
      [-3, 6, 1],
      [0, 1.5, 14],
    ] as Vec3[]) {
      const [vx, vy, vz] = aimAt(MUZZLE, point, 26);
      const t = (point[0] - MUZZLE[0]) / vx || (point[2] - MUZZLE[2]) / vz;
      expect(MUZZLE[1] + vy * t - 4.905 * t * t).toBeCloseTo(point[1], 4);
      expect(MUZZLE[2] + vz * t).toBeCloseTo(point[2], 4);
    }
  });
});
