// Contact of a convex shape with a mesh or heightfield. In: both shapes, the speculative distance and the motion of
// this step. Out: clusters of contact points, each with one normal, which become manifolds of up to four points; or a
// lower bound of the distance. A contact at an edge or corner, whose normal is not that of a triangle, counts only if
// the surrounding surface falls away on all sides. This test uses Voronoi regions of the surrounding triangles instead
// of edge flags, so it works in the same way for seams inside a mesh, between meshes and between heightfields.

import { turn } from '../bodies/finalize';
import {
  add,
  addScaled,
  conjugate,
  dot,
  length,
  lengthSquared,
  mulQuat,
  neg,
  rotate,
  rotateInverse,
  scale,
  splat,
  sub,
  y,
  zero,
} from '../math/vector';
import { SHAPE_BARE_TO_BALLS, SHAPE_CAPSULE, SHAPE_CYLINDER, SHAPE_SPHERE } from '../memory/constants';
import { ManifoldResult, Shape } from '../memory/records';
import { bodyAt, motionOf, velocityAt, world } from '../memory/tables';
import { shapeAabb } from '../shapes/aabb';
import { coefficientCount } from '../shapes/coefficients';
import { convexSize, copyShape } from '../shapes/shape';
import {
  CLUSTER_ROUND,
  CYLINDER_SIDE,
  INFINITE,
  JOINED_BORDERS,
  LEAST_ASIDE,
  LEAST_RISE,
  MET,
  NEARBY_POINTS,
  ROLLS,
  SAME_MANIFOLD,
  SAME_POINT,
  SHALLOW,
  TOUCH,
} from '../tolerances';

import { facetAtHand, setFacet, windingNormal } from './facet';
import { leastBound, openTriangles, pickTriangle } from './fourTriangles';
import { leastOf } from './lanes';
import {
  cornerAt,
  gathered,
  gatherTriangles,
  neighbourOf,
  setSurface,
  tangentPlane,
  triangleRises,
} from './surface';
import { cluster, compact } from './surfaceClusters';
import {
  copyPoint,
  hasSide,
  Look,
  MOST_POINTS,
  SIDE_PUSHES,
  SurfacePoint,
  separationOf,
  surfaceAtHand,
  surfaceContact,
  surfacePoint,
} from './surfacePoints';
import { collideTriangle } from './triangle';

const AABB: usize = memory.data(32, 16);

/** Most positions that a ball takes on its way to the surface. */
const MOST_ADVANCES: i32 = 8;

const LOCAL: usize = memory.data(offsetof<Shape>(), 16);

/**
 * Finds the clusters of contacts; returns their number. separation0 of the result is the least gap, or a bound of it.
 */
export function collideConcave(a: Shape, b: Shape, look: Look, out: ManifoldResult): i32 {
  const c = surfaceContact();
  const s = surfaceAtHand();
  const size = convexSize(a);
  c.look = look;
  c.position = a.position;
  c.rotation = a.rotation;
  c.points = 0;
  c.clusters = 0;
  c.body = a.body;
  c.same = SAME_POINT * SAME_POINT * size * size;
  c.seam = JOINED_BORDERS * size;
  c.together = a.type <= SHAPE_CAPSULE ? CLUSTER_ROUND : look.together;
  // In Bullet only a ball's radius acts, whatever the margin of the mesh (btSphereTriangleCollisionAlgorithm.cpp).
  const bare =
    a.type == SHAPE_SPHERE && (world().contactErpMode != 0 || (b.flags & SHAPE_BARE_TO_BALLS) != 0);
  c.skin = bare ? 0 : b.margin;
  c.nearby = NEARBY_POINTS * size;
  c.mixed = coefficientCount(b) > 0 ? 1 : 0;
  c.anyway = 0;
  c.met = -1;
  c.moved = zero();
  c.least = MET;
  setSurface(s, b, a.position, a.rotation);

  // Bounds in the surface's frame of the region through which the convex shape moves in this step.
  const local = changetype<Shape>(LOCAL);
  copyShape(LOCAL, a);
  local.position = s.origin;
  local.rotation = mulQuat(conjugate(b.rotation), a.rotation);
  const motion = rotateInverse(b.rotation, look.ahead);
  shapeAabb(local, AABB);
  const skin = splat(b.margin);
  const least = splat(look.margin);
  const turning = splat(look.turning);
  const lo = sub(v128.load(AABB), add(skin, f32x4.pmax(least, sub(turning, f32x4.pmin(motion, zero())))));
  const hi = add(v128.load(AABB, 16), add(skin, f32x4.pmax(least, add(turning, f32x4.pmax(zero(), motion)))));
  c.end = gatherTriangles(s, lo, hi, 0);
  c.beyond = max(look.margin, look.turning) + s.apart;

  const gap = visitNear(a);
  // In a deep valley each triangle may leave the contact to another one, and none would act. Then take them all.
  if (gap < (c.points == 0 ? 0 : -c.nearby) && !anyTouches()) {
    c.anyway = <u32>changetype<usize>(b);
    visit(a, new Limits(0, 0, 0, 0));
    c.anyway = 0;
  }
  if (c.points > 0) keepTrue(look);
  if (c.points > 0) cluster();
  out.separation0 = gap;
  return c.clusters;
}

/**
 * Moves the contacts of a round shape. A ball that comes near to triangles has them where it meets the first of these in this step:
 * a normal at an edge is up to 20° off at the start of the step. A shape that is pushed by the surface on which it rolls or slides
 * has them at the middle of the step, as on convex shapes (contacts/foresee.ts); in a bowl it would gain energy. Separations become
 * what the motion closes along the new normals. `moving`: m, the part of the motion that is the shape's. Returns the
 * number of clusters; 0 if the ball passes by.
 */
export function moveAhead(a: Shape, b: Shape, moving: v128, dt: f32): i32 {
  const c = surfaceContact();
  const look = c.look;
  let way = rotateInverse(a.rotation, look.ahead);
  let rolls = false;
  for (let i = 0; i < c.points; i++) {
    const p = surfacePoint(i);
    if (!carries(p)) continue;
    rolls = a.type != SHAPE_CYLINDER || abs(y(p.normal)) < CYLINDER_SIDE;
    way = addScaled(way, p.normal, -max<f32>(0, dot(p.normal, way)));
  }
  c.least = rolls ? LEAST_RISE * length(way) : MET;
  rolls = rolls && length(way) > LEAST_ASIDE * a.param0;
  let near = false;
  for (let i = 0; a.type == SHAPE_SPHERE && i < c.points; i++) {
    const p = surfacePoint(i);
    const along = dot(p.normal, way);
    if (carries(p) || along < max(c.least, separationOf(p))) continue;
    if (separationOf(p) < TOUCH) return c.clusters;
    // Straight ahead the normal stays.
    near = near || c.points > 1 || length(addScaled(way, p.normal, -along)) > LEAST_ASIDE * a.param0;
  }
  if (!near && !rolls) return c.clusters;
  const ahead = look.ahead;
  look.ahead = rotate(a.rotation, way);
  c.moved = add(sub(moving, ahead), look.ahead);
  c.turn = scale(velocityAt(b.body).angular, dt);
  let t: f32 = 0;
  let meets = near;
  for (let i = 1; meets; i++) {
    find(a, b, t);
    if (c.gap < MET || i == MOST_ADVANCES) break;
    t += c.soon;
    meets = t <= 1;
  }
  if (!meets) t = rolls ? 0.5 : 0;
  while (!meets) {
    if (t == 0) look.ahead = ahead;
    find(a, b, t);
    let to = 0;
    for (let i = 0; near && i < c.points; i++) {
      const p = surfacePoint(i);
      if (carries(p) || dot(p.normal, way) < c.least) copyPoint(to++, i);
    }
    if (near) c.points = to;
    // Beyond its border another surface may carry a part of the shape (contacts/seams.ts).
    if (t == 0 || (c.points > 0 && !reachesBorder(a))) break;
    t = 0;
  }
  if (t > 0) c.met = t;
  c.moved = scale(c.moved, t);
  for (let i = 0; i < c.points; i++) {
    const p = surfacePoint(i);
    p.position = f32x4.replace_lane(p.position, 3, separationOf(p) + t * dot(p.normal, way));
  }
  cluster();
  return c.clusters;
}

/** Whether a contact is within the size of the shape from a border of its triangle. */
function reachesBorder(a: Shape): bool {
  const c = surfaceContact();
  const s = surfaceAtHand();
  const size = convexSize(a);
  for (let i = 0; i < c.points; i++) {
    const t = surfacePoint(i).triangle;
    const at = f32x4.replace_lane(surfacePoint(i).position, 3, 0);
    for (let k = 0; k < 3; k++) {
      if (neighbourOf(s, t, k) >= 0) continue;
      const p = sub(cornerAt(s, t, k), at);
      const e = sub(sub(cornerAt(s, t, k == 2 ? 0 : k + 1), at), p);
      const along = max<f32>(0, min<f32>(1, -dot(p, e) / dot(e, e)));
      if (length(addScaled(p, e, along)) < size) return true;
    }
  }
  return false;
}

/** Whether the shape rolls or slides on the surface there. */
function carries(p: SurfacePoint): bool {
  return separationOf(p) < ROLLS && hasSide(neg(p.normal), SIDE_PUSHES, SAME_MANIFOLD);
}

/** Finds the points of the gathered triangles where both shapes will be after a share of the motion. */
function find(a: Shape, b: Shape, t: f32): void {
  const c = surfaceContact();
  const body = bodyAt(b.body).position;
  const later = changetype<Shape>(LOCAL);
  copyShape(LOCAL, b);
  later.rotation = turn(b.rotation, scale(c.turn, t));
  const arm = rotate(later.rotation, rotateInverse(b.rotation, sub(b.position, body)));
  later.position = addScaled(add(body, arm), motionOf(b.body), t);
  c.position = addScaled(a.position, c.moved, t);
  c.points = 0;
  setSurface(surfaceAtHand(), later, c.position, a.rotation);
  visitNear(a);
}

/** Finds the points of the gathered triangles that the shape can touch in this step; returns a bound of the distance. */
function visitNear(a: Shape): f32 {
  const c = surfaceContact();
  const look = c.look;
  const most = max(look.still, look.turning + length(look.ahead));
  const gap = visit(a, new Limits(most, look.still, look.turning, look.near));
  if (c.points > 0 || gap > most || look.near + look.turning >= look.still) return gap;
  return visit(a, new Limits(most, look.still, look.turning, INFINITE));
}

/** Removes points whose contact plane tilts too far in this step, unless they penetrate. */
function keepTrue(look: Look): void {
  const c = surfaceContact();
  const most = look.mostTilt * look.mostTilt;
  if (lengthSquared(look.turn) <= most) return;
  const turn = rotateInverse(c.rotation, look.turn);
  let to = 0;
  for (let i = 0; i < c.points; i++) {
    const p = surfacePoint(i);
    const tilt = addScaled(turn, p.normal, -dot(turn, p.normal));
    if (lengthSquared(tilt) <= most || separationOf(p) <= -look.sunk) copyPoint(to++, i);
  }
  c.points = to;
}

/** Whether there is a point with penetration. */
function anyTouches(): bool {
  for (let i = 0; i < surfaceContact().points; i++) if (separationOf(surfacePoint(i)) < 0) return true;
  return false;
}

/** m, see Facet. @value */
class Limits {
  maxSeparation: f32;
  still: f32;
  turning: f32;
  near: f32;
}

/** Finds the points of all gathered triangles that are near enough; returns a bound of the distance. */
function visit(a: Shape, limits: Limits): f32 {
  const c = surfaceContact();
  const s = surfaceAtHand();
  const size = convexSize(a);
  // The pass over triangles that exclude each other asks what overlaps now, wherever the shapes move.
  c.gap = INFINITE;
  c.soon = INFINITE;
  const way = c.anyway ? zero() : rotateInverse(a.rotation, c.look.ahead);
  let gap = c.beyond;
  const triangle = facetAtHand();
  triangle.surface = s;
  triangle.size = size;
  triangle.maxSeparation = limits.maxSeparation + c.skin;
  triangle.still = limits.still + c.skin;
  triangle.turning = limits.turning + c.skin;
  triangle.near = limits.near;
  triangle.way = way;
  let bounds = splat(INFINITE);
  for (let i = 0; i < c.end; i += 4) {
    let open = openTriangles(a, triangle, i, c.end);
    bounds = f32x4.pmin(bounds, leastBound());
    for (; open != 0; open &= open - 1) {
      const lane = ctz(open);
      pickTriangle(a, triangle, gathered(i + lane), lane);
      gap = min(gap, collideTriangle(a, triangle) - c.skin);
      if (c.points >= MOST_POINTS - 8) compact();
    }
  }
  if (c.points > 1) dropBeneath(size);
  return min(gap, leastOf(bounds) - c.skin);
}

/**
 * Removes contacts with the backs of triangles that are wholly below another one on which the shape lies: it is outside of the corner
 * between them, even if it is sunk a little. Otherwise what slides over the rim of a table would hit the table's side from within.
 */
function dropBeneath(size: f32): void {
  const c = surfaceContact();
  let beneath = 0;
  for (let i = 0; i < c.points; i++) {
    const p = surfacePoint(i);
    p.cluster = p.ofBack && isBeneath(p, size) ? 1 : 0;
    beneath |= p.cluster;
  }
  if (!beneath) return;
  let to = 0;
  for (let i = 0; i < c.points; i++) if (surfacePoint(i).cluster == 0) copyPoint(to++, i);
  c.points = to;
}

function isBeneath(p: SurfacePoint, size: f32): bool {
  const c = surfaceContact();
  const s = surfaceAtHand();
  const t = setFacet(s, p.triangle, size);
  const front = scale(windingNormal(t), s.mirror);
  const back = scale(front, <f32>-1 / length(front));
  for (let i = 0; i < c.points; i++) {
    const q = surfacePoint(i);
    if (!q.ofPlane || separationOf(q) > TOUCH || separationOf(q) < -SHALLOW * size) continue;
    if (
      !triangleRises(s, p.triangle, tangentPlane(cornerAt(s, q.triangle, 0), neg(q.normal), size)) &&
      triangleRises(s, q.triangle, tangentPlane(t.v0, back, size))
    )
      return true;
  }
  return false;
}
