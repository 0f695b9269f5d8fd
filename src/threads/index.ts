// Worlds on several threads. In: nothing. Out: registers the threaded core, so that the option `threads` of a World finds
// it. createPhysics needs none of this: its worker loads the same when it is asked for.
import { registerMakers } from '../wasm/threading';
import { threadedMaker } from './threadedCore';

/**
 * Makes the option `threads` of `new World` effective, in Node and in workers. Without this call, and where threads cannot
 * share memory, worlds run on one thread, with the same results, and `world.threads.reason` says why.
 */
export function useThreads(): void {
  registerMakers(threadedMaker);
}
