// Entry of the time of impact alone, for its tests: shapes, motions and the answer live at addresses that
// the test chooses.
import { timeOfImpact } from '../../src/core/continuous/timeOfImpact';
import { Shape } from '../../src/core/memory/records';

export function impact(
  a: usize,
  motionA: usize,
  b: usize,
  motionB: usize,
  most: f32,
  target: f32,
  out: usize,
): f32 {
  return timeOfImpact(changetype<Shape>(a), motionA, changetype<Shape>(b), motionB, most, target, out);
}
