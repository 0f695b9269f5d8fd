// How the narrow phase writes its result. In: points and normals in world coordinates. Out: ManifoldResult. Normals
// point from shape A to shape B, points are midway between the surfaces. Without a point, separation0 is a lower bound
// of the distance, so that the pair can be skipped until its bodies have moved that far.

import { neg } from '../math/vector';
import { ManifoldResult } from '../memory/records';

const FIRST_POINT: usize = offsetof<ManifoldResult>('point0');
const FIRST_SEPARATION: usize = offsetof<ManifoldResult>('separation0');
const FIRST_FEATURE: usize = offsetof<ManifoldResult>('feature0');

/** Adds a point; there must be room for it. @inline */
export function addPoint(out: ManifoldResult, point: v128, separation: f32, feature: u32): void {
  const at = changetype<usize>(out);
  const i = <usize>out.count;
  v128.store(at + (i << 4) + FIRST_POINT, point);
  store<f32>(at + (i << 2) + FIRST_SEPARATION, separation);
  store<u32>(at + (i << 2) + FIRST_FEATURE, feature);
  out.count = <i32>i + 1;
}

/** Writes no contact; the shapes are at least `gap` apart. @inline */
export function apart(out: ManifoldResult, gap: f32): void {
  out.separation0 = gap;
}

/** @value */
export class ContactPoint {
  normal: v128;
  point: v128;
  separation: f32;
}

/** Writes a manifold of one point, or of none if the shapes are too far apart. @inline */
export function singlePoint(out: ManifoldResult, contact: ContactPoint, maxSeparation: f32): void {
  if (contact.separation > maxSeparation) return apart(out, contact.separation);
  out.normal = contact.normal;
  addPoint(out, contact.point, contact.separation, 0);
}

/** Turns the manifold of (b, a) into that of (a, b). @inline */
export function flip(out: ManifoldResult): void {
  if (out.count > 0) out.normal = neg(out.normal); // without a point there is no normal
}

/** World position of point i. @inline */
export function manifoldPoint(m: ManifoldResult, i: i32): v128 {
  return v128.load(changetype<usize>(m) + ((<usize>i) << 4) + FIRST_POINT);
}
/** m, of point i. @inline */
export function manifoldSeparation(m: ManifoldResult, i: i32): f32 {
  return load<f32>(changetype<usize>(m) + ((<usize>i) << 2) + FIRST_SEPARATION);
}
/** @inline */
export function manifoldFeature(m: ManifoldResult, i: i32): u32 {
  return load<u32>(changetype<usize>(m) + ((<usize>i) << 2) + FIRST_FEATURE);
}

/** m. Separation of the deepest point; without points, the bound of the distance. */
export function leastSeparation(out: ManifoldResult): f32 {
  let least = out.separation0;
  for (let i = 1; i < out.count; i++) least = min(least, manifoldSeparation(out, i));
  return least;
}

/** Removes the points whose separation is above `most`, m. */
export function keepPoints(out: ManifoldResult, most: f32): void {
  const count = out.count;
  out.count = 0;
  for (let i = 0; i < count; i++) {
    const s = manifoldSeparation(out, i);
    if (s <= most) addPoint(out, manifoldPoint(out, i), s, manifoldFeature(out, i));
  }
}
