// Axis-aligned bounding boxes. In: points, spheres, boxes. Out: boxes as lowest and highest corner, or as centre and
// half extents (Ericson, Real-Time Collision Detection, 4.2). What touches overlaps.
import { countPoints } from './points';
import type { Sphere } from './sphere';
import { axesOf, set, type Vector, type VectorOut } from './vector';

/** Lowest and highest corner, m. A box whose `min` is above its `max` is empty and overlaps nothing. */
export interface Aabb {
  /** Least corner. */
  min: VectorOut;
  /** Greatest corner. */
  max: VectorOut;
}

/** The same as centre and half extents, m. */
export interface CenterBox {
  /** Centre. */
  center: VectorOut;
  /** ≥ 0 */
  halfExtents: VectorOut;
}

/** An empty box: merged with another box it gives that box. */
export function createAabb(): Aabb {
  return { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
}

/** A new box of size 0 at the origin. */
export function createCenterBox(): CenterBox {
  return { center: [0, 0, 0], halfExtents: [0, 0, 0] };
}

/** Makes an empty box: min +∞, max −∞. Growing it by a point gives the box of that point. */
export function emptyAabb(out: Aabb): Aabb {
  set(out.min, Infinity, Infinity, Infinity);
  set(out.max, -Infinity, -Infinity, -Infinity);
  return out;
}

/**
 * The box of points: x, y, z of each, one at least.
 *
 * @throws PhysicsError 'invalid-argument' for no points, a coordinate that is not finite
 */
export function aabbFromPoints(points: Vector, out: Aabb = createAabb()): Aabb {
  const count = countPoints(points, 'points');
  emptyAabb(out);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 3; k++) {
      const c = points[3 * i + k];
      if (c < out.min[k]) out.min[k] = c;
      if (c > out.max[k]) out.max[k] = c;
    }
  return out;
}

/** The box of a sphere. It stays valid if the content of the sphere rotates about its centre (Ericson 4.2.3). */
export function aabbFromSphere(sphere: Sphere, out: Aabb = createAabb()): Aabb {
  for (let k = 0; k < 3; k++) {
    out.min[k] = sphere.center[k] - sphere.radius;
    out.max[k] = sphere.center[k] + sphere.radius;
  }
  return out;
}

/** The corners (min, max) of a box that is given by its centre and half extents. */
export function aabbFromCenterBox(box: CenterBox, out: Aabb = createAabb()): Aabb {
  for (let k = 0; k < 3; k++) {
    out.min[k] = box.center[k] - box.halfExtents[k];
    out.max[k] = box.center[k] + box.halfExtents[k];
  }
  return out;
}

/** Centre and half extents of a box that is not empty. */
export function centerBoxFromAabb(box: Aabb, out: CenterBox = createCenterBox()): CenterBox {
  for (let k = 0; k < 3; k++) {
    out.center[k] = (box.min[k] + box.max[k]) / 2;
    out.halfExtents[k] = (box.max[k] - box.min[k]) / 2;
  }
  return out;
}

const axes = [0, 0, 0, 0, 0, 0, 0, 0, 0];

/**
 * The box of a box that was rotated by the unit quaternion `rotation` about the origin, then moved by `position`: of
 * each product the smaller goes to the lower corner (Arvo, Transforming Axis-Aligned Bounding Boxes, Graphics Gems,
 * 1990; Ericson 4.2.6). `out` may be `box`. Boxes of boxes grow at every turn: begin with the one at rest.
 */
export function transformAabb(box: Aabb, position: Vector, rotation: Vector, out = createAabb()): Aabb {
  axesOf(rotation, axes);
  const x0 = box.min[0];
  const y0 = box.min[1];
  const z0 = box.min[2];
  const x1 = box.max[0];
  const y1 = box.max[1];
  const z1 = box.max[2];
  for (let k = 0; k < 3; k++) {
    const x = axes[k];
    const y = axes[3 + k];
    const z = axes[6 + k];
    const at = position[k];
    out.min[k] = at + (x < 0 ? x * x1 : x * x0) + (y < 0 ? y * y1 : y * y0) + (z < 0 ? z * z1 : z * z0);
    out.max[k] = at + (x < 0 ? x * x0 : x * x1) + (y < 0 ? y * y0 : y * y1) + (z < 0 ? z * z0 : z * z1);
  }
  return out;
}

/** As transformAabb, for centre and half extents: those are rotated by the absolute values of the matrix. */
export function transformCenterBox(
  box: CenterBox,
  position: Vector,
  rotation: Vector,
  out = createCenterBox(),
): CenterBox {
  axesOf(rotation, axes);
  const cx = box.center[0];
  const cy = box.center[1];
  const cz = box.center[2];
  const hx = box.halfExtents[0];
  const hy = box.halfExtents[1];
  const hz = box.halfExtents[2];
  for (let k = 0; k < 3; k++) {
    const x = axes[k];
    const y = axes[3 + k];
    const z = axes[6 + k];
    out.center[k] = position[k] + x * cx + y * cy + z * cz;
    out.halfExtents[k] = Math.abs(x) * hx + Math.abs(y) * hy + Math.abs(z) * hz;
  }
  return out;
}

/** The smallest box around two boxes. `out` may be one of them. */
export function mergeAabbs(a: Aabb, b: Aabb, out: Aabb = createAabb()): Aabb {
  for (let k = 0; k < 3; k++) {
    const low = b.min[k];
    const high = b.max[k];
    out.min[k] = Math.min(low, a.min[k]);
    out.max[k] = Math.max(high, a.max[k]);
  }
  return out;
}

/** The box grown so that it holds a point. */
export function growAabb(box: Aabb, point: Vector): Aabb {
  for (let k = 0; k < 3; k++) {
    if (point[k] < box.min[k]) box.min[k] = point[k];
    if (point[k] > box.max[k]) box.max[k] = point[k];
  }
  return box;
}

/** Volume, m³; 0 for an empty box. */
export function aabbVolume(box: Aabb): number {
  const x = box.max[0] - box.min[0];
  const y = box.max[1] - box.min[1];
  const z = box.max[2] - box.min[2];
  return x < 0 || y < 0 || z < 0 ? 0 : x * y * z;
}

/** Surface area, m²; trees of boxes keep it small. 0 for an empty box. */
export function aabbSurfaceArea(box: Aabb): number {
  const x = box.max[0] - box.min[0];
  const y = box.max[1] - box.min[1];
  const z = box.max[2] - box.min[2];
  return x < 0 || y < 0 || z < 0 ? 0 : 2 * (x * y + y * z + z * x);
}

/** Whether two boxes share a point: on every axis the ends of one are compared with the other ends of the other. */
export function aabbsOverlap(a: Aabb, b: Aabb): boolean {
  return (
    a.min[0] <= b.max[0] &&
    b.min[0] <= a.max[0] &&
    a.min[1] <= b.max[1] &&
    b.min[1] <= a.max[1] &&
    a.min[2] <= b.max[2] &&
    b.min[2] <= a.max[2]
  );
}

/** Whether two boxes share a point, by distances of the centres. */
export function centerBoxesOverlap(a: CenterBox, b: CenterBox): boolean {
  return (
    Math.abs(a.center[0] - b.center[0]) <= a.halfExtents[0] + b.halfExtents[0] &&
    Math.abs(a.center[1] - b.center[1]) <= a.halfExtents[1] + b.halfExtents[1] &&
    Math.abs(a.center[2] - b.center[2]) <= a.halfExtents[2] + b.halfExtents[2]
  );
}

/**
 * centerBoxesOverlap for whole numbers: one comparison per axis, as |d| ≤ r is d + r ≤ 2r without sign (Ericson
 * 4.2.1). Coordinates from −2²⁸ to 2²⁸.
 */
export function integerBoxesOverlap(a: CenterBox, b: CenterBox): boolean {
  for (let k = 0; k < 3; k++) {
    const reach = (a.halfExtents[k] + b.halfExtents[k]) | 0;
    if ((a.center[k] - b.center[k] + reach) >>> 0 > (reach + reach) >>> 0) return false;
  }
  return true;
}

/** Whether the box contains the point; its surface belongs to it. */
export function aabbContainsPoint(box: Aabb, point: Vector): boolean {
  return (
    box.min[0] <= point[0] &&
    point[0] <= box.max[0] &&
    box.min[1] <= point[1] &&
    point[1] <= box.max[1] &&
    box.min[2] <= point[2] &&
    point[2] <= box.max[2]
  );
}

/** Whether `outer` contains all of `inner`; an empty box is inside every box. */
export function aabbContainsAabb(outer: Aabb, inner: Aabb): boolean {
  for (let k = 0; k < 3; k++) if (inner.min[k] > inner.max[k]) return true;
  return aabbContainsPoint(outer, inner.min) && aabbContainsPoint(outer, inner.max);
}
