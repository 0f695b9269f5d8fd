// Validity of joints (sound.ts): records, the lists of both bodies. Out: 0, or 700 plus the fault.

import { MOST_COORDINATE, MOST_IMPULSE, MOST_JOINT_SETTING } from '../memory/bounds';
import {
  AXIS_MOTOR,
  AXIS_SERVO,
  AXIS_SPRING,
  AXIS_STIFFNESS,
  AXIS_STOP,
  BODY_USED,
  JOINT_AXIS_COUNT,
  JOINT_BROKEN,
  JOINT_COLLIDE,
  JOINT_ENABLED,
  JOINT_ORDER_SHIFT,
  JOINT_TYPE_COUNT,
  JOINT_USED,
} from '../memory/constants';
import { Joint, JointAxis } from '../memory/records';
import { axisAt, bodyAt, JOINT_SIZE, jointAt, world } from '../memory/tables';
import { areWithin, isEmpty, isUnit, isWithin, MOST_GENERATIONS } from './soundNumbers';

const ORDERS = 6; // number of orders of Euler angles
const FLAGS = JOINT_USED | JOINT_ENABLED | JOINT_BROKEN | JOINT_COLLIDE | (7 << JOINT_ORDER_SHIFT);
const AXIS_FLAGS = AXIS_MOTOR | AXIS_SERVO | AXIS_SPRING | AXIS_STIFFNESS | AXIS_STOP;

export function jointFault(): i32 {
  const g = world();
  if (!isEmpty(changetype<usize>(jointAt(0)), JOINT_SIZE)) return 701;
  let used = 0;
  let ends = 0;
  for (let slot = 1; slot < g.jointEnd; slot++) {
    const j = jointAt(slot);
    if (!(j.flags & JOINT_USED)) {
      if (!isEmpty(changetype<usize>(j), JOINT_SIZE)) return 702;
      continue;
    }
    used++;
    ends += (j.bodyA != 0 ? 1 : 0) + (j.bodyB != 0 ? 1 : 0);
    const fault = recordFault(j, slot);
    if (fault != 0) return fault;
  }
  if (used != g.jointCount) return 703;
  for (let slot = 0; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (slot == 0 || !(b.flags & BODY_USED)) continue; // rows of zeros: see bodiesFault
    let before = 0;
    for (let link = b.firstJoint; link != 0; ) {
      if (<u32>(link >> 1) >= <u32>g.jointEnd || --ends < 0) return 705;
      const j = jointAt(link >> 1);
      const isB = (link & 1) != 0;
      if (!(j.flags & JOINT_USED) || (isB ? j.bodyB : j.bodyA) != slot) return 706;
      if ((isB ? j.prevB : j.prevA) != before) return 707;
      before = link;
      link = isB ? j.nextB : j.nextA;
    }
  }
  return ends == 0 ? 0 : 708;
}

/** @inline */
function isBody(slot: i32): bool {
  return slot == 0 || (<u32>slot < <u32>world().bodyEnd && (bodyAt(slot).flags & BODY_USED) != 0);
}

function recordFault(j: Joint, slot: i32): i32 {
  if (j.slot != slot || <u32>j.generation >= <u32>MOST_GENERATIONS || <u32>j.type >= <u32>JOINT_TYPE_COUNT)
    return 710;
  if (j.flags & ~FLAGS || j.flags >> JOINT_ORDER_SHIFT >= ORDERS) return 711;
  if (!isBody(j.bodyA) || !isBody(j.bodyB) || j.bodyA == j.bodyB) return 712;
  if (!areWithin(j.localPositionA, <f32>4 * MOST_COORDINATE) || !isUnit(j.localRotationA)) return 713;
  if (!areWithin(j.localPositionB, <f32>4 * MOST_COORDINATE) || !isUnit(j.localRotationB)) return 714;
  if (!areWithin(j.pointImpulse, MOST_IMPULSE) || !areWithin(j.angularImpulse, MOST_IMPULSE)) return 715;
  if (!areWithin(j.linearTotal, f32.MAX_VALUE) || !areWithin(j.angularTotal, f32.MAX_VALUE)) return 716;
  if (
    !isWithin(j.breakingImpulse, 0, MOST_JOINT_SETTING) ||
    !isWithin(j.breakingAngularImpulse, 0, MOST_JOINT_SETTING)
  )
    return 717;
  if (!isWithin(j.hertz, -1, MOST_JOINT_SETTING) || !isWithin(j.dampingRatio, 0, MOST_JOINT_SETTING))
    return 718;
  if (
    !isWithin(j.maxForce, 0, MOST_JOINT_SETTING) ||
    !isWithin(j.maxTorque, 0, MOST_JOINT_SETTING) ||
    !isWithin(j.ratio, -MOST_JOINT_SETTING, MOST_JOINT_SETTING)
  )
    return 719;
  if (j.reserved1 | j.reserved2) return 726;
  for (let k = 0; k < JOINT_AXIS_COUNT; k++) {
    const axis = axisAt(j, k);
    if (axis.flags & ~AXIS_FLAGS || axis.reserved0 != 0) return 720;
    const at = changetype<usize>(axis);
    // Targets and limits, then non-negative values, then positions and impulses.
    for (let o = offsetof<JointAxis>('low'); o < offsetof<JointAxis>('value'); o += 4)
      if (!isWithin(load<f32>(at + o), -MOST_JOINT_SETTING, MOST_JOINT_SETTING)) return 721;
    for (let o = offsetof<JointAxis>('value'); o < offsetof<JointAxis>('flags'); o += 4)
      if (!(abs<f32>(load<f32>(at + o)) <= f32.MAX_VALUE)) return 722;
    if (!(axis.maxMotorForce >= 0 && axis.springRate >= 0 && axis.springDamping >= 0)) return 723;
    if (!(axis.maxSpringForce >= 0 && axis.stopCfm >= 0)) return 724;
    if (!isWithin(axis.stopErp, 0, 1) || !isWithin(axis.bounce, 0, 1)) return 725;
  }
  return 0;
}
