// Rebuilds parts of a tree top down, by the binned surface area heuristic (Wald 2007), four-wide.
// In: a node whose subtree has degraded. Out: the same node over a better subtree; leaves know their new
// place. Three uses: after many insertions, after one insertion went too deep, and a little every step.
import { Tree } from '../memory/records';
import {
  adopt,
  childAt,
  clearNode,
  createNode,
  freeNode,
  halfArea,
  laneCount,
  laneMax,
  laneMin,
  nodeAt,
  nodeLanes,
  reserveBuild,
  reserveNodes,
  ROOT,
  setLane,
  usedLanes,
} from './nodes';

/** An item is a box: minimum with the child in lane 3, maximum. */
const ITEM: usize = 32;
const TASK: usize = 16; // node, first item, number of items
const BINS = 16;
const BIN: usize = 48; // minimum, maximum, count
const GROUP: usize = 64; // minimum, maximum, first item, number of items, cost
const WORKING: usize = 4 * GROUP + <usize>BINS * (BIN + 4);

/** Items of a treelet, the part of a tree that one amortised rebuild takes apart. */
const TREELET = 64;
/** One treelet is rebuilt for so many insertions. */
const CHANGES_PER_TREELET = 64;
/** Side of a split that is smaller than this share of the whole gives way to the median: bounds the depth. */
const SMALLEST_SHARE = 8;

/** Keeps the tree good while its leaves move; called once per step. */
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
 * Keeps the depth within a multiple of the logarithm of the size, whatever the order of insertion: when a
 * leaf lands too deep, the lowest ancestor that is too deep for its size is rebuilt (scapegoat trees,
 * Galperin, Rivest 1993).
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

// @ts-ignore: decorator
@inline function deepest(leaves: i32): i32 {
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

/** Builds the whole tree anew, from its leaves and those that wait. */
export function rebuildWithPending(tree: Tree): void {
  const count = countLeaves(tree, ROOT) + tree.pendingCount;
  const items = reserveItems(tree, count);
  const end = takeLeaves(tree, ROOT, items);
  takePending(tree, end, ITEM);
  build(tree, ROOT, items, count);
  tree.changes = 0;
}

/** The leaves below a node as items; frees the nodes below it. Returns the end of the items. */
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

/** Empties the pending list: its leaves as items, or with a stride of 4 as shape slots. */
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

/** Takes the top levels below a node apart, level by level, until there are TREELET pieces; rebuilds them. */
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

/** The children of a node as items: the first at `first`, the others from `rest` on (or in a row). */
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

// @ts-ignore: decorator
@inline function storeItem(at: usize, boxMin: v128, boxMax: v128, child: i32): void {
  v128.store(at, i32x4.replace_lane(boxMin, 3, child));
  v128.store(at, boxMax, 16);
}

/** Scratch for `count` items, the stack of tasks and the working area, in this order. */
function reserveItems(tree: Tree, count: i32): usize {
  return reserveBuild(tree, <usize>count * (ITEM + TASK) + WORKING);
}

/** Splits the items into a tree below `root`, whose own bounds and parent stay as they are. */
function build(tree: Tree, root: i32, items: usize, count: i32): void {
  const tasks = items + <usize>count * ITEM;
  const groups = tasks + <usize>count * TASK;
  let task = tasks;
  store<i32>(task, root);
  store<i32>(task, 0, 4);
  store<i32>(task, count, 8);
  task += TASK;
  while (task != tasks) {
    task -= TASK;
    const index = load<i32>(task);
    const first = load<i32>(task, 4);
    const n = load<i32>(task, 8);
    reserveNodes(tree, 4);
    const node = nodeAt(tree, index);
    clearNode(node);
    if (n <= 4) {
      for (let i = 0; i < n; i++) {
        const at = items + <usize>(first + i) * ITEM;
        const child = load<i32>(at, 12);
        setLane(node, i, v128.load(at), v128.load(at, 16), child);
        adopt(tree, index, i, child);
      }
      continue;
    }
    const groupCount = splitInFour(items, groups, first, n);
    for (let i = 0; i < groupCount; i++) {
      const group = groups + <usize>i * GROUP;
      const groupFirst = load<i32>(group, 32);
      const groupSize = load<i32>(group, 36);
      let child: i32;
      if (groupSize == 1) {
        child = load<i32>(items + <usize>groupFirst * ITEM, 12);
      } else {
        child = createNode(tree);
        store<i32>(task, child);
        store<i32>(task, groupFirst, 4);
        store<i32>(task, groupSize, 8);
        task += TASK;
      }
      setLane(node, i, v128.load(group), v128.load(group, 16), child);
      adopt(tree, index, i, child);
    }
  }
}

/** Splits the most expensive group in two until there are four. Returns their number. */
function splitInFour(items: usize, groups: usize, first: i32, n: i32): i32 {
  store<i32>(groups, first, 32);
  store<i32>(groups, n, 36);
  store<f32>(groups, f32.MAX_VALUE, 40);
  let count = 1;
  while (count < 4) {
    let worst = groups;
    for (let i = 1; i < count; i++) {
      const group = groups + <usize>i * GROUP;
      if (load<f32>(group, 40) > load<f32>(worst, 40)) worst = group;
    }
    if (load<i32>(worst, 36) == 1) break;
    split(items, worst, groups + <usize>count * GROUP, groups + 4 * GROUP);
    count++;
  }
  return count;
}

/** What a group will cost when it is split further: surface times nodes needed at least. */
// @ts-ignore: decorator
@inline function groupCost(area: f32, n: i32): f32 {
  return n == 1 ? <f32>0 : area * (<f32>n + 2);
}

/** Splits a group in two: the first part stays, the second goes to `other`. */
function split(items: usize, group: usize, other: usize, bins: usize): void {
  const first = load<i32>(group, 32);
  const n = load<i32>(group, 36);
  const begin = items + <usize>first * ITEM;
  const end = begin + <usize>n * ITEM;
  let low = f32x4.splat(f32.POSITIVE_INFINITY);
  let high = f32x4.splat(f32.NEGATIVE_INFINITY);
  for (let at = begin; at < end; at += ITEM) {
    const middle = f32x4.add(v128.load(at), v128.load(at, 16)); // twice the centre
    low = f32x4.pmin(low, middle);
    high = f32x4.pmax(high, middle);
  }
  const spread = f32x4.sub(high, low);
  const sx = f32x4.extract_lane(spread, 0);
  const sy = f32x4.extract_lane(spread, 1);
  const sz = f32x4.extract_lane(spread, 2);
  let axis: usize = 0;
  let extent = sx;
  let origin = f32x4.extract_lane(low, 0);
  if (sy > extent) {
    axis = 4;
    extent = sy;
    origin = f32x4.extract_lane(low, 1);
  }
  if (sz > extent) {
    axis = 8;
    extent = sz;
    origin = f32x4.extract_lane(low, 2);
  }
  let middle = begin;
  if (extent > 0) {
    const scale = <f32>BINS / extent;
    const boundary = n > 2 ? bestBoundary(begin, end, axis, origin, scale, bins) : 1;
    middle = partition(begin, end, axis, origin, scale, boundary);
    const left = <i32>((middle - begin) / ITEM);
    const share = n / SMALLEST_SHARE;
    if (left <= share || n - left <= share) {
      if (left == 0 || left == n || n > 2 * SMALLEST_SHARE) {
        middle = begin + <usize>(n >> 1) * ITEM;
        selectNth(begin, end - ITEM, middle, axis);
      }
    }
  } else {
    middle = begin + <usize>(n >> 1) * ITEM;
  }
  const left = <i32>((middle - begin) / ITEM);
  closeGroup(group, begin, middle, first, left);
  closeGroup(other, middle, end, first + left, n - left);
}

function closeGroup(group: usize, begin: usize, end: usize, first: i32, n: i32): void {
  let low = v128.load(begin);
  let high = v128.load(begin, 16);
  for (let at = begin + ITEM; at < end; at += ITEM) {
    low = f32x4.pmin(low, v128.load(at));
    high = f32x4.pmax(high, v128.load(at, 16));
  }
  v128.store(group, low);
  v128.store(group, high, 16);
  store<i32>(group, first, 32);
  store<i32>(group, n, 36);
  store<f32>(group, groupCost(halfArea(f32x4.sub(high, low)), n), 40);
}

// @ts-ignore: decorator
@inline function binOf(item: usize, axis: usize, origin: f32, scale: f32): i32 {
  const bin = <i32>((load<f32>(item + axis) + load<f32>(item + axis, 16) - origin) * scale);
  return bin < BINS ? bin : BINS - 1;
}

/** The number of bins to put on the left so that the surface heuristic is smallest. */
function bestBoundary(begin: usize, end: usize, axis: usize, origin: f32, scale: f32, bins: usize): i32 {
  const infinity = f32x4.splat(f32.POSITIVE_INFINITY);
  const binsEnd = bins + <usize>BINS * BIN;
  for (let bin = bins; bin < binsEnd; bin += BIN) {
    v128.store(bin, infinity);
    v128.store(bin, f32x4.neg(infinity), 16);
    store<i32>(bin, 0, 32);
  }
  for (let at = begin; at < end; at += ITEM) {
    const bin = bins + <usize>binOf(at, axis, origin, scale) * BIN;
    v128.store(bin, f32x4.pmin(v128.load(bin), v128.load(at)));
    v128.store(bin, f32x4.pmax(v128.load(bin, 16), v128.load(at, 16)), 16);
    store<i32>(bin, load<i32>(bin, 32) + 1, 32);
  }
  const rightCosts = binsEnd;
  let low = infinity;
  let high = f32x4.neg(infinity);
  let n = 0;
  for (let i = BINS - 1; i > 0; i--) {
    const bin = bins + <usize>i * BIN;
    low = f32x4.pmin(low, v128.load(bin));
    high = f32x4.pmax(high, v128.load(bin, 16));
    n += load<i32>(bin, 32);
    const cost = n == 0 ? f32.POSITIVE_INFINITY : groupCost(halfArea(f32x4.sub(high, low)), n);
    store<f32>(rightCosts + (<usize>i << 2), cost);
  }
  low = infinity;
  high = f32x4.neg(infinity);
  n = 0;
  let best = 1;
  let bestCost: f32 = f32.POSITIVE_INFINITY;
  for (let i = 1; i < BINS; i++) {
    const bin = bins + <usize>(i - 1) * BIN;
    low = f32x4.pmin(low, v128.load(bin));
    high = f32x4.pmax(high, v128.load(bin, 16));
    n += load<i32>(bin, 32);
    if (n == 0) continue;
    const cost = groupCost(halfArea(f32x4.sub(high, low)), n) + load<f32>(rightCosts + (<usize>i << 2));
    if (cost < bestCost) {
      bestCost = cost;
      best = i;
    }
  }
  return best;
}

/** Items of bins below the boundary first. Returns where the others begin. */
function partition(begin: usize, end: usize, axis: usize, origin: f32, scale: f32, boundary: i32): usize {
  let left = begin;
  let right = end;
  while (true) {
    while (left < right && binOf(left, axis, origin, scale) < boundary) left += ITEM;
    while (left < right && binOf(right - ITEM, axis, origin, scale) >= boundary) right -= ITEM;
    if (left >= right) return left;
    right -= ITEM;
    swap(left, right);
    left += ITEM;
  }
}

// @ts-ignore: decorator
@inline function swap(a: usize, b: usize): void {
  const low = v128.load(a);
  const high = v128.load(a, 16);
  v128.store(a, v128.load(b));
  v128.store(a, v128.load(b, 16), 16);
  v128.store(b, low);
  v128.store(b, high, 16);
}

// @ts-ignore: decorator
@inline function key(item: usize, axis: usize): f32 {
  return load<f32>(item + axis) + load<f32>(item + axis, 16);
}

/** Hoare's selection: afterwards no item before `nth` lies beyond any item from `nth` on. */
function selectNth(first: usize, last: usize, nth: usize, axis: usize): void {
  while (first < last) {
    const pivot = key(first + ((last - first) / ITEM / 2) * ITEM, axis);
    let i = first;
    let j = last;
    while (true) {
      while (key(i, axis) < pivot) i += ITEM;
      while (key(j, axis) > pivot) j -= ITEM;
      if (i > j) break;
      if (i < j) swap(i, j);
      i += ITEM;
      j -= ITEM;
      if (i > j) break;
    }
    if (nth <= j) last = j;
    else if (nth >= i) first = i;
    else return;
  }
}
