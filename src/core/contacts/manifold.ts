// Writes the result of the narrow phase into a lane of a contact block. In: ManifoldResult, the pair's lane with the
// old manifold. Out: the new manifold in the contact frame (t1, t2 = n × t1, n) about its own centre, with the impulses
// of points that persist. Points are matched by feature id, otherwise by distance (Bullet's rule: within the breaking
// threshold).

import { maxOfLanes, minOfLanes, splatX, splatY, splatZ } from '../broadphase/nodes';
import { highHalves, lowHalves, zipHigh, zipLow } from '../math/transpose';
import {
  add,
  addScaled,
  cross,
  dot,
  length,
  perpendicular,
  scale,
  splat,
  sub,
  w,
  x,
  zero,
} from '../math/vector';
import {
  BODY_KINEMATIC,
  BODY_STATIC,
  PAIR_CHILD,
  SHAPE_CARRIES,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
} from '../memory/constants';
import { get3, get4, put3, put4 } from '../memory/laneVectors';
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
/** Of four points while a manifold is replaced: impulses of the old ones, those that the new ones take over, weights in the centre. */
const OLD_IMPULSES: usize = memory.data(16, 16);
const IMPULSES: usize = memory.data(16, 16);
const WEIGHTS: usize = memory.data(16, 16);

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

/** The friction impulse of a lane's old manifold. */
function oldFriction(block: usize): v128 {
  const n = get3(block + offsetof<ContactBlock>('normalX'));
  const t1 = get3(block + offsetof<ContactBlock>('tangentX'));
  const friction1 = load<f32>(block, offsetof<ContactBlock>('frictionImpulse1'));
  const friction2 = load<f32>(block, offsetof<ContactBlock>('frictionImpulse2'));
  return addScaled(scale(t1, friction1), cross(n, t1), friction2);
}

/**
 * Finds the impulses that the points in RESULT take over from the lane's old manifold, and stores them in IMPULSES. Each takes
 * that of the old point with the same feature, otherwise of the nearest one within the contact breaking threshold, if no
 * point before it has. `old`: the impulses of the old points; `origin`: the centre of body A.
 */
function takeImpulses(block: usize, meta: usize, old: v128, origin: v128): void {
  const result = changetype<ManifoldResult>(RESULT_ADDRESS);
  const features = get4(meta + offsetof<BlockMeta>('features0'), 16);
  let free = (1 << load<i32>(meta, offsetof<BlockMeta>('pointCount'))) - 1;
  v128.store(OLD_IMPULSES, old);
  v128.store(IMPULSES, zero());
  for (let i = 0; i < result.count && free != 0; i++) {
    const feature = v128.load32_splat(
      RESULT_ADDRESS + offsetof<ManifoldResult>('feature0') + ((<usize>i) << 2),
    );
    const point = v128.load(RESULT_ADDRESS + offsetof<ManifoldResult>('point0') + ((<usize>i) << 4));
    const same = i32x4.bitmask(i32x4.eq(features, feature)) & free;
    const match = same != 0 ? 31 - clz<i32>(same) : nearestOf(block, sub(point, origin), free);
    if (match < 0) continue;
    free &= ~(1 << match);
    store<f32>(IMPULSES + ((<usize>i) << 2), load<f32>(OLD_IMPULSES + ((<usize>match) << 2)));
  }
}

/** The old point nearest to `fromA`, within the contact breaking threshold, of those whose bits are set in `free`; -1: none. */
function nearestOf(block: usize, fromA: v128, free: i32): i32 {
  const n = get3(block + offsetof<ContactBlock>('normalX'));
  const t1 = get3(block + offsetof<ContactBlock>('tangentX'));
  const points = block + POINTS_OFFSET;
  const distance2 = squaredDistances(
    new Frame(get3(block + offsetof<ContactBlock>('centerAX')), t1, cross(n, t1)),
    get4(points + offsetof<ContactPointWide>('a'), POINT_SIZE),
    get4(points + offsetof<ContactPointWide>('b'), POINT_SIZE),
    fromA,
  );
  const threshold = world().contactBreakingThreshold;
  const near = f32x4.lt(distance2, splat(threshold * threshold));
  const able = i32x4.bitmask(near) & free;
  if (able == 0) return -1;
  const least = minOfLanes(v128.bitselect(distance2, splat(Infinity), lanesOf(able)));
  return ctz<i32>(i32x4.bitmask(f32x4.eq(distance2, least)) & able);
}

/** Mask of the lanes whose bits are set. @inline */
function lanesOf(bits: i32): v128 {
  const own = i32x4(1, 2, 4, 8);
  return i32x4.eq(v128.and(i32x4.splat(bits), own), own);
}

/** A contact frame: its origin and tangents. @value */
class Frame {
  center: v128;
  t1: v128;
  t2: v128;
}

/** Of four points of a contact frame from a place. @wide */
function squaredDistances(f: Frame, a: v128, b: v128, from: v128): v128 {
  const x = splatX(f.center) + splatX(f.t1) * a + splatX(f.t2) * b - splatX(from);
  const y = splatY(f.center) + splatY(f.t1) * a + splatY(f.t2) * b - splatY(from);
  const z = splatZ(f.center) + splatZ(f.t1) * a + splatZ(f.t2) * b - splatZ(from);
  return x * x + y * y + z * z;
}

/** Of the points in RESULT; what it has of more than these is any number, and clearPoint clears what comes of it. */
function fourSeparations(): v128 {
  return v128.load(RESULT_ADDRESS, offsetof<ManifoldResult>('separation0'));
}

/** How far the four points in RESULT, seen from the centre of the frame, are along a tangent. @wide */
function offsetsAlong(center: v128, t: v128): v128 {
  const result = changetype<ManifoldResult>(RESULT_ADDRESS);
  const d0 = result.point0 - center;
  const d1 = result.point1 - center;
  const d2 = result.point2 - center;
  const d3 = result.point3 - center;
  const low01 = zipLow(d0, d1);
  const low23 = zipLow(d2, d3);
  const x = lowHalves(low01, low23);
  const y = highHalves(low01, low23);
  const z = lowHalves(zipHigh(d0, d1), zipHigh(d2, d3));
  return x * splatX(t) + y * splatY(t) + z * splatZ(t);
}

/** @inline @wide */
function lengths2(a: v128, b: v128): v128 {
  return f32x4.sqrt(a * a + b * b);
}

/** Weights of points with these separations. @wide */
function weightsOf(separations: v128, threshold: v128): v128 {
  return f32x4.pmax(splat(1e-6), f32x4.pmin(splat(1), splat(2) - separations / threshold));
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

/** Writes the manifold in RESULT into the lane of the pair. */
export function writeManifold(pair: Pair): void {
  writeLane(pair);
  refreshBlockSummary(pair.index >> 2);
}

/** The same without the head of the block, which the caller refreshes. */
export function writeLane(pair: Pair): void {
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
  const friction = oldCount == 0 ? zero() : oldFriction(block);
  const oldImpulses = get4(points + offsetof<ContactPointWide>('impulse'), POINT_SIZE);

  const kinematic =
    bodyA.type == BODY_KINEMATIC ||
    bodyB.type == BODY_KINEMATIC ||
    ((shapeAt(pair.shapeA).flags | shapeAt(pair.shapeB).flags) & SHAPE_CARRIES) != 0;
  const pushed = (i32x4.bitmask(f32x4.gt(oldImpulses, zero())) & ((1 << oldCount) - 1)) != 0;
  // A contact that pushes is predicted at the middle of the step, another one at the impact. Moving surfaces are updated in the
  // substeps instead (solver/prepare.ts).
  const child = (pair.flags & PAIR_CHILD) != 0;
  v128.store(MOVED_A, zero());
  v128.store(MOVED_B, zero());
  const impact = pushed && !child ? <f32>-1 : foreseeImpact(pair, result, context().dt);
  const way = pushed && !kinematic && impact < 0 ? foresee(pair, result, <f32>0.5 * context().dt) : 0;
  const n = result.normal;
  takeImpulses(block, meta, oldImpulses, bodyA.position);

  // Points that are still separated weigh less in the centre, so that friction acts where the load is.
  let center = zero();
  let weights: f32 = 0;
  const separations = fourSeparations();
  v128.store(WEIGHTS, weightsOf(separations, splat(g.contactBreakingThreshold)));
  for (let i = 0; i < count; i++) {
    const weight = load<f32>(WEIGHTS + ((<usize>i) << 2));
    const point = v128.load(RESULT_ADDRESS + offsetof<ManifoldResult>('point0') + ((<usize>i) << 4));
    center = addScaled(center, point, weight);
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
  const a = offsetsAlong(center, t1);
  const b = offsetsAlong(center, t2);
  const used = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count));
  const distance = v128.and(lengths2(a, b), used);
  const lever = round > 0 ? splat(round) : scale(distance, share);
  put4(points + offsetof<ContactPointWide>('a'), POINT_SIZE, a);
  put4(points + offsetof<ContactPointWide>('b'), POINT_SIZE, b);
  put4(points + offsetof<ContactPointWide>('lever'), POINT_SIZE, lever);
  put4(points + offsetof<ContactPointWide>('separation'), POINT_SIZE, separations);
  put4(points + offsetof<ContactPointWide>('impulse'), POINT_SIZE, v128.load(IMPULSES));
  put4(points + offsetof<ContactPointWide>('totalImpulse'), POINT_SIZE, zero());
  put4(meta + POINT_METAS_OFFSET + offsetof<PointMeta>('baseSeparation'), POINT_META_SIZE, separations);
  for (let i: usize = 0; i < <usize>count; i++)
    store<u32>(
      meta + offsetof<BlockMeta>('features0') + (i << 4),
      load<u32>(RESULT_ADDRESS + offsetof<ManifoldResult>('feature0') + (i << 2)),
    );
  for (let i = count; i < 4; i++) clearPoint(points, meta, i);
  store<i32>(meta, count, offsetof<BlockMeta>('pointCount'));
  keepPoses(meta, bodyA, bodyB);
  const farthest = max(
    bodyA.type == BODY_STATIC ? <f32>0 : length(rA),
    bodyB.type == BODY_STATIC ? <f32>0 : length(rB),
  );
  put(meta + offsetof<BlockMeta>('reach'), farthest + x(maxOfLanes(distance)));
  // Manifolds of rolling bodies are computed again in every step: recycled arms lag behind, and the body may have
  // stopped. So are those of shapes that pass each other before they touch: their normal turns.
  const rolls = count <= 2 && (hasRound(shapeAt(pair.shapeA)) || hasRound(shapeAt(pair.shapeB)));
  const kept: f32 = way > MOST_RECYCLED || impact >= 0 ? 0 : rolls ? ROUND_RECYCLED : 1;
  put(meta + offsetof<BlockMeta>('recycleShare'), kept);
  if (oldCount == 0 && dot(slip, slip) < SET_DOWN * SET_DOWN) blockAt(index).isNew |= 1 << laneIndex;
}
