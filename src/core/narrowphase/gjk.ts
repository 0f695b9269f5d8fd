// Distance of two convex cores by Gilbert, Johnson and Keerthi (1988), in the frame of A. In: both shapes, the pose of
// B in that frame. Out: the distance and the closest points, or that they overlap. Support points are f32; their
// differences and all further values are f64, so the signs on which the simplex decides are reliable even if one shape
// is a thousand times larger than the other.

import { neg, rotate, rotateInverse, vec3, x, y, z } from '../math/vector';
import { GJK_EXACT, GJK_OVERLAP } from '../tolerances';
import { support } from './convex';
import { ConvexQuery, Cores } from './convexPair';

/** Layout of a point of the difference A − B: its coordinates, and the points of A and B in A's frame. */
export const POINT_BYTES: usize = 64;
const ON_A: usize = 32;
const ON_B: usize = 48;

const SIMPLEX: usize = memory.data(64 * 4, 16);
const WEIGHTS: usize = memory.data(8 * 4, 8);
const BEST: usize = memory.data(64, 8); // best point of the triangles of a tetrahedron: point, weights, corners

/** Writes the farthest point of A − B along `d` to `at`. */
export function differenceSupport(cores: Cores, d: v128, at: usize): void {
  const q = cores.query.rotation;
  const pA = support(cores.a, d);
  const pB = f32x4.add(rotate(q, support(cores.b, rotateInverse(q, neg(d)))), cores.query.position);
  putPoint(at, pA, pB);
}

function putPoint(at: usize, pA: v128, pB: v128): void {
  v128.store(at, pA, 32);
  v128.store(at, pB, 48);
  store<f64>(at, <f64>x(pA) - <f64>x(pB));
  store<f64>(at, <f64>y(pA) - <f64>y(pB), 8);
  store<f64>(at, <f64>z(pA) - <f64>z(pB), 16);
}

/** memory.copy is a call out of the module. @inline */
function copyPoint(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
  store<f64>(to, load<f64>(from, 16), 16);
  v128.store(to, v128.load(from, ON_A), ON_A);
  v128.store(to, v128.load(from, ON_B), ON_B);
}

/** @inline */
function point(i: i32): usize {
  return SIMPLEX + ((<usize>i) << 6);
}
/** Puts the point at `at`, for B moved by `way`, into the simplex. */
export function seedSimplex(i: i32, at: usize, way: v128): void {
  putPoint(point(i), v128.load(at, ON_A), f32x4.add(v128.load(at, ON_B), way));
}
/** @inline */
function weight(i: i32): f64 {
  return load<f64>(WEIGHTS + ((<usize>i) << 3));
}
/** @inline */
function setWeight(i: i32, value: f64): void {
  store<f64>(WEIGHTS + ((<usize>i) << 3), value);
}
export function setWitness(query: ConvexQuery, pA: v128, pB: v128): void {
  query.witnessA = pA;
  query.witnessB = pB;
}
/** The closest point is the first one of the simplex. */
function takeFirst(query: ConvexQuery): void {
  query.nearestX = load<f64>(point(0));
  query.nearestY = load<f64>(point(0), 8);
  query.nearestZ = load<f64>(point(0), 16);
  setWeight(0, 1);
}

/**
 * Distance of the cores; 0 if they overlap or nearly touch. Stops early with a lower bound, and notes this in the query, when
 * that exceeds `enough` and the way on which the cores approach along its direction, and the limits of the query. `guess` is
 * the first direction, not 0.
 */
export function coreDistance(cores: Cores, guess: v128, enough: f64): f64 {
  const query = cores.query;
  differenceSupport(cores, guess, point(0));
  takeFirst(query);
  // Also above `enough` after rounding to f32.
  const limit = enough + <f64>2.4e-7 * enough + GJK_EXACT * cores.size;
  query.touches = 0;
  query.separate = 0;
  // Most separate pairs are separate along the first direction.
  const gx = <f64>x(guess);
  const gy = <f64>y(guess);
  const gz = <f64>z(guess);
  const inverse = 1 / sqrt<f64>(gx * gx + gy * gy + gz * gz);
  const first = -(gx * query.nearestX + gy * query.nearestY + gz * query.nearestZ) * inverse;
  if (isBeyond(query, first, limit, -approach(query, gx, gy, gz) * inverse)) return first;
  return closeIn(cores, 1, limit);
}

/** How far B moves along a vector. @inline */
function approach(query: ConvexQuery, x: f64, y: f64, z: f64): f64 {
  return x * query.wayX + y * query.wayY + z * query.wayZ;
}

/** Whether a separation is too large, for cores that come nearer by `limit` and `closing`. @inline */
function isBeyond(query: ConvexQuery, separation: f64, limit: f64, closing: f64): bool {
  const most = limit + max<f64>(0, closing);
  if (!(separation > max<f64>(most, min<f64>(query.still, most + query.near)))) return false;
  query.separate = 1;
  return true;
}

/** The same from three points of A − B, given by seedSimplex, between which the closest point lies approximately. */
export function distanceFrom(cores: Cores): f64 {
  return closeIn(cores, reduce(cores.query, 3), Infinity);
}

function closeIn(cores: Cores, known: i32, limit: f64): f64 {
  const query = cores.query;
  const size = cores.size;
  let count = known;
  let vx = query.nearestX;
  let vy = query.nearestY;
  let vz = query.nearestZ;
  let d2 = vx * vx + vy * vy + vz * vz;
  while (query.iterationsLeft > 0) {
    query.iterationsLeft--;
    const d = sqrt<f64>(d2);
    if (d < GJK_OVERLAP * size) {
      weighWitness(query, count);
      query.touches = 1;
      return 0;
    }
    const inverse = 1 / d;
    const at = point(count);
    differenceSupport(cores, vec3(<f32>(-vx * inverse), <f32>(-vy * inverse), <f32>(-vz * inverse)), at);
    const px = load<f64>(at);
    const py = load<f64>(at, 8);
    const pz = load<f64>(at, 16);
    const bound = (px * vx + py * vy + pz * vz) * inverse;
    if (isBeyond(query, bound, limit, approach(query, vx, vy, vz) * inverse)) return bound;
    if (d - bound <= GJK_EXACT * size) break;
    let again = false;
    for (let k = 0; k < count; k++)
      if (load<f64>(point(k)) == px && load<f64>(point(k), 8) == py && load<f64>(point(k), 16) == pz)
        again = true;
    if (again) break;
    count = reduce(query, count + 1);
    if (count == 4) return 0;
    vx = query.nearestX;
    vy = query.nearestY;
    vz = query.nearestZ;
    const next = vx * vx + vy * vy + vz * vz;
    const stuck = next >= d2;
    d2 = next;
    if (stuck) break;
  }
  weighWitness(query, count);
  return sqrt<f64>(d2);
}

/** Computes the closest points from the weights of the simplex. */
function weighWitness(query: ConvexQuery, count: i32): void {
  query.corners = count;
  let pA = f32x4.splat(0);
  let pB = f32x4.splat(0);
  for (let k = 0; k < count; k++) {
    const s = f32x4.splat(<f32>weight(k));
    pA = f32x4.add(pA, f32x4.mul(v128.load(point(k), ON_A), s));
    pB = f32x4.add(pB, f32x4.mul(v128.load(point(k), ON_B), s));
  }
  setWitness(query, pA, pB);
}

/** A point of the simplex that spans the closest point, on A or, `ofB` = 1, on B in A's frame. */
export function cornerOf(i: i32, ofB: i32): v128 {
  return v128.load(point(i) + ((<usize>ofB) << 4), ON_A);
}

/** Reduces the simplex to the points that span the closest point. Returns their number; 4: the origin is inside. */
function reduce(query: ConvexQuery, count: i32): i32 {
  store<f64>(BEST, Infinity);
  let inside = false;
  if (count == 2) {
    tryTriangle(0, 1, 1);
  } else if (count == 3) {
    tryTriangle(0, 1, 2);
  } else {
    inside = true;
    inside = tryFace(0, 1, 2, 3) && inside;
    inside = tryFace(0, 2, 3, 1) && inside;
    inside = tryFace(0, 3, 1, 2) && inside;
    inside = tryFace(1, 3, 2, 0) && inside;
  }
  if (inside) return 4;
  // Move the corners with positive weight to the front, in order.
  let kept = 0;
  query.nearestX = load<f64>(BEST, 8);
  query.nearestY = load<f64>(BEST, 16);
  query.nearestZ = load<f64>(BEST, 24);
  const wA = load<f64>(BEST, 32);
  const wB = load<f64>(BEST, 40);
  const wC = load<f64>(BEST, 48);
  const corners = load<i32>(BEST, 56);
  const iA = corners & 3;
  const iB = (corners >> 2) & 3;
  const iC = (corners >> 4) & 3;
  for (let i = 0; i < count; i++) {
    const share = (i == iA ? wA : 0) + (i == iB ? wB : 0) + (i == iC && iC != iB ? wC : 0);
    if (share <= 0) continue;
    if (kept != i) copyPoint(point(kept), point(i));
    setWeight(kept++, share);
  }
  if (kept > 0) return kept;
  takeFirst(query); // a degenerate simplex: any of its points
  return 1;
}

/**
 * Tries the triangle (i, j, k) if the origin lies beyond it or in its plane, seen from the opposite corner; otherwise
 * true.
 */
function tryFace(i: i32, j: i32, k: i32, opposite: i32): bool {
  const a = point(i);
  const b = point(j);
  const c = point(k);
  const o = point(opposite);
  const ax = load<f64>(a);
  const ay = load<f64>(a, 8);
  const az = load<f64>(a, 16);
  const ux = load<f64>(b) - ax;
  const uy = load<f64>(b, 8) - ay;
  const uz = load<f64>(b, 16) - az;
  const vx = load<f64>(c) - ax;
  const vy = load<f64>(c, 8) - ay;
  const vz = load<f64>(c, 16) - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const toOrigin = -(nx * ax + ny * ay + nz * az);
  const toOpposite = nx * (load<f64>(o) - ax) + ny * (load<f64>(o, 8) - ay) + nz * (load<f64>(o, 16) - az);
  if (toOrigin * toOpposite > 0) return true;
  tryTriangle(i, j, k);
  return false;
}

/** Finds the point of a triangle closest to the origin (Ericson, 5.1.5); kept in BEST if it is the closest so far. */
function tryTriangle(i: i32, j: i32, k: i32): void {
  const a = point(i);
  const b = point(j);
  const c = point(k);
  const ax = load<f64>(a);
  const ay = load<f64>(a, 8);
  const az = load<f64>(a, 16);
  const bx = load<f64>(b);
  const by = load<f64>(b, 8);
  const bz = load<f64>(b, 16);
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const uu = ux * ux + uy * uy + uz * uz;
  const d1 = -(ux * ax + uy * ay + uz * az);
  if (j == k) {
    const t = uu > 0 ? max<f64>(0, min<f64>(1, d1 / uu)) : 0;
    return keep(new Triangle(i, j, k), 1 - t, t, 0);
  }
  const cx = load<f64>(c);
  const cy = load<f64>(c, 8);
  const cz = load<f64>(c, 16);
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const d2 = -(vx * ax + vy * ay + vz * az);
  if (d1 <= 0 && d2 <= 0) return keep(new Triangle(i, j, k), 1, 0, 0);
  const d3 = -(ux * bx + uy * by + uz * bz);
  const d4 = -(vx * bx + vy * by + vz * bz);
  if (d3 >= 0 && d4 <= d3) return keep(new Triangle(i, j, k), 0, 1, 0);
  const d5 = -(ux * cx + uy * cy + uz * cz);
  const d6 = -(vx * cx + vy * cy + vz * cz);
  if (d6 >= 0 && d5 <= d6) return keep(new Triangle(i, j, k), 0, 0, 1);
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  // Areas by triple products, which avoid the cancellation in products of the d's.
  const wC = nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx);
  const wB = nx * (cy * az - cz * ay) + ny * (cz * ax - cx * az) + nz * (cx * ay - cy * ax);
  const wA = nx * (by * cz - bz * cy) + ny * (bz * cx - bx * cz) + nz * (bx * cy - by * cx);
  const sum = wA + wB + wC;
  if (wA > 0 && wB > 0 && wC > 0 && sum > 0) return keep(new Triangle(i, j, k), wA / sum, wB / sum, wC / sum);
  if (wC <= 0 && d1 >= 0 && d3 <= 0 && d1 - d3 > 0) {
    const t = d1 / (d1 - d3);
    keep(new Triangle(i, j, k), 1 - t, t, 0);
  }
  if (wB <= 0 && d2 >= 0 && d6 <= 0 && d2 - d6 > 0) {
    const t = d2 / (d2 - d6);
    keep(new Triangle(i, j, k), 1 - t, 0, t);
  }
  if (wA <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0 && d4 - d3 + (d5 - d6) > 0) {
    const t = (d4 - d3) / (d4 - d3 + (d5 - d6));
    keep(new Triangle(i, j, k), 0, 1 - t, t);
  }
}

/** Three points of the simplex, by their numbers. @value */
class Triangle {
  i: i32;
  j: i32;
  k: i32;
}

function keep(t: Triangle, wA: f64, wB: f64, wC: f64): void {
  const a = point(t.i);
  const b = point(t.j);
  const c = point(t.k);
  const px = wA * load<f64>(a) + wB * load<f64>(b) + wC * load<f64>(c);
  const py = wA * load<f64>(a, 8) + wB * load<f64>(b, 8) + wC * load<f64>(c, 8);
  const pz = wA * load<f64>(a, 16) + wB * load<f64>(b, 16) + wC * load<f64>(c, 16);
  const d2 = px * px + py * py + pz * pz;
  if (d2 >= load<f64>(BEST)) return;
  store<f64>(BEST, d2);
  store<f64>(BEST, px, 8);
  store<f64>(BEST, py, 16);
  store<f64>(BEST, pz, 24);
  store<f64>(BEST, wA, 32);
  store<f64>(BEST, wB, 40);
  store<f64>(BEST, wC, 48);
  store<i32>(BEST, t.i | (t.j << 2) | (t.k << 4), 56);
}
