// A RoomServer inside of a Colyseus room. In: joins, leaves and messages as Colyseus tells them, the time. Out: messages
// to its clients, checkpoints in a store. Names of Colyseus are used by their form only: nothing of it is imported.
import { type Game, type Refusal, RoomServer, type RoomServerOptions } from 'ricochet/net';
import { Recorder, type RecorderOptions } from 'ricochet/replay';
import { type CheckpointStore, type PresenceLike, PresenceStore } from './store';

/** Type of the messages that carry packets, in both directions. */
export const PACKETS = 'ricochet';
/** Code with which clients are sent away that the room does not want. */
export const CLOSE_REFUSED = 4400;
/** Code with which a connection ends whose player has made another. */
export const CLOSE_REPLACED = 4401;
/** Code with which a room ends that another process continues. */
export const CLOSE_SUPERSEDED = 4402;
/** Colyseus's code for a client that leaves on purpose. */
const CLOSE_CONSENTED = 4000;

/** What is used of a client that Colyseus has. */
export interface ClientLike {
  /** Of its connection, not of its player. */
  readonly sessionId: string;
  /** Sends bytes. */
  sendBytes(type: string | number, bytes: Uint8Array): void;
  /** Ends the connection. */
  leave(code?: number): void;
  /** The socket: its `bufferedAmount` tells what waits to be sent. */
  ref?: unknown;
}

/** Options of a PhysicsRoom: those of its RoomServer, and how it is kept. */
export interface PhysicsRoomOptions extends Omit<RoomServerOptions, 'game' | 'send' | 'onRefused' | 'epoch'> {
  /** s from one checkpoint to the next, 0.05 … 3600: as much is lost with a process. Default 1. */
  checkpointEvery?: number;
  /** s for which the last checkpoint is kept after the last player left, 1 … 604,800. Default 3600. */
  keep?: number;
  /** Where checkpoints are. Default: the presence of Colyseus. */
  store?: CheckpointStore;
  /** Bytes that may wait at a slow connection; beyond, packets to it are lost. Default 65,536. */
  maxWaiting?: number;
  /** Records the world. What `onRecorded` receives is replayed by `ricochet/replay`, the demo and the command `ricochet`. */
  record?: RecorderOptions & { onRecorded?: (file: Uint8Array<ArrayBuffer>) => void };
}

/** What a room has counted beside its RoomServer. */
export interface PhysicsRoomStats {
  /** Checkpoints that were kept. */
  checkpoints: number;
  /** Checkpoints that could not be kept. */
  failedCheckpoints: number;
  /** Tick and hash of the last one. */
  checkpoint: { tick: number; hash: string; bytes: number } | null;
  /** Tick and hash with which the room began, if it continues another. */
  continued: { tick: number; hash: string } | null;
  /** Packets that were not sent, as the connection was too slow. */
  skipped: number;
  /** Messages that were no packets. */
  unreadable: number;
}

/** How a host ends its room. */
export interface HostEvents {
  /** A later turn of the room runs in another process. */
  onSuperseded(): void;
  /** ms of a clock that never goes back. */
  now(): number;
}

/** Runs a RoomServer for a room of Colyseus. */
export class RoomHost {
  /** Counts since the room was made here. */
  readonly stats: PhysicsRoomStats = {
    checkpoints: 0,
    failedCheckpoints: 0,
    checkpoint: null,
    continued: null,
    skipped: 0,
    unreadable: 0,
  };
  private readonly sessions = new Map<string, { client: ClientLike; player: string }>();
  private readonly clients = new Map<string, ClientLike>();
  private readonly recorder: Recorder | null = null;
  private savedAt: number;
  private saving: Promise<void> | null = null;
  private isOver = false;
  /** Whether an update follows at once. */
  private isDue = false;

  private constructor(
    readonly server: RoomServer,
    private readonly key: string,
    private readonly turn: number,
    private readonly store: CheckpointStore,
    private readonly options: PhysicsRoomOptions,
    private readonly events: HostEvents,
  ) {
    this.savedAt = events.now();
    if (options.record !== undefined)
      this.recorder = new Recorder(server.world, { queries: false, hashEvery: 30, ...options.record });
  }

  /** Begins a room, or continues it from its last checkpoint. A checkpoint that cannot be used is counted, and left. */
  static async begin(
    key: string,
    game: Game,
    presence: PresenceLike,
    options: PhysicsRoomOptions,
    events: HostEvents,
  ): Promise<RoomHost> {
    const store = options.store ?? new PresenceStore(presence);
    const { turn, checkpoint } = await store.begin(key);
    let host: RoomHost | null = null;
    const all: RoomServerOptions = {
      ...options,
      game,
      epoch: turn,
      send: (player, packet) => host?.send(player, packet),
      onRefused: (player, reason) => host?.refuse(player, reason),
    };
    let server: RoomServer | null = null;
    let failed = 0;
    if (checkpoint !== null)
      try {
        server = RoomServer.restore(checkpoint, all);
      } catch {
        failed++;
      }
    const continues = server !== null;
    server ??= new RoomServer(all);
    host = new RoomHost(server, key, turn, store, options, events);
    host.stats.failedCheckpoints += failed;
    if (continues) host.stats.continued = { tick: server.tick, hash: server.hash() };
    return host;
  }

  private send(player: string, packet: Uint8Array<ArrayBuffer>): void {
    const client = this.clients.get(player);
    if (client === undefined) return;
    const waiting = (client.ref as { bufferedAmount?: number } | undefined)?.bufferedAmount ?? 0;
    if (waiting > (this.options.maxWaiting ?? 65_536)) this.stats.skipped++;
    else client.sendBytes(PACKETS, packet);
  }

  private refuse(player: string, _reason: Refusal): void {
    this.clients.get(player)?.leave(CLOSE_REFUSED);
  }

  /** A client joined. `player`: who it is; the same again gets its player back, and its old connection ends. */
  join(client: ClientLike, player: string): void {
    const before = this.clients.get(player);
    if (before !== undefined) {
      this.sessions.delete(before.sessionId);
      before.leave(CLOSE_REPLACED);
    }
    this.sessions.set(client.sessionId, { client, player });
    this.clients.set(player, client);
    this.server.connect(player);
  }

  /** A client is gone. `code`: as Colyseus tells it; a boolean until version 0.16. */
  async leave(client: ClientLike, code?: number | boolean): Promise<void> {
    const session = this.sessions.get(client.sessionId);
    if (session === undefined) return;
    this.sessions.delete(client.sessionId);
    this.clients.delete(session.player);
    this.server.disconnect(session.player, code === CLOSE_CONSENTED || code === true);
    // Colyseus disposes a room without clients: who comes then finds it as it was.
    if (this.clients.size === 0) await this.save();
  }

  /** A message of a client came. */
  receive(client: ClientLike, packet: unknown): void {
    const session = this.sessions.get(client.sessionId);
    if (session === undefined || this.isOver) return;
    if (packet instanceof Uint8Array) this.server.receive(session.player, packet);
    else this.stats.unreadable++;
    if (!this.server.hasNews || this.isDue) return;
    this.isDue = true;
    setTimeout(() => {
      this.isDue = false;
      this.update();
    }, 0);
  }

  /** A message came that is no packet. */
  ignore(): void {
    this.stats.unreadable++;
  }

  /** Makes the ticks that are due, and checkpoints. */
  update(): void {
    if (this.isOver) return;
    const now = this.events.now();
    this.server.update(now);
    if (now - this.savedAt < 1000 * (this.options.checkpointEvery ?? 1) || this.saving !== null) return;
    void this.save();
  }

  /** Keeps a checkpoint. Never rejects: a store that fails is counted, and the room goes on. */
  async save(): Promise<void> {
    while (this.saving !== null) await this.saving;
    if (this.isOver) return;
    this.savedAt = this.events.now();
    this.saving = this.saveNow();
    await this.saving;
  }

  private async saveNow(): Promise<void> {
    const { server, stats } = this;
    try {
      const bytes = server.checkpoint();
      const checkpoint = { tick: server.tick, hash: server.hash(), bytes: bytes.length };
      const isOurs = await this.store.save(this.key, this.turn, bytes, this.options.keep ?? 3600);
      if (isOurs) {
        stats.checkpoints++;
        stats.checkpoint = checkpoint;
      } else if (!this.isOver) {
        this.isOver = true;
        this.events.onSuperseded();
      }
    } catch {
      stats.failedCheckpoints++;
    } finally {
      this.saving = null;
    }
  }

  /** Ends the room here. Its last state is kept. */
  async dispose(): Promise<void> {
    await this.save();
    this.isOver = true;
    if (this.recorder !== null) {
      const file = await this.recorder.finish();
      this.options.record?.onRecorded?.(file);
    }
    this.server.dispose();
  }
}
