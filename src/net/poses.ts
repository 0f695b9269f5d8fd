// States of bodies in few bytes, for mode 'state'. In: a world, what a client has already. Out: packets of quantised
// differences to states that it has acknowledged, the most urgent bodies first; on the other side the states again.
//
// Rotations are the three smallest components of the quaternion (Fiedler, "Snapshot Compression", 2015); priorities that
// grow until a body is sent follow the same author's "State Synchronization".
import { type BodyId, MAX_BODIES, type RigidBody, type World } from 'ricochet';
import { type ByteReader, type ByteWriter, Malformed, newer } from './bytes';

/** Quanta per m: errors of at most 1 mm. */
const PER_METRE = 512;
/** Quanta per 1, of components of a quaternion: errors of about 0.03°. */
const PER_UNIT = 2048;
/** Quanta per m/s and per rad/s. */
const PER_SPEED = 64;
const MOST_QUANTA = 0x3fffffff;

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
/** Packets whose content a client remembers. */
const MEMORY = 64;

const FULL = 1;
const SLEEPS = 2;
const BASED = 4;
const MOVED = 8;
const TURNED = 16;
const TURNED_OVER = 32;
const SPED = 64;

/** Writes a state as its difference to another. `full`: with velocities. */
function writeState(
  out: ByteWriter,
  state: Quanta,
  base: { state: Quanta; distance: number } | null,
  full: boolean,
): void {
  const from = base?.state ?? ZERO;
  const differs = (at: number, count: number) => {
    for (let i = at; i < at + count; i++) if (state[i] !== from[i]) return true;
    return false;
  };
  const over = state[LARGEST] !== from[LARGEST];
  const flags =
    (full ? FULL : 0) |
    (state[ASLEEP] ? SLEEPS : 0) |
    (base === null ? 0 : BASED) |
    (differs(POSITION, 3) ? MOVED : 0) |
    (!over && differs(ROTATION, 3) ? TURNED : 0) |
    (over ? TURNED_OVER : 0) |
    (full && differs(VELOCITY, 6) ? SPED : 0);
  out.byte(flags);
  if (base !== null) out.byte(base.distance);
  const differences = (at: number, count: number) => {
    for (let i = at; i < at + count; i++) out.zigzag(state[i]! - from[i]!);
  };
  if (flags & MOVED) differences(POSITION, 3);
  if (flags & TURNED) differences(ROTATION, 3);
  if (flags & TURNED_OVER) {
    out.byte(state[LARGEST]!);
    for (let i = ROTATION; i < ROTATION + 3; i++) out.zigzag(state[i]!);
  }
  if (flags & SPED) differences(VELOCITY, 6);
}

/** `based`: the state that a distance of packets ago came of the same body. */
function readState(
  reader: ByteReader,
  based: (distance: number) => Quanta | undefined,
): { state: Quanta; full: boolean } {
  const flags = reader.byte();
  if (flags > 127 || (flags & TURNED && flags & TURNED_OVER)) throw new Malformed('no such state');
  const from = flags & BASED ? based(reader.byte()) : ZERO;
  if (from === undefined) throw new Malformed('a difference to what never came');
  const state = from.slice();
  const differences = (at: number, count: number) => {
    for (let i = at; i < at + count; i++) {
      state[i] = from[i]! + reader.zigzag();
      if (Math.abs(state[i]!) > MOST_QUANTA) throw new Malformed('out of range');
    }
  };
  if (flags & MOVED) differences(POSITION, 3);
  if (flags & TURNED) differences(ROTATION, 3);
  if (flags & TURNED_OVER) {
    state[LARGEST] = reader.byte();
    if (state[LARGEST]! > 3) throw new Malformed('a quaternion of more than four');
    for (let i = ROTATION; i < ROTATION + 3; i++) state[i] = reader.zigzag();
  }
  for (let i = ROTATION; i < ROTATION + 3; i++)
    if (Math.abs(state[i]!) > PER_UNIT) throw new Malformed('no unit quaternion');
  if (flags & SPED) differences(VELOCITY, 6);
  state[ASLEEP] = flags & SLEEPS ? 1 : 0;
  if (state[ASLEEP] === 1) state.fill(0, VELOCITY, VELOCITY + 6);
  return { state, full: (flags & FULL) !== 0 };
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
  /** Grows until the body is sent. */
  priority: number;
}

/** A packet that is under way. */
interface Flight {
  seq: number;
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

  private arrived({ seq, entries }: Flight): void {
    for (const { slot, id, state } of entries) {
      const ghost = this.ghosts.get(slot);
      if (ghost === undefined || ghost.id !== id) continue;
      if (ghost.acked !== null && !newer(seq, ghost.ackedSeq)) continue;
      ghost.acked = state;
      ghost.ackedSeq = seq;
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
   * @param head  writes the beginning of a packet with this number
   * @param from  where the client looks from
   */
  send(
    all: ReadonlyMap<number, { id: BodyId; state: Quanta }>,
    from: readonly number[] | null,
    interest: Interest,
    limit: { bytes: number; packet: number },
    head: (seq: number) => ByteWriter,
  ): Uint8Array<ArrayBuffer>[] {
    const urgent = this.choose(all, from, interest);
    const packets: Uint8Array<ArrayBuffer>[] = [];
    let next = 0;
    for (let used = 0; next < urgent.length && used < limit.bytes; ) {
      const out = head((this.seq = (this.seq + 1) & 0xffff));
      const flight: Flight = { seq: this.seq, entries: [] };
      let before = 0;
      // Slots within a packet ascend; which bodies are in it was decided by priority, so that a packet is cut where it is full.
      const batch = urgent.slice(next, next + 64).sort((a, b) => a.slot - b.slot);
      let taken = 0;
      for (const { slot, full } of batch) {
        if (out.length > limit.packet) break;
        const { id, state } = all.get(slot)!;
        const ghost = this.ghosts.get(slot)!;
        out.varint(slot - before);
        before = slot;
        const distance = (this.seq - ghost.ackedSeq) & 0xffff;
        const usable = ghost.acked !== null && distance < MEMORY;
        writeState(out, state, usable ? { state: ghost.acked!, distance } : null, full);
        ghost.sent = state;
        ghost.seq = this.seq;
        ghost.priority = 0;
        flight.entries.push({
          slot,
          id,
          state: full ? state : withSpeedOf(state, usable ? ghost.acked! : ZERO),
        });
        taken++;
      }
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
        ghost = { id, sent: null, seq: -1, acked: null, ackedSeq: 0, priority: 0 };
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
  /** By number of packet modulo MEMORY. */
  private readonly memory: ({ seq: number; states: Map<number, Quanta> } | undefined)[] = new Array(MEMORY);
  private newest = -1;
  private mask = 0;

  /** Number of the newest packet, and a bit for each of the 32 before it that came. */
  get acks(): { seq: number; mask: number } {
    return { seq: Math.max(this.newest, 0), mask: this.newest < 0 ? 0 : this.mask };
  }

  /** The bodies of a packet; null if it is older than what is remembered, or came before. */
  read(seq: number, reader: ByteReader): PoseEntry[] | null {
    const age = this.newest < 0 ? 0 : (this.newest - seq) & 0xffff;
    const isNew = this.newest < 0 || newer(seq, this.newest);
    if (!isNew && (age === 0 || age > WINDOW || (this.mask >>> (age - 1)) & 1)) return null;
    const entries: PoseEntry[] = [];
    const states = new Map<number, Quanta>();
    let slot = 0;
    while (reader.left > 0) {
      slot += reader.varint(MAX_BODIES);
      if (slot > MAX_BODIES || states.has(slot)) throw new Malformed('no such body');
      const own = slot;
      const { state, full } = readState(reader, (distance) => {
        const at = (seq - distance) & 0xffff;
        const known = this.memory[at % MEMORY];
        return known?.seq === at ? known.states.get(own) : undefined;
      });
      states.set(slot, state);
      entries.push({ slot, state, full });
    }
    this.memory[seq % MEMORY] = { seq, states };
    if (isNew) {
      const ahead = this.newest < 0 ? 64 : (seq - this.newest) & 0xffff;
      this.mask = ahead > 32 ? 0 : ((ahead === 32 ? 0 : this.mask << ahead) | (1 << (ahead - 1))) >>> 0;
      this.newest = seq;
    } else this.mask = (this.mask | (1 << (age - 1))) >>> 0;
    return entries;
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
