// The worker's script: waits for the message to open a world, then answers on the two ports from that message. Several
// worlds can share one worker. Runs in browsers (module worker) and in Node (worker_threads).
import type { OpenMessage } from './connect';
import { listen } from './listen';
import { openWorld } from './open';

listen((message: OpenMessage) => {
  if (message?.ricochet === 'open') void openWorld(message);
});
