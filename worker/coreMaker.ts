// The maker of a worker's core for several threads. In: their number, the address of the file. Out: the maker, or why the
// world has one thread.
import type { CoreMaker } from '../src/wasm/instance';
import { loadThreads } from './loadThreads';

export const coreMaker = (threads: number | 'auto', file: string): Promise<CoreMaker | string> =>
  loadThreads(file).then(
    ({ threadedMaker }) => threadedMaker(threads),
    (error) => `physics.threads.js was not found (${file}): ${(error as Error).message}`,
  );
