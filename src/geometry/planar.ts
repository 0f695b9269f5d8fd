// The plane: circles, rectangles, oriented rectangles, segments, polygons. In: points x, y by index. Out: whether they
// share a point; touching counts. (Ericson 5.1.9.1, 5.2.1 in two dimensions, 5.4.1.)
import type { Vector, VectorOut } from './vector';

/** A circle in the plane. */
export interface Circle {
  /** x, y */
  center: VectorOut;
  /** m; negative: empty. */
  radius: number;
}

/** Sides along the axes. */
export interface PlanarBox {
  /** x, y */
  min: VectorOut;
  /** Greatest corner: x, y. */
  max: VectorOut;
}

/** An oriented rectangle. A half extent of 0 makes it a segment. */
export interface TurnedRectangle {
  /** x, y */
  center: VectorOut;
  /** Unit vector x, y along which the first half extent is. */
  axis: VectorOut;
  /** m, ≥ 0, along its own axes. */
  halfExtents: VectorOut;
}

/** Whether two circles overlap or touch. */
export function circlesOverlap(a: Circle, b: Circle): boolean {
  const x = a.center[0] - b.center[0];
  const y = a.center[1] - b.center[1];
  const reach = a.radius + b.radius;
  return a.radius >= 0 && b.radius >= 0 && x * x + y * y <= reach * reach;
}

/** Whether two boxes of the plane overlap or touch. */
export function planarBoxesOverlap(a: PlanarBox, b: PlanarBox): boolean {
  return a.min[0] <= b.max[0] && b.min[0] <= a.max[0] && a.min[1] <= b.max[1] && b.min[1] <= a.max[1];
}

/** Whether two rotated rectangles overlap or touch, by the two normals of each. */
export function turnedRectanglesOverlap(a: TurnedRectangle, b: TurnedRectangle): boolean {
  return !sidesPart(a, b) && !sidesPart(b, a);
}

/** Rounding: a segment and its twin on one line touch. */
const SLACK = 4 * Number.EPSILON;

function sidesPart(a: TurnedRectangle, b: TurnedRectangle): boolean {
  const dx = b.center[0] - a.center[0];
  const dy = b.center[1] - a.center[1];
  for (let k = 0; k < 2; k++) {
    const x = k === 0 ? a.axis[0] : -a.axis[1];
    const y = k === 0 ? a.axis[1] : a.axis[0];
    const along = Math.abs(x * b.axis[0] + y * b.axis[1]);
    const across = Math.abs(-x * b.axis[1] + y * b.axis[0]);
    const reach = a.halfExtents[k] + b.halfExtents[0] * along + b.halfExtents[1] * across;
    const size = Math.abs(x * dx) + Math.abs(y * dy);
    if (Math.abs(x * dx + y * dy) > reach + SLACK * (reach + size)) return true;
  }
  return false;
}

/** A segment as a rectangle of half width `halfWidth`, which may be 0. If both ends are one point: a point or a square. */
export function rectangleOfSegment(
  a: Vector,
  b: Vector,
  halfWidth = 0,
  out: TurnedRectangle = { center: [0, 0], axis: [1, 0], halfExtents: [0, 0] },
): TurnedRectangle {
  const x = b[0] - a[0];
  const y = b[1] - a[1];
  const length = Math.sqrt(x * x + y * y);
  out.center[0] = (a[0] + b[0]) / 2;
  out.center[1] = (a[1] + b[1]) / 2;
  out.axis[0] = length > 0 ? x / length : 1;
  out.axis[1] = length > 0 ? y / length : 0;
  out.halfExtents[0] = length / 2;
  out.halfExtents[1] = halfWidth;
  return out;
}

/** Twice the area of the triangle a b c: above 0 where c is on the left of a → b (Ericson 3.1.6.1). */
export function signedArea(a: Vector, b: Vector, c: Vector): number {
  return (a[0] - c[0]) * (b[1] - c[1]) - (a[1] - c[1]) * (b[0] - c[0]);
}

/** Whether c, known to be on the line a b, is between them. */
function withinBounds(a: Vector, b: Vector, c: Vector): boolean {
  return (
    Math.min(a[0], b[0]) <= c[0] &&
    c[0] <= Math.max(a[0], b[0]) &&
    Math.min(a[1], b[1]) <= c[1] &&
    c[1] <= Math.max(a[1], b[1])
  );
}

/**
 * Two segments, either of which may be one point. Ends on the other, and segments in one line that overlap or touch,
 * count. `out`, if given, gets a common point: the crossing, or an end.
 */
export function segmentsCross(a0: Vector, a1: Vector, b0: Vector, b1: Vector, out?: VectorOut): boolean {
  const s0 = signedArea(a0, a1, b0);
  const s1 = signedArea(a0, a1, b1);
  const t0 = signedArea(b0, b1, a0);
  const t1 = signedArea(b0, b1, a1);
  if (((s0 > 0 && s1 < 0) || (s0 < 0 && s1 > 0)) && ((t0 > 0 && t1 < 0) || (t0 < 0 && t1 > 0))) {
    const t = t0 / (t0 - t1);
    return at(out, a0[0] + t * (a1[0] - a0[0]), a0[1] + t * (a1[1] - a0[1]));
  }
  if (s0 === 0 && withinBounds(a0, a1, b0)) return at(out, b0[0], b0[1]);
  if (s1 === 0 && withinBounds(a0, a1, b1)) return at(out, b1[0], b1[1]);
  if (t0 === 0 && withinBounds(b0, b1, a0)) return at(out, a0[0], a0[1]);
  if (t1 === 0 && withinBounds(b0, b1, a1)) return at(out, a1[0], a1[1]);
  return false;
}

function at(out: VectorOut | undefined, x: number, y: number): true {
  if (out !== undefined) {
    out[0] = x;
    out[1] = y;
  }
  return true;
}

/**
 * Whether a polygon, convex or not, holds a point: its edges and corners belong to it. Of one that crosses itself: what
 * a ray leaves an odd number of times (Ericson 5.4.1).
 *
 * @param corners  x, y of each, in turn, either way round
 */
export function pointInPolygon(point: Vector, corners: Vector): boolean {
  const [x, y] = [point[0], point[1]];
  let inside = false;
  for (let a = 0, b = corners.length - 2; a < corners.length; b = a, a += 2) {
    const ax = corners[a];
    const ay = corners[a + 1];
    const bx = corners[b];
    const by = corners[b + 1];
    // Twice the area with the point: 0 on the line of the edge.
    const area = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    if (
      area === 0 &&
      Math.min(ax, bx) <= x &&
      x <= Math.max(ax, bx) &&
      Math.min(ay, by) <= y &&
      y <= Math.max(ay, by)
    )
      return true;
    // Upward edges count where the point is on their left, downward ones where on their right.
    if (ay > y !== by > y && area > 0 === by > ay) inside = !inside;
  }
  return inside;
}

/** As pointInPolygon for a convex one with corners counter-clockwise, in log n steps (Ericson 5.4.1). */
export function pointInConvexPolygon(point: Vector, corners: Vector): boolean {
  const count = corners.length / 2;
  if (count < 3) return pointInPolygon(point, corners);
  let low = 0;
  let high = count;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (side(point, corners, 0, middle) >= 0) low = middle;
    else high = middle;
  }
  // Beyond the first or the last edge at corner 0; on them, between their ends.
  if (low === 0) return false;
  if (high === count)
    return side(point, corners, 0, count - 1) === 0 && between(point, corners, 0, count - 1);
  return (
    side(point, corners, low, high) >= 0 &&
    (side(point, corners, 0, low) > 0 || between(point, corners, 0, low))
  );
}

function side(point: Vector, corners: Vector, i: number, j: number): number {
  const ax = corners[2 * i];
  const ay = corners[2 * i + 1];
  return (corners[2 * j] - ax) * (point[1] - ay) - (corners[2 * j + 1] - ay) * (point[0] - ax);
}

function between(point: Vector, corners: Vector, i: number, j: number): boolean {
  for (let k = 0; k < 2; k++) {
    const a = corners[2 * i + k];
    const b = corners[2 * j + k];
    if (point[k] < Math.min(a, b) || point[k] > Math.max(a, b)) return false;
  }
  return true;
}

/** Whether a triangle in the plane, of either orientation, contains a point; edges belong to it (Ericson 5.4.2). */
export function pointInPlanarTriangle(point: Vector, a: Vector, b: Vector, c: Vector): boolean {
  const u = signedArea(a, b, point);
  const v = signedArea(b, c, point);
  const w = signedArea(c, a, point);
  const inside = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
  if (!inside || u !== 0 || v !== 0 || w !== 0) return inside;
  return withinBounds(a, b, point) || withinBounds(b, c, point) || withinBounds(c, a, point); // in one line
}
