import { cos, sin } from '../math/elementary';
import {
  addScaled,
  conjugate,
  cross,
  mul,
  mulQuat,
  normalizeQuat,
  quat,
  rotate,
  rotateInverse,
  vec3,
  w,
  x,
  y,
  z,
  zero,
} from '../math/vector';
import { BODY_ISOTROPIC } from '../memory/constants';
import { Body } from '../memory/records';
import { world } from '../memory/tables';
import { Axes, Vector64 } from '../memory/values';

/** Whether the gyroscopic torque acts on the body. */
export function tumbles(b: Body): bool {
  return (
    world().gyroscopic != 0 &&
    !(b.flags & BODY_ISOTROPIC) &&
    v128.all_true<i32>(f32x4.eq(b.angularFactor, vec3(1, 1, 1)))
  );
}

/** Whether the body turns about an axis of symmetry: see Body.symmetry. */
export function isTop(b: Body): bool {
  return v128.any_true(f32x4.ne(b.symmetry, zero()));
}

/** Rotates the body freely for the time h; returns its angular velocity then. */
export function turnGyroscopic(b: Body, angular: v128, h: f32): v128 {
  return turnFreely(b, angular, h, 1);
}

/** The same for `count` times h. Half a rotation at the end of a time and one at the start of the next are one. */
export function turnFreely(b: Body, angular: v128, h: f32, count: i32): v128 {
  const d = b.invInertiaLocal;
  const s = scratchSpin();
  const q0 = mulQuat(b.rotation, b.principal);
  const qRest = b.rotationRest;
  const wRest = b.angularRest;
  s.ix = <f64>x(d);
  s.iy = <f64>y(d);
  s.iz = <f64>z(d);
  s.qx = <f64>x(q0) + <f64>x(qRest);
  s.qy = <f64>y(q0) + <f64>y(qRest);
  s.qz = <f64>z(q0) + <f64>z(qRest);
  s.qw = <f64>w(q0) + <f64>w(qRest);
  normalizeSpin(s);
  toBody(
    s,
    <f64>x(angular) + <f64>x(wRest),
    <f64>y(angular) + <f64>y(wRest),
    <f64>z(angular) + <f64>z(wRest),
  );
  // An infinite moment (inverse 0) carries no rotation: the component stays 0.
  s.lx = s.ix > 0 ? s.lx / s.ix : 0;
  s.ly = s.iy > 0 ? s.ly / s.iy : 0;
  s.lz = s.iz > 0 ? s.lz / s.iz : 0;
  const step = <f64>h;
  if (isTop(b)) {
    const time = step * <f64>count;
    const k: usize = s.iy == s.iz ? 0 : s.iz == s.ix ? 8 : 16;
    turnTop(s, new Axes(k, k == 16 ? 0 : k + 8, k == 0 ? 16 : k - 8), time);
  } else {
    turnAbout(s, new Axes(0, 8, 16), 0.5 * step);
    for (let i = 1; i <= count; i++) {
      turnAbout(s, new Axes(8, 16, 0), 0.5 * step);
      turnAbout(s, new Axes(16, 0, 8), step);
      turnAbout(s, new Axes(8, 16, 0), 0.5 * step);
      turnAbout(s, new Axes(0, 8, 16), i < count ? step : 0.5 * step);
    }
  }
  normalizeSpin(s);
  const q = quat(<f32>s.qx, <f32>s.qy, <f32>s.qz, <f32>s.qw);
  b.rotation = normalizeQuat(mulQuat(q, conjugate(b.principal)));
  const back = mulQuat(b.rotation, b.principal);
  b.rotationRest = f32x4(
    <f32>(s.qx - <f64>x(back)),
    <f32>(s.qy - <f64>y(back)),
    <f32>(s.qz - <f64>z(back)),
    <f32>(s.qw - <f64>w(back)),
  );
  return toWorld(b, s, new Vector64(s.lx * s.ix, s.ly * s.iy, s.lz * s.iz));
}

/**
 * rad/s²: −I⁻¹(ω × Iω), the mean over a time in which the body rotates little, by the midpoint rule in the principal
 * frame. Slowly rotating bodies under constraints take it as a torque, because the splitting above costs twenty times
 * as much.
 */
export function tumbling(b: Body, angular: v128, time: f32): v128 {
  const q = mulQuat(b.rotation, b.principal);
  const w = rotateInverse(q, angular);
  const middle = addScaled(w, tumblingLocal(b, w), <f32>0.5 * time);
  const mean = rotate(q, tumblingLocal(b, middle));
  return addScaled(mean, cross(angular, mean), <f32>0.5 * time);
}

function tumblingLocal(b: Body, w: v128): v128 {
  const inverse = b.invInertiaLocal;
  // An infinite moment (inverse 0) carries no rotation.
  const momentum = v128.and(f32x4.div(w, inverse), f32x4.gt(inverse, zero()));
  return mul(inverse, cross(momentum, w));
}

/** Orientation of the principal frame, angular momentum in it, inverse moments of inertia. @unmanaged */
class Spin {
  qx: f64;
  qy: f64;
  qz: f64;
  qw: f64;
  lx: f64;
  ly: f64;
  lz: f64;
  ix: f64;
  iy: f64;
  iz: f64;
}
const SPIN: usize = memory.data(offsetof<Spin>(), 8);

/** @inline */
function scratchSpin(): Spin {
  return changetype<Spin>(SPIN);
}

// Rotation about one principal axis by θ = h·Lₖ/Iₖ, as a quaternion (t, 1) with t = tan(θ/2) by series.
/** @inline */
function tangentOfHalf(theta: f64): f64 {
  const phi = 0.5 * theta;
  const p2 = phi * phi;
  return phi * (1.0 + p2 * (1.0 / 3.0 + p2 * (2.0 / 15.0)));
}
/** About the axis with the offset `a`; `b` and `c` are those of the axes that follow it. */
function turnAbout(s: Spin, axes: Axes, h: f64): void {
  const a = changetype<usize>(s) + axes.a;
  turnBy(
    s,
    axes,
    tangentOfHalf(h * load<f64>(a, offsetof<Spin>('lx')) * load<f64>(a, offsetof<Spin>('ix'))),
    1.0,
  );
}
/**
 * By the angle whose half has a tangent of n/m. The momentum rotates the other way; sin θ = 2nm/(n² + m²) and
 * 1 − cos θ = 2n²/(n² + m²).
 */
function turnBy(s: Spin, axes: Axes, n: f64, m: f64): void {
  const a = changetype<usize>(s) + axes.a;
  const b = changetype<usize>(s) + axes.b;
  const c = changetype<usize>(s) + axes.c;
  const double = (2.0 * n) / (n * n + m * m);
  const sine = double * m;
  const rest = double * n;
  const lb = load<f64>(b, offsetof<Spin>('lx'));
  const lc = load<f64>(c, offsetof<Spin>('lx'));
  store<f64>(b, lb + (sine * lc - rest * lb), offsetof<Spin>('lx'));
  store<f64>(c, lc - (sine * lb + rest * lc), offsetof<Spin>('lx'));
  const qa = load<f64>(a);
  const qb = load<f64>(b);
  const qc = load<f64>(c);
  const qw = s.qw;
  store<f64>(a, m * qa + n * qw);
  store<f64>(b, m * qb + n * qc);
  store<f64>(c, m * qc - n * qb);
  s.qw = m * qw - n * qa;
}
/** For equal moments about the axes b and c, exactly (tops.ts): about the momentum, then about the axis a. */
function turnTop(s: Spin, axes: Axes, time: f64): void {
  const at = changetype<usize>(s);
  const across = load<f64>(at + axes.b, offsetof<Spin>('ix'));
  const about = load<f64>(at + axes.a, offsetof<Spin>('ix'));
  const half = 0.5 * across * time;
  const vx = half * s.lx;
  const vy = half * s.ly;
  const vz = half * s.lz;
  const angle = sqrt<f64>(vx * vx + vy * vy + vz * vz);
  const share = angle > 1e-150 ? sin(angle) / angle : 1.0;
  const c = cos(angle);
  const px = vx * share;
  const py = vy * share;
  const pz = vz * share;
  const qx = s.qx;
  const qy = s.qy;
  const qz = s.qz;
  const qw = s.qw;
  s.qx = qx * c + (qw * px + qy * pz - qz * py);
  s.qy = qy * c + (qw * py + qz * px - qx * pz);
  s.qz = qz * c + (qw * pz + qx * py - qy * px);
  s.qw = qw * c - (qx * px + qy * py + qz * pz);
  const own = 0.5 * load<f64>(at + axes.a, offsetof<Spin>('lx')) * (about - across) * time;
  turnBy(s, axes, sin(own), cos(own));
}
function normalizeSpin(s: Spin): void {
  const n = 1.0 / sqrt<f64>(s.qx * s.qx + s.qy * s.qy + s.qz * s.qz + s.qw * s.qw);
  s.qx *= n;
  s.qy *= n;
  s.qz *= n;
  s.qw *= n;
}
/** l = q* v q */
function toBody(s: Spin, vx: f64, vy: f64, vz: f64): void {
  const tx = 2.0 * (s.qz * vy - s.qy * vz);
  const ty = 2.0 * (s.qx * vz - s.qz * vx);
  const tz = 2.0 * (s.qy * vx - s.qx * vy);
  s.lx = vx + s.qw * tx - (s.qy * tz - s.qz * ty);
  s.ly = vy + s.qw * ty - (s.qz * tx - s.qx * tz);
  s.lz = vz + s.qw * tz - (s.qx * ty - s.qy * tx);
}
/** q v q* in f32. The body keeps the rounding remainder. */
function toWorld(b: Body, s: Spin, v: Vector64): v128 {
  const tx = 2.0 * (s.qy * v.z - s.qz * v.y);
  const ty = 2.0 * (s.qz * v.x - s.qx * v.z);
  const tz = 2.0 * (s.qx * v.y - s.qy * v.x);
  const wx = v.x + s.qw * tx + (s.qy * tz - s.qz * ty);
  const wy = v.y + s.qw * ty + (s.qz * tx - s.qx * tz);
  const wz = v.z + s.qw * tz + (s.qx * ty - s.qy * tx);
  const rounded = vec3(<f32>wx, <f32>wy, <f32>wz);
  b.angularRest = vec3(<f32>(wx - <f64>x(rounded)), <f32>(wy - <f64>y(rounded)), <f32>(wz - <f64>z(rounded)));
  return rounded;
}
