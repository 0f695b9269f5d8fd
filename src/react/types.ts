// The vocabulary of the React components: props with the names of @react-three/rapier where they mean the same.
// In: nothing. Out: types only.
import type { ThreeElements } from '@react-three/fiber';
import type { ReactNode, Ref } from 'react';
import type { Contact, PhysicsWorld, WorldBody } from 'ricochet';
import type { Object3D } from 'three';
import type { ColliderApi } from './colliderApi';
import type { Manifold } from './manifold';
import type { RigidBodyApi } from './rigidBodyApi';

/** The world of a `<Physics>`: a `World` in the page or the client of a worker. */
export type AnyWorld = PhysicsWorld;

export type Vector3Tuple = [x: number, y: number, z: number];
export type Boolean3Tuple = [x: boolean, y: boolean, z: boolean];
/** What setters take: a vector of three.js, or any object with x, y, z. */
export type Vector3Object = { x: number; y: number; z: number };
export type QuaternionObject = { x: number; y: number; z: number; w: number };

export type RigidBodyTypeString = 'fixed' | 'dynamic' | 'kinematicPosition' | 'kinematicVelocity';
/** Which shape the meshes below a body get: of the bounding box, the bounding sphere, the hull or the triangles. */
export type RigidBodyAutoCollider = 'ball' | 'cuboid' | 'hull' | 'trimesh' | false;

export type CuboidArgs = [halfWidth: number, halfHeight: number, halfDepth: number];
export type RoundCuboidArgs = [
  halfWidth: number,
  halfHeight: number,
  halfDepth: number,
  borderRadius: number,
];
export type BallArgs = [radius: number];
export type CapsuleArgs = [halfHeight: number, radius: number];
export type CylinderArgs = [halfHeight: number, radius: number];
export type RoundCylinderArgs = [halfHeight: number, radius: number, borderRadius: number];
export type ConeArgs = [halfHeight: number, radius: number];
export type RoundConeArgs = [halfHeight: number, radius: number, borderRadius: number];
export type ConvexHullArgs = [vertices: ArrayLike<number>];
export type TrimeshArgs = [vertices: ArrayLike<number>, indices: ArrayLike<number>];
/** `heights` in columns, as Rapier has them: `(rows + 1) · (columns + 1)` numbers, the rows along z. */
export type HeightfieldArgs = [
  rows: number,
  columns: number,
  heights: ArrayLike<number>,
  scale: Vector3Object,
];

export type ColliderShape =
  | 'ball'
  | 'cuboid'
  | 'roundCuboid'
  | 'capsule'
  | 'cylinder'
  | 'roundCylinder'
  | 'cone'
  | 'roundCone'
  | 'convexHull'
  | 'convexMesh'
  | 'trimesh'
  | 'heightfield';

/** Membership in the upper 16 bits, filter in the lower: see `interactionGroups`. */
export type InteractionGroups = number;

/** One side of an event. */
export interface CollisionTarget {
  /** undefined for a collider that stands alone, and for a body that no component made. */
  rigidBody?: RigidBodyApi | undefined;
  /** undefined for a shape that no component made. */
  collider?: ColliderApi | undefined;
  rigidBodyObject?: Object3D | undefined;
  colliderObject?: Object3D | undefined;
}

export interface CollisionPayload extends CollisionTarget {
  target: CollisionTarget;
  /** Also spread over the payload itself, as older code of @react-three/rapier reads it. */
  other: CollisionTarget;
}

export interface CollisionEnterPayload extends CollisionPayload {
  manifold: Manifold;
  /** The manifold's normal points from `other` to `target`. */
  flipped: boolean;
  /** The contact as ricochet tells it. */
  contact: Contact<WorldBody>;
}
export type CollisionExitPayload = CollisionPayload;
export type IntersectionEnterPayload = CollisionPayload;
export type IntersectionExitPayload = CollisionPayload;

/** N, along the normals only. The directions point away from the first body of `contact`. */
export interface ContactForcePayload extends CollisionPayload {
  totalForce: Vector3Object;
  totalForceMagnitude: number;
  maxForceDirection: Vector3Object;
  maxForceMagnitude: number;
  contact: Contact<WorldBody>;
}

export type CollisionEnterHandler = (payload: CollisionEnterPayload) => void;
export type CollisionExitHandler = (payload: CollisionExitPayload) => void;
export type IntersectionEnterHandler = (payload: IntersectionEnterPayload) => void;
export type IntersectionExitHandler = (payload: IntersectionExitPayload) => void;
export type ContactForceHandler = (payload: ContactForcePayload) => void;

/** What bodies and colliders both tell of. */
export interface ContactHandlers {
  onCollisionEnter?: CollisionEnterHandler | undefined;
  onCollisionExit?: CollisionExitHandler | undefined;
  /** One of the two is a sensor. */
  onIntersectionEnter?: IntersectionEnterHandler | undefined;
  onIntersectionExit?: IntersectionExitHandler | undefined;
  /** In every step in which the two push each other. */
  onContactForce?: ContactForceHandler | undefined;
}

export interface BodyHandlers extends ContactHandlers {
  onSleep?: (() => void) | undefined;
  onWake?: (() => void) | undefined;
}

type ObjectProps = ThreeElements['object3D'];

/** Place of an object among its parents, as every object of three.js takes it. */
export interface PlaceProps {
  position?: ObjectProps['position'];
  rotation?: ObjectProps['rotation'];
  quaternion?: ObjectProps['quaternion'];
  scale?: ObjectProps['scale'];
}

/** Props of @react-three/rapier that have no effect here, with a warning where one would be missed. */
export interface MissingProps {
  solverGroups?: InteractionGroups | undefined;
  frictionCombineRule?: number | undefined;
  restitutionCombineRule?: number | undefined;
  principalAngularInertia?: Vector3Tuple | undefined;
  dominanceGroup?: number | undefined;
  additionalSolverIterations?: number | undefined;
  softCcdPrediction?: number | undefined;
}

/** Of the surface and matter of colliders; a body hands its own down to its colliders. */
export interface MaterialProps extends MissingProps {
  /** Coulomb friction, ≥ 0. Default 0.5. */
  friction?: number | undefined;
  /** 0 … 1. Default 0. */
  restitution?: number | undefined;
  /** kg/m³. Default 1, as Rapier's. */
  density?: number | undefined;
  /** kg of this collider; of a body: of all of it. */
  mass?: number | undefined;
  /** Only tells that something is inside of it. Default false. */
  sensor?: boolean | undefined;
  /** Extra distance that it keeps, m: a margin of hulls, cones, meshes and heightfields only. Default 0. */
  contactSkin?: number | undefined;
  /** See `interactionGroups`; a collider's must be its body's. Default: all. */
  collisionGroups?: InteractionGroups | undefined;
  /** Which kinds of bodies tell events of each other: `ActiveCollisionTypes`. Default: those where one is dynamic. */
  activeCollisionTypes?: number | undefined;
}

export interface ColliderOptions<Args extends readonly unknown[] = readonly unknown[]>
  extends PlaceProps,
    MaterialProps,
    ContactHandlers {
  name?: string | undefined;
  shape?: ColliderShape | undefined;
  args?: Args | undefined;
  /** kg, m, kg·m²: of the whole body; of one collider of a body at most. */
  massProperties?:
    | { mass: number; centerOfMass: Vector3Object; principalAngularInertia: Vector3Object }
    | undefined;
}

export interface ColliderProps<Args extends readonly unknown[] = readonly unknown[]>
  extends ColliderOptions<Args> {
  children?: ReactNode;
  ref?: Ref<ColliderApi>;
}

export type ColliderOptionsRequiredArgs<Args extends readonly unknown[]> = Omit<
  ColliderProps<Args>,
  'args' | 'shape'
> & {
  args: Args;
};

/** How a body moves; everything changes a living body in place. */
export interface RigidBodyOptions extends PlaceProps, MaterialProps, BodyHandlers {
  /** Default 'dynamic'. */
  type?: RigidBodyTypeString | undefined;
  /** Of the meshes below it. Default: `<Physics colliders>`. */
  colliders?: RigidBodyAutoCollider | undefined;
  /** m/s, rad/s: set when the prop changes. */
  linearVelocity?: Vector3Tuple | undefined;
  angularVelocity?: Vector3Tuple | undefined;
  /** 1/s: without forces the velocity falls as e^(−damping · t). Default 0. */
  linearDamping?: number | undefined;
  angularDamping?: number | undefined;
  /** Default 1. */
  gravityScale?: number | undefined;
  /** Default true. */
  canSleep?: boolean | undefined;
  /** Swept against everything, moving bodies included. Default false: what is fast is swept against static ones. */
  ccd?: boolean | undefined;
  /** Along or about the world's axes. */
  lockTranslations?: boolean | undefined;
  lockRotations?: boolean | undefined;
  enabledTranslations?: Boolean3Tuple | undefined;
  enabledRotations?: Boolean3Tuple | undefined;
  /** What triangles on a dynamic body become: the hull of their vertices, or an error. Default 'hull', with a warning. */
  dynamicMesh?: 'hull' | 'error' | undefined;
  /** Invisible meshes get colliders, too. Default false. */
  includeInvisible?: boolean | undefined;
  name?: string | undefined;
  userData?: ObjectProps['userData'];
}

export interface RigidBodyProps extends RigidBodyOptions {
  children?: ReactNode;
  ref?: Ref<RigidBodyApi>;
}
