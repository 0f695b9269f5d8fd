// Options of vehicles. In: what the user gives, the chassis. Out: the words of the commands setVehicle and setWheel, with
// defaults that suit the mass and the wheels of the vehicle.

import type { BodyId } from '../base/ids';
import { MAX_COEFFICIENT, MAX_FORCE, MAX_SETTING, MAX_SIZE, MAX_VELOCITY, MIN_SIZE } from '../base/limits';
import { rotate, tan, type Vec3 } from '../base/math';
import {
  checkBoolean,
  checkInteger,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkWord,
  invalid,
  NON_NEGATIVE,
  readList,
  SIGNED,
  vec3Of,
} from '../base/validate';
import * as codes from '../core/memory/constants';
import type { WorldBody } from '../replica/physicsWorld';
import type { Vec3Like } from '../types';
import { SetVehicle, SetWheel, setVehicle, setWheel } from '../wasm/actor-commands';

/** How a wheel looks for the ground: by a ray, or by a shape that is swept, which rolls over kerbs. */
export type WheelCast = 'ray' | 'sphere' | 'cylinder';

/** A differential: open, rigid, or with the torque that it can move to the slower side, N·m. */
export type Differential = 'open' | 'locked' | number;

/** The tyre, and how it slips. See docs/vehicle.md. */
export interface TyreOptions {
  /** Largest longitudinal force / load. Default 1.1. */
  friction?: number;
  /** Largest lateral force / load. Default `friction`. */
  sideFriction?: number;
  /** Longitudinal slip at which the force is largest. Default 0.1. */
  peakSlip?: number;
  /** rad. Slip angle at which the lateral force is largest. Default 0.14 (8°). */
  peakAngle?: number;
  /** C of the Magic Formula, 1 to 2: what is left of the force when the wheel slides, sin(πC / 2). Default 1.5. */
  shape?: number;
  /** B of the Magic Formula, for slips in units of that at the peak: how steeply the force begins. Default 2.2. */
  stiffening?: number;
  /** m. Way after which the tyre has taken up a new slip. Default the radius. */
  relaxation?: number;
  /** Rolling resistance / load. Default 0.012. */
  rolling?: number;
  /** Share of the friction that is lost when the load doubles. Default 0. */
  loadSensitivity?: number;
}

/** Spring and damper of a wheel. Defaults follow from the load on the wheel when the vehicle stands. */
export interface SuspensionOptions {
  /** Hz. Frequency of the load on its spring. Default 1.8 for a radius of 0.35 m, more for smaller wheels: ∝ 1/√radius. */
  frequency?: number;
  /** Damping ratio when it is compressed. Default 0.35. */
  bumpDamping?: number;
  /** Damping ratio when it extends. Default 0.5. */
  reboundDamping?: number;
  /** m. Travel upwards from the designed place. Default 0.4 radii. */
  bump?: number;
  /** m. Travel downwards. Default 0.4 radii. */
  droop?: number;
  /** Stiffness of the anti-roll bar to the wheel at the other side / stiffness of the spring. Default 0.3. */
  antiRoll?: number;
  /** N. Largest force of spring and damper. Default 8 times the load of the standing vehicle. */
  maxForce?: number;
}

/** One wheel. */
export interface WheelOptions {
  /** m. Its centre in the chassis' frame, where it is when the vehicle stands. */
  position: Vec3Like;
  /** m. Default 0.35. */
  radius?: number;
  /** m. Default 0.6 radii. */
  width?: number;
  /** kg. Only for its inertia: the chassis carries its weight. Default 1.5 % of the chassis. */
  mass?: number;
  /** How it looks for the ground. Default 'cylinder'. */
  cast?: WheelCast;
  /** Whether it is steered; or how far, as a factor (−1: to the other side). Default: those before the middle. */
  steered?: boolean | number;
  /** Whether the engine drives it; default by `drive`. */
  driven?: boolean;
  /** N·m. Default twice the load of the standing vehicle times the radius, 1.4 times behind the middle. */
  brake?: number;
  /** N·m. Default 1.6 times that load times the radius behind the middle; else 0. */
  handbrake?: number;
  /** Its spring and damper. */
  suspension?: SuspensionOptions;
  /** Its tyre. */
  tyre?: TyreOptions;
  /** Bits of the collision filter of its query. Default those of the chassis. */
  group?: number;
  /** Bits of the groups that are ground for it. Default those of the chassis. */
  mask?: number;
}

/** The engine. */
export interface EngineOptions {
  /** N·m, largest. Default 0.25 per kg of the chassis. */
  torque?: number;
  /** Shares of it at 0, 1/7, … 1 of `maxRpm`. Default a petrol engine's. */
  curve?: readonly number[];
  /** 1/min. Default 900. */
  idleRpm?: number;
  /** 1/min. Default 6500. */
  maxRpm?: number;
  /** kg·m². Default 1.5e-4 per kg of the chassis. */
  inertia?: number;
  /** N·m at `maxRpm` without throttle. Default 0.3 times the torque. */
  braking?: number;
}

/** Clutch and gears. */
export interface GearboxOptions {
  /** Default true. */
  automatic?: boolean;
  /** Up to 8, from the first gear on. Default 3.4, 2.1, 1.45, 1.1, 0.87. */
  ratios?: readonly number[];
  /** 0: none. Default 3.3. */
  reverse?: number;
  /** Factor on all ratios. Default 11.8 1/m times the mean radius of the wheels. */
  final?: number;
  /** s without drive when the gear is changed. Default 0.15. */
  shiftTime?: number;
  /** 1/min at which the automatic gearbox changes up. Default 0.88 maxRpm. */
  shiftUpRpm?: number;
  /** 1/min at which it changes down. Default 0.4 maxRpm. */
  shiftDownRpm?: number;
  /** N·m that the clutch can carry. Default twice the torque. */
  clutch?: number;
}

/** Steering. */
export interface SteeringOptions {
  /** rad, at full lock. Default 0.6. */
  maxAngle?: number;
  /** 1/s: how fast the steering wheel turns from the middle to full lock; 0: at once. Default 4. */
  rate?: number;
  /** m/s. Where the angle is halved; 0: it never is. Default 22. */
  halfSpeed?: number;
  /** 0: steered wheels are parallel; 1: all wheels turn about one point. Default 1. */
  ackermann?: number;
  /** rad/s. How fast a tracked vehicle turns at full lock if its tracks do not slip, also on the spot. Default 1. */
  turnRate?: number;
  /** N that the steering of a tracked vehicle can move from one track to the other. Default 1.2 times its weight. */
  turnForce?: number;
}

/** How a motorcycle keeps its balance. */
export interface LeanOptions {
  /** rad. Largest lean: its curves are wide enough for it. It falls if it leans by 0.4 rad more. Default 0.75 (43°). */
  maxAngle?: number;
  /** Hz. How quickly it leans into a curve. Default 1.2. */
  frequency?: number;
  /** Damping ratio. Default 1. */
  damping?: number;
  /** N·m. Largest torque of the balance. Default 0.8 times its weight times the height of its centre of mass. */
  torque?: number;
}

/** See createVehicle. */
export interface VehicleOptions {
  /** A dynamic body of the world, with its shapes. */
  chassis: WorldBody | BodyId;
  /** 1 to 32. */
  wheels: readonly WheelOptions[];
  /**
   * Default 'car'. 'tracked': the wheels of a side turn together, all are driven, none is steered; steering makes one side
   * faster, and turns it on the spot. 'motorcycle': it keeps its balance, leans into curves, and steers by its lean.
   */
  kind?: 'car' | 'tracked' | 'motorcycle';
  /** Direction of travel in the chassis' frame. Default z. */
  forward?: Vec3Like;
  /** Default y. */
  up?: Vec3Like;
  /** Which wheels the engine drives, unless they say so themselves. Default 'rear'. */
  drive?: 'front' | 'rear' | 'all';
  /** Its engine. */
  engine?: EngineOptions;
  /** Its clutch and gears. */
  gearbox?: GearboxOptions;
  /** Between the two wheels of each driven axle. Default 'open'. */
  differential?: Differential;
  /** Between axles. Default 'open'. */
  centreDifferential?: Differential;
  /** How it is steered. */
  steering?: SteeringOptions;
  /** How a motorcycle keeps its balance. */
  lean?: LeanOptions;
  /** For all wheels; a wheel's own options come first. */
  suspension?: SuspensionOptions;
  /** For all wheels. */
  tyre?: TyreOptions;
  /** N/(m/s)². Default 3.5e-4 per kg of the chassis. */
  drag?: number;
  /** N/(m/s)². Default 0. */
  downforce?: number;
  /** Whether brakes must not lock the wheels; the handbrake still does. Default true. */
  antilock?: boolean;
  /** Whether the engine must not spin the wheels. Default true. */
  traction?: boolean;
}

/** What the driver does. */
export interface VehicleInput {
  /** −1 to 1. Below 0 an automatic car brakes, and drives backwards when it stands. Any other car brakes. */
  throttle?: number;
  /** 0 to 1. */
  brake?: number;
  /** −1 (right) to 1 (left). */
  steer?: number;
  /** 0 to 1. */
  handbrake?: number;
  /** −1 reverse, 0 neutral, 1 and up; 'automatic': as the gearbox chooses. */
  gear?: number | 'automatic';
}

const OPTIONS = [
  ...['chassis', 'wheels', 'kind', 'forward', 'up', 'drive', 'engine', 'gearbox', 'differential'],
  ...['centreDifferential', 'steering', 'suspension', 'tyre', 'drag', 'downforce', 'antilock', 'traction'],
  'lean',
] as const;
const WHEEL = [
  ...['position', 'radius', 'width', 'mass', 'cast', 'steered', 'driven', 'brake', 'handbrake'],
  ...['suspension', 'tyre', 'group', 'mask'],
] as const;
const SUSPENSION = ['frequency', 'bumpDamping', 'reboundDamping', 'bump', 'droop', 'antiRoll', 'maxForce'];
const TYRE = [
  ...['friction', 'sideFriction', 'peakSlip', 'peakAngle', 'shape', 'stiffening', 'relaxation', 'rolling'],
  'loadSensitivity',
];
const ENGINE = ['torque', 'curve', 'idleRpm', 'maxRpm', 'inertia', 'braking'];
const GEARBOX = [
  'automatic',
  'ratios',
  'reverse',
  'final',
  'shiftTime',
  'shiftUpRpm',
  'shiftDownRpm',
  'clutch',
];
const STEERING = ['maxAngle', 'rate', 'halfSpeed', 'ackermann', 'turnRate', 'turnForce'];
const LEAN = ['maxAngle', 'frequency', 'damping', 'torque'];
const CASTS = ['ray', 'sphere', 'cylinder'] as const;
const KINDS = ['car', 'tracked', 'motorcycle'] as const;
const MOST_WHEELS = 1 << codes.WHEEL_BITS;
const MOST_GEARS = 8;
const RPM = (2 * Math.PI) / 60;
/** Of the torque of a petrol engine. */
const CURVE = [0.5, 0.72, 0.87, 0.96, 1, 0.98, 0.9, 0.75];
/** N·m that stand for rigid. */
const LOCKED = 1e9;
const FORCE = NON_NEGATIVE(MAX_FORCE);
const SETTING = NON_NEGATIVE(MAX_SETTING);
const SPEED = NON_NEGATIVE(MAX_VELOCITY);
const LENGTH = NON_NEGATIVE(MAX_SIZE);
const SHARE = { min: 0, max: 1 };
const POSITIVE = (max: number) => ({ min: 0, max, open: true });

type Given = Record<string, unknown>;

/** Reads the options of one object, each with its default and its range. */
class Reader {
  private readonly given: Given;

  constructor(
    value: unknown,
    private readonly path: string,
    names: readonly string[],
  ) {
    this.given = value === undefined ? {} : checkOptions(value, path, names);
  }

  name(key: string): string {
    return this.path === 'options' ? key : `${this.path}.${key}`;
  }

  number(key: string, fallback: number, range: Parameters<typeof checkNumber>[2]): number {
    const value = this.given[key];
    // Defaults follow from masses and sizes: those of extreme vehicles would not be taken as options.
    if (value === undefined) return Math.min(range.max, Math.max(range.min, fallback));
    return checkNumber(value, this.name(key), range);
  }

  get(key: string): unknown {
    return this.given[key];
  }
}

/** What the words of the commands depend on beside the options. */
interface Chassis {
  slot: number;
  mass: number;
  centerOfMass: Vec3;
  group: number;
  mask: number;
  /** m/s². */
  gravity: number;
}

/** The commands that make a vehicle. */
export interface VehicleWords {
  vehicle: Float64Array;
  wheels: Float64Array[];
  /** The axes of the vehicle in the chassis' frame, as a rotation. */
  frame: [number, number, number, number];
  radii: number[];
  gears: number;
}

export function vehicleOptions(options: unknown): Given {
  return checkOptions(options, 'options', OPTIONS);
}

/** Checks all options. Throws a PhysicsError, and then nothing has happened. */
export function encodeVehicle(given: Given, chassis: Chassis): VehicleWords {
  const options = new Reader(given, 'options', OPTIONS);
  const frame = frameOf(given);
  const inverse = [-frame[0], -frame[1], -frame[2], frame[3]];
  const list = readList(given['wheels'], 'wheels', `must be an array of 1 to ${MOST_WHEELS} wheels`);
  if (list.length < 1 || list.length > MOST_WHEELS)
    throw invalid('wheels', `must be an array of 1 to ${MOST_WHEELS} wheels`, given['wheels']);
  const readers = list.map((wheel, i) => new Reader(wheel ?? null, `wheels[${i}]`, WHEEL));
  const positions = readers.map((wheel, i) =>
    vec3Of(wheel.get('position') as Vec3Like, `wheels[${i}].position`),
  );
  /** Of the wheels from the centre of mass, along the vehicle's axes. */
  const places = positions.map((p) =>
    rotate(
      inverse,
      [0, 1, 2].map((i) => p[i]! - chassis.centerOfMass[i]!),
    ),
  );
  const loads = standingLoads(places, chassis.mass * chassis.gravity);
  const radii = readers.map((wheel) => wheel.number('radius', 0.35, { min: MIN_SIZE, max: MAX_SIZE }));
  const middle = (Math.min(...places.map(([, , z]) => z)) + Math.max(...places.map(([, , z]) => z))) / 2;
  const kind = given['kind'] === undefined ? 'car' : checkOneOf(given['kind'], 'kind', KINDS);
  const driveOf = driven(given, readers, places, middle);
  const shared = {
    suspension: given['suspension'],
    tyre: given['tyre'],
    lock: lockOf(given['differential'], 'differential'),
    maxAngle: new Reader(given['steering'], 'steering', STEERING).number('maxAngle', 0.6, {
      min: 0,
      max: 1.5,
    }),
  };
  const steered = readers.map((wheel, i) => {
    const value = wheel.get('steered');
    if (typeof value === 'number') return checkNumber(value, `wheels[${i}].steered`, SIGNED(1));
    const isSteered =
      value === undefined
        ? kind !== 'tracked' && places[i]![2] > middle + 1e-6
        : checkBoolean(value, `wheels[${i}].steered`);
    return isSteered ? 1 : 0;
  });
  const wheels = readers.map((wheel, i) =>
    encodeWheel(wheel, shared, {
      chassis,
      number: i,
      position: positions[i]!,
      radius: radii[i]!,
      load: loads[i]!,
      partner: partnerOf(places, i),
      steered: steered[i]!,
      drive: driveOf[i]!,
      isFront: places[i]![2] > middle - 1e-6,
    }),
  );
  const still = places.filter((_, i) => steered[i] === 0).map(([, , z]) => z);
  const offset = rotate(inverse, chassis.centerOfMass)[2];
  const origin = (still.length === 0 ? middle : still.reduce((a, b) => a + b) / still.length) + offset;
  const { words: vehicle, gears } = encodeEngine(options, given, {
    slot: chassis.slot,
    mass: chassis.mass,
    radius: radii.reduce((a, b) => a + b) / radii.length,
    origin,
    kind,
    frame,
    gravity: chassis.gravity,
    height: radii.reduce((sum, radius, i) => sum + radius - places[i]![1], 0) / radii.length,
  });
  return { vehicle, wheels, frame, radii, gears };
}

/** Rotation that turns z to `forward` and y to `up`. */
function frameOf(given: Given): [number, number, number, number] {
  const forward = unit(given['forward'] ?? [0, 0, 1], 'forward');
  const up = unit(given['up'] ?? [0, 1, 0], 'up');
  const along = up[0] * forward[0] + up[1] * forward[1] + up[2] * forward[2];
  if (Math.abs(along) > 1e-3) throw invalid('forward', 'must be at right angles to `up`', given['forward']);
  const left = [
    up[1] * forward[2] - up[2] * forward[1],
    up[2] * forward[0] - up[0] * forward[2],
    up[0] * forward[1] - up[1] * forward[0],
  ];
  // From the matrix with these columns: Shepperd, "Quaternion from rotation matrix", 1978.
  const [m00, m10, m20] = left as [number, number, number];
  const [m01, m11, m21] = up;
  const [m02, m12, m22] = forward;
  const squares = [1 + m00 - m11 - m22, 1 - m00 + m11 - m22, 1 - m00 - m11 + m22, 1 + m00 + m11 + m22];
  const largest = squares.indexOf(Math.max(...squares));
  const rows = [
    [squares[0]!, m01 + m10, m02 + m20, m21 - m12],
    [m01 + m10, squares[1]!, m12 + m21, m02 - m20],
    [m02 + m20, m12 + m21, squares[2]!, m10 - m01],
    [m21 - m12, m02 - m20, m10 - m01, squares[3]!],
  ];
  const row = rows[largest]!;
  const length = Math.sqrt(row.reduce((sum, c) => sum + c * c, 0));
  return row.map((c) => c / length) as [number, number, number, number];
}

function unit(value: unknown, name: string): Vec3 {
  const v = vec3Of(value as Vec3Like, name);
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(length > 1e-6)) throw invalid(name, 'must not have length 0', value);
  return [v[0] / length, v[1] / length, v[2] / length];
}

/**
 * N on each wheel of the standing vehicle: the distribution a + b x + c z that balances the weight about its centre,
 * by least squares if the wheels cannot.
 */
function standingLoads(places: readonly Vec3[], weight: number): number[] {
  const n = places.length;
  let [sx, sz, sxx, sxz, szz] = [0, 0, 0, 0, 0];
  for (const [x, , z] of places) {
    sx += x;
    sz += z;
    sxx += x * x;
    sxz += x * z;
    szz += z * z;
  }
  // A little on the diagonal, for wheels on one line.
  const size = Math.max(1e-9, (sxx + szz) / n);
  sxx += 1e-9 * n * size;
  szz += 1e-9 * n * size;
  // Σ (a + b x + c z) (1, x, z) = (weight, 0, 0), by Cramer's rule.
  const minor0 = sxx * szz - sxz * sxz;
  const minor1 = sx * szz - sxz * sz;
  const minor2 = sx * sxz - sxx * sz;
  const determinant = n * minor0 - sx * minor1 + sz * minor2;
  if (!(Math.abs(determinant) > 0)) return places.map(() => weight / n);
  const [a, b, c] = [minor0, -minor1, minor2].map((minor) => (weight * minor) / determinant);
  return places.map(([x, , z]) => Math.max(0.02 * (weight / n), a! + b! * x + c! * z));
}

/** Shares of the engine's torque. */
function driven(given: Given, readers: readonly Reader[], places: readonly Vec3[], middle: number): number[] {
  const drive =
    given['drive'] === undefined
      ? 'rear'
      : checkOneOf(given['drive'], 'drive', ['front', 'rear', 'all'] as const);
  const isDriven = readers.map((wheel, i) => {
    const value = wheel.get('driven');
    if (value !== undefined) return checkBoolean(value, `wheels[${i}].driven`);
    const z = places[i]![2] - middle;
    return given['kind'] === 'tracked' || drive === 'all' || (drive === 'front' ? z > -1e-6 : z < 1e-6);
  });
  const count = isDriven.filter((is) => is).length;
  return isDriven.map((is) => (is ? 1 / count : 0));
}

/** The wheel at the other end of an axle: as far forward, on the other side; −1: none. */
function partnerOf(places: readonly Vec3[], i: number): number {
  const [x, , z] = places[i]!;
  return places.findIndex(
    ([otherX, , otherZ]) => x * otherX < 0 && Math.abs(otherZ - z) < 0.05 * Math.abs(otherX - x),
  );
}

function lockOf(value: unknown, name: string): number {
  if (value === undefined || value === 'open') return 0;
  if (value === 'locked') return LOCKED;
  if (typeof value === 'number') return checkNumber(value, name, FORCE);
  throw invalid(name, "must be 'open', 'locked' or a torque", value);
}

interface Shared {
  suspension: unknown;
  tyre: unknown;
  lock: number;
  maxAngle: number;
}

interface Place {
  chassis: Chassis;
  number: number;
  position: Vec3;
  radius: number;
  /** N */
  load: number;
  partner: number;
  steered: number;
  drive: number;
  isFront: boolean;
}

function encodeWheel(wheel: Reader, shared: Shared, place: Place): Float64Array {
  const { chassis, radius, load } = place;
  const words = new Float64Array(setWheel.totalWords - 1);
  words[SetWheel.body] = chassis.slot;
  words[SetWheel.wheel] = place.number;
  words.set(place.position, SetWheel.position);
  words[SetWheel.radius] = radius;
  words[SetWheel.width] = wheel.number('width', 0.6 * radius, LENGTH);
  const mass = wheel.number('mass', 0.015 * chassis.mass, POSITIVE(1e12));
  words[SetWheel.inertia] = Math.min(MAX_FORCE, Math.max(2e-9, 0.5 * mass * radius * radius));
  const cast =
    wheel.get('cast') === undefined ? 'cylinder' : checkOneOf(wheel.get('cast'), wheel.name('cast'), CASTS);
  words[SetWheel.cast] = CASTS.indexOf(cast);
  for (const bits of ['group', 'mask'] as const) {
    const value = wheel.get(bits);
    words[SetWheel[bits]] = value === undefined ? chassis[bits] : checkWord(value, wheel.name(bits));
  }
  words[SetWheel.partner] = place.partner;
  words[SetWheel.steer] = place.steered * shared.maxAngle;
  words[SetWheel.drive] = place.drive;
  words[SetWheel.lock] = place.drive > 0 ? shared.lock : 0;
  const locks = load * radius;
  words[SetWheel.brakeTorque] = wheel.number('brake', (place.isFront ? 2 : 1.4) * locks, FORCE);
  words[SetWheel.handbrakeTorque] = wheel.number('handbrake', place.isFront ? 0 : 1.6 * locks, FORCE);
  encodeSuspension(words, new Reader(shared.suspension, 'suspension', SUSPENSION), wheel, place);
  encodeTyre(words, new Reader(shared.tyre, 'tyre', TYRE), wheel, place);
  return words;
}

function encodeSuspension(
  words: Float64Array,
  all: Reader,
  wheel: Reader,
  { radius, load, chassis }: Place,
): void {
  const own = new Reader(wheel.get('suspension'), wheel.name('suspension'), SUSPENSION);
  const number = (key: string, fallback: number, range: Parameters<typeof checkNumber>[2]) =>
    own.number(key, all.number(key, fallback, range), range);
  const mass = chassis.gravity > 0 ? load / chassis.gravity : 0;
  const rate = 2 * Math.PI * number('frequency', 1.8 * Math.sqrt(0.35 / radius), POSITIVE(1000));
  const stiffness = mass * rate * rate;
  const most = (value: number) => Math.min(MAX_FORCE, value);
  words[SetWheel.preload] = most(load);
  words[SetWheel.stiffness] = most(stiffness);
  words[SetWheel.bumpDamping] = most(2 * mass * rate * number('bumpDamping', 0.35, SETTING));
  words[SetWheel.reboundDamping] = most(2 * mass * rate * number('reboundDamping', 0.5, SETTING));
  words[SetWheel.bump] = number('bump', 0.4 * radius, LENGTH);
  words[SetWheel.droop] = number('droop', 0.4 * radius, LENGTH);
  words[SetWheel.antiRoll] = most(stiffness * number('antiRoll', 0.3, SETTING));
  words[SetWheel.mostForce] = number('maxForce', 8 * load, FORCE);
}

function encodeTyre(words: Float64Array, all: Reader, wheel: Reader, { radius, load }: Place): void {
  const own = new Reader(wheel.get('tyre'), wheel.name('tyre'), TYRE);
  const number = (key: string, fallback: number, range: Parameters<typeof checkNumber>[2]) =>
    own.number(key, all.number(key, fallback, range), range);
  const FRICTION = NON_NEGATIVE(MAX_COEFFICIENT);
  const friction = number('friction', 1.1, FRICTION);
  words[SetWheel.friction] = friction;
  words[SetWheel.sideFriction] = number('sideFriction', friction, FRICTION);
  words[SetWheel.peakSlip] = number('peakSlip', 0.1, { min: 0.001, max: 10 });
  words[SetWheel.peakAngle] = tan(number('peakAngle', 0.14, { min: 0.001, max: 1.5 }));
  const shape = number('shape', 1.5, { min: 1.1, max: 2 });
  words[SetWheel.shape] = shape;
  // E of the formula is at most 1 from this B on.
  const least = tan(Math.PI / (2 * shape));
  words[SetWheel.stiffening] = Math.max(1.001 * least, number('stiffening', 2.2, { min: 0.1, max: 100 }));
  words[SetWheel.relaxation] = number('relaxation', radius, { min: 1e-3, max: MAX_SIZE });
  words[SetWheel.rolling] = number('rolling', 0.012, SETTING);
  words[SetWheel.loadSensitivity] = number('loadSensitivity', 0, SHARE);
  words[SetWheel.nominalLoad] = Math.min(MAX_FORCE, load);
}

interface Frame {
  slot: number;
  mass: number;
  /** m, mean of the wheels. */
  radius: number;
  /** m along z: where the axles that are not steered are. */
  origin: number;
  kind: (typeof KINDS)[number];
  frame: readonly number[];
  /** m/s² */
  gravity: number;
  /** m, of the centre of mass above the ground. */
  height: number;
}

function encodeEngine(options: Reader, given: Given, car: Frame): { words: Float64Array; gears: number } {
  const { mass } = car;
  const words = new Float64Array(setVehicle.totalWords - 1);
  const engine = new Reader(given['engine'], 'engine', ENGINE);
  const gearbox = new Reader(given['gearbox'], 'gearbox', GEARBOX);
  const steering = new Reader(given['steering'], 'steering', STEERING);
  words[SetVehicle.body] = car.slot;
  words[SetVehicle.kind] = KINDS.indexOf(car.kind);
  const automatic = gearbox.get('automatic');
  words[SetVehicle.automatic] =
    automatic === undefined || checkBoolean(automatic, 'gearbox.automatic') ? 1 : 0;
  words.set(car.frame, SetVehicle.frame);
  const torque = engine.number('torque', 0.25 * mass, FORCE);
  words[SetVehicle.torque] = torque;
  const curve = engine.get('curve');
  words.set(curve === undefined ? CURVE : curveOf(curve), SetVehicle.curve);
  const most = engine.number('maxRpm', 6500, POSITIVE(1e7));
  words[SetVehicle.mostSpeed] = RPM * most;
  words[SetVehicle.idleSpeed] = RPM * engine.number('idleRpm', Math.min(900, 0.2 * most), SPEED);
  words[SetVehicle.engineInertia] = engine.number('inertia', 1.5e-4 * mass, FORCE);
  words[SetVehicle.engineBraking] = engine.number('braking', 0.3 * torque, FORCE);
  const final = gearbox.number('final', 11.8 * car.radius, POSITIVE(1e4));
  const ratios = ratiosOf(gearbox.get('ratios'));
  words.set(
    ratios.map((ratio) => ratio * final),
    SetVehicle.ratios,
  );
  words[SetVehicle.reverseRatio] = final * gearbox.number('reverse', 3.3, NON_NEGATIVE(100));
  words[SetVehicle.shiftTime] = gearbox.number('shiftTime', 0.15, NON_NEGATIVE(100));
  words[SetVehicle.shiftUp] = RPM * gearbox.number('shiftUpRpm', 0.88 * most, SPEED);
  words[SetVehicle.shiftDown] = RPM * gearbox.number('shiftDownRpm', 0.4 * most, SPEED);
  words[SetVehicle.clutch] = gearbox.number('clutch', 2 * torque, FORCE);
  words[SetVehicle.centreLock] = lockOf(given['centreDifferential'], 'centreDifferential');
  words[SetVehicle.drag] = options.number('drag', 3.5e-4 * mass, SETTING);
  words[SetVehicle.downforce] = options.number('downforce', 0, SETTING);
  words[SetVehicle.steerRate] = steering.number('rate', 4, SETTING);
  words[SetVehicle.steerSpeed] = steering.number('halfSpeed', car.kind === 'motorcycle' ? 0 : 22, SPEED);
  words[SetVehicle.ackermann] = steering.number('ackermann', 1, SHARE);
  words[SetVehicle.steerOrigin] = car.origin;
  const weight = mass * car.gravity;
  words[SetVehicle.turnRate] = steering.number('turnRate', 1, SPEED);
  words[SetVehicle.turnForce] = steering.number('turnForce', 1.2 * weight, FORCE);
  const lean = new Reader(given['lean'], 'lean', LEAN);
  words[SetVehicle.leanMost] = lean.number('maxAngle', 0.75, { min: 0, max: 1.4 });
  const frequency = 2 * Math.PI * lean.number('frequency', 1.2, { min: 0, max: 20 });
  words[SetVehicle.leanStiffness] = frequency * frequency;
  words[SetVehicle.leanDamping] = 2 * frequency * lean.number('damping', 1, NON_NEGATIVE(20));
  words[SetVehicle.leanTorque] = lean.number('torque', Math.max(0, 0.8 * weight * car.height), FORCE);
  for (const aid of ['antilock', 'traction'] as const)
    words[SetVehicle[aid]] = given[aid] === undefined || checkBoolean(given[aid], aid) ? 1 : 0;
  return { words, gears: ratios.length };
}

function curveOf(value: unknown): number[] {
  const list = readList(value, 'engine.curve', 'must be an array of 8 numbers');
  if (list.length !== 8) throw invalid('engine.curve', 'must be an array of 8 numbers', value);
  return list.map((share, i) => checkNumber(share, `engine.curve[${i}]`, SHARE));
}

function ratiosOf(value: unknown): number[] {
  if (value === undefined) return [3.4, 2.1, 1.45, 1.1, 0.87];
  const rule = `must be an array of 1 to ${MOST_GEARS} numbers`;
  const list = readList(value, 'gearbox.ratios', rule);
  if (list.length < 1 || list.length > MOST_GEARS) throw invalid('gearbox.ratios', rule, value);
  return list.map((ratio, i) => checkNumber(ratio, `gearbox.ratios[${i}]`, POSITIVE(100)));
}

/** Parts of an input, in the order of the command and of its bits VEHICLE_GIVES_*. */
const INPUT = ['throttle', 'brake', 'steer', 'handbrake', 'gear'];

/** Checks an input: its parts, and bits that say which it has. */
export function encodeInput(value: unknown, gears: number): number[] {
  const input = new Reader(value, 'input', INPUT);
  const gear = input.get('gear');
  const given = INPUT.reduce((bits, name, i) => (input.get(name) === undefined ? bits : bits | (1 << i)), 0);
  return [
    input.number('throttle', 0, SIGNED(1)),
    input.number('brake', 0, SHARE),
    input.number('steer', 0, SIGNED(1)),
    input.number('handbrake', 0, SHARE),
    gear === undefined || gear === 'automatic'
      ? codes.GEAR_AUTOMATIC
      : checkInteger(gear, 'input.gear', -1, gears),
    given,
  ];
}
