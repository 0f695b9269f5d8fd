// Vectors of three numbers.

export type Vec3 = [x: number, y: number, z: number];

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

/** a + s b */
export const plus = (a: ArrayLike<number>, b: ArrayLike<number>, s = 1): Vec3 => [
  a[0]! + s * b[0]!,
  a[1]! + s * b[1]!,
  a[2]! + s * b[2]!,
];

export const times = (a: ArrayLike<number>, s: number): Vec3 => [s * a[0]!, s * a[1]!, s * a[2]!];
export const length = (a: ArrayLike<number>): number => Math.sqrt(dot(a, a));
