// Transforms of nodes, in f64. In: matrices column by column, translations, rotations, scales. Out: products, and the place,
// turn and size that a matrix stands for.
import type { deterministic } from 'ricochet';

export type Vec3 = deterministic.Vec3;
export type Quat = deterministic.Quat;
/** Columns x, y, z, place; three numbers each. */
export type Affine = number[];

export const UNIT: Affine = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

export function affineOf(
  [tx, ty, tz]: readonly number[],
  [x, y, z, w]: readonly number[],
  s: readonly number[],
): Affine {
  const m = matrixOf([x!, y!, z!, w!]);
  return [...m.map((c, i) => c * s[Math.floor(i / 3)]!), tx!, ty!, tz!];
}

/** Columns of a rotation. */
function matrixOf([x, y, z, w]: Quat): number[] {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y + z * w),
    2 * (x * z - y * w),
    2 * (x * y - z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z + x * w),
    2 * (x * z + y * w),
    2 * (y * z - x * w),
    1 - 2 * (x * x + y * y),
  ];
}

export function apply(m: Affine, p: ArrayLike<number>, at = 0): Vec3 {
  const [x, y, z] = [p[at]!, p[at + 1]!, p[at + 2]!];
  return [0, 1, 2].map((k) => m[k]! * x + m[3 + k]! * y + m[6 + k]! * z + m[9 + k]!) as Vec3;
}

export function multiply(a: Affine, b: Affine): Affine {
  const out: number[] = [];
  for (let column = 0; column < 4; column++)
    for (let k = 0; k < 3; k++)
      out.push(
        a[k]! * b[3 * column]! +
          a[3 + k]! * b[3 * column + 1]! +
          a[6 + k]! * b[3 * column + 2]! +
          (column === 3 ? a[9 + k]! : 0),
      );
  return out;
}

export interface Pose {
  position: Vec3;
  rotation: Quat;
}

/** Undoes a pose. */
export function inverseOf({ position, rotation: [x, y, z, w] }: Pose): Affine {
  const turn = affineOf([0, 0, 0], [-x, -y, -z, w], [1, 1, 1]);
  const [px, py, pz] = apply(turn, position);
  return [...turn.slice(0, 9), -px, -py, -pz];
}

export interface Parts extends Pose {
  /** Lengths of the columns; 0 where one vanishes. */
  scale: Vec3;
  /** Cosine of the columns that are least square to each other. */
  shear: number;
}

const columnsOf = (m: Affine) => [0, 3, 6].map((i) => [m[i]!, m[i + 1]!, m[i + 2]!]) as [Vec3, Vec3, Vec3];
const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const length = (a: Vec3) => Math.sqrt(dot(a, a));
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** A mirror is left to the scale's sign, which nothing here needs: the turn is always one. */
export function partsOf(m: Affine): Parts {
  const columns = columnsOf(m);
  const scale = columns.map(length) as Vec3;
  const axes = columns.map((column, i) => column.map((c) => (scale[i] === 0 ? 0 : c / scale[i]!)) as Vec3);
  const shear = Math.max(...[0, 1, 2].map((i) => Math.abs(dot(axes[i]!, axes[(i + 1) % 3]!))));
  // Gram and Schmidt, x first; z closes the right-handed frame.
  let x = axes[0]!;
  let y = axes[1]!;
  if (length(x) === 0) x = length(y) > 0 ? squareTo(y) : [1, 0, 0];
  const along = dot(x, y);
  y = y.map((c, k) => c - along * x[k]!) as Vec3;
  y = length(y) < 1e-9 ? squareTo(x) : (y.map((c) => c / length(y)) as Vec3);
  const z = cross(x, y);
  return { position: [m[9]!, m[10]!, m[11]!], rotation: quatOf(x, y, z), scale, shear };
}

/** Whether it mirrors. */
export function mirrors(m: Affine): boolean {
  const [x, y, z] = columnsOf(m);
  return dot(cross(x, y), z) < 0;
}

/**
 * Where a body stands whose node has a matrix and scales of its own: the node keeps them while it follows the body, so that their
 * signs turn nothing. A mirror above it is one along x, as three.js takes matrices apart. `signs` are what the node mirrors.
 */
export function poseBehind(m: Affine, scale: readonly number[]): Parts & { signs: Vec3 } {
  const signs = scale.map((c) => (c < 0 ? -1 : 1)) as Vec3;
  if (mirrors(m) !== signs[0] * signs[1] * signs[2] < 0) signs[0] *= -1;
  const turn = m.map((c, i) => (i < 9 ? c * signs[Math.floor(i / 3)]! : c));
  return { ...partsOf(turn), signs };
}

function squareTo([x, y, z]: Vec3): Vec3 {
  const [a, b, c] = Math.abs(x) < 0.6 ? [0, z, -y] : [-z, 0, x];
  const n = Math.sqrt(a! * a! + b! * b! + c! * c!);
  return [a! / n, b! / n, c! / n];
}

/** Of a rotation's columns (Shepperd 1978). */
export function quatOf(x: Vec3, y: Vec3, z: Vec3): Quat {
  const trace = x[0] + y[1] + z[2];
  const q: Quat = [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace];
  if (trace < 0) {
    const i = x[0] > y[1] && x[0] > z[2] ? 0 : y[1] > z[2] ? 1 : 2;
    const m = [x, y, z];
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    const w = q[i]!;
    q[i] = 1 + m[i]![i]! - m[j]![j]! - m[k]![k]!;
    q[j] = m[i]![j]! + m[j]![i]!;
    q[k] = m[i]![k]! + m[k]![i]!;
    q[3] = w;
  }
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return q.map((c) => c / n) as Quat;
}

export function rotate(q: Quat, v: readonly number[]): Vec3 {
  return apply(affineOf([0, 0, 0], q, [1, 1, 1]), v as number[]);
}

export function quatMultiply([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat): Quat {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
