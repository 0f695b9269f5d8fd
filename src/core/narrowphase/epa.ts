// Depth of two overlapping convex cores by the expanding polytope algorithm (van den Bergen 2003), in the frame of A.
// In: both shapes, the frame set by gjk.ts. Out: the direction from A to B along which the shortest translation
// separates them, the depth along it, and the witness points. The reported depth is the extent of A − B along the
// reported direction, so this translation always separates the two. Iterations are counted together with those of GJK.

import { COS_5_DEGREES, SIN_5_DEGREES, TAN_2_5_DEGREES } from '../math/constants';
import {
  add,
  addScaled,
  cross,
  dot,
  length,
  lengthSquared,
  neg,
  perpendicular,
  rotate,
  rotateInverse,
  scale,
  sub,
  vec3,
  w,
  x,
  y,
  z,
  zero,
} from '../math/vector';
import { SHAPE_CAPSULE, SHAPE_CONE } from '../memory/constants';
import { Vector64 } from '../memory/values';
import { EPA_EXACT, OUT_BY, SEPARATION_ACCURACY, STARTS_APART } from '../tolerances';
import { ball, ballCount, faceCount, faceNormal, isRound, osculatingBall } from './convex';
import { ConvexQuery, Cores, pairOf } from './convexPair';
import { coreDistance, differenceSupport, distanceFrom, seedSimplex, setWitness } from './gjk';
import {
  directionAt,
  epaDirection,
  faceAt,
  faceDistance,
  findWitness,
  growPolytope,
  isAlive,
  nearestFace,
  piercedCorner,
  polytopeFaces,
  reachAlong,
  setDirection,
  startPolytope,
} from './polytope';
import { axisNormal, isPolyhedron, separatingAxis, witnessOfAxis } from './sat';

/** Iterations reserved for the refinement, and among these for the witness points. */
const FOR_REFINEMENT: i32 = 22;
const FOR_POINTS: i32 = 10;
/** Number of directions around an axis, and functions of the angle between them (5°), the last of half of it. */
const AROUND: i32 = 72;
/**
 * Arcs of circles of directions, 72 for A and 72 for B. Each has: the other shape's support points at both ends; the
 * directions at its start and at the next trial, in the frame of its own shape; a lower bound of the depth on it; the
 * own shape's part of the depth; whether it belongs to B.
 */
const ARCS: usize = memory.data(96 * 144, 16);
const ARC_LEFT: usize = 0;
const ARC_RIGHT: usize = 16;
const ARC_FROM: usize = 32;
const ARC_TO: usize = 48;
const ARC_BOUND: usize = 64;
const ARC_OWN: usize = 72;
const ARC_OF_B: usize = 80;
const ARC_COUNT: usize = memory.data(4, 4);
/** Largest number of balls of A − B whose centres are tried; hulls of many corners exceed it. */
const MOST_BALLS: i32 = 1024;
/** Most start directions, and the cosine of the least angle between two of them: 20°. */
const MOST_STARTS: i32 = 6;
/** Unit direction and depth, f64 × 4; with one spare entry. */
const STARTS: usize = memory.data(32 * 7, 16);
/** −1: no start directions are recorded. */
const START_COUNT: usize = memory.data<i32>([-1], 4);
/** Balls with the largest extent along a direction: centre and radius. */
const MOST_FOREMOST: i32 = 6;
const FOREMOST: usize = memory.data(16 * 6, 16);
const TRIAL: usize = memory.data(64, 16);
const NEXT: usize = memory.data(64, 16);

/** The depth; negative, by rounding only, if the cores are separate after all. */
export function coreDepth(cores: Cores): f64 {
  const touching = cores.query.touches != 0;
  const pA = touching ? cores.query.witnessA : zero();
  const pB = touching ? cores.query.witnessB : zero();
  if (isPolyhedron(cores.a) && isPolyhedron(cores.b)) return polyhedronDepth(cores);
  if (!startPolytope(cores)) return flatDepth(cores, touching);
  setDirection(0, 1, 0);
  const depth = refine(cores, expand(cores, Infinity, false, FOR_REFINEMENT));
  findWitness(cores.query);
  if (touching && aside(pA, pB, depth) < aside(cores.query.witnessA, cores.query.witnessB, depth))
    setWitness(cores.query, pA, pB);
  findWay(cores, depth, false);
  return depth;
}

/** Polyhedra: exact, by separating axes. */
function polyhedronDepth(cores: Cores): f64 {
  const pair = pairOf(cores.query, cores.a, cores.b);
  separatingAxis(pair, false);
  const depth = tryAround(cores, 0, axisNormal(pair), Infinity);
  if (!witnessOfAxis(pair)) setWitness(cores.query, v128.load(NEXT, 32), v128.load(NEXT, 48));
  findWay(cores, depth, true);
  return depth;
}

/** Expands the nearest face (with `local`, the nearest near the direction found) until it is a face of A − B. */
function expand(cores: Cores, known: f64, local: bool, reserve: i32): f64 {
  let depth = known;
  while (cores.query.iterationsLeft > reserve) {
    const face = nearestFace(local);
    if (face == 0) break;
    cores.query.iterationsLeft--;
    const nx = load<f64>(face, 16);
    const ny = load<f64>(face, 24);
    const nz = load<f64>(face, 32);
    const reach = reachAlong(cores, new Vector64(nx, ny, nz));
    const done = reach - faceDistance(face) <= EPA_EXACT * cores.size;
    if (reach < depth || (done && reach <= depth + EPA_EXACT * cores.size)) {
      // A − B extends by `reach` beyond the origin along n: moving B by that along n separates the shapes.
      depth = reach;
      setDirection(nx, ny, nz);
    }
    if (done || !growPolytope(face, cores.size)) break;
  }
  return depth;
}

/** A − B has no volume: the normal of its plane, or of any plane through its line or point, separates the shapes. */
function flatDepth(cores: Cores, touching: bool): f64 {
  const nx = directionAt(0);
  const ny = directionAt(1);
  const nz = directionAt(2);
  const other = tryDirection(cores, new Vector64(-nx, -ny, -nz), Infinity);
  if (!touching) setWitness(cores.query, v128.load(NEXT, 32), v128.load(NEXT, 48));
  const depth = tryDirection(cores, new Vector64(nx, ny, nz), other);
  if (depth < other && !touching) setWitness(cores.query, v128.load(NEXT, 32), v128.load(NEXT, 48));
  return min<f64>(depth, other);
}

/**
 * Curved faces need ever smaller triangles, and a ring of nearly equal depths ever more of them. So if faces of the
 * polytope may still hide a smaller depth, several candidates are tried: the normals of these faces, the flat faces of
 * both shapes, the sides of cylinders and cones, the centres of balls, and the neighbourhood of the best. Then the
 * polytope is expanded there, and with the remaining iterations anywhere.
 */
function refine(cores: Cores, found: f64): f64 {
  const sure = found - <f64>SEPARATION_ACCURACY * cores.size;
  let depth = found;
  const lowest = nearestFace(false);
  if (lowest == 0 || faceDistance(lowest) >= sure) return depth;
  store<i32>(START_COUNT, 0);
  for (let i = 0; i < polytopeFaces(); i++) {
    const at = faceAt(i);
    if (isAlive(at) && faceDistance(at) < sure)
      depth = min<f64>(
        depth,
        tryDirection(cores, new Vector64(load<f64>(at, 16), load<f64>(at, 24), load<f64>(at, 32)), depth),
      );
  }
  depth = tryFaces(cores, 1, tryFaces(cores, 0, tryCentres(cores, depth)));
  store<i32>(ARC_COUNT, 0);
  depth = onArcs(cores, around(cores, 1, around(cores, 0, depth)));
  const starts = load<i32>(START_COUNT);
  store<i32>(START_COUNT, -1);
  const count = ballCount(cores.a) * ballCount(cores.b);
  if (count > 1) {
    for (let i = 0; i < starts; i++) {
      const nx = directionAt(0);
      const ny = directionAt(1);
      const nz = directionAt(2);
      const at = startAt(i);
      setDirection(load<f64>(at), load<f64>(at, 8), load<f64>(at, 16));
      const there = tryForemost(cores, load<f64>(at, 24), count);
      if (there >= depth) setDirection(nx, ny, nz);
      else depth = there;
    }
  }
  reachAlong(cores, new Vector64(directionAt(0), directionAt(1), directionAt(2)));
  growPolytope(0, cores.size);
  depth = expand(cores, depth, true, FOR_POINTS);
  return expand(cores, depth, false, FOR_POINTS);
}

/** If both are hulls of balls, so is A − B: try the direction to the centre of each ball once. */
function tryCentres(cores: Cores, known: f64): f64 {
  const count = ballCount(cores.a) * ballCount(cores.b);
  let depth = known;
  if (count > MOST_BALLS || isRound(cores.a) || isRound(cores.b)) return depth;
  for (let k = 0; k < count; k++) {
    const c = ballOfBoth(cores, k);
    if (lengthSquared(c) > 0) depth = min<f64>(depth, tryAround(cores, 0, neg(c), depth));
  }
  return depth;
}

/**
 * The depth of a hull of balls has its minima along the line to a centre, in the plane of two such lines where two
 * balls have equal extent, or where three have. So all pairs and triples of the balls with the largest extent along the
 * direction found are tried, and again from the best. A cylinder or cone is one ball here, computed anew for each
 * direction.
 */
function tryForemost(cores: Cores, known: f64, count: i32): f64 {
  let depth = known;
  while (cores.query.iterationsLeft > FOR_POINTS) {
    cores.query.iterationsLeft--;
    const n = epaDirection();
    const before = depth;
    osculatingBall(cores.a, n);
    osculatingBall(cores.b, inwards(cores.query, 1, n));
    const foremost = findForemost(cores, n, count);
    for (let i = 1; i < foremost; i++)
      for (let j = 0; j < i; j++) {
        const first = foremostBall(i);
        const u = sub(foremostBall(j), first);
        const l2 = lengthSquared(u);
        if (!(l2 > w(u) * w(u))) continue;
        // On the circle of directions along which both have equal extent.
        const middle = scale(u, -w(u) / l2);
        let out = addScaled(first, u, -dot(first, u) / l2);
        // The line through their centres contains the origin: any direction of the circle.
        if (!(lengthSquared(out) > <f32>1e-10 * l2)) out = perpendicular(scale(u, <f32>1 / sqrt<f32>(l2)));
        depth = min<f64>(depth, tryBeside(cores, middle, neg(out), depth));
        for (let k = 0; k < j; k++) {
          const v = sub(foremostBall(k), first);
          const m = cross(u, v);
          const m2 = lengthSquared(m);
          if (!(m2 > <f32>1e-12 * l2 * lengthSquared(v))) continue;
          const both = scale(add(scale(cross(v, m), w(u)), scale(cross(m, u), w(v))), <f32>-1 / m2);
          depth = min<f64>(depth, tryBeside(cores, both, dot(m, n) < 0 ? neg(m) : m, depth));
        }
      }
    if (depth >= before) break;
  }
  return depth;
}

/** Depth along the unit direction with the component `middle` and the rest along `out`, which is orthogonal to it. */
function tryBeside(cores: Cores, middle: v128, out: v128, known: f64): f64 {
  const rest = <f32>1 - lengthSquared(middle);
  const l2 = lengthSquared(out);
  return rest > 0 && l2 > 0
    ? tryAround(cores, 0, addScaled(middle, out, sqrt<f32>(rest / l2)), known)
    : Infinity;
}

/** @inline */
function foremostBall(i: i32): v128 {
  return v128.load(FOREMOST + ((<usize>i) << 4));
}

/** Finds the balls of A − B with the largest extent along n, the largest first; returns their number. */
function findForemost(cores: Cores, n: v128, count: i32): i32 {
  let found = 0;
  for (let k = 0; k < count; k++) {
    const c = ballOfBoth(cores, k);
    const reach = dot(c, n) + w(c);
    let at = found;
    while (at > 0) {
      const before = foremostBall(at - 1);
      if (dot(before, n) + w(before) >= reach) break;
      if (at < MOST_FOREMOST) v128.store(FOREMOST + ((<usize>at) << 4), before);
      at--;
    }
    if (at == MOST_FOREMOST) continue;
    v128.store(FOREMOST + ((<usize>at) << 4), c);
    if (found < MOST_FOREMOST) found++;
  }
  return found;
}

/** Centre, and radius in lane 3, of ball k of A − B. */
function ballOfBoth(cores: Cores, k: i32): v128 {
  const count = ballCount(cores.b);
  const cA = ball(cores.a, k / count);
  const cB = ball(cores.b, k % count);
  const centre = sub(cA, f32x4.add(rotate(cores.query.rotation, cB), cores.query.position));
  return f32x4.replace_lane(centre, 3, w(cA) + w(cB));
}

/** Tries the normals of flat faces. */
function tryFaces(cores: Cores, ofB: i32, known: f64): f64 {
  const s = ofB ? cores.b : cores.a;
  const count = faceCount(s);
  let depth = known;
  for (let i = 0; i < count; i++) {
    const n = faceNormal(s, i);
    depth = min<f64>(depth, tryAround(cores, ofB, n, depth));
  }
  return depth;
}

/**
 * The side of a cylinder, cone or capsule has a circle of normals, along which the depth has a crease; minima of the
 * depth often lie on it. Tries some directions of that circle and stores the arcs between them: on an arc, the other
 * shape adds at least as much as its support point at either end.
 */
function around(cores: Cores, ofB: i32, known: f64): f64 {
  const s = ofB ? cores.b : cores.a;
  if (!isRound(s) && !(s.type == SHAPE_CAPSULE && isRound(ofB ? cores.a : cores.b))) return known;
  const rise: f32 = s.type == SHAPE_CONE ? s.param0 / (<f32>2 * s.param1) : 0;
  const first = load<i32>(ARC_COUNT);
  store<i32>(ARC_COUNT, first + AROUND);
  let depth = known;
  let c: f32 = 1;
  let d: f32 = 0;
  let own: f64 = 0;
  for (let i = 0; i < AROUND; i++) {
    const way = vec3(c, rise, d);
    const there = tryAround(cores, ofB, way, depth);
    depth = min<f64>(depth, there);
    const p = otherPoint(ofB);
    if (i == 0) own = there - along(p, outwards(cores.query, ofB, way));
    const at = arcAt(first + i);
    v128.store(at, p, ARC_LEFT);
    v128.store(arcAt(first + ((i + AROUND - 1) % AROUND)), p, ARC_RIGHT);
    v128.store(at, way, ARC_FROM);
    store<i32>(at, ofB, ARC_OF_B);
    store<f64>(at, own, ARC_OWN);
    const turned = c * COS_5_DEGREES - d * SIN_5_DEGREES;
    d = d * COS_5_DEGREES + c * SIN_5_DEGREES;
    c = turned;
  }
  for (let i = 0; i < AROUND; i++) boundArc(cores.query, arcAt(first + i));
  return depth;
}

/**
 * Finds where the two support points of an arc have equal extent, and a lower bound of the depth there; Infinity if
 * that is not within the arc.
 */
function boundArc(query: ConvexQuery, at: usize): void {
  const way = v128.load(at, ARC_FROM);
  const ofB = load<i32>(at, ARC_OF_B);
  const l = v128.load(at, ARC_LEFT);
  const r = v128.load(at, ARC_RIGHT);
  const u = inwards(query, ofB, sub(r, l));
  const p = x(u) * x(way) + z(u) * z(way);
  const q = z(u) * x(way) - x(u) * z(way);
  const h = y(u) * y(way);
  // p cos + q sin + h = 0, solved for the tangent of half the angle; the smaller solution.
  const t = -(p + h) / (q + copysign<f32>(sqrt<f32>(p * p + q * q - h * h), q));
  store<f64>(at, Infinity, ARC_BOUND);
  if (!(t > 0 && t < TAN_2_5_DEGREES)) return;
  const s = <f32>1 / (<f32>1 + t * t);
  const c = s * (<f32>1 - t * t);
  const d = <f32>2 * s * t;
  const to = vec3(c * x(way) - d * z(way), y(way), c * z(way) + d * x(way));
  const n = outwards(query, ofB, to);
  v128.store(at, to, ARC_TO);
  store<f64>(at, load<f64>(at, ARC_OWN) + max<f64>(along(l, n), along(r, n)), ARC_BOUND);
}

/**
 * The least depth on the arcs of both circles. Always continues on the arc with the smallest bound, of either shape, so
 * that other minima do not use up the iterations.
 */
function onArcs(cores: Cores, known: f64): f64 {
  let depth = known;
  while (cores.query.iterationsLeft > FOR_POINTS) {
    let at: usize = 0;
    let least = depth - <f64>0.5 * SEPARATION_ACCURACY * cores.size;
    for (let i = 0; i < load<i32>(ARC_COUNT); i++) {
      const bound = load<f64>(arcAt(i), ARC_BOUND);
      if (bound >= least) continue;
      least = bound;
      at = arcAt(i);
    }
    if (at == 0) break;
    cores.query.iterationsLeft--;
    const ofB = load<i32>(at, ARC_OF_B);
    const to = v128.load(at, ARC_TO);
    depth = min<f64>(depth, tryAround(cores, ofB, to, depth));
    const p = otherPoint(ofB);
    // On which side of the minimum the trial is.
    const v = inwards(cores.query, ofB, p);
    const left = z(v) * x(to) < x(v) * z(to);
    v128.store(at + (left ? ARC_LEFT : ARC_RIGHT), p);
    boundArc(cores.query, at);
  }
  return depth;
}

/** @inline */
function arcAt(i: i32): usize {
  return ARCS + <usize>i * 96;
}

/** Part of the shape that is not `ofB` in the point of A − B tried last. @inline */
function otherPoint(ofB: i32): v128 {
  return ofB ? v128.load(NEXT, 32) : neg(v128.load(NEXT, 48));
}

/** Extent of a point along a direction. */
function along(p: v128, d: v128): f64 {
  return <f64>dot(p, d) / <f64>length(d);
}

/** A direction out of A or B in its own frame, as direction from A to B in A's frame. */
function outwards(query: ConvexQuery, ofB: i32, way: v128): v128 {
  return ofB ? neg(rotate(query.rotation, way)) : way;
}

/** The inverse of `outwards`. */
function inwards(query: ConvexQuery, ofB: i32, d: v128): v128 {
  return ofB ? neg(rotateInverse(query.rotation, d)) : d;
}

/** Depth along an outward direction in the frame of A or B. */
function tryAround(cores: Cores, ofB: i32, way: v128, known: f64): f64 {
  const d = outwards(cores.query, ofB, way);
  const x0 = <f64>x(d);
  const y0 = <f64>y(d);
  const z0 = <f64>z(d);
  const inverse = 1 / sqrt<f64>(x0 * x0 + y0 * y0 + z0 * z0);
  return tryDirection(cores, new Vector64(x0 * inverse, y0 * inverse, z0 * inverse), known);
}

/** Depth along a direction; the direction is stored if the depth is less than `known`. */
function tryDirection(cores: Cores, n: Vector64, known: f64): f64 {
  differenceSupport(cores, vec3(<f32>n.x, <f32>n.y, <f32>n.z), NEXT);
  const depth = n.x * load<f64>(NEXT) + n.y * load<f64>(NEXT, 8) + n.z * load<f64>(NEXT, 16);
  if (depth < known) setDirection(n.x, n.y, n.z);
  if (load<i32>(START_COUNT) >= 0) keepStart(n.x, n.y, n.z, depth);
  return depth;
}

/** @inline */
function startAt(i: i32): usize {
  return STARTS + ((<usize>i) << 5);
}

/** Keeps the directions with the least depths, in order, none within 20° of a better one. */
function keepStart(nx: f64, ny: f64, nz: f64, depth: f64): void {
  const count = load<i32>(START_COUNT);
  let to = 0;
  while (to < count && load<f64>(startAt(to), 24) <= depth) {
    if (isNear(startAt(to), nx, ny, nz)) return;
    to++;
  }
  if (to == MOST_STARTS) return;
  // Remove worse entries near it; the others move up.
  let last = to;
  for (let i = to; i < count; i++) {
    if (isNear(startAt(i), nx, ny, nz)) continue;
    if (i != last) memory.copy(startAt(last), startAt(i), 32);
    last++;
  }
  if (last == MOST_STARTS) last--;
  memory.copy(startAt(to + 1), startAt(to), (<usize>(last - to)) << 5);
  store<f64>(startAt(to), nx);
  store<f64>(startAt(to), ny, 8);
  store<f64>(startAt(to), nz, 16);
  store<f64>(startAt(to), depth, 24);
  store<i32>(START_COUNT, last + 1);
}

function isNear(at: usize, nx: f64, ny: f64, nz: f64): bool {
  return load<f64>(at) * nx + load<f64>(at, 8) * ny + load<f64>(at, 16) * nz > STARTS_APART;
}

/** Finds points of both shapes on a line along the direction found, as far apart as the depth. */
function findWay(cores: Cores, depth: f64, exact: bool): void {
  const good = <f64>1e-10 * cores.size * cores.size;
  const ofFace = aside(cores.query.witnessA, cores.query.witnessB, depth);
  if (ofFace <= good) return;
  const n = epaDirection();
  differenceSupport(cores, n, TRIAL);
  const ofPoint = aside(v128.load(TRIAL, 32), v128.load(TRIAL, 48), depth);
  if (ofPoint < ofFace) setWitness(cores.query, v128.load(TRIAL, 32), v128.load(TRIAL, 48));
  if (ofPoint <= good) return;
  // Neither is on such a line: B is moved out a little farther than the depth, and GJK finds the closest points.
  const pA = cores.query.witnessA;
  const pB = cores.query.witnessB;
  const way = scale(n, <f32>(depth + OUT_BY * cores.size));
  const t = cores.query.position;
  cores.query.position = f32x4.add(t, way);
  let apart: f64;
  if (exact) apart = coreDistance(cores, n, Infinity);
  else {
    for (let i = 0; i < 3; i++) seedSimplex(i, piercedCorner(i), way);
    apart = distanceFrom(cores);
  }
  cores.query.position = t;
  const moved = sub(cores.query.witnessB, way);
  if (!(apart > 0) || aside(cores.query.witnessA, moved, depth) > min<f64>(ofPoint, ofFace))
    setWitness(cores.query, pA, pB);
  else setWitness(cores.query, cores.query.witnessA, moved);
}

/** Squared distance of the vector between two points from `depth` times the direction. */
function aside(pA: v128, pB: v128, depth: f64): f64 {
  const dx = <f64>x(pA) - <f64>x(pB) - directionAt(0) * depth;
  const dy = <f64>y(pA) - <f64>y(pB) - directionAt(1) * depth;
  const dz = <f64>z(pA) - <f64>z(pB) - directionAt(2) * depth;
  return dx * dx + dy * dy + dz * dz;
}
