// Ray against one shape. In: origin, delta, shape. Out: fraction of delta, world normal.
import { Shape } from '../memory/records';

/** Fraction of a miss. */
export const RAY_MISS: f32 = 2;

export function rayShape(s: Shape, from: v128, delta: v128, maxFraction: f32, outAddress: usize): f32 {
  return RAY_MISS;
}
