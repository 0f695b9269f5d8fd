// Steering. In: the input, the wheels' places. Out: their angles.

import { atan2, cos, sin } from '../math/elementary';
import { conjugate, quat, rotate, vec3, x, z } from '../math/vector';
import { VEHICLE_MOTORCYCLE } from '../memory/constants';
import { Body, Vehicle, Wheel } from '../memory/records';
import { steerByLean } from './lean';

/** Turns the steering wheel towards the input. */
export function turnSteering(v: Vehicle, dt: f32): void {
  const most = v.steerRate > 0 ? v.steerRate * dt : 2;
  v.steering += max<f32>(-most, min<f32>(most, v.steerInput - v.steering));
}

/**
 * rad. Angle of a wheel, to the left. With Ackermann steering the axles of all wheels meet in one point, at the distance
 * R = L / tan δ from the middle of the vehicle: tan δᵢ = L / (R − xᵢ).
 */
export function steerWheel(v: Vehicle, w: Wheel, b: Body): f32 {
  if (w.steer == 0) return 0;
  if (v.kind == VEHICLE_MOTORCYCLE) return steerByLean(v, w, b);
  if (v.steering == 0) return 0;
  const fast = v.steerSpeed > 0 ? v.speed / v.steerSpeed : 0;
  const angle = (v.steering * w.steer) / (<f32>1 + fast * fast);
  if (v.ackermann == 0) return angle;
  const place = rotate(
    conjugate(quat(v.frameX, v.frameY, v.frameZ, v.frameW)),
    vec3(w.positionX, w.positionY, w.positionZ),
  );
  const L = <f64>(z(place) - v.steerOrigin);
  const cosine = cos(<f64>angle);
  const tangent = sin(<f64>angle) / cosine;
  const below = abs<f64>(L) - <f64>x(place) * tangent * (L < 0 ? -1 : 1);
  if (!(below > 1e-3) || !(cosine > 1e-3)) return angle;
  return angle + v.ackermann * (<f32>atan2(abs<f64>(L) * tangent, below) - angle);
}
