// Manifolds of bodies that move together, as on a turntable or in a drum. In: lanes whose bodies moved too far for
// recycling. Out: where B has moved with A, the frame of the contact and the poses with which recycling compares, carried
// along with A. What recycling measures from then on is only the motion of B relative to A, which adds up over the steps.

import { add, conjugate, length, mulQuat, normalizeQuat, rotate, scale, sub, w } from '../math/vector';
import { get3, put3 } from '../memory/laneVectors';
import { BlockMeta, ContactBlock } from '../memory/records';
import { bodyAt, world } from '../memory/tables';
import { CARRIED_SHARE } from '../tolerances';

/** A rotation of a lane. */
function rotationAt(at: usize): v128 {
  return f32x4.replace_lane(get3(at), 3, load<f32>(at, 48));
}

function setRotation(at: usize, q: v128): void {
  put3(at, q);
  store<f32>(at, w(q), 48);
}

/** Rotates a vector of a lane. */
function turnVector(at: usize, q: v128): void {
  put3(at, rotate(q, get3(at)));
}

/**
 * Carries the manifold of a lane, whose block and meta are given with the offset of the lane, if its bodies moved
 * together. Static bodies have no pose in a block, and carry nothing.
 */
export function carryLane(block: usize, meta: usize): bool {
  const slotA = load<i32>(block, offsetof<ContactBlock>('bodyA'));
  const slotB = load<i32>(block, offsetof<ContactBlock>('bodyB'));
  const g = world();
  const most = CARRIED_SHARE * g.recycleDistance * load<f32>(meta, offsetof<BlockMeta>('recycleShare'));
  if (slotA == 0 || slotB == 0 || most == 0) return false;
  const a = bodyAt(slotA);
  const b = bodyAt(slotB);
  const poseA = meta + offsetof<BlockMeta>('cachedRotationAX');
  const poseB = meta + offsetof<BlockMeta>('cachedRotationBX');
  const center = meta + offsetof<BlockMeta>('cachedCenterX');
  const turn = normalizeQuat(mulQuat(a.rotation, conjugate(rotationAt(poseA))));
  const between = sub(b.position, a.position);
  const carried = mulQuat(turn, rotationAt(poseB));
  const rest = mulQuat(b.rotation, conjugate(carried));
  const motion =
    length(sub(between, rotate(turn, get3(center)))) +
    <f32>2 * load<f32>(meta, offsetof<BlockMeta>('reach')) * length(rest);
  if (!(motion < most && w(rest) * w(rest) > g.recycleAngleCosine)) return false;
  setRotation(poseA, a.rotation);
  setRotation(poseB, carried);
  turnVector(center, turn);
  turnVector(block + offsetof<ContactBlock>('normalX'), turn);
  turnVector(block + offsetof<ContactBlock>('tangentX'), turn);
  // Impulses act at one point of the world, midway between the places to which A and B carried the centre. At two
  // points they would add spin.
  const onA = block + offsetof<ContactBlock>('centerAX');
  const onB = block + offsetof<ContactBlock>('centerBX');
  const middle = scale(add(rotate(turn, add(get3(onA), get3(onB))), between), 0.5);
  put3(onA, middle);
  put3(onB, sub(middle, between));
  return true;
}
