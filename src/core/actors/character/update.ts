// A character's step: it is swept by what its user wants, stopped and led by what stands in its way. In: its row, and the
// world at the end of a step. Out: its row, the new place of its body, impulses on bodies that it pushes.
//
// An update looks once at everything nearby, as planes. Walking is a problem of planes across `up` (whatever is too steep
// is a wall, whatever its height), climbing is what the ground then asks for along `up`, falling is a problem of all
// planes. To slide along one obstacle after the other, as Bullet and Quake do, swings to and fro in corners; a projection
// onto all planes at once does not. The design owes to Jolt's CharacterVirtual and Box3D's mover.
import { refreshBody } from '../../bodies/aabbs';
import { invalidatePairs, rebuildPairs, setPose } from '../../bodies/bodies';
import { placeShapes, publishPose } from '../../bodies/finalize';
import { velocityAtPoint } from '../../bodies/impulse';
import { wakeNeighbours } from '../../islands/wake';
import {
  add,
  addScaled,
  dot,
  length,
  rotate,
  rotateInverse,
  scale,
  sub,
  vec3,
  zero,
} from '../../math/vector';
import { MoveCharacter } from '../../memory/commandWords';
import {
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  BODY_STATIC,
  BODY_TELEPORTED,
  CHARACTER_ASKS_CROUCH,
  CHARACTER_ASKS_LOCAL,
  CHARACTER_FLIES,
  CHARACTER_IS_CROUCHING,
  CHARACTER_IS_IN_WATER,
  CHARACTER_IS_ON_LADDER,
  CHARACTER_IS_PLACED,
  CHARACTER_IS_STRUCK,
  CHARACTER_SWIMS,
  CHARACTER_TOUCHES,
  CHARACTER_WAITS,
  CHARACTER_WALKS,
  CHARACTER_YIELDS,
  SHAPE_OWN_FILTER,
} from '../../memory/constants';
import { Body, Character } from '../../memory/records';
import { bodyAt, CHARACTER_SIZE, poseAt, shapeAt, velocityAt, world } from '../../memory/tables';
import { CHARACTERS, findTrait } from '../../shapes/traits';
import { BOBS, FASTEST, FLOATS, LITTLE, LOST, PIECE, RECOVERY, SMOOTHING, WON_BACK } from '../tolerances';
import { climbLadder, fall, fly, ladderNear } from './air';
import { fadeShove, motionBeside, push, ridesWith, wakeGround, yieldTo } from './forces';
import { feel } from './gravity';
import { keepAnchor, leaveGround, ride, rideBelt, standsOn, turnAbout } from './ground';
import { addPlane, clearPlanes, nearest, nearestWithin } from './planes';
import { ignoreNone, look, Near, nearAt, nearCount, overlaps } from './surroundings';
import { characterRow } from './table';
import { across, walk } from './walk';

const PIECES = 16;

/** m: where its body went while it yielded in the current step, of which it has not gone so much itself, seen from its ground. */
const YIELD: usize = memory.data(16, 16);
/** m: where it is thrown in the rest of its update. */
const AHEAD: usize = memory.data(16, 16);

/** Moves all characters that do not wait for a command, in the order of their bodies. */
export function updateCharacters(dt: f32): void {
  const g = world();
  ignoreNone();
  for (let i = 0; i < g.characterCount; i++) {
    const c = characterRow(i);
    if ((c.options & CHARACTER_WAITS) == 0) updateCharacter(c, dt);
  }
}

/** Moves one that waits, outside of a step. It may jump in the air, and its body may be static. */
export function moveCharacter(f: usize): void {
  const row = findTrait(CHARACTERS, CHARACTER_SIZE, load<i32>(f));
  if (row != 0) {
    const c = changetype<Character>(row);
    if ((c.options & CHARACTER_WAITS) != 0) {
      const move = (<usize>MoveCharacter.move) << 2;
      memory.copy(row + offsetof<Character>('moveX'), f + move, 12);
      c.jumpsLeft = 1;
      updateCharacter(c, load<f32>(f, (<usize>MoveCharacter.dt) << 2));
    }
  }
  ignoreNone();
}

function updateCharacter(c: Character, dt: f32): void {
  const b = bodyAt(c.body);
  if (b.type != BODY_KINEMATIC && (b.type == BODY_DYNAMIC || (c.options & CHARACTER_WAITS) == 0))
    return idle(c, b);
  const placed = findPlace(c, b, dt);
  const start = c.position;
  const turned = b.rotation;
  c.touched = 0;
  const under = feel(c, dt);
  ride(c, dt);
  const rode = c.carried;
  if (v128.any_true(v128.load(YIELD))) v128.store(YIELD, addScaled(v128.load(YIELD), rode, -dt));
  const belt = rideBelt(c, dt);
  turnAbout(c, c.turn, dt);
  crouch(c, b);
  const asked = vec3(c.moveX, c.moveY, c.moveZ);
  const move = c.asks & CHARACTER_ASKS_LOCAL ? rotate(b.rotation, asked) : asked;
  const wet = c.mode == CHARACTER_SWIMS && (c.flags & CHARACTER_IS_IN_WATER) != 0;
  const flies = wet || c.mode == CHARACTER_FLIES || c.pull == 0;
  const stood = c.ground != 0;
  // Who swims at the surface bobs, and jumps with its origin above it, too.
  const floats = c.mode == CHARACTER_SWIMS && under > 0 && dot(c.air, c.up) < BOBS * c.jumpSpeed;
  takeOff(c, flies, floats);
  const wanted = flies ? move : across(move, c.up);
  let thrown = fallBy(c, flies, under, dt);
  if (floats && !flies && c.ground == 0) thrown = addScaled(thrown, c.up, min<f32>(0, dot(move, c.up)) * dt); // it dives
  // Its velocity is that of the ground that it leaves, too, but that has carried it in this step already.
  if (stood && c.ground == 0) thrown = addScaled(thrown, rode, -dt);
  const pushed = c.ground != 0 ? add(c.shoved, across(belt, c.up)) : zero();
  const walked = scale(add(wanted, pushed), dt);
  const way = length(walked) + length(thrown);
  const pieces = way < PIECE * <f32>PIECES ? max(1, <i32>ceil<f32>(way / PIECE)) : PIECES;
  const part = <f32>1 / <f32>pieces;
  const w = scale(walked, part);
  const f = scale(thrown, part);
  const reach = length(w) + length(f) + <f32>2 * c.offset + motionBeside(c, dt);
  let rest = zero();
  for (let i = 0; i < pieces; i++) {
    look(c, reach);
    const leaves = recover(c, dt * part, scale(f, <f32>(pieces - i)));
    push(c, wanted, w, dt * part);
    const from = c.position;
    const ladder = flies ? -1 : ladderNear(c, w, dt * part);
    if (ladder >= 0) c.flags |= CHARACTER_IS_ON_LADDER;
    else c.flags &= ~CHARACTER_IS_ON_LADDER;
    if (ladder >= 0) climbLadder(c, ladder, w);
    else if (flies) fly(c, w, f);
    else if (c.ground != 0) walk(c, add(w, rest));
    else {
      fall(c, w, f, dt * part);
      // What it lands on has gone the way of the whole update before.
      if (c.ground != 0)
        rest = scale(across(velocityAtPoint(bodyAt(c.ground), c.groundPoint), c.up), dt * part);
    }
    noteTouches(c, sub(c.position, from));
    if (leaves && i == pieces - 1) recover(c, dt * part, zero());
    v128.store(YIELD, scale(v128.load(YIELD), <f32>(pieces - 1 - i) / <f32>(pieces - i)));
  }
  settle(c, b, new Before(start, turned, placed), dt);
  fadeShove(c, sub(c.velocity, c.carried), wanted, dt);
  if ((c.options & CHARACTER_YIELDS) != 0 && c.mass > 0) strike(c, b, wanted, dt);
}

/** One whose body is static, or left to the solver, does nothing: what it did before is neither told nor gone on with. */
function idle(c: Character, b: Body): void {
  c.velocity = velocityAt(b.slot).linear;
  c.ground = 0;
  c.touched = 0;
  c.lift = 0;
  c.liftSpeed = 0;
  c.flags &= ~CHARACTER_IS_ON_LADDER;
  c.carried = zero();
  c.shoved = zero();
  c.air = zero();
}

/** Finds where its body is. True if its user placed it: it stands on nothing then. */
function findPlace(c: Character, b: Body, dt: f32): bool {
  const pose = poseAt(c.body);
  const p = vec3(pose.px, pose.py, pose.pz);
  const v = velocityAt(c.body);
  const struck = (c.flags & CHARACTER_IS_STRUCK) != 0;
  const known = (c.flags & CHARACTER_IS_PLACED) != 0;
  c.flags = (c.flags & ~CHARACTER_IS_STRUCK) | CHARACTER_IS_PLACED;
  // Where it yielded to, its body went by its velocity; the character itself goes there below, if nothing is in the way.
  v128.store(YIELD, struck ? scale(v.linear, dt) : zero());
  const off = length(sub(p, addScaled(c.position, v.linear, dt)));
  v.linear = zero();
  v.angular = zero();
  if (known && (struck ? off <= LITTLE : v128.all_true<i32>(f32x4.eq(p, c.position)))) {
    if (!struck) return false;
    b.flags |= BODY_TELEPORTED; // until its pose is written, which is due
    return false;
  }
  c.position = p;
  c.ground = 0;
  c.carried = zero();
  c.shoved = zero();
  c.lift = 0;
  c.liftSpeed = 0;
  c.stairs = 0;
  if (!known) c.localUp = rotateInverse(b.rotation, c.up);
  return true;
}

/** Crouches, or rises if there is room. */
function crouch(c: Character, b: Body): void {
  const asks = (c.asks & CHARACTER_ASKS_CROUCH) != 0;
  if (asks == ((c.flags & CHARACTER_IS_CROUCHING) != 0)) return;
  let count = 0;
  for (let slot = b.firstShape; slot != 0; slot = shapeAt(slot).next) count++;
  if (count <= c.standing) return;
  c.flags ^= CHARACTER_IS_CROUCHING;
  if (!asks && overlaps(c, LITTLE)) {
    c.flags ^= CHARACTER_IS_CROUCHING;
    return;
  }
  useShapes(c, b);
}

/** Shapes for another posture meet nothing. */
function useShapes(c: Character, b: Body): void {
  const crouches = (c.flags & CHARACTER_IS_CROUCHING) != 0;
  let index = 0;
  for (let slot = b.firstShape; slot != 0; slot = shapeAt(slot).next) {
    const s = shapeAt(slot);
    if (index++ >= c.standing == crouches) {
      s.flags &= ~SHAPE_OWN_FILTER; // it has that of the body
    } else {
      s.flags |= SHAPE_OWN_FILTER;
      s.group = 0;
      s.mask = 0;
    }
  }
  rebuildPairs(b);
}

/** Jumps and throws that were asked for since the last update. */
function takeOff(c: Character, flies: bool, floats: bool): void {
  const jump = c.jump < 0 ? c.jumpSpeed : c.jump;
  const launch = vec3(c.launchX, c.launchY, c.launchZ);
  c.jump = 0;
  c.launchX = 0;
  c.launchY = 0;
  c.launchZ = 0;
  const grounded = c.ground != 0;
  if (grounded) c.jumpsLeft = c.airJumps;
  const holds = grounded || flies || floats || (c.flags & CHARACTER_IS_ON_LADDER) != 0;
  const jumps = jump > 0 && (holds || c.jumpsLeft > 0);
  const thrown = v128.any_true(f32x4.ne(launch, zero()));
  if (grounded && (jumps || thrown || flies)) leaveGround(c);
  if (jumps || thrown) c.flags &= ~CHARACTER_IS_ON_LADDER;
  if (jumps) {
    if (!holds) c.jumpsLeft--;
    // From the ground it is thrown by a lift that rises, too; elsewhere it does not matter how fast it falls.
    c.air = addScaled(grounded ? c.air : across(c.air, c.up), c.up, jump);
  }
  if (thrown) c.air = add(c.air, launch);
}

/**
 * Changes its own velocity by gravity and drag; returns the way that it makes. A liquid acts in proportion to the share of
 * it that is `under`, and fully from FLOATS on.
 */
function fallBy(c: Character, flies: bool, under: f32, dt: f32): v128 {
  if (c.ground != 0) return zero();
  const before = c.air;
  const swims = c.mode == CHARACTER_SWIMS;
  if (swims || !flies) {
    const lift = swims ? min(c.buoyancy, under * max(c.buoyancy, <f32>1 / FLOATS)) : 0;
    c.air = addScaled(c.air, c.up, c.pull * (lift - <f32>1) * dt);
    const sinking = -dot(c.air, c.up) - c.fallSpeed;
    if (sinking > 0) c.air = addScaled(c.air, c.up, sinking);
  }
  if (c.mode != CHARACTER_WALKS) {
    const drag = swims && c.pull > 0 ? c.swimDrag * min<f32>(1, under / FLOATS) : c.swimDrag;
    c.air = scale(c.air, <f32>1 / (<f32>1 + drag * dt));
  }
  return scale(add(before, c.air), <f32>0.5 * dt);
}

/**
 * Gets out of what overlaps it, and away from walls that are nearer than its offset. `ahead`: the way on which it is thrown
 * out of them in this update anyway. Returns whether it counts on that way.
 */
function recover(c: Character, dt: f32, ahead: v128): bool {
  v128.store(AHEAD, ahead);
  // What carried it into something in this update takes it out again.
  const most = RECOVERY * dt + length(c.carried) * dt;
  const leaves = leavesBehind();
  if (!needsRoom(c)) return leaves;
  let way = zero();
  // Squeezed between what moves and what does not: out of the latter.
  if (fits(c, most, BODY_DYNAMIC) || fits(c, most, BODY_KINEMATIC) || fits(c, most, BODY_STATIC))
    way = nearest();
  else {
    // Between two that do not: out of the deepest, whatever is on the other side.
    const deepest = nearAt(0);
    if (!(deepest.gap < 0)) return leaves;
    way = scale(deepest.normal, min(-deepest.gap, most));
  }
  c.position = add(c.position, way);
  for (let i = 0; i < nearCount(); i++) nearAt(i).gap += dot(nearAt(i).normal, way);
  return leaves;
}

/**
 * m to a plane: that of a body to which it yields is nearer by the way that it has not gone yet. Who jumps in a train has
 * the speed of its walls, which have gone this update's way before: they are not as deep in it as they seem.
 */
function gapOf(c: Character, near: Near): f32 {
  if (near.gap < 0 && standsOn(near.body, c.body)) return 0; // it has not been carried along yet
  let way = near.gap < 0 ? max<f32>(0, dot(near.normal, v128.load(AHEAD))) : 0;
  if (bodyAt(near.body).type == BODY_DYNAMIC) way = max(way, dot(near.normal, v128.load(YIELD)));
  return near.gap + way;
}

/** Whether it is thrown out of something that overlaps it. */
function leavesBehind(): bool {
  for (let i = 0; i < nearCount(); i++)
    if (nearAt(i).gap < 0 && dot(nearAt(i).normal, v128.load(AHEAD)) > 0) return true;
  return false;
}

/** m. How far it has to go from a plane; below 0: how far it may go towards it. */
function roomFrom(c: Character, gap: f32, rise: f32, most: f32): f32 {
  if (gap < <f32>-1e-5) return min(-gap, most);
  if (gap < <f32>0.8 * c.offset && abs(rise) < <f32>0.1) return WON_BACK * (c.offset - gap);
  return -max<f32>(gap, 0);
}

function needsRoom(c: Character): bool {
  for (let i = 0; i < nearCount(); i++)
    if (roomFrom(c, gapOf(c, nearAt(i)), dot(nearAt(i).normal, c.up), 1) > 0) return true;
  return false;
}

/** Whether there is a place that planes allow, see nearest(): those of bodies of the types up to `last`, which static ones begin. */
function fits(c: Character, most: f32, last: i32): bool {
  let others = last == BODY_DYNAMIC;
  clearPlanes();
  for (let i = 0; i < nearCount(); i++) {
    const near = nearAt(i);
    const type = bodyAt(near.body).type;
    if (type == last + 1) others = true;
    if (type > last) continue;
    const rise = dot(near.normal, c.up);
    const least = roomFrom(c, gapOf(c, near), rise, most);
    // Ground lifts: along its normal a slope would shift what stands on it.
    if (near.gap < 0 && rise >= c.standCosine) addPlane(c.up, least / rise);
    else addPlane(near.normal, least);
  }
  return others && nearestWithin(zero()); // if not, these planes have been tried
}

/** Notes what it touches after a way. */
function noteTouches(c: Character, moved: v128): void {
  for (let i = 0; i < nearCount(); i++) {
    const near = nearAt(i);
    near.gap += dot(near.normal, moved);
    if (near.gap <= <f32>1.5 * c.offset) noteTouch(c, near.shape);
  }
}

function noteTouch(c: Character, shape: i32): void {
  const list = changetype<usize>(c) + offsetof<Character>('touched0');
  const count = c.touched;
  for (let i = 0; i < count; i++) if (load<i32>(list + ((<usize>i) << 2)) == shape) return;
  if (count == CHARACTER_TOUCHES) return;
  store<i32>(list + ((<usize>count) << 2), shape);
  c.touched = count + 1;
}

/** Pose before the update, and whether it was set since the last one. @value */
class Before {
  position: v128;
  rotation: v128;
  placed: bool;
}

/** Writes its place to its body, and where that is on the ground. */
function settle(c: Character, b: Body, before: Before, dt: f32): void {
  const start = before.position;
  const turned = before.rotation;
  const placed = before.placed;
  // The last safeguard: what is lost stays where it was.
  if (!(length(sub(c.position, start)) < LOST)) c.position = start;
  if (!(length(c.air) + length(c.shoved) < FASTEST)) {
    c.air = zero();
    c.shoved = zero();
  }
  wakeGround(c);
  if (c.ground != 0) noteTouch(c, c.groundShape);
  const moved = sub(c.position, start);
  c.velocity = scale(moved, <f32>1 / dt);
  const rise = dot(sub(moved, scale(c.carried, dt)), c.up);
  smoothen(c, placed || c.ground == 0 ? 0 : rise, dt);
  const same = v128.and(f32x4.eq(c.position, start), f32x4.eq(b.rotation, turned));
  if (v128.all_true<i32>(same) && (b.flags & BODY_TELEPORTED) == 0) placeShapes(b);
  else {
    setPose(b, c.position, b.rotation);
    const motion = length(moved) + <f32>2 * length4(f32x4.sub(b.rotation, turned)) * b.boundingRadius;
    b.travel += <f64>motion;
    if (!placed) b.flags &= ~BODY_TELEPORTED;
    placeShapes(b);
    refreshBody(b, moved, 0);
    invalidatePairs(b);
    wakeNeighbours(b);
    publishPose(b);
    const pose = poseAt(c.body);
    c.position = vec3(pose.px, pose.py, pose.pz);
  }
  keepAnchor(c);
}

/** @inline */
function length4(q: v128): f32 {
  const p = f32x4.mul(q, q);
  return sqrt<f32>(dot(q, q) + f32x4.extract_lane(p, 3));
}

/**
 * On stairs, and a short time after the last step, the drawn height follows by a critically damped spring, integrated
 * implicitly. `rise`: m along `up` on its ground.
 */
function smoothen(c: Character, rise: f32, dt: f32): void {
  if (c.stairs > 0) {
    c.stairs -= dt;
    c.lift -= rise;
  }
  if (c.lift == 0 && c.liftSpeed == 0) return;
  const most = c.stepHeight + c.snapDistance;
  c.lift = max(-most, min(most, c.lift));
  const damped = <f32>1 + SMOOTHING * dt;
  c.liftSpeed = (c.liftSpeed - SMOOTHING * SMOOTHING * dt * c.lift) / (damped * damped);
  c.lift += c.liftSpeed * dt;
  if (abs(c.lift) + abs(c.liftSpeed) > <f32>1e-5) return;
  c.lift = 0;
  c.liftSpeed = 0;
}

/** Gives its body the velocity with which it yields to what will hit it. */
function strike(c: Character, b: Body, wanted: v128, dt: f32): void {
  const own = c.ground != 0 ? add(c.shoved, c.carried) : c.air;
  const common = add(yieldTo(c, add(wanted, own), dt), ridesWith(c));
  if (!v128.any_true(f32x4.ne(common, zero()))) return;
  velocityAt(b.slot).linear = common;
  c.flags |= CHARACTER_IS_STRUCK;
}
