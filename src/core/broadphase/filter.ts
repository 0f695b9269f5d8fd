// Which pairs of shapes may collide at all. In: two shapes. Out: yes or no.
// The group and mask test is Bullet's btOverlapFilterCallback default: both ways.
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

/** The part of the filter that needs no look at the bodies. @inline */
export function filtersMatch(groupA: i32, maskA: i32, groupB: i32, maskB: i32): bool {
  return (groupA & maskB) != 0 && (groupB & maskA) != 0;
}

/** The filter matches no other shape, so the shape needs no pair search. @inline */
export function meetsNothing(s: Shape): bool {
  return s.group == 0 || s.mask == 0;
}

/** Everything but the user's pair filter. */
export function shouldCollide(a: Shape, b: Shape): bool {
  if (a.body == b.body || !filtersMatch(a.group, a.mask, b.group, b.mask)) return false;
  if (forbidden(a.body, b.body)) return false;
  const bodyA = bodyAt(a.body);
  const bodyB = bodyAt(b.body);
  if (bodyA.type == BODY_DYNAMIC || bodyB.type == BODY_DYNAMIC) return true;
  // Nothing pushes static and kinematic bodies about, but sensors hear of them; of what is static, where they are
  // themselves, only those that ask for it: a zone stands in the ground as a rule.
  const bothStatic = bodyA.type == BODY_STATIC && bodyB.type == BODY_STATIC;
  const wanted = bothStatic ? SHAPE_SENSES_STATIC : -1;
  return (isSensor(a, bodyA) && (a.flags & wanted) != 0) || (isSensor(b, bodyB) && (b.flags & wanted) != 0);
}

function isSensor(s: Shape, b: Body): bool {
  return (s.flags & SHAPE_NO_RESPONSE) != 0 || (b.flags & BODY_NO_RESPONSE) != 0;
}

/** The user's pair filter: slow, since it leaves the core. @inline */
export function userAllows(shapeA: i32, shapeB: i32): bool {
  return pairFilter(shapeA, shapeB) != 0;
}
