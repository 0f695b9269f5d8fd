// Hills and circles without the functions of the platform: the same bits in every engine.
import { createRandom } from './random';

/** A height between −1 and 1 at any place, smooth over about 1 m. */
export function createHills(seed: number): (x: number, z: number) => number {
  const corner = (i: number, k: number) =>
    2 * createRandom((Math.imul(i, 73856093) ^ Math.imul(k, 19349663) ^ seed) >>> 0)() - 1;
  const ease = (t: number) => t * t * (3 - 2 * t);
  return (x, z) => {
    const [i, k] = [Math.floor(x), Math.floor(z)];
    const [u, v] = [ease(x - i), ease(z - k)];
    const near = corner(i, k) * (1 - u) + corner(i + 1, k) * u;
    const far = corner(i, k + 1) * (1 - u) + corner(i + 1, k + 1) * u;
    return near * (1 - v) + far * v;
  };
}

/** (cos, sin) of k steps of a circle of n: t parametrises a turn by the tangents of quarter angles. */
export function circle(k: number, n: number): [c: number, s: number] {
  // Eighths of a turn, in which (1 − t²) / (1 + t²), 2t / (1 + t²) is nearly even for t from 0 to √2 − 1.
  const eighth = Math.floor((8 * k) / n);
  const part = (8 * k) / n - eighth;
  const t = part * (Math.sqrt(2) - 1);
  let [c, s] = [(1 - t * t) / (1 + t * t), (2 * t) / (1 + t * t)];
  const h = Math.sqrt(0.5);
  for (let i = 0; i < ((eighth % 8) + 8) % 8; i++) [c, s] = [h * (c - s), h * (c + s)];
  return [c, s];
}
