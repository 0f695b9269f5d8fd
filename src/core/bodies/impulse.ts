// A point of a body: its velocity, and what an impulse there does. In: the body, awake for an impulse; N·s, and the place.
// Out: velocities.
import { add, cross, mul, sub } from '../math/vector';
import { Body } from '../memory/records';
import { velocityAt } from '../memory/tables';
import { applyInverseInertia, findInverseMass, updateInverseMass } from './massProperties';

/** m/s. Velocity of the body's material at a point, world. */
export function velocityAtPoint(b: Body, point: v128): v128 {
  const v = velocityAt(b.slot);
  return add(v.linear, cross(v.angular, sub(point, b.position)));
}

/** `arm`: from its centre of mass. */
export function applyImpulse(b: Body, impulse: v128, arm: v128): void {
  const v = velocityAt(b.slot);
  findInverseMass(b);
  v.linear = add(v.linear, mul(impulse, b.invMass));
  v.angular = add(v.angular, applyInverseInertia(b, cross(arm, mul(impulse, b.linearFactor))));
  updateInverseMass(b);
}
