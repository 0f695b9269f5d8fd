// The client's end of the way to the host. In: commands and calls. Out: frames, answers, errors. Gives every
// buffer and every change its number, so that two ports keep one order. When the worker is gone, whatever
// waits for it learns so at once.
import { type Remote, releaseProxy, wrap } from 'comlink';
import { PhysicsError } from '../src/errors';
import { type Connection, type ConnectOptions, connect } from './connect';
import {
  type Answer,
  COMMANDS,
  COMMANDS_HEADER,
  decodeRefusal,
  type HostControl,
  type HostOptions,
  MESSAGE_COMMANDS,
  MESSAGE_FRAME,
  MESSAGE_REFUSED,
  messageKind,
} from './protocol';
import { BufferLoop } from './transport';

/** What the client does with what arrives. */
export interface LinkEvents {
  /** The last number whose effect the newest frame shows. */
  readonly shown: number;
  /** Takes over a frame; to be given back by `giveBack` when it is no longer needed. */
  frame(buffer: ArrayBuffer): void;
  /** An error that belongs to no call; `answered` when calls that waited were rejected with it. */
  error(error: PhysicsError, answered: boolean): void;
}

type Reject = (error: PhysicsError) => void;

interface Waiter {
  sequence: number;
  resolve(): void;
  reject: Reject;
}

export class Link {
  /** Set when the world is gone, for good. */
  failure: PhysicsError | null = null;
  /** The last number that was given to a command buffer or a change. */
  sequence = 0;
  private connection: Connection | undefined;
  private control!: Remote<HostControl>;
  private commands!: BufferLoop;
  private readonly pending = new Set<Reject>();
  private waiters: Waiter[] = [];

  constructor(private readonly events: LinkEvents) {}

  async open(options: ConnectOptions, hostOptions: HostOptions): Promise<void> {
    this.connection = await connect(options, (error) => this.fail(error));
    const { control, data } = this.connection;
    this.control = wrap<HostControl>(control);
    this.commands = new BufferLoop(data);
    data.addEventListener('message', (event) => this.receive(event.data));
    data.start();
    try {
      await this.call((host) => host.open(hostOptions));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  // --- out ---

  /** Posts a command buffer. */
  send(words: Int32Array): void {
    const buffer = this.commands.acquire(4 * (COMMANDS_HEADER + words.length)) as ArrayBuffer;
    const message = new Int32Array(buffer);
    message[COMMANDS.KIND] = MESSAGE_COMMANDS;
    message[COMMANDS.SEQUENCE] = ++this.sequence;
    message[COMMANDS.WORDS] = words.length;
    message.set(words, COMMANDS_HEADER);
    this.commands.post(buffer);
  }

  /** Returns a frame to the host. */
  giveBack(frame: ArrayBuffer): void {
    this.connection?.data.postMessage(frame, [frame]);
  }

  /** A change with a number of its own: after all that was sent so far, before all that is sent later. */
  change(run: (host: HostControl, sequence: number) => Promise<Answer<void>>): Promise<void> {
    const sequence = ++this.sequence;
    return this.call((host) => run(host, sequence));
  }

  /** As `change`; resolves when a frame shows it. */
  changeAndSee(run: (host: HostControl, sequence: number) => Promise<Answer<void>>): Promise<void> {
    const done = this.change(run);
    const { sequence } = this;
    return quiet(done.then(() => this.seen(sequence)));
  }

  /** A question about the world as it is after all that was sent so far. */
  ask<T>(question: (host: HostControl, sequence: number) => Promise<Answer<T>>): Promise<T> {
    return this.call((host) => question(host, this.sequence));
  }

  /** Resolves when a frame shows the effect of number `sequence`. */
  seen(sequence = this.sequence): Promise<void> {
    if (this.failure !== null) return quiet(Promise.reject(this.failure));
    if (this.events.shown >= sequence) return Promise.resolve();
    return quiet(new Promise((resolve, reject) => void this.waiters.push({ sequence, resolve, reject })));
  }

  private call<T>(run: (host: HostControl) => Promise<Answer<T>>): Promise<T> {
    if (this.failure !== null) return quiet(Promise.reject(this.failure));
    return quiet(
      new Promise<T>((resolve, reject) => {
        this.pending.add(reject);
        run(this.control as unknown as HostControl)
          .then((answer) => {
            if ('error' in answer) reject(PhysicsError.fromPlain(answer.error));
            else resolve(answer.value);
          })
          .catch((error) => reject(new PhysicsError('protocol', `no answer: ${String(error)}`)))
          .finally(() => this.pending.delete(reject));
      }),
    );
  }

  // --- in ---

  private receive(message: unknown): void {
    switch (messageKind(message)) {
      case MESSAGE_FRAME:
        try {
          this.events.frame(message as ArrayBuffer);
        } finally {
          for (const waiter of this.takeWaiters(0, this.events.shown)) waiter.resolve();
        }
        break;
      case MESSAGE_COMMANDS:
        this.commands.takeBack(message as ArrayBuffer);
        break;
      case MESSAGE_REFUSED: {
        const { sequence, error } = decodeRefusal(message as ArrayBuffer);
        for (const waiter of this.takeWaiters(sequence, Number.POSITIVE_INFINITY)) waiter.reject(error);
        this.events.error(error, false);
      }
    }
  }

  private takeWaiters(first: number, last: number): Waiter[] {
    if (this.waiters.length === 0) return [];
    const isDue = ({ sequence }: Waiter) => sequence >= first && sequence <= last;
    const due = this.waiters.filter(isDue);
    this.waiters = this.waiters.filter((waiter) => !isDue(waiter));
    return due;
  }

  // --- end ---

  /** The worker is gone. */
  fail(error: PhysicsError): void {
    if (this.failure !== null) return;
    this.failure = error;
    const waiting = [...this.pending, ...this.waiters.map(({ reject }) => reject)];
    this.pending.clear();
    this.waiters = [];
    for (const reject of waiting) reject(error);
    this.connection?.terminate();
    if (error.code !== 'disposed') this.events.error(error, waiting.length > 0);
  }

  /** Ends the worker. A lost one may be disposed of, too. */
  dispose(): void {
    if (this.failure?.code === 'disposed') return;
    this.control?.[releaseProxy]();
    this.failure = null;
    this.fail(new PhysicsError('disposed', 'the world was disposed'));
  }
}

/** Who does not wait for an answer is not to be blamed for its failure; who does, still gets it. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
