// Vectors of the toolkit: x, y, z by index, from whatever the caller has, into whatever the caller gives.
// In: arrays, typed arrays, slices of them. Out: the `out` argument, which may be one of the inputs. No allocation.

/** x, y, z, read by index: an array, a typed array, or `subarray` of one. */
export type Vector = ArrayLike<number>;
/** x, y, z, read and written by index. */
export interface VectorOut {
  /** At least 3 for a vector. */
  readonly length: number;
  [index: number]: number;
}

export function set(out: VectorOut, x: number, y: number, z: number): VectorOut {
  out[0] = x;
  out[1] = y;
  out[2] = z;
  return out;
}

export function copy(v: Vector, out: VectorOut): VectorOut {
  return set(out, v[0], v[1], v[2]);
}

/** The vector number `i` of a flat list. */
export function copyAt(points: Vector, i: number, out: VectorOut): VectorOut {
  return set(out, points[3 * i], points[3 * i + 1], points[3 * i + 2]);
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** d · p of the point number `i` of a flat list. */
export function dotAt(d: Vector, points: Vector, i: number): number {
  return d[0] * points[3 * i] + d[1] * points[3 * i + 1] + d[2] * points[3 * i + 2];
}

export function squaredLength(a: Vector): number {
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

export function length(a: Vector): number {
  return Math.sqrt(squaredLength(a));
}

export function squaredDistance(a: Vector, b: Vector): number {
  const x = a[0] - b[0];
  const y = a[1] - b[1];
  const z = a[2] - b[2];
  return x * x + y * y + z * z;
}

export function add(a: Vector, b: Vector, out: VectorOut): VectorOut {
  return set(out, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

export function subtract(a: Vector, b: Vector, out: VectorOut): VectorOut {
  return set(out, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export function scale(a: Vector, s: number, out: VectorOut): VectorOut {
  return set(out, a[0] * s, a[1] * s, a[2] * s);
}

/** a + s d. */
export function addScaled(a: Vector, d: Vector, s: number, out: VectorOut): VectorOut {
  return set(out, a[0] + s * d[0], a[1] + s * d[1], a[2] + s * d[2]);
}

/** a + s (b − a), and b itself at 1. */
export function between(a: Vector, b: Vector, s: number, out: VectorOut): VectorOut {
  const r = 1 - s;
  return set(out, r * a[0] + s * b[0], r * a[1] + s * b[1], r * a[2] + s * b[2]);
}

export function cross(a: Vector, b: Vector, out: VectorOut): VectorOut {
  return set(out, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

/** (b − a) × (c − a): twice the area, counter-clockwise seen from its tip. */
export function areaVector(a: Vector, b: Vector, c: Vector, out: VectorOut): VectorOut {
  const ux = b[0] - a[0];
  const uy = b[1] - a[1];
  const uz = b[2] - a[2];
  const vx = c[0] - a[0];
  const vy = c[1] - a[1];
  const vz = c[2] - a[2];
  return set(out, uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}

/** Unit length; 0, 0, 0 stays so. Returns the length before. */
export function normalize(a: Vector, out: VectorOut): number {
  const size = length(a);
  if (size > 0) set(out, a[0] / size, a[1] / size, a[2] / size);
  else set(out, 0, 0, 0);
  return size;
}

/** A unit vector perpendicular to `d`, which may have any length but 0. */
export function perpendicular(d: Vector, out: VectorOut): VectorOut {
  const x = Math.abs(d[0]);
  const y = Math.abs(d[1]);
  const z = Math.abs(d[2]);
  // Crossed with the axis that it has least of.
  if (x <= y && x <= z) set(out, 0, d[2], -d[1]);
  else if (y <= z) set(out, -d[2], 0, d[0]);
  else set(out, d[1], -d[0], 0);
  normalize(out, out);
  return out;
}

/** The vector `v` rotated by the unit quaternion `q`. */
export function turn(q: Vector, v: Vector, out: VectorOut): VectorOut {
  return turnSigned(q, 1, v, out);
}

/** The vector `v` rotated back by the unit quaternion `q`. */
export function turnBack(q: Vector, v: Vector, out: VectorOut): VectorOut {
  return turnSigned(q, -1, v, out);
}

/** Rotated by `q` with its vector part times `sign`. */
function turnSigned(q: Vector, sign: 1 | -1, v: Vector, out: VectorOut): VectorOut {
  const qx = sign * q[0];
  const qy = sign * q[1];
  const qz = sign * q[2];
  const qw = q[3];
  const x = v[0];
  const y = v[1];
  const z = v[2];
  // t = 2 q × v, v' = v + w t + q × t
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  return set(
    out,
    x + qw * tx + qy * tz - qz * ty,
    y + qw * ty + qz * tx - qx * tz,
    z + qw * tz + qx * ty - qy * tx,
  );
}

/** From the frame at `position`, rotated by `rotation`, to the world. */
export function toWorld(point: Vector, position: Vector, rotation: Vector, out: VectorOut): VectorOut {
  return add(turn(rotation, point, out), position, out);
}

/** From the world to the frame at `position`, rotated by `rotation`. */
export function toLocal(point: Vector, position: Vector, rotation: Vector, out: VectorOut): VectorOut {
  return turnBack(rotation, subtract(point, position, out), out);
}

/** The axes x, y, z of a frame rotated by the unit quaternion `q`: nine numbers. */
export function axesOf(q: Vector, out: VectorOut): VectorOut {
  const x = q[0];
  const y = q[1];
  const z = q[2];
  const w = q[3];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y + z * w);
  out[2] = 2 * (x * z - y * w);
  out[3] = 2 * (x * y - z * w);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z + x * w);
  out[6] = 2 * (x * z + y * w);
  out[7] = 2 * (y * z - x * w);
  out[8] = 1 - 2 * (x * x + y * y);
  return out;
}

/** The unit quaternion of three axes, right-handed and perpendicular to each other (Shepperd 1978). */
export function quaternionOf(axes: Vector, out: VectorOut): VectorOut {
  const xx = axes[0];
  const xy = axes[1];
  const xz = axes[2];
  const yx = axes[3];
  const yy = axes[4];
  const yz = axes[5];
  const zx = axes[6];
  const zy = axes[7];
  const zz = axes[8];
  // The largest of the four components is found first: what is divided by is never small.
  const trace = xx + yy + zz;
  if (trace >= xx && trace >= yy && trace >= zz) quaternion(out, yz - zy, zx - xz, xy - yx, 1 + trace);
  else if (xx >= yy && xx >= zz) quaternion(out, 1 + xx - yy - zz, xy + yx, zx + xz, yz - zy);
  else if (yy >= zz) quaternion(out, xy + yx, 1 - xx + yy - zz, yz + zy, zx - xz);
  else quaternion(out, zx + xz, yz + zy, 1 - xx - yy + zz, xy - yx);
  return out;
}

function quaternion(out: VectorOut, x: number, y: number, z: number, w: number): void {
  const size = Math.sqrt(x * x + y * y + z * z + w * w);
  out[0] = x / size;
  out[1] = y / size;
  out[2] = z / size;
  out[3] = w / size;
}

export function clamp(x: number, low: number, high: number): number {
  return x < low ? low : Math.min(x, high);
}
