// The triangle at hand, in the frame of the convex shape that may touch it.

import { cross, dot, sub } from '../math/vector';
import { cornerAt, Surface } from './surface';

/** @unmanaged */
export class Facet {
  v0: v128;
  v1: v128;
  v2: v128;
  normal: v128; // unit, of its plane, towards the shape's origin
  front: v128; // of its front, with the length of twice the area
  nearest: v128; // for a ball: the point closest to its centre, if it is not inside of the triangle
  way: v128; // m, displacement of the shape relative to the surface in this step
  lowest: v128; // the point of the shape's core that is farthest against the normal
  surface: Surface;
  index: i32; // of the triangle, on its surface
  height: f32; // m, of the shape's origin above the plane
  size: f32; // m, of the shape: the unit of the tolerances
  maxSeparation: f32; // m, of a contact point
  still: f32; // m, the same for shapes that do not come nearer, but ...
  near: f32; // m; ... at most so much more than they come nearer
  turning: f32; // m, how far rotation moves their points in this step
  feature: i32; // where the closest point lies: see nearestOnTriangle
  face: i32; // the face of the shape above which the triangle's lowest corner is highest
  above: f32; // m, its height above this face of a box
}
const FACET: usize = memory.data(offsetof<Facet>(), 16);

/** There is one at a time. @inline */
export function facetAtHand(): Facet {
  return changetype<Facet>(FACET);
}

/** Triangle t of a surface, for a shape of this size. */
export function setFacet(s: Surface, t: i32, size: f32): Facet {
  const facet = facetAtHand();
  facet.v0 = cornerAt(s, t, 0);
  facet.v1 = cornerAt(s, t, 1);
  facet.v2 = cornerAt(s, t, 2);
  facet.surface = s;
  facet.index = t;
  facet.size = size;
  return facet;
}

/** m. The largest separation along n, from the surface to the shape, at which they can touch in this step. @inline */
export function reachAlong(t: Facet, n: v128): f32 {
  const closing = t.turning - min<f32>(0, dot(n, t.way));
  return min(t.maxSeparation, max<f32>(closing, min<f32>(t.still, closing + t.near)));
}

/** Corner 0, 1 or 2. @inline */
export function facetCorner(t: Facet, i: i32): v128 {
  return v128.load(changetype<usize>(t) + ((<usize>i) << 4));
}

/** The normal in the order of the corners, with the length of twice the area. @inline */
export function windingNormal(t: Facet): v128 {
  return cross(sub(t.v1, t.v0), sub(t.v2, t.v0));
}

/** Whether the corners run counter-clockwise, seen from where d points to. @inline */
export function isCounterClockwise(t: Facet, d: v128): bool {
  return dot(d, windingNormal(t)) >= 0;
}
