// Box against box by the 15 axes of the separating axis test, four lanes at a time, in A's frame. In: two boxes, the
// hint of the last call. Out: up to 4 points, the hint for the next call. Axes: Gottschalk, Lin, Manocha, OBBTree
// (1996). boxFace.ts clips; boxVertex.ts handles separate boxes whose closest points include a corner.
//
// The last separating axis is not tested first: with the change of frame that any axis needs, all six face axes cost 20
// ns and all fifteen axes 41 ns, so little could be saved.

import {
  abs3,
  add,
  conjugate,
  cross,
  dot,
  length,
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
import { ManifoldResult } from '../memory/records';
import { Reach, Shapes } from '../memory/values';
import { boxHalfExtents, quatAxisX, quatAxisY, quatAxisZ } from '../shapes/shape';
import {
  BEYOND_EDGE,
  BOX_CLIP_ACCURACY,
  FACE_BEFORE_EDGE,
  FACING,
  HOLD_AXIS,
  HOLD_EDGE,
  TOUCHING,
} from '../tolerances';
import { collideFace } from './boxFace';
import { BoxPair, isBeyond, KEPT_SHIFT } from './boxPair';
import { collideVertex } from './boxVertex';
import { component, largest, pick, unit, yzx, zxy } from './lanes';
import { addPoint, apart } from './manifold';

// The hint: axis + 1 in the low bits (0–2 faces of A, 3–5 faces of B, 6–14 edges, A's axis × 3 + B's), then the clipped
// points that were kept (boxFace.ts).
const AXIS_BITS: i32 = 15;

const PAIR: usize = memory.data(256, 16);

export function collideBoxBox(shapes: Shapes, reach: Reach, cache: i32, out: ManifoldResult): void {
  const a = shapes.a;
  const b = shapes.b;
  const halfA = boxHalfExtents(a);
  const halfB = boxHalfExtents(b);
  const maxSeparation = reach.most;
  const still = splat(reach.still);
  const turning = splat(reach.turning);
  const q = mulQuat(conjugate(a.rotation), b.rotation);
  const t = rotateInverse(a.rotation, sub(b.position, a.position));
  const c0 = quatAxisX(q);
  const c1 = quatAxisY(q);
  const c2 = quatAxisZ(q);
  const r0 = vec3(x(c0), x(c1), x(c2));
  const r1 = vec3(y(c0), y(c1), y(c2));
  const r2 = vec3(z(c0), z(c1), z(c2));
  const tB = add(add(scale(r0, x(t)), scale(r1, y(t))), scale(r2, z(t)));

  // Separation along the face normals of A and of B.
  const reachB = add(add(scale(abs3(c0), x(halfB)), scale(abs3(c1), y(halfB))), scale(abs3(c2), z(halfB)));
  const facesA = sub(abs3(t), add(halfA, reachB));
  const faceA = largest(facesA);
  const bestA = component(facesA, faceA);
  const way = rotateInverse(a.rotation, reach.way);
  const reachA = add(add(scale(abs3(r0), x(halfA)), scale(abs3(r1), y(halfA))), scale(abs3(r2), z(halfA)));
  const facesB = sub(abs3(tB), add(halfB, reachA));
  const faceB = largest(facesB);
  const bestB = component(facesB, faceB);
  const wayB = add(add(scale(r0, x(way)), scale(r1, y(way))), scale(r2, z(way)));
  const mostA = f32x4.pmax(still, add(turning, closing(t, way)));
  const mostB = f32x4.pmax(still, add(turning, closing(tB, wayB)));
  if (v128.any_true(v128.or(f32x4.gt(facesA, mostA), f32x4.gt(facesB, mostB)))) {
    // The larger the bound of the distance, the longer the pair needs no test.
    out.cache = bestB > bestA ? 4 + faceB : 1 + faceA;
    return apart(out, max(bestA, bestB));
  }

  const p = changetype<BoxPair>(PAIR);
  p.a = a;
  p.b = b;
  p.out = out;
  p.maxSeparation = maxSeparation;
  p.still = reach.still;
  p.turning = reach.turning;
  p.way = way;
  p.halfA = halfA;
  p.halfB = halfB;
  p.offset = t;
  p.offsetB = tB;
  p.column0 = c0;
  p.column1 = c1;
  p.column2 = c2;
  p.row0 = r0;
  p.row1 = r1;
  p.row2 = r2;
  p.size = min(component(halfA, largest(halfA)), component(halfB, largest(halfB)));
  const bestEdge = separateEdges(p);
  if (bestEdge > max(reach.still, reach.turning + length(way))) {
    out.cache = 0;
    return apart(out, bestEdge);
  }

  // The best face, or the last one if it is nearly as good.
  const hint = (cache & AXIS_BITS) - 1;
  let face = bestB > bestA + TOUCHING * p.size ? 3 + faceB : faceA;
  let best = face < 3 ? bestA : bestB;
  if (hint >= 0 && hint < 6) {
    const held = hint < 3 ? component(facesA, hint) : component(facesB, hint - 3);
    if (held > best - HOLD_AXIS * p.size) {
      face = hint;
      best = held;
    }
  }
  const kept = hint == face ? cache >>> KEPT_SHIFT : 0;
  if (bestEdge > best + FACE_BEFORE_EDGE * p.size)
    collideAlongEdge(p, bestEdgeIndex(p, bestEdge, hint), face, kept);
  else collideAlongFace(p, face, best, kept);
}

/** The way on which the boxes approach along each of three axes; t: to B, way: of B, both along the axes. @inline */
function closing(t: v128, way: v128): v128 {
  return f32x4.pmax(splat(0), v128.bitselect(neg(way), way, f32x4.ge(t, splat(0))));
}

/** Stores the separations along a_i × b_j in the pair, one vector per i, lane j; returns the largest. @inline */
function separateEdges(p: BoxPair): f32 {
  p.edges0 = edgeSeparations(p, 0);
  p.edges1 = edgeSeparations(p, 1);
  p.edges2 = edgeSeparations(p, 2);
  const most = f32x4.pmax(f32x4.pmax(p.edges0, p.edges1), p.edges2);
  return max(max(x(most), y(most)), z(most));
}

/** Separations along a_i × b_j for j = 0, 1, 2. @inline */
function edgeSeparations(p: BoxPair, i: i32): v128 {
  // The axes in cyclic order, starting after i.
  const row0 = pick(p.row0, p.row1, p.row2, i);
  const row1 = pick(p.row1, p.row2, p.row0, i);
  const row2 = pick(p.row2, p.row0, p.row1, i);
  const offset = i == 0 ? p.offset : i == 1 ? yzx(p.offset) : zxy(p.offset);
  const halfA = i == 0 ? p.halfA : i == 1 ? yzx(p.halfA) : zxy(p.halfA);
  const abs0 = abs3(row0);
  const apart = abs3(sub(scale(row1, z(offset)), scale(row2, y(offset))));
  const reachA = add(scale(abs3(row2), y(halfA)), scale(abs3(row1), z(halfA)));
  const reachB = add(f32x4.mul(yzx(p.halfB), zxy(abs0)), f32x4.mul(zxy(p.halfB), yzx(abs0)));
  const length2 = add(f32x4.mul(row1, row1), f32x4.mul(row2, row2));
  const separation = f32x4.div(sub(apart, add(reachA, reachB)), f32x4.sqrt(length2));
  // Edges whose sine is below √ε are parallel: rounding turns their axis by ε / sine, more than it may turn without them.
  const usable = f32x4.gt(length2, splat(f32.EPSILON));
  return v128.bitselect(separation, splat(-1e30), usable);
}

/** The separation along one of the nine edge axes. @inline */
function edgeSeparation(p: BoxPair, edge: i32): f32 {
  const i = edge / 3;
  return component(pick(p.edges0, p.edges1, p.edges2, i), edge - 3 * i);
}

/** The edge pair with the largest separation, or the last one if it is nearly as good. */
function bestEdgeIndex(p: BoxPair, best: f32, hint: i32): i32 {
  if (hint >= 6 && edgeSeparation(p, hint - 6) > best - HOLD_EDGE * p.size) return hint - 6;
  for (let edge = 0; edge < 9; edge++) if (edgeSeparation(p, edge) == best) return edge;
  return 0;
}

/** Contacts if an edge axis has the largest separation; `face` is the best face. */
function collideAlongEdge(p: BoxPair, edge: i32, face: i32, kept: i32): void {
  const out = p.out;
  const separation = edgeSeparation(p, edge);
  const i = edge / 3;
  let outward = cross(unit(i, 1), pick(p.column0, p.column1, p.column2, edge - 3 * i));
  outward = scale(outward, <f32>1 / sqrt<f32>(dot(outward, outward)));
  if (dot(outward, p.offset) < 0) outward = neg(outward);
  if (isBeyond(p, outward, separation)) {
    out.cache = 0;
    return apart(out, separation);
  }
  const faceNormal = face < 3 ? unit(face, 1) : pick(p.column0, p.column1, p.column2, face - 3);
  if (abs(dot(outward, faceNormal)) > FACING) {
    collideFace(p, face, kept);
    if (out.count > 0 && abs(p.lowest - separation) < BOX_CLIP_ACCURACY * p.size) return;
    out.count = 0;
  }
  if (!crossEdges(p, edge, outward) && separation > BOX_CLIP_ACCURACY * p.size) {
    out.count = 0;
    collideVertex(p, separation, rotate(p.a.rotation, outward));
  }
  out.cache = 1 + 6 + edge;
}

/** Contacts if a face axis has the largest separation, `best`. */
function collideAlongFace(p: BoxPair, face: i32, best: f32, kept: i32): void {
  const out = p.out;
  collideFace(p, face, kept);
  const lowest = p.lowest;
  const covered = lowest - best < BOX_CLIP_ACCURACY * p.size;
  // The clipped points are just beyond the limit, the separation of the axis is just within.
  if (covered && out.count == 0) return apart(out, lowest);
  if (covered || (best < 0 && out.count > 0)) return;
  // The boxes are separate and the closest points are not above the face: a corner against an edge or corner.
  const points = out.count;
  out.count = 0;
  collideVertex(p, best, out.normal);
  if (points > 0 && out.count > 0 && abs(out.separation0 - lowest) < BOX_CLIP_ACCURACY * p.size)
    collideFace(p, face, kept);
}

/** One point where an edge of A crosses an edge of B. False if the closest points are at an end of an edge. */
function crossEdges(p: BoxPair, edge: i32, n: v128): bool {
  const out = p.out;
  const i = edge / 3;
  const j = edge - 3 * i;
  const separation = edgeSeparation(p, edge);
  // Midpoints of the two edges: the farthest edge of A along n, of B against n.
  const signA = f32x4.ge(n, splat(0));
  const signB = f32x4.ge(vec3(dot(n, p.column0), dot(n, p.column1), dot(n, p.column2)), splat(0));
  const cornerA = v128.bitselect(p.halfA, neg(p.halfA), signA);
  const cornerB = v128.bitselect(neg(p.halfB), p.halfB, signB);
  const pA = v128.and(cornerA, allBut(i));
  const off = v128.and(cornerB, allBut(j));
  const pB = add(
    add(add(p.offset, scale(p.column0, x(off))), scale(p.column1, y(off))),
    scale(p.column2, z(off)),
  );
  const edgeA = unit(i, 1);
  const edgeB = pick(p.column0, p.column1, p.column2, j);
  const d = sub(pB, pA);
  const g = component(edgeB, i);
  const crossed = cross(edgeA, edgeB);
  const inverse = <f32>1 / dot(crossed, crossed);
  const dA = component(d, i);
  const dB = dot(d, edgeB);
  const lengthA = component(p.halfA, i);
  const lengthB = component(p.halfB, j);
  let s = (dA - g * dB) * inverse;
  let r = (g * dA - dB) * inverse;
  const within = <f32>1 + BEYOND_EDGE;
  const crossing = abs(s) <= lengthA * within && abs(r) <= lengthB * within;
  s = max(-lengthA, min(lengthA, s));
  r = max(-lengthB, min(lengthB, r));
  const middle = scale(add(add(pA, scale(edgeA, s)), add(pB, scale(edgeB, r))), <f32>0.5);
  out.normal = rotate(p.a.rotation, n);
  const feature = ((<u32>edge) << 6) | (i32x4.bitmask(signA) & 7) | ((i32x4.bitmask(signB) & 7) << 3);
  addPoint(out, add(p.a.position, rotate(p.a.rotation, middle)), separation, feature | 0x2000);
  return crossing;
}

/** A mask of the components other than i. @inline */
function allBut(i: i32): v128 {
  return pick(i32x4(0, -1, -1, 0), i32x4(-1, 0, -1, 0), i32x4(-1, -1, 0, 0), i);
}
