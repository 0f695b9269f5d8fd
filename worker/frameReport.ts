// The content of a frame besides poses and events. In: frames. Out: figures and debug lines, in objects that are
// updated in place.
import type { DebugLines } from '../src/lines/debugLines';
import type { FrameRoom } from './board';
import type { FixedStepClock } from './clock';
import { FRAME } from './protocol';

/** Figures of the latest frame. One object, updated in place. */
export interface PhysicsStats {
  /** Time of the last step in the worker, ms. */
  stepMs: number;
  /** Fixed steps since the world was created. */
  steps: number;
  /** Bodies of all types. */
  bodies: number;
  /** Awake dynamic and kinematic bodies. */
  awake: number;
  /** Touching pairs that the solver works on. */
  contacts: number;
  /** Real time that was not simulated, because of pauses longer than maxSubSteps or a slow worker, ms. */
  droppedMs: number;
  /** Events that were lost because the page took no frames. */
  eventsDropped: number;
  /** Simulated seconds per real second, over the last half second; 0 while paused. */
  realTimeFactor: number;
  /** Lost workers that were replaced. */
  restarts: number;
  /** Threads that work on the world; `getProfile` says why they are fewer than asked for. */
  threads: number;
}

/** ms over which the real-time factor is measured. */
const FACTOR_WINDOW = 500;
const NO_LINES: DebugLines = { count: 0, positions: new Float32Array(0), colors: new Uint32Array(0) };

export class FrameReport {
  readonly stats: PhysicsStats = {
    stepMs: 0,
    steps: 0,
    bodies: 0,
    awake: 0,
    contacts: 0,
    droppedMs: 0,
    eventsDropped: 0,
    realTimeFactor: 0,
    restarts: 0,
    threads: 1,
  };
  readonly lines: DebugLines = { ...NO_LINES };
  /** Clock of the page. */
  private readonly clock: FixedStepClock;
  private factorSince = 0;
  private factorSteps = 0;
  /** Figures of lost workers, since replacements count from 0. */
  private droppedMsBefore = 0;
  private eventsDroppedBefore = 0;

  constructor(clock: FixedStepClock) {
    this.clock = clock;
  }

  /**
   * @param now  ms
   * @returns number of events that were lost since the last frame
   */
  read(frame: FrameRoom, now: number): number {
    this.readLines(frame);
    return this.readStats(frame, now);
  }

  /** A replacement worker counts from 0 from now on. */
  restarted(restarts: number): void {
    this.droppedMsBefore = this.stats.droppedMs;
    this.eventsDroppedBefore = this.stats.eventsDropped;
    this.stats.restarts = restarts;
  }

  forgetLines(): void {
    Object.assign(this.lines, NO_LINES);
  }

  private readStats({ words, floats, doubles }: FrameRoom, now: number): number {
    const { stats, clock } = this;
    const steps = words[FRAME.STEPS] as number;
    stats.stepMs = floats[FRAME.STEP_MS] as number;
    stats.steps = steps;
    stats.bodies = words[FRAME.BODIES] as number;
    stats.awake = words[FRAME.AWAKE] as number;
    stats.contacts = words[FRAME.CONTACTS] as number;
    stats.threads = words[FRAME.THREADS] as number;
    stats.droppedMs = this.droppedMsBefore + clock.droppedMs + (doubles[FRAME.DROPPED_MS / 2] as number);
    const lost = this.eventsDroppedBefore + (words[FRAME.EVENTS_DROPPED] as number) - stats.eventsDropped;
    if (lost > 0) stats.eventsDropped += lost;
    const elapsed = now - this.factorSince;
    if (elapsed >= FACTOR_WINDOW || steps < this.factorSteps) {
      const simulated = (steps - this.factorSteps) * clock.dt * 1000;
      stats.realTimeFactor = this.factorSince > 0 && simulated >= 0 ? simulated / elapsed : 0;
      this.factorSince = now;
      this.factorSteps = steps;
    }
    return Math.max(0, lost);
  }

  private readLines({ words, floats }: FrameRoom): void {
    const { lines } = this;
    const count = words[FRAME.LINES] as number;
    if (count === 0) {
      if (lines.count > 0) this.forgetLines();
      return;
    }
    const at = words[FRAME.LINE_OFFSET] as number;
    lines.count = count;
    lines.positions = floats.subarray(at, at + 6 * count);
    const from = words.byteOffset + 4 * (at + 6 * count);
    lines.colors = new Uint32Array(words.buffer, from, count);
  }
}
