// btRigidBody and its construction info. In: Bullet's calls. Out: as btCollisionObject; velocities are linked views
// like the pose. Gravity is that of the world unless set on the body.
import type { BodyOptions, BodyType, RigidBody } from '../index';
import {
  type btBroadphaseProxy,
  btCollisionObject,
  CF_KINEMATIC_OBJECT,
  CF_STATIC_OBJECT,
} from './collisionObject';
import { bad, finite, integer, number } from './errors';
import { btDefaultMotionState, btMotionState } from './motionState';
import { castObject, fields, optional, real, ref, WrapperObject } from './object';
import { btCollisionShape } from './shapes';
import { btTransform, finiteTransform } from './transform';
import { btVector3, finiteVector, triple, vector } from './vector';
import type { btCollisionWorld } from './world';

export const BT_DISABLE_WORLD_GRAVITY = 1;
const BT_ENABLE_GYROPSCOPIC_FORCE = 2;

export class btRigidBodyConstructionInfo extends WrapperObject {
  /** @internal */
  readonly _mass: number;
  /** @internal */
  readonly _motionState: btMotionState | null;
  /** @internal */
  readonly _shape: btCollisionShape | null;
  /** @internal */
  readonly _inertia: [number, number, number];
  declare _m_linearDamping: number;
  declare _m_angularDamping: number;
  declare _m_friction: number;
  declare _m_rollingFriction: number;
  declare _m_restitution: number;
  declare _m_linearSleepingThreshold: number;
  declare _m_angularSleepingThreshold: number;
  declare _m_additionalDamping: boolean;

  constructor(
    mass: number,
    motionState: btMotionState | null,
    collisionShape: btCollisionShape | null,
    localInertia?: btVector3,
  ) {
    super();
    const where = 'btRigidBodyConstructionInfo';
    this._mass = checkMass(mass, where);
    this._motionState = optional(motionState, btMotionState, where, 'motionState');
    this._shape = optional(collisionShape, btCollisionShape, where, 'collisionShape');
    this._inertia =
      localInertia === undefined || localInertia === null
        ? [0, 0, 0]
        : triple(finiteVector(localInertia, where, 'localInertia'));
    Object.assign(this, {
      _m_linearDamping: 0,
      _m_angularDamping: 0,
      _m_friction: 0.5,
      _m_rollingFriction: 0,
      _m_restitution: 0,
      _m_linearSleepingThreshold: Math.fround(0.8),
      _m_angularSleepingThreshold: 1,
      _m_additionalDamping: false,
      _m_additionalDampingFactor: Math.fround(0.005),
      _m_additionalLinearDampingThresholdSqr: Math.fround(0.01),
      _m_additionalAngularDampingThresholdSqr: Math.fround(0.01),
      _m_additionalAngularDampingFactor: Math.fround(0.01),
    });
  }
}
fields(btRigidBodyConstructionInfo, number, [
  'm_linearDamping',
  'm_angularDamping',
  'm_friction',
  'm_rollingFriction',
  'm_restitution',
  'm_linearSleepingThreshold',
  'm_angularSleepingThreshold',
  'm_additionalDampingFactor',
  'm_additionalLinearDampingThresholdSqr',
  'm_additionalAngularDampingThresholdSqr',
  'm_additionalAngularDampingFactor',
]);
fields(btRigidBodyConstructionInfo, Boolean, ['m_additionalDamping']);

function checkMass(mass: unknown, where: string): number {
  const value = finite(mass, where, 'mass');
  if (value < 0) throw bad(where, 'mass', 'must be ≥ 0', mass);
  return value;
}

const zero = () => new btVector3(0, 0, 0);
const CENTER = zero();
/** Programs leave the place out, as compiled code lets them. */
const placeOf = (rel_pos: btVector3 | undefined, where: string) =>
  rel_pos === undefined ? CENTER : finiteVector(rel_pos, where, 'rel_pos');
const pose = new Float32Array(7);

export class btRigidBody extends btCollisionObject {
  /** @internal */
  _mass = 0;
  /** @internal */
  _inertia: [number, number, number] = [0, 0, 0];
  /** @internal */
  _motionState: btMotionState | null = null;
  /** @internal m/s², while the body has its own gravity. */
  readonly _gravity = zero();
  /** @internal Whether gravity was set on the body itself. */
  _ownGravity = false;
  /** @internal */
  _rigidFlags = 0;
  private readonly _linearVelocity = zero();
  private readonly _angularVelocity = zero();
  private _velocitySeen = -1;
  private readonly _linearFactor = new btVector3(1, 1, 1);
  private readonly _angularFactor = new btVector3(1, 1, 1);
  private readonly _force = zero();
  private readonly _torque = zero();
  private _linearDamping = 0;
  private _angularDamping = 0;
  private _linearSleepingThreshold = 0.8;
  private _angularSleepingThreshold = 1;

  constructor(constructionInfo: btRigidBodyConstructionInfo) {
    super();
    const info = ref(constructionInfo, btRigidBodyConstructionInfo, 'btRigidBody', 'constructionInfo');
    this._shape = info._shape;
    this.setMotionState(info._motionState as btMotionState);
    this._setMass(info._mass, info._inertia);
    this.setDamping(info._m_linearDamping, info._m_angularDamping);
    this.setFriction(info._m_friction);
    this.setRollingFriction(info._m_rollingFriction);
    this.setRestitution(info._m_restitution);
    this.setSleepingThresholds(info._m_linearSleepingThreshold, info._m_angularSleepingThreshold);
    const own = btRigidBody.prototype;
    const link = {
      pull: () => own._pullVelocity.call(this),
      push: () => own._pushVelocity.call(this),
      isPart: true,
    };
    this._linearVelocity._link = this._angularVelocity._link = link;
  }

  /** @internal A body without mass does not move, whatever its flags are. */
  override get _type(): BodyType {
    const type = super._type;
    return type === 'dynamic' && this._mass === 0 ? 'static' : type;
  }

  /** @internal */
  override _options(world: btCollisionWorld): BodyOptions {
    const options = super._options(world);
    const dynamic = options.type === 'dynamic';
    return {
      ...options,
      ...(dynamic && { mass: this._mass, inertia: moments(this._inertia), centerOfMass: [0, 0, 0] }),
      ...(dynamic && {
        linearVelocity: plain(this._linearVelocity),
        angularVelocity: plain(this._angularVelocity),
      }),
      linearDamping: this._linearDamping,
      angularDamping: this._angularDamping,
      linearFactor: plain(this._linearFactor),
      angularFactor: plain(this._angularFactor),
      linearSleepingThreshold: this._linearSleepingThreshold,
      angularSleepingThreshold: this._angularSleepingThreshold,
    };
  }

  override _enter(...args: Parameters<btCollisionObject['_enter']>): void {
    super._enter(...args);
    this._velocitySeen = this._world!._poseCount;
    if (this._force._x !== 0 || this._force._y !== 0 || this._force._z !== 0)
      this._engine!.applyCentralForce(plain(this._force));
    if (this._torque._x !== 0 || this._torque._y !== 0 || this._torque._z !== 0)
      this._engine!.applyTorque(plain(this._torque));
    this._force._set(0, 0, 0, 0);
    this._torque._set(0, 0, 0, 0);
  }

  override _keep(engine: RigidBody): void {
    this._motionState instanceof btDefaultMotionState && this._motionState.get_m_graphicsWorldTrans();
    this._pullVelocity();
    super._keep(engine);
  }

  // --- pose ---

  /** @internal Number of the last sync, for motion states. */
  get _syncs(): number {
    return this._world === null ? 0 : this._world._syncs;
  }

  /** @internal The pose for drawing. */
  _readMotion(out: btTransform): void {
    // Bullet leaves kinematic bodies alone: programs read where they put them, and go on from there.
    if (this._engine!.type === 'kinematic') this._engine!.getPose(pose);
    else this._engine!.getInterpolatedPose(pose);
    out._origin._x = pose[0]!;
    out._origin._y = pose[1]!;
    out._origin._z = pose[2]!;
    const { _basis } = out;
    _basis._q._x = pose[3]!;
    _basis._q._y = pose[4]!;
    _basis._q._z = pose[5]!;
    _basis._q._w = pose[6]!;
    _basis._hasQuaternion = true;
    _basis._hasMatrix = false;
  }

  getCenterOfMassTransform(): btTransform {
    return this._pose;
  }

  setCenterOfMassTransform(xform: btTransform): void {
    this._place(finiteTransform(xform, 'btRigidBody.setCenterOfMassTransform', 'xform'));
  }

  /** @internal null also after the program destroyed it: steps do without it. */
  get _livingMotionState(): btMotionState | null {
    return this._motionState instanceof btMotionState ? this._motionState : null;
  }

  /** null if there is none. */
  getMotionState(): btMotionState {
    return this._motionState as btMotionState;
  }

  /** null removes it. */
  setMotionState(motionState: btMotionState): void {
    const old = this._motionState;
    if (old instanceof btDefaultMotionState && old._body === this) {
      old.get_m_graphicsWorldTrans();
      old._body = null;
    }
    const state = optional(motionState, btMotionState, 'btRigidBody.setMotionState', 'motionState');
    this._motionState = state;
    if (state !== null) {
      const start = new btTransform();
      state._ask(start);
      this._place(start);
    }
    if (state instanceof btDefaultMotionState) {
      state._body = this;
      state._seen = this._syncs;
    }
    this._world?._watch(this);
  }

  // --- velocity ---

  private _pullVelocity(): void {
    const world = this._world;
    if (world === null || this._velocitySeen === world._poseCount) return;
    this._velocitySeen = world._poseCount;
    if (this._engine!.type === 'static') return; // it has the velocity again when it gets its mass back
    this._engine!.getLinearVelocity(pose);
    this._linearVelocity._set(pose[0]!, pose[1]!, pose[2]!, 0);
    this._engine!.getAngularVelocity(pose);
    this._angularVelocity._set(pose[0]!, pose[1]!, pose[2]!, 0);
  }

  private _pushVelocity(): void {
    // A kinematic body moves by its transform only, and its velocity follows from that.
    if (this._engine === null || this._type !== 'dynamic') return;
    const v = this._linearVelocity;
    const w = this._angularVelocity;
    if (!Number.isFinite(v._x + v._y + v._z + w._x + w._y + w._z))
      throw bad('btRigidBody.setLinearVelocity', 'lin_vel', 'must be finite', [v._x, v._y, v._z]);
    this._engine.setLinearVelocity([v._x, v._y, v._z]);
    this._engine.setAngularVelocity([w._x, w._y, w._z]);
  }

  getLinearVelocity(): btVector3 {
    return this._linearVelocity;
  }

  getAngularVelocity(): btVector3 {
    return this._angularVelocity;
  }

  setLinearVelocity(lin_vel: btVector3): void {
    const v = finiteVector(lin_vel, 'btRigidBody.setLinearVelocity', 'lin_vel');
    this._setVelocity(this._linearVelocity, v);
  }

  setAngularVelocity(ang_vel: btVector3): void {
    const v = finiteVector(ang_vel, 'btRigidBody.setAngularVelocity', 'ang_vel');
    this._setVelocity(this._angularVelocity, v);
  }

  /** One that the body has already does not wake it: programs that hold a body still set 0 in every frame. */
  private _setVelocity(velocity: btVector3, { _x, _y, _z }: btVector3): void {
    this._pullVelocity();
    const same = velocity._x === _x && velocity._y === _y && velocity._z === _z;
    if (same && this._type === 'dynamic') return;
    velocity._set(_x, _y, _z, 0);
    this._pushVelocity();
  }

  // --- forces: one of 0 has no effect, so it does not wake a sleeping body either ---

  /** Without `rel_pos` at the centre, where programs that leave it out find it in ammo.js. */
  applyForce(force: btVector3, rel_pos: btVector3): void {
    const f = finiteVector(force, 'btRigidBody.applyForce', 'force');
    const r = placeOf(rel_pos, 'btRigidBody.applyForce');
    if (this._engine !== null) {
      if (!isZero(f)) this._engine.applyForce(plain(f), plain(r));
    } else {
      // Without the factors that act when the body enters a world: on the force, and on the response to a torque.
      add(this._force, f);
      add(this._torque, cross(r, scaled(f, this._linearFactor)));
    }
  }

  applyCentralForce(force: btVector3): void {
    const f = finiteVector(force, 'btRigidBody.applyCentralForce', 'force');
    if (this._engine === null) add(this._force, f);
    else if (!isZero(f)) this._engine.applyCentralForce(plain(f));
  }

  applyCentralLocalForce(force: btVector3): void {
    const f = finiteVector(force, 'btRigidBody.applyCentralLocalForce', 'force');
    this.applyCentralForce(turned(this._pose, f));
  }

  applyTorque(torque: btVector3): void {
    const t = finiteVector(torque, 'btRigidBody.applyTorque', 'torque');
    if (this._engine === null) add(this._torque, t);
    else if (!isZero(t)) this._engine.applyTorque(plain(t));
  }

  applyLocalTorque(torque: btVector3): void {
    const t = finiteVector(torque, 'btRigidBody.applyLocalTorque', 'torque');
    this.applyTorque(turned(this._pose, t));
  }

  /** Without `rel_pos` at the centre. */
  applyImpulse(impulse: btVector3, rel_pos: btVector3): void {
    const j = finiteVector(impulse, 'btRigidBody.applyImpulse', 'impulse');
    const r = placeOf(rel_pos, 'btRigidBody.applyImpulse');
    if (isZero(j)) return;
    if (this._engine !== null) {
      this._engine.applyImpulse(plain(j), plain(r));
      this._velocitySeen = -1;
    } else {
      this.applyCentralImpulse(j);
      this.applyTorqueImpulse(cross(r, scaled(j, this._linearFactor)));
    }
  }

  applyCentralImpulse(impulse: btVector3): void {
    const j = finiteVector(impulse, 'btRigidBody.applyCentralImpulse', 'impulse');
    if (isZero(j)) return;
    if (this._engine !== null) {
      this._engine.applyCentralImpulse(plain(j));
      this._velocitySeen = -1;
    } else if (this._mass > 0) {
      const v = scaled(j, this._linearFactor);
      add(this._linearVelocity, v._set(v._x / this._mass, v._y / this._mass, v._z / this._mass, 0));
    }
  }

  applyTorqueImpulse(torque: btVector3): void {
    const j = finiteVector(torque, 'btRigidBody.applyTorqueImpulse', 'torque');
    if (isZero(j)) return;
    if (this._engine !== null) {
      this._engine.applyTorqueImpulse(plain(j));
      this._velocitySeen = -1;
      return;
    }
    // World inertia = R · diag · Rᵀ, with half of the factors on either side, as in the engine.
    const m = this._pose._basis._matrix();
    const { _x: fx, _y: fy, _z: fz } = this._angularFactor;
    const half = new btVector3(Math.sqrt(fx), Math.sqrt(fy), Math.sqrt(fz));
    const { _x, _y, _z } = scaled(j, half);
    const w: [number, number, number] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      if (this._inertia[k] === 0) continue;
      const local = (m[k]! * _x + m[3 + k]! * _y + m[6 + k]! * _z) / this._inertia[k]!;
      for (let i = 0; i < 3; i++) w[i]! += m[3 * i + k]! * local;
    }
    add(this._angularVelocity, scaled(new btVector3(...w), half));
  }

  clearForces(): void {
    this._force._set(0, 0, 0, 0);
    this._torque._set(0, 0, 0, 0);
    if (this._engine === null) return;
    const force = this._engine.getTotalForce();
    const torque = this._engine.getTotalTorque();
    if (force.some((f) => f !== 0)) {
      // Forces are summed with their factors: without them, the opposite force leaves nothing.
      this._engine.setLinearFactor([1, 1, 1]);
      this._engine.applyCentralForce([-force[0], -force[1], -force[2]]);
      this._engine.setLinearFactor(plain(this._linearFactor));
    }
    if (torque.some((t) => t !== 0)) this._engine.applyTorque([-torque[0], -torque[1], -torque[2]]);
  }

  /** Adds the body's weight to its forces once more, as in Bullet. */
  applyGravity(): void {
    if (this._type !== 'dynamic') return;
    const g = this.getGravity();
    this.applyCentralForce(new btVector3(g._x * this._mass, g._y * this._mass, g._z * this._mass));
  }

  getGravity(): btVector3 {
    return this._gravity;
  }

  /** Acts until the world's gravity is set again, or permanently with flag 1. */
  setGravity(acceleration: btVector3): void {
    const g = finiteVector(acceleration, 'btRigidBody.setGravity', 'acceleration');
    this._gravity._set(g._x, g._y, g._z, 0);
    this._ownGravity = true;
    this._world?._updateGravity(this);
  }

  // --- properties ---

  /** Without `inertia`: that of the shape, from calculateLocalInertia. */
  setMassProps(mass: number, inertia: btVector3): void;
  setMassProps(mass: number): void;
  setMassProps(mass: number, inertia?: btVector3): void {
    const value = checkMass(mass, 'btRigidBody.setMassProps');
    const moments =
      inertia === undefined || inertia === null
        ? value > 0 && this._shape !== null
          ? this._shape._inertia(value)
          : ([0, 0, 0] as [number, number, number])
        : triple(finiteVector(inertia, 'btRigidBody.setMassProps', 'inertia'));
    const before = this._type;
    const isKept = value === this._mass && moments.every((i, k) => i === this._inertia[k]);
    this._setMass(value, moments);
    if (this._world === null || (isKept && before === this._type)) return;
    if (this._type !== before) this._reenter();
    else this._restoreMass();
  }

  private _setMass(mass: number, inertia: [number, number, number]): void {
    this._mass = mass;
    this._inertia = inertia;
    if (mass === 0) this._flags |= CF_STATIC_OBJECT;
    else this._flags &= ~CF_STATIC_OBJECT;
  }

  override _restoreMass(): void {
    if (this._type === 'dynamic') this._engine?.setMass(this._mass, moments(this._inertia));
  }

  /** No effect: the inertia tensor is always current. */
  updateInertiaTensor(): void {}

  getLinearFactor(): btVector3 {
    return this._linearFactor;
  }

  setLinearFactor(linearFactor: btVector3): void {
    const given = factor(linearFactor, 'btRigidBody.setLinearFactor', 'linearFactor');
    if (isSame(given, this._linearFactor)) return;
    this._linearFactor._copy(given);
    this._engine?.setLinearFactor(plain(given));
  }

  getAngularFactor(): btVector3 {
    return this._angularFactor;
  }

  /** Also accepts one number for all axes, like Bullet's overload. */
  setAngularFactor(angularFactor: btVector3): void;
  setAngularFactor(angularFactor: number): void;
  setAngularFactor(angularFactor: btVector3 | number): void {
    const where = 'btRigidBody.setAngularFactor';
    const three =
      typeof angularFactor === 'number'
        ? new btVector3(angularFactor, angularFactor, angularFactor)
        : angularFactor;
    const given = factor(three, where, 'angularFactor');
    if (isSame(given, this._angularFactor)) return;
    this._angularFactor._copy(given);
    this._engine?.setAngularFactor(plain(given));
  }

  getLinearDamping(): number {
    return Math.fround(this._linearDamping);
  }

  getAngularDamping(): number {
    return Math.fround(this._angularDamping);
  }

  /** Shares of the velocities lost per second, clamped to 0 … 1 as in Bullet. */
  setDamping(lin_damping: number, ang_damping: number): void {
    const share = (value: number, argument: string) =>
      Math.min(1, Math.max(0, number(value, 'btRigidBody.setDamping', argument)));
    this._linearDamping = share(lin_damping, 'lin_damping');
    this._angularDamping = share(ang_damping, 'ang_damping');
    this._engine?.setDamping(this._linearDamping, this._angularDamping);
  }

  setSleepingThresholds(linear: number, angular: number): void {
    const speed = (value: number, argument: string) =>
      Math.min(1e9, Math.max(0, number(value, 'btRigidBody.setSleepingThresholds', argument)));
    this._linearSleepingThreshold = speed(linear, 'linear');
    this._angularSleepingThreshold = speed(angular, 'angular');
    this._engine?.setSleepingThresholds(this._linearSleepingThreshold, this._angularSleepingThreshold);
  }

  setFlags(flags: number): void {
    this._rigidFlags = integer(flags, 'btRigidBody.setFlags', 'flags') & ~BT_ENABLE_GYROPSCOPIC_FORCE;
    this._world?._updateGravity(this);
  }

  getFlags(): number {
    return this._rigidFlags;
  }

  /** The AABB of the body in the broad phase. */
  getAabb(aabbMin: btVector3, aabbMax: btVector3): void {
    const low = vector(aabbMin, 'btRigidBody.getAabb', 'aabbMin');
    const high = vector(aabbMax, 'btRigidBody.getAabb', 'aabbMax');
    const { center, half } = this._shape?._bounds(this._pose._fresh()._basis._matrix()) ?? {
      center: [0, 0, 0],
      half: [0, 0, 0],
    };
    const o = this._pose._origin;
    low.setValue(o._x + center[0]! - half[0]!, o._y + center[1]! - half[1]!, o._z + center[2]! - half[2]!);
    high.setValue(o._x + center[0]! + half[0]!, o._y + center[1]! + half[1]!, o._z + center[2]! + half[2]!);
  }

  getBroadphaseProxy(): btBroadphaseProxy {
    return this.getBroadphaseHandle();
  }

  /** The object as a rigid body; null if it is not one. */
  upcast(colObj: btCollisionObject): btRigidBody {
    const object = real(colObj);
    return object instanceof btRigidBody
      ? (castObject(object, btRigidBody) as btRigidBody)
      : (null as unknown as btRigidBody);
  }

  override getInterpolationLinearVelocity(): btVector3 {
    return this._linearVelocity;
  }

  override getInterpolationAngularVelocity(): btVector3 {
    return this._angularVelocity;
  }
}

/** Whether the object has CF_KINEMATIC_OBJECT. */
export const isKinematic = (body: btCollisionObject) => (body._flags & CF_KINEMATIC_OBJECT) !== 0;

const isSame = (a: btVector3, b: btVector3) => a._x === b._x && a._y === b._y && a._z === b._z;
const isZero = (v: btVector3) => v._x === 0 && v._y === 0 && v._z === 0;

const plain = (v: btVector3): [number, number, number] => [v._x, v._y, v._z];

/** The engine accepts moments of at least 1e-18; 0 is infinite. */
function moments(inertia: [number, number, number]): [number, number, number] {
  return inertia.map((i) => (i === 0 ? 0 : Math.min(1e18, Math.max(1e-18, Math.abs(i))))) as [
    number,
    number,
    number,
  ];
}

function factor(value: btVector3, where: string, argument: string): btVector3 {
  const v = finiteVector(value, where, argument);
  if (v._x < 0 || v._y < 0 || v._z < 0) throw bad(where, argument, 'must be ≥ 0', plain(v));
  return v;
}

function add(to: btVector3, v: btVector3): void {
  to._set(Math.fround(to._x + v._x), Math.fround(to._y + v._y), Math.fround(to._z + v._z), 0);
}

function scaled(v: btVector3, by: btVector3): btVector3 {
  return new btVector3()._set(v._x * by._x, v._y * by._y, v._z * by._z, 0);
}

function cross(a: btVector3, b: btVector3): btVector3 {
  return new btVector3()._set(
    a._y * b._z - a._z * b._y,
    a._z * b._x - a._x * b._z,
    a._x * b._y - a._y * b._x,
    0,
  );
}

/** Rotates a vector from the body's frame to the world. */
function turned(pose: btTransform, v: btVector3): btVector3 {
  const m = pose._fresh()._basis._matrix();
  return new btVector3(
    m[0]! * v._x + m[1]! * v._y + m[2]! * v._z,
    m[3]! * v._x + m[4]! * v._y + m[5]! * v._z,
    m[6]! * v._x + m[7]! * v._y + m[8]! * v._z,
  );
}
