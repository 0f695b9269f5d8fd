// A body of ricochet behind PlayCanvas's PhysicsBody. In: calls of its rigid body component and triggers. Out: a RigidBody
// that exists as long as PlayCanvas's body does; while that is out of the simulation, nothing meets it and it stands still.
import type { Entity, Quat, Vec3 } from 'playcanvas';
import { type BodyType, deterministic, type RigidBody, type ShapeId, type World } from 'ricochet';
import { massPropertiesOf } from 'ricochet/cooking';
import { isSurface, type Shape, type ShapeUser } from './shapes';
import { named, nameOf, warn } from './warnings';

/** A body as PlayCanvas describes it: see its PhysicsBodyDesc. */
export interface BodyDescription {
  /** 'static', 'kinematic' or 'dynamic'. */
  type: string;
  /** kg. */
  mass: number;
  /** Of `createShape`. */
  shape: object;
  /** m, world. */
  position: Vec3;
  /** World. */
  rotation: Quat;
  /** What contacts and rays name. */
  entity: Entity | null;
  /** A trigger: it only reports. */
  noContactResponse?: boolean;
}

/** What the bodies of a world have in common. */
export interface Host {
  world: World;
  /** By the engine's id. */
  bodies: Map<number, RicochetBody>;
  /** Bodies that only report. */
  triggers: Set<RicochetBody>;
  /** Bodies whose shapes changed since they were made. */
  changed: Set<RicochetBody>;
}

/** kg. What the engine takes. */
const MASS_RANGE = [1e-9, 1e15] as const;
const pose = new Float32Array(7);

type Factor = [x: number, y: number, z: number];
const LOCKED: Factor = [0, 0, 0];

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

/** A value in its range; one warning if it was not. */
function ranged(value: number, low: number, high: number, entity: Entity | null, what: string): number {
  if (value >= low && value <= high) return value;
  const kept = value > high ? high : low;
  warn(`${nameOf(entity)}: ${what} ${value} is outside ${low} … ${high}: ${kept} is used`);
  return kept;
}

/** What PlayCanvas holds as a body: its PhysicsBody, and the RigidBody of ricochet as `nativeBody`. */
export class RicochetBody implements ShapeUser {
  /** The entity that it moves. */
  entity: Entity | null;
  /** Of ricochet. */
  nativeBody: RigidBody;
  /** Whether it only reports. */
  readonly isTrigger: boolean;
  /** In the simulation: between addBody and removeBody. */
  isAdded = false;
  /** Fell asleep in the last step: its pose is still to be read. */
  hasJustSlept = false;
  private readonly type: BodyType;
  private readonly shape: Shape;
  private pieces: ShapeId[];
  private mass: number;
  private readonly material = { friction: 0.5, restitution: 0, rollingFriction: 0 };
  private linearFactor: Factor = [1, 1, 1];
  private angularFactor: Factor = [1, 1, 1];
  /** The step after which it was placed. */
  private placedAt = -1;
  /** Where it was last driven to. */
  private target: number[] | null = null;

  /** @internal PlayCanvas makes bodies with `createBody`. */
  constructor(
    private readonly host: Host,
    description: BodyDescription,
  ) {
    const { type, mass, shape, position, rotation, entity, noContactResponse } = description;
    this.entity = entity ?? null;
    this.isTrigger = noContactResponse === true;
    // A trigger goes where its entity is.
    this.type = this.isTrigger ? 'kinematic' : (type as BodyType);
    this.mass = mass;
    this.shape = shape as Shape;
    this.nativeBody = this.attempt('its shape or pose', () =>
      host.world.createBody({
        type: this.type,
        shape: [],
        position: [position.x, position.y, position.z],
        rotation: [rotation.x, rotation.y, rotation.z, rotation.w],
        ...(this.isDynamic && { mass: 1, inertia: [1, 1, 1], centerOfMass: [0, 0, 0] }),
        group: 0,
        mask: 0,
        ...(this.isDynamic && { activationState: 'disableSimulation' }),
      }),
    );
    this.pieces = [];
    try {
      this.rebuild();
    } catch (error) {
      this.nativeBody.remove();
      throw error;
    }
    this.shape.users.add(this);
    host.bodies.set(this.nativeBody.id, this);
    if (this.isTrigger) host.triggers.add(this);
  }

  private get isDynamic(): boolean {
    return this.type === 'dynamic';
  }

  private get canMove(): boolean {
    return this.isDynamic && this.mass > 0;
  }

  private attempt<T>(what: string, run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw named(error, `${nameOf(this.entity)}: ${what}`);
    }
  }

  // --- life ---

  /** @internal */
  reshape(): void {
    this.host.changed.add(this);
  }

  /** @internal Shapes and mass as they are now. */
  rebuild(): void {
    const { nativeBody: rigid } = this;
    const all = this.shape.options();
    if (this.isDynamic && all.some(isSurface))
      warn(
        `${nameOf(this.entity)}: a mesh has no inside, so that this body, which is dynamic, has the hull of it. Make a ` +
          'compound of convex shapes, set convexHull, or make it kinematic or static',
      );
    for (const id of this.pieces) rigid.removeShape(id);
    this.pieces = this.attempt('its shape', () =>
      all.map((options) => rigid.addShape({ ...options, ...this.material, sensor: this.isTrigger })),
    );
    this.updateMass();
  }

  /** @internal */
  add(group: number | undefined, mask: number | undefined): void {
    const standard = this.isDynamic ? [1, -1] : [2, ~2];
    this.isAdded = true;
    this.nativeBody.setFilter(group ?? standard[0]!, mask ?? standard[1]!);
    if (this.isDynamic) this.nativeBody.forceActivationState('active');
  }

  /** @internal */
  takeOut(): void {
    if (!this.isAdded) return;
    this.isAdded = false;
    this.nativeBody.setFilter(0, 0);
    if (this.isDynamic) this.nativeBody.forceActivationState('disableSimulation');
  }

  /** @internal */
  destroy(): void {
    this.shape.users.delete(this);
    this.host.changed.delete(this);
    this.host.triggers.delete(this);
    this.host.bodies.delete(this.nativeBody.id);
    this.isAdded = false;
    if (!this.nativeBody.isRemoved) this.nativeBody.remove();
  }

  // --- properties ---

  private setMaterial(changes: Partial<typeof this.material>): void {
    Object.assign(this.material, changes);
    this.nativeBody.setMaterial(changes);
  }

  /** ≥ 0. */
  setFriction(friction: number): void {
    this.setMaterial({ friction: ranged(friction, 0, 1e6, this.entity, 'friction') });
  }

  /** m, ≥ 0. */
  setRollingFriction(friction: number): void {
    this.setMaterial({ rollingFriction: ranged(friction, 0, 1e6, this.entity, 'rollingFriction') });
  }

  /** 0 … 1. */
  setRestitution(restitution: number): void {
    this.setMaterial({ restitution: ranged(restitution, 0, 1, this.entity, 'restitution') });
  }

  /** Shares of the velocities lost in a second, 0 … 1. */
  setDamping(linear: number, angular: number): void {
    this.nativeBody.setDamping(
      ranged(linear, 0, 1, this.entity, 'linearDamping'),
      ranged(angular, 0, 1, this.entity, 'angularDamping'),
    );
  }

  /** Per axis of the world; 0 locks it. */
  setLinearFactor(factor: Vec3): void {
    this.linearFactor = [factor.x, factor.y, factor.z];
    this.updateFactors();
  }

  /** Per axis of the world; 0 locks it. */
  setAngularFactor(factor: Vec3): void {
    this.angularFactor = [factor.x, factor.y, factor.z];
    this.updateFactors();
  }

  /** Times the world's gravity. */
  setGravityScale(scale: number): void {
    this.attempt('gravityScale', () => this.nativeBody.setGravityScale(scale));
  }

  /** kg; inertia is that of the shapes at this mass, about the origin. */
  setMass(mass: number): void {
    this.mass = mass;
    this.updateMass();
  }

  private updateMass(): void {
    if (!this.isDynamic) return;
    const { mass, nativeBody: rigid } = this;
    const kept = mass > 0 ? clamp(mass, ...MASS_RANGE) : 1;
    if (mass > 0 && kept !== mass)
      warn(`${nameOf(this.entity)}: a mass of ${mass} kg is outside what can be: ${kept} kg is used`);
    const solid = this.pieces.length > 0 && massPropertiesOf(this.shape.options()).mass > 0;
    // The origin is the centre of mass, as in Bullet: forces and impulses of the application count from it.
    rigid.updateMassProps({
      mass: kept,
      centerOfMass: [0, 0, 0],
      ...(!solid && { inertia: [kept, kept, kept] }),
    });
    this.updateFactors();
  }

  /** A mass of 0 is infinite: nothing moves it. */
  private updateFactors(): void {
    const { nativeBody: rigid } = this;
    const isFixed = this.isDynamic && !this.canMove;
    if (this.isDynamic)
      this.attempt('linearFactor', () => rigid.setLinearFactor(isFixed ? LOCKED : this.linearFactor));
    this.attempt('angularFactor', () => rigid.setAngularFactor(isFixed ? LOCKED : this.angularFactor));
    if (!isFixed) return;
    rigid.setLinearVelocity(LOCKED);
    rigid.setAngularVelocity(LOCKED);
  }

  // --- motion ---

  /** m/s. */
  setLinearVelocity(velocity: Vec3): void {
    if (this.canMove) this.attempt('linearVelocity', () => this.nativeBody.setLinearVelocity(velocity));
  }

  /** m/s. */
  getLinearVelocity(velocity: Vec3): void {
    this.nativeBody.getLinearVelocity(velocity);
  }

  /** rad/s. */
  setAngularVelocity(velocity: Vec3): void {
    if (this.canMove) this.attempt('angularVelocity', () => this.nativeBody.setAngularVelocity(velocity));
  }

  /** rad/s. */
  getAngularVelocity(velocity: Vec3): void {
    this.nativeBody.getAngularVelocity(velocity);
  }

  /** In the simulation, and awake; or its last pose, in which it fell asleep, has not been read yet. */
  isActive(): boolean {
    if (!this.isAdded) return false;
    return !this.isDynamic || this.hasJustSlept || this.nativeBody.isActive();
  }

  /** Wakes it. */
  activate(): void {
    if (this.isAdded && this.isDynamic) this.nativeBody.activate();
  }

  /** Places it and wakes it; getTransform says this pose until the next step. */
  setTransform(position: Vec3, rotation: Quat): void {
    this.target = null;
    const { nativeBody: rigid } = this;
    // A trigger is placed before each step: where it stands anyway, it keeps what it has found.
    if (this.isTrigger && this.isAt(position, rotation)) return;
    this.attempt('its pose', () => rigid.setTransform(position, rotation));
    this.placedAt = this.host.world.stepCount;
    this.activate();
  }

  /** Where it is to be drawn: between its last two poses. */
  getTransform(position: Vec3, rotation: Quat): void {
    this.hasJustSlept = false;
    const { nativeBody: rigid } = this;
    if (this.placedAt === this.host.world.stepCount) rigid.getPose(pose);
    else rigid.getInterpolatedPose(pose);
    position.set(pose[0]!, pose[1]!, pose[2]!);
    rotation.set(pose[3]!, pose[4]!, pose[5]!, pose[6]!);
  }

  /** Where a kinematic body is to be after the next step. */
  setKinematicTarget(position: Vec3, rotation: Quat): void {
    const next = [position.x, position.y, position.z, rotation.x, rotation.y, rotation.z, rotation.w];
    // PlayCanvas says it before each step. What stands still is not told, so that what rests on it may sleep.
    if (this.target?.every((value, i) => value === next[i]) && this.isAt(position, rotation)) return;
    this.target = next;
    this.attempt('its pose', () => this.nativeBody.setKinematicTarget(position, rotation));
  }

  private isAt(position: Vec3, rotation: Quat): boolean {
    const { fround, abs } = Math;
    this.nativeBody.getPose(pose);
    if (pose[0] !== fround(position.x) || pose[1] !== fround(position.y) || pose[2] !== fround(position.z))
      return false;
    const { x, y, z, w } = rotation;
    const cosine = pose[3]! * x + pose[4]! * y + pose[5]! * z + pose[6]! * w;
    return abs(1 - abs(cosine)) < 1e-9;
  }

  /** N, for the next step, at a place from the body's origin, m, along the world's axes. */
  applyForce(force: Vec3, relativePoint: Vec3): void {
    if (this.isDynamic) this.attempt('applyForce', () => this.nativeBody.applyForce(force, relativePoint));
  }

  /** N·m, for the next step. */
  applyTorque(torque: Vec3): void {
    if (this.isDynamic) this.attempt('applyTorque', () => this.nativeBody.applyTorque(torque));
  }

  /** N·s, at a place from the body's origin, m, along the world's axes. */
  applyImpulse(impulse: Vec3, relativePoint: Vec3): void {
    if (this.isDynamic)
      this.attempt('applyImpulse', () => this.nativeBody.applyImpulse(impulse, relativePoint));
  }

  /** N·m·s. */
  applyTorqueImpulse(torque: Vec3): void {
    if (this.isDynamic) this.attempt('applyTorqueImpulse', () => this.nativeBody.applyTorqueImpulse(torque));
  }

  /** @internal */
  get sleeps(): boolean {
    return this.isDynamic && this.nativeBody.isSleeping();
  }

  /** @internal No contact moves it: asleep, or not dynamic. */
  get rests(): boolean {
    return !this.isDynamic || this.sleeps;
  }

  /** @internal A point of the world in the body's frame. */
  toLocal({ x, y, z }: Vec3, out: Vec3): void {
    this.nativeBody.getPose(pose);
    const back = deterministic.quatConjugate([pose[3]!, pose[4]!, pose[5]!, pose[6]!]);
    const [lx, ly, lz] = deterministic.rotate(back, [x - pose[0]!, y - pose[1]!, z - pose[2]!]);
    out.set(lx, ly, lz);
  }
}
