// A room with clients over a simulated network, on a simulated clock.
import {
  type Game,
  type NetworkQuality,
  RoomClient,
  type RoomClientOptions,
  RoomServer,
  type RoomServerOptions,
  SimulatedNetwork,
} from '../../src/net';

export interface PartyOptions {
  game: () => Game;
  players: number;
  quality?: NetworkQuality;
  seed?: number;
  server?: Partial<RoomServerOptions>;
  client?: Partial<RoomClientOptions>;
  /** ms between updates of a client: frame rates differ. */
  frame?: (player: number) => number;
  input?: (index: number, tick: number) => Uint8Array;
}

/** Keys that change now and then, for each player others. */
export function keys(index: number, tick: number): Uint8Array {
  const mix = (n: number) => {
    let x = Math.imul(n ^ 0x9e3779b9, 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return (x ^ (x >>> 16)) >>> 0;
  };
  const held = mix(Math.floor(tick / 20) * 64 + index) & 15;
  const once = mix(tick * 64 + index + 7) % 60;
  return Uint8Array.of(held | (once === 0 ? 16 : 0) | (once === 1 ? 32 : 0));
}

export class Party {
  now = 1000;
  server: RoomServer;
  readonly clients: RoomClient[] = [];
  readonly network: SimulatedNetwork;
  /** Called after each update of a client. */
  watch: ((client: RoomClient, index: number) => void) | null = null;
  correction: ((client: RoomClient, body: number, metres: number, drawn: number) => void) | null = null;
  private readonly due: number[] = [];

  constructor(readonly options: PartyOptions) {
    this.network = new SimulatedNetwork(options.quality, options.seed ?? 1);
    this.server = new RoomServer(this.serverOptions());
    for (let i = 0; i < options.players; i++) this.add();
  }

  serverOptions(): RoomServerOptions {
    return {
      game: this.options.game(),
      send: (id, packet) => {
        const client = /^c\d+$/.test(id) ? this.clients[Number(id.slice(1))] : undefined;
        this.network.send(packet, this.now, (bytes) => client?.receive(bytes, this.now));
      },
      ...this.options.server,
    };
  }

  add(): RoomClient {
    const index = this.clients.length;
    const client: RoomClient = new RoomClient({
      game: this.options.game(),
      send: (packet) =>
        this.network.send(packet, this.now, (bytes) => this.server.receive(`c${index}`, bytes)),
      input: (tick) => (this.options.input ?? keys)(index, tick),
      onCorrection: (body, metres, drawn) => this.correction?.(client, body, metres, drawn),
      ...this.options.client,
    });
    this.clients.push(client);
    this.due.push(this.now + index * 3);
    this.server.connect(`c${index}`);
    return client;
  }

  /** ms of simulated time, one by one. */
  run(ms: number): void {
    for (const end = this.now + ms; this.now < end; this.now++) {
      this.network.deliver(this.now);
      if (this.now % 4 === 0) this.server.update(this.now);
      this.clients.forEach((client, i) => {
        if (client.world.isDisposed || this.now < this.due[i]!) return;
        this.due[i] = this.due[i]! + (this.options.frame?.(i) ?? 1000 / 60);
        client.update(this.now);
        this.watch?.(client, i);
      });
    }
  }

  dispose(): void {
    for (const client of this.clients) client.dispose();
    this.server.dispose();
  }
}

export const BAD: NetworkQuality = { delay: 80, jitter: 30, loss: 0.05, doubled: 0.02 };
