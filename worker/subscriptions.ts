// Who wants to know of which events. In: event records of a frame. Out: calls of listeners, in the order in
// which things happened. A record becomes an object only when somebody wants it.

import type { BodyId } from '../src/base/ids';
import {
  EVENT_CONTACT_BEGIN,
  EVENT_CONTACT_STAY,
  EVENT_JOINT_BROKEN,
  EVENT_JOINT_REMOVED,
  EVENT_SLEEP,
  EVENT_WAKE,
} from '../src/core/memory/constants';
import { CONTACT_RECORD, decodeEvent, eventCode, eventWords, JOINT_BODIES } from '../src/events/events';
import { checkEventType, EVENT_CODES } from '../src/events/eventTypes';
import type { EventType } from '../src/types';
import type { PhysicsBody } from './body';

export interface EventFilter {
  /** Only events of this body. */
  body?: PhysicsBody | BodyId;
  /** N·s. Only contacts whose points together pushed at least so much in the step; for contactBegin and contactStay. Default 0. */
  minImpulse?: number;
}

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

  /** Bit n is set when somebody wants events of code n. */
  get mask(): number {
    let mask = 0;
    for (const code of this.byCode.keys()) mask |= 1 << code;
    return mask;
  }

  /** Returns the way to end it. */
  add(type: EventType, listener: Listener, { body, minImpulse }: { body: BodyId; minImpulse: number }) {
    const code = EVENT_CODES[checkEventType(type)];
    const subscription = { listener, body, minImpulse };
    // Replaced, never changed: it may be walked through right now.
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

  /** Tells of the records in `words[from … end − 1]`. What a listener throws goes to `failed`, and the others are told. */
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

function concerns(words: Int32Array, at: number, body: BodyId): boolean {
  const code = eventCode(words, at);
  const ofJoint = code === EVENT_JOINT_BROKEN || code === EVENT_JOINT_REMOVED;
  const first = at + (ofJoint ? JOINT_BODIES : CONTACT_RECORD.IDS);
  if (words[first] === body) return true;
  return code !== EVENT_SLEEP && code !== EVENT_WAKE && words[first + 1] === body;
}

/** N·s of all points; infinite where there are none to be had. */
function impulseOf(words: Int32Array, floats: Float32Array, at: number): number {
  const code = eventCode(words, at);
  if (code !== EVENT_CONTACT_BEGIN && code !== EVENT_CONTACT_STAY) return Number.POSITIVE_INFINITY;
  let sum = 0;
  const count = words[at + CONTACT_RECORD.POINT_COUNT] as number;
  let point = at + CONTACT_RECORD.POINTS;
  for (let i = 0; i < count; i++, point += CONTACT_RECORD.POINT_WORDS)
    sum += floats[point + CONTACT_RECORD.IMPULSE] as number;
  return sum;
}

/** Events that a loop has not taken yet. */
const STREAM_LIMIT = 10_000;

/** Events for a `for await` loop. */
export class EventStream<Event> implements AsyncIterableIterator<Event> {
  /** Events that were lost because the loop was too slow. */
  dropped = 0;
  private readonly queue: Event[] = [];
  private readonly waiting: ((result: IteratorResult<Event>) => void)[] = [];
  private ended = false;

  /** @internal See Physics.events. */
  constructor(private readonly unsubscribe: () => void) {}

  /** @internal */
  push(event: Event): void {
    const next = this.waiting.shift();
    if (next !== undefined) {
      next({ value: event, done: false });
      return;
    }
    this.queue.push(event);
    if (this.queue.length <= STREAM_LIMIT) return;
    this.queue.shift();
    this.dropped++;
  }

  /** No events any more; those that wait are still to be had. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.unsubscribe();
    for (const resolve of this.waiting.splice(0)) resolve({ value: undefined, done: true });
  }

  next(): Promise<IteratorResult<Event>> {
    if (this.queue.length > 0) return Promise.resolve({ value: this.queue.shift() as Event, done: false });
    if (this.ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  return(): Promise<IteratorResult<Event>> {
    this.queue.length = 0;
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
