// The traversal of a world that writes and reads a snapshot. In: rows, tables, lists, and predictions of them. Out:
// bytes at the current position, or the same rows again. One traversal does both, so that writing and reading cannot
// differ.

import { BODY_USED, SHAPE_SPHERE } from '../memory/constants';
import { bodyAt, shapeAt, world } from '../memory/tables';
import { RESTORES } from './mode';
import { CODEC_BYTES, getRow, makeCodec, putFine, putWide, rowEnd } from './rows';

/** Workspace before the block of bytes: codecs, masks, a few rows, four manifolds, the Walk record. */
export const WORKSPACE: usize = 24576;
const MASKS: usize = 2 * CODEC_BYTES;
/** Scratch rows. */
export const ROWS: usize = MASKS + 1024;
export const BLOCK: usize = ROWS + 1024;
export const META: usize = BLOCK + 2048;
const WALK: usize = WORKSPACE - 64;
/** Largest size of an encoded row. Writing a row may overwrite as many bytes. */
export const ROW_BYTES: usize = 17;

/** State of the traversal. @unmanaged */
export class Walk {
  at: u32;
  end: u32;
  tables: u32; // address of the workspace
  reading: i32;
  failed: i32;
  lanes: i32; // number of lanes with a manifold
  fineFrom: u32; // part of a record with small numbers
  fineEnd: u32;
  parked: i32; // number of parked manifolds
  notes: u32; // memory of noteBytes; when reading, the poses
}

/** Whether the walk reads a snapshot. @inline */
export function reads(c: Walk): bool {
  return RESTORES && c.reading != 0;
}

/** Starts a traversal at `at`; its workspace is before that address. */
export function startWalk(at: usize, reading: i32): Walk {
  const c = changetype<Walk>(at - WORKSPACE + WALK);
  c.tables = <u32>(at - WORKSPACE);
  c.reading = reading;
  c.failed = 0;
  c.lanes = 0;
  c.parked = 0;
  makeCodec(<usize>c.tables, 2, 3);
  makeCodec(fineOf(c), 1, 2);
  return c;
}

export function fail(c: Walk): void {
  c.failed = 1;
}

/** @inline */
function fineOf(c: Walk): usize {
  return <usize>c.tables + CODEC_BYTES;
}

// --- rows ---

/** Writes one row at `address`, or reads into it. Lanes outside the mask are zero. */
export function row(c: Walk, address: usize, guess: v128, mask: v128): void {
  if (reads(c)) return readRow(c, <usize>c.tables, address, new Expected(v128.and(guess, mask), mask));
  c.at = <u32>putWide(c.tables, c.at, v128.and(v128.load(address), mask), v128.and(guess, mask));
}

/** The same for small numbers, or for nearly exact predictions. */
export function fine(c: Walk, address: usize, guess: v128, mask: v128): void {
  if (reads(c)) return readRow(c, fineOf(c), address, new Expected(v128.and(guess, mask), mask));
  c.at = <u32>putFine(fineOf(c), c.at, v128.and(v128.load(address), mask), v128.and(guess, mask));
}

/** What is expected in a row, and which of its lanes are used. @value */
export class Expected {
  guess: v128;
  mask: v128;
}

/** Lanes outside the mask must be zeros: the solver computes free lanes, too, and would spread invalid values. */
function readRow(c: Walk, codec: usize, address: usize, expected: Expected): void {
  if (c.at >= c.end) {
    c.failed = 1;
    return;
  }
  const row = getRow(codec, c.at, expected.guess);
  if (v128.any_true(v128.andnot(row, expected.mask))) c.failed = 1;
  v128.store(address, row);
  c.at = <u32>rowEnd(codec, c.at);
}

/** Writes four small numbers. */
export function put(c: Walk, words: v128): void {
  c.at = <u32>putFine(fineOf(c), c.at, words, i32x4.splat(0));
}

/** Reads four small numbers to `address`. */
export function get(c: Walk, address: usize): void {
  readRow(c, fineOf(c), address, new Expected(i32x4.splat(0), i32x4.splat(-1)));
}

// --- tables ---

export function keepAll(c: Walk, size: usize): void {
  const masks = <usize>c.tables + MASKS;
  memory.fill(masks, 0, (size + 15) & ~15);
  memory.fill(masks, 0xff, size);
  c.fineFrom = 0;
  c.fineEnd = 0;
}

/** @inline */
export function leaveOut(c: Walk, offset: usize, bytes: usize): void {
  memory.fill(<usize>c.tables + MASKS + offset, 0, bytes);
}

/** Records of a table: each row as its difference from that of the previous record, one bit if it is equal. */
export function table(c: Walk, base: u32, count: i32, size: usize): void {
  const wide = <usize>c.tables;
  const masks = wide + MASKS;
  const rows = (size + 15) & ~15;
  let at = <usize>c.at;
  for (let i = 0; i < count; i++) {
    const record = <usize>base + <usize>i * size;
    const before = record - size;
    for (let first: usize = 0; first < rows; first += 128) {
      const end = min(rows, first + 128);
      if (reads(c) && at >= <usize>c.end) return fail(c);
      const bits = at++;
      let present = reads(c) ? <i32>load<u8>(bits) : 0;
      let bit = 1;
      for (let o = first; o < end; o += 16, bit <<= 1) {
        const small = o - <usize>c.fineFrom < <usize>(c.fineEnd - c.fineFrom);
        const t = small ? fineOf(c) : wide;
        const mask = v128.load(masks + o);
        const guess = i == 0 ? i32x4.splat(0) : v128.and(v128.load(before + o), mask);
        if (reads(c)) {
          if (present & bit) {
            if (at >= <usize>c.end) return fail(c); // behind it is room for the rest of one row only
            const own = getRow(t, at, guess);
            if (v128.any_true(v128.andnot(own, mask))) c.failed = 1;
            v128.store(record + o, own);
            at = rowEnd(t, at);
          } else {
            v128.store(record + o, guess);
          }
        } else {
          const now = v128.and(v128.load(record + o), mask);
          if (v128.any_true(v128.xor(now, guess))) {
            present |= bit;
            at = small ? putFine(t, at, now, guess) : putWide(t, at, now, guess);
          }
        }
      }
      if (!reads(c)) store<u8>(bits, <u8>present);
    }
  }
  c.at = <u32>at;
}

/** A list of slots. */
export function list(c: Walk, base: u32, count: i32): void {
  keepAll(c, 16);
  c.fineEnd = 16;
  table(c, base, count >> 2, 16);
  const rest = count & 3;
  if (rest == 0) return;
  keepAll(c, (<usize>rest) << 2);
  c.fineEnd = 16;
  table(c, base + ((<u32>(count & ~3)) << 2), 1, 16);
}

// --- notes: the data of bodies that the traversal needs, close together ---

/** As large as a published pose: when reading, the memory of poses is used until all is in place. @unmanaged */
export class Note {
  link: i32; // link of the body's last pair in the table so far
  kind: i32; // BODY_*
  radius: f32; // m, of a sphere, otherwise 0
  reserved0: i32;
  reserved1: i32;
  reserved2: i32;
  reserved3: i32;
  reserved4: i32;
}

const NOTE_SIZE: u32 = 32;

/** Bytes for the notes of bodies, and for a list of the parked pairs. */
export function noteBytes(): usize {
  const g = world();
  return <usize>g.bodyEnd * NOTE_SIZE + ((<usize>g.pairEnd) << 2);
}

/** @inline */
export function noteOf(c: Walk, slot: i32): Note {
  return changetype<Note>(c.notes + <u32>slot * NOTE_SIZE);
}

/** Fills the notes of all bodies, before pairs are traversed. */
export function noteBodies(c: Walk): void {
  for (let slot = 1; slot < world().bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED)) continue;
    const note = noteOf(c, slot);
    note.link = -1;
    note.kind = b.type;
    const s = shapeAt(b.firstShape);
    note.radius = b.firstShape != 0 && s.type == SHAPE_SPHERE ? s.param0 : 0;
  }
}

/** @inline */
export function parkedList(c: Walk): u32 {
  return c.notes + <u32>world().bodyEnd * NOTE_SIZE;
}
