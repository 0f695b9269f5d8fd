// Torque-free rotation of four bodies with two equal moments of inertia: capsules, cylinders, cones, square bars. In: axes e
// of symmetry in the world, κ = moment about it / moment across it − 1, angular velocities ω. Out: rotation in the time h.
//
// Ω = ω + κ(e·ω)e is the angular momentum per moment across the axis. The body rotates about this fixed direction at |Ω|,
// and about its own axis at −κ(e·ω); both rates are constant (Landau, Lifshitz, Mechanics, § 33). So two rotations are
// exact for any h, where freeRotation.ts approximates that of three different moments by five.

import { splat } from '../math/vector';
import { crossW, dotW, gatherQuatW, QuatW, rotateW, Vec3W } from '../math/wide';
import { bodiesAt } from '../memory/wide';

/** Rotation of four such bodies, in lanes. @unmanaged */
export class TopTurn {
  axisX: v128; // e before
  axisY: v128;
  axisZ: v128;
  wobble: v128; // κ(e·ω), rad/s
  aX: v128; // the rotation about Ω, as the vector part of a quaternion whose real part is 1
  aY: v128;
  aZ: v128;
  dX: v128; // both rotations; not normalised
  dY: v128;
  dZ: v128;
  dW: v128;
}

const TURN: usize = memory.data(offsetof<TopTurn>(), 16);

/** What turnAsTops sets, until its next call. @inline */
export function topTurn(): TopTurn {
  return changetype<TopTurn>(TURN);
}

/** Sets the rotation of bodies with the angular velocities w in the time h. @wide */
export function turnAsTops(slots: v128, w: Vec3W, h: v128): void {
  const s = topTurn();
  const symmetry = gatherQuatW(bodiesAt(slots).symmetry);
  const e = rotateW(gatherQuatW(bodiesAt(slots).rotation), new Vec3W(symmetry.x, symmetry.y, symmetry.z));
  const half = h * splat(0.5);
  const wobble = dotW(e, w) * symmetry.w;
  const about = (w + e * wobble) * half;
  const own = e * (f32x4.neg(wobble) * half);
  const a = about * tangentShare(dotW(about, about));
  const b = own * tangentShare(dotW(own, own));
  const v = a + b + crossW(a, b);
  s.axis = e;
  s.wobble = wobble;
  s.a = a;
  s.d = new QuatW(v.x, v.y, v.z, splat(1) - dotW(a, b));
}

/**
 * tan x / x of x², by series. Beyond 2 rad, which no valid speed causes, the series has the value of 2 rad, so that a quaternion
 * stays in the range of f32. @wide
 */
function tangentShare(x2: v128): v128 {
  const s = f32x4.pmin(splat(4), x2);
  return (
    splat(1) +
    s * (splat(0.33333334) + s * (splat(0.13333334) + s * (splat(0.053968254) + s * splat(0.021869488))))
  );
}
