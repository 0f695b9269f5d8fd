// Checks of the tables of actors. In: vehicles, wheels, characters. Out: 0, or a fault from 900 on. Settings and inputs
// are within the ranges of their commands (src/replica/actorFields.ts), the state within what steps keep.

import {
  ACTOR_FORCE,
  ACTOR_LEAN,
  ACTOR_LENGTH,
  ACTOR_ONE,
  ACTOR_PULL,
  ACTOR_RATE,
  ACTOR_TURN,
  MOST_COEFFICIENT,
  MOST_COORDINATE,
  MOST_SETTING,
} from '../memory/bounds';
import {
  BODY_USED,
  CHARACTER_ASKS_CROUCH,
  CHARACTER_ASKS_LOCAL,
  CHARACTER_FLIES,
  CHARACTER_FOLLOWS_GRAVITY,
  CHARACTER_IS_CROUCHING,
  CHARACTER_IS_IN_WATER,
  CHARACTER_IS_ON_LADDER,
  CHARACTER_IS_PLACED,
  CHARACTER_IS_STRUCK,
  CHARACTER_STEPS_ON_DYNAMIC,
  CHARACTER_TOUCHES,
  CHARACTER_WAITS,
  CHARACTER_YIELDS,
  GEAR_AUTOMATIC,
  VEHICLE_MOTORCYCLE,
  WHEEL_BITS,
  WHEEL_CYLINDER,
} from '../memory/constants';
import { Character, Vehicle, Wheel } from '../memory/records';
import { bodyAt, CHARACTER_SIZE, VEHICLE_SIZE, WHEEL_SIZE, world } from '../memory/tables';
import { areWithin, isUnit, isWithin } from './soundNumbers';

const MOST_GEAR = 8;
const MOST_JUMPS = 1000;
const MOST_PIECES = 65535;

const OPTIONS = CHARACTER_STEPS_ON_DYNAMIC | CHARACTER_FOLLOWS_GRAVITY | CHARACTER_YIELDS | CHARACTER_WAITS;
const ASKS = CHARACTER_ASKS_CROUCH | CHARACTER_ASKS_LOCAL;
const FLAGS =
  CHARACTER_IS_CROUCHING |
  CHARACTER_IS_ON_LADDER |
  CHARACTER_IS_IN_WATER |
  CHARACTER_IS_STRUCK |
  CHARACTER_IS_PLACED;

/** From `first` up to the one before `end`. @value */
class Fields {
  first: usize;
  end: usize;
}

/** Whether the f32 fields are within bounds. */
function areIn(row: usize, fields: Fields, least: f32, most: f32): bool {
  for (let at = row + fields.first; at < row + fields.end; at += 4)
    if (!isWithin(load<f32>(at), least, most)) return false;
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
  if (!isUnit(f32x4(v.frameX, v.frameY, v.frameZ, v.frameW))) return 931;
  if (!isWithin(v.torque, 0, ACTOR_FORCE)) return 905;
  if (!areIn(row, new Fields(offsetof<Vehicle>('curve0'), offsetof<Vehicle>('idleSpeed')), 0, ACTOR_ONE))
    return 905;
  if (
    !areIn(
      row,
      new Fields(offsetof<Vehicle>('idleSpeed'), offsetof<Vehicle>('engineInertia')),
      0,
      MOST_SETTING,
    )
  )
    return 932;
  if (!isWithin(v.engineInertia, 0, ACTOR_FORCE) || !isWithin(v.engineBraking, 0, ACTOR_FORCE)) return 933;
  if (!areIn(row, new Fields(offsetof<Vehicle>('ratio1'), offsetof<Vehicle>('clutch')), 0, MOST_SETTING))
    return 934;
  if (!isWithin(v.clutch, 0, ACTOR_FORCE) || !isWithin(v.centreLock, 0, ACTOR_FORCE)) return 935;
  if (!areIn(row, new Fields(offsetof<Vehicle>('drag'), offsetof<Vehicle>('ackermann')), 0, MOST_SETTING))
    return 936;
  if (!isWithin(v.ackermann, 0, ACTOR_ONE) || !isWithin(v.steerOrigin, -MOST_COORDINATE, MOST_COORDINATE))
    return 937;
  if (<u32>v.antilock > 1 || <u32>v.traction > 1) return 904;
  if (!isWithin(v.turnRate, 0, MOST_SETTING) || !isWithin(v.turnForce, 0, ACTOR_FORCE)) return 959;
  if (!isWithin(v.leanMost, 0, ACTOR_LEAN)) return 959;
  if (
    !areIn(row, new Fields(offsetof<Vehicle>('leanStiffness'), offsetof<Vehicle>('antilock')), 0, ACTOR_FORCE)
  )
    return 959;
  if (
    !areIn(
      row,
      new Fields(offsetof<Vehicle>('throttle'), offsetof<Vehicle>('gearInput')),
      -ACTOR_ONE,
      ACTOR_ONE,
    )
  )
    return 938;
  if (v.brake < 0 || v.handbrake < 0) return 938;
  if (v.gearInput < GEAR_AUTOMATIC || v.gearInput > MOST_GEAR || v.gear < -1 || v.gear > MOST_GEAR)
    return 906;
  if (!isWithin(v.shiftLeft, -1, MOST_SETTING) || !isWithin(v.engineSpeed, 0, ACTOR_RATE)) return 907;
  const held = new Fields(offsetof<Vehicle>('heldX'), offsetof<Vehicle>('heldStep'));
  if (!areIn(row, held, -ACTOR_RATE, ACTOR_RATE)) return 907;
  return isWithin(v.steering, -ACTOR_ONE, ACTOR_ONE) && isWithin(v.speed, -ACTOR_RATE, ACTOR_RATE) ? 0 : 907;
}

function wheelFault(w: Wheel, row: usize): i32 {
  if (
    !areIn(
      row,
      new Fields(offsetof<Wheel>('positionX'), offsetof<Wheel>('radius')),
      -MOST_COORDINATE,
      MOST_COORDINATE,
    )
  )
    return 908;
  // What commands allow, less a rounding: moments, speeds and slips are computed with the quotients of these.
  if (!isWithin(w.radius, 9e-6, ACTOR_LENGTH) || !isWithin(w.width, 0, ACTOR_LENGTH)) return 908;
  if (!isWithin(w.inertia, 9e-10, ACTOR_FORCE)) return 909;
  if (<u32>w.cast > <u32>WHEEL_CYLINDER) return 909;
  if (!areIn(row, new Fields(offsetof<Wheel>('preload'), offsetof<Wheel>('bump')), 0, ACTOR_FORCE))
    return 910;
  if (!isWithin(w.bump, 0, ACTOR_LENGTH) || !isWithin(w.droop, 0, ACTOR_LENGTH)) return 910;
  if (!isWithin(w.mostForce, 0, ACTOR_FORCE) || !isWithin(w.antiRoll, 0, ACTOR_FORCE)) return 910;
  if (w.partner < -1 || w.partner >= 1 << WHEEL_BITS) return 911;
  if (!isWithin(w.steer, -2, 2) || !isWithin(w.drive, 0, ACTOR_ONE)) return 912;
  if (!areIn(row, new Fields(offsetof<Wheel>('brakeTorque'), offsetof<Wheel>('friction')), 0, ACTOR_FORCE))
    return 939;
  if (!areIn(row, new Fields(offsetof<Wheel>('friction'), offsetof<Wheel>('peakSlip')), 0, MOST_COEFFICIENT))
    return 940;
  // Tyres are computed with the quotients of these.
  if (!areIn(row, new Fields(offsetof<Wheel>('peakSlip'), offsetof<Wheel>('shape')), 9e-5, 1.1e4)) return 913;
  if (!isWithin(w.shape, ACTOR_ONE - <f32>2e-5, 2) || !isWithin(w.stiffening, 9e-5, 1.1e4)) return 913;
  if (!isWithin(w.relaxation, 9e-6, ACTOR_LENGTH) || !isWithin(w.rolling, 0, MOST_SETTING)) return 941;
  if (!isWithin(w.loadSensitivity, 0, ACTOR_ONE) || !isWithin(w.nominalLoad, 0, ACTOR_FORCE)) return 942;
  if (!isWithin(w.spin, -ACTOR_RATE, ACTOR_RATE) || !isWithin(w.angle, 0, ACTOR_TURN)) return 943;
  if (
    !isWithin(w.compression, -ACTOR_LENGTH, ACTOR_LENGTH) ||
    !isWithin(w.steerAngle, -ACTOR_TURN, ACTOR_TURN)
  )
    return 944;
  if (!isWithin(w.slip, -ACTOR_RATE, ACTOR_RATE) || !isWithin(w.sideSlip, -ACTOR_RATE, ACTOR_RATE))
    return 945;
  if (!areIn(row, new Fields(offsetof<Wheel>('load'), offsetof<Wheel>('ground')), -ACTOR_FORCE, ACTOR_FORCE))
    return 946;
  if (!(w.load >= 0)) return 946;
  if (w.ground < 0 || w.ground > world().bodyEnd) return 914;
  if (w.groundShape < 0 || w.groundShape >= world().shapeEnd) return 915;
  if (
    !areIn(
      row,
      new Fields(offsetof<Wheel>('pointX'), offsetof<Wheel>('normalX')),
      -MOST_COORDINATE,
      MOST_COORDINATE,
    )
  )
    return 916;
  return areIn(
    row,
    new Fields(offsetof<Wheel>('normalX'), offsetof<Wheel>('reserved0')),
    -ACTOR_ONE,
    ACTOR_ONE,
  )
    ? 0
    : 916;
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
    let fault = characterFault(c, row);
    if (fault == 0) fault = motionFault(c);
    if (fault != 0) return fault;
  }
  return 0;
}

/** Settings and inputs. */
function characterFault(c: Character, row: usize): i32 {
  if (c.options & ~OPTIONS || c.asks & ~ASKS || c.flags & ~FLAGS) return 947;
  if (
    !areIn(row, new Fields(offsetof<Character>('upX'), offsetof<Character>('offset')), -ACTOR_ONE, ACTOR_ONE)
  )
    return 922;
  if (!isWithin(c.offset, 9e-4, 2)) return 923;
  if (
    !areIn(
      row,
      new Fields(offsetof<Character>('climbCosine'), offsetof<Character>('stepHeight')),
      0,
      ACTOR_ONE,
    )
  )
    return 948;
  if (
    !areIn(
      row,
      new Fields(offsetof<Character>('stepHeight'), offsetof<Character>('gravity')),
      0,
      ACTOR_LENGTH,
    )
  )
    return 949;
  if (!isWithin(c.gravity, 0, ACTOR_PULL)) return 950;
  if (!isWithin(c.fallSpeed, 0, MOST_SETTING) || !isWithin(c.jumpSpeed, 0, MOST_SETTING)) return 950;
  if (<u32>c.airJumps > <u32>MOST_JUMPS || <u32>c.jumpsLeft > <u32>MOST_JUMPS) return 951;
  if (!isWithin(c.mass, 0, ACTOR_FORCE) || !isWithin(c.pushForce, 0, ACTOR_FORCE)) return 952;
  if (!isWithin(c.swimDrag, 0, MOST_SETTING) || !isWithin(c.buoyancy, 0, MOST_SETTING)) return 924;
  if (<u32>(c.standing - 1) >= <u32>MOST_PIECES || <u32>c.mode > <u32>CHARACTER_FLIES) return 925;
  if (
    !areIn(
      row,
      new Fields(offsetof<Character>('moveX'), offsetof<Character>('flags')),
      -MOST_SETTING,
      MOST_SETTING,
    )
  )
    return 926;
  return c.jump >= -ACTOR_ONE ? 0 : 926;
}

/** Where it is, how it moves, on what it stands. */
function motionFault(c: Character): i32 {
  const g = world();
  if (c.ground < 0 || c.ground >= g.bodyEnd || c.groundShape < 0 || c.groundShape >= g.shapeEnd) return 927;
  if (!isWithin(c.lift, -ACTOR_LENGTH * 4, ACTOR_LENGTH * 4)) return 928;
  if (!isWithin(c.liftSpeed, -ACTOR_RATE, ACTOR_RATE) || !isWithin(c.stairs, -2, 2)) return 928;
  if (!isWithin(c.pull, 0, ACTOR_PULL)) return 953;
  if (<u32>c.touched > <u32>CHARACTER_TOUCHES) return 929;
  const list = changetype<usize>(c) + offsetof<Character>('touched0');
  for (let i: usize = 0; i < <usize>c.touched; i++)
    if (<u32>load<i32>(list + (i << 2)) >= <u32>g.shapeEnd) return 929;
  if (!isUnit(c.up) || !isUnit(c.localUp)) return 930;
  if (!areWithin(c.position, MOST_COORDINATE) || !areWithin(c.velocity, ACTOR_RATE)) return 954;
  if (!areWithin(c.air, MOST_SETTING) || !areWithin(c.carried, MOST_SETTING)) return 955;
  if (!areWithin(c.shoved, MOST_SETTING) || !areWithin(c.groundNormal, ACTOR_ONE)) return 956;
  if (!areWithin(c.groundPoint, MOST_COORDINATE) || !areWithin(c.anchor, MOST_COORDINATE)) return 957;
  return areWithin(c.groundPosition, MOST_COORDINATE) && areWithin(c.groundRotation, ACTOR_ONE) ? 0 : 958;
}
