// The page's side of a world in a worker, entry of `ricochet/worker`. In: the same calls as World has. Out: one command
// buffer per frame, ids at once, poses and events from the frames that come back. Contains no engine: checks and
// encoding come from the replica, which World uses, too.

import { PhysicsError } from '../src/base/errors';
import { type JointId, MAX_SLOT } from '../src/base/ids';
import {
  checkBoolean,
  checkInteger,
  checkNumber,
  checkOneOf,
  checkOptions,
  invalid,
} from '../src/base/validate';
import { checkEventFilter, type EventFilter, type Wanted, wantedEvents } from '../src/events/eventFilter';
import { EventStream } from '../src/events/eventStream';
import { EventLog, type EventOf } from '../src/events/events';
import { checkEventType, EVENT_TYPES } from '../src/events/eventTypes';
import { Subscriptions } from '../src/events/subscriptions';
import type { DebugLines, DebugLinesOptions } from '../src/lines/debugLines';
import { checkLineOptions } from '../src/lines/lineOptions';
import type { ActorLink } from '../src/replica/actorLink';
import type { PhysicsWorld } from '../src/replica/physicsWorld';
import { checkTimeStep } from '../src/replica/replica';
import type { StepSystem, SystemOptions } from '../src/replica/stepSystem';
import type { EventType } from '../src/types';
import type { FrameRoom } from './board';
import { PhysicsBody } from './body';
import {
  type ClockMode,
  checkSignal,
  linkOptions,
  OPTIONS,
  type PhysicsOptions,
  unsupported,
  watchVisibility,
  worldOptions,
} from './clientOptions';
import { ClientQueries } from './clientQueries';
import { ClientReplica, showPlaces } from './clientReplica';
import type { ClientSystems } from './clientSystems';
import { FixedStepClock } from './clock';
import type { ConnectOptions, Transport } from './connect';
import { FrameReport, type PhysicsStats } from './frameReport';
import { FrameTimer } from './frameTimer';
import { PhysicsJoint } from './joint';
import { Link } from './link';
import { Listeners } from './listeners';
import type { FrameTimes } from './protocol';

export type { EventFilter } from '../src/events/eventFilter';
export type { EventStream } from '../src/events/eventStream';
export { QueryShape } from '../src/queries/asks';
export type { BodyPlaces } from '../src/replica/bulk';
export type { Answer, PhysicsWorld, WorldBody, WorldEvents, WorldJoint } from '../src/replica/physicsWorld';
export type { StepSystem, SystemOptions } from '../src/replica/stepSystem';
export type { StepSystemModule, SystemHooks, SystemStart } from '../src/world/systems';
export type { SystemWorld } from '../src/world/systemWorld';
export type { QueryAnswers } from './clientAsks';
export type { ClockMode, PhysicsOptions } from './clientOptions';
export type { ConnectOptions, Transport } from './connect';
export type { PhysicsStats } from './frameReport';
export type { CookControl } from './kitchen';
export type { RecordOptions } from './protocol';
export type { WorkerLike } from './workerLike';
export { PhysicsBody, PhysicsJoint };

/** ms. If the page has not called `update` for longer, the client works without it. */
const NO_UPDATES = 250;
const TIME_SCALE = { min: 0.001, max: 1000 };
/** Steps per command buffer, and ms that they may take, so that the worker can read its messages in between. */
const STEPS_PER_BUFFER = 64;
const MS_PER_BUFFER = 25;
/**
 * Most buffers of steps that the page's frames may be ahead of the worker. Then frames make no steps until it has
 * caught up.
 */
const BUFFERS_AHEAD = 3;
const MOST_STEPS = 100_000;
const NOW = { min: -1e15, max: 1e15 }; // ms
/** Words of events that are kept for a page that does not read them. */
const MOST_WORDS = 1 << 18;

/**
 * Starts a worker with an empty world. The world is paused until `start`.
 *
 * @throws PhysicsError 'unsupported-host' without workers or WebAssembly SIMD, 'worker-lost' when the
 *   worker's script cannot be loaded or does not answer, 'invalid-argument', 'unknown-option'; the reason of `signal`
 *   when that is aborted before the world is there
 */
export async function createPhysics(options: PhysicsOptions = {}): Promise<Physics> {
  const signal = checkSignal(options?.signal);
  signal?.throwIfAborted();
  const physics = new Physics(options);
  const abort = () => physics.dispose();
  signal?.addEventListener('abort', abort);
  try {
    await physics.open();
    signal?.throwIfAborted();
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  return physics;
}

/** A world in a worker. Changes are sent with the next frame, poses come back, queries return promises. */
export class Physics extends ClientQueries implements PhysicsWorld {
  /** @internal What both sides know. */
  readonly replica: ClientReplica;
  private readonly frames: FrameReport;
  /** Figures of the last frame that arrived. */
  readonly stats: PhysicsStats;
  /** s */
  readonly fixedTimeStep: number;
  private readonly maxSubSteps: number;
  private readonly mode: ClockMode;
  /** Clock of the page's frames, in mode 'frames'. */
  private readonly pageClock: FixedStepClock;
  private readonly velocities: boolean;
  private readonly threads: number | 'auto';
  private threadsFile = '';
  protected readonly link: Link;
  protected readonly cookingWorker: ConnectOptions['cookingWorker'];
  private running = false;
  /** True while the page is hidden and the world is paused for that reason. */
  private suspended = false;
  private readonly stopWatching: () => void;
  private readonly optionMask: number;
  private readonly subscriptions = new Subscriptions((id) => this.resolve(id));
  private readonly listeners = new Listeners();
  /** Events that arrived after those that `events` returns. */
  private arrived = new EventLog();
  private shown = new EventLog();
  private systems: ClientSystems | undefined;
  private debug: DebugLinesOptions | null = null;
  private watched: JointId[] = [];
  private updating = false;
  /** Sequence numbers of the last buffers of steps that frames of the page made. */
  private readonly driven = new Int32Array(BUFFERS_AHEAD + 1);
  /** The current forces belong to the current frame, so the end of the frame does not clear them. */
  private forcesAreNew = false;
  /** ms. When `update` was last called. */
  private lastUpdate = Number.NEGATIVE_INFINITY;
  private readonly frameTimer = new FrameTimer();

  /** @internal See createPhysics. */
  constructor(given: PhysicsOptions) {
    super();
    checkOptions(given, 'options', OPTIONS);
    const options = { ...given }; // each is read once
    const { fixedTimeStep, maxSubSteps, timeScale, clock, whenHidden, velocities } = options;
    this.cookingWorker = options.cookingWorker;
    this.fixedTimeStep = checkTimeStep(fixedTimeStep ?? 1 / 60, 'fixedTimeStep');
    this.maxSubSteps = checkInteger(maxSubSteps ?? 8, 'maxSubSteps', 1, 1000);
    this.mode = checkOneOf(clock ?? 'automatic', 'clock', ['automatic', 'frames', 'manual'] as const);
    this.velocities = checkBoolean(velocities ?? true, 'velocities');
    this.pageClock = new FixedStepClock({
      dt: this.fixedTimeStep,
      maxSteps: this.maxSubSteps,
      timeScale: checkNumber(timeScale ?? 1, 'timeScale', TIME_SCALE),
    });
    this.frames = new FrameReport(this.pageClock);
    this.stats = this.frames.stats;
    const replica = new ClientReplica(worldOptions(options));
    this.threads = options.threads ?? 1;
    showPlaces(replica, this.poses, () => this.link.sequence + 1);
    const velocity = new Float32Array(3);
    if (this.velocities)
      replica.onVelocity = (id, offset, values, at) => {
        for (let i = 0; i < 3; i++) velocity[i] = values[at + i]!;
        this.poses.setLocalVelocity(id & MAX_SLOT, offset, velocity, this.link.sequence + 1);
      };
    this.replica = replica;
    const { poses } = this;
    this.link = new Link(
      {
        get shown() {
          return poses.sequence;
        },
        frame: (frame, now) => this.receiveFrame(frame, now),
        records: (words, floats, from, end) => this.receiveRecords(words, floats, from, end),
        error: (error, answered) => {
          if (this.link.failure !== null) this.subscriptions.clear(); // ends loops
          this.listeners.report(error, answered);
        },
        options: () => ({
          dt: this.fixedTimeStep,
          maxSteps: this.maxSubSteps,
          timeScale: this.timeScale,
          maxBodies: replica.limit,
          velocities: this.velocities,
          deterministic: options.deterministic === true,
          threads: this.threads,
          threadsFile: this.threadsFile,
        }),
        outputs: () => {
          const { eventMask, profiling } = replica.host;
          return { outputs: { eventMask, profiling }, debug: this.debug, watched: this.watched };
        },
        recovering: (recovery, sequence) => this.systems?.recovering(recovery, sequence),
        restarted: () => this.onRestarted(),
      },
      linkOptions(options),
    );
    this.optionMask = replica.host.eventMask;
    this.stopWatching = watchVisibility(whenHidden, (visible) => this.suspend(!visible));
  }

  /** @internal */
  async open(): Promise<void> {
    if (this.threads !== 1) this.threadsFile = (await import('./clientThreads')).locate(this.link.options);
    await this.link.open();
    this.flush();
  }

  /** @internal Throws unless frames carry velocities. */
  checkVelocities(): void {
    if (!this.velocities)
      throw new PhysicsError(
        'not-sent',
        'frames of this world carry no velocities: leave `velocities: false` out of the options of createPhysics',
      );
  }

  /** How poses, events and commands travel. */
  get transport(): Transport {
    return this.link.transport;
  }

  // --- running ---

  /**
   * Starts the clock: fixed steps in real time multiplied by `timeScale`. Does nothing if it already runs.
   *
   * Forces and kinematic targets then belong to frames, which `update` ends. The forces of a frame act together, from its
   * `update` to the next one, like Bullet's in all substeps of a frame (but at most for maxSubSteps steps). Queries in
   * between do not change this: applying forces in every frame gives the same push at any frame rate. A target is the pose
   * at the time of its frame; the steps move the body there evenly from its pose at the frame before.
   */
  start(): Promise<void> {
    if (this.mode === 'manual')
      throw new PhysicsError(
        'invalid-argument',
        'must not be manual if the world is started: call step',
        'clock',
        'manual',
      );
    this.sendCommands();
    if (!this.isRunning) {
      this.running = true;
      this.frameTimer.last = Number.NaN;
      this.forcesAreNew = this.replica.hasForces;
      this.stage();
    }
    return this.resumeClock();
  }

  /** Whether forces and targets are held back until the end of the frame. */
  private stage(): void {
    const on = this.running && !this.suspended;
    this.replica.frame.stage(on && this.mode === 'automatic', on);
  }

  private resumeClock(): Promise<void> {
    if (!this.running || this.suspended) return Promise.resolve();
    if (this.mode === 'automatic') return this.link.change((host, sequence) => host.start(sequence));
    this.pageClock.start(performance.now());
    return Promise.resolve();
  }

  /** Stops the clock. Commands still apply, and `step` still works. Resolves when the last poses can be read. */
  pause(): Promise<void> {
    this.commit();
    this.running = false;
    this.stage();
    return this.stopClock();
  }

  private stopClock(): Promise<void> {
    this.pageClock.stop();
    return this.link.changeAndSee((host, sequence) => host.pause(sequence));
  }

  /** As start. */
  resume(): Promise<void> {
    return this.start();
  }

  /** Pauses while the page is hidden. Steps that would be due meanwhile are dropped. */
  private suspend(suspended: boolean): void {
    if (suspended === this.suspended || this.link.failure !== null) return;
    this.suspended = suspended;
    if (!this.running) return;
    this.commit();
    this.stage();
    if (suspended) void this.stopClock();
    else void this.resumeClock();
  }

  /** Whether the world can be used; false after its worker was lost for good or the world was disposed. */
  get isRunning(): boolean {
    return this.running && this.link.failure === null;
  }

  /** Simulated seconds per second of real time. */
  get timeScale(): number {
    return this.pageClock.timeScale;
  }

  set timeScale(timeScale: number) {
    this.pageClock.setTimeScale(checkNumber(timeScale, 'timeScale', TIME_SCALE), performance.now());
    this.sendCommands();
    this.link.change((host, sequence) => host.setTimeScale(sequence, timeScale));
  }

  /**
   * Makes `n` fixed steps at once, whether the clock runs or not. Resolves when the poses of the last one can be read.
   * Every step clears the forces, like World.step.
   */
  step(n = 1): Promise<void> {
    if (typeof n === 'number' && n > 0 && n < 1)
      throw invalid(
        'n',
        'must be a number of steps, each as long as `fixedTimeStep` (World.step takes seconds)',
        n,
      );
    checkInteger(n, 'n', 1, MOST_STEPS);
    const { writable: replica } = this;
    replica.warnOfUnshaped();
    this.commit();
    const perBuffer = Math.max(1, Math.min(STEPS_PER_BUFFER, Math.floor(MS_PER_BUFFER / this.stats.stepMs)));
    for (let made = 0; made < n; ) {
      for (const end = Math.min(n, made + perBuffer); made < end; made++) {
        replica.step(this.fixedTimeStep);
        if (replica.hasForces) replica.clearForces();
      }
      this.sendCommands();
    }
    const seen = this.link.seen();
    const shown = seen.then(() => this.showEvents());
    seen.catch(() => shown.catch(() => {})); // nobody has to await it; errors of listeners are reported all the same
    return shown;
  }

  /** Like `step`, under the name that it has in World. `dt`, if given, must be the world's `fixedTimeStep`. */
  advance(n = 1, dt = this.fixedTimeStep): Promise<void> {
    if (checkTimeStep(dt) !== this.fixedTimeStep)
      throw new PhysicsError(
        'invalid-argument',
        `must be the fixedTimeStep, ${this.fixedTimeStep}`,
        'dt',
        dt,
      );
    return this.step(n);
  }

  /**
   * Not available in a worker, which cannot call the page during a step.
   *
   * @throws PhysicsError 'unsupported'; use groups and masks (`setFilter`) and `collideConnected` instead
   */
  setPairFilter(_filter: never): never {
    throw unsupported('setPairFilter', 'use groups and masks (setFilter), collideConnected of joints');
  }

  /**
   * Not available in a worker, which cannot call the page during a step.
   *
   * @throws PhysicsError 'unsupported'; use forces, velocities and targets per frame, events and `advance(1)` instead
   */
  setInternalTickCallback(_callback: never, _isPreTick?: never): never {
    throw unsupported('setInternalTickCallback', 'set forces and targets per frame, listen to events');
  }

  /**
   * Call it once per frame: sends the commands of the frame, interpolates the poses for drawing, moves bound objects. With
   * shared memory it also reads new poses and delivers events.
   *
   * @param now  ms, the time to draw: the argument of requestAnimationFrame, or performance.now()
   */
  update(now = performance.now()): void {
    checkNumber(now, 'now', NOW);
    this.lastUpdate = performance.now();
    if (this.running && this.replica.hasUnshaped) this.replica.warnOfUnshaped();
    this.endFrame(now);
    this.updating = true;
    this.link.poll();
    this.showEvents();
    this.poses.advance(now);
    this.listeners.updated();
    this.updating = false;
    this.listeners.throwFirst();
  }

  /** Sends the forces and targets of the frame, with the steps that are due if frames make them. */
  private endFrame(now: number): void {
    const { replica, pageClock } = this;
    if (!this.isRunning || this.suspended) {
      this.sendCommands();
      return;
    }
    // Another `update` with the same time belongs to the same frame.
    if (now === this.frameTimer.last) this.forcesAreNew = true;
    const times = this.frameTimer.next(now, pageClock.period);
    if (this.mode === 'automatic') {
      this.changeForces();
      if (!this.forcesAreNew && replica.hasForces) replica.clearForces();
      this.forcesAreNew = false;
      replica.frame.writeTargets();
      this.sendCommands(times);
      return;
    }
    replica.frame.writeTargets();
    const due = this.isTooFarAhead ? 0 : pageClock.due(now);
    for (let made = 0; made < due; made++) replica.step(this.fixedTimeStep);
    // Forces of a frame without steps have no effect, as in Bullet.
    if (replica.hasForces) replica.clearForces();
    this.sendCommands(times, due > 0 ? pageClock.lastDue : Number.NaN);
    if (due === 0) return;
    this.driven.copyWithin(0, 1);
    this.driven[BUFFERS_AHEAD] = this.link.sequence;
  }

  /** With steps made by frames: whether the worker has not yet shown the results of earlier ones. */
  private get isTooFarAhead(): boolean {
    return this.link.failure !== null || (this.driven[0] as number) > this.poses.sequence;
  }

  /**
   * Sends all calls made so far, including the forces of the current frame. Usually not needed: `update` sends everything,
   * and the answer of a query always includes all calls made before it.
   */
  flush(): void {
    const { frame } = this.replica;
    const now = performance.now();
    if (now - this.lastUpdate < NO_UPDATES || !frame.isWaiting) {
      this.changeForces();
      this.sendCommands();
      return;
    }
    // The page does not call `update`: send the held-back commands as a frame of their own.
    if (frame.hasForces) this.forcesAreNew = false;
    this.changeForces();
    frame.writeTargets();
    this.sendCommands(this.frameTimer.next(now, this.pageClock.period));
  }

  /** Replaces the forces of the last frame by those of this one. */
  private changeForces(): void {
    const { replica } = this;
    if (!replica.frame.hasForces) return;
    if (!this.forcesAreNew && replica.hasForces) replica.clearForces();
    this.forcesAreNew = true;
    replica.frame.writeForces();
  }

  /** Adds the held-back commands to the stream, before steps that are made by calls. */
  private commit(): void {
    this.changeForces();
    this.replica.frame.writeTargets();
    this.sendCommands();
  }

  protected override sendCommands(frame: FrameTimes | null = null, due = Number.NaN): void {
    const { writer } = this.replica;
    if (writer.length === 0) return;
    if (this.link.failure === null) this.link.send(writer.view(), due, frame);
    writer.clear();
  }

  protected override forgetUnsent(): void {
    const { replica } = this;
    replica.writer.clear();
    replica.frame.clear();
    this.forcesAreNew = replica.hasForces;
    this.poses.forgetLocal();
  }

  /**
   * Loads a step system into the worker: a module whose default export makes code that runs before and after each step,
   * with the world's bodies and queries at hand. Its place is after all calls made before this one resolves. See
   * docs/systems.md. An error in it stops it, and goes to `system.on('error')` and `onError`; the world goes on.
   *
   * @param address  of the module: `new URL('./system.js', import.meta.url)`
   * @throws PhysicsError 'system-failed' when it does not load or start, 'invalid-argument', as a rejection
   */
  async addSystem<In = unknown, Out = unknown>(
    address: string | URL,
    options: SystemOptions = {},
  ): Promise<StepSystem<In, Out>> {
    const { ClientSystems } = await import('./clientSystems');
    this.systems ??= new ClientSystems(this.link, this.listeners, (question) => this.ask(question));
    return this.systems.add(address, options) as Promise<StepSystem<never, never>>;
  }

  /** @internal */
  async actorLink(): Promise<ActorLink> {
    const { linkActors } = await import('./clientActors');
    return linkActors(this.link, this.poses, () => this.writable.writer);
  }

  // --- outputs ---

  /** Whether the stages of the step are measured; see getProfile. */
  get profiling(): boolean {
    return this.replica.host.profiling;
  }

  set profiling(on: boolean) {
    this.writable.host.profiling = on === true;
    this.sendOutputs();
  }

  private sendOutputs(): void {
    const { eventMask, profiling } = this.replica.host;
    this.sendCommands();
    this.link.change((host, sequence) => host.setOutputs(sequence, { eventMask, profiling }));
  }

  /** Which lines `debugLines` shows from the next frame on; null for none. For debugging: they cost time. */
  setDebug(lines: DebugLinesOptions | null): void {
    const options = lines === null ? null : checkLineOptions(lines);
    this.debug = options;
    if (options === null) this.frames.forgetLines();
    this.sendCommands();
    this.link
      .change((host, sequence) => host.setDebug(sequence, options))
      .catch((error: PhysicsError) => {
        // The end of a world or its worker is reported elsewhere.
        if (!['disposed', 'worker-lost', 'out-of-memory'].includes(error.code)) this.listeners.report(error);
      });
  }

  /** The lines of the latest frame; valid until the next one. */
  get debugLines(): DebugLines {
    return this.frames.lines;
  }

  /** @internal See PhysicsJoint.watch. */
  watchJoint(id: JointId, on: boolean): void {
    const kept = this.watched.filter((other) => other !== id && this.replica.joints.isLive(other));
    this.watched = on ? [...kept, id] : kept;
    this.sendCommands();
    this.link.change((host, sequence) => host.setWatched(sequence, this.watched));
  }

  // --- events ---

  /**
   * Calls `listener` with every event of a type when the frame with the event arrives; with shared memory this happens in
   * `update`.
   *
   * @param filter  only events of one body, or only contacts with at least some impulse
   * @returns a function that unsubscribes
   */
  on<Type extends EventType>(
    type: Type,
    listener: (event: EventOf<Type, PhysicsBody>) => void,
    filter: EventFilter<PhysicsBody> = {},
  ): () => void {
    void this.writable; // throws when the world is gone
    const end = this.subscriptions.add(type, listener as (event: never) => void, this.filterOf(filter));
    this.updateEventMask();
    return () => {
      end();
      this.updateEventMask();
    };
  }

  /** Takes a listener away. */
  off<Type extends EventType>(type: Type, listener: (event: EventOf<Type, PhysicsBody>) => void): void {
    this.subscriptions.remove(type, listener as (event: never) => void);
    this.updateEventMask();
  }

  /**
   * The events that came since the last `update` or `advance`, of one type or all: `for (const event of
   * physics.events('contactBegin'))`. Or events from now on: `for await (… of physics.events(type, { body }))`, which ends
   * with the loop, with the world, or by `return`. Events are queued for it; beyond 10,000 the oldest are dropped and
   * counted in `dropped`.
   *
   * The types must be sent: by the option `events` of createPhysics, a listener, or a loop.
   */
  events<Type extends EventType = EventType>(
    type?: Type,
    filter: EventFilter<PhysicsBody> = {},
  ): EventStream<EventOf<Type, PhysicsBody>> {
    if (type !== undefined) checkEventType(type);
    const wanted = this.filterOf(filter);
    const recent = () =>
      wantedEvents(this.shown, type, wanted, (id) => this.resolve(id)) as Iterable<
        EventOf<Type, PhysicsBody>
      >;
    return new EventStream(recent, (stream) => {
      const types: readonly EventType[] = type === undefined ? EVENT_TYPES : [type];
      const ends = types.map((each) => this.on(each, (event) => stream.push(event as never), filter));
      this.subscriptions.streams.add(stream);
      return () => {
        for (const end of ends) end();
        this.subscriptions.streams.delete(stream);
      };
    });
  }

  /** From now on `events` returns the events that arrived since the last call. */
  private showEvents(): void {
    const { shown } = this;
    this.shown = this.arrived;
    this.arrived = shown;
    shown.clear();
  }

  private receiveRecords(words: Int32Array, floats: Float32Array, from: number, end: number): void {
    // Nobody has read events for a long time: keep only new ones.
    if (this.arrived.length > MOST_WORDS) this.arrived.clear();
    this.arrived.append(words, from, end - from);
    this.subscriptions.dispatch(words, floats, from, end, this.listeners.failed);
    if (!this.updating) this.listeners.throwFirst();
  }

  private filterOf(filter: EventFilter<PhysicsBody>): Wanted {
    return checkEventFilter(filter, (body, path) => this.idOf(body, path));
  }

  private updateEventMask(): void {
    const mask = this.optionMask | this.subscriptions.mask;
    if (mask === this.replica.host.eventMask || this.link.failure !== null) return;
    this.replica.host.eventMask = mask;
    this.sendOutputs();
  }

  /**
   * Calls `listener` with errors that belong to no call: a refused command buffer, lost events, a lost worker. Without a
   * listener they go to the console. Also with errors thrown by listeners of events, updates or restarts, unchanged;
   * without a listener of errors the first of them is rethrown after all listeners were called, by `update` if it called
   * them.
   */
  onError(listener: (error: PhysicsError) => void): () => void {
    return this.listeners.onError(listener);
  }

  /** Calls `listener` at the end of every `update`. */
  onUpdate(listener: () => void): () => void {
    return this.listeners.onUpdate(listener);
  }

  /** Calls `listener` when a lost worker was replaced and the world is in the state that the page saw last. */
  onRestart(listener: () => void): () => void {
    return this.listeners.onRestart(listener);
  }

  private onRestarted(): void {
    this.frames.restarted(this.link.restarts);
    this.poses.forgetTime();
    void this.resumeClock();
    this.listeners.restarted();
  }

  // --- messages ---

  private receiveFrame(frame: FrameRoom, now: number): FrameRoom | null {
    const released = this.poses.receive(frame, now);
    const lost = this.frames.read(frame, now);
    if (lost > 0)
      this.listeners.report(
        new PhysicsError('limit-exceeded', `${lost} events were lost: the page took no frames for too long`),
      );
    return released;
  }

  /**
   * Ends the worker and frees the world. Pending promises reject with 'disposed', later calls throw it, and loops over
   * events end.
   */
  dispose(): void {
    this.running = false;
    this.stopWatching();
    this.link.dispose();
    this.systems?.close();
    this.closeKitchen();
    this.poses.forgetFrames();
    this.views.clear();
    this.jointViews.clear();
    this.subscriptions.clear();
    this.listeners.clear();
    this.frames.forgetLines();
  }

  /** True from `dispose` on. */
  get isDisposed(): boolean {
    return this.link.failure?.code === 'disposed';
  }
}
