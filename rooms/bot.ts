// A player for Colyseus's own load test, which `npm run rooms:load` starts: it keeps to the protocol without a world of
// its own, so that many of them load one server.
import { cli, type Options } from '@colyseus/loadtest';
import { Client } from '@colyseus/sdk';
import { World } from 'ricochet';
import { arena, botInput } from '../demo/arena';
import { BareClient } from '../test/net/bare';

const ROOM_SIZE = Number(process.env['ROOM_SIZE'] ?? 8);
const { core } = new World().engine;

/** Joins and plays. The tool shows what becomes of the connection. */
async function play({ endpoint, roomName, clientId }: Options): Promise<void> {
  const room = `load-${Math.floor(clientId / ROOM_SIZE)}`;
  const token = `load-${process.pid}-${clientId}`.padEnd(16, '-');
  const connection = await new Client(endpoint).joinOrCreate(roomName, { room, token });
  // The ticks of the server, as a packet of a real client would follow them.
  const began = performance.now();
  const game = arena();
  const bare = new BareClient(
    game,
    core,
    (packet) => connection.sendBytes('ricochet', packet),
    (tick) => botInput(clientId % ROOM_SIZE, tick),
    game.version,
  );
  connection.onMessage('ricochet', (bytes: Uint8Array) => bare.receive(bytes));
  setInterval(
    () => bare.update(bare.tick + Math.min(3, Math.floor((performance.now() - began) / 50))),
    1000 / 30,
  );
}

cli(play);
