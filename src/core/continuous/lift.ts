// Contact offset for sweeps. A body in contact is moved slightly away from its support, so that the edge of the next
// floor tile, a fraction of a millimetre higher, is not a wall. In: its contacts, as the solver left them. Out: a
// displacement along their normals.

import { TOUCH } from '../contacts/speculate';
import { add, dot, length, neg, scale, vec3, zero } from '../math/vector';
import { LIST_CONCAVE, LIST_SOLVED } from '../memory/constants';
import { BlockMeta, Body, ContactBlock, ContactPointWide, Pair } from '../memory/records';
import { blockAt, metaAt, pairAt, pointAt } from '../memory/tables';
import { laneWord } from '../solver/lanes';

/** m by which a body in contact is lifted for its sweep: see sweep.ts. */
const LIFT: f32 = 2e-3;
/** Of the inner radius: no body is lifted more, but sheets, which have none, are lifted by TOUCH. */
const MOST_LIFT: f32 = 0.1;

/** No body is lifted more. @inline */
export function mostLift(b: Body): f32 {
  return max(TOUCH, MOST_LIFT * b.innerRadius);
}

/** Away from all that the body touches, by more than it sinks in; nothing between two that face each other. */
export function liftOf(b: Body, delta: v128): v128 {
  v128.store(LIFTS, zero());
  store<f32>(LIFTS, 0, 16);
  let link = b.firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    const side = link & 1;
    link = side ? pair.nextB : pair.nextA;
    if (pair.list == LIST_SOLVED) addLift(pair, side);
    else if (pair.list == LIST_CONCAVE)
      for (let child = pair.firstChild; child >= 0; child = pairAt(child).next) addLift(pairAt(child), side);
  }
  const sum = v128.load(LIFTS);
  const depth = load<f32>(LIFTS, 16);
  const l = length(sum);
  if (l < <f32>0.5) return zero();
  // And by what it sinks on its way, unless it falls: then it is to land.
  const most = mostLift(b);
  const sinks = max<f32>(0, -dot(sum, delta) / l);
  const lift = LIFT + depth + sinks;
  return scale(sum, (lift <= most ? lift : min(LIFT + depth, most)) / l);
}

/** Sum of the normals, and the depth. */
const LIFTS: usize = memory.data(32, 16);

function addLift(pair: Pair, side: i32): void {
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
  let n = vec3(
    load<f32>(at, offsetof<ContactBlock>('normalX')),
    load<f32>(at, offsetof<ContactBlock>('normalY')),
    load<f32>(at, offsetof<ContactBlock>('normalZ')),
  );
  if (!side) n = neg(n);
  v128.store(LIFTS, add(v128.load(LIFTS), n));
  store<f32>(LIFTS, max(load<f32>(LIFTS, 16), -s), 16);
}
