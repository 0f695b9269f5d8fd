// The pairs of a snapshot. In: the pair table, waiting pairs. Out: the same, waiting pairs in the order of the table. A
// pair is inserted at the head of the lists of both bodies, so its next pair is usually the one before it in the table.
// The flags of a pair determine its list, the list determines its index in it; coefficients follow from its shapes.
import { pairSetRebuild } from '../broadphase/pairSet';
import { updatePairMaterial } from '../contacts/pairs';
import {
  BODY_USED,
  LIST_CONCAVE,
  LIST_NONE,
  LIST_SENSOR,
  LIST_SOLVED,
  LIST_WAITING,
  PAIR_ASLEEP,
  PAIR_BEGAN,
  PAIR_BEGUN,
  PAIR_CHILD,
  PAIR_CONCAVE,
  PAIR_PARKED,
  PAIR_SENSOR,
  PAIR_STRUCK,
  PAIR_TOUCHING,
} from '../memory/constants';
import { bodyAt, PAIR_SIZE, pairAt, setWord, shapeAt, waitingAt, wordAt, world } from '../memory/tables';
import { isShape, pairsFit, within } from './links';
import { fail, get, noteBodies, noteOf, parkedList, put, ROWS, row, Walk } from './walk';

/** Bit 0: the record is free. The flags of a pair are above it. */
const IS_FREE = 1;

/** The list of a pair with these flags. @inline */
function listFor(flags: i32): i32 {
  if (flags & PAIR_CHILD) return flags & PAIR_PARKED ? LIST_NONE : LIST_SOLVED;
  if (flags & PAIR_ASLEEP) return LIST_NONE;
  if (!(flags & PAIR_TOUCHING)) return LIST_WAITING;
  return flags & PAIR_SENSOR ? LIST_SENSOR : flags & PAIR_CONCAVE ? LIST_CONCAVE : LIST_SOLVED;
}

/** @inline */
function four(w0: i32, w1: i32, w2: i32, w3: i32): v128 {
  const low = i32x4.replace_lane(i32x4.splat(w0), 1, w1);
  return i32x4.replace_lane(i32x4.replace_lane(low, 2, w2), 3, w3);
}

// --- writing ---

export function writePairs(c: Walk): void {
  noteBodies(c);
  const end = world().pairEnd;
  let shapes = i32x4.splat(0);
  for (let i = 0; i < end; i++) {
    const pair = pairAt(i);
    if (pair.shapeA <= 0) {
      put(c, four(pair.index, IS_FREE, 0, 0));
      continue;
    }
    const flags = pair.flags;
    if (flags & PAIR_PARKED) setWord(parkedList(c), c.parked++, i);
    if (flags & PAIR_CHILD) {
      put(c, four(0, flags << 1, pair.cache, 0));
      put(c, four(pair.owner, pair.next, pair.material, 0));
      continue;
    }
    const a = noteOf(c, pair.bodyA);
    const b = noteOf(c, pair.bodyB);
    const gap = pair.list == LIST_WAITING ? waitingAt(pair.index).gap : 0;
    put(c, four(gap, flags << 1, pair.cache, pair.firstChild + 1));
    const words = v128.load(changetype<usize>(pair)); // shapes, next of A and B
    put(c, i32x4.sub(words, i32x4.replace_lane(i32x4.replace_lane(shapes, 2, a.link), 3, b.link)));
    shapes = words;
    a.link = i << 1;
    b.link = (i << 1) | 1;
    if (pair.list != LIST_SENSOR) continue;
    const travel = <usize>c.tables + ROWS;
    store<f64>(travel, pair.travel);
    store<f64>(travel, 0, 8); // a row has 16 bytes
    row(c, travel, i32x4.splat(0), i32x4(-1, -1, 0, 0));
  }
}

// --- reading ---

/** Reads pairs, possibly forged. Their references are checked when all are read (links.ts). */
export function readPairs(c: Walk): void {
  const g = world();
  memory.fill(<usize>g.pairs, 0, <usize>g.pairEnd * PAIR_SIZE);
  noteBodies(c);
  const words = c.tables + <u32>ROWS;
  let shapeA = 0;
  let shapeB = 0;
  let waiting = 0;
  let owners = 0;
  for (let i = 0; i < g.pairEnd; i++) {
    get(c, <usize>words);
    if (c.failed) return;
    const pair = pairAt(i);
    const first = wordAt(words, 0); // gap of a waiting pair, next free record of a free one
    const flags = wordAt(words, 1) >> 1;
    if (wordAt(words, 1) & IS_FREE) {
      pair.shapeA = -1;
      pair.index = first;
      continue;
    }
    pair.flags = flags;
    // A pair that has begun has a manifold, or had a CCD impact in the last step.
    if (flags & PAIR_BEGAN || (flags & PAIR_BEGUN && !(flags & (PAIR_TOUCHING | PAIR_STRUCK))))
      return fail(c);
    pair.list = listFor(flags);
    pair.cache = wordAt(words, 2);
    pair.firstChild = wordAt(words, 3) - 1;
    pair.index = -1;
    if (flags & PAIR_PARKED) {
      if (pair.list != LIST_NONE || c.parked >= g.parkedEnd) return fail(c);
      pair.index = c.parked++;
    }
    get(c, <usize>words);
    if (flags & PAIR_CHILD) {
      pair.owner = wordAt(words, 0);
      pair.next = wordAt(words, 1);
      pair.material = wordAt(words, 2);
      continue;
    }
    owners++;
    shapeA += wordAt(words, 0);
    shapeB += wordAt(words, 1);
    if (!hasBody(shapeA) || !hasBody(shapeB) || shapeA >= shapeB) return fail(c);
    pair.shapeA = shapeA;
    pair.shapeB = shapeB;
    pair.bodyA = shapeAt(shapeA).body;
    pair.bodyB = shapeAt(shapeB).body;
    if (pair.bodyA == pair.bodyB) return fail(c);
    const a = noteOf(c, pair.bodyA);
    const b = noteOf(c, pair.bodyB);
    pair.nextA = wordAt(words, 2) + a.link;
    pair.nextB = wordAt(words, 3) + b.link;
    a.link = i << 1;
    b.link = (i << 1) | 1;
    if (pair.list == LIST_WAITING) {
      if (waiting >= g.waitingCount) return fail(c);
      pair.index = waiting;
      const entry = waitingAt(waiting++);
      entry.pair = i;
      entry.bodyA = pair.bodyA;
      entry.bodyB = pair.bodyB;
      entry.shapeA = shapeA;
      entry.shapeB = shapeB;
      entry.gap = first;
    } else if (pair.list == LIST_SENSOR) {
      row(c, <usize>words, i32x4.splat(0), i32x4(-1, -1, 0, 0));
      pair.travel = load<f64>(<usize>words);
    }
    updatePairMaterial(pair);
  }
  if (waiting != g.waitingCount || owners != g.pairCount || c.parked != g.parkedEnd) return fail(c);
  if (c.failed || !pairsFit()) return fail(c);
  pairSetRebuild();
}

/** @inline */
function hasBody(shape: i32): bool {
  if (!isShape(shape)) return false;
  const body = shapeAt(shape).body;
  return within(body, world().bodyEnd) && (bodyAt(body).flags & BODY_USED) != 0;
}
