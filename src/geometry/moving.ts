// When two things that move first touch (Ericson 5.5). In: things where they are, and how far they move meanwhile, in m,
// without turning. Out: the first time from 0 to 1, the point and the normal. What overlaps or touches at the start meets
// at 0; what comes to touch at 1 meets; what slides along, touching, does too.
import type { Aabb } from './aabb';
import { closestPointOnAabb, closestPointOnTriangle, signedDistanceToPlane } from './closestPoint';
import { spherePolygonOverlap } from './overlap';
import { closestPointOnPolygon, footInPolygon, normalOfPolygon } from './polygon';
import { createRay, createRayHit, type Ray } from './ray';
import { rayAabb, rayCapsule, raySphere } from './rayTests';
import { createSphere, type Sphere } from './sphere';
import {
  addScaled,
  copy,
  copyAt,
  dot,
  normalize,
  scale,
  set,
  squaredDistance,
  subtract,
  type Vector,
  type VectorOut,
} from './vector';
import { createCapsule, type Plane } from './volumes';

/** When and where two volumes in motion meet. */
export interface MovingHit {
  /** Of the whole motion, 0 … 1. */
  time: number;
  /** Where they touch then. Of things that overlap at the start: a point of B nearest to the middle of A. */
  point: VectorOut;
  /** Unit, from B to A. 0, 0, 0 where the start leaves none: the middle of A in B, boxes that overlap. */
  normal: VectorOut;
}

/** A new object for results. */
export function createMovingHit(): MovingHit {
  return { time: Infinity, point: [0, 0, 0], normal: [0, 0, 0] };
}

const ray: Ray = createRay();
const hit = createRayHit();
const best = createRayHit();
const relative = [0, 0, 0];
const center = [0, 0, 0];

/** The ray of a middle that moves, from 0 to 1. */
function follow(from: Vector, motion: Vector): void {
  copy(from, ray.origin);
  copy(motion, ray.direction);
  ray.min = 0;
  ray.max = 1;
}

/** At the start: the closest point of B, and from there to the middle of A. */
function atStart(middle: Vector, nearest: Vector, out: MovingHit): true {
  out.time = 0;
  copy(nearest, out.point);
  subtract(middle, out.point, out.normal);
  normalize(out.normal, out.normal);
  return true;
}

/** A moving sphere against the surface of a plane of unit normal (Ericson 5.5.3). */
export function movingSpherePlane(
  sphere: Sphere,
  motion: Vector,
  plane: Plane,
  out: MovingHit = createMovingHit(),
): boolean {
  const above = signedDistanceToPlane(sphere.center, plane);
  return (
    meetPlane(above, sphere.radius, motion, plane, out) && placeOnPlane(sphere.center, motion, plane, out)
  );
}

/** Time and normal for something that reaches `reach` to either side of its middle, `above` the plane. */
function meetPlane(above: number, reach: number, motion: Vector, { normal }: Plane, out: MovingHit): boolean {
  const side = above < 0 ? -1 : 1;
  const speed = dot(normal, motion);
  let time = 0;
  if (Math.abs(above) > reach) {
    if (speed * side >= 0) return false; // along it, or away
    time = (side * reach - above) / speed;
    if (!(time <= 1)) return false;
  }
  out.time = time;
  scale(normal, side, out.normal);
  return true;
}

function placeOnPlane(middle: Vector, motion: Vector, plane: Plane, out: MovingHit): true {
  addScaled(middle, motion, out.time, out.point);
  addScaled(out.point, plane.normal, -signedDistanceToPlane(out.point, plane), out.point);
  return true;
}

/** A moving box against the surface of a plane of unit normal. The point is the middle of the corner, edge or face that touches. */
export function movingAabbPlane(
  box: Aabb,
  motion: Vector,
  plane: Plane,
  out: MovingHit = createMovingHit(),
): boolean {
  const { normal } = plane;
  let reach = 0;
  for (let k = 0; k < 3; k++) {
    center[k] = (box.min[k] + box.max[k]) / 2;
    reach += ((box.max[k] - box.min[k]) / 2) * Math.abs(normal[k]);
  }
  if (!meetPlane(signedDistanceToPlane(center, plane), reach, motion, plane, out)) return false;
  for (let k = 0; k < 3; k++) {
    const toward = -out.normal[k];
    const half = (box.max[k] - box.min[k]) / 2;
    if (toward !== 0) center[k] += toward > 0 ? half : -half;
  }
  return placeOnPlane(center, motion, plane, out);
}

const grown = createSphere();

/** Two moving spheres: the first time at which the distance of their centres is the sum of the radii (Ericson 5.5.5). */
export function movingSpheres(
  a: Sphere,
  motionA: Vector,
  b: Sphere,
  motionB: Vector,
  out: MovingHit = createMovingHit(),
): boolean {
  if (a.radius < 0 || b.radius < 0) return false;
  follow(a.center, subtract(motionA, motionB, relative));
  copy(b.center, grown.center);
  grown.radius = a.radius + b.radius;
  const together = squaredDistance(a.center, b.center) <= grown.radius * grown.radius;
  if (!together && !raySphere(ray, grown, hit)) return false;
  out.time = together ? 0 : hit.t;
  // Toward A from the middle of B as it then is, and so far out.
  addScaled(a.center, relative, out.time, out.normal);
  subtract(out.normal, b.center, out.normal);
  normalize(out.normal, out.normal);
  addScaled(b.center, motionB, out.time, out.point);
  addScaled(out.point, out.normal, b.radius, out.point);
  return true;
}

const capsule = createCapsule();
const p = [0, 0, 0];
const q = [0, 0, 0];
const n = [0, 0, 0];
const nearest = [0, 0, 0];

/** Takes the hit if it is the first so far. */
function first(hits: boolean): void {
  if (hits && hit.t < best.t) best.t = hit.t;
}

/** The time at which the ray comes within `radius` of an edge. */
function meetEdge(a: Vector, b: Vector, radius: number): void {
  copy(a, capsule.a);
  copy(b, capsule.b);
  capsule.radius = radius;
  first(rayCapsule(ray, capsule, hit));
}

/** A moving sphere against a triangle, from either side: at its face, an edge or a corner (Ericson 5.5.6). */
export function movingSphereTriangle(
  sphere: Sphere,
  motion: Vector,
  a: Vector,
  b: Vector,
  c: Vector,
  out: MovingHit = createMovingHit(),
): boolean {
  for (let k = 0; k < 3; k++) {
    triangle[k] = a[k];
    triangle[3 + k] = b[k];
    triangle[6 + k] = c[k];
  }
  if (!timeToPolygon(sphere, motion, triangle)) return false;
  addScaled(sphere.center, motion, best.t, center);
  closestPointOnTriangle(center, a, b, c, nearest);
  atStart(center, nearest, out);
  out.time = best.t;
  return true;
}

const triangle = [0, 0, 0, 0, 0, 0, 0, 0, 0];

/** A moving sphere against a flat polygon, convex or not, given by its corners in order. */
export function movingSpherePolygon(
  sphere: Sphere,
  motion: Vector,
  corners: Vector,
  out: MovingHit = createMovingHit(),
): boolean {
  if (!timeToPolygon(sphere, motion, corners)) return false;
  addScaled(sphere.center, motion, best.t, center);
  closestPointOnPolygon(center, corners, nearest);
  atStart(center, nearest, out);
  out.time = best.t;
  return true;
}

/** The first time to `best.t`. */
function timeToPolygon(sphere: Sphere, motion: Vector, corners: Vector): boolean {
  best.t = 0;
  if (sphere.radius < 0) return false;
  if (spherePolygonOverlap(sphere, corners)) return true;
  best.t = Infinity;
  follow(sphere.center, motion);
  const count = corners.length / 3;
  for (let i = 0; i < count; i++)
    meetEdge(copyAt(corners, i, p), copyAt(corners, (i + 1) % count, q), sphere.radius);
  normalOfPolygon(corners, n);
  if (normalize(n, n) > 0) {
    const above = dot(n, sphere.center) - dot(n, copyAt(corners, 0, p));
    const speed = dot(n, motion);
    const side = above < 0 ? -1 : 1;
    if (Math.abs(above) > sphere.radius && speed * side < 0) {
      const time = (side * sphere.radius - above) / speed;
      if (time <= 1 && time < best.t) {
        addScaled(sphere.center, motion, time, center);
        addScaled(center, n, -side * sphere.radius, center);
        if (footInPolygon(center, corners, n)) best.t = time;
      }
    }
  }
  return best.t <= 1;
}

const wide: Aabb = { min: [0, 0, 0], max: [0, 0, 0] };

/**
 * A sphere against a box: the middle against the box grown by the radius, whose faces, rounded edges and corners are each
 * tested as they are (Ericson 5.5.7).
 */
export function movingSphereAabb(
  sphere: Sphere,
  motion: Vector,
  box: Aabb,
  out: MovingHit = createMovingHit(),
): boolean {
  const { radius } = sphere;
  if (radius < 0 || !(box.min[0] <= box.max[0] && box.min[1] <= box.max[1] && box.min[2] <= box.max[2]))
    return false;
  closestPointOnAabb(sphere.center, box, nearest);
  if (squaredDistance(sphere.center, nearest) <= radius * radius) return atStart(sphere.center, nearest, out);
  follow(sphere.center, motion);
  best.t = Infinity;
  for (let k = 0; k < 3; k++) {
    const i = (k + 1) % 3;
    const j = (k + 2) % 3;
    copy(box.min, wide.min);
    copy(box.max, wide.max);
    wide.min[k] -= radius;
    wide.max[k] += radius;
    first(rayAabb(ray, wide, hit));
    // The four edges along axis k.
    for (let e = 0; e < 4; e++) {
      p[k] = box.min[k];
      q[k] = box.max[k];
      p[i] = q[i] = (e & 1) === 0 ? box.min[i] : box.max[i];
      p[j] = q[j] = (e & 2) === 0 ? box.min[j] : box.max[j];
      meetEdge(p, q, radius);
    }
  }
  if (!(best.t <= 1)) return false;
  addScaled(sphere.center, motion, best.t, center);
  atStart(center, closestPointOnAabb(center, box, nearest), out);
  out.time = best.t;
  return true;
}

/**
 * Two boxes (Ericson 5.5.8): the times at which they come to overlap along each axis, the last of which counts, if it is
 * before the first at which they part. The point is the middle of what they share then.
 */
export function movingAabbs(
  a: Aabb,
  motionA: Vector,
  b: Aabb,
  motionB: Vector,
  out: MovingHit = createMovingHit(),
): boolean {
  let from = 0;
  let to = 1;
  let entered = -1;
  for (let k = 0; k < 3; k++) {
    const speed = motionA[k] - motionB[k];
    // Gaps of A before and behind B: at most 0 where they overlap.
    const before = b.min[k] - a.max[k];
    const behind = a.min[k] - b.max[k];
    if (before > 0) {
      if (!(speed > 0)) return false;
      if (before / speed > from) {
        from = before / speed;
        entered = k;
      }
    }
    if (behind > 0) {
      if (!(speed < 0)) return false;
      if (behind / -speed > from) {
        from = behind / -speed;
        entered = k;
      }
    }
    if (speed > 0) to = Math.min(to, -behind / speed);
    if (speed < 0) to = Math.min(to, before / speed);
  }
  if (!(from <= to)) return false;
  out.time = from;
  set(out.normal, 0, 0, 0);
  if (entered >= 0) out.normal[entered] = motionA[entered] - motionB[entered] > 0 ? -1 : 1;
  for (let k = 0; k < 3; k++) {
    const low = Math.max(a.min[k] + from * motionA[k], b.min[k] + from * motionB[k]);
    const high = Math.min(a.max[k] + from * motionA[k], b.max[k] + from * motionB[k]);
    out.point[k] = (low + high) / 2;
  }
  return true;
}
