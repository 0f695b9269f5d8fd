// Numbers of mathematics.
/** π. */
export const PI: f32 = 3.14159265;
/** π/2. */
export const HALF_PI: f64 = 1.5707963267948966;
/** 2π. */
export const TWO_PI: f64 = 6.283185307179586;
/** ln 2. */
export const LN2: f64 = 0.6931471805599453;
/** √½. */
export const SQRT_HALF: f32 = 0.70710678;
/** cos 5°. */
export const COS_5_DEGREES: f32 = 0.9961947;
/** sin 5°. */
export const SIN_5_DEGREES: f32 = 0.087155743;
/** tan 2.5°. */
export const TAN_2_5_DEGREES: f32 = 0.043660943;
/** cos 30°. */
export const COS_30_DEGREES: f32 = 0.8660254;
/** sin 30°. */
export const SIN_30_DEGREES: f32 = 0.5;
/** Corner radius of a twelve-sided polygon relative to the radius of a disc of the same area: √(π/3). */
export const TWELVE_SIDED_RADIUS: f32 = 1.0233267;
