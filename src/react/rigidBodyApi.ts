// The value of a RigidBody's ref: a body with Rapier's names, so that code for @react-three/rapier works. In: calls.
// Out: calls of ricochet's body, which is `body`. Vectors are new objects with x, y, z.
import type { BodyId, WorldBody } from 'ricochet';
import { PhysicsError } from 'ricochet/cooking';
import type { BodyEntry } from './bodyEntry';
import type { ColliderApi } from './colliderApi';
import { cross } from './place';
import type { QuaternionObject, RigidBodyTypeString, Vector3Object } from './types';

/** Rapier's codes. */
const TYPE_CODES: Record<RigidBodyTypeString, number> = {
  dynamic: 0,
  fixed: 1,
  kinematicPosition: 2,
  kinematicVelocity: 3,
};
const TYPE_NAMES = Object.keys(TYPE_CODES) as RigidBodyTypeString[];

const origin = () => ({ x: 0, y: 0, z: 0 });

/** A body, with the names of Rapier's RigidBody. */
export class RigidBodyApi {
  /** N and N·m that act until they are reset, as in Rapier. */
  private force: Vector3Object | null = null;
  private torque: Vector3Object | null = null;
  /** The target of a kinematic body, and the frame for which it was set. */
  private target: {
    frame: number;
    position: Vector3Object | undefined;
    rotation: QuaternionObject | undefined;
  } | null = null;
  /** Free for the user; at first the prop `userData`. */
  userData: unknown = undefined;

  /** @internal Made by RigidBody and InstancedRigidBodies. */
  constructor(private readonly entry: BodyEntry) {}

  /**
   * Ricochet's own body, for everything that is missing here.
   *
   * @throws PhysicsError 'stale-id' after its component was unmounted
   */
  get body(): WorldBody {
    const { body } = this.entry;
    if (body === null)
      throw new PhysicsError('stale-id', `${this.entry.tag}: its body is gone, the component was unmounted`);
    return body;
  }

  /** The id of the body. */
  get handle(): BodyId {
    return this.entry.body?.id ?? 0;
  }

  /** False after the component was unmounted. */
  isValid(): boolean {
    return this.entry.isLive;
  }

  // --- pose and velocity ---

  /** m. With a worker: the position for drawing. */
  translation(): Vector3Object {
    return this.body.getPosition(origin());
  }

  /** Rotation in the world. */
  rotation(): QuaternionObject {
    return this.body.getRotation({ x: 0, y: 0, z: 0, w: 1 });
  }

  /** m/s, of the centre of mass. */
  linvel(): Vector3Object {
    return this.body.getLinearVelocity(origin());
  }

  /** rad/s about the world's axes. */
  angvel(): Vector3Object {
    return this.body.getAngularVelocity(origin());
  }

  /** m, world. */
  worldCom(): Vector3Object {
    return this.body.getCenterOfMassPosition(origin());
  }

  /** m, in the body's frame. */
  localCom(): Vector3Object {
    const [x, y, z] = this.body.getLocalCenterOfMass();
    return { x, y, z };
  }

  /** m/s: its velocity at a point of the world. */
  velocityAtPoint(point: Vector3Object): Vector3Object {
    return this.body.getVelocityAtPoint(point, origin());
  }

  /** Moves the body at once (a teleport). */
  setTranslation(position: Vector3Object, wakeUp = true): void {
    this.body.setPosition(position);
    this.placed(wakeUp);
  }

  /** Sets the rotation in the world at once (a teleport). */
  setRotation(rotation: QuaternionObject, wakeUp = true): void {
    this.body.setRotation(rotation);
    this.placed(wakeUp);
  }

  private placed(wakeUp: boolean): void {
    if (wakeUp) this.wakeUp();
    this.entry.draw();
  }

  /** m/s, of the centre of mass. */
  setLinvel(velocity: Vector3Object, wakeUp = true): void {
    this.body.setLinearVelocity(velocity);
    if (wakeUp) this.wakeUp();
  }

  /** rad/s, world axes. */
  setAngvel(velocity: Vector3Object, wakeUp = true): void {
    this.body.setAngularVelocity(velocity);
    if (wakeUp) this.wakeUp();
  }

  /** Position of a kinematic body after the next step; with a worker: at the time of this frame. */
  setNextKinematicTranslation(position: Vector3Object): void {
    this.aim({ ...vectorFrom(position) }, undefined);
  }

  /** Rotation of a kinematic body after the next step. */
  setNextKinematicRotation(rotation: QuaternionObject): void {
    const { x, y, z, w } = rotation;
    this.aim(undefined, { x, y, z, w });
  }

  private aim(position: Vector3Object | undefined, rotation: QuaternionObject | undefined): void {
    const frame = this.entry.runtime.frames;
    const known = this.target?.frame === frame ? this.target : null;
    const target = {
      frame,
      position: position ?? known?.position,
      rotation: rotation ?? known?.rotation,
    };
    this.target = target;
    this.body.setKinematicTarget(target.position, target.rotation);
  }

  // --- forces ---

  /** N·s at the centre of mass. */
  applyImpulse(impulse: Vector3Object, wakeUp = true): void {
    this.body.applyCentralImpulse(impulse);
    if (wakeUp) this.wakeUp();
  }

  /** N·s at a point of the world. */
  applyImpulseAtPoint(impulse: Vector3Object, point: Vector3Object, wakeUp = true): void {
    this.body.applyImpulseAtPoint(impulse, point);
    if (wakeUp) this.wakeUp();
  }

  /** N·m·s about the world's axes. */
  applyTorqueImpulse(impulse: Vector3Object, wakeUp = true): void {
    this.body.applyTorqueImpulse(impulse);
    if (wakeUp) this.wakeUp();
  }

  /** N at the centre of mass, until `resetForces`. */
  addForce(force: Vector3Object, wakeUp = true): void {
    this.force = sum(this.force, force);
    this.entry.runtime.pushed.add(this);
    if (wakeUp) this.wakeUp();
  }

  /** N·m, until `resetTorques`. */
  addTorque(torque: Vector3Object, wakeUp = true): void {
    this.torque = sum(this.torque, torque);
    this.entry.runtime.pushed.add(this);
    if (wakeUp) this.wakeUp();
  }

  /** N at a point of the world where the body is now, until both are reset. */
  addForceAtPoint(force: Vector3Object, point: Vector3Object, wakeUp = true): void {
    this.addForce(force, wakeUp);
    const center = this.worldCom();
    this.addTorque(
      cross({ x: point.x - center.x, y: point.y - center.y, z: point.z - center.z }, force),
      wakeUp,
    );
  }

  /** Removes all forces. */
  resetForces(wakeUp = true): void {
    this.force = null;
    this.forget(wakeUp);
  }

  /** Removes all torques. */
  resetTorques(wakeUp = true): void {
    this.torque = null;
    this.forget(wakeUp);
  }

  private forget(wakeUp: boolean): void {
    if (this.force === null && this.torque === null) this.entry.runtime.pushed.delete(this);
    if (wakeUp) this.wakeUp();
  }

  /** N: the sum of forces from addForce. */
  userForce(): Vector3Object {
    return { ...(this.force ?? origin()) };
  }

  /** N·m: the sum of torques from addTorque. */
  userTorque(): Vector3Object {
    return { ...(this.torque ?? origin()) };
  }

  /** @internal Runs before each step: applies lasting forces. */
  push(): void {
    const { body } = this.entry;
    if (body === null) return;
    if (this.force !== null) body.applyCentralForce(this.force);
    if (this.torque !== null) body.applyTorque(this.torque);
  }

  // --- properties ---

  /** kg. */
  mass(): number {
    return this.body.mass;
  }

  /** Rapier's numbers: dynamic 0, fixed 1, kinematic by position 2, by velocity 3. */
  bodyType(): number {
    return TYPE_CODES[this.entry.typeName];
  }

  /** One of Rapier's numbers of types. */
  setBodyType(type: number, wakeUp = true): void {
    const name = TYPE_NAMES[type];
    if (name === undefined)
      throw new PhysicsError('invalid-argument', 'must be 0 … 3, of bodyType', 'type', type);
    this.entry.setType(name);
    if (wakeUp) this.wakeUp();
  }

  /** Whether it is fixed. */
  isFixed(): boolean {
    return this.body.type === 'static';
  }

  /** Whether forces move it. */
  isDynamic(): boolean {
    return this.body.type === 'dynamic';
  }

  /** Whether it is kinematic. */
  isKinematic(): boolean {
    return this.body.type === 'kinematic';
  }

  /** Dynamic, and asleep. */
  isSleeping(): boolean {
    return this.body.isSleeping();
  }

  /** Whether it is awake. */
  isMoving(): boolean {
    return this.body.isAwake();
  }

  /** Puts it to sleep. */
  sleep(): void {
    this.body.setActivationState('sleeping');
  }

  /** Wakes it. */
  wakeUp(): void {
    if (this.body.type === 'dynamic') this.body.activate();
  }

  /** 1/s. */
  linearDamping(): number {
    return this.entry.damping[0];
  }

  /** 1/s. */
  angularDamping(): number {
    return this.entry.damping[1];
  }

  /** 1/s: see the prop. */
  setLinearDamping(damping: number): void {
    this.entry.setDamping(damping, this.entry.damping[1]);
  }

  /** 1/s, ≥ 0. */
  setAngularDamping(damping: number): void {
    this.entry.setDamping(this.entry.damping[0], damping);
  }

  /** Factor on gravity. */
  gravityScale(): number {
    return this.body.getGravityScale();
  }

  /** Factor on gravity. */
  setGravityScale(scale: number, wakeUp = true): void {
    this.body.setGravityScale(scale);
    if (wakeUp) this.wakeUp();
  }

  /** True: its centre of mass does not move. */
  lockTranslations(locked: boolean, wakeUp = true): void {
    this.setEnabledTranslations(!locked, !locked, !locked, wakeUp);
  }

  /** True: it does not rotate. */
  lockRotations(locked: boolean, wakeUp = true): void {
    this.setEnabledRotations(!locked, !locked, !locked, wakeUp);
  }

  /** Along the world's axes. */
  setEnabledTranslations(x: boolean, y: boolean, z: boolean, wakeUp = true): void {
    this.body.setLinearFactor([+x, +y, +z]);
    if (wakeUp) this.wakeUp();
  }

  /** About the world's axes. */
  setEnabledRotations(x: boolean, y: boolean, z: boolean, wakeUp = true): void {
    this.body.setAngularFactor([+x, +y, +z]);
    if (wakeUp) this.wakeUp();
  }

  /** Whether it is swept against all bodies (CCD). */
  enableCcd(enabled: boolean): void {
    this.entry.setCcd(enabled);
  }

  /** Whether it is swept against all bodies (CCD). */
  isCcdEnabled(): boolean {
    return this.body.getCcdMotionThreshold() > 0;
  }

  /** Number of its colliders. */
  numColliders(): number {
    return this.entry.colliders.size;
  }

  /** In the order in which they were mounted. */
  collider(i: number): ColliderApi {
    const collider = [...this.entry.colliders][i];
    if (collider === undefined)
      throw new PhysicsError('invalid-argument', `must be below ${this.entry.colliders.size}`, 'i', i);
    return collider.api;
  }
}

const vectorFrom = ({ x, y, z }: Vector3Object): Vector3Object => ({ x, y, z });

const sum = (a: Vector3Object | null, b: Vector3Object): Vector3Object =>
  a === null ? vectorFrom(b) : { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z };
