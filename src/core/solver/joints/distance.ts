// Distance: rod (low = high), rope (low 0), spring. One row along the line between the anchors.

import { length, normalizeOr, rotate, vec3 } from '../../math/vector';
import { Joint, JointWork } from '../../memory/records';
import { axisAt, rowAt } from '../../memory/tables';
import { linearRow, needsRow } from './rows';

export function refreshDistance(j: Joint, w: JointWork): void {
  const row = rowAt(w, 0);
  const l = length(w.separation);
  row.value = l;
  if (!needsRow(axisAt(j, 0))) return;
  w.rowMask = 1;
  w.passes = axisAt(j, 0).low <= 0 ? 1 : 0;
  linearRow(w, row, normalizeOr(w.separation, rotate(w.frameA, vec3(1, 0, 0))));
}
