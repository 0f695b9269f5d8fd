// btCollisionWorld and btDiscreteDynamicsWorld over one world of the engine. In: objects, constraints, actions,
// callbacks. Out: steps with Bullet's semantics. Before a step, changes of shapes, kinematic bodies and bodies with
// their own gravity are passed to the engine; after it, motion states and callbacks are called.
import { type BodyId, PhysicsError, World } from '../index';
import { btCollisionObject, engineCall } from './collisionObject';
import { btTypedConstraint } from './constraints';
import { btIDebugDraw, drawWorld } from './debugDraw';
import { bad, finite, integer, number } from './errors';
import { addedFunction } from './functions';
import {
  btBroadphaseInterface,
  btCollisionConfiguration,
  btConstraintSolver,
  btContactSolverInfo,
  btDispatcher,
  btDispatcherInfo,
  type btOverlappingPairCache,
} from './infrastructure';
import { btSoftBodyArray } from './later';
import { Contacts } from './manifolds';
import { fields, optional, pointerOf, ref, slot, WrapperObject } from './object';
import { worldOptions } from './options';
import { castRay, contactPairs, contacts, sweep } from './queries';
import { ContactResultCallback, ConvexResultCallback, RayResultCallback } from './results';
import { BT_DISABLE_WORLD_GRAVITY, btRigidBody, isKinematic } from './rigidBody';
import { type btCollisionShape, btConvexShape, changes, type Use } from './shapes';
import { btTransform, finiteTransform } from './transform';
import { btVector3, finiteVector, square as squared } from './vector';

/** btBroadphaseProxy's bits. */
const DEFAULT_FILTER = 1;
const STATIC_FILTER = 2;
/** Bullet's own number of iterations. */
const ITERATIONS = 10;
const MOST_SUBSTEPS = 64;
/** With fewer, stacks of ten lean. */
const LEAST_SUBSTEPS = 3;
/** s. The engine's longest and shortest step; shorter steps are ignored. */
const LONGEST_STEP = 1;
const SHORTEST_STEP = 1e-6;

let syncs = 0;

/** Target of a kinematic body. */
const aim = new btTransform();

export class btActionInterface extends WrapperObject {
  updateAction(_collisionWorld: btCollisionWorld, _deltaTimeStep: number): void {}
}

export class btCollisionWorld extends WrapperObject {
  /** @internal */
  readonly _engine: World;
  /** @internal Whether the solver is Bullet's. */
  readonly _isReplica: boolean;
  /** @internal For creating shapes of bodies that do not move by themselves. */
  readonly _use: Use;
  /** @internal Increases whenever bodies move. */
  _poseCount = 0;
  /** @internal Number of objects that have left the world. */
  _removals = 0;
  /** @internal Increases when motion states are updated; unique over all worlds. */
  _syncs = 0;
  /** @internal */
  readonly _contacts: Contacts;
  /** @internal */
  readonly _movedKinematics = new Set<btCollisionObject>();
  /** @internal */
  _iterations = ITERATIONS;
  /** The world's initial number of substeps. */
  private readonly _substeps: number;
  /** @internal In the order in which they were added. */
  protected readonly _objects = new Set<btCollisionObject>();
  /** @internal Bodies with motion states that the program implements. */
  private readonly _watched = new Set<btRigidBody>();
  private readonly _dispatcher: btDispatcher;
  private readonly _broadphase: btBroadphaseInterface;
  private readonly _dispatchInfo = new btDispatcherInfo();
  private _shapeChanges = changes.count;
  private _drawer: btIDebugDraw | null = null;
  private _error: unknown;

  constructor(dispatcher: btDispatcher, broadphase: btBroadphaseInterface, where: string) {
    super();
    this._dispatcher = ref(dispatcher, btDispatcher, where, 'dispatcher');
    this._broadphase = ref(broadphase, btBroadphaseInterface, where, 'pairCache');
    const { options, isReplica, outerMargin, dynamicMeshes } = worldOptions();
    this._engine = new World(options);
    this._substeps = this._engine.settings.substeps;
    this._isReplica = isReplica;
    this._use = { outerMargin, dynamicMeshes, moving: false };
    this._contacts = new Contacts(this);
    this._dispatcher._world = this;
    this._broadphase._cache._world = this;
  }

  override _release(): void {
    for (const object of [...this._objects]) object._leave();
    this._objects.clear();
    this._dispatcher._world = null;
    this._broadphase._cache._world = null;
    this._engine.dispose();
  }

  // --- objects ---

  /** @internal The facade's object of an engine's body. */
  _objectOf(id: BodyId): btCollisionObject {
    return this._engine.getBody(id)?.userData as btCollisionObject;
  }

  /** @internal */
  _insert(object: btCollisionObject, group: number, mask: number, where: string): void {
    if (object._world === this) return;
    if (object._world !== null) throw new PhysicsError('foreign-id', 'is in another world', `${where}: body`);
    object._enter(this, group, mask, where);
    this._objects.add(object);
    if (object instanceof btRigidBody) this._watch(object);
  }

  /** @internal */
  _remove(object: btCollisionObject): void {
    if (object._world !== this) return;
    object._leave();
    this._removals++;
    this._objects.delete(object);
    this._movedKinematics.delete(object);
    if (object instanceof btRigidBody) this._watched.delete(object);
  }

  /** @internal Registers a body whose motion state must be called. */
  _watch(body: btRigidBody): void {
    const state = body._livingMotionState;
    if (state !== null && (state._isCustom || isKinematic(body))) this._watched.add(body);
    else this._watched.delete(body);
  }

  /** @internal */
  _updateGravity(_body: btRigidBody): void {}

  /** @internal */
  _removeConstraint(_constraint: btTypedConstraint): void {}

  addCollisionObject(
    collisionObject: btCollisionObject,
    collisionFilterGroup?: number,
    collisionFilterMask?: number,
  ): void {
    const where = this._name('addCollisionObject');
    const object = ref(collisionObject, btCollisionObject, where, 'collisionObject');
    this._insert(
      object,
      ...filter(collisionFilterGroup, collisionFilterMask, DEFAULT_FILTER, -1, where),
      where,
    );
  }

  removeCollisionObject(collisionObject: btCollisionObject): void {
    this._remove(
      ref(collisionObject, btCollisionObject, this._name('removeCollisionObject'), 'collisionObject'),
    );
  }

  // --- components ---

  getDispatcher(): btDispatcher {
    return this._dispatcher;
  }

  getBroadphase(): btBroadphaseInterface {
    return this._broadphase;
  }

  getPairCache(): btOverlappingPairCache {
    return this._broadphase.getOverlappingPairCache();
  }

  getDispatchInfo(): btDispatcherInfo {
    return this._dispatchInfo;
  }

  // --- queries ---

  /** @internal Applies all changes of shapes, before a query or a step. */
  _refresh(): void {
    if (this._shapeChanges === changes.count) return;
    this._shapeChanges = changes.count;
    for (const object of this._objects) object._refreshShape();
  }

  rayTest(rayFromWorld: btVector3, rayToWorld: btVector3, resultCallback: RayResultCallback): void {
    const where = this._name('rayTest');
    const from = finiteVector(rayFromWorld, where, 'rayFromWorld');
    const to = finiteVector(rayToWorld, where, 'rayToWorld');
    castRay(this, from, to, ref(resultCallback, RayResultCallback, where, 'resultCallback'));
  }

  convexSweepTest(
    castShape: btConvexShape,
    from: btTransform,
    to: btTransform,
    resultCallback: ConvexResultCallback,
    allowedCcdPenetration: number,
  ): void {
    const where = this._name('convexSweepTest');
    const shape = ref(castShape as btCollisionShape, btConvexShape, where, 'castShape');
    const ways = [finiteTransform(from, where, 'from'), finiteTransform(to, where, 'to')] as const;
    const result = ref(resultCallback, ConvexResultCallback, where, 'resultCallback');
    if (allowedCcdPenetration !== undefined) number(allowedCcdPenetration, where, 'allowedCcdPenetration');
    engineCall(where, () => sweep(this, shape, ...ways, result));
  }

  contactTest(colObj: btCollisionObject, resultCallback: ContactResultCallback): void {
    const where = this._name('contactTest');
    const object = ref(colObj, btCollisionObject, where, 'colObj');
    contacts(this, object, ref(resultCallback, ContactResultCallback, where, 'resultCallback'));
  }

  contactPairTest(
    colObjA: btCollisionObject,
    colObjB: btCollisionObject,
    resultCallback: ContactResultCallback,
  ): void {
    const where = this._name('contactPairTest');
    const a = ref(colObjA, btCollisionObject, where, 'colObjA');
    const b = ref(colObjB, btCollisionObject, where, 'colObjB');
    contactPairs(this, a, b, ref(resultCallback, ContactResultCallback, where, 'resultCallback'));
  }

  /** No effect: AABBs are always current. */
  updateSingleAabb(colObj: btCollisionObject): void {
    ref(colObj, btCollisionObject, this._name('updateSingleAabb'), 'colObj');
  }

  /** Bullet's btCollisionWorld::setForceUpdateAllAabbs; no effect, since AABBs are always current. */
  setForceUpdateAllAabbs(_forceUpdateAllAabbs: boolean): void {}

  // --- drawing ---

  setDebugDrawer(debugDrawer: btIDebugDraw): void {
    this._drawer = optional(debugDrawer, btIDebugDraw, 'btCollisionWorld.setDebugDrawer', 'debugDrawer');
  }

  getDebugDrawer(): btIDebugDraw {
    return this._drawer as btIDebugDraw;
  }

  debugDrawWorld(): void {
    if (this._drawer === null) return;
    this._refresh();
    drawWorld(this._engine, this._drawer);
  }

  /** Draws the three axes of a transform; debugDrawWorld draws shapes. */
  debugDrawObject(worldTransform: btTransform, _shape: btCollisionShape, color: btVector3): void {
    const where = this._name('debugDrawObject');
    const at = finiteTransform(worldTransform, where, 'worldTransform');
    const shade = finiteVector(color, where, 'color');
    if (this._drawer === null) return;
    const m = at._basis._matrix();
    const { _origin: o } = at;
    const from = new btVector3(o._x, o._y, o._z);
    for (let i = 0; i < 3; i++) {
      const to = new btVector3(o._x + m[i]!, o._y + m[3 + i]!, o._z + m[6 + i]!);
      this._drawer.drawLine(pointerOf(from), pointerOf(to), pointerOf(shade));
    }
  }

  // --- stepping ---

  /** @internal Runs a program's function; the first error is thrown when the step is complete. */
  _guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this._error ??= error;
    }
  }

  /** @internal */
  protected _throwLate(): void {
    if (this._error === undefined) return;
    const error = this._error;
    this._error = undefined;
    throw error;
  }

  /** @internal Sets the targets of kinematic bodies for the end of the step. */
  protected _aimKinematics(): void {
    for (const body of this._watched) {
      const state = body._livingMotionState;
      if (state === null || !isKinematic(body)) continue;
      this._guard(() => state._ask(aim));
      const { _origin: o, _basis } = aim;
      const [p, q] = [body._pose._fresh()._origin, _basis._quaternion()];
      const now = body._pose._basis._quaternion();
      if (
        o._x === p._x &&
        o._y === p._y &&
        o._z === p._z &&
        q._x === now._x &&
        q._y === now._y &&
        q._z === now._z &&
        q._w === now._w
      )
        continue;
      body._pose._assign(aim);
    }
    for (const body of this._movedKinematics) {
      const { _origin: o, _basis } = body._pose;
      const q = _basis._quaternion();
      body._engine?.setKinematicTarget([o._x, o._y, o._z], [q._x, q._y, q._z, q._w]);
    }
  }

  /** @internal Runs after the last step of a call. */
  protected _synchronize(stepped: boolean): void {
    for (const body of this._movedKinematics) body._moved = false;
    this._movedKinematics.clear();
    this._poseCount++;
    this._syncs = ++syncs;
    if (!stepped) return;
    for (const body of this._watched) {
      const state = body._livingMotionState;
      if (state === null || !state._isCustom || body._type !== 'dynamic' || !body.isActive()) continue;
      body._readMotion(aim);
      this._guard(() => state._tell(aim));
    }
  }

  /**
   * @internal Bullet's number of iterations. The native solver makes one in each of its substeps, and scales their
   * number in proportion to the iterations, relative to Bullet's ten.
   */
  _setIterations(count: number): void {
    this._iterations = count;
    const { settings } = this._engine;
    const wanted = Math.ceil((this._substeps * count) / ITERATIONS);
    const least = Math.min(LEAST_SUBSTEPS, this._substeps);
    const substeps = Math.min(MOST_SUBSTEPS, Math.max(least, wanted));
    // New settings wake all bodies.
    if (this._isReplica) settings.iterations !== count && this._engine.updateSettings({ iterations: count });
    else if (settings.substeps !== substeps) this._engine.updateSettings({ substeps });
  }

  /** @internal */
  _name(method: string): string {
    return `${this.constructor.name}.${method}`;
  }
}

function filter(
  group: unknown,
  mask: unknown,
  defaultGroup: number,
  defaultMask: number,
  where: string,
): [number, number] {
  const short = (value: unknown, argument: string) => (integer(value, where, argument) << 16) >> 16;
  return [
    group === undefined || group === null ? defaultGroup : short(group, 'group'),
    mask === undefined || mask === null ? defaultMask : short(mask, 'mask'),
  ];
}

export abstract class btDynamicsWorld extends btCollisionWorld {
  private readonly _solverInfo = new btContactSolverInfo(this);
  private readonly _actions = new Set<btActionInterface>();
  private readonly _ticks: { pre: ((dt: number) => void) | null; post: ((dt: number) => void) | null } = {
    pre: null,
    post: null,
  };

  addAction(action: btActionInterface): void {
    this._actions.add(ref(action, btActionInterface, this._name('addAction'), 'action'));
    this._listen();
  }

  removeAction(action: btActionInterface): void {
    this._actions.delete(ref(action, btActionInterface, this._name('removeAction'), 'action'));
    this._listen();
  }

  getSolverInfo(): btContactSolverInfo {
    return this._solverInfo;
  }

  /** `cb` from Ammo.addFunction, or 0 to remove it; it is called with the world's pointer and the step. */
  setInternalTickCallback(cb: unknown, _worldUserInfo?: unknown, isPreTick = false): void {
    const call = addedFunction(cb, this._name('setInternalTickCallback'), 'cb');
    this._ticks[isPreTick ? 'pre' : 'post'] = call === null ? null : (dt) => void call(pointerOf(this), dt);
    this._listen();
  }

  /** @internal Requests ticks from the engine only if there is a callback. */
  _listen(): void {
    const { pre, post } = this._ticks;
    this._engine.setInternalTickCallback(pre === null ? null : (dt) => this._inTick(() => pre(dt)), true);
    const wanted = post !== null || this._actions.size > 0 || this._contacts.wanted;
    this._engine.setInternalTickCallback(wanted ? (dt) => this._inTick(() => this._afterTick(dt)) : null);
  }

  private _inTick(run: () => void): void {
    this._poseCount++;
    this._guard(run);
  }

  private _afterTick(dt: number): void {
    if (this._contacts.wanted) this._contacts.report();
    for (const action of this._actions) this._guard(() => action.updateAction(this, dt));
    const { post } = this._ticks;
    if (post !== null) this._guard(() => post(Math.fround(dt)));
  }
}

export class btDiscreteDynamicsWorld extends btDynamicsWorld {
  private readonly _constraints = new Set<btTypedConstraint>();
  private readonly _gravity = new btVector3(0, -10, 0);
  /** Bodies whose gravity differs from the world's: a force is applied before each step. */
  private readonly _pushed = new Set<btRigidBody>();
  private _loose = 0;
  /** s, ≤ 0: steps below 0 that later ones make up for. */
  private _debt = 0;

  constructor(
    dispatcher: btDispatcher,
    pairCache: btBroadphaseInterface,
    constraintSolver: btConstraintSolver,
    collisionConfiguration: btCollisionConfiguration,
  ) {
    const where = 'btDiscreteDynamicsWorld';
    super(dispatcher, pairCache, where);
    optional(constraintSolver, btConstraintSolver, where, 'constraintSolver');
    optional(collisionConfiguration, btCollisionConfiguration, where, 'collisionConfiguration');
    const [x, y, z] = this._engine.getGravity();
    this._gravity._set(x, y, z, 0);
  }

  // --- gravity ---

  setGravity(gravity: btVector3): void {
    const g = finiteVector(gravity, this._name('setGravity'), 'gravity');
    const { _x, _y, _z } = this._gravity;
    if (g._x !== _x || g._y !== _y || g._z !== _z)
      engineCall(this._name('setGravity'), () => this._engine.setGravity([g._x, g._y, g._z]));
    this._gravity._set(g._x, g._y, g._z, 0);
    for (const object of this._objects)
      if (object instanceof btRigidBody) {
        if ((object._rigidFlags & BT_DISABLE_WORLD_GRAVITY) === 0) object._ownGravity = false;
        this._updateGravity(object);
      }
  }

  getGravity(): btVector3 {
    return gravitySlot._copy(this._gravity);
  }

  override _updateGravity(body: btRigidBody): void {
    const engine = body._engine;
    if (engine === null) return;
    const own = body._ownGravity || (body._rigidFlags & BT_DISABLE_WORLD_GRAVITY) !== 0;
    if (!own) body._gravity._copy(this._gravity);
    const [g, w] = [body._gravity, this._gravity];
    const square = w._x * w._x + w._y * w._y + w._z * w._z;
    const scale = square === 0 ? 0 : (g._x * w._x + g._y * w._y + g._z * w._z) / square;
    const left = squared(g._x - scale * w._x) + squared(g._y - scale * w._y) + squared(g._z - scale * w._z);
    const size = g._x * g._x + g._y * g._y + g._z * g._z;
    const isAlong = left <= 1e-10 * size;
    const share = Math.fround(isAlong && size > 0 ? scale : 0);
    if (isAlong) this._pushed.delete(body);
    else this._pushed.add(body);
    if (engine.getGravityScale() !== share) engine.setGravityScale(share);
  }

  private _push(): void {
    for (const body of this._pushed)
      if (body._type === 'dynamic' && body.isActive()) {
        const g = body._gravity;
        body._engine?.applyCentralForce([g._x * body._mass, g._y * body._mass, g._z * body._mass]);
      }
  }

  // --- bodies ---

  addRigidBody(body: btRigidBody, group?: number, mask?: number): void {
    const where = this._name('addRigidBody');
    const object = ref(body, btRigidBody, where, 'body');
    const dynamic = !object.isStaticOrKinematicObject();
    const bits = filter(
      group,
      mask,
      dynamic ? DEFAULT_FILTER : STATIC_FILTER,
      dynamic ? -1 : -1 ^ STATIC_FILTER,
      where,
    );
    // Bullet sets the world's gravity here, unless a flag of the body prevents it.
    if ((object._rigidFlags & BT_DISABLE_WORLD_GRAVITY) === 0 && object._world !== this)
      object._ownGravity = false;
    this._insert(object, ...bits, where);
  }

  override _insert(object: btCollisionObject, group: number, mask: number, where: string): void {
    super._insert(object, group, mask, where);
    if (object instanceof btRigidBody) this._updateGravity(object);
    if (this._constraints.size > 0) this._loose++;
  }

  removeRigidBody(body: btRigidBody): void {
    this._remove(ref(body, btRigidBody, this._name('removeRigidBody'), 'body'));
  }

  override _remove(object: btCollisionObject): void {
    if (object._world !== this) return;
    for (const constraint of this._constraints)
      if (constraint._a === object || constraint._b === object) {
        constraint._detach();
        this._loose++;
      }
    if (object instanceof btRigidBody) this._pushed.delete(object);
    super._remove(object);
  }

  // --- constraints ---

  addConstraint(constraint: btTypedConstraint, disableCollisionsBetweenLinkedBodies = false): void {
    const added = ref(constraint, btTypedConstraint, this._name('addConstraint'), 'constraint');
    if (added._world !== null && added._world !== this)
      throw new PhysicsError(
        'foreign-id',
        'is in another world',
        `${this._name('addConstraint')}: constraint`,
      );
    added._world = this;
    added._collide = !disableCollisionsBetweenLinkedBodies;
    this._constraints.add(added);
    added._attach();
    if (added._joint === null) this._loose++;
  }

  removeConstraint(constraint: btTypedConstraint): void {
    this._removeConstraint(ref(constraint, btTypedConstraint, this._name('removeConstraint'), 'constraint'));
  }

  override _removeConstraint(constraint: btTypedConstraint): void {
    if (constraint._world !== this) return;
    constraint._detach();
    constraint._world = null;
    this._constraints.delete(constraint);
  }

  override _release(): void {
    for (const constraint of this._constraints) {
      constraint._joint = null;
      constraint._world = null;
    }
    super._release();
  }

  // --- stepping ---

  /** A step below 0, which clocks of pages give at first, takes its time from the next ones, as in Bullet. */
  private _due(dt: number): number {
    const due = dt + this._debt;
    this._debt = Math.max(-LONGEST_STEP, Math.min(0, due));
    return Math.max(0, due);
  }

  stepSimulation(timeStep: number, maxSubSteps = 1, fixedTimeStep = 1 / 60): number {
    const where = this._name('stepSimulation');
    const dt = finite(timeStep, where, 'timeStep');
    const most = integer(maxSubSteps, where, 'maxSubSteps');
    // Times are floats, as Bullet's: pages whose frames are 1/60 s within rounding make one step in each.
    const fixed = Math.fround(finite(fixedTimeStep, where, 'fixedTimeStep'));
    if (most < 0) throw bad(where, 'maxSubSteps', 'must be ≥ 0', maxSubSteps);
    this._refresh();
    if (this._loose > 0) {
      this._loose = 0;
      for (const constraint of this._constraints) constraint._attach();
    }
    this._aimKinematics();
    if (this._pushed.size > 0) this._push();
    const step = most > 0 ? this._due(Math.fround(dt)) : dt < SHORTEST_STEP ? 0 : Math.min(dt, LONGEST_STEP);
    let due = 0;
    this._contacts.forgetImpacts();
    try {
      due = engineCall(where, () => this._engine.stepSimulation(step, most, fixed));
    } finally {
      this._synchronize(due > 0);
    }
    this._throwLate();
    return due;
  }

  // --- contact callbacks: functions from Ammo.addFunction, 0 or null for none ---

  setContactAddedCallback(funcpointer: unknown): void {
    this._contacts.callbacks.added = addedFunction(
      funcpointer,
      this._name('setContactAddedCallback'),
      'funcpointer',
    );
    this._listen();
  }

  setContactProcessedCallback(funcpointer: unknown): void {
    this._contacts.callbacks.processed = addedFunction(
      funcpointer,
      this._name('setContactProcessedCallback'),
      'funcpointer',
    );
    this._listen();
  }

  setContactDestroyedCallback(funcpointer: unknown): void {
    this._contacts.callbacks.destroyed = addedFunction(
      funcpointer,
      this._name('setContactDestroyedCallback'),
      'funcpointer',
    ) as never;
    this._listen();
  }
}

const gravitySlot = slot(new btVector3());

/** Programs create it even for rigid bodies only, which is all that it simulates. */
export class btSoftRigidDynamicsWorld extends btDiscreteDynamicsWorld {
  private readonly _info = new btSoftBodyWorldInfo();
  private readonly _softBodies = new btSoftBodyArray();

  constructor(
    dispatcher: btDispatcher,
    pairCache: btBroadphaseInterface,
    constraintSolver: btConstraintSolver,
    collisionConfiguration: btCollisionConfiguration,
    _softBodySolver?: unknown,
  ) {
    super(dispatcher, pairCache, constraintSolver, collisionConfiguration);
  }

  getWorldInfo(): btSoftBodyWorldInfo {
    return this._info;
  }

  addSoftBody(): never {
    throw new PhysicsError(
      'unsupported',
      'is not there: soft bodies are not simulated',
      'btSoftRigidDynamicsWorld.addSoftBody',
    );
  }

  removeSoftBody(): void {}

  getSoftBodyArray(): btSoftBodyArray {
    return this._softBodies;
  }
}

/** Fields that programs without soft bodies set: kept, without effect. */
export class btSoftBodyWorldInfo extends WrapperObject {
  constructor() {
    super();
    Object.assign(this, {
      _air_density: Math.fround(1.2),
      _water_density: 0,
      _water_offset: 0,
      _m_maxDisplacement: 1000,
      _water_normal: new btVector3(0, 0, 0),
      _m_gravity: new btVector3(0, -10, 0),
      _m_broadphase: null,
      _m_dispatcher: null,
    });
  }
}
fields(btSoftBodyWorldInfo, number, ['air_density', 'water_density', 'water_offset', 'm_maxDisplacement']);
fields(
  btSoftBodyWorldInfo,
  (value, where, argument) => new btVector3()._copy(finiteVector(value, where, argument)),
  ['water_normal', 'm_gravity'],
);
fields(
  btSoftBodyWorldInfo,
  (value, where, argument) => optional(value, btBroadphaseInterface, where, argument),
  ['m_broadphase'],
);
fields(btSoftBodyWorldInfo, (value, where, argument) => optional(value, btDispatcher, where, argument), [
  'm_dispatcher',
]);
