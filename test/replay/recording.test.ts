// A recording is the world again: every command, every step, every answer.
import { loadavg } from 'node:os';
import { describe, expect, test } from 'vitest';
import { stackgrid } from '../../demo/scenes/stackgrid';
import { readCommands, World } from '../../src';
import {
  diffRecordings,
  Player,
  QueryHistory,
  Recorder,
  type RecorderOptions,
  readRecording,
} from '../../src/replay';
import { COMMANDS, type CommandName } from '../../src/replica/commands';
import { playEverything } from '../api/everything';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const testTime = ordinaryCoreOnly('it measures time');

const DT = 1 / 60;

/** A session with a bit of everything in it. */
function play(world: World, steps: number, from = 0): void {
  for (let i = from; i < from + steps; i++) {
    if (i % 20 === 5)
      world.createBody({
        mass: 1 + i,
        position: [3 + 0.1 * (i % 7), 6, 0],
        shape:
          i % 40 === 5
            ? { type: 'sphere', radius: 0.4, restitution: 0.5 }
            : { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
      });
    if (i % 11 === 3) {
      const hit = world.rayTest([3, 10, 0], [3.3, -1, 0.2]);
      hit?.body.applyImpulse([0, 0.5, 0]);
    }
    if (i % 30 === 17) [...world.bodies()].at(-1)!.applyForce([0, 50, 1]);
    if (i % 60 === 44) [...world.bodies()].at(-1)!.remove();
    world.step(DT);
  }
}

function ground(world: World): void {
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  for (let i = 0; i < 8; i++)
    world.createBody({
      mass: 1,
      position: [0, 0.5 + i, 0],
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
    });
}

async function record(run: (world: World) => void, options?: RecorderOptions) {
  const world = new World();
  ground(world);
  play(world, 10);
  const recorder = new Recorder(world, options);
  run(world);
  const file = await recorder.finish();
  return { world, file, hash: world.stateHash() };
}

test('replays to the same hashes, answers and end; compressed or not', async () => {
  for (const compress of [true, false]) {
    const { file, hash } = await record((world) => play(world, 400, 10), { compress, keyframeEvery: 100 });
    const player = await Player.open(file);
    const result = player.verify();
    expect(result).toMatchObject({ frames: 400, hashes: 401, divergence: null });
    expect(result.queries).toBe(36);
    expect(player.world.stateHash()).toBe(hash);
    expect(player.isSameCore).toBe(true);
    expect(player.step()).toBe(false);
  }
});

test('seeks to any frame, forwards and backwards, with and without keyframes', async () => {
  const hashes: string[] = [];
  const run = (world: World) => {
    hashes.push(world.stateHash());
    for (let i = 10; i < 310; i++) {
      play(world, 1, i);
      hashes.push(world.stateHash());
    }
  };
  for (const keyframeEvery of [0, 50]) {
    hashes.length = 0;
    const { file } = await record(run, { keyframeEvery });
    const player = await Player.open(file, { cacheEvery: keyframeEvery === 0 ? 30 : 0 });
    for (const frame of [300, 0, 299, 1, 150, 149, 151, 50, 49, 51, 100, 0, 300, 7]) {
      player.seek(frame);
      expect(player.frame).toBe(frame);
      expect(player.world.stateHash(), `frame ${frame}`).toBe(hashes[frame]);
    }
    expect(player.divergence).toBeNull();
  }
});

test('seeks to what the program found after a step: forces that acted are gone', async () => {
  for (const keyframeEvery of [0, 5]) {
    const hashes: string[] = [];
    const { file } = await record(
      (world) => {
        play(world, 2);
        const [, box] = world.bodies();
        hashes[2] = world.stateHash();
        for (let i = 3; i <= 30; i++) {
          if (i % 3 !== 0) box!.applyForce([0, 40, i], [0.1, 0, 0]);
          if (i % 4 === 0) world.advance(1, DT);
          else world.step(DT);
          hashes[i] = world.stateHash();
        }
        box!.applyForce([9, 0, 0]);
        world.stepSimulation(3.5 * DT, 8, DT); // the force acts in three steps
        hashes[33] = world.stateHash();
        play(world, 1);
        hashes[34] = world.stateHash();
      },
      { keyframeEvery },
    );
    const player = await Player.open(file, { cacheEvery: 7 });
    for (const frame of [5, 4, 6, 10, 9, 33, 20, 21, 22, 2, 34, 33, 30, 25]) {
      player.seek(frame);
      expect(player.world.stateHash(), `frame ${frame}`).toBe(hashes[frame]);
    }
    while (player.step()) {
      const hash = hashes[player.frame];
      if (hash !== undefined) expect(player.world.stateHash(), `frame ${player.frame}`).toBe(hash);
    }
    expect(player.divergence).toBeNull();
  }
});

test('plays in real time, at any speed', async () => {
  const { file } = await record((world) => play(world, 120, 10));
  const player = await Player.open(file);
  expect(player.advance(1)).toBe(0);
  player.play();
  expect(player.advance(0.5)).toBe(30);
  player.speed = 2;
  expect(player.advance(0.25)).toBe(30);
  player.pause();
  expect(player.advance(5)).toBe(0);
  player.play();
  expect(player.advance(5)).toBe(60);
  expect(player.playing).toBe(false);
});

test('stepSimulation, kinematic targets, restores and a pair filter are in it', async () => {
  const world = new World();
  ground(world);
  const lift = world.createBody({ type: 'kinematic', shape: { type: 'box', halfExtents: [2, 0.1, 2] } });
  let asked = 0;
  world.setPairFilter((a, b) => ++asked % 3 !== 0 || a.id + b.id === 3);
  const recorder = new Recorder(world);
  for (let i = 0; i < 60; i++) {
    lift.setKinematicTarget([0, 0.01 * i, 0], [0, 0, 0, 1]);
    world.stepSimulation(1.7 * DT, 3);
  }
  const snapshot = world.snapshot();
  play(world, 30, 20);
  world.createBody({ mass: 3, shape: { type: 'sphere', radius: 1 } });
  world.restore(snapshot);
  play(world, 60, 80);
  const slot = world.save();
  play(world, 8);
  world.restore(slot);
  world.setPairFilter(null);
  play(world, 20);
  expect(asked).toBeGreaterThan(10);
  const player = await Player.open(await recorder.finish());
  expect(player.verify({ goOn: true }).divergence).toBeNull();
  expect(player.world.stateHash()).toBe(world.stateHash());
  player.seek(130);
  player.seek(player.recording.frames);
  expect(player.world.stateHash()).toBe(world.stateHash());
});

describe('every command of the table is recorded and replayed', () => {
  const { stream } = playEverything();
  const commands = [...readCommands(stream)];
  test.each(Object.keys(COMMANDS) as CommandName[])('%s', async (name) => {
    const at = commands.findIndex((command) => command.name === name);
    expect(at).toBeGreaterThanOrEqual(0);
    const from = commands[at]!.at;
    const end = commands[at + 1]?.at ?? stream.length;
    const world = new World();
    world.applyCommands(stream.subarray(0, from));
    const recorder = new Recorder(world, { keyframeEvery: 2 });
    world.applyCommands(stream.subarray(from, end));
    for (let i = 0; i < 5; i++) world.step(DT);
    const player = await Player.open(await recorder.finish());
    // addGeometry goes by number: its content is a chunk.
    const codes = player.recording.streams.flatMap((words) => {
      const found: number[] = [];
      for (let k = 0; k < words.length; k += words[k]! >>> 8) found.push(words[k]! & 255);
      return found;
    });
    expect(codes).toContain(name === 'addGeometry' ? 203 : COMMANDS[name].code);
    expect(player.verify().divergence).toBeNull();
    expect(player.world.stateHash()).toBe(world.stateHash());
  });
});

describe('a divergence', () => {
  test('of one body is found at its step, with body and field', async () => {
    const { file } = await record((world) => play(world, 100, 10), { keyframeEvery: 0 });
    const player = await Player.open(file);
    player.seek(38);
    const flying = [...player.world.bodies()].at(-1)!;
    flying.setAngularVelocity([0, 1e-3, 0]);
    const { divergence, frames } = player.verify();
    expect(divergence).toMatchObject({ frame: 39, kind: 'state', body: flying.id, field: 'rotation' });
    expect(frames).toBe(39);
    expect(player.verify({ goOn: true })).toMatchObject({ frames: 100, divergence: { frame: 39 } });
    expect(player.divergences).toBeGreaterThan(50);
    // Back before it: the recorded world again.
    player.seek(10);
    expect(player.divergence).toBeNull();
    expect(player.verify().divergence).toBeNull();
  });

  test('next to a recorded state is told by comparison, also of several bodies', async () => {
    const { file } = await record((world) => play(world, 30, 10), { keyframeEvery: 10 });
    const player = await Player.open(file, { onDivergence: () => told++ });
    let told = 0;
    player.seek(19);
    const [, first, second] = [...player.world.bodies()];
    first!.applyImpulse([1, 0, 0]);
    second!.applyImpulse([1, 0, 0]);
    expect(player.verify().divergence).toMatchObject({ frame: 20, body: first!.id, field: 'position' });
    expect(told).toBe(1);
  });

  test('of an answer is a divergence of its own', async () => {
    const { file } = await record((world) => play(world, 30, 10));
    const recording = await readRecording(file);
    const words = recording.streams[0]!;
    let at = 0;
    while ((words[at]! & 255) !== 201) at += words[at]! >>> 8;
    // Another answer that is JSON, too: the last digit of a number in it.
    const bytes = new Uint8Array(words.buffer, 4 * (at + 1), 4 * ((words[at]! >>> 8) - 1));
    let digit = bytes.length - 1;
    while (!(bytes[digit]! >= 0x31 && bytes[digit]! <= 0x38)) digit--;
    bytes[digit]!++;
    const player = new Player(recording);
    expect(player.verify({ goOn: true })).toMatchObject({
      frames: 30,
      divergences: 1,
      divergence: { kind: 'query', field: 'rayTest' },
    });
  });

  test('between two recordings is found by diff', async () => {
    const a = await readRecording((await record((world) => play(world, 50, 10))).file);
    const same = await readRecording(
      (await record((world) => play(world, 50, 10), { keyframeEvery: 7 })).file,
    );
    expect(diffRecordings(a, same)).toBeNull();
    const other = await readRecording(
      (
        await record((world) => {
          play(world, 20, 10);
          [...world.bodies()][3]!.setLinearVelocity([0, 1, 0]);
          play(world, 30, 30);
        })
      ).file,
    );
    expect(diffRecordings(a, other)).toMatchObject({ frame: 21, field: 'position' });
    const shorter = await readRecording((await record((world) => play(world, 40, 10))).file);
    expect(diffRecordings(a, shorter)).toMatchObject({ frame: 40, field: 'length', a: 50, b: 40 });
  });
});

test('an idle step takes less than 50 bytes, hash included', async () => {
  const world = new World();
  ground(world);
  const size = async (steps: number) => {
    const recorder = new Recorder(world, { keyframeEvery: 0, compress: false });
    for (let i = 0; i < steps; i++) world.step(DT);
    return (await recorder.finish()).length;
  };
  const [short, long] = [await size(10), await size(1010)];
  const bytes = (long - short) / 1000;
  console.log(`${bytes.toFixed(1)} bytes per idle step with hash, before compression (target 50)`);
  expect(bytes).toBeLessThan(50);
});

testTime(
  'replaying costs little more than stepping',
  async () => {
    const build = () => {
      const world = new World({ sleeping: false });
      stackgrid.build(world);
      for (let i = 0; i < 30; i++) world.step(DT);
      return world;
    };
    const recorded = build();
    const recorder = new Recorder(recorded);
    for (let i = 0; i < 150; i++) recorded.step(DT);
    const file = await recorder.finish();
    // The least that each step ever took, on either side: sums of whole runs say which of them was disturbed more.
    const least = [new Float64Array(150).fill(Infinity), new Float64Array(150).fill(Infinity)] as const;
    const sum = (times: Float64Array) => times.reduce((a, b) => a + b, 0);
    const ratioSoFar = () => sum(least[1]) / sum(least[0]);
    // A neighbour takes caches, and with them more of a hash than of a step: 1.13 alone was 1.34 for two minutes beside another
    // test on the two threads of one processor, with the core of the day before, too.
    const most = loadavg()[0]! < 1.5 ? 1.2 : 1.5;
    for (let k = 0; k < 8 || (k < 300 && ratioSoFar() >= most); k++) {
      const [world, player] = [build(), await Player.open(file, { cacheEvery: 0 })];
      const timed = (i: number, side: 0 | 1) => {
        const start = performance.now();
        if (side === 0) world.step(DT);
        else player.step();
        least[side][i] = Math.min(least[side][i]!, performance.now() - start);
      };
      for (let i = 0; i < 150; i++) {
        const first = ((i + k) & 1) as 0 | 1;
        timed(i, first);
        timed(i, (1 - first) as 0 | 1);
      }
      expect(player.world.stateHash()).toBe(world.stateHash());
    }
    const ratio = ratioSoFar();
    console.log(`replay with all hashes: ${ratio.toFixed(3)} times plain stepping (target 1.15)`);
    expect(ratio).toBeGreaterThan(0.9); // it steps and hashes: less is no measurement
    expect(ratio).toBeLessThan(most); // target 1.15
  },
  300_000,
);

test('a sink gets the file piece by piece', async () => {
  const pieces: Uint8Array[] = [];
  const { file } = await record((world) => play(world, 50, 10), {
    sink: (bytes) => pieces.push(bytes),
    notes: { scene: 'test' },
  });
  expect(file.length).toBe(0);
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  const player = await Player.open(whole);
  expect(player.recording.head.notes).toEqual({ scene: 'test' });
  expect(player.verify().divergence).toBeNull();
});

test('the history keeps the last queries, draws them, and asks them again', () => {
  const world = new World();
  ground(world);
  world.step(DT);
  const history = new QueryHistory(world, 4);
  world.rayTest([0, 20, 0], [0, -1, 0]);
  world.rayTest([5, 20, 0], [5, 10, 0]);
  world.overlapTest([-1, 0, -1], [1, 1, 1]);
  world.rayTestBatch([0, 20, 0, 0, -1, 0, 9, 9, 9, 9, 8, 9]);
  expect(history.entries().map(({ method }) => method)).toEqual([
    'rayTest',
    'rayTest',
    'overlapTest',
    'rayTestBatch',
  ]);
  expect(history.lines().count).toBe(2 + 1 + 12 + 3);
  expect(history.askAgain()).toEqual([]);
  world.createBody({ type: 'static', position: [5, 15, 0], shape: { type: 'sphere', radius: 1 } });
  expect(history.askAgain().map(({ query }) => query.args[0])).toEqual([[5, 20, 0]]);
  world.rayTest([0, 20, 0], [0, -1, 0], { mode: 'all', skip: [...world.bodies()][1]! });
  expect(history.count).toBe(5);
  expect(history.entries()).toHaveLength(4);
  expect(history.entries().at(-1)!.args[2]).toEqual({ mode: 'all', skip: (1 << 18) | 2 });
  history.dispose();
  world.rayTest([0, 20, 0], [0, -1, 0]);
  expect(history.count).toBe(5);
});

test('what came after the last step belongs to the recording, however its end is reached', async () => {
  const after = (world: World) => {
    play(world, 130);
    world.createBody({ mass: 3, position: [9, 9, 9], shape: { type: 'sphere', radius: 1 } });
    [...world.bodies()][1]!.setLinearVelocity([1, 2, 3]);
    world.rayTest([9, 20, 9], [9, 0, 9]);
  };
  const world = new World();
  ground(world);
  const recorder = new Recorder(world, { keyframeEvery: 65 }); // 130 is the frame of a state
  after(world);
  const hash = world.stateHash();
  const file = await recorder.finish();
  const ways: ((player: Player) => void)[] = [
    (player) => player.seek(130),
    (player) => player.seek(1e9),
    (player) => void player.verify(),
    (player) => {
      for (const frame of [130, 3, 130, 129, 130, 130]) player.seek(frame);
    },
    (player) => {
      while (player.step());
    },
  ];
  for (const go of ways) {
    const player = await Player.open(file);
    go(player);
    expect([player.frame, player.world.stateHash(), player.divergence]).toEqual([130, hash, null]);
    player.seek(129);
    expect(player.world.bodyCount).toBe(world.bodyCount - 1);
    player.dispose();
  }
  // Its queries are compared, too.
  const whole = await Player.open(file);
  expect(whole.verify().queries).toBe(13);
  // A recording without a step.
  const short = new Recorder(world, {});
  world.createBody({ mass: 1, shape: { type: 'sphere', radius: 1 } });
  const player = await Player.open(await short.finish());
  expect(player.world.stateHash()).toBe(world.stateHash());
});
