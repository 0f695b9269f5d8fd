// Sphere-swept volumes: capsules (a segment) and lozenges (a rectangle); a sphere is that of a point. In: points. Out:
// volumes that hold them; whether two share a point, by the distance of what is inside them against the sum of the
// radii. (Ericson 4.5; Larsen, Gottschalk, Lin and Manocha, Fast Distance Queries with Rectangular Swept Sphere Volumes,
// 2000.) Spheres alone: sphere.ts.

import { quatMultiply } from '../base/math';
import { invalid } from '../base/validate';
import {
  closestRectangleRectangle,
  closestSegmentRectangle,
  closestSegmentSegment,
  createClosestPair,
} from './closestPair';
import { squaredDistanceToRectangle, squaredDistanceToSegment } from './closestPoint';
import { minimalSphere } from './minimalSphere';
import { countPoints, covarianceOf, meanOf, spreadAxes } from './points';
import type { Sphere } from './sphere';
import {
  add,
  addScaled,
  copyAt,
  dot,
  normalize,
  quaternionOf,
  set,
  squaredDistance,
  toWorld,
  turn,
  type Vector,
  type VectorOut,
} from './vector';
import { type Capsule, createCapsule, createLozenge, type Lozenge } from './volumes';

const point = [0, 0, 0];

/**
 * About points, along the line that is nearest to all of them in the mean of squares, which is the axis of their
 * greatest spread (Ericson 4.5.2).
 */
export function capsuleFromPoints(points: Vector, out: Capsule = createCapsule()): Capsule {
  return capsuleAlong(points, axesOfPoints(points), out);
}

function axesOfPoints(points: Vector): VectorOut {
  countPoints(points, 'points');
  const mean = meanOf(points, [0, 0, 0]);
  return spreadAxes(covarianceOf(points, mean, [0, 0, 0, 0, 0, 0]), [0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

/**
 * About points, along a direction of any length but 0: the round side is the smallest there is, and the ends are as
 * near as the points let them. A sphere where the points are no longer than wide.
 */
export function capsuleAlong(points: Vector, direction: Vector, out: Capsule = createCapsule()): Capsule {
  const count = countPoints(points, 'points');
  const axis = [0, 0, 0];
  if (!(normalize(direction, axis) > 0)) throw invalid('direction', 'must not have length 0', direction);
  const flat = new Float64Array(points.length);
  for (let i = 0; i < count; i++) {
    copyAt(points, i, point);
    addScaled(point, axis, -dot(axis, point), flat.subarray(3 * i, 3 * i + 3));
  }
  const { center, radius } = minimalSphere(flat);
  let from = Infinity;
  let to = -Infinity;
  for (let i = 0; i < count; i++) {
    const along = dot(axis, copyAt(points, i, point));
    const across = squaredDistance(flat.subarray(3 * i, 3 * i + 3), center);
    const slack = Math.sqrt(Math.max(0, radius * radius - across));
    from = Math.min(from, along + slack);
    to = Math.max(to, along - slack);
  }
  if (from > to) from = to = (from + to) / 2;
  addScaled(center, axis, from - dot(axis, center), out.a);
  addScaled(center, axis, to - dot(axis, center), out.b);
  out.radius = coveringOf(points, (p) => squaredDistanceToSegment(p, out.a, out.b));
  return out;
}

/** The root of the greatest square, rounded up so that the squares compare, too. */
function coveringOf(points: Vector, squared: (p: Vector) => number): number {
  let most = 0;
  for (let i = 0; 3 * i < points.length; i++) most = Math.max(most, squared(copyAt(points, i, point)));
  let radius = Math.sqrt(most);
  while (radius * radius < most) radius *= 1 + 2 * Number.EPSILON;
  return radius;
}

/**
 * About points: a rectangle along the two axes of their greatest spread, half as thick as they are along the third;
 * its sides and corners are as near as the points let them (after PQP's way of fitting).
 */
export function lozengeFromPoints(points: Vector, out: Lozenge = createLozenge()): Lozenge {
  const axes = axesOfPoints(points);
  const count = points.length / 3;
  quaternionOf(axes, out.rotation);
  // x, y, z along the axes.
  const own = new Float64Array(points.length);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 3; k++)
      own[3 * i + k] =
        axes[3 * k] * points[3 * i] +
        axes[3 * k + 1] * points[3 * i + 1] +
        axes[3 * k + 2] * points[3 * i + 2];
  const column = (k: number) => own.filter((_, i) => i % 3 === k);
  const heights = column(2);
  let low = Infinity;
  let high = -Infinity;
  for (const z of heights) {
    low = Math.min(low, z);
    high = Math.max(high, z);
  }
  const [middle, radius] = [(low + high) / 2, (high - low) / 2];
  const slack = heights.map((z) => Math.sqrt(Math.max(0, radius * radius - (z - middle) * (z - middle))));
  const from = [0, 0];
  const to = [0, 0];
  for (let k = 0; k < 2; k++) {
    from[k] = Infinity;
    to[k] = -Infinity;
    column(k).forEach((c, i) => {
      from[k] = Math.min(from[k], c + slack[i]);
      to[k] = Math.max(to[k], c - slack[i]);
    });
    if (from[k] > to[k]) from[k] = to[k] = (from[k] + to[k]) / 2;
  }
  // Beyond a corner both ways count at once: the corner goes out until the point is within reach.
  for (let i = 0; i < count; i++) {
    const beyond = [0, 1].map((k) => Math.max(from[k] - own[3 * i + k], own[3 * i + k] - to[k], 0));
    const away = Math.sqrt(beyond[0] * beyond[0] + beyond[1] * beyond[1]);
    if (away <= slack[i]) continue;
    for (let k = 0; k < 2; k++) {
      const c = own[3 * i + k];
      const reach = (beyond[k] * slack[i]) / away;
      if (c > to[k]) to[k] = c - reach;
      if (c < from[k]) from[k] = c + reach;
    }
  }
  set(point, (from[0] + to[0]) / 2, (from[1] + to[1]) / 2, middle);
  for (let k = 0; k < 3; k++)
    out.center[k] = axes[k] * point[0] + axes[3 + k] * point[1] + axes[6 + k] * point[2];
  for (let k = 0; k < 2; k++) out.halfExtents[k] = (to[k] - from[k]) / 2;
  out.radius = coveringOf(points, (p) => squaredDistanceToRectangle(p, out));
  return out;
}

/** The capsule rotated about the origin by the unit quaternion `rotation`, then moved. `out` may be `capsule`. */
export function transformCapsule(
  capsule: Capsule,
  position: Vector,
  rotation: Vector,
  out: Capsule = createCapsule(),
): Capsule {
  toWorld(capsule.a, position, rotation, out.a);
  toWorld(capsule.b, position, rotation, out.b);
  out.radius = capsule.radius;
  return out;
}

/** The lozenge rotated about the origin by the unit quaternion `rotation`, then moved. `out` may be `lozenge`. */
export function transformLozenge(
  lozenge: Lozenge,
  position: Vector,
  rotation: Vector,
  out: Lozenge = createLozenge(),
): Lozenge {
  add(turn(rotation, lozenge.center, out.center), position, out.center);
  const q = quatMultiply(rotation, lozenge.rotation);
  for (let k = 0; k < 4; k++) out.rotation[k] = q[k];
  for (let k = 0; k < 2; k++) out.halfExtents[k] = lozenge.halfExtents[k];
  out.radius = lozenge.radius;
  return out;
}

/** Volume, m³. */
export function capsuleVolume({ a, b, radius }: Capsule): number {
  return Math.PI * radius * radius * (Math.sqrt(squaredDistance(a, b)) + (4 / 3) * radius);
}

/** Volume, m³: of a slab, of half cylinders along its edges, and of a quarter of a sphere at each corner (Steiner's formula). */
export function lozengeVolume({ halfExtents, radius }: Lozenge): number {
  const u = 2 * halfExtents[0];
  const v = 2 * halfExtents[1];
  return (
    2 * radius * u * v + Math.PI * radius * radius * (u + v) + (4 / 3) * Math.PI * radius * radius * radius
  );
}

/** Whether the capsule contains the point: squared distance against the square of the radius. */
export function capsuleContainsPoint({ a, b, radius }: Capsule, p: Vector): boolean {
  return squaredDistanceToSegment(p, a, b) <= radius * radius;
}

/** Whether the lozenge contains the point. */
export function lozengeContainsPoint(lozenge: Lozenge, p: Vector): boolean {
  return squaredDistanceToRectangle(p, lozenge) <= lozenge.radius * lozenge.radius;
}

const pair = createClosestPair();
const square = (x: number) => x * x;

/** Whether a sphere and a capsule overlap or touch. */
export function sphereCapsuleOverlap(sphere: Sphere, { a, b, radius }: Capsule): boolean {
  return (
    sphere.radius >= 0 && squaredDistanceToSegment(sphere.center, a, b) <= square(sphere.radius + radius)
  );
}

/** Whether a sphere and a lozenge overlap or touch. */
export function sphereLozengeOverlap(sphere: Sphere, lozenge: Lozenge): boolean {
  return (
    sphere.radius >= 0 &&
    squaredDistanceToRectangle(sphere.center, lozenge) <= square(sphere.radius + lozenge.radius)
  );
}

/** Whether two capsules overlap or touch. */
export function capsulesOverlap(a: Capsule, b: Capsule): boolean {
  return closestSegmentSegment(a.a, a.b, b.a, b.b, pair).distanceSquared <= square(a.radius + b.radius);
}

/** Whether a capsule and a lozenge overlap or touch. */
export function capsuleLozengeOverlap({ a, b, radius }: Capsule, lozenge: Lozenge): boolean {
  return closestSegmentRectangle(a, b, lozenge, pair).distanceSquared <= square(radius + lozenge.radius);
}

/** Whether two lozenges overlap or touch. */
export function lozengesOverlap(a: Lozenge, b: Lozenge): boolean {
  return closestRectangleRectangle(a, b, pair).distanceSquared <= square(a.radius + b.radius);
}
