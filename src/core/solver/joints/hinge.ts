// Hinge: anchors and x axes coincide; one angle remains, with limits, motor, servo and spring (btHingeConstraint, whose
// axis is z).

import { cross, dot, rotate, vec3, zero } from '../../math/vector';
import { Joint, JointWork } from '../../memory/records';
import { axisAt, rowAt } from '../../memory/tables';
import { Columns } from '../../memory/values';
import { advanceAngle } from './advance';
import { twistAngle } from './angle';
import { needsRow, preparePoint, prepareTurn } from './rows';

const ANGLE = 3;

export function refreshHinge(j: Joint, w: JointWork, first: bool): void {
  preparePoint(w, needsRow(axisAt(j, ANGLE)));
  const axis = rotate(w.frameA, vec3(1, 0, 0));
  const y = rotate(w.frameA, vec3(0, 1, 0));
  const z = cross(axis, y);
  const apart = cross(axis, rotate(w.frameB, vec3(1, 0, 0)));
  prepareTurn(w, 2, new Columns(y, z, zero()), vec3(dot(apart, y), dot(apart, z), 0));
  if (first) rowAt(w, ANGLE).start = twistAngle(w, axisAt(j, ANGLE));
  advanceAngle(w, ANGLE, axis, needsRow(axisAt(j, ANGLE)));
}
