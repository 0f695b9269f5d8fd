// What areas do to the bodies in them: gravity, attraction, wind and water. In: sensors that are areas and what touches them,
// as the narrow phase found them. Out: accelerations, torques and drags of bodies for the coming step. Until beginStep
// (solver/integrate.ts) takes them, four vectors of a BodyVelocity hold them, which belong to one step anyway.
//
// Water and attraction act where a body will be in the middle of the step. A spring whose force is that of the start gains energy in every
// step, one whose force is that of the middle none: x' = x + v·dt + ½a·dt², v' = v + a·dt with a = −ω²(x + ½v·dt) has
// determinant 1. With Bullet's Euler steps, whose way is longer, it is taken earlier.

import { turn } from '../bodies/finalize';
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
import { submerged } from './submerged';

/** What areas have left for a body: rows as named below. */
const EFFECTS: usize = memory.data(64, 16);
// The same in a BodyVelocity, each with what lane 3 is for.
const ACCELERATION = offsetof<BodyVelocity>('deltaPosition'); // m/s²; linear drag, 1/s
const TORQUE = offsetof<BodyVelocity>('deltaRotation'); // N·m; angular drag, 1/s
const DRIFT = offsetof<BodyVelocity>('contactLinear'); // m/s², drag times the velocity of what drags
const GRAVITY = offsetof<BodyVelocity>('contactAngular'); // m/s², in place of the world's; rank of the area, 0 none

const PRIORITY_BIAS = 128;
const SLOT_BITS = 18;
/** (ω·dt)² of a floating body from which on the step is too long for it. */
const STIFF: f32 = 1;

/** Gathers what acts in the coming step. */
export function gatherAreas(dt: f32): void {
  const g = world();
  if (g.areaCount == 0) return;
  for (let i = 0; i < g.sensorCount; i++) {
    const pair = pairAt(wordAt(g.sensors, i));
    const a = shapeAt(pair.shapeA);
    const b = shapeAt(pair.shapeB);
    if (a.flags & SHAPE_AREA) act(a, b, dt);
    if (b.flags & SHAPE_AREA) act(b, a, dt);
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

function act(own: Shape, s: Shape, dt: f32): void {
  const b = bodyAt(s.body);
  if (b.type != BODY_DYNAMIC || b.awakeIndex < 0 || s.flags & SHAPE_NO_RESPONSE) return;
  const area = changetype<Area>(traitOf(AREAS, AREA_SIZE, own.slot));
  const v = velocityAt(b.slot);
  if (!(b.flags & BODY_ACTED)) {
    b.flags |= BODY_ACTED;
    setRow(v, ACCELERATION, zero());
    setRow(v, TORQUE, zero());
    setRow(v, DRIFT, zero());
    setRow(v, GRAVITY, zero());
  }
  const gravity = gravityOf(area, own, addScaled(b.position, v.linear, halfOf(dt)));
  const first = isFirst(b, own, s);
  if (first) {
    if (area.flags & AREA_REPLACES) {
      const rank = ((area.priority + PRIORITY_BIAS) << SLOT_BITS) | own.slot;
      if (rank > i32x4.extract_lane(row(v, GRAVITY), 3))
        setRow(v, GRAVITY, i32x4.replace_lane(gravity, 3, rank));
    } else addRow(v, ACCELERATION, mul(scale(gravity, b.gravityScale), b.linearFactor), 0);
  }
  if (area.density > 0) float(area, own, s, gravity, dt);
  else if (first) drag(area, b, 1, 0);
}

/** Among the shapes of the body that touch the area the one of the lowest slot: what acts on the body as a whole acts once. */
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

/** s from now to where forces are to be those of, see above. @inline */
function halfOf(dt: f32): f32 {
  return <f32>0.5 * dt * (world().parabolicFlight ? <f32>1 : <f32>1 - <f32>1 / <f32>context().substeps);
}

/** At a place, m/s² that the area adds, or has in place of the world's: its own, and towards its middle. */
function gravityOf(area: Area, own: Shape, at: v128): v128 {
  const gravity = rotate(bodyAt(own.body).rotation, vec3(area.gravityX, area.gravityY, area.gravityZ));
  if (area.attraction == 0 || area.distance == 0) return gravity;
  const way = sub(own.position, at);
  const r = length(way);
  const distance = area.distance;
  // Nearer than the distance as within an even ball: falls to 0 in the middle.
  let share = r / distance;
  if (r > distance)
    share = area.falloff == 0 ? 1 : area.falloff == 1 ? distance / r : (distance / r) * (distance / r);
  else if (area.falloff == 0) share = 1;
  return addScaled(gravity, normalizeOr(way, zero()), area.attraction * share);
}

/** m/s of wind or water. */
function streamOf(area: Area): v128 {
  const carrier = bodyAt(shapeAt(area.shape).body);
  const velocity = rotate(carrier.rotation, vec3(area.velocityX, area.velocityY, area.velocityZ));
  return add(velocityAt(carrier.slot).linear, velocity);
}

/** Drag of the area on a body of which a share is in it, 0 to 1, and beside it `more` (1/s). */
function drag(area: Area, b: Body, share: f32, more: f32): void {
  const v = velocityAt(b.slot);
  const stream = streamOf(area);
  const rate = more + share * (area.linearDrag + area.quadraticDrag * length(sub(stream, v.linear)));
  addRow(v, ACCELERATION, zero(), rate);
  addRow(v, DRIFT, scale(stream, rate), 0);
  addRow(v, TORQUE, zero(), more + share * area.angularDrag);
}

/** Buoyancy of one shape: the weight of what it displaces, at the middle of that. Drag by the share that is under. */
function float(area: Area, own: Shape, s: Shape, gravity: v128, dt: f32): void {
  const g = world();
  const b = bodyAt(s.body);
  const v = velocityAt(b.slot);
  const carrier = bodyAt(own.body);
  const up = own.type == SHAPE_PLANE ? quatAxisY(own.rotation) : quatAxisY(carrier.rotation);
  const origin = sub(carrier.position, rotate(carrier.rotation, carrier.centerOfMass));
  const level =
    area.flags & AREA_HAS_LEVEL
      ? dot(origin, up) + area.level
      : extentAlong(own, own.position, own.rotation, up);
  const pull = area.flags & AREA_REPLACES ? gravity : g.gravity;
  const sizes = sub(s.aabbMax, s.aabbMin);
  const face =
    abs<f32>(x(up)) * y(sizes) * z(sizes) +
    abs<f32>(y(up)) * x(sizes) * z(sizes) +
    abs<f32>(z(up)) * x(sizes) * y(sizes);
  const stiff = (area.density * length(pull) * face * dt * dt) / b.mass;
  // What is so light for its size that a step is long for it is taken still later: its springs lose energy.
  const ahead = halfOf(dt) * (<f32>1 + min<f32>(1, stiff * stiff));
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
  // It would be thrown about, too: it is given less, and the less gravity, and goes with the water.
  let acceleration = mul(force, b.invMass);
  let relief: f32 = 1;
  let more: f32 = 0;
  const share = <f32>1 / <f32>shapesOf(b);
  if (stiff > STIFF) {
    relief = STIFF / stiff;
    more = ((<f32>1 - relief) * share) / dt;
    const weight = mul(scale(pull, b.gravityScale), b.linearFactor);
    acceleration = addScaled(scale(acceleration, relief), weight, (relief - 1) * share);
  }
  addRow(v, ACCELERATION, acceleration, 0);
  addRow(v, TORQUE, scale(torque, relief), 0);
  if (more + area.linearDrag + area.quadraticDrag + area.angularDrag == 0) return;
  const whole = w(submerged(s, f32x4.replace_lane(n, 3, f32.MAX_VALUE)));
  drag(area, b, (share * volume) / whole, more);
}

function shapesOf(b: Body): i32 {
  let count = 0;
  for (let slot = b.firstShape; slot != 0; slot = shapeAt(slot).next)
    if (!(shapeAt(slot).flags & SHAPE_NO_RESPONSE)) count++;
  return max(count, 1);
}

/** Before beginStep clears them: what areas left for a body. */
export function takeEffects(b: Body, v: BodyVelocity): void {
  b.flags &= ~BODY_ACTED;
  v128.store(EFFECTS, row(v, ACCELERATION));
  v128.store(EFFECTS, row(v, TORQUE), 16);
  v128.store(EFFECTS, row(v, DRIFT), 32);
  v128.store(EFFECTS, row(v, GRAVITY), 48);
}

/** Adds them to what acts in a substep. Drag is implicit, v' = (v + a·h)/(1 + c·h): never more than a stop. */
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
  const spin = applyInverseInertia(b, f32x4.replace_lane(angular, 3, 0));
  v.forceAngular = f32x4.replace_lane(addScaled(v.forceAngular, spin, h), 3, spinDamping);
}
