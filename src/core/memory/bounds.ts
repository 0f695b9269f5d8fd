// Bounds of numbers in the state of actors, which their steps keep and state/soundActors.ts checks. They are above the
// limits of src/base/limits.ts, with room for rounding; squares stay finite in f32.

export const MOST_FORCE: f32 = 2e15; // N, N·m
export const MOST_RATE: f32 = 1e17; // rad/s, m/s; slips
export const MOST_LENGTH: f32 = 1e8; // m
