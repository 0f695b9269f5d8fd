// Vehicles: entry of `ricochet/vehicle`. In: a world, in process or in a worker. Out: vehicles, which the core moves.
export type {
  Differential,
  EngineOptions,
  GearboxOptions,
  LeanOptions,
  SteeringOptions,
  SuspensionOptions,
  TyreOptions,
  VehicleInput,
  VehicleOptions,
  WheelCast,
  WheelOptions,
} from './options';
export { createVehicle, makeVehicle, Vehicle, VehicleWheel } from './vehicle';
