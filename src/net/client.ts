// The client's side of a room. In: packets of the server, own inputs, the time. Out: a world that runs ahead of the
// server by prediction and is put right when the truth arrives, poses to draw, packets to the server.
//
// Ticks: all frames before `confirmed` are the server's. `present` is the tick of the world. Slots keep the states from
// `confirmed` on. A frame that is not as it was predicted brings back the slot before it, and all later ticks are made
// again.
import {
  type BodyId,
  type JointId,
  MAX_BODIES,
  PhysicsError,
  type RigidBody,
  readCommands,
  World,
  type WorldSlot,
} from 'ricochet';
import { Malformed } from './bytes';
import { follow, ServerClock } from './clock';
import { Drawing } from './drawing';
import { equalFrames, type Frame, type Game, NO_INPUT, predictedInputs, roomHash, runTick } from './game';
import { Loading } from './loading';
import {
  decodeChunk,
  decodeFrames,
  decodeRefused,
  decodeRoom,
  encodeHello,
  encodeInput,
  FRAMES,
  type FramesPacket,
  type Hash,
  LOST,
  MOST_INPUTS,
  open,
  REFUSED,
  type RoomState,
  SNAPSHOT,
  type SnapshotChunk,
  STATE,
} from './messages';
import type { RoomClientOptions, RoomClientStats } from './options';
import { correct, dequantise, isOff, isResting, type PoseEntry, PoseReceiver } from './poses';

/** Frames that are remembered: the server's packets refer to one of them. */
const FRAME_MEMORY = 2048;
/** ms between packets while joining. */
const HELLO_PAUSE = 150;
/** Ticks made in one update at most, when behind. */
const MOST_STEPS = 30;
/** Ticks that the server may be ahead before the whole state is faster. */
const TOO_FAR_BEHIND = 600;
const MOST_CORRECTIONS = 1024;
const MOST_PENDING = 128;
const MOST_INPUT = 1024;
const NO_COMMANDS = new Int32Array(0);

/** The last that is known of a body. */
interface Truth extends PoseEntry {
  tick: number;
}

interface PendingPoses {
  tick: number;
  entries: PoseEntry[];
}

/** A room on the side that plays. */
export class RoomClient {
  /** The predicted world. Its bodies are those of the room; change it by the functions of the game only. */
  readonly world: World;
  /** Counts since the client was made. */
  readonly stats: RoomClientStats = {
    roundTrip: 0,
    jitter: 0,
    rollbacks: 0,
    resimulated: 0,
    corrections: [],
    confirmed: 0,
    agreed: 0,
    desyncs: 0,
    hashTick: -1,
    refused: 0,
    late: 0,
    poses: 0,
    corrected: 0,
    gameErrors: 0,
    snapshots: 0,
    bytesIn: 0,
    bytesOut: 0,
    packetsIn: 0,
  };

  private readonly game: Game;
  private readonly drawing: Drawing;
  private readonly maxPrediction: number;
  private readonly inputDelay: number;
  private readonly tolerance: number;
  private room: RoomState | null = null;
  private loading: Loading | null = null;
  private own = -1;
  private epoch = 0;
  private snapshot = 0;
  private isRefused = false;
  private seq = 0;
  private readonly sentAt = new Map<number, number>();
  private helloAt = -Infinity;
  private now = 0;
  private clock = new ServerClock(60, 0);
  private position = 0;
  private lastUpdate = -1;
  /** Whether `position` follows the clock already. */
  private isFollowing = false;
  private wantsState = false;

  private present = 0;
  private confirmed = 0;
  private wrongFrom = Infinity;
  /** Own inputs of ticks from `askedFrom` on, and before `askedTo`, were asked for. */
  private askedFrom = 0;
  private askedTo = 0;
  private readonly decided: ({ tick: number; frame: Frame } | undefined)[] = new Array(FRAME_MEMORY);
  private readonly used: (Frame | undefined)[];
  private readonly inputs: ({ tick: number; input: Uint8Array } | undefined)[];
  private readonly hints: ({ tick: number; told: number; frame: Frame } | undefined)[];
  private readonly slots: ({ tick: number; slot: WorldSlot; game: Uint8Array } | undefined)[];
  private readonly hashes: (Hash | undefined)[];
  private serverHashes: Hash[] = [];
  /** Tick of the newest hash that came. */
  private newestHash = -1;
  private receiver = new PoseReceiver();
  private pendingPoses: PendingPoses[] = [];
  private appliedPoses = -1;
  private readonly truths = new Map<number, Truth>();
  private reviewed = 0;
  /** Mode 'state': the tick in which a joint broke here or was mended, until it is known what the server says of it. */
  private readonly broken = new Map<JointId, number>();
  /** The last tick in which the server switched a joint on or off, by slot. */
  private readonly switched = new Map<number, number>();

  /**
   * A client that is not connected yet: its first `update` asks the server for the state.
   *
   * @throws PhysicsError 'invalid-argument'
   */
  constructor(private readonly options: RoomClientOptions) {
    const { game, maxPrediction = 60, inputDelay = 0, spare = 1.5, tolerance = 0.01 } = options;
    if (!(Number.isInteger(maxPrediction) && maxPrediction >= 1 && maxPrediction <= 240))
      throw new PhysicsError(
        'invalid-argument',
        'must be an integer from 1 to 240',
        'maxPrediction',
        maxPrediction,
      );
    if (!(Number.isInteger(inputDelay) && inputDelay >= 0 && inputDelay <= 30))
      throw new PhysicsError('invalid-argument', 'must be an integer from 0 to 30', 'inputDelay', inputDelay);
    if (!(spare >= 0 && spare <= 30))
      throw new PhysicsError('invalid-argument', 'must be 0 … 30', 'spare', spare);
    if (!(tolerance > 0 && tolerance <= 10))
      throw new PhysicsError('invalid-argument', 'must be above 0 and at most 10', 'tolerance', tolerance);
    this.game = game;
    this.maxPrediction = maxPrediction;
    this.inputDelay = inputDelay;
    this.tolerance = tolerance;
    this.drawing = new Drawing(options.smoothing ?? {}, options.past ?? null);
    this.world = new World(game.world);
    this.world.on('jointBroken', ({ joint }) => this.broken.set(joint, this.present));
    const ring = maxPrediction + 2;
    this.used = new Array(ring);
    this.slots = new Array(ring);
    this.hints = new Array(ring);
    this.hashes = new Array(Math.max(ring, MOST_PENDING));
    this.inputs = new Array(Math.max(ring + inputDelay, MOST_INPUTS));
  }

  /** Whether the state of the room is there. */
  get isJoined(): boolean {
    return this.room !== null;
  }

  /** Number of the own player; −1 before the state is there. */
  get player(): number {
    return this.own;
  }

  /** Tick of the world: ticks that the room has made, the predicted ones included. */
  get tick(): number {
    return this.present;
  }

  /** All ticks before this one are the server's. */
  get confirmedTick(): number {
    return this.confirmed;
  }

  // --- packets ---

  /** A packet of the server came. Never throws for what is in it. `now`: ms, of the clock that `update` is given. */
  receive(packet: Uint8Array, now: number): void {
    this.now = Math.max(this.now, now);
    this.stats.bytesIn += packet.length;
    this.stats.packetsIn++;
    try {
      const { type, reader } = open(packet);
      if (type === SNAPSHOT) this.chunk(decodeChunk(reader));
      else if (type === REFUSED) {
        const reason = decodeRefused(reader);
        this.isRefused = true;
        this.options.onRefused?.(reason);
      } else if (type === LOST) {
        reader.end();
        if (this.room !== null) this.rejoin();
      } else if (type === FRAMES) {
        if (this.room === null) return;
        const frames = decodeFrames(this.game, reader, (tick) => this.decidedAt(tick), this.epoch);
        if (frames === 'another room') this.rejoin();
        else if (frames !== null) this.takeFrames(frames);
      } else if (type === STATE) {
        if (this.room?.mode !== 'state' || reader.u32() !== this.epoch) return;
        const seq = reader.u16();
        const tick = reader.varint();
        const entries = this.receiver.read({ seq, tick, rate: this.room.rate }, reader);
        if (entries === null) return;
        this.stats.poses += entries.length;
        this.pendingPoses.push({ tick, entries });
        if (this.pendingPoses.length > MOST_PENDING) this.pendingPoses.shift();
      } else throw new Malformed('not from a server');
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.stats.refused++;
    }
  }

  private decidedAt(tick: number): Frame | undefined {
    const known = this.decided[tick < 0 ? 0 : tick % FRAME_MEMORY];
    return known?.tick === tick ? known.frame : undefined;
  }

  private chunk(chunk: SnapshotChunk): void {
    if (this.room !== null && chunk.epoch === this.epoch && chunk.id <= this.snapshot) return;
    if (this.room !== null) this.rejoin(); // the server thinks that it is lost
    const { loading } = this;
    if (loading !== null && loading.epoch === chunk.epoch && chunk.id < loading.id) return;
    this.loading = loading?.isOf(chunk) ? loading : new Loading(chunk);
    if (this.loading.take(chunk, this.now)) this.adopt(this.loading);
  }

  /** The state is complete. */
  private adopt({ epoch, id, player, bytes }: Loading): void {
    this.loading = null;
    const room = decodeRoom(bytes);
    this.drawing.hold();
    try {
      this.world.restore(room.world);
      this.game.restore?.(this.world, room.game);
    } catch {
      throw new Malformed('a state that the world refuses');
    }
    if (this.room === null || this.epoch !== epoch || this.clock.rate !== room.rate)
      this.clock = new ServerClock(room.rate, this.options.spare ?? 1.5, this.clock.extra);
    this.room = { ...room, world: NO_INPUT, game: NO_INPUT };
    this.own = player;
    this.epoch = epoch;
    this.snapshot = id;
    this.present = this.confirmed = room.tick;
    this.position = this.askedFrom = this.askedTo = room.tick;
    this.isFollowing = false;
    this.wrongFrom = Infinity;
    this.decided.fill(undefined);
    this.decided[(room.tick + FRAME_MEMORY - 1) % FRAME_MEMORY] = { tick: room.tick - 1, frame: room.last };
    for (const ring of [this.used, this.hashes, this.inputs, this.hints]) ring.fill(undefined as never);
    for (const kept of this.slots) if (kept !== undefined) kept.tick = -1;
    this.serverHashes = [];
    this.newestHash = -1;
    this.stats.hashTick = -1;
    this.pendingPoses = [];
    this.appliedPoses = -1;
    this.truths.clear();
    this.broken.clear();
    this.switched.clear();
    this.reviewed = room.tick;
    this.receiver = new PoseReceiver();
    this.keepState();
    // Who comes back sees the room go on from where it was drawn.
    this.drawing.restart(room.tick, 1 / room.rate);
    this.drawing.note(this.world, room.tick);
    this.drawing.capture(this.world, false);
    this.drawing.capture(this.world, true);
    this.drawing.release();
    this.stats.snapshots++;
    this.options.onJoined?.(this.world);
  }

  /** Asks for the whole state, as at the beginning: after a reconnection, or when own and server's state differ. */
  rejoin(): void {
    this.room = null;
    this.loading = null;
    this.helloAt = -Infinity;
    this.isRefused = false;
  }

  private takeFrames({ tick, echo, late, hashes, first, frames }: FramesPacket): void {
    const sent = this.sentAt.get(echo.seq);
    this.clock.sample(tick, sent === undefined ? null : this.now - sent - echo.held, late, this.now);
    this.stats.late = late;
    this.stats.roundTrip = this.clock.roundTrip;
    this.stats.jitter = this.clock.jitter;
    for (const hash of hashes) {
      if (hash.tick <= this.newestHash) continue;
      this.newestHash = hash.tick;
      this.serverHashes.push(hash);
      if (this.serverHashes.length > MOST_PENDING) this.serverHashes.shift();
    }
    for (let i = 0; i < frames.length; i++) {
      const at = first + i;
      const frame = frames[i]!;
      if (at >= tick) this.takeHint(at, frame, tick);
      if (at !== this.confirmed || at >= tick) continue;
      this.decided[at % FRAME_MEMORY] = { tick: at, frame };
      if (at < this.present && !equalFrames(this.used[at % this.used.length]!, frame))
        this.wrongFrom = Math.min(this.wrongFrom, at);
      this.confirmed++;
      this.stats.confirmed++;
    }
    if (this.confirmed - this.present > TOO_FAR_BEHIND) this.rejoin();
  }

  /** What the server knows of a tick that is not decided: a better prediction than our own. */
  private takeHint(at: number, frame: Frame, told: number): void {
    const place = at % this.hints.length;
    const known = this.hints[place];
    if (at >= this.confirmed + this.hints.length || (known?.tick === at && known.told > told)) return;
    this.hints[place] = { tick: at, told, frame };
    if (at < this.confirmed || at >= this.present) return;
    const inputs = frame.inputs.slice();
    const used = this.used[at % this.used.length]!;
    if (inputs[this.own] !== undefined) inputs[this.own] = used.inputs[this.own];
    if (!equalFrames(used, { events: used.events, inputs })) this.wrongFrom = Math.min(this.wrongFrom, at);
  }

  // --- time ---

  /**
   * Puts the past right, makes the ticks that are due, sends the own inputs. Call it once per frame.
   *
   * @param now  ms of any clock that never goes back, such as performance.now()
   */
  update(now: number): void {
    now = Math.max(now, this.now);
    const elapsed = this.lastUpdate < 0 ? 0 : Math.max(0, now - this.lastUpdate);
    this.lastUpdate = now;
    this.now = now;
    if (this.room === null) {
      this.sayHello();
      return;
    }
    if (!this.settle()) this.rejoin();
    if (this.room === null) return;
    const { rate } = this.room;
    if (this.broken.size > 0 && this.room.mode === 'state') this.mendJoints();
    // When ticks are made up for, after a sleep, or when the state was loaded, time jumps; what is drawn does not.
    let jumps = this.position > this.present + 2;
    if (this.clock.isSet) {
      // Inputs that are made earlier need not be sent earlier.
      const target = Math.max(this.clock.target(now) - this.inputDelay, this.clock.told(now));
      const position = this.isFollowing ? follow(this.position, target, elapsed, rate) : target;
      jumps ||= !this.isFollowing || position === target;
      this.position = position;
      this.isFollowing = true;
      // After a jump the server gets inputs from where the client is; after a shorter break, those that can reach it yet.
      const isJump = position === target || position > this.present + MOST_STEPS;
      const to = Math.min(Math.floor(position), this.confirmed + this.maxPrediction) + this.inputDelay;
      this.skipInputs(isJump ? to : Math.min(to, this.clock.reached));
    }
    if (jumps) this.drawing.hold();
    const to = Math.min(
      Math.floor(this.position),
      this.confirmed + this.maxPrediction,
      this.present + MOST_STEPS,
    );
    const from = this.present;
    if (to > from) {
      while (this.present < to) {
        if (this.present === to - 1) this.drawing.capture(this.world, false);
        this.ask();
        this.makeTick();
      }
      this.drawing.capture(this.world, true);
      this.settleHashes();
    }
    this.drawing.alpha = Math.max(0, Math.min(1, this.position - this.present));
    if (jumps) {
      this.drawing.position = this.position;
      this.drawing.release();
    }
    this.drawing.advance(this.position, this.confirmed, (elapsed * rate) / 1000, elapsed / 1000);
    if (to > from || now - this.helloAt > HELLO_PAUSE) this.sendInput();
  }

  /** Makes the past what the server says, and the ticks after it again. False if the state before is not kept any more. */
  private settle(): boolean {
    const { present } = this;
    const from = this.wrongFrom;
    this.wrongFrom = Infinity;
    const poses = this.room!.mode === 'state' ? this.duePoses() : [];
    if (from >= present && poses.length === 0) {
      this.settleHashes();
      return true;
    }
    this.drawing.hold();
    let wrong = from < present;
    if (wrong && !this.goBack(from)) return false;
    for (const { tick, entries } of poses) {
      if (wrong && tick >= this.present) while (this.present < tick) this.makeTick();
      else if (!this.goBack(tick)) return false;
      if (!this.applyPoses(entries)) continue;
      this.drawing.correct(this.world, tick);
      wrong = true;
      this.keepState();
    }
    if (!wrong) return this.goBack(present);
    this.stats.rollbacks++;
    while (this.present < present) {
      if (this.present === present - 1) this.drawing.capture(this.world, false);
      this.makeTick();
      this.stats.resimulated++;
    }
    this.drawing.capture(this.world, true);
    const { corrections } = this.stats;
    for (const [body, metres, drawn] of this.drawing.release()) {
      corrections.push(metres);
      this.options.onCorrection?.(body, metres, drawn);
    }
    if (corrections.length > MOST_CORRECTIONS) corrections.splice(0, corrections.length - MOST_CORRECTIONS);
    this.settleHashes();
    return true;
  }

  /** Poses of confirmed ticks that are not the future, in order. */
  private duePoses(): PendingPoses[] {
    const due: PendingPoses[] = [];
    const rest: PendingPoses[] = [];
    for (const pending of this.pendingPoses)
      if (pending.tick > this.confirmed || pending.tick > this.present) rest.push(pending);
      else if (pending.tick >= this.appliedPoses && this.slotAt(pending.tick) !== undefined)
        due.push(pending);
    this.pendingPoses = rest;
    for (const { tick, entries } of due)
      for (const entry of entries) {
        const known = this.truths.get(entry.slot);
        if (known === undefined || known.tick <= tick) this.truths.set(entry.slot, { ...entry, tick });
      }
    const review = this.review();
    if (review !== null) due.push(review);
    due.sort((a, b) => a.tick - b.tick);
    if (due.length > 0) this.appliedPoses = due[due.length - 1]!.tick;
    return due;
  }

  /**
   * The server does not repeat what has not changed. But a prediction may have moved what rests at the server: so bodies
   * that were last told to be at rest are compared again from time to time.
   */
  private review(): PendingPoses | null {
    const pause = this.room!.rate >> 2;
    const tick = Math.min(this.confirmed, this.present);
    if (tick < this.reviewed + pause || tick < this.appliedPoses || this.slotAt(tick) === undefined)
      return null;
    this.reviewed = tick;
    const entries = [...this.truths.values()].filter(
      (truth) => truth.tick + pause < tick && isResting(truth.state),
    );
    return entries.length === 0 ? null : { tick, entries };
  }

  /**
   * Joints that broke here by a prediction, but not at the server, which switches off what breaks: whole again. A rollback
   * may bring back a state from before that, so they are looked at once more.
   */
  private mendJoints(): void {
    const spread = this.room!.rate >> 2; // ticks between a break as predicted and as it was
    for (const [id, tick] of this.broken) {
      if (tick + spread > this.confirmed) continue;
      const told = this.switched.get(id & MAX_BODIES) ?? -Infinity;
      const joint = this.world.getJoint(id);
      if (told < tick - spread && joint?.isBroken) {
        joint.setEnabled(true);
        this.broken.set(id, this.present);
        this.keepState();
      } else this.broken.delete(id);
    }
  }

  /** True if a body was off. */
  private applyPoses(entries: readonly PoseEntry[]): boolean {
    const bodies = new Map<number, RigidBody>();
    for (const body of this.world.bodies()) bodies.set(body.id & MAX_BODIES, body);
    let changed = false;
    for (const { slot, state, full } of entries) {
      const body = bodies.get(slot);
      if (body === undefined || body.type === 'static') continue;
      const told = dequantise(state);
      if (!isOff(body, told, full, this.tolerance)) continue;
      correct(body, told, full);
      this.stats.corrected++;
      changed = true;
    }
    return changed;
  }

  private slotAt(tick: number) {
    const kept = this.slots[tick % this.slots.length];
    return kept?.tick === tick ? kept : undefined;
  }

  private goBack(tick: number): boolean {
    const kept = this.slotAt(tick);
    if (kept === undefined) return false;
    this.world.restore(kept.slot);
    this.game.restore?.(this.world, kept.game);
    this.present = tick;
    return true;
  }

  private makeTick(): void {
    const tick = this.present;
    const frame = this.decidedAt(tick) ?? this.predict(tick);
    this.used[tick % this.used.length] = frame;
    const { mode, rate } = this.room!;
    try {
      for (const { name, fields } of readCommands(frame.commands ?? NO_COMMANDS))
        if (name === 'setJointEnabled') this.switched.set(fields['joint'] as number, tick);
      this.stats.gameErrors += runTick(
        this.world,
        this.game,
        frame,
        { tick, dt: 1 / rate },
        mode === 'lockstep' ? 'runs' : 'follows',
      );
    } catch (error) {
      if (!(error instanceof PhysicsError) || error.code !== 'damaged-commands') throw error;
      this.stats.desyncs++; // bodies are not those of the server
      this.world.step(1 / rate);
      this.wantsState = true;
    }
    this.present = tick + 1;
    this.drawing.note(this.world, this.present);
    this.keepState();
  }

  /** What happens in a tick of which the server has not told yet. */
  private predict(tick: number): Frame {
    const before = this.decidedAt(tick - 1) ?? this.used[(tick - 1 + this.used.length) % this.used.length]!;
    const hint = this.hints[tick % this.hints.length];
    const inputs = hint?.tick === tick ? hint.frame.inputs.slice() : predictedInputs(this.game, before);
    const own = this.inputs[tick % this.inputs.length];
    if (inputs[this.own] !== undefined && own?.tick === tick) inputs[this.own] = own.input;
    return { events: [], inputs };
  }

  /**
   * Inputs before this tick come too late, when the client joins, or was not called for a while: they are not asked for.
   * The server decides without them, and the prediction does as it does.
   */
  private skipInputs(to: number): void {
    if (to > this.askedTo) this.askedFrom = this.askedTo = to;
  }

  /** Asks for the own inputs up to the one that is given in the tick to be made. */
  private ask(): void {
    const last = this.present + this.inputDelay;
    for (let tick = Math.max(this.askedTo, this.present, this.confirmed); tick <= last; tick++) {
      const input = this.options.input(tick);
      if (!(input instanceof Uint8Array) || input.length > MOST_INPUT)
        throw new PhysicsError('invalid-argument', `must return at most ${MOST_INPUT} bytes`, 'input', input);
      this.inputs[tick % this.inputs.length] = { tick, input: input.slice() };
    }
    this.askedTo = Math.max(this.askedTo, last + 1);
  }

  /** Keeps the present state, if a later rollback may need it. */
  private keepState(): void {
    const { present: tick } = this;
    const { mode, hashEvery } = this.room!;
    if (mode === 'lockstep' && tick % hashEvery === 0)
      this.hashes[tick % this.hashes.length] = { tick, digits: roomHash(this.world, this.game) };
    if (tick < this.confirmed && mode === 'lockstep') return;
    const at = tick % this.slots.length;
    const kept = this.slots[at];
    const game = this.game.save?.() ?? NO_INPUT;
    if (kept === undefined) this.slots[at] = { tick, slot: this.world.save(), game };
    else {
      this.world.save(kept.slot);
      kept.tick = tick;
      kept.game = game;
    }
  }

  private settleHashes(): void {
    const later: Hash[] = [];
    for (const hash of this.serverHashes) {
      const own = this.hashes[hash.tick % this.hashes.length];
      if (hash.tick > this.confirmed || hash.tick > this.present || this.wrongFrom < hash.tick)
        later.push(hash);
      else if (own?.tick === hash.tick) {
        this.stats.hashTick = Math.max(this.stats.hashTick, hash.tick);
        if (own.digits === hash.digits) this.stats.agreed++;
        else {
          this.stats.desyncs++;
          this.wantsState = true;
        }
      }
    }
    this.serverHashes = later;
    if (this.wantsState) {
      this.wantsState = false;
      this.rejoin();
    }
  }

  // --- sending ---

  private nextSeq(): number {
    this.seq = (this.seq + 1) & 0xffff;
    this.sentAt.set(this.seq, this.now);
    if (this.sentAt.size > 512) this.sentAt.delete(this.sentAt.keys().next().value!);
    return this.seq;
  }

  private post(packet: Uint8Array<ArrayBuffer>): void {
    this.stats.bytesOut += packet.length;
    this.options.send(packet);
  }

  private sayHello(): void {
    if (this.isRefused || this.now - this.helloAt < HELLO_PAUSE) return;
    this.helloAt = this.now;
    this.post(
      encodeHello({
        seq: this.nextSeq(),
        version: this.game.version ?? 0,
        core: this.world.engine.core,
        snapshot: this.loading?.id ?? 0,
        missing: this.loading?.missing(this.now, 2 * HELLO_PAUSE) ?? [],
      }),
    );
  }

  private sendInput(): void {
    this.helloAt = this.now;
    // All that the server has not decided yet, as far as is known here.
    const first = Math.max(this.confirmed, this.askedFrom, this.askedTo - MOST_INPUTS);
    const inputs: Uint8Array[] = [];
    for (let tick = first; tick < this.askedTo; tick++) {
      const own = this.inputs[tick % this.inputs.length];
      if (own?.tick !== tick) break;
      inputs.push(own.input);
    }
    const { hashTick } = this.stats;
    const own = hashTick >= 0 ? this.hashes[hashTick % this.hashes.length] : undefined;
    this.post(
      encodeInput(this.game, {
        seq: this.nextSeq(),
        snapshot: this.snapshot,
        ack: this.confirmed,
        ...(own?.tick === hashTick ? { hash: own } : {}),
        first,
        inputs,
        poses: this.receiver.acks,
      }),
    );
  }

  // --- drawing ---

  /** Where to draw a body now: position, m, and rotation, seven numbers; between ticks, corrections fading. */
  drawnPose(body: RigidBody | BodyId, out: Float32Array): Float32Array {
    return this.drawing.read(body, out);
  }

  /** Frees the world. */
  dispose(): void {
    this.world.dispose();
  }
}
