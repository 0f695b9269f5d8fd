// Kinds of fields of commands about actors, beside those of commandFields.ts. They load with the actors.

import { MAX_GRAVITY, MAX_SHAPES_PER_BODY, MAX_SIZE, MAX_VELOCITY, MIN_SIZE } from '../base/limits';
import * as codes from '../core/memory/constants';
import { bits, exact, type FieldKind, float, int, signed } from './commandFields';

/** By the name in the declaration. */
export const ACTOR_KINDS = {
  vehicleKind: int(codes.VEHICLE_WHEELED, codes.VEHICLE_MOTORCYCLE, 'VEHICLE_*'),
  wheelNumber: int(0, (1 << codes.WHEEL_BITS) - 1, ''),
  wheelNumberOrNone: int(-1, (1 << codes.WHEEL_BITS) - 1, ''),
  wheelCast: int(codes.WHEEL_RAY, codes.WHEEL_CYLINDER, 'WHEEL_*'),
  vehicleParts: bits(
    codes.VEHICLE_GIVES_THROTTLE |
      codes.VEHICLE_GIVES_BRAKE |
      codes.VEHICLE_GIVES_STEER |
      codes.VEHICLE_GIVES_HANDBRAKE |
      codes.VEHICLE_GIVES_GEAR,
    'VEHICLE_GIVES_*',
  ),
  gear: int(codes.GEAR_AUTOMATIC, 8, ''),
  pedal: signed(1, ''),
  wheelSize: { ...exact(MIN_SIZE / 1.000001, MAX_SIZE, 'm'), range: [MIN_SIZE, MAX_SIZE] },
  wheelInertia: exact(1e-9, 1e15, 'kg·m²'),
  torqueCurve: float(0, 1, '', 8),
  gearRatios: float(0, 1e6, '', 8),
  steeringAngle: signed(1.57, 'rad'),
  leanAngle: float(0, 1.5, 'rad'),
  tyreNumber: exact(1e-4, 1e4, ''),
  tyreShape: exact(1, 2, ''),
  characterOptions: bits(
    codes.CHARACTER_STEPS_ON_DYNAMIC |
      codes.CHARACTER_FOLLOWS_GRAVITY |
      codes.CHARACTER_YIELDS |
      codes.CHARACTER_WAITS,
    'CHARACTER_*',
  ),
  characterMode: int(codes.CHARACTER_WALKS, codes.CHARACTER_FLIES, 'CHARACTER_*'),
  characterAsks: bits(codes.CHARACTER_ASKS_CROUCH | codes.CHARACTER_ASKS_LOCAL, 'CHARACTER_ASKS_*'),
  characterParts: bits(
    codes.CHARACTER_GIVES_MODE |
      codes.CHARACTER_GIVES_CROUCH |
      codes.CHARACTER_GIVES_LOCAL |
      codes.CHARACTER_GIVES_MOVE |
      codes.CHARACTER_GIVES_TURN,
    'CHARACTER_GIVES_*',
  ),
  characterOffset: { ...exact(0.000999, 1.000001, 'm'), range: [0.001, 1] },
  strength: float(0, MAX_GRAVITY, 'm/s²'),
  jumps: int(0, 1000, ''),
  pieces: int(1, MAX_SHAPES_PER_BODY, ''),
  rotationOrZero: signed(1, 'unit quaternion, or 0', 4),
  jump: { ...exact(-1, MAX_VELOCITY * 1.000001, 'm/s'), range: [-1, MAX_VELOCITY] },
} as const satisfies Record<string, FieldKind>;

export type ActorKindName = keyof typeof ACTOR_KINDS;
