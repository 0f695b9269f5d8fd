// Islands and sleeping, with Bullet's activation states (btSimulationIslandManager.cpp:236-290). In: rest times of
// awake bodies, touching manifolds, joints. Out: island numbers; an island in which every body wants to sleep falls
// asleep as a whole.
import { isAwake } from '../contacts/pairs';
import {
  ACTIVE_TAG,
  BODY_DYNAMIC,
  COLOR_COUNT,
  DISABLE_DEACTIVATION,
  DISABLE_SIMULATION,
  WANTS_DEACTIVATION,
} from '../memory/constants';
import { Body } from '../memory/records';
import {
  blockHandle,
  bodyAt,
  colorAt,
  jointAt,
  pairAt,
  scratch,
  setWord,
  wordAt,
  world,
} from '../memory/tables';
import { context } from '../solver/context';
import { isWorking, nextLink } from '../solver/joints/links';
import { pairOfLane } from '../solver/lanes';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { hasRested, startRest } from './rest';
import { putIslandToSleep } from './wake';

export function updateActivation(dt: f32): void {
  const g = world();
  if (!g.sleepingEnabled) return; // finalizeBodies has reset the rest times
  const count = g.awakeCount;
  const shared = THREADED && forks(count, SHARED_BODIES);
  let wanting = false;
  if (shared) {
    const found = outcomes(count);
    fork(restSome, 0, 0, count);
    for (let i = 0; i < count && !wanting; i++) wanting = load<i32>(found + ((<usize>i) << 2)) != 0;
  } else for (let i = 0; i < count; i++) if (wantsToSleep(bodyAt(wordAt(g.awake, i)), dt)) wanting = true;
  // Islands are needed only if some body could fall asleep.
  if (wanting) sleepIslands();
}

/** Bodies from which on a pass over them is shared between threads. */
const SHARED_BODIES = 256;

/** A part of updateActivation, in the threaded core. */
function restSome(from: i32, to: i32, _: i32, __: i32): void {
  const g = world();
  const dt = context().dt;
  const found = outcomes(0);
  for (let i = from; i < to; i++)
    store<i32>(found + ((<usize>i) << 2), wantsToSleep(bodyAt(wordAt(g.awake, i)), dt) ? 1 : 0);
}

/** Advances the rest time of an awake body. @inline */
function wantsToSleep(b: Body, dt: f32): bool {
  if (b.type != BODY_DYNAMIC) return false;
  if (b.activation == DISABLE_DEACTIVATION) {
    startRest(b); // its rest time must not grow, and an old rest pose would cost each snapshot 50 bytes
    return false;
  }
  const rested = hasRested(b, dt);
  if (rested) b.activation = WANTS_DEACTIVATION;
  else if (b.activation == WANTS_DEACTIVATION) b.activation = ACTIVE_TAG;
  return rested;
}

// Union–find over indices in the awake list. The root is always the lowest index, so that the numbers do not depend on
// the order of the unions.
/** @inline */
function find(parents: usize, i: i32): i32 {
  let root = i;
  while (true) {
    const p = load<i32>(parents + ((<usize>root) << 2));
    if (p == root) break;
    const q = load<i32>(parents + ((<usize>p) << 2));
    store<i32>(parents + ((<usize>root) << 2), q); // path halving
    root = q;
  }
  return root;
}

function unite(parents: usize, i: i32, j: i32): void {
  const a = find(parents, i);
  const b = find(parents, j);
  if (a == b) return;
  if (a < b) store<i32>(parents + ((<usize>b) << 2), a);
  else store<i32>(parents + ((<usize>a) << 2), b);
}

/** @inline */
function islandOf(slot: i32): i32 {
  return wordAt(world().islands, slot);
}

/** Numbers the islands of awake bodies, in World.islands; returns the address of the parents table. */
export function findIslands(): usize {
  const g = world();
  const count = g.awakeCount;
  // parents, then space for the members of one island, then a flag per root.
  const parents = scratch(<usize>count * 16 + 64);
  for (let i = 0; i < count; i++) store<i32>(parents + ((<usize>i) << 2), i);
  for (let c = 0; c < COLOR_COUNT; c++) {
    const color = colorAt(c);
    for (let k = 0; k < color.count; k++) {
      const block = blockHandle(c, k);
      for (let lane = 0; lane < 4; lane++) {
        const index = pairOfLane(block, lane);
        if (index < 0) continue;
        const pair = pairAt(index);
        const a = bodyAt(pair.bodyA);
        const b = bodyAt(pair.bodyB);
        // A dynamic body outside the simulation is in no island.
        if (isAwake(a) && isAwake(b)) unite(parents, a.awakeIndex, b.awakeIndex);
      }
    }
  }
  for (let i = 0; i < count; i++) {
    const a = bodyAt(wordAt(g.awake, i));
    if (!isAwake(a)) continue;
    for (let link = a.firstJoint; link != 0; link = nextLink(link)) {
      const j = jointAt(link >> 1);
      if (link & 1 || j.bodyB == 0 || !isWorking(j)) continue;
      const b = bodyAt(j.bodyB);
      if (isAwake(b)) unite(parents, a.awakeIndex, b.awakeIndex);
    }
  }
  let islands = 0;
  for (let i = 0; i < count; i++) {
    const root = find(parents, i);
    store<i32>(parents + ((<usize>i) << 2), root);
    const island = root == i ? ++islands : islandOf(wordAt(g.awake, root));
    setWord(g.islands, wordAt(g.awake, i), island);
  }
  g.islandCount = islands;
  return parents;
}

function sleepIslands(): void {
  const g = world();
  const parents = findIslands();
  const count = g.awakeCount;
  // Slots grouped by island: counting sort by island number, which keeps the creation order within an island.
  const islands = g.islandCount;
  const starts = parents + ((<usize>count) << 2);
  const slots = starts + ((<usize>(count + 2)) << 2);
  const awakeFlag = slots + ((<usize>count) << 2);
  memory.fill(starts, 0, (<usize>(islands + 2)) << 2);
  memory.fill(awakeFlag, 0, <usize>(islands + 1));
  for (let i = 0; i < count; i++) {
    const b = bodyAt(wordAt(g.awake, i));
    if (b.type != BODY_DYNAMIC) continue;
    const island = islandOf(b.slot);
    const at = starts + ((<usize>(island + 1)) << 2);
    store<i32>(at, load<i32>(at) + 1);
    if (b.activation != WANTS_DEACTIVATION && b.activation != DISABLE_SIMULATION)
      store<u8>(awakeFlag + <usize>island, 1);
  }
  for (let k = 1; k <= islands; k++) {
    const at = starts + ((<usize>(k + 1)) << 2);
    store<i32>(at, load<i32>(at) + load<i32>(at - 4));
  }
  for (let i = 0; i < count; i++) {
    const b = bodyAt(wordAt(g.awake, i));
    if (b.type != BODY_DYNAMIC) continue;
    const at = starts + ((<usize>islandOf(b.slot)) << 2);
    const k = load<i32>(at);
    store<i32>(at, k + 1);
    store<i32>(slots + ((<usize>k) << 2), b.slot);
  }
  // After filling, starts[k] is the end of island k.
  for (let k = 1; k <= islands; k++) {
    if (load<u8>(awakeFlag + <usize>k)) continue;
    const begin = k == 1 ? 0 : load<i32>(starts + ((<usize>(k - 1)) << 2));
    const end = load<i32>(starts + ((<usize>k) << 2));
    if (end > begin) putIslandToSleep(slots + ((<usize>begin) << 2), end - begin, k);
  }
}

/** Numbers the islands of awake bodies, for debug overlays; result in World.islands. */
export function findIslandsNow(): i32 {
  findIslands();
  return world().islandCount;
}
