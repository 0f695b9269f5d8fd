// What a room and its clients take, and what they count. In: options. Out: types, and checked numbers.
import { type BodyId, PhysicsError, type RigidBody, type World } from 'ricochet';
import type { Smoothing } from './drawing';
import type { Game } from './game';
import type { Mode, Refusal } from './messages';
import type { Interest } from './poses';

/** Options of a RoomServer. */
export interface RoomServerOptions {
  /** The rules. */
  game: Game;
  /** Sends a packet to a client. Packets may be lost, late, doubled and out of order. */
  send: (client: string, packet: Uint8Array<ArrayBuffer>) => void;
  /** Default 'lockstep'. */
  mode?: Mode;
  /** Hz, 1 … 240: ticks. Default 60. */
  rate?: number;
  /** Ticks from one packet to the next, 1 … 60. Default 3. */
  sendEvery?: number;
  /** Ticks from one hash to the next, 1 … 10,000. Default 30. */
  hashEvery?: number;
  /** 1 … 64. Default 16. */
  maxPlayers?: number;
  /** Bytes of one input, 1 … 1024. Default 64. */
  maxInputBytes?: number;
  /** Ticks for which a missing input is made from the one before; then there is none. Default 15. */
  repeat?: number;
  /** s: how long the player of a lost client stays. Default 10. */
  reconnect?: number;
  /** What a client may send in a second. Default: 3 packets per tick, 64 KB. */
  limits?: { packets?: number; bytes?: number; faults?: number };
  /** Mode 'state': who is sent what. */
  interest?: Interest;
  /** Mode 'state': bytes of poses per packet time and client. Default 4096. */
  poseBytes?: number;
  /**
   * 1 … 2³² − 1: of servers that continue one room, each later one needs a greater number; clients see by it that they have
   * to load the state again. Default 1, and after a checkpoint one more than before.
   */
  epoch?: number;
  /** A client is sent away; close its connection. */
  onRefused?: (client: string, reason: Refusal) => void;
}

/** What a room has counted since it was made. */
export interface RoomServerStats {
  /** Packets that could not be read, were too long, or told lies: dropped. */
  refused: number;
  /** Packets and bytes beyond the limits of a client: dropped. */
  flooded: number;
  /** Inputs that came after their tick. */
  late: number;
  /** Inputs that `sanitize` refused. */
  unclean: number;
  /** Inputs that were made from the one before. */
  substituted: number;
  /** Hashes of clients that were not the server's. */
  desyncs: number;
  /** Hashes of clients that were the server's. */
  agreed: number;
  /** States sent to clients that joined, or had lost their way. */
  snapshots: number;
  /** What the functions of the game threw. */
  gameErrors: number;
  /** ms that were left out because the host was late by more than 10 ticks. */
  droppedTime: number;
  /** Bytes to all clients: states for those who join, and the rest. */
  snapshotBytes: number;
  /** Bytes to all clients in the game. */
  bytes: number;
}

/** Options of a RoomClient. */
export interface RoomClientOptions {
  /** The same rules as the server's, an object of its own. */
  game: Game;
  /** Sends a packet to the server. Packets may be lost, late, doubled and out of order. */
  send: (packet: Uint8Array<ArrayBuffer>) => void;
  /** The own input of a tick, asked once for each, `inputDelay` ticks before it is made. */
  input: (tick: number) => Uint8Array;
  /**
   * Ticks from an input to the tick that it acts in, 0 … 30. Default 0: the own body answers at once. Others know an input
   * that many ticks earlier, so that their predictions have less to correct.
   */
  inputDelay?: number;
  /** Ticks that may be predicted, 1 … 240; beyond, the client waits for the server. Default 60. */
  maxPrediction?: number;
  /** Ticks of safety by which inputs are sent early, 0 … 30. Default 1.5. */
  spare?: number;
  /**
   * How far in the past a body is drawn, 0 … 1: 0 where it is predicted to be now, 1 where it was at the newest tick that is
   * known. Nobody can predict what other players do: their bodies, drawn in the past, need no corrections; near the own body
   * they should be drawn in the present, as they meet there. Asked once per update. Default: 0 for all.
   */
  past?: (body: RigidBody, world: World) => number;
  /** How corrections fade from what is drawn. */
  smoothing?: Smoothing;
  /** Mode 'state': m by which a predicted body may be off. Default 0.01. */
  tolerance?: number;
  /** The state of the room was loaded: at the beginning, after a reconnection, after a difference. */
  onJoined?: (world: World) => void;
  /**
   * A rollback moved a body by so many m, more than 0.1 mm. What is drawn follows smoothly; `drawn` is by how much, m: less
   * for a body that is drawn in the past.
   */
  onCorrection?: (body: BodyId, metres: number, drawn: number) => void;
  /** The server does not want this client. */
  onRefused?: (reason: Refusal) => void;
}

/** What a client has counted since it was made. */
export interface RoomClientStats {
  /** ms: smoothed round trip. */
  roundTrip: number;
  /** ms: deviation of round trips. */
  jitter: number;
  /** Times that the past had to be put right. */
  rollbacks: number;
  /** Ticks that were made again. */
  resimulated: number;
  /** m: by how much rollbacks moved single bodies, if by more than 0.1 mm; the last 1024. */
  corrections: number[];
  /** Ticks of the game of which the server has told. */
  confirmed: number;
  /** Hashes that were the server's. */
  agreed: number;
  /** Hashes that were not. */
  desyncs: number;
  /** Tick of the last hash that was compared. */
  hashTick: number;
  /** Packets that could not be read or used. */
  refused: number;
  /** Own inputs that came too late at the server. */
  late: number;
  /** States of bodies that came, and those that were off. Mode 'state'. */
  poses: number;
  /** Of `poses`, those that corrected a body. */
  corrected: number;
  /** What the functions of the game threw. */
  gameErrors: number;
  /** States loaded. */
  snapshots: number;
  /** Bytes of packets, received and sent. */
  bytesIn: number;
  /** Bytes of packets sent. */
  bytesOut: number;
  /** Packets of the server. */
  packetsIn: number;
}

/** An option that is a whole number, or what it is without. */
export function integer(
  value: number | undefined,
  fallback: number,
  name: string,
  most: number,
  least = 1,
): number {
  const chosen = value ?? fallback;
  if (!(Number.isInteger(chosen) && chosen >= least && chosen <= most))
    throw new PhysicsError('invalid-argument', `must be an integer from ${least} to ${most}`, name, chosen);
  return chosen;
}
