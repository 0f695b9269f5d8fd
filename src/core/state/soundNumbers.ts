// Ranges of numbers in a valid state. In: vectors, rows of a table. Out: whether they are within bounds.

import { UNIT_LENGTH } from '../memory/bounds';

/** Generations have 12 bits of an id: src/base/ids.ts. */
export const MOST_GENERATIONS = 1 << 12;
// Above the limits of commands (src/base/limits.ts), with room for what steps add; squares stay finite in f32.

/** Whether no lane exceeds `most` or is NaN. @inline */
export function areWithin(v: v128, most: f32): bool {
  return v128.all_true<i32>(f32x4.le(f32x4.abs(v), f32x4.splat(most)));
}
/** @inline */
export function isWithin(value: f32, least: f32, most: f32): bool {
  return value >= least && value <= most;
}
/** @inline */
export function isUnit(q: v128): bool {
  const s = f32x4.mul(q, q);
  const sum =
    f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2) + f32x4.extract_lane(s, 3);
  return abs<f32>(sum - 1) < UNIT_LENGTH;
}
/** Whether rows are zero, as in an unused slot. */
export function isEmpty(at: usize, bytes: usize): bool {
  for (const end = at + bytes; at < end; at += 16) if (v128.any_true(v128.load(at))) return false;
  return true;
}
