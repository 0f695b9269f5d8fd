// A small module around the broad phase and the queries, for broadphase.test.ts: spheres with fat AABBs
// and the smallest pair table that keeps the promises the real one makes.

import { childAt, laneMax, laneMin, nodeAt, treeAt, usedLanes } from '../../src/core/broadphase/nodes';
import { pairSetInsert, pairSetRemove } from '../../src/core/broadphase/pairSet';
import { initializeTrees, insertLeaf, removeLeaf, updateLeaf } from '../../src/core/broadphase/tree';
import { allocate } from '../../src/core/memory/allocator';
import { BODY_DYNAMIC, SHAPE_PLANE, SHAPE_USED } from '../../src/core/memory/constants';
import { WORLD_ADDRESS } from '../../src/core/memory/map';
import { Shape, Tree, World } from '../../src/core/memory/records';
import {
  BODY_SIZE,
  bodyAt,
  PAIR_SIZE,
  pairAt,
  SHAPE_SIZE,
  setWord,
  shapeAt,
  wordAt,
  world,
} from '../../src/core/memory/tables';
import { shapeAabb } from '../../src/core/shapes/aabb';

const AABB: usize = memory.data(32, 16);

export { findOverlappingPairs } from '../../src/core/broadphase/pairs';
export { rebuildTrees } from '../../src/core/broadphase/tree';
export { allPairsBrute, currentPairs } from '../../src/core/queries/checks';
export { overlapAabb } from '../../src/core/queries/overlaps';
export { rayTest, rayTestBatch } from '../../src/core/queries/rays';

const FREE_LIST: u32 = WORLD_ADDRESS + 1024;

export function begin(capacity: i32, maxPairs: i32): void {
  memory.fill(WORLD_ADDRESS, 0, offsetof<World>());
  store<u32>(FREE_LIST, 0);
  const g = world();
  g.freeListAddress = FREE_LIST;
  g.heapTop = (<u32>__heap_base + 63) & ~63;
  g.bodies = allocate(<usize>capacity * BODY_SIZE);
  g.shapes = allocate(<usize>capacity * SHAPE_SIZE);
  g.shapeCapacity = capacity;
  g.shapeEnd = capacity;
  g.moved = allocate(<usize>capacity * 4);
  g.movedCapacity = capacity;
  g.pairs = allocate(<usize>maxPairs * PAIR_SIZE);
  g.pairCapacity = maxPairs;
  g.pairFree = -1;
  g.commands = allocate(<usize>capacity * 64);
  initializeTrees();
}

export function output(): u32 {
  return world().queryOutput;
}
export function newPairs(): u32 {
  return world().newPairs;
}
export function newPairCount(): i32 {
  return world().newPairCount;
}
export function commands(): u32 {
  return world().commands;
}
export function movedCount(): i32 {
  return world().movedCount;
}
export function setPairFilterEnabled(enabled: i32): void {
  world().pairFilterEnabled = enabled;
}

function touchMoved(s: Shape): void {
  if (s.movedIndex >= 0) return;
  const g = world();
  s.movedIndex = g.movedCount;
  setWord(g.moved, g.movedCount++, s.slot);
}

function forgetMoved(s: Shape): void {
  if (s.movedIndex < 0) return;
  const g = world();
  const last = wordAt(g.moved, --g.movedCount);
  setWord(g.moved, s.movedIndex, last);
  shapeAt(last).movedIndex = s.movedIndex;
  s.movedIndex = -1;
}

function fatten(s: Shape, margin: f32): void {
  const m = f32x4(margin, margin, margin, 0);
  shapeAabb(s, AABB);
  s.aabbMin = f32x4.sub(v128.load(AABB), m);
  s.aabbMax = f32x4.add(v128.load(AABB, 16), m);
}

export function addShape(
  slot: i32,
  type: i32,
  bodyType: i32,
  flags: i32,
  tree: i32,
  px: f32,
  py: f32,
  pz: f32,
  size: f32,
  margin: f32,
  group: i32,
  mask: i32,
): void {
  const s = shapeAt(slot);
  memory.fill(changetype<usize>(s), 0, SHAPE_SIZE);
  s.slot = slot;
  s.body = slot;
  s.type = type;
  s.flags = SHAPE_USED | flags;
  s.position = f32x4(px, py, pz, 0);
  s.rotation = f32x4(0, 0, 0, 1);
  s.localRotation = s.rotation;
  s.param0 = size;
  s.param1 = size;
  s.param2 = size;
  s.radius = size;
  s.group = group;
  s.mask = mask;
  s.movedIndex = -1;
  s.tree = tree;
  const body = bodyAt(slot);
  body.type = bodyType;
  body.slot = slot;
  body.flags = 1;
  fatten(s, type == SHAPE_PLANE ? 0 : margin);
  s.leaf = insertLeaf(tree, slot);
  touchMoved(s);
}

export function setDynamicBody(slot: i32, body: i32): void {
  shapeAt(slot).body = body;
  bodyAt(body).type = BODY_DYNAMIC;
}

/** Moves the shape; a new fat AABB if it has left the old one. Returns 1 then. */
export function moveShape(slot: i32, px: f32, py: f32, pz: f32, margin: f32): i32 {
  const s = shapeAt(slot);
  s.position = f32x4(px, py, pz, 0);
  shapeAabb(s, AABB);
  const inside = v128.and(f32x4.le(s.aabbMin, v128.load(AABB)), f32x4.ge(s.aabbMax, v128.load(AABB, 16)));
  if ((i32x4.bitmask(inside) & 7) == 7) return 0;
  fatten(s, margin);
  updateLeaf(s.tree, s.leaf);
  touchMoved(s);
  return 1;
}

export function changeTree(slot: i32, tree: i32): void {
  const s = shapeAt(slot);
  removeLeaf(s.tree, s.leaf);
  s.tree = tree;
  s.leaf = insertLeaf(tree, slot);
}

export function removeShape(slot: i32): void {
  const s = shapeAt(slot);
  removeLeaf(s.tree, s.leaf);
  forgetMoved(s);
  s.tree = -1;
  s.flags = 0;
  removePairs(slot);
}

function removePairs(slot: i32): void {
  const g = world();
  for (let i = 0; i < g.pairEnd; i++) {
    const p = pairAt(i);
    if (p.flags == 0) continue;
    if (slot != 0 ? p.shapeA == slot || p.shapeB == slot : parted(shapeAt(p.shapeA), shapeAt(p.shapeB))) {
      pairSetRemove(p.shapeA, p.shapeB);
      p.flags = 0;
      p.index = g.pairFree;
      g.pairFree = i;
      g.pairCount--;
    }
  }
}

function parted(a: Shape, b: Shape): bool {
  const inside = v128.and(f32x4.le(a.aabbMin, b.aabbMax), f32x4.ge(a.aabbMax, b.aabbMin));
  return (i32x4.bitmask(inside) & 7) != 7;
}

export function removePartedPairs(): void {
  removePairs(0);
}

export function storeNewPairs(): void {
  const g = world();
  for (let i = 0; i < g.newPairCount; i++) {
    let index = g.pairFree;
    if (index >= 0) g.pairFree = pairAt(index).index;
    else index = g.pairEnd++;
    const p = pairAt(index);
    p.flags = 1;
    p.shapeA = wordAt(g.newPairs, 2 * i);
    p.shapeB = wordAt(g.newPairs, 2 * i + 1);
    pairSetInsert(p.shapeA, p.shapeB, index);
    g.pairCount++;
  }
}

export function shapeLeaf(slot: i32): i32 {
  return shapeAt(slot).leaf;
}

// --- invariants of a tree ---

/** 0, or what is wrong: 1 bounds not exact, 2 parent, 3 leaf handle, 4 a node of one, 5 counts. */
export function checkTree(t: i32): i32 {
  const tree = treeAt(t);
  let leaves = 0;
  let nodes = 0;
  let problem = 0;
  for (let i = 1; i < tree.nodeEnd; i++) {
    const node = nodeAt(tree, i);
    let used = usedLanes(node);
    if (used == 0) continue;
    nodes++;
    if (i != 1 && node.parent >= 0 && popcnt<i32>(used) < 2) problem = 4;
    while (used != 0) {
      const lane = ctz(used);
      used &= used - 1;
      const child = childAt(node, lane);
      let low = f32x4.splat(f32.POSITIVE_INFINITY);
      let high = f32x4.splat(f32.NEGATIVE_INFINITY);
      if (child > 0) {
        const below = nodeAt(tree, child);
        if (below.parent != ((i << 2) | lane)) problem = 2;
        let lanes = usedLanes(below);
        while (lanes != 0) {
          low = f32x4.min(low, laneMin(below, ctz(lanes)));
          high = f32x4.max(high, laneMax(below, ctz(lanes)));
          lanes &= lanes - 1;
        }
      } else {
        leaves++;
        const s = shapeAt(-child);
        if (s.leaf != ((i << 2) | lane) || s.tree != t) problem = 3;
        low = s.aabbMin;
        high = s.aabbMax;
      }
      const same = v128.and(f32x4.eq(laneMin(node, lane), low), f32x4.eq(laneMax(node, lane), high));
      if ((i32x4.bitmask(same) & 7) != 7) problem = 1;
    }
  }
  if (leaves != tree.leafCount) problem = 5;
  if (nodes != tree.nodeCount && !(leaves == 0 && tree.nodeCount == 1)) {
    // The root may be empty.
    if (!(usedLanes(nodeAt(tree, 1)) == 0 && nodes + 1 == tree.nodeCount)) problem = 5;
  }
  return problem;
}

export function treeNodes(t: i32): i32 {
  return treeAt(t).nodeCount;
}

export function treeDepth(t: i32): i32 {
  const tree = treeAt(t);
  let depth = 0;
  for (let i = 1; i < tree.nodeEnd; i++) {
    if (usedLanes(nodeAt(tree, i)) == 0) continue;
    depth = max(depth, depthOf(tree, i));
  }
  return depth;
}

function depthOf(tree: Tree, index: i32): i32 {
  let depth = 1;
  let parent = nodeAt(tree, index).parent;
  while (parent >= 0) {
    depth++;
    parent = nodeAt(tree, parent >> 2).parent;
  }
  return depth;
}

/** Sum of the surface of all child nodes over that of the root: expected number of nodes a query visits. */
export function treeCost(t: i32): f32 {
  const tree = treeAt(t);
  let sum: f32 = 0;
  let low = f32x4.splat(f32.POSITIVE_INFINITY);
  let high = f32x4.splat(f32.NEGATIVE_INFINITY);
  for (let i = 1; i < tree.nodeEnd; i++) {
    const node = nodeAt(tree, i);
    if (node.parent < -1) continue;
    let used = usedLanes(node);
    while (used != 0) {
      const lane = ctz(used);
      used &= used - 1;
      const a = laneMin(node, lane);
      const b = laneMax(node, lane);
      if (childAt(node, lane) > 0) sum += area(f32x4.sub(b, a));
      if (i == 1) {
        low = f32x4.min(low, a);
        high = f32x4.max(high, b);
      }
    }
  }
  return sum / area(f32x4.sub(high, low));
}

function area(e: v128): f32 {
  const x = f32x4.extract_lane(e, 0);
  const y = f32x4.extract_lane(e, 1);
  const z = f32x4.extract_lane(e, 2);
  return x * y + y * z + z * x;
}

// --- the micro-benchmark: spheres that fly straight and bounce off the walls of a box ---

/** Advances slots 1 … count-1; velocities live in localPosition. Returns how many left their fat AABBs. */
export function fly(count: i32, half: f32): i32 {
  let left = 0;
  for (let slot = 1; slot < count; slot++) {
    const s = shapeAt(slot);
    let v = s.localPosition;
    const p = f32x4.add(s.position, v);
    const out = f32x4.gt(f32x4.abs(p), f32x4.splat(half));
    v = v128.bitselect(f32x4.neg(v), v, out);
    s.localPosition = v;
    s.position = v128.bitselect(s.position, p, out);
    shapeAabb(s, AABB);
    const inside = v128.and(f32x4.le(s.aabbMin, v128.load(AABB)), f32x4.ge(s.aabbMax, v128.load(AABB, 16)));
    if ((i32x4.bitmask(inside) & 7) == 7) continue;
    left++;
    touchMoved(s);
  }
  return left;
}

export function setVelocity(slot: i32, vx: f32, vy: f32, vz: f32): void {
  shapeAt(slot).localPosition = f32x4(vx, vy, vz, 0);
}

/** Fattens and updates the leaves of everything moved. */
export function updateMoved(margin: f32): void {
  const g = world();
  for (let i = 0; i < g.movedCount; i++) {
    const s = shapeAt(wordAt(g.moved, i));
    fatten(s, margin);
    updateLeaf(s.tree, s.leaf);
  }
}
