// Bytes from strangers: snapshots and cooked geometry with forged words and right checksums. Each is refused by a typed
// error, or harmless: 600 steps end within a second each, trap nowhere, make no NaN, and leave a sound state. In: small
// random worlds. FORGED_WORDS=1000000 FORGED_SEED=1 for the long run; see docs/determinism.md.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  cookHeightfield,
  cookHull,
  cookMesh,
  exportCooked,
  importCooked,
  type PhysicsError,
  type RigidBody,
  World,
} from '../../src';
import { checksum } from '../../src/base/checksum';
import { MAX_SLOT } from '../../src/base/ids';
import { HASH_AT, sealContent } from '../../src/cooking/contentHash';
import { COLOR_COUNT } from '../../src/core/memory/constants';
import { WORLD_ADDRESS } from '../../src/core/memory/map';
import type { SnapshotParts } from '../../src/replica/snapshot';
import * as layout from '../../src/wasm/core-layout';
import { Joint, JointAxis } from '../../src/wasm/core-layout';
import { notNumbers } from '../support/numbers';
import { slotsOf } from '../support/randomActors';
import { Chance, FIRST_ACTED, randomStep, randomWorld } from '../support/randomWorlds';

const FORGED = Number(process.env['FORGED_WORDS'] ?? 2000);
const SEED = Number(process.env['FORGED_SEED'] ?? 1);
const STEPS = 600;
const DT = 1 / 60;
/** Words forged of each state. */
const OF_EACH = 100;

const JOINT_BYTES = Joint.axes + 6 * JointAxis.SIZE;
/** Rows whose words are forged before they are written: what no reader of bytes would come upon by chance. */
const TABLES = [
  ['bodies', layout.Body.SIZE, 'bodyEnd'],
  ['velocities', layout.BodyVelocity.SIZE, 'bodyEnd'],
  ['shapes', layout.Shape.SIZE, 'shapeEnd'],
  ['joints', JOINT_BYTES, 'jointEnd'],
  ['pairs', layout.Pair.SIZE, 'pairEnd'],
  ['waiting', layout.WaitingPair.SIZE, 'waitingCount'],
  ['awake', 4, 'awakeCount'],
  ['surfaces', layout.Surface.SIZE, 'surfaceCount'],
  ['areas', layout.Area.SIZE, 'areaCount'],
  ['vehicles', layout.Vehicle.SIZE, 'vehicleCount'],
  ['wheels', layout.Wheel.SIZE, 'wheelCount'],
  ['characters', layout.Character.SIZE, 'characterCount'],
] as const;
const BLOCK_BYTES = layout.ContactBlock.points + 4 * layout.ContactPointWide.SIZE;
const META_BYTES = layout.BlockMeta.points + 4 * layout.PointMeta.SIZE;

/** Where a table begins, bytes of a row, rows. */
type Rows = [name: string, address: number, size: number, count: number];

/** All rows of a state that a word may be forged in. */
function rowsOf({ instance }: World): Rows[] {
  const word = (at: number) => instance.words[at >>> 2]!;
  const rows: Rows[] = TABLES.map(([table, size, end]) => [
    table,
    instance.get(table),
    size,
    instance.get(end),
  ]);
  rows.push(['settings', WORLD_ADDRESS, layout.World.eventMask, 1]);
  for (let tree = 0; tree < 2; tree++) {
    const at = instance.get('trees') + tree * layout.Tree.SIZE;
    const nodes = word(at + layout.Tree.nodes);
    rows.push(['nodes', nodes, layout.TreeNode.SIZE, word(at + layout.Tree.nodeEnd)]);
  }
  for (let color = 0; color < COLOR_COUNT; color++) {
    const at = instance.get('colors') + color * layout.Color.SIZE;
    const count = word(at + layout.Color.count);
    rows.push(['blocks', word(at + layout.Color.blocks), BLOCK_BYTES, count]);
    rows.push(['meta', word(at + layout.Color.meta), META_BYTES, count]);
  }
  return rows.filter(([, , , count]) => count > 0);
}

/** Links that the writer of a snapshot follows itself: forged, it would not end. */
const FOLLOWED = new Set([
  `bodies ${layout.Body.firstShape}`,
  `shapes ${layout.Shape.next}`,
  `shapes ${layout.Shape.body}`,
]);

/** What was forged last, for whoever looks for a reason. */
let lastForged = '';

/** Another word in place of one. */
function forgedWord(chance: Chance, word: number): number {
  switch (chance.below(8)) {
    case 0:
      return word ^ (1 << chance.below(32));
    case 1:
      return word + chance.of([1, -1]);
    case 2:
      return chance.below(2 ** 32) | 0;
    case 3:
      return 0;
    case 4:
      return chance.of([0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xbf800000, 0x80000000]) | 0;
    case 5:
      return chance.below(40);
    case 6:
      return -1;
    default:
      return -word | 0;
  }
}

/** Content with the hash that it must have. */
function sealed(words: Int32Array): Int32Array {
  words.fill(0, HASH_AT, HASH_AT + 2);
  return sealContent(words);
}

interface Outcome {
  refused: number;
  harmless: number;
  slowest: number;
}

/** Restores into a world that held others before, and goes on; what is wrong, or undefined. */
function outcome(world: World, parts: SnapshotParts, told: Outcome, steps = STEPS): string | undefined {
  const before = world.stateHash();
  try {
    world.restoreParts(parts);
  } catch (error) {
    const { name, code } = error as PhysicsError;
    told.refused++;
    if (name !== 'PhysicsError' || !/^(damaged|incompatible)-snapshot$|^out-of-memory$/.test(code))
      return `refused by ${(error as Error).stack}`;
    // An address that no check refused: with another word it would have been one inside the memory.
    if (/out of bounds/.test((error as Error).message)) return `a trap: ${(error as Error).message}`;
    return world.stateHash() === before ? undefined : 'refused, and the world is another';
  }
  try {
    const start = process.cpuUsage();
    for (let i = 0; i < steps; i++) {
      const from = performance.now();
      world.step(DT);
      const took = performance.now() - from;
      told.slowest = Math.max(told.slowest, took);
      if (took < 1000) continue;
      const { user, system } = process.cpuUsage(start); // a busy machine takes its time; and this costs more than a step
      if ((user + system) / 1000 > 1000) return `step ${i} took ${took} ms`;
    }
    const fault = world.findFault();
    if (fault !== 0) return `state is unsound afterwards: ${fault}`;
    const strange = notNumbers(world);
    if (strange.length > 0) return `no numbers: ${strange.slice(0, 5)}`;
    for (const body of world.bodies()) {
      const read = [...body.getPosition(), ...body.getRotation(), ...body.getLinearVelocity()];
      if (!read.every(Number.isFinite)) return 'getters read no numbers';
    }
    told.harmless++;
    return undefined;
  } catch (error) {
    return `failed: ${(error as Error).stack}`;
  }
}

/** A state small enough that 600 steps of it are quick. */
function smallState(seed: number): { world: World; parts: SnapshotParts } {
  const world = randomWorld(seed);
  const chance = new Chance(seed, -9);
  const steps = 1 + chance.below(40);
  for (let i = 1; i <= steps; i++) randomStep(world, seed, i);
  // The ground, and a few: those of actors first, then joined ones, so that both stay.
  const bodies = [...world.bodies()].slice(1);
  const acting = new Set([...slotsOf(world, 'vehicles'), ...slotsOf(world, 'characters')]);
  const acts = ({ id }: RigidBody) => acting.has(id & MAX_SLOT);
  const joined = (body: RigidBody) => [...world.joints()].some((j) => j.bodyA === body || j.bodyB === body);
  const rank = (body: RigidBody) => (acts(body) ? 0 : joined(body) ? 1 : 2);
  const kept = new Set(bodies.sort((a, b) => rank(a) - rank(b)).slice(0, chance.of([1, 1, 1, 2, 3])));
  for (const body of bodies) if (!kept.has(body)) body.remove();
  if (!chance.once(4))
    world.updateSettings({ substeps: chance.of([1, 1, 2, 4]), sleeping: true, deactivationTime: 0.1 });
  for (let i = chance.of([1, 1, 30]); i > 0; i--) world.step(DT);
  return { world, parts: world.snapshotParts() };
}

/** Some words of one of its sections are others. */
function forgedSection(chance: Chance, parts: SnapshotParts): SnapshotParts {
  const forge = (words: Int32Array): Int32Array => {
    const copy = words.slice();
    for (let k = chance.of([1, 1, 2, 4]); k > 0; k--) {
      const at = chance.below(copy.length);
      const kept = copy[at]!;
      copy[at] = forgedWord(chance, kept);
      lastForged += `, word ${at} of ${copy.length}: ${kept} → ${copy[at]}`;
    }
    return copy;
  };
  lastForged = 'a section';
  switch (chance.below(6)) {
    case 0:
      lastForged = 'the registry';
      return { ...parts, replica: forge(parts.replica) };
    case 1:
      return { ...parts, localTime: chance.of([Number.POSITIVE_INFINITY, Number.NaN, -1, 1e300, 2]) };
    case 2:
      if (parts.geometries.length > 0) {
        lastForged = 'geometry';
        const geometries = parts.geometries.map(({ slot, words }) => ({ slot, words: sealed(forge(words)) }));
        return { ...parts, geometries };
      }
      return { ...parts, core: forge(parts.core) };
    default:
      return { ...parts, core: forge(parts.core) };
  }
}

/** A word of a table is another, and the state is written as it is then. */
function forgedTable(chance: Chance, world: World, rows: readonly Rows[]): SnapshotParts | undefined {
  const { instance } = world;
  const [table, address, size, count] = chance.of(rows);
  const offset = 4 * chance.below(size / 4);
  if (FOLLOWED.has(`${table} ${offset}`)) return undefined;
  const at = (address + chance.below(count) * size + offset) >>> 2;
  const kept = instance.words[at]!;
  instance.words[at] = forgedWord(chance, kept);
  lastForged = `${table} at ${offset}: ${kept} → ${instance.words[at]}`;
  try {
    return world.snapshotParts();
  } catch {
    return undefined;
  } finally {
    instance.refresh();
    instance.words[at] = kept;
  }
}

describe('forged words with right checksums', () => {
  test(`${FORGED} in snapshots, from seed ${SEED}: refused or harmless for ${STEPS} steps`, {
    timeout: 24 * 3600_000,
  }, async () => {
    const told: Outcome = { refused: 0, harmless: 0, slowest: 0 };
    const faults: string[] = [];
    for (let i = 0, seed = SEED; i < FORGED; seed++) {
      const { world, parts } = smallState(seed % 2 === 0 ? seed : FIRST_ACTED + seed);
      const rows = rowsOf(world);
      const chance = new Chance(seed, -7);
      let other = new World();
      for (let k = 0; k < OF_EACH && i < FORGED; k++) {
        const forged = chance.once(2) ? forgedTable(chance, world, rows) : forgedSection(chance, parts);
        if (forged === undefined) continue; // the writer itself stumbled
        i++;
        if (process.env['FORGED_TRACE']) console.log(seed, k);
        const fault = outcome(other, forged, told);
        if (fault === undefined) continue;
        faults.push(`seed ${seed}, number ${k} (${lastForged}): ${fault}`);
        console.log(faults.at(-1));
        other = new World();
      }
      other.dispose();
      world.dispose();
      if (FORGED > 1e4 && seed % 100 === 0)
        console.log(JSON.stringify({ seed, words: i, ...told, faults: faults.length }));
      if (FORGED > 1e4) await setImmediate(); // what is printed is seen before the end
    }
    console.log(`forged snapshots: ${JSON.stringify(told)}`);
    expect(faults).toEqual([]);
    expect(told.refused).toBeGreaterThan(FORGED / 10);
    expect(told.harmless).toBeGreaterThan(FORGED / 10);
  });

  test('every word of every record, of free ones too: refused or harmless', { timeout: 600_000 }, () => {
    const told: Outcome = { refused: 0, harmless: 0, slowest: 0 };
    const faults: string[] = [];
    // Bodies of several shapes that touch and are joined; a half of them is gone, so that every table has free records.
    const world = new World({ substeps: 1 });
    world.createBody({
      type: 'static',
      shape: { type: 'box', halfExtents: [9, 1, 9] },
      position: [0, -1, 0],
    });
    const bodies = Array.from({ length: 6 }, (_, i) => {
      const y = 0.3 + 0.62 * Math.floor(i / 2);
      const shape = { type: 'box', halfExtents: [0.3, 0.3, 0.3] } as const;
      const body = world.createBody({ mass: 1, position: [i % 2, y, 0], shape });
      body.addShape({ type: 'sphere', radius: 0.1, position: [0.3, 0, 0] });
      return body;
    });
    for (let i = 0; i < 4; i += 2)
      world.createJoint({ type: 'point', bodyA: bodies[i]!, bodyB: bodies[i + 2]!, anchor: [0, 0.6, 0] });
    for (let i = 0; i < 3; i++) world.step(DT);
    for (const body of bodies.slice(2, 5)) body.remove();
    bodies[0]!.removeShape(bodies[0]!.shapes[1]!);
    world.step(DT);
    const { words } = world.instance;
    const other = new World();
    for (const [table, address, size, count] of rowsOf(world))
      for (let at = address >>> 2; at < (address + size * count) >>> 2; at++) {
        if (FOLLOWED.has(`${table} ${(4 * at - address) % size}`)) continue;
        const kept = words[at]!;
        for (const forged of [-1, 2 ** 12, 2 ** 22]) {
          words[at] = forged;
          let parts: SnapshotParts | undefined;
          try {
            parts = world.snapshotParts();
          } catch {
            // The writer itself stumbled.
          }
          words[at] = kept;
          const fault = parts && outcome(other, parts, told, 3);
          if (fault !== undefined)
            faults.push(
              `${table}, row ${Math.floor((4 * at - address) / size)}, at ${(4 * at - address) % size}: ${fault}`,
            );
        }
      }
    console.log(`words one by one: ${JSON.stringify(told)}`);
    expect(faults).toEqual([]);
  });

  test('702396: the fourth number of gravity was not 0, and the up of a character was no unit vector then', () => {
    const world = new World();
    world.step(DT);
    const at = (WORLD_ADDRESS + layout.World.gravity) / 4 + 3;
    expect(world.instance.words[at]).toBe(0);
    world.instance.words[at] = -1082130432; // −1
    const told: Outcome = { refused: 0, harmless: 0, slowest: 0 };
    expect(outcome(new World(), world.snapshotParts(), told)).toBeUndefined();
    expect(told).toMatchObject({ refused: 1, harmless: 0 });
  });

  test(`${FORGED} in cooked geometry, from seed ${SEED}: refused, or a shape that things fall on`, {
    timeout: 24 * 3600_000,
  }, async () => {
    const grid = Array.from({ length: 25 }, (_, i) => (i % 3) * 0.2);
    const cooked = [
      cookHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.6, 0.6, 0.6]),
      cookMesh({
        vertices: [-3, 0, -3, 3, 0, -3, 3, 0, 3, -3, 0, 3, 0, 1, 0],
        indices: [0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0],
      }),
      cookHeightfield({ rows: 5, columns: 5, heights: grid, spacing: 1 }),
    ];
    const files = cooked.map((geometry) => new Int32Array(exportCooked(geometry).buffer));
    const types = ['hull', 'mesh', 'heightfield'] as const;
    const header = files[0]!.length - cooked[0]!.words.length;
    const told = { refused: 0, harmless: 0 };
    const faults: string[] = [];
    for (let i = 0; i < FORGED; i++) {
      const chance = new Chance(SEED + i, -8);
      const which = chance.below(3);
      const words = files[which]!.slice();
      for (let k = chance.of([1, 1, 2]); k > 0; k--) {
        const at = chance.below(words.length);
        words[at] = forgedWord(chance, words[at]!);
      }
      words.set(sealed(words.slice(header)), header);
      checksum(words, 0, header - 2, words, header - 2);
      try {
        const geometry = importCooked(new Uint8Array(words.buffer));
        const world = new World();
        world.createBody({ type: 'static', shape: { type: types[which]!, geometry } as never });
        for (let k = 0; k < 3; k++)
          world.createBody({
            mass: 1,
            position: [0.3 * k, 2 + k, 0.2],
            shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
          });
        for (let k = 0; k < 120; k++) world.step(DT);
        world.rayTest([0.1, 9, 0.1], [0.1, -9, 0.1]);
        const strange = notNumbers(world);
        const fault = world.findFault();
        if (strange.length > 0 || fault !== 0) faults.push(`number ${i}: ${fault} ${strange.slice(0, 4)}`);
        told.harmless++;
        world.dispose();
      } catch (error) {
        if (
          (error as Error).name !== 'PhysicsError' ||
          !/damaged|invalid|limit/.test((error as PhysicsError).code)
        )
          faults.push(`number ${i}: ${(error as Error).stack}`);
        told.refused++;
      }
      if (i % 20_000 !== 19_999) continue;
      console.log(JSON.stringify({ words: i + 1, ...told, faults: faults.length }));
      await setImmediate();
    }
    console.log(`forged geometry: ${JSON.stringify(told)}`);
    expect(faults).toEqual([]);
    expect(told.refused).toBeGreaterThan(FORGED / 10);
  });
});
