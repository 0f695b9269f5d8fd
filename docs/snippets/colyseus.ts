import {
  PhysicsRoom,
  type RoomClass,
  RoomConnection,
  type RoomConnectionOptions,
  type SdkClient,
} from 'ricochet/colyseus';
import type { Game } from 'ricochet/net';

declare const arena: () => Game; // the rules, as above
declare const keysHeld: () => number;

// On the server. `Room` is that of @colyseus/core:
//   server.define('arena', arenaRoom(Room)).filterBy(['room']);
export const arenaRoom = (Room: RoomClass) =>
  class Arena extends PhysicsRoom(Room) {
    override createGame = () => arena();
    override physicsOptions = () => ({ rate: 60, maxPlayers: 8, checkpointEvery: 1 });
  };

// In the page. `Client` is that of @colyseus/sdk, one for each address.
export function play(Client: new (address: string) => SdkClient, token: string) {
  const options: RoomConnectionOptions = {
    via: [new Client('wss://a.example.org'), new Client('wss://b.example.org')],
    type: 'arena',
    room: 'lobby',
    token, // 16 … 64 letters that only this player knows: crypto.randomUUID()
    game: arena(),
    input: () => Uint8Array.of(keysHeld()),
  };
  const connection = new RoomConnection(options);
  const frame = (now: number) => {
    connection.update(now); // then draw connection.client.drawnPose(body, pose)
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
