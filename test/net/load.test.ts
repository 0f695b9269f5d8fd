// What a room costs: bytes per client and CPU per room, 8 players among 500 crates. NET_SECONDS=30 for the figures of
// docs/net.md; NET_POSES=file writes all poses that change, for a comparison with other encodings.
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { World } from '../../src';
import { type Mode, RoomServer } from '../../src/net';
import { arena } from './arena';
import { BareClient } from './bare';
import { keys } from './party';

const SECONDS = Number(process.env['NET_SECONDS'] ?? 2);
const POSES = process.env['NET_POSES'];
const PLAYERS = 8;

/** Runs a room over a network of 5 ticks each way. */
function load(mode: Mode, everySend: (world: World) => void, interest = {}) {
  const game = () => arena({ crates: 500, act: mode === 'state' });
  const clients: BareClient[] = [];
  let mail: { at: number; give: () => void }[] = [];
  const post = (give: () => void) => mail.push({ at: server.tick + 5, give });
  const server: RoomServer = new RoomServer({
    game: game(),
    mode,
    interest,
    send: (id, packet) => post(() => clients[Number(id)]!.receive(packet)),
  });
  for (let i = 0; i < PLAYERS; i++) {
    const send = (packet: Uint8Array) => void post(() => server.receive(`${i}`, packet));
    clients.push(new BareClient(game(), server.world.engine.core, send, (tick) => keys(i, tick)));
    server.connect(`${i}`);
  }
  let cpu = 0;
  const tick = () => {
    const due = mail.filter(({ at }) => at <= server.tick);
    mail = mail.filter(({ at }) => at > server.tick);
    const before = process.cpuUsage();
    server.update((1000 * server.tick) / 60 + 1000 / 60);
    const { user, system } = process.cpuUsage(before);
    cpu += user + system;
    for (const { give } of due) give();
    for (const client of clients) client.update(server.tick);
    if (server.tick % 3 === 0) everySend(server.world);
  };
  server.update(0);
  while (!clients.every((client) => client.isJoined) && server.tick < 600) tick();
  for (let i = 0; i < 60; i++) tick();
  const from = clients.map((client) => client.bytesIn);
  cpu = 0;
  for (let i = 0; i < SECONDS * 60; i++) tick();
  const bytes = clients.reduce((sum, client, i) => sum + client.bytesIn - from[i]!, 0) / PLAYERS / SECONDS;
  const figures = {
    bytes,
    cpu: cpu / 1000 / SECONDS / 60,
    states: clients[0]!.states,
    awake: server.world.awakeCount,
    stats: server.stats,
  };
  server.dispose();
  return figures;
}

/** Bytes of a plain encoding: a word for the body, seven f32 for its pose; of bodies that moved. */
function plainPoses() {
  const last = new Map<number, Float32Array>();
  const all: number[][][] = [];
  let count = 0;
  const see = (world: World) => {
    const changed: number[][] = [];
    for (const body of world.bodies()) {
      if (body.type === 'static') continue;
      const pose = body.getPose(new Float32Array(7));
      if (last.get(body.id)?.every((x, i) => x === pose[i])) continue;
      last.set(body.id, pose);
      changed.push([body.id, ...pose]);
      count++;
    }
    if (POSES !== undefined) all.push(changed);
  };
  const since = () => {
    if (POSES !== undefined) writeFileSync(POSES, JSON.stringify(all));
    return count;
  };
  return { see, since };
}

test('8 players, 500 crates: bytes per client and second, ms of CPU per tick', () => {
  const plain = plainPoses();
  const lockstep = load('lockstep', plain.see);
  // Counted from the beginning: the settling of the crates is in both.
  const moved = plain.since();
  const state = load('state', () => {});
  const near = load('state', () => {}, { near: 10, far: 30 });
  for (const [name, { bytes, cpu, awake }] of Object.entries({ lockstep, state, near }))
    console.log(
      `${name}: ${(bytes / 1000).toFixed(2)} KB/s per client, ${cpu.toFixed(2)} ms CPU per tick, ${awake} awake at the end`,
    );
  console.log(`poses that moved, per packet time: ${(moved / ((SECONDS + 1) * 20)).toFixed(0)}`);
  for (const { stats } of [lockstep, state])
    expect([stats.refused, stats.flooded, stats.gameErrors]).toEqual([0, 0, 0]);
  // Inputs of eight players: less than a tenth of 39 bytes for each pose that moved.
  expect(lockstep.bytes).toBeLessThan(6000);
  expect(near.bytes).toBeLessThan(state.bytes);
});
