// The truth about a body that turns freely, in f64. In: principal moments, body angular velocity,
// attitude. Out: the motion by fourth-order Runge-Kutta on Euler's equations, and the closed form of
// the tumbling time (Landau and Lifshitz, Mechanics, §37; complete elliptic integral by the AGM).

import { add, axisAngle, multiply, type Quat, rotate, scale, type Vec3 } from '../physics/support/vector';

/** Moments of a solid box of mass m: m/3 (b² + c²) with half extents a, b, c. */
export function boxInertia(mass: number, [a, b, c]: Vec3): Vec3 {
  return [(mass / 3) * (b * b + c * c), (mass / 3) * (a * a + c * c), (mass / 3) * (a * a + b * b)];
}

/** Angular momentum in the world of a body with angular velocity `omega` in the world. */
export function angularMomentum(inertia: Vec3, rotation: Quat, omega: Vec3): Vec3 {
  const w = toBody(rotation, omega);
  return rotate(rotation, [inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]]);
}

export function spinEnergy(inertia: Vec3, rotation: Quat, omega: Vec3): number {
  const w = toBody(rotation, omega);
  return 0.5 * (inertia[0] * w[0] ** 2 + inertia[1] * w[1] ** 2 + inertia[2] * w[2] ** 2);
}

export function toBody(rotation: Quat, v: Vec3): Vec3 {
  return rotate([-rotation[0], -rotation[1], -rotation[2], rotation[3]], v);
}

export interface SpinState {
  rotation: Quat;
  /** Angular velocity in the body's principal axes. */
  omega: Vec3;
}

/** Euler: I₁ ω̇₁ = (I₂ − I₃) ω₂ ω₃ and cyclic. */
function omegaRate([i1, i2, i3]: Vec3, [w1, w2, w3]: Vec3): Vec3 {
  return [((i2 - i3) / i1) * w2 * w3, ((i3 - i1) / i2) * w3 * w1, ((i1 - i2) / i3) * w1 * w2];
}

/** q̇ = ½ q ω with ω in body axes. */
function rotationRate(q: Quat, w: Vec3): Quat {
  return multiply(q, [w[0] / 2, w[1] / 2, w[2] / 2, 0]);
}

const addQuat = (a: Quat, b: Quat, s: number): Quat => [
  a[0] + b[0] * s,
  a[1] + b[1] * s,
  a[2] + b[2] * s,
  a[3] + b[3] * s,
];

export function spinStep(inertia: Vec3, { rotation: q, omega: w }: SpinState, h: number): SpinState {
  const w1 = omegaRate(inertia, w);
  const q1 = rotationRate(q, w);
  const wA = add(w, scale(w1, h / 2));
  const w2 = omegaRate(inertia, wA);
  const q2 = rotationRate(addQuat(q, q1, h / 2), wA);
  const wB = add(w, scale(w2, h / 2));
  const w3 = omegaRate(inertia, wB);
  const q3 = rotationRate(addQuat(q, q2, h / 2), wB);
  const wC = add(w, scale(w3, h));
  const w4 = omegaRate(inertia, wC);
  const q4 = rotationRate(addQuat(q, q3, h), wC);
  const sixth = (a: number, b: number, c: number, d: number) => (h / 6) * (a + 2 * b + 2 * c + d);
  const omega = w.map((x, i) => x + sixth(w1[i], w2[i], w3[i], w4[i])) as Vec3;
  const turned = q.map((x, i) => x + sixth(q1[i], q2[i], q3[i], q4[i])) as Quat;
  const size = Math.hypot(...turned);
  return { rotation: turned.map((x) => x / size) as Quat, omega };
}

/** Times at which ω₂ passes through zero within `duration`, by linear interpolation in steps of h. */
export function middleAxisCrossings(inertia: Vec3, omega: Vec3, duration: number, h: number): number[] {
  let state: SpinState = { rotation: [0, 0, 0, 1], omega };
  const times: number[] = [];
  for (let i = 0; i * h < duration; i++) {
    const next = spinStep(inertia, state, h);
    const [before, after] = [state.omega[1], next.omega[1]];
    if (before > 0 !== after > 0) times.push((i + before / (before - after)) * h);
    state = next;
  }
  return times;
}

/** K(k) = π / (2 agm(1, √(1 − k²))). */
export function completeEllipticK(kSquared: number): number {
  let a = 1;
  let b = Math.sqrt(1 - kSquared);
  while (Math.abs(a - b) > 1e-15 * a) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

/**
 * A quarter of the period of ω₂ for I₁ < I₂ < I₃: the time from ω₃ = 0, where |ω₂| is largest, to ω₂ = 0.
 * Holds for L² < 2 E I₂, the polhode about the axis of the smallest moment:
 * rate² = (I₂ − I₁)(2 E I₃ − L²) / (I₁ I₂ I₃), k² = (I₃ − I₂)(L² − 2 E I₁) / ((I₂ − I₁)(2 E I₃ − L²)).
 */
export function quarterPeriod([i1, i2, i3]: Vec3, [w1, w2, w3]: Vec3): number {
  const twiceEnergy = i1 * w1 ** 2 + i2 * w2 ** 2 + i3 * w3 ** 2;
  const momentum2 = (i1 * w1) ** 2 + (i2 * w2) ** 2 + (i3 * w3) ** 2;
  const rate = Math.sqrt(((i2 - i1) * (twiceEnergy * i3 - momentum2)) / (i1 * i2 * i3));
  const kSquared =
    ((i3 - i2) * (momentum2 - twiceEnergy * i1)) / ((i2 - i1) * (twiceEnergy * i3 - momentum2));
  return completeEllipticK(kSquared) / rate;
}

/** Attitude after the time t of a body with two equal moments (Landau and Lifshitz, Mechanics, §33); omega in the world. */
export function symmetricSpin(inertia: Vec3, rotation: Quat, omega: Vec3, t: number): Quat {
  const k = inertia[0] === inertia[1] ? 2 : inertia[1] === inertia[2] ? 0 : 1;
  const across = inertia[(k + 1) % 3]!;
  const axis = rotate(rotation, [+(k === 0), +(k === 1), +(k === 2)]);
  const momentum = scale(angularMomentum(inertia, rotation, omega), 1 / across);
  const own = (1 - inertia[k]! / across) * (axis[0] * omega[0] + axis[1] * omega[1] + axis[2] * omega[2]);
  const turned = multiply(axisAngle(axis, own * t), rotation);
  const rate = Math.hypot(...momentum);
  return multiply(axisAngle(scale(momentum, 1 / rate), rate * t), turned);
}
