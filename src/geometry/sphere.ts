// Bounding spheres by ways that are quick and not the smallest. In: points. Out: a sphere that holds all of them, in
// f64 arithmetic as written here, too: |p − c|² ≤ r² for every point. (Ericson 4.3.) The smallest: minimalSphere.ts.
import { checkInteger } from '../base/validate';
import { aabbFromPoints, createAabb } from './aabb';
import { countPoints, covarianceOf, extremesAlong, meanOf, spreadAxes } from './points';
import { createDice, type Dice, shuffled } from './random';
import { between, copy, copyAt, set, squaredDistance, toWorld, type Vector, type VectorOut } from './vector';

/** m. A negative radius means an empty sphere, which contains and overlaps nothing. */
export interface Sphere {
  /** Centre. */
  center: VectorOut;
  /** m; negative: empty. */
  radius: number;
}

/** An empty sphere. */
export function createSphere(): Sphere {
  return { center: [0, 0, 0], radius: -1 };
}

/** Options of `iterativeSphere`. */
export interface IterativeSphereOptions {
  /** How often it is shrunk and grown again. Default 8. */
  rounds?: number;
  /** Of the order in which points are taken. Default 1. */
  seed?: number;
}

const point = [0, 0, 0];

/** The least radius about a centre that contains every point, rounded up so that the squares compare, too. */
export function coveringRadius(points: Vector, center: Vector): number {
  let most = 0;
  for (let i = 0; 3 * i < points.length; i++) {
    const away = squaredDistance(copyAt(points, i, point), center);
    if (away > most) most = away;
  }
  let radius = Math.sqrt(most);
  while (radius * radius < most) radius *= 1 + 2 * Number.EPSILON;
  return radius;
}

/** The sphere about the centre of the bounding box of the points; its radius is at most √3 times the smallest. */
export function sphereFromBox(points: Vector, out: Sphere = createSphere()): Sphere {
  const box = aabbFromPoints(points, createAabb());
  between(box.min, box.max, 0.5, out.center);
  out.radius = coveringRadius(points, out.center);
  return out;
}

/**
 * The sphere over the two extreme points of the axis where they are farthest apart, grown point by point (Ritter, An
 * Efficient Bounding Sphere, Graphics Gems, 1990; Ericson 4.3.2). Usually 5–20 % larger than the smallest.
 */
export function sphereRitter(points: Vector, out: Sphere = createSphere()): Sphere {
  const count = countPoints(points, 'points');
  let widest = -1;
  for (const axis of [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]) {
    const { least, most } = extremesAlong(points, axis);
    const a = copyAt(points, least, [0, 0, 0]);
    const b = copyAt(points, most, [0, 0, 0]);
    const width = squaredDistance(a, b);
    if (width <= widest) continue;
    widest = width;
    overDiameter(a, b, out);
  }
  for (let i = 0; i < count; i++) growSphere(out, copyAt(points, i, point));
  return settle(points, out);
}

/** Ritter's method, begun with the extreme points along the direction of greatest spread (Ericson 4.3.3; Wu 1992). */
export function sphereEigen(points: Vector, out: Sphere = createSphere()): Sphere {
  const count = countPoints(points, 'points');
  const mean = meanOf(points, [0, 0, 0]);
  const axes = spreadAxes(covarianceOf(points, mean, [0, 0, 0, 0, 0, 0]), [0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const { least, most } = extremesAlong(points, axes);
  overDiameter(copyAt(points, least, [0, 0, 0]), copyAt(points, most, [0, 0, 0]), out);
  for (let i = 0; i < count; i++) growSphere(out, copyAt(points, i, point));
  return settle(points, out);
}

/** Ritter's sphere, shrunk by 5 % and grown again over the points in random order, several times; the smallest is kept (Ericson 4.3.4). */
export function sphereIterative(
  points: Vector,
  options: IterativeSphereOptions = {},
  out: Sphere = createSphere(),
): Sphere {
  const count = countPoints(points, 'points');
  const rounds = checkInteger(options.rounds ?? 8, 'rounds', 0, 1e6);
  const dice: Dice = createDice(checkInteger(options.seed ?? 1, 'seed', -0x80000000, 0xffffffff));
  sphereRitter(points, out);
  const trial = copySphere(out, createSphere());
  for (let round = 0; round < rounds; round++) {
    trial.radius *= 0.95;
    const order = shuffled(count, dice);
    for (const i of order) growSphere(trial, copyAt(points, i, point));
    settle(points, trial);
    if (trial.radius < out.radius) copySphere(trial, out);
  }
  return out;
}

/** The sphere, grown until it contains a point; its far side stays where it was. */
export function growSphere(sphere: Sphere, p: Vector): Sphere {
  const { center, radius } = sphere;
  if (radius < 0) {
    copy(p, center);
    sphere.radius = 0;
    return sphere;
  }
  const squared = squaredDistance(p, center);
  if (squared <= radius * radius) return sphere;
  const distance = Math.sqrt(squared);
  sphere.radius = (radius + distance) / 2;
  between(center, p, (sphere.radius - radius) / distance, center);
  return sphere;
}

/** The smallest sphere around two spheres (Ericson 6.5.2). `out` may be one of them. */
export function mergeSpheres(a: Sphere, b: Sphere, out: Sphere = createSphere()): Sphere {
  if (a.radius < 0) return copySphere(b, out);
  if (b.radius < 0) return copySphere(a, out);
  const distance = Math.sqrt(squaredDistance(a.center, b.center));
  if (distance + b.radius <= a.radius) return copySphere(a, out);
  if (distance + a.radius <= b.radius) return copySphere(b, out);
  const radius = (distance + a.radius + b.radius) / 2;
  between(a.center, b.center, (radius - a.radius) / distance, out.center);
  out.radius = radius;
  return out;
}

/**
 * The sphere of a sphere that was scaled, rotated about the origin by the unit quaternion `rotation`, then moved. Of
 * unequal factors the one that is largest, in size, gives the radius.
 */
export function transformSphere(
  sphere: Sphere,
  position: Vector,
  rotation: Vector,
  factor: number | Vector = 1,
  out: Sphere = createSphere(),
): Sphere {
  const x = typeof factor === 'number' ? factor : factor[0];
  const y = typeof factor === 'number' ? factor : factor[1];
  const z = typeof factor === 'number' ? factor : factor[2];
  set(out.center, x * sphere.center[0], y * sphere.center[1], z * sphere.center[2]);
  toWorld(out.center, position, rotation, out.center);
  out.radius = sphere.radius * Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  return out;
}

/** Whether two spheres share a point: squared distance against the squared sum of the radii. */
export function spheresOverlap(a: Sphere, b: Sphere): boolean {
  if (a.radius < 0 || b.radius < 0) return false;
  const reach = a.radius + b.radius;
  return squaredDistance(a.center, b.center) <= reach * reach;
}

/** Whether the sphere contains the point; its surface belongs to it. */
export function sphereContainsPoint(sphere: Sphere, p: Vector): boolean {
  return sphere.radius >= 0 && squaredDistance(p, sphere.center) <= sphere.radius * sphere.radius;
}

export function copySphere(sphere: Sphere, out: Sphere): Sphere {
  copy(sphere.center, out.center);
  out.radius = sphere.radius;
  return out;
}

function overDiameter(a: Vector, b: Vector, out: Sphere): void {
  between(a, b, 0.5, out.center);
  out.radius = Math.sqrt(squaredDistance(a, b)) / 2;
}

/** The radius that its centre asks for: what growing left over on one side, and what rounding took, is set right. */
function settle(points: Vector, sphere: Sphere): Sphere {
  sphere.radius = coveringRadius(points, sphere.center);
  return sphere;
}
