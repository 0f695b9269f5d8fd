// Engine, clutch, gearbox, differentials. In: inputs, speeds of the wheels. Out: torques of the wheels, engine speed,
// gear. The clutch and the differentials are frictions: they carry as much torque as would make their two sides turn
// together in this small step, and no more than they can.

import { GEAR_AUTOMATIC, VEHICLE_MOTORCYCLE } from '../memory/constants';
import { Vehicle, Wheel } from '../memory/records';
import { keepsDown } from './lean';
import { LEAST_DRIVE, LIMITER, SHIFT_PAUSE, STANDING } from './tolerances';
import { gripLeft } from './tyre';
import { wheelRow } from './vehicleTable';
import { ChassisWork, chassisWork, wheelWork } from './work';

/** Ratio of a gear; 0 if there is none. */
function ratioOf(v: Vehicle, gear: i32): f32 {
  if (gear < 0) return -v.reverseRatio;
  if (gear == 0 || gear > 8) return 0;
  return load<f32>(changetype<usize>(v) + offsetof<Vehicle>('ratio1') + ((<usize>(gear - 1)) << 2));
}

/** Weighted mean of the speeds of the driven wheels, rad/s. */
function outputSpeed(c: ChassisWork): f32 {
  let sum: f32 = 0;
  let shares: f32 = 0;
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    sum += w.drive * w.spin;
    shares += w.drive;
  }
  return shares > 0 ? sum / shares : 0;
}

/** Chooses the gear, and what the pedals mean in it: once per step. */
export function chooseGear(v: Vehicle, dt: f32): void {
  const c = chassisWork();
  let throttle = v.throttle;
  let brake = v.brake;
  let wanted = v.gear;
  if (v.automatic != 0 && v.gearInput == GEAR_AUTOMATIC) {
    if (v.gear < 0 ? throttle > 0 : v.gear == 0) {
      if (v.speed > -STANDING) wanted = 1;
    } else if (throttle < 0 && v.speed < STANDING) wanted = v.reverseRatio > 0 ? -1 : v.gear;
    const backwards = wanted < 0;
    if (backwards ? throttle > 0 : throttle < 0) brake = max<f32>(brake, abs<f32>(throttle));
    throttle = backwards ? max<f32>(0, -throttle) : max<f32>(0, throttle);
    if (wanted > 0 && wanted == v.gear && v.shiftLeft <= -SHIFT_PAUSE) {
      const turning = outputSpeed(c) * ratioOf(v, v.gear);
      if (turning > v.shiftUp && ratioOf(v, v.gear + 1) > 0) wanted = v.gear + 1;
      else if (turning < v.shiftDown && v.gear > 1) wanted = v.gear - 1;
    }
  } else {
    if (v.gearInput != GEAR_AUTOMATIC) wanted = v.gearInput;
    if (throttle < 0) {
      brake = max<f32>(brake, -throttle);
      throttle = 0;
    }
  }
  v.shiftLeft = max<f32>(v.shiftLeft - dt, -SHIFT_PAUSE);
  if (wanted != v.gear) {
    v.gear = wanted;
    v.shiftLeft = v.shiftTime;
  }
  const shifting = v.shiftLeft > 0;
  c.ratio = shifting ? 0 : ratioOf(v, v.gear);
  c.throttle = shifting ? 0 : throttle;
  c.brake = brake;
}

/** N·m of the engine that the tyres can take. A differential that is open gives both sides the torque of the weaker one. */
function tractionLimit(c: ChassisWork): f32 {
  let least = f32.MAX_VALUE;
  let sum: f32 = 0;
  let isOpen = true;
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    if (w.drive == 0) continue;
    const torque = w.load > 0 ? w.radius * gripLeft(w, wheelWork(i)) : 0;
    least = min<f32>(least, torque / w.drive);
    sum += torque;
    if (w.lock > 0) isOpen = false;
  }
  return (isOpen ? max<f32>(least, LEAST_DRIVE * sum) : sum) / abs<f32>(c.ratio);
}

/** N·m of the engine at its present speed. */
function engineTorque(v: Vehicle, throttle: f32, h: f32): f32 {
  const most = max<f32>(v.mostSpeed, <f32>1e-3);
  const share = max<f32>(0, v.engineSpeed / most);
  const place = min<f32>(share * 7, <f32>6.999);
  const i = <i32>place;
  const curve = changetype<usize>(v) + offsetof<Vehicle>('curve0') + ((<usize>i) << 2);
  const full = v.torque * (load<f32>(curve) + (place - <f32>i) * (load<f32>(curve, 4) - load<f32>(curve)));
  const limit = max<f32>(0, min<f32>(1, (<f32>1 + LIMITER - share) / LIMITER));
  let torque = throttle * full * limit - (<f32>1 - throttle) * v.engineBraking * share;
  if (v.engineSpeed < v.idleSpeed) {
    const lift = ((v.idleSpeed - v.engineSpeed) * v.engineInertia) / h;
    torque = max<f32>(torque, min<f32>(lift, <f32>0.3 * v.torque));
  }
  return torque;
}

/** Torques of engine and differentials on the wheels for one small step; the engine's new speed. */
export function drive(v: Vehicle): void {
  const c = chassisWork();
  const h = c.h;
  let made = engineTorque(v, c.throttle, h);
  if (v.traction != 0 && c.ratio != 0 && v.engineSpeed > v.idleSpeed) made = min<f32>(made, tractionLimit(c));
  if (v.traction != 0 && v.kind == VEHICLE_MOTORCYCLE && made > 0) made *= keepsDown(true);
  let clutch: f32 = 0;
  if (c.ratio != 0 && v.engineInertia > 0) {
    let shares: f32 = 0;
    let speed: f32 = 0;
    let inverse: f32 = 0;
    for (let i = 0; i < c.count; i++) {
      const w = wheelRow(c.first + i);
      shares += w.drive;
      speed += w.drive * freeSpin(w, h);
      inverse += (w.drive * w.drive) / w.inertia;
    }
    if (shares > 0) {
      const ratio = c.ratio / shares;
      const turning = ratio * speed;
      const free = v.engineSpeed + (h * made) / v.engineInertia;
      const faster = max<f32>(v.engineSpeed, turning);
      const grip = max<f32>(0, min<f32>(1, (faster - v.idleSpeed) / max<f32>(v.idleSpeed, <f32>1e-3)));
      const most = v.clutch * grip;
      clutch = (free - turning) / (h * (<f32>1 / v.engineInertia + ratio * ratio * inverse));
      clutch = max<f32>(-most, min<f32>(most, clutch));
    }
    for (let i = 0; i < c.count; i++) {
      const w = wheelRow(c.first + i);
      wheelWork(i).torque = shares > 0 ? ((c.ratio * w.drive) / shares) * clutch : 0;
    }
  } else for (let i = 0; i < c.count; i++) wheelWork(i).torque = 0;
  c.clutchTorque = clutch;
  if (v.engineInertia > 0)
    v.engineSpeed = max<f32>(0, v.engineSpeed + (h * (made - clutch)) / v.engineInertia);
}

/** rad/s after the small step if tyre and brakes act as in the last one, without engine. */
function freeSpin(w: Wheel, h: f32): f32 {
  return w.spin - (h * w.force * w.radius) / w.inertia;
}

/** Moves torque from the faster to the slower side of each differential. */
export function lockDifferentials(v: Vehicle): void {
  const c = chassisWork();
  const h = c.h;
  for (let i = 0; i < c.count; i++) {
    const a = wheelRow(c.first + i);
    if (a.partner <= i || a.partner >= c.count || a.lock == 0) continue;
    const b = wheelRow(c.first + a.partner);
    const ka = wheelWork(i);
    const kb = wheelWork(a.partner);
    const fast = a.spin + (h * (ka.torque - a.force * a.radius)) / a.inertia;
    const slow = b.spin + (h * (kb.torque - b.force * b.radius)) / b.inertia;
    let moved = (fast - slow) / (h * (<f32>1 / a.inertia + <f32>1 / b.inertia));
    moved = max<f32>(-a.lock, min<f32>(a.lock, moved));
    ka.torque -= moved;
    kb.torque += moved;
  }
  if (v.centreLock > 0) lockCentre(v, c);
}

/** The same between each driven axle and the next one. */
function lockCentre(v: Vehicle, c: ChassisWork): void {
  let last = -1;
  for (let i = 0; i < c.count; i++) {
    const w = wheelRow(c.first + i);
    if (w.drive == 0 || (w.partner >= 0 && w.partner < i)) continue;
    if (last >= 0) {
      const fast = axleSpeed(c, last);
      const slow = axleSpeed(c, i);
      let moved = (fast - slow) / (c.h * (axleInverse(c, last) + axleInverse(c, i)));
      moved = max<f32>(-v.centreLock, min<f32>(v.centreLock, moved));
      turnAxle(c, last, -moved);
      turnAxle(c, i, moved);
    }
    last = i;
  }
}

/** Wheel at the other end of the axle of wheel i, or i. @inline */
function other(c: ChassisWork, i: i32): i32 {
  const partner = wheelRow(c.first + i).partner;
  return partner >= 0 && partner < c.count ? partner : i;
}

function axleSpeed(c: ChassisWork, i: i32): f32 {
  return <f32>0.5 * (expectedSpin(c, i) + expectedSpin(c, other(c, i)));
}
function expectedSpin(c: ChassisWork, i: i32): f32 {
  const w = wheelRow(c.first + i);
  return w.spin + (c.h * (wheelWork(i).torque - w.force * w.radius)) / w.inertia;
}
/** 1/(kg·m²): speed of the axle for a torque that both ends share. */
function axleInverse(c: ChassisWork, i: i32): f32 {
  const j = other(c, i);
  if (i == j) return <f32>1 / wheelRow(c.first + i).inertia;
  return <f32>0.25 * (<f32>1 / wheelRow(c.first + i).inertia + <f32>1 / wheelRow(c.first + j).inertia);
}
function turnAxle(c: ChassisWork, i: i32, torque: f32): void {
  wheelWork(i).torque += <f32>0.5 * torque;
  wheelWork(other(c, i)).torque += <f32>0.5 * torque;
}
