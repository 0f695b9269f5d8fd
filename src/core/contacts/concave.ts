// Pairs of a convex shape with a mesh or heightfield. In: such a pair, poses, velocities. Out: one child pair with its
// own lane per cluster of contact points. Children are matched to clusters by their normals, so that warm starting,
// recycling, colours and parking work for them as for any pair.

import { add, cross, dot, length, neg, rotateInverse, scale, sub, zero } from '../math/vector';
import { PAIR_SENSOR, PAIR_STALE, SHAPE_CAPSULE, SHAPE_CYLINDER, SHAPE_PLANE } from '../memory/constants';
import { get3 } from '../memory/laneVectors';
import { BlockMeta, ContactBlock, ManifoldResult, Pair } from '../memory/records';
import {
  blockAt,
  bodyAt,
  metaAt,
  motionOf,
  pairAt,
  shapeAt,
  velocityAt,
  wordAt,
  world,
} from '../memory/tables';
import { collideConcave, moveAhead } from '../narrowphase/concave';
import { flip } from '../narrowphase/manifold';
import { clusterMaterial, clusterNormal, OF_FRONT, writeCluster } from '../narrowphase/surfaceClusters';
import {
  addSide,
  LOOK_BYTES,
  Look,
  SIDE_FRONT,
  SIDE_PUSHES,
  surfaceContact,
} from '../narrowphase/surfacePoints';
import { coefficientCount } from '../shapes/coefficients';
import { convexSize } from '../shapes/shape';
import { setLaneWord } from '../solver/lanes';
import {
  CLUSTER,
  CLUSTER_RESTING,
  FAR_TURN,
  HOLDS_SLOPE,
  NEARER,
  SAME_MANIFOLD,
  SUNK,
  TOUCH,
} from '../tolerances';
import { foreseeChildren } from './foresee';
import { RESULT_ADDRESS, writeManifold } from './manifold';
import { noteSeam } from './noteSeams';
import { boxesOverlap, createChild, destroyChild, setPairMaterial } from './pairs';
import { bears, sweepFollows, turnOf } from './speculate';

/** Scratch of one call: pairs of the children, and the cluster that each child got. */
const CHILDREN: usize = memory.data(4 * 64, 4);
const TAKEN: usize = memory.data(4 * 8, 4);
const AHEAD: usize = memory.data(16, 16);
const LOOK: usize = memory.data(LOOK_BYTES, 16);

/** @inline */
function convexIsA(pair: Pair): bool {
  return shapeAt(pair.shapeA).type < SHAPE_PLANE;
}

/** Displacement of the body's material point at `place` in this step. @inline */
function wayThere(body: i32, place: v128, dt: f32): v128 {
  const turn = scale(velocityAt(body).angular, dt);
  return add(f32x4.replace_lane(motionOf(body), 3, 0), cross(turn, sub(place, bodyAt(body).position)));
}

/**
 * How far the shapes can rotate towards each other in this step, m; leaves the displacement of the convex one in AHEAD.
 */
function motionAhead(pair: Pair, dt: f32): f32 {
  const first = convexIsA(pair);
  const convex = shapeAt(first ? pair.shapeA : pair.shapeB);
  const place = convex.position;
  const other = first ? pair.bodyB : pair.bodyA;
  v128.store(AHEAD, sub(wayThere(convex.body, place, dt), wayThere(other, place, dt)));
  const turning = length(turnOf(convex.body, convex, dt)) + length(velocityAt(other).angular) * dt;
  return turning * convexSize(convex);
}

/** m. Largest distance at which the shapes can touch within this step. */
export function concaveDistance(pair: Pair, dt: f32): f32 {
  if (pair.flags & PAIR_SENSOR) return 0;
  if (sweepFollows(pair)) return TOUCH;
  return max(world().contactBreakingThreshold, motionAhead(pair, dt) + length(v128.load(AHEAD)));
}

/** Whether all triangles have the coefficients of the shape. @inline */
function isPlain(pair: Pair): bool {
  return coefficientCount(shapeAt(pair.shapeA)) + coefficientCount(shapeAt(pair.shapeB)) == 0;
}

/**
 * Finds the contacts; returns the number of clusters. With none, the result's separation0 is a bound of the distance.
 */
export function findClusters(pair: Pair, dt: f32): i32 {
  const g = world();
  const look = changetype<Look>(LOOK);
  const first = convexIsA(pair);
  const a = shapeAt(first ? pair.shapeA : pair.shapeB);
  const b = shapeAt(first ? pair.shapeB : pair.shapeA);
  // A sensor touches at distance 0. It looks farther only for the bound of the distance.
  look.ahead = zero();
  look.turn = zero();
  look.mostTilt = FAR_TURN;
  look.sunk = SUNK;
  look.margin = g.contactBreakingThreshold;
  look.turning = 0;
  look.still = 0;
  look.near = 0;
  look.together = CLUSTER;
  if (!(pair.flags & PAIR_SENSOR)) {
    if (sweepFollows(pair)) {
      look.margin = TOUCH;
      look.still = TOUCH;
      look.near = TOUCH;
      look.turn = sub(turnOf(a.body, a, dt), turnOf(b.body, b, dt));
    } else {
      const turning = motionAhead(pair, dt);
      look.ahead = v128.load(AHEAD);
      const motion = turning + length(look.ahead);
      look.turning = turning;
      look.still = g.contactBreakingThreshold;
      look.near = NEARER * g.recycleDistance;
      if (motion < g.recycleDistance && pair.friction > HOLDS_SLOPE && isPlain(pair))
        look.together = CLUSTER_RESTING;
    }
  }
  const result = changetype<ManifoldResult>(RESULT_ADDRESS);
  look.sides = 0;
  for (let i = pair.firstChild; i >= 0; i = pairAt(i).next) {
    const child = pairAt(i);
    const bits = (child.cache & OF_FRONT ? SIDE_FRONT : 0) | (bears(child) ? SIDE_PUSHES : 0);
    const normal = rotateInverse(a.rotation, normalOf(child));
    addSide(look, f32x4.replace_lane(first ? neg(normal) : normal, 3, <f32>bits));
  }
  const clusters = collideConcave(a, b, look, result);
  if (clusters == 0 || (a.type > SHAPE_CAPSULE && a.type != SHAPE_CYLINDER)) return clusters;
  return moveAhead(a, b, wayThere(a.body, a.position, dt), dt);
}

/** @inline */
function childAt(i: i32): i32 {
  return load<i32>(CHILDREN + ((<usize>i) << 2));
}

function normalOf(child: Pair): v128 {
  const at = changetype<usize>(blockAt(child.index >> 2)) + ((<usize>(child.index & 3)) << 2);
  return get3(at + offsetof<ContactBlock>('normalX'));
}

/** Gives each of the clusters just found a child; children that exist are reused first. */
export function updateChildren(index: i32, clusters: i32): void {
  let count = 0;
  for (let i = pairAt(index).firstChild; i >= 0; i = pairAt(i).next)
    store<i32>(CHILDREN + (usize(count++) << 2), i);
  const side: f32 = convexIsA(pairAt(index)) ? 1 : -1;
  const c = surfaceContact();
  foreseeChildren(c.met, c.moved);
  for (let k = 0; k < clusters; k++) {
    const n = scale(clusterNormal(k), side);
    let best = SAME_MANIFOLD;
    let match = -1;
    for (let i = 0; i < count; i++) {
      if (childAt(i) < 0) continue;
      const along = dot(n, normalOf(pairAt(childAt(i))));
      if (along <= best) continue;
      best = along;
      match = i;
    }
    store<i32>(TAKEN + ((<usize>k) << 2), match < 0 ? -1 : childAt(match));
    if (match >= 0) store<i32>(CHILDREN + ((<usize>match) << 2), -1);
  }
  let spare = 0;
  for (let k = 0; k < clusters; k++) {
    let child = load<i32>(TAKEN + ((<usize>k) << 2));
    if (child < 0) {
      while (spare < count && childAt(spare) < 0) spare++;
      if (spare < count) {
        // The lane belonged to another cluster: nothing of it may be carried over.
        child = childAt(spare++);
        const old = pairAt(child);
        old.cache = 0;
        setLaneWord(
          changetype<usize>(metaAt(old.index >> 2)) + offsetof<BlockMeta>('pointCount'),
          old.index & 3,
          0,
        );
      } else {
        child = createChild(index);
      }
    }
    const pair = pairAt(child);
    setPairMaterial(pair, clusterMaterial(k) + 1);
    const result = changetype<ManifoldResult>(RESULT_ADDRESS);
    writeCluster(k, pair.cache, result);
    if (side < 0) flip(result);
    pair.cache = result.cache;
    writeManifold(pair);
    noteSeam(pair);
  }
  for (; spare < count; spare++) if (childAt(spare) >= 0) destroyChild(index, childAt(spare));
}

/** Updates touching pairs whose manifolds are stale. Appends pairs that separated to a list; returns its length. */
export function collideConcaves(dt: f32, endedList: usize, ended: i32): i32 {
  const g = world();
  for (let i = 0; i < g.concaveCount; i++) {
    const index = wordAt(g.concaves, i);
    const pair = pairAt(index);
    if (!(pair.flags & PAIR_STALE)) continue;
    pair.flags &= ~PAIR_STALE;
    const clusters = boxesOverlap(pair.shapeA, pair.shapeB) ? findClusters(pair, dt) : 0;
    if (clusters > 0) updateChildren(index, clusters);
    else store<i32>(endedList + (usize(ended++) << 2), index);
  }
  return ended;
}
