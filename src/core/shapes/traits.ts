// Rarely used data of shapes, in separate tables, so that other shapes need no memory for it. In: the field of World
// with such a table (address, capacity, count), the slot of a shape, the words of a command. Out: rows sorted by slot,
// each starting with the slot; found by binary search, and independent of the order of insertion.

import { WORLD_ADDRESS } from '../memory/constants';
import { World } from '../memory/records';
import { growTable } from '../memory/tables';

/** Table of surface velocities and one-way directions: see the record Surface. */
export const SURFACES: usize = offsetof<World>('surfaces');
/** Table of areas: see the record Area. */
export const AREAS: usize = offsetof<World>('areas');
/** Offset from the address of a table to its count. */
const COUNT: usize = 8;

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
  const shape = load<i32>(words);
  const rows = load<i32>(<usize>WORLD_ADDRESS + field, COUNT);
  const i = placeOf(field, size, shape);
  if (i == rows || load<i32>(rowAt(field, size, i)) != shape) {
    growTable(field, rows + 1, size);
    shift(field, size, i, i + 1);
  }
  const row = rowAt(field, size, i);
  memory.fill(row, 0, size);
  memory.copy(row, words, (<usize>count) << 2);
}

/** Removes the row of a shape that has one. */
export function dropTrait(field: usize, size: usize, shape: i32): void {
  const i = placeOf(field, size, shape);
  shift(field, size, i + 1, i);
}
