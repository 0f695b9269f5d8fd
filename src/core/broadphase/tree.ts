// Inserts, removes and updates leaves of the four-wide dynamic AABB trees. In: shapes with their fat AABBs. Out: trees
// whose lanes hold the exact union of the boxes below them. Cost of a tree: the sum of the surface areas of its nodes
// (surface area heuristic, Goldsmith, Salmon, 1987).

import { allocate } from '../memory/allocator';
import { Tree, TreeNode } from '../memory/records';
import { scratch, shapeAt, world } from '../memory/tables';
import { Box } from '../memory/values';
import {
  adopt,
  childAt,
  clearBounds,
  clearLane,
  createNode,
  freeNode,
  isUnbounded,
  laneCount,
  laneMask,
  laneMax,
  laneMin,
  leafShape,
  maxOfLanes,
  minOfLanes,
  nodeAt,
  nodeLanes,
  PARENT_PENDING,
  PARENT_UNBOUNDED,
  ROOT,
  reserveNodes,
  setLane,
  splatX,
  splatY,
  splatZ,
  TREE_COUNT,
  TREE_SIZE,
  treeAt,
  usedLanes,
} from './nodes';
import { balanceAbove, rebuildWithPending, takePending } from './rebuild';

const FIRST_NODES = 64;
/** A tree is rebuilt if at least this share of its leaves, as a divisor, waits for insertion. */
const REBUILD_SHARE = 8;

export function initializeTrees(): void {
  const g = world();
  g.trees = allocate(<usize>TREE_COUNT * TREE_SIZE);
  for (let i = 0; i < TREE_COUNT; i++) {
    const tree = treeAt(i);
    tree.nodeEnd = ROOT;
    reserveNodes(tree, FIRST_NODES - ROOT);
    createNode(tree); // the root
  }
}

/** Removes all leaves and inserts each shape again that belongs to a tree. */
export function rebuildTrees(): void {
  const g = world();
  for (let i = 0; i < TREE_COUNT; i++) {
    const tree = treeAt(i);
    tree.nodeEnd = ROOT;
    tree.nodeFree = 0;
    tree.nodeCount = 0;
    tree.leafCount = 0;
    tree.unbounded = 0;
    tree.pending = 0;
    tree.pendingCount = 0;
    tree.changes = 0;
    tree.cursor = 0;
    createNode(tree);
  }
  for (let slot = 1; slot < g.shapeEnd; slot++) {
    const s = shapeAt(slot);
    if (s.flags != 0 && s.tree >= 0) insertLeaf(s.tree, slot);
  }
}

/**
 * Inserts the shape's fat AABB. Returns the handle, which is stored and kept up to date in Shape.leaf. Shapes wait in a
 * list until insertPending: scenes are often created in spatial order, and inserting 100,000 sorted boxes one by one
 * took 15 µs each to keep the tree balanced; building the tree at once takes 0.2 to 0.6 µs.
 */
export function insertLeaf(treeIndex: i32, slot: i32): i32 {
  const tree = treeAt(treeIndex);
  reserveNodes(tree, 1);
  tree.leafCount++;
  const s = shapeAt(slot);
  if (isUnbounded(s.aabbMin, s.aabbMax)) {
    tree.unbounded = insertLoose(tree, slot, tree.unbounded, PARENT_UNBOUNDED);
  } else {
    tree.pending = insertLoose(tree, slot, tree.pending, PARENT_PENDING);
    tree.pendingCount++;
  }
  return s.leaf;
}

/**
 * Pushes the root and all nodes outside the tree on the tree's stack, where traversals start; returns the top of the
 * stack. Pending shapes are tested one by one, since a query must not change the tree.
 */
export function startWalk(tree: Tree): usize {
  const top = pushList(tree, pushList(tree, <usize>tree.stack, tree.unbounded), tree.pending);
  store<i32>(top, ROOT);
  return top + 4;
}

function pushList(tree: Tree, top: usize, first: i32): usize {
  for (let i = first; i != 0; i = nodeAt(tree, i).next) {
    store<i32>(top, i);
    top += 4;
  }
  return top;
}

/** After commands: rebuilds the tree if many shapes wait for insertion, so that queries test few of them one by one. */
export function insertMany(tree: Tree): void {
  if (isMany(tree)) rebuildWithPending(tree);
}

/** Whether a rebuild costs less than inserting the pending leaves. @inline */
function isMany(tree: Tree): bool {
  return tree.pendingCount != 0 && tree.pendingCount * REBUILD_SHARE >= tree.leafCount;
}

/** Inserts the pending shapes. A step does so before it searches pairs. */
export function insertPending(tree: Tree): void {
  const count = tree.pendingCount;
  if (count == 0) return;
  if (isMany(tree)) {
    rebuildWithPending(tree);
    return;
  }
  const slots = scratch((<usize>count) << 2);
  takePending(tree, slots, 4);
  // The order of creation may be sorted in space, so insert in steps of the golden section instead.
  const stride = goldenStride(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    reserveNodes(tree, 1);
    insertFrom(tree, load<i32>(slots + ((<usize>at) << 2)), ROOT);
    at += stride;
    if (at >= count) at -= count;
  }
}

/** About 0.618 of the count and coprime to it, so that steps of it reach each index. */
function goldenStride(count: i32): i32 {
  let stride = max<i32>(1, <i32>(<f32>count * <f32>0.618));
  while (divisor(count, stride) != 1) stride++;
  return stride;
}

function divisor(a: i32, b: i32): i32 {
  while (b != 0) {
    const r = a % b;
    a = b;
    b = r;
  }
  return a;
}

export function removeLeaf(treeIndex: i32, leaf: i32): void {
  const tree = treeAt(treeIndex);
  const s = leafShape(tree, leaf);
  tree.leafCount--;
  detach(tree, leaf);
  s.leaf = -1;
}

/** Updates the tree after a change of the shape's fat AABB. */
export function updateLeaf(treeIndex: i32, leaf: i32): void {
  const tree = treeAt(treeIndex);
  const nodeIndex = leaf >> 2;
  const node = nodeAt(tree, nodeIndex);
  const slot = -childAt(node, leaf & 3);
  const s = shapeAt(slot);
  if (isUnbounded(s.aabbMin, s.aabbMax) != (node.parent == PARENT_UNBOUNDED)) {
    removeLeaf(treeIndex, leaf);
    insertLeaf(treeIndex, slot);
    return;
  }
  if (node.parent < 0 || parentContains(tree, node, s.aabbMin, s.aabbMax)) {
    setLane(node, leaf & 3, new Box(s.aabbMin, s.aabbMax), -slot);
    refit(tree, nodeIndex);
    return;
  }
  // Most leaves go back to a place near the old one: start at the lowest ancestor that has room (Bullet's lookahead; 20
  // % faster than from the root, with an equally good tree). Growing boxes in place would be twice as fast, but shapes
  // then move through the tree and its cost rises by half.
  reserveNodes(tree, 1);
  let start = detach(tree, leaf);
  let at = nodeAt(tree, start);
  while (at.parent >= 0 && !parentContains(tree, at, s.aabbMin, s.aabbMax)) {
    start = at.parent >> 2;
    at = nodeAt(tree, start);
  }
  insertFrom(tree, slot, start);
}

/** Whether the box fits into the bounds of this node that are stored in the parent. @inline */
function parentContains(tree: Tree, node: TreeNode, boxMin: v128, boxMax: v128): bool {
  const parent = nodeAt(tree, node.parent >> 2);
  const lane = node.parent & 3;
  const inside = v128.and(f32x4.le(laneMin(parent, lane), boxMin), f32x4.ge(laneMax(parent, lane), boxMax));
  return (i32x4.bitmask(inside) & 7) == 7;
}

/**
 * Descends to where the tree's cost grows least. A free lane costs nothing, since a node is tested as a whole. In a
 * full node, a child node would grow by the shape, and a leaf would become a node of two.
 */
function insertFrom(tree: Tree, slot: i32, index: i32): void {
  const s = shapeAt(slot);
  const boxMin = s.aabbMin;
  const boxMax = s.aabbMax;
  tree.changes++;
  const bMinX = splatX(boxMin);
  const bMinY = splatY(boxMin);
  const bMinZ = splatZ(boxMin);
  const bMaxX = splatX(boxMax);
  const bMaxY = splatY(boxMax);
  const bMaxZ = splatZ(boxMax);
  let depth = 0;
  while (true) {
    const node = nodeAt(tree, index);
    const used = usedLanes(node);
    if (used != 15) {
      const lane = ctz(~used);
      setLane(node, lane, new Box(boxMin, boxMax), -slot);
      s.leaf = (index << 2) | lane;
      break;
    }
    const minX = f32x4.pmin(node.minX, bMinX);
    const minY = f32x4.pmin(node.minY, bMinY);
    const minZ = f32x4.pmin(node.minZ, bMinZ);
    const maxX = f32x4.pmax(node.maxX, bMaxX);
    const maxY = f32x4.pmax(node.maxY, bMaxY);
    const maxZ = f32x4.pmax(node.maxZ, bMaxZ);
    const united = areas(f32x4.sub(maxX, minX), f32x4.sub(maxY, minY), f32x4.sub(maxZ, minZ));
    const own = areas(
      f32x4.sub(node.maxX, node.minX),
      f32x4.sub(node.maxY, node.minY),
      f32x4.sub(node.maxZ, node.minZ),
    );
    const children = node.child;
    const isNode = i32x4.gt_s(children, i32x4.splat(0));
    const cost = f32x4.sub(united, v128.and(own, isNode));
    // The first lane with the smallest cost.
    const lane = ctz(i32x4.bitmask(f32x4.eq(cost, minOfLanes(cost))));
    const m = laneMask(lane);
    const child = childAt(node, lane);
    // A leaf stays as it is here. Its shape may have a new box already, which the nodes above do not contain: updateLeaf follows.
    const there = new Box(laneMin(node, lane), laneMax(node, lane));
    node.minX = v128.bitselect(minX, node.minX, m);
    node.minY = v128.bitselect(minY, node.minY, m);
    node.minZ = v128.bitselect(minZ, node.minZ, m);
    node.maxX = v128.bitselect(maxX, node.maxX, m);
    node.maxY = v128.bitselect(maxY, node.maxY, m);
    node.maxZ = v128.bitselect(maxZ, node.maxZ, m);
    depth++;
    if (child > 0) {
      index = child;
      continue;
    }
    const fresh = createNode(tree);
    const pair = nodeAt(tree, fresh);
    const other = shapeAt(-child);
    pair.parent = (index << 2) | lane;
    setLane(pair, 0, there, child);
    setLane(pair, 1, new Box(boxMin, boxMax), -slot);
    other.leaf = fresh << 2;
    s.leaf = (fresh << 2) | 1;
    node.child = v128.bitselect(i32x4.splat(fresh), node.child, m);
    break;
  }
  balanceAbove(tree, s.leaf >> 2, depth);
}

/** @inline */
function areas(ex: v128, ey: v128, ez: v128): v128 {
  return f32x4.add(f32x4.mul(ex, f32x4.add(ey, ez)), f32x4.mul(ey, ez));
}

/**
 * Clears the lane, dissolves nodes whose children now fit elsewhere, and refits the ancestors. Returns the node from
 * which it did so.
 */
function detach(tree: Tree, leaf: i32): i32 {
  const index = leaf >> 2;
  const node = nodeAt(tree, index);
  clearLane(node, leaf & 3);
  if (node.parent == PARENT_UNBOUNDED) {
    if (usedLanes(node) == 0) dropUnbounded(tree, index);
    return 0;
  }
  if (node.parent == PARENT_PENDING) {
    tree.pendingCount--;
    return 0;
  }
  const from = settle(tree, index);
  refit(tree, from);
  return from;
}

/**
 * Keeps nodes few and full: a node whose lanes fit into its parent is dissolved. Returns the node from which bounds
 * must be refitted.
 */
function settle(tree: Tree, index: i32): i32 {
  let node = nodeAt(tree, index);
  if (node.parent >= 0) {
    const parentIndex = node.parent >> 2;
    const parent = nodeAt(tree, parentIndex);
    if (laneCount(node) + laneCount(parent) <= 5) {
      dissolve(tree, index);
      index = parentIndex;
      node = parent;
    }
  }
  // A lane is free here now: a small child node may fit in.
  let nodes = nodeLanes(node);
  while (nodes != 0) {
    const child = childAt(node, ctz(nodes));
    nodes &= nodes - 1;
    if (laneCount(nodeAt(tree, child)) + laneCount(node) <= 5) dissolve(tree, child);
  }
  return index;
}

/** Moves the lanes of a node into its parent. */
function dissolve(tree: Tree, index: i32): void {
  const node = nodeAt(tree, index);
  const parentIndex = node.parent >> 2;
  const parent = nodeAt(tree, parentIndex);
  clearLane(parent, node.parent & 3);
  let used = usedLanes(node);
  let free = ~usedLanes(parent);
  while (used != 0) {
    const from = ctz(used);
    const to = ctz(free);
    used &= used - 1;
    free &= free - 1;
    const child = childAt(node, from);
    setLane(parent, to, new Box(laneMin(node, from), laneMax(node, from)), child);
    adopt(tree, parentIndex, to, child);
  }
  freeNode(tree, index);
}

/** Copies the bounds of this node to its parent and so on upwards, until nothing changes. */
function refit(tree: Tree, index: i32): void {
  let node = nodeAt(tree, index);
  while (node.parent >= 0) {
    const parent = nodeAt(tree, node.parent >> 2);
    const m = laneMask(node.parent & 3);
    const minX = v128.bitselect(minOfLanes(node.minX), parent.minX, m);
    const minY = v128.bitselect(minOfLanes(node.minY), parent.minY, m);
    const minZ = v128.bitselect(minOfLanes(node.minZ), parent.minZ, m);
    const maxX = v128.bitselect(maxOfLanes(node.maxX), parent.maxX, m);
    const maxY = v128.bitselect(maxOfLanes(node.maxY), parent.maxY, m);
    const maxZ = v128.bitselect(maxOfLanes(node.maxZ), parent.maxZ, m);
    const changed = v128.or(
      v128.or(
        v128.or(v128.xor(minX, parent.minX), v128.xor(minY, parent.minY)),
        v128.or(v128.xor(minZ, parent.minZ), v128.xor(maxX, parent.maxX)),
      ),
      v128.or(v128.xor(maxY, parent.maxY), v128.xor(maxZ, parent.maxZ)),
    );
    if (!v128.any_true(changed)) return;
    parent.minX = minX;
    parent.minY = minY;
    parent.minZ = minZ;
    parent.maxX = maxX;
    parent.maxY = maxY;
    parent.maxZ = maxZ;
    node = parent;
  }
}

/** Recomputes the bounds of all nodes and the handles of all leaves from the children. */
export function refitAll(): void {
  for (let i = 0; i < TREE_COUNT; i++) {
    const tree = treeAt(i);
    // Free nodes are empty, so all nodes can be filled from their leaves; then from the root down and back.
    for (let index = ROOT; index < tree.nodeEnd; index++) refitLeaves(nodeAt(tree, index), index);
    refitBelow(tree, ROOT);
  }
}

function refitLeaves(node: TreeNode, index: i32): void {
  clearBounds(node);
  for (let lane = 0; lane < 4; lane++) {
    const child = childAt(node, lane);
    if (child >= 0) continue;
    const s = shapeAt(-child);
    setLane(node, lane, new Box(s.aabbMin, s.aabbMax), child);
    s.leaf = (index << 2) | lane;
  }
}

function refitBelow(tree: Tree, index: i32): void {
  const node = nodeAt(tree, index);
  let nodes = nodeLanes(node);
  while (nodes != 0) {
    const lane = ctz(nodes);
    nodes &= nodes - 1;
    const child = childAt(node, lane);
    refitBelow(tree, child);
    const below = nodeAt(tree, child);
    const m = laneMask(lane);
    node.minX = v128.bitselect(minOfLanes(below.minX), node.minX, m);
    node.minY = v128.bitselect(minOfLanes(below.minY), node.minY, m);
    node.minZ = v128.bitselect(minOfLanes(below.minZ), node.minZ, m);
    node.maxX = v128.bitselect(maxOfLanes(below.maxX), node.maxX, m);
    node.maxY = v128.bitselect(maxOfLanes(below.maxY), node.maxY, m);
    node.maxZ = v128.bitselect(maxOfLanes(below.maxZ), node.maxZ, m);
  }
}

// --- shapes too large for the tree, and pending shapes ---

/** Adds to the first node of a list, or to a new node before it. Returns the first node. */
function insertLoose(tree: Tree, slot: i32, head: i32, parent: i32): i32 {
  if (head == 0 || usedLanes(nodeAt(tree, head)) == 15) {
    const fresh = createNode(tree);
    nodeAt(tree, fresh).parent = parent;
    nodeAt(tree, fresh).next = head;
    head = fresh;
  }
  const node = nodeAt(tree, head);
  const lane = ctz(~usedLanes(node));
  const s = shapeAt(slot);
  setLane(node, lane, new Box(s.aabbMin, s.aabbMax), -slot);
  s.leaf = (head << 2) | lane;
  return head;
}

function dropUnbounded(tree: Tree, index: i32): void {
  const next = nodeAt(tree, index).next;
  if (tree.unbounded == index) {
    tree.unbounded = next;
  } else {
    let before = tree.unbounded;
    while (nodeAt(tree, before).next != index) before = nodeAt(tree, before).next;
    nodeAt(tree, before).next = next;
  }
  freeNode(tree, index);
}
