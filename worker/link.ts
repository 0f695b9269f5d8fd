// The client's connection to the host. In: commands and calls. Out: frames, answers, errors. Gives each buffer and each
// change a sequence number, so that two ports and a ring keep one order. If the worker is lost, all pending promises
// reject at once, and another worker replaces it: see lose and reopen.
import { type Remote, releaseProxy, wrap } from 'comlink';
import { PhysicsError } from '../src/base/errors';
import {
  BOARD,
  BOARD_HEADER,
  CommandRingWriter,
  EventRingReader,
  FrameReader,
  type FrameRoom,
  frameRoom,
} from './board';
import { type Connection, type ConnectionOptions, chooseTransport, connect, type Transport } from './connect';
import { Journal } from './journal';
import {
  type Answer,
  type Checkpoint,
  COMMANDS,
  COMMANDS_HEADER,
  decodeRefusal,
  FRAME,
  type FrameTimes,
  type HostControl,
  type HostOptions,
  MESSAGE_COMMANDS,
  MESSAGE_FRAME,
  MESSAGE_MEMORY,
  MESSAGE_PING,
  MESSAGE_REFUSED,
  MESSAGE_SHOWN,
  MESSAGE_WAKE,
  messageKind,
  type Recovery,
  readTimes,
  writeTimes,
} from './protocol';
import { BufferLoop } from './transport';

/** How the client handles incoming data. */
export interface LinkEvents {
  /** The last sequence number whose effect the newest frame shows. */
  readonly shown: number;
  /** Takes over a frame that came at `now`, ms. Returns one that is no longer needed. */
  frame(frame: FrameRoom, now: number): FrameRoom | null;
  /** Event records, after their frame. */
  records(words: Int32Array, floats: Float32Array, from: number, end: number): void;
  /** An error that belongs to no call; `answered` if waiting calls were rejected with it. */
  error(error: PhysicsError, answered: boolean): void;
  /** Data for a new worker besides the stream. */
  options(): HostOptions;
  outputs(): Pick<Recovery, 'outputs' | 'debug' | 'watched'>;
  /** Adds the step systems, for a worker that begins after number `sequence`. */
  recovering(recovery: Recovery, sequence: number): void;
  /** A new worker has reached the state of the lost one. */
  restarted(): void;
}

export interface LinkOptions extends ConnectionOptions {
  /** Replace a lost worker. */
  restart: boolean;
  /** ms without an answer after which a worker counts as hung; 0: never. */
  hangTimeout: number;
  /** ms in which a new worker must answer; 0: no limit. */
  startTimeout: number;
}

type Reject = (error: PhysicsError) => void;

interface Waiter {
  sequence: number;
  resolve(): void;
  reject: Reject;
}

/** A snapshot that replaces the world, until it is known whether the host accepted it. */
interface Restore {
  sequence: number;
  snapshot: Uint8Array;
  /** Restores the page's state from before. */
  undo(): void;
  resolve(): void;
  reject: Reject;
}

/** ms. Interval of checks for frames (if the page does not call `update`) and for the worker's health. */
const BEAT = 100;
/** Beats between two pings of the worker. */
const PING_BEATS = 4;
/** After this many losses within RESTART_WINDOW ms the world fails. */
const MOST_RESTARTS = 3;
const RESTART_WINDOW = 10_000;

const WAKE = Int32Array.of(MESSAGE_WAKE).buffer;

export class Link {
  /** Set when the world is lost for good. */
  failure: PhysicsError | null = null;
  /** The last sequence number given to a command buffer or a change. */
  sequence = 0;
  restarts = 0;
  readonly transport: Transport;
  private connection: Connection | undefined;
  private control: Remote<HostControl> | undefined;
  private commands: BufferLoop | undefined;
  private flags: Int32Array | null = null;
  private ring: CommandRingWriter | null = null;
  private eventRing: EventRingReader | null = null;
  private reader: FrameReader | null = null;
  private taking = false;
  /** ms. When the shared memory was last read. */
  private lastPoll = 0;
  private readonly pending = new Set<Reject>();
  /** Calls that wait for a new worker. */
  private postponed: { sequences: readonly number[]; go(): void }[] = [];
  private restores: Restore[] = [];
  private waiters: Waiter[] = [];
  readonly journal: Journal | null;
  /** State in which a replacement starts; without a snapshot, the empty world. */
  base: Omit<Checkpoint, 'snapshot'> & { snapshot: Uint8Array | null } = {
    snapshot: null,
    sequence: 0,
    stepsAlone: 0,
    targets: null,
  };
  private checkpointing = false;
  private readonly losses: number[] = [];
  private attempt = 0;
  /** Compiled core of the first worker, for replacements. */
  private core: WebAssembly.Module | null = null;
  private hasOpened = false;
  /** A worker was created and has not answered yet. */
  private starting = false;
  private beatTimer: ReturnType<typeof setInterval> | undefined;
  private lastBeat = 0;
  private beats = 0;
  /** Beats since the unanswered ping; −1: there is none. */
  silence = -1;
  private steps = 0;
  /** There may be actors: a replacement loads their module first. */
  hasActors = false;
  /** The worker has said that code of a step system runs. */
  isInSystem = false;

  constructor(
    private readonly events: LinkEvents,
    readonly options: LinkOptions,
  ) {
    this.transport = chooseTransport(options.transport);
    // A host in the page cannot be lost alone, and a worker given by the user is not replaced.
    const restart = options.restart && this.transport !== 'page' && options.worker === undefined;
    this.journal = restart ? new Journal() : null;
  }

  async open(): Promise<void> {
    try {
      await this.connect();
      if (this.failure !== null) throw this.failure;
      const opened = this.call((host) => host.open(this.events.options()));
      await opened;
      this.opened(opened);
    } catch (error) {
      this.dispose();
      this.end(); // also ends what came after the world was disposed
      throw error;
    }
  }

  private end(): void {
    clearInterval(this.beatTimer);
    this.beatTimer = undefined;
    this.connection?.terminate();
    this.disconnect();
  }

  private async connect(): Promise<void> {
    const connection = await connect(
      this.options,
      this.transport,
      this.core,
      (error) => this.lose(error, connection),
      (memory) => this.adopt(memory),
    );
    const { control, data, board } = connection;
    this.control = wrap<HostControl>(control);
    this.commands = new BufferLoop(data);
    this.flags = board && new Int32Array(board, 0, BOARD_HEADER);
    this.ring = board && new CommandRingWriter(board);
    this.eventRing = board && new EventRingReader(board);
    this.reader = null;
    data.addEventListener('message', (event) => this.receive(event.data));
    data.start();
    this.connection = connection;
    this.starting = true;
    this.silence = 0;
    this.watch();
  }

  private watch(): void {
    this.lastBeat = performance.now();
    if (this.beatTimer !== undefined) return;
    this.beatTimer = setInterval(this.beat, BEAT);
    // In Node a world alone does not keep the process alive; its worker does.
    (this.beatTimer as { unref?: () => void }).unref?.();
  }

  /** @param held  resolves when the worker holds its lock */
  private opened(held: Promise<void>): void {
    const { connection } = this;
    this.hasOpened = true;
    held.then(() => connection?.watch(), ignore);
    this.starting = false;
    this.silence = -1;
    this.checkpoint();
  }

  // --- sending ---

  /** Sends a command buffer. @param due  see COMMANDS.DUE @param frame  that it ends, if any */
  send(words: Int32Array, due = Number.NaN, frame: FrameTimes | null = null): void {
    const sequence = ++this.sequence;
    this.journal?.add(sequence, words, due, frame);
    if (this.connection !== undefined) this.post(sequence, words, due, frame);
  }

  private post(sequence: number, words: Int32Array, due: number, frame: FrameTimes | null): void {
    const { ring, flags, connection } = this;
    if (ring !== null && flags !== null) {
      this.readMarks();
      if (ring.write(sequence, words, due, frame)) {
        if (Atomics.load(flags, BOARD.POLLED) === 0) connection?.data.postMessage(WAKE);
        return;
      }
    }
    const commands = this.commands as BufferLoop;
    const buffer = commands.acquire(4 * (COMMANDS_HEADER + words.length)) as ArrayBuffer;
    const message = new Int32Array(buffer);
    message[COMMANDS.KIND] = MESSAGE_COMMANDS;
    message[COMMANDS.SEQUENCE] = sequence;
    message[COMMANDS.WORDS] = words.length;
    message[COMMANDS.STEPS] = -1;
    writeTimes(message, COMMANDS.PERIOD, due, frame);
    message.set(words, COMMANDS_HEADER);
    commands.post(buffer);
  }

  /** Sends a change or query with its own sequence number: after all earlier messages, before all later ones. */
  change<T = void>(run: (host: HostControl, sequence: number) => Promise<Answer<T>>): Promise<T> {
    const sequence = this.reserve();
    return this.ask((host) => run(host, sequence), [sequence]);
  }

  /** Reserves a sequence number for a query that is sent later with others: see ask. */
  reserve(): number {
    return ++this.sequence;
  }

  /** Like `change`; resolves when a frame shows it. */
  changeAndSee(run: (host: HostControl, sequence: number) => Promise<Answer<void>>): Promise<void> {
    const done = this.change(run);
    const { sequence } = this;
    return quiet(done.then(() => this.seen(sequence)));
  }

  /**
   * The world is what a snapshot says, from here on. Resolves when a frame shows it.
   *
   * @param undo  called when the host refuses the snapshot: nothing has happened then, nor what was sent since
   */
  restore(snapshot: Uint8Array, undo: () => void): Promise<void> {
    if (this.failure !== null) return quiet(Promise.reject(this.failure));
    this.hasActors = true; // there may be some in it
    const sequence = this.reserve();
    const done = new Promise<void>((resolve, reject) => {
      const restore: Restore = { sequence, snapshot, undo, resolve, reject };
      this.restores.push(restore);
      this.pending.add(reject);
      if (this.connection !== undefined) this.putRestore(restore);
    });
    return quiet(done.then(() => this.seen(sequence)));
  }

  private putRestore(restore: Restore): void {
    const { sequence, snapshot, resolve, reject } = restore;
    const control = this.control as unknown as HostControl;
    control.restore(sequence, snapshot).then(
      (answer) => {
        this.pending.delete(reject);
        if (!('error' in answer)) {
          this.confirm(sequence);
          resolve();
          return;
        }
        const error = PhysicsError.fromPlain(answer.error);
        if (this.restores.includes(restore)) this.takeBack(restore, error);
        reject(error);
      },
      (error) => reject(new PhysicsError('protocol', `no answer: ${String(error)}`)),
    );
  }

  /** The host has processed `sequence`, so all earlier restores were accepted. */
  private confirm(sequence: number): void {
    while (this.restores.length > 0 && (this.restores[0] as Restore).sequence <= sequence) {
      const { sequence: place, snapshot } = this.restores.shift() as Restore;
      this.base = { snapshot, sequence: place, stepsAlone: 0, targets: null };
      this.steps = 0;
      this.journal?.trim(place);
    }
  }

  /** Undoes a refused restore and everything sent after it. */
  private takeBack({ sequence, undo }: Restore, error: PhysicsError): void {
    this.restores = [];
    this.journal?.cut(sequence);
    undo();
    for (const waiter of this.takeWaiters(sequence, Number.POSITIVE_INFINITY)) waiter.reject(error);
    void this.change((host, place) => host.goOn(place));
  }

  /** @param places  the numbers of what is asked, from `reserve` */
  ask<T>(question: (host: HostControl) => Promise<Answer<T>>, places: readonly number[]): Promise<T> {
    return this.call(question, places);
  }

  /** Resolves when a frame shows the effect of `sequence`. */
  seen(sequence = this.sequence): Promise<void> {
    if (this.failure !== null) return quiet(Promise.reject(this.failure));
    if (this.events.shown >= sequence) return Promise.resolve();
    const promise = new Promise<void>(
      (resolve, reject) => void this.waiters.push({ sequence, resolve, reject }),
    );
    this.want();
    // The frame may have come just before the request.
    if (this.ring !== null) queueMicrotask(() => this.poll());
    return quiet(promise);
  }

  /** Tells the host which frame it should announce. */
  private want(): void {
    if (this.flags === null || this.waiters.length === 0) return;
    let first = Number.POSITIVE_INFINITY;
    for (const { sequence } of this.waiters) first = Math.min(first, sequence);
    Atomics.store(this.flags, BOARD.WANTED, first);
  }

  private call<T>(
    run: (host: HostControl) => Promise<Answer<T>>,
    sequences: readonly number[] = [],
  ): Promise<T> {
    if (this.failure !== null) return quiet(Promise.reject(this.failure));
    return quiet(
      new Promise<T>((resolve, reject) => {
        this.pending.add(reject);
        const go = () => {
          run(this.control as unknown as HostControl)
            .then((answer) => {
              if ('error' in answer) reject(PhysicsError.fromPlain(answer.error));
              else resolve(answer.value);
            })
            .catch((error) => {
              // If a message could not be sent, release its sequence numbers, or the host would wait for them.
              const control = this.control as unknown as HostControl | undefined;
              for (const sequence of sequences) control?.pass(sequence).catch(ignore);
              reject(new PhysicsError('protocol', `no answer: ${String(error)}`));
            })
            .finally(() => this.pending.delete(reject));
        };
        if (this.connection !== undefined) go();
        else this.postponed.push({ sequences, go });
      }),
    );
  }

  // --- receiving ---

  private receive(message: unknown): void {
    if (message instanceof WebAssembly.Module) {
      this.core = message;
      return;
    }
    switch (messageKind(message)) {
      case MESSAGE_FRAME:
        this.takeFrame(frameRoom(message as ArrayBuffer), performance.now());
        break;
      case MESSAGE_MEMORY:
        this.adopt(message as SharedArrayBuffer);
        this.poll();
        break;
      case MESSAGE_SHOWN:
        this.poll();
        break;
      case MESSAGE_COMMANDS: {
        const words = new Int32Array(message as ArrayBuffer, 0, COMMANDS_HEADER);
        this.mark(words[COMMANDS.SEQUENCE] as number, words[COMMANDS.STEPS] as number);
        this.commands?.takeBack(message as ArrayBuffer);
        break;
      }
      case MESSAGE_PING:
        this.silence = -1;
        break;
      case MESSAGE_REFUSED: {
        const { sequence, error } = decodeRefusal(message as ArrayBuffer);
        if (error.code === 'out-of-memory') {
          this.lose(error, this.connection);
          break;
        }
        for (const waiter of this.takeWaiters(sequence, Number.POSITIVE_INFINITY)) waiter.reject(error);
        this.events.error(error, false);
      }
    }
  }

  private adopt(memory: ArrayBuffer | SharedArrayBuffer): void {
    this.reader = new FrameReader(memory);
  }

  private readMarks(): void {
    this.ring?.readMarks(this.mark);
  }

  /** The host applied a buffer after `steps` steps of the world; −1: it refused it. */
  private readonly mark = (sequence: number, steps: number): void => {
    if (steps < 0) return;
    if (this.restores.length > 0) this.confirm(sequence);
    this.journal?.mark(sequence, steps);
  };

  /** Checks the shared memory for a new frame. */
  poll(): void {
    if (this.ring === null || this.taking) return;
    this.readMarks();
    for (let frame = this.reader?.take() ?? null; frame !== null; frame = this.reader?.take() ?? null)
      this.takeFrame(frame, this.arrival(frame));
    this.lastPoll = performance.now();
  }

  /**
   * ms. A frame in shared memory arrived when it was written, not when it was read; otherwise drawing would lag by up
   * to a frame more. The origins of the two clocks can differ slightly, but the frame was not there at the last read.
   */
  private arrival({ doubles }: FrameRoom): number {
    const written = (doubles[FRAME.WRITTEN / 2] as number) - performance.timeOrigin;
    return Math.min(performance.now(), Math.max(this.lastPoll, written));
  }

  private takeFrame(frame: FrameRoom, now: number): void {
    const { words } = frame;
    if (this.restores.length > 0) this.confirm(words[FRAME.SEQUENCE] as number);
    this.steps = words[FRAME.STEPS] as number;
    this.taking = true;
    try {
      const released = this.events.frame(frame, now);
      if (this.eventRing !== null) {
        const count = this.eventRing.read(words[FRAME.EVENT_HEAD] as number);
        if (count > 0) this.events.records(this.eventRing.words, this.eventRing.floats, 0, count);
        return;
      }
      if (released !== null) this.giveBack(released.buffer as ArrayBuffer);
      const count = words[FRAME.EVENT_WORDS] as number;
      const from = words[FRAME.EVENT_OFFSET] as number;
      if (count > 0) this.events.records(words, frame.floats, from, from + count);
    } finally {
      this.taking = false;
      if (this.waiters.length > 0) {
        for (const waiter of this.takeWaiters(0, this.events.shown)) waiter.resolve();
        this.want();
      }
    }
  }

  private giveBack(frame: ArrayBuffer): void {
    // Frames of a lost worker are not returned.
    if (frame.byteLength > 0) this.connection?.data.postMessage(frame, [frame]);
  }

  private takeWaiters(first: number, last: number): Waiter[] {
    if (this.waiters.length === 0) return [];
    const isDue = ({ sequence }: Waiter) => sequence >= first && sequence <= last;
    const due = this.waiters.filter(isDue);
    this.waiters = this.waiters.filter((waiter) => !isDue(waiter));
    return due;
  }

  // --- watching ---

  private readonly beat = (): void => {
    if (this.connection === undefined || this.failure !== null) return;
    const now = performance.now();
    const late = now - this.lastBeat > 3 * BEAT;
    this.lastBeat = now;
    this.poll();
    const { hangTimeout, startTimeout } = this.options;
    const limit = this.starting && !this.isInSystem ? startTimeout : hangTimeout;
    if (limit > 0 && this.transport !== 'page') {
      // After the page itself was blocked, an answer may have arrived unread.
      if (this.silence >= 0 && !late) this.silence++;
      if (this.silence * BEAT > limit) {
        const text = this.starting
          ? `the physics worker has not started: no answer for ${limit} ms (startTimeout)`
          : `the physics worker is hung: no answer for ${limit} ms (hangTimeout)`;
        this.lose(new PhysicsError('worker-lost', text), this.connection);
        return;
      }
      if (this.silence < 0 && ++this.beats % PING_BEATS === 0) {
        const ping = Int32Array.of(MESSAGE_PING).buffer;
        this.silence = 0;
        this.connection.data.postMessage(ping, [ping]);
      }
    }
    if (!this.checkpointing && !this.starting) this.checkpoint();
  };

  /**
   * Requests a snapshot for a replacement as soon as it is worthwhile, then the next one. At most one is in transit,
   * however long the page is blocked.
   */
  private checkpoint(): void {
    const { journal, control } = this;
    if (journal === null || control === undefined) return;
    this.checkpointing = true;
    (control as unknown as HostControl).checkpoint().then((answer) => {
      if (control !== this.control) return; // of a lost worker
      this.checkpointing = false;
      // An error: the next beat tries again.
      if ('error' in answer) return;
      this.confirm(answer.value.sequence);
      // A checkpoint from before a restore is not valid any more.
      if (answer.value.sequence >= this.base.sequence) {
        this.base = answer.value;
        journal.trim(answer.value.sequence);
      }
      this.checkpoint();
    }, ignore);
  }

  // --- end ---

  /** Handles the loss of the worker. */
  private lose(error: PhysicsError, connection: Connection | undefined): void {
    if (this.failure !== null || (connection !== undefined && connection !== this.connection)) {
      connection?.terminate();
      return;
    }
    this.losses.push(performance.now());
    const recent = this.losses.filter((at) => performance.now() - at < RESTART_WINDOW);
    if (this.journal === null || recent.length > MOST_RESTARTS || !this.hasOpened) {
      this.fail(error);
      return;
    }
    this.connection?.terminate(); // a hung worker may resume
    try {
      this.poll(); // data that it left in the shared memory
    } finally {
      this.disconnect();
      const answered = this.rejectAll(error);
      this.events.error(error, answered);
      const attempt = ++this.attempt;
      if (this.failure === null)
        this.reopen().catch((reason) => {
          if (attempt !== this.attempt) return; // that worker was lost, too, and another one is being created
          this.fail(
            reason instanceof PhysicsError ? reason : new PhysicsError('worker-lost', String(reason)),
          );
        });
    }
  }

  private disconnect(): void {
    this.control?.[releaseProxy]();
    // A disposed world must not keep memory alive if somebody still refers to it.
    this.connection = this.control = this.commands = undefined;
    this.flags = this.ring = this.eventRing = this.reader = null;
    this.checkpointing = this.isInSystem = false;
    this.silence = -1; // belongs to the lost worker
  }

  /** Replaces the lost worker. */
  private async reopen(): Promise<void> {
    await this.connect();
    if (this.failure !== null) {
      this.connection?.terminate();
      return;
    }
    const journal = this.journal as Journal;
    const { snapshot, stepsAlone, targets } = this.base;
    const again = new Set<number>();
    journal.forEachPending((sequence) => again.add(sequence));
    for (const { sequence } of this.restores) again.add(sequence);
    for (const { sequences } of this.postponed) for (const sequence of sequences) again.add(sequence);
    const first = Math.min(this.sequence + 1, ...again);
    const sequence = first - 1;
    const skip: number[] = [];
    for (let place = first; place <= this.sequence; place++) if (!again.has(place)) skip.push(place);
    // The first worker has already tested this machine; and `recover` must not wait for anything.
    const opened = this.call((host) => host.open({ ...this.events.options(), deterministic: false }));
    const recovery: Recovery = {
      snapshot,
      stepsAlone,
      targets,
      journal: journal.applied(),
      steps: this.steps,
      sequence,
      skip,
      actors: this.hasActors,
      ...this.events.outputs(),
    };
    this.events.recovering(recovery, this.base.sequence);
    const recovered = this.call((host) => host.recover(recovery));
    journal.forEachPending((place, commands, _, words, times) => {
      const [period, time, before, due] = readTimes(words, times) as unknown as [
        number,
        number,
        number,
        number,
      ];
      this.post(place, commands, due, period > 0 ? { period, time, before } : null);
    });
    for (const restore of this.restores) this.putRestore(restore);
    await recovered;
    this.opened(opened);
    this.restarts++;
    this.events.restarted();
    for (const { go } of this.postponed.splice(0)) go();
  }

  private rejectAll(error: PhysicsError): boolean {
    const waiting = [...this.pending, ...this.waiters.map(({ reject }) => reject)];
    this.pending.clear();
    this.postponed = [];
    this.waiters = [];
    for (const reject of waiting) reject(error);
    return waiting.length > 0;
  }

  /** Ends the world for good, without another worker. */
  fail(error: PhysicsError): void {
    if (this.failure !== null) return;
    this.failure = error;
    const answered = this.rejectAll(error);
    this.end();
    if (error.code !== 'disposed') this.events.error(error, answered);
  }

  /** Ends the worker. A lost world can be disposed, too. */
  dispose(): void {
    if (this.failure?.code === 'disposed') return;
    // A worker given by the user, or the page, continues without this world.
    if (this.options.worker !== undefined || this.transport === 'page') void this.control?.close();
    this.failure = null;
    this.fail(new PhysicsError('disposed', 'the world was disposed'));
  }
}

function ignore(): void {}

/** Prevents an unhandled rejection if nobody awaits the promise; those who do still get it. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
