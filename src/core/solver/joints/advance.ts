// The angle of an axis within a step: its value at the start, plus the rotation about the axis since then.

import { dot } from '../../math/vector';
import { JointWork } from '../../memory/records';
import { rowAt } from '../../memory/tables';
import { angularRow } from './rows';

/** `direction` is the gradient of the angle by the turning of B against A. */
export function advanceAngle(w: JointWork, axis: i32, direction: v128, solved: bool): void {
  const row = rowAt(w, axis);
  row.value = row.start + dot(direction, w.turned);
  if (!solved) return;
  w.rowMask |= 1 << axis;
  angularRow(w, row, direction);
}
