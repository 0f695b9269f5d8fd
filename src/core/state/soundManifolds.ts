// Validity of manifolds (sound.ts): colours, blocks, lanes, persistent data of a contact; the same for parked
// manifolds. Out: 0, or 600 plus the fault. Data that prepare computes in each step is not checked.

import { MOST_COORDINATE, MOST_IMPULSE, MOST_SIZE, UNIT_LENGTH } from '../memory/bounds';
import {
  BODY_DYNAMIC,
  BODY_USED,
  COLOR_COUNT,
  LIST_SOLVED,
  OVERFLOW_COLOR,
  PAIR_PARKED,
} from '../memory/constants';
import { BlockMeta, ContactBlock, ContactPointWide, PointMeta } from '../memory/records';
import {
  BLOCK_SIZE,
  blockHandle,
  blockOf,
  bodyAt,
  colorAt,
  jointAt,
  META_SIZE,
  metaOf,
  POINT_META_SIZE,
  POINT_METAS_OFFSET,
  POINT_SIZE,
  POINTS_OFFSET,
  pairAt,
  scratch,
  world,
} from '../memory/tables';
import { isWorking } from '../solver/joints/links';
import { blockSummary, laneWord, loadLane, PARKED_LINK, pairOfLane, parkedAt } from '../solver/lanes';

export function manifoldFault(): i32 {
  const g = world();
  // Per body: number of lanes that act on it, and their colours.
  const counts = scratch(((<usize>g.bodyEnd) << 3) + BLOCK_SIZE + META_SIZE + 16);
  memory.fill(counts, 0, (<usize>g.bodyEnd) << 3);
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    if (color.count < 0 || color.count > color.capacity) return 601;
    const least = c == OVERFLOW_COLOR ? color.count << 2 : max(0, 4 * (color.count - 1) + 1);
    if (color.lanes > color.count << 2 || color.lanes < (color.count == 0 ? 0 : least)) return 602;
    for (let i = 0; i < color.count; i++) {
      const block = blockOf(color, i);
      const meta = metaOf(color, i);
      const lanes = c == OVERFLOW_COLOR ? 1 : min(4, color.lanes - 4 * i);
      if (meta.used != (1 << lanes) - 1) return 603;
      for (let lane = 0; lane < 4; lane++) {
        const index = pairOfLane(blockHandle(c, i), lane);
        if (lane >= lanes) {
          if (index != -1) return 604;
          continue;
        }
        if (<u32>index >= <u32>g.pairEnd) return 605;
        const pair = pairAt(index);
        if (pair.list != LIST_SOLVED || pair.index != (blockHandle(c, i) << 2) + lane) return 606;
        const a = count(counts, pair.bodyA, c);
        const b = count(counts, pair.bodyB, c);
        if (a < 0 || b < 0 || a + b == 0) return 607;
        if (
          laneWord(changetype<usize>(block) + offsetof<ContactBlock>('bodyA'), lane) != solverBody(pair.bodyA)
        )
          return 608;
        if (
          laneWord(changetype<usize>(block) + offsetof<ContactBlock>('bodyB'), lane) != solverBody(pair.bodyB)
        )
          return 609;
      }
      const fault = blockFault(changetype<usize>(block), changetype<usize>(meta), (1 << lanes) - 1);
      if (fault != 0) return fault;
      const summary = blockSummary(meta);
      if (block.maxPoints != i32x4.extract_lane(summary, 0)) return 610;
    }
  }
  for (let slot = 1; slot < g.jointEnd; slot++) {
    const j = jointAt(slot);
    if (!isWorking(j)) continue;
    store<i32>(counts + ((<usize>j.bodyA) << 3), load<i32>(counts + ((<usize>j.bodyA) << 3)) + 1);
    store<i32>(counts + ((<usize>j.bodyB) << 3), load<i32>(counts + ((<usize>j.bodyB) << 3)) + 1);
  }
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED)) continue;
    if (b.constraintCount != load<i32>(counts + ((<usize>slot) << 3))) return 611;
    if (b.colorMask != load<i32>(counts + ((<usize>slot) << 3), 4)) return 612;
  }
  return parkedFault(counts + ((((<usize>g.bodyEnd) << 3) + 15) & ~15));
}

/** Slot of a moving body; 0 for static bodies. @inline */
function solverBody(slot: i32): i32 {
  return bodyAt(slot).type == 0 ? 0 : slot;
}

/**
 * Counts a lane of a colour at a body: 1; 0 if it does not move the body; -1 if the body already has one of that
 * colour.
 */
function count(counts: usize, slot: i32, color: i32): i32 {
  if (bodyAt(slot).type != BODY_DYNAMIC) return 0;
  const at = counts + ((<usize>slot) << 3);
  store<i32>(at, load<i32>(at) + 1);
  if (color == OVERFLOW_COLOR) return 1;
  const colors = load<i32>(at, 4);
  if (colors & (1 << color)) return -1;
  store<i32>(at, colors | (1 << color), 4);
  return 1;
}

/** Manifolds of sleeping pairs, each copied to a separate block. */
function parkedFault(block: usize): i32 {
  const g = world();
  const meta = block + BLOCK_SIZE;
  memory.fill(block, 0, BLOCK_SIZE + META_SIZE);
  let left = g.parkedEnd;
  for (let i = 0; i < g.pairEnd; i++) {
    const pair = pairAt(i);
    if (pair.shapeA <= 0 || !(pair.flags & PAIR_PARKED)) continue;
    left--;
    loadLane(parkedAt(pair.index), block, meta, 0);
    const fault = blockFault(block, meta, 1);
    if (fault != 0) return fault + 50;
  }
  // The others must be free.
  for (let i = g.parkedFree; i >= 0; i = load<i32>(parkedAt(i) + PARKED_LINK))
    if (i >= g.parkedEnd || --left < 0) return 613;
  return left == 0 ? 0 : 614;
}

/** @inline */
function field(at: usize, offset: usize): v128 {
  return v128.load(at + offset);
}

/** Bit per lane in which a vector exceeds a bound, or is NaN. @inline */
function beyond(v: v128, most: f32): i32 {
  return ~i32x4.bitmask(f32x4.le(f32x4.abs(v), f32x4.splat(most)));
}

/** Bit per lane that is no valid mask, with neither all bits set nor none. @inline */
function unclear(v: v128): i32 {
  return i32x4.bitmask(i32x4.ne(v, i32x4.shr_s(v, 31)));
}

/** Bit per lane in which a vector in rows does not have length 1. @inline */
function notUnit(at: usize, rows: i32): i32 {
  let sum = f32x4.splat(-1);
  for (let i = 0; i < rows; i++) {
    const v = v128.load(at + ((<usize>i) << 4));
    sum = f32x4.add(sum, f32x4.mul(v, v));
  }
  return beyond(sum, UNIT_LENGTH);
}

/** Checks a block. `used`: bits of lanes with a manifold. */
function blockFault(block: usize, meta: usize, used: i32): i32 {
  const n = field(meta, offsetof<BlockMeta>('pointCount'));
  if (i32x4.bitmask(i32x4.gt_u(n, i32x4.splat(4)))) return 620;
  const none = f32x4.splat(0);
  if (notUnit(block + offsetof<ContactBlock>('normalX'), 3) & used) return 621;
  let bad = 0;
  for (let o = offsetof<ContactBlock>('tangentX'); o <= offsetof<ContactBlock>('tangentZ'); o += 16)
    bad |= beyond(field(block, o), 2);
  for (let o = offsetof<ContactBlock>('centerAX'); o <= offsetof<ContactBlock>('centerBZ'); o += 16)
    bad |= beyond(field(block, o), MOST_SIZE);
  if (bad & used) return 622;
  bad = beyond(field(block, offsetof<ContactBlock>('friction')), MOST_COORDINATE);
  for (
    let o = offsetof<ContactBlock>('frictionImpulse1');
    o <= offsetof<ContactBlock>('twistImpulse');
    o += 16
  )
    bad |= beyond(field(block, o), MOST_IMPULSE);
  if (bad & used) return 623;
  const cached = meta + offsetof<BlockMeta>('cachedRotationAX');
  if ((notUnit(cached, 4) | notUnit(cached + 64, 4)) & used) return 624;
  bad = 0;
  for (let o = offsetof<BlockMeta>('cachedCenterX'); o <= offsetof<BlockMeta>('cachedCenterZ'); o += 16)
    bad |= beyond(field(meta, o), MOST_SIZE);
  bad |= beyond(field(meta, offsetof<BlockMeta>('reach')), MOST_SIZE);
  bad |= beyond(field(meta, offsetof<BlockMeta>('restitution')), 2);
  bad |= beyond(field(meta, offsetof<BlockMeta>('rollingFriction')), 20);
  bad |= beyond(field(meta, offsetof<BlockMeta>('spinningFriction')), 20);
  bad |= beyond(field(meta, offsetof<BlockMeta>('rollingImpulse1')), MOST_IMPULSE);
  bad |= beyond(field(meta, offsetof<BlockMeta>('rollingImpulse2')), MOST_IMPULSE);
  bad |= beyond(field(meta, offsetof<BlockMeta>('surfaceVelocity1')), MOST_IMPULSE);
  bad |= beyond(field(meta, offsetof<BlockMeta>('surfaceVelocity2')), MOST_IMPULSE);
  if (bad & used) return 625;
  bad = beyond(field(meta, offsetof<BlockMeta>('recycleShare')), 1);
  bad |=
    unclear(field(meta, offsetof<BlockMeta>('kinematic'))) |
    unclear(field(meta, offsetof<BlockMeta>('fast')));
  if (bad & used) return 626;
  for (let i = 0; i < 4; i++) {
    const here = i32x4.bitmask(i32x4.gt_s(n, i32x4.splat(i))) & used;
    if (here == 0) break;
    const p = block + POINTS_OFFSET + <usize>i * POINT_SIZE;
    const q = meta + POINT_METAS_OFFSET + <usize>i * POINT_META_SIZE;
    bad = beyond(field(p, offsetof<ContactPointWide>('a')), MOST_SIZE);
    bad |= beyond(field(p, offsetof<ContactPointWide>('b')), MOST_SIZE);
    bad |= beyond(field(p, offsetof<ContactPointWide>('lever')), MOST_SIZE);
    bad |= beyond(field(p, offsetof<ContactPointWide>('impulse')), MOST_IMPULSE);
    bad |= beyond(field(p, offsetof<ContactPointWide>('totalImpulse')), MOST_IMPULSE);
    bad |= i32x4.bitmask(f32x4.lt(field(p, offsetof<ContactPointWide>('impulse')), none));
    bad |= beyond(field(q, offsetof<PointMeta>('baseSeparation')), MOST_SIZE);
    bad |= beyond(field(q, offsetof<PointMeta>('arrival')), MOST_IMPULSE);
    bad |= unclear(field(q, offsetof<PointMeta>('struck')));
    if (bad & here) return 627;
  }
  return 0;
}
