// What is drawn. In: poses of the last two ticks, corrections. Out: poses between ticks, from which corrections fade
// evenly. Nothing of it returns to the simulation.
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

/** Radians per metre of the limit on speed. */
const TURN_PER_METRE = 4;

interface Track {
  before: Float32Array;
  now: Float32Array;
  /** Position, and the vector part of a small turn, that is still drawn on top. */
  offset: Float64Array;
  seen: number;
}

/** Poses to draw, of all bodies that can move. */
export class Drawing {
  private readonly tracks = new Map<BodyId, Track>();
  private stamp = 0;
  private readonly pose = new Float32Array(7);
  private readonly held = new Map<BodyId, Float64Array>();
  /** Share of a tick that is shown after the tick before the last. */
  alpha = 1;
  private readonly time: number;
  private readonly speed: number;
  private readonly snap: number;

  constructor({ time = 0.1, speed = 1, snap = 3 }: Smoothing) {
    this.time = time;
    this.speed = speed;
    this.snap = snap;
  }

  /** Forgets everything. */
  clear(): void {
    this.tracks.clear();
    this.held.clear();
  }

  /** Poses of the tick before the last (`isLast` false), then of the last. */
  capture(world: World, isLast: boolean): void {
    this.stamp++;
    for (const body of world.bodies()) {
      if (body.type === 'static') continue;
      let track = this.tracks.get(body.id);
      if (track === undefined) {
        track = {
          before: new Float32Array(7),
          now: new Float32Array(7),
          offset: new Float64Array(6),
          seen: 0,
        };
        this.tracks.set(body.id, track);
        body.getPose(track.before);
        body.getPose(track.now);
      }
      body.getPose(isLast ? track.now : track.before);
      track.seen = this.stamp;
    }
    if (isLast) for (const [id, track] of this.tracks) if (track.seen !== this.stamp) this.tracks.delete(id);
  }

  /** Before a correction: keeps what is drawn now. */
  hold(): void {
    this.held.clear();
    for (const [id, track] of this.tracks) {
      this.write(track, this.pose);
      const kept = new Float64Array(10);
      kept.set(this.pose);
      kept.set(track.now.subarray(0, 3), 7);
      this.held.set(id, kept);
    }
  }

  /** After it: what was drawn stays drawn, and fades. Returns by how much bodies are elsewhere, m: more than 0.1 mm. */
  release(): [BodyId, number][] {
    const corrections: [BodyId, number][] = [];
    for (const [id, track] of this.tracks) {
      const kept = this.held.get(id);
      if (kept === undefined) continue;
      const { now, offset } = track;
      const moved = Math.sqrt(
        square(kept[7]! - now[0]!) + square(kept[8]! - now[1]!) + square(kept[9]! - now[2]!),
      );
      if (moved > 1e-4) corrections.push([id, moved]);
      offset.fill(0);
      this.write(track, this.pose);
      const away = [0, 1, 2].map((i) => kept[i]! - this.pose[i]!);
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

  private write({ before, now, offset }: Track, out: Float32Array): void {
    const { alpha } = this;
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
