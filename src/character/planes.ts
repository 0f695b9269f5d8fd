// The smallest change of a displacement that keeps it on the allowed side of given planes: a projection onto their
// intersection. It is exact, so that a character pressed into a corner stands still there. In: a displacement, planes.
// Out: the nearest allowed displacement. Active sets of one to three planes are tried with their multipliers (KKT
// conditions).

export type Vec3 = [x: number, y: number, z: number];

/** A half space: normal · x ≥ least. */
export interface Plane {
  /** Unit. */
  normal: Vec3;
  least: number;
}

/** m. Less than this beyond a plane is on it: a few roundings of f32 at 10 m. */
const ON_PLANE = 1e-6;
/** Gram determinants below: normals that do not span, about a degree apart. */
const FLAT = 3e-4;

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

/** a + s b */
export const plus = (a: ArrayLike<number>, b: ArrayLike<number>, s = 1): Vec3 => [
  a[0]! + s * b[0]!,
  a[1]! + s * b[1]!,
  a[2]! + s * b[2]!,
];

export const times = (a: ArrayLike<number>, s: number): Vec3 => [s * a[0]!, s * a[1]!, s * a[2]!];
export const length = (a: ArrayLike<number>): number => Math.sqrt(dot(a, a));
/** The part of a vector square to a unit vector. */
export const across = (v: ArrayLike<number>, unit: ArrayLike<number>): Vec3 => plus(v, unit, -dot(v, unit));

function allowed(x: Vec3, planes: readonly Plane[]): boolean {
  for (const { normal, least } of planes) if (dot(normal, x) < least - ON_PLANE) return false;
  return true;
}

/** The point nearest to `d` within all planes, or null where they leave no room. */
export function nearestWithin(d: Vec3, planes: readonly Plane[]): Vec3 | null {
  if (allowed(d, planes)) return d;
  const lacks = planes.map(({ normal, least }) => least - dot(normal, d));
  const n = planes.length;
  // A projection onto fewer planes that all others allow is the projection onto all.
  for (let i = 0; i < n; i++) {
    if (lacks[i]! <= 0) continue;
    const x = plus(d, planes[i]!.normal, lacks[i]);
    if (allowed(x, planes)) return x;
  }
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const [a, b] = [planes[i]!.normal, planes[j]!.normal];
      const c = dot(a, b);
      const determinant = 1 - c * c;
      if (determinant < FLAT) continue;
      const s = (lacks[i]! - c * lacks[j]!) / determinant;
      const t = (lacks[j]! - c * lacks[i]!) / determinant;
      if (s < 0 || t < 0) continue;
      const x = plus(plus(d, a, s), b, t);
      if (allowed(x, planes)) return x;
    }
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++)
      for (let k = j + 1; k < n; k++) {
        const x = meeting(d, planes, lacks, i, j, k);
        if (x !== null && allowed(x, planes)) return x;
      }
  return null;
}

/** Where three planes meet, if all three press there. */
function meeting(
  d: Vec3,
  planes: readonly Plane[],
  lacks: readonly number[],
  i: number,
  j: number,
  k: number,
): Vec3 | null {
  const [a, b, c] = [planes[i]!.normal, planes[j]!.normal, planes[k]!.normal];
  const [ab, ac, bc] = [dot(a, b), dot(a, c), dot(b, c)];
  const [p, q, r] = [lacks[i]!, lacks[j]!, lacks[k]!];
  // The inverse of the symmetric matrix [1 ab ac; ab 1 bc; ac bc 1] by cofactors.
  const [aa, bb, cc] = [1 - bc * bc, 1 - ac * ac, 1 - ab * ab];
  const [iab, iac, ibc] = [ac * bc - ab, ab * bc - ac, ab * ac - bc];
  const determinant = aa + ab * iab + ac * iac;
  if (determinant < FLAT) return null;
  const s = (aa * p + iab * q + iac * r) / determinant;
  const t = (iab * p + bb * q + ibc * r) / determinant;
  const u = (iac * p + ibc * q + cc * r) / determinant;
  if (s < 0 || t < 0 || u < 0) return null;
  return plus(plus(plus(d, a, s), b, t), c, u);
}
