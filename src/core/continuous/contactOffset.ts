// Contact offset for sweeps. A body in contact is moved slightly away from its support, so that the edge of the next
// floor tile, a fraction of a millimetre higher, is not a wall. In: its contacts, as the solver left them. Out: a
// displacement along their normals.

import { add, dot, length, neg, scale, zero } from '../math/vector';
import { LIST_CONCAVE, LIST_SOLVED } from '../memory/constants';
import { get3 } from '../memory/laneVectors';
import { BlockMeta, Body, ContactBlock, ContactPointWide, Pair } from '../memory/records';
import { blockAt, metaAt, pairAt, pointAt } from '../memory/tables';
import { laneWord } from '../solver/lanes';
import { CONTACT_OFFSET, MOST_OFFSET, TOUCH } from '../tolerances';

/** m. Limit of the offset of the body. @inline */
export function mostOffset(b: Body): f32 {
  return max(TOUCH, MOST_OFFSET * b.innerRadius);
}

/** Displacement away from all supports, by more than the penetration; none between two that face each other. */
export function contactOffsetOf(b: Body, delta: v128): v128 {
  v128.store(OFFSETS, zero());
  store<f32>(OFFSETS, 0, 16);
  let link = b.firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    const side = link & 1;
    link = side ? pair.nextB : pair.nextA;
    if (pair.list == LIST_SOLVED) addOffset(pair, side);
    else if (pair.list == LIST_CONCAVE)
      for (let child = pair.firstChild; child >= 0; child = pairAt(child).next)
        addOffset(pairAt(child), side);
  }
  const sum = v128.load(OFFSETS);
  const depth = load<f32>(OFFSETS, 16);
  const l = length(sum);
  if (l < <f32>0.5) return zero();
  // Add the distance by which its path goes into the support, unless it is large: a falling body must land.
  const most = mostOffset(b);
  const sinks = max<f32>(0, -dot(sum, delta) / l);
  const contactOffset = CONTACT_OFFSET + depth + sinks;
  return scale(sum, (contactOffset <= most ? contactOffset : min(CONTACT_OFFSET + depth, most)) / l);
}

/** Sum of the normals, and the largest depth. */
const OFFSETS: usize = memory.data(32, 16);

function addOffset(pair: Pair, side: i32): void {
  const block = blockAt(pair.index >> 2);
  const lane = (<usize>(pair.index & 3)) << 2;
  const at = changetype<usize>(block) + lane;
  const count = changetype<usize>(metaAt(pair.index >> 2)) + offsetof<BlockMeta>('pointCount');
  let s: f32 = 1;
  for (let i = 0; i < laneWord(count, pair.index & 3); i++)
    s = min(
      s,
      load<f32>(changetype<usize>(pointAt(block, i)) + lane, offsetof<ContactPointWide>('separation')),
    );
  if (s > TOUCH) return;
  let n = get3(at + offsetof<ContactBlock>('normalX'));
  if (!side) n = neg(n);
  v128.store(OFFSETS, add(v128.load(OFFSETS), n));
  store<f32>(OFFSETS, max(load<f32>(OFFSETS, 16), -s), 16);
}
