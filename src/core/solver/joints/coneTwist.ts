// Cone-twist: the anchors coincide; the x axis of B stays inside an elliptic cone about that of A, and the twist about
// it inside its limits (btConeTwistConstraint). Axis 3: twist; axes 4 and 5: half angles of the cone about y and z, in
// `high`; low > high leaves that direction free.

import { atan2 } from '../../math/elementary';
import { add, dot, rotate, rotateInverse, scale, vec3, x, y, z } from '../../math/vector';
import { Joint, JointWork } from '../../memory/records';
import { axisAt, rowAt } from '../../memory/tables';
import { LEAST_SPAN } from '../../tolerances';
import { advanceAngle } from './advance';
import { twistAngle } from './angle';
import { isLimited, needsRow, preparePoint } from './rows';

const TWIST = 3;
export const CONE = 4;
const CONE_Z = 5;

export function refreshConeTwist(j: Joint, w: JointWork, first: bool): void {
  preparePoint(w, true);
  const axisA = rotate(w.frameA, vec3(1, 0, 0));
  const axisB = rotate(w.frameB, vec3(1, 0, 0));
  // The twist of the swing-twist decomposition changes at the rate ω·(xA + xB)/(1 + xA·xB).
  const opening = max<f32>(<f32>1 + dot(axisA, axisB), <f32>0.05);
  if (first) rowAt(w, TWIST).start = twistAngle(w, axisAt(j, TWIST));
  advanceAngle(w, TWIST, scale(add(axisA, axisB), <f32>1 / opening), needsRow(axisAt(j, TWIST)));
  const limitY = isLimited(axisAt(j, CONE));
  const limitZ = isLimited(axisAt(j, CONE_Z));
  if (!limitY && !limitZ) return;
  if (first) measureCone(j, w, rotateInverse(w.frameA, axisB), new Limited(limitY, limitZ));
  advanceAngle(w, CONE, rotate(w.frameA, w.lock2), true);
}

/** Which half angles of the cone have a limit. @value */
class Limited {
  y: bool;
  z: bool;
}

/**
 * Row of the cone: value is the angle by which the limit is exceeded (negative inside); w.lock2 is the direction of
 * rotation, in A's frame, in which it grows.
 */
function measureCone(j: Joint, w: JointWork, direction: v128, limited: Limited): void {
  // x of B in A's frame is (1, 0, 0) rotated by `angle` about (0, −z, y)/|…|.
  const s = sqrt<f32>(y(direction) * y(direction) + z(direction) * z(direction));
  const angle = <f32>atan2(<f64>s, <f64>x(direction));
  const perSine: f32 = s > <f32>1e-6 ? angle / s : 1;
  const aboutY = -z(direction) * perSine;
  const aboutZ = y(direction) * perSine;
  axisAt(j, CONE).value = aboutY;
  axisAt(j, CONE_Z).value = aboutZ;
  const inverseY: f32 = limited.y ? <f32>1 / max<f32>(axisAt(j, CONE).high, LEAST_SPAN) : 0;
  const inverseZ: f32 = limited.z ? <f32>1 / max<f32>(axisAt(j, CONE_Z).high, LEAST_SPAN) : 0;
  // f = √((θy/Y)² + (θz/Z)²) is 1 on the cone; the distance to it is about (1 − f)/|∇f|.
  const f = sqrt<f32>(aboutY * aboutY * inverseY * inverseY + aboutZ * aboutZ * inverseZ * inverseZ);
  const row = rowAt(w, CONE);
  if (f < <f32>1e-4) {
    row.start = -(<f32>1) / max<f32>(inverseY, inverseZ);
    w.lock2 = inverseY > inverseZ ? vec3(0, 1, 0) : vec3(0, 0, 1);
    return;
  }
  const gradientY = (aboutY * inverseY * inverseY) / f;
  const gradientZ = (aboutZ * inverseZ * inverseZ) / f;
  const slope = sqrt<f32>(gradientY * gradientY + gradientZ * gradientZ);
  row.start = (f - <f32>1) / slope;
  w.lock2 = vec3(0, gradientY / slope, gradientZ / slope);
}
