// Convex polyhedra about points: corners, planes, a sphere for a first look, and how much was left out. In: points.
// Out: a ConvexHull of few corners, and tests of two that may say "perhaps", never a wrong "no" (Ericson 4.6 and 5.5).
import { cookHull, type HullOptions } from '../cooking/hull';
import { squaredDistanceToPolyhedron } from './closestPoint';
import { minimalSphere } from './minimalSphere';
import { countPoints } from './points';
import { copySphere, createSphere, type Sphere, spheresOverlap, transformSphere } from './sphere';
import { copyAt, set, toWorld, turn, type Vector } from './vector';
import type { Polyhedron } from './volumes';

/** A convex polyhedron about points, in their frame. */
export interface ConvexHull extends Polyhedron {
  /** The smallest sphere over all the points. */
  sphere: Sphere;
  /** m. Distance of the farthest point outside of the hull: from rounding of the corners to f32, and from `maxVertices`. */
  margin: number;
  /** m³, of the polyhedron. */
  volume: number;
}

const point = [0, 0, 0];

/**
 * The hull of points, of at most `maxVertices` of them (default 64): the outermost are kept. The builder is that of
 * the engine's own hulls.
 *
 * @throws PhysicsError 'invalid-argument' that names the point: not finite, fewer than four, or all of them (nearly) in
 *   one point, line or plane
 */
export function convexHull(points: Vector, options: HullOptions = {}): ConvexHull {
  const count = countPoints(points, 'points');
  const { vertices, planes, faces, center, volume } = cookHull(points, options);
  for (let v = 0; v < vertices.length; v += 3) for (let k = 0; k < 3; k++) vertices[v + k] += center[k];
  for (let f = 0; f < planes.length; f += 4)
    planes[f + 3] += planes[f] * center[0] + planes[f + 1] * center[1] + planes[f + 2] * center[2];
  const hull: ConvexHull = { vertices, planes, faces, volume, sphere: minimalSphere(points), margin: 0 };
  let most = 0;
  for (let i = 0; i < count; i++)
    most = Math.max(most, squaredDistanceToPolyhedron(copyAt(points, i, point), hull));
  hull.margin = Math.sqrt(most);
  return hull;
}

/** The hull rotated about the origin by the unit quaternion `rotation`, then moved, into one with as many corners. */
export function transformHull(
  hull: ConvexHull,
  position: Vector,
  rotation: Vector,
  out: ConvexHull = copyOf(hull),
): ConvexHull {
  for (let v = 0; 3 * v < hull.vertices.length; v++) {
    toWorld(copyAt(hull.vertices, v, point), position, rotation, point);
    for (let k = 0; k < 3; k++) out.vertices[3 * v + k] = point[k];
  }
  for (let f = 0; f < hull.planes.length; f += 4) {
    set(point, hull.planes[f], hull.planes[f + 1], hull.planes[f + 2]);
    turn(rotation, point, point);
    for (let k = 0; k < 3; k++) out.planes[f + k] = point[k];
    out.planes[f + 3] =
      hull.planes[f + 3] + point[0] * position[0] + point[1] * position[1] + point[2] * position[2];
  }
  transformSphere(hull.sphere, position, rotation, 1, out.sphere);
  out.margin = hull.margin;
  out.volume = hull.volume;
  out.faces = hull.faces;
  return out;
}

function copyOf(hull: ConvexHull): ConvexHull {
  const vertices = Float64Array.from(hull.vertices);
  const planes = Float64Array.from(hull.planes);
  return { ...hull, vertices, planes, sphere: copySphere(hull.sphere, createSphere()) };
}

/**
 * Whether two may share a point: the spheres, then the corners of each against the planes of the other. False is sure;
 * true may be wrong where edges pass each other.
 */
export function hullsMayOverlap(a: ConvexHull, b: ConvexHull): boolean {
  if (!spheresOverlap(a.sphere, b.sphere)) return false;
  const margin = a.margin + b.margin;
  return !planeParts(a.planes, b.vertices, margin) && !planeParts(b.planes, a.vertices, margin);
}

/** Whether one of the planes has all corners above it by more than the margin. */
function planeParts(planes: Vector, corners: Vector, margin: number): boolean {
  for (let f = 0; f < planes.length; f += 4) {
    let above = true;
    for (let v = 0; above && v < corners.length; v += 3)
      above =
        planes[f] * corners[v] + planes[f + 1] * corners[v + 1] + planes[f + 2] * corners[v + 2] >
        planes[f + 3] + margin;
    if (above) return true;
  }
  return false;
}
