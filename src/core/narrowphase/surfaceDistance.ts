// Distance and sweeps of a convex shape and a mesh or heightfield: the triangle that is closest, deepest penetrated, or
// hit first. In: both shapes. Out: as in distance.ts, with the triangle's number in the user's order. A surface has no
// inside: a shape that overlaps a triangle leaves it over a ridge or on the side of the shape's origin, as for
// contacts. One-sided surfaces exist only for shapes whose origin is in front of a triangle.

import {
  add,
  addScaled,
  conjugate,
  cross,
  dot,
  identityQuat,
  length,
  mulQuat,
  neg,
  normalizeOr,
  rotate,
  rotateInverse,
  scale,
  splat,
  sub,
  vec3,
  zero,
} from '../math/vector';
import { SHAPE_SPHERE } from '../memory/constants';
import { Shape } from '../memory/records';
import { Path, Shapes } from '../memory/values';
import { shapeAabb } from '../shapes/aabb';
import { convexSize } from '../shapes/shape';
import { ANY_DISTANCE, MISS, ROUNDING, TOUCHING } from '../tolerances';
import { nearestOnTriangle, nearestPoint } from './closestOnTriangle';
import { coreRadius, support } from './convex';
import {
  answer,
  convexDistance,
  convexGap,
  DISTANCE_POINT_A,
  DISTANCE_POINT_B,
  DISTANCE_TRIANGLE_B,
  simpleDistance,
} from './convexDistance';
import { setFacet } from './facet';
import { askForNobody, mayTouchAlong } from './ridges';
import { cornerAt, Surface, setSurface, userTriangle } from './surface';
import { nextTriangle, startWalk, triangleShape } from './surfaceWalk';

const AABB: usize = memory.data(32, 16);

const VIEW: usize = memory.data(offsetof<Surface>(), 16);
const LOCAL: usize = memory.data(offsetof<Shape>(), 16);
const OWN: usize = memory.data(offsetof<Shape>(), 16);
const WITNESS: usize = memory.data(64, 16); // DISTANCE_BYTES
const MOST_ITERATIONS: i32 = 32;

/** @inline */
function view(): Surface {
  return changetype<Surface>(VIEW);
}

/**
 * Sets up b as seen from a and starts the walk over the triangles near a, which moves along `way` (world). Returns a
 * copy of a at its own origin.
 */
function start(a: Shape, b: Shape, room: f32, way: v128): Shape {
  setSurface(view(), b, a.position, a.rotation);
  const own = changetype<Shape>(OWN);
  memory.copy(OWN, changetype<usize>(a), offsetof<Shape>());
  own.position = view().origin;
  own.rotation = mulQuat(conjugate(b.rotation), a.rotation);
  const grown = splat(room);
  shapeAabb(own, AABB);
  startWalk(
    view(),
    sub(v128.load(AABB), grown),
    add(v128.load(AABB, 16), grown),
    rotateInverse(b.rotation, way),
  );
  const local = changetype<Shape>(LOCAL);
  memory.copy(LOCAL, changetype<usize>(a), offsetof<Shape>());
  local.position = zero();
  local.rotation = identityQuat();
  return local;
}

/** Normal of the front of triangle t, in A's frame. */
function frontOf(t: i32): v128 {
  const v0 = cornerAt(view(), t, 0);
  const n = cross(sub(cornerAt(view(), t, 1), v0), sub(cornerAt(view(), t, 2), v0));
  return scale(normalizeOr(n, vec3(0, 1, 0)), view().mirror);
}

/** Normal of triangle t on the side of A's origin. */
function facing(t: i32): v128 {
  const n = frontOf(t);
  return dot(n, cornerAt(view(), t, 0)) > 0 ? neg(n) : n;
}

/** Whether triangle t exists for A: from the front, or if the surface is two-sided. */
function isSeen(t: i32): bool {
  return !view().oneSided || dot(frontOf(t), cornerAt(view(), t, 0)) <= 0;
}

/** Transforms the result at `out` from A's frame to the world. */
function toWorld(a: Shape, out: usize, triangle: i32): void {
  const q = a.rotation;
  answer(
    out,
    rotate(q, v128.load(out)),
    add(a.position, rotate(q, v128.load(out, DISTANCE_POINT_A))),
    add(a.position, rotate(q, v128.load(out, DISTANCE_POINT_B))),
  );
  store<i32>(out, userTriangle(view(), triangle), DISTANCE_TRIANGLE_B);
}

/** See shapeDistance. */
export function surfaceDistance(a: Shape, b: Shape, maxDistance: f32, out: usize): f32 {
  askForNobody();
  const local = start(a, b, b.margin, zero());
  let best = maxDistance;
  let found = -1;
  for (let t = nextTriangle(max<f32>(best, 0)); t >= 0; t = nextTriangle(max<f32>(best, 0))) {
    if (!isSeen(t)) continue;
    const s = triangleDistance(local, t, b.margin, max<f32>(best, 0));
    // At equal distances the triangle with the lower number.
    if (!(s <= best) || (s == best && found >= 0 && t > found)) continue;
    best = s;
    found = t;
    memory.copy(out, WITNESS, <usize>DISTANCE_POINT_B + 16);
  }
  // No triangle: return the next number above maxDistance.
  if (found < 0) return reinterpret<f32>(reinterpret<u32>(max<f32>(maxDistance, 0)) + 1);
  toWorld(a, out, found);
  return best;
}

/** Distance of A, at its own origin, and triangle t, in A's frame, with its points in WITNESS. */
function triangleDistance(local: Shape, t: i32, margin: f32, maxDistance: f32): f32 {
  const out = WITNESS;
  const radii = coreRadius(local) + margin;
  if (local.type == SHAPE_SPHERE) {
    nearestOnTriangle(cornerAt(view(), t, 0), cornerAt(view(), t, 1), cornerAt(view(), t, 2));
    const p = nearestPoint();
    const d = length(p);
    if (d - radii > maxDistance) return d - radii;
    const n = d > <f32>1e-6 * radii ? scale(p, <f32>1 / d) : neg(facing(t));
    answer(out, n, scale(n, coreRadius(local)), addScaled(p, n, -margin));
    return d - radii;
  }
  const triangle = triangleShape(view(), t, margin);
  const s = convexDistance(local, triangle, maxDistance, out);
  if (s > -radii) return s;
  // The cores overlap: the least depth of a triangle may lead sideways, into the next triangle, or where there is none.
  const outwards = neg(v128.load(out));
  const n = facing(t);
  const back = view().oneSided && dot(n, outwards) < 0;
  if (!back && mayTouchAlong(setFacet(view(), t, convexSize(local)), outwards)) return s;
  const lowest = addScaled(support(local, neg(n)), n, -coreRadius(local));
  const along = dot(n, sub(lowest, cornerAt(view(), t, 0))) - margin;
  answer(out, neg(n), lowest, addScaled(lowest, n, -along));
  return along;
}

/** See shapeGap. */
export function surfaceGap(a: Shape, b: Shape): f32 {
  const local = start(a, b, b.margin, zero());
  let least: f32 = 1e30;
  for (let t = nextTriangle(0); t >= 0; t = nextTriangle(0)) {
    if (!isSeen(t)) continue;
    least = min(
      least,
      local.type == SHAPE_SPHERE
        ? triangleDistance(local, t, b.margin, ANY_DISTANCE)
        : convexGap(local, triangleShape(view(), t, b.margin)),
    );
    if (least <= 0) break;
  }
  return least;
}

/** Fraction of `delta`, at most `maxFraction`, or 2 for a miss. A moves in a straight line, the surface rests. */
export function sweepSurface(shapes: Shapes, delta: v128, maxFraction: f32, out: usize): f32 {
  const a = shapes.a;
  const b = shapes.b;
  const size = convexSize(a);
  const local = start(a, b, b.margin + TOUCHING * size, delta);
  const d = rotateInverse(a.rotation, delta);
  askForNobody();
  let best = maxFraction;
  let found = -1;
  for (let t = nextTriangle(best); t >= 0; t = nextTriangle(best)) {
    if (!isSeen(t)) continue;
    const triangle = triangleShape(view(), t, b.margin);
    const fraction = sweepConvex(new Shapes(local, triangle), new Path(zero(), d), best, WITNESS);
    if (!(fraction <= best) || (fraction == best && found >= 0 && t > found)) continue;
    if (!isStruck(t, d, size, fraction)) continue;
    best = fraction;
    found = t;
    memory.copy(out, WITNESS, <usize>DISTANCE_POINT_B + 16);
  }
  if (found < 0) return MISS;
  toWorld(a, out, found);
  return best;
}

/**
 * Whether the impact in WITNESS is one with the surface, and not with an internal edge. In the latter case the normal
 * is that of the triangle, and motion along it does not collide.
 */
function isStruck(t: i32, d: v128, size: f32, fraction: f32): bool {
  const n = v128.load(WITNESS);
  const gap = dot(n, sub(v128.load(WITNESS, DISTANCE_POINT_B), v128.load(WITNESS, DISTANCE_POINT_A)));
  if (fraction == 0 && gap < -TOUCHING * size) return true;
  if (mayTouchAlong(setFacet(view(), t, size), neg(n))) return true;
  const front = facing(t);
  if (!(dot(front, d) < 0)) return false;
  v128.store(WITNESS, neg(front));
  return true;
}

/**
 * Conservative advancement (Mirtich 1996): the plane between the closest points separates two convex shapes, so the
 * first one may advance until it reaches that plane. A is a copy, which is moved along the path; B is
 * convex or a plane.
 */
export function sweepConvex(shapes: Shapes, path: Path, maxFraction: f32, out: usize): f32 {
  const moved = shapes.a;
  const delta = path.delta;
  const target = TOUCHING * convexSize(moved);
  const aside = ROUNDING * length(delta);
  moved.position = path.from;
  let fraction: f32 = 0;
  for (let i = 0; i < MOST_ITERATIONS; i++) {
    const distance = simpleDistance(moved, shapes.b, ANY_DISTANCE, out);
    const closing = dot(delta, v128.load(out));
    // Moving sideways or away: it stays on its side of the plane. An overlap at the start is a hit there.
    if (!(closing > (distance > target ? <f32>0 : aside)) && distance > -target) return MISS;
    if (distance <= target) return fraction;
    const next = fraction + distance / closing;
    if (!(next <= maxFraction)) return MISS;
    if (next == fraction) return fraction;
    fraction = next;
    moved.position = addScaled(path.from, delta, fraction);
  }
  return fraction;
}
