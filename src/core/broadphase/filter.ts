// Which pairs of shapes may collide at all. In: two shapes. Out: yes or no.
// The group and mask test is Bullet's btOverlapFilterCallback default: both ways.
import { BODY_DYNAMIC, BODY_NO_RESPONSE, SHAPE_NO_RESPONSE } from '../memory/constants';
import { Shape } from '../memory/records';
import { bodyAt } from '../memory/tables';
import { forbidden } from '../solver/joints/table';

/** @external env pairFilter */
declare function pairFilter(shapeA: i32, shapeB: i32): i32;

/** The part of the filter that needs no look at the bodies. @inline */
export function filtersMatch(groupA: i32, maskA: i32, groupB: i32, maskB: i32): bool {
  return (groupA & maskB) != 0 && (groupB & maskA) != 0;
}

/** No other shape can match: nobody needs to look for one. @inline */
export function meetsNothing(s: Shape): bool {
  return s.group == 0 || s.mask == 0;
}

/** Everything but the user's pair filter. */
export function shouldCollide(a: Shape, b: Shape): bool {
  if (a.body == b.body || !filtersMatch(a.group, a.mask, b.group, b.mask)) return false;
  if (forbidden(a.body, b.body)) return false;
  const bodyA = bodyAt(a.body);
  const bodyB = bodyAt(b.body);
  // Nothing pushes static and kinematic bodies about, but a sensor wants to hear of all, as Bullet's ghosts do.
  return (
    bodyA.type == BODY_DYNAMIC ||
    bodyB.type == BODY_DYNAMIC ||
    ((a.flags | b.flags) & SHAPE_NO_RESPONSE) != 0 ||
    ((bodyA.flags | bodyB.flags) & BODY_NO_RESPONSE) != 0
  );
}

/** The user's pair filter: slow, since it leaves the core. @inline */
export function userAllows(shapeA: i32, shapeB: i32): bool {
  return pairFilter(shapeA, shapeB) != 0;
}
