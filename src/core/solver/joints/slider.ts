// Slider: B moves along the x axis of A's frame and can rotate about it (btSliderConstraint). Axis 0 is the
// translation, axis 3 the angle; both have limits, motor, servo and spring.

import { cross, dot, rotate, vec3, zero } from '../../math/vector';
import { Joint, JointWork } from '../../memory/records';
import { axisAt, rowAt } from '../../memory/tables';
import { Columns } from '../../memory/values';
import { advanceAngle } from './advance';
import { twistAngle } from './angle';
import { linearRow, needsRow, prepareTurn } from './rows';

const WAY = 0;
const ANGLE = 3;

export function refreshSlider(j: Joint, w: JointWork, first: bool): void {
  const axis = rotate(w.frameA, vec3(1, 0, 0));
  const y = rotate(w.frameA, vec3(0, 1, 0));
  const z = cross(axis, y);
  const apart = cross(axis, rotate(w.frameB, vec3(1, 0, 0)));
  prepareTurn(w, 2, new Columns(y, z, zero()), vec3(dot(apart, y), dot(apart, z), 0));
  lockAcross(w, 1, y);
  lockAcross(w, 2, z);
  const way = rowAt(w, WAY);
  way.value = dot(axis, w.separation);
  if (needsRow(axisAt(j, WAY))) {
    w.rowMask |= 1 << WAY;
    linearRow(w, way, axis);
  }
  if (first) rowAt(w, ANGLE).start = twistAngle(w, axisAt(j, ANGLE));
  advanceAngle(w, ANGLE, axis, needsRow(axisAt(j, ANGLE)));
}

/** Axes 1 and 2 of a slider are always locked at 0. */
function lockAcross(w: JointWork, axis: i32, direction: v128): void {
  const row = rowAt(w, axis);
  row.value = dot(direction, w.separation);
  w.rowMask |= 1 << axis;
  linearRow(w, row, direction);
}
