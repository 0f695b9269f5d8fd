// Distance of two shapes of any types, with the closest points. In: two shapes with world poses. Out: a signed
// distance, minus the depth if they overlap, and its witness points in world coordinates. Convex pairs and planes are
// in convexDistance.ts, meshes and heightfields in surfaceDistance.ts.

import { neg } from '../math/vector';
import { SHAPE_PLANE } from '../memory/constants';
import { Shape } from '../memory/records';
import { INFINITE } from '../tolerances';
import {
  answer,
  convexDistance,
  convexGap,
  DISTANCE_BYTES,
  DISTANCE_POINT_A,
  DISTANCE_POINT_B,
  DISTANCE_TRIANGLE_A,
  DISTANCE_TRIANGLE_B,
  planeDistance,
} from './convexDistance';
import { surfaceDistance, surfaceGap } from './surfaceDistance';

export {
  answer,
  DISTANCE_BYTES,
  DISTANCE_POINT_A,
  DISTANCE_POINT_B,
  DISTANCE_TRIANGLE_A,
  DISTANCE_TRIANGLE_B,
} from './convexDistance';

const GAP_WITNESS: usize = memory.data(DISTANCE_BYTES, 16);

/**
 * Distance of two shapes. Above `maxDistance` it is a lower bound without witness points. If they overlap, minus the
 * length of the shortest translation that separates them.
 */
export function shapeDistance(a: Shape, b: Shape, maxDistance: f32, out: usize): f32 {
  store<i32>(out, -1, DISTANCE_TRIANGLE_A);
  store<i32>(out, -1, DISTANCE_TRIANGLE_B);
  if (a.type < SHAPE_PLANE && b.type < SHAPE_PLANE) return convexDistance(a, b, maxDistance, out);
  if (a.type < SHAPE_PLANE) return otherDistance(a, b, maxDistance, out);
  if (b.type >= SHAPE_PLANE) return INFINITE;
  const s = otherDistance(b, a, maxDistance, out);
  const pA = v128.load(out, DISTANCE_POINT_B);
  answer(out, neg(v128.load(out)), pA, v128.load(out, DISTANCE_POINT_A));
  store<i32>(out, load<i32>(out, DISTANCE_TRIANGLE_B), DISTANCE_TRIANGLE_A);
  store<i32>(out, -1, DISTANCE_TRIANGLE_B);
  return s;
}

/** Distance of a convex shape and a plane or surface. */
function otherDistance(a: Shape, b: Shape, maxDistance: f32, out: usize): f32 {
  return b.type == SHAPE_PLANE ? planeDistance(a, b, out) : surfaceDistance(a, b, maxDistance, out);
}

/** A lower bound of the distance; at most 0 exactly if two shapes touch or overlap. Cheaper, since it needs no EPA. */
export function shapeGap(a: Shape, b: Shape): f32 {
  if (max(a.type, b.type) > SHAPE_PLANE) {
    if (min(a.type, b.type) >= SHAPE_PLANE) return INFINITE;
    return b.type > SHAPE_PLANE ? surfaceGap(a, b) : surfaceGap(b, a);
  }
  if (max(a.type, b.type) == SHAPE_PLANE) return shapeDistance(a, b, 0, GAP_WITNESS);
  return convexGap(a, b);
}
