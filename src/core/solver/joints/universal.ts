// Universal: anchors coincide, the x axis of A stays square to the y axis of B (btUniversalConstraint, whose axes are z and
// y). Angle 3 turns B about the axis of A, angle 4 about its own. As Euler angles they would be singular at a right angle
// between the shafts; the two axes and the normal of both, about which the joint locks, never are.

import { atan2 } from '../../math/elementary';
import { cross, dot, normalizeOr, rotate, vec3 } from '../../math/vector';
import { Joint, JointWork } from '../../memory/records';
import { axisAt, rowAt } from '../../memory/tables';
import { advanceAngle } from './advance';
import { countedOn } from './angle';
import { angularRow, needsRow, preparePoint } from './rows';

const ABOUT_A = 3;
const ABOUT_B = 4;
const ACROSS = 5;

export function refreshUniversal(j: Joint, w: JointWork, first: bool): void {
  preparePoint(w, true);
  for (let k = 0; k < ABOUT_A; k++) rowAt(w, k).value = 0;
  const axisA = rotate(w.frameA, vec3(1, 0, 0));
  const axisB = rotate(w.frameB, vec3(0, 1, 0));
  const normal = normalizeOr(cross(axisA, axisB), rotate(w.frameA, vec3(0, 0, 1)));
  if (first) {
    const y = <f64>dot(rotate(w.frameA, vec3(0, 1, 0)), axisB);
    const z = <f64>dot(rotate(w.frameA, vec3(0, 0, 1)), axisB);
    rowAt(w, ABOUT_A).start = countedOn(atan2(z, y), axisAt(j, ABOUT_A));
    const shaft = rotate(w.frameB, vec3(1, 0, 0));
    const bend = atan2(<f64>-dot(shaft, normal), <f64>dot(shaft, axisA));
    rowAt(w, ABOUT_B).start = countedOn(bend, axisAt(j, ABOUT_B));
  }
  advanceAngle(w, ABOUT_A, axisA, needsRow(axisAt(j, ABOUT_A)));
  advanceAngle(w, ABOUT_B, axisB, needsRow(axisAt(j, ABOUT_B)));
  const row = rowAt(w, ACROSS);
  row.value = -dot(axisA, axisB);
  w.rowMask |= 1 << ACROSS;
  angularRow(w, row, normal);
}
