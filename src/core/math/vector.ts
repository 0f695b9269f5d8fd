// Three-vectors and quaternions as v128 values (x, y, z, 0) and (x, y, z, w). Convention of the whole core: vectors are
// passed as v128, so that they stay in registers. Inside functions marked @wide the operators + - * / act on v128 (see
// scripts/wide-transform.mjs); elsewhere use add, sub, scale. All functions keep the fourth lane of a vector at 0.

/** @inline */
export function vec3(x: f32, y: f32, z: f32): v128 {
  return f32x4(x, y, z, 0);
}
/** @inline */
export function splat(s: f32): v128 {
  return f32x4.splat(s);
}
/** @inline */
export function zero(): v128 {
  return i32x4.splat(0);
}
/** @inline */
export function x(v: v128): f32 {
  return f32x4.extract_lane(v, 0);
}
/** @inline */
export function y(v: v128): f32 {
  return f32x4.extract_lane(v, 1);
}
/** @inline */
export function z(v: v128): f32 {
  return f32x4.extract_lane(v, 2);
}
/** @inline */
export function w(v: v128): f32 {
  return f32x4.extract_lane(v, 3);
}
/** @inline */
export function add(a: v128, b: v128): v128 {
  return f32x4.add(a, b);
}
/** @inline */
export function sub(a: v128, b: v128): v128 {
  return f32x4.sub(a, b);
}
/** @inline */
export function mul(a: v128, b: v128): v128 {
  return f32x4.mul(a, b);
}
/** @inline */
export function neg(a: v128): v128 {
  return f32x4.neg(a);
}
/** @inline */
export function abs3(a: v128): v128 {
  return f32x4.abs(a);
}
/** @inline */
export function scale(a: v128, s: f32): v128 {
  return f32x4.mul(a, f32x4.splat(s));
}
/** a + b·s @inline */
export function addScaled(a: v128, b: v128, s: f32): v128 {
  return f32x4.add(a, f32x4.mul(b, f32x4.splat(s)));
}
/** @inline */
export function dot(a: v128, b: v128): f32 {
  const p = f32x4.mul(a, b);
  return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}
/** @inline */
export function cross(a: v128, b: v128): v128 {
  // (a × b) = (a·b.yzx − a.yzx·b).yzx
  const ayzx = v128.shuffle<f32>(a, a, 1, 2, 0, 3);
  const byzx = v128.shuffle<f32>(b, b, 1, 2, 0, 3);
  const c = f32x4.sub(f32x4.mul(a, byzx), f32x4.mul(ayzx, b));
  return v128.shuffle<f32>(c, c, 1, 2, 0, 3);
}
/** @inline */
export function lengthSquared(a: v128): f32 {
  return dot(a, a);
}
/** @inline */
export function length(a: v128): f32 {
  return sqrt<f32>(dot(a, a));
}
/** a/|a|, or the fallback if |a| is too small for a direction. */
export function normalizeOr(a: v128, fallback: v128): v128 {
  const l2 = dot(a, a);
  if (!(l2 > 1e-30)) return fallback;
  return scale(a, <f32>1 / sqrt<f32>(l2));
}
/** A unit vector orthogonal to the unit vector n. */
export function perpendicular(n: v128): v128 {
  // Drop the smallest component, so that the other two are far from zero.
  const nx = x(n);
  const ny = y(n);
  const nz = z(n);
  if (abs(nx) < <f32>0.57735) {
    const s = <f32>1 / sqrt<f32>(ny * ny + nz * nz);
    return vec3(0, nz * s, -ny * s);
  }
  const s = <f32>1 / sqrt<f32>(nx * nx + ny * ny);
  return vec3(ny * s, -nx * s, 0);
}

// --- quaternions ---

/** @inline */
export function quat(qx: f32, qy: f32, qz: f32, qw: f32): v128 {
  return f32x4(qx, qy, qz, qw);
}
/** @inline */
export function identityQuat(): v128 {
  return f32x4(0, 0, 0, 1);
}
/** @inline */
export function conjugate(q: v128): v128 {
  return v128.xor(q, i32x4(0x80000000, 0x80000000, 0x80000000, 0));
}
/** Hamilton product a b: rotates by b first, then by a. @wide */
export function mulQuat(a: v128, b: v128): v128 {
  return (
    v128.shuffle<f32>(a, a, 3, 3, 3, 3) * b +
    v128.xor(v128.shuffle<f32>(a, a, 0, 0, 0, 0) * v128.shuffle<f32>(b, b, 3, 2, 1, 0), signs(0, 1, 0, 1)) +
    v128.xor(v128.shuffle<f32>(a, a, 1, 1, 1, 1) * v128.shuffle<f32>(b, b, 2, 3, 0, 1), signs(0, 0, 1, 1)) +
    v128.xor(v128.shuffle<f32>(a, a, 2, 2, 2, 2) * v128.shuffle<f32>(b, b, 1, 0, 3, 2), signs(1, 0, 0, 1))
  );
}
/** Changes the sign of lanes with 1. @inline */
function signs(x: i32, y: i32, z: i32, w: i32): v128 {
  return i32x4(x << 31, y << 31, z << 31, w << 31);
}
export function normalizeQuat(q: v128): v128 {
  const p = f32x4.mul(q, q);
  const l2 =
    f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2) + f32x4.extract_lane(p, 3);
  return f32x4.mul(q, f32x4.splat(<f32>1 / sqrt<f32>(l2)));
}
/** q v q*, by v + 2w(u×v) + 2u×(u×v). */
export function rotate(q: v128, v: v128): v128 {
  const u = f32x4.replace_lane(q, 3, 0);
  const t = cross(u, v);
  const t2 = f32x4.add(t, t);
  return f32x4.add(f32x4.add(v, f32x4.mul(v128.shuffle<f32>(q, q, 3, 3, 3, 3), t2)), cross(u, t2));
}
/** q* v q @inline */
export function rotateInverse(q: v128, v: v128): v128 {
  return rotate(conjugate(q), v);
}

/** @inline */
export function inverseSlope(d: f32): f32 {
  return <f32>1 / (abs<f32>(d) < f32.MIN_NORMAL_VALUE ? f32.MIN_NORMAL_VALUE : d);
}
