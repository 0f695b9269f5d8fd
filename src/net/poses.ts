// States of bodies in few bytes, for mode 'state'. In: a world, what a client has already. Out: packets of quantised
// differences to states that it has acknowledged, the most urgent bodies first; on the other side the states again.
//
// Rotations are the three smallest components of the quaternion (Fiedler, "Snapshot Compression", 2015); priorities that
// grow until a body is sent follow the same author's "State Synchronization". Differences are taken from where the body
// would be by now with the velocities that it had, and their bits by how likely they are (coder.ts).
import { type BodyId, MAX_BODIES, type RigidBody, type World } from 'ricochet';
import { type ByteReader, type ByteWriter, Malformed, newer } from './bytes';
import { RangeDecoder, RangeEncoder } from './coder';

/** Quanta per m: errors of at most 1 mm. */
const PER_METRE = 512;
/** Quanta per 1, of components of a quaternion: errors of about 0.03°. */
const PER_UNIT = 2048;
/** Quanta per m/s and per rad/s. */
const PER_SPEED = 64;
const MOST_QUANTA = 0x1fffffff;

/** Integers of a state: position 0–2, index of the largest component 3, the others 4–6, velocities 7–9 and 10–12, sleep 13. */
const LENGTH = 14;
const POSITION = 0;
const LARGEST = 3;
const ROTATION = 4;
const VELOCITY = 7;
const ASLEEP = 13;
const ZERO = new Int32Array(LENGTH);
ZERO[LARGEST] = 3;

/** A state in quanta. */
export type Quanta = Int32Array;

const quantum = (value: number, scale: number) =>
  Math.max(-MOST_QUANTA, Math.min(MOST_QUANTA, Math.round(value * scale)));

/** The state of a body in quanta. */
export function quantise(body: RigidBody): Quanta {
  const out = new Int32Array(LENGTH);
  const p = body.getPosition();
  const q = body.getRotation();
  for (let i = 0; i < 3; i++) out[POSITION + i] = quantum(p[i]!, PER_METRE);
  let largest = 0;
  for (let i = 1; i < 4; i++) if (Math.abs(q[i]!) > Math.abs(q[largest]!)) largest = i;
  const sign = q[largest]! < 0 ? -1 : 1;
  out[LARGEST] = largest;
  for (let i = 0, k = ROTATION; i < 4; i++) if (i !== largest) out[k++] = quantum(sign * q[i]!, PER_UNIT);
  const asleep = body.isSleeping();
  out[ASLEEP] = asleep ? 1 : 0;
  const v = body.getLinearVelocity();
  const w = body.getAngularVelocity();
  for (let i = 0; i < 3; i++) {
    out[VELOCITY + i] = asleep ? 0 : quantum(v[i]!, PER_SPEED);
    out[VELOCITY + 3 + i] = asleep ? 0 : quantum(w[i]!, PER_SPEED);
  }
  return out;
}

/** Whether a state has no velocities. */
export function isResting(state: Quanta): boolean {
  for (let i = VELOCITY; i < VELOCITY + 6; i++) if (state[i] !== 0) return false;
  return true;
}

/** What quanta stand for. */
export interface BodyState {
  position: [number, number, number];
  rotation: [number, number, number, number];
  linearVelocity: [number, number, number];
  angularVelocity: [number, number, number];
  asleep: boolean;
}

export function dequantise(state: Quanta): BodyState {
  const rotation: [number, number, number, number] = [0, 0, 0, 0];
  let rest = 1;
  for (let i = 0, k = ROTATION; i < 4; i++) {
    if (i === state[LARGEST]) continue;
    const value = state[k++]! / PER_UNIT;
    rotation[i] = value;
    rest -= value * value;
  }
  rotation[state[LARGEST]!] = Math.sqrt(Math.max(rest, 0.01));
  const length = Math.sqrt(rotation.reduce((sum, value) => sum + value * value, 0));
  for (let i = 0; i < 4; i++) rotation[i]! /= length;
  const three = (from: number, scale: number): [number, number, number] => [
    state[from]! / scale,
    state[from + 1]! / scale,
    state[from + 2]! / scale,
  ];
  return {
    position: three(POSITION, PER_METRE),
    rotation,
    linearVelocity: three(VELOCITY, PER_SPEED),
    angularVelocity: three(VELOCITY + 3, PER_SPEED),
    asleep: state[ASLEEP] === 1,
  };
}

/** Where bodies are of interest to a player. */
export interface Interest {
  /** m. Bodies within are sent with velocities. Default 30. */
  near?: number;
  /** m. Bodies within are sent at a quarter of the rate; those beyond are not. Default 100. */
  far?: number;
  /** Bodies in this box are near for everybody, m. Default none. */
  box?: { min: readonly [number, number, number]; max: readonly [number, number, number] };
}

const NONE = 0;
const FAR = 1;
const NEAR = 2;

function inBox(p: readonly number[], { min, max }: NonNullable<Interest['box']>): boolean {
  return [0, 1, 2].every((i) => p[i]! >= min[i]! && p[i]! <= max[i]!);
}

/** NONE, FAR or NEAR. */
function classOf(
  p: readonly number[],
  from: readonly number[] | null,
  interest: Required<Pick<Interest, 'near' | 'far'>> & Interest,
): number {
  if (from === null || (interest.box !== undefined && inBox(p, interest.box))) return NEAR;
  const square = [0, 1, 2].reduce((sum, i) => sum + (p[i]! - from[i]!) * (p[i]! - from[i]!), 0);
  if (square <= interest.near * interest.near) return NEAR;
  return square <= interest.far * interest.far ? FAR : NONE;
}

/** Packets that a client may still acknowledge; those before are lost. */
const WINDOW = 32;
/** s after which a packet that nobody acknowledged is lost. */
const PATIENCE = 1;
/** A body is sent as its difference to a packet that is not older than this many packets. */
const MEMORY = 64;
/** Packets whose content a client remembers: a late one, too, finds its base, at most WINDOW + MEMORY before the newest. */
const REMEMBERED = 128;
/** Bodies that one packet may have. */
const BATCH = 128;

/** Classes of integers in a packet. The last six are there for each of three speeds. */
const SLOT_CLASS = 0;
const AGE_CLASS = 1;
const HEIGHT_CLASS = 2;
const PLACE_CLASS = 5;
const TURN_CLASS = 8;
const RISE_CLASS = 11;
const SPEED_CLASS = 14;
const SPIN_CLASS = 17;
const CLASSES = 20;
/** Single bits of a packet. */
const MORE_FLAG = 0;
const FULL_FLAG = 1;
const BASED_FLAG = 2;
const OVER_FLAG = 3;
const SLEEP_FLAG = 4; // and 5, for a body that slept
const FLAGS = 6;

/** Quanta per s of velocity, below which a body is slow. */
const SLOW = 20;
/** s: for as long a body goes on as it did. */
const LONGEST_GUESS = 0.5;
/** Share of a guessed velocity that its place tells: between a push at the beginning (1) and a steady force (2). */
const PUSH = 1.5;
/** s: less says nothing about velocities. */
const SHORTEST = 0.05;

/** A state that both sides have, and what follows from it. */
interface Base {
  state: Quanta;
  /** Packets ago. */
  distance: number;
  /** s ago. */
  age: number;
}

/** 0 at rest, 1 slow, 2 fast: differences are as large as bodies are fast. */
function speedOf(state: Quanta): number {
  let most = 0;
  for (let i = VELOCITY; i < VELOCITY + 6; i++) most = Math.max(most, Math.abs(state[i]!));
  return most === 0 ? 0 : most < SLOW ? 1 : 2;
}

const within = (value: number) => Math.max(-MOST_QUANTA, Math.min(MOST_QUANTA, value));

/** Where a body is that goes on as it did. Both sides compute it alike: f64, exact functions. */
function guessPlace({ state, age }: Base, axis: number): number {
  const way = state[VELOCITY + axis]! * (PER_METRE / PER_SPEED) * Math.min(age, LONGEST_GUESS);
  return within(state[POSITION + axis]! + Math.round(way));
}

/** Its velocity, of which its place tells something: `off` quanta beside the guess. */
function guessVelocity({ state, age }: Base, axis: number, off: number): number {
  const change = (PUSH * off * PER_SPEED) / (PER_METRE * Math.max(SHORTEST, Math.min(age, LONGEST_GUESS)));
  return within(state[VELOCITY + axis]! + Math.round(change));
}

const NOTHING: Base = { state: ZERO, distance: 0, age: 0 };

/** Writes a state as its difference to what follows from another. `full`: with velocities. */
function writeState(out: RangeEncoder, state: Quanta, from: Base, full: boolean): void {
  const before = from.state;
  const speed = speedOf(before);
  out.flag(FULL_FLAG, full);
  out.flag(SLEEP_FLAG + before[ASLEEP]!, state[ASLEEP] === 1);
  const off = [0, 0, 0];
  for (let i = 0; i < 3; i++) {
    off[i] = state[POSITION + i]! - guessPlace(from, i);
    out.integer((i === 1 ? HEIGHT_CLASS : PLACE_CLASS) + speed, off[i]!);
  }
  const over = state[LARGEST] !== before[LARGEST];
  out.flag(OVER_FLAG, over);
  if (over) out.even(state[LARGEST]!, 2);
  for (let i = ROTATION; i < ROTATION + 3; i++)
    out.integer(TURN_CLASS + speed, state[i]! - (over ? 0 : before[i]!));
  if (!full || state[ASLEEP] === 1) return;
  for (let i = 0; i < 3; i++)
    out.integer(
      (i === 1 ? RISE_CLASS : SPEED_CLASS) + speed,
      state[VELOCITY + i]! - guessVelocity(from, i, off[i]!),
    );
  for (let i = VELOCITY + 3; i < VELOCITY + 6; i++) out.integer(SPIN_CLASS + speed, state[i]! - before[i]!);
}

/** The state that `writeState` wrote. */
function readState(input: RangeDecoder, from: Base): { state: Quanta; full: boolean } {
  const before = from.state;
  const state = before.slice();
  const speed = speedOf(before);
  const put = (at: number, value: number, most = MOST_QUANTA) => {
    if (Math.abs(value) > most) throw new Malformed('out of range');
    state[at] = value;
  };
  const full = input.flag(FULL_FLAG);
  const asleep = input.flag(SLEEP_FLAG + before[ASLEEP]!);
  state[ASLEEP] = asleep ? 1 : 0;
  const off = [0, 0, 0];
  for (let i = 0; i < 3; i++) {
    off[i] = input.integer((i === 1 ? HEIGHT_CLASS : PLACE_CLASS) + speed);
    put(POSITION + i, guessPlace(from, i) + off[i]!);
  }
  const over = input.flag(OVER_FLAG);
  if (over) state[LARGEST] = input.even(2);
  for (let i = ROTATION; i < ROTATION + 3; i++)
    put(i, input.integer(TURN_CLASS + speed) + (over ? 0 : before[i]!), PER_UNIT);
  if (asleep) state.fill(0, VELOCITY, VELOCITY + 6);
  else if (full) {
    for (let i = 0; i < 3; i++)
      put(
        VELOCITY + i,
        guessVelocity(from, i, off[i]!) + input.integer((i === 1 ? RISE_CLASS : SPEED_CLASS) + speed),
      );
    for (let i = VELOCITY + 3; i < VELOCITY + 6; i++) put(i, before[i]! + input.integer(SPIN_CLASS + speed));
  }
  return { state, full };
}

/** What the server knows of one body at one client. */
interface Ghost {
  id: BodyId;
  /** As it was last sent, and in which packet. */
  sent: Quanta | null;
  seq: number;
  /** As it was last acknowledged. */
  acked: Quanta | null;
  ackedSeq: number;
  ackedTick: number;
  /** Grows until the body is sent. */
  priority: number;
}

/** A packet that is under way. */
interface Flight {
  seq: number;
  tick: number;
  entries: { slot: number; id: BodyId; state: Quanta }[];
}

/** All moving bodies in quanta, by slot: made once per sending, for all clients. */
export function quantiseAll(world: World): Map<number, { id: BodyId; state: Quanta }> {
  const all = new Map<number, { id: BodyId; state: Quanta }>();
  for (const body of world.bodies())
    if (body.type !== 'static') all.set(body.id & MAX_BODIES, { id: body.id, state: quantise(body) });
  return all;
}

/** The poses of one client, on the server. */
export class PoseSender {
  private readonly ghosts = new Map<number, Ghost>();
  private flights: Flight[] = [];
  private seq = 0;
  private round = 0;

  /** Notes what came. Numbers that were never sent change nothing. */
  acknowledge(seq: number, mask: number): void {
    const rest: Flight[] = [];
    for (const flight of this.flights) {
      const age = (seq - flight.seq) & 0xffff;
      if (age >= 0x8000) rest.push(flight);
      else if (age === 0 || (age <= 32 && (mask >>> (age - 1)) & 1)) this.arrived(flight);
      else if (age > WINDOW) this.lost(flight);
      else rest.push(flight);
    }
    this.flights = rest;
  }

  private arrived({ seq, tick, entries }: Flight): void {
    for (const { slot, id, state } of entries) {
      const ghost = this.ghosts.get(slot);
      if (ghost === undefined || ghost.id !== id) continue;
      if (ghost.acked !== null && !newer(seq, ghost.ackedSeq)) continue;
      ghost.acked = state;
      ghost.ackedSeq = seq;
      ghost.ackedTick = tick;
    }
  }

  private lost({ seq, entries }: Flight): void {
    for (const { slot } of entries) {
      const ghost = this.ghosts.get(slot);
      if (ghost?.seq === seq) ghost.sent = null;
    }
  }

  /**
   * Packets of at most `bytes` in all, each at most `packet`.
   *
   * @param limit  and the tick of the states, and ticks per s
   * @param head  writes the beginning of a packet with this number
   * @param from  where the client looks from
   */
  send(
    all: ReadonlyMap<number, { id: BodyId; state: Quanta }>,
    from: readonly number[] | null,
    interest: Interest,
    limit: { tick: number; rate: number; bytes: number; packet: number },
    head: (seq: number) => ByteWriter,
  ): Uint8Array<ArrayBuffer>[] {
    // Where nothing moves any more, no later packet shows that one was lost.
    while (this.flights.length > 0 && limit.tick - this.flights[0]!.tick > PATIENCE * limit.rate)
      this.lost(this.flights.shift()!);
    const urgent = this.choose(all, from, interest);
    const packets: Uint8Array<ArrayBuffer>[] = [];
    let next = 0;
    for (let used = 0; next < urgent.length && used < limit.bytes; ) {
      const out = head((this.seq = (this.seq + 1) & 0xffff));
      const coder = new RangeEncoder(out, CLASSES, FLAGS);
      const flight: Flight = { seq: this.seq, tick: limit.tick, entries: [] };
      let before = -1;
      let age = 0;
      // Slots within a packet ascend; which bodies are in it was decided by priority, so that a packet is cut where it is full.
      const batch = urgent.slice(next, next + BATCH).sort((a, b) => a.slot - b.slot);
      let taken = 0;
      for (const { slot, full } of batch) {
        if (out.length > limit.packet) break;
        const { id, state } = all.get(slot)!;
        const ghost = this.ghosts.get(slot)!;
        const distance = (this.seq - ghost.ackedSeq) & 0xffff;
        const base: Base =
          ghost.acked !== null && distance < MEMORY
            ? { state: ghost.acked, distance, age: (limit.tick - ghost.ackedTick) / limit.rate }
            : NOTHING;
        coder.flag(MORE_FLAG, true);
        coder.integer(SLOT_CLASS, slot - before - 1);
        before = slot;
        coder.flag(BASED_FLAG, base !== NOTHING);
        if (base !== NOTHING) {
          coder.integer(AGE_CLASS, distance - age);
          age = distance;
        }
        writeState(coder, state, base, full);
        ghost.sent = state;
        ghost.seq = this.seq;
        ghost.priority = 0;
        flight.entries.push({ slot, id, state: full ? state : withSpeedOf(state, base.state) });
        taken++;
      }
      coder.flag(MORE_FLAG, false);
      coder.finish();
      // What did not fit comes first in the next.
      urgent.splice(next, batch.length, ...batch);
      next += taken;
      const packet = out.finish();
      used += packet.length;
      this.flights.push(flight);
      packets.push(packet);
    }
    while (this.flights.length > 4 * MEMORY) this.lost(this.flights.shift()!);
    return packets;
  }

  private choose(
    all: ReadonlyMap<number, { id: BodyId; state: Quanta }>,
    from: readonly number[] | null,
    interest: Interest,
  ): { slot: number; full: boolean; priority: number }[] {
    const { near = 30, far = 100 } = interest;
    const round = this.round++;
    const urgent: { slot: number; full: boolean; priority: number }[] = [];
    for (const [slot, { id, state }] of all) {
      let ghost = this.ghosts.get(slot);
      if (ghost === undefined || ghost.id !== id) {
        ghost = { id, sent: null, seq: -1, acked: null, ackedSeq: 0, ackedTick: 0, priority: 0 };
        this.ghosts.set(slot, ghost);
      }
      if (ghost.sent !== null && sameState(ghost.sent, state)) continue;
      const place = [state[0]! / PER_METRE, state[1]! / PER_METRE, state[2]! / PER_METRE];
      const kind = classOf(place, from, { ...interest, near, far });
      if (kind === NONE || (kind === FAR && (round + slot) % 4 !== 0)) continue;
      ghost.priority += kind === NEAR ? 4 : 1;
      urgent.push({ slot, full: kind === NEAR, priority: ghost.priority });
    }
    for (const slot of this.ghosts.keys()) if (!all.has(slot)) this.ghosts.delete(slot);
    return urgent.sort((a, b) => b.priority - a.priority || a.slot - b.slot);
  }
}

/** A state sent without velocities: the client keeps those that it had. */
function withSpeedOf(state: Quanta, base: Quanta): Quanta {
  const known = state.slice();
  if (known[ASLEEP] === 0) known.set(base.subarray(VELOCITY, VELOCITY + 6), VELOCITY);
  return known;
}

function sameState(a: Quanta, b: Quanta): boolean {
  for (let i = 0; i < LENGTH; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** One body in a packet of poses. */
export interface PoseEntry {
  slot: number;
  state: Quanta;
  /** Whether it has velocities. */
  full: boolean;
}

/** The poses of a client, at the client. */
export class PoseReceiver {
  /** By number of packet modulo REMEMBERED. */
  private readonly memory: ({ seq: number; tick: number; states: Map<number, Quanta> } | undefined)[] =
    new Array(REMEMBERED);
  private newest = -1;
  private mask = 0;

  /** Number of the newest packet, and a bit for each of the 32 before it that came. */
  get acks(): { seq: number; mask: number } {
    return { seq: Math.max(this.newest, 0), mask: this.newest < 0 ? 0 : this.mask };
  }

  /** The bodies of a packet; null if it is older than what is remembered, or came before. `rate`: ticks per s. */
  read(
    { seq, tick, rate }: { seq: number; tick: number; rate: number },
    reader: ByteReader,
  ): PoseEntry[] | null {
    const age = this.newest < 0 ? 0 : (this.newest - seq) & 0xffff;
    const isNew = this.newest < 0 || newer(seq, this.newest);
    if (!isNew && (age === 0 || age > WINDOW || (this.mask >>> (age - 1)) & 1)) return null;
    const entries: PoseEntry[] = [];
    const states = new Map<number, Quanta>();
    const coder = new RangeDecoder(reader, CLASSES, FLAGS);
    let distance = 0;
    for (let slot = -1; coder.flag(MORE_FLAG); ) {
      const step = coder.integer(SLOT_CLASS);
      slot += 1 + step;
      if (step < 0 || slot > MAX_BODIES || entries.length === BATCH) throw new Malformed('no such body');
      let base = NOTHING;
      if (coder.flag(BASED_FLAG)) {
        distance += coder.integer(AGE_CLASS);
        base = this.baseOf(slot, seq, distance, { tick, rate });
      }
      const { state, full } = readState(coder, base);
      states.set(slot, state);
      entries.push({ slot, state, full });
    }
    reader.end();
    this.memory[seq % REMEMBERED] = { seq, tick, states };
    if (isNew) {
      const ahead = this.newest < 0 ? 64 : (seq - this.newest) & 0xffff;
      this.mask = ahead > 32 ? 0 : ((ahead === 32 ? 0 : this.mask << ahead) | (1 << (ahead - 1))) >>> 0;
      this.newest = seq;
    } else this.mask = (this.mask | (1 << (age - 1))) >>> 0;
    return entries;
  }

  /** The state that a number of packets ago came of a body. */
  private baseOf(slot: number, seq: number, distance: number, now: { tick: number; rate: number }): Base {
    const at = (seq - distance) & 0xffff;
    const known = this.memory[at % REMEMBERED];
    const state = known?.seq === at ? known.states.get(slot) : undefined;
    if (state === undefined || distance <= 0 || distance >= MEMORY)
      throw new Malformed('a difference to what never came');
    return { state, distance, age: (now.tick - known!.tick) / now.rate };
  }
}

/** Whether a state differs from a body by more than what quanta make. m, and components of the quaternion. */
export function isOff(body: RigidBody, state: BodyState, full: boolean, tolerance: number): boolean {
  const p = body.getPosition();
  const q = body.getRotation();
  for (let i = 0; i < 3; i++) if (Math.abs(p[i]! - state.position[i]!) > tolerance) return true;
  const dot = q.reduce((sum, value, i) => sum + value * state.rotation[i]!, 0);
  if (1 - Math.abs(dot) > 5e-5) return true; // 1.1°
  if (!full) return false;
  const v = body.getLinearVelocity();
  const w = body.getAngularVelocity();
  for (let i = 0; i < 3; i++)
    if (Math.abs(v[i]! - state.linearVelocity[i]!) > 0.1 || Math.abs(w[i]! - state.angularVelocity[i]!) > 0.2)
      return true;
  return false;
}

/** Puts a body into a state from the server. */
export function correct(body: RigidBody, state: BodyState, full: boolean): void {
  body.setTransform(state.position, state.rotation);
  if (full) {
    body.setLinearVelocity(state.linearVelocity);
    body.setAngularVelocity(state.angularVelocity);
  }
  if (state.asleep) body.forceActivationState('sleeping');
}
