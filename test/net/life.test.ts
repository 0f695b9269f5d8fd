// The life of a room: players join late, leave, come back; the process ends and another goes on; clients sleep.
import { expect, test } from 'vitest';
import { RoomServer } from '../../src/net';
import { SNAPSHOT } from '../../src/net/messages';
import { arena } from './arena';
import { BAD, keys, Party } from './party';

const healthy = (party: Party) => {
  for (const client of party.clients) expect(client.stats.desyncs).toBe(0);
  expect(party.server.stats.desyncs).toBe(0);
};

test('a late joiner loads the state and agrees from then on', () => {
  const party = new Party({ game: arena, players: 2, quality: BAD, server: { hashEvery: 2 } });
  party.run(3000);
  const late = party.add();
  party.run(2500);
  expect(late.isJoined).toBe(true);
  expect(late.player).toBe(2);
  expect(late.stats.agreed).toBeGreaterThan(20);
  expect(party.server.playerCount).toBe(3);
  healthy(party);
  party.dispose();
});

test('a state of many parts arrives in spite of loss', () => {
  const party = new Party({
    game: () => arena({ crates: 300 }),
    players: 1,
    quality: { ...BAD, loss: 0.3 },
    input: () => Uint8Array.of(0),
  });
  party.run(4000);
  expect(party.clients[0]!.isJoined).toBe(true);
  expect(party.server.stats.snapshotBytes).toBeGreaterThan(60_000);
  healthy(party);
  party.dispose();
});

test('who is gone for good leaves, and its number is given again', () => {
  const party = new Party({ game: arena, players: 3, server: { reconnect: 0.5 } });
  party.run(1500);
  const bodies = party.server.world.bodyCount;
  party.server.disconnect('c1');
  party.run(1000);
  expect(party.server.playerCount).toBe(2);
  expect(party.server.playerOf('c1')).toBeUndefined();
  expect(party.server.world.bodyCount).toBeLessThanOrEqual(bodies + 40);
  const other = party.add();
  party.run(1500);
  expect(other.player).toBe(1);
  expect(party.clients[0]!.stats.desyncs).toBe(0);
  expect(other.stats.desyncs).toBe(0);
  party.dispose();
});

test('who comes back in time has its player again', () => {
  const party = new Party({ game: arena, players: 2, quality: BAD });
  party.run(1500);
  const player = party.clients[1]!.player;
  party.server.disconnect('c1');
  party.run(700);
  party.server.connect('c1');
  party.clients[1]!.rejoin();
  party.run(2000);
  expect(party.clients[1]!.isJoined).toBe(true);
  expect(party.clients[1]!.player).toBe(player);
  expect(party.server.playerCount).toBe(2);
  healthy(party);
  party.dispose();
});

test('a room that is full says so, once', () => {
  const refused: string[] = [];
  const party = new Party({
    game: arena,
    players: 3,
    server: { maxPlayers: 2 },
    client: { onRefused: (reason) => refused.push(reason) },
  });
  party.run(1000);
  expect(refused).toEqual(['full']);
  expect(party.server.playerCount).toBe(2);
  party.dispose();
});

test('other rules are refused', () => {
  const refused: string[] = [];
  const party = new Party({
    game: arena,
    players: 1,
    server: { game: { ...arena(), version: 2 } },
    client: { onRefused: (reason) => refused.push(reason) },
  });
  party.run(500);
  expect(refused).toEqual(['other version']);
  party.dispose();
});

test('another process goes on from the checkpoint with the same hash, and clients find back', () => {
  const party = new Party({ game: arena, players: 3, quality: BAD, server: { hashEvery: 5 } });
  party.run(3000);
  const checkpoint = party.server.checkpoint();
  const [hash, tick] = [party.server.hash(), party.server.tick];
  party.run(400); // lost with the process
  party.server.dispose();
  party.server = RoomServer.restore(checkpoint, party.serverOptions());
  expect([party.server.hash(), party.server.tick]).toEqual([hash, tick]);
  party.clients.forEach((_, i) => {
    party.server.connect(`c${i}`);
  });
  const players = party.clients.map((client) => client.player);
  const snapshots = party.clients.map((client) => client.stats.snapshots);
  party.run(3000);
  expect(party.clients.map((client) => client.player)).toEqual(players);
  party.clients.forEach((client, i) => {
    expect(client.stats.snapshots).toBe(snapshots[i]! + 1);
    expect(client.stats.agreed).toBeGreaterThan(0);
  });
  healthy(party);
  party.dispose();
});

test('a checkpoint that is taken while players come in and go knows them all', () => {
  const party = new Party({ game: arena, players: 1, quality: BAD, server: { hashEvery: 2 } });
  party.run(1200);
  for (let i = 0; i < 3; i++) {
    party.add();
    // The state is on its way to it, in parts; another has just said hello, and is in no tick yet.
    party.run(60 + 50 * i);
    const checkpoint = party.server.checkpoint();
    const [hash, tick] = [party.server.hash(), party.server.tick];
    party.server.dispose();
    party.server = RoomServer.restore(checkpoint, party.serverOptions());
    expect([party.server.hash(), party.server.tick]).toEqual([hash, tick]);
    for (const k of party.clients.keys()) party.server.connect(`c${k}`);
    if (i === 1) party.server.disconnect('c0');
    party.run(400);
    if (i === 1) {
      party.server.connect('c0');
      party.clients[0]!.rejoin();
    }
    party.run(1500);
  }
  expect(party.server.playerCount).toBe(4);
  const numbers = party.clients.map(({ player }) => player);
  expect(new Set(numbers).size).toBe(4);
  for (const { isJoined, stats } of party.clients)
    expect([isJoined, stats.agreed > 20]).toEqual([true, true]);
  healthy(party);
  party.dispose();
});

test('who joins, comes back, or has slept is not corrected by inputs that could not be in time', () => {
  let asleep = false;
  const party = new Party({
    game: () => arena({ crates: 0 }),
    players: 1,
    quality: { delay: 80, jitter: 10 },
    frame: () => (asleep ? 2000 : 1000 / 60),
    // It always runs, and turns often.
    input: (_index, tick) => Uint8Array.of([1, 5, 4, 6, 2, 10, 8, 9][Math.floor(tick / 6) % 8]!),
  });
  const [client] = party.clients;
  const corrections: number[] = [];
  party.correction = (_client, _body, metres) => corrections.push(metres);
  const most = () => Math.max(0, ...corrections.splice(0));
  party.run(3000);
  const joined = most();
  const checkpoint = party.server.checkpoint();
  party.run(300);
  party.server.dispose();
  party.server = RoomServer.restore(checkpoint, party.serverOptions());
  party.server.connect('c0');
  party.run(3000);
  expect(client!.stats.snapshots).toBe(2);
  const back = most();
  asleep = true;
  party.run(2000);
  asleep = false;
  party.run(3000);
  const awake = most();
  console.log(
    `corrections of who joins, comes back, wakes up: ${[joined, back, awake].map((m) => `${(1000 * m).toFixed(0)} mm`)}`,
  );
  expect(Math.max(joined, back, awake)).toBeLessThan(0.02);
  healthy(party);
  party.dispose();
});

test('a checkpoint goes on bit for bit as the room that it is of', () => {
  const party = new Party({ game: arena, players: 0 });
  const copy = () => RoomServer.restore(party.server.checkpoint(), party.serverOptions());
  for (let i = 0; i < 100; i++) party.server.runTick();
  const other = copy();
  for (let i = 0; i < 100; i++) {
    party.server.runTick();
    other.runTick();
  }
  expect(other.hash()).toBe(party.server.hash());
  for (const damaged of [new Uint8Array(0), new Uint8Array(100), party.server.checkpoint().subarray(0, 300)])
    expect(() => RoomServer.restore(damaged, party.serverOptions())).toThrow(
      expect.objectContaining({ code: 'damaged-snapshot' }),
    );
  other.dispose();
  party.dispose();
});

test('a page that slept for half a minute is back a second later', () => {
  let asleep = false;
  const party = new Party({
    game: arena,
    players: 2,
    input: () => Uint8Array.of(0),
    frame: (i) => (i === 1 && asleep ? 15_000 : 1000 / 60),
  });
  party.run(1500);
  asleep = true;
  party.run(16_000);
  asleep = false;
  party.run(16_000);
  const [first, second] = party.clients;
  expect(Math.abs(first!.tick - second!.tick)).toBeLessThan(10);
  expect(second!.isJoined).toBe(true);
  healthy(party);
  party.dispose();
});

test('what a game knows beside the world is rolled back, hashed and sent', () => {
  const make = () => {
    // Points for each player, by their jumps: nothing of it is in the world.
    let points = new Uint8Array(8);
    const base = arena({ crates: 0 });
    return {
      ...base,
      applyInput(world: never, player: number, input: Uint8Array, tick: number) {
        base.applyInput(world, player, input, tick);
        if ((input[0] ?? 0) & 16) points[player]!++;
      },
      save: () => points.slice(),
      restore: (_world: unknown, state: Uint8Array) => {
        points = state.slice();
      },
      get points() {
        return points;
      },
    };
  };
  const games: ReturnType<typeof make>[] = [];
  const game = () => {
    const made = make();
    games.push(made);
    return made as never;
  };
  let isOver = false;
  const party = new Party({
    game,
    players: 2,
    quality: BAD,
    input: (index, tick) => (isOver ? Uint8Array.of(0) : keys(index, tick)),
    server: { hashEvery: 1 },
  });
  party.run(4000);
  isOver = true;
  party.run(1000);
  const [server, ...clients] = games;
  expect(server!.points[0]! + server!.points[1]!).toBeGreaterThan(2);
  for (const client of clients) expect(client.points).toEqual(server!.points);
  healthy(party);
  party.dispose();
});

test.each(['lockstep', 'state'] as const)(
  'mode %s: who is to come in with the next tick comes in after a checkpoint, too',
  (mode) => {
    const party = new Party({ game: arena, players: 1, quality: { delay: 20 }, server: { mode } });
    party.run(1000);
    party.add();
    while (party.server.playerCount < 2) party.run(1);
    const ball = () => [...party.server.world.bodies()].filter(({ userIndex }) => userIndex === 2).length;
    expect(ball()).toBe(0);
    const checkpoint = party.server.checkpoint();
    party.server.dispose();
    party.server = RoomServer.restore(checkpoint, party.serverOptions());
    for (const client of ['c0', 'c1']) party.server.connect(client);
    party.run(2000);
    expect(ball()).toBe(1);
    expect(party.clients.map(({ player }) => player)).toEqual([0, 1]);
    party.dispose();
  },
);

test('who left for good before a checkpoint is not in the room that goes on', () => {
  const party = new Party({ game: arena, players: 3, quality: { delay: 20 } });
  party.run(1500);
  const balls = () =>
    [...party.server.world.bodies()].filter(({ userIndex }) => userIndex > 0 && userIndex < 64);
  party.server.disconnect('c1', true);
  const checkpoint = party.server.checkpoint();
  expect(balls().length).toBe(3);
  party.server.dispose();
  party.server = RoomServer.restore(checkpoint, party.serverOptions());
  expect(party.server.playerOf('c1')).toBeUndefined();
  for (const client of ['c0', 'c2']) party.server.connect(client);
  const other = party.add();
  party.run(1500);
  expect(other.player).toBe(1);
  expect(
    balls()
      .map(({ userIndex }) => userIndex)
      .sort(),
  ).toEqual([1, 2, 3]);
  party.dispose();
});

test('an input that was sent to the process before does not start a state that has not arrived', () => {
  const party = new Party({ game: arena, players: 1, quality: { delay: 10 } });
  const [client] = party.clients;
  party.run(1500);
  const checkpoint = party.server.checkpoint();
  // It names the first state of the room, as the inputs for the new process do, and a tick that both came to.
  let late = new Uint8Array(0);
  const { receive } = party.server;
  party.server.receive = (id, packet) => {
    late = packet.slice();
    receive.call(party.server, id, packet);
  };
  party.run(1400); // lost with the process
  const { tick } = party.server;
  party.server.dispose();
  party.server = RoomServer.restore(checkpoint, party.serverOptions());
  party.server.connect('c0');
  party.network.quality.delay = 400;
  while (party.server.tick < tick) party.run(4);
  expect([party.server.stats.snapshots, client!.isJoined]).toEqual([1, false]);
  party.server.receive('c0', late);
  expect(party.server.stats.refused).toBe(0);
  party.run(4000);
  expect(client!.isJoined).toBe(true);
  healthy(party);
  party.dispose();
});

test.each([
  ['the first part', 1],
  ['all parts', Infinity],
])('%s of an old state, late, does not keep a client from the new one', (_, parts) => {
  const party = new Party({ game: arena, players: 1, server: { hashEvery: 5 } });
  const [client] = party.clients;
  const old: Uint8Array[] = [];
  const { receive } = client!;
  client!.receive = (packet, now) => {
    if ((packet[1]! & 15) === SNAPSHOT) old.push(packet.slice());
    receive.call(client, packet, now);
  };
  party.run(2000);
  expect(client!.isJoined).toBe(true);
  client!.receive = receive;
  client!.rejoin();
  for (const packet of old.slice(0, parts)) client!.receive(packet, party.now);
  party.run(4000);
  expect(client!.isJoined).toBe(true);
  expect(client!.tick).toBeGreaterThanOrEqual(party.server.tick);
  expect(client!.stats.hashTick).toBeGreaterThan(party.server.tick - 60);
  healthy(party);
  party.dispose();
});
