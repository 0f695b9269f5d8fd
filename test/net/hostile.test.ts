// Clients that lie, forge and flood: refused and counted; nobody else notices.
import { expect, test } from 'vitest';
import { CommandWriter, type World, writeCommand } from '../../src';
import { CommandInputs, type Game, RoomClient, RoomServer } from '../../src/net';
import { encodeHello, encodeInput } from '../../src/net/messages';
import { arena, THROW } from './arena';
import { keys, Party } from './party';

type Told = [name: Parameters<typeof writeCommand>[1], fields: Parameters<typeof writeCommand>[2]];
const PACKETS = Number(process.env['NET_PACKETS'] ?? 2000);

function random(seed: number) {
  return (below: number) => {
    seed = (48271 * seed) % 2147483647;
    return seed % below;
  };
}

/** A room with two players who play, and 'h', who is free to send anything. `same`: the others never noticed. */
function besides(hostile: (party: Party) => void): { party: Party; same: (exactly?: boolean) => void } {
  const make = () => {
    const made = new Party({ game: () => arena({ crates: 8 }), players: 2 });
    made.server.connect('h');
    made.run(500);
    made.server.receive('h', hello(made.server.world, 1));
    made.run(500);
    return made;
  };
  const [party, calm] = [make(), make()];
  hostile(party);
  const same = (exactly = true) => {
    party.run(2000);
    calm.run(2000);
    expect(party.server.tick).toBe(calm.server.tick);
    if (exactly) expect(party.server.hash()).toBe(calm.server.hash());
    for (const client of party.clients) {
      expect([client.stats.desyncs, client.stats.snapshots, client.stats.refused]).toEqual([0, 1, 0]);
      expect(client.stats.agreed).toBeGreaterThan(2);
    }
    party.dispose();
    calm.dispose();
  };
  return { party, same };
}

const hello = (world: World, seq: number, missing: [number, number][] = [], snapshot = 0) =>
  encodeHello({ seq, version: 0, core: world.engine.core, snapshot, missing });

const packet = (of: Partial<Parameters<typeof encodeInput>[1]>) =>
  encodeInput(arena(), {
    seq: 1,
    snapshot: 3,
    ack: 0,
    first: 0,
    inputs: [],
    poses: { seq: 0, mask: 0 },
    ...of,
  });

test('random bytes, flipped bits and cut packets', () => {
  const { party } = besides((room) => {
    const next = random(11);
    const good = [packet({ first: 70, inputs: [keys(0, 1), keys(0, 2)] }), hello(room.server.world, 9)];
    for (let i = 0; i < PACKETS; i++) {
      const bytes =
        i % 3 === 0
          ? Uint8Array.from({ length: next(80) }, () => next(256))
          : good[i % 2]!.slice(0, next(200));
      if (i % 3 === 1 && bytes.length > 0) bytes[next(bytes.length)]! ^= 1 << next(8);
      if (i % 5 === 0) bytes.set([0x52, 0x30 | (1 + next(7))].slice(0, bytes.length));
      if (i % 100 === 0) room.server.connect('h'); // it was sent away for another version, or for its faults
      if (i % 20 === 0) room.run(100);
      room.server.receive('h', bytes);
      room.server.receive('nobody', bytes);
    }
  });
  expect(party.server.stats.refused + party.server.stats.flooded).toBeGreaterThan(PACKETS / 20);
  for (const client of party.clients) expect(client.stats.desyncs).toBe(0);
  expect(party.clients.map((client) => client.isJoined)).toEqual([true, true]);
  party.dispose();
});

test('lies about ticks, acknowledgements and sizes', () => {
  const { party, same } = besides(({ server }) => {
    const lies = [
      packet({ first: 1e9 }),
      packet({ first: server.tick + 65 }),
      packet({ first: server.tick + 10, inputs: Array.from({ length: 60 }, () => Uint8Array.of(1)) }),
      packet({ ack: server.tick + 1 }),
      packet({ ack: 0xffffffff }),
      packet({ ack: 0 }),
      packet({ first: server.tick, inputs: [new Uint8Array(65)] }),
      new Uint8Array(9000),
    ];
    const before = server.stats.refused;
    for (const lie of lies) server.receive('h', lie);
    expect(server.stats.refused - before).toBe(lies.length);
  });
  expect(party.server.stats.late).toBeLessThan(40);
  same();
});

test('a flood is dropped, and its client sent away in the end', () => {
  const gone: string[] = [];
  const party = new Party({
    game: () => arena({ crates: 4 }),
    players: 2,
    server: { onRefused: (client, reason) => gone.push(`${client}: ${reason}`) },
  });
  party.server.connect('h');
  party.run(1000);
  const ticks = party.server.tick;
  for (let i = 0; i < 5000; i++) party.server.receive('h', packet({ seq: i & 0xffff }));
  expect(gone).toEqual(['h: too many faults']);
  expect(party.server.stats.flooded).toBeGreaterThan(900);
  party.run(1500);
  expect(party.server.tick).toBeGreaterThan(ticks + 80);
  for (const client of party.clients)
    expect([client.stats.desyncs, client.stats.late < 10]).toEqual([0, true]);
  party.dispose();
});

test('inputs that are always news are told once in a tick', () => {
  const sent: number[] = [];
  const server = new RoomServer({ game: arena({ crates: 0 }), send: (id) => id === 'b' && sent.push(now) });
  let now = 0;
  for (const id of ['a', 'b']) server.connect(id);
  server.update(now);
  for (const id of ['a', 'b']) server.receive(id, hello(server.world, 1));
  while (now < 300) server.update(now++);
  for (const [i, id] of ['a', 'b'].entries())
    server.receive(id, packet({ snapshot: 1 + i, ack: server.tick, first: server.tick }));
  const [before, ticks] = [sent.length, server.tick];
  for (let i = 0; i < 60; i++) {
    // Within the limits, and other than before in every tick that is to come.
    const inputs = Array.from({ length: 32 }, (_, k) => Uint8Array.of((k + i) & 15));
    server.receive(
      'a',
      packet({ snapshot: 1, seq: 2 + i, ack: ticks, first: server.tick + (i % 30), inputs }),
    );
    server.update(now++);
    if (i % 4 === 0) for (let k = 0; k < 12; k++) server.update(now++);
  }
  expect(server.stats.refused).toBe(0);
  expect(sent.length - before).toBeGreaterThan(5);
  expect(sent.length - before).toBeLessThanOrEqual((4 / 3) * (server.tick - ticks) + 2);
  server.dispose();
});

test.each(['packets of its own', 'asking for the state', 'long ones'])(
  '10,000 messages a second (%s): others play on, as fast as before',
  (kind) => {
    const party = new Party({
      game: () => arena({ crates: 8 }),
      players: 2,
      quality: { delay: 40, jitter: 10 },
      server: { hashEvery: 1, limits: { faults: 1e9 } }, // nobody sends it away: the worst case
    });
    party.run(1500);
    const before = party.clients.map(({ stats }) => ({ ...stats }));
    const sent = party.server.stats.snapshotBytes;
    const words = {
      'packets of its own': () => packet({ seq: 1 + (party.now & 0xfff), first: party.server.tick }),
      'asking for the state': () => hello(party.server.world, 1 + (party.now & 0xfff)),
      'long ones': () => new Uint8Array(8000),
    };
    const flood = words[kind as keyof typeof words];
    party.server.connect('h');
    const ticks = party.server.tick;
    for (let ms = 0; ms < 1500; ms++) {
      for (let i = 0; i < 10; i++) party.server.receive('h', flood());
      party.run(1);
    }
    expect(party.server.tick - ticks).toBe(90);
    expect(party.server.stats.flooded).toBeGreaterThan(10_000);
    // One state, and what was missing of it; the rest of the bytes are of others.
    expect(party.server.stats.snapshotBytes - sent).toBeLessThan(100_000);
    for (const [i, { stats }] of party.clients.entries()) {
      expect([stats.desyncs, stats.snapshots, stats.refused]).toEqual([0, 1, 0]);
      expect(stats.late - before[i]!.late).toBeLessThan(5);
      expect(stats.roundTrip).toBeLessThan(before[i]!.roundTrip + 15);
      expect(stats.agreed - before[i]!.agreed).toBeGreaterThan(80);
    }
    party.dispose();
  },
);

test('a storm of reconnections: the player is one, the room goes on, states are not sent without end', () => {
  const { party } = besides((room) => {
    const { snapshotBytes } = room.server.stats;
    for (let i = 0; i < 400; i++) {
      if (i % 3 === 0) room.server.disconnect('h');
      room.server.connect('h');
      room.server.receive('h', hello(room.server.world, 1 + i));
      if (i % 4 === 0) room.run(5);
    }
    expect(room.server.playerCount).toBe(3);
    expect(room.server.stats.snapshotBytes - snapshotBytes).toBeLessThan(400_000);
    room.run(1500);
  });
  expect(party.server.playerOf('h')).toBe(2);
  expect(party.clients.map(({ stats }) => [stats.desyncs, stats.snapshots])).toEqual([
    [0, 1],
    [0, 1],
  ]);
  party.dispose();
});

test('inputs for ticks far ahead are kept within bounds, and used when their time comes', () => {
  const { party } = besides(({ server }) => {
    const at = server.tick;
    for (let i = 0; i < 80; i++)
      server.receive('h', packet({ seq: 2 + i, snapshot: 3, first: at + i, inputs: [Uint8Array.of(1)] }));
    const kept = (server as unknown as { players: ({ inputs: Map<number, Uint8Array> } | undefined)[] })
      .players;
    expect(Math.max(...kept.map((player) => player?.inputs.size ?? 0))).toBeLessThanOrEqual(65);
  });
  party.run(1500);
  for (const { stats } of party.clients) expect([stats.desyncs, stats.snapshots]).toEqual([0, 1]);
  party.dispose();
});

test('states asked for again and again are sent once in a second', () => {
  const party = new Party({ game: () => arena({ crates: 4 }), players: 1 });
  party.server.connect('h');
  for (let i = 0; i < 300; i++) {
    party.run(10);
    party.server.receive('h', hello(party.server.world, i + 1));
  }
  expect(party.server.stats.snapshots).toBeLessThanOrEqual(6);
  party.dispose();
});

test('what came first for a tick holds: nobody changes an input afterwards', () => {
  const seen: number[] = [];
  const base = arena({ crates: 0 });
  const game: Game = {
    ...base,
    applyInput: (world, player, input, tick) => {
      seen.push(input[0] ?? 0);
      base.applyInput(world, player, input, tick);
    },
  };
  const server = new RoomServer({ game, send: () => {} });
  server.connect('a');
  server.update(0);
  server.receive('a', hello(server.world, 1));
  for (let now = 0; now < 200; now += 10) server.update(now);
  const at = server.tick + 3;
  for (const value of [8, THROW, 0])
    server.receive(
      'a',
      packet({ snapshot: 1, ack: 3, first: at, inputs: [Uint8Array.of(value)], seq: value + 1 }),
    );
  seen.length = 0;
  for (let now = 200; now < 400; now += 10) server.update(now);
  expect(seen.filter((value) => value === THROW)).toEqual([]);
  expect(seen).toContain(8);
  server.dispose();
});

test('a client takes nothing that is not of its room: forged packets of a server', () => {
  const party = new Party({ game: () => arena({ crates: 4 }), players: 2, server: { hashEvery: 5 } });
  const real: Uint8Array[] = [];
  const [client] = party.clients;
  const receive = client!.receive.bind(client!);
  client!.receive = (bytes, now) => {
    real.push(bytes.slice());
    receive(bytes, now);
  };
  party.run(1500);
  client!.receive = receive;
  const next = random(3);
  let thrown = 0;
  for (let i = 0; i < PACKETS; i++) {
    const bytes = real[next(real.length)]!.slice(0, i % 2 ? undefined : next(60));
    // A transport proves who the server is; here nothing but the form does. What keeps its form may be believed.
    if (bytes.length > 2) bytes[2 + next(bytes.length - 2)]! ^= 1 << next(8);
    try {
      client!.receive(bytes, party.now);
      if (i % 50 === 0) client!.update(party.now);
    } catch {
      thrown++;
    }
  }
  expect(thrown).toBe(0);
  expect(client!.stats.refused).toBeGreaterThan(0);
  client!.rejoin();
  party.run(2500);
  expect(client!.isJoined).toBe(true);
  expect(party.clients[1]!.stats.desyncs).toBe(0);
  party.dispose();
});

test('a game that throws goes on, on both sides alike', () => {
  const game = (): Game => {
    const base = arena({ crates: 4 });
    return {
      ...base,
      sanitize: undefined as never,
      applyInput: (world, player, input, tick) => {
        if (input[0] === 77) throw new Error('a bug');
        base.applyInput(world, player, input, tick);
      },
    };
  };
  const party = new Party({
    game,
    players: 2,
    input: (index, tick) => Uint8Array.of(tick % 9 === 0 ? 77 : keys(index, tick)[0]!),
  });
  party.run(2000);
  expect(party.server.stats.gameErrors).toBeGreaterThan(20);
  for (const client of party.clients)
    expect([client.stats.desyncs, client.stats.agreed > 2]).toEqual([0, true]);
  party.dispose();
});

test('commands as inputs: only those of the list, only for own bodies, whole or not at all', () => {
  const rules = new CommandInputs({
    allow: ['applyImpulse', 'setAngularVelocity'],
    owns: (_world, player, body) => body.userIndex === 1 + player,
    check: ({ fields }) =>
      (fields['impulse'] as number[] | undefined)?.every((x) => Math.abs(x) <= 5) ?? true,
  });
  expect(() => new CommandInputs({ allow: ['step'], owns: () => true })).toThrow('commands of a body');
  expect(() => new CommandInputs({ allow: ['nothing' as never], owns: () => true })).toThrow(
    'commands of a body',
  );
  const refused: boolean[] = [];
  const base = arena({ crates: 4 });
  const game: Game = {
    ...base,
    sanitize: (_player, input) => (rules.isClean(input) ? input : null),
    applyInput: (world, player, input) => {
      if (input.length > 0) refused.push(!rules.apply(world, player, input));
    },
    predict: () => new Uint8Array(0),
  };
  const server = new RoomServer({ game, send: () => {}, maxInputBytes: 512 });
  server.connect('a');
  server.update(0);
  server.receive('a', hello(server.world, 1));
  for (let now = 0; now < 100; now += 10) server.update(now);
  const own = [...server.world.bodies()].find((body) => body.userIndex === 1)!;
  const crate = [...server.world.bodies()].find((body) => body.userIndex === 0 && body.type === 'dynamic')!;
  const slot = (id: number) => id & 0x3ffff;
  const words = (...commands: Told[]) => {
    const writer = new CommandWriter();
    for (const [name, fields] of commands) writeCommand(writer, name, fields);
    return rules.encode(writer.view());
  };
  const push = (body: number, x: number) =>
    ['applyImpulse', { body: slot(body), impulse: [x, 0, 0], relativePosition: [0, 0, 0] }] as Told;
  let now = 100;
  let seq = 5;
  const give = (input: Uint8Array): { unclean: number; velocities: number[] } => {
    const { unclean } = server.stats;
    for (let k = 0; k < 3; k++, seq++)
      server.receive('a', packet({ snapshot: 1, ack: 3, seq, first: server.tick + 2, inputs: [input] }));
    for (const end = now + 100; now < end; now += 10) server.update(now);
    return {
      unclean: server.stats.unclean - unclean,
      velocities: [own, crate].map((body) => body.getLinearVelocity()[0]),
    };
  };
  expect(give(words(push(own.id, 5))).velocities[0]).toBeGreaterThan(0.5);
  const still = crate.getLinearVelocity()[0];
  expect(refused).toEqual([false]);
  give(words(push(crate.id, 5))); // not its own
  give(words(push(own.id, 5), push(crate.id, 5))); // one of two
  give(words(push(own.id, 500))); // too strong
  give(words(push(9999, 1))); // no such body
  expect(refused).toEqual([false, true, true, true, true]);
  expect(crate.getLinearVelocity()[0]).toBeCloseTo(still, 3);
  expect(give(words(['removeBody', { body: slot(crate.id) }])).unclean).toBe(3);
  expect(give(words(['setGravity', { gravity: [0, 9, 0] }])).unclean).toBe(3);
  expect(give(Uint8Array.of(1, 2, 3)).unclean).toBe(3);
  expect(give(words(...Array.from({ length: 9 }, () => push(own.id, 1)))).unclean).toBe(3); // of at most 8
  expect(refused.length).toBe(5);
  server.dispose();
});

test('arguments', () => {
  const make = (options: object) => () => new RoomServer({ game: arena(), send: () => {}, ...options });
  for (const bad of [
    { rate: 0 },
    { rate: 1.5 },
    { maxPlayers: 65 },
    { mode: 'x' },
    { reconnect: -1 },
    { hashEvery: NaN },
  ])
    expect(make(bad)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  const client = (options: object) => () =>
    new RoomClient({ game: arena(), send: () => {}, input: () => new Uint8Array(0), ...options });
  for (const bad of [
    { maxPrediction: 0 },
    { spare: -1 },
    { tolerance: 0 },
    { inputDelay: 0.5 },
    { inputDelay: 31 },
  ])
    expect(client(bad)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
});
