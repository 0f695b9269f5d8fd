// Kinds of fields of commands about actors, beside those of commandFields.ts. They load with the actors.

import { MAX_SIZE, MIN_SIZE } from '../base/limits';
import * as codes from '../core/memory/constants';
import { exact, type FieldKind, float, int, signed } from './commandFields';

/** By the name in the declaration. */
export const ACTOR_KINDS = {
  vehicleKind: int(codes.VEHICLE_WHEELED, codes.VEHICLE_MOTORCYCLE, 'VEHICLE_*'),
  wheelNumber: int(0, (1 << codes.WHEEL_BITS) - 1, ''),
  wheelNumberOrNone: int(-1, (1 << codes.WHEEL_BITS) - 1, ''),
  wheelCast: int(codes.WHEEL_RAY, codes.WHEEL_CYLINDER, 'WHEEL_*'),
  gear: int(codes.GEAR_AUTOMATIC, 8, ''),
  pedal: signed(1, ''),
  wheelSize: { ...exact(MIN_SIZE / 1.000001, MAX_SIZE, 'm'), range: [MIN_SIZE, MAX_SIZE] },
  wheelInertia: exact(1e-9, 1e15, 'kg·m²'),
  torqueCurve: float(0, 1, '', 8),
  gearRatios: float(0, 1e6, '', 8),
  steeringAngle: signed(1.57, 'rad'),
  tyreNumber: exact(1e-4, 1e4, ''),
  tyreShape: exact(1, 2, ''),
} as const satisfies Record<string, FieldKind>;

export type ActorKindName = keyof typeof ACTOR_KINDS;
