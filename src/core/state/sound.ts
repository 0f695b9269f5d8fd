// Checks whether a state is valid ("sound"), that is, whether a step can rely on it. In: all tables, after a restore or
// a step. Out: 0, or the number of the fault, by area: 100 settings, 200 bodies, 300 shapes, 400 lists, 500 pairs
// (soundPairs.ts), 600 manifolds (soundManifolds.ts), 700 joints (soundJoints.ts), 800 trees (soundTrees.ts), 900
// actors (soundActors.ts). Restore accepts only valid states, and tests check states after steps. The readers of a snapshot check only the references
// that they follow themselves (links.ts).

import { rotate, sub, w } from '../math/vector';
import {
  MOST_BOUND,
  MOST_COEFFICIENT,
  MOST_COORDINATE,
  MOST_FORCE,
  MOST_INVERSE,
  MOST_MASS,
  MOST_SETTING,
  MOST_SIZE,
  MOST_SPEED,
  MOST_TRAVEL,
} from '../memory/bounds';
import {
  AREA_ACTS,
  BODY_DYNAMIC,
  BODY_FAST,
  BODY_ISOTROPIC,
  BODY_KINEMATIC,
  BODY_MOVED,
  BODY_NO_RESPONSE,
  BODY_RATTLE,
  BODY_STATIC,
  BODY_TELEPORTED,
  BODY_TURNED,
  BODY_USED,
  COMBINE_GEOMETRIC_MEAN,
  DISABLE_SIMULATION,
  ISLAND_SLEEPING,
  ROLLING_CROSS_FRICTION,
  ROLLING_FIRST_RULE,
  SHAPE_AREA,
  SHAPE_BARE_TO_BALLS,
  SHAPE_CARRIES,
  SHAPE_CONE,
  SHAPE_FRICTION_RULE_SHIFT,
  SHAPE_HEIGHTFIELD,
  SHAPE_MESH,
  SHAPE_NO_RESPONSE,
  SHAPE_ONE_WAY,
  SHAPE_OWN_FILTER,
  SHAPE_PLANE,
  SHAPE_PRIORITY_SHIFT,
  SHAPE_RESTITUTION_RULE_SHIFT,
  SHAPE_SENSES_STATIC,
  SHAPE_TYPE_COUNT,
  SHAPE_USED,
} from '../memory/constants';
import { Area, Body, BodyPose, BodyVelocity, Shape, Surface } from '../memory/records';
import {
  AREA_SIZE,
  BODY_SIZE,
  bodyAt,
  motionOf,
  poseAt,
  SHAPE_SIZE,
  SURFACE_SIZE,
  scratch,
  shapeAt,
  VELOCITY_SIZE,
  velocityAt,
  wordAt,
  world,
} from '../memory/tables';
import { actorsFault } from './soundActors';
import { jointFault } from './soundJoints';
import { manifoldFault } from './soundManifolds';
import { areWithin, isEmpty, isUnit, isWithin, MOST_GENERATIONS } from './soundNumbers';
import { pairFault } from './soundPairs';
import { treeFault } from './soundTrees';

/** Trees of awake bodies and of all others: islands/wake.ts. */
const MOVING_TREE = 0;
const RESTING_TREE = 1;
/** Limits of src/options/settings.ts that bound the loops of a step. */
const MOST_SUBSTEPS = 64;
const MOST_ITERATIONS = 1000;

export function findFault(): i32 {
  let fault = settingsFault();
  if (fault == 0) fault = bodiesFault();
  if (fault == 0) fault = shapesFault();
  if (fault == 0) fault = surfacesFault();
  if (fault == 0) fault = areasFault();
  if (fault == 0) fault = actorsFault();
  if (fault == 0) fault = listsFault();
  if (fault == 0) fault = jointFault();
  if (fault == 0) fault = pairFault();
  if (fault == 0) fault = manifoldFault();
  return fault == 0 ? treeFault() : fault;
}

// --- the world ---

/** @inline */
function isFlag(value: i32): bool {
  return <u32>value <= 1;
}
/** @inline */
function isRule(value: i32): bool {
  return <u32>value <= <u32>COMBINE_GEOMETRIC_MEAN;
}
/** @inline */
function isSetting(value: f32): bool {
  return isWithin(value, 0, MOST_SETTING);
}

function settingsFault(): i32 {
  const g = world();
  if (!areWithin(g.gravity, MOST_COEFFICIENT) || w(g.gravity) != 0) return 101;
  if (<u32>(g.substeps - 1) >= <u32>MOST_SUBSTEPS) return 102;
  if (<u32>g.iterations > <u32>MOST_ITERATIONS || <u32>g.relaxIterations > <u32>MOST_ITERATIONS) return 103;
  if (!isRule(g.frictionCombine) || !isRule(g.restitutionCombine)) return 104;
  if (g.rollingFrictionCombine != ROLLING_CROSS_FRICTION)
    if (!isRule(g.rollingFrictionCombine - ROLLING_FIRST_RULE)) return 104;
  if (!isFlag(g.frictionWithBias) || !isFlag(g.contactErpMode) || !isFlag(g.sleepingEnabled)) return 105;
  if (!isFlag(g.gyroscopic) || !isFlag(g.parabolicFlight) || !isFlag(g.continuous)) return 106;
  if (!isSetting(g.contactHertz) || !isSetting(g.contactDampingRatio) || !isSetting(g.staticStiffness))
    return 107;
  if (!isSetting(g.contactPushSpeed) || !isSetting(g.contactSlop) || !isSetting(g.restitutionThreshold))
    return 108;
  if (!isSetting(g.contactBreakingThreshold) || !isSetting(g.recycleDistance) || !isSetting(g.aabbMargin))
    return 109;
  if (!isSetting(g.sleepDistance)) return 115;
  if (!isSetting(g.deactivationTime) || !isSetting(g.contactCfm)) return 110;
  if (!isWithin(g.contactErp, 0, 1) || !isWithin(g.warmstartingFactor, 0, 1)) return 111;
  if (!isWithin(g.recycleAngleCosine, 0, 1)) return 112;
  if (g.contactHertz == 0 || g.staticStiffness == 0 || g.contactBreakingThreshold == 0) return 113;
  return g.stepCount < 0 ? 114 : 0;
}

// --- bodies ---

function bodiesFault(): i32 {
  const g = world();
  // Slot 0 is the dummy for everything that cannot move.
  const none = changetype<usize>(bodyAt(0));
  const rotation = offsetof<Body>('rotation');
  if (!isEmpty(none, rotation) || !isEmpty(none + rotation + 16, BODY_SIZE - rotation - 16)) return 201;
  if (!isUnit(bodyAt(0).rotation)) return 202;
  if (!isEmpty(changetype<usize>(velocityAt(0)), VELOCITY_SIZE)) return 203;
  let used = 0;
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const b = bodyAt(slot);
    if (!(b.flags & BODY_USED)) {
      if (!isEmpty(changetype<usize>(b), BODY_SIZE)) return 204;
      if (!isEmpty(changetype<usize>(velocityAt(slot)), offsetof<BodyVelocity>('deltaPosition'))) return 204;
      if (!isEmpty(changetype<usize>(velocityAt(slot)) + offsetof<BodyVelocity>('forceLinear'), 32))
        return 204;
      continue;
    }
    used++;
    const fault = bodyFault(b, slot);
    if (fault != 0) return fault;
  }
  return used == g.bodyCount ? 0 : 205;
}

/** The part of a BodyVelocity that is empty between steps for bodies that are not awake. */
const OF_ONE_STEP = offsetof<BodyVelocity>('deltaPosition');

/** Whether the published pose is the one that a restore would publish: programs use it. */
function isPublished(b: Body): bool {
  const pose = changetype<usize>(poseAt(b.slot));
  const origin = sub(b.position, rotate(b.rotation, b.centerOfMass));
  const position = v128.xor(v128.load(pose), origin);
  const rotation = v128.xor(v128.load(pose, offsetof<BodyPose>('qx')), b.rotation);
  return !v128.any_true(v128.or(v128.and(position, i32x4(-1, -1, -1, 0)), rotation));
}

const SHAPE_FLAGS =
  SHAPE_USED |
  SHAPE_NO_RESPONSE |
  SHAPE_SENSES_STATIC |
  SHAPE_BARE_TO_BALLS |
  SHAPE_OWN_FILTER |
  SHAPE_CARRIES |
  SHAPE_ONE_WAY |
  SHAPE_AREA |
  (63 << SHAPE_FRICTION_RULE_SHIFT) |
  (255 << SHAPE_PRIORITY_SHIFT);

/** Whether the shape's own combine rule is valid; 0: none. @inline */
function isOwnRule(s: Shape, shift: i32): bool {
  return ((s.flags >> shift) & 7) <= COMBINE_GEOMETRIC_MEAN + 1;
}

const BODY_FLAGS =
  BODY_USED |
  BODY_ISOTROPIC |
  BODY_FAST |
  BODY_NO_RESPONSE |
  BODY_MOVED |
  BODY_TELEPORTED |
  BODY_TURNED |
  BODY_RATTLE;

function bodyFault(b: Body, slot: i32): i32 {
  const g = world();
  if (b.slot != slot || <u32>b.generation >= <u32>MOST_GENERATIONS) return 210;
  if (
    <u32>b.type > <u32>BODY_DYNAMIC ||
    b.flags & ~BODY_FLAGS ||
    <u32>(b.activation - 1) >= <u32>DISABLE_SIMULATION
  )
    return 211;
  if (!areWithin(b.position, MOST_COORDINATE) || !isUnit(b.rotation)) return 212;
  if (!areWithin(b.force, MOST_FORCE) || !areWithin(b.torque, MOST_FORCE)) return 213;
  if (!areWithin(b.invMass, MOST_INVERSE) || !areWithin(b.invInertiaLocal, MOST_INVERSE)) return 214;
  if (!v128.all_true<i32>(f32x4.ge(b.invInertiaLocal, f32x4.splat(0))) || !isUnit(b.principal)) return 215;
  if (!areWithin(b.centerOfMass, MOST_COORDINATE)) return 216;
  if (!areWithin(b.linearFactor, MOST_COEFFICIENT) || !areWithin(b.angularFactor, MOST_COEFFICIENT))
    return 217;
  if (!areWithin(b.targetPosition, MOST_COORDINATE) || !areWithin(b.targetRotation, 2)) return 218;
  if (b.flags & BODY_MOVED && !isUnit(b.targetRotation)) return 218;
  if (!areWithin(b.restPosition, MOST_COORDINATE) || !isUnit(b.restRotation)) return 237;
  if (!areWithin(b.rotationRest, 1) || !areWithin(b.angularRest, MOST_COORDINATE)) return 219;
  if (!isWithin(b.mass, 0, MOST_MASS) || (b.type == BODY_DYNAMIC && b.mass == 0)) return 220;
  if (!isWithin(b.gravityScale, -MOST_SETTING, MOST_SETTING)) return 221;
  if (!isWithin(b.linearDamping, 0, 1) || !isWithin(b.angularDamping, 0, 1)) return 222;
  if (!isSetting(b.linearSleepThreshold) || !isSetting(b.angularSleepThreshold)) return 223;
  if (
    !isWithin(b.sleepTime, 0, 1e12) ||
    !isWithin(b.restTime, 0, 1e12) ||
    !isWithin(b.boundingRadius, 0, MOST_SIZE)
  )
    return 224;
  if (!isSetting(b.ccdMotionThreshold) || !isSetting(b.ccdSweptSphereRadius)) return 225;
  if (!(b.travel >= 0 && b.travel <= MOST_TRAVEL) || !isWithin(b.slack, -1e30, 1e30)) return 226;
  for (let at = offsetof<Body>('slack') + 4; at < offsetof<Body>('travel'); at += 4)
    if (load<i32>(changetype<usize>(b) + at) != 0) return 239; // padding
  if (!isWithin(b.innerRadius, 0, MOST_SIZE) || !(b.fastMotion >= 0)) return 227;
  const v = velocityAt(slot);
  if (!areWithin(v.linear, MOST_SPEED) || !areWithin(v.angular, MOST_SPEED)) return 228;
  if (!areWithin(v.forceLinear, MOST_SPEED) || !areWithin(v.forceAngular, MOST_SPEED) || b.ccdIndex != 0)
    return 229;
  // Kinematic bodies are always awake, static ones never.
  const awake = b.awakeIndex >= 0;
  if (awake && !(b.awakeIndex < g.awakeCount && wordAt(g.awake, b.awakeIndex) == slot)) return 230;
  if (awake ? b.type == BODY_STATIC : b.type == BODY_KINEMATIC) return 231;
  if (
    b.type == BODY_DYNAMIC &&
    awake == (b.activation == ISLAND_SLEEPING || b.activation == DISABLE_SIMULATION)
  )
    return 232;
  // A body that is not awake does not move.
  if (!awake && v128.any_true(motionOf(slot))) return 236;
  // Fields used within a step must be empty: awake neighbours may read them (bodies/fast.ts, continuous/path.ts).
  if (!awake && !isEmpty(changetype<usize>(v) + OF_ONE_STEP, VELOCITY_SIZE - OF_ONE_STEP)) return 240;
  if (!isPublished(b)) return 241;
  if (!(awake && b.type == BODY_DYNAMIC)) {
    const inertia = v128.or(b.invInertiaA, b.invInertiaB);
    if (v128.any_true(v128.or(b.invMass, inertia))) return 235;
  }
  // Sleeping islands are circular lists.
  if (b.islandNext == 0) return 0;
  if (awake || b.type != BODY_DYNAMIC || <u32>b.islandNext >= <u32>g.bodyEnd) return 233;
  const next = bodyAt(b.islandNext);
  return next.flags & BODY_USED && next.islandNext != 0 ? 0 : 234;
}

// --- shapes ---

function shapesFault(): i32 {
  const g = world();
  let used = 0;
  let listed = 0;
  if (!isEmpty(changetype<usize>(shapeAt(0)), SHAPE_SIZE)) return 300;
  for (let slot = 1; slot < g.shapeEnd; slot++) {
    const s = shapeAt(slot);
    if (!(s.flags & SHAPE_USED)) {
      if (!isEmpty(changetype<usize>(s), SHAPE_SIZE)) return 301;
      continue;
    }
    used++;
    const fault = shapeFault(s, slot);
    if (fault != 0) return fault;
  }
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    if (!(bodyAt(slot).flags & BODY_USED)) continue;
    for (let at = bodyAt(slot).firstShape; at != 0; at = shapeAt(at).next) {
      if (<u32>at >= <u32>g.shapeEnd || shapeAt(at).body != slot || ++listed > used) return 302;
    }
  }
  return used == g.shapeCount && listed == used ? 0 : 303;
}

function shapeFault(s: Shape, slot: i32): i32 {
  const g = world();
  if (s.slot != slot || <u32>s.generation >= <u32>MOST_GENERATIONS) return 310;
  if (<u32>s.type >= <u32>SHAPE_TYPE_COUNT || s.flags & ~SHAPE_FLAGS) return 311;
  if (<u32>(s.body - 1) >= <u32>(g.bodyEnd - 1) || !(bodyAt(s.body).flags & BODY_USED)) return 312;
  const b = bodyAt(s.body);
  if (s.tree != (b.awakeIndex >= 0 ? MOVING_TREE : RESTING_TREE)) return 313;
  if (!(s.flags & SHAPE_OWN_FILTER) && (s.group != b.group || s.mask != b.mask)) return 313;
  if (!isOwnRule(s, SHAPE_FRICTION_RULE_SHIFT) || !isOwnRule(s, SHAPE_RESTITUTION_RULE_SHIFT)) return 325;
  if (!areWithin(s.localPosition, MOST_COORDINATE) || !isUnit(s.localRotation)) return 314;
  if (!areWithin(s.position, <f32>4 * MOST_COORDINATE) || !isUnit(s.rotation)) return 315;
  if (!v128.all_true<i32>(f32x4.le(s.aabbMin, s.aabbMax))) return 316;
  if (!areWithin(s.aabbMin, MOST_BOUND) || !areWithin(s.aabbMax, MOST_BOUND)) return 316;
  if (!isSetting(s.friction) || !isWithin(s.restitution, 0, 1)) return 317;
  if (!isSetting(s.rollingFriction) || !isSetting(s.spinningFriction)) return 318;
  if (!isWithin(s.margin, 0, MOST_SIZE) || !isWithin(s.radius, 0, MOST_BOUND)) return 319;
  const params = v128.load(changetype<usize>(s), offsetof<Shape>('param0'));
  if (!areWithin(params, <f32>1e8)) return 320;
  const scaled = s.type == SHAPE_MESH || s.type == SHAPE_HEIGHTFIELD;
  if (s.type <= SHAPE_CONE && !v128.all_true<i32>(f32x4.ge(params, f32x4.splat(0)))) return 321;
  if (scaled && (s.param0 == 0 || s.param1 == 0 || s.param2 == 0)) return 322;
  if ((s.geometrySlot == 0) != (s.geometry == 0)) return 323;
  return s.movedIndex < 0 || (s.movedIndex < g.movedCount && wordAt(g.moved, s.movedIndex) == slot) ? 0 : 324;
}

/** Rows are sorted by shape, one for each shape with the flags of a surface. */
function surfacesFault(): i32 {
  const g = world();
  let rows = 0;
  for (let slot = 1; slot < g.shapeEnd; slot++) {
    const flags = shapeAt(slot).flags & (SHAPE_CARRIES | SHAPE_ONE_WAY);
    if (flags == 0) continue;
    if (rows >= g.surfaceCount) return 330;
    const row = <usize>g.surfaces + <usize>rows * SURFACE_SIZE;
    rows++;
    if (load<i32>(row) != slot) return 331;
    const linear = v128.load(row, offsetof<Surface>('linearX'));
    const angular = v128.load(row, offsetof<Surface>('angularX'));
    const way = v128.load(row, offsetof<Surface>('wayX'));
    if (!areWithin(linear, MOST_SPEED) || !areWithin(angular, MOST_SPEED) || !areWithin(way, 2)) return 332;
  }
  return rows == g.surfaceCount && g.surfaceCount <= g.surfaceCapacity ? 0 : 333;
}

/** The same for areas. */
function areasFault(): i32 {
  const g = world();
  let rows = 0;
  for (let slot = 1; slot < g.shapeEnd; slot++) {
    const s = shapeAt(slot);
    if (!(s.flags & SHAPE_AREA)) continue;
    if (rows >= g.areaCount) return 340;
    const area = changetype<Area>(<usize>g.areas + <usize>rows * AREA_SIZE);
    rows++;
    if (area.shape != slot || s.type > SHAPE_PLANE || !(s.flags & SHAPE_NO_RESPONSE)) return 341;
    if (!(area.flags & AREA_ACTS) || abs<i32>(area.priority) > 100) return 342;
    const at = changetype<usize>(area);
    if (!areWithin(v128.load(at, offsetof<Area>('gravityX')), MOST_SPEED)) return 343;
    if (!areWithin(v128.load(at, offsetof<Area>('velocityX')), MOST_SPEED)) return 344;
    if (!isSetting(area.distance) || !isSetting(area.linearDrag) || !isSetting(area.quadraticDrag))
      return 345;
    if (!isSetting(area.angularDrag) || !isSetting(area.density)) return 346;
    if (!isWithin(area.level, -MOST_COORDINATE, MOST_COORDINATE)) return 347;
  }
  return rows == g.areaCount && g.areaCount <= g.areaCapacity ? 0 : 348;
}

// --- lists ---

function listsFault(): i32 {
  const g = world();
  if (g.awakeCount > g.awakeCapacity || g.movedCount > g.movedCapacity) return 401;
  for (let i = 0; i < g.awakeCount; i++) {
    const slot = wordAt(g.awake, i);
    if (<u32>(slot - 1) >= <u32>(g.bodyEnd - 1) || bodyAt(slot).awakeIndex != i) return 402;
    if (!(bodyAt(slot).flags & BODY_USED)) return 403;
  }
  for (let i = 0; i < g.movedCount; i++) {
    const slot = wordAt(g.moved, i);
    if (<u32>(slot - 1) >= <u32>(g.shapeEnd - 1) || shapeAt(slot).movedIndex != i) return 404;
    if (!(shapeAt(slot).flags & SHAPE_USED)) return 405;
  }
  // In circular lists each member is the next of exactly one other.
  const seen = scratch(<usize>g.bodyEnd);
  memory.fill(seen, 0, <usize>g.bodyEnd);
  for (let slot = 1; slot < g.bodyEnd; slot++) {
    const next = bodyAt(slot).flags & BODY_USED ? bodyAt(slot).islandNext : 0;
    if (next == 0) continue;
    if (load<u8>(seen + <usize>next)) return 406;
    store<u8>(seen + <usize>next, 1);
  }
  return 0;
}
