// Bytes from strangers: snapshots and cooked geometry with forged words and right checksums. Each is refused by a typed
// error, or harmless: 600 steps end within a second each, trap nowhere, make no NaN, and leave a sound state. In: small
// random worlds. FORGED_WORDS=1000000 FORGED_SEED=1 for the long run; see docs/determinism.md.
import { describe, expect, test } from 'vitest';
import {
  cookHeightfield,
  cookHull,
  cookMesh,
  exportCooked,
  importCooked,
  type PhysicsError,
  World,
} from '../../src';
import { checksum } from '../../src/base/checksum';
import { HASH_AT, sealContent } from '../../src/cooking/contentHash';
import type { SnapshotParts } from '../../src/replica/snapshot';
import * as layout from '../../src/wasm/core-layout';
import { Joint, JointAxis } from '../../src/wasm/core-layout';
import { notNumbers } from '../support/numbers';
import { Chance, randomStep, randomWorld } from '../support/randomWorlds';

const FORGED = Number(process.env['FORGED_WORDS'] ?? 2000);
const SEED = Number(process.env['FORGED_SEED'] ?? 1);
const STEPS = 600;
const DT = 1 / 60;
/** Words forged of each state. */
const OF_EACH = 100;

const JOINT_BYTES = Joint.axes + 6 * JointAxis.SIZE;
/** Tables whose words are forged before they are written: what no reader of bytes would come upon by chance. */
const TABLES = [
  ['bodies', layout.Body.SIZE, 'bodyEnd'],
  ['velocities', layout.BodyVelocity.SIZE, 'bodyEnd'],
  ['shapes', layout.Shape.SIZE, 'shapeEnd'],
  ['joints', JOINT_BYTES, 'jointEnd'],
  ['pairs', layout.Pair.SIZE, 'pairEnd'],
] as const;
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

/** Restores and goes on; what is wrong, or undefined. */
function outcome(parts: SnapshotParts, told: Outcome): string | undefined {
  let world: World | undefined;
  const world0 = new World();
  try {
    world = world0;
    world.restoreParts(parts);
  } catch (error) {
    const { name, code } = error as PhysicsError;
    told.refused++;
    world0.dispose();
    return name === 'PhysicsError' && /^(damaged|incompatible)-snapshot$|^out-of-memory$/.test(code)
      ? undefined
      : `refused by ${(error as Error).stack}`;
  }
  try {
    for (let i = 0; i < STEPS; i++) {
      const before = performance.now();
      world.step(DT);
      const took = performance.now() - before;
      told.slowest = Math.max(told.slowest, took);
      if (took > 1000) return `step ${i} took ${took} ms`;
    }
    const fault = world.query((core) => core.findFault());
    if (fault !== 0) return `state is unsound afterwards: ${fault}`;
    const strange = notNumbers(world);
    if (strange.length > 0) return `no numbers: ${strange.slice(0, 5)}`;
    const read = [...world.bodies()].flatMap((body) => [...body.getPosition(), ...body.getLinearVelocity()]);
    if (!read.every(Number.isFinite)) return 'getters read no numbers';
    told.harmless++;
    return undefined;
  } catch (error) {
    return `failed: ${(error as Error).stack}`;
  } finally {
    if (!world.isDisposed) world.dispose();
  }
}

/** A state small enough that 600 steps of it are quick. */
function smallState(seed: number): { world: World; parts: SnapshotParts } {
  const world = randomWorld(seed);
  const steps = 1 + new Chance(seed, -9).below(40);
  for (let i = 1; i <= steps; i++) randomStep(world, seed, i);
  const bodies = [...world.bodies()];
  for (const body of bodies.slice(7)) body.remove();
  world.step(DT);
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
function forgedTable(chance: Chance, world: World): SnapshotParts | undefined {
  const { instance } = world;
  const [table, size, end] = chance.of(TABLES);
  const count = instance.get(end);
  if (count < 2) return undefined;
  const offset = 4 * chance.below(size / 4);
  if (FOLLOWED.has(`${table} ${offset}`)) return undefined;
  const at = (instance.get(table) + chance.below(count) * size + offset) >>> 2;
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
  }, () => {
    const told: Outcome = { refused: 0, harmless: 0, slowest: 0 };
    const faults: string[] = [];
    for (let i = 0, seed = SEED; i < FORGED; seed++) {
      const { world, parts } = smallState(seed);
      const chance = new Chance(seed, -7);
      for (let k = 0; k < OF_EACH && i < FORGED; k++, i++) {
        const forged = chance.once(2) ? forgedTable(chance, world) : forgedSection(chance, parts);
        if (forged === undefined) continue;
        if (process.env['FORGED_TRACE']) console.log(seed, k);
        const fault = outcome(forged, told);
        if (fault !== undefined) faults.push(`seed ${seed}, number ${k} (${lastForged}): ${fault}`);
      }
      world.dispose();
      if (FORGED > 1e4 && seed % 50 === 0)
        console.log(JSON.stringify({ seed, words: i, ...told, faults: faults.length }));
    }
    console.log(`forged snapshots: ${JSON.stringify(told)}`);
    expect(faults).toEqual([]);
    expect(told.refused).toBeGreaterThan(FORGED / 10);
    expect(told.harmless).toBeGreaterThan(FORGED / 10);
  });

  test(`${FORGED} in cooked geometry, from seed ${SEED}: refused, or a shape that things fall on`, {
    timeout: 24 * 3600_000,
  }, () => {
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
        const fault = world.query((core) => core.findFault());
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
    }
    console.log(`forged geometry: ${JSON.stringify(told)}`);
    expect(faults).toEqual([]);
    expect(told.refused).toBeGreaterThan(FORGED / 10);
  });
});
