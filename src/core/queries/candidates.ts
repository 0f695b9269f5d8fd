// The shapes that a query has to test. In: a box, its displacement or the distance around it that counts, a filter.
// Out: sort keys in scratch, ascending: the fraction at which the box hits the shape's tight AABB (or the distance of
// the two boxes), then the shape's slot. The order depends only on poses, never on the tree.

import { filtersMatch } from '../broadphase/filter';
import {
  CHILD,
  MAX_X,
  MAX_Y,
  MAX_Z,
  MIN_X,
  MIN_Y,
  MIN_Z,
  NODE_SIZE,
  splatX,
  splatY,
  splatZ,
  TREE_COUNT,
  treeAt,
} from '../broadphase/nodes';
import { sortKeys, sortSpare } from '../broadphase/sort';
import { startWalk } from '../broadphase/tree';
import { inverseSlope, length, sub, vec3, x, y, z, zero } from '../math/vector';
import { ASK_NO_SENSORS, BODY_NO_RESPONSE, SHAPE_NO_RESPONSE } from '../memory/constants';
import { Shape, ShapeQuery, Tree } from '../memory/records';
import { bodyAt, scratch, shapeAt, world } from '../memory/tables';
import { Box } from '../memory/values';
import { shapeAabb } from '../shapes/aabb';
import { FAR_SLACK } from '../tolerances';
import { reserveOutput } from './output';

const AABB: usize = memory.data(32, 16);

/** Shape slot of a key. @inline */
export function candidateSlot(keys: usize, i: i32): i32 {
  return load<i32>(keys + ((<usize>i) << 3));
}
/** Fraction at which the boxes meet, or their distance. @inline */
export function candidateEntry(keys: usize, i: i32): f32 {
  return load<f32>(keys + ((<usize>i) << 3), 4);
}

/**
 * Whether a shape that passed the filter is neither on the skipped body nor an excluded sensor. Body 0 is never used.
 * @inline
 */
export function isVisible(s: Shape, skip: i32, flags: i32): bool {
  if (s.body == skip) return false;
  if ((flags & ASK_NO_SENSORS) == 0) return true;
  return (s.flags & SHAPE_NO_RESPONSE) == 0 && (bodyAt(s.body).flags & BODY_NO_RESPONSE) == 0;
}

/** A box that moves straight, as a ray from the origin against boxes enlarged by it. @unmanaged */
class BoxSweep {
  lo: v128;
  hi: v128;
  near: v128; // planes of the enlarged box by which the ray enters
  far: v128;
  slope: v128; // 1 / displacement
  forward: v128; // mask: the displacement is positive
  moving: i32;
}
const SWEEP: usize = memory.data(offsetof<BoxSweep>(), 16);

/**
 * Finds the shapes whose box meets `box`, enlarged by `reach`, on its displacement `delta`; one of the two is 0.
 * Returns their number; their keys are in scratch.
 */
export function findCandidates(query: ShapeQuery, box: Box, delta: v128, reach: f32): i32 {
  const grownLo = sub(box.min, vec3(reach, reach, reach));
  const grownHi = sub(box.max, vec3(-reach, -reach, -reach));
  const sweep = changetype<BoxSweep>(SWEEP);
  sweep.lo = box.min;
  sweep.hi = box.max;
  sweep.moving = v128.any_true(f32x4.ne(delta, zero())) ? 1 : 0;
  sweep.slope = vec3(inverseSlope(x(delta)), inverseSlope(y(delta)), inverseSlope(z(delta)));
  sweep.forward = f32x4.gt(sweep.slope, zero());
  sweep.near = v128.bitselect(grownHi, grownLo, sweep.forward);
  sweep.far = v128.bitselect(grownLo, grownHi, sweep.forward);
  let count = 0;
  for (let t = 0; t < TREE_COUNT; t++) {
    const tree = treeAt(t);
    if (tree.leafCount == 0) continue;
    count = walk(query, tree, sweep, count);
  }
  const bytes = (<usize>count) << 3;
  const keys = scratch(bytes + sortSpare(count));
  memory.copy(keys, <usize>world().queryOutput, bytes);
  sortKeys(keys, keys + bytes, count);
  return count;
}

/** Appends the keys of a tree's shapes to the `found` ones; returns how many there are then. */
function walk(query: ShapeQuery, tree: Tree, sweep: BoxSweep, found: i32): i32 {
  const slope = sweep.slope;
  const near = sweep.near;
  const far = sweep.far;
  const nearX = x(slope) > 0 ? MIN_X : MAX_X;
  const nearY = y(slope) > 0 ? MIN_Y : MAX_Y;
  const nearZ = z(slope) > 0 ? MIN_Z : MAX_Z;
  const slopeX = splatX(slope);
  const slopeY = splatY(slope);
  const slopeZ = splatZ(slope);
  const stack = <usize>tree.stack;
  let top = startWalk(tree);
  let count = found;
  while (top != stack) {
    top -= 4;
    const node = <usize>tree.nodes + <usize>load<i32>(top) * NODE_SIZE;
    const enterX = f32x4.mul(f32x4.sub(v128.load(node + nearX), splatX(near)), slopeX);
    const enterY = f32x4.mul(f32x4.sub(v128.load(node + nearY), splatY(near)), slopeY);
    const enterZ = f32x4.mul(f32x4.sub(v128.load(node + nearZ), splatZ(near)), slopeZ);
    const leaveX = f32x4.mul(f32x4.sub(v128.load(node + MIN_X + MAX_X - nearX), splatX(far)), slopeX);
    const leaveY = f32x4.mul(f32x4.sub(v128.load(node + MIN_Y + MAX_Y - nearY), splatY(far)), slopeY);
    const leaveZ = f32x4.mul(f32x4.sub(v128.load(node + MIN_Z + MAX_Z - nearZ), splatZ(far)), slopeZ);
    const enter = f32x4.pmax(f32x4.pmax(enterX, enterY), f32x4.pmax(enterZ, f32x4.splat(0)));
    const leave = f32x4.mul(
      f32x4.pmin(f32x4.pmin(leaveX, leaveY), f32x4.pmin(leaveZ, f32x4.splat(1))),
      f32x4.splat(FAR_SLACK),
    );
    let lanes = i32x4.bitmask(f32x4.le(enter, leave));
    while (lanes != 0) {
      const child = load<i32>(node + ((<usize>ctz(lanes)) << 2), CHILD);
      lanes &= lanes - 1;
      if (child > 0) {
        store<i32>(top, child);
        top += 4;
        continue;
      }
      if (child == 0) continue;
      const s = shapeAt(-child);
      if (!filtersMatch(query.group, query.mask, s.group, s.mask)) continue;
      if (!isVisible(s, query.skip, query.flags)) continue;
      shapeAabb(s, AABB);
      const sLo = v128.load(AABB);
      const sHi = v128.load(AABB, 16);
      const entry = boxEntry(sweep, sLo, sHi);
      if (entry > 1) continue;
      // Without a displacement: by the gap between the boxes.
      const gap = f32x4.pmax(zero(), f32x4.pmax(f32x4.sub(sLo, sweep.hi), f32x4.sub(sweep.lo, sHi)));
      const rank = sweep.moving ? entry : length(f32x4.replace_lane(gap, 3, 0));
      reserveOutput(2 * (count + 1));
      const key = ((<u64>reinterpret<u32>(rank)) << 32) | <u64>s.slot;
      store<u64>(<usize>world().queryOutput + ((<usize>count) << 3), key);
      count++;
    }
  }
  return count;
}

/** Fraction at which the tight box is hit; above 1: never. */
function boxEntry(sweep: BoxSweep, lo: v128, hi: v128): f32 {
  const forward = sweep.forward;
  const enter = f32x4.mul(f32x4.sub(v128.bitselect(lo, hi, forward), sweep.near), sweep.slope);
  const leave = f32x4.mul(f32x4.sub(v128.bitselect(hi, lo, forward), sweep.far), sweep.slope);
  const first = max<f32>(max<f32>(x(enter), y(enter)), max<f32>(z(enter), 0));
  const last = min<f32>(min<f32>(x(leave), y(leave)), min<f32>(z(leave), 1)) * FAR_SLACK;
  return first <= last ? first : 2;
}
