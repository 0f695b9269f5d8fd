// First contact of things of any kind: convex corners that move, by separating axes with times (Ericson 5.5.2, after
// Levine's and Eberly's way), and whatever can tell that it is apart throughout a stretch of time, by halving (Ericson
// 5.5.1). In: corners and a motion, or a question. Out: the first time.
import { checkNumber } from '../base/validate';
import { closestTriangleTriangle, createClosestPair } from './closestPair';
import { createMovingHit, type MovingHit } from './moving';
import type { ConvexCorners } from './separatingAxis';
import {
  addScaled,
  cross,
  dot,
  dotAt,
  normalize,
  scale,
  set,
  squaredLength,
  subtract,
  type Vector,
} from './vector';

const axis = [0, 0, 0];
const u = [0, 0, 0];
const v = [0, 0, 0];
const motion = [0, 0, 0];

/** The stretch of time in which all axes so far have the two together, and the axis that was last to have them so. */
const span = { from: 0, to: 1, parted: false };
const lastAxis = [0, 0, 0];
/** sin² of the angle between edges that have no product. */
const PARALLEL = 1e-20;

function meetAlong(a: Vector, b: Vector): void {
  let lowA = Infinity;
  let highA = -Infinity;
  let lowB = Infinity;
  let highB = -Infinity;
  for (let i = 0; 3 * i < a.length; i++) {
    const reach = dotAt(axis, a, i);
    lowA = Math.min(lowA, reach);
    highA = Math.max(highA, reach);
  }
  for (let i = 0; 3 * i < b.length; i++) {
    const reach = dotAt(axis, b, i);
    lowB = Math.min(lowB, reach);
    highB = Math.max(highB, reach);
  }
  const speed = dot(axis, motion);
  const gap = lowB - highA > 0 ? lowB - highA : lowA - highB;
  const side = lowB - highA > 0 ? 1 : -1; // A is before B along the axis, or behind it
  if (gap > 0) {
    const time = gap / (speed * side);
    if (!(speed * side > 0) || time > 1) {
      span.parted = true;
      return;
    }
    if (time > span.from) {
      span.from = time;
      scale(axis, -side, lastAxis);
    }
  }
  if (speed > 0) span.to = Math.min(span.to, (highB - lowA) / speed);
  if (speed < 0) span.to = Math.min(span.to, (lowB - highA) / speed);
}

/**
 * Two convex polyhedra that move by `motionA` and `motionB`, m, without turning: the normals of both and all products of
 * edges. The normal is the axis that was last to part them, toward A; 0, 0, 0 where they overlap at the start, and then the
 * point is the middle of A's corners. Makes short lists of the corners that touch.
 */
export function movingConvexCorners(
  a: ConvexCorners,
  motionA: Vector,
  b: ConvexCorners,
  motionB: Vector,
  out: MovingHit = createMovingHit(),
): boolean {
  subtract(motionA, motionB, motion);
  span.from = 0;
  span.to = 1;
  span.parted = false;
  set(lastAxis, 0, 0, 0);
  for (const { normals } of [a, b])
    for (let i = 0; i < normals.length && !span.parted; i += 3) {
      set(axis, normals[i], normals[i + 1], normals[i + 2]);
      if (squaredLength(axis) > 0) meetAlong(a.corners, b.corners);
    }
  for (let i = 0; i < a.edges.length && !span.parted; i += 3)
    for (let j = 0; j < b.edges.length && !span.parted; j += 3) {
      set(u, a.edges[i], a.edges[i + 1], a.edges[i + 2]);
      set(v, b.edges[j], b.edges[j + 1], b.edges[j + 2]);
      cross(u, v, axis);
      if (squaredLength(axis) > PARALLEL * squaredLength(u) * squaredLength(v))
        meetAlong(a.corners, b.corners);
    }
  if (span.parted || !(span.from <= span.to)) return false;
  out.time = span.from;
  normalize(lastAxis, out.normal);
  contactPoint(a.corners, motionA, b.corners, motionB, out);
  return true;
}

/** Of the size of the things: corners this near to the farthest touch, too. */
const TOUCHING = 1e-9;

/** The longest side of the box of the corners. */
function extentOf(corners: Vector): number {
  let extent = 0;
  for (let k = 0; k < 3; k++) {
    let least = Infinity;
    let most = -Infinity;
    for (let i = k; i < corners.length; i += 3) {
      least = Math.min(least, corners[i]);
      most = Math.max(most, corners[i]);
    }
    extent = Math.max(extent, most - least);
  }
  return extent;
}

/** Corners that reach farthest along a direction, but for `slack`, moved. */
function farthest(corners: Vector, direction: Vector, slack: number, by: Vector, time: number): number[][] {
  let most = -Infinity;
  for (let i = 0; 3 * i < corners.length; i++) most = Math.max(most, dotAt(direction, corners, i));
  const found: number[][] = [];
  for (let i = 0; 3 * i < corners.length; i++)
    if (dotAt(direction, corners, i) >= most - slack)
      found.push([0, 1, 2].map((k) => corners[3 * i + k] + time * by[k]));
  return found;
}

const pair = createClosestPair();

/** A point of the corner, edge or face of both that touch: the closest points of all triangles that they have. */
function contactPoint(a: Vector, motionA: Vector, b: Vector, motionB: Vector, out: MovingHit): void {
  const { time, normal, point } = out;
  if (squaredLength(normal) === 0) {
    set(point, 0, 0, 0);
    for (let i = 0; i < a.length; i += 3) for (let k = 0; k < 3; k++) point[k] += (3 * a[i + k]) / a.length;
    return;
  }
  const slack = TOUCHING * Math.max(extentOf(a), extentOf(b));
  const ofB = farthest(b, normal, slack, motionB, time);
  const ofA = farthest(a, scale(normal, -1, axis), slack, motionA, time);
  let least = Infinity;
  for (const [a0, a1, a2] of trianglesOf(ofA))
    for (const [b0, b1, b2] of trianglesOf(ofB)) {
      closestTriangleTriangle(a0, a1, a2, b0, b1, b2, pair);
      if (!(pair.distanceSquared < least)) continue;
      least = pair.distanceSquared;
      addScaled(pair.pointB, normal, 0, point);
    }
}

/** All triangles with corner 0: together they cover a convex polygon in whatever order its corners are. */
function trianglesOf(corners: number[][]): number[][][] {
  if (corners.length < 3) return [[corners[0], corners[corners.length - 1], corners[0]]];
  const out: number[][][] = [];
  for (let i = 1; i < corners.length; i++)
    for (let j = i + 1; j < corners.length; j++) out.push([corners[0], corners[i], corners[j]]);
  return out;
}

/** The least tolerance. */
const FINEST = 1 / 1099511627776; // 2⁻⁴⁰

/**
 * The first time at which two things that move in any way may touch, as near as `tolerance`; Infinity for none. Stretches
 * of time that are surely free are left out, others halved, the earlier half first.
 *
 * @param mayTouch   false only where they surely do not touch from `from` to `to`, say by the bounds of both motions
 * @param tolerance  of the whole time, from 2⁻⁴⁰. Default 0.001
 */
export function firstTimeByHalving(
  mayTouch: (from: number, to: number) => boolean,
  tolerance = 1e-3,
): number {
  checkNumber(tolerance, 'tolerance', { min: FINEST, max: 1 });
  // Ends of the later halves that wait: each is half as long as the one before.
  const waiting = [1];
  let from = 0;
  while (waiting.length > 0) {
    const to = waiting[waiting.length - 1];
    if (!mayTouch(from, to)) {
      from = to;
      waiting.pop();
    } else if (to - from <= tolerance) return from;
    else waiting.push((from + to) / 2);
  }
  return Infinity;
}
