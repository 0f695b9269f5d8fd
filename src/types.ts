// The vocabulary of the public API: plain option objects, shared by the in-process World, the worker
// client, the demo scenes, the tests and the benchmark.

import type { Geometry as CookedGeometry } from './cooking/geometries';
import type { JointTypeOptions } from './options/jointTypes';

export type { JointAxisName, JointTypeOptions, RotationOrder } from './options/jointTypes';
export type { CookedGeometry };

/** A vector in metres (or m/s, N …): `[x, y, z]`, a typed array, or anything with x, y, z (three.js, Babylon, PlayCanvas). */
export type Vec3Like =
  | ArrayLike<number>
  /** An object with x, y, z, like those of three.js. */
  | { readonly x: number; readonly y: number; readonly z: number };

/** A rotation as a unit quaternion: `[x, y, z, w]` or anything with x, y, z, w. Normalised on entry. */
export type QuatLike =
  | ArrayLike<number>
  /** An object with x, y, z, w, like those of three.js. */
  | { readonly x: number; readonly y: number; readonly z: number; readonly w: number };

/** 'static' never moves, 'kinematic' follows given targets or velocities, 'dynamic' is moved by forces and contacts. */
export type BodyType = 'static' | 'kinematic' | 'dynamic';
/** Bullet's activation states: ACTIVE_TAG, ISLAND_SLEEPING, WANTS_DEACTIVATION, DISABLE_DEACTIVATION, DISABLE_SIMULATION. */
export type ActivationState =
  | 'active'
  | 'sleeping'
  | 'wantsDeactivation'
  | 'disableDeactivation'
  | 'disableSimulation';
/** How the coefficients of two shapes in contact are combined. Bullet: 'multiply'. */
export type CombineRule = 'multiply' | 'average' | 'minimum' | 'maximum' | 'geometricMean';
/** 'crossFriction': each one's rolling friction times the other's friction, summed, as Bullet 3 does. */
export type RollingCombineRule = CombineRule | 'crossFriction';
/** An axis of a shape's own frame. */
export type Axis = 'x' | 'y' | 'z';

/** The surface velocity of a conveyor, an escalator, a turntable or a track; the body itself does not move. */
export interface SurfaceVelocity {
  /** m/s along the body's own axes. Default 0. */
  linear?: Vec3Like;
  /** rad/s about the body's origin, along its own axes. Default 0. */
  angular?: Vec3Like;
}

/** How an attraction or an explosion weakens with distance. */
export type Falloff = 'constant' | 'linear' | 'quadratic';

/**
 * The effect of an area: a sensor that acts on the dynamic bodies that touch it. Vectors are in the frame of the area's
 * body and turn with it. Static bodies, kinematic bodies and sensors are not affected.
 */
export interface AreaOptions {
  /** m/s². Default none. */
  gravity?: Vec3Like;
  /**
   * Acceleration towards the shape's origin: `strength` in m/s² at `distance` (m, > 0; default 1). Beyond `distance` it is
   * constant, or falls with the distance or its square (default 'quadratic'). Inside it falls linearly to 0 at the origin.
   */
  attraction?: { strength: number; distance?: number; falloff?: Falloff };
  /** 'add' to the world's gravity (default), or 'replace' it: the area with the highest priority that replaces it wins. */
  gravityMode?: 'add' | 'replace';
  /** An integer, −100 to 100. Default 0. */
  priority?: number;
  /** Velocity of the medium (wind, current), m/s, relative to the area's body. Drag acts against it. Default 0. */
  velocity?: Vec3Like;
  /** Linear drag coefficient, 1/s, ≥ 0: deceleration per m/s of relative velocity. Default 0. */
  linearDrag?: number;
  /** Quadratic drag coefficient, 1/m, ≥ 0: ½ρ·c·A/m of a body. Default 0. */
  quadraticDrag?: number;
  /** Angular drag coefficient, 1/s, ≥ 0. Default 0. */
  angularDrag?: number;
  /** Density of the fluid, kg/m³. Bodies are buoyant, and drag is scaled by the submerged share. Default 0: no fluid. */
  density?: number;
  /** Fluid level, m along the body's y axis from its origin. Default the highest point of the shape. */
  level?: number;
}

/** Options of an explosion. */
export interface ExplosionOptions {
  /** How the impulse falls to 0 at the radius. 'constant': the same within the radius. Default 'linear'. */
  falloff?: Falloff;
  /** Scale the impulse by the share of seven rays that reach the body. Default true. */
  occlusion?: boolean;
  /** Collision group bits of the explosion. Default 1. */
  group?: number;
  /** Bits of the groups that it affects. Default all. */
  mask?: number;
}

/** Options of a shape that can be changed later: see BodyHandle.updateShape. `null` restores the default. */
export interface ShapeChanges {
  /** Bits of the shape's own collision filter, in place of the body's. Default the body's; 1 if only `mask` is given. */
  group?: number | null;
  /** Bits of the groups that the shape collides with. Default the body's; all if only `group` is given. */
  mask?: number | null;
  /**
   * How this shape's friction and the other's are combined. Default: the world's rule. If both shapes have a rule, the one
   * with the higher `combinePriority` is used; at equal priority the first of 'maximum', 'multiply', 'minimum', 'average',
   * 'geometricMean'.
   */
  frictionCombine?: CombineRule | null;
  /** As frictionCombine, for restitution. */
  restitutionCombine?: CombineRule | null;
  /** An integer, −100 to 100. Default 0. */
  combinePriority?: number | null;
  /** Surface velocity, which friction follows. Default none. */
  surfaceVelocity?: SurfaceVelocity | null;
  /**
   * A direction in the body's frame. Dynamic bodies pass through the shape along it, and are stopped in the opposite
   * direction. Only for convex shapes and planes. Default none: solid from all sides.
   */
  oneWay?: Vec3Like | null;
  /** Makes the shape an area: a sensor that acts on the bodies in it. Only for convex shapes and planes. Default none. */
  area?: AreaOptions | null;
}

/** Surface and placement, common to every shape. */
export interface ShapeCommon extends ShapeChanges {
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
  /** kg/m³; gives the body's mass if the body has no option `mass`. Default 1000. */
  density?: number;
  /**
   * m, Bullet's collision margin: hulls, cones, tetrahedra, triangles, meshes and heightfields touch this far
   * from their surface; for all other shapes it is part of their size, as in Bullet. Default 0; in the Bullet
   * profiles 0.04 for hulls, cones, tetrahedra and triangles.
   */
  margin?: number;
  /**
   * A sensor reports when it begins and ends to touch a shape ('contactBegin' and 'contactEnd', without points), and is
   * never solid. The other shape may be kinematic, asleep or a sensor itself. A sensor wakes no body. On a static body it
   * does not report other static bodies: see `sensesStatic`. Default false.
   */
  sensor?: boolean;
  /**
   * For a sensor of a static body: also reports static bodies that it touches, such as the ground, as Bullet's ghosts do.
   * Default false.
   */
  sensesStatic?: boolean;
  /**
   * For a mesh or heightfield with a margin: spheres touch the surface itself, all other shapes the margin, as in Bullet.
   * Default false; always true in the Bullet profiles.
   */
  bareToBalls?: boolean;
  /** Free integer for the user, e.g. a material index. Default 0. */
  userIndex?: number;
}
/** A shape: its type, its sizes in m (1e-5 to 1e7), and the options of all shapes (ShapeCommon). */
export type ShapeOptions = ShapeCommon &
  (
    | { type: 'sphere'; radius: number }
    /** Along the shape's own x, y, z, from its centre. */
    | { type: 'box'; halfExtents: Vec3Like }
    /** `halfHeight` is half the length of the inner segment (Bullet's `height / 2`); the total length is `2·(halfHeight + radius)`. */
    | { type: 'capsule'; radius: number; halfHeight: number; axis?: Axis }
    /** Along `axis` (default y); the origin is the centre. */
    | { type: 'cylinder'; radius: number; halfHeight: number; axis?: Axis }
    /** Its apex at +halfHeight along `axis` (default y), its base at −halfHeight. */
    | { type: 'cone'; radius: number; halfHeight: number; axis?: Axis }
    /** The convex hull of points, given as vectors or as one flat list; at most the 64 outermost vertices are kept. */
    | { type: 'hull'; points: ArrayLike<number> | readonly Vec3Like[]; geometry?: undefined }
    /** A hull that was cooked before: see `cookHull`. */
    | { type: 'hull'; geometry: CookedGeometry; points?: undefined }
    /** The hull of four points. */
    | { type: 'tetrahedron'; points: ArrayLike<number> | readonly Vec3Like[] }
    /** Three points without thickness; both sides collide. Its mass is that of a sheet of 1 mm. */
    | { type: 'triangle'; points: ArrayLike<number> | readonly Vec3Like[] }
    /** The hull of up to 32 balls (Bullet's btMultiSphereShape). */
    | { type: 'multiSphere'; spheres: readonly SphereOptions[] }
    /** Triangles, static or kinematic: see `mesh` and `cookMesh`. `scale`, one number or three, may mirror. */
    | {
        type: 'mesh';
        geometry: CookedGeometry;
        scale?: number | Vec3Like;
        /**
         * What it is on a dynamic body: its parts as hulls (`decompose` says how, and takes seconds for a large mesh: better
         * its result, made before), its hull, or refused, the default. On other bodies it stays a mesh.
         */
        dynamic?: 'decompose' | 'hull' | 'error' | { readonly hulls: readonly CookedGeometry[] };
      }
    /** A grid of heights, static or kinematic: see `heightfield` and `cookHeightfield`. */
    | { type: 'heightfield'; geometry: CookedGeometry; scale?: number | Vec3Like }
    /** The half-space below the plane through the shape's place; static bodies only. `offset` moves it along the normal. */
    | { type: 'plane'; normal?: Vec3Like; offset?: number }
  );

/** A ball of a multi-sphere. */
export interface SphereOptions {
  /** m, each component up to ±1e7. Default origin. */
  position?: Vec3Like;
  /** m, 1e-5 … 1e7. */
  radius: number;
}

/** Options of a new body. All are optional. */
export interface BodyOptions {
  /** Default: 'dynamic', or 'static' if `mass` is 0 (Bullet's rule). */
  type?: BodyType;
  /**
   * One shape or several; `[]` for none. If this option is absent, and a dynamic body still has neither shape nor joint at
   * the next step, it would fall for ever: the console shows a warning, once per world.
   */
  shape?: ShapeOptions | readonly ShapeOptions[];
  /** Of the body's own origin in the world, m. Default origin. */
  position?: Vec3Like;
  /** A unit quaternion x, y, z, w; others are normalized. Default none. */
  rotation?: QuatLike;
  /** Of the centre of mass, m/s. Default 0. */
  linearVelocity?: Vec3Like;
  /** rad/s about the world's axes. Default 0. */
  angularVelocity?: Vec3Like;
  /** kg, > 0 for a dynamic body. Default: from the shapes' densities. */
  mass?: number;
  /** Principal moments in the body's frame, kg·m². Default: from the shapes, scaled to `mass`. */
  inertia?: Vec3Like;
  /** The rotation of the axes of `inertia` in the body's frame; only beside it. A unit quaternion. Default none. */
  inertiaOrientation?: QuatLike;
  /** Centre of mass in the body's frame. Default: from the shapes. */
  centerOfMass?: Vec3Like;
  /** Linear damping: share of the velocity lost per second, 0…1. Default 0. */
  linearDamping?: number;
  /** Angular damping: share of the angular velocity lost per second, 0…1. Default 0. */
  angularDamping?: number;
  /** Factor on the world's gravity. Default 1. */
  gravityScale?: number;
  /** Per world axis: 0 locks the motion. Default [1, 1, 1]. */
  linearFactor?: Vec3Like;
  /** Per world axis: 0 locks rotation about it. Default [1, 1, 1]. */
  angularFactor?: Vec3Like;
  /**
   * Collision filter, Bullet's bits. Default: dynamic bodies and those whose shapes are all sensors 1 / −1, other static
   * and kinematic ones 2 / ~2.
   */
  group?: number;
  /** Bits of the groups that the body collides with; the other body's mask must have a bit of this one's group, too. */
  mask?: number;
  /** m/s, rad/s. Default 0.8, 1.0 (Bullet). */
  linearSleepingThreshold?: number;
  /** rad/s; the body may fall asleep if it rotates slower. Default 1.0 (Bullet). */
  angularSleepingThreshold?: number;
  /** Default 'active'. */
  activationState?: ActivationState;
  /** m per step, ≥ 0: if the body moves farther, it is swept against all bodies; 0 (default): see `setCcd`. */
  ccdMotionThreshold?: number;
  /** m, ≥ 0: radius of the ball that is swept in Bullet's profiles; 0 (default): the shape itself. */
  ccdSweptSphereRadius?: number;
  /** false: all its shapes are sensors (Bullet's CF_NO_CONTACT_RESPONSE, a ghost). Default true. */
  contactResponse?: boolean;
  /** Free integer for the user. Default 0. */
  userIndex?: number;
}

/**
 * One axis of a joint: a translation in m, or an angle in radians. Forces are in N for a translation, in N·m for an
 * angle. `low` > `high` leaves the axis free, as in Bullet; `low` = `high` locks it there.
 */
export interface JointAxisOptions {
  /** Lower limit, m or rad. */
  low?: number;
  /** Upper limit, m or rad. */
  high?: number;
  /** Drives to a velocity in m/s or rad/s with at most `maxForce`. */
  motor?: { velocity: number; maxForce: number } | undefined;
  /** Drives to a position in m or rad, no faster than `maxVelocity`, with at most `maxForce`. Instead of a motor. */
  servo?: { target: number; maxVelocity: number; maxForce: number } | undefined;
  /**
   * Pulls to `target` (default 0): by frequency in Hz and damping ratio (1: critical; default 0), with the
   * effective mass of the axis, or by `stiffness` in N/m (N·m/rad) and `damping` in N·s/m (N·m·s/rad).
   */
  spring?:
    | { hertz: number; dampingRatio?: number; target?: number; maxForce?: number }
    | { stiffness: number; damping?: number; target?: number; maxForce?: number }
    | undefined;
  /**
   * How soft the limits (or the lock) of the axis are, by Bullet's parameters: `erp` (0 … 1, default 0.2), the share of
   * the error that a step removes; `cfm` (≥ 0, default 0), the softness: a force F causes a steady error of
   * cfm·F·dt²/(erp·m), where m is the effective mass of the axis; `bounce` (0 … 1, default 0), the restitution of a limit.
   * Without this option limits are stiff.
   */
  stop?: { erp?: number; cfm?: number; bounce?: number } | undefined;
}

/**
 * A joint's frame in a body's own frame, from its origin; without a body, in the world. What you leave out is derived from
 * the current poses, so that the joint moves nothing: a missing position is that of the other frame, or the centre of mass
 * of B; missing axes are those of the other frame, or A's own. Exceptions: for a motor joint a missing position or
 * rotation is the origin or identity, and a distance joint measures from the origin.
 */
export interface JointFrame {
  /** m. */
  position?: Vec3Like;
  /** The main axis of a joint is the x axis of its frames. */
  rotation?: QuatLike;
  /** Instead of `rotation`: the main axis alone. */
  axis?: Vec3Like;
}

/** Common to every joint. `Body` is a body or its id. */
export interface JointCommon<Body = unknown> {
  /** Default: the world. Positions, angles and speeds of a joint are those of B relative to A. */
  bodyA?: Body | undefined;
  /** Default: the world; one of the two must be given. */
  bodyB?: Body | undefined;
  /**
   * The position of both anchors in the world, with the bodies at their current poses. Or give frameA and frameB.
   * Default: the centre of mass of B, or of A if B is the world.
   */
  anchor?: Vec3Like;
  /** The main axis in the world, without frames. Default x. */
  axis?: Vec3Like;
  /** Anchor and axes in the frame of A; instead of `anchor` and `axis`. */
  frameA?: JointFrame;
  /** Anchor and axes in the frame of B. */
  frameB?: JointFrame;
  /** Whether the two bodies may touch. Default false. */
  collideConnected?: boolean;
  /** N·s over one step at the anchor; the joint breaks above it. 0: never. Default 0. */
  breakingImpulse?: number;
  /** N·m·s over one step; the joint breaks above it. Default 0: never. */
  breakingAngularImpulse?: number;
  /** Hz. Makes the locked directions springs (soft constraints); 0: stiff. Default 0; 5 for 'mouse', 30 for 'motor'. */
  hertz?: number;
  /** Damping ratio of these springs. Default 1. */
  dampingRatio?: number;
  /**
   * Instead of `hertz`: softness of the locked directions by Bullet's parameters (BT_CONSTRAINT_ERP, BT_CONSTRAINT_CFM).
   * `erp` (above 0, up to 1) is the share of an error that a step removes. With `cfm` (≥ 0, default 0) a force F causes a
   * steady error of cfm·F·dt²/(erp·m). Default: stiff.
   */
  erp?: number;
  /** See `erp`. ≥ 0, default 0. */
  cfm?: number;
  /** N: maximum force of these springs; 0: unlimited. Default 0. */
  maxForce?: number;
  /** N·m: maximum torque of these springs; 0: unlimited. Default 0. */
  maxTorque?: number;
  /** Default true. */
  enabled?: boolean;
  /** Free integer for the user. Default 0. */
  userIndex?: number;
}

/** A joint: its type, the options and axes of the type, and the options of all joints (JointCommon). */
export type JointOptions<Body = unknown> = JointCommon<Body> & JointTypeOptions;
/** Name of a type of joint. */
export type JointType = JointTypeOptions['type'];

/** A named set of settings: this engine's own, or those of Bullet 3.x or 2.82 (as in ammo.js). */
export type Profile = 'native' | 'bullet3' | 'bullet282';

/** The settings of the step; docs/step.md has the defaults per profile and Bullet's names. */
export interface WorldSettings {
  /** Solver substeps per fixed step, 1…64. */
  substeps: number;
  /** Solver passes with bias per substep, 0…1000. */
  iterations: number;
  /** Passes without bias (relax), which remove the velocity that the bias added, 0…1000; 0 is Bullet without split impulse. */
  relaxIterations: number;
  /** Friction in the passes with bias, too. */
  frictionWithBias: boolean;
  /** false: contactHertz and contactDampingRatio; true: contactErp and contactCfm. */
  contactErpMode: boolean;
  /** Hz, > 0. Stiffness of contacts. */
  contactHertz: number;
  /** ≥ 0; 1 is critical. */
  contactDampingRatio: number;
  /** Factor on contactHertz if one of the bodies cannot move, > 0. */
  staticStiffness: number;
  /** Share of the penetration removed per substep, 0…1. */
  contactErp: number;
  /** Softness of contacts, ≥ 0. */
  contactCfm: number;
  /** m/s. Maximum speed at which penetration is removed. */
  contactPushSpeed: number;
  /** m. Penetration that is allowed to remain. */
  contactSlop: number;
  /** Share of the last step's impulses used for warm starting, 0…1. */
  warmstartingFactor: number;
  /** m/s. Slower impacts do not bounce. */
  restitutionThreshold: number;
  /** m, > 0. Distance below which contact points are kept. */
  contactBreakingThreshold: number;
  /** m. Relative motion of two bodies for which their manifold is reused. */
  recycleDistance: number;
  /** Degrees, 0…179. Largest rotation of a body for which its manifolds are reused. */
  recycleAngle: number;
  /** m. Margin of bounding boxes in the broad phase. */
  aabbMargin: number;
  /** false: bodies never sleep. */
  sleeping: boolean;
  /** s of rest before an island may sleep. */
  deactivationTime: number;
  /**
   * m, 0…1000. A body rests while its speeds are below its thresholds (Bullet's rule), and none of its points gets farther
   * than this from its place at the start of the rest (after Jolt Physics); 0: only Bullet's rule.
   */
  sleepDistance: number;
  /** How the friction of two shapes is combined. Default 'multiply'. */
  frictionCombine: CombineRule;
  /** How the restitution of two shapes is combined. Default 'multiply'. */
  restitutionCombine: CombineRule;
  /** The gyroscopic torque of spinning bodies. */
  gyroscopic: boolean;
  /** Smooth motion is integrated to second order. */
  parabolicFlight: boolean;
  /** How rolling and spinning friction of two surfaces are combined; at most 10 m. Bullet 2.82: 'multiply'. */
  rollingFrictionCombine: RollingCombineRule;
  /**
   * true: fast small bodies are swept against static and kinematic bodies automatically; false: only bodies with a
   * motion threshold are (see `setCcd`).
   */
  continuous: boolean;
}

/** Options of a new world: settings, and options that cannot be changed later. */
export interface WorldOptions extends Partial<WorldSettings> {
  /** m/s². Default [0, −9.81, 0] in the native profile, [0, −10, 0] (Bullet's own default) in the Bullet profiles. */
  gravity?: Vec3Like;
  /** Named set of settings; single settings override it. Default 'native'. */
  profile?: Profile;
  /** Event types to record from the start; true for all. Types subscribed with `on` are recorded anyway. Default none. */
  events?: boolean | readonly EventType[];
  /** Maximum number of bodies, and of shapes, 1 … 262,143. Default 262,143. */
  maxBodies?: number;
  /** Measure the stages of the step. Default false. */
  profiling?: boolean;
  /**
   * Threads that work on a step together, 1 … 8, or 'auto': as many as there are processors, at most four. Results do not
   * depend on it. Needs memory that threads can share,
   * and for a `World` `useThreads` of `ricochet/threads`; else it runs on one and says why: docs/threads.md. Default 1.
   */
  threads?: number | 'auto';
  /** If `selfTest` finds that this machine computes different results, throw 'unsupported-host'. Default false. */
  deterministic?: boolean;
}

/** Events of a step; docs/step.md says when each comes. */
export type EventType =
  /** A contact pushes for the first time; points have the impulse of that step, which for an impact is the whole impulse. A sensor: touches. */
  | 'contactBegin'
  /** The contact continues; in every step after its begin. */
  | 'contactStay'
  /** No point pushes and the shapes are farther apart than the contact breaking threshold, or one was removed. */
  | 'contactEnd'
  | 'sleep'
  | 'wake'
  | 'jointBroken'
  | 'jointRemoved';

/** Anything that getters can fill: an array, a typed array, or an object with `set(x, y, z)` or x, y, z. */
export type Vec3Out =
  /** An array: the first three elements are set. */
  | { [index: number]: number; readonly length: number }
  /** An object that is set as a whole, like those of three.js. */
  | { set(x: number, y: number, z: number): unknown }
  /** An object whose parts are set. */
  | { x: number; y: number; z: number };
/** As Vec3Out, with w. */
export type QuatOut =
  /** An array: the first four elements are set. */
  | { [index: number]: number; readonly length: number }
  /** An object that is set as a whole, like those of three.js. */
  | { set(x: number, y: number, z: number, w: number): unknown }
  /** An object whose parts are set. */
  | { x: number; y: number; z: number; w: number };
