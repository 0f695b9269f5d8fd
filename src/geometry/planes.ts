// Planes through points, where planes meet, and points in solids that planes bound (Ericson 3.6, 5.4.2 to 5.4.5). In: planes
// n · p = offset, corners. Out: lines, points, whether a point is inside; what touches is.

import { closestPointOnTetrahedron } from './closestPoint';
import { createRay, type Ray } from './ray';
import {
  areaVector,
  cross,
  dot,
  normalize,
  set,
  squaredDistance,
  squaredLength,
  subtract,
  type Vector,
  type VectorOut,
} from './vector';
import { createPlane, type Plane } from './volumes';

const u = [0, 0, 0];
const v = [0, 0, 0];
const w = [0, 0, 0];

/** The plane of three points; seen from the tip of its normal, they go counter-clockwise. False, with nothing written, if they lie in a line. */
export function planeFromPoints(a: Vector, b: Vector, c: Vector, out: Plane = createPlane()): boolean {
  areaVector(a, b, c, u);
  if (!(normalize(u, u) > 0)) return false;
  set(out.normal, u[0], u[1], u[2]);
  out.offset = dot(u, a);
  return true;
}

/** sin² of the angle between planes that count as parallel. */
const PARALLEL = 1e-20;

/**
 * The line where two planes meet, as a Ray from −∞ to ∞ whose origin is its point nearest to 0, 0, 0 (Ericson 5.4.4).
 * False, and nothing written, for parallel ones. Normals may have any length but 0.
 */
export function intersectTwoPlanes(a: Plane, b: Plane, out: Ray = createRay()): boolean {
  cross(a.normal, b.normal, u);
  const squared = squaredLength(u);
  if (!(squared > PARALLEL * squaredLength(a.normal) * squaredLength(b.normal))) return false;
  for (let k = 0; k < 3; k++) v[k] = a.offset * b.normal[k] - b.offset * a.normal[k];
  cross(v, u, w);
  set(out.origin, w[0] / squared, w[1] / squared, w[2] / squared);
  set(out.direction, u[0], u[1], u[2]);
  out.min = -Infinity;
  out.max = Infinity;
  return true;
}

/** The point where three planes meet, by Cramer's rule (Ericson 5.4.5). False, and nothing written, if there is no single one. */
export function intersectThreePlanes(a: Plane, b: Plane, c: Plane, out: VectorOut = [0, 0, 0]): boolean {
  cross(b.normal, c.normal, u);
  const determinant = dot(a.normal, u);
  const size = squaredLength(a.normal) * squaredLength(b.normal) * squaredLength(c.normal);
  if (!(determinant * determinant > PARALLEL * size)) return false;
  cross(c.normal, a.normal, v);
  cross(a.normal, b.normal, w);
  for (let k = 0; k < 3; k++) u[k] = (a.offset * u[k] + b.offset * v[k] + c.offset * w[k]) / determinant;
  set(out, u[0], u[1], u[2]);
  return true;
}

/**
 * Whether a point of space is over a triangle: its foot in the plane is in it, edges included (Ericson 5.4.2). Of a
 * triangle without area: false.
 */
export function pointOverTriangle(point: Vector, a: Vector, b: Vector, c: Vector): boolean {
  areaVector(a, b, c, u);
  if (!(squaredLength(u) > 0)) return false;
  return leftOf(point, a, b) && leftOf(point, b, c) && leftOf(point, c, a);
}

/** Of the edge p q as seen from the tip of the normal in `u`. */
function leftOf(point: Vector, p: Vector, q: Vector): boolean {
  subtract(q, p, v);
  subtract(point, p, w);
  const x = v[1] * w[2] - v[2] * w[1];
  const y = v[2] * w[0] - v[0] * w[2];
  const z = v[0] * w[1] - v[1] * w[0];
  return u[0] * x + u[1] * y + u[2] * z >= 0;
}

/**
 * Whether a convex polyhedron contains a point: the point is below every plane, or on it (Ericson 5.4.3).
 *
 * @param planes  normal x, y, z, pointing out, and offset of each
 */
export function pointInPolyhedron(point: Vector, planes: Vector): boolean {
  for (let f = 0; f < planes.length; f += 4)
    if (planes[f] * point[0] + planes[f + 1] * point[1] + planes[f + 2] * point[2] > planes[f + 3])
      return false;
  return true;
}

/** Whether a tetrahedron, of either orientation, contains a point. A flat one contains the points of its faces. */
export function pointInTetrahedron(point: Vector, a: Vector, b: Vector, c: Vector, d: Vector): boolean {
  areaVector(a, b, c, u);
  if (dot(u, subtract(d, a, v)) === 0)
    return squaredDistance(point, closestPointOnTetrahedron(point, a, b, c, d, v)) === 0;
  return (
    below(point, a, b, c, d) &&
    below(point, a, c, d, b) &&
    below(point, a, d, b, c) &&
    below(point, b, d, c, a)
  );
}

/** On the side of the plane of a b c on which the apex is, or on it. */
function below(point: Vector, a: Vector, b: Vector, c: Vector, apex: Vector): boolean {
  areaVector(a, b, c, u);
  subtract(point, a, v);
  subtract(apex, a, w);
  const ofPoint = dot(u, v);
  const ofApex = dot(u, w);
  return ofPoint === 0 || (ofApex > 0 ? ofPoint > 0 : ofApex < 0 && ofPoint < 0);
}
