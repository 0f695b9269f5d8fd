// Contacts between spheres and capsules: a point or a segment with a radius. In: two shapes. Out: one point, or two if
// capsules lie side by side. Closed forms; for the closest points see Ericson, Real-Time Collision Detection, 5.1.2 and
// 5.1.9.

import { add, addScaled, cross, dot, length, neg, perpendicular, scale, sub, vec3 } from '../math/vector';
import { ManifoldResult, Shape } from '../memory/records';
import { shapeAxisY } from '../shapes/shape';
import { LINE_CONTACT, LINE_CONTACT_ANGLE, ROUNDING, SAME_POINT } from '../tolerances';
import { addPoint, apart, ContactPoint, singlePoint } from './manifold';

// Share of the sum of radii. Capsules touch along a line if their axes diverge by less over their overlap: the second
// point is then as good as the first.

/** @inline */
function clamp(value: f32, limit: f32): f32 {
  return max(-limit, min(limit, value));
}

export function collideSphereSphere(a: Shape, b: Shape, maxSeparation: f32, out: ManifoldResult): void {
  const up = vec3(0, 1, 0); // concentric: any direction, the same on every machine
  roundContact(
    new Balls(a.position, sub(b.position, a.position), a.param0, b.param0),
    up,
    maxSeparation,
    out,
  );
}

export function collideSphereCapsule(a: Shape, b: Shape, maxSeparation: f32, out: ManifoldResult): void {
  const axis = shapeAxisY(b);
  const d = sub(b.position, a.position);
  const t = clamp(-dot(axis, d), b.param1);
  roundContact(
    new Balls(a.position, across(addScaled(d, axis, t), axis, t, b.param1), a.param0, b.param0),
    perpendicular(axis),
    maxSeparation,
    out,
  );
}

/**
 * The vector d to a segment, made orthogonal to it if it meets the segment between its ends: short vectors are mostly
 * rounding. @inline
 */
function across(d: v128, axis: v128, t: f32, half: f32): v128 {
  return abs(t) < half ? addScaled(d, axis, -dot(axis, d)) : d;
}

/** A sphere of radius rA at pA, and one of radius rB at pA + d. @value */
class Balls {
  pA: v128;
  d: v128;
  rA: f32;
  rB: f32;
}

function roundContact(balls: Balls, fallback: v128, maxSeparation: f32, out: ManifoldResult): void {
  const distance2 = dot(balls.d, balls.d);
  let distance: f32 = 0;
  let n = fallback;
  if (distance2 > f32.MIN_NORMAL_VALUE) {
    distance = sqrt<f32>(distance2);
    n = scale(balls.d, <f32>1 / distance);
  }
  const separation = distance - balls.rA - balls.rB;
  const point = addScaled(balls.pA, n, balls.rA + <f32>0.5 * separation);
  singlePoint(out, new ContactPoint(n, point, separation), maxSeparation);
}

export function collideCapsuleCapsule(a: Shape, b: Shape, maxSeparation: f32, out: ManifoldResult): void {
  const u = shapeAxisY(a);
  const v = shapeAxisY(b);
  const hA = a.param1;
  const hB = b.param1;
  const r = sub(b.position, a.position);
  const radii = a.param0 + b.param0;
  const ur = dot(u, r);
  const vr = dot(v, r);
  const reach = hA + hB + radii;
  const far = reach + maxSeparation;
  if (dot(r, r) > far * far) return apart(out, length(r) - reach);

  // Closest points a + u·s and b + v·t: s on the line, then each clamped given the other. Cross products keep the
  // digits that 1 − (u·v)² would lose, and all of them with v ∓ u, which is exact for nearly parallel axes.
  const uv = dot(u, v);
  const w = cross(u, addScaled(v, u, uv < 0 ? 1 : -1));
  const sine2 = dot(w, w);
  const crossing = sine2 > ROUNDING * ROUNDING;
  const sLine = crossing ? dot(cross(r, v), w) / sine2 : ur;
  let s = clamp(sLine, hA);
  const tLine = uv * s - vr;
  const t = clamp(tLine, hB);
  s = clamp(uv * t + ur, hA);
  const d = across(across(addScaled(addScaled(r, v, t), u, -s), u, s, hA), v, t, hB);

  // Direction: orthogonal to both axes if the closest points are inside both segments (also for crossing axes),
  // otherwise from point to point. If axes are nearly parallel compared with their distance, the points give a more
  // accurate normal than the axes.
  let n: v128;
  const distance2 = dot(d, d);
  const inside = abs(sLine) < hA && abs(tLine) < hB && sine2 * reach * reach > distance2;
  if (crossing && (inside || distance2 <= f32.MIN_NORMAL_VALUE)) {
    n = scale(w, <f32>1 / sqrt<f32>(sine2));
    if (dot(n, d) < 0) n = neg(n);
  } else if (distance2 > f32.MIN_NORMAL_VALUE) {
    n = scale(d, <f32>1 / sqrt<f32>(distance2));
  } else {
    n = perpendicular(u);
  }
  const separation = dot(d, n) - radii;
  if (separation > maxSeparation) return apart(out, separation);
  out.normal = n;

  // Side by side: two points at the ends of the overlap, in A's parameter.
  const offset = <f32>0.5 * (a.param0 - b.param0);
  if (sine2 < LINE_CONTACT_ANGLE) {
    const half = abs(uv) * hB;
    const fromB = ur - half > -hA + SAME_POINT * hA;
    const toB = ur + half < hA - SAME_POINT * hA;
    const from = fromB ? ur - half : -hA;
    const to = toB ? ur + half : hA;
    const common = to - from;
    const limit = LINE_CONTACT * radii;
    if (common > <f32>0.02 * radii && sine2 * common * common < limit * limit) {
      const lowEndOfB: u32 = uv > 0 ? 2 : 3;
      for (let i = 0; i < 2; i++) {
        // The point of A's axis at one end of the overlap, and from there to B's axis.
        const end: u32 = i == 0 ? (fromB ? lowEndOfB : 0) : toB ? 5 - lowEndOfB : 1;
        const along = i == 0 ? from : to;
        const pA = scale(u, along);
        const gap = sub(addScaled(r, v, clamp(uv * along - vr, hB)), pA);
        const separationThere = dot(gap, n) - radii;
        if (separationThere > maxSeparation) continue;
        const middle = addScaled(add(a.position, pA), gap, <f32>0.5);
        addPoint(out, addScaled(middle, n, offset), separationThere, 1 + end);
      }
      if (out.count > 0) return;
    }
  }
  // Midway between pA + n·rA and pB − n·rB.
  const middle = addScaled(addScaled(a.position, u, s), d, <f32>0.5);
  addPoint(out, addScaled(middle, n, offset), separation, 0);
}
