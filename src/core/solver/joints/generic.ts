// Generic 6-DoF: every axis of A's frame free, limited, locked, with motor or spring
// (btGeneric6DofSpring2Constraint). The angles are Euler angles in the order x, y, z: B against A is
// Rx(α) Ry(β) Rz(γ); the turning of each is the vector of the dual basis of x of A, y′, z of B.
import { Joint, JointWork } from '../../memory/records';
import { axisAt, rowAt } from '../../memory/tables';
import { atan2 } from '../../math/elementary';
import { cross, dot, normalizeOr, rotate, scale, vec3 } from '../../math/vector';
import { advanceAngle } from './advance';
import { countedOn } from './angle';
import { isFixedAtZero } from './bundles';
import { frameError } from './fixed';
import { linearRow, needsRow, preparePoint, prepareTurn } from './rows';

const SMALLEST_COSINE: f32 = 0.02; // of β: 1.1° from the pole of the Euler angles

export function refreshGeneric(j: Joint, w: JointWork, first: bool): void {
  const x = rotate(w.frameA, vec3(1, 0, 0));
  const y = rotate(w.frameA, vec3(0, 1, 0));
  const z = cross(x, y);
  if (isFixedAtZero(j, 0)) {
    preparePoint(w, true);
  } else {
    along(j, w, 0, x);
    along(j, w, 1, y);
    along(j, w, 2, z);
  }
  if (first) measureAngles(j, w, x, y, z);
  const zB = rotate(w.frameB, vec3(0, 0, 1));
  const middle = normalizeOr(cross(zB, x), y);
  const cosine = max<f32>(dot(x, cross(middle, zB)), SMALLEST_COSINE);
  const locked = isFixedAtZero(j, 3);
  about(j, w, 3, scale(cross(middle, zB), <f32>1 / cosine), locked);
  about(j, w, 4, middle, locked);
  about(j, w, 5, scale(cross(x, middle), <f32>1 / cosine), locked);
  if (locked) prepareTurn(w, 3, vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1), frameError(w));
}

function along(j: Joint, w: JointWork, axis: i32, direction: v128): void {
  const row = rowAt(w, axis);
  row.value = dot(direction, w.separation);
  if (!needsRow(axisAt(j, axis))) return;
  w.rowMask |= 1 << axis;
  linearRow(w, row, direction);
}

function about(j: Joint, w: JointWork, axis: i32, direction: v128, locked: bool): void {
  advanceAngle(w, axis, direction, !locked && needsRow(axisAt(j, axis)));
}

function measureAngles(j: Joint, w: JointWork, x: v128, y: v128, z: v128): void {
  const xB = rotate(w.frameB, vec3(1, 0, 0));
  const yB = rotate(w.frameB, vec3(0, 1, 0));
  const zB = rotate(w.frameB, vec3(0, 0, 1));
  const sine = min<f64>(1, max<f64>(-1, <f64>dot(x, zB)));
  rowAt(w, 3).start = countedOn(atan2(-(<f64>dot(y, zB)), <f64>dot(z, zB)), axisAt(j, 3));
  rowAt(w, 4).start = <f32>atan2(sine, sqrt<f64>(1 - sine * sine));
  rowAt(w, 5).start = countedOn(atan2(-(<f64>dot(x, yB)), <f64>dot(x, xB)), axisAt(j, 5));
}
