// Effects of areas on the bodies inside: gravity, attraction, wind and water. In: sensors that are areas, and the
// shapes that touch them, as the narrow phase found them. Out: accelerations, torques and drags of bodies for the
// coming step. Until beginStep (solver/integrate.ts) reads them, they are stored in five vectors of BodyVelocity that
// are used only within a step.
//
// Buoyancy and attraction are computed for the predicted pose at the middle of the step. An oscillator whose force is
// that at the start of the step gains energy in each step; with the force at the middle it does not: x' = x + v·dt +
// ½a·dt², v' = v + a·dt with a = −ω²(x + ½v·dt) has determinant 1. Bullet's Euler steps move farther, so the time is
// earlier for them.

import { turn } from '../bodies/finalize';
import { velocityAtPoint } from '../bodies/impulse';
import { applyInverseInertia } from '../bodies/massProperties';
import {
  add,
  addScaled,
  cross,
  dot,
  length,
  mul,
  mulQuat,
  normalizeOr,
  rotate,
  rotateInverse,
  scale,
  sub,
  vec3,
  w,
  x,
  y,
  z,
  zero,
} from '../math/vector';
import {
  AREA_HAS_LEVEL,
  AREA_REPLACES,
  BODY_ACTED,
  BODY_DYNAMIC,
  LIST_SENSOR,
  SHAPE_AREA,
  SHAPE_NO_RESPONSE,
  SHAPE_PLANE,
} from '../memory/constants';
import { Area, Body, BodyVelocity, Pair, Shape } from '../memory/records';
import { AREA_SIZE, bodyAt, pairAt, shapeAt, velocityAt, wordAt, world } from '../memory/tables';
import { extentAlong } from '../narrowphase/convex';
import { quatAxisY } from '../shapes/shape';
import { AREAS, traitOf } from '../shapes/traits';
import { context, StepContext } from '../solver/context';
import { STIFF_WATER } from '../tolerances';
import { submerged } from './submerged';

/** Effects of areas on the current body: rows as named below. */
const EFFECTS: usize = memory.data(80, 16);
// Fields of BodyVelocity that hold these rows, and the meaning of lane 3.
const ACCELERATION = offsetof<BodyVelocity>('deltaPosition'); // m/s²; linear drag, 1/s
const TORQUE = offsetof<BodyVelocity>('deltaRotation'); // N·m; angular drag, 1/s
const DRIFT = offsetof<BodyVelocity>('contactLinear'); // m/s², drag coefficient times the velocity of the medium; volume, m³, 0 not known
const WHIRL = offsetof<BodyVelocity>('baseAngular'); // rad/s², drag coefficient times the angular velocity of the medium
const GRAVITY = offsetof<BodyVelocity>('contactAngular'); // m/s², replaces the world's gravity; lane 3: rank of the area, 0 none

const PRIORITY_BIAS = 128;
const SLOT_BITS = 18;

/** Gathers the effects of all areas for the coming step. */
export function gatherAreas(dt: f32): void {
  const g = world();
  if (g.areaCount == 0) return;
  let wet = false;
  for (let i = 0; i < g.sensorCount; i++) {
    const pair = pairAt(wordAt(g.sensors, i));
    const a = shapeAt(pair.shapeA);
    const b = shapeAt(pair.shapeB);
    if (a.flags & SHAPE_AREA && act(a, b, dt)) wet = true;
    if (b.flags & SHAPE_AREA && act(b, a, dt)) wet = true;
  }
  // Liquids last: how heavy they are follows from the gravity that the other areas make.
  if (!wet) return;
  for (let i = 0; i < g.sensorCount; i++) {
    const pair = pairAt(wordAt(g.sensors, i));
    const a = shapeAt(pair.shapeA);
    const b = shapeAt(pair.shapeB);
    if (a.flags & SHAPE_AREA) float(a, b, dt);
    if (b.flags & SHAPE_AREA) float(b, a, dt);
  }
}

/** @inline */
function row(v: BodyVelocity, offset: usize): v128 {
  return v128.load(changetype<usize>(v) + offset);
}
/** @inline */
function setRow(v: BodyVelocity, offset: usize, value: v128): void {
  v128.store(changetype<usize>(v) + offset, value);
}
/** Adds a vector, and a number to lane 3. @inline */
function addRow(v: BodyVelocity, offset: usize, vector: v128, number: f32): void {
  setRow(v, offset, add(row(v, offset), f32x4.replace_lane(vector, 3, number)));
}

/** From now on something acts on the body in this step. */
function startActing(b: Body): BodyVelocity {
  const v = velocityAt(b.slot);
  if (b.flags & BODY_ACTED) return v;
  b.flags |= BODY_ACTED;
  setRow(v, ACCELERATION, zero());
  setRow(v, TORQUE, zero());
  setRow(v, DRIFT, zero());
  setRow(v, WHIRL, zero());
  setRow(v, GRAVITY, zero());
  return v;
}

/** Acts on a body in this step, from the module of actors: m/s² and N·m, beside what areas do. */
export function pushActed(b: Body, acceleration: v128, torque: v128): void {
  const v = startActing(b);
  addRow(v, ACCELERATION, acceleration, 0);
  addRow(v, TORQUE, torque, 0);
}

/** The world's gravity for a body, or that of the area that takes its place: m/s², for a gravityScale of 1. */
function gravityAt(b: Body, v: BodyVelocity): v128 {
  if (!(b.flags & BODY_ACTED)) return world().gravity;
  const instead = row(v, GRAVITY);
  return i32x4.extract_lane(instead, 3) != 0 ? f32x4.replace_lane(instead, 3, 0) : world().gravity;
}

/** m/s². What gravity and areas give to a body in this step, without drag. */
export function pullOn(b: Body): v128 {
  const v = velocityAt(b.slot);
  const gravity = mul(scale(gravityAt(b, v), b.gravityScale), b.linearFactor);
  return b.flags & BODY_ACTED ? add(gravity, f32x4.replace_lane(row(v, ACCELERATION), 3, 0)) : gravity;
}

/** Whether a shape feels areas. */
function feels(s: Shape): bool {
  const b = bodyAt(s.body);
  return b.type == BODY_DYNAMIC && b.awakeIndex >= 0 && !(s.flags & SHAPE_NO_RESPONSE);
}

/** @inline */
function areaOf(own: Shape): Area {
  return changetype<Area>(traitOf(AREAS, AREA_SIZE, own.slot));
}

/** Which of several areas takes the place of the world's gravity: the one of the highest rank. */
export function rankOf(area: Area): i32 {
  return ((area.priority + PRIORITY_BIAS) << SLOT_BITS) | area.shape;
}

/** What an area does but buoyancy. Returns whether it is a liquid in which the shape floats. */
function act(own: Shape, s: Shape, dt: f32): bool {
  if (!feels(s)) return false;
  const b = bodyAt(s.body);
  const area = areaOf(own);
  const isLiquid = area.density > 0;
  const v = startActing(b);
  if (!isFirst(b, own, s)) return isLiquid;
  // Relative to the area, which moves in the time, too.
  const speed = sub(v.linear, velocityAtPoint(bodyAt(own.body), own.position));
  const gravity = gravityOf(area, own, addScaled(b.position, speed, halfOf(dt)));
  if (area.flags & AREA_REPLACES) {
    const rank = rankOf(area);
    if (rank > i32x4.extract_lane(row(v, GRAVITY), 3))
      setRow(v, GRAVITY, i32x4.replace_lane(gravity, 3, rank));
  } else addRow(v, ACCELERATION, mul(scale(gravity, b.gravityScale), b.linearFactor), 0);
  if (!isLiquid) drag(area, b, 1, 0);
  return isLiquid;
}

/**
 * Whether s has the lowest slot of the body's shapes that touch the area: effects on the whole body are applied once.
 */
function isFirst(b: Body, area: Shape, s: Shape): bool {
  if (shapeAt(b.firstShape).next == 0) return true;
  for (let link = b.firstPair; link >= 0; ) {
    const pair: Pair = pairAt(link >> 1);
    const own = link & 1 ? pair.shapeB : pair.shapeA;
    const other = link & 1 ? pair.shapeA : pair.shapeB;
    link = link & 1 ? pair.nextB : pair.nextA;
    if (pair.list != LIST_SENSOR || other != area.slot || own >= s.slot) continue;
    if (!(shapeAt(own).flags & SHAPE_NO_RESPONSE)) return false;
  }
  return true;
}

/** s. Time from now at which forces are evaluated, see above. @inline */
function halfOf(dt: f32): f32 {
  return <f32>0.5 * dt * (world().parabolicFlight ? <f32>1 : <f32>1 - <f32>1 / <f32>context().substeps);
}

/** m/s². Gravity that the area adds, or puts in place of the world's, at a point: its own, and its attraction. */
export function gravityOf(area: Area, own: Shape, at: v128): v128 {
  const gravity = rotate(bodyAt(own.body).rotation, vec3(area.gravityX, area.gravityY, area.gravityZ));
  if (area.attraction == 0 || area.distance == 0) return gravity;
  const way = sub(own.position, at);
  const r = length(way);
  const distance = area.distance;
  // Nearer than the distance it falls to 0 at the centre, as inside a homogeneous sphere.
  let share = r / distance;
  if (r > distance)
    share = area.falloff == 0 ? 1 : area.falloff == 1 ? distance / r : (distance / r) * (distance / r);
  else if (area.falloff == 0) share = 1;
  return addScaled(gravity, normalizeOr(way, zero()), area.attraction * share);
}

/** m/s. Velocity of the wind or water at a point. */
function streamAt(area: Area, point: v128): v128 {
  const carrier = bodyAt(shapeAt(area.shape).body);
  const velocity = vec3(area.velocityX, area.velocityY, area.velocityZ);
  return add(velocityAtPoint(carrier, point), rotate(carrier.rotation, velocity));
}

/** Applies drag to a body with the given share (0 to 1) inside the area, plus drag `more` (1/s). */
function drag(area: Area, b: Body, share: f32, more: f32): void {
  const v = velocityAt(b.slot);
  const stream = streamAt(area, b.position);
  const spinning = more + share * area.angularDrag;
  const rate = more + share * (area.linearDrag + area.quadraticDrag * length(sub(stream, v.linear)));
  addRow(v, ACCELERATION, zero(), rate);
  addRow(v, DRIFT, scale(stream, rate), 0);
  addRow(v, TORQUE, zero(), spinning);
  addRow(v, WHIRL, scale(velocityAt(shapeAt(area.shape).body).angular, spinning), 0);
}

/** Normal of the surface of an area's liquid. */
export function liquidUp(own: Shape): v128 {
  return quatAxisY(own.type == SHAPE_PLANE ? own.rotation : bodyAt(own.body).rotation);
}

/** m. Height of that surface along its normal. */
export function liquidLevel(area: Area, own: Shape, up: v128): f32 {
  if ((area.flags & AREA_HAS_LEVEL) == 0) return extentAlong(own, own.position, own.rotation, up);
  const carrier = bodyAt(own.body);
  return dot(sub(carrier.position, rotate(carrier.rotation, carrier.centerOfMass)), up) + area.level;
}

/**
 * Buoyancy of one shape: the weight of the displaced liquid, acting at its centre. Drag is in proportion to the
 * submerged share.
 */
function float(own: Shape, s: Shape, dt: f32): void {
  const area = areaOf(own);
  if (!(area.density > 0) || !feels(s)) return;
  const b = bodyAt(s.body);
  if (!liftsMost(b, own, s)) return;
  const v = velocityAt(b.slot);
  const up = liquidUp(own);
  const pull = gravityAt(b, v);
  const sizes = sub(s.aabbMax, s.aabbMin);
  const face =
    abs<f32>(x(up)) * y(sizes) * z(sizes) +
    abs<f32>(y(up)) * x(sizes) * z(sizes) +
    abs<f32>(z(up)) * x(sizes) * y(sizes);
  const stiff = (area.density * length(pull) * face * dt * dt) / b.mass;
  // For bodies so light that the step is long for them the time is later, which makes the oscillation lose energy.
  const ahead = halfOf(dt) * (<f32>1 + min<f32>(1, stiff * stiff));
  // The surface moves with the area in that time.
  const level = liquidLevel(area, own, up) + ahead * dot(velocityAt(own.body).linear, up);
  const turned = turn(b.rotation, scale(v.angular, ahead));
  const center = addScaled(b.position, v.linear, ahead);
  const rotation = mulQuat(turned, s.localRotation);
  const position = add(center, rotate(turned, sub(s.localPosition, b.centerOfMass)));
  const n = rotateInverse(rotation, up);
  const under = submerged(s, f32x4.replace_lane(n, 3, level - dot(position, up)));
  const volume = w(under);
  if (!(volume > 0)) return;
  const force = scale(pull, -area.density * volume);
  const at = add(position, rotate(rotation, scale(f32x4.replace_lane(under, 3, 0), <f32>1 / volume)));
  const torque = cross(sub(at, center), force);
  // Buoyancy would also throw them about: it is reduced, together with gravity, and drag moves the body with the water.
  let acceleration = mul(force, b.invMass);
  let relief: f32 = 1;
  let more: f32 = 0;
  const whole = wholeOf(b, v);
  if (stiff > STIFF_WATER) {
    const share = wholeVolume(s) / whole;
    relief = STIFF_WATER / stiff;
    more = ((<f32>1 - relief) * share) / dt;
    const weight = mul(scale(pull, b.gravityScale), b.linearFactor);
    acceleration = addScaled(scale(acceleration, relief), weight, (relief - 1) * share);
  }
  addRow(v, ACCELERATION, acceleration, 0);
  addRow(v, TORQUE, scale(torque, relief), 0);
  if (more + area.linearDrag + area.quadraticDrag + area.angularDrag == 0) return;
  drag(area, b, volume / whole, more);
}

/** kg. Mass of the liquid that a shape displaces where it is. */
function displaced(own: Shape, s: Shape): f32 {
  const area = areaOf(own);
  const up = liquidUp(own);
  const depth = liquidLevel(area, own, up) - dot(s.position, up);
  return area.density * w(submerged(s, f32x4.replace_lane(rotateInverse(s.rotation, up), 3, depth)));
}

/**
 * Whether no other liquid lifts the shape more; of equals, the one with the highest slot does. A shape between two parts of
 * a river touches both, and each takes it to be all inside.
 */
function liftsMost(b: Body, own: Shape, s: Shape): bool {
  let lift: f32 = -1;
  for (let link = b.firstPair; link >= 0; ) {
    const pair: Pair = pairAt(link >> 1);
    const mine = link & 1 ? pair.shapeB : pair.shapeA;
    const other = shapeAt(link & 1 ? pair.shapeA : pair.shapeB);
    link = link & 1 ? pair.nextB : pair.nextA;
    if (pair.list != LIST_SENSOR || mine != s.slot || other.slot == own.slot) continue;
    if (!(other.flags & SHAPE_AREA) || !(areaOf(other).density > 0)) continue;
    if (lift < 0) lift = displaced(own, s);
    const more = displaced(other, s);
    if (more > lift || (more == lift && other.slot > own.slot)) return false;
  }
  return true;
}

/** m³. Volume of a shape, as far as it floats. */
function wholeVolume(s: Shape): f32 {
  return w(submerged(s, f32x4(0, 1, 0, f32.MAX_VALUE)));
}

/** m³. That of all shapes of a body. It is kept for the step, so that a raft of many logs adds them up once. */
function wholeOf(b: Body, v: BodyVelocity): f32 {
  const drift = row(v, DRIFT);
  let whole = w(drift);
  if (whole > 0) return whole;
  for (let slot = b.firstShape; slot != 0; slot = shapeAt(slot).next)
    if (!(shapeAt(slot).flags & SHAPE_NO_RESPONSE)) whole += wholeVolume(shapeAt(slot));
  setRow(v, DRIFT, f32x4.replace_lane(drift, 3, whole));
  return whole;
}

/** Reads the effects on a body, before beginStep clears the fields. */
export function takeEffects(b: Body, v: BodyVelocity): void {
  b.flags &= ~BODY_ACTED;
  v128.store(EFFECTS, row(v, ACCELERATION));
  v128.store(EFFECTS, row(v, TORQUE), 16);
  v128.store(EFFECTS, row(v, DRIFT), 32);
  v128.store(EFFECTS, row(v, GRAVITY), 48);
  v128.store(EFFECTS, row(v, WHIRL), 64);
}

/**
 * Adds the effects to the velocity change of a substep. Drag is implicit, v' = (v + a·h)/(1 + c·h), so it never
 * reverses motion.
 */
export function addEffects(b: Body, v: BodyVelocity, step: StepContext): void {
  const h = step.h;
  const linear = v128.load(EFFECTS);
  const angular = v128.load(EFFECTS, 16);
  const instead = v128.load(EFFECTS, 48);
  let acceleration = add(linear, mul(v128.load(EFFECTS, 32), b.linearFactor));
  if (i32x4.extract_lane(instead, 3) != 0) {
    const more = scale(sub(instead, world().gravity), b.gravityScale);
    acceleration = add(acceleration, mul(more, b.linearFactor));
  }
  const damping = w(v.forceLinear) / (<f32>1 + h * w(linear));
  const spinDamping = w(v.forceAngular) / (<f32>1 + h * w(angular));
  v.forceLinear = f32x4.replace_lane(addScaled(v.forceLinear, acceleration, h), 3, damping);
  const whirl = mul(v128.load(EFFECTS, 64), b.angularFactor);
  const spin = add(applyInverseInertia(b, f32x4.replace_lane(angular, 3, 0)), whirl);
  v.forceAngular = f32x4.replace_lane(addScaled(v.forceAngular, spin, h), 3, spinDamping);
}
