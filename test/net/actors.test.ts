// Rooms with cars, walkers, ragdolls and systems: what the core moves inside its step is rolled back, hashed, sent to those
// who join late, and kept by checkpoints, like bodies.
import { expect, test } from 'vitest';
import magnet from '../../docs/snippets/magnet';
import type { RigidBody, World } from '../../src';
import { type Character, makeCharacter } from '../../src/character';
import { type Game, RoomServer } from '../../src/net';
import { planRagdoll, Ragdoll, type SkeletonBone } from '../../src/ragdoll';
import { makeVehicle, type Vehicle } from '../../src/vehicle';
import { BAD, keys, Party, type PartyOptions } from './party';

const bones: SkeletonBone[] = Array.from({ length: 5 }, (_, i) => ({
  name: `tail${i}`,
  parent: i - 1,
  position: [0, 1.5, -0.3 * i],
  rotation: [0, 0, 0, 1],
}));
const tail = planRagdoll(bones, { kind: 'chain', mass: 5 });
const CAPSULE = { type: 'capsule', radius: 0.3, halfHeight: 0.6 } as const;

/** Players are a car, a walker, a tail with motors in its joints, in turn; userIndex 1 + player. */
function yard(): Game {
  const cars = new Map<number, Vehicle>();
  const walkers = new Map<number, Character>();
  const bodyOf = (world: World, player: number): RigidBody | undefined =>
    [...world.bodies()].find((body) => body.userIndex === 1 + player);
  const makeCar = (world: World, chassis: RigidBody) => {
    const wheels = [1, -1].flatMap((z) =>
      [1, -1].map((x) => ({ position: [0.8 * x, -0.3, 1.3 * z] as [number, number, number] })),
    );
    const car = makeVehicle(world, { chassis, wheels, drive: 'all' });
    cars.set(chassis.id, car);
    return car;
  };
  return {
    build(world) {
      world.createBody({ type: 'static', shape: { type: 'plane' } });
      for (let i = 0; i < 8; i++)
        world.createBody({
          mass: 20,
          position: [(i % 4) * 1.5 - 2, 0.4, i < 4 ? 3 : 4.5],
          shape: { type: 'box', halfExtents: [0.4, 0.4, 0.4] },
        });
    },
    join(world, player) {
      const userIndex = 1 + player;
      const place = [4 * (player % 3) - 4, 0.65, -2 * Math.floor(player / 3)] as [number, number, number];
      if (player % 3 === 0) {
        const shape = { type: 'box', halfExtents: [0.85, 0.25, 2] } as const;
        makeCar(world, world.createBody({ mass: 1000, position: place, userIndex, shape }));
      } else if (player % 3 === 1) {
        place[1] = 0.9;
        const body = world.createBody({ type: 'kinematic', position: place, userIndex, shape: CAPSULE });
        walkers.set(body.id, makeCharacter(world, { body }));
      } else {
        new Ragdoll(world, tail, { mode: 'powered', strength: 2, body: { userIndex } });
      }
    },
    leave(world, player) {
      for (const body of [...world.bodies()]) if (body.userIndex === 1 + player) body.remove();
    },
    applyInput(world, player, [held = 0]) {
      const body = bodyOf(world, player);
      if (body === undefined) return;
      const along = (held & 1 ? 1 : 0) - (held & 2 ? 1 : 0);
      const across = (held & 4 ? 1 : 0) - (held & 8 ? 1 : 0);
      if (player % 3 === 0) {
        const known = cars.get(body.id);
        const car = known === undefined || known.isRemoved ? makeCar(world, body) : known;
        car.setInput({
          throttle: along,
          brake: 0,
          handbrake: held === 0 ? 1 : 0,
          steer: across,
          gear: 'automatic',
        });
      } else if (player % 3 === 1) {
        const known = walkers.get(body.id);
        const walker = known === undefined || known.isRemoved ? makeCharacter(world, { body }) : known;
        walkers.set(body.id, walker);
        walker.setInput({ move: [3 * across, 0, 3 * along], jump: (held & 16) !== 0 });
      } else if (held & 15 && body.getPosition()[1] < 0.6) body.applyImpulse([across, 2, along]);
    },
    predict: ([held = 0]) => Uint8Array.of(held & 15),
  };
}

const started = (options: Partial<PartyOptions> = {}) =>
  new Party({ game: yard, players: 3, quality: BAD, server: { hashEvery: 1 }, ...options });

const healthy = (party: Party, agreed: number) => {
  for (const { stats } of party.clients) {
    expect([stats.desyncs, stats.refused, stats.gameErrors]).toEqual([0, 0, 0]);
    expect(stats.agreed).toBeGreaterThan(agreed);
  }
  const { stats } = party.server;
  expect([stats.desyncs, stats.refused, stats.gameErrors]).toEqual([0, 0, 0]);
};

test.each([60, 30])(
  'a car, a walker and a ragdoll at %i Hz: equal hashes; joining late; another process',
  (rate) => {
    const party = started({ server: { hashEvery: 1, rate } });
    const players = () => [...party.server.world.bodies()].filter(({ userIndex }) => userIndex > 0);
    party.run(1200);
    const began = new Map(players().map((body) => [body.id, body.getPosition()]));
    party.run(1800);
    // All of them did something.
    expect(began.size).toBe(1 + 1 + tail.parts.length);
    for (const body of players()) {
      const [a, b] = [body.getPosition(), began.get(body.id)!];
      expect(Math.hypot(a[0] - b[0]!, a[2] - b[2]!)).toBeGreaterThan(0.1);
    }
    const late = party.add(); // a second car
    party.run(2000);
    expect([late.isJoined, late.stats.desyncs, late.stats.agreed > 10]).toEqual([true, 0, true]);
    const checkpoint = party.server.checkpoint();
    const hash = party.server.hash();
    party.server.dispose();
    party.server = RoomServer.restore(checkpoint, party.serverOptions());
    expect(party.server.hash()).toBe(hash);
    for (const i of party.clients.keys()) party.server.connect(`c${i}`);
    const before = party.clients.map(({ stats }) => stats.agreed);
    party.run(1800);
    for (const [i, { stats }] of party.clients.entries())
      expect(stats.agreed - before[i]!).toBeGreaterThan(10);
    healthy(party, 40);
    party.dispose();
  },
);

test('by states: cars, walkers and ragdolls are where the server has them', () => {
  let isOver = false;
  const party = started({
    server: { mode: 'state' },
    input: (index, tick) => (isOver ? Uint8Array.of(0) : keys(index, tick)),
  });
  party.run(3500);
  isOver = true;
  // The tail may roll over the floor for long, and what moves is shown as it was on the server a while ago: 0.15 s here.
  party.run(10_000);
  let most = 0;
  for (const client of party.clients) {
    expect([client.stats.refused, client.stats.desyncs, client.stats.gameErrors]).toEqual([0, 0, 0]);
    for (const body of party.server.world.bodies()) {
      const [a, b] = [body.getPosition(), client.world.getBody(body.id)!.getPosition()];
      const way = 0.2 * Math.hypot(...body.getLinearVelocity());
      most = Math.max(most, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) - way);
    }
  }
  console.log(`by states, 10 s after the last input: ${(1000 * most).toFixed(1)} mm at most`);
  expect(most).toBeLessThan(0.05);
  party.dispose();
});

test('a system of the world runs on all sides, and is where it was for who comes late', async () => {
  const options = { at: [0, 3, 0] as [number, number, number], strength: 30 };
  const party = started();
  const add = (world: World) => world.addSystem(magnet, { name: 'magnet', options });
  await Promise.all([party.server.world, ...party.clients.map(({ world }) => world)].map(add));
  party.run(2500);
  const late = party.add();
  await add(late.world);
  party.run(2000);
  expect(late.stats.agreed).toBeGreaterThan(10);
  healthy(party, 10);
  const without = started();
  without.run(1000);
  expect(without.server.world.stateHash()).not.toBe(party.server.world.stateHash());
  without.dispose();
  party.dispose();
});
