// Hinge: anchors and x axes coincide; one angle remains, with limits, motor, servo and spring (btHingeConstraint, whose
// axis is z).

import { add, cross, dot, scale, vec3, zero } from '../../math/vector';
import { Joint, JointWork } from '../../memory/records';
import { axisAt, rowAt } from '../../memory/tables';
import { Columns } from '../../memory/values';
import { LEAST_OPENING } from '../../tolerances';
import { advanceAngle } from './advance';
import { direction, twistAngle } from './angle';
import { needsRow, preparePoint, prepareTurn } from './rows';

const ANGLE = 3;

export function refreshHinge(j: Joint, w: JointWork, first: bool): void {
  preparePoint(w, needsRow(axisAt(j, ANGLE)));
  turnAbout(j, w, 0, first);
}

/** Locks all rotation but that about axis x, y or z of A's frame, and follows this one. Also of sliders and six axes. */
export function turnAbout(j: Joint, w: JointWork, k: i32, first: bool): void {
  const axis = direction(w.frameA, k);
  const y = direction(w.frameA, (k + 1) % 3);
  const z = cross(axis, y);
  const axisB = direction(w.frameB, k);
  const apart = cross(axis, axisB);
  prepareTurn(w, 2, new Columns(y, z, zero()), vec3(dot(apart, y), dot(apart, z), 0));
  const angle = axisAt(j, ANGLE + k);
  if (first) rowAt(w, ANGLE + k).start = twistAngle(w, k, angle);
  // As for a cone's twist: soft locks let the axes part.
  const opening = max<f32>(<f32>1 + dot(axis, axisB), LEAST_OPENING);
  advanceAngle(w, ANGLE + k, scale(add(axis, axisB), <f32>1 / opening), needsRow(angle));
}
