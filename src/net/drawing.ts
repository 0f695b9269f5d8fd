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
  /** m: nor further in one update, however long it took. Default 0.018. */
  step?: number;
  /** m: beyond it, bodies are drawn at their new place at once. Default 2. */
  snap?: number;
}

/** Ticks of which poses of bodies in the past are kept. */
const PAST = 256;
/** Ticks per tick by which the time of a body in the past goes faster or slower to where it should be. */
const TIME_SLEW = 0.25;
/** Ticks of safety behind the newest tick that is known: packets come in threes. */
const PAST_SPARE = 2;

/** Sine of half the turn, per metre of the limits: what rolls turns as far as it moves if its radius is 0.5 m. */
const TURN_PER_METRE = 1;

interface Track {
  id: BodyId;
  before: Float32Array;
  now: Float32Array;
  /** Position, and the vector part of a small turn, that is still drawn on top. */
  offset: Float64Array;
  seen: number;
  /** A body of another meaning may get the same id when the past is put right. */
  userIndex: number;
  /** Ticks by which it is drawn in the past, and how far it should be, 0 … 1. */
  behind: number;
  wanted: number;
  /** Poses by tick modulo PAST, their ticks, the first of them; and what was drawn last. */
  past: { poses: Float32Array; ticks: Int32Array; since: number; drawn: Float32Array } | null;
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
  /** s: length of a tick. */
  dt = 1 / 60;
  /** Time of the client, ticks. */
  position = 0;
  /** Ticks by which the past is behind. */
  private lag = 0;
  private readonly time: number;
  private readonly speed: number;
  private readonly step: number;
  private readonly snap: number;

  constructor(
    { time = 0.1, speed = 1, step = 0.018, snap = 2 }: Smoothing,
    private readonly pastShare: PastShare | null = null,
  ) {
    this.time = time;
    this.speed = speed;
    this.step = step;
    this.snap = snap;
  }

  /** A tick was made, perhaps again: where bodies in the past were then. */
  note(world: World, tick: number): void {
    if (this.pastShare === null) return;
    for (const track of this.tracks.values()) {
      const { past } = track;
      if (past === null) continue;
      const body = world.getBody(track.id);
      if (body === undefined || body.userIndex !== track.userIndex) continue;
      const at = tick % PAST;
      past.ticks[at] = tick;
      past.since = Math.min(past.since, tick);
      past.poses.set(body.getPose(this.pose), 7 * at);
    }
  }

  /** A state was loaded: what is remembered of the ticks before may be of another account. */
  restart(position: number, dt: number): void {
    this.position = position;
    this.dt = dt;
    this.alpha = 1;
    this.lag = 0;
    for (const track of this.tracks.values()) {
      track.behind = 0;
      if (track.past === null) continue;
      track.past.ticks.fill(-1);
      track.past.since = Infinity;
    }
  }

  /** Bodies were put right in a tick, by no fault of the tick before: so they were elsewhere all the time. */
  correct(world: World, tick: number): void {
    for (const { id, userIndex, past } of this.tracks.values()) {
      const body = world.getBody(id);
      if (past === null || past.ticks[tick % PAST] !== tick || body?.userIndex !== userIndex) continue;
      const { poses, ticks } = past;
      body.getPose(this.pose);
      const away = [0, 1, 2].map((i) => this.pose[i]! - poses[7 * (tick % PAST) + i]!);
      if (away.every((d) => d === 0)) continue;
      for (let at = 0; at < PAST; at++)
        if (ticks[at]! < tick) for (let i = 0; i < 3; i++) poses[7 * at + i]! += away[i]!;
    }
    this.note(world, tick);
  }

  /**
   * Time goes on, and corrections fade: nothing that is drawn moves by more than the limits of Smoothing, beside what it
   * moves by itself. `known`: all ticks before it are the server's. `position`, `elapsed`: ticks; `seconds`: s.
   */
  advance(position: number, known: number, elapsed: number, seconds: number): void {
    this.position = position;
    const most = TIME_SLEW * elapsed;
    const behind = position - 1 - known + PAST_SPARE;
    // It grows as fast as it may, and shrinks slowly: packets do not come evenly.
    this.lag += this.lag === 0 ? behind : Math.max(-0.1 * most, Math.min(most, behind - this.lag));
    this.lag = Math.max(0, Math.min(PAST - 4, this.lag));
    const keep = 1 / (1 + seconds / this.time);
    const way = Math.min(this.speed * seconds, this.step);
    for (const track of this.tracks.values()) {
      if (track.past !== null) this.slew(track, track.past, most);
      shrink(track.offset, 0, keep, way);
      shrink(track.offset, 3, keep, TURN_PER_METRE * way);
      if (track.past !== null) this.write(track, track.past.drawn);
    }
  }

  /** Moves the time at which a body is drawn to where it should be; what is drawn does not follow yet. */
  private slew(track: Track, past: NonNullable<Track['past']>, most: number): void {
    const { drawn } = past;
    const { behind } = track;
    const wanted = Math.min(track.wanted * this.lag, Math.max(0, this.position - 1 - past.since));
    // Its own motion; if that time is not known, as the body was not there in what happened really, none.
    if (behind === 0 || this.isKnown(track)) this.write(track, drawn);
    track.behind += Math.max(-most, Math.min(most, wanted - behind));
    if (track.behind !== behind || !this.isKnown(track)) this.keep(track, drawn);
  }

  private isKnown({ past, behind }: Track): boolean {
    const tick = Math.floor(this.position - 1 - behind);
    return (
      past !== null &&
      tick >= 0 &&
      past.ticks[tick % PAST] === tick &&
      past.ticks[(tick + 1) % PAST] === tick + 1
    );
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
        // It is new in the last tick: it comes from where its velocity brought it from.
        if (isLast) track.before.set(body.getLinearVelocity().map((v, i) => track!.now[i]! - v * this.dt));
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
      behind: 0,
      wanted: 0,
      past: null,
    };
  }

  private setShare(track: Track, share: number): void {
    track.wanted = Math.max(0, Math.min(1, share)) || 0;
    if (track.past !== null || track.wanted === 0) return;
    const [poses, ticks] = [new Float32Array(7 * PAST), new Int32Array(PAST).fill(-1)];
    track.past = { poses, ticks, since: Infinity, drawn: new Float32Array(7) };
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
      const [x, y, z] = offset;
      this.keep(track, kept);
      // Without what still fades from corrections before.
      const drawn = Math.sqrt(square(offset[0]! - x!) + square(offset[1]! - y!) + square(offset[2]! - z!));
      if (moved > 1e-4) corrections.push([id, moved, drawn]);
    }
    this.held.clear();
    return corrections;
  }

  /** Draws a body where it was drawn, unless it is too far away. */
  private keep(track: Track, drawn: ArrayLike<number>): void {
    const { offset } = track;
    offset.fill(0);
    this.write(track, this.pose);
    const [x, y, z] = [0, 1, 2].map((i) => drawn[i]! - this.pose[i]!) as [number, number, number];
    if (x * x + y * y + z * z > this.snap * this.snap) return;
    offset.set([x, y, z]);
    turnBetween(this.pose, drawn, offset);
  }

  /** Seven numbers: position, m, and rotation. */
  read(body: RigidBody | BodyId, out: Float32Array): Float32Array {
    const track = this.tracks.get(typeof body === 'number' ? body : body.id);
    if (track !== undefined) this.write(track, out);
    else if (typeof body !== 'number' && !body.isRemoved) body.getPose(out);
    return out;
  }

  /** The two poses between which a body is drawn. */
  private between(track: Track): { before: Float32Array; now: Float32Array; alpha: number } {
    const { before, now, past, behind } = track;
    if (past === null || behind === 0 || !this.isKnown(track)) return { before, now, alpha: this.alpha };
    const time = this.position - 1 - behind;
    const tick = Math.floor(time);
    const [a, b] = [7 * (tick % PAST), 7 * ((tick + 1) % PAST)];
    return {
      before: past.poses.subarray(a, a + 7),
      now: past.poses.subarray(b, b + 7),
      alpha: time - tick,
    };
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
function turnBetween(from: Float32Array, to: ArrayLike<number>, out: Float64Array): void {
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
