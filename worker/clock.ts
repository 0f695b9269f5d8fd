// The worker's clock. In: wall-clock time. Out: the number of fixed steps that are due, and the time until the next
// one. Time that cannot be caught up is dropped and counted, so a pause never causes a burst of steps. Only the number
// of steps depends on this clock, never their content.

export interface ClockOptions {
  /** Seconds of simulated time per step. */
  dt: number;
  /** Most steps per tick; further steps are dropped. */
  maxSteps: number;
  /** Simulated seconds per second of real time. */
  timeScale: number;
}

export class FixedStepClock {
  dt: number;
  maxSteps: number;
  timeScale: number;
  running = false;
  /** ms of real time whose steps were dropped. */
  droppedMs = 0;
  /** ms. Real time up to which steps have been made. */
  private served = 0;

  constructor({ dt, maxSteps, timeScale }: ClockOptions) {
    this.dt = dt;
    this.maxSteps = maxSteps;
    this.timeScale = timeScale;
  }

  /** ms of real time per step at the current time scale. */
  get period(): number {
    return (this.dt * 1000) / this.timeScale;
  }

  /** ms. Real time at which the last step was due. */
  get lastDue(): number {
    return this.served;
  }

  start(now: number): void {
    if (this.running) return;
    this.running = true;
    this.served = now;
  }

  stop(): void {
    this.running = false;
  }

  /** Changes the time scale from `now` on; steps that are already due stay due. */
  setTimeScale(timeScale: number, now: number): void {
    if (timeScale === this.timeScale) return;
    const phase = this.running ? (now - this.served) / this.period : 0;
    this.timeScale = timeScale;
    this.served = now - phase * this.period;
  }

  /** Number of steps to make now. The caller makes all of them or reports the rest with `drop`. */
  due(now: number): number {
    if (!this.running) return 0;
    const period = this.period;
    // A timer can fire slightly early; a thousandth of a step is not worth another tick.
    const steps = Math.floor((now - this.served) / period + 1e-3);
    if (steps <= 0) return 0;
    this.served += steps * period;
    if (steps <= this.maxSteps) return steps;
    this.drop(steps - this.maxSteps);
    return this.maxSteps;
  }

  /** Reports due steps that will not be made. */
  drop(steps: number): void {
    this.droppedMs += steps * this.period;
  }

  /** Milliseconds from `now` until the next step is due, ≥ 0. */
  wait(now: number): number {
    return Math.max(0, this.served + this.period - now);
  }
}
