// Sphere against box. In: sphere A, box B. Out: one point. The closest point of a box is the centre clamped to it
// (Ericson, 5.1.4); a centre inside the box is pushed out through the nearest face.

import { abs3, addScaled, dot, neg, rotate, rotateInverse, scale, sub, vec3, x, y, z } from '../math/vector';
import { ManifoldResult, Shape } from '../memory/records';
import { boxHalfExtents } from '../shapes/shape';
import { apart, ContactPoint, singlePoint } from './manifold';

export function collideSphereBox(a: Shape, b: Shape, maxSeparation: f32, out: ManifoldResult): void {
  const half = boxHalfExtents(b);
  const center = rotateInverse(b.rotation, sub(a.position, b.position));
  const closest = f32x4.pmax(neg(half), f32x4.pmin(half, center));
  // Each component of d is exact or zero, so its direction is accurate even if it is short.
  const d = sub(center, closest);
  const distance2 = dot(d, d);
  let separation: f32;
  let outward: v128; // box to sphere, in the box's frame
  if (distance2 > f32.MIN_NORMAL_VALUE) {
    const distance = sqrt<f32>(distance2);
    separation = distance - a.param0;
    if (separation > maxSeparation) return apart(out, separation);
    outward = scale(d, <f32>1 / distance);
  } else {
    const room = sub(half, abs3(center)); // to each pair of faces
    const rx = x(room);
    const ry = y(room);
    const rz = z(room);
    if (rx <= ry && rx <= rz) outward = vec3(x(center) < 0 ? -1 : 1, 0, 0);
    else if (ry <= rz) outward = vec3(0, y(center) < 0 ? -1 : 1, 0);
    else outward = vec3(0, 0, z(center) < 0 ? -1 : 1);
    separation = -min(min(rx, ry), rz) - a.param0;
  }
  const n = neg(rotate(b.rotation, outward));
  singlePoint(
    out,
    new ContactPoint(n, addScaled(a.position, n, a.param0 + <f32>0.5 * separation), separation),
    maxSeparation,
  );
}
