// The part of the state hash for contacts: pairs, narrow phase hints, manifolds with the impulses for warm starting.
// In: tables between two steps. Out: a hash continued from another. Bodies alone do not determine the next step: two
// boxes that press on the floor with different impulses move differently from the same pose. The hash covers the
// contact data of a snapshot (snapshotPairs.ts, snapshotManifolds.ts), so that a restored world has the hash of the
// original. It leaves out data that a step recomputes, and indices in pools, which have no effect.

import {
  COLOR_COUNT,
  LIST_CONCAVE,
  LIST_SENSOR,
  LIST_WAITING,
  PAIR_CHILD,
  PAIR_PARKED,
} from '../memory/constants';
import { BlockMeta, ContactBlock, ContactPointWide, PointMeta } from '../memory/records';
import {
  blockOf,
  colorAt,
  metaOf,
  POINT_META_SIZE,
  POINT_METAS_OFFSET,
  POINT_SIZE,
  POINTS_OFFSET,
  pairAt,
  waitingAt,
  world,
} from '../memory/tables';
import { PARKED_PAIR, parkedAt } from '../solver/lanes';
import { GOLDEN, mix } from './mixing';

const FIRST_ROW = offsetof<ContactBlock>('bodyA');
const FIRST_META_ROW = offsetof<BlockMeta>('pair');

/** Offsets of rows of a lane that persist between steps, in a block and in its meta; 0: the end. */
const ROWS: usize = memory.data<u16>([
  <u16>offsetof<ContactBlock>('bodyA'),
  <u16>offsetof<ContactBlock>('bodyB'),
  <u16>offsetof<ContactBlock>('normalX'),
  <u16>offsetof<ContactBlock>('normalY'),
  <u16>offsetof<ContactBlock>('normalZ'),
  <u16>offsetof<ContactBlock>('tangentX'),
  <u16>offsetof<ContactBlock>('tangentY'),
  <u16>offsetof<ContactBlock>('tangentZ'),
  <u16>offsetof<ContactBlock>('centerAX'),
  <u16>offsetof<ContactBlock>('centerAY'),
  <u16>offsetof<ContactBlock>('centerAZ'),
  <u16>offsetof<ContactBlock>('centerBX'),
  <u16>offsetof<ContactBlock>('centerBY'),
  <u16>offsetof<ContactBlock>('centerBZ'),
  <u16>offsetof<ContactBlock>('friction'),
  <u16>offsetof<ContactBlock>('frictionImpulse1'),
  <u16>offsetof<ContactBlock>('frictionImpulse2'),
  <u16>offsetof<ContactBlock>('twistImpulse'),
  0,
]);
const META_ROWS: usize = memory.data<u16>([
  <u16>offsetof<BlockMeta>('pair'),
  <u16>offsetof<BlockMeta>('pointCount'),
  <u16>offsetof<BlockMeta>('cachedRotationAX'),
  <u16>offsetof<BlockMeta>('cachedRotationAY'),
  <u16>offsetof<BlockMeta>('cachedRotationAZ'),
  <u16>offsetof<BlockMeta>('cachedRotationAW'),
  <u16>offsetof<BlockMeta>('cachedRotationBX'),
  <u16>offsetof<BlockMeta>('cachedRotationBY'),
  <u16>offsetof<BlockMeta>('cachedRotationBZ'),
  <u16>offsetof<BlockMeta>('cachedRotationBW'),
  <u16>offsetof<BlockMeta>('cachedCenterX'),
  <u16>offsetof<BlockMeta>('cachedCenterY'),
  <u16>offsetof<BlockMeta>('cachedCenterZ'),
  <u16>offsetof<BlockMeta>('reach'),
  <u16>offsetof<BlockMeta>('recycleShare'),
  <u16>offsetof<BlockMeta>('restitution'),
  <u16>offsetof<BlockMeta>('rollingFriction'),
  <u16>offsetof<BlockMeta>('spinningFriction'),
  <u16>offsetof<BlockMeta>('rollingImpulse1'),
  <u16>offsetof<BlockMeta>('rollingImpulse2'),
  <u16>offsetof<BlockMeta>('kinematic'),
  <u16>offsetof<BlockMeta>('fast'),
  <u16>offsetof<BlockMeta>('surfaceVelocity1'),
  <u16>offsetof<BlockMeta>('surfaceVelocity2'),
  0,
]);

/** The same for point 0; those of the other points follow. */
const POINT_ROWS: usize = memory.data<u16>([
  <u16>(POINTS_OFFSET + offsetof<ContactPointWide>('a')),
  <u16>(POINTS_OFFSET + offsetof<ContactPointWide>('b')),
  <u16>(POINTS_OFFSET + offsetof<ContactPointWide>('impulse')),
  <u16>(POINTS_OFFSET + offsetof<ContactPointWide>('lever')),
  <u16>(POINTS_OFFSET + offsetof<ContactPointWide>('totalImpulse')), // of the last step; not for sleeping pairs
  0,
]);
const POINT_META_ROWS: usize = memory.data<u16>([
  <u16>(POINT_METAS_OFFSET + offsetof<PointMeta>('baseSeparation')),
  <u16>(POINT_METAS_OFFSET + offsetof<PointMeta>('struck')),
  <u16>(POINT_METAS_OFFSET + offsetof<PointMeta>('arrival')),
  0,
]);

const FEATURE_ROWS: usize = memory.data<u16>([<u16>offsetof<BlockMeta>('features0'), 0]);

export function hashContacts(h: u64): u64 {
  h = hashPairs(h);
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    h = mix(mix(h, <u64>color.count), <u64>color.changes);
    for (let i = 0; i < color.count; i++)
      h = mix(
        h,
        hashBlock(GOLDEN, changetype<usize>(blockOf(color, i)), changetype<usize>(metaOf(color, i))),
      );
  }
  return h;
}

// --- pairs ---

function hashPairs(h: u64): u64 {
  const g = world();
  h = mix(mix(h, <u64>g.pairEnd), <u64>g.pairFree);
  for (let i = 0; i < g.pairEnd; i++) {
    const pair = pairAt(i);
    if (pair.shapeA <= 0) {
      h = mix(h, <u64>pair.index); // the next free pair
      continue;
    }
    h = mix(mix(h, <u64>pair.shapeA), <u64>pair.shapeB);
    h = mix(mix(h, <u64>pair.flags), <u64>pair.cache);
    if (pair.flags & PAIR_CHILD) {
      h = mix(mix(mix(h, <u64>pair.owner), <u64>pair.next), <u64>pair.material);
    } else {
      h = mix(mix(h, <u64>pair.nextA), <u64>pair.nextB);
      h = mix(mix(h, <u64>pair.firstChild), <u64>pair.list);
      if (pair.list == LIST_WAITING) h = mix(h, <u64>waitingAt(pair.index).gap);
      else if (pair.list == LIST_SENSOR) h = mix(h, reinterpret<u64>(pair.travel));
      if (pair.list == LIST_SENSOR || pair.list == LIST_CONCAVE) h = mix(h, <u64>pair.index);
    }
    if (pair.flags & PAIR_PARKED) h = hashParked(h, parkedAt(pair.index));
  }
  return h;
}

// --- manifolds ---

/**
 * Hashes the rows of a list that ends with 0; lanes outside the mask count as zeros. Two chains run in parallel,
 * because each waits for its multiplications.
 */
function hashRows(h: u64, list: usize, base: usize, mask: v128): u64 {
  let k = GOLDEN;
  for (; load<u16>(list) != 0; list += 2) {
    const row = v128.and(v128.load(base + <usize>load<u16>(list)), mask);
    h = mix(h, i64x2.extract_lane(row, 0));
    k = mix(k, i64x2.extract_lane(row, 1));
  }
  return mix(h, k);
}

function hashBlock(h: u64, block: usize, meta: usize): u64 {
  const used = i32x4.ge_s(v128.load(meta, offsetof<BlockMeta>('pair')), i32x4.splat(0));
  h = mix(mix(h, load<u64>(block)), load<u64>(block, 8)); // of the whole block
  h = hashRows(hashRows(h, ROWS, block, used), META_ROWS, meta, used);
  const counts = v128.and(v128.load(meta, offsetof<BlockMeta>('pointCount')), used);
  for (let i: usize = 0; i < 4; i++) {
    const having = i32x4.gt_s(counts, i32x4.splat(<i32>i));
    if (!v128.any_true(having)) break;
    h = hashRows(h, POINT_ROWS, block + i * POINT_SIZE, having);
    h = hashRows(h, POINT_META_ROWS, meta + i * POINT_META_SIZE, having);
    h = hashRows(h, FEATURE_ROWS, meta + (i << 4), having);
  }
  return h;
}

/** The word of a parked manifold that corresponds to a row of a block or of its meta. @inline */
function parkedWord(parked: usize, row: usize): u64 {
  return <u64>load<u32>(parked + ((row - FIRST_ROW) >> 2));
}

/** @inline */
function parkedMetaWord(parked: usize, row: usize): u64 {
  return <u64>load<u32>(parked + PARKED_PAIR + ((row - FIRST_META_ROW) >> 2));
}

function hashParked(h: u64, parked: usize): u64 {
  for (let at = ROWS; load<u16>(at) != 0; at += 2) h = mix(h, parkedWord(parked, <usize>load<u16>(at)));
  for (let at = META_ROWS; load<u16>(at) != 0; at += 2)
    h = mix(h, parkedMetaWord(parked, <usize>load<u16>(at)));
  const count = <usize>parkedMetaWord(parked, offsetof<BlockMeta>('pointCount'));
  const total = <u16>(POINTS_OFFSET + offsetof<ContactPointWide>('totalImpulse'));
  for (let i: usize = 0; i < count; i++) {
    for (let at = POINT_ROWS; load<u16>(at) != total; at += 2)
      h = mix(h, parkedWord(parked, <usize>load<u16>(at) + i * POINT_SIZE));
    for (let at = POINT_META_ROWS; load<u16>(at) != 0; at += 2)
      h = mix(h, parkedMetaWord(parked, <usize>load<u16>(at) + i * POINT_META_SIZE));
    h = mix(h, parkedMetaWord(parked, offsetof<BlockMeta>('features0') + (i << 4)));
  }
  return h;
}
