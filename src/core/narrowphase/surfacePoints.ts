// The contact points of a convex shape with one mesh or heightfield, in the frame of the convex shape. In: points that
// triangle.ts finds. Out: a list in which each place has one point, the deepest, for surfaceClusters.ts to group.

import { dot, lengthSquared, neg, scale, sub, w } from '../math/vector';
import { CLUSTER } from '../tolerances';
import { MOST_CHOICES } from './clip';
import { Facet } from './facet';
import { Surface } from './surface';

/** A contact point, midway between the surfaces. @unmanaged */
export class SurfacePoint {
  position: v128; // lane 3: separation
  normal: v128; // from the convex shape to the surface
  feature: u32;
  triangle: i32;
  ofPlane: u16; // 1: the normal is that of the triangle
  ofBack: u16; // 1: it points out of the triangle's front, so the shape touches the back
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
  sides: i32; // number of normals of the manifolds of the last call, which follow
}
/** One for each manifold of a pair. */
const MOST_SIDES: i32 = 8;
const SIDES: usize = (offsetof<Look>() + 15) & ~15;
export const LOOK_BYTES: i32 = <i32>(SIDES + 16 * 8);

// What a side was at the last call.
export const SIDE_FRONT: i32 = 1; // the shape lay on the front of triangles
export const SIDE_PUSHES: i32 = 2; // it was pushed along the normal

/** Adds the normal of a side, out of the surface, in the frame of the shape; lane 3: SIDE_* bits. */
export function addSide(look: Look, n: v128): void {
  if (look.sides == MOST_SIDES) return;
  v128.store(changetype<usize>(look) + SIDES + ((<usize>look.sides) << 4), n);
  look.sides++;
}

/** Whether a side with such a bit had about this normal: a cosine above `alike`. */
export function hasSide(n: v128, bit: i32, alike: f32): bool {
  const look = surfaceContact().look;
  for (let i = 0; i < look.sides; i++) {
    const side = v128.load(changetype<usize>(look) + SIDES + ((<usize>i) << 4));
    if (<i32>w(side) & bit && dot(n, side) > alike) return true;
  }
  return false;
}

/** A convex shape, the observer, and the surface that it meets. @unmanaged */
export class SurfaceContact {
  position: v128; // of the convex shape
  rotation: v128;
  moved: v128; // m, motion of the shape up to the time at which its contacts act, world
  turn: v128; // rotation vector of the surface in this step, world
  look: Look;
  points: i32;
  clusters: i32;
  body: i32; // of the convex shape; 0: a query, which has none
  end: i32; // of the gathered triangles
  beyond: f32; // m, a lower bound of the distance to the others
  normals: i32; // bit per cluster: its normal is known
  same: f32; // m². Points that are closer than this are one
  seam: f32; // m. Surfaces whose borders are closer than this count as joined
  together: f32; // cosine. Points whose normals differ by less share a manifold
  skin: f32; // m, margin of the surface
  nearby: f32; // m. Points farther away than the deepest by this weigh half in the normal
  mixed: i32; // 1: materials have coefficients of their own
  anyway: u32; // the surface, in a second pass over triangles that excluded each other's contacts; otherwise 0
  least: f32; // m, motion against a triangle in this step from which on a ball can meet it
  gap: f32; // m, of a ball to the nearest triangle that it can meet in this step
  soon: f32; // share of the step's motion after which it can meet the first triangle; INFINITE if there is none
  met: f32; // that time, as a share of the step; −1: its start
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
  describe(surfacePoint(added), t, feature, 1);
}

/** Adds a point in which it touches an edge or a corner. Lane 3 of p: separation; n: from the shape to the surface. */
export function addRidgePoint(t: Facet, p: v128, n: v128, feature: u32): void {
  const added = place(p, n);
  if (added < 0) return;
  describe(surfacePoint(added), t, feature, 0);
}

/** @inline */
function describe(point: SurfacePoint, t: Facet, feature: u32, ofPlane: u16): void {
  point.triangle = t.index;
  point.feature = feature;
  point.ofPlane = ofPlane;
  point.ofBack = dot(point.normal, t.front) > 0 ? 1 : 0;
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
