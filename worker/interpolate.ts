// Interpolation of poses for drawing. In: the two latest poses of a body and the times at which they were due. Out: the
// pose to draw. Drawing lags slightly behind the simulation, so poses are interpolated, never extrapolated. Quaternion
// interpolation after Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985.

/** Words per pose in a frame: px py pz flags qx qy qz qw (the core's BodyPose). */
export const POSE_WORDS = 8;

/** Below this cosine of half the turn (26° of half angle), nlerp's uneven speed would show: slerp instead. */
const SLERP_COSINE = 0.9;

/**
 * Writes position (3) and unit rotation (4) at the fraction `out[7]` between pose `a[ao…]` and pose `b[bo…]`
 * to `out[0…6]`. The rotation takes the shorter way. (A fraction passed as a number would be boxed: 16 bytes
 * for each body of each frame.)
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

/** ms over which the quickest frame tells the lag: twice this at most. */
const LAG_WINDOW = 1000;
/** Share by which the picture may run faster than time to come back to its place: not to be seen. */
const SLEW = 0.04;
/**
 * Share by which it may run slower, and ms in which it would be in its place at the speed it begins with. Frames
 * that come later than any before want room at once: until it is there the picture runs into the newest frame
 * and stops, again and again, which is seen far more than a slower tenth of a second.
 */
const SLOWEST = 0.5;
const SETTLE_MS = 100;
/** ms per ms by which the delay falls when frames come more evenly again: slowly, or, where it is long, faster. */
const DELAY_FALL = 0.002;
const LONG_DELAY_FALL = 0.02;
const LONG_DELAY_PERIODS = 2.5;
/**
 * Periods more than the latest frame needed: so that the next one that is later still does not stop the picture.
 * (It also keeps a page whose frames and steps go in time from drawing every step exactly at its end.)
 */
export const MARGIN = 0.15;
/** Periods (and ms besides) beyond which the picture jumps instead of running after. */
const JUMP_PERIODS = 8;
const JUMP_MS = 60;
/** ms. The delay follows late frames as far as the frames that are held reach back, and no further than this. */
const MOST_DELAY = 150;

/**
 * Says which moment of the worker's clock the picture shows.
 *
 * The two clocks have different origins and messages take time: arrival by our clock minus due time by
 * theirs is smallest for the quickest frame, and that is the `lag`. The picture stays behind the frames by
 * a `delay`, as long as the latest of the recent frames needed. Both change seldom; when they do, the
 * picture runs a little faster or slower until it is there. Steps are due at even times, so what moves
 * evenly is seen to move evenly, however unevenly frames arrive.
 */
export class RenderClock {
  /** Smallest lag of this window and of the one before; ms. */
  private lag = Number.NaN;
  private lagBefore = Number.NaN;
  private windowEnd = 0;
  private delay = 0;
  private last = Number.NaN;
  /** The moment that the picture shows, by the worker's clock; NaN for the newest frame. */
  shown = Number.NaN;
  // What is told before a call, in fields: computed numbers are boxed when they are passed, or returned, and the
  // calls of a frame shall leave nothing behind.
  /** When the newest frame was due. */
  newest = Number.NaN;
  /** ms between two steps at the present speed. */
  period = Number.NaN;
  /** When the oldest frame that is held was due: there is no picture of what was before. */
  oldest = Number.NEGATIVE_INFINITY;

  /** The newest frame arrived at `arrival` (our clock, ms). */
  observe(arrival: number): void {
    const lag = arrival - this.newest;
    if (arrival > this.windowEnd) {
      this.lagBefore = this.lag;
      this.lag = lag;
      this.windowEnd = arrival + LAG_WINDOW;
    } else if (lag < this.lag) this.lag = lag;
  }

  /** Forget everything: the worker's clock was stopped or the worker replaced. */
  reset(): void {
    this.lag = this.lagBefore = this.shown = this.last = Number.NaN;
    this.delay = this.windowEnd = 0;
  }

  /** Brings `shown` to what it is at `now` (our clock, ms). */
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
    // The frame after the newest is due a period later: until then this far behind is as it should be.
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
