// Event queue of the host. In: event records of the steps since the last frame. Out: the words for the next frame, or
// for the ring in shared memory, and the number of records that did not fit. It is bounded, so that a page that takes
// no frames costs no memory; dropped records are always reported.
import { eventWords } from '../src/events/events';
import type { EventRingWriter } from './board';

/** Words (512 KB). Above this, records are dropped and counted; the records of one step are always kept whole. */
const LIMIT = 131072;

export class EventQueue {
  length = 0;
  /** Number of dropped records since the start. */
  dropped = 0;
  private words = new Int32Array(256);

  append(records: Int32Array): void {
    if (records.length === 0) return;
    const needed = this.length + records.length;
    if (this.length > 0 && needed > LIMIT) {
      for (let at = 0; at < records.length; at += eventWords(records, at)) this.dropped++;
      return;
    }
    if (needed > this.words.length) {
      // Double the size, but do not exceed the limit without need.
      const words = new Int32Array(Math.max(needed, Math.min(2 * this.words.length, LIMIT)));
      words.set(this.words.subarray(0, this.length));
      this.words = words;
    }
    this.words.set(records, this.length);
    this.length = needed;
  }

  clear(): void {
    this.length = 0;
  }

  /** Moves everything to `out[at…]`, which must have room for `length` words. */
  take(out: Int32Array, at: number): void {
    out.set(this.words.subarray(0, this.length), at);
    this.length = 0;
    if (this.words.length > LIMIT) this.words = new Int32Array(256);
  }

  /** Moves as many whole records to the ring as fit. */
  move(ring: EventRingWriter): void {
    if (this.length === 0) return;
    const { room } = ring;
    let count = this.length;
    if (count > room) {
      count = 0;
      for (let size = 0; count + (size = eventWords(this.words, count)) <= room; ) count += size;
    }
    ring.write(this.words, count);
    this.words.copyWithin(0, count, this.length);
    this.length -= count;
    if (this.length === 0 && this.words.length > LIMIT) this.words = new Int32Array(256);
  }
}
