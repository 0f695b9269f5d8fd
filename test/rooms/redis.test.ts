// Rooms while a real Redis is away: it does not answer for 10 s, then it ends and comes back without what it knew. The
// rooms go on, nobody's connection ends, and checkpoints come again, from which another process continues.
import { expect } from 'vitest';
// @ts-expect-error: plain JavaScript without declarations
import { bundle, Child, startRedis, startServer, wait, whyNot } from '../../rooms/tools.mjs';
import { ordinaryCoreOnly } from '../sanitize/onSanitizer';

const test = ordinaryCoreOnly('its processes have the ordinary core');
/** s */
const AWAY = Number(process.env['ROOMS_AWAY'] ?? 10);
const PLAYERS = 4;

interface PlayerReport {
  isJoined: boolean;
  connections: number;
  tick: number;
  stats: { agreed: number; desyncs: number; snapshots: number; hashTick: number };
}
interface RoomReport {
  room: string;
  tick: number;
  checkpoints: number;
  checkpoint: { tick: number; hash: string } | null;
}
interface Process {
  exited: boolean;
  said: {
    type: string;
    room: string;
    tick: number;
    hash: string;
    continued: { tick: number; hash: string };
  }[];
  ask(question: string): Promise<{ rooms: RoomReport[]; players: PlayerReport[] }>;
  kill(): void;
}

test('a Redis that is away for 10 s, and one that forgets everything: rooms go on, nothing is lost', async (context: {
  skip: (reason: string) => void;
}) => {
  const reason = whyNot();
  if (reason !== '') {
    console.warn(`\n*** Rooms while Redis is away are NOT tested on this machine: ${reason} ***\n`);
    context.skip(reason);
    return;
  }
  await bundle();
  let redis = await startRedis();
  const room = JSON.stringify({ crates: 8, rate: 30, checkpointEvery: 0.5 });
  const children: Process[] = [];
  try {
    const start = () => startServer(redis, { ROOM: room }, { mute: true }); // Redis away: its clients complain
    const servers: (Process & { address: string })[] = await Promise.all([start(), start()]);
    children.push(...servers);
    const quality = { delay: 40, jitter: 10, loss: 0.02 };
    const addresses = servers.map(({ address }) => address);
    const crowd = { addresses, rooms: 2, players: PLAYERS, crates: 8, quality, prefix: 'away', vandals: 0 };
    const players: Process = new Child('players', { PLAYERS: JSON.stringify(crowd) });
    children.push(players);
    const report = async () => (await players.ask('report')).players;
    const agreed = async () => (await report()).map(({ stats }) => stats.agreed);
    const rooms = async () => {
      const living = servers.filter(({ exited }) => !exited);
      return (await Promise.all(living.map((server) => server.ask('report')))).flatMap(({ rooms }) => rooms);
    };
    const kept = async () => Math.min(...(await rooms()).map(({ checkpoints }) => checkpoints));
    const long = { timeout: 60_000, interval: 250 };
    await expect.poll(async () => Math.min(...(await agreed())), long).toBeGreaterThan(20);
    await expect.poll(kept, long).toBeGreaterThan(1);

    /** Everybody has played on all the time, by the connections that they had. */
    const goOn = async (before: number[]) => {
      for (const [i, { isJoined, connections, stats }] of (await report()).entries()) {
        expect([isJoined, connections, stats.snapshots, stats.desyncs]).toEqual([true, 1, 1, 0]);
        // A busy machine makes few of its 30 ticks in a second.
        expect(stats.agreed - before[i]!).toBeGreaterThan(5 * AWAY);
      }
    };

    process.kill(redis.pid, 'SIGSTOP');
    const [before, keptBefore] = [await agreed(), await kept()];
    await wait(1000 * AWAY);
    await goOn(before);
    expect(await kept()).toBeLessThanOrEqual(keptBefore + 1); // one may have been under way
    process.kill(redis.pid, 'SIGCONT');
    await expect.poll(kept, long).toBeGreaterThan(keptBefore + 2);
    expect((await rooms()).length).toBe(2);

    const [then, keptThen] = [await agreed(), await kept()];
    redis.stop();
    await wait(1000 * Math.min(3, AWAY));
    redis = await startRedis(redis.port);
    await expect.poll(kept, long).toBeGreaterThan(keptThen + 2);
    expect((await report()).map(({ connections }) => connections)).toEqual([1, 1, 1, 1]);
    await expect
      .poll(async () => Math.min(...(await agreed()).map((n, i) => n - then[i]!)), long)
      .toBeGreaterThan(30);

    // Checkpoints of the time after are good: a process ends, the other continues its rooms.
    const asked = await Promise.all(servers.map((server) => server.ask('report')));
    const victim = asked[0]!.rooms.length > 0 ? 0 : 1;
    const moved = asked[victim]!.rooms.map((one) => one.room);
    servers[victim]!.kill();
    const other = servers[1 - victim]!;
    const continued = () =>
      moved.filter((key) =>
        other.said.some((one) => one.type === 'room' && one.room === key && one.continued),
      );
    await expect.poll(() => continued().length, long).toBe(moved.length);
    for (const { type, room: key, continued: from } of other.said) {
      if (type !== 'room' || !from || !moved.includes(key)) continue;
      const made = servers[victim]!.said.find(
        (one) => one.type === 'checkpoint' && one.room === key && one.tick === from.tick,
      );
      expect(made?.hash).toBe(from.hash);
    }
    const back = async () =>
      (await report()).filter(({ isJoined, tick, stats }) => isJoined && tick - stats.hashTick < 60).length;
    await expect.poll(back, long).toBe(PLAYERS);
    for (const { stats } of await report()) expect(stats.desyncs).toBe(0);
  } finally {
    for (const child of children) child.kill();
    redis.stop();
  }
});
