// Speculative contacts. In: a manifold of shapes that do not touch yet. Out: whether it would push bodies that pass
// each other without contact. A speculative contact stands for the tangent plane at the current closest points. For a
// body that passes a corner this plane is in the way, although the corner is not.

import { expectedWay } from '../bodies/aabbs';
import { sweeps, willNeedCcd } from '../bodies/fast';
import { Goal, near, timeOfImpact } from '../continuous/timeOfImpact';
import { add, addScaled, cross, dot, length, lengthSquared, scale, sub, w, zero } from '../math/vector';
import {
  BODY_DYNAMIC,
  BODY_FAST,
  BODY_KINEMATIC,
  LIST_CONCAVE,
  LIST_SOLVED,
  PAIR_SENSOR,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_PLANE,
  SHAPE_SPHERE,
} from '../memory/constants';
import {
  Body,
  BodyVelocity,
  ContactPointWide,
  Impact,
  ManifoldResult,
  Motion,
  Pair,
  Shape,
} from '../memory/records';
import { blockAt, bodyAt, motionOf, pairAt, pointAt, shapeAt, velocityAt, world } from '../memory/tables';
import { MovingShapes } from '../memory/values';
import { keepPoints, leastSeparation } from '../narrowphase/manifold';
import { quatAxisY } from '../shapes/shape';
import { context } from '../solver/context';
import { isJointed } from '../solver/joints/links';
import { FAR_TURN, SAME_POINT, SUNK, TOUCH } from '../tolerances';

export const MOTION_A: usize = memory.data(offsetof<Motion>(), 16);
export const MOTION_B: usize = memory.data(offsetof<Motion>(), 16);
const IMPACT: usize = memory.data(64, 16);

/** How the bodies of a pair come near each other in a step. @unmanaged */
export class Approach {
  way: v128; // m, displacement of B relative to A, world
  most: f32; // m, speculative distance of a point
  still: f32; // m, distance at which shapes get contact points that do not come nearer
  turning: f32; // m, bound on how far rotation moves their points
  followed: i32; // 1: a sweep follows (sweepFollows)
}
const APPROACH: usize = memory.data(offsetof<Approach>(), 16);

/** The record is valid until the next call. `fast`: hasFast of the pair. */
export function approachOf(pair: Pair, fast: bool): Approach {
  const approach = changetype<Approach>(APPROACH);
  const threshold = world().contactBreakingThreshold;
  approach.way = zero();
  approach.followed = 0;
  approach.turning = 0;
  approach.still = threshold;
  approach.most = threshold;
  if (pair.flags & PAIR_SENSOR) {
    approach.still = 0;
    approach.most = 0;
  } else if (fast && sweepFollows(pair)) {
    approach.followed = 1;
    approach.still = TOUCH;
  } else {
    // A fast body gets a contact before it is deep inside.
    const a = motionOf(pair.bodyA);
    const b = motionOf(pair.bodyB);
    approach.way = f32x4.replace_lane(sub(b, a), 3, 0);
    approach.turning = w(add(a, b));
    approach.most = nearest(approach);
  }
  return approach;
}

/** m. The distance from which on the shapes get no contact points. */
export function nearest(approach: Approach): f32 {
  return max(approach.still, approach.turning + length(approach.way));
}

/**
 * Rotation in this step that moves the shape's surface along its normals. A round shape that rotates about its own axis
 * keeps its outline: a rolling wheel touches the floor with the same line of its outline all the time.
 */
export function turnOf(body: i32, s: Shape, dt: f32): v128 {
  if (s.type == SHAPE_SPHERE) return zero();
  const r = scale(velocityAt(body).angular, dt);
  if (s.type != SHAPE_CAPSULE && s.type != SHAPE_CYLINDER && s.type != SHAPE_CONE) return r;
  const axis = quatAxisY(s.rotation);
  const arm = sub(s.position, bodyAt(body).position);
  const off = addScaled(arm, axis, -dot(arm, axis));
  if (lengthSquared(off) > SAME_POINT * SAME_POINT * s.param0 * s.param0) return r;
  return addScaled(r, axis, -dot(r, axis));
}

/** Whether the rotation tilts a plane with normal `n` too far for one step. */
function tiltsFar(turn: v128, n: v128): bool {
  return lengthSquared(addScaled(turn, n, -dot(turn, n))) > FAR_TURN * FAR_TURN;
}

/** Whether one of the pair's shapes rotates far, about any axis. */
export function turnsFar(pair: Pair, dt: f32): bool {
  const most = FAR_TURN * FAR_TURN;
  return (
    lengthSquared(turnOf(pair.bodyA, shapeAt(pair.shapeA), dt)) > most ||
    lengthSquared(turnOf(pair.bodyB, shapeAt(pair.shapeB), dt)) > most
  );
}

/**
 * Contact planes do not rotate with the body within the step, so if the body rotates far the solver knows only the
 * points at the start. If the pair is also swept, only points that penetrate are kept. If none is left, separation0 is
 * the gap.
 */
export function keepTrue(pair: Pair, approach: Approach, result: ManifoldResult, dt: f32): void {
  if (result.count == 0 || approach.followed == 0) return;
  const n = result.normal;
  if (
    !tiltsFar(turnOf(pair.bodyA, shapeAt(pair.shapeA), dt), n) &&
    !tiltsFar(turnOf(pair.bodyB, shapeAt(pair.shapeB), dt), n)
  )
    return;
  const least = leastSeparation(result);
  keepPoints(result, -SUNK);
  if (result.count == 0) result.separation0 = least;
}

/** Whether one of the bodies is fast. @inline */
export function hasFast(pair: Pair): bool {
  return ((bodyAt(pair.bodyA).flags | bodyAt(pair.bodyB).flags) & BODY_FAST) != 0;
}

/**
 * Whether CCD handles the impact of this pair, so that nothing may act before the shapes touch. Bodies with joints are
 * left to contacts: only the solver knows where the joints let them go. So are contacts that bear: only the solver knows
 * what else presses on the bodies.
 */
export function sweepFollows(pair: Pair): bool {
  const a = bodyAt(pair.bodyA);
  const b = bodyAt(pair.bodyB);
  if (isJointed(a) || isJointed(b)) return false;
  const swept = (a.flags & BODY_FAST && sweeps(a, b)) || (b.flags & BODY_FAST && sweeps(b, a));
  if (!swept || bears(pair)) return false;
  if (a.type == BODY_KINEMATIC) return b.type == BODY_DYNAMIC && willNeedCcd(b, a, context().dt);
  return b.type != BODY_KINEMATIC || (a.type == BODY_DYNAMIC && willNeedCcd(a, b, context().dt));
}

/** Whether a point of the pair pushed at the end of the last step. */
export function bears(pair: Pair): bool {
  if (pair.list == LIST_CONCAVE) {
    for (let child = pair.firstChild; child >= 0; child = pairAt(child).next)
      if (bears(pairAt(child))) return true;
    return false;
  }
  if (pair.list != LIST_SOLVED) return false;
  const c = blockAt(pair.index >> 2);
  const lane = (<usize>(pair.index & 3)) << 2;
  for (let i = 0; i < c.maxPoints; i++)
    if (load<f32>(changetype<usize>(pointAt(c, i)) + lane, offsetof<ContactPointWide>('impulse')) > 0)
      return true;
  return false;
}

/**
 * Whether the manifold, all of whose points are still separated, is of no use in this step: no point closes its gap, or the
 * contact would act although the shapes do not meet. separation0 is then a lower bound of the distance.
 */
export function passesBy(pair: Pair, approach: Approach, result: ManifoldResult, dt: f32): bool {
  const least = leastSeparation(result);
  if (least <= TOUCH) return false;
  if (approach.followed != 0) {
    // Keep such points only together with one that touches: a body that slides far in a step stands on all its points.
    result.separation0 = least;
    return true;
  }
  const a = bodyAt(pair.bodyA);
  const b = bodyAt(pair.bodyB);
  const sA = shapeAt(pair.shapeA);
  const sB = shapeAt(pair.shapeB);
  const far = least > world().contactBreakingThreshold;
  const turns = turnsFar(pair, dt);
  if (turns && !far) return false; // the plane is a guess
  const mA = expectedMotion(a, sA, dt, MOTION_A);
  const mB = expectedMotion(b, sB, dt, MOTION_B);
  const relative = sub(mB.delta, mA.delta);
  const along = dot(result.normal, relative);
  const turning = length(mA.turn) * a.boundingRadius + length(mB.turn) * b.boundingRadius;
  const closes = turns ? least + along - turning < 0 : anyCloses(pair, result, along);
  const passes = closes ? !turns && misses(pair, result, relative, turning) : far;
  if (passes) result.separation0 = least; // as for shapes without contact
  return passes;
}

/** Whether a point of the manifold closes its gap by the motions of the bodies; `along`: m, by that of their centres. */
function anyCloses(pair: Pair, result: ManifoldResult, along: f32): bool {
  const base = changetype<usize>(result);
  const mA = changetype<Motion>(MOTION_A);
  const mB = changetype<Motion>(MOTION_B);
  const placeA = bodyAt(pair.bodyA).position;
  const placeB = bodyAt(pair.bodyB).position;
  for (let i = 0; i < result.count; i++) {
    const point = v128.load(base + offsetof<ManifoldResult>('point0') + ((<usize>i) << 4));
    const turning = sub(cross(mB.turn, sub(point, placeB)), cross(mA.turn, sub(point, placeA)));
    const gap = load<f32>(base + offsetof<ManifoldResult>('separation0') + ((<usize>i) << 2));
    if (gap + along + dot(result.normal, turning) < 0) return true;
  }
  return false;
}

/**
 * Whether the shapes do not meet within the step although their contact plane is crossed. The test runs only if the plane
 * could be wrong: the bodies also move sideways or rotate.
 */
function misses(pair: Pair, result: ManifoldResult, relative: v128, turning: f32): bool {
  const a = bodyAt(pair.bodyA);
  const b = bodyAt(pair.bodyB);
  const sA = shapeAt(pair.shapeA);
  const sB = shapeAt(pair.shapeB);
  const n = result.normal;
  const aside = addScaled(relative, n, -dot(n, relative));
  if (lengthSquared(aside) <= TOUCH * TOUCH && turning <= TOUCH) return false;
  if (sA.type > SHAPE_PLANE || sB.type > SHAPE_PLANE) return false;
  // A hit at the end of the step is also a hit within it. Most are found here, at a tenth of the cost.
  const convex = max(sA.type, sB.type) < SHAPE_PLANE;
  const both = new MovingShapes(sA, sB, changetype<Motion>(MOTION_A), changetype<Motion>(MOTION_B));
  const goal = new Goal(1, <f32>0.2 * TOUCH);
  if (convex && near(both, 1, <f32>0.2 * TOUCH)) return false;
  // Without CCD, as in Bullet, a grazing contact within the step does not count; one that could come out on the other
  // side does.
  const discrete =
    convex && !world().continuous && length(relative) + turning < a.innerRadius + b.innerRadius;
  return discrete || timeOfImpact(both, goal, changetype<Impact>(IMPACT)) > 1;
}

/** Free flight over the step, as the substeps integrate it. */
export function expectedMotion(b: Body, s: Shape, dt: f32, at: usize): Motion {
  const m = changetype<Motion>(at);
  m.position = s.position;
  m.rotation = s.rotation;
  m.arm = sub(s.position, b.position);
  if (b.awakeIndex < 0) {
    m.delta = zero();
    m.turn = zero();
    return m;
  }
  const v: BodyVelocity = velocityAt(b.slot);
  m.delta = expectedWay(b, v, dt);
  m.turn = scale(v.angular, dt);
  return m;
}
