// PhysicsRoom and RoomConnection on a Colyseus of a few lines: what they do with joins, leaves, stores and slow sockets.
// test/rooms/cluster.test.ts has the real one.
import { expect, test } from 'vitest';
import { arena, botInput } from '../../demo/arena';
import {
  type ClientLike,
  PhysicsRoom,
  type PhysicsRoomMembers,
  type PhysicsRoomOptions,
  PresenceStore,
  type RoomClass,
  RoomConnection,
  type RoomLike,
  type SdkClient,
} from '../../src/colyseus';
import { Player, readRecording } from '../../src/replay';

/** What a LocalPresence does. */
class Presence {
  readonly values = new Map<string, string>();
  isBroken = false;
  isSilent = false;
  asked = 0;
  private waiting: (() => void)[] = [];
  /** It is back: what waited is done. */
  answer(): void {
    this.isSilent = false;
    for (const go of this.waiting.splice(0)) go();
  }
  async incr(key: string): Promise<number> {
    const next = Number(this.values.get(key) ?? 0) + 1;
    this.values.set(key, `${next}`);
    return next;
  }
  get = async (key: string) => this.values.get(key) ?? null;
  async setex(key: string, value: string): Promise<void> {
    this.asked++;
    if (this.isSilent) await new Promise<void>((resolve) => this.waiting.push(resolve));
    if (this.isBroken) throw new Error('no Redis');
    this.values.set(key, value);
  }
  expire = () => {};
  del = (key: string) => this.values.delete(key);
}

class Base implements RoomLike {
  roomId = 'made-up';
  maxClients = Infinity;
  patchRate: number | null = 50;
  maxMessagesPerSecond = Infinity;
  presence = new Presence();
  readonly handlers = new Map<string, (client: never, message: never) => void>();
  disconnected: number | undefined;
  onMessage(type: string, callback: (client: never, message: never) => void): void {
    this.handlers.set(type, callback);
  }
  async disconnect(code?: number): Promise<void> {
    this.disconnected = code;
  }
}

const options: PhysicsRoomOptions = { checkpointEvery: 3600, maxPlayers: 4 };
class Arena extends PhysicsRoom(Base as RoomClass) {
  chosen: PhysicsRoomOptions = options;
  override createGame() {
    return arena({ crates: 8 });
  }
  override physicsOptions() {
    return this.chosen;
  }
}
type Made = Base & PhysicsRoomMembers & { chosen: PhysicsRoomOptions };

async function make(presence: Presence, chosen = options, room: unknown = 'lobby'): Promise<Made> {
  const made = new Arena() as unknown as Made;
  made.presence = presence;
  made.chosen = chosen;
  await made.onCreate({ room } as Record<string, unknown>);
  return made;
}

function client(
  sessionId: string,
): ClientLike & { left: number[]; sent: Uint8Array[]; ref: { bufferedAmount: number } } {
  const left: number[] = [];
  const sent: Uint8Array[] = [];
  return {
    sessionId,
    left,
    sent,
    ref: { bufferedAmount: 0 },
    sendBytes: (_type, bytes) => void sent.push(bytes),
    leave: (code) => void left.push(code ?? 0),
  };
}

const ticks = (room: Made, count: number) => {
  for (let i = 0; i < count; i++) room.server.runTick();
};

test('who comes after the last player has left, or after the process ended, finds the room as it was', async () => {
  const presence = new Presence();
  const first = await make(presence);
  const ada = client('1');
  first.onJoin(ada, { token: 'a-secret-of-ada-1' });
  ticks(first, 90);
  const [hash, tick] = [first.server.hash(), first.server.tick];
  await first.onLeave(ada, 1006);
  expect(first.physicsStats.checkpoint).toMatchObject({ hash, tick });

  const second = await make(presence);
  expect(second.physicsStats.continued).toEqual({ hash, tick });
  // The first one did not know yet that it was over: it hears it when it keeps a checkpoint, and changes nothing.
  ticks(first, 30);
  await first.onDispose();
  expect(first.disconnected).toBe(4402);
  const third = await make(presence);
  expect(third.physicsStats.continued).toEqual({ hash, tick });
  for (const room of [second, third]) await room.onDispose();
  const other = await make(presence, options, 'elsewhere');
  expect(other.physicsStats.continued).toBeNull();
  await other.onDispose();
});

test('a checkpoint that cannot be used is counted, and the room begins anew; a store that fails does not stop it', async () => {
  const presence = new Presence();
  const first = await make(presence);
  await first.onDispose();
  for (const key of presence.values.keys())
    if (key.includes('checkpoint')) presence.values.set(key, btoa('not a checkpoint'));
  presence.isBroken = true;
  const second = await make(presence);
  expect(second.physicsStats).toMatchObject({ continued: null, failedCheckpoints: 2, checkpoints: 0 });
  ticks(second, 5);
  await second.onDispose();
  expect(second.physicsStats.failedCheckpoints).toBe(3);
});

test('a store that is away for a while: the room goes on, joins are let in, and checkpoints come again', async () => {
  const presence = new Presence();
  const room = await make(presence, { ...options, checkpointEvery: 0.05 });
  const ada = client('1');
  room.onJoin(ada, { token: 'a-secret-of-ada-1' });
  const seconds = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const isKept = () => room.physicsStats.checkpoints;
  await expect.poll(isKept).toBeGreaterThan(1);
  presence.isBroken = true;
  const [tick, kept] = [room.server.tick, isKept()];
  await expect.poll(() => room.physicsStats.failedCheckpoints).toBeGreaterThan(1);
  room.onJoin(client('2'), { token: 'a-secret-of-bob-1' });
  expect(isKept()).toBeLessThanOrEqual(kept + 1);
  await expect.poll(() => room.server.tick).toBeGreaterThan(tick + 5);
  expect([room.disconnected, ada.left]).toEqual([undefined, []]);
  // One that does not answer at all must not be asked again and again.
  presence.isSilent = true;
  presence.isBroken = false;
  await seconds(200);
  const { asked } = presence;
  await seconds(200);
  expect(presence.asked - asked).toBeLessThan(2);
  presence.answer();
  await expect.poll(isKept).toBeGreaterThan(kept + 2);
  await room.onDispose();
});

test('players are known by what onAuth returned, else by their secret, else by their session', async () => {
  const room = await make(new Presence());
  expect(room.playerId(client('7'), { token: 'a-secret-of-ada-1' }, { id: 12 })).toBe('user:12');
  expect(room.playerId(client('7'), { token: 'a-secret-of-ada-1' }, true)).toBe('token:a-secret-of-ada-1');
  for (const token of [undefined, 'short', 5, 'x'.repeat(65), 'with spaces in it it is none'])
    expect(room.playerId(client('7'), { token }, undefined)).toBe('7');
  const [before, after] = [client('1'), client('2')];
  room.onJoin(before, { token: 'a-secret-of-ada-1' });
  room.onJoin(after, { token: 'a-secret-of-ada-1' });
  expect([before.left, after.left]).toEqual([[4401], []]);
  await room.onLeave(before, 4401); // of no consequence for the new connection
  const packets = room.handlers.get('ricochet') as unknown as (from: ClientLike, bytes: unknown) => void;
  packets(before, new Uint8Array(5));
  expect(room.server.stats.refused).toBe(0);
  packets(after, new Uint8Array(5));
  expect(room.server.stats.refused).toBe(1);
  packets(after, { body: 3 });
  (room.handlers.get('*') as unknown as () => void)();
  expect(room.physicsStats.unreadable).toBe(2);
  expect([room.maxClients, room.patchRate, room.maxMessagesPerSecond]).toEqual([4, null, 720]);
  await room.onDispose();
});

test('turns count up, and a checkpoint is found past turns that left none', async () => {
  const presence = new Presence();
  const store = new PresenceStore(presence, 'x');
  expect(await store.begin('a')).toEqual({ turn: 1, checkpoint: null });
  const bytes = Uint8Array.from({ length: 20_000 }, (_, i) => i * 7);
  expect(await store.save('a', 1, bytes, 10)).toBe(true);
  await store.begin('a');
  expect(await store.begin('a')).toEqual({ turn: 3, checkpoint: bytes });
  expect(await store.save('a', 1, new Uint8Array(3), 10)).toBe(false);
  expect(await store.begin('a')).toEqual({ turn: 4, checkpoint: bytes });
});

test('a store that came back without what it knew learns it again: the next process gets a later turn', async () => {
  const presence = new Presence();
  const first = await make(presence);
  const second = await make(presence); // its turn is 2
  ticks(second, 20);
  presence.values.clear();
  expect(await new PresenceStore(presence).save('lobby', 2, second.server.checkpoint(), 10)).toBe(true);
  const [hash, tick] = [second.server.hash(), second.server.tick];
  const third = await make(presence);
  expect(third.physicsStats.continued).toEqual({ hash, tick });
  // Of the three, only the last is right.
  await Promise.all([first.onDispose(), second.onDispose()]);
  expect([first.disconnected, second.disconnected]).toEqual([4402, 4402]);
  await third.onDispose();
});

/** Joins a real connection to a room: packets go at once, or not at all. */
function sdk(room: () => Made | null): SdkClient & { connections: number; drop: (code: number) => void } {
  const open: { end: (code: number) => void }[] = [];
  const made = {
    connections: 0,
    drop(code: number) {
      for (const { end } of open.splice(0)) end(code);
    },
    async joinOrCreate(_type: string, asked: Record<string, unknown>) {
      const to = room();
      if (to === null) throw new Error('nobody answers');
      const number = ++made.connections;
      const own = client(`s${number}`);
      const packets: ((bytes: Uint8Array) => void)[] = [];
      const leaves: ((code: number) => void)[] = [];
      let isOpen = true;
      own.sendBytes = (_type, bytes) => {
        if (isOpen) for (const receive of packets) receive(bytes);
      };
      to.onJoin(own, asked);
      open.push({
        end(code) {
          isOpen = false;
          void to.onLeave(own, code);
          for (const leave of leaves) leave(code);
        },
      });
      const receive = to.handlers.get('ricochet') as unknown as (from: ClientLike, bytes: Uint8Array) => void;
      return {
        sessionId: own.sessionId,
        reconnection: { enabled: true },
        onMessage: (_type: string, callback: (bytes: Uint8Array) => void) => void packets.push(callback),
        onLeave: (callback: (code: number) => void) => void leaves.push(callback),
        sendBytes: (_type: string, bytes: Uint8Array) => receive(own, bytes),
        leave: () => made.drop(4000),
      };
    },
  };
  return made;
}

test('a connection that is lost is made again elsewhere, with the same player; recordings replay', async () => {
  const presence = new Presence();
  const files: Uint8Array[] = [];
  const record = { onRecorded: (file: Uint8Array) => void files.push(file) };
  let living: Made | null = await make(presence, { ...options, hashEvery: 3, record });
  const states: string[] = [];
  const dead = sdk(() => null);
  const way = sdk(() => living);
  const connection = new RoomConnection({
    via: [dead, way],
    type: 'arena',
    room: 'lobby',
    token: 'a-secret-of-ada-1',
    game: arena({ crates: 8 }),
    input: (tick) => botInput(0, tick),
    onState: (state) => states.push(state),
  });
  let now = 0;
  const run = async (ms: number) => {
    for (const end = now + ms; now < end; now += 5) {
      living?.server.update(now);
      connection.update(now);
      await Promise.resolve();
    }
  };
  await run(3000);
  expect(connection.client.stats.agreed).toBeGreaterThan(20);
  const { player } = connection.client;
  const first = living;
  living = null;
  way.drop(1006);
  await new Promise((resolve) => setTimeout(resolve, 0)); // a checkpoint is kept
  await run(1500);
  expect(connection.state).toBe('lost');
  const firstTicks = first.server.tick;
  await first.onDispose();
  living = await make(presence);
  const { tick, hash } = first.physicsStats.checkpoint!;
  expect(living.physicsStats.continued).toEqual({ tick, hash });
  await run(12_000);
  expect([connection.state, connection.connections, connection.client.player]).toEqual([
    'connected',
    2,
    player,
  ]);
  expect([connection.client.stats.desyncs, connection.client.stats.snapshots]).toEqual([0, 2]);
  expect(states).toEqual(['lost', 'connected', 'lost', 'connected']);
  connection.leave();
  await run(100);
  expect(living.server.playerCount).toBe(0);
  connection.dispose();
  await living.onDispose();

  const player2 = new Player(await readRecording(files[0]!));
  expect(player2.verify()).toMatchObject({ divergences: 0, frames: firstTicks });
  player2.dispose();
});
