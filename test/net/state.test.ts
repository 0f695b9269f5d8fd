// Mode 'state': clients simulate what they know, the server's states put it right. Few bytes, no bits promised.
import { expect, test } from 'vitest';
import { World } from '../../src';
import { type Game, RoomServer } from '../../src/net';
import { ByteReader, ByteWriter } from '../../src/net/bytes';
import { dequantise, PoseReceiver, PoseSender, quantise, quantiseAll } from '../../src/net/poses';
import { arena } from './arena';
import { BAD, keys, Party } from './party';

const distance = (a: readonly number[], b: readonly number[]) =>
  Math.sqrt(a.reduce((sum, x, i) => sum + (x - b[i]!) * (x - b[i]!), 0));

/** A room in mode 'state' whose players stop when told. */
function stateParty(players: number) {
  const is = { over: false };
  const party = new Party({
    game: () => arena({ act: true }),
    players,
    quality: BAD,
    server: { mode: 'state' },
    input: (index, tick) => (is.over ? Uint8Array.of(0) : keys(index, tick)),
  });
  return { party, is };
}

/** All clients have the bodies of the server, at its places: by how much those are off at most, m. */
function worstPlace(party: Party): number {
  const truth = party.server.world;
  let most = 0;
  for (const client of party.clients) {
    expect(client.world.bodyCount).toBe(truth.bodyCount);
    expect([client.stats.refused, client.stats.desyncs]).toEqual([0, 0]);
    for (const body of truth.bodies()) {
      const own = client.world.getBody(body.id);
      expect(own).toBeDefined();
      // The client is some ticks ahead; balls still roll, evenly.
      const ahead = (client.tick - party.server.tick) / 60;
      const velocity = own!.getLinearVelocity();
      const then = own!.getPosition().map((x, i) => x - velocity[i]! * ahead);
      most = Math.max(most, distance(body.getPosition(), then));
    }
  }
  console.log(`worst place of a body after a rest: ${(1000 * most).toFixed(1)} mm`);
  return most;
}

/**
 * Runs on until no body of a client is ahead of the server by a collision: then what rolls has the server's velocity, and
 * places can be compared. At most 5 s.
 */
function awaitEvenMotion(party: Party): void {
  const differs = () =>
    party.clients.some((client) =>
      [...party.server.world.bodies()].some((body) => {
        const own = client.world.getBody(body.id);
        return own !== undefined && distance(own.getLinearVelocity(), body.getLinearVelocity()) > 0.2;
      }),
    );
  for (let tries = 0; tries < 10 && differs(); tries++) party.run(500);
}

test('three players over a bad network end where the server is', () => {
  const { party, is } = stateParty(3);
  party.run(5000);
  is.over = true;
  party.run(5000);
  for (const { stats } of party.clients) {
    expect(stats.poses).toBeGreaterThan(100);
    expect(stats.corrected).toBeGreaterThan(10);
    expect(stats.snapshots).toBe(1);
  }
  awaitEvenMotion(party);
  expect(worstPlace(party)).toBeLessThan(0.05);
  party.dispose();
});

test('by states, too, a late joiner has all bodies, plays, and is seen by the others', () => {
  const { party, is } = stateParty(2);
  party.run(3000);
  const thrown = [...party.server.world.bodies()].filter(({ userIndex }) => userIndex > 100).length;
  expect(thrown).toBeGreaterThan(0); // bodies that the late joiner never saw being made
  const late = party.add();
  party.run(3000);
  expect([late.isJoined, late.player, late.stats.snapshots]).toEqual([true, 2, 1]);
  // It moves by its own inputs, and the others see that.
  const own = [...late.world.bodies()].find(({ userIndex }) => userIndex === 3)!;
  const start = [Math.cos(2) * 6, 0.5, Math.sin(2) * 6];
  expect(distance(own.getPosition(), start)).toBeGreaterThan(0.5);
  is.over = true;
  party.run(4000);
  expect(party.clients.map(({ stats }) => stats.snapshots)).toEqual([1, 1, 1]);
  awaitEvenMotion(party);
  expect(worstPlace(party)).toBeLessThan(0.05);
  party.dispose();
});

test('by states, too, another process goes on from the checkpoint with the same hash and the same players', () => {
  const { party, is } = stateParty(3);
  party.run(3000);
  const checkpoint = party.server.checkpoint();
  const [hash, tick] = [party.server.hash(), party.server.tick];
  const players = party.clients.map(({ player }) => player);
  party.run(400); // lost with the process
  party.server.dispose();
  party.server = RoomServer.restore(checkpoint, party.serverOptions());
  expect([party.server.hash(), party.server.tick]).toEqual([hash, tick]);
  for (const i of party.clients.keys()) party.server.connect(`c${i}`);
  const poses = party.clients.map(({ stats }) => stats.poses);
  party.run(2500);
  is.over = true;
  party.run(4000);
  party.clients.forEach(({ stats, player }, i) => {
    expect([player, stats.snapshots]).toEqual([players[i], 2]);
    expect(stats.poses).toBeGreaterThan(poses[i]! + 50);
  });
  awaitEvenMotion(party);
  expect(worstPlace(party)).toBeLessThan(0.05);
  party.dispose();
});

test('a client learns nothing of the inputs of others, and bodies beyond its interest are not sent', () => {
  const party = new Party({
    game: () => arena({ act: true }),
    players: 2,
    server: { mode: 'state', interest: { near: 1, far: 2 } },
    input: (index, tick) => Uint8Array.of(index === 0 ? 0 : tick % 200 < 100 ? 1 : 8),
  });
  party.run(3000);
  // The second player runs away; the first keeps it where it saw it last.
  const [first] = party.clients;
  const other = [...party.server.world.bodies()].find((body) => body.userIndex === 2)!;
  const seen = first!.world.getBody(other.id)!;
  expect(distance(other.getPosition(), seen.getPosition())).toBeGreaterThan(1);
  expect(first!.stats.poses).toBeLessThan(200);
  party.dispose();
});

test('quanta: positions within 1 mm, rotations within 0.05°, velocities within 1 cm/s', () => {
  const world = new World({ gravity: [0, 0, 0] });
  let seed = 1;
  const random = () => (seed = (48271 * seed) % 2147483647) / 2147483647 - 0.5;
  for (let i = 0; i < 500; i++) {
    const q = [random(), random(), random(), random()];
    const length = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0));
    const body = world.createBody({
      mass: 1,
      position: [random() * 2000, random() * 20, random() * 2000],
      rotation: q.map((x) => x / length) as [number, number, number, number],
      linearVelocity: [random() * 50, random(), random()],
      shape: { type: 'sphere', radius: 0.5 },
    });
    const told = dequantise(quantise(body));
    expect(distance(body.getPosition(), told.position)).toBeLessThan(0.0018);
    expect(distance(body.getLinearVelocity(), told.linearVelocity)).toBeLessThan(0.014);
    const dot = Math.abs(body.getRotation().reduce((sum, x, k) => sum + x * told.rotation[k]!, 0));
    expect(1 - dot).toBeLessThan(1e-6);
  }
  world.dispose();
});

test.each([7, 11, 23, 42])(
  'poses by differences are right whatever is lost, late or doubled, seed %i',
  (start) => {
    const world = new World();
    world.createBody({ type: 'static', shape: { type: 'plane' } });
    for (let i = 0; i < 40; i++)
      world.createBody({
        position: [i % 5, 2 + i, i % 7],
        shape: { type: 'box', halfExtents: [0.3, 0.3, 0.3] },
      });
    let seed = start;
    const random = () => (seed = (48271 * seed) % 2147483647) / 2147483647;
    const sender = new PoseSender();
    const receiver = new PoseReceiver();
    const known = new Map<number, { seq: number; state: Int32Array }>();
    const flying: {
      at: number;
      seq: number;
      tick: number;
      bytes: Uint8Array;
      truth: Map<number, Int32Array>;
    }[] = [];
    let read = 0;
    let bytes = 0;
    for (let tick = 0; tick < 900; tick++) {
      world.step(1 / 60);
      if (tick === 300) [...world.bodies()][5]!.remove();
      const all = quantiseAll(world);
      const seqs: number[] = [];
      const head = (seq: number) => {
        seqs.push(seq);
        return new ByteWriter();
      };
      const packets = sender.send(all, null, {}, { tick, rate: 60, bytes: 2000, packet: 500 }, head);
      packets.forEach((packet, i) => {
        bytes += packet.length;
        if (random() < 0.2) return;
        const truth = new Map([...all].map(([slot, { state }]) => [slot, state]));
        for (let copies = random() < 0.1 ? 2 : 1; copies > 0; copies--)
          flying.push({ at: tick + random() * 15, tick, seq: seqs[i]!, bytes: packet, truth });
      });
      for (const { seq, tick: made, bytes: packet, truth } of flying.filter(({ at }) => at <= tick)) {
        for (const { slot, state } of receiver.read({ seq, tick: made, rate: 60 }, new ByteReader(packet)) ??
          []) {
          read++;
          expect(state).toEqual(truth.get(slot));
          if ((known.get(slot)?.seq ?? -1) < seq) known.set(slot, { seq, state });
        }
      }
      flying.splice(0, flying.length, ...flying.filter(({ at }) => at > tick));
      if (random() < 0.8) sender.acknowledge(receiver.acks.seq, receiver.acks.mask);
    }
    for (const [slot, { state }] of quantiseAll(world)) expect(known.get(slot)?.state).toEqual(state);
    console.log(`${(bytes / read).toFixed(1)} bytes per state that came, velocities included`);
    expect(read).toBeGreaterThan(3000);
    world.dispose();
  },
);

test.each([
  ['holds at the server, where two pushes cancel, holds at both clients', [60, -60], false],
  ['breaks at the server, by two pushes, is off at both clients', [1.5, 1.5], true],
] as const)('a joint that %s', (_, pushes, breaks) => {
  const weight = (world: World) => [...world.bodies()].find((body) => body.userIndex === 7)!;
  const game = (): Game => ({
    build(world) {
      world.createBody({ type: 'static', shape: { type: 'plane' } });
      const bodyA = world.createBody({ type: 'static', position: [0, 5, 0], shape: [] });
      const shape = { type: 'sphere', radius: 0.3 } as const;
      const bodyB = world.createBody({ mass: 5, position: [0, 4, 0], userIndex: 7, shape });
      world.createJoint({ type: 'point', bodyA, bodyB, anchor: [0, 5, 0], breakingImpulse: 2.5 });
    },
    applyInput: (world, player, [key = 0]) => {
      if (key === 1) weight(world).applyImpulse([0, -pushes[player]!, 0]);
    },
    predict: () => Uint8Array.of(0),
  });
  const party = new Party({
    game,
    players: 2,
    quality: { delay: 50 },
    server: { mode: 'state' },
    input: (_index, tick) => Uint8Array.of(tick === 120 ? 1 : 0),
  });
  party.run(5000);
  expect([...party.server.world.joints()][0]!.isBroken).toBe(breaks);
  for (const { world } of [party.server, ...party.clients]) {
    expect([...world.joints()].map((joint) => joint.isEnabled)).toEqual([!breaks]);
    expect(distance(weight(world).getPosition(), weight(party.server.world).getPosition())).toBeLessThan(0.1);
  }
  for (const { stats } of party.clients) expect([stats.desyncs, stats.gameErrors]).toEqual([0, 0]);
  party.dispose();
});
