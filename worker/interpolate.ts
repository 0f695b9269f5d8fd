// In: the two latest poses of a body and the times at which they were due. Out: the pose to draw.
// The picture runs one publication interval behind the simulation, so it is interpolated, never guessed.
// Quaternion interpolation after Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985.

/** Words per pose in a frame: px py pz flags qx qy qz qw (the core's BodyPose). */
export const POSE_WORDS = 8;

/** Below this cosine of half the turn (26° of half angle), nlerp's uneven speed would show: slerp instead. */
const SLERP_COSINE = 0.9;

/**
 * Writes position (3) and unit rotation (4) at `fraction` between pose `a[ao…]` and pose `b[bo…]` to `out[0…6]`.
 * The rotation takes the shorter way.
 */
export function interpolatePose(
  a: Float32Array,
  ao: number,
  b: Float32Array,
  bo: number,
  fraction: number,
  out: Float64Array,
): void {
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

/** How fast the estimate of the lag follows: at once when a frame was quicker, slowly when it was late. */
const LAG_FALL = 0.25;
const LAG_RISE = 0.05;
/** Milliseconds. A blocked main thread makes one frame seconds late; it may move the estimate by this much only. */
const LAG_RISE_LIMIT = 1;

/**
 * Says where between the two latest frames the picture is.
 *
 * The worker's clock and the page's have different origins, and messages take time. Both are folded
 * into one number, `lag`: arrival by our clock minus due time by theirs, low-pass filtered.
 */
export class RenderClock {
  private lag = Number.NaN;

  /** A frame due at `due` (worker's clock, ms) arrived at `arrival` (our clock, ms). */
  observe(arrival: number, due: number): void {
    const lag = arrival - due;
    if (Number.isNaN(this.lag)) this.lag = lag;
    else if (lag < this.lag) this.lag += (lag - this.lag) * LAG_FALL;
    else this.lag += Math.min((lag - this.lag) * LAG_RISE, LAG_RISE_LIMIT);
  }

  /** Forget the lag: the worker's clock was stopped or the worker replaced. */
  reset(): void {
    this.lag = Number.NaN;
  }

  /**
   * 0 at the older frame, 1 at the newer one. Frames further apart than ten periods (a pause lay
   * between them) are not interpolated: 1.
   *
   * @param period  milliseconds between two steps at the present speed
   */
  fraction(now: number, olderDue: number, newerDue: number, period: number): number {
    const interval = newerDue - olderDue;
    if (!(interval > 0) || interval > 10 * period + 50 || Number.isNaN(this.lag)) return 1;
    const fraction = (now - this.lag - newerDue) / interval;
    return Math.max(0, Math.min(fraction, 1));
  }
}
