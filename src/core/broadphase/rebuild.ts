// Maintains the quality of the trees. In: a tree whose leaves were added, removed and moved. Out: the same leaves in a
// better tree. There are three cases: many leaves wait for insertion; an insertion went too deep; and a small part of
// the tree in each step. Rebuilding of small parts (treelets): Karras, Aila, 2013.
import { Tree } from '../memory/records';
import { build, ITEM, reserveItems, storeItem } from './build';
import { childAt, freeNode, laneCount, laneMax, laneMin, nodeAt, nodeLanes, ROOT, usedLanes } from './nodes';

/** Items of a treelet, the part of a tree that one amortised rebuild replaces. */
const TREELET = 64;
/** Number of insertions per rebuilt treelet. */
const CHANGES_PER_TREELET = 64;
/** Keeps the quality of the tree while its leaves move. Runs once per step. */
export function improve(tree: Tree): void {
  while (tree.changes >= CHANGES_PER_TREELET) {
    tree.changes -= CHANGES_PER_TREELET;
    const root = nextTreelet(tree);
    if (root != 0) rebuildTreelet(tree, root);
  }
}

/** The next node in table order that has child nodes; 0 none. */
function nextTreelet(tree: Tree): i32 {
  let index = tree.cursor;
  for (let i = tree.nodeEnd; i > 0; i--) {
    index = index + 1 < tree.nodeEnd ? index + 1 : ROOT;
    if (nodeLanes(nodeAt(tree, index)) != 0) {
      tree.cursor = index;
      return index;
    }
  }
  return 0;
}

/**
 * Keeps the depth within a multiple of the logarithm of the size, for any order of insertion: if a leaf is too deep,
 * the lowest ancestor that is too deep for its size is rebuilt (scapegoat trees, Galperin, Rivest 1993).
 */
export function balanceAbove(tree: Tree, index: i32, depth: i32): void {
  if (depth <= deepest(tree.leafCount) + 4) return;
  let height = 1;
  let leaves = countLeaves(tree, index);
  while (true) {
    const parent = nodeAt(tree, index).parent;
    if (parent < 0) break;
    const above = nodeAt(tree, parent >> 2);
    for (let lane = 0; lane < 4; lane++) {
      const child = childAt(above, lane);
      if (lane != (parent & 3) && child != 0) leaves += child < 0 ? 1 : countLeaves(tree, child);
    }
    index = parent >> 2;
    height++;
    if (height > deepest(leaves)) break;
  }
  rebuildAll(tree, index);
}

/** @inline */
function deepest(leaves: i32): i32 {
  return 2 * (32 - clz<i32>(leaves));
}

function countLeaves(tree: Tree, root: i32): i32 {
  let stack = <usize>tree.stack;
  let leaves = 0;
  store<i32>(stack, root);
  stack += 4;
  while (stack != <usize>tree.stack) {
    stack -= 4;
    const node = nodeAt(tree, load<i32>(stack));
    leaves += laneCount(node);
    let nodes = nodeLanes(node);
    while (nodes != 0) {
      store<i32>(stack, childAt(node, ctz(nodes)));
      stack += 4;
      nodes &= nodes - 1;
      leaves--;
    }
  }
  return leaves;
}

/** Rebuilds everything below a node. */
function rebuildAll(tree: Tree, root: i32): void {
  const count = countLeaves(tree, root);
  const items = reserveItems(tree, count);
  takeLeaves(tree, root, items);
  build(tree, root, items, count);
}

/** Rebuilds the whole tree from its leaves and the pending leaves. */
export function rebuildWithPending(tree: Tree): void {
  const count = countLeaves(tree, ROOT) + tree.pendingCount;
  const items = reserveItems(tree, count);
  const end = takeLeaves(tree, ROOT, items);
  takePending(tree, end, ITEM);
  build(tree, ROOT, items, count);
  tree.changes = 0;
}

/** Collects the leaves below a node as items and frees the nodes below it. Returns the end of the items. */
function takeLeaves(tree: Tree, root: i32, at: usize): usize {
  let stack = <usize>tree.stack;
  store<i32>(stack, root);
  stack += 4;
  while (stack != <usize>tree.stack) {
    stack -= 4;
    const index = load<i32>(stack);
    const node = nodeAt(tree, index);
    let used = usedLanes(node);
    while (used != 0) {
      const lane = ctz(used);
      used &= used - 1;
      const child = childAt(node, lane);
      if (child > 0) {
        store<i32>(stack, child);
        stack += 4;
      } else {
        storeItem(at, laneMin(node, lane), laneMax(node, lane), child);
        at += ITEM;
      }
    }
    if (index != root) freeNode(tree, index);
  }
  return at;
}

/** Empties the pending list: stores its leaves as items, or with a stride of 4 as shape slots. */
export function takePending(tree: Tree, at: usize, stride: usize): void {
  let index = tree.pending;
  while (index != 0) {
    const node = nodeAt(tree, index);
    const next = node.next;
    let used = usedLanes(node);
    while (used != 0) {
      const lane = ctz(used);
      used &= used - 1;
      if (stride == ITEM) storeItem(at, laneMin(node, lane), laneMax(node, lane), childAt(node, lane));
      else store<i32>(at, -childAt(node, lane));
      at += stride;
    }
    freeNode(tree, index);
    index = next;
  }
  tree.pending = 0;
  tree.pendingCount = 0;
}

/** Opens the top levels below a node, level by level, until there are TREELET pieces, and rebuilds them. */
function rebuildTreelet(tree: Tree, root: i32): void {
  const items = reserveItems(tree, TREELET);
  let count = takeLanes(tree, root, items, items);
  let opened = true;
  while (opened) {
    opened = false;
    const end = count;
    for (let i = 0; i < end; i++) {
      const at = items + <usize>i * ITEM;
      const child = load<i32>(at, 12);
      if (child < 0) continue;
      const node = nodeAt(tree, child);
      if (count + laneCount(node) - 1 > TREELET) continue;
      count += takeLanes(tree, child, at, items + <usize>count * ITEM) - 1;
      freeNode(tree, child);
      opened = true;
    }
  }
  build(tree, root, items, count);
}

/** Stores the children of a node as items: the first at `first`, the others from `rest` on (or all in a row). */
function takeLanes(tree: Tree, index: i32, first: usize, rest: usize): i32 {
  const node = nodeAt(tree, index);
  let used = usedLanes(node);
  let count = 0;
  let to = first;
  if (rest == first) rest += ITEM;
  while (used != 0) {
    const lane = ctz(used);
    used &= used - 1;
    storeItem(to, laneMin(node, lane), laneMax(node, lane), childAt(node, lane));
    to = rest;
    rest += ITEM;
    count++;
  }
  return count;
}
