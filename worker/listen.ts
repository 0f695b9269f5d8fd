// How a worker's script hears: one function over browsers' workers and Node's worker_threads.
import { type ParentPort, workerThreads } from './workerLike';

export type Answer = (message: unknown, transfer: ArrayBuffer[]) => void;

/** Hands every message to `receive`. Nothing here waits: bundlers make classic scripts of workers (Vite's default). */
export function listen(receive: (message: never, answer: Answer) => void): void {
  if (typeof addEventListener === 'function' && 'importScripts' in globalThis) {
    const scope = globalThis as typeof globalThis & Pick<ParentPort, 'postMessage'>;
    const answer: Answer = (message, transfer) => scope.postMessage(message, transfer);
    addEventListener('message', (event) => receive((event as MessageEvent).data as never, answer));
    return;
  }
  const { parentPort } = workerThreads();
  const answer: Answer = (message, transfer) => parentPort.postMessage(message, transfer);
  parentPort.on('message', (message) => receive(message, answer));
}
