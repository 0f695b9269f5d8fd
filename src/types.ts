// The vocabulary of the public API: plain option objects, shared by the in-process World, the worker
// client, the demo scenes, the tests and the benchmark.

/** A vector in metres (or m/s, N …): `[x, y, z]`, a typed array, or anything with x, y, z (three.js, Babylon, PlayCanvas). */
export type Vec3Like = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number };

/** A rotation as a unit quaternion: `[x, y, z, w]` or anything with x, y, z, w. Normalised on entry. */
export type QuatLike =
  | ArrayLike<number>
  | { readonly x: number; readonly y: number; readonly z: number; readonly w: number };

export type BodyType = 'static' | 'kinematic' | 'dynamic';
export type ActivationState =
  | 'active'
  | 'sleeping'
  | 'wantsDeactivation'
  | 'disableDeactivation'
  | 'disableSimulation';
export type CombineRule = 'multiply' | 'average' | 'minimum' | 'maximum' | 'geometricMean';
export type Axis = 'x' | 'y' | 'z';

/** Surface and placement, common to every shape. */
export interface ShapeCommon {
  /** Coulomb friction coefficient, ≥ 0. Default 0.5 (Bullet). */
  friction?: number;
  /** Coefficient of restitution, 0…1. Default 0. */
  restitution?: number;
  /** Rolling friction: lever arm in metres, ≥ 0. Default 0. */
  rollingFriction?: number;
  /** Spinning friction about the normal: lever arm in metres, ≥ 0. Default 0. */
  spinningFriction?: number;
  /** Place of the shape in the body's frame. Default origin. */
  position?: Vec3Like;
  /** Rotation of the shape in the body's frame. Default identity. */
  rotation?: QuatLike;
  /** kg/m³; sets the body's mass where the body gives none. Default 1000. */
  density?: number;
  /** A sensor reports contacts and is never solved. Default false. */
  sensor?: boolean;
  /** Free integer for the user, e.g. a material index. Default 0. */
  userIndex?: number;
}
export type ShapeOptions = ShapeCommon &
  (
    | { type: 'sphere'; radius: number }
    | { type: 'box'; halfExtents: Vec3Like }
    /** `halfHeight` is half the length of the inner segment (Bullet's `height / 2`); the whole is `2·(halfHeight + radius)` long. */
    | { type: 'capsule'; radius: number; halfHeight: number; axis?: Axis }
    /** The half-space below the plane through the shape's place; static bodies only. `offset` moves it along the normal. */
    | { type: 'plane'; normal?: Vec3Like; offset?: number }
  );

export interface BodyOptions {
  /** Default: 'dynamic', or 'static' when mass is 0 is asked for (Bullet's rule). */
  type?: BodyType;
  /** One shape or several. */
  shape?: ShapeOptions | readonly ShapeOptions[];
  position?: Vec3Like;
  rotation?: QuatLike;
  linearVelocity?: Vec3Like;
  angularVelocity?: Vec3Like;
  /** kg, > 0 for a dynamic body. Default: from the shapes' densities. */
  mass?: number;
  /** Principal moments in the body's frame, kg·m². Default: from the shapes, scaled to `mass`. */
  inertia?: Vec3Like;
  /** Centre of mass in the body's frame. Default: from the shapes. */
  centerOfMass?: Vec3Like;
  /** Share of the velocity lost in a second, 0…1. Default 0. */
  linearDamping?: number;
  /** As linearDamping, of the angular velocity. */
  angularDamping?: number;
  /** Factor on the world's gravity. Default 1. */
  gravityScale?: number;
  /** Per world axis: 0 locks the motion. Default [1, 1, 1]. */
  linearFactor?: Vec3Like;
  angularFactor?: Vec3Like;
  /** Collision filter, Bullet's bits. Default: dynamic 1 / −1, static and kinematic 2 / ~2. */
  group?: number;
  mask?: number;
  /** m/s, rad/s. Default 0.8, 1.0 (Bullet). */
  linearSleepingThreshold?: number;
  angularSleepingThreshold?: number;
  activationState?: ActivationState;
  ccdMotionThreshold?: number;
  ccdSweptSphereRadius?: number;
  /** false: contacts are reported and never solved (Bullet's CF_NO_CONTACT_RESPONSE). Default true. */
  contactResponse?: boolean;
  /** Free integer for the user. Default 0. */
  userIndex?: number;
}

export type Profile = 'native' | 'bullet3' | 'bullet282';

/** Everything that tunes the step; docs/step.md has defaults per profile and Bullet's names. */
export interface WorldSettings {
  /** Solver steps per fixed step, 1…64. */
  substeps: number;
  /** Solver passes with bias per substep, 0…1000. */
  iterations: number;
  /** Passes that take the bias's velocity back, 0…1000; 0 is Bullet without split impulse. */
  relaxIterations: number;
  /** Friction in the passes with bias, too. */
  frictionWithBias: boolean;
  /** false: contactHertz and contactDampingRatio; true: contactErp and contactCfm. */
  contactErpMode: boolean;
  /** Hz, > 0. Stiffness of contacts. */
  contactHertz: number;
  /** ≥ 0; 1 is critical. */
  contactDampingRatio: number;
  /** Factor on contactHertz where one side cannot move, > 0. */
  staticStiffness: number;
  /** Share of the overlap removed per substep, 0…1. */
  contactErp: number;
  /** Softness of contacts, ≥ 0. */
  contactCfm: number;
  /** m/s. Fastest removal of overlap. */
  contactPushSpeed: number;
  /** m. Overlap that is left alone. */
  contactSlop: number;
  /** Share of the last step's impulses to begin with, 0…1. */
  warmstartingFactor: number;
  /** m/s. Slower impacts do not bounce. */
  restitutionThreshold: number;
  /** m, > 0. Distance below which contact points are kept. */
  contactBreakingThreshold: number;
  /** m. Relative motion of two bodies for which their manifold is reused. */
  recycleDistance: number;
  /** Degrees, 0…179. Largest rotation of a body for which its manifolds are reused. */
  recycleAngle: number;
  /** m. Fattening of boxes in the broad phase. */
  aabbMargin: number;
  /** false: nothing ever sleeps. */
  sleeping: boolean;
  /** s of rest before an island may sleep. */
  deactivationTime: number;
  frictionCombine: CombineRule;
  restitutionCombine: CombineRule;
  /** The gyroscopic torque of spinning bodies. */
  gyroscopic: boolean;
  /** Smooth motion integrated to second order. */
  parabolicFlight: boolean;
  /** Reserved: rolling friction combines by Bullet 3's rule. */
  rollingFrictionCombine: CombineRule;
}

export interface WorldOptions extends Partial<WorldSettings> {
  /** m/s². Default [0, −9.81, 0] in the native profile, [0, −10, 0] (Bullet's own default) in the Bullet profiles. */
  gravity?: Vec3Like;
  /** Named set of settings that the others override. Default 'native'. */
  profile?: Profile;
  /** Event types to record from the start; true for all. What `on` subscribes to is recorded anyway. Default none. */
  events?: boolean | readonly EventType[];
  /** Most bodies, and most shapes, 1 … 262,143. Default 262,143. */
  maxBodies?: number;
  /** Measure the stages of the step. Default false. */
  profiling?: boolean;
}

/** What a world reports after a step. */
export type EventType = 'contactBegin' | 'contactStay' | 'contactEnd' | 'sleep' | 'wake';

/** Anything that getters can fill: an array, a typed array, or an object with `set(x, y, z)` or x, y, z. */
export type Vec3Out =
  | { [index: number]: number; readonly length: number }
  | { set(x: number, y: number, z: number): unknown }
  | { x: number; y: number; z: number };
/** As Vec3Out, with w. */
export type QuatOut =
  | { [index: number]: number; readonly length: number }
  | { set(x: number, y: number, z: number, w: number): unknown }
  | { x: number; y: number; z: number; w: number };
