// Cone-twist: the anchors coincide; the x axis of B stays inside an elliptic cone about that of A, and the twist about
// it inside its limits (btConeTwistConstraint). Axis 3: twist; axes 4 and 5: half angles of the cone about y and z, in
// `high`; low > high leaves that direction free.

import { PI, SQRT_HALF } from '../../math/constants';
import { atan2 } from '../../math/elementary';
import {
  add,
  dot,
  lengthSquared,
  normalizeOr,
  rotate,
  rotateInverse,
  scale,
  vec3,
  x,
  y,
  z,
} from '../../math/vector';
import { Joint, JointRow, JointWork } from '../../memory/records';
import { axisAt, rowAt } from '../../memory/tables';
import {
  KEPT_NORMAL,
  LEAST_OPENING,
  LEAST_SPAN,
  LEAST_SWING,
  MIDDLE_OF_CONE,
  SMALLEST_COSINE,
} from '../../tolerances';
import { advanceAngle } from './advance';
import { twistAngle } from './angle';
import { angularRow, isLimited, isLocked, needsRow, preparePoint } from './rows';

const TWIST = 3;
export const CONE = 4;
const CONE_Z = 5;
/**
 * Rounds in which the nearest point of the ellipse is found: each takes the circle of curvature at the last point instead
 * (the centres lie on the evolute).
 */
const NEAREST_ROUNDS = 4;

export function refreshConeTwist(j: Joint, w: JointWork, first: bool): void {
  preparePoint(w, true);
  const axisA = rotate(w.frameA, vec3(1, 0, 0));
  const axisB = rotate(w.frameB, vec3(1, 0, 0));
  // The twist of the swing-twist decomposition changes at the rate ω·(xA + xB)/(1 + xA·xB). Where B points back it has no
  // meaning: limits and motor wait until it has, a lock keeps only the speed.
  const twist = axisAt(j, TWIST);
  const sum = add(axisA, axisB);
  const opening = max<f32>(<f32>1 + dot(axisA, axisB), LEAST_OPENING);
  const back = opening == LEAST_OPENING;
  const turns = rowAt(w, TWIST);
  if (first) turns.start = twistAngle(w, 0, twist);
  // Rows, drives and springs are prepared at the start of a step: what has no row then, with mass 0, gets none within it.
  if (first) turns.mass = back ? 0 : 1;
  const waits = back || turns.mass == 0;
  const about = back
    ? scale(normalizeOr(sum, rotate(w.frameA, vec3(0, 1, 0))), sqrt<f32>(<f32>2 / LEAST_OPENING))
    : scale(sum, <f32>1 / opening);
  advanceAngle(w, TWIST, about, needsRow(twist) && (!waits || isLocked(twist)));
  if (back && isLocked(twist)) turns.value = twist.low;
  const limitY = isLimited(axisAt(j, CONE));
  const limitZ = isLimited(axisAt(j, CONE_Z));
  if (!limitY && !limitZ) return;
  // Its normal turns fast where the ellipse is narrow: it is not followed through the step, as other angles are.
  const row = rowAt(w, CONE);
  const grows = measureCone(j, row, rotateInverse(w.frameA, axisB), new Limited(limitY, limitZ));
  w.rowMask |= 1 << CONE;
  angularRow(w, row, rotate(w.frameA, grows));
}

/**
 * Whether the normal of the cone is still the same after a rotation of B relative to A: where its ellipse is most bent, with a radius
 * of b²/a, the normal turns by the rotation over that.
 */
export function keepsNormal(j: Joint, turned: v128): bool {
  const y = axisAt(j, CONE);
  const z = axisAt(j, CONE_Z);
  const spanY = isLimited(y) ? y.high : PI;
  const spanZ = isLimited(z) ? z.high : PI;
  const narrow = min<f32>(spanY, spanZ);
  const radius = (narrow * narrow) / max<f32>(max<f32>(spanY, spanZ), LEAST_SPAN);
  return lengthSquared(turned) < KEPT_NORMAL * KEPT_NORMAL * radius * radius;
}

/** Which half angles of the cone have a limit. @value */
class Limited {
  y: bool;
  z: bool;
}

/**
 * Sets the value of the cone's row: the angle by which the limit is exceeded, negative inside. Returns the rotation of B, in A's
 * frame, by which it grows.
 */
function measureCone(j: Joint, row: JointRow, direction: v128, limited: Limited): v128 {
  // x of B in A's frame is (1, 0, 0) rotated by `angle` about (0, −z, y)/|…|.
  const s = sqrt<f32>(y(direction) * y(direction) + z(direction) * z(direction));
  const angle = <f32>atan2(<f64>s, <f64>x(direction));
  const perSine: f32 = s > <f32>1e-6 ? angle / s : 1;
  const aboutY = -z(direction) * perSine;
  const aboutZ = y(direction) * perSine;
  axisAt(j, CONE).value = aboutY;
  axisAt(j, CONE_Z).value = aboutZ;
  const spanY = max<f32>(axisAt(j, CONE).high, LEAST_SPAN);
  const spanZ = max<f32>(axisAt(j, CONE_Z).high, LEAST_SPAN);
  if (limited.y && limited.z && spanY == spanZ && s > LEAST_SWING) {
    row.value = angle - spanY; // a circle: what follows, in short
    return vec3(0, -z(direction) / s, y(direction) / s);
  }
  // The nearest point of the ellipse, and the normal there, in the quadrant where both angles are positive.
  const p = abs<f32>(aboutY);
  const q = abs<f32>(aboutZ);
  let byY: f32 = limited.y ? 1 : 0; // of the point, as a share of the spans
  let byZ: f32 = limited.z ? 1 : 0;
  if (limited.y && limited.z) {
    if (p + q < MIDDLE_OF_CONE * min<f32>(spanY, spanZ)) {
      byY = spanY < spanZ ? 1 : 0;
      byZ = <f32>1 - byY;
    } else {
      const wide = (spanY - spanZ) * (spanY + spanZ);
      const evoluteY = wide / spanY;
      const evoluteZ = -wide / spanZ;
      byY = SQRT_HALF;
      byZ = SQRT_HALF;
      for (let k = 0; k < NEAREST_ROUNDS; k++) {
        const centreY = evoluteY * byY * byY * byY;
        const centreZ = evoluteZ * byZ * byZ * byZ;
        const radius = hypotenuse(spanY * byY - centreY, spanZ * byZ - centreZ);
        const share = radius / max<f32>(hypotenuse(p - centreY, q - centreZ), <f32>1e-9);
        byY = max<f32>(0, ((p - centreY) * share + centreY) / spanY);
        byZ = max<f32>(0, ((q - centreZ) * share + centreZ) / spanZ);
        const size = hypotenuse(byY, byZ);
        byY = size > 0 ? byY / size : 1;
        byZ = size > 0 ? byZ / size : 0;
      }
    }
  }
  let normalY = byY / spanY;
  let normalZ = byZ / spanZ;
  const slope = hypotenuse(normalY, normalZ);
  normalY /= slope;
  normalZ /= slope;
  row.value = normalY * (p - spanY * byY) + normalZ * (q - spanZ * byZ);
  if (aboutY < 0) normalY = -normalY;
  if (aboutZ < 0) normalZ = -normalZ;
  if (s < LEAST_SWING) return vec3(0, normalY, normalZ);
  // A rotation about (0, −z, y)/s opens the cone. One about (1, −y·x/s², −z·x/s²) takes x of B round it, which changes both angles
  // unless the cone is circular.
  const cosine = y(direction) / s;
  const sine = z(direction) / s;
  const opening = normalZ * cosine - normalY * sine;
  const round = normalZ * aboutY - normalY * aboutZ;
  const back = (-round * x(direction)) / (x(direction) < 0 ? max<f32>(s, SMALLEST_COSINE) : s);
  return vec3(round, back * cosine - opening * sine, back * sine + opening * cosine);
}

/** @inline */
function hypotenuse(a: f32, b: f32): f32 {
  return sqrt<f32>(a * a + b * b);
}
