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
  sub,
  vec3,
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
import { bodyAt, jointAt } from '../memory/tables';
import { ON_AXLE, SHORT_ARM, TURNS_FREE } from '../tolerances';
import { hingeAxis } from './joints/generic';
import { isWorking, nextLink } from './joints/links';
import { isFixedAtZero } from './joints/rows';
import { isGeneric } from './joints/types';

/** Joints followed from a rotor: a frame in two gimbals, and what these hang on. */
const MOST_FOLLOWED = 3;

/** rad/s. The fastest nutation of the body about its joints. */
export function nutation(b: Body, v: BodyVelocity): f32 {
  let most: f32 = 0;
  for (let link = b.firstJoint; link != 0; link = nextLink(link)) {
    if (isWorking(jointAt(link >> 1))) most = max(most, nutationAbout(b, v, link));
  }
  return most;
}

const NONE: i32 = -1;
const ALL: i32 = 3;

/** The angle that a joint leaves to two bodies, as axis x, y or z of its frame; NONE, or ALL. */
function freeAngle(j: Joint): i32 {
  const type = j.type;
  if (type == JOINT_FIXED) return NONE;
  if (type == JOINT_HINGE || type == JOINT_SLIDER) return 0;
  if (!isGeneric(type) || type == JOINT_UNIVERSAL) return ALL;
  if (isFixedAtZero(j, 3)) return NONE;
  // Locks of single Euler angles turn with the rotor, and would lose its energy at any length of the substep.
  const axis = hingeAxis(j);
  return axis < 0 ? ALL : axis - 3;
}

/** Axis x, y or z of a joint, world. */
function axisOf(j: Joint, k: i32): v128 {
  const q = mulQuat(bodyAt(j.bodyA).rotation, j.localRotationA);
  return rotate(q, vec3(k == 0 ? 1 : 0, k == 1 ? 1 : 0, k == 2 ? 1 : 0));
}

/**
 * L / √(I₁ I₂): L along the axis of the spin, and the moments about two directions across it. A top spins about the arm from its ball
 * joint, and alone. A rotor spins about an axis through its centre, and turns the axis with all that its joint and others hold: a fork,
 * gimbals. What stands still holds the axis, and so does a heavy car.
 */
function nutationAbout(b: Body, v: BodyVelocity, link: i32): f32 {
  const j = jointAt(link >> 1);
  const isTop = j.type == JOINT_POINT;
  if (isTop ? (b.flags & BODY_ISOTROPIC) != 0 : freeAngle(j) == ALL) return 0;
  const frame = bodyAt(link & 1 ? j.bodyA : j.bodyB);
  const r = rotate(b.rotation, sub(link & 1 ? j.localPositionB : j.localPositionA, b.centerOfMass));
  const along = isTop ? r : v.angular;
  const size = length(along);
  if (size <= SHORT_ARM) return 0;
  const axis = scale(along, <f32>1 / size);
  // A limb beside its hinge swings, which has a rule of its own.
  if (!isTop && !(length(cross(axis, r)) < ON_AXLE * b.boundingRadius)) return 0;
  let first = perpendicular(axis);
  for (let other = isTop ? 0 : frame.firstJoint; other != 0; other = nextLink(other)) {
    const k = freeAngle(jointAt(other >> 1));
    if (k == NONE || k == ALL) continue;
    const across = cross(axis, axisOf(jointAt(other >> 1), k));
    if (length(across) > TURNS_FREE) first = normalizeOr(across, first);
  }
  const second = cross(axis, first);
  let i1 = ownInertia(b, first);
  let i2 = ownInertia(b, second);
  if (!isTop) {
    i1 += inertiaAbout(frame, first, j, MOST_FOLLOWED);
    i2 += inertiaAbout(frame, second, j, MOST_FOLLOWED);
  }
  const rate = (abs(dot(axis, v.angular)) * ownInertia(b, axis)) / (sqrt<f32>(i1) * sqrt<f32>(i2));
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
    if (k == ALL || (k != NONE && abs(dot(axisOf(j, k), direction)) > TURNS_FREE)) continue;
    inertia += inertiaAbout(bodyAt(link & 1 ? j.bodyA : j.bodyB), direction, j, followed - 1);
  }
  return inertia;
}
