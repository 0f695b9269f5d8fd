// Subscriptions to events, of a world here or in a worker. In: event records of steps or of a frame. Out: calls of listeners, in
// the order of the events. A record becomes an object only if a listener needs it.

import type { BodyId } from '../base/ids';
import { checkFunction } from '../base/validate';
import type { EventType } from '../types';
import { concerns, impulseOf, type Wanted } from './eventFilter';
import { decodeEvent, eventCode, eventWords } from './events';
import { checkEventType, EVENT_CODES } from './eventTypes';

type Listener = (event: never) => void;

interface Subscription {
  listener: Listener;
  /** 0: any. */
  body: BodyId;
  minImpulse: number;
  /** A listener may end others, which are not called any more, not even with the same event. */
  ended: boolean;
}

export class Subscriptions {
  /** Loops over events, which end with the world. */
  readonly streams = new Set<{ end(): void }>();
  private readonly byCode = new Map<number, Subscription[]>();

  constructor(private readonly resolve: (id: BodyId) => unknown) {}

  get isEmpty(): boolean {
    return this.byCode.size === 0;
  }

  /** Bit n is set if there is a subscription to events of code n. */
  get mask(): number {
    let mask = 0;
    for (const code of this.byCode.keys()) mask |= 1 << code;
    return mask;
  }

  /** Adds a subscription; returns a function that ends it. */
  add(type: EventType, listener: Listener, { body, minImpulse }: Wanted) {
    const code = EVENT_CODES[checkEventType(type)];
    checkFunction(listener, 'listener');
    const subscription = { listener, body, minImpulse, ended: false };
    // Replaced, not changed, because it may be iterated now: what a listener adds hears of the next event first.
    this.byCode.set(code, [...(this.byCode.get(code) ?? []), subscription]);
    return () => this.filter(code, (other) => other !== subscription);
  }

  remove(type: EventType, listener: Listener): void {
    this.filter(EVENT_CODES[checkEventType(type)], (other) => other.listener !== listener);
  }

  private filter(code: number, keep: (subscription: Subscription) => boolean): void {
    const left = (this.byCode.get(code) ?? []).filter((each) => keep(each) || !(each.ended = true));
    if (left.length > 0) this.byCode.set(code, left);
    else this.byCode.delete(code);
  }

  clear(): void {
    for (const code of this.byCode.keys()) this.filter(code, () => false);
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
      for (const subscription of wanted) {
        const { listener, body, minImpulse } = subscription;
        if (subscription.ended) continue;
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
