// Simultaneous impacts that share a body. In: blocks with points that came into contact in this substep
// (restitution.ts), velocities after all of them were stopped together. Out: velocities as if pairs had collided one
// after the other until no pair approaches. A ball that is driven into a wall by another ball returns; if all are
// stopped at once, half of the energy is gone before anything bounces. Each impact alone follows Newton's law, so
// energy never grows. Sequential impacts: E. Guendelman, R. Bridson, R. Fedkiw, "Nonconvex rigid bodies with stacking"
// (2003).
import { applyInverseInertia } from '../bodies/massProperties';
import { get3 } from '../contacts/manifold';
import { add, addScaled, cross, dot, lengthSquared, mul, neg, scale, sub, zero } from '../math/vector';
import { BODY_DYNAMIC, BODY_HELD, BODY_HIT, BODY_HIT_TWICE } from '../memory/constants';
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
import { pushHandle } from './lanes';

/** Rounds over the impacts of a substep; what still approaches then collides in the next one. */
const ROUNDS = 16;
/** m/s; slower is touching. */
const APPROACH: f32 = 1e-4;
/** (m/s)²; a body whose velocity other constraints changed by more is held: its impacts involve more than two bodies. */
const HELD_SQUARED: f32 = 1e-6;

const MARKS = BODY_HIT | BODY_HIT_TWICE | BODY_HELD;

/**
 * Solves the impacts of single points that share a body, of so many blocks in World.newBlocks, and lists their lanes
 * behind them. All others are left to applyRestitution.
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

/** True if another impact has hit the body before. */
function noteHit(slot: i32): bool {
  const b = bodyAt(slot);
  if (b.type != BODY_DYNAMIC) return false;
  const again = (b.flags & BODY_HIT) != 0;
  b.flags |= again ? BODY_HIT_TWICE : BODY_HIT;
  return again;
}

/** Strikes that share a body and are not held by anything are undone; the others stay, as the complement of their index. */
function chooseFree(from: i32, end: i32): void {
  const g = world();
  for (let i = from; i < end; i++) {
    const index = wordAt(g.newBlocks, i);
    const at = laneAt(index);
    if ((bodyAt(slotA(at)).flags | bodyAt(slotB(at)).flags) & BODY_HIT_TWICE) addStop(at, 1);
    else setWord(g.newBlocks, i, ~index);
  }
  // Without what the impacts did, bodies show what else acted on them.
  for (let i = from; i < end; i++) {
    if (wordAt(g.newBlocks, i) < 0) continue;
    const at = laneAt(wordAt(g.newBlocks, i));
    markHeld(slotA(at));
    markHeld(slotB(at));
  }
  // What hits a body that is held is held by it.
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

// --- a lane: its block's address plus four bytes per lane ---

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

/** What stopped the approach, with its friction, to the velocities that the next substep starts from. */
function addStop(at: usize, sign: f32): void {
  const n = get3(at + offsetof<ContactBlock>('normalX'));
  const t1 = get3(at + offsetof<ContactBlock>('tangentX'));
  let p = scale(n, sign * impulseOf(at));
  p = addScaled(p, t1, sign * load<f32>(at, offsetof<ContactBlock>('frictionImpulse1')));
  p = addScaled(p, cross(n, t1), sign * load<f32>(at, offsetof<ContactBlock>('frictionImpulse2')));
  push(at, p, scale(n, sign * load<f32>(at, offsetof<ContactBlock>('twistImpulse'))), false);
}

/** Back to the approach; friction stays. */
function undo(index: i32): void {
  const at = laneAt(index);
  give(at, -impulseOf(at));
  store<f32>(at + POINTS_OFFSET, 0, offsetof<ContactPointWide>('impulse'));
  store<f32>(at, 0, offsetof<ContactBlock>('frictionImpulse1'));
  store<f32>(at, 0, offsetof<ContactBlock>('frictionImpulse2'));
  store<f32>(at, 0, offsetof<ContactBlock>('twistImpulse'));
  store<f32>(pointMetaLane(index), 0, offsetof<PointMeta>('arrival'));
}

/** Newton's law between two bodies that approach; true if they did. */
function collidePoint(index: i32, threshold: f32): bool {
  const at = laneAt(index);
  const a = velocityAt(slotA(at));
  const b = velocityAt(slotB(at));
  const rA = get3(at + offsetof<ContactBlock>('centerAX'));
  const rB = get3(at + offsetof<ContactBlock>('centerBX'));
  const u = sub(add(b.linear, cross(b.angular, rB)), add(a.linear, cross(a.angular, rA)));
  const speed = -dot(get3(at + offsetof<ContactBlock>('normalX')), u);
  if (!(speed > APPROACH)) return false;
  const meta = changetype<usize>(metaAt(index >> 2)) + ((<usize>(index & 3)) << 2);
  const e: f32 = speed > threshold ? load<f32>(meta, offsetof<BlockMeta>('restitution')) : 0;
  give(at, (<f32>1 + e) * speed * load<f32>(at + POINTS_OFFSET, offsetof<ContactPointWide>('mass')));
  return true;
}

/** An impulse along the normal. */
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

/** Impacts are no part of what the next substep starts with, so they belong to its base. */
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
