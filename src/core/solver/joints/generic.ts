// Generic 6-DoF: each axis of A's frame is free, limited or locked, with motor or spring
// (btGeneric6DofSpring2Constraint). The angles are Euler angles in any of the six orders: for i, j, k, the rotation of
// B relative to A is Ri(α) Rj(β) Rk(γ). The rotation axis of each angle is the vector of the dual basis of i of A, j′,
// k of B.

import { atan2 } from '../../math/elementary';
import { cross, dot, normalizeOr, scale, vec3 } from '../../math/vector';
import { JOINT_AXIS_COUNT, JOINT_ORDER_MASK, JOINT_ORDER_SHIFT } from '../../memory/constants';
import { Joint, JointWork } from '../../memory/records';
import { axisAt, rowAt } from '../../memory/tables';
import { Columns } from '../../memory/values';
import { SMALLEST_COSINE } from '../../tolerances';
import { advanceAngle } from './advance';
import { countedOn, direction } from './angle';
import { frameError } from './fixed';
import { turnAbout } from './hinge';
import { ALL_ANGLES, isFixedAtZero, linearRow, NO_ANGLE, needsRow, preparePoint, prepareTurn } from './rows';

const ANGLES = 3; // first axis that is an angle

/** `free`: the angle that is left (freeAngle, types.ts). Two locks at 0 are those of a hinge: as Euler angles, they turn over. */
export function refreshGeneric(j: Joint, w: JointWork, first: bool, free: i32): void {
  const locked = free == NO_ANGLE;
  const pointed = isFixedAtZero(j, 0);
  if (pointed) preparePoint(w, true);
  if (locked) prepareTurn(w, 3, new Columns(vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)), frameError(w));
  for (let k = 0; k < 3; k++) {
    if (pointed)
      rowAt(w, k).value = 0; // the anchors coincide; the row may hold a value of an earlier joint in this slot
    else along(j, w, k, direction(w.frameA, k));
  }
  if (free != ALL_ANGLES && !locked) {
    for (let k = ANGLES; k < JOINT_AXIS_COUNT; k++) rowAt(w, k).value = 0;
    return turnAbout(j, w, free, first);
  }
  const order = (j.flags >> JOINT_ORDER_SHIFT) & JOINT_ORDER_MASK;
  const p = order >> 1;
  const lower = p == 0 ? 1 : 0;
  const q = order & 1 ? 3 - p - lower : lower;
  const r = 3 - p - q;
  const e: f32 = q == (p + 1) % 3 ? 1 : -1; // sign of the permutation
  if (first) measureAngles(j, w, new Order(p, q, r), e);
  const outer = direction(w.frameA, p);
  const inner = direction(w.frameB, r);
  const middle = normalizeOr(scale(cross(inner, outer), e), direction(w.frameA, q));
  const cosine = e * max<f32>(e * dot(outer, cross(middle, inner)), SMALLEST_COSINE);
  advanceAngle(
    w,
    ANGLES + p,
    scale(cross(middle, inner), <f32>1 / cosine),
    !locked && needsRow(axisAt(j, ANGLES + p)),
  );
  advanceAngle(w, ANGLES + q, middle, !locked && needsRow(axisAt(j, ANGLES + q)));
  advanceAngle(
    w,
    ANGLES + r,
    scale(cross(outer, middle), <f32>1 / cosine),
    !locked && needsRow(axisAt(j, ANGLES + r)),
  );
}

function along(j: Joint, w: JointWork, axis: i32, way: v128): void {
  const row = rowAt(w, axis);
  row.value = dot(way, w.separation);
  if (!needsRow(axisAt(j, axis))) return;
  w.rowMask |= 1 << axis;
  linearRow(w, row, way);
}

/** Order of Euler angles: axes 0 to 2. @value */
class Order {
  p: i32;
  q: i32;
  r: i32;
}

function measureAngles(j: Joint, w: JointWork, order: Order, e: f32): void {
  const p = order.p;
  const q = order.q;
  const r = order.r;
  const outer = direction(w.frameA, p);
  const inner = direction(w.frameB, r);
  const sine = min<f64>(1, max<f64>(-1, <f64>(e * dot(outer, inner))));
  const alpha = atan2(
    <f64>(-e * dot(direction(w.frameA, q), inner)),
    <f64>dot(direction(w.frameA, r), inner),
  );
  const gamma = atan2(
    <f64>(-e * dot(outer, direction(w.frameB, q))),
    <f64>dot(outer, direction(w.frameB, p)),
  );
  rowAt(w, ANGLES + p).start = countedOn(alpha, axisAt(j, ANGLES + p));
  rowAt(w, ANGLES + q).start = <f32>atan2(sine, sqrt<f64>(1 - sine * sine));
  rowAt(w, ANGLES + r).start = countedOn(gamma, axisAt(j, ANGLES + r));
}
