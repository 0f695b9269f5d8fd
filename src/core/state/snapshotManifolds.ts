// The manifolds of a snapshot, four at a time. In: contact blocks, parked manifolds, pairs, current bodies. Out: the
// same. It contains the data from which the next step starts: frames, anchors, base separations, impulses, and the
// poses at which the narrow phase ran, each as its difference from a prediction from pairs and bodies. Data that
// prepare and recycling recompute in each step is left out. Data that nearly always follows from the rest is written
// completely, but only if some of it does not follow. Unused lanes and points take no bytes.
import { patchOf } from '../contacts/manifold';
import { highHalves, lowHalves, zipHigh, zipLow } from '../math/transpose';
import { perpendicular, sub, vec3 } from '../math/vector';
import { BODY_KINEMATIC, BODY_STATIC, COLOR_COUNT, LIST_SOLVED, PAIR_PARKED } from '../memory/constants';
import { BlockMeta, ContactBlock, ContactPointWide, Pair, PointMeta } from '../memory/records';
import {
  BLOCK_SIZE,
  blockHandle,
  blockOf,
  bodyAt,
  colorAt,
  META_SIZE,
  metaOf,
  POINT_META_SIZE,
  POINT_METAS_OFFSET,
  POINT_SIZE,
  POINTS_OFFSET,
  pairAt,
  wordAt,
  world,
} from '../memory/tables';
import {
  blockSummary,
  laneWord,
  PARKED_PAIR,
  pairOfLane,
  parkedAt,
  setLaneWord,
  setPairWords,
  storeLane,
} from '../solver/lanes';
import { LINE_LEVER, SQUARE_LEVER, TRIANGLE_LEVER } from '../tolerances';
import { BLOCK, Expected, fail, fine, META, noteOf, parkedList, ROWS, reads, row, Walk } from './walk';

/** Rows with data of pairs and bodies for four lanes. */
const BODY_A: usize = ROWS + 16;
const BODY_B: usize = BODY_A + 16;
const FRICTION: usize = BODY_A + 32; // and restitution, rolling, spinning friction
const KINEMATIC: usize = BODY_A + 96;
const RADIUS_A: usize = BODY_A + 112; // of spheres, otherwise 0
const RADIUS_B: usize = BODY_A + 128;
const POSES: usize = BODY_A + 144; // rotations of A and B, position of B relative to A: eleven rows
const TANGENTS: usize = POSES + 176;
const PATCH: usize = TANGENTS + 48; // lever arms of single points
const ZERO: usize = PATCH + 16;

/** Bits in the first two bytes of a manifold block, above three bits per lane for its number of points. */
const HAS_FEATURES = 1 << 12;
const HAS_STRUCK = 1 << 13;
const HAS_ODD = 1 << 14;

/** @inline */
function field(at: usize, offset: usize): v128 {
  return v128.load(at + offset);
}

/** @inline */
function none(): v128 {
  return i32x4.splat(0);
}

// --- where manifolds are stored ---

export function blocks(c: Walk): void {
  for (let k = 0; k < COLOR_COUNT; k++) {
    const color = colorAt(k);
    for (let i = 0; i < color.count; i++) {
      const block = changetype<usize>(blockOf(color, i));
      const meta = changetype<usize>(metaOf(color, i));
      if (reads(c)) {
        memory.fill(block, 0, BLOCK_SIZE);
        memory.fill(meta, 0, META_SIZE);
      }
      fine(c, meta + offsetof<BlockMeta>('pair'), i32x4.splat(-1), i32x4.splat(-1));
      if (c.failed) return;
      for (let lane = 0; lane < 4 && reads(c); lane++) {
        const index = pairOfLane(blockHandle(k, i), lane);
        if (index < 0) continue;
        if (index >= world().pairEnd) return fail(c);
        const pair = pairAt(index);
        if (pair.list != LIST_SOLVED || pair.index >= 0) return fail(c);
        pair.color = k;
        pair.index = (blockHandle(k, i) << 2) + lane;
        setPairWords(meta, lane, pair);
        c.lanes++;
      }
      manifolds(c, block, meta, false);
      if (c.failed) return;
    }
  }
}

/** Manifolds of sleeping pairs, in the order of the pairs. */
export function parked(c: Walk): void {
  const block = <usize>c.tables + BLOCK;
  const meta = <usize>c.tables + META;
  const pairs = meta + offsetof<BlockMeta>('pair');
  let next = 0;
  for (let i = 0; i < c.parked; i += 4) {
    const lanes = min(4, c.parked - i);
    if (reads(c)) {
      memory.fill(block, 0, BLOCK_SIZE);
      memory.fill(meta, 0, META_SIZE);
    }
    v128.store(pairs, i32x4.splat(-1));
    for (let lane = 0; lane < lanes; lane++) {
      if (reads(c)) while (pairAt(next).index != i + lane || !(pairAt(next).flags & PAIR_PARKED)) next++;
      setLaneWord(pairs, lane, reads(c) ? next : wordAt(parkedList(c), i + lane));
    }
    if (!reads(c)) fetchParked(pairs, block, meta);
    manifolds(c, block, meta, true);
    if (c.failed) return;
    for (let lane = 0; lane < lanes && reads(c); lane++) {
      const pair = pairAt(laneWord(pairs, lane));
      setPairWords(meta, lane, pair);
      storeLane(parkedAt(i + lane), block, meta, lane);
    }
  }
}

/** Copies four parked manifolds, word by word, to the rows of a block. */
function fetchParked(pairs: usize, block: usize, meta: usize): void {
  const names = v128.load(pairs);
  const a = parkedOf(i32x4.extract_lane(names, 0), 0);
  const b = parkedOf(i32x4.extract_lane(names, 1), a);
  const d = parkedOf(i32x4.extract_lane(names, 2), a);
  const e = parkedOf(i32x4.extract_lane(names, 3), a);
  const first = offsetof<ContactBlock>('bodyA');
  const lanes = new Lanes(a, b, d, e);
  fetch(block + first, lanes, 0, offsetof<ContactBlock>('invMassAX') - first);
  const friction = offsetof<ContactBlock>('friction');
  fetch(block + friction, lanes, (friction - first) >> 2, BLOCK_SIZE - friction);
  const pair = offsetof<BlockMeta>('pair');
  fetch(meta + pair, lanes, PARKED_PAIR, META_SIZE - pair);
  v128.store(pairs, names);
  const counts = meta + offsetof<BlockMeta>('pointCount');
  v128.store(counts, v128.and(v128.load(counts), i32x4.ge_s(names, none())));
}

/** @inline */
function parkedOf(pair: i32, otherwise: usize): usize {
  return pair < 0 ? otherwise : parkedAt(pairAt(pair).index);
}

/** Addresses of the manifolds of four lanes. @value */
class Lanes {
  a: usize;
  b: usize;
  d: usize;
  e: usize;
}

function fetch(to: usize, lanes: Lanes, from: usize, bytes: usize): void {
  const a = lanes.a;
  const b = lanes.b;
  const d = lanes.d;
  const e = lanes.e;
  const end = to + bytes;
  for (; to < end; to += 64, from += 16) {
    const low0 = zipLow(v128.load(a + from), v128.load(b + from));
    const low1 = zipLow(v128.load(d + from), v128.load(e + from));
    const high0 = zipHigh(v128.load(a + from), v128.load(b + from));
    const high1 = zipHigh(v128.load(d + from), v128.load(e + from));
    v128.store(to, lowHalves(low0, low1));
    v128.store(to, highHalves(low0, low1), 16);
    v128.store(to, lowHalves(high0, high1), 32);
    v128.store(to, highHalves(high0, high1), 48);
  }
}

// --- content ---

/** Mask of lanes with a point `i`. @inline */
function having(meta: usize, i: i32): v128 {
  return i32x4.gt_s(field(meta, offsetof<BlockMeta>('pointCount')), i32x4.splat(i));
}

/** @inline */
function pointOf(block: usize, i: i32): usize {
  return block + POINTS_OFFSET + <usize>i * POINT_SIZE;
}

/** @inline */
function pointMetaOf(meta: usize, i: i32): usize {
  return meta + POINT_METAS_OFFSET + <usize>i * POINT_META_SIZE;
}

/** Writes or reads the lanes of a block. `asleep`: they are parked, and impulses of the last step are not needed. */
function manifolds(c: Walk, block: usize, meta: usize, asleep: bool): void {
  const t = <usize>c.tables;
  const used = i32x4.ge_s(field(meta, offsetof<BlockMeta>('pair')), none());
  const headAt = <usize>c.at;
  let head = 0;
  let most = 0;
  c.at += 2;
  if (reads(c)) {
    if (c.at > c.end) return fail(c);
    head = load<u16>(headAt);
    store<i32>(meta, i32x4.bitmask(used), offsetof<BlockMeta>('used'));
  }
  for (let lane = 0; lane < 4; lane++) {
    const counts = meta + offsetof<BlockMeta>('pointCount');
    if (reads(c)) setLaneWord(counts, lane, (head >> (3 * lane)) & 7);
    const count = laneWord(counts, lane);
    head |= count << (3 * lane);
    most = max(most, count);
  }
  if (most > 4) return fail(c);
  gather(c, t, meta);

  const cached = meta + offsetof<BlockMeta>('cachedRotationAX');
  rotation(c, cached, t + POSES, used);
  rotation(c, cached + 64, t + POSES + 64, used);
  const apart = meta + offsetof<BlockMeta>('cachedCenterX');
  for (let o: usize = 0; o < 48; o += 16) row(c, apart + o, field(t, POSES + 128 + o), used);

  const normal = block + offsetof<ContactBlock>('normalX');
  row(c, normal, none(), used);
  row(c, normal + 16, none(), used);
  fine(c, normal + 32, rest3(normal, field(apart, 32)), used);
  for (let i = 0; i < most; i++) row(c, pointMetaOf(meta, i), none(), having(meta, i));
  // The contact of a sphere is predicted from its centre by a step along the normal.
  const half = f32x4.mul(field(meta, POINT_METAS_OFFSET), f32x4.splat(0.5));
  const isA = f32x4.gt(field(t, RADIUS_A), none());
  const isB = f32x4.gt(field(t, RADIUS_B), none());
  const step = f32x4.add(v128.bitselect(field(t, RADIUS_A), field(t, RADIUS_B), isA), half);
  const center = block + offsetof<ContactBlock>('centerAX');
  for (let o: usize = 0; o < 48; o += 16) {
    const along = f32x4.mul(field(normal, o), step);
    const fromB = v128.and(f32x4.sub(field(apart, o), along), isB);
    fine(c, center + o, v128.bitselect(along, fromB, isA), used);
  }
  for (let o: usize = 0; o < 48; o += 16)
    fine(c, center + 48 + o, f32x4.sub(field(center, o), field(apart, o)), used);
  for (
    let o = offsetof<ContactBlock>('frictionImpulse1');
    o <= offsetof<ContactBlock>('twistImpulse');
    o += 16
  )
    row(c, block + o, none(), used);

  const substeps = f32x4.splat(<f32>world().substeps);
  for (let i = 0; i < most; i++) {
    const p = pointOf(block, i);
    const here = having(meta, i);
    row(c, p + offsetof<ContactPointWide>('a'), none(), here);
    row(c, p + offsetof<ContactPointWide>('b'), none(), here);
    row(c, p + offsetof<ContactPointWide>('impulse'), none(), here);
    const impulse = field(p, offsetof<ContactPointWide>('impulse'));
    if (!asleep) fine(c, p + offsetof<ContactPointWide>('totalImpulse'), f32x4.mul(impulse, substeps), here);
  }
  if (!reads(c)) {
    let features = none();
    let struck = none();
    for (let i = 0; i < most; i++) {
      const here = having(meta, i);
      features = v128.or(features, v128.and(field(meta, featureOf(i)), here));
      struck = v128.or(struck, v128.and(field(pointMetaOf(meta, i), offsetof<PointMeta>('struck')), here));
    }
    if (v128.any_true(features)) head |= HAS_FEATURES;
    if (v128.any_true(struck)) head |= HAS_STRUCK;
  }
  for (let i = 0; i < most; i++) {
    const here = having(meta, i);
    if (head & HAS_FEATURES) fine(c, meta + featureOf(i), none(), here);
    if (head & HAS_STRUCK) fine(c, pointMetaOf(meta, i) + offsetof<PointMeta>('struck'), none(), here);
  }
  if (c.failed) return;
  guessTangents(t + TANGENTS, normal, used);
  const mode = reads(c) ? (head & HAS_ODD ? IN_ROWS : AS_GUESSED) : LOOK;
  if (v128.any_true(oddities(c, mode, new Guessed(block, meta, most), asleep))) {
    head |= HAS_ODD;
    oddities(c, IN_ROWS, new Guessed(block, meta, most), asleep);
  }
  if (!reads(c)) store<u16>(headAt, <u16>head);
  else if (!bodiesFit(block)) fail(c);
}

/** @inline */
function featureOf(i: i32): usize {
  return offsetof<BlockMeta>('features0') + ((<usize>i) << 4);
}

/** √(1 − x² − y²) with the sign of `like`: third component of a unit vector in rows. */
function rest3(at: usize, like: v128): v128 {
  return signed(f32x4.add(square(at), square(at + 16)), like);
}

/** @inline */
function square(at: usize): v128 {
  return f32x4.mul(v128.load(at), v128.load(at));
}

function signed(sum: v128, like: v128): v128 {
  const root = f32x4.sqrt(f32x4.max(none(), f32x4.sub(f32x4.splat(1), sum)));
  return v128.or(root, v128.and(like, i32x4.splat(0x80000000)));
}

/** A rotation per lane: x, y, z predicted from the current ones, w from x, y, z. */
function rotation(c: Walk, at: usize, now: usize, used: v128): void {
  for (let o: usize = 0; o < 48; o += 16) row(c, at + o, field(now, o), used);
  const sum = f32x4.add(f32x4.add(square(at), square(at + 16)), square(at + 32));
  fine(c, at + 48, signed(sum, field(now, 48)), used);
}

// --- data that follows from the rest, with exceptions ---

const LOOK = 0;
const IN_ROWS = 1;
const AS_GUESSED = 2;

/**
 * Rows that are predicted from the workspace: offset in the block (or beyond it in its meta), and offset of the
 * prediction. 0: the end.
 */
const GUESSED: usize = memory.data<u16>([
  <u16>offsetof<ContactBlock>('bodyA'),
  <u16>BODY_A,
  <u16>offsetof<ContactBlock>('bodyB'),
  <u16>BODY_B,
  <u16>offsetof<ContactBlock>('tangentX'),
  <u16>TANGENTS,
  <u16>offsetof<ContactBlock>('tangentY'),
  <u16>(TANGENTS + 16),
  <u16>offsetof<ContactBlock>('tangentZ'),
  <u16>(TANGENTS + 32),
  <u16>offsetof<ContactBlock>('friction'),
  <u16>FRICTION,
  <u16>(BLOCK_SIZE + offsetof<BlockMeta>('restitution')),
  <u16>(FRICTION + 16),
  <u16>(BLOCK_SIZE + offsetof<BlockMeta>('rollingFriction')),
  <u16>(FRICTION + 32),
  <u16>(BLOCK_SIZE + offsetof<BlockMeta>('spinningFriction')),
  <u16>(FRICTION + 48),
  <u16>(BLOCK_SIZE + offsetof<BlockMeta>('rollingImpulse1')),
  <u16>ZERO,
  <u16>(BLOCK_SIZE + offsetof<BlockMeta>('rollingImpulse2')),
  <u16>ZERO,
  <u16>(BLOCK_SIZE + offsetof<BlockMeta>('kinematic')),
  <u16>KINEMATIC,
  <u16>(BLOCK_SIZE + offsetof<BlockMeta>('fast')),
  <u16>ZERO,
  <u16>(BLOCK_SIZE + offsetof<BlockMeta>('surfaceVelocity1')),
  <u16>ZERO,
  <u16>(BLOCK_SIZE + offsetof<BlockMeta>('surfaceVelocity2')),
  <u16>ZERO,
  0,
]);

/** Handles one predicted row by `mode`; returns the bits that differ. */
function odd(c: Walk, mode: i32, at: usize, expected: Expected): v128 {
  const guess = expected.guess;
  const mask = expected.mask;
  if (mode == IN_ROWS) fine(c, at, guess, mask);
  else if (mode == LOOK) return v128.and(v128.xor(v128.load(at), guess), mask);
  else v128.store(at, v128.and(guess, mask));
  return none();
}

/** A block, and the most points of its lanes. @value */
class Guessed {
  block: usize;
  meta: usize;
  most: i32;
}

/**
 * Handles coefficients, bodies, lever arms, bounds and marks by `mode`: compare, write or read, or set. Returns the
 * bits that differ.
 */
function oddities(c: Walk, mode: i32, g: Guessed, asleep: bool): v128 {
  const block = g.block;
  const meta = g.meta;
  const most = g.most;
  const t = <usize>c.tables;
  const used = i32x4.ge_s(field(meta, offsetof<BlockMeta>('pair')), none());
  let d = none();
  for (let at = GUESSED; load<u16>(at) != 0; at += 4) {
    const offset = <usize>load<u16>(at);
    const place = offset < BLOCK_SIZE ? block + offset : meta + offset - BLOCK_SIZE;
    d = v128.or(d, odd(c, mode, place, new Expected(field(t, <usize>load<u16>(at, 2)), used)));
  }
  d = v128.or(
    d,
    odd(c, mode, meta + offsetof<BlockMeta>('recycleShare'), new Expected(f32x4.splat(1), used)),
  );

  const counts = field(meta, offsetof<BlockMeta>('pointCount'));
  const single = v128.and(
    i32x4.eq(counts, i32x4.splat(1)),
    f32x4.eq(field(meta, offsetof<BlockMeta>('spinningFriction')), none()),
  );
  const line = i32x4.le_s(counts, i32x4.splat(2));
  const triangle = i32x4.eq(counts, i32x4.splat(3));
  let share = f32x4.splat(SQUARE_LEVER);
  share = v128.bitselect(f32x4.splat(TRIANGLE_LEVER), share, triangle);
  share = v128.bitselect(f32x4.splat(LINE_LEVER), share, line);
  let reach = none();
  for (let i = 0; i < most; i++) {
    const p = pointOf(block, i);
    const here = having(meta, i);
    const a = p + offsetof<ContactPointWide>('a');
    const distance = f32x4.sqrt(f32x4.add(square(a), square(p + offsetof<ContactPointWide>('b'))));
    const guess = v128.bitselect(field(t, PATCH), f32x4.mul(share, distance), single);
    d = v128.or(d, odd(c, mode, p + offsetof<ContactPointWide>('lever'), new Expected(guess, here)));
    d = v128.or(
      d,
      odd(c, mode, pointMetaOf(meta, i) + offsetof<PointMeta>('arrival'), new Expected(none(), here)),
    );
    reach = f32x4.max(reach, v128.and(distance, here));
  }
  const center = block + offsetof<ContactBlock>('centerAX');
  const a = v128.andnot(norm(center), i32x4.eq(field(t, BODY_A), none()));
  const b = v128.andnot(norm(center + 48), i32x4.eq(field(t, BODY_B), none()));
  reach = f32x4.add(f32x4.max(a, b), reach);
  d = v128.or(d, odd(c, mode, meta + offsetof<BlockMeta>('reach'), new Expected(reach, used)));
  // Fields of the whole block: most points, special bits. A parked manifold has none.
  if (asleep) return d;
  const summary = blockSummary(changetype<BlockMeta>(meta));
  return v128.or(d, odd(c, mode, block, new Expected(summary, i32x4.splat(-1))));
}

/** Lengths of four vectors, in rows of x, y and z. */
function norm(at: usize): v128 {
  return f32x4.sqrt(f32x4.add(f32x4.add(square(at), square(at + 16)), square(at + 32)));
}

/** Whether the lanes refer to existing bodies. */
function bodiesFit(block: usize): bool {
  const end = i32x4.splat(world().bodyEnd - 1);
  const bodyA = field(block, offsetof<ContactBlock>('bodyA'));
  const bodyB = field(block, offsetof<ContactBlock>('bodyB'));
  return (
    !v128.any_true(v128.or(i32x4.gt_u(bodyA, end), i32x4.gt_u(bodyB, end))) &&
    load<u32>(block, offsetof<ContactBlock>('maxPoints')) <= 4
  );
}

// --- data of pairs and bodies ---

/** @inline */
function putLanes(at: usize, v: v128, count: i32): void {
  store<f32>(at, f32x4.extract_lane(v, 0));
  store<f32>(at, f32x4.extract_lane(v, 1), 16);
  store<f32>(at, f32x4.extract_lane(v, 2), 32);
  if (count == 4) store<f32>(at, f32x4.extract_lane(v, 3), 48);
}

function gather(c: Walk, t: usize, meta: usize): void {
  for (let o = BODY_A; o <= ZERO; o += 16) v128.store(t + o, none());
  for (let lane = 0; lane < 4; lane++) {
    const index = laneWord(meta + offsetof<BlockMeta>('pair'), lane);
    if (index < 0) continue;
    const pair = pairAt(index);
    const a = noteOf(c, pair.bodyA);
    const b = noteOf(c, pair.bodyB);
    const slotA = a.kind == BODY_STATIC ? 0 : pair.bodyA;
    const slotB = b.kind == BODY_STATIC ? 0 : pair.bodyB;
    const at = t + ((<usize>lane) << 2);
    store<i32>(at, slotA, BODY_A);
    store<i32>(at, slotB, BODY_B);
    putLanes(at + FRICTION, v128.load(changetype<usize>(pair), offsetof<Pair>('friction')), 4);
    store<i32>(at, a.kind == BODY_KINEMATIC || b.kind == BODY_KINEMATIC ? -1 : 0, KINEMATIC);
    store<f32>(at, a.radius, RADIUS_A);
    store<f32>(at, b.radius, RADIUS_B);
    store<f32>(at, patchOf(a.radius, b.radius), PATCH);
    const movingA = bodyAt(slotA);
    const movingB = bodyAt(slotB);
    putLanes(at + POSES, movingA.rotation, 4);
    putLanes(at + POSES + 64, movingB.rotation, 4);
    putLanes(at + POSES + 128, sub(movingB.position, movingA.position), 3);
  }
}

function guessTangents(guess: usize, normal: usize, used: v128): void {
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const n = vec3(load<f32>(normal + lane), load<f32>(normal + lane, 16), load<f32>(normal + lane, 32));
    putLanes(guess + lane, perpendicular(n), 3);
  }
  for (let o: usize = 0; o < 48; o += 16) v128.store(guess + o, v128.and(field(guess, o), used));
}
