// The script of the cooking worker: takes one job at a time, and returns progress and content. It has no world, so
// steps continue while it works. To cancel a job, the page terminates the worker. Runs in browsers and Node's
// worker_threads.
import { type CookAnswer, type CookOrder, cookSteps } from './cook';
import { type Answer, listen } from './listen';
import { plainError } from './protocol';

/** Share of the work between two progress messages. */
const TELL = 0.01;

function receive(order: CookOrder, send: Answer): void {
  const answer = (content: CookAnswer, transfer: ArrayBuffer[] = []) => send(content, transfer);
  try {
    const steps = cookSteps(order);
    let told = 0;
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) {
        const contents = 'hulls' in value ? value.hulls : [value];
        answer(
          { cooked: value },
          contents.map(({ words }) => words.buffer as ArrayBuffer),
        );
        return;
      }
      if (value - told < TELL) continue;
      told = value;
      answer({ share: value });
    }
  } catch (error) {
    answer({ error: plainError(error) });
  }
}

listen(receive);
