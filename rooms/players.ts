// Players without a page: real connections by Colyseus's SDK, each with a bad network on top. In: PLAYERS (JSON). Out: what
// they saw, as a message to the process that started this one, when it asks.
import { Client } from '@colyseus/sdk';
import { RoomConnection, type SdkClient } from 'ricochet/colyseus';
import { type NetworkQuality, SimulatedNetwork } from 'ricochet/net';
import { arena, botInput, PLAYER, pastOf, THROWN } from '../demo/arena';

const options = JSON.parse(process.env['PLAYERS'] ?? '{}') as {
  addresses: string[];
  rooms: number;
  players: number;
  crates: number;
  quality: NetworkQuality;
  prefix: string;
  /** Clients that send anything but what they should. */
  vandals: number;
};
const tell = (message: object) => process.connected && process.send?.(message);
const FRAME = 1000 / 60;

/** By the body that was corrected: m, and m by which what is drawn of it had to move. */
const nothing = () => ({
  own: [] as [metres: number, drawn: number][],
  things: [] as [metres: number, drawn: number][],
  others: [] as [metres: number, drawn: number][],
});

class Player {
  readonly room: string;
  readonly connection: RoomConnection;
  corrections = nothing();
  states: string[] = [];
  dueAt: number;

  constructor(readonly index: number) {
    this.room = `${options.prefix}-${index % options.rooms}`;
    this.dueAt = performance.now() + 20 * index;
    const token = `player-${options.prefix}-${index}`.padEnd(16, '-');
    // Half of them ask the one process first, half the other.
    const order = index % 2 === 0 ? options.addresses : [...options.addresses].reverse();
    this.connection = new RoomConnection({
      via: order.map((address) => new Client(address) as unknown as SdkClient),
      type: 'arena',
      room: this.room,
      token,
      game: arena({ crates: options.crates }),
      network: new SimulatedNetwork(options.quality, 1 + index),
      // Each room plays a game of its own.
      input: (tick) => botInput(this.connection.client.player + 8 * (index % options.rooms), tick),
      onState: (state) => this.states.push(state),
      past: (body, world) => pastOf(world, this.connection.client.player, body),
      onCorrection: (id, metres, drawn) => this.correct(id, metres, drawn),
    });
  }

  private correct(id: number, metres: number, drawn: number): void {
    const { client } = this.connection;
    const index = client.world.getBody(id)?.userIndex ?? 0;
    const { own, things, others } = this.corrections;
    const one: [number, number] = [metres, drawn];
    if (index === PLAYER + client.player) own.push(one);
    else if (index >= PLAYER && index < THROWN) others.push(one);
    else things.push(one);
  }

  report(): object {
    const { room, index, corrections, connection, states } = this;
    const { client, connections, state } = connection;
    const { corrections: _, ...stats } = client.stats;
    this.corrections = nothing();
    return {
      room,
      index,
      connections,
      state,
      states,
      isJoined: client.isJoined,
      tick: client.tick,
      stats,
      corrections,
    };
  }
}

/** Joins the first room, and forges, floods, sends too much and too long. */
async function vandalise(index: number): Promise<void> {
  const client = new Client(options.addresses[index % options.addresses.length]!);
  const token = `vandal-${options.prefix}-${index}`.padEnd(16, '-');
  const room = await client.joinOrCreate('arena', { room: `${options.prefix}-0`, token });
  const timer = setInterval(() => {
    const kind = Math.floor(5 * Math.random());
    const bytes = Uint8Array.from({ length: kind === 0 ? 12_000 : 60 }, () =>
      Math.floor(256 * Math.random()),
    );
    if (kind < 3) bytes.set([0x52, 0x30 | (1 + Math.floor(7 * Math.random()))]);
    for (let i = kind === 1 ? 150 : 1; i > 0; i--) room.sendBytes('ricochet', bytes);
    if (kind === 3) room.send('ricochet', { tick: -1, body: 1, position: [0, 0, 0] });
    if (kind === 4) room.send('moveBody', [1, 2, 3]);
  }, 40);
  room.onLeave(() => {
    clearInterval(timer);
    // It does not give up.
    again(index);
  });
}

const again = (index: number) => setTimeout(() => void vandalise(index).catch(() => again(index)), 500);

// The SDK says what it does with every socket.
console.info = console.warn = () => {};
const players = Array.from({ length: options.players }, (_, index) => new Player(index));
setInterval(() => {
  const now = performance.now();
  for (const player of players) {
    if (now < player.dueAt) continue;
    player.dueAt = Math.max(player.dueAt + FRAME, now - 2 * FRAME);
    player.connection.update(now);
  }
}, 4);

for (let i = 0; i < (options.vandals ?? 0); i++) again(i);

let cpu = process.cpuUsage();
process.on('message', (asked) => {
  if (asked === 'leave') {
    for (const { connection } of players) connection.leave();
    setTimeout(() => process.exit(), 500);
  } else if (asked === 'report') {
    const used = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    tell({
      type: 'report',
      cpu: (used.user + used.system) / 1e6,
      players: players.map((player) => player.report()),
    });
  }
});
process.on('disconnect', () => process.exit());
tell({ type: 'ready' });
