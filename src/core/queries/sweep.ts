// A convex shape that moves straight, without turning, against one that rests: Bullet's convexSweepTest. In:
// two shapes, the way of the first. Out: fraction of the way to the first touch, and the witness there.
// Conservative advancement (Mirtich 1996): the plane between the nearest points parts two convex shapes, so
// the first may go on until it reaches that plane.
import { add, dot, scale } from '../math/vector';
import { Shape } from '../memory/records';
import { convexSize } from '../narrowphase/convex';
import { shapeDistance } from '../narrowphase/distance';

const MOST_ITERATIONS: i32 = 32;
/** Of the moving shape's size: nearer counts as touching. */
const TOUCHING: f32 = 1e-5;
const MISS: f32 = 2;
/** Farther than anything a world holds: the distance is wanted whatever it is. */
const ANY_DISTANCE: f32 = 1e29;

const MOVED: usize = memory.data(offsetof<Shape>(), 16);

/** Fraction of `delta`, at most `maxFraction`, or 2 for a miss. The witness has the normal from A to B. */
export function sweepShape(a: Shape, delta: v128, b: Shape, maxFraction: f32, out: usize): f32 {
  memory.copy(MOVED, changetype<usize>(a), offsetof<Shape>());
  const moved = changetype<Shape>(MOVED);
  const target = TOUCHING * convexSize(a);
  let fraction: f32 = 0;
  for (let i = 0; i < MOST_ITERATIONS; i++) {
    const distance = shapeDistance(moved, b, ANY_DISTANCE, out);
    const closing = dot(delta, v128.load(out));
    // Going aside or away: it stays on its side of the plane. What overlaps at the start is met there.
    if (!(closing > 0) && distance > -target) return MISS;
    if (distance <= target) return fraction;
    const next = fraction + distance / closing;
    if (!(next <= maxFraction)) return MISS;
    if (next == fraction) return fraction;
    fraction = next;
    moved.position = add(a.position, scale(delta, fraction));
  }
  return fraction;
}
