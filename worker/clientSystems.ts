// The page's side of step systems, loaded when the first one is added. In: addresses of modules, messages. Out: handles,
// and what a lost worker's successor needs to have the same systems.
import { transfer } from 'comlink';
import { PhysicsError, type PlainPhysicsError } from '../src/base/errors';
import { invalid } from '../src/base/validate';
import { checkSystemOptions, nameOfAddress, StepSystem } from '../src/replica/stepSystem';
import { besideTools } from './besideTools';
import { forEachEntry } from './journal';
import type { Link } from './link';
import type { Listeners } from './listeners';
import { systemsAddress } from './packagedSystems';
import type { Answer, HostControl, Recovery, SystemAct, SystemLoad } from './protocol';

type Question<T> = (host: HostControl, sequence: number) => Promise<Answer<T>>;

interface Post {
  sequence: number;
  /** Steps of the world when it was delivered; −1: not known yet. */
  step: number;
  message: unknown;
}

interface Entry {
  number: number;
  name: string;
  address: string;
  options: unknown;
  handle: StepSystem;
  port: MessagePort;
  /** Where it began: in the stream, and in steps; −1: not yet. */
  sequence: number;
  step: number;
  /** What a successor's system has to be told again. */
  posts: Post[];
}

/** By the port of a system. */
interface Told {
  message?: unknown;
  error?: PlainPhysicsError;
  turn?: number;
  isInside?: boolean;
  ended?: true;
}

/** ms in which a module has to be there. */
const LOAD_TIMEOUT = 30_000;
const TRIM_EVERY = 64;

export class ClientSystems {
  private readonly entries: Entry[] = [];
  private lastNumber = 0;
  /** A worker was lost while there were systems: from now on they tell when they run. */
  private careful = false;
  /** The system whose code runs, and the last word about it. */
  private inside: Entry | undefined;
  private turn = 0;
  /** Where physics.systems.js is. */
  readonly tools: string;

  /** @param ask  asks after exactly the calls before */
  constructor(
    private readonly link: Link,
    private readonly listeners: Listeners,
    private readonly ask: (question: Question<number>) => Promise<number>,
  ) {
    this.tools = besideTools(link.options.workerUrl, 'physics.systems.js', systemsAddress);
  }

  async add(source: unknown, given: unknown): Promise<StepSystem> {
    const address = addressOf(source);
    const { name, options } = checkSystemOptions(given, nameOfAddress(address));
    const entry = { number: ++this.lastNumber, name, address, options: structuredClone(options) } as Entry;
    Object.assign(entry, { sequence: -1, step: -1, posts: [] });
    entry.handle = new StepSystem(name, {
      post: (message, moved) => this.post(entry, message, moved),
      remove: () => this.remove(entry),
    });
    await this.inTime(entry, this.load(entry));
    const begun = this.act({ kind: 'add', number: entry.number });
    entry.sequence = this.link.sequence;
    this.entries.push(entry);
    try {
      entry.step = await begun;
    } catch (error) {
      this.forget(entry);
      throw error;
    }
    return entry.handle;
  }

  private load(entry: Entry): Promise<number> {
    const load = this.loadOf(entry);
    return this.link.ask((host) => host.system(0, this.tools, transfer(load, [load.port])), []);
  }

  private loadOf(entry: Entry): SystemLoad {
    const { number, name, address, options } = entry;
    const { port1, port2 } = new MessageChannel();
    entry.port?.close();
    entry.port = port1;
    port1.onmessage = ({ data }) => this.receive(entry, data);
    (port1 as { unref?: () => void }).unref?.();
    return { kind: 'load', number, name, address, options, port: port2, careful: this.careful };
  }

  private async inTime(entry: Entry, loading: Promise<unknown>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(this.failure(entry, `did not load from ${entry.address} in ${LOAD_TIMEOUT} ms`)),
        LOAD_TIMEOUT,
      );
    });
    try {
      await Promise.race([loading, late]);
    } catch (error) {
      entry.port.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private failure({ name }: Entry, what: string): PhysicsError {
    return new PhysicsError('system-failed', `step system ${JSON.stringify(name)} ${what}`);
  }

  private act(act: SystemAct, moved: Transferable[] = []): Promise<number> {
    return this.ask((host, sequence) => host.system(sequence, this.tools, transfer(act, moved)));
  }

  private post(entry: Entry, message: unknown, moved: Transferable[]): void {
    // What is given away cannot be said again; the rest is kept until a checkpoint has it in it.
    const kept = moved.length > 0 ? undefined : structuredClone(message);
    const done = this.act({ kind: 'post', number: entry.number, message }, moved);
    const post: Post = { sequence: this.link.sequence, step: -1, message: kept };
    if (moved.length === 0) entry.posts.push(post);
    if (entry.posts.length % TRIM_EVERY === 0)
      forgetUpTo(entry, this.link.journal === null ? post.sequence : this.link.base.sequence);
    done.then(
      (step) => {
        post.step = step;
      },
      (error: PhysicsError) => {
        // The answer was lost with its worker. Later commands tell when the message came.
        post.step = error.code === 'worker-lost' ? this.stepsAfter(post.sequence) : -1;
        if (post.step >= 0 && moved.length === 0) return;
        entry.posts = entry.posts.filter((other) => other !== post);
        if (!entry.handle.isRunning || error.code === 'disposed') return;
        if (error.code === 'worker-lost' && this.link.failure === null && moved.length === 0)
          this.post(entry, kept, []); // to the next worker
        else this.listeners.report(error);
      },
    );
  }

  /** Steps that the world had made before the first commands after a call, if it is known to have applied them; else −1. */
  private stepsAfter(sequence: number): number {
    let found = -1;
    forEachEntry(this.link.journal?.applied() ?? new Int32Array(0), (place, _, steps) => {
      if (found < 0 && place > sequence) found = steps;
    });
    return found;
  }

  private remove(entry: Entry): void {
    this.drop(entry);
    this.act({ kind: 'remove', number: entry.number }).catch(() => entry.port.close());
  }

  private drop(entry: Entry): void {
    const at = this.entries.indexOf(entry);
    if (at >= 0) this.entries.splice(at, 1);
  }

  private forget(entry: Entry): void {
    this.drop(entry);
    entry.port.close();
  }

  private receive(entry: Entry, data: Told): void {
    if (data.ended === true) entry.port.close();
    else if (data.turn !== undefined) {
      // Ports keep no common order.
      if (data.turn < this.turn) return;
      this.turn = data.turn;
      this.inside = data.isInside === true ? entry : undefined;
      this.link.isInSystem = data.isInside === true;
      this.link.silence = Math.min(this.link.silence, 0); // it is there
    } else if (data.error !== undefined) this.stop(entry, PhysicsError.fromPlain(data.error));
    else for (const error of entry.handle.tell(data.message)) this.listeners.failed(error);
  }

  private stop(entry: Entry, error: PhysicsError): void {
    this.forget(entry);
    entry.handle.fail(error);
    this.listeners.report(error);
  }

  /** A worker was lost; its successor begins after call `base`. */
  recovering(recovery: Recovery, base: number): void {
    const { inside } = this;
    if (inside !== undefined)
      this.stop(inside, this.failure(inside, 'was stopped: twice the worker was lost, and now while it ran'));
    this.inside = undefined;
    this.turn = 0;
    this.careful = this.entries.length > 0;
    const systems = this.entries
      .filter(({ step }) => step >= 0)
      .map((entry) => {
        forgetUpTo(entry, base);
        const posts = entry.posts
          .filter(({ step }) => step >= 0)
          .map(({ step, message }) => ({ step, message }));
        const since = entry.sequence > base ? entry.step : 0;
        return { ...this.loadOf(entry), since, posts };
      });
    if (systems.length === 0) return;
    Object.assign(recovery, { systems, systemTools: this.tools });
    transfer(
      recovery,
      systems.map(({ port }) => port),
    );
  }

  close(): void {
    for (const { handle, port } of this.entries.splice(0)) {
      handle.isRunning = false;
      port.close();
    }
  }
}

/** What a checkpoint has in it need not be said again. */
function forgetUpTo(entry: Entry, base: number): void {
  entry.posts = entry.posts.filter(({ sequence }) => sequence > base);
}

function addressOf(source: unknown): string {
  if (typeof source !== 'string' && !(source instanceof URL))
    throw invalid('address', 'must be the address of a module: a worker cannot be given a function', source);
  const { location } = globalThis as { location?: { href: string } };
  try {
    return new URL(source, location?.href).href;
  } catch {
    throw invalid('address', 'must be an absolute address where there is no page', source);
  }
}
