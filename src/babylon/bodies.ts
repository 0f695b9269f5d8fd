// A body of ricochet that stands for a PhysicsBody of Babylon, or for one of its thin instances. In: motion types, shapes,
// mass properties, dampings, as Babylon gives them. Out: a RigidBody that has them; pieces of shapes by their ids.
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import {
  type PhysicsMassProperties,
  PhysicsMotionType,
} from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import type { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import { type BodyType, deterministic, type RigidBody, type ShapeId, type World } from 'ricochet';
import { massPropertiesOf } from 'ricochet/cooking';
import type { ConstraintJoint } from './constraints';
import { isSurface, type ShapeData } from './shapes';
import { warn } from './warnings';

type Vec3 = [number, number, number];
type Quat = [number, number, number, number];
type Point = { x: number; y: number; z: number };
type Turn = { x: number; y: number; z: number; w: number };

/** All of them; inertia is per kg of mass, m². */
export interface Masses {
  centerOfMass: Vec3;
  mass: number;
  inertia: Vec3;
  inertiaOrientation: Quat;
}

/** Of a body without shapes. */
const UNIT: Masses = {
  centerOfMass: [0, 0, 0],
  mass: 1,
  inertia: [1, 1, 1],
  inertiaOrientation: [0, 0, 0, 1],
};
/** As in Babylon's own plugin: share of the angular velocity lost, 1/s. */
const ANGULAR_DAMPING = 0.1;
/** Of a velocity, lost in a second: beyond it f32 has too few digits of the rest. */
const MOST_SHARE = 0.999;
/** kg, kg·m². What the engine takes. */
const MASS_RANGE = [1e-9, 1e15] as const;
const INERTIA_RANGE = [1e-18, 1e24] as const;

const TYPES: Record<PhysicsMotionType, BodyType> = {
  [PhysicsMotionType.STATIC]: 'static',
  [PhysicsMotionType.ANIMATED]: 'kinematic',
  [PhysicsMotionType.DYNAMIC]: 'dynamic',
};

const clamp = (value: number, [min, max]: readonly [number, number]) => Math.min(Math.max(value, min), max);
const list3 = ({ x, y, z }: Point): Vec3 => [x, y, z];

/** What the bodies of a plugin have in common. */
export interface Host {
  /** In this thread. */
  world: World;
  /** By the engine's id; Babylon's character controller reads it, too. */
  _bodies: Map<number, { body: PhysicsBody; index: number }>;
  /** Of all shapes that are in the world. */
  leaves: Map<ShapeId, ShapeData>;
  /** What the plugin damps itself. */
  damped: Set<BodyData>;
  /** s; what dampings are converted by. */
  getTimeStep(): number;
}

/** How messages name a body. */
export function nameOf(body: PhysicsBody): string {
  // Babylon makes the plugin's side first, and sets the node then.
  return `PhysicsBody of "${body.transformNode?.name ?? 'a new node'}"`;
}

export class BodyData {
  readonly rigid: RigidBody;
  /** Babylon's character controller knows bodies by the first number here. */
  readonly hpBodyId: [number];
  motion: PhysicsMotionType;
  userMass: PhysicsMassProperties = {};
  eventMask = 0;
  linearDamping = 0;
  angularDamping = ANGULAR_DAMPING;
  shape: ShapeData | null = null;
  /** Where a dynamic body is to be after the next step. */
  target: { position: Vec3; rotation: Quat } | null = null;
  readonly joints = new Set<ConstraintJoint>();
  /** Of a thin instance: what its matrix is scaled by. */
  scale: Vec3 = [1, 1, 1];
  private pieces: { leaf: ShapeData; id: ShapeId }[] = [];
  private hasSurface = false;

  constructor(
    private readonly host: Host,
    readonly body: PhysicsBody,
    motion: PhysicsMotionType,
    position: Point,
    rotation: Turn,
    startAsleep: boolean,
  ) {
    this.motion = motion;
    const type = TYPES[motion];
    this.rigid = host.world.createBody({
      type,
      shape: [],
      position: list3(position),
      rotation: [rotation.x, rotation.y, rotation.z, rotation.w],
      ...(type === 'dynamic' && { mass: 1, inertia: [1, 1, 1], centerOfMass: [0, 0, 0] }),
      group: -1,
      mask: -1,
      ...(startAsleep && { activationState: 'sleeping' }),
    });
    this.rigid.userData = this;
    this.hpBodyId = [this.rigid.id];
    this.updateDamping();
  }

  get isDynamic(): boolean {
    return this.motion === PhysicsMotionType.DYNAMIC;
  }

  // --- shapes ---

  setShape(shape: ShapeData | null): void {
    this.shape?.bodies.delete(this);
    this.shape = shape;
    shape?.bodies.add(this);
    this.rebuild();
    this.updateMass();
  }

  /** Takes the shapes off and puts them on as they are now. */
  rebuild(): void {
    this.strip();
    const { shape, rigid, isDynamic } = this;
    if (shape === null) return;
    for (const { leaf, options } of shape.pieces(isDynamic)) {
      this.hasSurface ||= isSurface(options) || (isDynamic && leaf.own.some(isSurface));
      const id = rigid.addShape(leaf.dressed(options));
      this.pieces.push({ leaf, id });
      this.host.leaves.set(id, leaf);
    }
    if (isDynamic && this.hasSurface)
      warn(
        `${nameOf(this.body)}: triangles and heights have no inside, so that this body, which is dynamic, has the hull of ` +
          `${shape.label}. Make it of hulls in a PhysicsShapeContainer to keep its hollows, or make it ANIMATED or STATIC`,
      );
  }

  private strip(): void {
    for (const { id } of this.pieces) {
      this.rigid.removeShape(id);
      this.host.leaves.delete(id);
    }
    this.pieces = [];
    this.hasSurface = false;
  }

  /** After material or filter of a shape changed. */
  updateSurface(leaf: ShapeData): void {
    const { material, changes } = leaf.surface();
    for (const piece of this.pieces)
      if (piece.leaf === leaf) {
        this.rigid.setShapeMaterial(piece.id, material);
        this.rigid.updateShape(piece.id, changes);
      }
  }

  // --- mass ---

  /** What its shapes weigh. */
  computeMasses(): Masses {
    const options = this.shape?.options(true) ?? [];
    if (options.length === 0) return UNIT;
    const { mass, centerOfMass, inertia, principalRotation } = massPropertiesOf(options);
    if (!(mass > 0)) return UNIT;
    return {
      mass,
      centerOfMass,
      inertia: inertia.map((moment) => moment / mass) as Vec3,
      inertiaOrientation: principalRotation,
    };
  }

  /** That, and what the user has set in its place. */
  get masses(): Masses {
    const { mass, centerOfMass, inertia, inertiaOrientation } = this.userMass;
    const computed = this.computeMasses();
    return {
      mass: mass ?? computed.mass,
      centerOfMass: centerOfMass ? list3(centerOfMass) : computed.centerOfMass,
      inertia: inertia ? list3(inertia) : computed.inertia,
      inertiaOrientation: inertiaOrientation
        ? [inertiaOrientation.x, inertiaOrientation.y, inertiaOrientation.z, inertiaOrientation.w]
        : computed.inertiaOrientation,
    };
  }

  private engineMass() {
    const { mass, centerOfMass, inertia, inertiaOrientation } = this.masses;
    const kept = clamp(mass, MASS_RANGE);
    if (mass > 0 && kept !== mass)
      warn(`${nameOf(this.body)}: a mass of ${mass} kg is outside what can be: ${kept} kg is used`);
    return {
      mass: mass > 0 ? kept : 1,
      centerOfMass,
      inertia: inertia.map((moment) =>
        mass > 0 && moment > 0 ? clamp(moment * kept, INERTIA_RANGE) : 0,
      ) as Vec3,
      inertiaOrientation,
    };
  }

  setMasses(given: PhysicsMassProperties): void {
    this.userMass = {
      ...given,
      ...(given.centerOfMass && { centerOfMass: Vector3.FromArray(list3(given.centerOfMass)) }),
      ...(given.inertia && { inertia: Vector3.FromArray(list3(given.inertia)) }),
    };
    this.updateMass();
  }

  updateMass(): void {
    if (!this.isDynamic) return;
    this.rigid.updateMassProps(this.engineMass());
    // A mass of 0 is infinite: no force moves it.
    const factor = this.userMass.mass === 0 ? 0 : 1;
    this.rigid.setLinearFactor([factor, factor, factor]);
  }

  // --- motion ---

  setMotion(motion: PhysicsMotionType): void {
    if (motion === this.motion) return;
    const surfaces = this.hasSurface && (motion === PhysicsMotionType.DYNAMIC) !== this.isDynamic;
    if (surfaces) this.strip();
    this.motion = motion;
    if (this.isDynamic) this.rigid.setType('dynamic', { mass: 1, inertia: [1, 1, 1] });
    else this.rigid.setType(TYPES[motion]);
    if (surfaces) this.rebuild();
    this.target = null;
    this.updateMass();
    for (const joint of this.joints) joint.rebuild();
  }

  /**
   * Babylon's dampings are shares per second that are lost at every step; the engine's are what a second leaves. What
   * leaves less than an f32 can tell from nothing is done here, after each step.
   */
  updateDamping(): void {
    const step = this.host.getTimeStep();
    const share = (damping: number) => {
      const left = Math.min(Math.max(1 - damping * step, 0), 1);
      return 1 - deterministic.pow(left, 1 / step);
    };
    const most = Math.max(this.linearDamping, this.angularDamping);
    const strong = share(most) > MOST_SHARE;
    if (strong) this.host.damped.add(this);
    else this.host.damped.delete(this);
    this.rigid.setDamping(strong ? 0 : share(this.linearDamping), strong ? 0 : share(this.angularDamping));
  }

  /** After a step of `dt` seconds, where the engine does not damp. */
  damp(dt: number): void {
    const { rigid } = this;
    if (!this.isDynamic || rigid.isSleeping()) return;
    const [linear, angular] = [this.linearDamping, this.angularDamping].map((d) => Math.max(1 - d * dt, 0));
    rigid.setLinearVelocity(rigid.getLinearVelocity().map((c) => c * linear!) as Vec3);
    rigid.setAngularVelocity(rigid.getAngularVelocity().map((c) => c * angular!) as Vec3);
  }

  setTarget(position: Point, rotation: Turn): void {
    const target = {
      position: list3(position),
      rotation: [rotation.x, rotation.y, rotation.z, rotation.w] as Quat,
    };
    if (this.motion === PhysicsMotionType.ANIMATED)
      this.rigid.setKinematicTarget(target.position, target.rotation);
    else if (this.isDynamic) this.target = target;
  }

  /** Gives a dynamic body the velocities that take it to its target in a step of `dt` seconds. */
  aim(dt: number): void {
    const { target, rigid } = this;
    if (target === null) return;
    this.target = null;
    const at = rigid.getCenterOfMassPosition();
    const to = deterministic.rotate(target.rotation, rigid.getLocalCenterOfMass());
    rigid.setLinearVelocity(to.map((c, k) => (c + target.position[k]! - at[k]!) / dt) as Vec3);
    const [x, y, z, w] = deterministic.quatMultiply(
      target.rotation,
      deterministic.quatConjugate(rigid.getRotation()),
    );
    const sine = Math.sqrt(x * x + y * y + z * z);
    const half = deterministic.atan2(sine, Math.abs(w));
    const factor = sine > 1e-9 ? ((w < 0 ? -2 : 2) * half) / (sine * dt) : 0;
    rigid.setAngularVelocity([x * factor, y * factor, z * factor]);
  }

  /** Places it, unless it is there: what is placed anew wakes up, and loses what its contacts have learnt. */
  place(position: Point, rotation: Turn): void {
    const at = this.rigid.getPosition();
    const turn = this.rigid.getRotation();
    const to = list3(position);
    const same = turn[0] * rotation.x + turn[1] * rotation.y + turn[2] * rotation.z + turn[3] * rotation.w;
    const near = to.every((c, k) => Math.abs(c - at[k]!) <= 1e-6 * (1 + Math.abs(c)));
    // Of two rotations that differ by an angle, the product's magnitude is the cosine of half of it.
    if (near && 1 - Math.abs(same) < 1e-9) return;
    this.rigid.setTransform(to, [rotation.x, rotation.y, rotation.z, rotation.w]);
  }

  /** Keeps its velocities within limits; infinite ones keep nothing. */
  limitSpeed(linear: number, angular: number): void {
    if (!this.isDynamic || this.rigid.isSleeping()) return;
    const within = (v: Vec3, limit: number): Vec3 | null => {
      const speed = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      return speed > limit ? (v.map((c) => (c * limit) / speed) as Vec3) : null;
    };
    const v = within(this.rigid.getLinearVelocity(), linear);
    if (v !== null) this.rigid.setLinearVelocity(v);
    const w = within(this.rigid.getAngularVelocity(), angular);
    if (w !== null) this.rigid.setAngularVelocity(w);
  }

  /** Takes it out of the world. */
  remove(): void {
    for (const joint of [...this.joints]) joint.lose();
    for (const { id } of this.pieces) this.host.leaves.delete(id);
    this.pieces = [];
    this.shape?.bodies.delete(this);
    this.host._bodies.delete(this.rigid.id);
    this.host.damped.delete(this);
    if (!this.rigid.isRemoved) this.rigid.remove();
  }
}

/** As Babylon has them. */
export function toBabylon({
  centerOfMass,
  mass,
  inertia,
  inertiaOrientation,
}: Masses): PhysicsMassProperties {
  return {
    centerOfMass: Vector3.FromArray(centerOfMass),
    mass,
    inertia: Vector3.FromArray(inertia),
    inertiaOrientation: Quaternion.FromArray(inertiaOrientation),
  };
}
