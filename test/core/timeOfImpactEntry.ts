// Entry of the time of impact alone, for its tests: shapes, motions and the answer live at addresses that
// the test chooses.
import { Goal, timeOfImpact } from '../../src/core/continuous/timeOfImpact';
import { Impact, Motion, Shape } from '../../src/core/memory/records';
import { MovingShapes } from '../../src/core/memory/values';

export function impact(
  a: usize,
  motionA: usize,
  b: usize,
  motionB: usize,
  most: f32,
  target: f32,
  out: usize,
): f32 {
  return timeOfImpact(
    new MovingShapes(
      changetype<Shape>(a),
      changetype<Shape>(b),
      changetype<Motion>(motionA),
      changetype<Motion>(motionB),
    ),
    new Goal(most, target),
    changetype<Impact>(out),
  );
}
