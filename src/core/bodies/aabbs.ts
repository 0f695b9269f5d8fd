// Fat AABBs of moving bodies. In: poses and velocities at the start of the step. Out: shapes whose AABB, extended by
// this step's motion, left the fat AABB get a new one, are refitted in the tree and listed as moved. Most bodies are
// skipped because of their slack, a bound on how far they can have moved.
import { updateLeaf } from '../broadphase/tree';
import { add, addScaled, length, scale, splat, sub, vec3, x, y, z, zero } from '../math/vector';
import { BODY_FAST } from '../memory/constants';
import { Body, Shape, World } from '../memory/records';
import {
  bodyAt,
  growTable,
  setMotionBound,
  setWord,
  shapeAt,
  velocityAt,
  wordAt,
  world,
} from '../memory/tables';
import { shapeAabbMax, shapeAabbMin } from '../shapes/aabb';

/** Steps of motion for which a new fat AABB has room. */
const STEPS_AHEAD: f32 = 4;
/**
 * Margins. A box with more slack than this, beyond the predicted motion, is recomputed; a new box has twice the margin.
 */
const SPARE: f32 = 3;
/** Steps, a power of two minus one, after which a body's boxes are tested even if it cannot have left them. */
const LOOK_AFTER: i32 = 15;

export function updateAabbs(dt: f32): void {
  const g = world();
  const fall = length(g.gravity) * dt * dt;
  for (let i = 0; i < g.awakeCount; i++) {
    const slot = wordAt(g.awake, i);
    const b = bodyAt(slot);
    const v = velocityAt(slot);
    const motion = length(v.linear) * dt + length(v.angular) * b.boundingRadius * dt;
    b.flags = motion > b.fastMotion ? b.flags | BODY_FAST : b.flags & ~BODY_FAST;
    const ahead = motion + fall;
    setMotionBound(slot, b.travel + <f64>ahead);
    if (b.slack >= ahead && (slot ^ g.stepCount) & LOOK_AFTER) continue;
    refreshBody(b, scale(v.linear, dt), length(v.angular) * b.boundingRadius * dt + fall);
  }
}

/** Refits the boxes of a body's shapes that the coming motion leaves. */
export function refreshBody(b: Body, motion: v128, turning: f32): void {
  let slack: f32 = 1e30;
  let slot = b.firstShape;
  while (slot != 0) {
    const s = shapeAt(slot);
    slot = s.next;
    const lo = sub(shapeAabbMin(s), splat(turning));
    const hi = add(shapeAabbMax(s), splat(turning));
    const sweptLo = add(lo, f32x4.min(motion, zero()));
    const sweptHi = add(hi, f32x4.max(motion, zero()));
    const room = f32x4.min(sub(sweptLo, s.aabbMin), sub(s.aabbMax, sweptHi));
    const left = min(min(x(room), y(room)), z(room));
    if (left >= 0 && !isTooLarge(s, sweptLo, sweptHi, motion)) {
      slack = min(slack, left);
      continue;
    }
    slack = min(slack, fatten(s, lo, hi, motion));
    updateLeaf(s.tree, s.leaf);
    markMoved(s);
  }
  b.slack = slack;
}

/** After a fast motion a body's box is as long as that motion: in a heap it would stay paired with all others. */
function isTooLarge(s: Shape, sweptLo: v128, sweptHi: v128, motion: v128): bool {
  const spare = sub(sub(s.aabbMax, s.aabbMin), sub(sweptHi, sweptLo));
  const most = addScaled(splat(SPARE * world().aabbMargin), f32x4.abs(motion), STEPS_AHEAD);
  return !v128.all_true<i32>(f32x4.le(spare, most));
}

/** Sets the fat AABB; returns the margin. */
function fatten(s: Shape, lo: v128, hi: v128, motion: v128): f32 {
  const margin = world().aabbMargin;
  const ahead = scale(motion, STEPS_AHEAD);
  const m = vec3(margin, margin, margin);
  s.aabbMin = f32x4.replace_lane(sub(add(lo, f32x4.min(ahead, zero())), m), 3, 0);
  s.aabbMax = f32x4.replace_lane(add(add(hi, f32x4.max(ahead, zero())), m), 3, 0);
  return margin;
}

/** For shapes that are new or were moved by the user: AABB from the pose, no motion. */
export function resetAabb(s: Shape): void {
  fatten(s, shapeAabbMin(s), shapeAabbMax(s), zero());
}

export function markMoved(s: Shape): void {
  const g = world();
  if (s.movedIndex >= 0) return;
  growTable(offsetof<World>('moved'), g.movedCount + 1, 4);
  s.movedIndex = g.movedCount;
  setWord(g.moved, g.movedCount++, s.slot);
}
