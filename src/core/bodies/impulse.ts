// Applies an impulse at a point of a body. In: the body, awake; N·s, and the point relative to its centre of mass. Out:
// its velocities.
import { add, cross, mul } from '../math/vector';
import { Body } from '../memory/records';
import { velocityAt } from '../memory/tables';
import { applyInverseInertia, findInverseMass, updateInverseMass } from './massProperties';

export function applyImpulse(b: Body, impulse: v128, arm: v128): void {
  const v = velocityAt(b.slot);
  findInverseMass(b);
  v.linear = add(v.linear, mul(impulse, b.invMass));
  v.angular = add(v.angular, applyInverseInertia(b, cross(arm, mul(impulse, b.linearFactor))));
  updateInverseMass(b);
}
