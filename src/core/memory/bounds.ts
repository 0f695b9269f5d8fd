// Bounds of numbers in a valid state (state/sound.ts). They are above the limits of commands (src/base/limits.ts), with room
// for what steps add and for rounding; squares stay finite in f32.
/** m. */
export const MOST_COORDINATE: f32 = 4e9;
/** m/s, rad/s: of a kinematic body that must reach its target within a step. */
export const MOST_SPEED: f32 = 1e16;
/** N, N·m. */
export const MOST_FORCE: f32 = 1e27;
/** 1/kg, 1/(kg·m²). */
export const MOST_INVERSE: f32 = 2e18;
/** Friction, restitution and the like. */
export const MOST_COEFFICIENT: f32 = 2e6;
/** Settings of worlds, bodies and shapes, in their units. */
export const MOST_SETTING: f32 = 2e9;
/** kg. */
export const MOST_MASS: f32 = 2e15;
/** m: of shapes, arms of contacts. */
export const MOST_SIZE: f32 = 1e14;
/** m that a body has moved since it was made. */
export const MOST_TRAVEL: f64 = 1e18;
/** N·s, N·m·s: of contacts and joints. */
export const MOST_IMPULSE: f32 = 1e30;
/** m. Bounds of planes reach to INFINITE. */
export const MOST_BOUND: f32 = 1e37;
/** Forces, stiffnesses and softnesses of joints. */
export const MOST_JOINT_SETTING: f32 = 1e16;
/** Tolerance of the squared length of a quaternion or a normal. */
export const UNIT_LENGTH: f32 = 1e-2;
/**
 * N, N·m. Of actors: above the limits of src/base/limits.ts, with room for rounding; squares stay finite in
 * f32. Their steps keep these bounds.
 */
export const ACTOR_FORCE: f32 = 2e15;
/** rad/s, m/s; slips of tyres. */
export const ACTOR_RATE: f32 = 1e17;
/** m. */
export const ACTOR_LENGTH: f32 = 1e8;
/** rad. A full turn, rounded up. */
export const ACTOR_TURN: f32 = 6.2832;
/** rad. Largest lean, below a quarter turn. */
export const ACTOR_LEAN: f32 = 1.51;
/** Of a share, and of the cosine of an angle: 1, rounded. */
export const ACTOR_ONE: f32 = 1.00001;
/** m/s². */
export const ACTOR_PULL: f32 = 1e7;
