// Packets between the roles. In: fields. Out: bytes; and back, with every length, count and range checked, and nothing
// left over (Malformed otherwise). docs/net.md has the format.
import { ByteReader, ByteWriter, Malformed } from './bytes';
import { readWords, writeWords } from './coder';
import {
  EMPTY_FRAME,
  type Frame,
  type Game,
  MOST_INPUT_BYTES,
  MOST_PLAYERS,
  NO_INPUT,
  type PlayerEvent,
  predicted,
  predictedInputs,
} from './game';

const MAGIC = 0x52;
/** Changes with the form of packets. */
const PROTOCOL = 3;
/** Bytes of a packet from a client, at most. */
export const MOST_CLIENT_BYTES = 8192;
/** Bytes of a packet that a server sends, unless one frame alone is larger: below the usual limits of networks. */
export const PACKET_BYTES = 1150;
/** Ticks of inputs in one packet. */
export const MOST_INPUTS = 64;
/** Bytes of a state for those who join. */
const MOST_STATE = 1 << 28;
export const CHUNK_BYTES = 1024;
const MOST_FRAMES = 1024;
const MOST_RANGES = 64;

/** Types of packets. */
export const HELLO = 1;
export const INPUT = 2;
export const SNAPSHOT = 3;
export const FRAMES = 4;
export const STATE = 5;
export const REFUSED = 6;
export const LOST = 7;

/** Why a server does not let a client in. */
export type Refusal = 'full' | 'other version' | 'too many faults';
const REFUSALS: readonly Refusal[] = ['full', 'other version', 'too many faults'];

/** Of the state before a tick; 16 digits. */
export interface Hash {
  tick: number;
  digits: string;
}

/** From a client that wants the state, or parts of it again. */
export interface Hello {
  seq: number;
  version: number;
  core: string;
  /** 0: wants a new one. */
  snapshot: number;
  /** First chunk and number of chunks. */
  missing: readonly (readonly [first: number, count: number])[];
}

/** From a client in the game. */
export interface InputPacket {
  seq: number;
  snapshot: number;
  /** All frames before this tick are there. */
  ack: number;
  /** A hash of an own confirmed state, 16 digits. */
  hash?: Hash;
  /** Tick of the first input. */
  first: number;
  inputs: readonly Uint8Array[];
  /** Newest packet of poses that came, and whether the 32 before it did. */
  poses: { seq: number; mask: number };
}

/** Part of the state for a client that joins. */
export interface SnapshotChunk {
  epoch: number;
  id: number;
  player: number;
  bytes: number;
  index: number;
  content: Uint8Array;
}

/** What was decided. */
export interface FramesPacket {
  epoch: number;
  tick: number;
  /** Number of the client's packet that came last, and ms since then. */
  echo: { seq: number; held: number };
  /** Inputs of this client that came too late, ever. */
  late: number;
  /** Of ticks that the client has not acknowledged, in order. */
  hashes: readonly Hash[];
  first: number;
  /** Those before `tick` are decided; those behind may become otherwise. */
  frames: readonly Frame[];
}

function begin(type: number): ByteWriter {
  const out = new ByteWriter();
  out.byte(MAGIC);
  out.byte((PROTOCOL << 4) | type);
  return out;
}

/** Type of a packet, and a reader behind it. */
export function open(bytes: Uint8Array): { type: number; reader: ByteReader } {
  const reader = new ByteReader(bytes);
  if (reader.byte() !== MAGIC) throw new Malformed('not a packet of a room');
  const head = reader.byte();
  if (head >> 4 !== PROTOCOL) throw new Malformed('another protocol');
  return { type: head & 15, reader };
}

/** Hashes of one packet. */
export const MOST_HASHES = 120;

/** Ticks are told as differences to the one before. */
function writeHashes(out: ByteWriter, hashes: readonly Hash[]): void {
  out.byte(hashes.length);
  let before = 0;
  for (const { tick, digits } of hashes) {
    out.varint(tick - before);
    for (let i = 0; i < 16; i += 2) out.byte(Number.parseInt(digits.slice(i, i + 2), 16));
    before = tick;
  }
}

function readHashes(reader: ByteReader, most: number): Hash[] {
  const count = reader.byte();
  if (count > most) throw new Malformed('too many hashes');
  const hashes: Hash[] = [];
  for (let tick = 0; hashes.length < count; ) {
    tick += reader.varint();
    const digits = Array.from(reader.raw(8), (byte) => byte.toString(16).padStart(2, '0')).join('');
    hashes.push({ tick, digits });
  }
  return hashes;
}

export function encodeHello({ seq, version, core, snapshot, missing }: Hello): Uint8Array<ArrayBuffer> {
  const out = begin(HELLO);
  out.u16(seq);
  out.u32(version);
  out.block(Uint8Array.from(core, (letter) => letter.charCodeAt(0)));
  out.varint(snapshot);
  const ranges = missing.slice(0, MOST_RANGES);
  out.varint(ranges.length);
  for (const [first, count] of ranges) {
    out.varint(first);
    out.varint(count);
  }
  return out.finish();
}

export function decodeHello(reader: ByteReader): Hello {
  const seq = reader.u16();
  const version = reader.u32();
  const core = String.fromCharCode(...reader.block(64));
  const snapshot = reader.varint();
  const count = reader.varint(MOST_RANGES);
  const missing: [number, number][] = [];
  for (let i = 0; i < count; i++)
    missing.push([reader.varint(MOST_STATE / CHUNK_BYTES), reader.varint(MOST_STATE / CHUNK_BYTES)]);
  reader.end();
  return { seq, version, core, snapshot, missing };
}

/** Runs of inputs that follow from the one before, as one byte each. */
const RUN = 0x80;
const LONGEST_RUN = 128;

export function encodeInput(game: Game, packet: InputPacket): Uint8Array<ArrayBuffer> {
  const out = begin(INPUT);
  out.u16(packet.seq);
  out.varint(packet.snapshot);
  out.varint(packet.ack);
  writeHashes(out, packet.hash === undefined ? [] : [packet.hash]);
  out.u16(packet.poses.seq);
  out.u32(packet.poses.mask);
  out.varint(packet.first);
  out.varint(packet.inputs.length);
  let before: Uint8Array = NO_INPUT;
  let run = 0;
  const endRun = () => {
    if (run > 0) out.byte(RUN | (run - 1));
    run = 0;
  };
  for (const input of packet.inputs) {
    if (equal(predicted(game, before), input)) run++;
    else {
      endRun();
      out.byte(0);
      out.block(input);
    }
    before = input;
  }
  endRun();
  return out.finish();
}

/** `most`: bytes of an input. */
export function decodeInput(game: Game, reader: ByteReader, most: number): InputPacket {
  const seq = reader.u16();
  const snapshot = reader.varint();
  const ack = reader.varint();
  const [hash] = readHashes(reader, 1);
  const poses = { seq: reader.u16(), mask: reader.u32() };
  const first = reader.varint();
  const count = reader.varint(MOST_INPUTS);
  const inputs: Uint8Array[] = [];
  let before: Uint8Array = NO_INPUT;
  while (inputs.length < count) {
    const head = reader.byte();
    if (head >= RUN) {
      const run = head - RUN + 1;
      if (inputs.length + run > count) throw new Malformed('more inputs than told');
      for (let i = 0; i < run; i++) inputs.push((before = predicted(game, before)));
    } else if (head === 0) inputs.push((before = reader.block(most)));
    else throw new Malformed('no such entry');
  }
  reader.end();
  return hash === undefined
    ? { seq, snapshot, ack, first, inputs, poses }
    : { seq, snapshot, ack, hash, first, inputs, poses };
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** The head of a packet of poses; they follow it (poses.ts). */
export function beginPoses(epoch: number, seq: number, tick: number): ByteWriter {
  const out = begin(STATE);
  out.u32(epoch);
  out.u16(seq);
  out.varint(tick);
  return out;
}

export function encodeChunk(chunk: SnapshotChunk): Uint8Array<ArrayBuffer> {
  const out = begin(SNAPSHOT);
  out.u32(chunk.epoch);
  out.varint(chunk.id);
  out.byte(chunk.player);
  out.varint(chunk.bytes);
  out.varint(chunk.index);
  out.raw(chunk.content);
  return out.finish();
}

export function decodeChunk(reader: ByteReader): SnapshotChunk {
  const epoch = reader.u32();
  const id = reader.varint();
  const player = reader.byte();
  const bytes = reader.varint(MOST_STATE);
  const index = reader.varint(Math.floor(MOST_STATE / CHUNK_BYTES));
  const length = Math.min(CHUNK_BYTES, bytes - index * CHUNK_BYTES);
  if (id === 0 || player >= MOST_PLAYERS || length <= 0 || reader.left !== length)
    throw new Malformed('a part of no state');
  return { epoch, id, player, bytes, index, content: reader.raw(length) };
}

const EVENTS = 1;
const INPUTS = 2;
const COMMANDS = 4;

/** `before`: the frame before the first; both sides have it. Stops where the packet is full; it has one frame at least. */
export function encodeFrames(
  game: Game,
  packet: Omit<FramesPacket, 'frames'>,
  before: Frame,
  frames: Iterable<Frame>,
): Uint8Array<ArrayBuffer> {
  const out = begin(FRAMES);
  out.u32(packet.epoch);
  out.varint(packet.tick);
  out.u16(packet.echo.seq);
  out.varint(packet.echo.held);
  out.varint(packet.late);
  writeHashes(out, packet.hashes);
  out.varint(packet.first);
  let run = 0;
  let count = 0;
  const endRun = () => {
    if (run > 0) out.byte(RUN | (run - 1));
    run = 0;
  };
  for (const frame of frames) {
    if ((count > 0 && out.length > PACKET_BYTES) || count === MOST_FRAMES) break;
    const expected = predictedInputs(game, before, frame.events);
    const changed = changes(expected, frame.inputs);
    const flags =
      (frame.events.length > 0 ? EVENTS : 0) +
      (changed.length > 0 ? INPUTS : 0) +
      (frame.commands === undefined ? 0 : COMMANDS);
    if (flags === 0) {
      if (++run === LONGEST_RUN) endRun();
    } else {
      endRun();
      out.byte(flags);
      writeFrame(out, frame, changed);
    }
    before = frame;
    count++;
  }
  endRun();
  return out.finish();
}

/** Players whose input is not the expected one. */
function changes(expected: Frame['inputs'], inputs: Frame['inputs']): number[] {
  const changed: number[] = [];
  for (let player = 0; player < Math.max(expected.length, inputs.length); player++) {
    const [a, b] = [expected[player], inputs[player]];
    if (a === undefined || b === undefined ? a !== b : !equal(a, b)) changed.push(player);
  }
  return changed;
}

function writeFrame(out: ByteWriter, { events, inputs, commands }: Frame, changed: readonly number[]): void {
  if (events.length > 0) {
    out.byte(events.length);
    for (const { player, joins } of events) out.byte(player | (joins ? 0x80 : 0));
  }
  if (changed.length > 0) {
    out.byte(changed.length);
    for (const player of changed) {
      const input = inputs[player];
      out.byte(player);
      out.varint(input === undefined ? 0 : input.length + 1);
      if (input !== undefined) out.raw(input);
    }
  }
  if (commands !== undefined) writeWords(out, commands);
}

/**
 * @param at  the frame of a tick as it was decided, undefined if that is not known (any more)
 * @param own  epoch of the own room
 * @returns null when the frames follow upon one that is not known
 */
export function decodeFrames(
  game: Game,
  reader: ByteReader,
  at: (tick: number) => Frame | undefined,
  own: number,
): FramesPacket | 'another room' | null {
  const epoch = reader.u32();
  if (epoch !== own) return 'another room';
  const tick = reader.varint();
  const echo = { seq: reader.u16(), held: reader.varint() };
  const late = reader.varint();
  const hashes = readHashes(reader, MOST_HASHES);
  const first = reader.varint();
  const packet = { epoch, tick, echo, late, first, hashes };
  let before = at(first - 1);
  if (before === undefined) return null;
  const frames: Frame[] = [];
  while (reader.left > 0) {
    const head = reader.byte();
    const run = head >= RUN ? head - RUN + 1 : 1;
    if (frames.length + run > MOST_FRAMES) throw new Malformed('too many frames');
    for (let i = 0; i < run; i++) {
      before =
        head >= RUN
          ? { events: [], inputs: predictedInputs(game, before) }
          : readFrame(game, reader, head, before);
      frames.push(before);
    }
  }
  return { ...packet, frames };
}

function readFrame(game: Game, reader: ByteReader, flags: number, before: Frame): Frame {
  if (flags === 0 || flags > (EVENTS | INPUTS | COMMANDS)) throw new Malformed('no such frame');
  const events: PlayerEvent[] = [];
  if (flags & EVENTS)
    for (let left = reader.byte(); left > 0; left--) {
      const byte = reader.byte();
      if ((byte & 127) >= MOST_PLAYERS) throw new Malformed('no such player');
      events.push({ player: byte & 127, joins: byte >= 128 });
    }
  const inputs = predictedInputs(game, before, events);
  if (flags & INPUTS)
    for (let left = reader.byte(); left > 0; left--) {
      const player = reader.byte();
      if (player >= MOST_PLAYERS) throw new Malformed('no such player');
      const length = reader.varint(MOST_INPUT_BYTES + 1);
      while (inputs.length <= player) inputs.push(undefined);
      inputs[player] = length === 0 ? undefined : reader.raw(length - 1).slice();
    }
  while (inputs.length > 0 && inputs[inputs.length - 1] === undefined) inputs.pop();
  if (!(flags & COMMANDS)) return { events, inputs };
  return { events, inputs, commands: readWords(reader) };
}

export function encodeRefused(reason: Refusal): Uint8Array<ArrayBuffer> {
  const out = begin(REFUSED);
  out.byte(REFUSALS.indexOf(reason));
  return out.finish();
}

/** To a client that believes to be in the game, and is not: it has to load the state. */
export function encodeLost(): Uint8Array<ArrayBuffer> {
  return begin(LOST).finish();
}

export function decodeRefused(reader: ByteReader): Refusal {
  const reason = REFUSALS[reader.byte()];
  reader.end();
  if (reason === undefined) throw new Malformed('no such reason');
  return reason;
}

// --- the state of a room ---

/** The two ways to keep clients and server together; see docs/net.md. */
export type Mode = 'lockstep' | 'state';

/** A room between two ticks. */
export interface RoomState {
  mode: Mode;
  /** Hz */
  rate: number;
  hashEvery: number;
  tick: number;
  /** The last frame: who is there and what they did, from which the next inputs are predicted. */
  last: Frame;
  game: Uint8Array;
  world: Uint8Array;
  /** In checkpoints of a server only: who plays whom. */
  names: readonly (readonly [player: number, id: string])[];
}

const STATE_MAGIC = 0x4d4f4f52;

export function encodeRoom(state: RoomState): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  out.u32(STATE_MAGIC);
  out.byte(state.mode === 'lockstep' ? 0 : 1);
  out.varint(state.rate);
  out.varint(state.hashEvery);
  out.varint(state.tick);
  out.byte(state.last.inputs.length);
  for (const input of state.last.inputs) {
    out.varint(input === undefined ? 0 : input.length + 1);
    if (input !== undefined) out.raw(input);
  }
  out.varint(state.names.length);
  for (const [player, id] of state.names) {
    out.byte(player);
    out.block(Uint8Array.from(encodeURIComponent(id), (letter) => letter.charCodeAt(0)));
  }
  out.block(state.game);
  out.raw(state.world);
  return out.finish();
}

export function decodeRoom(bytes: Uint8Array): RoomState {
  const reader = new ByteReader(bytes);
  if (reader.u32() !== STATE_MAGIC) throw new Malformed('not the state of a room');
  const mode = reader.byte();
  if (mode > 1) throw new Malformed('no such mode');
  const rate = reader.varint(1000);
  const hashEvery = reader.varint();
  if (rate === 0 || hashEvery === 0) throw new Malformed('a rate of 0');
  const tick = reader.varint();
  const players = reader.byte();
  if (players > MOST_PLAYERS) throw new Malformed('too many players');
  const inputs: (Uint8Array | undefined)[] = [];
  for (let i = 0; i < players; i++) {
    const length = reader.varint(MOST_INPUT_BYTES + 1);
    inputs.push(length === 0 ? undefined : reader.raw(length - 1).slice());
  }
  const names: [number, string][] = [];
  for (let left = reader.varint(MOST_PLAYERS); left > 0; left--) {
    const player = reader.byte();
    names.push([player, decodeURIComponent(String.fromCharCode(...reader.block(4096)))]);
  }
  const game = reader.block(MOST_STATE);
  return {
    mode: mode === 0 ? 'lockstep' : 'state',
    rate,
    hashEvery,
    tick,
    last: players === 0 ? EMPTY_FRAME : { events: [], inputs },
    names,
    game,
    world: reader.raw(reader.left).slice(),
  };
}
