// Angles about the main axis, counting whole turns. In: the relative rotation at the start of a step, the angle at the
// end of the last step. Out: the angle now. Within a step the angle changes by the rotation of the bodies.

import { atan2 } from '../../math/elementary';
import { conjugate, w as lane3, mulQuat, x } from '../../math/vector';
import { JointAxis, JointWork } from '../../memory/records';

const TURN: f64 = 6.283185307179586;

/** The angle by which B is twisted about the x axis of A's frame, counted on from axis.value. */
export function twistAngle(w: JointWork, axis: JointAxis): f32 {
  const q = mulQuat(conjugate(w.frameA), w.frameB);
  return countedOn(2 * atan2(<f64>x(q), <f64>lane3(q)), axis);
}

/** Of all angles that look alike, the one next to where the axis was. */
export function countedOn(angle: f64, axis: JointAxis): f32 {
  return <f32>(angle + TURN * floor<f64>((<f64>axis.value - angle) / TURN + 0.5));
}
