// One process of the cluster: Colyseus with Redis, rooms that play demo/arena.ts. Settings come by the environment:
// PORT, REDIS_URL (without it: one process, nothing shared), ROOM (JSON: options of the rooms), RECORDINGS (a folder).
// A process that started it as a child hears of rooms and checkpoints by messages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Room, Server } from '@colyseus/core';
import { RedisDriver } from '@colyseus/redis-driver';
import { RedisPresence } from '@colyseus/redis-presence';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { type CheckpointStore, PhysicsRoom, type PhysicsRoomOptions, PresenceStore } from 'ricochet/colyseus';
import type { Game } from 'ricochet/net';
import { arena } from '../demo/arena';
import { roomSceneId } from '../demo/roomScene';

const PORT = Number(process.env['PORT'] ?? 2567);
const REDIS = process.env['REDIS_URL'];
const RECORDINGS = process.env['RECORDINGS'];
const { crates = 60, ...chosen } = JSON.parse(process.env['ROOM'] ?? '{}') as PhysicsRoomOptions & {
  crates?: number;
};
/** What is used of express. */
interface Response {
  set(headers: Record<string, string>): void;
  sendFile(path: string): void;
}
const tell = (message: object) => process.connected && process.send?.(message);

/** Of this process, for measurements. */
const living = new Set<Arena>();

class Arena extends PhysicsRoom(Room) {
  private key = '';

  override createGame(): Game {
    return arena({ crates });
  }

  override physicsOptions({ room }: Readonly<Record<string, unknown>>): PhysicsRoomOptions {
    const record = {
      notes: { scene: roomSceneId(crates) },
      onRecorded: (file: Uint8Array) => {
        mkdirSync(RECORDINGS!, { recursive: true });
        const path = join(RECORDINGS!, `${this.key}-${this.server.tick}.ricochet`);
        writeFileSync(path, file);
        tell({ type: 'recording', room, path });
      },
    };
    // Told before it is kept: a process that is killed in between has told all that others can find.
    const store: CheckpointStore = new PresenceStore(this.presence);
    const save = store.save.bind(store);
    store.save = (key, ...rest) => {
      tell({ type: 'checkpoint', room: key, tick: this.server.tick, hash: this.server.hash() });
      return save(key, ...rest);
    };
    return { hashEvery: 1, sendEvery: 2, store, ...chosen, ...(RECORDINGS === undefined ? {} : { record }) };
  }

  override async onCreate(options: Record<string, unknown>): Promise<void> {
    await super.onCreate(options);
    this.key = String(options['room'] ?? this.roomId);
    living.add(this);
    const { continued } = this.physicsStats;
    tell({ type: 'room', room: this.key, continued });
  }

  override async onDispose(): Promise<void> {
    if (living.delete(this)) tell({ type: 'end', room: this.key, tick: this.server.tick });
    await super.onDispose();
  }

  report(): object {
    const { key: room, server, physicsStats } = this;
    return { room, tick: server.tick, players: server.playerCount, ...server.stats, ...physicsStats };
  }
}

const server = new Server({
  greet: false,
  ...(REDIS === undefined ? {} : { presence: new RedisPresence(REDIS), driver: new RedisDriver(REDIS) }),
  transport: new WebSocketTransport({ maxPayload: 16 * 1024 }),
  // The page loads the SDK from here: the demo has no dependency on it.
  express: (app) => {
    app.get('/sdk.js', (_request: unknown, response: Response) => {
      response.set({ 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' });
      response.sendFile(
        createRequire(import.meta.url)
          .resolve('@colyseus/sdk')
          .replace(/build.*/, 'dist/colyseus.js'),
      );
    });
  },
});
server.define('arena', Arena).filterBy(['room']);

let cpu = process.cpuUsage();
process.on('message', (asked) => {
  if (asked !== 'report') return;
  const used = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  const rooms = [...living].map((room) => room.report());
  tell({ type: 'report', cpu: (used.user + used.system) / 1e6, memory: process.memoryUsage().rss, rooms });
});
process.on('disconnect', () => process.exit()); // whoever started it is gone
await server.listen(PORT);
tell({ type: 'ready', port: PORT });
console.log(`rooms on ws://localhost:${PORT}, process ${process.pid}`);
