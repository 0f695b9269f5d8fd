// Tracks: the wheels of a side run in one belt. In: wheels after a small step, steering. Out: their common speed, and the
// force between the tracks that steers. The steering gear is a double differential: the engine drives both tracks, and the
// steering moves force from one to the other until their speeds differ as it asks, also at a standstill.

import { quat, rotateInverse, vec3, x } from '../math/vector';
import { Vehicle, Wheel } from '../memory/records';
import { MIDDLE } from './tolerances';
import { wheelRow } from './vehicleTable';
import { ChassisWork, chassisWork, wheelWork } from './work';

/** m to the left. */
function asideOf(v: Vehicle, w: Wheel): f32 {
  const frame = quat(v.frameX, v.frameY, v.frameZ, v.frameW);
  return x(rotateInverse(frame, vec3(w.positionX, w.positionY, w.positionZ)));
}

/** Once per step: which wheels are on which track, how far apart the tracks are, how their speeds shall differ. */
export function startTracks(v: Vehicle): void {
  const c = chassisWork();
  let left: f32 = 0;
  let right: f32 = 0;
  for (let i = 0; i < c.count; i++) {
    const aside = asideOf(v, wheelRow(c.first + i));
    left = max<f32>(left, aside);
    right = max<f32>(right, -aside);
  }
  for (let i = 0; i < c.count; i++) {
    const aside = asideOf(v, wheelRow(c.first + i));
    wheelWork(i).track = aside > MIDDLE * left ? 1 : aside < -MIDDLE * right ? -1 : 0;
  }
  const fast = v.steerSpeed > 0 ? v.speed / v.steerSpeed : 0;
  c.trackDifference = (v.steering * v.turnRate * (left + right)) / (<f32>1 + fast * fast);
}

/** kg: what a force along a track moves, of its wheels. */
function massOf(c: ChassisWork, track: i32): f32 {
  let mass: f32 = 0;
  for (let i = 0; i < c.count; i++) {
    if (wheelWork(i).track != track) continue;
    const w = wheelRow(c.first + i);
    mass += w.inertia / (w.radius * w.radius);
  }
  return mass;
}

/** m/s of a track of this mass; `ahead`: after the small step, if tyres act as in the last one. */
function speedOf(c: ChassisWork, track: i32, mass: f32, ahead: f32): f32 {
  let momentum: f32 = 0;
  for (let i = 0; i < c.count; i++) {
    const k = wheelWork(i);
    if (k.track != track) continue;
    const w = wheelRow(c.first + i);
    momentum += (w.inertia * w.spin + ahead * (k.torque - w.force * w.radius)) / w.radius;
  }
  return momentum / mass;
}

function pull(c: ChassisWork, track: i32, mass: f32, force: f32): void {
  for (let i = 0; i < c.count; i++) {
    const k = wheelWork(i);
    if (k.track != track) continue;
    const w = wheelRow(c.first + i);
    k.torque += (force * w.inertia) / (w.radius * mass);
  }
}

/** Moves force from one track to the other. */
export function steerTracks(v: Vehicle): void {
  const c = chassisWork();
  const left = massOf(c, 1);
  const right = massOf(c, -1);
  if (!(left > 0) || !(right > 0)) return;
  const differs = speedOf(c, -1, right, c.h) - speedOf(c, 1, left, c.h);
  let force = (c.trackDifference - differs) / (c.h * (<f32>1 / left + <f32>1 / right));
  force = max<f32>(-v.turnForce, min<f32>(v.turnForce, force));
  pull(c, -1, right, force);
  pull(c, 1, left, -force);
}

/** Gives the wheels of each track one speed; what they turn with together stays. */
export function joinTracks(): void {
  const c = chassisWork();
  for (let track = -1; track <= 1; track += 2) {
    const mass = massOf(c, track);
    if (!(mass > 0)) continue;
    const speed = speedOf(c, track, mass, 0);
    for (let i = 0; i < c.count; i++) {
      if (wheelWork(i).track != track) continue;
      const w = wheelRow(c.first + i);
      w.spin = speed / w.radius;
    }
  }
}
