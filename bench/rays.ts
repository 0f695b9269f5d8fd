// The rays of the ray benchmark, and the same rays by closed forms in f64 on the nominal shapes, to
// see that the engines' answers are answers.
import { between, createRandom } from '../demo/scenes/random';
import { dot, subtract } from './hull';
import { type BodySpec, multiply, type Quat, rotate, type ShapeSpec, type Vec3 } from './scene';

export const RAY_COUNT = 10_000;
export const RAY_LENGTH = 25; // m

/** From a dome over the pit to points in the pile: from and to, 6 numbers a ray, each RAY_LENGTH long. */
export function createRays(): Float64Array {
  const random = createRandom(10_000);
  const rays = new Float64Array(RAY_COUNT * 6);
  for (let i = 0; i < RAY_COUNT; i++) {
    const aim: Vec3 = [between(random, -6, 6), between(random, 0, 3), between(random, -6, 6)];
    const from: Vec3 = [aim[0] + between(random, -8, 8), 12, aim[2] + between(random, -8, 8)];
    const direction = subtract(aim, from);
    const stretch = RAY_LENGTH / Math.hypot(...direction);
    for (let k = 0; k < 3; k++) {
      rays[i * 6 + k] = from[k];
      rays[i * 6 + 3 + k] = from[k] + direction[k] * stretch;
    }
  }
  return rays;
}

/** Fraction of the nearest hit, or Infinity. */
export function castRay(
  bodies: readonly BodySpec[],
  poses: ArrayLike<number>,
  rays: Float64Array,
  ray: number,
): number {
  const from: Vec3 = [rays[ray * 6], rays[ray * 6 + 1], rays[ray * 6 + 2]];
  const to: Vec3 = [rays[ray * 6 + 3], rays[ray * 6 + 4], rays[ray * 6 + 5]];
  const delta = subtract(to, from);
  let nearest = Infinity;
  for (const body of bodies)
    for (const shape of body.shapes) {
      const at = body.index * 7;
      const bodyRotation: Quat = [poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]];
      const offset = rotate(bodyRotation, shape.position);
      const centre: Vec3 = [poses[at] + offset[0], poses[at + 1] + offset[1], poses[at + 2] + offset[2]];
      const turn = multiply(bodyRotation, shape.rotation);
      const back: Quat = [-turn[0], -turn[1], -turn[2], turn[3]];
      nearest = Math.min(nearest, rayShape(shape, rotate(back, subtract(from, centre)), rotate(back, delta)));
    }
  return nearest <= 1 ? nearest : Infinity;
}

function rayShape(shape: ShapeSpec, from: Vec3, delta: Vec3): number {
  if (shape.type === 'plane') return from[1] > 0 && delta[1] < 0 ? -from[1] / delta[1] : Infinity;
  if (shape.type === 'sphere') return raySphere(from, delta, shape.radius);
  if (shape.type === 'box') {
    let enter = 0;
    let leave = Infinity;
    for (let k = 0; k < 3; k++) {
      const half = shape.halfExtents[k];
      if (delta[k] === 0) {
        if (Math.abs(from[k]) > half) return Infinity;
        continue;
      }
      const a = (-half - from[k]) / delta[k];
      const b = (half - from[k]) / delta[k];
      enter = Math.max(enter, Math.min(a, b));
      leave = Math.min(leave, Math.max(a, b));
    }
    return enter <= leave ? enter : Infinity;
  }
  if (shape.type === 'capsule') {
    const h = shape.halfHeight;
    const caps = [h, -h].map((y) => raySphere([from[0], from[1] - y, from[2]], delta, shape.radius));
    const a = delta[0] * delta[0] + delta[2] * delta[2];
    const b = from[0] * delta[0] + from[2] * delta[2];
    const c = from[0] * from[0] + from[2] * from[2] - shape.radius * shape.radius;
    const root = b * b - a * c;
    let side = Infinity;
    if (a > 0 && root >= 0) {
      const t = (-b - Math.sqrt(root)) / a;
      if (t >= 0 && Math.abs(from[1] + delta[1] * t) <= h) side = t;
    }
    return Math.min(side, ...caps);
  }
  return Infinity;
}

function raySphere(from: Vec3, delta: Vec3, radius: number): number {
  const a = dot(delta, delta);
  const b = dot(from, delta);
  const root = b * b - a * (dot(from, from) - radius * radius);
  if (root < 0) return Infinity;
  const t = (-b - Math.sqrt(root)) / a;
  return t >= 0 ? t : Infinity;
}
