// The point of a thing that is nearest to a given point, and squared distances, which cost no root (Ericson 5.1.1 to
// 5.1.6). Solids hold their inside: a point in one is its own closest point. `out` may be the given point.
import type { Aabb } from './aabb';
import {
  addScaled,
  areaVector,
  between,
  clamp,
  copy,
  copyAt,
  dot,
  set,
  squaredDistance,
  squaredLength,
  subtract,
  toLocal,
  toWorld,
  type Vector,
  type VectorOut,
} from './vector';
import type { Obb, Plane, Polyhedron, Rectangle } from './volumes';

/** Distance from a plane of unit normal, m; positive above it. */
export function signedDistanceToPlane(point: Vector, plane: Plane): number {
  return dot(plane.normal, point) - plane.offset;
}

/** Closest point of a plane to a point: the foot of the perpendicular. The normal may have any length but 0. */
export function closestPointOnPlane(point: Vector, plane: Plane, out: VectorOut = [0, 0, 0]): VectorOut {
  const { normal, offset } = plane;
  return addScaled(point, normal, (offset - dot(normal, point)) / squaredLength(normal), out);
}

/** Where on the line a + t (b − a) a point's foot is; 0 for a line of one point. Below 0 before a, above 1 behind b. */
export function parameterOnLine(point: Vector, a: Vector, b: Vector): number {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const dz = b[2] - a[2];
  const squared = dx * dx + dy * dy + dz * dz;
  const along = (point[0] - a[0]) * dx + (point[1] - a[1]) * dy + (point[2] - a[2]) * dz;
  const t = along / squared;
  return squared > 0 && t - t === 0 ? t : 0;
}

/** Closest point of the line through a and b to a point; a if a and b are equal. */
export function closestPointOnLine(
  point: Vector,
  a: Vector,
  b: Vector,
  out: VectorOut = [0, 0, 0],
): VectorOut {
  return between(a, b, parameterOnLine(point, a, b), out);
}

/** Closest point of the segment a b, which may be one point, to a point. */
export function closestPointOnSegment(
  point: Vector,
  a: Vector,
  b: Vector,
  out: VectorOut = [0, 0, 0],
): VectorOut {
  return between(a, b, clamp(parameterOnLine(point, a, b), 0, 1), out);
}

/** The point of a box that is nearest to a point: the point itself if it is inside. */
export function closestPointOnAabb(point: Vector, box: Aabb, out: VectorOut = [0, 0, 0]): VectorOut {
  for (let k = 0; k < 3; k++) out[k] = clamp(point[k], box.min[k], box.max[k]);
  return out;
}

const local = [0, 0, 0];

/** The point of an oriented box that is nearest to a point: the point itself if it is inside. */
export function closestPointOnObb(point: Vector, box: Obb, out: VectorOut = [0, 0, 0]): VectorOut {
  const { center, rotation, halfExtents } = box;
  toLocal(point, center, rotation, local);
  for (let k = 0; k < 3; k++) local[k] = clamp(local[k], -halfExtents[k], halfExtents[k]);
  return toWorld(local, center, rotation, out);
}

/** The point of a rectangle in space that is nearest to a point. */
export function closestPointOnRectangle(
  point: Vector,
  rectangle: Rectangle,
  out: VectorOut = [0, 0, 0],
): VectorOut {
  const { center, rotation, halfExtents } = rectangle;
  toLocal(point, center, rotation, local);
  for (let k = 0; k < 2; k++) local[k] = clamp(local[k], -halfExtents[k], halfExtents[k]);
  local[2] = 0;
  return toWorld(local, center, rotation, out);
}

const ab = [0, 0, 0];
const ac = [0, 0, 0];
const toPoint = [0, 0, 0];
const onEdge = [0, 0, 0];
const kept = [0, 0, 0];
/** sin² of the angle at a corner: a triangle sharper than this is searched edge by edge. */
const SLIVER = 1e-20;

/**
 * By the Voronoi regions of corners, edges and the inside (Ericson 5.1.5). A triangle without area is its edges.
 */
export function closestPointOnTriangle(
  point: Vector,
  a: Vector,
  b: Vector,
  c: Vector,
  out: VectorOut = [0, 0, 0],
): VectorOut {
  subtract(b, a, ab);
  subtract(c, a, ac);
  areaVector(a, b, c, toPoint);
  if (!(squaredLength(toPoint) > SLIVER * squaredLength(ab) * squaredLength(ac)))
    return closestPointOnEdges(point, a, b, c, out);
  subtract(point, a, toPoint);
  const d1 = dot(ab, toPoint);
  const d2 = dot(ac, toPoint);
  if (d1 <= 0 && d2 <= 0) return copy(a, out);
  subtract(point, b, toPoint);
  const d3 = dot(ab, toPoint);
  const d4 = dot(ac, toPoint);
  if (d3 >= 0 && d4 <= d3) return copy(b, out);
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return addScaled(a, ab, d1 / (d1 - d3), out);
  subtract(point, c, toPoint);
  const d5 = dot(ab, toPoint);
  const d6 = dot(ac, toPoint);
  if (d6 >= 0 && d5 <= d6) return copy(c, out);
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return addScaled(a, ac, d2 / (d2 - d6), out);
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return between(b, c, (d4 - d3) / (d4 - d3 + (d5 - d6)), out);
  const sum = va + vb + vc;
  addScaled(a, ab, vb / sum, onEdge);
  return addScaled(onEdge, ac, vc / sum, out);
}

function closestPointOnEdges(point: Vector, a: Vector, b: Vector, c: Vector, out: VectorOut): VectorOut {
  closestPointOnSegment(point, a, b, kept);
  let least = squaredDistance(point, kept);
  for (let edge = 0; edge < 2; edge++) {
    if (edge === 0) closestPointOnSegment(point, b, c, onEdge);
    else closestPointOnSegment(point, c, a, onEdge);
    const squared = squaredDistance(point, onEdge);
    if (!(squared < least)) continue;
    least = squared;
    copy(onEdge, kept);
  }
  return copy(kept, out);
}

const given = [0, 0, 0];
const best = [0, 0, 0];
const onFace = [0, 0, 0];
const normal = [0, 0, 0];

/** Whether d and p lie on different sides of the plane of a b c, or it has none, or d is in it. */
function beyond(p: Vector, a: Vector, b: Vector, c: Vector, d: Vector): boolean {
  areaVector(a, b, c, normal);
  const ofPoint = dot(normal, p) - dot(normal, a);
  const ofCorner = dot(normal, d) - dot(normal, a);
  return !(ofPoint * ofCorner > 0);
}

/** Closest point of a solid tetrahedron of either orientation; a flat one counts as its four triangles (Ericson 5.1.6). */
export function closestPointOnTetrahedron(
  point: Vector,
  a: Vector,
  b: Vector,
  c: Vector,
  d: Vector,
  out: VectorOut = [0, 0, 0],
): VectorOut {
  copy(point, given);
  copy(point, best);
  let least = Infinity;
  for (let face = 0; face < 4; face++) {
    const p = face === 3 ? b : a;
    const q = face === 0 || face === 3 ? (face === 0 ? b : c) : face === 1 ? c : d;
    const r = face === 0 ? c : face === 2 ? b : d;
    const apex = face === 0 ? d : face === 1 ? b : face === 2 ? c : a;
    if (!beyond(given, p, q, r, apex)) continue;
    closestPointOnTriangle(given, p, q, r, onFace);
    const squared = squaredDistance(given, onFace);
    if (!(squared < least)) continue;
    least = squared;
    copy(onFace, best);
  }
  return copy(best, out);
}

const cornerA = [0, 0, 0];
const cornerB = [0, 0, 0];
const cornerC = [0, 0, 0];

/** Closest point of a solid convex polyhedron: on the closest of the faces whose planes the point is above. */
export function closestPointOnPolyhedron(
  point: Vector,
  polyhedron: Polyhedron,
  out: VectorOut = [0, 0, 0],
): VectorOut {
  const { vertices, planes, faces } = polyhedron;
  copy(point, given);
  copy(point, best);
  let least = Infinity;
  for (let f = 0; f < faces.length; f++) {
    const above =
      planes[4 * f] * given[0] +
      planes[4 * f + 1] * given[1] +
      planes[4 * f + 2] * given[2] -
      planes[4 * f + 3];
    // Its plane is no farther than the face: what is farther already need not be looked at.
    if (above < 0 || above * above >= least) continue;
    const face = faces[f];
    copyAt(vertices, face[0], cornerA);
    for (let i = 2; i < face.length; i++) {
      copyAt(vertices, face[i - 1], cornerB);
      copyAt(vertices, face[i], cornerC);
      closestPointOnTriangle(given, cornerA, cornerB, cornerC, onFace);
      const squared = squaredDistance(given, onFace);
      if (!(squared < least)) continue;
      least = squared;
      copy(onFace, best);
    }
  }
  return copy(best, out);
}

/** The point with barycentric coordinates u, v, w of the triangle: u a + v b + w c. */
export function pointFromBarycentric(
  uvw: Vector,
  a: Vector,
  b: Vector,
  c: Vector,
  out: VectorOut = [0, 0, 0],
): VectorOut {
  const [u, v, w] = [uvw[0], uvw[1], uvw[2]];
  return set(
    out,
    u * a[0] + v * b[0] + w * c[0],
    u * a[1] + v * b[1] + w * c[1],
    u * a[2] + v * b[2] + w * c[2],
  );
}

/**
 * Barycentric coordinates u, v, w of a point's foot in the plane of a triangle (Ericson 3.4). False, and nothing
 * written, for a triangle without area.
 */
export function barycentricOf(point: Vector, a: Vector, b: Vector, c: Vector, out: VectorOut): boolean {
  subtract(b, a, ab);
  subtract(c, a, ac);
  subtract(point, a, toPoint);
  areaVector(a, b, c, normal);
  const squared = squaredLength(normal);
  if (!(squared > 0)) return false;
  // Areas of the parts over the whole, as scalar triple products with the normal.
  const v =
    (normal[0] * (toPoint[1] * ac[2] - toPoint[2] * ac[1]) +
      normal[1] * (toPoint[2] * ac[0] - toPoint[0] * ac[2]) +
      normal[2] * (toPoint[0] * ac[1] - toPoint[1] * ac[0])) /
    squared;
  const w =
    (normal[0] * (ab[1] * toPoint[2] - ab[2] * toPoint[1]) +
      normal[1] * (ab[2] * toPoint[0] - ab[0] * toPoint[2]) +
      normal[2] * (ab[0] * toPoint[1] - ab[1] * toPoint[0])) /
    squared;
  set(out, 1 - v - w, v, w);
  return true;
}

// --- squared distances ---

/** Squared distance of a point to a segment, m² (Ericson 5.1.2.1). */
export function squaredDistanceToSegment(point: Vector, a: Vector, b: Vector): number {
  return squaredDistance(point, closestPointOnSegment(point, a, b, onEdge));
}

/** Squared distance of a point to a line, m². */
export function squaredDistanceToLine(point: Vector, a: Vector, b: Vector): number {
  return squaredDistance(point, closestPointOnLine(point, a, b, onEdge));
}

/** Squared distance of a point to a box, m²; 0 inside (Ericson 5.1.3.1). */
export function squaredDistanceToAabb(point: Vector, box: Aabb): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const outside = point[k] < box.min[k] ? box.min[k] - point[k] : point[k] - box.max[k];
    if (outside > 0) sum += outside * outside;
  }
  return sum;
}

/** Squared distance of a point to an oriented box, m²; 0 inside (Ericson 5.1.4.1). */
export function squaredDistanceToObb(point: Vector, box: Obb): number {
  toLocal(point, box.center, box.rotation, local);
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const outside = Math.abs(local[k]) - box.halfExtents[k];
    if (outside > 0) sum += outside * outside;
  }
  return sum;
}

/** Squared distance of a point to a rectangle, m². */
export function squaredDistanceToRectangle(point: Vector, rectangle: Rectangle): number {
  toLocal(point, rectangle.center, rectangle.rotation, local);
  let sum = local[2] * local[2];
  for (let k = 0; k < 2; k++) {
    const outside = Math.abs(local[k]) - rectangle.halfExtents[k];
    if (outside > 0) sum += outside * outside;
  }
  return sum;
}

/** Squared distance of a point to a triangle, m². */
export function squaredDistanceToTriangle(point: Vector, a: Vector, b: Vector, c: Vector): number {
  return squaredDistance(point, closestPointOnTriangle(point, a, b, c, onFace));
}

/** Squared distance of a point to a solid polyhedron, m²; 0 inside. */
export function squaredDistanceToPolyhedron(point: Vector, polyhedron: Polyhedron): number {
  return squaredDistance(point, closestPointOnPolyhedron(point, polyhedron, onFace));
}

/** The corner of the box that reaches farthest along `direction`. */
export function farthestCornerOfAabb(box: Aabb, direction: Vector, out: VectorOut = [0, 0, 0]): VectorOut {
  for (let k = 0; k < 3; k++) out[k] = direction[k] < 0 ? box.min[k] : box.max[k];
  return out;
}
