// Seams between bodies. In: a new manifold of a moving body with a neighbour, and the contacts that the body has with
// others. Out: whether the manifold is one of an edge that lies within the common surface of two neighbours.
//
// Where tiles lie side by side, the side of each is covered by the next one, but a pair alone cannot know. Contact
// with T1 keeps the moving body above a plane. A second neighbour that lies below that plane as a whole cannot be
// reached without crossing it, so a contact with it along another normal only hinders: a ball would be lifted by the
// edge of the next tile, a box stopped by its side. Once the body is above the second tile, both normals agree.
// A wall or curb rises above the plane of the floor; then both contacts stay.
// Internal edges of meshes are found by their triangles instead (narrowphase/concave.ts).

import {
  add,
  addScaled,
  cross,
  dot,
  lengthSquared,
  neg,
  rotate,
  rotateInverse,
  splat,
  sub,
  zero,
} from '../math/vector';
import {
  BODY_DYNAMIC,
  BODY_STATIC,
  LIST_CONCAVE,
  LIST_SOLVED,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_MULTISPHERE,
  SHAPE_PLANE,
} from '../memory/constants';
import { BlockMeta, ContactBlock, ManifoldResult, Pair, PointMeta, Shape } from '../memory/records';
import {
  blockAt,
  bodyAt,
  metaAt,
  POINT_META_SIZE,
  POINT_METAS_OFFSET,
  pairAt,
  shapeAt,
  velocityAt,
  world,
} from '../memory/tables';
import { clusterPoint, clusterTop } from '../narrowphase/concave';
import {
  convexSize,
  coreRadius,
  Feature,
  faceCount,
  faceNormal,
  findFeature,
  support,
} from '../narrowphase/convex';
import { boxHalfExtents, shapeAxisY } from '../shapes/shape';
import { get3 } from './manifold';

/** 1 minus the cosine of 0.06°: normals that differ by less are the same. */
const SAME: f32 = 5e-7;
/** Of the size of the smaller shape: a neighbour that rises less above the plane is level with it. */
const LEVEL: f32 = 1e-3;

/** Cosine of 0.25°: a contact whose normal is this near to that of a face stands on the face. */
const ASKEW: f32 = 0.99999;
/** Of the size of M: by this much a plane that is askew may be off where M touches. */
const FAR: f32 = 0.01;
/** Of the half extent, and m: nearer to the edge of a face a contact is at its rim. */
const RIM: f32 = 0.05;
const LEAST_RIM: f32 = 2e-3;
/** m/s; what moves slower does not slide on to a neighbour. */
const STILL: f32 = 5e-3;
/** Of the speed of the body that slides over it: what moves slower stands still. */
const STANDS: f32 = 0.1;
/** Cosine beyond a right angle: the normal of an edge that is hidden does not point below the plane that hides it. */
const BELOW: f32 = -0.05;
const FEATURE: usize = memory.data(48 + 32 * 72, 16);
/** No cluster of a surface: the neighbour is convex, or a plane. */
const WHOLE: i32 = -1;

/**
 * If the manifold is one of a seam: the normal of the contact that hides it, from A to B of this pair, along which the
 * two may touch as well. Else 0.
 */
export function seamNormal(pair: Pair, m: ManifoldResult): v128 {
  return seamNormalAt(pair, m.normal, m.point0, m.separation0);
}

/** The same of a manifold that has a lane. */
export function seamNormalOfLane(pair: Pair): v128 {
  return seamNormalAt(pair, normalTo(pair, 1), centerOf(pair), gapOf(pair));
}

/** `normal` from A to B, `point` midway between the two. */
function seamNormalAt(pair: Pair, normal: v128, point: v128, separation: f32): v128 {
  const half = <f32>0.5 * separation;
  let by = zero();
  if (mayHide(pair, 0, normal, point))
    by = neg(hidingNormal(pair, 0, WHOLE, neg(normal), addScaled(point, normal, half)));
  if (lengthSquared(by) == 0 && mayHide(pair, 1, normal, point))
    by = hidingNormal(pair, 1, WHOLE, normal, addScaled(point, normal, -half));
  return by;
}

/**
 * A first look, which is enough for most contacts: M moves along, the neighbour has an edge there, and if it could move
 * it stands still, as what bodies slide over does: in a heap that tumbles nothing is a floor.
 */
function mayHide(pair: Pair, mine: i32, normal: v128, point: v128): bool {
  const slot = mine ? pair.bodyB : pair.bodyA;
  const m = bodyAt(slot);
  if (m.type != BODY_DYNAMIC || m.constraintCount < 2) return false;
  const other = shapeAt(mine ? pair.shapeA : pair.shapeB);
  if (other.type <= SHAPE_CAPSULE || other.type == SHAPE_MULTISPHERE || other.type == SHAPE_PLANE)
    return false;
  const v = velocityThere(mine ? pair.bodyA : pair.bodyB, point);
  const speed2 = lengthSquared(sub(velocityThere(slot, point), v));
  if (!(speed2 > STILL * STILL)) return false;
  if (bodyAt(other.body).type == BODY_DYNAMIC && lengthSquared(v) > STANDS * STANDS * speed2) return false;
  return other.type != SHAPE_BOX || !isOnFace(other, normal, point);
}

/** Whether the contact is one with the inside of a face of the box. */
function isOnFace(box: Shape, normal: v128, point: v128): bool {
  const along = f32x4.abs(rotateInverse(box.rotation, normal));
  const facing = f32x4.gt(along, splat(<f32>1 - SAME));
  if (!v128.any_true(facing)) return false;
  const half = boxHalfExtents(box);
  const p = f32x4.abs(rotateInverse(box.rotation, sub(point, box.position)));
  const rim = f32x4.max(f32x4.mul(half, splat(RIM)), splat(LEAST_RIM));
  const inside = v128.or(facing, f32x4.lt(p, sub(half, rim)));
  return (i32x4.bitmask(inside) & 7) == 7;
}

/** Whether cluster k, found last on the surface of the pair, is one of a seam; `n` points from the surface to the body. */
export function isSeamOfCluster(pair: Pair, mine: i32, k: i32, n: v128): bool {
  const m = bodyAt(mine ? pair.bodyB : pair.bodyA);
  if (m.type != BODY_DYNAMIC || m.constraintCount < 2) return false;
  return lengthSquared(hidingNormal(pair, mine, k, n, clusterPoint(k, n))) > 0;
}

/** What a question about one contact of M asks of the others. */
@unmanaged
class Neighbour {
  n: v128; // normal of the contact, to M
  point: v128; // on the surface of the neighbour
  shape: u32; // of the neighbour
  cluster: i32; // of its surface, or WHOLE
  size: f32; // m, of M
  level: f32; // m
  own: u32; // shape of M
  reserved0: i32;
}
const ASKED: usize = memory.data(64, 16);
const HIDING: usize = memory.data(64, 16);

function setNeighbour(to: Neighbour, own: Shape, other: Shape, k: i32, n: v128, point: v128): void {
  to.n = n;
  to.point = point;
  to.shape = <u32>changetype<usize>(other);
  to.cluster = k;
  to.own = <u32>changetype<usize>(own);
  to.size = convexSize(own);
  to.level = LEVEL * (other.type < SHAPE_PLANE ? min(to.size, convexSize(other)) : to.size);
}

/** Normal of another contact of M, the body on side `mine`, below whose plane the neighbour of M lies; 0 if there is none. */
function hidingNormal(pair: Pair, mine: i32, k: i32, n: v128, point: v128): v128 {
  const m = bodyAt(mine ? pair.bodyB : pair.bodyA);
  const own = shapeAt(mine ? pair.shapeB : pair.shapeA);
  const asked = changetype<Neighbour>(ASKED);
  setNeighbour(asked, own, shapeAt(mine ? pair.shapeA : pair.shapeB), k, n, point);
  let link = m.firstPair;
  while (link >= 0) {
    const q = pairAt(link >> 1);
    const side = link & 1;
    link = side ? q.nextB : q.nextA;
    if (q == pair) continue;
    if (q.list == LIST_SOLVED) {
      if (hides(q, side, pair)) return normalTo(q, side);
    } else if (q.list == LIST_CONCAVE) {
      for (let child = q.firstChild; child >= 0; child = pairAt(child).next)
        if (hides(pairAt(child), side, pair)) return normalTo(pairAt(child), side);
    }
  }
  return zero();
}

/**
 * Whether M's contact q hides the one that is asked for. Of two that hide each other both stay: their normals differ by
 * rounding only. And what hides must not be hidden by a third, as at a corner of four tiles.
 */
function hides(q: Pair, side: i32, pair: Pair): bool {
  const asked = changetype<Neighbour>(ASKED);
  if (!isBelow(asked, q, side) || !goTogether(asked, q, side, pair)) return false;
  const shape = shapeAt(side ? q.shapeA : q.shapeB);
  if (shape.type > SHAPE_PLANE) return true;
  const hiding = changetype<Neighbour>(HIDING);
  setNeighbour(
    hiding,
    shapeAt(side ? q.shapeB : q.shapeA),
    shape,
    WHOLE,
    planeNormal(q, side),
    surfaceOf(q, side),
  );
  if (excess(hiding, asked.n, dot(asked.point, asked.n)) <= asked.level) return false;
  const m = bodyAt(side ? q.bodyB : q.bodyA);
  let link = m.firstPair;
  while (link >= 0) {
    const r = pairAt(link >> 1);
    const s = link & 1;
    link = s ? r.nextB : r.nextA;
    if (r == q || r == pair) continue;
    if (r.list == LIST_SOLVED) {
      if (isBelow(hiding, r, s)) return false;
    } else if (r.list == LIST_CONCAVE) {
      for (let child = r.firstChild; child >= 0; child = pairAt(child).next)
        if (isBelow(hiding, pairAt(child), s)) return false;
    }
  }
  return true;
}

/** Whether a neighbour of M lies below the plane of M's contact q. */
function isBelow(o: Neighbour, q: Pair, side: i32): bool {
  const along = normalTo(q, side);
  const facing = dot(along, o.n);
  if (facing > <f32>1 - SAME || facing < BELOW) return false;
  const far = o.level + FAR * o.size;
  if (dot(sub(o.point, centerOf(q)), along) > far + world().contactBreakingThreshold) return false;
  const there = surfaceOf(q, side);
  if (dot(sub(o.point, there), along) > far) return false;
  const m = planeNormal(q, side);
  const height = dot(there, m);
  return dot(m, o.n) <= <f32>1 - SAME && excess(o, m, height) <= o.level && isAbove(o, q, side, m, height);
}

/** Of a compound another part may stand on that plane, while this one hangs below it. */
function isAbove(o: Neighbour, q: Pair, side: i32, m: v128, height: f32): bool {
  const own = changetype<Shape>(<usize>o.own);
  if (own == shapeAt(side ? q.shapeB : q.shapeA)) return true;
  const p = support(own, rotateInverse(own.rotation, neg(m)));
  return dot(add(own.position, rotate(own.rotation, p)), m) - coreRadius(own) >= height - o.level;
}

/** Whether the two neighbours move as one, in comparison with M: otherwise it is one of these that passes by the others. */
function goTogether(o: Neighbour, q: Pair, side: i32, pair: Pair): bool {
  const slot = side ? q.bodyB : q.bodyA;
  const theirs = velocityThere(slot == pair.bodyA ? pair.bodyB : pair.bodyA, o.point);
  const apart = lengthSquared(sub(velocityThere(side ? q.bodyA : q.bodyB, o.point), theirs));
  return <f32>4 * apart <= lengthSquared(sub(velocityThere(slot, o.point), theirs));
}

/** Velocity of the body's point at a place. */
function velocityThere(slot: i32, place: v128): v128 {
  const b = bodyAt(slot);
  if (b.type == BODY_STATIC) return zero();
  const v = velocityAt(slot);
  return add(v.linear, cross(v.angular, sub(place, b.position)));
}

/** How far the neighbour rises above a plane. */
function excess(o: Neighbour, m: v128, height: f32): f32 {
  const shape = changetype<Shape>(<usize>o.shape);
  if (o.cluster != WHOLE) return clusterTop(o.cluster, m) - height;
  if (shape.type == SHAPE_PLANE)
    return dot(shapeAxisY(shape), m) > <f32>1 - SAME ? dot(shape.position, m) - height : Infinity;
  if (shape.type > SHAPE_PLANE) return Infinity;
  const p = support(shape, rotateInverse(shape.rotation, m));
  return dot(add(shape.position, rotate(shape.rotation, p)), m) + coreRadius(shape) - height;
}

/**
 * Normal of the surface that M's contact q stands on, to M. The normal of the contact may be that of a face of M, which
 * stands a little askew; a metre away this is more than what tiles may differ by.
 */
function planeNormal(q: Pair, side: i32): v128 {
  const n = normalTo(q, side);
  const shape = shapeAt(side ? q.shapeA : q.shapeB);
  if (shape.type >= SHAPE_PLANE || faceCount(shape) == 0) return n;
  const f = changetype<Feature>(FEATURE);
  findFeature(shape, rotateInverse(shape.rotation, n), -1, f);
  if (f.face < 0 || f.facing < ASKEW) return n;
  return rotate(shape.rotation, faceNormal(shape, f.face));
}

/** Where the surface is that M's contact q stands on. */
function surfaceOf(q: Pair, side: i32): v128 {
  return addScaled(centerOf(q), normalTo(q, side), <f32>-0.5 * gapOf(q));
}

/** Gap at the centre of a manifold, which is the weighted mean of points midway between the two (manifold.ts). */
function gapOf(q: Pair): f32 {
  const spec = world().contactBreakingThreshold;
  const meta = changetype<usize>(metaAt(q.index >> 2)) + (usize(q.index & 3) << 2);
  const count = load<i32>(meta, offsetof<BlockMeta>('pointCount'));
  let sum: f32 = 0;
  let weights: f32 = 0;
  for (let i = 0; i < count; i++) {
    const s = load<f32>(
      meta + POINT_METAS_OFFSET + <usize>i * POINT_META_SIZE,
      offsetof<PointMeta>('baseSeparation'),
    );
    const weight = max<f32>(<f32>1e-6, min<f32>(1, <f32>2 - s / spec));
    sum += weight * s;
    weights += weight;
  }
  return weights > 0 ? sum / weights : 0;
}

/** @inline */
function laneOf(q: Pair): usize {
  return changetype<usize>(blockAt(q.index >> 2)) + ((<usize>(q.index & 3)) << 2);
}

/** Normal of the contact, towards the body on that side. @inline */
function normalTo(q: Pair, side: i32): v128 {
  const n = get3(laneOf(q) + offsetof<ContactBlock>('normalX'));
  return side ? n : neg(n);
}

/** Where the contact is, by the body that may be standing still. */
function centerOf(q: Pair): v128 {
  const a = bodyAt(q.bodyA);
  if (a.type != BODY_DYNAMIC) return add(a.position, get3(laneOf(q) + offsetof<ContactBlock>('centerAX')));
  return add(bodyAt(q.bodyB).position, get3(laneOf(q) + offsetof<ContactBlock>('centerBX')));
}
