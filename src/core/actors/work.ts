// What the motion of one vehicle works with during a step. In: nothing. Out: scratch records in static memory, valid
// within updateVehicle (vehicles.ts) only.

import { WHEEL_BITS } from '../memory/constants';

/** The chassis during the small steps. @unmanaged */
export class ChassisWork {
  linear: v128; // m/s, of the centre of mass
  angular: v128; // rad/s
  pull: v128; // m/s², of gravity and areas
  acceleration: v128; // m/s², of everything but the vehicle
  turning: v128; // rad/s², the same
  carried: v128; // m/s, of the ground under it
  linearImpulse: v128; // N·s that the vehicle has given to it so far
  angularImpulse: v128;
  up: v128; // axes of the vehicle
  forward: v128;
  left: v128;
  rotation: v128; // of the vehicle's frame
  upwards: v128; // of a motorcycle: where it stands without leaning
  h: f32; // s, a small step
  throttle: f32; // 0 to 1, what the gearbox lets through
  brake: f32; // 0 to 1
  ratio: f32; // of the gear that is in, below 0 backwards; 0 none
  first: i32; // row of the first wheel
  count: i32; // wheels
  body: i32; // slot
  clutchTorque: f32; // N·m
  lean: f32; // rad, of a motorcycle, to the left
  leanTarget: f32; // rad
  curvature: f32; // 1/m that it steers for
  asked: f32; // 1/m that its rider asks for
  gravity: f32; // m/s²
  trackDifference: f32; // m/s by which the right track shall be faster
}

/** A wheel during the small steps. @unmanaged */
export class WheelWork {
  normal: v128; // of the ground
  forward: v128; // along the ground
  side: v128; // along the ground, to the left
  arm: v128; // m, from the centre of mass to the contact
  groundVelocity: v128; // m/s, at the contact
  turning: v128; // m/s² of it by which that changes in the step, less that of the chassis there, as both turn
  impulse: v128; // N·s on the chassis, whose opposite the ground gets
  lean: f32; // cosine between normal and suspension
  inverseNormal: f32; // 1/kg, what an impulse at the contact meets along the three directions
  inverseForward: f32;
  inverseSide: f32;
  inverseGround: f32; // 1/kg, the part of the ground in them
  grip: f32; // share of the tyre's friction that this ground gives
  torque: f32; // N·m of engine and differentials
  brake: f32; // N·m, largest
  held: f32; // N·m of it that the antilock system lets act
  quotient: f32; // of the tyre's curve at the last small step, see tyre.ts
  touches: i32; // 1: there is ground
  track: i32; // 1: left, −1: right, 0: none
}

const CHASSIS: usize = memory.data(offsetof<ChassisWork>(), 16);
const MOST_WHEELS = 1 << WHEEL_BITS;
const WHEELS: usize = memory.data(MOST_WHEELS * offsetof<WheelWork>(), 16);

/** @inline */
export function chassisWork(): ChassisWork {
  return changetype<ChassisWork>(CHASSIS);
}
/** Of wheel `i` of the vehicle, counted in the order of its rows. @inline */
export function wheelWork(i: i32): WheelWork {
  return changetype<WheelWork>(WHEELS + <usize>i * offsetof<WheelWork>());
}
