// Insert, remove and update leaves of the four-wide dynamic AABB trees.
// In: shapes with their fat AABBs. Out: trees whose lanes hold exactly the union of what is below them.
// Cost of a tree: the sum of the surface of its nodes (surface area heuristic, Goldsmith, Salmon, 1987).
import { Tree, TreeNode } from '../memory/records';
import { allocate, shapeAt, world } from '../memory/tables';
import {
  adopt,
  childAt,
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
  PARENT_NONE,
  PARENT_UNBOUNDED,
  QUERY_SCRATCH,
  reserveNodes,
  ROOT,
  setLane,
  splatX,
  splatY,
  splatZ,
  TREE_COUNT,
  TREE_SIZE,
  treeAt,
  usedLanes,
} from './nodes';
import { balanceAbove } from './rebuild';

const FIRST_NODES = 64;

export function initializeTrees(): void {
  const g = world();
  g.trees = allocate(<usize>TREE_COUNT * TREE_SIZE + QUERY_SCRATCH);
  for (let i = 0; i < TREE_COUNT; i++) {
    const tree = treeAt(i);
    tree.nodeEnd = ROOT;
    reserveNodes(tree, FIRST_NODES - ROOT);
    createNode(tree); // the root
  }
}

/** Forgets all leaves and inserts every shape again that says it is in a tree, in slot order. */
export function rebuildTrees(): void {
  const g = world();
  for (let i = 0; i < TREE_COUNT; i++) {
    const tree = treeAt(i);
    tree.nodeEnd = ROOT;
    tree.nodeFree = 0;
    tree.nodeCount = 0;
    tree.leafCount = 0;
    tree.unbounded = 0;
    tree.changes = 0;
    tree.cursor = 0;
    createNode(tree);
  }
  for (let slot = 1; slot < g.shapeEnd; slot++) {
    const s = shapeAt(slot);
    if (s.flags != 0 && s.tree >= 0) insertLeaf(s.tree, slot);
  }
}

/** Puts the shape's fat AABB into the tree. Returns the handle, which Shape.leaf holds and follows. */
export function insertLeaf(treeIndex: i32, slot: i32): i32 {
  const tree = treeAt(treeIndex);
  reserveNodes(tree, 1);
  tree.leafCount++;
  insertFrom(tree, slot);
  return shapeAt(slot).leaf;
}

export function removeLeaf(treeIndex: i32, leaf: i32): void {
  const tree = treeAt(treeIndex);
  const s = leafShape(tree, leaf);
  tree.leafCount--;
  detach(tree, leaf);
  s.leaf = -1;
}

/** The fat AABB of the shape has changed. */
export function updateLeaf(treeIndex: i32, leaf: i32): void {
  const tree = treeAt(treeIndex);
  const nodeIndex = leaf >> 2;
  const lane = leaf & 3;
  const node = nodeAt(tree, nodeIndex);
  const slot = -childAt(node, lane);
  const s = shapeAt(slot);
  const unbounded = isUnbounded(s.aabbMin, s.aabbMax);
  if (unbounded == (node.parent == PARENT_UNBOUNDED)) {
    if (unbounded || node.parent == PARENT_NONE || parentContains(tree, node, s.aabbMin, s.aabbMax)) {
      setLane(node, lane, s.aabbMin, s.aabbMax, -slot);
      if (!unbounded) refit(tree, nodeIndex);
      return;
    }
  }
  reserveNodes(tree, 1);
  detach(tree, leaf);
  insertFrom(tree, slot);
}

/** Whether the box fits into the bounds the parent keeps of this node. */
// @ts-ignore: decorator
@inline function parentContains(tree: Tree, node: TreeNode, boxMin: v128, boxMax: v128): bool {
  const parent = nodeAt(tree, node.parent >> 2);
  const lane = node.parent & 3;
  const inside = v128.and(
    f32x4.le(laneMin(parent, lane), boxMin),
    f32x4.ge(laneMax(parent, lane), boxMax),
  );
  return (i32x4.bitmask(inside) & 7) == 7;
}

/**
 * Descends to where the tree's cost grows least. A free lane costs nothing, since a node is tested as a
 * whole. In a full node a child node would grow by the shape, a leaf would become a node of two.
 */
function insertFrom(tree: Tree, slot: i32): void {
  const s = shapeAt(slot);
  const boxMin = s.aabbMin;
  const boxMax = s.aabbMax;
  if (isUnbounded(boxMin, boxMax)) {
    insertUnbounded(tree, slot);
    return;
  }
  tree.changes++;
  const bMinX = splatX(boxMin);
  const bMinY = splatY(boxMin);
  const bMinZ = splatZ(boxMin);
  const bMaxX = splatX(boxMax);
  const bMaxY = splatY(boxMax);
  const bMaxZ = splatZ(boxMax);
  let index = ROOT;
  let depth = 0;
  while (true) {
    const node = nodeAt(tree, index);
    node.changes++;
    const used = usedLanes(node);
    if (used != 15) {
      const lane = ctz(~used);
      setLane(node, lane, boxMin, boxMax, -slot);
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
    // The first lane that has the smallest cost.
    const lane = ctz(i32x4.bitmask(f32x4.eq(cost, minOfLanes(cost))));
    const m = laneMask(lane);
    node.minX = v128.bitselect(minX, node.minX, m);
    node.minY = v128.bitselect(minY, node.minY, m);
    node.minZ = v128.bitselect(minZ, node.minZ, m);
    node.maxX = v128.bitselect(maxX, node.maxX, m);
    node.maxY = v128.bitselect(maxY, node.maxY, m);
    node.maxZ = v128.bitselect(maxZ, node.maxZ, m);
    const child = childAt(node, lane);
    depth++;
    if (child > 0) {
      index = child;
      continue;
    }
    const fresh = createNode(tree);
    const pair = nodeAt(tree, fresh);
    const other = shapeAt(-child);
    pair.parent = (index << 2) | lane;
    setLane(pair, 0, other.aabbMin, other.aabbMax, child);
    setLane(pair, 1, boxMin, boxMax, -slot);
    other.leaf = fresh << 2;
    s.leaf = (fresh << 2) | 1;
    node.child = v128.bitselect(i32x4.splat(fresh), node.child, m);
    break;
  }
  balanceAbove(tree, s.leaf >> 2, depth);
}

// @ts-ignore: decorator
@inline function areas(ex: v128, ey: v128, ez: v128): v128 {
  return f32x4.add(f32x4.mul(ex, f32x4.add(ey, ez)), f32x4.mul(ey, ez));
}

/** Empties the lane, dissolves nodes whose children now fit elsewhere, and refits the ancestors. */
function detach(tree: Tree, leaf: i32): void {
  const index = leaf >> 2;
  const node = nodeAt(tree, index);
  clearLane(node, leaf & 3);
  if (node.parent == PARENT_UNBOUNDED) {
    if (usedLanes(node) == 0) dropUnbounded(tree, index);
    return;
  }
  refit(tree, settle(tree, index));
}

/**
 * Fewer, fuller nodes: a node whose lanes fit into its parent's gives them up and goes. Returns the node
 * from which bounds have to be refitted.
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
  // A lane has become free here: a small child node may fit in now.
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
    setLane(parent, to, laneMin(node, from), laneMax(node, from), child);
    adopt(tree, parentIndex, to, child);
  }
  freeNode(tree, index);
}

/** Bounds of this node into its parent and so on up, until nothing changes. */
export function refit(tree: Tree, index: i32): void {
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

// --- shapes too large for the tree ---

function insertUnbounded(tree: Tree, slot: i32): void {
  const s = shapeAt(slot);
  let index = tree.unbounded;
  while (index != 0 && usedLanes(nodeAt(tree, index)) == 15) index = nodeAt(tree, index).next;
  if (index == 0) {
    index = createNode(tree);
    const fresh = nodeAt(tree, index);
    fresh.parent = PARENT_UNBOUNDED;
    fresh.next = tree.unbounded;
    tree.unbounded = index;
  }
  const node = nodeAt(tree, index);
  const lane = ctz(~usedLanes(node));
  setLane(node, lane, s.aabbMin, s.aabbMax, -slot);
  s.leaf = (index << 2) | lane;
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
