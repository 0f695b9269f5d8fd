// Vectors, quaternions and rigid poses of ragdolls, with exact functions only: what they compute reaches a simulation.
import { deterministic } from 'ricochet/cooking';

/** x, y, z. */
export type Vec3 = [number, number, number];
/** x, y, z, w. */
export type Quat = [number, number, number, number];
/** Place and rotation of a frame in the world. */
export interface Pose {
  p: Vec3;
  q: Quat;
}

const { asin, atan2 } = deterministic;

export const IDENTITY: Quat = [0, 0, 0, 1];
export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const neg = (a: Vec3): Vec3 => [-a[0], -a[1], -a[2]];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const length = (a: Vec3): number => Math.sqrt(dot(a, a));
export const along = (a: Vec3, b: Vec3, t: number): Vec3 => add(a, scale(sub(b, a), t));

/** Of length 1; `otherwise` if it has none. */
export function unit(a: Vec3, otherwise: Vec3 = [0, 1, 0]): Vec3 {
  const size = length(a);
  return size > 1e-9 ? scale(a, 1 / size) : otherwise;
}

/** The part of `a` across the unit vector `n`, of length 1; any direction across if there is none. */
export function across(a: Vec3, n: Vec3): Vec3 {
  const rest = sub(a, scale(n, dot(a, n)));
  if (length(rest) > 1e-6) return unit(rest);
  const other: Vec3 = Math.abs(n[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  return unit(sub(other, scale(n, dot(other, n))));
}

export const conjugate = (q: Quat): Quat => [-q[0], -q[1], -q[2], q[3]];

export const multiply = (a: Quat, b: Quat): Quat => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
  a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
  a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
];

export function normalized(q: Quat): Quat {
  const size = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return size > 1e-9 ? [q[0] / size, q[1] / size, q[2] / size, q[3] / size] : IDENTITY;
}

export function rotate(q: Quat, v: Vec3): Vec3 {
  const u: Vec3 = [q[0], q[1], q[2]];
  const t = scale(cross(u, v), 2);
  return add(v, add(scale(t, q[3]), cross(u, t)));
}

/** On the shorter way, at the share `t`, normalised. */
export function mixed(a: Quat, b: Quat, t: number): Quat {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -t : t;
  const s = 1 - t;
  return normalized([
    s * a[0] + sign * b[0],
    s * a[1] + sign * b[1],
    s * a[2] + sign * b[2],
    s * a[3] + sign * b[3],
  ]);
}

/** The rotation whose axes are x and, nearly, z: unit vectors. */
export function frameOf(x: Vec3, nearlyZ: Vec3): Quat {
  const z = across(nearlyZ, x);
  const y = cross(z, x);
  const trace = x[0] + y[1] + z[2];
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1);
    return normalized([(y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4]);
  }
  if (x[0] > y[1] && x[0] > z[2]) {
    const s = 2 * Math.sqrt(1 + x[0] - y[1] - z[2]);
    return normalized([s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s]);
  }
  if (y[1] > z[2]) {
    const s = 2 * Math.sqrt(1 + y[1] - x[0] - z[2]);
    return normalized([(y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s, (z[0] - x[2]) / s]);
  }
  const s = 2 * Math.sqrt(1 + z[2] - x[0] - y[1]);
  return normalized([(z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4, (x[1] - y[0]) / s]);
}

/** The angles x, y, z of a rotation Rz(z) Ry(y) Rx(x), rad: those of a generic joint of order 'zyx'. */
export function anglesOf(q: Quat): Vec3 {
  const [x, y, z, w] = q;
  const sine = Math.max(-1, Math.min(1, 2 * (w * y - x * z)));
  return [
    atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    asin(sine),
    atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}

/** Its axis times its angle, rad, on the shorter way. */
export function rotationVector(q: Quat): Vec3 {
  const sign = q[3] < 0 ? -1 : 1;
  const v: Vec3 = [sign * q[0], sign * q[1], sign * q[2]];
  const sine = length(v);
  return scale(v, sine > 1e-9 ? (2 * atan2(sine, sign * q[3])) / sine : 2);
}

export const compose = (a: Pose, b: Pose): Pose => ({ p: add(a.p, rotate(a.q, b.p)), q: multiply(a.q, b.q) });

/** b as seen from a. */
export function relative(a: Pose, b: Pose): Pose {
  const back = conjugate(a.q);
  return { p: rotate(back, sub(b.p, a.p)), q: multiply(back, b.q) };
}

export const mixedPose = (a: Pose, b: Pose, t: number): Pose => ({
  p: along(a.p, b.p, t),
  q: mixed(a.q, b.q, t),
});

/** The pose at index `i` of numbers, seven for each: position, rotation. */
export function poseAt(list: ArrayLike<number>, i: number): Pose {
  const k = 7 * i;
  return {
    p: [list[k]!, list[k + 1]!, list[k + 2]!],
    q: [list[k + 3]!, list[k + 4]!, list[k + 5]!, list[k + 6]!],
  };
}
