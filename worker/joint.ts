// The page's handle of a joint in a worker: JointHandle, and for a watched joint its impulses and positions from the
// frames. In: calls. Out: commands; numbers, without a message or an allocation.
import type { JointId } from '../src/base/ids';
import { fillVec3 } from '../src/base/out';
import { JOINT_IS_BROKEN, LIMIT_STATES, type LimitState } from '../src/lines/jointPlaces';
import { checkHandle } from '../src/replica/handles';
import { JointHandle } from '../src/replica/jointHandle';
import type { WorldJoint } from '../src/replica/physicsWorld';
import type { Replica } from '../src/replica/replica';
import type { JointAxisName, Vec3Out } from '../src/types';
import type { PhysicsBody } from './body';
import type { Physics } from './client';

/** A joint of a world in a worker. */
export class PhysicsJoint extends JointHandle implements WorldJoint {
  /** The world that it is in. */
  readonly physics: Physics;

  /** @internal Made by Physics.createJoint. */
  constructor(physics: Physics, id: JointId) {
    super(id);
    this.physics = physics;
  }

  protected get replica(): Replica {
    if (this.isDead) checkHandle(this, 'joint');
    return this.physics.writable;
  }

  override get isRemoved(): boolean {
    return this.isDead || !this.physics.replica.joints.isLive(this.id);
  }

  get bodyA(): PhysicsBody | null {
    return this.bodyIdA === 0 ? null : (this.physics.getBody(this.bodyIdA) as PhysicsBody);
  }

  /** null: the world. */
  get bodyB(): PhysicsBody | null {
    return this.bodyIdB === 0 ? null : (this.physics.getBody(this.bodyIdB) as PhysicsBody);
  }

  /**
   * From the next frame on, frames contain the readings below (80 bytes per joint); `false` ends this. Until the first such
   * frame arrives, they are 0, 'inside' and false.
   */
  watch(on = true): void {
    this.replica.joints.check(this.id, 'joint');
    this.physics.watchJoint(this.id, on);
  }

  /** N·s on B over the last step of the newest frame; divide by the step for the force. Needs `watch`. */
  getAppliedImpulse(): [number, number, number];
  getAppliedImpulse<T extends Vec3Out>(out: T): T;
  getAppliedImpulse<T extends Vec3Out>(out?: T): T {
    return this.vector(2, out ?? ([0, 0, 0] as unknown as T));
  }

  /** N·m·s on B; as getAppliedImpulse. */
  getAppliedAngularImpulse(): [number, number, number];
  getAppliedAngularImpulse<T extends Vec3Out>(out: T): T;
  getAppliedAngularImpulse<T extends Vec3Out>(out?: T): T {
    return this.vector(5, out ?? ([0, 0, 0] as unknown as T));
  }

  /** m or rad: position of B along an axis, as Joint.getPosition; of the newest frame, not interpolated. Needs `watch`. */
  getPosition(name: JointAxisName): number {
    return this.number(8 + 2 * this.axisOf(name));
  }

  /** N·s or N·m·s that motor, spring and limits of one axis applied over the last step. Needs `watch`. */
  getAxisImpulse(name: JointAxisName): number {
    return this.number(9 + 2 * this.axisOf(name));
  }

  /** Whether a limit of the axis pushed in the last step. Needs `watch`. */
  getLimitState(name: JointAxisName): LimitState {
    return LIMIT_STATES[(this.flags >> (2 * this.axisOf(name))) & 3] as LimitState;
  }

  /** Whether it broke and was not repaired. Needs `watch`. */
  get isBroken(): boolean {
    return (this.flags & JOINT_IS_BROKEN) !== 0;
  }

  private get flags(): number {
    const at = this.reading();
    return at === 0 ? 0 : (this.physics.poses.readings.words[at + 1] as number);
  }

  private reading(): number {
    if (this.isDead) checkHandle(this, 'joint');
    const { replica, poses } = this.physics;
    replica.joints.check(this.id, 'joint');
    return poses.readingOf(this.id);
  }

  private axisOf(name: JointAxisName): number {
    return this.physics.replica.axisOf(this.id, name);
  }

  private number(offset: number): number {
    const at = this.reading();
    return at === 0 ? 0 : (this.physics.poses.readings.floats[at + offset] as number);
  }

  private vector<T extends Vec3Out>(offset: number, out: T): T {
    const at = this.reading();
    if (at === 0) return fillVec3(out, 0, 0, 0);
    const { floats } = this.physics.poses.readings;
    return fillVec3(out, floats[at + offset]!, floats[at + offset + 1]!, floats[at + offset + 2]!);
  }
}
