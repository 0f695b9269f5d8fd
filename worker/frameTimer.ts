// Times of the page's frames. In: the time of a frame. Out: that time, and the one of the frame before it, for the worker.
import type { FrameTimes } from './protocol';

export class FrameTimer {
  /** ms of the page's clock; NaN before the first frame and after a pause. */
  last = Number.NaN;
  /** Used again for each frame. */
  private readonly times: FrameTimes = { time: 0, before: 0, period: 0 };

  /** @param period  ms of the page's clock per step: a first frame is taken to follow one that long ago */
  next(now: number, period: number): FrameTimes {
    const { last, times } = this;
    times.time = now;
    times.before = now > last ? last : now - period;
    times.period = period;
    this.last = now;
    return times;
  }
}
