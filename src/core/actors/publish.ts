// What frames carry about vehicles, so that a page draws them without a question per body. In: rows. Out: in the query
// output, for each vehicle the words of PUBLISHED_VEHICLE, followed by those of PUBLISHED_WHEEL for each wheel.

import { WHEEL_BITS } from '../memory/constants';
import { PublishedVehicle, PublishedWheel, Wheel } from '../memory/records';
import { world } from '../memory/tables';
import { reserveOutput } from '../queries/output';
import { vehicleRow, wheelRow } from './vehicleTable';

const VEHICLE: usize = offsetof<PublishedVehicle>();
const WHEEL: usize = offsetof<PublishedWheel>();

/** Writes from word `from` on; returns the end. */
export function publishVehicles(from: i32): i32 {
  const g = world();
  const words = from + ((<i32>VEHICLE * g.vehicleCount + <i32>WHEEL * g.wheelCount) >> 2);
  reserveOutput(words);
  let at = <usize>g.queryOutput + ((<usize>from) << 2);
  let w = 0;
  for (let i = 0; i < g.vehicleCount; i++) {
    const v = vehicleRow(i);
    const to = changetype<PublishedVehicle>(at);
    at += VEHICLE;
    to.body = v.body;
    to.gear = v.gear;
    to.engineSpeed = v.engineSpeed;
    to.speed = v.speed;
    to.steering = v.steering;
    to.wheels = 0;
    for (; w < g.wheelCount && wheelRow(w).key >> WHEEL_BITS == v.body; w++) {
      publishWheel(wheelRow(w), changetype<PublishedWheel>(at));
      at += WHEEL;
      to.wheels++;
    }
    to.words = <i32>((at - changetype<usize>(to)) >> 2);
  }
  return words;
}

function publishWheel(w: Wheel, to: PublishedWheel): void {
  to.positionX = w.positionX;
  to.positionY = w.positionY;
  to.positionZ = w.positionZ;
  to.compression = w.compression;
  to.steerAngle = w.steerAngle;
  to.angle = w.angle;
  to.spin = w.spin;
  to.load = w.load;
  to.slip = w.slip;
  to.sideSlip = w.sideSlip;
  to.force = w.force;
  to.sideForce = w.sideForce;
  to.ground = w.ground;
}
