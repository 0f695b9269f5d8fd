// Types of the React components: props with the names of @react-three/rapier for the same things. In: nothing. Out:
// types only.
import type { ThreeElements } from '@react-three/fiber';
import type { ReactNode, Ref } from 'react';
import type { Contact, PhysicsWorld, WorldBody } from 'ricochet';
import type { Object3D } from 'three';
import type { ColliderApi } from './colliderApi';
import type { Manifold } from './manifold';
import type { CoefficientCombineRule } from './math';
import type { RigidBodyApi } from './rigidBodyApi';

/** The world of a `<Physics>`: a `World` in the page or the client of a worker. */
export type AnyWorld = PhysicsWorld;

/** Three numbers: x, y, z. */
export type Vector3Tuple = [x: number, y: number, z: number];
/** One boolean for each of x, y, z. */
export type Boolean3Tuple = [x: boolean, y: boolean, z: boolean];
/** Argument of setters: a vector of three.js, or any object with x, y, z. */
export type Vector3Object = { x: number; y: number; z: number };
/** A quaternion as an object. */
export type QuaternionObject = { x: number; y: number; z: number; w: number };

/** Rapier's names of the types of bodies. */
export type RigidBodyTypeString = 'fixed' | 'dynamic' | 'kinematicPosition' | 'kinematicVelocity';
/** Which shape the meshes below a body get: of the bounding box, the bounding sphere, the hull or the triangles. */
export type RigidBodyAutoCollider = 'ball' | 'cuboid' | 'hull' | 'trimesh' | false;

/** Half extents, m. */
export type CuboidArgs = [halfWidth: number, halfHeight: number, halfDepth: number];
/** Half extents and radius of the edges, m. */
export type RoundCuboidArgs = [
  halfWidth: number,
  halfHeight: number,
  halfDepth: number,
  borderRadius: number,
];
/** Radius, m. */
export type BallArgs = [radius: number];
/** Half length of the segment along y, and radius, m. */
export type CapsuleArgs = [halfHeight: number, radius: number];
/** Half height along y, and radius, m. */
export type CylinderArgs = [halfHeight: number, radius: number];
/** Half height along y, radius, and radius of the edges, m. */
export type RoundCylinderArgs = [halfHeight: number, radius: number, borderRadius: number];
/** Half height along y, and radius of the base, m. */
export type ConeArgs = [halfHeight: number, radius: number];
/** Half height along y, radius of the base, and radius of the edges, m. */
export type RoundConeArgs = [halfHeight: number, radius: number, borderRadius: number];
/** x, y, z of each point, m. */
export type ConvexHullArgs = [vertices: ArrayLike<number>];
/** x, y, z of each vertex, m, and three vertices of each triangle. */
export type TrimeshArgs = [vertices: ArrayLike<number>, indices: ArrayLike<number>];
/** `heights` in columns, as Rapier has them: `(rows + 1) · (columns + 1)` numbers, the rows along z. */
export type HeightfieldArgs = [
  rows: number,
  columns: number,
  heights: ArrayLike<number>,
  scale: Vector3Object,
];

/** Rapier's names of the types of shapes. */
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
  /** The object that shows the body. */
  rigidBodyObject?: Object3D | undefined;
  /** The object that stands for the collider. */
  colliderObject?: Object3D | undefined;
}

/** Argument of collision listeners: both sides. */
export interface CollisionPayload extends CollisionTarget {
  /** The side whose listener is called. */
  target: CollisionTarget;
  /** Also spread over the payload itself, as older code of @react-three/rapier reads it. */
  other: CollisionTarget;
}

/** A collision that begins. */
export interface CollisionEnterPayload extends CollisionPayload {
  /** Its contact points. */
  manifold: Manifold;
  /** The manifold's normal points from `other` to `target`. */
  flipped: boolean;
  /** Ricochet's own contact event. */
  contact: Contact<WorldBody>;
}
/** A collision that ended. */
export type CollisionExitPayload = CollisionPayload;
/** Something entered a sensor. */
export type IntersectionEnterPayload = CollisionPayload;
/** Something left a sensor. */
export type IntersectionExitPayload = CollisionPayload;

/** N, along the normals only. The directions point away from the first body of `contact`. */
export interface ContactForcePayload extends CollisionPayload {
  /** Sum of the forces, N. */
  totalForce: Vector3Object;
  /** Sum of the sizes of the forces, N. */
  totalForceMagnitude: number;
  /** Unit: of the largest force. */
  maxForceDirection: Vector3Object;
  /** Size of the largest force, N. */
  maxForceMagnitude: number;
  /** The engine's own contact. */
  contact: Contact<WorldBody>;
}

/** A listener. */
export type CollisionEnterHandler = (payload: CollisionEnterPayload) => void;
/** A listener. */
export type CollisionExitHandler = (payload: CollisionExitPayload) => void;
/** A listener. */
export type IntersectionEnterHandler = (payload: IntersectionEnterPayload) => void;
/** A listener. */
export type IntersectionExitHandler = (payload: IntersectionExitPayload) => void;
/** A listener. */
export type ContactForceHandler = (payload: ContactForcePayload) => void;

/** What bodies and colliders both tell of. */
export interface ContactHandlers {
  /** Two shapes begin to press on each other. */
  onCollisionEnter?: CollisionEnterHandler | undefined;
  /** They press no more. */
  onCollisionExit?: CollisionExitHandler | undefined;
  /** One of the two is a sensor. */
  onIntersectionEnter?: IntersectionEnterHandler | undefined;
  /** What was in a sensor has left it. */
  onIntersectionExit?: IntersectionExitHandler | undefined;
  /** In every step in which the two push each other. */
  onContactForce?: ContactForceHandler | undefined;
}

/** Listeners of a body. */
export interface BodyHandlers extends ContactHandlers {
  /** It fell asleep. */
  onSleep?: (() => void) | undefined;
  /** It woke. */
  onWake?: (() => void) | undefined;
}

type ObjectProps = ThreeElements['object3D'];

/** Place of an object among its parents, as every object of three.js takes it. */
export interface PlaceProps {
  /** Place in the parent's frame, m. */
  position?: ObjectProps['position'];
  /** Euler angles in the parent's frame, rad. */
  rotation?: ObjectProps['rotation'];
  /** Instead of `rotation`. */
  quaternion?: ObjectProps['quaternion'];
  /** Of the shape. */
  scale?: ObjectProps['scale'];
}

/** Props of @react-three/rapier that have no effect here, with a warning where one would be missed. */
export interface MissingProps {
  /** Has no effect. */
  solverGroups?: InteractionGroups | undefined;
  /** Has no effect. */
  principalAngularInertia?: Vector3Tuple | undefined;
  /** Has no effect. */
  dominanceGroup?: number | undefined;
  /** Has no effect. */
  additionalSolverIterations?: number | undefined;
  /** Has no effect. */
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
  /** See `interactionGroups`. A collider's own come before its body's. Default: all. */
  collisionGroups?: InteractionGroups | undefined;
  /**
   * How the friction of two colliders becomes one: `CoefficientCombineRule`. Of two rules the larger number counts. Default
   * that of `settings.frictionCombine` of `<Physics>`, the average.
   */
  frictionCombineRule?: CoefficientCombineRule | undefined;
  /** As `frictionCombineRule`, for restitution. */
  restitutionCombineRule?: CoefficientCombineRule | undefined;
  /** Which kinds of bodies tell events of each other: `ActiveCollisionTypes`. Default: those where one is dynamic. */
  activeCollisionTypes?: number | undefined;
}

/** What a collider is. */
export interface ColliderOptions<Args extends readonly unknown[] = readonly unknown[]>
  extends PlaceProps,
    MaterialProps,
    ContactHandlers {
  /** Name of the object. */
  name?: string | undefined;
  /** Type of the shape. */
  shape?: ColliderShape | undefined;
  /** Sizes, as the type has them. */
  args?: Args | undefined;
  /** kg, m, kg·m²: of the whole body; of one collider of a body at most. */
  massProperties?:
    | { mass: number; centerOfMass: Vector3Object; principalAngularInertia: Vector3Object }
    | undefined;
}

/** Props of a collider component. */
export interface ColliderProps<Args extends readonly unknown[] = readonly unknown[]>
  extends ColliderOptions<Args> {
  /** What moves with it. */
  children?: ReactNode;
  /** Gets the ColliderApi. */
  ref?: Ref<ColliderApi>;
}

/** Props of a component whose sizes have no default. */
export type ColliderOptionsRequiredArgs<Args extends readonly unknown[]> = Omit<
  ColliderProps<Args>,
  'args' | 'shape'
> & {
  /** Sizes, as the type has them. */
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
  /** rad/s, at the start. */
  angularVelocity?: Vector3Tuple | undefined;
  /** 1/s: without forces a step of 1/60 s divides the velocity by 1 + damping / 60. Default 0. */
  linearDamping?: number | undefined;
  /** 1/s, as linearDamping. */
  angularDamping?: number | undefined;
  /** Default 1. */
  gravityScale?: number | undefined;
  /** Default true. */
  canSleep?: boolean | undefined;
  /** Swept against everything, moving bodies included. Default false: what is fast is swept against static ones. */
  ccd?: boolean | undefined;
  /** Along or about the world's axes. */
  lockTranslations?: boolean | undefined;
  /** True: it does not turn. */
  lockRotations?: boolean | undefined;
  /** Axes of the world along which it may move. */
  enabledTranslations?: Boolean3Tuple | undefined;
  /** Axes of the world about which it may turn. */
  enabledRotations?: Boolean3Tuple | undefined;
  /**
   * What triangles on a dynamic body become: the hull of their vertices, their parts as hulls (`decompose` of ricochet/cooking:
   * up to seconds for each geometry, once), or an error. Default 'hull', with a warning.
   */
  dynamicMesh?: 'hull' | 'decompose' | 'error' | undefined;
  /** Invisible meshes get colliders, too. Default false. */
  includeInvisible?: boolean | undefined;
  /** Name of the object. */
  name?: string | undefined;
  /** Of the object. */
  userData?: ObjectProps['userData'];
}

/** Props of RigidBody. */
export interface RigidBodyProps extends RigidBodyOptions {
  /** What moves with it. */
  children?: ReactNode;
  /** Gets the RigidBodyApi. */
  ref?: Ref<RigidBodyApi>;
}
