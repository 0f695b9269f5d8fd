// Checks of the tables of actors. In: vehicles, wheels, characters. Out: 0, or a fault from 900 on.

import {
  BODY_USED,
  CHARACTER_FLIES,
  CHARACTER_TOUCHES,
  GEAR_AUTOMATIC,
  VEHICLE_MOTORCYCLE,
  WHEEL_BITS,
  WHEEL_CYLINDER,
} from '../memory/constants';
import { Character, Vehicle, Wheel } from '../memory/records';
import { bodyAt, CHARACTER_SIZE, VEHICLE_SIZE, WHEEL_SIZE, world } from '../memory/tables';

/** Above every limit of src/replica/commandFields.ts, and of what is computed from them. */
const MOST: f32 = 1e30;

/** Whether the f32 fields from `first` up to the one before `end` are numbers. */
function areNumbers(row: usize, first: usize, end: usize): bool {
  for (let at = row + first; at < row + end; at += 4) if (!(abs<f32>(load<f32>(at)) <= MOST)) return false;
  return true;
}

/** Rows are sorted; the chassis exists; each wheel has a vehicle. */
export function actorsFault(): i32 {
  const g = world();
  if (g.vehicleCount > g.vehicleCapacity || g.wheelCount > g.wheelCapacity) return 900;
  let wheel = 0;
  let last = 0;
  for (let i = 0; i < g.vehicleCount; i++) {
    const row = <usize>g.vehicles + <usize>i * VEHICLE_SIZE;
    const v = changetype<Vehicle>(row);
    if (v.body <= last || v.body >= g.bodyEnd || !(bodyAt(v.body).flags & BODY_USED)) return 901;
    last = v.body;
    const fault = vehicleFault(v, row);
    if (fault != 0) return fault;
    let number = -1;
    for (; wheel < g.wheelCount; wheel++) {
      const at = <usize>g.wheels + <usize>wheel * WHEEL_SIZE;
      const w = changetype<Wheel>(at);
      if (w.key >> WHEEL_BITS != v.body) break;
      if ((w.key & ((1 << WHEEL_BITS) - 1)) <= number) return 902;
      number = w.key & ((1 << WHEEL_BITS) - 1);
      const wrong = wheelFault(w, at);
      if (wrong != 0) return wrong;
    }
  }
  return wheel == g.wheelCount ? charactersFault() : 903;
}

function vehicleFault(v: Vehicle, row: usize): i32 {
  if (<u32>v.kind > <u32>VEHICLE_MOTORCYCLE || <u32>v.automatic > 1) return 904;
  if (!areNumbers(row, offsetof<Vehicle>('frameX'), offsetof<Vehicle>('antilock'))) return 905;
  if (<u32>v.antilock > 1 || <u32>v.traction > 1) return 904;
  if (!areNumbers(row, offsetof<Vehicle>('throttle'), offsetof<Vehicle>('gearInput'))) return 905;
  if (v.gearInput < GEAR_AUTOMATIC || v.gearInput > 8 || v.gear < -1 || v.gear > 8) return 906;
  if (!areNumbers(row, offsetof<Vehicle>('shiftLeft'), VEHICLE_SIZE)) return 907;
  return 0;
}

function wheelFault(w: Wheel, row: usize): i32 {
  if (!areNumbers(row, offsetof<Wheel>('positionX'), offsetof<Wheel>('cast'))) return 908;
  if (!(w.radius > 0) || !(w.inertia > 0) || !(w.relaxation > 0) || <u32>w.cast > <u32>WHEEL_CYLINDER)
    return 909;
  if (!areNumbers(row, offsetof<Wheel>('preload'), offsetof<Wheel>('partner'))) return 910;
  if (w.partner < -1 || w.partner >= 1 << WHEEL_BITS) return 911;
  if (!areNumbers(row, offsetof<Wheel>('steer'), offsetof<Wheel>('ground'))) return 912;
  if (!(w.peakSlip > 0) || !(w.peakAngle > 0) || !(w.stiffening > 0)) return 913;
  if (w.ground < 0 || w.ground > world().bodyEnd) return 914;
  if (w.groundShape < 0 || w.groundShape >= world().shapeEnd) return 915;
  return areNumbers(row, offsetof<Wheel>('pointX'), WHEEL_SIZE) ? 0 : 916;
}

/** Rows are sorted; the body exists. */
function charactersFault(): i32 {
  const g = world();
  if (g.characterCount > g.characterCapacity) return 920;
  let last = 0;
  for (let i = 0; i < g.characterCount; i++) {
    const row = <usize>g.characters + <usize>i * CHARACTER_SIZE;
    const c = changetype<Character>(row);
    if (c.body <= last || c.body >= g.bodyEnd || !(bodyAt(c.body).flags & BODY_USED)) return 921;
    last = c.body;
    const fault = characterFault(c, row);
    if (fault != 0) return fault;
  }
  return 0;
}

function characterFault(c: Character, row: usize): i32 {
  const g = world();
  if (!areNumbers(row, offsetof<Character>('upX'), offsetof<Character>('airJumps'))) return 922;
  if (!(c.offset > 0) || !(c.climbCosine > 0) || c.standing < 1 || c.airJumps < 0) return 923;
  if (!areNumbers(row, offsetof<Character>('mass'), offsetof<Character>('group'))) return 924;
  if (<u32>c.mode > <u32>CHARACTER_FLIES) return 925;
  if (!areNumbers(row, offsetof<Character>('moveX'), offsetof<Character>('flags'))) return 926;
  if (c.ground < 0 || c.ground >= g.bodyEnd || c.groundShape < 0 || c.groundShape >= g.shapeEnd) return 927;
  if (!areNumbers(row, offsetof<Character>('lift'), offsetof<Character>('touched'))) return 928;
  if (<u32>c.touched > <u32>CHARACTER_TOUCHES) return 929;
  return areNumbers(row, offsetof<Character>('up'), CHARACTER_SIZE) ? 0 : 930;
}
