// Entry of the narrow phase alone, for its tests: shapes and the result live at addresses that the
// test chooses.

import { ManifoldResult, Shape } from '../../src/core/memory/records';
import { Path, Reach, Shapes } from '../../src/core/memory/values';
import { ConvexQuery, MOST_ITERATIONS, QUERY } from '../../src/core/narrowphase/convexPair';
import { collideShapes } from '../../src/core/narrowphase/dispatch';
import { shapeDistance, shapeGap } from '../../src/core/narrowphase/distance';
import { RayLimit, rayShape } from '../../src/core/narrowphase/ray';
import { shapeAabb } from '../../src/core/shapes/aabb';

export function collide(a: usize, b: usize, maxSeparation: f32, cache: i32, out: usize): i32 {
  const result = changetype<ManifoldResult>(out);
  const shapes = new Shapes(changetype<Shape>(a), changetype<Shape>(b));
  collideShapes(shapes, new Reach(maxSeparation, maxSeparation, 0, f32x4.splat(0)), cache, result);
  return result.count;
}

export function distance(a: usize, b: usize, maxDistance: f32, out: usize): f32 {
  return shapeDistance(changetype<Shape>(a), changetype<Shape>(b), maxDistance, out);
}

export function gap(a: usize, b: usize): f32 {
  return shapeGap(changetype<Shape>(a), changetype<Shape>(b));
}

export function aabb(s: usize, out: usize): void {
  shapeAabb(changetype<Shape>(s), out);
}

/** rays: v128 pairs (from, delta). */
export function ray(s: usize, segment: usize, maxFraction: f32, normal: usize): f32 {
  return rayShape(
    changetype<Shape>(s),
    new Path(v128.load(segment), v128.load(segment, 16)),
    new RayLimit(maxFraction, 0),
    normal,
  );
}

/** Many collisions, for timing; without a cache, each as if for the first time. */
export function repeat(
  a: usize,
  b: usize,
  count: i32,
  stride: usize,
  maxSeparation: f32,
  cache: usize,
  out: usize,
): i32 {
  const result = changetype<ManifoldResult>(out);
  let points = 0;
  for (let i = 0; i < count; i++) {
    const at = <usize>i * stride;
    const hint = cache + ((<usize>i) << 2);
    const known = cache == 0 ? 0 : load<i32>(hint);
    collideShapes(
      new Shapes(changetype<Shape>(a + at), changetype<Shape>(b + at)),
      new Reach(maxSeparation, maxSeparation, 0, f32x4.splat(0)),
      known,
      result,
    );
    if (cache != 0) store<i32>(hint, result.cache);
    points += result.count;
  }
  return points;
}

/** Of GJK and EPA together in the last question. */
export function iterations(): i32 {
  return MOST_ITERATIONS - changetype<ConvexQuery>(QUERY).iterationsLeft;
}
