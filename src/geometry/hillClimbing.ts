// The corner of a convex polyhedron that reaches farthest along a direction, by walking over neighbours (Ericson 4.2.4
// and 4.6.3). In: corners and faces, once; a direction and where the last walk ended, again and again. Where the
// direction turns a little, the walk is a step or none.

import { type Aabb, createAabb } from './aabb';
import { axesOf, dotAt, type Vector, type VectorOut } from './vector';
import type { Polyhedron } from './volumes';

/** Neighbours of each corner, and what a walk needs. Not to be used by two walks at once. */
export interface Climber {
  /** x, y, z of each corner. */
  vertices: Vector;
  /** Neighbours of corner i: `neighbours` from first[i] to below first[i + 1]. */
  first: Int32Array;
  /** Corner numbers, list after list; see `first`. */
  neighbours: Int32Array;
  /** Walk in which a corner was last seen on a level stretch. */
  seen: Int32Array;
  /** Corners of a level stretch that are still to be looked at. */
  queue: Int32Array;
  /** Number of the present walk. */
  walk: number;
}

/** A climber for a polyhedron, or any convex surface whose faces are loops of corners. */
export function createClimber({ vertices, faces }: Pick<Polyhedron, 'vertices' | 'faces'>): Climber {
  const count = vertices.length / 3;
  const sets = Array.from({ length: count }, () => new Set<number>());
  for (const face of faces)
    face.forEach((from, i) => {
      const to = face[(i + 1) % face.length];
      sets[from].add(to);
      sets[to].add(from);
    });
  const first = new Int32Array(count + 1);
  sets.forEach((set, i) => {
    first[i + 1] = first[i] + set.size;
  });
  const neighbours = Int32Array.from(sets.flatMap((set) => [...set].sort((i, j) => i - j)));
  return {
    vertices,
    first,
    neighbours,
    seen: new Int32Array(count),
    queue: new Int32Array(count),
    walk: 0,
  };
}

/**
 * The corner that reaches farthest along `direction`, from `start` on. Where no neighbour is higher but some are level,
 * as on a face perpendicular to the direction with corners in its middle, the whole level stretch is searched for a way up: a
 * walk that begins in the middle of the lowest face would end there.
 */
export function climb(climber: Climber, direction: Vector, start = 0): number {
  const { vertices, first, neighbours } = climber;
  let at = start;
  let height = dotAt(direction, vertices, at);
  for (;;) {
    let next = at;
    let level = false;
    for (let e = first[at]; e < first[at + 1]; e++) {
      const other = dotAt(direction, vertices, neighbours[e]);
      if (other > height) {
        height = other;
        next = neighbours[e];
      } else if (other === height) level = true;
    }
    if (next === at && level) next = acrossLevel(climber, direction, at, height);
    if (next === at) return at;
    at = next;
    height = dotAt(direction, vertices, at);
  }
}

/** The first corner above the level stretch about `at`, or `at`. */
function acrossLevel(climber: Climber, direction: Vector, at: number, height: number): number {
  const { vertices, first, neighbours, seen, queue } = climber;
  const walk = ++climber.walk;
  let end = 0;
  queue[end++] = at;
  seen[at] = walk;
  for (let i = 0; i < end; i++)
    for (let e = first[queue[i]]; e < first[queue[i] + 1]; e++) {
      const other = neighbours[e];
      if (seen[other] === walk) continue;
      const reach = dotAt(direction, vertices, other);
      if (reach > height) return other;
      if (reach < height) continue;
      seen[other] = walk;
      queue[end++] = other;
    }
  return at;
}

const direction = [0, 0, 0];

/**
 * How far the corners reach along each of a list of directions x, y, z. `starts` holds a corner for each: where the
 * walk begins, and then where it ended.
 */
export function climbAll(
  climber: Climber,
  directions: Vector,
  starts: Int32Array,
  out: VectorOut,
): VectorOut {
  for (let i = 0; 3 * i < directions.length; i++) {
    direction[0] = directions[3 * i];
    direction[1] = directions[3 * i + 1];
    direction[2] = directions[3 * i + 2];
    starts[i] = climb(climber, direction, starts[i]);
    out[i] = dotAt(direction, climber.vertices, starts[i]);
  }
  return out;
}

const sixWays = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
const reaches = [0, 0, 0, 0, 0, 0];
const axes = [0, 0, 0, 0, 0, 0, 0, 0, 0];

/**
 * The tight box of the corners rotated by the unit quaternion `rotation`, then moved (Ericson 4.2.4).
 *
 * @param starts  six numbers, 0 in the beginning; kept for the next call
 */
export function aabbByClimbing(
  climber: Climber,
  position: Vector,
  rotation: Vector,
  starts: Int32Array,
  out: Aabb = createAabb(),
): Aabb {
  axesOf(rotation, axes);
  // Axis k of the world, seen from the corners, is row k of the matrix.
  for (let k = 0; k < 3; k++)
    for (let j = 0; j < 3; j++) {
      sixWays[3 * k + j] = axes[3 * j + k];
      sixWays[9 + 3 * k + j] = -axes[3 * j + k];
    }
  climbAll(climber, sixWays, starts, reaches);
  for (let k = 0; k < 3; k++) {
    out.max[k] = position[k] + reaches[k];
    out.min[k] = position[k] - reaches[3 + k];
  }
  return out;
}
