// Convex solids in f64 by their support functions, quick enough for a million pairs and still exhaustive for
// polytopes. In: placed shapes, with the numbers that the core sees. Out: reach along a direction, the least overlap of
// two over all directions, and how far a point lies outside.
// Overlap of polytopes: every face normal and every cross product of two edges (Ericson, 5.2.1: for the least overlap these are all
// that count). Curved: flat faces and axes, the circles of directions that the sides of cylinders and cones face, a net of
// directions, and a descent from the lowest places of it that are no neighbours of each other.
import { geometryWords } from '../../src/cooking/geometryWords';
import type { Placed } from '../core/support/narrowphase';
import type { Vec3 } from '../physics/support/vector';

/** Directions of the net, evenly on the sphere (Fibonacci lattice). */
function net(count: number): Float64Array {
  const golden = Math.PI * (3 - Math.sqrt(5));
  return Float64Array.from({ length: 3 * count }, (_, at) => {
    const i = Math.floor(at / 3);
    const y = 1 - (2 * i + 1) / count;
    const r = Math.sqrt(1 - y * y);
    return at % 3 === 1 ? y : r * (at % 3 === 0 ? Math.cos(golden * i) : Math.sin(golden * i));
  });
}
const NET = net(400);
/** Starts of the descent, and the cosine of the angle between any two. */
const STARTS = 8;
const APART = Math.cos((20 * Math.PI) / 180);
/** Directions about the axis of a cylinder or cone. */
const AROUND = 180;

export class Convex64 {
  /** Columns of the rotation. */
  private readonly m = new Float64Array(9);
  private readonly p: Vec3;
  /** x, y, z, radius of each corner, in the shape's frame; none for closed forms. */
  private readonly corners: Float64Array;
  private readonly params: Vec3;
  /** World: outward normals of flat faces, directions of straight edges. */
  readonly normals: Float64Array;
  readonly edges: Float64Array;
  readonly round: boolean;
  readonly margin: number;
  /** Of a cylinder or cone: the axis, and the rise of the side's normal over its part across. */
  readonly axis: Vec3 | undefined;
  readonly rise: number = 0;

  constructor(private readonly shape: Placed) {
    const { kind, params, hull, points, position, rotation } = shape;
    const size = Math.hypot(...rotation);
    const [x, y, z, w] = rotation.map((c) => c / size) as [number, number, number, number];
    this.m.set([
      1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w),
      2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
      2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y),
    ]); // biome-ignore format: a matrix
    this.p = position;
    this.margin = shape.margin ?? 0;
    let normals: number[] = [];
    const edges: number[] = [];
    this.corners = new Float64Array(0);
    this.round = (kind !== 'box' && kind !== 'hull' && kind !== 'triangle') || (shape.margin ?? 0) > 0;
    if (kind === 'box') {
      normals = [1, 0, 0, 0, 1, 0, 0, 0, 1];
      edges.push(...normals);
    } else if (kind === 'hull') {
      const floats = new Float32Array(geometryWords(hull!).buffer);
      const count = hull!.vertices.length / 3;
      const v = (i: number, k: number) => floats[8 + 12 * (i >> 2) + 4 * k + (i & 3)]!;
      this.corners = Float64Array.from({ length: 4 * count }, (_, at) =>
        at % 4 === 3 ? 0 : v(Math.floor(at / 4), at % 4),
      );
      for (const face of hull!.faces) {
        // Of the corners as they were rounded; Newell's sum is exact for flat faces and sensible for others.
        let [nx, ny, nz] = [0, 0, 0];
        face.forEach((a, i) => {
          const b = face[(i + 1) % face.length]!;
          nx += (v(a, 1) - v(b, 1)) * (v(a, 2) + v(b, 2));
          ny += (v(a, 2) - v(b, 2)) * (v(a, 0) + v(b, 0));
          nz += (v(a, 0) - v(b, 0)) * (v(a, 1) + v(b, 1));
          if (a < b) edges.push(v(b, 0) - v(a, 0), v(b, 1) - v(a, 1), v(b, 2) - v(a, 2));
        });
        normals.push(nx, ny, nz);
      }
    } else if (points !== undefined) {
      this.corners = Float64Array.from(points);
      if (kind === 'triangle') {
        const c = this.corners;
        const side = (i: number, j: number) => [0, 1, 2].map((k) => c[4 * j + k]! - c[4 * i + k]!);
        const [u, v] = [side(0, 1), side(0, 2)] as [number[], number[]];
        edges.push(...u, ...v, ...side(1, 2));
        normals = cross(u, v);
        normals.push(...normals.map((n) => -n));
        // Without area: axes that no face and no two edges give.
        if (!(Math.hypot(...cross(u, v)) > 1e-9 * Math.hypot(...u) * Math.hypot(...v))) this.round = true;
      }
    } else if (kind === 'capsule') edges.push(0, 1, 0);
    else if (kind === 'cylinder') normals = [0, 1, 0];
    else if (kind === 'cone') normals = [0, -1, 0];
    this.params = [params[0] ?? 0, params[1] ?? 0, params[2] ?? 0];
    if (kind === 'cylinder' || kind === 'cone') this.axis = [this.m[3]!, this.m[4]!, this.m[5]!];
    if (kind === 'cone') this.rise = this.params[0] / (2 * this.params[1]);
    this.normals = this.toWorld(normals);
    this.edges = this.toWorld(edges);
  }

  /** Unit vectors, turned. */
  private toWorld(list: number[]): Float64Array {
    const { m } = this;
    const out: number[] = [];
    for (let i = 0; i < list.length; i += 3) {
      const [x, y, z] = [list[i]!, list[i + 1]!, list[i + 2]!];
      const l = Math.hypot(x, y, z);
      if (!(l > 0)) continue;
      for (let k = 0; k < 3; k++) out.push((m[k]! * x + m[3 + k]! * y + m[6 + k]! * z) / l);
    }
    return Float64Array.from(out);
  }

  /** The largest coordinate along (x, y, z), a unit vector of the world. */
  reach(x: number, y: number, z: number): number {
    const { m, p, corners } = this;
    const dx = m[0]! * x + m[1]! * y + m[2]! * z;
    const dy = m[3]! * x + m[4]! * y + m[5]! * z;
    const dz = m[6]! * x + m[7]! * y + m[8]! * z;
    const base = p[0] * x + p[1] * y + p[2] * z + this.margin;
    const [a, b, c] = this.params;
    switch (this.shape.kind) {
      case 'sphere':
        return base + a;
      case 'capsule':
        return base + a + b * Math.abs(dy);
      case 'box':
        return base + a * Math.abs(dx) + b * Math.abs(dy) + c * Math.abs(dz);
      case 'cylinder':
        return base + a * Math.sqrt(dx * dx + dz * dz) + b * Math.abs(dy);
      case 'cone':
        return base + Math.max(b * dy, a * Math.sqrt(dx * dx + dz * dz) - b * dy);
      default: {
        let best = Number.NEGATIVE_INFINITY;
        for (let i = 0; i < corners.length; i += 4) {
          const along = corners[i]! * dx + corners[i + 1]! * dy + corners[i + 2]! * dz + corners[i + 3]!;
          if (along > best) best = along;
        }
        return base + best;
      }
    }
  }

  /** World: the origin of the shape. */
  get place(): Vec3 {
    return this.p;
  }

  /** How far a point lies outside, at least 0: the largest p·n − reach(n), searched uphill from `guess`. */
  outside(p: Vec3, guess: Vec3): number {
    const height = (x: number, y: number, z: number) => p[0] * x + p[1] * y + p[2] * z - this.reach(x, y, z);
    const found = climb(height, guess, height(...guess));
    return Math.max(0, found);
  }
}

function cross(u: ArrayLike<number>, v: ArrayLike<number>): number[] {
  return [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
}

/** Moves at one length of step: ridges that bend are followed no longer than that. */
const MOVES = 12;

/** Uphill on the sphere by steps to eight sides, halved where none helps. */
function climb(height: (x: number, y: number, z: number) => number, from: Vec3, value: number): number {
  let [x, y, z] = from;
  let best = value;
  for (let step = 0.25; step > 1e-7; step /= 2) {
    let move = 0;
    for (let moved = true; moved && move < MOVES; move++) {
      moved = false;
      // Two directions across.
      const s = Math.abs(x) < 0.6 ? 1 / Math.sqrt(y * y + z * z) : 1 / Math.sqrt(x * x + y * y);
      const [ex, ey, ez] = Math.abs(x) < 0.6 ? [0, z * s, -y * s] : [y * s, -x * s, 0];
      const [fx, fy, fz] = [y * ez - z * ey, z * ex - x * ez, x * ey - y * ex];
      for (let k = 0; k < 8; k++) {
        const c = step * COS[k]!;
        const d = step * COS[(k + 6) & 7]!;
        const [u, v, w] = [x + c * ex + d * fx, y + c * ey + d * fy, z + c * ez + d * fz];
        const l = 1 / Math.sqrt(u * u + v * v + w * w);
        const h = height(u * l, v * l, w * l);
        if (!(h > best)) continue;
        [x, y, z, best, moved] = [u * l, v * l, w * l, h, true];
        break;
      }
    }
  }
  return best;
}
const COS = Array.from({ length: 8 }, (_, k) => Math.cos((k * Math.PI) / 4));

/** How far a and b overlap along the unit direction n from a to b; negative where n parts them. */
export function overlapAlong(a: Convex64, b: Convex64, x: number, y: number, z: number): number {
  return a.reach(x, y, z) + b.reach(-x, -y, -z);
}

/** The least overlap along normals of flat faces: negative where one of them parts the two. */
export function faceOverlap(a: Convex64, b: Convex64): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { normals } of [a, b])
    for (let i = 0; i < normals.length; i += 3) {
      const [x, y, z] = [normals[i]!, normals[i + 1]!, normals[i + 2]!];
      least = Math.min(least, overlapAlong(a, b, x, y, z), overlapAlong(a, b, -x, -y, -z));
    }
  return least;
}

/**
 * The least overlap over all directions: the depth of two that overlap; negative, with the distance as a bound,
 * where some direction parts them. `guess`: a direction to descend from as well.
 */
export function leastOverlap(a: Convex64, b: Convex64, guess?: Vec3): number {
  let least = faceOverlap(a, b);
  const look = (x: number, y: number, z: number) => {
    least = Math.min(least, overlapAlong(a, b, x, y, z), overlapAlong(a, b, -x, -y, -z));
  };
  const { edges: u } = a;
  const { edges: v } = b;
  for (let i = 0; i < u.length; i += 3)
    for (let j = 0; j < v.length; j += 3) {
      const x = u[i + 1]! * v[j + 2]! - u[i + 2]! * v[j + 1]!;
      const y = u[i + 2]! * v[j]! - u[i]! * v[j + 2]!;
      const z = u[i]! * v[j + 1]! - u[i + 1]! * v[j]!;
      const l = Math.sqrt(x * x + y * y + z * z);
      if (l > 1e-9) look(x / l, y / l, z / l);
    }
  if (!a.round && !b.round) return least;
  const depth = (x: number, y: number, z: number) => -overlapAlong(a, b, x, y, z);
  const starts: { n: Vec3; height: number }[] = [];
  const start = (n: Vec3) => starts.push({ n, height: depth(...n) });
  for (let i = 0; i < NET.length; i += 3) start([NET[i]!, NET[i + 1]!, NET[i + 2]!]);
  for (const [solid, sign] of [
    [a, 1],
    [b, -1],
  ] as const) {
    // biome-ignore format: pairs
    if (solid.axis === undefined) continue;
    const [x, y, z] = solid.axis;
    const s = Math.abs(x) < 0.6 ? 1 / Math.hypot(y, z) : 1 / Math.hypot(x, y);
    const u = Math.abs(x) < 0.6 ? [0, z * s, -y * s] : [y * s, -x * s, 0];
    const v = cross(solid.axis, u);
    const l = sign / Math.hypot(1, solid.rise);
    const at = (angle: number) => {
      const [c, d] = [Math.cos(angle), Math.sin(angle)];
      return solid.axis!.map((e, k) => (e * solid.rise + c * u[k]! + d * v[k]!) * l) as Vec3;
    };
    const heights = Float64Array.from({ length: AROUND }, (_, i) => depth(...at((2 * Math.PI * i) / AROUND)));
    heights.forEach((h, i) => {
      if (h < heights[(i + AROUND - 1) % AROUND]! || h < heights[(i + 1) % AROUND]!) return;
      // Uphill on the circle.
      let angle = (2 * Math.PI * i) / AROUND;
      let top = h;
      for (let step = Math.PI / AROUND; step > 1e-7; step /= 2)
        for (const to of [angle - step, angle + step]) {
          const there = depth(...at(to));
          if (there > top) [angle, top] = [to, there];
        }
      least = Math.min(least, -top);
    });
  }
  starts.sort((p, q) => q.height - p.height);
  const taken: Vec3[] = [];
  if (guess !== undefined) least = Math.min(least, -climb(depth, guess, depth(...guess)));
  for (const { n, height } of starts) {
    if (taken.some((m) => m[0] * n[0] + m[1] * n[1] + m[2] * n[2] > APART)) continue;
    least = Math.min(least, -climb(depth, n, height));
    if (taken.push(n) === STARTS) break;
  }
  return least;
}
