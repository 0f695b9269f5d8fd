// Shapes in a box. In: an AABB, filter. Out: slots of shapes whose tight AABB overlaps it, ascending, in
// world().queryOutput.

import { filtersMatch } from '../broadphase/filter';
import { CHILD, NODE_SIZE, overlapLanes, TREE_COUNT, treeAt } from '../broadphase/nodes';
import { sortKeys, sortSpare } from '../broadphase/sort';
import { startWalk } from '../broadphase/tree';
import { Shape, TreeNode } from '../memory/records';
import { scratch, shapeAt, world } from '../memory/tables';
import { Box, BoxLanes, Filter, Point } from '../memory/values';
import { shapeAabb } from '../shapes/aabb';
import { isVisible } from './candidates';
import { reserveOutput } from './output';

const AABB: usize = memory.data(32, 16);

/** Returns the number of shapes. */
export function overlapAabb(min: Point, max: Point, filter: Filter): i32 {
  const box = new Box(f32x4(min.x, min.y, min.z, 0), f32x4(max.x, max.y, max.z, 0));
  const lanes = new BoxLanes(
    f32x4.splat(min.x),
    f32x4.splat(min.y),
    f32x4.splat(min.z),
    f32x4.splat(max.x),
    f32x4.splat(max.y),
    f32x4.splat(max.z),
  );
  let count = 0;
  for (let t = 0; t < TREE_COUNT; t++) {
    const tree = treeAt(t);
    if (tree.leafCount == 0) continue;
    const stack = <usize>tree.stack;
    let top = startWalk(tree);
    while (top != stack) {
      top -= 4;
      const node = <usize>tree.nodes + <usize>load<i32>(top) * NODE_SIZE;
      let hits = overlapLanes(changetype<TreeNode>(node), lanes);
      while (hits != 0) {
        const child = load<i32>(node + ((<usize>ctz(hits)) << 2), CHILD);
        hits &= hits - 1;
        if (child > 0) {
          store<i32>(top, child);
          top += 4;
          continue;
        }
        const s = shapeAt(-child);
        if (
          !filtersMatch(filter.group, filter.mask, s.group, s.mask) ||
          !isVisible(s, filter.skip, filter.flags)
        )
          continue;
        if (!touches(s, box)) continue;
        // First stored as 64-bit sort keys.
        reserveOutput(2 * (count + 1));
        store<u64>(<usize>world().queryOutput + ((<usize>count) << 3), <u64>s.slot);
        count++;
      }
    }
  }
  const output = <usize>world().queryOutput;
  sortKeys(output, scratch(sortSpare(count)), count);
  for (let i = 0; i < count; i++)
    store<i32>(output + ((<usize>i) << 2), load<i32>(output + ((<usize>i) << 3)));
  return count;
}

/** @inline */
function touches(s: Shape, box: Box): bool {
  shapeAabb(s, AABB);
  const inside = v128.and(f32x4.le(v128.load(AABB), box.max), f32x4.ge(v128.load(AABB, 16), box.min));
  return (i32x4.bitmask(inside) & 7) == 7;
}
