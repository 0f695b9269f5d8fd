// What is drawn, measured from outside: in no frame does a body move by more than 2 cm beyond its own motion, whatever the
// frame rate, for bodies in the present and in the past, at corrections and when another process goes on with the room.
import { expect, test } from 'vitest';
import type { RigidBody, World } from '../../src';
import { type Game, type RoomClient, RoomServer } from '../../src/net';
import { arena } from './arena';
import { BAD, Party, type PartyOptions } from './party';

type Place = readonly number[];
type Places = Map<number, Place>;

/** m: what is allowed. */
const TARGET = 0.02;

/** m: what is further from where it should be is drawn there at once. */
const SNAP = 2;

const length = (v: readonly number[]) => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));

/** Places of all bodies that move, by tick, as they are in the present account of the past. */
class Account {
  private readonly ticks = new Map<number, Places>();

  note(world: World, tick: number): void {
    const places: Places = new Map();
    for (const body of world.bodies())
      if (body.type !== 'static') places.set(1e6 * body.userIndex + (body.id & 0x3ffff), body.getPosition());
    this.ticks.set(tick, places);
    this.ticks.delete(tick - 400);
  }

  at(time: number, key: number): Place | undefined {
    const tick = Math.floor(time);
    const [a, b] = [this.ticks.get(tick)?.get(key), this.ticks.get(tick + 1)?.get(key)];
    return a && b ? a.map((x, i) => x + (b[i]! - x) * (time - tick)) : undefined;
  }
}

/** Ticks in a frame: more are made up for after a state was loaded. Frames of 30 a second have two, and hurry by one. */
const MADE_UP = 4;

/** What a client keeps for itself: the time that it draws, and how far bodies are behind it. */
interface Inside {
  position: number;
  drawing: { tracks: Map<number, { behind: number }> };
}

interface Seen {
  time: number;
  present: number;
  tick: number;
  drawn: Float32Array;
}

/** Plays, and returns by how much drawn bodies move in a frame beyond their own motion, mm: at most, of how many. */
function jumps(
  options: Partial<PartyOptions>,
  during: (party: Party) => void,
): [most: number, frames: number] {
  const accounts: Account[] = [];
  const game = (): Game => {
    const account = new Account();
    accounts.push(account);
    const base = arena({ act: options.server?.mode === 'state' });
    return {
      ...base,
      step(world, tick) {
        account.note(world, tick);
        base.step!(world, tick);
      },
    };
  };
  const party = new Party({ game, players: 2, quality: BAD, ...options });
  const last: Map<number, Seen>[] = party.clients.map(() => new Map());
  let most = 0;
  let frames = 0;
  party.watch = (client: RoomClient, index) => {
    const inside = client as unknown as Inside;
    const account = accounts[index + 1]!; // the first is the server's
    account.note(client.world, client.tick);
    const present = inside.position - 1;
    for (const body of client.world.bodies()) {
      if (body.type === 'static') continue;
      const key = 1e6 * body.userIndex + (body.id & 0x3ffff);
      const before = last[index]!.get(key);
      const time = present - (inside.drawing.tracks.get(body.id)?.behind ?? 0);
      const drawn = client.drawnPose(body, new Float32Array(7));
      last[index]!.set(key, { time, present, tick: client.tick, drawn });
      if (before === undefined || party.now < 2500) continue;
      const now = account.at(time, key);
      // When a state was loaded, time jumps, and ticks are made up for: nothing moves by that. What is too far away may jump.
      const jumps = Math.abs(present - before.present) > 8 || client.tick - before.tick > MADE_UP;
      const from = jumps ? now : account.at(before.time, key);
      const to = jumps ? now : account.at(before.time + present - before.present, key);
      if (from === undefined || to === undefined || now === undefined) continue;
      // The client measures it where the body is in this frame, which may be TARGET from where the account has it.
      if (length([0, 1, 2].map((i) => before.drawn[i]! - now[i]!)) > SNAP - TARGET) continue;
      most = Math.max(most, length([0, 1, 2].map((i) => drawn[i]! - before.drawn[i]! - (to[i]! - from[i]!))));
      frames++;
    }
  };
  during(party);
  party.dispose();
  return [1000 * most, frames];
}

/** Others in the past, unless they are near. */
const past = (body: RigidBody, world: World) => {
  if (body.userIndex < 1 || body.userIndex > 100) return 0;
  const [x, , z] = body.getPosition();
  return (Math.sqrt(x * x + z * z) + (world.bodyCount % 2) - 2) / 2;
};

test.each([
  ['in the present, 60 frames a second', {}],
  ['in the past, 60 frames a second', { client: { past } }],
  ['in the past, 30 frames a second', { client: { past }, frame: () => 33 }],
  ['in the past, 144 frames a second, 30 ticks', { client: { past }, frame: () => 7, server: { rate: 30 } }],
  ['by states', { server: { mode: 'state' } }],
] satisfies [string, Partial<PartyOptions>][])('what is drawn does not jump: %s', (_name, options) => {
  const [most, frames] = jumps(options, (party) => party.run(4500));
  console.log(`${_name}: at most ${most.toFixed(1)} mm in ${frames} frames of bodies (target 20)`);
  expect(frames).toBeGreaterThan(1500);
  expect(most).toBeLessThan(1000 * TARGET);
});

test('what is drawn does not jump when another process goes on with the room', () => {
  const [most, frames] = jumps({ client: { past } }, (party) => {
    party.run(3500);
    const checkpoint = party.server.checkpoint();
    party.run(300); // lost with the process
    party.server.dispose();
    party.server = RoomServer.restore(checkpoint, party.serverOptions());
    for (const i of party.clients.keys()) party.server.connect(`c${i}`);
    party.run(1500);
    for (const client of party.clients) expect(client.stats.snapshots).toBe(2);
  });
  console.log(`when a process ends: at most ${most.toFixed(1)} mm in ${frames} frames of bodies`);
  expect(most).toBeLessThan(1000 * TARGET);
});

test('others in the past do not jump by states either', () => {
  const speeds = new Map<number, number[]>();
  const game = (): Game => arena({ act: true });
  const party = new Party({ game, players: 3, quality: BAD, server: { mode: 'state' }, client: { past } });
  const last = new Map<string, { drawn: Float32Array; at: number }>();
  let most = 0;
  party.watch = (client, index) => {
    for (const body of client.world.bodies()) {
      if (body.userIndex < 1 || body.userIndex > 100) continue;
      const lately = speeds.get(body.userIndex) ?? [];
      speeds.set(body.userIndex, lately);
      lately.push(length(body.getLinearVelocity()));
      if (lately.length > 120) lately.shift();
      const key = `${index} ${body.userIndex}`;
      const drawn = client.drawnPose(body, new Float32Array(7));
      const before = last.get(key);
      last.set(key, { drawn, at: party.now });
      if (before === undefined || party.now < 2500) continue;
      const moved = length([0, 1, 2].map((i) => drawn[i]! - before.drawn[i]!));
      most = Math.max(most, moved - (1.1 * Math.max(...lately) * (party.now - before.at)) / 1000);
    }
  };
  party.run(4500);
  console.log(`others in the past, by states: ${(1000 * most).toFixed(1)} mm beyond their speed`);
  expect(most).toBeLessThan(TARGET);
  party.dispose();
});
