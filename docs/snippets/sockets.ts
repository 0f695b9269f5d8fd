import { type Game, RoomClient, RoomServer } from 'ricochet/net';

/** What this needs of a WebSocket, a data channel or a port. */
export interface Socket {
  send(bytes: Uint8Array<ArrayBuffer>): void;
  onMessage(listener: (bytes: Uint8Array) => void): void;
}

/** On the server: call `connect` for each socket, `update` every few milliseconds. */
export function host(game: Game) {
  const sockets = new Map<string, Socket>();
  const server = new RoomServer({ game, send: (id, packet) => sockets.get(id)?.send(packet) });
  const connect = (id: string, socket: Socket) => {
    sockets.set(id, socket);
    socket.onMessage((packet) => server.receive(id, packet));
    server.connect(id);
  };
  const leave = (id: string) => {
    server.disconnect(id); // kept for a while, in case the player comes back
    sockets.delete(id);
  };
  return { connect, leave, update: (now: number) => server.update(now) };
}

/** In the page: call `update` in every frame, then draw `client.world`. */
export function join(game: Game, socket: Socket, now: () => number, keys: () => Uint8Array): RoomClient {
  const client = new RoomClient({ game, send: (packet) => socket.send(packet), input: keys });
  socket.onMessage((packet) => client.receive(packet, now()));
  return client;
}
