// The worker's side of one world. In: command buffers, in order, and questions. Out: frames of poses, events
// and figures; answers. Owns the clock. Commands apply between steps only, in the order of their sequence
// numbers, so the timing of messages cannot change a result.
import { transfer } from 'comlink';
import { COMMANDS } from '../src/commands';
import { BodyPose } from '../src/core-layout';
import type { DebugLines, DebugLinesOptions } from '../src/debugLines';
import { PhysicsError } from '../src/errors';
import type { Contact } from '../src/events';
import { packSnapshot, unpackSnapshot } from '../src/snapshot';
import { World } from '../src/world';
import { FixedStepClock } from './clock';
import { EventQueue } from './eventQueue';
import { POSE_WORDS } from './interpolate';
import {
  type Answer,
  COMMANDS_HEADER,
  encodeRefusal,
  FRAME,
  FRAME_HEADER,
  FRAME_RUNNING,
  FRAME_SNAP,
  type HostControl,
  type HostOptions,
  MESSAGE_COMMANDS,
  MESSAGE_FRAME,
  messageKind,
  COMMANDS as OFFSET,
  plainError,
} from './protocol';
import { BufferLoop, type DataPort, FRAMES_OUTSTANDING } from './transport';

/** A tick that has taken this many periods makes no further step: better late by a step than stuck in a burst. */
const TICK_PERIODS = 2;

interface Waiter {
  sequence: number;
  proceed(): void;
}

export class PhysicsHost {
  private world!: World;
  private clock!: FixedStepClock;
  private readonly frames: BufferLoop;
  private readonly events = new EventQueue();
  /** The last place of the stream that was dealt with. */
  private sequence = 0;
  /** Buffers that arrived before their turn: a control call with a place in the stream is still on its way. */
  private readonly early = new Map<number, ArrayBuffer>();
  private waiters: Waiter[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Something is new since the last frame. */
  private dirty = false;
  private flags = FRAME_SNAP;
  private frameNumber = 0;
  private stepMs = 0;
  /** Steps of the clock since the last command buffer. */
  private stepsAlone = 0;
  private stepCommand!: Int32Array;
  private debug: DebugLinesOptions | null = null;
  private lines: DebugLines | undefined;

  constructor(private readonly port: DataPort) {
    this.frames = new BufferLoop(port, FRAMES_OUTSTANDING);
    port.addEventListener('message', (event) => this.receive(event.data));
    port.start();
  }

  // --- data plane ---

  private receive(message: unknown): void {
    switch (messageKind(message)) {
      case MESSAGE_COMMANDS:
        this.queue(message as ArrayBuffer);
        break;
      case MESSAGE_FRAME:
        this.frames.takeBack(message as ArrayBuffer);
        if (this.dirty) this.publish();
        break;
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
    this.drain();
  }

  /** Deals with every buffer whose turn it is. */
  private drain(): void {
    if (this.world === undefined) return;
    for (;;) {
      const buffer = this.early.get(this.sequence + 1);
      if (buffer === undefined) break;
      this.early.delete(++this.sequence);
      this.apply(buffer);
      this.port.postMessage(buffer, [buffer]);
    }
    this.proceed();
  }

  private proceed(): void {
    if (this.waiters.length === 0) return;
    const ready = this.waiters.filter(({ sequence }) => sequence <= this.sequence);
    this.waiters = this.waiters.filter(({ sequence }) => sequence > this.sequence);
    for (const waiter of ready) waiter.proceed();
  }

  /** Resolves when the stream was dealt with up to `sequence`. */
  private reached(sequence: number): Promise<void> {
    if (sequence <= this.sequence) return Promise.resolve();
    return new Promise((proceed) => this.waiters.push({ sequence, proceed }));
  }

  private apply(buffer: ArrayBuffer): void {
    this.stepsAlone = 0;
    const words = new Int32Array(buffer);
    const count = words[OFFSET.WORDS] as number;
    const stepsBefore = this.world.stepCount;
    const before = performance.now();
    try {
      if (!(count >= 0 && count <= words.length - COMMANDS_HEADER))
        throw new PhysicsError(
          'damaged-commands',
          `command buffer refused: ${count} words do not fit into it`,
        );
      this.world.applyCommands(words.subarray(COMMANDS_HEADER, COMMANDS_HEADER + count));
    } catch (error) {
      this.refuse(error);
    }
    const steps = this.world.stepCount - stepsBefore;
    if (steps > 0) {
      this.stepMs = (performance.now() - before) / steps;
      this.events.append(this.world.eventLog);
    }
    // While the clock runs the next tick publishes anyway.
    if (!this.clock.running) this.publish(FRAME_SNAP);
    else if (steps > 0) this.publish(FRAME_RUNNING);
  }

  private refuse(error: unknown): void {
    const refusal = encodeRefusal(this.sequence, plainError(error));
    this.port.postMessage(refusal, [refusal]);
  }

  // --- clock ---

  private schedule(): void {
    if (!this.clock.running || this.timer !== undefined) return;
    this.timer = setTimeout(this.tick, this.clock.wait(performance.now()));
  }

  private readonly tick = (): void => {
    this.timer = undefined;
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
      }
    } catch (error) {
      this.clock.stop();
      this.refuse(error);
    }
    if (due > 0) this.publish(FRAME_RUNNING);
    this.schedule();
  };

  /**
   * One step of the clock. Forces are not cleared: they act until the client's next frame, as those of
   * Bullet do for all substeps of a frame, but no longer than for `maxSteps` steps.
   */
  private step(): void {
    const { world } = this;
    if (this.stepsAlone++ === this.clock.maxSteps && world.replica.hasForces) world.replica.clearForces();
    world.applyCommands(this.stepCommand);
    this.events.append(world.eventLog);
  }

  // --- frames ---

  /** Posts the present state, or remembers to as soon as the page gives a buffer back. */
  private publish(flags = this.flags): void {
    this.flags = flags;
    this.dirty = true;
    if (!this.frames.available) return;
    const { world, events } = this;
    world.sync();
    const lines = this.debug === null ? undefined : this.drawLines(this.debug);
    const lineCount = lines?.count ?? 0;
    const { instance } = world;
    const slots = instance.get('bodyEnd');
    const eventAt = FRAME_HEADER + POSE_WORDS * slots;
    const lineAt = eventAt + events.length;
    const buffer = this.frames.acquire(4 * (lineAt + 7 * lineCount)) as ArrayBuffer;
    const words = new Int32Array(buffer);
    const floats = new Float32Array(buffer);
    const doubles = new Float64Array(buffer, 0, FRAME_HEADER / 2);

    words[FRAME.KIND] = MESSAGE_FRAME;
    words[FRAME.NUMBER] = ++this.frameNumber;
    words[FRAME.SEQUENCE] = this.sequence;
    words[FRAME.STEPS] = instance.get('stepCount');
    words[FRAME.FLAGS] = flags;
    words[FRAME.POSE_SLOTS] = slots;
    words[FRAME.POSE_OFFSET] = FRAME_HEADER;
    words[FRAME.EVENT_WORDS] = events.length;
    words[FRAME.EVENT_OFFSET] = eventAt;
    words[FRAME.EVENTS_DROPPED] = events.dropped;
    words[FRAME.LINES] = lineCount;
    words[FRAME.LINE_OFFSET] = lineAt;
    doubles[FRAME.DUE / 2] = this.clock.running ? this.clock.lastDue : performance.now();
    doubles[FRAME.DROPPED_MS / 2] = this.clock.droppedMs;
    floats[FRAME.STEP_MS] = this.stepMs;
    floats[FRAME.PERIOD] = this.clock.period;
    words[FRAME.BODIES] = instance.get('bodyCount');
    words[FRAME.AWAKE] = instance.get('awakeCount');
    words[FRAME.CONTACTS] = instance.get('contactCount');

    const poses = instance.table('poses');
    words.set(instance.words.subarray(poses, poses + POSE_WORDS * slots), FRAME_HEADER);
    events.take(words, eventAt);
    if (lines !== undefined) {
      floats.set(lines.positions.subarray(0, 6 * lineCount), lineAt);
      words.set(lines.colors.subarray(0, lineCount), lineAt + 6 * lineCount);
    }
    this.dirty = false;
    this.frames.post(buffer);
  }

  private drawLines(options: DebugLinesOptions): DebugLines {
    this.lines = this.world.debugLines(options, this.lines);
    return this.lines;
  }

  // --- control plane ---

  /** Exposed by comlink. */
  readonly control: HostControl = {
    open: (options) => answer(() => this.open(options)),
    start: (sequence) => this.inTurn(sequence, () => this.start()),
    pause: (sequence) =>
      this.inTurn(sequence, () => {
        this.stop();
        this.publish(FRAME_SNAP);
      }),
    setTimeScale: (sequence, timeScale) =>
      this.inTurn(sequence, () => {
        this.clock.setTimeScale(timeScale, performance.now());
        clearTimeout(this.timer);
        this.timer = undefined;
        this.schedule();
      }),
    setOutputs: (sequence, { eventMask, profiling }) =>
      this.inTurn(sequence, () => {
        this.world.profiling = profiling;
        this.world.replica.host.eventMask = eventMask;
        this.world.instance.set('eventMask', eventMask);
      }),
    setDebug: (sequence, options) =>
      this.inTurn(sequence, () => {
        this.debug = options;
        this.publish();
      }),
    rayTest: (sequence, from, to, options) =>
      this.after(sequence, () => {
        const hits = this.world.rayTest(from, to, options as { mode: 'all' }) as unknown;
        const list = Array.isArray(hits) ? hits : hits === null ? [] : [hits];
        return list.map((hit) => ({ ...hit, body: hit.body.id }));
      }),
    rayTestBatch: (sequence, rays, options) =>
      this.after(sequence, () => {
        const batch = this.world.rayTestBatch(rays, options);
        const { bodies, shapes, fractions, points, normals } = batch;
        return giveAway(
          batch,
          [bodies, shapes, fractions, points, normals].map(({ buffer }) => buffer),
        );
      }),
    overlapTest: (sequence, min, max, options) =>
      this.after(sequence, () =>
        this.world.overlapTest(min, max, options).map(({ body, shape }) => ({ body: body.id, shape })),
      ),
    getContacts: (sequence, body) =>
      this.after(sequence, () => {
        const contacts = this.world.getContacts(body === 0 ? undefined : body);
        return contacts.map((contact: Contact<{ id: number }>) => ({
          ...contact,
          bodyA: contact.bodyA.id,
          bodyB: contact.bodyB.id,
        }));
      }),
    getProfile: (sequence) => this.after(sequence, () => this.world.getProfile()),
    stateHash: (sequence) => this.after(sequence, () => this.world.stateHash()),
    snapshot: (sequence, replica) =>
      this.after(sequence, () => {
        const bytes = packSnapshot({ ...unpackSnapshot(this.world.snapshot()), replica });
        return giveAway(bytes, [bytes.buffer]);
      }),
    restore: (sequence, snapshot) =>
      this.inTurn(sequence, () => {
        this.world.restore(snapshot);
        this.publish(FRAME_SNAP);
      }),
  };

  private async after<T>(sequence: number, run: () => T): Promise<Answer<T>> {
    await this.reached(sequence);
    return answer(run);
  }

  /** Takes the place `sequence` in the stream: after what comes before it, before what comes after. */
  private async inTurn<T>(sequence: number, run: () => T): Promise<Answer<T>> {
    await this.reached(sequence - 1);
    this.sequence = sequence;
    const result = await answer(run);
    this.drain();
    return result;
  }

  private open({ dt, maxSteps, timeScale, maxBodies }: HostOptions): void {
    this.world = new World({ maxBodies });
    this.clock = new FixedStepClock({ dt, maxSteps, timeScale });
    const step = new ArrayBuffer(4 * COMMANDS.step.totalWords);
    this.stepCommand = new Int32Array(step);
    this.stepCommand[0] = COMMANDS.step.head;
    new Float32Array(step)[1] = dt;
    this.drain();
  }

  private start(): void {
    this.clock.start(performance.now());
    this.publish(FRAME_RUNNING);
    this.schedule();
  }

  private stop(): void {
    this.clock.stop();
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

/** Buffers that the answer gives away instead of copying, by its value. */
const givenAway = new WeakMap<object, Transferable[]>();

function giveAway<T extends object>(value: T, buffers: ArrayBufferLike[]): T {
  givenAway.set(value, buffers as ArrayBuffer[]);
  return value;
}

async function answer<T>(run: () => T): Promise<Answer<T>> {
  try {
    const value = run();
    const buffers = givenAway.get(value as object);
    return buffers === undefined ? { value } : transfer({ value }, buffers);
  } catch (error) {
    return { error: plainError(error) };
  }
}

// One record per slot, flags in word 3: what the frames promise.
if (BodyPose.SIZE !== 4 * POSE_WORDS || BodyPose.flags !== 12 || BodyPose.qx !== 16)
  throw new Error('the layout of poses differs from the protocol');
