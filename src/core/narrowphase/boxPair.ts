// Two boxes, each in the other's frame: the data shared by the parts of the box-box test. Filled by boxBox.ts.
import { dot } from '../math/vector';
import { ManifoldResult, Shape } from '../memory/records';

/** @unmanaged */
export class BoxPair {
  halfA: v128; // half extents
  halfB: v128;
  offset: v128; // centre of B in A's frame
  offsetB: v128; // the same vector along B's axes
  column0: v128; // B's axes in A's frame
  column1: v128;
  column2: v128;
  row0: v128; // A's axes in B's frame
  row1: v128;
  row2: v128;
  way: v128; // m, displacement of B relative to A in this step, in A's frame
  edges0: v128; // separations along A's axis 0 × B's axes
  edges1: v128;
  edges2: v128;
  a: Shape;
  b: Shape;
  out: ManifoldResult;
  maxSeparation: f32; // m
  still: f32; // m, of boxes that do not come nearer
  turning: f32; // m, how far rotation moves their points in this step
  size: f32; // m, largest half extent of the smaller box: unit of the tolerances
  lowest: f32; // m, smallest separation of the last clipped face, before points were left out
}

/** Whether a separation along n, from A to B in A's frame, is too large for a contact in this step. */
export function isBeyond(p: BoxPair, n: v128, separation: f32): bool {
  return separation > max(p.still, p.turning - min<f32>(0, dot(n, p.way)));
}

/** The hint: number of the axis + 1 in the low bits, then the points that boxFace.ts kept. */
export const KEPT_SHIFT: i32 = 8;
