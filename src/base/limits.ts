// Every range that the public API checks, with its unit and its reason. The core computes in f32: the ranges keep
// squares and products of the values far from overflow and underflow.

/** m. Positions, offsets, rays. At 1e9 m an f32 has steps of 64 m: useless, but no NaN. */
export const MAX_COORDINATE = 1e9;
/** m. Radii and half extents; their cubes times a density must stay finite in f32. */
export const MIN_SIZE = 1e-5;
export const MAX_SIZE = 1e7;
/** m/s and rad/s. */
export const MAX_VELOCITY = 1e9;
/** N, N·m, N·s, N·m·s. */
export const MAX_FORCE = 1e15;
/** kg; the inverse of the smallest and the largest squared stay finite in f32. */
export const MIN_MASS = 1e-9;
export const MAX_MASS = 1e15;
/** kg·m²; 0 stands for infinite, as in Bullet. */
export const MIN_INERTIA = 1e-18;
export const MAX_INERTIA = 1e18;
/** kg/m³. */
export const MAX_DENSITY = 1e9;
/** Coefficients: friction, rolling friction (m), factors, gravity scale. */
export const MAX_COEFFICIENT = 1e6;
/** m/s². */
export const MAX_GRAVITY = 1e6;
/** s. Longest fixed step. */
export const MAX_TIME_STEP = 1;
/** s. Shortest fixed step: 1/dt² stays finite. */
export const MIN_TIME_STEP = 1e-6;
/** Shapes of one body. */
export const MAX_SHAPES_PER_BODY = 65535;
/** Any setting that has no unit to bound it. */
export const MAX_SETTING = 1e9;
