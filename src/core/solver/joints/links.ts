// Joint queries of islands and solver. In: joints, links of the lists of bodies. Out: whether a joint acts; the next
// link. A link is joint << 1 | side.
import { BODY_DYNAMIC, JOINT_BROKEN, JOINT_ENABLED } from '../../memory/constants';
import { Body, Joint } from '../../memory/records';
import { jointAt } from '../../memory/tables';

/** Whether the joint takes part in the solver, if its bodies do. @inline */
export function isWorking(j: Joint): bool {
  return (j.flags & (JOINT_ENABLED | JOINT_BROKEN)) == JOINT_ENABLED;
}

/** Whether joints act on the body: they cannot move the wall that a door hangs on. @inline */
export function isJointed(b: Body): bool {
  return b.firstJoint != 0 && b.type == BODY_DYNAMIC;
}

/** @inline */
export function nextLink(at: i32): i32 {
  const j = jointAt(at >> 1);
  return at & 1 ? j.nextB : j.nextA;
}
