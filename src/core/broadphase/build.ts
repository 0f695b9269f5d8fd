// Builds a four-wide tree top down over boxes, by the binned surface area heuristic (Wald 2007). In: items, each a box
// with its leaf or node. Out: nodes below a given root; leaves and nodes know their new parent. Deterministic: depends
// only on the items and their order.

import { Tree } from '../memory/records';
import { Box } from '../memory/values';
import { adopt, clearNode, createNode, halfArea, nodeAt, reserveBuild, reserveNodes, setLane } from './nodes';

/** An item is a box: minimum with the child in lane 3, maximum. */
export const ITEM: usize = 32;
const TASK: usize = 16; // node, first item, number of items
const BINS = 16;
const BIN: usize = 48; // minimum, maximum, count
const GROUP: usize = 64; // minimum, maximum, first item, number of items, cost
const WORKING: usize = 4 * GROUP + <usize>BINS * (BIN + 4);

/** Smallest share of a side of a split, as a divisor. Below it the median is used, which bounds the depth. */
const SMALLEST_SHARE = 8;

/** @inline */
export function storeItem(at: usize, boxMin: v128, boxMax: v128, child: i32): void {
  v128.store(at, i32x4.replace_lane(boxMin, 3, child));
  v128.store(at, boxMax, 16);
}

/** Reserves scratch for `count` items, the stack of tasks and the working area, in this order. */
export function reserveItems(tree: Tree, count: i32): usize {
  return reserveBuild(tree, <usize>count * (ITEM + TASK) + WORKING);
}

/** Splits the items into a tree below `root`, whose own bounds and parent are kept. */
export function build(tree: Tree, root: i32, items: usize, count: i32): void {
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
        setLane(node, i, new Box(v128.load(at), v128.load(at, 16)), child);
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
      setLane(node, i, new Box(v128.load(group), v128.load(group, 16)), child);
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

/** Cost of a group when it is split further: surface times the least number of nodes. @inline */
function groupCost(area: f32, n: i32): f32 {
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
    const items = new Items(begin, end);
    const by = new Binning(axis, origin, scale);
    const boundary = n > 2 ? bestBoundary(items, by, bins) : 1;
    middle = partition(items, by, boundary);
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
  closeGroup(group, new Items(begin, middle), first, left);
  closeGroup(other, new Items(middle, end), first + left, n - left);
}

/** Addresses of the first item, and behind the last one. @value */
class Items {
  begin: usize;
  end: usize;
}

/** Bins of equal width along an axis (byte offset in a vector). @value */
class Binning {
  axis: usize;
  origin: f32;
  scale: f32;
}

function closeGroup(group: usize, items: Items, first: i32, n: i32): void {
  let low = v128.load(items.begin);
  let high = v128.load(items.begin, 16);
  for (let at = items.begin + ITEM; at < items.end; at += ITEM) {
    low = f32x4.pmin(low, v128.load(at));
    high = f32x4.pmax(high, v128.load(at, 16));
  }
  v128.store(group, low);
  v128.store(group, high, 16);
  store<i32>(group, first, 32);
  store<i32>(group, n, 36);
  store<f32>(group, groupCost(halfArea(f32x4.sub(high, low)), n), 40);
}

/** @inline */
function binOf(item: usize, by: Binning): i32 {
  const bin = <i32>((load<f32>(item + by.axis) + load<f32>(item + by.axis, 16) - by.origin) * by.scale);
  return bin < BINS ? bin : BINS - 1;
}

/** Number of bins on the left side that minimises the surface area heuristic. */
function bestBoundary(items: Items, by: Binning, bins: usize): i32 {
  const infinity = f32x4.splat(f32.POSITIVE_INFINITY);
  const binsEnd = bins + <usize>BINS * BIN;
  for (let bin = bins; bin < binsEnd; bin += BIN) {
    v128.store(bin, infinity);
    v128.store(bin, f32x4.neg(infinity), 16);
    store<i32>(bin, 0, 32);
  }
  for (let at = items.begin; at < items.end; at += ITEM) {
    const bin = bins + <usize>binOf(at, by) * BIN;
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
    store<f32>(rightCosts + ((<usize>i) << 2), cost);
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
    const cost = groupCost(halfArea(f32x4.sub(high, low)), n) + load<f32>(rightCosts + ((<usize>i) << 2));
    if (cost < bestCost) {
      bestCost = cost;
      best = i;
    }
  }
  return best;
}

/** Moves items of bins below the boundary to the front. Returns where the others begin. */
function partition(items: Items, by: Binning, boundary: i32): usize {
  let left = items.begin;
  let right = items.end;
  while (true) {
    while (left < right && binOf(left, by) < boundary) left += ITEM;
    while (left < right && binOf(right - ITEM, by) >= boundary) right -= ITEM;
    if (left >= right) return left;
    right -= ITEM;
    swap(left, right);
    left += ITEM;
  }
}

/** @inline */
function swap(a: usize, b: usize): void {
  const low = v128.load(a);
  const high = v128.load(a, 16);
  v128.store(a, v128.load(b));
  v128.store(a, v128.load(b, 16), 16);
  v128.store(b, low);
  v128.store(b, high, 16);
}

/** @inline */
function key(item: usize, axis: usize): f32 {
  return load<f32>(item + axis) + load<f32>(item + axis, 16);
}

/** Hoare's selection: afterwards no item before `nth` has a larger key than any item from `nth` on. */
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
