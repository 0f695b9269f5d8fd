// Slider: B moves along the x axis of A's frame and can rotate about it (btSliderConstraint). Axis 0 is the
// translation, axis 3 the angle; both have limits, motor, servo and spring.

import { cross, dot } from '../../math/vector';
import { Joint, JointWork } from '../../memory/records';
import { axisAt, rowAt } from '../../memory/tables';
import { direction } from './angle';
import { turnAbout } from './hinge';
import { linearRow, needsRow } from './rows';

const WAY = 0;

export function refreshSlider(j: Joint, w: JointWork, first: bool): void {
  turnAbout(j, w, 0, first);
  const axis = direction(w.frameA, 0);
  const y = direction(w.frameA, 1);
  lockAcross(w, 1, y);
  lockAcross(w, 2, cross(axis, y));
  const way = rowAt(w, WAY);
  way.value = dot(axis, w.separation);
  if (needsRow(axisAt(j, WAY))) {
    w.rowMask |= 1 << WAY;
    linearRow(w, way, axis);
  }
}

/** Axes 1 and 2 of a slider are always locked at 0. */
function lockAcross(w: JointWork, axis: i32, across: v128): void {
  const row = rowAt(w, axis);
  row.value = dot(across, w.separation);
  w.rowMask |= 1 << axis;
  linearRow(w, row, across);
}
