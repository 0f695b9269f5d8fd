// Gear: the rotation of A about its axis plus the ratio times the rotation of B about its own is constant
// (btGearConstraint). Gear wheels that mesh externally rotate in opposite directions: a positive ratio. Bullet
// constrains only the speeds; here the sum of the angles is also kept, in the value of axis 3, so that the gear never
// slips.

import { dot, neg, rotate, scale, vec3 } from '../../math/vector';
import { Joint, JointWork } from '../../memory/records';
import { axisAt, rowAt, velocityAt } from '../../memory/tables';
import { turningRow } from './rows';

const SUM = 3;

export function refreshGear(j: Joint, w: JointWork, first: bool): void {
  const row = rowAt(w, SUM);
  const armA = neg(rotate(w.frameA, vec3(1, 0, 0)));
  const armB = scale(rotate(w.frameB, vec3(1, 0, 0)), j.ratio);
  const turnedA = velocityAt(w.solverBodyA).deltaRotation;
  const turnedB = velocityAt(w.solverBodyB).deltaRotation;
  if (first) row.start = axisAt(j, SUM).value;
  row.value = row.start + dot(armB, turnedB) - dot(armA, turnedA);
  w.rowMask |= 1 << SUM;
  turningRow(w, row, armA, armB);
}
