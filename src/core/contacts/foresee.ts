// Predicts contacts. In: the manifold at the start of the step, velocities. Out: the same manifold, moved.
//
// A rolling contact is moved to the middle of the step. Substeps keep arms and normal fixed. If these are taken from the
// start of the step, they lag behind the contact by half a step on average, and a body that rocks on a round shape gains
// energy (an unbalanced ball gained a tenth of its swing per second). At the middle of the step the error is of second
// order (midpoint rule).
//
// An impact is moved to where it happens. A ball that flies by two thirds of its radius in a step meets another one with a
// normal that differs by up to 20° from that at the start of the step, and would be thrown as far in a wrong direction.
import { Goal, timeOfImpact } from '../continuous/timeOfImpact';
import {
  add,
  addScaled,
  cross,
  dot,
  length,
  lengthSquared,
  neg,
  normalizeOr,
  scale,
  sub,
  vec3,
  w,
  zero,
} from '../math/vector';
import {
  BODY_KINEMATIC,
  BODY_STATIC,
  IMPACT_HIT,
  PAIR_CHILD,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_PLANE,
  SHAPE_SPHERE,
} from '../memory/constants';
import { Body, Impact, ManifoldResult, Motion, Pair, Shape } from '../memory/records';
import { bodyAt, shapeAt, velocityAt } from '../memory/tables';
import { MovingShapes } from '../memory/values';
import { quatAxisY } from '../shapes/shape';
import {
  CYLINDER_SIDE,
  LEAST_ASIDE,
  LEAST_CROSSING,
  LEAST_WAY,
  MOST_ASIDE,
  MOST_ROLL,
  MOST_WAY,
  TOUCH,
} from '../tolerances';
import { expectedMotion, MOTION_A, MOTION_B } from './speculate';

/** Whether a part of the shape's surface is round. @inline */
export function hasRound(s: Shape): bool {
  return s.type <= SHAPE_CAPSULE || s.type == SHAPE_CYLINDER || s.type == SHAPE_CONE;
}

/**
 * The shape at `point`, where its outer normal is `n`: radius of curvature in m, −1 if it is flat there, as the fourth lane;
 * the direction in which the side of a cylinder, capsule or cone is straight, 0 for balls.
 */
function roundnessAt(s: Shape, n: v128, point: v128): v128 {
  const type = s.type;
  const axis = quatAxisY(s.rotation);
  const along = dot(axis, n);
  const d = sub(point, s.position);
  let rise: f32 = 0;
  if (type == SHAPE_CONE) rise = s.param0 / length(vec3(s.param0, 2 * s.param1, 0));
  const sided = type != SHAPE_SPHERE && hasRound(s);
  if (sided && abs(along - rise) < CYLINDER_SIDE) {
    const inverse = <f32>1 / sqrt<f32>(max<f32>(<f32>1 - along * along, 1e-6));
    const radius = length(cross(axis, d)) * inverse;
    return f32x4.replace_lane(scale(addScaled(axis, n, -along), inverse), 3, radius);
  }
  // The ball at the end of a capsule; a sphere has no half height.
  const ball = type <= SHAPE_CAPSULE ? length(addScaled(d, axis, -copysign<f32>(s.param1, along))) : -1;
  return f32x4.replace_lane(zero(), 3, ball);
}

/** m. How far the bodies A and B of the contact that was moved last have come by then, world. */
export const MOVED_A: usize = memory.data(16, 16);
export const MOVED_B: usize = memory.data(16, 16);

/**
 * Moves the manifold forward by `time`; returns its largest motion relative to its bodies, m, or 0 if it was not moved.
 */
export function foresee(pair: Pair, result: ManifoldResult, time: f32): f32 {
  const sA = shapeAt(pair.shapeA);
  const sB = shapeAt(pair.shapeB);
  if (!hasRound(sA) && !hasRound(sB)) return 0;
  const n = result.normal;
  const a = velocityAt(pair.bodyA);
  const b = velocityAt(pair.bodyB);
  if (max(lengthSquared(a.angular), lengthSquared(b.angular)) * time * time > MOST_ROLL * MOST_ROLL) return 0;
  const point = result.count > 1 ? scale(add(result.point0, result.point1), 0.5) : result.point0;
  // The points lie in the middle of the gap, and radii reach there. If points and normal did not turn about the same centre,
  // a ball without friction would get a spin.
  const onA = roundnessAt(sA, n, point);
  const onB = roundnessAt(sB, neg(n), point);
  const roundA = w(onA);
  const roundB = w(onB);
  if (max(roundA, roundB) < 0) return 0;
  const rA = sub(point, bodyAt(pair.bodyA).position);
  const rB = sub(point, bodyAt(pair.bodyB).position);
  // Velocities of the centres of round shapes; of a flat face, of its material point at the contact.
  const uA = add(a.linear, cross(a.angular, addScaled(rA, n, -max<f32>(roundA, 0))));
  const uB = add(b.linear, cross(b.angular, addScaled(rB, n, max<f32>(roundB, 0))));
  let turn = cross(roundA >= 0 ? b.angular : a.angular, n); // change of the normal
  const both = min(roundA, roundB) >= 0;
  // Along n, too, so that normal and arms stay parallel.
  if (both) turn = scale(sub(uB, uA), <f32>1 / max<f32>(roundA + roundB, 1e-6));
  let velocity = roundA >= 0 ? addScaled(uA, turn, roundA) : addScaled(uB, turn, -roundB);
  if (both) {
    // So far both are balls. Along a straight line of a surface, the normal turns as that body does, and the contact moves
    // as on a flat face.
    const eA = f32x4.replace_lane(onA, 3, 0);
    const eB = f32x4.replace_lane(onB, 3, 0);
    const cosine = dot(eA, eB);
    const bendA = dot(eA, sub(cross(a.angular, n), turn));
    const bendB = dot(eB, sub(turn, cross(b.angular, n)));
    const rest = <f32>1 - cosine * cosine;
    const share = rest > LEAST_CROSSING ? <f32>1 / rest : 0; // cylinders side by side cross nowhere
    const turnA = share * (bendA + cosine * bendB);
    const turnB = share * (bendB + cosine * bendA);
    velocity = addScaled(addScaled(velocity, eA, -turnA * roundB), eB, -turnB * roundA);
    turn = addScaled(addScaled(turn, eA, bendA + cosine * turnB), eB, -turnB);
  }
  const wayA = bodyAt(pair.bodyA).type == BODY_STATIC ? <f32>0 : length(sub(velocity, a.linear));
  const wayB = bodyAt(pair.bodyB).type == BODY_STATIC ? <f32>0 : length(sub(velocity, b.linear));
  const way = time * max(wayA, wayB);
  if (way < LEAST_WAY || way > MOST_WAY * max(roundA, roundB)) return 0;
  result.normal = normalizeOr(addScaled(n, turn, time), n);
  result.point0 = addScaled(result.point0, velocity, time);
  if (result.count > 1) result.point1 = addScaled(result.point1, velocity, time);
  if (result.count > 2) result.point2 = addScaled(result.point2, velocity, time);
  if (result.count > 3) result.point3 = addScaled(result.point3, velocity, time);
  v128.store(MOVED_A, scale(a.linear, time));
  v128.store(MOVED_B, scale(b.linear, time));
  return way;
}

/** Of the children that are written next: share of the step at which their contacts act, −1 its start; and the shape's way until then, m. */
const MET_AT: usize = memory.data(4, 4);
const MET_MOVED: usize = memory.data(16, 16);

export function foreseeChildren(met: f32, moved: v128): void {
  store<f32>(MET_AT, met);
  v128.store(MET_MOVED, moved);
}

const IMPACT: usize = memory.data(offsetof<Impact>(), 16);

/**
 * Moves a contact of two convex shapes that do not touch yet to the place of their impact, if one is a ball or they bounce: for
 * others it would cost up to a sixth of the step of a falling heap (those of triangles: narrowphase/concave.ts). The separation becomes what the motion closes along the
 * new normal. Returns the time of the impact, s; 0 if there is none in this step; −1 if it is not looked for.
 */
export function foreseeImpact(pair: Pair, result: ManifoldResult, dt: f32): f32 {
  if (pair.flags & PAIR_CHILD) {
    const met = load<f32>(MET_AT);
    // Arms to the surface stay: its velocity is followed from the step's start on (solver/conveyance.ts).
    if (met > 0) {
      v128.store(MOVED_A, v128.load(MET_MOVED));
      v128.store(MOVED_B, v128.load(MET_MOVED));
    }
    return met * dt;
  }
  const sA = shapeAt(pair.shapeA);
  const sB = shapeAt(pair.shapeB);
  if (!(result.separation0 > 0) || result.count != 1 || max(sA.type, sB.type) >= SHAPE_PLANE) return -1;
  if (sA.type != SHAPE_SPHERE && sB.type != SHAPE_SPHERE && !(pair.restitution > 0)) return -1;
  const bodyA = bodyAt(pair.bodyA);
  const bodyB = bodyAt(pair.bodyB);
  const a = expectedMotion(bodyA, sA, dt, MOTION_A);
  const b = expectedMotion(bodyB, sB, dt, MOTION_B);
  // Without motion to the side the normal stays.
  const aside = length(cross(sub(b.delta, a.delta), result.normal));
  const size = min(bodyA.boundingRadius, bodyB.boundingRadius);
  if (!(aside > LEAST_ASIDE * size) || sweepsRound(bodyA, a, size) || sweepsRound(bodyB, b, size)) return -1;
  const impact = changetype<Impact>(IMPACT);
  const t = timeOfImpact(new MovingShapes(sA, sB, a, b), new Goal(1, <f32>0.2 * TOUCH), impact);
  if (!(t <= 1) || impact.state != IMPACT_HIT) return 0;
  const wayA = wayOf(a, bodyA, impact.point);
  const wayB = wayOf(b, bodyB, impact.point);
  result.normal = impact.normal;
  result.point0 = impact.point;
  result.separation0 = dot(impact.normal, sub(wayA, wayB)) * t;
  v128.store(MOVED_A, scale(a.delta, t));
  v128.store(MOVED_B, scale(b.delta, t));
  return t * dt;
}

/** Whether a kinematic body such as a drum turns so far that the time of impact is expensive: 1.35 times the step in a drum. */
function sweepsRound(b: Body, m: Motion, size: f32): bool {
  return b.type == BODY_KINEMATIC && length(m.turn) * b.boundingRadius > MOST_ASIDE * size;
}

/** m, by which the material of the body at a point moves in the step. */
function wayOf(m: Motion, b: Body, point: v128): v128 {
  return add(m.delta, cross(m.turn, sub(point, b.position)));
}
