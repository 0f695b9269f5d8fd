// The tables of vehicles and wheels. In: commands. Out: rows, sorted by the slot of the chassis. A vehicle is known by its
// chassis: it needs no id, and goes with it.

import { lengthSquared } from '../math/vector';
import { Activate, SetVehicle, SetVehicleInput, SetWheel } from '../memory/commandWords';
import { BODY_DYNAMIC, BODY_USED, GEAR_AUTOMATIC, WHEEL_BITS } from '../memory/constants';
import { Vehicle, Wheel } from '../memory/records';
import { bodyAt, VEHICLE_SIZE, velocityAt, WHEEL_SIZE, world } from '../memory/tables';
import { dropTrait, findTrait, makeTrait, VEHICLES, WHEELS } from '../shapes/traits';
import { STIRS } from './tolerances';

/** @external core applyCommands */
declare function applyCommands(address: u32, words: i32): void;

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
  const to = row + offsetof<Vehicle>('throttle');
  // Bit i of the parts that are given is that of word i + 1.
  const given = load<i32>(f, (<usize>SetVehicleInput.given) << 2);
  let changed = false;
  for (let i = 0; i < SetVehicleInput.given - 1; i++) {
    const at = (<usize>i) << 2;
    if (((given >> i) & 1) == 0 || load<i32>(to + at) == load<i32>(f + 4 + at)) continue;
    store<i32>(to + at, load<i32>(f + 4 + at));
    changed = true;
  }
  if (changed) wake(load<i32>(f));
}

/** A command for the core. */
const WAKE: usize = memory.data(12, 4);

/** Wakes a chassis with all of its island, by a command of the core. */
function wake(body: i32): void {
  if (bodyAt(body).awakeIndex >= 0) return;
  store<i32>(WAKE, Activate.CODE | ((Activate.WORDS + 1) << 8));
  store<i32>(WAKE, body, 4);
  store<i32>(WAKE, 0, 8);
  applyCommands(<u32>WAKE, Activate.WORDS + 1);
}

/** Wakes the vehicles that stand on a body, which is moved, changed or about to go: no contact tells them. */
export function wakeFrom(ground: i32): void {
  const g = world();
  for (let i = 0; i < g.wheelCount; i++)
    if (wheelRow(i).ground == ground + 1) wake(wheelRow(i).key >> WHEEL_BITS);
}

/** Wakes the vehicles that stand on what moves, and the ground of those that move: a contact would. */
export function wakeWithGround(): void {
  const g = world();
  for (let i = 0; i < g.wheelCount; i++) {
    const w = wheelRow(i);
    if (w.ground <= 0) continue;
    const chassis = w.key >> WHEEL_BITS;
    const ground = bodyAt(w.ground - 1);
    if (!(ground.flags & BODY_USED)) continue;
    if (ground.awakeIndex >= 0) wake(chassis);
    else if (ground.type == BODY_DYNAMIC && w.load > 0 && bodyAt(chassis).awakeIndex >= 0) {
      const motion = velocityAt(chassis);
      if (lengthSquared(motion.linear) + lengthSquared(motion.angular) > STIRS * STIRS) wake(ground.slot);
    }
  }
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
