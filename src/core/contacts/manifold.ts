// Writes the result of the narrow phase into a lane of a contact block. In: ManifoldResult, the pair's lane with the
// old manifold. Out: the new manifold in the contact frame (t1, t2 = n × t1, n) about its own centre, with the impulses
// of points that persist. Points are matched by feature id, otherwise by distance (Bullet's rule: within the breaking
// threshold).

import { add, addScaled, cross, dot, length, perpendicular, scale, sub, w, zero } from '../math/vector';
import {
  BODY_KINEMATIC,
  BODY_STATIC,
  PAIR_CHILD,
  SHAPE_CARRIES,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
} from '../memory/constants';
import { get3, put3 } from '../memory/laneVectors';
import {
  BlockMeta,
  Body,
  ContactBlock,
  ContactPointWide,
  ManifoldResult,
  Pair,
  PointMeta,
  Shape,
} from '../memory/records';
import {
  blockAt,
  bodyAt,
  metaAt,
  POINT_META_SIZE,
  POINT_METAS_OFFSET,
  POINT_SIZE,
  POINTS_OFFSET,
  shapeAt,
  velocityAt,
  world,
} from '../memory/tables';
import { quatAxisY } from '../shapes/shape';
import { context } from '../solver/context';
import { refreshBlockSummary } from '../solver/lanes';
import {
  BALL_PATCH,
  DISC_LEVER,
  FLAT_FACE,
  FRICTION_PATCH,
  IMPACT_SPEED,
  LINE_LEVER,
  MOST_RECYCLED,
  ON_RIM,
  ROUND_RECYCLED,
  SET_DOWN,
  SQUARE_LEVER,
  TRIANGLE_LEVER,
} from '../tolerances';
import { foresee, foreseeImpact, hasRound, MOVED_A, MOVED_B } from './foresee';

/**
 * m. Lever arm of the friction of a single point, which stands for a small patch, against rotation about the normal; of
 * shapes with these radii, 0 if they are not balls. Without it a ball would spin on the spot for ever and keep the pile
 * around it awake.
 */
export function patchOf(radiusA: f32, radiusB: f32): f32 {
  const least = radiusA == 0 ? radiusB : radiusB == 0 ? radiusA : min(radiusA, radiusB);
  return least == 0 ? FRICTION_PATCH : BALL_PATCH * least;
}

/** 0 for other shapes than balls. @inline */
export function ballRadius(s: Shape): f32 {
  return s.type == SHAPE_SPHERE ? s.param0 : 0;
}

/** Address of the narrow phase's result. */
export const RESULT_ADDRESS: usize = memory.data(offsetof<ManifoldResult>(), 16);
/** Old contact points while a manifold is replaced: 4 × (position from A, impulse). */
const OLD_POINTS: usize = memory.data(64, 16);
const OLD_FEATURES: usize = memory.data(16, 16);

/** @inline */
function put(at: usize, value: f32): void {
  store<f32>(at, value);
}
/** Slot that a block stores for the body: 0, the dummy, if it cannot move. @inline */
function solverSlot(body: Body): i32 {
  return body.type == BODY_STATIC ? 0 : body.slot;
}

/** Velocity of A's material point at the manifold's centre relative to that of B. */
function slipVelocity(pair: Pair, rA: v128, rB: v128): v128 {
  const a = velocityAt(pair.bodyA);
  const b = velocityAt(pair.bodyB);
  return sub(add(a.linear, cross(a.angular, rA)), add(b.linear, cross(b.angular, rB)));
}

/**
 * Lever arm of the friction of a whole round face, if the manifold in RESULT reaches its rim; its few points do not
 * show that the face is round. 0 if there is no such face.
 */
function discLever(pair: Pair, count: i32): f32 {
  if (count < 3) return 0;
  return max(discLeverOf(shapeAt(pair.shapeA), count), discLeverOf(shapeAt(pair.shapeB), count));
}

function discLeverOf(s: Shape, count: i32): f32 {
  if (s.type != SHAPE_CYLINDER && s.type != SHAPE_CONE) return 0;
  const axis = quatAxisY(s.rotation);
  if (abs(dot(axis, changetype<ManifoldResult>(RESULT_ADDRESS).normal)) < FLAT_FACE) return 0;
  let most: f32 = 0;
  for (let i = 0; i < count; i++) {
    const p = v128.load(RESULT_ADDRESS + offsetof<ManifoldResult>('point0') + ((<usize>i) << 4));
    const d = sub(p, s.position);
    most = max(most, length(addScaled(d, axis, -dot(d, axis))));
  }
  return most < ON_RIM * s.param0 ? 0 : DISC_LEVER * s.param0;
}

/** Saves the points of a lane's old manifold, whose impulses may be carried over; returns its friction impulse. */
function keepOldPoints(block: usize, meta: usize, count: i32): v128 {
  if (count == 0) return zero();
  const n = get3(block + offsetof<ContactBlock>('normalX'));
  const t1 = get3(block + offsetof<ContactBlock>('tangentX'));
  const t2 = cross(n, t1);
  const center = get3(block + offsetof<ContactBlock>('centerAX'));
  for (let i = 0; i < count; i++) {
    const p = block + POINTS_OFFSET + <usize>i * POINT_SIZE;
    let at = addScaled(center, t1, load<f32>(p, offsetof<ContactPointWide>('a')));
    at = addScaled(at, t2, load<f32>(p, offsetof<ContactPointWide>('b')));
    at = f32x4.replace_lane(at, 3, load<f32>(p, offsetof<ContactPointWide>('impulse')));
    v128.store(OLD_POINTS + ((<usize>i) << 4), at);
    store<u32>(
      OLD_FEATURES + ((<usize>i) << 2),
      load<u32>(meta + offsetof<BlockMeta>('features0') + ((<usize>i) << 4)),
    );
  }
  const friction1 = load<f32>(block, offsetof<ContactBlock>('frictionImpulse1'));
  const friction2 = load<f32>(block, offsetof<ContactBlock>('frictionImpulse2'));
  return addScaled(scale(t1, friction1), t2, friction2);
}

/**
 * Finds the old point, among those whose bits are set in `free`, that matches `feature` at `fromA` (m, from the centre
 * of body A): the one with the same feature, otherwise the nearest within the contact breaking threshold; -1: none.
 */
function oldPointOf(fromA: v128, feature: u32, free: i32): i32 {
  let match = -1;
  for (let j = 0; free >> j; j++)
    if ((free >> j) & 1 && load<u32>(OLD_FEATURES + ((<usize>j) << 2)) == feature) match = j;
  if (match >= 0) return match;
  const threshold = world().contactBreakingThreshold;
  let nearest = threshold * threshold;
  for (let j = 0; free >> j; j++) {
    if (!((free >> j) & 1)) continue;
    const e = sub(fromA, v128.load(OLD_POINTS + ((<usize>j) << 4)));
    const distance2 = dot(e, e);
    if (distance2 < nearest) {
      nearest = distance2;
      match = j;
    }
  }
  return match;
}

/** Zeros the lane of a point that the manifold does not have. */
function clearPoint(points: usize, meta: usize, i: i32): void {
  const p = points + <usize>i * POINT_SIZE;
  for (let o: usize = 0; o < POINT_SIZE; o += 16) store<f32>(p + o, 0);
  const q = meta + POINT_METAS_OFFSET + <usize>i * POINT_META_SIZE;
  for (let o: usize = 0; o < POINT_META_SIZE; o += 16) store<f32>(q + o, 0);
}

/** Saves the poses with which recycling compares. */
function keepPoses(meta: usize, bodyA: Body, bodyB: Body): void {
  const still = bodyAt(0);
  const movingA = bodyA.type == BODY_STATIC ? still : bodyA;
  const movingB = bodyB.type == BODY_STATIC ? still : bodyB;
  const qA = movingA.rotation;
  const qB = movingB.rotation;
  put3(meta + offsetof<BlockMeta>('cachedRotationAX'), qA);
  put(meta + offsetof<BlockMeta>('cachedRotationAW'), w(qA));
  put3(meta + offsetof<BlockMeta>('cachedRotationBX'), qB);
  put(meta + offsetof<BlockMeta>('cachedRotationBW'), w(qB));
  put3(meta + offsetof<BlockMeta>('cachedCenterX'), sub(movingB.position, movingA.position));
}

/** Whether one of the points that keepOldPoints has kept has an impulse. */
function hasPushed(count: i32): bool {
  for (let i = 0; i < count; i++) if (w(v128.load(OLD_POINTS + ((<usize>i) << 4))) > 0) return true;
  return false;
}

export function writeManifold(pair: Pair): void {
  const g = world();
  const result = changetype<ManifoldResult>(RESULT_ADDRESS);
  const index = pair.index >> 2;
  const laneIndex = pair.index & 3;
  const lane = (<usize>laneIndex) << 2;
  const block = changetype<usize>(blockAt(index)) + lane;
  const meta = changetype<usize>(metaAt(index)) + lane;
  const points = block + POINTS_OFFSET;
  const bodyA = bodyAt(pair.bodyA);
  const bodyB = bodyAt(pair.bodyB);
  const count = result.count;

  const oldCount = load<i32>(meta, offsetof<BlockMeta>('pointCount'));
  const friction = keepOldPoints(block, meta, oldCount);

  const kinematic =
    bodyA.type == BODY_KINEMATIC ||
    bodyB.type == BODY_KINEMATIC ||
    ((shapeAt(pair.shapeA).flags | shapeAt(pair.shapeB).flags) & SHAPE_CARRIES) != 0;
  const pushed = hasPushed(oldCount);
  // A contact that pushes is predicted at the middle of the step, another one at the impact. Moving surfaces are updated in the
  // substeps instead (solver/prepare.ts).
  const child = (pair.flags & PAIR_CHILD) != 0;
  v128.store(MOVED_A, zero());
  v128.store(MOVED_B, zero());
  const impact = pushed && !child ? <f32>-1 : foreseeImpact(pair, result, context().dt);
  const way = pushed && !kinematic && impact < 0 ? foresee(pair, result, <f32>0.5 * context().dt) : 0;
  const n = result.normal;

  // Points that are still separated weigh less in the centre, so that friction acts where the load is.
  const spec = g.contactBreakingThreshold;
  let center = zero();
  let weights: f32 = 0;
  const firstPoint = changetype<usize>(result) + offsetof<ManifoldResult>('point0');
  const firstSeparation = changetype<usize>(result) + offsetof<ManifoldResult>('separation0');
  const firstFeature = changetype<usize>(result) + offsetof<ManifoldResult>('feature0');
  for (let i = 0; i < count; i++) {
    const s = load<f32>(firstSeparation + ((<usize>i) << 2));
    const weight = max<f32>(<f32>1e-6, min<f32>(1, <f32>2 - s / spec));
    center = addScaled(center, v128.load(firstPoint + ((<usize>i) << 4)), weight);
    weights += weight;
  }
  center = scale(center, <f32>1 / weights);

  const t1 = perpendicular(n);
  const t2 = cross(n, t1);
  const rA = sub(center, add(bodyA.position, v128.load(MOVED_A)));
  const rB = sub(center, add(bodyB.position, v128.load(MOVED_B)));
  store<i32>(block, solverSlot(bodyA), offsetof<ContactBlock>('bodyA'));
  store<i32>(block, solverSlot(bodyB), offsetof<ContactBlock>('bodyB'));
  put3(block + offsetof<ContactBlock>('normalX'), n);
  put3(block + offsetof<ContactBlock>('tangentX'), t1);
  put3(block + offsetof<ContactBlock>('centerAX'), rA);
  put3(block + offsetof<ContactBlock>('centerBX'), rB);
  const slip = slipVelocity(pair, rA, rB);
  store<i32>(meta, kinematic ? -1 : 0, offsetof<BlockMeta>('kinematic'));
  store<i32>(meta, dot(slip, n) > IMPACT_SPEED ? -1 : 0, offsetof<BlockMeta>('fast'));
  put(block + offsetof<ContactBlock>('friction'), pair.friction);
  put(meta + offsetof<BlockMeta>('restitution'), pair.restitution);
  put(meta + offsetof<BlockMeta>('rollingFriction'), pair.rollingFriction);
  put(meta + offsetof<BlockMeta>('spinningFriction'), pair.spinningFriction);
  put(block + offsetof<ContactBlock>('frictionImpulse1'), dot(friction, t1));
  put(block + offsetof<ContactBlock>('frictionImpulse2'), dot(friction, t2));

  // Spinning friction, if given, replaces that of a point's patch.
  const round =
    count == 1 && pair.spinningFriction == 0
      ? patchOf(ballRadius(shapeAt(pair.shapeA)), ballRadius(shapeAt(pair.shapeB)))
      : discLever(pair, count);
  const share = count == 4 ? SQUARE_LEVER : count == 3 ? TRIANGLE_LEVER : LINE_LEVER;
  let taken = 0;
  let reach: f32 = 0;
  for (let i = 0; i < count; i++) {
    const p = points + <usize>i * POINT_SIZE;
    const q = meta + POINT_METAS_OFFSET + <usize>i * POINT_META_SIZE;
    const position = v128.load(firstPoint + ((<usize>i) << 4));
    const separation = load<f32>(firstSeparation + ((<usize>i) << 2));
    const feature = load<u32>(firstFeature + ((<usize>i) << 2));
    const d = sub(position, center);
    const a = dot(d, t1);
    const b = dot(d, t2);
    const distance = sqrt<f32>(a * a + b * b);
    const lever = round > 0 ? round : share * distance;
    put(p + offsetof<ContactPointWide>('a'), a);
    put(p + offsetof<ContactPointWide>('b'), b);
    put(p + offsetof<ContactPointWide>('lever'), lever);
    put(p + offsetof<ContactPointWide>('separation'), separation);
    put(q + offsetof<PointMeta>('baseSeparation'), separation);
    reach = max(reach, distance);
    store<u32>(meta + offsetof<BlockMeta>('features0') + ((<usize>i) << 4), feature);
    let impulse: f32 = 0;
    const free = ((1 << oldCount) - 1) & ~taken;
    const match = oldPointOf(sub(position, bodyA.position), feature, free);
    if (match >= 0) {
      taken |= 1 << match;
      impulse = w(v128.load(OLD_POINTS + ((<usize>match) << 4)));
    }
    put(p + offsetof<ContactPointWide>('impulse'), impulse);
    put(p + offsetof<ContactPointWide>('totalImpulse'), 0);
  }
  for (let i = count; i < 4; i++) clearPoint(points, meta, i);
  store<i32>(meta, count, offsetof<BlockMeta>('pointCount'));
  keepPoses(meta, bodyA, bodyB);
  const farthest = max(
    bodyA.type == BODY_STATIC ? <f32>0 : length(rA),
    bodyB.type == BODY_STATIC ? <f32>0 : length(rB),
  );
  put(meta + offsetof<BlockMeta>('reach'), farthest + reach);
  // Manifolds of rolling bodies are computed again in every step: recycled arms lag behind, and the body may have
  // stopped. So are those of shapes that pass each other before they touch: their normal turns.
  const rolls = count <= 2 && (hasRound(shapeAt(pair.shapeA)) || hasRound(shapeAt(pair.shapeB)));
  const kept: f32 = way > MOST_RECYCLED || impact >= 0 ? 0 : rolls ? ROUND_RECYCLED : 1;
  put(meta + offsetof<BlockMeta>('recycleShare'), kept);
  refreshBlockSummary(index);
  if (oldCount == 0 && dot(slip, slip) < SET_DOWN * SET_DOWN) blockAt(index).isNew |= 1 << laneIndex;
}
