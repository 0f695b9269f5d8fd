// In: how to get a worker. Out: a running worker with two ports, one for control (comlink), one for data.
// Browsers and Node's worker_threads look alike from here on. Tells once when the worker is gone.
import { PhysicsError } from '../src/errors';
import type { DataPort } from './transport';

/** A browser's `Worker` or one of Node's `worker_threads`. */
export interface WorkerLike {
  // biome-ignore lint/suspicious/noExplicitAny: the two worlds type their transfer lists differently
  postMessage(message: unknown, transfer: any[]): void;
  terminate(): unknown;
  addEventListener?(type: string, listener: (event: Event) => void): void;
  on?(type: string, listener: (value: unknown) => void): unknown;
}

export interface ConnectOptions {
  /** Makes the worker. Default: a module worker from the package's own `physics.worker.js`. */
  workerFactory?: () => WorkerLike | Promise<WorkerLike>;
  /** Address of `physics.worker.js` when it is hosted elsewhere; must have the page's origin. */
  workerUrl?: string | URL;
}

/** First and only message to the worker itself: opens one world in it. */
export interface OpenMessage {
  ricochet: 'open';
  control: MessagePort;
  data: MessagePort;
}

export interface Connection {
  control: MessagePort;
  data: DataPort;
  terminate(): void;
}

/** Kept in a variable so that bundlers for the page do not look for it. */
const NODE_WORKERS = 'node:worker_threads';

async function createWorker({ workerFactory, workerUrl }: ConnectOptions): Promise<WorkerLike> {
  if (workerFactory !== undefined) return workerFactory();
  if (typeof Worker === 'undefined') {
    const node = await import(/* @vite-ignore */ NODE_WORKERS).catch(() => null);
    if (node === null) throw new PhysicsError('unsupported-host', 'this host has no workers');
    return new node.Worker(workerUrl ?? new URL('./physics.worker.ts', import.meta.url));
  }
  if (workerUrl !== undefined) return new Worker(workerUrl, { type: 'module', name: 'ricochet' });
  // Written in this one form, which bundlers recognise.
  return new Worker(new URL('./physics.worker.ts', import.meta.url), { type: 'module', name: 'ricochet' });
}

/** @param lost  called at most once: the worker failed, or ended without being told to */
export async function connect(
  options: ConnectOptions,
  lost: (error: PhysicsError) => void,
): Promise<Connection> {
  const worker = await createWorker(options);
  let ended = false;
  const fail = (reason: string) => {
    if (ended) return;
    ended = true;
    lost(new PhysicsError('worker-lost', `the physics worker is lost: ${reason}`));
  };
  const failed = (value: unknown) => {
    const message = (value as { message?: unknown } | null)?.message;
    fail(
      typeof message === 'string' && message !== '' ? message : 'its script could not be loaded or failed',
    );
  };
  if (worker.on !== undefined) {
    worker.on('error', failed);
    worker.on('messageerror', failed);
    worker.on('exit', (code) => fail(`it ended with code ${String(code)}`));
  } else {
    worker.addEventListener?.('error', failed);
    worker.addEventListener?.('messageerror', failed);
  }
  const control = new MessageChannel();
  const data = new MessageChannel();
  const message: OpenMessage = { ricochet: 'open', control: control.port2, data: data.port2 };
  worker.postMessage(message, [control.port2, data.port2]);
  return {
    control: control.port1,
    data: data.port1,
    terminate() {
      ended = true;
      data.port1.close();
      control.port1.close();
      worker.terminate();
    },
  };
}
