// What makes a speed honest: whether the bodies are where they belong when the clock has stopped.
// In: the resolved scene, poses and velocities at the end. Out: plain numbers for the report.
import { dot, subtract } from './hull';
import { measureOverlaps } from './overlap';
import { conjugate, type Quat, rotate, type SceneSpec, toLocal, type Vec3 } from './scene';

export interface Checks {
  bodiesLost: number;
  kineticEnergyJ: number;
  worstOverlapMm: number;
  overlap95Mm: number;
  overlappingPairs: number;
  /** Of the body that starts highest, against its start. */
  topDropMm?: number;
  /** Bodies about as high as at the start, where the scene is meant to stand. */
  standing?: string;
  worstDriftMm?: number;
  jointGapMaxMm?: number;
  jointGapMeanMm?: number;
  awake?: number;
  rayHits?: number;
  rayErrorMm?: number;
  /** ms for all rays by one call each, where the row itself is a batch. */
  oneByOneMs?: number;
}

const MAY_SINK = 0.5; // m; who has fallen from a stack of unit boxes is lower by more
const MAY_SHRINK = 0.01; // of the height: soft contacts under a hundred rows are no collapse
const FAR = 2000; // m; further away is lost wherever the scene is

/** `poses`: 7 numbers a body; `velocities`: linear and angular, 6 numbers a body. */
export function checkWorld(spec: SceneSpec, poses: Float32Array, velocities: Float32Array): Checks {
  const { scene, bodies } = spec;
  const weightless = scene.gravity.every((g) => g === 0);
  const floor = scene.floor ?? (weightless ? -Infinity : -1);
  let lost = 0;
  let energy = 0;
  let standing = 0;
  let dynamic = 0;
  let drift = 0;
  let top = -1;
  for (const body of bodies) {
    if (body.type !== 'dynamic') continue;
    dynamic++;
    const at = body.index * 7;
    const position: Vec3 = [poses[at], poses[at + 1], poses[at + 2]];
    if (!(Math.hypot(...position) < FAR) || !(position[1] >= floor)) lost++;
    const sunk = Math.abs(position[1] - body.position[1]);
    if (sunk < MAY_SINK + MAY_SHRINK * body.position[1]) standing++;
    drift = Math.max(drift, Math.hypot(position[0] - body.position[0], position[2] - body.position[2]));
    if (top < 0 || body.position[1] > bodies[top].position[1]) top = body.index;
    energy += kineticEnergy(spec, body.index, poses, velocities);
  }
  const overlaps = measureOverlaps(spec, poses);
  const checks: Checks = {
    bodiesLost: lost,
    kineticEnergyJ: round(energy, 5),
    worstOverlapMm: round(overlaps.worst * 1000, 3),
    overlap95Mm: round(overlaps.percentile95 * 1000, 3),
    overlappingPairs: overlaps.pairs,
  };
  if (scene.stands) {
    checks.standing = `${standing}/${dynamic}`;
    checks.worstDriftMm = round(drift * 1000, 2);
    checks.topDropMm = round((bodies[top].position[1] - poses[top * 7 + 1]) * 1000, 2);
  }
  if (spec.joints.length > 0) Object.assign(checks, jointGaps(spec, poses));
  return checks;
}

function kineticEnergy(
  spec: SceneSpec,
  index: number,
  poses: Float32Array,
  velocities: Float32Array,
): number {
  const { mass, inertia } = spec.bodies[index];
  const v = velocities.subarray(index * 6, index * 6 + 6);
  const w = rotate(conjugate(rotationOf(poses, index)), [v[3], v[4], v[5]]);
  const [xx, yy, zz, xy, xz, yz] = inertia;
  const spin: Vec3 = [
    xx * w[0] + xy * w[1] + xz * w[2],
    xy * w[0] + yy * w[1] + yz * w[2],
    xz * w[0] + yz * w[1] + zz * w[2],
  ];
  return 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 0.5 * dot(w, spin);
}

function jointGaps(spec: SceneSpec, poses: Float32Array): Partial<Checks> {
  let worst = 0;
  let sum = 0;
  for (const joint of spec.joints) {
    const ends = [joint.bodyA, joint.bodyB].map((index) => {
      const turned = rotate(rotationOf(poses, index), toLocal(spec.bodies[index], joint.anchor));
      return [
        poses[index * 7] + turned[0],
        poses[index * 7 + 1] + turned[1],
        poses[index * 7 + 2] + turned[2],
      ] as Vec3;
    });
    const gap = Math.hypot(...subtract(ends[0], ends[1]));
    worst = Math.max(worst, gap);
    sum += gap;
  }
  return {
    jointGapMaxMm: round(worst * 1000, 3),
    jointGapMeanMm: round((sum / spec.joints.length) * 1000, 4),
  };
}

function rotationOf(poses: ArrayLike<number>, index: number): Quat {
  const at = index * 7;
  return [poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]];
}

/** FNV-1a, 64 bits, over the bytes of the poses as f32: equal poses, equal hash. */
export function poseHash(poses: Float32Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new Uint8Array(poses.buffer, poses.byteOffset, poses.byteLength))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
