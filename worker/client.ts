// The page's side of a world in a worker, entry of `ricochet/worker`. In: the same calls as World has.
// Out: one command buffer per frame, ids at once, poses and events from the frames that come back.
// Contains no engine: checks and encoding come from the replica that World uses, too.
import { transfer } from 'comlink';
import type { BodyPlaces } from '../src/bulk';
import type { DebugLines, DebugLinesOptions } from '../src/debugLines';
import { PhysicsError } from '../src/errors';
import type { Contact, EventOf } from '../src/events';
import { type BodyId, type JointId, MAX_SLOT } from '../src/ids';
import { fillVec3 } from '../src/out';
import type { Profile } from '../src/profile';
import type { OverlapHit, QueryFilter, RayBatch, RayHit, RayOptions } from '../src/queries';
import { checkTimeStep, Replica } from '../src/replica';
import { loadReplica, saveReplica } from '../src/replicaState';
import { unpackSnapshot } from '../src/snapshot';
import type {
  BodyOptions,
  EventType,
  JointOptions,
  QuatLike,
  Vec3Like,
  Vec3Out,
  WorldOptions,
  WorldSettings,
} from '../src/types';
import {
  COORDINATE,
  checkBoolean,
  checkFunction,
  checkInteger,
  checkNumber,
  checkOneOf,
  checkOptions,
  readQuat,
  readVec3,
  vec3Of,
} from '../src/validate';
import type { FrameRoom } from './board';
import { PhysicsBody } from './body';
import { FixedStepClock } from './clock';
import type { ConnectOptions, Transport } from './connect';
import { PhysicsJoint } from './joint';
import { Link } from './link';
import { PoseStore } from './poses';
import { FRAME, type WithIds } from './protocol';
import { type EventFilter, EventStream, Subscriptions } from './subscriptions';

export type { BodyPlaces } from '../src/bulk';
export type { ConnectOptions, Transport, WorkerLike } from './connect';
export type { EventFilter, EventStream } from './subscriptions';
export { PhysicsBody, PhysicsJoint };

export interface PhysicsOptions extends WorldOptions, ConnectOptions {
  /** s. Length of a step, 1e-6 … 1. Default 1/60. */
  fixedTimeStep?: number;
  /** Most steps at once after a pause; what is due beyond that is dropped and reported. Default 8. */
  maxSubSteps?: number;
  /** Simulated seconds per second, 0.001 … 1000. Default 1. */
  timeScale?: number;
  /**
   * Who makes the steps once it is started. 'automatic': the worker's own clock, in real time. 'frames':
   * `update`, as many as are due by the time that it is given; the stream then holds every step, so that the
   * same frames give the same run. 'manual': only `step`. Default 'automatic'.
   */
  clock?: ClockMode;
  /** What a running world does while the page is hidden: stand still (the default), or go on as far as the browser lets it. */
  whenHidden?: 'pause' | 'run';
  /** Replace a lost worker and go on from where the page saw the world last. Default true. */
  restart?: boolean;
  /** ms without an answer after which the worker counts as hung and is replaced; 0 for never, as while debugging it. Default 5000. */
  hangTimeout?: number;
  /** Frames carry velocities, too: PhysicsBody.getLinearVelocity and getAngularVelocity. Default false. */
  velocities?: boolean;
}

export type ClockMode = 'automatic' | 'frames' | 'manual';

/** Figures of the latest frame. One object, brought up to date in place. */
export interface PhysicsStats {
  /** What the last step took in the worker, ms. */
  stepMs: number;
  /** Fixed steps since the world was made. */
  steps: number;
  bodies: number;
  /** Awake dynamic and kinematic bodies. */
  awake: number;
  /** Touching pairs that the solver works on. */
  contacts: number;
  /** Real time that was due and never simulated: pauses longer than maxSubSteps, a worker too slow. ms */
  droppedMs: number;
  /** Events that were lost because the page took no frames. */
  eventsDropped: number;
  /** Simulated seconds per real second, over the last half second; 0 while it stands still. */
  realTimeFactor: number;
  /** Lost workers that were replaced. */
  restarts: number;
}

/** An answer about shapes and bodies with bodies as the page holds them. */
type WithBodies<T> = Omit<T, 'body' | 'bodyA' | 'bodyB'> & {
  [K in Extract<keyof T, 'body' | 'bodyA' | 'bodyB'>]: PhysicsBody;
};
export type PhysicsRayHit = WithBodies<RayHit>;
export type PhysicsOverlapHit = WithBodies<OverlapHit>;
export type PhysicsRayOptions = Omit<RayOptions, 'skip'> & { skip?: PhysicsBody | BodyId };

const TIME_SCALE = { min: 0.001, max: 1000 };
/** Steps that one buffer asks for, and ms that they may take: the worker looks at its messages in between. */
const STEPS_PER_BUFFER = 64;
const MS_PER_BUFFER = 25;
/** Buffers of steps that page's frames may be ahead of the worker; then frames make no steps until it has caught up. */
const BUFFERS_AHEAD = 3;
const MOST_STEPS = 100_000;
/** N·s */
const IMPULSE = { min: 0, max: 1e15 };
/** ms over which the real-time factor is measured. */
const FACTOR_WINDOW = 500;

const ORIGIN = [0, 0, 0];
const IDENTITY = [0, 0, 0, 1];
const ignore = () => {};

/** A replica that tells where its user puts bodies. */
class ClientReplica extends Replica {
  onPlaced: (id: BodyId, position: Vec3Like, rotation: QuatLike) => void = ignore;

  override createBody(options: BodyOptions): BodyId {
    const id = super.createBody(options);
    this.onPlaced(id, options.position ?? ORIGIN, options.rotation ?? IDENTITY);
    return id;
  }

  override createBodies(list: readonly BodyOptions[]): Int32Array {
    const ids = super.createBodies(list);
    for (let i = 0; i < ids.length; i++) {
      const { position, rotation } = list[i] as BodyOptions;
      this.onPlaced(ids[i] as BodyId, position ?? ORIGIN, rotation ?? IDENTITY);
    }
    return ids;
  }

  override createBodiesAt(template: BodyOptions, places: BodyPlaces): Int32Array {
    const ids = super.createBodiesAt(template, places);
    const { positions: p, rotations: q } = places;
    const position = [0, 0, 0];
    const rotation = q === undefined ? (template.rotation ?? IDENTITY) : [0, 0, 0, 1];
    for (let i = 0; i < ids.length; i++) {
      for (let k = 0; k < 3; k++) position[k] = p[3 * i + k] as number;
      if (q !== undefined) for (let k = 0; k < 4; k++) (rotation as number[])[k] = q[4 * i + k] as number;
      this.onPlaced(ids[i] as BodyId, position, rotation);
    }
    return ids;
  }

  override setTransform(id: BodyId, position: Vec3Like, rotation: QuatLike): void {
    super.setTransform(id, position, rotation);
    this.onPlaced(id, position, rotation);
  }
}

/**
 * Starts a worker with an empty world in it. The world stands still until `start`.
 *
 * @throws PhysicsError 'unsupported-host' without workers or WebAssembly SIMD, 'worker-lost' when the
 *   worker's script cannot be loaded, 'invalid-argument', 'unknown-option'
 */
export async function createPhysics(options: PhysicsOptions = {}): Promise<Physics> {
  const physics = new Physics(options);
  await physics.open();
  return physics;
}

export class Physics {
  /** @internal What both sides know. */
  readonly replica: Replica;
  /** @internal */
  readonly poses = new PoseStore();
  readonly stats: PhysicsStats = {
    stepMs: 0,
    steps: 0,
    bodies: 0,
    awake: 0,
    contacts: 0,
    droppedMs: 0,
    eventsDropped: 0,
    realTimeFactor: 0,
    restarts: 0,
  };
  /** s */
  readonly fixedTimeStep: number;
  private readonly maxSubSteps: number;
  private readonly mode: ClockMode;
  /** Of the page's frames, in mode 'frames'. */
  private readonly pageClock: FixedStepClock;
  private readonly velocities: boolean;
  private readonly link: Link;
  private running = false;
  /** The page is hidden, and the world stands still for it. */
  private suspended = false;
  private readonly stopWatching: () => void;
  private views: (PhysicsBody | undefined)[] = [];
  private readonly optionMask: number;
  private readonly subscriptions = new Subscriptions((id) => this.resolve(id));
  private readonly errorListeners = new Set<(error: PhysicsError) => void>();
  private readonly restartListeners = new Set<() => void>();
  private readonly updateListeners: (() => void)[] = [];
  private debug: DebugLinesOptions | null = null;
  private readonly lines: DebugLines = { ...NO_LINES };
  private factorSince = 0;
  private factorSteps = 0;
  /** Of lost workers: their successors count from 0. */
  private droppedMsBefore = 0;
  private eventsDroppedBefore = 0;

  /** @internal See createPhysics. */
  constructor(options: PhysicsOptions) {
    checkOptions(options, 'options', Object.keys(options ?? {}));
    const { workerFactory, workerUrl, worker, transport, fixedTimeStep, maxSubSteps, timeScale, ...rest } =
      options;
    const { clock, whenHidden, restart, hangTimeout, velocities, ...world } = rest;
    this.fixedTimeStep = checkTimeStep(fixedTimeStep ?? 1 / 60, 'fixedTimeStep');
    this.maxSubSteps = checkInteger(maxSubSteps ?? 8, 'maxSubSteps', 1, 1000);
    this.mode = checkOneOf(clock ?? 'automatic', 'clock', ['automatic', 'frames', 'manual'] as const);
    this.velocities = checkBoolean(velocities ?? false, 'velocities');
    this.pageClock = new FixedStepClock({
      dt: this.fixedTimeStep,
      maxSteps: this.maxSubSteps,
      timeScale: checkNumber(timeScale ?? 1, 'timeScale', TIME_SCALE),
    });
    const replica = new ClientReplica(world);
    const position = new Float64Array(3);
    const rotation = new Float64Array(4);
    replica.onPlaced = (id, p, q) => {
      readVec3(p, 'position', COORDINATE, position);
      readQuat(q, 'rotation', rotation);
      this.poses.setLocal(id & MAX_SLOT, position, rotation, this.link.sequence + 1);
    };
    this.replica = replica;
    const { poses } = this;
    this.link = new Link(
      {
        get shown() {
          return poses.sequence;
        },
        frame: (frame) => this.receiveFrame(frame),
        records: (words, floats, from, end) => this.subscriptions.dispatch(words, floats, from, end),
        error: (error, answered) => this.report(error, answered),
        options: () => ({
          dt: this.fixedTimeStep,
          maxSteps: this.maxSubSteps,
          timeScale: this.timeScale,
          maxBodies: replica.limit,
          velocities: this.velocities,
        }),
        outputs: () => {
          const { eventMask, profiling } = replica.host;
          return { outputs: { eventMask, profiling }, debug: this.debug };
        },
        restarted: () => this.onRestarted(),
      },
      {
        workerFactory,
        workerUrl,
        worker,
        transport,
        restart: checkBoolean(restart ?? true, 'restart'),
        hangTimeout: checkNumber(hangTimeout ?? 5000, 'hangTimeout', { min: 0, max: 1e9 }),
      },
    );
    this.optionMask = replica.host.eventMask;
    const hidden = checkOneOf(whenHidden ?? 'pause', 'whenHidden', ['pause', 'run'] as const);
    this.stopWatching = hidden === 'run' ? ignore : watchVisibility((visible) => this.suspend(!visible));
  }

  /** @internal */
  async open(): Promise<void> {
    await this.link.open();
    this.flush();
  }

  /** How poses, events and commands travel. */
  get transport(): Transport {
    return this.link.transport;
  }

  // --- running ---

  /**
   * Lets the clock run: fixed steps in real time, times `timeScale`. Does nothing when it runs. A force
   * then acts from one `update` to the next, as Bullet's do for all substeps of a frame (but for no more
   * than maxSubSteps steps), so applying it in every frame gives the same push at any frame rate.
   */
  start(): Promise<void> {
    if (this.mode === 'manual')
      throw new PhysicsError('invalid-argument', "a world with clock: 'manual' cannot be started: call step");
    this.running = true;
    this.flush();
    return this.resumeClock();
  }

  private resumeClock(): Promise<void> {
    if (!this.running || this.suspended) return Promise.resolve();
    if (this.mode === 'automatic') return this.link.change((host, sequence) => host.start(sequence));
    this.pageClock.start(performance.now());
    return Promise.resolve();
  }

  /** Stops the clock. Commands still apply, `step` still steps. Resolves when the last poses can be read. */
  pause(): Promise<void> {
    this.running = false;
    this.flush();
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

  /** While the page is hidden. What was due meanwhile is not. */
  private suspend(suspended: boolean): void {
    if (suspended === this.suspended || this.link.failure !== null) return;
    this.suspended = suspended;
    if (!this.running) return;
    this.flush();
    if (suspended) void this.stopClock();
    else void this.resumeClock();
  }

  get isRunning(): boolean {
    return this.running && this.link.failure === null;
  }

  /** Simulated seconds per second of real time. */
  get timeScale(): number {
    return this.pageClock.timeScale;
  }

  set timeScale(timeScale: number) {
    this.pageClock.setTimeScale(checkNumber(timeScale, 'timeScale', TIME_SCALE), performance.now());
    this.flush();
    this.link.change((host, sequence) => host.setTimeScale(sequence, timeScale));
  }

  /**
   * Makes `n` fixed steps at once, whether the clock runs or not. Resolves when the poses of the last one
   * can be read. Every step clears the forces, as World.step does.
   */
  step(n = 1): Promise<void> {
    checkInteger(n, 'n', 1, MOST_STEPS);
    const { writable: replica } = this;
    this.flush();
    const perBuffer = Math.max(1, Math.min(STEPS_PER_BUFFER, Math.floor(MS_PER_BUFFER / this.stats.stepMs)));
    for (let made = 0; made < n; ) {
      for (const end = Math.min(n, made + perBuffer); made < end; made++) {
        replica.step(this.fixedTimeStep);
        if (replica.hasForces) replica.clearForces();
      }
      this.flush();
    }
    return this.link.seen();
  }

  /**
   * Once per frame: sends the commands of the frame, fixes the poses to draw, moves what is bound to bodies.
   * In shared memory this is also when new poses and events are looked for.
   *
   * @param now  ms, the moment to draw; what requestAnimationFrame passes, or performance.now()
   */
  update(now = performance.now()): void {
    if (this.mode === 'frames') this.drive(now);
    this.flush();
    this.link.poll();
    this.poses.advance(now);
    const { updateListeners } = this;
    for (let i = 0; i < updateListeners.length; i++) (updateListeners[i] as () => void)();
  }

  /** Makes the steps that are due by the page's frames. */
  private drive(now: number): void {
    const { pageClock, replica, link } = this;
    if (link.failure !== null || link.sequence - this.poses.sequence > BUFFERS_AHEAD) return;
    const due = pageClock.due(now);
    if (due === 0) return;
    for (let made = 0; made < due; made++) replica.step(this.fixedTimeStep);
    if (replica.hasForces) replica.clearForces();
    this.flush(pageClock.lastDue);
  }

  /** Sends what has been called so far. `update` does so, and every call that returns a promise. */
  flush(due?: number): void {
    const { replica } = this;
    const { writer } = replica;
    if (writer.length === 0) return;
    if (this.link.failure === null) this.link.send(writer.view(), due);
    writer.clear();
    // A force acts until the next frame of the page, however many steps that is: the next buffer ends it.
    if (this.isRunning && this.mode === 'automatic' && replica.hasForces) replica.clearForces();
  }

  // --- bodies ---

  /** @internal The replica to write to; throws when the world is gone. */
  get writable(): Replica {
    if (this.link.failure !== null) throw this.link.failure;
    return this.replica;
  }

  /**
   * Creates a body with its shapes, all or nothing. The body and its id are there at once; the worker
   * learns of it with the next update.
   *
   * @throws PhysicsError 'invalid-argument', 'unknown-option', 'limit-exceeded'
   */
  createBody(options: BodyOptions): PhysicsBody {
    const id = this.writable.createBody(options);
    const body = new PhysicsBody(this, id);
    this.views[id & MAX_SLOT] = body;
    return body;
  }

  /**
   * Creates many bodies, all or none: a list of descriptions, or one description with the places of all in
   * arrays, which is the fastest way. The latter gives ids; `getBody` makes a handle of one.
   *
   * @throws PhysicsError as createBody; nothing has been created then
   */
  createBodies(list: readonly BodyOptions[]): PhysicsBody[];
  createBodies(template: BodyOptions, places: BodyPlaces): Int32Array;
  createBodies(given: readonly BodyOptions[] | BodyOptions, places?: BodyPlaces): PhysicsBody[] | Int32Array {
    const { writable } = this;
    if (places !== undefined) return writable.createBodiesAt(given as BodyOptions, places);
    return Array.from(writable.createBodies(given as readonly BodyOptions[]), (id) => this.resolve(id));
  }

  /** Removes a body and its shapes. */
  removeBody(body: PhysicsBody | BodyId): void {
    const { writable } = this;
    const id = this.idOf(body);
    writable.removeBody(id);
    this.views[id & MAX_SLOT] = undefined;
  }

  /**
   * Links two bodies, or one with the world: see World.createJoint. What a joint bears is known to the
   * world in the worker; the page hears of a joint that breaks ('jointBroken').
   */
  createJoint(options: JointOptions<PhysicsBody | BodyId>): PhysicsJoint {
    const { writable } = this;
    const bodyA = options?.bodyA === undefined ? 0 : this.idOf(options.bodyA);
    const bodyB = options?.bodyB === undefined ? 0 : this.idOf(options.bodyB);
    return new PhysicsJoint(this, writable.createJoint(options, bodyA, bodyB));
  }

  /** The joint with an id, or undefined when it was removed or never existed. */
  getJoint(id: JointId): PhysicsJoint | undefined {
    return this.replica.joints.isLive(id) ? new PhysicsJoint(this, id) : undefined;
  }

  /** The body with an id, or undefined when it was removed or never existed. */
  getBody(id: BodyId): PhysicsBody | undefined {
    return this.replica.bodies.isLive(id) ? this.resolve(id) : undefined;
  }

  /** Bodies in the order of their slots. */
  *bodies(): Generator<PhysicsBody> {
    for (let slot = 1; slot < this.replica.bodies.slotEnd; slot++) {
      const id = this.replica.bodies.idAt(slot);
      if (id !== 0) yield this.resolve(id);
    }
  }

  get bodyCount(): number {
    return this.replica.bodies.count;
  }

  get shapeCount(): number {
    return this.replica.shapes.count;
  }

  /** The one handle of an id; also of a body that is gone, which events may name. */
  private resolve(id: BodyId): PhysicsBody {
    const slot = id & MAX_SLOT;
    const view = this.views[slot];
    if (view !== undefined && view.id === id) return view;
    const fresh = new PhysicsBody(this, id);
    if (this.replica.bodies.isLive(id)) this.views[slot] = fresh;
    return fresh;
  }

  /** @internal The id of a live body of this world, given by handle or id. */
  idOf(body: PhysicsBody | BodyId, argument = 'body'): BodyId {
    if (body instanceof PhysicsBody) {
      if (body.physics !== this)
        throw new PhysicsError('foreign-id', 'belongs to another world', argument, body.id);
      this.replica.bodies.check(body.id, argument);
      return body.id;
    }
    this.replica.bodies.check(body, argument);
    return body;
  }

  /**
   * Column-major 4 × 4 matrices of bodies at the moment of drawing, 16 numbers each, into `out`: for an
   * instanced mesh, in one call.
   *
   * @param ids  of bodies, not checked; at 0 nothing is written
   * @param scales  three factors per body, or null for 1
   */
  writeMatrices(ids: ArrayLike<number>, out: Float32Array, scales: ArrayLike<number> | null = null): void {
    this.poses.writeMatrices(ids, ids.length, scales, out);
  }

  // --- settings ---

  /** m/s². */
  getGravity<T extends Vec3Out = [number, number, number]>(out?: T): T {
    const [x, y, z] = this.replica.gravity;
    return fillVec3(out ?? ([0, 0, 0] as unknown as T), x, y, z);
  }

  /** m/s². Wakes all bodies. */
  setGravity(gravity: Vec3Like): void {
    this.writable.setGravity(gravity);
  }

  /** A copy of the settings. */
  get settings(): WorldSettings {
    return { ...this.replica.settings };
  }

  /** Changes some settings and wakes all bodies. */
  updateSettings(changes: Partial<WorldSettings>): void {
    this.writable.updateSettings(changes);
  }

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
    this.flush();
    this.link.change((host, sequence) => host.setOutputs(sequence, { eventMask, profiling }));
  }

  /** Which lines `debugLines` shows from the next frame on; null for none. They cost time: for debugging. */
  setDebug(options: DebugLinesOptions | null): void {
    this.debug = options;
    if (options === null) Object.assign(this.lines, NO_LINES);
    this.flush();
    this.link.change((host, sequence) => host.setDebug(sequence, options));
  }

  /** The lines of the latest frame; valid until the next one. */
  get debugLines(): DebugLines {
    return this.lines;
  }

  // --- events ---

  /**
   * Calls `listener` with every event of a type when the frame that carries it arrives; in shared memory
   * that is in `update`.
   *
   * @param filter  only events of one body, or only contacts with at least some impulse
   * @returns ends the subscription
   */
  on<Type extends EventType>(
    type: Type,
    listener: (event: EventOf<Type, PhysicsBody>) => void,
    filter: EventFilter = {},
  ): () => void {
    checkFunction(listener, 'listener');
    const end = this.subscriptions.add(type, listener as (event: never) => void, this.filterOf(filter));
    this.updateEventMask();
    return () => {
      end();
      this.updateEventMask();
    };
  }

  off<Type extends EventType>(type: Type, listener: (event: EventOf<Type, PhysicsBody>) => void): void {
    this.subscriptions.remove(type, listener as (event: never) => void);
    this.updateEventMask();
  }

  /**
   * The same for a loop: `for await (const event of physics.events('contactBegin', { body })) …`. Ends with
   * the loop, with the world, or by `return`. Events wait for the loop; beyond 10,000 the oldest are lost
   * and counted in `dropped`.
   */
  events<Type extends EventType>(
    type: Type,
    filter: EventFilter = {},
  ): EventStream<EventOf<Type, PhysicsBody>> {
    const stream = new EventStream<EventOf<Type, PhysicsBody>>(() => {
      end();
      this.subscriptions.streams.delete(stream);
    });
    const end = this.on(type, (event) => stream.push(event), filter);
    this.subscriptions.streams.add(stream);
    return stream;
  }

  private filterOf({ body, minImpulse, ...unknown }: EventFilter): { body: BodyId; minImpulse: number } {
    checkOptions(unknown, 'filter', []);
    return {
      body: body === undefined ? 0 : this.idOf(body, 'filter.body'),
      minImpulse: minImpulse === undefined ? 0 : checkNumber(minImpulse, 'filter.minImpulse', IMPULSE),
    };
  }

  private updateEventMask(): void {
    const mask = this.optionMask | this.subscriptions.mask;
    if (mask === this.replica.host.eventMask || this.link.failure !== null) return;
    this.replica.host.eventMask = mask;
    this.sendOutputs();
  }

  /**
   * Calls `listener` with errors that belong to no call: a refused command buffer, lost events, a lost
   * worker. Without a listener they go to the console.
   */
  onError(listener: (error: PhysicsError) => void): () => void {
    this.errorListeners.add(checkFunction(listener, 'listener'));
    return () => this.errorListeners.delete(listener);
  }

  /** Calls `listener` at the end of every `update`. */
  onUpdate(listener: () => void): () => void {
    const { updateListeners } = this;
    updateListeners.push(checkFunction(listener, 'listener'));
    return () => {
      const at = updateListeners.indexOf(listener);
      if (at >= 0) updateListeners.splice(at, 1);
    };
  }

  /** Calls `listener` when a lost worker was replaced and the world is where the page saw it last. */
  onRestart(listener: () => void): () => void {
    this.restartListeners.add(checkFunction(listener, 'listener'));
    return () => this.restartListeners.delete(listener);
  }

  private onRestarted(): void {
    this.droppedMsBefore = this.stats.droppedMs;
    this.eventsDroppedBefore = this.stats.eventsDropped;
    this.stats.restarts = this.link.restarts;
    this.poses.forgetTime();
    void this.resumeClock();
    for (const listener of this.restartListeners) listener();
  }

  // --- queries ---

  /** Shoots a ray from one point to another, in the world as it is after all calls so far. */
  rayTest(
    from: Vec3Like,
    to: Vec3Like,
    options: PhysicsRayOptions & { mode: 'all' },
  ): Promise<PhysicsRayHit[]>;
  rayTest(
    from: Vec3Like,
    to: Vec3Like,
    options?: PhysicsRayOptions & { mode?: 'closest' | 'any' },
  ): Promise<PhysicsRayHit | null>;
  async rayTest(
    from: Vec3Like,
    to: Vec3Like,
    options: PhysicsRayOptions = {},
  ): Promise<PhysicsRayHit | PhysicsRayHit[] | null> {
    const [a, b] = [vec3Of(from, 'from'), vec3Of(to, 'to')];
    const asked = { ...options } as RayOptions;
    if (options.skip !== undefined) asked.skip = this.idOf(options.skip, 'skip');
    const found = await this.ask((host, sequence) => host.rayTest(sequence, a, b, asked));
    const hits = found.map((hit) => this.withBodies<RayHit>(hit));
    return options.mode === 'all' ? hits : (hits[0] ?? null);
  }

  /** The closest hits of many rays, six numbers each: from x, y, z, to x, y, z. */
  async rayTestBatch(rays: ArrayLike<number>, options: QueryFilter = {}): Promise<RayBatch> {
    const copy = Float32Array.from(rays);
    return this.ask((host, sequence) =>
      host.rayTestBatch(sequence, transfer(copy, [copy.buffer]), { ...options }),
    );
  }

  /** Shapes whose bounding boxes touch a box. */
  async overlapTest(min: Vec3Like, max: Vec3Like, options: QueryFilter = {}): Promise<PhysicsOverlapHit[]> {
    const [a, b] = [vec3Of(min, 'min'), vec3Of(max, 'max')];
    const hits = await this.ask((host, sequence) => host.overlapTest(sequence, a, b, { ...options }));
    return hits.map((hit) => this.withBodies<OverlapHit>(hit));
  }

  /** What touches now: all contacts, or those of one body. */
  async getContacts(body?: PhysicsBody | BodyId): Promise<Contact<PhysicsBody>[]> {
    const id = body === undefined ? 0 : this.idOf(body);
    const contacts = await this.ask((host, sequence) => host.getContacts(sequence, id));
    return contacts.map((contact) => this.withBodies<Contact<PhysicsBody>>(contact));
  }

  /** What the last step cost, by stage; times are 0 unless `profiling` is on. */
  getProfile(): Promise<Profile> {
    return this.ask((host, sequence) => host.getProfile(sequence));
  }

  /** 16 hexadecimal digits, as World.stateHash. */
  stateHash(): Promise<string> {
    return this.ask((host, sequence) => host.stateHash(sequence));
  }

  /** The whole state as bytes, as World.snapshot: a World takes it, too. */
  snapshot(): Promise<Uint8Array> {
    this.flush();
    const words = saveReplica(this.replica);
    return this.ask((host, sequence) => host.snapshot(sequence, transfer(words, [words.buffer])));
  }

  /**
   * Brings the world to the state of a snapshot. Handles of bodies that exist in it stay valid. Resolves
   * when the poses can be read.
   */
  async restore(snapshot: Uint8Array): Promise<void> {
    const install = loadReplica(this.writable, unpackSnapshot(snapshot).replica);
    const bytes = snapshot.slice();
    this.flush();
    const done = this.link.changeAndSee((host, sequence) => host.restore(sequence, bytes));
    const forget = this.link.restored(bytes, this.link.sequence);
    install();
    this.poses.forgetLocal();
    this.views = this.views.map((view) => (view && this.replica.bodies.isLive(view.id) ? view : undefined));
    try {
      await done;
    } catch (error) {
      if ((error as PhysicsError).code === 'worker-lost') throw error;
      forget();
      // What the replica now knows is not what the worker has: there is no way on.
      this.link.fail(error as PhysicsError);
      throw error;
    }
  }

  private withBodies<T>(found: WithIds<T>): WithBodies<T> {
    const out = { ...found } as Record<string, unknown>;
    for (const key of ['body', 'bodyA', 'bodyB']) if (key in out) out[key] = this.resolve(out[key] as BodyId);
    return out as WithBodies<T>;
  }

  // --- messages ---

  private ask<T>(question: Parameters<typeof this.link.ask<T>>[0]): Promise<T> {
    this.flush();
    return this.link.ask(question);
  }

  private receiveFrame(frame: FrameRoom): FrameRoom | null {
    const now = performance.now();
    const released = this.poses.receive(frame, now);
    this.readStats(frame, now);
    this.readLines(frame);
    return released;
  }

  private readStats({ words, floats, doubles }: FrameRoom, now: number): void {
    const { stats } = this;
    const steps = words[FRAME.STEPS] as number;
    stats.stepMs = floats[FRAME.STEP_MS] as number;
    stats.steps = steps;
    stats.bodies = words[FRAME.BODIES] as number;
    stats.awake = words[FRAME.AWAKE] as number;
    stats.contacts = words[FRAME.CONTACTS] as number;
    stats.droppedMs =
      this.droppedMsBefore + this.pageClock.droppedMs + (doubles[FRAME.DROPPED_MS / 2] as number);
    const lost = this.eventsDroppedBefore + (words[FRAME.EVENTS_DROPPED] as number) - stats.eventsDropped;
    if (lost > 0) {
      stats.eventsDropped += lost;
      this.report(
        new PhysicsError('limit-exceeded', `${lost} events were lost: the page took no frames for too long`),
      );
    }
    const elapsed = now - this.factorSince;
    if (elapsed < FACTOR_WINDOW && steps >= this.factorSteps) return;
    const simulated = (steps - this.factorSteps) * this.fixedTimeStep * 1000;
    stats.realTimeFactor = this.factorSince > 0 && simulated >= 0 ? simulated / elapsed : 0;
    this.factorSince = now;
    this.factorSteps = steps;
  }

  private readLines({ words, floats }: FrameRoom): void {
    const { lines } = this;
    const count = words[FRAME.LINES] as number;
    if (count === 0) {
      if (lines.count > 0) Object.assign(lines, NO_LINES);
      return;
    }
    const at = words[FRAME.LINE_OFFSET] as number;
    lines.count = count;
    lines.positions = floats.subarray(at, at + 6 * count);
    const from = words.byteOffset + 4 * (at + 6 * count);
    lines.colors = new Uint32Array(words.buffer, from, count);
  }

  private report(error: PhysicsError, answered = false): void {
    if (this.errorListeners.size === 0 && !answered) console.error(error);
    for (const listener of this.errorListeners) listener(error);
  }

  /**
   * Ends the worker and frees the world. Pending answers are rejected with 'disposed', later calls throw it,
   * loops over events end.
   */
  dispose(): void {
    this.running = false;
    this.stopWatching();
    this.link.dispose();
    this.poses.forgetFrames();
    this.views = [];
    this.subscriptions.clear();
    this.errorListeners.clear();
    this.restartListeners.clear();
    this.updateListeners.length = 0;
    Object.assign(this.lines, NO_LINES);
  }

  get isDisposed(): boolean {
    return this.link.failure?.code === 'disposed';
  }
}

const NO_LINES: DebugLines = { count: 0, positions: new Float32Array(0), colors: new Uint32Array(0) };

/** Calls `changed` when the page is hidden or shown again; where there is no page, never. */
function watchVisibility(changed: (visible: boolean) => void): () => void {
  if (typeof document === 'undefined') return ignore;
  const listener = () => changed(document.visibilityState !== 'hidden');
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
