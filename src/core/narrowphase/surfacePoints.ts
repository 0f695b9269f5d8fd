// The contact points of a convex shape with one mesh or heightfield, in the frame of the convex shape. In: points that
// triangle.ts finds. Out: a list in which each place has one point, the deepest, for surfaceClusters.ts to group.

import { dot, lengthSquared, neg, scale, sub, w } from '../math/vector';
import { CLUSTER, SAME_SIDE } from '../tolerances';
import { MOST_CHOICES } from './clip';
import { Facet } from './facet';
import { Surface } from './surface';

/** A contact point, midway between the surfaces. @unmanaged */
export class SurfacePoint {
  position: v128; // lane 3: separation
  normal: v128; // from the convex shape to the surface
  feature: u32;
  triangle: i32;
  ofPlane: i32; // 1: the normal is that of the triangle
  cluster: i32; // number, -1 none
}
const POINT_SIZE: usize = offsetof<SurfacePoint>();
export const MOST_POINTS: i32 = MOST_CHOICES - 16;
const POINTS: usize = memory.data(48 * 160, 16);

/** Region to examine, and the tolerances. @unmanaged */
export class Look {
  ahead: v128; // displacement of the convex shape relative to the surface in this step, world
  turn: v128; // rotation vector of the convex shape relative to the surface in this step, world
  mostTilt: f32; // rad; contact planes that the rotation tilts farther count only ...
  sunk: f32; // m; ... at points with at least this penetration
  margin: f32; // m; up to this distance a bound of the distance is found
  turning: f32; // m, how far rotation moves the points of the shapes
  still: f32; // m, distance at which shapes get contact points that do not come nearer
  near: f32; // m; if there are points nearer than this and the motion of the step, only those are kept
  together: f32; // cosine; points of a shape with corners share a manifold if their normals differ by less
  fronts: i32; // number of normals of fronts on which the shape lay at the last call, which follow
}
/** Most fronts: one for each manifold of a pair. */
const MOST_FRONTS: i32 = 8;
const FRONTS: usize = (offsetof<Look>() + 15) & ~15;
export const LOOK_BYTES: i32 = <i32>(FRONTS + 16 * 8);

/** Adds the normal of a front on which the shape lay, in the frame of the shape. */
export function addFront(look: Look, n: v128): void {
  if (look.fronts == MOST_FRONTS) return;
  v128.store(changetype<usize>(look) + FRONTS + ((<usize>look.fronts) << 4), n);
  look.fronts++;
}

/** Whether the shape lay on a front with about this normal. Fronts of floors do not count for ceilings. */
export function layOnFront(look: Look, n: v128): bool {
  for (let i = 0; i < look.fronts; i++)
    if (dot(n, v128.load(changetype<usize>(look) + FRONTS + ((<usize>i) << 4))) > SAME_SIDE) return true;
  return false;
}

/** A convex shape, the observer, and the surface that it meets. @unmanaged */
export class SurfaceContact {
  position: v128; // of the convex shape
  rotation: v128;
  look: Look;
  points: i32;
  clusters: i32;
  body: i32; // of the convex shape; 0: a query, which has none
  end: i32; // of the gathered triangles
  same: f32; // m². Points that are closer than this are one
  seam: f32; // m. Surfaces whose borders are closer than this count as joined
  together: f32; // cosine. Points whose normals differ by less share a manifold
  skin: f32; // m, margin of the surface
  nearby: f32; // m. Points farther away than the deepest by this weigh half in the normal
  mixed: i32; // 1: materials have coefficients of their own
  anyway: u32; // the surface, in a second pass over triangles that excluded each other's contacts; otherwise 0
  gap: f32; // m, of a ball to the nearest triangle that it can meet in this step
  soon: f32; // share of the step's motion after which it can meet the first triangle; above 1: none in this step
  met: f32; // share of the step after which it meets the surface, where its contacts are; −1: that was not looked for
}
const SURFACE_CONTACT: usize = memory.data(offsetof<SurfaceContact>(), 16);
const SURFACE: usize = memory.data(offsetof<Surface>(), 16);

/** The one at hand. @inline */
export function surfaceContact(): SurfaceContact {
  return changetype<SurfaceContact>(SURFACE_CONTACT);
}
/** Its surface. @inline */
export function surfaceAtHand(): Surface {
  return changetype<Surface>(SURFACE);
}
/** @inline */
export function surfacePoint(i: i32): SurfacePoint {
  return changetype<SurfacePoint>(POINTS + <usize>i * POINT_SIZE);
}
/** @inline */
export function separationOf(p: SurfacePoint): f32 {
  return w(p.position);
}
/** @inline */
export function copyPoint(to: i32, from: i32): void {
  if (to != from)
    memory.copy(changetype<usize>(surfacePoint(to)), changetype<usize>(surfacePoint(from)), POINT_SIZE);
}

/** Adds a point in which the shape touches a triangle along the normal of its plane. */
export function addPlanePoint(t: Facet, p: v128, separation: f32, feature: u32): void {
  const added = place(f32x4.replace_lane(p, 3, separation), neg(t.normal));
  if (added < 0) return;
  describe(surfacePoint(added), t.index, feature, 1);
}

/** Adds a point in which it touches an edge or a corner. Lane 3 of p: separation; n: from the shape to the surface. */
export function addRidgePoint(t: Facet, p: v128, n: v128, feature: u32): void {
  const added = place(p, n);
  if (added < 0) return;
  describe(surfacePoint(added), t.index, feature, 0);
}

/** @inline */
function describe(point: SurfacePoint, triangle: i32, feature: u32, ofPlane: i32): void {
  point.triangle = triangle;
  point.feature = feature;
  point.ofPlane = ofPlane;
}

/** Index of the point that gets this position and normal; −1 if there is a deeper one at the same place. */
function place(p: v128, n: v128): i32 {
  const c = surfaceContact();
  // The margin's surface lies in front of the triangle.
  if (c.skin != 0) p = sub(p, f32x4.replace_lane(scale(n, <f32>0.5 * c.skin), 3, c.skin));
  let i = 0;
  for (; i < c.points; i++) {
    const other = surfacePoint(i);
    if (lengthSquared(sub(other.position, p)) > c.same || dot(other.normal, n) < CLUSTER) continue;
    if (separationOf(other) <= w(p)) return -1;
    break;
  }
  if (i == c.points) c.points++;
  surfacePoint(i).position = p;
  surfacePoint(i).normal = n;
  return i;
}
