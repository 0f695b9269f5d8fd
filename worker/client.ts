// The page's side of a world in a worker, entry of `ricochet/worker`. In: the same calls as World has.
// Out: one command buffer per frame, ids at once, poses and events from the frames that come back.
// Contains no engine: checks and encoding come from the replica that World uses, too.
import { transfer } from 'comlink';
import type { DebugLines, DebugLinesOptions } from '../src/debugLines';
import { PhysicsError } from '../src/errors';
import { type Contact, decodeEvent, type EventOf, eventWords } from '../src/events';
import { checkEventType, EVENT_CODES, EVENT_NAMES } from '../src/eventTypes';
import { type BodyId, MAX_SLOT } from '../src/ids';
import { fillVec3 } from '../src/out';
import type { Profile } from '../src/profile';
import type { OverlapHit, QueryFilter, RayBatch, RayHit, RayOptions } from '../src/queries';
import { checkTimeStep, Replica } from '../src/replica';
import { loadReplica, saveReplica } from '../src/replicaState';
import { unpackSnapshot } from '../src/snapshot';
import type {
  BodyOptions,
  EventType,
  QuatLike,
  Vec3Like,
  Vec3Out,
  WorldOptions,
  WorldSettings,
} from '../src/types';
import {
  COORDINATE,
  checkFunction,
  checkInteger,
  checkNumber,
  checkOptions,
  readQuat,
  readVec3,
  vec3Of,
} from '../src/validate';
import { PhysicsBody } from './body';
import type { ConnectOptions } from './connect';
import { Link } from './link';
import { PoseStore } from './poses';
import { FRAME, type WithIds } from './protocol';

export type { ConnectOptions, WorkerLike } from './connect';
export { PhysicsBody };

export interface PhysicsOptions extends WorldOptions, ConnectOptions {
  /** s. Length of a step, 1e-6 … 1. Default 1/60. */
  fixedTimeStep?: number;
  /** Most steps at once after a pause; what is due beyond that is dropped and reported. Default 8. */
  maxSubSteps?: number;
  /** Simulated seconds per second, 0.001 … 1000. Default 1. */
  timeScale?: number;
}

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
}

/** An answer about shapes and bodies with bodies as the page holds them. */
type WithBodies<T> = Omit<T, 'body' | 'bodyA' | 'bodyB'> & {
  [K in Extract<keyof T, 'body' | 'bodyA' | 'bodyB'>]: PhysicsBody;
};
export type PhysicsRayHit = WithBodies<RayHit>;
export type PhysicsOverlapHit = WithBodies<OverlapHit>;
export type PhysicsRayOptions = Omit<RayOptions, 'skip'> & { skip?: PhysicsBody | BodyId };

type Listener = (event: never) => void;

const TIME_SCALE = { min: 0.001, max: 1000 };
/** Steps that one message asks for: the worker looks at its other messages in between. */
const STEPS_PER_BUFFER = 64;
const MOST_STEPS = 100_000;
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
  };
  /** s */
  readonly fixedTimeStep: number;
  private readonly connectOptions: ConnectOptions;
  private readonly maxSubSteps: number;
  private scale: number;
  private readonly link: Link;
  private running = false;
  private views: (PhysicsBody | undefined)[] = [];
  private readonly optionMask: number;
  private readonly listeners = new Map<EventType, Set<Listener>>();
  private readonly errorListeners = new Set<(error: PhysicsError) => void>();
  private readonly updateListeners = new Set<() => void>();
  private lines: DebugLines = NO_LINES;
  private factorSince = 0;
  private factorSteps = 0;

  /** @internal See createPhysics. */
  constructor(options: PhysicsOptions) {
    checkOptions(options, 'options', Object.keys(options ?? {}));
    const { workerFactory, workerUrl, fixedTimeStep, maxSubSteps, timeScale, ...world } = options;
    this.connectOptions = { workerFactory, workerUrl };
    this.fixedTimeStep = checkTimeStep(fixedTimeStep ?? 1 / 60, 'fixedTimeStep');
    this.maxSubSteps = checkInteger(maxSubSteps ?? 8, 'maxSubSteps', 1, 1000);
    this.scale = checkNumber(timeScale ?? 1, 'timeScale', TIME_SCALE);
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
    this.link = new Link({
      get shown() {
        return poses.sequence;
      },
      frame: (buffer) => this.receiveFrame(buffer),
      error: (error, answered) => this.report(error, answered),
    });
    this.optionMask = replica.host.eventMask;
  }

  /** @internal */
  async open(): Promise<void> {
    const { fixedTimeStep: dt, maxSubSteps: maxSteps, scale: timeScale, replica } = this;
    await this.link.open(this.connectOptions, { dt, maxSteps, timeScale, maxBodies: replica.limit });
    this.flush();
  }

  // --- running ---

  /**
   * Lets the clock run: fixed steps in real time, times `timeScale`. Does nothing when it runs. A force
   * then acts from one `update` to the next, as Bullet's do for all substeps of a frame (but for no more
   * than maxSubSteps steps), so applying it in every frame gives the same push at any frame rate.
   */
  start(): Promise<void> {
    this.running = true;
    this.flush();
    return this.link.change((host, sequence) => host.start(sequence));
  }

  /** Stops the clock. Commands still apply, `step` still steps. Resolves when the last poses can be read. */
  pause(): Promise<void> {
    this.running = false;
    this.flush();
    return this.link.changeAndSee((host, sequence) => host.pause(sequence));
  }

  /** As start. */
  resume(): Promise<void> {
    return this.start();
  }

  get isRunning(): boolean {
    return this.running && this.link.failure === null;
  }

  /** Simulated seconds per second of real time. */
  get timeScale(): number {
    return this.scale;
  }

  set timeScale(timeScale: number) {
    this.scale = checkNumber(timeScale, 'timeScale', TIME_SCALE);
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
    for (let made = 0; made < n; ) {
      for (const end = Math.min(n, made + STEPS_PER_BUFFER); made < end; made++) {
        replica.step(this.fixedTimeStep);
        if (replica.hasForces) replica.clearForces();
      }
      this.flush();
    }
    return this.link.seen();
  }

  /** Once per frame: sends the commands of the frame, fixes the poses to draw, moves what is bound to bodies. */
  update(now = performance.now()): void {
    this.flush();
    this.poses.advance(now);
    for (const listener of this.updateListeners) listener();
  }

  /** Sends what has been called so far. `update` does so, and every call that returns a promise. */
  flush(): void {
    const { replica } = this;
    const { writer } = replica;
    if (writer.length === 0) return;
    if (this.link.failure === null) this.link.send(writer.view());
    writer.clear();
    // A force acts until the next frame of the page, however many steps that is: the next buffer ends it.
    if (this.isRunning && replica.hasForces) replica.clearForces();
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

  /** Removes a body and its shapes. */
  removeBody(body: PhysicsBody | BodyId): void {
    const { writable } = this;
    const id = this.idOf(body);
    writable.removeBody(id);
    this.views[id & MAX_SLOT] = undefined;
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
    if (options === null) this.lines = NO_LINES;
    this.flush();
    this.link.change((host, sequence) => host.setDebug(sequence, options));
  }

  /** The lines of the latest frame; valid until the next one. */
  get debugLines(): DebugLines {
    return this.lines;
  }

  // --- events ---

  /** Calls `listener` with every event of a type when the frame that carries it arrives. Returns the way to end it. */
  on<Type extends EventType>(type: Type, listener: (event: EventOf<Type, PhysicsBody>) => void): () => void {
    checkEventType(type);
    checkFunction(listener, 'listener');
    let listeners = this.listeners.get(type);
    if (listeners === undefined) this.listeners.set(type, (listeners = new Set()));
    listeners.add(listener as Listener);
    this.updateEventMask();
    return () => this.off(type, listener);
  }

  off<Type extends EventType>(type: Type, listener: (event: EventOf<Type, PhysicsBody>) => void): void {
    const listeners = this.listeners.get(checkEventType(type));
    if (listeners === undefined || !listeners.delete(listener as Listener)) return;
    if (listeners.size === 0) this.listeners.delete(type);
    this.updateEventMask();
  }

  private updateEventMask(): void {
    let mask = this.optionMask;
    for (const type of this.listeners.keys()) mask |= 1 << EVENT_CODES[type];
    if (mask === this.replica.host.eventMask) return;
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
    this.updateListeners.add(checkFunction(listener, 'listener'));
    return () => this.updateListeners.delete(listener);
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
    const done = this.link.changeAndSee((host, sequence) =>
      host.restore(sequence, transfer(bytes, [bytes.buffer])),
    );
    install();
    this.poses.forgetLocal();
    this.views = this.views.map((view) => (view && this.replica.bodies.isLive(view.id) ? view : undefined));
    try {
      await done;
    } catch (error) {
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

  private receiveFrame(buffer: ArrayBuffer): void {
    const now = performance.now();
    const released = this.poses.receive(buffer, now);
    if (released !== null) this.link.giveBack(released);
    const { words, floats } = this.poses.frame;
    this.readStats(words, floats, now);
    this.readLines(buffer, words);
    if ((words[FRAME.EVENT_WORDS] as number) > 0) this.dispatch(words, floats);
  }

  private readStats(words: Int32Array, floats: Float32Array, now: number): void {
    const { stats } = this;
    const steps = words[FRAME.STEPS] as number;
    stats.stepMs = floats[FRAME.STEP_MS] as number;
    stats.steps = steps;
    stats.bodies = words[FRAME.BODIES] as number;
    stats.awake = words[FRAME.AWAKE] as number;
    stats.contacts = words[FRAME.CONTACTS] as number;
    stats.droppedMs = this.poses.droppedMs;
    const dropped = words[FRAME.EVENTS_DROPPED] as number;
    if (dropped > 0) {
      stats.eventsDropped += dropped;
      this.report(
        new PhysicsError(
          'limit-exceeded',
          `${dropped} events were lost: the page took no frames for too long`,
        ),
      );
    }
    const elapsed = now - this.factorSince;
    if (elapsed < FACTOR_WINDOW && steps >= this.factorSteps) return;
    const simulated = (steps - this.factorSteps) * this.fixedTimeStep * 1000;
    stats.realTimeFactor = this.factorSince > 0 && simulated >= 0 ? simulated / elapsed : 0;
    this.factorSince = now;
    this.factorSteps = steps;
  }

  private readLines(buffer: ArrayBuffer, words: Int32Array): void {
    const count = words[FRAME.LINES] as number;
    if (count === 0) {
      this.lines = NO_LINES;
      return;
    }
    const at = 4 * (words[FRAME.LINE_OFFSET] as number);
    this.lines = {
      count,
      positions: new Float32Array(buffer, at, 6 * count),
      colors: new Uint32Array(buffer, at + 24 * count, count),
    };
  }

  private dispatch(words: Int32Array, floats: Float32Array): void {
    const from = words[FRAME.EVENT_OFFSET] as number;
    const end = from + (words[FRAME.EVENT_WORDS] as number);
    for (let at = from; at < end; at += eventWords(words, at)) {
      const listeners = this.listeners.get(EVENT_NAMES[(words[at] as number) & 255] as EventType);
      if (listeners === undefined) continue;
      const event = decodeEvent(words, floats, at, (id) => this.resolve(id)) as never;
      for (const listener of listeners) listener(event);
    }
  }

  private report(error: PhysicsError, answered = false): void {
    if (this.errorListeners.size === 0 && !answered) console.error(error);
    for (const listener of this.errorListeners) listener(error);
  }

  /** Ends the worker and frees the world. Pending answers are rejected with 'disposed', later calls throw it. */
  dispose(): void {
    this.running = false;
    this.link.dispose();
    this.listeners.clear();
    this.errorListeners.clear();
    this.updateListeners.clear();
    this.lines = NO_LINES;
  }

  get isDisposed(): boolean {
    return this.link.failure?.code === 'disposed';
  }
}

const NO_LINES: DebugLines = { count: 0, positions: new Float32Array(0), colors: new Uint32Array(0) };
