// Triangles and multi-spheres as the core holds them: points with radii. In: the points. Out: words in the
// layout of PointGeometry, their moments, or what is wrong with words from outside.
import { MAX_SIZE } from '../limits';
import type { Vec3 } from '../math';
import { isSealed, sealContent } from './contentHash';
import { type SolidMoments, solidMoments } from './moments';

/** Balls of a multi-sphere. */
export const MAX_SPHERES = 32;
/** m. What a triangle weighs: a sheet of this thickness. It collides as if it had none. */
export const SHEET_THICKNESS = 1e-3;
const HEADER_WORDS = 8;

/** @param points  x, y, z, radius of each, about the origin that the shape is to have */
export function pointWords(points: ArrayLike<number>): Int32Array {
  const count = points.length / 4;
  const words = new Int32Array(HEADER_WORDS + points.length);
  const floats = new Float32Array(words.buffer);
  words[0] = count;
  let radius = 0;
  for (let i = 0; i < points.length; i += 4) {
    for (let k = 0; k < 4; k++) floats[HEADER_WORDS + i + k] = points[i + k]!;
    const [x, y, z, r] = [points[i]!, points[i + 1]!, points[i + 2]!, points[i + 3]!];
    radius = Math.max(radius, Math.sqrt(x * x + y * y + z * z) + r);
  }
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
  if (!(radius > 0 && radius <= 4 * MAX_SIZE)) return `a radius of ${radius}`;
  for (let i = HEADER_WORDS; i < words.length; i++)
    if (!(Math.abs(floats[i]!) <= 1.001 * radius)) return `a point at ${floats[i]}`;
  for (let i = HEADER_WORDS + 3; i < words.length; i += 4)
    if (round ? !(floats[i]! > 0) : floats[i] !== 0) return `a point of radius ${floats[i]}`;
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

/** Divisions of an octahedron's edges for the coarser of two surfaces. */
const COARSE = 12;

/**
 * Of the hull of balls: the surface of the points farthest along the directions of a grid on the sphere. What
 * such a surface lacks falls with the square of the grid's step, so two grids give a third of far less error:
 * 2e-4 for a ball.
 */
export function roundMoments(p: ArrayLike<number>): SolidMoments {
  const coarse = surfaceMoments(p, COARSE);
  const fine = surfaceMoments(p, 2 * COARSE);
  const improve = (f: number, c: number) => f + (f - c) / 3;
  const volume = improve(fine.volume, coarse.volume);
  // Integrals add up, quotients do not: improve ∫x and ∫xxᵀ about the fine centre, which symmetry has nearly right.
  const tensor = fine.unitTensor.map(
    (f, k) => improve(f * fine.volume, coarse.unitTensor[k]! * coarse.volume) / volume,
  ) as SolidMoments['unitTensor'];
  return {
    volume,
    center: fine.center.map((f, k) => improve(f, coarse.center[k]!)) as Vec3,
    unitTensor: tensor,
  };
}

function surfaceMoments(p: ArrayLike<number>, n: number): SolidMoments {
  const points: number[] = [];
  const triangles: [number, number, number][] = [];
  // Each octant of the sphere: directions (i, j, n − i − j), bent towards even spacing by no more than length 1.
  for (let octant = 0; octant < 8; octant++) {
    const [sx, sy, sz] = [octant & 1 ? -1 : 1, octant & 2 ? -1 : 1, octant & 4 ? -1 : 1];
    const first = points.length / 3;
    const row = (i: number) => first + i * (n + 1) - (i * (i - 1)) / 2;
    for (let i = 0; i <= n; i++)
      for (let j = 0; j <= n - i; j++) points.push(...supportOf(p, sx * i, sy * j, sz * (n - i - j)));
    const even = sx * sy * sz > 0;
    const add = (a: number, b: number, c: number) => triangles.push(even ? [a, b, c] : [a, c, b]);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n - i; j++) {
        add(row(i) + j, row(i + 1) + j, row(i) + j + 1);
        if (j < n - i - 1) add(row(i + 1) + j, row(i + 1) + j + 1, row(i) + j + 1);
      }
  }
  return solidMoments(triangles, Float64Array.from(points));
}

function supportOf(p: ArrayLike<number>, x: number, y: number, z: number): Vec3 {
  const length = Math.sqrt(x * x + y * y + z * z);
  let best = -Infinity;
  let at = 0;
  for (let i = 0; i < p.length; i += 4) {
    const reach = (p[i]! * x + p[i + 1]! * y + p[i + 2]! * z) / length + p[i + 3]!;
    if (reach > best) [best, at] = [reach, i];
  }
  const r = p[at + 3]! / length;
  return [p[at]! + r * x, p[at + 1]! + r * y, p[at + 2]! + r * z];
}
