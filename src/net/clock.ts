// The clock of a client. In: ticks that the server names, round trips, the time of the caller. Out: the tick at which the
// client should be so that its inputs reach the server just before they are needed. No clock is read here.

/** ms. How long the fastest packet is remembered: a shorter way that is gone is forgotten after two of them. */
const WINDOW = 3000;

/** ms, beside a round trip, from one tick more of lead to the next. */
const RAISE_PAUSE = 100;
/** ms without an input that came late, after which the lead is shortened. */
const RELAX = 10_000;
/** Ticks by which the lead grows at most because of inputs that came late. */
const MOST_EXTRA = 15;

/** The least value of the last one to two windows. */
class Least {
  private readonly values: [number, number] = [Infinity, Infinity];
  private since = -Infinity;

  add(value: number, now: number): void {
    if (now - this.since > WINDOW) {
      this.since = now;
      this.values[1] = this.values[0];
      this.values[0] = Infinity;
    }
    if (value < this.values[0]) this.values[0] = value;
  }

  get value(): number {
    return Math.min(...this.values);
  }
}

/** Follows the server's ticks. Times in ms. */
export class ServerClock {
  /** ms: smoothed round trip. */
  roundTrip = 0;
  /** ms: smoothed deviation of round trips from their mean. */
  jitter = 0;
  private readonly trips = new Least();
  /** Of the differences between own time and the server's. */
  private readonly ways = new Least();
  private samples = 0;
  private late = 0;
  private lateAtRaise = 0;
  private newest = 0;
  private lastLate = 0;
  private raisedAt = -Infinity;

  /**
   * `rate`: Hz. `spare`: ticks of safety, for packets that are lost. `extra`: ticks by which the client runs further ahead,
   * because inputs came late: what a clock before this one has learnt of the same network.
   */
  constructor(
    readonly rate: number,
    private readonly spare: number,
    public extra = 0,
  ) {}

  /** A packet of the server came. `trip`: the round trip in ms, or null if it is not known. */
  sample(tick: number, trip: number | null, late: number, now: number): void {
    this.ways.add(now - (tick * 1000) / this.rate, now);
    this.newest = Math.max(this.newest, tick);
    if (trip !== null && trip >= 0 && trip < 10_000) {
      const first = this.samples++ === 0;
      const off = Math.abs(trip - this.roundTrip);
      // RFC 6298: gains of 1/8 and 1/4.
      this.roundTrip = first ? trip : this.roundTrip + (trip - this.roundTrip) / 8;
      this.jitter = first ? trip / 4 : this.jitter + (off - this.jitter) / 4;
      this.trips.add(trip, now);
    }
    if (late < this.late) this.lateAtRaise = late; // another server counts
    if (late > this.late && this.samples > 1) {
      this.lastLate = now;
      // It takes a round trip until more shows.
      if (now - this.raisedAt > this.roundTrip + RAISE_PAUSE) {
        this.extra = Math.min(this.extra + Math.min(2, late - this.lateAtRaise), MOST_EXTRA);
        this.raisedAt = now;
        this.lateAtRaise = late;
      }
    } else if (now - this.lastLate > RELAX && this.extra > 0) {
      this.extra -= Math.ceil(this.extra / 4);
      this.lastLate = now;
    }
    this.late = late;
  }

  /** Whether there is anything to go by. */
  get isSet(): boolean {
    return this.ways.value < Infinity;
  }

  /** The newest tick of which the server can have told by now. */
  told(now: number): number {
    return ((now - this.ways.value) * this.rate) / 1000;
  }

  /** The tick that the server will have reached, at the least, when a packet comes there that is sent now. */
  get reached(): number {
    const trip = this.trips.value;
    return trip < Infinity ? this.newest + Math.floor((trip * this.rate) / 1000) : 0;
  }

  /** The tick at which the client should be. */
  target(now: number): number {
    const trip = this.trips.value < Infinity ? this.trips.value : 100;
    const ahead = trip + 2 * this.jitter;
    return this.told(now + ahead) + this.spare + this.extra;
  }
}

/** Greatest change of speed to reach the target: a tenth is not seen. */
const MOST_SLEW = 0.1;
/** s: how fast small differences are made good. */
const SETTLING = 0.5;
/** s: greater differences are jumped over. */
const JUMP = 0.5;

/** Own time in ticks, after `elapsed` ms. */
export function follow(position: number, target: number, elapsed: number, rate: number): number {
  const error = target - position;
  if (Math.abs(error) > JUMP * rate) return target;
  const slew = Math.max(-MOST_SLEW, Math.min(MOST_SLEW, error / (SETTLING * rate)));
  return position + ((elapsed * rate) / 1000) * (1 + slew);
}
