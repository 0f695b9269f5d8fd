// The public API of the in-process engine.

export { unknownOption } from './base/closest';
export { PhysicsError, type PhysicsErrorCode } from './base/errors';
export type { BodyId, JointId, ShapeId } from './base/ids';
export { MAX_SLOT as MAX_BODIES } from './base/ids';
export * from './cooking/index';
export type { ContactBatch } from './events/contactBatch';
export type { EventFilter } from './events/eventFilter';
export type { EventStream } from './events/eventStream';
export type {
  Contact,
  ContactEndEvent,
  ContactEvent,
  ContactPoint,
  EventOf,
  JointEvent,
  PhysicsEvent,
  SleepEvent,
} from './events/events';
export type { DebugLines, DebugLinesOptions } from './lines/debugLines';
export type { LimitState } from './lines/jointPlaces';
export type { MassOptions } from './options/bodies';
export { type MassProperties, massProperties, principalAxes } from './options/massProperties';
export { PROFILES } from './options/settings';
export type { Material, ShapeType } from './options/shapes';
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
} from './queries/asks';
export type {
  ContactHit,
  DistanceHit,
  OverlapHit,
  QueryAnswer,
  RayBatch,
  RayHit,
  SweepHit,
} from './queries/queries';
export { BodyHandle, type ShapeInfo } from './replica/bodyHandle';
export type { BodyPlaces } from './replica/bulk';
export {
  COMMANDS,
  type Command,
  type CommandFields,
  type CommandName,
  type DecodedCommand,
  readCommands,
  validateCommands,
  writeCommand,
} from './replica/commands';
export { CommandWriter } from './replica/commandWriter';
export { JointHandle } from './replica/jointHandle';
export type { Answer, PhysicsWorld, WorldBody, WorldEvents, WorldJoint } from './replica/physicsWorld';
export { type SnapshotGeometry, type SnapshotParts, WorldSlot } from './replica/snapshot';
export { StepSystem, type SystemOptions } from './replica/stepSystem';
export type * from './types';
export { isSupported, useCore } from './wasm/core-module';
export { RigidBody } from './world/body';
export { Joint } from './world/joint';
export type { SelfTest } from './world/machineTest';
export type { Profile as StepProfile } from './world/profile';
export type { WorldTap } from './world/running';
export { selfTest } from './world/selfTest';
export type { Simulation } from './world/simulation';
export type { StepSystemModule, SystemHooks, SystemStart } from './world/systems';
export type { SystemWorld } from './world/systemWorld';
export { type PairFilter, type TickCallback, World } from './world/world';
