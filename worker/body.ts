// The page's handle of a body in a worker: BodyHandle, with poses from the frames. In: calls. Out: commands of the
// client's replica. Reading sends no message and allocates nothing.

import type { BodyId } from '../src/base/ids';
import { BODY_DYNAMIC, BODY_STATIC, DISABLE_SIMULATION } from '../src/core/memory/constants';
import type { Contact } from '../src/events/events';
import { BodyHandle } from '../src/replica/bodyHandle';
import { checkHandle } from '../src/replica/handles';
import type { WorldBody } from '../src/replica/physicsWorld';
import type { Replica } from '../src/replica/replica';
import type { QuatOut, Vec3Out } from '../src/types';
import type { Physics } from './client';
import type { PoseStore } from './poses';

/** A body of a world in a worker. Getters return the values that arrived last. */
export class PhysicsBody extends BodyHandle implements WorldBody {
  /** The world that it is in. */
  readonly physics: Physics;

  /** @internal Made by Physics.createBody. */
  constructor(physics: Physics, id: BodyId) {
    super(id);
    this.physics = physics;
  }

  protected get replica(): Replica {
    if (this.isDead) checkHandle(this, 'body');
    return this.physics.writable;
  }

  override get isRemoved(): boolean {
    return this.isDead || !this.physics.replica.bodies.isLive(this.id);
  }

  private slot(): number {
    if (this.isDead) checkHandle(this, 'body');
    return this.physics.replica.bodies.check(this.id, 'body');
  }

  /** Position of the body's origin for drawing, m: interpolated between the last two frames. */
  override getPosition(): [number, number, number];
  override getPosition<T extends Vec3Out>(out: T): T;
  override getPosition<T extends Vec3Out>(out?: T): T {
    return this.physics.poses.readPosition(this.slot(), out ?? ([0, 0, 0] as unknown as T));
  }

  /** Rotation from body to world for drawing, a unit quaternion x, y, z, w. */
  override getRotation(): [number, number, number, number];
  override getRotation<T extends QuatOut>(out: T): T;
  override getRotation<T extends QuatOut>(out?: T): T {
    return this.physics.poses.readRotation(this.slot(), out ?? ([0, 0, 0, 1] as unknown as T));
  }

  /** False while the body sleeps, and for static bodies; as of the last frame. */
  isAwake(): boolean {
    const slot = this.slot();
    const { poses, replica } = this.physics;
    return replica.body(this.id).type !== BODY_STATIC && poses.isAwake(slot);
  }

  /** Asleep: at rest for long enough that it is not simulated; as of the last frame. */
  isSleeping(): boolean {
    const { type, knobs } = this.physics.replica.body(this.id);
    return type === BODY_DYNAMIC && knobs.pinned !== DISABLE_SIMULATION && !this.isAwake();
  }

  /** The contacts that this body has now. */
  getContacts(): Promise<Contact<PhysicsBody>[]> {
    return this.physics.getContacts(this);
  }

  /**
   * Of the centre of mass, m/s, as of the last frame, or as it was set since.
   *
   * @throws PhysicsError 'not-sent' if the world was created with `velocities: false`
   */
  override getLinearVelocity(): [number, number, number];
  override getLinearVelocity<T extends Vec3Out>(out: T): T;
  override getLinearVelocity<T extends Vec3Out>(out?: T): T {
    return this.velocities().readVelocity(this.slot(), 0, out ?? ([0, 0, 0] as unknown as T));
  }

  /** rad/s about the world's axes; as getLinearVelocity. */
  override getAngularVelocity(): [number, number, number];
  override getAngularVelocity<T extends Vec3Out>(out: T): T;
  override getAngularVelocity<T extends Vec3Out>(out?: T): T {
    return this.velocities().readVelocity(this.slot(), 3, out ?? ([0, 0, 0] as unknown as T));
  }

  private velocities(): PoseStore {
    this.physics.checkVelocities();
    return this.physics.poses;
  }

  /** The bodies that touch this one now, in the order of their ids; see RigidBody.getOverlappingBodies. */
  async getOverlappingBodies(): Promise<PhysicsBody[]> {
    const contacts = await this.physics.getContacts(this);
    const bodies = contacts.map(({ bodyA, bodyB }) => (bodyA === this ? bodyB : bodyA));
    return [...new Set(bodies)].sort((a, b) => a.id - b.id);
  }

  override remove(): void {
    this.physics.removeBody(this);
  }
}
