// A body of a `World`: a thin view of the core's records. Getters fill `out` (an array, a typed array, or an object
// with `set` or x, y, z, as three.js, Babylon and PlayCanvas have) and allocate nothing when given one.

import { type BodyId, MAX_SLOT, type ShapeId } from '../base/ids';
import { cos, sin } from '../base/math';
import { copyQuat, copyVec3, fillMatrix, fillPose, fillQuat, fillVec3 } from '../base/out';
import { DISABLE_SIMULATION, ISLAND_SLEEPING } from '../core/memory/constants';
import type { Contact } from '../events/events';
import { activationState } from '../options/bodies';
import { BodyHandle } from '../replica/bodyHandle';
import { checkHandle } from '../replica/handles';
import type { WorldBody } from '../replica/physicsWorld';
import type { Replica } from '../replica/replica';
import type { ActivationState, QuatOut, Vec3Out } from '../types';
import { Body, BodyPose, BodyVelocity, Shape } from '../wasm/core-layout';
import type { World } from './world';

const BODY_WORDS = Body.SIZE >> 2;
const VELOCITY_WORDS = BodyVelocity.SIZE >> 2;
const POSE_WORDS = BodyPose.SIZE >> 2;
const SHAPE_WORDS = Shape.SIZE >> 2;

type IntField = 'activation' | 'awakeIndex';
type VectorField = 'force' | 'torque';

const position = new Float64Array(3);
const rotation = new Float64Array([0, 0, 0, 1]);

/** A body of a World in this thread. Getters return the current state. */
export class RigidBody extends BodyHandle implements WorldBody {
  /** The world that it is in. */
  readonly world: World;

  /** @internal Made by World.createBody. */
  constructor(world: World, id: BodyId) {
    super(id);
    this.world = world;
  }

  protected get replica(): Replica {
    if (this.isDead) checkHandle(this, 'body');
    return this.world.replica;
  }

  protected override get writable(): Replica {
    this.world.checkChangeable();
    return this.replica;
  }

  /** Applies what is pending; returns the slot. */
  private ready(): number {
    this.world.sync();
    return this.replica.bodies.check(this.id, 'body');
  }

  private bodyAt(): number {
    const slot = this.ready();
    return this.world.instance.table('bodies') + slot * BODY_WORDS;
  }

  private int(field: IntField): number {
    return this.world.instance.words[this.bodyAt() + (Body[field] >> 2)]!;
  }

  private vector<T extends Vec3Out>(field: VectorField, out: T | undefined): T {
    const at = this.bodyAt() + (Body[field] >> 2);
    const { floats } = this.world.instance;
    return copyVec3(out ?? ([0, 0, 0] as unknown as T), floats, at);
  }

  // --- pose ---

  /** Of the body's own origin, m. */
  override getPosition(): [number, number, number];
  override getPosition<T extends Vec3Out>(out: T): T;
  override getPosition<T extends Vec3Out>(out?: T): T {
    const slot = this.ready();
    const { floats } = this.world.instance;
    const at = this.world.instance.table('poses') + slot * POSE_WORDS + (BodyPose.px >> 2);
    return copyVec3(out ?? ([0, 0, 0] as unknown as T), floats, at);
  }

  /** Rotation from body to world, a unit quaternion x, y, z, w. */
  override getRotation(): [number, number, number, number];
  override getRotation<T extends QuatOut>(out: T): T;
  override getRotation<T extends QuatOut>(out?: T): T {
    const slot = this.ready();
    const { floats } = this.world.instance;
    const at = this.world.instance.table('poses') + slot * POSE_WORDS + (BodyPose.qx >> 2);
    return copyQuat(out ?? ([0, 0, 0, 1] as unknown as T), floats, at);
  }

  /** Column-major 4 × 4 matrix (three.js, WebGL). */
  getTransform<T extends { [index: number]: number } = number[]>(out?: T): T {
    return fillMatrix(out ?? ([] as unknown as T), this.getPosition(position), this.getRotation(rotation));
  }

  /**
   * Where to draw the body: Bullet's motion state. After stepSimulation with a fixed step, the pose
   * extrapolated by the time left over minus one step, so it lags by up to a step and moves evenly at any
   * frame rate. After step, the pose itself.
   */
  getInterpolatedPosition(): [number, number, number];
  getInterpolatedPosition<T extends Vec3Out>(out: T): T;
  getInterpolatedPosition<T extends Vec3Out>(out?: T): T {
    this.extrapolate();
    return fillVec3(out ?? ([0, 0, 0] as unknown as T), position[0]!, position[1]!, position[2]!);
  }

  /** As getInterpolatedPosition. */
  getInterpolatedRotation(): [number, number, number, number];
  getInterpolatedRotation<T extends QuatOut>(out: T): T;
  getInterpolatedRotation<T extends QuatOut>(out?: T): T {
    this.extrapolate();
    return fillQuat(
      out ?? ([0, 0, 0, 1] as unknown as T),
      rotation[0]!,
      rotation[1]!,
      rotation[2]!,
      rotation[3]!,
    );
  }

  /** As getInterpolatedPosition; a column-major 4 × 4 matrix. */
  getInterpolatedTransform<T extends { [index: number]: number } = number[]>(out?: T): T {
    this.extrapolate();
    return fillMatrix(out ?? ([] as unknown as T), position, rotation);
  }

  /** Position and rotation at once: seven numbers into `out`. The fastest way to read many poses. */
  getPose(out: Float32Array): Float32Array {
    const slot = this.ready();
    const { floats } = this.world.instance;
    const at = this.world.instance.table('poses') + slot * POSE_WORDS;
    const p = at + (BodyPose.px >> 2);
    const q = at + (BodyPose.qx >> 2);
    return fillPose(out, floats, p, floats, q);
  }

  /** As getPose, of the pose to draw; see getInterpolatedPosition. */
  getInterpolatedPose(out: Float32Array): Float32Array {
    if (this.world.interpolationTime === 0) return this.getPose(out);
    this.extrapolate();
    return fillPose(out, position, 0, rotation, 0);
  }

  /** Pose of the origin after the world's interpolation time, into the module's scratch. */
  private extrapolate(): void {
    const slot = this.ready();
    const { instance, interpolationTime: t } = this.world;
    const { floats } = instance;
    const pose = instance.table('poses') + slot * POSE_WORDS;
    const p = pose + (BodyPose.px >> 2);
    const q = pose + (BodyPose.qx >> 2);
    for (let i = 0; i < 3; i++) position[i] = floats[p + i]!;
    for (let i = 0; i < 4; i++) rotation[i] = floats[q + i]!;
    if (t === 0) return;
    const at = instance.table('velocities') + slot * VELOCITY_WORDS;
    const linear = at + (BodyVelocity.linear >> 2);
    const angular = at + (BodyVelocity.angular >> 2);
    const wx = floats[angular]!;
    const wy = floats[angular + 1]!;
    const wz = floats[angular + 2]!;
    const speed = Math.sqrt(wx * wx + wy * wy + wz * wz);
    if (speed * Math.abs(t) > 1e-9) {
      const half = 0.5 * speed * t;
      const h2 = half * half;
      // Within a step bodies turn little: below 1e-12 off.
      const small = h2 < 0.02;
      const s = small ? 0.5 * t * (1 - (h2 / 6) * (1 - (h2 / 20) * (1 - h2 / 42))) : sin(half) / speed;
      const w = small ? 1 - (h2 / 2) * (1 - (h2 / 12) * (1 - (h2 / 30) * (1 - h2 / 56))) : cos(half);
      const x = wx * s;
      const y = wy * s;
      const z = wz * s;
      const qx = rotation[0]!;
      const qy = rotation[1]!;
      const qz = rotation[2]!;
      const qw = rotation[3]!;
      const nx = w * qx + x * qw + y * qz - z * qy;
      const ny = w * qy - x * qz + y * qw + z * qx;
      const nz = w * qz + x * qy - y * qx + z * qw;
      const nw = w * qw - x * qx - y * qy - z * qz;
      const n = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz + nw * nw);
      rotation[0] = nx * n;
      rotation[1] = ny * n;
      rotation[2] = nz * n;
      rotation[3] = nw * n;
      // The centre of mass flies, the origin turns about it.
      const center = instance.table('bodies') + slot * BODY_WORDS + (Body.position >> 2);
      const rx = position[0]! - floats[center]!;
      const ry = position[1]! - floats[center + 1]!;
      const rz = position[2]! - floats[center + 2]!;
      if (rx !== 0 || ry !== 0 || rz !== 0) {
        const tx = 2 * (y * rz - z * ry);
        const ty = 2 * (z * rx - x * rz);
        const tz = 2 * (x * ry - y * rx);
        position[0]! += w * tx + y * tz - z * ty;
        position[1]! += w * ty + z * tx - x * tz;
        position[2]! += w * tz + x * ty - y * tx;
      }
    }
    position[0]! += floats[linear]! * t;
    position[1]! += floats[linear + 1]! * t;
    position[2]! += floats[linear + 2]! * t;
  }

  // --- velocity and forces ---

  /** The axes of `getLocalInertia` in the body's frame, a unit quaternion x, y, z, w. */
  getInertiaOrientation(): [number, number, number, number] {
    return [...this.replica.body(this.id).massProps.principalRotation];
  }

  private velocityAt(): number {
    const slot = this.ready();
    return this.world.instance.table('velocities') + slot * VELOCITY_WORDS;
  }

  /** Of the centre of mass, m/s. */
  override getLinearVelocity(): [number, number, number];
  override getLinearVelocity<T extends Vec3Out>(out: T): T;
  override getLinearVelocity<T extends Vec3Out>(out?: T): T {
    const at = this.velocityAt() + (BodyVelocity.linear >> 2);
    const { floats } = this.world.instance;
    return copyVec3(out ?? ([0, 0, 0] as unknown as T), floats, at);
  }

  /** rad/s about the world's axes. */
  override getAngularVelocity(): [number, number, number];
  override getAngularVelocity<T extends Vec3Out>(out: T): T;
  override getAngularVelocity<T extends Vec3Out>(out?: T): T {
    const at = this.velocityAt() + (BodyVelocity.angular >> 2);
    const { floats } = this.world.instance;
    return copyVec3(out ?? ([0, 0, 0] as unknown as T), floats, at);
  }

  /** Forces applied since they were last cleared, N. */
  getTotalForce<T extends Vec3Out = [number, number, number]>(out?: T): T {
    return this.vector('force', out);
  }

  /** Torques applied since they were last cleared, including those of off-centre forces, N·m. */
  getTotalTorque<T extends Vec3Out = [number, number, number]>(out?: T): T {
    return this.vector('torque', out);
  }

  // --- properties ---

  /** The broad phase's bounding box of a shape (enlarged by margin and motion), or of all shapes of the body. */
  getAabb(min: Vec3Out, max: Vec3Out, shape?: ShapeId): void {
    this.ready();
    const { replica, world } = this;
    const { floats } = world.instance;
    const table = world.instance.table('shapes');
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const id of shape === undefined ? this.shapes : [replica.shape(shape).id]) {
      const at = table + (id & MAX_SLOT) * SHAPE_WORDS;
      for (let i = 0; i < 3; i++) {
        low[i] = Math.min(low[i]!, floats[at + (Shape.aabbMin >> 2) + i]!);
        high[i] = Math.max(high[i]!, floats[at + (Shape.aabbMax >> 2) + i]!);
      }
    }
    fillVec3(min, low[0]!, low[1]!, low[2]!);
    fillVec3(max, high[0]!, high[1]!, high[2]!);
  }

  // --- activation ---

  /** Bullet's activation state, now. */
  getActivationState(): ActivationState {
    return activationState(this.int('activation'));
  }

  /** Bullet's isActive: neither asleep nor removed from the simulation. */
  isActive(): boolean {
    const state = this.int('activation');
    return state !== ISLAND_SLEEPING && state !== DISABLE_SIMULATION;
  }

  /** Dynamic, and asleep: at rest for long enough that it is not simulated. */
  isSleeping(): boolean {
    return this.int('activation') === ISLAND_SLEEPING && this.type === 'dynamic';
  }

  /** Awake and part of the simulation; false while it sleeps, and for static bodies. */
  isAwake(): boolean {
    return this.int('awakeIndex') >= 0;
  }

  /** Number of the island, as World.findIslands numbered them last. */
  getIsland(): number {
    const slot = this.ready();
    return this.world.instance.words[this.world.instance.table('islands') + slot]!;
  }

  /** The contacts that this body has now. */
  getContacts(): Contact<RigidBody>[] {
    return this.world.getContacts(this);
  }

  /** The bodies that touch this one now, in the order of their ids; for a sensor the bodies inside. Bullet's ghost lists. */
  getOverlappingBodies(): RigidBody[] {
    const bodies = this.getContacts().map(({ bodyA, bodyB }) => (bodyA === this ? bodyB : bodyA));
    return [...new Set(bodies)].sort((a, b) => a.id - b.id);
  }

  override remove(): void {
    this.world.removeBody(this);
  }
}
