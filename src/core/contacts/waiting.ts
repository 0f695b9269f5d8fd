// Waiting pairs: AABBs overlap, shapes do not touch. In: the distance of each that the narrow phase found last, motions of bodies.
// Out: whether a pair can come into contact in this step. Only motion relative to each other brings two bodies closer: in a
// heap that is stirred, a drum or a fall, neighbours move together, and most pairs need no test.

import { add, length, lengthSquared, sub, w } from '../math/vector';
import { GAP_UNITS, MOST_GAP_UNITS } from '../memory/constants';
import { WaitingPair } from '../memory/records';
import { boxAt, motionOf, shapeAt, waitingAt, world } from '../memory/tables';

/** Steps of which motions below one unit are counted together. */
const SLOW_STEPS = 16;

/** m. How far two bodies move relative to each other, at most: `motionOf` of both. @inline */
function motionBetween(a: v128, b: v128): f32 {
  return sqrt<f32>(lengthSquared(sub(b, a))) + w(add(a, b));
}

/**
 * m. The distance beyond which a pair cannot come into contact in this step; `still`: m, the distance at which it can without
 * motion. @inline
 */
export function leastBeyond(waiting: WaitingPair, still: f32): f32 {
  return max<f32>(motionBetween(motionOf(waiting.bodyA), motionOf(waiting.bodyB)), still);
}

/**
 * m. The distance of the spheres around two convex shapes, a lower bound of theirs; below 0 for others. Of the pairs that are not known to be
 * apart it spares two fifths the narrow phase in a heap of hulls that is stirred, and four fifths in a rain of small bodies.
 */
export function gapOfSpheres(waiting: WaitingPair): f32 {
  const between = sub(shapeAt(waiting.shapeB).position, shapeAt(waiting.shapeA).position);
  return length(between) - (w(boxAt(waiting.shapeA).max) + w(boxAt(waiting.shapeB).max));
}

/** Whether the shapes are known to be more than `distance`, m, apart. @inline */
export function isBeyond(waiting: WaitingPair, distance: f32): bool {
  return <f64>waiting.gap > <f64>distance * GAP_UNITS;
}

/** Notes the distance that the narrow phase found, m, or a lower bound of it. */
export function noteGap(waiting: WaitingPair, gap: f32): void {
  waiting.gap = gap > 0 ? <i32>min<f64>(<f64>gap * GAP_UNITS, <f64>MOST_GAP_UNITS) : 0;
}

/**
 * Subtracts the motion of this step. Distances are whole units and motions are rounded up, so that a world that was
 * restored goes on with the same numbers. Of slow motion that would lose a unit in every step, therefore it is counted
 * every SLOW_STEPS steps.
 */
export function followWaiting(): void {
  const g = world();
  const all = (g.stepCount & (SLOW_STEPS - 1)) == 0;
  for (let i = 0; i < g.waitingCount; i++) {
    const waiting = waitingAt(i);
    if (waiting.gap == 0) continue;
    const motion = motionBetween(motionOf(waiting.bodyA), motionOf(waiting.bodyB));
    const units = <f64>motion * GAP_UNITS;
    if (units * SLOW_STEPS < 1 && !all) continue;
    const left = <f64>waiting.gap - units - (all ? 2 : 1);
    waiting.gap = left > 0 ? <i32>left : 0;
  }
}
