// The motion of vehicles. In: their rows, the bodies. Out: forces on chassis and ground for the coming step, new rows.
//
// A step is divided into small steps of about 2 ms in which only the vehicle moves: chassis, wheels, engine. The ground
// under each wheel is looked for once per step and is a plane in it. What the wheels give to the chassis in the whole step
// acts on it as a force (areas/areas.ts), so that the solver sees it beside contacts and joints.
//
// Springs, tyres and brakes are stiff for a wheel that has a thousandth of the mass of its car. Each is solved for the
// velocity at the end of the small step (implicit Euler), one after the other, on the velocities that the earlier ones
// left: stable at any stiffness, speed and mass. What is constant over time is exact.

import { pullOn, pushActed } from '../areas/areas';
import { velocityAtPoint } from '../bodies/impulse';
import { applyInverseInertia } from '../bodies/massProperties';
import { TWO_PI } from '../math/constants';
import { cos, sin } from '../math/elementary';
import {
  add,
  addScaled,
  cross,
  dot,
  length,
  mul,
  mulQuat,
  normalizeOr,
  quat,
  rotate,
  scale,
  sub,
  vec3,
  x,
  y,
  z,
  zero,
} from '../math/vector';
import { ACTOR_FORCE, ACTOR_LENGTH, ACTOR_RATE, ACTOR_TURN } from '../memory/bounds';
import {
  BODY_DYNAMIC,
  BODY_USED,
  VEHICLE_MOTORCYCLE,
  VEHICLE_TRACKED,
  WHEEL_BITS,
} from '../memory/constants';
import { Body, Vehicle, Wheel } from '../memory/records';
import { bodyAt, velocityAt, world } from '../memory/tables';
import { chooseGear, drive, lockDifferentials } from './drivetrain';
import { findGround, meets } from './ground';
import { keepsDown, ride, startLean } from './lean';
import { steerWheel, turnSteering } from './steering';
import {
  LOCKS,
  MOST_HELD,
  MOST_HELD_TURN,
  RATE,
  ROLLS,
  STOP,
  STOP_SHARE,
  STORED,
  TYRE_DAMPING,
} from './tolerances';
import { joinTracks, startTracks, steerTracks } from './tracks';
import { gripLeft, loadFactor, normalizedSlip, slipQuotient } from './tyre';
import { vehicleRow, wheelRow } from './vehicleTable';
import { ChassisWork, chassisWork, WheelWork, wheelWork } from './work';

const MOST_STEPS = 64;

/** Moves all vehicles whose chassis are awake; the others stand. */
export function updateVehicles(dt: f32): void {
  const g = world();
  let first = 0;
  for (let i = 0; i < g.vehicleCount; i++) {
    const v = vehicleRow(i);
    let end = first;
    while (end < g.wheelCount && wheelRow(end).key >> WHEEL_BITS == v.body) end++;
    const c = chassisWork();
    c.first = first;
    c.count = end - first;
    c.body = v.body;
    first = end;
    const b = bodyAt(v.body);
    if (b.type == BODY_DYNAMIC && b.awakeIndex >= 0) updateVehicle(v, b, dt);
    else stand(v, b);
  }
}

/**
 * A vehicle that sleeps, or whose chassis is static or led, does not drive: nothing of its last way stays in what it tells. One that
 * sleeps keeps the forces by which it stands.
 */
function stand(v: Vehicle, b: Body): void {
  const c = chassisWork();
  const forward = rotate(mulQuat(b.rotation, quat(v.frameX, v.frameY, v.frameZ, v.frameW)), vec3(0, 0, 1));
  v.speed = within(dot(velocityAt(b.slot).linear, forward), -ACTOR_RATE, ACTOR_RATE);
  const sleeps = b.type == BODY_DYNAMIC;
  if (!sleeps) {
    v.engineSpeed = v.idleSpeed;
    storeHeld(v, zero(), zero());
  }
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    w.spin = 0;
    if (sleeps) continue;
    w.ground = 0;
    unload(w);
  }
}

/** A tyre that touches nothing. */
function unload(w: Wheel): void {
  w.load = 0;
  w.force = 0;
  w.sideForce = 0;
  w.slip = 0;
  w.sideSlip = 0;
}

function updateVehicle(v: Vehicle, b: Body, dt: f32): void {
  const c = chassisWork();
  startChassis(v, b);
  const steps = max<i32>(1, min<i32>(MOST_STEPS, <i32>(dt * RATE + <f32>0.5)));
  c.h = dt / <f32>steps;
  turnSteering(v, dt);
  if (v.kind == VEHICLE_MOTORCYCLE) startLean(v, b);
  if (v.kind == VEHICLE_TRACKED) startTracks(v);
  chooseGear(v, dt);
  let rests = true;
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    startWheel(v, new WheelOf(w, wheelWork(i)), b, dt);
    if (w.ground > 0 && bodyAt(w.ground - 1).awakeIndex >= 0) rests = false;
  }
  for (let n = 0; n < steps; n++) smallStep(v, b, (n & 1) != 0);
  keepNumbers(v);
  const per = <f32>1 / dt;
  const given = mul(forceOf(c.linearImpulse, per), b.invMass);
  const twist = forceOf(c.angularImpulse, per);
  pushActed(b, given, twist);
  // Of what the step will change, all but the rest is what holds it.
  storeHeld(
    v,
    clamped(sub(vec3(v.heldX, v.heldY, v.heldZ), given), ACTOR_RATE),
    clamped(sub(vec3(v.heldTurnX, v.heldTurnY, v.heldTurnZ), applyInverseInertia(b, twist)), ACTOR_RATE),
  );
  v.heldStep = world().stepCount;
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    const angle = w.angle + w.spin * dt;
    w.angle = within(angle - <f32>TWO_PI * floor<f32>(angle / <f32>TWO_PI), 0, <f32>TWO_PI);
    if (w.ground > 0) pushGround(bodyAt(w.ground - 1), b, wheelWork(i), per);
  }
  // A vehicle rests only on what rests.
  const turns = v.kind == VEHICLE_TRACKED && v.steerInput != 0;
  if (!rests || turns || v.throttle != 0) b.sleepTime = 0;
}

/**
 * At the end of a step: what contacts and joints did to a chassis in it, as an acceleration that goes on in the next one. Without it,
 * the tyres of a parked car would hold against its own weight only: a trailer, or a load on it, drew it away by what it pulls in a step.
 */
export function noteHeld(dt: f32): void {
  const g = world();
  for (let i = 0; i < g.vehicleCount; i++) {
    const v = vehicleRow(i);
    const b = bodyAt(v.body);
    if (v.heldStep != g.stepCount || b.type != BODY_DYNAMIC || b.awakeIndex < 0) continue;
    const motion = velocityAt(v.body);
    const gained = scale(sub(motion.linear, motion.startLinear), <f32>1 / dt);
    const turned = scale(sub(motion.angular, motion.startAngular), <f32>1 / dt);
    storeHeld(
      v,
      clamped(add(vec3(v.heldX, v.heldY, v.heldZ), gained), MOST_HELD),
      clamped(add(vec3(v.heldTurnX, v.heldTurnY, v.heldTurnZ), turned), MOST_HELD_TURN),
    );
  }
}

function storeHeld(v: Vehicle, linear: v128, angular: v128): void {
  v.heldX = x(linear);
  v.heldY = y(linear);
  v.heldZ = z(linear);
  v.heldTurnX = x(angular);
  v.heldTurnY = y(angular);
  v.heldTurnZ = z(angular);
}

/** In place of what is no number: the bound that is nearer to 0. */
function within(value: f32, least: f32, most: f32): f32 {
  return value >= least ? min<f32>(value, most) : value < least || least > 0 ? least : max<f32>(least, 0);
}

/**
 * The safeguard for engines, springs and tyres at the ends of their ranges, where f32 overflows: a vehicle's state stays
 * within the bounds of state/soundActors.ts.
 */
function keepNumbers(v: Vehicle): void {
  const c = chassisWork();
  v.engineSpeed = within(v.engineSpeed, 0, ACTOR_RATE);
  v.speed = within(v.speed, -ACTOR_RATE, ACTOR_RATE);
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    w.spin = within(w.spin, -ACTOR_RATE, ACTOR_RATE);
    w.steerAngle = within(w.steerAngle, -ACTOR_TURN, ACTOR_TURN);
    w.compression = within(w.compression, -ACTOR_LENGTH, ACTOR_LENGTH);
    w.slip = within(w.slip, -ACTOR_RATE, ACTOR_RATE);
    w.sideSlip = within(w.sideSlip, -ACTOR_RATE, ACTOR_RATE);
    w.load = within(w.load, 0, ACTOR_FORCE);
    w.force = within(w.force, -ACTOR_FORCE, ACTOR_FORCE);
    w.sideForce = within(w.sideForce, -ACTOR_FORCE, ACTOR_FORCE);
  }
}

/** N or N·m of an impulse in a step; at most what a program may apply. */
function forceOf(impulse: v128, per: f32): v128 {
  return clamped(scale(impulse, per), ACTOR_FORCE);
}

/** Each component between −most and most, and 0 for what is no number. */
function clamped(a: v128, most: f32): v128 {
  const bound = f32x4.splat(most);
  return v128.and(f32x4.pmin(bound, f32x4.pmax(f32x4.neg(bound), a)), f32x4.eq(a, a));
}

/** Motion and axes of the chassis. */
function startChassis(v: Vehicle, b: Body): void {
  const c = chassisWork();
  const motion = velocityAt(b.slot);
  c.linear = motion.linear;
  c.angular = motion.angular;
  c.pull = pullOn(b);
  const acceleration = add(c.pull, mul(b.force, b.invMass));
  const turning = applyInverseInertia(b, b.torque);
  c.acceleration = add(acceleration, vec3(v.heldX, v.heldY, v.heldZ));
  c.turning = add(turning, vec3(v.heldTurnX, v.heldTurnY, v.heldTurnZ));
  // What is not held in this step would be this.
  storeHeld(v, sub(zero(), acceleration), sub(zero(), turning));
  c.linearImpulse = zero();
  c.angularImpulse = zero();
  c.rotation = mulQuat(b.rotation, quat(v.frameX, v.frameY, v.frameZ, v.frameW));
  c.left = rotate(c.rotation, vec3(1, 0, 0));
  c.up = rotate(c.rotation, vec3(0, 1, 0));
  c.forward = rotate(c.rotation, vec3(0, 0, 1));
  c.carried = carriedBy();
  v.speed = dot(sub(c.linear, c.carried), c.forward);
}

/** m/s. Velocity of the ground that the wheels stood on in the last step: a car on a ferry stands when it goes with it. */
function carriedBy(): v128 {
  const c = chassisWork();
  let sum = zero();
  let touching: f32 = 0;
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    if (w.ground <= 0) continue;
    const ground = bodyAt(w.ground - 1);
    if (!(ground.flags & BODY_USED)) continue;
    sum = add(sum, velocityAtPoint(ground, vec3(w.pointX, w.pointY, w.pointZ)));
    touching++;
  }
  return touching > 0 ? scale(sum, <f32>1 / touching) : sum;
}

/** A wheel, and what is worked out for it in this step. @value */
class WheelOf {
  w: Wheel;
  k: WheelWork;
}

/** Finds the ground of a wheel, and what its contact meets. */
function startWheel(v: Vehicle, wheel: WheelOf, b: Body, dt: f32): void {
  const w = wheel.w;
  const c = chassisWork();
  const k = wheel.k;
  w.steerAngle = steerWheel(v, w, b);
  const angle = <f64>w.steerAngle;
  const axle = sub(scale(c.left, <f32>cos(angle)), scale(c.forward, <f32>sin(angle)));
  k.side = axle;
  k.impulse = zero();
  k.torque = 0;
  k.brake = c.brake * w.brakeTorque + v.handbrake * w.handbrakeTorque;
  findGround(w, k, b, dt);
  if (k.touches == 0) {
    w.compression = -w.droop;
    unload(w);
    return;
  }
  k.forward = normalizeOr(cross(axle, k.normal), c.forward);
  k.side = cross(k.normal, k.forward);
  k.inverseNormal = meets(b, k.arm, k.normal) + k.inverseGround;
  k.inverseForward = meets(b, k.arm, k.forward) + k.inverseGround;
  k.inverseSide = meets(b, k.arm, k.side) + k.inverseGround;
  k.quotient = slipQuotient(w, normalizedSlip(w, w.slip, w.sideSlip));
}

/** `backwards`: with the last wheel first; every other time, so that no side of the vehicle always comes first. */
function smallStep(v: Vehicle, b: Body, backwards: bool): void {
  const c = chassisWork();
  c.linear = addScaled(c.linear, c.acceleration, c.h);
  c.angular = addScaled(c.angular, c.turning, c.h);
  resistAir(v, b);
  drive(v);
  if (v.kind == VEHICLE_TRACKED) steerTracks(v);
  else lockDifferentials(v);
  if (v.kind == VEHICLE_MOTORCYCLE) ride(v, b);
  // All loads first: what one wheel tilts the chassis is not a slip of its tyre before the others hold against it.
  const last = c.count - 1;
  for (let n = 0; n <= last; n++) {
    const i = backwards ? last - n : n;
    const k = wheelWork(i);
    if (k.touches == 0) continue;
    k.groundVelocity = addScaled(k.groundVelocity, k.turning, c.h);
    press(wheelRow(c.first + i), k, b);
  }
  // Each tyre is then solved beside what the others do. Seen before they act, the weight of a car that stands on a slope would
  // be its motion, and the tyres would wind up against it.
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    const k = wheelWork(i);
    if (k.touches == 0 || !(w.load > 0)) continue;
    // The chassis turns in the step, and its wheels with it.
    const turned = dot(c.angular, k.normal) * c.h;
    const forward = addScaled(k.forward, k.side, turned);
    k.side = addScaled(k.side, k.forward, -turned);
    k.forward = forward;
    pushTyre(b, k, w.force * c.h, w.sideForce * c.h);
  }
  const helps = v.antilock != 0 && abs<f32>(v.speed) > LOCKS;
  const braked: f32 = helps && v.kind == VEHICLE_MOTORCYCLE && v.speed > 0 ? keepsDown(false) : 1;
  for (let n = 0; n <= last; n++) {
    const i = backwards ? last - n : n;
    const w = wheelRow(c.first + i);
    const k = wheelWork(i);
    if (!(w.load > 0)) {
      spinFreely(w, k);
      continue;
    }
    k.held = k.brake * (w.steer != 0 ? braked : 1);
    if (helps) {
      // The brake also has to hold against the engine, or has its help.
      const engine = v.speed > 0 ? k.torque : -k.torque;
      const most = max<f32>(0, w.radius * gripLeft(w, k) + engine);
      k.held = min<f32>(k.held, max<f32>(most, v.handbrake * w.handbrakeTorque));
    }
    roll(w, k, b);
  }
  if (v.kind == VEHICLE_TRACKED) joinTracks();
}

/** Drag and downforce. */
function resistAir(v: Vehicle, b: Body): void {
  if (v.drag == 0 && v.downforce == 0) return;
  const c = chassisWork();
  const speed = length(c.linear);
  // Implicit: it never reverses the motion.
  const drag = (v.drag * speed * c.h) / (<f32>1 + (v.drag * speed * c.h) / b.mass);
  const along = dot(c.linear, c.forward);
  const impulse = sub(scale(c.linear, -drag), scale(c.up, v.downforce * along * along * c.h));
  push(b, zero(), impulse);
}

/** Gives an impulse to the chassis, N·s. */
export function push(b: Body, arm: v128, impulse: v128): void {
  const c = chassisWork();
  const turn = cross(arm, impulse);
  c.linearImpulse = add(c.linearImpulse, impulse);
  c.angularImpulse = add(c.angularImpulse, turn);
  c.linear = add(c.linear, mul(impulse, b.invMass));
  c.angular = add(c.angular, applyInverseInertia(b, turn));
}

/** Velocity of the chassis against the ground at the contact, m/s. @inline */
function slide(c: ChassisWork, k: WheelWork): v128 {
  const chassis = add(c.linear, cross(c.angular, k.arm));
  return add(sub(chassis, k.groundVelocity), scale(k.impulse, k.inverseGround));
}

/** Spring, damper, anti-roll bar: the load of a wheel. */
function press(w: Wheel, k: WheelWork, b: Body): void {
  const c = chassisWork();
  const h = c.h;
  const rate = -dot(slide(c, k), k.normal) / k.lean;
  const deep = w.compression;
  let spring = w.preload + w.stiffness * deep;
  let stiffness = w.stiffness;
  const stop = w.bump - STOP_SHARE * (w.bump + w.droop);
  if (deep > stop) {
    stiffness += STOP * w.stiffness;
    spring += STOP * w.stiffness * (deep - stop);
  }
  if (w.partner >= 0 && w.partner < c.count && w.antiRoll > 0) {
    spring += w.antiRoll * (deep - wheelRow(c.first + w.partner).compression);
    stiffness += w.antiRoll;
  }
  const damping = rate > 0 ? w.bumpDamping : w.reboundDamping;
  const soft = damping + stiffness * h;
  const inverse = k.inverseNormal / (k.lean * k.lean);
  const force = (spring + soft * rate) / (<f32>1 + soft * h * inverse);
  if (deep < -w.droop || !(force > 0)) {
    w.load = 0;
    w.compression = deep + rate * h;
    return;
  }
  const load = min<f32>(force, w.mostForce) / k.lean;
  w.load = load;
  w.compression = deep + h * (rate - (load * h * k.inverseNormal) / k.lean);
  const impulse = scale(k.normal, load * h);
  k.impulse = add(k.impulse, impulse);
  push(b, k.arm, impulse);
}

/** A wheel in the air. */
function spinFreely(w: Wheel, k: WheelWork): void {
  const h = chassisWork().h;
  w.force = 0;
  w.sideForce = 0;
  w.slip = 0;
  w.sideSlip = 0;
  const spin = w.spin + (h * k.torque) / w.inertia;
  const most = (h * k.brake) / w.inertia;
  w.spin = spin > most ? spin - most : spin < -most ? spin + most : 0;
}

/** N·s of a tyre along the ground. */
function pushTyre(b: Body, k: WheelWork, along: f32, across: f32): void {
  const impulse = add(scale(k.forward, along), scale(k.side, across));
  k.impulse = add(k.impulse, impulse);
  push(b, k.arm, impulse);
}

/** What a tyre does in a small step. @unmanaged */
class Contact {
  along: f32; // m/s of the chassis over the ground
  across: f32;
  yields: f32; // 1/kg, of the tyre's side of the contact: chassis, and wheel if it turns
  spin: f32; // rad/s before the tyre acts
  slip: f32; // new deflection
  sideSlip: f32;
  force: f32;
  sideForce: f32;
  quotient: f32;
}
const CONTACT: usize = memory.data(offsetof<Contact>(), 4);

/** Tyre, brake and spin of a wheel on the ground. */
function roll(w: Wheel, k: WheelWork, b: Body): void {
  const c = chassisWork();
  const t = changetype<Contact>(CONTACT);
  const h = c.h;
  // Without what this tyre did in the last small step.
  const velocity = slide(c, k);
  const before = w.force * h;
  const sideBefore = w.sideForce * h;
  t.along = dot(velocity, k.forward) - k.inverseForward * before;
  t.across = dot(velocity, k.side) - k.inverseSide * sideBefore;
  const inertia = w.inertia;
  const turning = (w.radius * w.radius) / inertia;
  const brake = k.held + w.rolling * w.load * w.radius;
  const way: f32 = w.spin != 0 ? (w.spin > 0 ? 1 : -1) : t.along > 0 ? 1 : -1;
  t.spin = w.spin + (h * (k.torque - way * brake)) / inertia;
  t.yields = k.inverseForward + turning;
  grip(w, k);
  let spin = t.spin - (h * w.radius * t.force) / inertia;
  if (spin * way < 0) {
    // It stops within this small step. Does the brake hold it?
    t.spin = 0;
    t.yields = k.inverseForward;
    grip(w, k);
    const needed = (inertia * w.spin) / h + k.torque - w.radius * t.force;
    spin = 0;
    if (abs<f32>(needed) > brake) {
      t.spin = w.spin + (h * (k.torque + way * brake)) / inertia;
      t.yields = k.inverseForward + turning;
      grip(w, k);
      spin = t.spin - (h * w.radius * t.force) / inertia;
    }
  }
  w.spin = spin;
  w.slip = t.slip;
  w.sideSlip = t.sideSlip;
  w.force = t.force;
  w.sideForce = t.sideForce;
  k.quotient = t.quotient;
  pushTyre(b, k, t.force * h - before, t.sideForce * h - sideBefore);
}

/** Deflection and forces of a tyre, for the velocities at the end of the small step. */
function grip(w: Wheel, k: WheelWork): void {
  const t = changetype<Contact>(CONTACT);
  const h = chassisWork().h;
  const most = w.load * k.grip * loadFactor(w, w.load);
  const speed = abs<f32>(t.along);
  const over = h / w.relaxation;
  const keeps = <f32>1 / (<f32>1 + over * speed);
  const damped = max<f32>(0, <f32>1 - speed / ROLLS) * (TYRE_DAMPING / w.relaxation);
  const gain = keeps * over + damped;
  // By the secant of the curve at the last small step.
  const sliding = t.spin * w.radius - t.along;
  const stiff = (most * w.friction * k.quotient) / w.peakSlip;
  const sideStiff = (most * w.sideFriction * k.quotient) / w.peakAngle;
  const slip = (keeps * w.slip + gain * sliding) / (<f32>1 + gain * t.yields * h * stiff);
  const sideSlip = (keeps * w.sideSlip - gain * t.across) / (<f32>1 + gain * k.inverseSide * h * sideStiff);
  t.quotient = slipQuotient(w, normalizedSlip(w, slip, sideSlip));
  t.force = (most * w.friction * t.quotient * slip) / w.peakSlip;
  t.sideForce = (most * w.sideFriction * t.quotient * sideSlip) / w.peakAngle;
  // The deflection that stays, without the damping.
  const left = sliding - t.yields * h * t.force;
  const sideLeft = -t.across - k.inverseSide * h * t.sideForce;
  t.slip = keeps * (w.slip + over * left);
  t.sideSlip = keeps * (w.sideSlip + over * sideLeft);
  const stored = normalizedSlip(w, t.slip, t.sideSlip);
  const room = STORED + sqrt<f32>(left * left + sideLeft * sideLeft);
  if (stored > room) {
    t.slip *= room / stored;
    t.sideSlip *= room / stored;
  }
}

/** The ground gets the opposite of what the wheel gave to the chassis. */
function pushGround(ground: Body, chassis: Body, k: WheelWork, per: f32): void {
  if (ground.type != BODY_DYNAMIC || ground.awakeIndex < 0) return;
  const onGround = forceOf(k.impulse, -per);
  const arm = add(k.arm, sub(chassis.position, ground.position));
  pushActed(ground, mul(onGround, ground.invMass), cross(arm, onGround));
}
