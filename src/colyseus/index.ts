// Rooms on Colyseus: a class of rooms for its server, a connection for its SDK.

export {
  type ConnectionState,
  RoomConnection,
  type RoomConnectionOptions,
  type SdkClient,
  type SdkRoom,
} from './connection';
export type { ClientLike, PhysicsRoomOptions, PhysicsRoomStats } from './host';
export {
  PhysicsRoom,
  type PhysicsRoomClass,
  type PhysicsRoomMembers,
  type RoomClass,
  type RoomLike,
} from './room';
export { type CheckpointStore, type PresenceLike, PresenceStore } from './store';
