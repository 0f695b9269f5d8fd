// Triangles and multi-spheres in the layout of the core: points with radii. In: the points. Out: words in the layout of
// PointGeometry, their moments, or the fault of foreign words.
import { MAX_SIZE } from '../base/limits';
import type { Vec3 } from '../base/math';
import { isSealed, sealContent } from './contentHash';
import type { SolidMoments } from './moments';

/** Balls of a multi-sphere. */
export const MAX_SPHERES = 32;
/** m. What a triangle weighs: a sheet of this thickness. It collides as if it had none. */
const SHEET_THICKNESS = 1e-3;
/** m. Balls within MAX_SIZE along each axis, from the middle of all to the far side of the last. */
const MOST_REACH = 6 * MAX_SIZE;
const HEADER_WORDS = 8;

/** @param points  x, y, z, radius of each, about the origin that the shape is to have */
export function pointWords(points: ArrayLike<number>): Int32Array {
  const count = points.length / 4;
  const words = new Int32Array(HEADER_WORDS + points.length);
  const floats = new Float32Array(words.buffer);
  words[0] = count;
  let radius = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < points.length; i += 4) {
    for (let k = 0; k < 4; k++) floats[HEADER_WORDS + i + k] = points[i + k]!;
    const [x, y, z, r] = [points[i]!, points[i + 1]!, points[i + 2]!, points[i + 3]!];
    radius = Math.max(radius, Math.sqrt(x * x + y * y + z * z) + r);
    least = Math.min(least, r);
  }
  floats[1] = least;
  floats[3] = radius;
  return sealContent(words);
}

/** x, y, z, radius of each. */
export function readPointWords(words: Int32Array): Float32Array {
  return new Float32Array(words.buffer, words.byteOffset, words.length).slice(HEADER_WORDS);
}

/** @param round  a multi-sphere: every point has a radius; else a triangle: three points without */
export function pointFault(words: Int32Array, round: boolean): string | undefined {
  if (words.length < HEADER_WORDS) return 'no header';
  const count = words[0]!;
  if (round ? !(count >= 1 && count <= MAX_SPHERES) : count !== 3) return `${count} points`;
  if (words.length !== HEADER_WORDS + 4 * count) return `${words.length} words`;
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const radius = floats[3]!;
  if (!(radius > 0 && radius <= MOST_REACH)) return `a radius of ${radius}`;
  for (let i = HEADER_WORDS; i < words.length; i++)
    if (!(Math.abs(floats[i]!) <= 1.001 * radius)) return `a point at ${floats[i]}`;
  let least = Number.POSITIVE_INFINITY;
  for (let i = HEADER_WORDS + 3; i < words.length; i += 4) {
    if (round ? !(floats[i]! > 0) : floats[i] !== 0) return `a point of radius ${floats[i]}`;
    least = Math.min(least, floats[i]!);
  }
  if (floats[1] !== least) return `a least radius of ${floats[1]}`;
  return isSealed(words) ? undefined : 'a wrong checksum';
}

/** Of a thin sheet, about the triangle's middle: the integral of x xᵀ is a twelfth of the sum over corners. */
export function triangleMoments(p: ArrayLike<number>): SolidMoments {
  const at = (i: number): Vec3 => [p[4 * i]!, p[4 * i + 1]!, p[4 * i + 2]!];
  const [a, b, c] = [at(0), at(1), at(2)];
  const center: Vec3 = [0, 1, 2].map((k) => (a[k]! + b[k]! + c[k]!) / 3) as Vec3;
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const area = Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
  const s = [0, 0, 0, 0, 0, 0];
  for (const q of [a, b, c]) {
    const [x, y, z] = [q[0] - center[0], q[1] - center[1], q[2] - center[2]];
    [x * x, y * y, z * z, x * y, x * z, y * z].forEach((product, k) => {
      s[k]! += product / 12;
    });
  }
  const [xx, yy, zz, xy, xz, yz] = s as [number, number, number, number, number, number];
  return {
    volume: area * SHEET_THICKNESS,
    center,
    unitTensor: [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz],
  };
}

/** Divisions of an octahedron's edges: the directions that are looked at first. */
const DIVISIONS = 12;
/** Halvings of triangles between directions where the farthest ball changes. */
const HALVINGS = 3;

/** A unit vector, and the ball that is farthest along it. */
type Direction = readonly [x: number, y: number, z: number, ball: number];

/**
 * Of the hull of balls, over triangles of directions: where one ball is farthest the surface is its own, and the
 * triangle and its four parts give it by Richardson's rule; where balls take turns, triangles are halved. Errors
 * are below 5e-5 of the volume and 1e-4 of the moments (measured: 2e-5 for a ball, 3e-5 and 7e-5 for capsules, 4e-5
 * between heaps of balls that are turned).
 */
export function roundMoments(p: ArrayLike<number>): SolidMoments {
  // From the mean of the balls: sums from the origin would cancel for a solid far from it.
  const o: Vec3 = [0, 0, 0];
  for (let i = 0; i < p.length; i++) if (i % 4 < 3) o[i % 4]! += (4 * p[i]!) / p.length;
  const balls = Float64Array.from(p, (c, i) => (i % 4 < 3 ? c - o[i % 4]! : c));
  // Integrals of 6, 24 x, 120 x xᵀ (xx, yy, zz, xy, xz, yz).
  const sums = new Float64Array(10);
  for (let octant = 0; octant < 8; octant++) {
    const at = (i: number, j: number) => {
      const k = DIVISIONS - i - j;
      return direction(balls, octant & 1 ? -i : i, octant & 2 ? -j : j, octant & 4 ? -k : k);
    };
    const turned = octant === 0 || octant === 3 || octant === 5 || octant === 6;
    const add = (a: Direction, b: Direction, c: Direction) =>
      turned ? addPatch(sums, balls, a, b, c, HALVINGS) : addPatch(sums, balls, a, c, b, HALVINGS);
    for (let i = 0; i < DIVISIONS; i++)
      for (let j = 0; j < DIVISIONS - i; j++) {
        const [a, b] = [at(i + 1, j), at(i, j + 1)];
        add(at(i, j), a, b);
        if (j < DIVISIONS - i - 1) add(a, at(i + 1, j + 1), b);
      }
  }
  const volume = sums[0]! / 6;
  const m = [1, 2, 3].map((k) => sums[k]! / (24 * volume)) as Vec3;
  const about = (k: number, i: number, j: number) => sums[k]! / (120 * volume) - m[i]! * m[j]!;
  const [xx, yy, zz] = [about(4, 0, 0), about(5, 1, 1), about(6, 2, 2)];
  return {
    volume,
    center: m.map((c, k) => c + o[k]!) as Vec3,
    unitTensor: [yy + zz, xx + zz, xx + yy, -about(7, 0, 1), -about(8, 0, 2), -about(9, 1, 2)],
  };
}

function direction(balls: Float64Array, x: number, y: number, z: number): Direction {
  const scale = 1 / Math.sqrt(x * x + y * y + z * z);
  let best = -Infinity;
  let at = 0;
  for (let i = 0; i < balls.length; i += 4) {
    const reach = (balls[i]! * x + balls[i + 1]! * y + balls[i + 2]! * z) * scale + balls[i + 3]!;
    if (reach > best) {
      best = reach;
      at = i;
    }
  }
  return [x * scale, y * scale, z * scale, at];
}

function addPatch(
  sums: Float64Array,
  balls: Float64Array,
  a: Direction,
  b: Direction,
  c: Direction,
  halvings: number,
): void {
  const ab = direction(balls, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
  const bc = direction(balls, b[0] + c[0], b[1] + c[1], b[2] + c[2]);
  const ca = direction(balls, c[0] + a[0], c[1] + a[1], c[2] + a[2]);
  const ball = a[3];
  const own = b[3] === ball && c[3] === ball && ab[3] === ball && bc[3] === ball && ca[3] === ball;
  const add = own || halvings === 0 ? addFacet : addPatch;
  // Four times the parts' share and minus once the whole's, by three.
  const share = own ? 4 / 3 : halvings === 0 ? 1 : halvings - 1;
  add(sums, balls, a, ab, ca, share);
  add(sums, balls, ab, b, bc, share);
  add(sums, balls, ca, bc, c, share);
  add(sums, balls, ab, bc, ca, share);
  if (own) addFacet(sums, balls, a, b, c, -1 / 3);
}

/** The tetrahedron below the farthest points along three directions (Tonon 2004), times a weight. */
function addFacet(
  sums: Float64Array,
  balls: Float64Array,
  a: Direction,
  b: Direction,
  c: Direction,
  weight: number,
): void {
  const [i, j, k] = [a[3], b[3], c[3]];
  const ax = balls[i]! + balls[i + 3]! * a[0];
  const ay = balls[i + 1]! + balls[i + 3]! * a[1];
  const az = balls[i + 2]! + balls[i + 3]! * a[2];
  const bx = balls[j]! + balls[j + 3]! * b[0];
  const by = balls[j + 1]! + balls[j + 3]! * b[1];
  const bz = balls[j + 2]! + balls[j + 3]! * b[2];
  const cx = balls[k]! + balls[k + 3]! * c[0];
  const cy = balls[k + 1]! + balls[k + 3]! * c[1];
  const cz = balls[k + 2]! + balls[k + 3]! * c[2];
  const v = weight * (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx));
  const x = ax + bx + cx;
  const y = ay + by + cy;
  const z = az + bz + cz;
  sums[0]! += v;
  sums[1]! += v * x;
  sums[2]! += v * y;
  sums[3]! += v * z;
  sums[4]! += v * (ax * ax + bx * bx + cx * cx + x * x);
  sums[5]! += v * (ay * ay + by * by + cy * cy + y * y);
  sums[6]! += v * (az * az + bz * bz + cz * cz + z * z);
  sums[7]! += v * (ax * ay + bx * by + cx * cy + x * y);
  sums[8]! += v * (ax * az + bx * bz + cx * cz + x * z);
  sums[9]! += v * (ay * az + by * bz + cy * cz + y * z);
}
