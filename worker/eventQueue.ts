// In: event records of the steps since the last frame. Out: the words for the next frame, and how many
// records found no room. Bounded, so that a page that takes no frames costs no memory; never silent.
import { eventWords } from '../src/events';

/** Words (512 KB) beyond which records are counted instead of kept; one step is always kept whole. */
const LIMIT = 131072;

export class EventQueue {
  length = 0;
  /** Records since the last `take` that were not kept. */
  dropped = 0;
  private words = new Int32Array(256);

  append(records: Int32Array): void {
    const needed = this.length + records.length;
    if (this.length > 0 && needed > LIMIT) {
      for (let at = 0; at < records.length; at += eventWords(records, at)) this.dropped++;
      return;
    }
    if (needed > this.words.length) {
      const words = new Int32Array(Math.max(needed, 2 * this.words.length));
      words.set(this.words.subarray(0, this.length));
      this.words = words;
    }
    this.words.set(records, this.length);
    this.length = needed;
  }

  /** Moves everything to `out[at…]`, which has room for `length` words. */
  take(out: Int32Array, at: number): void {
    out.set(this.words.subarray(0, this.length), at);
    this.length = 0;
    this.dropped = 0;
    if (this.words.length > LIMIT) this.words = new Int32Array(256);
  }
}
