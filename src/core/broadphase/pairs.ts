// Finds new pairs of shapes whose fat AABBs overlap. In: world().moved, the trees, the pair set. Out: world().newPairs,
// sorted by (shape A, shape B), each pair once; moved is empty again. Each moved shape queries both trees, so static
// shapes placed on sleeping bodies are found.

import { Tree, TreeNode, World } from '../memory/records';
import { growTable, scratch, setWord, shapeAt, wordAt, world } from '../memory/tables';
import { BoxLanes } from '../memory/values';
import { fork, forks, outcomes, thread, threads } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { meetsNothing, shouldCollide, userAllows } from './filter';
import {
  CHILD,
  NODE_SIZE,
  nodeAt,
  overlapLanes,
  ROOT,
  splatX,
  splatY,
  splatZ,
  TREE_COUNT,
  treeAt,
} from './nodes';
import { pairSetHas } from './pairSet';
import { improve } from './rebuild';
import { sortKeys, sortSpare } from './sort';
import { insertPending } from './tree';

export function findOverlappingPairs(): void {
  const g = world();
  for (let i = 0; i < TREE_COUNT; i++) {
    insertPending(treeAt(i));
    improve(treeAt(i));
  }
  g.newPairCount = 0;
  if (THREADED && forks(g.movedCount, SHARED_QUERIES)) searchTogether();
  else
    for (let i = 0; i < g.movedCount; i++) {
      const slot = wordAt(g.moved, i);
      if (shapeAt(slot).tree < 0 || meetsNothing(shapeAt(slot))) continue;
      for (let t = 0; t < TREE_COUNT; t++) queryTree(treeAt(t), slot, <usize>treeAt(t).stack, false);
    }
  for (let i = 0; i < g.movedCount; i++) shapeAt(wordAt(g.moved, i)).movedIndex = -1;
  g.movedCount = 0;
  sortNewPairs();
  if (g.pairFilterEnabled) askUser();
}

/** Moved shapes from which on the search is shared between threads. */
const SHARED_QUERIES = 24;

/** The search on several threads. They append to the list in any order, and it is sorted afterwards. */
function searchTogether(): void {
  const g = world();
  // A stack for each thread, as large as that of the tree (reserveNodes).
  let nodes = 0;
  for (let t = 0; t < TREE_COUNT; t++) nodes = max(nodes, treeAt(t).nodeCapacity);
  const stack = nodes << 5;
  outcomes((stack >> 2) * threads());
  fork(searchSome, stack, 0, g.movedCount);
  if (g.newPairCount <= g.newPairCapacity) return;
  // What did not fit was only counted.
  growTable(offsetof<World>('newPairs'), g.newPairCount, 8);
  g.newPairCount = 0;
  fork(searchSome, stack, 0, g.movedCount);
}

/** A part of searchTogether. */
function searchSome(from: i32, to: i32, stackBytes: i32, _: i32): void {
  const g = world();
  const stack = outcomes(0) + <usize>(stackBytes * thread());
  for (let i = from; i < to; i++) {
    const slot = wordAt(g.moved, i);
    if (shapeAt(slot).tree < 0 || meetsNothing(shapeAt(slot))) continue;
    for (let t = 0; t < TREE_COUNT; t++) queryTree(treeAt(t), slot, stack, true);
  }
}

/**
 * Pairs the shape with each leaf of the tree that overlaps it. First all leaves are listed, in the second half of the stack: which
 * lanes of a node overlap is as good as random, so children are stored without a branch for each, and counted if they do.
 */
function queryTree(tree: Tree, slot: i32, stack: usize, shared: bool): void {
  if (tree.leafCount == 0) return;
  const s = shapeAt(slot);
  const box = new BoxLanes(
    splatX(s.aabbMin),
    splatY(s.aabbMin),
    splatZ(s.aabbMin),
    splatX(s.aabbMax),
    splatY(s.aabbMax),
    splatZ(s.aabbMax),
  );
  const nodes = <usize>tree.nodes;
  const leaves = stack + ((<usize>tree.nodeCapacity) << 4);
  let found = leaves;
  let top = stack;
  for (let i = tree.unbounded; i != 0; i = nodeAt(tree, i).next) {
    store<i32>(top, i);
    top += 4;
  }
  let index = ROOT;
  while (true) {
    const node = nodes + <usize>index * NODE_SIZE;
    const hits = overlapLanes(changetype<TreeNode>(node), box);
    const child = v128.load(node, CHILD);
    const inner = hits & i32x4.bitmask(i32x4.gt_s(child, i32x4.splat(0)));
    const outer = hits ^ inner;
    v128.store32_lane(top, child, 0);
    top += bitBytes(inner, 0);
    v128.store32_lane(top, child, 1);
    top += bitBytes(inner, 1);
    v128.store32_lane(top, child, 2);
    top += bitBytes(inner, 2);
    v128.store32_lane(top, child, 3);
    top += bitBytes(inner, 3);
    v128.store32_lane(found, child, 0);
    found += bitBytes(outer, 0);
    v128.store32_lane(found, child, 1);
    found += bitBytes(outer, 1);
    v128.store32_lane(found, child, 2);
    found += bitBytes(outer, 2);
    v128.store32_lane(found, child, 3);
    found += bitBytes(outer, 3);
    if (top == stack) break;
    top -= 4;
    index = load<i32>(top);
  }
  for (let at = leaves; at < found; at += 4) consider(slot, -load<i32>(at), shared);
}

/** The bytes of a word if the bit is set, otherwise 0. @inline */
function bitBytes(bits: i32, bit: i32): usize {
  return ((<usize>bits >> <usize>bit) & 1) << 2;
}

/** Adds the pair unless it exists, is filtered, or the other shape will find it as well. @inline */
function consider(slot: i32, other: i32, shared: bool): void {
  if (slot == other) return;
  const a = min<i32>(slot, other);
  const b = max<i32>(slot, other);
  // Most overlaps of a moving shape are existing pairs, and the set is smaller than the shapes: test it first.
  if (pairSetHas(a, b)) return;
  const s = shapeAt(other);
  if (s.movedIndex >= 0 && other < slot) return;
  if (shouldCollide(shapeAt(slot), s)) note(a, b, shared);
}

function note(a: i32, b: i32, shared: bool): void {
  const g = world();
  let i: i32;
  if (THREADED && shared) {
    i = atomic.add<i32>(changetype<usize>(g) + offsetof<World>('newPairCount'), 1);
    if (i >= g.newPairCapacity) return; // searchTogether makes room
  } else {
    i = g.newPairCount++;
    growTable(offsetof<World>('newPairs'), i + 1, 8);
  }
  // Stored as a sort key: A in the high word.
  store<u64>(<usize>g.newPairs + ((<usize>i) << 3), ((<u64>a) << 32) | <u64>b);
}

function sortNewPairs(): void {
  const g = world();
  const count = g.newPairCount;
  if (count == 0) return;
  const keys = <usize>g.newPairs;
  sortKeys(keys, scratch(sortSpare(count)), count);
  for (let at = keys; at < keys + ((<usize>count) << 3); at += 8)
    store<u64>(at, rotl<u64>(load<u64>(at), 32));
}

/** Calls the user's pair filter, in sorted order. */
function askUser(): void {
  const g = world();
  let kept = 0;
  for (let i = 0; i < g.newPairCount; i++) {
    const a = wordAt(g.newPairs, 2 * i);
    const b = wordAt(g.newPairs, 2 * i + 1);
    if (!userAllows(a, b)) continue;
    setWord(g.newPairs, 2 * kept, a);
    setWord(g.newPairs, 2 * kept + 1, b);
    kept++;
  }
  g.newPairCount = kept;
}
