// Adaptive number of substeps, for violent motion of jointed bodies and for plates that lean on each other. In: velocities,
// contacts and joints at the start of the step. Out: the number of substeps, more than the setting if needed, and impulses scaled to that substep length.
//
// Joints are solved with the lever arms of the substep's start. If an arm rotates by more than a radian within a
// substep, no impulse along the old directions brings its end to the anchor: the error of the next substep is as large
// as the limb, and its correction makes the limb faster still. A limb of size R that a wall stops at speed v rotates at
// v/R.

import { isPlate, leastInverse } from '../bodies/massProperties';
import {
  add,
  cross,
  dot,
  length,
  lengthSquared,
  rotate,
  rotateInverse,
  scale,
  splat,
  sub,
} from '../math/vector';
import {
  BODY_DYNAMIC,
  BODY_FAST,
  BODY_KINEMATIC,
  COLOR_COUNT,
  JOINT_AXIS_COUNT,
  LIST_CONCAVE,
  LIST_SOLVED,
  OVERFLOW_COLOR,
} from '../memory/constants';
import { get3 } from '../memory/laneVectors';
import {
  BlockMeta,
  Body,
  BodyVelocity,
  ContactBlock,
  ContactPointWide,
  JointAxis,
  Pair,
} from '../memory/records';
import {
  axisAt,
  blockAt,
  blockOf,
  bodyAt,
  colorAt,
  jointAt,
  metaOf,
  pairAt,
  pointAt,
  velocityAt,
  wordAt,
  world,
} from '../memory/tables';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import {
  CONTACT_OFFSET,
  DEEP,
  LONGEST_SWAY,
  MOST_ARM_TURN,
  MOST_LENGTHENED,
  MOST_NUTATION,
  MOST_SWING,
  SHORT_ARM,
  STANDING,
  SWAY_SPEED,
} from '../tolerances';
import { context, makeContext } from './context';
import { awakeJoints, listAwakeJoints } from './joints/awakeJoints';
import { isJointed, isWorking, nextLink } from './joints/links';
import { nutation } from './nutation';
import { SHARED_BLOCKS } from './solve';

/** Largest number of substeps of a step. */
const MOST: i32 = 64;
/** Largest factor on the number of substeps of the setting: what a step may cost. */
const MOST_TIMES: i32 = 16;
/** The same for plates that lean. */
const MOST_TIMES_OF_PLATES: i32 = 4;

/** Chooses the number of substeps and scales impulses to their length. */
export function chooseSubsteps(dt: f32): void {
  const g = world();
  const h = context().h;
  // Where the step changes with the frame rate, loads go on as forces, not as impulses.
  if (h != g.substepLength) {
    const ratio = h / g.substepLength;
    g.substepLength = h;
    if (ratio < MOST_LENGTHENED && ratio * MOST_LENGTHENED > 1) scaleImpulses(ratio, 1);
  }
  const times = max(timesForJoints(), timesForPlates(dt));
  const substeps = min(MOST, <i32>ceil<f32>(<f32>g.substeps * times));
  if (substeps <= g.substeps) return;
  makeContext(dt, substeps);
  const factor = <f32>g.substeps / <f32>substeps;
  scaleImpulses(factor, factor);
}

/** Factor on the number of substeps of the setting. */
function timesForJoints(): f32 {
  const g = world();
  if (g.jointEnd <= 1) return 1;
  const mostTurn = g.contactErpMode ? MOST_SWING : MOST_ARM_TURN;
  const turn = fastestArm(mostTurn) * context().h;
  if (!(turn > mostTurn)) return 1;
  return ceil<f32>(min<f32>(turn / mostTurn, g.contactErpMode ? <f32>MOST : <f32>MOST_TIMES));
}

// --- plates ---

/**
 * The same for plates that stand and lean on others: cards of a card house. They balance, and a house begins to sway by itself
 * if the substeps are too long for the time in which a card tips over, sqrt(r/g).
 */
function timesForPlates(dt: f32): f32 {
  const g = world();
  const gravity = length(g.gravity);
  if (!g.hasPlates || !(gravity > 0) || g.contactErpMode) return 1;
  let least: f32 = Infinity;
  for (let i = 0; i < g.awakeCount; i++) {
    const b = bodyAt(wordAt(g.awake, i));
    if (b.boundingRadius < least && isPlate(b) && balances(b, gravity)) least = b.boundingRadius;
  }
  const longest = sqrt<f32>((least * LONGEST_SWAY) / gravity);
  return min<f32>(dt / (<f32>g.substeps * longest), <f32>MOST_TIMES_OF_PLATES);
}

/** Whether a plate stands, hardly moves, and is near something, but not held by a joint. */
function balances(b: Body, gravity: f32): bool {
  if (b.firstJoint != 0 || b.firstPair < 0) return false;
  if (!(lengthSquared(velocityAt(b.slot).linear) < SWAY_SPEED * SWAY_SPEED * gravity * b.boundingRadius))
    return false;
  const down = rotateInverse(b.principal, rotateInverse(b.rotation, world().gravity));
  const normal = f32x4.eq(b.invInertiaLocal, splat(leastInverse(b)));
  return length(v128.and(down, normal)) < STANDING * gravity;
}

/** Between steps impulses are those of a substep of the setting. */
export function restoreImpulses(): void {
  const g = world();
  const substeps = context().substeps;
  if (substeps == g.substeps) return;
  const factor = <f32>substeps / <f32>g.substeps;
  scaleImpulses(factor, factor);
}

/** rad/s. Fastest rotation of a joint arm, now or expected; for tops the speed that needs as many substeps. */
function fastestArm(mostTurn: f32): f32 {
  const g = world();
  const fastest = fastestPoint();
  return THREADED && forks(g.awakeCount, SHARED_BODIES)
    ? largestOf(armSome, mostTurn, fastest)
    : fastestArms(0, g.awakeCount, mostTurn, fastest);
}

/** The same of some awake bodies; `fastest`: m/s, the largest speed of a body. */
function fastestArms(from: i32, to: i32, mostTurn: f32, fastest: f32): f32 {
  const g = world();
  const slow = mostTurn * context().inverseH;
  const slowSwing = MOST_SWING * context().inverseH;
  // No moment of inertia exceeds the sum of the other two, so nutation is at most twice as fast as the spin.
  const least = <f32>0.5 * MOST_NUTATION * context().inverseH;
  let most: f32 = 0;
  for (let i = from; i < to; i++) {
    const b = bodyAt(wordAt(g.awake, i));
    if (!isJointed(b)) continue;
    const v = velocityAt(b.slot);
    const turn2 = lengthSquared(v.angular);
    if (turn2 > slow * slow) most = max(most, swing(b, v));
    if (turn2 > slowSwing * slowSwing && swingsFree(b, TOUCH_DISTANCE))
      most = max(most, (mostTurn / MOST_SWING) * swing(b, v));
    if (turn2 > least * least && g.gyroscopic != 0)
      most = max(most, (mostTurn / MOST_NUTATION) * nutation(b, v));
    // A round body also has an inner radius. Rotation does not move a ball, so for balls this is the size of the body.
    const size = max(b.boundingRadius, b.innerRadius);
    if (size > 0 && <f32>2 * fastest > slow * size) most = max(most, closingSpeed(b) / size);
  }
  return most;
}

/** Bodies from which on a pass over them is shared between threads. */
const SHARED_BODIES = 128;
/** Bodies of which threads find one largest value. */
const GROUP = 16;

/** The largest value of all awake bodies, of which `part` finds those of groups. */
function largestOf(part: (from: i32, to: i32, a: i32, b: i32) => void, a: f32, b: f32): f32 {
  const groups = (world().awakeCount + GROUP - 1) / GROUP;
  const found = outcomes(groups);
  fork(part, reinterpret<i32>(a), reinterpret<i32>(b), groups);
  let most: f32 = 0;
  for (let i = 0; i < groups; i++) most = max(most, load<f32>(found + ((<usize>i) << 2)));
  return most;
}

// Parts of largestOf, in the threaded core.

function armSome(from: i32, to: i32, mostTurn: i32, fastest: i32): void {
  const found = outcomes(0);
  for (let i = from; i < to; i++) {
    const end = min((i + 1) * GROUP, world().awakeCount);
    const most = fastestArms(i * GROUP, end, reinterpret<f32>(mostTurn), reinterpret<f32>(fastest));
    store<f32>(found + ((<usize>i) << 2), most);
  }
}

function pointSome(from: i32, to: i32, _: i32, __: i32): void {
  const found = outcomes(0);
  for (let i = from; i < to; i++) {
    const end = min((i + 1) * GROUP, world().awakeCount);
    store<f32>(found + ((<usize>i) << 2), fastestPoints(i * GROUP, end));
  }
}

/** m/s. Largest speed of a body; no two bodies approach faster than twice this speed. */
function fastestPoint(): f32 {
  const count = world().awakeCount;
  return THREADED && forks(count, SHARED_BODIES) ? largestOf(pointSome, 0, 0) : fastestPoints(0, count);
}

function fastestPoints(from: i32, to: i32): f32 {
  const g = world();
  let most: f32 = 0;
  for (let i = from; i < to; i++) {
    const b = bodyAt(wordAt(g.awake, i));
    const v = velocityAt(b.slot);
    let speed = length(v.linear);
    // The blades of a rotor hit with its rotation. The rule for joints limits free spin.
    if (b.type == BODY_KINEMATIC) speed += length(v.angular) * b.boundingRadius;
    most = max(most, speed);
  }
  return most;
}

/** Joints between an arm and a contact, up to which the arm does not swing freely. From a hand to the hips there are three. */
const TOUCH_DISTANCE = 3;
/** Joints of a body of a chain or tree. Nets have four. */
const MOST_BRANCHES = 3;

/**
 * Whether neither the body nor what is joined to it, up to `distance` joints away, is in contact or part of a net. Otherwise
 * shorter substeps save no energy: contacts take it from limbs, which impacts spin for an instant, and nets are solved by
 * iterations, which take it, too.
 */
function swingsFree(b: Body, distance: i32): bool {
  for (let link = b.firstPair; link >= 0; ) {
    const pair = pairAt(link >> 1);
    link = link & 1 ? pair.nextB : pair.nextA;
    if (pair.list == LIST_SOLVED || pair.list == LIST_CONCAVE) return false;
  }
  let branches = 0;
  for (let link = b.firstJoint; link != 0; link = nextLink(link)) {
    const j = jointAt(link >> 1);
    if (!isWorking(j)) continue;
    if (++branches > MOST_BRANCHES) return false;
    if (distance == 0) continue;
    const other = bodyAt(link & 1 ? j.bodyA : j.bodyB);
    if (other.type == BODY_DYNAMIC && !swingsFree(other, distance - 1)) return false;
  }
  return true;
}

/** rad/s at which arms of the body's joints rotate. A wheel that spins about its axle rotates no arm. */
function swing(b: Body, v: BodyVelocity): f32 {
  let most: f32 = 0;
  for (let link = b.firstJoint; link != 0; link = nextLink(link)) {
    const j = jointAt(link >> 1);
    if (!isWorking(j)) continue;
    const r = rotate(b.rotation, sub(link & 1 ? j.localPositionB : j.localPositionA, b.centerOfMass));
    const arm = length(r);
    if (arm > SHORT_ARM) most = max(most, length(cross(v.angular, r)) / arm);
  }
  return most;
}

/** m/s. Largest speed at which the body approaches its contacts. */
function closingSpeed(b: Body): f32 {
  let most: f32 = 0;
  let link = b.firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    link = link & 1 ? pair.nextB : pair.nextA;
    if (pair.list == LIST_SOLVED) most = max(most, closing(pair));
    else if (pair.list == LIST_CONCAVE)
      for (let child = pair.firstChild; child >= 0; child = pairAt(child).next)
        if (pairAt(child).list == LIST_SOLVED) most = max(most, closing(pairAt(child)));
  }
  return most;
}

function closing(pair: Pair): f32 {
  const lane = changetype<usize>(blockAt(pair.index >> 2)) + ((<usize>(pair.index & 3)) << 2);
  const n = get3(lane + offsetof<ContactBlock>('normalX'));
  const a = surfaceVelocity(pair.bodyA, get3(lane + offsetof<ContactBlock>('centerAX')));
  const b = surfaceVelocity(pair.bodyB, get3(lane + offsetof<ContactBlock>('centerBX')));
  return dot(n, sub(a, b));
}

/** Of a kinematic body at `arm` from its centre; of other bodies that of their centre. */
function surfaceVelocity(slot: i32, arm: v128): v128 {
  const v = velocityAt(slot);
  return bodyAt(slot).type == BODY_KINEMATIC ? add(v.linear, cross(v.angular, arm)) : v.linear;
}

/**
 * Bodies that joints press deep into something are swept in this step even if they are slow, because the joints could
 * pull them through.
 */
export function sweepPressed(): void {
  if (world().jointEnd <= 1) return;
  for (let c = 0; c < COLOR_COUNT; c++) {
    const count = colorAt(c).count;
    if (THREADED && c != OVERFLOW_COLOR && forks(count, SHARED_BLOCKS)) fork(sweepSome, c, 0, count);
    else sweepSome(0, count, c, 0);
  }
}

function sweepSome(from: i32, to: i32, c: i32, _: i32): void {
  const color = colorAt(c);
  for (let i = from; i < to; i++) {
    const block = blockOf(color, i);
    const depth = depthOf(block, metaOf(color, i));
    if (!v128.any_true(f32x4.gt(depth, splat(CONTACT_OFFSET)))) continue;
    for (let lane = 0; lane < 4; lane++) notePressed(block, depth, lane);
  }
}

/** Separation of the deepest point of each lane, at most 0. @inline @wide */
function depthOf(c: ContactBlock, meta: BlockMeta): v128 {
  let least = splat(0);
  for (let i = 0; i < c.maxPoints; i++) {
    const used = i32x4.gt_s(meta.pointCount, i32x4.splat(i));
    least = f32x4.pmin(least, v128.and(pointAt(c, i).separation, used));
  }
  return f32x4.neg(least);
}

function notePressed(block: ContactBlock, depths: v128, lane: i32): void {
  v128.store(LANES, depths);
  const depth = load<f32>(LANES + ((<usize>lane) << 2));
  if (depth <= CONTACT_OFFSET) return;
  v128.store(LANES, block.bodyA);
  const a = bodyAt(load<i32>(LANES + ((<usize>lane) << 2)));
  v128.store(LANES, block.bodyB);
  const b = bodyAt(load<i32>(LANES + ((<usize>lane) << 2)));
  // Dynamic bodies are not swept against each other.
  if (a.type == BODY_DYNAMIC && b.type == BODY_DYNAMIC) return;
  if (isJointed(a) && depth > DEEP * a.innerRadius) a.flags |= BODY_FAST;
  if (isJointed(b) && depth > DEEP * b.innerRadius) b.flags |= BODY_FAST;
}

const LANES: usize = memory.data(16, 16);

/** Not of slot 0, the world. */
function isAwake(slot: i32): bool {
  return slot != 0 && bodyAt(slot).awakeIndex >= 0;
}

/**
 * Scales all impulses that the solver starts from; those of friction by their own factor. Friction is no load that goes on: scaled with
 * the step, it moved pyramids on 2.5 times as far.
 */
function scaleImpulses(factor: f32, friction: f32): void {
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    for (let i = 0; i < color.count; i++)
      scaleBlock(blockOf(color, i), metaOf(color, i), f32x4.splat(factor), f32x4.splat(friction));
  }
  const joints = listAwakeJoints();
  for (let i = 0; i < joints; i++) {
    const j = jointAt(wordAt(awakeJoints(), i));
    if (!isWorking(j) || !(isAwake(j.bodyA) || isAwake(j.bodyB))) continue;
    j.pointImpulse = scale(j.pointImpulse, factor);
    j.angularImpulse = scale(j.angularImpulse, factor);
    for (let k = 0; k < JOINT_AXIS_COUNT; k++) {
      const axis: JointAxis = axisAt(j, k);
      axis.lowImpulse *= factor;
      axis.highImpulse *= factor;
      axis.motorImpulse *= factor;
      axis.springImpulse *= factor;
    }
  }
}

/** @wide */
function scaleBlock(c: ContactBlock, meta: BlockMeta, factor: v128, friction: v128): void {
  c.frictionImpulse1 = c.frictionImpulse1 * friction;
  c.frictionImpulse2 = c.frictionImpulse2 * friction;
  c.twistImpulse = c.twistImpulse * friction;
  meta.rollingImpulse1 = meta.rollingImpulse1 * friction;
  meta.rollingImpulse2 = meta.rollingImpulse2 * friction;
  for (let i = 0; i < 4; i++) {
    const p: ContactPointWide = pointAt(c, i);
    p.impulse = p.impulse * factor;
  }
}
