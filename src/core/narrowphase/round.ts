// Contacts between spheres and capsules: a point or a segment with a radius. In: two shapes.
// Out: one point, or two where capsules lie side by side. Closed forms; see Ericson, Real-Time
// Collision Detection, 5.1.2 and 5.1.9, for the closest points.

import { add, addScaled, cross, dot, length, neg, perpendicular, scale, sub, vec3 } from '../math/vector';
import { ManifoldResult, Shape } from '../memory/records';
import { shapeAxisY } from '../shapes/shape';
import { addPoint, apart, singlePoint } from './manifold';

/** Squared distance below which two points have no direction from one to the other, in m². */
const NO_DIRECTION: f32 = 1e-30;
/** Squared sine of the angle below which two axes count as parallel: what f32 can tell. */
const PARALLEL: f32 = 1e-12;
// Capsules touch along a line where their axes part by less than this part of the sum of radii over
// the common length: the second point is then as good as the first.
const LINE_CONTACT: f32 = 0.05;
/** Squared sine of the largest angle between the axes of a line contact: 5.7°. */
const LINE_CONTACT_ANGLE: f32 = 0.01;
/** Ends closer than this part of the length count as the same, so that features do not flicker. */
const SAME_END: f32 = 1e-3;

/** @inline */
function clamp(value: f32, limit: f32): f32 {
  return max(-limit, min(limit, value));
}

export function collideSphereSphere(a: Shape, b: Shape, maxSeparation: f32, out: ManifoldResult): void {
  const up = vec3(0, 1, 0); // concentric: any direction, the same on every machine
  roundContact(a.position, sub(b.position, a.position), a.param0, b.param0, up, maxSeparation, out);
}

export function collideSphereCapsule(a: Shape, b: Shape, maxSeparation: f32, out: ManifoldResult): void {
  const axis = shapeAxisY(b);
  const d = sub(b.position, a.position);
  const t = clamp(-dot(axis, d), b.param1);
  roundContact(
    a.position,
    across(addScaled(d, axis, t), axis, t, b.param1),
    a.param0,
    b.param0,
    perpendicular(axis),
    maxSeparation,
    out,
  );
}

/**
 * The way d to a segment at right angles to it where it meets it between its ends: short ways are mostly rounding.
 * @inline
 */
function across(d: v128, axis: v128, t: f32, half: f32): v128 {
  return abs(t) < half ? addScaled(d, axis, -dot(axis, d)) : d;
}

/** Sphere of radius rA at pA against one of radius rB at pA + d. */
function roundContact(
  pA: v128,
  d: v128,
  rA: f32,
  rB: f32,
  fallback: v128,
  maxSeparation: f32,
  out: ManifoldResult,
): void {
  const distance2 = dot(d, d);
  let distance: f32 = 0;
  let n = fallback;
  if (distance2 > NO_DIRECTION) {
    distance = sqrt<f32>(distance2);
    n = scale(d, <f32>1 / distance);
  }
  const separation = distance - rA - rB;
  singlePoint(out, n, addScaled(pA, n, rA + <f32>0.5 * separation), separation, maxSeparation);
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

  // Closest points a + u·s and b + v·t: s on the line, then each clamped given the other. The cross
  // products keep their digits where 1 − (u·v)² would lose them, and all of them with v ∓ u, which is exact where the
  // axes are all but parallel.
  const uv = dot(u, v);
  const w = cross(u, addScaled(v, u, uv < 0 ? 1 : -1));
  const sine2 = dot(w, w);
  const crossing = sine2 > PARALLEL;
  const sLine = crossing ? dot(cross(r, v), w) / sine2 : ur;
  let s = clamp(sLine, hA);
  const tLine = uv * s - vr;
  const t = clamp(tLine, hB);
  s = clamp(uv * t + ur, hA);
  const d = across(across(addScaled(addScaled(r, v, t), u, -s), u, s, hA), v, t, hB);

  // Direction: at right angles to both axes where the closest points are inside both segments (this
  // holds for axes that cross, too), else from point to point. Axes that are nearer to parallel than to each other tell
  // their common normal worse than the points do.
  let n: v128;
  const distance2 = dot(d, d);
  const inside = abs(sLine) < hA && abs(tLine) < hB && sine2 * reach * reach > distance2;
  if (crossing && (inside || distance2 <= NO_DIRECTION)) {
    n = scale(w, <f32>1 / sqrt<f32>(sine2));
    if (dot(n, d) < 0) n = neg(n);
  } else if (distance2 > NO_DIRECTION) {
    n = scale(d, <f32>1 / sqrt<f32>(distance2));
  } else {
    n = perpendicular(u);
  }
  const separation = dot(d, n) - radii;
  if (separation > maxSeparation) return apart(out, separation);
  out.normal = n;

  // Side by side: two points at the ends of the common length, in A's parameter.
  const offset = <f32>0.5 * (a.param0 - b.param0);
  if (sine2 < LINE_CONTACT_ANGLE) {
    const half = abs(uv) * hB;
    const fromB = ur - half > -hA + SAME_END * hA;
    const toB = ur + half < hA - SAME_END * hA;
    const from = fromB ? ur - half : -hA;
    const to = toB ? ur + half : hA;
    const common = to - from;
    const limit = LINE_CONTACT * radii;
    if (common > <f32>0.02 * radii && sine2 * common * common < limit * limit) {
      const lowEndOfB: u32 = uv > 0 ? 2 : 3;
      linePoint(
        a,
        r,
        u,
        v,
        from,
        clamp(uv * from - vr, hB),
        offset,
        radii,
        maxSeparation,
        fromB ? lowEndOfB : 0,
        out,
      );
      linePoint(
        a,
        r,
        u,
        v,
        to,
        clamp(uv * to - vr, hB),
        offset,
        radii,
        maxSeparation,
        toB ? 5 - lowEndOfB : 1,
        out,
      );
      if (out.count > 0) return;
    }
  }
  // Midway between pA + n·rA and pB − n·rB.
  const middle = addScaled(addScaled(a.position, u, s), d, <f32>0.5);
  addPoint(out, addScaled(middle, n, offset), separation, 0);
}

/** A point of a line contact at parameter s of A's axis and t of B's. */
function linePoint(
  a: Shape,
  r: v128,
  u: v128,
  v: v128,
  s: f32,
  t: f32,
  offset: f32,
  radii: f32,
  maxSeparation: f32,
  end: u32,
  out: ManifoldResult,
): void {
  const pA = scale(u, s);
  const d = sub(addScaled(r, v, t), pA);
  const separation = dot(d, out.normal) - radii;
  if (separation > maxSeparation) return;
  const middle = addScaled(add(a.position, pA), d, <f32>0.5);
  addPoint(out, addScaled(middle, out.normal, offset), separation, 1 + end);
}
