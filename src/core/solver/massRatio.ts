// Extra passes for contacts with a high mass ratio, whose impulse is many times the weight of their lighter body. A
// Gauss–Seidel pass transmits no more than that weight: a load of a thousand times the weight needs a thousand passes,
// and falls meanwhile. In: the blocks that prepare.ts found. Out: their impulses, after passes over these blocks alone.
// Each pass is extrapolated from the last two (D. G. Anderson, "Iterative procedures for nonlinear integral equations",
// 1965, of depth one), which finds such loads in ten or twenty passes.

import { TWO_PI } from '../math/constants';
import { highHalves, lowHalves, zipHigh, zipLow } from '../math/transpose';
import { addScaled, length, neg, scale, splat, zero } from '../math/vector';
import {
  AXIS_SPRING,
  AXIS_STIFFNESS,
  BODY_BEARER_SHIFT,
  BODY_DYNAMIC,
  JOINT_AXIS_COUNT,
  SPECIAL_IMPACT,
} from '../memory/constants';
import {
  Bearer,
  BlockMeta,
  Body,
  ContactBlock,
  ContactPointWide,
  HighRatioBlock,
  JointAxis,
  JointRow,
  World,
} from '../memory/records';
import {
  axisAt,
  BEARER_SIZE,
  blockAt,
  bodyAt,
  growTable,
  HIGH_RATIO_SIZE,
  jointAt,
  rowAt as jointRowAt,
  metaAt,
  pointAt,
  velocityAt,
  workAt,
  world,
} from '../memory/tables';
import { FIRMNESS, HIGH_LOAD, LEAST_LEVER, LOAD_CONVERGED, MOST_WEIGHTS } from '../tolerances';
import { endOfContacts, firstContactOf, manifoldOf } from './contactsOf';
import { context } from './context';
import { isMoved } from './joints/batches';
import { largest } from './joints/batchLanes';
import { isWorking, nextLink } from './joints/links';
import { laneWord } from './lanes';
import { forgetImpulses } from './restitution';
import { solveHighRatioPass } from './solve';

/**
 * Most passes per phase of a substep. The last ones are not extrapolated, so that none ends on an extrapolated value.
 */
const PASSES = 30;
const PLAIN_PASSES = 2;
/** Fewer passes do not pay off. */
const LEAST_PASSES = 4;
/**
 * Passes in which the least change so far must fall by half, unless what is together in such contacts weighs HIGH_LOAD times as much as
 * one body of it, or is pressed as much. What is lighter does not bear but is hit or squeezed, as between the paddles of a mixer. Its changes stay
 * where they are after four passes: no impulses satisfy all contacts, and further passes only add to them. Under a plate of 10,000
 * times the mass of what bears it they stay as well for a while, but without the rest it falls.
 */
const PATIENCE = 5;
/** Most blocks solved per phase, in addition to a share of the world's contacts. */
const BUDGET = 256;

/** f32[4]: loads of the current block. */
const LOADS: usize = memory.data(16, 16);
/** f32[4]: likewise, up to which its impulses are extrapolated. */
const REACH: usize = memory.data(16, 16);

/** @inline */
function highRatioAt(i: i32): HighRatioBlock {
  return changetype<HighRatioBlock>(<usize>world().highRatioBlocks + <usize>i * HIGH_RATIO_SIZE);
}
/** @inline */
function bearerAt(i: i32): Bearer {
  return changetype<Bearer>(<usize>world().bearers + <usize>i * BEARER_SIZE);
}

export function pushHighRatio(handle: i32): void {
  const g = world();
  growTable(offsetof<World>('highRatioBlocks'), g.highRatioCount + 1, HIGH_RATIO_SIZE);
  const s = highRatioAt(g.highRatioCount++);
  memory.fill(changetype<usize>(s), 0, HIGH_RATIO_SIZE); // no previous pass
  s.handle = handle;
}

/**
 * Runs after the list is complete. Contacts that carry more than all bodies in such contacts weigh, and more than forces
 * and drives press with, are squeezed, not loaded. They are removed, since no impulse holds a plate between two pistons, and
 * rigid contacts would let the impulse grow without bound.
 */
export function prepareHighRatio(): void {
  const g = world();
  g.bearerCount = 0;
  const found = g.highRatioCount;
  if (found == 0) return;
  for (let i = 0; i < found; i++) {
    const c = blockAt(highRatioAt(i).handle);
    for (let lane = 0; lane < 4; lane++) {
      const a = addBearer(slotA(c, lane));
      const b = addBearer(slotB(c, lane));
      if (!((c.highRatioLanes >> lane) & 1)) continue;
      if (a >= 0 && b >= 0) unite(a, b);
      else {
        const r = bearerAt(a >= 0 ? a : b);
        r.pushed = max(r.pushed, speedOf(bodyAt(a >= 0 ? slotB(c, lane) : slotA(c, lane))));
      }
    }
  }
  const own = g.bearerCount;
  for (let i = 0; i < own; i++) {
    const b = bodyAt(bearerAt(i).slot);
    bearerAt(find(i)).weight += abs(b.mass * b.gravityScale);
  }
  for (let i = 0; i < own; i++) bearerAt(i).weight = bearerAt(find(i)).weight;
  // What is joined presses together; the list grows by it. Its weight does not count: a structure whose bodies overlap
  // squeezes itself, and firm contacts would fight with its joints.
  for (let i = 0; i < g.bearerCount; i++) joinStructure(i);
  const h = context().h;
  for (let i = 0; i < g.bearerCount; i++) {
    const b = bodyAt(bearerAt(i).slot);
    const root = bearerAt(find(i));
    root.pressed += length(b.force) * h + drivesOf(b);
    root.mass += b.mass;
    root.momentum += b.mass * speedOf(b);
    root.pushed = max(root.pushed, bearerAt(i).pushed);
  }
  const perMass = h * length(g.gravity);
  context().bears = 0;
  for (let i = 0; i < own; i++) {
    const root = bearerAt(find(i));
    const many = HIGH_LOAD * bodyAt(bearerAt(i).slot).mass;
    if (root.mass > many || root.pressed > perMass * many) context().bears = 1;
  }
  let count = 0;
  for (let i = 0; i < found; i++) {
    const handle = highRatioAt(i).handle;
    const c = blockAt(handle);
    v128.store(LOADS, loadOf(c));
    for (let lane = 0; lane < 4; lane++) {
      const bit = 1 << lane;
      const at = (<usize>lane) << 2;
      store<f32>(REACH + at, 0);
      const a = bearerOf(slotA(c, lane));
      const bearer = a >= 0 ? a : bearerOf(slotB(c, lane));
      if (bearer < 0) continue;
      const root = bearerAt(find(bearer));
      const most = MOST_WEIGHTS * (perMass * bearerAt(bearer).weight + root.pressed);
      store<f32>(REACH + at, most + root.momentum + root.mass * (root.pushed - context().pushSpeed));
      if (!(c.highRatioLanes & bit)) continue;
      if (load<f32>(LOADS + at) < most) store<f32>(LOADS + at, most);
      else {
        c.highRatioLanes &= ~bit;
        const slot = lighter(c, lane);
        if (wasStopped(slotA(c, lane) + slotB(c, lane) - slot)) forgetContacts(slot, false);
      }
    }
    if (c.highRatioLanes == 0) continue;
    makeFirm(c);
    const s = highRatioAt(count++);
    s.handle = handle;
    s.most = v128.load(LOADS);
    s.reach = v128.load(REACH);
  }
  g.highRatioCount = count;
  for (let i = 0; i < g.bearerCount; i++) bodyAt(bearerAt(i).slot).flags &= (1 << BODY_BEARER_SHIFT) - 1;
}

/** Adds the bodies that are joined to a bearer. */
function joinStructure(i: i32): void {
  for (let link = bodyAt(bearerAt(i).slot).firstJoint; link != 0; link = nextLink(link)) {
    const j = jointAt(link >> 1);
    if (!isWorking(j)) continue;
    const k = addBearer(link & 1 ? j.bodyA : j.bodyB);
    if (k >= 0) unite(i, k);
  }
}

/** m/s: how fast a point of the body may move at the start of the step. */
function speedOf(b: Body): f32 {
  const v = velocityAt(b.slot);
  return b.type == BODY_DYNAMIC
    ? length(v.startLinear) + length(v.startAngular) * b.boundingRadius
    : length(v.linear) + length(v.angular) * b.boundingRadius;
}

/** N·s: what motors of limited force pressed with in the last substep, and what springs press with in this one. */
function drivesOf(b: Body): f32 {
  let sum: f32 = 0;
  for (let link = b.firstJoint; link != 0; link = nextLink(link)) {
    const j = jointAt(link >> 1);
    // Of other joints the row is not of this step: whoever wrote it last, perhaps another joint.
    if (!isWorking(j) || !(isMoved(bodyAt(j.bodyA)) || isMoved(bodyAt(j.bodyB)))) continue;
    const w = workAt(link >> 1);
    const lever = max<f32>(length(link & 1 ? w.rB : w.rA), LEAST_LEVER);
    for (let k = 0; k < JOINT_AXIS_COUNT; k++) {
      const axis = axisAt(j, k);
      const motor = axis.maxMotorForce < Infinity ? abs(axis.motorImpulse) : <f32>0;
      // The spring of an axis that is locked with its two neighbours has no row, and does not act.
      const spring: f32 = (w.rowMask >> k) & 1 ? springForce(axis, jointRowAt(w, k)) : 0;
      sum += (motor + spring * context().h) / (k < 3 ? <f32>1 : lever);
    }
  }
  return sum;
}

/** N or N·m. */
function springForce(axis: JointAxis, row: JointRow): f32 {
  if (!(axis.flags & AXIS_SPRING)) return 0;
  const omega = <f32>TWO_PI * axis.springRate;
  const rate = axis.flags & AXIS_STIFFNESS ? axis.springRate : row.mass * omega * omega;
  const force = rate * abs(axis.springTarget - row.value);
  return axis.maxSpringForce > 0 ? min(force, axis.maxSpringForce) : force;
}

/** @inline */
function slotA(c: ContactBlock, lane: i32): i32 {
  return laneWord(changetype<usize>(c) + offsetof<ContactBlock>('bodyA'), lane);
}
/** @inline */
function slotB(c: ContactBlock, lane: i32): i32 {
  return laneWord(changetype<usize>(c) + offsetof<ContactBlock>('bodyB'), lane);
}

/** Sum of the impulses of a block's points, per lane. */
export function loadOf(c: ContactBlock): v128 {
  let sum = zero();
  for (let i = 0; i < c.maxPoints; i++) sum = f32x4.add(sum, pointAt(c, i).impulse);
  return sum;
}

/** @wide */
export function makeFirm(c: ContactBlock): void {
  const lanes = v128.ne<i32>(v128.and(i32x4.splat(c.highRatioLanes), i32x4(1, 2, 4, 8)), zero());
  c.massScale = v128.bitselect(splat(1), c.massScale, lanes);
  c.impulseScale = v128.andnot(c.impulseScale, lanes);
  c.biasRate = v128.bitselect(splat(context().inverseH) * splat(FIRMNESS), c.biasRate, lanes);
}

// --- the bodies on which these blocks act, and which of them are connected (union–find) ---

/** Index in the list of bearers, −1 for a body that cannot move. */
function addBearer(slot: i32): i32 {
  const b = bodyAt(slot);
  if (slot == 0 || b.type != BODY_DYNAMIC) return -1;
  const known = bearerOf(slot);
  if (known >= 0) return known;
  const g = world();
  growTable(offsetof<World>('bearers'), g.bearerCount + 1, BEARER_SIZE);
  const i = g.bearerCount++;
  const r = bearerAt(i);
  r.slot = slot;
  r.parent = i;
  r.weight = 0;
  r.pressed = 0;
  r.mass = 0;
  r.momentum = 0;
  r.pushed = 0;
  b.flags |= (i + 1) << BODY_BEARER_SHIFT;
  return i;
}

/** @inline */
function bearerOf(slot: i32): i32 {
  return (bodyAt(slot).flags >>> BODY_BEARER_SHIFT) - 1;
}

function find(i: i32): i32 {
  let r = bearerAt(i);
  while (r.parent != i) {
    i = r.parent = bearerAt(r.parent).parent;
    r = bearerAt(i);
  }
  return i;
}

function unite(i: i32, j: i32): void {
  const a = find(i);
  const b = find(j);
  bearerAt(max(a, b)).parent = min(a, b);
}

/**
 * Runs at the end of each substep. What stops a heavy ball on a brick is an impact and no load: to repeat it in the next
 * substep would throw the ball up, and no pass over the brick's contacts reduces it by more than the brick's momentum. It has passed
 * through the brick, so none of its contacts is repeated: the ground's alone would throw it as fast as the ball's weight allows.
 */
export function limitHighRatio(): void {
  const count = world().highRatioCount;
  for (let i = 0; i < count; i++) {
    const s = highRatioAt(i);
    const c = blockAt(s.handle);
    const lanes = i32x4.bitmask(f32x4.gt(loadOf(c), s.most)) & c.highRatioLanes;
    for (let lane = 0; lane < 4; lane++) if ((lanes >> lane) & 1) forgetContacts(lighter(c, lane), true);
  }
}

/**
 * Whether warm starting changes the velocity of the squeezed body's partner by some weights, as the rest of an impact does. What jaws or
 * walls hold squeezed is at rest, and keeps its friction.
 */
function wasStopped(slot: i32): bool {
  if (slot == 0 || bodyAt(slot).type != BODY_DYNAMIC) return false;
  const v = velocityAt(slot);
  return length(f32x4.sub(v.linear, v.baseLinear)) > context().towerLoad;
}

/** Slot of the lane's lighter body. */
function lighter(c: ContactBlock, lane: i32): i32 {
  const a = slotA(c, lane);
  const b = slotB(c, lane);
  return bodyAt(a).type == BODY_DYNAMIC && (bodyAt(b).type != BODY_DYNAMIC || bodyAt(a).mass < bodyAt(b).mass)
    ? a
    : b;
}

/** No contact of the body warm starts the next substep (`solved`), or has warm started this one. */
function forgetContacts(slot: i32, solved: bool): void {
  for (let entry = firstContactOf(slot), end = endOfContacts(slot); entry < end; entry += 4) {
    const manifold = manifoldOf(entry);
    const lane = i32x4.eq(i32x4.splat(manifold & 3), i32x4(0, 1, 2, 3));
    forgetImpulses(blockAt(manifold >> 2), metaAt(manifold >> 2), lane, solved);
  }
}

/** Runs after the last substep. */
export function finishHighRatio(): void {
  const g = world();
  for (let i = 0; i < g.highRatioCount; i++) blockAt(highRatioAt(i).handle).highRatioLanes = 0;
}

/** Runs after each pass over all contacts, with or without bias. */
export function solveHighRatio(withBias: bool): void {
  const g = world();
  const count = g.highRatioCount;
  if (count == 0) return;
  let passes = min(PASSES, (BUDGET + (g.contactCount >> 5)) / count);
  if (passes < LEAST_PASSES) return;
  const counts = context().counts != 0;
  for (let i = 0; i < count; i++) begin(highRatioAt(i), counts);
  let last: f32 = Infinity;
  let least: f32 = Infinity;
  let patience = PATIENCE;
  for (let pass = 1; ; pass++) {
    for (let i = 0; i < count; i++) keep(highRatioAt(i));
    solveHighRatioPass(withBias);
    // Sums over impulses, weighted as energies: size; change by this pass; that change times its own change; square of
    // the latter.
    let sums = zero();
    for (let i = 0; i < count; i++) sums = f32x4.add(sums, compare(highRatioAt(i)));
    const change = f32x4.extract_lane(sums, 1);
    const size = f32x4.extract_lane(sums, 0);
    if (pass == passes || change <= LOAD_CONVERGED * size) break;
    if (change < <f32>0.5 * least) {
      least = change;
      patience = PATIENCE;
    } else if (--patience == 0 && !context().bears) passes = min(passes, pass + PLAIN_PASSES);
    // If the change grew, other limits (friction, separation) have become active, so there is no extrapolation.
    const turned = f32x4.extract_lane(sums, 3);
    const guess = pass > 1 && change < last && turned > 0 && pass < passes - PLAIN_PASSES;
    let share = guess ? -f32x4.extract_lane(sums, 2) / turned : <f32>0;
    // No impulses satisfy all contacts of what is squeezed. Each pass adds the same there; extrapolated to more than all momentum that
    // meets, it threw boxes between two walls off at up to 18 km/s. Below −1/2 a share only comes from rounding, since the change has shrunk.
    for (let i = 0; share > 0 && i < count; i++) share = min(share, roomFor(highRatioAt(i), share));
    share = max<f32>(share, -0.5);
    last = change;
    for (let i = 0; i < count; i++) extrapolate(highRatioAt(i), share);
    for (let i = 0; i < g.bearerCount; i++) extrapolateBody(bearerAt(i), share);
  }
  for (let i = 0; i < count; i++) end(highRatioAt(i), counts);
}

const IMPULSES = 9;
const BEFORE = 0;
const AFTER = 9;
const CHANGE = 18;
const TOTAL = 27;

/** @inline */
function rowAt(s: HighRatioBlock, i: i32): usize {
  return changetype<usize>(s) + offsetof<HighRatioBlock>('rows') + ((<usize>i) << 4);
}

/** Address of impulse i of a block. */
function impulseAt(c: ContactBlock, meta: BlockMeta, i: i32): usize {
  if (i < 4) return changetype<usize>(pointAt(c, i)) + offsetof<ContactPointWide>('impulse');
  const at = (<usize>i) << 4;
  if (i < 7) return changetype<usize>(c) + offsetof<ContactBlock>('frictionImpulse1') - 64 + at;
  return changetype<usize>(meta) + offsetof<BlockMeta>('rollingImpulse1') - 112 + at;
}

/** Impacts are detected only by the passes over all contacts, and impulses are totalled once per substep. */
function begin(s: HighRatioBlock, counts: bool): void {
  const c = blockAt(s.handle);
  s.special = c.special;
  c.special &= ~SPECIAL_IMPACT;
  for (let i = 0; i < 4; i++) {
    const p = pointAt(c, i);
    const total = p.totalImpulse;
    v128.store(rowAt(s, TOTAL + i), counts ? f32x4.sub(total, p.impulse) : total);
  }
}

function end(s: HighRatioBlock, counts: bool): void {
  const c = blockAt(s.handle);
  c.special = s.special;
  for (let i = 0; i < 4; i++) {
    const p = pointAt(c, i);
    const total = v128.load(rowAt(s, TOTAL + i));
    p.totalImpulse = counts ? f32x4.add(total, p.impulse) : total;
  }
}

function keep(s: HighRatioBlock): void {
  const c = blockAt(s.handle);
  const meta = metaAt(s.handle);
  for (let i = 0; i < IMPULSES; i++) v128.store(rowAt(s, BEFORE + i), v128.load(impulseAt(c, meta, i)));
}

/** Computes the new change of the impulses, which replaces the old one; returns the sums. */
function compare(s: HighRatioBlock): v128 {
  const c = blockAt(s.handle);
  const meta = metaAt(s.handle);
  let sums = zero();
  for (let i = 0; i < IMPULSES; i++) {
    const now = v128.load(impulseAt(c, meta, i));
    const change = f32x4.sub(now, v128.load(rowAt(s, BEFORE + i)));
    const turned = f32x4.sub(change, v128.load(rowAt(s, CHANGE + i)));
    v128.store(rowAt(s, CHANGE + i), change);
    const k = i < 6 ? c.kNN : c.k11; // speed per impulse
    const weighed = f32x4.mul(k, change);
    sums = f32x4.add(
      sums,
      sumsOf(
        f32x4.mul(k, f32x4.mul(now, now)),
        f32x4.mul(weighed, change),
        f32x4.mul(weighed, turned),
        f32x4.mul(k, f32x4.mul(turned, turned)),
      ),
    );
  }
  return sums;
}

/** The sum of the lanes of each argument. */
function sumsOf(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(zipLow(a, b), zipHigh(a, b));
  const cd = f32x4.add(zipLow(c, d), zipHigh(c, d));
  return f32x4.add(lowHalves(ab, cd), highHalves(ab, cd));
}

/** By what share of the last change impulses may be extrapolated, at most `share`. */
function roomFor(s: HighRatioBlock, share: f32): f32 {
  const load = loadOf(blockAt(s.handle));
  let change = zero();
  for (let i = 0; i < 4; i++) change = f32x4.add(change, v128.load(rowAt(s, CHANGE + i)));
  const room = f32x4.pmax(f32x4.sub(s.reach, load), zero());
  const over = f32x4.gt(scale(change, share), room);
  const lanes = v128.bitselect(f32x4.div(room, change), splat(share), over);
  return -largest(neg(lanes));
}

/** Extrapolates the impulses, and below the velocities, by `share` of the difference of the last two passes. */
function extrapolate(s: HighRatioBlock, share: f32): void {
  const c = blockAt(s.handle);
  const meta = metaAt(s.handle);
  for (let i = 0; i < IMPULSES; i++) {
    const at = impulseAt(c, meta, i);
    const now = v128.load(at);
    const before = v128.load(rowAt(s, AFTER + i));
    v128.store(rowAt(s, AFTER + i), now);
    if (share != 0) v128.store(at, addScaled(now, f32x4.sub(now, before), share));
  }
}

function extrapolateBody(r: Bearer, share: f32): void {
  const v = velocityAt(r.slot);
  const linear = v.linear;
  const angular = v.angular;
  if (share != 0) {
    v.linear = addScaled(linear, f32x4.sub(linear, r.linear), share);
    v.angular = addScaled(angular, f32x4.sub(angular, r.angular), share);
  }
  r.linear = linear;
  r.angular = angular;
}
