// Distance of convex shapes, and of a convex shape and a plane, with the closest points. In: two shapes with world
// poses. Out: a signed distance, minus the depth if they overlap, and its witness points in world coordinates. By GJK
// on their cores, and by EPA if these overlap; pairs of round shapes in closed form.

import {
  add,
  addScaled,
  conjugate,
  dot,
  mulQuat,
  neg,
  rotate,
  rotateInverse,
  scale,
  sub,
  vec3,
} from '../math/vector';
import { SHAPE_CAPSULE, SHAPE_PLANE } from '../memory/constants';
import { ManifoldResult, Shape } from '../memory/records';
import { Shapes } from '../memory/values';
import { convexSize, shapeAxisY } from '../shapes/shape';
import { INFINITE } from '../tolerances';
import { coreRadius, support } from './convex';
import { ConvexQuery, Cores, startQuery } from './convexPair';
import { collideAtRest } from './dispatch';
import { coreDepth } from './epa';
import { coreDistance } from './gjk';
import { epaDirection } from './polytope';

/**
 * Layout of the result at `out`: unit normal from A to B, the point of A and the point of B (v128 each), then the
 * triangles of a mesh or heightfield on which they lie (i32 each, -1 none).
 */
export const DISTANCE_POINT_A: usize = 16;
export const DISTANCE_POINT_B: usize = 32;
export const DISTANCE_TRIANGLE_A: usize = 48;
export const DISTANCE_TRIANGLE_B: usize = 52;
export const DISTANCE_BYTES: i32 = 64;

const ROUND: usize = memory.data(offsetof<ManifoldResult>(), 16);

/** A lower bound of the distance of convex shapes; at most 0 exactly if they touch or overlap. Does not need EPA. */
export function convexGap(a: Shape, b: Shape): f32 {
  const radii = coreRadius(a) + coreRadius(b);
  return (
    <f32>distanceOfCores(new Cores(startBetween(a, b), a, b, <f64>(convexSize(a) + convexSize(b))), radii) -
    radii
  );
}

/** @inline */
export function answer(out: usize, normal: v128, pA: v128, pB: v128): void {
  v128.store(out, normal);
  v128.store(out, pA, DISTANCE_POINT_A);
  v128.store(out, pB, DISTANCE_POINT_B);
}

/** Starts a query in the frame of A. */
function startBetween(a: Shape, b: Shape): ConvexQuery {
  const q = mulQuat(conjugate(a.rotation), b.rotation);
  return startQuery(q, rotateInverse(a.rotation, sub(b.position, a.position)));
}

/** GJK, first from A towards B; stops above `enough`. */
function distanceOfCores(cores: Cores, enough: f32): f64 {
  const t = cores.query.position;
  return coreDistance(cores, dot(t, t) > <f32>1e-20 ? t : vec3(0, 1, 0), <f64>enough);
}

/** See shapeDistance in distance.ts; for convex shapes. */
export function convexDistance(a: Shape, b: Shape, maxDistance: f32, out: usize): f32 {
  const rA = coreRadius(a);
  const rB = coreRadius(b);
  const query = startBetween(a, b);
  const cores = new Cores(query, a, b, <f64>(convexSize(a) + convexSize(b)));
  const distance = distanceOfCores(cores, maxDistance + rA + rB);
  let s = <f32>distance - rA - rB;
  if (s > maxDistance) return s;
  let n: v128;
  if (distance > 0) {
    const inverse = -1 / distance;
    n = vec3(
      <f32>(query.nearestX * inverse),
      <f32>(query.nearestY * inverse),
      <f32>(query.nearestZ * inverse),
    );
  } else if (a.type <= SHAPE_CAPSULE && b.type <= SHAPE_CAPSULE) {
    return roundDistance(query, a, b, out);
  } else {
    s = <f32>-coreDepth(cores) - rA - rB;
    n = epaDirection();
  }
  n = scale(n, <f32>1 / sqrt<f32>(dot(n, n)));
  const q = a.rotation;
  answer(
    out,
    rotate(q, n),
    add(a.position, rotate(q, addScaled(query.witnessA, n, rA))),
    add(a.position, rotate(q, addScaled(query.witnessB, n, -rB))),
  );
  return s;
}

/** Spheres and capsules whose centres or axes meet: their cores have no volume for EPA, so use the closed forms. */
function roundDistance(query: ConvexQuery, a: Shape, b: Shape, out: usize): f32 {
  const result = changetype<ManifoldResult>(ROUND);
  collideAtRest(new Shapes(a, b), INFINITE, result);
  const second = result.count > 1 && result.separation1 < result.separation0;
  const s = second ? result.separation1 : result.separation0;
  const p = second ? result.point1 : result.point0;
  const n = result.normal;
  let pA = addScaled(p, n, <f32>-0.5 * s);
  let pB = addScaled(p, n, <f32>0.5 * s);
  if (query.touches != 0) {
    // If the axes cross: the closed form treats nearly parallel axes as parallel, so use GJK's points.
    const q = a.rotation;
    pA = addScaled(add(a.position, rotate(q, query.witnessA)), n, a.param0);
    pB = addScaled(add(a.position, rotate(q, query.witnessB)), n, -b.param0);
  }
  answer(out, n, pA, pB);
  return s;
}

/** See shapeDistance; for a convex shape A above the plane B. */
export function planeDistance(a: Shape, b: Shape, out: usize): f32 {
  const up = shapeAxisY(b);
  const lowest = add(a.position, rotate(a.rotation, support(a, rotateInverse(a.rotation, neg(up)))));
  const pA = addScaled(lowest, up, -coreRadius(a));
  const s = dot(up, sub(pA, b.position));
  answer(out, neg(up), pA, addScaled(pA, up, -s));
  return s;
}

/** See shapeDistance; for a convex shape A and a convex shape or plane B. */
export function simpleDistance(a: Shape, b: Shape, maxDistance: f32, out: usize): f32 {
  store<i32>(out, -1, DISTANCE_TRIANGLE_A);
  store<i32>(out, -1, DISTANCE_TRIANGLE_B);
  return b.type == SHAPE_PLANE ? planeDistance(a, b, out) : convexDistance(a, b, maxDistance, out);
}
