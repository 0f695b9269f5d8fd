// How a page comes to a room: through a channel between windows, one of which has the server, or through Colyseus to a
// server elsewhere. In: a game, inputs, a network to be made worse. Out: a RoomClient that is kept in touch.
import { RoomConnection, type SdkClient } from 'ricochet/colyseus';
import {
  type Game,
  RoomClient,
  type RoomClientOptions,
  RoomServer,
  type SimulatedNetwork,
} from 'ricochet/net';
import { Recorder } from 'ricochet/replay';

/** What a page has of a room. */
export interface Link {
  readonly client: RoomClient;
  /** Said on the panel: where the server is. */
  readonly place: string;
  /** The recording of the room so far, if its server is here. */
  record(): Promise<Uint8Array<ArrayBuffer>> | null;
  update(now: number): void;
  leave(): void;
}

export interface LinkOptions extends Pick<RoomClientOptions, 'input' | 'onCorrection' | 'past'> {
  game: () => Game;
  /** Of the own packets, in both directions. */
  network: SimulatedNetwork;
  /** Who this player is, wherever the server is. */
  token: string;
  room: string;
}

// --- windows of one browser ---

/** What windows say to each other. Without `to`: to all. */
type Word =
  | { kind: 'here'; from: string }
  | { kind: 'gone'; from: string }
  | { kind: 'packet'; from: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'answer'; to: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'checkpoint'; bytes: Uint8Array<ArrayBuffer>; epoch: number };

/** ms between checkpoints, which all windows keep: as much is lost with the window that has the server. */
const CHECKPOINT_EVERY = 500;
/** Steps after which the recording begins anew: it is kept in memory. */
const LONGEST_RECORDING = 10 * 60 * 60;

/** The server of a room in a window. */
class WindowHost {
  private readonly server: RoomServer;
  private readonly channel: BroadcastChannel;
  private recorder: Recorder;
  private savedAt = 0;

  constructor(
    name: string,
    game: Game,
    private readonly notes: Record<string, unknown>,
    before: { bytes: Uint8Array; epoch: number } | null,
  ) {
    this.channel = new BroadcastChannel(name);
    const epoch = (before?.epoch ?? 0) + 1;
    const options = {
      game,
      epoch,
      hashEvery: 6,
      sendEvery: 2,
      reconnect: 4,
      send: (to: string, bytes: Uint8Array<ArrayBuffer>) => this.say({ kind: 'answer', to, bytes }),
    };
    this.server = before === null ? new RoomServer(options) : RoomServer.restore(before.bytes, options);
    this.epoch = epoch;
    this.recorder = this.newRecorder();
    this.channel.onmessage = ({ data }: MessageEvent<Word>) => {
      if (data.kind === 'here') this.welcome(data.from);
      else if (data.kind === 'gone') {
        this.connected.delete(data.from);
        this.server.disconnect(data.from, true);
      }
      if (data.kind === 'packet') this.server.receive(data.from, data.bytes);
    };
  }

  private readonly epoch: number;
  private readonly connected = new Set<string>();

  /** Who is connected already stays so: a slow machine may hear of it twice, and would begin anew each time. */
  private welcome(from: string): void {
    if (this.connected.has(from)) return;
    this.connected.add(from);
    this.server.connect(from);
  }

  private newRecorder(): Recorder {
    return new Recorder(this.server.world, {
      queries: false,
      hashEvery: 60,
      keyframeEvery: 600,
      notes: this.notes,
    });
  }

  private say(word: Word): void {
    this.channel.postMessage(word);
  }

  update(now: number): void {
    this.server.update(now);
    if (this.recorder.frames > LONGEST_RECORDING) void this.record();
    if (now - this.savedAt < CHECKPOINT_EVERY) return;
    this.savedAt = now;
    this.say({ kind: 'checkpoint', bytes: this.server.checkpoint(), epoch: this.epoch });
  }

  record(): Promise<Uint8Array<ArrayBuffer>> {
    const file = this.recorder.finish();
    this.recorder = this.newRecorder();
    return file;
  }
}

/** ms without an answer after which the own presence is told again: the server may be in another window by now. */
const SILENCE = 1000;

/** A room of the windows of one browser. The first has the server; when it closes, another goes on from the checkpoint. */
export class WindowLink implements Link {
  readonly client: RoomClient;
  private readonly channel: BroadcastChannel;
  private host: WindowHost | null = null;
  private kept: { bytes: Uint8Array; epoch: number } | null = null;
  private now = 0;
  private heardAt = -Infinity;

  constructor(
    private readonly options: LinkOptions,
    notes: Record<string, unknown>,
    /** Whether this link may have the server. */
    mayHost = true,
  ) {
    const { network, token, room, game } = options;
    const name = `ricochet-room-${room}`;
    this.channel = new BroadcastChannel(name);
    this.client = new RoomClient({
      ...options,
      game: game(),
      send: (packet) =>
        network.send(packet, this.now, (bytes) => this.say({ kind: 'packet', from: token, bytes })),
    });
    this.channel.onmessage = ({ data }: MessageEvent<Word>) => {
      if (data.kind === 'checkpoint') this.kept = { bytes: data.bytes, epoch: data.epoch };
      if (data.kind !== 'answer' || data.to !== token) return;
      this.heardAt = this.now;
      network.send(data.bytes, this.now, (bytes) => this.client.receive(bytes, this.now));
    };
    addEventListener('pagehide', () => this.say({ kind: 'gone', from: token }));
    if (!mayHost) return;
    const begin = () => {
      this.host = new WindowHost(name, game(), notes, this.kept);
      this.heardAt = -Infinity;
      return new Promise<never>(() => {}); // until the window closes
    };
    // The browser gives the lock to the next window when this one closes.
    if (navigator.locks === undefined) void begin();
    else void navigator.locks.request(name, begin);
  }

  get place(): string {
    return this.host === null ? 'in another window' : 'in this window';
  }

  private say(word: Word): void {
    this.channel.postMessage(word);
  }

  record(): Promise<Uint8Array<ArrayBuffer>> | null {
    return this.host?.record() ?? null;
  }

  update(now: number): void {
    this.now = now;
    if (now - this.heardAt > SILENCE) {
      this.heardAt = now;
      this.say({ kind: 'here', from: this.options.token });
    }
    this.host?.update(now);
    this.options.network.deliver(now);
    this.client.update(now);
  }

  leave(): void {
    this.say({ kind: 'gone', from: this.options.token });
  }
}

// --- a server elsewhere ---

declare global {
  /** Colyseus's SDK, as its script defines it. */
  var Colyseus: { Client: new (address: string) => SdkClient } | undefined;
}

/** The SDK, from the first server that has it: the demo itself has no dependency on it. */
async function loadSdk(addresses: readonly string[]): Promise<NonNullable<typeof Colyseus>> {
  for (const address of addresses) {
    if (globalThis.Colyseus !== undefined) break;
    await new Promise<void>((resolve) => {
      const script = document.createElement('script');
      script.crossOrigin = 'anonymous';
      script.src = `${address.replace(/^ws/, 'http')}/sdk.js`;
      script.onload = script.onerror = () => resolve();
      document.head.append(script);
    });
  }
  if (globalThis.Colyseus === undefined)
    throw new Error(`No server answers at ${addresses.join(' and ')}. Start it with: npm run rooms`);
  return globalThis.Colyseus;
}

/** A room on Colyseus. */
export async function serverLink(addresses: readonly string[], options: LinkOptions): Promise<Link> {
  const { Client } = await loadSdk(addresses);
  const { game, ...rest } = options;
  const connection = new RoomConnection({
    ...rest,
    game: game(),
    via: addresses.map((address) => new Client(address)),
    type: 'arena',
  });
  return {
    client: connection.client,
    get place() {
      const { state, connections } = connection;
      if (state === 'lost') return 'gone; trying others';
      return state === 'connected' && connections > 1 ? `connected, time ${connections}` : state;
    },
    record: () => null,
    update: (now) => connection.update(now),
    leave: () => connection.leave(),
  };
}
