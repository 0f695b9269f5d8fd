// Two separate boxes whose closest points are a corner of one and any point of the other. In: both boxes in each
// other's frame. Out: one point on the line between the closest points. Together with the edge pairs of boxBox.ts this
// gives the complete distance of boxes: closest points that are not a crossing of two edges always include a corner. 8
// corners per call, 4 lanes each.

import { add, addScaled, neg, rotate, scale, splat, sub, x, y, z } from '../math/vector';
import { TOUCHING } from '../tolerances';
import { BoxPair } from './boxPair';
import { addPoint, apart } from './manifold';

const SCRATCH: usize = memory.data(48, 16);
const CORNER: usize = 16;
const NUMBER: usize = 32;

/**
 * `touchNormal` is a separating axis from A to B with separation `touchSeparation`, used for boxes so close that the
 * closest points give no direction.
 */
export function collideVertex(pair: BoxPair, touchSeparation: f32, touchNormal: v128): void {
  const a = pair.a;
  const b = pair.b;
  const out = pair.out;
  const maxSeparation = pair.maxSeparation;
  const hA = pair.halfA;
  const hB = pair.halfB;
  const size = x(hA) + y(hA) + z(hA) + x(hB) + y(hB) + z(hB);
  const corner2 = nearestCorner(
    new Spanned(neg(pair.offsetB), scale(pair.row0, x(hA)), scale(pair.row1, y(hA)), scale(pair.row2, z(hA))),
    hB,
  );
  const cornerA = v128.load(SCRATCH, CORNER);
  const numberA = load<u32>(SCRATCH, NUMBER);
  const least2 = nearestCorner(
    new Spanned(
      pair.offset,
      scale(pair.column0, x(hB)),
      scale(pair.column1, y(hB)),
      scale(pair.column2, z(hB)),
    ),
    hA,
  );
  const ofB = least2 <= corner2;
  const distance = sqrt<f32>(ofB ? least2 : corner2);
  if (distance > maxSeparation && distance > TOUCHING * size) return apart(out, distance);
  const p = ofB ? v128.load(SCRATCH, CORNER) : cornerA;
  const half = ofB ? hA : hB;
  const q = f32x4.pmax(neg(half), f32x4.pmin(half, p));
  const rotation = ofB ? a.rotation : b.rotation;
  const position = ofB ? a.position : b.position;
  const middle = add(position, rotate(rotation, scale(add(p, q), <f32>0.5)));
  const feature: u32 = 0x4000 | (ofB ? 8 | load<u32>(SCRATCH, NUMBER) : numberA);
  if (distance > TOUCHING * size) {
    // The normal points from the corner to the other box.
    out.normal = rotate(rotation, scale(sub(p, q), (ofB ? <f32>1 : <f32>-1) / distance));
    addPoint(out, middle, distance, feature);
  } else {
    out.normal = touchNormal;
    addPoint(out, middle, touchSeparation, feature);
  }
}

/** A box by its centre and its half edges. @value */
class Spanned {
  center: v128;
  e0: v128;
  e1: v128;
  e2: v128;
}

/**
 * Least squared distance of the 8 corners center ± e0 ± e1 ± e2 from a box of half extents `half` at the origin; leaves
 * the corner and its number in SCRATCH.
 */
function nearestCorner(box: Spanned, half: v128): f32 {
  const center = box.center;
  const e0 = box.e0;
  const e1 = box.e1;
  const e2 = box.e2;
  const s0 = f32x4(-1, 1, -1, 1);
  const s1 = f32x4(-1, -1, 1, 1);
  const px = add(add(splat(x(center)), scale(s0, x(e0))), scale(s1, x(e1)));
  const py = add(add(splat(y(center)), scale(s0, y(e0))), scale(s1, y(e1)));
  const pz = add(add(splat(z(center)), scale(s0, z(e0))), scale(s1, z(e1)));
  const low = distance2(sub(px, splat(x(e2))), sub(py, splat(y(e2))), sub(pz, splat(z(e2))), half);
  const high = distance2(add(px, splat(x(e2))), add(py, splat(y(e2))), add(pz, splat(z(e2))), half);
  v128.store(SCRATCH, low);
  let number = 0;
  let least = f32x4.extract_lane(low, 0);
  for (let i = 1; i < 4; i++) {
    const d = load<f32>(SCRATCH + ((<usize>i) << 2));
    if (d < least) {
      least = d;
      number = i;
    }
  }
  v128.store(SCRATCH, high);
  for (let i = 0; i < 4; i++) {
    const d = load<f32>(SCRATCH + ((<usize>i) << 2));
    if (d < least) {
      least = d;
      number = 4 + i;
    }
  }
  let p = addScaled(center, e0, number & 1 ? 1 : -1);
  p = addScaled(p, e1, number & 2 ? 1 : -1);
  p = addScaled(p, e2, number & 4 ? 1 : -1);
  v128.store(SCRATCH, p, CORNER);
  store<u32>(SCRATCH, number, NUMBER);
  return least;
}

/** Squared distances of four points from a box at the origin. @inline */
function distance2(px: v128, py: v128, pz: v128, half: v128): v128 {
  const none = splat(0);
  const dx = f32x4.pmax(none, sub(f32x4.abs(px), splat(x(half))));
  const dy = f32x4.pmax(none, sub(f32x4.abs(py), splat(y(half))));
  const dz = f32x4.pmax(none, sub(f32x4.abs(pz), splat(z(half))));
  return add(add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
}
