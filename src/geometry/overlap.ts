// Whether two simple things share a point, at rest (Ericson 5.2). Touching counts, everywhere: with numbers that are
// exact, like 0.5 and 2, to the last bit. Solids hold their inside; planes are surfaces or half-spaces as the name says.
import type { Aabb } from './aabb';
import { closestTriangleTriangle, createClosestPair } from './closestPair';
import {
  signedDistanceToPlane,
  squaredDistanceToAabb,
  squaredDistanceToObb,
  squaredDistanceToTriangle,
} from './closestPoint';
import { closestPointOnPolygon } from './polygon';
import type { Sphere } from './sphere';
import {
  areaVector,
  axesOf,
  cross,
  dot,
  length,
  squaredDistance,
  squaredLength,
  subtract,
  type Vector,
  type VectorOut,
} from './vector';
import type { Obb, Plane } from './volumes';

/** A cone with a flat base: the apex, the unit direction to the base, height and radius of the base in m. */
export interface Cone {
  /** The tip. */
  apex: VectorOut;
  /** Unit, from the tip to the base. */
  axis: VectorOut;
  /** m, from tip to base. */
  height: number;
  /** m, of the base. */
  radius: number;
}

// --- against planes ---

/** Whether a sphere touches the surface of a plane (unit normal). */
export function spherePlaneOverlap({ center, radius }: Sphere, plane: Plane): boolean {
  return Math.abs(signedDistanceToPlane(center, plane)) <= radius;
}

/** Whether any part of a sphere is in the half-space below a plane (unit normal). */
export function sphereHalfSpaceOverlap({ center, radius }: Sphere, plane: Plane): boolean {
  return radius >= 0 && signedDistanceToPlane(center, plane) <= radius;
}

/** Whether all of a sphere is below a plane. */
export function sphereInHalfSpace({ center, radius }: Sphere, plane: Plane): boolean {
  return signedDistanceToPlane(center, plane) <= -radius;
}

/** How far a box reaches along a direction from its middle (Ericson 5.2.3). */
function reachOfAabb(box: Aabb, n: Vector): number {
  return (
    ((box.max[0] - box.min[0]) * Math.abs(n[0]) +
      (box.max[1] - box.min[1]) * Math.abs(n[1]) +
      (box.max[2] - box.min[2]) * Math.abs(n[2])) /
    2
  );
}

function heightOfAabb(box: Aabb, { normal, offset }: Plane): number {
  return (
    (normal[0] * (box.min[0] + box.max[0]) +
      normal[1] * (box.min[1] + box.max[1]) +
      normal[2] * (box.min[2] + box.max[2])) /
      2 -
    offset
  );
}

/** Whether a box touches the surface of a plane; the normal may have any length. */
export function aabbPlaneOverlap(box: Aabb, plane: Plane): boolean {
  return Math.abs(heightOfAabb(box, plane)) <= reachOfAabb(box, plane.normal);
}

/** Whether any part of a box is in the half-space below a plane. */
export function aabbHalfSpaceOverlap(box: Aabb, plane: Plane): boolean {
  return heightOfAabb(box, plane) <= reachOfAabb(box, plane.normal);
}

const axes = [0, 0, 0, 0, 0, 0, 0, 0, 0];

function reachOfObb({ halfExtents, rotation }: Obb, n: Vector): number {
  axesOf(rotation, axes);
  let sum = 0;
  for (let k = 0; k < 3; k++)
    sum += halfExtents[k] * Math.abs(n[0] * axes[3 * k] + n[1] * axes[3 * k + 1] + n[2] * axes[3 * k + 2]);
  return sum;
}

/** Whether an oriented box touches the surface of a plane; the normal may have any length. */
export function obbPlaneOverlap(box: Obb, plane: Plane): boolean {
  return Math.abs(signedDistanceToPlane(box.center, plane)) <= reachOfObb(box, plane.normal);
}

/** Whether any part of an oriented box is in the half-space below a plane. */
export function obbHalfSpaceOverlap(box: Obb, plane: Plane): boolean {
  return signedDistanceToPlane(box.center, plane) <= reachOfObb(box, plane.normal);
}

const v = [0, 0, 0];

/** How far below its apex a cone reaches against a unit normal, and above: of apex and rim. */
function coneReach(cone: Cone, n: Vector, sign: number): number {
  // The point of the rim that goes farthest along −sign n: what of n is perpendicular to the axis (Ericson 5.2.4).
  const along = dot(cone.axis, n);
  for (let k = 0; k < 3; k++) v[k] = n[k] - along * cone.axis[k];
  const rim = sign * cone.height * along - cone.radius * length(v);
  return Math.min(0, rim);
}

/** Whether any part of a cone is in the half-space below a plane of unit normal: its apex or its rim. */
export function coneHalfSpaceOverlap(cone: Cone, plane: Plane): boolean {
  return signedDistanceToPlane(cone.apex, plane) + coneReach(cone, plane.normal, 1) <= 0;
}

/** Whether a cone touches the surface of a plane of unit normal. */
export function conePlaneOverlap(cone: Cone, plane: Plane): boolean {
  const above = signedDistanceToPlane(cone.apex, plane);
  return above + coneReach(cone, plane.normal, 1) <= 0 && -above + coneReach(cone, plane.normal, -1) <= 0;
}

// --- spheres ---

/** Whether a sphere and a box overlap or touch; false for a negative radius. */
export function sphereAabbOverlap({ center, radius }: Sphere, box: Aabb): boolean {
  return radius >= 0 && squaredDistanceToAabb(center, box) <= radius * radius;
}

/** Whether a sphere and an oriented box overlap or touch; false for a negative radius. */
export function sphereObbOverlap({ center, radius }: Sphere, box: Obb): boolean {
  return radius >= 0 && squaredDistanceToObb(center, box) <= radius * radius;
}

/** Whether a sphere and a triangle overlap or touch; false for a negative radius. */
export function sphereTriangleOverlap({ center, radius }: Sphere, a: Vector, b: Vector, c: Vector): boolean {
  return radius >= 0 && squaredDistanceToTriangle(center, a, b, c) <= radius * radius;
}

const nearest = [0, 0, 0];

/** Whether a sphere and a flat polygon overlap or touch; the polygon, convex or not, is given by its corners in order (Ericson 5.2.9). */
export function spherePolygonOverlap({ center, radius }: Sphere, corners: Vector): boolean {
  if (radius < 0 || corners.length === 0) return false;
  return squaredDistance(center, closestPointOnPolygon(center, corners, nearest)) <= radius * radius;
}

// --- boxes and triangles ---

const edge = [0, 0, 0];
const normal = [0, 0, 0];
const c0 = [0, 0, 0];
const c1 = [0, 0, 0];
const c2 = [0, 0, 0];

/** Whether an axis parts a triangle, given about the box's middle, from the box. */
function partsFromBox(x: number, y: number, z: number, hx: number, hy: number, hz: number): boolean {
  const p0 = x * c0[0] + y * c0[1] + z * c0[2];
  const p1 = x * c1[0] + y * c1[1] + z * c1[2];
  const p2 = x * c2[0] + y * c2[1] + z * c2[2];
  const reach = hx * Math.abs(x) + hy * Math.abs(y) + hz * Math.abs(z);
  return Math.min(p0, p1, p2) > reach || Math.max(p0, p1, p2) < -reach;
}

/**
 * A box and a triangle, by 13 axes: those of the box, the normal, and edges crossed with axes (Akenine-Möller, Fast 3D
 * Triangle–Box Overlap Testing, 2001; Ericson 5.2.9). A triangle without area is what it is: a segment or a point.
 */
export function aabbTriangleOverlap(box: Aabb, a: Vector, b: Vector, c: Vector): boolean {
  const hx = (box.max[0] - box.min[0]) / 2;
  const hy = (box.max[1] - box.min[1]) / 2;
  const hz = (box.max[2] - box.min[2]) / 2;
  if (hx < 0 || hy < 0 || hz < 0) return false;
  for (let k = 0; k < 3; k++) {
    const middle = (box.min[k] + box.max[k]) / 2;
    c0[k] = a[k] - middle;
    c1[k] = b[k] - middle;
    c2[k] = c[k] - middle;
  }
  if (
    partsFromBox(1, 0, 0, hx, hy, hz) ||
    partsFromBox(0, 1, 0, hx, hy, hz) ||
    partsFromBox(0, 0, 1, hx, hy, hz)
  )
    return false;
  for (let i = 0; i < 3; i++) {
    if (i === 0) subtract(c1, c0, edge);
    else if (i === 1) subtract(c2, c1, edge);
    else subtract(c0, c2, edge);
    if (partsFromBox(0, -edge[2], edge[1], hx, hy, hz)) return false;
    if (partsFromBox(edge[2], 0, -edge[0], hx, hy, hz)) return false;
    if (partsFromBox(-edge[1], edge[0], 0, hx, hy, hz)) return false;
  }
  areaVector(c0, c1, c2, normal);
  return !partsFromBox(normal[0], normal[1], normal[2], hx, hy, hz);
}

const eA = [0, 0, 0];
const eB = [0, 0, 0];
const nA = [0, 0, 0];
const nB = [0, 0, 0];
const axis = [0, 0, 0];
const cornersA: Vector[] = [eA, eA, eA];
const cornersB: Vector[] = [eB, eB, eB];

function partsTriangles(x: number, y: number, z: number): boolean {
  let lowA = Infinity;
  let highA = -Infinity;
  let lowB = Infinity;
  let highB = -Infinity;
  for (let i = 0; i < 3; i++) {
    // From one corner: large coordinates would hide small gaps.
    const ofA =
      x * (cornersA[i][0] - cornersA[0][0]) +
      y * (cornersA[i][1] - cornersA[0][1]) +
      z * (cornersA[i][2] - cornersA[0][2]);
    const ofB =
      x * (cornersB[i][0] - cornersA[0][0]) +
      y * (cornersB[i][1] - cornersA[0][1]) +
      z * (cornersB[i][2] - cornersA[0][2]);
    if (ofA < lowA) lowA = ofA;
    if (ofA > highA) highA = ofA;
    if (ofB < lowB) lowB = ofB;
    if (ofB > highB) highB = ofB;
  }
  return highA < lowB || highB < lowA;
}

const pair = createClosestPair();
/** Square of 8 units in the last place. */
const ROUNDING = 8 * Number.EPSILON * (8 * Number.EPSILON);

/**
 * Two triangles, in one plane, too: both normals, nine products of edges, and in a common plane the normals of the edges
 * (Ericson 5.2.10, by separating axes). One without area is the segment or point that it is.
 */
export function trianglesOverlap(
  a0: Vector,
  a1: Vector,
  a2: Vector,
  b0: Vector,
  b1: Vector,
  b2: Vector,
): boolean {
  areaVector(a0, a1, a2, nA);
  areaVector(b0, b1, b2, nB);
  if (squaredLength(nA) === 0 && squaredLength(nB) === 0) {
    // Two segments or points have no normal: they are measured, as exactly as numbers of their size are.
    const far = Math.max(squaredLength(a0), squaredLength(a1), squaredLength(a2));
    return closestTriangleTriangle(a0, a1, a2, b0, b1, b2, pair).distanceSquared <= ROUNDING * far;
  }
  cornersA[0] = a0;
  cornersA[1] = a1;
  cornersA[2] = a2;
  cornersB[0] = b0;
  cornersB[1] = b1;
  cornersB[2] = b2;
  if (partsTriangles(nA[0], nA[1], nA[2]) || partsTriangles(nB[0], nB[1], nB[2])) return false;
  for (let i = 0; i < 3; i++) {
    subtract(cornersA[(i + 1) % 3], cornersA[i], eA);
    cross(nA, eA, axis);
    if (partsTriangles(axis[0], axis[1], axis[2])) return false;
    cross(nB, eA, axis);
    if (partsTriangles(axis[0], axis[1], axis[2])) return false;
    subtract(cornersB[(i + 1) % 3], cornersB[i], eB);
    cross(nB, eB, axis);
    if (partsTriangles(axis[0], axis[1], axis[2])) return false;
    cross(nA, eB, axis);
    if (partsTriangles(axis[0], axis[1], axis[2])) return false;
    for (let j = 0; j < 3; j++) {
      subtract(cornersB[(j + 1) % 3], cornersB[j], eB);
      cross(eA, eB, axis);
      // Of parallel edges there is no product: rounding has no direction.
      if (squaredLength(axis) <= PARALLEL * squaredLength(eA) * squaredLength(eB)) continue;
      if (partsTriangles(axis[0], axis[1], axis[2])) return false;
    }
  }
  return true;
}

/** sin² of the angle. */
const PARALLEL = 1e-24;
