// In: frames from the host, and poses that the client set itself. Out: the pose of a body at the moment
// of drawing, read without a message and without allocation.
// Holds the two latest frames; the older one goes back to the host as soon as a newer one arrives.
import { MAX_SLOT } from '../src/ids';
import { fillQuat, fillVec3 } from '../src/out';
import type { QuatOut, Vec3Out } from '../src/types';
import { interpolatePose, POSE_WORDS, RenderClock } from './interpolate';
import { FRAME, FRAME_HEADER, FRAME_RUNNING, FRAME_SNAP } from './protocol';

/** Bit of a pose's flags, as in the core's BodyPose. */
const POSE_AWAKE = 1;
const FLAGS = 3; // word of a pose that holds them

/** Typed views of one frame buffer. */
interface Frame {
  buffer: ArrayBuffer;
  words: Int32Array;
  floats: Float32Array;
  /** Word of slot 0's pose. */
  base: number;
  slots: number;
  sequence: number;
  due: number;
  droppedMs: number;
  period: number;
  flags: number;
}

function viewFrame(buffer: ArrayBuffer): Frame {
  const words = new Int32Array(buffer);
  const floats = new Float32Array(buffer);
  const doubles = new Float64Array(buffer, 0, FRAME_HEADER / 2);
  return {
    buffer,
    words,
    floats,
    base: words[FRAME.POSE_OFFSET] as number,
    slots: words[FRAME.POSE_SLOTS] as number,
    sequence: words[FRAME.SEQUENCE] as number,
    due: doubles[FRAME.DUE / 2] as number,
    droppedMs: doubles[FRAME.DROPPED_MS / 2] as number,
    period: floats[FRAME.PERIOD] as number,
    flags: words[FRAME.FLAGS] as number,
  };
}

const NO_FRAME: Frame = {
  buffer: new ArrayBuffer(0),
  words: new Int32Array(0),
  floats: new Float32Array(0),
  base: 0,
  slots: 0,
  sequence: 0,
  due: 0,
  droppedMs: 0,
  period: 0,
  flags: FRAME_SNAP,
};

export class PoseStore {
  private newer = NO_FRAME;
  private older = NO_FRAME;
  private readonly clock = new RenderClock();
  /** Of the moment of drawing, between older and newer. */
  private fraction = 1;
  /** Poses set by the client, and the command buffer that carries each: valid until that buffer was applied. */
  private local = new Float32Array(0);
  private localSequence = new Int32Array(0);
  private readonly scratch = new Float64Array(7);

  /** The newest frame. */
  get frame(): Pick<Frame, 'words' | 'floats'> {
    return this.newer;
  }

  /** Real time that the host has dropped until the newest frame, ms. */
  get droppedMs(): number {
    return this.newer.droppedMs;
  }

  /** The last command buffer whose effect the newest frame shows. */
  get sequence(): number {
    return this.newer.sequence;
  }

  /** Takes over a frame; returns the buffer that is no longer needed, or null. */
  receive(buffer: ArrayBuffer, now: number): ArrayBuffer | null {
    const released = this.older.buffer;
    const frame = viewFrame(buffer);
    this.older = this.newer;
    this.newer = frame;
    if ((frame.flags & FRAME_RUNNING) !== 0) this.clock.observe(now, frame.due);
    else this.clock.reset();
    this.advance(now);
    return released.byteLength > 0 ? released : null;
  }

  /** Fixes the moment of drawing; all reads until the next call show the same moment. */
  advance(now: number): void {
    const { newer, older } = this;
    this.fraction =
      (newer.flags & FRAME_SNAP) !== 0 ? 1 : this.clock.fraction(now, older.due, newer.due, newer.period);
  }

  /** The client placed a body by the command buffer `sequence`: until that is applied, this is its pose. */
  setLocal(slot: number, position: ArrayLike<number>, rotation: ArrayLike<number>, sequence: number): void {
    if (slot >= this.localSequence.length) this.grow(slot);
    this.localSequence[slot] = sequence;
    const at = slot * POSE_WORDS;
    for (let i = 0; i < 3; i++) this.local[at + i] = position[i] as number;
    for (let i = 0; i < 4; i++) this.local[at + 4 + i] = rotation[i] as number;
  }

  /** After a restore: nothing that was set before `sequence` is true any more. */
  forgetLocal(): void {
    this.localSequence.fill(0);
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
    const { newer } = this;
    if (this.isLocal(slot)) return true;
    return ((newer.words[newer.base + slot * POSE_WORDS + FLAGS] as number) & POSE_AWAKE) !== 0;
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
      if (id === 0) continue;
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

  /** The client's own pose counts: no frame has seen the command that set it. */
  private isLocal(slot: number): boolean {
    const set = slot < this.localSequence.length ? (this.localSequence[slot] as number) : 0;
    return set > this.newer.sequence || slot >= this.newer.slots;
  }

  /** Position and rotation of a body at the moment of drawing, in a scratch of seven numbers. */
  private sample(slot: number): Float64Array {
    if (slot >= this.localSequence.length) this.grow(slot);
    const { newer, older, scratch } = this;
    const at = slot * POSE_WORDS;
    const set = this.localSequence[slot] as number;
    if (set > newer.sequence || slot >= newer.slots) return this.copy(this.local, at);

    const b = newer.base + at;
    // Not across a teleport or the reuse of a slot: the client caused it, so it knows when.
    if (this.fraction === 1 || set > older.sequence || slot >= older.slots) return this.copy(newer.floats, b);
    const a = older.base + at;
    // Asleep in both frames: at rest.
    if ((((newer.words[b + FLAGS] as number) | (older.words[a + FLAGS] as number)) & POSE_AWAKE) === 0)
      return this.copy(newer.floats, b);
    interpolatePose(older.floats, a, newer.floats, b, this.fraction, scratch);
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
