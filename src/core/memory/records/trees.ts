// The dynamic AABB trees (BVH) of the broad phase.

/** One dynamic AABB tree. Nodes refer to each other and to shapes by index, never by address. @unmanaged */
export class Tree {
  nodes: u32; // TreeNode table; node 0 is never used, node 1 is the root
  nodeCapacity: i32;
  nodeEnd: i32;
  nodeFree: i32; // head of the free list, 0 none
  nodeCount: i32;
  leafCount: i32;
  unbounded: i32; // head of the list of nodes with shapes too large for the tree, 0 none
  pending: i32; // head of the list of nodes with shapes not yet inserted into the tree, 0 none
  pendingCount: i32; // number of leaves in that list
  changes: i32; // leaves inserted since the last amortised rebuild
  cursor: i32; // node at which the next amortised rebuild starts to look
  stack: u32; // traversal stack; cannot overflow: see reserveNodes
  build: u32; // scratch of the rebuild
  buildCapacity: i32; // bytes
  reserved0: i32;
  reserved1: i32;
}

/** Four children side by side, so that one SIMD instruction compares a bound of all four. @unmanaged */
export class TreeNode {
  minX: v128;
  minY: v128;
  minZ: v128;
  maxX: v128;
  maxY: v128;
  maxZ: v128;
  child: v128; // i32x4: > 0 node, < 0 minus the shape slot of a leaf, 0 empty (bounds +inf..-inf)
  parent: i32; // parent node << 2 | lane; -1 root, -2 in the unbounded list, -3 in the pending list
  next: i32; // of the free, unbounded or pending list, 0 none
  reserved0: i32;
  reserved1: i32;
}
