// Angles about the main axis, counted beyond full turns. In: the relative rotation at the start of a step, the angle at
// the end of the last step. Out: the current angle. Within a step the angle changes by the rotation of the bodies.

import { TWO_PI } from '../../math/constants';
import { atan2 } from '../../math/elementary';
import { conjugate, w as lane3, mulQuat, rotate, vec3, x, y, z } from '../../math/vector';
import { JointAxis, JointWork } from '../../memory/records';

/** Axis x, y or z of a frame, 0 to 2. */
export function direction(frame: v128, k: i32): v128 {
  return rotate(frame, vec3(k == 0 ? 1 : 0, k == 1 ? 1 : 0, k == 2 ? 1 : 0));
}

/** The twist angle of B about axis `k` of A's frame, continued from axis.value. */
export function twistAngle(w: JointWork, k: i32, axis: JointAxis): f32 {
  const q = mulQuat(conjugate(w.frameA), w.frameB);
  return countedOn(2 * atan2(<f64>(k == 0 ? x(q) : k == 1 ? y(q) : z(q)), <f64>lane3(q)), axis);
}

/** Of all equivalent angles, the one closest to the last value of the axis. */
export function countedOn(angle: f64, axis: JointAxis): f32 {
  return <f32>(angle + TWO_PI * floor<f64>((<f64>axis.value - angle) / TWO_PI + 0.5));
}
