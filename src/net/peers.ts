// Whom a room's server knows: players, who are in the game, and peers, the clients that are connected.
import type { PoseSender } from './poses';

/** Who is in the game. */
export interface Player {
  readonly id: string;
  readonly number: number;
  /** Inputs that came early, by tick. */
  readonly inputs: Map<number, Uint8Array>;
  /** Ticks without input. */
  missing: number;
  /** Ticks before this were decided without an own input, if later than the newest that was used. */
  usedTo: number;
  late: number;
  /** Tick in which the others were told of it at once. */
  toldAt: number;
  /** Tick at which it leaves unless its client comes back. */
  leaves: number;
}

/** A client that is connected. */
export interface Peer {
  readonly id: string;
  player: Player | null;
  isPlaying: boolean;
  snapshot: { id: number; tick: number; bytes: Uint8Array; queue: number[] } | null;
  snapshotAt: number;
  ack: number;
  echo: { seq: number; at: number } | null;
  poses: PoseSender;
  /** What it may still send. */
  packets: number;
  bytes: number;
  faults: number;
  heardAt: number;
  toldAt: number;
}
