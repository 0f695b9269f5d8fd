// Shapes in a box. In: an AABB, filter. Out: slots of shapes whose tight AABB overlaps it, ascending, in
// world().queryOutput.
import { filtersMatch } from '../broadphase/filter';
import { CHILD, NODE_SIZE, overlapLanes, TREE_COUNT, treeAt } from '../broadphase/nodes';
import { sortKeys, sortSpare } from '../broadphase/sort';
import { startWalk } from '../broadphase/tree';
import { Shape, TreeNode } from '../memory/records';
import { scratch, shapeAt, world } from '../memory/tables';
import { shapeAabbMax, shapeAabbMin } from '../shapes/aabb';
import { isVisible } from './candidates';
import { reserveOutput } from './output';

/** Returns the number of shapes. */
export function overlapAabb(
  minX: f32,
  minY: f32,
  minZ: f32,
  maxX: f32,
  maxY: f32,
  maxZ: f32,
  group: i32,
  mask: i32,
  skip: i32,
  flags: i32,
): i32 {
  const boxMin = f32x4(minX, minY, minZ, 0);
  const boxMax = f32x4(maxX, maxY, maxZ, 0);
  const x0 = f32x4.splat(minX);
  const y0 = f32x4.splat(minY);
  const z0 = f32x4.splat(minZ);
  const x1 = f32x4.splat(maxX);
  const y1 = f32x4.splat(maxY);
  const z1 = f32x4.splat(maxZ);
  let count = 0;
  for (let t = 0; t < TREE_COUNT; t++) {
    const tree = treeAt(t);
    if (tree.leafCount == 0) continue;
    const stack = <usize>tree.stack;
    let top = startWalk(tree);
    while (top != stack) {
      top -= 4;
      const node = <usize>tree.nodes + <usize>load<i32>(top) * NODE_SIZE;
      let hits = overlapLanes(changetype<TreeNode>(node), x0, y0, z0, x1, y1, z1);
      while (hits != 0) {
        const child = load<i32>(node + ((<usize>ctz(hits)) << 2), CHILD);
        hits &= hits - 1;
        if (child > 0) {
          store<i32>(top, child);
          top += 4;
          continue;
        }
        const s = shapeAt(-child);
        if (!filtersMatch(group, mask, s.group, s.mask) || !isVisible(s, skip, flags)) continue;
        if (!touches(s, boxMin, boxMax)) continue;
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
function touches(s: Shape, boxMin: v128, boxMax: v128): bool {
  const inside = v128.and(f32x4.le(shapeAabbMin(s), boxMax), f32x4.ge(shapeAabbMax(s), boxMin));
  return (i32x4.bitmask(inside) & 7) == 7;
}
