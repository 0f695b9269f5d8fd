// Interpolation of poses for drawing. In: the two latest poses of a body and the times at which they were due. Out: the
// pose to draw. Drawing lags slightly behind the simulation, so poses are interpolated, never extrapolated. Quaternion
// interpolation after Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985.

/** Words per pose in a frame: px py pz flags qx qy qz qw (the core's BodyPose). */
export const POSE_WORDS = 8;

/**
 * Cosine of half the rotation (26° of half angle). For larger rotations the uneven speed of nlerp would be visible: use
 * slerp.
 */
const SLERP_COSINE = 0.9;

/**
 * Writes position (3) and unit rotation (4) at the fraction `out[7]` between pose `a[ao…]` and pose `b[bo…]` to
 * `out[0…6]`. The rotation takes the shorter path. (A fraction passed as a number would be boxed: 16 bytes for each
 * body of each frame.)
 */
export function interpolatePose(
  a: Float32Array,
  ao: number,
  b: Float32Array,
  bo: number,
  out: Float64Array,
): void {
  const fraction = out[7] as number;
  const px = a[ao] as number;
  const py = a[ao + 1] as number;
  const pz = a[ao + 2] as number;
  out[0] = px + ((b[bo] as number) - px) * fraction;
  out[1] = py + ((b[bo + 1] as number) - py) * fraction;
  out[2] = pz + ((b[bo + 2] as number) - pz) * fraction;

  const ax = a[ao + 4] as number;
  const ay = a[ao + 5] as number;
  const az = a[ao + 6] as number;
  const aw = a[ao + 7] as number;
  const bx = b[bo + 4] as number;
  const by = b[bo + 5] as number;
  const bz = b[bo + 6] as number;
  const bw = b[bo + 7] as number;
  const cosine = ax * bx + ay * by + az * bz + aw * bw;
  const magnitude = Math.abs(cosine);
  let wa = 1 - fraction;
  let wb = fraction;
  if (magnitude < SLERP_COSINE) {
    const angle = Math.acos(magnitude);
    const sine = Math.sin(angle);
    wa = Math.sin(wa * angle) / sine;
    wb = Math.sin(wb * angle) / sine;
  }
  if (cosine < 0) wb = -wb;
  const x = wa * ax + wb * bx;
  const y = wa * ay + wb * by;
  const z = wa * az + wb * bz;
  const w = wa * aw + wb * bw;
  const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  out[3] = x * scale;
  out[4] = y * scale;
  out[5] = z * scale;
  out[6] = w * scale;
}

/** ms. The lag is that of the fastest frame within this window and the last one. */
const LAG_WINDOW = 1000;
/** Share by which the drawing time may run faster than real time to correct its offset; not visible. */
const SLEW = 0.04;
/**
 * Share by which it may run slower, and ms in which it would reach its place at the initial speed. Frames that come
 * later than ever before need a larger delay at once: until then the drawing time reaches the newest frame and stops
 * repeatedly, which is more visible than a slower tenth of a second.
 */
const SLOWEST = 0.5;
const SETTLE_MS = 100;
/** ms per ms. Rate at which the delay falls when frames come more evenly again: slow, or faster if it is long. */
const DELAY_FALL = 0.002;
const LONG_DELAY_FALL = 0.02;
const LONG_DELAY_PERIODS = 2.5;
/**
 * Periods in addition to the delay that the latest frame needed, so that an even later frame does not stop the drawing.
 * (It also prevents a page whose frames are in time with the steps from drawing each step exactly at its end.)
 */
export const MARGIN = 0.15;
/** Periods, and ms in addition. With a larger offset the drawing time jumps. */
const JUMP_PERIODS = 8;
const JUMP_MS = 60;
/** ms. Limit of the delay; the frames that are held limit it, too. */
const MOST_DELAY = 150;

/**
 * Determines which moment of the worker's clock is drawn.
 *
 * The two clocks have different origins and messages take time: the arrival by the page's clock minus the due time by
 * the worker's is smallest for the fastest frame; this is the `lag`. The drawing time stays behind the frames by a
 * `delay`, as long as the latest of the recent frames needed. Both change rarely; after a change the drawing time runs
 * slightly faster or slower until it is correct. Steps are due at regular times, so even motion is drawn evenly,
 * however unevenly frames arrive.
 */
export class RenderClock {
  /** ms. Smallest lag of this window and of the one before. */
  private lag = Number.NaN;
  private lagBefore = Number.NaN;
  private windowEnd = 0;
  private delay = 0;
  private last = Number.NaN;
  /** The drawn moment, by the worker's clock; NaN for the newest frame. */
  shown = Number.NaN;
  // Arguments in fields: computed numbers are boxed when they are passed or returned, and the calls of a frame must not
  // allocate.
  /** When the newest frame was due. */
  newest = Number.NaN;
  /** ms between two steps at the current speed. */
  period = Number.NaN;
  /** When the oldest frame that is held was due: earlier moments cannot be drawn. */
  oldest = Number.NEGATIVE_INFINITY;

  /** Records that the newest frame arrived at `arrival` (page's clock, ms). */
  observe(arrival: number): void {
    const lag = arrival - this.newest;
    if (arrival > this.windowEnd) {
      this.lagBefore = this.lag;
      this.lag = lag;
      this.windowEnd = arrival + LAG_WINDOW;
    } else if (lag < this.lag) this.lag = lag;
  }

  /** Forgets everything: the worker's clock was stopped or the worker replaced. */
  reset(): void {
    this.lag = this.lagBefore = this.shown = this.last = Number.NaN;
    this.delay = this.windowEnd = 0;
  }

  /** Sets `shown` for the time `now` (page's clock, ms). */
  advance(now: number): void {
    if (Number.isNaN(this.lag)) {
      this.shown = Number.NaN;
      return;
    }
    const { newest, period, oldest } = this;
    const elapsed = Number.isNaN(this.last) ? 0 : Math.max(0, now - this.last);
    this.last = now;
    const lag = Number.isNaN(this.lagBefore) ? this.lag : Math.min(this.lag, this.lagBefore);
    const present = now - lag;
    // The next frame is due one period later: until then this offset is normal.
    const behind = present - newest + MARGIN * period;
    const fall = this.delay > LONG_DELAY_PERIODS * period ? LONG_DELAY_FALL : DELAY_FALL;
    const least = (1 + MARGIN) * period;
    const most = Math.max(least, Math.min(newest - oldest - MARGIN * period, MOST_DELAY));
    this.delay = Math.min(most, Math.max(behind, least, this.delay - fall * elapsed));
    const target = present - this.delay;
    const ahead = this.shown + elapsed;
    const error = target - ahead;
    if (!(Math.abs(error) < JUMP_PERIODS * period + JUMP_MS)) this.shown = target;
    else if (error > 0) this.shown = ahead + Math.min(error, SLEW * elapsed);
    else this.shown = ahead + Math.max(error, -SLOWEST * elapsed, (error * elapsed) / SETTLE_MS);
    if (this.shown < oldest) this.shown = Math.max(oldest, target);
    if (this.shown > newest) this.shown = newest;
  }
}
