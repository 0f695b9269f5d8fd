// Constraints with several limited axes: cone-twist, six degrees of freedom, with springs. See constraints.ts.
import type { JointAxisName, JointAxisOptions } from '../index';
import { deterministic } from '../index';
import {
  btTypedConstraint,
  dot,
  FREE,
  frameOf,
  inWorld,
  mirrored,
  place,
  range,
  rigidBodyOf,
  type Typed,
  turnRange,
} from './constraints';
import { bad, finite, integer, number } from './errors';
import { real } from './object';
import type { btRigidBody } from './rigidBody';
import { btTransform, compose, finiteTransform } from './transform';
import { btQuaternion, btVector3, finiteVector, quaternion, triple } from './vector';

export class btConeTwistConstraint extends btTypedConstraint {
  private readonly _frameA: btTransform;
  private readonly _frameB: btTransform;
  /** About z, about y, about the axis; more than half a turn: free. */
  private _swing1 = 1e18;
  private _swing2 = 1e18;
  private _twist = 1e18;
  private _angularOnly = false;
  private _motor = false;
  /** N·m·s per step; negative: no limit. */
  private _impulse = -1;
  private readonly _aim = new btQuaternion(0, 0, 0, 1);

  // (A, B, frameA, frameB) or (A, frameA).
  constructor(rbA: btRigidBody, second: unknown, third?: unknown, fourth?: unknown) {
    const where = 'btConeTwistConstraint';
    const a = rigidBodyOf(rbA, where, 'rbA');
    const alone = real(second) instanceof btTransform;
    super(a, alone ? null : rigidBodyOf(second, where, 'rbB'));
    this._frameA = place(finiteTransform(alone ? second : third, where, 'rbAFrame'));
    this._frameB = alone ? inWorld(a, this._frameA) : place(finiteTransform(fourth, where, 'rbBFrame'));
  }

  override _describe(): Typed {
    const frames = { frameA: frameOf(this._frameA), frameB: frameOf(this._frameB) };
    if (this._motor && this._impulse !== 0) return { type: 'generic', ...this._drive(), ...frames };
    const twist =
      this._twist < Math.PI ? this._softened({ low: -this._twist, high: this._twist }, 3, 4, 5, -1) : FREE;
    if (this._angularOnly) {
      const swing = (span: number) => (span < Math.PI ? { low: -span, high: span } : FREE);
      return {
        type: 'generic',
        x: FREE,
        y: FREE,
        z: FREE,
        angleX: twist,
        angleY: swing(this._swing2),
        angleZ: swing(this._swing1),
        ...frames,
      };
    }
    return { type: 'coneTwist', twist, swingY: cone(this._swing2), swingZ: cone(this._swing1), ...frames };
  }

  override _axisNames(): readonly JointAxisName[] {
    return this._angularOnly || (this._motor && this._impulse !== 0)
      ? ['angleX', 'angleY', 'angleZ']
      : ['twist'];
  }

  /** 3: twist, 4 and 5: swings about y and z. Other indices are ignored, as in Bullet. */
  setLimit(limitIndex: number, limitValue: number): void {
    const where = 'btConeTwistConstraint.setLimit';
    const axis = integer(limitIndex, where, 'limitIndex');
    const value = Math.abs(number(limitValue, where, 'limitValue'));
    if (axis === 3) this._twist = value;
    else if (axis === 4) this._swing2 = value;
    else if (axis === 5) this._swing1 = value;
    this._axesChanged();
  }

  setAngularOnly(angularOnly: boolean): void {
    this._angularOnly = Boolean(angularOnly);
    this._rebuild();
  }

  setDamping(damping: number): void {
    number(damping, 'btConeTwistConstraint.setDamping', 'damping');
  }

  // --- the motor towards a rotation ---

  /** As in Bullet, limits do not act while it is on. */
  private _drive() {
    const maxForce = this._impulse < 0 ? 1e15 : Math.min(1e15, 60 * this._impulse);
    const servo = (target: number) => ({ ...FREE, servo: { target, maxVelocity: DRIVE_SPEED, maxForce } });
    const [angleX, angleY, angleZ] = this._anglesOfAim().map(servo) as [Axis, Axis, Axis];
    const way = this._angularOnly ? FREE : { low: 0, high: 0 };
    return { x: way, y: way, z: way, angleX, angleY, angleZ };
  }

  /**
   * Bullet's target is the orientation of A's frame in B's; the engine's angles are those of B relative to A, Rx·Ry·Rz.
   */
  private _anglesOfAim(): [number, number, number] {
    const { _x, _y, _z, _w } = this._aim;
    const turn = new btTransform();
    turn._basis._setQuaternion(-_x, -_y, -_z, _w);
    return eulerAngles(turn._basis._matrix());
  }

  enableMotor(b: boolean): void {
    this._motor = Boolean(b);
    this._rebuild();
  }

  /** N·m·s per step; negative: no limit. */
  setMaxMotorImpulse(maxMotorImpulse: number): void {
    this._impulse = number(maxMotorImpulse, 'btConeTwistConstraint.setMaxMotorImpulse', 'maxMotorImpulse');
    this._rebuild();
  }

  /** The same as setMaxMotorImpulse, as with Bullet's usual solver. */
  setMaxMotorImpulseNormalized(maxMotorImpulse: number): void {
    const where = 'btConeTwistConstraint.setMaxMotorImpulseNormalized';
    this._impulse = number(maxMotorImpulse, where, 'maxMotorImpulse');
    this._rebuild();
  }

  /** `q`: orientation of A in B's frame. */
  setMotorTarget(q: btQuaternion): void {
    const target = unitQuaternion(q, 'btConeTwistConstraint.setMotorTarget');
    const [a, b] = [this._frameA._basis._quaternion(), this._frameB._basis._quaternion()];
    this._aimAt(product(product([-b._x, -b._y, -b._z, b._w], target), [a._x, a._y, a._z, a._w]));
  }

  /** `q`: orientation of A's joint frame in B's joint frame. */
  setMotorTargetInConstraintSpace(q: btQuaternion): void {
    this._aimAt(unitQuaternion(q, 'btConeTwistConstraint.setMotorTargetInConstraintSpace'));
  }

  private _aimAt([x, y, z, w]: Turn): void {
    this._aim._set(x, y, z, w);
    this._rebuild();
  }
}

/** rad/s. Bullet removes 0.3 of the error per step: the same speed for half a radian. */
const DRIVE_SPEED = 9;

type Axis = JointAxisOptions;
type Turn = readonly [number, number, number, number];

function product([ax, ay, az, aw]: Turn, [bx, by, bz, bw]: Turn): Turn {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by + ay * bw + az * bx - ax * bz,
    aw * bz + az * bw + ax * by - ay * bx,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

function unitQuaternion(value: btQuaternion, where: string): Turn {
  const { _x, _y, _z, _w } = quaternion(value, where, 'q')._fresh();
  const length = Math.sqrt(_x * _x + _y * _y + _z * _z + _w * _w);
  if (!(length > 1e-6)) throw bad(where, 'q', 'must not be 0', [_x, _y, _z, _w]);
  return [_x / length, _y / length, _z / length, _w / length];
}

/** Angles of the rotation Rx·Ry·Rz with this matrix, row by row. */
function eulerAngles(m: ArrayLike<number>): [number, number, number] {
  const { atan2, asin } = deterministic;
  return [atan2(-m[5]!, m[8]!), asin(Math.max(-1, Math.min(1, m[2]!))), atan2(-m[1]!, m[0]!)];
}

/** Half angle of a cone in the engine's range. */
const cone = (span: number) => Math.min(Math.PI, Math.max(1e-3, span));

const AXES = ['x', 'y', 'z', 'angleX', 'angleY', 'angleZ'] as const;

/** rad. Beyond this angle about the middle axis, the angles about the other two are not well defined. */
const FAR = 1.48;
/** Bullet's axes for the engine's x, y and z, and the rotation of a frame that corresponds to it. */
const ORDERS: readonly { axes: readonly number[]; turn: Turn }[] = [
  { axes: [0, 1, 2], turn: [0, 0, 0, 1] },
  { axes: [1, 2, 0], turn: [0.5, 0.5, 0.5, 0.5] },
  { axes: [2, 0, 1], turn: [-0.5, -0.5, -0.5, 0.5] },
];

interface Spring {
  on: boolean;
  stiffness: number;
  damping: number;
  equilibrium: number;
}

export class btGeneric6DofConstraint extends btTypedConstraint {
  protected readonly _frameA: btTransform;
  protected readonly _frameB: btTransform;
  private readonly _low = [0, 0, 0, 1, 1, 1];
  private readonly _high = [0, 0, 0, -1, -1, -1];
  private readonly _worldIsA: boolean;

  // (A, B, frameA, frameB, useA) or (B, frameB, useB).
  constructor(first: btRigidBody, second: unknown, third?: unknown, fourth?: unknown, _fifth?: unknown) {
    const where = 'btGeneric6DofConstraint';
    const alone = real(second) instanceof btTransform;
    const one = rigidBodyOf(first, where, alone ? 'rbB' : 'rbA');
    super(one, alone ? null : rigidBodyOf(second, where, 'rbB'));
    this._worldIsA = alone;
    if (alone) {
      this._frameB = place(finiteTransform(second, where, 'frameInB'));
      this._frameA = inWorld(one, this._frameB);
    } else {
      this._frameA = place(finiteTransform(third, where, 'frameInA'));
      this._frameB = place(finiteTransform(fourth, where, 'frameInB'));
    }
  }

  override _sides(): [btRigidBody | null, btRigidBody | null] {
    return this._worldIsA ? [null, this._a] : [this._a, this._b];
  }

  override _describe(): Typed {
    this._order = this._bestOrder();
    const { axes, turn } = ORDERS[this._order]!;
    const described = Object.fromEntries(
      AXES.map((name, i) => [name, this._axis(i < 3 ? axes[i]! : 3 + axes[i - 3]!)]),
    );
    return {
      type: 'generic',
      ...described,
      frameA: frameOf(turnedFrame(this._frameA, turn)),
      frameB: frameOf(turnedFrame(this._frameB, turn)),
    } as Typed;
  }

  /** The order with which the joint was created. */
  private _order = 0;

  /** @internal The engine's name of one of Bullet's axes. */
  protected _nameOf(i: number): JointAxisName {
    const at = ORDERS[this._order]!.axes.indexOf(i % 3);
    return AXES[i < 3 ? at : 3 + at]!;
  }

  /** Bullet's order, unless the angle about y can exceed a quarter turn: then the least free axis is in the middle. */
  protected _bestOrder(): number {
    const reach = (axis: number) => {
      const [low, high] = [this._low[3 + axis]!, this._high[3 + axis]!];
      return low > high ? Infinity : Math.max(Math.abs(low), Math.abs(high));
    };
    if (reach(1) < FAR) return 0;
    const middles = ORDERS.map(({ axes }) => reach(axes[1]!));
    return middles.indexOf(Math.min(...middles));
  }

  override _axesChanged(): void {
    if (this._bestOrder() !== this._order) this._rebuild();
    else super._axesChanged();
  }

  /** Bullet's angles are those of A relative to B, so ranges are mirrored. */
  protected _axis(i: number): JointAxisOptions {
    const [low, high] = [this._low[i]!, this._high[i]!];
    if (i < 3) return this._softened(range(low, high), i);
    const limits = mirrored(low, high);
    return this._softened(turnRange(limits.low!, limits.high!), i);
  }

  override _axisNames(): readonly JointAxisName[] {
    return AXES;
  }

  private _limit(list: number[], from: number, value: btVector3, method: string, argument: string): void {
    const v = finiteOrFar(value, this._name(method), argument);
    list[from] = v[0]!;
    list[from + 1] = v[1]!;
    list[from + 2] = v[2]!;
    this._axesChanged();
  }

  setLinearLowerLimit(linearLower: btVector3): void {
    this._limit(this._low, 0, linearLower, 'setLinearLowerLimit', 'linearLower');
  }

  setLinearUpperLimit(linearUpper: btVector3): void {
    this._limit(this._high, 0, linearUpper, 'setLinearUpperLimit', 'linearUpper');
  }

  setAngularLowerLimit(angularLower: btVector3): void {
    this._limit(this._low, 3, angularLower, 'setAngularLowerLimit', 'angularLower');
  }

  setAngularUpperLimit(angularUpper: btVector3): void {
    this._limit(this._high, 3, angularUpper, 'setAngularUpperLimit', 'angularUpper');
  }

  getFrameOffsetA(): btTransform {
    return this._frameA;
  }
}

function turnedFrame(frame: btTransform, [x, y, z, w]: Turn): btTransform {
  const turn = new btTransform();
  turn._basis._setQuaternion(x, y, z, w);
  const out = new btTransform();
  compose(frame, turn, out);
  return out;
}

/** Replaces infinite limits by large ones. */
function finiteOrFar(value: btVector3, where: string, argument: string): number[] {
  const v = value instanceof btVector3 ? value : finiteVector(value, where, argument);
  v._fresh();
  return [v._x, v._y, v._z].map((part) => Math.min(1e6, Math.max(-1e6, number(part, where, argument))));
}

export class btGeneric6DofSpringConstraint extends btGeneric6DofConstraint {
  private readonly _springs: Spring[] = AXES.map(() => ({
    on: false,
    stiffness: 0,
    damping: 1,
    equilibrium: 0,
  }));

  /** Bullet's damping is the share of the motion that remains: 1 is none. */
  protected override _axis(i: number): JointAxisOptions {
    const limits = super._axis(i);
    const spring = this._springs?.[i];
    if (spring === undefined || !spring.on || spring.stiffness === 0) return limits;
    const mass = Math.min(
      ...[this._a, this._b].map((one) =>
        one !== null && one._mass > 0 ? (i < 3 ? one._mass : moment(one)) : Infinity,
      ),
    );
    const damping =
      (1 - Math.min(1, Math.max(0, spring.damping))) *
      2 *
      Math.sqrt(spring.stiffness * (mass === Infinity ? 1 : mass));
    const target = i < 3 ? spring.equilibrium : -spring.equilibrium;
    return { ...limits, spring: { stiffness: spring.stiffness, damping, target } };
  }

  private _spring(value: number, method: string): Spring {
    const i = integer(value, this._name(method), 'index');
    if (i < 0 || i > 5) throw bad(this._name(method), 'index', 'must be from 0 to 5', value);
    return this._springs[i]!;
  }

  enableSpring(index: number, onOff: boolean): void {
    this._spring(index, 'enableSpring').on = Boolean(onOff);
    this._axesChanged();
  }

  setStiffness(index: number, stiffness: number): void {
    this._spring(index, 'setStiffness').stiffness = Math.max(
      0,
      finite(stiffness, this._name('setStiffness'), 'stiffness'),
    );
    this._axesChanged();
  }

  setDamping(index: number, damping: number): void {
    this._spring(index, 'setDamping').damping = finite(damping, this._name('setDamping'), 'damping');
    this._axesChanged();
  }

  /** Without a value: the current position of the axis; without an index: all axes. */
  setEquilibriumPoint(index?: number, val?: number): void {
    if (index !== undefined) {
      const spring = this._spring(index, 'setEquilibriumPoint');
      spring.equilibrium =
        val === undefined
          ? this._now(integer(index, '', ''))
          : finite(val, this._name('setEquilibriumPoint'), 'val');
    } else this._springs.forEach((spring, i) => void (spring.equilibrium = this._now(i)));
    this._axesChanged();
  }

  /** From the poses: the engine's joint knows its position after a step. */
  private _now(i: number): number {
    const order = ORDERS[this._bestOrder()]!;
    const [a, b] = this._sides();
    const placed = (body: btRigidBody | null, frame: btTransform) => {
      const out = turnedFrame(frame, order.turn);
      if (body !== null) compose(body._pose._fresh(), out, out);
      return out;
    };
    const [from, to] = [placed(a, this._frameA), placed(b, this._frameB)];
    const column = (t: btTransform, k: number) => [0, 3, 6].map((row) => t._basis._matrix()[row + k]!);
    const along = order.axes.indexOf(i % 3);
    if (i < 3) {
      const apart = triple(to._origin).map((part, k) => part - triple(from._origin)[k]!);
      return Math.fround(dot(column(from, along), apart));
    }
    const turn = [0, 1, 2].flatMap((row) => [0, 1, 2].map((k) => dot(column(from, row), column(to, k))));
    return -Math.fround(eulerAngles(turn)[along]!);
  }
}

const moment = (one: btRigidBody) => Math.max(...one._inertia) || 1;
