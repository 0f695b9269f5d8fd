import type { World } from 'ricochet';
import { type Game, RoomClient, RoomServer, SimulatedNetwork } from 'ricochet/net';

// The rules: the same on the server and on every client.
const game = (): Game => {
  const own = (world: World, player: number) =>
    [...world.bodies()].find((body) => body.userIndex === player + 1);
  return {
    build: (world) => void world.createBody({ type: 'static', shape: { type: 'plane' } }),
    join(world, player) {
      const shape = { type: 'sphere', radius: 0.5 } as const;
      world.createBody({ mass: 5, position: [3 * player, 0.5, 0], userIndex: player + 1, shape });
    },
    leave: (world, player) => own(world, player)?.remove(),
    applyInput: (world, player, [push = 0]) => own(world, player)?.applyImpulse([0, 0, push]),
    sanitize: (_player, input) => (input.length <= 1 && (input[0] ?? 0) <= 2 ? input : null),
  };
};

// A network that delays and loses, on a clock of its own. A game has sockets here, and performance.now().
const network = new SimulatedNetwork({ delay: 80, jitter: 30, loss: 0.05 });
let now = 0;
const clients = new Map<string, RoomClient>();
const server = new RoomServer({
  game: game(),
  send: (id, packet) => network.send(packet, now, (bytes) => clients.get(id)?.receive(bytes, now)),
});
for (const id of ['Ada', 'Bob']) {
  const client = new RoomClient({
    game: game(),
    send: (packet) => network.send(packet, now, (bytes) => server.receive(id, bytes)),
    input: (tick) => Uint8Array.of(tick % 60 < 20 ? 1 : 0),
  });
  clients.set(id, client);
  server.connect(id);
}
for (; now < 5000; now += 5) {
  network.deliver(now);
  server.update(now);
  for (const client of clients.values()) client.update(now); // then draw client.drawnPose(body, pose)
}
for (const { stats } of clients.values()) console.log(stats.agreed > 3, stats.desyncs); // true 0
