// The separating axis theorem for convex things given by corners: they share no point if and only if some axis has
// their projections apart, so one axis that parts them is enough, and if none of the candidates does they overlap.
// (Ericson 5.2.1; in the plane: the normals of all sides; in space: face normals and products of edges.) In: corners and
// candidate axes. Out: whether they overlap; touching counts.
import { cross, dotAt, set, squaredLength, type Vector } from './vector';

const axis = [0, 0, 0];
const u = [0, 0, 0];
const v = [0, 0, 0];

/** Whether the projections of two lists of points on an axis, of any length, have no point in common. */
export function separatedAlong(a: Vector, b: Vector, direction: Vector): boolean {
  let lowA = Infinity;
  let highA = -Infinity;
  let lowB = Infinity;
  let highB = -Infinity;
  for (let i = 0; 3 * i < a.length; i++) {
    const reach = dotAt(direction, a, i);
    if (reach < lowA) lowA = reach;
    if (reach > highA) highA = reach;
  }
  for (let i = 0; 3 * i < b.length; i++) {
    const reach = dotAt(direction, b, i);
    if (reach < lowB) lowB = reach;
    if (reach > highB) highB = reach;
  }
  return highA < lowB || highB < lowA;
}

/** Corners, and the directions that matter for separation: normals of faces, directions of edges. One of each sort. */
export interface ConvexCorners {
  /** x, y, z of each corner */
  corners: Vector;
  /** x, y, z of each face normal, any length */
  normals: Vector;
  /** x, y, z along each edge, any length */
  edges: Vector;
}

/**
 * Whether two convex polyhedra share a point: the normals of both, and every edge of A crossed with every edge of B.
 * For polygons in the plane z = 0 give the sides' normals, and no edges.
 */
export function convexCornersOverlap(a: ConvexCorners, b: ConvexCorners): boolean {
  if (normalsPart(a.normals, a, b) || normalsPart(b.normals, a, b)) return false;
  for (let i = 0; i < a.edges.length; i += 3)
    for (let j = 0; j < b.edges.length; j += 3) {
      set(u, a.edges[i], a.edges[i + 1], a.edges[i + 2]);
      set(v, b.edges[j], b.edges[j + 1], b.edges[j + 2]);
      cross(u, v, axis);
      // The product of parallel edges is rounding: no direction at all.
      if (squaredLength(axis) <= PARALLEL * squaredLength(u) * squaredLength(v)) continue;
      if (separatedAlong(a.corners, b.corners, axis)) return false;
    }
  return true;
}

/** sin² of the angle. */
const PARALLEL = 1e-20;

function normalsPart(normals: Vector, a: ConvexCorners, b: ConvexCorners): boolean {
  for (let i = 0; i < normals.length; i += 3) {
    set(axis, normals[i], normals[i + 1], normals[i + 2]);
    if (squaredLength(axis) > 0 && separatedAlong(a.corners, b.corners, axis)) return true;
  }
  return false;
}
