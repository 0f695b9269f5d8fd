// Torque-free rotation of four bodies for a substep, in f32: the same splitting as in gyroscopic.ts, for bodies under
// constraints, whose velocities are no more exact. In: orientations of the principal frames, angular momenta in them.
// Out: both after the time h.
//
// Changes are added to momenta and quaternions, so that slow rotation is not lost in rounding. Joints predict where
// their anchors will be by this function, and bodies are then moved by it (spin.ts): with another prediction, even one
// that is more exact, the difference is an error of position in every substep, and its correction feeds the rotation.
import { splat, zero } from '../math/vector';
import { gatherQuatW, gatherW, productW, QuatW, rotateInverseW, Vec3W } from '../math/wide';
import { Axes } from '../memory/values';
import { bodiesAt } from '../memory/wide';

/** Four bodies: orientations of the principal frames, and in them inverse moments and angular momenta. @unmanaged */
export class FreeRotation {
  qX: v128;
  qY: v128;
  qZ: v128;
  qW: v128;
  inverseX: v128;
  inverseY: v128;
  inverseZ: v128;
  lX: v128;
  lY: v128;
  lZ: v128;
  principalX: v128; // from the body's axes to the principal ones
  principalY: v128;
  principalZ: v128;
  principalW: v128;
}

/**
 * Orientations and inverse moments of the bodies in four slots. Normalised: the rounding of a body's principal axes is
 * the same in every substep, and would scale its momentum each time. @wide
 */
export function loadFrames(s: FreeRotation, slots: v128): void {
  const bodies = bodiesAt(slots);
  s.inverse = gatherW(bodies.invInertiaLocal);
  s.principal = gatherQuatW(bodies.principal);
  s.q = normalizeW(productW(gatherQuatW(bodies.rotation), s.principal));
}

/** @wide */
export function normalizeW(q: QuatW): QuatW {
  const size = f32x4.sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return new QuatW(q.x / size, q.y / size, q.z / size, q.w / size);
}

/** Sets the momenta to those of angular velocities; 0 about axes with an infinite moment. @wide */
export function loadMomenta(s: FreeRotation, angular: Vec3W): void {
  const none = zero();
  const local = rotateInverseW(s.q, angular);
  s.lX = v128.and(local.x / s.inverseX, f32x4.gt(s.inverseX, none));
  s.lY = v128.and(local.y / s.inverseY, f32x4.gt(s.inverseY, none));
  s.lZ = v128.and(local.z / s.inverseZ, f32x4.gt(s.inverseZ, none));
}

/** @inline */
function componentAt(s: FreeRotation, offset: usize): usize {
  return changetype<usize>(s) + offset;
}

/** Rotates for the time h. The quaternions are not normalised. */
export function rotateFreely(s: FreeRotation, h: f32): void {
  const quarter = splat(<f32>0.25 * h);
  const half = splat(<f32>0.5 * h);
  rotateAbout(s, new Axes(0, 16, 32), quarter);
  rotateAbout(s, new Axes(16, 32, 0), quarter);
  rotateAbout(s, new Axes(32, 0, 16), half);
  rotateAbout(s, new Axes(16, 32, 0), quarter);
  rotateAbout(s, new Axes(0, 16, 32), quarter);
}

/**
 * Rotation about one principal axis by θ = 2·share·Lₖ/Iₖ, as a quaternion (t, 1) with t = tan(θ/2) by series. The momentum rotates
 * the other way, by sin θ = 2t/(1 + t²) and 1 − cos θ = t sin θ. Beyond half an angle of 2 rad, a rotation that no valid
 * speed causes, the series has the value of 2 rad, so that the quaternion stays in the range of f32. @wide
 */
function rotateAbout(s: FreeRotation, axes: Axes, share: v128): void {
  const a = componentAt(s, axes.a);
  const b = componentAt(s, axes.b);
  const c = componentAt(s, axes.c);
  const asked =
    v128.load(a, offsetof<FreeRotation>('lX')) * (v128.load(a, offsetof<FreeRotation>('inverseX')) * share);
  const angle = f32x4.pmax(splat(-2), f32x4.pmin(splat(2), asked));
  const a2 = angle * angle;
  const t = angle + angle * a2 * (splat(0.33333334) + a2 * splat(0.13333334));
  const sine = (t + t) / (splat(1) + t * t);
  const rest = sine * t;
  const lb = v128.load(b, offsetof<FreeRotation>('lX'));
  const lc = v128.load(c, offsetof<FreeRotation>('lX'));
  v128.store(b, lb + (sine * lc - rest * lb), offsetof<FreeRotation>('lX'));
  v128.store(c, lc - (sine * lb + rest * lc), offsetof<FreeRotation>('lX'));
  const qa = v128.load(a);
  const qb = v128.load(b);
  const qc = v128.load(c);
  const qw = s.qW;
  v128.store(a, qa + t * qw);
  v128.store(b, qb + t * qc);
  v128.store(c, qc - t * qb);
  s.qW = qw - t * qa;
}
