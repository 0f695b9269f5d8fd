// The public API of the in-process engine.
export {
  type ContactOptions,
  type DistanceOptions,
  type PlacedShape,
  type Query,
  type QueryFilter,
  type QueryOptions,
  QueryShape,
  type QueryTarget,
  type RayBatchOptions,
  type RayOptions,
} from './asks';
export type { MassOptions } from './bodies';
export { RigidBody } from './body';
export { BodyHandle, type ShapeInfo } from './bodyHandle';
export type { BodyPlaces } from './bulk';
export {
  COMMANDS,
  type Command,
  type CommandFields,
  type CommandName,
  type DecodedCommand,
  readCommands,
  validateCommands,
  writeCommand,
} from './commands';
export { CommandWriter } from './commandWriter';
export type { ContactBatch } from './contactBatch';
export * from './cooking/index';
export { isSupported, useCore } from './core-module';
export type { DebugLines, DebugLinesOptions } from './debugLines';
export { PhysicsError, type PhysicsErrorCode } from './errors';
export type {
  Contact,
  ContactEndEvent,
  ContactEvent,
  ContactPoint,
  EventOf,
  JointEvent,
  PhysicsEvent,
  SleepEvent,
} from './events';
export type { BodyId, JointId, ShapeId } from './ids';
export { MAX_SLOT as MAX_BODIES } from './ids';
export { Joint } from './joint';
export { JointHandle } from './jointHandle';
export type { LimitState } from './jointPlaces';
export { type MassProperties, massProperties, principalAxes } from './massProperties';
/** Deterministic functions, to place bodies with the same bits everywhere. */
export * as deterministic from './math';
export type { Profile as StepProfile } from './profile';
export type {
  ContactHit,
  DistanceHit,
  OverlapHit,
  QueryAnswer,
  RayBatch,
  RayHit,
  SweepHit,
} from './queries';
export type { WorldTap } from './running';
export { type SelfTest, selfTest } from './selfTest';
export { PROFILES } from './settings';
export type { Material, ShapeType } from './shapes';
export type { Simulation } from './simulation';
export { type SnapshotGeometry, type SnapshotParts, WorldSlot } from './snapshot';
export type * from './types';
export { type PairFilter, type TickCallback, World } from './world';
