// Checks the broad phase by brute force, for tests. In: shapes, pair set. Out: pairs of shape slots, two words each,
// sorted by (A, B), in world().queryOutput.
import { shouldCollide, userAllows } from '../broadphase/filter';
import { pairSetFind } from '../broadphase/pairSet';
import { sortKeys, sortSpare } from '../broadphase/sort';
import { LIST_SOLVED, PAIR_STRUCK } from '../memory/constants';
import { Shape } from '../memory/records';
import { pairAt, scratch, shapeAt, world } from '../memory/tables';
import { reserveOutput } from './output';

/** All pairs whose fat AABBs overlap and that the filters allow, by testing each shape against each other one. */
export function allPairsBrute(): i32 {
  const g = world();
  let count = 0;
  for (let a = 1; a < g.shapeEnd; a++) {
    const shapeA = shapeAt(a);
    if (shapeA.flags == 0 || shapeA.tree < 0) continue;
    for (let b = a + 1; b < g.shapeEnd; b++) {
      const shapeB = shapeAt(b);
      if (shapeB.flags == 0 || shapeB.tree < 0 || !fatOverlap(shapeA, shapeB)) continue;
      if (!shouldCollide(shapeA, shapeB)) continue;
      if (g.pairFilterEnabled && !userAllows(a, b)) continue;
      reserveOutput(2 * (count + 1));
      const out = <usize>world().queryOutput + ((<usize>count) << 3);
      store<i32>(out, a);
      store<i32>(out, b, 4);
      count++;
    }
  }
  return count;
}

/**
 * All pairs in the pair set, except CCD impacts whose shapes separated again within the step, and contacts expected at a distance: these
 * part when their manifold is computed again, not while both bodies go on alike.
 */
export function currentPairs(): i32 {
  const g = world();
  let count = 0;
  reserveOutput(2 * g.pairSetCount);
  const output = <usize>g.queryOutput;
  const end = <usize>g.pairSet + ((<usize>g.pairSetCapacity) << 3);
  for (let at = <usize>g.pairSet; at < end; at += 8) {
    const entry = load<u64>(at);
    if (entry == 0) continue;
    const a = <i32>(entry >> 46);
    const b = <i32>(entry >> 28) & 0x3ffff;
    const pair = pairAt(pairSetFind(a, b));
    const mayPart = (pair.flags & PAIR_STRUCK) != 0 || pair.list == LIST_SOLVED;
    if (mayPart && !fatOverlap(shapeAt(a), shapeAt(b))) continue;
    store<u64>(output + ((<usize>count) << 3), entry);
    count++;
  }
  sortKeys(output, scratch(sortSpare(count)), count);
  for (let i = 0; i < count; i++) {
    const at = output + ((<usize>i) << 3);
    const entry = load<u64>(at);
    store<i32>(at, <i32>(entry >> 46));
    store<i32>(at, <i32>(entry >> 28) & 0x3ffff, 4);
  }
  return count;
}

/** @inline */
function fatOverlap(a: Shape, b: Shape): bool {
  const inside = v128.and(f32x4.le(a.aabbMin, b.aabbMax), f32x4.ge(a.aabbMax, b.aabbMin));
  return (i32x4.bitmask(inside) & 7) == 7;
}
