// Queries with shapes: overlaps, distances, contacts and sweeps. In: a ShapeQuery with its shapes. Out: ShapeHits in
// world().queryOutput. Results depend only on poses and slots: candidates have a total order, and ties go to the lower
// slot.

import { addScaled, x, y, z, zero } from '../math/vector';
import {
  ASK_CONTACT,
  ASK_DISTANCE,
  ASK_OVERLAP,
  ASK_SWEEP,
  QUERY_ALL,
  SHAPE_PLANE,
} from '../memory/constants';
import { ManifoldResult, Shape, ShapeHit, ShapeQuery } from '../memory/records';
import { shapeAt, world } from '../memory/tables';
import { Box, Shapes } from '../memory/values';
import { collideConcave } from '../narrowphase/concave';
import { collideAtRest } from '../narrowphase/dispatch';
import {
  DISTANCE_BYTES,
  DISTANCE_POINT_A,
  DISTANCE_POINT_B,
  DISTANCE_TRIANGLE_A,
  DISTANCE_TRIANGLE_B,
  shapeDistance,
  shapeGap,
} from '../narrowphase/distance';
import { flip } from '../narrowphase/manifold';
import { writeCluster, writtenTriangle } from '../narrowphase/surfaceClusters';
import { LOOK_BYTES, Look } from '../narrowphase/surfacePoints';
import { shapeAabb } from '../shapes/aabb';
import { CLUSTER } from '../tolerances';
import { candidateEntry, candidateSlot, findCandidates } from './candidates';
import { reserveOutput, sortOutput } from './output';
import { sweepShape } from './sweep';

const AABB: usize = memory.data(32, 16);

const HIT_SIZE: usize = offsetof<ShapeHit>();
const HIT_WORDS: i32 = <i32>(offsetof<ShapeHit>() >> 2);
const HEADER: usize = offsetof<ShapeQuery>();

const WITNESS: usize = memory.data(DISTANCE_BYTES, 16);
const LOOK: usize = memory.data(LOOK_BYTES, 16);
const MANIFOLD: usize = memory.data(offsetof<ManifoldResult>(), 16);
/** State of the current query: number of hits and of contacts, value and slot of the best hit. */
const HITS: usize = memory.data(16, 4);
const CLUSTERS: usize = HITS + 4;
const BEST: usize = HITS + 8;
const BEST_SLOT: usize = HITS + 12;

/** The i-th entry of the list of shapes; those of B follow those of A. */
function pieceAt(query: ShapeQuery, i: i32): Shape {
  const entry = load<i32>(changetype<usize>(query) + HEADER + ((<usize>i) << 2));
  return entry > 0 ? shapeAt(entry) : changetype<Shape>(changetype<usize>(query) - <usize>entry);
}

/** Answers the query at `address`. Returns the number of hits. */
export function queryShapes(address: u32): i32 {
  const query = changetype<ShapeQuery>(<usize>address);
  store<i32>(HITS, 0);
  store<i32>(CLUSTERS, 0);
  store<f32>(BEST, query.kind == ASK_SWEEP ? 1 : query.maxDistance);
  store<i32>(BEST_SLOT, 0);
  reserveOutput(HIT_WORDS);
  if (query.piecesB > 0) {
    for (let k = 0; k < query.piecesB; k++) {
      if (meet(query, pieceAt(query, query.piecesA + k))) break;
    }
  } else if (query.piecesA > 0) {
    askWorld(query);
  }
  const hits = load<i32>(HITS);
  // Overlaps and contacts already have the order of the candidates, that is of the slots.
  if (query.mode != QUERY_ALL || query.kind == ASK_OVERLAP || query.kind == ASK_CONTACT) return hits;
  sortOutput(hits, HIT_SIZE);
  return query.maxHits > 0 ? min<i32>(hits, query.maxHits) : hits;
}

function askWorld(query: ShapeQuery): void {
  let lo = f32x4.splat(f32.POSITIVE_INFINITY);
  let hi = f32x4.splat(f32.NEGATIVE_INFINITY);
  for (let i = 0; i < query.piecesA; i++) {
    const piece = pieceAt(query, i);
    shapeAabb(piece, AABB);
    lo = f32x4.pmin(lo, v128.load(AABB));
    hi = f32x4.pmax(hi, v128.load(AABB, 16));
  }
  const sweep = query.kind == ASK_SWEEP;
  const reach = sweep || query.kind == ASK_OVERLAP ? <f32>0 : query.maxDistance;
  const count = findCandidates(query, new Box(lo, hi), sweep ? query.delta : zero(), reach);
  const ranked = query.mode != QUERY_ALL && (sweep || query.kind == ASK_DISTANCE);
  // Scratch holds the keys: nothing may use it from here on.
  const keys = <usize>world().scratch;
  for (let i = 0; i < count; i++) {
    if (ranked && candidateEntry(keys, i) > max<f32>(load<f32>(BEST), 0)) return;
    if (meet(query, shapeAt(candidateSlot(keys, i)))) return;
  }
}

/** Tests the shapes of A against one shape. True if the query is complete. */
function meet(query: ShapeQuery, s: Shape): bool {
  const all = query.mode == QUERY_ALL;
  for (let i = 0; i < query.piecesA; i++) {
    const piece = pieceAt(query, i);
    if (piece == s) continue;
    if (query.kind == ASK_CONTACT) {
      touch(query, piece, s, i);
      continue;
    }
    if (query.kind == ASK_OVERLAP) {
      if (shapeGap(piece, s) > 0) continue;
      memory.fill(WITNESS, 0, DISTANCE_BYTES);
      writeHit(s, i, 0, new Contact(zero(), zero()));
      const limit = all ? query.maxHits : 1;
      if (load<i32>(HITS) == limit) return true;
      break; // report each shape once
    }
    const best = load<f32>(BEST);
    const value =
      query.kind == ASK_SWEEP
        ? sweepShape(new Shapes(piece, s), query.delta, best, WITNESS)
        : shapeDistance(piece, s, max<f32>(best, 0), WITNESS); // other shapes may overlap more deeply
    if (!(value <= best)) continue;
    if (!all) {
      // Of equal hits the lower slot wins, in any order of the candidates.
      const slot = load<i32>(BEST_SLOT);
      if (load<i32>(HITS) > 0 && value == best && s.slot >= slot) continue;
      store<i32>(HITS, 0);
      store<f32>(BEST, value);
      store<i32>(BEST_SLOT, s.slot);
    }
    // The normal of a sweep is that of the shape that was hit.
    const n = query.kind == ASK_SWEEP ? f32x4.neg(v128.load(WITNESS)) : v128.load(WITNESS);
    writeHit(s, i, value, new Contact(n, v128.load(WITNESS, DISTANCE_POINT_B)));
  }
  return false;
}

/** @value */
class Contact {
  normal: v128;
  point: v128; // on B
}

function writeHit(s: Shape, piece: i32, value: f32, at: Contact): void {
  const count = load<i32>(HITS);
  reserveOutput((count + 1) * HIT_WORDS);
  const hit = changetype<ShapeHit>(<usize>world().queryOutput + <usize>count * HIT_SIZE);
  const pA = v128.load(WITNESS, DISTANCE_POINT_A);
  hit.shape = s.slot;
  hit.body = s.body;
  hit.value = value;
  hit.pointX = x(at.point);
  hit.pointY = y(at.point);
  hit.pointZ = z(at.point);
  hit.normalX = x(at.normal);
  hit.normalY = y(at.normal);
  hit.normalZ = z(at.normal);
  hit.triangle = load<i32>(WITNESS, DISTANCE_TRIANGLE_B);
  hit.piece = piece;
  hit.pointAX = x(pA);
  hit.pointAY = y(pA);
  hit.pointAZ = z(pA);
  hit.triangleA = load<i32>(WITNESS, DISTANCE_TRIANGLE_A);
  hit.cluster = load<i32>(CLUSTERS);
  store<i32>(HITS, count + 1);
}

/** Writes all points of the contact between shape `piece` of A and s. */
function touch(query: ShapeQuery, a: Shape, s: Shape, piece: i32): void {
  const m = changetype<ManifoldResult>(MANIFOLD);
  if (max(a.type, s.type) <= SHAPE_PLANE) {
    collideAtRest(new Shapes(a, s), query.maxDistance, m);
    return writePoints(s, piece, 0);
  }
  const turned = a.type > SHAPE_PLANE;
  const convex = turned ? s : a;
  if (convex.type >= SHAPE_PLANE) return;
  const look = changetype<Look>(LOOK);
  look.ahead = zero();
  look.turn = zero();
  look.mostTilt = 0; // nothing rotates
  look.sunk = 0;
  look.margin = query.maxDistance;
  look.turning = 0;
  look.still = query.maxDistance;
  look.near = query.maxDistance;
  look.together = CLUSTER;
  look.sides = 0;
  const clusters = collideConcave(convex, turned ? a : s, look, m);
  for (let k = 0; k < clusters; k++) {
    writeCluster(k, 0, m);
    if (turned) flip(m);
    writePoints(s, piece, turned ? DISTANCE_TRIANGLE_A : DISTANCE_TRIANGLE_B);
  }
}

/** Writes the points of MANIFOLD. `triangleAt`: field for the triangles on which they lie, 0 none. */
function writePoints(s: Shape, piece: i32, triangleAt: usize): void {
  const m = changetype<ManifoldResult>(MANIFOLD);
  store<i32>(WITNESS, -1, DISTANCE_TRIANGLE_A);
  store<i32>(WITNESS, -1, DISTANCE_TRIANGLE_B);
  const points = MANIFOLD + offsetof<ManifoldResult>('point0');
  const separations = MANIFOLD + offsetof<ManifoldResult>('separation0');
  for (let i = 0; i < m.count; i++) {
    const p = v128.load(points + ((<usize>i) << 4));
    const separation = load<f32>(separations + ((<usize>i) << 2));
    if (triangleAt != 0) store<i32>(WITNESS + triangleAt, writtenTriangle(i));
    v128.store(WITNESS, addScaled(p, m.normal, <f32>-0.5 * separation), DISTANCE_POINT_A);
    writeHit(s, piece, separation, new Contact(m.normal, p));
  }
  if (m.count > 0) store<i32>(CLUSTERS, load<i32>(CLUSTERS) + 1);
}
