// The part of a snapshot for the world record. In: the world record, colours and trees. Out: the same without addresses
// and capacities, which differ between worlds: equal states give equal bytes wherever their tables are, and a forged
// snapshot cannot contain an address. On restore, tables grow as needed.

import { reserveBody, reserveShape } from '../bodies/bodies';
import { NODE_SIZE, reserveNodes, TREE_COUNT, treeAt } from '../broadphase/nodes';
import { allocate, reallocate, release } from '../memory/allocator';
import { COLOR_COUNT } from '../memory/constants';
import { WORLD_ADDRESS } from '../memory/map';
import { Tree, World } from '../memory/records';
import {
  BLOCK_SIZE,
  BODY_SIZE,
  BOX_SIZE,
  colorAt,
  grownCapacity,
  growTable,
  JOINT_SIZE,
  META_SIZE,
  PAIR_SIZE,
  POSE_SIZE,
  SHAPE_SIZE,
  VELOCITY_SIZE,
  WAITING_SIZE,
  WORK_SIZE,
  world,
} from '../memory/tables';
import { sizeOfTrait, TRAIT_TABLES, traitCapacity, traitCount, traitField } from '../shapes/traits';
import { reserveJoint } from '../solver/joints/table';
import { PARKED_SIZE } from '../solver/lanes';

/** Words of a colour: blocks, lanes, changes. */
const COLOR_WORDS: usize = 12;
const TREES: usize = offsetof<World>();
const COLORS: usize = TREES + TREE_COUNT * offsetof<Tree>();
/** Limits of src/options/settings.ts that bound the loops of a step. */
const MOST_SUBSTEPS: u32 = 64;
const MOST_ITERATIONS: u32 = 1000;

export const HEAD_BYTES: usize = COLORS + <usize>COLOR_COUNT * COLOR_WORDS;

/** Copies the word at `offset` of `from` to `to`, or 0 if `from` is 0. @inline */
function own(to: usize, from: usize, offset: usize): void {
  store<u32>(to + offset, from == 0 ? 0 : load<u32>(from + offset));
}

/** Fields that are not part of the state: addresses, capacities, data of the host and of the last step. 0: the end. */
const OWN: usize = memory.data<u16>([
  <u16>offsetof<World>('eventMask'),
  <u16>offsetof<World>('profileEnabled'),
  <u16>offsetof<World>('pairFilterEnabled'),
  <u16>offsetof<World>('heapTop'),
  <u16>offsetof<World>('bodies'),
  <u16>offsetof<World>('bodyCapacity'),
  <u16>offsetof<World>('velocities'),
  <u16>offsetof<World>('poses'),
  <u16>offsetof<World>('motions'),
  <u16>offsetof<World>('islands'),
  <u16>offsetof<World>('islandCount'),
  <u16>offsetof<World>('shapes'),
  <u16>offsetof<World>('boxes'),
  <u16>offsetof<World>('shapeCapacity'),
  <u16>offsetof<World>('awake'),
  <u16>offsetof<World>('awakeCapacity'),
  <u16>offsetof<World>('moved'),
  <u16>offsetof<World>('movedCapacity'),
  <u16>offsetof<World>('newPairs'),
  <u16>offsetof<World>('newPairCapacity'),
  <u16>offsetof<World>('newPairCount'),
  <u16>offsetof<World>('pairs'),
  <u16>offsetof<World>('pairCapacity'),
  <u16>offsetof<World>('pairSet'),
  <u16>offsetof<World>('pairSetCapacity'),
  <u16>offsetof<World>('pairSetCount'),
  <u16>offsetof<World>('waiting'),
  <u16>offsetof<World>('waitingCapacity'),
  <u16>offsetof<World>('sensors'),
  <u16>offsetof<World>('sensorCapacity'),
  <u16>offsetof<World>('colors'),
  <u16>offsetof<World>('parked'),
  <u16>offsetof<World>('parkedCapacity'),
  <u16>offsetof<World>('candidates'),
  <u16>offsetof<World>('candidateCapacity'),
  <u16>offsetof<World>('candidateCount'),
  <u16>offsetof<World>('trees'),
  <u16>offsetof<World>('events'),
  <u16>offsetof<World>('eventCapacity'),
  <u16>offsetof<World>('eventWords'),
  <u16>offsetof<World>('eventCount'),
  <u16>offsetof<World>('eventsDropped'),
  <u16>offsetof<World>('commands'),
  <u16>offsetof<World>('commandCapacity'),
  <u16>offsetof<World>('scratch'),
  <u16>offsetof<World>('scratchCapacity'),
  <u16>offsetof<World>('queryOutput'),
  <u16>offsetof<World>('queryCapacity'),
  <u16>offsetof<World>('freeListAddress'),
  <u16>offsetof<World>('profile'),
  <u16>offsetof<World>('highRatioBlocks'),
  <u16>offsetof<World>('highRatioCapacity'),
  <u16>offsetof<World>('highRatioCount'),
  <u16>offsetof<World>('bearers'),
  <u16>offsetof<World>('bearerCapacity'),
  <u16>offsetof<World>('bearerCount'),
  <u16>offsetof<World>('hasPlates'),
  <u16>offsetof<World>('towerBlocks'),
  <u16>offsetof<World>('towerBlockCapacity'),
  <u16>offsetof<World>('towerBlockCount'),
  <u16>offsetof<World>('towerBodies'),
  <u16>offsetof<World>('towerBodyCapacity'),
  <u16>offsetof<World>('towerBodyCount'),
  <u16>offsetof<World>('towerPatches'),
  <u16>offsetof<World>('towerPatchCapacity'),
  <u16>offsetof<World>('towerPatchCount'),
  <u16>offsetof<World>('arrivals'),
  <u16>offsetof<World>('arrivalCapacity'),
  <u16>offsetof<World>('arrivalCount'),
  <u16>offsetof<World>('impactManifolds'),
  <u16>offsetof<World>('impactManifoldCapacity'),
  <u16>offsetof<World>('impactManifoldCount'),
  <u16>offsetof<World>('struck'),
  <u16>offsetof<World>('struckCapacity'),
  <u16>offsetof<World>('struckCount'),
  <u16>offsetof<World>('newBlocks'),
  <u16>offsetof<World>('newBlockCapacity'),
  <u16>offsetof<World>('newBlockCount'),
  <u16>offsetof<World>('recycledCount'),
  <u16>offsetof<World>('collidedCount'),
  <u16>offsetof<World>('joints'),
  <u16>offsetof<World>('jointWork'),
  <u16>offsetof<World>('activeJoints'),
  <u16>offsetof<World>('jointCapacity'),
  <u16>offsetof<World>('activeJointCount'),
  <u16>offsetof<World>('scalarJoints'),
  <u16>offsetof<World>('scalarJointCount'),
  <u16>offsetof<World>('idleJoints'),
  <u16>offsetof<World>('idleJointCount'),
  <u16>offsetof<World>('batches'),
  <u16>offsetof<World>('batchCapacity'),
  <u16>offsetof<World>('batchCount'),
  <u16>offsetof<World>('batchData'),
  <u16>offsetof<World>('batchDataCapacity'),
  <u16>offsetof<World>('jointOrder'),
  <u16>offsetof<World>('bodyMarks'),
  <u16>offsetof<World>('bodyMarkCapacity'),
  <u16>offsetof<World>('geometries'),
  <u16>offsetof<World>('geometryCapacity'),
  <u16>offsetof<World>('geometryEnd'), // the caller puts the content in place
  <u16>offsetof<World>('concaves'),
  <u16>offsetof<World>('concaveCapacity'),
  <u16>offsetof<World>('triangles'),
  <u16>offsetof<World>('triangleCapacity'),
  <u16>offsetof<World>('ccdBodies'),
  <u16>offsetof<World>('ccdCapacity'),
  <u16>offsetof<World>('ccdCount'),
  <u16>offsetof<World>('impactCount'),
  <u16>offsetof<World>('clampCount'),
  <u16>offsetof<World>('driveRows'),
  <u16>offsetof<World>('driveCapacity'),
  <u16>offsetof<World>('driveData'),
  <u16>offsetof<World>('driveDataCapacity'),
  <u16>offsetof<World>('lostCount'),
  0,
]);

function ownRecord(r: usize, from: usize): void {
  for (let at = OWN; load<u16>(at) != 0; at += 2) own(r, from, <usize>load<u16>(at));
  for (let i = 0; i < TRAIT_TABLES; i++) {
    own(r, from, traitField(i)); // its address
    own(r, from, traitField(i) + 4); // its capacity
  }
  own(r, 0, offsetof<World>('arranged')); // batches are built again
}

function ownTree(t: usize, from: usize): void {
  own(t, from, offsetof<Tree>('nodes'));
  own(t, from, offsetof<Tree>('nodeCapacity'));
  own(t, from, offsetof<Tree>('stack'));
  own(t, from, offsetof<Tree>('build'));
  own(t, from, offsetof<Tree>('buildCapacity'));
}

/** @inline */
function colorWords(head: usize, color: i32): usize {
  return head + COLORS + <usize>color * COLOR_WORDS;
}

/** Runs after the traversal has counted: in a snapshot parked manifolds have no gaps. */
export function finishHead(at: usize, parked: i32): void {
  const r = changetype<World>(at);
  r.parkedEnd = parked;
  r.parkedFree = -1;
}

export function writeHead(at: usize): void {
  memory.copy(at, WORLD_ADDRESS, offsetof<World>());
  ownRecord(at, 0);
  for (let t = 0; t < TREE_COUNT; t++) {
    const to = at + TREES + <usize>t * offsetof<Tree>();
    memory.copy(to, changetype<usize>(treeAt(t)), offsetof<Tree>());
    ownTree(to, 0);
  }
  for (let i = 0; i < COLOR_COUNT; i++) {
    const color = colorAt(i);
    const to = colorWords(at, i);
    store<i32>(to, color.count);
    store<i32>(to, color.lanes, 4);
    store<i32>(to, color.changes, 8);
  }
}

/** Upper bound of the bytes for growth from `capacity` to `count` records. */
function growth(capacity: i32, count: i32, size: usize): u64 {
  return count > capacity ? 4 * <u64>max(16, count) * <u64>size + 4096 : 0;
}

/** Whether a snapshot of `bytes` bytes can contain `count` records of at least `least` bytes each. @inline */
function told(count: i32, least: i32, bytes: i32): bool {
  return count >= 0 && <u64>count * <u64>least <= <u64>bytes;
}

/** Upper bound of the bytes by which the heap grows for the world of a head; −1: the head is invalid. */
export function headRoom(at: usize, bytes: i32): i64 {
  const g = world();
  const r = changetype<World>(at);
  // Each record of a table takes a byte per 128 bytes, each row of a block a byte, lists a byte per four entries.
  if (
    !(
      <u32>(r.substeps - 1) < MOST_SUBSTEPS &&
      <u32>r.iterations <= MOST_ITERATIONS &&
      <u32>r.relaxIterations <= MOST_ITERATIONS &&
      r.bodyEnd > 0 &&
      r.shapeEnd > 0 &&
      r.jointEnd > 0 &&
      told(r.bodyEnd, 5, bytes) &&
      told(r.shapeEnd, 2, bytes) &&
      told(r.jointEnd, 5, bytes) &&
      told(r.pairEnd, 1, bytes) &&
      told(r.awakeCount, 0, bytes) &&
      r.awakeCount < r.bodyEnd &&
      r.movedCount >= 0 &&
      r.movedCount < r.shapeEnd &&
      r.waitingCount >= 0 &&
      r.waitingCount <= r.pairEnd &&
      r.sensorCount >= 0 &&
      r.sensorCount <= r.pairEnd &&
      r.concaveCount >= 0 &&
      r.concaveCount <= r.pairEnd &&
      told(r.parkedEnd, 6, bytes) &&
      r.parkedEnd <= r.pairEnd
    )
  )
    return -1;
  let room: u64 =
    growth(g.bodyCapacity, r.bodyEnd, BODY_SIZE + VELOCITY_SIZE + POSE_SIZE + 12) +
    growth(g.shapeCapacity, r.shapeEnd, SHAPE_SIZE + BOX_SIZE) +
    growth(g.jointCapacity, r.jointEnd, JOINT_SIZE + WORK_SIZE + 20) +
    growth(g.awakeCapacity, r.awakeCount, 4) +
    growth(g.movedCapacity, r.movedCount, 4) +
    growth(g.pairCapacity, r.pairEnd, PAIR_SIZE) +
    growth(g.pairSetCapacity, setCapacity(r.pairEnd), 8) +
    growth(g.waitingCapacity, r.waitingCount, WAITING_SIZE) +
    growth(g.sensorCapacity, r.sensorCount, 4) +
    growth(g.concaveCapacity, r.concaveCount, 4) +
    growth(g.parkedCapacity, r.parkedEnd, PARKED_SIZE);
  for (let i = 0; i < TRAIT_TABLES; i++) {
    const count = traitCount(at, traitField(i));
    if (!told(count, 1, bytes)) return -1;
    room += growth(traitCapacity(WORLD_ADDRESS, traitField(i)), count, sizeOfTrait(i));
  }
  for (let t = 0; t < TREE_COUNT; t++) {
    const tree = changetype<Tree>(at + TREES + <usize>t * offsetof<Tree>());
    if (!told(tree.nodeEnd, 1, bytes)) return -1;
    room += growth(treeAt(t).nodeCapacity, tree.nodeEnd, NODE_SIZE + 32);
  }
  for (let i = 0; i < COLOR_COUNT; i++) {
    const count = load<i32>(colorWords(at, i));
    const lanes = load<i32>(colorWords(at, i), 4);
    if (!told(count, 26, bytes) || lanes > 4 * count || lanes < 4 * (count - 1)) return -1;
    room += growth(colorAt(i).capacity, count, BLOCK_SIZE + META_SIZE);
  }
  return room < 1 << 31 ? room : -1;
}

/** Capacity of the pair set, such that half of it stays free. */
function setCapacity(pairs: i32): i32 {
  let capacity = 256;
  while (capacity < 2 * pairs + 2) capacity <<= 1;
  return capacity;
}

/** Reallocates a table for `fresh` records, whose content need not be kept. */
function grow(address: u32, capacity: i32, fresh: i32, size: usize): u32 {
  return fresh == capacity ? address : reallocate(address, <usize>capacity * size, <usize>fresh * size);
}

/** Replaces the world record by the head, and gives its tables the needed capacity. */
export function readHead(at: usize): void {
  const g = world();
  ownRecord(at, WORLD_ADDRESS);
  memory.copy(WORLD_ADDRESS, at, offsetof<World>());
  reserveBody(g.bodyEnd - 1);
  reserveShape(g.shapeEnd - 1);
  reserveJoint(g.jointEnd - 1);
  for (let i = 0; i < TRAIT_TABLES; i++)
    growTable(traitField(i), traitCount(WORLD_ADDRESS, traitField(i)), sizeOfTrait(i));
  let room = max(g.awakeCapacity, grownCapacity(g.awakeCapacity, g.awakeCount));
  g.awake = grow(g.awake, g.awakeCapacity, room, 4);
  g.awakeCapacity = room;
  room = grownCapacity(g.movedCapacity, g.movedCount);
  g.moved = grow(g.moved, g.movedCapacity, room, 4);
  g.movedCapacity = room;
  room = grownCapacity(g.pairCapacity, g.pairEnd);
  g.pairs = grow(g.pairs, g.pairCapacity, room, PAIR_SIZE);
  g.pairCapacity = room;
  room = grownCapacity(g.waitingCapacity, g.waitingCount);
  g.waiting = grow(g.waiting, g.waitingCapacity, room, WAITING_SIZE);
  g.waitingCapacity = room;
  room = grownCapacity(g.sensorCapacity, g.sensorCount);
  g.sensors = grow(g.sensors, g.sensorCapacity, room, 4);
  g.sensorCapacity = room;
  room = grownCapacity(g.concaveCapacity, g.concaveCount);
  g.concaves = grow(g.concaves, g.concaveCapacity, room, 4);
  g.concaveCapacity = room;
  if (g.parkedEnd > g.parkedCapacity) {
    room = grownCapacity(g.parkedCapacity, g.parkedEnd);
    g.parked = grow(g.parked, g.parkedCapacity, room, PARKED_SIZE);
    g.parkedCapacity = room;
  }
  room = setCapacity(g.pairEnd);
  if (room > g.pairSetCapacity) {
    release(g.pairSet, (<usize>g.pairSetCapacity) << 3);
    g.pairSet = allocate((<usize>room) << 3);
    g.pairSetCapacity = room;
  }
  for (let t = 0; t < TREE_COUNT; t++) {
    const from = at + TREES + <usize>t * offsetof<Tree>();
    const tree = treeAt(t);
    ownTree(from, changetype<usize>(tree));
    memory.copy(changetype<usize>(tree), from, offsetof<Tree>());
    reserveNodes(tree, 0);
  }
  for (let i = 0; i < COLOR_COUNT; i++) {
    const color = colorAt(i);
    color.count = load<i32>(colorWords(at, i));
    color.lanes = load<i32>(colorWords(at, i), 4);
    color.changes = load<i32>(colorWords(at, i), 8);
    if (color.count <= color.capacity) continue;
    room = grownCapacity(color.capacity, color.count);
    color.blocks = grow(color.blocks, color.capacity, room, BLOCK_SIZE);
    color.meta = grow(color.meta, color.capacity, room, META_SIZE);
    color.capacity = room;
  }
}
