// Manifolds of bodies that move together, as on a turntable or in a drum. In: lanes whose bodies moved too far for
// recycling. Out: where B has moved with A, the frame of the contact and the poses with which recycling compares, carried
// along with A. What recycling measures from then on is only the motion of B relative to A, which adds up over the steps.

import { splat } from '../math/vector';
import {
  chooseQuatW,
  chooseW,
  conjugateW,
  dotW,
  gatherQuatW,
  gatherW,
  normalizeW,
  productW,
  rotateW,
  Vec3W,
} from '../math/wide';
import { BlockMeta, ContactBlock } from '../memory/records';
import { world } from '../memory/tables';
import { bodiesAt } from '../memory/wide';
import { CARRIED_SHARE } from '../tolerances';

/** Carries lanes of the mask; returns whether there are any. Static bodies have no pose in a block, and carry nothing. @wide */
export function carryLanes(block: ContactBlock, meta: BlockMeta, lanes: v128): bool {
  const none = i32x4.splat(0);
  const both = v128.and(i32x4.ne(block.bodyA, none), i32x4.ne(block.bodyB, none));
  const wanted = v128.and(v128.and(lanes, both), meta.recyclable);
  if (!v128.any_true(wanted)) return false;
  const g = world();
  const bodiesA = bodiesAt(block.bodyA);
  const bodiesB = bodiesAt(block.bodyB);
  const qA = gatherQuatW(bodiesA.rotation);
  const turn = normalizeW(productW(qA, conjugateW(meta.cachedRotationA)));
  const center = rotateW(turn, meta.cachedCenter);
  const between = gatherW(bodiesB.position - bodiesA.position);
  const way = between - center;
  const qB = productW(turn, meta.cachedRotationB);
  const rest = productW(gatherQuatW(bodiesB.rotation), conjugateW(qB));
  const axis = new Vec3W(rest.x, rest.y, rest.z);
  const turning = splat(2) * f32x4.sqrt(dotW(axis, axis));
  const motion = f32x4.sqrt(dotW(way, way)) + meta.reach * turning;
  const together = v128.and(
    v128.and(f32x4.lt(motion, splat(g.recycleDistance) * splat(CARRIED_SHARE)), wanted),
    f32x4.gt(rest.w * rest.w, splat(g.recycleAngleCosine)),
  );
  if (!v128.any_true(together)) return false;
  const n = rotateW(turn, block.normal);
  const normal = n * (splat(1) / f32x4.sqrt(dotW(n, n)));
  const t = rotateW(turn, block.tangent);
  const t1 = t - normal * dotW(normal, t);
  const tangent = t1 * (splat(1) / f32x4.sqrt(dotW(t1, t1)));
  block.normal = chooseW(normal, block.normal, together);
  block.tangent = chooseW(tangent, block.tangent, together);
  // Impulses act at one point of the world, midway between where A and B carried the centre, or they would add spin.
  const onA = rotateW(turn, block.centerA);
  const onB = rotateW(turn, block.centerB) + between;
  const middle = (onA + onB) * splat(0.5);
  block.centerA = chooseW(middle, block.centerA, together);
  block.centerB = chooseW(middle - between, block.centerB, together);
  meta.cachedCenter = chooseW(center, meta.cachedCenter, together);
  meta.cachedRotationA = chooseQuatW(qA, meta.cachedRotationA, together);
  meta.cachedRotationB = chooseQuatW(qB, meta.cachedRotationB, together);
  return true;
}
