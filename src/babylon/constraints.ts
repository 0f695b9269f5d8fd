// Babylon's constraints. In: a PhysicsConstraint, its frames, and per axis mode, limits, stiffness, motor, friction. Out: a
// generic joint for the six axes, and a distance joint where the seventh, the distance of the pivots, is bound.
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import {
  PhysicsConstraintAxis,
  PhysicsConstraintAxisLimitMode,
  PhysicsConstraintMotorType,
  type PhysicsConstraintParameters,
  PhysicsConstraintType,
} from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import type {
  Physics6DoFConstraint,
  PhysicsConstraint,
} from '@babylonjs/core/Physics/v2/physicsConstraint.js';
import { deterministic, type Joint, type JointAxisName, type JointAxisOptions, type World } from 'ricochet';
import { type BodyData, nameOf } from './bodies';
import { warn } from './warnings';

type Vec3 = [number, number, number];
type Quat = [number, number, number, number];

const { FREE, LIMITED, LOCKED } = PhysicsConstraintAxisLimitMode;
const { LINEAR_X, LINEAR_Y, LINEAR_Z, ANGULAR_X, ANGULAR_Y, ANGULAR_Z, LINEAR_DISTANCE } =
  PhysicsConstraintAxis;
/** In the order of PhysicsConstraintAxis. */
const NAMES = ['x', 'y', 'z', 'angleX', 'angleY', 'angleZ'] as const;
/** What each type locks. */
const LOCKS: Partial<Record<PhysicsConstraintType, readonly PhysicsConstraintAxis[]>> = {
  [PhysicsConstraintType.LOCK]: [LINEAR_X, LINEAR_Y, LINEAR_Z, ANGULAR_X, ANGULAR_Y, ANGULAR_Z],
  [PhysicsConstraintType.HINGE]: [LINEAR_X, LINEAR_Y, LINEAR_Z, ANGULAR_Y, ANGULAR_Z],
  [PhysicsConstraintType.PRISMATIC]: [LINEAR_Y, LINEAR_Z, ANGULAR_X, ANGULAR_Y, ANGULAR_Z],
  [PhysicsConstraintType.SLIDER]: [LINEAR_Y, LINEAR_Z, ANGULAR_Y, ANGULAR_Z],
  [PhysicsConstraintType.BALL_AND_SOCKET]: [LINEAR_X, LINEAR_Y, LINEAR_Z],
  [PhysicsConstraintType.DISTANCE]: [],
  [PhysicsConstraintType.SIX_DOF]: [],
};

/** m. A limit beyond it is none. */
const FAR = 1e6;
/** m/s, rad/s. How fast a position motor goes to its target. */
const MOTOR_SPEED = 10;
/** N, N·m. The engine's most. */
const MOST_FORCE = 1e15;
/** What Babylon's getters say of limits that were never set. */
const NO_LIMIT = 3.4028234663852886e38;

/** One axis, as Babylon's setters set it. */
export interface AxisState {
  mode: PhysicsConstraintAxisLimitMode;
  min: number;
  max: number;
  stiffness: number;
  damping: number;
  friction: number;
  motor: PhysicsConstraintMotorType;
  target: number;
  maxForce: number;
}

function newAxis(axis: PhysicsConstraintAxis): AxisState {
  const isAngle = axis >= ANGULAR_X && axis <= ANGULAR_Z;
  const limit = isAngle ? Math.PI : NO_LIMIT;
  return {
    mode: FREE,
    min: axis === LINEAR_DISTANCE ? 0 : -limit,
    max: limit,
    stiffness: 0,
    damping: 0,
    friction: 0,
    motor: PhysicsConstraintMotorType.NONE,
    target: 0,
    maxForce: 0,
  };
}

function axesOf(constraint: PhysicsConstraint): AxisState[] {
  const axes = Array.from({ length: 7 }, (_, axis) => newAxis(axis));
  const { type, options } = constraint;
  for (const axis of LOCKS[type] ?? []) axes[axis]!.mode = LOCKED;
  if (type === PhysicsConstraintType.DISTANCE) {
    const distance = options.maxDistance || 0;
    Object.assign(axes[LINEAR_DISTANCE]!, { mode: LIMITED, min: distance, max: distance });
  }
  if (type === PhysicsConstraintType.SIX_DOF)
    for (const { axis, minLimit, maxLimit, stiffness, damping } of (constraint as Physics6DoFConstraint)
      .limits) {
      const state = axes[axis]!;
      if (minLimit === 0 && maxLimit === 0) state.mode = LOCKED;
      else {
        if (minLimit !== undefined) Object.assign(state, { mode: LIMITED, min: minLimit });
        if (maxLimit !== undefined) Object.assign(state, { mode: LIMITED, max: maxLimit });
      }
      state.stiffness = stiffness ?? 0;
      state.damping = damping ?? 0;
    }
  return axes;
}

interface Frame {
  position: Vec3;
  rotation: Quat;
}

const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** x along the axis, y along the part of `perpendicular` that is square to it, z = x × y. */
function frameOf(pivot: Vector3, axis: Vector3, perpendicular: Vector3): Frame {
  const unit = (v: Vec3): Vec3 => {
    const length = Math.sqrt(dot(v, v)) || 1;
    return [v[0] / length, v[1] / length, v[2] / length];
  };
  const x = unit([axis.x, axis.y, axis.z]);
  const across: Vec3 = [perpendicular.x, perpendicular.y, perpendicular.z];
  const along = dot(across, x);
  const y = unit([across[0] - along * x[0], across[1] - along * x[1], across[2] - along * x[2]]);
  const z = cross(x, y);
  const first = deterministic.quatFromTo([1, 0, 0], x);
  // What is left is a turn about x.
  const turned = deterministic.rotate(first, [0, 1, 0]);
  const half = deterministic.atan2(dot(turned, z), dot(turned, y)) / 2;
  const twist: Quat = [-deterministic.sin(half), 0, 0, deterministic.cos(half)];
  return { position: [pivot.x, pivot.y, pivot.z], rotation: deterministic.quatMultiply(first, twist) };
}

/** Frames and all: what Babylon leaves out is as its own plugin has it. */
export function completeOptions(
  options: PhysicsConstraintParameters,
): Required<
  Pick<PhysicsConstraintParameters, 'pivotA' | 'pivotB' | 'axisA' | 'axisB' | 'perpAxisA' | 'perpAxisB'>
> {
  const square = (axis: Vector3, given: Vector3 | undefined) => {
    if (given) return given.clone();
    const normal = new Vector3();
    axis.getNormalToRef(normal);
    return normal;
  };
  const axisA = options.axisA?.clone() ?? new Vector3(1, 0, 0);
  const axisB = options.axisB?.clone() ?? new Vector3(1, 0, 0);
  return {
    pivotA: options.pivotA?.clone() ?? new Vector3(),
    pivotB: options.pivotB?.clone() ?? new Vector3(),
    axisA,
    axisB,
    perpAxisA: square(axisA, options.perpAxisA),
    perpAxisB: square(axisB, options.perpAxisB),
  };
}

/** Between bodies of which none is dynamic, since the last step. */
const idle = new Set<ConstraintJoint>();

/** Before a step: what is enabled and holds nothing is a mistake; before that, a ragdoll may be in the making. */
export function warnOfIdle(): void {
  for (const { isEnabled, parent, child } of idle)
    if (isEnabled && !parent.isDynamic && !child.isDynamic)
      warn(
        `${nameOf(parent.body)} and ${nameOf(child.body)}: a constraint of two bodies that are not dynamic holds nothing ` +
          'until one of them becomes so',
      );
  idle.clear();
}

/** Two bodies that a constraint was added to. */
export class ConstraintJoint {
  readonly axes: AxisState[];
  isEnabled = true;
  collisions: boolean;
  private readonly frameA: Frame;
  private readonly frameB: Frame;
  private generic: Joint | null = null;
  private distance: Joint | null = null;

  constructor(
    private readonly world: World,
    private readonly constraint: PhysicsConstraint,
    readonly parent: BodyData,
    readonly child: BodyData,
    private readonly timeStep: () => number,
  ) {
    if (parent === child)
      throw new Error(`${nameOf(parent.body)}: a constraint needs two bodies, and this is one body twice`);
    const { pivotA, pivotB, axisA, axisB, perpAxisA, perpAxisB } = completeOptions(constraint.options);
    this.frameA = frameOf(pivotA, axisA, perpAxisA);
    this.frameB = frameOf(pivotB, axisB, perpAxisB);
    this.axes = axesOf(constraint);
    this.collisions = !!constraint.options.collision;
    parent.joints.add(this);
    child.joints.add(this);
    this.rebuild();
  }

  /** Makes the joints anew. Bodies that are not dynamic need none: it waits until one is. */
  rebuild(): void {
    this.drop();
    const { parent, child } = this;
    if (!parent.isDynamic && !child.isDynamic) {
      idle.add(this);
      return;
    }
    const common = {
      bodyA: parent.rigid,
      bodyB: child.rigid,
      frameA: this.frameA,
      frameB: this.frameB,
      collideConnected: this.collisions,
      enabled: this.isEnabled,
    };
    const distance = this.axes[LINEAR_DISTANCE]!;
    if (distance.mode === LIMITED)
      this.distance = this.world.createJoint({
        ...common,
        type: 'distance',
        frameA: { position: this.frameA.position },
        frameB: { position: this.frameB.position },
        distance: this.optionsOf(LINEAR_DISTANCE),
      });
    const bound = NAMES.some((_, axis) => this.isBound(axis));
    if (!bound && this.distance !== null) return;
    this.generic = this.world.createJoint({
      ...common,
      type: 'generic',
      ...Object.fromEntries(NAMES.map((name, axis) => [name, this.optionsOf(axis)])),
    });
  }

  private modeOf(axis: number): PhysicsConstraintAxisLimitMode {
    // A distance that is locked is 0: then the pivots are one place.
    if (axis <= LINEAR_Z && this.axes[LINEAR_DISTANCE]!.mode === LOCKED) return LOCKED;
    return this.axes[axis]!.mode;
  }

  private isBound(axis: number): boolean {
    const { friction, motor } = this.axes[axis]!;
    return this.modeOf(axis) !== FREE || friction > 0 || motor !== PhysicsConstraintMotorType.NONE;
  }

  /** kg or kg·m²; what a soft limit of the axis pushes against. */
  private massOn(axis: number): number {
    const inverse = [this.parent, this.child].reduce((sum, { rigid, isDynamic }) => {
      if (!isDynamic) return sum;
      const [x, y, z] = rigid.getLocalInertia();
      return sum + 1 / (axis >= ANGULAR_X && axis <= ANGULAR_Z ? (x + y + z) / 3 || 1 : rigid.mass || 1);
    }, 0);
    return 1 / inverse;
  }

  private optionsOf(axis: number): JointAxisOptions {
    const state = this.axes[axis]!;
    const mode = this.modeOf(axis);
    const options: JointAxisOptions = {};
    const isAngle = axis >= ANGULAR_X && axis <= ANGULAR_Z;
    const most = isAngle ? Math.PI : FAR;
    const low = Math.max(state.min, axis === LINEAR_DISTANCE ? 0 : -most);
    const high = Math.max(Math.min(state.max, most), low);
    const isSpring = mode === LIMITED && state.stiffness > 0 && low === high;
    if (isSpring) options.spring = { stiffness: state.stiffness, damping: state.damping, target: low };
    else if (mode === LOCKED) Object.assign(options, { low: 0, high: 0 });
    else if (mode === LIMITED && (low > -most || high < most)) {
      Object.assign(options, { low, high });
      if (state.stiffness > 0) options.stop = this.softness(axis);
    }
    const { motor, target } = state;
    const maxForce = Math.min(state.maxForce, MOST_FORCE);
    if (motor === PhysicsConstraintMotorType.VELOCITY) options.motor = { velocity: target, maxForce };
    else if (motor === PhysicsConstraintMotorType.POSITION)
      options.servo = { target, maxVelocity: MOTOR_SPEED, maxForce };
    else if (state.friction > 0)
      options.motor = { velocity: 0, maxForce: Math.min(state.friction, MOST_FORCE) };
    if (axis === LINEAR_DISTANCE && options.low === undefined && options.spring === undefined)
      Object.assign(options, { low: 0, high: FAR });
    return options;
  }

  /** A limit that yields like a spring with a damper, in the terms of the engine, at the plugin's time step. */
  private softness(axis: number): { erp: number; cfm: number } {
    const { stiffness, damping } = this.axes[axis]!;
    const h = this.timeStep();
    const erp = (h * stiffness) / (h * stiffness + damping);
    return { erp, cfm: (erp * this.massOn(axis)) / (stiffness * h * h) };
  }

  /** After something of an axis changed. */
  update(axis: PhysicsConstraintAxis): void {
    const name = (NAMES as readonly JointAxisName[])[axis];
    if (name === undefined || this.generic === null || this.generic.isRemoved) this.rebuild();
    else this.generic.setAxis(name, this.optionsOf(axis));
  }

  setEnabled(on: boolean): void {
    this.isEnabled = on;
    for (const joint of this.live()) joint.setEnabled(on);
  }

  setCollisions(on: boolean): void {
    this.collisions = on;
    for (const joint of this.live()) joint.setCollideConnected(on);
  }

  private live(): Joint[] {
    return [this.generic, this.distance].filter((joint) => joint !== null && !joint.isRemoved) as Joint[];
  }

  private drop(): void {
    for (const joint of this.live()) joint.remove();
    this.generic = this.distance = null;
  }

  /** One of its bodies leaves the world, or the constraint does. */
  lose(): void {
    idle.delete(this);
    this.drop();
    this.parent.joints.delete(this);
    this.child.joints.delete(this);
    const list = this.constraint._pluginData as ConstraintJoint[] | undefined;
    const place = list?.indexOf(this) ?? -1;
    if (place >= 0) list!.splice(place, 1);
  }
}
