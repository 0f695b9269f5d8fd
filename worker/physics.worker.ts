// The worker's script: waits to be told to open a world, then answers on the two ports it was given.
// Several worlds may live in one worker. Runs in browsers (module worker) and in Node (worker_threads).
import type { OpenMessage } from './connect';
import { openWorld } from './open';

function receive(message: OpenMessage): void {
  if (message?.ricochet === 'open') void openWorld(message);
}

if (typeof addEventListener === 'function' && 'importScripts' in globalThis) {
  addEventListener('message', (event) => receive((event as MessageEvent).data));
} else {
  // Kept in a variable so that bundlers do not look for it.
  const nodeWorkers = 'node:worker_threads';
  const { parentPort } = await import(/* @vite-ignore */ nodeWorkers);
  parentPort.on('message', receive);
}
