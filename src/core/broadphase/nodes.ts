// Nodes of the four-wide dynamic AABB trees: allocation, lanes and the SIMD test of four boxes at once. In: a tree of
// Tree[2] in world().trees. Out: nodes by index; a leaf handle is node << 2 | lane. Four-wide nodes: Wald, Benthin,
// Boulos, "Getting Rid of Packets", 2008; dynamic trees as in Bullet's btDbvt.

import { allocate, reallocate, release } from '../memory/allocator';
import { Shape, Tree, TreeNode } from '../memory/records';
import { grownCapacity, shapeAt, world } from '../memory/tables';
import { Box, BoxLanes } from '../memory/values';
import { UNBOUNDED } from '../tolerances';

export const TREE_SIZE: usize = offsetof<Tree>();
export const NODE_SIZE: usize = offsetof<TreeNode>();
/** Tree 0: awake dynamic and moving kinematic bodies; tree 1: all others. */
export const TREE_COUNT = 2;

/** The index of the root is constant. */
export const ROOT = 1;
const PARENT_NONE = -1;
export const PARENT_UNBOUNDED = -2;
export const PARENT_PENDING = -3;

// Offsets for computed addresses. rays.ts relies on the order of the six bounds.
export const MIN_X: usize = offsetof<TreeNode>('minX');
export const MIN_Y: usize = offsetof<TreeNode>('minY');
export const MIN_Z: usize = offsetof<TreeNode>('minZ');
export const MAX_X: usize = offsetof<TreeNode>('maxX');
export const MAX_Y: usize = offsetof<TreeNode>('maxY');
export const MAX_Z: usize = offsetof<TreeNode>('maxZ');
export const CHILD: usize = offsetof<TreeNode>('child');

/** @inline */
export function treeAt(index: i32): Tree {
  return changetype<Tree>(<usize>world().trees + <usize>index * TREE_SIZE);
}
/** @inline */
export function nodeAt(tree: Tree, index: i32): TreeNode {
  return changetype<TreeNode>(<usize>tree.nodes + <usize>index * NODE_SIZE);
}
/** @inline */
export function childAt(node: TreeNode, lane: i32): i32 {
  return load<i32>(changetype<usize>(node) + ((<usize>lane) << 2), CHILD);
}
/** A mask with all bits set in one lane. @inline */
export function laneMask(lane: i32): v128 {
  return i32x4.eq(i32x4(0, 1, 2, 3), i32x4.splat(lane));
}
/** One bit per lane with a child. @inline */
export function usedLanes(node: TreeNode): i32 {
  return i32x4.bitmask(i32x4.ne(node.child, i32x4.splat(0)));
}
/** @inline */
export function laneCount(node: TreeNode): i32 {
  return popcnt<i32>(usedLanes(node));
}
/** One bit per lane whose child is a node. @inline */
export function nodeLanes(node: TreeNode): i32 {
  return i32x4.bitmask(i32x4.gt_s(node.child, i32x4.splat(0)));
}
/** @inline */
export function splatX(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 0, 0, 0, 0);
}
/** @inline */
export function splatY(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 1, 1, 1, 1);
}
/** @inline */
export function splatZ(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 2, 2, 2, 2);
}

/** Half the surface area of a box with these extents. @inline */
export function halfArea(extent: v128): f32 {
  const ex = f32x4.extract_lane(extent, 0);
  const ey = f32x4.extract_lane(extent, 1);
  const ez = f32x4.extract_lane(extent, 2);
  return ex * ey + ey * ez + ez * ex;
}

export function isUnbounded(boxMin: v128, boxMax: v128): bool {
  const limit = f32x4.splat(UNBOUNDED);
  const inside = v128.and(f32x4.lt(f32x4.abs(boxMin), limit), f32x4.lt(f32x4.abs(boxMax), limit));
  return (i32x4.bitmask(inside) & 7) != 7;
}

/** Sets bounds and child of one lane by whole-vector stores: scalar stores would stall the next SIMD load. @inline */
export function setLane(node: TreeNode, lane: i32, box: Box, child: i32): void {
  const m = laneMask(lane);
  node.minX = v128.bitselect(splatX(box.min), node.minX, m);
  node.minY = v128.bitselect(splatY(box.min), node.minY, m);
  node.minZ = v128.bitselect(splatZ(box.min), node.minZ, m);
  node.maxX = v128.bitselect(splatX(box.max), node.maxX, m);
  node.maxY = v128.bitselect(splatY(box.max), node.maxY, m);
  node.maxZ = v128.bitselect(splatZ(box.max), node.maxZ, m);
  node.child = v128.bitselect(i32x4.splat(child), node.child, m);
}

/** @inline */
export function clearLane(node: TreeNode, lane: i32): void {
  setLane(node, lane, new Box(f32x4.splat(f32.POSITIVE_INFINITY), f32x4.splat(f32.NEGATIVE_INFINITY)), 0);
}

/** @inline */
export function laneMin(node: TreeNode, lane: i32): v128 {
  const at = changetype<usize>(node) + ((<usize>lane) << 2);
  return f32x4(load<f32>(at, MIN_X), load<f32>(at, MIN_Y), load<f32>(at, MIN_Z), 0);
}
/** @inline */
export function laneMax(node: TreeNode, lane: i32): v128 {
  const at = changetype<usize>(node) + ((<usize>lane) << 2);
  return f32x4(load<f32>(at, MAX_X), load<f32>(at, MAX_Y), load<f32>(at, MAX_Z), 0);
}

/** Stores the new place of the child in this lane in the child. @inline */
export function adopt(tree: Tree, nodeIndex: i32, lane: i32, child: i32): void {
  const handle = (nodeIndex << 2) | lane;
  if (child > 0) nodeAt(tree, child).parent = handle;
  else shapeAt(-child).leaf = handle;
}

/** Minimum over the four lanes, in each lane. @inline */
export function minOfLanes(v: v128): v128 {
  const m = f32x4.pmin(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return f32x4.pmin(m, v128.shuffle<f32>(m, m, 1, 0, 3, 2));
}
/** @inline */
export function maxOfLanes(v: v128): v128 {
  const m = f32x4.pmax(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return f32x4.pmax(m, v128.shuffle<f32>(m, m, 1, 0, 3, 2));
}

/** One bit per lane whose box overlaps the query box. Empty lanes never do. @inline */
export function overlapLanes(node: TreeNode, box: BoxLanes): i32 {
  const xs = v128.and(f32x4.le(node.minX, box.maxX), f32x4.ge(node.maxX, box.minX));
  const ys = v128.and(f32x4.le(node.minY, box.maxY), f32x4.ge(node.maxY, box.minY));
  const zs = v128.and(f32x4.le(node.minZ, box.maxZ), f32x4.ge(node.maxZ, box.minZ));
  return i32x4.bitmask(v128.and(v128.and(xs, ys), zs));
}

/** Reserves `extra` more nodes, so that addresses of nodes stay valid while that many are created. */
export function reserveNodes(tree: Tree, extra: i32): void {
  const needed = tree.nodeEnd + extra;
  if (needed <= tree.nodeCapacity) return;
  const capacity = grownCapacity(tree.nodeCapacity, needed);
  tree.nodes = reallocate(tree.nodes, <usize>tree.nodeCapacity * NODE_SIZE, <usize>capacity * NODE_SIZE);
  // A depth-first traversal leaves at most three entries of 8 bytes on the stack per visited node.
  release(tree.stack, (<usize>tree.nodeCapacity) << 5);
  tree.stack = allocate((<usize>capacity) << 5);
  tree.nodeCapacity = capacity;
}

/** Creates an empty node. Call reserveNodes before. */
export function createNode(tree: Tree): i32 {
  let index = tree.nodeFree;
  if (index != 0) tree.nodeFree = nodeAt(tree, index).next;
  else index = tree.nodeEnd++;
  tree.nodeCount++;
  const node = nodeAt(tree, index);
  clearNode(node);
  node.parent = PARENT_NONE;
  node.next = 0;
  return index;
}

export function clearNode(node: TreeNode): void {
  clearBounds(node);
  node.child = i32x4.splat(0);
}

/** Bounds of nothing. */
export function clearBounds(node: TreeNode): void {
  const low = f32x4.splat(f32.POSITIVE_INFINITY);
  const high = f32x4.splat(f32.NEGATIVE_INFINITY);
  node.minX = low;
  node.minY = low;
  node.minZ = low;
  node.maxX = high;
  node.maxY = high;
  node.maxZ = high;
}

export function freeNode(tree: Tree, index: i32): void {
  const node = nodeAt(tree, index);
  node.child = i32x4.splat(0);
  node.parent = PARENT_NONE;
  node.next = tree.nodeFree;
  tree.nodeFree = index;
  tree.nodeCount--;
}

/** Reserves `bytes` in the tree's own scratch. Callers that update leaves may be using the shared one. */
export function reserveBuild(tree: Tree, bytes: usize): usize {
  if (<usize>tree.buildCapacity < bytes) {
    release(tree.build, <usize>tree.buildCapacity);
    const capacity = grownCapacity(tree.buildCapacity, <i32>bytes);
    tree.build = allocate(<usize>capacity);
    tree.buildCapacity = capacity;
  }
  return <usize>tree.build;
}

/** @inline */
export function leafShape(tree: Tree, leaf: i32): Shape {
  return shapeAt(-childAt(nodeAt(tree, leaf >> 2), leaf & 3));
}
