// Motorcycles. In: inputs, motion. Out: which way they are steered, and the torque by which they keep their balance.
//
// In a steady turn of curvature κ at speed v a two-wheeled vehicle leans by tan φ = v² κ / g (for example D. J. N. Limebeer,
// R. S. Sharp, "Bicycles, motorcycles, and models", IEEE Control Systems 26, 2006). The rider asks for a curvature, leans
// towards that angle, and steers for the lean that there is: so the machine turns because it leans, and steers into a fall.
// As in Jolt's MotorcycleController a spring and damper about the forward axis stand for the rider's balance, and the
// curvature is limited to what the largest lean allows. Here the torque has a limit, and a machine that leans too far falls.

import { applyInverseInertia } from '../bodies/massProperties';
import { atan2, cos, sin } from '../math/elementary';
import {
  add,
  addScaled,
  cross,
  dot,
  length,
  neg,
  normalizeOr,
  quat,
  rotate,
  rotateInverse,
  scale,
  sub,
  vec3,
  z,
  zero,
} from '../math/vector';
import { Body, Vehicle, Wheel } from '../memory/records';
import { FALLS, LEAN_SLOW, LIFTS } from './tolerances';
import { wheelRow } from './vehicleTable';
import { chassisWork, wheelWork } from './work';

function tangent(angle: f32): f32 {
  return <f32>(sin(<f64>angle) / cos(<f64>angle));
}

/** m along the vehicle, of a wheel before the line about which the others turn. */
function baseOf(v: Vehicle, w: Wheel): f32 {
  const frame = quat(v.frameX, v.frameY, v.frameZ, v.frameW);
  return z(rotateInverse(frame, vec3(w.positionX, w.positionY, w.positionZ))) - v.steerOrigin;
}

/**
 * The direction in which it stands when it does not lean: against gravity, where the wheels carry the weight. In a dip, or
 * a loop, they carry more, along the normal of the ground.
 */
function apparentUp(b: Body, gravity: v128): v128 {
  const c = chassisWork();
  let normal = zero();
  let load: f32 = 0;
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    normal = addScaled(normal, vec3(w.normalX, w.normalY, w.normalZ), w.load);
    load += w.load;
  }
  if (!(load > 0)) return gravity;
  normal = normalizeOr(normal, zero());
  return addScaled(gravity, normal, load / b.mass - dot(gravity, normal));
}

/** Once per step: where up is, how it leans, how it should, and the curvature that it steers for. */
export function startLean(v: Vehicle, b: Body): void {
  const c = chassisWork();
  const gravity = neg(c.pull);
  c.gravity = length(gravity);
  c.upwards = apparentUp(b, gravity);
  c.leanTarget = 0;
  let most: f32 = 0;
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    const base = abs<f32>(baseOf(v, w));
    if (w.steer != 0 && base > 0)
      most = max<f32>(most, tangent(min<f32>(abs<f32>(w.steer), <f32>1.5)) / base);
  }
  const square = v.speed * v.speed;
  const leanMost = tangent(v.leanMost);
  if (square * most > c.gravity * leanMost) most = (c.gravity * leanMost) / square;
  c.asked = v.steering * most;
  if (c.gravity > 0) c.leanTarget = <f32>atan2(<f64>(square * c.asked), <f64>c.gravity);
  steerFor(v);
}

/** How it leans now, and the curvature that this takes. */
function steerFor(v: Vehicle): void {
  const c = chassisWork();
  c.lean = <f32>atan2(<f64>-dot(c.left, c.upwards), <f64>dot(c.up, c.upwards));
  c.curvature = c.asked;
  if (!(abs<f32>(c.lean) < v.leanMost + FALLS)) return;
  const square = v.speed * v.speed;
  const slow = square + LEAN_SLOW * LEAN_SLOW;
  c.curvature += ((tangent(c.lean) - tangent(c.leanTarget)) * c.gravity * square) / (slow * slow);
}

/** Each small step: the axes turn with the chassis, and the rider steers. */
export function ride(v: Vehicle, b: Body): void {
  const c = chassisWork();
  c.left = addScaled(c.left, cross(c.angular, c.left), c.h);
  c.up = addScaled(c.up, cross(c.angular, c.up), c.h);
  c.forward = addScaled(c.forward, cross(c.angular, c.forward), c.h);
  steerFor(v);
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    const k = wheelWork(i);
    if (w.steer == 0) continue;
    const angle = steerByLean(v, w, b);
    const turned = angle - w.steerAngle;
    w.steerAngle = angle;
    if (k.touches == 0) continue;
    const forward = addScaled(k.forward, k.side, turned);
    k.side = addScaled(k.side, k.forward, -turned);
    k.forward = forward;
  }
  balance(v, b);
}

/**
 * rad. Angle of a steered wheel. A wheel that leans turns by more than its angle: tan δ = κ L cos φ. When brakes put the
 * weight on it, it follows the way that it goes, as its trail makes it, as far as the other wheel has lost its hold:
 * otherwise it would turn the machine about faster and faster.
 */
export function steerByLean(v: Vehicle, w: Wheel, b: Body): f32 {
  const c = chassisWork();
  const base = baseOf(v, w);
  let angle = <f32>atan2(<f64>(c.curvature * base) * cos(<f64>c.lean), 1);
  const follows = <f32>1 - holdOf(false) / max<f32>(holdOf(true), <f32>1e-3);
  if (follows > 0 && v.speed > LEAN_SLOW && base > 0) {
    const place = rotate(b.rotation, sub(vec3(w.positionX, w.positionY, w.positionZ), b.centerOfMass));
    const way = add(sub(c.linear, c.carried), cross(c.angular, place));
    const goes = <f32>atan2(<f64>dot(way, c.left), <f64>dot(way, c.forward));
    angle += min<f32>(1, follows) * (goes - angle);
  }
  const most = abs<f32>(w.steer);
  return max<f32>(-most, min<f32>(most, angle));
}

/** The torque of one small step. */
function balance(v: Vehicle, b: Body): void {
  const c = chassisWork();
  const rate = -dot(c.angular, c.forward);
  if (!(abs<f32>(c.lean) < v.leanMost + FALLS)) return;
  let arms: f32 = 0;
  let touching: f32 = 0;
  for (let i = 0; i < c.count; i++) {
    const k = wheelWork(i);
    if (k.touches == 0 || !(wheelRow(c.first + i).load > 0)) continue;
    arms -= dot(k.arm, c.up);
    touching++;
  }
  if (touching == 0) return;
  // About the line on which it stands.
  const height = arms / touching;
  const inverse = dot(c.forward, applyInverseInertia(b, c.forward));
  const inertia = (inverse > 0 ? <f32>1 / inverse : 0) + b.mass * height * height;
  const wanted = inertia * (v.leanStiffness * (c.leanTarget - c.lean) - v.leanDamping * rate);
  const torque = max<f32>(-v.leanTorque, min<f32>(v.leanTorque, wanted));
  const turn = scale(c.forward, -torque * c.h);
  c.angularImpulse = add(c.angularImpulse, turn);
  c.angular = add(c.angular, applyInverseInertia(b, turn));
}

/** Load of the wheels that are steered, or of the others, in that of the standing vehicle. */
function holdOf(steered: bool): f32 {
  const c = chassisWork();
  let load: f32 = 0;
  let nominal: f32 = 0;
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    if ((w.steer != 0) != steered) continue;
    load += w.load;
    nominal += w.nominalLoad;
  }
  return nominal > 0 ? load / nominal : 1;
}

/** Share of a torque that aids let act: less when the wheels that it lifts, steered or not, have lost their load. */
export function keepsDown(steered: bool): f32 {
  return min<f32>(1, holdOf(steered) / LIFTS);
}
