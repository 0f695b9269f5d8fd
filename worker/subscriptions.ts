// Subscriptions to events. In: event records of a frame. Out: calls of listeners, in the order of the events. A record
// becomes an object only if a listener needs it.

import type { BodyId } from '../src/base/ids';
import { concerns, impulseOf } from '../src/events/eventFilter';
import { decodeEvent, eventCode, eventWords } from '../src/events/events';
import { checkEventType, EVENT_CODES } from '../src/events/eventTypes';
import type { EventType } from '../src/types';
import type { PhysicsBody } from './body';

type Listener = (event: never) => void;

interface Subscription {
  listener: Listener;
  /** 0: any. */
  body: BodyId;
  minImpulse: number;
}

export class Subscriptions {
  /** Loops over events, which end with the world. */
  readonly streams = new Set<{ end(): void }>();
  private readonly byCode = new Map<number, Subscription[]>();

  constructor(private readonly resolve: (id: BodyId) => PhysicsBody) {}

  /** Bit n is set if there is a subscription to events of code n. */
  get mask(): number {
    let mask = 0;
    for (const code of this.byCode.keys()) mask |= 1 << code;
    return mask;
  }

  /** Adds a subscription; returns a function that ends it. */
  add(type: EventType, listener: Listener, { body, minImpulse }: { body: BodyId; minImpulse: number }) {
    const code = EVENT_CODES[checkEventType(type)];
    const subscription = { listener, body, minImpulse };
    // Replaced, not changed, because it may be iterated now.
    this.byCode.set(code, [...(this.byCode.get(code) ?? []), subscription]);
    return () => this.filter(code, (other) => other !== subscription);
  }

  remove(type: EventType, listener: Listener): void {
    this.filter(EVENT_CODES[checkEventType(type)], (other) => other.listener !== listener);
  }

  private filter(code: number, keep: (subscription: Subscription) => boolean): void {
    const left = (this.byCode.get(code) ?? []).filter(keep);
    if (left.length > 0) this.byCode.set(code, left);
    else this.byCode.delete(code);
  }

  clear(): void {
    this.byCode.clear();
    for (const stream of [...this.streams]) stream.end();
  }

  /**
   * Dispatches the records in `words[from … end − 1]`. Errors of listeners go to `failed`, and the other listeners are
   * still called.
   */
  dispatch(
    words: Int32Array,
    floats: Float32Array,
    from: number,
    end: number,
    failed: (error: unknown) => void,
  ): void {
    if (this.byCode.size === 0) return;
    for (let at = from; at < end; at += eventWords(words, at)) {
      const wanted = this.byCode.get(eventCode(words, at));
      if (wanted === undefined) continue;
      let event: unknown;
      for (const { listener, body, minImpulse } of wanted) {
        if (body !== 0 && !concerns(words, at, body)) continue;
        if (minImpulse > 0 && !(impulseOf(words, floats, at) >= minImpulse)) continue;
        event ??= decodeEvent(words, floats, at, this.resolve);
        try {
          listener(event as never);
        } catch (error) {
          failed(error);
        }
      }
    }
  }
}
