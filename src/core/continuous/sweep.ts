// The obstacles that a CCD body may hit on the rest of its path. In: its entry, the trees. Out: the entry's next impact, or
// the sensors that it passes. The result does not depend on the order of the trees: each candidate is swept to the end
// of the step (pairImpact.ts), and the earliest impact wins; of equal ones that with the lowest shape slots.

import { sweepsAll } from '../bodies/fast';
import { turn } from '../bodies/finalize';
import { meetsNothing } from '../broadphase/filter';
import {
  CHILD,
  NODE_SIZE,
  overlapLanes,
  splatX,
  splatY,
  splatZ,
  TREE_COUNT,
  treeAt,
} from '../broadphase/nodes';
import { insertPending, startWalk } from '../broadphase/tree';
import { MOVING_TREE } from '../islands/wake';
import { add, length, mulQuat, rotate, splat, sub } from '../math/vector';
import {
  BODY_DYNAMIC,
  BODY_NO_RESPONSE,
  CCD_HELD,
  CCD_SENSES,
  SHAPE_NO_RESPONSE,
  SHAPE_PLANE,
} from '../memory/constants';
import { Body, CcdBody, Shape, Tree, TreeNode } from '../memory/records';
import { bodyAt, shapeAt, wordAt, world } from '../memory/tables';
import { Box, BoxLanes } from '../memory/values';
import { shapeAabb } from '../shapes/aabb';
import { convexSize } from '../shapes/shape';
import { IMPACT_DISTANCE } from '../tolerances';
import { mostOffset } from './contactOffset';
import { MARK, MEET, meet, SENSE, SENSED_COUNT, Visit } from './pairImpact';

const PLACED: usize = memory.data(offsetof<Shape>(), 16);

/** Sets the entry's next impact; `next` is above 1 if there is none. */
export function findImpact(e: CcdBody): void {
  e.next = 2;
  e.flags &= ~CCD_SENSES;
  if (e.time < 1) visitPath(e, MEET, 1);
}

/**
 * Lists up to MOST_SENSED sensors that the body passes before fraction `until` and that have no contact with it yet.
 */
export function findSensors(e: CcdBody, until: f32): i32 {
  store<i32>(SENSED_COUNT, 0);
  if (e.flags & CCD_SENSES) visitPath(e, SENSE, until);
  return load<i32>(SENSED_COUNT);
}

/** Marks the dynamic bodies that a kinematic body can hit, by Body.ccdIndex. Returns whether there are any. */
export function markInTheWay(e: CcdBody): bool {
  store<i32>(SENSED_COUNT, 0);
  visitPath(e, MARK, 1);
  return load<i32>(SENSED_COUNT) != 0;
}

/** Number of awake bodies, if sweeps of dynamic bodies can meet only the shapes listed in MET; otherwise −1. */
const FEW_AMONG: usize = memory.data(4, 4);
/** Shapes in the tree of what moves, of awake bodies that dynamic bodies are swept against: the sides of a drum. */
const MET: usize = memory.data(4 * 16, 4);
const MET_COUNT: usize = memory.data(4, 4);
/** Most shapes in MET: a drum with room to spare. With more, sweeps walk through the tree. */
const MOST_MET: i32 = 16;
/** Up to this number of awake bodies per CCD body, a look at each of them is faster than tree queries. */
const WORTH: i32 = 32;

/**
 * Dynamic CCD bodies are swept against stationary bodies; of the awake ones only kinematic bodies, sensors and bodies
 * with a motion threshold count. Bodies that wake during this stage increase the count of awake bodies.
 */
export function lookAmongAwake(): void {
  const g = world();
  const count = g.awakeCount;
  let found = 0;
  store<i32>(FEW_AMONG, -1);
  if (count > g.ccdCount * WORTH) return;
  for (let i = 0; i < count; i++) {
    const b = bodyAt(wordAt(g.awake, i));
    if (b.flags & BODY_NO_RESPONSE) return;
    for (let slot = b.firstShape; slot != 0; slot = shapeAt(slot).next) {
      const s = shapeAt(slot);
      if (s.flags & SHAPE_NO_RESPONSE) return;
      if (!isMet(b) || s.tree != MOVING_TREE) continue;
      if (found == MOST_MET) return;
      store<i32>(MET + (usize(found++) << 2), slot);
    }
  }
  store<i32>(MET_COUNT, found);
  store<i32>(FEW_AMONG, count);
}

/** Whether sweeps of dynamic bodies against the body make sense although it is awake; such bodies meet dynamic ones. */
function isMet(b: Body): bool {
  return b.type != BODY_DYNAMIC || sweepsAll(b) || (b.flags & BODY_NO_RESPONSE) != 0;
}

/** Whether the shape, of body b, meets of all that moves only what is listed in MET. */
function meetsFew(b: Body, s: Shape): bool {
  return (
    load<i32>(FEW_AMONG) == world().awakeCount &&
    b.awakeIndex >= 0 &&
    !isMet(b) &&
    !(s.flags & SHAPE_NO_RESPONSE)
  );
}

function visitPath(e: CcdBody, task: i32, until: f32): void {
  const b = bodyAt(e.slot);
  let slot = b.firstShape;
  while (slot != 0) {
    const s = shapeAt(slot);
    slot = s.next;
    if (s.type >= SHAPE_PLANE || meetsNothing(s)) continue;
    if (b.type == BODY_DYNAMIC) boundPath(e, b, s);
    else boundTurn(e, b, s);
    const visit = new Visit(e, b, s, task, until);
    const box = new Box(v128.load(BOUNDS), v128.load(BOUNDS, 16));
    for (let t = 0; t < TREE_COUNT; t++) {
      const tree = treeAt(t);
      insertPending(tree);
      if (t == MOVING_TREE && meetsFew(b, s)) visitFew(visit, box);
      else visitTree(tree, visit, box);
    }
  }
}

/** Bounds of the path of a shape, left in BOUNDS: its origin rotates about the centre of mass. */
function boundPath(e: CcdBody, b: Body, s: Shape): void {
  const arm = length(sub(s.localPosition, b.centerOfMass));
  const offset = e.flags & CCD_HELD ? mostOffset(b) : length(e.contactOffset);
  const reach = splat(arm + convexSize(s) + IMPACT_DISTANCE + offset);
  const end = add(e.position, e.delta);
  v128.store(BOUNDS, sub(f32x4.pmin(e.position, end), reach));
  v128.store(BOUNDS, add(f32x4.pmax(e.position, end), reach), 16);
}

const BOUNDS: usize = memory.data(32, 16);

/**
 * The same for a shape that may be large and far from its centre of rotation, such as a blade of a drum: bounds of both
 * ends, plus the height of the arc.
 */
function boundTurn(e: CcdBody, b: Body, s: Shape): void {
  const angle = length(e.turn);
  memory.copy(PLACED, changetype<usize>(s), offsetof<Shape>());
  const here = changetype<Shape>(PLACED);
  const arm = sub(s.localPosition, b.centerOfMass);
  here.position = add(e.position, rotate(e.rotation, arm));
  here.rotation = mulQuat(e.rotation, s.localRotation);
  shapeAabb(here, BOUNDS);
  const lo = v128.load(BOUNDS);
  const hi = v128.load(BOUNDS, 16);
  const rotation = turn(e.rotation, e.turn);
  here.position = add(add(e.position, e.delta), rotate(rotation, arm));
  here.rotation = mulQuat(rotation, s.localRotation);
  const height = min<f32>(2, <f32>0.125 * angle * angle); // no two points of a circle are farther apart than 2 radii
  const room = splat(IMPACT_DISTANCE + height * (length(arm) + convexSize(s)));
  shapeAabb(here, BOUNDS);
  v128.store(BOUNDS, sub(f32x4.pmin(lo, v128.load(BOUNDS)), room));
  v128.store(BOUNDS, add(f32x4.pmax(hi, v128.load(BOUNDS, 16)), room), 16);
}

/** Visits the listed shapes. In any order: of equal impacts the lower slots win. None of them is of the swept body (meetsFew). */
function visitFew(v: Visit, box: Box): void {
  for (let i = 0; i < load<i32>(MET_COUNT); i++) {
    const o = shapeAt(load<i32>(MET + ((<usize>i) << 2)));
    const overlaps = v128.and(f32x4.le(o.aabbMin, box.max), f32x4.ge(o.aabbMax, box.min));
    if ((i32x4.bitmask(overlaps) & 7) == 7) meet(v, o);
  }
}

function visitTree(tree: Tree, v: Visit, box: Box): void {
  if (tree.leafCount == 0) return;
  const lanes = new BoxLanes(
    splatX(box.min),
    splatY(box.min),
    splatZ(box.min),
    splatX(box.max),
    splatY(box.max),
    splatZ(box.max),
  );
  const stack = <usize>tree.stack;
  let top = startWalk(tree);
  while (top != stack) {
    top -= 4;
    const node = <usize>tree.nodes + <usize>load<i32>(top) * NODE_SIZE;
    let hits = overlapLanes(changetype<TreeNode>(node), lanes);
    while (hits != 0) {
      const child = load<i32>(node + ((<usize>ctz(hits)) << 2), CHILD);
      hits &= hits - 1;
      if (child > 0) {
        store<i32>(top, child);
        top += 4;
      } else if (shapeAt(-child).body != v.e.slot) {
        meet(v, shapeAt(-child));
      }
    }
  }
}
