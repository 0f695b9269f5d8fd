// Records a world while it runs. In: a world's recorder hook (tap). Out: bytes, piece by piece or as one array. Reads
// the world after its steps and never changes it. Imports types only, so that the worker loads nothing else.
import type { SnapshotGeometry, SnapshotParts, WorldTap } from 'ricochet';
import {
  CHUNK,
  CHUNK_END,
  CHUNK_HEADER,
  crc32,
  DEFLATED,
  type EngineName,
  HASH_WORDS,
  joined,
  MAGIC,
  MAJOR,
  MARK,
  MINOR,
  PREAMBLE_BYTES,
  type RecordingHead,
  STATE_ENTRY,
  STATE_HEADER,
  textWords,
} from './format';
import { jsonOf, type QueryRecord, watchQueries } from './queries';

/** What is recorded: World, and the world of a worker's host. */
export interface RecordedWorld {
  /** Who is told what happens; null for nobody. */
  tap: WorldTap | null;
  /** Name and version of the engine. */
  readonly engine: EngineName;
  /** What exists in the world. */
  readonly replica: { settings: object; gravity: readonly number[]; geometries: GeometryTable };
  /** Applies pending commands. */
  sync(): void;
  /** The state; `followed`: without what a replica follows from the commands. */
  snapshotParts(followed: boolean): SnapshotParts;
  /** The error to throw for an argument that breaks a rule. */
  refusal(argument: string, rule: string, value: unknown): Error;
  /** 16 hexadecimal digits. */
  stateHash(): string;
  /** Hashes of the bodies, to find the first one that differs. */
  digest(): Int32Array;
}

interface GeometryTable {
  at(slot: number): { kind: number; words: Int32Array } | undefined;
}

/** Options of a recorder. */
export interface RecorderOptions {
  /** Steps between two state hashes, 1 … 1,000,000. Default 1. */
  hashEvery?: number;
  /** Steps between two keyframes (recorded states), which make seeking fast; 0: none. Default 300. */
  keyframeEvery?: number;
  /** Whether queries and their results are recorded. Default true. */
  queries?: boolean;
  /** Whether the file is compressed (deflate). Default true. */
  compress?: boolean;
  /** JSON data to store in the file. */
  notes?: Record<string, unknown>;
  /** Receives the file piece by piece; `finish` then returns no bytes. */
  sink?: (bytes: Uint8Array) => void;
}

/** Commands whose content goes to a chunk of its own: see ADD_GEOMETRY in the command table. */
const ADD_GEOMETRY = 29;
const GEOMETRY_FIELDS = 3;
const STEP = 28;
/** Words after which a stream becomes a chunk. */
const STREAM_WORDS = 16384;

/** Records a world. */
export class Recorder implements WorldTap {
  /** Steps so far. */
  frames = 0;
  /** Bytes before compression. */
  bytes = 0;
  private readonly hashEvery: number;
  private readonly keyframeEvery: number;
  private readonly output: Output;
  private words = new Int32Array(1024);
  private length = 0;
  /** Where the frame that goes on begins. */
  private frameAt = 0;
  private chunks = 0;
  private streamWords = 0;
  private readonly geometries = new Map<string, { number: number; words: Int32Array }[]>();
  private geometryCount = 0;
  private readonly answers: boolean[] = [];
  private readonly queries: boolean;
  private readonly stopQueries: () => void;
  private finished: Promise<Uint8Array<ArrayBuffer>> | undefined;

  /** Begins with the current state. A world can have one recorder. */
  constructor(
    private readonly world: RecordedWorld,
    options: RecorderOptions = {},
  ) {
    const { hashEvery = 1, keyframeEvery = 300, queries = true, compress = true, notes = {}, sink } = options;
    if (world.tap !== null) throw world.refusal('world', 'must not be in a recording already', 'recorded');
    if (!(hashEvery >= 1 && hashEvery <= 1e6 && Number.isInteger(hashEvery)))
      throw world.refusal('hashEvery', 'must be 1 … 1000000', hashEvery);
    if (!(keyframeEvery >= 0 && keyframeEvery <= 1e6 && Number.isInteger(keyframeEvery)))
      throw world.refusal('keyframeEvery', 'must be 0 … 1000000', keyframeEvery);
    this.hashEvery = hashEvery;
    this.keyframeEvery = keyframeEvery;
    this.output = new Output(compress, sink);
    world.sync();
    const { settings, gravity } = world.replica;
    const head: RecordingHead = {
      engine: world.engine,
      settings: rounded(settings),
      gravity: gravity.map(Math.fround),
      hashEvery,
      keyframeEvery,
      notes,
    };
    this.chunk(CHUNK.head, textWords(JSON.stringify(head)));
    this.state(false);
    this.hash();
    world.tap = this;
    this.queries = queries;
    this.stopQueries = queries ? watchQueries(world, (record) => this.query(record)) : () => {};
  }

  /** Ends the recording. Returns the bytes of the whole file, or none if a sink received them. */
  finish(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.finished === undefined) {
      this.world.sync();
      this.stopQueries();
      this.world.tap = null;
      this.endStream();
      this.chunk(CHUNK.last, Int32Array.of(this.frames, this.chunks, this.streamWords));
      this.finished = this.output.finish();
    }
    return this.finished;
  }

  // --- the tap ---

  /** Of WorldTap: commands were applied. */
  commands(words: Int32Array): void {
    let from = 0;
    for (let at = 0; at < words.length; ) {
      const end = at + ((words[at] as number) >>> 8);
      if (((words[at] as number) & 255) === ADD_GEOMETRY) {
        this.append(words, from, at);
        const number = this.geometry(words[at + 2] as number, words.subarray(at + GEOMETRY_FIELDS, end));
        this.mark(MARK.geometry, GEOMETRY_FIELDS + 1);
        this.words[this.length++] = number;
        for (let i = 1; i < GEOMETRY_FIELDS; i++) this.words[this.length++] = words[at + i] as number;
        from = end;
      }
      at = end;
    }
    this.append(words, from, words.length);
  }

  /** Of WorldTap: the pair filter answered. */
  filtered(collide: boolean): void {
    this.answers.push(collide);
  }

  /** Of WorldTap: a step is about to be made, s. */
  step(dt: number): void {
    if (this.answers.length > 0) this.filter();
    this.mark(STEP, 2);
    DT[0] = dt;
    this.words[this.length++] = DT_WORD[0] as number;
    this.frames++;
    if (this.frames % this.hashEvery === 0) this.hash();
    this.frameAt = this.length;
    if (this.keyframeEvery > 0 && this.frames % this.keyframeEvery === 0) this.state(false);
    else if (this.length > STREAM_WORDS) this.endStream();
  }

  /** Of WorldTap: the world was set to another state. */
  restored(): void {
    this.length = this.frameAt; // what came since the last step is gone
    this.state(true);
  }

  private filter(): void {
    const { answers } = this;
    const bits = (answers.length + 31) >> 5;
    this.mark(MARK.filter, 2 + bits);
    this.words[this.length++] = answers.length;
    for (let i = 0; i < bits; i++) this.words[this.length + i] = 0;
    for (let i = 0; i < answers.length; i++)
      if (answers[i]) (this.words[this.length + (i >> 5)] as number) |= 1 << (i & 31);
    this.length += bits;
    answers.length = 0;
  }

  /** A query that was made in another way than by a method of the world. */
  note(record: QueryRecord): void {
    if (this.queries) this.query(record);
  }

  private query(record: QueryRecord): void {
    const text = textWords(jsonOf([record.method, record.args, record.result]));
    if (text.length >= 1 << 23) return; // longer than a mark can be
    this.mark(MARK.query, 1 + text.length);
    this.words.set(text, this.length);
    this.length += text.length;
  }

  private hash(): void {
    const hash = this.world.stateHash();
    const digest = this.world.digest();
    this.mark(MARK.hash, HASH_WORDS);
    this.words[this.length++] = Number.parseInt(hash.slice(8), 16) | 0;
    this.words[this.length++] = Number.parseInt(hash.slice(0, 8), 16) | 0;
    this.words.set(digest, this.length);
    this.length += digest.length;
  }

  // --- the stream ---

  private reserve(words: number): void {
    if (this.length + words <= this.words.length) return;
    const grown = new Int32Array(Math.max(this.length + words, 2 * this.words.length));
    grown.set(this.words.subarray(0, this.length));
    this.words = grown;
  }

  /** The first word of a command or mark of so many words, and room for the others. */
  private mark(code: number, words: number): void {
    this.reserve(words);
    this.words[this.length++] = code | (words << 8);
  }

  private append(words: Int32Array, from: number, end: number): void {
    this.reserve(end - from);
    for (let i = from; i < end; i++) this.words[this.length++] = words[i] as number;
  }

  private endStream(): void {
    if (this.length === 0) return;
    this.streamWords += this.length;
    const words = this.words.slice(0, this.length);
    this.length = 0;
    this.frameAt = 0;
    this.chunk(CHUNK.stream, words);
  }

  // --- chunks ---

  /** The number of some content; written once. */
  private geometry(kind: number, words: Int32Array): number {
    const name = `${kind} ${words.length} ${crc32(words)}`;
    const same = this.geometries.get(name) ?? [];
    const found = same.find((other) => other.words.every((word, i) => word === words[i]));
    if (found !== undefined) return found.number;
    const content = words.slice();
    const number = this.geometryCount++;
    this.geometries.set(name, [...same, { number, words: content }]);
    const chunk = new Int32Array(1 + content.length);
    chunk[0] = kind;
    chunk.set(content, 1);
    this.chunk(CHUNK.geometry, chunk);
    return number;
  }

  private state(jump: boolean): void {
    this.endStream();
    const { core, replica, geometries, localTime, fixedTimeStep } = this.world.snapshotParts(true);
    const kindOf = ({ slot }: SnapshotGeometry) => this.world.replica.geometries.at(slot)?.kind ?? 0;
    const numbers = geometries.map((geometry) => this.geometry(kindOf(geometry), geometry.words));
    const entries = STATE_HEADER + STATE_ENTRY * numbers.length;
    const words = new Int32Array(entries + core.length + replica.length);
    words.set([this.frames, jump ? 1 : 0, core.length, replica.length, numbers.length]);
    words.set(new Int32Array(Float64Array.of(localTime, fixedTimeStep).buffer), 5);
    numbers.forEach((number, i) => {
      words.set([(geometries[i] as SnapshotGeometry).slot, number], STATE_HEADER + STATE_ENTRY * i);
    });
    words.set(core, entries);
    words.set(replica, entries + core.length);
    this.chunk(CHUNK.state, words);
  }

  private chunk(kind: number, content: Int32Array): void {
    const words = new Int32Array(CHUNK_HEADER + content.length + CHUNK_END);
    words[0] = kind | (this.chunks++ << 8);
    words[1] = content.length;
    words.set(content, CHUNK_HEADER);
    words[words.length - 1] = crc32(words, 0, words.length - 1);
    this.bytes += words.byteLength;
    this.output.write(new Uint8Array(words.buffer));
  }
}

/** As the stream of commands has them, in one order: on both sides of a worker alike. */
function rounded(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings)
      .map(
        ([name, value]: [string, unknown]) =>
          [name, typeof value === 'number' ? Math.fround(value) : value] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const DT = new Float32Array(1);
const DT_WORD = new Int32Array(DT.buffer);

/** Bytes on their way into the file. */
class Output {
  private readonly pieces: Uint8Array[] = [];
  private readonly writer: WritableStreamDefaultWriter<BufferSource> | undefined;
  private readonly pumped: Promise<void> = Promise.resolve();
  private failure: unknown;

  constructor(
    compress: boolean,
    private readonly sink: ((bytes: Uint8Array) => void) | undefined,
  ) {
    const preamble = new Int32Array(PREAMBLE_BYTES / 4);
    preamble[0] = MAGIC;
    preamble[1] = MAJOR | (MINOR << 16);
    preamble[2] = compress ? DEFLATED : 0;
    this.emit(new Uint8Array(preamble.buffer));
    if (!compress) return;
    const stream = new CompressionStream('deflate-raw');
    this.writer = stream.writable.getWriter();
    this.pumped = this.pump(stream.readable.getReader());
  }

  private async pump(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.emit(value);
    }
  }

  private emit(bytes: Uint8Array): void {
    if (this.sink === undefined) this.pieces.push(bytes);
    else this.sink(bytes);
  }

  write(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.writer === undefined) this.emit(bytes);
    else this.writer.write(bytes).catch((error: unknown) => (this.failure ??= error));
  }

  async finish(): Promise<Uint8Array<ArrayBuffer>> {
    await this.writer?.close();
    await this.pumped;
    if (this.failure !== undefined) throw this.failure;
    return joined(this.pieces);
  }
}
