// The maker of a worker's core for several threads. In: their number, the address of the file. Out: the maker, or why the
// world has one thread.
import { whyAlone } from '../src/threads/helpers';
import type { CoreMaker } from '../src/wasm/instance';
import { loadThreads } from './loadThreads';

/** A bundler may have made a script of the file, without exports. */
async function loaded(file: string) {
  const { threadedMaker } = await loadThreads(file);
  if (threadedMaker === undefined) throw new Error('the bundler has dropped its exports');
  return threadedMaker;
}

export async function coreMaker(threads: number | 'auto', file: string): Promise<CoreMaker | string> {
  const alone = whyAlone(); // and then the file, which is large, is not loaded
  if (alone !== '') return alone;
  return loaded(file).then(
    (threadedMaker) => threadedMaker(threads),
    (error) => `physics.threads.js was not found (${file}): ${(error as Error).message}`,
  );
}
