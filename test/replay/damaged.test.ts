// Files from elsewhere: whatever is wrong with them, a typed error that names the byte, and nothing else happens.
import { describe, expect, test } from 'vitest';
import { World } from '../../src';
import { Player, Recorder, readRecording } from '../../src/replay';
import { CHUNK_HEADER, crc32, PREAMBLE_BYTES } from '../../src/replay/format';
import { Course, continueCourse } from '../determinism/course';
import { goldenScenes } from '../determinism/scenes';

const FILES = process.env['SOAK'] ? 10_000 : 600;
const FORGED = process.env['SOAK'] ? 2000 : 60;
const SEED = 7;

async function recorded(compress: boolean): Promise<Uint8Array> {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  for (let i = 0; i < 6; i++)
    world.createBody({
      mass: 1,
      position: [0, 1 + i, 0],
      shape:
        i % 2
          ? { type: 'box', halfExtents: [0.4, 0.4, 0.4] }
          : { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
    });
  const recorder = new Recorder(world, { compress, keyframeEvery: 8 });
  for (let i = 0; i < 20; i++) {
    if (i === 5) world.createBody({ mass: 1, position: [0, 9, 0], shape: { type: 'sphere', radius: 0.4 } });
    if (i === 9) world.rayTest([0, 20, 0], [0, -1, 0]);
    world.step(1 / 60);
  }
  return recorder.finish();
}

/** Opens and plays; true when it was refused as it should be. */
async function refused(file: Uint8Array): Promise<boolean> {
  try {
    const player = await Player.open(file);
    player.verify({ goOn: true });
    player.dispose();
    return false;
  } catch (error) {
    expect(error).toMatchObject({ name: 'PhysicsError', offset: expect.any(Number) });
    expect((error as { code: string }).code).toMatch(/^(damaged|incompatible)-recording$/);
    expect((error as Error).message).toMatch(/byte \d+/);
    return true;
  }
}

test(`${FILES} files with flipped bits, cut short, overwritten (seed ${SEED}): typed errors, another world untouched`, async () => {
  const world = new World();
  world.createBody({ mass: 1, shape: { type: 'sphere', radius: 1 } });
  for (let i = 0; i < 10; i++) world.step(1 / 60);
  const hash = world.stateHash();
  let state = SEED;
  const random = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const files = [await recorded(false), await recorded(true)];
  let harmless = 0;
  for (let i = 0; i < FILES; i++) {
    const file = files[i % 2]!.slice();
    const kind = random(3);
    if (kind === 0) file[random(file.length)]! ^= 1 << random(8);
    else if (kind === 1) {
      if (!(await refused(file.subarray(0, random(file.length))))) harmless++;
      continue;
    } else
      for (let k = random(40) + 1, at = random(file.length); k > 0 && at < file.length; k--, at++)
        file[at] = random(256);
    if (!(await refused(file))) harmless++;
  }
  // A run of bytes may happen to be what was there, and a bit of padding means nothing.
  expect(harmless).toBeLessThan(FILES / 100);
  expect(world.stateHash()).toBe(hash);
});

/** Changes the content of the first chunk of a kind, and makes its checksum right again. */
function forge(
  file: Uint8Array,
  kind: number,
  change: (content: Int32Array, chunk: Int32Array) => void,
): Uint8Array {
  const bytes = file.slice();
  const words = new Int32Array(bytes.buffer, PREAMBLE_BYTES);
  for (let at = 0; at < words.length; ) {
    const end = at + CHUNK_HEADER + words[at + 1]!;
    if ((words[at]! & 255) === kind) {
      change(words.subarray(at + CHUNK_HEADER, end), words.subarray(at, end));
      words[end] = crc32(words, at, end);
      return bytes;
    }
    at = end + 1;
  }
  throw new Error(`no chunk of kind ${kind}`);
}

const expectRefused = (file: Uint8Array, what: RegExp, code = 'damaged-recording') =>
  expect(Player.open(file).then((player) => player.verify({ goOn: true }))).rejects.toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(what), offset: expect.any(Number) }),
  );

test('foreign, older, newer files, and files of another engine say what they are', async () => {
  const file = await recorded(false);
  await expectRefused(new Uint8Array(0), /byte 0: too short/);
  await expectRefused(new Uint8Array(4096), /byte 0: it does not begin with the signature/);
  await expectRefused(
    new TextEncoder().encode('{"a":"recording of something else altogether"}'),
    /does not begin/,
  );
  const later = file.slice();
  later[4] = 2;
  await expectRefused(later, /format 2.0; .* a later version/, 'incompatible-recording');
  const engine = new TextDecoder().decode(file).match(/"layout":(-?\d+)/)![1]!;
  const other = forge(file, 1, (content) => {
    const text = new TextDecoder().decode(
      new Uint8Array(content.buffer, content.byteOffset, 4 * content.length).slice(),
    );
    const forged = text.replace(
      `"layout":${engine}`,
      `"layout":${engine.replace(/\d/, (d) => String((Number(d) % 9) + 1))}`,
    );
    new Uint8Array(content.buffer, content.byteOffset, 4 * content.length).set(
      new TextEncoder().encode(forged),
    );
  });
  await expectRefused(other, /lays out its state in another way/, 'incompatible-recording');
  await expect(Player.open('file' as never)).rejects.toThrow(
    expect.objectContaining({ code: 'invalid-argument' }),
  );
});

test('lengths that the file does not hold, forged with a right checksum', async () => {
  const file = await recorded(false);
  const huge = 0x7fffffff;
  await expectRefused(
    (() => {
      const bytes = file.slice();
      new Int32Array(bytes.buffer)[PREAMBLE_BYTES / 4 + 1] = huge;
      return bytes;
    })(),
    /byte 16: a chunk is cut off/,
  );
  for (const at of [2, 3, 4]) {
    await expectRefused(
      forge(file, 3, (state) => void (state[at] = huge)),
      /sections of a state/,
    );
    await expectRefused(
      forge(file, 3, (state) => void (state[at] = -1)),
      /sections of a state/,
    );
  }
  await expectRefused(
    forge(file, 4, (stream) => void (stream[0] = 28 | (0xffffff << 8))),
    /cut off/,
  );
  await expectRefused(
    forge(file, 4, (stream) => void (stream[0] = 0)),
    /cut off/,
  );
  await expectRefused(
    forge(file, 4, (stream) => void (stream[0] = 250 | (9 << 8))),
    /a mark 250/,
  );
  await expectRefused(
    forge(file, 4, (stream) => void (stream[9] = 99 | (2 << 8))),
    /code 99 is no command/,
  );
  await expectRefused(
    forge(file, 2, (content) => void (content[1] = huge)),
    /geometry/,
  );
  await expectRefused(
    forge(file, 5, (last) => void last[0]!++),
    /its last chunk does not match/,
  );
});

test('a file that unfolds to more than is allowed is left unfolded', async () => {
  const zeros = new Blob([new Uint8Array(20 << 20)])
    .stream()
    .pipeThrough(new CompressionStream('deflate-raw') as never);
  const body = new Uint8Array(await new Response(zeros as ReadableStream).arrayBuffer());
  const file = new Uint8Array(PREAMBLE_BYTES + body.length);
  file.set((await recorded(true)).subarray(0, PREAMBLE_BYTES));
  file.set(body, PREAMBLE_BYTES);
  await expectRefused(file, /decompresses to more than/);
  await expect(readRecording(file, { maxBytes: 1 << 26 })).rejects.toThrow(/recording refused/);
});

test(`${FORGED} states with a forged word and a right checksum (seed ${SEED}): refused or played to an end`, async () => {
  const world = new World();
  const course = new Course(world, goldenScenes.find(({ id }) => id === 'churn')!);
  continueCourse(course, 0, 120);
  const recorder = new Recorder(world, { compress: false, keyframeEvery: 0 });
  continueCourse(course, 120, 126);
  const file = await recorder.finish();
  let state = SEED;
  const random = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const outcomes = { refused: 0, played: 0 };
  for (let i = 0; i < FORGED; i++) {
    const forged = forge(file, 3, (content) => {
      for (let k = random(3); k >= 0; k--) {
        const at = 9 + random(content.length - 9);
        const word = content[at]!;
        const kind = random(4);
        content[at] =
          kind === 0 ? word ^ (1 << random(32)) : kind === 1 ? word + 1 : kind === 2 ? random(2 ** 32) : 0;
      }
    });
    try {
      const player = await Player.open(forged);
      player.verify({ goOn: true });
      player.dispose();
      outcomes.played++;
    } catch (error) {
      expect(error).toMatchObject({
        name: 'PhysicsError',
        code: expect.stringMatching(/-recording$|^out-of-memory$/),
      });
      outcomes.refused++;
    }
  }
  console.log(`forged states: ${JSON.stringify(outcomes)}`);
  expect(outcomes.refused).toBeGreaterThan(FORGED / 4);
});

test('a forged snapshot leaves the world that was to take it as it was', () => {
  const world = new World();
  const course = new Course(world, goldenScenes.find(({ id }) => id === 'joints')!);
  continueCourse(course, 0, 60);
  const parts = world.snapshotParts();
  const hash = world.stateHash();
  let refused = 0;
  for (let at = 4; at < parts.core.length; at += 7) {
    const core = parts.core.slice();
    core[at] = ~core[at]!;
    try {
      world.restoreParts({ ...parts, core });
      world.restoreParts(parts);
    } catch (error) {
      expect(error).toMatchObject({ code: 'damaged-snapshot' });
      refused++;
    }
    expect(world.stateHash(), `word ${at}`).toBe(hash);
  }
  expect(refused).toBeGreaterThan(20);
  continueCourse(course, 60, 80);
});

describe('marks of questions', () => {
  /** A recording with one question, and that question in place of it. */
  async function asking(record: unknown): Promise<Uint8Array> {
    const world = new World();
    world.createBody({ mass: 1, position: [0, 3, 0], shape: { type: 'sphere', radius: 0.5 } });
    const recorder = new Recorder(world, { compress: false, keyframeEvery: 0 });
    world.step(1 / 60);
    recorder.note(record as never);
    for (let i = 0; i < 5; i++) world.step(1 / 60);
    return recorder.finish();
  }
  const ask = (method: string, args: unknown, result: unknown = null) => asking({ method, args, result });

  test('ask nothing but questions', async () => {
    for (const [method, args] of [
      ['createBody', [{ mass: 1, shape: { type: 'sphere', radius: 9 } }]],
      ['setGravity', [[0, 50, 0]]],
      ['dispose', []],
      ['stepSimulation', [1e6, 1e6]],
      ['applyCommands', [[1, 2]]],
      ['restore', [[]]],
      ['constructor', []],
      ['__proto__', []],
      ['toString', []],
      ['debugLines', []],
    ] as const)
      await expectRefused(await ask(method, args), /which is no question/);
    await expectRefused(await ask(7 as never, []), /which is no question/);
  });

  test('have the arguments of the question', async () => {
    await expectRefused(await ask('rayTest', 'abc'), /arguments/);
    await expectRefused(await ask('rayTestBatch', [[0, 9, 0, 0, -9, 0], {}, { fractions: [] }]), /arguments/);
    await expectRefused(await ask('rayTest', [1, 2, 3, 4]), /arguments/);
    let deep: unknown = 1;
    for (let i = 0; i < 1_000; i++) deep = [deep];
    await expectRefused(await ask('rayTest', [[0, 1, 0], [0, 0, 0], deep]), /lists in lists/);
  });

  test('what a question refuses is an answer like any, and changes nothing', async () => {
    for (const args of [[], [[0, 0, 0]], [[0, 9, 0], [0, -9, 0], { mask: 'x' }], [{}, {}], [null, null]]) {
      const player = await Player.open(await ask('rayTest', args));
      expect(player.verify({ goOn: true })).toMatchObject({ queries: 1, divergence: { kind: 'query' } });
      expect(player.verify({ goOn: true }).divergence?.frame).toBe(1);
      player.dispose();
    }
  });
});
