// The worker's side of one world. In: command buffers, in order. Out: frames with poses, events and figures. Owns the
// clock. Commands apply only between steps, in the order of their sequence numbers, so the timing of messages cannot
// change a result. Control calls are in control.ts.

import { PhysicsError } from '../src/base/errors';
import type { JointId } from '../src/base/ids';
import type { DebugLines, DebugLinesOptions } from '../src/lines/debugLines';
import { checkCommands } from '../src/replica/commands';
import {
  SetTransform,
  step as STEP,
  setKinematicPosition,
  setKinematicRotation,
  setKinematicTarget,
  setPosition,
  setRotation,
  setTransform,
} from '../src/wasm/core-commands';
import { BodyPose, BodyVelocity } from '../src/wasm/core-layout';
import { coreModule } from '../src/wasm/core-module';
import type { CoreMaker } from '../src/wasm/instance';
import { BOARD, BOARD_HEADER, CommandRingReader, EventRingWriter, FrameWriter, type Memory } from './board';
import { FixedStepClock } from './clock';
import { EventQueue } from './eventQueue';
import { HostWorld } from './hostWorld';
import { POSE_WORDS } from './interpolate';
import { writeJoints } from './jointReadings';
import { forEachEntry } from './journal';
import {
  type Checkpoint,
  COMMANDS_HEADER,
  encodeRefusal,
  FRAME,
  FRAME_DRIVEN,
  FRAME_HEADER,
  FRAME_RUNNING,
  FRAME_SNAP,
  type FrameTimes,
  type HostOptions,
  JOINT_WORDS,
  MESSAGE_COMMANDS,
  MESSAGE_FRAME,
  MESSAGE_PING,
  MESSAGE_SHOWN,
  MESSAGE_WAKE,
  messageKind,
  COMMANDS as OFFSET,
  plainError,
  type Recovery,
  readTimes,
  VELOCITY_WORDS,
} from './protocol';
import { Targets } from './targets';
import type { Tools } from './toolbox';
import { type DataPort, type FrameOut, MessageFrames } from './transport';

/** A tick that has taken this many periods makes no further step: a late step is better than a burst of steps. */
const TICK_PERIODS = 2;
/** ms. After stepping this long by command the worker reads its messages, so that it can be ended. */
const DRAIN_MS = 20;
/**
 * A checkpoint is taken if a replacement would have to repeat steps for this many ms, and for this many times the
 * duration of a checkpoint (about 5 ms for 1,000 bodies), or this many words of commands.
 */
const REPLAY_MS = 40;
const REPLAY_PER_CHECKPOINT = 8;
const REPLAY_WORDS = 1 << 16;
/** ms. With longer periods between steps the page must announce commands by a message. */
const LONGEST_POLL = 50;

interface Waiter {
  sequence: number;
  proceed(): void;
}

/** Commands of kinematic targets. */
const TARGETS: readonly number[] = [
  setKinematicTarget.head,
  setKinematicPosition.head,
  setKinematicRotation.head,
];

export class PhysicsHost {
  world!: HostWorld;
  clock!: FixedStepClock;
  /** Sequence number of the last processed message of the stream. */
  sequence = 0;
  /** Steps of the clock since the last command buffer. */
  stepsAlone = 0;
  /** A restore was refused and the client does not know it yet: its commands are meant for another world. */
  refusing = false;
  /** Nothing of the stream is dealt with yet: what comes before it is on its way. */
  isHeld = false;
  private targets!: Targets;
  /** Targets in the current buffer, as word indices. */
  private aimed: { words: Int32Array; at: number[]; frame: FrameTimes } | null = null;
  /** If the page's frames make the buffer's steps: when the next one was due, ms of the page's clock. */
  private driven: { moment: number; period: number } | null = null;
  private readonly messageFrames: MessageFrames | null;
  private readonly frames: FrameOut;
  private readonly flagsShared: Int32Array | null;
  private readonly ring: CommandRingReader | null;
  private readonly eventRing: EventRingWriter | null;
  private readonly events = new EventQueue();
  /** Commands are copied to memory to which no other thread can write. */
  private copy = new Int32Array(1024);
  /** Buffers that arrived too early: earlier ones are still in transit. */
  private readonly early = new Map<number, ArrayBuffer>();
  /** Sequence numbers that only the lost host received and that are not sent again. */
  private readonly skip = new Set<number>();
  private waiters: Waiter[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;
  /** True if something changed since the last frame. */
  private dirty = false;
  private flags = FRAME_SNAP;
  private frameNumber = 0;
  private stepMs = 0;
  /** ms of the page's clock at which the last step was due, if the page's frames make the steps. */
  private pageDue = Number.NaN;
  /** Since the last checkpoint: ms of stepping and words of commands; and ms that the checkpoint took. */
  private replayMs = 0;
  private replayWords = 0;
  private checkpointMs = 0;
  private worth: (() => void) | undefined;
  private velocities = false;
  private stepCommand!: Int32Array;
  private debug: DebugLinesOptions | null = null;
  private watched: readonly JointId[] = [];
  private lines: DebugLines | undefined;
  private drawDebugLines: Tools['drawDebugLines'] | undefined;

  constructor(
    private readonly port: DataPort,
    board: Memory | null,
    /** In the page itself, takes memory for frames. */
    private readonly announce?: (memory: Memory) => void,
  ) {
    if (board === null) {
      this.frames = this.messageFrames = new MessageFrames(port);
      this.flagsShared = this.ring = this.eventRing = null;
    } else {
      const shared = !(board instanceof ArrayBuffer);
      this.frames = new FrameWriter(shared, announce ?? ((memory) => port.postMessage(memory)));
      this.messageFrames = null;
      this.flagsShared = new Int32Array(board, 0, BOARD_HEADER);
      this.ring = new CommandRingReader(board);
      this.eventRing = new EventRingWriter(board);
    }
    port.addEventListener('message', (event) => this.receive(event.data));
    port.start();
  }

  /** `make`: see HostWorld. */
  open({ dt, maxSteps, timeScale, maxBodies, velocities }: HostOptions, make?: CoreMaker | string): void {
    this.world = new HostWorld(maxBodies, make);
    this.targets = new Targets(this.world);
    this.world.onStep = () => this.aim();
    this.clock = new FixedStepClock({ dt, maxSteps, timeScale });
    this.velocities = velocities;
    const step = new ArrayBuffer(4 * STEP.totalWords);
    this.stepCommand = new Int32Array(step);
    this.stepCommand[0] = STEP.head;
    new Float32Array(step)[1] = dt;
    // For a replacement worker, which then need not compile it.
    if (this.announce === undefined) this.port.postMessage(coreModule());
  }

  /** Frees the world. */
  close(): void {
    this.stop();
    clearTimeout(this.rest);
    this.port.close();
    this.early.clear();
    this.waiters = [];
    this.world?.dispose();
  }

  // --- data plane ---

  private receive(message: unknown): void {
    switch (messageKind(message)) {
      case MESSAGE_COMMANDS:
        this.queue(message as ArrayBuffer);
        break;
      case MESSAGE_FRAME:
        this.messageFrames?.takeBack(message as ArrayBuffer);
        if (this.dirty) this.publish();
        break;
      case MESSAGE_WAKE:
        this.drainSoon();
        break;
      case MESSAGE_PING:
        this.port.postMessage(message, [message as ArrayBuffer]);
    }
  }

  private queue(buffer: ArrayBuffer): void {
    const header = new Int32Array(buffer, 0, Math.min(COMMANDS_HEADER, buffer.byteLength / 4));
    const sequence = header[OFFSET.SEQUENCE] ?? 0;
    if (header.length < COMMANDS_HEADER || sequence <= this.sequence) {
      this.refuse(
        new PhysicsError('damaged-commands', `command buffer refused, number ${sequence}: out of order`),
      );
      return;
    }
    this.early.set(sequence, buffer);
    this.drainSoon();
  }

  /**
   * Processes the buffers at once, or, if the host was just busy, after other arrived messages. Node delivers many
   * messages in one turn.
   */
  private drainSoon(): void {
    if (this.rest === undefined) this.drain();
  }

  /** Processes all buffers whose turn it is. */
  drain(): void {
    if (this.isHeld || this.world === undefined || this.world.isDisposed) return;
    const end = performance.now() + DRAIN_MS;
    while (this.drainSkipped() || this.drainRing() || this.drainMessage())
      if (performance.now() > end) {
        clearTimeout(this.rest);
        this.rest = setTimeout(this.drainRest);
        break;
      }
    this.proceed();
  }

  private readonly drainRest = (): void => {
    this.rest = undefined;
    this.drain();
  };

  private drainSkipped(): boolean {
    if (this.skip.size === 0 || !this.skip.delete(this.sequence + 1)) return false;
    this.sequence++;
    return true;
  }

  private drainMessage(): boolean {
    const buffer = this.early.get(this.sequence + 1);
    if (buffer === undefined) return false;
    this.early.delete(++this.sequence);
    const words = new Int32Array(buffer);
    const commands = this.read(words, 0);
    // Mark and return the buffer before applying it: the client must have the mark before a frame shows its effect.
    words[OFFSET.STEPS] = this.refusing ? -1 : this.world.stepCount;
    this.port.postMessage(buffer, [buffer]);
    if (commands !== null) this.apply(commands);
    return true;
  }

  private drainRing(): boolean {
    const { ring } = this;
    if (ring === null) return false;
    const at = ring.peek();
    if (at < 0 || ring.words[at + OFFSET.SEQUENCE] !== this.sequence + 1) return false;
    this.sequence++;
    const commands = this.read(ring.words, at);
    ring.take(this.refusing ? -1 : this.world.stepCount);
    if (commands !== null) this.apply(commands);
    return true;
  }

  private proceed(): void {
    if (this.waiters.length === 0) return;
    const ready = this.waiters.filter(({ sequence }) => sequence <= this.sequence);
    this.waiters = this.waiters.filter(({ sequence }) => sequence > this.sequence);
    for (const waiter of ready) waiter.proceed();
  }

  /** Resolves when the stream is processed up to `sequence`. */
  reached(sequence: number): Promise<void> {
    this.drainSoon();
    if (sequence <= this.sequence) return Promise.resolve();
    return new Promise((proceed) => this.waiters.push({ sequence, proceed }));
  }

  /** Copies the commands of the buffer whose header is at `words[at]`; null if it is refused. */
  private read(words: Int32Array, at: number): Int32Array | null {
    const count = words[at + OFFSET.WORDS] as number;
    if (!(count >= 0 && count <= words.length - at - COMMANDS_HEADER)) {
      this.refuse(
        new PhysicsError('damaged-commands', `command buffer refused: ${count} words do not fit into it`),
      );
      return null;
    }
    if (count > this.copy.length) this.copy = new Int32Array(2 * count);
    const from = at + COMMANDS_HEADER;
    for (let i = 0; i < count; i++) this.copy[i] = words[from + i] as number;
    this.readTimes(words, at + OFFSET.PERIOD);
    return this.copy.subarray(0, count);
  }

  /** The times of the last buffer. */
  private frame: FrameTimes | null = null;
  private due = Number.NaN;

  private readTimes(words: Int32Array, at: number): void {
    const [period, time, before, due] = readTimes(words, at) as unknown as [number, number, number, number];
    this.frame = period > 0 ? { period, time, before } : null;
    this.due = due;
  }

  private apply(commands: Int32Array): void {
    if (this.refusing) return;
    const { due } = this;
    const steps = this.applyCommands(commands);
    if (steps > 0) this.pageDue = due;
    // While the clock runs, the next tick publishes anyway.
    if (!this.clock.running) {
      if (Number.isNaN(this.pageDue)) this.publish(FRAME_SNAP);
      else this.publish(FRAME_RUNNING | FRAME_DRIVEN);
    } else if (steps > 0) this.publish(FRAME_RUNNING);
  }

  /** Applies commands; returns the number of steps among them. */
  private applyCommands(commands: Int32Array): number {
    this.stepsAlone = 0;
    const { world } = this;
    const stepsBefore = world.stepCount;
    const before = performance.now();
    try {
      world.applyCommands(this.takeTargets(commands));
      if (this.aimed !== null) {
        world.sync();
        this.enterTargets();
      }
    } catch (error) {
      this.aimed = null;
      this.refuse(error);
      return 0;
    } finally {
      this.driven = null;
    }
    const steps = (world.stepCount - stepsBefore) & 0x7fffffff; // the count starts again
    const elapsed = performance.now() - before;
    if (steps > 0) {
      this.stepMs = elapsed / steps;
      this.events.append(world.eventLog);
    }
    this.repeatable(elapsed, commands.length);
    return steps;
  }

  // --- kinematic targets ---

  /** Removes the targets that belong to a frame of the page from the commands, and returns the rest. */
  private takeTargets(commands: Int32Array): Int32Array {
    const { frame, due, targets } = this;
    if (frame === null && targets.isEmpty) return commands;
    const at: number[] = [];
    let steps = 0;
    let rest = commands;
    let length = 0;
    for (let from = 0; from < commands.length; ) {
      const head = commands[from] as number;
      const end = from + (head >>> 8);
      if (end === from) break; // damaged; applyCommands will refuse it
      if (head === STEP.head) steps++;
      const isTarget = TARGETS.includes(head);
      if (isTarget && frame !== null) {
        checkCommands(commands.subarray(from, end), this.world.replica.geometryFault);
        if (rest === commands) rest = commands.slice();
        at.push(from);
      } else {
        if (isTarget || head === setTransform.head || head === setPosition.head || head === setRotation.head)
          targets.drop(commands[from + 1 + SetTransform.body] as number);
        if (rest !== commands) rest.copyWithin(length, from, end);
        length += end - from;
      }
      from = end;
    }
    if (at.length > 0 && frame !== null) this.aimed = { words: commands.slice(), at, frame };
    if (frame !== null && steps > 0 && !Number.isNaN(due))
      this.driven = { moment: due - (steps - 1) * frame.period, period: frame.period };
    return rest === commands ? commands : rest.subarray(0, length);
  }

  private enterTargets(): void {
    const { aimed, targets } = this;
    if (aimed === null) return;
    this.aimed = null;
    const floats = new Float32Array(aimed.words.buffer);
    targets.begin(aimed.frame);
    for (const at of aimed.at) {
      const head = aimed.words[at] as number;
      const given = floats.subarray(at + 2, at + (head >>> 8));
      targets.add(aimed.words[at + 1] as number, given, aimed.frame);
    }
  }

  /** Runs before each step. */
  private aim(): void {
    const { driven } = this;
    this.enterTargets();
    if (driven === null) {
      this.targets.advance();
      return;
    }
    this.targets.advanceTo(driven.moment, driven.period);
    driven.moment += driven.period;
  }

  /** Runs after the state was replaced. */
  restored(): void {
    this.stepsAlone = 0;
    this.targets.clear();
    this.publish(FRAME_SNAP);
  }

  private refuse(error: unknown): void {
    const refusal = encodeRefusal(this.sequence, plainError(error));
    this.port.postMessage(refusal, [refusal]);
  }

  // --- checkpoints ---

  /** Adds work that a replacement would have to repeat. */
  private repeatable(ms: number, words: number): void {
    this.replayMs += ms;
    this.replayWords += words;
    if (!this.isWorthCheckpoint) return;
    this.worth?.();
    this.worth = undefined;
  }

  private get isWorthCheckpoint(): boolean {
    const { replayMs, replayWords, checkpointMs } = this;
    return replayMs > Math.max(REPLAY_MS, REPLAY_PER_CHECKPOINT * checkpointMs) || replayWords > REPLAY_WORDS;
  }

  /** Resolves when a checkpoint would save a replacement some time. */
  worthCheckpoint(): Promise<void> {
    if (this.isWorthCheckpoint) return Promise.resolve();
    return new Promise((resolve) => {
      this.worth = resolve;
    });
  }

  checkpoint(): Checkpoint {
    const began = performance.now();
    const { sequence, stepsAlone, world } = this;
    const targets = this.targets.save();
    const snapshot = world.snapshot();
    this.replayMs = this.replayWords = 0;
    // Average, because a busy machine sometimes makes a checkpoint slow.
    this.checkpointMs = (this.checkpointMs + performance.now() - began) / 2;
    return { snapshot, sequence, stepsAlone, targets };
  }

  /**
   * Brings the world to the state of a lost host. Steps that the page has seen run again, but are not reported again.
   */
  recover(recovery: Recovery): void {
    const { snapshot, sequence, stepsAlone, targets, journal, steps, skip, outputs, debug, watched } =
      recovery;
    const began = performance.now();
    const { world } = this;
    this.setOutputs(outputs);
    if (snapshot !== null) world.restoreOwn(snapshot); // made or accepted by a worker of this world
    this.stepsAlone = stepsAlone;
    this.targets.load(targets);
    const stepTo = (end: number) => {
      while (world.stepCount < end) {
        const seen = world.stepCount < steps;
        this.step();
        if (seen) this.events.clear();
      }
    };
    forEachEntry(journal, (_, commands, before, words, times) => {
      stepTo(before);
      this.readTimes(words, times);
      const seen = world.stepCount < steps;
      this.applyCommands(commands);
      if (seen) this.events.clear();
    });
    stepTo(steps);
    this.replayMs = performance.now() - began;
    this.sequence = sequence;
    for (const place of skip) this.skip.add(place);
    this.debug = debug;
    this.watched = watched;
    this.publish(FRAME_SNAP);
    this.rest ??= setTimeout(this.drainRest); // the page is notified first
  }

  // --- clock ---

  start(): void {
    this.clock.start(performance.now());
    this.pageDue = Number.NaN;
    this.drain();
    this.publish(FRAME_RUNNING);
    this.schedule();
  }

  stop(): void {
    this.clock?.stop();
    clearTimeout(this.timer);
    this.timer = undefined;
    this.poll(false);
    this.drain(); // commands that came while the host announced that it polls
  }

  setTimeScale(timeScale: number): void {
    this.clock.setTimeScale(timeScale, performance.now());
    clearTimeout(this.timer);
    this.timer = undefined;
    this.schedule();
    this.drain();
  }

  private poll(on: boolean): void {
    if (this.flagsShared !== null) Atomics.store(this.flagsShared, BOARD.POLLED, on ? 1 : 0);
  }

  private schedule(): void {
    if (!this.clock.running || this.timer !== undefined) return;
    this.poll(this.clock.period < LONGEST_POLL);
    this.timer = setTimeout(this.tick, this.clock.wait(performance.now()));
  }

  private readonly tick = (): void => {
    this.timer = undefined;
    this.drain();
    const began = performance.now();
    const due = this.clock.due(began);
    const deadline = began + TICK_PERIODS * this.clock.period;
    let now = began;
    try {
      for (let made = 0; made < due; made++) {
        if (made > 0 && now > deadline) {
          this.clock.drop(due - made);
          break;
        }
        const before = now;
        this.step();
        now = performance.now();
        this.stepMs = now - before;
        this.repeatable(this.stepMs, 0);
      }
    } catch (error) {
      this.clock.stop();
      this.refuse(error);
    }
    if (due > 0) this.publish(FRAME_RUNNING);
    this.schedule();
  };

  /**
   * One step of the clock. Forces are not cleared: they act until the client's next frame, like Bullet's in all
   * substeps of a frame, but at most for `maxSteps` steps.
   */
  private step(): void {
    const { world } = this;
    if (this.stepsAlone++ === this.clock.maxSteps && world.replica.hasForces) world.replica.clearForces();
    world.applyCommands(this.stepCommand);
    this.events.append(world.eventLog);
  }

  // --- frames ---

  setOutputs({ eventMask, profiling }: Recovery['outputs']): void {
    this.world.profiling = profiling;
    this.world.replica.host.eventMask = eventMask;
    this.world.instance.set('eventMask', eventMask);
  }

  setDebug(options: DebugLinesOptions | null): void {
    this.debug = options;
    this.publish();
  }

  /** Sets the function that draws debug lines. */
  drawWith({ drawDebugLines }: Pick<Tools, 'drawDebugLines'>): void {
    this.drawDebugLines = drawDebugLines;
  }

  setWatched(ids: readonly JointId[]): void {
    this.watched = ids;
    this.publish();
  }

  /** Publishes the current state, or does so when the page returns a buffer. */
  publish(flags = this.flags): void {
    this.flags = flags;
    this.dirty = true;
    // A frame with a later sequence number would mean that the restore was done.
    if (!this.frames.available || this.refusing) return;
    const { world, events } = this;
    world.sync();
    const lines = this.debug === null ? undefined : this.drawDebugLines?.(world, this.debug, this.lines);
    if (lines !== undefined) this.lines = lines;
    const lineCount = lines?.count ?? 0;
    const { instance } = world;
    const slots = instance.get('bodyEnd');
    if (this.eventRing !== null) events.move(this.eventRing);
    const eventWords = this.eventRing === null ? events.length : 0;
    const velocityAt = FRAME_HEADER + POSE_WORDS * slots;
    const eventAt = velocityAt + (this.velocities ? VELOCITY_WORDS * slots : 0);
    const lineAt = eventAt + eventWords;
    const jointAt = lineAt + 7 * lineCount;
    const { length } = this.watched;
    const actorAt = jointAt + (length > 0 ? 1 + JOINT_WORDS * length : 0);
    const actorWords = world.publishActors();
    const { words, floats, doubles } = this.frames.acquire(4 * (actorAt + 1 + actorWords));

    words[FRAME.KIND] = MESSAGE_FRAME;
    words[FRAME.NUMBER] = ++this.frameNumber;
    words[FRAME.SEQUENCE] = this.sequence;
    words[FRAME.STEPS] = instance.get('stepCount');
    words[FRAME.FLAGS] = flags;
    words[FRAME.POSE_SLOTS] = slots;
    words[FRAME.POSE_OFFSET] = FRAME_HEADER;
    words[FRAME.EVENT_WORDS] = eventWords;
    words[FRAME.EVENT_OFFSET] = eventAt;
    words[FRAME.EVENTS_DROPPED] = events.dropped;
    words[FRAME.EVENT_HEAD] = this.eventRing?.head ?? 0;
    words[FRAME.LINES] = lineCount;
    words[FRAME.LINE_OFFSET] = lineAt;
    words[FRAME.VELOCITY_OFFSET] = this.velocities ? velocityAt : 0;
    words[FRAME.JOINT_OFFSET] = length > 0 ? jointAt : 0;
    words[FRAME.ACTOR_OFFSET] = actorWords > 0 ? actorAt : 0;
    doubles[FRAME.DUE / 2] = (flags & FRAME_DRIVEN) !== 0 ? this.pageDue : this.lastDue();
    doubles[FRAME.DROPPED_MS / 2] = this.clock.droppedMs;
    doubles[FRAME.WRITTEN / 2] = performance.timeOrigin + performance.now();
    floats[FRAME.STEP_MS] = this.stepMs;
    floats[FRAME.PERIOD] = this.clock.period;
    words[FRAME.BODIES] = instance.get('bodyCount');
    words[FRAME.AWAKE] = instance.get('awakeCount');
    words[FRAME.CONTACTS] = instance.get('contactCount');
    words[FRAME.THREADS] = instance.core.threadReport?.().count ?? 1;

    const poses = instance.table('poses');
    words.set(instance.words.subarray(poses, poses + POSE_WORDS * slots), FRAME_HEADER);
    if (this.velocities) this.writeVelocities(floats, velocityAt, slots);
    if (length > 0) {
      words[jointAt] = length;
      writeJoints(world, this.watched, words, floats, jointAt + 1);
    }
    if (actorWords > 0) {
      words[actorAt] = actorWords;
      const from = instance.table('queryOutput');
      words.set(instance.words.subarray(from, from + actorWords), actorAt + 1);
    }
    if (eventWords > 0) events.take(words, eventAt);
    if (lines !== undefined) {
      floats.set(lines.positions.subarray(0, 6 * lineCount), lineAt);
      words.set(lines.colors.subarray(0, lineCount), lineAt + 6 * lineCount);
    }
    this.dirty = false;
    this.frames.post();
    this.tellWhoWaits();
  }

  private lastDue(): number {
    return this.clock.running ? this.clock.lastDue : performance.now();
  }

  private writeVelocities(floats: Float32Array, at: number, slots: number): void {
    const { instance } = this.world;
    const from = instance.table('velocities');
    for (let slot = 0; slot < slots; slot++) {
      const source = from + slot * (BodyVelocity.SIZE >> 2);
      const target = at + slot * VELOCITY_WORDS;
      for (let i = 0; i < 3; i++) {
        floats[target + i] = instance.floats[source + (BodyVelocity.linear >> 2) + i] as number;
        floats[target + 3 + i] = instance.floats[source + (BodyVelocity.angular >> 2) + i] as number;
      }
    }
  }

  /** In shared memory frames come without a message: sends one if the client waits for this frame. */
  private tellWhoWaits(): void {
    const { flagsShared } = this;
    if (flagsShared === null) return;
    const wanted = Atomics.load(flagsShared, BOARD.WANTED);
    if (wanted === 0 || wanted > this.sequence) return;
    Atomics.compareExchange(flagsShared, BOARD.WANTED, wanted, 0);
    this.port.postMessage(Int32Array.of(MESSAGE_SHOWN).buffer);
  }
}

// Check the layout that frames rely on: one record per slot, flags in word 3.
if (BodyPose.SIZE !== 4 * POSE_WORDS || BodyPose.flags !== 12 || BodyPose.qx !== 16)
  throw new Error('the layout of poses differs from the protocol');
