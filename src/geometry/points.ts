// What every builder of a volume starts with. In: a flat list of points. Out: the same list, checked; what it says
// about means, spreads and extremes. Nothing is copied.
import { diagonalize } from '../base/symmetric';
import { invalid } from '../base/validate';
import { dotAt, set, turn, type Vector, type VectorOut } from './vector';

/** Number of points in a flat list; throws if it is not a list of finite points. */
export function countPoints(points: Vector, argument: string, least = 1): number {
  if (typeof points !== 'object' || points === null || typeof points.length !== 'number')
    throw invalid(argument, 'must be a flat list of x, y, z', points);
  if (points.length % 3 !== 0)
    throw invalid(`${argument}.length`, 'must hold x, y, z of each point', points.length);
  if (points.length < 3 * least)
    throw invalid(`${argument}.length`, `must be ${3 * least} or more`, points.length);
  for (let i = 0; i < points.length; i++)
    if (!Number.isFinite(points[i])) throw invalid(`${argument}[${i}]`, 'must be a finite number', points[i]);
  return points.length / 3;
}

/** The mean of the points. */
export function meanOf(points: Vector, out: VectorOut): VectorOut {
  const count = points.length / 3;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let i = 0; i < points.length; i += 3) {
    x += points[i];
    y += points[i + 1];
    z += points[i + 2];
  }
  return set(out, x / count, y / count, z / count);
}

/**
 * Covariance of the points about `mean`: xx, yy, zz, xy, xz, yz. (Ericson 4.3.3; his listing is hard to read at xz:
 * it is the mean of x · z.)
 */
export function covarianceOf(points: Vector, mean: Vector, out: VectorOut): VectorOut {
  const count = points.length / 3;
  for (let k = 0; k < 6; k++) out[k] = 0;
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i] - mean[0];
    const y = points[i + 1] - mean[1];
    const z = points[i + 2] - mean[2];
    out[0] += x * x;
    out[1] += y * y;
    out[2] += z * z;
    out[3] += x * y;
    out[4] += x * z;
    out[5] += y * z;
  }
  for (let k = 0; k < 6; k++) out[k] /= count;
  return out;
}

/**
 * Covariance of the surface of triangles, each weighed by its area, which does not mind how finely a surface is cut
 * (Gottschalk, Collision Queries using Oriented Bounding Boxes, 2000, 3.3.1). Its mean goes to `mean`. False for
 * triangles without area.
 */
export function surfaceCovariance(
  points: Vector,
  triangles: ArrayLike<number>,
  mean: VectorOut,
  out: VectorOut,
): boolean {
  const moments = [0, 0, 0, 0, 0, 0];
  const first = [0, 0, 0];
  let total = 0;
  // From the first corner: sums from the origin would cancel for a surface far from it.
  const o = 3 * triangles[0];
  for (let t = 0; t < triangles.length; t += 3) {
    const corner = (c: number, k: number) => points[3 * triangles[t + c] + k] - points[o + k];
    const [ax, ay, az] = [corner(0, 0), corner(0, 1), corner(0, 2)];
    const [bx, by, bz] = [corner(1, 0), corner(1, 1), corner(1, 2)];
    const [cx, cy, cz] = [corner(2, 0), corner(2, 1), corner(2, 2)];
    const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
    const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
    const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const area = Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
    const mx = (ax + bx + cx) / 3;
    const my = (ay + by + cy) / 3;
    const mz = (az + bz + cz) / 3;
    total += area;
    first[0] += area * mx;
    first[1] += area * my;
    first[2] += area * mz;
    // ∫ x y over a triangle = area / 12 · (9 mx my + ax ay + bx by + cx cy).
    const w = area / 12;
    moments[0] += w * (9 * mx * mx + ax * ax + bx * bx + cx * cx);
    moments[1] += w * (9 * my * my + ay * ay + by * by + cy * cy);
    moments[2] += w * (9 * mz * mz + az * az + bz * bz + cz * cz);
    moments[3] += w * (9 * mx * my + ax * ay + bx * by + cx * cy);
    moments[4] += w * (9 * mx * mz + ax * az + bx * bz + cx * cz);
    moments[5] += w * (9 * my * mz + ay * az + by * bz + cy * cz);
  }
  if (!(total > 0)) return false;
  const [x, y, z] = first.map((c) => c / total);
  out[0] = moments[0] / total - x * x;
  out[1] = moments[1] / total - y * y;
  out[2] = moments[2] / total - z * z;
  out[3] = moments[3] / total - x * y;
  out[4] = moments[4] / total - x * z;
  out[5] = moments[5] / total - y * z;
  set(mean, points[o] + x, points[o + 1] + y, points[o + 2] + z);
  return true;
}

const UNIT = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Axes of a covariance by falling spread, right-handed: nine numbers. */
export function spreadAxes(covariance: Vector, out: VectorOut): VectorOut {
  const { moments, rotation } = diagonalize(covariance, 0);
  const order = [0, 1, 2].sort((i, j) => moments[j] - moments[i] || i - j);
  const [a, b] = order.map((k) => turn(rotation, UNIT[k], [0, 0, 0]));
  const c = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  [...(a as number[]), ...(b as number[]), ...c].forEach((value, i) => {
    out[i] = value;
  });
  return out;
}

/** The points with the smallest and the largest projection on `direction`; the first of several. */
export function extremesAlong(points: Vector, direction: Vector): { least: number; most: number } {
  let least = 0;
  let most = 0;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; 3 * i < points.length; i++) {
    const reach = dotAt(direction, points, i);
    if (reach < low) {
      low = reach;
      least = i;
    }
    // Not `else`: the first point is both.
    if (reach > high) {
      high = reach;
      most = i;
    }
  }
  return { least, most };
}
