// The point of a triangle closest to the origin (Ericson, 5.1.5). In: three corners. Out: the point, and the feature of
// the triangle on which it lies.

import { addScaled, cross, dot, lengthSquared, scale, sub } from '../math/vector';

const NEAREST_POINT: usize = memory.data(16, 16);
export const INSIDE: i32 = 6;

/** The point of a triangle closest to the origin, left in NEAREST_POINT. Returns 0–2 edge, 3–5 corner, or INSIDE. */
export function nearestOnTriangle(a: v128, b: v128, c: v128): i32 {
  const ab = sub(b, a);
  const ac = sub(c, a);
  const d1 = -dot(ab, a);
  const d2 = -dot(ac, a);
  if (d1 <= 0 && d2 <= 0) return nearestAt(a, 3);
  const d3 = -dot(ab, b);
  const d4 = -dot(ac, b);
  if (d3 >= 0 && d4 <= d3) return nearestAt(b, 4);
  const d5 = -dot(ab, c);
  const d6 = -dot(ac, c);
  if (d6 >= 0 && d5 <= d6) return nearestAt(c, 5);
  const n = cross(ab, ac);
  // Signed areas, seen along the normal, of the triangles formed by each edge and the origin.
  const wC = dot(n, cross(a, b));
  const wA = dot(n, cross(b, c));
  const wB = dot(n, cross(c, a));
  if (wC <= 0 && d1 >= 0 && d3 <= 0) return nearestAt(addScaled(a, ab, d1 / (d1 - d3)), 0);
  if (wB <= 0 && d2 >= 0 && d6 <= 0) return nearestAt(addScaled(a, ac, d2 / (d2 - d6)), 2);
  if (wA <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return nearestAt(addScaled(b, sub(c, b), (d4 - d3) / (d4 - d3 + (d5 - d6))), 1);
  const l2 = lengthSquared(n);
  return nearestAt(scale(n, dot(n, a) / l2), INSIDE);
}

/** @inline */
function nearestAt(p: v128, where: i32): i32 {
  v128.store(NEAREST_POINT, p);
  return where;
}
/** @inline */
export function nearestPoint(): v128 {
  return v128.load(NEAREST_POINT);
}
