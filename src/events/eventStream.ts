// Iteration over events. In: the events of the last step or frame, and a subscription to later ones. Out: the former
// for `for … of`, the latter for `for await … of`.

/** Events that a loop has not taken yet. */
const STREAM_LIMIT = 10_000;

/** Events as they come, for `for await … of`; see the iterator for those of the last step. */
export class EventStream<Event> implements Iterable<Event>, AsyncIterableIterator<Event> {
  /** Number of events that were lost because the loop was too slow. */
  dropped = 0;
  private readonly queue: Event[] = [];
  private readonly waiting: ((result: IteratorResult<Event>) => void)[] = [];
  private ended = false;
  private unsubscribe: (() => void) | undefined;

  /**
   * @internal See PhysicsWorld.events.
   * @param recent     what the last step or frame told
   * @param subscribe  begins to push what comes; returns the way to end it
   */
  constructor(
    private readonly recent: () => Iterable<Event>,
    private readonly subscribe: (stream: EventStream<Event>) => () => void,
  ) {}

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

  /** Ends the stream; waiting events can still be read. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.unsubscribe?.();
    for (const resolve of this.waiting.splice(0)) resolve({ value: undefined, done: true });
  }

  /** Resolves with the next event. */
  next(): Promise<IteratorResult<Event>> {
    this.begin();
    if (this.queue.length > 0) return Promise.resolve({ value: this.queue.shift() as Event, done: false });
    if (this.ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Ends the stream; waiting events are dropped. */
  return(): Promise<IteratorResult<Event>> {
    this.queue.length = 0;
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  /** Not before somebody waits: a loop over what is there already costs no subscription. */
  private begin(): void {
    if (!this.ended) this.unsubscribe ??= this.subscribe(this);
  }

  /** The events of the last step or frame. */
  [Symbol.iterator](): Iterator<Event> {
    return this.recent()[Symbol.iterator]();
  }

  /** The events that come from now on. */
  [Symbol.asyncIterator](): this {
    this.begin();
    return this;
  }
}
