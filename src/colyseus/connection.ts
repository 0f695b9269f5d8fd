// The client's side: a RoomClient over a connection of Colyseus's SDK, which is made again when it is lost, with whatever
// process answers. In: SDK clients, the time. Out: a RoomClient.
import { RoomClient, type RoomClientOptions, type SimulatedNetwork } from 'ricochet/net';
import { CLOSE_REFUSED, CLOSE_REPLACED, PACKETS } from './host';

/** What is used of a room of Colyseus's SDK. */
export interface SdkRoom {
  /** Of this connection. */
  readonly sessionId: string;
  /** Settings of the SDK's own reconnection, which is switched off: it only knows the process that is gone. */
  reconnection?: { enabled: boolean };
  /** Receives messages. */
  onMessage(type: string, callback: (bytes: Uint8Array) => void): unknown;
  /** The connection ended. */
  onLeave(callback: (code: number) => void): unknown;
  /** Sends bytes. */
  sendBytes(type: string, bytes: Uint8Array): void;
  /** Ends the connection. */
  leave(consented?: boolean): unknown;
}

/** What is used of a client of Colyseus's SDK (`new Client(url)`). */
export interface SdkClient {
  /** Joins a room of a type, or has it made. */
  joinOrCreate(name: string, options: Record<string, unknown>): Promise<SdkRoom>;
}

/** How a connection is: 'refused' and 'left' are final. */
export type ConnectionState = 'connecting' | 'connected' | 'lost' | 'refused' | 'left';

/** Options of a connection: those of its RoomClient, and where it leads. */
export interface RoomConnectionOptions extends Omit<RoomClientOptions, 'send'> {
  /** Clients of the SDK, one for each address: when one does not answer, the next is asked. */
  via: SdkClient | readonly SdkClient[];
  /** Name under which the type of the room was defined. */
  type: string;
  /** Name of the room: 1 … 64 letters, digits, - and _. */
  room: string;
  /** 16 … 64 letters, digits, - and _, which nobody else knows: who comes back with it has its player again. */
  token: string;
  /** More options for Colyseus's `onAuth` and `onCreate`. */
  join?: Record<string, unknown>;
  /** A bad network on top of the real one, for tests. */
  network?: SimulatedNetwork;
  /** Told of every change. */
  onState?: (state: ConnectionState) => void;
  /** Most ms between two attempts to connect, 100 … 600,000. Default 4000. */
  retry?: number;
}

const FIRST_RETRY = 250;
/** Packets that wait for an update; a page in the background has none for long. */
const MOST_WAITING = 512;

/** A room over Colyseus. Call `update` once per frame. */
export class RoomConnection {
  /** The room as it is played. */
  readonly client: RoomClient;
  /** Times that a connection was made. */
  connections = 0;
  private sdkRoom: SdkRoom | null = null;
  private current: ConnectionState = 'connecting';
  private attempts = 0;
  private dueAt = -Infinity;
  private isBusy = false;
  private now = 0;
  /** What came since the last update: only then is the time known. */
  private arrived: Uint8Array[] = [];
  private readonly via: readonly SdkClient[];

  /**
   * Begins with the first `update`.
   *
   * @throws PhysicsError 'invalid-argument', as RoomClient does
   */
  constructor(private readonly options: RoomConnectionOptions) {
    this.via = Array.isArray(options.via) ? options.via : [options.via as SdkClient];
    this.client = new RoomClient({
      ...options,
      send: (packet) => this.send(packet),
      onRefused: (reason) => {
        options.onRefused?.(reason);
        this.become('refused');
      },
    });
  }

  /** How the connection is. */
  get state(): ConnectionState {
    return this.current;
  }

  private become(state: ConnectionState): void {
    if (this.current === state || this.isFinal) return;
    this.current = state;
    this.options.onState?.(state);
  }

  private get isFinal(): boolean {
    return this.current === 'refused' || this.current === 'left';
  }

  private send(packet: Uint8Array<ArrayBuffer>): void {
    const { network } = this.options;
    if (network === undefined) this.deliver(packet);
    else network.send(packet, this.now, (bytes) => this.deliver(bytes));
  }

  private deliver(packet: Uint8Array): void {
    try {
      this.sdkRoom?.sendBytes(PACKETS, packet);
    } catch {
      // The socket closes; onLeave tells it.
    }
  }

  private connect(): void {
    const client = this.via[this.attempts % this.via.length]!;
    this.attempts++;
    this.isBusy = true;
    const { type, room, token, join } = this.options;
    client.joinOrCreate(type, { ...join, room, token }).then(
      (joined) => this.joined(joined),
      () => this.failed(),
    );
  }

  private joined(room: SdkRoom): void {
    this.isBusy = false;
    if (this.isFinal) {
      room.leave(true);
      return;
    }
    if (room.reconnection !== undefined) room.reconnection.enabled = false;
    this.sdkRoom = room;
    this.connections++;
    const { network } = this.options;
    room.onMessage(PACKETS, (message) => {
      if (this.sdkRoom !== room || !(message instanceof Uint8Array)) return;
      // The SDK's bytes are a view of what it uses again.
      const bytes = message.slice() as Uint8Array<ArrayBuffer>;
      if (network !== undefined) network.send(bytes, this.now, (late) => this.client.receive(late, this.now));
      else if (this.arrived.push(bytes) > MOST_WAITING) this.arrived.shift();
    });
    room.onLeave((code) => {
      if (this.sdkRoom === room) this.lost(code);
    });
    if (this.client.isJoined) this.client.rejoin();
    this.become('connected');
  }

  private failed(): void {
    this.isBusy = false;
    const pause = FIRST_RETRY * 2 ** Math.min(this.attempts, 12);
    this.dueAt = this.now + Math.min(pause, this.options.retry ?? 4000);
    this.become('lost');
  }

  private lost(code: number): void {
    this.sdkRoom = null;
    this.attempts = 0;
    this.dueAt = this.now;
    this.become(code === CLOSE_REFUSED || code === CLOSE_REPLACED ? 'refused' : 'lost');
  }

  /** Plays on. `now`: ms of any clock that never goes back, such as performance.now(). */
  update(now: number): void {
    this.now = Math.max(this.now, now);
    if (this.isFinal) return;
    if (this.sdkRoom === null && !this.isBusy && this.now >= this.dueAt) this.connect();
    this.options.network?.deliver(this.now);
    for (const packet of this.arrived.splice(0)) this.client.receive(packet, this.now);
    this.client.update(this.now);
  }

  /** Leaves on purpose: the player is gone at once. */
  leave(): void {
    this.become('left');
    this.sdkRoom?.leave(true);
    this.sdkRoom = null;
  }

  /** Leaves, and frees the world. */
  dispose(): void {
    this.leave();
    this.client.dispose();
  }
}
