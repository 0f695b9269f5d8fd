// Plays a recording in its own world. In: a recording. Out: the recorded world, at any frame, forwards and backwards;
// and if it diverges, the first step, body and field. A frame is a step with the commands before it.
import { COMMANDS, PhysicsError, type RigidBody, World, type WorldSlot } from 'ricochet';
import { HASH_WORDS, MARK, wordsJson } from './format';
import { isQueryMethod, jsonOf, plain } from './queries';
import { type ReadOptions, type Recording, RecordingError, readRecording } from './read';

/** The point where a replay diverges from its recording. */
export interface Divergence {
  /** The first step after which the states differ. */
  frame: number;
  /** 'state': the hash of the world; 'query': an answer. */
  kind: 'state' | 'query';
  /** Id of the first body that differs, if it can be determined: see docs/recording.md. */
  body?: number;
  /** The first field that differs, in the order of the record: position, rotation, linearVelocity, angularVelocity, or another. */
  field?: string;
  /** The recorded value. */
  expected: unknown;
  /** The replayed value. */
  actual: unknown;
}

/** Options of a player. */
export interface PlayerOptions extends ReadOptions {
  /** Steps between two states that the player caches for seeking backwards. Default 60. */
  cacheEvery?: number;
  /** Maximum size of this cache, bytes. Default 64 MiB. */
  cacheBytes?: number;
  /** Called for each divergence. */
  onDivergence?: (divergence: Divergence) => void;
}

/** Result of verify. */
export interface Verification {
  /** Steps made. */
  frames: number;
  /** State hashes compared. */
  hashes: number;
  /** Answers compared. */
  queries: number;
  /** The first. */
  divergence: Divergence | null;
  /** Number of hashes and answers that differed. */
  divergences: number;
}

/** s */
const ROUNDING = 1e-6;

const FIELDS = ['position', 'rotation', 'linearVelocity', 'angularVelocity'] as const;

/** Plays a recording in its own world, forwards and (from cached states) backwards, and compares the results. */
export class Player {
  /** The world of the replay: read it, draw it. Changing it makes the replay diverge. */
  readonly world: World;
  /** Steps made since the beginning, 0 … recording.frames. */
  frame = 0;
  /** Recorded seconds per second, for `advance`. */
  speed = 1;
  /** Whether `update` advances the replay. */
  playing = false;
  /** The first divergence since the start, or since the last seek to a point before it. */
  divergence: Divergence | null = null;
  /** State hashes compared so far. */
  hashes = 0;
  /** Answers compared so far. */
  queries = 0;
  /** Comparisons that failed so far. */
  divergences = 0;
  private time = 0;
  /** Whether what came after the last step was done. */
  private closed = false;
  private readonly slots = new Map<number, WorldSlot>();
  private readonly cacheEvery: number;
  private cacheBytes: number;
  /** Of the pair filter in the frame that goes on. */
  private answers: boolean[] | null = null;
  private filtering = false;
  private placesOf: Map<number, [number, number]> | undefined;
  private readonly onDivergence: (divergence: Divergence) => void;

  /**
   * Opens a file in a new world; other players are not affected.
   *
   * @throws PhysicsError 'damaged-recording' or 'incompatible-recording', with the byte
   */
  static async open(file: Uint8Array, options: PlayerOptions = {}): Promise<Player> {
    return new Player(await readRecording(file, options), options);
  }

  /** A player at the start of a recording. Throws a RecordingError for one that does not fit this engine. */
  constructor(
    /** What is played. */
    readonly recording: Recording,
    options: PlayerOptions = {},
  ) {
    this.cacheEvery = options.cacheEvery ?? 60;
    this.cacheBytes = options.cacheBytes ?? 64 << 20;
    this.onDivergence = options.onDivergence ?? (() => {});
    this.world = new World();
    const { engine } = recording.head;
    const own = this.world.engine;
    if (engine.layout !== own.layout)
      throw new RecordingError(
        'incompatible-recording',
        `ricochet ${engine.version} (core ${engine.core}) made it; ${own.version} (core ${own.core}) lays out its state in another way and cannot replay it`,
        16,
      );
    this.toKeyframe(0);
    this.checkHashes(0);
    this.jump();
    this.endForces();
    this.close();
  }

  /** Whether this core made the recording: then the replay must be exact. Otherwise use `verify`. */
  get isSameCore(): boolean {
    return this.recording.head.engine.core === this.world.engine.core;
  }

  // --- time ---

  /** Starts playing: each `update` advances. */
  play(): void {
    this.playing = true;
  }

  /** Pauses. */
  pause(): void {
    this.playing = false;
  }

  /** Makes the frames that are due after `seconds` of real time. Returns their number. */
  advance(seconds: number): number {
    if (!this.playing) return 0;
    this.time += seconds * this.speed;
    let made = 0;
    while (this.frame < this.recording.frames) {
      const dt = this.frameTime(this.frame);
      if (this.time + ROUNDING < dt) break; // recorded steps are f32
      this.time -= dt;
      this.step();
      made++;
    }
    if (this.frame >= this.recording.frames) this.playing = false;
    return made;
  }

  /** One frame forwards. False at the end. */
  step(): boolean {
    if (this.frame >= this.recording.frames) return false;
    this.keep();
    this.runFrame(this.frame);
    this.frame++;
    this.checkHashes(this.frame);
    this.jump();
    this.endForces();
    this.close();
    return true;
  }

  /**
   * Goes to the state after `frame` steps, as the recorded program found it: forces that acted are cleared. With the last
   * step comes what was done after it. Backwards, it starts from the nearest cached state.
   */
  seek(frame: number): void {
    const target = Math.max(0, Math.min(this.recording.frames, Math.trunc(frame)));
    if (!Number.isFinite(frame))
      throw new PhysicsError('invalid-argument', 'must be a number', 'frame', frame);
    this.time = 0;
    const start = this.nearest(target);
    if (target < this.frame || start.frame > this.frame) {
      if (start.slot !== undefined) this.world.restore(start.slot);
      else this.toKeyframe(start.keyframe);
      this.frame = start.frame;
      this.closed = false;
      this.endForces();
      if (this.divergence !== null && this.divergence.frame > this.frame) this.divergence = null;
    }
    while (this.frame < target) this.step();
    this.close();
  }

  /** Plays the rest and compares; stops at the first divergence, unless `goOn` is set. */
  verify({ goOn = false }: { goOn?: boolean } = {}): Verification {
    while (this.step()) if (this.divergence !== null && !goOn) break;
    const { hashes, queries, divergence, divergences } = this;
    return { frames: this.frame, hashes, queries, divergence, divergences };
  }

  /** s. Length of a frame's step. */
  frameTime(frame: number): number {
    let dt = 0;
    this.forEach(frame, (words, at, floats) => {
      if (words[at] === COMMANDS.step.head) dt = floats[at + 1] as number;
    });
    return dt;
  }

  /** Frees the world that it plays in. */
  dispose(): void {
    this.world.dispose();
    this.slots.clear();
  }

  // --- states ---

  private nearest(target: number): { frame: number; keyframe: number; slot?: WorldSlot } {
    let best: { frame: number; keyframe: number; slot?: WorldSlot } = { frame: 0, keyframe: 0 };
    this.recording.keyframes.forEach(({ frame }, keyframe) => {
      // Of several states of one frame the last is what the next frame starts from.
      if (frame <= target && frame >= best.frame) best = { frame, keyframe };
    });
    for (const [frame, slot] of this.slots)
      if (frame <= target && frame > best.frame) best = { frame, keyframe: -1, slot };
    return best;
  }

  /** Keeps the present state now and then, unless it is not what was recorded. */
  private keep(): void {
    const { frame, slots } = this;
    if (this.cacheEvery === 0 || frame % this.cacheEvery !== 0 || slots.has(frame)) return;
    if (this.divergence !== null || this.cacheBytes <= 0) return;
    const slot = this.world.save();
    this.cacheBytes -= slot.byteLength;
    slots.set(frame, slot);
  }

  private toKeyframe(index: number): void {
    const keyframe = this.recording.keyframes[index];
    if (keyframe === undefined) return;
    try {
      this.world.restoreParts(keyframe.parts);
    } catch (error) {
      throw this.refused(error);
    }
  }

  private refused(error: unknown): unknown {
    if (!(error instanceof PhysicsError) || error instanceof RecordingError) return error;
    const what = `frame ${this.frame}: ${error.message}`;
    return new RecordingError(
      error.code === 'incompatible-snapshot' ? 'incompatible-recording' : 'damaged-recording',
      what,
      0,
    );
  }

  private jump(): void {
    for (const index of this.recording.jumps.get(this.frame) ?? []) this.toKeyframe(index);
  }

  // --- frames ---

  /** Visits commands and marks from where a frame begins to where the next one does. */
  private forEach(frame: number, visit: (words: Int32Array, at: number, floats: Float32Array) => void): void {
    const { streams, starts } = this.recording;
    let stream = starts[2 * frame] ?? streams.length;
    let at = starts[2 * frame + 1] ?? 0;
    const lastStream = starts[2 * frame + 2] ?? streams.length;
    const end = starts[2 * frame + 3] ?? 0;
    for (; stream < streams.length && stream <= lastStream; stream++, at = 0) {
      const words = streams[stream] as Int32Array;
      const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
      const stop = stream === lastStream ? end : words.length;
      for (; at < stop; at += (words[at] as number) >>> 8) visit(words, at, floats);
    }
  }

  /**
   * A call that steps ends forces. In the file that is the first command after the hash and state of the step, as part of
   * the next frame, which repeats it here without effect.
   */
  private endForces(): void {
    const { streams, starts } = this.recording;
    const stream = streams[starts[2 * this.frame] ?? streams.length];
    const at = starts[2 * this.frame + 1] ?? 0;
    const { head, totalWords } = COMMANDS.clearForces;
    if (stream?.[at] === head) this.apply(stream.subarray(at, at + totalWords));
  }

  /** At the end: what came after the last step, once. */
  private close(): void {
    if (this.closed || this.frame < this.recording.frames) return;
    this.closed = true;
    this.runFrame(this.frame);
  }

  private runFrame(frame: number): void {
    const { world } = this;
    let from = -1;
    let source: Int32Array | undefined;
    const apply = (end: number) => {
      if (source !== undefined && end > from) this.apply(source.subarray(from, end));
      from = -1;
      source = undefined;
    };
    let end = 0;
    this.forEach(frame, (words, at) => {
      const code = (words[at] as number) & 255;
      const length = (words[at] as number) >>> 8;
      if (source !== words) {
        apply(end);
        if (code < 128) [source, from] = [words, at];
      }
      end = at + length;
      if (code < 128) {
        if (words[at] !== COMMANDS.step.head) return;
        if ((this.answers !== null) !== this.filtering) {
          this.filtering = this.answers !== null;
          world.setPairFilter(this.filtering ? () => this.answers?.shift() ?? true : null);
        }
        apply(end);
        this.answers = null;
        return;
      }
      apply(at);
      if (code === MARK.geometry) {
        const { words: content } = this.recording.geometries[words[at + 1] as number]!;
        const fields = words.subarray(at + 2, end);
        const command = new Int32Array(1 + fields.length + content.length);
        command[0] = COMMANDS.addGeometry.code | (command.length << 8);
        command.set(fields, 1);
        command.set(content, 1 + fields.length);
        this.apply(command);
      } else if (code === MARK.filter) {
        this.answers = Array.from(
          { length: words[at + 1] as number },
          (_, i) => (((words[at + 2 + (i >> 5)] as number) >>> (i & 31)) & 1) === 1,
        );
      } else if (code === MARK.query) {
        this.ask(wordsJson(words.subarray(at + 1, end)) as [string, unknown[], unknown]);
      }
    });
    apply(end);
  }

  private apply(words: Int32Array): void {
    try {
      this.world.applyCommands(words);
    } catch (error) {
      throw this.refused(error);
    }
  }

  private ask([method, args, expected]: [string, unknown[], unknown]): void {
    if (!isQueryMethod(method)) return; // of a later version
    const run = this.world[method] as (...args: unknown[]) => unknown;
    this.queries++;
    let actual: unknown;
    try {
      const asked = args.map((arg) => arg ?? undefined); // JSON has no undefined
      actual = JSON.parse(jsonOf(plain(run.apply(this.world, asked)) ?? null));
    } catch (error) {
      actual = String(error);
    }
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      this.diverged({ frame: this.frame, kind: 'query', field: method, expected, actual });
  }

  // --- comparison ---

  /** Marks that follow the step of a frame come before the next one begins. */
  private checkHashes(frame: number): void {
    const place = this.places().get(frame);
    if (place === undefined) return;
    const words = this.recording.streams[place[0]] as Int32Array;
    const at = place[1];
    this.hashes++;
    const hash = this.world.stateHash();
    const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0');
    const expected = hex(words[at + 2] as number) + hex(words[at + 1] as number);
    if (hash === expected) return;
    const recorded = words.subarray(at + 3, at + HASH_WORDS);
    this.diverged({ frame, kind: 'state', ...this.locate(frame, recorded), expected, actual: hash });
  }

  /** Hash marks by frame. */
  private places(): Map<number, [number, number]> {
    if (this.placesOf !== undefined) return this.placesOf;
    const places = new Map<number, [number, number]>();
    let frame = 0;
    this.recording.streams.forEach((words, stream) => {
      for (let at = 0; at < words.length; at += (words[at] as number) >>> 8) {
        if (words[at] === COMMANDS.step.head) frame++;
        else if (((words[at] as number) & 255) === MARK.hash) places.set(frame, [stream, at]);
      }
    });
    this.placesOf = places;
    return places;
  }

  private diverged(divergence: Divergence): void {
    this.divergences++;
    this.divergence ??= divergence;
    this.onDivergence(divergence);
  }

  /**
   * The body and field, from a recorded state of this frame if there is one; else from the digest: its sums say
   * which fields differ, and which body if it is one alone.
   */
  private locate(frame: number, recorded: Int32Array): Pick<Divergence, 'body' | 'field'> {
    const keyframe = this.recording.keyframes.find((other) => other.frame === frame && !other.jump);
    if (keyframe !== undefined) {
      const other = new World();
      try {
        other.restoreParts(keyframe.parts);
        const found = firstDifference(other, this.world);
        if (found !== null) return { body: found.body, field: found.field };
      } finally {
        other.dispose();
      }
    }
    const own = this.world.digest();
    const out: Pick<Divergence, 'body' | 'field'> = {};
    const field = FIELDS.find((_, i) => own[i] !== recorded[i]);
    if (field !== undefined) out.field = field;
    const sum = ((own[4] as number) - (recorded[4] as number)) | 0;
    const placed = ((own[5] as number) - (recorded[5] as number)) | 0;
    if (sum === 0) return out;
    const fits = [...this.world.bodies()].filter((body) => Math.imul(body.id & 0x3ffff, sum) === placed);
    if (fits.length === 1) out.body = (fits[0] as RigidBody).id;
    return out;
  }
}

/** First body, in the order of slots, and field of it in which two worlds differ. */
export function firstDifference(
  a: World,
  b: World,
): { body: number; field: string; a: unknown; b: unknown } | null {
  const others = new Map([...b.bodies()].map((body) => [body.id, body]));
  for (const body of a.bodies()) {
    const other = others.get(body.id);
    if (other === undefined) return { body: body.id, field: 'existence', a: true, b: false };
    others.delete(body.id);
    for (const [field, read] of READ) {
      const [own, theirs] = [read(body), read(other)];
      if (JSON.stringify(own) !== JSON.stringify(theirs)) return { body: body.id, field, a: own, b: theirs };
    }
  }
  for (const id of others.keys()) return { body: id, field: 'existence', a: false, b: true };
  return null;
}

const READ: readonly (readonly [string, (body: RigidBody) => unknown])[] = [
  ['type', (body) => body.type],
  ['position', (body) => Array.from(body.getCenterOfMassPosition())],
  ['rotation', (body) => Array.from(body.getRotation())],
  ['linearVelocity', (body) => Array.from(body.getLinearVelocity())],
  ['angularVelocity', (body) => Array.from(body.getAngularVelocity())],
  ['mass', (body) => body.mass],
  ['activationState', (body) => body.getActivationState()],
];
