// The tables of a heightfield. In: its address, rows and columns. Out: points, cells and tiles, unscaled, in the
// heightfield's own frame.

import { vec3 } from '../math/vector';
import { HeightfieldGeometry } from '../memory/records';

const HEADER: usize = offsetof<HeightfieldGeometry>();

/** @inline */
export function fieldHeights(h: HeightfieldGeometry): usize {
  return changetype<usize>(h) + HEADER;
}
/** @inline */
export function fieldCells(h: HeightfieldGeometry): usize {
  return fieldHeights(h) + ((((<usize>(h.rows * h.columns)) << 2) + 15) & ~15);
}
/** @inline */
export function fieldTiles(h: HeightfieldGeometry): usize {
  return fieldCells(h) + ((<usize>((h.rows - 1) * (h.columns - 1)) + 15) & ~15);
}
/** CELL_* bits. @inline */
export function fieldCell(h: HeightfieldGeometry, row: i32, column: i32): i32 {
  return <i32>load<u8>(fieldCells(h) + <usize>(row * (h.columns - 1) + column));
}

/** Converts (along columns, up, along rows) to the heightfield's own axes. */
export function fieldAxes(h: HeightfieldGeometry, across: f32, up: f32, along: f32): v128 {
  return h.upAxis == 0
    ? vec3(up, across, along)
    : h.upAxis == 1
      ? vec3(across, up, along)
      : vec3(across, along, up);
}

export function fieldPoint(h: HeightfieldGeometry, row: i32, column: i32): v128 {
  return fieldAxes(
    h,
    (<f32>column - <f32>0.5 * <f32>(h.columns - 1)) * h.spacingX,
    load<f32>(fieldHeights(h) + ((<usize>(row * h.columns + column)) << 2)),
    (<f32>row - <f32>0.5 * <f32>(h.rows - 1)) * h.spacingZ,
  );
}

/** The lower (side −1) or upper corner of the heightfield's bounds. */
export function fieldBound(h: HeightfieldGeometry, side: f32): v128 {
  return fieldAxes(
    h,
    <f32>0.5 * side * <f32>(h.columns - 1) * h.spacingX,
    side > 0 ? h.maxHeight : h.minHeight,
    <f32>0.5 * side * <f32>(h.rows - 1) * h.spacingZ,
  );
}
