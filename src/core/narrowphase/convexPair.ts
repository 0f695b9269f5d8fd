// Two convex shapes in the frame of the first one, and what limits their contact.

import { ManifoldResult, Shape } from '../memory/records';
import { ConvexQuery } from './gjk';

/** @unmanaged */
export class ConvexPair {
  rotation: v128; // of B, in A's frame
  position: v128;
  a: Shape;
  b: Shape;
  out: ManifoldResult;
  query: ConvexQuery;
  size: f32; // m, of the larger one: the unit of the tolerances
  radii: f32; // m, of both cores together
  maxSeparation: f32; // m, of a contact point
  kept: i32; // 5 bits for each point of the last call
  lowest: f32; // m, the least separation of the points of the manifold
}
const PAIR: usize = memory.data(offsetof<ConvexPair>(), 16);

/** The two shapes; there is one such pair at a time. */
export function convexPair(a: Shape, b: Shape, rotation: v128, position: v128): ConvexPair {
  const pair = changetype<ConvexPair>(PAIR);
  pair.rotation = rotation;
  pair.position = position;
  pair.a = a;
  pair.b = b;
  return pair;
}
