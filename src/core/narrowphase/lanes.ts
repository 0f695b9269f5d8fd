// Selection of components and axes by number, and permutation of a vector's axes.
import { vec3, x, y, z } from '../math/vector';

/** @inline */
export function component(v: v128, i: i32): f32 {
  return i == 0 ? x(v) : i == 1 ? y(v) : z(v);
}
/** Index of the largest component; the first of equals. @inline */
export function largest(v: v128): i32 {
  let i = y(v) > x(v) ? 1 : 0;
  if (z(v) > max(x(v), y(v))) i = 2;
  return i;
}
/** The i-th of three vectors. @inline */
export function pick(v0: v128, v1: v128, v2: v128, i: i32): v128 {
  return i == 0 ? v0 : i == 1 ? v1 : v2;
}
/** @inline */
export function yzx(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 1, 2, 0, 3);
}
/** @inline */
export function zxy(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 2, 0, 1, 3);
}
/** The unit vector along an axis, times `sign`. @inline */
export function unit(axis: i32, sign: f32): v128 {
  return vec3(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
}

/** The greatest of four numbers. */
export function greatestOf(v: v128): f32 {
  const two = f32x4.pmax(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return max(x(two), y(two));
}

/** The least of four numbers. */
export function leastOf(v: v128): f32 {
  const two = f32x4.pmin(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return min(x(two), y(two));
}

const LANES: usize = memory.data(16, 16);

/** The lane of `from` where `v` first has the given value. */
export function laneWhere(from: v128, v: v128, value: f32): i32 {
  v128.store(LANES, from);
  const lane = ctz(i32x4.bitmask(f32x4.eq(v, f32x4.splat(value))));
  return load<i32>(LANES + ((<usize>(lane & 3)) << 2));
}
