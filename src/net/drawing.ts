// What is drawn. In: poses of the last two ticks, corrections. Out: poses between ticks, from which corrections fade
// evenly; of bodies that nobody can predict, poses of the time that is known. Nothing of it returns to the simulation.
//
// That different bodies are drawn at different times, and at the same where they meet: Sharkey, Ryan, Roberts, "A local
// perception filter for distributed virtual environments", VRAIS 1998.
import type { BodyId, RigidBody, World } from 'ricochet';

/** How corrections fade from what is drawn. */
export interface Smoothing {
  /** s: time constant. Default 0.1. */
  time?: number;
  /** m/s: no correction moves what is drawn faster. Default 1: 1.7 cm per frame at 60 Hz. */
  speed?: number;
  /** m: beyond it, bodies are drawn at their new place at once. Default 3. */
  snap?: number;
}

/** Ticks of which poses of bodies in the past are kept. */
const PAST = 256;
/** Ticks per tick by which the time of a body in the past goes faster or slower to where it should be. */
const TIME_SLEW = 0.25;
/** Ticks of safety behind the newest tick that is known: packets come in threes. */
const PAST_SPARE = 2;

/** Radians per metre of the limit on speed. */
const TURN_PER_METRE = 4;

interface Track {
  id: BodyId;
  before: Float32Array;
  now: Float32Array;
  /** Position, and the vector part of a small turn, that is still drawn on top. */
  offset: Float64Array;
  seen: number;
  /** A body of another meaning may get the same id when the past is put right. */
  userIndex: number;
  /** How far in the past it is drawn, 0 … 1, and how far it should be. */
  share: number;
  wanted: number;
  /** Poses by tick modulo PAST, and their ticks. */
  past: { poses: Float32Array; ticks: Int32Array } | null;
}

/** 0 … 1 for a body: see RoomClientOptions.past. */
export type PastShare = (body: RigidBody, world: World) => number;

/** Poses to draw, of all bodies that can move. */
export class Drawing {
  private readonly tracks = new Map<BodyId, Track>();
  private stamp = 0;
  private readonly pose = new Float32Array(7);
  private readonly held = new Map<BodyId, Float64Array>();
  /** Share of a tick that is shown after the tick before the last. */
  alpha = 1;
  /** Time of the client, ticks. */
  private position = 0;
  /** Ticks by which the past is behind. */
  private lag = 0;
  private readonly time: number;
  private readonly speed: number;
  private readonly snap: number;

  constructor(
    { time = 0.1, speed = 1, snap = 3 }: Smoothing,
    private readonly pastShare: PastShare | null = null,
  ) {
    this.time = time;
    this.speed = speed;
    this.snap = snap;
  }

  /** Forgets everything. */
  clear(): void {
    this.tracks.clear();
    this.held.clear();
  }

  /** A tick was made, perhaps again: where bodies in the past were then. */
  note(world: World, tick: number): void {
    if (this.pastShare === null) return;
    for (const track of this.tracks.values()) {
      if (track.past === null) continue;
      const body = world.getBody(track.id);
      if (body === undefined || body.userIndex !== track.userIndex) continue;
      const at = tick % PAST;
      track.past.ticks[at] = tick;
      track.past.poses.set(body.getPose(this.pose), 7 * at);
    }
  }

  /** Time goes on. `known`: all ticks before it are the server's. `position`, `elapsed`: ticks. */
  advance(position: number, known: number, elapsed: number): void {
    this.position = position;
    if (this.pastShare === null) return;
    const most = TIME_SLEW * elapsed;
    const behind = position - 1 - known + PAST_SPARE;
    // It grows as fast as it may, and shrinks slowly: packets do not come evenly.
    this.lag += this.lag === 0 ? behind : Math.max(-0.1 * most, Math.min(most, behind - this.lag));
    this.lag = Math.max(0, Math.min(PAST - 4, this.lag));
    for (const track of this.tracks.values()) {
      if (track.past === null) continue;
      const step = most / Math.max(1, this.lag);
      track.share += Math.max(-step, Math.min(step, track.wanted - track.share));
    }
  }

  /** Poses of the tick before the last (`isLast` false), then of the last. */
  capture(world: World, isLast: boolean): void {
    this.stamp++;
    for (const body of world.bodies()) {
      if (body.type === 'static') continue;
      let track = this.tracks.get(body.id);
      if (track?.userIndex !== body.userIndex) {
        track = this.track(body);
        this.tracks.set(body.id, track);
      }
      body.getPose(isLast ? track.now : track.before);
      track.seen = this.stamp;
      if (isLast && this.pastShare !== null) this.setShare(track, this.pastShare(body, world));
    }
    if (isLast) for (const [id, track] of this.tracks) if (track.seen !== this.stamp) this.tracks.delete(id);
  }

  private track(body: RigidBody): Track {
    const pose = body.getPose(new Float32Array(7));
    return {
      id: body.id,
      before: pose,
      now: pose.slice(),
      offset: new Float64Array(6),
      seen: 0,
      userIndex: body.userIndex,
      share: 0,
      wanted: 0,
      past: null,
    };
  }

  private setShare(track: Track, share: number): void {
    track.wanted = Math.max(0, Math.min(1, share)) || 0;
    if (track.past === null && track.wanted > 0) {
      track.past = { poses: new Float32Array(7 * PAST), ticks: new Int32Array(PAST).fill(-1) };
    }
  }

  /** Before a correction: keeps what is drawn now. */
  hold(): void {
    this.held.clear();
    for (const [id, track] of this.tracks) {
      this.write(track, this.pose);
      const kept = new Float64Array(11);
      kept.set(this.pose);
      kept.set(track.now.subarray(0, 3), 7);
      kept[10] = track.userIndex;
      this.held.set(id, kept);
    }
  }

  /**
   * After it: what was drawn stays drawn, and fades. Returns by how much bodies are elsewhere, m, more than 0.1 mm; and by
   * how much what is drawn of them has to move.
   */
  release(): [body: BodyId, metres: number, drawn: number][] {
    const corrections: [BodyId, number, number][] = [];
    for (const [id, track] of this.tracks) {
      const kept = this.held.get(id);
      if (kept?.[10] !== track.userIndex) continue;
      const { now, offset } = track;
      const moved = Math.sqrt(
        square(kept[7]! - now[0]!) + square(kept[8]! - now[1]!) + square(kept[9]! - now[2]!),
      );
      const before = offset.slice();
      offset.fill(0);
      this.write(track, this.pose);
      const away = [0, 1, 2].map((i) => kept[i]! - this.pose[i]!);
      // Without what still fades from corrections before.
      const drawn = Math.sqrt(away.reduce((sum, d, i) => sum + square(d - before[i]!), 0));
      if (moved > 1e-4) corrections.push([id, moved, drawn]);
      if (Math.sqrt(away.reduce((sum, d) => sum + d * d, 0)) > this.snap) continue;
      offset.set(away);
      turnBetween(this.pose, kept, offset);
    }
    this.held.clear();
    return corrections;
  }

  /** Fades corrections for `elapsed` s. */
  fade(elapsed: number): void {
    const keep = 1 / (1 + elapsed / this.time);
    for (const { offset } of this.tracks.values()) {
      shrink(offset, 0, keep, this.speed * elapsed);
      shrink(offset, 3, keep, TURN_PER_METRE * this.speed * elapsed);
    }
  }

  /** Seven numbers: position, m, and rotation. */
  read(body: RigidBody | BodyId, out: Float32Array): Float32Array {
    const track = this.tracks.get(typeof body === 'number' ? body : body.id);
    if (track !== undefined) this.write(track, out);
    else if (typeof body !== 'number' && !body.isRemoved) body.getPose(out);
    return out;
  }

  /** The two poses between which a body is drawn. */
  private between({ before, now, past, share }: Track): {
    before: Float32Array;
    now: Float32Array;
    alpha: number;
  } {
    if (past !== null && share > 0) {
      const time = this.position - 1 - share * this.lag;
      const tick = Math.floor(time);
      const [a, b] = [tick % PAST, (tick + 1) % PAST];
      if (tick >= 0 && past.ticks[a] === tick && past.ticks[b] === tick + 1)
        return {
          before: past.poses.subarray(7 * a, 7 * a + 7),
          now: past.poses.subarray(7 * b, 7 * b + 7),
          alpha: time - tick,
        };
    }
    return { before, now, alpha: this.alpha };
  }

  private write(track: Track, out: Float32Array): void {
    const { offset } = track;
    const { before, now, alpha } = this.between(track);
    for (let i = 0; i < 3; i++) out[i] = before[i]! + (now[i]! - before[i]!) * alpha + offset[i]!;
    let dot = 0;
    for (let i = 3; i < 7; i++) dot += before[i]! * now[i]!;
    const side = dot < 0 ? -1 : 1;
    for (let i = 3; i < 7; i++) out[i] = before[i]! * (1 - alpha) + side * now[i]! * alpha;
    // The turn comes from the left: world axes.
    const [x, y, z] = [offset[3]!, offset[4]!, offset[5]!];
    const w = Math.sqrt(Math.max(0, 1 - x * x - y * y - z * z));
    const [a, b, c, d] = [out[3]!, out[4]!, out[5]!, out[6]!];
    out[3] = w * a + x * d + y * c - z * b;
    out[4] = w * b - x * c + y * d + z * a;
    out[5] = w * c + x * b - y * a + z * d;
    out[6] = w * d - x * a - y * b - z * c;
    const length = Math.sqrt(square(out[3]!) + square(out[4]!) + square(out[5]!) + square(out[6]!));
    for (let i = 3; i < 7; i++) out[i]! /= length;
  }
}

const square = (x: number) => x * x;

/** Writes the vector part of the turn from pose `from` to pose `to`, the shorter way. */
function turnBetween(from: Float32Array, to: Float64Array, out: Float64Array): void {
  const [a, b, c, d] = [-from[3]!, -from[4]!, -from[5]!, from[6]!];
  const [x, y, z, w] = [to[3]!, to[4]!, to[5]!, to[6]!];
  const side = w * d - x * a - y * b - z * c < 0 ? -1 : 1;
  out[3] = side * (w * a + x * d + y * c - z * b);
  out[4] = side * (w * b - x * c + y * d + z * a);
  out[5] = side * (w * c + x * b - y * a + z * d);
}

/** Makes three numbers smaller: by a factor, but not by more than `most`. */
function shrink(values: Float64Array, at: number, keep: number, most: number): void {
  const length = Math.sqrt(square(values[at]!) + square(values[at + 1]!) + square(values[at + 2]!));
  if (length === 0) return;
  const factor = length < 1e-6 ? 0 : Math.max(keep, 1 - most / length);
  for (let i = at; i < at + 3; i++) values[i]! *= factor;
}
