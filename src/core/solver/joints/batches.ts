// Batches of joints for SIMD lanes. In: active joints with the directions that they lock. Out: batches of up to four
// structures (connected joints) of the same form, side by side. Joints of structures that would cost too much to solve
// directly (nets) become batches of single joints, four of a colour, of which no two share a body.
//
// Order within a structure: depth first from its first joint, reversed. A leaf is then eliminated before the joint to
// which it is connected, so that a tree has almost no fill-in. The entry of two rows in A = J M⁻¹ Jᵀ is nonzero only if
// their joints share a body. Row i begins at the first joint that shares a body with its own (its envelope), and there
// is no fill-in outside it.

import { lengthSquared, x, y, z } from '../../math/vector';
import { reallocate } from '../../memory/allocator';
import { BODY_DYNAMIC, JOINT_AXIS_COUNT, JOINT_DISTANCE, JOINT_POINT } from '../../memory/constants';
import { BatchJoint, Body, BodyMark, Joint, JointBatch } from '../../memory/records';
import {
  axisAt,
  BATCH_ARMS_SIZE,
  BATCH_BODY_SIZE,
  BATCH_JOINT_SIZE,
  BATCH_ROW_SIZE,
  BATCH_SIZE,
  batchAt,
  batchBodyAt,
  batchJointAt,
  batchRowAt,
  bodyAt,
  grownCapacity,
  jointAt,
  MARK_SIZE,
  markAt,
  setWord,
  WORK_SIZE,
  wordAt,
  workAt,
  world,
} from '../../memory/tables';
import { HEAVY } from '../../tolerances';
import { ACROSS } from './batchLanes';
import { MOST_DRIVES } from './drives';
import { isLimited } from './rows';
import { isWorking, nextLink } from './table';
import { hasFreeAxes } from './types';

/** Most multiplications per row of the direct solver. Above, as in a net of joints, passes are cheaper. */
const MOST_WORK_PER_ROW = 1250;
/**
 * Most multiplications of machines. Passes let these gape or explode: a walker's eight legs on one chassis take 1.7 million on
 * hinges alone, and its bodies reached 110 m/s in passes. With two pivots in the plane per loop, it collapsed.
 */
const MOST_WORK_OF_LOOPS = 2000000;
/** Bits of JointWork.locks that hold an angle. */
const ANGLES = 0xe38;
const MOST_MEMBERS = 20000;
/** Of structures that ropes join: their search is quadratic. */
const MOST_MERGED = 500;
const MOST_OPEN = 32;
/** Bodies, or pairs of parallel joints. Less of either, such as doors with two hinges, are still solved directly. */
const MOST_TANGLED = 4;

/** Whether impulses of joints can move the body. @inline */
export function isMoved(b: Body): bool {
  return b.type == BODY_DYNAMIC && b.awakeIndex >= 0;
}

// Bits of JointWork.form.
const FORM_MOVES_A = 1;
const FORM_MOVES_B = 2;
const FORM_LOOSE = 4; // what it has to solve, if it locks nothing, are its axes: a rope, a spring, limits
const FORM_UNEQUAL = 8; // one of its bodies is HEAVY times as heavy as the other
const FORM_LIMITS = 16; // it is loose, and an axis is limited, not only on a spring

/** FORM_* of a joint that works; 0 if neither body can be moved. */
export function formOf(j: Joint): i32 {
  const a = bodyAt(j.bodyA);
  const b = bodyAt(j.bodyB);
  let form = (isMoved(a) ? FORM_MOVES_A : 0) | (isMoved(b) ? FORM_MOVES_B : 0);
  const both = form == (FORM_MOVES_A | FORM_MOVES_B);
  if (both && max(a.mass, b.mass) > HEAVY * min(a.mass, b.mass)) form |= FORM_UNEQUAL;
  if (form == 0 || !hasFreeAxes(j)) return form;
  form |= FORM_LOOSE;
  const axes = j.type == JOINT_DISTANCE ? 1 : JOINT_AXIS_COUNT;
  for (let k = 0; k < axes; k++) if (isLimited(axisAt(j, k))) form |= FORM_LIMITS;
  return form;
}

/** State while batches are built; followed by the list of batches that have free lanes (`open`). @unmanaged */
class Builder {
  top: i32; // end of the used batchData
  rows: i32;
  bodies: i32;
  entries: i32;
  openCount: i32;
  moving: i32; // number of bodies that impulses can move
  held: i32; // whether one of them is (isHeld)
  locked: i32; // number of joints that lock anything
  rigid: i32; // number of those that lock an angle
  across: i32; // rows for the motion across each rope, rod or spring
  touches: i32; // 1: a rope leads from the run of joints to another structure
  merges: i32; // 1: such a structure becomes part of the run
  merged: i32; // number of structures that did
  loopedParts: i32; // 1: one of them is redundant by itself
  looseCount: i32; // number of joints in the run that lock nothing
  open: i32;
}
const BUILDER: usize = memory.data(offsetof<Builder>('open') + 4 * (MOST_OPEN + 1), 16);

/** @inline */
function builder(): Builder {
  return changetype<Builder>(BUILDER);
}
/** @inline */
function openAt(i: i32): usize {
  return changetype<usize>(builder()) + offsetof<Builder>('open') + ((<usize>i) << 2);
}

export function arrangeBatches(): void {
  const g = world();
  g.batchCount = 0;
  if (g.bodyMarkCapacity < g.bodyCapacity) {
    g.bodyMarks = reallocate(
      g.bodyMarks,
      <usize>g.bodyMarkCapacity * MARK_SIZE,
      <usize>g.bodyCapacity * MARK_SIZE,
    );
    g.bodyMarkCapacity = g.bodyCapacity;
  }
  memory.fill(<usize>g.bodyMarks, 0, <usize>g.bodyEnd * MARK_SIZE);
  memory.fill(changetype<usize>(workAt(0)), 0, WORK_SIZE); // for unused lanes
  const b = builder();
  b.top = 0;
  b.openCount = 0;
  b.across = 0;
  for (let i = 0; i < g.activeJointCount; i++) {
    const w = workAt(wordAt(g.activeJoints, i));
    w.batched = 0;
    w.home = 0;
    w.mark = 0;
  }
  let begin = 0;
  for (let i = 0; i < g.activeJointCount; i++) {
    const slot = wordAt(g.activeJoints, i);
    const w = workAt(slot);
    if (w.mark || w.locks == 0) continue;
    let end = orderArticulation(slot, begin, true);
    let direct = isFeasible(begin, end);
    if (b.merged && !(direct && isWorthMerging(begin, end))) {
      forgetRun(begin, end);
      end = orderArticulation(slot, begin, false);
      direct = isFeasible(begin, end);
    }
    if (direct) addDirect(begin, end);
    else {
      b.loopedParts = 0;
      for (let k = begin; k < end; k++) addSingle(k);
    }
    begin = end;
  }
  for (let i = 0; i < g.activeJointCount; i++) {
    const slot = wordAt(g.activeJoints, i);
    const w = workAt(slot);
    if (w.mark || w.locks != 0 || !(w.form & FORM_LOOSE)) continue;
    const end = gatherLoose(slot, begin);
    if (end == begin) continue;
    addDirect(begin, end);
    begin = end;
  }
}

/** Whether a run of joints does not cost too much to solve directly. */
function isFeasible(begin: i32, end: i32): bool {
  const b = builder();
  if (end - begin > MOST_MEMBERS) return false;
  const work = measure(begin, end);
  const most = max<i64>(<i64>b.rows * MOST_WORK_PER_ROW, isMachine() ? MOST_WORK_OF_LOOPS : 0);
  return work <= most && !isTangled(begin, end);
}

/**
 * Whether structures that ropes join gain by being one: if bodies are much heavier than their neighbours. The rope of a crane, with 1 t on
 * a ball joint at its hook of 5 kg, was 0.2 m longer than it may be, and 7 m at 30 Hz. Not if it may have no solution (mayConflict).
 */
function isWorthMerging(begin: i32, end: i32): bool {
  if (builder().looseCount >= MOST_LOOSE || end - begin > MOST_MERGED) return false;
  let forms = 0;
  for (let k = begin; k < end; k++) forms |= workAt(wordAt(world().jointOrder, k)).form;
  return (forms & FORM_UNEQUAL) != 0 && !mayConflict(begin, end, true);
}

/** Its joints and bodies belong to no structure again. */
function forgetRun(begin: i32, end: i32): void {
  for (let k = begin; k < end; k++) {
    const slot = wordAt(world().jointOrder, k);
    workAt(slot).mark = 0;
    markAt(jointAt(slot).bodyA).stamp = 0;
    markAt(jointAt(slot).bodyB).stamp = 0;
  }
}

/** Solved directly, ropes, rods and springs get rows for the motion across them, too. */
function addDirect(begin: i32, end: i32): void {
  builder().across = 2;
  measure(begin, end);
  addArticulation(begin, end, -1);
  builder().across = 0;
}

/** Number of rows for the motion across a joint. @inline */
function acrossOf(j: Joint): i32 {
  return j.type == JOINT_DISTANCE ? builder().across : 0;
}

/** Whether most joints hold angles, as hinges do, or rows repeat each other: no net of ball joints or rods. @inline */
function isMachine(): bool {
  const b = builder();
  return isOverlocked() || 2 * b.rigid >= b.locked;
}

/** @inline */
function isOverlocked(): bool {
  const b = builder();
  return b.rows > 6 * b.moving;
}

/**
 * Whether a structure is long, has more locked directions than degrees of freedom, and several joints parallel to another
 * between the same two bodies, as planks on two rows of joints. Taut between two posts, these explode in the direct solver.
 * Other redundant structures (linkages, frames, grids, an axle in two bearings) do not; solved by passes, a walker's leg with
 * 10 N·m on its crank had gaps of 34 mm.
 */
function isTangled(begin: i32, end: i32): bool {
  const b = builder();
  if (b.moving <= MOST_TANGLED || !isOverlocked()) return false;
  let parallel = 0;
  for (let k = begin; k < end; k++) {
    const slot = wordAt(world().jointOrder, k);
    const j = jointAt(slot);
    if (workAt(slot).locks == 0 || j.bodyA == 0 || !isMoved(bodyAt(j.bodyA))) continue;
    for (let at = bodyAt(j.bodyA).firstJoint; at != 0; at = nextLink(at)) {
      const other = jointAt(at >> 1);
      const partner = at & 1 ? other.bodyA : other.bodyB;
      if (partner == j.bodyB && at >> 1 != slot && isWorking(other) && workAt(at >> 1).locks != 0) {
        parallel++;
        break;
      }
    }
  }
  return parallel >= 2 * MOST_TANGLED;
}

/**
 * Writes the joints of a structure in the order of elimination, and returns the end of the list; `merges`: also those of structures to
 * which ropes lead.
 */
function orderArticulation(slot: i32, begin: i32, merges: bool): i32 {
  const b = builder();
  b.merges = merges ? 1 : 0;
  b.merged = 0;
  b.loopedParts = 0;
  const end = addStructure(slot, begin, begin);
  return withLoose(begin, end, MOST_LOOSE);
}

/** Depth-first search from one joint. Adds the joints behind the run and returns its new end. */
function addStructure(slot: i32, begin: i32, from: i32): i32 {
  const g = world();
  const stack = g.jointOrder + ((<u32>g.jointCapacity) << 2);
  let end = from;
  let depth = 1;
  setWord(stack, 0, slot);
  workAt(slot).mark = 1;
  while (depth > 0) {
    const at = wordAt(stack, depth - 1);
    const j = jointAt(at);
    let next = neighbour(bodyAt(j.bodyA), begin);
    if (next == 0) next = neighbour(bodyAt(j.bodyB), begin);
    if (next != 0) {
      workAt(next).mark = 1;
      setWord(stack, depth++, next);
    } else {
      setWord(g.jointOrder, end++, at);
      depth--;
    }
  }
  if (builder().merges) {
    measure(from, end);
    builder().loopedParts |= isRedundant();
  }
  return end;
}

/**
 * Appends to a run of joints the ropes, springs and limits of their bodies, those of the bodies that so join, and so on: all of
 * them, or none from this number on.
 */
function withLoose(begin: i32, last: i32, most: i32): i32 {
  const b = builder();
  b.looseCount = 0;
  let end = last;
  for (let k = begin; k < end; k++) {
    const j = jointAt(wordAt(world().jointOrder, k));
    end = addLoose(j.bodyA, begin, end, most);
    end = addLoose(j.bodyB, begin, end, most);
  }
  if (b.looseCount < most || b.merged) return end;
  while (end > last) workAt(wordAt(world().jointOrder, --end)).mark = 0;
  return end;
}

/**
 * A run of ropes, springs and limits that share bodies of no structure; returns the end of the list, or `begin` if passes do as
 * well: without a body that is much heavier than its neighbour they stretch little, and cost a fifth. Ten ropes with nodes of
 * 0.1 kg and 10 kg at the end were 5 % longer. On a rope that leads to a structure, which would be solved afterwards, hung all of it.
 * Ropes that may ask for what the others exclude are left to passes, too (mayConflict).
 */
function gatherLoose(slot: i32, begin: i32): i32 {
  const g = world();
  const b = builder();
  b.touches = 0;
  b.merges = 0;
  b.merged = 0;
  b.loopedParts = 0;
  workAt(slot).mark = 1;
  setWord(g.jointOrder, begin, slot);
  const end = withLoose(begin, begin + 1, MOST_DRIVES);
  let forms = 0;
  for (let k = begin; k < end; k++) forms |= workAt(wordAt(g.jointOrder, k)).form;
  if (end == begin + 1) workAt(slot).mark = 0;
  return end > begin + 1 && forms & FORM_UNEQUAL && !b.touches && !mayConflict(begin, end, false)
    ? end
    : begin;
}

/**
 * Whether limits of a run lead from one thing that cannot move to another, or around a loop. Pulled taut beyond its length, such a
 * run has no solution: four ropes with 50 kg in the middle, between a wall and a hand, were given 2,500 N·s and threw it at 200 m/s.
 * `joins`: locks lead on, too, and loops alone do not count, as within one structure.
 */
function mayConflict(begin: i32, end: i32, joins: bool): bool {
  for (let k = begin; k < end; k++) {
    const j = jointAt(wordAt(world().jointOrder, k));
    markAt(j.bodyA).row = j.bodyA;
    markAt(j.bodyB).row = j.bodyB;
  }
  for (let k = begin; k < end; k++) {
    const slot = wordAt(world().jointOrder, k);
    const isLimit = (workAt(slot).form & FORM_LIMITS) != 0;
    if (!isLimit && !(joins && workAt(slot).locks != 0)) continue;
    const a = treeOf(jointAt(slot).bodyA);
    const b = treeOf(jointAt(slot).bodyB);
    if (a == b && isLimit && (a == 0 || !joins)) return true;
    renameTree(begin, end, max(a, b), min(a, b));
  }
  return false;
}

/** The tree of limits that holds a body; 0 for those with what cannot move. */
function treeOf(slot: i32): i32 {
  const body = bodyAt(slot);
  const isFree = slot != 0 && isMoved(body) && !isHeld(body) && lengthSquared(body.linearFactor) > 0;
  return isFree ? markAt(slot).row : 0;
}

function renameTree(begin: i32, end: i32, from: i32, to: i32): void {
  for (let k = begin; k < end; k++) {
    const j = jointAt(wordAt(world().jointOrder, k));
    if (markAt(j.bodyA).row == from) markAt(j.bodyA).row = to;
    if (markAt(j.bodyB).row == from) markAt(j.bodyB).row = to;
  }
}

/**
 * From so many joints without locks on, ropes, springs and limits, none of them belongs to the structure: all are solved one after
 * the other. Of a hanging chain of 30 ropes, 16 with the structure and the others not, one stretched to twenty times its length.
 */
const MOST_LOOSE = 33;

/**
 * Appends ropes, springs and limits of joints that lock nothing, from a body of the structure to another one, to what cannot move,
 * or to a body in no structure, which joins it. With the two masses alone, a rope with 1 t on a boom of 20 kg stretched by metres,
 * and the spring of a car on a light wishbone shook and bore half of its load.
 */
function addLoose(slot: i32, begin: i32, end: i32, most: i32): i32 {
  const body = bodyAt(slot);
  if (slot == 0 || !isMoved(body)) return end;
  const b = builder();
  for (let at = body.firstJoint; at != 0 && b.looseCount < most; at = nextLink(at)) {
    const j = jointAt(at >> 1);
    const w = workAt(at >> 1);
    if (!isWorking(j) || w.mark || w.locks != 0 || !(w.form & FORM_LOOSE)) continue;
    const other = bodyAt(at & 1 ? j.bodyA : j.bodyB);
    if (!mayJoin(other, begin + 1)) {
      const lock = b.merges && markAt(other.slot).stamp == 0 ? lockOf(other) : 0;
      if (lock == 0) {
        b.touches = 1;
        continue;
      }
      end = addStructure(lock, begin, end);
      b.merged++;
    }
    b.looseCount++;
    w.mark = 1;
    setWord(world().jointOrder, end++, at >> 1);
  }
  return end;
}

/** Whether the body belongs to the structure with this stamp, or to none; then it joins it. */
function mayJoin(body: Body, stamp: i32): bool {
  if (body.slot == 0 || !isMoved(body)) return true;
  const m = markAt(body.slot);
  if (m.stamp == stamp) return true;
  if (m.stamp != 0) return false;
  if (lockOf(body)) return false;
  m.stamp = stamp;
  return true;
}

/** A joint of the body that locks something; 0 for none. */
function lockOf(body: Body): i32 {
  for (let at = body.firstJoint; at != 0; at = nextLink(at))
    if (isWorking(jointAt(at >> 1)) && workAt(at >> 1).locks != 0) return at >> 1;
  return 0;
}

/** The next joint of a body that the search has not visited, 0 for none. */
function neighbour(b: Body, begin: i32): i32 {
  if (b.slot == 0 || !isMoved(b)) return 0;
  const m = markAt(b.slot);
  if (m.stamp != begin + 1) {
    m.stamp = begin + 1;
    m.cursor = b.firstJoint;
    m.colors = 0;
  }
  while (m.cursor != 0) {
    const slot = m.cursor >> 1;
    m.cursor = nextLink(m.cursor);
    if (!isWorking(jointAt(slot))) continue;
    const w = workAt(slot);
    if (w.locks != 0 && !w.mark) return slot;
  }
  return 0;
}

/**
 * Counts rows, bodies and entries of a run of joints; returns the most multiplications of its factors. A row is
 * multiplied with each earlier row in its envelope, over the entries that both have. Where loops pass through a body with
 * many joints, a few rows are wide and most are narrow: half the squares of the envelopes then are twice the work.
 */
function measure(begin: i32, end: i32): i64 {
  const g = world();
  const b = builder();
  b.rows = 0;
  b.bodies = 0;
  b.entries = 0;
  b.moving = 0;
  b.held = 0;
  b.locked = 0;
  b.rigid = 0;
  for (let k = begin; k < end; k++) {
    const j = jointAt(wordAt(g.jointOrder, k));
    forgetRow(j.bodyA);
    forgetRow(j.bodyB);
  }
  let work: i64 = 0;
  for (let k = begin; k < end; k++) {
    const slot = wordAt(g.jointOrder, k);
    const j = jointAt(slot);
    const w = workAt(slot);
    const moving = b.moving;
    const held = b.held;
    const a = memberOf(bodyAt(j.bodyA), k - begin);
    const c = memberOf(bodyAt(j.bodyB), k - begin);
    w.members = a | (c << 16);
    const first = min(rowOf(bodyAt(j.bodyA)), rowOf(bodyAt(j.bodyB)));
    const before = min(entriesOf(bodyAt(j.bodyA)), entriesOf(bodyAt(j.bodyB)));
    if (w.locks == 0) {
      b.moving = moving;
      b.held = held;
    } else b.locked++;
    if (w.locks & ANGLES) b.rigid++;
    const n = popcnt<i32>(w.locks) + acrossOf(j);
    for (let r = 0; r < n; r++) {
      const width = b.rows - first + 1;
      b.entries += width;
      work += min((<i64>width * width) >> 1, <i64>(<u32>(b.entries - before)));
      b.rows++;
    }
  }
  return work;
}

function forgetRow(slot: i32): void {
  markAt(slot).row = -1;
}

/** The index of the body within the structure; each side that cannot move gets its own index. */
function memberOf(body: Body, joint: i32): i32 {
  const b = builder();
  if (body.slot == 0 || !isMoved(body)) return b.bodies++;
  const m = markAt(body.slot);
  if (m.row < 0) {
    m.row = b.rows;
    m.joint = joint;
    m.entries = b.entries;
    m.index = b.bodies++;
    b.moving++;
    if (isHeld(body)) b.held = 1;
  }
  return m.index;
}

/** @inline */
function rowOf(body: Body): i32 {
  return body.slot == 0 || !isMoved(body) ? builder().rows : markAt(body.slot).row;
}

/** @inline */
function entriesOf(body: Body): i32 {
  return body.slot == 0 || !isMoved(body) ? builder().entries : markAt(body.slot).entries;
}

function addSingle(place: i32): void {
  const g = world();
  const j = jointAt(wordAt(g.jointOrder, place));
  const a = bodyAt(j.bodyA);
  const b = bodyAt(j.bodyB);
  const none = markAt(0); // the world may occur in each colour
  none.colors = 0;
  const markA: BodyMark = a.slot != 0 && isMoved(a) ? markAt(a.slot) : none;
  const markB: BodyMark = b.slot != 0 && isMoved(b) ? markAt(b.slot) : none;
  const color = ctz<i32>(~(markA.colors | markB.colors)); // 32: no colour is free; the joint gets its own batch
  measure(place, place + 1);
  addArticulation(place, place + 1, color);
  if (color == 32) return;
  markA.colors |= 1 << color;
  markB.colors |= 1 << color;
}

/** Puts a run of joints into a lane of a batch of the same form. */
function addArticulation(begin: i32, end: i32, color: i32): void {
  const g = world();
  const b = builder();
  if (b.rows == 0 && color >= 0) return;
  let found = b.openCount - 1;
  while (found >= 0 && !matches(batchAt(load<i32>(openAt(found))), begin, end, color)) found--;
  const index = found >= 0 ? load<i32>(openAt(found)) : createBatch(begin, end, color);
  const u = batchAt(index);
  const lane = (<usize>u.lanes) << 2;
  u.lanes++;
  for (let k = begin; k < end; k++) {
    const slot = wordAt(g.jointOrder, k);
    const w = workAt(slot);
    const wide = batchJointAt(u, k - begin);
    w.batched = 1;
    w.home = color < 0 ? ((index << 2) | <i32>(lane >> 2)) + 1 : 0;
    store<i32>(changetype<usize>(wide) + lane, slot);
    store<i32>(changetype<usize>(batchBodyAt(u, wide.a)) + lane, w.solverBodyA);
    store<i32>(changetype<usize>(batchBodyAt(u, wide.b)) + lane, w.solverBodyB);
  }
  if (u.lanes == 4 || color == 32) close(found >= 0 ? found : b.openCount - 1);
}

function close(place: i32): void {
  const b = builder();
  b.openCount--;
  for (let i = place; i < b.openCount; i++) store<i32>(openAt(i), load<i32>(openAt(i + 1)));
}

function matches(u: JointBatch, begin: i32, end: i32, color: i32): bool {
  const b = builder();
  if (u.color != color || u.jointCount != end - begin) return false;
  if (u.rowCount != b.rows || u.bodyCount != b.bodies) return false;
  if (u.redundant != isRedundant()) return false;
  if (u.points != isPoints(begin, color)) return false;
  for (let k = begin; k < end; k++) {
    const w = workAt(wordAt(world().jointOrder, k));
    const wide = batchJointAt(u, k - begin);
    const j = jointAt(wordAt(world().jointOrder, k));
    if (wide.locks != w.locks || wide.across != acrossOf(j)) return false;
    if ((wide.a | (wide.b << 16)) != w.members) return false;
  }
  return true;
}

/** 1 if locked directions may repeat each other: around a loop, or because of a body that is held (isHeld). */
function isRedundant(): i32 {
  const b = builder();
  return b.locked > b.moving || b.held || b.loopedParts ? 1 : 0;
}

/**
 * Whether the body cannot move along some axis but turns across it: an anchor then holds the same as a locked angle does, and a
 * pivot is only rounding. In a plane, with rotation about its normal alone, nothing is held twice.
 */
function isHeld(b: Body): bool {
  const moves = b.linearFactor;
  const turns = b.angularFactor;
  const aboutX = x(turns) != 0;
  const aboutY = y(turns) != 0;
  const aboutZ = z(turns) != 0;
  return (
    (x(moves) == 0 && (aboutY || aboutZ)) ||
    (y(moves) == 0 && (aboutX || aboutZ)) ||
    (z(moves) == 0 && (aboutX || aboutY))
  );
}

/** 1 for a single ball joint of a colour, which has nothing to solve outside its batch. */
function isPoints(begin: i32, color: i32): i32 {
  return color >= 0 && jointAt(wordAt(world().jointOrder, begin)).type == JOINT_POINT ? 1 : 0;
}

function createBatch(begin: i32, end: i32, color: i32): i32 {
  const g = world();
  const b = builder();
  if (g.batchCount == g.batchCapacity) {
    const capacity = grownCapacity(g.batchCapacity, g.batchCount + 1);
    g.batches = reallocate(g.batches, <usize>g.batchCapacity * BATCH_SIZE, <usize>capacity * BATCH_SIZE);
    g.batchCapacity = capacity;
  }
  const index = g.batchCount++;
  const u = batchAt(index);
  memory.fill(changetype<usize>(u), 0, BATCH_SIZE);
  u.jointCount = end - begin;
  u.bodyCount = b.bodies;
  u.rowCount = b.rows;
  u.direct = color < 0 ? 1 : 0;
  u.redundant = isRedundant();
  u.loose = u.jointCount > b.locked ? 1 : 0;
  u.color = color;
  u.points = isPoints(begin, color);
  u.joints = take(u.jointCount * <i32>BATCH_JOINT_SIZE);
  u.bodies = take(u.bodyCount * <i32>BATCH_BODY_SIZE);
  u.rows = take(u.rowCount * <i32>BATCH_ROW_SIZE);
  u.arms = take(u.rowCount * <i32>BATCH_ARMS_SIZE);
  u.values = take(u.rowCount << (u.redundant || b.across ? 5 : 4)); // these also keep the start values
  u.pivots = take(u.rowCount << 4);
  u.matrix = take(b.entries << 4);
  let row = 0;
  let entry = 0;
  for (let k = begin; k < end; k++) {
    const slot = wordAt(g.jointOrder, k);
    const j = jointAt(slot);
    const w = workAt(slot);
    const wide = batchJointAt(u, k - begin);
    wide.a = w.members & 0xffff;
    wide.b = w.members >>> 16;
    wide.locks = w.locks;
    wide.firstRow = row;
    wide.lockCount = popcnt<i32>(w.locks);
    wide.rowCount = wide.lockCount;
    wide.across = acrossOf(j);
    const kinds = w.locks | (wide.across ? 3 << ACROSS : 0);
    u.locks |= kinds;
    wide.first = row;
    wide.firstJoint = k - begin;
    reachBack(bodyAt(j.bodyA), wide);
    reachBack(bodyAt(j.bodyB), wide);
    for (let kind = 0; kind < ACROSS + 2; kind++) {
      if (!((kinds >> kind) & 1)) continue;
      const r = batchRowAt(u, row);
      r.kind = kind;
      r.first = wide.first;
      r.offset = entry - wide.first;
      entry += row - wide.first + 1;
      row++;
    }
  }
  u.across = u.locks >> ACROSS ? 1 : 0;
  if (b.openCount == MOST_OPEN) close(0);
  store<i32>(openAt(b.openCount++), index);
  return index;
}

/** Extends the envelope of the joint's rows back to the first joint of this body. */
function reachBack(body: Body, wide: BatchJoint): void {
  if (body.slot == 0 || !isMoved(body)) return;
  const m = markAt(body.slot);
  if (m.row >= wide.first) return;
  wide.first = m.row;
  wide.firstJoint = m.joint;
}

/** Allocates zeroed data of batches; returns its offset. */
function take(bytes: i32): i32 {
  const g = world();
  const b = builder();
  const at = b.top;
  b.top += bytes;
  if (b.top > g.batchDataCapacity) {
    const capacity = grownCapacity(g.batchDataCapacity, b.top);
    g.batchData = reallocate(g.batchData, <usize>g.batchDataCapacity, <usize>capacity);
    g.batchDataCapacity = capacity;
  }
  memory.fill(<usize>g.batchData + <usize>at, 0, <usize>bytes);
  return at;
}
