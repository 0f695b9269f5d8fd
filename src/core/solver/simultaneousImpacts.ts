// Simultaneous impacts that share a body. In: blocks with points that came into contact in this substep
// (restitution.ts), and velocities after all of them were stopped together. Out: velocities as if pairs had collided
// one after the other until no pair approaches. Example: a ball that another ball drives into a wall returns; if all
// contacts are stopped at once, half of the energy is lost before restitution acts. Each single impact follows Newton's
// law, so energy never grows. Sequential impacts: E. Guendelman, R. Bridson, R. Fedkiw, "Nonconvex rigid bodies with
// stacking" (2003).
import { applyInverseInertia } from '../bodies/massProperties';
import { add, addScaled, cross, dot, lengthSquared, mul, neg, scale, sub, zero } from '../math/vector';
import { BODY_DYNAMIC, BODY_HELD, BODY_HIT, BODY_HIT_TWICE } from '../memory/constants';
import { get3 } from '../memory/laneVectors';
import { BlockMeta, ContactBlock, ContactPointWide, PointMeta } from '../memory/records';
import {
  blockAt,
  bodyAt,
  metaAt,
  POINT_METAS_OFFSET,
  POINTS_OFFSET,
  pointMetaAt,
  setWord,
  velocityAt,
  wordAt,
  world,
} from '../memory/tables';
import { HELD_SQUARED, RESTING_APPROACH } from '../tolerances';
import { pushHandle } from './lanes';

/** Rounds over the impacts of a substep. Bodies that still approach collide in the next substep. */
const ROUNDS = 16;

const MARKS = BODY_HIT | BODY_HIT_TWICE | BODY_HELD;

/**
 * Solves the impacts of single points that share a body, in the first `blocks` entries of World.newBlocks, and appends
 * their lanes to that table. All others are left to applyRestitution.
 */
export function solveSimultaneousImpacts(blocks: i32, threshold: f32): void {
  const g = world();
  let shared = false;
  for (let i = 0; i < blocks; i++) {
    const handle = wordAt(g.newBlocks, i);
    const meta = metaAt(handle);
    const bounces = v128.and(
      f32x4.gt(pointMetaAt(meta, 0).arrival, f32x4.splat(threshold)),
      f32x4.gt(meta.restitution, zero()),
    );
    const lanes = i32x4.bitmask(v128.and(bounces, i32x4.eq(meta.pointCount, i32x4.splat(1))));
    for (let lane = 0; lane < 4; lane++) {
      if (!((lanes >> lane) & 1)) continue;
      const index = (handle << 2) + lane;
      pushHandle(index);
      const at = laneAt(index);
      const again = noteHit(slotA(at));
      if (noteHit(slotB(at)) || again) shared = true;
    }
  }
  const end = g.newBlockCount;
  if (shared) chooseFree(blocks, end);
  let free = blocks;
  for (let i = blocks; i < end; i++) {
    const index = wordAt(g.newBlocks, i);
    const at = laneAt(index < 0 ? ~index : index);
    bodyAt(slotA(at)).flags &= ~MARKS;
    bodyAt(slotB(at)).flags &= ~MARKS;
    if (shared && index >= 0) setWord(g.newBlocks, free++, index);
  }
  g.newBlockCount = free;
  let approaching = true;
  for (let round = 0; approaching && round < ROUNDS; round++) {
    approaching = false;
    for (let i = blocks; i < free; i++)
      if (collidePoint(wordAt(g.newBlocks, i), threshold)) approaching = true;
  }
}

/** Returns whether another impact acted on the body before. */
function noteHit(slot: i32): bool {
  const b = bodyAt(slot);
  if (b.type != BODY_DYNAMIC) return false;
  const again = (b.flags & BODY_HIT) != 0;
  b.flags |= again ? BODY_HIT_TWICE : BODY_HIT;
  return again;
}

/**
 * Undoes the impacts that share a body that nothing holds. Entries of the others become the complement of their index.
 */
function chooseFree(from: i32, end: i32): void {
  const g = world();
  for (let i = from; i < end; i++) {
    const index = wordAt(g.newBlocks, i);
    const at = laneAt(index);
    if ((bodyAt(slotA(at)).flags | bodyAt(slotB(at)).flags) & BODY_HIT_TWICE) addStop(at, 1);
    else setWord(g.newBlocks, i, ~index);
  }
  // With the effect of the impacts removed, the velocity shows whether other constraints act on the body.
  for (let i = from; i < end; i++) {
    if (wordAt(g.newBlocks, i) < 0) continue;
    const at = laneAt(wordAt(g.newBlocks, i));
    markHeld(slotA(at));
    markHeld(slotB(at));
  }
  // A body that hits a held body is held by it.
  for (let spread = true; spread; ) {
    spread = false;
    for (let i = from; i < end; i++) {
      if (wordAt(g.newBlocks, i) < 0) continue;
      const at = laneAt(wordAt(g.newBlocks, i));
      const a = bodyAt(slotA(at));
      const b = bodyAt(slotB(at));
      if (a.type != BODY_DYNAMIC || b.type != BODY_DYNAMIC || ((a.flags ^ b.flags) & BODY_HELD) == 0)
        continue;
      a.flags |= BODY_HELD;
      b.flags |= BODY_HELD;
      spread = true;
    }
  }
  for (let i = from; i < end; i++) {
    const index = wordAt(g.newBlocks, i);
    if (index < 0) continue;
    const at = laneAt(index);
    if ((bodyAt(slotA(at)).flags | bodyAt(slotB(at)).flags) & BODY_HELD) {
      addStop(at, -1);
      setWord(g.newBlocks, i, ~index);
    } else {
      undo(index);
    }
  }
}

function markHeld(slot: i32): void {
  const b = bodyAt(slot);
  if (b.type != BODY_DYNAMIC) return;
  const v = velocityAt(slot);
  const linear = add(v.contactLinear, sub(v.linear, v.baseLinear));
  const angular = add(v.contactAngular, sub(v.angular, v.baseAngular));
  const most = lengthSquared(linear) + lengthSquared(angular) * b.boundingRadius * b.boundingRadius;
  if (!(most < HELD_SQUARED)) b.flags |= BODY_HELD;
}

// --- a lane: the address of its block plus four bytes per lane ---

/** @inline */
function laneAt(index: i32): usize {
  return changetype<usize>(blockAt(index >> 2)) + ((<usize>(index & 3)) << 2);
}
/** @inline */
function pointMetaLane(index: i32): usize {
  return changetype<usize>(metaAt(index >> 2)) + POINT_METAS_OFFSET + ((<usize>(index & 3)) << 2);
}
/** @inline */
function slotA(at: usize): i32 {
  return load<i32>(at, offsetof<ContactBlock>('bodyA'));
}
/** @inline */
function slotB(at: usize): i32 {
  return load<i32>(at, offsetof<ContactBlock>('bodyB'));
}
/** @inline */
function impulseOf(at: usize): f32 {
  return load<f32>(at + POINTS_OFFSET, offsetof<ContactPointWide>('impulse'));
}

/** Adds the impulse that stopped the approach, with its friction, to the base velocities for the next substep. */
function addStop(at: usize, sign: f32): void {
  const n = get3(at + offsetof<ContactBlock>('normalX'));
  const t1 = get3(at + offsetof<ContactBlock>('tangentX'));
  let p = scale(n, sign * impulseOf(at));
  p = addScaled(p, t1, sign * load<f32>(at, offsetof<ContactBlock>('frictionImpulse1')));
  p = addScaled(p, cross(n, t1), sign * load<f32>(at, offsetof<ContactBlock>('frictionImpulse2')));
  push(at, p, scale(n, sign * load<f32>(at, offsetof<ContactBlock>('twistImpulse'))), false);
}

/** Restores the approach speed; friction stays. */
function undo(index: i32): void {
  const at = laneAt(index);
  give(at, -impulseOf(at));
  store<f32>(at + POINTS_OFFSET, 0, offsetof<ContactPointWide>('impulse'));
  store<f32>(at, 0, offsetof<ContactBlock>('frictionImpulse1'));
  store<f32>(at, 0, offsetof<ContactBlock>('frictionImpulse2'));
  store<f32>(at, 0, offsetof<ContactBlock>('twistImpulse'));
  store<f32>(pointMetaLane(index), 0, offsetof<PointMeta>('arrival'));
}

/** Applies Newton's law to two bodies that approach; returns whether they did. */
function collidePoint(index: i32, threshold: f32): bool {
  const at = laneAt(index);
  const a = velocityAt(slotA(at));
  const b = velocityAt(slotB(at));
  const rA = get3(at + offsetof<ContactBlock>('centerAX'));
  const rB = get3(at + offsetof<ContactBlock>('centerBX'));
  const u = sub(add(b.linear, cross(b.angular, rB)), add(a.linear, cross(a.angular, rA)));
  const speed = -dot(get3(at + offsetof<ContactBlock>('normalX')), u);
  if (!(speed > RESTING_APPROACH)) return false;
  const meta = changetype<usize>(metaAt(index >> 2)) + ((<usize>(index & 3)) << 2);
  const e: f32 = speed > threshold ? load<f32>(meta, offsetof<BlockMeta>('restitution')) : 0;
  give(at, (<f32>1 + e) * speed * load<f32>(at + POINTS_OFFSET, offsetof<ContactPointWide>('mass')));
  return true;
}

/** Applies an impulse along the normal. */
function give(at: usize, impulse: f32): void {
  const total = at + POINTS_OFFSET + offsetof<ContactPointWide>('totalImpulse');
  store<f32>(total, load<f32>(total) + impulse);
  push(at, scale(get3(at + offsetof<ContactBlock>('normalX')), impulse), zero(), true);
}

function push(at: usize, p: v128, twist: v128, now: bool): void {
  const rA = get3(at + offsetof<ContactBlock>('centerAX'));
  const rB = get3(at + offsetof<ContactBlock>('centerBX'));
  pushBody(slotA(at), neg(p), neg(add(cross(rA, p), twist)), now);
  pushBody(slotB(at), p, add(cross(rB, p), twist), now);
}

/** The next substep must not repeat impacts by warm starting, so they also change the base velocity. */
function pushBody(slot: i32, p: v128, l: v128, now: bool): void {
  const b = bodyAt(slot);
  const v = velocityAt(slot);
  const linear = mul(p, b.invMass);
  const angular = applyInverseInertia(b, l);
  v.baseLinear = add(v.baseLinear, linear);
  v.baseAngular = add(v.baseAngular, angular);
  if (!now) return;
  v.linear = add(v.linear, linear);
  v.angular = add(v.angular, angular);
}
