// A question about two convex shapes, in the frame of A. In: the shapes, the pose of B. Out: one record, which is passed
// along and has what GJK, EPA and the separating axes have found.
import { ManifoldResult, Shape } from '../memory/records';

/**
 * Most iterations of one query, GJK and EPA together. Each step of a loop that repeats until it is accurate enough
 * counts as one. Loops with a fixed length do not count: over faces of shapes and of the polytope, the circle of a
 * cylinder, the balls of two hulls of balls.
 */
export const MOST_ITERATIONS: i32 = 64;

/** A question about two cores, in the frame of A, and what is found. @unmanaged */
export class ConvexQuery {
  rotation: v128; // of B
  position: v128;
  witnessA: v128; // the closest points
  witnessB: v128;
  nearestX: f64; // A − B between them
  nearestY: f64;
  nearestZ: f64;
  still: f64; // m, distance of the cores up to which it is computed even if they do not come nearer, but ...
  near: f64; // m; ... at most so much more than they come nearer
  wayX: f64; // on which B moves: a search for the distance may stop where they cannot meet (gjk.ts)
  wayY: f64;
  wayZ: f64;
  iterationsLeft: i32;
  /** Points of the simplex between which the closest points lie. */
  corners: i32;
  /** The cores touch, with valid closest points. At distance 0 there are none otherwise. */
  touches: i32;
  /** The search stopped early: only a lower bound of the distance is known. */
  separate: i32;
}

/** The two cores of a query, and the size to which accuracies refer. @value */
export class Cores {
  query: ConvexQuery;
  a: Shape;
  b: Shape;
  size: f64;
}

/** The two shapes of a contact. @unmanaged */
export class ConvexPair extends ConvexQuery {
  a: Shape;
  b: Shape;
  out: ManifoldResult;
  size: f32; // m, of the larger one: the unit of the tolerances
  radii: f32; // m, of both cores together
  maxSeparation: f32; // m, of a contact point
  turning: f32; // m, how far rotation moves their points in this step
  kept: i32; // 5 bits for each point of the last call
  lowest: f32; // m, the least separation of the points of the manifold
}
/** The one query of this instance. */
export const QUERY: usize = memory.data(offsetof<ConvexPair>(), 16);

/** Starts a query, with the pose of B in A's frame. It is valid until the next one is started. @inline */
export function startQuery(rotation: v128, position: v128): ConvexQuery {
  begin(rotation, position);
  return changetype<ConvexQuery>(QUERY);
}

function begin(rotation: v128, position: v128): void {
  const query = changetype<ConvexQuery>(QUERY);
  query.iterationsLeft = MOST_ITERATIONS;
  query.rotation = rotation;
  query.position = position;
  query.still = 0;
  query.near = 0;
  query.wayX = 0;
  query.wayY = 0;
  query.wayZ = 0;
}

/** The query as one of two shapes. @inline */
export function pairOf(query: ConvexQuery, a: Shape, b: Shape): ConvexPair {
  const pair = changetype<ConvexPair>(query);
  pair.a = a;
  pair.b = b;
  return pair;
}
