// The exact separating axis of two overlapping polyhedra (Gregorius, The Separating Axis Test between Convex Polyhedra,
// GDC 2013). In: hulls or boxes, the pose of B in A's frame. Out: the greatest separation along face normals and along
// normals of edge pairs on the Gauss map, its normal from A to B, and the features to which it belongs.
//
// Each point of Q gives an upper bound of Q's separation from each plane of P. So the exact support point is computed
// for the face with the greatest bound; it tightens the bounds of the other faces, until no bound exceeds the best
// separation. An edge of P is an arc on the Gauss map, between the planes of its two faces. The separation along the
// arc is the lower envelope of linear functions, one for each point of Q. Its peaks are where the arc crosses an arc of
// Q, that is an edge of Q. If the peak of two points is not above the best separation, the arc is finished; otherwise
// the support point there is a third one. So crossings that cannot win are never computed, and no pairs of edges are
// tested. Planes store their distance as w = −offset.

import {
  add,
  addScaled,
  conjugate,
  cross,
  dot,
  neg,
  rotate,
  rotateInverse,
  scale,
  splat,
  sub,
  w,
  x,
  y,
  z,
} from '../math/vector';
import { SHAPE_BOX, SHAPE_HULL } from '../memory/constants';
import { HullGeometry, Shape } from '../memory/records';
import { hullEdge, planesOf } from '../shapes/hull';
import { boxHalfExtents, convexSize } from '../shapes/shape';
import { BEYOND_EDGE, FACE_BEFORE_EDGE, HOLD_AXIS, ROUNDING, TOUCHING } from '../tolerances';
import { ball, faceCount, support } from './convex';
import { ConvexPair } from './convexPair';
import { setWitness } from './gjk';
import { greatestOf, laneWhere } from './lanes';

// Shares of the smaller size by which a face of B must beat a face of A, and an edge pair a face. The result is exact
// to these values, and rounding does not choose between equally good axes.
/** Limit of the recursion over crossings on one arc. There are at most 64 corners. */
const DEEPEST: i32 = 24;

const MOST_FACES: i32 = 128;
/** Least bound of each face, and the point that gave it. */
const BOUNDS: usize = memory.data(128 * 4, 16);
const BY: usize = memory.data(128 * 4, 16);
const POINTS: usize = memory.data(128 * 16, 16);
/** Planes in the layout of a hull: normals of four, then their distances, which are filled in. */
const BOX_PLANES: usize = memory.data<f32>(
  [1, -1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1, -1, -1, 0, 0, 0, 0],
  16,
);
/** Vertices from and to (numbers as in `ball`), then the faces at either side: 6, 6, 7 and 7 bits. */
const BOX_EDGES: usize = memory.data<i32>(
  [2105797, 2629825, 2109828, 2633856, 16838, 540996, 20674, 544832, 1049027, 1573250, 1052993, 1577216],
  4,
);

/** P, whose faces or edges are tested, and Q, whose points are. @unmanaged */
class Search {
  rotation: v128; // of Q, in P's frame
  position: v128;
  p: Shape;
  q: Shape;
  planes: usize; // of P
  ofB: i32; // 1: P is B
  edge: i32; // of P, the one that is walked
}
const SEARCH: usize = memory.data(offsetof<Search>(), 16);
/**
 * Best axis: normal in P's frame, the point of Q or the ends of its edge; separation; 1: P is B; face or −1; edge or
 * −1.
 */
const BEST: usize = memory.data(64, 16);
const END_1: usize = 16;
const END_2: usize = 32;
const SEPARATION: usize = 48;
const SIDE: usize = 52;
const FACE: usize = 56;
const EDGE: usize = 60;
/** Separation that an axis has to exceed. */
const LIMIT: usize = memory.data(4, 4);

/** @inline */
export function isPolyhedron(s: Shape): bool {
  return s.type == SHAPE_BOX || s.type == SHAPE_HULL;
}
/** @inline */
export function edgeCount(s: Shape): i32 {
  return s.type == SHAPE_BOX ? 12 : changetype<HullGeometry>(<usize>s.geometry).cornerCount >> 1;
}
/** @inline */
export function axisOfB(): i32 {
  return load<i32>(BEST, SIDE);
}
/** The face of the axis, or −1 if two edges span it. @inline */
export function axisFace(): i32 {
  return load<i32>(BEST, FACE);
}
/** The edge of the axis. @inline */
export function axisEdge(): i32 {
  return load<i32>(BEST, EDGE);
}
/** The axis from A to B, in A's frame. The pose must be that of the last call. */
export function axisNormal(pair: ConvexPair): v128 {
  const n = f32x4.replace_lane(v128.load(BEST), 3, 0);
  return axisOfB() ? neg(rotate(pair.rotation, n)) : n;
}

function planes(p: Shape): usize {
  if (p.type == SHAPE_HULL) return planesOf(changetype<HullGeometry>(<usize>p.geometry));
  const half = boxHalfExtents(p);
  v128.store(BOX_PLANES, v128.shuffle<f32>(half, half, 0, 0, 1, 1), 48);
  v128.store(BOX_PLANES, v128.shuffle<f32>(half, half, 2, 2, 2, 2), 112);
  return BOX_PLANES;
}
/** @inline */
function planeAt(at: usize, face: i32): v128 {
  const p = at + ((<usize>(face >> 2)) << 6) + ((<usize>(face & 3)) << 2);
  return f32x4(load<f32>(p), load<f32>(p, 16), load<f32>(p, 32), -load<f32>(p, 48));
}
/** @inline */
function height(plane: v128, point: v128): f32 {
  const m = f32x4.mul(plane, point);
  return x(m) + y(m) + (z(m) + w(m));
}
/** The point of Q deepest below the plane, in P's frame, w = 1. */
function deepest(search: Search, plane: v128): v128 {
  const r = search.rotation;
  const p = add(rotate(r, support(search.q, rotateInverse(r, neg(plane)))), search.position);
  return f32x4.replace_lane(p, 3, 1);
}

/** Prepares the search over the faces or edges of A, or of B. */
function searchOn(pair: ConvexPair, ofB: i32): Search {
  const search = changetype<Search>(SEARCH);
  const q = pair.rotation;
  const t = pair.position;
  search.rotation = ofB ? conjugate(q) : q;
  search.position = ofB ? rotateInverse(q, neg(t)) : t;
  search.p = ofB ? pair.b : pair.a;
  search.q = ofB ? pair.a : pair.b;
  search.planes = planes(search.p);
  search.ofB = ofB;
  return search;
}

/** The axis of a face is the best so far. @inline */
function takeFace(search: Search, plane: v128, separation: f32, face: i32): void {
  take(search, plane, separation);
  store<i32>(BEST, face, FACE);
  store<i32>(BEST, -1, EDGE);
}

/** An axis across the edge that is walked is the best so far. @inline */
function takeEdge(search: Search, plane: v128, separation: f32): void {
  take(search, plane, separation);
  store<i32>(BEST, -1, FACE);
  store<i32>(BEST, search.edge, EDGE);
}

/** @inline */
function take(search: Search, plane: v128, separation: f32): void {
  v128.store(BEST, plane);
  store<f32>(BEST, separation, SEPARATION);
  store<i32>(BEST, search.ofB, SIDE);
  store<f32>(LIMIT, separation);
}

/** Vertices from and to, then the faces left and right. */
function edgeAt(s: Shape, i: i32): i32 {
  if (s.type == SHAPE_BOX) return load<i32>(BOX_EDGES + ((<usize>i) << 2));
  return hullEdge(changetype<HullGeometry>(<usize>s.geometry), i);
}
/** @inline */
function leftFace(edge: i32): i32 {
  return (edge >> 12) & 127;
}
/** @inline */
function rightFace(edge: i32): i32 {
  return edge >> 19;
}

/** What separatingAxis does with the axis of the last separationOf…: it has none. */
export const NO_AXIS: i32 = 0;
/** It is an axis like others, and spares the search all that are worse. */
export const PRUNE_BY_AXIS: i32 = 1;
/** It is kept unless another one is better by HOLD_AXIS. */
export const KEEP_AXIS: i32 = 2;

/**
 * The greatest separation of two polyhedra along any axis; if they overlap, minus the least depth. Returns the first
 * axis with a separation above 0.
 */
export function separatingAxis(pair: ConvexPair, held: i32): f32 {
  const a = pair.a;
  const b = pair.b;
  const size = min(convexSize(a), convexSize(b));
  const least: f32 =
    held == NO_AXIS
      ? <f32>-1e30
      : load<f32>(BEST, SEPARATION) + (held == KEEP_AXIS ? HOLD_AXIS : -FACE_BEFORE_EDGE) * size;
  if (held == NO_AXIS) store<i32>(BEST, -1, FACE);
  // The edges of the polyhedron with fewer edges are walked, after its faces were tested.
  const last = edgeCount(b) < edgeCount(a) ? 1 : 0;
  let n = held == NO_AXIS ? pair.position : axisNormal(pair);
  for (let pass = 0; pass < 2; pass++) {
    const ofB = pass == 0 ? 1 - last : last;
    const preference = pass == 0 ? <f32>0 : ofB ? TOUCHING : -TOUCHING;
    store<f32>(LIMIT, mustExceed(least, preference * size));
    const search = searchOn(pair, ofB);
    faces(search, deepest(search, ofB ? rotateInverse(pair.rotation, neg(n)) : n));
    const best = load<f32>(BEST, SEPARATION);
    if (best > 0) return best;
    n = axisNormal(pair);
  }
  store<f32>(LIMIT, max(mustExceed(least, FACE_BEFORE_EDGE * size), load<f32>(BEST, SEPARATION)));
  const search = changetype<Search>(SEARCH); // of the polyhedron whose faces came last
  const count = edgeCount(search.p);
  for (let i = 0; i < count; i++) {
    const edge = edgeAt(search.p, i);
    const byF = POINTS + ((<usize>load<u32>(BY + ((<usize>leftFace(edge)) << 2))) << 4);
    const byG = POINTS + ((<usize>load<u32>(BY + ((<usize>rightFace(edge)) << 2))) << 4);
    if (byF != byG) walk(search, i, v128.load(byF), v128.load(byG));
  }
  return load<f32>(BEST, SEPARATION);
}

/** The separation that the next axis must exceed: that of a face by `more`. */
function mustExceed(least: f32, more: f32): f32 {
  return axisFace() < 0 ? least : max(least, load<f32>(BEST, SEPARATION) + more);
}

/** Finds the greatest separation along the faces of P, if it is above the limit. */
function faces(search: Search, first: v128): void {
  const at = search.planes;
  const count = faceCount(search.p);
  const blocks = (<usize>count + 3) >> 2;
  let point = first;
  for (let known = 0; ; known++) {
    v128.store(POINTS + ((<usize>known) << 4), point);
    const px = splat(x(point));
    const py = splat(y(point));
    const pz = splat(z(point));
    const name = i32x4.splat(known);
    const limit = splat(load<f32>(LIMIT));
    let most = splat(-1e38);
    let where = i32x4.splat(0);
    let index = i32x4(0, 1, 2, 3);
    for (let i: usize = 0; i < blocks; i++) {
      const block = at + (i << 6);
      const bound = BOUNDS + (i << 4);
      const by = BY + (i << 4);
      const old = known == 0 ? most : v128.load(bound);
      const names = index;
      index = i32x4.add(index, i32x4.splat(4));
      // None of these four can exceed the limit any more.
      if (known != 0 && !v128.any_true(f32x4.gt(old, limit))) continue;
      let above = f32x4.sub(
        f32x4.add(
          f32x4.add(f32x4.mul(v128.load(block), px), f32x4.mul(v128.load(block, 16), py)),
          f32x4.mul(v128.load(block, 32), pz),
        ),
        v128.load(block, 48),
      );
      if (known == 0) v128.store(by, name);
      else {
        const lower = f32x4.lt(above, old);
        v128.store(by, v128.bitselect(name, v128.load(by), lower));
        above = f32x4.pmin(above, old);
      }
      v128.store(bound, above);
      const better = f32x4.gt(above, most);
      most = f32x4.pmax(most, above);
      where = v128.bitselect(names, where, better);
    }
    const greatest = greatestOf(most);
    if (greatest <= load<f32>(LIMIT)) return;
    const face = min(laneWhere(where, most, greatest), count - 1);
    const plane = planeAt(at, face);
    point = deepest(search, plane);
    const separation = height(plane, point);
    if (separation > load<f32>(LIMIT)) {
      takeFace(search, plane, separation, face);
      v128.store(BEST, point, END_1);
    }
    if (separation >= greatest || known == MOST_FACES - 1) return;
  }
}

/** Tests all crossings of the arc of P's edge i, starting from points that bound the separation at its ends. */
function walk(search: Search, i: i32, byF: v128, byG: v128): void {
  const p = search.p;
  const edge = edgeAt(p, i);
  const c = planeAt(search.planes, leftFace(edge));
  const d = planeAt(search.planes, rightFace(edge));
  if (!(peak(c, byF, d, byG) > load<f32>(LIMIT))) return;
  search.edge = i;
  if (dot(c, d) >= 0) return arc(search, new ArcEnd(c, byF), new ArcEnd(d, byG), DEEPEST);
  // A sharp edge: first split the arc at its middle, at right angles to the edge, however thin the wedge. If rounding
  // left a very short edge no direction, any direction results; the plane still touches P, so no separation is
  // overestimated.
  const n = cross(sub(ball(p, (edge >> 6) & 63), ball(p, edge & 63)), sub(c, d));
  const unit = scale(n, <f32>1 / sqrt<f32>(dot(n, n)));
  const m = f32x4.replace_lane(unit, 3, -dot(unit, support(p, unit)));
  const by = deepest(search, m);
  arc(search, new ArcEnd(c, byF), new ArcEnd(m, by), DEEPEST);
  arc(search, new ArcEnd(m, by), new ArcEnd(d, byG), DEEPEST);
}

/** Share of the way from c to d at which two points have equal height over the plane. @inline */
function crossing(c: v128, byC: v128, d: v128, byD: v128): f32 {
  const more = max<f32>(0, height(c, byD) - height(c, byC));
  const sum = more + max<f32>(0, height(d, byC) - height(d, byD));
  return sum > 0 ? more / sum : 0;
}
/** Their height there. It is an upper bound of the separation between c and d, if that is negative. @inline */
function peak(c: v128, byC: v128, d: v128, byD: v128): f32 {
  const share = crossing(c, byC, d, byD);
  return min(
    height(c, byC) + share * (height(d, byC) - height(c, byC)),
    height(c, byD) + share * (height(d, byD) - height(c, byD)),
  );
}

/** @inline */
export function isSame(p: v128, q: v128): bool {
  return i32x4.all_true(i32x4.eq(p, q));
}

/** End of an arc of directions, and the deepest point there. @value */
class ArcEnd {
  at: v128;
  by: v128;
}

/** Tests the crossings of an arc. */
function arc(search: Search, from: ArcEnd, to: ArcEnd, depth: i32): void {
  const c = from.at;
  const byC = from.by;
  const d = to.at;
  const byD = to.by;
  const bound = peak(c, byC, d, byD);
  if (!(bound > load<f32>(LIMIT))) return;
  let m = f32x4.add(c, f32x4.mul(f32x4.sub(d, c), splat(crossing(c, byC, d, byD))));
  const length = sqrt<f32>(dot(m, m));
  m = f32x4.div(m, splat(length));
  const point = deepest(search, m);
  const separation = height(m, point);
  if (separation > load<f32>(LIMIT)) {
    takeEdge(search, m, separation);
    v128.store(BEST, byC, END_1);
    v128.store(BEST, byD, END_2);
  }
  // No third point is lower: an edge of Q crosses here.
  if (depth == 0 || bound - separation * length <= ROUNDING * convexSize(search.q)) return;
  if (isSame(point, byC) || isSame(point, byD)) return;
  arc(search, new ArcEnd(c, byC), new ArcEnd(m, point), depth - 1);
  arc(search, new ArcEnd(m, point), new ArcEnd(d, byD), depth - 1);
}

/** The edge of a polyhedron between two of its vertices, or −1. */
export function edgeBetween(p: Shape, from: v128, to: v128): i32 {
  const count = edgeCount(p);
  for (let i = 0; i < count; i++) {
    const edge = edgeAt(p, i);
    const start = ball(p, edge & 63);
    const end = ball(p, (edge >> 6) & 63);
    // Two different points, in either order.
    if (isSame(add(start, end), add(from, to)) && (isSame(start, from) || isSame(end, from))) return i;
  }
  return -1;
}

/** The separation along a face that an earlier call found, of A or of B. */
export function separationOfFace(pair: ConvexPair, ofB: i32, face: i32): f32 {
  const search = searchOn(pair, ofB);
  const plane = planeAt(search.planes, face);
  const point = deepest(search, plane);
  takeFace(search, plane, height(plane, point), face);
  v128.store(BEST, point, END_1);
  return load<f32>(BEST, SEPARATION);
}

/** The greatest separation along the axes on the arc of an edge that an earlier call found. */
export function separationOfEdge(pair: ConvexPair, ofB: i32, i: i32): f32 {
  const search = searchOn(pair, ofB);
  store<f32>(LIMIT, -1e30);
  const edge = edgeAt(search.p, i);
  const byF = deepest(search, planeAt(search.planes, leftFace(edge)));
  walk(search, i, byF, deepest(search, planeAt(search.planes, rightFace(edge))));
  return load<f32>(BEST, SEPARATION);
}

/**
 * Witness points of the last axis, in the form of GJK: for two edges their closest points. False if these are not
 * between the ends of both, or if the axis is that of a face.
 */
export function witnessOfAxis(pair: ConvexPair): bool {
  const ofB = axisOfB();
  const q = pair.rotation;
  const t = pair.position;
  let pQ = v128.load(BEST, END_1);
  let pP = addScaled(pQ, v128.load(BEST), -load<f32>(BEST, SEPARATION));
  let between = false;
  if (axisFace() < 0) {
    const p = ofB ? pair.b : pair.a;
    const edge = edgeAt(p, axisEdge());
    const p1 = ball(p, edge & 63);
    const u = sub(ball(p, (edge >> 6) & 63), p1);
    const v = sub(v128.load(BEST, END_2), pQ);
    const r = sub(pQ, p1);
    const n = cross(u, v);
    const inverse = <f32>1 / dot(n, n);
    const k = dot(cross(r, v), n) * inverse;
    const l = dot(cross(r, u), n) * inverse;
    between = abs(k - <f32>0.5) <= <f32>0.5 + BEYOND_EDGE && abs(l - <f32>0.5) <= <f32>0.5 + BEYOND_EDGE;
    if (between) {
      pP = addScaled(p1, u, k);
      pQ = addScaled(pQ, v, l);
    }
  }
  pP = f32x4.replace_lane(pP, 3, 0);
  pQ = f32x4.replace_lane(pQ, 3, 0);
  if (ofB) setWitness(pair, add(rotate(q, pQ), t), add(rotate(q, pP), t));
  else setWitness(pair, pP, pQ);
  return between;
}
