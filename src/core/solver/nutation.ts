// Nutation: how fast the axis of a spinning body circles when nothing but its own momentum turns it. In: bodies that spin on
// joints. Out: the rate, which limits the length of a substep. Free rotation and constraints are solved one after the other;
// where the axis moves far in between, the constraint takes the energy of the spin.

import {
  addScaled,
  cross,
  dot,
  length,
  lengthSquared,
  mulQuat,
  perpendicular,
  rotate,
  rotateInverse,
  scale,
  splat,
  sub,
  vec3,
  x,
  y,
  z,
} from '../math/vector';
import {
  BODY_DYNAMIC,
  BODY_ISOTROPIC,
  JOINT_FIXED,
  JOINT_HINGE,
  JOINT_POINT,
  JOINT_SLIDER,
  JOINT_UNIVERSAL,
} from '../memory/constants';
import { Body, BodyVelocity, Joint } from '../memory/records';
import { axisAt, bodyAt, jointAt } from '../memory/tables';
import { ON_AXLE, SHORT_ARM, TURNS_FREE } from '../tolerances';
import { hingeAxis } from './joints/generic';
import { isWorking, nextLink } from './joints/links';
import { isLocked } from './joints/rows';
import { isGeneric } from './joints/types';

/** Joints followed from a rotor: a frame in two gimbals, and what these hang on. */
const MOST_FOLLOWED = 3;

/** rad/s. The fastest nutation of the body about its joints. */
export function nutation(b: Body, v: BodyVelocity): f32 {
  let most: f32 = 0;
  for (let link = b.firstJoint; link != 0; link = nextLink(link)) {
    const j = jointAt(link >> 1);
    if (!isWorking(j)) continue;
    if (holdsAxle(j)) most = max(most, nutationOfRotor(b, v, link));
    else if (j.type == JOINT_POINT && !(b.flags & BODY_ISOTROPIC))
      most = max(most, nutationOfTop(b, v, link));
  }
  return most;
}

/**
 * Whether the joint locks two angles or all, as a block. Other locks of angles lose the energy of a rotor at any length of the substep.
 */
function holdsAxle(j: Joint): bool {
  const type = j.type;
  if (type == JOINT_HINGE || type == JOINT_SLIDER || type == JOINT_FIXED) return true;
  return isGeneric(type) && type != JOINT_UNIVERSAL && hingeAxis(j) >= 0;
}

/** N·m·s, in the principal frame of the body. */
function momentumOf(b: Body, v: BodyVelocity): v128 {
  const spin = rotateInverse(mulQuat(b.rotation, b.principal), v.angular);
  return f32x4.div(spin, f32x4.pmax(b.invInertiaLocal, splat(1e-20)));
}

/**
 * Of a body that spins about the arm from a ball joint to its centre: L/I, with L along the arm and I the middle moment of
 * inertia, which for a round body is the one across the arm.
 */
function nutationOfTop(b: Body, v: BodyVelocity, link: i32): f32 {
  const j = jointAt(link >> 1);
  const r = sub(link & 1 ? j.localPositionB : j.localPositionA, b.centerOfMass);
  const arm = length(r);
  if (arm <= SHORT_ARM) return 0;
  const along = abs(dot(rotateInverse(b.principal, r), momentumOf(b, v))) / arm;
  const ix = x(b.invInertiaLocal);
  const iy = y(b.invInertiaLocal);
  const iz = z(b.invInertiaLocal);
  return along * max(min(ix, iy), min(max(ix, iy), iz));
}

/**
 * Of a body that spins about an axis through its centre, and whose joint turns the axis with another body, as an axle does:
 * L / √(I₁ I₂), with the moments about two directions across the axis of all that turns with it, such as a fork or gimbals. What
 * stands still holds the axis, and so does a heavy car.
 */
function nutationOfRotor(b: Body, v: BodyVelocity, link: i32): f32 {
  const j = jointAt(link >> 1);
  const frame = bodyAt(link & 1 ? j.bodyA : j.bodyB);
  if (frame.type != BODY_DYNAMIC) return 0;
  const axis = scale(v.angular, <f32>1 / length(v.angular));
  const first = acrossAxis(frame, axis);
  const second = cross(axis, first);
  if (turnsFree(j, first) || turnsFree(j, second)) return 0; // it spins about another axis than its axle
  // A limb beside its hinge swings, which has a rule of its own.
  const r = sub(link & 1 ? j.localPositionB : j.localPositionA, b.centerOfMass);
  if (!(length(cross(axis, rotate(b.rotation, r))) < ON_AXLE * b.boundingRadius)) return 0;
  const along = abs(dot(rotateInverse(mulQuat(b.rotation, b.principal), axis), momentumOf(b, v)));
  const i1 = ownInertia(b, first) + inertiaAbout(frame, first, j, MOST_FOLLOWED);
  const i2 = ownInertia(b, second) + inertiaAbout(frame, second, j, MOST_FOLLOWED);
  return along / (sqrt<f32>(i1) * sqrt<f32>(i2));
}

/** Whether the joint leaves angle `k` to x, y or z: the angle of hinges and sliders is that about x. */
function leavesAngle(j: Joint, k: i32): bool {
  const type = j.type;
  if (type == JOINT_FIXED || ((type == JOINT_HINGE || type == JOINT_SLIDER) && k > 0)) return false;
  return !(isGeneric(type) || type == JOINT_HINGE || type == JOINT_SLIDER) || !isLocked(axisAt(j, 3 + k));
}

/** Axis x, y or z of a joint, world. */
function axisOf(j: Joint, k: i32): v128 {
  return rotate(
    bodyAt(j.bodyA).rotation,
    rotate(j.localRotationA, vec3(k == 0 ? 1 : 0, k == 1 ? 1 : 0, k == 2 ? 1 : 0)),
  );
}

/** Whether the joint lets one of its bodies turn about a direction without the other. */
function turnsFree(j: Joint, direction: v128): bool {
  for (let k = 0; k < 3; k++)
    if (leavesAngle(j, k) && abs(dot(axisOf(j, k), direction)) > TURNS_FREE) return true;
  return false;
}

/** A direction across an axis, about which a joint of the frame lets it turn if there is one. */
function acrossAxis(frame: Body, axis: v128): v128 {
  for (let link = frame.firstJoint; link != 0; link = nextLink(link)) {
    const j = jointAt(link >> 1);
    if (!isWorking(j)) continue;
    for (let k = 0; k < 3; k++) {
      if (!leavesAngle(j, k)) continue;
      const free = axisOf(j, k);
      const across = addScaled(free, axis, -dot(free, axis));
      const size2 = lengthSquared(across);
      if (size2 > TURNS_FREE * TURNS_FREE) return scale(across, <f32>1 / sqrt<f32>(size2));
    }
  }
  return perpendicular(axis);
}

/** kg·m². Resistance of a body alone to a torque about a direction. */
function ownInertia(b: Body, direction: v128): f32 {
  const d = rotateInverse(mulQuat(b.rotation, b.principal), direction);
  return <f32>1 / dot(f32x4.mul(d, d), b.invInertiaLocal);
}

/** kg·m². The same with what other joints than `through` turn with it; Infinity if that stands still. */
function inertiaAbout(b: Body, direction: v128, through: Joint, followed: i32): f32 {
  if (b.type != BODY_DYNAMIC) return Infinity;
  let inertia = ownInertia(b, direction);
  if (followed == 0) return inertia;
  for (let link = b.firstJoint; link != 0; link = nextLink(link)) {
    const j = jointAt(link >> 1);
    if (j == through || !isWorking(j) || turnsFree(j, direction)) continue;
    inertia += inertiaAbout(bodyAt(link & 1 ? j.bodyA : j.bodyB), direction, j, followed - 1);
  }
  return inertia;
}
