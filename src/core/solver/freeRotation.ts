// Torque-free rotation of four bodies for a substep, in f32: the same splitting as in gyroscopic.ts, for bodies under
// constraints, whose velocities are no more exact. In: orientations of the principal frames, angular momenta in them.
// Out: both after the time h.
//
// Changes are added to momenta and quaternions, so that slow rotation is not lost in rounding. Joints predict where
// their anchors will be by this function, and bodies are then moved by it (spin.ts): with another prediction, even one
// that is more exact, the difference is an error of position in every substep, and its correction feeds the rotation.

import { splat, zero } from '../math/vector';
import { gatherQuatW, productW, QuatW, Vec3W } from '../math/wide';
import { Bodies } from '../memory/wide';

/** Angular momenta in the principal frames; 0 about axes with an infinite moment. @wide */
export function momentumW(angular: Vec3W, inverse: Vec3W): Vec3W {
  const none = zero();
  return new Vec3W(
    v128.and(angular.x / inverse.x, f32x4.gt(inverse.x, none)),
    v128.and(angular.y / inverse.y, f32x4.gt(inverse.y, none)),
    v128.and(angular.z / inverse.z, f32x4.gt(inverse.z, none)),
  );
}

/** Orientations of the principal frames, and angular momenta in them. @lanes */
export class SpinW {
  qx: v128;
  qy: v128;
  qz: v128;
  qw: v128;
  lx: v128;
  ly: v128;
  lz: v128;
}

/**
 * Orientations of the principal frames. Normalised: the rounding of a body's principal axes is the same in every
 * substep, and would scale its momentum each time. @wide
 */
export function principalFramesW(bodies: Bodies): QuatW {
  const q = productW(gatherQuatW(bodies.rotation), gatherQuatW(bodies.principal));
  return normalizeW(q);
}

/** @wide */
export function normalizeW(q: QuatW): QuatW {
  const size = f32x4.sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return new QuatW(q.x / size, q.y / size, q.z / size, q.w / size);
}

/** Rotates for the time h. The quaternions are not normalised. @wide */
export function rotateFreelyW(s0: SpinW, inverse: Vec3W, h: v128): SpinW {
  const half = inverse * (h * splat(0.5));
  const s1 = spinX(s0, half.x * splat(0.5));
  const s2 = spinY(s1, half.y * splat(0.5));
  const s3 = spinZ(s2, half.z);
  const s4 = spinY(s3, half.y * splat(0.5));
  return spinX(s4, half.x * splat(0.5));
}

// Rotation about one principal axis by θ = h·Lₖ/Iₖ, as a quaternion (t, 1) with t = tan(θ/2) by series. The momentum
// rotates the other way, by sin θ = 2t/(1 + t²) and 1 − cos θ = t sin θ. `half`: h/(2Iₖ).

/**
 * By series. Beyond 2 rad, a rotation that no valid speed causes, the angle counts as 2 rad, so that the quaternion stays in
 * the range of f32. @inline @wide
 */
export function tangentOf(asked: v128): v128 {
  const angle = f32x4.pmax(splat(-2), f32x4.pmin(splat(2), asked));
  const a2 = angle * angle;
  return angle + angle * a2 * (splat(0.33333334) + a2 * splat(0.13333334));
}

/** @wide */
function spinX(s: SpinW, half: v128): SpinW {
  const t = tangentOf(s.lx * half);
  const sine = (t + t) / (splat(1) + t * t);
  const rest = sine * t;
  return new SpinW(
    s.qx + t * s.qw,
    s.qy + t * s.qz,
    s.qz - t * s.qy,
    s.qw - t * s.qx,
    s.lx,
    s.ly + (sine * s.lz - rest * s.ly),
    s.lz - (sine * s.ly + rest * s.lz),
  );
}

/** @wide */
function spinY(s: SpinW, half: v128): SpinW {
  const t = tangentOf(s.ly * half);
  const sine = (t + t) / (splat(1) + t * t);
  const rest = sine * t;
  return new SpinW(
    s.qx - t * s.qz,
    s.qy + t * s.qw,
    s.qz + t * s.qx,
    s.qw - t * s.qy,
    s.lx - (sine * s.lz + rest * s.lx),
    s.ly,
    s.lz + (sine * s.lx - rest * s.lz),
  );
}

/** @wide */
function spinZ(s: SpinW, half: v128): SpinW {
  const t = tangentOf(s.lz * half);
  const sine = (t + t) / (splat(1) + t * t);
  const rest = sine * t;
  return new SpinW(
    s.qx + t * s.qy,
    s.qy - t * s.qx,
    s.qz + t * s.qw,
    s.qw - t * s.qz,
    s.lx + (sine * s.ly - rest * s.lx),
    s.ly - (sine * s.lx + rest * s.ly),
    s.lz,
  );
}
