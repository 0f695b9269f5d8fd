// What the fields of commands may hold: integers, floats, bits, in the ranges of the public edge. The check of buffers
// from elsewhere asks these; the rows of the table (commands.ts) are made of them.

import { MAX_GENERATION, MAX_SLOT } from '../base/ids';
import {
  MAX_COEFFICIENT,
  MAX_COORDINATE,
  MAX_FORCE,
  MAX_GRAVITY,
  MAX_INERTIA,
  MAX_MASS,
  MAX_SETTING,
  MAX_SIZE,
  MAX_VELOCITY,
  MIN_INERTIA,
  MIN_MASS,
  MIN_SIZE,
} from '../base/limits';
import { GEOMETRY_KINDS } from '../cooking/geometryWords';
import * as codes from '../core/memory/constants';

/** What a field may hold. Ranges are those of the public edge, rounded outwards to f32. */
export interface FieldKind {
  words: number;
  float: boolean;
  /** Throws nothing: true when `values[at…]` are allowed. */
  allows(values: ArrayLike<number>, at: number): boolean;
}

export const int = (min: number, max: number): FieldKind => ({
  words: 1,
  float: false,
  allows: (values, at) => values[at]! >= min && values[at]! <= max,
});
export const float = (min: number, max: number, words = 1): FieldKind => ({
  words,
  float: true,
  allows(values, at) {
    for (let i = at; i < at + words; i++) if (!(values[i]! >= min && values[i]! <= max)) return false;
    return true;
  },
});

export const ROUNDING = 1.000001;
/** 0 (none, or infinite), or a number from `min` on. */
const zeroOr = (min: number, max: number, words = 1): FieldKind => ({
  words,
  float: true,
  allows(values, at) {
    for (let i = at; i < at + words; i++) {
      const value = values[i]!;
      if (value !== 0 && !(value >= min / ROUNDING && value <= max * ROUNDING)) return false;
    }
    return true;
  },
});
export const bits = (allowed: number): FieldKind => ({
  words: 1,
  float: false,
  allows: (values, at) => (values[at]! & ~allowed) === 0,
});
export const anyWord = int(-0x80000000, 0x7fffffff);
export const slot = int(1, MAX_SLOT);
export const generation = int(1, MAX_GENERATION);
export const flag = int(0, 1);
export const combineRule = int(codes.COMBINE_MULTIPLY, codes.COMBINE_GEOMETRIC_MEAN);
export const rollingRule = int(
  codes.ROLLING_CROSS_FRICTION,
  codes.ROLLING_FIRST_RULE + codes.COMBINE_GEOMETRIC_MEAN,
);
export const bodyType = int(codes.BODY_STATIC, codes.BODY_DYNAMIC);
export const activation = int(codes.ACTIVE_TAG, codes.DISABLE_SIMULATION);
export const coordinate = float(-MAX_COORDINATE * ROUNDING, MAX_COORDINATE * ROUNDING, 3);
export const velocity = float(-MAX_VELOCITY * ROUNDING, MAX_VELOCITY * ROUNDING, 3);
export const force = float(-MAX_FORCE * ROUNDING, MAX_FORCE * ROUNDING, 3);
export const gravity = float(-MAX_GRAVITY * ROUNDING, MAX_GRAVITY * ROUNDING, 3);
export const factor = float(0, MAX_COEFFICIENT * ROUNDING, 3);
export const scale = float(-MAX_COEFFICIENT * ROUNDING, MAX_COEFFICIENT * ROUNDING);
export const mass = zeroOr(MIN_MASS, MAX_MASS);
export const inertia = zeroOr(MIN_INERTIA, MAX_INERTIA, 3);
export const coefficient = float(0, MAX_COEFFICIENT * ROUNDING);
export const share = float(0, 1);
export const length = float(0, MAX_SIZE * ROUNDING);
/** Sizes, or the scale of a mesh, which may mirror. */
export const params: FieldKind = {
  words: 4,
  float: true,
  allows(values, at) {
    for (let i = at; i < at + 4; i++) {
      const size = Math.abs(values[i]!);
      if (size !== 0 && !(size >= MIN_SIZE / ROUNDING && size <= MAX_SIZE * ROUNDING)) return false;
    }
    return true;
  },
};
/** The type of shape that reads the content. */
export const geometryKind: FieldKind = {
  words: 1,
  float: false,
  allows: (values, at) => GEOMETRY_KINDS.includes(values[at]!),
};
export const speed = float(0, MAX_VELOCITY * ROUNDING);
export const setting = float(0, MAX_SETTING * ROUNDING);
/** Hz, or −erp. */
export const softness = float(-1, MAX_SETTING * ROUNDING);
export const rotation: FieldKind = {
  words: 4,
  float: true,
  allows(values, at) {
    const [x, y, z, w] = [values[at]!, values[at + 1]!, values[at + 2]!, values[at + 3]!];
    return Math.abs(x * x + y * y + z * z + w * w - 1) < 1e-4; // false for NaN, too
  },
};
export const shapeType: FieldKind = {
  words: 1,
  float: false,
  allows(values, at) {
    const type = values[at]!;
    return type >= codes.SHAPE_SPHERE && type < codes.SHAPE_TYPE_COUNT;
  },
};

export const jointType = int(codes.JOINT_POINT, codes.JOINT_TYPE_COUNT - 1);
export const jointFlags = bits(
  codes.JOINT_ENABLED |
    codes.JOINT_COLLIDE |
    codes.JOINT_PLACING |
    (codes.JOINT_ORDER_MASK << codes.JOINT_ORDER_SHIFT),
);
export const axisFlags = bits(
  codes.AXIS_MOTOR | codes.AXIS_SERVO | codes.AXIS_SPRING | codes.AXIS_STIFFNESS | codes.AXIS_STOP,
);
export const place = float(-MAX_COORDINATE * ROUNDING, MAX_COORDINATE * ROUNDING);
export const axisSpeed = float(-MAX_VELOCITY * ROUNDING, MAX_VELOCITY * ROUNDING);
export const most = float(0, MAX_FORCE * ROUNDING);
