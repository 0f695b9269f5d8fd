// Rarely used data of shapes and bodies, in separate tables, so that others need no memory for it. In: the field of
// World with such a table (address, capacity, count), a key (the slot of a shape or body), the words of a command. Out:
// rows sorted by key, each starting with the key; found by binary search, and independent of the order of insertion.
// Snapshots and hashes contain all of these tables: the five fields of World from `surfaces` on, see sizeOfTrait.

import { WORLD_ADDRESS } from '../memory/map';
import { World } from '../memory/records';
import {
  AREA_SIZE,
  CHARACTER_SIZE,
  growTable,
  SURFACE_SIZE,
  VEHICLE_SIZE,
  WHEEL_SIZE,
} from '../memory/tables';

/** Table of surface velocities and one-way directions: see the record Surface. */
export const SURFACES: usize = offsetof<World>('surfaces');
/** Table of areas: see the record Area. */
export const AREAS: usize = offsetof<World>('areas');
/** Table of vehicles: see the record Vehicle. */
export const VEHICLES: usize = offsetof<World>('vehicles');
/** Table of wheels: see the record Wheel. */
export const WHEELS: usize = offsetof<World>('wheels');
/** Table of characters: see the record Character. */
export const CHARACTERS: usize = offsetof<World>('characters');
/** Offset from the address of a table to its capacity, to its count, and to the next table. */
const CAPACITY: usize = 4;
const COUNT: usize = 8;
const NEXT: usize = 12;

/** Number of these tables. */
export const TRAIT_TABLES = 5;

/** Bytes of their rows, in the order of the fields of World. */
const SIZES: usize = memory.data<u16>([
  <u16>SURFACE_SIZE,
  <u16>AREA_SIZE,
  <u16>VEHICLE_SIZE,
  <u16>WHEEL_SIZE,
  <u16>CHARACTER_SIZE,
]);

/** Bytes of a row of table `i`. @inline */
export function sizeOfTrait(i: i32): usize {
  return <usize>load<u16>(SIZES + ((<usize>i) << 1));
}
/** Offset in World of the address of table `i`. @inline */
export function traitField(i: i32): usize {
  return SURFACES + <usize>i * NEXT;
}
/** Address, capacity and number of rows of the table in a field of a world record. @inline */
export function traitRows(record: usize, field: usize): u32 {
  return load<u32>(record + field);
}
/** @inline */
export function traitCapacity(record: usize, field: usize): i32 {
  return load<i32>(record + field, CAPACITY);
}
/** @inline */
export function traitCount(record: usize, field: usize): i32 {
  return load<i32>(record + field, COUNT);
}

/** @inline */
function rowAt(field: usize, size: usize, i: i32): usize {
  return <usize>load<u32>(<usize>WORLD_ADDRESS + field) + <usize>i * size;
}

/** Index of the row of a shape, or of the row before which it would be inserted. */
function placeOf(field: usize, size: usize, shape: i32): i32 {
  let low = 0;
  let high = load<i32>(<usize>WORLD_ADDRESS + field, COUNT);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<i32>(rowAt(field, size, middle)) < shape) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Address of the row of a shape that has one. */
export function traitOf(field: usize, size: usize, shape: i32): usize {
  return rowAt(field, size, placeOf(field, size, shape));
}

/** Moves the rows from index `i` to `to`, to open or close a gap. */
function shift(field: usize, size: usize, i: i32, to: i32): void {
  const count = <usize>WORLD_ADDRESS + field + COUNT;
  const rows = load<i32>(count);
  memory.copy(rowAt(field, size, to), rowAt(field, size, i), <usize>(rows - i) * size);
  store<i32>(count, rows + to - i);
}

/** Stores the row of a shape from the words of a command, the first of which is the slot. */
export function putTrait(field: usize, size: usize, words: usize, count: i32): void {
  const row = makeTrait(field, size, load<i32>(words));
  memory.fill(row, 0, size);
  memory.copy(row, words, (<usize>count) << 2);
}

/** Whether a row has the words of a command already, or, if it is to have none, does not exist. */
export function isTrait(field: usize, size: usize, words: usize, count: i32): bool {
  const row = findTrait(field, size, load<i32>(words));
  return (row == 0) == (count == 0) && sameWords(row, words, (<usize>count) << 2);
}

/** Whether words of 4 bytes are the same: memory.compare, which compares any bytes, takes 200 more. */
export function sameWords(a: usize, b: usize, bytes: usize): bool {
  for (let at: usize = 0; at < bytes; at += 4) if (load<i32>(a + at) != load<i32>(b + at)) return false;
  return true;
}

/** Address of the row with a key; if there is none, of a new one of zeros. */
export function makeTrait(field: usize, size: usize, key: i32): usize {
  const rows = load<i32>(<usize>WORLD_ADDRESS + field, COUNT);
  const i = placeOf(field, size, key);
  if (i == rows || load<i32>(rowAt(field, size, i)) != key) {
    growTable(field, rows + 1, size);
    shift(field, size, i, i + 1);
    memory.fill(rowAt(field, size, i), 0, size);
    store<i32>(rowAt(field, size, i), key);
  }
  return rowAt(field, size, i);
}

/** Address of the row with a key, or 0. */
export function findTrait(field: usize, size: usize, key: i32): usize {
  const i = placeOf(field, size, key);
  if (i == load<i32>(<usize>WORLD_ADDRESS + field, COUNT)) return 0;
  const row = rowAt(field, size, i);
  return load<i32>(row) == key ? row : 0;
}

/** Removes the row of a shape that has one. */
export function dropTrait(field: usize, size: usize, shape: i32): void {
  const i = placeOf(field, size, shape);
  shift(field, size, i + 1, i);
}
