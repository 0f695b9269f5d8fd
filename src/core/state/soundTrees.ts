// Validity of the two trees (sound.ts): each node is used once or free once, links are mutual, boxes contain the boxes
// below, each shape is the leaf at its stored handle. Out: 0, or 800 plus the fault.
import {
  CHILD,
  childAt,
  laneMax,
  laneMin,
  nodeAt,
  PARENT_PENDING,
  PARENT_UNBOUNDED,
  ROOT,
  TREE_COUNT,
  treeAt,
} from '../broadphase/nodes';
import { SHAPE_USED } from '../memory/constants';
import { Tree, TreeNode } from '../memory/records';
import { shapeAt, world } from '../memory/tables';

/** Most levels of a tree, far more than rebuilds allow. */
const DEEPEST = 200;
const MOST_CHANGES = 1 << 20;

export function treeFault(): i32 {
  const g = world();
  let leaves = 0;
  for (let t = 0; t < TREE_COUNT; t++) {
    const tree = treeAt(t);
    leaves += tree.leafCount;
    const fault = faultOf(tree, t);
    if (fault != 0) return fault;
  }
  return leaves == g.shapeCount ? 0 : 801;
}

function faultOf(tree: Tree, number: i32): i32 {
  const end = tree.nodeEnd;
  if (end <= ROOT || end > tree.nodeCapacity) return 802;
  if (<u32>tree.cursor >= <u32>end || <u32>tree.changes >= <u32>MOST_CHANGES) return 803;
  if (nodeAt(tree, ROOT).parent != -1) return 804;
  // Each node has one parent that refers to it, or is in one list: the count covers all nodes.
  let inner = 1;
  let leaves = 0;
  for (let index = ROOT; index < end; index++) {
    const node = nodeAt(tree, index);
    if (v128.any_true(v128.load(changetype<usize>(node), CHILD)) == false) continue;
    for (let lane = 0; lane < 4; lane++) {
      const child = childAt(node, lane);
      if (child == 0) continue;
      const fault =
        child > 0
          ? innerFault(tree, node, new Branch(index, lane), child)
          : leafFault(node, new Branch(index, lane), -child, number);
      if (fault != 0) return fault;
      if (child > 0) inner++;
      else leaves++;
    }
    if (index != ROOT && !reachesTop(tree, index)) return 805;
  }
  const unbounded = listed(tree, tree.unbounded, PARENT_UNBOUNDED);
  const pending = listed(tree, tree.pending, PARENT_PENDING);
  const free = listed(tree, tree.nodeFree, -1);
  if (unbounded < 0 || pending < 0 || free < 0) return 806;
  if (inner + unbounded + pending + free != end - ROOT || tree.nodeCount != end - ROOT - free) return 807;
  if (leaves != tree.leafCount) return 808;
  return leavesIn(tree, tree.pending) == tree.pendingCount ? 0 : 809;
}

/** @value */
class Branch {
  index: i32; // of the node
  lane: i32;
}

function innerFault(tree: Tree, node: TreeNode, at: Branch, child: i32): i32 {
  const index = at.index;
  const lane = at.lane;
  if (child <= ROOT || child >= tree.nodeEnd || node.parent < -1) return 810;
  const below = nodeAt(tree, child);
  if (below.parent != ((index << 2) | lane)) return 811;
  const low = laneMin(node, lane);
  const high = laneMax(node, lane);
  for (let i = 0; i < 4; i++) {
    if (childAt(below, i) == 0) continue;
    const inside = v128.and(f32x4.le(low, laneMin(below, i)), f32x4.ge(high, laneMax(below, i)));
    if ((i32x4.bitmask(inside) & 7) != 7) return 812;
  }
  return 0;
}

function leafFault(node: TreeNode, at: Branch, slot: i32, number: i32): i32 {
  const index = at.index;
  const lane = at.lane;
  if (slot >= world().shapeEnd) return 820;
  const s = shapeAt(slot);
  if (!(s.flags & SHAPE_USED) || s.tree != number || s.leaf != ((index << 2) | lane)) return 821;
  const same = v128.and(f32x4.eq(laneMin(node, lane), s.aabbMin), f32x4.eq(laneMax(node, lane), s.aabbMax));
  return (i32x4.bitmask(same) & 7) == 7 ? 0 : 822;
}

/** Whether the parents of a used node lead to the root, or to the head of a list. */
function reachesTop(tree: Tree, index: i32): bool {
  let depth = 0;
  let at = index;
  while (nodeAt(tree, at).parent >= 0) {
    at = nodeAt(tree, at).parent >> 2;
    if (at >= tree.nodeEnd || ++depth > DEEPEST) return false;
  }
  const top = nodeAt(tree, at).parent;
  return at == ROOT || (depth == 0 && (top == PARENT_UNBOUNDED || top == PARENT_PENDING));
}

/** Number of nodes in a list, −1 if it is circular or has nodes from elsewhere. */
function listed(tree: Tree, first: i32, parent: i32): i32 {
  let count = 0;
  for (let at = first; at != 0; at = nodeAt(tree, at).next) {
    if (at <= ROOT || at >= tree.nodeEnd || ++count > tree.nodeEnd) return -1;
    if (nodeAt(tree, at).parent != parent) return -1;
    if (parent == -1 && v128.any_true(nodeAt(tree, at).child)) return -1;
  }
  return count;
}

function leavesIn(tree: Tree, first: i32): i32 {
  let count = 0;
  for (let at = first; at != 0; at = nodeAt(tree, at).next)
    for (let lane = 0; lane < 4; lane++) if (childAt(nodeAt(tree, at), lane) < 0) count++;
  return count;
}
