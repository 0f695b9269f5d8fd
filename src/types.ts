// The vocabulary of the public API: plain option objects, shared by the in-process World, the worker
// client, the demo scenes, the tests and the benchmark.

import type { Geometry as CookedGeometry } from './cooking/geometries';

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

/** 'static' never moves, 'kinematic' moves as it is told, 'dynamic' is moved by forces and contacts. */
export type BodyType = 'static' | 'kinematic' | 'dynamic';
/** Bullet's activation states: ACTIVE_TAG, ISLAND_SLEEPING, WANTS_DEACTIVATION, DISABLE_DEACTIVATION, DISABLE_SIMULATION. */
export type ActivationState =
  | 'active'
  | 'sleeping'
  | 'wantsDeactivation'
  | 'disableDeactivation'
  | 'disableSimulation';
/** How the coefficients of two shapes in contact become one. Bullet: 'multiply'. */
export type CombineRule = 'multiply' | 'average' | 'minimum' | 'maximum' | 'geometricMean';
/** 'crossFriction': each one's rolling friction times the other's friction, summed, as Bullet 3 does. */
export type RollingCombineRule = CombineRule | 'crossFriction';
/** An axis of a shape's own frame. */
export type Axis = 'x' | 'y' | 'z';

/** A surface that moves though its body does not: a conveyor, an escalator, a turntable, a track. */
export interface SurfaceVelocity {
  /** m/s along the body's own axes. Default 0. */
  linear?: Vec3Like;
  /** rad/s about the body's origin, along its own axes. Default 0. */
  angular?: Vec3Like;
}

/** What of a shape may be changed later: see BodyHandle.updateShape. `null` takes an option back. */
export interface ShapeChanges {
  /** Bits of the shape's own collision filter, in place of the body's. Default the body's; 1 if only `mask` is given. */
  group?: number | null;
  /** Bits of the groups that the shape collides with. Default the body's; all if only `group` is given. */
  mask?: number | null;
  /**
   * How this shape's friction and the other's become one. Default the world's rule. Of two shapes that have rules the one of
   * higher `combinePriority` decides; of equal ones the first of 'maximum', 'multiply', 'minimum', 'average', 'geometricMean'.
   */
  frictionCombine?: CombineRule | null;
  /** As frictionCombine, for restitution. */
  restitutionCombine?: CombineRule | null;
  /** An integer, −100 to 100. Default 0. */
  combinePriority?: number | null;
  /** Friction holds to a surface that moves with this velocity. Default none. */
  surfaceVelocity?: SurfaceVelocity | null;
  /**
   * A direction in the body's frame: dynamic bodies pass the shape along it, and are stopped against it. Convex shapes and
   * planes only. Default none: solid from all sides.
   */
  oneWay?: Vec3Like | null;
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
  /** kg/m³; sets the body's mass where the body gives none. Default 1000. */
  density?: number;
  /**
   * m, Bullet's collision margin: hulls, cones, tetrahedra, triangles, meshes and heightfields touch this far
   * from their surface; in all other shapes it is a part of their size, as in Bullet. Default 0; in the Bullet
   * profiles 0.04 for hulls, cones, tetrahedra and triangles.
   */
  margin?: number;
  /**
   * A sensor reports where it begins and ceases to touch ('contactBegin' and 'contactEnd', without points) and is never
   * solved: whatever the other is, kinematic, asleep or a sensor itself. It wakes nothing. On a static body it is silent
   * about what is static, too: see `sensesStatic`. Default false.
   */
  sensor?: boolean;
  /**
   * Of a sensor of a static body: it reports the other static bodies that it touches, like the ground that it stands in, as
   * Bullet's ghosts do. Default false.
   */
  sensesStatic?: boolean;
  /**
   * Of a mesh or heightfield with a margin: balls touch the surface itself, all else the margin, as in Bullet. Default
   * false; in the Bullet profiles it is so always.
   */
  bareToBalls?: boolean;
  /** Free integer for the user, e.g. a material index. Default 0. */
  userIndex?: number;
}
/** A shape: its type, its sizes in m, and what all shapes have (ShapeCommon). Sizes: 1e-5 to 1e7. */
export type ShapeOptions = ShapeCommon &
  (
    | { type: 'sphere'; radius: number }
    /** Along the shape's own x, y, z, from its centre. */
    | { type: 'box'; halfExtents: Vec3Like }
    /** `halfHeight` is half the length of the inner segment (Bullet's `height / 2`); the whole is `2·(halfHeight + radius)` long. */
    | { type: 'capsule'; radius: number; halfHeight: number; axis?: Axis }
    /** Along `axis` (default y); the origin is the centre. */
    | { type: 'cylinder'; radius: number; halfHeight: number; axis?: Axis }
    /** Its apex at +halfHeight along `axis` (default y), its base at −halfHeight. */
    | { type: 'cone'; radius: number; halfHeight: number; axis?: Axis }
    /** The convex hull of points, given as vectors or as one flat list; of more than 64 corners the outermost are kept. */
    | { type: 'hull'; points: ArrayLike<number> | readonly Vec3Like[]; geometry?: undefined }
    /** A hull that was cooked before: see `cookHull`. */
    | { type: 'hull'; geometry: CookedGeometry; points?: undefined }
    /** The hull of four points. */
    | { type: 'tetrahedron'; points: ArrayLike<number> | readonly Vec3Like[] }
    /** Three points without thickness; both sides collide. Weighs as a sheet of 1 mm. */
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

/** What a new body is. Only what is not the default need be given. */
export interface BodyOptions {
  /** Default: 'dynamic', or 'static' when mass is 0 is asked for (Bullet's rule). */
  type?: BodyType;
  /**
   * One shape or several; `[]` for none. A dynamic body of which nothing is said, and that has got neither shape nor joint
   * by the next step, touches nothing and falls for ever: the console is warned of it, once per world.
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
  /** Per world axis: 0 locks turning about it. Default [1, 1, 1]. */
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
  /** rad/s; the body may fall asleep when it turns slower. Default 1.0 (Bullet). */
  angularSleepingThreshold?: number;
  /** Default 'active'. */
  activationState?: ActivationState;
  /** m per step, ≥ 0: beyond it the body is swept against everything; 0 (default): see `setCcd`. */
  ccdMotionThreshold?: number;
  /** m, ≥ 0: of the ball that Bullet's profiles sweep; 0 (default): the shape itself. */
  ccdSweptSphereRadius?: number;
  /** false: all its shapes are sensors (Bullet's CF_NO_CONTACT_RESPONSE, a ghost). Default true. */
  contactResponse?: boolean;
  /** Free integer for the user. Default 0. */
  userIndex?: number;
}

/**
 * One axis of a joint: a way in m, or an angle in radians. Units of force are N along a way, N·m about an
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
   * mass that the axis feels, or by `stiffness` in N/m (N·m/rad) and `damping` in N·s/m (N·m·s/rad).
   */
  spring?:
    | { hertz: number; dampingRatio?: number; target?: number; maxForce?: number }
    | { stiffness: number; damping?: number; target?: number; maxForce?: number }
    | undefined;
  /**
   * How the limits (or the lock) of the axis yield, by Bullet's parameters: `erp` (0 … 1, default 0.2), the share of
   * a violation that a step removes; `cfm` (≥ 0, default 0), what it gives way, so that a force F stands
   * cfm·F·dt²/(erp·m) beyond, where m is the mass that the axis moves; `bounce` (0 … 1, default 0), the share of the speed with which a limit throws back.
   * Without it limits are stiff.
   */
  stop?: { erp?: number; cfm?: number; bounce?: number } | undefined;
}

/**
 * An anchor in a body's own frame, from its origin; without a body in the world. What is left out is taken from where
 * the bodies are, so that the joint moves nothing: a missing place is that of the other frame, or the middle of B; missing
 * axes are those of the other frame, or A's own. But a motor joint pulls to the origin and identity of frames that leave
 * them out, and a distance joint measures from the origin.
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
  /** Default: the world. Positions, angles and speeds of a joint are those of B against A. */
  bodyA?: Body | undefined;
  /** Default: the world; one of the two must be given. */
  bodyB?: Body | undefined;
  /**
   * Where both anchors are, in the world, with the bodies where they are now. Or give frameA and frameB. Default: the
   * middle (centre of mass) of B, of A where B is the world.
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
  /** N·s over one step at the anchor, at which the joint breaks; 0 for never. Default 0. */
  breakingImpulse?: number;
  /** N·m·s over one step. Default 0: never. */
  breakingAngularImpulse?: number;
  /** Hz. Makes the locked directions springs; 0 for stiff. Default 0, of 'mouse' 5, of 'motor' 30. */
  hertz?: number;
  /** Of those springs. Default 1. */
  dampingRatio?: number;
  /**
   * Instead of `hertz`: how the locked directions yield by Bullet's parameters (BT_CONSTRAINT_ERP, BT_CONSTRAINT_CFM).
   * `erp` (above 0, up to 1) is the share of an error that a step removes, `cfm` (≥ 0, default 0) what they give way,
   * so that a force F stands cfm·F·dt²/(erp·m) off. Default: stiff.
   */
  erp?: number;
  /** See `erp`. ≥ 0, default 0. */
  cfm?: number;
  /** N, N·m that those springs exert at most; 0 for any. Default 0. */
  maxForce?: number;
  /** N·m that those springs exert at most; 0 for any. Default 0. */
  maxTorque?: number;
  /** Default true. */
  enabled?: boolean;
  /** Free integer for the user. Default 0. */
  userIndex?: number;
}

/** A joint: its type, the axes that the type has, and what all joints have (JointCommon). */
export type JointOptions<Body = unknown> = JointCommon<Body> &
  (
    | { type: 'point' }
    /** Turns about x only. */
    | { type: 'hinge'; angle?: JointAxisOptions }
    | { type: 'fixed' }
    /** Keeps the distance of the anchors: rod with low = high, rope with low = 0, or a spring. */
    | { type: 'distance'; distance: JointAxisOptions }
    /** Moves along x of frame A; the angle about it is locked at 0 unless given. */
    | { type: 'slider'; position?: JointAxisOptions; angle?: JointAxisOptions }
    /** x of frame B stays in a cone about x of frame A with half angles swingY and swingZ, in radians. */
    | { type: 'coneTwist'; twist?: JointAxisOptions; swingY?: number; swingZ?: number }
    /** Each axis of frame A as given. Default: x, y, z locked at 0, the angles free (Bullet). */
    | {
        type: 'generic';
        x?: JointAxisOptions;
        y?: JointAxisOptions;
        z?: JointAxisOptions;
        angleX?: JointAxisOptions;
        angleY?: JointAxisOptions;
        angleZ?: JointAxisOptions;
        /** Of the angles: for 'xyz', B against A is Rx(angleX) Ry(angleY) Rz(angleZ). Default 'xyz'. */
        order?: RotationOrder;
      }
    /**
     * Two axes that stay square to each other, as in a Cardan shaft: `axis` goes with A, `axis2` with B, both given in
     * the world; in frames they are x and y. angle1 turns about the first, angle2 (within ±90°) about
     * the second; both free unless given.
     */
    | { type: 'universal'; axis2?: Vec3Like; angle1?: JointAxisOptions; angle2?: JointAxisOptions }
    /**
     * A wheel and its suspension: it moves along `axis` (of A) and steers about it, and spins about `axis2` (of B),
     * given in the world; in frames they are x and z. Bullet's defaults: position ±1 m with a spring of
     * 4π² N/m and 0.01 N·s/m, steering ±45°, spin free.
     */
    | {
        type: 'hinge2';
        axis2?: Vec3Like;
        position?: JointAxisOptions;
        steering?: JointAxisOptions;
        spin?: JointAxisOptions;
      }
    /**
     * A's turning about x of its frame and `ratio` times B's about x of its own add up to nothing: wheels that mesh,
     * for a ratio above 0 in opposite ways. Axes of the bodies: frameA.axis, frameB.axis. Default ratio 1.
     */
    | { type: 'gear'; ratio?: number }
    /** Pulls the anchor of B (frameB.position) to a point of the world; see Joint.setTarget. */
    | { type: 'mouse'; target: Vec3Like }
    /** Pulls the frames together with limited force and torque. */
    | { type: 'motor' }
  );

/** Of Euler angles; see JointOptions. */
export type RotationOrder = 'xyz' | 'xzy' | 'yxz' | 'yzx' | 'zxy' | 'zyx';

/** Name of a type of joint. */
export type JointType = JointOptions['type'];
/** The axes that a joint's type has; see JointOptions. */
export type JointAxisName =
  | 'angle'
  | 'distance'
  | 'position'
  | 'twist'
  | 'swingY'
  | 'swingZ'
  | 'x'
  | 'y'
  | 'z'
  | 'angleX'
  | 'angleY'
  | 'angleZ'
  | 'angle1'
  | 'angle2'
  | 'steering'
  | 'spin';

/** A named set of settings: this engine's own, or those of Bullet 3.x or 2.82 (as in ammo.js). */
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
  /**
   * m, 0…1000. A body rests while none of its points gets farther than this from where it was when its time of rest
   * began (after Jolt Physics); 0: while its speeds are below its thresholds, Bullet's rule, which otherwise holds besides.
   */
  sleepDistance: number;
  /** How the friction of two shapes becomes one. Default 'multiply'. */
  frictionCombine: CombineRule;
  /** How the restitution of two shapes becomes one. Default 'multiply'. */
  restitutionCombine: CombineRule;
  /** The gyroscopic torque of spinning bodies. */
  gyroscopic: boolean;
  /** Smooth motion integrated to second order. */
  parabolicFlight: boolean;
  /** How rolling and spinning friction of two surfaces combine; at most 10 m. Bullet 2.82: 'multiply'. */
  rollingFrictionCombine: RollingCombineRule;
  /**
   * Fast small bodies are swept against static and kinematic ones by themselves; off, only bodies with a motion
   * threshold are (see `setCcd`).
   */
  continuous: boolean;
}

/** What a new world is: settings, and what cannot be changed later. */
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
  /** Refuse, with 'unsupported-host', to run where `selfTest` finds that this machine computes otherwise than others. Default false. */
  deterministic?: boolean;
}

/** What a world reports after a step; docs/step.md says when each comes. */
export type EventType =
  /** Two shapes press for the first time; points have the impulse of that step, of an impact all of it. A sensor: touches. */
  | 'contactBegin'
  /** They still touch; in every step after that of the begin. */
  | 'contactStay'
  /** Nothing presses and they are apart by more than the contact breaking threshold, or one was removed. */
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
