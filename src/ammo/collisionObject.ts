// btCollisionObject: the common part of bodies and ghosts. In: Bullet's calls. Out: commands to the engine's body while
// in a world; otherwise fields, from which that body is created when the object is added. An object can leave a world
// and be added again to this or another one.
import type { BodyOptions, BodyType, RigidBody } from '../index';
import { PhysicsError } from '../index';
import { bad, integer, internal, number } from './errors';
import { attributes, pointerOf, real, ref, VoidPtr, voidPointer, WrapperObject, wrapPointer } from './object';
import { btCollisionShape, HERE } from './shapes';
import { btTransform, finiteTransform } from './transform';
import { btVector3, finiteVector } from './vector';
import type { btCollisionWorld } from './world';

export const CF_STATIC_OBJECT = 1;
export const CF_KINEMATIC_OBJECT = 2;
const CF_NO_CONTACT_RESPONSE = 4;
export const CF_CUSTOM_MATERIAL_CALLBACK = 8;

const ACTIVE_TAG = 1;
const ISLAND_SLEEPING = 2;
const DISABLE_DEACTIVATION = 4;
const DISABLE_SIMULATION = 5;
const ACTIVATION = [
  undefined,
  'active',
  'sleeping',
  'wantsDeactivation',
  'disableDeactivation',
  'disableSimulation',
  'active',
] as const;
const STATES = {
  active: 1,
  sleeping: 2,
  wantsDeactivation: 3,
  disableDeactivation: 4,
  disableSimulation: 5,
} as const;

const pose = new Float32Array(7);

export abstract class btCollisionObject extends WrapperObject {
  /** @internal */
  _world: btCollisionWorld | null = null;
  /** @internal The engine's body while in a world. */
  _engine: RigidBody | null = null;
  /** @internal */
  _shape: btCollisionShape | null = null;
  /** @internal Version of the shape from which the engine's body was made. */
  _shapeVersion = 0;
  /** @internal A linked view: reading pulls from the engine, writing moves the object. */
  readonly _pose: btTransform;
  /** @internal World's pose count at which the pose was read. */
  _poseSeen = -1;
  /** @internal */
  _flags: number = CF_STATIC_OBJECT;
  /** @internal */
  _group = 1;
  /** @internal */
  _mask = -1;
  /** @internal Kinematic and moved since the last step: the engine gets the pose with the next step. */
  _moved = false;
  private _friction = 0.5;
  private _restitution = 0;
  private _rollingFriction = 0;
  private _activation: number = ACTIVE_TAG;
  private _ccdMotionThreshold = 0;
  private _ccdSweptSphereRadius = 0;
  private _userIndex = 0;
  private _userPointer: unknown = null;
  private _proxy: btBroadphaseProxy | null = null;

  constructor() {
    super();
    this._pose = new btTransform()._bind({
      // Called by class: the views of a destroyed object still exist, without a world.
      pull: () => btCollisionObject.prototype._pull.call(this),
      push: () => btCollisionObject.prototype._push.call(this),
      isPart: true,
    });
  }

  // --- pose ---

  private _pull(): void {
    const world = this._world;
    if (world === null || this._poseSeen === world._poseCount || this._moved) return;
    this._poseSeen = world._poseCount;
    this._engine!.getPose(pose);
    this._pose._origin._set(pose[0]!, pose[1]!, pose[2]!, 0);
    this._pose._basis._q._set(pose[3]!, pose[4]!, pose[5]!, pose[6]!);
    this._pose._basis._hasQuaternion = true;
    this._pose._basis._hasMatrix = false;
  }

  /** @internal Called when the pose was written. */
  _push(): void {
    const world = this._world;
    if (world === null) return;
    this._poseSeen = world._poseCount;
    finiteTransform(unlinked(this._pose), `${this.constructor.name}.setWorldTransform`, 'worldTrans');
    if (this._type === 'kinematic') {
      this._moved = true;
      world._movedKinematics.add(this);
    } else this._teleport();
  }

  /** @internal Moves the engine's body to the pose of the view. */
  _teleport(): void {
    const { _origin: o, _basis } = this._pose;
    const q = _basis._quaternion();
    this._engine!.setTransform([o._x, o._y, o._z], [q._x, q._y, q._z, q._w]);
  }

  getWorldTransform(): btTransform {
    return this._pose;
  }

  setWorldTransform(worldTrans: btTransform): void {
    this._place(finiteTransform(worldTrans, this._name('setWorldTransform'), 'worldTrans'));
  }

  /** @internal A body that is at the place already is not woken: programs repeat poses in every frame. */
  _place(given: btTransform): void {
    if (this._engine === null || this._type === 'kinematic' || !this._isAt(given)) this._pose._assign(given);
  }

  /** Asks the engine, which has to apply all commands first, only if the last known pose is the given one. */
  private _isAt({ _origin: o, _basis }: btTransform): boolean {
    const { _origin: p, _basis: seen } = this._pose;
    if (o._x !== p._x || o._y !== p._y || o._z !== p._z) return false;
    const [q, r] = [_basis._quaternion(), seen._quaternion()];
    if (q._x !== r._x || q._y !== r._y || q._z !== r._z || q._w !== r._w) return false;
    this._engine!.getPose(pose);
    return [o._x, o._y, o._z, q._x, q._y, q._z, q._w].every((part, i) => Math.fround(part) === pose[i]);
  }

  // --- poses for extrapolation: the pose and the velocities themselves ---

  getInterpolationWorldTransform(): btTransform {
    return this._pose;
  }

  /** A placed body is drawn where it was placed, so this only checks the argument. */
  setInterpolationWorldTransform(trans: btTransform): void {
    finiteTransform(trans, this._name('setInterpolationWorldTransform'), 'trans');
  }

  getInterpolationLinearVelocity(): btVector3 {
    return new btVector3(0, 0, 0);
  }

  getInterpolationAngularVelocity(): btVector3 {
    return new btVector3(0, 0, 0);
  }

  setInterpolationLinearVelocity(linvel: btVector3): void {
    finiteVector(linvel, this._name('setInterpolationLinearVelocity'), 'linvel');
  }

  setInterpolationAngularVelocity(angvel: btVector3): void {
    finiteVector(angvel, this._name('setInterpolationAngularVelocity'), 'angvel');
  }

  // --- adding to and removing from a world ---

  /** @internal */
  get _type(): BodyType {
    if (this._flags & CF_KINEMATIC_OBJECT) return 'kinematic';
    return this._flags & CF_STATIC_OBJECT ? 'static' : 'dynamic';
  }

  /** @internal Options for creating the engine's body. */
  _options(world: btCollisionWorld): BodyOptions {
    const { _origin: o, _basis } = this._pose;
    const q = _basis._quaternion();
    return {
      type: this._type,
      shape: this._shapes(world),
      position: [o._x, o._y, o._z],
      rotation: [q._x, q._y, q._z, q._w],
      group: this._group,
      mask: this._mask,
      activationState: ACTIVATION[this._activation] ?? 'active',
      ccdMotionThreshold: this._ccdMotionThreshold,
      ccdSweptSphereRadius: this._ccdSweptSphereRadius,
      contactResponse: (this._flags & CF_NO_CONTACT_RESPONSE) === 0,
    };
  }

  private _shapes(world: btCollisionWorld) {
    const shape = this._shape;
    this._shapeVersion = shape?._version ?? 0;
    const parts = shape?._parts(HERE, { ...world._use, moving: this._type === 'dynamic' }) ?? [];
    const surface = {
      friction: this._friction,
      restitution: this._restitution,
      rollingFriction: this._rollingFriction,
      // Ghosts also list static objects.
      sensesStatic: true,
    };
    return parts.map((part) => ({ ...part, ...surface }));
  }

  /** @internal */
  _enter(world: btCollisionWorld, group: number, mask: number, where: string): void {
    this._group = group;
    this._mask = mask;
    this._pose._fresh();
    finiteTransform(unlinked(this._pose), where, 'worldTransform');
    this._engine = engineCall(where, () => world._engine.createBody(this._options(world)));
    this._engine.userData = this;
    this._world = world;
    this._poseSeen = world._poseCount;
    this._moved = false;
  }

  /** @internal Stores the last state of the engine's body. */
  _leave(): void {
    const engine = this._engine;
    const world = this._world;
    if (engine === null || world === null) return;
    this._keep(engine);
    this._engine = null;
    this._world = null;
    if (!world._engine.isDisposed && !engine.isRemoved) world._engine.removeBody(engine);
  }

  /** @internal */
  _keep(engine: RigidBody): void {
    this._poseSeen = -1;
    this._pose._fresh(); // what a kinematic body was moved to since the last step stays its pose
    this._moved = false;
    this._activation = STATES[engine.getActivationState()];
  }

  /** @internal Rebuilds the engine's shapes if the shape was changed. */
  _refreshShape(): void {
    const shape = this._shape;
    const engine = this._engine;
    if (shape === null || engine === null) return;
    if ('_childrenChanged' in shape) (shape as unknown as { _childrenChanged(): boolean })._childrenChanged();
    if (shape._version !== this._shapeVersion) this._rebuild('setCollisionShape');
  }

  private _rebuild(method: string): void {
    const engine = this._engine!;
    engineCall(this._name(method), () => {
      const shapes = this._shapes(this._world!);
      const old = [...engine.shapes];
      for (const options of shapes) engine.addShape(options);
      for (const id of old) engine.removeShape(id);
    });
    this._restoreMass();
  }

  /** @internal Adding and removing shapes does not change the mass. */
  _restoreMass(): void {}

  override _release(): void {
    this._world?._remove(this);
  }

  /** @internal */
  _name(method: string): string {
    return `${this.constructor.name}.${method}`;
  }

  // --- shape and surface ---

  getCollisionShape(): btCollisionShape {
    return this._shape as btCollisionShape;
  }

  setCollisionShape(collisionShape: btCollisionShape): void {
    const shape = ref(collisionShape, btCollisionShape, this._name('setCollisionShape'), 'collisionShape');
    const isNew = shape !== this._shape;
    this._shape = shape;
    if (!isNew) this._refreshShape();
    else if (this._engine !== null) this._rebuild('setCollisionShape');
  }

  getRestitution(): number {
    return this._restitution;
  }

  getFriction(): number {
    return this._friction;
  }

  getRollingFriction(): number {
    return this._rollingFriction;
  }

  /** Clamped to 0 … 1. */
  setRestitution(rest: number): void {
    const value = clamp(number(rest, this._name('setRestitution'), 'rest'), 1);
    if (value === this._restitution) return;
    this._restitution = value;
    this._engine?.setMaterial({ restitution: value });
  }

  setFriction(frict: number): void {
    const value = clamp(number(frict, this._name('setFriction'), 'frict'), 1e6);
    if (value === this._friction) return;
    this._friction = value;
    this._engine?.setMaterial({ friction: value });
  }

  setRollingFriction(frict: number): void {
    const value = clamp(number(frict, this._name('setRollingFriction'), 'frict'), 1e6);
    if (value === this._rollingFriction) return;
    this._rollingFriction = value;
    this._engine?.setMaterial({ rollingFriction: value });
  }

  /** Stored without effect; friction is the same in all directions. */
  setAnisotropicFriction(anisotropicFriction: btVector3, frictionMode: number): void {
    finiteVector(anisotropicFriction, this._name('setAnisotropicFriction'), 'anisotropicFriction');
    integer(frictionMode, this._name('setAnisotropicFriction'), 'frictionMode');
  }

  /** Stored without effect: contacts exist up to the breaking threshold. */
  setContactProcessingThreshold(contactProcessingThreshold: number): void {
    number(
      contactProcessingThreshold,
      this._name('setContactProcessingThreshold'),
      'contactProcessingThreshold',
    );
  }

  // --- activation ---

  /** @internal */
  _activationCode(): number {
    return this._engine === null ? this._activation : STATES[this._engine.getActivationState()];
  }

  setActivationState(newState: number): void {
    const state = this._state(newState, 'setActivationState');
    const now = this._activationCode();
    if (now !== DISABLE_DEACTIVATION && now !== DISABLE_SIMULATION) this._setState(state);
  }

  forceActivationState(newState: number): void {
    this._setState(this._state(newState, 'forceActivationState'));
  }

  private _state(value: number, method: string): number {
    const state = integer(value, this._name(method), 'newState');
    if (ACTIVATION[state] === undefined)
      throw bad(this._name(method), 'newState', 'must be from 1 to 6', value);
    return state;
  }

  private _setState(state: number): void {
    this._activation = state;
    this._engine?.forceActivationState(ACTIVATION[state]!);
  }

  activate(forceActivation = false): void {
    if (!forceActivation && this._type !== 'dynamic') return;
    const now = this._activationCode();
    if (now === DISABLE_DEACTIVATION || now === DISABLE_SIMULATION) return;
    this._activation = ACTIVE_TAG;
    this._engine?.activate(true);
  }

  isActive(): boolean {
    const state = this._activationCode();
    if (this._world !== null && this._type === 'static') return false;
    return state !== ISLAND_SLEEPING && state !== DISABLE_SIMULATION;
  }

  isKinematicObject(): boolean {
    return (this._flags & CF_KINEMATIC_OBJECT) !== 0;
  }

  isStaticObject(): boolean {
    return (this._flags & CF_STATIC_OBJECT) !== 0;
  }

  isStaticOrKinematicObject(): boolean {
    return (this._flags & (CF_STATIC_OBJECT | CF_KINEMATIC_OBJECT)) !== 0;
  }

  getCollisionFlags(): number {
    return this._flags;
  }

  setCollisionFlags(flags: number): void {
    const before = this._flags;
    this._flags = integer(flags, this._name('setCollisionFlags'), 'flags');
    if (this._world === null || before === this._flags) return;
    const structural = CF_STATIC_OBJECT | CF_KINEMATIC_OBJECT | CF_NO_CONTACT_RESPONSE;
    if ((before ^ this._flags) & structural) this._reenter();
  }

  /** @internal Creates the engine's body again, with options that cannot be changed in place. */
  _reenter(): void {
    const world = this._world!;
    const [group, mask] = [this._group, this._mask];
    world._remove(this);
    world._insert(this, group, mask, this._name('setCollisionFlags'));
  }

  // --- continuous collision ---

  setCcdMotionThreshold(ccdMotionThreshold: number): void {
    this._ccdMotionThreshold = clamp(
      number(ccdMotionThreshold, this._name('setCcdMotionThreshold'), 'ccdMotionThreshold'),
      1e7,
    );
    this._engine?.setCcd(this._ccdMotionThreshold, this._ccdSweptSphereRadius);
  }

  setCcdSweptSphereRadius(radius: number): void {
    this._ccdSweptSphereRadius = clamp(number(radius, this._name('setCcdSweptSphereRadius'), 'radius'), 1e7);
    this._engine?.setCcd(this._ccdMotionThreshold, this._ccdSweptSphereRadius);
  }

  // --- user data ---

  getUserIndex(): number {
    return this._userIndex;
  }

  setUserIndex(userIndex: number): void {
    this._userIndex = integer(userIndex, this._name('setUserIndex'), 'index');
  }

  /** Keeps the given object itself, so that its pointer stays valid. */
  setUserPointer(userPointer: unknown): void {
    this._userPointer = real(userPointer);
  }

  getUserPointer(): VoidPtr {
    const kept = this._userPointer;
    if (kept instanceof VoidPtr) return kept;
    return typeof kept === 'number' || kept instanceof WrapperObject
      ? voidPointer(pointerOf(kept))
      : (wrapPointer(0, VoidPtr) as VoidPtr);
  }

  getBroadphaseHandle(): btBroadphaseProxy {
    return (this._proxy ??= new btBroadphaseProxy(this));
  }

  /** @internal */
  _setFilter(group: number, mask: number): void {
    if (group === this._group && mask === this._mask) return;
    this._group = group;
    this._mask = mask;
    this._engine?.setFilter(group, mask);
  }
}

const bare = new btTransform();

/** The numbers of a linked view without pulling. */
function unlinked(window: btTransform): btTransform {
  bare._origin._set(window._origin._x, window._origin._y, window._origin._z, 0);
  bare._basis._copy(window._basis);
  return bare;
}

const clamp = (value: number, max: number) => Math.min(max, Math.max(0, value));

/** Calls the engine; its errors also name the facade's class and method. */
export function engineCall<T>(where: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PhysicsError)) throw error;
    throw new PhysicsError(error.code, error.message, `${where}:`);
  }
}

export class btBroadphaseProxy extends WrapperObject {
  /** @internal */
  constructor(readonly _object: btCollisionObject) {
    super();
    internal(_object instanceof btCollisionObject, 'btBroadphaseProxy');
  }
}
attributes(btBroadphaseProxy, {
  m_collisionFilterGroup: {
    get(this: btBroadphaseProxy) {
      return this._object._group;
    },
    set(this: btBroadphaseProxy, value: unknown) {
      this._object._setFilter(
        integer(value, 'btBroadphaseProxy.set_m_collisionFilterGroup', 'value'),
        this._object._mask,
      );
    },
  },
  m_collisionFilterMask: {
    get(this: btBroadphaseProxy) {
      return this._object._mask;
    },
    set(this: btBroadphaseProxy, value: unknown) {
      this._object._setFilter(
        this._object._group,
        integer(value, 'btBroadphaseProxy.set_m_collisionFilterMask', 'value'),
      );
    },
  },
});

/** The form in which callbacks see an object: with its shape and transform. */
export class btCollisionObjectWrapper extends WrapperObject {
  /** @internal */
  override get _hasDestructor(): boolean {
    return false;
  }

  /** @internal */
  constructor(readonly _object: btCollisionObject) {
    super();
    internal(_object instanceof btCollisionObject, 'btCollisionObjectWrapper');
  }

  getWorldTransform(): btTransform {
    return this._object.getWorldTransform();
  }

  getCollisionObject(): btCollisionObject {
    return this._object;
  }

  getCollisionShape(): btCollisionShape {
    return this._object.getCollisionShape();
  }
}
