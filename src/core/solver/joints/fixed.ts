// Fixed: the frames coincide (btFixedConstraint). With softness and a maximum force and torque it is the motor joint,
// which drives a body to a pose.

import { conjugate, w as lane3, mulQuat, rotate, scale, vec3 } from '../../math/vector';
import { JointWork } from '../../memory/records';
import { Columns } from '../../memory/values';
import { preparePoint, prepareTurn } from './rows';

export function refreshFixed(w: JointWork): void {
  preparePoint(w, false);
  prepareTurn(w, 3, new Columns(vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)), frameError(w));
}

/** Twice the vector part of the rotation from A's frame to B's, world axes: the rotation vector if it is small. */
export function frameError(w: JointWork): v128 {
  const q = mulQuat(conjugate(w.frameA), w.frameB);
  const twice: f32 = lane3(q) < 0 ? -2 : 2;
  return rotate(w.frameA, scale(f32x4.replace_lane(q, 3, 0), twice));
}
