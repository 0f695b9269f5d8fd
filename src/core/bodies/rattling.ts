// Bodies that vibrate at rest. A slab on four posts has more supports than it needs: one pass over the contacts shares its
// weight out badly, and the soft contacts answer in the next substep. From two storeys on, the structure vibrates at a tenth of
// the substep rate, wanders and falls. Such bodies are recognised here; their contacts get further passes (solver/prepare.ts).
// In: velocities at both ends of a step. Out: a level per body, in the bits of BODY_RATTLE, which is part of the state.

import { dot, length, lengthSquared } from '../math/vector';
import { BODY_RATTLE, BODY_RATTLE_SHIFT } from '../memory/constants';
import { Body, BodyVelocity } from '../memory/records';
import { world } from '../memory/tables';
import { context } from '../solver/context';
import { LEAST_RATTLE, MOST_RATTLE } from '../tolerances';

/** A body that has vibrated in one step is followed for twelve more. */
const RISE: i32 = 12;
const MOST_LEVEL: i32 = BODY_RATTLE >> BODY_RATTLE_SHIFT;
/** Level from which on a body has vibrated again and again. */
const PERSISTENT: i32 = 24;

/** @inline */
function levelOf(b: Body): i32 {
  return (b.flags & BODY_RATTLE) >> BODY_RATTLE_SHIFT;
}

/** Whether it has vibrated in one of the last steps. @inline */
export function isRattling(b: Body): bool {
  return (b.flags & BODY_RATTLE) != 0;
}

export function keepsRattling(b: Body): bool {
  return levelOf(b) >= PERSISTENT;
}

/** Runs at the end of the step. */
export function followRattling(b: Body, v: BodyVelocity): void {
  const level = levelOf(b);
  const now = vibrates(b, v) ? min(level + RISE, MOST_LEVEL) : max(level - 1, 0);
  b.flags = (b.flags & ~BODY_RATTLE) | (now << BODY_RATTLE_SHIFT);
}

/**
 * Whether the velocity was reversed by contacts in this step, and remains as small as what its forces add in a step: a
 * body that falls or is hit is faster. Rotation counts as the motion of its outermost point.
 */
function vibrates(b: Body, v: BodyVelocity): bool {
  if (b.constraintCount == 0 || b.firstJoint != 0 || world().contactErpMode) return false;
  const r2 = b.boundingRadius * b.boundingRadius;
  if (dot(v.linear, v.startLinear) + dot(v.angular, v.startAngular) * r2 >= 0) return false;
  const gain = length(v.forceLinear) * <f32>context().substeps;
  const share = lengthSquared(v.linear) + lengthSquared(v.angular) * r2;
  return share > LEAST_RATTLE * LEAST_RATTLE * gain * gain && share < MOST_RATTLE * MOST_RATTLE * gain * gain;
}
