// Rollback: a state goes into a slot and comes back whole, in whatever state the world is meanwhile.
import { describe, expect, test } from 'vitest';
import { pileMixed } from '../../demo/scenes/pile-mixed';
import { World, WorldSlot } from '../../src';
import {
  COLOR_COUNT,
  LIST_NONE,
  LIST_SENSOR,
  LIST_SOLVED,
  LIST_WAITING,
  PAIR_PARKED,
} from '../../src/core/memory/constants';
import * as layout from '../../src/wasm/core-layout';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';
import { MADE_ANEW } from './derived';

const testTime = ordinaryCoreOnly('it measures time');

const DT = 1 / 60;

/** A little of everything: stack, hull, sensor, kinematic lift, joints, sleepers. */
function build(world: World) {
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  world.createBody({ type: 'static', position: [3, 1, 0], shape: { type: 'box', halfExtents: [1, 1, 1] } });
  world.createBody({
    type: 'static',
    position: [0, 1, 0],
    shape: { type: 'sphere', radius: 1.5, sensor: true },
  });
  const bodies = [];
  for (let i = 0; i < 40; i++)
    bodies.push(
      world.createBody({
        mass: 1 + i,
        position: [(i % 4) * 0.9, 0.6 + Math.floor(i / 4) * 1.05, (i % 3) * 0.4],
        shape:
          i % 5 === 0
            ? { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.6, 0.6, 0.6] }
            : i % 5 === 1
              ? { type: 'capsule', radius: 0.3, halfHeight: 0.3, axis: 'x', rollingFriction: 0.1 }
              : { type: 'box', halfExtents: [0.4, 0.4, 0.4], restitution: i % 2 ? 0.5 : 0 },
      }),
    );
  const lift = world.createBody({
    type: 'kinematic',
    position: [-2, 0.2, 0],
    shape: { type: 'box', halfExtents: [1, 0.2, 1] },
  });
  for (let i = 0; i < 6; i++)
    world.createJoint({
      type: 'hinge',
      bodyA: bodies[i]!,
      bodyB: bodies[i + 1]!,
      anchor: [0, 5, 0],
      collideConnected: true,
    });
  return { bodies, lift };
}

/** Tables as they are in memory, words that a step makes anew left out. */
function tables(world: World): Record<string, Int32Array> {
  const { instance } = world;
  const copy = (table: 'bodies' | 'shapes' | 'poses' | 'joints', size: number, count: number) =>
    instance.words.slice(instance.table(table), instance.table(table) + (size >> 2) * count);
  world.sync();
  return {
    bodies: copy('bodies', layout.Body.SIZE, instance.get('bodyEnd')),
    poses: copy('poses', layout.BodyPose.SIZE, instance.get('bodyEnd')),
    shapes: copy('shapes', layout.Shape.SIZE, instance.get('shapeEnd')),
    pairs: pairWords(world),
    manifolds: manifoldWords(world),
    trees: treeWords(world),
  };
}

/** Pairs; waiting and sleeping ones have a place of their own in each world, the others no use for some words. */
function pairWords(world: World): Int32Array {
  const { words } = world.instance;
  const { Pair, WaitingPair } = layout;
  const out: number[] = [];
  for (let i = 0; i < world.instance.get('pairEnd'); i++) {
    const at = (world.instance.get('pairs') + i * Pair.SIZE) >>> 2;
    const pair = words.slice(at, at + Pair.SIZE / 4);
    const list = pair[Pair.list / 4]!;
    const place = pair[Pair.index / 4]!;
    if (list !== LIST_SOLVED) pair[Pair.color / 4] = 0;
    if (list !== LIST_SENSOR) pair.fill(0, Pair.travel / 4, Pair.travel / 4 + 2);
    if (list === LIST_WAITING || (list === LIST_NONE && pair[0]! > 0)) pair[Pair.index / 4] = 0;
    out.push(...pair);
    if (list !== LIST_WAITING) continue;
    const row = (world.instance.get('waiting') + place * WaitingPair.SIZE) >>> 2;
    out.push(...words.subarray(row, row + WaitingPair.SIZE / 4));
  }
  return Int32Array.from(out);
}

/** Lanes and points in use, of blocks and of what sleeps by its pair, all words that last. */
function manifoldWords(world: World): Int32Array {
  const { words } = world.instance;
  const { BlockMeta, Color, ContactBlock, ContactPointWide, Pair, PointMeta } = layout;
  const block = ContactBlock.points + 4 * ContactPointWide.SIZE;
  const meta = BlockMeta.points + 4 * PointMeta.SIZE;
  const out: number[] = [];
  const fields = (record: string, table: Record<string, number>) =>
    Object.entries(table).filter(
      ([name]) =>
        name !== 'SIZE' &&
        name !== 'points' &&
        (MADE_ANEW[record]![name] ?? 'setPairWords').startsWith('setPairWords'),
    );
  const ofBlock = fields('ContactBlock', ContactBlock).filter(([, offset]) => offset >= 16);
  const ofMeta = fields('BlockMeta', BlockMeta).filter(([, offset]) => offset >= 16);
  const ofPoint = fields('ContactPointWide', ContactPointWide);
  const ofPointMeta = fields('PointMeta', PointMeta);
  /** `word`: of a lane, by its place in a block, and behind it in its meta. */
  const lane = (word: (offset: number) => number, asleep: boolean) => {
    for (const [, offset] of ofBlock) out.push(word(offset));
    const points = word(block + BlockMeta.pointCount);
    // Of features, too, those of points that are there.
    for (const [name, offset] of ofMeta)
      if (!(/^features/.test(name) && Number(name.slice(8)) >= points)) out.push(word(block + offset));
    for (let i = 0; i < points; i++) {
      for (const [name, offset] of ofPoint)
        if (!(asleep && name === 'totalImpulse'))
          out.push(word(ContactBlock.points + i * ContactPointWide.SIZE + offset));
      for (const [, offset] of ofPointMeta)
        out.push(word(block + BlockMeta.points + i * PointMeta.SIZE + offset));
    }
  };
  for (let k = 0; k < COLOR_COUNT; k++) {
    const color = (world.instance.get('colors') + k * Color.SIZE) >>> 2;
    for (let i = 0; i < words[color + Color.count / 4]!; i++) {
      const blockAt = (words[color + Color.blocks / 4]! + i * block) >>> 2;
      const metaAt = (words[color + Color.meta / 4]! + i * meta) >>> 2;
      out.push(...words.subarray(blockAt, blockAt + 4), words[metaAt]!);
      for (let n = 0; n < 4; n++)
        if (words[metaAt + BlockMeta.pair / 4 + n]! >= 0)
          lane((at) => words[(at < block ? blockAt + at / 4 : metaAt + (at - block) / 4) + n]!, false);
    }
  }
  const first = ContactBlock.bodyA;
  const parkedWords = (block - first + meta - BlockMeta.pair) / 16;
  const size = ((parkedWords + 1) * 4 + 15) & ~15;
  for (let i = 0; i < world.instance.get('pairEnd'); i++) {
    const at = (world.instance.get('pairs') + i * Pair.SIZE) >>> 2;
    if (words[at]! <= 0 || !(words[at + Pair.flags / 4]! & PAIR_PARKED)) continue;
    const parked = (world.instance.get('parked') + words[at + Pair.index / 4]! * size) >>> 2;
    lane((o) => words[parked + (o < block ? o - first : o - BlockMeta.pair - first) / 16]!, true);
  }
  return Int32Array.from(out);
}

function treeWords(world: World): Int32Array {
  const { instance } = world;
  const words: number[] = [];
  for (let t = 0; t < 2; t++) {
    const tree = (instance.get('trees') + t * layout.Tree.SIZE) >>> 2;
    const nodes = instance.words[tree + (layout.Tree.nodes >> 2)]! >>> 2;
    const count = instance.words[tree + (layout.Tree.nodeEnd >> 2)]!;
    for (let i = 1; i < count; i++) {
      const at = nodes + (i * layout.TreeNode.SIZE) / 4;
      const children = instance.words.subarray(
        at + (layout.TreeNode.child >> 2),
        at + (layout.TreeNode.child >> 2) + 4,
      );
      for (let lane = 0; lane < 4; lane++) {
        words.push(children[lane]!);
        // Bounds of an empty lane are of no meaning.
        for (let k = 0; k < 6; k++) words.push(children[lane] === 0 ? 0 : instance.words[at + 4 * k + lane]!);
      }
    }
  }
  return Int32Array.from(words);
}

test('what a snapshot leaves out comes back word for word: bodies, poses, shapes, pairs, manifolds, trees', () => {
  const world = new World();
  const { bodies, lift } = build(world);
  for (let i = 0; i < 400; i++) {
    if (i === 30) bodies[3]!.remove();
    if (i === 60) bodies[9]!.setMass(3);
    if (i === 61) bodies[10]!.updateMassProps();
    if (i > 100 && i < 200) lift.setKinematicTarget([-2, 0.2 + (i - 100) * 0.01, 0], [0, 0, 0, 1]);
    world.step(DT);
    if (i % 57 !== 0) continue;
    const before = tables(world);
    const contacts = JSON.stringify(world.getContacts().map(({ points, normal }) => [points, normal]));
    const other = World.restore(world.snapshot());
    expect(tables(other), `step ${i}`).toEqual(before);
    expect(JSON.stringify(other.getContacts().map(({ points, normal }) => [points, normal]))).toBe(contacts);
    expect(other.overlappingPairs()).toEqual(other.overlappingPairs(true));
    other.dispose();
  }
});

test('a slot brings back bodies, ids, joints and settings that came and went meanwhile', () => {
  const world = new World({ events: ['contactBegin', 'contactEnd'] });
  const { bodies } = build(world);
  for (let i = 0; i < 50; i++) world.step(DT);
  const slot = world.save();
  const hash = world.stateHash();
  const goOn = () => {
    const seen: string[] = [];
    for (let i = 0; i < 40; i++) {
      if (i === 5) bodies[2]!.remove();
      if (i === 6) world.createBody({ mass: 2, position: [0, 9, 0], shape: { type: 'sphere', radius: 0.4 } });
      if (i === 9) world.updateSettings({ substeps: 3 });
      if (i === 12) bodies[4]!.applyForce([0, 300, 0]);
      world.step(DT);
      seen.push(`${world.stateHash()} ${[...world.events()].map((e) => `${e.type}`).join()}`);
    }
    return seen;
  };
  const truth = goOn();
  expect(bodies[2]!.isRemoved).toBe(true);
  for (let k = 0; k < 3; k++) {
    world.restore(slot);
    expect(world.stateHash()).toBe(hash);
    expect(bodies[2]!.isRemoved).toBe(false);
    expect([...world.events()]).toEqual([]);
    expect(goOn()).toEqual(truth);
  }
});

test('forces that wait for the next step are part of a slot', () => {
  const world = new World();
  const body = world.createBody({ mass: 1, position: [0, 5, 0], shape: { type: 'sphere', radius: 0.5 } });
  body.applyForce([0, 100, 0]);
  const slot = world.save();
  world.step(DT);
  const truth = world.stateHash();
  world.restore(slot);
  world.step(DT);
  expect(world.stateHash()).toBe(truth);
  world.step(DT);
  const later = world.stateHash();
  world.restore(slot);
  world.step(DT);
  world.step(DT);
  expect(world.stateHash()).toBe(later);
});

test('slots are of one world, and are refused elsewhere', () => {
  const world = new World();
  build(world);
  const slot = world.save();
  const other = new World();
  expect(() => other.restore(slot)).toThrow(expect.objectContaining({ code: 'foreign-id' }));
  expect(() => world.restore(new WorldSlot())).toThrow(expect.objectContaining({ code: 'foreign-id' }));
  expect(() => world.save('slot' as never)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
});

describe('a pile of 1,000 bodies', () => {
  const world = new World({ sleeping: false });
  pileMixed.build(world);
  for (let i = 0; i < 300; i++) world.step(DT);

  testTime('takes 600 bytes per body and a few milliseconds', () => {
    const slot = world.save();
    const figures = { save: Infinity, restore: Infinity };
    for (let i = 0; i < 30 || (i < 1000 && (figures.save >= 5 || figures.restore >= 10)); i++) {
      const start = performance.now();
      world.save(slot);
      const saved = performance.now();
      world.restore(slot);
      figures.restore = Math.min(figures.restore, performance.now() - saved);
      figures.save = Math.min(figures.save, saved - start);
    }
    const bytes = world.snapshot().length / 1000;
    console.log(
      `${bytes.toFixed(0)} bytes per body (target 600), save ${figures.save.toFixed(2)} ms (1), restore ${figures.restore.toFixed(2)} ms (5)`,
    );
    expect(bytes).toBeLessThan(600);
    expect(figures.save).toBeLessThan(5); // targets 1 and 5 ms; other work shares the machine
    expect(figures.restore).toBeLessThan(10);
  });
});
