// Inverse mass and inertia in world axes. In: mass, principal moments, factors and rotation of a Body. Out:
// Body.invMass, invInertiaA/B. Bullet's linear and angular factors scale the inverse per world axis; a factor of 0
// locks the axis.

import { dot, mul, mulQuat, rotate, scale, splat, vec3, w, x, y, z, zero } from '../math/vector';
import { BODY_DYNAMIC, BODY_ISOTROPIC } from '../memory/constants';
import { Body } from '../memory/records';
import { world } from '../memory/tables';
import { Columns } from '../memory/values';
import { FLATTEST_TOP, PLATE, PLATE_WIDTH, SLIMMEST_TOP } from '../tolerances';

/** Sets the current inverse mass: 0 for bodies that are not awake, which act like static ones. */
export function updateInverseMass(b: Body): void {
  findInverseMass(b);
  if (b.awakeIndex < 0) clearInverseMass(b);
}

function clearInverseMass(b: Body): void {
  b.invMass = zero();
  b.invInertiaA = zero();
  b.invInertiaB = zero();
}

/** Sets the inverse mass that the body has while awake; impulses also change velocities of bodies that are not. */
export function findInverseMass(b: Body): void {
  if (b.type != BODY_DYNAMIC || !(b.mass > 0)) {
    b.symmetry = zero();
    return clearInverseMass(b);
  }
  b.invMass = scale(b.linearFactor, <f32>1 / b.mass);
  const i = b.invInertiaLocal;
  if (x(i) == y(i) && y(i) == z(i)) b.flags |= BODY_ISOTROPIC;
  else b.flags &= ~BODY_ISOTROPIC;
  b.symmetry = symmetryOf(b);
  if (isPlate(b)) world().hasPlates = 1;
  updateWorldInertia(b);
}

/** Body.symmetry. */
function symmetryOf(b: Body): v128 {
  const i = b.invInertiaLocal;
  const next = v128.shuffle<f32>(i, i, 1, 2, 0, 3);
  const axis = v128.and(f32x4.eq(next, v128.shuffle<f32>(i, i, 2, 0, 1, 3)), vec3(1, 1, 1));
  const share = dot(axis, next) / dot(axis, i); // not a number without an axis
  if (b.flags & BODY_ISOTROPIC || !(share >= SLIMMEST_TOP && share <= FLATTEST_TOP)) return zero();
  return f32x4.replace_lane(rotate(b.principal, axis), 3, share - 1);
}

/** Thin and neither long nor narrow: its largest moment of inertia is nearly the sum of the others. */
export function isPlate(b: Body): bool {
  const least = leastInverse(b);
  if (b.type != BODY_DYNAMIC || !(least > 0)) return false;
  const shares = f32x4.div(splat(least), b.invInertiaLocal);
  return (
    x(shares) * y(shares) * z(shares) >= PLATE_WIDTH && x(shares) + y(shares) + z(shares) <= <f32>2 + PLATE
  );
}

/** 1/(kg·m²), of a plate about its normal. */
export function leastInverse(b: Body): f32 {
  const inverse = b.invInertiaLocal;
  return min(x(inverse), min(y(inverse), z(inverse)));
}

/**
 * R diag(I⁻¹) Rᵀ, R = rotation from the principal frame to the world. The factors act once, as on the mass: half of each on
 * either side, so that the matrix stays symmetric.
 */
export function updateWorldInertia(b: Body): void {
  const f = f32x4.sqrt(b.angularFactor);
  const d = b.invInertiaLocal;
  if (b.flags & BODY_ISOTROPIC) {
    const i = x(d);
    const scaled = scale(b.angularFactor, i);
    b.invInertiaA = vec3(x(scaled), 0, 0);
    b.invInertiaB = vec3(y(scaled), 0, z(scaled));
    return;
  }
  const q = mulQuat(b.rotation, b.principal);
  const qx = x(q);
  const qy = y(q);
  const qz = z(q);
  const qw = w(q);
  const two: f32 = 2;
  // Columns of R.
  const c0 = vec3(<f32>1 - two * (qy * qy + qz * qz), two * (qx * qy + qz * qw), two * (qx * qz - qy * qw));
  const c1 = vec3(two * (qx * qy - qz * qw), <f32>1 - two * (qx * qx + qz * qz), two * (qy * qz + qx * qw));
  const c2 = vec3(two * (qx * qz + qy * qw), two * (qy * qz - qx * qw), <f32>1 - two * (qx * qx + qy * qy));
  // Rows of I = Σ dₖ cₖ cₖᵀ, scaled by the factors on both sides.
  const d0 = scale(c0, x(d));
  const d1 = scale(c1, y(d));
  const d2 = scale(c2, z(d));
  const rowX = mul(outerRow(new Columns(d0, d1, d2), new Weights(x(c0), x(c1), x(c2))), mul(f, splat(x(f))));
  const rowY = mul(outerRow(new Columns(d0, d1, d2), new Weights(y(c0), y(c1), y(c2))), mul(f, splat(y(f))));
  const rowZ = mul(outerRow(new Columns(d0, d1, d2), new Weights(z(c0), z(c1), z(c2))), mul(f, splat(z(f))));
  b.invInertiaA = rowX;
  b.invInertiaB = vec3(y(rowY), z(rowY), z(rowZ));
}

/** @value */
class Weights {
  w0: f32;
  w1: f32;
  w2: f32;
}

/** @inline @wide */
function outerRow(d: Columns, s: Weights): v128 {
  return d.c0 * splat(s.w0) + d.c1 * splat(s.w1) + d.c2 * splat(s.w2);
}

/** World inverse inertia times v. */
export function applyInverseInertia(b: Body, v: v128): v128 {
  const a = b.invInertiaA;
  const c = b.invInertiaB;
  const vx = x(v);
  const vy = y(v);
  const vz = z(v);
  return vec3(
    x(a) * vx + y(a) * vy + z(a) * vz,
    y(a) * vx + x(c) * vy + y(c) * vz,
    z(a) * vx + y(c) * vy + z(c) * vz,
  );
}
