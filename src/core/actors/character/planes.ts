// The smallest change of a displacement that keeps it on the allowed side of given planes: its projection onto their
// intersection. It is exact, so that a character that is pressed into a corner stands still there. In: planes, a
// displacement. Out: the nearest allowed displacement. Active sets of one to three planes are tried with their
// multipliers (KKT conditions), in f64: three walls that meet at one degree amplify rounding 3,000 times.
import { vec3, x, y, z } from '../../math/vector';
import { FLAT_PLANES, NO_WAY } from '../tolerances';

/** The half space normal · x ≥ least, how much the displacement lacks, and how fast the plane goes. @unmanaged */
class HalfSpace {
  x: f64;
  y: f64;
  z: f64;
  least: f64;
  lack: f64;
  pace: f64; // m/s along the normal
}

/** Planes of the surroundings, and one more for the floor. */
const MOST = 17;
const SIZE: usize = offsetof<HalfSpace>();
const PLANES: usize = memory.data(MOST * offsetof<HalfSpace>(), 8);
const COUNT: usize = memory.data(4, 4);
/** f64[3]: the displacement that is tried. */
const TRIED: usize = memory.data(24, 8);

/** @inline */
function planeAt(i: i32): HalfSpace {
  return changetype<HalfSpace>(PLANES + <usize>i * SIZE);
}

export function clearPlanes(): void {
  store<i32>(COUNT, 0);
}

export function planeCount(): i32 {
  return load<i32>(COUNT);
}

/** Allows displacements with normal · x ≥ least. `pace`: m/s along the normal of what lies behind it. */
export function addPlane(normal: v128, least: f32, pace: f32 = 0): void {
  const count = load<i32>(COUNT);
  if (count == MOST) return;
  const plane = planeAt(count);
  plane.x = <f64>x(normal);
  plane.y = <f64>y(normal);
  plane.z = <f64>z(normal);
  plane.least = <f64>least;
  plane.pace = <f64>pace;
  store<i32>(COUNT, count + 1);
}

/** Keeps the planes that a displacement reaches, for velocities: no slower along the normal than what lies behind. */
export function keepReached(moved: v128, slack: f64): void {
  const count = load<i32>(COUNT);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const plane = planeAt(i);
    if (along(plane, <f64>x(moved), <f64>y(moved), <f64>z(moved)) > plane.least + slack) continue;
    if (kept != i) memory.copy(changetype<usize>(planeAt(kept)), changetype<usize>(plane), SIZE);
    planeAt(kept).least = planeAt(kept).pace;
    kept++;
  }
  store<i32>(COUNT, kept);
}

/** The displacement that nearestWithin found. */
export function nearest(): v128 {
  return vec3(<f32>load<f64>(TRIED), <f32>load<f64>(TRIED, 8), <f32>load<f64>(TRIED, 16));
}

/** @inline */
function along(p: HalfSpace, dx: f64, dy: f64, dz: f64): f64 {
  return p.x * dx + p.y * dy + p.z * dz;
}

/** A way along the normal of a plane. @value */
class Along {
  plane: HalfSpace;
  way: f64;
}

/** Tries d and the three ways. */
function tries(d: v128, a: Along, b: Along, c: Along): bool {
  const dx = <f64>x(d) + a.way * a.plane.x + b.way * b.plane.x + c.way * c.plane.x;
  const dy = <f64>y(d) + a.way * a.plane.y + b.way * b.plane.y + c.way * c.plane.y;
  const dz = <f64>z(d) + a.way * a.plane.z + b.way * b.plane.z + c.way * c.plane.z;
  store<f64>(TRIED, dx);
  store<f64>(TRIED, dy, 8);
  store<f64>(TRIED, dz, 16);
  const count = load<i32>(COUNT);
  for (let i = 0; i < count; i++) {
    const plane = planeAt(i);
    if (along(plane, dx, dy, dz) < plane.least - <f64>NO_WAY) return false;
  }
  return true;
}

/** Finds the displacement nearest to `d` that all planes allow: see nearest(). False where they leave no room. */
export function nearestWithin(d: v128): bool {
  const n = load<i32>(COUNT);
  if (n == 0) {
    // There is no first plane, and what is left of an earlier one may change the sign of a zero.
    store<f64>(TRIED, <f64>x(d));
    store<f64>(TRIED, <f64>y(d), 8);
    store<f64>(TRIED, <f64>z(d), 16);
    return true;
  }
  const none = planeAt(0);
  if (tries(d, new Along(none, 0), new Along(none, 0), new Along(none, 0))) return true;
  for (let i = 0; i < n; i++) {
    const p = planeAt(i);
    p.lack = p.least - along(p, <f64>x(d), <f64>y(d), <f64>z(d));
  }
  // A projection onto fewer planes that all others allow is the projection onto all.
  for (let i = 0; i < n; i++) {
    const p = planeAt(i);
    if (p.lack > 0 && tries(d, new Along(p, p.lack), new Along(none, 0), new Along(none, 0))) return true;
  }
  for (let i = 0; i < n; i++) {
    const a = planeAt(i);
    for (let j = i + 1; j < n; j++) {
      const b = planeAt(j);
      const c = along(a, b.x, b.y, b.z);
      const determinant = 1 - c * c;
      if (determinant < FLAT_PLANES) continue;
      const s = (a.lack - c * b.lack) / determinant;
      const t = (b.lack - c * a.lack) / determinant;
      if (s >= 0 && t >= 0 && tries(d, new Along(a, s), new Along(b, t), new Along(none, 0))) return true;
    }
  }
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++)
      for (let k = j + 1; k < n; k++) if (meets(d, planeAt(i), planeAt(j), planeAt(k))) return true;
  return false;
}

/** Tries the corner of three planes, if all three press there. */
function meets(d: v128, a: HalfSpace, b: HalfSpace, c: HalfSpace): bool {
  const ab = along(a, b.x, b.y, b.z);
  const ac = along(a, c.x, c.y, c.z);
  const bc = along(b, c.x, c.y, c.z);
  // The inverse of the symmetric matrix [1 ab ac; ab 1 bc; ac bc 1] by cofactors.
  const aa = 1 - bc * bc;
  const bb = 1 - ac * ac;
  const cc = 1 - ab * ab;
  const iab = ac * bc - ab;
  const iac = ab * bc - ac;
  const ibc = ab * ac - bc;
  const determinant = aa + ab * iab + ac * iac;
  if (determinant < FLAT_PLANES) return false;
  const s = (aa * a.lack + iab * b.lack + iac * c.lack) / determinant;
  const t = (iab * a.lack + bb * b.lack + ibc * c.lack) / determinant;
  const u = (iac * a.lack + ibc * b.lack + cc * c.lack) / determinant;
  return s >= 0 && t >= 0 && u >= 0 && tries(d, new Along(a, s), new Along(b, t), new Along(c, u));
}
