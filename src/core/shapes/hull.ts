// The tables of a cooked hull. In: its address. Out: farthest vertices and faces in a direction, four at a time, and
// single vertices and planes. Everything is in the hull's own frame.

import { splat, vec3, x, y, z } from '../math/vector';
import { HullGeometry } from '../memory/records';

const HEADER: usize = offsetof<HullGeometry>();
const INDICES: usize = memory.data(16, 16);

/** @inline */
export function planesOf(h: HullGeometry): usize {
  return changetype<usize>(h) + HEADER + <usize>((h.vertexCount + 3) >> 2) * 48;
}
/** @inline */
function startsOf(h: HullGeometry): usize {
  return planesOf(h) + <usize>((h.faceCount + 3) >> 2) * 64;
}
/** First corner of a face. @inline */
export function firstCorner(h: HullGeometry, face: i32): i32 {
  return load<i32>(startsOf(h) + ((<usize>face) << 2));
}
/** The vertex at a corner. @inline */
export function cornerVertex(h: HullGeometry, corner: i32): i32 {
  return load<i32>(startsOf(h) + ((<usize>(h.faceCount + 1 + corner)) << 2));
}
/** An edge; for its bits see HullGeometry. @inline */
export function hullEdge(h: HullGeometry, i: i32): i32 {
  return load<i32>(startsOf(h) + ((<usize>(h.faceCount + 1 + h.cornerCount + i)) << 2));
}
export function hullVertex(h: HullGeometry, i: i32): v128 {
  const at = changetype<usize>(h) + HEADER + <usize>(i >> 2) * 48 + ((<usize>(i & 3)) << 2);
  return vec3(load<f32>(at), load<f32>(at, 16), load<f32>(at, 32));
}
/** Normal of a face; hullOffset is its distance from the origin. */
export function hullNormal(h: HullGeometry, i: i32): v128 {
  const at = planesOf(h) + <usize>(i >> 2) * 64 + ((<usize>(i & 3)) << 2);
  return vec3(load<f32>(at), load<f32>(at, 16), load<f32>(at, 32));
}
export function hullOffset(h: HullGeometry, i: i32): f32 {
  return load<f32>(planesOf(h) + <usize>(i >> 2) * 64 + ((<usize>(i & 3)) << 2), 48);
}

/**
 * Index of the largest of (x, y, z)·d over blocks of four that are `stride` bytes apart. The first of equals.
 * @inline
 */
function farthest(at: usize, blocks: i32, stride: usize, d: v128): i32 {
  const dx = splat(x(d));
  const dy = splat(y(d));
  const dz = splat(z(d));
  let best = splat(-1e38);
  let bestIndex = i32x4(0, 1, 2, 3);
  let index = i32x4(0, 1, 2, 3);
  for (let i = 0; i < blocks; i++) {
    const along = f32x4.add(
      f32x4.add(f32x4.mul(v128.load(at), dx), f32x4.mul(v128.load(at, 16), dy)),
      f32x4.mul(v128.load(at, 32), dz),
    );
    const better = f32x4.gt(along, best);
    best = f32x4.pmax(best, along);
    bestIndex = v128.bitselect(index, bestIndex, better);
    index = i32x4.add(index, i32x4.splat(4));
    at += stride;
  }
  // Without branches: which lane wins cannot be predicted.
  const pairs = f32x4.pmax(best, v128.shuffle<f32>(best, best, 1, 0, 3, 2));
  const greatest = f32x4.pmax(pairs, v128.shuffle<f32>(pairs, pairs, 2, 3, 0, 1));
  v128.store(INDICES, bestIndex);
  return load<i32>(INDICES + ((<usize>(ctz<i32>(i32x4.bitmask(f32x4.eq(best, greatest))) & 3)) << 2));
}

/** How far the vertices extend against d, and along it: two distances in x and y. */
export function hullExtent(h: HullGeometry, d: v128): v128 {
  const dx = splat(x(d));
  const dy = splat(y(d));
  const dz = splat(z(d));
  let at = changetype<usize>(h) + HEADER;
  let least = splat(1e38);
  let most = splat(-1e38);
  for (const end = planesOf(h); at < end; at += 48) {
    const along = f32x4.add(
      f32x4.add(f32x4.mul(v128.load(at), dx), f32x4.mul(v128.load(at, 16), dy)),
      f32x4.mul(v128.load(at, 32), dz),
    );
    least = f32x4.pmin(least, along);
    most = f32x4.pmax(most, along);
  }
  // Halves, then single lanes: (least, least, most, most) against its neighbours.
  const pairs = f32x4.pmax(
    v128.shuffle<f32>(f32x4.neg(least), most, 0, 1, 4, 5),
    v128.shuffle<f32>(f32x4.neg(least), most, 2, 3, 6, 7),
  );
  return f32x4.pmax(v128.shuffle<f32>(pairs, pairs, 0, 2, 0, 2), v128.shuffle<f32>(pairs, pairs, 1, 3, 1, 3));
}

/** The vertex farthest along d. */
export function hullSupport(h: HullGeometry, d: v128): i32 {
  return min(farthest(changetype<usize>(h) + HEADER, (h.vertexCount + 3) >> 2, 48, d), h.vertexCount - 1);
}

/** The face whose normal is closest to d. */
export function hullFace(h: HullGeometry, d: v128): i32 {
  return min(farthest(planesOf(h), (h.faceCount + 3) >> 2, 64, d), h.faceCount - 1);
}
