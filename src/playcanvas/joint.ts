// A joint of ricochet behind PlayCanvas's PhysicsJoint. In: its description, with frames whose x is the main axis, and
// the settings of its joint component. Out: a joint with the same axes. PlayCanvas counts distances as those of B from A,
// angles as those of A against B; ricochet counts both as those of B.
import { type Mat4, Quat, type Vec2, Vec3 } from 'playcanvas';
import type { Joint, JointAxisName, JointAxisOptions, JointOptions, RigidBody } from 'ricochet';
import type { Host, RicochetBody } from './body';
import { named, nameOf, warn } from './warnings';

type Motion = 'free' | 'limited' | 'locked' | (string & {});

/** What PlayCanvas's joint component has of settings: see its PhysicsJointSettings. Angles in degrees. */
export interface JointSettings {
  /** N·s. */
  breakImpulse: number;
  /** Of ball, hinge and slider. */
  enableLimits: boolean;
  /** Of hinge and slider. */
  limits: Vec2;
  /** Per second. */
  motorSpeed: number;
  /** N or N·m. */
  maxMotorForce: number;
  /** Half angle towards y. */
  swingLimitY: number;
  /** Half angle towards z. */
  swingLimitZ: number;
  /** Half angle about x. */
  twistLimit: number;
  /** Of the six axes. */
  linearMotionX: Motion;
  linearMotionY: Motion;
  linearMotionZ: Motion;
  angularMotionX: Motion;
  angularMotionY: Motion;
  angularMotionZ: Motion;
  /** m. */
  linearLimitsX: Vec2;
  linearLimitsY: Vec2;
  linearLimitsZ: Vec2;
  angularLimitsX: Vec2;
  angularLimitsY: Vec2;
  angularLimitsZ: Vec2;
  /** Of springs, per axis. */
  linearStiffness: Vec3;
  linearDamping: Vec3;
  linearEquilibrium: Vec3;
  angularStiffness: Vec3;
  angularDamping: Vec3;
  angularEquilibrium: Vec3;
}

/** A joint as PlayCanvas describes it: see its PhysicsJointDesc. */
export interface JointDescription {
  /** 'fixed', 'ball', 'hinge', 'slider' or '6dof'. */
  type: string;
  /** The first body. */
  bodyA: RicochetBody;
  /** The second; null: the world. */
  bodyB: RicochetBody | null;
  /** In the frame of A. */
  frameA: Mat4;
  /** In the frame of B, or in the world. */
  frameB: Mat4;
  /** Whether the two may touch. */
  enableCollision: boolean;
  /** All parameters. */
  settings: JointSettings;
}

/** An axis of a joint: the main one of hinge ('angle') and slider ('position'); of '6dof' one of six. */
export type JointAxis = 'angle' | 'position' | 'twist' | 'x' | 'y' | 'z' | 'angleX' | 'angleY' | 'angleZ';

const RAD = Math.PI / 180;
/** m. A limit beyond it is none. */
const FAR = 1e6;
/** N, N·m, N·s. The engine's most. */
const MOST = 1e15;
const FREE: JointAxisOptions = {};
const XYZ = ['X', 'Y', 'Z'] as const;

const point = new Vec3();
const turn = new Quat();

function frameOf(matrix: Mat4) {
  matrix.getTranslation(point);
  turn.setFromMat4(matrix);
  return {
    position: [point.x, point.y, point.z] as [number, number, number],
    rotation: [turn.x, turn.y, turn.z, turn.w] as [number, number, number, number],
  };
}

/** Limits; a lower one above the upper one leaves the axis free, as in Bullet. */
function between(low: number, high: number, most: number): JointAxisOptions {
  if (!(low <= high) || (low <= -most && high >= most)) return FREE;
  return { low: Math.max(low, -most), high: Math.min(high, most) };
}

const turned = ({ low, high, ...rest }: JointAxisOptions): JointAxisOptions =>
  low === undefined ? rest : { ...rest, low: -high!, high: -low };

/** What PlayCanvas holds as a joint: its PhysicsJoint, with the Joint of ricochet as `nativeJoint`. */
export class RicochetJoint {
  /** Of ricochet; null where neither body is dynamic, so that there is nothing to hold. */
  nativeJoint: Joint | null = null;
  private settings: JointSettings;
  private readonly type: string;
  private readonly bodies: readonly RigidBody[];

  /** @internal PlayCanvas makes joints with `createJoint`. */
  constructor(host: Host, description: JointDescription) {
    const { type, bodyA, bodyB, frameA, frameB, enableCollision, settings } = description;
    this.type = type;
    this.settings = settings;
    const who = `${type} joint of ${nameOf(bodyA.entity)} and ${bodyB ? nameOf(bodyB.entity) : 'the world'}`;
    const [a, b] = [bodyA.nativeBody, bodyB?.nativeBody];
    this.bodies = [a, b].filter((body) => body?.type === 'dynamic') as RigidBody[];
    if (this.bodies.length === 0) {
      warn(`${who}: neither body is dynamic, so that it holds nothing`);
      return;
    }
    // A hinge's angle and a ball's twist are those of A against B.
    const swap = type === 'hinge';
    const [first, second] = [
      { body: a, frame: frameOf(frameA) },
      { body: b, frame: frameOf(frameB) },
    ];
    try {
      this.nativeJoint = host.world.createJoint({
        ...this.axesOf(),
        bodyA: (swap ? second : first).body,
        bodyB: (swap ? first : second).body,
        frameA: (swap ? second : first).frame,
        frameB: (swap ? first : second).frame,
        collideConnected: enableCollision,
      } as JointOptions<RigidBody>);
    } catch (error) {
      throw named(error, who);
    }
    this.setBreakImpulse(settings.breakImpulse);
    this.wake();
  }

  // --- axes ---

  private axesOf() {
    switch (this.type) {
      case 'fixed':
        return { type: 'fixed' };
      case 'ball': {
        const { twist, swingY, swingZ } = this.ball();
        return { type: 'coneTwist', twist, swingY, swingZ };
      }
      case 'hinge':
        return { type: 'hinge', angle: this.main(RAD, Math.PI) };
      case 'slider':
        return { type: 'slider', position: this.main(1, FAR) };
      case '6dof':
        // As angles of A against B count in the order x, y, z, those of B against A do in the order z, y, x.
        return { type: 'generic', order: 'zyx', ...this.six() };
      default:
        throw new Error(
          `ricochet/playcanvas: there is no joint of type "${this.type}": fixed, ball, hinge, slider, 6dof`,
        );
    }
  }

  private ball() {
    const { enableLimits, swingLimitY, swingLimitZ, twistLimit } = this.settings;
    const cone = (degrees: number) =>
      enableLimits ? Math.min(Math.PI, Math.max(1e-3, Math.abs(degrees) * RAD)) : Math.PI;
    const twist = Math.abs(twistLimit) * RAD;
    return {
      twist: enableLimits ? between(-twist, twist, Math.PI) : FREE,
      // A swing towards y is a turn about z.
      swingZ: cone(swingLimitY),
      swingY: cone(swingLimitZ),
    };
  }

  private main(unit: number, most: number): JointAxisOptions {
    const { enableLimits, limits, motorSpeed, maxMotorForce } = this.settings;
    return {
      ...(enableLimits ? between(limits.x * unit, limits.y * unit, most) : FREE),
      ...(maxMotorForce > 0 && {
        motor: { velocity: motorSpeed * unit, maxForce: Math.min(maxMotorForce, MOST) },
      }),
    };
  }

  private six(): Record<string, JointAxisOptions> {
    const { settings } = this;
    const axes: Record<string, JointAxisOptions> = {};
    for (const axis of XYZ) {
      const k = axis.toLowerCase() as 'x' | 'y' | 'z';
      const range = (motion: Motion, limits: Vec2, unit: number, most: number): JointAxisOptions => {
        if (motion === 'free') return FREE;
        if (motion === 'limited') return between(limits.x * unit, limits.y * unit, most);
        return { low: 0, high: 0 };
      };
      const linear = range(settings[`linearMotion${axis}`], settings[`linearLimits${axis}`], 1, FAR);
      const angular = range(settings[`angularMotion${axis}`], settings[`angularLimits${axis}`], RAD, Math.PI);
      const { linearStiffness, linearDamping, linearEquilibrium } = settings;
      const { angularStiffness, angularDamping, angularEquilibrium } = settings;
      axes[k] = {
        ...linear,
        ...this.spring(linearStiffness[k], linearDamping[k], linearEquilibrium[k], false),
      };
      axes[`angle${axis}`] = {
        ...turned(angular),
        ...this.spring(angularStiffness[k], angularDamping[k], -angularEquilibrium[k] * RAD, true),
      };
    }
    return axes;
  }

  /**
   * Of PlayCanvas's damping, as of Bullet's, 1 is none and 0 is most: here, critical damping of the lighter body.
   */
  private spring(stiffness: number, damping: number, target: number, isAngle: boolean): JointAxisOptions {
    if (!(stiffness > 0)) return FREE;
    const mass = Math.min(
      ...this.bodies.map((body) => (isAngle ? Math.max(...body.getLocalInertia()) || 1 : body.mass)),
    );
    const share = 1 - Math.min(1, Math.max(0, damping));
    return { spring: { stiffness, damping: share * 2 * Math.sqrt(stiffness * mass), target } };
  }

  private setAxes(axes: Record<string, JointAxisOptions>): void {
    const { nativeJoint: joint } = this;
    if (joint === null || joint.isRemoved) return;
    for (const [name, options] of Object.entries(axes)) joint.setAxis(name as JointAxisName, options);
  }

  private update(settings: JointSettings, types: readonly string[]): boolean {
    this.settings = settings;
    if (!types.includes(this.type)) return false;
    if (this.type === 'hinge') this.setAxes({ angle: this.main(RAD, Math.PI) });
    else if (this.type === 'slider') this.setAxes({ position: this.main(1, FAR) });
    else if (this.type === '6dof') this.setAxes(this.six());
    else {
      const { twist, swingY, swingZ } = this.ball();
      this.setAxes({ twist });
      if (this.nativeJoint?.isRemoved === false) {
        this.nativeJoint.setSwing('swingY', swingY);
        this.nativeJoint.setSwing('swingZ', swingZ);
      }
    }
    this.wake();
    return true;
  }

  /** Whether the type has limits: then they are as the settings say now. */
  updateLimits(settings: JointSettings): boolean {
    return this.update(settings, ['ball', 'hinge', 'slider', '6dof']);
  }

  /** Whether the type has a motor: then it is as the settings say now. */
  updateMotor(settings: JointSettings): boolean {
    return this.update(settings, ['hinge', 'slider']);
  }

  /** Whether the type has springs: then they are as the settings say now. */
  updateSpring(settings: JointSettings): boolean {
    return this.update(settings, ['6dof']);
  }

  // --- breaking ---

  /** N·s in a step, and N·m·s; Infinity: never. */
  setBreakImpulse(impulse: number): void {
    const { nativeJoint: joint } = this;
    if (joint === null || joint.isRemoved) return;
    // The engine's 0 is never.
    const limit = Number.isFinite(impulse) ? Math.min(Math.max(impulse, 1e-9), MOST) : 0;
    joint.setBreaking(limit, limit);
  }

  /** Whether it broke in a step. */
  isBroken(): boolean {
    const { nativeJoint: joint } = this;
    return joint !== null && !joint.isRemoved && joint.isBroken;
  }

  // --- readings ---

  /**
   * Where an axis stands, as PlayCanvas counts it: m of B from A, degrees of A against B. Hinges have 'angle', sliders
   * 'position', balls 'twist', six degrees of freedom all six.
   *
   * @throws PhysicsError 'invalid-argument' for an axis that the joint does not have
   */
  getPosition(axis: JointAxis): number {
    const value = this.nativeJoint?.getPosition(axis) ?? 0;
    if (axis === 'angle') return value / RAD;
    return axis.startsWith('angle') || axis === 'twist' ? -value / RAD : value;
  }

  /** N·s at the anchor in the last step, as a length. */
  getAppliedImpulse(): number {
    const [x, y, z] = this.nativeJoint?.getAppliedImpulse() ?? [0, 0, 0];
    return Math.sqrt(x * x + y * y + z * z);
  }

  /** @internal */
  destroy(): void {
    if (this.nativeJoint !== null && !this.nativeJoint.isRemoved) this.nativeJoint.remove();
    this.nativeJoint = null;
  }

  private wake(): void {
    for (const body of this.bodies) if (!body.isRemoved) body.activate();
  }
}
