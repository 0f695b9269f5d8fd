// The common interface of browser workers and Node's. Node's are found through `process`, because bundlers for pages
// would follow, or warn about, an import of node:worker_threads.
import { PhysicsError } from '../src/base/errors';

/** A browser's `Worker` or one of Node's `worker_threads`. */
export interface WorkerLike {
  /** As of Worker. */
  // biome-ignore lint/suspicious/noExplicitAny: the two worlds type their transfer lists differently
  postMessage(message: unknown, transfer: any[]): void;
  /** As of Worker. */
  terminate(): unknown;
  /** Browsers, Deno, Bun. */
  addEventListener?(type: string, listener: (event: Event) => void): void;
  /** Browsers, Deno, Bun. */
  removeEventListener?(type: string, listener: (event: Event) => void): void;
  /** Node's worker_threads. */
  on?(type: string, listener: (value: unknown) => void): unknown;
  /** Node's worker_threads. */
  off?(type: string, listener: (value: unknown) => void): unknown;
}

export interface ParentPort {
  postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
  on(event: 'message', listener: (message: never) => void): void;
}

interface WorkerThreads {
  Worker: new (script: URL | string) => WorkerLike;
  parentPort: ParentPort | null;
}

interface NodeProcess {
  getBuiltinModule?(id: 'node:worker_threads'): WorkerThreads | undefined;
}

const threads = (): WorkerThreads | undefined =>
  (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.('node:worker_threads');

/** The port of a Node thread to its parent; undefined in the main thread and in workers of other hosts. */
export const parentPort = (): ParentPort | null | undefined => threads()?.parentPort;

/** @throws PhysicsError 'unsupported-host' where there are none: Node.js has them for the asking since 20.16 */
export function workerThreads(): WorkerThreads {
  const found = threads();
  if (found === undefined)
    throw new PhysicsError(
      'unsupported-host',
      'this host has no workers: a browser, or Node.js 20.16 or later',
    );
  return found;
}
