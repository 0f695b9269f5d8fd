// Receives messages in a worker's script: one function for workers of browsers and Node's worker_threads.
import { type ParentPort, parentPort } from './workerLike';

export type Answer = (message: unknown, transfer: ArrayBuffer[]) => void;

/**
 * Passes each message to `receive`. There is no top-level await: bundlers make classic scripts of workers (Vite's
 * default).
 */
export function listen(receive: (message: never, answer: Answer) => void): void {
  // Node's threads have a port. Deno has the module, but its workers are like a browser's, without a port.
  const port = 'importScripts' in globalThis ? null : (parentPort() ?? null);
  if (port !== null) {
    const answer: Answer = (message, transfer) => port.postMessage(message, transfer);
    port.on('message', (message) => receive(message, answer));
    return;
  }
  const scope = globalThis as typeof globalThis & Pick<ParentPort, 'postMessage'>;
  const answer: Answer = (message, transfer) => scope.postMessage(message, transfer);
  addEventListener('message', (event) => receive((event as MessageEvent).data as never, answer));
}
