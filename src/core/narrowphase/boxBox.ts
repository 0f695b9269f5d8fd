// Box against box by the 15 axes of the separating axis theorem, four lanes at a time, in A's frame.
// In: two boxes, the hint of the last call. Out: up to 4 points, the hint for the next call.
// Gottschalk, Lin, Manocha: OBBTree (1996) for the axes; boxFace.ts clips, boxVertex.ts handles boxes
// that are apart with a corner nearest.
//
// The last separating axis is not tried first: with the change of frame, which any axis needs, all six
// face axes cost 20 ns and all fifteen 41, so there is little to save.

import {
  abs3,
  add,
  conjugate,
  cross,
  dot,
  mulQuat,
  neg,
  rotate,
  rotateInverse,
  scale,
  splat,
  sub,
  vec3,
  x,
  y,
  z,
} from '../math/vector';
import { ManifoldResult, Shape } from '../memory/records';
import { boxHalfExtents, quatAxisX, quatAxisY, quatAxisZ } from '../shapes/shape';
import { collideFace, lowestSeparation } from './boxFace';
import { collideVertex } from './boxVertex';
import { component, pick, unit, yzx, zxy } from './lanes';
import { addPoint, apart } from './manifold';

/** Sine of the angle between two edges below which their cross product is no axis of its own. */
const PARALLEL_EDGES: f32 = 1e-3;
// Tolerances as parts of the smaller box's largest half extent. Without a hint the answer is exact to
// these; with one, the last face stays until another is better by HOLD.
const FACE_BEFORE_EDGE: f32 = 5e-5;
const FACE_A_BEFORE_B: f32 = 1e-5;
const HOLD: f32 = 5e-3;
const ACCURACY: f32 = 5e-5;
/** Cosine of 5.7°: an edge axis nearer than this to the best face's normal gives way to the face, whose
 *  clipped points say the same and are more than one. */
const NEAR_FACE: f32 = 0.995;
/** How far beyond their ends two edges may be nearest and still count as crossing, as a part of them. */
const EDGE_SLACK: f32 = 1e-3;

// The hint: axis + 1 in the low bits (0–2 faces of A, 3–5 faces of B, 6–14 edges, A's axis × 3 + B's),
// then the clipped points that were kept (boxFace.ts).
const AXIS_BITS: i32 = 15;
const KEPT_SHIFT: i32 = 8;

export function collideBoxBox(a: Shape, b: Shape, maxSeparation: f32, cache: i32, out: ManifoldResult): void {
  const hA = boxHalfExtents(a);
  const hB = boxHalfExtents(b);
  const hint = (cache & AXIS_BITS) - 1;
  const q = mulQuat(conjugate(a.rotation), b.rotation);
  const t = rotateInverse(a.rotation, sub(b.position, a.position));

  // B's axes in A's frame as columns, A's axes in B's frame as rows.
  const c0 = quatAxisX(q);
  const c1 = quatAxisY(q);
  const c2 = quatAxisZ(q);
  const r0 = vec3(x(c0), x(c1), x(c2));
  const r1 = vec3(y(c0), y(c1), y(c2));
  const r2 = vec3(z(c0), z(c1), z(c2));
  const tx = x(t);
  const ty = y(t);
  const tz = z(t);
  const tB = add(add(scale(r0, tx), scale(r1, ty)), scale(r2, tz));

  // Separation along the face normals of A and of B.
  const reachB = add(add(scale(abs3(c0), x(hB)), scale(abs3(c1), y(hB))), scale(abs3(c2), z(hB)));
  const facesA = sub(abs3(t), add(hA, reachB));
  const a0 = abs3(r0);
  const a1 = abs3(r1);
  const a2 = abs3(r2);
  const reachA = add(add(scale(a0, x(hA)), scale(a1, y(hA))), scale(a2, z(hA)));
  const facesB = sub(abs3(tB), add(hB, reachA));
  const largestA = max(max(x(hA), y(hA)), z(hA));
  const largestB = max(max(x(hB), y(hB)), z(hB));
  const size = min(largestA, largestB);

  let faceA = 0;
  let bestA = x(facesA);
  if (y(facesA) > bestA) {
    faceA = 1;
    bestA = y(facesA);
  }
  if (z(facesA) > bestA) {
    faceA = 2;
    bestA = z(facesA);
  }
  if (bestA > maxSeparation) {
    out.cache = 1 + faceA;
    return apart(out, bestA);
  }
  let faceB = 0;
  let bestB = x(facesB);
  if (y(facesB) > bestB) {
    faceB = 1;
    bestB = y(facesB);
  }
  if (z(facesB) > bestB) {
    faceB = 2;
    bestB = z(facesB);
  }
  if (bestB > maxSeparation) {
    out.cache = 4 + faceB;
    return apart(out, bestB);
  }

  // Separation along a_i × b_j: one vector per i, lane j.
  const hB1 = yzx(hB);
  const hB2 = zxy(hB);
  const e0 = edgeSeparations(r1, r2, a0, a1, a2, ty, tz, y(hA), z(hA), hB1, hB2);
  const e1 = edgeSeparations(r2, r0, a1, a2, a0, tz, tx, z(hA), x(hA), hB1, hB2);
  const e2 = edgeSeparations(r0, r1, a2, a0, a1, tx, ty, x(hA), y(hA), hB1, hB2);
  const eMax = f32x4.max(f32x4.max(e0, e1), e2);
  let bestEdge = max(max(x(eMax), y(eMax)), z(eMax));
  if (bestEdge > maxSeparation) {
    out.cache = 0;
    return apart(out, bestEdge);
  }

  // The best face; the last one where it is nearly as good.
  let axis = bestB > bestA + FACE_A_BEFORE_B * size ? 3 + faceB : faceA;
  let best = axis < 3 ? bestA : bestB;
  if (hint >= 0 && hint < 6) {
    const held = hint < 3 ? component(facesA, hint) : component(facesB, hint - 3);
    if (held > best - HOLD * size) {
      axis = hint;
      best = held;
    }
  }
  const kept = hint == axis ? cache >>> KEPT_SHIFT : 0;
  let edge = -1;
  let outward = vec3(0, 1, 0);
  if (bestEdge > best + FACE_BEFORE_EDGE * size) {
    edge = bestEdgeIndex(e0, e1, e2, bestEdge, hint, HOLD * size * <f32>0.1);
    const i = edge / 3;
    const j = edge - 3 * i;
    const bj = pick(c0, c1, c2, j);
    bestEdge = component(i == 0 ? e0 : i == 1 ? e1 : e2, j);
    outward = cross(unit(i, 1), bj);
    outward = scale(outward, <f32>1 / sqrt<f32>(dot(outward, outward)));
    if (dot(outward, t) < 0) outward = neg(outward);
    const faceNormal = axis < 3 ? unit(axis, 1) : pick(c0, c1, c2, axis - 3);
    if (abs(dot(outward, faceNormal)) > NEAR_FACE) {
      face(a, b, hA, hB, t, tB, c0, c1, c2, r0, r1, r2, axis, maxSeparation, kept, out);
      if (out.count > 0 && abs(lowestSeparation() - bestEdge) < ACCURACY * size) return;
      out.count = 0;
    }
    const crossing = collideEdges(a, hA, hB, t, c0, c1, c2, i, j, outward, bestEdge, out);
    if (crossing || bestEdge <= ACCURACY * size) {
      out.cache = 1 + 6 + edge;
      return;
    }
    out.count = 0;
    collideVertex(
      a,
      b,
      hA,
      hB,
      t,
      tB,
      c0,
      c1,
      c2,
      r0,
      r1,
      r2,
      bestEdge,
      rotate(a.rotation, outward),
      maxSeparation,
      out,
    );
    out.cache = 1 + 6 + edge;
    return;
  }

  face(a, b, hA, hB, t, tB, c0, c1, c2, r0, r1, r2, axis, maxSeparation, kept, out);
  const lowest = lowestSeparation();
  const covered = lowest - best < ACCURACY * size;
  // The points lie just beyond the limit, the axis just within.
  if (covered && out.count == 0) return apart(out, lowest);
  if (covered || (best < 0 && out.count > 0)) return;
  // Apart, and the nearest points are not above the face: corner against edge or corner.
  const normal = out.normal;
  const points = out.count;
  out.count = 0;
  collideVertex(a, b, hA, hB, t, tB, c0, c1, c2, r0, r1, r2, best, normal, maxSeparation, out);
  if (points > 0 && out.count > 0 && abs(out.separation0 - lowest) < ACCURACY * size) {
    face(a, b, hA, hB, t, tB, c0, c1, c2, r0, r1, r2, axis, maxSeparation, kept, out);
  }
}

/** Separations along a_i × b_j for j = 0, 1, 2, where 1 and 2 stand for the axes after i. @inline */
function edgeSeparations(
  row1: v128,
  row2: v128,
  abs0: v128,
  abs1: v128,
  abs2: v128,
  t1: f32,
  t2: f32,
  hA1: f32,
  hA2: f32,
  hB1: v128,
  hB2: v128,
): v128 {
  const apart = abs3(sub(scale(row1, t2), scale(row2, t1)));
  const reachA = add(scale(abs2, hA1), scale(abs1, hA2));
  const reachB = add(f32x4.mul(hB1, zxy(abs0)), f32x4.mul(hB2, yzx(abs0)));
  const length2 = add(f32x4.mul(row1, row1), f32x4.mul(row2, row2));
  const separation = f32x4.div(sub(apart, add(reachA, reachB)), f32x4.sqrt(length2));
  const usable = f32x4.gt(length2, splat(PARALLEL_EDGES * PARALLEL_EDGES));
  return v128.bitselect(separation, splat(-1e30), usable);
}

/** The edge pair with the best separation, or the last one where it is nearly as good. */
function bestEdgeIndex(e0: v128, e1: v128, e2: v128, best: f32, hint: i32, hold: f32): i32 {
  if (hint >= 6) {
    const i = (hint - 6) / 3;
    const e = i == 0 ? e0 : i == 1 ? e1 : e2;
    if (component(e, hint - 6 - 3 * i) > best - hold) return hint - 6;
  }
  for (let i = 0; i < 3; i++) {
    const e = i == 0 ? e0 : i == 1 ? e1 : e2;
    for (let j = 0; j < 3; j++) if (component(e, j) == best) return 3 * i + j;
  }
  return 0;
}

/** The manifold of a face axis; A's for axis < 3, else B's. */
function face(
  a: Shape,
  b: Shape,
  hA: v128,
  hB: v128,
  t: v128,
  tB: v128,
  c0: v128,
  c1: v128,
  c2: v128,
  r0: v128,
  r1: v128,
  r2: v128,
  axis: i32,
  maxSeparation: f32,
  kept: i32,
  out: ManifoldResult,
): void {
  out.count = 0;
  const keep =
    axis < 3
      ? collideFace(a, hA, hB, t, c0, c1, c2, axis, false, maxSeparation, kept, out)
      : collideFace(b, hB, hA, neg(tB), r0, r1, r2, axis - 3, true, maxSeparation, kept, out);
  out.cache = (1 + axis) | (keep << KEPT_SHIFT);
}

/** One point where edge i of A crosses edge j of B. False where the nearest points are at an end. */
function collideEdges(
  a: Shape,
  hA: v128,
  hB: v128,
  t: v128,
  c0: v128,
  c1: v128,
  c2: v128,
  i: i32,
  j: i32,
  n: v128,
  separation: f32,
  out: ManifoldResult,
): bool {
  // Middles of the two edges: the farthest of A along n, of B against it.
  const signA = f32x4.ge(n, splat(0));
  let pA = v128.bitselect(hA, neg(hA), signA);
  const alongB = vec3(dot(n, c0), dot(n, c1), dot(n, c2));
  const signB = f32x4.ge(alongB, splat(0));
  const cornerB = v128.bitselect(neg(hB), hB, signB);
  const edgeA = unit(i, 1);
  const edgeB = pick(c0, c1, c2, j);
  const off = v128.and(cornerB, pick(i32x4(0, -1, -1, 0), i32x4(-1, 0, -1, 0), i32x4(-1, -1, 0, 0), j));
  pA = v128.and(pA, pick(i32x4(0, -1, -1, 0), i32x4(-1, 0, -1, 0), i32x4(-1, -1, 0, 0), i));
  const pB = add(add(add(t, scale(c0, x(off))), scale(c1, y(off))), scale(c2, z(off)));
  const d = sub(pB, pA);
  const g = component(edgeB, i);
  const crossed = cross(edgeA, edgeB);
  const inverse = <f32>1 / dot(crossed, crossed);
  const dA = component(d, i);
  const dB = dot(d, edgeB);
  const halfA = component(hA, i);
  const halfB = component(hB, j);
  let s = (dA - g * dB) * inverse;
  let r = (g * dA - dB) * inverse;
  const crossing = abs(s) <= halfA * (<f32>1 + EDGE_SLACK) && abs(r) <= halfB * (<f32>1 + EDGE_SLACK);
  s = max(-halfA, min(halfA, s));
  r = max(-halfB, min(halfB, r));
  const middle = scale(add(add(pA, scale(edgeA, s)), add(pB, scale(edgeB, r))), <f32>0.5);
  out.normal = rotate(a.rotation, n);
  const feature = ((<u32>(3 * i + j)) << 6) | (i32x4.bitmask(signA) & 7) | ((i32x4.bitmask(signB) & 7) << 3);
  addPoint(out, add(a.position, rotate(a.rotation, middle)), separation, feature | 0x2000);
  return crossing;
}
