// Capsule against box. In: capsule A, box B. Out: one point, or two if the capsule lies along a face or an edge. The
// distance between the segment and the box is the minimum over its two ends and the 12 edges. If the segment intersects
// the box, the separating axis test (3 faces, 3 edge directions) gives the penetration. Everything is in the box's
// frame.

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
import {
  FACE_BEFORE_EDGE,
  FACE_SLACK,
  ROUNDING,
  SAME_POINT,
  SEPARATION_ACCURACY,
  TOUCHING,
} from '../tolerances';
import { component, largest, unit, yzx, zxy } from './lanes';
import { addPoint, apart } from './manifold';

/** The capsule in the box's frame, and intermediate results. @unmanaged */
class CapsuleBox {
  half: v128; // half extents of the box
  center: v128; // of the capsule
  direction: v128; // unit, of its axis
  lengths: v128; // sines: lengths of the box's axes × the direction
  outward: v128; // unit, from the box to the capsule's axis; the distance is measured along it
  nearest: v128; // point of the box closest to the axis
  capsule: Shape;
  box: Shape;
  out: ManifoldResult;
  h: f32; // m, half the length of the axis
  maxSeparation: f32; // m
  size: f32; // m, unit of the tolerances
  distance: f32; // m, from the box to the capsule's axis; negative if the axis intersects the box
  parameter: f32; // m, position of the closest point on the axis
  face: i32; // axis of the face with the largest separation
  edge: i32; // axis of an edge with a larger separation, or -1
  directed: i32; // 1: `outward` is the direction between the closest points, otherwise a separating axis
}
const CALL: usize = memory.data(160, 16);

export function collideCapsuleBox(a: Shape, b: Shape, maxSeparation: f32, out: ManifoldResult): void {
  const p = changetype<CapsuleBox>(CALL);
  p.capsule = a;
  p.box = b;
  p.out = out;
  p.maxSeparation = maxSeparation;
  p.half = boxHalfExtents(b);
  p.h = a.param1;
  p.center = rotateInverse(b.rotation, sub(a.position, b.position));
  p.direction = quatAxisY(mulQuat(conjugate(b.rotation), a.rotation));
  p.size = x(p.half) + y(p.half) + z(p.half) + p.h;
  const radius = a.param0;
  findSeparatingAxis(p);
  if (p.distance - radius > maxSeparation) return apart(out, p.distance - radius);
  const outside = p.distance > -TOUCHING * p.size;
  p.directed = 0;
  if (outside) {
    const axisDistance = p.distance;
    findNearest(p);
    if (p.distance - radius > maxSeparation) return apart(out, p.distance - radius);
    if (!p.directed) p.distance = axisDistance;
  }
  if (!p.directed) {
    alongAxis(p);
    if (!outside) {
      // The deepest end of the axis, and the point of the box along the penetration direction.
      p.parameter = p.edge >= 0 ? 0 : dot(p.outward, p.direction) > 0 ? -p.h : p.h;
      p.nearest = addScaled(addScaled(p.center, p.direction, p.parameter), p.outward, -p.distance);
    }
  }
  out.normal = neg(rotate(b.rotation, p.outward));
  clipAxis(p);
  if (out.count > 0) return;
  const separation = p.distance - radius;
  const point = addScaled(p.nearest, p.outward, <f32>0.5 * separation);
  addPoint(out, add(b.position, rotate(b.rotation, point)), separation, 15);
}

/** Separation of the capsule's axis and the box along face normals and cross products of edges. */
function findSeparatingAxis(p: CapsuleBox): void {
  const u = p.direction;
  const absU = abs3(u);
  const faces = sub(abs3(p.center), add(p.half, scale(absU, p.h)));
  p.face = largest(faces);
  p.edge = -1;
  p.distance = component(faces, p.face);
  if (p.distance - p.capsule.param0 > p.maxSeparation) return; // the face already shows enough separation
  const u1 = yzx(absU);
  const u2 = zxy(absU);
  const lengths2 = add(f32x4.mul(u1, u1), f32x4.mul(u2, u2));
  const lengths = f32x4.sqrt(lengths2);
  const reach = add(f32x4.mul(yzx(p.half), u2), f32x4.mul(zxy(p.half), u1));
  const edges = f32x4.div(sub(abs3(cross(p.center, u)), reach), f32x4.pmax(lengths, splat(1e-12)));
  p.lengths = lengths;
  let best = p.distance + FACE_BEFORE_EDGE * p.size;
  for (let i = 0; i < 3; i++) {
    // Not of parallel edges, as in boxBox.ts.
    if (component(lengths2, i) > f32.EPSILON && component(edges, i) > best) {
      best = component(edges, i);
      p.edge = i;
    }
  }
  if (p.edge >= 0) p.distance = best;
}

/** If the axis and the box are separate: their closest points, the direction between them and the distance. */
function findNearest(p: CapsuleBox): void {
  const half = p.half;
  const low = addScaled(p.center, p.direction, -p.h);
  const high = addScaled(p.center, p.direction, p.h);
  const onLow = f32x4.pmax(neg(half), f32x4.pmin(half, low));
  const onHigh = f32x4.pmax(neg(half), f32x4.pmin(half, high));
  const toLow = sub(low, onLow);
  const toHigh = sub(high, onHigh);
  let least = dot(toLow, toLow);
  let d = toLow;
  p.parameter = -p.h;
  p.nearest = onLow;
  if (dot(toHigh, toHigh) < least) {
    least = dot(toHigh, toHigh);
    d = toHigh;
    p.parameter = p.h;
    p.nearest = onHigh;
  }
  // No distance is below the separation along an axis, so a pair that attains it is the closest one. Capsules that lie
  // or stand on the box end here, which halves their cost. The edges along the best axis are tested first.
  const bound = max(p.distance, 0) + ROUNDING * p.size;
  for (let k = 0; k < 3 && least > bound * bound; k++) {
    const axis = p.edge < 0 ? k : k == 0 ? p.edge : k == p.edge ? 0 : k;
    const edgeDistance2 = closestEdge(p, axis);
    if (edgeDistance2 < least) {
      least = edgeDistance2;
      p.parameter = load<f32>(SCRATCH, SEGMENT_PARAMETER);
      p.nearest = v128.load(SCRATCH, BOX_POINT);
      d = sub(addScaled(p.center, p.direction, p.parameter), p.nearest);
    }
  }
  p.distance = sqrt<f32>(dot(d, d));
  p.directed = p.distance > TOUCHING * p.size ? 1 : 0;
  if (p.directed) p.outward = scale(d, <f32>1 / p.distance);
}

/** Uses the best separating axis as the direction if the closest points give none. */
function alongAxis(p: CapsuleBox): void {
  if (p.edge < 0) {
    p.outward = unit(p.face, component(p.center, p.face) < 0 ? -1 : 1);
    return;
  }
  const across = scale(cross(unit(p.edge, 1), p.direction), <f32>1 / component(p.lengths, p.edge));
  p.outward = dot(across, p.center) < 0 ? neg(across) : across;
}

/** Projects the axis along the normal onto the face most opposite to it and clips it there: two points, or none. */
function clipAxis(p: CapsuleBox): void {
  const outward = p.outward;
  const half = p.half;
  const h = p.h;
  const radius = p.capsule.param0;
  const ref = largest(abs3(outward));
  const ref1 = ref == 2 ? 0 : ref + 1;
  const ref2 = ref == 0 ? 2 : ref - 1;
  const sign: f32 = component(outward, ref) < 0 ? -1 : 1;
  const inverse = <f32>1 / (sign * component(outward, ref));
  // Along the normal: separation(s) = gap + slope·s − radius.
  const gap = (sign * component(p.center, ref) - component(half, ref)) * inverse;
  const slope = sign * component(p.direction, ref) * inverse;
  const base = addScaled(p.center, outward, -gap);
  const along = addScaled(p.direction, outward, -slope);
  let from = -h;
  let to = h;
  let fromFeature: u32 = 0;
  let toFeature: u32 = 1;
  for (let k = 0; k < 2; k++) {
    const axis = k == 0 ? ref1 : ref2;
    const limit = component(half, axis) + FACE_SLACK * min(component(half, axis), h + radius);
    const at = component(base, axis);
    const rate = component(along, axis);
    if (abs(rate) * h > <f32>1e-6 * p.size) {
      const t1 = (-limit - at) / rate;
      const t2 = (limit - at) / rate;
      const enter = min(t1, t2);
      const leave = max(t1, t2);
      const side: u32 = 2 + 2 * k;
      if (enter > from) {
        from = enter;
        fromFeature = rate > 0 ? side : side + 1;
      }
      if (leave < to) {
        to = leave;
        toFeature = rate > 0 ? side + 1 : side;
      }
    } else if (abs(at) > limit + <f32>1e-5 * p.size) return;
  }
  if (!(from <= to)) return;
  // No separation can be below the distance itself; clipping slack could give such a value.
  const first = max(gap + slope * from, p.distance);
  const second = max(gap + slope * to, p.distance);
  if (p.directed && !(min(first, second) - p.distance < SEPARATION_ACCURACY * p.size)) return;
  if (!(to - from > SAME_POINT * (h + radius))) return;
  const face6 = ((<u32>ref) << 5) | (sign < 0 ? 16 : 0);
  if (first - radius <= p.maxSeparation) addAxisPoint(p, from, first, fromFeature | face6);
  if (second - radius <= p.maxSeparation) addAxisPoint(p, to, second, toFeature | face6);
}

/** Adds a contact at parameter s of the capsule's axis, `distance` above the box. @inline */
function addAxisPoint(p: CapsuleBox, s: f32, distance: f32, feature: u32): void {
  const radius = p.capsule.param0;
  const onAxis = addScaled(p.center, p.direction, s);
  const separation = distance - radius;
  const point = add(p.box.position, rotate(p.box.rotation, onAxis));
  addPoint(p.out, addScaled(point, p.out.normal, radius + <f32>0.5 * separation), separation, feature);
}

/** Results of closestEdge besides the squared distance. Scratch. */
const SCRATCH: usize = memory.data(64, 16);
const SEGMENT_PARAMETER: usize = 0;
const BOX_POINT: usize = 16;

/**
 * The capsule's axis c + u·s, |s| ≤ h, against the four edges of the box along `axis`, one per SIMD lane. Returns the
 * least squared distance and leaves the closest points in SCRATCH. Solves the two parameters in turn, each exactly: s
 * for the lines, t clamped, s clamped, t clamped.
 */
function closestEdge(p: CapsuleBox, axis: i32): f32 {
  // Permute the axes so that the edges are along the first.
  let c0 = p.center;
  let u0 = p.direction;
  let e0 = p.half;
  if (axis == 1) {
    c0 = yzx(c0);
    u0 = yzx(u0);
    e0 = yzx(e0);
  } else if (axis == 2) {
    c0 = zxy(c0);
    u0 = zxy(u0);
    e0 = zxy(e0);
  }
  const ux = splat(x(u0));
  const uy = splat(y(u0));
  const uz = splat(z(u0));
  const ex = splat(x(e0));
  const lowX = neg(ex);
  const hs = splat(p.h);
  const lowS = neg(hs);
  // From the segment's centre to the edges.
  const px = splat(-x(c0));
  const py = sub(f32x4.mul(splat(y(e0)), f32x4(1, -1, 1, -1)), splat(y(c0)));
  const pz = sub(f32x4.mul(splat(z(e0)), f32x4(1, 1, -1, -1)), splat(z(c0)));
  const across = y(u0) * y(u0) + z(u0) * z(u0);
  const flat = add(f32x4.mul(py, uy), f32x4.mul(pz, uz));
  let s = across > <f32>1e-12 ? scale(flat, <f32>1 / across) : splat(0);
  s = f32x4.pmax(lowS, f32x4.pmin(hs, s));
  let t = f32x4.pmax(lowX, f32x4.pmin(ex, sub(f32x4.mul(ux, s), px)));
  s = add(flat, f32x4.mul(ux, add(px, t)));
  s = f32x4.pmax(lowS, f32x4.pmin(hs, s));
  t = f32x4.pmax(lowX, f32x4.pmin(ex, sub(f32x4.mul(ux, s), px)));
  const dx = sub(add(px, t), f32x4.mul(ux, s));
  const dy = sub(py, f32x4.mul(uy, s));
  const dz = sub(pz, f32x4.mul(uz, s));
  const d2 = add(add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
  // The lane with the least value; the first of equals.
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
