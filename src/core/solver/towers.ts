// Towers: bodies that rest on each other by faces, one above the other, down to bodies that cannot move. A pass over
// contacts transmits no more than the weight of the lighter body, and the bending of a tower of N bodies needs N⁴ passes.
// Here all contacts of a tower are solved at once, after each pass over all contacts. In: contacts that may belong to a
// tower (prepare.ts). Out: velocities and impulses.
//
// Where the faces hold, all bodies of a tower move as one: each contact leaves no motion of the upper body relative to
// the lower one, apart from the correction of its separation. So the velocities follow from the ground upwards, and the
// impulses from the top downwards: a contact transmits what changes the momentum of all bodies above it (recursive
// Newton–Euler: Luh, Walker, Paul 1980). That is exact at any height, mass or gravity. A contact that would have to pull,
// to press beyond its edge, or to rub harder than friction does, does not hold: what is above it is left to the passes.

import { add, addScaled, cross, length, mul, sub, zero } from '../math/vector';
import {
  BODY_BEARER_SHIFT,
  BODY_DYNAMIC,
  PAIR_CHILD,
  TALL_NEW_SHIFT,
  TALL_SHIFT,
  TALL_TOGETHER_SHIFT,
} from '../memory/constants';
import { BlockMeta, ContactBlock, Pair, TowerBody, World } from '../memory/records';
import {
  blockAt,
  bodyAt,
  growTable,
  metaAt,
  pairAt,
  setWord,
  shapeAt,
  TOWER_BODY_SIZE,
  velocityAt,
  wordAt,
  world,
} from '../memory/tables';
import { LEAST_TOWER, MOST_FOREIGN, MOST_TOWER, REST_SLOPE } from '../tolerances';
import { endOfContacts, firstContactOf, manifoldOf, sideOf } from './contactsOf';
import { context } from './context';
import { laneWord } from './lanes';
import {
  canHold,
  correct,
  finish,
  inertiaTimes,
  isBeyond,
  isBorne,
  loadOf,
  movesAlike,
  patchAt,
  pushPatch,
  takeFromPasses,
} from './towerContacts';

/** @inline */
function memberAt(i: i32): TowerBody {
  return changetype<TowerBody>(<usize>world().towerBodies + <usize>i * TOWER_BODY_SIZE);
}

export function pushTowerBlock(handle: i32): void {
  const g = world();
  growTable(offsetof<World>('towerBlocks'), g.towerBlockCount + 1, 4);
  setWord(g.towerBlocks, g.towerBlockCount++, handle);
}

// --- which bodies ---

// What is known about a body while towers are looked for, in the bits from BODY_BEARER_SHIFT on.
const IS_LISTED: i32 = 1 << BODY_BEARER_SHIFT;
/**
 * The bodies below it, one under the other, lead to no ground, or to a body of a tower that does not hold what is above it. A
 * falling column has dozens of them, and a loaded contact above each.
 */
const HAS_NO_FOOT: i32 = 2 << BODY_BEARER_SHIFT;

/** Runs when the list of blocks is complete. */
export function prepareTowers(): void {
  const g = world();
  g.towerBodyCount = 0;
  const count = g.towerBlockCount;
  for (let i = 0; i < count; i++) {
    const handle = wordAt(g.towerBlocks, i);
    const c = blockAt(handle);
    const tall = (c.highRatioLanes >> TALL_SHIFT) & 15;
    const added = (c.highRatioLanes >> TALL_NEW_SHIFT) & 15;
    const together = c.highRatioLanes >> TALL_TOGETHER_SHIFT;
    c.highRatioLanes &= 15;
    for (let lane = 0; lane < 4; lane++) {
      const isNew = ((added >> lane) & 1) != 0;
      if (!isNew && !(((tall | together) >> lane) & 1)) continue;
      let slot = laneWord(changetype<usize>(c) + offsetof<ContactBlock>('bodyB'), lane);
      if (bodyAt(slot).type != BODY_DYNAMIC)
        slot = laneWord(changetype<usize>(c) + offsetof<ContactBlock>('bodyA'), lane);
      if (bodyAt(slot).type != BODY_DYNAMIC || isListed(slot)) continue;
      const loaded = ((tall >> lane) & 1) != 0 || (((together >> lane) & 1) != 0 && hasSeveralShapes(slot));
      if (!loaded && !isNew) continue;
      const foot = footOf(slot);
      if (foot != 0) gather(foot, loaded ? 2 : LEAST_TOWER);
    }
  }
  for (let i = 0; i < g.towerBodyCount; i++) bodyAt(memberAt(i).slot).flags &= ~IS_LISTED;
  forgetFootless(count);
}

/** Bodies without a foot are listed behind the blocks. */
function markFootless(slot: i32): void {
  bodyAt(slot).flags |= HAS_NO_FOOT;
  pushTowerBlock(slot);
}

function forgetFootless(from: i32): void {
  const g = world();
  for (let i = from; i < g.towerBlockCount; i++) bodyAt(wordAt(g.towerBlocks, i)).flags &= ~HAS_NO_FOOT;
  g.towerBlockCount = from;
}

/** @inline */
function isListed(slot: i32): bool {
  return (bodyAt(slot).flags & IS_LISTED) != 0;
}

/** @inline */
function hasSeveralShapes(slot: i32): bool {
  return shapeAt(bodyAt(slot).firstShape).next != 0;
}

/** The lowest body of the tower that `slot` belongs to, 0 if it belongs to none, or to one that is listed without it. */
function footOf(slot: i32): i32 {
  const first = world().towerBlockCount;
  for (let i = 0; i < MOST_TOWER && !(bodyAt(slot).flags & (HAS_NO_FOOT | IS_LISTED)); i++) {
    const below = supportOf(slot);
    if (below >= 0 && bodyAt(below).type != BODY_DYNAMIC) {
      forgetFootless(first);
      return slot;
    }
    markFootless(slot);
    if (below < 0) break;
    slot = below;
  }
  return 0;
}

/**
 * The body on which a body rests, or one of several that cannot move; -1 if it rests on nothing, or on several, or touches
 * others at its side. Lists the manifolds behind those of the members.
 */
function supportOf(slot: i32): i32 {
  const g = world();
  g.towerPatchCount = endOfPatches(g.towerBodyCount - 1);
  let below = -1;
  for (let entry = firstContactOf(slot), end = endOfContacts(slot); entry < end; entry += 4) {
    const isB = sideOf(entry);
    const rise = climb(manifoldOf(entry)) * (isB ? <f32>1 : <f32>-1);
    // Small and thin bodies have contacts with the body below the next one, too.
    if (rise < -REST_SLOPE || isBeyond(manifoldOf(entry), slot)) continue;
    const other = otherOf(entry);
    const isBeside = rise < REST_SLOPE;
    if (isBeside) {
      const rests = restsOn(slot, other);
      if (rests < 0) continue;
      if (rests == 0) return -1;
    }
    if (below >= 0 && !isOne(below, other)) return -1;
    below = other;
    pushPatch(manifoldOf(entry), other, isB, isBeside);
  }
  return below;
}

/** The other body of a contact, also one that cannot move. */
function otherOf(entry: usize): i32 {
  const pair = pairOf(entry);
  return sideOf(entry) ? pair.bodyA : pair.bodyB;
}

function pairOf(entry: usize): Pair {
  const meta = changetype<usize>(metaAt(manifoldOf(entry) >> 2));
  return pairAt(laneWord(meta + offsetof<BlockMeta>('pair'), manifoldOf(entry) & 3));
}

/** 1 if the body has a face on the other one, −1 if the other one has a face on it, 0 if neither. Not of triangle surfaces. */
function restsOn(slot: i32, other: i32): i32 {
  for (let entry = firstContactOf(slot), end = endOfContacts(slot); entry < end; entry += 4) {
    const pair = pairOf(entry);
    if (pair.bodyA + pair.bodyB != slot + other || pair.flags & PAIR_CHILD) continue;
    const rise = climb(manifoldOf(entry)) * (sideOf(entry) ? <f32>1 : <f32>-1);
    if (abs(rise) >= REST_SLOPE) return rise > 0 ? 1 : -1;
  }
  return 0;
}

/** Whether two bodies are one, or neither can be moved by what rests on it. */
function isOne(a: i32, b: i32): bool {
  return a == b || (bodyAt(a).type != BODY_DYNAMIC && bodyAt(b).type != BODY_DYNAMIC);
}

/** Cosine of the angle between the normal of a manifold, from A to B, and the vertical. */
function climb(index: i32): f32 {
  const c = changetype<usize>(blockAt(index >> 2)) + ((<usize>(index & 3)) << 2);
  const gravity = world().gravity;
  const down =
    load<f32>(c, offsetof<ContactBlock>('normalX')) * f32x4.extract_lane(gravity, 0) +
    load<f32>(c, offsetof<ContactBlock>('normalY')) * f32x4.extract_lane(gravity, 1) +
    load<f32>(c, offsetof<ContactBlock>('normalZ')) * f32x4.extract_lane(gravity, 2);
  return -down / length(gravity);
}

/** Lists the bodies above `foot`. They are solved if there are at least so many. */
function gather(foot: i32, least: i32): void {
  const g = world();
  const first = g.towerBodyCount;
  pushMember(foot, supportOf(foot), -1);
  for (let i = first; i < g.towerBodyCount && g.towerBodyCount - first < MOST_TOWER; i++) {
    if (!memberAt(i).holds) continue;
    const slot = memberAt(i).slot;
    for (let entry = firstContactOf(slot), end = endOfContacts(slot); entry < end; entry += 4) {
      const other = otherOf(entry);
      if (bodyAt(other).type != BODY_DYNAMIC || isListed(other)) continue;
      if (supportOf(other) == slot) pushMember(other, slot, i);
    }
  }
  const lowest = memberAt(first);
  lowest.count = g.towerBodyCount - first;
  let mass: f32 = 0;
  for (let i = first; i < g.towerBodyCount; i++) mass += bodyAt(memberAt(i).slot).mass;
  // What bears others besides its own is solved with them, by the passes: a plate on four legs.
  const solved = lowest.count >= least && loadOf(lowest) <= MOST_FOREIGN * mass * context().towerLoad;
  for (let i = first; i < g.towerBodyCount; i++) {
    const m = memberAt(i);
    if (!solved) m.holds = 0;
    if (m.holds) takeFromPasses(m);
  }
}

/** Runs after supportOf() has listed the manifolds by which the body rests. */
function pushMember(slot: i32, below: i32, lower: i32): void {
  const g = world();
  const firstPatch = endOfPatches(g.towerBodyCount - 1);
  growTable(offsetof<World>('towerBodies'), g.towerBodyCount + 1, TOWER_BODY_SIZE);
  const m = memberAt(g.towerBodyCount++);
  m.slot = slot;
  m.below = below;
  m.lower = lower;
  m.firstPatch = firstPatch;
  m.patches = g.towerPatchCount - firstPatch;
  m.push = zero();
  m.pushSpin = zero();
  m.holds = canHold(m) ? 1 : 0;
  bodyAt(slot).flags |= IS_LISTED;
}

/** End of the patches of this member, and of all before. */
function endOfPatches(member: i32): i32 {
  return member < 0 ? 0 : memberAt(member).firstPatch + memberAt(member).patches;
}

// --- the solve ---

/** Runs after each pass over all contacts. */
export function solveTowers(withBias: bool): void {
  const g = world();
  const counts = context().counts != 0;
  let first = 0;
  while (first < g.towerBodyCount) {
    const end = first + memberAt(first).count;
    for (let i = first; i < end; i++) aim(memberAt(i));
    for (let i = end - 1; i >= first; i--) bear(memberAt(i));
    for (let i = first; i < end; i++) {
      const m = memberAt(i);
      if (m.lower >= 0 && memberAt(m.lower).lost) m.lost = 1;
      if (m.lost) continue;
      finish(m, counts);
      if (withBias) correct(m, m.lower >= 0 ? memberAt(m.lower) : m);
    }
    first = end;
  }
}

/** The velocity with which the body keeps its place on the one below. */
function aim(m: TowerBody): void {
  const v = velocityAt(m.slot);
  // What correct() has added changed no momentum.
  v.linear = sub(v.linear, m.push);
  v.angular = sub(v.angular, m.pushSpin);
  m.push = zero();
  m.pushSpin = zero();
  m.force = zero();
  m.torque = zero();
  m.lost = m.holds && movesAlike(m) ? 0 : 1;
  if (m.lost) return;
  const meta = <usize>patchAt(m.firstPatch).meta;
  const below = velocityAt(m.below);
  let linear = below.linear;
  let spin = below.angular;
  if (m.lower >= 0) {
    linear = memberAt(m.lower).velocity;
    spin = memberAt(m.lower).spin;
  }
  linear = add(linear, cross(spin, m.armBelow));
  if (load<i32>(meta, offsetof<BlockMeta>('kinematic'))) {
    linear = addScaled(linear, m.tangent1, -load<f32>(meta, offsetof<BlockMeta>('surfaceVelocity1')));
    linear = addScaled(linear, m.tangent2, -load<f32>(meta, offsetof<BlockMeta>('surfaceVelocity2')));
    linear = addScaled(linear, m.normal, -load<f32>(meta, offsetof<BlockMeta>('surfaceRise')));
    spin = addScaled(spin, m.normal, -load<f32>(meta, offsetof<BlockMeta>('surfaceSpin')));
  }
  // What the body is held against stays as it is, and takes up any force and torque.
  const body = bodyAt(m.slot);
  m.spin = v128.bitselect(spin, v.angular, isFree(body.angularFactor));
  m.velocity = v128.bitselect(sub(linear, cross(m.spin, m.arm)), v.linear, isFree(body.linearFactor));
}

/** @inline */
function isFree(factors: v128): v128 {
  return f32x4.gt(factors, zero());
}

/** Finds what the contact must transmit, and adds it to the load of the body below unless the contact cannot bear it. */
function bear(m: TowerBody): void {
  if (m.lost) return;
  const v = velocityAt(m.slot);
  m.force = addScaled(m.force, sub(m.velocity, v.linear), bodyAt(m.slot).mass);
  m.torque = sub(add(m.torque, inertiaTimes(m, sub(m.spin, v.angular))), cross(m.arm, m.force));
  m.torque = mul(m.torque, bodyAt(m.slot).angularFactor);
  const force = m.force;
  const torque = m.torque;
  if (!isBorne(m)) m.lost = 1;
  else if (m.lower >= 0) {
    const lower = memberAt(m.lower);
    lower.force = add(lower.force, force);
    lower.torque = add(lower.torque, add(torque, cross(m.armBelow, force)));
  }
}
