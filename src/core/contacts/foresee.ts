// Predicts a rolling contact at the middle of the step. In: the manifold at the start of the step, velocities. Out: the
// same manifold, moved. Substeps keep arms and normal fixed. If these are taken from the start of the step, they lag
// behind the contact by half a step on average, and a body that rocks on a round shape gains energy (an unbalanced ball
// gained a tenth of its swing per second). At the middle of the step the error is of second order (midpoint rule).
import { add, addScaled, cross, dot, length, lengthSquared, normalizeOr, scale, sub } from '../math/vector';
import { BODY_STATIC, SHAPE_CAPSULE, SHAPE_CYLINDER, SHAPE_SPHERE } from '../memory/constants';
import { ManifoldResult, Pair, Shape } from '../memory/records';
import { bodyAt, shapeAt, velocityAt } from '../memory/tables';
import { quatAxisY } from '../shapes/shape';
import { CYLINDER_SIDE, LEAST_WAY, MOST_ROLL, MOST_WAY } from '../tolerances';

/** m. Radius of the shape where it touches along `n`, or −1 if it is not round there. */
function roundness(s: Shape, n: v128): f32 {
  if (s.type == SHAPE_SPHERE || s.type == SHAPE_CAPSULE) return s.param0;
  if (s.type == SHAPE_CYLINDER && abs(dot(quatAxisY(s.rotation), n)) < CYLINDER_SIDE) return s.param0;
  return -1;
}

/**
 * Moves the manifold forward by `time`; returns its largest motion relative to its bodies, m, or 0 if it was not moved.
 */
export function foresee(pair: Pair, result: ManifoldResult, time: f32): f32 {
  const n = result.normal;
  let roundA = roundness(shapeAt(pair.shapeA), n);
  let roundB = roundness(shapeAt(pair.shapeB), n);
  if (roundA < 0 && roundB < 0) return 0;
  const most = MOST_WAY * max(roundA, roundB);
  const a = velocityAt(pair.bodyA);
  const b = velocityAt(pair.bodyB);
  if (max(lengthSquared(a.angular), lengthSquared(b.angular)) * time * time > MOST_ROLL * MOST_ROLL) return 0;
  const point = result.count > 1 ? scale(add(result.point0, result.point1), 0.5) : result.point0;
  // The points lie in the middle of the gap. If they and the normal did not turn about the same centre, a ball without
  // friction would get a spin.
  const gap =
    <f32>0.5 * (result.count > 1 ? <f32>0.5 * (result.separation0 + result.separation1) : result.separation0);
  if (roundA >= 0) roundA += gap;
  if (roundB >= 0) roundB += gap;
  const rA = sub(point, bodyAt(pair.bodyA).position);
  const rB = sub(point, bodyAt(pair.bodyB).position);
  // Velocities of the centres of round shapes; of a flat face, of its material point at the contact.
  const uA = add(a.linear, cross(a.angular, addScaled(rA, n, -max<f32>(roundA, 0))));
  const uB = add(b.linear, cross(b.angular, addScaled(rB, n, max<f32>(roundB, 0))));
  let velocity: v128;
  let turn: v128; // change of the normal
  if (roundA >= 0 && roundB >= 0) {
    const between = max<f32>(roundA + roundB, 1e-6);
    const closing = sub(uB, uA);
    turn = scale(closing, <f32>1 / between); // along n, too, so that normal and arms stay parallel
    velocity = addScaled(uA, closing, roundA / between);
  } else if (roundA >= 0) {
    turn = cross(b.angular, n);
    velocity = addScaled(uA, turn, roundA);
  } else {
    turn = cross(a.angular, n);
    velocity = addScaled(uB, turn, -roundB);
  }
  const wayA = bodyAt(pair.bodyA).type == BODY_STATIC ? <f32>0 : length(sub(velocity, a.linear));
  const wayB = bodyAt(pair.bodyB).type == BODY_STATIC ? <f32>0 : length(sub(velocity, b.linear));
  const way = time * max(wayA, wayB);
  if (way < LEAST_WAY || way > most) return 0;
  result.normal = normalizeOr(addScaled(n, turn, time), n);
  result.point0 = addScaled(result.point0, velocity, time);
  if (result.count > 1) result.point1 = addScaled(result.point1, velocity, time);
  if (result.count > 2) result.point2 = addScaled(result.point2, velocity, time);
  if (result.count > 3) result.point3 = addScaled(result.point3, velocity, time);
  return way;
}
