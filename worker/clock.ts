// The worker's clock. In: wall-clock time. Out: the number of fixed steps that are due, and the time until the next.
// Time that cannot be caught up is dropped and counted, so a pause never causes a burst of steps. Only the number of
// steps depends on this clock, never their content.

export interface ClockOptions {
  /** Seconds of simulated time per step. */
  dt: number;
  /** Most steps per tick; what is due beyond that is dropped. */
  maxSteps: number;
  /** Simulated seconds per second of real time. */
  timeScale: number;
}

export class FixedStepClock {
  dt: number;
  maxSteps: number;
  timeScale: number;
  running = false;
  /** Milliseconds of real time that were due and never simulated. */
  droppedMs = 0;
  /** Real time (ms) up to which steps have been handed out. */
  private served = 0;

  constructor({ dt, maxSteps, timeScale }: ClockOptions) {
    this.dt = dt;
    this.maxSteps = maxSteps;
    this.timeScale = timeScale;
  }

  /** Milliseconds of real time per step at the present speed. */
  get period(): number {
    return (this.dt * 1000) / this.timeScale;
  }

  /** Real time (ms) at which the last step that was handed out was due. */
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

  /** A new speed counts from `now` on; what is due at the old one stays due. */
  setTimeScale(timeScale: number, now: number): void {
    if (timeScale === this.timeScale) return;
    const phase = this.running ? (now - this.served) / this.period : 0;
    this.timeScale = timeScale;
    this.served = now - phase * this.period;
  }

  /** Number of steps to make now; the caller makes all of them or gives the rest back with `drop`. */
  due(now: number): number {
    if (!this.running) return 0;
    const period = this.period;
    // A timer may fire a hair early; a thousandth of a step is not worth another tick.
    const steps = Math.floor((now - this.served) / period + 1e-3);
    if (steps <= 0) return 0;
    this.served += steps * period;
    if (steps <= this.maxSteps) return steps;
    this.drop(steps - this.maxSteps);
    return this.maxSteps;
  }

  /** Steps that were due and will not be made. */
  drop(steps: number): void {
    this.droppedMs += steps * this.period;
  }

  /** Milliseconds from `now` until the next step is due, ≥ 0. */
  wait(now: number): number {
    return Math.max(0, this.served + this.period - now);
  }
}
