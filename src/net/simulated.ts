// A network that is bad on purpose, for tests and demonstrations. In: packets, the time. Out: the same packets later, in
// another order, twice or never, by a seed: every run is the same.

/** How bad. */
export interface NetworkQuality {
  /** ms on one way, on average. Default 40. */
  delay?: number;
  /** ms, up to which a packet comes earlier or later than that. Default 0. */
  jitter?: number;
  /** 0 … 1: share of packets that never come. Default 0. */
  loss?: number;
  /** 0 … 1: share of packets that come twice. Default 0. */
  doubled?: number;
}

interface Parcel {
  at: number;
  order: number;
  packet: Uint8Array<ArrayBuffer>;
  deliver: (packet: Uint8Array<ArrayBuffer>) => void;
}

/** A seeded bad network. */
export class SimulatedNetwork {
  /** Can be changed at any time. */
  quality: Required<NetworkQuality>;
  /** Packets that were sent. */
  sent = 0;
  /** Packets that were lost. */
  lost = 0;
  private parcels: Parcel[] = [];
  private seed: number;

  /** `seed`: 1 … 2³¹ − 2. */
  constructor(quality: NetworkQuality = {}, seed = 1) {
    this.quality = { delay: 40, jitter: 0, loss: 0, doubled: 0, ...quality };
    this.seed = seed;
  }

  /** 0 … 1. Park and Miller's minimal standard generator, Communications of the ACM 31 (1988). */
  private random(): number {
    // 48271 · seed stays below 2⁵³.
    this.seed = (48271 * this.seed) % 2147483647;
    return this.seed / 2147483647;
  }

  /** Sends a packet at `now` ms. */
  send(packet: Uint8Array<ArrayBuffer>, now: number, deliver: Parcel['deliver']): void {
    const { delay, jitter, loss, doubled } = this.quality;
    this.sent++;
    if (this.random() < loss) {
      this.lost++;
      return;
    }
    for (let copies = this.random() < doubled ? 2 : 1; copies > 0; copies--) {
      const at = now + Math.max(0, delay + jitter * (2 * this.random() - 1));
      this.parcels.push({ at, order: this.sent, packet, deliver });
    }
  }

  /** Delivers what has arrived by `now` ms, in the order of arrival. */
  deliver(now: number): void {
    const due = this.parcels.filter(({ at }) => at <= now);
    if (due.length === 0) return;
    this.parcels = this.parcels.filter(({ at }) => at > now);
    due.sort((a, b) => a.at - b.at || a.order - b.order);
    for (const { packet, deliver } of due) deliver(packet);
  }
}
