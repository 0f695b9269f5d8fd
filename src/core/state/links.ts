// Checks the references of a state that was read. In: tables from a snapshot, possibly forged. Out: true if each index
// is within its table and no list is circular, so that they can be followed safely.

import { updatePairMaterial } from '../contacts/pairs';
import {
  BODY_USED,
  LIST_CONCAVE,
  LIST_NONE,
  LIST_SENSOR,
  LIST_SOLVED,
  PAIR_CHILD,
  PAIR_CONCAVE,
  SHAPE_USED,
} from '../memory/constants';
import { Tree, TreeNode } from '../memory/records';
import { bodyAt, jointAt, pairAt, shapeAt, wordAt, world } from '../memory/tables';

/** Most levels of a tree, far more than rebuilds allow. */
const DEEPEST = 256;
/** Most leaves inserted into a tree since its last rebuild; each step does a part of that rebuild. */
const MOST_CHANGES = 1 << 20;
/** Bound of shape types. */
const SHAPE_TYPES = 32;

/** @inline */
export function within(index: i32, end: i32): bool {
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
      // Each shape is in exactly one list.
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

/** @inline */
export function isShape(slot: i32): bool {
  return slot > 0 && slot < world().shapeEnd && (shapeAt(slot).flags & SHAPE_USED) != 0;
}

/**
 * Checks pairs, the pair lists of bodies, children and free records. Sets the back links of pairs, and copies the
 * owner's data to children.
 */
export function pairsFit(): bool {
  const g = world();
  let owners = 0;
  let children = 0;
  let taken = 0;
  for (let i = 0; i < g.pairEnd; i++) {
    const pair = pairAt(i);
    if (pair.flags & PAIR_CHILD) children++;
    if (pair.shapeA <= 0) continue;
    owners++;
    for (let at = pair.firstChild; at >= 0; ) {
      if (at >= g.pairEnd || ++taken > g.pairEnd || !(pair.flags & PAIR_CONCAVE)) return false;
      const child = pairAt(at);
      if (child.owner != i || !(child.flags & PAIR_CHILD) || child.firstChild >= 0) return false;
      at = child.next;
    }
  }
  if (taken != children) return false;
  for (let i = 0; i < g.pairEnd; i++) {
    const child = pairAt(i);
    if (!(child.flags & PAIR_CHILD)) continue;
    const owner = pairAt(child.owner);
    child.shapeA = owner.shapeA;
    child.shapeB = owner.shapeB;
    child.bodyA = owner.bodyA;
    child.bodyB = owner.bodyB;
    updatePairMaterial(child);
  }
  let links = 0;
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED)) continue;
    let before = -1;
    for (let link = b.firstPair; link >= 0; links++) {
      if (link >> 1 >= g.pairEnd || links >= 2 * owners) return false;
      const pair = pairAt(link >> 1);
      if (pair.flags & PAIR_CHILD || (link & 1 ? pair.bodyB : pair.bodyA) != slot) return false;
      if (link & 1) pair.prevB = before;
      else pair.prevA = before;
      before = link;
      link = link & 1 ? pair.nextB : pair.nextA;
    }
  }
  let left = g.pairEnd - owners - children;
  for (let i = g.pairFree; i >= 0; i = pairAt(i).index)
    if (i >= g.pairEnd || pairAt(i).shapeA > 0 || --left < 0) return false;
  return links == 2 * owners && left == 0;
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
    const index = wordAt(list, i);
    if (!within(index, world().pairEnd) || pairAt(index).list != kind) return false;
  }
  return true;
}

/** Checks the lists of pairs and of moved shapes, before list indices are assigned. */
export function listsFit(): bool {
  const g = world();
  for (let i = 0; i < g.movedCount; i++) if (!isShape(wordAt(g.moved, i))) return false;
  return (
    listFits(g.sensors, g.sensorCount, LIST_SENSOR) && listFits(g.concaves, g.concaveCount, LIST_CONCAVE)
  );
}

/** After list indices are assigned: no entry is twice in a list, and none is missing. */
export function placesFit(lanes: i32): bool {
  const g = world();
  let solved = 0;
  let sensors = 0;
  let concave = 0;
  for (let i = 0; i < g.pairEnd; i++) {
    const pair = pairAt(i);
    if (pair.shapeA > 0 && pair.list != LIST_NONE && pair.index < 0) return false;
    if (pair.list == LIST_SOLVED) solved++;
    else if (pair.list == LIST_SENSOR) sensors++;
    else if (pair.list == LIST_CONCAVE) concave++;
  }
  if (solved != lanes || g.contactCount != lanes) return false;
  return sensors == g.sensorCount && concave == g.concaveCount;
}

/** Whether awake bodies exist, each once; assigns their indices. */
export function awakeFit(): bool {
  const g = world();
  for (let i = 0; i < g.awakeCount; i++) {
    const slot = wordAt(g.awake, i);
    if (slot <= 0 || slot >= g.bodyEnd || !(bodyAt(slot).flags & BODY_USED)) return false;
    if (bodyAt(slot).awakeIndex >= 0) return false;
    bodyAt(slot).awakeIndex = i;
  }
  return true;
}

/** @inline */
function node(tree: Tree, index: i32): TreeNode {
  return changetype<TreeNode>(<usize>tree.nodes + <usize>index * offsetof<TreeNode>());
}

/** @inline */
function childOf(n: TreeNode, lane: i32): i32 {
  return load<i32>(changetype<usize>(n) + ((<usize>lane) << 2), offsetof<TreeNode>('child'));
}

/** Number of nodes in a chain, -1 if it is circular or invalid. */
function chainLength(tree: Tree, first: i32): i32 {
  let count = 0;
  for (let at = first; at != 0; at = node(tree, at).next)
    if (!within(at, tree.nodeEnd) || ++count > tree.nodeEnd) return -1;
  return count;
}

/** Checks the links of a tree, before its boxes are computed. `number`: which of the two trees. */
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

/** After the boxes are computed: whether each shape is the leaf at its stored handle. */
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
