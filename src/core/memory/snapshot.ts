// Snapshot and restore of what a world is. In: the tables. Out: one block of bytes, and back.
// [words: magic, layout, bytes, 0], what is said of the world as a whole (snapshotHead.ts), then the tables row by
// row (rows.ts). One walk writes and reads, so the two cannot differ. What follows from the rest is left out and made
// again; what nearly follows is guessed, and the difference kept. New fields of a record are part of it unless they
// are left out here. The content of geometry is the caller's to keep. What is read may come from anywhere: links.ts.
import { pairSetRebuild } from '../broadphase/pairSet';
import { TREE_COUNT, treeAt } from '../broadphase/nodes';
import { refitAll } from '../broadphase/tree';
import { setGeometry } from '../shapes/geometries';
import { updateInverseMass } from '../bodies/massProperties';
import { publishPose } from '../bodies/finalize';
import { add, mulQuat, perpendicular, rotate, sub, vec3 } from '../math/vector';
import { BODY_STATIC, BODY_USED, COLOR_COUNT, LIST_NONE, LIST_SOLVED, PAIR_PARKED } from './constants';
import {
  BlockMeta,
  Body,
  BodyVelocity,
  ContactBlock,
  ContactPointWide,
  Pair,
  PointMeta,
  Shape,
  TreeNode,
  WaitingPair,
  World,
} from './records';
import {
  jointsFit,
  leavesFit,
  listsFit,
  pairShapesFit,
  pairsFit,
  placesFit,
  shapesFit,
  treeFits,
} from './links';
import { HEAD_BYTES, headRoom, readHead, writeHead } from './snapshotHead';
import { getRow, makeRowTables, putRow, ROW_TABLES, rowEnd } from './rows';
import {
  BLOCK_SIZE,
  blockHandle,
  blockOf,
  BODY_SIZE,
  bodyAt,
  colorAt,
  JOINT_SIZE,
  META_SIZE,
  metaOf,
  PAIR_SIZE,
  pairAt,
  POINT_SIZE,
  POINTS_OFFSET,
  POSE_SIZE,
  SHAPE_SIZE,
  setReach,
  shapeAt,
  VELOCITY_SIZE,
  WAITING_SIZE,
  waitingAt,
  wordAt,
  world,
} from './tables';
import {
  laneWord,
  loadLane,
  pairOfLane,
  PARKED_LINK,
  PARKED_PAIR,
  PARKED_SIZE,
  parkedAt,
  setLaneWord,
  storeLane,
} from '../solver/lanes';

const MAGIC: u32 = 0x54434952; // 'RICT'
const HEADER: usize = 4 * 4;
/** Before the block of bytes: shuffle tables, masks, a world record and four manifolds on their way. */
const WORKSPACE: usize = 16384;
const MASKS: usize = ROW_TABLES;
const MASK_BYTES: usize = 1024;
const RECORD: usize = MASKS + MASK_BYTES;
const BLOCK: usize = RECORD + 1024;
const META: usize = BLOCK + 2048;
const WALK: usize = WORKSPACE - 64;
/** A row is never longer, and may touch as many bytes. */
const ROW_BYTES: usize = 17;

/** Where the walk is. */
@unmanaged
class Walk {
  at: u32;
  end: u32;
  tables: u32; // address of the workspace
  reading: i32;
  failed: i32;
  lanes: i32; // that hold a manifold
}

/** Changes whenever a record does: an older layout is refused, not misread. */
function layout(): u32 {
  let h: u32 = 3; // version of this format
  h = h * 31 + <u32>offsetof<World>();
  h = h * 31 + <u32>BODY_SIZE;
  h = h * 31 + <u32>VELOCITY_SIZE;
  h = h * 31 + <u32>SHAPE_SIZE;
  h = h * 31 + <u32>PAIR_SIZE;
  h = h * 31 + <u32>BLOCK_SIZE;
  h = h * 31 + <u32>META_SIZE;
  h = h * 31 + <u32>JOINT_SIZE;
  h = h * 31 + <u32>offsetof<TreeNode>();
  return h;
}

/** Bytes that no snapshot of this world exceeds, and room to work in. */
export function snapshotBound(): i32 {
  const g = world();
  let n = HEADER + HEAD_BYTES + 4096;
  n += <usize>g.bodyEnd * (BODY_SIZE + VELOCITY_SIZE + POSE_SIZE);
  n += <usize>g.shapeEnd * (SHAPE_SIZE + 32);
  n += <usize>g.jointEnd * JOINT_SIZE;
  n += <usize>g.pairEnd * (PAIR_SIZE + 8);
  for (let i = 0; i < COLOR_COUNT; i++) n += <usize>colorAt(i).count * (BLOCK_SIZE + META_SIZE);
  n += <usize>g.parkedEnd * PARKED_SIZE;
  n += (<usize>(g.awakeCount + g.movedCount + g.sensorCount + g.concaveCount)) << 2;
  n += <usize>g.waitingCount * (WAITING_SIZE + 8);
  for (let t = 0; t < TREE_COUNT; t++) n += <usize>treeAt(t).nodeEnd * (offsetof<TreeNode>() + 8);
  return <i32>(WORKSPACE + n + (n >> 3));
}

// --- rows and tables ---

/** One row at `address`: written, or read into it. */
function row(c: Walk, address: usize, guess: v128): void {
  if (c.reading) {
    if (c.at >= c.end) {
      c.failed = 1;
      return;
    }
    v128.store(address, getRow(c.tables, c.at, guess));
    c.at = <u32>rowEnd(c.tables, c.at);
  } else {
    c.at = <u32>putRow(c.tables, c.at, v128.load(address), guess);
  }
}

function keepAll(c: Walk, size: usize): void {
  const masks = <usize>c.tables + MASKS;
  memory.fill(masks, 0, (size + 15) & ~15);
  memory.fill(masks, 0xff, size);
}

// @ts-ignore: decorator
@inline function leaveOut(c: Walk, offset: usize, bytes: usize): void {
  memory.fill(<usize>c.tables + MASKS + offset, 0, bytes);
}

/** Records of a table: each row as its difference from that of the record before, a bit where there is none. */
function table(c: Walk, base: u32, count: i32, size: usize): void {
  const t = <usize>c.tables;
  const masks = t + MASKS;
  const rows = (size + 15) & ~15;
  let at = <usize>c.at;
  for (let i = 0; i < count; i++) {
    const record = <usize>base + <usize>i * size;
    const before = record - size;
    if (c.reading && at >= <usize>c.end) {
      c.failed = 1;
      return;
    }
    for (let first: usize = 0; first < rows; first += 128) {
      const end = min(rows, first + 128);
      const bits = at++;
      let present = c.reading ? <i32>load<u8>(bits) : 0;
      let bit = 1;
      for (let o = first; o < end; o += 16, bit <<= 1) {
        const mask = v128.load(masks + o);
        const guess = i == 0 ? i32x4.splat(0) : v128.and(v128.load(before + o), mask);
        if (c.reading) {
          if (present & bit) {
            v128.store(record + o, getRow(t, at, guess));
            at = rowEnd(t, at);
          } else {
            v128.store(record + o, guess);
          }
        } else {
          const now = v128.and(v128.load(record + o), mask);
          if (v128.any_true(v128.xor(now, guess))) {
            present |= bit;
            at = putRow(t, at, now, guess);
          }
        }
      }
      if (!c.reading) store<u8>(bits, <u8>present);
    }
  }
  c.at = <u32>at;
}

function whole(c: Walk, base: u32, count: i32, size: usize): void {
  keepAll(c, size);
  table(c, base, count, size);
}

/** A list of words. */
function list(c: Walk, base: u32, count: i32): void {
  keepAll(c, 16);
  table(c, base, count >> 2, 16);
  const rest = count & 3;
  if (rest == 0) return;
  keepAll(c, (<usize>rest) << 2);
  table(c, base + ((<u32>(count & ~3)) << 2), 1, 16);
}

// --- the walk ---

function walk(c: Walk): void {
  const g = world();
  bodies(c);
  if (c.failed) return;
  list(c, g.awake, g.awakeCount);
  list(c, g.moved, g.movedCount);
  keepAll(c, WAITING_SIZE);
  leaveOut(c, offsetof<WaitingPair>('bodyA'), WAITING_SIZE - offsetof<WaitingPair>('bodyA'));
  table(c, g.waiting, g.waitingCount, WAITING_SIZE);
  list(c, g.sensors, g.sensorCount);
  list(c, g.concaves, g.concaveCount);
  whole(c, g.joints, g.jointEnd, JOINT_SIZE);
  if (c.failed || (c.reading && !jointsFit())) return fail(c);
  pairs(c);
  if (c.failed) return;
  blocks(c);
  parked(c);
  if (c.failed) return;
  places(c);
  if (c.failed || (c.reading && !placesFit(c.lanes))) return fail(c);
  for (let t = 0; t < TREE_COUNT; t++) {
    keepAll(c, offsetof<TreeNode>());
    leaveOut(c, 0, offsetof<TreeNode>('child'));
    table(c, treeAt(t).nodes, treeAt(t).nodeEnd, offsetof<TreeNode>());
    if (c.failed || (c.reading && !treeFits(treeAt(t), t))) return fail(c);
  }
  if (!c.reading) return;
  refitAll();
  if (!leavesFit(g.trees)) fail(c);
}

function fail(c: Walk): void {
  c.failed = 1;
}

function bodies(c: Walk): void {
  const g = world();
  keepAll(c, BODY_SIZE);
  leaveOut(c, offsetof<Body>('invMass'), 16);
  leaveOut(c, offsetof<Body>('invInertiaA'), 32);
  leaveOut(c, offsetof<Body>('awakeIndex'), 4);
  table(c, g.bodies, g.bodyEnd, BODY_SIZE);
  // Of the velocities the two that last; the others belong to one step.
  keepAll(c, VELOCITY_SIZE);
  leaveOut(
    c,
    offsetof<BodyVelocity>('deltaPosition'),
    offsetof<BodyVelocity>('forceLinear') - offsetof<BodyVelocity>('deltaPosition'),
  );
  leaveOut(c, offsetof<BodyVelocity>('startLinear'), 32);
  table(c, g.velocities, g.bodyEnd, VELOCITY_SIZE);
  keepAll(c, SHAPE_SIZE);
  leaveOut(c, offsetof<Shape>('position'), 32);
  leaveOut(c, offsetof<Shape>('leaf'), 4);
  leaveOut(c, offsetof<Shape>('movedIndex'), 4);
  leaveOut(c, offsetof<Shape>('geometry'), 4);
  table(c, g.shapes, g.shapeEnd, SHAPE_SIZE);
  if (c.failed || (c.reading && !shapesFit())) return fail(c);
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED)) {
      if (c.reading) memory.fill(<usize>g.poses + <usize>slot * POSE_SIZE, 0, POSE_SIZE);
      continue;
    }
    if (c.reading) b.awakeIndex = -1;
    const origin = sub(b.position, rotate(b.rotation, b.centerOfMass));
    for (let at = b.firstShape; at != 0; at = shapeAt(at).next) {
      const s = shapeAt(at);
      row(
        c,
        changetype<usize>(s) + offsetof<Shape>('position'),
        add(origin, rotate(b.rotation, s.localPosition)),
      );
      row(c, changetype<usize>(s) + offsetof<Shape>('rotation'), mulQuat(b.rotation, s.localRotation));
      if (c.reading) {
        s.movedIndex = -1;
        setGeometry(s, s.geometrySlot);
        if (c.failed) return;
      }
    }
  }
}

function pairs(c: Walk): void {
  const g = world();
  keepAll(c, PAIR_SIZE);
  leaveOut(c, offsetof<Pair>('bodyA'), 8);
  leaveOut(c, offsetof<Pair>('prevA'), 4);
  leaveOut(c, offsetof<Pair>('prevB'), 4);
  leaveOut(c, offsetof<Pair>('index'), 4);
  table(c, g.pairs, g.pairEnd, PAIR_SIZE);
  if (!c.reading || c.failed) return;
  if (!pairShapesFit()) return fail(c);
  for (let i = 0; i < g.pairEnd; i++) {
    const pair = pairAt(i);
    pair.index = -1;
    if (pair.shapeA <= 0) continue;
    pair.bodyA = shapeAt(pair.shapeA).body;
    pair.bodyB = shapeAt(pair.shapeB).body;
  }
  if (!pairsFit()) return fail(c);
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    if (!(bodyAt(slot).flags & BODY_USED)) continue;
    let before = -1;
    for (let link = bodyAt(slot).firstPair; link >= 0; ) {
      const pair = pairAt(link >> 1);
      if (link & 1) pair.prevB = before;
      else pair.prevA = before;
      before = link;
      link = link & 1 ? pair.nextB : pair.nextA;
    }
  }
  pairSetRebuild();
}

/** Where lists and blocks hold a record; what is in none keeps its word. */
function places(c: Walk): void {
  const g = world();
  if (c.reading) {
    if (!listsFit()) return fail(c);
    for (let i = 0; i < g.awakeCount; i++) bodyAt(wordAt(g.awake, i)).awakeIndex = i;
    for (let i = 0; i < g.movedCount; i++) shapeAt(wordAt(g.moved, i)).movedIndex = i;
    for (let i = 0; i < g.waitingCount; i++) {
      const waiting = waitingAt(i);
      const pair = pairAt(waiting.pair);
      waiting.bodyA = pair.bodyA;
      waiting.bodyB = pair.bodyB;
      pair.index = i;
    }
    for (let slot = 1; slot < g.bodyEnd; slot++) setReach(slot, bodyAt(slot).travel);
    for (let i = 0; i < g.sensorCount; i++) pairAt(wordAt(g.sensors, i)).index = i;
    for (let i = 0; i < g.concaveCount; i++) pairAt(wordAt(g.concaves, i)).index = i;
    for (let slot = 1; slot < g.bodyEnd; slot++) {
      const b = bodyAt(slot);
      if (!(b.flags & BODY_USED)) continue;
      updateInverseMass(b);
      publishPose(b);
    }
  }
  // Four at a time; a pair that sleeps and does not touch has -1.
  const words = <usize>c.tables + RECORD;
  let next = 0;
  while (true) {
    let count = 0;
    for (; next < g.pairEnd && count < 4; next++) {
      if (pairAt(next).list != LIST_NONE) continue;
      setLaneWord(words, count, pairAt(next).index);
      setLaneWord(words + 16, count++, next);
    }
    for (let i = count; i < 4; i++) setLaneWord(words, i, -1);
    if (count == 0 || c.failed) return;
    row(c, words, i32x4.splat(-1));
    for (let i = 0; i < count; i++) pairAt(laneWord(words + 16, i)).index = laneWord(words, i);
  }
}

function blocks(c: Walk): void {
  for (let k = 0; k < COLOR_COUNT; k++) {
    const color = colorAt(k);
    for (let i = 0; i < color.count; i++) {
      const block = changetype<usize>(blockOf(color, i));
      const meta = metaOf(color, i);
      if (c.reading) {
        memory.fill(block, 0, BLOCK_SIZE);
        memory.fill(changetype<usize>(meta), 0, META_SIZE);
      }
      manifolds(c, block, changetype<usize>(meta));
      if (c.failed) return;
      if (!c.reading) continue;
      for (let lane = 0; lane < 4; lane++) {
        const index = pairOfLane(blockHandle(k, i), lane);
        if (index < 0) continue;
        if (index >= world().pairEnd) return fail(c);
        const pair = pairAt(index);
        if (pair.list != LIST_SOLVED || pair.color != k || pair.index >= 0) return fail(c);
        pair.index = (blockHandle(k, i) << 2) + lane;
        c.lanes++;
      }
    }
  }
}

/** Manifolds of sleeping pairs, four at a time in a block of their own. */
function parked(c: Walk): void {
  const g = world();
  const block = <usize>c.tables + BLOCK;
  const meta = <usize>c.tables + META;
  const links = <usize>c.tables + RECORD;
  for (let first = 0; first < g.parkedEnd; first += 4) {
    memory.fill(block, 0, BLOCK_SIZE);
    memory.fill(meta, 0, META_SIZE);
    v128.store(meta + offsetof<BlockMeta>('pair'), i32x4.splat(-1));
    v128.store(links, i32x4.splat(0));
    const count = min(4, g.parkedEnd - first);
    if (!c.reading) {
      let points = 0;
      for (let lane = 0; lane < count; lane++) {
        const at = parkedAt(first + lane);
        setLaneWord(links, lane, load<i32>(at + PARKED_LINK));
        const index = load<i32>(at + PARKED_PAIR);
        // Where nothing is parked, what was there is of no meaning.
        if (index < 0 || index >= g.pairEnd) continue;
        const pair = pairAt(index);
        if (!(pair.flags & PAIR_PARKED) || pair.index != first + lane) continue;
        loadLane(at, block, meta, lane);
        points = max(points, laneWord(meta + offsetof<BlockMeta>('pointCount'), lane));
      }
      store<i32>(block, points, offsetof<ContactBlock>('maxPoints'));
    }
    row(c, links, i32x4.splat(0));
    manifolds(c, block, meta);
    if (c.failed) return;
    if (!c.reading) continue;
    for (let lane = 0; lane < count; lane++) {
      storeLane(parkedAt(first + lane), block, meta, lane);
      store<i32>(parkedAt(first + lane) + PARKED_LINK, laneWord(links, lane));
    }
  }
}

// --- manifolds, four at a time ---

// @ts-ignore: decorator
@inline function field(at: usize, offset: usize): v128 {
  return v128.load(at + offset);
}

/** Rows from offset `from` to before `end`, guessed to be zero. */
function rows(c: Walk, at: usize, from: usize, end: usize): void {
  for (let o = from; o < end; o += 16) row(c, at + o, i32x4.splat(0));
}

/**
 * The lanes of a block. Rows that prepareContacts makes in every step are left out. Where the poses at which
 * the narrow phase ran are kept, the present ones are a good guess.
 */
function manifolds(c: Walk, block: usize, meta: usize): void {
  const none = i32x4.splat(0);
  row(c, block, none);
  row(c, meta, none);
  row(c, meta + offsetof<BlockMeta>('pair'), i32x4.splat(-1));
  if (c.failed) return;
  const used = i32x4.ge_s(field(meta, offsetof<BlockMeta>('pair')), none);
  const guess = <usize>c.tables + RECORD + 16;
  guessBodies(guess, meta + offsetof<BlockMeta>('pair'));
  row(c, block + offsetof<ContactBlock>('bodyA'), field(guess, 0));
  row(c, block + offsetof<ContactBlock>('bodyB'), field(guess, 16));
  rows(c, meta, offsetof<BlockMeta>('pointCount'), offsetof<BlockMeta>('cachedRotationAX'));
  if (c.reading && !manifoldsFit(block, meta)) return fail(c);
  guessPoses(guess, block, used);
  const cached = meta + offsetof<BlockMeta>('cachedRotationAX');
  for (let o: usize = 0; o < 11 * 16; o += 16) row(c, cached + o, field(guess, o));
  row(c, meta + offsetof<BlockMeta>('recyclable'), used);
  row(c, meta + offsetof<BlockMeta>('restitution'), none);
  rows(c, meta, offsetof<BlockMeta>('rollingFriction'), offsetof<BlockMeta>('points'));

  const normal = block + offsetof<ContactBlock>('normalX');
  rows(c, normal, 0, 48);
  guessTangents(guess, normal, used);
  for (let o: usize = 0; o < 48; o += 16) row(c, normal + 48 + o, field(guess, o));
  const center = block + offsetof<ContactBlock>('centerAX');
  rows(c, center, 0, 48);
  const apart = meta + offsetof<BlockMeta>('cachedCenterX');
  for (let o: usize = 0; o < 48; o += 16)
    row(c, center + 48 + o, f32x4.sub(field(center, o), field(apart, o)));
  rows(c, block, offsetof<ContactBlock>('friction'), offsetof<ContactBlock>('tangentMass11'));
  rows(c, block, offsetof<ContactBlock>('frictionImpulse1'), POINTS_OFFSET);

  const points = load<i32>(block, offsetof<ContactBlock>('maxPoints'));
  let reach = f32x4.splat(0);
  for (let i = 0; i < min(points, 4); i++) {
    const p = block + POINTS_OFFSET + <usize>i * POINT_SIZE;
    const m = meta + offsetof<BlockMeta>('points') + <usize>i * offsetof<PointMeta>();
    rows(c, p, 0, offsetof<ContactPointWide>('mass'));
    row(c, m, field(p, offsetof<ContactPointWide>('separation')));
    rows(c, m, offsetof<PointMeta>('struck'), offsetof<PointMeta>());
    const a = field(p, offsetof<ContactPointWide>('a'));
    const b = field(p, offsetof<ContactPointWide>('b'));
    const lever = f32x4.sqrt(f32x4.add(f32x4.mul(a, a), f32x4.mul(b, b)));
    row(c, p + offsetof<ContactPointWide>('lever'), lever);
    reach = f32x4.max(reach, field(p, offsetof<ContactPointWide>('lever')));
    if (c.failed) return;
  }
  const a = v128.andnot(norm(center), i32x4.eq(field(block, offsetof<ContactBlock>('bodyA')), none));
  const b = v128.andnot(norm(center + 48), i32x4.eq(field(block, offsetof<ContactBlock>('bodyB')), none));
  row(c, meta + offsetof<BlockMeta>('reach'), f32x4.add(f32x4.max(a, b), reach));
}

/** Whether the lanes name bodies that are there, and points that have room. */
function manifoldsFit(block: usize, meta: usize): bool {
  const end = i32x4.splat(world().bodyEnd - 1);
  const bodies = v128.or(
    i32x4.gt_u(field(block, offsetof<ContactBlock>('bodyA')), end),
    i32x4.gt_u(field(block, offsetof<ContactBlock>('bodyB')), end),
  );
  const points = i32x4.gt_u(field(meta, offsetof<BlockMeta>('pointCount')), i32x4.splat(4));
  return (
    <u32>load<i32>(block, offsetof<ContactBlock>('maxPoints')) <= 4 && !v128.any_true(v128.or(bodies, points))
  );
}

/** Lengths of four vectors, in rows of x, y and z. */
function norm(at: usize): v128 {
  const x = field(at, 0);
  const y = field(at, 16);
  const z = field(at, 32);
  return f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z)));
}

/** The slots that a block refers to: 0 for what cannot move. */
function guessBodies(guess: usize, pairs: usize): void {
  const g = world();
  memory.fill(guess, 0, 32);
  for (let lane = 0; lane < 4; lane++) {
    const index = laneWord(pairs, lane);
    if (index < 0 || index >= g.pairEnd) continue;
    const pair = pairAt(index);
    if (bodyAt(pair.bodyA).type != BODY_STATIC) setLaneWord(guess, lane, pair.bodyA);
    if (bodyAt(pair.bodyB).type != BODY_STATIC) setLaneWord(guess + 16, lane, pair.bodyB);
  }
}

/** Rotations of A and B, position of B from A, as they are now: eleven rows. */
function guessPoses(guess: usize, block: usize, used: v128): void {
  const end = world().bodyEnd;
  for (let lane = 0; lane < 4; lane++) {
    const slotA = laneWord(block + offsetof<ContactBlock>('bodyA'), lane);
    const slotB = laneWord(block + offsetof<ContactBlock>('bodyB'), lane);
    const a = bodyAt(slotA < 0 || slotA >= end ? 0 : slotA);
    const b = bodyAt(slotB < 0 || slotB >= end ? 0 : slotB);
    const at = guess + ((<usize>lane) << 2);
    putLanes(at, a.rotation, 4);
    putLanes(at + 64, b.rotation, 4);
    putLanes(at + 128, sub(b.position, a.position), 3);
  }
  for (let o: usize = 0; o < 11 * 16; o += 16) v128.store(guess + o, v128.and(field(guess, o), used));
}

// @ts-ignore: decorator
@inline function putLanes(at: usize, v: v128, count: i32): void {
  store<f32>(at, f32x4.extract_lane(v, 0));
  store<f32>(at, f32x4.extract_lane(v, 1), 16);
  store<f32>(at, f32x4.extract_lane(v, 2), 32);
  if (count == 4) store<f32>(at, f32x4.extract_lane(v, 3), 48);
}

function guessTangents(guess: usize, normal: usize, used: v128): void {
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const n = vec3(load<f32>(normal + lane), load<f32>(normal + lane, 16), load<f32>(normal + lane, 32));
    putLanes(guess + lane, perpendicular(n), 3);
  }
  for (let o: usize = 0; o < 48; o += 16) v128.store(guess + o, v128.and(field(guess, o), used));
}

// --- in and out ---

function start(at: usize): Walk {
  const c = changetype<Walk>(at - WORKSPACE + WALK);
  c.tables = <u32>(at - WORKSPACE);
  c.failed = 0;
  c.lanes = 0;
  makeRowTables(at - WORKSPACE);
  return c;
}

/** Writes a snapshot at `address`, which reserveSnapshot gave; returns its bytes. */
export function writeSnapshot(address: u32): i32 {
  const at = <usize>address;
  const c = start(at);
  c.reading = 0;
  store<u32>(at, MAGIC);
  store<u32>(at, layout(), 4);
  store<u32>(at, 0, 12);
  writeHead(at + HEADER);
  c.at = <u32>(at + HEADER + HEAD_BYTES);
  walk(c);
  while (c.at & 3) {
    store<u8>(<usize>c.at, 0);
    c.at++;
  }
  store<u32>(at, c.at - address, 8);
  return <i32>(c.at - address);
}

/**
 * 0, or why it was refused: 1 not a snapshot, 2 another layout, 3 damaged, 5 no room. After 4 the world is lost. The
 * geometry that its shapes use must be in place.
 */
export function readSnapshot(address: u32, bytes: i32): i32 {
  let at = <usize>address;
  if (<usize>bytes < HEADER + HEAD_BYTES || load<u32>(at) != MAGIC) return 1;
  if (load<u32>(at, 4) != layout()) return 2;
  if (load<u32>(at, 8) != <u32>bytes) return 3;
  const room = headRoom(at + HEADER, bytes);
  if (room < 0) return 3;
  if (room > 0) {
    // Out of the way of the tables that grow.
    const away = reserveSnapshot(bytes, world().heapTop + <u32>room);
    if (away == 0) return 5;
    memory.copy(<usize>away, at, <usize>bytes);
    at = <usize>away;
  }
  readHead(at + HEADER);
  const c = start(at);
  c.reading = 1;
  c.at = <u32>(at + HEADER + HEAD_BYTES);
  c.end = <u32>at + <u32>bytes;
  walk(c);
  return c.failed || c.at > c.end ? 4 : 0;
}

/** Where a host may put a snapshot of so many bytes: above everything that it and this world use. */
export function reserveSnapshot(bytes: i32, top: u32): u32 {
  const g = world();
  const at = ((max(g.heapTop, top) + 63) & ~63) + <u32>WORKSPACE;
  const end = <u64>at + <u64>bytes + ROW_BYTES;
  const have = (<u64>memory.size()) << 16;
  if (end > have && memory.grow(<i32>((end - have + 0xffff) >> 16)) < 0) return 0;
  return at;
}
