// What decides the course is in the hash. In: small random worlds, awake and asleep. A bit of each word of their tables is
// flipped: where a snapshot would be another, the hash is another, too. Left out are the trees, which decide nothing.
import { expect, test } from 'vitest';
import { World } from '../../src';
import {
  BODY_USED,
  COLOR_COUNT,
  JOINT_AXIS_COUNT,
  JOINT_USED,
  SHAPE_USED,
} from '../../src/core/memory/constants';
import * as layout from '../../src/wasm/core-layout';
import { randomStep, randomWorld } from '../support/randomWorlds';

const SEEDS = [3, 11, 24, 36];
const STEPS = 90;
const JOINT_BYTES = layout.Joint.axes + JOINT_AXIS_COUNT * layout.JointAxis.SIZE;
const BLOCK_BYTES = layout.ContactBlock.points + 4 * layout.ContactPointWide.SIZE;
const META_BYTES = layout.BlockMeta.points + 4 * layout.PointMeta.SIZE;
const { Body, Shape, Pair } = layout;
/** Lists that whoever writes a snapshot follows, which would not end; and what follows from other words. */
const LEFT_OUT: Record<string, number[]> = {
  bodies: [Body.firstShape],
  shapes: [Shape.next, Shape.body, Shape.geometry, Shape.geometrySlot],
  // Of the shapes.
  pairs: [
    Pair.bodyA,
    Pair.bodyB,
    Pair.friction,
    Pair.restitution,
    Pair.rollingFriction,
    Pair.spinningFriction,
  ],
};

/** Name, address, bytes of a row, rows. */
type Rows = [name: string, address: number, size: number, count: number];

function rowsOf({ instance }: World): Rows[] {
  const word = (at: number) => instance.words[at >>> 2]!;
  const table = (name: Parameters<typeof instance.get>[0], end: typeof name, size: number): Rows => [
    name,
    instance.get(name),
    size,
    instance.get(end),
  ];
  const rows = [
    table('bodies', 'bodyEnd', layout.Body.SIZE),
    table('velocities', 'bodyEnd', layout.BodyVelocity.SIZE),
    table('shapes', 'shapeEnd', layout.Shape.SIZE),
    table('joints', 'jointEnd', JOINT_BYTES),
    table('pairs', 'pairEnd', layout.Pair.SIZE),
    table('waiting', 'waitingCount', layout.WaitingPair.SIZE),
    table('sensors', 'sensorCount', 4),
    table('concaves', 'concaveCount', 4),
    table('parked', 'parkedEnd', PARKED_BYTES),
  ];
  for (let color = 0; color < COLOR_COUNT; color++) {
    const at = instance.get('colors') + color * layout.Color.SIZE;
    const count = word(at + layout.Color.count);
    rows.push(['blocks', word(at + layout.Color.blocks), BLOCK_BYTES, count]);
    rows.push(['meta', word(at + layout.Color.meta), META_BYTES, count]);
  }
  return rows;
}

/** The words of one lane, and a link. */
const PARKED_BYTES =
  ((BLOCK_BYTES - layout.ContactBlock.bodyA + META_BYTES - layout.BlockMeta.pair) / 4 + 4 + 15) & ~15;

/** Rows that hold nothing are zeros in every sound state (test/determinism/sound.test.ts). */
function isFree({ instance }: World, name: string, row: number): boolean {
  const word = (table: Parameters<typeof instance.get>[0], size: number, offset: number) =>
    instance.words[(instance.get(table) + row * size + offset) >>> 2]!;
  if (name === 'bodies' || name === 'velocities')
    return (word('bodies', layout.Body.SIZE, layout.Body.flags) & BODY_USED) === 0;
  if (name === 'shapes') return (word('shapes', layout.Shape.SIZE, layout.Shape.flags) & SHAPE_USED) === 0;
  if (name === 'joints') return (word('joints', JOINT_BYTES, layout.Joint.flags) & JOINT_USED) === 0;
  return name === 'pairs' && word('pairs', layout.Pair.SIZE, layout.Pair.shapeA) <= 0;
}

/** Lanes of a block that hold no pair are zeros, too. */
function isFreeLane(
  { instance }: World,
  name: string,
  address: number,
  row: number,
  offset: number,
): boolean {
  if (name !== 'meta' || offset < layout.BlockMeta.pair) return false;
  return instance.words[(address + row * META_BYTES + layout.BlockMeta.pair + (offset & 12)) >>> 2]! < 0;
}

function flipped(world: World): { told: number; missed: string[] } {
  const { instance } = world;
  world.sync();
  const core = () => Buffer.from(world.snapshotParts().core.buffer).toString('latin1');
  const [bytes, hash] = [core(), world.stateHash()];
  const missed = new Set<string>();
  let told = 0;
  for (const [name, address, size, count] of rowsOf(world))
    for (let row = 0; row < count; row++) {
      if (isFree(world, name, row)) continue;
      for (let offset = 0; offset < size; offset += 4) {
        if (LEFT_OUT[name]?.includes(offset) || isFreeLane(world, name, address, row, offset)) continue;
        const at = (address + row * size + offset) >>> 2;
        const kept = instance.words[at]!;
        instance.words[at] = kept ^ 4;
        try {
          if (world.stateHash() !== hash) told++;
          else if (core() !== bytes) missed.add(`${name} at ${offset}`);
        } catch {
          // The writer stumbled over it: no snapshot.
        }
        instance.refresh();
        instance.words[at] = kept;
      }
    }
  expect(world.stateHash()).toBe(hash);
  return { told, missed: [...missed] };
}

for (const seed of SEEDS)
  test(`random world ${seed}: every word that a snapshot keeps is hashed`, () => {
    const world = randomWorld(seed);
    for (let step = 1; step <= STEPS; step++) randomStep(world, seed, step);
    const { told, missed } = flipped(world);
    console.log(`seed ${seed}: ${told} words change the hash, none of the others a snapshot`);
    expect(missed).toEqual([]);
    expect(told).toBeGreaterThan(1000);
  });

test('boxes at rest with other impulses below them have other hashes, and go on differently', () => {
  const world = new World({ sleeping: false });
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  for (let i = 0; i < 4; i++)
    world.createBody({
      mass: 1,
      position: [0, 0.5 + i, 0],
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
    });
  for (let step = 0; step < 60; step++) world.step(1 / 60);
  const other = World.restore(world.snapshot());
  expect(other.stateHash()).toBe(world.stateHash());
  // What warm starting begins with is another, and nothing else.
  const { instance } = other;
  let changed = 0;
  for (let color = 0; color < COLOR_COUNT; color++) {
    const at = (instance.get('colors') + color * layout.Color.SIZE) >>> 2;
    const blocks = instance.words[at + layout.Color.blocks / 4]!;
    if (instance.words[at + layout.Color.count / 4] === 0) continue;
    const impulse = (blocks + layout.ContactBlock.points + layout.ContactPointWide.impulse) >>> 2;
    instance.floats[impulse] = 2 * instance.floats[impulse]!;
    changed++;
  }
  expect(changed).toBeGreaterThan(0);
  expect(other.digest()).toEqual(world.digest());
  expect(other.stateHash()).not.toBe(world.stateHash());
  world.step(1 / 60);
  other.step(1 / 60);
  expect(other.digest()).not.toEqual(world.digest());
});
