// Validity of pairs (sound.ts): records, lists of both bodies, free records, the set, the index in the list that the
// flags determine, children. Out: 0, or 500 plus the fault.
import { pairSetFind } from '../broadphase/pairSet';
import {
  BODY_NO_RESPONSE,
  BODY_USED,
  COLOR_COUNT,
  LIST_CONCAVE,
  LIST_NONE,
  LIST_SENSOR,
  LIST_SOLVED,
  LIST_WAITING,
  MOST_GAP_UNITS,
  PAIR_ASLEEP,
  PAIR_CHILD,
  PAIR_CONCAVE,
  PAIR_PARKED,
  PAIR_SENSOR,
  PAIR_TOUCHING,
  SHAPE_MESH,
  SHAPE_NO_RESPONSE,
  SHAPE_PLANE,
  SHAPE_USED,
} from '../memory/constants';
import { Pair } from '../memory/records';
import { bodyAt, colorAt, pairAt, shapeAt, waitingAt, wordAt, world } from '../memory/tables';
import { PARKED_PAIR, pairOfLane, parkedAt } from '../solver/lanes';

export function pairFault(): i32 {
  const g = world();
  let owners = 0;
  let children = 0;
  let taken = 0;
  let waiting = 0;
  let sensors = 0;
  let concaves = 0;
  let lanes = 0;
  if (2 * g.pairSetCount > g.pairSetCapacity) return 501;
  for (let i = 0; i < g.pairEnd; i++) {
    const pair = pairAt(i);
    if (pair.shapeA <= 0) continue;
    const fault = pair.flags & PAIR_CHILD ? childFault(pair) : ownerFault(pair, i);
    if (fault != 0) return fault;
    const placed = placeFault(pair, i);
    if (placed != 0) return placed;
    if (pair.list == LIST_WAITING) waiting++;
    else if (pair.list == LIST_SENSOR) sensors++;
    else if (pair.list == LIST_CONCAVE) concaves++;
    else if (pair.list == LIST_SOLVED) lanes++;
    if (pair.flags & PAIR_CHILD) {
      children++;
      continue;
    }
    owners++;
    for (let at = pair.firstChild; at >= 0; at = pairAt(at).next) {
      if (at >= g.pairEnd || ++taken > g.pairEnd) return 502;
      const child = pairAt(at);
      if (!(child.flags & PAIR_CHILD) || child.shapeA <= 0 || child.owner != i) return 503;
    }
  }
  if (owners != g.pairCount || owners != g.pairSetCount || taken != children) return 504;
  if (waiting != g.waitingCount || sensors != g.sensorCount || concaves != g.concaveCount) return 505;
  if (lanes != g.contactCount) return 506;
  let left = g.pairEnd - owners - children;
  for (let i = g.pairFree; i >= 0; i = pairAt(i).index)
    if (i >= g.pairEnd || pairAt(i).shapeA > 0 || --left < 0) return 507;
  if (left != 0) return 508;
  let links = 2 * owners;
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    if (!(bodyAt(slot).flags & BODY_USED)) continue;
    let before = -1;
    for (let link = bodyAt(slot).firstPair; link >= 0; ) {
      if (link >> 1 >= g.pairEnd || --links < 0) return 509;
      const pair = pairAt(link >> 1);
      const isB = (link & 1) != 0;
      if (pair.shapeA <= 0 || pair.flags & PAIR_CHILD || (isB ? pair.bodyB : pair.bodyA) != slot) return 510;
      if ((isB ? pair.prevB : pair.prevA) != before) return 511;
      before = link;
      link = isB ? pair.nextB : pair.nextA;
    }
  }
  return links == 0 ? 0 : 512;
}

/** @inline */
function isShape(slot: i32): bool {
  return <u32>slot < <u32>world().shapeEnd && (shapeAt(slot).flags & SHAPE_USED) != 0;
}

function ownerFault(pair: Pair, index: i32): i32 {
  if (!isShape(pair.shapeA) || !isShape(pair.shapeB) || pair.shapeA >= pair.shapeB) return 520;
  const a = shapeAt(pair.shapeA);
  const b = shapeAt(pair.shapeB);
  if (a.body != pair.bodyA || b.body != pair.bodyB || a.body == b.body) return 521;
  if (pairSetFind(pair.shapeA, pair.shapeB) != index) return 522;
  // Pairs that the narrow phase supports: surfaces and planes do not collide with each other, except with sensors,
  // which find no contact.
  const oneConvex = a.type < SHAPE_PLANE != b.type < SHAPE_PLANE;
  const concave = oneConvex && max(a.type, b.type) >= SHAPE_MESH;
  if (((pair.flags & PAIR_CONCAVE) != 0) != concave) return 523;
  const senses =
    ((a.flags | b.flags) & SHAPE_NO_RESPONSE) != 0 ||
    ((bodyAt(a.body).flags | bodyAt(b.body).flags) & BODY_NO_RESPONSE) != 0;
  if (((pair.flags & PAIR_SENSOR) != 0) != senses) return 524;
  if (pair.firstChild >= 0 && !concave) return 525;
  return pair.material == 0 ? 0 : 526;
}

function childFault(pair: Pair): i32 {
  if (<u32>pair.owner >= <u32>world().pairEnd || pair.firstChild >= 0) return 530;
  const owner = pairAt(pair.owner);
  if (owner.shapeA <= 0 || owner.flags & PAIR_CHILD || !(owner.flags & PAIR_CONCAVE)) return 531;
  if (pair.shapeA != owner.shapeA || pair.shapeB != owner.shapeB) return 532;
  return pair.bodyA == owner.bodyA && pair.bodyB == owner.bodyB ? 0 : 533;
}

/** Whether the pair is in the list that its flags determine, and the list refers to it. */
function placeFault(pair: Pair, index: i32): i32 {
  const g = world();
  const flags = pair.flags;
  const at = pair.index;
  if (flags & PAIR_PARKED) {
    if (pair.list != LIST_NONE || <u32>at >= <u32>g.parkedEnd) return 540;
    return load<i32>(parkedAt(at) + PARKED_PAIR) == index ? 0 : 541;
  }
  if (flags & PAIR_CHILD) {
    if (pair.list != LIST_SOLVED) return 542;
  } else if (flags & PAIR_ASLEEP) {
    return pair.list == LIST_NONE ? 0 : 543;
  } else {
    const list = !(flags & PAIR_TOUCHING)
      ? LIST_WAITING
      : flags & PAIR_SENSOR
        ? LIST_SENSOR
        : flags & PAIR_CONCAVE
          ? LIST_CONCAVE
          : LIST_SOLVED;
    if (pair.list != list) return 544;
  }
  if (pair.list == LIST_WAITING) {
    if (<u32>at >= <u32>g.waitingCount) return 545;
    const waiting = waitingAt(at);
    const same = waiting.pair == index && waiting.bodyA == pair.bodyA && waiting.bodyB == pair.bodyB;
    return same && waiting.gap >= 0 && waiting.gap <= MOST_GAP_UNITS ? 0 : 546;
  }
  if (pair.list == LIST_SENSOR) {
    if (!(pair.travel >= -1 && pair.travel <= 1e30)) return 547;
    return <u32>at < <u32>g.sensorCount && wordAt(g.sensors, at) == index ? 0 : 548;
  }
  if (pair.list == LIST_CONCAVE)
    return <u32>at < <u32>g.concaveCount && wordAt(g.concaves, at) == index ? 0 : 549;
  const block = at >> 2;
  if (<u32>pair.color >= <u32>COLOR_COUNT || block >> 20 != pair.color) return 550;
  if ((block & 0xfffff) >= colorAt(pair.color).count) return 551;
  return pairOfLane(block, at & 3) == index ? 0 : 552;
}
