// A shape that moves straight, without rotation, against one at rest: Bullet's convexSweepTest. In: two shapes, the
// displacement of the first. Out: fraction of the displacement at the first contact, and the witness points there.

import { addScaled, neg } from '../math/vector';
import { SHAPE_PLANE } from '../memory/constants';
import { Shape } from '../memory/records';
import { Path, Shapes } from '../memory/values';
import {
  answer,
  DISTANCE_POINT_A,
  DISTANCE_POINT_B,
  DISTANCE_TRIANGLE_A,
  DISTANCE_TRIANGLE_B,
} from '../narrowphase/distance';
import { sweepConvex, sweepSurface } from '../narrowphase/surfaceDistance';
import { MISS } from '../tolerances';

const MOVED: usize = memory.data(offsetof<Shape>(), 16);

/** Fraction of `delta`, at most `maxFraction`, or 2 for a miss. The witness has the normal from A to B. */
export function sweepShape(shapes: Shapes, delta: v128, maxFraction: f32, out: usize): f32 {
  store<i32>(out, -1, DISTANCE_TRIANGLE_A);
  store<i32>(out, -1, DISTANCE_TRIANGLE_B);
  if (shapes.a.type < SHAPE_PLANE) return sweepOnto(shapes, delta, maxFraction, out);
  // Swap the roles and reverse the motion, then transform the result.
  if (shapes.b.type >= SHAPE_PLANE) return MISS;
  const fraction = sweepOnto(new Shapes(shapes.b, shapes.a), neg(delta), maxFraction, out);
  const pA = addScaled(v128.load(out, DISTANCE_POINT_B), delta, fraction);
  answer(out, neg(v128.load(out)), pA, addScaled(v128.load(out, DISTANCE_POINT_A), delta, fraction));
  store<i32>(out, load<i32>(out, DISTANCE_TRIANGLE_B), DISTANCE_TRIANGLE_A);
  store<i32>(out, -1, DISTANCE_TRIANGLE_B);
  return fraction;
}

/** A is convex. */
function sweepOnto(shapes: Shapes, delta: v128, maxFraction: f32, out: usize): f32 {
  if (shapes.b.type > SHAPE_PLANE) return sweepSurface(shapes, delta, maxFraction, out);
  memory.copy(MOVED, changetype<usize>(shapes.a), offsetof<Shape>());
  const moved = new Shapes(changetype<Shape>(MOVED), shapes.b);
  return sweepConvex(moved, new Path(shapes.a.position, delta), maxFraction, out);
}
