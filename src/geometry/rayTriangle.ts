// Lines, rays and directed segments against triangles and quadrilaterals (Ericson 5.3.4 and 5.3.5). In: a Ray and
// corners. Out: a hit with barycentric coordinates. Edges and corners belong to the triangle, and two that share an
// edge leave no gap: its sign is computed from the same products on both sides.
import { createRayHit, pointOnRay, type Ray, type RayHit } from './ray';
import { areaVector, dot, normalize, scale, subtract, type Vector } from './vector';

/** Where a ray meets a triangle. */
export interface TriangleHit extends RayHit {
  /** Barycentric: point = u a + v b + w c. */
  u: number;
  /** Weight of corner b. */
  v: number;
  /** Weight of corner c. */
  w: number;
  /** It came from the side on which the corners go counter-clockwise. */
  front: boolean;
}

/** A new object for results. */
export function createTriangleHit(): TriangleHit {
  return { ...createRayHit(), u: 0, v: 0, w: 0, front: false };
}

const pa = [0, 0, 0];
const pb = [0, 0, 0];
const pc = [0, 0, 0];
const n = [0, 0, 0];

/** d · (p × q), the same but for its sign when p and q are swapped. */
function tripleProduct(d: Vector, p: Vector, q: Vector): number {
  return (
    d[0] * (p[1] * q[2] - p[2] * q[1]) +
    d[1] * (p[2] * q[0] - p[0] * q[2]) +
    d[2] * (p[0] * q[1] - p[1] * q[0])
  );
}

/**
 * By scalar triple products: the volumes that the direction spans with each edge have one sign where it passes
 * inside. In the plane of the triangle, or of a triangle without area, nothing is hit: see closestSegmentTriangle.
 *
 * @param oneSided  only the front, from where a, b, c go counter-clockwise. Default false
 */
export function rayTriangle(
  ray: Ray,
  a: Vector,
  b: Vector,
  c: Vector,
  oneSided = false,
  out: TriangleHit = createTriangleHit(),
): boolean {
  const { origin, direction } = ray;
  subtract(a, origin, pa);
  subtract(b, origin, pb);
  subtract(c, origin, pc);
  const u = tripleProduct(direction, pc, pb);
  const v = tripleProduct(direction, pa, pc);
  const w = tripleProduct(direction, pb, pa);
  const front = u >= 0 && v >= 0 && w >= 0;
  if (!front && (oneSided || !(u <= 0 && v <= 0 && w <= 0))) return false;
  const sum = u + v + w;
  areaVector(a, b, c, n);
  const slope = dot(n, direction);
  if (sum === 0 || slope === 0) return false;
  const t = dot(n, pa) / slope;
  if (!(t >= ray.min && t <= ray.max)) return false;
  out.t = out.exit = t;
  out.inside = false;
  out.front = front;
  out.u = u / sum;
  out.v = v / sum;
  out.w = 1 - out.u - out.v;
  pointOnRay(ray, t, out.point);
  normalize(n, out.normal);
  if (!front) scale(out.normal, -1, out.normal);
  return true;
}

/**
 * Against a flat convex quadrilateral a b c d, cut along a c. `u`, `v`, `w` are of the triangle a b c, or of a c d where
 * that was hit.
 */
export function rayQuadrilateral(
  ray: Ray,
  a: Vector,
  b: Vector,
  c: Vector,
  d: Vector,
  oneSided = false,
  out: TriangleHit = createTriangleHit(),
): boolean {
  return rayTriangle(ray, a, b, c, oneSided, out) || rayTriangle(ray, a, c, d, oneSided, out);
}
