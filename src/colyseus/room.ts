// PhysicsRoom: a class of rooms for Colyseus 0.16 and later. In: Colyseus's own class Room. Out: a subclass that runs a
// RoomServer. Colyseus is not imported, so that its version, and the Node that it needs, are the user's choice.
import type { Game, RoomServer } from 'ricochet/net';
import {
  CLOSE_SUPERSEDED,
  type ClientLike,
  PACKETS,
  type PhysicsRoomOptions,
  type PhysicsRoomStats,
  RoomHost,
} from './host';
import type { PresenceLike } from './store';

/** What is used of Colyseus's class Room. */
export interface RoomLike {
  /** Of this room, in this process. */
  roomId: string;
  /** Most clients. */
  maxClients: number;
  /** ms between patches of a schema, of which there is none. */
  patchRate: number | null;
  /** Clients that send more are dropped. Colyseus 0.17 and later. */
  maxMessagesPerSecond?: number;
  /** What the processes share. */
  presence: PresenceLike;
  /** Receives bytes. */
  // biome-ignore lint/suspicious/noExplicitAny: overloaded there, with types of the user's own
  onMessageBytes?(...args: any[]): unknown;
  /** Receives messages. */
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  onMessage(...args: any[]): unknown;
  /** Ends the room. */
  disconnect(code?: number): Promise<unknown>;
}

/** Colyseus's class Room, or a subclass of it. */
// biome-ignore lint/suspicious/noExplicitAny: TypeScript wants this form for a class that is extended
export type RoomClass = new (...args: any[]) => RoomLike;

/** What a PhysicsRoom has beside the members of Colyseus's Room. */
export interface PhysicsRoomMembers {
  /** The room itself; from `onCreate` on. */
  readonly server: RoomServer;
  /** Counts, beside `server.stats`. */
  readonly physicsStats: PhysicsRoomStats;
  /** Makes the rules. Subclasses have to define it. `options`: of the client that made the room: believe nothing. */
  createGame(options: Readonly<Record<string, unknown>>): Game;
  /** Options of the room. Default none. */
  physicsOptions(options: Readonly<Record<string, unknown>>): PhysicsRoomOptions;
  /**
   * Who a client is. Default: `id` of what `onAuth` returned, else the secret `token` of its options, else its session.
   * A player who comes again is known by it, in another process, too.
   */
  playerId(client: ClientLike, options: Readonly<Record<string, unknown>>, auth: unknown): string;
  /** Begins the room, or continues it from its checkpoint. */
  onCreate(options?: Record<string, unknown>): Promise<void>;
  /** A client joined. */
  onJoin(client: ClientLike, options?: Record<string, unknown>, auth?: unknown): void;
  /** A client is gone; its player stays for `reconnect` seconds unless it left on purpose. */
  onLeave(client: ClientLike, code?: number | boolean): Promise<void>;
  /** The process ends: the state is kept before clients hear of it. */
  onBeforeShutdown(): void;
  /** The room ends here. */
  onDispose(): Promise<void>;
}

/** What `PhysicsRoom` returns: the given class with a physics world. */
export type PhysicsRoomClass<Base extends RoomClass> = (new (
  // biome-ignore lint/suspicious/noExplicitAny: it is extended, too
  ...args: any[]
) => InstanceType<Base> & PhysicsRoomMembers) &
  Pick<Base, keyof Base>;

/** Keys of rooms. */
const KEY = /^[\w-]{1,64}$/;
/** Tokens of players. */
const TOKEN = /^[\w-]{16,64}$/;
/** Colyseus's code for the end of a process. */
const CLOSE_SHUTDOWN = 4001;

/**
 * A class of rooms with a physics world, made of Colyseus's Room:
 *
 * `class Arena extends PhysicsRoom(Room) { createGame() { return arena(); } }`
 *
 * Define it with `server.define('arena', Arena).filterBy(['room'])`. The option `room` (1 … 64 letters, digits, - and _)
 * names the room across processes: who joins it gets the running one, or one that continues its last checkpoint.
 */
export function PhysicsRoom<Base extends RoomClass>(base: Base): PhysicsRoomClass<Base> {
  class Physics extends base implements PhysicsRoomMembers {
    private host: RoomHost | null = null;
    private timer: ReturnType<typeof setInterval> | undefined;

    get server(): RoomServer {
      return this.begun.server;
    }

    get physicsStats(): PhysicsRoomStats {
      return this.begun.stats;
    }

    private get begun(): RoomHost {
      if (this.host === null)
        throw new Error('PhysicsRoom: onCreate has not run; call super.onCreate(options)');
      return this.host;
    }

    createGame(_options: Readonly<Record<string, unknown>>): Game {
      throw new Error('PhysicsRoom: subclasses define createGame');
    }

    physicsOptions(_options: Readonly<Record<string, unknown>>): PhysicsRoomOptions {
      return {};
    }

    playerId(client: ClientLike, options: Readonly<Record<string, unknown>>, auth: unknown): string {
      const id = (auth as { id?: unknown } | null | undefined)?.id;
      if (typeof id === 'string' || typeof id === 'number') return `user:${id}`;
      const token = options['token'];
      return typeof token === 'string' && TOKEN.test(token) ? `token:${token}` : client.sessionId;
    }

    async onCreate(options: Record<string, unknown> = {}): Promise<void> {
      const key = options['room'];
      const chosen = this.physicsOptions(options);
      this.host = await RoomHost.begin(
        typeof key === 'string' && KEY.test(key) ? key : this.roomId,
        this.createGame(options),
        this.presence,
        chosen,
        { now: () => performance.now(), onSuperseded: () => void this.disconnect(CLOSE_SUPERSEDED) },
      );
      const { rate } = this.host.server;
      this.maxClients = Math.min(this.maxClients, chosen.maxPlayers ?? 16);
      this.patchRate = null;
      // RoomServer drops what is above its own limit; who goes far beyond is dropped with its connection.
      this.maxMessagesPerSecond = Math.min(
        this.maxMessagesPerSecond ?? Infinity,
        4 * (chosen.limits?.packets ?? 3 * rate),
      );
      const receive = (client: ClientLike, packet: unknown) => this.host?.receive(client, packet);
      if (this.onMessageBytes !== undefined) this.onMessageBytes(PACKETS, receive);
      else this.onMessage(PACKETS, receive);
      // Messages of other types are counted; Colyseus itself would log each of them.
      this.onMessage('*', () => this.host?.ignore());
      await this.host.save();
      this.timer = setInterval(() => this.host?.update(), Math.max(1, Math.floor(500 / rate)));
    }

    onJoin(client: ClientLike, options: Record<string, unknown> = {}, auth?: unknown): void {
      this.begun.join(client, this.playerId(client, options ?? {}, auth));
    }

    async onLeave(client: ClientLike, code?: number | boolean): Promise<void> {
      await this.host?.leave(client, code);
    }

    onBeforeShutdown(): void {
      void this.begun.save().then(() => this.disconnect(CLOSE_SHUTDOWN));
    }

    async onDispose(): Promise<void> {
      clearInterval(this.timer);
      await this.host?.dispose();
    }
  }
  return Physics as never;
}
