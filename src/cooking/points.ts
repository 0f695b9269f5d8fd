// Triangles and multi-spheres from the user's options. In: points, balls. Out: x, y, z, radius of each relative to the
// centre of mass, rounded to f32, and the centre of mass.
import { MAX_SIZE, MIN_SIZE } from '../base/limits';
import type { Vec3 } from '../base/math';
import { checkNumber, checkOptions, invalid, readList, SIGNED, vec3Of } from '../base/validate';
import { readPoints } from './hull';
import { MAX_SPHERES, roundMoments } from './pointWords';

export interface CenteredPoints {
  points: number[];
  center: Vec3;
}

/** Of its longest side: a triangle lower than this has no plane in f32. */
const SLIVER = 1e-6;

/** So many points, as vectors or as one flat list. */
export function checkPointCount(points: unknown, argument: string, count: number): Float64Array {
  const list = readPoints(points, argument);
  if (list.length !== 3 * count)
    throw invalid(`${argument}.length`, `must be ${count} points`, list.length / 3);
  return list;
}

/** About the middle of its corners. */
export function centeredTriangle(given: unknown, argument: string): CenteredPoints {
  const p = checkPointCount(given, argument, 3);
  const at = (i: number): Vec3 => [p[3 * i]!, p[3 * i + 1]!, p[3 * i + 2]!];
  const side = (i: number, j: number): Vec3 => [
    at(j)[0] - at(i)[0],
    at(j)[1] - at(i)[1],
    at(j)[2] - at(i)[2],
  ];
  const length = ([x, y, z]: Vec3) => Math.sqrt(x * x + y * y + z * z);
  const [u, v] = [side(0, 1), side(0, 2)];
  const n: Vec3 = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const longest = Math.max(length(u), length(v), length(side(1, 2)));
  if (!(longest >= MIN_SIZE) || !(length(n) > SLIVER * longest * longest))
    throw invalid(argument, 'must not lie on one line', given);
  const center = [0, 1, 2].map((k) => Math.fround((p[k]! + p[3 + k]! + p[6 + k]!) / 3)) as Vec3;
  const points = [0, 1, 2].flatMap((i) => [...at(i).map((c, k) => Math.fround(c - center[k]!)), 0]);
  return { points, center };
}

/** About the centre of mass of the hull of the balls. */
export function centeredSpheres(given: unknown, argument: string): CenteredPoints {
  const balls = readList(given, argument, 'must be an array of { position, radius }');
  if (!(balls.length >= 1 && balls.length <= MAX_SPHERES))
    throw invalid(`${argument}.length`, `must be from 1 to ${MAX_SPHERES}`, balls.length);
  const points = balls.flatMap((ball, i) => {
    const { position, radius } = checkOptions(ball, `${argument}[${i}]`, ['position', 'radius']);
    const at = `${argument}[${i}].position`;
    const place = position === undefined ? [0, 0, 0] : vec3Of(position as Vec3, at, SIGNED(MAX_SIZE));
    const size = checkNumber(radius, `${argument}[${i}].radius`, { min: MIN_SIZE, max: MAX_SIZE });
    return [...place, size].map(Math.fround);
  });
  const center = roundMoments(points).center.map(Math.fround) as Vec3;
  return { points: points.map((c, i) => (i % 4 < 3 ? Math.fround(c - center[i % 4]!) : c)), center };
}
