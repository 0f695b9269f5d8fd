// Lines, rays and directed segments as one record: an origin, a direction, and which part of the line counts. In:
// points. Out: a Ray, and what a hit tells. Parameters t are always of the record's own direction.
import { copy, normalize, set, subtract, type Vector, type VectorOut } from './vector';

/**
 * The points origin + t direction with min ≤ t ≤ max: a line from −∞ to ∞, a ray from 0 to ∞, a segment from 0 to 1.
 * The direction may have any length; one of length 0 makes it the point `origin`.
 */
export interface Ray {
  /** Where t is 0. */
  origin: VectorOut;
  /** Any length; t counts in lengths of it. */
  direction: VectorOut;
  /** Smallest t. */
  min: number;
  /** Greatest t. */
  max: number;
}

/** The first hit of a ray, and where it leaves. */
export interface RayHit {
  /** Where it enters, in units of the direction; `ray.min` where it begins inside. */
  t: number;
  /** Where it leaves a solid, `ray.max` at most; of a surface the same as t. Both are equal where it just touches. */
  exit: number;
  /** It begins inside of a solid. */
  inside: boolean;
  /** Where it enters. Of a line that begins inside, at −∞, not a number. */
  point: VectorOut;
  /** Unit, of the surface there, against the direction; 0, 0, 0 where it begins inside. */
  normal: VectorOut;
}

/** A new ray along z from the origin. */
export function createRay(): Ray {
  return { origin: [0, 0, 0], direction: [0, 0, 1], min: 0, max: Infinity };
}

/** A new object for results. */
export function createRayHit(): RayHit {
  return { t: Infinity, exit: Infinity, inside: false, point: [0, 0, 0], normal: [0, 0, 0] };
}

/** The line through a and b; t is 0 at a and 1 at b. */
export function setLine(a: Vector, b: Vector, out: Ray = createRay()): Ray {
  setSegment(a, b, out);
  out.min = -Infinity;
  out.max = Infinity;
  return out;
}

/** The ray from `origin` along `direction`, of any length. */
export function setRay(origin: Vector, direction: Vector, out: Ray = createRay()): Ray {
  copy(origin, out.origin);
  copy(direction, out.direction);
  out.min = 0;
  out.max = Infinity;
  return out;
}

/** The directed segment from a to b; t is 0 at a and 1 at b. */
export function setSegment(a: Vector, b: Vector, out: Ray = createRay()): Ray {
  subtract(b, a, out.direction);
  copy(a, out.origin);
  out.min = 0;
  out.max = 1;
  return out;
}

/**
 * The segment from a to b with a direction of unit length, (b − a) / |b − a|, so that t is in m and `max` the length.
 * Of one point twice: direction 0, max 0.
 */
export function setUnitSegment(a: Vector, b: Vector, out: Ray = createRay()): Ray {
  setSegment(a, b, out);
  out.max = normalize(out.direction, out.direction);
  return out;
}

/** The point of a ray at t: origin + t · direction. */
export function pointOnRay(ray: Ray, t: number, out: VectorOut = [0, 0, 0]): VectorOut {
  const { origin, direction } = ray;
  return set(out, origin[0] + t * direction[0], origin[1] + t * direction[1], origin[2] + t * direction[2]);
}

/** Writes what a solid that is entered at `entry` and left at `exit` tells, of the part that counts; false for none. */
export function clipToRay(ray: Ray, entry: number, exit: number, out: RayHit | undefined): boolean {
  if (!(entry <= exit && entry <= ray.max && exit >= ray.min)) return false;
  if (out === undefined) return true;
  out.inside = entry < ray.min;
  out.t = out.inside ? ray.min : entry;
  out.exit = Math.min(exit, ray.max);
  pointOnRay(ray, out.t, out.point);
  set(out.normal, 0, 0, 0);
  return true;
}
