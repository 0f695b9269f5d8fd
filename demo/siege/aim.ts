// Where to point a gun so that its ball passes through a point. In: muzzle, point, speed. Out: the velocity at the muzzle.
import type { Vec3 } from './levels';

const G = 9.81;

/**
 * Velocity (m/s) of the flatter of the two parabolas from `muzzle` through `point`. A point out of reach gets the
 * direction that flies farthest. From v·t·cos a = d and v·t·sin a − g·t²/2 = h: tan a = (v² − √(v⁴ − g(g·d² + 2·h·v²)))/(g·d).
 */
export function aimAt(muzzle: Vec3, point: Vec3, speed: number): Vec3 {
  const [x, h, z] = [point[0] - muzzle[0], point[1] - muzzle[1], point[2] - muzzle[2]];
  const d = Math.hypot(x, z);
  if (d < 1e-6) return [0, Math.sign(h) * speed, 0];
  const v2 = speed * speed;
  const root = v2 * v2 - G * (G * d * d + 2 * h * v2);
  const slope = root < 0 ? 1 : (v2 - Math.sqrt(root)) / (G * d);
  const level = speed / Math.hypot(1, slope);
  return [(level * x) / d, level * slope, (level * z) / d];
}
