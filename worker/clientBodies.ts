// The part of the client that needs no answer from the worker: bodies, joints, gravity, settings. In: calls. Out:
// handles and ids at once, commands through the replica, matrices of the poses for drawing.

import { PhysicsError } from '../src/base/errors';
import { type BodyId, type JointId, MAX_SLOT } from '../src/base/ids';
import { fillVec3 } from '../src/base/out';
import { checkInteger, invalid } from '../src/base/validate';
import type { BodyPlaces } from '../src/replica/bulk';
import { checkHandle, Handles } from '../src/replica/handles';
import type { Replica } from '../src/replica/replica';
import type {
  BodyOptions,
  ExplosionOptions,
  JointOptions,
  Vec3Like,
  Vec3Out,
  WorldSettings,
} from '../src/types';
import { PhysicsBody } from './body';
import type { Physics } from './client';
import { PhysicsJoint } from './joint';
import type { Link } from './link';
import { PoseStore } from './poses';

export abstract class ClientBodies {
  /** @internal What both sides know. */
  abstract readonly replica: Replica;
  /** @internal */
  readonly poses = new PoseStore();
  protected abstract readonly link: Link;
  protected readonly views = new Handles<PhysicsBody>(
    (id) => new PhysicsBody(this.physics, id),
    (id) => this.replica.bodies.isLive(id),
  );
  protected readonly jointViews = new Handles<PhysicsJoint>(
    (id) => new PhysicsJoint(this.physics, id),
    (id) => this.replica.joints.isLive(id),
  );

  /** The complete object, to which handles refer. */
  private get physics(): Physics {
    return this as unknown as Physics;
  }

  // --- bodies ---

  /** @internal The replica to write to; throws when the world is gone. */
  get writable(): Replica {
    if (this.link.failure !== null) throw this.link.failure;
    return this.replica;
  }

  /**
   * Creates a body with its shapes, all or nothing. The body and its id are available at once; the worker receives the
   * command with the next update.
   *
   * @throws PhysicsError 'invalid-argument', 'unknown-option', 'limit-exceeded'
   */
  createBody(options: BodyOptions): PhysicsBody {
    return this.views.create(this.writable.createBody(options));
  }

  /**
   * Creates many bodies, all or none: from a list of options, or from one set of options with the poses of all bodies in
   * arrays, which is fastest. The latter returns ids; `getBody` returns the body of an id.
   *
   * @throws PhysicsError as createBody; then no body is created
   */
  createBodies(list: readonly BodyOptions[]): PhysicsBody[];
  createBodies(template: BodyOptions, places: BodyPlaces): Int32Array;
  createBodies(given: readonly BodyOptions[] | BodyOptions, places?: BodyPlaces): PhysicsBody[] | Int32Array {
    const { writable } = this;
    if (places === undefined)
      return Array.from(writable.createBodies(given as readonly BodyOptions[]), (id) =>
        this.views.create(id),
      );
    const ids = writable.createBodiesAt(given as BodyOptions, places);
    for (let i = 0; i < ids.length; i++) this.views.renew(ids[i] as BodyId);
    return ids;
  }

  /** Removes a body and its shapes. */
  removeBody(body: PhysicsBody | BodyId): void {
    const { writable } = this;
    writable.removeBody(this.idOf(body));
  }

  /**
   * Connects two bodies, or one body and the world, with a joint: see World.createJoint. Call `watch` on it to read its
   * forces. The event of a joint that breaks ('jointBroken') needs no `watch`.
   */
  createJoint(options: JointOptions<PhysicsBody | BodyId>): PhysicsJoint {
    const { writable } = this;
    const bodyA = options?.bodyA === undefined ? 0 : this.idOf(options.bodyA, 'bodyA');
    const bodyB = options?.bodyB === undefined ? 0 : this.idOf(options.bodyB, 'bodyB');
    return this.jointViews.create(writable.createJoint(options, bodyA, bodyB));
  }

  /** Removes a joint; its bodies wake up and may collide again. */
  removeJoint(joint: PhysicsJoint | JointId): void {
    const { writable } = this;
    if (joint instanceof PhysicsJoint && joint.physics !== this.physics)
      throw new PhysicsError('foreign-id', 'belongs to another world', 'joint', joint.id);
    if (joint instanceof PhysicsJoint) checkHandle(joint, 'joint');
    writable.removeJoint(joint instanceof PhysicsJoint ? joint.id : joint);
  }

  /** The joint with this id, or undefined if it was removed or never existed. */
  getJoint(id: JointId): PhysicsJoint | undefined {
    return this.replica.joints.isLive(id) ? this.jointViews.of(id) : undefined;
  }

  /** Joints in the order of their slots. */
  *joints(): Generator<PhysicsJoint> {
    for (let slot = 1; slot < this.replica.joints.slotEnd; slot++) {
      const id = this.replica.joints.idAt(slot);
      if (id !== 0) yield this.jointViews.of(id);
    }
  }

  /** Number of joints, including broken ones. */
  get jointCount(): number {
    return this.replica.joints.count;
  }

  /** The body with this id, or undefined if it was removed or never existed. */
  getBody(id: BodyId): PhysicsBody | undefined {
    return this.replica.bodies.isLive(id) ? this.resolve(id) : undefined;
  }

  /** Bodies in the order of their slots. */
  *bodies(): Generator<PhysicsBody> {
    for (let slot = 1; slot < this.replica.bodies.slotEnd; slot++) {
      const id = this.replica.bodies.idAt(slot);
      if (id !== 0) yield this.resolve(id);
    }
  }

  /** Number of bodies of all types. */
  get bodyCount(): number {
    return this.replica.bodies.count;
  }

  /** Number of shapes of all bodies. */
  get shapeCount(): number {
    return this.replica.shapes.count;
  }

  /** The unique handle of an id; also for a removed body, to which events may refer. */
  protected resolve(id: BodyId): PhysicsBody {
    return this.views.of(id);
  }

  /** @internal The id of a live body of this world, given by handle or id. */
  idOf(body: PhysicsBody | BodyId, argument = 'body'): BodyId {
    if (body instanceof PhysicsBody) {
      if (body.physics !== this.physics)
        throw new PhysicsError('foreign-id', 'belongs to another world', argument, body.id);
      checkHandle(body, 'body', argument);
      this.replica.bodies.check(body.id, argument);
      return body.id;
    }
    this.replica.bodies.check(body, argument);
    return body;
  }

  /**
   * Writes column-major 4 × 4 matrices of bodies, interpolated for drawing, to `out`, 16 numbers each: for an instanced mesh,
   * in one call.
   *
   * @param ids  ids of bodies, not checked; for an id of 0 nothing is written
   * @param scales  three factors per body, or null for 1
   * @throws PhysicsError 'invalid-argument' for values that are not arrays, or arrays that are too short
   */
  writeMatrices(ids: ArrayLike<number>, out: Float32Array, scales: ArrayLike<number> | null = null): void {
    const count = checkInteger(ids?.length, 'ids.length', 0, MAX_SLOT);
    if (!(out instanceof Float32Array && out.length >= 16 * count))
      throw invalid('out', 'must be a Float32Array of 16 numbers per body', out);
    if (scales !== null && !(scales?.length >= 3 * count))
      throw invalid('scales', 'must hold three factors per body', scales);
    this.poses.writeMatrices(ids, count, scales, out);
  }

  // --- settings ---

  /** m/s². */
  getGravity<T extends Vec3Out = [number, number, number]>(out?: T): T {
    const [x, y, z] = this.replica.gravity;
    return fillVec3(out ?? ([0, 0, 0] as unknown as T), x, y, z);
  }

  /** m/s². Wakes all bodies. */
  setGravity(gravity: Vec3Like): void {
    this.writable.setGravity(gravity);
  }

  /** Pushes dynamic bodies away from a point: see PhysicsWorld. m, m, N·s. */
  explode(at: Vec3Like, radius: number, impulse: number, options?: ExplosionOptions): void {
    this.writable.explode(at, radius, impulse, options);
  }

  /** A copy of the settings. */
  get settings(): WorldSettings {
    return { ...this.replica.settings };
  }

  /** Changes some settings and wakes all bodies. */
  updateSettings(changes: Partial<WorldSettings>): void {
    this.writable.updateSettings(changes);
  }
}
