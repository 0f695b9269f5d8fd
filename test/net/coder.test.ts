// The coder of states and commands: what was written is read, nothing else is believed, and a quiet room forgets nobody.
import { expect, test } from 'vitest';
import { World } from '../../src';
import { ByteReader, ByteWriter, Malformed } from '../../src/net/bytes';
import { RangeDecoder, RangeEncoder, readWords, writeWords } from '../../src/net/coder';
import { PoseReceiver, PoseSender, quantiseAll } from '../../src/net/poses';

function random(seed: number) {
  return (below: number) => {
    seed = (48271 * seed) % 2147483647;
    return seed % below;
  };
}

test('integers, flags and even numbers of any kind come back, and nothing is left over', () => {
  const next = random(5);
  for (let round = 0; round < 200; round++) {
    const told = Array.from({ length: next(300) }, () => {
      const kind = next(4);
      const size = 2 ** next(31);
      const value =
        kind === 3 ? next(256) : kind === 2 ? next(2) : next(2) ? next(size + 1) : 0 - next(size + 1);
      return { kind, value };
    });
    const out = new ByteWriter();
    const writer = new RangeEncoder(out, 2, 1);
    for (const { kind, value } of told)
      if (kind === 3) writer.even(value, 8);
      else if (kind === 2) writer.flag(0, value === 1);
      else writer.integer(kind, value);
    writer.finish();
    const bytes = new ByteReader(out.finish());
    const reader = new RangeDecoder(bytes, 2, 1);
    for (const { kind, value } of told)
      expect(kind === 3 ? reader.even(8) : kind === 2 ? Number(reader.flag(0)) : reader.integer(kind)).toBe(
        value,
      );
    bytes.end();
  }
});

test('the greatest integers, and carries through long runs of 255', () => {
  const values = [2 ** 30, -(2 ** 30), 0, 1, -1, 2 ** 30 - 1];
  const out = new ByteWriter();
  const writer = new RangeEncoder(out, 1, 1);
  for (let i = 0; i < 3000; i++) writer.flag(0, i % 997 === 996);
  for (const value of values) writer.integer(0, value);
  writer.finish();
  const reader = new RangeDecoder(new ByteReader(out.finish()), 1, 1);
  for (let i = 0; i < 3000; i++) expect(reader.flag(0)).toBe(i % 997 === 996);
  for (const value of values) expect(reader.integer(0)).toBe(value);
});

test('words of commands come back in fewer bytes', () => {
  const next = random(9);
  const floats = new Float32Array(400);
  for (let i = 0; i < 400; i++) floats[i] = next(3) ? 0 : next(2) ? next(9) / 2 : next(1e6) / 1e5 - 5;
  const words = new Int32Array(floats.buffer);
  const out = new ByteWriter();
  writeWords(out, words);
  const bytes = out.finish();
  expect(readWords(new ByteReader(bytes))).toEqual(words);
  expect(bytes.length).toBeLessThan(words.byteLength / 2);
});

test('random bytes are states of bodies within their ranges, or Malformed; never anything else', () => {
  const next = random(21);
  let read = 0;
  let refused = 0;
  for (let i = 0; i < 4000; i++) {
    const bytes = Uint8Array.from({ length: next(120) }, () => next(next(2) ? 256 : 4));
    try {
      const entries = new PoseReceiver().read({ seq: 1, tick: 1, rate: 60 }, new ByteReader(bytes)) ?? [];
      for (const { state } of entries)
        for (const value of state) expect(Math.abs(value)).toBeLessThanOrEqual(0x1fffffff);
      read++;
    } catch (error) {
      expect(error).toBeInstanceOf(Malformed);
      refused++;
    }
    try {
      expect(readWords(new ByteReader(bytes)).length).toBeLessThanOrEqual(1 << 20);
    } catch (error) {
      expect(error).toBeInstanceOf(Malformed);
    }
  }
  expect(refused).toBeGreaterThan(read);
});

test('the last state before all is quiet comes, though its packet was lost', () => {
  const world = new World({ gravity: [0, 0, 0] });
  const body = world.createBody({ shape: { type: 'sphere', radius: 0.5 } });
  const sender = new PoseSender();
  const receiver = new PoseReceiver();
  let seen = 0;
  for (let tick = 0; tick < 150; tick++) {
    if (tick === 20) body.setTransform([5, 0, 0], [0, 0, 0, 1]);
    const head = () => new ByteWriter();
    const limit = { tick, rate: 60, bytes: 2000, packet: 500 };
    let seq = tick;
    sender
      .send(quantiseAll(world), null, {}, limit, (number) => {
        seq = number;
        return head();
      })
      .forEach((packet) => {
        if (tick === 20) return; // lost
        for (const { state } of receiver.read({ seq, tick, rate: 60 }, new ByteReader(packet)) ?? [])
          seen = state[0]!;
      });
    sender.acknowledge(receiver.acks.seq, receiver.acks.mask);
  }
  expect(seen).toBe(5 * 512);
  world.dispose();
});
