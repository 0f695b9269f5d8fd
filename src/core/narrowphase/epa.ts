// Depth of two overlapping convex cores by an expanding polytope (van den Bergen 2003), in the frame of A.
// In: both shapes, the frame set by gjk.ts. Out: the direction from A to B along which they part soonest, the depth
// along it, and the points that part last. The depth reported is the extent of A − B along the direction reported, so
// moving out by it always parts the two. Iterations are counted together with those of GJK.
import { Shape } from '../memory/records';
import { SHAPE_CONE, SHAPE_CYLINDER } from '../memory/constants';
import {
  addScaled,
  dot,
  length,
  lengthSquared,
  neg,
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
import { ball, ballCount, faceCount, faceNormal } from './convex';
import {
  coreDistance,
  distanceFrom,
  differenceSupport,
  frame,
  iterate,
  iterationsLeft,
  moveFrame,
  seedSimplex,
  setWitness,
  touches,
  witnessA,
  witnessB,
} from './gjk';
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

/** Iterations left for the second look, and of these for the points that part last. */
const FOR_REFINEMENT: i32 = 22;
const FOR_POINTS: i32 = 8;
/** Of the size: a face is pushed no farther than this, and depths are this exact. */
const EXACT: f64 = 1e-6;
/** Of the size: where a face may hide a depth that is less by more than this, there is a second look. */
const UNCERTAIN: f64 = 2e-5;
/** Of the size: how much farther than the depth B is moved to look back; where the depth is exact, too. */
const OUT_BY: f64 = 5e-3;
const OUT_BY_EXACT: f64 = 2e-4;
/** Directions about an axis, and the angle between them: 5°. */
const AROUND: i32 = 72;
const COS_AROUND: f32 = 0.9961947;
const SIN_AROUND: f32 = 0.087155743;
const CIRCLE: usize = memory.data(8 * 72, 8);
/** Balls of A − B that are tried. */
const MOST_BALLS: i32 = 512;
const TRIAL: usize = memory.data(64, 16);
const NEXT: usize = memory.data(64, 16);

/** The depth; negative where the cores are apart after all, by no more than rounding. */
export function coreDepth(a: Shape, b: Shape, size: f64): f64 {
  const touching = touches();
  const pA = witnessA();
  const pB = witnessB();
  if (isPolyhedron(a) && isPolyhedron(b)) return polyhedronDepth(a, b, size);
  if (!startPolytope(a, b, size)) return flatDepth(a, b, touching);
  setDirection(0, 1, 0);
  const depth = refine(a, b, expand(a, b, Infinity, size, false, FOR_REFINEMENT), size);
  findWitness();
  if (touching && aside(pA, pB, depth) < aside(witnessA(), witnessB(), depth)) setWitness(pA, pB);
  findWay(a, b, depth, size, false);
  return depth;
}

/** By separating axes: exact. */
function polyhedronDepth(a: Shape, b: Shape, size: f64): f64 {
  const q = v128.load(frame());
  const t = v128.load(frame(), 16);
  separatingAxis(a, b, q, t, false);
  const depth = tryAround(a, b, 0, axisNormal(q), Infinity);
  if (!witnessOfAxis(a, b, q, t)) setWitness(v128.load(NEXT, 32), v128.load(NEXT, 48));
  findWay(a, b, depth, size, true);
  return depth;
}

/** Pushes the nearest face, or the nearest of those along about the direction found, until it is a face of A − B. */
function expand(a: Shape, b: Shape, known: f64, size: f64, local: bool, reserve: i32): f64 {
  let depth = known;
  while (iterationsLeft() > reserve) {
    const face = nearestFace(local);
    if (face == 0) break;
    iterate();
    const nx = load<f64>(face, 16);
    const ny = load<f64>(face, 24);
    const nz = load<f64>(face, 32);
    const reach = reachAlong(a, b, nx, ny, nz);
    const done = reach - faceDistance(face) <= EXACT * size;
    if (reach < depth || (done && reach <= depth + EXACT * size)) {
      // A − B reaches `reach` beyond the origin along n: B moved by that along n touches no more.
      depth = reach;
      setDirection(nx, ny, nz);
    }
    if (done || !growPolytope(face, size)) break;
  }
  return depth;
}

/** A − B has no volume: its plane, or any plane through its line or point, parts the two at once. */
function flatDepth(a: Shape, b: Shape, touching: bool): f64 {
  const nx = directionAt(0);
  const ny = directionAt(1);
  const nz = directionAt(2);
  const other = tryDirection(a, b, -nx, -ny, -nz, Infinity);
  if (!touching) setWitness(v128.load(NEXT, 32), v128.load(NEXT, 48));
  const depth = tryDirection(a, b, nx, ny, nz, other);
  if (depth < other && !touching) setWitness(v128.load(NEXT, 32), v128.load(NEXT, 48));
  return min<f64>(depth, other);
}

/**
 * Curved faces are met by ever smaller triangles, and a ring of nearly equal depths by ever more of them. So where faces of
 * the polytope may still hide a lesser depth, the normals of all of these are tried, the flat faces of both, and the
 * sides of cylinders and cones; then the polytope grows about the best of these, and with what is left anywhere.
 */
function refine(a: Shape, b: Shape, found: f64, size: f64): f64 {
  const sure = found - UNCERTAIN * size;
  let depth = found;
  let unsure = false;
  for (let i = 0; i < polytopeFaces(); i++) {
    const at = faceAt(i);
    if (!isAlive(at) || faceDistance(at) >= sure) continue;
    unsure = true;
    depth = min<f64>(
      depth,
      tryDirection(a, b, load<f64>(at, 16), load<f64>(at, 24), load<f64>(at, 32), depth),
    );
  }
  if (!unsure) return depth;
  depth = around(a, b, 1, around(a, b, 0, tryFaces(a, b, 1, tryFaces(a, b, 0, tryBalls(a, b, depth)))));
  reachAlong(a, b, directionAt(0), directionAt(1), directionAt(2));
  growPolytope(0, size);
  depth = expand(a, b, depth, size, true, FOR_POINTS);
  return expand(a, b, depth, size, false, FOR_POINTS);
}

/**
 * Where both are hulls of balls, so is A − B: the lines to the centres of its balls, then of the directions that touch the
 * foremost ball and another one the lowest.
 */
function tryBalls(a: Shape, b: Shape, known: f64): f64 {
  const count = ballCount(a) * ballCount(b);
  let depth = known;
  if (count > MOST_BALLS) return depth;
  for (let k = 0; k < count; k++) {
    const c = ballOfBoth(a, b, k);
    if (lengthSquared(c) > 0) depth = min<f64>(depth, tryAround(a, b, 0, neg(c), depth));
  }
  for (let again = 0; again < 2; again++) {
    const n = epaDirection();
    let first = zero();
    let most: f32 = -1e30;
    for (let k = 0; k < count; k++) {
      const c = ballOfBoth(a, b, k);
      const reach = dot(c, n) + w(c);
      if (reach <= most) continue;
      most = reach;
      first = c;
    }
    for (let k = 0; k < count; k++) {
      const u = sub(first, ballOfBoth(a, b, k));
      const l = length(u);
      const rise = -w(u) / l;
      if (!(abs(rise) < 1)) continue;
      const way = scale(f32x4.replace_lane(u, 3, 0), <f32>1 / l);
      const across = addScaled(f32x4.replace_lane(first, 3, 0), way, -dot(first, way));
      const l2 = lengthSquared(across);
      if (l2 > 0)
        depth = min<f64>(
          depth,
          tryAround(
            a,
            b,
            0,
            addScaled(scale(way, rise), across, -sqrt<f32>((<f32>1 - rise * rise) / l2)),
            depth,
          ),
        );
    }
  }
  return depth;
}

/** Centre, and radius in lane 3, of a ball of A − B. */
function ballOfBoth(a: Shape, b: Shape, k: i32): v128 {
  const count = ballCount(b);
  const cA = ball(a, k / count);
  const cB = ball(b, k % count);
  const centre = sub(cA, f32x4.add(rotate(v128.load(frame()), cB), v128.load(frame(), 16)));
  return f32x4.replace_lane(centre, 3, w(cA) + w(cB));
}

/** The normals of flat faces. */
function tryFaces(a: Shape, b: Shape, ofB: i32, known: f64): f64 {
  const s = ofB ? b : a;
  const count = faceCount(s);
  let depth = known;
  for (let i = 0; i < count; i++) {
    const n = faceNormal(s, i);
    depth = min<f64>(depth, tryAround(a, b, ofB, n, depth));
  }
  return depth;
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
    const there = tryAround(a, b, ofB, vec3(c, rise, d), depth);
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
          const there = tryAround(a, b, ofB, vec3(x1, rise, z1), depth);
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
function tryAround(a: Shape, b: Shape, ofB: i32, way: v128, known: f64): f64 {
  const d = ofB ? neg(rotate(v128.load(frame()), way)) : way;
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
  if (depth < known) setDirection(nx, ny, nz);
  return depth;
}

/** Points of both on a line along the direction found, as far apart as the depth. */
function findWay(a: Shape, b: Shape, depth: f64, size: f64, exact: bool): void {
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
  const way = scale(n, <f32>(depth + (exact ? OUT_BY_EXACT : OUT_BY) * size));
  const t = v128.load(frame(), 16);
  moveFrame(f32x4.add(t, way));
  let apart: f64;
  if (exact) apart = coreDistance(a, b, n, size, Infinity);
  else {
    for (let i = 0; i < 3; i++) seedSimplex(i, piercedCorner(i), way);
    apart = distanceFrom(a, b, size);
  }
  moveFrame(t);
  const moved = sub(witnessB(), way);
  if (!(apart > 0) || aside(witnessA(), moved, depth) > min<f64>(ofPoint, ofFace)) setWitness(pA, pB);
  else setWitness(witnessA(), moved);
}

/** How far, squared, the way between two points is from `depth` along the result. */
function aside(pA: v128, pB: v128, depth: f64): f64 {
  const dx = <f64>x(pA) - <f64>x(pB) - directionAt(0) * depth;
  const dy = <f64>y(pA) - <f64>y(pB) - directionAt(1) * depth;
  const dz = <f64>z(pA) - <f64>z(pB) - directionAt(2) * depth;
  return dx * dx + dy * dy + dz * dz;
}
