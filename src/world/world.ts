// A `World`: the public interface of one core instance. In: calls, which become commands through the replica and are
// applied before the next step, query or read. Out: bodies and joints, events after the step. A call that throws
// changes nothing. Queries, command streams and snapshots are in Simulation, which a worker has, too.

import { PhysicsError } from '../base/errors';
import type { BodyId, JointId, ShapeId } from '../base/ids';
import { fillVec3 } from '../base/out';
import { checkFunction, checkInteger, checkNumber } from '../base/validate';
import { checkEventFilter, type EventFilter, wantedEvents } from '../events/eventFilter';
import { EventStream } from '../events/eventStream';
import type { EventOf } from '../events/events';
import { checkEventType, EVENT_TYPES } from '../events/eventTypes';
import { Subscriptions } from '../events/subscriptions';
import type { ActorLink } from '../replica/actorLink';
import type { BodyPlaces } from '../replica/bulk';
import { checkHandle, Handles } from '../replica/handles';
import type { PhysicsWorld } from '../replica/physicsWorld';
import { checkTimeStep, Replica } from '../replica/replica';
import type { StepSystem, SystemOptions } from '../replica/stepSystem';
import type {
  BodyOptions,
  EventType,
  ExplosionOptions,
  JointOptions,
  Vec3Like,
  Vec3Out,
  WorldOptions,
  WorldSettings,
} from '../types';
import type { Actors } from '../wasm/instance';
import { makerFor, reportOf, type ThreadReport } from '../wasm/threading';
import { actorsOf, linkOf } from './actors';
import { addSystem, type SystemSource } from './addSystem';
import { RigidBody } from './body';
import { type Inspection, inspectionOf } from './inspection';
import { Joint } from './joint';
import { KinematicTargets } from './kinematicTargets';
import { requireSelfTest } from './machineTest';
import { ownCore } from './selfTest';
import type { StepSystemModule } from './systems';
import { WorldQueries } from './worldQueries';

/** Bullet's SIMD_EPSILON: a variable step shorter than this is no step. */
const FUZZY_ZERO = 1.1920929e-7;
/** s. Longest time that one call of stepSimulation may be asked to catch up with. */
const FRAME_TIME = { min: 0, max: 1e6 };

/** Says whether two bodies whose filters match may collide. */
export type PairFilter = (bodyA: RigidBody, bodyB: RigidBody, shapeA: ShapeId, shapeB: ShapeId) => boolean;

/** Called with the length of the step in s. */
export type TickCallback = (dt: number) => void;

const MOST_STEPS = 100_000;

/** A world in this thread: bodies, joints, steps, queries, snapshots. `ricochet/worker` has the same in a worker. */
export class World extends WorldQueries implements PhysicsWorld {
  declare readonly replica: Replica;

  private readonly views = new Handles<RigidBody>(
    (id) => new RigidBody(this, id),
    (id) => this.replica.bodies.isLive(id),
  );
  /** Views of bodies that were removed since the last step: its contact-end events name them. */
  private readonly leaving = new Map<BodyId, RigidBody>();
  private readonly jointViews = new Handles<Joint>(
    (id) => new Joint(this, id),
    (id) => this.replica.joints.isLive(id),
  );
  private readonly subscriptions = new Subscriptions((id) => this.resolve(id));
  private readonly optionMask: number;
  private pairFilter: PairFilter | null = null;
  /** What callbacks and listeners threw in the steps that go on; the first is thrown after them. */
  private readonly callbackErrors: unknown[] = [];
  private readonly targets: KinematicTargets;
  /** Called before and after each fixed step. */
  private readonly ticks: [before: TickCallback | null, after: TickCallback | null] = [null, null];
  private ticking = false;
  private ownInspector: Inspection | undefined;
  private ownActorLink: ActorLink | undefined;

  /**
   * An empty world.
   *
   * @throws PhysicsError 'unsupported-host' without WebAssembly SIMD; 'invalid-argument', 'unknown-option'
   */
  constructor(options: WorldOptions = {}) {
    super(new Replica(options), makerFor(options.threads));
    if (options.deterministic === true) requireSelfTest(ownCore);
    this.targets = new KinematicTargets(this.instance, this.replica);
    this.optionMask = this.replica.host.eventMask;
  }

  /** A world from a snapshot. The options are those that a snapshot does not contain: events, maxBodies, profiling. */
  static restore(snapshot: Uint8Array, options: WorldOptions = {}): World {
    const world = new World(options);
    world.restore(snapshot);
    return world;
  }

  /** How many threads work on this world: see the option `threads`. */
  get threads(): ThreadReport {
    this.checkUsable();
    return reportOf(this.instance);
  }

  protected override inspector(): Inspection {
    this.ownInspector ??= inspectionOf(this.instance);
    return this.ownInspector;
  }

  /** @internal */
  override actorModule(): Actors {
    return actorsOf(this.instance);
  }

  /** @internal What the entries of actors work with. */
  actorLink(): ActorLink {
    this.checkUsable();
    this.ownActorLink ??= linkOf(this, () => this.lastRevision);
    return this.ownActorLink;
  }

  // --- bodies ---

  /**
   * Creates a body with its shapes: all or nothing.
   *
   * @throws PhysicsError 'invalid-argument', 'unknown-option', 'limit-exceeded'
   */
  createBody(options: BodyOptions): RigidBody {
    this.checkUsable();
    return this.views.create(this.replica.createBody(options));
  }

  /**
   * Creates many bodies, all or none: from a list of options, or from one set of options with the poses of all bodies in
   * arrays, which is fastest. The latter returns ids; `getBody` returns the body of an id.
   *
   * @throws PhysicsError as createBody; then no body is created
   */
  createBodies(list: readonly BodyOptions[]): RigidBody[];
  createBodies(template: BodyOptions, places: BodyPlaces): Int32Array;
  createBodies(given: readonly BodyOptions[] | BodyOptions, places?: BodyPlaces): RigidBody[] | Int32Array {
    this.checkUsable();
    if (places === undefined)
      return Array.from(this.replica.createBodies(given as readonly BodyOptions[]), (id) =>
        this.views.create(id),
      );
    const ids = this.replica.createBodiesAt(given as BodyOptions, places);
    for (let i = 0; i < ids.length; i++) this.views.renew(ids[i]!);
    return ids;
  }

  /** Removes a body and its shapes. Bodies that it touched wake up. */
  removeBody(body: RigidBody | BodyId): void {
    this.checkUsable();
    const id = this.idOf(body);
    const view = this.resolve(id);
    this.replica.removeBody(id);
    this.leaving.set(id, view);
  }

  /** The body with this id, or undefined if it was removed or never existed. */
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
  override resolve(id: BodyId): RigidBody {
    return this.views.of(id);
  }

  /** @internal The id of a live body of this world, given by view or id. */
  override idOf(body: RigidBody | BodyId, argument = 'body'): BodyId {
    if (body instanceof RigidBody) {
      if (body.world !== this)
        throw new PhysicsError('foreign-id', 'belongs to another world', argument, body.id);
      checkHandle(body, 'body', argument);
      this.replica.bodies.check(body.id, argument);
      return body.id;
    }
    this.replica.bodies.check(body, argument);
    return body;
  }

  // --- joints ---

  /**
   * Connects two bodies, or one body and the world, with a joint; both wake up.
   *
   * @throws PhysicsError 'invalid-argument' (also if both bodies are the same, or none is dynamic),
   * 'unknown-option', 'stale-id', 'foreign-id', 'limit-exceeded'
   */
  createJoint(options: JointOptions<RigidBody | BodyId>): Joint {
    this.checkUsable();
    const bodyA = options?.bodyA === undefined ? 0 : this.idOf(options.bodyA, 'bodyA');
    const bodyB = options?.bodyB === undefined ? 0 : this.idOf(options.bodyB, 'bodyB');
    const id = this.replica.createJoint(options, bodyA, bodyB);
    return this.jointViews.create(id);
  }

  /** Removes a joint; its bodies wake up and may collide again. */
  removeJoint(joint: Joint | JointId): void {
    this.checkUsable();
    if (joint instanceof Joint && joint.world !== this)
      throw new PhysicsError('foreign-id', 'belongs to another world', 'joint', joint.id);
    if (joint instanceof Joint) checkHandle(joint, 'joint');
    this.replica.removeJoint(joint instanceof Joint ? joint.id : joint);
  }

  /** The joint with this id, or undefined if it was removed or never existed. */
  getJoint(id: JointId): Joint | undefined {
    return this.replica.joints.isLive(id) ? this.jointViews.of(id) : undefined;
  }

  /** Joints in the order of their slots. */
  *joints(): Generator<Joint> {
    for (let slot = 1; slot < this.replica.joints.slotEnd; slot++) {
      const id = this.replica.joints.idAt(slot);
      if (id !== 0) yield this.getJoint(id)!;
    }
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

  /** Pushes dynamic bodies away from a point: see PhysicsWorld. m, m, N·s. */
  explode(at: Vec3Like, radius: number, impulse: number, options?: ExplosionOptions): void {
    this.checkUsable();
    this.replica.explode(at, radius, impulse, options);
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

  /**
   * A function that decides, for every new pair of shapes whose filters match, whether they may collide. Slow: the core
   * calls JavaScript during the step; prefer groups and masks. It must give the same answer for the same bodies, or
   * replays diverge, and must not call the world. If it throws, the pair collides, and the error is rethrown after the
   * step. null removes the function. It is not called for pairs that already overlap.
   */
  setPairFilter(filter: PairFilter | null): void {
    this.checkUsable();
    this.pairFilter = filter === null ? null : checkFunction(filter, 'filter');
    this.setHost({ pairFilter: filter !== null });
  }

  protected override askPairFilter(shapeA: number, shapeB: number): boolean {
    const { shapeRecords } = this.replica;
    const a = shapeRecords[shapeA];
    const b = shapeRecords[shapeB];
    if (this.pairFilter === null || a === undefined || b === undefined) return true;
    try {
      return this.pairFilter(this.resolve(a.body), this.resolve(b.body), a.id, b.id) !== false;
    } catch (error) {
      this.callbackErrors.push(error);
      return true;
    }
  }

  // --- stepping ---

  /**
   * One fixed step, then the events. Forces are cleared.
   *
   * @param dt  s, 1e-6 … 1; 1/60 is usual. Keep it constant: the solver is tuned for a constant dt.
   */
  step(dt: number): void {
    checkTimeStep(dt);
    this.begin();
    this.localTime = 0;
    this.fixedTimeStep = 0;
    if (this.ticking || this.hooks !== null) this.tickedStep(dt);
    else this.singleStep(dt);
    this.end();
  }

  /**
   * Makes this many fixed steps, like `step`, with forces cleared after each one; then reports all their events. The same
   * call as with a worker (Physics.advance).
   *
   * @param dt  s, of each step
   */
  advance(n = 1, dt = 1 / 60): void {
    checkInteger(n, 'n', 1, MOST_STEPS);
    checkTimeStep(dt);
    this.replica.warnOfUnshaped();
    this.begin();
    this.localTime = 0;
    this.fixedTimeStep = 0;
    for (let i = 0; i < n; i++) {
      if (i > 0) this.sync();
      if (this.ticking || this.hooks !== null) this.tickedStep(dt);
      else this.singleStep(dt);
      if (this.replica.hasForces) this.replica.clearForces();
    }
    this.end();
  }

  /**
   * Bullet's stepSimulation. With maxSubSteps > 0 the time is divided into fixed steps; the remaining time is kept for the
   * next call, and getInterpolatedPosition uses it. If more than maxSubSteps steps are due, the rest is lost: the return
   * value is the number that was due, not the number made. With maxSubSteps 0 it makes one step of dt (none if dt is 0).
   *
   * @param dt  s since the last call, ≥ 0. (The time of the first requestAnimationFrame may lie before
   *   performance.now() at the start: measure from the former.)
   * @returns number of fixed steps that were due
   */
  stepSimulation(dt: number, maxSubSteps = 1, fixedTimeStep = 1 / 60): number {
    if (typeof dt === 'number' && dt < 0)
      throw new PhysicsError(
        'invalid-argument',
        'must be ≥ 0 (requestAnimationFrame may bring a time before performance.now(): count from its first time)',
        'dt',
        dt,
      );
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
        this.sync(); // what callbacks did after the last step
        this.targets.aim(i);
        this.sync();
      }
      if (this.ticking || this.hooks !== null) this.tickedStep(h);
      else this.singleStep(h);
    }
    this.end();
    return due;
  }

  /**
   * A function that is called after (or before) each fixed step, including each step of one call of stepSimulation. It
   * may read and change the world, but not step it; changes made before a step act in that step. Changes are recorded like
   * any others. If it throws, the error is rethrown after the steps. null removes the function. Bullet's
   * setInternalTickCallback.
   */
  setInternalTickCallback(callback: TickCallback | null, isPreTick = false): void {
    this.checkUsable();
    this.ticks[isPreTick ? 0 : 1] = callback === null ? null : checkFunction(callback, 'callback');
    this.ticking = this.ticks[0] !== null || this.ticks[1] !== null;
  }

  /**
   * Adds a step system: code that runs before and after each step, the same in a World and in a worker (see
   * docs/systems.md). A module or its function takes effect at once, an address when it was loaded. An error in it stops
   * it, and goes to `system.on('error')`, else to the console; the world goes on.
   *
   * @param source  a module, the function that is its default export, or its address
   * @throws PhysicsError 'system-failed' when it does not load or start, 'invalid-argument', as a rejection
   */
  addSystem<Options, In = unknown, Out = unknown>(
    source: StepSystemModule<Options, In, Out> | { default: StepSystemModule<Options, In, Out> },
    options?: SystemOptions<Options>,
  ): Promise<StepSystem<In, Out>>;
  addSystem<In = unknown, Out = unknown>(
    address: string | URL,
    options?: SystemOptions,
  ): Promise<StepSystem<In, Out>>;
  addSystem(source: SystemSource, options: SystemOptions<never> = {}): Promise<StepSystem<never, never>> {
    this.checkUsable();
    return addSystem(this, source, options);
  }

  /** Apart from the step without callbacks, which is small enough for its optimised code to allocate nothing. */
  private tickedStep(dt: number): void {
    if (this.ticks[0] !== null) this.tick(this.ticks[0], dt);
    if (this.hooks === null) this.singleStep(dt);
    else this.hooks.step(dt);
    if (this.ticks[1] !== null) this.tick(this.ticks[1], dt);
  }

  private tick(callback: TickCallback, dt: number): void {
    this.state = 'reporting events';
    try {
      callback(dt);
    } catch (error) {
      this.callbackErrors.push(error);
    } finally {
      if ((this.state as string) === 'reporting events') this.state = 'ready';
    }
    this.sync();
  }

  /** s, ≤ 0: how far getInterpolatedPosition looks back from the latest step. */
  get interpolationTime(): number {
    return this.fixedTimeStep === 0 ? 0 : this.localTime - this.fixedTimeStep;
  }

  private end(): void {
    const { replica } = this;
    if (replica.hasForces) replica.clearForces();
    if (replica.hasUnshaped) replica.warnOfUnshaped();
    this.report();
    if (this.leaving.size > 0) this.leaving.clear();
    if (this.callbackErrors.length > 0) this.throwFirst();
  }

  private throwFirst(): void {
    const [error] = this.callbackErrors.splice(0);
    throw error;
  }

  // --- events ---

  /**
   * Calls `listener` after each step (after the last one of stepSimulation) with every event of a type, in
   * the order in which they happened. It may change the world, but not step it. If it throws, the step
   * rethrows the error after all listeners were called; of several errors the first.
   *
   * @returns a function that unsubscribes
   */
  on<Type extends EventType>(
    type: Type,
    listener: (event: EventOf<Type, RigidBody>) => void,
    filter: EventFilter<RigidBody> = {},
  ): () => void {
    this.checkUsable();
    const wanted = checkEventFilter(filter, (body, path) => this.idOf(body, path));
    const end = this.subscriptions.add(type, listener as (event: never) => void, wanted);
    this.updateEventMask();
    return () => {
      end();
      this.updateEventMask();
    };
  }

  /** Removes a listener. */
  off<Type extends EventType>(type: Type, listener: (event: EventOf<Type, RigidBody>) => void): void {
    this.subscriptions.remove(type, listener as (event: never) => void);
    this.updateEventMask();
  }

  private updateEventMask(): void {
    if (this.state !== 'disposed') this.setHost({ eventMask: this.optionMask | this.subscriptions.mask });
  }

  protected override report(): void {
    if (!this.subscriptions.isEmpty) this.tell();
  }

  /** Apart from report, which runs in every step: closures cost an allocation even when they are not reached. */
  private tell(): void {
    const { words, floats, length } = this.log;
    this.state = 'reporting events';
    try {
      // What one listener throws keeps no other from being told: it is thrown after the last.
      this.subscriptions.dispatch(words, floats, 0, length, (error) => this.callbackErrors.push(error));
    } finally {
      // A listener may have disposed the world.
      if ((this.state as string) === 'reporting events') this.state = 'ready';
    }
  }

  /**
   * The events of the last call of step, advance or stepSimulation, of one type or all: `for (const event of
   * world.events('contactBegin'))`. Or events from now on: `for await (… of world.events(type))`, which ends with the loop
   * or the world. Events are queued for it; beyond 10,000 the oldest are dropped and counted in `dropped`.
   *
   * The types must be recorded: by the world's option `events`, a listener, or a loop.
   */
  events<Type extends EventType = EventType>(
    type?: Type,
    filter: EventFilter<RigidBody> = {},
  ): EventStream<EventOf<Type, RigidBody>> {
    if (type !== undefined) checkEventType(type);
    const wanted = checkEventFilter(filter, (body, path) => this.idOf(body, path));
    const recent = () =>
      wantedEvents(this.log, type, wanted, (id) => this.resolve(id)) as Iterable<EventOf<Type, RigidBody>>;
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

  // --- state ---

  protected override afterRestore(): void {
    super.afterRestore();
    this.leaving.clear();
    this.views.restored();
    this.jointViews.restored();
  }

  override dispose(): void {
    if (this.state === 'disposed') return;
    super.dispose();
    this.subscriptions.clear();
    this.leaving.clear();
    this.views.clear();
    this.jointViews.clear();
    this.pairFilter = null;
  }
}
