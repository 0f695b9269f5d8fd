// The parts of the way between the threads, one by one: buffers are bounded, errors keep their fields.
import { runInNewContext } from 'node:vm';
import { PhysicsError } from 'ricochet';
import { describe, expect, test } from 'vitest';
import { EVENT_CONTACT_END } from '../../src/core/memory/constants';
import { EventQueue } from '../../worker/eventQueue';
import {
  COMMANDS,
  COMMANDS_HEADER,
  decodeRefusal,
  encodeRefusal,
  FRAME,
  FRAME_HEADER,
  MESSAGE_COMMANDS,
  MESSAGE_FRAME,
  MESSAGE_REFUSED,
  messageKind,
  plainError,
} from '../../worker/protocol';
import { BufferLoop, type DataPort } from '../../worker/transport';

describe('messages', () => {
  test('say what they are by their first word; anything else is none', () => {
    for (const kind of [MESSAGE_COMMANDS, MESSAGE_FRAME, MESSAGE_REFUSED])
      expect(messageKind(Int32Array.of(kind, 1, 2).buffer)).toBe(kind);
    for (const other of [undefined, null, 'x', {}, new ArrayBuffer(2), new ArrayBuffer(7), new Uint8Array(8)])
      expect(messageKind(other)).toBe(0);
    expect(new Set([MESSAGE_COMMANDS, MESSAGE_FRAME, MESSAGE_REFUSED]).size).toBe(3);
  });

  test('are known wherever their buffer was made: Jest runs tests in a context of node:vm, ports outside of it', () => {
    for (const type of ['ArrayBuffer', 'SharedArrayBuffer']) {
      const foreign = runInNewContext(`new ${type}(8)`) as ArrayBuffer;
      new Int32Array(foreign)[0] = MESSAGE_FRAME;
      expect(messageKind(foreign), type).toBe(MESSAGE_FRAME);
    }
  });

  test('have fields that do not overlap, and doubles on even words', () => {
    const doubles: number[] = [FRAME.DUE, FRAME.DROPPED_MS, FRAME.WRITTEN];
    expect(COMMANDS.DUE % 2).toBe(0);
    expect(COMMANDS.DUE + 2).toBe(COMMANDS_HEADER);
    const words = Object.values(FRAME).flatMap((at) => (doubles.includes(at) ? [at, at + 1] : [at]));
    expect(new Set(words).size).toBe(words.length);
    expect(Math.max(...words)).toBeLessThan(FRAME_HEADER);
    for (const at of doubles) expect(at % 2).toBe(0);
    expect(FRAME.KIND).toBe(COMMANDS.KIND);
  });

  test('carry errors with code, argument and text', () => {
    const error = new PhysicsError('invalid-argument', 'must be > 0', 'größe', -1);
    const { sequence, error: back } = decodeRefusal(encodeRefusal(7, plainError(error)));
    expect(sequence).toBe(7);
    expect(back).toBeInstanceOf(PhysicsError);
    expect(back).toMatchObject({
      code: 'invalid-argument',
      argument: 'größe',
      message: 'größe must be > 0, got -1',
    });
    expect(plainError(new RangeError('no room'))).toMatchObject({ code: 'protocol' });
    // Tools of the worker are built apart, with a class of errors of their own.
    const apart = Object.assign(new Error('options.wires is no option'), {
      name: 'PhysicsError',
      code: 'unknown-option',
      argument: 'options.wires',
    });
    expect(plainError(apart)).toEqual({
      name: 'PhysicsError',
      code: 'unknown-option',
      message: 'options.wires is no option',
      argument: 'options.wires',
    });
  });
});

describe('buffer loop', () => {
  const collect = () => {
    const posted: ArrayBuffer[] = [];
    const port = { postMessage: (buffer: ArrayBuffer) => void posted.push(buffer) } as unknown as DataPort;
    return { posted, port };
  };

  test('hands out no more buffers than may be outside, and the same ones again', () => {
    const { posted, port } = collect();
    const loop = new BufferLoop(port, 2);
    for (let i = 0; i < 2; i++) loop.post(loop.acquire(100)!);
    expect(loop.available).toBe(false);
    expect(loop.acquire(100)).toBeNull();
    loop.takeBack(posted[0]!);
    expect(loop.acquire(100)).toBe(posted[0]);
  });

  test('replaces a buffer that has become too small, with room to spare', () => {
    const { posted, port } = collect();
    const loop = new BufferLoop(port, 2);
    loop.post(loop.acquire(100)!);
    loop.takeBack(posted[0]!);
    const larger = loop.acquire(1_000_000)!;
    expect(larger.byteLength).toBeGreaterThanOrEqual(1_250_000);
  });
});

describe('event queue', () => {
  const end = (id: number) => [EVENT_CONTACT_END | (5 << 8), id, id, id, id];
  const step = (count: number) => Int32Array.from(Array.from({ length: count }, (_, i) => end(i)).flat());

  test('keeps the records of several steps in order', () => {
    const queue = new EventQueue();
    queue.append(step(2));
    queue.append(step(3));
    const out = new Int32Array(2 + queue.length);
    queue.take(out, 2);
    expect([...out.slice(2)]).toEqual([...step(2), ...step(3)]);
    expect(queue.length).toBe(0);
  });

  test('counts what finds no room, but keeps one step whole, however large', () => {
    const queue = new EventQueue();
    queue.append(step(50_000));
    expect(queue.length).toBe(250_000);
    queue.append(step(30));
    expect(queue.length).toBe(250_000);
    expect(queue.dropped).toBe(30);
    queue.take(new Int32Array(queue.length), 0);
    expect(queue.dropped).toBe(30); // a sum: frames in shared memory may be skipped
    queue.append(step(1));
    expect(queue.length).toBe(5);
  });
});
