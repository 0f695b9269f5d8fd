// The broad phase and the queries against brute force: in every step of a random life of 2,000 shapes the
// pair set equals all-pairs, the trees' bounds are exact, and rays and boxes find what a loop finds.
import { beforeAll, describe, expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { compileCoreEntry } from '../../scripts/compile-core-entry.mjs';

const SEED = 20240607;
const STATIC = 0;
const KINEMATIC = 1;
const DYNAMIC = 2;
const SPHERE = 0;
const PLANE = 8;
const SENSOR = 2;
const CLOSEST = 0;
const ANY = 1;
const ALL = 2;

/** A sphere only, in closed form: this test is about which shapes are asked. */
const SPHERE_RAY = `
import { Shape } from '../memory/records';
import { Path } from '../memory/values';
import { dot, sub, scale, addScaled } from '../math/vector';
/** @value */
export class RayLimit { maxFraction: f32; flags: i32; }
export function rayShape(s: Shape, path: Path, limit: RayLimit, outAddress: usize): f32 {
  const from = path.from;
  const delta = path.delta;
  if (s.type != 0) return 2;
  const m = sub(from, s.position);
  const a = dot(delta, delta);
  const b = dot(m, delta);
  if (dot(m, m) < s.param0 * s.param0) return 0;
  const nearest = addScaled(m, delta, -b / a);
  const d = s.param0 * s.param0 - dot(nearest, nearest);
  if (!(d >= 0) || b > 0) return 2;
  const t = -b / a - sqrt<f32>(d / a);
  if (t > limit.maxFraction) return 2;
  v128.store(outAddress, scale(addScaled(m, delta, t), <f32>1 / s.param0));
  return t;
}`;

interface Core {
  begin(capacity: number, maxPairs: number): void;
  output(): number;
  newPairs(): number;
  newPairCount(): number;
  commands(): number;
  movedCount(): number;
  setPairFilterEnabled(enabled: number): void;
  addShape(
    slot: number,
    type: number,
    bodyType: number,
    flags: number,
    tree: number,
    x: number,
    y: number,
    z: number,
    size: number,
    margin: number,
    group: number,
    mask: number,
  ): void;
  setDynamicBody(slot: number, body: number): void;
  moveShape(slot: number, x: number, y: number, z: number, margin: number): number;
  changeTree(slot: number, tree: number): void;
  removeShape(slot: number): void;
  removePartedPairs(): void;
  storeNewPairs(): void;
  findOverlappingPairs(): void;
  rebuildTrees(): void;
  allPairsBrute(): number;
  currentPairs(): number;
  overlapAabb(
    minX: number,
    minY: number,
    minZ: number,
    maxX: number,
    maxY: number,
    maxZ: number,
    group: number,
    mask: number,
  ): number;
  rayTest(
    mode: number,
    fx: number,
    fy: number,
    fz: number,
    tx: number,
    ty: number,
    tz: number,
    group: number,
    mask: number,
    skip: number,
    flags: number,
    maxHits: number,
  ): number;
  rayTestBatch(
    address: number,
    count: number,
    group: number,
    mask: number,
    skip: number,
    flags: number,
  ): number;
  checkTree(tree: number): number;
  treeNodes(tree: number): number;
  treeDepth(tree: number): number;
  treeCost(tree: number): number;
  fly(count: number, half: number): number;
  setVelocity(slot: number, x: number, y: number, z: number): void;
  updateMoved(margin: number): void;
}

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let a = seed | 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

let module: WebAssembly.Module;
let memory: WebAssembly.Memory;
let asked: [number, number][] = [];

beforeAll(async () => {
  module = new WebAssembly.Module(
    await compileCoreEntry('test/core/broadphaseEntry.ts', { 'src/core/narrowphase/ray.ts': SPHERE_RAY }),
  );
});

function newCore(capacity: number, maxPairs: number): Core {
  memory = new WebAssembly.Memory({ initial: 16 });
  asked = [];
  const instance = new WebAssembly.Instance(module, {
    env: {
      memory,
      pairFilter: (a: number, b: number) => {
        asked.push([a, b]);
        return (a + b) % 3 === 0 ? 0 : 1;
      },
      abort: () => {},
    },
  });
  const core = instance.exports as unknown as Core;
  core.begin(capacity, maxPairs);
  return core;
}

const words = (address: number, count: number) => [...new Uint32Array(memory.buffer, address, count)];
function bruteList(core: Core): number[] {
  const count = core.allPairsBrute();
  return words(core.output(), 2 * count);
}
function currentList(core: Core): number[] {
  const count = core.currentPairs();
  return words(core.output(), 2 * count);
}
function newList(core: Core): number[] {
  return words(core.newPairs(), 2 * core.newPairCount());
}

function expectSorted(pairs: number[]): void {
  for (let i = 2; i < pairs.length; i += 2) {
    const before = pairs[i - 2]! * 2 ** 18 + pairs[i - 1]!;
    expect(pairs[i]! * 2 ** 18 + pairs[i + 1]!).toBeGreaterThan(before);
  }
}

/** One step of what the engine does: parted pairs go, new ones come. */
function settle(core: Core): void {
  core.removePartedPairs();
  core.findOverlappingPairs();
  expectSorted(newList(core));
  core.storeNewPairs();
}

describe('broad phase', () => {
  test(`2,000 shapes that come, move, fall asleep and go have exactly the pairs of all-pairs (seed ${SEED})`, () => {
    const core = newCore(2100, 1 << 17);
    const random = randomFrom(SEED);
    const coordinate = () => (random() - 0.5) * 40;
    const alive: number[] = [];
    const free: number[] = [];
    for (let slot = 2000; slot > 0; slot--) free.push(slot);
    const trees = new Map<number, number>();
    const types = new Map<number, number>();

    const add = () => {
      const slot = free.pop()!;
      const kind = random();
      const type = kind < 0.02 ? PLANE : SPHERE;
      const bodyType = type === PLANE || kind < 0.3 ? STATIC : kind < 0.4 ? KINEMATIC : DYNAMIC;
      const sensor = random() < 0.1 ? SENSOR : 0;
      const tree = bodyType === STATIC ? 1 : 0;
      const size = random() < 0.02 ? 6 : 0.2 + random();
      const group = 1 << Math.floor(random() * 3);
      const mask = random() < 0.7 ? -1 : 1 << Math.floor(random() * 3);
      // One in fifty is almost as far as f32 goes: costs must not become NaN.
      const far = random() < 0.02 ? 1e20 : 1;
      core.addShape(
        slot,
        type,
        bodyType,
        sensor,
        tree,
        coordinate() * far,
        coordinate(),
        coordinate(),
        size,
        0.1,
        group,
        mask,
      );
      // Some dynamic bodies have many shapes, which never pair with each other.
      if (random() < 0.1) core.setDynamicBody(slot, 2001 + Math.floor(random() * 20));
      alive.push(slot);
      trees.set(slot, tree);
      types.set(slot, type);
    };
    const remove = () => {
      const i = Math.floor(random() * alive.length);
      const slot = alive[i]!;
      alive[i] = alive[alive.length - 1]!;
      alive.pop();
      core.removeShape(slot);
      free.push(slot);
    };

    for (let step = 0; step < 120; step++) {
      if (step < 40) for (let i = 0; i < 50; i++) add();
      else if (step < 80) {
        for (let i = 0; i < 20; i++) remove();
        for (let i = 0; i < 20; i++) add();
      } else for (let i = 0; i < 48; i++) remove();
      // Most stay where they are; some move a little, a few are thrown across the world.
      const movers = Math.floor(alive.length * (step % 10 === 0 ? 0.9 : 0.15));
      for (let i = 0; i < movers; i++) {
        const slot = alive[Math.floor(random() * alive.length)]!;
        if (types.get(slot) === PLANE && random() < 0.9) continue;
        core.moveShape(slot, coordinate(), coordinate(), coordinate(), random() * 0.3);
      }
      for (let i = 0; i < alive.length / 20; i++) {
        const slot = alive[Math.floor(random() * alive.length)]!;
        const tree = 1 - trees.get(slot)!;
        core.changeTree(slot, tree);
        trees.set(slot, tree);
      }
      if (step === 60) core.rebuildTrees();
      settle(core);
      expect(core.movedCount()).toBe(0);
      expect(core.checkTree(0)).toBe(0);
      expect(core.checkTree(1)).toBe(0);
      expect(currentList(core)).toEqual(bruteList(core));
    }
  });

  test('the same life twice gives the same new pairs and the same trees', () => {
    const life = () => {
      const core = newCore(600, 1 << 15);
      const random = randomFrom(7);
      const log: number[] = [];
      for (let slot = 1; slot < 500; slot++)
        core.addShape(
          slot,
          SPHERE,
          DYNAMIC,
          0,
          0,
          random() * 20,
          random() * 20,
          random() * 20,
          0.5,
          0.1,
          1,
          -1,
        );
      for (let step = 0; step < 30; step++) {
        for (let slot = 1; slot < 500; slot++)
          if (random() < 0.3) core.moveShape(slot, random() * 20, random() * 20, random() * 20, 0.1);
        settle(core);
        log.push(core.treeNodes(0), core.treeDepth(0), core.treeCost(0), ...currentList(core));
      }
      return log;
    };
    expect(life()).toEqual(life());
  });

  test('a sorted row of shapes does not make a deep tree, neither at once nor one by one', () => {
    const atOnce = newCore(20001, 1 << 16);
    for (let slot = 1; slot <= 20000; slot++)
      atOnce.addShape(slot, SPHERE, STATIC, 0, 1, slot * 1.5, 0, 0, 0.5, 0.01, 1, -1);
    atOnce.findOverlappingPairs();
    expect(atOnce.newPairCount()).toBe(0);
    expect(atOnce.checkTree(1)).toBe(0);
    expect(atOnce.treeDepth(1)).toBeLessThan(12);
    const oneByOne = newCore(5001, 1 << 16);
    for (let slot = 1; slot <= 5000; slot++) {
      oneByOne.addShape(slot, SPHERE, STATIC, 0, 1, slot * 1.5, 0, 0, 0.5, 0.01, 1, -1);
      expect(oneByOne.rayTest(CLOSEST, slot * 1.5, 2, 0, slot * 1.5, -2, 0, 1, -1, 0, 0, 0)).toBe(1);
      if (slot % 500 === 0) expect(oneByOne.checkTree(1)).toBe(0);
    }
    expect(oneByOne.treeDepth(1)).toBeLessThan(32);
  });

  test('identical boxes in one place are kept apart by number', () => {
    const core = newCore(401, 1 << 17);
    for (let slot = 1; slot <= 400; slot++)
      core.addShape(slot, SPHERE, DYNAMIC, 0, 0, 1, 2, 3, 0.5, 0.1, 1, -1);
    settle(core);
    expect(core.newPairCount()).toBe((400 * 399) / 2);
    expect(core.treeDepth(0)).toBeLessThan(14);
    for (let slot = 1; slot <= 400; slot++) core.removeShape(slot);
    expect(currentList(core)).toEqual([]);
    expect(core.checkTree(0)).toBe(0);
  });

  test('the pair filter is asked in sorted order, and what it refuses is no pair', () => {
    const core = newCore(301, 1 << 15);
    const random = randomFrom(3);
    core.setPairFilterEnabled(1);
    for (let slot = 1; slot <= 300; slot++)
      core.addShape(slot, SPHERE, DYNAMIC, 0, 0, random() * 8, random() * 8, random() * 8, 0.6, 0.1, 1, -1);
    settle(core);
    const order = asked.map(([a, b]) => a * 1000 + b);
    expect(order.length).toBeGreaterThan(300);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(currentList(core)).toEqual(bruteList(core));
    expect(currentList(core).some((_, i, all) => i % 2 === 0 && (all[i]! + all[i + 1]!) % 3 === 0)).toBe(
      false,
    );
  });

  test('sensors hear of what moves, other pairs without a dynamic body are none', () => {
    const core = newCore(20, 256);
    const at = (slot: number, bodyType: number, flags: number) =>
      core.addShape(slot, SPHERE, bodyType, flags, bodyType === STATIC ? 1 : 0, 0, 0, 0, 1, 0.1, 1, -1);
    at(1, STATIC, 0);
    at(2, STATIC, SENSOR);
    at(3, KINEMATIC, 0);
    at(4, KINEMATIC, SENSOR);
    settle(core);
    // 1 and 2 are both fixed: the ground is not reported to a static sensor.
    expect(currentList(core)).toEqual([1, 4, 2, 3, 2, 4, 3, 4]);
  });
});

interface Ball {
  slot: number;
  x: number;
  y: number;
  z: number;
  r: number;
  group: number;
}

function ballScene(core: Core, count: number, seed: number): { balls: Ball[]; random: () => number } {
  const random = randomFrom(seed);
  const balls: Ball[] = [];
  for (let slot = 1; slot <= count; slot++) {
    const ball = {
      slot,
      x: Math.fround((random() - 0.5) * 20),
      y: Math.fround((random() - 0.5) * 20),
      z: Math.fround((random() - 0.5) * 20),
      r: Math.fround(0.1 + random()),
      group: 1 << (slot % 3),
    };
    balls.push(ball);
    core.addShape(slot, SPHERE, DYNAMIC, 0, slot % 2, ball.x, ball.y, ball.z, ball.r, 0.05, ball.group, -1);
  }
  core.findOverlappingPairs();
  return { balls, random };
}

/** Fraction at which the segment enters the ball, in double precision; also how near a miss or graze it is. */
function rayBall(b: Ball, f: number[], t: number[]): { fraction: number; certain: boolean } {
  const d = [t[0]! - f[0]!, t[1]! - f[1]!, t[2]! - f[2]!];
  const m = [f[0]! - b.x, f[1]! - b.y, f[2]! - b.z];
  const dot = (u: number[], v: number[]) => u[0]! * v[0]! + u[1]! * v[1]! + u[2]! * v[2]!;
  const aa = dot(d, d);
  const bb = dot(m, d);
  const cc = dot(m, m) - b.r * b.r;
  const disc = bb * bb - aa * cc;
  if (cc < 0) return { fraction: 0, certain: cc < -1e-3 };
  if (disc < 0 || bb > 0) return { fraction: 2, certain: cc > 1e-3 && Math.abs(disc) > 1e-2 * aa };
  const fraction = (-bb - Math.sqrt(disc)) / aa;
  return {
    fraction: fraction > 1 ? 2 : fraction,
    certain: disc > 1e-2 * aa && Math.abs(fraction - 1) > 1e-3 && cc > 1e-3,
  };
}

describe('queries', () => {
  test(`rays hit what a loop over all shapes hits, closest, any, all and in a batch (seed ${SEED})`, () => {
    const core = newCore(400, 1 << 16);
    const { balls, random } = ballScene(core, 300, SEED);
    const rays: { f: number[]; t: number[]; group: number; mask: number; fraction: number; slot: number }[] =
      [];
    let compared = 0;
    for (let i = 0; i < 3000; i++) {
      const point = () => [0, 1, 2].map(() => Math.fround((random() - 0.5) * 30));
      const f = point();
      const t = point();
      // Also along the axes and of no length.
      if (i % 5 === 0) t[i % 3] = f[i % 3]!;
      if (i % 10 === 0) t[(i + 1) % 3] = f[(i + 1) % 3]!;
      if (i % 100 === 7) t.splice(0, 3, ...f);
      const group = 1;
      const mask = i % 4 === 0 ? 1 << (i % 3) : -1;
      const expected = balls
        .filter((b) => (b.group & mask) !== 0)
        .map((b) => ({ slot: b.slot, ...rayBall(b, f, t) }));
      const hitsExpected = expected.filter((e) => e.fraction <= 1).sort((a, b) => a.fraction - b.fraction);
      const all = core.rayTest(ALL, f[0]!, f[1]!, f[2]!, t[0]!, t[1]!, t[2]!, group, mask, 0, 0, 0);
      const floats = new Float32Array(memory.buffer, core.output(), all * 10);
      const slots = words(core.output(), all * 10).filter((_, k) => k % 10 === 0);
      const fractions = slots.map((_, k) => floats[10 * k + 2]!);
      for (let k = 1; k < all; k++) {
        expect(fractions[k]!).toBeGreaterThanOrEqual(fractions[k - 1]!);
        if (fractions[k] === fractions[k - 1]) expect(slots[k]!).toBeGreaterThan(slots[k - 1]!);
      }
      const first = { slot: slots[0] ?? 0, fraction: fractions[0] ?? 2 };
      rays.push({ f, t, group, mask, ...first });
      if (expected.every((e) => e.certain) && i % 100 !== 7) {
        compared++;
        expect([...slots].sort((a, b) => a - b)).toEqual(
          hitsExpected.map((e) => e.slot).sort((a, b) => a - b),
        );
        if (all > 0) expect(first.fraction).toBeCloseTo(hitsExpected[0]!.fraction, 4);
      }
      const closest = core.rayTest(CLOSEST, f[0]!, f[1]!, f[2]!, t[0]!, t[1]!, t[2]!, group, mask, 0, 0, 0);
      expect(closest).toBe(all > 0 ? 1 : 0);
      if (closest) {
        expect(words(core.output(), 1)[0]).toBe(first.slot);
        expect(new Float32Array(memory.buffer, core.output(), 3)[2]).toBe(first.fraction);
      }
      const any = core.rayTest(ANY, f[0]!, f[1]!, f[2]!, t[0]!, t[1]!, t[2]!, group, mask, 0, 0, 0);
      expect(any).toBe(all > 0 ? 1 : 0);
      if (any) expect(slots).toContain(words(core.output(), 1)[0]);
      if (all > 2) {
        expect(core.rayTest(ALL, f[0]!, f[1]!, f[2]!, t[0]!, t[1]!, t[2]!, group, mask, 0, 0, 2)).toBe(2);
        expect(words(core.output(), 1)[0]).toBe(first.slot);
      }
    }
    expect(compared).toBeGreaterThan(400);

    const count = 200; // the stand-in's command area is small
    const address = core.commands();
    let asked = 0;
    for (const mask of new Set(rays.map((ray) => ray.mask))) {
      // A ray without a direction is given one by a batch.
      const alike = rays.filter((ray) => ray.mask === mask && ray.f.some((v, k) => v !== ray.t[k]));
      const some = alike.slice(0, count);
      asked += some.length;
      some.forEach(({ f, t }, i) => {
        new Float32Array(memory.buffer, address + 24 * i, 6).set([...f, ...t]);
      });
      const n = some.length;
      expect(core.rayTestBatch(address, n, 1, mask, 0, 0)).toBe(n);
      const floats = new Float32Array(memory.buffer, core.output() + 40, 10 * n);
      const shapes = new Uint32Array(memory.buffer, core.output() + 40 + 4 * n, n);
      some.forEach(({ f, t, fraction, slot }, i) => {
        expect(shapes[i]).toBe(slot);
        expect(floats[2 * n + i]).toBe(Math.min(1, fraction));
        for (let k = 0; k < 3 && fraction > 1; k++)
          expect(floats[4 * n + 3 * i + k]).toBe(Math.fround(t[k]!));
        const normal = [0, 1, 2].map((k) => floats[7 * n + 3 * i + k]!);
        const along = normal.reduce((sum, v, k) => sum + v * (t[k]! - f[k]!), 0);
        if (fraction > 0 && fraction <= 1) expect(along).toBeLessThan(1e-5);
        expect(Math.hypot(...normal)).toBeCloseTo(fraction > 1 ? 0 : 1, 5);
      });
    }
    expect(asked).toBeGreaterThan(400);
  });

  test('a ray through 5,000 shapes in a row loses none of them', () => {
    const core = newCore(5001, 1 << 16);
    for (let slot = 1; slot <= 5000; slot++)
      core.addShape(slot, SPHERE, STATIC, 0, 1, (5001 - slot) * 2, 0, 0, 0.5, 0.05, 1, -1);
    expect(core.rayTest(ALL, 0, 0, 0, 10010, 0, 0, 1, -1, 0, 0, 0)).toBe(5000);
    const slots = words(core.output(), 50000).filter((_, k) => k % 10 === 0);
    expect(slots).toEqual(slots.map((_, k) => 5000 - k));
  });

  test(`a box finds the shapes whose own bounds touch it (seed ${SEED})`, () => {
    const core = newCore(1100, 1 << 16);
    const { balls, random } = ballScene(core, 1000, SEED);
    for (let i = 0; i < 500; i++) {
      const low = [0, 1, 2].map(() => Math.fround((random() - 0.5) * 22));
      const high = low.map((v) => Math.fround(v + random() ** 3 * 12));
      const mask = i % 4 === 0 ? 1 << (i % 3) : -1;
      const f = Math.fround;
      const expected = balls
        .filter(
          (b) =>
            (b.group & mask) !== 0 &&
            [b.x, b.y, b.z].every((c, k) => f(c - b.r) <= high[k]! && f(c + b.r) >= low[k]!),
        )
        .map((b) => b.slot);
      const count = core.overlapAabb(low[0]!, low[1]!, low[2]!, high[0]!, high[1]!, high[2]!, 1, mask);
      expect(words(core.output(), count)).toEqual(expected);
    }
  });
});

describe('cost', () => {
  /** 5,000 spheres of radius 0.5 in a box of 86 m that fly at up to 2 m/s: 14 % leave their fat box per step. */
  test('5,000 flying spheres', () => {
    const core = newCore(5001, 1 << 16);
    const random = randomFrom(11);
    const half = 43;
    for (let slot = 1; slot <= 5000; slot++) {
      const at = () => (random() - 0.5) * 2 * half;
      core.addShape(slot, SPHERE, DYNAMIC, 0, 0, at(), at(), at(), 0.5, 0.1, 1, -1);
      const v = () => ((random() - 0.5) * 2 * 1.2) / 60;
      core.setVelocity(slot, v(), v(), v());
    }
    settle(core);
    let updates = 0;
    let finds = 0;
    let left = 0;
    const early: number[] = [];
    const late: number[] = [];
    const steps = 600;
    for (let step = 0; step < steps; step++) {
      left += core.fly(5001, half);
      const t0 = performance.now();
      core.updateMoved(0.1);
      const t1 = performance.now();
      core.removePartedPairs();
      const t2 = performance.now();
      core.findOverlappingPairs();
      const t3 = performance.now();
      core.storeNewPairs();
      updates += t1 - t0;
      finds += t3 - t2;
      (step < 60 ? early : late).push(core.treeCost(0));
    }
    const mean = (list: number[]) => list.reduce((a, b) => a + b, 0) / list.length;
    console.log(
      `5,000 spheres: ${((left / steps / 5000) * 100).toFixed(1)} % leave per step; update ${((updates / steps) * 1000).toFixed(0)} µs, ` +
        `find ${((finds / steps) * 1000).toFixed(0)} µs; cost ${mean(early).toFixed(1)} → ${mean(late).toFixed(1)}, ` +
        `nodes ${core.treeNodes(0)}, depth ${core.treeDepth(0)}`,
    );
    expect(currentList(core)).toEqual(bruteList(core));
    expect(mean(late.slice(-60))).toBeLessThan(1.3 * mean(early));
  });

  /** 1,000 balls in a heap; rays from a sphere around it towards points in it. */
  test('10,000 rays into a pile of 1,000', () => {
    const core = newCore(10001, 1 << 16);
    const random = randomFrom(5);
    for (let slot = 1; slot <= 1000; slot++) {
      const level = Math.floor((slot - 1) / 100);
      const at = () => (random() - 0.5) * 10;
      core.addShape(slot, SPHERE, DYNAMIC, 0, 1, at(), 0.5 + level, at(), 0.5, 0.05, 1, -1);
    }
    core.addShape(1001, PLANE, STATIC, 0, 1, 0, 0, 0, 0, 0, 1, -1);
    core.findOverlappingPairs();
    const address = core.commands();
    for (let i = 0; i < 10000; i++) {
      const a = random() * 6.283;
      const y = random() * 20;
      const ray = new Float32Array(memory.buffer, address + 24 * i, 6);
      ray.set([
        Math.cos(a) * 30,
        y,
        Math.sin(a) * 30,
        (random() - 0.5) * 10,
        random() * 5,
        (random() - 0.5) * 10,
      ]);
    }
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 20; i++) {
      const t0 = performance.now();
      core.rayTestBatch(address, 10000, 1, -1, 0, 0);
      best = Math.min(best, performance.now() - t0);
    }
    const shapes = new Int32Array(memory.buffer, core.output() + 40 + 40000, 10000);
    const hits = shapes.filter((shape) => shape !== 0).length;
    console.log(`10,000 rays: ${best.toFixed(2)} ms, ${hits} hits`);
    expect(hits).toBeGreaterThan(8000);
  });
});
