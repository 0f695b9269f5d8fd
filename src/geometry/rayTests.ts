// Lines, rays and directed segments against solids and planes (Ericson 5.3). In: a Ray and a thing. Out: whether
// they share a point, and where, into a RayHit if one is given. Touching counts, with entry and exit equal. One that
// begins inside a solid hits it: t is `ray.min`, `inside` is set, and `exit` tells where it leaves.
import type { Aabb } from './aabb';
import { closestPointOnSegment } from './closestPoint';
import { clipToRay, createRay, createRayHit, pointOnRay, type Ray, type RayHit } from './ray';
import type { Sphere } from './sphere';
import {
  clamp,
  dot,
  normalize,
  scale,
  set,
  squaredLength,
  subtract,
  toLocal,
  turn,
  turnBack,
  type Vector,
  type VectorOut,
} from './vector';
import type { Capsule, Obb, Plane } from './volumes';

const m = [0, 0, 0];
const w = [0, 0, 0];

/** Where the infinite extension meets something; `from` > `to` for nothing. */
const span = { from: 0, to: 0 };

/** Of a sphere about `center`, for a point as well. */
function spanOfSphere(ray: Ray, center: Vector, radius: number): void {
  const { origin, direction } = ray;
  subtract(origin, center, m);
  const a = squaredLength(direction);
  span.from = Infinity;
  span.to = -Infinity;
  if (radius < 0) return;
  if (!(a > 0)) {
    if (squaredLength(m) > radius * radius) return;
    span.from = -Infinity;
    span.to = Infinity;
    return;
  }
  // From the foot of the centre: b² − a c loses its digits where the origin is far (Haines, Günther and
  // Akenine-Möller, Precision Improvements for Ray/Sphere Intersection, Ray Tracing Gems, 2019).
  const foot = -dot(m, direction) / a;
  for (let k = 0; k < 3; k++) w[k] = m[k] + foot * direction[k];
  const inside = radius * radius - squaredLength(w);
  if (inside < 0) return;
  const half = Math.sqrt(inside / a);
  span.from = foot - half;
  span.to = foot + half;
}

/** Unit vector from `from` to the entry, unless it begins inside. */
function normalFrom(from: Vector, out: RayHit): void {
  if (out.inside) return;
  subtract(out.point, from, out.normal);
  normalize(out.normal, out.normal);
}

/** Whether an end of the part that counts is in a sphere. */
function endWithin(ray: Ray, { center, radius }: Sphere, t: number): boolean {
  subtract(pointOnRay(ray, t, w), center, w); // of an end at infinity: not a number, and false
  return radius >= 0 && squaredLength(w) <= radius * radius;
}

/** Where a ray hits a sphere (Ericson 5.3.2). */
export function raySphere(ray: Ray, sphere: Sphere, out: RayHit = createRayHit()): boolean {
  spanOfSphere(ray, sphere.center, sphere.radius);
  if (!clipToRay(ray, span.from, span.to, out)) {
    // Roots are rounded: an end that is just on the surface may seem to be beside it.
    const t = endWithin(ray, sphere, ray.min) ? ray.min : ray.max;
    if (!endWithin(ray, sphere, t) || !clipToRay(ray, t, t, out)) return false;
  }
  normalFrom(sphere.center, out);
  return true;
}

/** Whether a ray hits a sphere, by the closest point between `ray.min` and `ray.max`, without a square root (Ericson 5.3.2). */
export function rayHitsSphere(ray: Ray, sphere: Sphere): boolean {
  const { origin, direction } = ray;
  subtract(origin, sphere.center, m);
  const a = squaredLength(direction);
  const foot = a > 0 ? clamp(-dot(m, direction) / a, ray.min, ray.max) : 0;
  for (let k = 0; k < 3; k++) m[k] += foot * direction[k];
  return sphere.radius >= 0 && squaredLength(m) <= sphere.radius * sphere.radius;
}

/**
 * Against a plane, which is a surface: from either side. One that lies in it meets it where it begins, a line at its
 * origin (Ericson 5.3.1).
 */
export function rayPlane(ray: Ray, plane: Plane, out: RayHit = createRayHit()): boolean {
  const { normal } = plane;
  const above = dot(normal, ray.origin) - plane.offset;
  const slope = dot(normal, ray.direction);
  if (slope === 0 && above !== 0) return false;
  const t = slope === 0 ? Math.max(ray.min, Math.min(ray.max, 0)) : -above / slope;
  if (!clipToRay(ray, t, t, out)) return false;
  scale(normal, (slope > 0 ? -1 : 1) / Math.sqrt(squaredLength(normal)), out.normal);
  return true;
}

/** 1 / direction, for many boxes and one ray. Infinite where the direction is 0. */
export function reciprocalOf(ray: Ray, out: VectorOut = [0, 0, 0]): VectorOut {
  return set(out, 1 / ray.direction[0], 1 / ray.direction[1], 1 / ray.direction[2]);
}

const reciprocal = [0, 0, 0];
/** The axis at which the box was entered. */
let entered = 0;

/** Between the three slabs of a box: it is entered at the last entry and left at the first exit. */
function spanOfSlabs(ray: Ray, min: Vector, max: Vector, inverse: Vector): void {
  const { origin, direction } = ray;
  span.from = -Infinity;
  span.to = Infinity;
  entered = 0;
  for (let k = 0; k < 3; k++) {
    if (direction[k] === 0) {
      if (!(origin[k] >= min[k] && origin[k] <= max[k])) {
        span.to = -Infinity;
        span.from = Infinity;
      }
      continue;
    }
    const low = (min[k] - origin[k]) * inverse[k];
    const high = (max[k] - origin[k]) * inverse[k];
    const near = Math.min(low, high);
    const far = Math.max(low, high);
    if (near > span.from) {
      span.from = near;
      entered = k;
    }
    if (far < span.to) span.to = far;
  }
}

/**
 * Against a box, slab by slab (Kay and Kajiya 1986; Ericson 5.3.3).
 *
 * @param inverse  of `reciprocalOf`, where one ray is tested against many boxes
 */
export function rayAabb(
  ray: Ray,
  box: Aabb,
  out: RayHit = createRayHit(),
  inverse: Vector = reciprocalOf(ray, reciprocal),
): boolean {
  spanOfSlabs(ray, box.min, box.max, inverse);
  if (!clipToRay(ray, span.from, span.to, out)) return false;
  if (!out.inside && Number.isFinite(span.from)) out.normal[entered] = ray.direction[entered] > 0 ? -1 : 1;
  return true;
}

const ROUNDING = 4 * Number.EPSILON;

/**
 * Whether the segment from `ray.min` to `ray.max` meets a box, by separating axes: the axes of the box and their
 * products with the direction (Ericson 5.3.3). No division. `min` and `max` must be finite.
 */
export function segmentHitsAabb(ray: Ray, box: Aabb): boolean {
  const { origin, direction } = ray;
  const middle = (ray.min + ray.max) / 2;
  const half = (ray.max - ray.min) / 2;
  for (let k = 0; k < 3; k++) {
    m[k] = origin[k] + middle * direction[k] - (box.min[k] + box.max[k]) / 2;
    w[k] = Math.abs(half * direction[k]);
    if (!(Math.abs(m[k]) <= (box.max[k] - box.min[k]) / 2 + w[k])) return false;
  }
  for (let k = 0; k < 3; k++) {
    const i = (k + 1) % 3;
    const j = (k + 2) % 3;
    const reach = ((box.max[i] - box.min[i]) / 2) * w[j] + ((box.max[j] - box.min[j]) / 2) * w[i];
    const p = m[i] * half * direction[j];
    const q = m[j] * half * direction[i];
    // What touches must not be parted by rounding.
    if (Math.abs(p - q) > reach + ROUNDING * (Math.abs(p) + Math.abs(q))) return false;
  }
  return true;
}

const local = createRay();
const negative = [0, 0, 0];

/** Where a ray hits an oriented box, by slabs in the frame of the box. */
export function rayObb(ray: Ray, box: Obb, out: RayHit = createRayHit()): boolean {
  toLocal(ray.origin, box.center, box.rotation, local.origin);
  turnBack(box.rotation, ray.direction, local.direction);
  local.min = ray.min;
  local.max = ray.max;
  scale(box.halfExtents, -1, negative);
  spanOfSlabs(local, negative, box.halfExtents, reciprocalOf(local, reciprocal));
  if (!clipToRay(ray, span.from, span.to, out)) return false;
  if (!out.inside && Number.isFinite(span.from)) {
    out.normal[entered] = local.direction[entered] > 0 ? -1 : 1;
    turn(box.rotation, out.normal, out.normal);
  }
  return true;
}

const axis = [0, 0, 0];
const across = [0, 0, 0];
const offset = [0, 0, 0];
/** Entered through an end, not the round side. */
let throughEnd = 0;

/** Of the round side without ends, cut off at the ends; a and b are not one point. */
function spanOfCylinder(ray: Ray, a: Vector, b: Vector, radius: number): void {
  const { origin, direction } = ray;
  subtract(b, a, axis);
  const height = normalize(axis, axis);
  subtract(origin, a, offset);
  const along = dot(offset, axis);
  const slope = dot(direction, axis);
  // What is perpendicular to the axis: a circle in a plane.
  for (let k = 0; k < 3; k++) {
    across[k] = direction[k] - slope * axis[k];
    offset[k] -= along * axis[k];
  }
  span.from = -Infinity;
  span.to = Infinity;
  throughEnd = 0;
  const q = squaredLength(across);
  // Along the axis but for rounding.
  if (q <= 1e-30 * squaredLength(direction)) {
    if (squaredLength(offset) > radius * radius) span.from = Infinity;
  } else {
    const foot = -dot(offset, across) / q;
    for (let k = 0; k < 3; k++) w[k] = offset[k] + foot * across[k];
    const inside = radius * radius - squaredLength(w);
    const half = Math.sqrt(inside / q);
    span.from = inside < 0 ? Infinity : foot - half;
    span.to = inside < 0 ? -Infinity : foot + half;
  }
  if (slope === 0) {
    if (along < 0 || along > height) span.from = Infinity;
    return;
  }
  const t0 = -along / slope;
  const t1 = (height - along) / slope;
  const near = Math.min(t0, t1);
  const far = Math.max(t0, t1);
  if (near > span.from) {
    span.from = near;
    throughEnd = slope > 0 ? -1 : 1;
  }
  if (far < span.to) span.to = far;
}

/** Where a ray hits a cylinder with flat ends from a to b; false if a and b are equal (Ericson 5.3.7). */
export function rayCylinder(
  ray: Ray,
  a: Vector,
  b: Vector,
  radius: number,
  out: RayHit = createRayHit(),
): boolean {
  if (a[0] === b[0] && a[1] === b[1] && a[2] === b[2]) return false;
  spanOfCylinder(ray, a, b, radius);
  if (!clipToRay(ray, span.from, span.to, out)) return false;
  if (out.inside) return true;
  if (throughEnd !== 0) scale(axis, throughEnd, out.normal);
  else {
    subtract(out.point, a, out.normal);
    const along = dot(out.normal, axis);
    for (let k = 0; k < 3; k++) out.normal[k] -= along * axis[k];
    normalize(out.normal, out.normal);
  }
  return true;
}

const nearest = [0, 0, 0];

/** Where a ray hits a capsule: the union of a cylinder and of the spheres at its ends. */
export function rayCapsule(ray: Ray, capsule: Capsule, out: RayHit = createRayHit()): boolean {
  const { a, b, radius } = capsule;
  spanOfSphere(ray, a, radius);
  let { from, to } = span;
  spanOfSphere(ray, b, radius);
  if (span.from < from) from = span.from;
  if (span.to > to) to = span.to;
  if (a[0] !== b[0] || a[1] !== b[1] || a[2] !== b[2]) {
    spanOfCylinder(ray, a, b, radius);
    if (span.from <= span.to) {
      if (span.from < from) from = span.from;
      if (span.to > to) to = span.to;
    }
  }
  if (!clipToRay(ray, from, to, out)) return false;
  normalFrom(closestPointOnSegment(out.point, a, b, nearest), out);
  return true;
}

/**
 * Against a convex polyhedron, the meeting of half-spaces: of the planes that it goes into the last counts, of those
 * that it comes out of the first (Cyrus and Beck 1978; Ericson 5.3.8).
 *
 * @param planes  unit normal x, y, z, pointing out, and offset of each
 */
export function rayPolyhedron(ray: Ray, planes: Vector, out: RayHit = createRayHit()): boolean {
  const { origin, direction } = ray;
  let from = -Infinity;
  let to = Infinity;
  let face = -1;
  for (let f = 0; f < planes.length; f += 4) {
    const slope = planes[f] * direction[0] + planes[f + 1] * direction[1] + planes[f + 2] * direction[2];
    const above =
      planes[f] * origin[0] + planes[f + 1] * origin[1] + planes[f + 2] * origin[2] - planes[f + 3];
    if (slope === 0) {
      if (above > 0) return false;
      continue;
    }
    const t = -above / slope;
    if (slope < 0) {
      if (t > from) {
        from = t;
        face = f;
      }
    } else if (t < to) to = t;
  }
  if (!clipToRay(ray, from, to, out)) return false;
  if (!out.inside && face >= 0) set(out.normal, planes[face], planes[face + 1], planes[face + 2]);
  return true;
}
