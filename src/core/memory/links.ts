// Whether a state that was read refers to what is there. In: tables as a snapshot had them, from anywhere. Out: true
// where every index lies in its table and no list runs in circles: nothing that follows them can go astray.
import {
  BODY_USED,
  COLOR_COUNT,
  LIST_CONCAVE,
  LIST_NONE,
  LIST_SENSOR,
  LIST_SOLVED,
  LIST_WAITING,
  PAIR_CHILD,
  PAIR_PARKED,
  SHAPE_USED,
} from './constants';
import { Tree, TreeNode } from './records';
import { bodyAt, jointAt, pairAt, shapeAt, waitingAt, wordAt, world } from './tables';
import { PARKED_LINK, parkedAt } from '../solver/lanes';

/** Levels of a tree: rebuilt as they are, none comes near this. */
const DEEPEST = 256;
/** Leaves that may have been put into a tree since its last rebuild, of which every step does a part. */
const MOST_CHANGES = 1 << 20;
/** Types of shapes are below this. */
const SHAPE_TYPES = 32;

// @ts-ignore: decorator
@inline function within(index: i32, end: i32): bool {
  return <u32>index < <u32>end;
}

export function shapesFit(): bool {
  const g = world();
  let left = g.shapeEnd;
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED)) continue;
    if (b.slot != slot || !within(b.type, 3) || !within(b.islandNext, g.bodyEnd)) return false;
    for (let at = b.firstShape; at != 0; ) {
      // Each shape is in one list.
      if (!within(at, g.shapeEnd) || --left <= 0) return false;
      const s = shapeAt(at);
      if (s.body != slot || s.slot != at || !(s.flags & SHAPE_USED)) return false;
      if (!within(s.type, SHAPE_TYPES) || !within(s.tree + 1, 3)) return false;
      if (
        s.geometrySlot != 0 &&
        !(within(s.geometrySlot, g.geometryEnd) && wordAt(g.geometries, 2 * s.geometrySlot))
      )
        return false;
      at = s.next;
    }
  }
  return true;
}

// @ts-ignore: decorator
@inline function isShape(slot: i32): bool {
  return slot > 0 && slot < world().shapeEnd && (shapeAt(slot).flags & SHAPE_USED) != 0;
}

/** Pairs, the lists of pairs of bodies, and children; Pair.bodyA and bodyB are made before. */
export function pairsFit(): bool {
  const g = world();
  let children = g.pairEnd;
  for (let i = 0; i < g.pairEnd; i++) {
    const pair = pairAt(i);
    if (pair.shapeA <= 0) continue;
    if (!within(pair.list, LIST_CONCAVE + 1) || !within(pair.color, COLOR_COUNT)) return false;
    if (pair.flags & PAIR_CHILD && !within(pair.owner, g.pairEnd)) return false;
    for (let at = pair.firstChild; at >= 0; ) {
      if (at >= g.pairEnd || --children < 0) return false;
      const child = pairAt(at);
      if (child.owner != i || !(child.flags & PAIR_CHILD)) return false;
      at = child.next;
    }
  }
  let links = 2 * g.pairEnd;
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED)) continue;
    for (let link = b.firstPair; link >= 0; ) {
      if (link >> 1 >= g.pairEnd || --links < 0) return false;
      const pair = pairAt(link >> 1);
      if (pair.shapeA <= 0 || (link & 1 ? pair.bodyB : pair.bodyA) != slot) return false;
      link = link & 1 ? pair.nextB : pair.nextA;
    }
  }
  return true;
}

/** Whether the shapes that pairs name are there. Before Pair.bodyA and bodyB are made. */
export function pairShapesFit(): bool {
  const g = world();
  for (let i = 0; i < g.pairEnd; i++) {
    const pair = pairAt(i);
    if (pair.shapeA > 0 && !(isShape(pair.shapeA) && isShape(pair.shapeB))) return false;
  }
  return true;
}

export function jointsFit(): bool {
  const g = world();
  for (let slot = 1; slot < g.jointEnd; slot++) {
    const j = jointAt(slot);
    if (!within(j.bodyA, g.bodyEnd) || !within(j.bodyB, g.bodyEnd) || !within(j.type, 16)) return false;
    if (!within(j.nextA >> 1, g.jointEnd) || !within(j.nextB >> 1, g.jointEnd)) return false;
    if (!within(j.prevA >> 1, g.jointEnd) || !within(j.prevB >> 1, g.jointEnd)) return false;
  }
  let links = 2 * g.jointEnd;
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    for (let link = bodyAt(slot).firstJoint; link != 0; ) {
      if (!within(link >> 1, g.jointEnd) || --links < 0) return false;
      const j = jointAt(link >> 1);
      if ((link & 1 ? j.bodyB : j.bodyA) != slot) return false;
      link = link & 1 ? j.nextB : j.nextA;
    }
  }
  return true;
}

function listFits(list: u32, count: i32, kind: i32): bool {
  for (let i = 0; i < count; i++) {
    const index = kind == LIST_WAITING ? waitingAt(i).pair : wordAt(list, i);
    if (!within(index, world().pairEnd)) return false;
    const pair = pairAt(index);
    if (pair.shapeA <= 0 || pair.list != kind) return false;
  }
  return true;
}

/** Lists of the awake, the moved and of pairs, before anything is told its place in them. */
export function listsFit(): bool {
  const g = world();
  for (let i = 0; i < g.awakeCount; i++) {
    const slot = wordAt(g.awake, i);
    if (slot <= 0 || slot >= g.bodyEnd || !(bodyAt(slot).flags & BODY_USED)) return false;
  }
  for (let i = 0; i < g.movedCount; i++) if (!isShape(wordAt(g.moved, i))) return false;
  return (
    listFits(0, g.waitingCount, LIST_WAITING) &&
    listFits(g.sensors, g.sensorCount, LIST_SENSOR) &&
    listFits(g.concaves, g.concaveCount, LIST_CONCAVE)
  );
}

/** Once places are told: nobody twice in a list, nobody who should be in one and is not; free lists that end. */
export function placesFit(lanes: i32): bool {
  const g = world();
  for (let i = 0; i < g.awakeCount; i++) if (bodyAt(wordAt(g.awake, i)).awakeIndex != i) return false;
  let solved = 0;
  let waiting = 0;
  let sensors = 0;
  let concave = 0;
  for (let i = 0; i < g.pairEnd; i++) {
    const pair = pairAt(i);
    if (pair.shapeA <= 0) continue;
    if (pair.list == LIST_SOLVED) solved++;
    else if (pair.list == LIST_WAITING) waiting++;
    else if (pair.list == LIST_SENSOR) sensors++;
    else if (pair.list == LIST_CONCAVE) concave++;
    if (pair.list == LIST_NONE && pair.flags & PAIR_PARKED && !within(pair.index, g.parkedEnd)) return false;
  }
  if (solved != lanes || g.contactCount != lanes) return false;
  if (waiting != g.waitingCount || sensors != g.sensorCount || concave != g.concaveCount) return false;
  let left = g.pairEnd;
  for (let i = g.pairFree; i >= 0; i = pairAt(i).index)
    if (i >= g.pairEnd || pairAt(i).shapeA > 0 || --left < 0) return false;
  left = g.parkedEnd;
  for (let i = g.parkedFree; i >= 0; i = load<i32>(parkedAt(i) + PARKED_LINK))
    if (i >= g.parkedEnd || --left < 0) return false;
  return true;
}

// @ts-ignore: decorator
@inline function node(tree: Tree, index: i32): TreeNode {
  return changetype<TreeNode>(<usize>tree.nodes + <usize>index * offsetof<TreeNode>());
}

// @ts-ignore: decorator
@inline function childOf(n: TreeNode, lane: i32): i32 {
  return load<i32>(changetype<usize>(n) + ((<usize>lane) << 2), offsetof<TreeNode>('child'));
}

/** Nodes in a chain, -1 where it has no end. */
function chainLength(tree: Tree, first: i32): i32 {
  let count = 0;
  for (let at = first; at != 0; at = node(tree, at).next)
    if (!within(at, tree.nodeEnd) || ++count > tree.nodeEnd) return -1;
  return count;
}

/** Links of a tree, before its boxes are made; `number`: which of the two. */
export function treeFits(tree: Tree, number: i32): bool {
  if (!within(tree.cursor, max(1, tree.nodeEnd))) return false;
  if (chainLength(tree, tree.nodeFree) < 0 || chainLength(tree, tree.unbounded) < 0) return false;
  const pending = chainLength(tree, tree.pending);
  if (pending < 0 || !within(tree.pendingCount, 4 * pending + 1) || !within(tree.changes, MOST_CHANGES))
    return false;
  if (!within(tree.leafCount, world().shapeEnd) || !within(tree.nodeCount, tree.nodeEnd)) return false;
  if (tree.nodeEnd > 1 && node(tree, 1).parent != -1) return false;
  for (let index = 1; index < tree.nodeEnd; index++) {
    const n = node(tree, index);
    for (let lane = 0; lane < 4; lane++) {
      const child = childOf(n, lane);
      if (child > 0) {
        if (child >= tree.nodeEnd || node(tree, child).parent != ((index << 2) | lane)) return false;
      } else if (child < 0 && !(isShape(-child) && shapeAt(-child).tree == number)) return false;
    }
    let depth = 0;
    for (let up = n.parent; up >= 0; up = node(tree, up >> 2).parent)
      if (up >> 2 >= tree.nodeEnd || ++depth > DEEPEST) return false;
  }
  return true;
}

/** Once the boxes are made: every shape is the leaf that it takes itself for. */
export function leavesFit(trees: u32): bool {
  const g = world();
  for (let slot = 1; slot < g.shapeEnd; slot++) {
    const s = shapeAt(slot);
    if (!(s.flags & SHAPE_USED) || s.tree < 0) continue;
    const tree = changetype<Tree>(<usize>trees + <usize>s.tree * offsetof<Tree>());
    if (!within(s.leaf >> 2, tree.nodeEnd) || childOf(node(tree, s.leaf >> 2), s.leaf & 3) != -slot)
      return false;
  }
  return true;
}
