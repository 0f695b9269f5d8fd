// Impacts of a substep in the order of time, before the solver's passes. In: the velocities that bodies would have at
// the end of the substep without obstacles, and the manifolds that come into contact in it. Out: velocities and
// positions after the impacts. The passes then see all of these contacts as separated or resting.
//
// If the passes stopped these contacts and restitution acted afterwards, it would inherit their remaining error: the
// wrong distribution over the corners of a face, and too little passed on to neighbours.

import { zero } from '../math/vector';
import { crossW, dotW, gatherW } from '../math/wide';
import { LIST_CONCAVE, LIST_SOLVED } from '../memory/constants';
import { Arrival, BlockMeta, ContactBlock, ImpactManifold, Pair, World } from '../memory/records';
import {
  ARRIVAL_SIZE,
  blockAt,
  bodyAt,
  growTable,
  metaAt,
  pairAt,
  pointAt,
  wordAt,
  world,
} from '../memory/tables';
import { velocitiesAt } from '../memory/wide';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { IMPACT_SPEED, INFINITE } from '../tolerances';
import { context } from './context';
import {
  arrivalTime,
  hasFixedSide,
  mayImpact,
  readImpactManifold,
  solveImpact,
  struckAt,
  struckOf,
} from './impactSolver';
import { pairOfLane } from './lanes';
import { lists } from './lists';

/** Most impacts of a manifold per substep. Further ones are left to the passes. */
const MOST_IMPACTS = 8;

/** @inline */
function arrivalAt(i: i32): Arrival {
  return changetype<Arrival>(<usize>world().arrivals + <usize>i * ARRIVAL_SIZE);
}

export function meetImpacts(): void {
  const g = world();
  if (g.contactErpMode) return; // in this mode only restitution.ts acts, as in Bullet
  g.arrivalCount = 0;
  const l = lists();
  const shared = THREADED && forks(l.impactCount, SHARED_BLOCKS);
  const found = shared ? outcomes(l.impactCount) : 0;
  if (shared) fork(expectSome, 0, 0, l.impactCount);
  for (let i = 0; i < l.impactCount; i++) {
    const handle = wordAt(<u32>l.impacts, i);
    let lanes = shared
      ? load<i32>(found + ((<usize>i) << 2))
      : expectedLanes(blockAt(handle), metaAt(handle));
    for (; lanes != 0; lanes &= lanes - 1) expect(pairAt(pairOfLane(handle, ctz(lanes))), 0);
  }
  while (g.arrivalCount > 0) {
    const i = earliest();
    if (i < 0) break;
    const e = arrivalAt(i);
    const now = e.time;
    e.time = INFINITE;
    if (e.impacts++ < MOST_IMPACTS && solveImpact(e.index, now)) lookAgain(now);
  }
  g.arrivalCount = 0;
}

/** Blocks from which on they are shared between threads. */
const SHARED_BLOCKS = 64;

/** A part of meetImpacts, in the threaded core. */
function expectSome(from: i32, to: i32, _: i32, __: i32): void {
  const found = outcomes(0);
  const impacts = <u32>lists().impacts;
  for (let i = from; i < to; i++) {
    const handle = wordAt(impacts, i);
    store<i32>(found + ((<usize>i) << 2), expectedLanes(blockAt(handle), metaAt(handle)));
  }
}

/** Index of the earliest arrival, of equal times the one with the lowest lane; −1 if none comes in this substep. */
function earliest(): i32 {
  let best = -1;
  for (let i = 0; i < world().arrivalCount; i++) {
    const e = arrivalAt(i);
    if (e.time == INFINITE) continue;
    if (best >= 0) {
      const b = arrivalAt(best);
      if (e.time > b.time || (e.time == b.time && e.index > b.index)) continue;
    }
    best = i;
  }
  return best;
}

const LANE: usize = memory.data(offsetof<ImpactManifold>(), 16);

/**
 * m/s. A faster arrival is an impact. Without restitution, only the arrival of a face on something that cannot be
 * moved: the passes solve its corners one by one and would make the body spin.
 */
function thresholdOf(s: ImpactManifold): f32 {
  if (s.restitution > 0) return world().restitutionThreshold;
  return s.count > 1 && hasFixedSide(s) ? IMPACT_SPEED : INFINITE;
}

/** Time of the next arrival of the lane. */
function findArrival(index: i32, now: f32): f32 {
  const s = changetype<ImpactManifold>(LANE);
  readImpactManifold(s, index);
  return arrivalTime(s, now, thresholdOf(s));
}

/** Lists the lane of the pair if it comes into contact in this substep. */
function expect(pair: Pair, now: f32): void {
  if (!mayImpact(pair)) return;
  const g = world();
  const time = findArrival(pair.index, now);
  if (time > context().h) return;
  growTable(offsetof<World>('arrivals'), g.arrivalCount + 1, ARRIVAL_SIZE);
  const e = arrivalAt(g.arrivalCount++);
  const s = changetype<ImpactManifold>(LANE);
  e.index = pair.index;
  e.bodyA = s.bodyA;
  e.bodyB = s.bodyB;
  e.impacts = 0;
  e.time = time;
}

/** After an impact: finds the next arrivals of its bodies. */
function lookAgain(now: f32): void {
  const g = world();
  for (let k = 0; k < g.arrivalCount; k++) {
    const e = arrivalAt(k);
    if (struckOf(e.bodyA) >= 0 || struckOf(e.bodyB) >= 0) e.time = findArrival(e.index, now);
  }
  for (let i = 0; i < g.struckCount; i++) {
    let link = bodyAt(struckAt(i).slot).firstPair;
    while (link >= 0) {
      const pair = pairAt(link >> 1);
      link = link & 1 ? pair.nextB : pair.nextA;
      if (pair.list == LIST_SOLVED) expectNew(pair, now);
      else if (pair.list == LIST_CONCAVE)
        for (let child = pair.firstChild; child >= 0; child = pairAt(child).next)
          expectNew(pairAt(child), now);
    }
  }
}

function expectNew(pair: Pair, now: f32): void {
  for (let k = 0; k < world().arrivalCount; k++) if (arrivalAt(k).index == pair.index) return;
  expect(pair, now);
}

/** Bit per lane that can come into contact in this substep with an impact. @wide */
function expectedLanes(c: ContactBlock, meta: BlockMeta): i32 {
  const none = zero();
  const face = i32x4.gt_s(meta.pointCount, i32x4.splat(1));
  const fixed = v128.or(meta.kinematic, v128.or(i32x4.eq(c.bodyA, none), i32x4.eq(c.bodyB, none)));
  const asked = v128.or(f32x4.gt(meta.restitution, none), v128.and(v128.and(meta.fast, face), fixed));
  if (!v128.any_true(asked)) return 0;
  const h = f32x4.splat(context().h);
  const a = velocitiesAt(c.bodyA);
  const b = velocitiesAt(c.bodyB);
  const n = c.normal;
  const t1 = c.tangent;
  const t2 = crossW(n, t1);
  const qA = gatherW(a.deltaRotation + a.angular * h);
  const qB = gatherW(b.deltaRotation + b.angular * h);
  const way = gatherW(b.deltaPosition - a.deltaPosition + (b.linear - a.linear) * h);
  const moved = dotW(n, way + crossW(qB, c.centerB) - crossW(qA, c.centerA));
  const turn = qB - qA;
  const turned1 = dotW(turn, t1);
  const turned2 = dotW(turn, t2);
  let arrives = none;
  for (let i = 0; i < c.maxPoints; ++i) {
    const p = pointAt(c, i);
    const gap = p.separation + moved + p.b * turned1 - p.a * turned2;
    const comes = v128.and(f32x4.lt(gap, none), f32x4.eq(p.impulse, none));
    arrives = v128.or(arrives, v128.and(comes, i32x4.gt_s(meta.pointCount, i32x4.splat(i))));
  }
  return i32x4.bitmask(v128.and(arrives, asked));
}
