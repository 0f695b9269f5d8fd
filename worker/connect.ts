// Connects to a worker. In: how to create a worker. Out: a running host with two ports, one for control (comlink), one
// for data, and the shared memory. Browser workers, Node's worker_threads and a host in the page itself have the same
// interface from here on. Reports once if the worker is lost.
import { ownError, PhysicsError } from '../src/base/errors';
import { checkOneOf } from '../src/base/validate';
import { type Memory, makeBoard } from './board';
import {
  addressOfTools,
  notLoaded,
  type ScriptText,
  type StartedWorker,
  startWorker,
  startWorkerAt,
} from './scripts';
import type { DataPort } from './transport';
import type { WorkerLike } from './workerLike';

/** How poses and commands travel: shared memory, messages, or, without a worker, in the page itself. */
export type Transport = 'shared' | 'messages' | 'page';

export interface ConnectOptions {
  /** Makes the worker; called again when a lost one is replaced. Default: a module worker from the package's own `physics.worker.js`. */
  workerFactory?: () => WorkerLike | Promise<WorkerLike>;
  /** Address of `physics.worker.js` when it is hosted elsewhere; must have the page's origin. */
  workerUrl?: string | URL;
  /** Makes the worker in which `cookMesh` and its like work. Default: a module worker from the package's own `cooking.worker.js`. */
  cookingWorker?: () => WorkerLike | Promise<WorkerLike>;
  /** A worker that runs already and may hold other worlds: it is neither replaced nor ended with this world. */
  worker?: WorkerLike;
  /**
   * 'shared': memory that both sides share, no messages per frame; needs cross-origin isolation in browsers.
   * 'messages': buffers handed over. 'page': no worker, the engine is loaded into the page. Default 'auto':
   * shared memory where it is to be had, else messages.
   */
  transport?: Transport | 'auto';
}

export interface ConnectionOptions extends ConnectOptions {
  /** In place of the worker's usual text, where it is started from text. */
  workerText?: ScriptText;
}

/** First and only message to the worker itself: opens a world in it. */
export interface OpenMessage {
  ricochet: 'open';
  control: MessagePort;
  data: MessagePort;
  /** See board.ts; null: frames and commands go by messages. */
  board: Memory | null;
  /** Name of a lock that the worker holds while it lives; empty if the host has no locks. */
  lock: string;
  /** The compiled core of an earlier worker, machine code included; null: compile it. */
  core: WebAssembly.Module | null;
  /** Address of physics.tools.js. */
  tools: string;
  /** In the page itself, takes memory for frames instead of a message. */
  announce?: (memory: Memory) => void;
}

export interface Connection {
  control: MessagePort;
  data: DataPort;
  board: Memory | null;
  /** Reports if something else ended the worker, for hosts without another way. Call it when the world is open. */
  watch(): void;
  /** Ends the worker, or only this world in a worker that holds others. */
  terminate(): void;
}

async function makeWorker({
  workerFactory,
  workerUrl,
  worker,
  workerText,
}: ConnectionOptions): Promise<StartedWorker> {
  if (worker !== undefined) return { worker, whereabouts: '' };
  if (workerFactory !== undefined) return { worker: await workerFactory(), whereabouts: '' };
  return workerUrl === undefined
    ? startWorker('physics.worker', workerText)
    : startWorkerAt('physics.worker', workerUrl);
}

/** Whether this page can share memory with its workers; Node always can. */
export function canShare(): boolean {
  if (typeof SharedArrayBuffer === 'undefined') return false;
  return (
    (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated ?? typeof Worker === 'undefined'
  );
}

/** The transport that an option selects. */
export function chooseTransport(asked: ConnectOptions['transport']): Transport {
  const transport = checkOneOf(asked ?? 'auto', 'transport', ['auto', 'shared', 'messages', 'page'] as const);
  if (transport === 'auto') return canShare() ? 'shared' : 'messages';
  if (transport === 'shared' && !canShare())
    throw new PhysicsError(
      'unsupported-host',
      'shared memory needs a cross-origin isolated page (COOP and COEP headers); use transport: "auto" or "messages"',
    );
  return transport;
}

/**
 * @param core  compiled by a worker of the same script
 * @param lost  called at most once: the worker failed, or ended without being told to
 * @param announce  takes memory for frames from a host in the page
 */
export async function connect(
  options: ConnectionOptions,
  transport: Transport,
  core: WebAssembly.Module | null,
  lost: (error: PhysicsError) => void,
  announce: (memory: Memory) => void,
): Promise<Connection> {
  if (typeof MessageChannel === 'undefined')
    throw new PhysicsError(
      'unsupported-host',
      "this host has no MessageChannel, as Jest's jsdom: test with its environment 'node', or use a World",
    );
  const control = new MessageChannel();
  const data = new MessageChannel();
  const board = transport === 'messages' ? null : makeBoard(transport === 'shared');
  const message: OpenMessage = {
    ricochet: 'open',
    control: control.port2,
    data: data.port2,
    board,
    lock: '',
    core,
    tools: addressOfTools(options.workerUrl),
  };
  const closePorts = () => {
    data.port1.close();
    control.port1.close();
  };
  const ports = { control: control.port1, data: data.port1, board };
  if (transport === 'page') {
    const { openWorld } = await import('./page');
    await openWorld({ ...message, announce }).catch((error) => {
      throw ownError(error);
    });
    return { ...ports, watch() {}, terminate: closePorts };
  }

  const { worker, whereabouts } = await makeWorker(options);
  let ended = false;
  const fail = (reason: string, code: 'worker-lost' | 'out-of-memory' = 'worker-lost') => {
    if (ended) return;
    ended = true;
    lost(new PhysicsError(code, `the physics worker is lost: ${reason}`));
  };
  const failed = (value: unknown) => {
    const { message, code } = (value ?? {}) as { message?: unknown; code?: unknown };
    fail(
      typeof message === 'string' && message !== '' ? message : notLoaded(whereabouts),
      code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out-of-memory' : 'worker-lost',
    );
  };
  const exited = (code: unknown) => fail(`it ended with code ${String(code)}`);
  const listen = (method: 'on' | 'off', browserMethod: 'addEventListener' | 'removeEventListener') => {
    if (worker.on !== undefined) {
      worker[method]?.('error', failed);
      worker[method]?.('messageerror', failed);
      worker[method]?.('exit', exited);
    } else {
      worker[browserMethod]?.('error', failed);
      worker[browserMethod]?.('messageerror', failed);
    }
  };
  listen('on', 'addEventListener');
  // Browsers do not report that a worker was ended, but they release a lock that it held.
  // Pages without an origin of their own, as in a sandbox, have none.
  const hasLocks = worker.on === undefined && typeof navigator === 'object' && globalThis.origin !== 'null';
  const locks = hasLocks ? navigator.locks : undefined;
  const abort = new AbortController();
  if (locks !== undefined) message.lock = `ricochet-${crypto.randomUUID()}`;
  worker.postMessage(message, [control.port2, data.port2]);
  return {
    ...ports,
    watch() {
      locks?.request(message.lock, { signal: abort.signal }, () => fail('somebody ended it')).catch(() => {}); // aborted: we ended it ourselves
    },
    terminate() {
      ended = true;
      abort.abort();
      listen('off', 'removeEventListener');
      // Ending a thread during an error can raise another one, which is ignored.
      worker.on?.('error', () => {});
      closePorts();
      if (options.worker === undefined) worker.terminate();
    },
  };
}
