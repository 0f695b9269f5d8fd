// Contact points of two boxes along a face normal of one of them. In: the incident box in the frame of the reference
// box, the face. Out: up to 4 points in a ManifoldResult. The incident face is clipped against the four sides of the
// reference face (Sutherland and Hodgman), in SIMD form: the four incident edges are cut in four lanes, then the
// corners of the reference face inside the incident one are added, again four at a time.

import { abs3, add, addScaled, dot, neg, rotate, scale, splat, sub, vec3, x, y, z } from '../math/vector';
import { DEEPER, FACE_SLACK, KEEP_POINTS } from '../tolerances';
import { BoxPair, KEPT_SHIFT } from './boxPair';
import { component, pick, unit, yzx, zxy } from './lanes';
import { addPoint } from './manifold';

// Tags: 0–3 incident corner, 4 + 4·edge + side for a cut edge, 20–23 reference corner.
const FIRST_CUT: i32 = 4;
const FIRST_REFERENCE_CORNER: i32 = 20;

// Scratch of one call. Points are (x, y, separation, tag) in the frame of the reference face.
const CLIPPED: usize = memory.data(16 * 16, 16);
const CORNERS: usize = memory.data(16 * 4, 16);
const LANES: usize = memory.data(16 * 2, 16);
const WEIGHTS: usize = memory.data(16 * 4, 16);
const ENTER: usize = 0;
const LEAVE: usize = 16;

/** The two faces, rotated so that the reference normal is +z, and the points found. @unmanaged */
class Clip {
  half: v128; // half extents of the reference box
  center: v128; // of the incident face
  side1: v128; // from there to the midpoints of two sides
  side2: v128;
  slack: f32; // m
  maxSeparation: f32; // m
  lowest: f32; // m, smallest separation of all points; points beyond maxSeparation are not kept
  count: i32;
}
const CLIP: usize = memory.data(80, 16);

/**
 * The manifold of a face: of A if face < 3, otherwise of B. `kept` holds tag + 1 of the points chosen last time, 5 bits
 * each; the points chosen now are stored in the hint.
 */
export function collideFace(pair: BoxPair, face: i32, kept: i32): void {
  // The reference box, and the other box in its frame.
  const flipped = face >= 3;
  const axis = flipped ? face - 3 : face;
  const reference = flipped ? pair.b : pair.a;
  const incidentHalf = flipped ? pair.halfA : pair.halfB;
  const c = flipped ? neg(pair.offsetB) : pair.offset;
  const m0 = flipped ? pair.row0 : pair.column0;
  const m1 = flipped ? pair.row1 : pair.column1;
  const m2 = flipped ? pair.row2 : pair.column2;
  const side: f32 = component(c, axis) < 0 ? -1 : 1;
  const outward = unit(axis, side);
  const mirror = f32x4(1, 1, side, 0);

  // Incident face: the face of the other box whose normal is most opposite to the reference normal.
  const slopes = vec3(dot(m0, outward), dot(m1, outward), dot(m2, outward));
  const steep = abs3(slopes);
  let m = 0;
  if (y(steep) > x(steep)) m = 1;
  if (z(steep) > max(x(steep), y(steep))) m = 2;
  const up: f32 = component(slopes, m) > 0 ? -1 : 1;
  const across1 = m == 2 ? 0 : m + 1;
  const across2 = m == 0 ? 2 : m - 1;
  const half1 = component(incidentHalf, across1);
  const half2 = component(incidentHalf, across2);
  const middle = addScaled(c, pick(m0, m1, m2, m), up * component(incidentHalf, m));
  const clip = changetype<Clip>(CLIP);
  const half = turn(flipped ? pair.halfB : pair.halfA, axis);
  clip.half = half;
  clip.center = f32x4.mul(turn(middle, axis), mirror);
  clip.side1 = f32x4.mul(turn(scale(pick(m0, m1, m2, across1), half1), axis), mirror);
  clip.side2 = f32x4.mul(turn(scale(pick(m0, m1, m2, across2), half2), axis), mirror);
  clip.slack = FACE_SLACK * min(min(x(half), y(half)), min(half1, half2));
  clip.maxSeparation = pair.maxSeparation;
  clipFace(clip);
  pair.lowest = clip.lowest;

  // Output in world coordinates.
  const worldNormal = rotate(reference.rotation, outward);
  const worldX = rotate(reference.rotation, unit(axis == 2 ? 0 : axis + 1, 1));
  const worldY = rotate(reference.rotation, unit(axis == 0 ? 2 : axis - 1, 1));
  const feature =
    0x1000 |
    ((<u32>m) << 5) |
    (up > 0 ? 0x80 : 0) |
    ((<u32>axis) << 8) |
    (side > 0 ? 0x400 : 0) |
    (flipped ? 0x800 : 0);
  const count = clip.count;
  const chosen = count > 4 ? reduce(count, kept, x(half) + y(half)) : (1 << count) - 1;
  const base = addScaled(reference.position, worldNormal, z(half));
  const out = pair.out;
  out.normal = flipped ? neg(worldNormal) : worldNormal;
  out.count = 0;
  let keep = 0;
  for (let i = 0; i < count; i++) {
    if (((chosen >>> i) & 1) == 0) continue;
    const at = CLIPPED + ((<usize>i) << 4);
    const separation = load<f32>(at, 8);
    const tag = load<i32>(at, 12);
    keep |= (tag + 1) << (5 * out.count);
    const planar = addScaled(addScaled(base, worldX, load<f32>(at)), worldY, load<f32>(at, 4));
    addPoint(out, addScaled(planar, worldNormal, <f32>0.5 * separation), separation, feature | tag);
  }
  out.cache = (1 + face) | (keep << KEPT_SHIFT);
}

/** Permutes the axes so that `axis` becomes z. @inline */
function turn(v: v128, axis: i32): v128 {
  return axis == 0 ? yzx(v) : axis == 1 ? zxy(v) : v;
}

/** Finds corners of the incident face above the reference face, cuts of its edges, and reference corners below it. */
function clipFace(clip: Clip): void {
  // Corners in order around the face, and the edge from each to the next.
  const center = clip.center;
  const side1 = clip.side1;
  const side2 = clip.side2;
  const half = clip.half;
  const sign1 = f32x4(1, -1, -1, 1);
  const sign2 = f32x4(1, 1, -1, -1);
  const vx = add(add(splat(x(center)), scale(sign1, x(side1))), scale(sign2, x(side2)));
  const vy = add(add(splat(y(center)), scale(sign1, y(side1))), scale(sign2, y(side2)));
  const vz = add(add(splat(z(center) - z(half)), scale(sign1, z(side1))), scale(sign2, z(side2)));
  const limits = add(half, splat(clip.slack));
  const insideMask = v128.and(
    f32x4.le(f32x4.abs(vx), splat(x(limits))),
    f32x4.le(f32x4.abs(vy), splat(y(limits))),
  );
  const inside = i32x4.bitmask(insideMask);
  storeCorners(vx, vy, vz);
  clip.count = 0;
  clip.lowest = 1e30;
  for (let i = 0; i < 4; i++) if ((inside >>> i) & 1) keepPoint(clip, corner(i), i);
  if (inside == 15) return;
  clipEdges(clip, vx, vy, limits);
  addReferenceCorners(clip);
}

/** Stores four points from their coordinates: x, y, separation and an unused word. @inline */
function storeCorners(px: v128, py: v128, pz: v128): void {
  const low = v128.shuffle<f32>(px, py, 0, 4, 1, 5);
  const high = v128.shuffle<f32>(px, py, 2, 6, 3, 7);
  v128.store(CORNERS, v128.shuffle<f32>(low, pz, 0, 1, 4, 4));
  v128.store(CORNERS, v128.shuffle<f32>(low, pz, 2, 3, 5, 5), 16);
  v128.store(CORNERS, v128.shuffle<f32>(high, pz, 0, 1, 6, 6), 32);
  v128.store(CORNERS, v128.shuffle<f32>(high, pz, 2, 3, 7, 7), 48);
}
/** @inline */
function corner(i: i32): v128 {
  return v128.load(CORNERS + ((<usize>i) << 4));
}

/** @inline */
function keepPoint(clip: Clip, point: v128, tag: i32): void {
  if (z(point) < clip.lowest) clip.lowest = z(point);
  if (z(point) > clip.maxSeparation) return;
  v128.store(CLIPPED + ((<usize>clip.count) << 4), i32x4.replace_lane(point, 3, tag));
  clip.count++;
}

/** Cuts the four incident edges at the sides of the reference face (Liang and Barsky) and keeps the cuts. */
function clipEdges(clip: Clip, vx: v128, vy: v128, limits: v128): void {
  const limitX = splat(x(limits));
  const limitY = splat(y(limits));
  const dx = sub(v128.shuffle<f32>(vx, vx, 1, 2, 3, 0), vx);
  const dy = sub(v128.shuffle<f32>(vy, vy, 1, 2, 3, 0), vy);
  // An edge parallel to a side gets a tiny slope instead of 0, which avoids a division by 0.
  const minute = splat(1e-20);
  const ix = f32x4.div(splat(1), v128.bitselect(dx, minute, f32x4.gt(f32x4.abs(dx), minute)));
  const iy = f32x4.div(splat(1), v128.bitselect(dy, minute, f32x4.gt(f32x4.abs(dy), minute)));
  const x1 = f32x4.mul(sub(neg(limitX), vx), ix);
  const x2 = f32x4.mul(sub(limitX, vx), ix);
  const y1 = f32x4.mul(sub(neg(limitY), vy), iy);
  const y2 = f32x4.mul(sub(limitY, vy), iy);
  const enterX = f32x4.pmin(x1, x2);
  const enterY = f32x4.pmin(y1, y2);
  const leaveX = f32x4.pmax(x1, x2);
  const leaveY = f32x4.pmax(y1, y2);
  const enter = f32x4.pmax(enterX, enterY);
  const leave = f32x4.pmin(leaveX, leaveY);
  const crosses = f32x4.lt(f32x4.pmax(splat(0), enter), f32x4.pmin(leave, splat(1)));
  const enters = i32x4.bitmask(v128.and(crosses, f32x4.gt(enter, splat(0))));
  const leaves = i32x4.bitmask(v128.and(crosses, f32x4.lt(leave, splat(1))));
  if ((enters | leaves) == 0) return;
  v128.store(LANES, enter, ENTER);
  v128.store(LANES, leave, LEAVE);
  const enterByX = i32x4.bitmask(f32x4.gt(enterX, enterY));
  const leaveByX = i32x4.bitmask(f32x4.lt(leaveX, leaveY));
  const towardsX = i32x4.bitmask(f32x4.gt(dx, splat(0)));
  const towardsY = i32x4.bitmask(f32x4.gt(dy, splat(0)));
  for (let i = 0; i < 4; i++) {
    const lane = LANES + ((<usize>i) << 2);
    const forwardX = (towardsX >>> i) & 1;
    const forwardY = (towardsY >>> i) & 1;
    const tag = FIRST_CUT + 4 * i;
    if ((enters >>> i) & 1) {
      const cutSide = (enterByX >>> i) & 1 ? 1 - forwardX : 3 - forwardY;
      keepPoint(clip, cutOf(i, load<f32>(lane, ENTER)), tag + cutSide);
    }
    if ((leaves >>> i) & 1) {
      const cutSide = (leaveByX >>> i) & 1 ? forwardX : 2 + forwardY;
      keepPoint(clip, cutOf(i, load<f32>(lane, LEAVE)), tag + cutSide);
    }
  }
}

/** Point of the i-th incident edge at parameter t. @inline */
function cutOf(i: i32, t: f32): v128 {
  const from = corner(i);
  return addScaled(from, sub(corner((i + 1) & 3), from), t);
}

/** Keeps the corners of the reference face that are below the incident face. */
function addReferenceCorners(clip: Clip): void {
  const half = clip.half;
  const center = clip.center;
  const side1 = clip.side1;
  const side2 = clip.side2;
  const slack = clip.slack;
  // corner = center + α side1 + β side2 in the plane.
  const det = x(side1) * y(side2) - y(side1) * x(side2);
  if (abs(det) < <f32>1e-30) return;
  const cx = scale(f32x4(1, -1, -1, 1), x(half));
  const cy = scale(f32x4(1, 1, -1, -1), y(half));
  const dx = sub(cx, splat(x(center)));
  const dy = sub(cy, splat(y(center)));
  const inverse = <f32>1 / det;
  const alpha = scale(sub(scale(dx, y(side2)), scale(dy, x(side2))), inverse);
  const beta = scale(sub(scale(dy, x(side1)), scale(dx, y(side1))), inverse);
  const margin = <f32>0.5 * slack * abs(inverse);
  const limitA = splat(<f32>1 - margin * (abs(x(side2)) + abs(y(side2))));
  const limitB = splat(<f32>1 - margin * (abs(x(side1)) + abs(y(side1))));
  const below = i32x4.bitmask(
    v128.and(f32x4.le(f32x4.abs(alpha), limitA), f32x4.le(f32x4.abs(beta), limitB)),
  );
  if (below == 0) return;
  const height = add(add(splat(z(center) - z(half)), scale(alpha, z(side1))), scale(beta, z(side2)));
  storeCorners(cx, cy, height);
  const cuts = clip.count;
  for (let i = 0; i < 4; i++) {
    if (((below >>> i) & 1) == 0) continue;
    const point = corner(i);
    let isNew = true;
    for (let k = 0; k < cuts; k++) {
      const d = abs3(sub(v128.load(CLIPPED + ((<usize>k) << 4)), point));
      if (x(d) < <f32>3 * slack && y(d) < <f32>3 * slack) isNew = false;
    }
    if (isNew) keepPoint(clip, point, FIRST_REFERENCE_CORNER + i);
  }
}

/** Stores the preference of each clipped point in WEIGHTS: KEEP_POINTS if its tag was among the last points, otherwise 1. */
function weigh(count: i32, kept: i32): void {
  for (let i = 0; i < count; i++) {
    const tag = load<i32>(CLIPPED + ((<usize>i) << 4), 12) + 1;
    let weight: f32 = 1;
    for (let bits = kept; bits != 0; bits >>>= 5) if ((bits & 31) == tag) weight = KEEP_POINTS;
    store<f32>(WEIGHTS + ((<usize>i) << 2), weight);
  }
}
/** @inline */
function weight(i: i32): f32 {
  return load<f32>(WEIGHTS + ((<usize>i) << 2));
}

/**
 * Chooses four clipped points that span the polygon: the farthest in one direction, the farthest from that, the one
 * that makes the largest triangle, the one that adds most area; then the deepest replaces the nearest of these. Points
 * of the last step are preferred, so that rounding does not choose among equal ones.
 */
function reduce(count: i32, kept: i32, extent: f32): i32 {
  weigh(count, kept);
  let first = 0;
  let best: f32 = -1e30;
  for (let i = 0; i < count; i++) {
    const at = CLIPPED + ((<usize>i) << 4);
    // The direction is neither an axis nor a diagonal, so that boxes at common yaw angles do not tie.
    const far = load<f32>(at) + <f32>0.37 * load<f32>(at, 4) + (weight(i) - <f32>1) * extent;
    if (far > best) {
      best = far;
      first = i;
    }
  }
  const at1 = CLIPPED + ((<usize>first) << 4);
  const x1 = load<f32>(at1);
  const y1 = load<f32>(at1, 4);
  let second = first;
  best = -1;
  for (let i = 0; i < count; i++) {
    if (i == first) continue;
    const at = CLIPPED + ((<usize>i) << 4);
    const dx = load<f32>(at) - x1;
    const dy = load<f32>(at, 4) - y1;
    const far = (dx * dx + dy * dy) * weight(i);
    if (far > best) {
      best = far;
      second = i;
    }
  }
  const at2 = CLIPPED + ((<usize>second) << 4);
  const ex = load<f32>(at2) - x1;
  const ey = load<f32>(at2, 4) - y1;
  // The third point makes the largest triangle; the fourth is farthest outside its sides.
  let third = -1;
  let side: f32 = 1;
  best = 0;
  for (let i = 0; i < count; i++) {
    const at = CLIPPED + ((<usize>i) << 4);
    const area = ex * (load<f32>(at, 4) - y1) - ey * (load<f32>(at) - x1);
    const weighted = abs(area) * weight(i);
    if (weighted > best && i != first && i != second) {
      best = weighted;
      third = i;
      side = area > 0 ? 1 : -1;
    }
  }
  let chosen = (1 << first) | (1 << second);
  if (third >= 0) {
    chosen |= 1 << third;
    const at3 = CLIPPED + ((<usize>third) << 4);
    const fx = load<f32>(at3) - x1;
    const fy = load<f32>(at3, 4) - y1;
    let fourth = -1;
    best = 0;
    for (let i = 0; i < count; i++) {
      if ((chosen >>> i) & 1) continue;
      const at = CLIPPED + ((<usize>i) << 4);
      const px = load<f32>(at) - x1;
      const py = load<f32>(at, 4) - y1;
      const beyond12 = ey * px - ex * py;
      const beyond31 = fx * py - fy * px;
      const beyond23 = (fy - ey) * (px - ex) - (fx - ex) * (py - ey);
      const weighted = max(side * beyond12, max(side * beyond31, side * beyond23)) * weight(i);
      if (weighted > best) {
        best = weighted;
        fourth = i;
      }
    }
    if (fourth >= 0) chosen |= 1 << fourth;
  }

  // The deepest point.
  let deepest = 0;
  let depth: f32 = 1e30;
  let chosenDepth: f32 = 1e30;
  for (let i = 0; i < count; i++) {
    const separation = load<f32>(CLIPPED + ((<usize>i) << 4), 8);
    if (separation < depth) {
      depth = separation;
      deepest = i;
    }
    if ((chosen >>> i) & 1) chosenDepth = min(chosenDepth, separation);
  }
  if (depth < chosenDepth - DEEPER * extent) {
    if (popcnt(chosen) < 4) return chosen | (1 << deepest);
    const atD = CLIPPED + ((<usize>deepest) << 4);
    let nearest = first;
    best = 1e30;
    for (let i = 0; i < count; i++) {
      if (((chosen >>> i) & 1) == 0) continue;
      const at = CLIPPED + ((<usize>i) << 4);
      const dx = load<f32>(at) - load<f32>(atD);
      const dy = load<f32>(at, 4) - load<f32>(atD, 4);
      const d2 = dx * dx + dy * dy;
      if (d2 < best) {
        best = d2;
        nearest = i;
      }
    }
    chosen = (chosen & ~(1 << nearest)) | (1 << deepest);
  }
  return chosen;
}
