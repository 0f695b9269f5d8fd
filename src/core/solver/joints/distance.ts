// Distance: rod (low = high), rope (low 0), spring. One row along the line between the anchors.

import { length, rotate, scale, vec3 } from '../../math/vector';
import { Joint, JointWork } from '../../memory/records';
import { axisAt, rowAt } from '../../memory/tables';
import { NO_LINE } from '../../tolerances';
import { linearRow, needsRow } from './rows';

export function refreshDistance(j: Joint, w: JointWork): void {
  const row = rowAt(w, 0);
  const l = length(w.separation);
  row.value = l;
  if (!needsRow(axisAt(j, 0))) return;
  w.rowMask = 1;
  linearRow(w, row, l > NO_LINE ? scale(w.separation, <f32>1 / l) : rotate(w.frameA, vec3(1, 0, 0)));
}
