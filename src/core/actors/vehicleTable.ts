// The tables of vehicles and wheels. In: commands. Out: rows, sorted by the slot of the chassis. A vehicle is known by its
// chassis: it needs no id, and goes with it.

import { SetVehicle, SetVehicleInput, SetWheel } from '../memory/commandWords';
import { GEAR_AUTOMATIC, WHEEL_BITS } from '../memory/constants';
import { Vehicle, Wheel } from '../memory/records';
import { VEHICLE_SIZE, WHEEL_SIZE, world } from '../memory/tables';
import { dropTrait, findTrait, makeTrait, VEHICLES, WHEELS } from '../shapes/traits';

/** Row `i` of the table. @inline */
export function vehicleRow(i: i32): Vehicle {
  return changetype<Vehicle>(<usize>world().vehicles + <usize>i * VEHICLE_SIZE);
}
/** Row `i` of the table. @inline */
export function wheelRow(i: i32): Wheel {
  return changetype<Wheel>(<usize>world().wheels + <usize>i * WHEEL_SIZE);
}

/** Makes the vehicle of a body, or changes its settings. */
export function setVehicle(f: usize): void {
  const count = world().vehicleCount;
  const row = makeTrait(VEHICLES, VEHICLE_SIZE, load<i32>(f));
  memory.copy(row, f, (<usize>SetVehicle.WORDS) << 2);
  const v = changetype<Vehicle>(row);
  if (world().vehicleCount == count) return;
  v.gearInput = GEAR_AUTOMATIC;
  v.gear = v.automatic != 0 ? 1 : 0;
  v.engineSpeed = v.idleSpeed;
}

/** Makes a wheel of a vehicle, or changes its settings. Bodies without a vehicle have no wheels. */
export function setWheel(f: usize): void {
  const body = load<i32>(f);
  if (findTrait(VEHICLES, VEHICLE_SIZE, body) == 0) return;
  const key = (body << WHEEL_BITS) | load<i32>(f, (<usize>SetWheel.wheel) << 2);
  const row = makeTrait(WHEELS, WHEEL_SIZE, key);
  memory.copy(row + 4, f + 8, (<usize>(SetWheel.WORDS - 2)) << 2);
}

export function setVehicleInput(f: usize): void {
  const row = findTrait(VEHICLES, VEHICLE_SIZE, load<i32>(f));
  if (row == 0) return;
  memory.copy(row + offsetof<Vehicle>('throttle'), f + 4, (<usize>(SetVehicleInput.WORDS - 1)) << 2);
}

/** Removes the vehicle of a body, if it has one. */
export function removeVehicle(body: i32): void {
  if (findTrait(VEHICLES, VEHICLE_SIZE, body) == 0) return;
  dropTrait(VEHICLES, VEHICLE_SIZE, body);
  const g = world();
  for (let i = firstWheel(body); i < g.wheelCount && wheelRow(i).key >> WHEEL_BITS == body; )
    dropTrait(WHEELS, WHEEL_SIZE, wheelRow(i).key);
}

/** Index of the first wheel of a body, or of the wheel before which it would stand. */
export function firstWheel(body: i32): i32 {
  const key = body << WHEEL_BITS;
  let low = 0;
  let high = world().wheelCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (wheelRow(middle).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
