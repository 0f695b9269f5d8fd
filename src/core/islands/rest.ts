// How long each body has rested. In: poses, velocities, forces and motors of awake bodies. Out: Body.sleepTime. It
// grows while no point of the body leaves the neighbourhood of its place at the start of the rest (after Jolt Physics,
// Body::UpdateSleepStateInternal), and while the body is slower than its thresholds (Bullet's rule). In the end it must
// not be about to leave it.
import { dot, lengthSquared, scale, sub } from '../math/vector';
import {
  AXIS_MOTOR,
  AXIS_SERVO,
  JOINT_AXIS_COUNT,
  PAIR_SENSOR,
  PAIR_TOUCHING,
  SHAPE_AREA,
  SHAPE_CARRIES,
} from '../memory/constants';
import { Body } from '../memory/records';
import { axisAt, jointAt, pairAt, shapeAt, velocityAt, world } from '../memory/tables';
import { isWorking, nextLink } from '../solver/joints/links';
import { DRIVEN_DISTANCE, REST_ROUNDING, STAY } from '../tolerances';

/** Advances the rest time; returns whether the body has rested long enough. */
export function hasRested(b: Body, dt: f32): bool {
  const g = world();
  const v = velocityAt(b.slot);
  const slow =
    lengthSquared(v.linear) < b.linearSleepThreshold * b.linearSleepThreshold &&
    lengthSquared(v.angular) < b.angularSleepThreshold * b.angularSleepThreshold;
  b.sleepTime = slow ? b.sleepTime + dt : 0;
  if (g.sleepDistance == 0) {
    // By speed alone, bodies on a slow conveyor belt would rest.
    if (g.surfaceCount > 0 && touches(b, SHAPE_CARRIES)) b.sleepTime = 0;
    startRest(b);
    return b.sleepTime > g.deactivationTime;
  }
  if (slow && staysNear(b, g.sleepDistance) && !falls(b, dt)) b.restTime += dt;
  else startRest(b);
  const stay: f32 = STAY * g.deactivationTime;
  if (!(b.sleepTime > g.deactivationTime && b.restTime > stay)) return false;
  // What was just pushed is still near, but with its velocity it would not stay there for as long as a rest takes.
  const speed = sqrt<f32>(lengthSquared(v.linear)) + sqrt<f32>(lengthSquared(v.angular)) * b.boundingRadius;
  return speed * stay <= g.sleepDistance;
}

/** Restarts the rest time at the current pose. */
export function startRest(b: Body): void {
  b.restTime = 0;
  b.restPosition = b.position;
  b.restRotation = b.rotation;
}

/** Whether the body falls, however slowly: at least as fast as after half a step, and nothing holds it. */
function falls(b: Body, dt: f32): bool {
  const pull = scale(world().gravity, b.gravityScale);
  if (dot(velocityAt(b.slot).linear, pull) <= <f32>0.5 * dt * lengthSquared(pull)) return false;
  for (let link = b.firstPair; link >= 0; ) {
    const pair = pairAt(link >> 1);
    if ((pair.flags & (PAIR_TOUCHING | PAIR_SENSOR)) == PAIR_TOUCHING) return false;
    link = link & 1 ? pair.nextB : pair.nextA;
  }
  for (let at = b.firstJoint; at != 0; at = nextLink(at)) if (isWorking(jointAt(at >> 1))) return false;
  return true;
}

/** Whether all points of the body are within `most` (m) of their places at the start of the rest time. */
function staysNear(b: Body, most: f32): bool {
  const way = moved(b);
  if (way > most) return false;
  const fine = max<f32>(DRIVEN_DISTANCE, REST_ROUNDING * sqrt<f32>(lengthSquared(b.position)));
  return way <= fine || !isDriven(b);
}

/** m, upper bound of the distance that any point of the body has moved. */
function moved(b: Body): f32 {
  const way = sqrt<f32>(lengthSquared(sub(b.position, b.restPosition)));
  // Quaternions of nearly equal rotations differ by half of the angle, and may differ in sign.
  const plus = f32x4.add(b.rotation, b.restRotation);
  const minus = f32x4.sub(b.rotation, b.restRotation);
  const chord = min<f32>(square(plus), square(minus));
  return way + <f32>2 * sqrt<f32>(chord) * b.boundingRadius;
}

/** @inline */
function square(q: v128): f32 {
  const s = f32x4.mul(q, q);
  return (
    f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2) + f32x4.extract_lane(s, 3)
  );
}

/** Whether the body touches a shape with one of these flags: a moving surface, an area that acts on it. */
function touches(b: Body, flags: i32): bool {
  for (let link = b.firstPair; link >= 0; ) {
    const pair = pairAt(link >> 1);
    const both = shapeAt(pair.shapeA).flags | shapeAt(pair.shapeB).flags;
    if (pair.flags & PAIR_TOUCHING && both & flags) return true;
    link = link & 1 ? pair.nextB : pair.nextA;
  }
  return false;
}

/** Whether a force, a torque, a motor, a servo, a moving surface or an area acts on the body. */
function isDriven(b: Body): bool {
  if (v128.any_true(f32x4.ne(v128.or(b.force, b.torque), f32x4.splat(0)))) return true;
  const g = world();
  if (g.surfaceCount + g.areaCount > 0 && touches(b, SHAPE_CARRIES | SHAPE_AREA)) return true;
  for (let at = b.firstJoint; at != 0; at = nextLink(at)) {
    const j = jointAt(at >> 1);
    if (!isWorking(j)) continue;
    for (let i = 0; i < JOINT_AXIS_COUNT; i++)
      if (axisAt(j, i).flags & (AXIS_MOTOR | AXIS_SERVO)) return true;
  }
  return false;
}
