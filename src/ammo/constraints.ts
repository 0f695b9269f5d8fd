// Constraints: Bullet's classes over the engine's joints. In: frames, limits, motors, springs in Bullet's conventions.
// Out: a joint while the constraint and its bodies are in a world. Each class describes how its axes, signs and angles
// correspond to the engine's.

import type { Joint, JointAxisName, JointAxisOptions, JointFrame, JointOptions, RigidBody } from '../index';
import { deterministic } from '../index';
import { engineCall } from './collisionObject';
import { bad, derived, finite, integer, number } from './errors';
import { attributes, fields, real, ref, WrapperObject } from './object';
import { btRigidBody } from './rigidBody';
import { btTransform, compose, finiteTransform } from './transform';
import { btVector3, finiteVector } from './vector';
import type { btCollisionWorld } from './world';

const FREE: JointAxisOptions = { low: 1, high: -1 };
const LARGEST_FORCE = 1e15;
/** m/s: no limit for the servos of a clamped joint. */
const FASTEST = 1e9;
const LARGEST_IMPULSE = 1e15;
/** Bullet's numbers of parameters. */
const ERP = 1;
const STOP_ERP = 2;
const CFM = 3;
const STOP_CFM = 4;

type Axes = Partial<Record<JointAxisName, JointAxisOptions>>;
type Typed = JointOptions<RigidBody> & { swingY?: number; swingZ?: number };

export abstract class btTypedConstraint extends WrapperObject {
  /** @internal */
  _a: btRigidBody;
  /** @internal null: the world. */
  _b: btRigidBody | null;
  /** @internal */
  _world: btCollisionWorld | null = null;
  /** @internal */
  _joint: Joint | null = null;
  /** @internal */
  _collide = true;
  private _breaking = Infinity;
  /** @internal */
  _enabled = true;
  protected readonly _params = new Map<string, number>();

  constructor(a: btRigidBody, b: btRigidBody | null) {
    super();
    derived(this._describe, this);
    this._a = a;
    this._b = b;
  }

  /** @internal Type, frames and axes. */
  abstract _describe(): Typed;

  /** @internal The bodies in the engine's order A, B. */
  _sides(): [btRigidBody | null, btRigidBody | null] {
    return [this._a, this._b];
  }

  /** @internal Creates the joint if both bodies are in the world and at least one can move. */
  _attach(): void {
    const world = this._world;
    if (world === null || this._joint !== null) return;
    const [a, b] = this._sides();
    for (const body of [a, b]) if (body !== null && body._world !== world) return;
    if (a?._type !== 'dynamic' && b?._type !== 'dynamic') return;
    const options = {
      ...this._describe(),
      ...(a !== null && { bodyA: a._engine! }),
      ...(b !== null && { bodyB: b._engine! }),
      collideConnected: this._collide,
      breakingImpulse: breaking(this._breaking),
      enabled: this._enabled,
    } as JointOptions<RigidBody>;
    this._joint = engineCall(this._name('addConstraint'), () => world._engine.createJoint(options));
  }

  /** @internal */
  _detach(): void {
    const joint = this._joint;
    this._joint = null;
    if (joint !== null && this._world !== null && !this._world._engine.isDisposed && !joint.isRemoved)
      joint.remove();
  }

  /** @internal Called when a limit, motor or spring was changed. */
  _axesChanged(): void {
    const joint = this._joint;
    if (joint === null) return;
    const described = this._describe() as unknown as Record<string, unknown>;
    engineCall(this._name('setLimit'), () => {
      for (const name of this._axisNames())
        joint.setAxis(name, (described[name] as JointAxisOptions | undefined) ?? FREE);
      for (const name of ['swingY', 'swingZ'] as const)
        if (typeof described[name] === 'number') joint.setSwing(name, described[name]);
    });
  }

  /** @internal */
  _axisNames(): readonly JointAxisName[] {
    return [];
  }

  /** @internal Called when frames or type were changed. */
  _rebuild(): void {
    if (this._joint === null) return;
    this._detach();
    this._attach();
  }

  override _release(): void {
    this._world?._removeConstraint(this);
  }

  /** @internal */
  _name(method: string): string {
    return `${this.constructor.name}.${method}`;
  }

  enableFeedback(_needsFeedback: boolean): void {}

  getBreakingImpulseThreshold(): number {
    return this._breaking;
  }

  setBreakingImpulseThreshold(threshold: number): void {
    this._breaking = number(threshold, this._name('setBreakingImpulseThreshold'), 'threshold');
    this._joint?.setBreaking(breaking(this._breaking));
  }

  getParam(num: number, axis: number): number {
    return this._params.get(this._paramName(num, axis, 'getParam')) ?? 0;
  }

  /**
   * Softness of a limit or lock: BT_CONSTRAINT_STOP_CFM, with BT_CONSTRAINT_STOP_ERP (default 0.2). Without softness
   * the engine's joints need no error reduction, and the value is only stored for getParam.
   */
  setParam(num: number, value: number, axis: number): void {
    const where = this._name('setParam');
    this._params.set(this._paramName(num, axis, 'setParam'), number(value, where, 'value'));
    this._axesChanged();
  }

  private _paramName(num: number, axis: number, method: string): string {
    const where = this._name(method);
    return `${integer(num, where, 'num')} ${integer(axis ?? -1, where, 'axis')}`;
  }

  /** @internal An axis with the softness set by one of Bullet's parameters for it. */
  _softened(options: JointAxisOptions, ...axes: number[]): JointAxisOptions {
    for (const axis of axes) {
      const cfm = this._params?.get(`${STOP_CFM} ${axis}`) ?? 0;
      if (!(cfm > 0) || !((options.low ?? 1) <= (options.high ?? -1))) continue;
      const erp = Math.min(1, Math.max(1e-3, this._params.get(`${STOP_ERP} ${axis}`) ?? 0.2));
      return { ...options, stop: { erp, cfm: Math.min(LARGEST_FORCE, cfm) } };
    }
    return options;
  }

  /** False if it was disabled or broke. */
  isEnabled(): boolean {
    return this._joint === null ? this._enabled : this._joint.isEnabled;
  }

  /** Bullet's btTypedConstraint::setEnabled, which ammo.js does not export. */
  setEnabled(enabled: boolean): void {
    this._enabled = enabled === true;
    this._joint?.setEnabled(this._enabled);
  }

  /** N·s over the last step. */
  getAppliedImpulse(): number {
    if (this._joint === null) return 0;
    const [x, y, z] = this._joint.getAppliedImpulse();
    return Math.sqrt(x * x + y * y + z * z);
  }

  /** Bullet's btTypedConstraint::getRigidBodyA, which ammo.js does not export. */
  getRigidBodyA(): btRigidBody {
    return this._a;
  }

  /** Bullet's btTypedConstraint::getRigidBodyB, which ammo.js does not export; null for the world. */
  getRigidBodyB(): btRigidBody | null {
    return this._b;
  }
}

/** The engine's value for never is 0, Bullet's is Infinity; a threshold of 0 breaks at the smallest load. */
function breaking(threshold: number): number {
  if (threshold >= LARGEST_IMPULSE) return 0;
  return Math.max(threshold, 1e-12);
}

const body = (value: unknown, where: string, argument: string) => ref(value, btRigidBody, where, argument);

const place = (t: btTransform) => new btTransform()._copy(t);

/** A frame of the first body in world coordinates, if the other side is the world. */
function inWorld(a: btRigidBody, frame: btTransform): btTransform {
  const whole = new btTransform();
  compose(a._pose._fresh(), frame, whole);
  return whole;
}

function frameOf(t: btTransform): JointFrame {
  const { _origin: o } = t;
  const q = t._basis._quaternion();
  return { position: [o._x, o._y, o._z], rotation: [q._x, q._y, q._z, q._w] };
}

/** Rotation of a frame that makes Bullet's z axis the engine's x axis: (x, y, z) → (y, z, x). */
const Z_TO_X = (() => {
  const turn = new btTransform();
  turn._basis._setQuaternion(-0.5, -0.5, -0.5, 0.5);
  return turn;
})();

function hingeFrame(t: btTransform): JointFrame {
  const turned = new btTransform();
  compose(t, Z_TO_X, turned);
  return frameOf(turned);
}

const range = (low: number, high: number): JointAxisOptions => (low > high ? FREE : { low, high });
/** A range for an axis with the opposite direction in the engine. */
const mirrored = (low: number, high: number): JointAxisOptions => range(-high, -low);
/** Limits of a full turn or more are no limits. */
const turnRange = (low: number, high: number): JointAxisOptions =>
  low > high || high - low >= 2 * Math.PI
    ? FREE
    : { low: clamp(low, 2 * Math.PI), high: clamp(high, 2 * Math.PI) };
const clamp = (value: number, most: number) => Math.min(most, Math.max(-most, value));
const force = (value: number) => Math.min(LARGEST_FORCE, Math.max(0, value));

export class btConstraintSetting extends WrapperObject {
  declare _m_tau: number;
  declare _m_damping: number;
  /** @internal */
  _clamp = 0;
  /** @internal The joint that has it. */
  _owner: btPoint2PointConstraint | null = null;

  constructor() {
    super();
    Object.assign(this, { _m_tau: Math.fround(0.3), _m_damping: 1 });
  }
}
fields(btConstraintSetting, number, ['m_tau', 'm_damping']);
attributes(btConstraintSetting, {
  m_impulseClamp: {
    get(this: btConstraintSetting) {
      return this._clamp;
    },
    set(this: btConstraintSetting, value: unknown) {
      const clamp = number(value, 'btConstraintSetting.set_m_impulseClamp', 'value');
      if (clamp === this._clamp) return;
      this._clamp = clamp;
      this._owner?._rebuild();
    },
  },
});
/** s. The step for which a clamped impulse becomes a force. */
const CLAMPED_STEP = 1 / 60;

export class btPoint2PointConstraint extends btTypedConstraint {
  private readonly _pivotA = new btVector3(0, 0, 0);
  private readonly _pivotB = new btVector3(0, 0, 0);
  /** @internal */
  _setting = new btConstraintSetting();

  constructor(rbA: btRigidBody, second: btRigidBody | btVector3, pivotInA?: btVector3, pivotInB?: btVector3) {
    const where = 'btPoint2PointConstraint';
    const a = body(rbA, where, 'rbA');
    const alone = pivotInA === undefined;
    super(a, alone ? null : body(second, where, 'rbB'));
    this._pivotA._copy(finiteVector(alone ? second : pivotInA, where, 'pivotInA'));
    if (alone) {
      const t = new btTransform();
      t._origin._copy(this._pivotA);
      this._pivotB._copy(inWorld(a, t)._origin);
    } else this._pivotB._copy(finiteVector(pivotInB, where, 'pivotInB'));
    this._setting._owner = this;
  }

  override _describe(): Typed {
    const [a, b] = [this._pivotA, this._pivotB];
    const frames = {
      frameA: { position: [a._x, a._y, a._z] as const },
      frameB: { position: [b._x, b._y, b._z] as const },
    };
    const { _clamp: clamp } = this._setting;
    if (!(clamp > 0)) return { type: 'point', ...frames, ...this._softness() };
    // Programs drag bodies with it: what is heavier than the hand stays where it is.
    const servo = { target: 0, maxVelocity: FASTEST, maxForce: force(clamp / CLAMPED_STEP) };
    return { type: 'generic', ...frames, x: { servo }, y: { servo }, z: { servo } };
  }

  /** Softness by BT_CONSTRAINT_CFM or BT_CONSTRAINT_STOP_CFM, which are the same here, with the ERP (default 0.2). */
  private _softness(): { erp?: number; cfm?: number } {
    const given = (...codes: number[]) => {
      for (const [name, value] of this._params) if (codes.includes(Number.parseInt(name, 10))) return value;
      return undefined;
    };
    const cfm = given(CFM, STOP_CFM) ?? 0;
    if (!(cfm > 0)) return {};
    const erp = given(ERP, STOP_ERP) ?? 0.2;
    return { erp: Math.min(1, Math.max(1e-3, erp)), cfm: Math.min(LARGEST_FORCE, cfm) };
  }

  override _axesChanged(): void {
    const { erp, cfm } = this._softness();
    if (erp === undefined) this._rebuild();
    else this._joint?.setErp(erp, cfm);
  }

  setPivotA(pivotA: btVector3): void {
    this._pivotA._copy(finiteVector(pivotA, 'btPoint2PointConstraint.setPivotA', 'pivotA'));
    this._moved();
  }

  setPivotB(pivotB: btVector3): void {
    this._pivotB._copy(finiteVector(pivotB, 'btPoint2PointConstraint.setPivotB', 'pivotB'));
    this._moved();
  }

  private _moved(): void {
    const { frameA, frameB } = this._describe();
    this._joint?.setFrames(frameA!, frameB!);
  }

  getPivotInA(): btVector3 {
    return this._pivotA;
  }

  getPivotInB(): btVector3 {
    return this._pivotB;
  }
}
attributes(btPoint2PointConstraint, {
  m_setting: {
    get(this: btPoint2PointConstraint) {
      return this._setting;
    },
    set(this: btPoint2PointConstraint, value: unknown) {
      const from = ref(value, btConstraintSetting, 'btPoint2PointConstraint.set_m_setting', 'value');
      Object.assign(this._setting, { _m_tau: from._m_tau, _m_damping: from._m_damping });
      (this._setting as unknown as { m_impulseClamp: number }).m_impulseClamp = from._clamp;
    },
  },
});

/** Frames of a hinge from axes, chosen as in Bullet: x of A's frame is close to x of its body. */
function hingeFrames(axisA: btVector3, axisB: btVector3, where: string): [number[], number[]] {
  const a = unit(axisA, where, 'axisInA');
  const b = unit(axisB, where, 'axisInB');
  const along = a[0]!;
  let x: number[];
  let y: number[];
  if (along >= 1 - 1.2e-7)
    [x, y] = [
      [0, 0, -1],
      [0, 1, 0],
    ];
  else if (along <= -1 + 1.2e-7)
    [x, y] = [
      [0, 0, 1],
      [0, 1, 0],
    ];
  else {
    y = normal(crossed(a, [1, 0, 0]));
    x = crossed(y, a);
  }
  const xb = arc(a, b, x);
  return [
    [...x, ...y, ...a],
    [...xb, ...crossed(b, xb), ...b],
  ];
}

function unit(v: btVector3, where: string, argument: string): number[] {
  const length = v.length();
  if (!(length > 0)) throw bad(where, argument, 'must not be 0', [v._x, v._y, v._z]);
  return [v._x / length, v._y / length, v._z / length];
}

const crossed = (a: number[], b: number[]) => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
];
const dot = (a: number[], b: number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const normal = (v: number[]) => v.map((part) => part / Math.sqrt(dot(v, v)));

/** `v` rotated by the shortest rotation from `a` to `b`. */
function arc(a: number[], b: number[], v: number[]): number[] {
  const c = dot(a, b);
  if (c < -1 + 1e-6)
    return normal(crossed(Math.abs(a[0]!) < 0.9 ? crossed([1, 0, 0], a) : crossed([0, 1, 0], a), b));
  const axis = crossed(a, b);
  const turned = crossed(axis, v);
  const along = dot(axis, v) / (1 + c);
  return v.map((part, i) => c * part + turned[i]! + axis[i]! * along);
}

function frameFrom(columns: number[], origin: btVector3): btTransform {
  const t = new btTransform();
  const m = t._basis._rows();
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 3; column++) m[3 * row + column] = columns[3 * column + row]!;
  t._basis._hasMatrix = true;
  t._basis._hasQuaternion = false;
  t._origin._copy(origin);
  return t;
}

export class btHingeConstraint extends btTypedConstraint {
  private readonly _frameA: btTransform;
  private readonly _frameB: btTransform;
  /** 1: the angle is that of A relative to B, as in Bullet; −1 with the reference frame of A. */
  private readonly _sign: number;
  private _low = 1;
  private _high = -1;
  private _motor = false;
  private _motorVelocity = 0;
  private _maxMotorImpulse = 0;
  private _servo: number | null = null;
  private _servoSpeed = 0;
  private _angularOnly = false;

  // By number of arguments: (A, B, pivotA, pivotB, axisA, axisB, useA?), (A, B, frameA, frameB, useA?), (A, frameA,
  // useA?).
  constructor(
    rbA: btRigidBody,
    second: unknown,
    third?: unknown,
    fourth?: unknown,
    fifth?: unknown,
    sixth?: unknown,
    seventh?: unknown,
  ) {
    const where = 'btHingeConstraint';
    const a = body(rbA, where, 'rbA');
    const alone = real(second) instanceof btTransform;
    super(a, alone ? null : body(second, where, 'rbB'));
    let useA: unknown;
    if (alone) {
      this._frameA = place(finiteTransform(second, where, 'rbAFrame'));
      this._frameB = inWorld(a, this._frameA);
      useA = third;
    } else if (real(third) instanceof btTransform) {
      this._frameA = place(finiteTransform(third, where, 'rbAFrame'));
      this._frameB = place(finiteTransform(fourth, where, 'rbBFrame'));
      useA = fifth;
    } else {
      const axes = [finiteVector(fifth, where, 'axisInA'), finiteVector(sixth, where, 'axisInB')] as const;
      const [columnsA, columnsB] = hingeFrames(...axes, where);
      this._frameA = frameFrom(columnsA, finiteVector(third, where, 'pivotInA'));
      this._frameB = frameFrom(columnsB, finiteVector(fourth, where, 'pivotInB'));
      useA = seventh;
    }
    this._sign = useA ? -1 : 1;
  }

  override _describe(): Typed {
    const frames = { frameA: hingeFrame(this._frameA), frameB: hingeFrame(this._frameB) };
    if (this._angularOnly) {
      const way = FREE;
      return {
        type: 'generic',
        x: way,
        y: way,
        z: way,
        angleX: this._angle(),
        angleY: { low: 0, high: 0 },
        angleZ: { low: 0, high: 0 },
        ...frames,
      };
    }
    return { type: 'hinge', angle: this._angle(), ...frames };
  }

  private _angle(): JointAxisOptions {
    const angles = this._sign === 1 ? mirrored(this._low, this._high) : range(this._low, this._high);
    const limits = this._softened(angles, 5, -1);
    const most = force(this._maxMotorImpulse * 60);
    if (!this._motor) return limits;
    if (this._servo !== null)
      return {
        ...limits,
        servo: { target: -this._sign * this._servo, maxVelocity: this._servoSpeed, maxForce: most },
      };
    return { ...limits, motor: { velocity: -this._sign * this._motorVelocity, maxForce: most } };
  }

  override _axisNames(): readonly JointAxisName[] {
    return this._angularOnly ? ['angleX'] : ['angle'];
  }

  getHingeAngle(): number {
    const a = this._a._pose._fresh();
    const toA = new btTransform();
    compose(a, this._frameA, toA);
    const toB = new btTransform();
    if (this._b === null) toB._copy(this._frameB);
    else compose(this._b._pose._fresh(), this._frameB, toB);
    const [m, n] = [toA._basis._matrix(), toB._basis._matrix()];
    const column = (t: Float32Array, i: number) => [t[i]!, t[3 + i]!, t[6 + i]!];
    const swing = column(n, 1);
    return Math.fround(this._sign * deterministic.atan2(dot(swing, column(m, 0)), dot(swing, column(m, 1))));
  }

  setLimit(low: number, high: number, softness = 0.9, biasFactor = 0.3, relaxationFactor = 1): void {
    const where = 'btHingeConstraint.setLimit';
    this._low = finite(low, where, 'low');
    this._high = finite(high, where, 'high');
    number(softness, where, 'softness');
    number(biasFactor, where, 'biasFactor');
    number(relaxationFactor, where, 'relaxationFactor');
    this._axesChanged();
  }

  enableAngularMotor(enableMotor: boolean, targetVelocity: number, maxMotorImpulse: number): void {
    const where = 'btHingeConstraint.enableAngularMotor';
    this._motor = Boolean(enableMotor);
    this._motorVelocity = finite(targetVelocity, where, 'targetVelocity');
    this._maxMotorImpulse = number(maxMotorImpulse, where, 'maxMotorImpulse');
    this._servo = null;
    this._axesChanged();
  }

  enableMotor(enableMotor: boolean): void {
    this._motor = Boolean(enableMotor);
    this._axesChanged();
  }

  setMaxMotorImpulse(maxMotorImpulse: number): void {
    this._maxMotorImpulse = number(
      maxMotorImpulse,
      'btHingeConstraint.setMaxMotorImpulse',
      'maxMotorImpulse',
    );
    this._axesChanged();
  }

  /** Sets the motor to reach the angle in `dt`. */
  setMotorTarget(targetAngle: number, dt: number): void {
    const where = 'btHingeConstraint.setMotorTarget';
    const target = finite(targetAngle, where, 'targetAngle');
    const time = finite(dt, where, 'dt');
    if (!(time > 0)) throw bad(where, 'dt', 'must be > 0', dt);
    this._motorVelocity = (target - this.getHingeAngle()) / time;
    this._servo = null;
    this._axesChanged();
  }

  setAngularOnly(angularOnly: boolean): void {
    this._angularOnly = Boolean(angularOnly);
    this._rebuild();
  }
}

export class btSliderConstraint extends btTypedConstraint {
  private readonly _frameA: btTransform;
  private readonly _frameB: btTransform;
  private readonly _useA: boolean;
  /** Bullet's angle is always that of B relative to A; it is negated if the engine's A is Bullet's B. */
  private readonly _isTurned: boolean;
  private _lin: [number, number] = [1, -1];
  private _ang: [number, number] = [0, 0];
  private _powered = false;
  private _velocity = 0;
  private _maxForce = 0;

  // (A, B, frameA, frameB, useA) or (B, frameB, useA).
  constructor(first: btRigidBody, second: unknown, third?: unknown, fourth?: unknown, fifth?: unknown) {
    const where = 'btSliderConstraint';
    const alone = real(second) instanceof btTransform;
    const one = body(first, where, alone ? 'rbB' : 'rbA');
    super(one, alone ? null : body(second, where, 'rbB'));
    if (alone) {
      this._frameA = place(finiteTransform(second, where, 'frameInB'));
      this._frameB = inWorld(one, this._frameA);
      // Bullet's A is the world here.
      this._useA = !third;
    } else {
      this._frameA = place(finiteTransform(third, where, 'frameInA'));
      this._frameB = place(finiteTransform(fourth, where, 'frameInB'));
      this._useA = Boolean(fifth);
    }
    this._isTurned = this._useA === alone;
  }

  /** With the reference frame of A, B moves along A's axis; otherwise A moves along B's axis. */
  override _sides(): [btRigidBody | null, btRigidBody | null] {
    return this._useA ? [this._a, this._b] : [this._b, this._a];
  }

  override _describe(): Typed {
    const [frameA, frameB] = this._useA ? [this._frameA, this._frameB] : [this._frameB, this._frameA];
    const motor = { velocity: this._velocity, maxForce: force(this._maxForce) };
    const angle = this._isTurned ? turnRange(-this._ang[1], -this._ang[0]) : turnRange(...this._ang);
    return {
      type: 'slider',
      position: { ...this._softened(range(...this._lin), 0, -1), ...(this._powered && { motor }) },
      angle: this._softened(angle, 3),
      frameA: frameOf(frameA),
      frameB: frameOf(frameB),
    };
  }

  override _axisNames(): readonly JointAxisName[] {
    return ['position', 'angle'];
  }

  getLinearPos(): number {
    return this._joint?.getPosition('position') ?? 0;
  }

  getAngularPos(): number {
    return this._joint?.getPosition('angle') ?? 0;
  }

  private _set(method: string, argument: string, value: number, change: (value: number) => void): void {
    change(number(value, `btSliderConstraint.${method}`, argument));
    this._axesChanged();
  }

  setLowerLinLimit(lowerLimit: number): void {
    this._set('setLowerLinLimit', 'lowerLimit', lowerLimit, (v) => (this._lin[0] = v));
  }

  setUpperLinLimit(upperLimit: number): void {
    this._set('setUpperLinLimit', 'upperLimit', upperLimit, (v) => (this._lin[1] = v));
  }

  setLowerAngLimit(lowerAngLimit: number): void {
    this._set('setLowerAngLimit', 'lowerAngLimit', lowerAngLimit, (v) => (this._ang[0] = v));
  }

  setUpperAngLimit(upperAngLimit: number): void {
    this._set('setUpperAngLimit', 'upperAngLimit', upperAngLimit, (v) => (this._ang[1] = v));
  }

  setPoweredLinMotor(onOff: boolean): void {
    this._powered = Boolean(onOff);
    this._axesChanged();
  }

  setMaxLinMotorForce(maxLinMotorForce: number): void {
    this._set('setMaxLinMotorForce', 'maxLinMotorForce', maxLinMotorForce, (v) => (this._maxForce = v));
  }

  setTargetLinMotorVelocity(targetLinMotorVelocity: number): void {
    this._set(
      'setTargetLinMotorVelocity',
      'targetLinMotorVelocity',
      targetLinMotorVelocity,
      (v) => (this._velocity = v),
    );
  }
}

export class btFixedConstraint extends btTypedConstraint {
  private readonly _frameA: btTransform;
  private readonly _frameB: btTransform;

  constructor(rbA: btRigidBody, rbB: btRigidBody, frameInA: btTransform, frameInB: btTransform) {
    const where = 'btFixedConstraint';
    super(body(rbA, where, 'rbA'), body(rbB, where, 'rbB'));
    this._frameA = place(finiteTransform(frameInA, where, 'frameInA'));
    this._frameB = place(finiteTransform(frameInB, where, 'frameInB'));
  }

  override _describe(): Typed {
    return { type: 'fixed', frameA: frameOf(this._frameA), frameB: frameOf(this._frameB) };
  }
}

export {
  type Axes,
  body as rigidBodyOf,
  crossed,
  dot,
  FREE,
  frameOf,
  inWorld,
  mirrored,
  place,
  range,
  type Typed,
  turnRange,
};
