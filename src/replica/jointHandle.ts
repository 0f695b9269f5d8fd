// The public handle of a joint: all calls that change it. In: calls. Out: commands of the replica. Joint adds readings
// from the engine (forces, positions). Calls on a removed joint throw a PhysicsError.
import type { BodyId, JointId } from '../base/ids';
import { JOINT_TYPES } from '../options/jointTypes';
import type { JointAxisName, JointAxisOptions, JointFrame, JointType, Vec3Like } from '../types';
import type { Replica } from './replica';

/** A joint of a world: its settings, and all calls that change it. */
export abstract class JointHandle {
  /** Slot and generation; never 0. Stays the same over snapshots, and on every replica. */
  readonly id: JointId;
  /** For your own data; the engine does not use it, and snapshots do not contain it. */
  userData: unknown = undefined;
  /** @internal See Handles. */
  isDead = false;

  /** @internal Worlds make them. */
  constructor(id: JointId) {
    this.id = id;
  }

  /** The registry with the joint's record; throws if the world was disposed. */
  protected abstract get replica(): Replica;

  /** The same for writing; also throws while nothing may be changed, during a step. */
  protected get writable(): Replica {
    return this.replica;
  }

  /** True after the joint was removed, also if it was removed together with a body. */
  get isRemoved(): boolean {
    return this.isDead || !this.replica.joints.isLive(this.id);
  }

  /** Name of its type. */
  get type(): JointType {
    return JOINT_TYPES[this.replica.joint(this.id).type]!;
  }

  /** The user's number, given when it was made. */
  get userIndex(): number {
    return this.replica.joint(this.id).userIndex;
  }

  /** 0: the world. */
  get bodyIdA(): BodyId {
    return this.replica.joint(this.id).bodyA;
  }

  /** 0: the world. */
  get bodyIdB(): BodyId {
    return this.replica.joint(this.id).bodyB;
  }

  /** Whether the two bodies may touch. */
  get collideConnected(): boolean {
    return this.replica.joint(this.id).collide;
  }

  /** Replaces all options of one axis: limits, motor or servo, spring; options that are absent are off. */
  setAxis(name: JointAxisName, options: JointAxisOptions): void {
    this.writable.setJointAxis(this.id, name, options);
  }

  /** m or rad; low > high: free; low = high: locked. The motor and spring of the axis stay. */
  setLimits(name: JointAxisName, low: number, high: number): void {
    this.writable.changeJointAxis(this.id, name, { low, high });
  }

  /** A motor for the axis, or none; its limits and spring stay. */
  setMotor(name: JointAxisName, motor: JointAxisOptions['motor']): void {
    this.writable.changeJointAxis(this.id, name, { motor });
  }

  /** A servo for the axis instead of a motor, or none. */
  setServo(name: JointAxisName, servo: JointAxisOptions['servo']): void {
    this.writable.changeJointAxis(this.id, name, { servo });
  }

  /**
   * Where the servos about x, y and z of its frames drive to, rad: angleX, angleY, angleZ of a generic joint, angle of a
   * hinge. In one command, which is a third of what setServo needs for one axis: for poses that change in every frame.
   */
  setServoTargets(targets: Vec3Like): void {
    this.writable.setServoTargets(this.id, targets);
  }

  /** Sets the spring of an axis; undefined removes it. */
  setSpring(name: JointAxisName, spring: JointAxisOptions['spring']): void {
    this.writable.changeJointAxis(this.id, name, { spring });
  }

  /** Softness and restitution of the axis's limits; see JointAxisOptions. Absent: stiff. */
  setStop(name: JointAxisName, stop: JointAxisOptions['stop']): void {
    this.writable.changeJointAxis(this.id, name, { stop });
  }

  /** Gear ratio: turns of A per turn of B, in opposite directions if above 0; not 0. */
  setRatio(ratio: number): void {
    this.writable.setJointRatio(this.id, ratio);
  }

  /** Half the angle of a cone-twist's cone about y or z, rad. */
  setSwing(name: 'swingY' | 'swingZ', halfAngle: number): void {
    this.writable.setJointSwing(this.id, name, halfAngle);
  }

  /** New anchors in the bodies' own frames. */
  setFrames(frameA: JointFrame, frameB: JointFrame): void {
    this.writable.setJointFrames(this.id, frameA, frameB);
  }

  /** Mouse joint: the point of the world to which the anchor is pulled. */
  setTarget(target: Vec3Like): void {
    this.writable.setJointTarget(this.id, target);
  }

  /** Disables or enables the joint; enabling repairs a broken one. */
  setEnabled(enabled: boolean): void {
    this.writable.setJointEnabled(this.id, enabled);
  }

  /** Whether the two bodies may touch. */
  setCollideConnected(collide: boolean): void {
    this.writable.setJointCollide(this.id, collide);
  }

  /** N·s and N·m·s over one step; 0 for never. */
  setBreaking(impulse: number, angularImpulse = 0): void {
    this.writable.setJointBreaking(this.id, impulse, angularImpulse);
  }

  /** Softness of the locked directions: Hz (0: stiff), damping ratio, maximum force N and torque N·m (0: unlimited). */
  setSoftness(hertz: number, dampingRatio = 1, maxForce = 0, maxTorque = 0): void {
    this.writable.setJointSoftness(this.id, hertz, dampingRatio, maxForce, maxTorque);
  }

  /** Softness of the locked directions by Bullet's parameters: see JointOptions.erp. */
  setErp(erp: number, cfm = 0): void {
    this.writable.setJointErp(this.id, erp, cfm);
  }

  /** Removes the joint and wakes its bodies. */
  remove(): void {
    this.writable.removeJoint(this.id);
  }
}
