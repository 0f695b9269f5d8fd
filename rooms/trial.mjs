// The trial of rooms: two server processes on one Redis, simulated players with a bad network, one process killed in the
// middle. `node rooms/trial.mjs --rooms 20 --players 100 --seconds 60`; test/rooms/cluster.test.ts runs a short one.
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle, Child, startRedis, startServer, wait, whyNot } from './tools.mjs';

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const KINDS = ['own', 'things', 'others'];
const BAD = { delay: 80, jitter: 30, loss: 0.05 };

/**
 * Runs a trial.
 *
 * @param kill  share of the time after which the process with the most rooms is killed; 0: never
 */
export async function trial(options = {}) {
  const { rooms = 20, players = 100, seconds = 60, kill = 0.5, crates = 12, quality = BAD } = options;
  const { rate = 60, processes = 1, checkpointEvery = 1, vandals = 0, log = () => {} } = options;
  await bundle();
  const redis = await startRedis();
  const children = [];
  try {
    const room = JSON.stringify({ crates, rate, checkpointEvery });
    const servers = await Promise.all([0, 1].map(() => startServer(redis, { ROOM: room })));
    children.push(...servers);
    const addresses = servers.map((server) => server.address);
    const crowd = Array.from({ length: processes }, (_, i) => {
      const numbers = { rooms: rooms / processes, players: players / processes, crates, quality, vandals };
      const env = { addresses, ...numbers, prefix: `trial${i}` };
      return new Child('players', { PLAYERS: JSON.stringify(env) });
    });
    children.push(...crowd);
    await Promise.all(crowd.map((child) => child.next('ready')));
    const reportOf = async () => {
      const all = await Promise.all(crowd.map((child) => child.ask('report')));
      return { cpu: all.reduce((sum, { cpu }) => sum + cpu, 0), players: all.flatMap((one) => one.players) };
    };
    // Everybody in the game.
    for (let i = 0, there = -1; i < 60 && there < players; i++) {
      await wait(500);
      there = (await reportOf()).players.filter(({ isJoined }) => isJoined).length;
    }
    await Promise.all(servers.map((server) => server.ask('report')));
    const began = performance.now();
    const spread = servers.map((server) => server.said.filter(({ type }) => type === 'room').length);
    log(`${players} players in ${spread.join(' + ')} rooms`);

    let killed = null;
    if (kill > 0) {
      await wait(seconds * 1000 * kill);
      const before = await reportOf();
      const asked = await Promise.all(servers.map((server) => server.ask('report')));
      const [victim, report] = servers
        .map((server, i) => [server, asked[i]])
        .sort((a, b) => b[1].rooms.length - a[1].rooms.length)[0];
      victim.kill();
      killed = { before, report, victim };
      log(`killed a process with ${report.rooms.length} rooms`);
      await wait(seconds * 1000 * (1 - kill));
    } else await wait(seconds * 1000);

    const took = (performance.now() - began) / 1000;
    let end = await reportOf();
    // A machine that has other things to do takes longer to bring everybody back.
    for (let i = 0; i < 80 && !end.players.every(isBack); i++) {
      await wait(500);
      const later = await reportOf();
      for (const [k, { corrections }] of end.players.entries())
        for (const kind of KINDS) later.players[k].corrections[kind].push(...corrections[kind]);
      end = { cpu: end.cpu + later.cpu, players: later.players };
    }
    const living = await Promise.all(servers.filter((one) => !one.exited).map((one) => one.ask('report')));
    // What it told just before its end is read by now.
    if (killed !== null) killed.checkpoints = lastCheckpoints(killed.victim);
    return {
      seconds: took,
      spread,
      killed,
      end,
      living,
      continued: continuedIn(servers),
      load: loadavg()[0],
    };
  } finally {
    for (const child of children) child.kill();
    redis.stop();
  }
}

/** In the game, with a hash that was compared lately; who played in a room that moved, on a new connection. */
function isBack({ state, connections, isJoined, tick, stats }) {
  return state === 'connected' && isJoined && stats.snapshots >= connections && tick - stats.hashTick < 60;
}

/** By room: hashes of the checkpoints that a process has made, by tick. */
function lastCheckpoints({ said }) {
  const hashes = new Map();
  for (const { type, room, tick, hash } of said)
    if (type === 'checkpoint') hashes.set(room, (hashes.get(room) ?? new Map()).set(tick, hash));
  return hashes;
}

/** By room: ticks and hashes with which another process went on. */
function continuedIn(servers) {
  const all = new Map();
  for (const { said } of servers)
    for (const { type, room, continued } of said)
      if (type === 'room' && continued) all.set(room, [...(all.get(room) ?? []), continued]);
  return all;
}

/** What a trial has shown. */
export function summary({ seconds, spread, killed, end, living, continued, load }) {
  const reports = killed === null ? [end] : [killed.before, end];
  const of = (kind) =>
    reports.flatMap(({ players }) => players.flatMap(({ corrections }) => corrections[kind]));
  const rooms = [...(killed?.report.rooms ?? []), ...living.flatMap((report) => report.rooms)];
  const sum = (list, name) => list.reduce((total, one) => total + one[name], 0);
  const stats = end.players.map((player) => player.stats);
  // A room whose process was killed is continued by the first who comes back; with the hash of a checkpoint.
  const moved = killed === null ? [] : killed.report.rooms.map(({ room }) => room);
  const same = moved.filter((room) => {
    const known = killed.checkpoints.get(room);
    const found = (continued.get(room) ?? []).filter(({ tick }) => known?.has(tick));
    return found.length > 0 && found.every(({ tick, hash }) => known.get(tick) === hash);
  });
  /** Medians in mm. `which`: 0 as simulated, 1 as drawn. */
  const mm = (kinds, which) => Math.round(1000 * median(kinds.flatMap(of).map((one) => one[which])));
  const medians = (which) => Object.fromEntries(KINDS.map((kind) => [kind, mm([kind], which)]));
  return {
    seconds: Math.round(seconds),
    spread,
    joined: end.players.filter(isBack).length,
    players: end.players.length,
    // Of all ticks that clients know to be the server's, how many they have compared.
    compared: Number((sum(stats, 'agreed') / sum(stats, 'confirmed')).toFixed(4)),
    agreed: sum(stats, 'agreed') + sum(rooms, 'agreed'),
    desyncs: sum(stats, 'desyncs') + sum(rooms, 'desyncs'),
    refused: sum(stats, 'refused'),
    bad: {
      refused: sum(rooms, 'refused'),
      flooded: sum(rooms, 'flooded'),
      unreadable: sum(rooms, 'unreadable'),
    },
    moved: moved.length,
    movedSame: same.length,
    ticksBehind: median(stats.map(({ hashTick }, i) => end.players[i].tick - hashTick)),
    corrections: { ...medians(0), all: mm(KINDS, 0) },
    drawn: { ...medians(1), all: mm(KINDS, 1) },
    counts: Object.fromEntries(KINDS.map((kind) => [kind, of(kind).length])),
    // Own inputs that came too late, of a thousand.
    late: Number(((1000 * sum(rooms, 'late')) / sum(stats, 'confirmed')).toFixed(1)),
    roundTrip: Math.round(median(stats.map(({ roundTrip }) => roundTrip))),
    bytesIn: Math.round(sum(stats, 'bytesIn') / stats.length / seconds),
    serverCpu: living.map(({ cpu }) => Number((cpu / seconds).toFixed(2))),
    playersCpu: Number(((end.cpu + (killed?.before.cpu ?? 0)) / seconds).toFixed(2)),
    dropped: Math.round(sum(rooms, 'droppedTime')),
    load,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      rooms: { type: 'string', default: '20' },
      players: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '60' },
      kill: { type: 'string', default: '0.5' },
      crates: { type: 'string', default: '12' },
      rate: { type: 'string', default: '60' },
      processes: { type: 'string', default: '2' },
      vandals: { type: 'string', default: '0' },
    },
  });
  const reason = whyNot();
  if (reason !== '') {
    console.error(`rooms: no trial, as there is ${reason}`);
    process.exit(1);
  }
  const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
  console.log(JSON.stringify(summary(await trial({ ...numbers, log: console.log })), null, 1));
}
