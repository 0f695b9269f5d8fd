// Contact of two convex shapes of any kind, in the frame of A. In: two shapes, the hint of the last call. Out: up to 4
// points, the hint for the next call. The normal is that of the face or edges of the last call, if it is proven that
// these are still correct. Otherwise it comes from the closest points (GJK), or, if the cores overlap, from the least
// depth (separating axes for polyhedra, EPA for others). The points come from clipping the features that face each
// other along the normal (clip.ts), plus the point of least separation if clipping misses it.

import {
  add,
  addScaled,
  conjugate,
  dot,
  mulQuat,
  neg,
  rotate,
  rotateInverse,
  scale,
  sub,
  vec3,
  x,
  y,
  z,
  zero,
} from '../math/vector';
import { ManifoldResult, Shape } from '../memory/records';
import { Reach, Shapes } from '../memory/values';
import { convexSize, shapeAxisY } from '../shapes/shape';
import { ALONG_FACE, FACING, LINE_PARALLEL, SEPARATION_ACCURACY, SHALLOW } from '../tolerances';
import { clipFeatures, clippedAt, Facing, shortTag } from './clip';
import { coreRadius, FEATURE_HEADER, Feature, faceCount, faceNormal, findFeature, support } from './convex';
import { ConvexPair, Cores, pairOf, startQuery } from './convexPair';
import { coreDepth } from './epa';
import { coreDistance, cornerOf, differenceSupport, setWitness } from './gjk';
import { addPoint, apart } from './manifold';
import { epaDirection } from './polytope';
import {
  axisEdge,
  axisFace,
  axisNormal,
  axisOfB,
  edgeBetween,
  edgeCount,
  isPolyhedron,
  isSame,
  KEEP_AXIS,
  NO_AXIS,
  PRUNE_BY_AXIS,
  separatingAxis,
  separationOfEdge,
  separationOfFace,
  witnessOfAxis,
} from './sat';

const FEATURE_A: usize = memory.data(48 + 32 * 72, 16);
const FEATURE_B: usize = memory.data(48 + 32 * 72, 16);
const SUPPORT: usize = memory.data(64, 16);

// The hint: origin of the normal, bit 2 for B, bits 3–10 face or edge, then 4 × 5 bits of points kept.
const OF_FACE: i32 = 1;
const OF_EDGE: i32 = 2;
const WHICH_SHIFT: i32 = 3;
const KEPT_SHIFT: i32 = 11;

export function collideConvex(shapes: Shapes, reach: Reach, cache: i32, out: ManifoldResult): void {
  const a = shapes.a;
  const b = shapes.b;
  const maxSeparation = reach.most;
  const pair = inFrameOfA(a, b, maxSeparation, out);
  const query = pair as ConvexQuery;
  setReach(pair, reach, rotateInverse(a.rotation, reach.way));
  const t = pair.position;
  const size = pair.size;
  const flat = isPolyhedron(a) && isPolyhedron(b);
  pair.kept = cache >>> KEPT_SHIFT;
  const hint = cache & 3;
  let ofB = (cache >> 2) & 1;
  const which = (cache >> WHICH_SHIFT) & 255;

  let overlapping = false;
  let keep = false;
  const hinted = ofB ? b : a;
  if (hint == OF_FACE ? which < faceCount(hinted) : hint == OF_EDGE && flat && which < edgeCount(hinted)) {
    const n = hint == OF_FACE ? outOfA(pair, ofB, which) : zero();
    const core = !flat
      ? separationAlong(pair, n)
      : hint == OF_EDGE
        ? separationOfEdge(pair, ofB, which)
        : separationOfFace(pair, ofB, which);
    const s = core - pair.radii;
    if (isBeyond(pair, hint == OF_FACE ? n : axisNormal(pair), s)) {
      out.cache = cache;
      return apart(out, s);
    }
    // Only another axis can show that these are separate.
    overlapping = flat && core < 0;
    keep = hint == OF_FACE || witnessOfAxis(pair);
    if (s > -SHALLOW * min(convexSize(a), convexSize(b)) && keep) {
      keep = false;
      if (hint == OF_EDGE) return edgeManifold(pair, s);
      if (faceManifold(pair, n, s, featureOf(ofB, which))) return finish(a, out);
    }
  }

  const cores = new Cores(query, a, b, <f64>(convexSize(a) + convexSize(b)));
  let distance: f64 = 0;
  let s: f32 = 0;
  let touching = false;
  if (overlapping) {
    s = separatingAxis(pair, keep ? KEEP_AXIS : PRUNE_BY_AXIS);
    overlapping = s <= 0;
  }
  if (!overlapping) {
    const guess = dot(t, t) > <f32>1e-20 ? t : vec3(0, 1, 0);
    distance = coreDistance(cores, guess, <f64>(pair.turning + pair.radii));
    touching = distance == 0 && query.touches != 0;
    if (distance == 0 && flat) s = separatingAxis(pair, NO_AXIS);
  }
  let n: v128;
  let face = -1;
  if (distance > 0) {
    s = <f32>distance - pair.radii;
    if (query.separate != 0 || s > maxSeparation) return apart(out, s);
    const inverse = -1 / distance;
    n = vec3(
      <f32>(query.nearestX * inverse),
      <f32>(query.nearestY * inverse),
      <f32>(query.nearestZ * inverse),
    );
    n = scale(n, <f32>1 / sqrt<f32>(dot(n, n)));
  } else if (flat) {
    s -= pair.radii;
    // Among equally good face axes, one may have its corner beside the face: GJK finds where the shapes meet.
    if (!touching) witnessOfAxis(pair);
    face = axisFace();
    if (face < 0) return edgeManifold(pair, s);
    n = axisNormal(pair);
    ofB = axisOfB();
  } else {
    s = <f32>-coreDepth(cores) - pair.radii;
    n = epaDirection();
    n = scale(n, <f32>1 / sqrt<f32>(dot(n, n)));
  }
  if (s > maxSeparation) return apart(out, s);

  // A face along that normal is exact and can be found again in the next step.
  if (face < 0) {
    face = findFaceAlong(pair, n);
    ofB = face >= 0 ? face & 1 : 0;
    face >>= 1;
  }
  if (face >= 0) {
    const along = outOfA(pair, ofB, face);
    const exact = separationAlong(pair, along) - pair.radii;
    if (abs(exact - s) <= SEPARATION_ACCURACY * size && exact <= maxSeparation) {
      const pA = query.witnessA;
      const pB = query.witnessB;
      if (faceManifold(pair, along, exact, featureOf(ofB, face))) return finish(a, out);
      setWitness(query, pA, pB);
    }
  }
  const edge = flat && distance > 0 ? crossedEdge(pair) : -1;
  manifold(pair, n, s, ANY_FEATURE);
  if (out.count == 0 || pair.lowest - s > SEPARATION_ACCURACY * size) addWitness(pair, n, s);
  if (edge >= 0) out.cache |= OF_EDGE | (edge << WHICH_SHIFT);
  finish(a, out);
}

/** `way`: that of the reach, in A's frame. */
function setReach(pair: ConvexPair, reach: Reach, way: v128): void {
  pair.still = <f64>(reach.still + pair.radii);
  pair.near = Infinity;
  pair.turning = reach.turning;
  pair.wayX = <f64>x(way);
  pair.wayY = <f64>y(way);
  pair.wayZ = <f64>z(way);
}

/** Whether a separation along n is too large for a contact in this step. */
function isBeyond(pair: ConvexPair, n: v128, s: f32): bool {
  const along = <f64>x(n) * pair.wayX + <f64>y(n) * pair.wayY + <f64>z(n) * pair.wayZ;
  return s > max(<f32>pair.still - pair.radii, pair.turning + max<f32>(0, <f32>-along));
}

/** The pair in the frame of A; GJK's, too. */
function inFrameOfA(a: Shape, b: Shape, maxSeparation: f32, out: ManifoldResult): ConvexPair {
  const q = mulQuat(conjugate(a.rotation), b.rotation);
  const t = rotateInverse(a.rotation, sub(b.position, a.position));
  const pair = pairOf(startQuery(q, t), a, b);
  pair.size = max(convexSize(a), convexSize(b));
  pair.radii = coreRadius(a) + coreRadius(b);
  pair.maxSeparation = maxSeparation;
  pair.out = out;
  return pair;
}

/** The face of A, or of B, that faces along n (from A to B): twice its number, plus 1 if it is B's; −1 for none. */
function findFaceAlong(pair: ConvexPair, n: v128): i32 {
  const fA = changetype<Feature>(FEATURE_A);
  const fB = changetype<Feature>(FEATURE_B);
  findFeature(pair.a, n, -1, fA);
  findFeature(pair.b, rotateInverse(pair.rotation, neg(n)), -1, fB);
  if (fA.face >= 0 && fA.facing > ALONG_FACE && fA.facing >= fB.facing * <f32>0.999999) return 2 * fA.face;
  return fB.face >= 0 && fB.facing > ALONG_FACE ? 2 * fB.face + 1 : -1;
}

/**
 * Contact along a given normal (world, unit, from A to B) if a face of one of the two has that normal. Any separating
 * axis can be given. The points are those where the face and the other shape face each other.
 */
export function collideAlong(shapes: Shapes, normal: v128, maxSeparation: f32, out: ManifoldResult): void {
  const a = shapes.a;
  const b = shapes.b;
  const pair = inFrameOfA(a, b, maxSeparation, out);
  const n = rotateInverse(a.rotation, normal);
  out.count = 0;
  out.cache = 0;
  pair.kept = 0;
  const fA = changetype<Feature>(FEATURE_A);
  const fB = changetype<Feature>(FEATURE_B);
  findFeature(a, n, -1, fA);
  findFeature(b, rotateInverse(pair.rotation, neg(n)), -1, fB);
  const ofB = fB.face >= 0 && fB.facing > ALONG_FACE ? 1 : 0;
  const face = ofB ? fB.face : fA.face;
  if (face < 0 || (ofB ? fB.facing : fA.facing) <= ALONG_FACE) return;
  const along = outOfA(pair, ofB, face);
  const s = separationAlong(pair, along) - coreRadius(a) - coreRadius(b);
  if (s > maxSeparation) return apart(out, s);
  manifold(pair, along, s, featureOf(ofB, face));
  if (out.count > 0) finish(a, out);
  out.cache = 0; // the hint is for the axis of least penetration
}

/** The edge of A, if the closest points that GJK found lie on an edge of A and one of B; otherwise −1. */
function crossedEdge(pair: ConvexPair): i32 {
  if (pair.corners != 3 || otherEnd(1) == 0) return -1;
  const end = otherEnd(0);
  return end == 0 ? -1 : edgeBetween(pair.a, cornerOf(0, 0), cornerOf(end, 0));
}

/** If the three points on A, or on B, are only two: the number of the one that is not the first; otherwise 0. */
function otherEnd(ofB: i32): i32 {
  const a = cornerOf(0, ofB);
  const b = cornerOf(1, ofB);
  const c = cornerOf(2, ofB);
  if (isSame(a, b)) return isSame(a, c) ? 0 : 2;
  return isSame(c, a) || isSame(c, b) ? 1 : 0;
}

/** Manifold for the last axis, spanned by two edges, with its witness point. */
function edgeManifold(pair: ConvexPair, s: f32): void {
  const out = pair.out;
  if (s > pair.maxSeparation) return apart(out, s);
  const n = axisNormal(pair);
  manifold(pair, n, s, ANY_FEATURE);
  if (out.count == 0 || pair.lowest - s > SEPARATION_ACCURACY * pair.size) addWitness(pair, n, s);
  out.cache |= OF_EDGE | (axisOfB() << 2) | (axisEdge() << WHICH_SHIFT);
  finish(pair.a, out);
}

/** Manifold for a face; false, and no points, if these do not attain the separation. */
function faceManifold(pair: ConvexPair, n: v128, s: f32, feature: i32): bool {
  manifold(pair, n, s, feature);
  if (pair.out.count > 0 && pair.lowest - s <= SEPARATION_ACCURACY * pair.size) return true;
  pair.out.count = 0;
  return false;
}

/** Normal of a face, from A to B in A's frame. @inline */
function outOfA(pair: ConvexPair, ofB: i32, face: i32): v128 {
  return ofB ? neg(rotate(pair.rotation, faceNormal(pair.b, face))) : faceNormal(pair.a, face);
}

/** Separation of the cores along n. */
function separationAlong(pair: ConvexPair, n: v128): f32 {
  differenceSupport(new Cores(pair, pair.a, pair.b, <f64>pair.size), n, SUPPORT);
  const d = sub(v128.load(SUPPORT, 48), v128.load(SUPPORT, 32));
  return dot(d, n);
}

/** A face of A or B as the reference of a manifold, and the feature that faces the other best. */
const ANY_FEATURE: i32 = -1;
/** @inline */
function featureOf(ofB: i32, face: i32): i32 {
  return 2 * face + ofB;
}

/**
 * Clipped points for the normal n and the separation s along it, in A's frame, and the least separation in
 * `pair.lowest`. `wanted`: the reference face, see featureOf.
 */
function manifold(pair: ConvexPair, n: v128, s: f32, wanted: i32): void {
  const a = pair.a;
  const b = pair.b;
  const q = pair.rotation;
  const t = pair.position;
  const out = pair.out;
  const face = wanted >> 1;
  let ofB = wanted < 0 ? -1 : wanted & 1;
  pair.lowest = 1e30;
  out.normal = n;
  out.cache = 0;
  const fA = changetype<Feature>(FEATURE_A);
  const fB = changetype<Feature>(FEATURE_B);
  findFeature(a, n, ofB == 0 ? face : -1, fA);
  findFeature(b, rotateInverse(q, neg(n)), ofB == 1 ? face : -1, fB);
  if (fA.count == 1 || fB.count == 1) {
    // A sphere: one point, below its centre; for a given face, only if it is above that face.
    if (face < 0) return;
    const c = v128.load((ofB ? FEATURE_A : FEATURE_B) + FEATURE_HEADER);
    const p = ofB ? c : add(rotate(q, c), t);
    // In the frame of the face.
    if (!isAbove(ofB ? fB : fA, ofB ? rotateInverse(q, sub(c, t)) : p)) return;
    const gap = s + coreRadius(a) + coreRadius(b);
    if (ofB) setWitness(pair, p, addScaled(p, n, gap));
    else setWitness(pair, addScaled(p, n, -gap), p);
    addWitness(pair, n, s);
    pair.lowest = s;
    out.cache = OF_FACE | (ofB << 2) | (face << WHICH_SHIFT);
    return;
  }
  // B's feature in A's frame.
  for (let i = 0; i < fB.count; i++) {
    const at = FEATURE_B + FEATURE_HEADER + ((<usize>i) << 5);
    v128.store(at, add(rotate(q, v128.load(at)), t));
  }
  fB.normal = rotate(q, fB.normal);
  const flatA = fA.count > 2;
  const flatB = fB.count > 2;
  if (!flatA && !flatB) return segments(pair, n);
  if (ofB < 0) ofB = flatA && (!flatB || fA.facing >= fB.facing) ? 0 : 1;
  const reference = ofB ? fB : fA;
  const incident = ofB ? fA : fB;
  if (reference.facing < FACING) return;
  const away = ofB ? neg(n) : n;
  const radii = coreRadius(a) + coreRadius(b);
  const count = clipFeatures(new Facing(reference, incident), away, pair.maxSeparation + radii, pair.kept);
  // Offset from the point of the incident core to midway between the surfaces.
  const radius = ofB ? coreRadius(a) : coreRadius(b);
  const label =
    <u32>0x20000000 |
    (ofB ? 0x10000000 : 0) |
    ((<u32>(reference.face & 127)) << 21) |
    ((<u32>(incident.face & 127)) << 14);
  let keep = 0;
  let lowest = pair.lowest;
  for (let i = 0; i < count; i++) {
    const at = clippedAt(i);
    const p = f32x4.replace_lane(v128.load(at), 3, 0);
    const separation = load<f32>(at, 24) - radii;
    const tag = load<i32>(at, 16);
    if (separation < lowest) lowest = separation;
    addPoint(out, addScaled(p, away, -(radius + <f32>0.5 * separation)), separation, label ^ <u32>tag);
    keep |= shortTag(tag) << (5 * i);
  }
  pair.lowest = lowest;
  out.cache = keep << KEPT_SHIFT;
  if (face >= 0 && count > 0) out.cache |= OF_FACE | (ofB << 2) | (face << WHICH_SHIFT);
}

/** Whether a point is above a polygon. */
function isAbove(polygon: Feature, p: v128): bool {
  if (polygon.count < 3) return false;
  const m = polygon.normal;
  for (let i = 0; i < polygon.count; i++) {
    const c = v128.load(changetype<usize>(polygon) + FEATURE_HEADER + ((<usize>i) << 5));
    const j = i + 1 == polygon.count ? 0 : i + 1;
    const d = v128.load(changetype<usize>(polygon) + FEATURE_HEADER + ((<usize>j) << 5));
    const e = sub(d, c);
    const r = sub(p, c);
    // m · (e × r) < 0: outside this side.
    const ex = y(e) * z(r) - z(e) * y(r);
    const ey = z(e) * x(r) - x(e) * z(r);
    const ez = x(e) * y(r) - y(e) * x(r);
    if (x(m) * ex + y(m) * ey + z(m) * ez < 0) return false;
  }
  return true;
}

/** Adds the point midway between the closest points. */
function addWitness(pair: ConvexPair, n: v128, s: f32): void {
  const out = pair.out;
  const middle = scale(add(pair.witnessA, pair.witnessB), <f32>0.5);
  const p = addScaled(middle, n, <f32>0.5 * (coreRadius(pair.a) - coreRadius(pair.b)));
  if (out.count == 4) out.count = 3;
  addPoint(out, p, s, 0x40000000);
}

/** The features are parallel segments: the ends of their overlap. */
function segments(pair: ConvexPair, n: v128): void {
  const a = pair.a;
  const b = pair.b;
  if (changetype<Feature>(FEATURE_A).facing < FACING || changetype<Feature>(FEATURE_B).facing < FACING)
    return;
  const a0 = v128.load(FEATURE_A + FEATURE_HEADER);
  const b0 = v128.load(FEATURE_B + FEATURE_HEADER);
  const u = sub(v128.load(FEATURE_A + FEATURE_HEADER, 32), a0);
  const v = sub(v128.load(FEATURE_B + FEATURE_HEADER, 32), b0);
  const uu = dot(u, u);
  const vv = dot(v, v);
  const uv = dot(u, v);
  if (!(uu > 0) || !(vv > 0)) return;
  if (uv * uv < (<f32>1 - LINE_PARALLEL * LINE_PARALLEL) * uu * vv) return;
  const radii = coreRadius(a) + coreRadius(b);
  for (let end = 0; end < 2; end++) {
    // Ends of the overlap, as parameters of both segments.
    const e = end == 0 ? <f32>0 : <f32>1;
    const along = dot(sub(addScaled(b0, v, e), a0), u) / uu;
    const sA = max<f32>(0, min<f32>(1, along));
    const pA = addScaled(a0, u, sA);
    const sB = max<f32>(0, min<f32>(1, dot(sub(pA, b0), v) / vv));
    const pB = addScaled(b0, v, sB);
    const d = sub(pB, pA);
    const height = dot(d, n);
    const aside = sub(d, scale(n, height));
    // Lines that diverge sideways do not touch there.
    if (dot(aside, aside) > <f32>1e-4 * uu) continue;
    const separation = height - radii;
    if (separation > pair.maxSeparation) continue;
    pair.lowest = min(pair.lowest, separation);
    const middle = scale(add(pA, pB), <f32>0.5);
    const p = addScaled(middle, n, <f32>0.5 * (coreRadius(a) - coreRadius(b)));
    addPoint(pair.out, p, separation, 0x08000000 | end);
  }
}

/** Transforms the result from A's frame to the world. */
function finish(a: Shape, out: ManifoldResult): void {
  const q = a.rotation;
  out.normal = rotate(q, out.normal);
  const first = changetype<usize>(out) + offsetof<ManifoldResult>('point0');
  for (let i = 0; i < out.count; i++) {
    const at = first + ((<usize>i) << 4);
    v128.store(at, add(a.position, rotate(q, v128.load(at))));
  }
}

/** A hull, cylinder or cone A against the plane B. */
export function collideConvexPlane(
  shapes: Shapes,
  maxSeparation: f32,
  cache: i32,
  out: ManifoldResult,
): void {
  const a = shapes.a;
  const b = shapes.b;
  const up = shapeAxisY(b);
  const down = rotateInverse(a.rotation, neg(up));
  const offset = dot(up, sub(a.position, b.position));
  const deepest = support(a, down);
  const radius = coreRadius(a);
  const s = offset - dot(down, deepest) - radius;
  if (s > maxSeparation) return apart(out, s);
  const fA = changetype<Feature>(FEATURE_A);
  const fB = changetype<Feature>(FEATURE_B);
  findFeature(a, down, -1, fA);
  // The plane as a polygon without sides, below A and facing up.
  fB.count = 0;
  fB.normal = neg(down);
  let keep = 0;
  out.normal = down;
  let lowest: f32 = 1e30;
  const count = clipFeatures(
    new Facing(planePolygon(fB, down, offset), fA),
    neg(down),
    maxSeparation + radius,
    cache >>> KEPT_SHIFT,
  );
  for (let i = 0; i < count; i++) {
    const at = clippedAt(i);
    const p = f32x4.replace_lane(v128.load(at), 3, 0);
    const separation = load<f32>(at, 24) - radius;
    const tag = load<i32>(at, 16);
    if (separation < lowest) lowest = separation;
    addPoint(
      out,
      addScaled(p, down, radius + <f32>0.5 * separation),
      separation,
      ((<u32>(fA.face & 127)) << 14) | <u32>tag,
    );
    keep |= shortTag(tag) << (5 * i);
  }
  if (out.count == 0 || lowest - s > SEPARATION_ACCURACY * convexSize(a)) {
    if (out.count == 4) out.count = 3;
    addPoint(out, addScaled(deepest, down, radius + <f32>0.5 * s), s, 0x40000000);
  }
  out.cache = keep << KEPT_SHIFT;
  finish(a, out);
}

/** A point of the plane replaces its corners: clipping without sides keeps everything. */
function planePolygon(f: Feature, down: v128, offset: f32): Feature {
  v128.store(FEATURE_B + FEATURE_HEADER, scale(down, offset));
  return f;
}
