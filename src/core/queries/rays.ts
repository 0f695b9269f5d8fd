// Rays against all shapes. In: segments, filter. Out: hits of 10 words each in world().queryOutput: shape slot, body
// slot, fraction, point xyz, normal xyz, triangle; nearest first, equal fractions by shape slot. Slab test of four
// boxes at once, with a bound on rounding as in Ize, "Robust BVH Ray Traversal", 2013.

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
  nodeAt,
  ROOT,
  splatX,
  splatY,
  splatZ,
  TREE_COUNT,
  treeAt,
} from '../broadphase/nodes';
import { bodyId, shapeId } from '../events/record';
import { addScaled, inverseSlope, sub, vec3, x, y, z, zero } from '../math/vector';
import { QUERY_ALL, RAY_HIT_NORMAL, RAY_HIT_POINT } from '../memory/constants';
import { Shape, Tree } from '../memory/records';
import { shapeAt, world } from '../memory/tables';
import { Ends, Filter, Path } from '../memory/values';
import { RayLimit, rayShape } from '../narrowphase/ray';
import { FAR_SLACK } from '../tolerances';
import { isVisible } from './candidates';
import { reserveOutput, sortOutput } from './output';

export const HIT_WORDS = 10;
const HIT_SIZE: usize = HIT_WORDS * 4;
/** Words of a hit of rayTestBatch. */
const BATCH_WORDS = 10;

/** f32[4]: entry distances of the ray into the children of a node. */
const DISTANCES: usize = memory.data(16, 16);
/** Result of rayShape: normal, and the triangle. */
const NORMAL: usize = memory.data(32, 16);

/** A segment, and which shapes it may hit. @unmanaged */
class Ray {
  from: v128;
  delta: v128;
  mode: i32;
  group: i32;
  mask: i32;
  skip: i32; // slot of a body
  flags: i32;
}
const RAY: usize = memory.data(offsetof<Ray>(), 16);

/**
 * Hits of the segment from → to. Mode QUERY_ALL: all hits, or the nearest `maxHits` if that is above 0; other modes:
 * the first hit (also QUERY_ANY, because which hit a traversal finds first depends on the tree and so on earlier
 * queries). Returns their number.
 */
export function rayTest(mode: i32, ends: Ends, filter: Filter, maxHits: i32): i32 {
  const ray = changetype<Ray>(RAY);
  ray.from = vec3(ends.from.x, ends.from.y, ends.from.z);
  ray.delta = sub(vec3(ends.to.x, ends.to.y, ends.to.z), ray.from);
  ray.mode = mode;
  ray.group = filter.group;
  ray.mask = filter.mask;
  ray.skip = filter.skip;
  ray.flags = filter.flags;
  reserveOutput(HIT_WORDS);
  const hits = cast(ray, 0);
  if (mode != QUERY_ALL) return hits;
  sortOutput(hits, HIT_SIZE);
  return maxHits > 0 ? min<i32>(hits, maxHits) : hits;
}

/**
 * Closest hits of `count` rays at `address`: from xyz, to xyz. Out: from byte HIT_SIZE of the output on one array after the
 * other, in the order of the rays: ids of bodies, ids of shapes, fractions, triangles, points xyz, normals xyz. A miss has no
 * ids, fraction 1, the end of the ray and triangle −1.
 */
export function rayTestBatch(address: u32, count: i32, filter: Filter): i32 {
  reserveOutput(HIT_WORDS + count * BATCH_WORDS);
  const hit = <usize>world().queryOutput;
  const size = (<usize>count) << 2;
  const ray = changetype<Ray>(RAY);
  ray.mode = 0;
  ray.group = filter.group;
  ray.mask = filter.mask;
  ray.skip = filter.skip;
  ray.flags = filter.flags;
  let words = <usize>address;
  let ids = hit + HIT_SIZE;
  let points = ids + 4 * size;
  for (let i = 0; i < count; i++, words += 24, ids += 4, points += 12) {
    ray.from = loadVector(words);
    const to = loadVector(words + 12);
    ray.delta = sub(someWay(ray.from, to), ray.from);
    const normals = points + 3 * size;
    let body = 0;
    let shape = 0;
    let fraction: f32 = 1;
    let triangle = -1;
    let point = to;
    let normal = zero();
    if (cast(ray, 0) != 0) {
      shape = shapeId(load<i32>(hit));
      body = bodyId(load<i32>(hit, 4));
      fraction = load<f32>(hit, 8);
      triangle = load<i32>(hit, 36);
      point = v128.load(hit, RAY_HIT_POINT);
      normal = v128.load(hit, RAY_HIT_NORMAL);
    }
    store<i32>(ids, body);
    store<i32>(ids + size, shape);
    store<f32>(ids + 2 * size, fraction);
    store<i32>(ids + 3 * size, triangle);
    storeVector(points, point);
    storeVector(normals, normal);
  }
  return count;
}

/** A ray without a direction gets one, since its start may still lie in a shape. @inline */
function someWay(from: v128, to: v128): v128 {
  if (x(from) != x(to) || y(from) != y(to) || z(from) != z(to)) return to;
  const height = <f64>y(to);
  return vec3(x(to), <f32>(height + max(1e-6, 1e-6 * abs(height))), z(to));
}

function loadVector(at: usize): v128 {
  return v128.load32_lane(at, v128.load64_zero(at), 2, 8);
}

function storeVector(at: usize, v: v128): void {
  v128.store64_lane(at, v, 0);
  v128.store32_lane(at, v, 2, 8);
}

/** Writes unsorted hits from byte `start` of the output on; returns their number. */
function cast(ray: Ray, start: usize): i32 {
  const from = ray.from;
  const delta = ray.delta;
  const all = ray.mode == QUERY_ALL;
  let offset = start;
  const inverse = vec3(inverseSlope(x(delta)), inverseSlope(y(delta)), inverseSlope(z(delta)));
  const fromX = splatX(from);
  const fromY = splatY(from);
  const fromZ = splatZ(from);
  const slopeX = splatX(inverse);
  const slopeY = splatY(inverse);
  const slopeZ = splatZ(inverse);
  // The signs of the direction tell the planes of entry and exit, so no minimum and maximum per box is needed, and
  // empty lanes (+inf..−inf) are missed automatically.
  const nearX = x(inverse) > 0 ? MIN_X : MAX_X;
  const nearY = y(inverse) > 0 ? MIN_Y : MAX_Y;
  const nearZ = z(inverse) > 0 ? MIN_Z : MAX_Z;
  const farX = MIN_X + MAX_X - nearX;
  const farY = MIN_Y + MAX_Y - nearY;
  const farZ = MIN_Z + MAX_Z - nearZ;
  const slack = f32x4.splat(FAR_SLACK);
  const distances = DISTANCES;
  const normal = NORMAL;
  let best: f32 = 1;
  let bestSlot = 0;
  let hits = 0;

  for (let t = 0; t < TREE_COUNT; t++) {
    const tree = treeAt(t);
    if (tree.leafCount == 0) continue;
    const nodes = <usize>tree.nodes;
    const stack = <usize>tree.stack;
    // Stack entry: entry distance in the high word (its bits are ordered as integers), child in the low word.
    let top = pushList(tree, pushList(tree, stack, tree.unbounded), tree.pending);
    let child = ROOT;
    while (true) {
      if (child > 0) {
        const node = nodes + <usize>child * NODE_SIZE;
        const enterX = f32x4.mul(f32x4.sub(v128.load(node + nearX), fromX), slopeX);
        const enterY = f32x4.mul(f32x4.sub(v128.load(node + nearY), fromY), slopeY);
        const enterZ = f32x4.mul(f32x4.sub(v128.load(node + nearZ), fromZ), slopeZ);
        const leaveX = f32x4.mul(f32x4.sub(v128.load(node + farX), fromX), slopeX);
        const leaveY = f32x4.mul(f32x4.sub(v128.load(node + farY), fromY), slopeY);
        const leaveZ = f32x4.mul(f32x4.sub(v128.load(node + farZ), fromZ), slopeZ);
        const enter = f32x4.pmax(f32x4.pmax(enterX, enterY), f32x4.pmax(enterZ, f32x4.splat(0)));
        const leave = f32x4.mul(f32x4.pmin(f32x4.pmin(leaveX, leaveY), leaveZ), slack);
        let lanes = i32x4.bitmask(f32x4.le(enter, f32x4.pmin(leave, f32x4.splat(best))));
        if (lanes != 0) {
          const first = ctz(lanes);
          child = load<i32>(node + ((<usize>first) << 2), CHILD);
          lanes &= lanes - 1;
          if (lanes == 0) continue;
          // Visit the nearest child next; push the others, the farthest at the bottom.
          v128.store(distances, enter);
          let nearest = entryOf(distances, node, first);
          const base = top;
          do {
            let e = entryOf(distances, node, ctz(lanes));
            lanes &= lanes - 1;
            if (e < nearest) {
              const other = nearest;
              nearest = e;
              e = other;
            }
            let at = top;
            while (at != base && load<u64>(at - 8) < e) {
              store<u64>(at, load<u64>(at - 8));
              at -= 8;
            }
            store<u64>(at, e);
            top += 8;
          } while (lanes != 0);
          child = <i32>nearest;
          continue;
        }
      } else {
        const slot = -child;
        const s = shapeAt(slot);
        if (filtersMatch(ray.group, ray.mask, s.group, s.mask) && isVisible(s, ray.skip, ray.flags)) {
          // Slightly beyond the best hit, so that of two equal hits the lower slot wins in any order.
          const limit = new RayLimit(min<f32>(1, best * <f32>1.000001), ray.flags);
          const fraction = rayShape(s, new Path(from, delta), limit, normal);
          const first = fraction < best || bestSlot == 0 || slot < bestSlot;
          if (fraction <= best && first) {
            if (all) {
              reserveOutput((hits + 1) * HIT_WORDS);
            } else {
              best = fraction;
              bestSlot = slot;
            }
            writeHit(<usize>world().queryOutput + offset, s, ray, fraction);
            if (all) {
              hits++;
              offset += HIT_SIZE;
            } else {
              hits = 1;
            }
          }
        }
      }
      // The nearest remaining child, unless it is behind the best hit.
      child = 0;
      while (top != stack) {
        top -= 8;
        const entry = load<u64>(top);
        if (reinterpret<f32>(<u32>(entry >> 32)) > best) continue;
        child = <i32>entry;
        break;
      }
      if (child == 0) break;
    }
  }
  return hits;
}

/** Pushes the nodes of a list of shapes outside the tree, with distance 0. */
function pushList(tree: Tree, top: usize, first: i32): usize {
  for (let i = first; i != 0; i = nodeAt(tree, i).next) {
    store<u64>(top, <u64>i);
    top += 8;
  }
  return top;
}

/** Entry distance of a lane in the high word, its child in the low one. @inline */
function entryOf(distances: usize, node: usize, lane: i32): u64 {
  const at = (<usize>lane) << 2;
  return ((<u64>load<u32>(distances + at)) << 32) | <u64>load<u32>(node + at, CHILD);
}

/** The normal and the triangle are those of the last rayShape. @inline */
function writeHit(out: usize, s: Shape, ray: Ray, fraction: f32): void {
  store<i32>(out, s.slot);
  store<i32>(out, s.body, 4);
  store<f32>(out, fraction, 8);
  v128.store(out, addScaled(ray.from, ray.delta, fraction), RAY_HIT_POINT); // overlapped by the normal
  v128.store(out, f32x4.replace_lane(v128.load(NORMAL), 3, 0), RAY_HIT_NORMAL);
  store<i32>(out, load<i32>(NORMAL, 16), 36);
}
