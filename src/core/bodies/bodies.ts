// Adds and removes bodies and shapes. In: the fields of validated commands. Out: records in their slots, leaves in the
// trees, neighbours woken.
import { insertLeaf, removeLeaf } from '../broadphase/tree';
import { destroyPair, updatePairMaterial } from '../contacts/pairs';
import {
  enterAwakeList,
  leaveAwakeList,
  restBody,
  settleInTree,
  treeOf,
  wakeBody,
  wakeNeighbours,
} from '../islands/wake';
import { add, cross, length, rotate, sub, zero } from '../math/vector';
import { reallocate } from '../memory/allocator';
import {
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  BODY_LOST,
  BODY_MOVED,
  BODY_STATIC,
  BODY_TELEPORTED,
  BODY_TURNED,
  BODY_USED,
  DISABLE_DEACTIVATION,
  DISABLE_SIMULATION,
  ISLAND_SLEEPING,
  LIST_SOLVED,
  LIST_WAITING,
  PAIR_STALE,
  SHAPE_AREA,
  SHAPE_CARRIES,
  SHAPE_ONE_WAY,
  SHAPE_OWN_FILTER,
  SHAPE_USED,
} from '../memory/constants';
import { BlockMeta, Body, Pair, Shape } from '../memory/records';
import {
  AREA_SIZE,
  BODY_SIZE,
  BOX_SIZE,
  bodyAt,
  grownCapacity,
  metaAt,
  POSE_SIZE,
  pairAt,
  poseAt,
  SHAPE_SIZE,
  SURFACE_SIZE,
  setMotion,
  shapeAt,
  VELOCITY_SIZE,
  velocityAt,
  waitingAt,
  wordAt,
  world,
} from '../memory/tables';
import { outerRadius } from '../shapes/aabb';
import { AREAS, dropTrait, SURFACES } from '../shapes/traits';
import { forgetImpulsesOf, removeJointsOf } from '../solver/joints/table';
import { setLaneWord, writeMaterial } from '../solver/lanes';
import { markMoved, resetAabb } from './aabbs';
import { changesFastMotion, updateFastMotion } from './fast';
import { originOf, placeShape, placeShapes, publishPose } from './finalize';
import { updateInverseMass } from './massProperties';

export function reserveBody(slot: i32): void {
  const g = world();
  if (slot >= g.bodyCapacity) {
    const capacity = grownCapacity(g.bodyCapacity, slot + 1);
    const old = <usize>g.bodyCapacity;
    g.bodies = reallocate(g.bodies, old * BODY_SIZE, <usize>capacity * BODY_SIZE);
    g.velocities = reallocate(g.velocities, old * VELOCITY_SIZE, <usize>capacity * VELOCITY_SIZE);
    g.poses = reallocate(g.poses, old * POSE_SIZE, <usize>capacity * POSE_SIZE);
    g.motions = reallocate(g.motions, old << 4, (<usize>capacity) << 4);
    g.islands = reallocate(g.islands, old << 2, (<usize>capacity) << 2);
    g.bodyCapacity = capacity;
  }
  if (slot >= g.bodyEnd) g.bodyEnd = slot + 1;
}

export function reserveShape(slot: i32): void {
  const g = world();
  if (slot >= g.shapeCapacity) {
    const capacity = grownCapacity(g.shapeCapacity, slot + 1);
    g.shapes = reallocate(g.shapes, <usize>g.shapeCapacity * SHAPE_SIZE, <usize>capacity * SHAPE_SIZE);
    g.boxes = reallocate(g.boxes, <usize>g.shapeCapacity * BOX_SIZE, <usize>capacity * BOX_SIZE);
    g.shapeCapacity = capacity;
  }
  if (slot >= g.shapeEnd) g.shapeEnd = slot + 1;
}

/** Adds the record, filled by the command decoder, to the lists of the world. */
export function enterBody(b: Body): void {
  world().bodyCount++;
  b.flags |= BODY_USED;
  b.firstPair = -1;
  b.awakeIndex = -1;
  setMotion(b.slot, zero(), 0);
  updateInverseMass(b);
  updateFastMotion(b);
  if (b.type == BODY_KINEMATIC) enterAwakeList(b);
  else if (b.type == BODY_DYNAMIC && b.activation != ISLAND_SLEEPING && b.activation != DISABLE_SIMULATION)
    enterAwakeList(b);
  publishPose(b);
}

export function enterShape(s: Shape): void {
  world().shapeCount++;
  s.flags |= SHAPE_USED;
  s.movedIndex = -1;
  const b = bodyAt(s.body);
  copyFilter(b, s);
  appendShape(b, s.slot);
  b.boundingRadius = max(b.boundingRadius, turningRadius(b, s));
  b.slack = -1;
  placeShape(s, b, originOf(b));
  resetAabb(s);
  s.tree = treeOf(b);
  s.leaf = insertLeaf(s.tree, s.slot);
  markMoved(s);
  if (changesFastMotion(b, s)) updateFastMotion(b);
}

/** m per radian. How far rotation about the centre of mass can move the shape's surface. */
function turningRadius(b: Body, s: Shape): f32 {
  return length(sub(s.localPosition, b.centerOfMass)) + outerRadius(s);
}

function updateBoundingRadius(b: Body): void {
  let radius: f32 = 0;
  let slot = b.firstShape;
  while (slot != 0) {
    const s = shapeAt(slot);
    radius = max(radius, turningRadius(b, s));
    slot = s.next;
  }
  b.boundingRadius = radius;
  updateFastMotion(b);
}

function appendShape(b: Body, slot: i32): void {
  if (b.firstShape == 0) {
    b.firstShape = slot;
    return;
  }
  // Shapes mostly follow each other: the one added last stands last in the list of what moved, too.
  const g = world();
  let at = g.movedCount > 0 ? wordAt(g.moved, g.movedCount - 1) : b.firstShape;
  if (shapeAt(at).body != b.slot) at = b.firstShape;
  while (shapeAt(at).next != 0) at = shapeAt(at).next;
  shapeAt(at).next = slot;
}

export function removeShape(slot: i32): void {
  const s = shapeAt(slot);
  const b = bodyAt(s.body);
  wakeBody(b.slot);
  wakeNeighbours(b);
  destroyPairsOf(b, slot);
  if (b.firstShape == slot) {
    b.firstShape = s.next;
  } else {
    let at = b.firstShape;
    while (shapeAt(at).next != slot) at = shapeAt(at).next;
    shapeAt(at).next = s.next;
  }
  forgetShape(s);
  updateBoundingRadius(b);
}

function forgetShape(s: Shape): void {
  const g = world();
  if (s.tree >= 0) removeLeaf(s.tree, s.leaf);
  if (s.movedIndex >= 0) {
    const last = wordAt(g.moved, --g.movedCount);
    store<i32>(<usize>g.moved + ((<usize>s.movedIndex) << 2), last);
    shapeAt(last).movedIndex = s.movedIndex;
  }
  g.shapeCount--;
  if (s.flags & (SHAPE_CARRIES | SHAPE_ONE_WAY)) dropTrait(SURFACES, SURFACE_SIZE, s.slot);
  if (s.flags & SHAPE_AREA) dropTrait(AREAS, AREA_SIZE, s.slot);
  memory.fill(changetype<usize>(s), 0, SHAPE_SIZE);
}

/** Destroys the pairs of one shape of the body, or of all shapes (0). */
function destroyPairsOf(b: Body, shape: i32): void {
  let link = b.firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    const next = link & 1 ? pair.nextB : pair.nextA;
    if (shape == 0 || pair.shapeA == shape || pair.shapeB == shape) destroyPair(link >> 1);
    link = next;
  }
}

export function removeBody(slot: i32): void {
  const b = bodyAt(slot);
  wakeBody(slot); // removes it from the circular list of its island
  wakeNeighbours(b);
  removeJointsOf(b);
  destroyPairsOf(b, 0);
  let at = b.firstShape;
  while (at != 0) {
    const s = shapeAt(at);
    at = s.next;
    forgetShape(s);
  }
  leaveAwakeList(b);
  memory.fill(changetype<usize>(b), 0, BODY_SIZE);
  memory.fill(changetype<usize>(velocityAt(slot)), 0, VELOCITY_SIZE);
  memory.fill(changetype<usize>(poseAt(slot)), 0, POSE_SIZE);
  world().bodyCount--;
}

/**
 * The user sets a velocity. Those with which a kinematic body came to its target in the last step are over, so the other one
 * is not kept.
 */
export function leaveTarget(b: Body): void {
  if (!(b.flags & BODY_TURNED)) return;
  b.flags &= ~BODY_TURNED;
  velocityAt(b.slot).linear = zero();
  velocityAt(b.slot).angular = zero();
}

/** The user moved the body: nothing from its old place may be reused. */
export function teleported(b: Body): void {
  b.flags |= BODY_TELEPORTED;
  b.slack = -1;
  wakeBody(b.slot);
  wakeNeighbours(b);
  placeShapes(b);
  let slot = b.firstShape;
  while (slot != 0) {
    const s = shapeAt(slot);
    resetAabb(s);
    removeLeaf(s.tree, s.leaf);
    s.leaf = insertLeaf(s.tree, s.slot);
    markMoved(s);
    slot = s.next;
  }
  invalidatePairs(b);
  publishPose(b);
}

/** For bodies stopped in this step (finalize.ts): the state of their contacts and joints is invalid, too. */
export function placeLost(): void {
  for (let slot = 1; slot < world().bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_LOST)) continue;
    b.flags &= ~BODY_LOST;
    destroyPairsOf(b, 0);
    forgetImpulsesOf(b);
    teleported(b);
  }
}

/** The narrow phase must test each pair of the body again. */
export function invalidatePairs(b: Body): void {
  let link = b.firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    link = link & 1 ? pair.nextB : pair.nextA;
    if (pair.list == LIST_WAITING) waitingAt(pair.index).gap = 0;
    pair.flags |= PAIR_STALE;
    pair.travel = -1;
    if (pair.list == LIST_SOLVED) {
      setLaneWord(
        changetype<usize>(metaAt(pair.index >> 2)) + offsetof<BlockMeta>('recycleShare'),
        pair.index & 3,
        0,
      );
    }
  }
}

/** After changes of the coefficients of a shape or of combine rules: updates pairs and existing contacts. */
export function refreshMaterials(b: Body): void {
  let link = b.firstPair;
  while (link >= 0) {
    const pair = pairAt(link >> 1);
    link = link & 1 ? pair.nextB : pair.nextA;
    refreshMaterial(pair);
    for (let child = pair.firstChild; child >= 0; child = pairAt(child).next) refreshMaterial(pairAt(child));
  }
}

function refreshMaterial(pair: Pair): void {
  updatePairMaterial(pair);
  if (pair.list == LIST_SOLVED) writeMaterial(pair);
}

export function copyFilter(b: Body, s: Shape): void {
  if (s.flags & SHAPE_OWN_FILTER) return;
  s.group = b.group;
  s.mask = b.mask;
}

/** After a change of filter or type: finds the pairs again. */
export function rebuildPairs(b: Body): void {
  wakeBody(b.slot);
  wakeNeighbours(b);
  destroyPairsOf(b, 0);
  let slot = b.firstShape;
  while (slot != 0) {
    const s = shapeAt(slot);
    copyFilter(b, s);
    markMoved(s);
    slot = s.next;
  }
}

export function changeType(b: Body, type: i32): void {
  rebuildPairs(b);
  // What was meant for a kinematic body: a target, and to stand still at one.
  if (b.type != type) b.flags &= ~(BODY_MOVED | BODY_TURNED);
  b.type = type;
  if (type == BODY_STATIC) {
    leaveAwakeList(b);
    velocityAt(b.slot).linear = zero();
    velocityAt(b.slot).angular = zero();
  } else {
    if (b.activation == ISLAND_SLEEPING) b.activation = 1;
    b.islandNext = 0;
    const out = type == BODY_DYNAMIC && b.activation == DISABLE_SIMULATION;
    if (!out) enterAwakeList(b);
    else if (b.awakeIndex >= 0) restBody(b);
  }
  settleInTree(b);
  updateInverseMass(b);
  updateFastMotion(b);
  publishPose(b);
}

export function setActivationState(b: Body, state: i32, force: bool): void {
  if (!force && (b.activation == DISABLE_DEACTIVATION || b.activation == DISABLE_SIMULATION)) return;
  if (b.type != BODY_DYNAMIC) {
    b.activation = state;
    return;
  }
  if (state == ISLAND_SLEEPING || state == DISABLE_SIMULATION) {
    if (state == b.activation) return;
    wakeBody(b.slot); // leaves its old island
    b.activation = state;
    b.islandNext = 0;
    if (b.awakeIndex >= 0) restBody(b);
    return;
  }
  if (b.activation == DISABLE_SIMULATION) b.activation = ISLAND_SLEEPING;
  wakeBody(b.slot);
  b.activation = state;
  b.sleepTime = 0;
}

/** Sets the pose of the body's origin. */
export function setPose(b: Body, position: v128, rotation: v128): void {
  b.rotation = rotation;
  b.position = add(position, rotate(rotation, b.centerOfMass));
}

/**
 * Changes the centre of mass; the body stays where it is, and each of its points keeps its velocity: the linear velocity is
 * that of the centre. A locked direction gets none, because nothing could stop it there.
 */
export function setCenterOfMass(b: Body, center: v128): void {
  const shift = rotate(b.rotation, sub(center, b.centerOfMass));
  const v = velocityAt(b.slot);
  v.linear = add(v.linear, v128.and(cross(v.angular, shift), f32x4.ne(b.linearFactor, zero())));
  b.centerOfMass = center;
  b.position = add(b.position, shift);
  placeShapes(b);
  publishPose(b); // the same place, with the rounding that it has from now on
  updateBoundingRadius(b);
}
