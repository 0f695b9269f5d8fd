// Angles about the main axis, counted beyond full turns. In: the relative rotation at the start of a step, the angle at
// the end of the last step. Out: the current angle. Within a step the angle changes by the rotation of the bodies.

import { TWO_PI } from '../../math/constants';
import { atan2 } from '../../math/elementary';
import { conjugate, w as lane3, mulQuat, x } from '../../math/vector';
import { JointAxis, JointWork } from '../../memory/records';

/** The twist angle of B about the x axis of A's frame, continued from axis.value. */
export function twistAngle(w: JointWork, axis: JointAxis): f32 {
  const q = mulQuat(conjugate(w.frameA), w.frameB);
  return countedOn(2 * atan2(<f64>x(q), <f64>lane3(q)), axis);
}

/** Of all equivalent angles, the one closest to the last value of the axis. */
export function countedOn(angle: f64, axis: JointAxis): f32 {
  return <f32>(angle + TWO_PI * floor<f64>((<f64>axis.value - angle) / TWO_PI + 0.5));
}
