// An expanding polytope of points of the difference of two convex cores (van den Bergen 2003), in the frame of A. In:
// both shapes, directions in which to expand it. Out: its faces with their distances from the origin, and the points of
// A and B where a line from the origin leaves it. It starts from extreme points of A − B and need not contain the
// origin at first.

import { vec3 } from '../math/vector';
import { Vector64 } from '../memory/values';
import { NEAR_FACE } from '../tolerances';
import { ConvexQuery, Cores } from './convexPair';
import { differenceSupport, POINT_BYTES, setWitness } from './gjk';

const MOST_POINTS: i32 = 80;
const MOST_FACES: i32 = 512;

const POINTS: usize = memory.data(64 * 80, 16);
/** Faces: corners i32 × 3, alive i32, normal and distance f64 × 4. */
const FACES: usize = memory.data(48 * 512, 16);
const FACE_BYTES: usize = 48;
const HORIZON: usize = memory.data(8 * 512, 8);
const RESULT: usize = memory.data(48, 16); // direction v128 and f64 × 3
const COUNTS: usize = memory.data(8, 4); // faces, points
const PIERCED: usize = memory.data(4, 4);

/** @inline */
function point(i: i32): usize {
  return POINTS + ((<usize>i) << 6);
}
/** @inline */
function px(i: i32): f64 {
  return load<f64>(point(i));
}
/** @inline */
function py(i: i32): f64 {
  return load<f64>(point(i), 8);
}
/** @inline */
function pz(i: i32): f64 {
  return load<f64>(point(i), 16);
}
/** @inline */
export function faceAt(i: i32): usize {
  return FACES + <usize>i * FACE_BYTES;
}
/** End of the used faces, with dead ones between them. @inline */
export function polytopeFaces(): i32 {
  return load<i32>(COUNTS);
}
/** @inline */
function pointCount(): i32 {
  return load<i32>(COUNTS, 4);
}
/** @inline */
export function isAlive(face: usize): bool {
  return load<i32>(face, 12) != 0;
}
/** @inline */
export function faceDistance(face: usize): f64 {
  return load<f64>(face, 40);
}

/** Address of corner i of the face that findWitness chose. */
export function piercedCorner(i: usize): usize {
  return point(load<i32>(<usize>load<u32>(PIERCED) + (i << 2)));
}

/** The unit direction found so far, from A to B, in A's frame. @inline */
export function epaDirection(): v128 {
  return v128.load(RESULT);
}
/** The same direction in f64. @inline */
export function directionAt(axis: usize): f64 {
  return load<f64>(RESULT + (axis << 3), 16);
}

export function setDirection(nx: f64, ny: f64, nz: f64): void {
  v128.store(RESULT, vec3(<f32>nx, <f32>ny, <f32>nz));
  store<f64>(RESULT, nx, 16);
  store<f64>(RESULT, ny, 24);
  store<f64>(RESULT, nz, 32);
}

/** Builds a tetrahedron of extreme points. False if A − B is flat; the direction is then the normal of its plane. */
export function startPolytope(cores: Cores): bool {
  if (!firstPoints(cores)) return false;
  const tiny = <f64>f32.EPSILON * <f64>f32.EPSILON * cores.size * cores.size;
  // Ordered so that its faces point outwards.
  const ux = px(1) - px(0);
  const uy = py(1) - py(0);
  const uz = pz(1) - pz(0);
  const vx = px(2) - px(0);
  const vy = py(2) - py(0);
  const vz = pz(2) - pz(0);
  const volume =
    (uy * vz - uz * vy) * (px(3) - px(0)) +
    (uz * vx - ux * vz) * (py(3) - py(0)) +
    (ux * vy - uy * vx) * (pz(3) - pz(0));
  const j = volume > 0 ? 2 : 1;
  const k = volume > 0 ? 1 : 2;
  let faces = 0;
  faces += putFace(faces, new Triangle(0, j, k), tiny) ? 1 : 0;
  faces += putFace(faces, new Triangle(0, k, 3), tiny) ? 1 : 0;
  faces += putFace(faces, new Triangle(k, j, 3), tiny) ? 1 : 0;
  faces += putFace(faces, new Triangle(j, 0, 3), tiny) ? 1 : 0;
  store<i32>(COUNTS, faces);
  store<i32>(COUNTS, 4, 4);
  return true;
}

/** The face with the least distance from the origin; with `local`, among those near the direction found. 0: none. */
export function nearestFace(local: bool): usize {
  let best: usize = 0;
  let least: f64 = Infinity;
  for (let i = 0; i < polytopeFaces(); i++) {
    const at = faceAt(i);
    if (!isAlive(at) || faceDistance(at) >= least) continue;
    if (
      local &&
      load<f64>(at, 16) * directionAt(0) +
        load<f64>(at, 24) * directionAt(1) +
        load<f64>(at, 32) * directionAt(2) <
        NEAR_FACE
    )
      continue;
    least = faceDistance(at);
    best = at;
  }
  return best;
}

/** Finds the farthest point of A − B along n and keeps it as the next point of the polytope; returns its extent. */
export function reachAlong(cores: Cores, n: Vector64): f64 {
  const at = point(pointCount());
  differenceSupport(cores, vec3(<f32>n.x, <f32>n.y, <f32>n.z), at);
  return n.x * load<f64>(at) + n.y * load<f64>(at, 8) + n.z * load<f64>(at, 16);
}

/**
 * Adds the point of the last reachAlong. `face` is visible from it regardless of rounding. False if there is no room.
 */
export function growPolytope(face: usize, size: f64): bool {
  const newest = pointCount();
  if (newest == MOST_POINTS - 1) return false;
  let faces = polytopeFaces();
  const tiny = <f64>f32.EPSILON * <f64>f32.EPSILON * size * size;
  // Faces visible from the new point are removed, and their rim is joined to it.
  let rim = 0;
  for (let i = 0; i < faces; i++) {
    const f = faceAt(i);
    if (!isAlive(f)) continue;
    const above =
      load<f64>(f, 16) * px(newest) +
      load<f64>(f, 24) * py(newest) +
      load<f64>(f, 32) * pz(newest) -
      load<f64>(f, 40);
    if (above <= <f64>1e-12 * size && f != face) continue;
    store<i32>(f, 0, 12);
    rim = toggle(rim, load<i32>(f), load<i32>(f, 4));
    rim = toggle(rim, load<i32>(f, 4), load<i32>(f, 8));
    rim = toggle(rim, load<i32>(f, 8), load<i32>(f));
  }
  for (let i = 0; i < rim; i++) {
    let free = 0;
    while (free < faces && isAlive(faceAt(free))) free++;
    if (free == MOST_FACES) break;
    const edge = HORIZON + ((<usize>i) << 3);
    if (!putFace(free, new Triangle(load<i32>(edge), load<i32>(edge, 4), newest), tiny)) continue;
    if (free == faces) faces++;
  }
  store<i32>(COUNTS, faces);
  store<i32>(COUNTS, newest + 1, 4);
  return true;
}

/** Numbers of the points of a face, counter-clockwise from outside. @value */
class Triangle {
  a: i32;
  b: i32;
  c: i32;
}

/** Writes the face at index `i`. False if its area is too small. */
function putFace(i: i32, corners: Triangle, tiny: f64): bool {
  const a = corners.a;
  const b = corners.b;
  const c = corners.c;
  const ux = px(b) - px(a);
  const uy = py(b) - py(a);
  const uz = pz(b) - pz(a);
  const vx = px(c) - px(a);
  const vy = py(c) - py(a);
  const vz = pz(c) - pz(a);
  let nx = uy * vz - uz * vy;
  let ny = uz * vx - ux * vz;
  let nz = ux * vy - uy * vx;
  const length = sqrt<f64>(nx * nx + ny * ny + nz * nz);
  if (!(length > tiny)) return false;
  nx /= length;
  ny /= length;
  nz /= length;
  const at = faceAt(i);
  store<i32>(at, a);
  store<i32>(at, b, 4);
  store<i32>(at, c, 8);
  store<i32>(at, 1, 12);
  store<f64>(at, nx, 16);
  store<f64>(at, ny, 24);
  store<f64>(at, nz, 32);
  store<f64>(at, nx * px(a) + ny * py(a) + nz * pz(a), 40);
  return true;
}

/** Adds an edge to the rim, or removes the same edge in reverse direction. */
function toggle(rim: i32, from: i32, to: i32): i32 {
  for (let i = 0; i < rim; i++) {
    const edge = HORIZON + ((<usize>i) << 3);
    if (load<i32>(edge) != to || load<i32>(edge, 4) != from) continue;
    store<u64>(edge, load<u64>(HORIZON + ((<usize>(rim - 1)) << 3)));
    return rim - 1;
  }
  const edge = HORIZON + ((<usize>rim) << 3);
  store<i32>(edge, from);
  store<i32>(edge, to, 4);
  return rim + 1;
}

/**
 * Finds extreme points: both ends along the longest axis, the farthest from their line, the farthest from that plane.
 * False if A − B is flat; the direction is then the normal of its plane.
 */
function firstPoints(cores: Cores): bool {
  const flat = <f64>f32.EPSILON * cores.size;
  let longest: f64 = -1;
  for (let axis = 0; axis < 3; axis++) {
    const d = vec3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0);
    differenceSupport(cores, d, point(2));
    differenceSupport(cores, f32x4.neg(d), point(3));
    const o = (<usize>axis) << 3;
    const extent = load<f64>(point(2) + o) - load<f64>(point(3) + o);
    if (extent <= longest) continue;
    longest = extent;
    memory.copy(point(0), point(2), 2 * POINT_BYTES);
  }
  const ux = px(1) - px(0);
  const uy = py(1) - py(0);
  const uz = pz(1) - pz(0);
  setDirection(0, 1, 0);
  if (!(longest > flat)) return false;
  // Four directions around the line.
  let ax: f64 = 0;
  let ay: f64 = 0;
  let az: f64 = 0;
  if (abs(ux) <= abs(uy) && abs(ux) <= abs(uz)) {
    ay = uz;
    az = -uy;
  } else if (abs(uy) <= abs(uz)) {
    ax = -uz;
    az = ux;
  } else {
    ax = uy;
    ay = -ux;
  }
  const bx = uy * az - uz * ay;
  const by = uz * ax - ux * az;
  const bz = ux * ay - uy * ax;
  let most: f64 = -1;
  for (let i = 0; i < 4; i++) {
    const s: f64 = i & 1 ? -1 : 1;
    const dx = (i < 2 ? ax : bx) * s;
    const dy = (i < 2 ? ay : by) * s;
    const dz = (i < 2 ? az : bz) * s;
    const inverse = 1 / sqrt<f64>(dx * dx + dy * dy + dz * dz);
    differenceSupport(cores, vec3(<f32>(dx * inverse), <f32>(dy * inverse), <f32>(dz * inverse)), point(3));
    const far = (dx * (px(3) - px(0)) + dy * (py(3) - py(0)) + dz * (pz(3) - pz(0))) * inverse;
    if (far <= most) continue;
    most = far;
    setDirection(dx * inverse, dy * inverse, dz * inverse);
    memory.copy(point(2), point(3), POINT_BYTES);
  }
  if (!(most > flat)) return false;
  const vx = px(2) - px(0);
  const vy = py(2) - py(0);
  const vz = pz(2) - pz(0);
  let nx = uy * vz - uz * vy;
  let ny = uz * vx - ux * vz;
  let nz = ux * vy - uy * vx;
  const inverse = 1 / sqrt<f64>(nx * nx + ny * ny + nz * nz);
  nx *= inverse;
  ny *= inverse;
  nz *= inverse;
  setDirection(nx, ny, nz);
  const d = epaDirection();
  differenceSupport(cores, d, point(3));
  const above = nx * (px(3) - px(0)) + ny * (py(3) - py(0)) + nz * (pz(3) - pz(0));
  differenceSupport(cores, f32x4.neg(d), point(4));
  const below = -(nx * (px(4) - px(0)) + ny * (py(4) - py(0)) + nz * (pz(4) - pz(0)));
  if (below > above) memory.copy(point(3), point(4), POINT_BYTES);
  return max<f64>(above, below) > flat;
}

/** Finds the points of A and B where the line along the direction leaves the polytope, in the face that it pierces. */
export function findWitness(query: ConvexQuery): void {
  const nx = directionAt(0);
  const ny = directionAt(1);
  const nz = directionAt(2);
  let best: f64 = -Infinity;
  for (let i = 0; i < polytopeFaces(); i++) {
    const face = faceAt(i);
    if (!isAlive(face)) continue;
    if (nx * load<f64>(face, 16) + ny * load<f64>(face, 24) + nz * load<f64>(face, 32) <= 0) continue;
    const a = load<i32>(face);
    const b = load<i32>(face, 4);
    const c = load<i32>(face, 8);
    const n = new Vector64(nx, ny, nz);
    let wA = alongTriple(n, b, c);
    let wB = alongTriple(n, c, a);
    let wC = alongTriple(n, a, b);
    const sum = wA + wB + wC;
    if (!(sum > 0)) continue;
    const least = min<f64>(wA, min<f64>(wB, wC)) / sum;
    if (least <= best) continue;
    best = least;
    store<u32>(PIERCED, <u32>face);
    wA = max<f64>(0, wA);
    wB = max<f64>(0, wB);
    wC = max<f64>(0, wC);
    const scale = 1 / (wA + wB + wC);
    const sA = f32x4.splat(<f32>(wA * scale));
    const sB = f32x4.splat(<f32>(wB * scale));
    const sC = f32x4.splat(<f32>(wC * scale));
    setWitness(
      query,
      f32x4.add(
        f32x4.mul(v128.load(point(a), 32), sA),
        f32x4.add(f32x4.mul(v128.load(point(b), 32), sB), f32x4.mul(v128.load(point(c), 32), sC)),
      ),
      f32x4.add(
        f32x4.mul(v128.load(point(a), 48), sA),
        f32x4.add(f32x4.mul(v128.load(point(b), 48), sB), f32x4.mul(v128.load(point(c), 48), sC)),
      ),
    );
    if (best >= 0) return;
  }
}

/** n · (p × q) */
function alongTriple(n: Vector64, p: i32, q: i32): f64 {
  return (
    n.x * (py(p) * pz(q) - pz(p) * py(q)) +
    n.y * (pz(p) * px(q) - px(p) * pz(q)) +
    n.z * (px(p) * py(q) - py(p) * px(q))
  );
}
