// The angle of an axis within a step: its value at the start plus the rotation about the axis since then.

import { dot } from '../../math/vector';
import { JointWork } from '../../memory/records';
import { rowAt } from '../../memory/tables';
import { angularRow } from './rows';

/**
 * Updates the value of an angular axis. `direction`: gradient of the angle with respect to the rotation of B relative
 * to A.
 */
export function advanceAngle(w: JointWork, axis: i32, direction: v128, solved: bool): void {
  const row = rowAt(w, axis);
  row.value = row.start + dot(direction, w.turned);
  if (!solved) return;
  w.rowMask |= 1 << axis;
  angularRow(w, row, direction);
}
