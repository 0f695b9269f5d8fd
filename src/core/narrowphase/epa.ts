// Depth of two overlapping convex cores by an expanding polytope (van den Bergen 2003), in the frame of A.
// In: both shapes, the frame set by gjk.ts. Out: the direction from A to B along which they part soonest,
// the depth along it, and the points that part last. The polytope starts from extremes of A − B and need not
// hold the origin at first: the face that sees it farthest outside is pushed first. The depth reported is the
// extent of A − B along the direction reported, so moving out by it always parts the two.
import { Shape } from '../memory/records';
import { SHAPE_CONE, SHAPE_CYLINDER } from '../memory/constants';
import { addScaled, neg, rotate, scale, sub, vec3, x, y, z } from '../math/vector';
import { faceCount, faceNormal } from './convex';
import {
  coreDistance,
  differenceSupport,
  frame,
  nearest,
  POINT_BYTES,
  setFrame,
  setWitness,
  touches,
  witnessA,
  witnessB,
} from './gjk';

const MOST_ITERATIONS: i32 = 64;
/** About an axis of symmetry there is a ring of equal depths: from then on only faces at the newest point are pushed. */
const LOCAL_FROM: i32 = 40;
const MOST_FACES: i32 = 512;
/** Of the size: a face is pushed no farther than this, and depths are this exact. */
const EXACT: f64 = 1e-6;

/** Of the size: A − B thinner than this has no volume. */
const FLAT: f64 = 1e-7;

const POINTS: usize = memory.data(64 * 80, 16);
/** Faces: corners i32 × 3, alive i32, normal and distance f64 × 4. */
const FACES: usize = memory.data(48 * 512, 16);
const FACE_BYTES: usize = 48;
const HORIZON: usize = memory.data(8 * 512, 8);
const RESULT: usize = memory.data(48, 16); // direction v128 and f64 × 3

/** Steps downhill, and faces to begin from where EPA left a depth uncertain by more than this part of the size. */
const MOST_REFINEMENTS: i32 = 12;
const MOST_STARTS: i32 = 16;
const UNCERTAIN: f64 = 2e-5;
/** Of the size: how much farther than the depth B is moved to look back. */
const OUT_BY: f64 = 1e-3;
const START: usize = memory.data(24, 8);
/** Directions about an axis, and the angle between them: 15°. */
const AROUND: i32 = 24;
const COS_AROUND: f32 = 0.9659258;
const SIN_AROUND: f32 = 0.25881904;
const CIRCLE: usize = memory.data(8 * 24, 8);
const TRIAL: usize = memory.data(64, 16);
const NEXT: usize = memory.data(64, 16);

// @ts-ignore: decorator
@inline function point(i: i32): usize {
  return POINTS + ((<usize>i) << 6);
}
// @ts-ignore: decorator
@inline function px(i: i32): f64 {
  return load<f64>(point(i));
}
// @ts-ignore: decorator
@inline function py(i: i32): f64 {
  return load<f64>(point(i), 8);
}
// @ts-ignore: decorator
@inline function pz(i: i32): f64 {
  return load<f64>(point(i), 16);
}
// @ts-ignore: decorator
@inline function faceAt(i: i32): usize {
  return FACES + <usize>i * FACE_BYTES;
}

/** The unit direction of the last call, from A to B, in A's frame. */
// @ts-ignore: decorator
@inline export function epaDirection(): v128 {
  return v128.load(RESULT);
}

// @ts-ignore: decorator
@inline function setDirection(nx: f64, ny: f64, nz: f64): void {
  v128.store(RESULT, vec3(<f32>nx, <f32>ny, <f32>nz));
  store<f64>(RESULT, nx, 16);
  store<f64>(RESULT, ny, 24);
  store<f64>(RESULT, nz, 32);
}

/** Puts the face (a, b, c), seen from outside, at index `i`. False where it has no area to speak of. */
function putFace(i: i32, a: i32, b: i32, c: i32, tiny: f64): bool {
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

/** The depth; negative where the cores are apart after all, by no more than rounding. */
export function coreDepth(a: Shape, b: Shape, size: f64): f64 {
  const tiny = 1e-14 * size * size;
  const touching = touches();
  const pA = witnessA();
  const pB = witnessB();
  if (!firstPoints(a, b, size)) return flatDepth(a, b, touching);
  let faces = 0;
  let points = 4;
  // A tetrahedron, turned so that its faces look outwards.
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
  faces += putFace(faces, 0, j, k, tiny) ? 1 : 0;
  faces += putFace(faces, 0, k, 3, tiny) ? 1 : 0;
  faces += putFace(faces, k, j, 3, tiny) ? 1 : 0;
  faces += putFace(faces, j, 0, 3, tiny) ? 1 : 0;

  let depth: f64 = Infinity;
  setDirection(0, 1, 0);
  for (let iteration = 0; iteration < MOST_ITERATIONS && faces > 0; iteration++) {
    let best = -1;
    let least: f64 = Infinity;
    const newest = points - 1;
    for (let i = 0; i < faces; i++) {
      const at = faceAt(i);
      if (load<i32>(at, 12) == 0 || load<f64>(at, 40) >= least) continue;
      if (
        iteration >= LOCAL_FROM &&
        load<i32>(at) != newest &&
        load<i32>(at, 4) != newest &&
        load<i32>(at, 8) != newest
      )
        continue;
      least = load<f64>(at, 40);
      best = i;
    }
    if (best < 0) break;
    const face = faceAt(best);
    const nx = load<f64>(face, 16);
    const ny = load<f64>(face, 24);
    const nz = load<f64>(face, 32);
    const at = point(points);
    differenceSupport(a, b, vec3(<f32>nx, <f32>ny, <f32>nz), at);
    const reach = nx * px(points) + ny * py(points) + nz * pz(points);
    const done = reach - least <= EXACT * size;
    if (reach < depth || (done && reach <= depth + EXACT * size)) {
      // A − B reaches `reach` beyond the origin along n: B moved by that along n touches no more.
      depth = reach;
      setDirection(nx, ny, nz);
    }
    if (done || points == 79) break;
    // Faces that see the new point go; their rim is joined to it.
    let rim = 0;
    for (let i = 0; i < faces; i++) {
      const f = faceAt(i);
      if (load<i32>(f, 12) == 0) continue;
      const above =
        load<f64>(f, 16) * px(points) +
        load<f64>(f, 24) * py(points) +
        load<f64>(f, 32) * pz(points) -
        load<f64>(f, 40);
      if (above <= <f64>1e-12 * size && i != best) continue;
      store<i32>(f, 0, 12);
      rim = toggle(rim, load<i32>(f), load<i32>(f, 4));
      rim = toggle(rim, load<i32>(f, 4), load<i32>(f, 8));
      rim = toggle(rim, load<i32>(f, 8), load<i32>(f));
    }
    for (let i = 0; i < rim; i++) {
      let free = 0;
      while (free < faces && load<i32>(faceAt(free), 12) != 0) free++;
      if (free == MOST_FACES) break;
      const edge = HORIZON + ((<usize>i) << 3);
      if (!putFace(free, load<i32>(edge), load<i32>(edge, 4), points, tiny)) continue;
      if (free == faces) faces++;
    }
    points++;
  }
  findWitness(faces);
  if (touching && aside(pA, pB, depth) < aside(witnessA(), witnessB(), depth)) setWitness(pA, pB);
  depth = refine(a, b, faces, depth, size);
  findWay(a, b, depth, size);
  return depth;
}

/** A − B has no volume: its plane, or any plane through its line or point, parts the two at once. */
function flatDepth(a: Shape, b: Shape, touching: bool): f64 {
  const nx = load<f64>(RESULT, 16);
  const ny = load<f64>(RESULT, 24);
  const nz = load<f64>(RESULT, 32);
  const other = tryDirection(a, b, -nx, -ny, -nz, Infinity);
  if (!touching) setWitness(v128.load(NEXT, 32), v128.load(NEXT, 48));
  const depth = tryDirection(a, b, nx, ny, nz, other);
  if (depth < other && !touching) setWitness(v128.load(NEXT, 32), v128.load(NEXT, 48));
  return min<f64>(depth, other);
}

/**
 * Curved faces are met by ever smaller triangles, a ring of nearly equal depths by ever more of them, and two hulls of
 * many corners have thousands of faces. So where faces of the polytope may still hide a lesser depth, it tries the flat
 * faces of both and the sides of cylinders and cones, and goes downhill from what it found and from such faces.
 */
function refine(a: Shape, b: Shape, faces: i32, found: f64, size: f64): f64 {
  let depth = found;
  for (let k = 0; k < MOST_STARTS; k++) {
    let best = -1;
    let least = depth - UNCERTAIN * size;
    for (let i = 0; i < faces; i++) {
      const at = faceAt(i);
      if (load<i32>(at, 12) == 0 || load<f64>(at, 40) >= least) continue;
      least = load<f64>(at, 40);
      best = i;
    }
    if (best < 0) break;
    if (k == 0) {
      depth = around(a, b, 1, around(a, b, 0, tryFaces(a, b, 1, tryFaces(a, b, 0, depth))));
      memory.copy(START, RESULT + 16, 24);
      depth = downhill(a, b, depth, size);
    }
    const at = faceAt(best);
    store<f64>(at, Infinity, 40); // tried
    memory.copy(START, at + 16, 24);
    depth = downhill(a, b, depth, size);
  }
  return depth;
}

/**
 * From the direction at START to a place where the depth is least nearby. B is moved out along n a little farther than it
 * has to be: the direction in which the two are nearest then is one of less depth, or n itself. (With q the point that B's
 * origin moved to, |q| = h(n) + e, and c the nearest point of A − B: h(n') = n'·c = n'·q − |q − c| ≤ |q| − e = h(n).)
 */
function downhill(a: Shape, b: Shape, known: f64, size: f64): f64 {
  let depth = tryDirection(a, b, load<f64>(START), load<f64>(START, 8), load<f64>(START, 16), known);
  let least = min<f64>(known, depth);
  const q = v128.load(frame());
  const t = v128.load(frame(), 16);
  for (let i = 0; i < MOST_REFINEMENTS; i++) {
    const nx = load<f64>(START);
    const ny = load<f64>(START, 8);
    const nz = load<f64>(START, 16);
    const n = vec3(<f32>nx, <f32>ny, <f32>nz);
    setFrame(q, addScaled(t, n, <f32>(depth + OUT_BY * size)));
    const apart = coreDistance(a, b, neg(n), size, Infinity);
    setFrame(q, t);
    if (!(apart > 0)) break;
    const mx = -nearest(0) / apart;
    const my = -nearest(1) / apart;
    const mz = -nearest(2) / apart;
    let lower = depth;
    // As long as farther on the same way is better: round shapes that are deep in each other give short steps.
    for (let k: f64 = 0; k < 1000; k = 2 * k + 1) {
      const x1 = mx + k * (mx - nx);
      const y1 = my + k * (my - ny);
      const z1 = mz + k * (mz - nz);
      const inverse = 1 / sqrt<f64>(x1 * x1 + y1 * y1 + z1 * z1);
      const there = tryDirection(a, b, x1 * inverse, y1 * inverse, z1 * inverse, least);
      least = min<f64>(least, there);
      if (there >= lower) break;
      lower = there;
      store<f64>(START, x1 * inverse);
      store<f64>(START, y1 * inverse, 8);
      store<f64>(START, z1 * inverse, 16);
    }
    if (lower >= depth - EXACT * size) break;
    depth = lower;
  }
  return least;
}

/** The normals of flat faces. */
function tryFaces(a: Shape, b: Shape, ofB: i32, known: f64): f64 {
  const s = ofB ? b : a;
  const count = faceCount(s);
  let depth = known;
  for (let i = 0; i < count; i++) {
    const n = faceNormal(s, i);
    depth = min<f64>(depth, tryAround(a, b, ofB, x(n), y(n), z(n), depth));
  }
  return depth;
}

/** Points of both on a line along the direction found, as far apart as the depth. */
function findWay(a: Shape, b: Shape, depth: f64, size: f64): void {
  const good = <f64>1e-10 * size * size;
  const ofFace = aside(witnessA(), witnessB(), depth);
  if (ofFace <= good) return;
  const n = epaDirection();
  differenceSupport(a, b, n, TRIAL);
  const ofPoint = aside(v128.load(TRIAL, 32), v128.load(TRIAL, 48), depth);
  if (ofPoint < ofFace) setWitness(v128.load(TRIAL, 32), v128.load(TRIAL, 48));
  if (ofPoint <= good) return;
  // Neither is a way along n: B is moved out a little farther than it has to be, and GJK says where they part.
  const pA = witnessA();
  const pB = witnessB();
  const way = <f32>(depth + OUT_BY * size);
  const q = v128.load(frame());
  const t = v128.load(frame(), 16);
  setFrame(q, addScaled(t, n, way));
  const apart = coreDistance(a, b, f32x4.neg(n), size, Infinity);
  setFrame(q, t);
  const moved = sub(witnessB(), scale(n, way));
  if (!(apart > 0) || aside(witnessA(), moved, depth) > min<f64>(ofPoint, ofFace)) setWitness(pA, pB);
  else setWitness(witnessA(), moved);
}

/**
 * The side of a cylinder or cone faces a circle of directions, and along it the depth has a crease: least depths of the
 * two lie on it more often than not. Tries some directions of that circle, and between them from those that are lower
 * than their neighbours.
 */
function around(a: Shape, b: Shape, ofB: i32, known: f64): f64 {
  const s = ofB ? b : a;
  if (s.type != SHAPE_CYLINDER && s.type != SHAPE_CONE) return known;
  const rise: f32 = s.type == SHAPE_CONE ? s.param0 / (<f32>2 * s.param1) : 0;
  let depth = known;
  let c: f32 = 1;
  let d: f32 = 0;
  for (let i = 0; i < AROUND; i++) {
    const there = tryAround(a, b, ofB, c, rise, d, depth);
    store<f64>(CIRCLE + ((<usize>i) << 3), there);
    depth = min<f64>(depth, there);
    const turned = c * COS_AROUND - d * SIN_AROUND;
    d = d * COS_AROUND + c * SIN_AROUND;
    c = turned;
  }
  for (let i = 0; i < AROUND; i++) {
    let least = load<f64>(CIRCLE + ((<usize>i) << 3));
    const before = load<f64>(CIRCLE + ((<usize>(i == 0 ? AROUND - 1 : i - 1)) << 3));
    const after = load<f64>(CIRCLE + ((<usize>(i == AROUND - 1 ? 0 : i + 1)) << 3));
    if (least <= before && least < after) {
      let cx = c;
      let cz = d;
      for (let step: f32 = 0.5 * SIN_AROUND; step > <f32>1e-5; step *= 0.5) {
        for (let side: f32 = -1; side <= 1; side += 2) {
          let x1 = cx - side * step * cz;
          let z1 = cz + side * step * cx;
          const inverse = <f32>1 / sqrt<f32>(x1 * x1 + z1 * z1);
          x1 *= inverse;
          z1 *= inverse;
          const there = tryAround(a, b, ofB, x1, rise, z1, depth);
          depth = min<f64>(depth, there);
          if (there >= least) continue;
          least = there;
          cx = x1;
          cz = z1;
          break;
        }
      }
    }
    const turned = c * COS_AROUND - d * SIN_AROUND;
    d = d * COS_AROUND + c * SIN_AROUND;
    c = turned;
  }
  return depth;
}

/** The depth along a direction given in the frame of A or B, outwards. */
function tryAround(a: Shape, b: Shape, ofB: i32, dx: f32, dy: f32, dz: f32, known: f64): f64 {
  let d = vec3(dx, dy, dz);
  if (ofB) d = neg(rotate(v128.load(frame()), d));
  const x0 = <f64>x(d);
  const y0 = <f64>y(d);
  const z0 = <f64>z(d);
  const inverse = 1 / sqrt<f64>(x0 * x0 + y0 * y0 + z0 * z0);
  return tryDirection(a, b, x0 * inverse, y0 * inverse, z0 * inverse, known);
}

/** The depth along a direction, which is stored where that is less than `known`. */
function tryDirection(a: Shape, b: Shape, nx: f64, ny: f64, nz: f64, known: f64): f64 {
  differenceSupport(a, b, vec3(<f32>nx, <f32>ny, <f32>nz), NEXT);
  const depth = nx * load<f64>(NEXT) + ny * load<f64>(NEXT, 8) + nz * load<f64>(NEXT, 16);
  if (depth >= known) return depth;
  setDirection(nx, ny, nz);
  return depth;
}

/** How far, squared, the way between two points is from `depth` along the result. */
function aside(pA: v128, pB: v128, depth: f64): f64 {
  const dx = <f64>x(pA) - <f64>x(pB) - load<f64>(RESULT, 16) * depth;
  const dy = <f64>y(pA) - <f64>y(pB) - load<f64>(RESULT, 24) * depth;
  const dz = <f64>z(pA) - <f64>z(pB) - load<f64>(RESULT, 32) * depth;
  return dx * dx + dy * dy + dz * dz;
}

/** Adds an edge to the rim, or takes out the same edge the other way round. */
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
 * Extremes: both ends of the longest axis, the farthest from their line, the farthest from that plane. False where A − B
 * is flat, with the normal of its plane as the result.
 */
function firstPoints(a: Shape, b: Shape, size: f64): bool {
  const flat = FLAT * size;
  let longest: f64 = -1;
  for (let axis = 0; axis < 3; axis++) {
    const d = vec3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0);
    differenceSupport(a, b, d, point(2));
    differenceSupport(a, b, f32x4.neg(d), point(3));
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
  // Four directions about the line.
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
    differenceSupport(a, b, vec3(<f32>(dx * inverse), <f32>(dy * inverse), <f32>(dz * inverse)), point(3));
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
  differenceSupport(a, b, d, point(3));
  const above = nx * (px(3) - px(0)) + ny * (py(3) - py(0)) + nz * (pz(3) - pz(0));
  differenceSupport(a, b, f32x4.neg(d), point(4));
  const below = -(nx * (px(4) - px(0)) + ny * (py(4) - py(0)) + nz * (pz(4) - pz(0)));
  if (below > above) memory.copy(point(3), point(4), POINT_BYTES);
  return max<f64>(above, below) > flat;
}

/** The points of A and B where the line along the result leaves the polytope: in the face that it pierces. */
function findWitness(faces: i32): void {
  const nx = load<f64>(RESULT, 16);
  const ny = load<f64>(RESULT, 24);
  const nz = load<f64>(RESULT, 32);
  let best: f64 = -Infinity;
  for (let i = 0; i < faces; i++) {
    const face = faceAt(i);
    if (load<i32>(face, 12) == 0) continue;
    if (nx * load<f64>(face, 16) + ny * load<f64>(face, 24) + nz * load<f64>(face, 32) <= 0) continue;
    const a = load<i32>(face);
    const b = load<i32>(face, 4);
    const c = load<i32>(face, 8);
    let wA = alongTriple(nx, ny, nz, b, c);
    let wB = alongTriple(nx, ny, nz, c, a);
    let wC = alongTriple(nx, ny, nz, a, b);
    const sum = wA + wB + wC;
    if (!(sum > 0)) continue;
    const least = min<f64>(wA, min<f64>(wB, wC)) / sum;
    if (least <= best) continue;
    best = least;
    wA = max<f64>(0, wA);
    wB = max<f64>(0, wB);
    wC = max<f64>(0, wC);
    const scale = 1 / (wA + wB + wC);
    const sA = f32x4.splat(<f32>(wA * scale));
    const sB = f32x4.splat(<f32>(wB * scale));
    const sC = f32x4.splat(<f32>(wC * scale));
    setWitness(
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
function alongTriple(nx: f64, ny: f64, nz: f64, p: i32, q: i32): f64 {
  return (
    nx * (py(p) * pz(q) - pz(p) * py(q)) +
    ny * (pz(p) * px(q) - px(p) * pz(q)) +
    nz * (px(p) * py(q) - py(p) * px(q))
  );
}
