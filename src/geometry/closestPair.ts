// The closest points of two shapes: lines, segments, triangles, rectangles (Ericson 5.1.8 to 5.1.11). In: their
// corners. Out: a ClosestPair. What crosses has a distance of 0 and the crossing as both points.
import { closestPointOnRectangle, closestPointOnTriangle, parameterOnLine } from './closestPoint';
import {
  areaVector,
  axesOf,
  between,
  clamp,
  copy,
  cross,
  dot,
  squaredDistance,
  squaredLength,
  subtract,
  type Vector,
  type VectorOut,
} from './vector';
import { cornersOfRectangle, type Rectangle } from './volumes';

/** The closest points of two sets. */
export interface ClosestPair {
  /** On A. */
  pointA: VectorOut;
  /** On B. */
  pointB: VectorOut;
  /** m² */
  distanceSquared: number;
  /** Of lines and segments: pointA = a0 + s (a1 − a0). Else 0. */
  s: number;
  /** Of lines and segments: pointB = b0 + t (b1 − b0). Else 0. */
  t: number;
}

/** A new object for results. */
export function createClosestPair(): ClosestPair {
  return { pointA: [0, 0, 0], pointB: [0, 0, 0], distanceSquared: Infinity, s: 0, t: 0 };
}

const dA = [0, 0, 0];
const dB = [0, 0, 0];
const r = [0, 0, 0];
/** sin² of the angle: lines this near to parallel have no crossing that could be computed. */
const PARALLEL = 1e-24;
/** sin² of the angle below which the ends of segments are looked at, too: the crossing is no more exact. */
const NEARLY_PARALLEL = 1e-6;

/** s, t on the lines; of parallel ones s = 0. */
function crossLines(a0: Vector, a1: Vector, b0: Vector, b1: Vector, out: ClosestPair): number {
  subtract(a1, a0, dA);
  subtract(b1, b0, dB);
  subtract(a0, b0, r);
  const a = squaredLength(dA);
  const e = squaredLength(dB);
  const b = dot(dA, dB);
  const c = dot(dA, r);
  const f = dot(dB, r);
  cross(dA, dB, r);
  const denominator = squaredLength(r); // a e − b², without the cancellation
  const sinSquared = a > 0 && e > 0 ? denominator / a / e : 0;
  out.s = sinSquared > PARALLEL ? (b * f - c * e) / denominator : 0;
  out.t = e > 0 ? (b * out.s + f) / e : 0;
  if (!(e > 0) && a > 0) out.s = -c / a;
  return sinSquared;
}

/**
 * Between the lines through a0, a1 and b0, b1 (Ericson 5.1.8). Of parallel ones: a0 and its foot. A line of one point
 * is that point. False where they are parallel or one is a point.
 */
export function closestLineLine(
  a0: Vector,
  a1: Vector,
  b0: Vector,
  b1: Vector,
  out: ClosestPair = createClosestPair(),
): boolean {
  const sinSquared = crossLines(a0, a1, b0, b1, out);
  place(a0, a1, b0, b1, out.s, out.t, out);
  return sinSquared > PARALLEL;
}

function place(a0: Vector, a1: Vector, b0: Vector, b1: Vector, s: number, t: number, out: ClosestPair): void {
  out.s = s;
  out.t = t;
  between(a0, a1, s, out.pointA);
  between(b0, b1, t, out.pointB);
  out.distanceSquared = squaredDistance(out.pointA, out.pointB);
}

const p = [0, 0, 0];
const q = [0, 0, 0];

/** Takes s, t if that pair is nearer. */
function consider(
  a0: Vector,
  a1: Vector,
  b0: Vector,
  b1: Vector,
  s: number,
  t: number,
  out: ClosestPair,
): void {
  between(a0, a1, s, p);
  between(b0, b1, t, q);
  const squared = squaredDistance(p, q);
  if (squared < out.distanceSquared) {
    copy(p, out.pointA);
    copy(q, out.pointB);
    out.distanceSquared = squared;
    out.s = s;
    out.t = t;
  }
}

const on = (point: Vector, a: Vector, b: Vector) => clamp(parameterOnLine(point, a, b), 0, 1);

/** Closest points of two segments; a segment may be one point (Ericson 5.1.9). If they are parallel and overlap, one of the closest pairs. */
export function closestSegmentSegment(
  a0: Vector,
  a1: Vector,
  b0: Vector,
  b1: Vector,
  out: ClosestPair = createClosestPair(),
): ClosestPair {
  const sinSquared = crossLines(a0, a1, b0, b1, out);
  // Where the crossing is beyond an end of A, the foot of that end counts; where that is beyond an end of B, its foot.
  let s = clamp(out.s, 0, 1);
  between(a0, a1, s, p);
  const t = on(p, b0, b1);
  between(b0, b1, t, q);
  s = on(q, a0, a1);
  place(a0, a1, b0, b1, s, t, out);
  if (sinSquared < NEARLY_PARALLEL) {
    consider(a0, a1, b0, b1, 0, on(a0, b0, b1), out);
    consider(a0, a1, b0, b1, 1, on(a1, b0, b1), out);
    consider(a0, a1, b0, b1, on(b0, a0, a1), 0, out);
    consider(a0, a1, b0, b1, on(b1, a0, a1), 1, out);
  }
  return out;
}

const n = [0, 0, 0];
const side0 = [0, 0, 0];
const side1 = [0, 0, 0];
const side2 = [0, 0, 0];

/** s where the segment passes through the triangle, or −1. Segments in its plane do not: their edges are tested separately. */
function crossing(s0: Vector, s1: Vector, a: Vector, b: Vector, c: Vector): number {
  areaVector(a, b, c, n);
  const h0 = n[0] * (s0[0] - a[0]) + n[1] * (s0[1] - a[1]) + n[2] * (s0[2] - a[2]);
  const h1 = n[0] * (s1[0] - a[0]) + n[1] * (s1[1] - a[1]) + n[2] * (s1[2] - a[2]);
  if (h0 === h1 || (h0 > 0 && h1 > 0) || (h0 < 0 && h1 < 0)) return -1;
  const s = h0 / (h0 - h1);
  between(s0, s1, s, p);
  areaVector(p, b, c, side0);
  areaVector(p, c, a, side1);
  areaVector(p, a, b, side2);
  return dot(side0, n) >= 0 && dot(side1, n) >= 0 && dot(side2, n) >= 0 ? s : -1;
}

const edge: ClosestPair = createClosestPair();

/** Takes a pair that is nearer, A and B swapped or not. */
function take(from: ClosestPair, swapped: boolean, out: ClosestPair): void {
  if (!(from.distanceSquared < out.distanceSquared)) return;
  copy(swapped ? from.pointB : from.pointA, out.pointA);
  copy(swapped ? from.pointA : from.pointB, out.pointB);
  out.distanceSquared = from.distanceSquared;
  out.s = swapped ? 0 : from.s;
}

/** One point of A at s, and its nearest on B in `edge.pointB`. */
function takeEnd(end: Vector, s: number, swapped: boolean, out: ClosestPair): void {
  copy(end, edge.pointA);
  edge.s = s;
  edge.distanceSquared = squaredDistance(edge.pointA, edge.pointB);
  take(edge, swapped, out);
}

/** Closest points of the segment s0 s1 (A) and a triangle (B), which may be degenerate to a line (Ericson 5.1.10). */
export function closestSegmentTriangle(
  s0: Vector,
  s1: Vector,
  a: Vector,
  b: Vector,
  c: Vector,
  out: ClosestPair = createClosestPair(),
): ClosestPair {
  out.t = 0;
  const s = crossing(s0, s1, a, b, c);
  if (s >= 0) {
    copy(between(s0, s1, s, out.pointA), out.pointB);
    out.distanceSquared = 0;
    out.s = s;
    return out;
  }
  out.distanceSquared = Infinity;
  closestPointOnTriangle(s0, a, b, c, edge.pointB);
  takeEnd(s0, 0, false, out);
  closestPointOnTriangle(s1, a, b, c, edge.pointB);
  takeEnd(s1, 1, false, out);
  take(closestSegmentSegment(s0, s1, a, b, edge), false, out);
  take(closestSegmentSegment(s0, s1, b, c, edge), false, out);
  take(closestSegmentSegment(s0, s1, c, a, edge), false, out);
  return out;
}

const triangleA: Vector[] = [n, n, n];
const triangleB: Vector[] = [n, n, n];

/**
 * Between two triangles, either of which may lie in one line or point: corners against faces, edges against edges,
 * edges through faces (Ericson 5.1.11).
 */
export function closestTriangleTriangle(
  a0: Vector,
  a1: Vector,
  a2: Vector,
  b0: Vector,
  b1: Vector,
  b2: Vector,
  out: ClosestPair = createClosestPair(),
): ClosestPair {
  triangleA[0] = a0;
  triangleA[1] = a1;
  triangleA[2] = a2;
  triangleB[0] = b0;
  triangleB[1] = b1;
  triangleB[2] = b2;
  out.distanceSquared = Infinity;
  out.s = out.t = 0;
  for (let i = 0; i < 3; i++) {
    const a = triangleA[i];
    const next = triangleA[(i + 1) % 3];
    const s = crossing(a, next, b0, b1, b2);
    if (s >= 0) return meet(a, next, s, out);
    const b = triangleB[i];
    const nextB = triangleB[(i + 1) % 3];
    const t = crossing(b, nextB, a0, a1, a2);
    if (t >= 0) return meet(b, nextB, t, out);
  }
  for (let i = 0; i < 3; i++) {
    closestPointOnTriangle(triangleA[i], b0, b1, b2, edge.pointB);
    takeEnd(triangleA[i], 0, false, out);
    closestPointOnTriangle(triangleB[i], a0, a1, a2, edge.pointB);
    takeEnd(triangleB[i], 0, true, out);
    for (let j = 0; j < 3; j++) {
      closestSegmentSegment(triangleA[i], triangleA[(i + 1) % 3], triangleB[j], triangleB[(j + 1) % 3], edge);
      take(edge, false, out);
    }
  }
  out.s = 0;
  return out;
}

function meet(a: Vector, b: Vector, s: number, out: ClosestPair): ClosestPair {
  copy(between(a, b, s, out.pointA), out.pointB);
  out.distanceSquared = 0;
  return out;
}

const axes = [0, 0, 0, 0, 0, 0, 0, 0, 0];
const cornersA = [0, 1, 2, 3].map(() => [0, 0, 0]);
const cornersB = [0, 1, 2, 3].map(() => [0, 0, 0]);

/** Closest points of the segment s0 s1 (A) and a rectangle (B), which may have no width. */
export function closestSegmentRectangle(
  s0: Vector,
  s1: Vector,
  rectangle: Rectangle,
  out: ClosestPair = createClosestPair(),
): ClosestPair {
  cornersOfRectangle(rectangle, axesOf(rectangle.rotation, axes), cornersB);
  out.t = 0;
  const s = crossesQuad(s0, s1, cornersB);
  if (s >= 0) {
    out.s = s;
    return meet(s0, s1, s, out);
  }
  out.distanceSquared = Infinity;
  closestPointOnRectangle(s0, rectangle, edge.pointB);
  takeEnd(s0, 0, false, out);
  closestPointOnRectangle(s1, rectangle, edge.pointB);
  takeEnd(s1, 1, false, out);
  for (let i = 0; i < 4; i++)
    take(closestSegmentSegment(s0, s1, cornersB[i], cornersB[(i + 1) % 4], edge), false, out);
  return out;
}

function crossesQuad(s0: Vector, s1: Vector, corners: Vector[]): number {
  const s = crossing(s0, s1, corners[0], corners[1], corners[2]);
  return s >= 0 ? s : crossing(s0, s1, corners[0], corners[2], corners[3]);
}

/** Closest points of two rectangles; either may have no width. */
export function closestRectangleRectangle(
  a: Rectangle,
  b: Rectangle,
  out: ClosestPair = createClosestPair(),
): ClosestPair {
  cornersOfRectangle(a, axesOf(a.rotation, axes), cornersA);
  cornersOfRectangle(b, axesOf(b.rotation, axes), cornersB);
  out.distanceSquared = Infinity;
  out.s = out.t = 0;
  for (let i = 0; i < 4; i++) {
    const a0 = cornersA[i];
    const a1 = cornersA[(i + 1) % 4];
    const s = crossesQuad(a0, a1, cornersB);
    if (s >= 0) return meet(a0, a1, s, out);
    const b0 = cornersB[i];
    const b1 = cornersB[(i + 1) % 4];
    const t = crossesQuad(b0, b1, cornersA);
    if (t >= 0) return meet(b0, b1, t, out);
  }
  for (let i = 0; i < 4; i++) {
    closestPointOnRectangle(cornersA[i], b, edge.pointB);
    takeEnd(cornersA[i], 0, false, out);
    closestPointOnRectangle(cornersB[i], a, edge.pointB);
    takeEnd(cornersB[i], 0, true, out);
    for (let j = 0; j < 4; j++)
      take(
        closestSegmentSegment(cornersA[i], cornersA[(i + 1) % 4], cornersB[j], cornersB[(j + 1) % 4], edge),
        false,
        out,
      );
  }
  out.s = 0;
  return out;
}
