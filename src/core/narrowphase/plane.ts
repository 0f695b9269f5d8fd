// Contacts with a static plane. In: a convex shape A and the plane B (local +Y is its normal, the solid half-space is
// below). Out: the deepest points of A, up to 4; the normal is minus the plane's normal.

import { add, addScaled, dot, neg, scale, sub } from '../math/vector';
import { ManifoldResult, Shape } from '../memory/records';
import { shapeAxisX, shapeAxisY, shapeAxisZ } from '../shapes/shape';
import { SAME_POINT } from '../tolerances';
import { addPoint, apart, ContactPoint, singlePoint } from './manifold';

export function collideSpherePlane(a: Shape, b: Shape, maxSeparation: f32, out: ManifoldResult): void {
  const n = shapeAxisY(b);
  const height = dot(n, sub(a.position, b.position));
  const middle = addScaled(a.position, n, <f32>-0.5 * (height + a.param0));
  singlePoint(out, new ContactPoint(neg(n), middle, height - a.param0), maxSeparation);
}

export function collideCapsulePlane(a: Shape, b: Shape, maxSeparation: f32, out: ManifoldResult): void {
  const n = shapeAxisY(b);
  const axis = shapeAxisY(a);
  const radius = a.param0;
  const height = dot(n, sub(a.position, b.position));
  const rise = dot(n, axis) * a.param1;
  const lowest = height - abs(rise) - radius;
  if (lowest > maxSeparation) return apart(out, lowest);
  out.normal = neg(n);
  for (let end = 0; end < 2; end++) {
    const side: f32 = end == 0 ? -1 : 1;
    const endHeight = height + side * rise;
    if (endHeight - radius > maxSeparation) continue;
    if (a.param1 < SAME_POINT * radius && side * rise > 0) continue;
    const p = addScaled(a.position, axis, side * a.param1);
    addPoint(out, addScaled(p, n, <f32>-0.5 * (endHeight + radius)), endHeight - radius, end);
  }
}

/** The corners of the face that faces the plane; the deepest corner is always among them. */
export function collideBoxPlane(a: Shape, b: Shape, maxSeparation: f32, out: ManifoldResult): void {
  const n = shapeAxisY(b);
  const ex = scale(shapeAxisX(a), a.param0);
  const ey = scale(shapeAxisY(a), a.param1);
  const ez = scale(shapeAxisZ(a), a.param2);
  // Rise of each half edge, and its slope. The face is chosen by slope, so that a thin plate rests on its broad side
  // even if the tilt lifts that side by more than the plate's thickness.
  const riseX = dot(n, ex);
  const riseY = dot(n, ey);
  const riseZ = dot(n, ez);
  const height = dot(n, sub(a.position, b.position));
  const lowest = height - abs(riseX) - abs(riseY) - abs(riseZ);
  if (lowest > maxSeparation) return apart(out, lowest);
  out.normal = neg(n);
  const slopeX = abs(riseX) * a.param1 * a.param2;
  const slopeY = abs(riseY) * a.param2 * a.param0;
  const slopeZ = abs(riseZ) * a.param0 * a.param1;
  let face = 0;
  if (slopeY > slopeX) face = 1;
  if (slopeZ > max(slopeX, slopeY)) face = 2;
  // The face's outward half edge, and the two half edges along it.
  let out0 = ex;
  let u = ey;
  let v = ez;
  let rise = riseX;
  let riseU = riseY;
  let riseV = riseZ;
  if (face == 1) {
    out0 = ey;
    u = ez;
    v = ex;
    rise = riseY;
    riseU = riseZ;
    riseV = riseX;
  } else if (face == 2) {
    out0 = ez;
    u = ex;
    v = ey;
    rise = riseZ;
    riseU = riseX;
    riseV = riseY;
  }
  const up = rise > 0;
  const center = up ? sub(a.position, out0) : add(a.position, out0);
  const centerHeight = height - abs(rise);
  const feature = <u32>(face << 3) | (up ? 4 : 0);
  for (let corner = 0; corner < 4; corner++) {
    const su: f32 = corner & 1 ? 1 : -1;
    const sv: f32 = corner & 2 ? 1 : -1;
    const h = centerHeight + su * riseU + sv * riseV;
    if (h > maxSeparation) continue;
    const p = addScaled(addScaled(center, u, su), v, sv);
    addPoint(out, addScaled(p, n, <f32>-0.5 * h), h, feature | corner);
  }
}
