// An in-process world: the public face of one core instance. In: calls, as commands through the replica,
// applied before the next step, query or read. Out: bodies, answers, events after the step. What a call
// refuses has changed nothing.
import { RigidBody } from './body';
import type { BodyPlaces } from './bulk';
import { COMMANDS } from './commands';
import { type DebugLines, type DebugLinesOptions, drawDebugLines } from './debugLines';
import { PhysicsError } from './errors';
import {
  type Contact,
  decodeEvent,
  decodeEvents,
  EventLog,
  type EventOf,
  eventWords,
  type PhysicsEvent,
} from './events';
import { checkEventType, EVENT_CODES, EVENT_NAMES } from './eventTypes';
import { followCommands } from './follow';
import { type BodyId, type JointId, MAX_SLOT, type ShapeId } from './ids';
import { type CoreExports, CoreInstance } from './instance';
import { Joint } from './joint';
import { KinematicTargets } from './kinematicTargets';
import { fillVec3 } from './out';
import { type Profile, readProfile } from './profile';
import {
  type OverlapHit,
  overlapTest,
  type QueryFilter,
  type RayBatch,
  type RayHit,
  type RayOptions,
  rayTest,
  rayTestBatch,
} from './queries';
import { checkTimeStep, Replica } from './replica';
import { loadReplica, saveReplica } from './replicaState';
import { packSnapshot, unpackSnapshot } from './snapshot';
import type {
  BodyOptions,
  EventType,
  JointOptions,
  Vec3Like,
  Vec3Out,
  WorldOptions,
  WorldSettings,
} from './types';
import { checkFunction, checkInteger, checkNumber, invalid } from './validate';

/** Bullet's SIMD_EPSILON: a variable step shorter than this is no step. */
const FUZZY_ZERO = 1.1920929e-7;
/** Word of the core's section of a snapshot that says how far its heap reaches. */
const HEAP_TOP_WORD = 4;
/** s. Longest time that one call of stepSimulation may be asked to catch up with. */
const FRAME_TIME = { min: 0, max: 1e6 };

type Listener = (event: never) => void;

/** Says whether two bodies whose filters match may collide. */
export type PairFilter = (bodyA: RigidBody, bodyB: RigidBody, shapeA: ShapeId, shapeB: ShapeId) => boolean;

export class World {
  /** @internal What both sides of a worker world share. */
  readonly replica: Replica;
  /** @internal The core's memory. */
  readonly instance: CoreInstance;

  private readonly views: (RigidBody | undefined)[] = [];
  /** Views of bodies that were removed since the last step: its contact-end events name them. */
  private readonly leaving = new Map<BodyId, RigidBody>();
  private readonly jointViews: (Joint | undefined)[] = [];
  private readonly log = new EventLog();
  private readonly listeners = new Map<EventType, Set<Listener>>();
  private readonly optionMask: number;
  private pairFilter: PairFilter | null = null;
  private pairFilterError: unknown;
  private readonly targets: KinematicTargets;
  private localTime = 0;
  private fixedTimeStep = 0;
  /** Not 'ready': what goes on. */
  private state: 'ready' | 'in the step' | 'reporting events' | 'disposed' | 'broken' = 'ready';

  /**
   * An empty world.
   *
   * @throws PhysicsError 'unsupported-host' without WebAssembly SIMD; 'invalid-argument', 'unknown-option'
   */
  constructor(options: WorldOptions = {}) {
    this.replica = new Replica(options);
    this.instance = new CoreInstance({ pairFilter: (a, b) => this.askPairFilter(a, b) });
    this.targets = new KinematicTargets(this.instance, this.replica);
    this.optionMask = this.replica.host.eventMask;
  }

  /** A world from a snapshot; the options may hold what a snapshot does not: events, maxBodies, profiling. */
  static restore(snapshot: Uint8Array, options: WorldOptions = {}): World {
    const world = new World(options);
    world.restore(snapshot);
    return world;
  }

  // --- pending commands ---

  /** @internal Applies what is pending, so that the core's memory can be read. */
  sync(): void {
    if (this.state !== 'ready' && this.state !== 'reporting events') this.checkUsable();
    if (this.replica.writer.length > 0) this.flush();
  }

  /** Apart from sync, which runs at every read: closures cost an allocation even when they are not reached. */
  private flush(): void {
    const { writer } = this.replica;
    const commands = writer.view();
    this.guard((core) => core.applyCommands(this.instance.write(commands), commands.length));
    writer.clear();
  }

  private checkUsable(): void {
    switch (this.state) {
      case 'disposed':
        throw new PhysicsError('disposed', 'the world was disposed');
      case 'broken':
        throw new PhysicsError('out-of-memory', 'the host refused memory earlier; the world is lost');
      case 'in the step':
        throw new PhysicsError(
          'busy',
          'the world is in a step: a pair filter may only look at its arguments',
        );
    }
  }

  /** Runs the core; a trap means that the host gave no more memory. */
  private guard<T>(run: (core: CoreExports) => T): T {
    try {
      return run(this.instance.core);
    } catch (error) {
      this.fail(error);
    } finally {
      this.instance.refresh();
    }
  }

  private fail(error: unknown): never {
    if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
    this.state = 'broken';
    throw new PhysicsError('out-of-memory', `the host refused memory, the world is lost: ${error.message}`);
  }

  /** @internal A query of the core. */
  query<T>(run: (core: CoreExports) => T): T {
    this.sync();
    return this.guard(run);
  }

  // --- bodies ---

  /**
   * Creates a body with its shapes: all or nothing.
   *
   * @throws PhysicsError 'invalid-argument', 'unknown-option', 'limit-exceeded'
   */
  createBody(options: BodyOptions): RigidBody {
    this.checkUsable();
    const id = this.replica.createBody(options);
    const body = new RigidBody(this, id);
    this.views[id & MAX_SLOT] = body;
    return body;
  }

  /**
   * Creates many bodies, all or none: a list of descriptions, or one description with the places of all in
   * arrays, which is the fastest way. The latter gives ids; `getBody` makes a view of one.
   *
   * @throws PhysicsError as createBody; nothing has been created then
   */
  createBodies(list: readonly BodyOptions[]): RigidBody[];
  createBodies(template: BodyOptions, places: BodyPlaces): Int32Array;
  createBodies(given: readonly BodyOptions[] | BodyOptions, places?: BodyPlaces): RigidBody[] | Int32Array {
    this.checkUsable();
    if (places !== undefined) return this.replica.createBodiesAt(given as BodyOptions, places);
    return Array.from(this.replica.createBodies(given as readonly BodyOptions[]), (id) => this.resolve(id));
  }

  /** Removes a body and its shapes. What it touched wakes up. */
  removeBody(body: RigidBody | BodyId): void {
    this.checkUsable();
    const id = this.idOf(body);
    const view = this.resolve(id);
    this.replica.removeBody(id);
    this.leaving.set(id, view);
  }

  /** The body with an id, or undefined when it was removed or never existed. */
  getBody(id: BodyId): RigidBody | undefined {
    return this.replica.bodies.isLive(id) ? this.resolve(id) : undefined;
  }

  /** Bodies in the order of their slots. */
  *bodies(): Generator<RigidBody> {
    for (let slot = 1; slot < this.replica.bodies.slotEnd; slot++) {
      const id = this.replica.bodies.idAt(slot);
      if (id !== 0) yield this.resolve(id);
    }
  }

  /** @internal The one view of an id; also of a body that is gone. */
  resolve(id: BodyId): RigidBody {
    const slot = id & MAX_SLOT;
    const view = this.views[slot];
    if (view !== undefined && view.id === id) return view;
    const left = this.leaving.get(id);
    if (left !== undefined) return left;
    const fresh = new RigidBody(this, id);
    if (this.replica.bodies.isLive(id)) this.views[slot] = fresh;
    return fresh;
  }

  /** @internal The id of a live body of this world, given by view or id. */
  idOf(body: RigidBody | BodyId, argument = 'body'): BodyId {
    if (body instanceof RigidBody) {
      if (body.world !== this)
        throw new PhysicsError('foreign-id', 'belongs to another world', argument, body.id);
      this.replica.bodies.check(body.id, argument);
      return body.id;
    }
    this.replica.bodies.check(body, argument);
    return body;
  }

  get bodyCount(): number {
    return this.replica.bodies.count;
  }

  // --- joints ---

  /**
   * Links two bodies, or one with the world, as the options say; both wake up.
   *
   * @throws PhysicsError 'invalid-argument' (also for one body twice, or none that is dynamic),
   * 'unknown-option', 'stale-id', 'foreign-id', 'limit-exceeded'
   */
  createJoint(options: JointOptions<RigidBody | BodyId>): Joint {
    this.checkUsable();
    const bodyA = options?.bodyA === undefined ? 0 : this.idOf(options.bodyA, 'bodyA');
    const bodyB = options?.bodyB === undefined ? 0 : this.idOf(options.bodyB, 'bodyB');
    const id = this.replica.createJoint(options, bodyA, bodyB);
    const joint = new Joint(this, id);
    this.jointViews[id & MAX_SLOT] = joint;
    return joint;
  }

  /** Removes a joint; its bodies wake up and may collide again. */
  removeJoint(joint: Joint | JointId): void {
    this.checkUsable();
    if (joint instanceof Joint && joint.world !== this)
      throw new PhysicsError('foreign-id', 'belongs to another world', 'joint', joint.id);
    this.replica.removeJoint(joint instanceof Joint ? joint.id : joint);
  }

  /** The joint with an id, or undefined when it was removed or never existed. */
  getJoint(id: JointId): Joint | undefined {
    if (!this.replica.joints.isLive(id)) return undefined;
    const slot = id & MAX_SLOT;
    const view = this.jointViews[slot];
    if (view?.id === id) return view;
    return (this.jointViews[slot] = new Joint(this, id));
  }

  /** Joints in the order of their slots. */
  *joints(): Generator<Joint> {
    for (let slot = 1; slot < this.replica.joints.slotEnd; slot++) {
      const id = this.replica.joints.idAt(slot);
      if (id !== 0) yield this.getJoint(id)!;
    }
  }

  get jointCount(): number {
    return this.replica.joints.count;
  }

  get shapeCount(): number {
    return this.replica.shapes.count;
  }

  /** Awake dynamic and kinematic bodies. */
  get awakeCount(): number {
    return this.count('awakeCount');
  }

  /** Pairs of shapes whose fat boxes overlap. */
  get pairCount(): number {
    return this.count('pairCount');
  }

  /** Touching pairs that the solver works on. */
  get contactCount(): number {
    return this.count('contactCount');
  }

  /**
   * Numbers the islands of awake bodies afresh, for RigidBody.getIsland and the debug lines. (A step finds
   * islands only when some body wants to sleep.)
   *
   * @returns number of islands
   */
  findIslands(): number {
    return this.query((core) => core.findIslandsNow());
  }

  /** Fixed steps since the world was made; part of snapshots. */
  get stepCount(): number {
    return this.count('stepCount');
  }

  private count(field: Parameters<CoreInstance['get']>[0]): number {
    this.sync();
    return this.instance.get(field);
  }

  // --- settings ---

  /** m/s². */
  getGravity<T extends Vec3Out = [number, number, number]>(out?: T): T {
    const [x, y, z] = this.replica.gravity;
    return fillVec3(out ?? ([0, 0, 0] as unknown as T), x, y, z);
  }

  /** m/s². Wakes all bodies. */
  setGravity(gravity: Vec3Like): void {
    this.checkUsable();
    this.replica.setGravity(gravity);
  }

  /** A copy of the settings. */
  get settings(): WorldSettings {
    return { ...this.replica.settings };
  }

  /** Changes some settings and wakes all bodies. */
  updateSettings(changes: Partial<WorldSettings>): void {
    this.checkUsable();
    this.replica.updateSettings(changes);
  }

  /** Whether the stages of the step are measured. */
  get profiling(): boolean {
    return this.replica.host.profiling;
  }

  set profiling(on: boolean) {
    this.checkUsable();
    this.setHost({ profiling: on === true });
  }

  /** Outputs only: no command, nothing wakes, no recording knows. */
  private setHost(changes: Partial<Replica['host']>): void {
    this.sync();
    Object.assign(this.replica.host, changes);
    this.applyHost();
  }

  private applyHost(): void {
    const { eventMask, profiling, pairFilter } = this.replica.host;
    this.instance.set('eventMask', eventMask);
    this.instance.set('profileEnabled', profiling ? 1 : 0);
    this.instance.set('pairFilterEnabled', pairFilter ? 1 : 0);
  }

  /**
   * A function that is asked about every new pair of shapes whose filters match. Slow: the core calls into
   * JavaScript in the middle of the step; prefer groups and masks. It must answer the same for the same
   * bodies, or replays differ, and must not call the world. An error that it throws lets the pair collide
   * and is thrown again after the step. null removes it. Pairs that overlap already are not asked again.
   */
  setPairFilter(filter: PairFilter | null): void {
    this.checkUsable();
    this.pairFilter = filter === null ? null : checkFunction(filter, 'filter');
    this.setHost({ pairFilter: filter !== null });
  }

  private askPairFilter(shapeA: number, shapeB: number): boolean {
    const { shapeRecords } = this.replica;
    const a = shapeRecords[shapeA];
    const b = shapeRecords[shapeB];
    if (this.pairFilter === null || a === undefined || b === undefined) return true;
    try {
      return this.pairFilter(this.resolve(a.body), this.resolve(b.body), a.id, b.id) !== false;
    } catch (error) {
      this.pairFilterError ??= error;
      return true;
    }
  }

  // --- stepping ---

  /**
   * One fixed step, then the events. Forces are cleared.
   *
   * @param dt  s, 1e-6 … 1; 1/60 is usual. Keep it constant: the same dt every step is what is tuned.
   */
  step(dt: number): void {
    checkTimeStep(dt);
    this.begin();
    this.localTime = 0;
    this.fixedTimeStep = 0;
    this.singleStep(dt);
    this.end();
  }

  /**
   * Bullet's stepSimulation. With maxSubSteps > 0 the time is divided into fixed steps; what is left over
   * is kept for the next call, and shown by getInterpolatedPosition. When more than maxSubSteps are due
   * the rest is lost: the return value is the number that was due, not the number made. With
   * maxSubSteps 0 there is one step of dt (none when dt is 0).
   *
   * @param dt  s since the last call, ≥ 0
   * @returns number of fixed steps that were due
   */
  stepSimulation(dt: number, maxSubSteps = 1, fixedTimeStep = 1 / 60): number {
    checkNumber(dt, 'dt', FRAME_TIME);
    checkInteger(maxSubSteps, 'maxSubSteps', 0, 1_000_000);
    checkTimeStep(fixedTimeStep, 'fixedTimeStep');
    if (maxSubSteps === 0 && dt >= FUZZY_ZERO) checkTimeStep(dt);
    this.begin();

    let due = 0;
    let h = fixedTimeStep;
    if (maxSubSteps > 0) {
      this.fixedTimeStep = fixedTimeStep;
      this.localTime += dt;
      if (this.localTime >= fixedTimeStep) {
        due = Math.trunc(this.localTime / fixedTimeStep);
        this.localTime -= due * fixedTimeStep;
      }
    } else {
      this.fixedTimeStep = 0;
      this.localTime = 0;
      h = dt;
      due = dt < FUZZY_ZERO ? 0 : 1;
    }
    const made = maxSubSteps === 0 ? due : Math.min(due, maxSubSteps);
    if (made > 1) this.targets.spread(made);
    for (let i = 0; i < made; i++) {
      if (made > 1) {
        this.targets.aim(i);
        this.sync();
      }
      this.singleStep(h);
    }
    this.end();
    return due;
  }

  /** s, ≤ 0: how far getInterpolatedPosition looks back from the latest step. */
  get interpolationTime(): number {
    return this.fixedTimeStep === 0 ? 0 : this.localTime - this.fixedTimeStep;
  }

  private begin(): void {
    if (this.state === 'reporting events')
      throw new PhysicsError(
        'busy',
        'the world is reporting events: step again after the listener has returned',
      );
    this.sync();
    this.log.clear();
  }

  /** The core takes f32: rounding here would make a number object per step. */
  private singleStep(h: number): void {
    this.takeEvents(); // commands wake bodies and part pairs, too
    this.state = 'in the step';
    try {
      this.instance.core.step(h);
      this.state = 'ready';
    } catch (error) {
      this.fail(error);
    }
    this.instance.refresh();
    this.takeEvents();
  }

  private takeEvents(): void {
    const { instance, log } = this;
    const count = instance.get('eventWords');
    if (count === 0) return;
    log.append(instance.words, instance.table('events'), count);
    instance.set('eventWords', 0);
  }

  private end(): void {
    if (this.replica.hasForces) this.replica.clearForces();
    try {
      if (this.pairFilterError !== undefined) {
        const error = this.pairFilterError;
        this.pairFilterError = undefined;
        throw error;
      }
      if (this.listeners.size > 0) this.report();
    } finally {
      if (this.leaving.size > 0) this.leaving.clear();
    }
  }

  // --- events ---

  /**
   * Calls `listener` after each step (after the last one of stepSimulation) with every event of a type, in
   * the order in which they happened. It may change the world, but not step it.
   *
   * @returns ends the subscription
   */
  on<Type extends EventType>(type: Type, listener: (event: EventOf<Type, RigidBody>) => void): () => void {
    this.checkUsable();
    checkEventType(type);
    checkFunction(listener, 'listener');
    let listeners = this.listeners.get(type);
    if (listeners === undefined) this.listeners.set(type, (listeners = new Set()));
    listeners.add(listener as Listener);
    this.updateEventMask();
    return () => this.off(type, listener);
  }

  off<Type extends EventType>(type: Type, listener: (event: EventOf<Type, RigidBody>) => void): void {
    const listeners = this.listeners.get(checkEventType(type));
    if (listeners === undefined || !listeners.delete(listener as Listener)) return;
    if (listeners.size === 0) this.listeners.delete(type);
    if (this.state !== 'disposed') this.updateEventMask();
  }

  private updateEventMask(): void {
    let eventMask = this.optionMask;
    for (const type of this.listeners.keys()) eventMask |= 1 << EVENT_CODES[type];
    this.setHost({ eventMask });
  }

  private report(): void {
    const { words, floats, length } = this.log;
    this.state = 'reporting events';
    try {
      for (let at = 0; at < length; at += eventWords(words, at)) {
        const type = EVENT_NAMES[words[at]! & 255]!;
        const listeners = this.listeners.get(type);
        if (listeners === undefined) continue;
        const event = decodeEvent(words, floats, at, (id) => this.resolve(id)) as never;
        for (const listener of listeners) listener(event);
      }
    } finally {
      // A listener may have disposed the world.
      if ((this.state as string) === 'reporting events') this.state = 'ready';
    }
  }

  /** The events of the last call of step or stepSimulation, of one type or all. */
  *events<Type extends EventType>(type?: Type): Generator<EventOf<Type, RigidBody>> {
    const code = type === undefined ? 0 : EVENT_CODES[checkEventType(type)];
    const { words, floats, length } = this.log;
    const events: Generator<PhysicsEvent<RigidBody>> = decodeEvents(
      words,
      floats,
      0,
      length,
      (id) => this.resolve(id),
      code,
    );
    yield* events as Generator<EventOf<Type, RigidBody>>;
  }

  /** @internal The same as words, for the way to another thread; valid until the next step. */
  get eventLog(): Int32Array {
    return this.log.words.subarray(0, this.log.length);
  }

  /** What touches now: all contacts, or those of one body. Impulses are those of the last step. */
  getContacts(body?: RigidBody | BodyId): Contact<RigidBody>[] {
    this.checkUsable();
    const slot = body === undefined ? 0 : this.idOf(body) & MAX_SLOT;
    const words = this.query((core) => core.collectContacts(slot));
    const { instance } = this;
    const from = instance.table('queryOutput');
    const contacts: Contact<RigidBody>[] = [];
    const resolve = (id: BodyId) => this.resolve(id);
    for (const event of decodeEvents(instance.words, instance.floats, from, from + words, resolve)) {
      const { bodyA, bodyB, shapeA, shapeB, normal, points } = event as Contact<RigidBody>;
      contacts.push({ bodyA, bodyB, shapeA, shapeB, normal, points });
    }
    return contacts;
  }

  // --- queries ---

  /**
   * Shoots a ray from one point to another.
   *
   * @returns the hit, or null; with mode 'all' an array, nearest first
   */
  rayTest(from: Vec3Like, to: Vec3Like, options: RayOptions & { mode: 'all' }): RayHit[];
  rayTest(from: Vec3Like, to: Vec3Like, options?: RayOptions & { mode?: 'closest' | 'any' }): RayHit | null;
  rayTest(from: Vec3Like, to: Vec3Like, options?: RayOptions): RayHit | RayHit[] | null {
    return rayTest(this, from, to, options);
  }

  /**
   * The closest hits of many rays, six numbers each: from x, y, z, to x, y, z.
   *
   * @param out  filled and returned when given; must have room
   */
  rayTestBatch(rays: ArrayLike<number>, options?: QueryFilter, out?: RayBatch): RayBatch {
    return rayTestBatch(this, rays, options, out);
  }

  /** Shapes whose bounding boxes touch a box, in the order of their slots. */
  overlapTest(min: Vec3Like, max: Vec3Like, options?: QueryFilter): OverlapHit[] {
    return overlapTest(this, min, max, options);
  }

  /** Lines that show shapes, boxes and contacts; see DebugLinesOptions. */
  debugLines(options?: DebugLinesOptions, out?: DebugLines): DebugLines {
    this.sync();
    return drawDebugLines(this, options, out);
  }

  /** What the last step cost, by stage, and counts. Times are 0 unless `profiling` is on. */
  getProfile(): Profile {
    this.sync();
    return readProfile(this.instance);
  }

  // --- state ---

  /** 16 hexadecimal digits that two worlds share exactly when all that steps depend on is equal. */
  stateHash(): string {
    this.sync();
    const hash = this.query((core) => core.stateHash());
    return BigInt.asUintN(64, hash).toString(16).padStart(16, '0');
  }

  /** The whole state as bytes, for restore: here, later, or on another machine. */
  snapshot(): Uint8Array<ArrayBuffer> {
    const bytes = this.query((core) => core.snapshotSize());
    const address = this.reserveSnapshot(bytes, 0);
    const written = this.query((core) => core.writeSnapshot(address));
    const core = this.instance.words.slice(address >>> 2, (address + written) >>> 2);
    return packSnapshot({
      core,
      replica: saveReplica(this.replica),
      localTime: this.localTime,
      fixedTimeStep: this.fixedTimeStep,
    });
  }

  /** Address of room for a snapshot. A host that refuses memory leaves the world as it is. */
  private reserveSnapshot(bytes: number, top: number): number {
    const address = this.query((core) => core.reserveSnapshot(bytes, top)) >>> 0;
    if (address === 0) throw new PhysicsError('out-of-memory', `no room for a snapshot of ${bytes} bytes`);
    return address;
  }

  /**
   * Brings the world to the state of a snapshot. Handles of bodies that exist in it stay valid; listeners,
   * pair filter and userData stay as they are.
   *
   * @throws PhysicsError 'damaged-snapshot' or 'incompatible-snapshot'; the world is as before then
   */
  restore(snapshot: Uint8Array): void {
    this.begin();
    const { core, replica, localTime, fixedTimeStep } = unpackSnapshot(snapshot);
    const install = loadReplica(this.replica, replica);
    const address = this.reserveSnapshot(4 * core.length, core[HEAP_TOP_WORD] ?? 0);
    this.instance.words.set(core, address >>> 2);
    const result = this.query((exports) => exports.readSnapshot(address, 4 * core.length));
    if (result !== 0) throw new PhysicsError('damaged-snapshot', `snapshot refused: the core says ${result}`);
    install();
    this.localTime = localTime;
    this.fixedTimeStep = fixedTimeStep;
    this.instance.set('eventWords', 0);
    this.leaving.clear();
    for (let slot = 0; slot < this.views.length; slot++) {
      const view = this.views[slot];
      if (view !== undefined && !this.replica.bodies.isLive(view.id)) this.views[slot] = undefined;
    }
    this.applyHost();
  }

  /**
   * Applies a stream of commands from elsewhere (a worker client, a recording), STEP included, which steps
   * the world without clearing forces. A damaged stream is refused whole.
   *
   * @throws PhysicsError 'damaged-commands'
   */
  applyCommands(commands: Int32Array): void {
    this.checkUsable();
    if (!(commands instanceof Int32Array)) throw invalid('commands', 'must be an Int32Array', commands);
    const takeBack = followCommands(this.replica, commands);
    const hasSteps = forEachStep(commands, () => {});
    if (!hasSteps) {
      this.replica.writer.append(commands);
      return;
    }
    // With steps inside, the replica must not run ahead of the core: piece by piece, once all is known to be good.
    takeBack();
    this.begin();
    let from = 0;
    const play = (end: number) => {
      const piece = commands.subarray(from, end);
      followCommands(this.replica, piece);
      this.replica.writer.append(piece);
      this.sync();
    };
    forEachStep(commands, (at, dt) => {
      play(at);
      this.singleStep(dt);
      from = at + COMMANDS.step.totalWords;
    });
    play(commands.length);
    if (this.listeners.size > 0) this.report();
  }

  /** @internal For tests: the pair set, and what it should be by brute force; shape slots, two each, sorted. */
  overlappingPairs(brute = false): Int32Array {
    const count = this.query((core) => (brute ? core.allPairsBrute() : core.currentPairs()));
    const at = this.instance.table('queryOutput');
    return this.instance.words.slice(at, at + 2 * count);
  }

  /** Frees the memory. Every later call throws 'disposed'. */
  dispose(): void {
    if (this.state === 'disposed') return;
    if (this.state === 'in the step') this.checkUsable();
    this.state = 'disposed';
    this.listeners.clear();
    this.leaving.clear();
    this.views.length = 0;
    this.jointViews.length = 0;
    this.pairFilter = null;
    (this as { instance: unknown }).instance = undefined;
    Object.defineProperty(this, 'replica', { get: () => this.checkUsable() });
  }

  get isDisposed(): boolean {
    return this.state === 'disposed';
  }
}

/** Calls `visit` for each STEP of a valid stream; true if there was one. */
function forEachStep(commands: Int32Array, visit: (at: number, dt: number) => void): boolean {
  const floats = new Float32Array(commands.buffer, commands.byteOffset, commands.length);
  let found = false;
  for (let at = 0; at < commands.length; at += commands[at]! >>> 8) {
    if (commands[at] !== COMMANDS.step.head) continue;
    found = true;
    visit(at, floats[at + 1]!);
  }
  return found;
}
