// Oriented boxes about points, four ways: axes of spread of the points, or of the hull's surface; smallest rectangles
// perpendicular to the axes of the box, again and again; a search over all orientations. (Ericson 4.4.) In: points. Out: an
// Obb that holds them all, as obbContainsPoint tells.

import { PhysicsError } from '../base/errors';
import { quatFromEuler, quatMultiply } from '../base/math';
import { checkInteger } from '../base/validate';
import { cookHull } from '../cooking/hull';
import { minimalRectangleDirection } from './minimalRectangle';
import { countPoints, covarianceOf, meanOf, spreadAxes, surfaceCovariance } from './points';
import {
  add,
  axesOf,
  copyAt,
  cross,
  perpendicular,
  quaternionOf,
  set,
  toLocal,
  toWorld,
  turn,
  type Vector,
  type VectorOut,
} from './vector';
import { createObb, type Obb } from './volumes';

const point = [0, 0, 0];
const axes = [0, 0, 0, 0, 0, 0, 0, 0, 0];
const middle = [0, 0, 0];

/** The smallest box about points with a given rotation (unit quaternion). `rotation` may be that of `out`. */
export function obbWithRotation(points: Vector, rotation: Vector, out: Obb = createObb()): Obb {
  const count = countPoints(points, 'points');
  for (let k = 0; k < 4; k++) out.rotation[k] = rotation[k];
  axesOf(out.rotation, axes);
  for (let k = 0; k < 3; k++) {
    const [x, y, z] = [axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]];
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const reach = x * points[i] + y * points[i + 1] + z * points[i + 2];
      if (reach < low) low = reach;
      if (reach > high) high = reach;
    }
    middle[k] = (low + high) / 2;
  }
  turn(out.rotation, middle, out.center);
  // Measured in the way in which points are looked up: what rounding would leave outside is inside.
  set(out.halfExtents, 0, 0, 0);
  for (let i = 0; i < count; i++) {
    toLocal(copyAt(points, i, point), out.center, out.rotation, point);
    for (let k = 0; k < 3; k++) {
      const reach = Math.abs(point[k]);
      if (reach > out.halfExtents[k]) out.halfExtents[k] = reach;
    }
  }
  return out;
}

function withAxes(points: Vector, nine: Vector, out: Obb): Obb {
  return obbWithRotation(points, quaternionOf(nine, [0, 0, 0, 1]), out);
}

/** The box along the principal axes of the points (their covariance). Many points in one place turn these axes (Ericson 4.4.3). */
export function obbPca(points: Vector, out: Obb = createObb()): Obb {
  countPoints(points, 'points');
  return withAxes(points, pointAxes(points), out);
}

function pointAxes(points: Vector): VectorOut {
  const mean = meanOf(points, [0, 0, 0]);
  return spreadAxes(covarianceOf(points, mean, [0, 0, 0, 0, 0, 0]), [0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

/**
 * Along the axes of spread of the surface of the points' hull: how densely points lie, and what is inside, does not
 * count (Gottschalk 2000). Of points in one plane: obbPca.
 */
export function obbHullSurface(points: Vector, out: Obb = createObb()): Obb {
  countPoints(points, 'points');
  const nine = surfaceAxes(points);
  return nine === undefined ? obbPca(points, out) : withAxes(points, nine, out);
}

function surfaceAxes(points: Vector): VectorOut | undefined {
  try {
    const { vertices, faces } = cookHull(points, { maxVertices: 256 });
    const triangles = faces.flatMap((face) => face.slice(2).flatMap((v, i) => [face[0], face[i + 1], v]));
    const covariance = [0, 0, 0, 0, 0, 0];
    if (!surfaceCovariance(vertices, triangles, [0, 0, 0], covariance)) return undefined;
    return spreadAxes(covariance, [0, 0, 0, 0, 0, 0, 0, 0, 0]);
  } catch (error) {
    if (error instanceof PhysicsError) return undefined; // fewer than four points, or all in one plane
    throw error;
  }
}

/** Options of the search that turns about one face after the other. */
export interface ObbRectangleOptions {
  /** The most rounds; it stops when none makes the box smaller. Default 16. */
  rounds?: number;
}

/**
 * The smallest rectangle perpendicular to the axis of least spread, by rotating calipers; then to each axis of the box
 * found, until no such step makes it smaller: a local minimum (Ericson 4.4.4 and 4.4.5; Barequet and Har-Peled 2001).
 */
export function obbMinimalRectangle(
  points: Vector,
  options: ObbRectangleOptions = {},
  out: Obb = createObb(),
): Obb {
  countPoints(points, 'points');
  const rounds = checkInteger(options.rounds ?? 16, 'rounds', 1, 1e6);
  const start = surfaceAxes(points) ?? pointAxes(points);
  const trial = createObb();
  // The axis of least spread first, then the others: symmetric clouds have no axis of their own.
  let least = Infinity;
  for (let k = 2; k >= 0; k--) {
    const cost = rectangleAlong(points, [start[3 * k], start[3 * k + 1], start[3 * k + 2]], trial);
    if (cost >= least) continue;
    least = cost;
    copyObb(trial, out);
  }
  for (let round = 0; round < rounds; round++) {
    const before = least;
    const nine = axesOf(out.rotation, [0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for (let k = 0; k < 3; k++) {
      const cost = rectangleAlong(points, [nine[3 * k], nine[3 * k + 1], nine[3 * k + 2]], trial);
      if (!(cost < least * (1 - 1e-12))) continue;
      least = cost;
      copyObb(trial, out);
    }
    if (least === before) break;
  }
  return out;
}

/** The box over the smallest rectangle perpendicular to a unit vector. Returns its cost. */
function rectangleAlong(points: Vector, axis: Vector, out: Obb): number {
  const u = perpendicular(axis, [0, 0, 0]);
  const v = cross(axis, u, [0, 0, 0]);
  const count = points.length / 3;
  const planar = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    copyAt(points, i, point);
    planar[2 * i] = u[0] * point[0] + u[1] * point[1] + u[2] * point[2];
    planar[2 * i + 1] = v[0] * point[0] + v[1] * point[1] + v[2] * point[2];
  }
  const direction = [1, 0, 0];
  minimalRectangleDirection(planar, direction);
  const [c, s] = direction;
  const x = [0, 1, 2].map((k) => c * u[k] + s * v[k]);
  const y = cross(axis, x, [0, 0, 0]);
  withAxes(points, [...x, y[0], y[1], y[2], axis[0], axis[1], axis[2]], out);
  return costOf(out);
}

/** Options of the search over orientations. */
export interface ObbSearchOptions {
  /** Orientations per turn of 90° about each axis: their third power is tried. Default 8. */
  steps?: number;
  /** How often the neighbourhood of the best is halved. Default 24. */
  refinements?: number;
}

/**
 * The best of a grid of orientations, and then of ever smaller turns of it: slow, and near the least there is. Points
 * × steps³ products.
 */
export function obbBruteForce(points: Vector, options: ObbSearchOptions = {}, out: Obb = createObb()): Obb {
  countPoints(points, 'points');
  const steps = checkInteger(options.steps ?? 8, 'steps', 1, 64);
  const refinements = checkInteger(options.refinements ?? 24, 'refinements', 0, 60);
  const quarter = Math.PI / 2;
  const trial = createObb();
  let least = Infinity;
  const consider = (rotation: Vector) => {
    obbWithRotation(points, rotation, trial);
    const cost = costOf(trial);
    if (!(cost < least)) return false;
    least = cost;
    copyObb(trial, out);
    return true;
  };
  // A box looks the same after a quarter turn about any of its axes.
  for (let i = 0; i < steps; i++)
    for (let j = 0; j < steps; j++)
      for (let k = 0; k < steps; k++)
        consider(quatFromEuler((i * quarter) / steps, (j * quarter) / steps, (k * quarter) / steps));
  let angle = quarter / steps / 2;
  for (let halving = 0; halving < refinements; ) {
    let better = false;
    for (let k = 0; k < 6; k++) {
      const by = k % 2 === 0 ? angle : -angle;
      const small = quatFromEuler(k < 2 ? by : 0, k >> 1 === 1 ? by : 0, k >> 1 === 2 ? by : 0);
      if (consider(quatMultiply(Array.from(out.rotation), small))) better = true;
    }
    if (better) continue;
    angle /= 2;
    halving++;
  }
  return out;
}

/** Of the size: what area and length count beside volume, so that flat and straight clouds have a best box, too. */
const FLAT_SHARE = 1e-6;

function costOf({ halfExtents }: Obb): number {
  const [x, y, z] = [halfExtents[0], halfExtents[1], halfExtents[2]];
  const small = FLAT_SHARE * Math.max(x, y, z);
  return x * y * z + small * (x * y + y * z + z * x) + small * small * (x + y + z);
}

export function copyObb(box: Obb, out: Obb): Obb {
  for (let k = 0; k < 3; k++) {
    out.center[k] = box.center[k];
    out.halfExtents[k] = box.halfExtents[k];
  }
  for (let k = 0; k < 4; k++) out.rotation[k] = box.rotation[k];
  return out;
}

/** Volume, m³. */
export function obbVolume({ halfExtents }: Obb): number {
  return 8 * halfExtents[0] * halfExtents[1] * halfExtents[2];
}

/** x, y, z of the eight corners; bit k of a corner's number says which end of axis k. */
export function cornersOfObb(box: Obb, out: VectorOut = new Float64Array(24)): VectorOut {
  const { halfExtents } = box;
  for (let i = 0; i < 8; i++) {
    for (let k = 0; k < 3; k++) point[k] = (i >> k) & 1 ? halfExtents[k] : -halfExtents[k];
    toWorld(point, box.center, box.rotation, point);
    for (let k = 0; k < 3; k++) out[3 * i + k] = point[k];
  }
  return out;
}

/** The box rotated about the origin by the unit quaternion `rotation`, then moved. `out` may be `box`. */
export function transformObb(box: Obb, position: Vector, rotation: Vector, out: Obb = createObb()): Obb {
  add(turn(rotation, box.center, out.center), position, out.center);
  set(out.halfExtents, box.halfExtents[0], box.halfExtents[1], box.halfExtents[2]);
  multiply(rotation, box.rotation, out.rotation);
  return out;
}

/** a ∘ b, normalised: a box may be turned again and again. */
function multiply(a: Vector, b: Vector, out: VectorOut): void {
  const [x, y, z, w] = quatMultiply(a, b);
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  out[0] = x / length;
  out[1] = y / length;
  out[2] = z / length;
  out[3] = w / length;
}

/** A box around two boxes: the smallest of those along the axes of either, and along axes half-way between (Ericson 6.5.3, Eberly). */
export function mergeObbs(a: Obb, b: Obb, out: Obb = createObb()): Obb {
  const corners = new Float64Array(48);
  cornersOfObb(a, corners.subarray(0, 24));
  cornersOfObb(b, corners.subarray(24));
  const sign =
    a.rotation[0] * b.rotation[0] +
      a.rotation[1] * b.rotation[1] +
      a.rotation[2] * b.rotation[2] +
      a.rotation[3] * b.rotation[3] <
    0
      ? -1
      : 1;
  const mean = [0, 1, 2, 3].map((k) => a.rotation[k] + sign * b.rotation[k]);
  const length = Math.sqrt(mean.reduce((sum, c) => sum + c * c, 0));
  const rotations = [Array.from(a.rotation), Array.from(b.rotation), mean.map((c) => c / length)];
  const trial = createObb();
  let least = Infinity;
  for (const rotation of rotations) {
    const cost = costOf(obbWithRotation(corners, rotation, trial));
    if (!(cost < least)) continue;
    least = cost;
    copyObb(trial, out);
  }
  return out;
}

/** Whether the box contains the point; its surface belongs to it. */
export function obbContainsPoint(box: Obb, p: Vector): boolean {
  toLocal(p, box.center, box.rotation, point);
  return (
    Math.abs(point[0]) <= box.halfExtents[0] &&
    Math.abs(point[1]) <= box.halfExtents[1] &&
    Math.abs(point[2]) <= box.halfExtents[2]
  );
}
