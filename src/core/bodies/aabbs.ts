// Fat AABBs of moving bodies. In: poses and velocities at the start of the step. Out: shapes whose AABB, extended by
// this step's motion, left the fat AABB get a new one, are refitted in the tree and listed as moved. Most bodies are
// skipped because of their slack, a bound on how far they can have moved.

import { updateLeaf } from '../broadphase/tree';
import { add, addScaled, length, mul, scale, splat, sub, vec3, w, x, y, z, zero } from '../math/vector';
import { BODY_DYNAMIC, BODY_FAST, SHAPE_PLANE } from '../memory/constants';
import { Body, BodyVelocity, Shape, World } from '../memory/records';
import {
  bodyAt,
  boxAt,
  growTable,
  setMotion,
  setWord,
  shapeAt,
  velocityAt,
  wordAt,
  world,
} from '../memory/tables';
import { shapeAabb } from '../shapes/aabb';
import { convexSize } from '../shapes/shape';
import { context } from '../solver/context';
import { fork, forks, outcomes } from '../threads/fork';
import { THREADED } from '../threads/mode';
import { SPARE_MARGINS, STEPS_AHEAD } from '../tolerances';

const AABB: usize = memory.data(32, 16);

/** Steps, a power of two minus one, after which a body's boxes are tested even if it cannot have left them. */
const LOOK_AFTER: i32 = 15;

/** Bodies from which on a pass over them is shared between threads. */
const SHARED_BODIES = 256;

export function updateAabbs(dt: f32): void {
  const g = world();
  const count = g.awakeCount;
  if (!(THREADED && forks(count, SHARED_BODIES))) {
    const fall = length(g.gravity) * dt * dt;
    for (let i = 0; i < count; i++) {
      const slot = wordAt(g.awake, i);
      if (outgrows(slot, dt, fall)) placeLeaves(bodyAt(slot));
    }
    return;
  }
  const found = outcomes(count);
  fork(outgrowSome, 0, 0, count);
  for (let i = 0; i < count; i++)
    if (load<i32>(found + ((<usize>i) << 2))) placeLeaves(bodyAt(wordAt(g.awake, i)));
}

/** A part of updateAabbs, in the threaded core: all but the tree. */
function outgrowSome(from: i32, to: i32, _: i32, __: i32): void {
  const g = world();
  const dt = context().dt;
  const fall = length(g.gravity) * dt * dt;
  const found = outcomes(0);
  for (let i = from; i < to; i++)
    store<i32>(found + ((<usize>i) << 2), outgrows(wordAt(g.awake, i), dt, fall) ? 1 : 0);
}

/** Whether the body's motion leaves the box of one of its shapes, which then has a new one. @inline */
function outgrows(slot: i32, dt: f32, fall: f32): bool {
  const b = bodyAt(slot);
  const v = velocityAt(slot);
  const way = scale(v.linear, dt);
  const turning = length(v.angular) * b.boundingRadius * dt;
  setMotion(slot, expectedWay(b, v, dt), turning);
  const motion = length(way) + turning;
  b.flags = motion > b.fastMotion ? b.flags | BODY_FAST : b.flags & ~BODY_FAST;
  if (b.slack >= motion + fall && (slot ^ world().stepCount) & LOOK_AFTER) return false;
  return fitBoxes(b, way, turning + fall);
}

/** m. The displacement of an awake body in free flight over the step, as the substeps integrate it. */
export function expectedWay(b: Body, v: BodyVelocity, dt: f32): v128 {
  const way = scale(v.linear, dt);
  if (b.type != BODY_DYNAMIC) return way;
  const g = world();
  const acceleration = add(
    mul(scale(g.gravity, b.gravityScale), b.linearFactor),
    scale(b.force, <f32>1 / b.mass),
  );
  const substeps = <f32>g.substeps;
  return addScaled(way, acceleration, (dt * dt * (substeps + <f32>1)) / (<f32>2 * substeps));
}

/** Refits the boxes of a body's shapes that the coming motion leaves. */
export function refreshBody(b: Body, motion: v128, turning: f32): void {
  if (fitBoxes(b, motion, turning)) placeLeaves(b);
}

/** Gives new boxes to the body's shapes that need them, and marks these; returns whether there are any. */
function fitBoxes(b: Body, motion: v128, turning: f32): bool {
  let slack: f32 = 1e30;
  let any = false;
  let slot = b.firstShape;
  while (slot != 0) {
    const s = shapeAt(slot);
    slot = s.next;
    shapeAabb(s, AABB);
    const lo = sub(v128.load(AABB), splat(turning));
    const hi = add(v128.load(AABB, 16), splat(turning));
    const sweptLo = add(lo, f32x4.pmin(motion, zero()));
    const sweptHi = add(hi, f32x4.pmax(zero(), motion));
    const room = f32x4.pmin(sub(sweptLo, s.aabbMin), sub(s.aabbMax, sweptHi));
    const left = min(min(x(room), y(room)), z(room));
    if (left >= 0 && !isTooLarge(s, sweptLo, sweptHi, motion)) {
      slack = min(slack, left);
      continue;
    }
    slack = min(slack, fatten(s, lo, hi, motion));
    s.movedIndex = marked(s.movedIndex);
    any = true;
  }
  b.slack = slack;
  return any;
}

/** The index with a mark, or without it: −1 and above without, −2 and below with a mark. @inline */
function marked(index: i32): i32 {
  return -3 - index;
}

/** Refits the leaves of marked shapes and lists them as moved. */
function placeLeaves(b: Body): void {
  let slot = b.firstShape;
  while (slot != 0) {
    const s = shapeAt(slot);
    slot = s.next;
    if (s.movedIndex >= -1) continue;
    s.movedIndex = marked(s.movedIndex);
    updateLeaf(s.tree, s.leaf);
    markMoved(s);
  }
}

/** After a fast motion a body's box is as long as that motion: in a heap it would stay paired with all others. */
function isTooLarge(s: Shape, sweptLo: v128, sweptHi: v128, motion: v128): bool {
  const spare = sub(sub(s.aabbMax, s.aabbMin), sub(sweptHi, sweptLo));
  const most = addScaled(splat(SPARE_MARGINS * world().aabbMargin), f32x4.abs(motion), STEPS_AHEAD);
  return !v128.all_true<i32>(f32x4.le(spare, most));
}

/** Sets the fat AABB; returns the margin. */
function fatten(s: Shape, lo: v128, hi: v128, motion: v128): f32 {
  const margin = world().aabbMargin;
  const ahead = scale(motion, STEPS_AHEAD);
  const m = vec3(margin, margin, margin);
  s.aabbMin = f32x4.replace_lane(sub(add(lo, f32x4.pmin(ahead, zero())), m), 3, 0);
  s.aabbMax = f32x4.replace_lane(add(add(hi, f32x4.pmax(zero(), ahead)), m), 3, 0);
  listBox(s);
  return margin;
}

/** Copies the shape's fat box to the table of boxes, where its size stays. */
function listBox(s: Shape): void {
  const box = boxAt(s.slot);
  box.min = f32x4.replace_lane(s.aabbMin, 3, w(box.min));
  box.max = f32x4.replace_lane(s.aabbMax, 3, w(box.max));
}

/** Enters the shape's fat box and its size, which never changes, into the table of boxes. */
export function enterBox(s: Shape): void {
  const box = boxAt(s.slot);
  const size = s.type < SHAPE_PLANE ? convexSize(s) : <f32>Infinity;
  box.min = f32x4.replace_lane(s.aabbMin, 3, -size);
  box.max = f32x4.replace_lane(s.aabbMax, 3, size);
}

/** For shapes that are new or were moved by the user: AABB from the pose, no motion. */
export function resetAabb(s: Shape): void {
  shapeAabb(s, AABB);
  enterBox(s); // fatten keeps the size
  fatten(s, v128.load(AABB), v128.load(AABB, 16), zero());
}

export function markMoved(s: Shape): void {
  const g = world();
  if (s.movedIndex >= 0) return;
  growTable(offsetof<World>('moved'), g.movedCount + 1, 4);
  s.movedIndex = g.movedCount;
  setWord(g.moved, g.movedCount++, s.slot);
}
