// The public handle of a body: all calls that change it, with Bullet's names. In: calls. Out: commands of the replica.
// RigidBody adds readings from the engine (poses, velocities), the worker client those from frames. Every call on a
// removed body throws a PhysicsError and changes nothing.

import type { BodyId, ShapeId } from '../base/ids';
import { MAX_COORDINATE } from '../base/limits';
import { fillVec3 } from '../base/out';
import { COORDINATE, checkBoolean, invalid, readVec3 } from '../base/validate';
import { readGeometry } from '../cooking/geometryWords';
import { readPointWords } from '../cooking/pointWords';
import { SHAPE_HULL, SHAPE_MULTISPHERE, SHAPE_PLANE } from '../core/memory/constants';
import { BODY_TYPES, type BodyKnobs, type MassOptions } from '../options/bodies';
import { type Material, SHAPE_TYPES, type ShapeType } from '../options/shapes';
import { describeTraits } from '../options/traits';
import type {
  ActivationState,
  BodyType,
  CookedGeometry,
  QuatLike,
  QuatOut,
  ShapeChanges,
  ShapeOptions,
  Vec3Like,
  Vec3Out,
} from '../types';
import type { Replica } from './replica';

/** Description of a shape. */
export interface ShapeInfo extends ShapeChanges {
  /** Slot and generation; never 0. */
  readonly id: ShapeId;
  /** Name of its type. */
  readonly type: ShapeType;
  /** Sphere: radius. Capsule, cylinder, cone, along its own y: radius, half height. Box: half extents. Mesh, heightfield: scale. Unused ones are 0. */
  readonly params: readonly [number, number, number, number];
  /** Of a hull or triangle, in the shape's frame: x, y, z of each corner. */
  readonly vertices?: Float64Array;
  /** Corners of each face, counter-clockwise seen from outside. */
  readonly faces?: number[][];
  /** Of a multi-sphere, in the shape's frame: x, y, z, radius of each ball. */
  readonly spheres?: Float32Array;
  /** Of a mesh or heightfield; `readMesh` and `readHeightfield` say what is in it. */
  readonly geometry?: CookedGeometry;
  /** In the body's frame. A capsule's axis and a plane's normal are turned to y by the rotation. */
  readonly position: readonly [number, number, number];
  /** In the body's frame, a unit quaternion x, y, z, w. */
  readonly rotation: readonly [number, number, number, number];
  /** m beyond the surface, of a shape that has a margin. */
  readonly margin: number;
  /** Friction, restitution, rolling and spinning friction. */
  readonly material: Readonly<Material>;
  /** True: contacts are reported, and not solved. */
  readonly sensor: boolean;
  /** True: a sensor of a static body that also reports other static bodies. */
  readonly sensesStatic: boolean;
  /** True: spheres ignore the margin. */
  readonly bareToBalls: boolean;
  /** The user's number. */
  readonly userIndex: number;
}

function describe(geometry: CookedGeometry): Partial<ShapeInfo> {
  const { kind, words } = geometry;
  if (kind === SHAPE_HULL) return readGeometry(words);
  if (kind > SHAPE_PLANE) return { geometry };
  const points = readPointWords(words);
  if (kind === SHAPE_MULTISPHERE) return { spheres: points };
  return { vertices: Float64Array.from(points.filter((_, i) => i % 4 < 3)), faces: [[0, 1, 2]] };
}

const point = [0, 0, 0];
const center = [0, 0, 0];
const place = new Float64Array(3);
const turn = new Float64Array(4);

/** A body of a world: its settings, and all calls that change it. */
export abstract class BodyHandle {
  /** Slot and generation; never 0. Stays the same over snapshots, and on every replica. */
  readonly id: BodyId;
  /** For your own data; the engine does not use it, and snapshots do not contain it. */
  userData: unknown = undefined;
  /** @internal See Handles. */
  isDead = false;

  /** @internal Worlds make them. */
  constructor(id: BodyId) {
    this.id = id;
  }

  /** Its id, so that an event with bodies in it can be written as JSON. */
  toJSON(): BodyId {
    return this.id;
  }

  /** The registry with the body's record; throws if the world was disposed. */
  protected abstract get replica(): Replica;

  /** The same for writing; also throws while nothing may be changed, during a step. */
  protected get writable(): Replica {
    return this.replica;
  }

  /** Of the body's own origin in the world, m; into `out` if given. */
  abstract getPosition(): [number, number, number];
  abstract getPosition<T extends Vec3Out>(out: T): T;
  /** A unit quaternion x, y, z, w; into `out` if given. */
  abstract getRotation(): [number, number, number, number];
  abstract getRotation<T extends QuatOut>(out: T): T;
  /** Of the centre of mass, m/s. */
  abstract getLinearVelocity(): [number, number, number];
  abstract getLinearVelocity<T extends Vec3Out>(out: T): T;
  /** rad/s about the world's axes. */
  abstract getAngularVelocity(): [number, number, number];
  abstract getAngularVelocity<T extends Vec3Out>(out: T): T;

  /** The centre of mass in the world, m. */
  getCenterOfMassPosition(): [number, number, number];
  getCenterOfMassPosition<T extends Vec3Out>(out: T): T;
  getCenterOfMassPosition<T extends Vec3Out>(out?: T): T {
    // From the published pose, in every world: the core's own centre differs in the last bits, and is not in frames.
    const [cx, cy, cz] = this.replica.body(this.id).massProps.centerOfMass;
    const [px, py, pz] = this.getPosition(place) as unknown as [number, number, number];
    const [x, y, z, w] = this.getRotation(turn) as unknown as [number, number, number, number];
    // r + 2 q × (q × r + w r)
    const tx = 2 * (y * cz - z * cy);
    const ty = 2 * (z * cx - x * cz);
    const tz = 2 * (x * cy - y * cx);
    return fillVec3(
      out ?? ([0, 0, 0] as unknown as T),
      px + cx + w * tx + y * tz - z * ty,
      py + cy + w * ty + z * tx - x * tz,
      pz + cz + w * tz + x * ty - y * tx,
    );
  }

  /** Velocity of the body at a point of the world, m/s: v + ω × r. */
  getVelocityAtPoint<T extends Vec3Out = [number, number, number]>(worldPoint: Vec3Like, out?: T): T {
    readVec3(worldPoint, 'worldPoint', COORDINATE, point);
    this.getCenterOfMassPosition(center);
    const [rx, ry, rz] = [point[0]! - center[0]!, point[1]! - center[1]!, point[2]! - center[2]!];
    this.getLinearVelocity(point);
    this.getAngularVelocity(center);
    const [wx, wy, wz] = center as [number, number, number];
    return fillVec3(
      out ?? ([0, 0, 0] as unknown as T),
      point[0]! + wy * rz - wz * ry,
      point[1]! + wz * rx - wx * rz,
      point[2]! + wx * ry - wy * rx,
    );
  }

  // --- data of the replica ---

  /** True after the body was removed. */
  get isRemoved(): boolean {
    return this.isDead || !this.replica.bodies.isLive(this.id);
  }

  /** Static, kinematic or dynamic. */
  get type(): BodyType {
    return BODY_TYPES[this.replica.body(this.id).type]!;
  }

  /** kg; 0 for static and kinematic bodies. */
  get mass(): number {
    return this.replica.body(this.id).massProps.mass;
  }

  /** Ids of the shapes, in the order in which they were added. */
  get shapes(): readonly ShapeId[] {
    return this.replica.body(this.id).shapes;
  }

  /** Describes one of the body's shapes. */
  getShape(id: ShapeId): ShapeInfo {
    const { replica } = this;
    replica.body(this.id);
    const shape = replica.shape(id);
    return {
      id,
      type: SHAPE_TYPES[shape.type]!,
      params: [...shape.params],
      ...(shape.geometry && describe(shape.geometry)),
      position: [...shape.localPosition],
      rotation: [...shape.localRotation],
      margin: shape.margin,
      material: { ...shape.material },
      sensor: shape.sensor,
      sensesStatic: shape.sensesStatic,
      bareToBalls: shape.bareToBalls,
      userIndex: shape.userIndex,
      ...(shape.traits && describeTraits(shape.traits)),
    };
  }

  private get knobs(): BodyKnobs {
    return this.replica.body(this.id).knobs;
  }

  /** Bits of the collision filter; see setFilter. */
  get group(): number {
    return this.knobs.group;
  }

  /** Bits of the groups that the body collides with; see setFilter. */
  get mask(): number {
    return this.knobs.mask;
  }

  /** The user's number; see setUserIndex. */
  get userIndex(): number {
    return this.knobs.userIndex;
  }

  /** Share of the velocity that is lost in a second, 0 to 1. */
  getLinearDamping(): number {
    return this.knobs.linearDamping;
  }

  /** Share of the angular velocity that is lost in a second, 0 to 1. */
  getAngularDamping(): number {
    return this.knobs.angularDamping;
  }

  /** Factor on the world's gravity. */
  getGravityScale(): number {
    return this.knobs.gravityScale;
  }

  /** Per world axis; 0: locked. */
  getLinearFactor<T extends Vec3Out = [number, number, number]>(out?: T): T {
    const [x, y, z] = this.replica.body(this.id).linearFactor;
    return fillVec3(out ?? ([0, 0, 0] as unknown as T), x, y, z);
  }

  /** Per world axis; 0: locked. */
  getAngularFactor<T extends Vec3Out = [number, number, number]>(out?: T): T {
    const [x, y, z] = this.replica.body(this.id).angularFactor;
    return fillVec3(out ?? ([0, 0, 0] as unknown as T), x, y, z);
  }

  /** m/s. */
  getLinearSleepingThreshold(): number {
    return this.knobs.linearSleepingThreshold;
  }

  /** rad/s. */
  getAngularSleepingThreshold(): number {
    return this.knobs.angularSleepingThreshold;
  }

  /** m per step; see setCcd. */
  getCcdMotionThreshold(): number {
    return this.knobs.ccdMotionThreshold;
  }

  /** m; see setCcd. */
  getCcdSweptSphereRadius(): number {
    return this.knobs.ccdSweptSphereRadius;
  }

  /** Principal moments of inertia, kg·m²; 0 stands for infinite. */
  getLocalInertia(): [number, number, number] {
    return [...this.replica.body(this.id).massProps.inertia];
  }

  /** Centre of mass in the body's frame, m. */
  getLocalCenterOfMass(): [number, number, number] {
    return [...this.replica.body(this.id).massProps.centerOfMass];
  }

  // --- placing and moving ---

  /** Moves the body to a pose at once (a teleport); its velocities stay. */
  setTransform(position: Vec3Like, rotation: QuatLike): void {
    this.writable.setTransform(this.id, position, rotation);
  }

  /** Like setTransform, with the current rotation. m. */
  setPosition(position: Vec3Like): void {
    this.writable.setPosition(this.id, position);
  }

  /** Like setTransform, with the current position: rotates about the body's origin. */
  setRotation(rotation: QuatLike): void {
    this.writable.setRotation(this.id, rotation);
  }

  /**
   * The pose of a kinematic body at the end of the next step (or call of stepSimulation). The body reaches it exactly,
   * with the velocity that this requires, and pushes and carries the bodies that it touches. In a worker whose clock runs:
   * its pose at the time of this frame; see docs/worker.md. Without one of the two it keeps what it has when
   * the step begins.
   */
  setKinematicTarget(position: Vec3Like | undefined, rotation?: QuatLike): void {
    this.writable.setKinematicTarget(this.id, position, rotation);
  }

  /** Of the centre of mass, m/s. A static body ignores it. */
  setLinearVelocity(velocity: Vec3Like): void {
    this.writable.setLinearVelocity(this.id, velocity);
  }

  /** rad/s about the world's axes. A static body ignores it. */
  setAngularVelocity(velocity: Vec3Like): void {
    this.writable.setAngularVelocity(this.id, velocity);
  }

  /**
   * A force in N that acts during the next step (or call of stepSimulation), like all forces and torques.
   * Only dynamic bodies take forces; the others ignore them, as in Bullet.
   *
   * @param relativePosition  where it acts, from the centre of mass, along the world's axes; default there
   */
  applyForce(force: Vec3Like, relativePosition?: Vec3Like): void {
    this.writable.applyForce(this.id, force, relativePosition);
  }

  /** N at the centre of mass. */
  applyCentralForce(force: Vec3Like): void {
    this.writable.applyForce(this.id, force);
  }

  /** N at a point of the world. */
  applyForceAtPoint(force: Vec3Like, worldPoint: Vec3Like): void {
    this.writable.applyForce(this.id, force, this.fromCenter(worldPoint));
  }

  /** N·m about the world's axes. */
  applyTorque(torque: Vec3Like): void {
    this.writable.applyTorque(this.id, torque);
  }

  /**
   * N·s, changes the velocities at once.
   *
   * @param relativePosition  where it acts, from the centre of mass, along the world's axes; default there
   */
  applyImpulse(impulse: Vec3Like, relativePosition?: Vec3Like): void {
    this.writable.applyImpulse(this.id, impulse, relativePosition);
  }

  /** N·s at the centre of mass. */
  applyCentralImpulse(impulse: Vec3Like): void {
    this.writable.applyImpulse(this.id, impulse);
  }

  /** N·s at a point of the world. */
  applyImpulseAtPoint(impulse: Vec3Like, worldPoint: Vec3Like): void {
    this.writable.applyImpulse(this.id, impulse, this.fromCenter(worldPoint));
  }

  /** N·m·s about the world's axes. */
  applyTorqueImpulse(impulse: Vec3Like): void {
    this.writable.applyTorqueImpulse(this.id, impulse);
  }

  private fromCenter(worldPoint: Vec3Like): number[] {
    readVec3(worldPoint, 'worldPoint', COORDINATE, point);
    this.getCenterOfMassPosition(center);
    for (let i = 0; i < 3; i++)
      if (!(Math.abs((point[i]! -= center[i]!)) <= MAX_COORDINATE))
        throw invalid('worldPoint', `must be within ${MAX_COORDINATE} m of the body`, worldPoint);
    return point;
  }

  // --- properties ---

  /**
   * kg, > 0; dynamic bodies only. The moments of inertia are scaled in proportion, or set to `inertia` (kg·m², along the
   * body's own axes).
   */
  setMass(mass: number, inertia?: Vec3Like): void {
    this.writable.setMass(this.id, mass, inertia);
  }

  /** Recomputes mass, centre and moments from the shapes and their densities; given values are used instead. */
  updateMassProps(options?: MassOptions): void {
    this.writable.updateMassProps(this.id, options);
  }

  /**
   * 'static', 'kinematic' or 'dynamic'. A body that becomes dynamic gets the mass, moments and centre in `options`;
   * otherwise those that it had when it was last dynamic; otherwise those of its shapes. Its collision filter stays, unless
   * that is the default of static and kinematic bodies: then it gets the default of dynamic ones.
   */
  setType(type: BodyType, options?: MassOptions): void {
    this.writable.setType(this.id, type, options);
  }

  /** Adds a shape; mass properties stay as they are, as in Bullet: see updateMassProps. */
  addShape(options: ShapeOptions): ShapeId {
    return this.writable.addShape(this.id, options);
  }

  /** Removes one of the body's shapes. Mass properties stay, as in Bullet. */
  removeShape(id: ShapeId): void {
    this.writable.removeShape(this.id, id);
  }

  /** Shares of the velocities lost in a second, 0 … 1. */
  setDamping(linear: number, angular: number): void {
    this.writable.setDamping(this.id, linear, angular);
  }

  /** Factor on the world's gravity; may be negative. */
  setGravityScale(scale: number): void {
    this.writable.setGravityScale(this.id, scale);
  }

  /** Per world axis, ≥ 0; 0 locks the motion along it. */
  setLinearFactor(factor: Vec3Like): void {
    this.writable.setLinearFactor(this.id, factor);
  }

  /** Per world axis, ≥ 0; 0 locks the rotation about it. */
  setAngularFactor(factor: Vec3Like): void {
    this.writable.setAngularFactor(this.id, factor);
  }

  /** m/s and rad/s. Sleeping thresholds: below them the body counts as resting. */
  setSleepingThresholds(linear: number, angular: number): void {
    this.writable.setSleepingThresholds(this.id, linear, angular);
  }

  /** Two bodies collide if the group of each is in the mask of the other. 32 bits each. */
  setFilter(group: number, mask: number): void {
    this.writable.setFilter(this.id, group, mask);
  }

  /** Changes the material of all shapes: friction, restitution, rollingFriction, spinningFriction. */
  setMaterial(material: Partial<Material>): void {
    this.writable.setMaterial(this.id, material);
  }

  /** As setMaterial, of one shape. */
  setShapeMaterial(id: ShapeId, material: Partial<Material>): void {
    this.replica.body(this.id);
    this.writable.setShapeMaterial(id, material);
  }

  /**
   * Changes a shape's own collision filter, combine rules, surface velocity or one-way direction. Absent options stay,
   * `null` restores the default. Wakes the bodies that touch it.
   */
  updateShape(id: ShapeId, changes: ShapeChanges): void {
    this.replica.body(this.id);
    this.writable.updateShape(id, changes);
  }

  /** A 32-bit integer for your own use; the engine stores it and does not use it. */
  setUserIndex(userIndex: number): void {
    this.writable.setUserIndex(this.id, userIndex);
  }

  /**
   * Makes the body a bullet: in steps in which it moves farther than `motionThreshold` (m, ≥ 0; 0: none) it is swept
   * against everything, dynamic bodies included. Bullet's setCcdMotionThreshold and setCcdSweptSphereRadius: with
   * the setting `continuous` off, as in the Bullet profiles, a `sweptSphereRadius` (m, ≥ 0) above 0 is the radius of
   * the ball that is swept in place of the shape. With `continuous` on, fast bodies are swept against static and
   * kinematic bodies even without a threshold. See docs/continuous.md.
   *
   * @throws PhysicsError 'invalid-argument'
   */
  setCcd(motionThreshold: number, sweptSphereRadius: number): void {
    this.writable.setCcd(this.id, motionThreshold, sweptSphereRadius);
  }

  // --- activation ---

  /** Ignored in states 'disableDeactivation' and 'disableSimulation', as in Bullet. */
  setActivationState(state: ActivationState): void {
    this.writable.setActivationState(this.id, state, false);
  }

  /** As setActivationState, also out of 'disableDeactivation' and 'disableSimulation' (Bullet). */
  forceActivationState(state: ActivationState): void {
    this.writable.setActivationState(this.id, state, true);
  }

  /** Wakes the body. */
  activate(force = false): void {
    this.writable.activate(this.id, checkBoolean(force, 'force'));
  }

  /** Removes the body and its shapes from its world. */
  remove(): void {
    this.writable.removeBody(this.id);
  }
}
