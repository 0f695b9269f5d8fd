// The same recording gives the same hashes and the same events however it travels; frames in shared memory
// are never torn; rings keep order and say when they are full.
import { Worker } from 'node:worker_threads';
import { World } from 'ricochet';
import { describe, expect, test } from 'vitest';
import {
  COMMAND_RING,
  CommandRingReader,
  CommandRingWriter,
  EVENT_RING,
  EventRingReader,
  EventRingWriter,
  FrameReader,
  FrameWriter,
  makeBoard,
} from '../../worker/board';
import { COMMANDS, COMMANDS_HEADER } from '../../worker/protocol';
import { play, playInProcess } from './recording';
import { startPhysics, TRANSPORTS, workerBundle } from './support';

describe('a recording', () => {
  const expected = playInProcess(new World({ events: true }));

  test.each(TRANSPORTS)('gives the hashes and events of a world in process: %s', async (transport) => {
    const physics = await startPhysics({ transport, events: true });
    expect(physics.transport).toBe(transport);
    const { hashes, events } = await play(physics);
    expect(hashes).toEqual(expected.hashes);
    expect(events.length).toBeGreaterThan(100);
    expect(events).toEqual(expected.events);
  });
});

test('Node shares memory by default, an unknown transport is an error', async () => {
  expect((await startPhysics()).transport).toBe('shared');
  await expect(startPhysics({ transport: 'pigeon' as never })).rejects.toMatchObject({
    argument: 'transport',
  });
});

describe('frames in shared memory', () => {
  const READS = 1e7;

  test(`${READS} reads while another thread writes: none is torn, none goes back in time`, async () => {
    const script = await workerBundle('test/worker/frameWriter.ts');
    const thread = new Worker(script);
    const memory = await new Promise<SharedArrayBuffer>((resolve) => thread.once('message', resolve));
    const reader = new FrameReader(memory);
    let torn = 0;
    let frames = 0;
    let last = 0;
    let reads = 0;
    let held: Int32Array | undefined;
    while (reads < READS || frames <= 100) {
      const fresh = reader.take();
      if (fresh !== null) {
        held = fresh.words;
        frames++;
        if ((held[0] as number) <= last) torn++;
        last = held[0] as number;
      }
      if (held === undefined) continue;
      // 1,000 poses of eight words, all of the frame's number.
      for (let pose = 0; pose < 1000; pose++, reads++) {
        const at = 8 * pose;
        for (let i = 0; i < 8; i++) if (held[at + i] !== last) torn++;
      }
    }
    await thread.terminate();
    console.log(`shared memory: ${reads} reads of ${frames} frames up to number ${last}, ${torn} torn`);
    expect(torn).toBe(0);
    expect(frames).toBeGreaterThan(100);
  });

  test('the latest wins, and the three frames that are held stay as they are', () => {
    let memory: ArrayBuffer | SharedArrayBuffer | undefined;
    const writer = new FrameWriter(false, (made) => (memory = made));
    const write = (value: number) => {
      writer.acquire(64).words.fill(value);
      writer.post();
    };
    write(1);
    const reader = new FrameReader(memory!);
    const held = [reader.take()!];
    expect(reader.take()).toBeNull();
    for (let value = 2; value <= 3; value++) {
      write(-value);
      write(value);
      held.push(reader.take()!);
    }
    for (let value = 10; value < 20; value++) write(value);
    expect(held.map(({ words }) => words[5])).toEqual([1, 2, 3]);
    expect(reader.take()!.words[0]).toBe(19);
  });
});

describe('rings', () => {
  test('commands arrive in order, marked by the host, over many turns of the ring', () => {
    const board = makeBoard(false);
    const client = new CommandRingWriter(board);
    const host = new CommandRingReader(board);
    const marks: [number, number][] = [];
    let sent = 0;
    let got = 0;
    for (let round = 0; round < 3000; round++) {
      while (client.write(sent + 1, new Int32Array((sent * 37) % 500).fill(sent + 1), sent / 2)) sent++;
      for (let k = 0; k < 40; k++) {
        const at = host.peek();
        if (at < 0) break;
        got++;
        expect(host.words[at + COMMANDS.SEQUENCE]).toBe(got);
        const count = host.words[at + COMMANDS.WORDS]!;
        expect(count).toBe(((got - 1) * 37) % 500);
        if (count > 0) expect(host.words[at + COMMANDS_HEADER + count - 1]).toBe(got);
        host.take(7 * got);
      }
      client.readMarks((sequence, steps) => void marks.push([sequence, steps]));
    }
    expect(got).toBeGreaterThan(50_000);
    expect(marks.length).toBe(got);
    expect(marks.every(([sequence, steps], i) => sequence === i + 1 && steps === 7 * sequence)).toBe(true);
    expect(client.write(sent + 1, new Int32Array(COMMAND_RING), 0)).toBe(false);
  });

  test('events are read up to where a frame says, also across the end', () => {
    const board = makeBoard(false);
    const host = new EventRingWriter(board);
    const client = new EventRingReader(board);
    let next = 0;
    let seen = 0;
    for (let round = 0; round < 200; round++) {
      const words = Int32Array.from({ length: 1000 }, () => next++);
      host.write(words, 1000);
      const { head } = host;
      host.write(Int32Array.of(next++), 1);
      const count = client.read(head);
      for (let i = 0; i < count; i++) expect(client.words[i]).toBe(seen++);
    }
    expect(seen).toBe(next - 1);
    expect(host.room).toBe(EVENT_RING - 1);
  });
});
