// Recordings from strangers, with forged words and right checksums: each is refused by a typed error that names the
// byte, or played to an end, and no number of the world is none then. FORGED_WORDS and FORGED_SEED as in forged.test.ts.
import { expect, test } from 'vitest';
import { PhysicsError } from '../../src';
import { Player, Recorder } from '../../src/replay';
import { CHUNK, CHUNK_END, CHUNK_HEADER, crc32, PREAMBLE_BYTES } from '../../src/replay/format';
import { notNumbers } from '../support/numbers';
import { Chance, randomStep, randomWorld } from '../support/randomWorlds';

const FORGED = Number(process.env['FORGED_WORDS'] ?? 1500);
const SEED = Number(process.env['FORGED_SEED'] ?? 1);
const OF_EACH = 50;
const STEPS = 12;

async function recorded(seed: number): Promise<Uint8Array> {
  const world = randomWorld(seed);
  const recorder = new Recorder(world, { compress: false, keyframeEvery: 7 });
  for (let i = 1; i <= STEPS; i++) {
    randomStep(world, seed, i);
    if (i === 5) world.rayTest([0, 9, 0], [0, -9, 0]);
    if (i === 6) world.overlapTest([-1, -1, -1], [1, 1, 1]);
  }
  const file = await recorder.finish();
  world.dispose();
  return file;
}

/** Some words of one chunk are others, and its checksum is right. */
function forge(chance: Chance, file: Uint8Array): Uint8Array {
  const bytes = file.slice();
  const words = new Int32Array(bytes.buffer, PREAMBLE_BYTES);
  const chunks: [number, number][] = [];
  for (let at = 0; at < words.length; ) {
    const end = at + CHUNK_HEADER + words[at + 1]!;
    if ((words[at]! & 255) !== CHUNK.head) chunks.push([at, end]);
    at = end + CHUNK_END;
  }
  const [at, end] = chance.of(chunks);
  for (let k = chance.of([1, 1, 2, 3]); k > 0; k--) {
    const place = at + CHUNK_HEADER + chance.below(end - at - CHUNK_HEADER);
    const word = words[place]!;
    words[place] = chance.of([
      word ^ (1 << chance.below(32)),
      word + 1,
      word - 1,
      0,
      -1,
      chance.below(64),
      0x7fc00000,
      chance.below(2 ** 32) | 0,
    ]);
  }
  words[end] = crc32(words, at, end);
  return bytes;
}

test(`${FORGED} forgeries from seed ${SEED}: refused, or played to an end`, {
  timeout: 24 * 3600_000,
}, async () => {
  const told = { refused: 0, played: 0, slowest: 0 };
  const faults: string[] = [];
  for (let i = 0, seed = SEED; i < FORGED; seed++) {
    const file = await recorded(seed);
    const chance = new Chance(seed, -6);
    for (let k = 0; k < OF_EACH && i < FORGED; k++, i++) {
      const forged = forge(chance, file);
      const start = performance.now();
      let player: Player | undefined;
      try {
        player = await Player.open(forged);
        player.verify({ goOn: true });
        const strange = notNumbers(player.world);
        if (strange.length > 0) faults.push(`seed ${seed}, number ${k}: ${strange.slice(0, 4)}`);
        told.played++;
      } catch (error) {
        told.refused++;
        const typed = error instanceof PhysicsError && /-recording$|^out-of-memory$/.test(error.code);
        if (!typed) faults.push(`seed ${seed}, number ${k}: ${(error as Error).stack}`);
      } finally {
        player?.dispose();
      }
      told.slowest = Math.max(told.slowest, performance.now() - start);
    }
  }
  console.log(`forged recordings: ${JSON.stringify(told)}`);
  expect(faults).toEqual([]);
  expect(told.refused).toBeGreaterThan(FORGED / 10);
  expect(told.played).toBeGreaterThan(FORGED / 10);
});
