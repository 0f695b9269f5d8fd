// Contact points of two features that face each other. In: a reference polygon, an incident polygon or segment, both in
// one frame, the normal between them. Out: up to four points. Sutherland–Hodgman clipping by the sides of the reference
// polygon; if there are more than four points, those that span the largest area are kept.
import { addScaled, cross, dot, lengthSquared, scale, sub, vec3 } from '../math/vector';
import { CLIP_SLACK, KEEP_POINTS } from '../tolerances';
import { FEATURE_HEADER, Feature } from './convex';

/**
 * Layout of a corner: x, y, z; then tag, number of the edge to the next corner, separation, height over the clipping
 * side; in the end, the preference.
 */
const MOST: i32 = 160;
const BUFFER_A: usize = memory.data(32 * 192, 16);
const BUFFER_B: usize = memory.data(32 * 192, 16);
const CHOSEN: usize = memory.data(64, 16);
/** Edges made by a cut get numbers from here on. */
const CUT_EDGE: i32 = 64;

/** @inline */
function position(buffer: usize, i: i32): v128 {
  return f32x4.replace_lane(v128.load(buffer + ((<usize>i) << 5)), 3, 0);
}
/** What made a point, and the edge that begins there; or any number that the caller needs. @value */
export class Label {
  tag: i32;
  edge: i32;
}

/** @inline */
function put(buffer: usize, i: i32, p: v128, label: Label): void {
  const at = buffer + ((<usize>i) << 5);
  v128.store(at, p);
  store<i32>(at, label.tag, 16);
  store<i32>(at, label.edge, 20);
}
/** @inline */
function cornerOf(f: Feature, i: i32): v128 {
  return v128.load(changetype<usize>(f) + FEATURE_HEADER + ((<usize>i) << 5));
}

/** Address of point i of the last call: position, tag at 16, separation at 24. @inline */
export function clippedAt(i: i32): usize {
  return <usize>load<u32>(CHOSEN + ((<usize>i) << 2));
}

/** Features of two shapes that face each other. @value */
export class Facing {
  reference: Feature;
  incident: Feature;
}

/**
 * Clips `incident` by `reference`. Separations are measured along `away`, the unit direction out of the reference; the
 * points lie on the incident feature. Returns how many of at most 4 points are within `most`; see clippedAt. `kept`
 * holds 5 bits per point of the last call.
 */
export function clipFeatures(features: Facing, away: v128, most: f32, kept: i32): i32 {
  const reference = features.reference;
  const incident = features.incident;
  let from = BUFFER_A;
  let to = BUFFER_B;
  let count = incident.count;
  for (let i = 0; i < count; i++) {
    const at = changetype<usize>(incident) + FEATURE_HEADER + ((<usize>i) << 5);
    put(from, i, v128.load(at), new Label(load<i32>(at, 16), load<i32>(at, 20)));
  }
  const sides = reference.count;
  for (let side = 0; side < sides && count > 0; side++) {
    const p = cornerOf(reference, side);
    const e = sub(cornerOf(reference, side + 1 == sides ? 0 : side + 1), p);
    const outwards = cross(e, away);
    const l2 = lengthSquared(outwards);
    if (!(l2 > <f32>1e-30)) continue;
    const n = scale(outwards, <f32>1 / sqrt<f32>(l2));
    const slack = CLIP_SLACK * sqrt<f32>(l2);
    const limit = dot(n, p) + slack;
    // Most sides cut off nothing or everything.
    let outside = 0;
    for (let i = 0; i < count; i++) {
      const height = dot(n, position(from, i)) - limit;
      store<f32>(from + ((<usize>i) << 5), height, 28);
      if (height > 0) outside++;
    }
    if (outside == 0) continue;
    if (outside == count) return 0;
    const open = count == 2;
    let out = 0;
    for (let i = 0; i < count; i++) {
      const j = i + 1 == count ? 0 : i + 1;
      const at = from + ((<usize>i) << 5);
      const a = position(from, i);
      const sa = load<f32>(at, 28);
      const sb = load<f32>(from + ((<usize>j) << 5), 28);
      const edge = load<i32>(at, 20);
      if (sa <= 0) put(to, out++, a, new Label(load<i32>(at, 16), edge));
      if (open && i == 1) break;
      if (sa <= 0 != sb <= 0 && out < MOST) {
        const cut = addScaled(a, sub(position(from, j), a), sa / (sa - sb));
        const label = new Label(0x100 + side * 128 + (edge & 127), sa <= 0 ? CUT_EDGE + side : edge);
        put(to, out++, cut, label);
      }
    }
    count = out;
    const swap = from;
    from = to;
    to = swap;
  }
  // Separations along the normal, from the plane of the reference.
  const m = reference.normal;
  const slope = dot(m, away);
  const offset = dot(m, cornerOf(reference, 0));
  let left = 0;
  for (let i = 0; i < count; i++) {
    const p = position(from, i);
    const separation = (dot(m, p) - offset) / slope;
    if (!(separation <= most)) continue;
    const at = from + ((<usize>i) << 5);
    put(from, left, p, new Label(load<i32>(at, 16), 0));
    store<f32>(from + ((<usize>left) << 5), separation, 24);
    left++;
  }
  return reduce(from, left, away, kept);
}

/** A 5-bit hash of a tag, never 0. @inline */
export function shortTag(tag: i32): i32 {
  return 1 + (((tag ^ (tag >> 5) ^ (tag >> 10)) & 31) % 31);
}

/** Factor on distances, in favour of points that were kept the last time. */
function preferenceOf(tag: i32, kept: i32): f32 {
  const short = shortTag(tag);
  for (let bits = kept; bits != 0; bits >>>= 5) if ((bits & 31) == short) return KEEP_POINTS;
  return 1;
}
/** @inline */
function preference(buffer: usize, i: i32): f32 {
  return load<f32>(buffer + ((<usize>i) << 5), 28);
}
/** @inline */
function choose(at: i32, buffer: usize, i: i32): void {
  store<u32>(CHOSEN + ((<usize>at) << 2), <u32>buffer + ((<u32>i) << 5));
}

/** Adds a point to the list for chooseFour. @inline */
export function addChoice(i: i32, p: v128, separation: f32, label: Label): void {
  put(BUFFER_A, i, p, label);
  store<f32>(BUFFER_A + ((<usize>i) << 5), separation, 24);
}
/** Chooses at most four of `count` listed points: see clippedAt; the label is at 20. */
export function chooseFour(count: i32, n: v128, kept: i32): i32 {
  return reduce(BUFFER_A, count, n, kept);
}
export const MOST_CHOICES: i32 = MOST;

/** Chooses four points: the deepest, the farthest from it, and those that make the largest triangles on either side. */
function reduce(buffer: usize, count: i32, n: v128, kept: i32): i32 {
  if (count <= 4) {
    for (let i = 0; i < count; i++) choose(i, buffer, i);
    return count;
  }
  let first = 0;
  let best: f32 = 1e30;
  let spread: f32 = 0;
  const p0 = position(buffer, 0);
  for (let i = 1; i < count; i++) spread = max(spread, lengthSquared(sub(position(buffer, i), p0)));
  const bonus = sqrt<f32>(spread) * <f32>1e-3;
  for (let i = 0; i < count; i++) {
    const at = buffer + ((<usize>i) << 5);
    store<f32>(at, preferenceOf(load<i32>(at, 16), kept), 28);
    // Among points of about equal depth, a kept one; otherwise the first along an arbitrary fixed direction.
    const depth =
      load<f32>(buffer + ((<usize>i) << 5), 24) -
      (preference(buffer, i) > 1 ? bonus : 0) +
      dot(position(buffer, i), vec3(<f32>1e-4, <f32>0.37e-4, <f32>0.61e-4));
    if (depth < best) {
      best = depth;
      first = i;
    }
  }
  const a = position(buffer, first);
  let second = first;
  best = -1;
  for (let i = 0; i < count; i++) {
    const far = lengthSquared(sub(position(buffer, i), a)) * preference(buffer, i);
    if (i != first && far > best) {
      best = far;
      second = i;
    }
  }
  const across = cross(n, sub(position(buffer, second), a));
  let left = -1;
  let right = -1;
  let most: f32 = 0;
  let least: f32 = 0;
  for (let i = 0; i < count; i++) {
    if (i == first || i == second) continue;
    const side = dot(across, sub(position(buffer, i), a)) * preference(buffer, i);
    if (side > most) {
      most = side;
      left = i;
    } else if (side < least) {
      least = side;
      right = i;
    }
  }
  let chosen = 0;
  choose(chosen++, buffer, first);
  choose(chosen++, buffer, second);
  if (left >= 0) choose(chosen++, buffer, left);
  if (right >= 0) choose(chosen++, buffer, right);
  return chosen;
}
