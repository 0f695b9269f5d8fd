// Volumes between pairs of parallel planes: discrete-orientation polytopes with fixed axes (k-DOPs; Klosowski et al.
// 1998; Ericson 4.6.1 to 4.6.3), and slabs along any normals (Kay and Kajiya 1986; Ericson 4.6). In: points. Out: for
// each axis the least and the greatest a · p. Two with the same axes overlap where all intervals do.
import { invalid } from '../base/validate';
import type { Climber } from './hillClimbing';
import { climbAll } from './hillClimbing';
import { countPoints } from './points';
import { clipToRay, createRayHit, type Ray, type RayHit } from './ray';
import { length, normalize, scale, set, turnBack, type Vector, type VectorOut } from './vector';

/** All points p with min[i] ≤ axis i · p ≤ max[i]. Empty where a min is above its max. */
export interface Slabs {
  /** x, y, z of each axis, of any length but 0; bounds are in its units. */
  axes: Vector;
  /** Smallest distance along each direction. */
  min: VectorOut;
  /** Greatest distance along each direction. */
  max: VectorOut;
}

/** Number of sides of a k-DOP. */
export type KdopSides = 6 | 8 | 12 | 14 | 18 | 20 | 26;

const FACES = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const CORNERS = [1, 1, 1, 1, -1, -1, 1, 1, -1, 1, -1, 1];
const EDGES = [1, 1, 0, 1, -1, 0, 0, 1, 1, 0, 1, -1, 1, 0, 1, 1, 0, -1];
/** Corners and edges in turn, each perpendicular to the one before it but for the last two. */
const BOTH = [
  1, -1, 0, 1, 1, -1, 1, 0, 1, 1, -1, -1, 1, 1, 0, 1, -1, 1, 0, 1, 1, 0, 1, -1, 1, 1, 1, 1, 0, -1,
];

/**
 * Axes of the k-DOPs: normals of a cube's faces (6), corners (8), edges (12), faces and corners (14), faces and edges
 * (18), corners and edges (20), all (26). Small whole numbers, not unit: projections need additions alone. Those that
 * follow each other are as nearly square as they can be: boxes that one axis does not part are parted sooner by
 * another that looks elsewhere.
 */
export const KDOP_AXES: Readonly<Record<KdopSides, readonly number[]>> = {
  6: FACES,
  8: CORNERS,
  12: EDGES,
  14: [...FACES, ...CORNERS],
  18: [...FACES, ...EDGES],
  20: BOTH,
  26: [...FACES, ...BOTH],
};

/** Empty slabs along the given axes: x, y, z of each. */
export function createSlabs(axes: Vector): Slabs {
  const count = countPoints(axes, 'axes');
  for (let i = 0; i < count; i++)
    if (axes[3 * i] === 0 && axes[3 * i + 1] === 0 && axes[3 * i + 2] === 0)
      throw invalid(`axes[${3 * i}]`, 'must not begin an axis of length 0', 0);
  return {
    axes,
    min: new Float64Array(count).fill(Infinity),
    max: new Float64Array(count).fill(-Infinity),
  };
}

/** An empty k-DOP. */
export function createKdop(sides: KdopSides): Slabs {
  const axes = KDOP_AXES[sides];
  if (axes === undefined)
    throw invalid('sides', `must be one of ${Object.keys(KDOP_AXES).join(', ')}`, sides);
  return createSlabs(axes);
}

/** Slabs around points: x, y, z of each, at least one. The axes are those of `out`. */
export function slabsFromPoints(points: Vector, out: Slabs): Slabs {
  const count = countPoints(points, 'points');
  for (let i = 0; 3 * i < out.axes.length; i++) {
    out.min[i] = Infinity;
    out.max[i] = -Infinity;
  }
  for (let p = 0; p < count; p++) growAt(out, points, p);
  return out;
}

function growAt({ axes, min, max }: Slabs, points: Vector, p: number): void {
  for (let i = 0; 3 * i < axes.length; i++) {
    const reach =
      axes[3 * i] * points[3 * p] + axes[3 * i + 1] * points[3 * p + 1] + axes[3 * i + 2] * points[3 * p + 2];
    // Both are asked, with no `else` between: the first point is the least and the greatest.
    if (reach < min[i]) min[i] = reach;
    if (reach > max[i]) max[i] = reach;
  }
}

/** The slabs, grown so that they contain a point. */
export function growSlabs(slabs: Slabs, point: Vector): Slabs {
  growAt(slabs, point, 0);
  return slabs;
}

/** Whether two volumes of slabs with the same axes overlap or touch. */
export function slabsOverlap(a: Slabs, b: Slabs): boolean {
  for (let i = 0; 3 * i < a.axes.length; i++) if (a.min[i] > b.max[i] || b.min[i] > a.max[i]) return false;
  return true;
}

/** Whether slabs contain the point; their planes belong to them. */
export function slabsContainPoint({ axes, min, max }: Slabs, point: Vector): boolean {
  for (let i = 0; 3 * i < axes.length; i++) {
    const reach = axes[3 * i] * point[0] + axes[3 * i + 1] * point[1] + axes[3 * i + 2] * point[2];
    if (!(reach >= min[i] && reach <= max[i])) return false;
  }
  return true;
}

/** The smallest slabs around two with the same axes. `out` may be one of them. */
export function mergeSlabs(a: Slabs, b: Slabs, out: Slabs): Slabs {
  for (let i = 0; 3 * i < a.axes.length; i++) {
    out.min[i] = Math.min(a.min[i], b.min[i]);
    out.max[i] = Math.max(a.max[i], b.max[i]);
  }
  return out;
}

const own = [0, 0, 0];
const reach = new Float64Array(2);

/**
 * About points rotated by the unit quaternion `rotation`, then moved by `position`: the corners of what moves, or
 * `verticesOfSlabs` of the slabs at rest, which is looser and needs no corners (Ericson 4.6.3). Each axis is turned
 * back instead of every point forth. Nothing is checked.
 */
export function refitSlabs(points: Vector, position: Vector, rotation: Vector, out: Slabs): Slabs {
  const { axes } = out;
  for (let i = 0; 3 * i < axes.length; i++) {
    const shift = ownAxis(axes, i, position, rotation);
    let low = Infinity;
    let high = -Infinity;
    for (let p = 0; p < points.length; p += 3) {
      const along = own[0] * points[p] + own[1] * points[p + 1] + own[2] * points[p + 2];
      if (along < low) low = along;
      if (along > high) high = along;
    }
    out.min[i] = shift + low;
    out.max[i] = shift + high;
  }
  return out;
}

/** Axis i in the frame of what is turned, to `own`; returns how far along it that was moved. */
function ownAxis(axes: Vector, i: number, position: Vector, rotation: Vector): number {
  set(own, axes[3 * i], axes[3 * i + 1], axes[3 * i + 2]);
  const shift = own[0] * position[0] + own[1] * position[1] + own[2] * position[2];
  turnBack(rotation, own, own);
  return shift;
}

const bothWays = [0, 0, 0, 0, 0, 0];

/**
 * As refitSlabs for the corners of a convex polyhedron, by hill climbing from where it ended the last time.
 *
 * @param starts  two numbers for each axis, 0 in the beginning; kept for the next call
 */
export function refitSlabsByClimbing(
  climber: Climber,
  position: Vector,
  rotation: Vector,
  starts: Int32Array,
  out: Slabs,
): Slabs {
  for (let i = 0; 3 * i < out.axes.length; i++) {
    const shift = ownAxis(out.axes, i, position, rotation);
    for (let k = 0; k < 3; k++) {
      bothWays[k] = own[k];
      bothWays[3 + k] = -own[k];
    }
    climbAll(climber, bothWays, starts.subarray(2 * i, 2 * i + 2), reach);
    out.min[i] = shift - reach[1];
    out.max[i] = shift + reach[0];
  }
  return out;
}

/** Where a ray hits slabs: it enters at the last entry and leaves at the first exit (Kay and Kajiya 1986). */
export function raySlabs(ray: Ray, slabs: Slabs, out: RayHit = createRayHit()): boolean {
  const { origin, direction } = ray;
  const { axes, min, max } = slabs;
  let from = -Infinity;
  let to = Infinity;
  let entered = -1;
  let sign = 0;
  for (let i = 0; 3 * i < axes.length; i++) {
    const x = axes[3 * i];
    const y = axes[3 * i + 1];
    const z = axes[3 * i + 2];
    const at = x * origin[0] + y * origin[1] + z * origin[2];
    const slope = x * direction[0] + y * direction[1] + z * direction[2];
    if (slope === 0) {
      if (!(at >= min[i] && at <= max[i])) return false;
      continue;
    }
    const low = (min[i] - at) / slope;
    const high = (max[i] - at) / slope;
    const near = Math.min(low, high);
    const far = Math.max(low, high);
    if (near > from) {
      from = near;
      entered = i;
      sign = slope > 0 ? -1 : 1;
    }
    if (far < to) to = far;
  }
  if (!clipToRay(ray, from, to, out)) return false;
  if (out.inside || entered < 0) return true;
  set(own, axes[3 * entered], axes[3 * entered + 1], axes[3 * entered + 2]);
  normalize(own, own);
  scale(own, sign, out.normal);
  return true;
}

/** Of the size: corners this near to a plane are on it, and this near to each other are one. */
const ON_PLANE = 1e-9;

/**
 * The corners of slabs: x, y, z of each point where three planes meet that no other plane cuts off. A few hundred
 * products for 26 sides: once, at rest. Of slabs that are open to one side, or empty: none or not all.
 */
export function verticesOfSlabs({ axes, min, max }: Slabs): number[] {
  const count = axes.length / 3;
  const planes = Array.from({ length: 2 * count }, (_, p) => {
    const n = [axes[3 * (p >> 1)], axes[3 * (p >> 1) + 1], axes[3 * (p >> 1) + 2]];
    const size = length(n);
    const sign = p % 2 === 0 ? -1 / size : 1 / size;
    return { n: n.map((c) => c * sign), d: (p % 2 === 0 ? min : max)[p >> 1] * sign };
  });
  const extent = planes.reduce((most, { d }) => Math.max(most, Math.abs(d)), 0);
  const slack = ON_PLANE * extent;
  const out: number[] = [];
  for (let i = 0; i < planes.length; i++)
    for (let j = i + 1; j < planes.length; j++)
      for (let k = j + 1; k < planes.length; k++) {
        const p = meet(planes[i], planes[j], planes[k]);
        if (p === undefined) continue;
        if (planes.some(({ n, d }) => n[0] * p[0] + n[1] * p[1] + n[2] * p[2] > d + slack)) continue;
        if (!known(out, p, slack)) out.push(...p);
      }
  return out;
}

interface UnitPlane {
  n: number[];
  d: number;
}

/** The point of three planes, by Cramer's rule; undefined for planes in parallel. */
function meet(a: UnitPlane, b: UnitPlane, c: UnitPlane): number[] | undefined {
  const u = crossOf(b.n, c.n);
  const determinant = a.n[0] * u[0] + a.n[1] * u[1] + a.n[2] * u[2];
  if (Math.abs(determinant) < 1e-6) return undefined;
  const v = crossOf(c.n, a.n);
  const w = crossOf(a.n, b.n);
  return [0, 1, 2].map((k) => (a.d * u[k] + b.d * v[k] + c.d * w[k]) / determinant);
}

const crossOf = (a: number[], b: number[]) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function known(points: number[], p: number[], slack: number): boolean {
  for (let i = 0; i < points.length; i += 3)
    if (
      Math.abs(points[i] - p[0]) <= slack &&
      Math.abs(points[i + 1] - p[1]) <= slack &&
      Math.abs(points[i + 2] - p[2]) <= slack
    )
      return true;
  return false;
}
