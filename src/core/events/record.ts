// The event buffer: encoded events of the last step, read after the step. In: pairs and bodies as they change. Out:
// World.events. It grows as needed, so no event is lost. Record: type | words << 8, then ids; see the constants and
// docs/events in the API.

import { separated } from '../contacts/recycle';
import { length, zero } from '../math/vector';
import { reallocate } from '../memory/allocator';
import {
  COLOR_COUNT,
  EVENT_CONTACT_BEGIN,
  EVENT_CONTACT_END,
  EVENT_CONTACT_STAY,
  EVENT_SLEEP,
  EVENT_WAKE,
  LIST_CONCAVE,
  LIST_SOLVED,
  PAIR_BEGAN,
  PAIR_BEGUN,
  PAIR_CHILD,
} from '../memory/constants';
import { BlockMeta, ContactBlock, ContactPointWide, ManifoldResult, Pair } from '../memory/records';
import {
  blockAt,
  blockHandle,
  bodyAt,
  colorAt,
  grownCapacity,
  jointAt,
  metaAt,
  pairAt,
  pointAt,
  setWord,
  shapeAt,
  wordAt,
  world,
} from '../memory/tables';
import { laneWord, pairOfLane } from '../solver/lanes';

const ID_SHIFT = 18; // public id = slot | generation << 18

export function bodyId(slot: i32): i32 {
  return slot | (bodyAt(slot).generation << ID_SHIFT);
}
export function shapeId(slot: i32): i32 {
  return slot | (shapeAt(slot).generation << ID_SHIFT);
}

/** @inline */
function wanted(type: i32): bool {
  return ((world().eventMask >> type) & 1) != 0;
}

/** Reserves a record of `words` words; returns its first index. */
function reserve(type: i32, words: i32): i32 {
  const g = world();
  const at = g.eventWords;
  if (at + words > g.eventCapacity) {
    const capacity = grownCapacity(g.eventCapacity, at + words);
    g.events = reallocate(g.events, (<usize>g.eventCapacity) << 2, (<usize>capacity) << 2);
    g.eventCapacity = capacity;
  }
  g.eventWords = at + words;
  g.eventCount++;
  setWord(g.events, at, type | (words << 8));
  return at;
}

export function clearEvents(): void {
  const g = world();
  g.eventWords = 0;
  g.eventCount = 0;
  g.eventsDropped = 0;
}

export function recordEnd(pair: Pair): void {
  if (!wanted(EVENT_CONTACT_END)) return;
  const at = reserve(EVENT_CONTACT_END, 5);
  writeIds(world().events, at + 1, pair);
}

/** Records the joint, its bodies (B is 0 for the world), and the size of the impulse at the anchor in the last step. */
export function recordJoint(type: i32, slot: i32): void {
  if (!wanted(type)) return;
  const at = reserve(type, 5);
  const table = world().events;
  const j = jointAt(slot);
  setWord(table, at + 1, slot | (j.generation << ID_SHIFT));
  setWord(table, at + 2, bodyId(j.bodyA));
  setWord(table, at + 3, bodyId(j.bodyB));
  store<f32>(<usize>table + ((<usize>(at + 4)) << 2), length(j.linearTotal));
}

function recordBody(type: i32, slot: i32): void {
  if (!wanted(type)) return;
  const at = reserve(type, 2);
  setWord(world().events, at + 1, bodyId(slot));
}

export function recordSleep(slot: i32): void {
  recordBody(EVENT_SLEEP, slot);
}
export function recordWake(slot: i32): void {
  recordBody(EVENT_WAKE, slot);
}

function writeIds(table: u32, at: i32, pair: Pair): void {
  setWord(table, at, bodyId(pair.bodyA));
  setWord(table, at + 1, bodyId(pair.bodyB));
  setWord(table, at + 2, shapeId(pair.shapeA));
  setWord(table, at + 3, shapeId(pair.shapeB));
}

/** Records contacts that continue, without those that began in this step. */
export function recordStays(): void {
  const g = world();
  if (!wanted(EVENT_CONTACT_STAY)) return;
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    for (let i = 0; i < color.count; i++) {
      const block = blockHandle(c, i);
      for (let lane = 0; lane < 4; lane++) {
        const index = pairOfLane(block, lane);
        if (index >= 0 && !(pairAt(index).flags & PAIR_CHILD)) recordStay(pairAt(index));
      }
    }
  }
  for (let i = 0; i < g.concaveCount; i++) recordStay(pairAt(wordAt(g.concaves, i)));
  for (let i = 0; i < g.sensorCount; i++) recordStay(pairAt(wordAt(g.sensors, i)));
}

function recordStay(pair: Pair): void {
  if ((pair.flags & (PAIR_BEGUN | PAIR_BEGAN)) == PAIR_BEGUN) recordContact(EVENT_CONTACT_STAY, pair);
}

export function recordContact(type: i32, pair: Pair): void {
  if (!wanted(type)) return;
  const points = contactPoints(pair);
  const at = reserve(type, 9 + 5 * points);
  writeContact(new Place(world().events, at + 1), pair, points, false);
}

/** Number of points of an awake pair, over all its manifolds. */
export function contactPoints(pair: Pair): i32 {
  if (pair.list == LIST_CONCAVE) {
    let points = 0;
    for (let child = pair.firstChild; child >= 0; child = pairAt(child).next)
      points += contactPoints(pairAt(child));
    return points;
  }
  if (pair.list != LIST_SOLVED) return 0;
  const meta = changetype<usize>(metaAt(pair.index >> 2));
  return laneWord(meta + offsetof<BlockMeta>('pointCount'), pair.index & 3);
}

/** A word of a table. @value */
export class Place {
  table: u32;
  word: i32;
}

/**
 * Writes ids, point count, normal, then position, separation and impulse of each point. `now`: with current separations
 * instead of the solver's.
 */
export function writeContact(to: Place, pair: Pair, points: i32, now: bool): void {
  const table = to.table;
  const at = to.word;
  writeIds(table, at, pair);
  setWord(table, at + 4, points);
  const base = <usize>table + ((<usize>(at + 5)) << 2);
  store<f32>(base, 0);
  store<f32>(base, 0, 4);
  store<f32>(base, 0, 8);
  if (points == 0) return;
  if (pair.list != LIST_CONCAVE) {
    writePoints(base, base + 12, pair, now);
    return;
  }
  // For several manifolds all points, and the normal of the manifold with the largest impulse.
  let out = base + 12;
  let most: f32 = -1;
  for (let child = pair.firstChild; child >= 0; child = pairAt(child).next) {
    const end = writePoints(0, out, pairAt(child), now);
    let pressure: f32 = 0;
    for (let p = out; p < end; p += 20) pressure += load<f32>(p, 16);
    if (pressure > most) {
      most = pressure;
      writePoints(base, out, pairAt(child), now);
    }
    out = end;
  }
}

/** Writes the points of one manifold to `out`, and its normal to `normal` unless that is 0. Returns the end. */
function writePoints(normal: usize, out: usize, pair: Pair, now: bool): usize {
  const points = contactPoints(pair);
  const block = now ? separated(pair.index >> 2) : blockAt(pair.index >> 2);
  const lane = (<usize>(pair.index & 3)) << 2;
  const b = changetype<usize>(block) + lane;
  const nx = load<f32>(b, offsetof<ContactBlock>('normalX'));
  const ny = load<f32>(b, offsetof<ContactBlock>('normalY'));
  const nz = load<f32>(b, offsetof<ContactBlock>('normalZ'));
  const tx = load<f32>(b, offsetof<ContactBlock>('tangentX'));
  const ty = load<f32>(b, offsetof<ContactBlock>('tangentY'));
  const tz = load<f32>(b, offsetof<ContactBlock>('tangentZ'));
  // t2 = n × t1
  const ux = ny * tz - nz * ty;
  const uy = nz * tx - nx * tz;
  const uz = nx * ty - ny * tx;
  if (normal != 0) {
    store<f32>(normal, nx);
    store<f32>(normal, ny, 4);
    store<f32>(normal, nz, 8);
  }
  // Use the anchor on a moving body; the other side may be the dummy.
  const slotA = laneWord(changetype<usize>(block) + offsetof<ContactBlock>('bodyA'), pair.index & 3);
  const useA = slotA != 0;
  const x = bodyAt(useA ? pair.bodyA : pair.bodyB).position;
  const from = b + (useA ? offsetof<ContactBlock>('centerAX') : offsetof<ContactBlock>('centerBX'));
  const cx = f32x4.extract_lane(x, 0) + load<f32>(from);
  const cy = f32x4.extract_lane(x, 1) + load<f32>(from, 16);
  const cz = f32x4.extract_lane(x, 2) + load<f32>(from, 32);
  for (let i = 0; i < points; i++, out += 20) {
    const p = changetype<usize>(pointAt(block, i)) + lane;
    const pa = load<f32>(p, offsetof<ContactPointWide>('a'));
    const pb = load<f32>(p, offsetof<ContactPointWide>('b'));
    store<f32>(out, cx + pa * tx + pb * ux);
    store<f32>(out, cy + pa * ty + pb * uy, 4);
    store<f32>(out, cz + pa * tz + pb * uz, 8);
    store<f32>(out, load<f32>(p, offsetof<ContactPointWide>('separation')), 12);
    store<f32>(out, load<f32>(p, offsetof<ContactPointWide>('totalImpulse')), 16);
  }
  return out;
}

/** Records the begin of a contact found by CCD; a sensor has no manifold. */
export function recordImpact(pair: Pair, m: ManifoldResult): void {
  if (!wanted(EVENT_CONTACT_BEGIN)) return;
  const points = changetype<usize>(m) == 0 ? 0 : m.count;
  const at = reserve(EVENT_CONTACT_BEGIN, 9 + 5 * points);
  const table = world().events;
  writeIds(table, at + 1, pair);
  setWord(table, at + 5, points);
  let out = <usize>table + ((<usize>(at + 6)) << 2);
  const n = points == 0 ? zero() : m.normal;
  store3(out, n);
  out += 12;
  const base = changetype<usize>(m);
  for (let i = 0; i < points; i++, out += 20) {
    store3(out, v128.load(base + offsetof<ManifoldResult>('point0') + ((<usize>i) << 4)));
    store<f32>(out, load<f32>(base + offsetof<ManifoldResult>('separation0') + ((<usize>i) << 2)), 12);
    store<f32>(out, load<f32>(base + offsetof<ManifoldResult>('feature0') + ((<usize>i) << 2)), 16);
  }
}

function store3(at: usize, v: v128): void {
  store<f32>(at, f32x4.extract_lane(v, 0));
  store<f32>(at, f32x4.extract_lane(v, 1), 4);
  store<f32>(at, f32x4.extract_lane(v, 2), 8);
}
