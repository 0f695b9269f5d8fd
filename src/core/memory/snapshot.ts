// Snapshot and restore of everything a world is. In: the tables. Out: one block of bytes:
// [words: magic, layout, bytes, segments, heap top], then per segment address, bytes, content. A linear
// memory address means the same in every instance, so tables are copied to where they were; regions
// between them hold nothing that matters. Checksums are the caller's (src/snapshot.ts).
import { COLOR_COUNT, WORLD_ADDRESS } from './constants';
import { Tree, TreeNode, World } from './records';
import {
  BLOCK_SIZE,
  BODY_SIZE,
  COLOR_SIZE,
  colorAt,
  JOINT_SIZE,
  META_SIZE,
  PAIR_SIZE,
  POSE_SIZE,
  SHAPE_SIZE,
  VELOCITY_SIZE,
  world,
} from './tables';
import { PARKED_SIZE } from '../solver/lanes';

const MAGIC: u32 = 0x54434952; // 'RICT'
const HEADER_WORDS: usize = 5;
const TREE_COUNT = 2;

/** Changes whenever a record does: an older layout is refused, not misread. */
function layout(): u32 {
  let h: u32 = 1; // version of this format
  h = h * 31 + <u32>offsetof<World>();
  h = h * 31 + <u32>BODY_SIZE;
  h = h * 31 + <u32>VELOCITY_SIZE;
  h = h * 31 + <u32>SHAPE_SIZE;
  h = h * 31 + <u32>PAIR_SIZE;
  h = h * 31 + <u32>BLOCK_SIZE;
  h = h * 31 + <u32>META_SIZE;
  h = h * 31 + <u32>JOINT_SIZE;
  h = h * 31 + <u32>offsetof<TreeNode>();
  return h;
}

// One walk serves measuring and writing: `at` is 0 while measuring.
// @ts-ignore: decorator
@inline function segment(at: usize, from: u32, bytes: usize, size: usize): usize {
  if (bytes == 0) return size;
  if (at != 0) {
    const to = at + size;
    store<u32>(to, from);
    store<u32>(to, <u32>bytes, 4);
    memory.copy(to + 8, <usize>from, bytes);
    store<u32>(at, load<u32>(at, 12) + 1, 12);
  }
  return size + 8 + ((bytes + 3) & ~3);
}

function walk(at: usize): usize {
  const g = world();
  let n: usize = HEADER_WORDS * 4;
  if (at != 0) {
    store<u32>(at, MAGIC);
    store<u32>(at, layout(), 4);
    store<u32>(at, 0, 12);
    store<u32>(at, g.heapTop, 16);
  }
  n = segment(at, WORLD_ADDRESS, offsetof<World>(), n);
  n = segment(at, g.freeBlocksAddress, 32 * 4, n);
  n = segment(at, g.bodies, <usize>g.bodyEnd * BODY_SIZE, n);
  n = segment(at, g.velocities, <usize>g.bodyEnd * VELOCITY_SIZE, n);
  n = segment(at, g.poses, <usize>g.bodyEnd * POSE_SIZE, n);
  n = segment(at, g.shapes, <usize>g.shapeEnd * SHAPE_SIZE, n);
  n = segment(at, g.joints, <usize>g.jointEnd * JOINT_SIZE, n);
  n = segment(at, g.awake, (<usize>g.awakeCount) << 2, n);
  n = segment(at, g.moved, (<usize>g.movedCount) << 2, n);
  n = segment(at, g.pairs, <usize>g.pairEnd * PAIR_SIZE, n);
  n = segment(at, g.pairSet, (<usize>g.pairSetCapacity) << 3, n);
  n = segment(at, g.waiting, (<usize>g.waitingCount) << 2, n);
  n = segment(at, g.sensors, (<usize>g.sensorCount) << 2, n);
  n = segment(at, g.colors, <usize>COLOR_COUNT * COLOR_SIZE, n);
  for (let c = 0; c < COLOR_COUNT; c++) {
    n = segment(at, colorAt(c).blocks, <usize>colorAt(c).count * BLOCK_SIZE, n);
    n = segment(at, colorAt(c).meta, <usize>colorAt(c).count * META_SIZE, n);
  }
  n = segment(at, g.parked, <usize>g.parkedEnd * PARKED_SIZE, n);
  n = segment(at, g.trees, <usize>TREE_COUNT * offsetof<Tree>(), n);
  for (let t = 0; t < TREE_COUNT; t++) {
    const tree = changetype<Tree>(<usize>g.trees + <usize>t * offsetof<Tree>());
    n = segment(at, tree.nodes, <usize>tree.nodeEnd * offsetof<TreeNode>(), n);
  }
  n = segment(at, g.geometries, (<usize>g.geometryEnd) << 3, n);
  for (let i = 1; i < g.geometryEnd; i++) {
    const entry = <usize>g.geometries + ((<usize>i) << 3);
    n = segment(at, load<u32>(entry), <usize>load<u32>(entry, 4), n);
  }
  // The allocator's free lists run through the free regions.
  for (let c = 0; c < 32; c++) {
    let free = load<u32>(<usize>g.freeBlocksAddress + ((<usize>c) << 2));
    while (free != 0) {
      n = segment(at, free, 4, n);
      free = load<u32>(<usize>free);
    }
  }
  if (at != 0) store<u32>(at, <u32>n, 8);
  return n;
}

export function snapshotSize(): i32 {
  return <i32>walk(0);
}

export function writeSnapshot(address: u32): i32 {
  return <i32>walk(<usize>address);
}

/** 0, or why it was refused: 1 not a snapshot, 2 another layout, 3 truncated, 4 out of memory. */
export function readSnapshot(address: u32, bytes: i32): i32 {
  const at = <usize>address;
  if (<usize>bytes < HEADER_WORDS * 4 || load<u32>(at) != MAGIC) return 1;
  if (load<u32>(at, 4) != layout()) return 2;
  if (load<u32>(at, 8) != <u32>bytes) return 3;
  const count = load<u32>(at, 12);
  const top = load<u32>(at, 16);
  const end = at + <usize>bytes;
  // First look, then touch: every segment inside the buffer and inside the heap.
  let p = at + HEADER_WORDS * 4;
  for (let i: u32 = 0; i < count; i++) {
    if (p + 8 > end) return 3;
    const to = load<u32>(p);
    const size = load<u32>(p, 4);
    if (to < <u32>WORLD_ADDRESS || <u64>to + <u64>size > <u64>top || <u64>p + 8 + <u64>size > <u64>end)
      return 3;
    p += 8 + ((<usize>size + 3) & ~3);
  }
  p = at + HEADER_WORDS * 4;
  for (let i: u32 = 0; i < count; i++) {
    const size = load<u32>(p, 4);
    memory.copy(<usize>load<u32>(p), p + 8, <usize>size);
    p += 8 + ((<usize>size + 3) & ~3);
  }
  return 0;
}

/** Where a host may put a snapshot to be read: above everything the snapshot and this world use. */
export function reserveSnapshot(bytes: i32, top: u32): u32 {
  const g = world();
  const at = (max(g.heapTop, top) + 63) & ~63;
  const end = <u64>at + <u64>bytes;
  const have = (<u64>memory.size()) << 16;
  if (end > have && memory.grow(<i32>((end - have + 0xffff) >> 16)) < 0) return 0;
  return at;
}
