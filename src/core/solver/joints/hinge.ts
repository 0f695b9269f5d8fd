// Hinge: anchors and x axes coincide; one angle remains, with limits, motor, servo and spring (btHingeConstraint, whose
// axis is z).

import { cross, dot, vec3, zero } from '../../math/vector';
import { Joint, JointWork } from '../../memory/records';
import { axisAt, rowAt } from '../../memory/tables';
import { Columns } from '../../memory/values';
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
  const apart = cross(axis, direction(w.frameB, k));
  prepareTurn(w, 2, new Columns(y, z, zero()), vec3(dot(apart, y), dot(apart, z), 0));
  const angle = axisAt(j, ANGLE + k);
  if (first) rowAt(w, ANGLE + k).start = twistAngle(w, k, angle);
  advanceAngle(w, ANGLE + k, axis, needsRow(angle));
}
