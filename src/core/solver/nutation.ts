// Nutation: how fast the axis of a spinning body circles when nothing but its own momentum turns it. In: bodies that spin on
// joints. Out: the rate, which limits the length of a substep. Free rotation and constraints are solved one after the other;
// where the axis moves far in between, the constraint takes the energy of the spin.

import {
  cross,
  dot,
  length,
  mulQuat,
  normalizeOr,
  perpendicular,
  rotate,
  rotateInverse,
  scale,
  splat,
  sub,
  x,
  y,
  z,
} from '../math/vector';
import { BODY_DYNAMIC, BODY_ISOTROPIC, JOINT_POINT } from '../memory/constants';
import { Body, BodyVelocity, Joint } from '../memory/records';
import { bodyAt, jointAt } from '../memory/tables';
import { ON_AXLE, SHORT_ARM, TURNS_FREE } from '../tolerances';
import { direction } from './joints/angle';
import { isWorking, nextLink } from './joints/links';
import { ALL_ANGLES, NO_ANGLE } from './joints/rows';
import { freeAngle } from './joints/types';

/** Joints followed from a rotor: a frame in two gimbals, and what these hang on. */
const MOST_FOLLOWED = 3;

/** rad/s. The fastest nutation of the body about its joints. */
export function nutation(b: Body, v: BodyVelocity): f32 {
  let most: f32 = 0;
  for (let link = b.firstJoint; link != 0; link = nextLink(link)) {
    const j = jointAt(link >> 1);
    if (!isWorking(j)) continue;
    if (freeAngle(j) != ALL_ANGLES) most = max(most, nutationOfRotor(b, v, link));
    else if (j.type == JOINT_POINT && !(b.flags & BODY_ISOTROPIC))
      most = max(most, nutationOfTop(b, v, link));
  }
  return most;
}

/**
 * Of a body that spins about the arm from a ball joint to its centre: L/I, with L along the arm and I the middle moment of
 * inertia, which for a round body is the one across the arm.
 */
function nutationOfTop(b: Body, v: BodyVelocity, link: i32): f32 {
  const j = jointAt(link >> 1);
  const inverse = b.invInertiaLocal;
  const r = sub(link & 1 ? j.localPositionB : j.localPositionA, b.centerOfMass);
  const arm = length(r);
  if (arm <= SHORT_ARM) return 0;
  const spin = rotateInverse(mulQuat(b.rotation, b.principal), v.angular);
  const momentum = dot(rotateInverse(b.principal, r), f32x4.div(spin, f32x4.pmax(inverse, splat(1e-20))));
  const ix = x(inverse);
  const iy = y(inverse);
  return (abs(momentum) / arm) * max(min(ix, iy), min(max(ix, iy), z(inverse)));
}

/** Axis x, y or z of a joint, world. */
function axisOf(j: Joint, k: i32): v128 {
  return direction(mulQuat(bodyAt(j.bodyA).rotation, j.localRotationA), k);
}

/**
 * Of a body that spins about an axis through its centre, and whose joint turns the axis with another body, as an axle does:
 * L / √(I₁ I₂), with the moments about two directions across the axis of all that turns with it, such as a fork or gimbals. What
 * stands still holds the axis, and so does a heavy car.
 */
function nutationOfRotor(b: Body, v: BodyVelocity, link: i32): f32 {
  const j = jointAt(link >> 1);
  const frame = bodyAt(link & 1 ? j.bodyA : j.bodyB);
  // It holds the axis; and a wall may have thousands of rotors.
  if (frame.type != BODY_DYNAMIC) return 0;
  const speed = length(v.angular);
  const axis = scale(v.angular, <f32>1 / speed);
  // A limb beside its hinge swings, which has a rule of its own.
  const r = sub(link & 1 ? j.localPositionB : j.localPositionA, b.centerOfMass);
  if (!(length(cross(axis, rotate(b.rotation, r))) < ON_AXLE * b.boundingRadius)) return 0;
  let first = perpendicular(axis);
  for (let other = frame.firstJoint; other != 0; other = nextLink(other)) {
    const k = freeAngle(jointAt(other >> 1));
    if (k == NO_ANGLE || k == ALL_ANGLES) continue;
    const across = cross(axis, axisOf(jointAt(other >> 1), k));
    if (length(across) > TURNS_FREE) first = normalizeOr(across, first);
  }
  const i1 = ownInertia(b, first) + inertiaAbout(frame, first, j, MOST_FOLLOWED);
  const second = cross(axis, first);
  const i2 = ownInertia(b, second) + inertiaAbout(frame, second, j, MOST_FOLLOWED);
  const rate = (speed * ownInertia(b, axis)) / (sqrt<f32>(i1) * sqrt<f32>(i2));
  return rate < Infinity ? rate : 0;
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
  for (let link = b.firstJoint; link != 0 && followed > 0; link = nextLink(link)) {
    const j = jointAt(link >> 1);
    if (j == through || !isWorking(j)) continue;
    const k = freeAngle(j);
    if (k == ALL_ANGLES || (k != NO_ANGLE && abs(dot(axisOf(j, k), direction)) > TURNS_FREE)) continue;
    inertia += inertiaAbout(bodyAt(link & 1 ? j.bodyA : j.bodyB), direction, j, followed - 1);
  }
  return inertia;
}
