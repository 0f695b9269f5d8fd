// Hashes of the last ticks of a room, which clients compare with theirs. In: the hash of a tick. Out: those that a client
// has not heard of yet; whether one of a client is the same.
import { type Hash, MOST_HASHES } from './messages';

export class HashHistory {
  private readonly digits: (string | undefined)[];
  private newest = -1;

  /** Of the last `length` ticks, each one that is divisible by `every`. */
  constructor(
    private readonly every: number,
    private readonly length: number,
  ) {
    this.digits = new Array(length);
  }

  /** After a tick; `hash` is asked for if the room compares this one. */
  note(tick: number, hash: () => string): void {
    this.digits[tick % this.length] = undefined;
    if (tick % this.every !== 0) return;
    this.digits[tick % this.length] = hash();
    this.newest = tick;
  }

  /** Whether the hash that a client has is that of `tick`; undefined if that is not known, or not any more. */
  agrees({ tick, digits }: Hash, now: number): boolean | undefined {
    if (tick > now || tick <= now - this.length || tick % this.every !== 0) return undefined;
    const own = this.digits[tick % this.length];
    return own === undefined ? undefined : own === digits;
  }

  /** Those that came after the frames that a client has: whatever packets are lost, it hears of each. */
  since(ack: number): Hash[] {
    const found: Hash[] = [];
    for (let tick = this.newest; tick > ack && found.length < MOST_HASHES; tick -= this.every) {
      const digits = this.digits[tick % this.length];
      if (digits === undefined) break;
      found.push({ tick, digits });
    }
    return found.reverse();
  }
}
