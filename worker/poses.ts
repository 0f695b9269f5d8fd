// Poses on the page. In: frames from the host, and poses that the client set itself. Out: the pose of a body for
// drawing, read without a message and without allocation. Holds the latest frames; the oldest one goes back to the host
// when a newer one arrives.
import { type JointId, MAX_SLOT } from '../src/base/ids';
import { fillQuat, fillVec3 } from '../src/base/out';
import type { QuatOut, Vec3Out } from '../src/types';
import { FRAMES_HELD, type FrameRoom } from './board';
import { interpolatePose, POSE_WORDS, RenderClock } from './interpolate';
import { FRAME, FRAME_RUNNING, FRAME_SNAP, JOINT_WORDS, VELOCITY_WORDS } from './protocol';

/** Bit of a pose's flags, as in the core's BodyPose. */
const POSE_AWAKE = 1;
const FLAGS = 3; // word of a pose with the flags

/** Data of a frame that the store needs; one object per held frame, reused. */
class Frame {
  room: FrameRoom | null = null;
  words: Int32Array = new Int32Array(0);
  floats: Float32Array = new Float32Array(0);
  /** Word of slot 0's pose. */
  base = 0;
  /** Word of slot 0's velocity; 0 for none. */
  velocities = 0;
  /** Word of the readings of joints; 0 for none. */
  joints = 0;
  slots = 0;
  sequence = 0;
  due = 0;
  period = 0;
  flags = FRAME_SNAP;

  fill(room: FrameRoom): void {
    const { words, floats, doubles } = room;
    this.room = room;
    this.words = words;
    this.floats = floats;
    this.base = words[FRAME.POSE_OFFSET] as number;
    this.velocities = words[FRAME.VELOCITY_OFFSET] as number;
    this.joints = words[FRAME.JOINT_OFFSET] as number;
    this.slots = words[FRAME.POSE_SLOTS] as number;
    this.sequence = words[FRAME.SEQUENCE] as number;
    this.due = doubles[FRAME.DUE / 2] as number;
    this.period = floats[FRAME.PERIOD] as number;
    this.flags = words[FRAME.FLAGS] as number;
  }
}

export class PoseStore {
  /** The newest first. */
  private readonly frames = Array.from({ length: FRAMES_HELD }, () => new Frame());
  private newest = this.frames[0] as Frame;
  /** Number of frames, from the newest on, between which time runs without a break. */
  private linked = 1;
  private readonly clock = new RenderClock();
  /** The drawn pose is between these two frames, at `fraction`; 1 is `to`. */
  private from = this.newest;
  private to = this.newest;
  private fraction = 1;
  /**
   * Poses set by the client, and the sequence number of the command buffer with each: used until that buffer was
   * applied.
   */
  private local = new Float32Array(0);
  private localSequence = new Int32Array(0);
  /**
   * The same for velocities: three linear and three angular numbers per slot, with a sequence number for each three.
   */
  private localVelocity = new Float32Array(0);
  private velocitySequence = new Int32Array(0);
  /** The highest number in localSequence: newer frames contain all of them. */
  private lastLocal = 0;
  private readonly scratch = new Float64Array(8);

  /** The newest frame. */
  get frame(): FrameRoom {
    return this.newest.room as FrameRoom;
  }

  /** The last command buffer whose effect the newest frame shows. */
  get sequence(): number {
    return this.newest.sequence;
  }

  /** ms. The drawn moment by the host's clock. NaN: that of the newest frame. */
  get shown(): number {
    return this.clock.shown;
  }

  /** The drawn moment: between these frames, at `fraction`. */
  get drawn(): { from: FrameRoom | null; to: FrameRoom | null; fraction: number } {
    return { from: this.from.room, to: this.to.room, fraction: this.fraction };
  }

  /** Takes over a frame; returns the one that is no longer needed, or null. */
  receive(room: FrameRoom, now: number): FrameRoom | null {
    const { frames, newest: older } = this;
    const frame = frames[FRAMES_HELD - 1] as Frame;
    const released = frame.room;
    for (let i = FRAMES_HELD - 1; i > 0; i--) frames[i] = frames[i - 1] as Frame;
    this.newest = frames[0] = frame;
    frame.fill(room);
    const runs = (frame.flags & FRAME_RUNNING) !== 0;
    const gap = frame.due - older.due;
    // No interpolation across a start, a restore or a pause.
    const joins = runs && (older.flags & FRAME_RUNNING) !== 0 && gap >= 0 && gap <= 10 * frame.period + 50;
    this.linked = joins ? Math.min(this.linked + 1, FRAMES_HELD) : 1;
    if (!joins) this.clock.reset();
    this.clock.newest = frame.due;
    if (runs) this.clock.observe(now);
    this.advance(now);
    return released;
  }

  /** Fixes the moment of drawing; all reads until the next call show the same moment. */
  advance(now: number): void {
    const { newest, frames, linked, clock } = this;
    this.from = this.to = newest;
    this.fraction = 1;
    if ((newest.flags & FRAME_RUNNING) === 0) return;
    // Otherwise the drawing time can wait for the first frame.
    clock.oldest = linked === FRAMES_HELD ? (frames[FRAMES_HELD - 1] as Frame).due : Number.NEGATIVE_INFINITY;
    clock.newest = newest.due;
    clock.period = newest.period;
    clock.advance(now);
    const moment = clock.shown;
    if (linked === 1 || !(moment < newest.due)) return;
    let i = 1;
    while (i < linked - 1 && moment < (frames[i] as Frame).due) i++;
    this.from = frames[i] as Frame;
    this.to = frames[i - 1] as Frame;
    const interval = this.to.due - this.from.due;
    this.fraction = interval > 0 ? Math.max(0, Math.min((moment - this.from.due) / interval, 1)) : 1;
    this.scratch[7] = this.fraction;
  }

  /** A worker was replaced, and its clock is a different one. */
  forgetTime(): void {
    this.linked = 1;
    this.clock.reset();
    this.newest.flags = FRAME_SNAP;
    this.from = this.to = this.newest;
    this.fraction = 1;
  }

  /** The world is gone. */
  forgetFrames(): void {
    for (let i = 0; i < FRAMES_HELD; i++) this.frames[i] = new Frame();
    this.newest = this.from = this.to = this.frames[0] as Frame;
    this.linked = 1;
    this.fraction = 1;
  }

  /** The client set a pose by the command buffer `sequence`: until that is applied, this is the body's pose. */
  setLocal(slot: number, position: ArrayLike<number>, rotation: ArrayLike<number>, sequence: number): void {
    if (slot >= this.localSequence.length) this.grow(slot);
    this.localSequence[slot] = sequence;
    this.lastLocal = sequence;
    const at = slot * POSE_WORDS;
    for (let i = 0; i < 3; i++) this.local[at + i] = position[i] as number;
    for (let i = 0; i < 4; i++) this.local[at + 4 + i] = rotation[i] as number;
  }

  /** After a restore: forgets all poses set before. */
  forgetLocal(): void {
    this.localSequence.fill(0);
    this.velocitySequence.fill(0);
    this.lastLocal = 0;
  }

  private grow(slot: number): void {
    let slots = Math.max(64, this.localSequence.length);
    while (slots <= slot) slots *= 2;
    const local = new Float32Array(slots * POSE_WORDS);
    local.set(this.local);
    for (let w = this.local.length + POSE_WORDS - 1; w < local.length; w += POSE_WORDS) local[w] = 1;
    this.local = local;
    const sequence = new Int32Array(slots);
    sequence.set(this.localSequence);
    this.localSequence = sequence;
  }

  isAwake(slot: number): boolean {
    const { newest } = this;
    if (this.isLocal(slot)) return true;
    return ((newest.words[newest.base + slot * POSE_WORDS + FLAGS] as number) & POSE_AWAKE) !== 0;
  }

  /** The client set a velocity by the command buffer `sequence`: linear at `offset` 0, angular at 3. */
  setLocalVelocity(slot: number, offset: 0 | 3, velocity: ArrayLike<number>, sequence: number): void {
    const index = 2 * slot + (offset === 0 ? 0 : 1);
    if (index >= this.velocitySequence.length) this.growVelocities(slot);
    this.velocitySequence[index] = sequence;
    for (let i = 0; i < 3; i++) this.localVelocity[3 * index + i] = velocity[i] as number;
  }

  private growVelocities(slot: number): void {
    let slots = Math.max(64, this.velocitySequence.length >> 1);
    while (slots <= slot) slots *= 2;
    const velocities = new Float32Array(slots * VELOCITY_WORDS);
    velocities.set(this.localVelocity);
    this.localVelocity = velocities;
    const sequence = new Int32Array(2 * slots);
    sequence.set(this.velocitySequence);
    this.velocitySequence = sequence;
  }

  /** Velocities of the newest frame, linear at `offset` 0 and angular at 3, or as they were set since. */
  readVelocity<T extends Vec3Out>(slot: number, offset: 0 | 3, out: T): T {
    const { newest } = this;
    const index = 2 * slot + (offset === 0 ? 0 : 1);
    const set = index < this.velocitySequence.length ? (this.velocitySequence[index] as number) : 0;
    if (set > newest.sequence || slot >= newest.slots || newest.velocities === 0) {
      if (set === 0) return fillVec3(out, 0, 0, 0);
      const local = this.localVelocity;
      return fillVec3(out, local[3 * index]!, local[3 * index + 1]!, local[3 * index + 2]!);
    }
    const at = newest.velocities + VELOCITY_WORDS * slot + offset;
    const { floats } = newest;
    return fillVec3(out, floats[at] as number, floats[at + 1] as number, floats[at + 2] as number);
  }

  /** Words and floats with the readings of joints. */
  get readings(): { readonly words: Int32Array; readonly floats: Float32Array } {
    return this.newest;
  }

  /** Index of a joint's readings in the words of the newest frame; 0: none. */
  readingOf(id: JointId): number {
    const { words, joints } = this.newest;
    if (joints === 0) return 0;
    const end = joints + 1 + JOINT_WORDS * (words[joints] as number);
    for (let at = joints + 1; at < end; at += JOINT_WORDS) if (words[at] === id) return at;
    return 0;
  }

  readPosition<T extends Vec3Out>(slot: number, out: T): T {
    const pose = this.sample(slot);
    return fillVec3(out, pose[0] as number, pose[1] as number, pose[2] as number);
  }

  readRotation<T extends QuatOut>(slot: number, out: T): T {
    const pose = this.sample(slot);
    return fillQuat(out, pose[3] as number, pose[4] as number, pose[5] as number, pose[6] as number);
  }

  /**
   * Writes column-major 4 × 4 matrices (three.js, WebGL) of `count` bodies to `out`, 16 floats each.
   *
   * @param ids  of bodies; at 0, and nowhere else, nothing is written
   * @param scales  three factors per body, or null for 1
   */
  writeMatrices(
    ids: ArrayLike<number>,
    count: number,
    scales: ArrayLike<number> | null,
    out: Float32Array,
  ): void {
    for (let i = 0, at = 0; i < count; i++, at += 16) {
      const id = ids[i] as number;
      if (id === 0 || typeof id !== 'number') continue;
      const pose = this.sample(id & MAX_SLOT);
      let sx = 1;
      let sy = 1;
      let sz = 1;
      if (scales !== null) {
        sx = scales[3 * i] as number;
        sy = scales[3 * i + 1] as number;
        sz = scales[3 * i + 2] as number;
      }
      const x = pose[3] as number;
      const y = pose[4] as number;
      const z = pose[5] as number;
      const w = pose[6] as number;
      out[at] = (1 - 2 * (y * y + z * z)) * sx;
      out[at + 1] = 2 * (x * y + z * w) * sx;
      out[at + 2] = 2 * (x * z - y * w) * sx;
      out[at + 3] = 0;
      out[at + 4] = 2 * (x * y - z * w) * sy;
      out[at + 5] = (1 - 2 * (x * x + z * z)) * sy;
      out[at + 6] = 2 * (y * z + x * w) * sy;
      out[at + 7] = 0;
      out[at + 8] = 2 * (x * z + y * w) * sz;
      out[at + 9] = 2 * (y * z - x * w) * sz;
      out[at + 10] = (1 - 2 * (x * x + y * y)) * sz;
      out[at + 11] = 0;
      out[at + 12] = pose[0] as number;
      out[at + 13] = pose[1] as number;
      out[at + 14] = pose[2] as number;
      out[at + 15] = 1;
    }
  }

  /** Whether the client's own pose is used: the newest frame does not contain the command that set it. */
  private isLocal(slot: number): boolean {
    const set = slot < this.localSequence.length ? (this.localSequence[slot] as number) : 0;
    return set > this.newest.sequence || slot >= this.newest.slots;
  }

  /** Position and rotation of a body at the moment of drawing, in the first seven numbers of the scratch. */
  private sample(slot: number): Float64Array {
    const { from, to, fraction, scratch } = this;
    const at = slot * POSE_WORDS;
    // Only the client causes teleports and the reuse of slots: do not interpolate across one.
    if (this.lastLocal > from.sequence || slot >= from.slots) return this.sampleNew(slot);
    const b = to.base + at;
    if (fraction === 1) return this.copy(to.floats, b);
    const a = from.base + at;
    // Asleep in both frames: at rest.
    if ((((to.words[b + FLAGS] as number) | (from.words[a + FLAGS] as number)) & POSE_AWAKE) === 0)
      return this.copy(to.floats, b);
    interpolatePose(from.floats, a, to.floats, b, scratch);
    return scratch;
  }

  /** Like sample, for a body that is not in all frames, or was placed since. */
  private sampleNew(slot: number): Float64Array {
    if (slot >= this.localSequence.length) this.grow(slot);
    const { from, to, newest, fraction, scratch } = this;
    const set = this.localSequence[slot] as number;
    const at = slot * POSE_WORDS;
    if (set > newest.sequence || slot >= newest.slots) return this.copy(this.local, at);
    // The earliest frame, from `to` on, that contains the body.
    const first = set > to.sequence || slot >= to.slots ? newest : to;
    if (fraction === 1 || first !== to || set > from.sequence || slot >= from.slots)
      return this.copy(first.floats, first.base + at);
    interpolatePose(from.floats, from.base + at, to.floats, to.base + at, scratch);
    return scratch;
  }

  private copy(floats: Float32Array, at: number): Float64Array {
    const { scratch } = this;
    scratch[0] = floats[at] as number;
    scratch[1] = floats[at + 1] as number;
    scratch[2] = floats[at + 2] as number;
    scratch[3] = floats[at + 4] as number;
    scratch[4] = floats[at + 5] as number;
    scratch[5] = floats[at + 6] as number;
    scratch[6] = floats[at + 7] as number;
    return scratch;
  }
}
