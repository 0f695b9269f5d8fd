// All tolerances, thresholds and limits of vehicles and characters. Those of the engine are in src/core/tolerances.ts.

// Vehicles: motion.
/** Small steps per second. */
export const RATE: f32 = 480;
/** m/s². Largest acceleration of a chassis by contacts and joints that counts as a force that goes on. More is an impact. */
export const MOST_HELD: f32 = 50;
/** rad/s². The same of its rotation. */
export const MOST_HELD_TURN: f32 = 100;
/** s. Damping of the deflection of tyres that hardly roll, as a share of its stiffness. */
export const TYRE_DAMPING: f32 = 0.02;
/** m/s. Above this speed rolling damps that deflection. */
export const ROLLS: f32 = 2;
/** Normalized slip that a deflection can store at a standstill; it grows by 1 per m/s of sliding. */
export const STORED: f32 = 1;
/** m/s. Slower vehicles may lock their wheels. */
export const LOCKS: f32 = 1;
/** Stiffness of the stop at the end of the travel, in that of the spring. */
export const STOP: f32 = 10;
/** Share of the travel that the stop takes. */
export const STOP_SHARE: f32 = 0.2;
/** m/s: a chassis that is slower does not wake the ground under it, so that both can fall asleep. */
export const STIRS: f32 = 0.1;

// Vehicles: engine, tyres, tracks.
/** m/s. Slower than this, a car may be put into the opposite direction. */
export const STANDING: f32 = 0.6;
/** s between two gear changes of the automatic gearbox. */
export const SHIFT_PAUSE: f32 = 0.4;
/** Share of the grip of all wheels that traction control leaves when one is in the air. */
export const LEAST_DRIVE: f32 = 0.15;
/** Share of the largest speed over which the limiter takes the torque away. */
export const LIMITER: f32 = 0.01;
/** Friction of the ground with which tyres have all of their grip: the default of shapes. */
export const FULL_GRIP: f32 = 0.5;
/** Normalized slip below which the curve is a line. */
export const LINEAR: f32 = 1e-3;
/**
 * Torque that driving aids let act, in that of the force at the peak: slightly more, so that the slip grows
 * to the peak and past it, until it is SLIPS, ...
 */
export const AIDED: f32 = 1.02;
/** ... then less, until it is back. */
export const RELEASED: f32 = 0.85;
/**
 * The same for a wheel that is as good as locked: less than sliding gives at any shape of the curve, or it
 * would stay locked.
 */
export const FREED: f32 = 0;
/** Normalized slip from which aids release a wheel. */
export const SLIPS: f32 = 1.25;
/** Normalized slip of a wheel that is as good as locked. */
export const LOCKED: f32 = 2;
/** Share of the largest distance below which a wheel is in the middle, on no track. */
export const MIDDLE: f32 = 1e-3;

// Vehicles: lean of motorcycles.
/** rad beyond the largest lean from which on nothing holds it. */
export const FALLS: f32 = 0.4;
/** m/s. Slower than this, the lean hardly steers. */
export const LEAN_SLOW: f32 = 4;
/** Share of its load when standing below which an aid lets go of what lifts a wheel. */
export const LIFTS: f32 = 0.3;

// Vehicles: where a wheel rests.
/** Cosine between suspension and normal below which a surface is a wall, which a wheel does not stand on. */
export const STEEPEST: f32 = 0.2;
/** Share of the radius within which a disc stands on something: √(1 − STEEPEST²). */
export const TREAD: f32 = 0.9797959;
/** Sine between an edge and the rim below which their common normal is not exact. */
export const PARALLEL_TO_RIM: f32 = 0.05;

// Characters: ways.
/** m: most of a way at once. Longer ways are made in pieces. */
export const PIECE: f32 = 0.25;
/** m: a way or a distance to a plane below this is none: a few roundings of f32 at 10 m. */
export const NO_WAY: f32 = 1e-6;
/** m: overlaps, drops and deviations below this are none. */
export const LITTLE: f32 = 1e-3;
/** Of its step height: a step that wins less is none. */
export const LEAST_WON: f32 = 0.003;
/**
 * Of its offset: a way shorter than the gap before a step does not lead over its edge, so it then goes so
 * far at once.
 */
export const OVER_EDGE: f32 = 1.25;
/** s after a step in which it is taken to be on stairs. */
export const STAIRS: f32 = 0.3;
/** 1/s: rate of the critically damped spring with which the drawn height follows steps. */
export const SMOOTHING: f32 = 20;
/** m/s: how fast it gets out of what it overlaps. */
export const RECOVERY: f32 = 10;
/** Of a gap that is too small beside walls, the share that is won back in an update. */
export const WON_BACK: f32 = 0.2;
/** m/s. A character that is thrown or shoved faster loses that speed: it is an error of the numbers. */
export const FASTEST: f32 = 1e6;
/** m in a step: farther is an error of the numbers. */
export const LOST: f32 = 1e4;
/** Of the speed of its jump: who is only partly in a liquid and rises faster has jumped out of it. */
export const BOBS: f32 = 0.5;
/**
 * Share of its height that is under water where a swimmer rests whom the water can carry: more than half, so that its middle is in
 * the water.
 */
export const FLOATS: f32 = 0.6;
/** m/s². Less is no gravity: it has no direction. */
export const WEIGHTLESS: f32 = 1e-6;

// Characters: what is around them.
/** Gram determinants below this: normals that do not span, about a degree apart. */
export const FLAT_PLANES: f64 = 3e-4;
/** Cosine of 0.8°. Planes that are nearer count once. */
export const SAME_PLANE: f32 = 0.9999;
/** m. How far beyond an edge the surface behind it is looked at is the character's offset, but at most this. */
export const MOST_BEHIND: f32 = 0.02;
/** How far above and below that place, as a multiple of that distance. */
export const ABOVE: f32 = 2.5;
/**
 * Cosine of about 75°: what is touched steeper than this is touched with the side, which stands on nothing.
 */
export const TOUCHED_SIDE: f32 = 0.26;
/** Of normal and direction of a one-way shape: cosine from which on the shape is solid. */
export const AGAINST: f32 = 0.3;
/** m. Deeper in a one-way shape it has not come out yet. */
export const SUNK_ONE_WAY: f32 = 0.05;
/** m. A ground that is so much farther in a step than its velocity takes it was placed elsewhere, and leaves the character behind. */
export const RIDE_LIMIT: f32 = 2;
/** Share of a way down: who comes less far is held there by what is around it. */
export const WEDGED: f32 = 0.01;
/** m: how far aside it slips off an edge. */
export const SLIP: f32 = 0.03;

// Characters: what pushes them, and what they push.
/**
 * Weight of a character, in what its ground weighs where it stands: more than this, it does not feel. Rubble slips from under a foot, and
 * would be shot away by a load that follows it at any speed, as the foot does not.
 */
export const HEAVIEST: f32 = 32;
/** m/s. Bodies that come more slowly are held like crates that lean on it. */
export const LEAST_HIT: f32 = 0.05;
/** m. Faster bodies are seen when they touch. */
export const FARTHEST_SEEN: f32 = 2;
/** Cosine: what comes from above by more than this falls on its head. */
export const HEAD: f32 = -0.7;
/** m/s². How fast a shove fades while it stands: friction of its feet at 0.8. */
export const GRIP: f32 = 8;
