// Flat polygons in space, convex or not, given by their corners in turn: normal, inside, closest point. In: x, y, z of
// each corner. Shared by the tests of spheres against polygons.
import { closestPointOnSegment } from './closestPoint';
import {
  areaVector,
  copy,
  copyAt,
  dot,
  set,
  squaredDistance,
  squaredLength,
  subtract,
  type Vector,
  type VectorOut,
} from './vector';

const first = [0, 0, 0];
const p = [0, 0, 0];
const q = [0, 0, 0];
const part = [0, 0, 0];

/** Newell's: twice the area, counter-clockwise from its tip. */
export function normalOfPolygon(corners: Vector, out: VectorOut): VectorOut {
  set(out, 0, 0, 0);
  copyAt(corners, 0, first);
  for (let i = 2; 3 * i < corners.length; i++) {
    areaVector(first, copyAt(corners, i - 1, p), copyAt(corners, i, q), part);
    for (let k = 0; k < 3; k++) out[k] += part[k];
  }
  return out;
}

/** Whether a point of its plane is inside: crossings of a ray, seen along the axis that the normal has most of. */
export function footInPolygon(point: Vector, corners: Vector, normal: Vector): boolean {
  const x = Math.abs(normal[0]);
  const y = Math.abs(normal[1]);
  const z = Math.abs(normal[2]);
  const i = x >= y && x >= z ? 1 : 0;
  const j = x >= y && x >= z ? 2 : y >= z ? 2 : 1;
  let inside = false;
  const count = corners.length / 3;
  for (let a = 0, b = count - 1; a < count; b = a++) {
    const ay = corners[3 * a + j];
    const by = corners[3 * b + j];
    if (ay > point[j] === by > point[j]) continue;
    const ax = corners[3 * a + i];
    const bx = corners[3 * b + i];
    if (point[i] < ax + ((point[j] - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}

const normal = [0, 0, 0];
const foot = [0, 0, 0];
const given = [0, 0, 0];

/** The point of a flat polygon, inside or on an edge, that is nearest to a point. One without area is its edges. */
export function closestPointOnPolygon(point: Vector, corners: Vector, out: VectorOut = [0, 0, 0]): VectorOut {
  copy(point, given);
  normalOfPolygon(corners, normal);
  const size = squaredLength(normal);
  if (size > 0) {
    subtract(given, copyAt(corners, 0, first), foot);
    const above = dot(foot, normal) / size;
    for (let k = 0; k < 3; k++) foot[k] = given[k] - above * normal[k];
    if (footInPolygon(foot, corners, normal)) return copy(foot, out);
  }
  const count = corners.length / 3;
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    closestPointOnSegment(given, copyAt(corners, i, p), copyAt(corners, (i + 1) % count, q), foot);
    const squared = squaredDistance(given, foot);
    if (!(squared < least)) continue;
    least = squared;
    copy(foot, out);
  }
  return out;
}
