// Capsule against box. In: capsule A, box B. Out: one point, or two where the capsule lies along a
// face or an edge. The distance between the segment and the box is the least over its two ends and
// the 12 edges; where the segment runs through the box, the separating axis test (3 faces, 3 edge
// directions) gives the shortest way out. All in the box's frame.

import {
  abs3,
  add,
  addScaled,
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
import { boxHalfExtents, quatAxisY } from '../shapes/shape';
import { component, unit, yzx, zxy } from './lanes';
import { addPoint, apart } from './manifold';

/** Sine of the angle to a box axis below which their cross product is no axis of its own. */
const PARALLEL: f32 = 3e-4;
/** An edge direction must beat the best face by this part of the box to be taken: faces give two points. */
const FACE_PREFERENCE: f32 = 1e-5;
/** Distance, as a part of the size, below which the direction between the closest points is noise. */
const TOUCHING: f32 = 1e-5;
/** Difference from a lower bound, as a part of the size, that is rounding. */
const EXACT: f32 = 1e-6;
/** How far outside a face a point counts as on it, as a part of the smaller of face and capsule. */
const CLIP_SLACK: f32 = 1e-3;
/** Two points closer than this part of the capsule are one. */
const SAME_POINT: f32 = 1e-3;
/** How much the deepest clipped point may differ from the true distance, as a part of the size. */
const CLIP_ACCURACY: f32 = 3e-5;

/** What closestEdge returns beside the squared distance; scratch, no state. */
const SCRATCH: usize = memory.data(64, 16);
const SEGMENT_PARAMETER: usize = 0;
const BOX_POINT: usize = 16;

export function collideCapsuleBox(a: Shape, b: Shape, maxSeparation: f32, out: ManifoldResult): void {
  const half = boxHalfExtents(b);
  const h = a.param1;
  const radius = a.param0;
  const c = rotateInverse(b.rotation, sub(a.position, b.position));
  const u = quatAxisY(mulQuat(conjugate(b.rotation), a.rotation));
  const size = x(half) + y(half) + z(half) + h;

  // Separating axes between the segment and the box; lane i: face normal i, and axis i × u.
  const absU = abs3(u);
  const faces = sub(abs3(c), add(half, scale(absU, h)));
  const faceX = x(faces);
  const faceY = y(faces);
  const faceZ = z(faces);
  let face = 0;
  if (faceY > faceX) face = 1;
  if (faceZ > max(faceX, faceY)) face = 2;
  let best = max(max(faceX, faceY), faceZ);
  if (best - radius > maxSeparation) return apart(out, best - radius);
  const crossed = cross(c, u);
  const u1 = yzx(absU);
  const u2 = zxy(absU);
  const lengths = f32x4.sqrt(add(f32x4.mul(u1, u1), f32x4.mul(u2, u2)));
  const reach = add(f32x4.mul(yzx(half), u2), f32x4.mul(zxy(half), u1));
  const edges = f32x4.div(sub(abs3(crossed), reach), f32x4.max(lengths, splat(1e-12)));
  let edge = -1;
  let bestEdge = best + FACE_PREFERENCE * size;
  for (let i = 0; i < 3; i++) {
    if (component(lengths, i) > PARALLEL && component(edges, i) > bestEdge) {
      bestEdge = component(edges, i);
      edge = i;
    }
  }
  if (edge >= 0) best = bestEdge;
  if (best - radius > maxSeparation) return apart(out, best - radius);

  // Direction from the box to the segment, and the pair of closest points (parameter s, point q).
  let outward: v128;
  let distance = best;
  let s: f32 = 0;
  let q = c;
  const outside = best > -TOUCHING * size;
  let directed = false;
  if (outside) {
    const low = addScaled(c, u, -h);
    const high = addScaled(c, u, h);
    const onLow = f32x4.max(neg(half), f32x4.min(half, low));
    const onHigh = f32x4.max(neg(half), f32x4.min(half, high));
    const toLow = sub(low, onLow);
    const toHigh = sub(high, onHigh);
    let least = dot(toLow, toLow);
    s = -h;
    q = onLow;
    let d = toLow;
    const least2 = dot(toHigh, toHigh);
    if (least2 < least) {
      least = least2;
      s = h;
      q = onHigh;
      d = toHigh;
    }
    // No distance is below the separation along an axis: a pair that attains it is the nearest. Lying
    // and standing capsules end here, which halves their cost; of edges, those of the best axis go first.
    const bound = max(best, 0) + EXACT * size;
    for (let k = 0; k < 3 && least > bound * bound; k++) {
      const axis = edge < 0 ? k : k == 0 ? edge : k == edge ? 0 : k;
      const edgeDistance2 = closestEdge(c, u, h, half, axis);
      if (edgeDistance2 < least) {
        least = edgeDistance2;
        s = load<f32>(SCRATCH, SEGMENT_PARAMETER);
        q = v128.load(SCRATCH, BOX_POINT);
        d = sub(addScaled(c, u, s), q);
      }
    }
    distance = sqrt<f32>(dot(d, d));
    if (distance - radius > maxSeparation) return apart(out, distance - radius);
    directed = distance > TOUCHING * size;
    if (directed) outward = scale(d, <f32>1 / distance);
    else outward = unit(0, 1);
    if (!directed) distance = best;
  } else {
    outward = unit(0, 1);
  }
  if (!directed) {
    if (edge >= 0) {
      outward = cross(unit(edge, 1), u);
      outward = scale(outward, <f32>1 / component(lengths, edge));
      if (dot(outward, c) < 0) outward = neg(outward);
    } else {
      outward = unit(face, component(c, face) < 0 ? -1 : 1);
    }
    if (!outside) {
      // The deepest end, and the same point on the way out.
      s = dot(outward, u) > 0 ? -h : h;
      if (edge >= 0) s = 0;
      q = addScaled(addScaled(c, u, s), outward, -distance);
    }
  }
  const n = neg(rotate(b.rotation, outward));
  out.normal = n;

  // Project the segment along the normal onto the face that looks at it most and clip it there.
  const ax = abs(x(outward));
  const ay = abs(y(outward));
  const az = abs(z(outward));
  let ref = 0;
  if (ay > ax) ref = 1;
  if (az > max(ax, ay)) ref = 2;
  const ref1 = ref == 2 ? 0 : ref + 1;
  const ref2 = ref == 0 ? 2 : ref - 1;
  const sign: f32 = component(outward, ref) < 0 ? -1 : 1;
  const inverse = <f32>1 / (sign * component(outward, ref));
  // Along the normal: separation(s) = gap + slope·s − radius.
  const gap = (sign * component(c, ref) - component(half, ref)) * inverse;
  const slope = sign * component(u, ref) * inverse;
  const base = addScaled(c, outward, -gap);
  const along = addScaled(u, outward, -slope);
  let from = -h;
  let to = h;
  let fromFeature: u32 = 0;
  let toFeature: u32 = 1;
  for (let k = 0; k < 2; k++) {
    const axis = k == 0 ? ref1 : ref2;
    const limit = component(half, axis) + CLIP_SLACK * min(component(half, axis), h + radius);
    const p = component(base, axis);
    const dp = component(along, axis);
    if (abs(dp) * h > <f32>1e-6 * size) {
      const t1 = (-limit - p) / dp;
      const t2 = (limit - p) / dp;
      const enter = min(t1, t2);
      const leave = max(t1, t2);
      const side: u32 = 2 + 2 * k;
      if (enter > from) {
        from = enter;
        fromFeature = dp > 0 ? side : side + 1;
      }
      if (leave < to) {
        to = leave;
        toFeature = dp > 0 ? side + 1 : side;
      }
    } else if (abs(p) > limit + <f32>1e-5 * size) {
      to = from - <f32>1;
    }
  }
  const face6 = ((<u32>ref) << 5) | (sign < 0 ? 16 : 0);
  if (from <= to) {
    // Nothing can be nearer than the distance itself; only the slack would say so.
    const first = max(gap + slope * from, distance);
    const second = max(gap + slope * to, distance);
    const accurate = !directed || min(first, second) - distance < CLIP_ACCURACY * size;
    if (accurate && to - from > SAME_POINT * (h + radius)) {
      if (first - radius <= maxSeparation) addAxisPoint(a, u, b, c, from, first, n, fromFeature | face6, out);
      if (second - radius <= maxSeparation) addAxisPoint(a, u, b, c, to, second, n, toFeature | face6, out);
      if (out.count > 0) return;
    }
  }
  const separation = distance - radius;
  const point = addScaled(q, outward, <f32>0.5 * separation);
  addPoint(out, add(b.position, rotate(b.rotation, point)), separation, 15);
}

/** A contact at parameter s of the capsule's axis, `distance` above the box. @inline */
function addAxisPoint(
  a: Shape,
  u: v128,
  b: Shape,
  c: v128,
  s: f32,
  distance: f32,
  n: v128,
  feature: u32,
  out: ManifoldResult,
): void {
  const onAxis = add(b.position, rotate(b.rotation, addScaled(c, u, s)));
  const separation = distance - a.param0;
  addPoint(out, addScaled(onAxis, n, a.param0 + <f32>0.5 * separation), separation, feature);
}

/**
 * The segment c + u·s, |s| ≤ h, against the four edges of the box along `axis`, one per SIMD lane.
 * Returns the least squared distance and leaves the closest points in SCRATCH. Alternates between
 * the two parameters, each time exactly: s for the lines, t clamped, s clamped, t clamped.
 */
function closestEdge(c: v128, u: v128, h: f32, half: v128, axis: i32): f32 {
  // Rename the axes so that the edges run along the first.
  let c0 = c;
  let u0 = u;
  let e0 = half;
  if (axis == 1) {
    c0 = yzx(c);
    u0 = yzx(u);
    e0 = yzx(half);
  } else if (axis == 2) {
    c0 = zxy(c);
    u0 = zxy(u);
    e0 = zxy(half);
  }
  const ux = splat(x(u0));
  const uy = splat(y(u0));
  const uz = splat(z(u0));
  const ex = splat(x(e0));
  const lowX = neg(ex);
  const hs = splat(h);
  const lowS = neg(hs);
  // From the segment's centre to the edges.
  const px = splat(-x(c0));
  const py = sub(f32x4.mul(splat(y(e0)), f32x4(1, -1, 1, -1)), splat(y(c0)));
  const pz = sub(f32x4.mul(splat(z(e0)), f32x4(1, 1, -1, -1)), splat(z(c0)));
  const across = y(u0) * y(u0) + z(u0) * z(u0);
  const flat = add(f32x4.mul(py, uy), f32x4.mul(pz, uz));
  let s = across > <f32>1e-12 ? scale(flat, <f32>1 / across) : splat(0);
  s = f32x4.max(lowS, f32x4.min(hs, s));
  let t = f32x4.max(lowX, f32x4.min(ex, sub(f32x4.mul(ux, s), px)));
  s = add(flat, f32x4.mul(ux, add(px, t)));
  s = f32x4.max(lowS, f32x4.min(hs, s));
  t = f32x4.max(lowX, f32x4.min(ex, sub(f32x4.mul(ux, s), px)));
  const dx = sub(add(px, t), f32x4.mul(ux, s));
  const dy = sub(py, f32x4.mul(uy, s));
  const dz = sub(pz, f32x4.mul(uz, s));
  const d2 = add(add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
  // Least lane; the first of equals.
  let lane = 0;
  let least = f32x4.extract_lane(d2, 0);
  if (f32x4.extract_lane(d2, 1) < least) {
    least = f32x4.extract_lane(d2, 1);
    lane = 1;
  }
  if (f32x4.extract_lane(d2, 2) < least) {
    least = f32x4.extract_lane(d2, 2);
    lane = 2;
  }
  if (f32x4.extract_lane(d2, 3) < least) {
    least = f32x4.extract_lane(d2, 3);
    lane = 3;
  }
  v128.store(SCRATCH, s, 32);
  const sBest = load<f32>(SCRATCH + ((<usize>lane) << 2), 32);
  v128.store(SCRATCH, t, 32);
  const tBest = load<f32>(SCRATCH + ((<usize>lane) << 2), 32);
  let q = vec3(tBest, lane & 1 ? -y(e0) : y(e0), lane & 2 ? -z(e0) : z(e0));
  if (axis == 1) q = zxy(q);
  else if (axis == 2) q = yzx(q);
  store<f32>(SCRATCH, sBest, SEGMENT_PARAMETER);
  v128.store(SCRATCH, q, BOX_POINT);
  return least;
}
