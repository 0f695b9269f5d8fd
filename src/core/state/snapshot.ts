// Snapshot and restore of a world's state. In: the tables. Out: one block of bytes, and back. Layout: words magic,
// layout, bytes, 0; data of the world (snapshotHead.ts); the tables row by row (walk.ts); pairs (snapshotPairs.ts);
// manifolds (snapshotManifolds.ts); trees. Data that can be derived from the rest is left out and recomputed; data that
// can nearly be derived is predicted, and the difference is stored. New fields of bodies, shapes and joints are
// included unless they are excluded here; those of pairs and manifolds must be added (test/replay/fields.test.ts). The
// caller stores the content of geometry. The bytes may come from an untrusted source: see links.ts.

import { enterBox } from '../bodies/aabbs';
import { publishPose } from '../bodies/finalize';
import { updateInverseMass } from '../bodies/massProperties';
import { TREE_COUNT, treeAt } from '../broadphase/nodes';
import { refitAll } from '../broadphase/tree';
import { add, mulQuat, rotate, sub, zero } from '../math/vector';
import { BODY_USED, COLOR_COUNT, STATE_VERSION } from '../memory/constants';
import { WORLD_ADDRESS } from '../memory/map';
import { Body, BodyVelocity, Shape, TreeNode, World } from '../memory/records';
import {
  BLOCK_SIZE,
  BODY_SIZE,
  bodyAt,
  colorAt,
  JOINT_SIZE,
  META_SIZE,
  PAIR_SIZE,
  POSE_SIZE,
  pairAt,
  SHAPE_SIZE,
  setMotion,
  shapeAt,
  VELOCITY_SIZE,
  wordAt,
  world,
} from '../memory/tables';
import { setGeometry } from '../shapes/geometries';
import { sizeOfTrait, TRAIT_TABLES, traitCount, traitField, traitRows } from '../shapes/traits';
import { PARKED_SIZE } from '../solver/lanes';
import { awakeFit, jointsFit, leavesFit, listsFit, placesFit, shapesFit, treeFits } from './links';
import { finishHead, HEAD_BYTES, headRoom, readHead, writeHead } from './snapshotHead';
import { blocks, parked } from './snapshotManifolds';
import { readPairs, writePairs } from './snapshotPairs';
import {
  fail,
  fine,
  keepAll,
  leaveOut,
  list,
  noteBytes,
  ROW_BYTES,
  reads,
  row,
  startWalk,
  table,
  Walk,
  WORKSPACE,
} from './walk';

const MAGIC: u32 = 0x54434952; // 'RICT'
const HEADER: usize = 4 * 4;

/** Hash of the record layouts. It changes with any record, so that an older snapshot is refused and not misread. */
function layout(): u32 {
  let h: u32 = STATE_VERSION;
  h = h * 31 + <u32>offsetof<World>();
  h = h * 31 + <u32>BODY_SIZE;
  h = h * 31 + <u32>VELOCITY_SIZE;
  h = h * 31 + <u32>SHAPE_SIZE;
  h = h * 31 + <u32>PAIR_SIZE;
  for (let i = 0; i < TRAIT_TABLES; i++) h = h * 31 + <u32>sizeOfTrait(i);
  h = h * 31 + <u32>BLOCK_SIZE;
  h = h * 31 + <u32>META_SIZE;
  h = h * 31 + <u32>JOINT_SIZE;
  h = h * 31 + <u32>offsetof<TreeNode>();
  return h;
}

/** Upper bound of the bytes of a snapshot of this world, including workspace. */
export function snapshotBound(): i32 {
  const g = world();
  let n = HEADER + HEAD_BYTES + 4096;
  n += <usize>g.bodyEnd * (BODY_SIZE + VELOCITY_SIZE + POSE_SIZE);
  n += <usize>g.shapeEnd * (SHAPE_SIZE + 32);
  n += <usize>g.jointEnd * JOINT_SIZE;
  for (let i = 0; i < TRAIT_TABLES; i++)
    n += <usize>traitCount(WORLD_ADDRESS, traitField(i)) * (sizeOfTrait(i) + 8);
  n += <usize>g.pairEnd * (PAIR_SIZE + 16);
  for (let i = 0; i < COLOR_COUNT; i++) n += <usize>colorAt(i).count * (BLOCK_SIZE + META_SIZE);
  n += <usize>g.parkedEnd * PARKED_SIZE;
  n += (<usize>(g.awakeCount + g.movedCount + g.sensorCount + g.concaveCount)) << 2;
  for (let t = 0; t < TREE_COUNT; t++) n += <usize>treeAt(t).nodeEnd * (offsetof<TreeNode>() + 8);
  return <i32>(((WORKSPACE + n + (n >> 3)) & ~15) + noteBytes());
}

// --- the traversal ---

function walk(c: Walk): void {
  const g = world();
  bodies(c);
  if (c.failed) return;
  list(c, g.awake, g.awakeCount);
  if (c.failed || (reads(c) && !awakeFit())) return fail(c);
  list(c, g.moved, g.movedCount);
  keepAll(c, JOINT_SIZE);
  table(c, g.joints, g.jointEnd, JOINT_SIZE);
  if (c.failed || (reads(c) && !jointsFit())) return fail(c);
  for (let i = 0; i < TRAIT_TABLES; i++) {
    const field = traitField(i);
    keepAll(c, sizeOfTrait(i));
    table(c, traitRows(WORLD_ADDRESS, field), traitCount(WORLD_ADDRESS, field), sizeOfTrait(i));
    if (c.failed) return;
  }
  if (reads(c)) readPairs(c);
  else writePairs(c);
  if (c.failed) return;
  list(c, g.sensors, g.sensorCount);
  list(c, g.concaves, g.concaveCount);
  blocks(c);
  if (!c.failed) parked(c);
  if (c.failed) return;
  if (reads(c)) {
    if (!listsFit()) return fail(c);
    places();
    if (!placesFit(c.lanes)) return fail(c);
  }
  for (let t = 0; t < TREE_COUNT; t++) {
    keepAll(c, offsetof<TreeNode>());
    leaveOut(c, 0, offsetof<TreeNode>('child'));
    table(c, treeAt(t).nodes, treeAt(t).nodeEnd, offsetof<TreeNode>());
    if (c.failed || (reads(c) && !treeFits(treeAt(t), t))) return fail(c);
  }
  if (!reads(c)) return;
  refitAll();
  if (!leavesFit(g.trees)) fail(c);
}

function bodies(c: Walk): void {
  const g = world();
  keepAll(c, BODY_SIZE);
  leaveOut(c, offsetof<Body>('invMass'), 16);
  leaveOut(c, offsetof<Body>('invInertiaA'), 32);
  leaveOut(c, offsetof<Body>('symmetry'), 16);
  leaveOut(c, offsetof<Body>('restPosition'), 32);
  leaveOut(c, offsetof<Body>('awakeIndex'), 4);
  c.fineFrom = <u32>offsetof<Body>('slot');
  c.fineEnd = <u32>offsetof<Body>('ccdSweptSphereRadius');
  table(c, g.bodies, g.bodyEnd, BODY_SIZE);
  // Only the first two velocities persist; the other fields are used within a step.
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
  c.fineFrom = <u32>offsetof<Shape>('type');
  c.fineEnd = <u32>SHAPE_SIZE;
  table(c, g.shapes, g.shapeEnd, SHAPE_SIZE);
  if (c.failed || (reads(c) && !shapesFit())) return fail(c);
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED)) {
      if (reads(c)) memory.fill(<usize>g.poses + <usize>slot * POSE_SIZE, 0, POSE_SIZE);
      continue;
    }
    if (reads(c)) b.awakeIndex = -1;
    fine(c, changetype<usize>(b) + offsetof<Body>('restPosition'), b.position, i32x4.splat(-1));
    fine(c, changetype<usize>(b) + offsetof<Body>('restRotation'), b.rotation, i32x4.splat(-1));
    const origin = sub(b.position, rotate(b.rotation, b.centerOfMass));
    for (let at = b.firstShape; at != 0; at = shapeAt(at).next) {
      const s = shapeAt(at);
      row(
        c,
        changetype<usize>(s) + offsetof<Shape>('position'),
        add(origin, rotate(b.rotation, s.localPosition)),
        i32x4.splat(-1),
      );
      row(
        c,
        changetype<usize>(s) + offsetof<Shape>('rotation'),
        mulQuat(b.rotation, s.localRotation),
        i32x4.splat(-1),
      );
      if (reads(c)) {
        s.movedIndex = -1;
        setGeometry(s, s.geometrySlot);
        enterBox(s);
        if (c.failed) return;
      }
    }
  }
}

/** Sets the list indices of records, and data derived from the awake list. */
function places(): void {
  const g = world();
  memory.fill(<usize>g.islands, 0, (<usize>g.bodyEnd) << 2);
  for (let i = 0; i < g.movedCount; i++) shapeAt(wordAt(g.moved, i)).movedIndex = i;
  for (let i = 0; i < g.sensorCount; i++) pairAt(wordAt(g.sensors, i)).index = i;
  for (let i = 0; i < g.concaveCount; i++) pairAt(wordAt(g.concaves, i)).index = i;
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    setMotion(slot, zero(), 0);
    if (!(b.flags & BODY_USED)) continue;
    updateInverseMass(b);
    publishPose(b);
  }
}

// --- writing and reading ---

/** Writes a snapshot to `address` from reserveSnapshot; returns its bytes. */
export function writeSnapshot(address: u32): i32 {
  const at = <usize>address;
  const c = startWalk(at, 0);
  c.notes = address - <u32>WORKSPACE + <u32>snapshotBound() - <u32>noteBytes();
  store<u32>(at, MAGIC);
  store<u32>(at, layout(), 4);
  store<u32>(at, 0, 12);
  writeHead(at + HEADER);
  c.at = <u32>(at + HEADER + HEAD_BYTES);
  walk(c);
  finishHead(at + HEADER, c.parked);
  while (c.at & 3) {
    store<u8>(<usize>c.at, 0);
    c.at++;
  }
  store<u32>(at, c.at - address, 8);
  return <i32>(c.at - address);
}

/**
 * Returns 0, or why the snapshot was refused: 1 not a snapshot, 2 another layout, 3 damaged, 5 no memory. After 4 the
 * world is lost. The geometry of its shapes must be in place. sound.ts checks whether the state is valid for a step.
 */
export function readSnapshot(address: u32, bytes: i32): i32 {
  let at = <usize>address;
  if (<usize>bytes < HEADER + HEAD_BYTES || load<u32>(at) != MAGIC) return 1;
  if (load<u32>(at, 4) != layout()) return 2;
  if (load<u32>(at, 8) != <u32>bytes) return 3;
  const room = headRoom(at + HEADER, bytes);
  if (room < 0) return 3;
  if (room > 0) {
    // Move it away from the tables that grow.
    const away = reserveSnapshot(bytes, world().heapTop + <u32>room);
    if (away == 0) return 5;
    memory.copy(<usize>away, at, <usize>bytes);
    at = <usize>away;
  }
  readHead(at + HEADER);
  const c = startWalk(at, 1);
  c.notes = world().poses;
  c.at = <u32>(at + HEADER + HEAD_BYTES);
  c.end = <u32>at + <u32>bytes;
  walk(c);
  return c.failed || c.at > c.end ? 4 : 0;
}

/** Address at which a host may put a snapshot of `bytes` bytes: above all memory that it and this world use. */
export function reserveSnapshot(bytes: i32, top: u32): u32 {
  const g = world();
  const at = ((max(g.heapTop, top) + 63) & ~63) + <u32>WORKSPACE;
  const end = <u64>at + <u64>bytes + ROW_BYTES;
  const have = (<u64>memory.size()) << 16;
  if (end > have && memory.grow(<i32>((end - have + 0xffff) >> 16)) < 0) return 0;
  return at;
}
