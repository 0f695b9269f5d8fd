// The messages between client and host. Data by messages: each is exactly one ArrayBuffer, transferred, whose first
// word is its kind; data by shared memory: see board.ts. Control: the comlink interface `HostControl` at the end. This
// file is the only place where offsets of messages are declared. Little-endian words of 32 bits; docs/worker.md shows
// them in one table.

import { ownError, PhysicsError, type PlainPhysicsError } from '../src/base/errors';
import type { BodyId, JointId } from '../src/base/ids';
import type { Contact } from '../src/events/events';
import type { DebugLinesOptions } from '../src/lines/debugLines';
import type { HostSettings } from '../src/options/settings';
import type { Ask } from '../src/queries/asks';
import type { RayBatch, RayFilter } from '../src/queries/queries';
import type { QueryMethod } from '../src/replay/queries';
import type { RecorderOptions } from '../src/replay/recorder';
import type { Profile } from '../src/world/profile';
import type { TargetState } from './targets';

/** First word of every message: 'R' << 24 | version << 8 | kind. */
const MAGIC = 0x52000000 | (3 << 8);

/** Client → host: commands to apply. Host → client: the same buffer, empty, for reuse. */
export const MESSAGE_COMMANDS = MAGIC | 1;
/** Host → client: poses, events, debug lines, figures. Client → host: the same buffer, read. */
export const MESSAGE_FRAME = MAGIC | 2;
/** Host → client: a whole command buffer was refused, the world is unchanged. */
export const MESSAGE_REFUSED = MAGIC | 3;
/** Host → client, a SharedArrayBuffer: from now on frames are written to this memory. */
export const MESSAGE_MEMORY = MAGIC | 4;
/** Host → client: the frame that the client waits for is in the shared memory. */
export const MESSAGE_SHOWN = MAGIC | 5;
/** Client → host: there are commands in the shared memory, and no clock runs that would read them. */
export const MESSAGE_WAKE = MAGIC | 6;
/** Client → host and back: a health check. One buffer goes back and forth. */
export const MESSAGE_PING = MAGIC | 7;
/** First word of the memory that both sides share. */
export const BOARD_MAGIC = MAGIC | 8;

/** Word offsets in a command message. The commands follow at COMMANDS_HEADER. */
export const COMMANDS = {
  KIND: 0,
  /** 1, 2, 3 …; buffers are applied in this order without gaps. */
  SEQUENCE: 1,
  /** Words of commands that follow the header. */
  WORDS: 2,
  /** Written by the host: the world's steps before this buffer was applied. Needed for a restart. */
  STEPS: 3,
  /** f64 each, see FrameTimes; a period of 0: this buffer ends no frame of the page. */
  PERIOD: 4,
  TIME: 6,
  BEFORE: 8,
  /**
   * f64: page's clock (ms) at which the last step in this buffer was due; NaN unless the page's frames make the steps.
   */
  DUE: 10,
} as const;
export const COMMANDS_HEADER = 12;
/** Words from PERIOD to the end of the header, which a journal keeps. */
export const TIMES_WORDS = COMMANDS_HEADER - COMMANDS.PERIOD;

/** The page's frame that a buffer ends: kinematic targets in it are for the time of this frame. */
export interface FrameTimes {
  /** ms of the page's clock: this frame, and the frame before it. */
  time: number;
  before: number;
  /** ms of the page's clock per step. */
  period: number;
}

const times = new Float64Array(TIMES_WORDS / 2);
const timesWords = new Int32Array(times.buffer);

/** Writes the part of a command header from PERIOD on to `out[at…]`. */
export function writeTimes(out: Int32Array, at: number, due: number, frame: FrameTimes | null): void {
  times[0] = frame?.period ?? 0;
  times[1] = frame?.time ?? 0;
  times[2] = frame?.before ?? 0;
  times[3] = due;
  out.set(timesWords, at);
}

/** Reads it: period, time, before, due. Returns the same array each time. */
export function readTimes(words: Int32Array, at: number): Float64Array {
  for (let i = 0; i < TIMES_WORDS; i++) timesWords[i] = words[at + i] as number;
  return times;
}

/** Word offsets in a frame. */
export const FRAME = {
  KIND: 0,
  /** Counts publications; gaps mean frames that were skipped because the page held all buffers. */
  NUMBER: 1,
  /** The last command buffer (or control call with a place in the stream) that was applied. */
  SEQUENCE: 2,
  STEPS: 3,
  FLAGS: 4,
  /** Poses of slots 0 … POSE_SLOTS − 1, POSE_WORDS each. */
  POSE_SLOTS: 5,
  POSE_OFFSET: 6,
  /** Event records of all steps since the last frame, in the core's format. */
  EVENT_WORDS: 7,
  EVENT_OFFSET: 8,
  /** Events dropped because the host's buffer was full, since the world was opened. */
  EVENTS_DROPPED: 9,
  /** Debug lines: six floats per line (from, to) at LINE_OFFSET, then one colour word (0xRRGGBB) per line. */
  LINES: 10,
  LINE_OFFSET: 11,
  /** f64: worker's clock (ms) at which the last step of this frame was due. */
  DUE: 12,
  /** f64: real time dropped since the start, ms. */
  DROPPED_MS: 14,
  /** f32: milliseconds that the last step took. */
  STEP_MS: 16,
  /** f32: real milliseconds between two steps at the current speed. */
  PERIOD: 17,
  BODIES: 18,
  AWAKE: 19,
  CONTACTS: 20,
  /** In shared memory events use a ring: its fill position when this frame was written. */
  EVENT_HEAD: 21,
  /** Six floats per slot, linear and angular velocity; 0 if not requested. */
  VELOCITY_OFFSET: 22,
  /** Readings of watched joints: their number, then JOINT_WORDS each; 0 if there are none. */
  JOINT_OFFSET: 23,
  /** f64: when it was written, ms since the epoch: both sides' performance.timeOrigin + performance.now(). */
  WRITTEN: 24,
  /** What is published about actors: number of words, then the words (core/actors.ts); 0 if there are none. */
  ACTOR_OFFSET: 26,
  /** Threads that work on the world. */
  THREADS: 27,
} as const;
export const FRAME_HEADER = 28;

/** Poses must be shown without interpolation: stepped by call, or restored. */
export const FRAME_SNAP = 1;
export const FRAME_RUNNING = 2;
/** The due time is by the page's clock: its frames make the steps. */
export const FRAME_DRIVEN = 4;

/** Words per slot at VELOCITY_OFFSET. */
export const VELOCITY_WORDS = 6;

/** Words per joint: id, flags, impulse 3, angular impulse 3, position and impulse of six axes. See jointReadings.ts. */
export const JOINT_WORDS = 20;

/** A refusal: word 0 the kind, word 1 the sequence, word 2 the bytes of JSON that follow, a PlainPhysicsError. */
const REFUSED = { KIND: 0, SEQUENCE: 1, LENGTH: 2 } as const;
const REFUSED_HEADER = 3;

export function encodeRefusal(sequence: number, error: PlainPhysicsError): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(error));
  const buffer = new ArrayBuffer(4 * (REFUSED_HEADER + Math.ceil(text.length / 4)));
  const words = new Uint32Array(buffer);
  words[REFUSED.KIND] = MESSAGE_REFUSED;
  words[REFUSED.SEQUENCE] = sequence;
  words[REFUSED.LENGTH] = text.length;
  new Uint8Array(buffer, 4 * REFUSED_HEADER).set(text);
  return buffer;
}

export function decodeRefusal(buffer: ArrayBuffer): { sequence: number; error: PhysicsError } {
  const words = new Uint32Array(buffer, 0, REFUSED_HEADER);
  const text = new Uint8Array(buffer, 4 * REFUSED_HEADER, words[REFUSED.LENGTH]);
  const error = PhysicsError.fromPlain(JSON.parse(new TextDecoder().decode(text)) as PlainPhysicsError);
  return { sequence: words[REFUSED.SEQUENCE] as number, error };
}

/** The kind of a message, or 0 for a foreign message. */
export function messageKind(message: unknown): number {
  // By its tag: a port may make the buffer in another realm, as where tests run in a context of node:vm (Jest).
  if (!/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(message))) return 0;
  const { byteLength } = message as ArrayBuffer;
  if (byteLength < 4 || byteLength % 4 !== 0) return 0;
  return new Uint32Array(message as ArrayBuffer, 0, 1)[0] as number;
}

/** An error as a plain object that can be posted. */
export function plainError(error: unknown): PlainPhysicsError {
  const own = ownError(error); // tools are built apart
  if (own instanceof PhysicsError) return own.toPlain();
  const message = error instanceof Error ? error.message : String(error);
  return new PhysicsError('protocol', `the host failed: ${message}`).toPlain();
}

// --- control plane ---

/** Answers carry errors as values, because comlink would drop an error's own fields. */
export type Answer<T> = { value: T } | { error: PlainPhysicsError };

/** A hit, overlap or contact with ids in place of bodies. */
export type WithIds<T> = Omit<T, 'body' | 'bodyA' | 'bodyB'> & {
  [K in Extract<keyof T, 'body' | 'bodyA' | 'bodyB'>]: BodyId;
};

/** A hit with the id of its body, null for a shape that is not in the world. */
export interface Named {
  body: { id: BodyId } | null;
}

/** Answers that belong to the same moment: a list of hits per query. */
export interface Replies {
  step: number;
  answers: Named[][];
}

export type Reply = Replies | { error: PlainPhysicsError };

/** A query as its caller asked it, for a recording. */
export interface Call {
  method: QueryMethod;
  args: unknown[];
  /** Whether the answer is one hit or null, not a list. */
  one: boolean;
}

/** See RecorderOptions. */
export type RecordOptions = Omit<RecorderOptions, 'sink'>;

export interface HostOptions {
  /** s */
  dt: number;
  maxSteps: number;
  timeScale: number;
  maxBodies: number;
  /** Frames carry velocities, too. */
  velocities: boolean;
  /** Refuse a machine that computes differently. */
  deterministic: boolean;
  /** Threads that work on the world, and the address of physics.threads.js if there are to be several. */
  threads: number | 'auto';
  threadsFile: string;
}

/** Where the replacement of a lost worker starts: a snapshot, then the commands since with the steps between them. */
export interface Recovery {
  /** null: the empty world. */
  snapshot: Uint8Array | null;
  /** Steps of the clock since the last command buffer before the snapshot; see PhysicsHost.step. */
  stepsAlone: number;
  /** Kinematic bodies that are moving to targets; see targets.ts. */
  targets: TargetState | null;
  /** Commands since then that the lost host is known to have applied; see journal.ts. */
  journal: Int32Array;
  /** Steps up to which the page has seen the world. */
  steps: number;
  /** The sequence number after all that. Later commands are sent again. */
  sequence: number;
  /** Later sequence numbers that were changes, not commands. */
  skip: number[];
  outputs: Pick<HostSettings, 'eventMask' | 'profiling'>;
  debug: DebugLinesOptions | null;
  /** Ids of joints whose readings are in frames. */
  watched: JointId[];
  /** There may be actors: the tools are needed first. */
  actors: boolean;
  /** Step systems, if there are any, and where physics.systems.js is. */
  systems?: SystemRecovery[];
  systemTools?: string;
}

/** A step system's module, to be loaded in the worker. */
export interface SystemLoad {
  kind: 'load';
  /** By which the page names it. */
  number: number;
  name: string;
  address: string;
  options: unknown;
  /** Its messages come here, as { message }, and what stopped it, as { error }. */
  port: MessagePort;
  /** It tells when its code is entered, and when all have returned: { turn, isInside }. */
  careful: boolean;
}

/** A step system that a lost worker had. */
export interface SystemRecovery extends SystemLoad {
  /** The step before which it began; 0 when the snapshot has it. */
  since: number;
  /** What the lost one was told after the snapshot, each with the number of steps made before it. */
  posts: { step: number; message: unknown }[];
}

/** What happens to a step system: `load` at any time, the rest at a place in the stream. */
export type SystemAct =
  | SystemLoad
  | { kind: 'add'; number: number }
  | { kind: 'post'; number: number; message: unknown }
  | { kind: 'remove'; number: number };

/** A snapshot for `Recovery`. */
export interface Checkpoint {
  snapshot: Uint8Array<ArrayBuffer>;
  sequence: number;
  stepsAlone: number;
  targets: TargetState | null;
}

/**
 * Calls with one answer each. Two ports have no common order, so each call, change or query, has its own sequence
 * number in the stream of command buffers: it happens after number `sequence` − 1 and before number `sequence` + 1,
 * whichever arrives first.
 */
export interface HostControl {
  /** Creates the world. First of all calls. */
  open(options: HostOptions): Promise<Answer<void>>;
  /** Brings the new world to the state of a lost one. Only directly after `open`. */
  recover(recovery: Recovery): Promise<Answer<void>>;
  /** A snapshot with its sequence number, as soon as repeating the work since the last one would take too long. */
  checkpoint(): Promise<Answer<Checkpoint>>;
  /** Frees the world and closes the ports. Last of all calls. */
  close(): Promise<Answer<void>>;

  /** Loads what actors need. At any time. */
  loadActors(): Promise<Answer<void>>;

  // Changes.
  start(sequence: number): Promise<Answer<void>>;
  pause(sequence: number): Promise<Answer<void>>;
  setTimeScale(sequence: number, timeScale: number): Promise<Answer<void>>;
  /** Outputs only; steps do not depend on them. */
  setOutputs(sequence: number, outputs: Pick<HostSettings, 'eventMask' | 'profiling'>): Promise<Answer<void>>;
  /** Selects the lines in each frame; null for none. */
  setDebug(sequence: number, options: DebugLinesOptions | null): Promise<Answer<void>>;
  /** Selects the joints whose readings are in each frame. */
  setWatched(sequence: number, ids: JointId[]): Promise<Answer<void>>;
  /**
   * If it is refused, the world is unchanged, and later commands and queries are refused, too, because they were meant
   * for the restored world, until the client confirms by `goOn` that it knows.
   */
  restore(sequence: number, snapshot: Uint8Array): Promise<Answer<void>>;
  goOn(sequence: number): Promise<Answer<void>>;
  /** Releases a sequence number whose call could not be sent. */
  pass(sequence: number): Promise<Answer<void>>;
  record(sequence: number, options: RecordOptions): Promise<Answer<void>>;
  stopRecording(sequence: number): Promise<Answer<Uint8Array>>;
  /** Answers with the steps that the world had made. Number 0: at any time. `tools`: where physics.systems.js is. */
  system(sequence: number, tools: string, act: SystemAct): Promise<Answer<number>>;

  // Queries.
  /**
   * Queries in groups. Each group is answered or refused separately, at its sequence number; groups with equal numbers
   * are adjacent.
   */
  ask(sequences: number[], groups: Ask[][], calls: (Call | null)[]): Promise<Answer<Reply[]>>;
  rayTestBatch(
    sequence: number,
    rays: Float32Array,
    filter: RayFilter,
    call: Call | null,
  ): Promise<Answer<RayBatch>>;
  getContacts(sequence: number, body: BodyId): Promise<Answer<WithIds<Contact<unknown>>[]>>;
  getProfile(sequence: number): Promise<Answer<Profile>>;
  stateHash(sequence: number): Promise<Answer<string>>;
  /** @param replica  the client's own words: they know densities, which the stream does not carry */
  snapshot(sequence: number, replica: Int32Array): Promise<Answer<Uint8Array>>;
}
