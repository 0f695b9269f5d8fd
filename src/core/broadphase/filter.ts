// Which pairs of shapes can collide. In: two shapes. Out: yes or no. The group and mask test is that of Bullet's
// default btOverlapFilterCallback, in both directions.
import {
  BODY_DYNAMIC,
  BODY_NO_RESPONSE,
  BODY_STATIC,
  SHAPE_NO_RESPONSE,
  SHAPE_SENSES_STATIC,
} from '../memory/constants';
import { Body, Shape } from '../memory/records';
import { bodyAt } from '../memory/tables';
import { forbidden } from '../solver/joints/table';

/** @external env pairFilter */
declare function pairFilter(shapeA: i32, shapeB: i32): i32;

/** The part of the filter that does not need the bodies. @inline */
export function filtersMatch(groupA: i32, maskA: i32, groupB: i32, maskB: i32): bool {
  return (groupA & maskB) != 0 && (groupB & maskA) != 0;
}

/** Whether the filter matches no other shape, so that the shape needs no pair search. @inline */
export function meetsNothing(s: Shape): bool {
  return s.group == 0 || s.mask == 0;
}

/** All filters except the user's pair filter. */
export function shouldCollide(a: Shape, b: Shape): bool {
  if (a.body == b.body || !filtersMatch(a.group, a.mask, b.group, b.mask)) return false;
  if (forbidden(a.body, b.body)) return false;
  const bodyA = bodyAt(a.body);
  const bodyB = bodyAt(b.body);
  if (bodyA.type == BODY_DYNAMIC || bodyB.type == BODY_DYNAMIC) return true;
  // Static and kinematic bodies do not collide with each other, but sensors detect them. A sensor on a static body
  // detects other static bodies only if asked to, because zones usually overlap the ground.
  const bothStatic = bodyA.type == BODY_STATIC && bodyB.type == BODY_STATIC;
  const wanted = bothStatic ? SHAPE_SENSES_STATIC : -1;
  return (isSensor(a, bodyA) && (a.flags & wanted) != 0) || (isSensor(b, bodyB) && (b.flags & wanted) != 0);
}

function isSensor(s: Shape, b: Body): bool {
  return (s.flags & SHAPE_NO_RESPONSE) != 0 || (b.flags & BODY_NO_RESPONSE) != 0;
}

/** The user's pair filter. Slow, since it calls out of the core. @inline */
export function userAllows(shapeA: i32, shapeB: i32): bool {
  return pairFilter(shapeA, shapeB) != 0;
}
