// The helper threads of a world. In: the shared memory, the moved cores. Out: threads that work inside their cores, in
// Node as worker_threads, in browsers as nested workers. A script of their own as text: a page can start it wherever the
// package's files lie.
import { CONTROL_END, DONE, END, LOST, READY, WAKE } from '../core/threads/control';

interface Thread {
  postMessage(message: unknown): void;
  terminate(): unknown;
  unref?(): void;
  on?(type: string, listener: (value: unknown) => void): unknown;
  addEventListener?(type: string, listener: (event: Event) => void): void;
}

interface Builtins {
  getBuiltinModule?(id: string): unknown;
}

/** The same in browsers and in Node. A core that fails there fails the step, which is then made again without it. */
const SCRIPT = `
const node = typeof process === 'object' && process.getBuiltinModule?.('node:worker_threads');
const receive = ({ bytes, memory, region, thread }) => {
  const words = new Int32Array(memory.buffer, 0, ${CONTROL_END >> 2});
  const abort = () => { throw new WebAssembly.RuntimeError('abort'); };
  const env = { memory, now: () => performance.now(), pairFilter: abort, actors: abort, abort };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env });
  Atomics.or(words, ${READY >> 2}, 1 << (thread - 1));
  try {
    exports.help(region, thread);
  } catch {
    Atomics.store(words, ${LOST >> 2}, 1);
    Atomics.notify(words, ${DONE >> 2});
  }
  if (!node) close();
};
if (node) node.parentPort.once('message', receive);
else onmessage = ({ data }) => receive(data);
`;

const builtin = (id: string): unknown =>
  (globalThis as { process?: Builtins }).process?.getBuiltinModule?.(id);

/** A thread that waits for its message. */
function makeThread(): Thread {
  const threads = builtin('node:worker_threads') as
    | { Worker: new (code: string, options: { eval: boolean }) => Thread }
    | undefined;
  if (threads !== undefined) {
    const thread = new threads.Worker(SCRIPT, { eval: true });
    thread.unref?.(); // a process whose world is still there may end
    return thread;
  }
  const address = URL.createObjectURL(new Blob([SCRIPT], { type: 'text/javascript' }));
  try {
    return new Worker(address) as unknown as Thread;
  } finally {
    // The script is fetched after the constructor; the address is of no use later.
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}

/** Empty, or why this thread can have no helpers. */
export function whyAlone(): string {
  const { crossOriginIsolated = true } = globalThis as { crossOriginIsolated?: boolean };
  if (typeof SharedArrayBuffer === 'undefined' || !crossOriginIsolated)
    return 'threads can share memory only in a cross-origin isolated page (COOP and COEP headers)';
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
  } catch {
    return "a page's own thread may not wait for others: make the world in a worker (createPhysics)";
  }
  if (builtin('node:worker_threads') === undefined && typeof Worker === 'undefined')
    return 'this host has no workers inside of workers';
  return '';
}

/** Processors of this machine. */
export function processors(): number {
  const os = builtin('node:os') as { availableParallelism?(): number } | undefined;
  return os?.availableParallelism?.() ?? (globalThis.navigator?.hardwareConcurrency || 1);
}

/** What became of the helpers of a world: empty, or why some are missing. */
export interface Fate {
  reason: string;
}

/** The helpers of one memory. Listeners know nothing of the world, so that it can be forgotten. */
export class Helpers {
  private readonly threads: Thread[] = [];

  constructor(
    private readonly words: Int32Array,
    memory: WebAssembly.Memory,
    cores: readonly Uint8Array[],
    regions: readonly number[],
    private readonly fate: Fate,
  ) {
    for (const [i, bytes] of cores.entries()) {
      try {
        const thread = makeThread();
        this.threads.push(thread);
        this.watch(thread, 1 << i);
        thread.postMessage({ bytes, memory, region: regions[i], thread: i + 1 });
      } catch (error) {
        fate.reason = `helper threads cannot be started: ${(error as Error).message}`;
      }
    }
  }

  private watch(thread: Thread, bit: number): void {
    const { words, fate } = this;
    const gone = (reason: string) => {
      Atomics.and(words, READY >> 2, ~bit);
      if (Atomics.load(words, END >> 2) === 0) fate.reason = `a helper thread is gone: ${reason}`;
    };
    const failed = (value: unknown) => gone(String((value as { message?: string })?.message ?? value));
    if (thread.on === undefined) thread.addEventListener?.('error', failed);
    else {
      thread.on('error', failed);
      thread.on('exit', (code) => gone(`it ended with code ${String(code)}`));
    }
  }

  /** Helpers that look for work. */
  get ready(): number {
    let count = 0;
    for (let bits = Atomics.load(this.words, READY >> 2); bits !== 0; bits &= bits - 1) count++;
    return count;
  }

  /** Ends them: those that sleep or look for work by themselves, all others by force. */
  end(): void {
    const { words } = this;
    Atomics.store(words, END >> 2, 1);
    Atomics.add(words, WAKE >> 2, 1);
    Atomics.notify(words, WAKE >> 2);
    Atomics.notify(words, END >> 2);
    for (const thread of this.threads.splice(0)) void thread.terminate();
  }
}
