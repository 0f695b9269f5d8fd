// A joint of a `World`: a thin view of the core's record.

import { type JointId, MAX_SLOT } from '../base/ids';
import { copyVec3 } from '../base/out';
import {
  JOINT_IS_BROKEN,
  JOINT_IS_ENABLED,
  jointAnchors,
  jointAt,
  jointFlags,
  jointMainAxis,
  LIMIT_STATES,
  type LimitState,
} from '../lines/jointPlaces';
import { checkHandle } from '../replica/handles';
import { JointHandle } from '../replica/jointHandle';
import type { WorldJoint } from '../replica/physicsWorld';
import type { Replica } from '../replica/replica';
import type { JointAxisName, JointOptions, Vec3Out } from '../types';
import { JointAxis, Joint as JointLayout } from '../wasm/core-layout';
import type { RigidBody } from './body';
import { jointOptions } from './jointOptions';
import type { World } from './world';

const AXES = JointLayout.axes >> 2;
const AXIS_WORDS = JointAxis.SIZE >> 2;

/** A joint of a World in this thread. Getters return values of the last step. */
export class Joint extends JointHandle implements WorldJoint {
  /** The world that it is in. */
  readonly world: World;

  /** @internal Made by World.createJoint. */
  constructor(world: World, id: JointId) {
    super(id);
    this.world = world;
  }

  protected get replica(): Replica {
    if (this.isDead) checkHandle(this, 'joint');
    return this.world.replica;
  }

  protected override get writable(): Replica {
    this.world.checkChangeable();
    return this.replica;
  }

  /** Applies what is pending; returns the slot. */
  private slot(): number {
    this.world.sync();
    return this.replica.joints.check(this.id, 'joint');
  }

  private at(): number {
    const slot = this.slot();
    return jointAt(this.world.instance, slot);
  }

  private axisAt(name: JointAxisName): number {
    const at = this.at();
    return at + AXES + this.replica.axisOf(this.id, name) * AXIS_WORDS;
  }

  /** null: the world. */
  get bodyA(): RigidBody | null {
    return this.bodyIdA === 0 ? null : this.world.resolve(this.bodyIdA);
  }

  /** null: the world. */
  get bodyB(): RigidBody | null {
    return this.bodyIdB === 0 ? null : this.world.resolve(this.bodyIdB);
  }

  /** Switched on and not broken. */
  get isEnabled(): boolean {
    return (jointFlags(this.world.instance, this.at()) & JOINT_IS_ENABLED) !== 0;
  }

  /** True if a load exceeded `breakingImpulse` or `breakingAngularImpulse`. */
  get isBroken(): boolean {
    return (jointFlags(this.world.instance, this.at()) & JOINT_IS_BROKEN) !== 0;
  }

  /** N·s on B over the last step; divide by the step for the force. */
  getAppliedImpulse(): [number, number, number];
  getAppliedImpulse<T extends Vec3Out>(out: T): T;
  getAppliedImpulse<T extends Vec3Out>(out?: T): T {
    const at = this.at() + (JointLayout.linearTotal >> 2);
    return copyVec3(out ?? ([0, 0, 0] as unknown as T), this.world.instance.floats, at);
  }

  /** N·m·s on B over the last step. */
  getAppliedAngularImpulse(): [number, number, number];
  getAppliedAngularImpulse<T extends Vec3Out>(out: T): T;
  getAppliedAngularImpulse<T extends Vec3Out>(out?: T): T {
    const at = this.at() + (JointLayout.angularTotal >> 2);
    return copyVec3(out ?? ([0, 0, 0] as unknown as T), this.world.instance.floats, at);
  }

  /** N·s or N·m·s that motor, spring and limits of one axis applied over the last step. */
  getAxisImpulse(name: JointAxisName): number {
    return this.world.instance.floats[this.axisAt(name) + (JointAxis.total >> 2)]!;
  }

  /**
   * Position of B along an axis after the last step: m, or rad; 'angle' and 'twist' count whole turns.
   */
  getPosition(name: JointAxisName): number {
    return this.world.instance.floats[this.axisAt(name) + (JointAxis.value >> 2)]!;
  }

  /** Whether the axis is at a limit, that is, whether a limit pushed in the last step. */
  getLimitState(name: JointAxisName): LimitState {
    const flags = jointFlags(this.world.instance, this.at());
    return LIMIT_STATES[(flags >> (2 * this.replica.axisOf(this.id, name))) & 3]!;
  }

  /**
   * Its options as they are now, without its bodies: createJoint makes the same joint of them. Frames are in the bodies' own
   * frames; a gear's anchors mean nothing.
   */
  getOptions(): JointOptions {
    const slot = this.slot();
    return jointOptions(this.world.instance, slot, this.type);
  }

  /** World positions of the two anchors, m. */
  getAnchors(): { a: [number, number, number]; b: [number, number, number] } {
    const slot = this.slot();
    return jointAnchors(this.world.instance, slot, this.bodyIdA & MAX_SLOT, this.bodyIdB & MAX_SLOT);
  }

  /** The main axis, x of frame A, in the world. */
  getMainAxis(): [number, number, number] {
    const slot = this.slot();
    return jointMainAxis(this.world.instance, slot, this.bodyIdA & MAX_SLOT);
  }

  /** For code that also runs with a worker, where readings need this call; here they are always available. */
  watch(_on = true): void {}

  /** Removes the joint and wakes its bodies. */
  override remove(): void {
    this.world.removeJoint(this);
  }
}
