// Kinds of command fields: integers, floats, bits, with the ranges of the public API. The validation of foreign buffers
// uses them; the declaration (commandTable.ts) refers to them by name. docs/commands.md prints range and unit.

import { MAX_GENERATION, MAX_SLOT } from '../base/ids';
import {
  MAX_COEFFICIENT,
  MAX_COORDINATE,
  MAX_DENSITY,
  MAX_FORCE,
  MAX_GRAVITY,
  MAX_INERTIA,
  MAX_MASS,
  MAX_SETTING,
  MAX_SIZE,
  MAX_TIME_STEP,
  MAX_VELOCITY,
  MIN_INERTIA,
  MIN_MASS,
  MIN_SIZE,
  MIN_TIME_STEP,
} from '../base/limits';
import { GEOMETRY_KINDS } from '../cooking/geometryWords';
import * as codes from '../core/memory/constants';
import type { ActorKindName } from './actorFields';

/** Values that a field can hold. Ranges are those of the public API, rounded outwards to f32. */
export interface FieldKind {
  /** 32-bit words that the field takes. */
  readonly words: number;
  /** True: f32. False: i32. */
  readonly float: boolean;
  /** Smallest and largest value of each word, before rounding; absent if `allows` is more than a range. */
  readonly range?: readonly [min: number, max: number];
  /** True if 0 is allowed in addition to the range. */
  readonly orZero?: true;
  /** Unit, or the meaning of the numbers. */
  readonly unit: string;
  /** True if `values[at…]` are allowed; false for NaN. Never throws. */
  allows(values: ArrayLike<number>, at: number): boolean;
}

/** More than half a step of f32: a number at the end of a range may be rounded out of it. */
const ROUNDING = 1.000001;

export const int = (min: number, max: number, unit: string): FieldKind => ({
  words: 1,
  float: false,
  range: [min, max],
  unit,
  allows: (values, at) => values[at]! >= min && values[at]! <= max,
});

/** Floats from `min` to `max`, not rounded. */
export const exact = (min: number, max: number, unit: string, words = 1): FieldKind => ({
  words,
  float: true,
  range: [min, max],
  unit,
  allows(values, at) {
    for (let i = at; i < at + words; i++) if (!(values[i]! >= min && values[i]! <= max)) return false;
    return true;
  },
});

/** Floats from `min`, which is at most 0, to `max`, both rounded to f32. */
export const float = (min: number, max: number, unit: string, words = 1): FieldKind => ({
  ...exact(min * ROUNDING, max * ROUNDING, unit, words),
  range: [min, max],
});
export const signed = (max: number, unit: string, words = 1): FieldKind => float(-max, max, unit, words);
const vector = (max: number, unit: string): FieldKind => signed(max, unit, 3);

/** 0 (none, or infinite), or a size of at least `min`; with `sign` also its negative. */
const zeroOr = (min: number, max: number, unit: string, words = 1, sign = false): FieldKind => ({
  words,
  float: true,
  range: [min, max],
  orZero: true,
  unit,
  allows(values, at) {
    for (let i = at; i < at + words; i++) {
      const value = sign ? Math.abs(values[i]!) : values[i]!;
      if (value !== 0 && !(value >= min / ROUNDING && value <= max * ROUNDING)) return false;
    }
    return true;
  },
});

export const bits = (allowed: number, unit: string): FieldKind => ({
  words: 1,
  float: false,
  unit: `bits of ${unit}: 0x${allowed.toString(16)}`,
  allows: (values, at) => (values[at]! & ~allowed) === 0,
});

const UNIT_QUATERNION: FieldKind = {
  words: 4,
  float: true,
  unit: 'unit quaternion x, y, z, w',
  allows(values, at) {
    const [x, y, z, w] = [values[at]!, values[at + 1]!, values[at + 2]!, values[at + 3]!];
    return Math.abs(x * x + y * y + z * z + w * w - 1) < 1e-4; // false for NaN, too
  },
};

/** The type of shape to which the content of a geometry belongs. */
const GEOMETRY_KIND: FieldKind = {
  words: 1,
  float: false,
  unit: 'SHAPE_* with a geometry',
  allows: (values, at) => GEOMETRY_KINDS.includes(values[at]!),
};

const AXIS_FLAGS = codes.AXIS_MOTOR | codes.AXIS_SERVO | codes.AXIS_SPRING | codes.AXIS_STIFFNESS;
const JOINT_FLAGS =
  codes.JOINT_ENABLED |
  codes.JOINT_COLLIDE |
  codes.JOINT_PLACING |
  (codes.JOINT_ORDER_MASK << codes.JOINT_ORDER_SHIFT);

/** All kinds of fields, by the name in the declaration. */
export const FIELD_KINDS = {
  // Integers.
  anyWord: int(-0x80000000, 0x7fffffff, ''),
  slot: int(1, MAX_SLOT, 'slot'),
  slotOrNone: int(0, MAX_SLOT, 'slot'),
  generation: int(1, MAX_GENERATION, 'generation of the slot'),
  flag: int(0, 1, ''),
  bodyType: int(codes.BODY_STATIC, codes.BODY_DYNAMIC, 'BODY_*'),
  bodyFlags: bits(codes.BODY_NO_RESPONSE, 'BODY_*'),
  shapeType: int(codes.SHAPE_SPHERE, codes.SHAPE_TYPE_COUNT - 1, 'SHAPE_*'),
  shapeFlags: bits(
    codes.SHAPE_NO_RESPONSE | codes.SHAPE_SENSES_STATIC | codes.SHAPE_BARE_TO_BALLS,
    'SHAPE_*',
  ),
  geometryKind: GEOMETRY_KIND,
  activation: int(codes.ACTIVE_TAG, codes.DISABLE_SIMULATION, "Bullet's states"),
  combineRule: int(codes.COMBINE_MULTIPLY, codes.COMBINE_GEOMETRIC_MEAN, 'COMBINE_*'),
  ownRule: int(-1, codes.COMBINE_GEOMETRIC_MEAN, 'COMBINE_*'),
  priority: int(-100, 100, ''),
  areaFlags: bits(codes.AREA_ACTS | codes.AREA_REPLACES | codes.AREA_HAS_LEVEL, 'AREA_*'),
  falloff: int(0, 2, ''),
  rollingRule: int(
    codes.ROLLING_CROSS_FRICTION,
    codes.ROLLING_FIRST_RULE + codes.COMBINE_GEOMETRIC_MEAN,
    'ROLLING_*',
  ),
  substeps: int(1, 64, ''),
  iterations: int(0, 1000, ''),
  jointType: int(codes.JOINT_POINT, codes.JOINT_TYPE_COUNT - 1, 'JOINT_*'),
  jointFlags: bits(JOINT_FLAGS, 'JOINT_*'),
  jointAxis: int(0, codes.JOINT_AXIS_COUNT - 1, '0 to 2 along, 3 to 5 about x, y, z'),
  axisFlags: bits(AXIS_FLAGS | codes.AXIS_STOP, 'AXIS_*'),
  // Floats.
  coordinate: vector(MAX_COORDINATE, 'm'),
  velocity: vector(MAX_VELOCITY, 'm/s'),
  angularVelocity: vector(MAX_VELOCITY, 'rad/s'),
  direction: vector(1, 'unit vector, or 0'),
  gravity: vector(MAX_GRAVITY, 'm/s²'),
  force: vector(MAX_FORCE, 'N'),
  torque: vector(MAX_FORCE, 'N·m'),
  impulse3: vector(MAX_FORCE, 'N·s'),
  angularImpulse3: vector(MAX_FORCE, 'N·m·s'),
  rotation: UNIT_QUATERNION,
  factor: float(0, MAX_COEFFICIENT, '', 3),
  scale: signed(MAX_COEFFICIENT, ''),
  mass: zeroOr(MIN_MASS, MAX_MASS, 'kg'),
  inertia: zeroOr(MIN_INERTIA, MAX_INERTIA, 'kg·m²', 3),
  params: zeroOr(MIN_SIZE, MAX_SIZE, 'm, or a scale, which may be negative', 4, true),
  acceleration: signed(MAX_GRAVITY, 'm/s²'),
  density: float(0, MAX_DENSITY, 'kg/m³'),
  signedImpulse: signed(MAX_FORCE, 'N·s'),
  coefficient: float(0, MAX_COEFFICIENT, ''),
  share: exact(0, 1, ''),
  length: float(0, MAX_SIZE, 'm'),
  speed: float(0, MAX_VELOCITY, 'm/s'),
  angularSpeed: float(0, MAX_VELOCITY, 'rad/s'),
  setting: float(0, MAX_SETTING, ''),
  softness: { ...exact(-1, MAX_SETTING * ROUNDING, 'Hz'), range: [-1, MAX_SETTING] },
  place: signed(MAX_COORDINATE, 'm, or rad'),
  axisSpeed: signed(MAX_VELOCITY, 'm/s, or rad/s'),
  most: float(0, MAX_FORCE, ''),
  impulse: float(0, MAX_FORCE, 'N·s'),
  angularImpulse: float(0, MAX_FORCE, 'N·m·s'),
  forceLimit: float(0, MAX_FORCE, 'N'),
  torqueLimit: float(0, MAX_FORCE, 'N·m'),
  timeStep: { ...exact(MIN_TIME_STEP / ROUNDING, MAX_TIME_STEP, 's'), range: [MIN_TIME_STEP, MAX_TIME_STEP] },
} as const satisfies Record<string, FieldKind>;

export type FieldKindName = keyof typeof FIELD_KINDS | ActorKindName;
