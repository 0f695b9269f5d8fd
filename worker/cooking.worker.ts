// The script of the cooking worker: one order at a time in, progress and content out. It knows no world, so
// that steps go on while it works, and whoever wants it to stop ends it. Browsers and Node's worker_threads.
import { type CookAnswer, type CookOrder, cookSteps } from './cook';
import { plainError } from './protocol';

/** Progress is told when it has grown by so much. */
const TELL = 0.01;

type Answer = (answer: CookAnswer, transfer: ArrayBuffer[]) => void;

function receive(order: CookOrder, answer: Answer): void {
  try {
    const steps = cookSteps(order);
    let told = 0;
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) {
        answer({ cooked: value }, [value.words.buffer as ArrayBuffer]);
        return;
      }
      if (value - told < TELL) continue;
      told = value;
      answer({ share: value }, []);
    }
  } catch (error) {
    answer({ error: plainError(error) }, []);
  }
}

if (typeof addEventListener === 'function' && 'importScripts' in globalThis) {
  const scope = globalThis as unknown as { postMessage: Answer };
  addEventListener('message', (event) => receive((event as MessageEvent).data, scope.postMessage));
} else {
  // Kept in a variable so that bundlers do not look for it.
  const nodeWorkers = 'node:worker_threads';
  const { parentPort } = await import(/* @vite-ignore */ nodeWorkers);
  parentPort.on('message', (order: CookOrder) =>
    receive(order, (answer, transfer) => parentPort.postMessage(answer, transfer)),
  );
}
